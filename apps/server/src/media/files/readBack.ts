/** Reads files of pixels and PDFs back before they leave. The readers share no code with the writers. */
import { inflateSync } from 'node:zlib';
import type { Job, OutlinePlate } from '@markwright/scene';
import { readPdf } from '@markwright/scene/inkFiles';
import sharp from 'sharp';
import { convertColors } from './inks.ts';
import type { Pixels } from './png.ts';
import { drawPicture } from './raster.ts';
import { readTiff, TiffBroken } from './readTiff.ts';

/** Thrown when a file does not hold what its job says. It is logged, and no file leaves. */
export class FileDiffers extends Error {}

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
/** The job is drawn so much larger: a renderer shows too much of thin lines, of which many cover parts of one pixel. */
const SAMPLE_SCALE = 4;
/** The most that a small picture of the file may be off on average, of 255: it is made smaller by another program. */
const MOST_OFF = 6;

/**
 * Compares what a PNG shows with its job, both as a small picture: where it has ink, and in which color. What is
 * mirrored, moved, missing or of other colors differs. Throws FileDiffers. Cost: the file is decoded once, by rows.
 */
export async function checkColors(bytes: Uint8Array, job: Job, bleedPx = 0): Promise<void> {
  const plan = await drawPicture(job, SAMPLE_SCALE * SAMPLE_SIDE);
  const [width, height] = [plan.width, plan.height].map((side) => Math.max(1, Math.round(side / SAMPLE_SCALE)));
  const raw = { width: plan.width, height: plan.height, channels: 4 } as const;
  const rgba = await sharp(plan.rgba, { raw }).resize(width, height, { fit: 'fill' }).raw().toBuffer();
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
  const off = (4 * Math.max(ink, color)) / rgba.length;
  if (off > MOST_OFF) throw new FileDiffers(`The picture is off by ${off.toFixed(1)} of 255 on average.`);
}

/** The longer side of the picture that samples of a TIFF are compared with. */
const PLACES_SIDE = 768;
/** How far a sample may be from its ink, of 255: colors are rounded before they are converted. */
const INK_OFF = 12;
/** The share of places that may be off: a renderer may draw a thin line elsewhere at another size. */
const MOST_PLACES_OFF = 0.005;

/** The channels of a TIFF after its four inks, in their order, and its color profile. */
export interface TiffPlan {
  readonly plates: readonly OutlinePlate[];
  readonly profile: Uint8Array | undefined;
}

/**
 * Compares the samples of a TIFF with a small picture of its job, ink by ink, at each place whose surroundings are of
 * one color: there its size changes nothing. What is mirrored, moved, missing, in another ink or turned over differs.
 * Throws FileDiffers. Cost: the strips are inflated one after the other, and the picture is drawn for each plate.
 */
export async function checkTiff(bytes: Uint8Array, job: Job, { plates, profile }: TiffPlan): Promise<void> {
  try {
    const file = readTiff(bytes);
    if (Buffer.compare(file.profile, profile ?? new Uint8Array()) !== 0)
      throw new FileDiffers('The TIFF has another color profile.');
    const side = Math.min(PLACES_SIDE, Math.max(file.width, file.height));
    const colors = await drawPicture({ ...job, plates: job.plates.filter(({ kind }) => kind === 'color') }, side);
    const inks = await convertPicture(colors, profile);
    // Black on nothing: its alpha is the ink. They are stored turned over.
    const spots = await Promise.all(
      plates.map((plate) => drawPicture({ ...job, machine: 'laser', plates: [plate] }, side)),
    );
    const count = 4 + plates.length;
    if (file.samplesPerPixel !== count)
      throw new FileDiffers(`The TIFF has ${file.samplesPerPixel} inks, not ${count}.`);
    const off = new Array<number>(count).fill(0);
    const placeCounts = new Array<number>(count).fill(0);
    const evenColors = findEven(colors);
    const evenSpots = spots.map(findEven);
    const xs = Array.from({ length: colors.width }, (_, x) => Math.floor(((x + 0.5) * file.width) / colors.width));
    let y = 0;
    for (const { top, rows, samples } of file.strips()) {
      for (; y < colors.height; y++) {
        const row = Math.floor(((y + 0.5) * file.height) / colors.height) - top;
        if (row >= rows) break;
        for (let x = 0; x < xs.length; x++) {
          const at = (row * file.width + xs[x]!) * count;
          const place = y * colors.width + x;
          for (let k = 0; k < count; k++) {
            if ((k < 4 ? evenColors : evenSpots[k - 4]!)[place] === 0) continue;
            const expected = k < 4 ? inks[4 * place + k]! : 255 - spots[k - 4]!.rgba[4 * place + 3]!;
            placeCounts[k]!++;
            if (Math.abs(samples[at + k]! - expected) > INK_OFF) off[k]!++;
          }
        }
      }
    }
    for (const [ink, places] of off.entries()) {
      if (places > 1 + MOST_PLACES_OFF * placeCounts[ink]!)
        throw new FileDiffers(`Ink ${ink + 1} of the TIFF is off at ${places} of ${placeCounts[ink]} places.`);
    }
  } catch (error) {
    throw error instanceof TiffBroken ? new FileDiffers(`The TIFF cannot be read. ${error.message}`) : error;
  }
}

/** Returns the four inks of each pixel on white paper. Colors are converted once each. */
async function convertPicture({ rgba }: Pixels, profile: Uint8Array | undefined): Promise<Uint8Array> {
  const numbers = new Map<number, number>();
  const pixels = toWords(rgba);
  const places = new Uint32Array(pixels.length);
  for (let p = 0; p < places.length; p++) {
    if (p > 0 && pixels[p] === pixels[p - 1]) {
      places[p] = places[p - 1]!;
      continue;
    }
    const alpha = rgba[4 * p + 3]! / 255;
    const onPaper = (k: number) => Math.round(255 + (rgba[4 * p + k]! - 255) * alpha);
    const color = (onPaper(0) << 16) | (onPaper(1) << 8) | onPaper(2);
    const number = numbers.get(color) ?? numbers.size;
    numbers.set(color, number);
    places[p] = number;
  }
  const inks = toWords(await convertColors([...numbers.keys()], profile));
  return new Uint8Array(places.map((number) => inks[number]!).buffer);
}

/** Returns each four bytes as one number. Bytes that do not begin at a word are copied. */
function toWords(bytes: Uint8Array): Uint32Array {
  const { buffer, byteOffset, length } = bytes.byteOffset % 4 === 0 ? bytes : Uint8Array.from(bytes);
  return new Uint32Array(buffer, byteOffset, length / 4);
}

/** Colors this near to each other are one, of 255: a gradient changes so much from pixel to pixel. */
const ONE_COLOR = 2;

/** Returns 1 for each pixel whose neighbors all around have its color. */
function findEven({ width, height, rgba }: Pixels): Uint8Array {
  const result = new Uint8Array(width * height);
  const pixels = toWords(rgba);
  const isNear = (a: number, b: number) => {
    for (let k = 0; k < 4; k++) if (Math.abs(rgba[4 * a + k]! - rgba[4 * b + k]!) > ONE_COLOR) return false;
    return true;
  };
  for (let y = 1; y < height - 1; y++) {
    for (let x = 1; x < width - 1; x++) {
      const at = y * width + x;
      let isEven = true;
      for (let row = at - width; isEven && row <= at + width; row += width) {
        for (let i = row - 1; isEven && i <= row + 1; i++) isEven = pixels[i] === pixels[at] || isNear(i, at);
      }
      if (isEven) result[at] = 1;
    }
  }
  return result;
}
