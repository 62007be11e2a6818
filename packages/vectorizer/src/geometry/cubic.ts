import { hypot } from './hypot.ts';

/** Points and directions along cubic Bézier curves that are given by their control points. */

export interface Point {
  x: number;
  y: number;
}

/** Start, handles and end. */
export type Cubic = [Point, Point, Point, Point];

/** Chords that measure a length. */
const CHORDS = 16;

export const mix = (p: Point, q: Point, v: number): Point => ({ x: p.x + v * (q.x - p.x), y: p.y + v * (q.y - p.y) });
export const distance = (p: Point, q: Point): number => hypot(q.x - p.x, q.y - p.y);
export const reverse = ([a, b, c, d]: Cubic): Cubic => [d, c, b, a];
/** Returns a line as a cubic: its handles are at its thirds. */
export const lineCubic = (p: Point, q: Point): Cubic => [p, mix(p, q, 1 / 3), mix(p, q, 2 / 3), q];

/** Returns the point at parameter v, 0..1. */
export function pointAt([a, b, c, d]: Cubic, v: number): Point {
  const u = 1 - v;
  const [p, q, r, s] = [u * u * u, 3 * u * u * v, 3 * u * v * v, v * v * v];
  return { x: p * a.x + q * b.x + r * c.x + s * d.x, y: p * a.y + q * b.y + r * c.y + s * d.y };
}

/** Returns the derivative at parameter v, 0..1. */
export function slopeAt([a, b, c, d]: Cubic, v: number): Point {
  const u = 1 - v;
  const [p, q, r] = [3 * u * u, 6 * u * v, 3 * v * v];
  return {
    x: p * (b.x - a.x) + q * (c.x - b.x) + r * (d.x - c.x),
    y: p * (b.y - a.y) + q * (c.y - b.y) + r * (d.y - c.y),
  };
}

/** Returns the unit direction at the start, where handles may lie. */
export function directionOf([a, b, c, d]: Cubic): Point {
  const to = [b, c].find((p) => distance(a, p) > 1e-6) ?? d;
  const far = distance(a, to) || 1;
  return { x: (to.x - a.x) / far, y: (to.y - a.y) / far };
}

/** Returns the angle, 0..π, by which a way turns that comes along one direction reversed and goes on along another. */
export const turnBetween = (p: Point, q: Point): number =>
  Math.abs(Math.atan2(p.y * q.x - p.x * q.y, -p.x * q.x - p.y * q.y));

/** Returns the length of the curve as that of chords. */
export function lengthOf(cubic: Cubic): number {
  let sum = 0;
  let last = cubic[0];
  for (let k = 1; k <= CHORDS; k++) {
    const point = pointAt(cubic, k / CHORDS);
    sum += distance(last, point);
    last = point;
  }
  return sum;
}

/** Returns the two parts of a curve that is cut at parameter v (de Casteljau). */
export function split([a, b, c, d]: Cubic, v: number): [Cubic, Cubic] {
  const [ab, bc, cd] = [mix(a, b, v), mix(b, c, v), mix(c, d, v)];
  const [abc, bcd] = [mix(ab, bc, v), mix(bc, cd, v)];
  const middle = mix(abc, bcd, v);
  return [
    [a, ab, abc, middle],
    [middle, bcd, cd, d],
  ];
}
