/** Reads files of pixels and PDFs back before they leave. The readers share no code with the writers. */
import { inflateSync } from 'node:zlib';
import type { Job, OutlinePlate } from '@markwright/scene';
import { readPdf } from '@markwright/scene/inkFiles';
import sharp from 'sharp';
import { drawPicture } from './raster.ts';

/** Thrown when a file does not hold what its job says. It is logged, and no file leaves. */
class FileDiffers extends Error {}

const SIZE_MM = 0.01;
const MM_PER_INCH = 25.4;
/** Four inks, white and varnish. */
const MAX_CHANNELS = 6;

/**
 * Compares a PDF with its job: size, layers, and point by point each outline of its plates and each fill and line of
 * its colors. Throws FileDiffers.
 */
export function checkPdf(bytes: Uint8Array, job: Job, layerOf: (plate: OutlinePlate) => string): void {
  const pdf = readPdf(bytes, inflateSync);
  expectMm('width', pdf.trimWidthMm, job.widthMm);
  expectMm('height', pdf.trimHeightMm, job.heightMm);
  for (const plate of job.plates) {
    if (plate.kind === 'guide') continue;
    const layer = plate.kind === 'color' ? 'Color' : layerOf(plate);
    const expected = plate.kind === 'color' ? colorMarks(plate) : plate.outlines.map(({ contours }) => contours);
    // With a bleed the job is there nine times, itself first.
    const copies = pdf.trimLeftMm > SIZE_MM ? 9 : 1;
    const actual = pdf.marks.filter((mark) => mark.layer === layer);
    if (actual.length !== copies * expected.length) {
      throw new FileDiffers(`The PDF has ${actual.length} marks of ${plate.id}, not ${copies * expected.length}.`);
    }
    for (const [i, contours] of expected.entries()) compareContours(plate.id, contours, actual[i]!.contours);
  }
}

/** Lists what is painted for the colors: the fill of a shape before its line. */
function colorMarks({ groups }: Extract<Job['plates'][number], { kind: 'color' }>): Contours[] {
  return groups
    .filter(({ opacity }) => opacity > 0)
    .flatMap(({ shapes }) =>
      shapes
        .filter(({ opacity }) => opacity > 0)
        .flatMap(({ contours, fill, stroke, strokeWidthMm }) => [
          ...(fill ? [contours] : []),
          ...(stroke && strokeWidthMm > 0 ? [contours] : []),
        ]),
    );
}

type Contours = OutlinePlate['outlines'][number]['contours'];

function compareContours(plate: string, expected: Contours, actual: Contours): void {
  if (expected.length !== actual.length) throw new FileDiffers(`An outline of ${plate} has other contours in the PDF.`);
  for (const [i, { points }] of expected.entries()) {
    const other = actual[i]!.points;
    const isOff = points.length !== other.length || points.some((value, k) => Math.abs(value - other[k]!) > SIZE_MM);
    if (isOff) throw new FileDiffers(`A contour of ${plate} is elsewhere in the PDF.`);
  }
}

function expectMm(name: string, actual: number, expected: number): void {
  if (Math.abs(actual - expected) > SIZE_MM)
    throw new FileDiffers(`The ${name} is ${actual} mm and should be ${expected} mm.`);
}

interface PixelFormat {
  readonly channels: number;
  /** The pixels that a bleed adds at each side. */
  readonly bleedPx?: number;
}

/** Compares the size, the channels and the resolution of a file of pixels with its job. Throws FileDiffers. */
export async function checkPixels(
  bytes: Uint8Array,
  job: Job,
  dpi: number,
  { channels, bleedPx = 0 }: PixelFormat,
): Promise<void> {
  const actual = await sharp(bytes, { limitInputPixels: false, limitInputChannels: MAX_CHANNELS }).metadata();
  const expected = [job.widthMm, job.heightMm].map((mm) => Math.max(1, (mm / MM_PER_INCH) * dpi) + 2 * bleedPx);
  for (const [i, pixels] of [actual.width, actual.height].entries()) {
    if (Math.abs(pixels - expected[i]!) > 0.501) {
      throw new FileDiffers(`The picture has ${pixels} pixels and should have ${expected[i]}.`);
    }
  }
  if (actual.channels !== channels)
    throw new FileDiffers(`The picture has ${actual.channels} channels, not ${channels}.`);
  if (Math.abs((actual.density ?? 0) - dpi) > 0.5) throw new FileDiffers(`The picture has ${actual.density} dpi.`);
}

const SAMPLE_SIDE = 256;
/** The most that a small picture of the file may be off on average, of 255: it is made smaller by another program. */
const MOST_OFF = 6;

/**
 * Compares what a PNG shows with its job, both as a small picture: where it has ink, and in which color. What is
 * mirrored, moved, missing or of other colors differs. Throws FileDiffers. Cost: the file is decoded once, by rows.
 */
export async function checkColors(bytes: Uint8Array, job: Job, bleedPx = 0): Promise<void> {
  const { width, height, rgba } = drawPicture(job, SAMPLE_SIDE);
  const file = sharp(bytes, { limitInputPixels: false });
  const size = await file.metadata();
  const trim = { left: bleedPx, top: bleedPx, width: size.width - 2 * bleedPx, height: size.height - 2 * bleedPx };
  const actual = await file.extract(trim).resize(width, height, { fit: 'fill' }).ensureAlpha().raw().toBuffer();
  let [ink, color] = [0, 0];
  for (let i = 0; i < rgba.length; i += 4) {
    ink += Math.abs(rgba[i + 3]! - actual[i + 3]!);
    const share = Math.min(rgba[i + 3]!, actual[i + 3]!) / 255;
    for (let k = 0; k < 3; k++) color += (share * Math.abs(rgba[i + k]! - actual[i + k]!)) / 3;
  }
  const count = width * height;
  const off = Math.max(ink, color) / count;
  if (off > MOST_OFF) throw new FileDiffers(`The picture is off by ${off.toFixed(1)} of 255 on average.`);
}
