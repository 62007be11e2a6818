import { expect, test } from 'vitest';
import type { Segment } from '../geometry/segment.ts';
import { lineTo } from '../geometry/segment.ts';
import { mergeSegments } from './merge.ts';

const cubic = (x1: number, y1: number, x2: number, y2: number, x: number, y: number): Segment => ({
  isLine: false,
  x1,
  y1,
  x2,
  y2,
  x,
  y,
});

/** Cuts the cubic from (0, 0) at the parameter t (de Casteljau). */
function cut({ x1, y1, x2, y2, x, y }: Segment, t: number): [Segment, Segment] {
  const mix = (a: number, b: number): number => a + (b - a) * t;
  const [ax, ay, bx, by, cx, cy] = [mix(0, x1), mix(0, y1), mix(x1, x2), mix(y1, y2), mix(x2, x), mix(y2, y)];
  const [dx, dy, ex, ey] = [mix(ax, bx), mix(ay, by), mix(bx, cx), mix(by, cy)];
  return [cubic(ax, ay, dx, dy, mix(dx, ex), mix(dy, ey)), cubic(ex, ey, cx, cy, x, y)];
}

/** A curve whose speed changes sixfold, and an S. */
const CURVES = [cubic(10, 2, 140, 20, 160, 90), cubic(60, 0, 20, 80, 120, 70)];

test.each(CURVES)('makes one cubic of the two parts of one, wherever it was cut', (whole) => {
  for (const t of [0.2, 0.37, 0.5, 0.8]) {
    const list = mergeSegments(0, 0, cut(whole, t), 0.1);
    expect(list).toHaveLength(1);
    for (const key of ['x1', 'y1', 'x2', 'y2', 'x', 'y'] as const) expect(list[0][key]).toBeCloseTo(whole[key], 1);
  }
});

test('makes one cubic of four parts', () => {
  const [first, second] = cut(CURVES[0], 0.5);
  const [a, b] = cut(first, 0.4);
  const shift = ({ x1, y1, x2, y2, x, y }: Segment, dx: number, dy: number): Segment =>
    cubic(x1 + dx, y1 + dy, x2 + dx, y2 + dy, x + dx, y + dy);
  const [c, d] = cut(shift(second, -first.x, -first.y), 0.6).map((part) => shift(part, first.x, first.y));
  expect(mergeSegments(0, 0, [a, b, c, d], 0.1)).toHaveLength(1);
});

test('keeps corners, long lines, joints that must stay, and what is farther off than the tolerance', () => {
  const corner = [cubic(5, 0, 10, 0, 15, 0.5), cubic(15, 5, 15, 10, 14, 15)];
  expect(mergeSegments(0, 0, corner, 0.1)).toEqual(corner);
  const straight = [lineTo(40, 0), cubic(50, 0, 60, 10, 60, 20)];
  expect(mergeSegments(0, 0, straight, 0.1)).toEqual(straight);
  const parts = cut(CURVES[1], 0.5);
  expect(mergeSegments(0, 0, parts, 0.1, () => false)).toEqual(parts);
  // Two quarters of a circle of 40 px: one cubic for the half circle would be off by a third of a px.
  const handle = 40 * 0.5523;
  const half = [cubic(0, -handle, 40 - handle, -40, 40, -40), cubic(40 + handle, -40, 80, -handle, 80, 0)];
  expect(mergeSegments(0, 0, half, 0.1)).toEqual(half);
});

test('gives both sides of a joint that turns a little one tangent, and stays close to them', () => {
  const [a, b] = cut(cubic(20, 0, 60, 30, 60, 80), 0.5);
  const turn = (4 * Math.PI) / 180;
  const [dx, dy] = [b.x1 - a.x, b.y1 - a.y];
  const kink = {
    ...b,
    x1: a.x + dx * Math.cos(turn) - dy * Math.sin(turn),
    y1: a.y + dx * Math.sin(turn) + dy * Math.cos(turn),
  };
  const turnOf = ([p, q]: Segment[]): number =>
    Math.abs(Math.atan2(q.y1 - p.y, q.x1 - p.x) - Math.atan2(p.y - p.y2, p.x - p.x2));
  expect(turnOf([a, kink])).toBeGreaterThan(0.06);
  // They are not to be merged, for a tolerance that a merger would pass.
  const list = mergeSegments(0, 0, [a, kink], 0.5, () => false);
  expect(list).toHaveLength(2);
  expect(turnOf(list)).toBeLessThan(1e-6);
  expect([list[0].x, list[0].y, list[1].x, list[1].y]).toEqual([a.x, a.y, b.x, b.y]);
  // Within a hundredth of a pixel that is not to be had.
  expect(mergeSegments(0, 0, [a, kink], 0.01, () => false)).toEqual([a, kink]);
});
