import type { BoundaryMap } from '../boundary/boundary.ts';
import type { LabelMap } from '../color/labels.ts';
import type { CurveMap } from '../fit/curves.ts';
import { makeFloat64 } from '../geometry/memory.ts';
import type { Curve } from '../geometry/segment.ts';
import { copyIn, loadKernels } from '../kernels/kernels.ts';
import { Canvas, COVERAGE_NOISE } from './canvas.ts';
import type { State } from './model.ts';
import { Model } from './model.ts';

/**
 * Analysis by synthesis: the curves are rendered and moved until the rendering matches the picture.
 *
 * A rendered pixel is linear in the areas that the curves cut from it: it is the color of one region plus, for every
 * chain through it, the area on the chain's left times the difference between the colors of its sides. The derivative
 * of that area in the curve is the integral of the displacement across it. So the distance from the picture is a
 * least-squares problem in the control points. A few Gauss–Newton steps solve it, each by conjugate gradients over the
 * whole picture at once. Chains that share a junction or a pixel are therefore solved together, and thin strokes, tips
 * and small counters, whose edges sums along rows cannot separate, come out where their pixels add up.
 *
 * The unknowns preserve the structure of the drawing. Smooth joints stay smooth, because both handles turn by one
 * angle, or with the line they continue. Lines stay lines. Junctions belong to all their chains, and on the border they
 * move only along it. A weak ridge term holds every unknown at its fitted value, and a chain keeps a step only when it
 * reduces the residual of its pixels.
 */

/** Gauss–Newton steps at most, and conjugate-gradient steps within each. */
const MOST_STEPS = 2;
const INNER_STEPS = 10;
/** The inner steps stop at this share of the first squared error; the next outer step continues from there. */
const ENOUGH = 0.005;

/**
 * Rounds in which chains go back that a step made worse. Each draws the whole picture once more, and one chain that
 * goes back may make a neighbor worse: in a picture of ten thousand chains that goes on for long, by ever fewer chains.
 * Those of the last rounds are worse by next to nothing, and stay.
 */
const UNDO_ROUNDS = 3;

/** Expected error of the fit, in px: of nodes, and of handles along and across. */
const NODE_SLACK = 0.35;
const HANDLE_SLACK = 0.5;

/** Pictures with more boundary per pixel than this are not drawn art: no pixel beside a boundary is pure. */
const MOST_BOUNDARY = 0.3;
/**
 * Pictures with more boundary than these, in px, are refined by one step, and not at all. A step takes about as long as
 * all stages before it, so that a picture in grays that just passes does not take far longer than the same picture in
 * color that just does not.
 */
const LONG_BOUNDARY = 100_000;
const LONGEST_BOUNDARY = 300_000;

/**
 * Boundaries denser than this, in px to a pixel, are refined by one step too, and do not decide about doubtful shapes,
 * unless they are as short as those of an icon.
 */
const DENSE_BOUNDARY = 0.15;
const SHORT_BOUNDARY = 20_000;

/** Returns true when boundaries lie so close that most pixels beside one are beside another. */
export function isDense({ width, height, path }: BoundaryMap): boolean {
  return path.length > Math.max(SHORT_BOUNDARY, DENSE_BOUNDARY * width * height);
}

/**
 * Returns the number of steps in which curves are refined: none when the boundaries are too dense, or too long, to be
 * compared with the pixels beside them.
 */
export function countSteps(map: BoundaryMap): number {
  const { width, height, path } = map;
  const { length } = path;
  if (length === 0 || length > Math.min(LONGEST_BOUNDARY, MOST_BOUNDARY * width * height)) return 0;
  return length > LONG_BOUNDARY || isDense(map) ? 1 : MOST_STEPS;
}

/**
 * Returns the curves, moved so that they explain the picture better. `noise` is in byte levels of `labelMap.mixPixels`.
 * `mostSteps` may ask for fewer steps than the boundaries allow. Linear in the length of the boundaries, plus two
 * passes over 4 bytes per pixel.
 */
export function refineCurves(
  { map, curves, regions }: CurveMap,
  labelMap: LabelMap,
  noise: number,
  mostSteps = MOST_STEPS,
): Curve[] {
  const steps = Math.min(mostSteps, countSteps(map));
  if (steps === 0) return curves;
  const model = new Model(map, curves);
  const canvas = new Canvas(map, model, regions, labelMap, noise, undefined);
  canvas.prepare();
  refineModel(model, canvas, steps);
  return model.toCurves(curves);
}

/**
 * Optimizes a model that the canvas has just rendered, in `steps` steps at most. Chains that the canvas excludes stay
 * as they are.
 */
export function refineModel(model: Model, canvas: Canvas, steps: number): void {
  const count = model.chainCount;
  const costs = new Float64Array(count);
  const before = new Float64Array(count);
  canvas.measure(before);
  const solver = new Solver(model, canvas);
  const isUndone = new Uint8Array(count);
  const initial = model.save();
  for (let step = 0; step < steps; step++) {
    const last = model.save();
    model.move(solver.solve(), last);
    isUndone.fill(0);
    for (let round = 0; ; round++) {
      canvas.draw();
      canvas.measure(costs);
      if (round === UNDO_ROUNDS) break;
      let undoCount = 0;
      for (let c = 0; c < count; c++) {
        if (isUndone[c] || (!canvas.isOut[c] && costs[c] <= before[c])) continue;
        isUndone[c] = 1;
        undoCount++;
      }
      if (undoCount === 0) break;
      model.restore(isUndone, last);
    }
    let gain = 0;
    let total = 0;
    for (let c = 0; c < count; c++) {
      gain += before[c] - costs[c];
      total += before[c];
      before[c] = costs[c];
    }
    if (gain < 0.01 * total) break;
  }
  keepApart(model, canvas, initial);
}

/** Restores the fitted positions of segments that cross now and did not before. */
function keepApart(model: Model, canvas: Canvas, initial: State): void {
  const pairs = canvas.findNeighbors();
  const isBack = new Uint8Array(model.points.length >> 2);
  for (let round = 0; round < 4; round++) {
    let crossingCount = 0;
    for (let k = 0; k < pairs.length; k += 2) {
      const a = pairs[k];
      const b = pairs[k + 1];
      if (isBack[a] && isBack[b]) continue;
      if (!model.cross(a, b, model) || model.cross(a, b, initial)) continue;
      isBack[a] = isBack[b] = 1;
      crossingCount++;
    }
    if (crossingCount === 0) return;
    model.restoreSegments(isBack, initial);
  }
}

/** Preconditioned conjugate gradients on the normal equations. */
class Solver {
  private readonly model: Model;
  private readonly canvas: Canvas;
  private readonly dx: Float64Array;
  private readonly dy: Float64Array;
  private readonly field: Float64Array;
  private readonly solution: Float64Array;
  private readonly residual: Float64Array;
  private readonly direction: Float64Array;
  private readonly product: Float64Array;
  private readonly diagonal: Float64Array;
  /** The off-diagonal entry of x and y of each node in the preconditioner. */
  private readonly coupling: Float64Array;
  private readonly scaledResidual: Float64Array;
  /** The ridge term of each unknown. */
  private readonly ridge: Float64Array;

  constructor(model: Model, canvas: Canvas) {
    this.model = model;
    this.canvas = canvas;
    this.dx = new Float64Array(model.x.length);
    this.dy = new Float64Array(model.x.length);
    this.field = makeFloat64(canvas.residual.length);
    const { unknowns } = model;
    this.solution = new Float64Array(unknowns);
    this.residual = new Float64Array(unknowns);
    this.direction = new Float64Array(unknowns);
    this.product = new Float64Array(unknowns);
    this.diagonal = new Float64Array(unknowns);
    this.coupling = new Float64Array(model.nodes);
    this.scaledResidual = new Float64Array(unknowns);
    this.ridge = new Float64Array(unknowns).fill((COVERAGE_NOISE / HANDLE_SLACK) ** 2);
    this.ridge.fill((COVERAGE_NOISE / NODE_SLACK) ** 2, 0, model.nodes * 2);
  }

  /** Returns the change of the unknowns that brings the rendering nearest to the picture. */
  solve(): Float64Array {
    const { canvas, field, solution } = this;
    // Blur reduces the effect of a move. The normal equations ignore its shape, scale with `damping`, and the size of
    // the step is corrected afterwards.
    const damping = 1 / (1 + 2.5 * canvas.blurVariance);
    this.weighResidual();
    canvas.band.blur(field, canvas.blurVariance);
    const gradient = this.solveInKernel(damping) ?? this.solveHere(damping);
    if (canvas.blurVariance > 0) this.rescale(gradient);
    return solution;
  }

  /** Writes the solution by the kernel, and returns the gradient; undefined where there is no kernel, or no room. */
  solveInKernel(damping: number): Float64Array | undefined {
    const kernels = loadKernels();
    if (!kernels) return undefined;
    const { model, canvas, field, solution, ridge } = this;
    const { entries, entryPlace, entrySegment, entryGradient, weight, contrast, channels, chainOf } = canvas;
    const { points, x, y, handleNode, length, ux, uy, turnOf, lineOf, radius, free } = model;
    const { nodes, handles, turns, firstHandle, unknowns } = model;
    // In the order of `read` in `kernels/solve.ts`. Arrays of the kernel's own are empty here, and as long as these.
    const counts = [entries, channels, nodes, handles, turns, firstHandle, x.length, field.byteLength];
    const inputs = [
      entryPlace.subarray(0, entries),
      entrySegment.subarray(0, entries),
      entryGradient.subarray(0, 8 * entries),
      weight,
      contrast,
      chainOf,
      points,
      x,
      y,
      handleNode,
      length,
      ux,
      uy,
      turnOf,
      lineOf,
      radius,
      free,
      ridge,
      field,
      new Float64Array(2 * x.length),
    ];
    const outputs = Array.from({ length: 8 }, () => solution);
    const problem = new Int32Array(counts.length + inputs.length + outputs.length);
    const addresses = copyIn(kernels, [...inputs, ...outputs, problem]);
    if (!addresses) return undefined;
    const at = addresses[addresses.length - 1];
    new Int32Array(kernels.memory.buffer, at, problem.length).set([...counts, ...addresses.slice(0, -1)]);
    kernels.solveStep(at, damping, INNER_STEPS, ENOUGH);
    const { buffer } = kernels.memory;
    solution.set(new Float64Array(buffer, addresses[inputs.length], unknowns));
    return new Float64Array(buffer, addresses[inputs.length + 1], unknowns).slice();
  }

  /** Does the same in TypeScript, with the same bits. */
  solveHere(damping: number): Float64Array {
    const { solution, residual, direction, product, scaledResidual } = this;
    const { weight } = this.canvas;
    this.buildPreconditioner(damping);
    this.applyTranspose(residual, undefined, 1);
    const gradient = residual.slice();
    solution.fill(0);
    this.precondition();
    direction.set(scaledResidual);
    let squaredNorm = dot(residual, scaledResidual);
    const first = squaredNorm;
    for (let step = 0; step < INNER_STEPS && squaredNorm > ENOUGH * first; step++) {
      this.applyJacobian(direction);
      this.applyTranspose(product, weight, damping);
      this.addRidge(product, direction);
      const curvature = dot(product, direction);
      if (!(curvature > 0)) break;
      this.advance(squaredNorm / curvature);
      this.precondition();
      const next = dot(residual, scaledResidual);
      updateDirection(direction, scaledResidual, next / squaredNorm);
      squaredNorm = next;
    }
    return gradient;
  }

  private weighResidual(): void {
    const { field } = this;
    const { weight, channels, residual } = this.canvas;
    for (let place = 0, i = 0; place < weight.length; place++) {
      for (let k = 0; k < channels; k++, i++) field[i] = residual[i] * weight[place];
    }
  }

  /** Scales the solution by a line search along itself that includes the blur. */
  private rescale(gradient: Float64Array): void {
    const { canvas, field, solution } = this;
    const { weight, channels } = canvas;
    field.fill(0);
    this.applyJacobian(solution);
    canvas.band.blur(field, canvas.blurVariance);
    let along = 0;
    let curvature = 0;
    const { ridge } = this;
    for (let k = 0; k < solution.length; k++) {
      along += gradient[k] * solution[k];
      curvature += ridge[k] * solution[k] * solution[k];
    }
    for (let place = 0, i = 0; place < weight.length; place++) {
      for (let k = 0; k < channels; k++, i++) curvature += weight[place] * field[i] * field[i];
    }
    const size = curvature > 0 ? along / curvature : 0;
    for (let k = 0; k < solution.length; k++) solution[k] *= size;
  }

  private addRidge(product: Float64Array, direction: Float64Array): void {
    const { ridge } = this;
    for (let k = 0; k < ridge.length; k++) product[k] += ridge[k] * direction[k];
  }

  /** Advances the solution by `alpha` times the direction, and updates the residual. */
  private advance(alpha: number): void {
    const { solution, residual, direction, product } = this;
    for (let k = 0; k < solution.length; k++) {
      solution[k] += alpha * direction[k];
      residual[k] -= alpha * product[k];
    }
  }

  /** Applies the preconditioner: solves for each node, length and turn separately; 0 for fixed unknowns. */
  private precondition(): void {
    const { model, residual, scaledResidual, diagonal, coupling } = this;
    const { nodes, free, unknowns } = model;
    for (let n = 0; n < nodes; n++) {
      const i = 2 * n;
      const a = diagonal[i];
      const b = free[n] === 3 ? coupling[n] : 0;
      const c = diagonal[i + 1];
      const determinant = a * c - b * b;
      scaledResidual[i] = free[n] & 1 ? (residual[i] * c - residual[i + 1] * b) / determinant : 0;
      scaledResidual[i + 1] = free[n] & 2 ? (residual[i + 1] * a - residual[i] * b) / determinant : 0;
    }
    for (let k = 2 * nodes; k < unknowns; k++) scaledResidual[k] = residual[k] / diagonal[k];
  }

  /** Computes the diagonal blocks of the normal equations, which `precondition` inverts. */
  private buildPreconditioner(damping: number): void {
    const { model, canvas, diagonal, coupling, ridge } = this;
    const { entries, entryPlace, entrySegment, entryGradient, weight, contrast, channels, chainOf } = canvas;
    const { points, firstHandle, nodes, handles, ux, uy, length, turnOf, radius } = model;
    diagonal.fill(0);
    coupling.fill(0);
    const lengths = nodes * 2;
    const turns = lengths + handles;
    for (let e = 0; e < entries; e++) {
      const c = chainOf[entrySegment[e]] * channels;
      let square = 0;
      for (let k = c; k < c + channels; k++) square += contrast[k] * contrast[k];
      square *= weight[entryPlace[e]] * damping;
      const at = entrySegment[e] * 4;
      for (let end = 0; end < 2; end++) {
        const node = points[at + end * 3];
        const handle = points[at + 1 + end];
        const i = e * 8 + end * 6;
        let px = entryGradient[i];
        let py = entryGradient[i + 1];
        if (handle >= 0) {
          const h = handle - firstHandle;
          const hx = entryGradient[e * 8 + 2 + end * 2];
          const hy = entryGradient[e * 8 + 3 + end * 2];
          px += hx;
          py += hy;
          const along = hx * ux[h] + hy * uy[h];
          diagonal[lengths + h] += square * along * along;
          if (turnOf[h] >= 0 && radius[turnOf[h]] > 0) {
            const across = (hy * ux[h] - hx * uy[h]) * (length[h] / radius[turnOf[h]]);
            diagonal[turns + turnOf[h]] += square * across * across;
          }
        }
        diagonal[node * 2] += square * px * px;
        diagonal[node * 2 + 1] += square * py * py;
        coupling[node] += square * px * py;
      }
    }
    for (let k = 0; k < diagonal.length; k++) diagonal[k] += ridge[k];
  }

  /** Writes the first-order change of the pixels with the unknowns to `field`. */
  private applyJacobian(u: Float64Array): void {
    const { model, canvas, dx, dy, field } = this;
    const { entries, entryPlace, entrySegment, entryGradient, contrast, channels, chainOf } = canvas;
    const { points } = model;
    model.applyJacobian(u, dx, dy);
    field.fill(0);
    for (let e = 0; e < entries; e++) {
      const segment = entrySegment[e];
      const at = segment * 4;
      const i = e * 8;
      const a = points[at];
      const d = points[at + 3];
      let change =
        entryGradient[i] * dx[a] +
        entryGradient[i + 1] * dy[a] +
        entryGradient[i + 6] * dx[d] +
        entryGradient[i + 7] * dy[d];
      const b = points[at + 1];
      if (b >= 0) {
        const c = points[at + 2];
        change +=
          entryGradient[i + 2] * dx[b] +
          entryGradient[i + 3] * dy[b] +
          entryGradient[i + 4] * dx[c] +
          entryGradient[i + 5] * dy[c];
      }
      const p = entryPlace[e] * channels;
      const q = chainOf[segment] * channels;
      for (let k = 0; k < channels; k++) field[p + k] += change * contrast[q + k];
    }
  }

  /** Applies the transpose to `field`, weighted by `scale` times `weight`, and writes the result to `out`. */
  private applyTranspose(out: Float64Array, weight: Float64Array | undefined, scale: number): void {
    const { model, canvas, dx, dy, field } = this;
    const { entries, entryPlace, entrySegment, entryGradient, contrast, channels, chainOf } = canvas;
    const { points } = model;
    dx.fill(0);
    dy.fill(0);
    for (let e = 0; e < entries; e++) {
      const segment = entrySegment[e];
      const p = entryPlace[e] * channels;
      const q = chainOf[segment] * channels;
      let change = 0;
      for (let k = 0; k < channels; k++) change += field[p + k] * contrast[q + k];
      change *= weight ? weight[entryPlace[e]] * scale : scale;
      if (change === 0) continue;
      const at = segment * 4;
      const i = e * 8;
      const a = points[at];
      const d = points[at + 3];
      dx[a] += change * entryGradient[i];
      dy[a] += change * entryGradient[i + 1];
      dx[d] += change * entryGradient[i + 6];
      dy[d] += change * entryGradient[i + 7];
      const b = points[at + 1];
      if (b < 0) continue;
      const c = points[at + 2];
      dx[b] += change * entryGradient[i + 2];
      dy[b] += change * entryGradient[i + 3];
      dx[c] += change * entryGradient[i + 4];
      dy[c] += change * entryGradient[i + 5];
    }
    model.applyTranspose(dx, dy, out);
  }
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let k = 0; k < a.length; k++) sum += a[k] * b[k];
  return sum;
}

/** Sets the direction to the scaled residual plus `beta` times the previous direction. */
function updateDirection(direction: Float64Array, scaledResidual: Float64Array, beta: number): void {
  for (let k = 0; k < direction.length; k++) direction[k] = scaledResidual[k] + beta * direction[k];
}
