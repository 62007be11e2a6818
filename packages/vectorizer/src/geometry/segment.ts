/**
 * A line (`isLine`) or a cubic Bézier curve from the end of the previous segment to (x, y), in px. A cubic has the
 * handles (x1, y1) and (x2, y2); a line has its end there.
 */
export interface Segment {
  isLine: boolean;
  x1: number;
  y1: number;
  x2: number;
  y2: number;
  x: number;
  y: number;
  /** Set on consecutive cubics that form one circular arc; they share the same object. */
  arc?: Arc;
}

/** A circular arc of one or more cubics. */
export interface Arc {
  /** px. */
  radius: number;
  /**
   * Angle from the start of the first cubic to the end of the last, in radians, positive clockwise on the screen; less
   * than a full turn.
   */
  sweep: number;
}

/** The fitted form of one chain: segments that start at (x, y). */
export interface Curve {
  x: number;
  y: number;
  segments: Segment[];
  /** The closed outline as one exact shape, when it is one. */
  shape?: Shape;
}

/**
 * A shape around its center (x, y), in px. Angles are in radians, clockwise on the screen. `radius` rounds the corners
 * of a rectangle.
 */
export type Shape =
  | { kind: 'circle'; x: number; y: number; radius: number }
  | { kind: 'ellipse'; x: number; y: number; rx: number; ry: number; angle: number }
  | { kind: 'rect'; x: number; y: number; width: number; height: number; radius: number; angle: number };

/** Returns a line to (x, y). */
export function lineTo(x: number, y: number): Segment {
  return { isLine: true, x1: x, y1: y, x2: x, y2: y, x, y };
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** Returns the point of a segment from `from` at a parameter, 0 to 1. */
export function pointOf(from: Point, s: Segment, t: number): [number, number] {
  const u = 1 - t;
  if (s.isLine) return [u * from.x + t * s.x, u * from.y + t * s.y];
  const [a, b, c, d] = [u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t];
  return [a * from.x + b * s.x1 + c * s.x2 + d * s.x, a * from.y + b * s.y1 + c * s.y2 + d * s.y];
}

/** Returns the derivative of a segment from `from` at a parameter, 0 to 1. */
export function slopeOf(from: Point, s: Segment, t: number): [number, number] {
  if (s.isLine) return [s.x - from.x, s.y - from.y];
  const u = 1 - t;
  const at = (a: number, b: number, c: number, d: number): number =>
    3 * (u * u * (b - a) + 2 * u * t * (c - b) + t * t * (d - c));
  return [at(from.x, s.x1, s.x2, s.x), at(from.y, s.y1, s.y2, s.y)];
}

/** Returns the part of a segment from `from` between two parameters. */
export function partOf(from: Point, s: Segment, t0: number, t1: number): Segment {
  const [x, y] = t1 >= 1 ? [s.x, s.y] : pointOf(from, s, t1);
  if (s.isLine) return lineTo(x, y);
  // The handles of a part are those of the cubic through its ends with the derivatives there, shortened with it.
  const share = (t1 - t0) / 3;
  const start = t0 > 0 ? pointOf(from, s, t0) : [from.x, from.y];
  const [ax, ay] = slopeOf(from, s, t0);
  const [bx, by] = slopeOf(from, s, t1);
  const [x1, y1] = [start[0] + share * ax, start[1] + share * ay];
  const [x2, y2] = [x - share * bx, y - share * by];
  return { isLine: false, x1, y1, x2, y2, x, y };
}

/** Segments, and the misfit of the points, measured in nodes. */
export interface Fit {
  segments: Segment[];
  badness: number;
}

/** The cost of a line in nodes, where a cubic costs one. */
export const LINE_COST = 0.8;

/**
 * Returns the description length of a fit, in nodes. A cubic needs six numbers, a line two, and each is one more node
 * to edit.
 */
export function costOf(fit: Fit): number {
  let cost = 0;
  for (const segment of fit.segments) cost += segment.isLine ? LINE_COST : 1;
  return cost + fit.badness;
}
