import type { Pixels } from './bitmap.ts';

/**
 * Thresholds a gray picture: black where it is darker than the level, white elsewhere. A pixel that the level set
 * crosses gets the gray of its covered share, so later stages find the boundary where the linearly interpolated picture
 * crosses the level.
 *
 * Each pixel is split into eight triangles around its center; the share of a triangle below a level has a closed form.
 * A higher level makes no pixel lighter. Linear in the pixels; only pixels beside the cut cost more than a comparison
 * with their neighbors.
 */
export function cutAt({ width, height, data, opaque }: Pixels, level: number): Pixels {
  const out = new Uint8ClampedArray(data.length);
  const near = new Float64Array(9); // the 3 × 3 neighborhood, row by row
  for (let y = 0, i = 0; y < height; y++) {
    const up = y > 0 ? -width * 4 : 0;
    const down = y < height - 1 ? width * 4 : 0;
    for (let x = 0; x < width; x++, i += 4) {
      const left = x > 0 ? -4 : 0;
      const right = x < width - 1 ? 4 : 0;
      let below = 0;
      for (let k = 0; k < 9; k++) {
        const row = k < 3 ? up : k < 6 ? 0 : down;
        const column = k % 3;
        near[k] = data[i + row + (column === 0 ? left : column === 1 ? 0 : right)];
        if (near[k] < level) below++;
      }
      const ink = below === 0 ? 0 : below === 9 ? 1 : inkOf(near, level);
      out[i] = out[i + 1] = out[i + 2] = 255 * (1 - ink);
      out[i + 3] = data[i + 3];
    }
  }
  return { width, height, data: out, opaque };
}

/** Returns the share of the middle pixel that is darker than the level, 0..1. */
function inkOf(near: Float64Array, level: number): number {
  const middle = near[4];
  let ink = 0;
  for (const [across, along] of QUARTERS) {
    const toSide = (middle + near[across]) / 2;
    const toOther = (middle + near[along]) / 2;
    const toCorner = (middle + near[across] + near[along] + near[across + along - 4]) / 4;
    ink += shareBelow(middle, toSide, toCorner, level) + shareBelow(middle, toOther, toCorner, level);
  }
  return ink / 8;
}

/** The two neighbors beside each corner of a pixel. The index of the diagonal neighbor is their sum minus 4. */
const QUARTERS = [
  [3, 1],
  [5, 1],
  [3, 7],
  [5, 7],
];

/** Returns the share of a triangle that lies below a level, for values interpolated linearly between its corners. */
function shareBelow(p: number, q: number, r: number, level: number): number {
  const low = Math.min(p, q, r);
  const high = Math.max(p, q, r);
  if (level <= low) return 0;
  if (level > high) return 1;
  const middle = p + q + r - low - high;
  if (level <= middle) return (level - low) ** 2 / ((middle - low) * (high - low));
  return 1 - (high - level) ** 2 / ((high - middle) * (high - low));
}
