import { giveBack, makeUint8, makeUint16, makeUint32 } from '../geometry/memory.ts';
import { loadKernels } from '../kernels/kernels.ts';
import { forEachStrip } from '../kernels/strips.ts';
import type { Pixels } from '../pixels/bitmap.ts';
import { weighLuma, writeLuma } from '../pixels/bitmap.ts';
import { writeOklab } from './color.ts';
import type { Ramps } from './paint.ts';
import type { Palette } from './palette.ts';
import { endOfRun, FLAT, MIXED } from './votes.ts';

/**
 * Gives every pixel one of the picture's colors. A pixel on an edge is a mix of the two sides; it takes the label of
 * the side that covers more of it.
 */
export interface LabelMap extends Palette {
  /** Palette index of each pixel. */
  labels: Uint16Array;
  /** Pixels and palette in the space in which mixes are measured. */
  mixPixels: Pixels;
  mixPalette: Float64Array;
  /**
   * By label: the ramps of a paint that is not a flat color; the palette then holds its mean color. Most pictures have
   * none.
   */
  ramps: readonly (Ramps | undefined)[];
  /** By label, when inks were given: the color to write, or null to leave it clear. */
  paints?: readonly (string | null)[];
}

/**
 * Labels every pixel with a color of the palette. `kinds` tells flat pixels from mixes; `noise` is the remaining noise
 * in byte levels.
 */
export function quantize(pixels: Pixels, kinds: Uint8Array, palette: Palette, noise: number): LabelMap {
  const { mixPixels, mixPalette } = readMixes(pixels, palette, noise);
  const mixes = { data: mixPixels.data, palette: mixPalette, count: palette.count };
  const labels = labelPixels(pixels, kinds, palette, mixes, noise);
  return { ...palette, labels, mixPixels, mixPalette, ramps: [] };
}

/** Returns pixels and palette in the space in which mixes are measured: in noise, luma counts for more than chroma. */
export function readMixes(
  pixels: Pixels,
  { palette, count }: Palette,
  noise: number,
): Pick<LabelMap, 'mixPixels' | 'mixPalette'> {
  if (noise === 0) return { mixPixels: pixels, mixPalette: palette };
  return { mixPixels: weighLuma(pixels), mixPalette: weighPalette(palette, count) };
}

function weighPalette(palette: Float64Array, count: number): Float64Array {
  const out = new Float64Array(count * 4);
  for (let i = 0; i < count * 4; i += 4) writeLuma(palette[i], palette[i + 1], palette[i + 2], palette[i + 3], out, i);
  return out;
}

/** Pixels and palette in the space in which mixes are measured. */
interface MixSpace {
  data: Uint8ClampedArray;
  palette: Float64Array;
  count: number;
}

const UNKNOWN = 255;
/**
 * When more colors than this meet within two pixels, as in a texture, a pixel cannot be explained as a mix of any two.
 */
const CROWD = 8;

/**
 * Labels pure pixels with the nearest color. The other pixels are labeled ring by ring, each once a pixel within two
 * steps has a label: it takes the larger share of the pair of nearby colors that explains it best.
 */
function labelPixels(
  pixels: Pixels,
  kinds: Uint8Array,
  { palette, count }: Palette,
  mixes: MixSpace,
  noise: number,
): Uint16Array {
  const { width, height, data } = pixels;
  const size = width * height;
  const labels = makeUint16(size);
  if (count === 1) return labels;

  const matcher = createMatcher(palette, count);
  const state = makeUint8(size); // 1 once labeled
  const near = (10 + 4 * noise) ** 2 * 3;
  const pure = { pixels, kinds, palette, near, matcher, labels, state };
  if (!labelPureInKernel(pure)) labelPureHere(pure);
  let waiting = 0;
  for (let p = state.indexOf(0); p >= 0; p = state.indexOf(0, p + 1)) waiting++;
  if (waiting === 0) {
    giveBack(state);
    return labels;
  }
  if (waiting === size) {
    for (let p = 0; p < size; p++) labels[p] = matcher(data, p * 4);
    return labels;
  }

  const ring = makeUint32(waiting);
  let ringLength = 0;
  for (let p = state.indexOf(0); p >= 0; p = state.indexOf(0, p + 1)) ring[ringLength++] = p;
  const candidates = new Uint8Array(24);
  const listedFor = new Int32Array(count).fill(-1);
  const grid = { width, height, labels, state, listedFor };
  const decisions = makeUint8(waiting);
  const mix: Mix = { more: 0, less: 0, share: 1 };
  const faint = 0.7 - Math.min(0.15, 0.01 * noise);
  for (let round = 0; round < 4 && ringLength > 0; round++) {
    let labeledCount = 0;
    for (let k = 0; k < ringLength; k++) {
      const p = ring[k];
      const x = p % width;
      const y = (p - x) / width;
      const candidateCount = listLabelsNear(grid, x, y, candidates);
      decisions[k] = UNKNOWN;
      if (candidateCount > CROWD) decisions[k] = matcher(data, p * 4);
      else if (candidateCount > 0) {
        explain(mixes, p * 4, candidates, candidateCount, near, mix);
        decisions[k] = mix.share < faint && isRidge(mixes, width, x, y, mix) ? mix.less : mix.more;
      }
      if (candidateCount > 0) state[p] = 2;
    }
    // Labels are written only when the ring is complete, so the scan order does not matter.
    let rest = 0;
    for (let k = 0; k < ringLength; k++) {
      const p = ring[k];
      if (state[p] === 2) {
        labels[p] = decisions[k];
        state[p] = 1;
        labeledCount++;
      } else ring[rest++] = p;
    }
    listedFor.fill(-1);
    ringLength = rest;
    if (labeledCount === 0) break;
  }
  for (let k = 0; k < ringLength; k++) labels[ring[k]] = matcher(data, ring[k] * 4);
  giveBack(state, ring, decisions);
  return labels;
}

/** The inputs and outputs of a labeling of pure pixels. `labels` and `state` are zero at first. */
interface PureLabeling {
  pixels: Pixels;
  kinds: Uint8Array;
  palette: Float64Array;
  /** Largest squared distance of a pixel from its color, unless it is flat. */
  near: number;
  matcher: Matcher;
  labels: Uint16Array;
  /** Becomes 1 where a pixel has a label. */
  state: Uint8Array;
}

/** Labels the pure pixels by the kernel. Returns false where there is none. */
function labelPureInKernel({ pixels, kinds, palette, near, matcher, labels, state }: PureLabeling): boolean {
  const kernels = loadKernels();
  if (!kernels) return false;
  const { width } = pixels;
  const extra = kernels.labelBytes() + palette.byteLength;
  return forEachStrip(kernels, pixels, { perPixel: 4, extra }, ({ at, from, to }, labelsAt, table) => {
    const { buffer } = kernels.memory;
    const count = (to - from) * width;
    const first = from * width;
    const paletteAt = table + kernels.labelBytes();
    if (from === 0) {
      kernels.clearLabels(table);
      new Float64Array(buffer, paletteAt, palette.length).set(palette);
    }
    const kindsAt = labelsAt + 2 * count;
    const stateAt = kindsAt + count;
    new Uint8Array(buffer, kindsAt, count).set(kinds.subarray(first, first + count));
    let next = 0;
    for (;;) {
      next = kernels.labelPure(at, next, count, kindsAt, labelsAt, stateAt, table, paletteAt, near);
      if (next === count) break;
      // The kernel meets a color for the first time.
      kernels.rememberLabel(table, at + 4 * next, matcher(pixels.data, 4 * (first + next)));
    }
    labels.set(new Uint16Array(buffer, labelsAt, count), first);
    state.set(new Uint8Array(buffer, stateAt, count), first);
  });
}

/** Does in TypeScript what the kernel does. */
function labelPureHere({ pixels, kinds, palette, near, matcher, labels, state }: PureLabeling): void {
  const { data } = pixels;
  const size = state.length;
  const words = new Uint32Array(data.buffer, data.byteOffset, size);
  for (let p = 0; p < size; ) {
    const end = endOfRun(words, kinds, p, size);
    const label = kinds[p] === MIXED ? -1 : matcher(data, p * 4);
    if (label >= 0 && (kinds[p] === FLAT || squaredDistance(data, p * 4, palette, label * 4) < near)) {
      labels.fill(label, p, end);
      state.fill(1, p, end);
    }
    p = end;
  }
}

/** The labels assigned so far. */
interface LabelGrid {
  width: number;
  height: number;
  labels: Uint16Array;
  /** 1 once a pixel is labeled, 2 while its ring is being labeled. */
  state: Uint8Array;
  /** By label: the pixel that it was last listed for. */
  listedFor: Int32Array;
}

/** Lists the labels assigned within two pixels, each once. Returns how many there are. */
function listLabelsNear(grid: LabelGrid, x: number, y: number, candidates: Uint8Array): number {
  const { labels, state, listedFor, width, height } = grid;
  const p = y * width + x;
  const left = Math.max(0, x - 2) - x;
  const right = Math.min(width - 1, x + 2) - x;
  const bottom = Math.min(height - 1, y + 2);
  let candidateCount = 0;
  for (let row = Math.max(0, y - 2); row <= bottom; row++) {
    const middle = row * width + x;
    for (let q = middle + left; q <= middle + right; q++) {
      if (state[q] !== 1 || listedFor[labels[q]] === p) continue;
      listedFor[labels[q]] = p;
      if (candidateCount < 24) candidates[candidateCount++] = labels[q];
    }
  }
  return candidateCount;
}

/** A pixel as a mix: the label with the larger share, the other one, and the larger share, 0.5..1. */
interface Mix {
  more: number;
  less: number;
  share: number;
}

/**
 * Finds the best explanation of a pixel: one nearby color, a mix of two nearby ones, or a mix of a nearby one and any
 * color of the palette.
 */
function explain(
  { data, palette, count }: MixSpace,
  i: number,
  candidates: Uint8Array,
  candidateCount: number,
  near: number,
  out: Mix,
): void {
  let best = Infinity;
  const settle = (a: number, b: number, t: number): void => {
    out.more = t > 0.5 ? a : b;
    out.less = t > 0.5 ? b : a;
    out.share = t > 0.5 ? t : 1 - t;
  };
  for (let m = 0; m < candidateCount; m++) {
    const d = squaredDistance(data, i, palette, candidates[m] * 4);
    if (d >= best) continue;
    best = d;
    settle(candidates[m], candidates[m], 1);
  }
  for (let m = 0; m < candidateCount; m++) {
    for (let n = m + 1; n < candidateCount; n++) {
      const t = shareOf(data, i, palette, candidates[m] * 4, candidates[n] * 4);
      const off = offLine(data, i, palette, candidates[m] * 4, candidates[n] * 4, t) + 12;
      if (off >= best) continue;
      best = off;
      settle(candidates[m], candidates[n], t);
    }
  }
  if (best <= near) return;
  for (let m = 0; m < candidateCount; m++) {
    for (let n = 0; n < count; n++) {
      if (n === candidates[m]) continue;
      const t = shareOf(data, i, palette, candidates[m] * 4, n * 4);
      const off = offLine(data, i, palette, candidates[m] * 4, n * 4, t) + near * 0.5;
      if (off >= best) continue;
      best = off;
      settle(candidates[m], n, t);
    }
  }
}

/**
 * Returns true when the lesser color of a mix has a local maximum here, between two sides where it is weaker. Such a
 * ridge is a line thinner than half a pixel; it keeps its pixels so that it stays in one piece.
 */
function isRidge({ data, palette }: MixSpace, width: number, x: number, y: number, mix: Mix): boolean {
  const height = data.length / (4 * width);
  if (x < 2 || y < 2 || x >= width - 2 || y >= height - 2) return false;
  const i = (y * width + x) * 4;
  const row = width * 4;
  const here = 1 - mix.share;
  const less = mix.less * 4;
  const more = mix.more * 4;
  const weaker = here - 0.15;
  for (const d of [4, row, row + 4, row - 4]) {
    const before = shareOf(data, i - d, palette, less, more);
    const after = shareOf(data, i + d, palette, less, more);
    if (before > here || after > here) continue;
    const dropsBefore = before < weaker || shareOf(data, i - 2 * d, palette, less, more) < weaker;
    const dropsAfter = after < weaker || shareOf(data, i + 2 * d, palette, less, more) < weaker;
    if (dropsBefore && dropsAfter && (before < weaker || after < weaker)) return true;
  }
  return false;
}

/** Returns the share of palette color `a` in the color at `i` when the rest is `b`, 0..1. */
function shareOf(data: Uint8ClampedArray, i: number, palette: Float64Array, a: number, b: number): number {
  let dot = 0;
  let span = 0;
  for (let c = 0; c < 4; c++) {
    const v = palette[a + c] - palette[b + c];
    dot += (data[i + c] - palette[b + c]) * v;
    span += v * v;
  }
  const t = dot / span;
  return Math.max(0, Math.min(1, t));
}

function offLine(data: Uint8ClampedArray, i: number, palette: Float64Array, a: number, b: number, t: number): number {
  let sum = 0;
  for (let c = 0; c < 4; c++) {
    const d = data[i + c] - (t * palette[a + c] + (1 - t) * palette[b + c]);
    sum += d * d;
  }
  return sum;
}

function squaredDistance(data: Uint8ClampedArray, i: number, palette: Float64Array, a: number): number {
  let sum = 0;
  for (let c = 0; c < 4; c++) {
    const d = data[i + c] - palette[a + c];
    sum += d * d;
  }
  return sum;
}

/** Returns the label of the color nearest to the pixel at index i of RGBA data. */
type Matcher = (data: Uint8ClampedArray, i: number) => number;

/**
 * Returns a function that finds the palette color nearest to a pixel. It caches the results per 6-bit color, so
 * pictures of any size need few searches.
 */
function createMatcher(palette: Float64Array, count: number): Matcher {
  const cache = new Uint16Array(1 << 19); // the label plus one, so that the memory needs no filling
  const lab = new Float64Array(count * 3);
  for (let k = 0; k < count; k++) writeOklab(palette[k * 4], palette[k * 4 + 1], palette[k * 4 + 2], lab, k * 3);
  const own = new Float64Array(3);
  return (data, i) => {
    const isSolid = data[i + 3] >= 128;
    const key = ((data[i] >> 2) << 12) | ((data[i + 1] >> 2) << 6) | (data[i + 2] >> 2) | (isSolid ? 1 << 18 : 0);
    if (cache[key] > 0) return cache[key] - 1;
    writeOklab(data[i], data[i + 1], data[i + 2], own, 0);
    let best = 0;
    let bestDistance = Infinity;
    for (let k = 0; k < count; k++) {
      const apart = palette[k * 4 + 3] >= 128 === isSolid ? 0 : 4;
      const d = (own[0] - lab[k * 3]) ** 2 + (own[1] - lab[k * 3 + 1]) ** 2 + (own[2] - lab[k * 3 + 2]) ** 2 + apart;
      if (d < bestDistance) {
        bestDistance = d;
        best = k;
      }
    }
    cache[key] = best + 1;
    return best;
  };
}
