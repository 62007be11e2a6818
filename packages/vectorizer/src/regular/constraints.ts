/** Conjugate-gradient steps at most, and the mean error of a constraint at which they stop. */
const MOST_STEPS = 2000;
const EXACT = 1e-9;
/** Steps without gain at most, and how many times the least squared error they may reach. */
const MOST_IDLE = 60;
const MOST_GROWTH = 1e6;

/**
 * Linear constraints on unknowns that lie near given values. `solve` moves the unknowns by as little as the constraints
 * allow: least squares of the moves, each times its weight.
 */
export class Constraints {
  private readonly starts = [0];
  private readonly columns: number[] = [];
  private readonly factors: number[] = [];
  private readonly goals: number[] = [];
  private readonly values: number[];
  /** One over the weight of each unknown; 0 for a fixed one. */
  private readonly slack: number[];

  constructor(values: ArrayLike<number>, slack: ArrayLike<number>) {
    this.values = Array.from(values);
    this.slack = Array.from(slack);
  }

  get count(): number {
    return this.goals.length;
  }

  /** Adds an unknown and returns its number. */
  addUnknown(value: number, slack: number): number {
    this.slack.push(slack);
    return this.values.push(value) - 1;
  }

  /** Adds the constraint that a sum of unknowns, each times its factor, is `goal`: pairs of unknown and factor. */
  add(goal: number, terms: readonly (readonly [number, number])[]): void {
    for (const [unknown, factor] of terms) {
      this.columns.push(unknown);
      this.factors.push(factor);
    }
    this.starts.push(this.columns.length);
    this.goals.push(goal);
  }

  /**
   * Returns the moves of the unknowns, and the error that each constraint is left with: next to nothing, but for those
   * that contradict others. Linear in the terms, times the steps that conjugate gradients need.
   */
  solve(): { moves: Float64Array; errors: Float64Array } {
    const { starts, columns, factors, goals, values, slack, count } = this;
    const moves = new Float64Array(values.length);
    // The moves are the transposed constraints applied to one multiplier of each, times the slack.
    const spread = (multipliers: Float64Array, out: Float64Array): void => {
      out.fill(0);
      for (let row = 0; row < count; row++) {
        for (let k = starts[row]; k < starts[row + 1]; k++) out[columns[k]] += factors[k] * multipliers[row];
      }
      for (let i = 0; i < out.length; i++) out[i] *= slack[i];
    };
    const gather = (row: number, from: ArrayLike<number>): number => {
      let sum = 0;
      for (let k = starts[row]; k < starts[row + 1]; k++) sum += factors[k] * from[columns[k]];
      return sum;
    };
    const errors = Float64Array.from(goals, (goal, row) => goal - gather(row, values));
    const scale = Float64Array.from(goals, (_, row) => {
      let sum = 0;
      for (let k = starts[row]; k < starts[row + 1]; k++) sum += factors[k] * factors[k] * slack[columns[k]];
      return sum > 0 ? 1 / sum : 0;
    });
    const multipliers = new Float64Array(count);
    // Constraints that depend on one another let rounding grow once little is left: the best multipliers count.
    const best = new Float64Array(count);
    let least = Infinity;
    let idle = 0;
    const direction = Float64Array.from(errors, (error, row) => error * scale[row]);
    const step = new Float64Array(values.length);
    let norm = errors.reduce((sum, error, row) => sum + error * direction[row], 0);
    for (let k = 0; k < MOST_STEPS; k++) {
      let square = 0;
      for (const error of errors) square += error * error;
      if (square < least) {
        least = square;
        best.set(multipliers);
        idle = 0;
      } else if (++idle > MOST_IDLE || square > MOST_GROWTH * least) break;
      if (square <= EXACT * EXACT * count || !(norm > 0)) break;
      spread(direction, step);
      let curvature = 0;
      const product = Float64Array.from(direction, (value, row) => {
        const image = gather(row, step);
        curvature += value * image;
        return image;
      });
      if (!(curvature > 0)) break;
      const size = norm / curvature;
      let next = 0;
      for (let row = 0; row < count; row++) {
        multipliers[row] += size * direction[row];
        errors[row] -= size * product[row];
        next += errors[row] * errors[row] * scale[row];
      }
      for (let row = 0; row < count; row++) direction[row] = errors[row] * scale[row] + (next / norm) * direction[row];
      norm = next;
    }
    spread(best, moves);
    for (let row = 0; row < count; row++) errors[row] = goals[row] - gather(row, values) - gather(row, moves);
    return { moves, errors };
  }
}
