/**
 * The print area that suits a blank's outline: the simplest shape that the outline has, moved inward by a margin.
 * Lengths are in millimeters.
 */
import { type Contour, writeContours } from '../geometry/pathData.ts';
import { MM_GRID, offsetOutline } from '../geometry/planar.ts';
import type { AreaShape, MmBox } from './printArea.ts';

export type AreaKind = AreaShape['kind'];

/** A print area in the coordinates of the outline. */
export interface FittedArea {
  readonly box: MmBox;
  readonly shape: AreaShape;
}

/** An outline is a simple shape when none of its points is further from it, as a share of the shorter side. */
const TOLERANCE = 0.015;
/** Never less than this, mm: photographs tell no more. */
const LEAST_TOLERANCE_MM = 0.4;
/** Sides that differ by less make a circle. */
const ROUND = 0.015;
/** Corners rounded by less, as a share of the shorter side, are square. */
const SQUARE = 0.02;
/** The points that an outline of a print area has at most: its path stays below the contract's length. */
const MOST_POINTS = 600;
const LEAST_RADIUS_MM = 0.1;

/**
 * Returns the kind of shape that an outline has: closed, as pairs of x and y. `outline` where it is none of the simple
 * ones. Cost: linear in the points, some forty times.
 */
export function kindOfOutline(points: ArrayLike<number>): { kind: AreaKind; radiusMm: number } {
  const box = boxOf(points);
  const side = Math.min(box.width, box.height);
  const dense = resample(points, 400);
  const tolerance = Math.max(LEAST_TOLERANCE_MM, TOLERANCE * side);
  const oval = worst(dense, (x, y) => distanceToEllipse(box, x, y));
  const { radius, miss } = fitRadius(dense, box);
  // An oval is the simpler one: noise must not make it a rectangle with round ends.
  if (oval <= tolerance && oval <= miss + tolerance / 3) {
    return { kind: Math.abs(box.width / box.height - 1) <= ROUND ? 'circle' : 'ellipse', radiusMm: side / 2 };
  }
  if (miss > tolerance) return { kind: 'outline', radiusMm: 0 };
  return radius < SQUARE * side ? { kind: 'rectangle', radiusMm: 0 } : { kind: 'rounded', radiusMm: radius };
}

/**
 * Returns the print area of a kind, by default that of the outline, whose edge lies `marginMm` inside of it. Undefined
 * where the margin leaves nothing. Throws a RangeError for an outline of less than three points.
 */
export function fitArea(
  points: ArrayLike<number>,
  marginMm: number,
  wish: { readonly kind?: AreaKind | undefined; readonly radiusMm?: number | undefined } = {},
): FittedArea | undefined {
  if (points.length < 6) throw new RangeError('An outline has at least three points.');
  const fit = wish.kind && wish.kind !== 'rounded' ? undefined : kindOfOutline(points);
  const kind = wish.kind ?? fit!.kind;
  if (kind === 'outline') return fitOutline(points, marginMm);
  const whole = boxOf(points);
  // An ellipse in an ellipse comes nearer to it between the axes than on them.
  const [a, b] = [whole.width / 2, whole.height / 2];
  const isOval = kind === 'ellipse' || kind === 'circle';
  const inset = isOval ? (marginMm * (a + b)) / (2 * Math.sqrt(a * b)) : marginMm;
  const box = insetBox(whole, inset);
  if (!box) return undefined;
  if (kind !== 'rounded') return { box, shape: { kind } };
  const radius = wish.radiusMm ?? Math.max(0, fit!.radiusMm - marginMm);
  const radiusMm = Number(Math.min(radius, box.width / 2, box.height / 2).toFixed(2));
  return { box, shape: radiusMm < LEAST_RADIUS_MM ? { kind: 'rectangle' } : { kind, radiusMm } };
}

function fitOutline(points: ArrayLike<number>, marginMm: number): FittedArea | undefined {
  const contour = toContour(simplify(points, MOST_POINTS));
  const pieces = marginMm > 0 ? offsetOutline([contour], -marginMm, 'miter', MM_GRID) : [contour];
  const areas = pieces.map((piece) => Math.abs(areaOf(piece.points)));
  const largest = pieces[areas.indexOf(Math.max(...areas))];
  if (!largest) return undefined;
  const edge = simplify(largest.points, MOST_POINTS);
  const box = boxOf(edge);
  if (!(box.width > 0 && box.height > 0)) return undefined;
  const shares = edge.map((value, i) =>
    Math.min(1, Math.max(0, i % 2 === 0 ? (value - box.x) / box.width : (value - box.y) / box.height)),
  );
  return { box, shape: { kind: 'outline', d: writeContours([toContour(shares)], 5) } };
}

const toContour = (points: readonly number[]): Contour => ({
  commands: Array.from({ length: points.length / 2 - 1 }, () => 'L' as const),
  points: [...points],
  isClosed: true,
});

function insetBox({ x, y, width, height }: MmBox, by: number): MmBox | undefined {
  const box = { x: x + by, y: y + by, width: width - 2 * by, height: height - 2 * by };
  return box.width > 1 && box.height > 1 ? box : undefined;
}

/** Returns the box of pairs of x and y. */
export function boxOf(points: ArrayLike<number>): MmBox {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let i = 0; i < points.length; i += 2) {
    const [x, y] = [points[i]!, points[i + 1]!];
    left = Math.min(left, x);
    right = Math.max(right, x);
    top = Math.min(top, y);
    bottom = Math.max(bottom, y);
  }
  return { x: left, y: top, width: right - left, height: bottom - top };
}

function areaOf(points: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0, j = points.length - 2; i < points.length; j = i, i += 2) {
    sum += points[j]! * points[i + 1]! - points[i]! * points[j + 1]!;
  }
  return sum / 2;
}

/** Returns about `count` points at even distances along a closed outline. */
function resample(points: ArrayLike<number>, count: number): Float64Array {
  const pairs = points.length / 2;
  const ends = new Float64Array(pairs + 1);
  for (let i = 0; i < pairs; i++) {
    const next = (i + 1) % pairs;
    const step = Math.hypot(points[2 * next]! - points[2 * i]!, points[2 * next + 1]! - points[2 * i + 1]!);
    ends[i + 1] = ends[i]! + step;
  }
  const out = new Float64Array(2 * count);
  for (let k = 0, i = 0; k < count; k++) {
    const at = (k / count) * ends[pairs]!;
    while (i < pairs - 1 && ends[i + 1]! < at) i++;
    const next = (i + 1) % pairs;
    const share = (at - ends[i]!) / (ends[i + 1]! - ends[i]! || 1);
    out[2 * k] = points[2 * i]! + share * (points[2 * next]! - points[2 * i]!);
    out[2 * k + 1] = points[2 * i + 1]! + share * (points[2 * next + 1]! - points[2 * i + 1]!);
  }
  return out;
}

/** Leaves out what lies near the chord of its neighbors, more and more until `most` points are left. */
function simplify(points: ArrayLike<number>, most: number): number[] {
  const { width, height } = boxOf(points);
  let tolerance = Math.min(width, height) * 0.0005;
  let out = Array.from(points);
  while (out.length > 2 * most) {
    out = dropNear(points, tolerance);
    tolerance *= 1.5;
  }
  return out;
}

/** Douglas and Peucker's simplification of a closed outline, in two halves. */
function dropNear(points: ArrayLike<number>, tolerance: number): number[] {
  const count = points.length / 2;
  const isKept = new Uint8Array(count);
  const half = count >> 1;
  isKept[0] = 1;
  isKept[half] = 1;
  const spans: [number, number][] = [
    [0, half],
    [half, count],
  ];
  for (let span = spans.pop(); span; span = spans.pop()) {
    const [from, to] = span;
    const end = to % count;
    const [ax, ay] = [points[2 * from]!, points[2 * from + 1]!];
    const [dx, dy] = [points[2 * end]! - ax, points[2 * end + 1]! - ay];
    const length = Math.hypot(dx, dy) || 1e-9;
    let [farthest, most] = [-1, tolerance];
    for (let i = from + 1; i < to; i++) {
      const away = Math.abs((points[2 * i]! - ax) * dy - (points[2 * i + 1]! - ay) * dx) / length;
      if (away > most) [farthest, most] = [i, away];
    }
    if (farthest < 0) continue;
    isKept[farthest] = 1;
    spans.push([from, farthest], [farthest, to]);
  }
  const out: number[] = [];
  for (let i = 0; i < count; i++) if (isKept[i]) out.push(points[2 * i]!, points[2 * i + 1]!);
  return out;
}

function worst(points: Float64Array, distance: (x: number, y: number) => number): number {
  let most = 0;
  for (let i = 0; i < points.length; i += 2) most = Math.max(most, Math.abs(distance(points[i]!, points[i + 1]!)));
  return most;
}

/** The first order of the distance: the value of the ellipse's equation over the length of its gradient. */
function distanceToEllipse({ x, y, width, height }: MmBox, px: number, py: number): number {
  const [a, b] = [width / 2, height / 2];
  const [u, v] = [(px - x - a) / a, (py - y - b) / b];
  const gradient = 2 * Math.hypot(u / a, v / b);
  return gradient > 0 ? (u * u + v * v - 1) / gradient : -Math.min(a, b);
}

/** Returns the radius of the corners whose worst point is nearest, and how far that is. */
function fitRadius(points: Float64Array, box: MmBox): { radius: number; miss: number } {
  const most = Math.min(box.width, box.height) / 2;
  const missOf = (radius: number) => worst(points, (x, y) => distanceToRounded(box, radius, x, y));
  let best = { radius: 0, miss: missOf(0) };
  for (let [low, high, round] = [0, most, 0]; round < 3; round++) {
    const step = (high - low) / 12;
    for (let radius = low; radius <= high + 1e-9; radius += step) {
      const miss = missOf(radius);
      if (miss < best.miss) best = { radius, miss };
    }
    [low, high] = [Math.max(0, best.radius - step), Math.min(most, best.radius + step)];
  }
  return best;
}

/** The signed distance to a rectangle with round corners, above 0 outside. */
function distanceToRounded({ x, y, width, height }: MmBox, radius: number, px: number, py: number): number {
  const dx = Math.abs(px - x - width / 2) - width / 2 + radius;
  const dy = Math.abs(py - y - height / 2) - height / 2 + radius;
  return Math.hypot(Math.max(dx, 0), Math.max(dy, 0)) + Math.min(Math.max(dx, dy), 0) - radius;
}
