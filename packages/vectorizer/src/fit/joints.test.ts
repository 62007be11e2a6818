import { expect, test } from 'vitest';
import type { BoundaryMap } from '../boundary/boundary.ts';
import type { Curve, Segment } from '../geometry/segment.ts';
import { lineTo } from '../geometry/segment.ts';
import { smoothBends, smoothJoints } from './joints.ts';

const RADIUS = 60;
const onCircle = (angle: number, radius = RADIUS): [number, number] => [
  radius * Math.cos(angle),
  radius * Math.sin(angle),
];

/** Returns an arc of the circle around the origin, whose handles turn by `first` and `second` radians at its ends. */
function arc(from: number, to: number, first = 0, second = 0): Curve {
  const size = RADIUS * (4 / 3) * Math.tan((to - from) / 4);
  const [[x, y], [endX, endY]] = [onCircle(from), onCircle(to)];
  const [a, b] = [from + Math.PI / 2 + first, to - Math.PI / 2 + second];
  const segment: Segment = {
    isLine: false,
    x1: x + size * Math.cos(a),
    y1: y + size * Math.sin(a),
    x2: endX + size * Math.cos(b),
    y2: endY + size * Math.sin(b),
    x: endX,
    y: endY,
  };
  return { x, y, segments: [segment] };
}

/** Returns a path with its end moved along the circle's radius, and its handle with it. */
function shiftEnd({ x, y, segments: [segment] }: Curve, by: number): Curve {
  const [ux, uy] = [segment.x / RADIUS, segment.y / RADIUS];
  const { x2, y2, x: endX, y: endY } = segment;
  const image = { ...segment, x2: x2 + by * ux, y2: y2 + by * uy, x: endX + by * ux, y: endY + by * uy };
  return { x, y, segments: [image] };
}

function points({ x, y, segments }: Curve): [number, number][] {
  let from: [number, number] = [x, y];
  return segments.flatMap(({ isLine, x1, y1, x2, y2, x: toX, y: toY }) => {
    const [fromX, fromY] = from;
    from = [toX, toY];
    return Array.from({ length: 601 }, (_, k): [number, number] => {
      const [v, u] = [k / 600, 1 - k / 600];
      const at = (a: number, b: number, c: number, d: number): number =>
        isLine ? u * a + v * d : u * u * u * a + 3 * u * u * v * b + 3 * u * v * v * c + v * v * v * d;
      return [at(fromX, x1, x2, toX), at(fromY, y1, y2, toY)];
    });
  });
}

/** Returns the angle by which the way turns from one curve to the next, in radians. */
function turnBetween({ segments }: Curve, next: Curve): number {
  const last = segments[segments.length - 1];
  const [first] = next.segments;
  const [ux, uy, vx, vy] = [last.x - last.x2, last.y - last.y2, first.x1 - next.x, first.y1 - next.y];
  return Math.abs(Math.atan2(ux * vy - uy * vx, ux * vx + uy * vy));
}

/** Three chains that meet at one junction: two along an outline, and one that ends there. */
const MAP = {
  junctions: new Int32Array(4),
  chains: [
    { left: 0, right: 1, start: 1, end: 0 },
    { left: 0, right: 2, start: 0, end: 2 },
    { left: 1, right: 2, start: 0, end: 3 },
  ],
} as BoundaryMap;

test('lets an outline pass a junction smoothly, with the chain that ends there', () => {
  const ray: Curve = { x: 0, y: RADIUS - 0.3, segments: [lineTo(0, 100)] };
  // The junction lies 0.3 px inside the circle, and both arcs go astray there.
  const before = shiftEnd(arc(0.6, Math.PI / 2), -0.3);
  const after = arc(Math.PI / 2, 2.6);
  const [{ x, y }] = before.segments;
  const second = { ...after, x, y, segments: [{ ...after.segments[0], y1: after.segments[0].y1 - 0.3 }] };
  second.segments[0].y1 -= 1.5;
  expect(turnBetween(before, second)).toBeGreaterThan(0.05);
  const [a, b, c] = smoothJoints(MAP, [before, second, ray], 0.1);
  expect(turnBetween(a, b)).toBeLessThan(1e-6);
  const node = a.segments[a.segments.length - 1];
  expect([b.x, b.y]).toEqual([node.x, node.y]);
  expect([c.x, c.y]).toEqual([node.x, node.y]);
  for (const [curve, old] of [
    [a, before],
    [b, second],
  ]) {
    const line = points(old);
    for (const [px, py] of points(curve)) {
      if (Math.hypot(px - x, py - y) < 1.6) continue;
      expect(Math.min(...line.map(([qx, qy]) => Math.hypot(qx - px, qy - py)))).toBeLessThan(0.15);
    }
  }
});

test('leaves junctions alone at which every pair of chains turns', () => {
  const spokes = [0, 2.1, 4.2].map((angle): Curve => {
    const [x, y] = onCircle(angle);
    return { x: 0, y: 0, segments: [lineTo(x, y)] };
  });
  const [first] = spokes;
  const [{ x, y }] = first.segments;
  const curves = [{ x, y, segments: [lineTo(0, 0)] }, spokes[1], spokes[2]];
  expect(smoothJoints(MAP, curves, 0.1)).toEqual(curves);
});

test('gives both sides of a joint that turns a little one tangent, and keeps corners', () => {
  const bend = (turn: number): Curve => {
    const [a, b] = [arc(0, 0.7), arc(0.7, 1.4, turn)];
    return { ...a, segments: [...a.segments, ...b.segments] };
  };
  const turnIn = ({ x, y, segments }: Curve): number =>
    Math.max(
      ...segments.slice(1).map((segment, k) => {
        const from = segments[k];
        return turnBetween({ x, y, segments: [from] }, { x: from.x, y: from.y, segments: [segment] });
      }),
    );
  const slight = bend(0.04);
  expect(turnIn(slight)).toBeCloseTo(0.04);
  const smooth = smoothBends(slight, false, 0.3);
  expect(turnIn(smooth)).toBeLessThan(1e-6);
  expect([smooth.x, smooth.y]).toEqual([slight.x, slight.y]);
  const line = points(slight);
  for (const [x, y] of points(smooth)) {
    expect(Math.min(...line.map(([qx, qy]) => Math.hypot(qx - x, qy - y)))).toBeLessThan(0.35);
  }
  expect(smoothBends(bend(0.5), false, 0.3)).toEqual(bend(0.5));
});

test('draws an end anew that turns back before it meets its junction', () => {
  const spokes = [2.1, 4.2].map((angle): Curve => {
    const [x, y] = onCircle(angle);
    return { x: 0, y: 0, segments: [lineTo(x, y)] };
  });
  // It comes along the x axis from the right, passes the junction by half a pixel and returns.
  const hook = { isLine: false, x1: 20, y1: 0, x2: -2.5, y2: 0.3, x: 0, y: 0 };
  const [{ segments }] = smoothJoints(MAP, [{ x: 30, y: 0, segments: [hook] }, ...spokes], 0.1);
  const end = segments[segments.length - 1];
  expect(end.x2).toBeGreaterThan(0);
  expect([end.x, end.y]).toEqual([0, 0]);
});
