import type { LabelMap } from '../color/labels.ts';
import type { Pixels } from '../pixels/bitmap.ts';
import type { Regions } from '../regions/regions.ts';
import { EDGE_STEP, isRough } from './smoothness.ts';

/**
 * Least variance of colors, in levels squared, that is worth a ramp where bands have a border; a single band needs
 * twice as much.
 */
export const LEAST_SHADING = 2;

/**
 * Finds the bands: regions whose smooth pixels vary by more than rounding. Returns 1 for each such region, or undefined
 * when there is none. Samples one pixel in four.
 */
export function findShaded(
  pixels: Pixels,
  { ids, labels, count, areaOf }: Regions,
  { palette }: LabelMap,
): Uint8Array | undefined {
  const { width, height, data } = pixels;
  const sums = new Float64Array(count * 7); // pixels, then sum and sum of squares of the differences of each channel
  for (let y = 1; y < height; y += 2) {
    for (let p = y * width + 1, end = (y + 1) * width; p < end; p += 2) {
      const i = p * 4;
      const k = labels[p] * 4;
      const r = data[i] - palette[k];
      const g = data[i + 1] - palette[k + 1];
      const b = data[i + 2] - palette[k + 2];
      const at = ids[p] * 7;
      if (r <= 1 && r >= -1 && g <= 1 && g >= -1 && b <= 1 && b >= -1) {
        sums[at]++;
        continue;
      }
      if (data[i + 3] < 250 || isRough(pixels, p, 1, EDGE_STEP)) continue;
      sums[at]++;
      sums[at + 1] += r;
      sums[at + 2] += g;
      sums[at + 3] += b;
      sums[at + 4] += r * r;
      sums[at + 5] += g * g;
      sums[at + 6] += b * b;
    }
  }
  const isShaded = new Uint8Array(count);
  let shadedCount = 0;
  for (let r = 0; r < count; r++) {
    const n = sums[r * 7];
    if (n < 6 || 4 * n < 0.2 * areaOf[r]) continue;
    let spread = 0;
    for (let c = 1; c <= 3; c++) spread = Math.max(spread, sums[r * 7 + 3 + c] / n - (sums[r * 7 + c] / n) ** 2);
    if (spread < LEAST_SHADING) continue;
    isShaded[r] = 1;
    shadedCount++;
  }
  return shadedCount > 0 ? isShaded : undefined;
}

/** Pixels this far apart have independent noise. */
const LAG = 8;
/** Least covariance of colors, in levels squared, that marks a shaded region in a noisy picture. */
const LEAST_DRIFT = 1.5;

/** Distance from the rim of a region, in px, within which mixes and ringing may lie. */
const RIM = 4;

function isDeep(ids: Uint32Array, width: number, height: number, x: number, y: number): boolean {
  if (x < RIM || y < RIM || x >= width - RIM || y >= height - RIM) return false;
  const p = y * width + x;
  const id = ids[p];
  return ids[p - RIM] === id && ids[p + RIM] === id && ids[p - RIM * width] === id && ids[p + RIM * width] === id;
}

/**
 * Length of the steps over which slopes are measured, in pixels, and the largest change over one that may be a slope,
 * in levels.
 */
const STRIDE = 4;
const STEEPEST_STEP = 16;
/** Least mean product of two consecutive steps that is a slope, in levels squared. */
const LEAST_SLOPE = 4;

/**
 * Finds shaded regions in noise: regions in which distant pixels deviate from the region's mean in the same way
 * (covariance at a lag), and narrow regions in which consecutive steps have the same sign. Noise averages out of both
 * products, shading does not.
 */
export function findDrifting(
  { width, height, data }: Pixels,
  { ids, labels, count, areaOf }: Regions,
  { palette }: LabelMap,
): Uint8Array | undefined {
  const sums = new Float64Array(count * 10); // pairs; then, by channel, sums of both ends and of products
  const mean = new Float64Array(3); // of the region's color in the palette
  const slopes = new Float64Array(count * 4); // number of pairs of steps, then the sum of their products, by channel
  for (let y = STRIDE; y < height - STRIDE; y += 2) {
    for (let x = STRIDE; x < width - STRIDE; x += 2) {
      const p = y * width + x;
      addSteps(data, p * 4, STRIDE * 4, slopes, ids[p] * 4);
      addSteps(data, p * 4, STRIDE * width * 4, slopes, ids[p] * 4);
      if (!isDeep(ids, width, height, x, y)) continue;
      for (let c = 0; c < 3; c++) mean[c] = palette[labels[p] * 4 + c];
      if (isDeep(ids, width, height, x + LAG, y)) addPair(data, ids, p, p + LAG, mean, sums);
      if (isDeep(ids, width, height, x, y + LAG)) addPair(data, ids, p, p + LAG * width, mean, sums);
    }
  }
  const isShaded = new Uint8Array(count);
  let shadedCount = 0;
  for (let r = 0; r < count; r++) {
    const n = sums[r * 10];
    const steps = slopes[r * 4];
    let drift = 0;
    let slope = 0;
    for (let c = 1; c <= 3; c++) {
      const at = r * 10 + c;
      if (n >= 16 && 40 * n >= areaOf[r])
        drift = Math.max(drift, sums[at + 6] / n - (sums[at] / n) * (sums[at + 3] / n));
      if (steps >= 12 && 5 * steps >= areaOf[r]) slope = Math.max(slope, slopes[r * 4 + c] / steps);
    }
    if (drift < LEAST_DRIFT && slope < LEAST_SLOPE) continue;
    isShaded[r] = 1;
    shadedCount++;
  }
  return shadedCount > 0 ? isShaded : undefined;
}

/**
 * Adds the products of the step that ends at pixel i and the step that begins there, unless one is too large for a
 * slope.
 */
function addSteps(data: Uint8ClampedArray, i: number, step: number, slopes: Float64Array, at: number): void {
  for (let c = i; c < i + 3; c++) {
    if (Math.abs(data[c] - data[c - step]) > STEEPEST_STEP || Math.abs(data[c + step] - data[c]) > STEEPEST_STEP)
      return;
  }
  slopes[at]++;
  for (let c = 0; c < 3; c++) {
    slopes[at + 1 + c] += (data[i + c] - data[i + c - step]) * (data[i + c + step] - data[i + c]);
  }
}

function addPair(
  data: Uint8ClampedArray,
  ids: Uint32Array,
  p: number,
  q: number,
  mean: Float64Array,
  sums: Float64Array,
): void {
  if (ids[q] !== ids[p]) return;
  const at = ids[p] * 10;
  sums[at]++;
  for (let c = 0; c < 3; c++) {
    const a = data[p * 4 + c] - mean[c];
    const b = data[q * 4 + c] - mean[c];
    sums[at + 1 + c] += a;
    sums[at + 4 + c] += b;
    sums[at + 7 + c] += a * b;
  }
}
