/** Nelder and Mead's simplex. Leaves the best numbers in `params` and returns their value. */
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
  for (let used = d + 1; used < most; ) {
    corners.sort((a, b) => a.value - b.value);
    const worst = corners[d];
    if (worst.value - corners[0].value < 1e-4 * (corners[0].value + 0.01)) break;
    const middle = new Float64Array(d);
    for (let c = 0; c < d; c++) for (let k = 0; k < d; k++) middle[k] += corners[c].p[k] / d;
    const turned = move(middle, worst.p, -1);
    used++;
    if (turned.value < corners[0].value) {
      const longer = move(middle, worst.p, -2);
      used++;
      corners[d] = longer.value < turned.value ? longer : turned;
    } else if (turned.value < corners[d - 1].value) corners[d] = turned;
    else {
      const shorter = turned.value < worst.value ? move(middle, turned.p, 0.5) : move(middle, worst.p, 0.5);
      used++;
      if (shorter.value < Math.min(turned.value, worst.value)) corners[d] = shorter;
      else {
        for (let c = 1; c <= d; c++) corners[c] = move(corners[0].p, corners[c].p, 0.5);
        used += d;
      }
    }
  }
  corners.sort((a, b) => a.value - b.value);
  params.set(corners[0].p);
  return corners[0].value;
}

/** Eigenvector of the smallest eigenvalue of a symmetric matrix. */
export function smallestEigenvector(matrix: Float64Array, size: number): Float64Array {
  return eigenvector(matrix, size, (a, b) => a < b);
}

export function largestEigenvector(matrix: Float64Array, size: number): Float64Array {
  return eigenvector(matrix, size, (a, b) => a > b);
}

/** Jacobi's rotations; `isBetter` picks the eigenvalue. */
function eigenvector(matrix: Float64Array, size: number, isBetter: (a: number, b: number) => boolean): Float64Array {
  const a = matrix.slice();
  const vectors = new Float64Array(size * size);
  for (let k = 0; k < size; k++) vectors[k * size + k] = 1;
  for (let sweep = 0; sweep < 30; sweep++) {
    for (let p = 0; p < size; p++) {
      for (let q = p + 1; q < size; q++) {
        if (Math.abs(a[p * size + q]) < 1e-30) continue;
        const angle = 0.5 * Math.atan2(2 * a[p * size + q], a[q * size + q] - a[p * size + p]);
        const c = Math.cos(angle);
        const s = Math.sin(angle);
        for (let k = 0; k < size; k++) {
          const x = a[k * size + p];
          const y = a[k * size + q];
          a[k * size + p] = c * x - s * y;
          a[k * size + q] = s * x + c * y;
        }
        for (let k = 0; k < size; k++) {
          const x = a[p * size + k];
          const y = a[q * size + k];
          a[p * size + k] = c * x - s * y;
          a[q * size + k] = s * x + c * y;
        }
        for (let k = 0; k < size; k++) {
          const x = vectors[k * size + p];
          const y = vectors[k * size + q];
          vectors[k * size + p] = c * x - s * y;
          vectors[k * size + q] = s * x + c * y;
        }
      }
    }
  }
  let best = 0;
  for (let k = 1; k < size; k++) if (isBetter(a[k * size + k], a[best * size + best])) best = k;
  const out = new Float64Array(size);
  for (let k = 0; k < size; k++) out[k] = vectors[k * size + best];
  return out;
}
