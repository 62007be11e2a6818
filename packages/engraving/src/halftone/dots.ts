/** Dots on a turned grid, larger where the picture is darker. */
import type { Contour } from './contours.ts';
import type { Cover } from './cover.ts';
import { turnFrame } from './lines.ts';
import type { Limits } from './strokes.ts';

export type DotShape = 'round' | 'diamond';

interface DotRule extends Limits {
  readonly shape: DotShape;
  readonly pitchMm: number;
  /** The direction of the grid's rows, clockwise from the horizontal. */
  readonly angleDeg: number;
}

/** Samples of a cell along both axes. */
const CELL_SAMPLES = 4;
/** The sides of the smallest circles. */
const LEAST_SIDES = 8;
/** A polygon may leave its circle by this much. */
const TOLERANCE_MM = 0.01;
/** Floyd and Steinberg's weights, for dots that are too small to be made. */
const AHEAD = 7 / 16;
const BELOW = [3 / 16, 5 / 16, 1 / 16] as const;

/**
 * Returns the contours of a dot screen, row by row to and fro. A dot that reaches beyond its cell is cut at its sides,
 * or half a gap before: neighbors in the dark share an edge and never overlap. Where dots would be smaller than the
 * beam, fewer of that size stand for them, by error diffusion from cell to cell.
 */
export function drawDots(cover: Cover, rule: DotRule): Contour[] {
  const { shape, beamMm, gapMm } = rule;
  const frame = turnFrame(cover, rule.angleDeg, rule.pitchMm);
  const { cos, sin } = frame;
  const level = cos === 0 || sin === 0;
  const columns = Math.round((frame.toU - frame.fromU) / rule.pitchMm) + 1;
  const pitchU = level ? (frame.toU - frame.fromU) / Math.max(1, columns - 1) : rule.pitchMm;
  const cell = { u: pitchU, v: frame.pitchMm };
  const half = { u: (pitchU - gapMm) / 2, v: (frame.pitchMm - gapMm) / 2 };
  const smallest = shape === 'round' ? LEAST_SIDES * Math.tan(Math.PI / LEAST_SIDES) * (beamMm / 2) ** 2 : beamMm ** 2;
  const largest = 4 * half.u * half.v;
  const contours: Contour[] = [];
  let debts = new Float64Array(columns + 2);
  for (let row = 0; row < frame.lines; row++) {
    const next = new Float64Array(columns + 2);
    const step = row % 2 === 0 ? 1 : -1;
    for (let n = 0; n < columns; n++) {
      const column = step > 0 ? n : columns - 1 - n;
      const u = frame.fromU + (column + 0.5) * cell.u;
      const v = frame.fromV + (row + 0.5) * cell.v;
      const wish = meanOf(cover, u, v, cell, frame) * cell.u * cell.v;
      if (wish <= 0) continue;
      const area = wish + debts[column + 1];
      const dot = area >= smallest ? Math.min(area, largest) : area >= smallest / 2 ? smallest : 0;
      // Beyond the darkest tone that the gap allows nothing is made up for elsewhere.
      const rest = Math.max(-smallest, Math.min(smallest, area - dot));
      debts[column + 1 + step] += AHEAD * rest;
      for (let k = 0; k < 3; k++) next[column + 1 + step * (k - 1)] += BELOW[k] * rest;
      if (dot === 0) continue;
      const outline = shape === 'round' ? roundDot(dot, half) : diamondDot(dot, half);
      const contour = place(outline, u, v, frame, cover, beamMm);
      if (contour) contours.push(contour);
    }
    debts = next;
  }
  return contours;
}

interface Turn {
  readonly cos: number;
  readonly sin: number;
}
/** Extents along the rows and across them. */
interface Extent {
  readonly u: number;
  readonly v: number;
}

/** Returns the mean share of ink of the part of a cell that lies in the frame. */
function meanOf({ widthMm, heightMm, read }: Cover, u: number, v: number, cell: Extent, { cos, sin }: Turn): number {
  let [sum, count] = [0, 0];
  for (let b = 0; b < CELL_SAMPLES; b++) {
    const w = v + ((b + 0.5) / CELL_SAMPLES - 0.5) * cell.v;
    for (let a = 0; a < CELL_SAMPLES; a++) {
      const t = u + ((a + 0.5) / CELL_SAMPLES - 0.5) * cell.u;
      const x = t * cos - w * sin;
      const y = t * sin + w * cos;
      if (x < 0 || y < 0 || x > widthMm || y > heightMm) continue;
      sum += read(x, y);
      count++;
    }
  }
  return count > 0 ? sum / count : 0;
}

/** Returns a circle of this area around 0, cut at a rectangle, as u and v in turn. */
function roundDot(area: number, half: Extent): number[] {
  const inner = Math.min(half.u, half.v);
  const radius = radiusOf(area, half);
  const count = Math.min(
    64,
    Math.max(LEAST_SIDES, 4 * Math.ceil(Math.PI / 4 / Math.acos(1 - TOLERANCE_MM / (radius + 0.01)))),
  );
  // A polygon within a circle is smaller than it.
  const reach = radius < inner ? Math.sqrt((2 * area) / (count * Math.sin((2 * Math.PI) / count))) : radius;
  const points: number[] = [];
  for (let i = 0; i < count; i++) {
    const turn = (2 * Math.PI * (i + 0.5)) / count;
    const u = Math.max(-half.u, Math.min(half.u, reach * Math.cos(turn)));
    const v = Math.max(-half.v, Math.min(half.v, reach * Math.sin(turn)));
    const last = points.length - 2;
    if (last < 0 || u !== points[last] || v !== points[last + 1]) points.push(u, v);
  }
  return points;
}

/** Returns the radius of a circle whose part inside a rectangle has this area. */
function radiusOf(area: number, half: Extent): number {
  const simple = Math.sqrt(area / Math.PI);
  if (simple <= Math.min(half.u, half.v)) return simple;
  const segment = (r: number, h: number) => (r > h ? r * r * Math.acos(h / r) - h * Math.sqrt(r * r - h * h) : 0);
  let [low, high] = [simple, Math.hypot(half.u, half.v)];
  for (let i = 0; i < 24; i++) {
    const r = (low + high) / 2;
    if (Math.PI * r * r - 2 * segment(r, half.u) - 2 * segment(r, half.v) < area) low = r;
    else high = r;
  }
  return high;
}

/** Returns a square that stands on its corner, of this area, cut at a rectangle. */
function diamondDot(area: number, half: Extent): number[] {
  // In units of the rectangle's half sides.
  const share = area / (4 * half.u * half.v);
  const d = share <= 0.5 ? Math.sqrt(2 * share) : 2 - Math.sqrt(2 - 2 * share);
  const cut = Math.max(0, d - 1);
  const reach = Math.min(1, d);
  const corner: [number, number][] =
    cut > 0
      ? [
          [cut, -1],
          [1, -cut],
          [1, cut],
          [cut, 1],
        ]
      : [
          [reach, 0],
          [0, reach],
        ];
  const mirror = corner.map(([u, v]): [number, number] => [-u, -v]);
  return [...corner, ...mirror].flatMap(([u, v]) => [u * half.u, v * half.v]);
}

/**
 * Turns an outline into the frame and cuts it there. Returns undefined where too little is left for the beam.
 */
function place(
  outline: readonly number[],
  u: number,
  v: number,
  { cos, sin }: Turn,
  { widthMm, heightMm }: Cover,
  beamMm: number,
): Contour | undefined {
  let points = new Array<number>(outline.length);
  let isInside = true;
  for (let i = 0; i < outline.length; i += 2) {
    const [a, b] = [u + outline[i], v + outline[i + 1]];
    const [x, y] = [a * cos - b * sin, a * sin + b * cos];
    points[i] = x;
    points[i + 1] = y;
    isInside &&= x >= 0 && y >= 0 && x <= widthMm && y <= heightMm;
  }
  if (isInside) return Float32Array.from(points);
  for (const [axis, limit, sign] of [
    [0, 0, 1],
    [0, widthMm, -1],
    [1, 0, 1],
    [1, heightMm, -1],
  ] as const) {
    points = cutAt(points, axis, limit, sign);
  }
  return points.length >= 6 && fitsBeam(points, beamMm) ? Float32Array.from(points) : undefined;
}

/** Returns true when a disk as wide as the beam fits into the middle of a convex polygon. */
function fitsBeam(points: readonly number[], beamMm: number): boolean {
  const count = points.length / 2;
  let [x, y] = [0, 0];
  for (let i = 0; i < points.length; i += 2) {
    x += points[i] / count;
    y += points[i + 1] / count;
  }
  for (let i = 0; i < points.length; i += 2) {
    const j = (i + 2) % points.length;
    const [dx, dy] = [points[j] - points[i], points[j + 1] - points[i + 1]];
    const length = Math.hypot(dx, dy);
    if (length < 1e-6) continue;
    if (Math.abs(dx * (y - points[i + 1]) - dy * (x - points[i])) / length < beamMm / 2) return false;
  }
  return true;
}

/** Cuts a convex polygon at an upright or level line (Sutherland and Hodgman 1974). */
function cutAt(points: readonly number[], axis: 0 | 1, limit: number, sign: 1 | -1): number[] {
  const out: number[] = [];
  for (let i = 0; i < points.length; i += 2) {
    const j = (i + 2) % points.length;
    const from = sign * (points[i + axis] - limit);
    const to = sign * (points[j + axis] - limit);
    if (from >= 0) out.push(points[i], points[i + 1]);
    if (from >= 0 === to >= 0) continue;
    const t = from / (from - to);
    out.push(points[i] + t * (points[j] - points[i]), points[i + 1] + t * (points[j + 1] - points[i + 1]));
  }
  return out;
}
