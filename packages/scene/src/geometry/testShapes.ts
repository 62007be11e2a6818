/** Plain contours for tests, whose areas are known. */
import { type Contour, flatten, readContours } from './pathData.ts';

const ARC = 0.5522847498;

/** A circle of four cubics, which are nowhere off by more than 0.03 % of its radius. */
export function circle(x: number, y: number, r: number): Contour[] {
  const k = ARC * r;
  const points = [
    [x + r, y, x + r, y + k, x + k, y + r, x, y + r],
    [x - k, y + r, x - r, y + k, x - r, y],
    [x - r, y - k, x - k, y - r, x, y - r],
    [x + k, y - r, x + r, y - k, x + r, y],
  ].flat();
  return [{ commands: ['C', 'C', 'C', 'C'], points, isClosed: true }];
}

export const box = (x: number, y: number, width: number, height: number): Contour[] =>
  readContours(`M${x} ${y}L${x + width} ${y}L${x + width} ${y + height}L${x} ${y + height}Z`);

/** Returns the area of contours that wind around what they fill and against it around holes, in mm². */
export function areaOf(contours: readonly Contour[]): number {
  const sum = contours.reduce((total, contour) => {
    const line = flatten(contour, 0.0005);
    let area = 0;
    for (let i = 0; i < line.length; i += 2) {
      const j = (i + 2) % line.length;
      area += (line[i]! * line[j + 1]! - line[j]! * line[i + 1]!) / 2;
    }
    return total + area;
  }, 0);
  return Math.abs(sum);
}

/** Returns a contour as a fine line, a closed one back at its start. */
export function toLine(contour: Contour): number[] {
  const line = flatten(contour, 0.002);
  return contour.isClosed ? [...line, line[0]!, line[1]!] : line;
}

/** Returns how far the points of one line are from another line at most. */
export function deviation(points: readonly number[], line: readonly number[]): number {
  let worst = 0;
  for (let i = 0; i < points.length; i += 2) {
    const [x, y] = [points[i]!, points[i + 1]!];
    let best = Infinity;
    for (let j = 2; j < line.length && best > 1e-9; j += 2) {
      const [ax, ay] = [line[j - 2]!, line[j - 1]!];
      const [dx, dy] = [line[j]! - ax, line[j + 1]! - ay];
      const t = Math.min(1, Math.max(0, ((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy || 1)));
      best = Math.min(best, (x - ax - t * dx) ** 2 + (y - ay - t * dy) ** 2);
    }
    worst = Math.max(worst, best);
  }
  return Math.sqrt(worst);
}
