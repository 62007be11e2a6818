/** A piecewise linear function: the values of one or more channels along a ramp. It is constant beyond its ends. */
export interface Profile {
  /** In ascending order. */
  knots: Float64Array;
  /** One number per channel for each knot. */
  values: Float64Array;
}

/** Returns the value of channel c at t. Linear in the knots. */
export function profileAt({ knots, values }: Profile, t: number, c: number, channels: number): number {
  const last = knots.length - 1;
  let k = 0;
  while (k < last - 1 && t > knots[k + 1]) k++;
  const share = Math.min(1, Math.max(0, (t - knots[k]) / (knots[k + 1] - knots[k])));
  const from = values[k * channels + c];
  return from + share * (values[(k + 1) * channels + c] - from);
}

/** Weighted points collected in steps of equal length. */
interface Steps {
  heavy: Float64Array;
  /** Mean position of the points of a step, in steps from the first. */
  along: Float64Array;
  means: Float64Array;
  channels: number;
}

/** The points are replaced by their means over this many short steps. */
const STEPS = 64;
const EVEN_KNOTS = 16;
const MOST_KNOTS = 8;

/**
 * Returns the piecewise linear function nearest to `n` weighted points, by least squares. With `least` 0, its knots are
 * evenly spaced. Otherwise knots are removed while the squared error grows by less than `least`.
 */
export function fitProfile(
  t: Float64Array,
  target: Float64Array,
  weight: Float64Array,
  n: number,
  channels: number,
  least: number,
): Profile {
  let low = Infinity;
  let high = -Infinity;
  for (let i = 0; i < n; i++) {
    if (t[i] < low) low = t[i];
    if (t[i] > high) high = t[i];
  }
  if (!(high > low)) high = low + 1e-6;
  const heavy = new Float64Array(STEPS);
  const along = new Float64Array(STEPS);
  const means = new Float64Array(STEPS * channels);
  const toStep = (STEPS * 0.999999) / (high - low);
  for (let i = 0; i < n; i++) {
    const at = (t[i] - low) * toStep;
    const k = Math.floor(at);
    const w = weight[i];
    heavy[k] += w;
    along[k] += w * at;
    for (let c = 0; c < channels; c++) means[k * channels + c] += w * target[i * channels + c];
  }
  for (let k = 0; k < STEPS; k++) {
    if (heavy[k] === 0) continue;
    along[k] /= heavy[k];
    for (let c = 0; c < channels; c++) means[k * channels + c] /= heavy[k];
  }
  const steps = { heavy, along, means, channels };
  const count = least === 0 ? EVEN_KNOTS : 2 * EVEN_KNOTS;
  const even = Array.from({ length: count + 1 }, (_, k) => (k * STEPS) / count);
  let values = solveProfile(even, steps);
  let knots = even;
  if (least > 0) {
    knots = thinOut(even, values, steps, least);
    values = solveProfile(knots, steps);
  }
  return { knots: Float64Array.from(knots, (k) => low + k / toStep), values };
}

/** Removes the knot that costs the least error, repeatedly. */
function thinOut(even: readonly number[], values: Float64Array, steps: Steps, least: number): number[] {
  const knotIndices = even.map((_, k) => k);
  const costs = knotIndices.map((_, k) =>
    k > 0 && k < even.length - 1 ? costOf(k - 1, k + 1, even, values, steps) : Infinity,
  );
  for (;;) {
    let best = 1;
    for (let k = 2; k < knotIndices.length - 1; k++) if (costs[k] < costs[best]) best = k;
    if (knotIndices.length <= 2 || (costs[best] > least && knotIndices.length <= MOST_KNOTS)) break;
    knotIndices.splice(best, 1);
    costs.splice(best, 1);
    for (const k of [best - 1, best]) {
      if (k > 0 && k < knotIndices.length - 1)
        costs[k] = costOf(knotIndices[k - 1], knotIndices[k + 1], even, values, steps);
    }
  }
  return knotIndices.map((k) => even[k]);
}

/** Returns the squared error of a straight line from one knot to another. */
function costOf(
  from: number,
  to: number,
  even: readonly number[],
  values: Float64Array,
  { heavy, along, means, channels }: Steps,
): number {
  const length = even[to] - even[from];
  let sum = 0;
  for (let s = Math.floor(even[from]); s < even[to]; s++) {
    if (heavy[s] === 0) continue;
    const share = (along[s] - even[from]) / length;
    for (let c = 0; c < channels; c++) {
      const value = values[from * channels + c] * (1 - share) + values[to * channels + c] * share;
      sum += heavy[s] * (means[s * channels + c] - value) ** 2;
    }
  }
  return sum;
}

/** Returns the values at given knots by least squares. The normal equations are tridiagonal. */
function solveProfile(knots: readonly number[], { heavy, along, means, channels }: Steps): Float64Array {
  const m = knots.length;
  const diagonal = new Float64Array(m).fill(1e-9);
  const beside = new Float64Array(m);
  const values = new Float64Array(m * channels);
  for (let s = 0, k = 0; s < STEPS; s++) {
    const w = heavy[s];
    if (w === 0) continue;
    while (k < m - 2 && along[s] > knots[k + 1]) k++;
    const share = (along[s] - knots[k]) / (knots[k + 1] - knots[k]);
    diagonal[k] += w * (1 - share) * (1 - share);
    diagonal[k + 1] += w * share * share;
    beside[k] += w * share * (1 - share);
    for (let c = 0; c < channels; c++) {
      values[k * channels + c] += w * (1 - share) * means[s * channels + c];
      values[(k + 1) * channels + c] += w * share * means[s * channels + c];
    }
  }
  // A weak pull makes the function constant where there are no points.
  let total = 0;
  for (let k = 0; k < m; k++) total += diagonal[k];
  const pull = 1e-5 * total;
  for (let k = 0; k + 1 < m; k++) {
    diagonal[k] += pull;
    diagonal[k + 1] += pull;
    beside[k] -= pull;
  }
  for (let k = 1; k < m; k++) {
    const f = beside[k - 1] / diagonal[k - 1];
    diagonal[k] = Math.max(1e-9, diagonal[k] - f * beside[k - 1]);
    for (let c = 0; c < channels; c++) values[k * channels + c] -= f * values[(k - 1) * channels + c];
  }
  for (let k = m - 1; k >= 0; k--) {
    for (let c = 0; c < channels; c++) {
      const after = k + 1 < m ? beside[k] * values[(k + 1) * channels + c] : 0;
      values[k * channels + c] = (values[k * channels + c] - after) / diagonal[k];
    }
  }
  return values;
}
