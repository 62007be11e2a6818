import { hypot } from '../geometry/hypot.ts';
import { solve } from '../geometry/linear.ts';
import type { Ray } from './knot.ts';
import type { Strand } from './strand.ts';

/** Points closer than this to a junction or corner are rounded off by the pixel grid and left out of fits, in px. */
export const BLUNT = 0.95;

/**
 * Returns the index of a corner of the closed chain of n points, or -1. Part of the loop is repeated at both ends to
 * handle wraparound.
 */
export function findSeam(strand: Strand, n: number): number {
  const pad = Math.min(n, 16);
  const x = strand.x.slice(0, n);
  const y = strand.y.slice(0, n);
  const w = strand.w.slice(0, n);
  strand.n = 0;
  for (let k = -pad; k < n + pad; k++) {
    const from = (k + n) % n;
    strand.push(x[from], y[from], w[from]);
  }
  strand.measure();
  // Choose the corner with the most room around it, so that other corners are handled away from the seam.
  const corners = findCorners(strand, false, { first: pad, period: n });
  let best = -1;
  let bestRoom = -1;
  for (let k = 0; k < corners.length; k++) {
    const c = corners[k];
    if (c < pad || c >= n + pad) continue;
    const before = k > 0 ? strand.s[c] - strand.s[corners[k - 1]] : 20;
    const after = k + 1 < corners.length ? strand.s[corners[k + 1]] - strand.s[c] : 20;
    const room = Math.min(before, after, 20);
    if (room <= bestRoom) continue;
    bestRoom = room;
    best = c - pad;
  }
  strand.n = n;
  strand.x.set(x);
  strand.y.set(y);
  strand.w.set(w);
  strand.measure();
  return best;
}

/**
 * Returns the indices of corners. At three scales, it measures the turn between a line fitted before the point and one
 * fitted after it, minus the turn that the curvature of the two sides explains. Coarse scales detect blunt angles, fine
 * ones short sides. With `loop`, the points from `first` on are a loop of `period` points, and those before and after
 * repeat it: they have the corners of the points that they repeat, which alone are looked at.
 */
export function findCorners(strand: Strand, withEnds: boolean, loop?: { first: number; period: number }): number[] {
  const { n, waver, score, turns, isCorner } = strand;
  isCorner.fill(0, 0, n);
  if (withEnds) isCorner[0] = isCorner[n - 1] = 1;
  const corners: number[] = withEnds ? [0, n - 1] : [];
  const begin = loop ? loop.first : 1;
  const end = loop ? loop.first + loop.period : n - 1;
  const mark = (i: number): void => {
    isCorner[i] = 1;
    corners.push(i);
  };
  const scales = [
    { reach: 8, least: 0.24, apart: 3 },
    { reach: 4, least: 0.42, apart: 2.2 },
    { reach: 2.2, least: 0.8, apart: 1.6 },
  ];
  for (const { reach, least, apart } of scales) {
    const candidates: number[] = [];
    const perPoint =
      (waver * Math.sqrt(24 / reach)) / reach +
      (reach > 3 ? (waver * 9.5 * (reach + 1.8)) / (Math.sqrt(reach) * reach * reach) : 0);
    const threshold = Math.max(least, 3.5 * perPoint);
    const far = Math.ceil(reach);
    for (let i = begin; i < end; i++) {
      score[i] = 0;
      if (!turnsAt(strand, i, far, 0.4 * least)) continue;
      if (!fitSide(strand, i, -1, reach)) continue;
      const ldx = side.dx;
      const ldy = side.dy;
      const lk = side.bend;
      const lr = side.residual;
      if (!fitSide(strand, i, 1, reach)) continue;
      const dot = -(ldx * side.dx + ldy * side.dy);
      const cross = -(ldx * side.dy - ldy * side.dx);
      const turn = Math.atan2(cross, dot);
      const bend = reach > 3 ? ((side.bend - lk) / 2) * (reach + 2 * BLUNT) : 0;
      const same = Math.sign(turn) === Math.sign(bend) ? Math.min(Math.abs(bend), Math.abs(turn)) : 0;
      const excess = Math.abs(turn) - same;
      const residual = lr + side.residual;
      if (residual > 4 * waver + 0.04) continue;
      score[i] = excess - 1.5 * residual;
      turns[i] = Math.abs(turn);
      if (excess > threshold) candidates.push(i);
    }
    candidates.sort((p, q) => score[q] - score[p] || p - q);
    for (const i of candidates) {
      if (!isAlone(strand, i, apart) || !isSharp(strand, i, reach + BLUNT, turns[i])) continue;
      mark(i);
      if (loop && i - loop.period >= 0) mark(i - loop.period);
      if (loop && i + loop.period < n) mark(i + loop.period);
    }
  }
  return corners.sort((p, q) => p - q);
}

/** Returns true when there is no corner within `apart` of point i. */
function isAlone({ s, n, isCorner }: Strand, i: number, apart: number): boolean {
  for (let k = i; k >= 0 && s[i] - s[k] <= apart; k--) if (isCorner[k] === 1) return false;
  for (let k = i + 1; k < n && s[k] - s[i] <= apart; k++) if (isCorner[k] === 1) return false;
  return true;
}

/**
 * Returns true when a corner explains the points around i better than a smooth bend. Over so short a window, a smooth
 * curve, even a tight one, is nearly a cubic in its arc length; the misfit of the best cubic at a corner that turns by
 * `turn` is known.
 */
function isSharp(strand: Strand, i: number, reach: number, turn: number): boolean {
  const { x, y, s, w, n, waver, isCorner } = strand;
  // Points beyond the next corner belong to another curve.
  let from = i;
  let to = i;
  while (from > 0 && s[i] - s[from - 1] <= reach && isCorner[from - 1] === 0) from--;
  while (to < n - 1 && s[to + 1] - s[i] <= reach && isCorner[to + 1] === 0) to++;
  const first = from - 1;
  const last = to + 1;
  if (first >= 0 && isCorner[first] === 1) while (from < i && s[from] - s[first] < BLUNT) from++;
  if (last < n && isCorner[last] === 1) while (to > i && s[last] - s[to] < BLUNT) to--;
  if (to - from < 3) return true;
  const degree = to - from < 5 ? 2 : 3;

  // Weighted least squares of x and y as cubics of v, the arc length over the window scaled to -1..1.
  const middle = (s[from] + s[to]) / 2;
  const half = (s[to] - s[from]) / 2;
  normal.fill(0);
  for (let k = from; k <= to; k++) {
    const v = (s[k] - middle) / half;
    let power = w[k];
    for (let e = 0; e < 7; e++) {
      if (e < 4) {
        normal[e * 6] += power;
        normal[e * 6 + 4] += power * (x[k] - x[i]);
        normal[e * 6 + 5] += power * (y[k] - y[i]);
      } else normal[(e - 3) * 6 + 3] += power;
      power *= v;
    }
  }
  const weight = normal[0];
  for (let r = 1; r < 4; r++) normal[r] = normal[r * 6]; // row 0 holds the powers 0..3
  for (let r = 1; r < 4; r++) for (let c = 0; c < 3; c++) normal[r * 6 + c] = normal[(r - 1) * 6 + c + 1];
  if (degree === 2) {
    // With one unknown less, its row and column become those of 0 = 0.
    for (let r = 0; r < 4; r++) normal[r * 6 + 3] = normal[18 + r] = 0;
    normal[21] = 1;
    normal[22] = normal[23] = 0;
  }
  if (!solve(normal, 4, 2)) return true;
  let sum = 0;
  for (let k = from; k <= to; k++) {
    const v = (s[k] - middle) / half;
    const ex = x[k] - x[i] - (normal[4] + v * (normal[10] + v * (normal[16] + v * normal[22])));
    const ey = y[k] - y[i] - (normal[5] + v * (normal[11] + v * (normal[17] + v * normal[23])));
    const dx = normal[10] + v * (2 * normal[16] + 3 * v * normal[22]);
    const dy = normal[11] + v * (2 * normal[17] + 3 * v * normal[23]);
    const speed = dx * dx + dy * dy;
    if (speed > 1e-12) sum += (w[k] * (ex * dy - ey * dx) ** 2) / speed;
  }
  const expected = CUBIC_MISS * half * Math.sin(turn / 2);
  return Math.sqrt(sum / weight) > Math.max(0.45 * expected, 1.4 * waver);
}

/** The root mean square distance of |v| from the best cubic over -1..1. */
const CUBIC_MISS = 0.072;
/** Scratch: four normal equations with two right-hand sides. */
const normal = new Float64Array(24);

/**
 * Returns true when a quick test shows that the chain turns by more than `least` radians from `far` points before i to
 * as many after it.
 */
function turnsAt({ x, y, n }: Strand, i: number, far: number, least: number): boolean {
  const a = Math.max(0, i - far);
  const b = Math.min(n - 1, i + far);
  const ux = x[i] - x[a];
  const uy = y[i] - y[a];
  const vx = x[b] - x[i];
  const vy = y[b] - y[i];
  const dot = ux * vx + uy * vy;
  return dot <= 0 || Math.abs(ux * vy - uy * vx) > least * dot;
}

/**
 * The result of `fitSide`: a point and the unit direction away from the corner, curvature (positive turns clockwise on
 * the screen), root mean square distance, and the distance at which the extrapolated curve passes the corner's point.
 */
const side = { x: 0, y: 0, dx: 0, dy: 0, bend: 0, residual: 0, across: 0 };

/**
 * Fits x and y as quadratics of arc length to the points `blunt` to `blunt + reach` away on one side. Returns false
 * when there are too few.
 */
function fitSide(strand: Strand, i: number, step: number, reach: number, blunt = BLUNT): boolean {
  const { x, y, s, w, n } = strand;
  let count = 0;
  let m = 0; // sums of weights times powers of arc length and coordinates
  let su = 0;
  let suu = 0;
  let suuu = 0;
  let suuuu = 0;
  let sx = 0;
  let sy = 0;
  let sxx = 0;
  let sxy = 0;
  let syy = 0;
  let sux = 0;
  let suy = 0;
  let suux = 0;
  let suuy = 0;
  const ox = x[i];
  const oy = y[i];
  let lastU = 0;
  for (let k = i + step; k >= 0 && k < n; k += step) {
    const u = Math.abs(s[k] - s[i]);
    if (u < blunt) continue;
    if (u > blunt + reach) break;
    const px = x[k] - ox;
    const py = y[k] - oy;
    const uu = u * u;
    const weight = w[k];
    count++;
    m += weight;
    su += weight * u;
    suu += weight * uu;
    suuu += weight * uu * u;
    suuuu += weight * uu * uu;
    sx += weight * px;
    sy += weight * py;
    sxx += weight * px * px;
    sxy += weight * px * py;
    syy += weight * py * py;
    sux += weight * u * px;
    suy += weight * u * py;
    suux += weight * uu * px;
    suuy += weight * uu * py;
    lastU = u;
  }
  if (count < 2 || lastU < blunt + 0.55 * reach) return false;
  const spread = suu - (su * su) / m;
  if (spread < 1e-9) return false;
  const bx = (sux - (su * sx) / m) / spread;
  const by = (suy - (su * sy) / m) / spread;
  const length = hypot(bx, by);
  if (length < 1e-9) return false;
  const dx = bx / length;
  const dy = by / length;
  side.dx = dx;
  side.dy = dy;
  side.x = ox + (sx - bx * su) / m;
  side.y = oy + (sy - by * su) / m;
  // Distance across the line as a quadratic of u.
  const mean = su / m;
  const cx = -dy;
  const cy = dx;
  const q0 = cx * sx + cy * sy;
  const q1 = cx * sux + cy * suy;
  const q2 = cx * suux + cy * suuy;
  // Normal equations for a + b·v + c·(v² - k) with v = u - mean, solved for c.
  const v2 = suu - m * mean * mean;
  const v3 = suuu - 3 * mean * suu + 3 * mean * mean * su - m * mean ** 3;
  const v4 = suuuu - 4 * mean * suuu + 6 * mean * mean * suu - 4 * mean ** 3 * su + m * mean ** 4;
  const r0 = q0;
  const r1 = q1 - mean * q0;
  const r2 = q2 - 2 * mean * q1 + mean * mean * q0;
  const k11 = v2;
  const k22 = v4 - (v2 * v2) / m;
  const rhs2 = r2 - (v2 * r0) / m;
  const determinant = k11 * k22 - v3 * v3;
  side.bend = count >= 4 && determinant > 1e-9 ? (2 * (rhs2 * k11 - r1 * v3)) / determinant : 0;
  // Residual of the quadratic, or of the line when there are too few points.
  const c = side.bend / 2;
  const b = k11 > 1e-12 ? (r1 - c * v3) / k11 : 0;
  const a = (r0 - c * v2) / m;
  side.across = a - b * mean + c * mean * mean;
  const q00 = cx * cx * sxx + 2 * cx * cy * sxy + cy * cy * syy;
  side.residual = Math.sqrt(Math.max(0, q00 - a * r0 - b * r1 - c * r2) / m);
  return true;
}

/** Moves the two end points of an open strand toward the curve through the points next to them. */
export function settleEnds(strand: Strand): void {
  const { x, y, n } = strand;
  strand.measure();
  for (const [i, step] of [
    [0, 1],
    [n - 1, -1],
  ]) {
    if (n < 6 || !fitSide(strand, i, step, 6, 0)) continue;
    // The extrapolated curve is about as uncertain as the end point, so the mean of both is used.
    x[i] -= (side.across / 2) * side.dy;
    y[i] += (side.across / 2) * side.dx;
  }
}

/**
 * Returns the tangent of the curve where it arrives at corner i from one side, from points no farther than point
 * `until`. `step` is 1 or -1, the side to look at. Points within `blunt` px of the corner are left out.
 */
export function fitArrival(strand: Strand, i: number, step: number, until: number, blunt: number): Ray | undefined {
  const { s } = strand;
  const room = Math.abs(s[until] - s[i]) - blunt - BLUNT;
  if (!fitSide(strand, i, step, Math.max(1.2, Math.min(6, room)), blunt) && !fitSide(strand, i, step, 1.5, blunt))
    return undefined;
  // The fitted line is the tangent halfway along the window. Extrapolate it back to the corner along the curvature.
  const reach = Math.max(1.2, Math.min(6, room));
  const u = blunt + reach / 2;
  const turn = side.bend * u;
  const cos = Math.cos(turn);
  const sin = Math.sin(turn);
  const dx = side.dx;
  const dy = side.dy;
  const midX = side.x + dx * u;
  const midY = side.y + dy * u;
  const backX = dx * cos + dy * sin;
  const backY = dy * cos - dx * sin;
  const meanX = dx * Math.cos(turn / 2) + dy * Math.sin(turn / 2);
  const meanY = dy * Math.cos(turn / 2) - dx * Math.sin(turn / 2);
  return { x: midX - meanX * u, y: midY - meanY * u, dx: backX, dy: backY };
}
