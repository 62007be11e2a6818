import type { Mixes } from './mixes.ts';

/** Pixels around a pixel that must show ink for it to lie within a shape: as far as an edge's blur reaches. */
const REACH = 3;
/** Least share of ink that shows: pencil and dry stamps leave no less, and a gap that was drawn does. */
const LEAST = 0.2;
/** Ink that covers evenly has this share at least, deep within shapes, */
const EVEN = 0.88;
/** but for this part of the pixels there, when there are as many. Gaps between letters lie nowhere so deep. */
const MOST_UNEVEN = 0.006;
const LEAST_DEEP = 150;
/** A line of paler ink that is longer, in px, is a narrow gap that was drawn, not grain. */
const LONGEST_GRAIN = 40;
/** Ink is grainy all over, as of a pencil, where this share of it has less than that, */
const GRAINY_SHARE = 0.4;
const GRAINY = 0.8;
/** within strokes so wide that this share of the ink tells, and this many pixels. Gaps in letters are no grain. */
const LEAST_WITHIN_SHARE = 0.2;
const LEAST_WITHIN = 1000;
/** Standard deviation, in px, of the blur that joins such grain. */
const GRAINY_BLUR = 1.2;
/** Weights of a slight blur, from the middle outward, that joins the grain of ink along an edge. */
const BLUR = [0.266, 0.213, 0.109, 0.036, 0.009];

/** How the inks of a picture cover its paper: `grainy` is uneven in most places. */
export type Cover = 'even' | 'uneven' | 'grainy';

/**
 * Lets each ink cover the paper that shows through it, as through the strokes of a pencil or a marker, a dry stamp or
 * the dots of a print: within a shape all of the pixel is ink, and along its edges the share of ink counts for more,
 * by what the ink covers on the whole. Strokes too thin to show how they are covered stay as they are, and so does all
 * where inks cover evenly. Returns how they cover: to sharpen what is grainy would bring the grain back, and what is
 * paler within uneven ink is no gap. Linear in pixels.
 */
export function evenOutCover(mixes: Mixes, count: number): Cover {
  const { width, height, first, second, share } = mixes;
  const cover = new Float32Array(share.length);
  const owner = new Uint8Array(share.length);
  for (let p = 0; p < share.length; p++) {
    const [own, ink] = first[p] === 0 ? [1 - share[p], second[p]] : [second[p] === 0 ? share[p] : 1, first[p]];
    cover[p] = ink === 0 ? 0 : own;
    owner[p] = ink;
  }
  const around = leastAround(cover, width, height);
  if (isGrainy(cover, around)) {
    joinGrain(mixes, cover, around);
    return 'grainy';
  }
  const deepAround = leastAround(around, width, height);
  const coverSums = new Float64Array(count);
  const deep = new Uint32Array(count);
  const grain = new Uint8Array(share.length);
  let all = 0;
  for (let p = 0; p < share.length; p++) {
    if (deepAround[p] < LEAST) continue;
    all++;
    deep[owner[p]]++;
    coverSums[owner[p]] += cover[p];
    if (cover[p] < EVEN) grain[p] = 1;
  }
  if (all < LEAST_DEEP || countGrain(grain, width) < MOST_UNEVEN * all) return 'even';
  for (let p = 0; p < share.length; p++) if (around[p] >= LEAST) cover[p] = 1;
  const smooth = blurBy(BLUR, cover, width, height);
  const far = farFromDeep(deepAround, width, height);
  const mean = coverSums.reduce((sum, value) => sum + value, 0) / all;
  for (let p = 0; p < share.length; p++) {
    const ink = owner[p];
    if (ink === 0 || far[p] || (first[p] !== 0 && second[p] !== 0)) continue;
    const usual = deep[ink] < LEAST_DEEP ? mean : coverSums[ink] / deep[ink];
    const own = around[p] >= LEAST ? 1 : Math.min(1, smooth[p] / usual);
    share[p] = first[p] === 0 ? 1 - own : own;
  }
  return 'uneven';
}

/** Returns true when the ink within strokes, thin ones too, is mostly uneven. */
function isGrainy(cover: Float32Array, around: Float32Array): boolean {
  let [inkCount, within, uneven] = [0, 0, 0];
  for (let p = 0; p < cover.length; p++) {
    if (cover[p] > 0.5) inkCount++;
    if (around[p] < LEAST) continue;
    within++;
    if (cover[p] < GRAINY) uneven++;
  }
  return within >= LEAST_WITHIN && within > LEAST_WITHIN_SHARE * inkCount && uneven > GRAINY_SHARE * within;
}

/** Lets grainy ink cover what lies within its strokes, and its edges lie where it has half of its usual cover. */
function joinGrain({ width, height, first, second, share }: Mixes, cover: Float32Array, around: Float32Array): void {
  let [sum, count] = [0, 0];
  for (let p = 0; p < cover.length; p++) {
    if (around[p] < LEAST) continue;
    sum += cover[p];
    count++;
    cover[p] = 1;
  }
  const smooth = blurBy(gaussian(GRAINY_BLUR), cover, width, height);
  for (let p = 0; p < share.length; p++) {
    if ((first[p] === 0) === (second[p] === 0)) continue;
    const own = Math.min(1, (smooth[p] * count) / sum);
    share[p] = first[p] === 0 ? 1 - own : own;
  }
}

/** Returns the share of each pixel that is ink of any kind, 0..1. */
export function coverOf({ first, second, share }: Mixes): Float32Array {
  const cover = new Float32Array(share.length);
  for (let p = 0; p < cover.length; p++) cover[p] = (first[p] ? share[p] : 0) + (second[p] ? 1 - share[p] : 0);
  return cover;
}

/** Counts the pixels of patches no longer than `LONGEST_GRAIN`. Clears `patches`. */
function countGrain(patches: Uint8Array, width: number): number {
  let count = 0;
  const stack: number[] = [];
  for (let start = 0; start < patches.length; start++) {
    if (patches[start] === 0) continue;
    let [minX, maxX, minY, maxY, size] = [width, 0, patches.length, 0, 0];
    patches[start] = 0;
    stack.push(start);
    while (stack.length > 0) {
      const p = stack.pop() as number;
      const x = p % width;
      const y = (p - x) / width;
      [minX, maxX] = [Math.min(minX, x), Math.max(maxX, x)];
      [minY, maxY] = [Math.min(minY, y), Math.max(maxY, y)];
      size++;
      for (const next of [x > 0 ? p - 1 : -1, x + 1 < width ? p + 1 : -1, p - width, p + width]) {
        if (patches[next] !== 1) continue;
        patches[next] = 0;
        stack.push(next);
      }
    }
    if (Math.max(maxX - minX, maxY - minY) < LONGEST_GRAIN) count += size;
  }
  return count;
}

/** Returns 0 for the pixels of shapes that are deep somewhere near, out to their edges, and 1 for all others. */
function farFromDeep(deepAround: Float32Array, width: number, height: number): Float32Array {
  let far: Float32Array = deepAround.map((value) => (value < LEAST ? 1 : 0));
  for (let reach = 0; reach < 3 * REACH; reach += REACH) far = leastAround(far, width, height);
  return far;
}

/** Returns the least value within a square around each pixel. */
export function leastAround(values: Float32Array, width: number, height: number): Float32Array {
  const rows = new Float32Array(values.length);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      let least = 1;
      for (let u = Math.max(0, x - REACH); u <= Math.min(width - 1, x + REACH); u++) {
        if (values[y * width + u] < least) least = values[y * width + u];
      }
      rows[y * width + x] = least;
    }
  }
  const out = rows.slice();
  for (let y = 0; y < height; y++) {
    for (let v = Math.max(0, y - REACH); v <= Math.min(height - 1, y + REACH); v++) {
      for (let x = 0, p = y * width, q = v * width; x < width; x++, p++, q++) if (rows[q] < out[p]) out[p] = rows[q];
    }
  }
  return out;
}

/** Returns the weights of a Gaussian blur of a standard deviation in px, from the middle outward. */
export function gaussian(deviation: number): number[] {
  const weights = Array.from({ length: Math.ceil(2.5 * deviation) + 1 }, (_, k) =>
    Math.exp(-0.5 * (k / deviation) ** 2),
  );
  const total = 2 * weights.reduce((sum, weight) => sum + weight, 0) - weights[0];
  return weights.map((weight) => weight / total);
}

/**
 * Blurs by a symmetric kernel, given from its middle outward, along rows and then along columns. The bounds of each
 * neighbor took most of its time, so they are asked near the border alone.
 */
export function blurBy(kernel: readonly number[], values: Float32Array, width: number, height: number): Float32Array {
  const weights = Float64Array.from(kernel);
  return blurColumns(weights, blurRows(weights, values, width), width, height);
}

function blurRows(weights: Float64Array, values: Float32Array, width: number): Float32Array {
  const out = new Float32Array(values.length);
  const reach = weights.length - 1;
  for (let from = 0; from < values.length; from += width) {
    for (let x = 0; x < width; x++) {
      const p = from + x;
      let sum = weights[0] * values[p];
      if (x >= reach && x < width - reach) {
        for (let k = 1; k <= reach; k++) sum += weights[k] * (values[p - k] + values[p + k]);
      } else {
        for (let k = 1; k <= reach; k++) {
          sum += weights[k] * (values[from + Math.max(0, x - k)] + values[from + Math.min(width - 1, x + k)]);
        }
      }
      out[p] = sum;
    }
  }
  return out;
}

function blurColumns(weights: Float64Array, values: Float32Array, width: number, height: number): Float32Array {
  const out = new Float32Array(values.length);
  const sums = new Float64Array(width);
  for (let y = 0, from = 0; y < height; y++, from += width) {
    for (let x = 0; x < width; x++) sums[x] = weights[0] * values[from + x];
    for (let k = 1; k < weights.length; k++) {
      const weight = weights[k];
      const [above, below] = [Math.max(0, y - k) * width, Math.min(height - 1, y + k) * width];
      for (let x = 0; x < width; x++) sums[x] += weight * (values[above + x] + values[below + x]);
    }
    for (let x = 0; x < width; x++) out[from + x] = sums[x];
  }
  return out;
}
