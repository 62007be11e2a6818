import { giveBack, makeFloat64, makeInt32, makeUint8, makeUint16 } from '../geometry/memory.ts';
import type { Regions } from '../regions/regions.ts';
import type { Pieces } from './pieces.ts';
import type { SmoothnessTest } from './smoothness.ts';

/**
 * Pixels to each side of a window in which colors are averaged, at least and at most, and as a share of the side of a
 * square as large as the piece. It is passed over twice.
 */
const LEAST_REACH = 4;
const MOST_REACH = 16;
const REACH_SHARE = 1 / 40;
const PASSES = 2;
/** Means are kept in this share of a byte level. */
const UNIT = 256;
/** Half the side of the window that tells a hole that noise left from an edge, and the least share that is filled. */
const HOLE_REACH = 4;
const HOLE_SHARE = 0.6;
/** Pixels of the rim of a piece that take the band beside them. */
const RIM = 12;
/** Least share of a piece, and least number of pixels, that make a label one of its bands. */
const LEAST_SHARE = 0.005;
const LEAST_PIXELS = 24;
/** A leftover of a band is an island below this many pixels, and below this multiple of the area of a speck. */
const ISLAND_PIXELS = 16;
const ISLAND_SPECKS = 8;

/**
 * Straightens the borders of bands that no ramp explains. Noise decides of each pixel beside such a border which band
 * is nearer, so the border is ragged and surrounded by islands. The mean of hundreds of pixels has little noise: in a
 * smooth piece, each pixel takes the band that is nearest to the mean around it. Windows end at the edges of the piece,
 * and are symmetric, so that a slope has no effect on the mean. Changes `labels`, where they are below `firstRamp`.
 * `isBanded` says which pieces it is about. Returns true when there were any. Linear in the pixels.
 */
export function smoothBands(
  { smoothness, pieces, regions, isShaded, labels, firstRamp, minAreaPx }: BandedPicture,
  isBanded: (piece: number) => boolean,
): boolean {
  const { width, height, data } = smoothness.pixels;
  const bands = new Map<number, Bands>();
  // A piece may reach a flat region past the end of its edge.
  const isOfBand = (p: number): boolean => labels[p] < firstRamp && isShaded[regions.ids[p]] === 1;
  for (let k = 0; k < pieces.count; k++) {
    const own = isBanded(k) ? readBands(pieces, k, data, labels, isOfBand) : undefined;
    if (own) bands.set(k + 1, own);
  }
  if (bands.size === 0) return false;
  const size = width * height;
  const pieceOf = makeInt32(size);
  for (let p = 0; p < size; p++) if (bands.get(pieces.pieceAt[p])?.has(labels[p])) pieceOf[p] = pieces.pieceAt[p];
  const hasBand = (p: number, piece: number): boolean => pieces.pieceAt[p] <= 0 && bands.get(piece)!.has(labels[p]);
  const canJoin = (p: number, piece: number): boolean => isOfBand(p) && hasBand(p, piece);
  const map = { width, height, pieceOf, labels };
  fillHoles(map, canJoin);

  const reachOf = pieces.from.map((_, piece) => {
    const side = piece === 0 ? 0 : Math.sqrt(pieces.from[piece] - pieces.from[piece - 1]);
    return Math.round(Math.min(MOST_REACH, Math.max(LEAST_REACH, REACH_SHARE * side)));
  });
  let means = makeUint16(size * 3);
  for (let p = 0; p < size; p++) for (let c = 0; c < 3; c++) means[p * 3 + c] = UNIT * data[p * 4 + c];
  let other = makeUint16(size * 3);
  for (let pass = 0; pass < PASSES; pass++) {
    for (const isRow of [true, false]) {
      averageRuns(means, other, map, reachOf, isRow);
      [means, other] = [other, means];
    }
  }
  for (let p = 0; p < size; p++) if (pieceOf[p] > 0) labels[p] = nearestBand(bands.get(pieceOf[p])!, means, p * 3);
  giveBack(means, other);
  spread(map, canJoin);
  dropIslands(map, hasBand, minAreaPx);
  giveBack(pieceOf);
  return true;
}

/** A picture, its smooth pieces, and the labels that its ramps have left to the bands. */
interface BandedPicture {
  smoothness: SmoothnessTest;
  pieces: Pieces;
  regions: Regions;
  isShaded: Uint8Array;
  labels: Uint16Array;
  firstRamp: number;
  minAreaPx: number;
}

/** The pieces whose bands are smoothed: by pixel, their number from 1, or 0. */
interface PieceMap {
  width: number;
  height: number;
  pieceOf: Int32Array;
  labels: Uint16Array;
}

/** The mean color of each band of a piece, by its label. */
type Bands = Map<number, readonly [number, number, number]>;

/** Returns the bands of piece k; undefined when there is only one. */
function readBands(
  { order, from }: Pieces,
  k: number,
  data: Uint8ClampedArray,
  labels: Uint16Array,
  isOfBand: (p: number) => boolean,
): Bands | undefined {
  const sums = new Map<number, [number, number, number, number]>();
  for (let j = from[k]; j < from[k + 1]; j++) {
    if (!isOfBand(order[j])) continue;
    const label = labels[order[j]];
    let sum = sums.get(label);
    if (!sum) {
      sum = [0, 0, 0, 0];
      sums.set(label, sum);
    }
    const i = order[j] * 4;
    for (let c = 0; c < 3; c++) sum[c] += data[i + c];
    sum[3]++;
  }
  const least = Math.max(LEAST_PIXELS, LEAST_SHARE * (from[k + 1] - from[k]));
  const bands: Bands = new Map();
  for (const [label, [r, g, b, n]] of sums) if (n >= least) bands.set(label, [r / n, g / n, b / n]);
  return bands.size > 1 ? bands : undefined;
}

/** Adds the pixels to pieces that noise left out of them: those with a full window around them. */
function fillHoles({ width, height, pieceOf }: PieceMap, canJoin: (p: number, piece: number) => boolean): void {
  const size = width * height;
  const side = 2 * HOLE_REACH + 1;
  const rows = makeUint8(size); // pixels of pieces in the row of the window
  for (let y = 0; y < height; y++) {
    let sum = 0;
    for (let x = -HOLE_REACH; x < width; x++) {
      if (x + HOLE_REACH < width && pieceOf[y * width + x + HOLE_REACH] > 0) sum++;
      if (x - HOLE_REACH > 0 && pieceOf[y * width + x - HOLE_REACH - 1] > 0) sum--;
      if (x >= 0) rows[y * width + x] = sum;
    }
  }
  const least = HOLE_SHARE * side * side;
  const sums = makeInt32(width);
  for (let y = -HOLE_REACH; y < height; y++) {
    for (let x = 0; x < width; x++) {
      if (y + HOLE_REACH < height) sums[x] += rows[(y + HOLE_REACH) * width + x];
      if (y - HOLE_REACH > 0) sums[x] -= rows[(y - HOLE_REACH - 1) * width + x];
      if (y < 0 || sums[x] < least) continue;
      const p = y * width + x;
      if (pieceOf[p] > 0) continue;
      const piece = (x > 0 && pieceOf[p - 1]) || (y > 0 && pieceOf[p - width]) || 0;
      if (piece > 0 && canJoin(p, piece)) pieceOf[p] = piece;
    }
  }
  giveBack(rows);
}

/** Writes the means along runs of pixels of one piece, in a row or a column, of `source` to `target`. */
function averageRuns(
  source: Uint16Array,
  target: Uint16Array,
  { width, height, pieceOf }: PieceMap,
  reachOf: readonly number[],
  isRow: boolean,
): void {
  const [lines, length, step] = isRow ? [height, width, 1] : [width, height, width];
  const sums = makeFloat64((length + 1) * 3);
  for (let line = 0; line < lines; line++) {
    const first = isRow ? line * width : line;
    for (let start = 0; start < length; ) {
      const piece = pieceOf[first + start * step];
      let end = start + 1;
      while (end < length && pieceOf[first + end * step] === piece) end++;
      if (piece > 0) {
        for (let n = start; n < end; n++) {
          const i = (first + n * step) * 3;
          for (let c = 0; c < 3; c++) sums[(n + 1) * 3 + c] = (n === start ? 0 : sums[n * 3 + c]) + source[i + c];
        }
        for (let n = start; n < end; n++) {
          const reach = Math.min(reachOf[piece], n - start, end - 1 - n);
          const i = (first + n * step) * 3;
          for (let c = 0; c < 3; c++) {
            const before = n - reach === start ? 0 : sums[(n - reach) * 3 + c];
            target[i + c] = Math.round((sums[(n + reach + 1) * 3 + c] - before) / (2 * reach + 1));
          }
        }
      }
      start = end;
    }
  }
}

function nearestBand(bands: Bands, means: Uint16Array, i: number): number {
  const [red, green, blue] = [means[i] / UNIT, means[i + 1] / UNIT, means[i + 2] / UNIT];
  let best = 0;
  let bestDistance = Infinity;
  for (const [label, [r, g, b]] of bands) {
    const distance = (red - r) ** 2 + (green - g) ** 2 + (blue - b) ** 2;
    if (distance >= bestDistance) continue;
    best = label;
    bestDistance = distance;
  }
  return best;
}

/** Labels the pixels at the rims of pieces with the band beside them, ring by ring. */
function spread({ width, height, pieceOf, labels }: PieceMap, canJoin: (p: number, piece: number) => boolean): void {
  const size = width * height;
  const queue = makeInt32(size);
  let end = 0;
  for (let p = 0; p < size; p++) if (pieceOf[p] > 0) queue[end++] = p;
  for (let ring = 0, head = 0; ring < RIM; ring++) {
    for (const ringEnd = end; head < ringEnd; head++) {
      const p = queue[head];
      for (const q of neighborsOf(p, width, size)) {
        if (pieceOf[q] > 0 || !canJoin(q, pieceOf[p])) continue;
        pieceOf[q] = pieceOf[p];
        labels[q] = labels[p];
        queue[end++] = q;
      }
    }
  }
  giveBack(queue);
}

/** Labels islands beside the pieces, leftovers of other bands of a few specks, with the band beside them. */
function dropIslands(
  { width, height, pieceOf, labels }: PieceMap,
  hasBand: (p: number, piece: number) => boolean,
  minAreaPx: number,
): void {
  const size = width * height;
  const marks = makeUint8(size);
  const island: number[] = [];
  for (let p = 0; p < size; p++) {
    const piece = pieceOf[p];
    if (piece === 0) continue;
    for (const start of neighborsOf(p, width, size)) {
      if (pieceOf[start] > 0 || marks[start] || !hasBand(start, piece)) continue;
      const label = labels[start];
      island.length = 0;
      island.push(start);
      marks[start] = 1;
      for (let head = 0; head < island.length; head++) {
        for (const q of neighborsOf(island[head], width, size)) {
          if (marks[q] || pieceOf[q] > 0 || labels[q] !== label) continue;
          marks[q] = 1;
          island.push(q);
        }
      }
      if (island.length >= Math.max(ISLAND_PIXELS, ISLAND_SPECKS * minAreaPx)) continue;
      for (const q of island) labels[q] = labels[p];
    }
  }
  giveBack(marks);
}

function neighborsOf(p: number, width: number, size: number): number[] {
  const x = p % width;
  const neighbors: number[] = [];
  if (x > 0) neighbors.push(p - 1);
  if (x < width - 1) neighbors.push(p + 1);
  if (p >= width) neighbors.push(p - width);
  if (p < size - width) neighbors.push(p + width);
  return neighbors;
}
