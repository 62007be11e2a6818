import { giveBack } from '../geometry/memory.ts';
import type { Bitmap } from './bitmap.ts';
import { isOpaque, readPixels } from './bitmap.ts';
import { estimateNoise } from './noise.ts';

/** A picture of at most this many pixels is traced as it is. */
const MOST_PIXELS = 16_000_000;
/** Standard deviation of the noise of a sensor, in byte levels: that of dithering and rounding is less. */
const LEAST_NOISE = 1;
/** The factor by which the others are reduced. */
export const NOISY_SCALE = 2;

/**
 * Reduces a large picture with the noise of a sensor by two: lens, sensor and noise have left no detail of a single
 * pixel in it, and four pixels have half the noise of one. Each pixel is the mean of 2 × 2, fewer at the right and
 * lower edges of an odd size; with colors weighted by alpha. Returns the bitmap itself when it is small, or has no such
 * noise: lossy compression beside the edges of a drawing is none. Linear in the pixels; 1 byte for each pixel of an
 * opaque bitmap, 5 for others.
 */
export function reduceNoisy(bitmap: Bitmap): Bitmap {
  const { width, height } = bitmap;
  if (width * height <= MOST_PIXELS) return bitmap;
  const pixels = readPixels(bitmap, 'color');
  const { spread } = estimateNoise(pixels);
  giveBack(pixels.data);
  return spread < LEAST_NOISE ? bitmap : halve(bitmap);
}

/** Returns a bitmap of half the width and height, rounded up. */
export function halve(bitmap: Bitmap): Bitmap {
  const { width, height, data } = bitmap;
  const [across, down] = [Math.ceil(width / 2), Math.ceil(height / 2)];
  const out = new Uint8ClampedArray(across * down * 4);
  const average = isOpaque(bitmap) ? averageOpaque : averageColors;
  const four = new Int32Array(4);
  for (let y = 0, at = 0; y < down; y++) {
    const above = 2 * y * width * 4;
    const below = 2 * y + 1 < height ? above + width * 4 : above;
    for (let x = 0; x < across; x++, at += 4) {
      const left = 8 * x;
      const right = 2 * x + 1 < width ? left + 4 : left;
      four[0] = above + left;
      four[1] = above + right;
      four[2] = below + left;
      four[3] = below + right;
      average(data, four, out, at);
    }
  }
  return { width: across, height: down, data: out };
}

type Average = (data: Bitmap['data'], four: Int32Array, out: Uint8ClampedArray, at: number) => void;

/** Writes the mean color of four opaque pixels. */
const averageOpaque: Average = (data, four, out, at) => {
  const [a, b, c, d] = [four[0], four[1], four[2], four[3]];
  for (let k = 0; k < 3; k++) out[at + k] = (data[a + k] + data[b + k] + data[c + k] + data[d + k]) / 4;
  out[at + 3] = 255;
};

/** The same for colors of straight alpha: a clear pixel has none. */
const averageColors: Average = (data, four, out, at) => {
  let alpha = 0;
  for (let k = 0; k < 4; k++) alpha += data[four[k] + 3];
  if (alpha === 0) return;
  for (let c = 0; c < 3; c++) {
    let sum = 0;
    for (let k = 0; k < 4; k++) sum += data[four[k] + 3] * data[four[k] + c];
    out[at + c] = sum / alpha;
  }
  out[at + 3] = alpha / 4;
};
