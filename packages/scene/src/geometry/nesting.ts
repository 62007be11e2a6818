/** How contours lie in each other. */
import type { Contour } from './pathData.ts';
import { createSegmentGrid, type Segments, TooManyNeighbors, toSegments } from './segmentGrid.ts';

const FLAT_MM = 0.005;

/** How contours lie in each other. */
export interface Nesting {
  /** The smallest closed contour around each, or -1. */
  readonly parent: Int32Array;
  /** The number of closed contours around each. */
  readonly depth: Int32Array;
  /** False where contours are too dense for rays. */
  readonly isExact: boolean;
}

/**
 * Finds the closed contours around each one, by a ray from a point of it. Cost: near to linear in the segments, times
 * the cells of a row. Contours too dense for this are nested by their boxes: each is in the next larger one.
 */
export function nestContours(contours: readonly Contour[]): Nesting {
  const segments = toSegments(contours, FLAT_MM);
  const bySize = sortBySize(segments, contours.length);
  const rank = new Int32Array(contours.length);
  for (const [k, c] of bySize.entries()) rank[c] = k;
  const parent = new Int32Array(contours.length).fill(-1);
  const depth = new Int32Array(contours.length);
  const grid = createSegmentGrid(segments);
  const { x0, y0, x1, y1, contour } = segments;
  try {
    for (let c = 0; c < contours.length; c++) {
      const i = longestSegment(segments, c);
      if (i < 0) continue;
      const [x, y] = [(x0[i]! + x1[i]!) / 2, (y0[i]! + y1[i]!) / 2];
      const inside = new Map<number, boolean>();
      grid.leftOf(x, y, (j) => {
        const other = contour[j]!;
        if (other === c || !contours[other]!.isClosed || y0[j]! > y === y1[j]! > y) return;
        const crossX = x0[j]! + ((y - y0[j]!) / (y1[j]! - y0[j]!)) * (x1[j]! - x0[j]!);
        if (crossX < x) inside.set(other, !inside.get(other));
      });
      for (const [other, isInside] of inside) {
        // Of two contours that cross, each may seem to be around the other.
        if (!isInside || rank[other]! < rank[c]!) continue;
        depth[c]!++;
        if (parent[c] === -1 || rank[other]! < rank[parent[c]!]!) parent[c] = other;
      }
    }
  } catch (error) {
    if (!(error instanceof TooManyNeighbors)) throw error;
    depth.fill(0);
    for (const [k, c] of bySize.entries()) parent[c] = bySize[k + 1] ?? -1;
    return { parent, depth, isExact: false };
  }
  return { parent, depth, isExact: true };
}

/**
 * Returns the contours, the smallest first: by their boxes, and by their areas where boxes are equal. What is inside
 * another one comes before it.
 */
function sortBySize({ x0, y0, x1, y1, starts }: Segments, count: number): number[] {
  const [box, area] = [new Float64Array(count), new Float64Array(count)];
  for (let c = 0; c < count; c++) {
    let [minX, minY, maxX, maxY] = [Infinity, Infinity, -Infinity, -Infinity];
    let sum = 0;
    for (let i = starts[c]!; i < starts[c + 1]!; i++) {
      minX = Math.min(minX, x0[i]!, x1[i]!);
      maxX = Math.max(maxX, x0[i]!, x1[i]!);
      minY = Math.min(minY, y0[i]!, y1[i]!);
      maxY = Math.max(maxY, y0[i]!, y1[i]!);
      sum += x0[i]! * y1[i]! - x1[i]! * y0[i]!;
    }
    box[c] = maxX > minX ? (maxX - minX) * (maxY - minY) : 0;
    area[c] = Math.abs(sum);
  }
  return Array.from({ length: count }, (_, c) => c).sort((a, b) => box[a]! - box[b]! || area[a]! - area[b]! || a - b);
}

function longestSegment({ starts, length }: Segments, c: number): number {
  let longest = -1;
  for (let i = starts[c]!; i < starts[c + 1]!; i++) if (longest < 0 || length[i]! > length[longest]!) longest = i;
  return longest;
}
