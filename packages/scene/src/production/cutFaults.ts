/** Finds what the clean-up cannot mend in lines that are cut: ends that stand open, and cuts that cross. */
import type { Point } from '../geometry/matrix.ts';
import { type Contour, tightBounds } from '../geometry/pathData.ts';
import {
  createSegmentGrid,
  crossesAt,
  distanceTo,
  type SegmentGrid,
  type Segments,
  TooManyNeighbors,
  toSegments,
} from '../geometry/segmentGrid.ts';
import { GAP_MM } from './chainCuts.ts';
import { boxAround, type CutLine } from './cutLines.ts';

const FLAT_MM = 0.005;
/** Lines that cross this near to the end of one of them meet there, mm. */
const MEET_MM = 0.05;

/** A line with an open end: where it is, with the length of the line. */
interface OpenFault {
  readonly elementId: string;
  readonly lengthMm: number;
  readonly places: readonly (readonly Point[])[];
}

/** Where a line crosses others of one element. */
interface CrossingFault {
  readonly elementId: string;
  /** The other element; undefined for lines of one. */
  readonly withId: string | undefined;
  readonly places: readonly (readonly Point[])[];
  /** A shift of all these lines of the element by which none would cross. Undefined where one crosses itself. */
  readonly clearBy: Point | undefined;
}

/** The faults of all lines. */
export interface CutFaults {
  readonly open: readonly OpenFault[];
  readonly crossing: readonly CrossingFault[];
}

/**
 * Returns the lines with an open end, which no other line is within 0.1 mm of, and the places where cuts cross. An end
 * at the edge of the frame, `isAtEdge`, is not open: what stands there was clipped. Cost: near to linear in the
 * segments; lines too dense to compare are not looked at.
 */
export function findCutFaults(lines: readonly CutLine[], isAtEdge: (x: number, y: number) => boolean): CutFaults {
  const segments = toSegments(
    lines.map(({ contour }) => contour),
    FLAT_MM,
  );
  const grid = createSegmentGrid(segments);
  try {
    return {
      open: lines.flatMap((line, c) => openFault(line, c, segments, grid, isAtEdge)),
      crossing: findCrossings(lines, segments, grid),
    };
  } catch (error) {
    if (error instanceof TooManyNeighbors) return { open: [], crossing: [] };
    throw error;
  }
}

function openFault(
  { contour: { points, isClosed }, elementId }: CutLine,
  c: number,
  segments: Segments,
  grid: SegmentGrid,
  isAtEdge: (x: number, y: number) => boolean,
): OpenFault[] {
  const [first, last] = [segments.starts[c]!, segments.starts[c + 1]! - 1];
  if (isClosed || last < first) return [];
  const ends = [
    { x: points[0]!, y: points[1]!, own: first },
    { x: points.at(-2)!, y: points.at(-1)!, own: last },
  ].filter(({ x, y, own }) => {
    if (isAtEdge(x, y)) return false;
    let isHeld = false;
    grid.nearPoint(x, y, GAP_MM, (j) => {
      if (isHeld || (segments.contour[j] === c && alongTo(segments, j, own) < 2 * GAP_MM)) return;
      isHeld = distanceTo(segments, j, x, y) <= GAP_MM;
    });
    return !isHeld;
  });
  if (ends.length === 0) return [];
  const lengthMm = segments.along[last]! + segments.length[last]!;
  return [{ elementId, lengthMm, places: ends.map(({ x, y }) => boxAround(x, y)) }];
}

/** Returns how far apart two segments of one contour are along it. */
const alongTo = ({ along, length }: Segments, i: number, j: number) =>
  i < j ? along[j]! - along[i]! - length[i]! : along[i]! - along[j]! - length[j]!;

interface Crossings {
  readonly places: Point[][];
  /** The lines that the line crosses, itself perhaps among them. */
  readonly others: Set<number>;
}

function findCrossings(lines: readonly CutLine[], segments: Segments, grid: SegmentGrid): CrossingFault[] {
  const { count, contour } = segments;
  const byLine = new Map<string, Crossings & { readonly line: number }>();
  for (let i = 0; i < count; i++) {
    grid.near(i, 0, (j) => {
      if (j <= i) return;
      const at = crossesAt(segments, i, j);
      if (!at) return;
      const { x, y } = at;
      if (isAtEnd(lines[contour[i]!]!, x, y) || isAtEnd(lines[contour[j]!]!, x, y)) return;
      const [line, other] = [contour[i]!, contour[j]!];
      const key = `${line} ${lines[other]!.elementId}`;
      const crossing = byLine.get(key) ?? { line, places: [], others: new Set<number>() };
      byLine.set(key, crossing);
      crossing.places.push(boxAround(x, y));
      crossing.others.add(other);
    });
  }
  const shifts = clearingShifts(lines, [...byLine.values()]);
  return [...byLine.values()].map(({ line, places, others }) => {
    const [{ elementId }, withId] = [lines[line]!, elementOfFirst(lines, others)];
    const clearBy = shifts.get(`${elementId} ${withId}`);
    return { elementId, withId: withId === elementId ? undefined : withId, places, clearBy };
  });
}

const elementOfFirst = (lines: readonly CutLine[], others: ReadonlySet<number>): string =>
  lines[others.values().next().value!]!.elementId;

/**
 * Returns by pairs of elements the least shift that parts the boxes of their lines that cross. For two lines of one
 * element it is that of the pair that is deepest in each other.
 */
function clearingShifts(
  lines: readonly CutLine[],
  crossings: readonly (Crossings & { readonly line: number })[],
): Map<string, Point> {
  const sides = new Map<string, { own: Contour[]; others: Contour[] }>();
  const shifts = new Map<string, Point>();
  for (const { line, others } of crossings) {
    const { elementId, contour } = lines[line]!;
    const withId = elementOfFirst(lines, others);
    const key = `${elementId} ${withId}`;
    if (withId !== elementId) {
      const pair = sides.get(key) ?? { own: [], others: [] };
      sides.set(key, pair);
      pair.own.push(contour);
      pair.others.push(...[...others].map((other) => lines[other]!.contour));
      continue;
    }
    for (const other of others) {
      if (other === line) continue;
      const shift = partingShift([contour], [lines[other]!.contour]);
      const before = shifts.get(key);
      if (!before || Math.hypot(shift.x, shift.y) > Math.hypot(before.x, before.y)) shifts.set(key, shift);
    }
  }
  for (const [key, { own, others }] of sides) shifts.set(key, partingShift(own, others));
  return shifts;
}

/** Returns the least shift along an axis of a box of contours beside that of others. */
function partingShift(own: readonly Contour[], others: readonly Contour[]): Point {
  const [a, b] = [tightBounds(own), tightBounds(others)];
  const shifts: Point[] = [
    { x: b.minX - a.maxX, y: 0 },
    { x: b.maxX - a.minX, y: 0 },
    { x: 0, y: b.minY - a.maxY },
    { x: 0, y: b.maxY - a.minY },
  ];
  return shifts.reduce((least, shift) => (Math.hypot(shift.x, shift.y) < Math.hypot(least.x, least.y) ? shift : least));
}

function isAtEnd({ contour: { points, isClosed } }: CutLine, x: number, y: number): boolean {
  if (isClosed) return false;
  const near = (p: number) => Math.hypot(points[p]! - x, points[p + 1]! - y) <= MEET_MM;
  return near(0) || near(points.length - 2);
}
