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

/** Returns points of a curve about a tenth of a px apart. */
function trace({ x, y, segments }: Curve): Point[] {
  const points: Point[] = [[x, y]];
  for (const s of segments) {
    const [fromX, fromY] = points[points.length - 1];
    for (let k = 1; k <= 400; k++) {
      const [v, u] = [k / 400, 1 - k / 400];
      const at = (a: number, b: number, c: number, d: number): number =>
        s.isLine ? u * a + v * d : u * u * u * a + 3 * u * u * v * b + 3 * u * v * v * c + v * v * v * d;
      points.push([at(fromX, s.x1, s.x2, s.x), at(fromY, s.y1, s.y2, s.y)]);
    }
  }
  return points;
}

const distance = ([x, y]: Point, points: readonly Point[]): number =>
  Math.min(...points.map(([px, py]) => Math.hypot(px - x, py - y)));

test('draws a hidden side deep under the shape above: soon after its ends, and all along a bend', () => {
  // The shape lies around an arch of 30 px, whose band of 3 px hides it. Nothing else may be relied on inside.
  const arch: Curve = { x: 35, y: 40, segments: [lineTo(35, 0), cubicTo(35, -20, 65, -20, 65, 0), lineTo(65, 40)] };
  const outside: Curve = {
    x: 65,
    y: 40,
    segments: [lineTo(100, 40), lineTo(100, -30), lineTo(0, -30), lineTo(0, 40), lineTo(35, 40)],
  };
  const map = {
    chains: [
      { left: 0, right: OUTSIDE },
      { left: 0, right: 1 },
    ],
  } as BoundaryMap;
  const isInArch = (x: number, y: number, radius: number): boolean =>
    y < 40 && (y > 0 ? Math.abs(x - 50) < radius : Math.hypot(x - 50, y) < radius);
  const { ring } = drawStackedRing({
    map,
    curves: [outside, arch],
    loop: [0, 2],
    isAbove: (region) => region === 1,
    isCovered: (x, y) => isInArch(x, y, 15) && !isInArch(x, y, 12),
    hiding: new Set(),
  });
  const line = trace({ ...ring, shape: undefined });
  for (const point of trace(arch)) {
    const [x, y] = point;
    const fromEnd = Math.min(Math.hypot(x - 35, y - 40), Math.hypot(x - 65, y - 40));
    if (fromEnd > 3) expect(distance(point, line)).toBeGreaterThan(fromEnd > 8 ? 0.45 : 0.25);
  }
  for (const [x, y] of line.slice(2000)) if (y < 38) expect(isInArch(x, y, 15) && !isInArch(x, y, 12)).toBe(true);
});
