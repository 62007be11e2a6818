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
