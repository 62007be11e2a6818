/** Places the rasters of a scene in the frame, where nothing reaches outside. */
import { applyMatrix, type Matrix, multiply } from '../geometry/matrix.ts';
import type { RasterFile, Scene, SceneGroup, SceneRaster } from '../resolve/scene.ts';
import type { JobRaster } from './job.ts';

/** A raster is made for its place: more than this of a pixel away from the grid, it belongs to another one. */
const GRID_TOLERANCE = 0.01;

/**
 * Returns the rasters of a scene, clipped to the frame by whole pixels. `turn` is applied after the placement; it may
 * mirror. Throws a RangeError for a raster whose pixels are no upright squares of its interval. Cost: linear in pixels.
 */
export function placeRasters(scene: Scene, turn: Matrix): JobRaster[] {
  return scene.groups
    .flatMap((group) => group.children.flatMap((child) => (child.kind === 'raster' ? [{ group, raster: child }] : [])))
    .flatMap(({ group, raster }) => placeRaster(scene, group, raster, turn) ?? [])
    .map((raster, i) => ({ ...raster, id: `photo-${i + 1}` }));
}

function placeRaster(
  { widthMm, heightMm }: Scene,
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
  return {
    elementId: group.elementId,
    x: corner.x + columns.first * intervalMm,
    y: corner.y + rows.first * intervalMm,
    width: columns.count,
    height: rows.count,
    intervalMm,
    ...(file && { file: { ...file, rows: cutRows(file, { width, columns, rows, isFlipped }) } }),
  };
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
