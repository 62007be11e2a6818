/** Photographs in dots as PNGs, and their rows read back. */
import { type Raster, rasterStrip, rowBytesOf } from '@markwright/engraving';
import type { JobRaster, RasterFile } from '@markwright/scene';
import type { FilePicture } from '@markwright/scene/production';
import { AppError } from '../../platform/errors.ts';
import { writeRasterPng } from './rasterPng.ts';
import { FileDiffers } from './readBack.ts';
import { PngBroken, readRasterPng } from './readRasterPng.ts';

/** Of zlib: a file is made once and sent often. */
const LEVEL = 6;
const STRIP_ROWS = 256;

/** The PNG of each raster: the project and the picture of a package share it. */
const drawnPhotos = new WeakMap<RasterFile, Promise<Uint8Array>>();

/** Writes the PNG that a machine burns. Throws a RangeError for a raster without pixels. Cost: linear. */
export async function drawPhoto(raster: JobRaster): Promise<Uint8Array> {
  const { id, width, height, intervalMm, file } = raster;
  if (!file) throw new RangeError(`The raster ${id} has no pixels.`);
  const whole = { width, height, ...file };
  const png = drawnPhotos.get(file) ?? writeRasterPng(whole, { intervalMm, level: LEVEL }, stripsOf(whole));
  drawnPhotos.set(file, png);
  return png;
}

function* stripsOf(raster: Raster): Generator<Raster> {
  for (let top = 0; top < raster.height; top += STRIP_ROWS) {
    yield rasterStrip(raster, top, Math.min(raster.height, top + STRIP_ROWS));
  }
}

/** Writes the PNGs of a job's photographs, by the ids of their rasters. */
export async function drawPhotos({
  rasters,
}: {
  readonly rasters: readonly JobRaster[];
}): Promise<ReadonlyMap<string, Uint8Array>> {
  const pictures = new Map<string, Uint8Array>();
  for (const raster of rasters) pictures.set(raster.id, await drawPhoto(raster));
  return pictures;
}

/** The most bytes of a file's photographs in memory, before they are compressed: 480 million dots, or 60 in gray. */
const MOST_BYTES = 60e6;
/** A package holds each photograph twice, and so does its zip. */
const MOST_PACKAGE_BYTES = 20e6;

/** Throws unprocessable for a job with more dots than its file can hold. */
export function refuseLargePhotos({ rasters }: { readonly rasters: readonly JobRaster[] }, isPackage: boolean): void {
  const most = isPackage ? MOST_PACKAGE_BYTES : MOST_BYTES;
  const bytes = rasters.reduce((sum, { file }) => sum + (file?.rows.length ?? 0), 0);
  if (bytes <= most) return;
  const isGray = rasters.some(({ file }) => file?.isGray);
  const dots = rasters.reduce((sum, { width, height }) => sum + width * height, 0);
  const [name, advice] = isPackage ? ['A job package', ', or one file instead'] : ['A file', ''];
  throw new AppError(
    'unprocessable',
    `${name} holds photographs of ${isGray ? `${most / 1e6} million dots in gray` : `${(8 * most) / 1e6} million dots`}, ` +
      `and this design has ${Math.ceil(dots / 1e6)} million. Choose a larger interval${isGray ? ', dots instead of gray' : ''}` +
      ` or a smaller size${advice}.`,
  );
}

/** The most that a pitch may be off, in pixels of a meter: a PNG has whole ones. */
const PITCH_OFF = 0.5001;

/** Compares a PNG with its raster, dot by dot, and its pitch. Throws FileDiffers. Memory: that of some rows. */
export async function checkPhoto(png: Uint8Array, raster: JobRaster): Promise<void> {
  const { id, width, height, intervalMm, file } = raster;
  if (!file) throw new FileDiffers(`The raster ${id} has no pixels.`);
  try {
    const reading = readRasterPng(png);
    const { x, y } = reading.pixelsPerMeter;
    if (Math.max(Math.abs(x - 1000 / intervalMm), Math.abs(y - 1000 / intervalMm)) > PITCH_OFF) {
      throw new FileDiffers(`The picture ${id} has ${x} x ${y} dots for a meter.`);
    }
    if (reading.width !== width || reading.height !== height || reading.bits !== (file.isGray ? 8 : 1)) {
      throw new FileDiffers(`The picture ${id} is ${reading.width} x ${reading.height}, not ${width} x ${height}.`);
    }
    const rowBytes = rowBytesOf({ width, isGray: file.isGray });
    let at = 0;
    for await (const row of reading.rows()) {
      if (Buffer.compare(row, file.rows.subarray(at, at + rowBytes)) !== 0) {
        throw new FileDiffers(`The picture ${id} has other dots than the job.`);
      }
      at += rowBytes;
    }
  } catch (error) {
    throw error instanceof PngBroken ? new FileDiffers(`The picture ${id} cannot be read. ${error.message}`) : error;
  }
}

/** Compares the pictures of a project with the rasters of its job, in order. Throws FileDiffers. */
export async function checkPhotos(pictures: readonly FilePicture[], rasters: readonly JobRaster[]): Promise<void> {
  if (pictures.length !== rasters.length) throw new FileDiffers(`The file holds ${pictures.length} photographs.`);
  for (const [i, raster] of rasters.entries()) await checkPhoto(pictures[i]!.png, raster);
}
