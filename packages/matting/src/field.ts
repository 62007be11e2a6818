/** The background as one smooth field of color, fitted to the picture's border. */

import type { Picture } from './picture.ts';

/**
 * A color for every position: for red, green and blue, the coefficients of 1, u, v, u², uv, v², with u and v from -1 to
 * 1 across the picture.
 */
export interface Field {
  readonly factors: readonly Float64Array[];
  /** Median distance of the border from the field, 0..255 in its worst channel. */
  readonly residual: number;
  /** Share of the border that lies on the field. */
  readonly inliers: number;
}

const TERMS = 6;
const ROUNDS = 5;
/**
 * Least cutoff of outliers: a border point farther from the field belongs to something else unless noise explains it.
 */
const LEAST_CUT = 6;

/**
 * Fits the field to a band along the border by iterated least squares that leave out the outliers. Linear in the
 * border's pixels, which are thinned to some thousand.
 */
export function fitField({ width, height, data }: Picture): Field {
  const points = borderPoints(width, height);
  const count = points.length / 2;
  const isInlier = new Uint8Array(count).fill(1);
  const off = new Float64Array(count);
  const terms = new Float64Array(TERMS);
  let factors: Float64Array[] = [];
  let residual = 0;
  // Once the inliers stay, so do the factors.
  let hasChanged = true;
  for (let round = 0; round < ROUNDS && hasChanged; round++) {
    factors = solve(points, isInlier, { width, height, data });
    for (let p = 0; p < count; p++) {
      const x = points[2 * p];
      const y = points[2 * p + 1];
      setTerms(terms, x, y, width, height);
      const at = 4 * (y * width + x);
      let worst = 0;
      for (let k = 0; k < 3; k++) worst = Math.max(worst, Math.abs(dot(factors[k], terms) - data[at + k]));
      off[p] = worst;
    }
    residual = Float64Array.from(off).sort()[count >> 1];
    const cutoff = Math.max(LEAST_CUT, 4 * residual);
    hasChanged = false;
    for (let p = 0; p < count; p++) {
      const is = off[p] <= cutoff ? 1 : 0;
      if (is !== isInlier[p]) hasChanged = true;
      isInlier[p] = is;
    }
  }
  return { factors, residual, inliers: isInlier.reduce((sum, is) => sum + is, 0) / count };
}

/** Least span of a lit background, 0..255, and its least noise. */
const LIT_SPAN = 12;
const LIT_RESIDUAL = 0.8;

/**
 * Returns true for a noisy gradient: a photographed wall or table, not a drawn one. What has few colors before it may
 * be clear glass, which only a network tells from art.
 */
export function isLit({ factors, residual }: Field): boolean {
  const span = Math.max(...factors.map(([, across, down]) => 2 * (Math.abs(across) + Math.abs(down))));
  return span > LIT_SPAN && residual > LIT_RESIDUAL;
}

/**
 * The field's colors are rounded to this many steps per level: finer than noise, and a field of one color stays one
 * color.
 */
const LEVEL_STEPS = 16;

/** The field's colors in a picture of one size. */
export interface FieldReader {
  /** Writes the field's color at a pixel into `color`, 0..255. */
  (x: number, y: number, color: Float64Array): void;
  /** True when all pixels have one color. */
  readonly isEven: boolean;
}

/** Returns a reader of the field for a picture of this size. The color of a uniform field is computed once. */
export function createFieldReader({ factors }: Field, width: number, height: number): FieldReader {
  const [red, green, blue] = factors;
  const read = (x: number, y: number, color: Float64Array): void => {
    const u = (2 * x) / width - 1;
    const v = (2 * y) / height - 1;
    color[0] = level(red[0] + u * (red[1] + red[3] * u + red[4] * v) + v * (red[2] + red[5] * v));
    color[1] = level(green[0] + u * (green[1] + green[3] * u + green[4] * v) + v * (green[2] + green[5] * v));
    color[2] = level(blue[0] + u * (blue[1] + blue[3] * u + blue[4] * v) + v * (blue[2] + blue[5] * v));
  };
  const isEven = factors.every((f) => f.slice(1).reduce((sum, factor) => sum + Math.abs(factor), 0) < 1 / LEVEL_STEPS);
  if (!isEven) return Object.assign(read, { isEven });
  const even = Float64Array.from([red[0], green[0], blue[0]], level);
  const readEven = (_x: number, _y: number, color: Float64Array): void => {
    color[0] = even[0];
    color[1] = even[1];
    color[2] = even[2];
  };
  return Object.assign(readEven, { isEven });
}

const level = (value: number): number =>
  value < 0 ? 0 : value > 255 ? 255 : Math.round(LEVEL_STEPS * value) / LEVEL_STEPS;

/** Approximate number of border points that are sampled. */
const POINTS = 4000;

function borderPoints(width: number, height: number): Int32Array {
  const band = Math.max(
    1,
    Math.min(Math.round(Math.min(width, height) / 120) + 2, Math.ceil(Math.min(width, height) / 4)),
  );
  const step = Math.max(1, Math.round(Math.sqrt((2 * (width + height) * band) / POINTS)));
  const points: number[] = [];
  for (let y = 0; y < height; y += step) {
    const isInside = y >= band && y < height - band;
    for (let x = 0; x < width; x += step) {
      if (isInside && x >= band && x < width - band) x = width - band;
      points.push(x, y);
    }
  }
  return Int32Array.from(points);
}

function setTerms(terms: Float64Array, x: number, y: number, width: number, height: number): void {
  const u = (2 * x) / width - 1;
  const v = (2 * y) / height - 1;
  terms[0] = 1;
  terms[1] = u;
  terms[2] = v;
  terms[3] = u * u;
  terms[4] = u * v;
  terms[5] = v * v;
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
  return sum;
}

/**
 * Solves the normal equations of the three channels at once, with a small ridge term so that few points cannot bend the
 * field.
 */
function solve(points: Int32Array, isInlier: Uint8Array, { width, height, data }: Picture): Float64Array[] {
  const rows = Array.from({ length: TERMS }, () => new Float64Array(TERMS + 3));
  const terms = new Float64Array(TERMS);
  let count = 0;
  for (let p = 0; p < isInlier.length; p++) {
    if (!isInlier[p]) continue;
    count++;
    const x = points[2 * p];
    const y = points[2 * p + 1];
    setTerms(terms, x, y, width, height);
    const at = 4 * (y * width + x);
    for (let a = 0; a < TERMS; a++) {
      for (let b = 0; b < TERMS; b++) rows[a][b] += terms[a] * terms[b];
      for (let k = 0; k < 3; k++) rows[a][TERMS + k] += terms[a] * data[at + k];
    }
  }
  for (let a = 0; a < TERMS; a++) rows[a][a] += 1e-3 * (count + 1) * (a > 2 ? 1 : 1e-3);
  for (let a = 0; a < TERMS; a++) {
    let pivot = a;
    for (let b = a + 1; b < TERMS; b++) if (Math.abs(rows[b][a]) > Math.abs(rows[pivot][a])) pivot = b;
    [rows[a], rows[pivot]] = [rows[pivot], rows[a]];
    for (let b = 0; b < TERMS; b++) {
      if (b === a) continue;
      const factor = rows[b][a] / rows[a][a];
      for (let c = a; c < TERMS + 3; c++) rows[b][c] -= factor * rows[a][c];
    }
  }
  return [0, 1, 2].map((k) => Float64Array.from(rows, (row, a) => row[TERMS + k] / row[a]));
}
