/** Evidence that a camera took a picture: what a drawn gradient does not have. */
import type { Bitmap } from '../pixels/bitmap.ts';
import { quantileOf } from './cells.ts';
import { blurField, type Field } from './field.ts';

/** Second differences above this are edges, in levels. */
const EDGE = 12;
/** Rows that are looked at, about. */
const ROWS = 300;

/**
 * Returns the mean second difference along the rows of the largest patch of paper, in levels. Rounding a gentle ramp to
 * bytes leaves few; a sensor's noise leaves more, even after two saves as JPEG. Reads about 300 rows.
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
      const bend = Math.abs(2 * data[i] - data[i - 4] - data[i + 4]);
      if (bend > EDGE) continue;
      count++;
      bends += bend;
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
