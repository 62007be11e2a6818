import type { Regions } from './regions.ts';

/** Approximate number of pixels sampled. */
const SAMPLES = 16_384;
/** Runs are measured up to this length, in px. */
const LONGEST = 160;
/** Lines of line art are at most this share of the picture's longer side wide. */
const MOST_WIDTH = 0.02;

/**
 * Returns true when nearly all ink is long lines of similar width. At the pixels of a sparse grid, the shorter of the
 * two runs of their region, along the row and along the column, is about the width of a line. It must vary little and
 * be small against the picture, and the regions must be many times as long. Costs a few thousand short runs.
 */
export function isLineArt(regions: Regions, isInk: (region: number) => boolean): boolean {
  const { width, height, ids, areaOf } = regions;
  const step = Math.max(1, Math.floor(Math.sqrt((width * height) / SAMPLES)));
  const most = Math.max(3, MOST_WIDTH * Math.max(width, height));
  const byWidth = new Uint32Array(LONGEST + 2);
  const mostInk = 0.5 * Math.ceil(width / step) * Math.ceil(height / step);
  let ink = 0;
  for (let y = step >> 1; y < height; y += step) {
    for (let x = step >> 1; x < width; x += step) if (isInk(ids[y * width + x]) && ++ink > mostInk) return false;
  }
  let longCount = 0;
  for (let x = step >> 1; x < width; x += step) {
    let from = 0;
    let to = 0; // the run of the column that holds the sample
    for (let y = step >> 1; y < height; y += step) {
      const i = y * width + x;
      const id = ids[i];
      if (!isInk(id)) continue;
      if (y >= to) {
        const back = run(ids, i, -width, y - to);
        from = y - back;
        to = y + 1 + run(ids, i, width, height - 1 - y);
      }
      // The row is measured only as far as it can still be the shorter run.
      const column = Math.min(LONGEST, to - from);
      const right = 1 + run(ids, i, 1, Math.min(column, width - 1 - x));
      const least = Math.min(column, right + run(ids, i, -1, Math.min(Math.max(0, column - right), x)));
      byWidth[least]++;
      if (areaOf[id] > 10 * least * least) longCount++;
    }
  }
  if (ink < 24) return false;
  let usual = 0;
  for (let below = 0; below * 2 < ink; usual++) below += byWidth[usual];
  usual--;
  let like = 0;
  for (let k = 0; k <= Math.min(LONGEST, 2 * usual + 2); k++) like += byWidth[k];
  return usual <= most && like > 0.88 * ink && longCount > 0.85 * ink;
}

/** Returns how many pixels beyond this one belong to the same region, up to `most`. */
function run(ids: Uint32Array, i: number, step: number, most: number): number {
  const id = ids[i];
  let count = 0;
  while (count < most && ids[i + (count + 1) * step] === id) count++;
  return count;
}
