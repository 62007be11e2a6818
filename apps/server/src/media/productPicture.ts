/** Makes a product's picture from an untrusted file: one to draw on, and thumbnails for lists. */
import { MAX_PIXELS, THUMBNAIL_SIDES_PX } from '@markwright/contract';
import sharp, { type Sharp } from 'sharp';
import { AppError } from '../platform/errors.ts';
import type { LimitStep, MediaJobs, ProductPicture } from '../platform/ports/mediaJobs.ts';
import { checkHeader, damageError, decodeSvg } from './decode.ts';
import { DRAWING_LIMIT, withoutLimit } from './drawingLimit.ts';
import { rasterize } from './rasterize.ts';

/** The longest side, in px, of the picture that mockups are drawn with. */
const MAIN_SIDE_PX = 2_000;
type File = ProductPicture['files'][number];

/**
 * Decides the type by the bytes. Throws `unsupported` for other formats, `tooLarge` and `unprocessable` as
 * `decodePicture` does. A picture of 12 megapixels takes about half a second.
 */
export async function makeProductPicture(
  { bytes, accept }: MediaJobs['productPicture']['input'],
  limitStep: LimitStep = withoutLimit,
): Promise<ProductPicture> {
  const format = rasterFormat(bytes);
  if (format && (accept === 'any' || strictFormats.includes(format))) return fromRaster(bytes, format);
  const drawing = format ? undefined : await limitStep(DRAWING_LIMIT, () => decodeSvg(bytes));
  if (drawing) return fromDrawing(drawing, limitStep);
  throw new AppError(
    'unsupported',
    accept === 'any'
      ? 'This file is no picture that can be used here: PNG, JPG, SVG, WebP, GIF, AVIF or TIFF.'
      : 'This file is not a JPG, PNG or SVG picture.',
  );
}

const strictFormats = ['png', 'jpeg'];

/** Returns sharp's name of the format, by the first bytes; undefined for a format that is not allowed. */
function rasterFormat(bytes: Uint8Array): string | undefined {
  const start = Buffer.from(bytes.subarray(0, 32)).toString('latin1');
  if (start.startsWith('\x89PNG\r\n\x1a\n')) return 'png';
  if (start.startsWith('\xff\xd8\xff')) return 'jpeg';
  if (start.startsWith('GIF8')) return 'gif';
  if (/^RIFF[\s\S]{4}WEBP/.test(start)) return 'webp';
  if (start.startsWith('II*\0') || start.startsWith('MM\0*')) return 'tiff';
  return /^[\s\S]{4}ftyp(?:avif|avis|mif1)/.test(start) ? 'heif' : undefined;
}

async function fromRaster(bytes: Uint8Array, format: string): Promise<ProductPicture> {
  await checkHeader(bytes, format);
  const { data, info } = await sharp(bytes, { limitInputPixels: MAX_PIXELS, failOn: 'error' })
    .autoOrient()
    .resize(MAIN_SIDE_PX, MAIN_SIDE_PX, { fit: 'inside', withoutEnlargement: true })
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true })
    .catch(() => {
      throw damageError();
    });
  const { width, height, channels } = info;
  const pixels = (): Sharp => sharp(data, { raw: { width, height, channels } });
  const isOpaque = channels === 1 || channels === 3 || (await pixels().stats()).isOpaque;
  const longest = Math.max(width, height);
  const fallback = isOpaque ? 'jpg' : 'png';
  const sides = THUMBNAIL_SIDES_PX.filter((side, index) => index === 0 || side < longest);
  return {
    width,
    height,
    files: [
      await encode(pixels(), `picture-${longest}.${fallback}`),
      ...(
        await Promise.all(sides.map((side) => thumbnails(pixels(), side, side === sides[0] ? fallback : undefined)))
      ).flat(),
    ],
  };
}

/** Keeps an SVG as a safe SVG and draws its thumbnails. */
async function fromDrawing(
  { svg, width, height }: { svg: string; width: number; height: number },
  limitStep: LimitStep,
): Promise<ProductPicture> {
  const [side] = THUMBNAIL_SIDES_PX;
  const widthPx = Math.max(1, Math.round(Math.min(side, (side * width) / height)));
  const { png } = await limitStep(DRAWING_LIMIT, () => rasterize({ svg, widthPx }));
  return {
    width,
    height,
    files: [
      { name: 'picture.svg', mediaType: 'image/svg+xml', bytes: new TextEncoder().encode(svg) },
      ...(await thumbnails(sharp(png), side, 'png')),
    ],
  };
}

async function thumbnails(pixels: Sharp, side: number, fallback: 'jpg' | 'png' | undefined): Promise<File[]> {
  const small = pixels.resize(side, side, { fit: 'inside', withoutEnlargement: true });
  const types = ['avif', 'webp', ...(fallback ? [fallback] : [])] as const;
  return Promise.all(types.map((type) => encode(small.clone(), `${side}.${type}`)));
}

async function encode(pixels: Sharp, name: string): Promise<File> {
  const encoder = name.endsWith('.avif')
    ? { mediaType: 'image/avif', pipeline: pixels.avif({ quality: 55, effort: 2 }) }
    : name.endsWith('.webp')
      ? { mediaType: 'image/webp', pipeline: pixels.webp({ quality: 80, effort: 3 }) }
      : name.endsWith('.jpg')
        ? // At this quality the edges of drawings stay clean.
          { mediaType: 'image/jpeg', pipeline: pixels.removeAlpha().jpeg({ quality: 90, chromaSubsampling: '4:4:4' }) }
        : { mediaType: 'image/png', pipeline: pixels.png({ compressionLevel: 6 }) };
  const bytes = await encoder.pipeline.toBuffer();
  return { name, mediaType: encoder.mediaType, bytes };
}
