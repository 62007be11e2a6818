/** Turns a stored picture into clean SVG: traces it, or keeps the outlines of a plain SVG. */
import { type PictureChanges, toAdjustments, toTraceSize, toWarp } from '@markwright/contract';
import { readArtwork, readSvg, type SafeSvg, SvgRefused, writeSvg } from '@markwright/scene';
import { isOutlineUpload } from '@markwright/scene/production';
import { warp } from '@markwright/straighten';
import { adjustBitmap, type Bitmap, takeOutLight, vectorize, writeSvg as writeDrawing } from '@markwright/vectorizer';
import sharp, { type Sharp } from 'sharp';
import { AppError } from '../platform/errors.ts';
import type { LimitStep, MediaJobs, ReportProgress, TraceOptions } from '../platform/ports/mediaJobs.ts';
import { checkTrace, type TraceAdvice } from './checkTrace.ts';
import { withoutLimit } from './drawingLimit.ts';
import { drawUpload } from './drawUpload.ts';
import { drawHalftone } from './halftone.ts';
import { takeOver } from './outlines.ts';

/**
 * Traces a picture with the changes of its settings. A part of a picture is cut from the pixels that every trace is
 * made from, not from the larger picture they come from. So the browser, which has only those pixels, shows what the
 * file will be, and a boundary keeps its place whatever is cut away around it. Throws unprocessable when nothing is
 * left, or more than an SVG may hold. The sizes are those of the returned SVG. Cost: some seconds for a photograph in
 * color.
 */
export async function trace(
  { picture, options, halftone, changes }: MediaJobs['trace']['input'],
  report: ReportProgress,
  limitStep: LimitStep = withoutLimit,
): Promise<MediaJobs['trace']['output']> {
  if ('svg' in picture && !changes) {
    const safe = readSvg(picture.svg);
    const isOutlineFile = isOutlineUpload(safe.node);
    const isOwn = isOutlineFile || (options.threshold === undefined && !halftone);
    const artwork = isOwn ? readArtwork(safe) : undefined;
    const outlines = artwork && takeOver(artwork, options, isOutlineFile);
    if (outlines) return outlines;
  }
  const png = 'svg' in picture ? await drawUpload(picture.svg, limitStep) : picture.png;
  const bitmap = changeBitmap(await readBitmap(png), changes);
  if (halftone) {
    report({ stage: 'curves', fraction: 0 });
    return drawHalftone(bitmap, halftone);
  }
  const drawing = vectorize(bitmap, { ...options, onProgress: (stage, fraction) => report({ stage, fraction }) });
  return checkTrace(writeDrawing(drawing), adviceFor(options));
}

/** Straightens a picture first, then crops it and changes its levels. */
export function changeBitmap(picture: Bitmap, changes: PictureChanges | undefined): Bitmap {
  const straight = toWarp(changes, picture);
  const whole = straight ? warp(picture, straight, straight) : picture;
  return adjustBitmap(whole, toAdjustments(changes, whole));
}

/** Decodes a PNG to straight RGBA pixels. */
export async function readBitmap(png: Uint8Array): Promise<{ width: number; height: number; data: Uint8Array }> {
  const image = (await toTracePicture(png)).toColourspace('srgb').ensureAlpha().raw();
  const { data, info } = await image.toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, data };
}

/** Returns the pixels that a trace of this picture is made from, as a PNG with 8 bits a channel. */
export async function shrink({ png }: MediaJobs['shrink']['input']): Promise<MediaJobs['shrink']['output']> {
  const image = (await toTracePicture(png)).toColourspace('srgb').png({ compressionLevel: 4, palette: false });
  return { png: await image.toBuffer() };
}

/** Prepares the pixels for a tracing service, as `MediaJobs` says. Cost: linear in pixels. */
export async function toServicePicture({
  png,
  changes,
  picture: { color, threshold = 50, dropLight },
}: MediaJobs['toServicePicture']['input']): Promise<MediaJobs['toServicePicture']['output']> {
  const part = changeBitmap(await readBitmap(png), changes);
  const { width, height, data } = (dropLight && takeOutLight(part, dropLight)) || part;
  let image = sharp(data, { raw: { width, height, channels: 4 } });
  if (color === 'grayOnWhite') image = image.flatten({ background: '#ffffff' });
  if (color !== 'asIs') image = image.greyscale();
  if (color === 'grayOnWhite' && threshold !== 50) image = image.linear(1, 2.55 * (50 - threshold));
  return { png: await image.png({ compressionLevel: 4, palette: false }).toBuffer(), width, height };
}

/** The largest relative difference between the proportions of a trace and its picture. */
const SHAPE_TOLERANCE = 0.01;

/**
 * Reads the trace of a tracing service. Throws unprocessable when it is no drawing of plain outlines, or has other
 * proportions than the picture.
 */
export async function readTrace({
  svg,
  width,
  height,
}: MediaJobs['readTrace']['input']): Promise<MediaJobs['readTrace']['output']> {
  const safe = readForeign(svg);
  const artwork = safe && readArtwork(safe);
  if (!safe || !artwork || artwork.shapes.length === 0 || safe.droppedTags.length > 0) {
    throw new AppError('unprocessable', 'The trace of the service is no drawing of plain outlines.');
  }
  const proportion = safe.width / safe.height / (width / height);
  if (Math.abs(proportion - 1) > SHAPE_TOLERANCE) {
    throw new AppError('unprocessable', 'The trace of the service has another shape than the picture.');
  }
  return { svg: writeSvg(safe.node) };
}

function readForeign(svg: string): SafeSvg | undefined {
  try {
    return readSvg(svg);
  } catch (error) {
    if (error instanceof SvgRefused) return undefined;
    throw error;
  }
}

/** Shrinks a picture with too many pixels, with a kernel that does not ring beside edges. */
async function toTracePicture(png: Uint8Array): Promise<Sharp> {
  const image = sharp(png);
  const full = await image.metadata();
  const { width, height } = toTraceSize(full);
  return width === full.width && height === full.height
    ? image
    : image.resize(width, height, { fit: 'fill', kernel: 'linear' });
}

function adviceFor(options: TraceOptions): TraceAdvice {
  const empty =
    options.threshold !== undefined
      ? 'another threshold'
      : options.colorMode === 'monochrome'
        ? 'another color mode'
        : options.repaint?.some(({ paint }) => paint === null)
          ? 'keeping another color'
          : 'a lower despeckle';
  return { empty, full: 'fewer colors or a higher despeckle' };
}
