import type { Quantized } from '../color/labels.ts';
import type { Ramps } from '../color/paint.ts';
import { paintAt } from '../color/paint.ts';
import { withRoom } from '../geometry/growable.ts';
import type { Pixels } from '../pixels/bitmap.ts';
import { writeLuma } from '../pixels/bitmap.ts';
import { despeckle } from '../regions/despeckle.ts';
import type { Regions } from '../regions/regions.ts';
import { findRegions } from '../regions/regions.ts';
import type { Samples, Shading } from './shading.ts';
import { fitShading } from './shading.ts';

/**
 * Puts the bands of smooth shading together again and paints them with ramps.
 *
 * A palette cuts shading into bands whose borders are nowhere in the picture. Where colours change little by little, the
 * second difference of neighbouring pixels is about nothing; on an edge it is not, however faint the edge. So pixels without one are
 * joined to smooth pieces, and each piece that its bands do not explain is fitted with ramps. The pixels of the edges around it are then
 * shared out once more, by the colours that the ramps have beside them. Flat art has no such piece and passes untouched.
 *
 * In noise no pixel tells a slope, but a fit to hundreds of them does. Pieces are then sought in a softened copy, split by a finer sieve where
 * ramps do not explain them, grown into the pixels around them, and fitted again to all they have.
 */
export function findGradients(
  pixels: Pixels,
  regions: Regions,
  quantized: Quantized,
  noise: number,
  minAreaPx: number,
): Painted {
  const shaded = noise > 0 ? findDrifting(pixels, regions, quantized) : findShaded(pixels, regions, quantized);
  if (!shaded) return { regions, painted: quantized };
  const sieve = makeSieve(pixels, noise, regions, shaded);
  const pieces = findPieces(sieve, regions, shaded);
  const labels = regions.labels.slice();
  const firstRamp = quantized.count;
  const found: Shading[] = [];
  const means: number[] = [];
  const sums = new Float64Array(firstRamp * 5);
  for (let k = 0; k < pieces.count; k++) {
    const samples = takeSamples(sieve.pixels, pieces, k);
    if (samples.count < LEAST_SAMPLES) continue;
    const { error: banded, worst, bands } = measureBands(pieces, k, sieve.pixels, regions, sums);
    const blind = sieve.noise * sieve.noise;
    if (worst < (bands > 1 ? LEAST_SHADING : 2 * LEAST_SHADING) + 2 * blind) continue;
    const shading = fitShading(samples, sieve.noise);
    const { error } = shading;
    if (noise > 0 && error > POOR + 4 * blind && splitPiece(sieve, pieces, k)) continue;
    const bar = bands > 1 ? Math.min(GOOD_ENOUGH, banded) : 0;
    if (error > Math.max(0.5 * banded, bar)) continue;
    const label = firstRamp + found.length;
    found.push(shading);
    means.push(...meanOf(samples), 255);
    for (let i = pieces.from[k]; i < pieces.from[k + 1]; i++) labels[pieces.order[i]] = label;
  }
  if (means.length === 0) return { regions, painted: quantized };
  let painted = addPaints(quantized, found, means);
  if (noise > 0) {
    const seeds = labels.slice();
    growRamps(regions, shaded, painted, labels, found, firstRamp, 3);
    if (refit(pixels, regions, seeds, labels, found, means, firstRamp, noise) === 0)
      return { regions, painted: quantized };
    painted = addPaints(quantized, found, means);
    growRamps(regions, shaded, painted, labels, found, firstRamp, 1);
  }
  settleEdges(sieve, pieces, regions, painted, labels, firstRamp, noise);
  const joined = findRegions(labels, regions.width, regions.height);
  return { regions: despeckle(joined, painted, minAreaPx, 0, noise), painted };
}

/** Error, in levels squared and beside that of the noise, that asks for a closer look: more than one thing may be in a piece. */
const POOR = 2;
/** How much finer the sieve is with which a piece is split. */
const FINER = 0.6;

/** Puts the parts of a piece that a finer sieve leaves behind the last piece; false when that tells nothing new. */
function splitPiece(sieve: Sieve, pieces: Pieces, k: number): boolean {
  const { order, from, pieceAt, fineness } = pieces;
  const fine = fineness[k] * FINER;
  if (fine < 0.3) return false;
  const start = from[k];
  const end = from[k + 1];
  const own = order.slice(start, end);
  const before = pieces.count;
  for (let j = 0; j < own.length; j++) pieceAt[own[j]] = PENDING;
  const finer = { ...sieve, most: EDGE_STEP + (sieve.most - EDGE_STEP) * fine };
  collect(finer, pieces, own, PENDING, fine);
  for (let j = 0; j < own.length; j++) if (pieceAt[own[j]] === PENDING) pieceAt[own[j]] = -1;
  let largest = 0;
  for (let c = before; c < pieces.count; c++) largest = Math.max(largest, from[c + 1] - from[c]);
  if (largest > 0 && largest < 0.98 * own.length) return true;
  pieces.from.length = before + 1;
  pieces.fineness.length = before;
  pieces.count = before;
  for (let j = 0; j < own.length; j++) pieceAt[own[j]] = k + 1;
  return false;
}

/**
 * Fits the ramps once more, to all the pixels they have taken but those near an edge. One that then does not explain them as far as noise
 * allows gives back what it took, and is given up if that was most of it: it was found in a texture. Returns how many are left.
 */
function refit(
  pixels: Pixels,
  { width, height, labels: before }: Regions,
  seeds: Uint16Array,
  labels: Uint16Array,
  found: Shading[],
  means: number[],
  firstRamp: number,
  noise: number,
): number {
  const size = width * height;
  const from = new Array<number>(found.length + 1).fill(0);
  const pieceAt = new Int32Array(size);
  const isInside = (p: number): boolean => {
    const x = p % width;
    const label = labels[p];
    if (label < firstRamp) return false;
    const row = EDGE * width;
    return (
      (x < EDGE || labels[p - EDGE] === label) &&
      (x >= width - EDGE || labels[p + EDGE] === label) &&
      (p < row || labels[p - row] === label) &&
      (p >= size - row || labels[p + row] === label)
    );
  };
  for (let p = 0; p < size; p++) {
    if (!isInside(p)) continue;
    pieceAt[p] = labels[p] - firstRamp + 1;
    from[pieceAt[p]]++;
  }
  for (let k = 1; k < from.length; k++) from[k] += from[k - 1];
  const order = new Int32Array(from[found.length]);
  const next = from.slice();
  for (let p = 0; p < size; p++) if (pieceAt[p] > 0) order[next[pieceAt[p] - 1]++] = p;
  const pieces = { count: found.length, order, from, pieceAt, fineness: [] };
  // What the filter leaves of noise is more than it says, as neighbours that are alike by chance confirm each other.
  const blind = 1.5 * noise;
  const isPoor = new Uint8Array(found.length);
  let poor = 0;
  for (let k = 0; k < found.length; k++) {
    const samples = takeSamples(pixels, pieces, k);
    if (samples.count < LEAST_SAMPLES) continue;
    const shading = fitShading(samples, blind);
    if (shading.error > MOST_LEFT + 3 * blind * blind) {
      isPoor[k] = 1;
      poor++;
      continue;
    }
    found[k] = shading;
    means.splice(4 * k, 3, ...meanOf(samples));
  }
  if (poor === 0) return found.length;
  const kept = new Uint32Array(found.length);
  const grown = new Uint32Array(found.length);
  for (let p = 0; p < size; p++) {
    if (labels[p] < firstRamp) continue;
    grown[labels[p] - firstRamp]++;
    if (seeds[p] === labels[p]) kept[labels[p] - firstRamp]++;
  }
  let left = found.length - poor;
  for (let k = 0; k < found.length; k++) {
    if (isPoor[k] === 0 || kept[k] < LEAST_KEPT * grown[k]) continue;
    isPoor[k] = 2;
    left++;
  }
  for (let p = 0; p < size; p++) {
    const state = labels[p] < firstRamp ? 0 : isPoor[labels[p] - firstRamp];
    if (state !== 0) labels[p] = state === 2 ? seeds[p] : before[p];
  }
  return left;
}

/** Share of its pixels that a ramp must have had before it grew, or it grew over a texture. */
const LEAST_KEPT = 0.3;
/** Error beside that of noise, in levels squared, that a ramp may leave of all it has taken. */
const MOST_LEFT = 6;
/** Pixels this near to an edge may be mixes. */
const EDGE = 3;

/** Regions, and the paints their labels stand for. */
export interface Painted {
  regions: Regions;
  painted: Quantized;
}

/** Spread of colours, in levels squared, that is worth a ramp where bands have a border; a single one has to spread twice as far. */
const LEAST_SHADING = 2;
/** Error, in levels squared, that is better than bands even where those are no worse: a ramp has no borders. */
const GOOD_ENOUGH = 9;
/** Fewer pixels than this say too little about a ramp. */
const LEAST_SAMPLES = 40;
const MOST_SAMPLES = 1200;
/** Pixels of the smallest piece that is looked at; in noise, where the rims of shapes tell nothing, it has to be larger. */
const LEAST_PIECE = 48;
const LEAST_NOISY_PIECE = 150;

/** Second difference, in levels, that makes an edge where there is no noise. */
const EDGE_STEP = 3;

/** Whether colours do not go on evenly, or rush, from `reach` pixels before p to as many after it, along its row or its column. */
function isRough({ width, height, data }: Pixels, p: number, reach: number, most: number): boolean {
  const steep = STEEP + STEEPER * (reach - 1);
  const x = p % width;
  const i = p * 4;
  const across = reach * 4;
  const down = reach * width * 4;
  return (
    (x >= reach && x < width - reach && bends(data, i, across, most, steep)) ||
    (i >= down && i + down < width * height * 4 && bends(data, i, down, most, steep))
  );
}

/** The middle of an edge does not bend, but no shading is as steep: levels over two pixels, and over every two more. */
const STEEP = 30;
const STEEPER = 8;

function bends(data: Uint8ClampedArray, i: number, step: number, most: number, steep: number): boolean {
  for (let c = i; c < i + 4; c++) {
    const before = data[c - step];
    const after = data[c + step];
    if (Math.abs(before - 2 * data[c] + after) > most || Math.abs(after - before) > steep) return true;
  }
  return false;
}

/** How smooth places are told from edges: in noise over a wider reach, of means over small squares. */
interface Sieve {
  pixels: Pixels;
  reach: number;
  most: number;
  /** Standard deviation of the noise that is left in those pixels, in byte levels. */
  noise: number;
}

function makeSieve(pixels: Pixels, noise: number, regions: Regions, shaded: Uint8Array): Sieve {
  if (noise === 0) return { pixels, reach: 1, most: EDGE_STEP, noise: 0 };
  let soft = blur(blur(pixels, 4), pixels.width * 4);
  if (noise > 1) soft = blur(blur(soft, 4), pixels.width * 4);
  if (noise > 1) soft = blur(blur(soft, 4), pixels.width * 4);
  const reach = noise > 1 ? 5 : 3;
  const left = Math.min(noise, measureBend(soft, regions, shaded, reach));
  return { pixels: soft, reach, most: EDGE_STEP + 2.2 * Math.sqrt(6) * left, noise: left };
}

/** Standard deviation of the noise in shaded regions, from the median second difference along rows; where there is none, shading bends little. */
function measureBend({ width, height, data }: Pixels, { ids }: Regions, shaded: Uint8Array, reach: number): number {
  const counts = new Uint32Array(64); // of quarter levels
  let total = 0;
  for (let y = 1; y < height; y += 3) {
    for (let x = reach; x < width - reach; x += 2) {
      const p = y * width + x;
      if (!shaded[ids[p]]) continue;
      for (let i = p * 4; i < p * 4 + 3; i++) {
        const bend = Math.abs(data[i - reach * 4] - 2 * data[i] + data[i + reach * 4]);
        counts[Math.min(63, bend)]++;
        total++;
      }
    }
  }
  let below = 0;
  for (let bin = 0; bin < 64; bin++) {
    if (2 * (below + counts[bin]) >= total)
      return Math.max(0, bin - 0.5 + (total / 2 - below) / (counts[bin] || 1)) / (0.6745 * Math.sqrt(6));
    below += counts[bin];
  }
  return 0;
}

/** Means of three neighbours, `step` bytes apart. */
function blur(pixels: Pixels, step: number): Pixels {
  const { data } = pixels;
  const out = data.slice();
  for (let i = step, end = data.length - step; i < end; i++) out[i] = (data[i - step] + data[i] + data[i + step]) / 3;
  return { ...pixels, data: out };
}

/** The regions whose smooth pixels differ from one another by more than noise: bands. Undefined when there is none. Looks at one in four. */
function findShaded(
  pixels: Pixels,
  { ids, labels, count, areaOf }: Regions,
  { palette }: Quantized,
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
  const shaded = new Uint8Array(count);
  let found = 0;
  for (let r = 0; r < count; r++) {
    const n = sums[r * 7];
    if (n < 6 || 4 * n < 0.2 * areaOf[r]) continue;
    let spread = 0;
    for (let c = 1; c <= 3; c++) spread = Math.max(spread, sums[r * 7 + 3 + c] / n - (sums[r * 7 + c] / n) ** 2);
    if (spread < LEAST_SHADING) continue;
    shaded[r] = 1;
    found++;
  }
  return found > 0 ? shaded : undefined;
}

/** Pixels so far apart share no noise. */
const LAG = 8;
/** Spread of colours, in levels squared, that is worth a look in a noisy picture. */
const LEAST_DRIFT = 1.5;

/** Half as wide as the rim of a region that mixes and ringing may fill. */
const RIM = 4;

function isDeep(ids: Uint32Array, width: number, height: number, x: number, y: number): boolean {
  if (x < RIM || y < RIM || x >= width - RIM || y >= height - RIM) return false;
  const p = y * width + x;
  const id = ids[p];
  return ids[p - RIM] === id && ids[p + RIM] === id && ids[p - RIM * width] === id && ids[p + RIM * width] === id;
}

/** Steps in which slopes are felt, in pixels, and the largest change over one that may be a slope, in levels. */
const STRIDE = 4;
const STEEPEST_STEP = 16;
/** Mean product of two steps one after another that makes a slope, in levels squared. */
const LEAST_SLOPE = 4;

/**
 * The same in noise: the regions in which pixels some way apart differ from the mean of the region alike, and narrow ones in which one step
 * goes the way of the step before. Noise averages out of both products, shading does not.
 */
function findDrifting(
  { width, height, data }: Pixels,
  { ids, labels, count, areaOf }: Regions,
  { palette }: Quantized,
): Uint8Array | undefined {
  const sums = new Float64Array(count * 10); // pairs, then of each channel the sums of both ends and of their products
  const slopes = new Float64Array(count * 4); // pairs of steps, then of each channel the sum of their products
  for (let y = STRIDE; y < height - STRIDE; y += 2) {
    for (let x = STRIDE; x < width - STRIDE; x += 2) {
      const p = y * width + x;
      addSteps(data, p * 4, STRIDE * 4, slopes, ids[p] * 4);
      addSteps(data, p * 4, STRIDE * width * 4, slopes, ids[p] * 4);
      if (!isDeep(ids, width, height, x, y)) continue;
      if (isDeep(ids, width, height, x + LAG, y)) addPair(data, p, p + LAG, ids, palette, labels[p] * 4, sums);
      if (isDeep(ids, width, height, x, y + LAG)) addPair(data, p, p + LAG * width, ids, palette, labels[p] * 4, sums);
    }
  }
  const shaded = new Uint8Array(count);
  let found = 0;
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
    shaded[r] = 1;
    found++;
  }
  return found > 0 ? shaded : undefined;
}

/** Adds the products of the step from before pixel i to it and the step on from there, unless one is too large for a slope. */
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
  p: number,
  q: number,
  ids: Uint32Array,
  palette: Float64Array,
  k: number,
  sums: Float64Array,
): void {
  if (ids[q] !== ids[p]) return;
  const at = ids[p] * 10;
  sums[at]++;
  for (let c = 0; c < 3; c++) {
    const a = data[p * 4 + c] - palette[k + c];
    const b = data[q * 4 + c] - palette[k + c];
    sums[at + 1 + c] += a;
    sums[at + 4 + c] += b;
    sums[at + 7 + c] += a * b;
  }
}

/** Connected smooth pixels. */
interface Pieces {
  count: number;
  /** Pixels of all pieces, one piece after another. */
  order: Int32Array;
  /** First index in `order` of each piece; one more than there are pieces. */
  from: number[];
  /** How fine the sieve was that each was found with; 1 at first. */
  fineness: number[];
  /** Piece of each pixel, from 1; 0 was never looked at, -1 is on an edge, -2 in a piece too small. */
  pieceAt: Int32Array;
}

/** In `pieceAt`: to be looked at again. */
const PENDING = -3;

function findPieces(sieve: Sieve, { ids }: Regions, shaded: Uint8Array): Pieces {
  const size = ids.length;
  const pieces: Pieces = {
    count: 0,
    order: new Int32Array(size),
    from: [0],
    fineness: [],
    pieceAt: new Int32Array(size),
  };
  const seeds = new Int32Array(size);
  let used = 0;
  for (let p = 0; p < size; p++) if (shaded[ids[p]]) seeds[used++] = p;
  collect(sieve, pieces, seeds.subarray(0, used), 0, 1);
  return pieces;
}

/** Grows pieces from the seeds through pixels that are `fresh` and smooth, and puts them behind those there are. */
function collect(sieve: Sieve, pieces: Pieces, seeds: Int32Array, fresh: number, fine: number): void {
  const { pixels, reach, most } = sieve;
  const least = sieve.noise > 0 ? LEAST_NOISY_PIECE : LEAST_PIECE;
  const { width, height, data } = pixels;
  const { from, fineness, pieceAt } = pieces;
  const size = width * height;
  let used = from[from.length - 1];
  pieces.order = withRoom(pieces.order, used + seeds.length);
  const { order } = pieces;
  const isSmooth = (p: number): boolean => {
    if (pieceAt[p] !== fresh) return false;
    if (data[p * 4 + 3] >= 250 && !isRough(pixels, p, reach, most)) return true;
    pieceAt[p] = -1;
    return false;
  };
  for (let k = 0; k < seeds.length; k++) {
    const seed = seeds[k];
    if (!isSmooth(seed)) continue;
    const start = used;
    const piece = from.length;
    order[used++] = seed;
    pieceAt[seed] = piece;
    for (let head = start; head < used; head++) {
      const p = order[head];
      const x = p % width;
      for (let side = 0; side < 4; side++) {
        if (side === 0 ? x === 0 : side === 1 ? x === width - 1 : side === 2 ? p < width : p >= size - width) continue;
        const q = p + (side === 0 ? -1 : side === 1 ? 1 : side === 2 ? -width : width);
        if (!isSmooth(q)) continue;
        order[used++] = q;
        pieceAt[q] = piece;
      }
    }
    if (used - start >= least) {
      from.push(used);
      fineness.push(fine);
    } else {
      for (let j = start; j < used; j++) pieceAt[order[j]] = -2;
      used = start;
    }
  }
  pieces.count = from.length - 1;
}

/** Mean squared distance of a channel from the mean of its band: in the whole piece, and in the band where it is largest. How many bands hold much of it. */
function measureBands(
  { order, from }: Pieces,
  k: number,
  { data }: Pixels,
  { labels }: Regions,
  sums: Float64Array,
): { error: number; worst: number; bands: number } {
  sums.fill(0);
  for (let j = from[k]; j < from[k + 1]; j++) {
    const i = order[j] * 4;
    const at = labels[order[j]] * 5;
    sums[at + 3]++;
    for (let c = 0; c < 3; c++) {
      sums[at + c] += data[i + c];
      sums[at + 4] += data[i + c] * data[i + c];
    }
  }
  const area = from[k + 1] - from[k];
  let error = 0;
  let worst = 0;
  let bands = 0;
  for (let at = 0; at < sums.length; at += 5) {
    const n = sums[at + 3];
    if (n === 0) continue;
    let spread = sums[at + 4];
    for (let c = 0; c < 3; c++) spread -= (sums[at + c] * sums[at + c]) / n;
    error += spread / (3 * area);
    if (n < 24 || n < 0.05 * area) continue;
    bands++;
    worst = Math.max(worst, spread / (3 * n));
  }
  return { error, worst, bands };
}

/** Some pixels of a piece, away from its rim where there are enough. */
function takeSamples({ width, height, data }: Pixels, pieces: Pieces, k: number): Samples {
  const { order, pieceAt } = pieces;
  const start = pieces.from[k];
  const end = pieces.from[k + 1];
  const piece = k + 1;
  const isInside = (p: number, reach: number): boolean => {
    const x = p % width;
    const y = (p - x) / width;
    if (x < reach || y < reach || x >= width - reach || y >= height - reach) return false;
    const row = reach * width;
    return (
      pieceAt[p - reach] === piece &&
      pieceAt[p + reach] === piece &&
      pieceAt[p - row] === piece &&
      pieceAt[p + row] === piece
    );
  };
  let inner = 0;
  for (let j = start; j < end; j++) if (isInside(order[j], 1)) inner++;
  const innerOnly = inner > 0.4 * (end - start);
  // Scattered, so that no pattern of the picture meets a pattern of the choice.
  const share = (2 ** 32 * 0.95 * MOST_SAMPLES) / (innerOnly ? inner : end - start);
  const x = new Float64Array(MOST_SAMPLES);
  const y = new Float64Array(MOST_SAMPLES);
  const colors = new Float64Array(MOST_SAMPLES * 3);
  const right = new Float64Array(MOST_SAMPLES * 3);
  const down = new Float64Array(MOST_SAMPLES * 3);
  let count = 0;
  for (let j = start; j < end && count < MOST_SAMPLES; j++) {
    const p = order[j];
    if (Math.imul(p, 0x9e3779b1) >>> 0 > share || (innerOnly && !isInside(p, 1))) continue;
    x[count] = (p % width) + 0.5;
    y[count] = Math.floor(p / width) + 0.5;
    const reach = isInside(p, 4) ? 4 : isInside(p, 2) ? 2 : isInside(p, 1) ? 1 : 0;
    for (let c = 0; c < 3; c++) {
      const i = p * 4 + c;
      colors[count * 3 + c] = data[i];
      if (reach === 0) continue;
      right[count * 3 + c] = (data[i + 4 * reach] - data[i - 4 * reach]) / (2 * reach);
      down[count * 3 + c] = (data[i + 4 * reach * width] - data[i - 4 * reach * width]) / (2 * reach);
    }
    count++;
  }
  return { count, x, y, colors, right, down };
}

function meanOf({ count, colors }: Samples): number[] {
  const sum = [0, 0, 0];
  for (let i = 0; i < count * 3; i++) sum[i % 3] += colors[i];
  return sum.map((value) => value / count);
}

/** The palette with the ramps behind its colours. */
function addPaints(quantized: Quantized, found: readonly Shading[], means: number[]): Quantized {
  const { count, palette, measuredPalette } = quantized;
  const ramps: (Ramps | undefined)[] = new Array(count).fill(undefined);
  for (const { ramps: own } of found) ramps.push(own);
  const longer = new Float64Array(count * 4 + means.length);
  longer.set(palette);
  longer.set(means, count * 4);
  if (measuredPalette === palette)
    return { ...quantized, count: ramps.length, palette: longer, measuredPalette: longer, ramps };
  const measured = new Float64Array(longer.length);
  measured.set(measuredPalette);
  for (let i = count * 4; i < longer.length; i += 4) {
    writeLuma(longer[i], longer[i + 1], longer[i + 2], longer[i + 3], measured, i);
  }
  return { ...quantized, count: ramps.length, palette: longer, measuredPalette: measured, ramps };
}

/**
 * Lets the ramps take the pixels around them that show their colours but for noise (seeded region growing, Adams and Bischof 1994): those of
 * bands, and those that their own colour explains less. `loose` widens what
 * counts as noise, as a share of its square.
 */
function growRamps(
  { width, height, ids, count, areaOf }: Regions,
  shaded: Uint8Array,
  painted: Quantized,
  labels: Uint16Array,
  found: readonly Shading[],
  firstRamp: number,
  loose: number,
): void {
  const { ramps, measured, measuredPalette } = painted;
  const { data } = measured;
  const isLuma = measuredPalette !== painted.palette;
  const size = width * height;
  const taken = new Uint32Array(count);
  for (let p = 0; p < size; p++) if (labels[p] >= firstRamp) taken[ids[p]]++;
  const shown = new Float64Array(4);
  const queue = new Int32Array(size);
  let used = 0;
  for (let p = 0; p < size; p++) {
    if (labels[p] < firstRamp) continue;
    const x = p % width;
    const isRim =
      (x > 0 && labels[p - 1] < firstRamp) ||
      (x < width - 1 && labels[p + 1] < firstRamp) ||
      (p >= width && labels[p - width] < firstRamp) ||
      (p < size - width && labels[p + width] < firstRamp);
    if (isRim) queue[used++] = p;
  }
  for (let head = 0; head < used; head++) {
    const p = queue[head];
    const label = labels[p];
    const x = p % width;
    const most = 9 * loose * (6 + 3 * found[label - firstRamp].error);
    for (let side = 0; side < 4; side++) {
      if (side === 0 ? x === 0 : side === 1 ? x === width - 1 : side === 2 ? p < width : p >= size - width) continue;
      const q = p + (side === 0 ? -1 : side === 1 ? 1 : side === 2 ? -width : width);
      if (labels[q] >= firstRamp) continue;
      const own = ramps[label];
      if (!own) continue;
      const qx = q % width;
      paintAt(own, qx + 0.5, (q - qx) / width + 0.5, shown, 0);
      if (isLuma) writeLuma(shown[0], shown[1], shown[2], shown[3], shown, 0);
      let apart = 0;
      for (let c = 0; c < 4; c++) apart += (data[q * 4 + c] - shown[c]) ** 2;
      if (apart > most) continue;
      if (2 * taken[ids[q]] <= areaOf[ids[q]] && !shaded[ids[q]]) {
        const k = labels[q] * 4;
        let flat = 0;
        for (let c = 0; c < 4; c++) flat += (data[q * 4 + c] - measuredPalette[k + c]) ** 2;
        if (flat < 2 * apart) continue;
      }
      labels[q] = label;
      queue[used++] = q;
    }
  }
}

/** Regions beside ramps of fewer pixels than this are taken for mixes, also where shapes laid over one another mixed more than two colours. */
const LEAST_DETAIL = 16;
/** Rounds in which the edges around ramps are shared out, a ring of pixels in each. */
const ROUNDS = 6;

/**
 * Shares out the pixels between smooth pieces, as `labels.ts` does between flat colours: ring by ring, each goes to the larger part of the
 * pair of near paints that explains it best. Those of a region that is no band keep their colour where nothing explains them.
 */
function settleEdges(
  sieve: Sieve,
  { pieceAt }: Pieces,
  { width, height, ids, count, areaOf }: Regions,
  painted: Quantized,
  labels: Uint16Array,
  firstRamp: number,
  noise: number,
): void {
  const size = width * height;
  const taken = new Uint32Array(count); // pixels of each region that ramps have taken
  for (let p = 0; p < size; p++) if (labels[p] >= firstRamp) taken[ids[p]]++;
  const isOpen = (p: number): boolean => {
    if (labels[p] >= firstRamp || pieceAt[p] > 0) return false;
    const r = ids[p];
    if (2 * taken[r] > areaOf[r]) return true;
    if (pieceAt[p] !== -1 && !(pieceAt[p] === 0 && isRough(sieve.pixels, p, sieve.reach, sieve.most))) return false;
    const x = p % width;
    const y = (p - x) / width;
    for (let v = Math.max(0, y - 2); v <= Math.min(height - 1, y + 2); v++) {
      for (let u = Math.max(0, x - 2); u <= Math.min(width - 1, x + 2); u++) {
        if (labels[v * width + u] >= firstRamp) return true;
      }
    }
    return false;
  };
  let open = new Int32Array(1024);
  let waiting = 0;
  for (let p = 0; p < size; p++) {
    if (!isOpen(p)) continue;
    open = withRoom(open, waiting + 1);
    open[waiting++] = p;
  }
  const isWaiting = new Uint8Array(size);
  for (let k = 0; k < waiting; k++) isWaiting[open[k]] = 1;

  const mixer = new Mixer(painted);
  const near = (10 + 4 * noise) ** 2 * 3;
  const decided = new Int32Array(waiting);
  for (let round = 0; round < ROUNDS && waiting > 0; round++) {
    for (let k = 0; k < waiting; k++) {
      const p = open[k];
      const x = p % width;
      const y = (p - x) / width;
      mixer.start();
      for (let v = Math.max(0, y - 2); v <= Math.min(height - 1, y + 2); v++) {
        for (let u = Math.max(0, x - 2); u <= Math.min(width - 1, x + 2); u++) {
          if (!isWaiting[v * width + u]) mixer.add(labels[v * width + u]);
        }
      }
      const gives = 2 * taken[ids[p]] > areaOf[ids[p]] || areaOf[ids[p]] < LEAST_DETAIL;
      decided[k] = mixer.explain(p, x + 0.5, y + 0.5);
      if (decided[k] >= 0 && !gives && mixer.off > near) decided[k] = labels[p];
    }
    let rest = 0;
    for (let k = 0; k < waiting; k++) {
      if (decided[k] < 0) {
        open[rest++] = open[k];
        continue;
      }
      labels[open[k]] = decided[k];
      isWaiting[open[k]] = 0;
    }
    if (rest === waiting) break;
    waiting = rest;
  }
}

/** Explains a pixel as a mix of two of some paints. */
class Mixer {
  /** Squared distance of the pixel from the explanation. */
  off = 0;
  private readonly painted: Quantized;
  private readonly isLuma: boolean;
  private readonly labels = new Int32Array(24);
  private readonly colors = new Float64Array(96);
  private found = 0;

  constructor(painted: Quantized) {
    this.painted = painted;
    this.isLuma = painted.measuredPalette !== painted.palette;
  }

  start(): void {
    this.found = 0;
  }

  add(label: number): void {
    for (let k = 0; k < this.found; k++) if (this.labels[k] === label) return;
    if (this.found < 24) this.labels[this.found++] = label;
  }

  /** The label of the larger part, or -1 without any paint. */
  explain(p: number, x: number, y: number): number {
    const { labels, colors, found } = this;
    const { ramps, measured, measuredPalette } = this.painted;
    const { data } = measured;
    const i = p * 4;
    let best = -1;
    this.off = Infinity;
    for (let m = 0; m < found; m++) {
      const own = ramps[labels[m]];
      const at = m * 4;
      if (own) {
        paintAt(own, x, y, colors, at);
        if (this.isLuma) writeLuma(colors[at], colors[at + 1], colors[at + 2], colors[at + 3], colors, at);
      } else for (let c = 0; c < 4; c++) colors[at + c] = measuredPalette[labels[m] * 4 + c];
      let off = 0;
      for (let c = 0; c < 4; c++) off += (data[i + c] - colors[at + c]) ** 2;
      if (off >= this.off) continue;
      this.off = off;
      best = labels[m];
    }
    for (let m = 0; m < found; m++) {
      for (let n = m + 1; n < found; n++) {
        let dot = 0;
        let span = 1e-9;
        for (let c = 0; c < 4; c++) {
          const step = colors[m * 4 + c] - colors[n * 4 + c];
          dot += (data[i + c] - colors[n * 4 + c]) * step;
          span += step * step;
        }
        const share = Math.max(0, Math.min(1, dot / span));
        let off = 12;
        for (let c = 0; c < 4; c++) {
          off += (data[i + c] - share * colors[m * 4 + c] - (1 - share) * colors[n * 4 + c]) ** 2;
        }
        if (off >= this.off) continue;
        this.off = off;
        best = share > 0.5 ? labels[m] : labels[n];
      }
    }
    return best;
  }
}
