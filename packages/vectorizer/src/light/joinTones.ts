import type { Flat } from './flatten.ts';
import { colorDistance, type Inks, mixOf } from './inks.ts';

/** Pixels on both sides of a border within which the colors of an edge change, however blurred it is. */
const EDGE = 3;
/** A border along which less than this share of the step lies within an edge is a fade; */
const MOST_STEP = 0.5;
/** it is when this share of its pixels says so, and there are as many. */
const FADE_SHARE = 0.7;
const LEAST_FADE = 6;
/** A tone lies at most this far from the line between paper and its ink. */
const TONE_OFF = 0.035;

const SIDES = [
  [-1, 0],
  [1, 0],
  [0, -1],
  [0, 1],
] as const;

/** A connected area of even pixels of one ink. */
interface Patch {
  ink: number;
  pixels: number[];
  /** The mean of its colors, bytes. */
  color: number[];
  /** For each ink that it touches, how much the colors change across each pixel of the border, in levels. */
  steps: Map<number, number[]>;
}

/**
 * Relabels an area of one ink as another ink when it is a paler tone of that other, as a marker leaves it: both colors
 * fade into each other, and the area's color is a mix of paper and the other ink. Two inks that were drawn side by side
 * meet at an edge. `core` holds the ink of each even pixel, 0 for paper, `unknown` for all others. Linear in pixels.
 */
export function joinTones(core: Uint8Array, unknown: number, flat: Flat, { colors, count }: Inks): void {
  if (count < 3) return;
  const colorOf = (ink: number): Float64Array => colors.subarray(ink * 3, ink * 3 + 3);
  for (const { ink, pixels, color, steps } of findPatches(core, unknown, flat)) {
    let least = Math.min(TONE_OFF, colorDistance(color, colorOf(ink)));
    let own = ink;
    for (const [other, across] of steps) {
      const whole = Math.max(stepBetween(color, 0, colorOf(other), 0), stepBetween(colorOf(ink), 0, colorOf(other), 0));
      const fades = across.filter((step) => step < MOST_STEP * whole).length;
      if (fades < LEAST_FADE || fades < FADE_SHARE * across.length) continue;
      const { off } = mixOf(color, colorOf(other), colorOf(0));
      if (off < least) [least, own] = [off, other];
    }
    if (own !== ink) for (const p of pixels) core[p] = own;
  }
}

/** Finds the connected areas of even ink. */
function findPatches(core: Uint8Array, unknown: number, { width, height, data }: Flat): Patch[] {
  const isSeen = new Uint8Array(core.length);
  const isInk = (label: number): boolean => label !== 0 && label !== unknown;
  const patches: Patch[] = [];
  for (let start = 0; start < core.length; start++) {
    if (isSeen[start] || !isInk(core[start])) continue;
    const patch: Patch = { ink: core[start], pixels: [start], color: [0, 0, 0], steps: new Map() };
    isSeen[start] = 1;
    for (let k = 0; k < patch.pixels.length; k++) {
      const p = patch.pixels[k];
      for (let c = 0; c < 3; c++) patch.color[c] += data[p * 4 + c];
      const x = p % width;
      const y = (p - x) / width;
      for (const [dx, dy] of SIDES) {
        const [u, v] = [x + dx, y + dy];
        if (u < 0 || v < 0 || u >= width || v >= height) continue;
        const q = v * width + u;
        if (!isInk(core[q])) continue;
        if (core[q] === patch.ink) {
          if (!isSeen[q]) patch.pixels.push(q);
          isSeen[q] = 1;
          continue;
        }
        const across = patch.steps.get(core[q]) ?? [];
        patch.steps.set(core[q], across);
        const [left, top] = [x - EDGE * dx, y - EDGE * dy];
        const [right, down] = [u + EDGE * dx, v + EDGE * dy];
        const isInside =
          Math.min(left, right, top, down) >= 0 && Math.max(left, right) < width && Math.max(top, down) < height;
        const step = isInside
          ? stepBetween(data, (top * width + left) * 4, data, (down * width + right) * 4)
          : Infinity;
        across.push(step);
      }
    }
    for (let c = 0; c < 3; c++) patch.color[c] /= patch.pixels.length;
    patches.push(patch);
  }
  return patches;
}

/** Returns the sum of the differences of two colors, in levels. */
function stepBetween(a: ArrayLike<number>, i: number, b: ArrayLike<number>, j: number): number {
  return Math.abs(a[i] - b[j]) + Math.abs(a[i + 1] - b[j + 1]) + Math.abs(a[i + 2] - b[j + 2]);
}
