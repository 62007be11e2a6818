/** Exact measures of outlines, without flattening where there is a formula. */
import { type Contour, flatten } from './pathData.ts';

/**
 * Returns the area of a contour, closed by a line if it is open. It is positive for a contour that runs clockwise where
 * y points down. Exact for lines and curves (Green's theorem).
 */
export function signedArea({ commands, points }: Contour): number {
  // Relative to the first point: far from the origin the products would cancel badly.
  const [startX, startY] = [points[0]!, points[1]!];
  let sum = 0;
  let p = 0;
  const cross = (i: number, j: number) =>
    (points[i]! - startX) * (points[j + 1]! - startY) - (points[j]! - startX) * (points[i + 1]! - startY);
  for (const command of commands) {
    if (command === 'L') {
      sum += cross(p, p + 2) / 2;
      p += 2;
      continue;
    }
    const [a, b, c, d] = [p, p + 2, p + 4, p + 6];
    sum += (6 * cross(a, b) + 3 * cross(a, c) + cross(a, d) + 3 * cross(b, c) + 3 * cross(b, d) + 6 * cross(c, d)) / 20;
    p += 6;
  }
  // The closing line begins at the origin of the sums, and adds nothing.
  return sum;
}

/** Returns the length of a contour with its closing line, to within `tolerance` for each curve. */
export function lengthOf(contour: Contour, tolerance = 0.001): number {
  const flat = flatten(contour, tolerance);
  if (contour.isClosed) flat.push(flat[0]!, flat[1]!);
  let sum = 0;
  for (let i = 2; i < flat.length; i += 2) {
    const dx = flat[i]! - flat[i - 2]!;
    const dy = flat[i + 1]! - flat[i - 1]!;
    sum += Math.sqrt(dx * dx + dy * dy);
  }
  return sum;
}
