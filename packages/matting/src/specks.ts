/**
 * Finds noise, and the ringing that lossy compression leaves beside strong edges, on a plain background. Both are weak,
 * and come in small or thin patches.
 */
import { extremes } from './extremes.ts';
import { createQueue } from './queue.ts';

/** Reach of ringing in pixels: a block of the compression, with chroma at half resolution. */
const REACH = 16;
/** Ringing is weaker than this share of the edge's strength; from `EDGE` on, a pixel belongs to the edge itself. */
const RINGING = 0.23;
const EDGE = 0.5;
/**
 * A patch that contains a square of this half side is not ringing, which oscillates within a block, unless it is below
 * the share `BLOCK` of the edge.
 */
const CORE_RADIUS = 2;
const BLOCK = 0.07;
/** Largest area of a patch of ringing, in pixels: along a whole picture's edges. */
const MOST_RINGING = 1 << 16;

export interface Ringing {
  /** 1 for ringing on bare background. */
  readonly isGround: Uint8Array;
  /** 1 for pixels that may be ringing, or the soft side of the adjacent edge. */
  readonly isRim: Uint8Array;
}

/**
 * Finds ringing among the pixels that do not look like background (`isNear`). `off` is the distance of each pixel from
 * the background in its worst channel, 0..255, as compression works on channels. Wide patches are not ringing, nor are
 * lines that continue with the same strength beyond the reach of the edge. Linear in pixels; needs five more bytes per
 * pixel.
 */
export function findRinging(off: Uint8Array, isNear: Uint8Array, width: number, height: number): Ringing {
  const count = width * height;
  const around = extremes(off, width, height, REACH, 'greatest');
  /**
   * Strength of the edge that a pixel belongs to, 255 when unknown; for possible ringing, that of the adjacent edge.
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
 * Returns 1 for the pixels of specks that are no stronger than noise: at most `most` pixels, each less than `least`
 * from the background, and none beside a stronger pixel.
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
 * Calls `visit` with the pixels of each 8-connected component of ones in `open` that has at most `most` pixels. Sets
 * `open` to 0.
 */
export function eachPatch(
  open: Uint8Array,
  width: number,
  most: number,
  visit: (patch: readonly number[]) => void,
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
    if (length <= most) visit(patch);
  }
}

/** Calls `visit` with the pixel and its up to eight neighbors. */
export function eachAround(i: number, width: number, count: number, visit: (j: number) => void): void {
  const x = i % width;
  const left = x > 0 ? -1 : 0;
  const right = x < width - 1 ? 1 : 0;
  const last = i < count - width ? width : 0;
  for (let row = i < width ? 0 : -width; row <= last; row += width) {
    for (let dx = left; dx <= right; dx++) visit(i + row + dx);
  }
}
