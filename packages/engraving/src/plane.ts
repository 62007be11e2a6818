/** Grids of numbers: reduced copies of a picture, averages over a neighborhood, values between pixels. */
import { type GrayRows, stripsOf } from './rows.ts';

/** A grid of numbers, row by row. */
export interface Plane {
  readonly width: number;
  readonly height: number;
  readonly data: Float32Array;
}

/** Averages each value with those up to `radius` away along both axes. Beyond the border lies nothing that counts. */
export function boxBlur({ width, height, data }: Plane, radius: number): Plane {
  const across = new Float32Array(data.length);
  const out = new Float32Array(data.length);
  if (radius < 1) return { width, height, data: data.slice() };
  for (let y = 0; y < height; y++) {
    const row = y * width;
    let sum = 0;
    for (let x = 0; x < Math.min(radius, width); x++) sum += data[row + x];
    for (let x = 0; x < width; x++) {
      if (x + radius < width) sum += data[row + x + radius];
      if (x - radius > 0) sum -= data[row + x - radius - 1];
      across[row + x] = sum / (Math.min(width - 1, x + radius) - Math.max(0, x - radius) + 1);
    }
  }
  // Whole rows at a time: columns one by one would miss the cache at every step.
  const sums = new Float64Array(width);
  for (let y = 0; y < Math.min(radius, height); y++) {
    for (let x = 0; x < width; x++) sums[x] += across[y * width + x];
  }
  for (let y = 0; y < height; y++) {
    const [next, past] = [(y + radius) * width, (y - radius - 1) * width];
    const hasNext = y + radius < height;
    const hasPast = y - radius > 0;
    const share = 1 / (Math.min(height - 1, y + radius) - Math.max(0, y - radius) + 1);
    for (let x = 0; x < width; x++) {
      if (hasNext) sums[x] += across[next + x];
      if (hasPast) sums[x] -= across[past + x];
      out[y * width + x] = sums[x] * share;
    }
  }
  return { width, height, data: out };
}

/** Blurs by about a Gaussian of this standard deviation: three boxes, whose variances add up. */
export function blur(plane: Plane, sigma: number): Plane {
  const radius = Math.max(1, Math.round((Math.sqrt(4 * sigma * sigma + 1) - 1) / 2));
  return boxBlur(boxBlur(boxBlur(plane, radius), radius), radius);
}

/**
 * Returns the means of squares of `step` pixels, 0..1. Those of the last column and row may have fewer pixels. Each row
 * is read once.
 */
export function reduceRows(rows: GrayRows, step: number): Plane {
  const { width, height } = rows;
  const [w, h] = [Math.ceil(width / step), Math.ceil(height / step)];
  const sum = new Float32Array(w * h);
  let y = 0;
  for (const { height: stripRows, data } of stripsOf(rows)) {
    for (let n = 0, i = 0; n < stripRows; n++, y++) {
      const row = Math.floor(y / step) * w;
      const count = Math.min(step, height - Math.floor(y / step) * step);
      for (let column = 0; column < w; column++) {
        const end = Math.min(width, (column + 1) * step);
        const pixels = (end - column * step) * count;
        let total = 0;
        for (let x = column * step; x < end; x++, i++) total += data[i];
        sum[row + column] += total / (255 * pixels);
      }
    }
  }
  return { width: w, height: h, data: sum };
}

/**
 * Returns the value at a place between the centers of pixels (bilinear), of which the first is at 0. Places beyond the
 * border have the value at the border.
 */
export function readAt({ width, height, data }: Plane, u: number, v: number): number {
  const x = u < 0 ? 0 : u > width - 1 ? width - 1 : u;
  const y = v < 0 ? 0 : v > height - 1 ? height - 1 : v;
  const left = Math.floor(x);
  const top = Math.floor(y);
  const right = left + 1 < width ? left + 1 : left;
  const below = (top + 1 < height ? top + 1 : top) * width;
  const above = top * width;
  const s = x - left;
  const t = y - top;
  const upper = data[above + left] + (data[above + right] - data[above + left]) * s;
  return upper + (data[below + left] + (data[below + right] - data[below + left]) * s - upper) * t;
}
