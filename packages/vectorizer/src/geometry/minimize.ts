/**
 * Minimizes a function by the downhill simplex method of Nelder and Mead (1965). Starts at `params` with the given
 * steps and calls `f` about `most` times at most. Leaves the best parameters in `params` and returns their value.
 */
export function minimize(
  f: (p: Float64Array) => number,
  params: Float64Array,
  step: readonly number[],
  most: number,
): number {
  const d = params.length;
  const corners: { p: Float64Array; value: number }[] = [{ p: params.slice(), value: f(params) }];
  for (let k = 0; k < d; k++) {
    const p = params.slice();
    p[k] += step[k];
    corners.push({ p, value: f(p) });
  }
  const move = (middle: Float64Array, from: Float64Array, factor: number): { p: Float64Array; value: number } => {
    const p = middle.map((value, k) => value + factor * (from[k] - value));
    return { p, value: f(p) };
  };
  for (let evaluations = d + 1; evaluations < most; ) {
    corners.sort((a, b) => a.value - b.value);
    const worst = corners[d];
    if (worst.value - corners[0].value < 1e-4 * (corners[0].value + 0.01)) break;
    const centroid = new Float64Array(d);
    for (let c = 0; c < d; c++) for (let k = 0; k < d; k++) centroid[k] += corners[c].p[k] / d;
    const reflection = move(centroid, worst.p, -1);
    evaluations++;
    if (reflection.value < corners[0].value) {
      const expansion = move(centroid, worst.p, -2);
      evaluations++;
      corners[d] = expansion.value < reflection.value ? expansion : reflection;
    } else if (reflection.value < corners[d - 1].value) corners[d] = reflection;
    else {
      const contraction =
        reflection.value < worst.value ? move(centroid, reflection.p, 0.5) : move(centroid, worst.p, 0.5);
      evaluations++;
      if (contraction.value < Math.min(reflection.value, worst.value)) corners[d] = contraction;
      else {
        for (let c = 1; c <= d; c++) corners[c] = move(corners[0].p, corners[c].p, 0.5);
        evaluations += d;
      }
    }
  }
  corners.sort((a, b) => a.value - b.value);
  params.set(corners[0].p);
  return corners[0].value;
}
