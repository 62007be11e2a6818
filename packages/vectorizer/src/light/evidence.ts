/** Evidence that a camera took a picture: what a drawn gradient does not have. */
import type { Bitmap } from '../pixels/bitmap.ts';
import { FLOOR, quantileOf, toLinear } from './cells.ts';
import { blurField, type Field } from './field.ts';
import type { Mixes } from './mixes.ts';

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
  /**
   * How much less an ink varies between places than paper does between places as far apart: 0 when it varies as much,
   * or is too small to tell, and 1 when it does not vary. The light below a broad ink is not known, but it varies.
   */
  steadiness: number;
}

/**
 * Measures whether the inks follow the light. Light multiplies ink and paper alike, while a drawn ramp lies behind inks
 * that keep their color; and the shading of a thing follows its form. Returns a spread of 0 where no ink covers more
 * than its blurred edges. Linear in pixels.
 */
export function measureInkLight({ width, height, data }: Bitmap, field: Field, mixes: Mixes): InkLight {
  const { cells, light } = field;
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
  let steadiness = 0;
  for (let ink = 1; ink < inkCount; ink++) {
    const inkSums = sums.subarray(ink * size * 3, (ink + 1) * size * 3);
    const inkCounts = counts.subarray(ink * size, (ink + 1) * size);
    const own = compareWithPaper(inkSums, inkCounts, light);
    steadiness = Math.max(steadiness, measureSteadiness(inkSums, inkCounts, field));
    rise += own.rise;
    run += own.run;
    weights += own.weight;
  }
  if (run === 0) return { slope: 0, spread: 0, steadiness };
  return { slope: rise / run, spread: Math.sqrt(run / weights), steadiness };
}

/** Pairs of cells of an ink that are compared, at least where it has as many: with 60, noise in a dark one decided. */
const PAIRS = 600;
/** Cells of paper from one that is compared to the next: no divisor of what a picture is across. */
const PAPER_STEP = 37;
/** An ink tells when it has this many cells, and should vary by this much as paper does, in logarithms. */
const LEAST_OF_CELLS = 60;
const LEAST_VARIATION = 0.04;

/** Returns the steadiness of one ink: cells of its upper half are compared with cells of its lower half. */
function measureSteadiness(sums: Float64Array, counts: Uint32Array, { cells, isPaper }: Field): number {
  const { across, down, side, logs } = cells;
  const own: number[] = [];
  for (let p = 0; p < counts.length; p++) if (counts[p] > (side * side) / 2) own.push(p);
  if (own.length < LEAST_OF_CELLS) return 0;
  const totals = [0, 1, 2].map((c) => own.reduce((sum, p) => sum + sums[p * 3 + c], 0));
  const brightest = totals.indexOf(Math.max(...totals));
  const lightOf = (p: number): number => Math.log(sums[p * 3 + brightest] / counts[p] + FLOOR);
  const stepOf = (p: number, q: number): number => (logs[p * 3 + brightest] - logs[q * 3 + brightest]) ** 2;
  const half = own.length >> 1;
  const step = Math.max(1, Math.floor(half / PAIRS));
  let [ofInk, ofPaper, inkPairs, paperPairs] = [0, 0, 0, 0];
  for (let k = 0; k < half; k += step) {
    const [p, q] = [own[k], own[k + half]];
    // Neighbors differ by noise and grain alone, which is not what varies between places.
    ofInk += (lightOf(q) - lightOf(p)) ** 2 - (lightOf(own[k + 1]) - lightOf(p)) ** 2;
    inkPairs++;
    const [dx, dy] = [(q % across) - (p % across), Math.floor(q / across) - Math.floor(p / across)];
    for (let from = 0; from < isPaper.length; from += PAPER_STEP) {
      const [x, y] = [(from % across) + dx, Math.floor(from / across) + dy];
      if (x < 0 || x >= across || y >= down) continue;
      const to = y * across + x;
      if (!isPaper[from] || !isPaper[from + 1] || !isPaper[to]) continue;
      ofPaper += stepOf(from, to) - stepOf(from, from + 1);
      paperPairs++;
    }
  }
  if (paperPairs < LEAST_OF_CELLS) return 0;
  // The floor of the logarithm flattens what a dark ink varies.
  const mean = own.reduce((sum, p) => sum + sums[p * 3 + brightest] / counts[p], 0) / own.length;
  const variation = (Math.sqrt(Math.max(0, ofPaper / paperPairs)) * mean) / (mean + FLOOR);
  return variation < LEAST_VARIATION ? 0 : Math.max(0, 1 - Math.sqrt(Math.max(0, ofInk / inkPairs)) / variation);
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
