import { toHex } from '../color/color.ts';
import type { Drawing, Layer, Path, Ring } from '../drawing.ts';
import { withRoom } from '../geometry/growable.ts';
import { lineTo } from '../geometry/segment.ts';
import type { Settings } from '../options.ts';
import type { Regions } from '../regions/regions.ts';
import type { Tones } from './tones.ts';

/**
 * Draws thousands of regions by the painter's algorithm: the large ones first, each extended under those painted later.
 * So every boundary is drawn once, by the region on top, and no gap shows between two regions.
 *
 * A shape is its region plus the ring of pixels around it that are painted over later. Where its outline borders on a
 * shape painted before, it follows the picture; where it will be hidden, it may lie anywhere near. The nodes are chosen
 * by dynamic programming over the whole outline (Perez and Vidal 1994), with the weights of the segmentation: a node
 * must save more squared error than its bits are worth, so a strong edge gets many nodes and a faint one few.
 */
export function paintOver(regions: Regions, tones: Tones, settings: Settings, width: number, height: number): Drawing {
  const { labelOf, areaOf } = regions;
  const { paints } = tones;
  const isOpen = settings.dropBackground ? findPage(regions, tones.count) : undefined;
  const order: number[] = [];
  let bottom = -1;
  for (let r = 0; r < regions.count; r++) {
    if (isOpen?.[r] || paints?.[labelOf[r]] === null) continue;
    order.push(r);
    if (bottom < 0 || areaOf[r] > areaOf[bottom]) bottom = r;
  }
  // Regions of similar size are ordered by tone, as those of one tone become one path.
  const sizeOf = (r: number): number => (r === bottom ? 64 : Math.floor(Math.log2(areaOf[r]) / 2));
  order.sort((p, q) => sizeOf(q) - sizeOf(p) || labelOf[p] - labelOf[q] || p - q);

  const outliner = new Outliner(regions, tones, order, settings, width, height);
  const layers: Layer[] = [];
  let last = -1;
  for (const region of order) {
    const rings = outliner.outline(region);
    const previous = last;
    last = region;
    const isSame = previous >= 0 && labelOf[previous] === labelOf[region] && sizeOf(previous) === sizeOf(region);
    const at = labelOf[region] * 4;
    const color = paints?.[labelOf[region]] ?? toHex(tones.palette[at], tones.palette[at + 1], tones.palette[at + 2]);
    const path: Path = { color, rings };
    if (settings.groupBy === 'color' && isSame) layers[layers.length - 1].paths[0].rings.push(...rings);
    else if (settings.groupBy === 'none' && layers.length > 0) layers[0].paths.push(path);
    else {
      const name = settings.groupBy === 'none' ? 'mixed' : color;
      layers.push({ id: `layer-${layers.length + 1}`, color: name, paths: [path] });
    }
  }
  return { width, height, lineArt: false, layers };
}

/** Returns the regions that touch the border and have the tone of most of it; undefined when no tone has most of it. */
function findPage({ width, height, ids, labelOf, count }: Regions, tones: number): Uint8Array | undefined {
  const touches = new Uint8Array(count);
  const borderCounts = new Uint32Array(tones);
  for (let i = 0; i < ids.length; i++) {
    const x = i % width;
    if (i >= width && i < ids.length - width && x > 0 && x < width - 1) continue;
    touches[ids[i]] = 1;
    borderCounts[labelOf[ids[i]]]++;
  }
  let page = 0;
  for (let k = 1; k < tones; k++) if (borderCounts[k] > borderCounts[page]) page = k;
  if (borderCounts[page] < (width + height) * 1.2) return undefined;
  for (let r = 0; r < count; r++) if (labelOf[r] !== page) touches[r] = 0;
  return touches;
}

function toRing(points: ArrayLike<number>): Ring {
  const ring: Ring = { x: points[0], y: points[1], segments: [] };
  for (let k = 2; k < points.length; k += 2) ring.segments.push(lineTo(points[k], points[k + 1]));
  ring.segments.push(lineTo(ring.x, ring.y));
  return ring;
}

/** Bits of a node in the file, minus an allowance for outlines that look drawn. */
const NODE_BITS = 8;
/** Weight of a hidden pixel of an outline, which is also the least weight, in units of λ. */
const HIDDEN = 2.5;
/** Largest number of points between two nodes. */
const SPAN = 32;
/** Weight that marks points on the border of the picture. */
const BORDER = -1;
/** Coordinates are written in tenths of a pixel. */
const GRID = 10;

// Directions along the lattice, clockwise on the screen.
const EAST = 0;
const STEP_X = [1, 0, -1, 0];
const STEP_Y = [0, 1, 0, -1];

class Outliner {
  private readonly regions: Regions;
  private readonly tones: Tones;
  private readonly width: number;
  private readonly height: number;
  /** Painting order of each region, from 1; 0 for regions left open. */
  private readonly rank: Uint32Array;
  /** The pixels of each region, one region after another. */
  private readonly pixels: Uint32Array;
  private readonly starts: Uint32Array;
  /**
   * Rank of the last shape that contained a pixel, and of the last one whose outline ran along the upper side of the
   * pixel.
   */
  private readonly stamp: Uint32Array;
  private readonly tracedBy: Uint32Array;
  private readonly shape: Uint32Array;
  private readonly hiddenWeight: number;
  private readonly nodeCost: number;
  // The outline being traced: one point per pixel side, with its weight, and the lattice point before it.
  private length = 0;
  private atX = new Float64Array(256);
  private atY = new Float64Array(256);
  private weight = new Float64Array(256);
  private latticeX = new Int32Array(256);
  private latticeY = new Int32Array(256);
  // The points to choose nodes from, and the prefix sums and costs of the dynamic program.
  private count = 0;
  private x = new Float64Array(0);
  private y = new Float64Array(0);
  private isFixed = new Uint8Array(0);
  private sums = new Float64Array(0);
  private cost = new Float64Array(0);
  private back = new Int32Array(0);

  constructor(regions: Regions, tones: Tones, order: number[], settings: Settings, width: number, height: number) {
    const { ids, count } = regions;
    const size = ids.length;
    this.regions = regions;
    this.tones = tones;
    this.width = width;
    this.height = height;
    this.rank = new Uint32Array(count);
    order.forEach((region, k) => {
      this.rank[region] = k + 1;
    });
    this.starts = new Uint32Array(count + 1);
    for (let r = 0; r < count; r++) this.starts[r + 1] = this.starts[r] + regions.areaOf[r];
    const ends = this.starts.slice();
    this.pixels = new Uint32Array(size);
    for (let i = 0; i < size; i++) this.pixels[ends[ids[i]]++] = i;
    this.stamp = new Uint32Array(size);
    this.tracedBy = new Uint32Array(size);
    this.shape = new Uint32Array(size);
    this.nodeCost = tones.lambda * NODE_BITS * settings.toleranceScale ** 2;
    const tolerance = settings.tolerancePx;
    this.hiddenWeight = tolerance === undefined ? HIDDEN * tones.lambda : this.nodeCost / (2 * tolerance) ** 2;
  }

  /** Returns the rings of a region's shape, in pixels of the whole picture, with the shape on their left. */
  outline(region: number): Ring[] {
    const { stamp, tracedBy, shape } = this;
    const { width, height } = this.regions;
    const rank = this.rank[region];
    const size = this.spread(region, rank);
    const rings: Ring[] = [];
    for (let k = 0; k < size; k++) {
      const p = shape[k];
      if (tracedBy[p] === rank || (p >= width && stamp[p - width] === rank)) continue;
      const isVisible = this.trace(p, rank);
      if (!isVisible) continue; // a hole that other shapes fill
      this.choosePoints(width, height);
      this.chooseNodes();
      rings.push(this.collect());
    }
    return rings;
  }

  /**
   * Stamps the pixels of a region, and those around it that are painted later; the first region takes all pixels.
   * Returns their number.
   */
  private spread(region: number, rank: number): number {
    const { stamp, shape, pixels, starts } = this;
    const { width, height, ids } = this.regions;
    let size = 0;
    if (rank === 1) {
      for (let i = 0; i < ids.length; i++) {
        if (this.rank[ids[i]] === 0) continue;
        stamp[i] = rank;
        shape[size++] = i;
      }
      return size;
    }
    for (let k = starts[region]; k < starts[region + 1]; k++) {
      stamp[pixels[k]] = rank;
      shape[size++] = pixels[k];
    }
    const own = size;
    for (let k = 0; k < own; k++) {
      const p = shape[k];
      const px = p % width;
      const left = px > 0 ? -1 : 0;
      const right = px + 1 < width ? 1 : 0;
      const above = p >= width ? -width : 0;
      const below = p + width < width * height ? width : 0;
      for (let dy = above; dy <= below; dy += width) {
        for (let q = p + dy + left; q <= p + dy + right; q++) {
          if (stamp[q] === rank || this.rank[ids[q]] <= rank) continue;
          stamp[q] = rank;
          shape[size++] = q;
        }
      }
    }
    return size;
  }

  /**
   * Traces one outline from the upper side of a pixel, with the shape on the right. Returns true when any of it is
   * visible or it is an outer outline.
   */
  private trace(first: number, rank: number): boolean {
    const { tracedBy } = this;
    const { width, height, ids } = this.regions;
    const startX = first % width;
    const startY = (first - startX) / width;
    let x = startX;
    let y = startY;
    let direction = EAST;
    let isVisible = false;
    let area = 0;
    this.length = 0;
    do {
      // The pixels on the right and left of this side.
      const dx = STEP_X[direction];
      const dy = STEP_Y[direction];
      const rightX = x + (dx - dy - 1) / 2;
      const rightY = y + (dx + dy - 1) / 2;
      const leftX = rightX + dy;
      const leftY = rightY - dx;
      const inside = rightY * width + rightX;
      if (direction === EAST) tracedBy[inside] = rank;
      let weight = BORDER;
      let shift = 0;
      if (leftX >= 0 && leftY >= 0 && leftX < width && leftY < height) {
        const outside = leftY * width + leftX;
        weight = this.hiddenWeight;
        if (this.rank[ids[outside]] < rank) {
          isVisible = true;
          weight = Math.max(weight, this.weigh(inside, outside, rank));
          shift = this.shiftOf(inside, outside);
        }
      } else isVisible = true;
      this.push(x, y, x + dx / 2 + shift * dy, y + dy / 2 - shift * dx, weight);
      area += x * dy - y * dx;
      x += dx;
      y += dy;
      // Pixels of the shape that touch only at a corner stay separate.
      const aheadX = x + (dx - dy - 1) / 2;
      const aheadY = y + (dx + dy - 1) / 2;
      if (!this.isIn(aheadX, aheadY, rank)) direction = (direction + 1) & 3;
      else if (this.isIn(aheadX + dy, aheadY - dx, rank)) direction = (direction + 3) & 3;
    } while (x !== startX || y !== startY || direction !== EAST);
    return isVisible || area > 0;
  }

  private isIn(x: number, y: number, rank: number): boolean {
    const { width, height } = this.regions;
    return x >= 0 && y >= 0 && x < width && y < height && this.stamp[y * width + x] === rank;
  }

  private push(latticeX: number, latticeY: number, x: number, y: number, weight: number): void {
    const room = this.length + 1;
    this.atX = withRoom(this.atX, room);
    this.atY = withRoom(this.atY, room);
    this.weight = withRoom(this.weight, room);
    this.latticeX = withRoom(this.latticeX, room);
    this.latticeY = withRoom(this.latticeY, room);
    const k = this.length++;
    this.latticeX[k] = latticeX;
    this.latticeY[k] = latticeY;
    this.atX[k] = x;
    this.atY[k] = y;
    this.weight[k] = weight;
  }

  /**
   * Returns the squared error of a boundary one pixel off; half of it when a later shape will draw the same boundary.
   */
  private weigh(inside: number, outside: number, rank: number): number {
    const { levels, planes } = this.tones;
    const { ids, labelOf } = this.regions;
    const a = labelOf[ids[inside]] * 3;
    const b = labelOf[ids[outside]] * 3;
    const contrast =
      (levels[a] - levels[b]) ** 2 + (levels[a + 1] - levels[b + 1]) ** 2 + (levels[a + 2] - levels[b + 2]) ** 2;
    return contrast * planes.weight[outside] * (this.rank[ids[inside]] === rank ? 1 : 0.5);
  }

  /**
   * Returns how far the boundary lies outward of the side between two pixels: the outer pixel's share of the inner tone
   * minus the inner pixel's share of the outer tone.
   */
  private shiftOf(inside: number, outside: number): number {
    const { levels, planes } = this.tones;
    const { ids, labelOf } = this.regions;
    const { luma, blue, red } = planes;
    const a = labelOf[ids[inside]] * 3;
    const b = labelOf[ids[outside]] * 3;
    const y = levels[b] - levels[a];
    const u = levels[b + 1] - levels[a + 1];
    const v = levels[b + 2] - levels[a + 2];
    const span = y * y + u * u + v * v;
    if (span < 1) return 0;
    let shift = 1;
    for (let side = 0; side < 2; side++) {
      const p = side === 0 ? inside : outside;
      const share = ((luma[p] - levels[a]) * y + (blue[p] - levels[a + 1]) * u + (red[p] - levels[a + 2]) * v) / span;
      shift -= share < 0 ? 0 : share > 1 ? 1 : share;
    }
    // Shares of two similar tones are mostly noise.
    return (Math.max(-0.5, Math.min(0.5, shift)) * span) / (span + 100);
  }

  /**
   * Collects the points that nodes are chosen from, with the first repeated at the end. On the border of the picture,
   * only corners and the ends of border stretches are collected.
   */
  private choosePoints(width: number, height: number): void {
    const { length, atX, atY, weight, latticeX, latticeY } = this;
    if (this.x.length < 2 * length + 2) {
      const room = 4 * length + 64;
      this.x = new Float64Array(room);
      this.y = new Float64Array(room);
      this.isFixed = new Uint8Array(room);
      this.sums = new Float64Array(room * 6);
      this.cost = new Float64Array(room);
      this.back = new Int32Array(room);
    }
    const { x, y } = this;
    let first = -1;
    let farthest = -1;
    let middleX = 0;
    let middleY = 0;
    for (let k = 0; k < length; k++) {
      middleX += atX[k] / length;
      middleY += atY[k] / length;
      if (weight[k] === BORDER && weight[k > 0 ? k - 1 : length - 1] !== BORDER) first = k;
    }
    for (let k = 0; k < length && first < 0; k++) {
      const d = (atX[k] - middleX) ** 2 + (atY[k] - middleY) ** 2;
      if (d > farthest) farthest = d;
    }
    for (let k = 0; k < length && first < 0; k++) {
      if ((atX[k] - middleX) ** 2 + (atY[k] - middleY) ** 2 === farthest) first = k;
    }

    const isFirstBorder = weight[first] === BORDER;
    x[0] = isFirstBorder ? latticeX[first] : atX[first];
    y[0] = isFirstBorder ? latticeY[first] : atY[first];
    this.count = 0;
    this.sums.fill(0, 0, 6);
    for (let step = 0; step < length; step++) {
      const k = first + step < length ? first + step : first + step - length;
      const before = k > 0 ? k - 1 : length - 1;
      const isBorder = weight[k] === BORDER;
      const isCorner = (latticeX[k] === 0 || latticeX[k] === width) && (latticeY[k] === 0 || latticeY[k] === height);
      if (isBorder !== (weight[before] === BORDER) || (isBorder && isCorner)) this.add(latticeX[k], latticeY[k], 0, 1);
      if (!isBorder) this.add(atX[k], atY[k], weight[k], 0);
    }
    this.add(x[0], y[0], 0, 1);
  }

  private add(x: number, y: number, weight: number, isFixed: number): void {
    const { sums } = this;
    const u = x - this.x[0];
    const v = y - this.y[0];
    const s = this.count * 6;
    sums[s + 6] = sums[s] + weight;
    sums[s + 7] = sums[s + 1] + weight * u;
    sums[s + 8] = sums[s + 2] + weight * v;
    sums[s + 9] = sums[s + 3] + weight * u * u;
    sums[s + 10] = sums[s + 4] + weight * v * v;
    sums[s + 11] = sums[s + 5] + weight * u * v;
    this.x[this.count] = x;
    this.y[this.count] = y;
    this.isFixed[this.count++] = isFixed;
  }

  /** Finds the cheapest sequence of nodes around the outline: `back[j]` is the node before node j. */
  private chooseNodes(): void {
    const { count, cost, back, isFixed, nodeCost } = this;
    let lastFixed = 0;
    cost[0] = 0;
    for (let j = 1; j < count; j++) {
      let best = Infinity;
      let from = j - 1;
      for (let i = j - 1; i >= Math.max(lastFixed, j - SPAN); i--) {
        const error = i === j - 1 ? 0 : this.errorBetween(i, j);
        if (cost[i] + error < best) {
          best = cost[i] + error;
          from = i;
        } else if (error > 8 * nodeCost) break; // farther back, the error only grows
      }
      cost[j] = best + nodeCost;
      back[j] = from;
      if (isFixed[j]) lastFixed = j;
    }
  }

  /**
   * Returns the weighted squared distances of the points between i and j from the line through those two, from prefix
   * sums.
   */
  private errorBetween(i: number, j: number): number {
    const { x, y, sums } = this;
    const dx = x[j] - x[i];
    const dy = y[j] - y[i];
    const span = dx * dx + dy * dy;
    if (span === 0) return Infinity;
    const u = x[i] - x[0];
    const v = y[i] - y[0];
    const from = (i + 1) * 6;
    const to = j * 6;
    const w = sums[to] - sums[from];
    const su = sums[to + 1] - sums[from + 1];
    const sv = sums[to + 2] - sums[from + 2];
    const uu = sums[to + 3] - sums[from + 3] - 2 * u * su + w * u * u;
    const vv = sums[to + 4] - sums[from + 4] - 2 * v * sv + w * v * v;
    const uv = sums[to + 5] - sums[from + 5] - u * sv - v * su + w * u * v;
    return Math.max(0, uu * dy * dy + vv * dx * dx - 2 * uv * dx * dy) / span;
  }

  /** Returns the chosen nodes in pixels of the whole picture, from last to first, which puts the shape on the left. */
  private collect(): Ring {
    const { back } = this;
    const points: number[] = [];
    const last = this.count - 1;
    for (let j = last; j > 0; j = back[j]) this.place(j, points);
    if (points.length < 6) {
      points.length = 0;
      for (let k = 3; k > 0; k--) this.place(Math.floor((last * k) / 3), points);
    }
    return toRing(points);
  }

  private place(j: number, out: number[]): void {
    const { scale } = this.tones;
    out.push(
      Math.max(0, Math.min(this.width, Math.round(this.x[j] * scale * GRID) / GRID)),
      Math.max(0, Math.min(this.height, Math.round(this.y[j] * scale * GRID) / GRID)),
    );
  }
}
