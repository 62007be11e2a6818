import type { BoundaryMap, Chain } from './boundary.ts';
import { OUTSIDE } from './boundary.ts';
import { findCorners, settleEnds } from './corners.ts';
import { fitClosed, fitOpen } from './fit.ts';
import { placeJunctions } from './junctions.ts';
import type { Quantized } from './labels.ts';
import type { Located } from './locate.ts';
import { locateAll, measureJitter } from './locate.ts';
import type { Regions } from './regions.ts';
import type { Curve, Segment } from './segment.ts';
import { lineTo } from './segment.ts';
import { Strand } from './strand.ts';

/**
 * The last stage before output looks for as few nodes as explain the picture: `locate.ts` finds where each boundary is, `junctions.ts` where
 * boundaries meet, `corners.ts` where they turn, and `fit.ts` draws lines and cubics between those.
 */
export interface CurveSettings {
  tolerancePx: number | undefined;
  toleranceScale: number;
  noise: number;
}

/** Fits every chain of the map: junctions first, then corners, straight runs, and as few cubics as the tolerance allows. */
export function fitChains(map: BoundaryMap, regions: Regions, quantized: Quantized, settings: CurveSettings): Curve[] {
  const palette = quantized.measuredPalette;
  const located = locateAll(map, regions.labels, quantized, settings.noise);
  const junctions = placeJunctions(map, located);
  let longest = 0;
  for (let k = 0; k < map.chains.length; k++) longest = Math.max(longest, located.from[k + 1] - located.from[k]);
  const strand = new Strand(longest + 64);
  const floor = measureJitter(map, located);
  return map.chains.map((chain, index) => {
    if (chain.left === OUTSIDE || chain.right === OUTSIDE) return followBorder(map, chain, junctions);
    const a = regions.labelOf[chain.left] * 4;
    const b = regions.labelOf[chain.right] * 4;
    const contrast = Math.hypot(
      palette[a] - palette[b],
      palette[a + 1] - palette[b + 1],
      palette[a + 2] - palette[b + 2],
      palette[a + 3] - palette[b + 3],
    );
    const jitter = Math.max(floor, Math.min(0.3, (1.3 * settings.noise) / contrast));
    const tolerance = settings.tolerancePx ?? (0.04 + 2 * jitter) * settings.toleranceScale;
    strand.reset(tolerance, jitter);
    return fitChain(strand, located, index, chain, junctions);
  });
}

function fitChain(strand: Strand, located: Located, index: number, chain: Chain, junctions: Float64Array): Curve {
  const from = located.from[index];
  const to = located.from[index + 1];
  if (chain.start < 0) {
    for (let k = from; k < to; k++) strand.push(located.x[k], located.y[k], located.weight[k]);
    return fitClosed(strand);
  }
  const startX = junctions[chain.start * 2];
  const startY = junctions[chain.start * 2 + 1];
  const endX = junctions[chain.end * 2];
  const endY = junctions[chain.end * 2 + 1];
  strand.push(startX, startY, 1);
  for (let k = from; k < to; k++) {
    const px = located.x[k];
    const py = located.y[k];
    if (Math.hypot(px - startX, py - startY) < 1.3 || Math.hypot(px - endX, py - endY) < 1.3) continue;
    strand.push(px, py, located.weight[k]);
  }
  strand.push(endX, endY, 1);
  strand.discountGridEdges();
  strand.measure();
  return fitOpen(strand, findCorners(strand, true));
}

/** The points of a path from anywhere, in pixels, with how far each can be trusted, 0..1. */
export interface WeightedPoints {
  x: ArrayLike<number>;
  y: ArrayLike<number>;
  weight: ArrayLike<number>;
}

/**
 * Fits any list of points about a pixel apart as a chain is fitted. `closed` points go once around, without a copy of the first; the ends
 * of open ones are fitted like the rest and not held where they are. `tolerance` is the largest distance of the curve from the points and
 * `jitter` their standard deviation about the true line, in px. Linear in the points.
 */
export function fitPoints(points: WeightedPoints, closed: boolean, tolerance: number, jitter: number): Curve {
  const { x, y, weight } = points;
  const strand = new Strand(x.length + 64);
  strand.reset(tolerance, jitter);
  strand.mayCross = true;
  for (let k = 0; k < x.length; k++) strand.push(x[k], y[k], weight[k]);
  if (closed) return fitClosed(strand);
  settleEnds(strand);
  strand.discountGridEdges();
  strand.measure();
  return fitOpen(strand, findCorners(strand, true));
}

/** Along the edge of the picture a chain is straight, with a corner at the picture's corners. */
function followBorder(map: BoundaryMap, chain: Chain, junctions: Float64Array): Curve {
  const { width, height, path } = map;
  const stride = width + 1;
  const corners = [0, width, height * stride, height * stride + width];
  const segments: Segment[] = [];
  const first = path[chain.from];
  const startX = chain.start >= 0 ? junctions[chain.start * 2] : first % stride;
  const startY = chain.start >= 0 ? junctions[chain.start * 2 + 1] : Math.floor(first / stride);
  for (let k = chain.from + 1; k < chain.to; k++) {
    if (corners.includes(path[k])) segments.push(lineTo(path[k] % stride, Math.floor(path[k] / stride)));
  }
  if (chain.end >= 0) segments.push(lineTo(junctions[chain.end * 2], junctions[chain.end * 2 + 1]));
  else segments.push(lineTo(startX, startY));
  return { x: startX, y: startY, segments };
}
