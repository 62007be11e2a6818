import type { BoundaryMap } from '../boundary/boundary.ts';
import { OUTSIDE } from '../boundary/boundary.ts';
import { hypot } from '../geometry/hypot.ts';
import { solve } from '../geometry/linear.ts';
import type { Curve, Segment } from '../geometry/segment.ts';
import type { Settings } from '../options.ts';

/**
 * Merges neighbors that one cubic draws as well. Where a fit has put a node, the two sides are compared with the cubic
 * that has them as its parts: a cubic cut at t has handles of t and 1 - t times its own there, so the ratio of the
 * handles at the node gives t, and the outer handles give the whole. Gauss–Newton steps on the distances across the
 * curve then correct it. A fit along the points finds such a cubic only when its speed is nearly even.
 */

/** Joints that turn by more than this, in radians, are corners. */
export const CORNER = 0.13;
/** Pixels by which one cubic may miss those that it replaces, and the same as a share of a given tolerance. */
const TOLERANCE = 0.1;
const TOLERANCE_SHARE = 0.6;
/** Curves that are not refined waver: one cubic misses them by so many times as much. */
const DRAFT = 2;
/** A short curve has a share of the tolerance, which grows with its length in px: small shapes keep their form. */
const LEAST_SHARE = 0.2;
const SHARE_PER_PX = 0.015;
/** Lines longer than this, in px, stay lines. */
export const LONG_LINE = 16;
/** Samples per piece, and those at most that a cubic is compared with. */
const SAMPLES = 10;
const MOST_SAMPLES = 36;
const ROUNDS = 6;
/** A merger whose first guess is off by more than this, in px and as a share of the length, is hopeless. */
const HOPELESS = 0.06;
/** Handles are at most this many times as long as the curve. */
const LONGEST_HANDLE = 1.5;
/** Share of the tolerance that the root mean square of the distances may have. */
const MEAN_SHARE = 0.5;

interface MergeOptions {
  /** True for segments that end where they start. */
  isClosed?: boolean;
  /** Returns true when merging may remove the joint after segment k. All may go by default. */
  mayJoin?: (k: number) => boolean;
}

/** One segment, from (x, y). */
interface Start {
  x: number;
  y: number;
  segment: Segment;
}

/** A segment in place of one or more: its samples are `from` to `to`. */
interface Piece extends Start {
  from: number;
  to: number;
  /** Index of the last original segment. */
  last: number;
  /** px. */
  length: number;
  /** The piece that this one and the next would make, if it is close enough, and its misfit. */
  merged: Segment | undefined;
  badness: number;
}

/**
 * Returns the distance, in px, within which segments are merged. Refined curves are close to the picture and merge well
 * at any quality; those that were refined by a step or two, or not at all, waver as far as their fit allows.
 */
export function mergeTolerance({ tolerancePx, toleranceScale, refineSteps }: Settings): number {
  if (tolerancePx !== undefined) return TOLERANCE_SHARE * tolerancePx;
  if (refineSteps === 0) return TOLERANCE * DRAFT * toleranceScale;
  return TOLERANCE * (Number.isFinite(refineSteps) ? toleranceScale : Math.min(1, toleranceScale));
}

/**
 * Returns the curves of a map with the segments of each merged. Exact shapes stay, and so do curves along the border of
 * the picture.
 */
export function mergeChains({ chains }: BoundaryMap, curves: Curve[], tolerance: number): Curve[] {
  return curves.map((curve, c) => {
    const { left, right } = chains[c];
    if (curve.shape || left === OUTSIDE || right === OUTSIDE || curve.segments.length < 2) return curve;
    const isClosed = chains[c].start < 0;
    return { ...curve, segments: mergeSegments(curve.x, curve.y, curve.segments, tolerance, { isClosed }) };
  });
}

/**
 * Returns the segments that start at (x, y), with neighbors merged while one cubic stays within `tolerance` px of all
 * that it replaces. Smooth joints stay smooth, corners and long lines stay. About linear in the segments.
 */
export function mergeSegments(
  x: number,
  y: number,
  segments: readonly Segment[],
  tolerance: number,
  { isClosed = false, mayJoin = () => true }: MergeOptions = {},
): Segment[] {
  if (segments.length < 2) return segments.slice();
  const merger = new Merger(tolerance);
  let pieces = merger.read(x, y, segments);
  const evaluate = (k: number): void => {
    const piece = pieces[k];
    piece.badness = Infinity;
    if (k + 1 < pieces.length && mayJoin(piece.last)) merger.tryMerge(pieces, k, isClosed);
  };
  for (let k = 0; k < pieces.length; k++) evaluate(k);
  for (;;) {
    // In each pass, the mergers go first that are better than both of those beside them.
    const mergers: number[] = [];
    for (let k = 0; k + 1 < pieces.length; k++) {
      const { badness } = pieces[k];
      if (badness > 1 || (k > 0 && pieces[k - 1].badness < badness) || pieces[k + 1].badness <= badness) continue;
      mergers.push(k);
    }
    if (mergers.length === 0) break;
    const rest: Piece[] = [];
    const stale: number[] = [];
    for (let k = 0, c = 0; k < pieces.length; k++) {
      if (mergers[c] !== k) {
        rest.push(pieces[k]);
        continue;
      }
      c++;
      const a = pieces[k];
      const b = pieces[++k];
      stale.push(rest.length);
      rest.push({ ...b, x: a.x, y: a.y, segment: a.merged as Segment, from: a.from, length: a.length + b.length });
    }
    pieces = rest;
    let done = -1;
    for (const k of stale) {
      for (const near of [k - 1, k]) {
        if (near < 0 || near <= done) continue;
        evaluate(near);
        done = near;
      }
    }
  }
  return pieces.map(({ segment }) => segment);
}

class Merger {
  private readonly tolerance: number;
  private px: number[] = [];
  private py: number[] = [];

  constructor(tolerance: number) {
    this.tolerance = tolerance;
  }

  /** Samples the segments. */
  read(x: number, y: number, segments: readonly Segment[]): Piece[] {
    this.px.push(x);
    this.py.push(y);
    return segments.map((segment, k) => {
      const from = this.px.length - 1;
      const piece = {
        x,
        y,
        segment,
        from,
        to: from + SAMPLES,
        last: k,
        length: 0,
        merged: undefined,
        badness: Infinity,
      };
      let lastX = x;
      let lastY = y;
      for (let n = 1; n <= SAMPLES; n++) {
        const v = n / SAMPLES;
        const u = 1 - v;
        const { isLine, x1, y1, x2, y2 } = segment;
        const qx = isLine ? u * x + v * segment.x : at(v, x, x1, x2, segment.x);
        const qy = isLine ? u * y + v * segment.y : at(v, y, y1, y2, segment.y);
        piece.length += hypot(qx - lastX, qy - lastY);
        lastX = qx;
        lastY = qy;
        this.px.push(qx);
        this.py.push(qy);
      }
      x = segment.x;
      y = segment.y;
      return piece;
    });
  }

  /** Sets `merged` and `badness` of piece k when one cubic can stand for it and the next. */
  tryMerge(pieces: Piece[], k: number, isClosed: boolean): void {
    const a = pieces[k];
    const b = pieces[k + 1];
    const before = pieces[k - 1] ?? (isClosed && pieces.length > 2 ? pieces[pieces.length - 1] : undefined);
    const after = pieces[k + 2] ?? (isClosed && pieces.length > 2 ? pieces[0] : undefined);
    if (a.segment.arc || b.segment.arc || isLong(a) || isLong(b) || turnBetween(a, b) > CORNER) return;
    const isStartFixed = before !== undefined && turnBetween(before, a) <= CORNER;
    const isEndFixed = after !== undefined && turnBetween(b, after) <= CORNER;
    const [ax1, ay1, ax2, ay2] = handlesOf(a);
    const [bx1, by1, bx2, by2] = handlesOf(b);
    const coming = hypot(a.segment.x - ax2, a.segment.y - ay2);
    const going = hypot(bx1 - a.segment.x, by1 - a.segment.y);
    const length = a.length + b.length;
    if (!(length > 1e-6)) return;
    const t = coming + going > 1e-6 ? Math.min(0.95, Math.max(0.05, coming / (coming + going))) : a.length / length;
    const { x: x3, y: y3 } = b.segment;
    const guess = [(ax1 - a.x) / t, (ay1 - a.y) / t, (bx2 - x3) / (1 - t), (by2 - y3) / (1 - t)];
    const fit = this.fit({ ...a, to: b.to, segment: b.segment, length }, guess, isStartFixed, isEndFixed);
    if (!fit) return;
    a.badness = fit.badness;
    a.merged = fit.segment;
  }

  private fit(
    piece: Piece,
    [hx, hy, gx, gy]: number[],
    isStartFixed: boolean,
    isEndFixed: boolean,
  ): { segment: Segment; badness: number } | undefined {
    const { px, py } = this;
    const { x: x0, y: y0, length, from, to } = piece;
    const { x: x3, y: y3 } = piece.segment;
    const tolerance = this.tolerance * Math.min(1, LEAST_SHARE + SHARE_PER_PX * length);
    const count = to - from;
    const stride = Math.max(1, Math.ceil(count / MOST_SAMPLES));
    // The unit directions along which the handles may move, and those across, which are 0 when they must not.
    const h = hypot(hx, hy) || 1;
    const g = hypot(gx, gy) || 1;
    const start = [hx / h, hy / h];
    const end = [gx / g, gy / g];
    const t: number[] = [];
    let along = 0;
    for (let i = from + 1; i < to; i++) {
      along += hypot(px[i] - px[i - 1], py[i] - py[i - 1]);
      if ((i - from) % stride === 0) t.push(along / length);
    }
    const normal = new Float64Array(20);
    for (let round = 0; ; round++) {
      const [x1, y1, x2, y2] = [x0 + hx, y0 + hy, x3 + gx, y3 + gy];
      normal.fill(0);
      let worst = 0;
      let sum = 0;
      let m = 0;
      let lastT = 0;
      for (let i = from + stride; i < to; i += stride, m++) {
        let v = t[m];
        for (let step = round === 0 ? 0 : 1; step < 3; step++) {
          const ex = at(v, x0, x1, x2, x3) - px[i];
          const ey = at(v, y0, y1, y2, y3) - py[i];
          const dx = slope(v, x0, x1, x2, x3);
          const dy = slope(v, y0, y1, y2, y3);
          const speed = dx * dx + dy * dy;
          if (speed < 1e-12) break;
          v = Math.max(0, Math.min(1, v - Math.max(-0.1, Math.min(0.1, (ex * dx + ey * dy) / speed))));
        }
        t[m] = v;
        const dx = slope(v, x0, x1, x2, x3);
        const dy = slope(v, y0, y1, y2, y3);
        const speed = hypot(dx, dy) || 1;
        const nx = -dy / speed;
        const ny = dx / speed;
        const ex = at(v, x0, x1, x2, x3) - px[i];
        const ey = at(v, y0, y1, y2, y3) - py[i];
        const off = ex * nx + ey * ny;
        const far = hypot(ex, ey);
        if (far > worst) worst = far;
        if (v < lastT - 1e-3) worst = Math.max(worst, 2 * tolerance); // the curve doubles back
        lastT = v;
        sum += off * off;
        const u = 1 - v;
        const A = 3 * u * u * v;
        const B = 3 * u * v * v;
        const row = [
          A * (start[0] * nx + start[1] * ny),
          isStartFixed ? 0 : A * (start[0] * ny - start[1] * nx),
          B * (end[0] * nx + end[1] * ny),
          isEndFixed ? 0 : B * (end[0] * ny - end[1] * nx),
        ];
        for (let r = 0; r < 4; r++) {
          for (let c = 0; c < 4; c++) normal[r * 5 + c] += row[r] * row[c];
          normal[r * 5 + 4] -= row[r] * off;
        }
      }
      const rms = Math.sqrt(sum / Math.max(1, m));
      const badness = Math.max(worst / tolerance, rms / (MEAN_SHARE * tolerance));
      const isTame = hypot(hx, hy) < LONGEST_HANDLE * length && hypot(gx, gy) < LONGEST_HANDLE * length;
      if (round === ROUNDS || (round > 0 && badness < 0.3)) {
        if (badness > 1 || !isTame || hx * start[0] + hy * start[1] < 0 || gx * end[0] + gy * end[1] < 0)
          return undefined;
        return { segment: { isLine: false, x1, y1, x2, y2, x: x3, y: y3 }, badness };
      }
      if (worst > HOPELESS * length + 4 * tolerance || (round > 2 && badness > 12)) return undefined;
      for (let r = 0; r < 4; r++) normal[r * 6] += 1e-6 * (m + 1);
      if (!solve(normal, 4, 1)) return undefined;
      hx += normal[4] * start[0] - normal[9] * start[1];
      hy += normal[4] * start[1] + normal[9] * start[0];
      gx += normal[14] * end[0] - normal[19] * end[1];
      gy += normal[14] * end[1] + normal[19] * end[0];
    }
  }
}

function at(v: number, a: number, b: number, c: number, d: number): number {
  const u = 1 - v;
  return u * u * u * a + 3 * u * u * v * b + 3 * u * v * v * c + v * v * v * d;
}

function slope(v: number, a: number, b: number, c: number, d: number): number {
  const u = 1 - v;
  return 3 * (u * u * (b - a) + 2 * u * v * (c - b) + v * v * (d - c));
}

function isLong({ segment, length }: Piece): boolean {
  return segment.isLine && length > LONG_LINE;
}

/** Returns the handles of a piece; those of a line are at its thirds. */
function handlesOf({ x, y, segment }: Start): [number, number, number, number] {
  if (!segment.isLine) return [segment.x1, segment.y1, segment.x2, segment.y2];
  const dx = (segment.x - x) / 3;
  const dy = (segment.y - y) / 3;
  return [x + dx, y + dy, segment.x - dx, segment.y - dy];
}

/** Returns the angle, in radians, by which the way turns from one piece to the next. */
function turnBetween(a: Start, b: Start): number {
  const [, , x2, y2] = handlesOf(a);
  const [x1, y1] = handlesOf(b);
  let ux = a.segment.x - x2;
  let uy = a.segment.y - y2;
  if (hypot(ux, uy) < 1e-6) {
    ux = a.segment.x - a.x;
    uy = a.segment.y - a.y;
  }
  let vx = x1 - b.x;
  let vy = y1 - b.y;
  if (hypot(vx, vy) < 1e-6) {
    vx = b.segment.x - b.x;
    vy = b.segment.y - b.y;
  }
  return Math.abs(Math.atan2(ux * vy - uy * vx, ux * vx + uy * vy));
}

/** Returns the angle, in radians, by which a ring turns after segment k; its segments are in a cycle. */
export function turnAt(segments: readonly Segment[], k: number): number {
  const { length } = segments;
  const { x, y } = segments[(k + length - 1) % length];
  const segment = segments[k];
  return turnBetween({ x, y, segment }, { x: segment.x, y: segment.y, segment: segments[(k + 1) % length] });
}
