import { DisjointSet } from '../geometry/disjointSet.ts';
import { type Cells, quantileOf, stepBetween } from './cells.ts';

/** The largest step between cells that shading and texture make, in logarithms of light. */
const LEAST_STEP = 0.035;
const MOST_STEP = 0.14;
/** A shadow takes at most this much, */
const DEEPEST = 1.1;
/** and its color differs from the light's by no more than this, and this share of its depth. */
const TINT = 0.06;
const TINT_SHARE = 0.16;
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
}

/**
 * Finds the paper: the patch of even cells with the longest part of the border, and the patches beside it that differ
 * by light alone. Paper in a shadow is darker by the same share in all channels, and it reaches the border, as what
 * casts the shadow is outside; ink does neither. Linear in the cells.
 */
export function findPaper(cells: Cells): Paper {
  const { across, down, logs } = cells;
  const count = across * down;
  const texture = measureTexture(cells);
  const reach = Math.min(MOST_STEP, Math.max(LEAST_STEP, 3.5 * texture));
  const set = new DisjointSet(count);
  for (let y = 0, p = 0; y < down; y++) {
    for (let x = 0; x < across; x++, p++) {
      if (x + 1 < across && stepBetween(logs, p, p + 1) < reach) set.join(p, p + 1);
      if (y + 1 < down && stepBetween(logs, p, p + across) < reach) set.join(p, p + across);
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
      if (accept.has(root) || !isShadow(cells, patch, root, accept)) continue;
      accept.add(root);
      isGrowing = true;
    }
  }
  const isMain = Uint8Array.from(patch, (root) => (root === main ? 1 : 0));
  for (let p = 0; p < count; p++) if (accept.has(patch[p])) isPaper[p] = 1;
  return { isPaper, isMain, texture, borderShare: shareOfBorder(cells, isPaper) };
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

/** How far across an edge the two lights are compared, in cells, at most. */
const ACROSS = 9;

/**
 * Returns true when a patch is paper in another light: across its edges to known paper, all channels differ by nearly
 * the same.
 */
function isShadow({ across, down, logs }: Cells, patch: Int32Array, root: number, paper: Set<number>): boolean {
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
        for (let k = 1; k <= Math.min(ACROSS, room); k++) {
          const q = p + step * k;
          if (patch[q] === root) break;
          if (!paper.has(patch[q])) continue;
          for (let c = 0; c < 3; c++) ratios[c].push(logs[p * 3 + c] - logs[q * 3 + c]);
          break;
        }
      }
    }
  }
  if (ratios[0].length < 4) return false;
  return isSameInLight(ratios.map((list) => quantileOf(Float32Array.from(list), 0.5)));
}

/** Returns true when ratios of light, as a logarithm for each channel, are those of a shadow or of a brighter spot. */
export function isSameInLight(ratios: readonly number[]): boolean {
  const depth = Math.abs(ratios.reduce((sum, ratio) => sum + ratio, 0)) / ratios.length;
  const tint = Math.max(...ratios) - Math.min(...ratios);
  return depth < DEEPEST && tint < TINT + TINT_SHARE * depth;
}
