/** Removes the lines that a tool would follow twice. */
import type { Point } from '../geometry/matrix.ts';
import {
  createSegmentGrid,
  isContinuation,
  lengthOfContour,
  type Segments,
  segmentAt,
  stretchAlong,
  TooManyNeighbors,
  toSegments,
} from '../geometry/segmentGrid.ts';
import { type CutLine, cutContour, type Place, pointOffsets } from './cutLines.ts';

/** Lines this near to each other are one line, mm: a beam is wider. */
const SAME_MM = 0.02;
/** Lines that cross run within `SAME_MM` of each other for less than this, mm. */
const LEAST_RUN_MM = 0.2;
/** Runs that are interrupted for less than this are one run, mm; one that ends this near to a corner ends there. */
const JOINT_MM = 0.05;
/** A line of which this share is doubled goes altogether. */
const WHOLE_SHARE = 0.95;
const FLAT_MM = 0.005;

/** A stretch that was removed because another line runs along it. */
export interface DoubleRun {
  readonly elementId: string;
  /** The element of the line that stays, where it is another one. */
  readonly withId: string | undefined;
  readonly lengthMm: number;
  readonly place: readonly Point[];
}

/** A stretch of a contour, in mm along it. */
interface Run {
  from: number;
  to: number;
  /** Of the first line along it that is not of the same element. */
  withId: string | undefined;
}

/**
 * Returns the lines without what runs along a line that stays, in either direction: whole lines, shared edges, and
 * lines that turn back along themselves. Closed ones stay before open ones, and earlier ones before later ones. What is
 * left of a line is in open pieces; a line without doubles stays the same object. Cost: near to linear in the segments.
 * Lines too dense to compare stay as they are.
 */
export function dedupeCuts(lines: readonly CutLine[], note: (run: DoubleRun) => void): readonly CutLine[] {
  const order = [...lines.keys()].sort(
    (a, b) => Number(lines[b]!.contour.isClosed) - Number(lines[a]!.contour.isClosed),
  );
  const closedFirst = order.map((i) => lines[i]!);
  const segments = toSegments(
    closedFirst.map(({ contour }) => contour),
    FLAT_MM,
  );
  let runs: (readonly Run[])[];
  try {
    runs = findRuns(segments, closedFirst);
  } catch (error) {
    if (error instanceof TooManyNeighbors) return lines;
    throw error;
  }
  if (runs.every(({ length }) => length === 0)) return lines;
  const pieces: (readonly CutLine[])[] = [];
  for (const [c, line] of closedFirst.entries()) {
    const doubles = runs[c]!;
    for (const run of doubles) note(toDoubleRun(segments, c, line.elementId, run));
    pieces[order[c]!] = doubles.length === 0 ? [line] : restOf(line, segments, c, doubles);
  }
  return pieces.flat();
}

/** Returns the doubled runs of each contour. */
function findRuns(segments: Segments, lines: readonly CutLine[]): (readonly Run[])[] {
  const grid = createSegmentGrid(segments);
  const { along, starts, contour } = segments;
  const isGone = new Uint8Array(segments.count);
  return lines.map(({ elementId }, c) => {
    const runs: Run[] = [];
    for (let i = starts[c]!; i < starts[c + 1]!; i++) {
      const stretches: Run[] = [];
      const at = along[i]!;
      grid.near(i, SAME_MM, (j) => {
        if (j >= i || isGone[j] || isContinuation(segments, i, j)) return;
        const stretch = stretchAlong(segments, i, j, SAME_MM);
        if (!stretch) return;
        const other = lines[contour[j]!]!.elementId;
        const withId = other === elementId ? undefined : other;
        stretches.push({ from: at + stretch.from, to: at + stretch.to, withId });
      });
      stretches.sort((a, b) => a.from - b.from);
      for (const run of stretches) addRun(runs, run);
    }
    const doubles = wholeOrLong(snapRuns(runs, segments, c), segments, c);
    markGone(isGone, doubles, segments, c);
    return doubles;
  });
}

/** Adds a run to runs in rising order, joined with the last one where they meet. */
function addRun(runs: Run[], run: Run): void {
  const last = runs.at(-1);
  if (!last || run.from > last.to + JOINT_MM) {
    runs.push({ ...run });
    return;
  }
  last.to = Math.max(last.to, run.to);
  last.withId ??= run.withId;
}

/** Moves ends of runs that are next to a corner of the contour onto it. */
function snapRuns(runs: readonly Run[], segments: Segments, c: number): readonly Run[] {
  if (runs.length === 0) return runs;
  const { along, length, command, starts } = segments;
  const corners = [0];
  for (let i = starts[c]!; i < starts[c + 1]!; i++) {
    if (i + 1 === starts[c + 1] || command[i + 1] !== command[i]) corners.push(along[i]! + length[i]!);
  }
  let k = 0;
  const snap = (place: number) => {
    while (k + 1 < corners.length && Math.abs(corners[k + 1]! - place) <= Math.abs(corners[k]! - place)) k++;
    return Math.abs(corners[k]! - place) <= JOINT_MM ? corners[k]! : place;
  };
  return runs.map(({ from, to, withId }) => ({ from: snap(from), to: snap(to), withId }));
}

/** Leaves out short runs. A run that is nearly everything becomes everything. */
function wholeOrLong(runs: readonly Run[], segments: Segments, c: number): readonly Run[] {
  const length = lengthOfContour(segments, c);
  const total = runs.reduce((sum, { from, to }) => sum + to - from, 0);
  if (length > 0 && total >= WHOLE_SHARE * length) {
    return [{ from: 0, to: length, withId: runs.find(({ withId }) => withId !== undefined)?.withId }];
  }
  const [first, last] = [runs[0], runs.at(-1)];
  // A run through the start of a closed contour is one run.
  const isAround = first && last && first !== last && first.from === 0 && last.to === length;
  return runs.filter((run) => {
    if (isAround && (run === first || run === last)) return first.to + (last.to - last.from) >= LEAST_RUN_MM;
    return run.to - run.from >= LEAST_RUN_MM;
  });
}

/** Marks the segments that are removed, so that nothing is removed because of them. */
function markGone(isGone: Uint8Array, runs: readonly Run[], { starts, along, length }: Segments, c: number): void {
  let k = 0;
  for (let i = starts[c]!; i < starts[c + 1]!; i++) {
    const middle = along[i]! + length[i]! / 2;
    while (k < runs.length && runs[k]!.to < middle) k++;
    if (k === runs.length) return;
    if (runs[k]!.from <= middle) isGone[i] = 1;
  }
}

/** Returns the place on the contour at a distance along it. */
function placeAt(segments: Segments, c: number, distance: number): Place {
  const { along, length, command, until, starts } = segments;
  const i = segmentAt(segments, c, distance);
  const start = i > starts[c]! && command[i - 1] === command[i] ? until[i - 1]! : 0;
  const part = Math.min(1, Math.max(0, (distance - along[i]!) / length[i]!));
  return { command: command[i]!, share: start + (until[i]! - start) * part };
}

/** Returns what is left of a line without its doubled runs. */
function restOf(line: CutLine, segments: Segments, c: number, runs: readonly Run[]): CutLine[] {
  const ends = [0, ...runs.flatMap(({ from, to }) => [from, to]), lengthOfContour(segments, c)];
  const offsets = pointOffsets(line.contour);
  const rest: CutLine[] = [];
  for (let k = 0; k < ends.length; k += 2) {
    const [from, to] = [ends[k]!, ends[k + 1]!];
    if (to - from <= JOINT_MM) continue;
    const contour = cutContour(line.contour, offsets, placeAt(segments, c, from), placeAt(segments, c, to));
    rest.push({ ...line, contour });
  }
  return rest;
}

function toDoubleRun(segments: Segments, c: number, elementId: string, { from, to, withId }: Run): DoubleRun {
  const { x0, y0, x1, y1, along, length } = segments;
  const point = (i: number, distance: number): Point => {
    const t = Math.min(1, Math.max(0, (distance - along[i]!) / length[i]!));
    return { x: x0[i]! + t * (x1[i]! - x0[i]!), y: y0[i]! + t * (y1[i]! - y0[i]!) };
  };
  const [first, last] = [segmentAt(segments, c, from), segmentAt(segments, c, to)];
  const place = [point(first, from)];
  for (let i = first; i <= last; i++) place.push(point(i, Math.min(to, along[i]! + length[i]!)));
  return { elementId, withId, lengthMm: to - from, place };
}
