/**
 * Whole paths on a surface: curves become lines that are nowhere further from their picture than a tolerance, and what
 * is behind the blank is cut off at its outline. Typed arrays and linear time, so that a large artwork follows a drag.
 */
import type { Matrix } from '../geometry/matrix.ts';
import { type Contour, flatten } from '../geometry/pathData.ts';
import { type Projection, projectWallPoints, type WallCamera } from './projection.ts';
import { layPoints, radiusAt } from './surface.ts';

/** Many polylines in two arrays. */
export interface Polylines {
  /** Pairs of x and y. */
  readonly points: Float64Array;
  /** Where each polyline ends, in pairs; it starts where the one before ends. */
  readonly ends: Uint32Array;
  /** 1 for a polyline whose last point is joined with its first. */
  readonly isClosed: Uint8Array;
}

/** Returns contours as polylines that are nowhere further from their curves than `tolerance`. Cost: linear. */
export function toPolylines(contours: readonly Contour[], tolerance: number): Polylines {
  const lines = contours.map((contour) => flatten(contour, tolerance));
  const out = createLines(lines.reduce((total, { length }) => total + length / 2, 0));
  lines.forEach((line, i) => {
    for (let p = 0; p < line.length; p += 2) out.push(line[p]!, line[p + 1]!);
    out.endLine(contours[i]!.isClosed);
  });
  return out.take();
}

export interface ProjectOptions {
  /** The distance that the picture of a line may be off, in mm. */
  readonly toleranceMm: number;
  /** True for outlines that are filled: each stays closed, along the outline of the blank. */
  readonly isFilled: boolean;
}

/**
 * Projects polylines to the picture of a surface. `matrix` maps them to flat mm first. Lines become as many as their
 * bend on the wall needs, and what faces away is cut off; artwork that goes round more than once shows each time it
 * comes to the front. Returns mm of the picture. Cost: linear in the points that come in and go out.
 */
export function projectPolylines(
  { points, ends, isClosed }: Polylines,
  matrix: Matrix,
  { camera }: Projection,
  { toleranceMm, isFilled }: ProjectOptions,
): Polylines {
  const out = createLines(points.length / 2);
  const line = createPairs();
  let start = 0;
  for (let i = 0; i < ends.length; i++) {
    const end = ends[i]!;
    const closes = isFilled || isClosed[i] === 1;
    line.clear();
    placeLine(line, points, start, end, { matrix, camera, toleranceMm, closes });
    start = end;
    if (camera) pushVisible(out, line, camera, isFilled, closes);
    else {
      for (let p = 0; p < line.count; p++) out.push(line.pairs[2 * p]!, line.pairs[2 * p + 1]!);
      out.endLine(closes);
    }
  }
  const lines = out.take();
  if (camera) projectWallPoints(camera, lines.points, lines.points.length / 2);
  return lines;
}

/**
 * Returns what lies between two columns of the flat artwork, in flat mm. `matrix` maps the polylines to flat mm. Filled
 * outlines stay closed, along the columns. Cost: linear.
 */
export function cutBetween(
  { points, ends, isClosed }: Polylines,
  matrix: Matrix,
  [left, right]: readonly [number, number],
  isFilled: boolean,
): Polylines {
  const out = createLines(points.length / 2);
  const line = createPairs();
  let start = 0;
  for (let i = 0; i < ends.length; i++) {
    line.clear();
    const flat = { matrix, camera: undefined, toleranceMm: Infinity, closes: isFilled || isClosed[i] === 1 };
    placeLine(line, points, start, ends[i]!, flat);
    if (isFilled) fillBetween(out, line, left, right);
    else followBetween(out, line, left, right, flat.closes);
    start = ends[i]!;
  }
  return out.take();
}

/** Returns the box around pairs of x and y; without a pair one without a size. */
export function boundsOf(points: ArrayLike<number>) {
  if (points.length === 0) return { left: 0, top: 0, right: 0, bottom: 0 };
  const box = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity };
  for (let i = 0; i < points.length; i += 2) {
    box.left = Math.min(box.left, points[i]!);
    box.right = Math.max(box.right, points[i]!);
    box.top = Math.min(box.top, points[i + 1]!);
    box.bottom = Math.max(box.bottom, points[i + 1]!);
  }
  return box;
}

interface Placement {
  readonly matrix: Matrix;
  readonly camera: WallCamera | undefined;
  readonly toleranceMm: number;
  readonly closes: boolean;
}

/** Appends the points of one line in flat mm, with as many between as its bend on the wall needs. */
function placeLine(
  line: Pairs,
  points: Float64Array,
  start: number,
  end: number,
  { matrix: { a, b, c, d, e, f }, camera, toleranceMm, closes }: Placement,
): void {
  let beforeX = 0;
  let beforeY = 0;
  const last = closes ? end : end - 1;
  for (let p = start; p <= last; p++) {
    // A closed line comes back to its first point, which is there already.
    const at = p === end ? start : p;
    const px = points[2 * at]!;
    const py = points[2 * at + 1]!;
    const x = a * px + c * py + e;
    const y = b * px + d * py + f;
    if (p > start && camera) {
      const steps = stepsOf(camera, beforeX, beforeY, x, y, toleranceMm);
      for (let step = 1; step < steps; step++) {
        const t = step / steps;
        line.push(beforeX + (x - beforeX) * t, beforeY + (y - beforeY) * t);
      }
    }
    if (p < end) line.push(x, y);
    beforeX = x;
    beforeY = y;
  }
}

/** A line of the artwork needs no more: it goes round the blank a hundred times. */
const MAX_STEPS = 5000;

/**
 * Returns into how many equal parts a straight line is cut, so that the chords are within the tolerance: the bound of
 * linear interpolation, length² of the second derivative over 8. A sheet bends a line by the curvature of the wall
 * alone, because a straight line stays a geodesic.
 */
function stepsOf(camera: WallCamera, x0: number, y0: number, x1: number, y1: number, toleranceMm: number): number {
  const { wall, lay, distanceMm } = camera;
  const { slope, radiusMm } = wall;
  const dx = Math.abs(x1 - x0);
  const dy = Math.abs(y1 - y0);
  const r0 = radiusAt(wall, y0);
  const r1 = radiusAt(wall, y1);
  const least = Math.min(r0, r1);
  const most = Math.max(r0, r1);
  let bend: number;
  if (slope === 0) bend = (dx * dx) / radiusMm;
  else if (lay === 'sheet') bend = (dx * dx + dy * dy) / Math.min(least, radiusMm);
  else {
    const growth = Math.abs(slope) * dy;
    if (lay === 'meridian') bend = (most * dx * dx) / (radiusMm * radiusMm) + (2 * growth * dx) / radiusMm;
    else {
      const x = Math.max(Math.abs(x0), Math.abs(x1));
      const turn = dx / least + (x * growth) / (least * least);
      const turning = (2 * growth * dx) / (least * least) + (2 * x * growth * growth) / (least * least * least);
      bend = most * turn * turn + 2 * growth * turn + most * turning;
    }
  }
  if (distanceMm !== Infinity) {
    const near = (distanceMm - radiusMm) / Math.max(distanceMm - most, radiusMm * 0.01);
    bend *= Math.max(1, near);
  }
  const steps = Math.ceil(Math.sqrt(bend / (8 * toleranceMm)));
  return steps >= 1 ? Math.min(steps, MAX_STEPS) : 1;
}

/** Lays a line onto the wall and appends what faces the camera, as angles and distances along the wall. */
function pushVisible(out: Lines, line: Pairs, camera: WallCamera, isFilled: boolean, closes: boolean): void {
  const { wall, lay, turnRad, visibleRad } = camera;
  const { pairs, count } = line;
  layPoints(wall, lay, pairs, count);
  let least = Infinity;
  let most = -Infinity;
  for (let p = 0; p < 2 * count; p += 2) {
    const angle = pairs[p]! + turnRad;
    pairs[p] = angle;
    if (angle < least) least = angle;
    if (angle > most) most = angle;
  }
  if (least >= -visibleRad && most <= visibleRad) {
    for (let p = 0; p < count; p++) out.push(pairs[2 * p]!, pairs[2 * p + 1]!);
    out.endLine(closes);
    return;
  }
  const firstTurn = Math.ceil((least - visibleRad) / TURN);
  const lastTurn = Math.floor((most + visibleRad) / TURN);
  for (let turn = firstTurn; turn <= lastTurn; turn++) {
    const from = turn * TURN - visibleRad;
    const to = turn * TURN + visibleRad;
    if (isFilled) fillBetween(out, line, from, to);
    else followBetween(out, line, from, to, closes);
  }
}

const TURN = 2 * Math.PI;

/**
 * Appends the part of a filled outline between two angles (Sutherland and Hodgman 1974). Its new edges lie on the two
 * limits, where they enclose nothing.
 */
function fillBetween(out: Lines, line: Pairs, from: number, to: number): void {
  const half = createPairs();
  clipAt(line, 1, from, (angle, along) => half.push(angle, along));
  const part = createPairs();
  clipAt(half, -1, to, (angle, along) => part.push(angle, along));
  if (part.count < 3) return;
  for (let p = 0; p < part.count; p++) out.push(part.pairs[2 * p]!, part.pairs[2 * p + 1]!);
  out.endLine(true);
}

/** Passes on the part of a closed outline whose angles are above a limit, or below it where `side` is -1. */
function clipAt({ pairs, count }: Pairs, side: 1 | -1, limit: number, push: (angle: number, along: number) => void) {
  for (let p = 0; p < count; p++) {
    const q = p + 1 === count ? 0 : p + 1;
    const angle = pairs[2 * p]!;
    const along = pairs[2 * p + 1]!;
    const nextAngle = pairs[2 * q]!;
    const isIn = side * (angle - limit) >= 0;
    if (isIn) push(angle, along);
    if (isIn !== side * (nextAngle - limit) >= 0) {
      push(limit, along + ((limit - angle) / (nextAngle - angle)) * (pairs[2 * q + 1]! - along));
    }
  }
}

/** Appends the parts of a line between two angles, each a line of its own. */
function followBetween(out: Lines, { pairs, count }: Pairs, from: number, to: number, closes: boolean): void {
  const isIn = (p: number) => pairs[2 * p]! >= from && pairs[2 * p]! <= to;
  let first = 0;
  // A closed line is followed from where it is hidden, so that it is not parted at its own start.
  if (closes) {
    while (first < count && isIn(first)) first++;
    if (first === count) {
      for (let p = 0; p < count; p++) out.push(pairs[2 * p]!, pairs[2 * p + 1]!);
      out.endLine(true);
      return;
    }
  }
  const segments = closes ? count : count - 1;
  for (let n = 0; n < segments; n++) {
    const p = (first + n) % count;
    const q = (p + 1) % count;
    const [a0, s0, a1, s1] = [pairs[2 * p]!, pairs[2 * p + 1]!, pairs[2 * q]!, pairs[2 * q + 1]!];
    // Liang and Barsky (1984), in one dimension.
    const toFrom = (from - a0) / (a1 - a0);
    const toTo = (to - a0) / (a1 - a0);
    const enters = a0 === a1 ? (isIn(p) ? 0 : 2) : Math.max(0, Math.min(toFrom, toTo));
    const leaves = a0 === a1 ? 1 : Math.min(1, Math.max(toFrom, toTo));
    if (enters > leaves || enters >= 1) {
      out.endLine(false);
      continue;
    }
    if (out.isEmpty()) out.push(a0 + (a1 - a0) * enters, s0 + (s1 - s0) * enters);
    out.push(a0 + (a1 - a0) * leaves, s0 + (s1 - s0) * leaves);
    if (leaves < 1) out.endLine(false);
  }
  out.endLine(false);
}

/**
 * Writes polylines as SVG path data in whole units of `unitMm`, with relative lines: short, and quick to write. Its
 * element needs the scale `unitMm`. Throws a RangeError for a coordinate that is not finite. Cost: linear.
 */
export function writePolylines({ points, ends, isClosed }: Polylines, unitMm: number): string {
  const parts: string[] = [];
  const factor = 1 / unitMm;
  let p = 0;
  for (let i = 0; i < ends.length; i++) {
    let x = 0;
    let y = 0;
    const start = p;
    for (; p < ends[i]!; p++) {
      const nextX = Math.round(points[2 * p]! * factor);
      const nextY = Math.round(points[2 * p + 1]! * factor);
      if (p === start) parts.push(`M${nextX} ${nextY}l`);
      else if (nextX !== x || nextY !== y) parts.push(`${nextX - x} ${nextY - y} `);
      x = nextX;
      y = nextY;
    }
    parts.push(isClosed[i] ? '0 0z' : '0 0');
  }
  const d = parts.join('');
  if (d.includes('N') || d.includes('I')) throw new RangeError('A point of a projected path is not finite.');
  return d;
}

/** Pairs of numbers that grow. */
interface Pairs {
  pairs: Float64Array;
  count: number;
  push(a: number, b: number): void;
  clear(): void;
}

function createPairs(capacity = 64): Pairs {
  return {
    pairs: new Float64Array(2 * capacity),
    count: 0,
    push(a, b) {
      const at = 2 * this.count++;
      if (at >= this.pairs.length) {
        const larger = new Float64Array(2 * this.pairs.length);
        larger.set(this.pairs);
        this.pairs = larger;
      }
      this.pairs[at] = a;
      this.pairs[at + 1] = b;
    },
    clear() {
      this.count = 0;
    },
  };
}

/** Polylines that grow. */
interface Lines {
  push(a: number, b: number): void;
  /** Ends the line of the points since the last end. Does nothing without one. */
  endLine(isClosed: boolean): void;
  /** True when the line has no point yet. */
  isEmpty(): boolean;
  take(): Polylines;
}

function createLines(capacity: number): Lines {
  const pairs = createPairs(Math.max(16, capacity));
  const ends: number[] = [];
  const flags: number[] = [];
  return {
    push: (a, b) => pairs.push(a, b),
    endLine(isClosed) {
      if (this.isEmpty()) return;
      ends.push(pairs.count);
      flags.push(isClosed ? 1 : 0);
    },
    isEmpty: () => pairs.count === (ends.at(-1) ?? 0),
    take: () => ({
      points: pairs.pairs.slice(0, 2 * pairs.count),
      ends: Uint32Array.from(ends),
      isClosed: Uint8Array.from(flags),
    }),
  };
}
