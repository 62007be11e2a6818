import { copyIn, loadKernels, reserve } from '../kernels/kernels.ts';
import type { Bitmap } from '../pixels/bitmap.ts';
import { isOpaque } from '../pixels/bitmap.ts';

/** Approximate number of blocks along each side of a square picture. */
const BLOCKS = 100;
/** With fewer blocks than this, a picture is not classified as a photograph. */
const LEAST_BLOCKS = 400;
/** Difference between neighboring blocks, in levels, above which an edge runs through one of them. */
const EDGE_STEP = 32;
/** Least second difference of blocks that is texture, in levels, */
const TEXTURE_STEP = 8;
/** and in standard deviations of the noise that remains in the mean of a block. */
const NOISE_STEP = 2.5;
/**
 * Standard deviation of pixels within a block, in levels, above which noise is tested for being white; scans have a
 * third of it.
 */
const WILD = 30;
/** Colors of five bits per channel. */
const COLOR_BINS = 1 << 15;
/** Number of colors that are counted, each a cube of 24 levels per side. */
const COLORS = 6;

/**
 * Returns true when a picture is a photograph: tonal everywhere and textured.
 *
 * Works on blocks, which average out noise, ringing and halftone dots. Drawn art consists of a few flat colors: six of
 * them hold nearly every block without an edge, however noisy the scan. Shaded art has many colors, but its ramps are
 * linear, so a block is the mean of the blocks on either side. A photograph has neither property. A picture counts as
 * one when enough blocks are texture (not such a mean); the more of the picture six colors explain, the more texture is
 * needed. In doubt it is drawn art. Pure noise counts as a photograph, as it has no edges to trace.
 *
 * Reads the alpha of every pixel, and the colors of about a quarter of a million at most.
 */
export function isPhotograph(pixels: Bitmap): boolean {
  if (!isOpaque(pixels)) return false;
  const side = Math.max(3, Math.round(Math.sqrt(pixels.width * pixels.height) / BLOCKS));
  const across = Math.floor(pixels.width / side);
  const down = Math.floor(pixels.height / side);
  if (across * down < LEAST_BLOCKS || across < 8 || down < 8) return false;
  const { means, noise, spread } = averageBlocks(pixels, side, across, down);
  if (spread > WILD && isWhiteNoise(pixels)) return true;
  const textureStep = Math.max(TEXTURE_STEP, NOISE_STEP * Math.sqrt(6) * noise); // √6: of 2b - a - c

  const { even, texturedCount, counts } = countTexture(means, across, down, textureStep);
  const texture = texturedCount / Math.max(1, even);
  if (even < 0.1 * across * down || texture < leastTexture(0)) return false;
  return texture >= leastTexture(shareOfFullest(counts) / even);
}

/** The blocks without an edge: how many there are, how many of them are textured, and how many have each color. */
interface Texture {
  even: number;
  texturedCount: number;
  /** By color of five bits per channel. */
  counts: Uint32Array;
}

/** Counts the blocks whose second differences exceed `textureStep`, in levels. */
export function countTexture(means: Float32Array, across: number, down: number, textureStep: number): Texture {
  const kernels = loadKernels();
  const out = new Uint32Array(4 + COLOR_BINS);
  const addresses = kernels && copyIn(kernels, [means, out]);
  if (!kernels || !addresses) return countTextureHere(means, across, down, textureStep);
  kernels.countTexture(addresses[0], across, down, EDGE_STEP, textureStep, addresses[1]);
  out.set(new Uint32Array(kernels.memory.buffer, addresses[1], out.length));
  return { even: out[0], texturedCount: out[1], counts: out.subarray(4) };
}

/** Does in TypeScript what the kernel does, with the same bits. */
function countTextureHere(means: Float32Array, across: number, down: number, textureStep: number): Texture {
  const counts = new Uint32Array(COLOR_BINS);
  let even = 0;
  let texturedCount = 0;
  for (let y = 1; y < down - 1; y++) {
    for (let x = 1; x < across - 1; x++) {
      const i = (y * across + x) * 3;
      let step = 0;
      let bend = 0;
      for (let c = i; c < i + 3; c++) {
        const here = means[c];
        const left = means[c - 3];
        const right = means[c + 3];
        const above = means[c - across * 3];
        const below = means[c + across * 3];
        const steps = Math.max(
          Math.abs(here - left),
          Math.abs(here - right),
          Math.abs(here - above),
          Math.abs(here - below),
        );
        const bends = Math.max(Math.abs(2 * here - left - right), Math.abs(2 * here - above - below));
        if (steps > step) step = steps;
        if (bends > bend) bend = bends;
      }
      if (step > EDGE_STEP) continue;
      even++;
      if (bend > textureStep) texturedCount++;
      counts[((means[i] >> 3) << 10) | ((means[i + 1] >> 3) << 5) | (means[i + 2] >> 3)]++;
    }
  }
  return { even, texturedCount, counts };
}

/**
 * Returns the least share of textured blocks in a photograph when six colors hold the share `flatShare` of all blocks.
 */
function leastTexture(flatShare: number): number {
  return Math.max(0.12, 0.2 + 1.5 * (flatShare - 0.7));
}

/**
 * Returns the mean red, green and blue of each block, from a sample of its pixels; the standard deviation that
 * independent pixel noise leaves in such a mean (`noise`); and that of the pixels (`spread`). The median block is used,
 * as most of drawn art has no other differences.
 */
export function averageBlocks(
  bitmap: Bitmap,
  side: number,
  across: number,
  down: number,
): { means: Float32Array; noise: number; spread: number } {
  const step = Math.max(1, Math.floor(side / 5));
  const perSide = Math.ceil(side / step);
  const perBlock = perSide ** 2;
  const blocks = { side, step, across, down };
  const { means, roughness, evenCount } = readBlocksInKernel(bitmap, blocks) ?? readBlocksHere(bitmap, blocks);
  const middle = roughness.length >> 1;
  if (evenCount <= middle) roughness.sort(); // else the median is that of an even block
  const pairs = perBlock - perSide;
  const variance = evenCount > middle ? 0 : roughness[middle] / (2 * pairs);
  return { means, noise: Math.sqrt(variance / perBlock), spread: Math.sqrt(variance) };
}

/** The blocks: pixels along the side of each, pixels from one sample to the next, and blocks in each direction. */
interface Grid {
  side: number;
  step: number;
  across: number;
  down: number;
}

/** By block: its mean red, green and blue, and the sum of its squared differences; and the number of even blocks. */
interface Blocks {
  means: Float32Array;
  roughness: Float32Array;
  evenCount: number;
}

/** Reads the blocks by the kernel, to which only the sampled rows are copied. Returns undefined where there is none. */
function readBlocksInKernel({ width, data }: Bitmap, { side, step, across, down }: Grid): Blocks | undefined {
  const kernels = loadKernels();
  if (!kernels) return undefined;
  const rowBytes = 4 * width;
  const means = new Float32Array(across * down * 3);
  const roughness = new Float32Array(across * down);
  const start = reserve(kernels, 16 * across + Math.ceil(side / step) * rowBytes);
  if (start === undefined) return undefined;
  const { buffer } = kernels.memory;
  const bytes = new Uint8Array(buffer);
  const meansOut = new Float32Array(buffer, start, 3 * across);
  const roughnessOut = new Float32Array(buffer, start + 12 * across, across);
  const rows = start + 16 * across;
  let evenCount = 0;
  for (let y = 0; y < down; y++) {
    for (let v = 0, at = rows; v < side; v += step, at += rowBytes) {
      const from = (y * side + v) * rowBytes;
      bytes.set(data.subarray(from, from + rowBytes), at);
    }
    evenCount += kernels.averageBlocks(rows, width, across, side, step, start, start + 12 * across);
    means.set(meansOut, y * across * 3);
    roughness.set(roughnessOut, y * across);
  }
  return { means, roughness, evenCount };
}

/** Does in TypeScript what the kernel does, with the same bits. */
function readBlocksHere({ width, height, data }: Bitmap, { side, step, across, down }: Grid): Blocks {
  const means = new Float32Array(across * down * 3);
  const roughness = new Float32Array(across * down);
  const perBlock = Math.ceil(side / step) ** 2;
  let evenCount = 0;
  const words = data.byteOffset % 4 === 0 ? new Uint32Array(data.buffer, data.byteOffset, width * height) : undefined;
  for (let y = 0; y < down; y++) {
    for (let x = 0; x < across; x++) {
      const at = (y * across + x) * 3;
      const first = y * side * width + x * side;
      if (words && isEven(words, first, width, side, step)) {
        evenCount++;
        for (let c = 0; c < 3; c++) means[at + c] = data[first * 4 + c];
        continue;
      }
      let red = 0;
      let green = 0;
      let blue = 0;
      let differences = 0;
      for (let v = 0; v < side; v += step) {
        let i = (first + v * width) * 4;
        for (let u = 0; u < side; u += step, i += step * 4) {
          if (u > 0) differences += (data[i + 1] - data[i + 1 - step * 4]) ** 2;
          red += data[i];
          green += data[i + 1];
          blue += data[i + 2];
        }
      }
      roughness[y * across + x] = differences;
      means[at] = red / perBlock;
      means[at + 1] = green / perBlock;
      means[at + 2] = blue / perBlock;
    }
  }
  return { means, roughness, evenCount };
}

/** Returns true when the sampled pixels of a block are equal, as in most blocks of drawn art. */
function isEven(words: Uint32Array, first: number, width: number, side: number, step: number): boolean {
  const word = words[first];
  for (let v = 0; v < side; v += step) {
    const row = first + v * width;
    for (let i = row; i < row + side; i += step) if (words[i] !== word) return false;
  }
  return true;
}

/** Approximate number of pixels that are compared with their neighbors. */
const COMPARED = 20_000;

/**
 * Returns true when pixels are uncorrelated with those one or two steps away: then squared differences are twice the
 * variance. Along a line or within a patch, they are far smaller in at least one direction; in a weave or a halftone
 * screen, far larger.
 */
function isWhiteNoise({ width, height, data }: Bitmap): boolean {
  const step = Math.max(1, Math.floor(Math.sqrt((width * height) / COMPARED)));
  const row = width * 4;
  const ways = Int32Array.of(4, row, row + 4, row - 4, 8, 2 * row);
  const apart = new Float64Array(ways.length);
  let count = 0;
  let sum = 0;
  let squares = 0;
  // Each row is sampled one pixel farther on, to avoid aliasing with a pattern of the same pitch.
  for (let y = 0, shift = 0; y < height - 2; y += step, shift = (shift + 1) % step) {
    for (let x = 1 + shift; x < width - 2; x += step) {
      const i = (y * width + x) * 4 + 1; // green carries most of the light
      const v = data[i];
      count++;
      sum += v;
      squares += v * v;
      for (let k = 0; k < ways.length; k++) apart[k] += (v - data[i + ways[k]]) * (v - data[i + ways[k]]);
    }
  }
  const variance = squares / count - (sum / count) * (sum / count);
  for (let k = 0; k < ways.length; k++) {
    const share = apart[k] / (2 * variance * count);
    if (!(share > 0.85 && share < 1.15)) return false;
  }
  return true;
}

/** Returns the votes in the fullest cubes of 3 × 3 × 3 bins, which are found and emptied one after another. */
function shareOfFullest(counts: Uint32Array): number {
  const usedKeys: number[] = [];
  for (let key = 0; key < counts.length; key++) if (counts[key] > 0) usedKeys.push(key);
  let votes = 0;
  for (let k = 0; k < COLORS; k++) {
    let best = 0;
    let most = 0;
    for (const key of usedKeys) {
      if (counts[key] === 0) continue;
      const sum = sumCube(counts, key, false);
      if (sum > most) {
        most = sum;
        best = key;
      }
    }
    if (most === 0) break;
    votes += sumCube(counts, best, true);
  }
  return votes;
}

function sumCube(counts: Uint32Array, key: number, empty: boolean): number {
  const red = key >> 10;
  const green = (key >> 5) & 31;
  const blue = key & 31;
  let sum = 0;
  for (let r = Math.max(0, red - 1); r <= Math.min(31, red + 1); r++) {
    for (let g = Math.max(0, green - 1); g <= Math.min(31, green + 1); g++) {
      for (let b = Math.max(0, blue - 1); b <= Math.min(31, blue + 1); b++) {
        const at = (r << 10) | (g << 5) | b;
        sum += counts[at];
        if (empty) counts[at] = 0;
      }
    }
  }
  return sum;
}
