/** Pulls the edges of areas inward, and spares what is thin. */
import { Clipper, FillRule } from 'clipper2-ts';
import { createCurveKeeper, type Grid, type Region } from './curves.ts';
import { DisjointSets } from './disjointSets.ts';
import type { Point } from './matrix.ts';
import { overlayRegions, unionPositive, unionRegions } from './overlay.ts';
import type { Contour, PathBounds } from './pathData.ts';
import { touchingPairs } from './planar.ts';

/** An area among others, back to front. */
export interface ChokeArea {
  /** Filled by even-odd. */
  readonly contours: readonly Contour[];
  /** True for one that keeps its full size where no other area lies over it. */
  readonly isExempt: boolean;
}

/** The share of a part's width that may go at each of its sides. */
const MOST_OF_WIDTH = 1 / 4;
/** A part that is narrower than this share of the distance stays as it is: a printer has little left to pull in. */
const TOO_THIN = 1 / 2;
/** Walls face each other where their directions differ by less than 60°: a wider corner is no thin part. */
const FACING = 0.5;
/** How much the distance changes along an edge, for each unit of its length. */
const SLOPE = 0.5;
/** Long edges are judged in pieces of so many distances. */
const PIECE = 2;
/** A corner of the result reaches at most so many distances from its own. */
const MITER_LIMIT = 2;
/** An arc around an inner corner has a point for every so many radians: 3.5 % of the distance is lost at most. */
const ARC_STEP = Math.PI / 6;
/** A piece or hole of the result that is smaller than a square of this share of the distance is left out. */
const CRUMB = 1 / 4;
/** A drawing with more overlaps would take too long: its exempt areas are not cut then. */
const MOST_COVERS = 20_000;

/**
 * Returns the areas together, pulled in by `distance` from every edge, and the whole of what is exempt and visible.
 *
 * A part that is narrower than four times the distance is pulled in by a quarter of its width at each side, and one
 * narrower than half the distance not at all. An infinite distance leaves the exempt areas alone. Cost: n log n in the
 * points, a boolean operation or two for each group of areas that touch, and one for each exempt area that something
 * lies over.
 */
export function chokeAreas(areas: readonly ChokeArea[], distance: number, grid: Grid): Contour[] {
  const curves = createCurveKeeper(grid);
  const regions = areas.map(({ contours }) => Clipper.union(curves.toRegion(contours), FillRule.EvenOdd));
  const bounds = regions.map(boundsOf);
  const pairs = touchingPairs(bounds);
  const exemptOf = createExemptFinder(areas, regions, { bounds, pairs });
  // What does not touch is worked on apart: a sweep costs more than its share for each further edge it crosses.
  return groupsOf(areas.length, pairs).flatMap((group) => {
    const exemptArea = exemptOf(group);
    if (distance === Infinity) return curves.toContours(exemptArea);
    const whole = simplify(unionRegions(group.map((i) => regions[i]!)), grid);
    const plate = choke(whole, distance / grid.unit, grid);
    return curves.toContours(exemptArea.length > 0 ? Clipper.union(plate, exemptArea, FillRule.NonZero) : plate);
  });
}

/** Returns the numbers of what is connected by pairs, group by group. */
function groupsOf(count: number, pairs: readonly (readonly [number, number])[]): number[][] {
  const sets = new DisjointSets(count);
  for (const [i, j] of pairs) sets.join(i, j);
  const groups = new Map<number, number[]>();
  for (let i = 0; i < count; i++) {
    const root = sets.find(i);
    const group = groups.get(root);
    if (group) group.push(i);
    else groups.set(root, [i]);
  }
  return [...groups.values()];
}

interface Neighbors {
  readonly bounds: readonly PathBounds[];
  readonly pairs: readonly (readonly [number, number])[];
}

/** Returns a function that finds what is exempt and visible of a group of areas. */
function createExemptFinder(
  areas: readonly ChokeArea[],
  regions: readonly Region[],
  { bounds, pairs }: Neighbors,
): (group: readonly number[]) => Region {
  const covers = new Map<number, number[]>();
  let count = 0;
  for (const [below, above] of pairs) {
    if (!areas[below]!.isExempt || areas[above]!.isExempt) continue;
    count++;
    const list = covers.get(below);
    if (list) list.push(above);
    else covers.set(below, [above]);
  }
  const visible = (i: number): Region => {
    const above = count > MOST_COVERS ? undefined : covers.get(i);
    if (!above) return regions[i]!;
    const { minX, minY, maxX, maxY } = bounds[i]!;
    const box = { left: minX - 1, top: minY - 1, right: maxX + 1, bottom: maxY + 1 };
    return subtract(
      regions[i]!,
      above.flatMap((j) => Clipper.rectClip(box, regions[j]!)),
    );
  };
  return (group) => {
    const own = group.filter((i) => areas[i]!.isExempt);
    if (own.length === 0) return [];
    const size = (i: number) => regions[i]!.reduce((sum, path) => sum + path.length, 0);
    const work = own.reduce((sum, i) => sum + (covers.get(i) ?? []).reduce((all, j) => all + size(i) + size(j), 0), 0);
    // An operation for each exempt area took twice as long as all else, where 100 shapes lay over each other.
    const groups = group.map((i) => (areas[i]!.isExempt ? 0 : 1));
    const regionsOf = () => group.map((i) => regions[i]!);
    const parts = work < MUCH_WORK ? undefined : overlayRegions(regionsOf(), { fill: 'nonZero', groups });
    if (!parts) return Clipper.union(own.flatMap(visible), FillRule.NonZero);
    return parts.flatMap(({ members, region }) => (groups[members[0]!] === 0 ? region : []));
  };
}

/** The number of points in areas and their covers from which one overlay is quicker than an operation for each area. */
const MUCH_WORK = 2000;

function boundsOf(region: Region): PathBounds {
  let [minX, minY, maxX, maxY] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const path of region) {
    for (const { x, y } of path) {
      if (x < minX) minX = x;
      if (x > maxX) maxX = x;
      if (y < minY) minY = y;
      if (y > maxY) maxY = y;
    }
  }
  return { minX, minY, maxX, maxY };
}

/** Leaves out points that no place needs. */
const simplify = (region: Region, { tolerance, unit }: Grid): Region =>
  Clipper.simplifyPaths(region, tolerance / unit / 2);

const subtract = (a: Region, b: Region): Region => Clipper.difference(a, b, FillRule.NonZero);

/**
 * Pulls the edges of a region without overlaps inward, its outer paths and holes together. Each point of an edge goes
 * along its normal, less far than half the way to the wall across; so no part is lost, and none crosses another one.
 * What crosses itself at corners and small bumps winds the other way, and the union drops it.
 */
function choke(region: Region, distance: number, grid: Grid): Region {
  if (distance <= 0 || region.length === 0) return region;
  const samples = sampleEdges(region, PIECE * distance);
  measureRoom(samples, distance);
  smooth(samples);
  const crumb = (CRUMB * distance) ** 2;
  const paths = simplify(movePaths(samples, distance), grid);
  return unionPositive(paths).filter((path) => Math.abs(Clipper.area(path)) > crumb);
}

/** Points along the edges of a region, path by path. Those of one inner corner are at one place, in an arc. */
interface Samples {
  readonly count: number;
  /** The place, the inward normal, and how many times as far as an edge the point moves at a corner. */
  readonly x: Float64Array;
  readonly y: Float64Array;
  readonly normalX: Float64Array;
  readonly normalY: Float64Array;
  readonly stretch: Float64Array;
  /** 1 for a point in the middle of an edge. */
  readonly isBetween: Uint8Array;
  /** How far each point moves. */
  readonly room: Float64Array;
  /** The number of the sample after each one, around its path. */
  readonly next: Int32Array;
  /** The number of the first sample of each path, and the count of all at the end. */
  readonly starts: readonly number[];
}

/** Samples as they are taken: a drawing of a thousand crossing lines has 180,000, and lists of them grew for long. */
class SampleList implements Samples {
  count = 0;
  x: Float64Array;
  y: Float64Array;
  normalX: Float64Array;
  normalY: Float64Array;
  stretch: Float64Array;
  isBetween: Uint8Array;
  room: Float64Array;
  next: Int32Array;
  readonly starts = [0];

  constructor(size: number) {
    this.x = new Float64Array(size);
    this.y = new Float64Array(size);
    this.normalX = new Float64Array(size);
    this.normalY = new Float64Array(size);
    this.stretch = new Float64Array(size);
    this.isBetween = new Uint8Array(size);
    this.room = new Float64Array(size);
    this.next = new Int32Array(size);
  }

  add(x: number, y: number, normalX: number, normalY: number, stretch: number): void {
    const i = this.count++;
    if (i === this.x.length) this.#grow();
    this.x[i] = x;
    this.y[i] = y;
    this.normalX[i] = normalX;
    this.normalY[i] = normalY;
    this.stretch[i] = stretch;
    this.room[i] = Infinity;
    this.next[i] = i + 1;
  }

  /** Notes that the last one lies in the middle of an edge. */
  setBetween(): void {
    this.isBetween[this.count - 1] = 1;
  }

  closePath(): void {
    this.next[this.count - 1] = this.starts.at(-1)!;
    this.starts.push(this.count);
  }

  #grow(): void {
    const size = 2 * this.count;
    const more = <A extends Float64Array | Int32Array | Uint8Array>(larger: A, values: A): A => {
      larger.set(values);
      return larger;
    };
    this.x = more(new Float64Array(size), this.x);
    this.y = more(new Float64Array(size), this.y);
    this.normalX = more(new Float64Array(size), this.normalX);
    this.normalY = more(new Float64Array(size), this.normalY);
    this.stretch = more(new Float64Array(size), this.stretch);
    this.isBetween = more(new Uint8Array(size), this.isBetween);
    this.room = more(new Float64Array(size), this.room);
    this.next = more(new Int32Array(size), this.next);
  }
}

function sampleEdges(region: Region, piece: number): Samples {
  const pointCount = region.reduce((sum, path) => sum + path.length, 0);
  const samples = new SampleList(2 * pointCount + 1);
  for (const path of region) {
    const points = path.filter(({ x, y }, i) => {
      const before = path[i > 0 ? i - 1 : path.length - 1]!;
      return before.x !== x || before.y !== y;
    });
    if (points.length < 3) continue;
    // The normal of the edge before each point: to its left, where a union leaves what is filled.
    let from = points.at(-1)!;
    let length = Math.hypot(points[0]!.x - from.x, points[0]!.y - from.y);
    let beforeX = (from.y - points[0]!.y) / length;
    let beforeY = (points[0]!.x - from.x) / length;
    for (let i = 0; i < points.length; i++) {
      from = points[i]!;
      const to = points[i + 1 < points.length ? i + 1 : 0]!;
      const dx = to.x - from.x;
      const dy = to.y - from.y;
      length = Math.hypot(dx, dy);
      const normalX = (from.y - to.y) / length;
      const normalY = dx / length;
      addCorner(samples, from, [beforeX, beforeY], [normalX, normalY]);
      const count = Math.ceil(length / piece);
      for (let k = 1; k < count; k++) {
        const share = k / count;
        samples.add(from.x + dx * share, from.y + dy * share, normalX, normalY, 1);
        samples.setBetween();
      }
      beforeX = normalX;
      beforeY = normalY;
    }
    samples.closePath();
  }
  return samples;
}

type Vector = readonly [x: number, y: number];

function addCorner(samples: SampleList, { x, y }: Point, [ax, ay]: Vector, [bx, by]: Vector): void {
  const turn = Math.atan2(ax * by - ay * bx, ax * bx + ay * by);
  if (turn > -ARC_STEP) {
    const half = Math.cos(turn / 2);
    // A needle that turns back on itself has no bisector; it is too thin to move.
    if (half < 1e-6) samples.add(x, y, ax, ay, 1);
    else samples.add(x, y, (ax + bx) / (2 * half), (ay + by) / (2 * half), Math.min(MITER_LIMIT, 1 / half));
    return;
  }
  const count = Math.ceil(-turn / ARC_STEP);
  for (let k = 0; k <= count; k++) {
    const angle = (turn * k) / count;
    const cos = Math.cos(angle);
    const sin = Math.sin(angle);
    samples.add(x, y, ax * cos - ay * sin, ax * sin + ay * cos, 1);
  }
}

/** The sine of the angle whose cosine is `FACING`: how far to each side a point looks for walls. */
const ASIDE = Math.sqrt(1 - FACING * FACING);
/** So many cells for the reach of a point: small ones hold little that is out of it. */
const CELLS_PER_REACH = 2;
/** A little more than what rounding may add to the reach. */
const REACH_MARGIN = 1 + 1e-6;

/**
 * Finds how far each point may move: by the nearest wall across from it, of those that face it. A drawing of a thousand
 * crossing lines compares millions of points and walls, so nothing is made or called for each of them, and a point
 * looks into the cells before it alone: with all cells around it, it took twice as long.
 */
function measureRoom(samples: Samples, distance: number): void {
  const { count, x, y, normalX, normalY, next, room } = samples;
  const reach = distance / MOST_OF_WIDTH;
  const { minX, minY, size, columns, rows, offsets, entries } = bucketEdges(samples, reach / CELLS_PER_REACH);
  const walls = measureWalls(samples, entries, reach);
  const far = reach * REACH_MARGIN;
  for (let i = 0; i < count; i++) if (room[i]! > distance) room[i] = distance;
  for (let i = 0; i < count; i++) {
    const px = x[i]!;
    const py = y[i]!;
    const nx = normalX[i]!;
    const ny = normalY[i]!;
    // The box around what is in reach before the point: a sector of 60° to each side of its normal.
    const sideX = ASIDE * Math.abs(ny);
    const sideY = ASIDE * Math.abs(nx);
    const right = nx > FACING ? 1 : Math.max(0, sideX + FACING * nx);
    const left = nx < -FACING ? 1 : Math.max(0, sideX - FACING * nx);
    const down = ny > FACING ? 1 : Math.max(0, sideY + FACING * ny);
    const up = ny < -FACING ? 1 : Math.max(0, sideY - FACING * ny);
    const firstColumn = Math.max(0, Math.floor((px - left * far - minX) / size));
    const lastColumn = Math.min(columns - 1, Math.floor((px + right * far - minX) / size));
    const lastRow = Math.min(rows - 1, Math.floor((py + down * far - minY) / size));
    for (let r = Math.max(0, Math.floor((py - up * far - minY) / size)); r <= lastRow; r++) {
      const end = WALL * offsets[r * columns + lastColumn + 1]!;
      for (let w = WALL * offsets[r * columns + firstColumn]!; w < end; w += WALL) {
        if (nx * walls[w + 6]! + ny * walls[w + 7]! > -FACING) continue;
        const toX = walls[w]! - px;
        const toY = walls[w + 1]! - py;
        if (toX * toX + toY * toY > walls[w + 5]!) continue;
        const ex = walls[w + 2]!;
        const ey = walls[w + 3]!;
        const square = walls[w + 4]!;
        const along = square > 0 ? -(toX * ex + toY * ey) / square : 0;
        const share = along < 0 ? 0 : along > 1 ? 1 : along;
        const dx = toX + ex * share;
        const dy = toY + ey * share;
        const width = Math.sqrt(dx * dx + dy * dy);
        if (width >= reach || dx * nx + dy * ny < FACING * width) continue;
        const most = width < TOO_THIN * distance ? 0 : Math.min(distance, width * MOST_OF_WIDTH);
        const from = entries[w / WALL]!;
        const to = next[from]!;
        // The wall gives way too: a thin spike may lie between two of its own points.
        if (most < room[i]!) room[i] = most;
        if (most < room[from]!) room[from] = most;
        if (most < room[to]!) room[to] = most;
      }
    }
  }
}

/** The numbers of a wall. */
const WALL = 8;

/**
 * Returns eight numbers for each entry of the cells: the place of the sample, the vector of the edge after it, its
 * square, the square of the distance from the sample beyond which no place is in reach of the edge, and its normal (at
 * an inner corner that of the arc). They lie in the order in which they are read: in an array for each of them, by the
 * samples' numbers, the search took half as long again.
 */
function measureWalls({ x, y, normalX, normalY, next }: Samples, entries: Int32Array, reach: number): Float64Array {
  const walls = new Float64Array(WALL * entries.length);
  for (let k = 0, w = 0; k < entries.length; k++, w += WALL) {
    const i = entries[k]!;
    const ex = x[next[i]!]! - x[i]!;
    const ey = y[next[i]!]! - y[i]!;
    const square = ex * ex + ey * ey;
    const length = Math.sqrt(square);
    walls[w] = x[i]!;
    walls[w + 1] = y[i]!;
    walls[w + 2] = ex;
    walls[w + 3] = ey;
    walls[w + 4] = square;
    walls[w + 5] = (reach + length) ** 2;
    walls[w + 6] = square > 0 ? -ey / length : normalX[i]!;
    walls[w + 7] = square > 0 ? ex / length : normalY[i]!;
  }
  return walls;
}

/** The edges by square cells, each by its first sample: cell c has `entries[offsets[c]…offsets[c + 1] - 1]`. */
interface EdgeCells {
  readonly minX: number;
  readonly minY: number;
  /** The side of a cell. */
  readonly size: number;
  readonly columns: number;
  readonly rows: number;
  readonly offsets: Int32Array;
  readonly entries: Int32Array;
}

/** Cells for each edge, at most. */
const CELLS_PER_EDGE = 4;

/** Sorts the edges into square cells at least as wide as `least`: each into all that its box touches. */
function bucketEdges({ count, x, y, next }: Samples, least: number): EdgeCells {
  let [minX, minY, maxX, maxY] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let i = 0; i < count; i++) {
    minX = Math.min(minX, x[i]!);
    minY = Math.min(minY, y[i]!);
    maxX = Math.max(maxX, x[i]!);
    maxY = Math.max(maxY, y[i]!);
  }
  const [width, height, most] = [maxX - minX, maxY - minY, CELLS_PER_EDGE * count];
  const size = Math.max(least, Math.sqrt((width * height) / most), (width + height) / most);
  const columns = Math.floor(width / size) + 1;
  const rows = Math.floor(height / size) + 1;
  const column = (value: number) => Math.floor((value - minX) / size);
  const row = (value: number) => Math.floor((value - minY) / size);
  const offsets = new Int32Array(columns * rows + 1);
  let entries = new Int32Array(0);
  let ends = offsets;
  for (const isPlacing of [false, true]) {
    for (let i = 0; i < count; i++) {
      const to = next[i]!;
      const lastRow = row(Math.max(y[i]!, y[to]!));
      const lastColumn = column(Math.max(x[i]!, x[to]!));
      for (let r = row(Math.min(y[i]!, y[to]!)); r <= lastRow; r++) {
        for (let c = column(Math.min(x[i]!, x[to]!)); c <= lastColumn; c++) {
          if (isPlacing) entries[ends[r * columns + c]!++] = i;
          else offsets[r * columns + c + 1]!++;
        }
      }
    }
    if (isPlacing) break;
    for (let c = 0; c < columns * rows; c++) offsets[c + 1]! += offsets[c]!;
    entries = new Int32Array(offsets[columns * rows]!);
    ends = offsets.slice();
  }
  return { minX, minY, size, columns, rows, offsets, entries };
}

/** Lowers `room` where it rises steeply along a path, so that neighboring points move by nearly the same distance. */
function smooth({ x, y, room, starts }: Samples): void {
  for (let k = 0; k + 1 < starts.length; k++) {
    const [start, end] = [starts[k]!, starts[k + 1]!];
    const count = end - start;
    const limit = (i: number, j: number) => {
      const [dx, dy] = [x[j]! - x[i]!, y[j]! - y[i]!];
      const most = room[i]! + SLOPE * Math.sqrt(dx * dx + dy * dy);
      if (most < room[j]!) room[j] = most;
    };
    for (let i = 0; i < 2 * count; i++) limit(start + (i % count), start + ((i + 1) % count));
    for (let i = 2 * count; i > 0; i--) limit(start + (i % count), start + ((i - 1) % count));
  }
}

function movePaths({ x, y, normalX, normalY, stretch, isBetween, room, starts }: Samples, distance: number): Region {
  const same = distance / 100;
  return starts.slice(0, -1).map((start, k) => {
    const count = starts[k + 1]! - start;
    const path: Region[number] = [];
    for (let i = 0; i < count; i++) {
      const at = start + i;
      const [before, after] = [start + ((i + count - 1) % count), start + ((i + 1) % count)];
      const isLevel = Math.abs(room[at]! - room[before]!) < same && Math.abs(room[at]! - room[after]!) < same;
      if (isBetween[at] === 1 && isLevel) continue;
      const far = room[at]! * stretch[at]!;
      path.push({ x: Math.round(x[at]! + normalX[at]! * far), y: Math.round(y[at]! + normalY[at]! * far) });
    }
    return path;
  });
}
