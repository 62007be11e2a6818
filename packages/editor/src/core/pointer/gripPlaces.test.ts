import type { Point } from '@markwright/scene';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { placeGrips } from './gripPlaces.ts';

const boxOf = (width: number, height: number, left = 50, top = 80): Point[] => [
  { x: left, y: top },
  { x: left + width, y: top },
  { x: left + width, y: top + height },
  { x: left, y: top + height },
];

const overlap = (a: Point, b: Point, side: number) =>
  Math.abs(a.x - b.x) < side - 1e-6 && Math.abs(a.y - b.y) < side - 1e-6;

test('the squares that take hold never overlap each other, and leave the middle free', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 4, max: 300 }),
      fc.integer({ min: 4, max: 300 }),
      fc.constantFrom(26, 44),
      (width, height, hitPx) => {
        const { hitAt, rotateAt } = placeGrips(boxOf(width, height), hitPx);
        const all = [...hitAt, rotateAt];
        for (const [index, at] of all.entries()) {
          for (const other of all.slice(index + 1)) expect(overlap(at, other, hitPx)).toBe(false);
        }
        const middle = { x: 50 + width / 2, y: 80 + height / 2 };
        for (const at of all) expect(overlap(at, middle, hitPx / 2)).toBe(false);
      },
    ),
  );
});

test('the grips of an element 24 px wide are small and lie outside it', () => {
  const { gripAt, gripPx } = placeGrips(boxOf(24, 12), 44);
  expect(gripPx).toBe(6);
  for (const { x, y } of gripAt) {
    expect(x + gripPx / 2 <= 50 || x - gripPx / 2 >= 74).toBe(true);
    expect(y + gripPx / 2 <= 80 || y - gripPx / 2 >= 92).toBe(true);
  }
});

test('those of a large element sit on its corners', () => {
  const corners = boxOf(200, 90);
  expect(placeGrips(corners, 26).gripAt).toEqual(corners);
});

test('the rotate grip is whole in sight wherever there is room for it', () => {
  const free = { left: 0, top: 0, right: 320, bottom: 178 };
  const at = (top: number, width = 120, height = 60) => placeGrips(boxOf(width, height, 100, top), 44, free).rotateAt;
  expect(at(60)).toEqual({ x: 160, y: 34 });
  // Nearer, so that its circle is not cut off.
  expect(at(24).y).toBe(8);
  // No room above it, and below its dimensions there is.
  expect(at(4).y).toBe(4 + 60 + 44);
  // Nowhere: it stays above.
  expect(at(4, 120, 170).y).toBeLessThan(4);
});
