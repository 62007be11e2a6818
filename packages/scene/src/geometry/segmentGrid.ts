/**
 * The flattened segments of contours in a uniform grid: finds what touches, crosses or runs along what, near to linear
 * in the segments. All in typed arrays, because a drawing has a hundred thousand of them.
 */
import type { Point } from './matrix.ts';
import { type Contour, cubicSteps, pushCubic } from './pathData.ts';

/** Straight pieces of contours, in the order of the contours. */
export interface Segments {
  readonly count: number;
  readonly x0: Float64Array;
  readonly y0: Float64Array;
  readonly x1: Float64Array;
  readonly y1: Float64Array;
  /** The contour of each segment. */
  readonly contour: Int32Array;
  /** The command of its contour that each segment is a piece of; the number of commands for the closing line. */
  readonly command: Int32Array;
  /** The share of the command at which each segment ends, 0…1. It starts where the one before ends. */
  readonly until: Float64Array;
  readonly length: Float64Array;
  /** How far along its contour each segment starts. */
  readonly along: Float64Array;
  /** The first segment of each contour, and the count at the end. */
  readonly starts: Int32Array;
}

/**
 * Flattens contours to within `tolerance`. A closed contour gets its closing line, unless that has no length. The
 * columns are made at their full length and filled in one loop: lists that grow, and are then copied, took a quarter of
 * the time in which the dots of a halftone are compared, and a function for each segment boxes every number it sets.
 */
export function toSegments(contours: readonly Contour[], tolerance: number): Segments {
  const most = contours.reduce((sum, contour) => sum + mostSegments(contour, tolerance), 0);
  const column = () => new Float64Array(most);
  const [x0, y0, x1, y1, length, along, until] = [0, 0, 0, 0, 0, 0, 0].map(column) as SegmentNumbers;
  const [contourOf, commandOf] = [new Int32Array(most), new Int32Array(most)];
  const starts = new Int32Array(contours.length + 1);
  const flat: number[] = [];
  let count = 0;
  for (let c = 0; c < contours.length; c++) {
    const { commands, points, isClosed } = contours[c]!;
    starts[c] = count;
    let x = points[0]!;
    let y = points[1]!;
    let far = 0;
    // The closing line comes after the last command, back to the first point.
    for (let k = 0, p = 2; k < commands.length + (isClosed ? 1 : 0); k++) {
      const isCurve = commands[k] === 'C';
      flat.length = 0;
      const steps = isCurve ? pushCubic(flat, points, p - 2, tolerance) : 1;
      const ends = isCurve ? flat : points;
      let at = isCurve || k === commands.length ? 0 : p;
      for (let step = 1; step <= steps; step++, at += 2) {
        const toX = ends[at]!;
        const toY = ends[at + 1]!;
        if (toX === x && toY === y) continue;
        x0[count] = x;
        y0[count] = y;
        x1[count] = toX;
        y1[count] = toY;
        until[count] = step / steps;
        contourOf[count] = c;
        commandOf[count] = k;
        along[count] = far;
        length[count] = Math.hypot(toX - x, toY - y);
        far += length[count]!;
        x = toX;
        y = toY;
        count++;
      }
      p += isCurve ? 6 : 2;
    }
  }
  starts[contours.length] = count;
  const numbers = (values: Float64Array) => values.subarray(0, count);
  return {
    count,
    ...{ x0: numbers(x0), y0: numbers(y0), x1: numbers(x1), y1: numbers(y1) },
    ...{ length: numbers(length), along: numbers(along), until: numbers(until) },
    ...{ contour: contourOf.subarray(0, count), command: commandOf.subarray(0, count) },
    starts,
  };
}

type SegmentNumbers = [
  ...[x0: Float64Array, y0: Float64Array, x1: Float64Array, y1: Float64Array],
  ...[length: Float64Array, along: Float64Array, until: Float64Array],
];

/** Returns how many segments a contour has at most, with its closing line. */
function mostSegments({ commands, points }: Contour, tolerance: number): number {
  let sum = 1;
  let p = 0;
  for (const command of commands) {
    sum += command === 'L' ? 1 : cubicSteps(points, p, tolerance);
    p += command === 'L' ? 2 : 6;
  }
  return sum;
}

/** Returns the length of a contour. */
export function lengthOfContour({ starts, length, along }: Segments, c: number): number {
  const last = starts[c + 1]! - 1;
  return last < starts[c]! ? 0 : along[last]! + length[last]!;
}

/** Returns the segment of a contour that holds the place so far along it. Cost: a binary search. */
export function segmentAt({ starts, along }: Segments, c: number, distance: number): number {
  let [low, high] = [starts[c]!, starts[c + 1]! - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (along[middle]! < distance) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The segments by the cells that they pass through. */
export interface SegmentGrid {
  /** Calls `visit` once for each segment within `reach` of segment `i`, and for some that are a cell farther away. */
  near(i: number, reach: number, visit: (j: number) => void): void;
  /** The same for a point. */
  nearPoint(x: number, y: number, reach: number, visit: (j: number) => void): void;
  /** Calls `visit` once for each segment that the line from a point to the left edge may cross. */
  leftOf(x: number, y: number, visit: (j: number) => void): void;
}

/** Thrown when so many segments share cells that comparing them would take too long. */
export class TooManyNeighbors extends Error {
  override readonly name = 'TooManyNeighbors';
}

/** The most visits for each segment, on the average. A drawing has some ten. */
const MAX_VISITS = 2000;

/**
 * Sorts segments into a grid whose cells are about as wide as the segments are long. Cost: linear in the cells that
 * segments pass through, which are a few for each. The calls of the grid throw `TooManyNeighbors`.
 */
export function createSegmentGrid({ count, x0, y0, x1, y1 }: Segments): SegmentGrid {
  let [minX, minY, maxX, maxY, length] = [Infinity, Infinity, -Infinity, -Infinity, 0];
  for (let i = 0; i < count; i++) {
    minX = Math.min(minX, x0[i]!, x1[i]!);
    maxX = Math.max(maxX, x0[i]!, x1[i]!);
    minY = Math.min(minY, y0[i]!, y1[i]!);
    maxY = Math.max(maxY, y0[i]!, y1[i]!);
    length += Math.hypot(x1[i]! - x0[i]!, y1[i]! - y0[i]!);
  }
  const [width, height] = count > 0 ? [maxX - minX, maxY - minY] : [0, 0];
  // No more than four cells for each segment, however short the segments are.
  const size = Math.max(length / count, Math.sqrt((width * height) / (4 * count)), (width + height) / (4 * count)) || 1;
  const columns = Math.floor(width / size) + 1;
  const rows = Math.floor(height / size) + 1;
  const clampColumn = (x: number) => Math.min(columns - 1, Math.max(0, Math.floor((x - minX) / size)));
  const clampRow = (y: number) => Math.min(rows - 1, Math.max(0, Math.floor((y - minY) / size)));

  /** Calls `visit` for each cell within `reach` of a line. Row by row: a long line passes few cells of each. */
  const cells = (ax: number, ay: number, bx: number, by: number, reach: number, visit: (cell: number) => void) => {
    const isDown = ay <= by;
    const fromX = isDown ? ax : bx;
    const fromY = isDown ? ay : by;
    const toX = isDown ? bx : ax;
    const toY = isDown ? by : ay;
    const first = clampRow(fromY - reach);
    const last = clampRow(toY + reach);
    const slope = toY > fromY ? (toX - fromX) / (toY - fromY) : 0;
    for (let row = first; row <= last; row++) {
      let left = Math.min(fromX, toX);
      let right = Math.max(fromX, toX);
      if (toY > fromY) {
        const top = Math.min(toY, Math.max(fromY, minY + row * size - reach));
        const bottom = Math.max(fromY, Math.min(toY, minY + (row + 1) * size + reach));
        const xTop = fromX + slope * (top - fromY);
        const xBottom = fromX + slope * (bottom - fromY);
        left = Math.min(xTop, xBottom);
        right = Math.max(xTop, xBottom);
      }
      const lastColumn = clampColumn(right + reach);
      for (let column = clampColumn(left - reach); column <= lastColumn; column++) visit(row * columns + column);
    }
  };

  const offsets = new Int32Array(columns * rows + 1);
  for (let i = 0; i < count; i++) cells(x0[i]!, y0[i]!, x1[i]!, y1[i]!, 0, (cell) => offsets[cell + 1]!++);
  for (let cell = 0; cell < columns * rows; cell++) offsets[cell + 1]! += offsets[cell]!;
  const entries = new Int32Array(offsets[columns * rows]!);
  const ends = offsets.slice();
  for (let i = 0; i < count; i++) {
    cells(x0[i]!, y0[i]!, x1[i]!, y1[i]!, 0, (cell) => {
      entries[ends[cell]!++] = i;
    });
  }

  const visitOf = new Int32Array(count);
  let turn = 0;
  let visits = 0;
  const visitCell = (cell: number, visit: (j: number) => void) => {
    const end = offsets[cell + 1]!;
    visits += end - offsets[cell]!;
    if (visits > MAX_VISITS * count) throw new TooManyNeighbors('This drawing is too dense to be cleaned.');
    for (let e = offsets[cell]!; e < end; e++) {
      const j = entries[e]!;
      if (visitOf[j] === turn) continue;
      visitOf[j] = turn;
      visit(j);
    }
  };
  return {
    near(i, reach, visit) {
      turn++;
      cells(x0[i]!, y0[i]!, x1[i]!, y1[i]!, reach, (cell) => visitCell(cell, visit));
    },
    nearPoint(x, y, reach, visit) {
      turn++;
      cells(x, y, x, y, reach, (cell) => visitCell(cell, visit));
    },
    leftOf(x, y, visit) {
      if (y < minY || y > maxY) return;
      turn++;
      const row = clampRow(y);
      for (let column = clampColumn(x); column >= 0; column--) visitCell(row * columns + column, visit);
    },
  };
}

/** A stretch of one segment along another one, as distances from its start. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
}

/**
 * Slope up to which two long segments run in parallel, and how much more the chords of curves may differ: one of
 * `length` is turned by up to four flattening tolerances over its length against the curve.
 */
const MAX_SLOPE = 0.02;
const CHORD_TURN_MM = 0.04;
const MAX_CHORD_SLOPE = 0.3;

/**
 * Returns the stretch of segment `i` that is within `tolerance` of segment `j` and nearly parallel to it. Both are
 * flattened to within 0.005.
 */
export function stretchAlong(
  { x0, y0, x1, y1 }: Segments,
  i: number,
  j: number,
  tolerance: number,
): Stretch | undefined {
  // Called for every pair of neighbors, some ten for each segment, so it makes no functions or lists of its own.
  const ax = x0[i]!;
  const ay = y0[i]!;
  const ux = x1[i]! - ax;
  const uy = y1[i]! - ay;
  const length = Math.hypot(ux, uy);
  const fromX = x0[j]! - ax;
  const fromY = y0[j]! - ay;
  const toX = x1[j]! - ax;
  const toY = y1[j]! - ay;
  let start = (fromX * ux + fromY * uy) / length;
  let end = (toX * ux + toY * uy) / length;
  let startSide = (fromX * uy - fromY * ux) / length;
  let endSide = (toX * uy - toY * ux) / length;
  if (start > end) [start, end, startSide, endSide] = [end, start, endSide, startSide];
  const slope = (endSide - startSide) / (end - start);
  const maxSlope = Math.min(MAX_CHORD_SLOPE, MAX_SLOPE + CHORD_TURN_MM / Math.min(length, end - start));
  if (!(Math.abs(slope) <= maxSlope)) return undefined;
  let [from, to] = [Math.max(0, start), Math.min(length, end)];
  if (slope !== 0) {
    const [a, b] = [start + (-tolerance - startSide) / slope, start + (tolerance - startSide) / slope];
    from = Math.max(from, Math.min(a, b));
    to = Math.min(to, Math.max(a, b));
  } else if (Math.abs(startSide) > tolerance) return undefined;
  return to > from ? { from, to } : undefined;
}

/**
 * True for a segment that goes on from another one, `j`, before it on its contour, and does not turn back along it. It
 * is near to that one without anything being double.
 */
export function isContinuation({ x0, y0, x1, y1, contour }: Segments, i: number, j: number): boolean {
  if (i - j !== 1 || contour[i] !== contour[j]) return false;
  return (x1[i]! - x0[i]!) * (x1[j]! - x0[j]!) + (y1[i]! - y0[i]!) * (y1[j]! - y0[j]!) > 0;
}

/** How near to its end a segment meets another one in the vertex there. */
const VERTEX = 1e-6;

/**
 * Returns the point at which two lines go through each other on their segments `i` and `j`; undefined where they are
 * parallel, do not meet or only touch. Where they meet in a vertex, its directions decide, and the point belongs to the
 * segment that starts there.
 */
export function crossesAt(segments: Segments, i: number, j: number): Point | undefined {
  const { x0, y0, x1, y1, length } = segments;
  const [ux, uy] = [x1[i]! - x0[i]!, y1[i]! - y0[i]!];
  const [vx, vy] = [x1[j]! - x0[j]!, y1[j]! - y0[j]!];
  const cross = ux * vy - uy * vx;
  if (cross === 0) return undefined;
  const [wx, wy] = [x0[j]! - x0[i]!, y0[j]! - y0[i]!];
  const onI = (wx * vy - wy * vx) / cross;
  const onJ = (wx * uy - wy * ux) / cross;
  const slackI = VERTEX / length[i]!;
  const slackJ = VERTEX / length[j]!;
  if (onI < -slackI || onI > 1 - slackI || onJ < -slackJ || onJ > 1 - slackJ) return undefined;
  const point = { x: x0[i]! + onI * ux, y: y0[i]! + onI * uy };
  const [startsI, startsJ] = [onI < slackI, onJ < slackJ];
  if (!startsI && !startsJ) return point;
  const beforeI = startsI ? segmentBefore(segments, i) : i;
  const beforeJ = startsJ ? segmentBefore(segments, j) : j;
  if (beforeI === undefined || beforeJ === undefined || beforeI === j || beforeJ === i) return undefined;
  const angle = (segment: number, isBack: boolean) =>
    isBack
      ? Math.atan2(y0[segment]! - y1[segment]!, x0[segment]! - x1[segment]!)
      : Math.atan2(y1[segment]! - y0[segment]!, x1[segment]! - x0[segment]!);
  const base = angle(beforeI, true);
  const turn = (value: number) => (value - base + 4 * Math.PI) % (2 * Math.PI);
  const out = turn(angle(i, false));
  return turn(angle(beforeJ, true)) < out !== turn(angle(j, false)) < out ? point : undefined;
}

/** Returns the segment of the same contour that ends where a segment starts. */
function segmentBefore({ x0, y0, x1, y1, contour, starts }: Segments, i: number): number | undefined {
  const c = contour[i]!;
  if (i > starts[c]!) return i - 1;
  const last = starts[c + 1]! - 1;
  return x1[last] === x0[i] && y1[last] === y0[i] ? last : undefined;
}

/** Returns the distance of a point from a segment. */
export function distanceTo({ x0, y0, x1, y1 }: Segments, j: number, x: number, y: number): number {
  const [ux, uy] = [x1[j]! - x0[j]!, y1[j]! - y0[j]!];
  const t = Math.min(1, Math.max(0, ((x - x0[j]!) * ux + (y - y0[j]!) * uy) / (ux * ux + uy * uy)));
  return Math.hypot(x0[j]! + t * ux - x, y0[j]! + t * uy - y);
}
