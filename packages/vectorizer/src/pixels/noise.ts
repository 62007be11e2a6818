import { giveBack, makeUint8Clamped } from '../geometry/memory.ts';
import { loadKernels } from '../kernels/kernels.ts';
import { forEachStrip } from '../kernels/strips.ts';
import type { Pixels } from './bitmap.ts';

/** Approximate number of pixels sampled in each direction. */
const SAMPLES = 150_000;

/** Rounding a smooth ramp to bytes looks like this much noise, in levels. */
const ROUNDING = 0.6;

/** The noise of a picture. */
export interface Noise {
  /** Standard deviation, in byte levels. */
  noise: number;
  /** True when most of the noise is ringing that lossy compression leaves beside edges. */
  isLossy: boolean;
  /** Standard deviation of the noise that is everywhere, as that of a sensor, in byte levels. */
  spread: number;
}

/**
 * Estimates the noise of a picture.
 *
 * Drawn art is flat between its edges, so second differences away from strong edges are pure noise. They are measured
 * twice: over all such pixels (sensor noise), and over those a few pixels from a strong edge, where lossy compression
 * rings. The second measure uses a higher quantile because ringing is patchy. The larger one counts. Rows and columns
 * are sampled.
 */
export function estimateNoise(pixels: Pixels): Noise {
  const step = Math.max(1, Math.floor((pixels.width * pixels.height) / SAMPLES));
  const bends = (step <= MOST_KERNEL_STEP && countInKernel(pixels, step)) || countHere(pixels, step);
  const spread = quantile(bends.everywhere, 0.5) / (0.6745 * Math.sqrt(6)); // of |2b-a-c| for unit normal noise
  const ringing = quantile(bends.nearEdges, 0.7) / (1.0364 * Math.sqrt(6));
  // Where much of a picture's edges is level, most blocks beside them are flat, and few ring as hard as ever.
  const peaks = quantile(bends.nearEdges, 0.9) / (1.6449 * Math.sqrt(6));
  const rings = ringing > spread && (ringing > ROUNDING || peaks > 2 * ROUNDING);
  // Where most edges keep to rows and columns, few blocks ring at all.
  const isLossy = rings || (spread < ROUNDING && shareOfSmall(bends.nearEdges) > LEAST_SMALL);
  if (!isLossy) return { noise: spread, isLossy, spread };
  return { noise: Math.max(ringing, ROUNDING, Math.min(MOST_OF_FEW, peaks)), isLossy, spread };
}

/** Bends of this many levels are small: no edge, and more than what rounding makes of a ramp. */
const SMALL = { least: 2, most: 4 };
/**
 * The share of small bends beside edges that tells a lossy picture, and the least number of bends that tell. In 500
 * clean drawings at 200 to 1000 px, .028 or less are small; in all but three of their 1500 JPEGs, .043 or more.
 */
const LEAST_SMALL = 0.036;
const LEAST_BENDS = 512;
/** Noise that the loudest tenth alone may tell, in byte levels. */
const MOST_OF_FEW = 1;

/** Returns the share of small bends in a histogram; 0 when it has too few to tell. */
function shareOfSmall(histogram: Uint32Array): number {
  let total = 0;
  let small = 0;
  histogram.forEach((count, bend) => {
    total += count;
    if (bend >= SMALL.least && bend <= SMALL.most) small += count;
  });
  return total < LEAST_BENDS ? 0 : small / total;
}

/** The kernel gets a copy of the whole picture, which is not worthwhile where fewer lines are read. */
const MOST_KERNEL_STEP = 8;

/** Histograms of second differences. */
interface Bends {
  everywhere: Uint32Array;
  nearEdges: Uint32Array;
}

/** Counts the second differences by the kernel. Returns undefined where there is none. */
function countInKernel(pixels: Pixels, step: number): Bends | undefined {
  const kernels = loadKernels();
  if (!kernels) return undefined;
  const { width, height } = pixels;
  const edgeBytes = (4 * width + 15) & ~15;
  let bends: Bends | undefined;
  forEachStrip(kernels, pixels, { margin: 1, extra: edgeBytes + 2048 }, ({ at, top, from, to }, _, edges) => {
    kernels.readNoise(at, top, from, to, width, height, step, edges);
    if (to < height) return;
    const [everywhere, nearEdges] = [0, 1024].map((place) =>
      new Uint32Array(kernels.memory.buffer, edges + edgeBytes + place, 256).slice(),
    );
    bends = { everywhere, nearEdges };
  });
  return bends;
}

/** Does in TypeScript what the kernel does. */
function countHere({ width, height, data }: Pixels, step: number): Bends {
  const everywhere = new Uint32Array(256);
  const nearEdges = new Uint32Array(256);
  for (const vertical of [false, true]) {
    const lines = vertical ? width : height;
    const length = vertical ? height : width;
    const stride = (vertical ? width : 1) * 4;
    for (let line = step >> 1; line < lines; line += step) {
      const base = vertical ? line * 4 : line * width * 4;
      readLine(data, base, length, stride, everywhere, nearEdges);
    }
  }
  return { everywhere, nearEdges };
}

/**
 * Counts the second differences along one row or column. It is a separate function so that the engine compiles it after
 * a few lines.
 */
function readLine(
  data: Uint8ClampedArray,
  base: number,
  length: number,
  stride: number,
  everywhere: Uint32Array,
  nearEdges: Uint32Array,
): void {
  let lastEdge = -100;
  let here = data[base + 1]; // green carries most of the light
  let after = length > 1 ? data[base + stride + 1] : here;
  // Most pixels of drawn art are equal to both neighbors.
  let zeros = 0;
  let zerosNearEdges = 0;
  for (let k = 1, at = base + stride + stride + 1; k < length - 1; k++, at += stride) {
    const before = here;
    here = after;
    after = data[at];
    if (here === before && here === after) {
      zeros++;
      if (k - lastEdge >= 3 && k - lastEdge <= 7) zerosNearEdges++;
      continue;
    }
    if (Math.abs(after - before) > 40) lastEdge = k;
    if (Math.abs(here - before) > 24 || Math.abs(here - after) > 24) continue;
    const bend = Math.min(255, Math.abs(2 * here - before - after));
    everywhere[bend]++;
    if (k - lastEdge >= 3 && k - lastEdge <= 7) nearEdges[bend]++;
  }
  everywhere[0] += zeros;
  nearEdges[0] += zerosNearEdges;
}

/**
 * Returns a quantile of a histogram, interpolated linearly inside a bin; 0 when the bin of exact zeros holds that
 * share.
 */
function quantile(histogram: Uint32Array, share: number): number {
  let total = 0;
  for (let i = 0; i < 256; i++) total += histogram[i];
  if (total < 32) return 0;
  let below = 0;
  for (let i = 0; i < 256; i++) {
    const count = histogram[i];
    if (below + count > total * share) return i === 0 ? 0 : i - 0.5 + (total * share - below) / count;
    below += count;
  }
  return 0;
}

/**
 * Returns a denoised copy (Lee's sigma filter, separable): each pixel becomes the mean of the nearby pixels of its row,
 * then of its column, that differ from it by less than the noise explains. Edges stay in place because the other side
 * never enters the mean.
 */
export function denoise(pixels: Pixels, sigma: number): Pixels {
  const rows = sigmaFilter(pixels, 1, 3 * sigma + 2);
  const clean = sigmaFilter(rows, pixels.width, 2.5 * sigma + 2);
  giveBack(rows.data);
  return clean;
}

/** Filters along rows or columns. `step` is the distance to the next pixel of the line, in pixels. */
function sigmaFilter(pixels: Pixels, step: number, range: number): Pixels {
  const { width, height, data } = pixels;
  const out = makeUint8Clamped(data.length);
  const radius = 2;
  const line = { data, step: step * 4, reach: range * 1.7 };
  const isRow = step === 1;
  const last = isRow ? width - 1 : height - 1;
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i += 4) {
      const along = isRow ? x : y;
      const first = i - Math.min(radius, along) * step * 4;
      average(line, i, first, i + Math.min(radius, last - along) * step * 4, out);
    }
  }
  return { ...pixels, data: out };
}

interface Line {
  data: Uint8ClampedArray;
  /** Bytes from one pixel to the next. */
  step: number;
  /** Largest difference that is averaged, as a sum over channels, which usually vary together. */
  reach: number;
}

/** Writes the mean of the pixels from `first` to `last` that are similar to the one at i. */
function average({ data, step, reach }: Line, i: number, first: number, last: number, out: Uint8ClampedArray): void {
  const r = data[i];
  const g = data[i + 1];
  const b = data[i + 2];
  const a = data[i + 3];
  let sumR = 0;
  let sumG = 0;
  let sumB = 0;
  let count = 0;
  for (let j = first; j <= last; j += step) {
    const difference = Math.abs(data[j] - r) + Math.abs(data[j + 1] - g) + Math.abs(data[j + 2] - b);
    if (difference > reach || data[j + 3] !== a) continue;
    sumR += data[j];
    sumG += data[j + 1];
    sumB += data[j + 2];
    count++;
  }
  out[i] = sumR / count;
  out[i + 1] = sumG / count;
  out[i + 2] = sumB / count;
  out[i + 3] = a;
}
