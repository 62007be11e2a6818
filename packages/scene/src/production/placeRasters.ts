/** Places the rasters of a scene in the frame, where nothing reaches outside. */
import { type AreaClip, transformClips } from '../document/areaClips.ts';
import { applyMatrix, type Matrix, multiply } from '../geometry/matrix.ts';
import { flatten } from '../geometry/pathData.ts';
import type { RasterFile, Scene, SceneGroup, SceneRaster } from '../resolve/scene.ts';
import type { JobRaster } from './job.ts';

/** A raster is made for its place: more than this of a pixel away from the grid, it belongs to another one. */
const GRID_TOLERANCE = 0.01;

/**
 * Returns the rasters of a scene, clipped by whole pixels to the frame and to the area that can be marked. `turn` is
 * applied after the placement; it may mirror. Throws a RangeError for a raster whose pixels are no upright squares of
 * its interval. Cost: linear in pixels.
 */
export function placeRasters(scene: Scene, turn: Matrix): JobRaster[] {
  return scene.groups
    .flatMap((group) => group.children.flatMap((child) => (child.kind === 'raster' ? [{ group, raster: child }] : [])))
    .flatMap(({ group, raster }) => placeRaster(scene, group, raster, turn) ?? [])
    .map((raster, i) => ({ ...raster, id: `photo-${i + 1}` }));
}

function placeRaster(
  { widthMm, heightMm, area = [] }: Scene,
  group: SceneGroup,
  raster: SceneRaster,
  turn: Matrix,
): Omit<JobRaster, 'id'> | undefined {
  const { width, height, intervalMm, file } = raster;
  const matrix = multiply(turn, group.matrix, raster.matrix);
  const isFlipped = matrix.a < 0;
  const slack = intervalMm * GRID_TOLERANCE;
  const drift = Math.max(
    Math.abs(Math.abs(matrix.a) - intervalMm) * width,
    Math.abs(matrix.d - intervalMm) * height,
    Math.abs(matrix.b) * width,
    Math.abs(matrix.c) * height,
  );
  if (!(drift <= slack)) throw new RangeError('A raster must be made again when its element is turned or resized.');
  const corner = applyMatrix(matrix, { x: isFlipped ? width : 0, y: 0 });
  const columns = clipRange(corner.x, width, intervalMm, widthMm);
  const rows = clipRange(corner.y, height, intervalMm, heightMm);
  if (columns.count === 0 || rows.count === 0) return undefined;
  const place = {
    x: corner.x + columns.first * intervalMm,
    y: corner.y + rows.first * intervalMm,
    width: columns.count,
    height: rows.count,
    intervalMm,
  };
  const lines = file && cutRows(file, { width, columns, rows, isFlipped });
  const clips = transformClips(area, turn);
  return {
    elementId: group.elementId,
    ...place,
    ...(file &&
      lines && {
        file: { ...file, rows: clips.reduce((rest, clip) => bareOutside(rest, file.isGray, clip, place), lines) },
      }),
  };
}

/**
 * Returns the rows with those pixels bare whose middle lies outside of a clip: line by line, between each second
 * crossing of its outline.
 */
function bareOutside(
  rows: Uint8Array,
  isGray: boolean,
  { contours }: AreaClip,
  { x, y, width, height, intervalMm }: Pick<JobRaster, 'x' | 'y' | 'width' | 'height' | 'intervalMm'>,
): Uint8Array {
  const outlines = contours.map((contour) => flatten(contour, intervalMm / 10));
  const bytes = isGray ? width : Math.ceil(width / 8);
  const rest = new Uint8Array(rows.length);
  for (let row = 0; row < height; row++) {
    const from = rows.subarray(row * bytes, (row + 1) * bytes);
    const to = rest.subarray(row * bytes, (row + 1) * bytes);
    fillBare(to, isGray, 0, width);
    const level = y + (row + 0.5) * intervalMm;
    const crossings = outlines.flatMap((line) => crossingsAt(line, level)).sort((a, b) => a - b);
    for (let i = 0; i + 1 < crossings.length; i += 2) {
      const column = (at: number) => Math.min(width, Math.max(0, Math.ceil((at - x) / intervalMm - 0.5)));
      copyPixels(from, to, isGray, column(crossings[i]!), column(crossings[i + 1]!));
    }
  }
  return rest;
}

/** Makes the pixels of a row bare. */
function fillBare(row: Uint8Array, isGray: boolean, from: number, to: number): void {
  if (isGray) row.fill(255, from, to);
  else for (let x = from; x < to; x++) row[x >> 3]! |= 128 >> (x & 7);
}

/** Copies the pixels from `from` up to `to`. In bits, whole bytes between the ends are copied at once. */
function copyPixels(source: Uint8Array, target: Uint8Array, isGray: boolean, from: number, to: number): void {
  if (isGray) {
    target.set(source.subarray(from, to), from);
    return;
  }
  let x = from;
  const copyBit = () => {
    const bit = 128 >> (x & 7);
    target[x >> 3] = (target[x >> 3]! & ~bit) | (source[x >> 3]! & bit);
    x++;
  };
  while (x < to && (x & 7) !== 0) copyBit();
  const bytes = (to - x) >> 3;
  if (bytes > 0) {
    target.set(source.subarray(x >> 3, (x >> 3) + bytes), x >> 3);
    x += bytes * 8;
  }
  while (x < to) copyBit();
}

/** Returns where a closed polyline crosses a level line. */
function crossingsAt(line: readonly number[], level: number): number[] {
  const crossings: number[] = [];
  for (let p = 0; p < line.length; p += 2) {
    const q = (p + 2) % line.length;
    const [y0, y1] = [line[p + 1]!, line[q + 1]!];
    if (y0 <= level !== y1 <= level) crossings.push(line[p]! + ((level - y0) / (y1 - y0)) * (line[q]! - line[p]!));
  }
  return crossings;
}

interface Range {
  readonly first: number;
  readonly count: number;
}

/** Returns the pixels of a line that are whole inside the frame, which is `sideMm` long. */
function clipRange(startMm: number, count: number, intervalMm: number, sideMm: number): Range {
  const slack = GRID_TOLERANCE;
  const first = Math.min(count, Math.max(0, Math.ceil(-startMm / intervalMm - slack)));
  const end = Math.max(first, Math.min(count, Math.floor((sideMm - startMm) / intervalMm + slack)));
  return { first, count: end - first };
}

interface Cut {
  /** Of a line of the whole raster. */
  readonly width: number;
  readonly columns: Range;
  readonly rows: Range;
  readonly isFlipped: boolean;
}

function cutRows({ rows: whole, isGray }: RasterFile, { width, columns, rows, isFlipped }: Cut): Uint8Array {
  const bytesOf = (pixels: number) => (isGray ? pixels : Math.ceil(pixels / 8));
  const [fromBytes, toBytes] = [bytesOf(width), bytesOf(columns.count)];
  const isWide = !isFlipped && columns.count === width;
  if (isWide) return whole.subarray(rows.first * fromBytes, (rows.first + rows.count) * fromBytes);
  const cut = new Uint8Array(toBytes * rows.count);
  for (let y = 0; y < rows.count; y++) {
    const line = whole.subarray((rows.first + y) * fromBytes, (rows.first + y + 1) * fromBytes);
    const out = cut.subarray(y * toBytes, (y + 1) * toBytes);
    for (let x = 0; x < columns.count; x++) {
      const column = isFlipped ? width - 1 - columns.first - x : columns.first + x;
      if (isGray) out[x] = line[column]!;
      else if (line[column >> 3]! & (128 >> (column & 7))) out[x >> 3]! |= 128 >> (x & 7);
    }
  }
  return cut;
}
