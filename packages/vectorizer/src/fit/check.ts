import { hypot } from '../geometry/hypot.ts';
import type { Curve, Segment } from '../geometry/segment.ts';
import type { Strand } from './strand.ts';

/** Segments at most this many places apart along the outline are tested for crossings. */
const NEIGHBORS = 6;
/** Chords that approximate one cubic. */
const CHORDS = 10;
const STRIDE = 2 * (CHORDS + 1);

/**
 * Finds segments that cross themselves or a segment a few places before them, and calls `report` with their indices,
 * the earlier one first. The outline starts at (startX, startY). Cubics are approximated by ten chords. Linear in the
 * segments.
 */
export function findCrossings(
  startX: number,
  startY: number,
  segments: Segment[],
  isClosed: boolean,
  report: (i: number, j: number) => void,
): void {
  const n = segments.length;
  const points = new Float64Array(n * STRIDE);
  const box = new Float64Array(n * 4);
  let x = startX;
  let y = startY;
  for (let k = 0; k < n; k++) {
    const s = segments[k];
    flatten(points, k * STRIDE, x, y, s);
    box[k * 4] = box[k * 4 + 2] = x;
    box[k * 4 + 1] = box[k * 4 + 3] = y;
    const end = k * STRIDE + 2 * chordsOf(s);
    for (let p = k * STRIDE + 2; p <= end; p += 2) {
      if (points[p] < box[k * 4]) box[k * 4] = points[p];
      if (points[p + 1] < box[k * 4 + 1]) box[k * 4 + 1] = points[p + 1];
      if (points[p] > box[k * 4 + 2]) box[k * 4 + 2] = points[p];
      if (points[p + 1] > box[k * 4 + 3]) box[k * 4 + 3] = points[p + 1];
    }
    if (!s.isLine && mayLoop(x, y, s) && cross(points, k, CHORDS, k, CHORDS, 0)) report(k, k);
    x = s.x;
    y = s.y;
  }
  const reach = Math.min(NEIGHBORS, n - 1);
  for (let j = 0; j < n; j++) {
    for (let back = 1; back <= reach; back++) {
      const i = j >= back ? j - back : isClosed ? j - back + n : -1;
      if (i < 0) break;
      const a = i * 4;
      const b = j * 4;
      if (box[a] > box[b + 2] || box[b] > box[a + 2] || box[a + 1] > box[b + 3] || box[b + 1] > box[a + 3]) continue;
      const joint = back === 1 ? 1 : n - back === 1 && isClosed ? 2 : 0;
      if (cross(points, i, chordsOf(segments[i]), j, chordsOf(segments[j]), joint)) report(i, j);
    }
  }
}

const chordsOf = (s: Segment): number => (s.isLine ? 1 : CHORDS);

function flatten(out: Float64Array, at: number, x: number, y: number, s: Segment): void {
  const chords = chordsOf(s);
  out[at++] = x;
  out[at++] = y;
  for (let step = 1; step < chords; step++) {
    const t = step / chords;
    const r = 1 - t;
    out[at++] = r * r * r * x + 3 * r * r * t * s.x1 + 3 * r * t * t * s.x2 + t * t * t * s.x;
    out[at++] = r * r * r * y + 3 * r * r * t * s.y1 + 3 * r * t * t * s.y2 + t * t * t * s.y;
  }
  out[at++] = s.x;
  out[at] = s.y;
}

/** Returns true when a cubic has handles long enough to cross itself. */
function mayLoop(x: number, y: number, s: Segment): boolean {
  const legs = hypot(s.x1 - x, s.y1 - y) + hypot(s.x2 - s.x1, s.y2 - s.y1) + hypot(s.x - s.x2, s.y - s.y2);
  return legs > 1.5 * hypot(s.x - x, s.y - y);
}

/**
 * Returns true when a chord of segment i crosses one of segment j. `joint` is 1 when i ends where j begins, 2 when j
 * also ends where i begins.
 */
function cross(points: Float64Array, i: number, ni: number, j: number, nj: number, joint: number): boolean {
  for (let p = 0; p < ni; p++) {
    const a = i * STRIDE + 2 * p;
    for (let q = i === j ? p + 2 : 0; q < nj; q++) {
      if (joint === 1 && p === ni - 1 && q === 0) continue;
      if (joint === 2 && q === nj - 1 && p === 0) continue;
      const b = j * STRIDE + 2 * q;
      const ax = points[a];
      const ay = points[a + 1];
      const bx = points[b];
      const by = points[b + 1];
      const ux = points[a + 2] - ax;
      const uy = points[a + 3] - ay;
      const vx = points[b + 2] - bx;
      const vy = points[b + 3] - by;
      const s = ux * (by - ay) - uy * (bx - ax);
      const t = ux * (by + vy - ay) - uy * (bx + vx - ax);
      if (s > 0 === t > 0) continue;
      const f = vx * (ay - by) - vy * (ax - bx);
      const g = vx * (ay + uy - by) - vy * (ax + ux - bx);
      if (f > 0 !== g > 0) return true;
    }
  }
  return false;
}

const curve = new Float64Array(STRIDE);

/**
 * Returns the index of the point between `from` and `to`, both excluded, that is farthest from the fitted segments; -1
 * when none is farther than `limit` px. Takes time proportional to points times segments, so it is for short pieces.
 */
export function farthestPoint({ x, y }: Strand, from: number, to: number, piece: Curve, limit: number): number {
  let farthest = -1;
  let most = limit * limit;
  for (let k = from + 1; k < to; k++) {
    let least = Infinity;
    let fromX = piece.x;
    let fromY = piece.y;
    for (const s of piece.segments) {
      flatten(curve, 0, fromX, fromY, s);
      const chords = chordsOf(s);
      for (let p = 0; p < 2 * chords; p += 2) {
        const dx = curve[p + 2] - curve[p];
        const dy = curve[p + 3] - curve[p + 1];
        const px = x[k] - curve[p];
        const py = y[k] - curve[p + 1];
        const t = Math.min(1, Math.max(0, (px * dx + py * dy) / (dx * dx + dy * dy || 1)));
        const square = (px - t * dx) ** 2 + (py - t * dy) ** 2;
        if (square < least) least = square;
      }
      fromX = s.x;
      fromY = s.y;
    }
    if (least > most) {
      most = least;
      farthest = k;
    }
  }
  return farthest;
}
