/** Finds the background: measures every pixel against the field, and fills from the border inwards. */
import { COARSE, distanceMeter, STEPS, toBytes } from './distance.ts';
import { extremes } from './extremes.ts';
import type { Field, FieldReader } from './field.ts';
import { createFieldReader } from './field.ts';
import { writeOklab } from './oklab.ts';
import { type Picture, runEnd, wordsOf } from './picture.ts';
import { createQueue } from './queue.ts';
import { findRinging, findSpecks } from './specks.ts';

/** A picture with the marks of its pixels. */
export interface MarkedPicture {
  readonly picture: Picture;
  readonly field: Field;
  readonly readField: FieldReader;
  /** Pixels closer to the field than this look like background, in `STEPS` of an OKLab hundredth. */
  readonly threshold: number;
  /** True when the picture was lossily compressed, so that even the background is noisy near edges. */
  readonly isLossy: boolean;
  /** The marks of each pixel: `NEAR` and the others below, combined. */
  readonly marks: Uint8Array;
  /** The network's mask of the object, 0..255, at the picture's size. */
  readonly objectMask: Uint8Array | undefined;
}

/** Looks like the background. */
const NEAR = 1;
/** Looks exactly like the background. */
const EXACT = 2;
/** Is background. */
export const BACKGROUND = 4;
/** Is a shadow on the background. */
export const SHADOW = 8;
/** Looks like the background, but the network is sure that it is object. */
const PROTECTED = 16;
const SEEN = 32;
/** May be ringing of the adjacent edge, or its soft side. */
export const RIM = 64;

/**
 * Levels of the mask, of 255. Above the first, it protects a pixel that looks like the background. Below the others, a
 * pixel may be a shadow.
 */
export const SURE_OBJECT = 252;
const SURE_GROUND = 51;
const LIKELY_OBJECT = 140;
/**
 * A shadow is darker than the background by less than this, and its hue differs by less than this, in OKLab hundredths.
 */
const DEEPEST_SHADOW = 30;
const SHADOW_HUE = 1;
/** A shadow changes less than this from pixel to pixel, in OKLab hundredths: an object's edge is sharper. */
const SHADOW_SLOPE = 1;
/** With a residual above this, 0..255, noise leaves specks. */
const QUIET = 0.25;
/** A pixel farther than this from the field in any channel, 0..255, is above any threshold. */
const SURELY_FAR = 48;

/**
 * Measures the distance of every pixel from the field, and marks those that look like the background. Linear in pixels.
 */
export function measure(picture: Picture, field: Field, objectMask: Uint8Array | undefined): MarkedPicture {
  const { width, height, data } = picture;
  const readField = createFieldReader(field, width, height);
  const isLossy = showsRinging(picture, readField);
  const threshold = Math.round(STEPS * Math.max(isLossy ? 1.6 : 0.5, 0.75 * field.residual));
  const exact = Math.round(0.6 * threshold) + 1;
  const marks = new Uint8Array(width * height);
  const color = new Float64Array(3);
  const measureTo = distanceMeter();
  const off = isLossy || field.residual > QUIET ? new Uint8Array(width * height) : undefined;
  const words = readField.isEven ? wordsOf(data) : undefined;
  for (let y = 0, i = 0; y < height; y++) {
    const rowStart = y * width;
    for (let to = i; i < rowStart + width; i = to) {
      to = words ? runEnd(words, i, rowStart + width) : i + 1;
      readField(i - rowStart, y, color);
      const at = 4 * i;
      const worst = Math.max(
        Math.abs(data[at] - color[0]),
        Math.abs(data[at + 1] - color[1]),
        Math.abs(data[at + 2] - color[2]),
      );
      if (off) for (let j = i; j < to; j++) off[j] = worst;
      if (worst > SURELY_FAR) continue;
      const distance = measureTo(color, data, at);
      if (distance >= threshold) continue;
      const is = distance < exact ? NEAR | EXACT : NEAR;
      for (let j = i; j < to; j++) marks[j] = is;
    }
  }
  if (off) markSpecks(marks, off, width, height, { isLossy, residual: field.residual });
  return { picture, field, readField, threshold, isLossy, marks, objectMask };
}

/** Largest height of a speck, 0..255: the first in a lossy picture, the second times the noise. */
const LOSSY_SPECK = 16;
const NOISY_SPECK = 8;
/** Largest area of a speck, in pixels: more than a block of the compression. */
const LARGEST_SPECK = 100;

/** Marks noise and ringing as looking like the background. */
function markSpecks(
  marks: Uint8Array,
  off: Uint8Array,
  width: number,
  height: number,
  { isLossy, residual }: { isLossy: boolean; residual: number },
): void {
  const isNear = marks.map((is) => is & NEAR);
  if (isLossy) {
    const { isGround, isRim } = findRinging(off, isNear, width, height);
    for (let i = 0; i < marks.length; i++) {
      if (isGround[i]) marks[i] = isNear[i] = NEAR;
      else if (isRim[i]) marks[i] = RIM;
    }
  }
  const least = Math.max(isLossy ? LOSSY_SPECK : 0, NOISY_SPECK * residual);
  const isSpeck = findSpecks(off, isNear, width, least, LARGEST_SPECK);
  for (let i = 0; i < marks.length; i++) if (isSpeck[i]) marks[i] = NEAR;
}

/** Height in rows, and number, of the strips that are examined for signs of compression. */
const STRIP = 64;
const STRIPS = 4;

/** Returns true when the background is uneven beside strong edges, but not on them, as lossy compression leaves it. */
function showsRinging({ width, height, data }: Picture, readField: FieldReader): boolean {
  const color = new Float64Array(3);
  const measureTo = distanceMeter();
  let beside = 0;
  let uneven = 0;
  const rows = Math.min(STRIP, height);
  const strips = Math.min(STRIPS, Math.ceil(height / rows));
  const distance = new Uint16Array(width * rows);
  const words = readField.isEven ? wordsOf(data) : undefined;
  for (let strip = 0; strip < strips; strip++) {
    const top = Math.round(((height - rows) * (strip + 0.5)) / strips);
    for (let y = 0; y < rows; y++) {
      const from = (top + y) * width;
      for (let x = 0, to = 0; x < width; x = to) {
        to = words ? runEnd(words, from + x, from + width) - from : x + 1;
        readField(x, top + y, color);
        const off = measureTo(color, data, 4 * (from + x));
        for (let j = y * width + x; j < y * width + to; j++) distance[j] = off;
      }
    }
    const near = extremes(toBytes(distance), width, rows, 3, 'greatest');
    const around = extremes(near, width, rows, 5, 'greatest');
    for (let i = 0; i < distance.length; i++) {
      if (around[i] < (8 * STEPS) / COARSE || near[i] > (6 * STEPS) / COARSE) continue;
      beside++;
      if (distance[i] > 0.25 * STEPS) uneven++;
    }
  }
  return uneven > 0.15 * beside;
}

/**
 * Marks the background by flood fill from the border inward; then, if requested, enclosed patches of exactly its color.
 * With a mask, shadows on it are background too. Linear in pixels.
 */
export function labelBackground(whole: MarkedPicture, clearEnclosed: boolean | undefined): void {
  fillBackground(whole, clearEnclosed);
  if (whole.objectMask) dropNarrowShadows(whole);
}

function fillBackground(whole: MarkedPicture, clearEnclosed: boolean | undefined): void {
  const { marks, objectMask } = whole;
  const { width, height } = whole.picture;
  const count = width * height;
  if (objectMask) protectBodies(whole, objectMask);
  const isShadow = objectMask && createShadowTest(whole, objectMask);

  const queue = createQueue();
  let stopMarks = BACKGROUND | PROTECTED;
  const reach = (i: number, from: number) => {
    const is = marks[i];
    if (is & stopMarks) return;
    if (is & NEAR) marks[i] = is | BACKGROUND;
    else if (isShadow?.(i, from)) marks[i] = is | BACKGROUND | SHADOW;
    else return;
    queue.add(i);
  };
  const floodFill = () => {
    for (let i = queue.take(); i >= 0; i = queue.take()) {
      const x = i % width;
      if (x > 0) reach(i - 1, i);
      if (x < width - 1) reach(i + 1, i);
      if (i >= width) reach(i - width, i);
      if (i < count - width) reach(i + width, i);
    }
  };
  /** Fills from a pixel: by rows, or by pixels where a shadow depends on where it is reached from. */
  const fillFrom = (i: number) => {
    if (isShadow) reach(i, i);
    else fillRows(marks, width, { needs: NEAR, stops: stopMarks, adds: BACKGROUND }, i);
  };
  for (let x = 0; x < width; x++) {
    fillFrom(x);
    fillFrom(count - width + x);
  }
  for (let y = 0; y < height; y++) {
    fillFrom(y * width);
    fillFrom(y * width + width - 1);
  }
  floodFill();
  if (clearEnclosed === false || (!clearEnclosed && !objectMask)) return;

  const patch = { needs: EXACT, stops: BACKGROUND | SEEN, adds: SEEN };
  for (let start = findNext(marks, patch, 0); start < count; start = findNext(marks, patch, start)) {
    let length = 0;
    let sureness = 0;
    fillRows(marks, width, patch, start, (from, to) => {
      length += to - from;
      for (let i = from; objectMask && i < to; i++) sureness += objectMask[i];
    });
    if (length < LEAST_PATCH || (!clearEnclosed && sureness > 128 * length)) continue;
    stopMarks = BACKGROUND;
    fillFrom(start);
    floodFill();
  }
}

/** A shadow is wider than twice this radius, in pixels. */
const SHADOW_RADIUS = 2;
/** Gaps in a shadow up to twice this radius, in pixels, belong to it: noise, and what hides it. */
const SHADOW_GAP = 2;

/**
 * Takes what is too narrow for a shadow out of the background again: the soft side of a pale or gray edge has the
 * colors of a shadow. Where a shadow meets the object, it may be narrow. Linear in pixels.
 */
function dropNarrowShadows({ picture: { width, height }, marks }: MarkedPicture): void {
  const isShadow = marks.map((is) => (is & SHADOW ? 1 : 0));
  const dense = extremes(isShadow, width, height, SHADOW_GAP, 'greatest');
  const cores = extremes(dense, width, height, SHADOW_GAP + SHADOW_RADIUS, 'least');
  const bodies = extremes(cores, width, height, 2 * SHADOW_RADIUS, 'greatest');
  for (let i = 0; i < marks.length; i++) if (isShadow[i] && !bodies[i]) marks[i] &= ~(SHADOW | BACKGROUND);
}

/** The marks of a flood fill. It reaches pixels with `needs` and none of `stops`, and adds `adds`, one of `stops`. */
interface Fill {
  readonly needs: number;
  readonly stops: number;
  readonly adds: number;
}

/**
 * Marks the pixels that are 4-connected to a pixel through pixels that the fill reaches. Goes by runs of pixels in
 * rows, and calls `visit` with each: a large plain background has few of them.
 */
function fillRows(
  marks: Uint8Array,
  width: number,
  { needs, stops, adds }: Fill,
  seed: number,
  visit?: (from: number, to: number) => void,
): void {
  const both = stops | needs;
  const isOpen = (i: number) => (marks[i] & both) === needs;
  if (!isOpen(seed)) return;
  const seeds = [seed];
  for (let i = seeds.pop(); i !== undefined; i = seeds.pop()) {
    if (!isOpen(i)) continue;
    const rowStart = i - (i % width);
    let [left, right] = [i, i + 1];
    while (left > rowStart && isOpen(left - 1)) left--;
    while (right < rowStart + width && isOpen(right)) right++;
    for (let j = left; j < right; j++) marks[j] |= adds;
    visit?.(left, right);
    for (const step of [-width, width]) {
      if (rowStart + step < 0 || rowStart + step >= marks.length) continue;
      let isRun = false;
      for (let j = left + step; j < right + step; j++) {
        const is = isOpen(j);
        if (is && !isRun) seeds.push(j);
        isRun = is;
      }
    }
  }
}

/** Returns the first pixel from `from` on that a fill reaches; the number of pixels when there is none. */
function findNext(marks: Uint8Array, { needs, stops }: Fill, from: number): number {
  const both = stops | needs;
  let i = from;
  while (i < marks.length && (marks[i] & both) !== needs) i++;
  return i;
}

/** Longest side of the reduced picture in which bodies are found, and the least radius of a body in it. */
const BODY_SIDE = 768;
const BODY_RADIUS = 4;

/**
 * Protects areas that look like the background but are bodies of the object: the network is sure of them and they are
 * wide. The gaps between hairs, of which a network is equally sure, are narrow.
 */
function protectBodies({ picture: { width, height }, marks }: MarkedPicture, objectMask: Uint8Array): void {
  const scale = Math.min(1, BODY_SIDE / Math.max(width, height));
  const smallWidth = Math.max(1, Math.round(width * scale));
  const smallHeight = Math.max(1, Math.round(height * scale));
  const column = Int32Array.from({ length: width }, (_, x) => Math.floor(((x + 0.5) * smallWidth) / width));
  const isWide = new Uint8Array(smallWidth * smallHeight).fill(1);
  const rowOf = (y: number) => Math.floor(((y + 0.5) * smallHeight) / height) * smallWidth;
  const isBody = (i: number) => (marks[i] & NEAR) !== 0 && objectMask[i] > SURE_OBJECT;
  for (let y = 0, i = 0; y < height; y++) {
    const row = rowOf(y);
    for (let x = 0; x < width; x++, i++) if (!isBody(i)) isWide[row + column[x]] = 0;
  }
  const cores = extremes(isWide, smallWidth, smallHeight, BODY_RADIUS, 'least');
  const bodies = extremes(cores, smallWidth, smallHeight, BODY_RADIUS + 2, 'greatest');
  for (let y = 0, i = 0; y < height; y++) {
    const row = rowOf(y);
    for (let x = 0; x < width; x++, i++) if (bodies[row + column[x]] && isBody(i)) marks[i] |= PROTECTED;
  }
}

/**
 * Returns a test for shadows, for a pixel beside a background pixel. A shadow is darker than the background and of its
 * hue, where the network sees no object. Its color must also be close to that of the pixel it was reached from, closer
 * still where the network is unsure.
 */
function createShadowTest(
  { picture: { width, data }, field, readField, threshold }: MarkedPicture,
  objectMask: Uint8Array,
) {
  const color = new Float64Array(3);
  const groundLab = new Float64Array(3);
  const own = new Float64Array(3);
  const before = new Float64Array(3);
  const hue = threshold / STEPS + SHADOW_HUE;
  const slope = SHADOW_SLOPE + 0.5 * field.residual;
  return (i: number, from: number): boolean => {
    if (objectMask[i] >= LIKELY_OBJECT) return false;
    const x = i % width;
    readField(x, (i - x) / width, color);
    writeOklab(color[0], color[1], color[2], groundLab);
    writeOklab(data[4 * i], data[4 * i + 1], data[4 * i + 2], own);
    const darker = groundLab[0] - own[0];
    if (darker <= 0 || darker > DEEPEST_SHADOW || Math.hypot(own[1] - groundLab[1], own[2] - groundLab[2]) >= hue)
      return false;
    writeOklab(data[4 * from], data[4 * from + 1], data[4 * from + 2], before);
    return Math.abs(own[0] - before[0]) < (objectMask[i] < SURE_GROUND ? 2 * slope : slope);
  };
}

/** Least area of an enclosed patch, in pixels; a smaller one is a highlight. */
const LEAST_PATCH = 4;
