/**
 * Finds overlaps of outlines along horizontal scan lines: exact in x, sampled in y. This is much cheaper than boolean
 * operations, which are then needed only where an overlap was found.
 */
import { type Contour, flatten, looseBounds } from './pathData.ts';

/** Scan lines over the height of the drawing. An outline lower than `LOW_GAPS` gaps gets a line of its own. */
const LINES = 1000;
const LOW_GAPS = 3;

/** The most crossings and comparisons. People's drawings stay far below; one beyond is better traced than cut up. */
const MAX_CROSSINGS = 2_000_000;
const MAX_COMPARISONS = 20_000_000;

/** Thrown when a drawing has more crossings or overlaps than the limits allow. */
export class TooManyOverlaps extends Error {
  override readonly name = 'TooManyOverlaps';
}

/**
 * Crumbs are overlaps that nobody meant. A tracer fits neighbors that share an edge piece by piece; where three meet,
 * one line may cross the next by a fraction of a pixel. To cut that away would cost a boolean operation on two whole
 * outlines.
 *
 * With crumbs ignored, an overlap counts when it is seen on two lines in a row or is wider than `WIDE_GAPS` gaps
 * between lines, and when it is larger than a square as wide as a crumb, or as `CRUMB_SHARE` of the smaller outline. An
 * outline that lies inside another one, without touching its edges, counts whatever its size.
 */
const WIDE_GAPS = 20;
const CRUMB_SHARE = 1 / 40;
/** The number of comparisons that storing an overlap counts for. */
const SPOT_COST = 20;

/**
 * Returns the pairs `[lower, higher]` of indices of even-odd outlines that overlap on some line for more than
 * `tolerance` and by more than a `crumb` (a width; 0 finds all), both in the unit of the outlines. It can miss an
 * overlap lower than a thousandth of the drawing's height, or two thousandths with crumbs. Cost: edges times the lines
 * they cross. Throws `TooManyOverlaps`.
 */
export function overlappingPairs(
  outlines: readonly (readonly Contour[])[],
  tolerance: number,
  crumb = 0,
): [number, number][] {
  if (outlines.length < 2) return [];
  const ys = chooseLines(outlines);
  const crossings = new Crossings(ys.length);
  for (const [outline, contours] of outlines.entries()) {
    for (const contour of contours) {
      crossLines(flatten(contour, tolerance), ys, (row, x) => crossings.add(row, x, outline));
    }
  }
  const rows = crossings.sort();

  const sizes = outlines.map(measure);
  const gap = (Math.max(...sizes.map(({ bottom }) => bottom)) - Math.min(...sizes.map(({ top }) => top))) / LINES;
  const pairs = new Map<number, [number, number]>();
  const spots = new Map<number, Spot[]>();
  const compare = createCounter(MAX_COMPARISONS);
  const least = 4 * tolerance;
  const note = (key: number, row: number, from: number, to: number, isInside: boolean) => {
    const pair: [number, number] = [Math.floor(key / outlines.length), key % outlines.length];
    const [a, b] = [sizes[pair[0]]!, sizes[pair[1]]!];
    // So low an outline meets few lines, perhaps only its own.
    const isLow = Math.min(a.height, b.height) < LOW_GAPS * gap;
    let isFound = crumb === 0 || to - from > WIDE_GAPS * gap;
    if (!isFound) {
      const earlierSpots = spots.get(key);
      if (!earlierSpots) compare(SPOT_COST);
      const area = (to - from) * heightOf(ys, row);
      const { list, spot } = growSpot(earlierSpots ?? [], {
        row,
        from,
        to,
        area,
        rows: 1,
        insideRows: isInside ? 1 : 0,
      });
      spots.set(key, list);
      const isLarge = spot.area > crumbArea(Math.min(a.side, b.side), crumb);
      isFound = (isLarge && (isLow || spot.rows > 1)) || spot.insideRows > (isLow ? 0 : 1);
    }
    if (!isFound) return;
    pairs.set(key, pair);
    spots.delete(key);
  };
  // The outlines that the scan is inside of, where it entered each, and the overlaps inside it so far.
  const inside: number[] = [];
  const entries = new Float64Array(outlines.length);
  const isInside = new Uint8Array(outlines.length);
  const overlaps: (Overlap[] | undefined)[] = new Array(outlines.length);
  for (let row = 0; row < ys.length; row++) {
    for (let k = rows.offsets[row]!; k < rows.offsets[row + 1]!; k++) {
      const x = rows.x[k]!;
      const outline = rows.owner[k]!;
      if (isInside[outline] === 0) {
        isInside[outline] = 1;
        entries[outline] = x;
        inside.push(outline);
        continue;
      }
      isInside[outline] = 0;
      inside.splice(inside.indexOf(outline), 1);
      for (const { key, from, to } of overlaps[outline] ?? []) {
        if (!pairs.has(key)) note(key, row, from, to, x - to > least);
      }
      overlaps[outline] = undefined;
      compare(inside.length);
      const ownFrom = entries[outline]!;
      for (let i = 0; i < inside.length; i++) {
        const other = inside[i]!;
        const from = entries[other]!;
        const start = Math.max(from, ownFrom);
        if (x - start <= least) continue;
        const key = Math.min(outline, other) * outlines.length + Math.max(outline, other);
        if (pairs.has(key)) continue;
        // Only at the end of the other outline is it known if it touches that outline's edges.
        if (ownFrom - from > least) {
          overlaps[other] ??= [];
          overlaps[other].push({ key, from: start, to: x });
        } else note(key, row, start, x, false);
      }
    }
    // Every outline is left as often as it is entered, but for the last digit of a number.
    for (const outline of inside) {
      isInside[outline] = 0;
      overlaps[outline] = undefined;
    }
    inside.length = 0;
  }
  return [...pairs.values()];
}

/** An overlap of two outlines on a line, so far as it is known. */
interface Overlap {
  readonly key: number;
  readonly from: number;
  readonly to: number;
}

/**
 * Where edges cross scan lines: a drawing has up to two million such places, which took as much memory as all else as
 * objects. Throws `TooManyOverlaps`.
 */
class Crossings {
  private length = 0;
  private row = new Int32Array(4096);
  private x = new Float64Array(4096);
  private owner = new Int32Array(4096);
  private readonly rows: number;

  constructor(rows: number) {
    this.rows = rows;
  }

  add(row: number, x: number, owner: number): void {
    if (this.length === this.x.length) this.grow();
    this.row[this.length] = row;
    this.x[this.length] = x;
    this.owner[this.length++] = owner;
  }

  private grow(): void {
    if (this.length >= MAX_CROSSINGS) throw new TooManyOverlaps('This drawing overlaps itself too often.');
    const size = Math.min(MAX_CROSSINGS, 2 * this.length);
    const { row, x, owner } = this;
    this.row = new Int32Array(size);
    this.x = new Float64Array(size);
    this.owner = new Int32Array(size);
    this.row.set(row);
    this.x.set(x);
    this.owner.set(owner);
  }

  /** Returns the crossings by line, from left to right: those of line r are from `offsets[r]` to `offsets[r + 1]`. */
  sort(): { readonly offsets: Int32Array; readonly x: Float64Array; readonly owner: Int32Array } {
    const offsets = new Int32Array(this.rows + 1);
    for (let k = 0; k < this.length; k++) offsets[this.row[k]! + 1]!++;
    for (let r = 0; r < this.rows; r++) offsets[r + 1]! += offsets[r]!;
    const order = new Int32Array(this.length);
    const ends = offsets.slice(0, this.rows);
    for (let k = 0; k < this.length; k++) order[ends[this.row[k]!]!++] = k;
    const xs = this.x;
    for (let r = 0; r < this.rows; r++) order.subarray(offsets[r]!, offsets[r + 1]!).sort((a, b) => xs[a]! - xs[b]!);
    const x = new Float64Array(this.length);
    const owner = new Int32Array(this.length);
    for (let k = 0; k < this.length; k++) {
      x[k] = xs[order[k]!]!;
      owner[k] = this.owner[order[k]!]!;
    }
    return { offsets, x, owner };
  }
}

/**
 * True when even-odd would leave holes where non-zero fills: contours wind around a place twice, over more than a
 * `crumb` (a width; 0 finds all). Curves are flattened to within `tolerance`. Both are in the unit of the contours.
 * Throws `TooManyOverlaps`.
 */
export function hasDoubleWinding(contours: readonly Contour[], tolerance: number, crumb = 0): boolean {
  const points = contours.reduce((sum, contour) => sum + contour.points.length / 2, 0);
  const lines = Math.min(LINES, 100 + 4 * points);
  const ys = chooseLines([contours], lines);
  const rows = Array.from(ys, (): { x: number; turn: number }[] => []);
  const count = createCounter(MAX_CROSSINGS);
  for (const contour of contours) {
    crossLines(flatten(contour, tolerance), ys, (row, x, turn) => {
      count(1);
      rows[row]!.push({ x, turn });
    });
  }
  const { side, height: fullHeight } = measure(contours);
  const leastArea = crumbArea(side, crumb);
  const gap = fullHeight / lines;
  let spots: Spot[] = [];
  return rows.some((crossings, row) => {
    crossings.sort((a, b) => a.x - b.x);
    const height = heightOf(ys, row);
    let winding = 0;
    return crossings.some(({ x, turn }, i) => {
      winding += turn;
      const next = crossings[i + 1];
      if (winding === 0 || winding % 2 !== 0 || next === undefined || next.x - x <= 4 * tolerance) return false;
      if (crumb === 0 || next.x - x > WIDE_GAPS * gap) return true;
      const area = (next.x - x) * height;
      const { list, spot } = growSpot(spots, { row, from: x, to: next.x, area, rows: 1, insideRows: 0 });
      spots = list;
      return spot.rows > 1 && spot.area > leastArea;
    });
  });
}

interface Extent {
  readonly top: number;
  readonly bottom: number;
  readonly height: number;
  /** The longer side. */
  readonly side: number;
}

function measure(contours: readonly Contour[]): Extent {
  const { minX, minY, maxX, maxY } = looseBounds(contours);
  const height = maxY - minY;
  return { top: minY, bottom: maxY, height, side: Math.max(maxX - minX, height) };
}

const crumbArea = (side: number, crumb: number): number => Math.min(crumb, CRUMB_SHARE * side) ** 2;

/** Returns the height that a line stands for: half the distance to the lines around it. */
const heightOf = (ys: Float64Array, row: number): number => {
  const above = ys[row - 1];
  const below = ys[row + 1];
  return ((below ?? ys[row]!) - (above ?? ys[row]!)) / (above === undefined || below === undefined ? 1 : 2);
};

/** An overlap so far: its stretch on the last line where it was met, its area and its lines. */
interface Spot {
  readonly row: number;
  readonly from: number;
  readonly to: number;
  readonly area: number;
  readonly rows: number;
  /** The number of latest consecutive lines on which it was inside the other outline. */
  readonly insideRows: number;
}

/**
 * Joins a stretch with the spots it touches on the line before. Returns that spot, and all spots that can still grow.
 */
function growSpot(spots: readonly Spot[], next: Spot): { list: Spot[]; spot: Spot } {
  let { area, rows, insideRows } = next;
  const list = spots.filter(({ row }) => row >= next.row - 1);
  for (const spot of list) {
    if (spot.row === next.row || spot.from > next.to || spot.to < next.from) continue;
    area += spot.area;
    rows = Math.max(rows, spot.rows + 1);
    if (next.insideRows > 0) insideRows = Math.max(insideRows, spot.insideRows + 1);
  }
  const spot = { ...next, area, rows, insideRows };
  list.push(spot);
  return { list, spot };
}

function createCounter(max: number): (amount: number) => void {
  let total = 0;
  return (amount) => {
    total += amount;
    if (total > max) throw new TooManyOverlaps('This drawing overlaps itself too often.');
  };
}

function chooseLines(outlines: readonly (readonly Contour[])[], lines = LINES): Float64Array {
  const bounds = outlines.map(looseBounds);
  const top = Math.min(...bounds.map(({ minY }) => minY));
  const bottom = Math.max(...bounds.map(({ maxY }) => maxY));
  const gap = (bottom - top) / lines;
  const ys: number[] = [];
  // An odd fraction: coordinates are often round numbers, and a line through corners tells little.
  for (let i = 0; i < lines; i++) ys.push(top + gap * (i + 0.437_193));
  for (const { minY, maxY } of bounds) if (maxY - minY < LOW_GAPS * gap) ys.push(minY + (maxY - minY) * 0.487_311);
  return Float64Array.from(ys).sort();
}

/** Calls `visit` for each line that an edge of the closed polygon crosses. `turn` is 1 downward and -1 upward. */
function crossLines(
  polygon: readonly number[],
  ys: Float64Array,
  visit: (row: number, x: number, turn: 1 | -1) => void,
): void {
  const count = polygon.length;
  let fromX = polygon[count - 2]!;
  let fromY = polygon[count - 1]!;
  for (let i = 0; i < count; i += 2) {
    const toX = polygon[i]!;
    const toY = polygon[i + 1]!;
    if (fromY !== toY) {
      const top = Math.min(fromY, toY);
      const bottom = Math.max(fromY, toY);
      const slope = (toX - fromX) / (toY - fromY);
      for (let row = firstAtOrBelow(ys, top); row < ys.length && ys[row]! < bottom; row++) {
        visit(row, fromX + slope * (ys[row]! - fromY), toY > fromY ? 1 : -1);
      }
    }
    fromX = toX;
    fromY = toY;
  }
}

/** Returns the index of the first line with y >= top. */
function firstAtOrBelow(ys: Float64Array, top: number): number {
  let low = 0;
  let high = ys.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ys[middle]! < top) low = middle + 1;
    else high = middle;
  }
  return low;
}
