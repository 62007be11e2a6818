/** The size of a rectangle that is seen as a quadrilateral. */
import type { Corners, Point } from './bitmap.ts';

/** The focal length, by the long side of the picture, of a view that does not tell: a phone's, cut a little. */
const LIKELY_FOCAL = 1;
/** A focal length outside of this is an error of the corners. */
const FOCAL_RANGE = [0.5, 4] as const;

/**
 * Estimates width / height of the rectangle behind four corners, for a camera with its center in the middle of the
 * picture (Zhang and He, "Whiteboard scanning and image enhancement", Digital Signal Processing 17, 2007, section 3.2).
 * Where opposite sides are nearly parallel the focal length cannot be told, and a usual one is taken.
 */
export function estimateAspect(corners: Corners, picture: { width: number; height: number }): number {
  const unit = Math.max(picture.width, picture.height);
  const place = ({ x, y }: Point) => [(x - picture.width / 2) / unit, (y - picture.height / 2) / unit, 1] as const;
  const [m1, m2, m4, m3] = corners.map(place);
  const k2 = triple(m1, m4, m3) / triple(m2, m4, m3);
  const k3 = triple(m1, m4, m2) / triple(m3, m4, m2);
  const n2 = m2.map((value, i) => k2 * value - m1[i]);
  const n3 = m3.map((value, i) => k3 * value - m1[i]);
  const focalSquare = -(n2[0] * n3[0] + n2[1] * n3[1]) / (n2[2] * n3[2]);
  const isTold = Math.abs(n2[2]) > 0.03 && Math.abs(n3[2]) > 0.03;
  const focal = Math.sqrt(focalSquare);
  const isLikely = isTold && focal >= FOCAL_RANGE[0] && focal <= FOCAL_RANGE[1];
  const focalLength = isLikely ? focal : LIKELY_FOCAL;
  const size = (n: readonly number[]) => Math.hypot(n[0] / focalLength, n[1] / focalLength, n[2]);
  return size(n2) / size(n3);
}

/** Returns (a × b) · c. */
function triple(a: readonly number[], b: readonly number[], c: readonly number[]): number {
  return (a[1] * b[2] - a[2] * b[1]) * c[0] + (a[2] * b[0] - a[0] * b[2]) * c[1] + (a[0] * b[1] - a[1] * b[0]) * c[2];
}
