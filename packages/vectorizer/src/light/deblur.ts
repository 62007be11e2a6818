import { quantileOf } from './cells.ts';
import { blurBy, coverOf, gaussian, leastAround } from './cover.ts';
import type { Mixes } from './mixes.ts';

/** Pixels whose cover is this near to a half lie at an edge, */
const AT_EDGE = 0.15;
/** and this many of them tell how wide the blur is. */
const LEAST_EDGES = 60;
/** Thin strokes and close ones are flatter than edges that stand alone: these are the steepest. */
const STEEPEST = 0.85;
/** Half of the width of the step between neighbors, in standard deviations, by the step, in tenths. */
const DEVIATIONS = [0, 0.1257, 0.2533, 0.3853, 0.5244, 0.6745, 0.8416, 1.0364, 1.2816, 1.6449, 2.4];
/** A pixel's own area blurs by this variance, which no sharper grid of pixels could lose. */
const OF_PIXEL = 1 / 12;
/** Less blur than this is not worth its removal, in pixels; more is not known well enough. */
const LEAST_BLUR = 0.5;
const MOST_BLUR = 1.5;
const ROUNDS = 6;
/** Within a broad shape, where all cover is at least this, glare and noise lighten ink, not gaps. */
const SOLID = 0.6;

/**
 * Takes the blur out of the shares of ink on paper: what is between two strokes, or within a small letter, is brighter
 * than it seems. The edges that stand alone tell how wide the blur is. Then the shares whose blur gives the picture are
 * sought by steps against what is missing (Van Cittert 1931), each kept between no ink and ink, as there is nothing
 * else (Jansson 1970). An edge that stands alone stays where it is. Linear in pixels.
 */
export function deblur(mixes: Mixes): void {
  const { width, height, first, second, share } = mixes;
  const cover = coverOf(mixes);
  const blur = measureBlur(cover, width, height);
  if (blur < LEAST_BLUR) return;
  const kernel = gaussian(Math.min(MOST_BLUR, blur));
  const sharp = cover.slice();
  for (let round = 0; round < ROUNDS; round++) {
    const image = blurBy(kernel, sharp, width, height);
    for (let p = 0; p < sharp.length; p++) {
      const next = sharp[p] + cover[p] - image[p];
      sharp[p] = next < 0 ? 0 : next > 1 ? 1 : next;
    }
  }
  const leastNear = leastAround(leastAround(cover, width, height), width, height);
  for (let p = 0; p < share.length; p++) {
    if ((first[p] === 0) === (second[p] === 0) || leastNear[p] >= SOLID) continue;
    share[p] = first[p] === 0 ? 1 - sharp[p] : sharp[p];
  }
}

/** Returns the standard deviation of the blur at the edges of ink on paper, in pixels; 0 where too few tell. */
function measureBlur(cover: Float32Array, width: number, height: number): number {
  const steps: number[] = [];
  for (let y = 1; y < height - 1; y++) {
    for (let x = 1; x < width - 1; x++) {
      const p = y * width + x;
      if (Math.abs(cover[p] - 0.5) > AT_EDGE) continue;
      steps.push(Math.hypot(cover[p + 1] - cover[p - 1], cover[p + width] - cover[p - width]));
    }
  }
  if (steps.length < LEAST_EDGES) return 0;
  const step = Math.min(0.999, quantileOf(Float32Array.from(steps), STEEPEST)) * 10;
  const k = Math.floor(step);
  const deviations = DEVIATIONS[k] + (DEVIATIONS[k + 1] - DEVIATIONS[k]) * (step - k);
  return Math.sqrt(Math.max(0, 1 / (deviations * deviations) - OF_PIXEL));
}
