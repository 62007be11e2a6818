/** Gray pictures as rasters that a laser burns. */
import type { Gray } from '../picture.ts';
import { diffuse, KERNELS } from './diffusion.ts';
import { ditherBlueNoise, ditherOrdered } from './thresholds.ts';

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
  if (gray.alpha) throw new RangeError('Clear pixels must be laid on bare material before the dither.');
  if (method === 'gray') return gray;
  if (method === 'ordered') return ditherOrdered(gray);
  if (method === 'blue-noise') return ditherBlueNoise(gray);
  return diffuse(gray, KERNELS[method]);
}
