/** Chooses how to remove a picture's background, and removes it. */
import { createFieldReader, type Field, fitField, isLit } from './field.ts';
import { refineMask } from './photo.ts';
import type { Mask, Picture } from './picture.ts';
import { removePlainBackground } from './plain.ts';

/**
 * `flat` is a drawing in few colors on one color or a drawn gradient. `plain` is an object of many colors on such a
 * background, or any object on a smooth one with light and noise. `photograph` is any other background.
 */
export type KindOfBackground = 'flat' | 'plain' | 'photograph';

/** Options of `removeBackground`. */
export interface RemoveOptions {
  /**
   * The object as a network segments it. Flat art does not use a mask, a plain background benefits from one, a
   * photograph needs one.
   */
  readonly mask?: Mask;
  /**
   * True to remove enclosed areas of the background's color too, such as the inside of an O. By default they are
   * removed from flat art, and elsewhere where the mask says so. Ignored for photographs.
   */
  readonly clearEnclosed?: boolean;
}

/**
 * A background is plain when at least this share of the border lies on one smooth field, with at most this residual. A
 * noisy border needs a larger share.
 */
const LEAST_INLIERS = 0.9;
const MOST_RESIDUAL = 4;
const QUIET_RESIDUAL = 2;
const LEAST_NOISY_INLIERS = 0.98;

/**
 * Returns the kind of background, which tells whether a mask would help. Samples some ten thousand pixels, which takes
 * a few milliseconds at any size.
 */
export function kindOfBackground(picture: Picture): KindOfBackground {
  return kindOn(picture, fitField(picture));
}

/**
 * Removes the background. The object keeps its own colors, without a fringe of the background, and its alpha is its
 * coverage of each pixel. The size stays. Returns undefined for a photograph without a mask.
 */
export function removeBackground(picture: Picture, { mask, clearEnclosed }: RemoveOptions = {}): Picture | undefined {
  const field = fitField(picture);
  switch (kindOn(picture, field)) {
    case 'flat':
      return removePlainBackground(picture, field, { clearEnclosed: clearEnclosed ?? true });
    case 'plain':
      return removePlainBackground(picture, field, {
        mask,
        clearEnclosed: clearEnclosed ?? (!mask && hasFewColors(picture, field) ? true : undefined),
      });
    case 'photograph':
      return mask && refineMask(picture, mask);
  }
}

function kindOn(picture: Picture, field: Field): KindOfBackground {
  const least = field.residual > QUIET_RESIDUAL ? LEAST_NOISY_INLIERS : LEAST_INLIERS;
  if (field.inliers < least || field.residual > MOST_RESIDUAL) return 'photograph';
  return hasFewColors(picture, field) && !isLit(field) ? 'flat' : 'plain';
}

/** Approximate number of pixels sampled. */
const SAMPLES = 40_000;
/** Pixels farther than this from the field, 0..255 in the worst channel, are not background. */
const LEAST_OFF = 6;
const FEW = 24;
const MOST_OF_THEM = 0.75;

/** Returns true when few colors make up most of the foreground: flat art, not a picture of an object. */
function hasFewColors({ width, height, data }: Picture, field: Field): boolean {
  const step = Math.max(1, Math.floor(Math.sqrt((width * height) / SAMPLES)));
  const counts = new Uint32Array(1 << 15);
  const color = new Float64Array(3);
  const readField = createFieldReader(field, width, height);
  const off = LEAST_OFF + 2 * field.residual;
  let all = 0;
  for (let y = step >> 1; y < height; y += step) {
    for (let x = step >> 1; x < width; x += step) {
      readField(x, y, color);
      const i = 4 * (y * width + x);
      const isOff =
        Math.abs(data[i] - color[0]) > off ||
        Math.abs(data[i + 1] - color[1]) > off ||
        Math.abs(data[i + 2] - color[2]) > off;
      if (!isOff) continue;
      all++;
      counts[((data[i] >> 3) << 10) | ((data[i + 1] >> 3) << 5) | (data[i + 2] >> 3)]++;
    }
  }
  const most = counts.sort().subarray(-FEW);
  return most.reduce((sum, count) => sum + count, 0) >= MOST_OF_THEM * all;
}
