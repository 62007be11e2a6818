/** Tells whether regions touch, without a boolean operation: much cheaper where most of them do not. */
import type { Path64, Point64 } from 'clipper2-ts';
import type { Region } from './curves.ts';

/** Most rows of an index, and edges for each row of a small one. */
const MAX_ROWS = 1024;
const EDGES_PER_ROW = 4;

/** The edges of a region, by the rows of its height that they pass through. */
interface RowIndex {
  /** x0, y0, x1, y1 of each edge. */
  readonly edges: Float64Array;
  readonly top: number;
  readonly bottom: number;
  readonly rowOf: (y: number) => number;
  /** The edges of row r are `entries[offsets[r]]` to `entries[offsets[r + 1] - 1]`. */
  readonly offsets: Int32Array;
  readonly entries: Int32Array;
}

/**
 * Returns a function that is true for each region that may have area in common with `region`: one whose edges meet it,
 * one that is inside it or around it. Both must be free of crossings, as a boolean operation leaves them. Cost: linear
 * in the edges, and in those beside each edge that is compared.
 */
export function createTouchTest(region: Region): (other: Region) => boolean {
  const index = indexRows(region);
  return (other) => {
    for (const path of other) if (meetsEdges(index, path) || isInside(index, path[0]!)) return true;
    // Without a common point each path is inside the other region or outside as a whole.
    return region.some((path) => isInPaths(other, path[0]!));
  };
}

function indexRows(region: Region): RowIndex {
  const count = region.reduce((sum, path) => sum + path.length, 0);
  const edges = new Float64Array(4 * count);
  let [k, top, bottom] = [0, Infinity, -Infinity];
  for (const path of region) {
    let from = path.at(-1)!;
    for (const to of path) {
      edges[k++] = from.x;
      edges[k++] = from.y;
      edges[k++] = to.x;
      edges[k++] = to.y;
      top = Math.min(top, to.y);
      bottom = Math.max(bottom, to.y);
      from = to;
    }
  }
  const rows = Math.max(1, Math.min(MAX_ROWS, Math.floor(count / EDGES_PER_ROW)));
  const height = (bottom - top) / rows || 1;
  const rowOf = (y: number) => Math.min(rows - 1, Math.max(0, Math.floor((y - top) / height)));
  const first = (e: number) => rowOf(Math.min(edges[4 * e + 1]!, edges[4 * e + 3]!));
  const last = (e: number) => rowOf(Math.max(edges[4 * e + 1]!, edges[4 * e + 3]!));
  const offsets = new Int32Array(rows + 1);
  for (let e = 0; e < count; e++) for (let row = first(e); row <= last(e); row++) offsets[row + 1]!++;
  for (let row = 0; row < rows; row++) offsets[row + 1]! += offsets[row]!;
  const entries = new Int32Array(offsets[rows]!);
  const ends = offsets.slice();
  for (let e = 0; e < count; e++) for (let row = first(e); row <= last(e); row++) entries[ends[row]!++] = e;
  return { edges, top, bottom, rowOf, offsets, entries };
}

function meetsEdges({ edges, top, bottom, rowOf, offsets, entries }: RowIndex, path: Path64): boolean {
  let from = path.at(-1)!;
  for (const to of path) {
    const [left, right] = from.x < to.x ? [from.x, to.x] : [to.x, from.x];
    const [high, low] = from.y < to.y ? [from.y, to.y] : [to.y, from.y];
    if (low >= top && high <= bottom) {
      for (let k = offsets[rowOf(high)]!; k < offsets[rowOf(low) + 1]!; k++) {
        const e = 4 * entries[k]!;
        const [x0, y0, x1, y1] = [edges[e]!, edges[e + 1]!, edges[e + 2]!, edges[e + 3]!];
        if ((x0 < left && x1 < left) || (x0 > right && x1 > right)) continue;
        if ((y0 < high && y1 < high) || (y0 > low && y1 > low)) continue;
        if (doMeet(from, to, x0, y0, x1, y1)) return true;
      }
    }
    from = to;
  }
  return false;
}

/** True when two segments whose boxes overlap have a point in common. Coordinates are whole, so this is exact. */
function doMeet(from: Point64, to: Point64, x0: number, y0: number, x1: number, y1: number): boolean {
  const [ux, uy, vx, vy] = [to.x - from.x, to.y - from.y, x1 - x0, y1 - y0];
  const start = ux * (y0 - from.y) - uy * (x0 - from.x);
  const end = ux * (y1 - from.y) - uy * (x1 - from.x);
  if ((start > 0 && end > 0) || (start < 0 && end < 0)) return false;
  const own = vx * (from.y - y0) - vy * (from.x - x0);
  const ownEnd = vx * (to.y - y0) - vy * (to.x - x0);
  return !((own > 0 && ownEnd > 0) || (own < 0 && ownEnd < 0));
}

function isInside({ edges, top, bottom, rowOf, offsets, entries }: RowIndex, { x, y }: Point64): boolean {
  if (y < top || y > bottom) return false;
  let isIn = false;
  const row = rowOf(y);
  for (let k = offsets[row]!; k < offsets[row + 1]!; k++) {
    const e = 4 * entries[k]!;
    if (isLeftOf(edges[e]!, edges[e + 1]!, edges[e + 2]!, edges[e + 3]!, x, y)) isIn = !isIn;
  }
  return isIn;
}

function isInPaths(region: Region, { x, y }: Point64): boolean {
  let isIn = false;
  for (const path of region) {
    let from = path.at(-1)!;
    for (const to of path) {
      if (isLeftOf(from.x, from.y, to.x, to.y, x, y)) isIn = !isIn;
      from = to;
    }
  }
  return isIn;
}

/** True when the level line from a point to the left meets a segment, without its lower end. */
const isLeftOf = (x0: number, y0: number, x1: number, y1: number, x: number, y: number): boolean =>
  y0 > y !== y1 > y && ((x1 - x0) * (y - y0)) / (y1 - y0) + x0 < x;
