/** Stencil bridges: ways of sheet through what is cut out, so that the inside of an O does not fall out. */
import { nestContours } from '../geometry/nesting.ts';
import { type Contour, flatten, type PathBounds, tightBounds } from '../geometry/pathData.ts';
import { joinOutlines, MM_GRID, subtractOutlines } from '../geometry/planar.ts';

/** How far the lines that bridges are measured on leave their curves, mm. */
const FLAT_MM = 0.02;
/** A bridge can end in a hole that has none yet, or be cut off by a curve: what is left of holes is bridged again. */
const MOST_ROUNDS = 4;
/** Level bridges are taken where upright ones would have to cross this many times as much. */
const MUCH_LONGER = 2;

/** True when something inside of an area, filled by even-odd, would fall out of a sheet that it is cut from. */
export const hasIslands = (contours: readonly Contour[]): boolean => holesOf(contours).length > 0;

function holesOf(contours: readonly Contour[]): number[] {
  const { depth } = nestContours(contours);
  return contours.flatMap((_, i) => (depth[i]! % 2 === 1 ? [i] : []));
}

/**
 * Returns an area, filled by even-odd, with two bridges from each of its holes to the sheet around it: up and down, or
 * to the sides where that is much shorter. Holes of one letter have theirs in one line, where they lie over each other.
 * Contours and widths are in mm. Holes that are narrower than a bridge become a part of it. Cost: a difference for each
 * round, of which one is nearly always enough, and a pass over all edges for each hole.
 */
export function addBridges(contours: readonly Contour[], widthMm: number): Contour[] {
  let area = [...contours];
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const bridges = findBridges(area, widthMm);
    if (bridges.length === 0) break;
    area = subtractOutlines(area, joinOutlines(bridges, MM_GRID), MM_GRID);
  }
  return area;
}

function findBridges(contours: readonly Contour[], widthMm: number): Contour[][] {
  const holes = holesOf(contours);
  if (holes.length === 0) return [];
  const { parent } = nestContours(contours);
  const boxes = contours.map((contour) => tightBounds([contour]));
  const lines = contours.map((contour) => flatten(contour, FLAT_MM));
  const sideways = lines.map(swapAxes);
  const half = widthMm / 2;
  return holes.flatMap((hole) => {
    const siblings = holes.filter((other) => parent[other] === parent[hole]);
    const upright = bridgesAlong(lines, hole, commonMiddle(boxes, siblings, hole, half));
    const level = bridgesAlong(sideways, hole, (boxes[hole]!.minY + boxes[hole]!.maxY) / 2);
    // They reach into the open on both sides, because edges are seldom square to them.
    const reach = (span: readonly [number, number]) => [span[0] - half, span[1] + half] as const;
    if (level.spans.length === 2 && upright.length > MUCH_LONGER * level.length) {
      return level.spans.map(reach).map(([from, to]) => [rectangle(from, level.at - half, to, level.at + half)]);
    }
    return upright.spans.map(reach).map(([from, to]) => [rectangle(upright.at - half, from, upright.at + half, to)]);
  });
}

/** Returns the middle of the holes of one letter from left to right, if a bridge there meets all; else the hole's. */
function commonMiddle(boxes: readonly PathBounds[], siblings: readonly number[], hole: number, half: number): number {
  const middleOf = (i: number) => (boxes[i]!.minX + boxes[i]!.maxX) / 2;
  const mean = siblings.reduce((sum, i) => sum + middleOf(i), 0) / siblings.length;
  const meets = (i: number) => mean - half > boxes[i]!.minX && mean + half < boxes[i]!.maxX;
  return siblings.every(meets) ? mean : middleOf(hole);
}

interface Bridges {
  readonly at: number;
  /** From the edge of the hole to where the ink ends, on both sides. */
  readonly spans: readonly (readonly [number, number])[];
  /** Of both. */
  readonly length: number;
}

/** Measures the bridges of a hole along the upright line at `at`. */
function bridgesAlong(lines: readonly (readonly number[])[], hole: number, at: number): Bridges {
  const own = crossingsAt(lines[hole]!, at);
  const edges = lines.flatMap((line) => crossingsAt(line, at));
  const [top, bottom] = [Math.min(...own), Math.max(...own)];
  const up = Math.max(...edges.filter((y) => y < top));
  const down = Math.min(...edges.filter((y) => y > bottom));
  const spans = (
    [
      [up, top],
      [bottom, down],
    ] as const
  ).filter(([from, to]) => Number.isFinite(from) && Number.isFinite(to));
  return { at, spans, length: spans.reduce((sum, [from, to]) => sum + to - from, 0) };
}

/** Returns the places at which a closed polyline crosses the upright line at `x`. */
function crossingsAt(line: readonly number[], x: number): number[] {
  const places: number[] = [];
  for (let p = 0; p < line.length; p += 2) {
    const next = (p + 2) % line.length;
    const [ax, ay, bx, by] = [line[p]!, line[p + 1]!, line[next]!, line[next + 1]!];
    if (ax > x !== bx > x) places.push(ay + ((x - ax) / (bx - ax)) * (by - ay));
  }
  return places;
}

const swapAxes = (line: readonly number[]): number[] => line.map((_, i) => line[i ^ 1]!);

const rectangle = (left: number, top: number, right: number, bottom: number): Contour => ({
  commands: ['L', 'L', 'L'],
  points: [left, top, right, top, right, bottom, left, bottom],
  isClosed: true,
});
