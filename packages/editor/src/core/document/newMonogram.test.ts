import { applyCommand, emptyComposition, readContours, resolveScene } from '@markwright/scene';
import { expect, it } from 'vitest';
import { addMonogram } from './newMonogram.ts';

const fonts = { outline: () => undefined };
const scene = resolveScene(emptyComposition, { product: undefined, artworks: new Map(), fonts });
/** Two halves of a square, with a band between. */
const contours = readContours('M0 0L30 0L30 11L0 11ZM0 19L30 19L30 30L0 30Z');
const band = { middle: 15, height: 8 };
const letters = { letters: 'MKL', fontFamily: 'Lora' };

it('is one outline in its own proportions', () => {
  const { command, elementId } = addMonogram(scene, { ...letters, name: 'Miller' }, { contours });
  const { elements } = applyCommand(emptyComposition, command);
  expect(elements).toMatchObject([{ kind: 'shape', form: 'outline', name: 'Monogram MKL', widthMm: 25, heightMm: 25 }]);
  expect(elementId).toBe(`shape:${elements[0]!.id}`);
});

it('a split letter has its name as a text in its band, in one group with it', () => {
  const { command } = addMonogram(scene, { ...letters, name: ' Miller ' }, { contours, band });
  const [shape, text] = applyCommand(emptyComposition, command).elements;
  expect(shape).toMatchObject({ kind: 'shape', name: 'Monogram M' });
  expect(text).toMatchObject({ kind: 'text', text: 'Miller', fontFamily: 'Lora', x: shape!.x, y: shape!.y });
  expect(text!.groupId).toBe(shape!.groupId);
  // Its em is a little less than the band of 25 mm x 8 / 30.
  expect('heightInches' in text! && text.heightInches * 25.4).toBeCloseTo(6.1, 1);
  const nameless = addMonogram(scene, { ...letters, name: '' }, { contours, band });
  expect(applyCommand(emptyComposition, nameless.command).elements).toHaveLength(1);
});
