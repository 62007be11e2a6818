/**
 * A picture of pixels as a round blank shows it. Each pixel of the result looks its place up in the picture, in a few
 * places of its own area, so that what is pressed together at the sides is averaged.
 */
import { invert, type Matrix, scale } from '../geometry/matrix.ts';
import type { Projection, WallCamera } from './projection.ts';
import { boundsOf, projectPolylines, toPolylines } from './projectPaths.ts';

/** Red, green, blue and opacity of each pixel, 0…255, row by row; the colors are not multiplied by the opacity. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array | Uint8ClampedArray;
}

export interface RemapOptions {
  /** Maps pixels of the picture to flat mm. */
  readonly toFlat: Matrix;
  readonly projection: Projection;
  /** Nothing beside these columns shows, flat mm. */
  readonly columnsMm: readonly [left: number, right: number];
  readonly pxPerMm: number;
  /** Added where half of an area is covered, as a share of it; 0 where none or all is (a parabola between). */
  readonly gain?: number | undefined;
}

/** Places along each side of a pixel of the front. At the sides of the blank a pixel is wider on it, and has more. */
const PARTS = 2;
const MAX_PARTS = 8;
/** The largest side of a result: of what is wider, only the middle shows. */
const MAX_SIDE_PX = 4000;

/**
 * Returns the picture and the picture mm of its top left corner; undefined where all of it is behind the blank. The
 * view is parallel, and rows stay level (`meridian`). Cost: linear in the pixels of both.
 */
export function remapPicture(
  picture: Pixels,
  { toFlat, projection, columnsMm, pxPerMm, gain = 0 }: RemapOptions,
): { readonly pixels: Pixels; readonly xMm: number; readonly yMm: number } | undefined {
  const { camera } = projection;
  if (!camera) throw new RangeError('A flat blank shows its pictures as they are.');
  const box = boxOf(picture, toFlat, projection);
  if (!box) return undefined;
  const width = Math.min(MAX_SIDE_PX, Math.ceil((box.right - box.left) * pxPerMm) + 2);
  const height = Math.min(MAX_SIDE_PX, Math.ceil((box.bottom - box.top) * pxPerMm) + 2);
  const [xMm, yMm] = [box.left - 1 / pxPerMm, box.top - 1 / pxPerMm];
  const { source, toSource, isCoarse } = shrink(picture, toFlat, pxPerMm);
  const lookup: Lookup = { source, toSource, camera, columnsMm };
  const data = new Uint8ClampedArray(4 * width * height);
  const sum = new Float64Array(4);
  const { radiusMm, slope, drop } = camera.wall;
  // A place in a pixel that is larger than the view's says as much as four of them.
  const parts = isCoarse ? 1 : PARTS;
  for (let row = 0; row < height; row++) {
    for (let column = 0; column < width; column++) {
      sum.fill(0);
      const share = (xMm + (column + 0.5) / pxPerMm) / (radiusMm + (slope * (yMm + (row + 0.5) / pxPerMm)) / drop);
      const facing = Math.sqrt(Math.max(1e-4, 1 - share * share));
      const across = Math.min(MAX_PARTS, Math.ceil(parts / facing - 0.2));
      for (let down = 0; down < parts; down++) {
        const alongMm = (yMm + (row + (down + 0.5) / parts) / pxPerMm) / drop;
        for (let part = 0; part < across; part++) {
          addSample(sum, lookup, xMm + (column + (part + 0.5) / across) / pxPerMm, alongMm);
        }
      }
      const alpha = sum[3]!;
      if (alpha === 0) continue;
      const at = 4 * (row * width + column);
      for (let k = 0; k < 3; k++) data[at + k] = sum[k]! / alpha;
      const cover = alpha / (across * parts * 255);
      data[at + 3] = 255 * (cover + 4 * gain * cover * (1 - cover));
    }
  }
  return { pixels: { width, height, data }, xMm, yMm };
}

interface Lookup extends Pick<RemapOptions, 'columnsMm'> {
  readonly source: Pixels;
  readonly toSource: Matrix;
  readonly camera: WallCamera;
}

/** Adds the picture's color at a point of the view, times its opacity, and the opacity. */
function addSample(sum: Float64Array, lookup: Lookup, x: number, alongMm: number) {
  const { source, toSource, camera, columnsMm } = lookup;
  const { radiusMm, slope } = camera.wall;
  const radius = radiusMm + slope * alongMm;
  if (!(radius > 0) || Math.abs(x) >= radius) return;
  const front = Math.asin(x / radius) - camera.turnRad;
  const nearest = front - Math.round(front / TURN) * TURN;
  // What goes round the blank may come to the front a turn earlier or later.
  for (let turn = -1; turn <= 1; turn++) {
    const flatX = (nearest + turn * TURN) * radiusMm;
    if (flatX < columnsMm[0] || flatX > columnsMm[1]) continue;
    const u = toSource.a * flatX + toSource.c * alongMm + toSource.e;
    const v = toSource.b * flatX + toSource.d * alongMm + toSource.f;
    if (u < 0 || v < 0 || u > source.width || v > source.height) continue;
    addPixel(sum, source, u - 0.5, v - 0.5);
    return;
  }
}

const TURN = 2 * Math.PI;

function addPixel(sum: Float64Array, { width, height, data }: Pixels, u: number, v: number) {
  const column = Math.floor(u);
  const row = Math.floor(v);
  for (let k = 0; k < 4; k++) {
    const dx = k & 1;
    const dy = k >> 1;
    const weight = (dx ? u - column : 1 - (u - column)) * (dy ? v - row : 1 - (v - row));
    const x = Math.min(width - 1, Math.max(0, column + dx));
    const y = Math.min(height - 1, Math.max(0, row + dy));
    const at = 4 * (y * width + x);
    const alpha = data[at + 3]! * weight;
    sum[0]! += data[at]! * alpha;
    sum[1]! += data[at + 1]! * alpha;
    sum[2]! += data[at + 2]! * alpha;
    sum[3]! += alpha;
  }
}

/** Halves a picture until its pixels are as large as those of the view, and returns where flat mm lie in it. */
function shrink(picture: Pixels, toFlat: Matrix, pxPerMm: number) {
  let source = picture;
  let matrix = toFlat;
  const sizeOf = ({ a, b, c, d }: Matrix) => Math.min(Math.hypot(a, b), Math.hypot(c, d)) * pxPerMm;
  while (sizeOf(matrix) < 0.75 && Math.min(source.width, source.height) > 1) {
    const before = source;
    source = halve(before);
    const ratio = scale(before.width / source.width, before.height / source.height);
    matrix = { ...matrix, a: matrix.a * ratio.a, b: matrix.b * ratio.a, c: matrix.c * ratio.d, d: matrix.d * ratio.d };
  }
  return { source, toSource: invert(matrix), isCoarse: sizeOf(matrix) >= 1 };
}

function halve({ width, height, data }: Pixels): Pixels {
  const size = { width: Math.ceil(width / 2), height: Math.ceil(height / 2) };
  const half = new Uint8ClampedArray(4 * size.width * size.height);
  for (let y = 0; y < size.height; y++) {
    for (let x = 0; x < size.width; x++) {
      let [red, green, blue, alpha] = [0, 0, 0, 0];
      for (let k = 0; k < 4; k++) {
        const at = 4 * (Math.min(height - 1, 2 * y + (k >> 1)) * width + Math.min(width - 1, 2 * x + (k & 1)));
        const share = data[at + 3]!;
        red += data[at]! * share;
        green += data[at + 1]! * share;
        blue += data[at + 2]! * share;
        alpha += share;
      }
      const at = 4 * (y * size.width + x);
      if (alpha > 0) {
        half[at] = red / alpha;
        half[at + 1] = green / alpha;
        half[at + 2] = blue / alpha;
        half[at + 3] = alpha / 4;
      }
    }
  }
  return { ...size, data: half };
}

/** Returns the box around what shows of a picture, in picture mm. */
function boxOf({ width, height }: Pixels, toFlat: Matrix, projection: Projection) {
  const edge = toPolylines(
    [{ commands: ['L', 'L', 'L'], points: [0, 0, width, 0, width, height, 0, height], isClosed: true }],
    1,
  );
  const { points } = projectPolylines(edge, toFlat, projection, { toleranceMm: 0.05, isFilled: true });
  return points.length === 0 ? undefined : boundsOf(points);
}
