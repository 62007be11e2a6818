/** Straight pieces of edges. */
import type { EdgePoints } from './edges.ts';

/** A piece of a straight edge, or of a line that letters stand on. */
export interface Segment {
  /** The middle. */
  readonly x: number;
  readonly y: number;
  /** The unit direction. */
  readonly dx: number;
  readonly dy: number;
  readonly length: number;
  /** The standard deviation of the direction, in radians. */
  readonly sigma: number;
  /** The unit normal from dark to light; for a line of letters, downwards. */
  readonly normalX: number;
  readonly normalY: number;
}

/** A neighbor joins a region when its normal is at most 20° off the region's mean. */
const JOIN_COSINE = Math.cos((20 * Math.PI) / 180);
const LEAST_LENGTH = 9;
/** A region is split where it leaves its line by more than this. */
const MOST_DEVIATION = 0.9;
/** A piece may bend by this share of its length, and by this much beyond. */
const MOST_BEND = 0.005;
const BEND_ALLOWANCE = 0.15;
/** No position is known better than this, in pixels. */
const LEAST_POSITION_SIGMA = 0.12;
/** No direction is better than this: things are not cut, and lenses do not draw, straighter. */
const LEAST_SIGMA = 0.0008;

/**
 * Finds straight pieces of edges: grows regions of neighboring points with like normals, the steepest point first (von
 * Gioi et al., "LSD: a line segment detector", 2012), fits lines to their points, and splits or drops what bends.
 */
export function findSegments(edges: EdgePoints, width: number): Segment[] {
  const { count, pixel, pointAt, normalX, normalY } = edges;
  const isTaken = new Uint8Array(count);
  const segments: Segment[] = [];
  const around = [-width - 1, -width, -width + 1, -1, 1, width - 1, width, width + 1];
  for (const seed of steepestFirst(edges.steepness)) {
    if (isTaken[seed]) continue;
    isTaken[seed] = 1;
    const region = [seed];
    let [sumX, sumY] = [normalX[seed], normalY[seed]];
    for (let i = 0; i < region.length; i++) {
      for (const step of around) {
        const next = pointAt[pixel[region[i]] + step];
        if (next < 0 || isTaken[next]) continue;
        const along = normalX[next] * sumX + normalY[next] * sumY;
        if (along < JOIN_COSINE * Math.hypot(sumX, sumY)) continue;
        isTaken[next] = 1;
        sumX += normalX[next];
        sumY += normalY[next];
        region.push(next);
      }
    }
    if (region.length < LEAST_LENGTH) continue;
    const size = Math.hypot(sumX, sumY);
    const along = (i: number) => (edges.x[i] * -sumY + edges.y[i] * sumX) / size;
    const order = Float64Array.from(region, along);
    const ranks = Array.from(region.keys()).sort((a, b) => order[a] - order[b]);
    split(
      edges,
      ranks.map((i) => region[i]),
      segments,
    );
  }
  return segments;
}

/** Fits a line to points in their order along it, and splits it where a point is too far off. */
function split(edges: EdgePoints, points: readonly number[], segments: Segment[]): void {
  if (points.length < LEAST_LENGTH) return;
  const line = fitLine(edges, points);
  let farthest = 0;
  let deviation = 0;
  points.forEach((point, i) => {
    const off = Math.abs((edges.x[point] - line.x) * line.nx + (edges.y[point] - line.y) * line.ny);
    if (off > deviation) [deviation, farthest] = [off, i];
  });
  if (deviation > MOST_DEVIATION) {
    // Around the ends of a line its last points may be off: they are dropped, and a bend is split in the middle.
    const cut = Math.min(points.length - 2, Math.max(2, farthest));
    split(edges, points.slice(0, cut), segments);
    split(edges, points.slice(cut), segments);
    return;
  }
  const segment = toSegment(edges, points, line);
  if (segment) segments.push(segment);
}

interface Line {
  readonly x: number;
  readonly y: number;
  readonly nx: number;
  readonly ny: number;
}

/** Fits a line by total least squares. Its normal points from dark to light. */
function fitLine({ x, y, normalX, normalY }: EdgePoints, points: readonly number[]): Line {
  let [sx, sy, ox, oy] = [0, 0, 0, 0];
  for (const i of points) {
    sx += x[i];
    sy += y[i];
    ox += normalX[i];
    oy += normalY[i];
  }
  const [mx, my] = [sx / points.length, sy / points.length];
  let [xx, xy, yy] = [0, 0, 0];
  for (const i of points) {
    xx += (x[i] - mx) ** 2;
    xy += (x[i] - mx) * (y[i] - my);
    yy += (y[i] - my) ** 2;
  }
  const angle = Math.atan2(2 * xy, xx - yy) / 2;
  const [nx, ny] = [-Math.sin(angle), Math.cos(angle)];
  return nx * ox + ny * oy < 0 ? { x: mx, y: my, nx: -nx, ny: -ny } : { x: mx, y: my, nx, ny };
}

/** Measures a fitted line; undefined for what is short or bends. */
function toSegment(edges: EdgePoints, points: readonly number[], { x, y, nx, ny }: Line): Segment | undefined {
  const n = points.length;
  const [dx, dy] = [ny, -nx];
  const along = points.map((i) => (edges.x[i] - x) * dx + (edges.y[i] - y) * dy);
  const low = along.reduce((a, b) => Math.min(a, b));
  const high = along.reduce((a, b) => Math.max(a, b));
  const length = high - low;
  if (length < LEAST_LENGTH - 1 || n < 0.6 * length) return undefined;
  const middle = (low + high) / 2;
  // The part of the deviations that is a parabola: q(t) = t² - mean(t²), t from -1 to 1.
  const t = along.map((a) => (2 * (a - middle)) / length);
  const mean = t.reduce((sum, value) => sum + value * value, 0) / n;
  let [qq, qe, ee] = [0, 0, 0];
  points.forEach((i, k) => {
    const off = (edges.x[i] - x) * nx + (edges.y[i] - y) * ny;
    const q = t[k] * t[k] - mean;
    qq += q * q;
    qe += q * off;
    ee += off * off;
  });
  const bend = qq > 0 ? Math.abs(qe / qq) : 0;
  if (bend > MOST_BEND * length + BEND_ALLOWANCE) return undefined;
  const spread = Math.max(LEAST_POSITION_SIGMA, Math.sqrt(ee / n));
  const sigma = Math.max(LEAST_SIGMA, (spread * Math.sqrt(12 / n)) / length);
  return { x: x + middle * dx, y: y + middle * dy, dx, dy, length, sigma, normalX: nx, normalY: ny };
}

/** Returns the indexes by falling steepness, sorted to half a level by counting. */
function steepestFirst(steepness: Float32Array): Int32Array {
  const bins = 512;
  const binOf = (value: number) => bins - 1 - Math.min(bins - 1, Math.floor(value * 2));
  const starts = new Uint32Array(bins + 1);
  for (const value of steepness) starts[binOf(value) + 1]++;
  for (let bin = 0; bin < bins; bin++) starts[bin + 1] += starts[bin];
  const order = new Int32Array(steepness.length);
  steepness.forEach((value, i) => {
    order[starts[binOf(value)]++] = i;
  });
  return order;
}
