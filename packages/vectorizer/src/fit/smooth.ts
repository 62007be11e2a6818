import { hypot } from '../geometry/hypot.ts';
import type { Fit, Segment } from '../geometry/segment.ts';
import { lineTo } from '../geometry/segment.ts';
import { CAREFUL, COMPARE, FINAL, fitCubic, REACH, tameHandles } from './cubic.ts';
import type { Knot } from './knot.ts';
import { freeKnot, unit } from './knot.ts';
import type { Strand } from './strand.ts';

/** A cubic through fewer points than this is limited to a plain bend. */
const FEW = 5;
/** Trial shifts of a node toward the previous node, as shares of the distance. */
const STEPS_BACK = [0, 0.12, 0.25, 0.4, 0.55];
/** Trial directions at a node, as shares between the free tangents of its two sides. */
const TURNS = [0.5, 0.25, 0.75, 0, 1];
/** A node where no direction brings the misfit of both sides below this, in nodes, is a corner. */
const CORNER_MISFIT = 4;

interface SmoothOptions {
  /** The fit fails, with infinite badness, when more cubics than this are needed. */
  most?: number;
  /** True when the ends are one point, so that there must be a node between. */
  isLoop?: boolean;
}

/** A smooth curve under construction through points first..last of a strand. */
interface Spline {
  strand: Strand;
  first: number;
  last: number;
  /** Index of the point at each inner node. */
  nodes: number[];
  /** The start, the inner nodes and the end; one more than the number of cubics. */
  knots: Knot[];
}

/**
 * Fits as few cubics as the tolerance allows through points a..b, from one knot to another. Each cubic is made as long
 * as possible. Then the inner nodes move to minimize the worse misfit of their two sides, and both sides get one
 * tangent there. Close to linear in the points, as long stretches are sampled.
 */
export function fitSmooth(
  strand: Strand,
  a: number,
  b: number,
  start: Knot,
  end: Knot,
  { most = Infinity, isLoop = false }: SmoothOptions = {},
): Fit {
  if (b < a) return { segments: [lineTo(end.x, end.y)], badness: 0 };
  const spline: Spline = { strand, first: a, last: b, nodes: [], knots: [start] };
  if (!placeNodes(spline, end, most, isLoop)) return { segments: [], badness: Infinity };
  spline.knots.push(end);
  for (let k = spline.nodes.length - 1; k >= 0; k--) pullNodeBack(spline, k);
  for (let k = 0; k < spline.nodes.length; k++) chooseDirection(spline, k);
  return drawCubics(spline);
}

/** Places nodes from the start on, each as far as one cubic reaches. Returns false when more than `most` are needed. */
function placeNodes({ strand, first, last, nodes, knots }: Spline, end: Knot, most: number, isLoop: boolean): boolean {
  for (let i = first; i <= last; ) {
    const from = knots[nodes.length];
    const mustSplit = isLoop && nodes.length === 0;
    if (!mustSplit && (fitCubic(strand, i, last, from, end, CAREFUL).badness <= 1 || last - i < 3)) break;
    const reaches = (j: number): boolean =>
      fitCubic(strand, i, j - 1, from, freeKnot(smoothAt(strand, j)), REACH).badness <= 1;
    let good = Math.min(i + 2, last - 1);
    let bad = mustSplit ? Math.max(good + 1, i + Math.floor((last - i) * 0.6)) : last;
    for (let step = 6; i + step < bad; step *= 2) {
      if (reaches(i + step)) good = i + step;
      else bad = i + step;
    }
    while (bad - good > 1) {
      const middle = (good + bad) >> 1;
      if (reaches(middle)) good = middle;
      else bad = middle;
    }
    nodes.push(good);
    knots.push(freeKnot(smoothAt(strand, good)));
    i = good + 1;
    if (nodes.length >= most) return false;
  }
  return true;
}

/** Returns the point indices of the nodes before and after node k; just outside first..last when there is none. */
function neighborsOf({ first, last, nodes }: Spline, k: number): { before: number; after: number } {
  return {
    before: k === 0 ? first - 1 : nodes[k - 1],
    after: k === nodes.length - 1 ? last + 1 : nodes[k + 1],
  };
}

/** Moves node k back toward the previous node when that reduces the worse misfit of its two sides. */
function pullNodeBack(spline: Spline, k: number): void {
  const { strand, nodes, knots } = spline;
  const { before, after } = neighborsOf(spline, k);
  let best = Infinity;
  let bestNode = nodes[k];
  const span = nodes[k] - before;
  for (const back of STEPS_BACK) {
    const j = nodes[k] - Math.floor(span * back);
    if (j <= before + 1 || j >= after - 1) continue;
    const knot = freeKnot(smoothAt(strand, j));
    const left = fitCubic(strand, before + 1, j - 1, knots[k], knot, COMPARE).badness;
    if (left >= best) continue;
    const right = fitCubic(strand, j + 1, after - 1, knot, knots[k + 2], COMPARE).badness;
    const worse = Math.max(left, right);
    if (worse < best) {
      best = worse;
      bestNode = j;
    }
    if (right > left) break; // farther back, the right side only gets worse
  }
  if (bestNode === nodes[k]) return;
  nodes[k] = bestNode;
  knots[k + 1] = freeKnot(smoothAt(strand, bestNode));
}

/**
 * Sets the tangent of node k, out of several between the free tangents of its two sides: the one for which the worse
 * misfit of both sides is least. Where both sides fit alone but agree on no tangent, the node is a corner that blur has
 * rounded, and keeps its free tangents.
 */
function chooseDirection(spline: Spline, k: number): void {
  const { strand, nodes, knots } = spline;
  const { before, after } = neighborsOf(spline, k);
  const [from, knot, to] = [knots[k], knots[k + 1], knots[k + 2]];
  const coming = fitCubic(strand, before + 1, nodes[k] - 1, from, knot, CAREFUL);
  const left = unit(knot.x - coming.x2, knot.y - coming.y2);
  const going = fitCubic(strand, nodes[k] + 1, after - 1, knot, to, CAREFUL);
  const right = unit(going.x1 - knot.x, going.y1 - knot.y);
  let best = Infinity;
  let bestKnot: Knot = { x: knot.x, y: knot.y, dx: left.x, dy: left.y };
  for (const share of TURNS) {
    const { x: dx, y: dy } = unit(left.x * (1 - share) + right.x * share, left.y * (1 - share) + right.y * share);
    const candidate = { x: knot.x, y: knot.y, dx, dy };
    const l = fitCubic(strand, before + 1, nodes[k] - 1, from, candidate, COMPARE).badness;
    if (l >= best) continue;
    const worse = Math.max(l, fitCubic(strand, nodes[k] + 1, after - 1, candidate, to, COMPARE).badness);
    if (worse < best) {
      best = worse;
      bestKnot = candidate;
    }
    if (best < 0.5) break;
  }
  const isCorner = best > CORNER_MISFIT && Math.max(coming.badness, going.badness) < best / 2;
  knots[k + 1] = isCorner ? knot : bestKnot;
}

function drawCubics({ strand, first, last, nodes, knots }: Spline): Fit {
  const segments: Segment[] = [];
  let badness = 0;
  for (let k = 0; k <= nodes.length; k++) {
    const from = k === 0 ? first : nodes[k - 1] + 1;
    const to = k === nodes.length ? last : nodes[k] - 1;
    const end = knots[k + 1];
    const fit = fitCubic(strand, from, to, knots[k], end, FINAL);
    const { x1, y1, x2, y2 } = to - from < FEW ? tameHandles(fit, knots[k], end) : fit;
    badness += Math.max(0, fit.badness);
    segments.push({ isLine: false, x1, y1, x2, y2, x: end.x, y: end.y });
  }
  return { segments, badness };
}

/**
 * Returns point j and its tangent, smoothed: on a parabola fitted to as many of the surrounding points as it explains.
 */
export function smoothAt(strand: Strand, j: number): Knot {
  const { x, y, n, jitter } = strand;
  const rough = unit(
    x[Math.min(n - 1, j + 1)] - x[Math.max(0, j - 1)],
    y[Math.min(n - 1, j + 1)] - y[Math.max(0, j - 1)],
  );
  const most = Math.min(8, j, n - 1 - j);
  for (let reach = most; reach >= 2; reach = reach > 5 ? 5 : reach > 3 ? 3 : reach - 1) {
    const dx0 = x[j + reach] - x[j - reach];
    const dy0 = y[j + reach] - y[j - reach];
    const length = hypot(dx0, dy0);
    if (length < 1e-9) continue;
    const dx = dx0 / length;
    const dy = dy0 / length;
    let m = 0;
    let u1 = 0;
    let u2 = 0;
    let u3 = 0;
    let u4 = 0;
    let e0 = 0;
    let e1 = 0;
    let e2 = 0;
    let ee = 0;
    for (let k = j - reach; k <= j + reach; k++) {
      const u = (x[k] - x[j]) * dx + (y[k] - y[j]) * dy;
      const e = (y[k] - y[j]) * dx - (x[k] - x[j]) * dy;
      const uu = u * u;
      m++;
      u1 += u;
      u2 += uu;
      u3 += uu * u;
      u4 += uu * uu;
      e0 += e;
      e1 += e * u;
      e2 += e * uu;
      ee += e * e;
    }
    const d0 = u2 * u4 - u3 * u3;
    const d1 = u1 * u4 - u2 * u3;
    const d2 = u1 * u3 - u2 * u2;
    const determinant = m * d0 - u1 * d1 + u2 * d2;
    if (Math.abs(determinant) < 1e-9) continue;
    const c0 = (e0 * d0 - e1 * d1 + e2 * d2) / determinant;
    const c1 = (-e0 * d1 + e1 * (m * u4 - u2 * u2) - e2 * (m * u3 - u1 * u2)) / determinant;
    const c2 = (e0 * d2 - e1 * (m * u3 - u1 * u2) + e2 * (m * u2 - u1 * u1)) / determinant;
    const rest = (ee - c0 * e0 - c1 * e1 - c2 * e2) / m;
    if (reach > 2 && rest > 1.7 * jitter * jitter + 1e-4) continue;
    const slope = hypot(1, c1);
    return { x: x[j] - dy * c0, y: y[j] + dx * c0, dx: (dx - dy * c1) / slope, dy: (dy + dx * c1) / slope };
  }
  return { x: x[j], y: y[j], dx: rough.x, dy: rough.y };
}
