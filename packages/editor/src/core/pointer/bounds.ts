/** Upright boxes. Pure. */
import type { Bounds, Point } from '@markwright/scene';

/** Returns the smallest upright box around points, of which there is one at least. */
export function boundsOf(points: readonly Point[]): Bounds {
  const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)];
  return { left: Math.min(...xs), top: Math.min(...ys), right: Math.max(...xs), bottom: Math.max(...ys) };
}

/** True when two boxes have more in common than an edge. */
export const isOverlapping = (a: Bounds, b: Bounds): boolean =>
  a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

/** True when a box lies within another one. */
export const isWithin = (box: Bounds, frame: Bounds): boolean =>
  box.left >= frame.left && box.top >= frame.top && box.right <= frame.right && box.bottom <= frame.bottom;
