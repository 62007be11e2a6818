import type { BoundaryMap } from '../boundary/boundary.ts';
import type { Curve } from '../geometry/segment.ts';
import type { Regions } from '../regions/regions.ts';
import type { Branch, Branches } from './branch.ts';
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
      const around = Math.hypot(x1 - x0, y1 - y0) + Math.hypot(x2 - x1, y2 - y1) + Math.hypot(x3 - x2, y3 - y2);
      const count = Math.ceil(isLine ? Math.hypot(x3 - x0, y3 - y0) : around);
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
        const length = Math.hypot(dx, dy);
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
  // By point and side of a branch: the number of offset points, the sums of their positions and of the inward normals.
  private readonly count: Float64Array;
  private readonly sumX: Float64Array;
  private readonly sumY: Float64Array;
  private readonly sumInX: Float64Array;
  private readonly sumInY: Float64Array;

  constructor(branches: Branches, skeleton: Skeleton, regions: Regions) {
    this.branches = branches;
    this.skeleton = skeleton;
    this.regions = regions;
    const size = 2 * branches.x.length;
    this.count = new Float64Array(size);
    this.sumX = new Float64Array(size);
    this.sumY = new Float64Array(size);
    this.sumInX = new Float64Array(size);
    this.sumInY = new Float64Array(size);
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

  /** Moves the points of branches to where the outlines lead. Sets `pens` to NaN for regions that no even pen drew. */
  private move(outline: OutlineSamples, pens: Float64Array): void {
    const { list } = this.branches;
    const counts = this.addOffsets(outline, pens, this.countDegrees(pens));
    list.forEach((branch, b) => {
      const own = counts.get(branch.region);
      if (!(pens[b] > 0) || !own || own.inside < LEAST_EVEN * own.all) pens[b] = NaN;
    });
    this.averageOffsets();
    const exactWidths = this.measureWidths(pens);
    list.forEach((branch, b) => {
      if (pens[b] > 0) this.movePoints(branch, pens[b], exactWidths.get(pens[b]) as number);
    });
  }

  /** Returns the number of branches at each node of the skeleton, without spurs, which are not lines that meet. */
  private countDegrees(pens: Float64Array): Uint8Array {
    const { edges, nodes } = this.skeleton;
    const { list } = this.branches;
    const degree = new Uint8Array(nodes.length);
    for (const { start, end } of edges) {
      if (start >= 0) degree[start]++;
      if (end >= 0) degree[end]++;
    }
    const isLoose = (node: number): boolean => node >= 0 && degree[node] === 1;
    edges.forEach(({ start, end }, b) => {
      if (start < 0 || list[b].length > 0.65 * pens[b] + 1.6) return;
      if (isLoose(start) && end >= 0) degree[end]--;
      else if (isLoose(end)) degree[start]--;
    });
    return degree;
  }

  /**
   * Offsets every point of the outlines inward by half a pen, and adds it to the sums of the nearest point of a branch.
   * Returns, for each region, the number of its outline points and of those where the pen stays inside the ink.
   */
  private addOffsets(
    outline: OutlineSamples,
    pens: Float64Array,
    degree: Uint8Array,
  ): Map<number, { all: number; inside: number }> {
    const { list } = this.branches;
    const { edges } = this.skeleton;
    const { x, y, inX, inY, region, depth } = outline;
    const counts = new Map<number, { all: number; inside: number }>();
    const penOf = new Map<number, number>();
    list.forEach((branch, b) => {
      if (pens[b] > 0 && !penOf.has(branch.region)) penOf.set(branch.region, pens[b]);
    });
    for (let k = 0; k < x.length; k++) {
      let pen = penOf.get(region[k]) ?? NaN;
      if (!(pen > 0)) continue;
      const own = counts.get(region[k]) ?? { all: 0, inside: 0 };
      own.all++;
      counts.set(region[k], own);
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
      own.inside++;
      const b = this.branchOf[place];
      const { from, to, start, end } = edges[b];
      const meetsBefore = start >= 0 && degree[start] > 2;
      const meetsAfter = end >= 0 && degree[end] > 2;
      const { x: runX, y: runY } = this.directionNear(b, place, meetsBefore ? pen >> 2 : 0, meetsAfter ? pen >> 2 : 0);
      // Beside a meeting, the offset point of another line may be nearest to this one.
      const isBesideMeeting = (meetsBefore && place - from < pen) || (meetsAfter && to - place < pen);
      const askew = Math.abs(runX * inX[k] + runY * inY[k]) / (Math.hypot(runX, runY) || 1);
      if (isBesideMeeting && askew > MOST_ASKEW) continue;
      const side = runX * inY[k] - runY * inX[k] > 0 ? 1 : 0;
      const at = list[b].from + Math.round(((place - from) * (list[b].to - list[b].from)) / Math.max(1, to - from));
      const i = 2 * at + side;
      this.count[i]++;
      this.sumX[i] += px;
      this.sumY[i] += py;
      this.sumInX[i] += inX[k];
      this.sumInY[i] += inY[k];
    }
    return counts;
  }

  /**
   * Returns the direction of the skeleton around a place in its path, over 16 pixels of edge b. Leaves out the given
   * numbers of pixels at its start and end, where the skeleton leaves the center of the line near a meeting.
   */
  private directionNear(b: number, place: number, skipBefore: number, skipAfter: number): { x: number; y: number } {
    const { path, edges } = this.skeleton;
    const { from, to } = edges[b];
    const stride = this.regions.width;
    let low = from + skipBefore;
    let high = to - skipAfter;
    if (high - low < 8) {
      low = from;
      high = to;
    }
    const before = path[Math.max(low, Math.min(place - 8, high - 8))];
    const after = path[Math.min(high, Math.max(place + 8, low + 8))];
    return {
      x: (after % stride) - (before % stride),
      y: Math.floor(after / stride) - Math.floor(before / stride),
    };
  }

  /** Turns the sums into mean positions and unit normals. */
  private averageOffsets(): void {
    const { count, sumX, sumY, sumInX, sumInY } = this;
    for (let i = 0; i < count.length; i++) {
      if (count[i] === 0) continue;
      sumX[i] /= count[i];
      sumY[i] /= count[i];
      const length = Math.hypot(sumInX[i], sumInY[i]) || 1;
      sumInX[i] /= length;
      sumInY[i] /= length;
    }
  }

  /** Returns the exact width of each pen, measured at points with both sides. */
  private measureWidths(pens: Float64Array): Map<number, number> {
    const { count, sumX, sumY, sumInX, sumInY } = this;
    const widthsOf = new Map<number, number[]>();
    this.branches.list.forEach(({ from, to }, b) => {
      if (!(pens[b] > 0)) return;
      const widths = widthsOf.get(pens[b]) ?? [];
      widthsOf.set(pens[b], widths);
      for (let k = from; k <= to; k++) {
        const p = 2 * k;
        const q = p + 1;
        if (count[p] === 0 || count[q] === 0 || count[p] > 3 || count[q] > 3) continue;
        const nx = sumInX[q] - sumInX[p];
        const ny = sumInY[q] - sumInY[p];
        const length = Math.hypot(nx, ny);
        if (length < 1.9) continue; // not opposite one another
        const apart = ((sumX[q] - sumX[p]) * nx + (sumY[q] - sumY[p]) * ny) / length;
        if (Math.abs(apart) < 0.12 * pens[b] + 0.7) widths.push(pens[b] - apart);
      }
    });
    const exactWidths = new Map<number, number>();
    for (const [pen, widths] of widthsOf) exactWidths.set(pen, widths.length > 0 ? medianOf(widths) : pen);
    return exactWidths;
  }

  /** Moves the points of a branch to the mean of their offset points, corrected from width `pen` to the exact width. */
  private movePoints(branch: Branch, pen: number, width: number): void {
    const { x, y, width: widths, isGood } = this.branches;
    const { count, sumX, sumY, sumInX, sumInY } = this;
    branch.isEven = true;
    branch.width = width;
    const more = (width - pen) / 2;
    for (let k = branch.from; k <= branch.to; k++) {
      isGood[k] = 0;
      widths[k] = width;
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
        const apart = Math.hypot(sumX[p] - sumX[q], sumY[p] - sumY[q]);
        if (apart > 0.1 * width + 1.5) continue; // two lines that merge
      }
      x[k] = px / sides;
      y[k] = py / sides;
      isGood[k] = 1;
    }
  }
}

function medianOf(values: number[]): number {
  const ascending = Float64Array.from(values).sort();
  return ascending.length > 0 ? ascending[ascending.length >> 1] : NaN;
}
