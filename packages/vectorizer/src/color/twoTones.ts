import { giveBack, makeUint8, makeUint8Clamped, makeUint16 } from '../geometry/memory.ts';
import type { Pixels } from '../pixels/bitmap.ts';
import { type LabelMap, quantize, readMixes } from './labels.ts';
import { findPalette, type Palette } from './palette.ts';
import { FLAT, gatherVotes, type Votes } from './votes.ts';

/** Grays of a picture that are told apart, at most. */
const MOST_GRAYS = 32;
/** Byte levels by which a third gray differs from ink and paper, at least. */
const LEAST_APART = 8;
/** Byte levels within which a pixel is close to a threshold, without noise, and the weight of the share that is. */
const CLOSE = 4;
const CLOSE_WEIGHT = 10;
/** Byte levels by which a pixel differs from a flat gray, without noise, and the share of pixels that may by more. */
const FLAT_REACH = 2;
const MOST_OFF = 0.35;
/** Times that an edge of the page counts. */
const PAGE_WEIGHT = 2;
/** Pixels within which the two grays of a mix lie, without noise and with it. */
const REACH = 2;
const NOISY_REACH = 3;

/** By reach: the steps to the pixels within it, the nearest first. */
const NEAREST_FIRST = [0, 1, REACH, NOISY_REACH].map((reach) => {
  const side = 2 * reach + 1;
  const steps = Array.from({ length: side * side }, (_, k) => ({
    across: (k % side) - reach,
    down: Math.floor(k / side) - reach,
  }));
  return steps.sort((p, q) => p.across ** 2 + p.down ** 2 - q.across ** 2 - q.down ** 2);
});

/** The grays of a picture that is to become ink and paper. */
export interface Grays extends Palette {
  /** Byte level below which grays are ink. Undefined where `drawTwoTones` finds it from the picture's edges. */
  threshold: number | undefined;
}

/**
 * Returns the palette of a picture in one ink, paper first: Otsu's threshold splits the gray histogram, and each tone
 * is the most frequent level of its side. `pixels` and `votes` are of the color mode `monochrome`.
 */
export function findTwoTones({ solidTones }: Pixels, votes: Votes): Palette {
  const tones = chooseTones(votes.tones!, solidTones);
  const threshold = otsu(tones);
  const ink = fullestLevel(tones, 0, threshold);
  const paper = fullestLevel(tones, threshold, 256);
  return { palette: Float64Array.of(paper, paper, paper, 255, ink, ink, ink, 255), count: 2, clear: -1 };
}

/**
 * Returns the grays of a picture that has more of them than ink and paper, the most frequent first. Undefined for all
 * others. `noise` is the remaining noise in byte levels. Linear in the pixels.
 */
export function findGrays(pixels: Pixels, votes: Votes, noise: number): Grays | undefined {
  if (!hasThirdGray(pixels, votes, noise)) return undefined;
  const grays = findPalette(pixels, gatherVotes(pixels, noise, 'grayscale'), noise, MOST_GRAYS);
  if (grays.count < 3) return undefined;
  const { solidTones } = pixels;
  if (!solidTones || !isShaded(solidTones)) return { ...grays, threshold: undefined };
  // A shaded cut-out has no paper around it: by the edges of its outline, all of it would be ink.
  const threshold = otsu(solidTones);
  const tones = listTones(grays);
  return Math.min(...tones) < threshold && Math.max(...tones) >= threshold ? { ...grays, threshold } : undefined;
}

const listTones = ({ palette, count }: Palette): number[] => Array.from({ length: count }, (_, k) => palette[4 * k]);

/**
 * Returns true when flat pixels have a gray that is neither ink nor paper. Most pictures that are traced in one ink
 * have none, and finding their grays would take a third of the trace's time.
 */
function hasThirdGray(pixels: Pixels, votes: Votes, noise: number): boolean {
  const { palette } = findTwoTones(pixels, votes);
  const flatTones = countFlatTones(pixels, votes.kinds);
  const reach = LEAST_APART + 3 * noise;
  let otherCount = 0;
  for (let gray = 0; gray < 256; gray++) {
    if (Math.min(Math.abs(gray - palette[0]), Math.abs(gray - palette[4])) > reach) otherCount += flatTones[gray];
  }
  return otherCount > Math.max(12, votes.kinds.length * 0.00005);
}

/** Returns the gray of each pixel. Linear in the pixels. */
export function labelGrays(pixels: Pixels, kinds: Uint8Array, grays: Grays, noise: number): Uint16Array {
  const { labels, mixPixels } = quantize(pixels, kinds, grays, noise);
  if (mixPixels !== pixels) giveBack(mixPixels.data);
  return labels;
}

/** A picture in two tones, and the label of each of its pixels. */
export interface TwoTones {
  pixels: Pixels;
  labelMap: LabelMap;
}

/**
 * Draws a picture of several grays in two: the most frequent of ink and of paper. A pixel on an edge is measured by the
 * two grays that meet there, so each edge stays in its place: one level for the whole picture would move the edges of
 * every gray but two, and tear a gray whose noise crosses it. `kinds` tells flat pixels from mixes; `grayLabels` are
 * those of `labelGrays`; `noise` is the remaining noise in byte levels. `level` is that of the caller, in byte levels.
 * Undefined when it lies in a gradient, or below or above all grays. Linear in the pixels.
 */
export function drawTwoTones(
  pixels: Pixels,
  kinds: Uint8Array,
  grays: Grays,
  grayLabels: Uint16Array,
  noise: number,
  level?: number,
): TwoTones | undefined {
  const { width, height, data } = pixels;
  const tones = listTones(grays);
  if (level !== undefined && !isBetweenFlatGrays(pixels, grayLabels, tones, noise, level)) {
    return undefined;
  }
  const threshold = level ?? grays.threshold ?? findThreshold(pixels, kinds, grayLabels, grays, noise);
  const isInk = tones.map((tone) => (tone < threshold ? 1 : 0));
  const sides = makeUint8(grayLabels.length);
  const labels = makeUint16(grayLabels.length);
  const paper = Math.round(tones[isInk.indexOf(0)]);
  const ink = Math.round(tones[isInk.indexOf(1)]);
  const out = makeUint8Clamped(data.length);
  const words = new Uint32Array(out.buffer, out.byteOffset, labels.length);
  const solid = Uint32Array.of(toWord(paper), toWord(ink));
  for (let p = 0; p < sides.length; p++) {
    sides[p] = isInk[grayLabels[p]];
    labels[p] = sides[p];
    words[p] = solid[sides[p]];
  }
  const grid = { sides, kinds, width, height };
  const reach = noise > 0 ? NOISY_REACH : REACH;
  const isNear = markEdges(sides, width, height, reach);
  for (let p = isNear.indexOf(1); p >= 0; p = isNear.indexOf(1, p + 1)) {
    const other = findNearest(grid, p, 1 - sides[p], kinds[p] === FLAT ? 1 : reach);
    if (other < 0) continue;
    const same = kinds[p] === FLAT ? p : findNearest(grid, p, sides[p], reach);
    const near = tones[grayLabels[same]];
    const far = tones[grayLabels[other]];
    const share = Math.max(0, Math.min(1, (data[4 * p] - far) / (near - far)));
    const inkShare = sides[p] === 1 ? share : 1 - share;
    labels[p] = inkShare < 0.5 ? 0 : 1;
    out.fill(inkShare * ink + (1 - inkShare) * paper, 4 * p, 4 * p + 3);
  }
  giveBack(sides, isNear);
  const picture = { width, height, data: out, opaque: true };
  const paperAndInk = { palette: Float64Array.of(paper, paper, paper, 255, ink, ink, ink, 255), count: 2, clear: -1 };
  return {
    pixels: picture,
    labelMap: { ...paperAndInk, labels, ...readMixes(picture, paperAndInk, noise), ramps: [] },
  };
}

/**
 * Returns true when a level lies between two grays that are flat: most of their pixels have that very gray. The pixels
 * of a gradient, or of a soft edge, have all grays from one band to the next.
 */
function isBetweenFlatGrays(
  { data }: Pixels,
  labels: Uint16Array,
  tones: readonly number[],
  noise: number,
  level: number,
): boolean {
  const below = tones.filter((tone) => tone < level);
  const above = tones.filter((tone) => tone >= level);
  if (below.length === 0 || above.length === 0) return false;
  const nextBelow = tones.indexOf(Math.max(...below));
  const nextAbove = tones.indexOf(Math.min(...above));
  const all = new Uint32Array(tones.length);
  const off = new Uint32Array(tones.length);
  const reach = FLAT_REACH + 2 * noise;
  for (let p = 0; p < labels.length; p++) {
    const gray = labels[p];
    if (gray !== nextBelow && gray !== nextAbove) continue;
    all[gray]++;
    if (Math.abs(data[4 * p] - tones[gray]) > reach) off[gray]++;
  }
  return [nextBelow, nextAbove].every((gray) => off[gray] <= MOST_OFF * all[gray]);
}

/**
 * Returns the level that keeps the most of a picture's edges, among those between its grays. Each edge counts by its
 * length and contrast. Edges of the page count twice, as they show the outline of a drawing. Otsu's criterion (1979) is
 * a factor, or many faint lines would count for more than one bold shape. Alone, it gives a yellow part of a logo to
 * white paper, as both are far from black. A level that many flat pixels are close to counts less: it would cut through
 * a gradient, or noise would cross it. Linear in the pixels.
 */
function findThreshold(pixels: Pixels, kinds: Uint8Array, labels: Uint16Array, grays: Grays, noise: number): number {
  const { count } = grays;
  const tones = listTones(grays).sort((p, q) => p - q);
  const ranks = Uint8Array.from(listTones(grays), (tone) => tones.indexOf(tone));
  const { areas, edges, border } = sumByRank(pixels, labels, ranks, tones);
  const flatTones = countFlatTones(pixels, kinds);
  const page = border.indexOf(Math.max(...border));
  let best = -1;
  let level = 0;
  for (let cut = 1; cut < count; cut++) {
    if (tones[cut] === tones[cut - 1]) continue;
    const middle = (tones[cut - 1] + tones[cut]) / 2;
    let contrast = 0;
    for (let dark = 0; dark < cut; dark++) {
      for (let light = cut; light < count; light++) {
        const weight = dark === page || light === page ? PAGE_WEIGHT : 1;
        contrast += weight * edges[dark * count + light];
      }
    }
    const from = Math.max(0, Math.ceil(middle - CLOSE - 2 * noise));
    const close = flatTones.subarray(from, Math.floor(middle + CLOSE + 2 * noise) + 1);
    const closeShare = close.reduce((sum, pixelCount) => sum + pixelCount, 0) / labels.length;
    const score = (contrast * Math.cbrt(varianceBetween(areas, tones, cut))) / (1 + CLOSE_WEIGHT * closeShare);
    if (score <= best) continue;
    best = score;
    level = middle;
  }
  return level;
}

/** Returns by gray level the number of flat pixels. */
function countFlatTones({ data }: Pixels, kinds: Uint8Array): Uint32Array {
  const counts = new Uint32Array(256);
  for (let p = 0; p < kinds.length; p++) if (kinds[p] === FLAT) counts[data[4 * p]]++;
  return counts;
}

/** Sums by the ranks of grays: pixels, contrast of the edges between each two (the darker first), and border pixels. */
function sumByRank(
  { width, data }: Pixels,
  labels: Uint16Array,
  ranks: Uint8Array,
  tones: readonly number[],
): Record<'areas' | 'edges' | 'border', Float64Array> {
  const count = tones.length;
  const areas = new Float64Array(count);
  const edges = new Float64Array(count * count);
  const border = new Float64Array(count);
  const last = labels.length - width;
  const addEdge = (p: number, step: number): void => {
    const rank = ranks[labels[p]];
    const other = ranks[labels[p + step]];
    if (rank === other) return;
    const contrast = Math.min(Math.abs(tones[rank] - tones[other]), contrastAt(data, p, step));
    edges[Math.min(rank, other) * count + Math.max(rank, other)] += contrast * Math.sqrt(contrast);
  };
  for (let p = 0, x = 0; p < labels.length; p++, x = x + 1 === width ? 0 : x + 1) {
    areas[ranks[labels[p]]]++;
    if (x + 1 < width) addEdge(p, 1);
    if (p < last) addEdge(p, width);
    if (x === 0 || x + 1 === width || p < width || p >= last) border[ranks[labels[p]]]++;
  }
  return { areas, edges, border };
}

/**
 * Returns the largest difference between a pixel or the one before it and the next pixel or the one after it, as an
 * edge may be two pixels wide. It is small where two bands of a gradient meet, though the grays of the bands differ.
 */
function contrastAt(data: Uint8ClampedArray, p: number, step: number): number {
  const near = data[4 * p];
  const far = data[4 * (p + step)];
  const behind = data[4 * (p - step)] ?? near;
  const beyond = data[4 * (p + 2 * step)] ?? far;
  return Math.max(Math.abs(near - far), Math.abs(behind - far), Math.abs(near - beyond), Math.abs(behind - beyond));
}

/** Returns the variance between the grays before a cut and those from it on, which Otsu's threshold makes largest. */
function varianceBetween(areas: Float64Array, tones: readonly number[], cut: number): number {
  let below = 0;
  let belowSum = 0;
  let above = 0;
  let aboveSum = 0;
  areas.forEach((area, k) => {
    if (k < cut) {
      below += area;
      belowSum += area * tones[k];
    } else {
      above += area;
      aboveSum += area * tones[k];
    }
  });
  if (below === 0 || above === 0) return 0;
  return below * above * (belowSum / below - aboveSum / above) ** 2;
}

/** Returns a gray as four bytes in memory. */
function toWord(gray: number): number {
  return new Uint32Array(Uint8ClampedArray.of(gray, gray, gray, 255).buffer)[0];
}

/** The side of each pixel, 1 for ink and 0 for paper, and its kind. */
interface SideGrid {
  sides: Uint8Array;
  kinds: Uint8Array;
  width: number;
  height: number;
}

/** Returns 1 for each pixel that has one of the other side within `reach` pixels. */
function markEdges(sides: Uint8Array, width: number, height: number, reach: number): Uint8Array {
  const marks = makeUint8(sides.length);
  const mark = (x: number, y: number): void => {
    const from = Math.max(0, x - reach);
    const to = Math.min(width, x + reach + 1);
    for (let v = Math.max(0, y - reach); v <= Math.min(height - 1, y + reach); v++) {
      marks.fill(1, v * width + from, v * width + to);
    }
  };
  for (let y = 0, p = 0; y < height; y++) {
    for (let x = 0; x < width; x++, p++) {
      const isAcross = x + 1 < width && sides[p + 1] !== sides[p];
      const isDown = y + 1 < height && sides[p + width] !== sides[p];
      if (isAcross || isDown) mark(x, y);
      if (isAcross) mark(x + 1, y);
      if (isDown) mark(x, y + 1);
    }
  }
  return marks;
}

/**
 * Returns the nearest pixel of a side within `reach` pixels along each axis: a flat one where there is one, as the blur
 * between two grays passes others. -1 for none.
 */
function findNearest({ sides, kinds, width, height }: SideGrid, p: number, side: number, reach: number): number {
  const x = p % width;
  const y = (p - x) / width;
  let nearest = -1;
  for (const { across, down } of NEAREST_FIRST[reach]) {
    if (x + across < 0 || x + across >= width || y + down < 0 || y + down >= height) continue;
    const q = p + down * width + across;
    if (sides[q] !== side) continue;
    if (kinds[q] === FLAT) return q;
    if (nearest < 0) nearest = q;
  }
  return nearest;
}

/**
 * Returns the histogram that ink and paper are separated by. For flat art on clear, the clear area counts as paper, or
 * one ink would be split in two. A shaded cut-out has lights and darks of its own: if paper were counted too, all of it
 * would become ink.
 */
function chooseTones(all: Float64Array, solid: Float64Array | undefined): Float64Array {
  return solid && isShaded(solid) ? solid : all;
}

/** Flat art has at least this share of its pixels in `FLAT_INKS` inks, each `INK_REACH` gray levels to either side. */
const FLAT_SHARE = 0.75;
const FLAT_INKS = 6;
const INK_REACH = 3;

/**
 * Returns true for a shaded picture: a few inks, each with its noise, do not hold most of its pixels, as they do in
 * flat art.
 */
function isShaded(tones: Float64Array): boolean {
  const left = tones.slice();
  let total = 0;
  for (let i = 0; i < 256; i++) total += left[i];
  let pixelsInInks = 0;
  for (let ink = 0; ink < FLAT_INKS; ink++) {
    let most = 0;
    let at = 0;
    for (let i = 0; i < 256; i++) {
      const sum = sumAround(left, i);
      if (sum > most) {
        most = sum;
        at = i;
      }
    }
    pixelsInInks += most;
    left.fill(0, Math.max(0, at - INK_REACH), at + INK_REACH + 1);
  }
  return pixelsInInks < FLAT_SHARE * total;
}

function sumAround(tones: Float64Array, at: number): number {
  let sum = 0;
  for (let i = Math.max(0, at - INK_REACH); i <= Math.min(255, at + INK_REACH); i++) sum += tones[i];
  return sum;
}

function otsu(histogram: Float64Array): number {
  let total = 0;
  let sum = 0;
  for (let i = 0; i < 256; i++) total += histogram[i];
  for (let i = 0; i < 256; i++) sum += i * histogram[i];
  let below = 0;
  let belowSum = 0;
  let best = -1;
  let first = 128;
  let last = 128;
  for (let i = 0; i < 255; i++) {
    below += histogram[i];
    belowSum += i * histogram[i];
    if (below === 0 || below === total) continue;
    const gap = belowSum / below - (sum - belowSum) / (total - below);
    const score = below * (total - below) * gap * gap;
    if (score > best * (1 + 1e-12)) {
      best = score;
      first = i;
    }
    if (score >= best * (1 - 1e-12)) last = i;
  }
  return Math.floor((first + last) / 2) + 1;
}

function fullestLevel(histogram: Float64Array, from: number, to: number): number {
  let best = from === 0 ? 0 : 255;
  let most = 0;
  for (let i = from; i < to; i++) {
    let sum = 0;
    for (let k = Math.max(from, i - 2); k <= Math.min(to - 1, i + 2); k++) sum += histogram[k];
    if (sum > most) {
      most = sum;
      best = i;
    }
  }
  return best;
}
