import { hypot } from '../geometry/hypot.ts';
import type { Stretch } from './cubicKernel.ts';
import { fitInKernel } from './cubicKernel.ts';
import type { Knot } from './knot.ts';
import type { Strand } from './strand.ts';

/** Weight of a single point's distance in the misfit of a curve. */
export const SINGLE = 0.4;

/** The inner control points of a cubic Bézier. */
interface Handles {
  x1: number;
  y1: number;
  x2: number;
  y2: number;
}

/** The handles of a fitted cubic, in px, and its misfit. */
export interface CubicFit extends Handles {
  /** Misfit in nodes. Up to 1, another node would not pay for itself. */
  badness: number;
}

/** The effort of a fit. */
export interface Effort {
  /** The rounds of fitting, with a Newton step of the parameters before each but the first. */
  rounds: number;
  /** A search ends early when the badness falls to this value, or when it is hopeless. */
  enough?: number;
}

/** Compares many positions of a node. */
export const COMPARE: Effort = { rounds: 3, enough: 0.4 };
/** Finds how far one cubic reaches. */
export const REACH: Effort = { rounds: 3, enough: 1 };
export const CAREFUL: Effort = { rounds: 4 };
export const FINAL: Effort = { rounds: 6 };

/** Largest number of points in a fit; longer stretches are sampled. */
const SAMPLES = 48;
/** The same limit while searching. */
const SEARCH_SAMPLES = 28;

// Scratch of one fit. Its contents are only valid during a call of `fitCubic`.
/** The parameter of each sampled point. */
const t = new Float64Array(SAMPLES + 1);
/** The normal equations of P(t) = base(t) + A·p1 + B·p2, with p1 and p2 relative to the ends. */
const sums = new Float64Array(7);
/** The largest distance, smoothed along the curve, and the sum of the squared ones. */
const distances = new Float64Array(2);

/**
 * Fits the least-squares cubic from knot `start` to knot `end` through points a..b. Parameters start at arc length, and
 * one Newton step moves them toward the nearest points of the curve before each further round. Distances are smoothed
 * along the curve, because points scatter individually while a wrong curve is off over a stretch. Linear in the sampled
 * points.
 */
export function fitCubic(strand: Strand, a: number, b: number, start: Knot, end: Knot, effort: Effort): CubicFit {
  const { x, y, s } = strand;
  const stride = Math.max(1, Math.ceil((b - a + 1) / (effort.enough === undefined ? SAMPLES : SEARCH_SAMPLES)));
  const lead = hypot(x[a] - start.x, y[a] - start.y) - s[a];
  const length = lead + s[b] + hypot(end.x - x[b], end.y - y[b]);
  if (length < 1e-9) return { x1: start.x, y1: start.y, x2: end.x, y2: end.y, badness: 0 };
  const stretch = { strand, first: a, last: b, stride, start, end, lead, length };
  const fit = fitInKernel(stretch, effort.rounds, effort.enough);
  return fit ? { x1: fit[0], y1: fit[1], x2: fit[2], y2: fit[3], badness: fit[4] } : fitHere(stretch, effort);
}

/** Does in TypeScript what the kernel does, with the same bits. */
function fitHere(stretch: Stretch, { rounds, enough }: Effort): CubicFit {
  const { strand, stride, start, end, length } = stretch;
  const { x: x0, y: y0, dx: tx0, dy: ty0 } = start;
  const { x: x3, y: y3, dx: tx3, dy: ty3 } = end;
  const chord = hypot(x3 - x0, y3 - y0);
  const m = spreadOut(stretch);
  const cubic: CubicFit = { x1: 0, y1: 0, x2: 0, y2: 0, badness: 0 };
  const isStartFixed = !Number.isNaN(tx0);
  const isEndFixed = !Number.isNaN(tx3);
  const ridge = 1e-4 * (m + 1) + 0.004 * Math.max(0, 8 - m);
  for (let round = 0; round < rounds; round++) {
    addUp(stretch, m);
    const aa = sums[0] + ridge;
    const ab = sums[1];
    const bb = sums[2] + ridge;
    let ax = sums[3];
    let ay = sums[4];
    let bx = sums[5];
    let by = sums[6];
    // The ridge term pulls weakly toward handles of a third of the length, which matters only when there are too few
    // points.
    const third = length / 3;
    const gx = chord > 1e-9 ? ((x3 - x0) / chord) * third : 0;
    const gy = chord > 1e-9 ? ((y3 - y0) / chord) * third : 0;
    const px = isStartFixed ? tx0 * third : gx;
    const py = isStartFixed ? ty0 * third : gy;
    const qx = isEndFixed ? -tx3 * third : -gx;
    const qy = isEndFixed ? -ty3 * third : -gy;
    ax += ridge * px;
    ay += ridge * py;
    bx += ridge * qx;
    by += ridge * qy;
    let h1x: number;
    let h1y: number;
    let h2x: number;
    let h2y: number;
    if (isStartFixed && isEndFixed) {
      const c = -ab * (tx0 * tx3 + ty0 * ty3);
      const r0 = ax * tx0 + ay * ty0;
      const r1 = -(bx * tx3 + by * ty3);
      const determinant = aa * bb - c * c;
      let h0 = (r0 * bb - r1 * c) / determinant;
      let h1 = (r1 * aa - r0 * c) / determinant;
      const shortest = 0.02 * length;
      if (!(h0 > shortest)) {
        h0 = shortest;
        h1 = (r1 - c * h0) / bb;
      }
      if (!(h1 > shortest)) {
        h1 = shortest;
        h0 = Math.max(shortest, (r0 - c * h1) / aa);
      }
      h0 = Math.min(h0, length);
      h1 = Math.min(h1, length);
      h1x = tx0 * h0;
      h1y = ty0 * h0;
      h2x = -tx3 * h1;
      h2y = -ty3 * h1;
    } else if (isStartFixed) {
      // The unknowns are the length of the first handle, and the second handle, which is bb⁻¹ (b - ab·h0·t0).
      const schur = aa - (ab * ab) / bb;
      let h0 = (ax * tx0 + ay * ty0 - (ab / bb) * (bx * tx0 + by * ty0)) / schur;
      h0 = Math.min(Math.max(h0, 0.02 * length), length);
      h1x = tx0 * h0;
      h1y = ty0 * h0;
      h2x = (bx - ab * h1x) / bb;
      h2y = (by - ab * h1y) / bb;
    } else if (isEndFixed) {
      const schur = bb - (ab * ab) / aa;
      let h1 = -(bx * tx3 + by * ty3 - (ab / aa) * (ax * tx3 + ay * ty3)) / schur;
      h1 = Math.min(Math.max(h1, 0.02 * length), length);
      h2x = -tx3 * h1;
      h2y = -ty3 * h1;
      h1x = (ax - ab * h2x) / aa;
      h1y = (ay - ab * h2y) / aa;
    } else {
      const determinant = aa * bb - ab * ab;
      h1x = (ax * bb - bx * ab) / determinant;
      h1y = (ay * bb - by * ab) / determinant;
      h2x = (bx * aa - ax * ab) / determinant;
      h2y = (by * aa - ay * ab) / determinant;
    }
    cubic.x1 = x0 + h1x;
    cubic.y1 = y0 + h1y;
    cubic.x2 = x3 + h2x;
    cubic.y2 = y3 + h2y;
    approach(stretch, m, cubic);
    const badness = Math.max(distances[0] / strand.tolerance, strand.excess(distances[1], m, stride));
    cubic.badness = badness;
    // A search needs no more rounds when the fit is clearly good or hopeless.
    if (enough !== undefined && (badness <= enough || (round > 0 && badness > 12) || badness > 60)) break;
  }
  return cubic;
}

// The loops are separate functions because an engine compiles a short function long before one as long as `fitCubic`.

/** Writes the arc-length parameters of every `stride`-th point. Returns how many there are. */
function spreadOut({ strand: { s }, first, last, stride, lead, length }: Stretch): number {
  let m = 0;
  for (let i = first; i <= last; i += stride) t[m++] = (lead + s[i]) / length;
  return m;
}

function addUp({ strand, first, stride, start, end }: Stretch, count: number): void {
  const { x, y, w } = strand;
  const { x: x0, y: y0 } = start;
  const { x: x3, y: y3 } = end;
  let aa = 0;
  let ab = 0;
  let bb = 0;
  let ax = 0;
  let ay = 0;
  let bx = 0;
  let by = 0;
  for (let k = 0, i = first; k < count; k++, i += stride) {
    const v = t[k];
    const u = 1 - v;
    const A = 3 * u * u * v;
    const B = 3 * u * v * v;
    const before = u * u * u + A;
    const after = v * v * v + B;
    const weight = w[i];
    const rx = x[i] - before * x0 - after * x3;
    const ry = y[i] - before * y0 - after * y3;
    aa += weight * A * A;
    ab += weight * A * B;
    bb += weight * B * B;
    ax += weight * A * rx;
    ay += weight * A * ry;
    bx += weight * B * rx;
    by += weight * B * ry;
  }
  sums[0] = aa;
  sums[1] = ab;
  sums[2] = bb;
  sums[3] = ax;
  sums[4] = ay;
  sums[5] = bx;
  sums[6] = by;
}

/** Measures the distances from a cubic, and moves every parameter by one Newton step toward the nearest point. */
function approach({ strand, first, stride, start, end }: Stretch, count: number, cubic: Handles): void {
  const { x, y, w } = strand;
  const { x: x0, y: y0 } = start;
  const { x: x3, y: y3 } = end;
  const { x1, y1, x2, y2 } = cubic;
  const blend = Math.min(1, 0.35 * stride);
  let worst = 0;
  let sum = 0;
  let run = 0; // exponentially smoothed signed distance
  for (let k = 0, i = first; k < count; k++, i += stride) {
    const v = t[k];
    const u = 1 - v;
    const ex = u * u * u * x0 + 3 * u * u * v * x1 + 3 * u * v * v * x2 + v * v * v * x3 - x[i];
    const ey = u * u * u * y0 + 3 * u * u * v * y1 + 3 * u * v * v * y2 + v * v * v * y3 - y[i];
    const d1x = 3 * (u * u * (x1 - x0) + 2 * u * v * (x2 - x1) + v * v * (x3 - x2));
    const d1y = 3 * (u * u * (y1 - y0) + 2 * u * v * (y2 - y1) + v * v * (y3 - y2));
    const speed = d1x * d1x + d1y * d1y;
    if (speed < 1e-12) continue;
    const along = ex * d1x + ey * d1y;
    // Past an end of the curve, the distance to that end counts.
    const isPast = (v === 0 && along > 0) || (v === 1 && along < 0);
    const off = (isPast ? Math.sqrt(ex * ex + ey * ey) : (ex * d1y - ey * d1x) / Math.sqrt(speed)) * w[i];
    run += (off - run) * blend;
    const size = Math.max(Math.abs(run), Math.abs(off) * SINGLE);
    if (size > worst) worst = size;
    sum += off * off;
    const d2x = 6 * (u * (x2 - 2 * x1 + x0) + v * (x3 - 2 * x2 + x1));
    const d2y = 6 * (u * (y2 - 2 * y1 + y0) + v * (y3 - 2 * y2 + y1));
    const slope = speed + ex * d2x + ey * d2y;
    t[k] = Math.max(0, Math.min(1, v - along / (slope > 0.25 * speed ? slope : speed)));
  }
  distances[0] = worst;
  distances[1] = sum;
}

/** Cubics shorter than this, in px, have too few points for more than a plain bend. */
const SHORT_CHORD = 8;

/**
 * Returns a short cubic that does not double back, which a fit to few points may do. A handle that points away from the
 * other end is laid along the chord, and one longer than that of a half circle is shortened.
 */
export function tameHandles(cubic: CubicFit, { x: x0, y: y0 }: Knot, { x: x3, y: y3 }: Knot): CubicFit {
  const chordX = x3 - x0;
  const chordY = y3 - y0;
  const chord = hypot(chordX, chordY);
  if (chord > SHORT_CHORD) return cubic;
  const tame = (hx: number, hy: number): number => {
    const length = hypot(hx, hy);
    if (hx * chordX + hy * chordY < -0.2 * length * chord) return 0;
    return length > 1.3 * chord ? (1.3 * chord) / length : 1;
  };
  const first = tame(cubic.x1 - x0, cubic.y1 - y0);
  const second = tame(x3 - cubic.x2, y3 - cubic.y2);
  return {
    x1: first > 0 ? x0 + (cubic.x1 - x0) * first : x0 + chordX / 3,
    y1: first > 0 ? y0 + (cubic.y1 - y0) * first : y0 + chordY / 3,
    x2: second > 0 ? x3 - (x3 - cubic.x2) * second : x3 - chordX / 3,
    y2: second > 0 ? y3 - (y3 - cubic.y2) * second : y3 - chordY / 3,
    badness: cubic.badness,
  };
}
