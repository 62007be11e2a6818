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

let buffer = new ArrayBuffer(0);
/** Bytes of `buffer` from the start that may not be zero. */
let dirtyEnd = 0;
/** The place of the next array; -1 outside a trace that has the buffer. */
let next = -1;

/**
 * Calls `work`, whose arrays come from the buffer and are no longer valid afterwards: the result must hold none of
 * them. A call within `work`, as one from a callback, gets memory of its own.
 */
export function lendMemory<T>(pixels: number, work: () => T): T {
  const size = AT_LEAST + PER_PIXEL * pixels;
  if (next >= 0 || !(size <= MOST_BYTES)) return work();
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

/** Returns the place of so many bytes in the buffer, which are zero; -1 when there is no room. */
function take(bytes: number): number {
  const from = next;
  const to = from + 8 * Math.ceil(bytes / 8);
  if (from < 0 || to > buffer.byteLength) return -1;
  if (from < dirtyEnd) new Uint8Array(buffer, from, Math.min(to, dirtyEnd) - from).fill(0);
  next = to;
  return from;
}

/** Each returns an array of zeros that is valid until the end of the trace. */
export function makeUint8(length: number): Uint8Array<ArrayBuffer> {
  const from = take(length);
  return from < 0 ? new Uint8Array(length) : new Uint8Array(buffer, from, length);
}

export function makeUint8Clamped(length: number): Uint8ClampedArray<ArrayBuffer> {
  const from = take(length);
  return from < 0 ? new Uint8ClampedArray(length) : new Uint8ClampedArray(buffer, from, length);
}

export function makeUint16(length: number): Uint16Array<ArrayBuffer> {
  const from = take(2 * length);
  return from < 0 ? new Uint16Array(length) : new Uint16Array(buffer, from, length);
}

export function makeUint32(length: number): Uint32Array<ArrayBuffer> {
  const from = take(4 * length);
  return from < 0 ? new Uint32Array(length) : new Uint32Array(buffer, from, length);
}

export function makeInt32(length: number): Int32Array<ArrayBuffer> {
  const from = take(4 * length);
  return from < 0 ? new Int32Array(length) : new Int32Array(buffer, from, length);
}

export function makeFloat64(length: number): Float64Array<ArrayBuffer> {
  const from = take(8 * length);
  return from < 0 ? new Float64Array(length) : new Float64Array(buffer, from, length);
}
