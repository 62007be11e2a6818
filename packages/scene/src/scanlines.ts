/**
 * Where outlines lie over one another, found along horizontal lines: exact in x, sampled in y. Much cheaper than booleans, which are
 * then needed only for what is found.
 */
import { type Contour, flatten, looseBounds } from './pathData.ts';

/** Lines over the height of everything; outlines lower than a few of their gaps get one of their own. */
const LINES = 1000;

/** Crossings kept and pairs compared, at most. Drawings made by people stay far below; one beyond is better traced than cut up. */
const MAX_CROSSINGS = 2_000_000;
const MAX_COMPARISONS = 20_000_000;

/** Thrown when a drawing crosses itself or piles up beyond all measure. */
export class TooManyOverlaps extends Error {
  override readonly name = 'TooManyOverlaps';
}

/**
 * Pairs `[lower, higher]` of outlines (even-odd) that cover each other on some line for more than `tolerance`. An overlap less high than a
 * thousandth of everything can be missed. Cost: edges times the lines they cross. Throws `TooManyOverlaps`.
 */
export function overlappingPairs(outlines: readonly (readonly Contour[])[], tolerance: number): [number, number][] {
  if (outlines.length < 2) return [];
  const flat = outlines.map((contours) => contours.map((contour) => flatten(contour, tolerance)));
  const ys = chooseLines(outlines);
  const rows = Array.from(ys, (): { x: number; outline: number }[] => []);
  const count = createCounter(MAX_CROSSINGS);
  for (const [outline, polygons] of flat.entries()) {
    for (const polygon of polygons) {
      crossLines(polygon, ys, (row, x) => {
        count(1);
        rows[row]!.push({ x, outline });
      });
    }
  }

  const found = new Map<number, [number, number]>();
  const compare = createCounter(MAX_COMPARISONS);
  const least = 4 * tolerance;
  for (const row of rows) {
    row.sort((a, b) => a.x - b.x);
    // Outlines being inside of, with where each was entered.
    const inside = new Map<number, number>();
    for (const { x, outline } of row) {
      const from = inside.get(outline);
      if (from === undefined) {
        inside.set(outline, x);
        continue;
      }
      inside.delete(outline);
      compare(inside.size);
      for (const [other, otherFrom] of inside) {
        if (x - Math.max(from, otherFrom) <= least) continue;
        const pair: [number, number] = [Math.min(outline, other), Math.max(outline, other)];
        found.set(pair[0] * outlines.length + pair[1], pair);
      }
    }
  }
  return [...found.values()];
}

/** Whether even-odd would leave holes where non-zero fills: somewhere contours wind twice around. Throws `TooManyOverlaps`. */
export function hasDoubleWinding(contours: readonly Contour[], tolerance: number): boolean {
  const points = contours.reduce((sum, contour) => sum + contour.points.length / 2, 0);
  const ys = chooseLines([contours], Math.min(LINES, 100 + 4 * points));
  const rows = Array.from(ys, (): { x: number; turn: number }[] => []);
  const count = createCounter(MAX_CROSSINGS);
  for (const contour of contours) {
    crossLines(flatten(contour, tolerance), ys, (row, x, turn) => {
      count(1);
      rows[row]!.push({ x, turn });
    });
  }
  return rows.some((row) => {
    row.sort((a, b) => a.x - b.x);
    let winding = 0;
    return row.some(({ x, turn }, i) => {
      winding += turn;
      const next = row[i + 1];
      return winding !== 0 && winding % 2 === 0 && next !== undefined && next.x - x > 4 * tolerance;
    });
  });
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
  // An odd fraction: coordinates are round numbers, and a line through corners says little.
  for (let i = 0; i < lines; i++) ys.push(top + gap * (i + 0.437_193));
  for (const { minY, maxY } of bounds) if (maxY - minY < 3 * gap) ys.push(minY + (maxY - minY) * 0.487_311);
  return Float64Array.from(ys).sort();
}

/** Calls `visit` for each line an edge of the closed polygon crosses; `turn` is 1 downwards and -1 upwards. */
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

/** The index of the first line with y >= top. */
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
