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
