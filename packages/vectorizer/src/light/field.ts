import { type Cells, quantileOf } from './cells.ts';
import { findPaper, type Paper, shareOfBorder } from './paper.ts';
import { findStrokes } from './strokes.ts';

/** Cells this much from the light around them are not bare paper, in logarithms, at least. */
const LEAST_OFF = 0.07;
/** The same in steps of the texture. */
const OFF_STEPS = 4;

/** The light on the paper, times the paper's own color, for each cell: logarithms like those of `Cells`. */
export interface Field extends Paper {
  cells: Cells;
  light: Float32Array;
}

/**
 * Estimates the light over the whole picture: that of the paper where it is bare, and a membrane between (a harmonic
 * function, which continues a slope without a bulge) where ink hides it. What follows the paper's own cells takes out
 * shadows, vignette and all grain that is wider than a cell. Linear in the cells.
 */
export function estimateField(cells: Cells): Field {
  const paper = findPaper(cells);
  const { across, down, logs } = cells;
  const { texture } = paper;
  let isPaper = paper.isPaper;
  let light = fillGaps(logs, thin(isPaper, across, down), across, down);
  const most = Math.max(LEAST_OFF, OFF_STEPS * texture);
  for (let round = 0; round < 2; round++) {
    // Paper that ink encloses agrees with the light around it; ink that crept in along a soft edge does not.
    const smooth = blurField(light, across, down);
    const next = new Uint8Array(isPaper.length);
    for (let p = 0; p < next.length; p++) {
      const off = Math.max(
        Math.abs(logs[p * 3] - smooth[p * 3]),
        Math.abs(logs[p * 3 + 1] - smooth[p * 3 + 1]),
        Math.abs(logs[p * 3 + 2] - smooth[p * 3 + 2]),
      );
      next[p] = off < (isPaper[p] ? 2 * most : most) ? 1 : 0;
    }
    isPaper = next;
    light = fillGaps(logs, thin(isPaper, across, down), across, down);
  }
  return { ...paper, isPaper, cells, light };
}

/** An edge's blur reaches this many pixels. */
const BLUR_REACH = 3;
/** The light is estimated again when this share of the cells turns out to be paper. */
const LEAST_NEW = 0.002;

/**
 * Estimates the light again, once the pixels with ink are known: all cells out of the reach of ink are paper, whatever
 * shadow is on them, but for strokes too pale to be found as ink, which did not pass for paper before. `isInk` has 1
 * for each such pixel. Returns the same field when that adds nearly nothing.
 */
export function refineField(field: Field, isInk: Uint8Array, width: number): Field {
  const { cells } = field;
  const { side, across, down, logs } = cells;
  let isPaper: Uint8Array = new Uint8Array(across * down).fill(1);
  for (let p = 0; p < isInk.length; p++) {
    if (!isInk[p]) continue;
    const x = p % width;
    isPaper[Math.floor((p - x) / width / side) * across + Math.floor(x / side)] = 0;
  }
  const bare = isPaper;
  for (let reach = 0; reach < BLUR_REACH; reach += side) isPaper = thin(isPaper, across, down);
  const strokes = findStrokes(cells, bare);
  const noStroke = strokes.map((mark, p) => (mark && !field.isPaper[p] ? 0 : 1));
  const isClear = thin(noStroke, across, down);
  const foundPaper = bare.map((mark, p) => mark & noStroke[p]);
  isPaper = isPaper.map((mark, p) => mark & isClear[p]);
  let newCount = 0;
  for (let p = 0; p < isPaper.length; p++) if (isPaper[p] && !field.isPaper[p]) newCount++;
  if (newCount < LEAST_NEW * isPaper.length) return field;
  const borderShare = shareOfBorder(cells, bare);
  return { ...field, isPaper: foundPaper, borderShare, light: fillGaps(logs, isPaper, across, down) };
}

/** Light that falls unevenly has many tones: the three fullest, each so wide, hold no more than this share. */
const TONE = 0.015;
const MOST_EVEN = 0.82;

/**
 * Returns the range of the light within some of the paper, in logarithms of green, without its hundredths at both ends;
 * 0 when a few tones make it up, as in a drawing. Within the largest patch no step between patches counts: drawings
 * have those too. `isPart` is 1 for each cell to look at.
 */
export function rangeOfLight({ across, down, logs }: Cells, isPart: Uint8Array): number {
  const isInside = thin(thin(isPart, across, down), across, down);
  const smooth = blurField(logs, across, down);
  const values = smooth.filter((_, k) => k % 3 === 1).filter((_, p) => isInside[p]);
  const [low, high] = [quantileOf(values, 0.02), quantileOf(values, 0.98)];
  const tones = new Uint32Array(Math.ceil((high - low) / TONE) + 2);
  for (const value of values) tones[Math.min(tones.length - 1, Math.max(0, Math.floor((value - low) / TONE)))]++;
  tones.sort();
  const [third, second, first] = tones.length > 2 ? tones.subarray(-3) : [0, 0, values.length];
  return first + second + third > MOST_EVEN * values.length ? 0 : high - low;
}

/** Takes away the cells beside others: an edge may run through them. */
function thin(isPaper: Uint8Array, across: number, down: number): Uint8Array {
  const out = new Uint8Array(isPaper.length);
  for (let y = 0, p = 0; y < down; y++) {
    for (let x = 0; x < across; x++, p++) {
      let isInside = isPaper[p];
      for (let v = Math.max(0, y - 1); v <= Math.min(down - 1, y + 1) && isInside; v++) {
        for (let u = Math.max(0, x - 1); u <= Math.min(across - 1, x + 1); u++) isInside &= isPaper[v * across + u];
      }
      out[p] = isInside;
    }
  }
  return out;
}

/** Returns the mean of 3 × 3 cells, weighted to the middle. */
export function blurField(field: Float32Array, across: number, down: number): Float32Array {
  const pass = (from: Float32Array, step: number, isRow: boolean): Float32Array => {
    const out = new Float32Array(from.length);
    for (let y = 0, p = 0; y < down; y++) {
      for (let x = 0; x < across; x++, p++) {
        const isFirst = isRow ? x === 0 : y === 0;
        const isLast = isRow ? x === across - 1 : y === down - 1;
        for (let c = p * 3; c < p * 3 + 3; c++) {
          const before = from[isFirst ? c : c - step * 3];
          const after = from[isLast ? c : c + step * 3];
          out[c] = from[c] / 2 + (before + after) / 4;
        }
      }
    }
    return out;
  };
  return pass(pass(field, 1, true), across, false);
}

const RELAXATIONS = 24;

/**
 * Fills the cells that are not known from those that are: means of what is known on ever coarser grids, then back,
 * relaxed to a membrane on each (the multigrid idea of Burt 1988 and of Perez et al. 2003). Linear in the cells.
 */
function fillGaps(values: Float32Array, isKnown: Uint8Array, across: number, down: number): Float32Array {
  const out = values.slice();
  let unknown = 0;
  for (let p = 0; p < isKnown.length; p++) unknown += 1 - isKnown[p];
  if (unknown === 0 || unknown === isKnown.length) return out;
  const [halfAcross, halfDown] = [(across + 1) >> 1, (down + 1) >> 1];
  const coarse = new Float32Array(halfAcross * halfDown * 3);
  const weight = new Float32Array(halfAcross * halfDown);
  for (let y = 0, p = 0; y < down; y++) {
    for (let x = 0; x < across; x++, p++) {
      if (!isKnown[p]) continue;
      const q = (y >> 1) * halfAcross + (x >> 1);
      weight[q]++;
      for (let c = 0; c < 3; c++) coarse[q * 3 + c] += values[p * 3 + c];
    }
  }
  for (let q = 0; q < weight.length; q++) {
    for (let c = 0; c < 3; c++) if (weight[q] > 0) coarse[q * 3 + c] /= weight[q];
  }
  const guess = fillGaps(
    coarse,
    Uint8Array.from(weight, (w) => (w > 0 ? 1 : 0)),
    halfAcross,
    halfDown,
  );
  for (let y = 0, p = 0; y < down; y++) {
    for (let x = 0; x < across; x++, p++) {
      if (isKnown[p]) continue;
      const q = ((y >> 1) * halfAcross + (x >> 1)) * 3;
      for (let c = 0; c < 3; c++) out[p * 3 + c] = guess[q + c];
    }
  }
  const gaps = new Uint32Array(unknown);
  for (let p = 0, k = 0; p < isKnown.length; p++) if (!isKnown[p]) gaps[k++] = p;
  for (let round = 0; round < RELAXATIONS; round++) {
    for (const p of gaps) {
      const x = p % across;
      const left = x > 0 ? p - 1 : p;
      const right = x < across - 1 ? p + 1 : p;
      const above = p >= across ? p - across : p;
      const below = p + across < isKnown.length ? p + across : p;
      for (let c = 0; c < 3; c++) {
        out[p * 3 + c] = (out[left * 3 + c] + out[right * 3 + c] + out[above * 3 + c] + out[below * 3 + c]) / 4;
      }
    }
  }
  return out;
}
