import type { LabelMap } from '../color/labels.ts';
import type { Pixels } from '../pixels/bitmap.ts';
import { reduce } from '../pixels/bitmap.ts';
import type { Planes } from './merge.ts';
import { mergeRegions } from './merge.ts';

/** A photograph segmented into regions of one tone each, at the size it is drawn from. */
export interface Tones extends LabelMap {
  /** The factor by which the picture of the labels is reduced; 1 for the whole picture. */
  scale: number;
  planes: Planes;
  /** Luma, blue difference and red difference of each label. */
  levels: Float64Array;
  /** The squared error that a bit of the file is worth. */
  lambda: number;
}

/** Larger photographs are first reduced to at most this many pixels, as a drawing shows no more. */
const MOST_PIXELS = 1 << 19;

/** Returns the factor by which a photograph of this size in px is reduced before it is traced; 1 for a small one. */
export function scaleOfPhotograph(width: number, height: number): number {
  return Math.ceil(Math.sqrt((width * height) / MOST_PIXELS));
}

/**
 * Byte budget of a picture of `USUAL_PIXELS`. It scales with the square root of the size below that, and with the
 * fourth root above.
 */
const BUDGET_BYTES = 38_000;
const USUAL_PIXELS = 1 << 17;

/** Weight of chroma in an error: the visible structure of a picture is in its luma. */
const CHROMA = 0.3;

/**
 * Segments a photograph into regions of few tones.
 *
 * Errors are weighted as in structural similarity (Wang et al. 2004): the error of a pixel counts less the more its
 * neighborhood varies, so a leaf among leaves may go while a wire against the sky stays. Linear in the pixels.
 */
export function findTones(pixels: Pixels, maxTones: number, minAreaPx: number): Tones {
  const scale = scaleOfPhotograph(pixels.width, pixels.height);
  const small = scale > 1 ? reduce(pixels, scale) : pixels;
  const planes = toPlanes(small);
  const size = small.width * small.height;
  const share = size / USUAL_PIXELS;
  const bits = 8 * BUDGET_BYTES * share ** (share < 1 ? 0.5 : 0.25);
  const segmentation = mergeRegions(planes, bits, minAreaPx / (scale * scale));
  const { levels, labelOf } = chooseTones(segmentation.means, segmentation.weights, segmentation.count, maxTones);
  const count = levels.length / 3;
  const labels = new Uint16Array(size);
  for (let i = 0; i < size; i++) labels[i] = labelOf[segmentation.ids[i]];
  const palette = new Float64Array(count * 4);
  for (let k = 0; k < count; k++) {
    const luma = levels[k * 3];
    const blue = luma + levels[k * 3 + 1] / CHROMA;
    const red = luma + levels[k * 3 + 2] / CHROMA;
    palette.set([clip(red), clip((luma - 0.299 * red - 0.114 * blue) / 0.587), clip(blue), 255], k * 4);
  }
  return {
    palette,
    count,
    clear: -1,
    labels,
    mixPixels: small,
    mixPalette: palette,
    ramps: [],
    scale,
    planes,
    levels,
    lambda: segmentation.lambda,
  };
}

function clip(value: number): number {
  return Math.max(0, Math.min(255, value));
}

/** Constant of the contrast term of structural similarity, (0.03 × 255)². */
const C2 = 58.5;
/**
 * Half the side of the windows, in pixels: a box of five has about the standard deviation of the Gaussian of 1.5 px
 * used there.
 */
const REACH = 2;

function toPlanes({ width, height, data }: Pixels): Planes {
  const size = width * height;
  const luma = new Float32Array(size);
  const blue = new Float32Array(size);
  const red = new Float32Array(size);
  const square = new Float32Array(size);
  for (let p = 0, i = 0; p < size; p++, i += 4) {
    const y = 0.299 * data[i] + 0.587 * data[i + 1] + 0.114 * data[i + 2];
    luma[p] = y;
    blue[p] = CHROMA * (data[i + 2] - y);
    red[p] = CHROMA * (data[i] - y);
    square[p] = y * y;
  }
  const mean = blur(luma, width, height);
  const weight = blur(square, width, height);
  for (let p = 0; p < size; p++) weight[p] = 1 / (2 * Math.max(0, weight[p] - mean[p] * mean[p]) + C2);
  return { width, height, luma, blue, red, weight: blur(weight, width, height) };
}

/** Returns the mean over a square window, clipped at the edges, by running sums. */
function blur(values: Float32Array, width: number, height: number): Float32Array {
  const rows = new Float32Array(values.length);
  for (let y = 0; y < height; y++) {
    const base = y * width;
    let sum = 0;
    for (let x = 0; x < Math.min(REACH, width); x++) sum += values[base + x];
    for (let x = 0; x < width; x++) {
      if (x + REACH < width) sum += values[base + x + REACH];
      if (x > REACH) sum -= values[base + x - REACH - 1];
      rows[base + x] = sum / (Math.min(width - 1, x + REACH) - Math.max(0, x - REACH) + 1);
    }
  }
  const out = new Float32Array(values.length);
  const sums = new Float64Array(width);
  for (let y = -REACH; y < height; y++) {
    if (y + REACH < height) for (let x = 0, i = (y + REACH) * width; x < width; x++, i++) sums[x] += rows[i];
    if (y > REACH) for (let x = 0, i = (y - REACH - 1) * width; x < width; x++, i++) sums[x] -= rows[i];
    if (y < 0) continue;
    const count = Math.min(height - 1, y + REACH) - Math.max(0, y - REACH) + 1;
    for (let x = 0, i = y * width; x < width; x++, i++) out[i] = sums[x] / count;
  }
  return out;
}

/** Rounds of k-means after the cuts. */
const ROUNDS = 4;

/**
 * Quantizes the tones of all regions: splits the box with the largest weighted error at its mean, repeatedly (Wan, Wong
 * and Prusinkiewicz 1988), then runs rounds of k-means.
 */
function chooseTones(
  means: Float64Array,
  weights: Float64Array,
  count: number,
  most: number,
): { levels: Float64Array; labelOf: Uint16Array } {
  const labelOf = new Uint16Array(count);
  const errors = new Float64Array(most * 3);
  let levels = averageTones(means, weights, labelOf, 1, errors);
  let toneCount = 1;
  while (toneCount < most) {
    let widest = 0;
    for (let k = 1; k < toneCount * 3; k++) if (errors[k] > errors[widest]) widest = k;
    if (errors[widest] < 1e-9) break;
    const axis = widest % 3;
    const box = (widest - axis) / 3;
    const at = levels[widest];
    for (let r = 0; r < count; r++) if (labelOf[r] === box && means[r * 3 + axis] > at) labelOf[r] = toneCount;
    toneCount++;
    levels = averageTones(means, weights, labelOf, toneCount, errors);
  }
  for (let round = 0; round < ROUNDS; round++) {
    for (let r = 0; r < count; r++) {
      let nearest = Infinity;
      for (let k = 0; k < toneCount; k++) {
        const y = means[r * 3] - levels[k * 3];
        const u = means[r * 3 + 1] - levels[k * 3 + 1];
        const v = means[r * 3 + 2] - levels[k * 3 + 2];
        const d = y * y + u * u + v * v;
        if (d < nearest) {
          nearest = d;
          labelOf[r] = k;
        }
      }
    }
    levels = averageTones(means, weights, labelOf, toneCount, errors);
  }
  return { levels, labelOf };
}

/** Returns the weighted mean of each label, and writes its squared error along each axis to `errors`. */
function averageTones(
  means: Float64Array,
  weights: Float64Array,
  labelOf: Uint16Array,
  toneCount: number,
  errors: Float64Array,
): Float64Array {
  const levels = new Float64Array(toneCount * 3);
  const sums = new Float64Array(toneCount);
  errors.fill(0);
  for (let r = 0; r < labelOf.length; r++) {
    const k = labelOf[r];
    sums[k] += weights[r];
    for (let c = 0; c < 3; c++) {
      const value = means[r * 3 + c];
      levels[k * 3 + c] += weights[r] * value;
      errors[k * 3 + c] += weights[r] * value * value;
    }
  }
  for (let k = 0; k < toneCount; k++) {
    for (let c = 3 * k; c < 3 * k + 3; c++) {
      if (sums[k] > 0) levels[c] /= sums[k];
      errors[c] -= sums[k] * levels[c] * levels[c];
    }
  }
  return levels;
}
