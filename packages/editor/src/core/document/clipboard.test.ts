import { applyCommand, emptyComposition, textsOf, toZOrder } from '@markwright/scene';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { designPlacement, openEditor, textElement } from '../testHost.ts';
import { pasteCommand, readElements, writeElements } from './clipboard.ts';

const { composition } = openEditor({
  texts: [textElement('a', { x: 10, fontFamily: 'Lato' }), textElement('b', { isLocked: true })],
}).getState();
const copyText = writeElements(composition, ['text:a'])!;

test('copies the selected elements into another composition, where they were', () => {
  const copies = readElements(copyText)!;
  const after = applyCommand(emptyComposition, pasteCommand(emptyComposition, copies));
  expect(textsOf(after)).toHaveLength(1);
  expect(textsOf(after)[0]).toMatchObject({ text: 'Ava', x: 10, y: 0, fontFamily: 'Lato' });
  expect(textsOf(after)[0]!.id).not.toBe('a');
});

test('pastes aside of what is in the same place, again and again', () => {
  let next = composition;
  for (let i = 0; i < 3; i++) next = applyCommand(next, pasteCommand(next, readElements(copyText)!));
  expect(textsOf(next).map(({ x }) => x)).toEqual([10, 0, 13, 16, 19]);
  expect(new Set(textsOf(next).map(({ id }) => id)).size).toBe(5);
});

test('unlocks a pasted element and gives it a color of the machine', () => {
  const elements = [textElement('b', { isLocked: true, color: '#ff0000' })];
  const copies = readElements(writeElements({ ...composition, machine: 'uv', elements }, ['text:b'])!)!;
  const after = applyCommand(emptyComposition, pasteCommand(emptyComposition, copies));
  expect(textsOf(after)[0]).toMatchObject({ isLocked: false, color: '#000000' });
});

test('pastes artworks with their design, and a group as a group of its own', () => {
  const composition = applyCommand(
    openEditor({ design: designPlacement(), texts: [textElement('a')] }).getState().composition,
    {
      type: 'group',
      elementIds: ['design', 'text:a'],
      groupId: 'g',
    },
  );
  const after = applyCommand(
    composition,
    pasteCommand(composition, readElements(writeElements(composition, toZOrder(composition))!)!),
  );
  const [artwork, text, artworkCopy, textCopy] = after.elements;
  expect(artworkCopy).toMatchObject({ kind: 'artwork', designId: 'd1', x: 3 });
  expect([artwork!.groupId, text!.groupId]).toEqual(['g', 'g']);
  expect(artworkCopy!.groupId).toBe(textCopy!.groupId);
  expect(artworkCopy!.groupId).not.toBe('g');
  expect(artworkCopy!.id).not.toBe(artwork!.id);
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
