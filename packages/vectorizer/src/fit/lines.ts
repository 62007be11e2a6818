import { hypot } from '../geometry/hypot.ts';
import { SINGLE } from './cubic.ts';
import type { Ray } from './knot.ts';
import type { Strand } from './strand.ts';

/** A straight run has at least this many points plus one. */
const LEAST_STEPS = 5;

/** Returns the least-squares line through points a..b, which runs from a to b. */
function lineThrough({ x, y, w }: Strand, a: number, b: number): Ray {
  let m = 0;
  let mx = 0;
  let my = 0;
  for (let k = a; k <= b; k++) {
    m += w[k];
    mx += w[k] * x[k];
    my += w[k] * y[k];
  }
  mx /= m;
  my /= m;
  let xx = 0;
  let xy = 0;
  let yy = 0;
  for (let k = a; k <= b; k++) {
    const px = x[k] - mx;
    const py = y[k] - my;
    xx += w[k] * px * px;
    xy += w[k] * px * py;
    yy += w[k] * py * py;
  }
  const angle = 0.5 * Math.atan2(2 * xy, xx - yy);
  const dx = Math.cos(angle);
  const dy = Math.sin(angle);
  const isBackward = dx * (x[b] - x[a]) + dy * (y[b] - y[a]) < 0;
  return { x: mx, y: my, dx: isBackward ? -dx : dx, dy: isBackward ? -dy : dy };
}

/**
 * Fits a line through points a..b by least squares. Returns it with the largest distance, the sagitta of the best
 * parabola and the root of the mean squared distance, all in px.
 */
export function fitLine(
  strand: Strand,
  a: number,
  b: number,
): Ray & { deviation: number; sagitta: number; rms: number } {
  const { x, y, w } = strand;
  const { x: mx, y: my, dx, dy } = lineThrough(strand, a, b);
  let deviation = 0;
  let run = 0;
  let sum = 0;
  let v2 = 0;
  let v4 = 0;
  let r2 = 0;
  let count = 0;
  for (let k = a; k <= b; k++) {
    const u = (x[k] - mx) * dx + (y[k] - my) * dy;
    const e = (y[k] - my) * dx - (x[k] - mx) * dy;
    run += (e * w[k] - run) * 0.35;
    const far = Math.max(Math.abs(run), Math.abs(e * w[k]) * SINGLE);
    if (far > deviation) deviation = far;
    sum += e * e * w[k] * w[k];
    v2 += u * u;
    v4 += u ** 4;
    r2 += e * u * u;
    count++;
  }
  const spread = v4 - (v2 * v2) / count;
  const half = hypot(x[b] - x[a], y[b] - y[a]) / 2;
  const sagitta = spread > 1e-9 ? (r2 / spread) * half * half : 0; // the mean of e is zero
  return { x: mx, y: my, dx, dy, deviation, sagitta, rms: Math.sqrt(sum / count) };
}

/** Returns the `rms` of that line alone, in a third of the time. */
function measureRms(strand: Strand, a: number, b: number): number {
  const { x, y, w } = strand;
  const { x: mx, y: my, dx, dy } = lineThrough(strand, a, b);
  let sum = 0;
  for (let k = a; k <= b; k++) {
    const e = (y[k] - my) * dx - (x[k] - mx) * dy;
    sum += e * e * w[k] * w[k];
  }
  return Math.sqrt(sum / (b - a + 1));
}

/**
 * Returns the line through the points strictly inside a piece if they are straight. Points within `bluntFirst` px of
 * the first end, and `bluntLast` px of the last, are left out.
 */
export function straightPiece(
  strand: Strand,
  from: number,
  to: number,
  bluntFirst: number,
  bluntLast: number,
): Ray | undefined {
  const { s, x, y, tolerance } = strand;
  const length = s[to] - s[from];
  let a = from;
  let b = to;
  // A short piece leaves out less of its ends, down to its one or two innermost points.
  for (let share = 1; share > 0.3; share -= 0.25) {
    for (a = from; a < to && s[a] - s[from] < share * bluntFirst; ) a++;
    for (b = to; b > from && s[to] - s[b] < share * bluntLast; ) b--;
    if (b - a >= 1 || length > 4) break;
  }
  if (b - a < 2) {
    if (length > 4) return undefined;
    if (b <= a) {
      a = from;
      b = to;
    }
    const d = hypot(x[b] - x[a], y[b] - y[a]) || 1;
    return { x: (x[a] + x[b]) / 2, y: (y[a] + y[b]) / 2, dx: (x[b] - x[a]) / d, dy: (y[b] - y[a]) / d };
  }
  const line = fitLine(strand, a, b);
  if (line.deviation > tolerance || strand.excess(line.rms * line.rms * (b - a + 1), b - a + 1, 1) > 1)
    return undefined;
  const sagittaNoise = (6.7 * strand.lineScatter()) / Math.sqrt(b - a + 1);
  if (Math.abs(line.sagitta) > Math.max(0.03, sagittaNoise) && b - a > 4) return undefined;
  return line;
}

/**
 * Returns the longest straight runs within points a..b that no gentle curve would explain better, by the indices of
 * their ends.
 */
export function straightRuns(strand: Strand, a: number, b: number): { from: number; to: number }[] {
  const { s, x, y, tolerance, jitter } = strand;
  const runs: { from: number; to: number }[] = [];
  const limit = Math.max(0.3 * tolerance, 1.3 * jitter);
  const least = 7;
  for (let i = a; i + LEAST_STEPS <= b; ) {
    // Most points are on no run, which the points of the shortest possible run show.
    let good = i + LEAST_STEPS;
    while (good < b && s[good] - s[i] < least) good++;
    if (s[good] - s[i] < least || measureRms(strand, i, good) > limit) {
      i += 2;
      continue;
    }
    let step = Math.max(8, good - i);
    let bad = b + 1;
    for (let j = i + step; good < b; j = i + step) {
      const end = Math.min(j, b);
      if (measureRms(strand, i, end) <= limit) {
        good = end;
        if (end === b) break;
        step *= 2;
      } else {
        bad = end;
        break;
      }
    }
    while (bad - good > 1 && bad <= b) {
      const middle = (good + bad) >> 1;
      if (measureRms(strand, i, middle) <= limit) good = middle;
      else bad = middle;
    }
    // Trim the ends that belong to the curves on either side.
    const trim = Math.max(1, Math.floor((good - i) * 0.15));
    const line = fitLine(strand, i + trim, good - trim);
    let from = i + trim;
    let to = good - trim;
    const close = 1.6 * jitter + 0.01;
    const off = (k: number): number => Math.abs((y[k] - line.y) * line.dx - (x[k] - line.x) * line.dy);
    while (from > a && (runs.length === 0 || from > runs[runs.length - 1].to + 1) && off(from - 1) < close) from--;
    while (to < b && off(to + 1) < close) to++;
    const wholeLine = fitLine(strand, from, to);
    const sagittaNoise = (6 * strand.lineScatter()) / Math.sqrt(to - from + 1);
    if (
      s[to] - s[from] >= least &&
      Math.abs(wholeLine.sagitta) < Math.max(0.02, Math.min(sagittaNoise, 0.5 * tolerance))
    ) {
      runs.push({ from, to });
      i = to + 1;
    } else i += Math.max(2, trim);
  }
  return runs;
}
