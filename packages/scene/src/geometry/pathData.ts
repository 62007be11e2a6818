/** Path data in absolute `M L C Z` commands: reads, writes, transforms, measures and flattens it. */

import { ByteText } from '../svg/byteText.ts';
import type { Matrix } from './matrix.ts';

/** An outline as SVG path data in absolute `M L C Z` commands. Filled by the even-odd rule, as machines do. */
export type PathData = string;

/** One contour. `points` starts at the first point; each command then adds one pair (`L`) or three (`C`). */
export interface Contour {
  readonly commands: ('L' | 'C')[];
  readonly points: number[];
  isClosed: boolean;
}

export interface PathBounds {
  readonly minX: number;
  readonly minY: number;
  readonly maxX: number;
  readonly maxY: number;
}

/**
 * Reads absolute `M L C Z` path data. Throws an Error for any other command: normalize first, as `readArtwork` does. A
 * command after `Z` without `M` starts a new contour where the last one started. Cost: linear, one pass, no regular
 * expression.
 */
export function readContours(d: PathData): Contour[] {
  const contours: Contour[] = [];
  let contour: Contour | undefined;
  let command = '';
  let startX = 0;
  let startY = 0;
  const length = d.length;
  let i = 0;

  // By codes: a character as text is looked up at each comparison.
  const skip = () => {
    for (let code = d.charCodeAt(i); code <= 32 || code === COMMA; code = d.charCodeAt(i)) i++;
  };
  const number = (): number => {
    skip();
    const from = i;
    let code = d.charCodeAt(i);
    const isNegative = code === MINUS;
    if (isNegative || code === PLUS) code = d.charCodeAt(++i);
    const digits = i;
    let units = 0;
    for (; code >= 48 && code <= 57; code = d.charCodeAt(++i)) units = 10 * units + code - 48;
    let decimals = 0;
    if (code === POINT) {
      const point = i;
      for (code = d.charCodeAt(++i); code >= 48 && code <= 57; code = d.charCodeAt(++i)) units = 10 * units + code - 48;
      decimals = i - point - 1;
    }
    const hasExponent = code === SMALL_E || code === LARGE_E;
    // So few digits are exact, and so is their division: the same number as of the text, in half of the time.
    if (!hasExponent && i - digits <= EXACT_DIGITS && units > 0) {
      return (isNegative ? -units : units) / POWERS[decimals]!;
    }
    if (hasExponent) {
      code = d.charCodeAt(++i);
      if (code === MINUS || code === PLUS) i++;
      while (isDigit(d.charCodeAt(i))) i++;
    }
    const value = Number(d.slice(from, i));
    if (i === from || !Number.isFinite(value)) throw new Error(`Path data is broken at character ${from}.`);
    return value;
  };

  for (skip(); i < length; skip()) {
    const char = d[i]!;
    if (char === 'M' || char === 'L' || char === 'C' || char === 'Z') {
      command = char;
      i++;
    } else if (command === 'Z' || command === '' || (char >= 'A' && char <= 'z')) {
      throw new Error(`Path data is broken at character ${i}.`);
    }

    if (command === 'Z') {
      if (contour) contour.isClosed = true;
      contour = undefined;
    } else if (command === 'M') {
      startX = number();
      startY = number();
      contour = { commands: [], points: [startX, startY], isClosed: false };
      contours.push(contour);
      command = 'L'; // further pairs after M are lines
    } else {
      if (!contour) {
        contour = { commands: [], points: [startX, startY], isClosed: false };
        contours.push(contour);
      }
      contour.commands.push(command as 'L' | 'C');
      for (let n = command === 'C' ? 6 : 2; n > 0; n--) contour.points.push(number());
    }
  }
  return contours;
}

/** The most digits of a number, with its point, that are exact in a double. */
const EXACT_DIGITS = 15;
const POWERS = Array.from({ length: EXACT_DIGITS + 1 }, (_, k) => 10 ** k);

const [COMMA, MINUS, PLUS, POINT, SMALL_E, LARGE_E] = [44, 45, 43, 46, 101, 69];
const isDigit = (code: number) => code >= 48 && code <= 57;

/**
 * Writes contours as path data, rounded to `decimals`. Throws a RangeError for a coordinate that is not finite. Cost:
 * linear.
 */
export function writeContours(contours: readonly Contour[], decimals = 3): PathData {
  const text = new ByteText();
  for (const { commands, points, isClosed } of contours) {
    const numbers = { points, decimals };
    addCommand(text, M, numbers, 0, 2);
    let p = 2;
    for (const command of commands) {
      const end = p + (command === 'C' ? 6 : 2);
      addCommand(text, command === 'C' ? C : L, numbers, p, end);
      p = end;
    }
    if (isClosed) text.addCode(Z);
  }
  return text.toString();
}

const [M, L, C, Z] = [77, 76, 67, 90];
const SPACE = 32;

/** Adds a command with the numbers from `from` to before `to`. */
function addCommand(text: ByteText, command: number, numbers: PathNumbers, from: number, to: number): void {
  text.addCode(command);
  for (let p = from; p < to; p++) {
    if (p > from) text.addCode(SPACE);
    text.addNumber(numbers.points[p]!, numbers.decimals);
  }
}

interface PathNumbers {
  readonly points: readonly number[];
  readonly decimals: number;
}

export function transformContours(contours: readonly Contour[], m: Matrix): Contour[] {
  return contours.map(({ commands, points, isClosed }) => {
    const newPoints = new Array<number>(points.length);
    for (let i = 0; i < points.length; i += 2) {
      const x = points[i]!;
      const y = points[i + 1]!;
      newPoints[i] = m.a * x + m.c * y + m.e;
      newPoints[i + 1] = m.b * x + m.d * y + m.f;
    }
    return { commands, points: newPoints, isClosed };
  });
}

/** Transforms contours in place: those that were just read are nobody else's, and a copy would be garbage at once. */
export function moveContours(contours: readonly Contour[], { a, b, c, d, e, f }: Matrix): void {
  for (const { points } of contours) {
    for (let i = 0; i < points.length; i += 2) {
      const x = points[i]!;
      const y = points[i + 1]!;
      points[i] = a * x + c * y + e;
      points[i + 1] = b * x + d * y + f;
    }
  }
}

/** Returns the path data after a transform, rounded to `decimals`. Throws as `readContours` and `writeContours` do. */
export const transformPath = (d: PathData, m: Matrix, decimals = 3): PathData =>
  writeContours(transformContours(readContours(d), m), decimals);

/** Returns the box around all points and control points: never smaller than the true box. */
export function looseBounds(contours: readonly Contour[]): PathBounds {
  let minX = Infinity;
  let minY = Infinity;
  let maxX = -Infinity;
  let maxY = -Infinity;
  for (const { points } of contours) {
    for (let i = 0; i < points.length; i += 2) {
      const x = points[i]!;
      const y = points[i + 1]!;
      if (x < minX) minX = x;
      if (x > maxX) maxX = x;
      if (y < minY) minY = y;
      if (y > maxY) maxY = y;
    }
  }
  return { minX, minY, maxX, maxY };
}

/** Returns the box around a box that a matrix moved. */
export function transformBounds({ minX, minY, maxX, maxY }: PathBounds, { a, b, c, d, e, f }: Matrix): PathBounds {
  const [x, y, halfWidth, halfHeight] = [(minX + maxX) / 2, (minY + maxY) / 2, (maxX - minX) / 2, (maxY - minY) / 2];
  const [centerX, centerY] = [a * x + c * y + e, b * x + d * y + f];
  const reachX = Math.abs(a) * halfWidth + Math.abs(c) * halfHeight;
  const reachY = Math.abs(b) * halfWidth + Math.abs(d) * halfHeight;
  return { minX: centerX - reachX, minY: centerY - reachY, maxX: centerX + reachX, maxY: centerY + reachY };
}

/** True when two boxes, the first one wider by `reach` at each side, have a point in common. */
export const boundsMeet = (a: PathBounds, b: PathBounds, reach = 0): boolean =>
  a.minX - reach <= b.maxX && a.maxX + reach >= b.minX && a.minY - reach <= b.maxY && a.maxY + reach >= b.minY;

/** Returns the exact box around contours: that of points, and of the extremes of curves. Cost: linear. */
export function tightBounds(contours: readonly Contour[]): PathBounds {
  const low = [Infinity, Infinity];
  const high = [-Infinity, -Infinity];
  const include = (axis: number, value: number) => {
    if (value < low[axis]!) low[axis] = value;
    if (value > high[axis]!) high[axis] = value;
  };
  for (const { commands, points } of contours) {
    include(0, points[0]!);
    include(1, points[1]!);
    let p = 2;
    for (const command of commands) {
      const end = p + (command === 'C' ? 4 : 0);
      for (let axis = 0; axis < 2; axis++) {
        include(axis, points[end + axis]!);
        if (command === 'L') continue;
        const [p0, p1, p2, p3] = [points[p - 2 + axis]!, points[p + axis]!, points[p + 2 + axis]!, points[end + axis]!];
        // A curve lies within the box of its four points, so most need no more than this.
        if (Math.min(p1, p2) >= low[axis]! && Math.max(p1, p2) <= high[axis]!) continue;
        for (const t of extremesOf(p0, p1, p2, p3)) {
          const s = 1 - t;
          include(axis, s * s * s * p0 + 3 * s * s * t * p1 + 3 * s * t * t * p2 + t * t * t * p3);
        }
      }
      p = end + 2;
    }
  }
  return { minX: low[0]!, minY: low[1]!, maxX: high[0]!, maxY: high[1]! };
}

/** Returns the parameters within 0…1 at which a cubic in one dimension has an extreme: the roots of its derivative. */
function extremesOf(p0: number, p1: number, p2: number, p3: number): number[] {
  const a = p3 - 3 * p2 + 3 * p1 - p0;
  const b = 2 * (p2 - 2 * p1 + p0);
  const c = p1 - p0;
  const root = Math.sqrt(Math.max(0, b * b - 4 * a * c));
  // This form of the two roots loses no digits where `a` is nearly 0.
  const q = -0.5 * (b + (b < 0 ? -root : root));
  return [q / a, c / q].filter((t) => t > 0 && t < 1);
}

/**
 * Flattens a contour to a polyline `[x0, y0, x1, y1, …]` that is nowhere further from its curves than `tolerance`.
 *
 * A cubic is cut into n equal steps of its parameter; n follows from its second differences (Wang's bound). A curve and
 * the same curve drawn backward give the same points, so neighbors that share an edge still share it afterward.
 */
export function flatten(contour: Contour, tolerance: number): number[] {
  const { commands, points } = contour;
  const out = [points[0]!, points[1]!];
  let p = 2;
  for (const command of commands) {
    if (command === 'L') {
      out.push(points[p]!, points[p + 1]!);
      p += 2;
    } else {
      pushCubic(out, points, p - 2, tolerance);
      p += 6;
    }
  }
  return out;
}

/** Appends the points of the cubic whose four points start at `p`, without the first, and returns their count. */
export function pushCubic(out: number[], points: readonly number[], p: number, tolerance: number): number {
  const x0 = points[p]!;
  const y0 = points[p + 1]!;
  const x1 = points[p + 2]!;
  const y1 = points[p + 3]!;
  const x2 = points[p + 4]!;
  const y2 = points[p + 5]!;
  const x3 = points[p + 6]!;
  const y3 = points[p + 7]!;
  const steps = cubicSteps(points, p, tolerance);
  for (let i = 1; i < steps; i++) {
    const t = i / steps;
    const s = (steps - i) / steps;
    const a = s * s * s;
    const b = 3 * (s * t) * s;
    const c = 3 * (s * t) * t;
    const e = t * t * t;
    // Factors and sums are paired so that they round the same when the curve runs the other way.
    out.push(a * x0 + e * x3 + (b * x1 + c * x2), a * y0 + e * y3 + (b * y1 + c * y2));
  }
  out.push(x3, y3);
  return steps;
}

/** Returns how many lines `pushCubic` makes of the cubic whose four points start at `p`. */
export function cubicSteps(points: readonly number[], p: number, tolerance: number): number {
  const x1 = points[p + 2]!;
  const y1 = points[p + 3]!;
  const x2 = points[p + 4]!;
  const y2 = points[p + 5]!;
  const bend = Math.max(
    Math.hypot(points[p]! - 2 * x1 + x2, points[p + 1]! - 2 * y1 + y2),
    Math.hypot(x1 - 2 * x2 + points[p + 6]!, y1 - 2 * y2 + points[p + 7]!),
  );
  return Math.min(MAX_STEPS, Math.max(1, Math.ceil(Math.sqrt((0.75 * bend) / tolerance))));
}

const MAX_STEPS = 1000;
