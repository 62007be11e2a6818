/** Maps of a plane seen through a pinhole camera: 3 × 3 matrices, row by row, up to a factor. */
import type { Corners, Point } from './bitmap.ts';

export type Homography = readonly number[];

export function mapPoint(m: Homography, { x, y }: Point): Point {
  const w = m[6] * x + m[7] * y + m[8];
  return { x: (m[0] * x + m[1] * y + m[2]) / w, y: (m[3] * x + m[4] * y + m[5]) / w };
}

/** Returns the map that does `first`, and then `second`. */
function chain(first: Homography, second: Homography): Homography {
  const out: number[] = [];
  for (let row = 0; row < 9; row += 3) {
    for (let column = 0; column < 3; column++) {
      out.push(second[row] * first[column] + second[row + 1] * first[column + 3] + second[row + 2] * first[column + 6]);
    }
  }
  return out;
}

/** Returns the inverse (the adjugate, as a factor does not matter). Throws a RangeError for a map onto a line. */
export function invert(m: Homography): Homography {
  const [a, b, c, d, e, f, g, h, i] = m;
  const out = [
    e * i - f * h,
    c * h - b * i,
    b * f - c * e,
    f * g - d * i,
    a * i - c * g,
    c * d - a * f,
    d * h - e * g,
    b * g - a * h,
    a * e - b * d,
  ];
  const determinant = a * out[0] + b * out[3] + c * out[6];
  const size = Math.hypot(...m) ** 3;
  if (!(Math.abs(determinant) > 1e-15 * size)) throw new RangeError('The corners lie on a line.');
  return out;
}

/**
 * Maps the unit square to four corners (Heckbert, "Fundamentals of texture mapping and image warping", 1989, section
 * 2.2.3). Throws a RangeError when three of them lie on a line.
 */
function fromUnitSquare([p, q, r, s]: Corners): Homography {
  const [dx1, dy1] = [q.x - r.x, q.y - r.y];
  const [dx2, dy2] = [s.x - r.x, s.y - r.y];
  const [sx, sy] = [p.x - q.x + r.x - s.x, p.y - q.y + r.y - s.y];
  const determinant = dx1 * dy2 - dx2 * dy1;
  if (!(Math.abs(determinant) > 1e-9)) throw new RangeError('Three corners lie on a line.');
  const g = (sx * dy2 - dx2 * sy) / determinant;
  const h = (dx1 * sy - sx * dy1) / determinant;
  return [q.x - p.x + g * q.x, s.x - p.x + h * s.x, p.x, q.y - p.y + g * q.y, s.y - p.y + h * s.y, p.y, g, h, 1];
}

/** Returns the map that takes four corners to four others. */
export function mapCorners(from: Corners, to: Corners): Homography {
  return chain(invert(fromUnitSquare(from)), fromUnitSquare(to));
}

export const rectangleCorners = (width: number, height: number): Corners => [
  { x: 0, y: 0 },
  { x: width, y: 0 },
  { x: width, y: height },
  { x: 0, y: height },
];
