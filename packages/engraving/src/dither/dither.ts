/** Gray pictures as rasters that a laser burns. */
import type { Gray } from '../picture.ts';
import { type GrayRows, stripsOf } from '../rows.ts';
import { createDiffusion, KERNELS } from './diffusion.ts';
import { createBlueNoise, createOrdered } from './thresholds.ts';

/** `gray` is for machines that control their power for each pixel. */
export const DITHER_METHODS = [
  'floyd-steinberg',
  'jarvis',
  'stucki',
  'atkinson',
  'blue-noise',
  'ordered',
  'gray',
] as const;
export type DitherMethod = (typeof DITHER_METHODS)[number];

/**
 * Returns the raster of a picture that lies on bare material: 0 is burnt, 255 is bare, and with `gray` all between. The
 * same picture gives the same raster. Throws a RangeError for a picture with clear pixels, which `layOnBare` lays down.
 */
export function dither(gray: Gray, method: DitherMethod): Gray {
  return createDither(gray.width, method)(gray);
}

/** Returns the strips of a raster, from the top, in the memory of some rows. Throws as `dither` does. */
export function* ditherRows(rows: GrayRows, method: DitherMethod): Generator<Gray> {
  const ditherStrip = createDither(rows.width, method);
  for (const strip of stripsOf(rows)) yield ditherStrip(strip);
}

/** Returns a dither that takes the strips of a picture one after the other. */
function createDither(width: number, method: DitherMethod): (strip: Gray) => Gray {
  const work = createKernel(width, method);
  return (strip) => {
    if (strip.alpha) throw new RangeError('Clear pixels must be laid on bare material before the dither.');
    return work(strip);
  };
}

function createKernel(width: number, method: DitherMethod): (strip: Gray) => Gray {
  if (method === 'gray') return (strip) => strip;
  if (method === 'ordered') return createOrdered();
  if (method === 'blue-noise') return createBlueNoise();
  return createDiffusion(width, KERNELS[method]);
}
