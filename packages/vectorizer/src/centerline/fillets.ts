import { hypot } from '../geometry/hypot.ts';
import type { Curve, Segment } from '../geometry/segment.ts';
import { lineTo } from '../geometry/segment.ts';

/** Lines shorter than this, in px, have no reliable direction. */
const SHORT = 4;
/** Largest number of segments that become one. */
const MOST_RUN = 6;
/** A line, or the segments of a curve or arc, with its ends. */
interface Part {
  x0: number;
  y0: number;
  x: number;
  y: number;
  length: number;
  /** Undefined for a line. */
  segments: Segment[] | undefined;
}

/**
 * Simplifies a curve within `tolerance` px: one line replaces several collinear ones, and one arc tangent to two lines
 * replaces the curves between them. The fitted curve meets its lines slightly early or late, which costs another
 * segment.
 */
export function drawFillets(curve: Curve, isClosed: boolean, tolerance: number): Curve {
  const parts = toParts(curve);
  let seam = -1;
  if (isClosed) {
    // The seam is moved to the middle of the longest line, and removed again at the end.
    parts.forEach((part, k) => {
      if (!part.segments && (seam < 0 || part.length > parts[seam].length)) seam = k;
    });
    if (seam < 0 || parts[seam].length < 2 * SHORT) return curve;
    const { x0, y0, x, y } = parts[seam];
    const mx = (x0 + x) / 2;
    const my = (y0 + y) / 2;
    const rest = [...parts.slice(seam + 1), ...parts.slice(0, seam)];
    parts.length = 0;
    parts.push(linePart(mx, my, x, y), ...rest, linePart(x0, y0, mx, my));
  }
  straighten(parts, tolerance);
  for (let k = 0; k + 2 < parts.length; k++) round(parts, k, tolerance);
  if (isClosed) {
    const last = parts.pop() as Part;
    const first = parts.shift();
    if (!first) return curve;
    parts.push(linePart(last.x0, last.y0, first.x, first.y));
  }
  const segments: Segment[] = [];
  for (const part of parts) {
    if (part.segments) segments.push(...part.segments);
    else segments.push(lineTo(part.x, part.y));
  }
  return isClosed
    ? { x: parts[parts.length - 1].x, y: parts[parts.length - 1].y, segments }
    : { x: curve.x, y: curve.y, segments };
}

function linePart(x0: number, y0: number, x: number, y: number): Part {
  return { x0, y0, x, y, length: hypot(x - x0, y - y0), segments: undefined };
}

function toParts({ x, y, segments }: Curve): Part[] {
  const parts: Part[] = [];
  let x0 = x;
  let y0 = y;
  for (let k = 0; k < segments.length; k++) {
    const { arc, isLine } = segments[k];
    const from = k;
    if (arc) while (k + 1 < segments.length && segments[k + 1].arc === arc) k++;
    const last = segments[k];
    if (isLine) parts.push(linePart(x0, y0, last.x, last.y));
    else {
      const own = segments.slice(from, k + 1);
      parts.push({ x0, y0, x: last.x, y: last.y, length: hypot(last.x - x0, last.y - y0), segments: own });
    }
    x0 = last.x;
    y0 = last.y;
  }
  return parts;
}

interface Points {
  x: number[];
  y: number[];
}

/**
 * The intersection of two lines: the unit directions of the line before and the line after, and the turn between them,
 * in radians.
 */
interface FilletCorner {
  x: number;
  y: number;
  ux: number;
  uy: number;
  vx: number;
  vy: number;
  turn: number;
}

/** Sample points per segment. */
const SAMPLES = 6;

/** Returns points along parts first..last, their ends included. */
function sample(parts: Part[], first: number, last: number): Points {
  const x = [parts[first].x0];
  const y = [parts[first].y0];
  for (let p = first; p <= last; p++) {
    let { x0, y0 } = parts[p];
    for (const s of parts[p].segments ?? [lineTo(parts[p].x, parts[p].y)]) {
      for (let k = 1; k <= SAMPLES; k++) {
        const v = k / SAMPLES;
        const u = 1 - v;
        x.push(
          s.isLine ? u * x0 + v * s.x : u * u * u * x0 + 3 * u * u * v * s.x1 + 3 * u * v * v * s.x2 + v * v * v * s.x,
        );
        y.push(
          s.isLine ? u * y0 + v * s.y : u * u * u * y0 + 3 * u * u * v * s.y1 + 3 * u * v * v * s.y2 + v * v * v * s.y,
        );
      }
      x0 = s.x;
      y0 = s.y;
    }
  }
  return { x, y };
}

/** Replaces consecutive parts along one line by that line; at least half of their length must be lines. */
function straighten(parts: Part[], tolerance: number): void {
  for (let k = 0; k < parts.length; k++) {
    for (let end = Math.min(parts.length - 1, k + MOST_RUN); end > k; end--) {
      const { x0, y0 } = parts[k];
      const line = linePart(x0, y0, parts[end].x, parts[end].y);
      let straight = 0;
      for (let p = k; p <= end; p++) if (!parts[p].segments) straight += parts[p].length;
      if (straight < 0.5 * line.length || line.length < 1e-6) continue;
      const { x, y } = sample(parts, k, end);
      const dx = (line.x - x0) / line.length;
      const dy = (line.y - y0) / line.length;
      const isStraight = x.every((px, n) => {
        const along = (px - x0) * dx + (y[n] - y0) * dy;
        return (
          Math.abs((px - x0) * dy - (y[n] - y0) * dx) < tolerance &&
          along > -tolerance &&
          along < line.length + tolerance
        );
      });
      if (!isStraight) continue;
      parts.splice(k, end - k + 1, line);
      break;
    }
  }
}

/** Least and largest turn of a rounded corner, in radians. */
const LEAST_TURN = 0.35;
const MOST_TURN = 2.6;

/** Replaces the curves between line `k` and a following line by one arc tangent to both. */
function round(parts: Part[], k: number, tolerance: number): void {
  const first = parts[k];
  if (first.segments || first.length < SHORT) return;
  for (let end = Math.min(parts.length - 1, k + MOST_RUN); end > k + 1; end--) {
    const last = parts[end];
    if (last.segments || last.length < SHORT) continue;
    const ux = (first.x - first.x0) / first.length;
    const uy = (first.y - first.y0) / first.length;
    const vx = (last.x - last.x0) / last.length;
    const vy = (last.y - last.y0) / last.length;
    const sine = ux * vy - uy * vx;
    const turn = Math.atan2(sine, ux * vx + uy * vy);
    if (Math.abs(turn) < LEAST_TURN || Math.abs(turn) > MOST_TURN) continue;
    const along = ((last.x0 - first.x0) * vy - (last.y0 - first.y0) * vx) / sine;
    const cornerX = first.x0 + along * ux;
    const cornerY = first.y0 + along * uy;
    const beyond = (last.x - cornerX) * vx + (last.y - cornerY) * vy;
    const points = sample(parts, k, end);
    const { x, y } = points;
    const corner = { x: cornerX, y: cornerY, ux, uy, vx, vy, turn };
    let nearest = Infinity;
    for (let n = 0; n < x.length; n++) nearest = Math.min(nearest, hypot(x[n] - cornerX, y[n] - cornerY));
    const half = Math.abs(turn) / 2;
    // The distance from the corner to the arc gives the radius. A sample may miss the nearest point slightly, so nearby
    // radii are tried.
    const guess = nearest / (1 / Math.cos(half) - 1);
    let best = Infinity;
    let radius = NaN;
    for (let step = -4; step <= 4; step++) {
      const r = guess * (1 + 0.01 * step);
      const off = deviation(points, corner, r);
      if (off >= best) continue;
      best = off;
      radius = r;
    }
    const reach = radius * Math.tan(half);
    if (!(best < tolerance) || reach > along - 0.5 || reach > beyond - 0.5 || radius < 1) continue;
    const fromX = cornerX - reach * ux;
    const fromY = cornerY - reach * uy;
    const toX = cornerX + reach * vx;
    const toY = cornerY + reach * vy;
    const count = Math.abs(turn) > Math.PI / 2 + 1e-3 ? 2 : 1;
    const arc = { radius, sweep: turn };
    const sign = Math.sign(turn);
    const handle = (4 / 3) * Math.tan(Math.abs(turn) / count / 4) * radius;
    const segments: Segment[] = [];
    let [px, py, dx, dy] = [fromX, fromY, ux, uy];
    const centerX = fromX - sign * radius * uy;
    const centerY = fromY + sign * radius * ux;
    for (let n = 1; n <= count; n++) {
      const cos = Math.cos(turn / count);
      const sin = Math.sin(turn / count);
      const [ex, ey] = [dx * cos - dy * sin, dx * sin + dy * cos];
      const qx = n === count ? toX : centerX + sign * radius * ey;
      const qy = n === count ? toY : centerY - sign * radius * ex;
      segments.push({
        isLine: false,
        x1: px + handle * dx,
        y1: py + handle * dy,
        x2: qx - handle * ex,
        y2: qy - handle * ey,
        x: qx,
        y: qy,
        arc,
      });
      [px, py, dx, dy] = [qx, qy, ex, ey];
    }
    const filletPart: Part = { x0: fromX, y0: fromY, x: toX, y: toY, length: reach, segments };
    parts.splice(
      k,
      end - k + 1,
      linePart(first.x0, first.y0, fromX, fromY),
      filletPart,
      linePart(toX, toY, last.x, last.y),
    );
    return;
  }
}

/** Returns the largest distance of points from two lines through a corner that is rounded by an arc. */
function deviation({ x, y }: Points, corner: FilletCorner, radius: number): number {
  const { x: cornerX, y: cornerY, ux, uy, vx, vy, turn } = corner;
  const reach = radius * Math.tan(Math.abs(turn) / 2);
  const sign = Math.sign(turn);
  const centerX = cornerX - reach * ux - sign * radius * uy;
  const centerY = cornerY - reach * uy + sign * radius * ux;
  let most = 0;
  for (let n = 0; n < x.length; n++) {
    const px = x[n] - cornerX;
    const py = y[n] - cornerY;
    const before = px * ux + py * uy;
    const after = px * vx + py * vy;
    let off: number;
    if (before < -reach && after < reach) off = Math.abs(px * uy - py * ux);
    else if (after > reach) off = Math.abs(px * vy - py * vx);
    else off = Math.abs(hypot(x[n] - centerX, y[n] - centerY) - radius);
    if (off > most) most = off;
  }
  return most;
}
