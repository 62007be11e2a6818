import fc from 'fast-check';
import { expect, test } from 'vitest';
import { measureFilled, measureNested } from './filledArea.ts';
import { type Contour, readContours } from './pathData.ts';
import { joinOutlines, MM_GRID, measureUnion } from './planar.ts';

/** A star polygon: convex with step 1, crossing itself with more. */
const ring = ({ x, y, r, sides, step }: { x: number; y: number; r: number; sides: number; step: number }): Contour => ({
  commands: Array.from({ length: sides - 1 }, () => 'L' as const),
  points: Array.from({ length: sides }, (_, i) => (2 * Math.PI * i * step) / sides).flatMap((angle) => [
    x + r * Math.cos(angle),
    y + r * Math.sin(angle),
  ]),
  isClosed: true,
});

const place = fc.double({ min: 0, max: 60, noNaN: true });
const rings = fc.array(
  fc.record({
    x: place,
    y: place,
    r: fc.double({ min: 0.5, max: 6, noNaN: true }),
    sides: fc.integer({ min: 3, max: 11 }),
    step: fc.constantFrom(1, 1, 1, 2, -1),
  }),
  { minLength: 1, maxLength: 25 },
);

test('is the area of the union, for dots alone, in one another, and crossing themselves', () => {
  fc.assert(
    fc.property(rings, (all) => {
      const contours = all.map(ring);
      expect(measureFilled(contours)).toBeCloseTo(measureUnion(contours, MM_GRID), 1);
    }),
  );
});

test('of contours that do not cross, it is their areas by how they lie in each other', () => {
  fc.assert(
    fc.property(rings, (all) => {
      const contours = joinOutlines([all.map(ring)], MM_GRID);
      expect(measureNested(contours)).toBeCloseTo(measureUnion(contours, MM_GRID), 1);
    }),
  );
  expect(measureNested(readContours(square(0, 9) + square(1, 8) + square(2, 7) + square(20, 21)))).toBe(58);
});

test('needs no union of a turned screen whose dots share their sides', () => {
  const [cos, sin] = [Math.cos(0.4), Math.sin(0.4)];
  const turn = (u: number, v: number) => [u * cos - v * sin, u * sin + v * cos];
  const cells = Array.from({ length: 60 * 60 }, (_, k): Contour => {
    const [u, v] = [k % 60, Math.floor(k / 60)];
    const points = [turn(u, v), turn(u + 1, v), turn(u + 1, v + 1), turn(u, v + 1)].flat();
    return { commands: ['L', 'L', 'L'], points, isClosed: true };
  });
  // A union rounds corners to its grid, and a coarse one has no place for a corner between.
  expect(measureFilled(cells, { unit: 0.001, tolerance: 0.05 })).toBeCloseTo(3600, 6);
});

/** The square from `from` to `to` along both axes. */
const square = (from: number, to: number) => `M${from} ${from}L${to} ${from}L${to} ${to}L${from} ${to}Z`;

test.each([
  ['a square', square(0, 4), 16],
  ['a square and its hole', square(0, 4) + square(1, 3), 12],
  ['two squares apart', square(0, 4) + square(9, 10), 17],
  ['a bow that crosses itself', 'M0 0L4 4L4 0L0 4Z', 8],
  ['a line back over itself', 'M0 0L4 0L2 0Z', 0],
  ['a ring that goes round twice', square(0, 4) + square(0, 4), 0],
  ['a notch', 'M0 0L4 0L4 4L2 4L2 2L1 4L0 4Z', 15],
])('measures %s', (_, d, area) => {
  expect(measureFilled(readContours(d))).toBeCloseTo(area, 3);
});

test('measures a convex curve exactly', () => {
  const k = 0.5522847498;
  const circle = readContours(
    `M1 0C1 ${k} ${k} 1 0 1C${-k} 1 -1 ${k} -1 0C-1 ${-k} ${-k} -1 0 -1C${k} -1 1 ${-k} 1 0Z`,
  );
  expect(Math.abs(measureFilled(circle) - Math.PI)).toBeLessThan(0.001);
});
