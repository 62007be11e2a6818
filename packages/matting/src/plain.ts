/**
 * Alpha matting of pictures on a plain background. The background's color is known at every pixel, so only the object's
 * color has to be found at an edge pixel, and its alpha follows from the compositing equation of Porter and Duff: pixel
 * = alpha · object + (1 − alpha) · background.
 *
 * From the background inward, a pixel belongs to an edge while the distance from the background keeps rising steeply;
 * where it does not is the object's own color. So an edge may be one pixel wide or ten. Hair and other fuzz has no such
 * place: there, the colors of the strands nearby tell.
 *
 * `marks.ts` finds the background, `unmix.ts` the alphas and colors of its edges, `strands.ts` those of fuzz.
 */
import { thinClearParts } from './clear.ts';
import { distanceMeter } from './distance.ts';
import { extremes } from './extremes.ts';
import { type Field, isLit } from './field.ts';
import type { MarkedPicture } from './marks.ts';
import { BACKGROUND, labelBackground, measure, RIM, SHADOW } from './marks.ts';
import { refineMask } from './photo.ts';
import type { Mask, Picture } from './picture.ts';
import { resizeMask, runEnd, wordsOf } from './picture.ts';
import { eachAround, eachPatch } from './specks.ts';
import type { Box, Tile } from './unmix.ts';
import { edgeWidth, FUZZ_RADIUS, REACH, unmix } from './unmix.ts';

export interface PlainOptions {
  /**
   * Protects object areas of the background's color, decides about enclosed areas, and allows the removal of shadows.
   */
  readonly mask?: Mask;
  /**
   * True to remove enclosed areas of the background's color too. By default, the mask decides; without a mask, none is
   * removed.
   */
  readonly clearEnclosed?: boolean;
}
/** Edges are processed in square tiles of this side, in pixels; tiles without an edge are skipped. */
const TILE_SIDE = 1024;

/**
 * Removes a plain background: one color or a smooth gradient, clean or noisy. The object keeps its own colors, without
 * a fringe of the background; the size stays. Linear in pixels: about 0.15 s for each megapixel with edges, and 6 bytes
 * per pixel (10 for lossy pictures) plus 40 MB besides the picture. A rim in a shadow costs as much as a photograph on
 * top of that.
 */
export function removePlainBackground(picture: Picture, field: Field, options: PlainOptions): Picture {
  const { width, height, data } = picture;
  const { mask } = options;
  const objectMask = mask && resizeMask(mask, width, height);
  const whole = measure(picture, field, objectMask);
  labelBackground(whole, options.clearEnclosed);

  const out = new Uint8Array(data.length);
  for (let top = 0; top < height; top += TILE_SIDE) {
    for (let left = 0; left < width; left += TILE_SIDE) {
      const core = { left, top, right: Math.min(width, left + TILE_SIDE), bottom: Math.min(height, top + TILE_SIDE) };
      const box = copyObject(whole, core, out);
      if (box) unmix(cutTile(whole, withMargin(whole, box, core)), core, out);
    }
  }
  if (whole.isLossy) clearLooseRims(whole, out);
  if (mask) refineInShadow(whole, mask, out);
  if (isLit(field) && options.clearEnclosed !== false) thinClearParts(whole, out);
  return { width, height, data: out };
}

/** A rim lies in a shadow when one is within the first distance, and the outline of the mask within the second. */
const SHADOW_REACH = 4;
const OUTLINE_REACH = 12;

/**
 * Replaces the rims that lie in a shadow by those of a photograph. The color of the ground is not known there, and a
 * gray rim may have that of the shadow, so the mask decides where colors do not tell. Takes as long as a photograph
 * where there is such a rim.
 */
function refineInShadow({ picture, marks, objectMask }: MarkedPicture, mask: Mask, out: Uint8Array): void {
  const { width, height } = picture;
  const isShadow = marks.map((is) => (is & SHADOW ? 1 : 0));
  if (!objectMask || !isShadow.includes(1)) return;
  const isNear = extremes(isShadow, width, height, SHADOW_REACH, 'greatest');
  const lowest = extremes(objectMask, width, height, OUTLINE_REACH, 'least');
  const highest = extremes(objectMask, width, height, OUTLINE_REACH, 'greatest');
  const isRim = isNear.map((is, i) => (is && lowest[i] < 128 && highest[i] > 127 ? 1 : 0));
  if (!isRim.includes(1)) return;
  const { data } = refineMask(picture, mask);
  for (let i = 0; i < isRim.length; i++) if (isRim[i]) out.set(data.subarray(4 * i, 4 * i + 4), 4 * i);
}

/** Of 255: alpha above the first is visible; alpha below the second is no object by itself. */
const LEAST_SEEN = 16;
const FAINT = 64;

/** Clears the remains of ringing that touch nothing else. */
function clearLooseRims({ picture: { width }, marks }: MarkedPicture, out: Uint8Array): void {
  const count = marks.length;
  const alpha = (i: number) => out[4 * i + 3];
  const isRest = (i: number) => alpha(i) > LEAST_SEEN && ((marks[i] & RIM) !== 0 || alpha(i) < FAINT);
  const open = new Uint8Array(count);
  for (let i = 0; i < count; i++) if (isRest(i)) open[i] = 1;
  eachPatch(open, width, count, (patch) => {
    let isJoined = false;
    for (const i of patch) {
      eachAround(i, width, count, (j) => {
        isJoined ||= alpha(j) > LEAST_SEEN && !isRest(j);
      });
      if (isJoined) return;
    }
    for (const i of patch) out.fill(0, 4 * i, 4 * i + 4);
  });
}

/** The alpha of a solid pixel, in its number. */
const SOLID = 0xff << 24;

/** Copies the pixels of a core that are not background. Returns the box around them; undefined when there are none. */
function copyObject({ picture: { width, data }, marks }: MarkedPicture, core: Box, out: Uint8Array): Box | undefined {
  let { left, top, right, bottom } = { left: core.right, top: core.bottom, right: core.left, bottom: core.top };
  const from = wordsOf(data);
  const to = wordsOf(out);
  for (let y = core.top; y < core.bottom; y++) {
    const row = y * width;
    let first = -1;
    let last = -1;
    for (let x = core.left; x < core.right; x++) {
      const i = row + x;
      if (marks[i] & BACKGROUND) continue;
      if (first < 0) first = x;
      last = x;
      to[i] = from[i] | SOLID;
    }
    if (first < 0) continue;
    left = Math.min(left, first);
    right = Math.max(right, last + 1);
    top = Math.min(top, y);
    bottom = y + 1;
  }
  return bottom > top ? { left, top, right, bottom } : undefined;
}

/**
 * Returns the box around the object pixels of a core with what its edges depend on: a margin of background, or where
 * the object may go on beyond the core, an edge's width of it.
 */
function withMargin(whole: MarkedPicture, { left, top, right, bottom }: Box, core: Box): Box {
  const { width, height } = whole.picture;
  const more = edgeWidth(whole) + 2 * FUZZ_RADIUS;
  const marginOf = (room: number) => (room < REACH ? more : REACH);
  return {
    left: Math.max(0, left - marginOf(left - core.left)),
    top: Math.max(0, top - marginOf(top - core.top)),
    right: Math.min(width, right + marginOf(core.right - right)),
    bottom: Math.min(height, bottom + marginOf(core.bottom - bottom)),
  };
}

/** Returns a part of the picture with the fields computed for it. */
function cutTile(whole: MarkedPicture, box: Box): Tile {
  const { picture, readField, marks } = whole;
  const { left, top } = box;
  const width = box.right - left;
  const height = box.bottom - top;

  const data = new Uint8Array(4 * width * height);
  const distance = new Uint16Array(width * height);
  const isBackground = new Uint8Array(width * height);
  let hasShadow = false;
  const color = new Float64Array(3);
  const measureTo = distanceMeter();
  const words = readField.isEven ? wordsOf(picture.data) : undefined;
  for (let y = 0, i = 0; y < height; y++) {
    const from = (top + y) * picture.width + left;
    data.set(picture.data.subarray(4 * from, 4 * (from + width)), 4 * i);
    const rowStart = i;
    for (let x = 0, to = 0; x < width; x = to) {
      to = words ? runEnd(words, from + x, from + width) - from : x + 1;
      readField(left + x, top + y, color);
      const off = measureTo(color, data, 4 * i);
      for (; i < rowStart + to; i++) distance[i] = off;
    }
    for (let x = 0; x < width; x++) {
      const is = marks[from + x];
      if (is & BACKGROUND) isBackground[rowStart + x] = 1;
      if (is & SHADOW) hasShadow = true;
    }
  }
  return { left, top, width, height, data, whole, distance, isBackground, hasShadow };
}
