import { COMPOSITION_PICTURE_PX } from '@markwright/contract';
import sharp from 'sharp';
import { AppError } from '../platform/errors.ts';
import type { MediaJobs } from '../platform/ports/mediaJobs.ts';

const FORMATS = ['png', 'jpeg', 'webp'];
const MAX_THUMBNAIL_PIXELS = 4_000_000;

/**
 * Decodes a small picture and rewrites its pixels alone. Throws unsupported for another format, and unprocessable for a
 * picture that is animated, damaged or larger than 4 megapixels.
 */
export async function thumbnail({ bytes }: MediaJobs['thumbnail']['input']): Promise<MediaJobs['thumbnail']['output']> {
  // The limit is ours to say in words, so sharp's own is off for this look at the header.
  const header = await sharp(bytes, { limitInputPixels: false })
    .metadata()
    .catch(() => undefined);
  if (!header || !FORMATS.includes(header.format)) {
    throw new AppError('unsupported', 'This file is not a PNG, JPG or WebP picture.');
  }
  if (header.width * header.height > MAX_THUMBNAIL_PIXELS || (header.pages ?? 1) > 1) {
    throw new AppError('unprocessable', 'This picture is too large for a list.');
  }
  const webp = await sharp(bytes, { limitInputPixels: MAX_THUMBNAIL_PIXELS, failOn: 'error' })
    .resize(COMPOSITION_PICTURE_PX, COMPOSITION_PICTURE_PX, { fit: 'inside', withoutEnlargement: true })
    .toColourspace('srgb')
    .webp({ quality: 82 })
    .toBuffer()
    .catch(() => {
      throw new AppError('unprocessable', 'This picture is damaged and could not be read.');
    });
  return { webp };
}
