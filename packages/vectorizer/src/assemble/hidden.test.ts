import { expect, test } from 'vitest';
import { type BoundaryMap, OUTSIDE } from '../boundary/boundary.ts';
import type { Curve, Segment } from '../geometry/segment.ts';
import { lineTo } from '../geometry/segment.ts';
import { drawStackedRing } from './hidden.ts';

type Point = [number, number];

const cubicTo = (x1: number, y1: number, x2: number, y2: number, x: number, y: number): Segment => ({
  isLine: false,
  x1,
  y1,
  x2,
  y2,
  x,
  y,
});

/** Returns points of a curve, 80 to a segment. */
function trace({ x, y, segments }: Curve): Point[] {
  const points: Point[] = [[x, y]];
  for (const s of segments) {
    const [fromX, fromY] = points[points.length - 1];
    for (let k = 1; k <= 80; k++) {
      const [v, u] = [k / 80, 1 - k / 80];
      const at = (a: number, b: number, c: number, d: number): number =>
        s.isLine ? u * a + v * d : u * u * u * a + 3 * u * u * v * b + 3 * u * v * v * c + v * v * v * d;
      points.push([at(fromX, s.x1, s.x2, s.x), at(fromY, s.y1, s.y2, s.y)]);
    }
  }
  return points;
}

const distance = ([x, y]: Point, points: readonly Point[]): number =>
  Math.min(...points.map(([px, py]) => Math.hypot(px - x, py - y)));

// The shape lies around an arch of 30 px, whose band of 3 px hides it.
const ARCH: Curve = { x: 35, y: 40, segments: [lineTo(35, 0), cubicTo(35, -20, 65, -20, 65, 0), lineTo(65, 40)] };
const OUTLINE: Curve = {
  x: 65,
  y: 40,
  segments: [lineTo(100, 40), lineTo(100, -30), lineTo(0, -30), lineTo(0, 40), lineTo(35, 40)],
};

const isInArch = (x: number, y: number, radius: number): boolean =>
  y < 40 && (y > 0 ? Math.abs(x - 50) < radius : Math.hypot(x - 50, y) < radius);
const isInBand = (x: number, y: number): boolean => isInArch(x, y, 15) && !isInArch(x, y, 12);

/** Draws the shape around the arch, and returns points of its outline. */
function drawAroundArch(isCovered: (x: number, y: number) => boolean): Point[] {
  const map = {
    chains: [
      { left: 0, right: OUTSIDE },
      { left: 0, right: 1 },
    ],
  } as BoundaryMap;
  const isAbove = (region: number): boolean => region === 1;
  const curves = [OUTLINE, ARCH];
  const { ring } = drawStackedRing({ map, curves, loop: [0, 2], isAbove, isCovered, hiding: new Set() });
  return trace({ ...ring, shape: undefined });
}

test('draws a hidden side deep under the shape above: soon after its ends, and all along a bend', () => {
  const line = drawAroundArch(isInBand);
  for (const point of trace(ARCH)) {
    const [x, y] = point;
    const fromEnd = Math.min(Math.hypot(x - 35, y - 40), Math.hypot(x - 65, y - 40));
    if (fromEnd > 3) expect(distance(point, line)).toBeGreaterThan(fromEnd > 8 ? 0.45 : 0.25);
  }
  for (const [x, y] of line.slice(5 * 80)) if (y < 38) expect(isInBand(x, y)).toBe(true);
});

test('does not cover what shows through a hole of the shape above', () => {
  // A bar joins the feet of the arch, and would hide a straight side.
  const line = drawAroundArch((x, y) => isInBand(x, y) || (y >= 40 && y < 60));
  expect(distance([50, -15], line)).toBeLessThan(3);
});
