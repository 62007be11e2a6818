import { withRoom } from '../geometry/growable.ts';
import { makeUint8 } from '../geometry/memory.ts';
import { loadKernels } from '../kernels/kernels.ts';
import { forEachStrip } from '../kernels/strips.ts';
import type { Settings } from '../options.ts';
import type { Pixels } from '../pixels/bitmap.ts';
import { writeOklab } from './color.ts';

/**
 * Histograms of the pixels' votes for the colors of the picture.
 *
 * Only pixels of an unmixed color vote: pixels of flat areas, and the cores of strokes too thin to have a flat area. A
 * pixel on an edge is a mix of its two sides and has no vote.
 */
export interface Votes {
  /** `FLAT`, `CORE` or `MIXED` for each pixel. */
  kinds: Uint8Array;
  /** Pixels whose neighbors are equal to them up to noise. */
  flat: Histogram;
  /** Pixels whose neighbors are close to them: smooth ramps, and noise. */
  ramp: Histogram;
  /** Cores of thin strokes. */
  core: Histogram;
  /** Noisy pictures only: pixels surrounded by similar pixels at a distance of two. No mix is that wide. */
  firm: Histogram;
  /** Number of clear pixels. */
  clear: number;
  /** Monochrome only, in place of the color histograms: pixels of each gray level. */
  tones?: Float64Array;
}

/** The kinds of pixels: inside one color, in the core of something thin, or a mix of two colors, which has no vote. */
export const FLAT = 1;
const CORE = 2;
export const MIXED = 0;

/** Classifies the pixels and counts their votes. `noise` is the remaining noise in byte levels. Linear in pixels. */
export function gatherVotes(pixels: Pixels, noise: number, colorMode: Settings['colorMode']): Votes {
  const votes: Votes = {
    kinds: makeUint8(pixels.width * pixels.height),
    flat: new Histogram(),
    ramp: new Histogram(),
    core: new Histogram(),
    firm: new Histogram(),
    clear: 0,
  };
  const isOneInk = colorMode === 'monochrome';
  if (isOneInk) votes.tones = countTones(pixels);
  if (!readInKernel(pixels, noise, votes.kinds, isOneInk ? undefined : votes)) {
    classify(pixels, noise, votes.kinds);
    if (!isOneInk) countVotes(pixels, noise, votes);
  }
  return votes;
}

/**
 * Classifies pixels as flat, stroke core or mix. A pixel is a mix when its color lies on the line between the colors of
 * two opposite neighbors, and near neither.
 */
export function classifyPixels(pixels: Pixels, noise: number): Uint8Array {
  const kinds = makeUint8(pixels.width * pixels.height);
  if (!readInKernel(pixels, noise, kinds, undefined)) classify(pixels, noise, kinds);
  return kinds;
}

/**
 * Classifies the pixels by the kernel, and counts their votes unless there are none to count. Returns false where there
 * is no kernel.
 */
function readInKernel(pixels: Pixels, noise: number, kinds: Uint8Array, votes: Votes | undefined): boolean {
  const kernels = loadKernels();
  if (!kernels) return false;
  const { width, height } = pixels;
  const bytes = kernels.voteBytes();
  let isEmpty = true;
  const isRead = forEachStrip(
    kernels,
    pixels,
    { margin: 3, perPixel: 1, extra: votes ? bytes : 0 },
    ({ at, top, from, to }, kindsAt, extra) => {
      const tables = votes ? extra : 0;
      if (votes && isEmpty) kernels.clearVotes(tables);
      isEmpty = false;
      const clear = kernels.readVotes(at, top, from, to, width, height, noise, kindsAt, tables);
      kinds.set(new Uint8Array(kernels.memory.buffer, kindsAt, (to - from) * width), from * width);
      if (votes) votes.clear += clear;
    },
  );
  if (!isRead || !votes) return isRead;
  [votes.flat, votes.ramp, votes.core, votes.firm].forEach((histogram, k, all) => {
    histogram.read(kernels.memory.buffer, kernels.memoryStart() + (k * bytes) / all.length);
  });
  return true;
}

/** Does in TypeScript what the kernel does, with the same bits; so does `countVotes`. */
function classify(pixels: Pixels, noise: number, kinds: Uint8Array): void {
  const { width, height, data } = pixels;
  const words = new Uint32Array(data.buffer, data.byteOffset, width * height); // one word per pixel
  const flatStep = 6 + 3 * noise;
  const leastContrast = (14 + 6 * noise) ** 2;
  for (let y = 0, p = 0; y < height; y++) {
    const isInside = y > 0 && y < height - 1;
    for (let x = 0; x < width; x++, p++) {
      if (isInside && x > 0 && x < width - 1) {
        if (noise === 0 && isEven(words, p, width)) {
          const end = endOfEven(words, p, width, (y + 1) * width - 1);
          kinds.fill(FLAT, p, end);
          x += end - p - 1;
          p = end - 1;
        } else if (noise === 0 || !isOnWideEdge(pixels, x, y, leastContrast))
          kinds[p] = classifyPixel(data, p * 4, width * 4, flatStep, leastContrast);
      } else kinds[p] = classifyBorderPixel(pixels, x, y, flatStep);
    }
  }
}

/** Returns true when the eight neighbors are equal to the pixel. */
function isEven(words: Uint32Array, p: number, width: number): boolean {
  const word = words[p];
  return (
    word === words[p - 1] &&
    word === words[p + 1] &&
    word === words[p - width] &&
    word === words[p + width] &&
    word === words[p - width - 1] &&
    word === words[p - width + 1] &&
    word === words[p + width - 1] &&
    word === words[p + width + 1]
  );
}

/**
 * Returns the end of the run of such pixels that begins at p, up to `limit`. Each step compares only the next column of
 * three pixels.
 */
function endOfEven(words: Uint32Array, p: number, width: number, limit: number): number {
  const word = words[p];
  let q = p + 2;
  while (q <= limit && words[q] === word && words[q - width] === word && words[q + width] === word) q++;
  return q - 1;
}

function classifyPixel(
  data: Uint8ClampedArray,
  i: number,
  row: number,
  flatStep: number,
  leastContrast: number,
): number {
  const isFlat =
    isNear(data, i, i + 4, flatStep) &&
    isNear(data, i, i - 4, flatStep) &&
    isNear(data, i, i + row, flatStep) &&
    isNear(data, i, i - row, flatStep) &&
    isNear(data, i, i + row + 4, flatStep) &&
    isNear(data, i, i - row - 4, flatStep) &&
    isNear(data, i, i + row - 4, flatStep) &&
    isNear(data, i, i - row + 4, flatStep);
  if (isFlat) return FLAT;
  const isMixed =
    isBetween(data, i, i - 4, i + 4, leastContrast) ||
    isBetween(data, i, i - row, i + row, leastContrast) ||
    isBetween(data, i, i - row - 4, i + row + 4, leastContrast) ||
    isBetween(data, i, i - row + 4, i + row - 4, leastContrast);
  return isMixed ? MIXED : CORE;
}

/** Returns true when the color at i lies on the line between those at a and b, and near neither. */
function isBetween(data: Uint8ClampedArray, i: number, a: number, b: number, leastContrast: number): boolean {
  const v0 = data[b] - data[a];
  const v1 = data[b + 1] - data[a + 1];
  const v2 = data[b + 2] - data[a + 2];
  const v3 = data[b + 3] - data[a + 3];
  const span = v0 * v0 + v1 * v1 + v2 * v2 + v3 * v3;
  if (span < leastContrast) return false;
  const w0 = data[i] - data[a];
  const w1 = data[i + 1] - data[a + 1];
  const w2 = data[i + 2] - data[a + 2];
  const w3 = data[i + 3] - data[a + 3];
  const t = (w0 * v0 + w1 * v1 + w2 * v2 + w3 * v3) / span;
  if (t < 0.06 || t > 0.94) return false;
  return w0 * w0 + w1 * w1 + w2 * w2 + w3 * w3 - t * t * span < 0.04 * span + 16;
}

/**
 * Returns true on a wide edge. Blur and halved chroma mix over several pixels, so the sides are also sought three
 * pixels away.
 */
function isOnWideEdge(pixels: Pixels, x: number, y: number, leastContrast: number): boolean {
  const { width, height, data } = pixels;
  if (x < 3 || y < 3 || x >= width - 3 || y >= height - 3) return false;
  const i = (y * width + x) * 4;
  const row = width * 12;
  for (const d of [12, row, row + 12, row - 12]) {
    if (isBetween(data, i, i - d, i + d, 2 * leastContrast)) return true;
  }
  return false;
}

/** Classifies a pixel on the border of the picture by the neighbors it has. */
function classifyBorderPixel(pixels: Pixels, x: number, y: number, flatStep: number): number {
  const { width, height, data } = pixels;
  const i = (y * width + x) * 4;
  for (let dy = -1; dy <= 1; dy++) {
    for (let dx = -1; dx <= 1; dx++) {
      if (x + dx < 0 || y + dy < 0 || x + dx >= width || y + dy >= height) continue;
      if (!isNear(data, i, i + (dy * width + dx) * 4, flatStep)) return CORE;
    }
  }
  return FLAT;
}

function isNear(data: Uint8ClampedArray, i: number, j: number, step: number): boolean {
  return (
    Math.abs(data[i] - data[j]) <= step &&
    Math.abs(data[i + 1] - data[j + 1]) <= step &&
    Math.abs(data[i + 2] - data[j + 2]) <= step &&
    Math.abs(data[i + 3] - data[j + 3]) <= step
  );
}

/** Counts the votes of flat pixels and stroke cores in 5-bit bins. */
function countVotes(pixels: Pixels, noise: number, votes: Votes): void {
  const { width, height, data } = pixels;
  const words = new Uint32Array(data.buffer, data.byteOffset, width * height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; ) {
      // Equal neighbors in a row vote together.
      const end = noise === 0 ? endOfRun(words, votes.kinds, y * width + x, (y + 1) * width) - y * width : x + 1;
      countPixel(pixels, noise, votes, x, y, end - x);
      x = end;
    }
  }
}

/**
 * Returns the end of the run of equal flat pixels that begins at p, up to `limit`; p + 1 when the pixel is not flat.
 */
export function endOfRun(words: Uint32Array, kinds: Uint8Array, p: number, limit: number): number {
  const word = words[p];
  let end = p + 1;
  if (kinds[p] === FLAT) while (end < limit && words[end] === word && kinds[end] === FLAT) end++;
  return end;
}

function countPixel(pixels: Pixels, noise: number, votes: Votes, x: number, y: number, run: number): void {
  const { width, height, data } = pixels;
  const p = y * width + x;
  const kind = votes.kinds[p];
  if (kind === MIXED) return;
  const i = p * 4;
  if (data[i + 3] < 8) {
    votes.clear += run;
    return;
  }
  if (data[i + 3] < 250) return;
  if (noise > 0 && isFirm(pixels, x, y, noise)) votes.firm.add(data, i, 1);
  const still = 1 + 2 * noise;
  if (run > 1) votes.flat.add(data, i, run);
  else if (kind === FLAT) {
    const right = x + 1 < width ? i + 4 : i;
    const below = y + 1 < height ? i + width * 4 : i;
    const isStill = isNear(data, i, right, still) && isNear(data, i, below, still);
    (isStill ? votes.flat : votes.ramp).add(data, i, 1);
  } else if (isStrokeCore(pixels, x, y, still + 5)) votes.core.add(data, i, 1);
}

function countTones({ data }: Pixels): Float64Array {
  const tones = new Float64Array(256);
  for (let i = 0; i < data.length; i += 4) tones[data[i]]++;
  return tones;
}

/**
 * Returns true when the pixels two steps away in all directions are similar. Halved chroma spreads farther than luma,
 * so it may differ more.
 */
function isFirm(pixels: Pixels, x: number, y: number, noise: number): boolean {
  const { width, height, data } = pixels;
  if (x < 2 || y < 2 || x >= width - 2 || y >= height - 2) return false;
  const i = (y * width + x) * 4;
  const row = width * 8;
  for (const d of [8, row, row + 8, row - 8]) {
    if (!looksLike(data, i, i - d, noise) || !looksLike(data, i, i + d, noise)) return false;
  }
  return true;
}

function looksLike(data: Uint8ClampedArray, i: number, j: number, noise: number): boolean {
  const red = data[i] - data[j];
  const green = data[i + 1] - data[j + 1];
  const blue = data[i + 2] - data[j + 2];
  const luma = 0.299 * red + 0.587 * green + 0.114 * blue;
  const most = 24 + 4 * noise;
  return Math.abs(luma) <= 5 + 2 * noise && Math.abs(red - luma) <= most && Math.abs(blue - luma) <= most;
}

/** Returns true for a stroke core: it continues in one direction on both sides. */
function isStrokeCore(pixels: Pixels, x: number, y: number, step: number): boolean {
  const { width, height, data } = pixels;
  if (x < 1 || y < 1 || x >= width - 1 || y >= height - 1) return false;
  const i = (y * width + x) * 4;
  const row = width * 4;
  for (const d of [4, row, row + 4, row - 4]) {
    if (isNear(data, i, i - d, step) && isNear(data, i, i + d, step)) return true;
  }
  return false;
}

/** A color in sRGB (0..255) and in OKLab. */
export interface SeenColor {
  red: number;
  green: number;
  blue: number;
  L: number;
  a: number;
  b: number;
}

/** A color with votes: its key in the histogram, and its mean. */
export interface Bin extends SeenColor {
  key: number;
  count: number;
}
/** A histogram of colors, in bins of 8 levels per channel. 64 kB each, and 32 bytes for each bin with votes. */
export class Histogram {
  total = 0;
  /** By key: the place of the bin plus one, 0 without votes. Few of the bins of a picture have any. */
  private readonly places = new Uint16Array(32768);
  private keys: number[] = [];
  /** By place: votes, and their sums of red, green and blue. */
  private sums = new Float64Array(64);

  /** Adds `times` votes for the RGB color at index i of RGBA data. */
  add(data: Uint8ClampedArray, i: number, times: number): void {
    const key = ((data[i] >> 3) << 10) | ((data[i + 1] >> 3) << 5) | (data[i + 2] >> 3);
    this.total += times;
    let place = this.places[key] - 1;
    if (place < 0) {
      place = this.keys.length;
      this.places[key] = place + 1;
      this.keys.push(key);
      this.sums = withRoom(this.sums, 4 * place + 4);
    }
    const { sums } = this;
    sums[4 * place] += times;
    sums[4 * place + 1] += times * data[i];
    sums[4 * place + 2] += times * data[i + 1];
    sums[4 * place + 3] += times * data[i + 2];
  }

  /** Takes the votes that the kernel left at an address of its memory: see `kernels/votes.ts`. */
  read(memory: ArrayBuffer, at: number): void {
    this.total = new Float64Array(memory, at, 1)[0];
    const count = new Uint32Array(memory, at + 8, 1)[0];
    this.keys = Array.from(new Uint16Array(memory, at + 16 + 65536, count));
    this.sums = new Float64Array(memory, at + 16 + 2 * 65536, 4 * count).slice();
    for (let place = 0; place < count; place++) this.places[this.keys[place]] = place + 1;
  }

  /** Returns the votes of a bin and its adjacent bins: noise spreads one color over several. */
  support(bin: Bin): number {
    const { places, sums } = this;
    const red = bin.key >> 10;
    const green = (bin.key >> 5) & 31;
    const blue = bin.key & 31;
    let sum = 0;
    for (let r = Math.max(0, red - 1); r <= Math.min(31, red + 1); r++) {
      for (let g = Math.max(0, green - 1); g <= Math.min(31, green + 1); g++) {
        for (let b = Math.max(0, blue - 1); b <= Math.min(31, blue + 1); b++) {
          const place = places[(r << 10) | (g << 5) | b];
          if (place > 0) sum += sums[4 * place - 4];
        }
      }
    }
    return sum;
  }

  /** Returns the bins with votes, the fullest first. Equal counts are ordered by key, so the order is deterministic. */
  listFullestFirst(): Bin[] {
    const { keys, sums } = this;
    const bins = keys.map((key, place) => {
      const count = sums[4 * place];
      return toBin(key, count, sums[4 * place + 1] / count, sums[4 * place + 2] / count, sums[4 * place + 3] / count);
    });
    return bins.sort((p, q) => q.count - p.count || p.key - q.key);
  }
}

/** Returns a bin of a mean color (sRGB, 0..255) with its OKLab coordinates. */
export function toBin(key: number, count: number, red: number, green: number, blue: number): Bin {
  const lab = new Float64Array(3);
  writeOklab(red, green, blue, lab, 0);
  return { key, count, red, green, blue, L: lab[0], a: lab[1], b: lab[2] };
}
