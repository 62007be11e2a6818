/** Removes the background of a picture. */
import { inflateSync } from 'node:zlib';
import { messages } from '@markwright/contract';
import { joinMasks, kindOfBackground, type Mask, type Picture, removeBackground } from '@markwright/matting';
import sharp from 'sharp';
import { AppError } from '../platform/errors.ts';
import type { MediaJobs, ReportProgress, Square } from '../platform/ports/mediaJobs.ts';

/** A pixel with less alpha than this counts as translucent. */
const SOLID_ALPHA = 250;
/** A picture with a larger share of translucent pixels counts as already cut out. */
const CLEAR_SHARE = 0.01;
/** A smaller share of a picture counts as nothing. */
export const TRIFLE = 0.0005;

const refuse = (sentence: string) => new AppError('unprocessable', sentence);

/**
 * Removes the background of a picture; `masks` are the model's, and none is needed for a plain background. Throws
 * unprocessable for a picture that is transparent already, has no plain background and no masks, or is all background.
 * Cost: linear in pixels, some seconds for 12 megapixels, and about 25 bytes of memory for each pixel.
 */
export async function cutOut(
  { png, clearEnclosed, masks = [], squareSide }: MediaJobs['cutOut']['input'],
  report: ReportProgress,
): Promise<MediaJobs['cutOut']['output']> {
  // The model works on another copy of the picture, so it is read again.
  report({ stage: masks.length > 0 ? 'refining' : 'reading', fraction: 0 });
  const picture = await readPixels(png);
  if (shareOfClear(picture) > CLEAR_SHARE) {
    throw refuse('This picture has no background: it is transparent already.');
  }
  const kind = kindOfBackground(picture);
  const [near, far] = masks.map(readMask);
  if (kind !== 'flat' && !near && squareSide) return { kind, square: await toSquare(picture, squareSide) };
  report({ stage: 'refining', fraction: 0 });
  const mask = near && far ? joinMasks(picture, near, far) : near;
  const cut = removeBackground(picture, { clearEnclosed, mask });
  if (!cut) throw refuse(messages.backgroundNotPlain);
  const remainder = coverage(cut);
  if (remainder < TRIFLE) throw refuse('This picture is all background: nothing would be left of it.');
  if (coverage(picture) - remainder < TRIFLE) throw refuse('No background was found in this picture.');
  report({ stage: 'writing', fraction: 0 });
  return { kind, png: await writePng(cut) };
}

/** Resizes a picture to a square without keeping its proportions, as models are trained. */
async function toSquare({ width, height, data }: Picture, side: number): Promise<Square> {
  const image = sharp(data, { raw: { width, height, channels: 4 } }).removeAlpha();
  const rgb = await image.resize(side, side, { fit: 'fill', kernel: 'lanczos3' }).raw().toBuffer();
  return { side, rgb };
}

function readMask(bytes: Uint8Array): Mask {
  const data = inflateSync(bytes);
  const side = Math.sqrt(data.length);
  return { width: side, height: side, data };
}

/** Decodes a PNG to straight RGBA in sRGB, 8 bits a channel. */
export async function readPixels(png: Uint8Array): Promise<Picture> {
  const image = sharp(png).toColourspace('srgb').ensureAlpha().raw();
  const { data, info } = await image.toBuffer({ resolveWithObject: true });
  // As a Uint8Array, because a slice of a Buffer is no copy.
  return { width: info.width, height: info.height, data: new Uint8Array(data.buffer, data.byteOffset, data.length) };
}

/** Encodes straight RGBA as a PNG. */
export async function writePng({ width, height, data }: Picture): Promise<Uint8Array> {
  const image = sharp(data, { raw: { width, height, channels: 4 } });
  return image.png({ compressionLevel: 4, palette: false }).toBuffer();
}

/** Returns the share of translucent pixels, 0..1. */
function shareOfClear({ data }: Picture): number {
  let clear = 0;
  for (let i = 3; i < data.length; i += 4) if (data[i]! < SOLID_ALPHA) clear++;
  return clear / (data.length / 4);
}

/** Returns the mean alpha of a picture, 0..1. */
export function coverage({ data }: Picture): number {
  let alpha = 0;
  for (let i = 3; i < data.length; i += 4) alpha += data[i]!;
  return alpha / 255 / (data.length / 4);
}
