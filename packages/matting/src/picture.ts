/** Pictures and masks: what the package takes and returns. */

/** Straight-alpha RGBA in sRGB, row by row. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}

/**
 * A trimap or an alpha matte from a network: the confidence that each pixel is the object, 0..255, row by row. It
 * covers the whole picture and may have any size.
 */
export interface Mask {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}

/**
 * Returns the pixels as numbers: on a background of one color, most pixels of a drawing are as the one before them, so
 * what is known of that one holds for them too.
 */
export function wordsOf(data: Uint8Array): Int32Array {
  const bytes = data.byteOffset % 4 === 0 ? data : data.slice();
  return new Int32Array(bytes.buffer, bytes.byteOffset, bytes.length >> 2);
}

/** Returns where the run of pixels that are as the one at `from` ends, at most at `end`. */
export function runEnd(words: Int32Array, from: number, end: number): number {
  const word = words[from];
  let to = from + 1;
  while (to < end && words[to] === word) to++;
  return to;
}

/**
 * Returns the mask at another size: area averages for a smaller size, bilinear interpolation for a larger one. Works by
 * rows and then by columns, so it needs only one array of the result's width and the mask's height besides the result.
 */
export function resizeMask(mask: Mask, width: number, height: number): Uint8Array {
  if (mask.width === width && mask.height === height) return mask.data;
  const across = weights(mask.width, width);
  const rows = new Float32Array(width * mask.height);
  for (let y = 0; y < mask.height; y++) {
    for (let x = 0; x < width; x++) {
      let sum = 0;
      for (let w = across.starts[x], end = across.starts[x + 1], i = across.first[x]; w < end; w++, i++) {
        sum += across.shares[w] * mask.data[y * mask.width + i];
      }
      rows[y * width + x] = sum;
    }
  }
  const down = weights(mask.height, height);
  const out = new Uint8Array(width * height);
  const line = new Float32Array(width);
  for (let y = 0; y < height; y++) {
    line.fill(0.5);
    for (let w = down.starts[y], end = down.starts[y + 1], i = down.first[y]; w < end; w++, i++) {
      const share = down.shares[w];
      for (let x = 0; x < width; x++) line[x] += share * rows[i * width + x];
    }
    out.set(line, y * width);
  }
  return out;
}

/** Returns the weights of the values of a line of `from` for each value of a line of `to`. */
function weights(from: number, to: number) {
  const scale = from / to;
  const starts = new Uint32Array(to + 1);
  const first = new Uint32Array(to);
  const shares: number[] = [];
  for (let x = 0; x < to; x++) {
    if (scale > 1) {
      const left = x * scale;
      const right = left + scale;
      first[x] = Math.floor(left);
      for (let i = first[x]; i < Math.min(from, Math.ceil(right - 1e-9)); i++) {
        shares.push((Math.min(i + 1, right) - Math.max(i, left)) / scale);
      }
    } else {
      const at = Math.min(from - 1, Math.max(0, (x + 0.5) * scale - 0.5));
      first[x] = Math.min(Math.max(0, from - 2), Math.floor(at));
      const beyond = at - first[x];
      shares.push(1 - beyond);
      if (from > 1) shares.push(beyond);
    }
    starts[x + 1] = shares.length;
  }
  return { starts, first, shares: Float32Array.from(shares) };
}
