/**
 * Typed arrays in memory that one trace leaves to the next. The system clears fresh memory page by page, and on a
 * guarded machine that takes longer than to write it: a trace uses 28 bytes per pixel. Memory that was written before
 * costs a tenth.
 */

/** The buffer has at most this size: enough for a picture of five million pixels. */
const MOST_BYTES = 160 << 20;
/** Bytes per pixel that a trace takes here, and bytes for what does not depend on the size. */
const PER_PIXEL = 30;
const AT_LEAST = 1 << 20;

/** Arrays of fewer bytes are not worth giving back. Others are as much longer, as some have a number more per row. */
const LEAST_SPARE = 1 << 20;

let buffer = new ArrayBuffer(0);
/** Bytes of `buffer` from the start that may not be zero. */
let dirtyEnd = 0;
/** The place of the next array; -1 outside a trace that has the buffer. */
let next = -1;
/** The memory that arrays of a large picture have left to later ones; undefined outside its trace. */
let spares: ArrayBuffer[] | undefined;
/** The memory that was made for arrays of large pictures: nothing else is given back. */
const ownBuffers = new WeakSet<ArrayBufferLike>();

/**
 * Calls `work`, whose arrays come from the buffer and are no longer valid afterwards: the result must hold none of
 * them. Arrays of a picture that is too large for it have memory of their own, which those given back leave to the
 * next. A call within `work`, as one from a callback, gets memory of its own.
 */
export function lendMemory<T>(pixels: number, work: () => T): T {
  if (next >= 0 || spares) return withOwnMemory(work);
  const size = AT_LEAST + PER_PIXEL * pixels;
  if (!(size <= MOST_BYTES)) {
    spares = [];
    try {
      return work();
    } finally {
      spares = undefined;
    }
  }
  if (buffer.byteLength < size) {
    buffer = new ArrayBuffer(size);
    dirtyEnd = 0;
  }
  next = 0;
  try {
    return work();
  } finally {
    dirtyEnd = Math.max(dirtyEnd, next);
    next = -1;
  }
}

/** Calls `work`, whose arrays stay valid: a trace around it lends none, and takes none back. */
export function withOwnMemory<T>(work: () => T): T {
  const [outerNext, outerSpares] = [next, spares];
  next = -1;
  spares = undefined;
  try {
    return work();
  } finally {
    next = outerNext;
    spares = outerSpares;
  }
}

/**
 * Releases the memory of arrays that nothing reads any more, for later arrays of the same large picture: garbage
 * collection would free it too late. Does nothing for a smaller picture, or in a trace with memory of its own.
 */
export function giveBack(...arrays: ArrayBufferView[]): void {
  if (!spares) return;
  for (const { buffer: memory } of arrays) {
    if (ownBuffers.has(memory) && !spares.includes(memory as ArrayBuffer)) spares.push(memory as ArrayBuffer);
  }
}

/** The memory in which `take` found a place. */
let home = buffer;

/** Finds a place for so many bytes, which are zero, in `home`. Returns its start; -1 when there is no room. */
function take(bytes: number): number {
  if (spares) return takeSpare(spares, bytes);
  const from = next;
  const to = from + 8 * Math.ceil(bytes / 8);
  if (from < 0 || to > buffer.byteLength) return -1;
  if (from < dirtyEnd) new Uint8Array(buffer, from, Math.min(to, dirtyEnd) - from).fill(0);
  next = to;
  home = buffer;
  return from;
}

/** Takes the smallest memory with room from those that were given back, or makes some. */
function takeSpare(all: ArrayBuffer[], bytes: number): number {
  if (bytes < LEAST_SPARE) return -1;
  let best = -1;
  for (let k = 0; k < all.length; k++) {
    if (all[k].byteLength >= bytes && (best < 0 || all[k].byteLength < all[best].byteLength)) best = k;
  }
  if (best < 0) {
    home = new ArrayBuffer(8 * Math.ceil(bytes / 8) + LEAST_SPARE);
    ownBuffers.add(home);
  } else {
    [home] = all.splice(best, 1);
    new Uint8Array(home, 0, bytes).fill(0);
  }
  return 0;
}

/** Each returns an array of zeros that is valid until the end of the trace. */
export function makeUint8(length: number): Uint8Array<ArrayBuffer> {
  const from = take(length);
  return from < 0 ? new Uint8Array(length) : new Uint8Array(home, from, length);
}

export function makeUint8Clamped(length: number): Uint8ClampedArray<ArrayBuffer> {
  const from = take(length);
  return from < 0 ? new Uint8ClampedArray(length) : new Uint8ClampedArray(home, from, length);
}

export function makeUint16(length: number): Uint16Array<ArrayBuffer> {
  const from = take(2 * length);
  return from < 0 ? new Uint16Array(length) : new Uint16Array(home, from, length);
}

export function makeUint32(length: number): Uint32Array<ArrayBuffer> {
  const from = take(4 * length);
  return from < 0 ? new Uint32Array(length) : new Uint32Array(home, from, length);
}

export function makeInt32(length: number): Int32Array<ArrayBuffer> {
  const from = take(4 * length);
  return from < 0 ? new Int32Array(length) : new Int32Array(home, from, length);
}

export function makeFloat64(length: number): Float64Array<ArrayBuffer> {
  const from = take(8 * length);
  return from < 0 ? new Float64Array(length) : new Float64Array(home, from, length);
}
