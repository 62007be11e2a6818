import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  ArtworkElement,
  CodeElement,
  Composition,
  InkRect,
  ShapeElement,
  Straightening,
  TextElement,
} from './composition.ts';
import { emptyComposition, isInkRect, isStraightening, newArtwork, newCode, newShape, newText } from './initial.ts';

it('begins with the values of the schema, in its order', () => {
  expect(JSON.stringify(emptyComposition)).toBe(JSON.stringify(Composition.parse({})));
  expect(JSON.stringify(newText('t'))).toBe(JSON.stringify(TextElement.parse({ id: 't', text: '' })));
  expect(JSON.stringify(newArtwork('d'))).toBe(JSON.stringify(ArtworkElement.parse({ designId: 'd' })));
  expect(JSON.stringify(newCode('c'))).toBe(JSON.stringify(CodeElement.parse({ id: 'c' })));
  expect(JSON.stringify(newShape('s'))).toBe(JSON.stringify(ShapeElement.parse({ id: 's' })));
});

/** Numbers on both sides of the limits, and none. */
const number = fc.oneof(
  fc.double({ min: -2, max: 3, noNaN: true }),
  fc.constantFrom(-50, -0.5, 0, 0.01, 1, 1.5, 2, 51, 100, 101, Number.NaN, Number.POSITIVE_INFINITY),
);

it('takes the boxes of ink that the schema takes', () => {
  let count = 0;
  fc.assert(
    fc.property(fc.record({ x: number, y: number, width: number, height: number }), (rect) => {
      const isGood = InkRect.safeParse(rect).success;
      if (isGood) count++;
      expect(isInkRect(rect)).toBe(isGood);
    }),
    { numRuns: 1_000 },
  );
  expect(count).toBeGreaterThan(10);
});

it('takes the straightened corners that the schema takes', () => {
  const near = (at: number) => fc.oneof({ weight: 9, arbitrary: fc.double({ min: at - 0.3, max: at + 0.3 }) }, number);
  const corner = (x: number, y: number) => fc.record({ x: near(x), y: near(y) });
  const corners = fc.tuple(corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1));
  let count = 0;
  fc.assert(
    fc.property(corners, number, (corners, aspect) => {
      const isGood = Straightening.safeParse({ corners, aspect }).success;
      if (isGood) count++;
      expect(isStraightening({ corners, aspect })).toBe(isGood);
    }),
    { numRuns: 1_000 },
  );
  expect(count).toBeGreaterThan(10);
});
