import { BLUE, GREEN, RED, toLinear } from './cells.ts';
import { REACH } from './cores.ts';
import type { Mixes } from './mixes.ts';

/** Pixels along a side of a cell. The pixels of a thin stroke in a cell and in those around it agree on their ink. */
const CELL = 16;
/** A thin stroke keeps between these shares of the hue of its ink: lossy files spread hue over the paper beside it. */
const [LEAST_HUE, MOST_HUE] = [0.4, 1.1];
/** Weight of what a stroke is deeper than an ink: ink may lie thicker there, but an ink as deep is likelier. */
const DEEPER = 0.25;
/** The ink of a stroke is that around at least this share of the pixels around which the most frequent ink is. */
const LEAST_VOTES = 0.2;
/** A stroke touches broad areas with at most this share of its pixels: their edges look like strokes, too. */
const MOST_BESIDE = 0.2;
/** Kinds of pixels: in a stroke without an even pixel, and of an ink that has one nearby. */
const [IN_STROKE, BROAD] = [1, 2];

/** The difference of paper and a color, or its sum over the pixels of a part of a stroke. */
interface Depth {
  /** In square roots of light. */
  luminance: number;
  /** How far red and blue differ from luminance. */
  red: number;
  blue: number;
}

/** The part of a stroke in a cell. */
interface StrokeCell extends Depth {
  /** The luminance of the pixel that differs most from paper. */
  most: number;
  /** The number of its pixels around which each ink has most. */
  votes: Float64Array;
}

/** The pixels that `settleThin` settles, and what it reads of them. */
interface ThinPixels {
  mixes: Mixes;
  /** 1 for each pixel whose ink has no even pixel nearby. */
  isFar: Uint8Array;
  /** The inks of the even pixels around each pixel, one bit each, paper first. */
  near: Uint32Array;
  data: Uint8ClampedArray;
  /** Square roots of the light of each ink, paper first. */
  roots: Float64Array;
}

/** Returns the ink of each pixel in `isFar`, 0 for all others. Linear in pixels. */
export function settleThin(pixels: ThinPixels): Uint8Array {
  const { mixes, isFar, near, roots } = pixels;
  const { first, second, share } = mixes;
  const inkOf = new Uint8Array(isFar.length);
  const kinds = new Uint8Array(isFar.length);
  for (let p = 0; p < isFar.length; p++) {
    if (isFar[p]) inkOf[p] = mostAround(mixes, p, roots.length / 3);
    if (isFar[p] && near[p] <= 1) kinds[p] = IN_STROKE;
    else if ((share[p] >= 0.5 ? first[p] : second[p]) > 0) kinds[p] = BROAD;
  }
  for (let p = 0; p < kinds.length; p++) if (kinds[p] === IN_STROKE) settleStroke(pixels, p, kinds, inkOf);
  return inkOf;
}

/** Returns the ink with most of the pixels around: beside a broad area, the blur of two inks looks like a third. */
function mostAround({ first, second, share, width, height }: Mixes, p: number, count: number): number {
  const weights = new Float64Array(count);
  const x = p % width;
  const y = (p - x) / width;
  for (let v = Math.max(0, y - REACH); v <= Math.min(height - 1, y + REACH); v++) {
    for (let q = v * width + Math.max(0, x - REACH); q <= v * width + Math.min(width - 1, x + REACH); q++) {
      weights[first[q]] += share[q];
      weights[second[q]] += 1 - share[q];
    }
  }
  return mostOf(weights);
}

/** Returns the ink with the largest weight, without paper. */
function mostOf(weights: Float64Array): number {
  let best = 1;
  for (let ink = 2; ink < weights.length; ink++) if (weights[ink] > weights[best]) best = ink;
  return best;
}

/**
 * Finds the ink of a stroke without an even pixel by its hue, over a letter or as much of a longer stroke. Lossy files
 * keep one hue for many pixels and spread it over them, so a few pixels do not tell inks apart. The edges of a broad
 * area that look like a stroke stay what they are. Unmarks the pixels in `kinds`.
 */
function settleStroke({ mixes, data, roots }: ThinPixels, start: number, kinds: Uint8Array, inkOf: Uint8Array): void {
  const { width } = mixes;
  const across = Math.ceil(width / CELL) + 2; // so that no cell is beside one of another row
  const cellOf = (p: number): number => {
    const x = p % width;
    return Math.floor((p - x) / width / CELL) * across + Math.floor(x / CELL);
  };
  const stroke: number[] = [];
  let isBeside = false;
  const visit = (p: number): void => {
    if (kinds[p] === BROAD) isBeside = true;
    if (kinds[p] !== IN_STROKE) return;
    kinds[p] = 0;
    stroke.push(p);
  };
  const cells = new Map<number, StrokeCell>();
  const own = new Float64Array(3);
  let beside = 0;
  visit(start);
  for (let k = 0; k < stroke.length; k++) {
    const p = stroke[k];
    const x = p % width;
    isBeside = false;
    for (const row of [p - width, p, p + width]) {
      for (let u = Math.max(0, x - 1); u <= Math.min(width - 1, x + 1); u++) visit(row - x + u);
    }
    if (isBeside) beside++;
    for (let c = 0; c < 3; c++) own[c] = Math.sqrt(toLinear(data[p * 4 + c]));
    const cell = cells.get(cellOf(p)) ?? emptyCell(roots.length / 3);
    cells.set(cellOf(p), cell);
    const depth = depthOf(own, 0, roots);
    addTo(cell, { ...depth, most: depth.luminance });
    cell.votes[inkOf[p]]++;
  }
  if (beside > MOST_BESIDE * stroke.length) return;
  const inks = new Map([...cells.keys()].map((cell) => [cell, inkAround(cells, cell, across, roots)]));
  for (const p of stroke) inkOf[p] = inks.get(cellOf(p)) as number;
}

const emptyCell = (count: number): StrokeCell => ({
  luminance: 0,
  red: 0,
  blue: 0,
  most: 0,
  votes: new Float64Array(count),
});

/** Returns by how much the color that begins at `at` is darker than paper, which comes first in `paper`. */
function depthOf(roots: Float64Array, at: number, paper: Float64Array): Depth {
  const [red, green, blue] = [paper[0] - roots[at], paper[1] - roots[at + 1], paper[2] - roots[at + 2]];
  const luminance = RED * red + GREEN * green + BLUE * blue;
  return { luminance, red: red - luminance, blue: blue - luminance };
}

function addTo(sum: StrokeCell, { luminance, red, blue, most }: Omit<StrokeCell, 'votes'>): void {
  sum.luminance += luminance;
  sum.red += red;
  sum.blue += blue;
  if (Math.abs(most) > Math.abs(sum.most)) sum.most = most;
}

/** Returns the ink whose hue is nearest to that of a part of a stroke and those around it, and which is deep enough. */
function inkAround(cells: ReadonlyMap<number, StrokeCell>, cell: number, across: number, roots: Float64Array): number {
  const own = emptyCell(roots.length / 3);
  for (const down of [-across, 0, across]) {
    for (const right of [-1, 0, 1]) {
      const part = cells.get(cell + down + right);
      if (!part) continue;
      addTo(own, part);
      part.votes.forEach((vote, ink) => {
        own.votes[ink] += vote;
      });
    }
  }
  let best = mostOf(own.votes);
  const leastVotes = LEAST_VOTES * own.votes[best];
  let least = Infinity;
  for (let ink = 1; ink < own.votes.length; ink++) {
    const full = depthOf(roots, ink * 3, roots);
    if (own.votes[ink] < leastVotes || own.luminance * full.luminance <= 0) continue;
    const cost = costOfHue(own, full) + DEEPER * Math.max(0, own.most / full.luminance - 1) ** 2;
    if (cost >= least) continue;
    least = cost;
    best = ink;
  }
  return best;
}

/** Returns the squared distance of the hue of a stroke from that of an ink, both for one unit of luminance. */
function costOfHue(stroke: Depth, ink: Depth): number {
  const [red, blue] = [stroke.red / stroke.luminance, stroke.blue / stroke.luminance];
  const [fullRed, fullBlue] = [ink.red / ink.luminance, ink.blue / ink.luminance];
  const along = (red * fullRed + blue * fullBlue) / (fullRed * fullRed + fullBlue * fullBlue + 1e-9);
  const hue = Math.max(LEAST_HUE, Math.min(MOST_HUE, along));
  return (red - hue * fullRed) ** 2 + (blue - hue * fullBlue) ** 2;
}
