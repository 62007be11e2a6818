import type { LabelMap } from '../color/labels.ts';
import type { Ramps } from '../color/paint.ts';
import { giveBack, makeInt32, makeUint8, makeUint16 } from '../geometry/memory.ts';
import type { Pixels } from '../pixels/bitmap.ts';
import { writeLuma } from '../pixels/bitmap.ts';
import { despeckle } from '../regions/despeckle.ts';
import type { Regions } from '../regions/regions.ts';
import { findRegions } from '../regions/regions.ts';
import { smoothBands } from './bands.ts';
import type { RampMap } from './growth.ts';
import { growRamps, SPLIT, settleEdges } from './growth.ts';
import { joinLeftovers, measureFlats } from './leftovers.ts';
import type { Pieces } from './pieces.ts';
import { findPieces, hasBorder, meanOf, measureBands, splitFlat, splitPiece, takeSamples } from './pieces.ts';
import { findDrifting, findShaded, LEAST_SHADING } from './shaded.ts';
import type { Samples, Shading } from './shading.ts';
import { errorOf, fitShading } from './shading.ts';
import type { SmoothnessTest } from './smoothness.ts';
import { createSmoothnessTest } from './smoothness.ts';

/** A picture whose shading the palette has cut into bands. */
export interface ShadedPicture {
  pixels: Pixels;
  regions: Regions;
  labelMap: LabelMap;
  /** Byte levels. */
  noise: number;
  minAreaPx: number;
  /** Fits ramps to the shading. Without it, all shading stays in bands. */
  gradients: boolean;
}

/** Regions, and the paints of their labels. */
export interface ShadedRegions {
  regions: Regions;
  paintMap: LabelMap;
}

/**
 * Joins the bands of smooth shading and paints them with ramps.
 *
 * A palette cuts shading into bands whose borders are nowhere in the picture. Where colors change gradually, the second
 * difference of neighboring pixels is about zero; on an edge it is not, however faint the edge. So pixels with a small
 * second difference are joined to smooth pieces, and each piece that its bands do not explain is fitted with ramps. The
 * edge pixels around it are then assigned once more, by the colors that the ramps have beside them. Flat art has no
 * such piece and passes unchanged.
 *
 * Strokes cut a shaded area into pieces, some of them too small to show a ramp. So a piece takes the ramps of a larger
 * one that explain it as well, and what is left of a band takes those of the rest of it.
 *
 * In noise, single pixels show no slope, but a fit to hundreds of them does. Pieces are then found in a blurred copy,
 * split with a stricter smoothness test where ramps do not explain them, grown into the surrounding pixels, and fitted
 * again to all their pixels. The bands of a piece that no ramp explains, or all without `gradients`, stay, with smooth
 * borders.
 */
export function findGradients({
  pixels,
  regions,
  labelMap,
  noise,
  minAreaPx,
  gradients,
}: ShadedPicture): ShadedRegions {
  const isShaded = noise > 0 ? findDrifting(pixels, regions, labelMap) : findShaded(pixels, regions, labelMap);
  if (!isShaded) return { regions, paintMap: labelMap };
  const smoothness = createSmoothnessTest(pixels, noise, regions, isShaded);
  const pieces = findPieces(smoothness, regions, isShaded);
  const labels = copyLabels(regions.labels);
  const firstRamp = labelMap.count;
  const shadings: Shading[] = [];
  const means: number[] = [];
  const ramps: RampMap = { labels, firstRamp, shadings, means };
  const sums = new Float64Array(firstRamp * 5);
  const fits = gradients ? fitPieces(smoothness, pieces, regions, sums) : [];
  shareRamps(fits);
  for (const { piece, samples, shading } of fits) {
    let ramp = shadings.indexOf(shading);
    if (ramp < 0) {
      ramp = shadings.push(shading) - 1;
      means.push(...meanOf(samples), 255);
    }
    for (let i = pieces.from[piece]; i < pieces.from[piece + 1]; i++) labels[pieces.order[i]] = firstRamp + ramp;
  }
  let hasRamps = means.length > 0;
  const bands = { regions, isShaded, flats: markFlats(pieces, labels.length) };
  if (hasRamps && noise > 0) {
    const seeds = copyLabels(labels);
    growRamps(bands, addPaints(labelMap, ramps), ramps, 3);
    hasRamps = refitRamps(pixels, regions, seeds, ramps, noise) > 0;
    giveBack(seeds);
  }
  const paintMap = hasRamps ? addPaints(labelMap, ramps) : labelMap;
  if (hasRamps) {
    joinLeftovers(pixels, bands, ramps, noise);
    growRamps(bands, paintMap, ramps, 1);
    measureFlats(pixels, regions, ramps, paintMap);
  }
  const isBanded = (k: number): boolean => {
    const { worst, bands: count } = measureBands(pieces, k, smoothness.pixels, regions, sums);
    return count > 1 && worst >= LEAST_SHADING + 2 * smoothness.noise * smoothness.noise;
  };
  const picture = { smoothness, pieces, regions, isShaded, labels, firstRamp, minAreaPx };
  const isChanged = noise > 0 && smoothBands(picture, isBanded);
  if (hasRamps) settleEdges(smoothness, pieces, bands, paintMap, ramps, noise);
  giveBack(pieces.order, pieces.pieceAt, bands.flats);
  if (smoothness.pixels !== pixels) giveBack(smoothness.pixels.data);
  if (!hasRamps && !isChanged) {
    giveBack(labels);
    return { regions, paintMap };
  }
  const newRegions = findRegions(labels, regions.width, regions.height);
  return { regions: despeckle(newRegions, paintMap, minAreaPx, 0, noise), paintMap };
}

/** Marks the pixels of the flat areas that were split from shading. */
function markFlats({ flat, order, from }: Pieces, size: number): Uint8Array {
  const flats = makeUint8(size);
  flat.forEach((isFlat, piece) => {
    for (let i = from[piece]; isFlat && i < from[piece + 1]; i++) flats[order[i]] = SPLIT;
  });
  return flats;
}

/** A smooth piece and the shading that explains it. */
interface PieceFit {
  piece: number;
  /** Pixels. */
  area: number;
  samples: Samples;
  shading: Shading;
}

/** Fits ramps to the pieces that are shaded, and splits those that no ramps explain. */
function fitPieces(smoothness: SmoothnessTest, pieces: Pieces, regions: Regions, sums: Float64Array): PieceFit[] {
  const { pixels, noise } = smoothness;
  const noiseError = 4 * noise * noise;
  const fits: PieceFit[] = [];
  for (let piece = 0; piece < pieces.count; piece++) {
    const samples = takeSamples(pixels, pieces, piece);
    if (samples.count < LEAST_SAMPLES) continue;
    const variation = measureBands(pieces, piece, pixels, regions, sums);
    if (!isShading(variation, noise)) continue;
    const shading = fitShading(samples, noise);
    // Several ramps may explain the page and what fades into it, but the page is not part of the shading.
    const isPage = shading.ramps.length > 1 && hasBorder(pieces, piece, pixels);
    if ((isPage || shading.error > GOOD_ENOUGH + noiseError) && splitFlat(smoothness, pieces, piece)) continue;
    if (noise > 0 && shading.error > POOR_ERROR + noiseError && splitPiece(smoothness, pieces, piece)) continue;
    const bar = variation.bands > 1 ? Math.min(GOOD_ENOUGH, variation.error) : 0;
    if (shading.error > Math.max(0.5 * variation.error, bar)) continue;
    fits.push({ piece, area: pieces.from[piece + 1] - pieces.from[piece], samples, shading });
  }
  return fits;
}

/** A ramp of a larger piece may explain a piece worse than its own, by this much in levels squared. */
const MOST_SHARED_ERROR = 1.5;
/** A piece is compared with at most so many of the largest pieces, so that the time is linear in the pieces. */
const MOST_SHARERS = 32;

/** Replaces the ramps of each piece by those of a larger piece that explain it as well: strokes cut one area in two. */
function shareRamps(fits: PieceFit[]): void {
  const byArea = [...fits].sort((p, q) => q.area - p.area);
  byArea.forEach((fit, k) => {
    let least = fit.shading.error + MOST_SHARED_ERROR;
    for (const { shading } of byArea.slice(0, Math.min(k, MOST_SHARERS))) {
      const error = errorOf(shading.ramps, fit.samples);
      if (error >= least) continue;
      least = error;
      fit.shading = shading;
    }
  });
}

/**
 * Returns true when a piece varies by more than its noise: in one of its larger bands; or, as narrow shading beside a
 * large flat area, in all of them together.
 */
function isShading({ error, worst, bands }: ReturnType<typeof measureBands>, noise: number): boolean {
  const variance = 2 * noise * noise;
  if (worst >= (bands > 1 ? LEAST_SHADING : 2 * LEAST_SHADING) + variance) return true;
  if (noise === 0 && bands > 1 && error > LEAST_BANDED) return true;
  return error > LEAST_SHADING + variance && error > 2 * worst;
}

/** In a clean picture, bands that explain a piece worse than this, in levels squared, are shading. */
const LEAST_BANDED = 0.7;

function copyLabels(labels: Uint16Array): Uint16Array {
  const copy = makeUint16(labels.length);
  copy.set(labels);
  return copy;
}

/**
 * Error in levels squared, in addition to that of the noise, above which a piece may contain more than one thing and is
 * split.
 */
const POOR_ERROR = 2;

/**
 * Fits the ramps again, to all their pixels except those near an edge. A ramp that does not explain them up to the
 * noise gives back the pixels it grew into, and is dropped if those were most of it: it was found in a texture. Returns
 * the number of remaining ramps.
 */
function refitRamps(
  pixels: Pixels,
  { width, height, labels: before }: Regions,
  seeds: Uint16Array,
  { labels, firstRamp, shadings, means }: RampMap,
  noise: number,
): number {
  const size = width * height;
  const from = new Array<number>(shadings.length + 1).fill(0);
  const pieceAt = makeInt32(size);
  const isInside = (p: number): boolean => {
    const x = p % width;
    const label = labels[p];
    if (label < firstRamp) return false;
    const row = EDGE * width;
    return (
      (x < EDGE || labels[p - EDGE] === label) &&
      (x >= width - EDGE || labels[p + EDGE] === label) &&
      (p < row || labels[p - row] === label) &&
      (p >= size - row || labels[p + row] === label)
    );
  };
  for (let p = 0; p < size; p++) {
    if (!isInside(p)) continue;
    pieceAt[p] = labels[p] - firstRamp + 1;
    from[pieceAt[p]]++;
  }
  for (let k = 1; k < from.length; k++) from[k] += from[k - 1];
  const order = makeInt32(from[shadings.length]);
  const next = from.slice();
  for (let p = 0; p < size; p++) if (pieceAt[p] > 0) order[next[pieceAt[p] - 1]++] = p;
  const pieces = { count: shadings.length, order, from, pieceAt, fineness: [], flat: [] };
  // The remaining noise is more than the filter estimates, because neighbors that are similar by chance confirm each
  // other.
  const filteredNoise = 1.5 * noise;
  const isPoor = new Uint8Array(shadings.length);
  let poor = 0;
  for (let k = 0; k < shadings.length; k++) {
    const samples = takeSamples(pixels, pieces, k);
    if (samples.count < LEAST_SAMPLES) continue;
    const shading = fitShading(samples, filteredNoise);
    if (shading.error > MOST_RAMP_ERROR + 3 * filteredNoise * filteredNoise) {
      isPoor[k] = 1;
      poor++;
      continue;
    }
    shadings[k] = shading;
    means.splice(4 * k, 3, ...meanOf(samples));
  }
  giveBack(pieceAt, order);
  if (poor === 0) return shadings.length;
  const seedCount = new Uint32Array(shadings.length);
  const totalCount = new Uint32Array(shadings.length);
  for (let p = 0; p < size; p++) {
    if (labels[p] < firstRamp) continue;
    totalCount[labels[p] - firstRamp]++;
    if (seeds[p] === labels[p]) seedCount[labels[p] - firstRamp]++;
  }
  let left = shadings.length - poor;
  for (let k = 0; k < shadings.length; k++) {
    if (isPoor[k] === 0 || seedCount[k] < LEAST_SEED_SHARE * totalCount[k]) continue;
    isPoor[k] = 2;
    left++;
  }
  for (let p = 0; p < size; p++) {
    const state = labels[p] < firstRamp ? 0 : isPoor[labels[p] - firstRamp];
    if (state !== 0) labels[p] = state === 2 ? seeds[p] : before[p];
  }
  return left;
}

/** Least share of its pixels that a ramp must have had before growing; with less, it grew over a texture. */
const LEAST_SEED_SHARE = 0.3;
/** Largest error of a ramp over all its pixels, in levels squared, in addition to that of the noise. */
const MOST_RAMP_ERROR = 6;
/** Pixels this close to an edge, in px, may be mixes. */
const EDGE = 3;

/**
 * A ramp with less error than this, in levels squared, is preferred to bands even if they fit as well: a ramp has no
 * borders.
 */
const GOOD_ENOUGH = 9;
/** Fewer samples than this are too few to fit a ramp. */
const LEAST_SAMPLES = 40;

/** Returns the palette with the ramps appended to its colors. */
function addPaints(labelMap: LabelMap, { shadings, means }: RampMap): LabelMap {
  const { count, palette, mixPalette } = labelMap;
  const ramps: (Ramps | undefined)[] = new Array(count).fill(undefined);
  for (const { ramps: own } of shadings) ramps.push(own);
  const newPalette = new Float64Array(count * 4 + means.length);
  newPalette.set(palette);
  newPalette.set(means, count * 4);
  if (mixPalette === palette)
    return { ...labelMap, count: ramps.length, palette: newPalette, mixPalette: newPalette, ramps };
  const newMixPalette = new Float64Array(newPalette.length);
  newMixPalette.set(mixPalette);
  for (let i = count * 4; i < newPalette.length; i += 4) {
    writeLuma(newPalette[i], newPalette[i + 1], newPalette[i + 2], newPalette[i + 3], newMixPalette, i);
  }
  return { ...labelMap, count: ramps.length, palette: newPalette, mixPalette: newMixPalette, ramps };
}
