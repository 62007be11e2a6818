import { hypot } from '../geometry/hypot.ts';
import type { Tail } from './crossings.ts';
import { fitTail } from './crossings.ts';
import type { Draft } from './drafts.ts';

/** Turns of more than this, in radians, within a line's width are corners. */
const CORNER = 0.38;
/** The same limit where the sides are too short to measure their curvature. */
const SHORT_CORNER = 0.85;

/**
 * Inserts a point at each corner, where the sides intersect, and removes the points near it: within half a width of a
 * corner, the ink across a line belongs to both sides. `tolerance` is in px. The function has more than 120 lines
 * because it is one pass: find candidates at two scales, keep the sharpest, rewrite the points.
 */
export function sharpen(draft: Draft, tolerance: number): void {
  const { x, y, across, isClosed, blur: width } = draft;
  const n = x.length;
  if (n < 6) return;
  const clear = 0.5 * width + 0.8;
  const corners: { at: number; x: number; y: number; turn: number }[] = [];
  const at = (k: number): number => (isClosed ? (k + n) % n : Math.min(n - 1, Math.max(0, k)));
  const gaps = new Float64Array(n);
  for (let k = 0; k < n; k++) gaps[k] = hypot(x[at(k + 1)] - x[k], y[at(k + 1)] - y[k]);
  const scales = [
    { reach: Math.max(6, 2.5 * width), least: CORNER },
    { reach: Math.max(3.2, 1.2 * width), least: SHORT_CORNER },
  ];
  const sideX = new Float64Array(64);
  const sideY = new Float64Array(64);
  /**
   * Fits the points from `from` on, without those closer than `clear`. `firstDistance` is the distance of the first of
   * them.
   */
  const side = (
    from: number,
    step: number,
    start: number,
    reach: number,
  ): { tail: Tail; firstDistance: number } | undefined => {
    let s = start;
    let count = 0;
    let firstDistance = 0;
    for (let k = from, steps = 0; steps < Math.min(n - 1, 400); k += step, steps++) {
      if (!isClosed && (k < 0 || k >= n)) break;
      const i = at(k);
      if (Number.isNaN(across[i])) break; // no farther than the previous corner
      if (s >= clear) {
        if (count === 0) firstDistance = s;
        if (s - firstDistance > reach || count === 64) break;
        sideX[count] = x[i];
        sideY[count++] = y[i];
      }
      s += step > 0 ? gaps[i] : gaps[at(k - 1)];
    }
    if (count < 3) return undefined;
    const tail = fitTail(sideX, sideY, undefined, 0, count - 1, reach);
    if (!tail || hypot(sideX[count - 1] - sideX[0], sideY[count - 1] - sideY[0]) < 0.5 * reach) return undefined;
    return { tail, firstDistance };
  };
  for (const { reach, least } of scales) {
    const candidates: { at: number; x: number; y: number; turn: number }[] = [];
    for (let k = 0; k < (isClosed ? n : n - 1); k++) {
      const half = gaps[k] / 2;
      if (Number.isNaN(across[k]) || Number.isNaN(across[at(k + 1)])) continue;
      // A quick test first, as most points are on straight parts.
      const before = at(k - 4);
      const after = at(k + 5);
      const ux = x[k] - x[before];
      const uy = y[k] - y[before];
      const vx = x[after] - x[at(k + 1)];
      const vy = y[after] - y[at(k + 1)];
      const dot = ux * vx + uy * vy;
      if (dot > 0 && Math.abs(ux * vy - uy * vx) < 0.25 * dot) continue;
      const back = side(k, -1, half, reach);
      const on = back && side(k + 1, 1, half, reach);
      if (!back || !on) continue;
      const s = carry(back.tail, back.firstDistance);
      const t = carry(on.tail, on.firstDistance);
      const turn = Math.abs(Math.atan2(-s.dx * t.dy + s.dy * t.dx, -(s.dx * t.dx + s.dy * t.dy)));
      // On a tight bend, the curvature between the sides explains part of the turn.
      const bendTurn = (Math.abs(s.bend) + Math.abs(t.bend)) * (clear + half);
      if (turn < least + 1.5 * bendTurn || turn > 3) continue;
      const cross = s.dx * t.dy - s.dy * t.dx;
      const along = ((t.x - s.x) * t.dy - (t.y - s.y) * t.dx) / cross;
      const cx = s.x + along * s.dx;
      const cy = s.y + along * s.dy;
      const mx = (x[k] + x[at(k + 1)]) / 2;
      const my = (y[k] + y[at(k + 1)]) / 2;
      if (hypot(cx - mx, cy - my) > clear + (1.3 * half) / Math.tan((Math.PI - turn) / 2)) continue;
      // The points between must not pass beside the corner, as those of a rounded one do. A true corner distorts the
      // points around it.
      let isRound = 2 * half < 1.6 && hypot(cx - mx, cy - my) > Math.max(0.4, 0.15 * width);
      for (let d = -3; d <= 4 && !isRound; d++) {
        const i = at(k + d);
        if (Number.isNaN(across[i]) || hypot(x[i] - cx, y[i] - cy) < 0.35 * width + 0.3) continue;
        const a = Math.abs((x[i] - s.x) * s.dy - (y[i] - s.y) * s.dx);
        const b = Math.abs((x[i] - t.x) * t.dy - (y[i] - t.y) * t.dx);
        isRound = Math.min(a, b) > Math.max(0.3, 2.5 * tolerance) + 0.04 * width;
      }
      if (isRound) continue;
      candidates.push({ at: k, x: cx, y: cy, turn: turn - hypot(cx - mx, cy - my) * 0.1 });
    }
    candidates.sort((p, q) => q.turn - p.turn || p.at - q.at);
    for (const one of candidates) {
      if (corners.every((other) => hypot(other.x - one.x, other.y - one.y) > clear + 0.5)) corners.push(one);
    }
  }
  if (corners.length === 0) return;
  corners.sort((p, q) => p.at - q.at);
  const drop = new Uint8Array(n);
  for (let k = 0; k < n; k++) {
    for (const corner of corners) {
      if (Math.abs(corner.at - k) < 60 || isClosed)
        if (hypot(x[k] - corner.x, y[k] - corner.y) < clear && isNearAlong(corner.at, k, n, isClosed, clear))
          drop[k] = 1;
    }
  }
  const nextX: number[] = [];
  const nextY: number[] = [];
  const nextAcross: number[] = [];
  let c = 0;
  for (let k = 0; k < n; k++) {
    if (!drop[k] || Number.isNaN(across[k])) {
      nextX.push(x[k]);
      nextY.push(y[k]);
      nextAcross.push(across[k]);
    }
    while (c < corners.length && corners[c].at === k) {
      nextX.push(corners[c].x);
      nextY.push(corners[c].y);
      nextAcross.push(NaN);
      c++;
    }
  }
  draft.x = nextX;
  draft.y = nextY;
  draft.across = nextAcross;
}

function isNearAlong(corner: number, k: number, n: number, isClosed: boolean, clear: number): boolean {
  let apart = Math.abs(corner - k);
  if (isClosed) apart = Math.min(apart, n - apart);
  return apart < 2 * clear + 3;
}

/** Returns a tail extrapolated backward by `distance`, along its curvature. */
function carry(tail: Tail, distance: number): Tail {
  const turn = -tail.bend * distance;
  const cos = Math.cos(turn);
  const sin = Math.sin(turn);
  const half = turn / 2;
  const meanX = tail.dx * Math.cos(half) - tail.dy * Math.sin(half);
  const meanY = tail.dx * Math.sin(half) + tail.dy * Math.cos(half);
  return {
    x: tail.x - meanX * distance,
    y: tail.y - meanY * distance,
    dx: tail.dx * cos - tail.dy * sin,
    dy: tail.dx * sin + tail.dy * cos,
    bend: tail.bend,
  };
}
