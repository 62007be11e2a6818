/**
 * Returns the greatest or least value (dilation or erosion) within `radius` pixels in each direction, by rows and then
 * by columns. A window is the union of two overlapping windows whose size is a power of two, and those are built by
 * doubling: linear in pixels, times the logarithm of the radius. Four pixels are compared at once, as the bytes of a
 * number. Needs the result, with a margin of `radius` all around, which is at least 1.
 */
export function extremes(
  values: Uint8Array,
  width: number,
  height: number,
  radius: number,
  which: 'greatest' | 'least',
): Uint8Array {
  const isLeast = which === 'least';
  const window = 2 * radius + 1;
  let half = 1;
  while (2 * half <= window) half *= 2;

  // The margin lets all rows be folded as one line: what comes from the next row stays in it.
  const stride = (width + 2 * radius + 3) >> 2;
  const words = new Int32Array((height + 2 * radius) * stride);
  if (isLeast) words.fill(-1);
  const bytes = new Uint8Array(words.buffer);
  for (let y = 0; y < height; y++) {
    bytes.set(values.subarray(y * width, (y + 1) * width), 4 * (radius + y) * stride + radius);
  }
  const rows = words.subarray(radius * stride, (radius + height) * stride + stride);
  for (let step = 1; step < half; step *= 2) foldBytes(rows, height * stride, step, isLeast);
  if (window > half) foldBytes(rows, height * stride, window - half, isLeast);
  for (let step = 1; step < half; step *= 2) foldWords(words, words.length - step * stride, step * stride, isLeast);
  if (window > half) foldWords(words, height * stride, (window - half) * stride, isLeast);
  for (let y = 1; y < height; y++) bytes.copyWithin(y * width, 4 * y * stride, 4 * y * stride + width);
  return bytes.subarray(0, values.length);
}

/** Replaces each number by the extreme bytes of itself and the one `step` further on, which is not replaced yet. */
function foldWords(words: Int32Array, end: number, step: number, isLeast: boolean): void {
  for (let k = 0; k < end; k++) {
    const own = words[k];
    const other = words[k + step];
    if (own !== other) words[k] = extreme(own, other, isLeast);
  }
}

/** Replaces each byte by the extreme of itself and the one `step` further on, which is not replaced yet. */
function foldBytes(words: Int32Array, end: number, step: number, isLeast: boolean): void {
  const whole = step >> 2;
  const right = 8 * (step & 3);
  if (right === 0) {
    foldWords(words, end, whole, isLeast);
    return;
  }
  let next = words[whole];
  for (let k = 0; k < end; k++) {
    const first = next;
    next = words[k + whole + 1];
    const own = words[k];
    const other = (first >>> right) | (next << (32 - right));
    if (own !== other) words[k] = extreme(own, other, isLeast);
  }
}

/** The bytes of even places, each with a byte of room above it, and the lowest bits of that room. */
const EVEN = 0x00ff00ff;
const ROOM = 0x01000100;

/** Returns the greater or lesser of each of the four bytes of two numbers. */
function extreme(a: number, b: number, isLeast: boolean): number {
  const most = greatestEven(a & EVEN, b & EVEN) | (greatestEven((a >>> 8) & EVEN, (b >>> 8) & EVEN) << 8);
  return isLeast ? a ^ b ^ most : most;
}

function greatestEven(a: number, b: number): number {
  // A bit of the room stays where a is at least b, and becomes a mask of that byte.
  const isMore = (((a | ROOM) - b) & ROOM) >>> 8;
  const mask = (isMore << 8) - isMore;
  return (a & mask) | (b & ~mask);
}
