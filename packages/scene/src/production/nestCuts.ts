/** Puts cuts into the order in which they can be made: a part that is cut free moves, so what is in it comes before. */
import type { Segments } from '../geometry/segmentGrid.ts';
import { createSegmentGrid, TooManyNeighbors, toSegments } from '../geometry/segmentGrid.ts';
import type { CutLine } from './cutLines.ts';

const FLAT_MM = 0.005;

/** How lines lie in each other. */
export interface Nesting {
  /** The smallest closed line around each line, or -1. */
  readonly parent: Int32Array;
  /** The number of closed lines around each line. */
  readonly depth: Int32Array;
}

/**
 * Finds the closed lines around each line, by a ray from a point of it. Cost: near to linear in the segments, times the
 * cells of a row. Lines too dense for this are nested by their boxes: each is in the next larger one.
 */
export function nestLines(lines: readonly CutLine[]): Nesting {
  const segments = toSegments(
    lines.map(({ contour }) => contour),
    FLAT_MM,
  );
  const bySize = sortBySize(segments, lines.length);
  const rank = new Int32Array(lines.length);
  for (const [k, c] of bySize.entries()) rank[c] = k;
  const parent = new Int32Array(lines.length).fill(-1);
  const depth = new Int32Array(lines.length);
  const grid = createSegmentGrid(segments);
  const { x0, y0, x1, y1, contour } = segments;
  try {
    for (let c = 0; c < lines.length; c++) {
      const i = longestSegment(segments, c);
      if (i < 0) continue;
      const [x, y] = [(x0[i]! + x1[i]!) / 2, (y0[i]! + y1[i]!) / 2];
      const inside = new Map<number, boolean>();
      grid.leftOf(x, y, (j) => {
        const other = contour[j]!;
        if (other === c || !lines[other]!.contour.isClosed || y0[j]! > y === y1[j]! > y) return;
        const crossX = x0[j]! + ((y - y0[j]!) / (y1[j]! - y0[j]!)) * (x1[j]! - x0[j]!);
        if (crossX < x) inside.set(other, !inside.get(other));
      });
      for (const [other, isInside] of inside) {
        // Of two lines that cross, each may seem to be around the other.
        if (!isInside || rank[other]! < rank[c]!) continue;
        depth[c]!++;
        if (parent[c] === -1 || rank[other]! < rank[parent[c]!]!) parent[c] = other;
      }
    }
  } catch (error) {
    if (!(error instanceof TooManyNeighbors)) throw error;
    depth.fill(0);
    for (const [k, c] of bySize.entries()) parent[c] = bySize[k + 1] ?? -1;
  }
  return { parent, depth };
}

/**
 * Returns the lines in running order: inner ones before the ones around them, and otherwise as they came. Calls `note`
 * with each line that stood before something inside it.
 */
export function nestCuts(lines: readonly CutLine[], note: (outer: CutLine) => void): readonly CutLine[] {
  const { parent } = nestLines(lines);
  const children = new Map<number, number[]>();
  const early = new Set<number>();
  for (const [c, outer] of parent.entries()) {
    const list = children.get(outer);
    if (list) list.push(c);
    else children.set(outer, [c]);
    if (outer !== -1 && outer < c) early.add(outer);
  }
  for (const outer of early) note(lines[outer]!);
  if (early.size === 0) return lines;
  const order: CutLine[] = [];
  // Each line is met twice: at first its inner lines are put on top of it.
  const stack = [...(children.get(-1) ?? [])].reverse();
  const isOpened = new Uint8Array(lines.length);
  while (stack.length > 0) {
    const c = stack.at(-1)!;
    const inner = isOpened[c] ? undefined : children.get(c);
    isOpened[c] = 1;
    if (inner) for (let k = inner.length - 1; k >= 0; k--) stack.push(inner[k]!);
    else order.push(lines[stack.pop()!]!);
  }
  return order;
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
