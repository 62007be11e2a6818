import { applyCommand, emptyComposition } from '@markwright/scene';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openEditor, textElement } from '../testHost.ts';
import { pasteCommand, readElements, writeElements } from './clipboard.ts';

const { composition } = openEditor({
  texts: [textElement('a', { x: 10, fontFamily: 'Lato' }), textElement('b', { isLocked: true })],
}).getState();
const copyText = writeElements(composition, ['text:a'])!;

test('copies the selected elements into another composition, where they were', () => {
  const copies = readElements(copyText)!;
  const after = applyCommand(emptyComposition, pasteCommand(emptyComposition, copies));
  expect(after.texts).toHaveLength(1);
  expect(after.texts[0]).toMatchObject({ text: 'Ava', x: 10, y: 0, fontFamily: 'Lato' });
  expect(after.texts[0]!.id).not.toBe('a');
});

test('pastes aside of what is in the same place, again and again', () => {
  let next = composition;
  for (let i = 0; i < 3; i++) next = applyCommand(next, pasteCommand(next, readElements(copyText)!));
  expect(next.texts.map(({ x }) => x)).toEqual([10, 0, 13, 16, 19]);
  expect(new Set(next.texts.map(({ id }) => id)).size).toBe(5);
});

test('unlocks a pasted element and gives it a color of the machine', () => {
  const copies = readElements(writeElements({ ...composition, machine: 'uv' }, ['text:b'])!)!;
  const after = applyCommand(emptyComposition, pasteCommand(emptyComposition, [{ ...copies[0]!, color: '#ff0000' }]));
  expect(after.texts[0]).toMatchObject({ isLocked: false, color: '#000000' });
});

test('has nothing to copy of nothing', () => {
  expect(writeElements(composition, [])).toBeUndefined();
});

test.each([
  ['', 'an empty text'],
  ['Hazel & Finn', 'words'],
  ['{"kind":"markwright elements",', 'a torn text'],
  [copyText.replace('"x":10', '"x":"10"'), 'a place that is no number'],
  [copyText.replace('"x":10', '"x":1000'), 'a place far outside'],
  [copyText.replace('"fontFamily":"Lato"', `"fontFamily":"${'L'.repeat(100)}"`), 'a font name that is too long'],
  [`${copyText.slice(0, -1)},"x":"${'x'.repeat(200_000)}"}`, 'a text that is too long'],
])('takes %.40s for no elements: %s', (text) => {
  expect(readElements(text)).toBeUndefined();
});

test('never throws for any text after its own beginning', () => {
  fc.assert(
    fc.property(fc.json(), (json) => {
      readElements(`{"kind":"markwright elements","composition":${json}}`);
    }),
  );
});
