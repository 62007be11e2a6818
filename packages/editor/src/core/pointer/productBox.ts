/** Finds the part of a product picture that shows the product, from its pixels. Pure. */
import type { FractionRect } from '@markwright/scene';

/** Pixels as in the DOM's `ImageData`: four bytes each, the last one is the alpha. */
export interface Pixels {
  readonly data: ArrayLike<number>;
  readonly width: number;
  readonly height: number;
}

/** Fainter pixels, of 255, are the shadow of the product. */
const MIN_ALPHA = 100;
/** A background is even: its corners differ by less than this in each channel, of 255. */
const MAX_CORNER_DIFFERENCE = 12;
/** A pixel that differs by more than this in a channel is not background. */
const MIN_DIFFERENCE = 24;
/** A box with less of the picture than this, in width or height, is an artifact. */
const MIN_SHARE = 0.05;

/**
 * Returns the box around what is not background: neither clear nor, in an opaque picture with four corners of one
 * color, of that color. Returns the whole picture when it has no even background or nothing else.
 */
export function measureProductBox(pixels: Pixels): FractionRect {
  const { data, width, height } = pixels;
  const corners = [0, width - 1, (height - 1) * width, height * width - 1].map((index) => index * 4);
  const differenceAt = (a: number, b: number) =>
    Math.max(...[0, 1, 2].map((channel) => Math.abs(data[a + channel]! - data[b + channel]!)));
  const isOpaque = corners.every((corner) => data[corner + 3]! >= MIN_ALPHA);
  const isEven = corners.every((corner) => differenceAt(corner, corners[0]!) <= MAX_CORNER_DIFFERENCE);
  if (isOpaque && !isEven) return whole;
  const isProduct = (index: number) =>
    data[index + 3]! >= MIN_ALPHA && !(isOpaque && differenceAt(index, corners[0]!) <= MIN_DIFFERENCE);

  let [left, top, right, bottom] = [width, height, 0, 0];
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      if (!isProduct((y * width + x) * 4)) continue;
      left = Math.min(left, x);
      top = Math.min(top, y);
      right = Math.max(right, x + 1);
      bottom = Math.max(bottom, y + 1);
    }
  }
  if (right - left < width * MIN_SHARE || bottom - top < height * MIN_SHARE) return whole;
  return { x: left / width, y: top / height, width: (right - left) / width, height: (bottom - top) / height };
}

const whole: FractionRect = { x: 0, y: 0, width: 1, height: 1 };
