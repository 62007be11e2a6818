/** B-splines of drawings as cubic curves. */
import type { Contour } from '../geometry/pathData.ts';

export interface Spline {
  readonly degree: number;
  /** Control points, x and y in turn. */
  readonly points: readonly number[];
  readonly knots: readonly number[];
  /** Empty, or one for each control point. */
  readonly weights: readonly number[];
  readonly isClosed: boolean;
}

const MAX_DEGREE = 10;
/** Lines for each span of a spline that no cubics can follow exactly. */
const STEPS = 32;
/** The most control points of such a spline. */
const MAX_SAMPLED = 20_000;

/**
 * Returns a spline as a contour; undefined for one that is defined by other things than control points and knots. Up to
 * degree 3 and with equal weights it is exact; others become 32 lines for each span. Cost: linear in the control points
 * times the square of the degree.
 */
export function splineContour({ degree, points, knots, weights, isClosed }: Spline): Contour | undefined {
  const count = points.length / 2;
  if (!Number.isInteger(degree) || degree < 1 || degree > MAX_DEGREE || count <= degree) return undefined;
  if (knots.length !== count + degree + 1 || knots.some((knot, i) => i > 0 && knot < knots[i - 1]!)) return undefined;
  if (weights.length > 0 && (weights.length !== count || weights.some((weight) => !(weight > 0)))) return undefined;
  const isRational = weights.some((weight) => Math.abs(weight - weights[0]!) > 1e-9);
  if ((isRational || degree > 3) && count > MAX_SAMPLED) return undefined;
  const curve = { degree, points, knots, weights: isRational ? weights : [] };
  const contour: Contour = { commands: [], points: [], isClosed: false };
  for (let span = degree; span < count; span++) {
    const [a, b] = [knots[span]!, knots[span + 1]!];
    if (b <= a) continue;
    const at = (...parameters: number[]) => blossom(curve, span, parameters);
    const same = (t: number) => at(...new Array<number>(degree).fill(t));
    if (contour.points.length === 0) contour.points.push(...same(a));
    if (isRational || degree > 3) {
      for (let i = 1; i <= STEPS; i++) {
        contour.commands.push('L');
        contour.points.push(...same(a + ((b - a) * i) / STEPS));
      }
    } else if (degree === 1) {
      contour.commands.push('L');
      contour.points.push(...same(b));
    } else if (degree === 2) {
      const [start, middle, end] = [same(a), at(a, b), same(b)];
      const raise = (from: readonly number[]) => middle.map((value, axis) => (from[axis]! + 2 * value) / 3);
      contour.commands.push('C');
      contour.points.push(...raise(start), ...raise(end), ...end);
    } else {
      contour.commands.push('C');
      contour.points.push(...at(a, a, b), ...at(a, b, b), ...same(b));
    }
  }
  if (contour.commands.length === 0) return undefined;
  const [firstX, firstY] = contour.points as [number, number];
  const gap = Math.hypot(contour.points.at(-2)! - firstX, contour.points.at(-1)! - firstY);
  contour.isClosed = isClosed && gap < 1e-6;
  return contour;
}

/** Room for the nodes of a span: x, y and weight. */
const NODES = new Float64Array(3 * (MAX_DEGREE + 1));

/** Returns the polar form of a span at `degree` parameters (de Boor's algorithm, with one parameter for each step). */
function blossom(
  { degree, points, knots, weights }: Omit<Spline, 'isClosed'>,
  span: number,
  parameters: readonly number[],
): [number, number] {
  for (let j = 0; j <= degree; j++) {
    const i = span - degree + j;
    const weight = weights[i] ?? 1;
    NODES[3 * j] = points[2 * i]! * weight;
    NODES[3 * j + 1] = points[2 * i + 1]! * weight;
    NODES[3 * j + 2] = weight;
  }
  for (let step = 1; step <= degree; step++) {
    const t = parameters[step - 1]!;
    for (let j = degree; j >= step; j--) {
      const [low, high] = [knots[span - degree + j]!, knots[span + 1 + j - step]!];
      const share = high > low ? (t - low) / (high - low) : 0;
      for (let k = 3 * j; k < 3 * j + 3; k++) NODES[k] = NODES[k - 3]! + (NODES[k]! - NODES[k - 3]!) * share;
    }
  }
  const weight = NODES[3 * degree + 2]!;
  return [NODES[3 * degree]! / weight, NODES[3 * degree + 1]! / weight];
}
