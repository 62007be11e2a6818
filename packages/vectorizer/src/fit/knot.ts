import { hypot } from '../geometry/hypot.ts';

/** A point, in px, and a unit direction: a straight side of a corner, or the tangent of a curve at a point. */
export interface Ray {
  x: number;
  y: number;
  dx: number;
  dy: number;
}

/** A point of a fitted curve and the tangent there. A direction of NaN is free. */
export type Knot = Ray;

/** Returns a knot whose direction is free. */
export function freeKnot({ x, y }: { x: number; y: number }): Knot {
  return { x, y, dx: NaN, dy: NaN };
}

/** Returns the foot of the perpendicular from (x, y) to a line. */
export function project(line: Ray, x: number, y: number): { x: number; y: number } {
  const along = (x - line.x) * line.dx + (y - line.y) * line.dy;
  return { x: line.x + along * line.dx, y: line.y + along * line.dy };
}

/** Returns the knot on a line nearest to (x, y), with the line's direction. */
export function knotOn(line: Ray, x: number, y: number): Knot {
  const foot = project(line, x, y);
  return { x: foot.x, y: foot.y, dx: line.dx, dy: line.dy };
}

/** Returns the ray in the opposite direction. */
export function reverse(ray: Ray | undefined): Ray | undefined {
  return ray && { x: ray.x, y: ray.y, dx: -ray.dx, dy: -ray.dy };
}

/** Returns the unit vector of (x, y); (0, 0) stays. */
export function unit(x: number, y: number): { x: number; y: number } {
  const length = hypot(x, y) || 1;
  return { x: x / length, y: y / length };
}
