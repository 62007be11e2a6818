import type { Pixels } from './bitmap.ts';

/**
 * Returns a gray picture cut in two at a level: black where it is darker, white where it is not. A pixel that the cut
 * goes through gets the gray of its share, so the stages after this find the boundary where the picture, with straight
 * ramps from pixel to pixel, crosses the level.
 *
 * Each pixel is eight triangles about its middle; how much of a triangle lies below a level has a closed form. A higher
 * level makes no pixel lighter. Linear in the pixels; only those beside the cut cost more than a look at their
 * neighbors.
 */
export function cutAt({ width, height, data, opaque }: Pixels, level: number): Pixels {
  const out = new Uint8ClampedArray(data.length);
  const near = new Float64Array(9); // the pixel and its neighbors, row by row
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

/** Returns how much of the middle pixel is darker than the level, 0..1. */
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

/** The neighbors beside each corner of a pixel; the one beyond the corner is their sum less the middle. */
const QUARTERS = [
  [3, 1],
  [5, 1],
  [3, 7],
  [5, 7],
];

/** Returns how much of a triangle lies below a level that falls evenly between its corners. */
function shareBelow(p: number, q: number, r: number, level: number): number {
  const low = Math.min(p, q, r);
  const high = Math.max(p, q, r);
  if (level <= low) return 0;
  if (level > high) return 1;
  const middle = p + q + r - low - high;
  if (level <= middle) return (level - low) ** 2 / ((middle - low) * (high - low));
  return 1 - (high - level) ** 2 / ((high - middle) * (high - low));
}
