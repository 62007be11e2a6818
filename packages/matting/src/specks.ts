/**
 * Finds what lies on a plain ground and is no part of the object: noise, and the ringing that lossy compression leaves
 * beside strong edges. Both are weak, and come in patches that are small or thin.
 */
import { extremes } from './extremes.ts';
import { createQueue } from './queue.ts';

/** Ringing goes as far as a block of the compression, with colors at half size: in pixels. */
const REACH = 16;
/** It is weaker than this share of the edge, of which so much or more is no ringing at all. */
const RINGING = 0.23;
const EDGE = 0.5;
/**
 * A patch with a square of this half side in it is no ringing, which goes up and down within a block, unless it is
 * below this share.
 */
const CORE_RADIUS = 2;
const BLOCK = 0.07;
/** Pixels of a patch of ringing: along a whole picture's edges. */
const MOST_RINGING = 1 << 16;

export interface Ringing {
  /** 1: ringing on bare ground. */
  readonly isGround: Uint8Array;
  /** 1: may be ringing, or the soft side of the edge it is joined to. */
  readonly isRim: Uint8Array;
}

/**
 * Finds ringing among what is not `isNear`, which looks like the ground. `off` says how far each pixel is from the
 * ground in its worst channel, 0..255: compression works on those. What is wide is none, nor what goes on beyond the
 * edge's reach as a line of its own strength. Linear in pixels; needs five bytes a pixel besides.
 */
export function findRinging(off: Uint8Array, isNear: Uint8Array, width: number, height: number): Ringing {
  const count = width * height;
  const around = extremes(off, width, height, REACH, 'greatest');
  /**
   * Of what is no ringing how strong the edge is that it belongs to, 255 where that is not known; of what may be, what
   * it is joined to.
   */
  const strength = around;
  const open = new Uint8Array(count);
  const isWide = new Uint8Array(count);
  for (let i = 0; i < count; i++) {
    const most = around[i];
    strength[i] = 0;
    if (isNear[i]) continue;
    if (off[i] < RINGING * most) {
      open[i] = 1;
      if (off[i] >= BLOCK * most) isWide[i] = 1;
    } else strength[i] = off[i] < EDGE * most ? 255 : Math.max(1, off[i]);
  }
  const isRim = new Uint8Array(count);
  const isGround = new Uint8Array(count);
  let front: number[] = [];
  const join = (i: number, from: number) => {
    if (!open[i]) return;
    open[i] = 0;
    isWide[i] = 0;
    isRim[i] = 1;
    strength[i] = strength[from];
    front.push(i);
  };
  for (let i = 0; i < count; i++) {
    if (strength[i] && !isRim[i]) eachAround(i, width, count, (j) => join(j, i));
  }
  const first = front;
  front = [];
  for (const i of first) eachAround(i, width, count, (j) => join(j, i));

  const cores = extremes(isWide, width, height, CORE_RADIUS, 'least');
  eachPatch(open, width, MOST_RINGING, (patch) => {
    let peak = 0;
    for (const i of patch) {
      if (cores[i]) return;
      if (off[i] > peak) peak = off[i];
    }
    let isLine = false;
    for (const i of patch) {
      eachAround(i, width, count, (j) => {
        isLine ||= strength[j] > peak / 2 && strength[j] < 2 * peak;
      });
      if (isLine) return;
    }
    for (const i of patch) isGround[i] = 1;
  });
  return { isGround, isRim };
}

/**
 * Returns 1 for the pixels of specks that are no higher than noise: at most `most` pixels, each less than `least` off
 * the ground and none beside anything that is more.
 */
export function findSpecks(
  off: Uint8Array,
  isNear: Uint8Array,
  width: number,
  least: number,
  most: number,
): Uint8Array {
  const open = new Uint8Array(off.length);
  for (let i = 0; i < open.length; i++) if (!isNear[i] && off[i] < least) open[i] = 1;
  const isSpeck = new Uint8Array(off.length);
  eachPatch(open, width, most, (patch) => {
    let isJoined = false;
    for (const i of patch) {
      eachAround(i, width, off.length, (j) => {
        isJoined ||= !isNear[j] && off[j] >= least;
      });
      if (isJoined) return;
    }
    for (const i of patch) isSpeck[i] = 1;
  });
  return isSpeck;
}

/**
 * Calls with the pixels of each patch of 1 in `open`, joined also across corners, if there are not more than `most`.
 * Leaves 0.
 */
export function eachPatch(
  open: Uint8Array,
  width: number,
  most: number,
  see: (patch: readonly number[]) => void,
): void {
  const queue = createQueue();
  let patch: number[] = [];
  let length = 0;
  const reach = (i: number) => {
    if (!open[i]) return;
    open[i] = 0;
    if (length++ < most) patch.push(i);
    queue.add(i);
  };
  for (let start = 0; start < open.length; start++) {
    if (!open[start]) continue;
    patch = [];
    length = 0;
    reach(start);
    for (let i = queue.take(); i >= 0; i = queue.take()) eachAround(i, width, open.length, reach);
    if (length <= most) see(patch);
  }
}

/** Calls `see` with the pixel and its eight neighbors. */
export function eachAround(i: number, width: number, count: number, see: (j: number) => void): void {
  const x = i % width;
  const left = x > 0 ? -1 : 0;
  const right = x < width - 1 ? 1 : 0;
  const last = i < count - width ? width : 0;
  for (let row = i < width ? 0 : -width; row <= last; row += width) {
    for (let dx = left; dx <= right; dx++) see(i + row + dx);
  }
}
