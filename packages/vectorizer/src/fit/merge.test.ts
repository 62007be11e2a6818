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
  expect(mergeSegments(0, 0, parts, 0.1, { mayJoin: () => false })).toEqual(parts);
  // Two quarters of a circle of 40 px: one cubic for the half circle would be off by a third of a px.
  const handle = 40 * 0.5523;
  const half = [cubic(0, -handle, 40 - handle, -40, 40, -40), cubic(40 + handle, -40, 80, -handle, 80, 0)];
  expect(mergeSegments(0, 0, half, 0.1)).toEqual(half);
});

test('keeps the joint smooth at which a closed outline starts', () => {
  // A circle of a radius of 50 px as eight cubics, whose first and last have handles that are a little off.
  const node = (k: number): [number, number] => [50 * Math.cos((k * Math.PI) / 4), 50 * Math.sin((k * Math.PI) / 4)];
  const handle = (4 / 3) * Math.tan(Math.PI / 16);
  const list = Array.from({ length: 8 }, (_, k) => {
    const [[x0, y0], [x, y]] = [node(k), node(k + 1)];
    const [first, second] = [k === 0 ? 1.2 * handle : handle, k === 7 ? 0.8 * handle : handle];
    return cubic(x0 - first * y0, y0 + first * x0, x + second * y, y - second * x, x, y);
  });
  const few = mergeSegments(50, 0, list, 0.3, { isClosed: true });
  expect(few.length).toBeLessThan(8);
  const [start, end] = [few[0], few[few.length - 1]];
  const [a, b] = [Math.atan2(start.y1, start.x1 - 50), Math.atan2(-end.y2, 50 - end.x2)];
  expect(Math.abs(a - b)).toBeLessThan(1e-6);
});
