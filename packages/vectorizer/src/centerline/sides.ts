import type { BoundaryMap } from '../boundary/boundary.ts';
import { hypot } from '../geometry/hypot.ts';
import type { Curve } from '../geometry/segment.ts';
import type { Regions } from '../regions/regions.ts';
import type { Branches } from './branch.ts';
import type { Skeleton } from './skeleton.ts';

/** Lines at least this wide, in px, are measured by their outlines. */
const LEAST_WIDTH = 6;
/**
 * Finds the center of thick lines from their outlines.
 *
 * The ink of a round pen is the set of points within half a width of the pen's path, so the path is the outline offset
 * inward by half a width. This holds on bends, which rows and columns cross at an angle; around a round cap or join,
 * every point of which leads to the one point where the pen stopped or turned; and beside a crossing, where only the
 * far side of a line is visible. Square or pointed ends lead to points where the pen would stick out of the ink; those
 * are left out.
 *
 * Moves the points of thick branches there, and `isGood` marks those that could be moved. Other branches stay as they
 * were. Linear in the outlines and in the area of the thick lines.
 */
export function measureSides(
  branches: Branches,
  skeleton: Skeleton,
  regions: Regions,
  map: BoundaryMap,
  curves: Curve[],
): void {
  const isThick = new Uint8Array(regions.count);
  let hasThick = false;
  for (const { region, width } of branches.list) {
    if (!(width >= LEAST_WIDTH)) continue;
    isThick[region] = 1;
    hasThick = true;
  }
  if (hasThick) new Sides(branches, skeleton, regions).measure(map, curves, isThick);
}

/** Points of an outline with the inward unit normal. */
class OutlineSamples {
  readonly x: number[] = [];
  readonly y: number[] = [];
  readonly inX: number[] = [];
  readonly inY: number[] = [];
  readonly region: number[] = [];
  /** How far the ink continues in that direction, px. */
  readonly depth: number[] = [];

  /** Adds points a pixel apart along a curve whose region lies on its left (`turn` 1) or right (-1). */
  addCurve({ x, y, segments }: Curve, region: number, turn: number): void {
    let x0 = x;
    let y0 = y;
    for (const { isLine, x1, y1, x2, y2, x: x3, y: y3 } of segments) {
      const around = hypot(x1 - x0, y1 - y0) + hypot(x2 - x1, y2 - y1) + hypot(x3 - x2, y3 - y2);
      const count = Math.ceil(isLine ? hypot(x3 - x0, y3 - y0) : around);
      for (let k = 0; k < count; k++) {
        const v = (k + 0.5) / count;
        const u = 1 - v;
        let dx = x3 - x0;
        let dy = y3 - y0;
        let px = x0 + v * dx;
        let py = y0 + v * dy;
        if (!isLine) {
          px = u * u * u * x0 + 3 * u * u * v * x1 + 3 * u * v * v * x2 + v * v * v * x3;
          py = u * u * u * y0 + 3 * u * u * v * y1 + 3 * u * v * v * y2 + v * v * v * y3;
          dx = u * u * (x1 - x0) + 2 * u * v * (x2 - x1) + v * v * (x3 - x2);
          dy = u * u * (y1 - y0) + 2 * u * v * (y2 - y1) + v * v * (y3 - y2);
        }
        const length = hypot(dx, dy);
        if (length < 1e-9) continue;
        this.x.push(px);
        this.y.push(py);
        this.inX.push((turn * dy) / length);
        this.inY.push((-turn * dx) / length);
        this.region.push(region);
      }
      x0 = x3;
      y0 = y3;
    }
  }
}

/** A region is left unchanged when less than this share of its outline fits a pen of even width. */
const LEAST_EVEN = 0.7;
/** Beside a meeting, the inward normal of a line's outline is perpendicular to the line up to this much (the sine). */
const MOST_ASKEW = 0.45;
/** Directions in which the disc of a pen is tested against the ink. */
const SPOKES = 16;

class Sides {
  private readonly branches: Branches;
  private readonly skeleton: Skeleton;
  private readonly regions: Regions;
  /** By pixel: its index in the skeleton's path, or -1. */
  private readonly placeAt: Int32Array;
  /** By index in the skeleton's path: its branch. */
  private readonly branchOf: Int32Array;

  constructor(branches: Branches, skeleton: Skeleton, regions: Regions) {
    this.branches = branches;
    this.skeleton = skeleton;
    this.regions = regions;
    const { path, edges } = skeleton;
    this.placeAt = new Int32Array(regions.width * regions.height).fill(-1);
    this.branchOf = new Int32Array(path.length);
    edges.forEach(({ from, to }, b) => {
      for (let k = from; k <= to; k++) {
        this.placeAt[path[k]] = k;
        this.branchOf[k] = b;
      }
    });
  }

  measure(map: BoundaryMap, curves: Curve[], isThick: Uint8Array): void {
    const outline = new OutlineSamples();
    map.chains.forEach(({ left, right }, k) => {
      if (isThick[left]) outline.addCurve(curves[k], left, 1);
      if (isThick[right]) outline.addCurve(curves[k], right, -1);
    });
    const pens = this.findPens(outline);
    this.move(outline, pens);
  }

  /**
   * Returns the pen width of each branch, from the depth of the ink perpendicular to its outline; NaN when the width is
   * not even.
   */
  private findPens(outline: OutlineSamples): Float64Array {
    const { list } = this.branches;
    const { x, y, inX, inY, region, depth } = outline;
    const byRegion = new Map<number, number[]>();
    const byBranch: number[][] = list.map(() => []);
    for (let k = 0; k < x.length; k++) {
      const d = this.depthAt(x[k], y[k], inX[k], inY[k], region[k]);
      depth.push(d);
      const all = byRegion.get(region[k]);
      if (all) all.push(d);
      else byRegion.set(region[k], [d]);
      const place = this.nearestPlace(x[k] + (d / 2) * inX[k], y[k] + (d / 2) * inY[k], 3, region[k]);
      if (place >= 0) byBranch[this.branchOf[place]].push(d);
    }
    const usual = new Map<number, number>();
    for (const [r, depths] of byRegion) {
      const middle = medianOf(depths);
      const even = depths.filter((d) => d > 0.8 * middle && d < 1.25 * middle + 1).length;
      const isEven = even > 0.5 * depths.length;
      usual.set(r, isEven && middle >= LEAST_WIDTH ? middle : NaN);
    }
    return Float64Array.from(list, ({ region: r, length }, b) => {
      const pen = usual.get(r) ?? NaN;
      if (Number.isNaN(pen)) return NaN;
      const own = byBranch[b].length > Math.max(8, pen / 2) && length > 1.5 * pen ? medianOf(byBranch[b]) : pen;
      return Math.abs(own - pen) < 0.12 * pen + 0.7 ? pen : own;
    });
  }

  /** Returns how far the region continues from a point of its outline. */
  private depthAt(x: number, y: number, dx: number, dy: number, region: number): number {
    const { ids, width, height } = this.regions;
    let d = 1;
    for (; ; d += 0.5) {
      const px = Math.floor(x + d * dx);
      const py = Math.floor(y + d * dy);
      if (px < 0 || py < 0 || px >= width || py >= height || ids[py * width + px] !== region) break;
    }
    return d - 0.25;
  }

  /**
   * Returns the index in the skeleton's path nearest to (x, y), of the same region and within `reach`; -1 when there is
   * none.
   */
  private nearestPlace(x: number, y: number, reach: number, region: number): number {
    const { ids, width, height } = this.regions;
    const { placeAt } = this;
    const cx = Math.floor(x);
    const cy = Math.floor(y);
    let nearest = -1;
    let least = reach * reach;
    for (let ring = 0; ring <= reach && (ring - 0.5) ** 2 <= least; ring++) {
      for (let v = -ring; v <= ring; v++) {
        const py = cy + v;
        if (py < 0 || py >= height) continue;
        const step = Math.abs(v) === ring || ring === 0 ? 1 : 2 * ring;
        for (let u = -ring; u <= ring; u += step) {
          const px = cx + u;
          if (px < 0 || px >= width) continue;
          const i = py * width + px;
          if (placeAt[i] < 0 || ids[i] !== region) continue;
          const far = (px + 0.5 - x) ** 2 + (py + 0.5 - y) ** 2;
          if (far >= least) continue;
          least = far;
          nearest = placeAt[i];
        }
      }
    }
    return nearest;
  }

  /** Returns true when the disc of this radius around (x, y) lies within the region. */
  private holds(x: number, y: number, radius: number, region: number): boolean {
    const { ids, width, height } = this.regions;
    for (let k = 0; k < SPOKES; k++) {
      const a = (2 * Math.PI * k) / SPOKES;
      const px = Math.floor(x + radius * Math.cos(a));
      const py = Math.floor(y + radius * Math.sin(a));
      if (px < 0 || py < 0 || px >= width || py >= height || ids[py * width + px] !== region) return false;
    }
    return true;
  }

  /**
   * Moves the points of branches to where the outlines lead. It has more than 120 lines because its steps share the
   * sums of the offset points: add up, drop uneven regions, average, measure the exact widths, move the points.
   */
  private move(outline: OutlineSamples, pens: Float64Array): void {
    const { list, isGood } = this.branches;
    const { edges, path } = this.skeleton;
    const { x, y, inX, inY, region, depth } = outline;
    const stride = this.regions.width;
    const degree = new Uint8Array(this.skeleton.nodes.length);
    for (const { start, end } of edges) {
      if (start >= 0) degree[start]++;
      if (end >= 0) degree[end]++;
    }
    // Spurs are not lines that meet.
    const isLoose = (node: number): boolean => node >= 0 && degree[node] === 1;
    edges.forEach(({ start, end }, b) => {
      if (start < 0 || list[b].length > 0.65 * pens[b] + 1.6) return;
      if (isLoose(start) && end >= 0) degree[end]--;
      else if (isLoose(end)) degree[start]--;
    });
    const size = this.branches.x.length;
    // By point and side: the number of offset points, the sums of their positions and of the inward normals.
    const count = new Float64Array(2 * size);
    const sumX = new Float64Array(2 * size);
    const sumY = new Float64Array(2 * size);
    const sumInX = new Float64Array(2 * size);
    const sumInY = new Float64Array(2 * size);
    const tallies = new Map<number, { all: number; inside: number }>();
    const penOf = new Map<number, number>();
    list.forEach((branch, b) => {
      if (pens[b] > 0 && !penOf.has(branch.region)) penOf.set(branch.region, pens[b]);
    });
    for (let k = 0; k < x.length; k++) {
      let pen = penOf.get(region[k]) ?? NaN;
      if (!(pen > 0)) continue;
      const tally = tallies.get(region[k]) ?? { all: 0, inside: 0 };
      tally.all++;
      tallies.set(region[k], tally);
      let place = -1;
      for (let round = 0; round < 2; round++) {
        place = this.nearestPlace(x[k] + (pen / 2) * inX[k], y[k] + (pen / 2) * inY[k], 0.4 * pen + 2, region[k]);
        if (place < 0 || pens[this.branchOf[place]] === pen) break;
        pen = pens[this.branchOf[place]];
      }
      if (place < 0 || depth[k] < 0.9 * pen - 1) continue;
      const px = x[k] + (pen / 2) * inX[k];
      const py = y[k] + (pen / 2) * inY[k];
      if (!this.holds(px, py, 0.97 * (pen / 2) - 1, region[k])) continue;
      tally.inside++;
      const b = this.branchOf[place];
      const { from, to, start, end } = edges[b];
      // Near a meeting, the skeleton leaves the center of the line.
      let low = start >= 0 && degree[start] > 2 ? from + (pen >> 2) : from;
      let high = end >= 0 && degree[end] > 2 ? to - (pen >> 2) : to;
      if (high - low < 8) {
        low = from;
        high = to;
      }
      const before = path[Math.max(low, Math.min(place - 8, high - 8))];
      const after = path[Math.min(high, Math.max(place + 8, low + 8))];
      const runX = (after % stride) - (before % stride);
      const runY = Math.floor(after / stride) - Math.floor(before / stride);
      // Beside a meeting, the offset point of another line may be nearest to this one.
      const isBesideMeeting =
        (start >= 0 && place - from < pen && degree[start] > 2) || (end >= 0 && to - place < pen && degree[end] > 2);
      const askew = Math.abs(runX * inX[k] + runY * inY[k]) / (hypot(runX, runY) || 1);
      if (isBesideMeeting && askew > MOST_ASKEW) continue;
      const side = runX * inY[k] - runY * inX[k] > 0 ? 1 : 0;
      const at = list[b].from + Math.round(((place - from) * (list[b].to - list[b].from)) / Math.max(1, to - from));
      const i = 2 * at + side;
      count[i]++;
      sumX[i] += px;
      sumY[i] += py;
      sumInX[i] += inX[k];
      sumInY[i] += inY[k];
    }
    list.forEach((branch, b) => {
      const tally = tallies.get(branch.region);
      if (!(pens[b] > 0) || !tally || tally.inside < LEAST_EVEN * tally.all) pens[b] = NaN;
    });
    for (let i = 0; i < 2 * size; i++) {
      if (count[i] === 0) continue;
      sumX[i] /= count[i];
      sumY[i] /= count[i];
      const length = hypot(sumInX[i], sumInY[i]) || 1;
      sumInX[i] /= length;
      sumInY[i] /= length;
    }
    // Points with both sides give the exact width of the pen.
    const exact = new Map<number, number[]>();
    list.forEach(({ from, to }, b) => {
      if (!(pens[b] > 0)) return;
      const widths = exact.get(pens[b]) ?? [];
      exact.set(pens[b], widths);
      for (let k = from; k <= to; k++) {
        const p = 2 * k;
        const q = p + 1;
        if (count[p] === 0 || count[q] === 0 || count[p] > 3 || count[q] > 3) continue;
        const nx = sumInX[q] - sumInX[p];
        const ny = sumInY[q] - sumInY[p];
        const length = hypot(nx, ny);
        if (length < 1.9) continue; // not opposite one another
        const apart = ((sumX[q] - sumX[p]) * nx + (sumY[q] - sumY[p]) * ny) / length;
        if (Math.abs(apart) < 0.12 * pens[b] + 0.7) widths.push(pens[b] - apart);
      }
    });
    const trueWidth = new Map<number, number>();
    for (const [pen, widths] of exact) trueWidth.set(pen, widths.length > 0 ? medianOf(widths) : pen);

    list.forEach((branch, b) => {
      if (!(pens[b] > 0)) return;
      const pen = trueWidth.get(pens[b]) as number;
      branch.isEven = true;
      branch.width = pen;
      const more = (pen - pens[b]) / 2;
      for (let k = branch.from; k <= branch.to; k++) {
        isGood[k] = 0;
        this.branches.width[k] = pen;
        const p = 2 * k;
        const q = p + 1;
        if (count[p] + count[q] === 0) continue;
        let px = 0;
        let py = 0;
        let sides = 0;
        for (const i of [p, q]) {
          if (count[i] === 0) continue;
          px += sumX[i] + more * sumInX[i];
          py += sumY[i] + more * sumInY[i];
          sides++;
        }
        if (sides === 2) {
          const apart = hypot(sumX[p] - sumX[q], sumY[p] - sumY[q]);
          if (apart > 0.1 * pen + 1.5) continue; // two lines that merge
        }
        this.branches.x[k] = px / sides;
        this.branches.y[k] = py / sides;
        isGood[k] = 1;
      }
    });
  }
}

function medianOf(values: number[]): number {
  const ascending = Float64Array.from(values).sort();
  return ascending.length > 0 ? ascending[ascending.length >> 1] : NaN;
}
