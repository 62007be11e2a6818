import { blurBy, coverOf } from './cover.ts';
import type { Mixes } from './mixes.ts';

/** Weights of the blur under which the direction of an edge is measured, from the middle outward. */
const SOFT = [0.4, 0.24, 0.06];
/** Squared slopes that sum to less have no direction. */
const LEAST_SLOPE = 1e-4;
/**
 * Weights of the pixels along an edge, from the middle outward: those of a parabola through nine (Savitzky and Golay
 * 1964), so that a bend stays where it is.
 */
const ALONG = [59, 54, 39, 14, -21];
const REACH = ALONG.length - 1;
/** Pixels whose cover is this near to a half tell by how much edges waver. */
const AT_EDGE = 0.25;
/** A change of more than this many standard deviations of the waver is a corner or the end of a stroke, not noise. */
const MOST_DEVIATIONS = 3;
/** The standard deviation of normal noise, by the median of its sizes. */
const BY_MEDIAN = 1.4826;

/**
 * Takes noise out of the shares of ink on paper along their edges. Compression and grain let each pixel of an edge
 * waver by itself; what was drawn goes on along the edge. Across it, nothing is smoothed, so thin strokes and gaps
 * stay; and corners stay by what they differ from the usual waver. Linear in pixels.
 */
export function smoothEdges(mixes: Mixes): void {
  const { width, height, first, second, share } = mixes;
  const cover = coverOf(mixes);
  const [xx, xy, yy] = measureSlopes(cover, width, height);
  const pixels: number[] = [];
  const changes: number[] = [];
  const sizes: number[] = [];
  for (let y = REACH; y < height - REACH - 1; y++) {
    for (let x = REACH; x < width - REACH - 1; x++) {
      const p = y * width + x;
      const slope = xx[p] + yy[p];
      if ((first[p] === 0) === (second[p] === 0) || slope < LEAST_SLOPE) continue;
      const half = (xx[p] - yy[p]) / 2;
      const coherence = ((2 * Math.hypot(half, xy[p])) / slope) ** 2;
      const angle = Math.atan2(xy[p], half) / 2; // across the edge
      const change = meanAlong(cover, width, p, [-Math.sin(angle), Math.cos(angle)], coherence) - cover[p];
      pixels.push(p);
      changes.push(change);
      if (Math.abs(cover[p] - 0.5) < AT_EDGE) sizes.push(Math.abs(change));
    }
  }
  const deviation = BY_MEDIAN * (sizes.sort((a, b) => a - b)[sizes.length >> 1] ?? 0);
  if (deviation === 0) return;
  pixels.forEach((p, k) => {
    const trust = 1 / (1 + (changes[k] / (MOST_DEVIATIONS * deviation)) ** 4);
    const own = Math.max(0, Math.min(1, cover[p] + trust * changes[k]));
    share[p] = first[p] === 0 ? 1 - own : own;
  });
}

/** Returns the structure tensor of a field: the products of its slopes along x and y, averaged around each pixel. */
function measureSlopes(values: Float32Array, width: number, height: number): Float32Array[] {
  const soft = blurBy(SOFT, values, width, height);
  const products = [0, 1, 2].map(() => new Float32Array(values.length));
  for (let y = 1; y < height - 1; y++) {
    for (let p = y * width + 1; p < (y + 1) * width - 1; p++) {
      const [dx, dy] = [soft[p + 1] - soft[p - 1], soft[p + width] - soft[p - width]];
      products[0][p] = dx * dx;
      products[1][p] = dx * dy;
      products[2][p] = dy * dy;
    }
  }
  return products.map((product) => blurBy(SOFT, blurBy(SOFT, product, width, height), width, height));
}

/** Returns the mean of a field along a direction, with less of the neighbors where edges differ in direction. */
function meanAlong(
  values: Float32Array,
  width: number,
  p: number,
  [dx, dy]: readonly [number, number],
  coherence: number,
): number {
  let [sum, total] = [ALONG[0] * values[p], ALONG[0]];
  for (let step = -REACH; step <= REACH; step++) {
    if (step === 0) continue;
    const [left, top] = [Math.floor(step * dx), Math.floor(step * dy)];
    const [right, down] = [step * dx - left, step * dy - top];
    const q = p + top * width + left;
    const upper = values[q] + right * (values[q + 1] - values[q]);
    const lower = values[q + width] + right * (values[q + width + 1] - values[q + width]);
    const weight = coherence * ALONG[Math.abs(step)];
    sum += weight * (upper + down * (lower - upper));
    total += weight;
  }
  return sum / total;
}
