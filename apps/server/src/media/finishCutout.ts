/** Applies a maker's corrections to a cut-out. */
import { refineCutout } from '@markwright/matting';
import { AppError } from '../platform/errors.ts';
import type { MediaJobs } from '../platform/ports/mediaJobs.ts';
import { coverage, readPixels, TRIFLE, writePng } from './cutOut.ts';

/** Throws unprocessable when nothing is left. Cost: 250 ms for a megapixel, more when the edge moves far. */
export async function finishCutout({
  original,
  cutout,
  finish: finishOptions,
}: MediaJobs['finishCutout']['input']): Promise<MediaJobs['finishCutout']['output']> {
  const result = refineCutout(await readPixels(original), await readPixels(cutout), finishOptions);
  if (coverage(result) < TRIFLE) {
    throw new AppError('unprocessable', 'Nothing would be left of this picture. Keep some of it with the brush.');
  }
  return { png: await writePng(result) };
}
