import { hypot } from '../geometry/hypot.ts';
import { solve } from '../geometry/linear.ts';
import type { BoundaryMap } from './boundary.ts';
import { OUTSIDE } from './boundary.ts';
import type { BoundaryPoints } from './locate.ts';

/** No pixel within this distance of a junction tells where one of its chains runs, in px: three colors mix there. */
const BLIND = 1.3;
/** Points up to this far from a junction give the line of a chain there; those up to the next, its bend. In px. */
const LINE_REACH = 5.5;
const BEND_REACH = 9;
const LINE_POINTS = 6;
const BEND_POINTS = 10;
/** A chain bends where a parabola leaves this share of the squares that a line leaves, and no more px in the mean. */
const BEND_SHARE = 0.3;
const MOST_REST = 0.15;

interface ChainEnd {
  /** First and last index of the chain's points. */
  first: number;
  last: number;
  isStart: boolean;
  isSharp: boolean;
}

/** A line through (x, y) in the unit direction (dx, dy). */
interface Line {
  x: number;
  y: number;
  dx: number;
  dy: number;
}

/**
 * Returns the line along which a chain meets its junction near (jx, jy); undefined for a chain of too few points. A
 * chain that bends is followed by a parabola: a line through its points would pass beside the junction.
 */
function findLine(
  points: BoundaryPoints,
  { first, last, isStart, isSharp }: ChainEnd,
  jx: number,
  jy: number,
): Line | undefined {
  const xs: number[] = [];
  const ys: number[] = [];
  let lineCount = 0;
  for (let k = isStart ? first : last; k >= first && k <= last; k += isStart ? 1 : -1) {
    const dx = points.x[k] - jx;
    const dy = points.y[k] - jy;
    const far = hypot(dx, dy);
    if (far < BLIND) continue;
    if ((far > BEND_REACH && xs.length >= 3) || xs.length === BEND_POINTS) break;
    xs.push(dx);
    ys.push(dy);
    if (lineCount < LINE_POINTS && (far <= LINE_REACH || xs.length <= 3)) lineCount = xs.length;
  }
  if (lineCount < 2) return undefined;
  const mean = (values: number[]): number => values.slice(0, lineCount).reduce((sum, v) => sum + v, 0) / lineCount;
  const sx = mean(xs);
  const sy = mean(ys);
  const sxx = mean(xs.map((x) => x * x)) - sx * sx;
  const sxy = mean(xs.map((x, k) => x * ys[k])) - sx * sy;
  const syy = mean(ys.map((y) => y * y)) - sy * sy;
  const angle = 0.5 * Math.atan2(2 * sxy, sxx - syy);
  const [ux, uy] = [Math.cos(angle), Math.sin(angle)];
  const straight: Line = { x: jx + sx, y: jy + sy, dx: ux, dy: uy };
  if (!isSharp || xs.length < LINE_POINTS) return straight;

  const u = xs.map((x, k) => x * ux + ys[k] * uy);
  const e = xs.map((x, k) => ys[k] * ux - x * uy);
  const line = fitPolynomial(u, e, 1);
  const bend = fitPolynomial(u, e, 2);
  if (!line || !bend || bend.rest > BEND_SHARE * line.rest || bend.rest > MOST_REST ** 2 * u.length) return straight;
  const [across, slope] = bend.factors;
  const length = hypot(1, slope);
  return {
    x: jx - across * uy,
    y: jy + across * ux,
    dx: (ux - slope * uy) / length,
    dy: (uy + slope * ux) / length,
  };
}

/** Returns the factors of 1, u and u² of the polynomial nearest to `e`, and the sum of squares that it leaves. */
function fitPolynomial(u: number[], e: number[], degree: number): { factors: number[]; rest: number } | undefined {
  const size = degree + 1;
  const normal = new Float64Array(size * (size + 1));
  u.forEach((value, k) => {
    for (let r = 0; r < size; r++) {
      for (let c = 0; c < size; c++) normal[r * (size + 1) + c] += value ** (r + c);
      normal[r * (size + 1) + size] += value ** r * e[k];
    }
  });
  if (!solve(normal, size, 1)) return undefined;
  const factors = Array.from({ length: size }, (_, r) => normal[r * (size + 1) + size]);
  const restAt = (k: number): number => factors.reduce((left, factor, r) => left - factor * u[k] ** r, e[k]);
  return { factors, rest: u.reduce((sum, _, k) => sum + restAt(k) ** 2, 0) };
}

/**
 * Places each junction at the least-squares intersection of the lines through the ends of its chains. The lattice point
 * has a small weight, so that parallel chains leave the junction there. In a picture that is not `isSharp`, blur bends
 * the chains near a junction, so their own bend is not followed.
 */
export function placeJunctions(map: BoundaryMap, points: BoundaryPoints, isSharp: boolean): Float64Array {
  const { width, height, chains, junctions } = map;
  const stride = width + 1;
  const at = new Float64Array(junctions.length * 2);
  const sums = new Float64Array(junctions.length * 5); // xx, xy, yy, right-hand sides x and y
  for (let j = 0; j < junctions.length; j++) {
    const x = junctions[j] % stride;
    const y = (junctions[j] - x) / stride;
    at[j * 2] = x;
    at[j * 2 + 1] = y;
    sums[j * 5] = sums[j * 5 + 2] = 0.04;
  }
  const add = (j: number, nx: number, ny: number, px: number, py: number, weight: number): void => {
    const offset = nx * (px - at[j * 2]) + ny * (py - at[j * 2 + 1]);
    sums[j * 5] += weight * nx * nx;
    sums[j * 5 + 1] += weight * nx * ny;
    sums[j * 5 + 2] += weight * ny * ny;
    sums[j * 5 + 3] += weight * nx * offset;
    sums[j * 5 + 4] += weight * ny * offset;
  };
  chains.forEach((chain, index) => {
    if (chain.start < 0) return;
    for (const isStart of [true, false]) {
      const j = isStart ? chain.start : chain.end;
      const jx = at[j * 2];
      const jy = at[j * 2 + 1];
      if (chain.left === OUTSIDE || chain.right === OUTSIDE) {
        const next = map.path[isStart ? chain.from + 1 : chain.to - 1];
        const isVertical = next % stride === jx;
        add(j, isVertical ? 1 : 0, isVertical ? 0 : 1, jx, jy, 1e6);
        continue;
      }
      const range = { first: points.from[index], last: points.from[index + 1] - 1, isStart, isSharp };
      const line = findLine(points, range, jx, jy);
      if (line) add(j, -line.dy, line.dx, line.x, line.y, 1);
    }
  });
  for (let j = 0; j < junctions.length; j++) {
    const xx = sums[j * 5];
    const xy = sums[j * 5 + 1];
    const yy = sums[j * 5 + 2];
    const determinant = xx * yy - xy * xy;
    let dx = (sums[j * 5 + 3] * yy - sums[j * 5 + 4] * xy) / determinant;
    let dy = (sums[j * 5 + 4] * xx - sums[j * 5 + 3] * xy) / determinant;
    const far = hypot(dx, dy);
    if (far > 1.4) {
      dx *= 1.4 / far;
      dy *= 1.4 / far;
    }
    at[j * 2] = Math.min(width, Math.max(0, at[j * 2] + dx));
    at[j * 2 + 1] = Math.min(height, Math.max(0, at[j * 2 + 1] + dy));
  }
  return at;
}
