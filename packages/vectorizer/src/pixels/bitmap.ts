import { makeUint8Clamped } from '../geometry/memory.ts';
import type { Settings } from '../options.ts';

/** RGBA, straight alpha, sRGB, rows from the top, 4 bytes per pixel. */
export interface Bitmap {
  width: number;
  height: number;
  data: Uint8ClampedArray | Uint8Array;
}

/**
 * The pixels that the stages read, with premultiplied alpha: a pixel half covered by an edge is the plain mean of its
 * two sides even when one side is clear. Renderers blend in sRGB space, so mixing stays in sRGB space.
 */
export interface Pixels {
  width: number;
  height: number;
  data: Uint8ClampedArray;
  opaque: boolean;
  /** Monochrome only, when part of the bitmap is clear: the gray histogram of its fully opaque pixels. */
  solidTones?: Float64Array;
}

/** A rectangle of whole pixels, from the top left. */
export interface PixelBox {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Changes to a picture before it is traced. */
export interface Adjustments {
  /** The part to crop to. Default the whole bitmap. */
  box?: PixelBox;
  /** -100..100: 100 lifts every channel by half its range. Default 0. */
  brightness?: number;
  /** -100..100, around the middle level: 100 multiplies differences by nine, -100 divides them by nine. Default 0. */
  contrast?: number;
}

/**
 * Returns a cropped copy of a bitmap with changed brightness and contrast; the same bitmap when nothing changes. Alpha
 * stays as it is. Each channel goes through a table of 256 bytes, so the result is the same on every machine. Throws a
 * RangeError for values out of range.
 */
export function adjustBitmap(whole: Bitmap, { box, brightness = 0, contrast = 0 }: Adjustments): Bitmap {
  for (const [name, value] of Object.entries({ brightness, contrast })) {
    if (!(value >= -100 && value <= 100)) throw new RangeError(`${name} must be between -100 and 100.`);
  }
  const bitmap = box ? cropBitmap(whole, box) : whole;
  if (brightness === 0 && contrast === 0) return bitmap;
  const slope = (125 + contrast) / (125 - contrast);
  const lift = 127.5 + (127.5 * brightness) / 100;
  const table = new Uint8ClampedArray(256);
  for (let level = 0; level < 256; level++) table[level] = (level - 127.5) * slope + lift;
  const data = new Uint8ClampedArray(bitmap.data);
  for (let i = 0; i < data.length; i += 4) {
    data[i] = table[data[i]];
    data[i + 1] = table[data[i + 1]];
    data[i + 2] = table[data[i + 2]];
  }
  return { width: bitmap.width, height: bitmap.height, data };
}

/** Returns a copy of the box; the same bitmap when the box covers it. */
function cropBitmap(bitmap: Bitmap, box: PixelBox): Bitmap {
  const { x, y, width, height } = box;
  const isWhole = [x, y, width, height].every(Number.isInteger);
  const isInside = x >= 0 && y >= 0 && width >= 1 && height >= 1;
  if (!isWhole || !isInside || x + width > bitmap.width || y + height > bitmap.height) {
    throw new RangeError('The box must be of whole pixels and inside the bitmap.');
  }
  if (width === bitmap.width && height === bitmap.height) return bitmap;
  const data = new Uint8ClampedArray(width * height * 4);
  for (let row = 0; row < height; row++) {
    const from = ((y + row) * bitmap.width + x) * 4;
    data.set(bitmap.data.subarray(from, from + width * 4), row * width * 4);
  }
  return { width, height, data };
}

const MAX_PIXELS = 1 << 28;

/**
 * Reads a bitmap for the stages: premultiplies alpha and converts to gray where the mode asks for it. Throws a
 * RangeError when the sizes do not match the data. Linear in the pixels; 4 bytes per pixel, or none for an opaque
 * bitmap in color, whose own bytes are read.
 */
export function readPixels(bitmap: Bitmap, colorMode: Settings['colorMode']): Pixels {
  const { width, height, data } = bitmap;
  if (!Number.isInteger(width) || !Number.isInteger(height) || width < 1 || height < 1) {
    throw new RangeError('The bitmap must be at least one pixel wide and high.');
  }
  const size = width * height;
  if (size > MAX_PIXELS) throw new RangeError('The bitmap has too many pixels.');
  if (data.length !== size * 4) throw new RangeError('The bitmap data must hold four bytes for every pixel.');

  const opaque = isOpaque(bitmap);
  if (opaque && colorMode === 'color' && data.byteOffset % 4 === 0) {
    return { width, height, data: new Uint8ClampedArray(data.buffer, data.byteOffset, data.length), opaque };
  }
  const out = makeUint8Clamped(data.length);
  out.set(data);
  if (!opaque) premultiply(out);
  if (colorMode === 'color') return { width, height, data: out, opaque };

  const flatten = colorMode === 'monochrome'; // one ink on white paper: clear counts as paper
  const solidTones = flatten && !opaque ? new Float64Array(256) : undefined;
  for (let i = 0; i < out.length; i += 4) {
    const alpha = out[i + 3];
    const gray = 0.299 * out[i] + 0.587 * out[i + 1] + 0.114 * out[i + 2] + (flatten ? 255 - alpha : 0);
    out[i] = out[i + 1] = out[i + 2] = gray;
    if (solidTones && alpha === 255) solidTones[out[i]]++;
    if (flatten) out[i + 3] = 255;
  }
  return { width, height, data: out, opaque: opaque || flatten, solidTones };
}

/**
 * Reduces a picture by a box filter: every pixel is the mean of `scale` × `scale` pixels, fewer at the right and lower
 * edges. Linear in the pixels.
 */
export function reduce({ width, height, data, opaque }: Pixels, scale: number): Pixels {
  const across = Math.ceil(width / scale);
  const down = Math.ceil(height / scale);
  const out = new Uint8ClampedArray(across * down * 4);
  const sums = new Uint32Array(across * 4);
  for (let y = 0, at = 0; y < down; y++) {
    sums.fill(0);
    const rows = Math.min(scale, height - y * scale);
    for (let v = 0; v < rows; v++) {
      let i = (y * scale + v) * width * 4;
      for (let x = 0; x < across; x++) {
        const columns = Math.min(scale, width - x * scale);
        for (let u = 0; u < columns; u++, i += 4) {
          sums[x * 4] += data[i];
          sums[x * 4 + 1] += data[i + 1];
          sums[x * 4 + 2] += data[i + 2];
          sums[x * 4 + 3] += data[i + 3];
        }
      }
    }
    for (let x = 0; x < across; x++) {
      const count = rows * Math.min(scale, width - x * scale);
      for (let c = 0; c < 4; c++, at++) out[at] = sums[x * 4 + c] / count;
    }
  }
  return { width: across, height: down, data: out, opaque };
}

/** Returns true when every pixel of the bitmap is opaque. */
export function isOpaque({ data }: Bitmap): boolean {
  const { length } = data;
  for (let i = 3; i < length; ) {
    // Without a branch for each pixel, engines take a quarter of the time.
    const end = Math.min(length, i + 16384);
    let all = 255;
    for (; i < end; i += 4) all &= data[i];
    if (all !== 255) return false;
  }
  return true;
}

function premultiply(data: Uint8ClampedArray): void {
  for (let i = 3; i < data.length; i += 4) {
    const alpha = data[i];
    if (alpha === 255) continue;
    const scale = alpha / 255;
    data[i - 3] *= scale;
    data[i - 2] *= scale;
    data[i - 1] *= scale;
  }
}

/**
 * Returns a copy for measuring mixes in lossy pictures: luma, and two chroma differences at a third of their size.
 * Compression halves the resolution of chroma, so luma locates an edge and chroma only tells which colors meet there.
 */
export function weighLuma(pixels: Pixels): Pixels {
  const { data } = pixels;
  const out = makeUint8Clamped(data.length);
  for (let i = 0; i < data.length; i += 4) {
    writeLuma(data[i], data[i + 1], data[i + 2], data[i + 3], out, i);
  }
  return { ...pixels, data: out };
}

/**
 * Writes luma, blue difference and red difference of one premultiplied color (0..255). Chroma is centered at 128 and a
 * third of its usual size.
 */
export function writeLuma(
  red: number,
  green: number,
  blue: number,
  alpha: number,
  out: Uint8ClampedArray | Float64Array,
  at: number,
): void {
  const luma = 0.299 * red + 0.587 * green + 0.114 * blue;
  out[at] = luma;
  out[at + 1] = 128 + 0.188 * (blue - luma);
  out[at + 2] = 128 + 0.238 * (red - luma);
  out[at + 3] = alpha;
}
