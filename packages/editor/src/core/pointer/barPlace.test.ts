import fc from 'fast-check';
import { expect, test } from 'vitest';
import { placeBar, placeInCorner, selectionBounds } from './barPlace.ts';
import { isOverlapping, isWithin } from './bounds.ts';
import { placeGrips } from './gripPlaces.ts';

const free = { left: 0, top: 0, right: 800, bottom: 600 };
const bar = { width: 200, height: 34 };
const boxOf = (left: number, top: number, width: number, height: number) => [
  { x: left, y: top },
  { x: left + width, y: top },
  { x: left + width, y: top + height },
  { x: left, y: top + height },
];
const boundsAt = (left: number, top: number, width: number, height: number) => ({
  left,
  top,
  right: left + width,
  bottom: top + height,
});

test('stands above the selection, below it at the upper edge, and beside one as high as the stage', () => {
  const at = (corners: readonly { x: number; y: number }[]) => placeBar(selectionBounds(corners, 26), bar, free, []);
  expect(at(boxOf(300, 300, 100, 60))!.y).toBeLessThan(300 - 34);
  expect(at(boxOf(300, 20, 100, 60))!.y).toBeGreaterThan(80);
  expect(at(boxOf(100, 10, 300, 580))!.x).toBeGreaterThan(400);
  expect(at(boxOf(-50, -50, 900, 700))).toBeUndefined();
});

test('slides along the selection beside what lies in the way, and has no place within a large element', () => {
  const selection = boundsAt(300, 300, 100, 60);
  const above = boundsAt(370, 240, 60, 40);
  const place = placeBar(selection, bar, free, [above])!;
  expect(place.y).toBe(300 - 8 - 34);
  expect(place.x).toBe(370 - 8 - 200);
  expect(placeBar(selection, bar, free, [boundsAt(0, 0, 800, 600)])).toBeUndefined();
});

const boxes = fc
  .tuple(
    fc.integer({ min: -100, max: 700 }),
    fc.integer({ min: -100, max: 500 }),
    fc.integer({ min: 5, max: 500 }),
    fc.integer({ min: 5, max: 400 }),
  )
  .map((box) => boundsAt(...box));

test('never lies over the selection, a grip or another element, and always within the stage', () => {
  let placeCount = 0;
  fc.assert(
    fc.property(boxes, fc.array(boxes, { maxLength: 4 }), fc.constantFrom(26, 44), (target, others, hitPx) => {
      const { left, top, right, bottom } = target;
      const corners = boxOf(left, top, right - left, bottom - top);
      const place = placeBar(selectionBounds(corners, hitPx), bar, free, others);
      if (!place) return;
      placeCount++;
      const box = boundsAt(place.x, place.y, bar.width, bar.height);
      const { hitAt, rotateAt } = placeGrips(corners, hitPx);
      const grips = [...hitAt, rotateAt].map(({ x, y }) => boundsAt(x - hitPx / 2, y - hitPx / 2, hitPx, hitPx));
      expect([target, ...grips, ...others].filter((obstacle) => isOverlapping(box, obstacle))).toEqual([]);
      expect(isWithin(box, free)).toBe(true);
    }),
  );
  expect(placeCount).toBeGreaterThan(10);
});

test('a corner holds what covers nothing there, beside what stands in it already', () => {
  const corners = ['bottom left', 'top left', 'bottom right'] as const;
  const size = { width: 120, height: 36 };
  expect(placeInCorner(size, free, corners, [])).toEqual(boundsAt(8, 556, 120, 36));
  const button = boundsAt(8, 560, 90, 32);
  expect(placeInCorner(size, free, corners, [button])).toEqual(boundsAt(8, 516, 120, 36));
  expect(placeInCorner(size, free, corners, [boundsAt(0, 300, 300, 300)])).toEqual(boundsAt(8, 8, 120, 36));
  fc.assert(
    fc.property(fc.array(boxes, { maxLength: 5 }), (others) => {
      const box = placeInCorner(size, free, corners, others);
      if (!box) return;
      expect(others.filter((other) => isOverlapping(box, other))).toEqual([]);
      expect(isWithin(box, free)).toBe(true);
    }),
  );
});
