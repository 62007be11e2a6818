/**
 * Returns the greatest or least value (dilation or erosion) within `radius` pixels in each direction, by rows and then
 * by columns. A window is the union of two overlapping windows whose size is a power of two, and those are built by
 * doubling: linear in pixels, times the logarithm of the radius. Four pixels are compared at once, as the bytes of a
 * number. Needs the result, 2 · radius rows after it, and two rows more.
 */
export function extremes(
  values: Uint8Array,
  width: number,
  height: number,
  radius: number,
  which: 'greatest' | 'least',
): Uint8Array {
  // The least of bytes is the greatest of their complements.
  const flip = which === 'least' ? -1 : 0;
  const window = 2 * radius + 1;
  let half = 1;
  while (2 * half <= window) half *= 2;

  const stride = (width + 3) >> 2;
  const rows = new Int32Array((height + 2 * radius) * stride);
  const line = new Int32Array(stride + ((2 * radius + 3) >> 2) + 1);
  const lineBytes = new Uint8Array(line.buffer);
  for (let y = 0; y < height; y++) {
    line.fill(flip);
    lineBytes.set(values.subarray(y * width, (y + 1) * width), radius);
    if (flip) for (let k = 0; k < line.length; k++) line[k] = ~line[k];
    for (let step = 1; step < half; step *= 2) foldLine(line, step);
    if (window > half) foldLine(line, window - half);
    rows.set(line.subarray(0, stride), (y + radius) * stride);
  }

  for (let step = 1; step < half; step *= 2) foldRows(rows, rows.length - step * stride, step * stride);
  if (window > half) foldRows(rows, height * stride, (window - half) * stride);
  if (flip) for (let k = 0; k < height * stride; k++) rows[k] = ~rows[k];
  const bytes = new Uint8Array(rows.buffer);
  if (4 * stride === width) return bytes.subarray(0, values.length);
  for (let y = 1; y < height; y++) bytes.copyWithin(y * width, 4 * y * stride, 4 * y * stride + width);
  return bytes.subarray(0, values.length);
}

/** Replaces each number by the greatest bytes of itself and the one `step` further on, which is not replaced yet. */
function foldRows(rows: Int32Array, end: number, step: number): void {
  for (let k = 0; k < end; k++) {
    const own = rows[k];
    const other = rows[k + step];
    if (own !== other) rows[k] = greatest(own, other);
  }
}

/** Replaces each byte by the greater of itself and the one `step` further on, which is not replaced yet. */
function foldLine(line: Int32Array, step: number): void {
  const whole = step >> 2;
  const right = 8 * (step & 3);
  for (let k = 0; k + whole < line.length; k++) {
    const next = k + whole + 1 < line.length ? line[k + whole + 1] : 0;
    const other = right === 0 ? line[k + whole] : (line[k + whole] >>> right) | (next << (32 - right));
    if (line[k] !== other) line[k] = greatest(line[k], other);
  }
}

/** The bytes of even places, each with a byte of room above it, and the lowest bits of that room. */
const EVEN = 0x00ff00ff;
const ROOM = 0x01000100;

/** Returns the greater of each of the four bytes of two numbers. */
function greatest(a: number, b: number): number {
  return greatestEven(a & EVEN, b & EVEN) | (greatestEven((a >>> 8) & EVEN, (b >>> 8) & EVEN) << 8);
}

function greatestEven(a: number, b: number): number {
  // A bit of the room stays where a is at least b, and becomes a mask of that byte.
  const isMore = (((a | ROOM) - b) & ROOM) >>> 8;
  const mask = (isMore << 8) - isMore;
  return (a & mask) | (b & ~mask);
}
