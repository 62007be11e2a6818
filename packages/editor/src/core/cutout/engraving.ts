/** Decides whether a laser would burn the background of a picture along with its subject. */
import { kindOfBackground, type Picture } from '@markwright/matting';

/** Below this a pixel lets its ground through; with more than this share of them, a picture was cut out before. */
const SOLID_ALPHA = 250;
const CLEAR_SHARE = 0.01;
/** A plain ground as light as this is left bare: 0…255. */
const BARE = 225;

/**
 * Checks pictures that still have their background. A drawing on a plain background engraves well, and so does an
 * object on white.
 */
export function needsCutout(picture: Picture): boolean {
  const { width, height, data } = picture;
  let clear = 0;
  for (let i = 3; i < data.length; i += 4) if (data[i]! < SOLID_ALPHA) clear++;
  if (clear > CLEAR_SHARE * width * height) return false;
  const kind = kindOfBackground(picture);
  return kind === 'photograph' || (kind === 'plain' && lightnessOfBorder(picture) < BARE);
}

function lightnessOfBorder({ width, height, data }: Picture): number {
  let sum = 0;
  let count = 0;
  const add = (i: number) => {
    sum += 0.2126 * data[4 * i]! + 0.7152 * data[4 * i + 1]! + 0.0722 * data[4 * i + 2]!;
    count++;
  };
  for (let x = 0; x < width; x++) {
    add(x);
    add((height - 1) * width + x);
  }
  for (let y = 0; y < height; y++) {
    add(y * width);
    add((y + 1) * width - 1);
  }
  return sum / count;
}
