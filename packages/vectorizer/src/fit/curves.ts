import type { BoundaryMap, Chain } from '../boundary/boundary.ts';
import { OUTSIDE } from '../boundary/boundary.ts';
import { placeJunctions } from '../boundary/junctions.ts';
import type { BoundaryPoints } from '../boundary/locate.ts';
import { locateAll, measureJitter } from '../boundary/locate.ts';
import type { LabelMap } from '../color/labels.ts';
import { hypot } from '../geometry/hypot.ts';
import type { Curve, Segment } from '../geometry/segment.ts';
import { lineTo } from '../geometry/segment.ts';
import type { Regions } from '../regions/regions.ts';
import { findCorners, settleEnds } from './corners.ts';
import { fitClosed, fitOpen } from './fit.ts';
import { Strand } from './strand.ts';

/**
 * Fits curves with as few nodes as explain the picture: `locate.ts` finds the boundaries, `junctions.ts` places their
 * junctions, `corners.ts` finds their corners, and `fit.ts` fits lines and cubics between those.
 */
/** The planar map of a picture with the curve of each chain. */
export interface CurveMap {
  map: BoundaryMap;
  curves: Curve[];
  regions: Regions;
}

/** How exactly the curves follow the boundaries. */
export interface CurveSettings {
  tolerancePx: number | undefined;
  /** Factor of the tolerance that is found from the noise, when `tolerancePx` is undefined. */
  toleranceScale: number;
  /** In byte levels. */
  noise: number;
  /** True when most of the noise is ringing that lossy compression leaves beside edges. */
  isLossy: boolean;
}

/**
 * Fits every chain of the map: junctions first, then corners, straight runs, and as few cubics as the tolerance allows.
 */
export function fitChains(map: BoundaryMap, regions: Regions, labelMap: LabelMap, settings: CurveSettings): Curve[] {
  const palette = labelMap.mixPalette;
  const points = locateAll(map, regions.labels, labelMap, settings.noise);
  const junctions = placeJunctions(map, points, settings.noise === 0);
  let longest = 0;
  for (let k = 0; k < map.chains.length; k++) longest = Math.max(longest, points.from[k + 1] - points.from[k]);
  const strand = new Strand(longest + 64);
  const floor = measureJitter(map, points);
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
    const waver = settings.isLossy ? Math.max(jitter, measureWaver(points, index)) : jitter;
    const tolerance = settings.tolerancePx ?? (0.04 + 2 * waver) * settings.toleranceScale;
    strand.reset(tolerance, jitter, waver);
    return fitChain(strand, points, index, chain, junctions);
  });
}

function fitChain(strand: Strand, points: BoundaryPoints, index: number, chain: Chain, junctions: Float64Array): Curve {
  const from = points.from[index];
  const to = points.from[index + 1];
  if (chain.start < 0) {
    for (let k = from; k < to; k++) strand.push(points.x[k], points.y[k], points.weight[k]);
    return fitClosed(strand);
  }
  const startX = junctions[chain.start * 2];
  const startY = junctions[chain.start * 2 + 1];
  const endX = junctions[chain.end * 2];
  const endY = junctions[chain.end * 2 + 1];
  strand.push(startX, startY, 1);
  for (let k = from; k < to; k++) {
    const px = points.x[k];
    const py = points.y[k];
    if (hypot(px - startX, py - startY) < 1.3 || hypot(px - endX, py - endY) < 1.3) continue;
    strand.push(px, py, points.weight[k]);
  }
  strand.push(endX, endY, 1);
  strand.discountGridEdges();
  strand.measure();
  return fitOpen(strand, findCorners(strand, true));
}

/** The largest waver that counts as noise, in px, and the least number of samples it is measured from. */
const MOST_WAVER = 0.2;
const LEAST_SAMPLES = 20;
/** Share of the waver that fits may deviate by, as they follow some of it. */
const WAVER_SHARE = 0.8;
/** Histogram of distances in bins of 1/256 px. */
const bins = new Uint32Array(128);

/**
 * Returns the waver of a chain, its correlated scatter, in px. Compression moves neighboring points together, and
 * farther where two colors differ in hue than where they differ in lightness. The distance of a point from its direct
 * neighbors does not show this, so points two apart are compared. The increase for points four apart is due to the
 * shape of the chain and is subtracted.
 */
function measureWaver(points: BoundaryPoints, index: number): number {
  const near = scatterOver(points, index, 2);
  if (near === 0) return 0;
  const far = scatterOver(points, index, 4);
  const square = near * near - Math.max(0, far * far - near * near) / 6;
  return square > 0 ? Math.min(MOST_WAVER, WAVER_SHARE * Math.sqrt(square)) : 0;
}

/**
 * Returns the fourth-order difference of points `lag` apart as a standard deviation, in px; 0 when there are too few.
 */
function scatterOver({ x, y, from }: BoundaryPoints, index: number, lag: number): number {
  const reach = 2 * lag;
  bins.fill(0);
  let total = 0;
  for (let k = from[index] + reach; k < from[index + 1] - reach; k++) {
    const dx = x[k + reach] - x[k - reach];
    const dy = y[k + reach] - y[k - reach];
    const length = hypot(dx, dy);
    // level edges show no scatter
    if (length < 2.5 * lag || Math.min(Math.abs(dx), Math.abs(dy)) < 0.15 * length) continue;
    const ex = x[k] - (4 * (x[k - lag] + x[k + lag]) - (x[k - reach] + x[k + reach])) / 6;
    const ey = y[k] - (4 * (y[k - lag] + y[k + lag]) - (y[k - reach] + y[k + reach])) / 6;
    bins[Math.min(127, Math.floor((Math.abs(ex * dy - ey * dx) / length) * 256))]++;
    total++;
  }
  if (total < LEAST_SAMPLES) return 0;
  let below = bins[0];
  let bin = 0;
  while (2 * below < total) below += bins[++bin];
  return (bin + 0.5) / 256 / (0.6745 * 1.395);
}

/** The points of any path, in pixels, with weights 0..1. */
export interface WeightedPoints {
  x: ArrayLike<number>;
  y: ArrayLike<number>;
  weight: ArrayLike<number>;
}

/**
 * Fits a list of points about a pixel apart in the way of a chain. With `isClosed`, the points go once around, without
 * a copy of the first. The ends of open lists are fitted like the other points and are not fixed. `tolerance` is the
 * largest distance of the curve from the points and `jitter` their standard deviation around the true line, in px.
 * Linear in the points.
 */
export function fitPoints(points: WeightedPoints, isClosed: boolean, tolerance: number, jitter: number): Curve {
  const { x, y, weight } = points;
  const strand = new Strand(x.length + 64);
  strand.reset(tolerance, jitter);
  strand.mayCross = true;
  for (let k = 0; k < x.length; k++) strand.push(x[k], y[k], weight[k]);
  if (isClosed) return fitClosed(strand);
  settleEnds(strand);
  strand.discountGridEdges();
  strand.measure();
  return fitOpen(strand, findCorners(strand, true));
}

/** Returns the curve of a chain along the edge of the picture: straight, with corners at the picture's corners. */
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
