/** Decodes uploads. The bytes decide the type, and not the file's name or media type. */
import { MAX_PIXELS, MAX_SVG_BYTES } from '@markwright/contract';
import { limitDrawing, MM_PER_INCH, readSvg, SvgRefused, writeSvg } from '@markwright/scene';
import { convertOutlineUpload, FileRefused } from '@markwright/scene/production';
import sharp from 'sharp';
import { AppError } from '../platform/errors.ts';
import type { DecodedPicture, LimitStep } from '../platform/ports/mediaJobs.ts';
import { DRAWING_LIMIT, withoutLimit } from './drawingLimit.ts';
import { isRenderable } from './renderable.ts';

const MAX_SIDE_PX = 16_384;
const notAPicture = () => new AppError('unsupported', 'This file is not a JPG, PNG, SVG, DXF or LightBurn file.');
export const damageError = () => new AppError('unprocessable', 'This picture is damaged and could not be read.');

/**
 * Reads a JPG, PNG or SVG picture and rewrites it. A DXF or LightBurn file is read as outlines, and these as an SVG.
 *
 * Throws `unsupported` for anything else, `tooLarge` beyond 50 megapixels, 16,384 pixels a side or 10 MB of SVG (from
 * the header, before any pixel is decoded) and `unprocessable` for a picture that cannot be read. A 50 megapixel
 * picture costs some seconds and about 200 MB.
 */
export async function decodePicture(bytes: Uint8Array, limitStep: LimitStep = withoutLimit): Promise<DecodedPicture> {
  const raster = rasterFormat(bytes);
  if (raster) return decodeRaster(bytes, raster);
  const svg = await limitStep(DRAWING_LIMIT, async () => (await decodeSvg(bytes)) ?? (await decodeOutlines(bytes)));
  if (!svg) throw notAPicture();
  return svg;
}

type DecodedSvg = Extract<DecodedPicture, { mediaType: 'image/svg+xml' }>;

/** Reads a DXF or LightBurn file. Returns undefined for any other. Throws tooLarge and unprocessable. */
async function decodeOutlines(bytes: Uint8Array): Promise<DecodedSvg | undefined> {
  try {
    const upload = convertOutlineUpload(bytes);
    if (!upload) return undefined;
    // Through the same walls as an SVG of a stranger.
    const picture = await sanitizeSvg(upload.svg);
    const { kind, isUnitless, droppedKinds } = upload;
    const droppedTags = [...new Set([...picture.droppedTags, ...droppedKinds])].sort();
    return { ...picture, droppedTags, outlineFile: { kind, isUnitless } };
  } catch (error) {
    if (!(error instanceof FileRefused)) throw error;
    throw new AppError(bytes.length > MAX_SVG_BYTES ? 'tooLarge' : 'unprocessable', error.message);
  }
}

/** Millimeters of a px of an SVG: 96 px are an inch. */
const MM_PER_PX = MM_PER_INCH / 96;

const PNG_SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const JPEG_SIGNATURE = [0xff, 0xd8, 0xff];

function rasterFormat(bytes: Uint8Array): 'jpeg' | 'png' | undefined {
  const startsWith = (signature: number[]) => signature.every((byte, i) => bytes[i] === byte);
  if (startsWith(PNG_SIGNATURE)) return 'png';
  return startsWith(JPEG_SIGNATURE) ? 'jpeg' : undefined;
}

async function decodeRaster(bytes: Uint8Array, format: 'jpeg' | 'png'): Promise<DecodedPicture> {
  if (format === 'png' && isAnimated(bytes)) {
    throw new AppError('unsupported', 'Animated pictures cannot be used. Please save one frame as a PNG.');
  }
  await checkHeader(bytes, format);

  // `error` accepts what every viewer accepts (stray bytes between markers) and refuses a truncated file.
  const output = await sharp(bytes, { limitInputPixels: MAX_PIXELS, failOn: 'error' })
    .autoOrient()
    .toColourspace('srgb')
    .png({ compressionLevel: 4, palette: false })
    .toBuffer({ resolveWithObject: true })
    .catch(() => {
      throw damageError();
    });
  const { width, height } = output.info;
  return { mediaType: 'image/png', width, height, png: output.data, uploadFormat: format === 'png' ? 'png' : 'jpg' };
}

/** Throws tooLarge or unprocessable by the header, without decoding a pixel. */
export async function checkHeader(bytes: Uint8Array, format: string): Promise<void> {
  // The limit is ours to say in words, so sharp's own is off for this look.
  const header = await sharp(bytes, { limitInputPixels: false })
    .metadata()
    .catch(() => undefined);
  if (header?.format !== format) throw damageError();
  const { width, height } = header;
  if (width * height > MAX_PIXELS) throw new AppError('tooLarge', 'This picture is larger than 50 megapixels.');
  if (Math.max(width, height) > MAX_SIDE_PX) {
    throw new AppError('tooLarge', 'This picture is more than 16,384 pixels wide or high.');
  }
}

/** True when a PNG announces more than one frame (an `acTL` chunk before its pixels). */
function isAnimated(png: Uint8Array): boolean {
  const view = new DataView(png.buffer, png.byteOffset, png.byteLength);
  for (let at = 8; at + 12 <= png.length; ) {
    const length = view.getUint32(at);
    const type = String.fromCharCode(...png.subarray(at + 4, at + 8));
    if (type === 'IDAT') return false;
    if (type === 'acTL') return length >= 8 && at + 16 <= png.length && view.getUint32(at + 8) > 1;
    at += length + 12;
  }
  return false;
}

/** Reads an SVG through the allow-list. Returns undefined when it is no SVG. Throws tooLarge and unprocessable. */
export async function decodeSvg(bytes: Uint8Array): Promise<DecodedSvg | undefined> {
  const text = decodeText(bytes);
  if (text === undefined || !/<(?:[\w.-]+:)?svg[\s/>]/.test(text.slice(0, 65_536))) return undefined;
  if (bytes.length > MAX_SVG_BYTES) throw new AppError('tooLarge', 'SVG files may be up to 10 MB.');
  return sanitizeSvg(text);
}

async function sanitizeSvg(text: string): Promise<DecodedSvg> {
  try {
    const { node, width, height, isMeasured, droppedTags } = limitDrawing(readSvg(text));
    const svg = writeSvg(node);
    if (!(await isRenderable(svg))) {
      throw new SvgRefused('This SVG cannot be drawn. Save it as a picture (PNG) and upload that.');
    }
    const size = { width, height, ...(isMeasured && { widthMm: width * MM_PER_PX }) };
    return { mediaType: 'image/svg+xml', ...size, svg, droppedTags };
  } catch (error) {
    // The message of SvgRefused is a sentence for the person who uploaded the file.
    if (error instanceof SvgRefused) throw new AppError('unprocessable', error.message);
    throw error;
  }
}

/**
 * Decodes text that begins like XML, from UTF-8, UTF-16 or the Latin encodings of older drawing programs. Returns
 * undefined for anything else.
 */
function decodeText(bytes: Uint8Array): string | undefined {
  const start = bytes.subarray(0, 200);
  const declaredEncoding = /^\s*<\?xml[^>]*\sencoding=["']([\w-]+)["']/
    .exec(String.fromCharCode(...start))?.[1]
    ?.toLowerCase();
  const isLatin =
    declaredEncoding === 'iso-8859-1' || declaredEncoding === 'iso-8859-15' || declaredEncoding === 'windows-1252';
  const encoding =
    start[0] === 0xff && start[1] === 0xfe
      ? 'utf-16le'
      : start[0] === 0xfe && start[1] === 0xff
        ? 'utf-16be'
        : isLatin
          ? 'windows-1252'
          : 'utf-8';
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
    return text.trimStart().startsWith('<') ? text : undefined;
  } catch {
    return undefined;
  }
}
