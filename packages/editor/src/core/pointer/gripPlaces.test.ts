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
