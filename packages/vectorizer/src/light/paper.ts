import { DisjointSet } from '../geometry/disjointSet.ts';
import { type Cells, quantileOf, stepBetween } from './cells.ts';

/** Pixels on each side of a cell whose means are compared: blur spreads an edge over fewer. */
const SIDE = 4;
/** The largest step across a cell that shading and texture make, in logarithms of light. */
const LEAST_STEP = 0.05;
const MOST_STEP = 0.14;
/** The same in steps of the median cell. */
const STEPS = 3.5;
/** A shadow takes at most this much, */
const DEEPEST = 1.1;
/** and its color differs from the light's by no more than this, and this share of its depth. */
const TINT = 0.06;
const TINT_SHARE = 0.16;
/** Ink is nowhere brighter than paper by more than this; glare is. */
const BRIGHTER = 0.03;
/** Between this and `TINT`, as a share of the depth, lie the shadows of a colored light and the palest inks. */
const INK_TINT = 0.05;
const INK_TINT_SHARE = 0.4;
/** Share of the picture's border that a patch must touch to be paper in another light, */
const LEAST_BORDER = 0.04;
/** and share of the picture that it covers. */
const LEAST_PATCH = 0.01;

/** The cells that show bare paper, in light or in shadow: 1 for each. */
export interface Paper {
  isPaper: Uint8Array;
  /** Those of the largest patch, which one light is on. */
  isMain: Uint8Array;
  /** Step between neighboring cells that texture makes. */
  texture: number;
  /** Share of the border's cells that are paper. */
  borderShare: number;
  /** The patch of each cell that is even and of another color than the paper beside it, from 1; 0 for all others. */
  tints: Int32Array;
}

/**
 * Finds the paper: the patch of even cells with the longest part of the border, and the patches beside it that differ
 * by light alone. Paper in a shadow is darker by the same share in all channels, and it reaches the border, as what
 * casts the shadow is outside; ink does neither. Linear in the cells.
 */
export function findPaper(cells: Cells): Paper {
  const { across, down } = cells;
  const count = across * down;
  const texture = measureTexture(cells);
  const steps = measureSteps(cells);
  const reach = Math.min(MOST_STEP, Math.max(LEAST_STEP, STEPS * quantileOf(steps, 0.5)));
  const set = new DisjointSet(count);
  for (let y = 0, p = 0; y < down; y++) {
    for (let x = 0; x < across; x++, p++) {
      if (steps[p] >= reach) continue;
      if (x + 1 < across && steps[p + 1] < reach) set.join(p, p + 1);
      if (y + 1 < down && steps[p + across] < reach) set.join(p, p + across);
    }
  }
  const patch = Int32Array.from({ length: count }, (_, p) => set.find(p));
  const area = new Uint32Array(count);
  const border = new Uint32Array(count);
  for (let p = 0; p < count; p++) area[patch[p]]++;
  const edge = 2 * (across + down);
  forBorder(cells, (p) => border[patch[p]]++);
  let main = 0;
  for (let p = 1; p < count; p++)
    if (border[p] * 4 + area[p] / across > border[main] * 4 + area[main] / across) main = p;

  const isPaper = new Uint8Array(count);
  const accept = new Set([main]);
  const large: number[] = [];
  for (let p = 0; p < count; p++) {
    if (p !== main && area[p] > LEAST_PATCH * count && border[p] > LEAST_BORDER * edge) large.push(p);
  }
  for (let isGrowing = true; isGrowing; ) {
    isGrowing = false;
    for (const root of large) {
      if (accept.has(root)) continue;
      const ratios = compareWithPaper(cells, patch, root, accept);
      if (!ratios || !isSameInLight(ratios)) continue;
      accept.add(root);
      isGrowing = true;
    }
  }
  const isMain = Uint8Array.from(patch, (root) => (root === main ? 1 : 0));
  for (let p = 0; p < count; p++) if (accept.has(patch[p])) isPaper[p] = 1;
  const inkRoots = new Set<number>();
  for (let p = 0; p < count; p++) {
    if (area[p] <= LEAST_PATCH * count || accept.has(p)) continue;
    const ratios = compareWithPaper(cells, patch, p, accept);
    if (ratios && isTinted(ratios)) inkRoots.add(p);
  }
  const tints = patch.map((root) => (inkRoots.has(root) ? root + 1 : 0));
  return { isPaper, isMain, texture, borderShare: shareOfBorder(cells, isPaper), tints };
}

/** Returns the share of the border's cells that are marked by 1. */
export function shareOfBorder(cells: Cells, marks: Uint8Array): number {
  let along = 0;
  forBorder(cells, (p) => (along += marks[p]));
  return along / (2 * (cells.across + cells.down));
}

function forBorder({ across, down }: Cells, visit: (p: number) => void): void {
  for (let x = 0; x < across; x++) {
    visit(x);
    visit((down - 1) * across + x);
  }
  for (let y = 0; y < down; y++) {
    visit(y * across);
    visit(y * across + across - 1);
  }
}

const sideOf = ({ side }: Cells): number => Math.max(1, Math.round(SIDE / side));

/**
 * Returns the largest step across each cell: the difference of a channel between the means of the cells on its two
 * sides, along its row or its column. Blur spreads the edge of a pale ink into steps between neighbors as small as
 * those of texture; across a few cells it stays as large as it was drawn.
 */
function measureSteps(cells: Cells): Float32Array {
  const { across, down, logs } = cells;
  const most = sideOf(cells);
  const out = new Float32Array(across * down);
  const look = (p: number, step: number, room: number): void => {
    const reach = Math.min(most, room);
    for (let c = 0; c < 3 && reach > 0; c++) {
      let difference = 0;
      for (let k = 1; k <= reach; k++) difference += logs[(p + k * step) * 3 + c] - logs[(p - k * step) * 3 + c];
      out[p] = Math.max(out[p], Math.abs(difference) / reach);
    }
  };
  for (let y = 0, p = 0; y < down; y++) {
    for (let x = 0; x < across; x++, p++) {
      look(p, 1, Math.min(x, across - 1 - x));
      look(p, across, Math.min(y, down - 1 - y));
    }
  }
  return out;
}

/** Returns the median step between neighbors that are not an edge. */
function measureTexture({ across, down, logs }: Cells): number {
  const steps = new Float32Array((across - 1) * (down - 1));
  for (let y = 0, k = 0; y + 1 < down; y++) {
    for (let x = 0; x + 1 < across; x++, k++) {
      const p = y * across + x;
      steps[k] = (stepBetween(logs, p, p + 1) + stepBetween(logs, p, p + across)) / 2;
    }
  }
  return quantileOf(steps, 0.5);
}

/** How far across an edge the two lights are compared, in cells, beside those that a step is measured over. */
const ACROSS = 9;

/**
 * Returns by how much a patch differs from known paper across its edges, as a logarithm for each channel; undefined
 * where they do not meet. Paper in another light differs by nearly the same in all channels.
 */
function compareWithPaper(
  cells: Cells,
  patch: Int32Array,
  root: number,
  paper: Set<number>,
): [number, number, number] | undefined {
  const { across, down, logs } = cells;
  const most = ACROSS + 2 * sideOf(cells);
  const ratios: number[][] = [[], [], []];
  for (let y = 0, p = 0; y < down; y++) {
    for (let x = 0; x < across; x++, p++) {
      if (patch[p] !== root) continue;
      for (const [step, room] of [
        [1, across - 1 - x],
        [-1, x],
        [across, down - 1 - y],
        [-across, y],
      ]) {
        if (room < 1 || patch[p + step] === root) continue;
        for (let k = 1; k <= Math.min(most, room); k++) {
          const q = p + step * k;
          if (patch[q] === root) break;
          if (!paper.has(patch[q])) continue;
          for (let c = 0; c < 3; c++) ratios[c].push(logs[p * 3 + c] - logs[q * 3 + c]);
          break;
        }
      }
    }
  }
  if (ratios[0].length < 4) return undefined;
  return ratios.map((list) => quantileOf(Float32Array.from(list), 0.5)) as [number, number, number];
}

/** Returns true when ratios of light, as a logarithm for each channel, are those of an ink that is no gray. */
function isTinted(ratios: readonly number[]): boolean {
  const depth = Math.abs(ratios.reduce((sum, ratio) => sum + ratio, 0)) / ratios.length;
  const tint = Math.max(...ratios) - Math.min(...ratios);
  return Math.max(...ratios) < BRIGHTER && tint > INK_TINT + INK_TINT_SHARE * depth;
}

/** Returns true when ratios of light, as a logarithm for each channel, are those of a shadow or of a brighter spot. */
export function isSameInLight(ratios: readonly number[]): boolean {
  const depth = Math.abs(ratios.reduce((sum, ratio) => sum + ratio, 0)) / ratios.length;
  const tint = Math.max(...ratios) - Math.min(...ratios);
  return depth < DEEPEST && tint < TINT + TINT_SHARE * depth;
}
