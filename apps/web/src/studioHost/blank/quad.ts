/** The four sides of a rectangular thing in a picture, and the axes of an oval one. Coordinates are in pixels. */
import type { Corners, Point } from '@markwright/straighten';
import { areaOf } from './outline.ts';

/** The middle of a side by which its line is found: corners may be round. */
const MIDDLE = 0.66;
/** The root mean square of the distances from a line, as a share of the thing's size. */
const MOST_MISS = 0.004;
/** How much of the quadrilateral the outline fills at least: the rest are round corners. */
const LEAST_FILL = 0.9;

/**
 * Returns the corners of the quadrilateral whose sides an outline follows: top left, top right, bottom right, bottom
 * left. Undefined for any other outline. Cost: linear in the points, and quadratic in those of their convex hull.
 */
export function findQuad(points: Float64Array): Corners | undefined {
  const frame = smallestFrame(points);
  if (!frame) return undefined;
  const { angle, center, half } = frame;
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  const sides = [createFit(), createFit(), createFit(), createFit()] as const;
  for (let i = 0; i < points.length; i += 2) {
    const [dx, dy] = [points[i]! - center.x, points[i + 1]! - center.y];
    const [u, v] = [(c * dx + s * dy) / half.x, (c * dy - s * dx) / half.y];
    if (Math.abs(v) >= Math.abs(u) && Math.abs(u) < MIDDLE) sides[v < 0 ? 0 : 2].add(points[i]!, points[i + 1]!);
    if (Math.abs(u) >= Math.abs(v) && Math.abs(v) < MIDDLE) sides[u < 0 ? 3 : 1].add(points[i]!, points[i + 1]!);
  }
  const area = areaOf(points);
  const lines = sides.map((side) => side.line());
  if (lines.some((line) => !line || line.miss > MOST_MISS * Math.sqrt(area))) return undefined;
  const [top, right, bottom, left] = lines as Line[];
  const corners = [cross(left!, top!), cross(top!, right!), cross(right!, bottom!), cross(bottom!, left!)] as const;
  const whole = areaOf(corners.flatMap(({ x, y }) => [x, y]));
  return whole > 0 && area / whole >= LEAST_FILL && area / whole < 1.02 ? corners : undefined;
}

/**
 * Returns the same of the outline without what is missing along it: of a thing whose edge was taken for background here
 * and there. At least two of its corners, and some of each side, must be whole.
 */
export function findWholeQuad(points: Float64Array): Corners | undefined {
  const hull = hullOf(points);
  const whole: number[] = [];
  for (let i = 0; i < hull.length; i += 2) {
    const j = (i + 2) % hull.length;
    const [x, y, dx, dy] = [hull[i]!, hull[i + 1]!, hull[j]! - hull[i]!, hull[j + 1]! - hull[i + 1]!];
    const steps = Math.max(1, Math.round(Math.hypot(dx, dy)));
    for (let k = 0; k < steps; k++) whole.push(x + (dx * k) / steps, y + (dy * k) / steps);
  }
  return findQuad(Float64Array.from(whole));
}

/** How far an oval outline may differ from the ellipse of its moments, as a share of its area. */
const OVAL = 0.006;
/** Less round than this, an oval has axes that can be seen. */
const LONG = 1.08;

/**
 * Returns how far the long or the short axis of an oval is turned clockwise from upright, whichever is nearer, in
 * degrees. Undefined for other outlines and for circles.
 */
export function findOvalAngle(points: Float64Array): number | undefined {
  const { area, xx, xy, yy } = momentsOf(points);
  const root = Math.sqrt(((xx - yy) / 2) ** 2 + xy ** 2);
  const [long, short] = [(xx + yy) / 2 + root, (xx + yy) / 2 - root];
  if (!(short > 0) || Math.sqrt(long / short) < LONG) return undefined;
  const oval = 4 * Math.PI * Math.sqrt(long * short);
  if (Math.abs(area / oval - 1) > OVAL) return undefined;
  return nearestQuarter((Math.atan2(2 * xy, xx - yy) / 2) * (180 / Math.PI));
}

/** Brings an angle into -45…45 degrees by quarter turns. */
const nearestQuarter = (angleDeg: number) => angleDeg - 90 * Math.round(angleDeg / 90);

interface Line {
  /** A point of it, and its direction. */
  readonly at: Point;
  readonly along: Point;
  readonly miss: number;
}

/** Fits a line to points by total least squares. */
function createFit() {
  let [n, sx, sy, sxx, sxy, syy] = [0, 0, 0, 0, 0, 0];
  return {
    add(x: number, y: number): void {
      n++;
      sx += x;
      sy += y;
      sxx += x * x;
      sxy += x * y;
      syy += y * y;
    },
    line(): Line | undefined {
      if (n < 8) return undefined;
      const at = { x: sx / n, y: sy / n };
      const [xx, xy, yy] = [sxx / n - at.x ** 2, sxy / n - at.x * at.y, syy / n - at.y ** 2];
      const angle = Math.atan2(2 * xy, xx - yy) / 2;
      const least = (xx + yy) / 2 - Math.sqrt(((xx - yy) / 2) ** 2 + xy ** 2);
      return { at, along: { x: Math.cos(angle), y: Math.sin(angle) }, miss: Math.sqrt(Math.max(0, least)) };
    },
  };
}

function cross(a: Line, b: Line): Point {
  const det = a.along.x * b.along.y - a.along.y * b.along.x;
  const [dx, dy] = [b.at.x - a.at.x, b.at.y - a.at.y];
  const t = (dx * b.along.y - dy * b.along.x) / det;
  return { x: a.at.x + t * a.along.x, y: a.at.y + t * a.along.y };
}

/**
 * Returns the rectangle of the least area around an outline, turned by -45…45 degrees: one of its sides lies on a side
 * of the convex hull (Freeman and Shapira 1975).
 */
function smallestFrame(points: Float64Array) {
  const hull = hullOf(points);
  let best: { area: number; angle: number; center: Point; half: Point } | undefined;
  for (let i = 0; i < hull.length; i += 2) {
    const j = (i + 2) % hull.length;
    const raw = Math.atan2(hull[j + 1]! - hull[i + 1]!, hull[j]! - hull[i]!);
    const angle = (nearestQuarter((raw * 180) / Math.PI) * Math.PI) / 180;
    const [c, s] = [Math.cos(angle), Math.sin(angle)];
    let [left, right, top, bottom] = [Infinity, -Infinity, Infinity, -Infinity];
    for (let k = 0; k < hull.length; k += 2) {
      const u = c * hull[k]! + s * hull[k + 1]!;
      const v = c * hull[k + 1]! - s * hull[k]!;
      left = Math.min(left, u);
      right = Math.max(right, u);
      top = Math.min(top, v);
      bottom = Math.max(bottom, v);
    }
    const area = (right - left) * (bottom - top);
    if (best && area >= best.area) continue;
    const [u, v] = [(left + right) / 2, (top + bottom) / 2];
    const half = { x: (right - left) / 2, y: (bottom - top) / 2 };
    best = { area, angle, center: { x: c * u - s * v, y: s * u + c * v }, half };
  }
  return best && best.half.x > 0 && best.half.y > 0 ? best : undefined;
}

/** Returns the convex hull of at most some 500 of the points (Andrew's monotone chain). */
function hullOf(points: Float64Array): number[] {
  const step = Math.max(1, Math.floor(points.length / 2 / 500));
  const sample: [number, number][] = [];
  for (let i = 0; i < points.length / 2; i += step) sample.push([points[2 * i]!, points[2 * i + 1]!]);
  sample.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const chain = (list: readonly (readonly [number, number])[]) => {
    const out: (readonly [number, number])[] = [];
    for (const p of list) {
      while (out.length > 1 && turn(out.at(-2)!, out.at(-1)!, p) <= 0) out.pop();
      out.push(p);
    }
    return out.slice(0, -1);
  };
  return [...chain(sample), ...chain(sample.reverse())].flat();
}

const turn = (a: readonly [number, number], b: readonly [number, number], c: readonly [number, number]) =>
  (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);

/** Returns area and central second moments of an outline, by Green's theorem over its sides. */
function momentsOf(points: Float64Array) {
  const [ox, oy] = [points[0]!, points[1]!];
  let [area, x, y, xx, xy, yy] = [0, 0, 0, 0, 0, 0];
  for (let i = 0, j = points.length - 2; i < points.length; j = i, i += 2) {
    const [ax, ay, bx, by] = [points[j]! - ox, points[j + 1]! - oy, points[i]! - ox, points[i + 1]! - oy];
    const part = ax * by - bx * ay;
    area += part / 2;
    x += (part * (ax + bx)) / 6;
    y += (part * (ay + by)) / 6;
    xx += (part * (ax * ax + ax * bx + bx * bx)) / 12;
    yy += (part * (ay * ay + ay * by + by * by)) / 12;
    xy += (part * (2 * ax * ay + ax * by + bx * ay + 2 * bx * by)) / 24;
  }
  const [mx, my] = [x / area, y / area];
  return { area, xx: xx / area - mx * mx, xy: xy / area - mx * my, yy: yy / area - my * my };
}
