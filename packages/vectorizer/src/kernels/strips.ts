import type { Kernels } from './kernels.ts';
import { reserve } from './kernels.ts';

/** Approximate bytes of a strip: the caches of a processor hold it. */
const STRIP_BYTES = 1 << 18;

/** Some rows of a picture in the memory of the kernels. */
export interface Strip {
  /** Address of the row `top`. */
  at: number;
  /** The first row that lies there. */
  top: number;
  /** The rows to work on. Those of the margin before and after them lie there too. */
  from: number;
  to: number;
}

interface Rows {
  width: number;
  height: number;
  /** Its rows lie one after another. */
  data: Uint8ClampedArray | Uint16Array;
}

/**
 * Copies a picture into the memory of the kernels, a strip after the other, and calls `work` for each. So loops over
 * pixels need little memory there, whatever the size of the picture and wherever it lies. `margin` is the number of
 * rows that a row needs before and after it, `perPixel` the bytes for results. `work` gets the address of those, which
 * is that of `extra` bytes when the strip is left. Returns false when there is no room.
 */
export function forEachStrip(
  kernels: Kernels,
  { width, height, data }: Rows,
  { margin = 0, perPixel = 0, extra = 0 },
  work: (strip: Strip, results: number, extra: number) => void,
): boolean {
  const rowBytes = (data.byteLength / height) | 0;
  const rows = Math.min(height, Math.max(16, Math.floor(STRIP_BYTES / rowBytes)));
  const extraBytes = (extra + 15) & ~15;
  const stripBytes = ((rows + 2 * margin) * rowBytes + 31) & ~15; // kernels may read a few bytes beyond the end
  const start = reserve(kernels, extraBytes + stripBytes + perPixel * rows * width);
  if (start === undefined) return false;
  const at = start + extraBytes;
  const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  const memory = new Uint8Array(kernels.memory.buffer);
  for (let from = 0; from < height; from += rows) {
    const to = Math.min(height, from + rows);
    const top = Math.max(0, from - margin);
    memory.set(bytes.subarray(top * rowBytes, Math.min(height, to + margin) * rowBytes), at);
    work({ at, top, from, to }, at + stripBytes, start);
  }
  return true;
}
