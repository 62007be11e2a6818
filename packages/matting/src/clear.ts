/**
 * Clear parts of an object on a known background, such as the lens of a loupe. The network looks through them and calls
 * them background; their colors are not quite the background's. Without them the object loses a part, and as solid they
 * carry the old background along.
 */
import { extremes } from './extremes.ts';
import { BACKGROUND, type MarkedPicture } from './marks.ts';

/** Of 255: a pixel is seen through when the mask is below this within `GROUND_RADIUS` pixels. */
const LIKELY_GROUND = 51;
const GROUND_RADIUS = 1;
/** Of 255: what covers more of the background than this is not clear. */
const MOST_COVER = 128;
/** Clear parts are wider than twice this radius, in pixels; hairs that the network missed are not. */
const LEAST_RADIUS = 5;

/**
 * Gives the clear parts of a cut-out the least alpha that explains their colors, and the color that goes with it, so
 * that over the old background they look as before. Linear in pixels; needs 6 bytes for each.
 */
export function thinClearParts(whole: MarkedPicture, out: Uint8Array): void {
  const { picture, marks, objectMask, readField } = whole;
  if (!objectMask) return;
  const { width, height, data } = picture;
  const mask = extremes(objectMask, width, height, GROUND_RADIUS, 'greatest');
  const cover = new Uint8Array(marks.length);
  const isThin = new Uint8Array(marks.length);
  const ground = new Float64Array(3);
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i++) {
      if (marks[i] & BACKGROUND || mask[i] >= LIKELY_GROUND) continue;
      readField(x, y, ground);
      cover[i] = leastCover(data, 4 * i, ground);
      if (cover[i] <= MOST_COVER) isThin[i] = 1;
    }
  }
  const cores = extremes(isThin, width, height, LEAST_RADIUS, 'least');
  const parts = extremes(cores, width, height, LEAST_RADIUS + 2, 'greatest');
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i++) {
      if (!isThin[i] || !parts[i]) continue;
      readField(x, y, ground);
      const share = cover[i] / 255;
      for (let k = 0; k < 3; k++) {
        const color = ground[k] + (data[4 * i + k] - ground[k]) / Math.max(share, 1 / 255);
        out[4 * i + k] = Math.round(Math.min(255, Math.max(0, color)));
      }
      out[4 * i + 3] = cover[i];
    }
  }
}

/** Returns the least alpha, 0..255, with which some color over `ground` gives the pixel at `at`. */
function leastCover(data: Uint8Array, at: number, ground: Float64Array): number {
  let least = 0;
  for (let k = 0; k < 3; k++) {
    const off = data[at + k] - ground[k];
    least = Math.max(least, off > 0 ? off / Math.max(1, 255 - ground[k]) : -off / Math.max(1, ground[k]));
  }
  return Math.ceil(255 * Math.min(1, least));
}
