/** Evidence that a camera took a picture: what a drawn gradient does not have. */
import type { Bitmap } from '../pixels/bitmap.ts';
import { quantileOf, toLinear } from './cells.ts';
import { blurField, type Field } from './field.ts';
import type { Mixes } from './unmix.ts';

/** Second differences above this are edges, in levels. */
const EDGE = 12;
/** Rows that are looked at, about. */
const ROWS = 300;

/**
 * Returns how much the rows of the largest patch of paper go up and down from pixel to pixel, in levels: the mean over
 * its pixels of the second difference where a pixel is above or below both neighbors. A ramp that is rounded to bytes
 * never turns back, however steep it is; a sensor's noise does, even after two saves as JPEG. Reads about 300 rows.
 */
export function measureRoughness({ width, height, data }: Bitmap, { isMain, cells }: Field): number {
  const step = Math.max(1, Math.floor(height / ROWS));
  let bends = 0;
  let count = 0;
  for (let y = step >> 1; y < height; y += step) {
    const row = Math.floor(y / cells.side) * cells.across;
    for (let x = 1; x < width - 1; x++) {
      if (!isMain[row + Math.floor(x / cells.side)]) continue;
      const i = (y * width + x) * 4 + 1; // green carries most of the light
      const [before, after] = [data[i] - data[i - 4], data[i] - data[i + 4]];
      if (Math.abs(before + after) > EDGE) continue;
      count++;
      if (before * after > 0) bends += Math.abs(before + after);
    }
  }
  return count === 0 ? 0 : bends / count;
}

/**
 * Returns by how much the color of the light varies on the largest patch of paper, in logarithms. Lamps and shadows
 * differ a little; the colors of a drawn sky, a lot.
 */
export function rangeOfTint({ isMain, cells }: Field): number {
  const logs = blurField(cells.logs, cells.across, cells.down);
  let most = 0;
  for (const c of [0, 2]) {
    const tints = logs.filter((_, k) => k % 3 === c).map((value, p) => value - logs[p * 3 + 1]);
    const own = tints.filter((_, p) => isMain[p]);
    most = Math.max(most, quantileOf(own, 0.97) - quantileOf(own, 0.03));
  }
  return most;
}

/** An ink tells the light on it when it has this many pixels. */
const LEAST_OF_INK = 200;
/** Pixels within this distance of a pixel must have its ink, and no other: blur reaches as far. */
const CORE = 2;
/** A pixel with less of another ink than this counts as one ink. */
const IMPURE = 0.03;
/** Darkness at which an ink shows as much of the sensor's floor as of the light on it, as a share of paper. */
const DARK = 0.05;

/** An ink with less of the light than this is black in any light. */
const BLACK = 0.03;

/** No lens and no paper let so little light through: ink with less is drawn. */
const PURE_BLACK = 0.0025;

/** How the inks change with the light that is on the paper around them. */
export interface InkLight {
  /** Share by which an ink brightens where the paper does by 1: about 1 under light, about 0 in a drawing. */
  slope: number;
  /** Standard deviation of the light on the inks, as a share of it: the slope is known where this is not small. */
  spread: number;
}

/**
 * Measures whether the inks follow the light. Light multiplies ink and paper alike, while a drawn ramp lies behind inks
 * that keep their color; and the shading of a thing follows its form. Returns a spread of 0 where no ink covers more
 * than its blurred edges. Linear in pixels.
 */
export function measureInkLight({ width, height, data }: Bitmap, { cells, light }: Field, mixes: Mixes): InkLight {
  const inkCount = mixes.first.reduce((most, ink) => Math.max(most, ink), 0) + 1;
  const { side, across, down } = cells;
  const size = across * down;
  const sums = new Float64Array(inkCount * size * 3);
  const counts = new Uint32Array(inkCount * size);
  for (let y = CORE; y < height - CORE; y++) {
    for (let x = CORE; x < width - CORE; x++) {
      const p = y * width + x;
      const ink = coreInk(mixes, p);
      if (ink <= 0) continue;
      if (coreInk(mixes, p - CORE) !== ink || coreInk(mixes, p + CORE) !== ink) continue;
      if (coreInk(mixes, p - CORE * width) !== ink || coreInk(mixes, p + CORE * width) !== ink) continue;
      const cell = ink * size + Math.floor(y / side) * across + Math.floor(x / side);
      counts[cell]++;
      for (let c = 0; c < 3; c++) sums[cell * 3 + c] += toLinear(data[p * 4 + c]);
    }
  }
  let rise = 0;
  let run = 0;
  let weights = 0;
  for (let ink = 1; ink < inkCount; ink++) {
    const own = compareWithPaper(sums.subarray(ink * size * 3), counts.subarray(ink * size, (ink + 1) * size), light);
    rise += own.rise;
    run += own.run;
    weights += own.weight;
  }
  return run > 0 ? { slope: rise / run, spread: Math.sqrt(run / weights) } : { slope: 0, spread: 0 };
}

/** Returns the ink of a pixel that is no mix; -1 for others. */
function coreInk({ first, second, share }: Mixes, p: number): number {
  if (first[p] === second[p] || share[p] > 1 - IMPURE) return first[p];
  return share[p] < IMPURE ? second[p] : -1;
}

/**
 * Sums what the slope of one ink is made of, over its cells: in the channel in which it is brightest. Pure black counts
 * as an ink that does not follow the light at all.
 */
function compareWithPaper(
  sums: Float64Array,
  counts: Uint32Array,
  light: Float32Array,
): { rise: number; run: number; weight: number } {
  const inkMean = [0, 0, 0];
  const lightMean = [0, 0, 0];
  let total = 0;
  for (let p = 0; p < counts.length; p++) {
    if (counts[p] === 0) continue;
    total += counts[p];
    for (let c = 0; c < 3; c++) {
      inkMean[c] += sums[p * 3 + c];
      lightMean[c] += counts[p] * Math.exp(light[p * 3 + c]);
    }
  }
  if (total < LEAST_OF_INK) return { rise: 0, run: 0, weight: 0 };
  const c = inkMean.indexOf(Math.max(...inkMean));
  let [rise, run] = [0, 0];
  for (let p = 0; p < counts.length; p++) {
    if (counts[p] === 0) continue;
    const ink = (sums[p * 3 + c] * total) / counts[p] / inkMean[c] - 1;
    const paper = (Math.exp(light[p * 3 + c]) * total) / lightMean[c] - 1;
    rise += counts[p] * ink * paper;
    run += counts[p] * paper * paper;
  }
  const share = inkMean[c] / lightMean[c];
  if (share < PURE_BLACK) return { rise: 0, run: total, weight: total };
  if (share < BLACK) return { rise: 0, run: 0, weight: 0 };
  const trust = share / (share + DARK);
  return { rise: trust * rise, run: trust * run, weight: trust * total };
}
