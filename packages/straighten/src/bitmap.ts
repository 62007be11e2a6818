/**
 * Pictures and points. The origin of all coordinates is the top left corner of the picture, x runs right and y down, in
 * pixels: the center of the first pixel is (0.5, 0.5).
 */

/** Straight-alpha RGBA in sRGB, row by row. */
export interface Bitmap {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array | Uint8ClampedArray;
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** A rectangle along the axes. */
export interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** The corners of a quadrilateral: top left, top right, bottom right, bottom left. */
export type Corners = readonly [Point, Point, Point, Point];

/** The lightness of a picture at a reduced size, 0..255. */
export interface Gray {
  readonly width: number;
  readonly height: number;
  readonly data: Float32Array;
  /** Pixels of the picture for one pixel here, across and down alike. */
  readonly scale: number;
}

/** The step, in bytes, of the sample that chooses the ground below transparent parts. */
const SAMPLE_STRIDE = 4 * 61;

/**
 * Reduces a picture to at most `longSide` pixels on its long side, by area averages. Transparent parts are seen on
 * white, and on black where the opaque parts are light. Cost: one pass over the picture.
 */
export function reduceToGray({ width, height, data }: Bitmap, longSide: number): Gray {
  const scale = Math.max(1, Math.max(width, height) / longSide);
  const [w, h] = [Math.max(1, Math.floor(width / scale)), Math.max(1, Math.floor(height / scale))];
  const out = new Float32Array(w * h);
  const ground = groundBelow(data);
  const columns = spread(width, w, scale);
  const rows = spread(height, h, scale);
  const line = new Float32Array(w + 1);
  for (let y = 0; y < height; y++) {
    if (rows.first[y] >= h) break;
    line.fill(0);
    for (let x = 0, i = 4 * y * width; x < width; x++, i += 4) {
      const light = 0.299 * data[i] + 0.587 * data[i + 1] + 0.114 * data[i + 2];
      const alpha = data[i + 3];
      const value = alpha === 255 ? light : ground + ((light - ground) * alpha) / 255;
      const column = columns.first[x];
      const share = columns.share[x];
      line[column] += value * share;
      if (share < 1) line[column + 1] += value * (1 - share);
    }
    addLine(out, line, { w, h }, rows.first[y], rows.share[y]);
  }
  const area = 1 / (scale * scale);
  for (let i = 0; i < out.length; i++) out[i] *= area;
  return { width: w, height: h, data: out, scale };
}

function addLine(out: Float32Array, line: Float32Array, size: { w: number; h: number }, row: number, share: number) {
  const { w, h } = size;
  for (let x = 0, i = row * w; x < w; x++, i++) out[i] += line[x] * share;
  if (share === 1 || row + 1 >= h) return;
  for (let x = 0, i = (row + 1) * w; x < w; x++, i++) out[i] += line[x] * (1 - share);
}

/** Returns for each value of a line the first value of the reduced line it falls into, and the share that does. */
function spread(length: number, reducedLength: number, scale: number) {
  const first = new Int32Array(length);
  const share = new Float32Array(length);
  for (let i = 0; i < length; i++) {
    // The last column of a line takes what rounding leaves over; its weight there is nothing.
    first[i] = Math.min(reducedLength, Math.floor(i / scale));
    share[i] = Math.min(1, (first[i] + 1) * scale - i);
  }
  return { first, share };
}

function groundBelow(data: Bitmap['data']): number {
  let light = 0;
  let weight = 0;
  for (let i = 0; i + 3 < data.length; i += SAMPLE_STRIDE) {
    light += data[i + 3] * (0.299 * data[i] + 0.587 * data[i + 1] + 0.114 * data[i + 2]);
    weight += data[i + 3];
  }
  return weight > 0 && light / weight > 160 ? 0 : 255;
}
