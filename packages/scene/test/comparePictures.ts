/** Compares two pictures of one size, pixel by pixel. */
import sharp from 'sharp';

export interface Picture {
  /** RGBA, straight alpha, row by row. */
  readonly pixels: Uint8Array;
  readonly width: number;
  readonly height: number;
}

export interface PictureDifference {
  /** The share of pixels, 0…1, that differ by more than `VISIBLE_STEP` in any channel. */
  readonly share: number;
  /** The largest difference of any channel, 0…255. */
  readonly largest: number;
}

/** Steps of a channel (of 255) that rounding on another processor may make; more is a change. */
const VISIBLE_STEP = 2;

/** Throws a RangeError for pictures of different sizes. Cost: linear in the pixels. */
export function comparePictures(a: Picture, b: Picture): PictureDifference {
  if (a.width !== b.width || a.height !== b.height) {
    throw new RangeError(`The sizes differ: ${a.width} x ${a.height} and ${b.width} x ${b.height}.`);
  }
  let changedPixels = 0;
  let largest = 0;
  for (let i = 0; i < a.pixels.length; i += 4) {
    const step = stepAt(a, b, i);
    largest = Math.max(largest, step);
    if (step > VISIBLE_STEP) changedPixels++;
  }
  return { share: changedPixels / (a.width * a.height), largest };
}

function stepAt(a: Picture, b: Picture, i: number): number {
  let step = 0;
  for (let k = i; k < i + 4; k++) step = Math.max(step, Math.abs(a.pixels[k]! - b.pixels[k]!));
  return step;
}

/**
 * Writes the expected picture, the actual one and their difference (red where they differ) beside one another as a PNG.
 */
export async function writeDifference(path: string, expected: Picture, actual: Picture): Promise<void> {
  const { width, height } = expected;
  const difference = new Uint8Array(expected.pixels.length);
  for (let i = 0; i < difference.length; i += 4) {
    const step = stepAt(expected, actual, i);
    difference.set(step > VISIBLE_STEP ? [255, 0, 0, 255] : [255 - step, 255 - step, 255 - step, 255], i);
  }
  const sheet = [expected.pixels, actual.pixels, difference].map((pixels, column) => ({
    input: Buffer.from(pixels),
    raw: { width, height, channels: 4 as const },
    left: column * width,
    top: 0,
  }));
  await sharp({ create: { width: 3 * width, height, channels: 4, background: '#ffffff' } })
    .composite(sheet)
    .png()
    .toFile(path);
}

export async function readPng(path: string): Promise<Picture> {
  const { data, info } = await sharp(path).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  return { pixels: data, width: info.width, height: info.height };
}

export async function writePng(path: string, { pixels, width, height }: Picture): Promise<void> {
  await sharp(pixels, { raw: { width, height, channels: 4 } })
    .removeAlpha()
    .png({ compressionLevel: 9, adaptiveFiltering: true })
    .toFile(path);
}
