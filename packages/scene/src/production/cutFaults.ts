/** Finds what the clean-up cannot mend in lines that are cut: ends that stand open, and cuts that cross. */
import type { Point } from '../geometry/matrix.ts';
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

/** A fault of one line: where it is, with the length of the line. */
interface CutFault {
  readonly elementId: string;
  readonly lengthMm: number;
  readonly places: readonly (readonly Point[])[];
}

/** The faults of all lines. */
export interface CutFaults {
  readonly open: readonly CutFault[];
  readonly crossing: readonly CutFault[];
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
): CutFault[] {
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

function findCrossings(lines: readonly CutLine[], segments: Segments, grid: SegmentGrid): CutFault[] {
  const { count, contour } = segments;
  const byLine = new Map<number, Point[][]>();
  for (let i = 0; i < count; i++) {
    grid.near(i, 0, (j) => {
      if (j <= i) return;
      const crossing = crossesAt(segments, i, j);
      if (!crossing) return;
      const { x, y } = crossing;
      if (isAtEnd(lines[contour[i]!]!, x, y) || isAtEnd(lines[contour[j]!]!, x, y)) return;
      const places = byLine.get(contour[i]!);
      if (places) places.push(boxAround(x, y));
      else byLine.set(contour[i]!, [boxAround(x, y)]);
    });
  }
  return [...byLine].map(([c, places]) => ({ elementId: lines[c]!.elementId, lengthMm: 0, places }));
}

function isAtEnd({ contour: { points, isClosed } }: CutLine, x: number, y: number): boolean {
  if (isClosed) return false;
  const near = (p: number) => Math.hypot(points[p]! - x, points[p + 1]! - y) <= MEET_MM;
  return near(0) || near(points.length - 2);
}
