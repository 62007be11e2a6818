import { describe, expect, test } from 'vitest';
import { countSelfCrossings } from '../../test/polylines.ts';
import { areaOf, flatten } from '../../test/raster.ts';
import type { Drawing, Path, Ring } from '../drawing.ts';
import type { Curve, Segment } from '../geometry/segment.ts';
import { lineTo } from '../geometry/segment.ts';
import { cutChainLoops, cutRingLoops } from './loops.ts';

const curveTo = (x1: number, y1: number, x2: number, y2: number, x: number, y: number): Segment => ({
  isLine: false,
  x1,
  y1,
  x2,
  y2,
  x,
  y,
});

/** Counts crossings from close points: some loops are smaller than an eighth of a curve. */
const countCrossings = (ring: Ring): number => countSelfCrossings(flatten(ring, 256));

/** Returns the rings of a drawing with one path, without loops. */
function cut(ring: Ring, options: Partial<Path> = {}): Ring[] {
  const path = { color: '#000000', rings: [ring], ...options };
  const drawing: Drawing = {
    width: 100,
    height: 100,
    lineArt: false,
    layers: [{ id: 'layer-1', color: '#000000', paths: [path] }],
  };
  return cutRingLoops(drawing).layers[0].paths[0].rings;
}

/** A square whose top and right sides pass each other at its corner by `by` px, so that they meet within it. */
function squareWithLoop(by: number): Ring {
  const corner = [lineTo(90 + by, 10), lineTo(90 + by, 10 - by), lineTo(90, 10 - by)];
  return { x: 10, y: 10, segments: [...corner, lineTo(90, 90), lineTo(10, 90), lineTo(10, 10)] };
}

describe('loops of rings', () => {
  test.each([0.01, 0.3, 1])('cuts off a loop of lines, %d px wide', (by) => {
    const ring = squareWithLoop(by);
    expect(countCrossings(ring)).toBe(1);
    const [rest] = cut(ring);
    expect(countCrossings(rest)).toBe(0);
    expect(rest.segments).toHaveLength(4);
    expect(Math.abs(areaOf(rest))).toBeCloseTo(6400, 9);
  });

  test.each([0.05, 0.5])('cuts off a loop of two curves that pass each other beside their node by %d px', (by) => {
    // The first curve arrives level and goes too far; the second one leaves upward and comes down across it.
    const arrive = curveTo(30, 10, 70, 10, 90 + by, 10);
    const leave = curveTo(90 + by, 10 - 3 * by, 90 - by, 10, 90, 90);
    const ring = { x: 10, y: 10, segments: [arrive, leave, lineTo(10, 90), lineTo(10, 10)] };
    expect(countCrossings(ring)).toBe(1);
    const [rest] = cut(ring);
    expect(countCrossings(rest)).toBe(0);
    expect(rest.segments).toHaveLength(4);
    expect(Math.abs(areaOf(rest) - areaOf(ring))).toBeLessThan(2 * by * by);
  });

  test('cuts off the loop of one curve', () => {
    const loop = curveTo(92, 12, 88, 12, 90, 10.2);
    const ring = { x: 10, y: 10, segments: [lineTo(89.9, 10), loop, lineTo(90, 90), lineTo(10, 90), lineTo(10, 10)] };
    const [rest] = cut(ring);
    expect(countCrossings(rest)).toBe(0);
  });

  test('finds a loop across the start of the ring', () => {
    const { x, y, segments } = squareWithLoop(0.3);
    for (let first = 1; first < segments.length; first++) {
      const start = segments[first - 1];
      const ring = { x: start.x, y: start.y, segments: [...segments.slice(first), ...segments.slice(0, first)] };
      const [rest] = cut(ring);
      expect(countCrossings(rest)).toBe(0);
      expect(Math.abs(areaOf(rest))).toBeCloseTo(6400, 9);
    }
    expect({ x, y }).toEqual({ x: 10, y: 10 });
  });

  test('keeps a large loop, a line that crosses itself, and the ring of the caller', () => {
    const large = squareWithLoop(5);
    expect(cut(large)).toEqual([large]);
    const small = squareWithLoop(0.3);
    const copy = structuredClone(small);
    expect(cut(small, { strokeWidth: 1 })[0]).toBe(small);
    cut(small);
    expect(small).toEqual(copy);
  });

  test('makes plain curves of what is left of an arc', () => {
    const arc = { radius: 20, sweep: Math.PI };
    const around = [
      { ...curveTo(60, 10 + 11, 51, 30, 40, 30), arc },
      { ...curveTo(29, 30, 20, 21, 20, 9), arc },
    ];
    const ring = {
      x: 60,
      y: 10,
      segments: [...around, lineTo(20.5, 10), lineTo(19, 10), lineTo(10, 0), lineTo(60, 0), lineTo(60, 10)],
    };
    expect(countCrossings(ring)).toBeGreaterThan(0);
    const [rest] = cut(ring);
    expect(countCrossings(rest)).toBe(0);
    expect(rest.segments.some((segment) => segment.arc)).toBe(false);
  });
});

describe('loops at junctions', () => {
  /** Three chains from a junction at lattice point (50, 50) to the border, up, right and down. */
  const chain = { left: 0, right: 1, from: 0, to: 0 };
  const map = {
    width: 100,
    height: 100,
    chains: [
      { ...chain, start: 1, end: 0 },
      { ...chain, start: 0, end: 2 },
      { ...chain, start: 0, end: 3 },
    ],
    path: new Int32Array(0),
    junctions: Int32Array.of(50 * 101 + 50, 50, 50 * 101 + 100, 100 * 101 + 50),
  };

  test('move the junction to where two chains cross, and the third one with it', () => {
    // The chain from above goes too far down; the one to the right starts there, to the left, and crosses it.
    const above: Curve = { x: 50, y: 0, segments: [lineTo(50, 50.5)] };
    const right: Curve = { x: 50, y: 50.5, segments: [lineTo(49.5, 50.5), lineTo(49.5, 49.9), lineTo(100, 49.9)] };
    const below: Curve = { x: 50, y: 50.5, segments: [curveTo(50, 60, 50, 80, 50, 100)] };
    const [a, b, c] = cutChainLoops(map, [above, right, below]);
    expect(a.segments.map(({ x, y }) => [x, y])).toEqual([[50, 49.9]]);
    expect(b).toEqual({ x: 50, y: 49.9, segments: [lineTo(100, 49.9)] });
    expect(c).toEqual({ x: 50, y: 49.9, segments: [curveTo(50, 59.4, 50, 80, 50, 100)] });
  });

  test('leave the third chain where it is when they cross far away', () => {
    const above: Curve = { x: 50, y: 0, segments: [lineTo(50, 50)] };
    const right: Curve = { x: 50, y: 50, segments: [lineTo(50.3, 46), lineTo(49.7, 42), lineTo(100, 42)] };
    const below: Curve = { x: 50, y: 50, segments: [curveTo(50, 60, 50, 80, 50, 100)] };
    const [a, b, c] = cutChainLoops(map, [above, right, below]);
    expect(a.segments.map(({ x, y }) => [x, y])).toEqual([[50, 44]]);
    expect([b.x, b.y]).toEqual([50, 44]);
    expect([c.x, c.y]).toEqual([50, 44]);
    expect(c.segments.map(({ x, y }) => [x, y])).toEqual([
      [50.3, 46],
      [50, 50],
      [50, 100],
    ]);
    expect(c.segments[2]).toEqual(curveTo(50, 60, 50, 80, 50, 100));
  });

  test.each([3, 4, 7, 11])('leave all chains at one point, to the last digit (%i)', (seed) => {
    const near = (place: number): number => place + 0.8 * Math.sin(seed * 12.9898 + place * 78.233);
    const above: Curve = { x: 47, y: 0, segments: [curveTo(near(48), 17, near(50.5), 33, 50, 50)] };
    const aside = curveTo(near(51.3), 47, near(50.9), 44, near(49), 41);
    const right: Curve = { x: 50, y: 50, segments: [aside, lineTo(100, 41)] };
    const below: Curve = { x: 50, y: 50, segments: [lineTo(50, 100)] };
    const [a, b, c] = cutChainLoops(map, [above, right, below]);
    const end = a.segments[a.segments.length - 1];
    expect([b.x, b.y]).toEqual([end.x, end.y]);
    expect([c.x, c.y]).toEqual([end.x, end.y]);
    expect(c.segments.length).toBeGreaterThan(1);
  });

  test('bend the third chain when it would have to turn back', () => {
    const above: Curve = { x: 50, y: 0, segments: [lineTo(50, 50)] };
    const right: Curve = { x: 50, y: 50, segments: [lineTo(50.3, 46), lineTo(49.7, 42), lineTo(100, 42)] };
    const beside: Curve = { x: 50, y: 50, segments: [lineTo(46, 40), lineTo(50, 100)] };
    const [, , c] = cutChainLoops(map, [above, right, beside]);
    expect(c).toEqual({ x: 50, y: 44, segments: [lineTo(46, 40), lineTo(50, 100)] });
  });

  test('leave chains that only meet there as they are', () => {
    const curves: Curve[] = [
      { x: 50, y: 0, segments: [lineTo(50, 50)] },
      { x: 50, y: 50, segments: [lineTo(100, 50)] },
      { x: 50, y: 50, segments: [lineTo(50, 100)] },
    ];
    expect(cutChainLoops(map, curves)).toEqual(curves);
  });
});
