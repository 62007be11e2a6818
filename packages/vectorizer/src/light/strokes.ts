import { type Cells, quantileOf } from './cells.ts';
import { isSameInLight } from './paper.ts';

/** A stroke has brighter paper on both sides within this many cells. */
const REACH = 4;
/** It is darker than that by more than paper usually is, by so many standard deviations of that, */
const SPREADS = 4;
/** and by this much, in logarithms. */
const LEAST_DEPTH = 0.07;
/** Grain is a shade of its paper: a stroke of the same hue must be so many times as deep. */
const DEEP = 2;
/** A median absolute deviation is this share of a standard deviation. */
const MEDIAN_SHARE = 0.6745;
/** Steps along a row, along a column and along both diagonals. */
const DIRECTIONS = [
  [1, 0],
  [0, 1],
  [1, 1],
  [1, -1],
] as const;

/**
 * Returns 1 for each cell with a stroke so thin and pale that it may pass for texture: it is darker than both of its
 * sides, as a closing by short lines tells (Serra 1982). The edge of a shadow is darker than one side only. `isBare`
 * has 1 for each cell in which no ink was found: there, texture tells by how much paper varies. Linear in the cells.
 */
export function findStrokes(cells: Cells, isBare: Uint8Array): Uint8Array {
  const depths = [0, 1, 2].map((c) => measureDepths(cells, c));
  const leasts = depths.map((values) => {
    const bare = values.filter((_, p) => isBare[p] === 1);
    const usual = quantileOf(bare, 0.5);
    const deviation = quantileOf(
      bare.map((depth) => Math.abs(depth - usual)),
      0.5,
    );
    return Math.max(LEAST_DEPTH, usual + (SPREADS * deviation) / MEDIAN_SHARE);
  });
  return isBare.map((_, p) => {
    const own = depths.map((values) => values[p]);
    const excess = Math.max(...own.map((depth, c) => depth / leasts[c]));
    return excess > DEEP || (excess > 1 && !isSameInLight(own)) ? 1 : 0;
  });
}

/** Returns by how much each cell is darker than both of its sides in some direction, in one channel. */
function measureDepths({ across, down, logs }: Cells, c: number): Float32Array {
  const out = new Float32Array(across * down);
  for (let y = 0, p = 0; y < down; y++) {
    for (let x = 0; x < across; x++, p++) {
      const own = logs[p * 3 + c];
      for (const [dx, dy] of DIRECTIONS) {
        let [before, after] = [own, own];
        for (let k = 1; k <= REACH; k++) {
          const [left, right, above, below] = [x - k * dx, x + k * dx, y - k * dy, y + k * dy];
          if (left >= 0 && above >= 0 && above < down) before = Math.max(before, logs[(above * across + left) * 3 + c]);
          if (right < across && below >= 0 && below < down)
            after = Math.max(after, logs[(below * across + right) * 3 + c]);
        }
        out[p] = Math.max(out[p], Math.min(before, after) - own);
      }
    }
  }
  return out;
}
