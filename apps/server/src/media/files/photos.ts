/** Photographs in dots as PNGs, and their pixels read back. */
import { deflateSync } from 'node:zlib';
import { writeEngravingPng } from '@markwright/engraving';
import type { JobRaster } from '@markwright/scene';
import type { FilePicture } from '@markwright/scene/production';
import sharp from 'sharp';
import { FileDiffers } from './readBack.ts';

/** Writes the PNG that a machine burns. Throws a RangeError for a raster without pixels. Cost: linear. */
export function drawPhoto({ id, width, height, intervalMm, file }: JobRaster): Uint8Array {
  if (!file) throw new RangeError(`The raster ${id} has no pixels.`);
  const compress = (bytes: Uint8Array) => deflateSync(bytes, { level: 6 });
  return writeEngravingPng({ width, height, data: file.pixels }, { isGray: file.isGray, intervalMm, compress });
}

/** Writes the PNGs of a job's photographs, by the ids of their rasters. */
export const drawPhotos = ({ rasters }: { readonly rasters: readonly JobRaster[] }): ReadonlyMap<string, Uint8Array> =>
  new Map(rasters.map((raster) => [raster.id, drawPhoto(raster)]));

/** The most that a density may be off: a PNG has whole pixels for a meter. */
const DPI_OFF = 0.05;
const MM_PER_INCH = 25.4;

/** Compares a PNG with its raster, pixel by pixel, and its pitch. Throws FileDiffers. */
export async function checkPhoto(png: Uint8Array, raster: JobRaster): Promise<void> {
  const { id, width, height, intervalMm, file } = raster;
  const { density = 0 } = await sharp(png, { limitInputPixels: false }).metadata();
  if (Math.abs(density - MM_PER_INCH / intervalMm) > DPI_OFF + 0.5) {
    throw new FileDiffers(`The picture ${id} has ${density} dpi.`);
  }
  const image = sharp(png, { limitInputPixels: false }).toColourspace('b-w').raw();
  const { data, info } = await image.toBuffer({ resolveWithObject: true });
  if (info.width !== width || info.height !== height || info.channels !== 1) {
    throw new FileDiffers(`The picture ${id} is ${info.width} x ${info.height}, not ${width} x ${height}.`);
  }
  if (Buffer.compare(data, file?.pixels ?? new Uint8Array()) !== 0) {
    throw new FileDiffers(`The picture ${id} has other dots than the job.`);
  }
}

/** Compares the pictures of a project with the rasters of its job, in order. Throws FileDiffers. */
export async function checkPhotos(pictures: readonly FilePicture[], rasters: readonly JobRaster[]): Promise<void> {
  if (pictures.length !== rasters.length) throw new FileDiffers(`The file holds ${pictures.length} photographs.`);
  for (const [i, raster] of rasters.entries()) await checkPhoto(pictures[i]!.png, raster);
}
