import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isOverlapping, placeBar, selectionBounds } from './barPlace.ts';
import { placeGrips } from './gripPlaces.ts';

const free = { left: 0, top: 0, right: 800, bottom: 600 };
const bar = { width: 200, height: 34 };
const boxOf = (left: number, top: number, width: number, height: number) => [
  { x: left, y: top },
  { x: left + width, y: top },
  { x: left + width, y: top + height },
  { x: left, y: top + height },
];

test('stands above the selection, below it at the upper edge, and beside one as high as the stage', () => {
  const at = (corners: readonly { x: number; y: number }[]) => placeBar(selectionBounds(corners, 26), bar, free, []);
  expect(at(boxOf(300, 300, 100, 60))!.y).toBeLessThan(300 - 34);
  expect(at(boxOf(300, 20, 100, 60))!.y).toBeGreaterThan(80);
  expect(at(boxOf(100, 10, 300, 580))!.x).toBeGreaterThan(400);
  expect(at(boxOf(-50, -50, 900, 700))).toBeUndefined();
});

test('never lies over the selection, a grip or another bar, and always within the stage', () => {
  const other = { left: 300, top: 10, right: 500, bottom: 44 };
  fc.assert(
    fc.property(
      fc.integer({ min: -100, max: 700 }),
      fc.integer({ min: -100, max: 500 }),
      fc.integer({ min: 5, max: 500 }),
      fc.integer({ min: 5, max: 400 }),
      fc.constantFrom(26, 44),
      (left, top, width, height, hitPx) => {
        const corners = boxOf(left, top, width, height);
        const place = placeBar(selectionBounds(corners, hitPx), bar, free, [other]);
        if (!place) return;
        const box = { left: place.x, top: place.y, right: place.x + bar.width, bottom: place.y + bar.height };
        const { hitAt, rotateAt } = placeGrips(corners, hitPx);
        const grips = [...hitAt, rotateAt].map(({ x, y }) => ({
          left: x - hitPx / 2,
          top: y - hitPx / 2,
          right: x + hitPx / 2,
          bottom: y + hitPx / 2,
        }));
        const element = { left, top, right: left + width, bottom: top + height };
        for (const obstacle of [other, element, ...grips]) expect(isOverlapping(box, obstacle)).toBe(false);
        expect(box.left >= free.left && box.top >= free.top).toBe(true);
        expect(box.right <= free.right && box.bottom <= free.bottom).toBe(true);
      },
    ),
  );
});
