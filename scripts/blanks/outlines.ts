/** Outlines as SVG path data. */
import { num, type Point } from './drawing.ts';

/** A corner: its place, and the radius it is rounded with. */
export type Corner = readonly [x: number, y: number, radius?: number];

export const at = ([x, y]: Point): string => `${num(x)} ${num(y)}`;

export function roundRect(x: number, y: number, width: number, height: number, radius: number): string {
  const r = Math.min(radius, width / 2, height / 2);
  if (r <= 0) return `M${num(x)} ${num(y)}h${num(width)}v${num(height)}h${num(-width)}Z`;
  const arc = (dx: number, dy: number) => `a${num(r)} ${num(r)} 0 0 1 ${num(dx)} ${num(dy)}`;
  const [w, h] = [width - 2 * r, height - 2 * r];
  return `M${num(x + r)} ${num(y)}h${num(w)}${arc(r, r)}v${num(h)}${arc(-r, r)}h${num(-w)}${arc(-r, -r)}v${num(-h)}${arc(r, -r)}Z`;
}

/** A rectangle around its center. */
export const centerRect = ([cx, cy]: Point, width: number, height: number, radius = 0): string =>
  roundRect(cx - width / 2, cy - height / 2, width, height, radius);

export function ellipsePath([cx, cy]: Point, rx: number, ry = rx): string {
  const arc = `${num(rx)} ${num(ry)} 0 1 1`;
  return `M${num(cx - rx)} ${num(cy)}a${arc} ${num(2 * rx)} 0a${arc} ${num(-2 * rx)} 0Z`;
}

/** A closed outline through corners, each of them rounded. */
export function polygon(corners: readonly Corner[]): string {
  const parts = corners.map(([x, y, radius = 0], i) => {
    const before = corners[(i + corners.length - 1) % corners.length]!;
    const after = corners[(i + 1) % corners.length]!;
    if (radius <= 0) return `${i === 0 ? 'M' : 'L'}${at([x, y])}`;
    const from = toward([x, y], before, radius);
    const to = toward([x, y], after, radius);
    return `${i === 0 ? 'M' : 'L'}${at(from)}Q${at([x, y])} ${at(to)}`;
  });
  return `${parts.join('')}Z`;
}

/** The point on the way to another one, at most half of the way. */
function toward([x, y]: Point | Corner, [toX, toY]: Point | Corner, distance: number): Point {
  const length = Math.hypot(toX - x, toY - y) || 1;
  const share = Math.min(0.5, distance / length);
  return [x + (toX - x) * share, y + (toY - y) * share];
}

/** A smooth curve through points (a Catmull-Rom spline as Bezier curves). */
export function curve(points: readonly Point[], isClosed = false, digits = 1): string {
  const count = points.length;
  const get = (i: number): Point =>
    isClosed ? points[(i + count) % count]! : points[Math.min(count - 1, Math.max(0, i))]!;
  const pieces = [`M${num(get(0)[0], digits)} ${num(get(0)[1], digits)}`];
  for (let i = 0; i < (isClosed ? count : count - 1); i++) {
    const [before, from, to, after] = [get(i - 1), get(i), get(i + 1), get(i + 2)];
    const numbers = [
      (to[0] - before[0]) / 6,
      (to[1] - before[1]) / 6,
      to[0] - from[0] - (after[0] - from[0]) / 6,
      to[1] - from[1] - (after[1] - from[1]) / 6,
      to[0] - from[0],
      to[1] - from[1],
    ];
    pieces.push(
      `c${numbers
        .map((value) => num(value, digits))
        .join(' ')
        .replace(/ -/g, '-')}`,
    );
  }
  return `${pieces.join('')}${isClosed ? 'Z' : ''}`;
}

/** Points on an ellipse, from one angle to another in degrees, clockwise from the right. */
export function arcPoints([cx, cy]: Point, rx: number, ry: number, fromDeg: number, toDeg: number, count = 9): Point[] {
  return Array.from({ length: count }, (_, i) => {
    const angle = ((fromDeg + ((toDeg - fromDeg) * i) / (count - 1)) * Math.PI) / 180;
    return [cx + rx * Math.cos(angle), cy + ry * Math.sin(angle)];
  });
}

/** Reads points that are written as pairs, as in `'0 10, 20 15'`. */
export const points = (pairs: string): Point[] =>
  pairs.split(', ').map((pair) => {
    const [x, y] = pair.split(' ').map(Number);
    return [x!, y!];
  });
