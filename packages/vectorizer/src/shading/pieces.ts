import { withRoom } from '../geometry/growable.ts';
import { makeInt32 } from '../geometry/memory.ts';
import type { Pixels } from '../pixels/bitmap.ts';
import type { Regions } from '../regions/regions.ts';
import type { Samples } from './shading.ts';
import type { SmoothnessTest } from './smoothness.ts';
import { EDGE_STEP, isRough } from './smoothness.ts';

/** Factor by which the smoothness test gets stricter when a piece is split. */
const FINER = 0.6;

/**
 * Splits piece k with a stricter smoothness test and appends its parts to the pieces. Returns false, and changes
 * nothing, when the parts are not clearly smaller.
 */
export function splitPiece(smoothness: SmoothnessTest, pieces: Pieces, k: number): boolean {
  const fine = pieces.fineness[k] * FINER;
  if (fine < 0.3) return false;
  const finer = { ...smoothness, most: EDGE_STEP + (smoothness.most - EDGE_STEP) * fine };
  return replacePiece(pieces, k, (own) => growAll(finer, pieces, own, fine));
}

/**
 * Splits piece k into its most frequent color and the rest, as shading that fades into a flat area has no edge there.
 * Appends the parts to the pieces. Returns false, and changes nothing, when the piece has no such color.
 */
export function splitFlat(smoothness: SmoothnessTest, pieces: Pieces, k: number): boolean {
  const { data } = smoothness.pixels;
  const start = pieces.from[k];
  const end = pieces.from[k + 1];
  const color = findMode(data, pieces.order.subarray(start, end));
  const most = FLAT_STEP + FLAT_NOISE * smoothness.noise;
  const distance = (p: number): number => Math.max(...color.map((value, c) => Math.abs(data[p * 4 + c] - value)));
  let flat = 0;
  let wide = 0;
  for (let j = start; j < end; j++) {
    const off = distance(pieces.order[j]);
    if (off <= most) flat++;
    if (off <= 2 * most) wide++;
  }
  if (flat < LEAST_FLAT_SHARE * (end - start) || end - start - flat < LEAST_NOISY_PIECE) return false;
  if (wide > MOST_SPREAD * flat) return false;
  const isFlat = (p: number): boolean => distance(p) <= most;
  const before = pieces.count;
  return replacePiece(pieces, k, (own) => {
    growAll(smoothness, pieces, own.filter(isFlat), pieces.fineness[k]);
    for (let part = before; part < pieces.count; part++) pieces.flat[part] = true;
    growAll(
      smoothness,
      pieces,
      own.filter((p) => !isFlat(p)),
      pieces.fineness[k],
    );
  });
}

/** Returns the most frequent color of the listed pixels: the mean of those in the fullest cube of 4 levels. */
function findMode(data: Uint8ClampedArray, list: Int32Array): number[] {
  const cubes = new Map<number, [number, number, number, number]>();
  let fullest: [number, number, number, number] = [0, 0, 0, 0];
  for (let j = 0; j < list.length; j++) {
    const i = list[j] * 4;
    const key = ((data[i] >> 2) << 12) | ((data[i + 1] >> 2) << 6) | (data[i + 2] >> 2);
    let cube = cubes.get(key);
    if (!cube) {
      cube = [0, 0, 0, 0];
      cubes.set(key, cube);
    }
    for (let c = 0; c < 3; c++) cube[c] += data[i + c];
    cube[3]++;
    if (cube[3] > fullest[3]) fullest = cube;
  }
  return [0, 1, 2].map((c) => fullest[c] / fullest[3]);
}

/** Levels by which pixels of one color may be off, and the same as a multiple of the noise. */
const FLAT_STEP = 2;
const FLAT_NOISE = 2.5;
/** Least share of a piece that is a flat area. */
const LEAST_FLAT_SHARE = 0.04;
/** In a flat area, twice the tolerance holds at most this many times as many pixels. A slope has twice as many. */
const MOST_SPREAD = 1.3;

/** Grows pieces among the given pixels. */
function growAll(smoothness: SmoothnessTest, pieces: Pieces, pixels: Int32Array, fine: number): void {
  const { pieceAt } = pieces;
  for (let j = 0; j < pixels.length; j++) pieceAt[pixels[j]] = PENDING;
  const grow = createGrower(smoothness, pieces, PENDING, fine);
  for (let j = 0; j < pixels.length; j++) grow(pixels[j]);
  for (let j = 0; j < pixels.length; j++) if (pieceAt[pixels[j]] === PENDING) pieceAt[pixels[j]] = -1;
}

/** Replaces piece k by those that `grow` appends. Returns false, and changes nothing, when one is about as large. */
function replacePiece(pieces: Pieces, k: number, grow: (own: Int32Array) => void): boolean {
  const { order, from, pieceAt, fineness, flat } = pieces;
  const own = order.slice(from[k], from[k + 1]);
  const before = pieces.count;
  pieces.order = withRoom(order, from[from.length - 1] + own.length);
  grow(own);
  let largest = 0;
  for (let c = before; c < pieces.count; c++) largest = Math.max(largest, from[c + 1] - from[c]);
  if (largest > 0 && largest < 0.98 * own.length) return true;
  from.length = before + 1;
  fineness.length = before;
  flat.length = Math.min(flat.length, before);
  pieces.count = before;
  for (let j = 0; j < own.length; j++) pieceAt[own[j]] = k + 1;
  return false;
}

/** Connected smooth pixels. */
export interface Pieces {
  count: number;
  /** Pixels of all pieces, one piece after another. */
  order: Int32Array;
  /** First index in `order` of each piece; one more than there are pieces. */
  from: number[];
  /** Strictness of the smoothness test that found each piece; 1 at first. */
  fineness: number[];
  /** True for each piece that is a flat area split from shading. The list ends after the last such piece. */
  flat: boolean[];
  /** Piece of each pixel, from 1. 0: not visited; -1: on an edge; -2: in a piece that is too small. */
  pieceAt: Int32Array;
}

/** In `pieceAt`: to be visited again. */
const PENDING = -3;

/** Finds the connected smooth pieces of shaded regions. Linear in the pixels. */
export function findPieces(smoothness: SmoothnessTest, { ids }: Regions, isShaded: Uint8Array): Pieces {
  const size = ids.length;
  const pieces: Pieces = {
    count: 0,
    order: makeInt32(size),
    from: [0],
    fineness: [],
    flat: [],
    pieceAt: makeInt32(size),
  };
  const grow = createGrower(smoothness, pieces, 0, 1);
  for (let p = 0; p < size; p++) if (isShaded[ids[p]]) grow(p);
  return pieces;
}

/** Pixels of the smallest piece; in noise, where the rims of shapes say nothing, it has to be larger. */
const LEAST_PIECE = 48;
const LEAST_NOISY_PIECE = 150;

/**
 * Returns a function that grows a piece from a seed through smooth pixels whose mark is `fresh`, and appends it to the
 * pieces. Their `order` must have room for all those pixels.
 */
function createGrower(smoothness: SmoothnessTest, pieces: Pieces, fresh: number, fine: number): (seed: number) => void {
  const { pixels, reach, most } = smoothness;
  const least = smoothness.noise > 0 ? LEAST_NOISY_PIECE : LEAST_PIECE;
  const { width, height, data } = pixels;
  const { order, from, fineness, pieceAt } = pieces;
  const size = width * height;
  let end = from[from.length - 1];
  const isSmooth = (p: number): boolean => {
    if (pieceAt[p] !== fresh) return false;
    if (data[p * 4 + 3] >= 250 && !isRough(pixels, p, reach, most)) return true;
    pieceAt[p] = -1;
    return false;
  };
  return (seed) => {
    if (!isSmooth(seed)) return;
    const start = end;
    const piece = from.length;
    order[end++] = seed;
    pieceAt[seed] = piece;
    for (let head = start; head < end; head++) {
      const p = order[head];
      const x = p % width;
      for (let side = 0; side < 4; side++) {
        if (side === 0 ? x === 0 : side === 1 ? x === width - 1 : side === 2 ? p < width : p >= size - width) continue;
        const q = p + (side === 0 ? -1 : side === 1 ? 1 : side === 2 ? -width : width);
        if (!isSmooth(q)) continue;
        order[end++] = q;
        pieceAt[q] = piece;
      }
    }
    if (end - start >= least) {
      from.push(end);
      fineness.push(fine);
    } else {
      for (let j = start; j < end; j++) pieceAt[order[j]] = -2;
      end = start;
    }
    pieces.count = from.length - 1;
  };
}

/**
 * Returns the mean squared distance of a channel from the mean of its band, over the whole piece (`error`) and in the
 * band where it is largest (`worst`), and the number of bands that hold a notable part of the piece.
 */
export function measureBands(
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

const MOST_SAMPLES = 1200;

/** Returns a sample of the pixels of a piece, away from its rim when there are enough. */
export function takeSamples({ width, height, data }: Pixels, pieces: Pieces, k: number): Samples {
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
  // Samples are chosen by a hash of the position, so that they do not align with patterns of the picture.
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

/** Returns true when a piece has more than half of the picture's border. */
export function hasBorder({ order, from }: Pieces, k: number, { width, height }: Pixels): boolean {
  let own = 0;
  for (let j = from[k]; j < from[k + 1]; j++) {
    const x = order[j] % width;
    const y = (order[j] - x) / width;
    if (x === 0 || y === 0 || x === width - 1 || y === height - 1) own++;
  }
  return own > width + height - 2;
}

/** Returns the mean red, green and blue of samples, 0..255. */
export function meanOf({ count, colors }: Samples): number[] {
  const sum = [0, 0, 0];
  for (let i = 0; i < count * 3; i++) sum[i % 3] += colors[i];
  return sum.map((value) => value / count);
}
