import type { LabelMap } from '../color/labels.ts';
import type { Ramps } from '../color/paint.ts';
import { paintAt } from '../color/paint.ts';
import { hypot } from '../geometry/hypot.ts';
import { writeLuma } from '../pixels/bitmap.ts';
import type { BoundaryMap, Chain } from './boundary.ts';
import { OUTSIDE } from './boundary.ts';

/** Scatter of boundary points that coarse sampling in common renderers causes, in px. */
const LEAST_JITTER = 0.028;

/** The sub-pixel boundary points of all chains, in px, one chain after another. */
export interface BoundaryPoints {
  x: Float32Array;
  y: Float32Array;
  weight: Float32Array;
  /** First point of each chain, and the number of points at the end. */
  from: Uint32Array;
}

/**
 * Locates the boundary of every chain except those along the border of the picture. `noise` is in byte levels. Linear
 * in the length of the chains.
 */
export function locateAll(map: BoundaryMap, labels: Uint16Array, labelMap: LabelMap, noise: number): BoundaryPoints {
  const { chains, path } = map;
  let longest = 0;
  for (const chain of chains) longest = Math.max(longest, chain.to - chain.from);
  const points = createPoints(longest + 1);
  const scan = new EdgeScan(labels, labelMap, noise);
  const x = new Float32Array(path.length);
  const y = new Float32Array(path.length);
  const weight = new Float32Array(path.length);
  const from = new Uint32Array(chains.length + 1);
  let pointCount = 0;
  chains.forEach((chain, index) => {
    from[index] = pointCount;
    if (chain.left === OUTSIDE || chain.right === OUTSIDE) return;
    locate(map, chain, scan, points);
    copyPoints(points, x, y, weight, pointCount);
    pointCount += points.count;
  });
  from[chains.length] = pointCount;
  return { x, y, weight, from };
}

function copyPoints(points: Points, x: Float32Array, y: Float32Array, weight: Float32Array, at: number): void {
  for (let k = 0; k < points.count; k++) {
    x[at + k] = points.x[k];
    y[at + k] = points.y[k];
    weight[at + k] = points.weight[k];
  }
}

/**
 * Returns the scatter of boundary points around a smooth line, in px: the median distance of a point from the curve
 * through its four neighbors, as a standard deviation. Renderers sample edges coarsely, so even clean art has some.
 */
export function measureJitter(map: BoundaryMap, points: BoundaryPoints): number {
  const bins = new Uint32Array(256); // of 1/256 px
  let total = 0;
  map.chains.forEach((_, index) => {
    const from = points.from[index] + 2;
    const to = points.from[index + 1] - 2;
    for (let k = from; k < to; k++) {
      const { x, y } = points;
      const dx = x[k + 2] - x[k - 2];
      const dy = y[k + 2] - y[k - 2];
      const length = hypot(dx, dy);
      if (length < 2 || Math.min(Math.abs(dx), Math.abs(dy)) < 0.15 * length) continue; // level edges show no scatter
      // Fourth-order difference: insensitive to constant curvature, with a variance of 1 + 4/9·2 + 1/36·2 times that of
      // a point.
      const ex = x[k] - (4 * (x[k - 1] + x[k + 1]) - (x[k - 2] + x[k + 2])) / 6;
      const ey = y[k] - (4 * (y[k - 1] + y[k + 1]) - (y[k - 2] + y[k + 2])) / 6;
      bins[Math.min(255, Math.floor((Math.abs(ex * dy - ey * dx) / length) * 256))]++;
      total++;
    }
  });
  let below = 0;
  for (let bin = 0; bin < 256; bin++) {
    below += bins[bin];
    if (below * 2 >= total) return Math.min(0.25, Math.max(LEAST_JITTER, (bin + 0.5) / 256 / (0.6745 * 1.395)));
  }
  return LEAST_JITTER;
}

/** Scratch of `locate`: the points of one chain, in pixels, and their weights, 0..1. */
interface Points {
  x: Float64Array;
  y: Float64Array;
  weight: Float64Array;
  count: number;
}

function createPoints(capacity: number): Points {
  return {
    x: new Float64Array(capacity),
    y: new Float64Array(capacity),
    weight: new Float64Array(capacity),
    count: 0,
  };
}

/** How far from the lattice the boundary is searched, in pixels. */
const REACH = 4;

/**
 * Locates the boundary of a chain to a small fraction of a pixel.
 *
 * A pixel on the edge between colors a and b has the share α = (p - b)·(a - b) / |a - b|² of a. Along a row (or a
 * column where the chain is flatter), these shares add up to the length of a in that row, so their sum gives the mean
 * position of the boundary over the row. This is exact for a straight edge of any slope, where an interpolated level
 * line is up to 0.09 px off. When a side is so thin that none of its pixels is pure, its fullest pixel is split between
 * its two edges.
 *
 * Writes one point per row or column crossed. Linear in the length of the chain.
 */
function locate(map: BoundaryMap, chain: Chain, scan: EdgeScan, out: Points): void {
  const { path, width, height } = map;
  const { from, to } = chain;
  const stride = width + 1;
  const length = to - from;
  const isClosed = chain.start < 0;
  out.count = 0;

  for (let k = 0; k < length; k++) {
    const a = path[from + k];
    const b = path[from + k + 1];
    const back = isClosed ? path[from + ((k - 2 + length) % length)] : path[from + Math.max(0, k - 2)];
    const ahead = isClosed ? path[from + ((k + 3) % length)] : path[from + Math.min(length, k + 3)];
    const runX = (ahead % stride) - (back % stride);
    const runY = Math.floor(ahead / stride) - Math.floor(back / stride);
    const isVertical = Math.abs(b - a) !== 1;
    if (isVertical ? Math.abs(runY) < Math.abs(runX) : Math.abs(runX) < Math.abs(runY)) continue;

    const x = Math.min(a % stride, b % stride);
    const y = Math.min(Math.floor(a / stride), Math.floor(b / stride));
    if (isVertical) {
      scan.run(y * width + x, 1, width - x, x);
      out.x[out.count] = x + scan.shift;
      out.y[out.count] = y + 0.5;
    } else {
      scan.run(y * width + x, width, height - y, y);
      out.x[out.count] = x + 0.5;
      out.y[out.count] = y + scan.shift;
    }
    out.weight[out.count++] = scan.weight;

    // On a diagonal, rows and columns give nearly the same points in any order: two points without progress along the
    // chain become one.
    const last = out.count - 1;
    if (last < 1) continue;
    const onward =
      ((out.x[last] - out.x[last - 1]) * runX + (out.y[last] - out.y[last - 1]) * runY) / (hypot(runX, runY) || 1);
    if (onward < 0.4) {
      out.x[last - 1] = (out.x[last - 1] + out.x[last]) / 2;
      out.y[last - 1] = (out.y[last - 1] + out.y[last]) / 2;
      out.weight[last - 1] = Math.max(out.weight[last - 1], out.weight[last]);
      out.count--;
    }
  }
}

class EdgeScan {
  shift = 0;
  weight = 1;
  private readonly data: Uint8ClampedArray;
  private readonly labels: Uint16Array;
  /** The entry of a gradient is its color at the pixel that `bring` read last. */
  private readonly palette: Float64Array;
  private readonly ramps: readonly (Ramps | undefined)[];
  private readonly width: number;
  private readonly isLuma: boolean;
  private readonly noise: number;

  constructor(labels: Uint16Array, labelMap: LabelMap, noise: number) {
    this.data = labelMap.mixPixels.data;
    this.labels = labels;
    this.ramps = labelMap.ramps;
    this.palette = this.ramps.length > 0 ? labelMap.mixPalette.slice() : labelMap.mixPalette;
    this.width = labelMap.mixPixels.width;
    this.isLuma = labelMap.mixPalette !== labelMap.palette;
    this.noise = noise;
  }

  /**
   * Finds the boundary across a crack and writes `shift` and `weight`. `plus` is the first pixel on the far side,
   * `step` the distance to the next one; `room` and `roomBack` are the numbers of pixels from `plus` on and before it.
   */
  run(plus: number, step: number, room: number, roomBack: number): void {
    const { labels, palette } = this;
    const far = labels[plus] * 4;
    const near = labels[plus - step] * 4;
    if (this.ramps.length > 0) {
      this.bring(far, plus);
      this.bring(near, plus - step);
    }
    let span = 0;
    for (let c = 0; c < 4; c++) span += (palette[near + c] - palette[far + c]) ** 2;
    this.span = span;
    this.pure = Math.min(0.25, 0.02 + (1.5 * this.noise) / Math.sqrt(span + 1));

    const forward = this.side(plus, step, Math.min(room, REACH), far, near);
    const forwardThin = this.thin;
    const forwardBefore = this.before;
    const forwardAfter = this.after;
    const backward = this.side(plus - step, -step, Math.min(roomBack, REACH), near, far);
    this.shift = forward - backward;
    this.weight = 1;
    // The foreign part of a thin side's fullest pixel lies beyond this edge in proportion to the area on that side.
    if (forwardThin > 0) {
      const before = forwardBefore + backward;
      this.shift += forwardThin * (before + forwardAfter > 1e-6 ? forwardAfter / (before + forwardAfter) : 0.5);
      this.weight = 0.5;
    }
    if (this.thin > 0) {
      const before = this.before + forward;
      this.shift -= this.thin * (before + this.after > 1e-6 ? this.after / (before + this.after) : 0.5);
      this.weight = 0.5;
    }
    if (this.shift > 1.5) this.shift = 1.5;
    else if (this.shift < -1.5) this.shift = -1.5;
  }

  // Results of `side`: the other color's share of a thin side's fullest pixel, and the amounts of its own color on
  // either side of that pixel.
  private thin = 0;
  // Of the current edge: the squared distance of its two colors, and the share below which a pixel is pure.
  private span = 0;
  private pure = 0;
  private before = 0;
  private after = 0;

  /**
   * Returns the sum of the other color's shares over the pixels of one side, from the crack to the first pure pixel.
   */
  private side(first: number, step: number, room: number, own: number, other: number): number {
    const { labels, span, pure } = this;
    this.thin = 0;
    let sum = 0;
    let last = 1;
    let pixel = first;
    const label = own >> 2;
    for (let k = 0; k < room; k++, pixel += step) {
      const share = labels[pixel] === label ? this.share(pixel, other, own, span) : 1;
      if (labels[pixel] !== label || share > last + pure) {
        // This side ends here at its other edge: the previous pixel is the fullest.
        sum -= last;
        this.thin = last;
        this.before = k - 1 - sum;
        this.after = this.remainder(pixel, step, room - k, own, other);
        return sum;
      }
      sum += share;
      if (share < pure) return sum;
      last = share;
    }
    return sum;
  }

  /** Returns the sum of the shares of `own` in the pixels past the fullest one. */
  private remainder(pixel: number, step: number, room: number, own: number, other: number): number {
    let sum = 0;
    let last = 1;
    for (let k = 0; k < room; k++, pixel += step) {
      const label = this.labels[pixel] * 4;
      const beyond = label === own ? other : label;
      let span = 0;
      for (let c = 0; c < 4; c++) span += (this.palette[own + c] - this.palette[beyond + c]) ** 2;
      const share = this.share(pixel, own, beyond, span);
      if (share > last || share < 0.02) break;
      sum += share;
      last = share;
    }
    return sum;
  }

  /** Returns the share of palette color `of` in a pixel whose rest is `rest`, 0..1. */
  private share(pixel: number, of: number, rest: number, span: number): number {
    const { data, palette } = this;
    if (this.ramps.length > 0) {
      this.bring(of, pixel);
      this.bring(rest, pixel);
      span = 0;
      for (let c = 0; c < 4; c++) span += (palette[of + c] - palette[rest + c]) ** 2;
    }
    const i = pixel * 4;
    let dot = 0;
    for (let c = 0; c < 4; c++) dot += (data[i + c] - palette[rest + c]) * (palette[of + c] - palette[rest + c]);
    const t = dot / (span || 1);
    return Math.max(0, Math.min(1, t));
  }

  /** Writes the color of a gradient at a pixel to the palette; `at` is four times its label. */
  private bring(at: number, pixel: number): void {
    const ramps = this.ramps[at >> 2];
    if (!ramps) return;
    const x = pixel % this.width;
    const { palette } = this;
    paintAt(ramps, x + 0.5, (pixel - x) / this.width + 0.5, palette, at);
    if (this.isLuma) writeLuma(palette[at], palette[at + 1], palette[at + 2], palette[at + 3], palette, at);
  }
}
