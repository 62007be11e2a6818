/** Compares a refined mask with the network's own, and finds what was lost without a reason. */
import { extremes } from './extremes.ts';
import { eachPatch } from './specks.ts';

/** Of 255: an area is lost when the mask is above the first and its refined alpha is below the second. */
const LIKELY_OBJECT = 150;
const FAINT = 110;
/** Narrower areas, in twice this radius in pixels, are not judged: the gaps between hairs are cleared rightly. */
const LEAST_RADIUS = 3;
/** A pixel looks like the background up to this many times the deviation of the background's colors. */
const MOST_DEVIATIONS = 3;
/** An area is background when at least this share of it looks like it. */
const LEAST_ALIKE = 0.5;

/** A mask, what became of it, and the background as it is known from outside; all planes have one size. */
export interface Refinement {
  readonly width: number;
  readonly height: number;
  /** Red, green and blue of the picture, 0..255. */
  readonly planes: readonly Float32Array[];
  /** The network's confidence, 0..255. */
  readonly mask: Float32Array;
  /** The refined alpha, 0..255. */
  readonly shares: Float32Array;
  /** Red, green and blue of the background, extrapolated. */
  readonly ground: readonly Float32Array[];
  /** The variance of the background's colors, the sum of its channels. */
  readonly spread: Float32Array;
}

/**
 * Returns 1 where a refinement lost an area of the object: the network saw it, it is wide, and its colors are not those
 * of the background beside it. An area is judged as a whole. Linear in pixels.
 */
export function findLost({ width, height, planes, mask, shares, ground, spread }: Refinement): Uint8Array {
  const count = width * height;
  const isFaint = new Uint8Array(count);
  for (let i = 0; i < count; i++) if (mask[i] > LIKELY_OBJECT && shares[i] < FAINT) isFaint[i] = 1;
  const cores = extremes(isFaint, width, height, LEAST_RADIUS, 'least');
  const bodies = extremes(cores, width, height, LEAST_RADIUS + 1, 'greatest');
  const open = isFaint.map((is, i) => is & bodies[i]);
  const isLost = new Uint8Array(count);
  eachPatch(open, width, count, (patch) => {
    let alike = 0;
    for (const i of patch) {
      let off = 0;
      for (let k = 0; k < planes.length; k++) off += (planes[k][i] - ground[k][i]) ** 2;
      if (off < MOST_DEVIATIONS ** 2 * (spread[i] + LEAST_VARIANCE)) alike++;
    }
    if (alike < LEAST_ALIKE * patch.length) for (const i of patch) isLost[i] = 1;
  });
  return isLost;
}

/** Least variance of a background's colors, the sum of three channels: compression leaves as much. */
const LEAST_VARIANCE = 12;
