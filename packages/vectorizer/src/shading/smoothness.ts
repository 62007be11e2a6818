import { giveBack, makeUint8Clamped } from '../geometry/memory.ts';
import type { Pixels } from '../pixels/bitmap.ts';
import type { Regions } from '../regions/regions.ts';

/** Second difference, in levels, above which a pixel is on an edge when there is no noise. */
export const EDGE_STEP = 3;

/**
 * Returns true when colors do not change linearly, or change steeply, from `reach` pixels before p to as many after it,
 * along its row or its column. Near the border of the picture it reads fewer pixels.
 */
export function isRough(pixels: Pixels, p: number, reach: number, most: number): boolean {
  const { width, height, data } = pixels;
  const x = p % width;
  const row = reach * width;
  // Nearly all pixels are inside, and this is the innermost loop of gradients.
  if (x < reach || x >= width - reach || p < row || p >= width * height - row)
    return isBorderRough(pixels, p, reach, most);
  const steep = steepest(reach);
  return isBent(data, p * 4, reach * 4, most, steep) || isBent(data, p * 4, row * 4, most, steep);
}

function isBorderRough({ width, height, data }: Pixels, p: number, reach: number, most: number): boolean {
  const x = p % width;
  const y = (p - x) / width;
  const across = Math.min(reach, x, width - 1 - x);
  const down = Math.min(reach, y, height - 1 - y);
  return (
    isBent(data, p * 4, across * 4, most, steepest(across)) ||
    isBent(data, p * 4, down * width * 4, most, steepest(down))
  );
}

/**
 * The middle of an edge has no second difference, but no shading is as steep: levels over two pixels, and for every two
 * more.
 */
const STEEP = 30;
const STEEPER = 8;

function steepest(reach: number): number {
  return STEEP + STEEPER * (reach - 1);
}

function isBent(data: Uint8ClampedArray, i: number, step: number, most: number, steep: number): boolean {
  for (let c = i; c < i + 4; c++) {
    const before = data[c - step];
    const after = data[c + step];
    if (Math.abs(before - 2 * data[c] + after) > most || Math.abs(after - before) > steep) return true;
  }
  return false;
}

/** The test that separates smooth areas from edges. In noise it has a wider reach and runs on a blurred copy. */
export interface SmoothnessTest {
  pixels: Pixels;
  reach: number;
  most: number;
  /** Standard deviation of the remaining noise in those pixels, in byte levels. */
  noise: number;
}

/**
 * Returns the test for a picture: on the picture itself without noise, else on a blurred copy with thresholds for the
 * remaining noise.
 */
export function createSmoothnessTest(
  pixels: Pixels,
  noise: number,
  regions: Regions,
  isShaded: Uint8Array,
): SmoothnessTest {
  if (noise === 0) return { pixels, reach: 1, most: EDGE_STEP, noise: 0 };
  let soft = pixels;
  for (let pass = 0; pass < (noise > 1 ? 3 : 1); pass++) {
    const rows = blur(soft, true);
    if (pass > 0) giveBack(soft.data);
    soft = blur(rows, false);
    giveBack(rows.data);
  }
  const reach = noise > 1 ? 5 : 3;
  const left = Math.min(noise, measureBend(soft, regions, isShaded, reach));
  return { pixels: soft, reach, most: EDGE_STEP + 2.2 * Math.sqrt(6) * left, noise: left };
}

/**
 * Returns the standard deviation of the noise in shaded regions, from the median second difference along rows, as
 * shading itself has a small one.
 */
function measureBend({ width, height, data }: Pixels, { ids }: Regions, isShaded: Uint8Array, reach: number): number {
  const counts = new Uint32Array(64); // by second difference
  let total = 0;
  for (let y = 1; y < height; y += 3) {
    for (let x = reach; x < width - reach; x += 2) {
      const p = y * width + x;
      if (!isShaded[ids[p]]) continue;
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

/** Returns means of three neighbors in a row, or else in a column. The border counts twice. */
function blur(pixels: Pixels, isRow: boolean): Pixels {
  const { width, height, data } = pixels;
  const out = makeUint8Clamped(data.length);
  const step = isRow ? 4 : width * 4;
  for (let y = 0, i = 0; y < height; y++) {
    const isFirstRow = !isRow && y === 0;
    const isLastRow = !isRow && y === height - 1;
    for (let x = 0; x < width; x++) {
      const before = isFirstRow || (isRow && x === 0) ? 0 : step;
      const after = isLastRow || (isRow && x === width - 1) ? 0 : step;
      for (let c = 0; c < 4; c++, i++) out[i] = (data[i - before] + data[i] + data[i + after]) / 3;
    }
  }
  return { ...pixels, data: out };
}
