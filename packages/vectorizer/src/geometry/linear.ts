/** Small dense systems of linear equations, and eigenvectors of small symmetric matrices. */

/**
 * Solves `size` linear equations in place by Gauss–Jordan elimination with pivoting. `rows` holds the equations row by
 * row, each with its `sides` right-hand sides at the end. The solutions end up in those last columns. Returns false
 * when the matrix is singular.
 */
export function solve(rows: Float64Array, size: number, sides: number): boolean {
  const columns = size + sides;
  for (let i = 0; i < size; i++) {
    let pivot = i;
    for (let k = i + 1; k < size; k++)
      if (Math.abs(rows[k * columns + i]) > Math.abs(rows[pivot * columns + i])) pivot = k;
    if (Math.abs(rows[pivot * columns + i]) < 1e-9) return false;
    for (let j = 0; j < columns; j++) {
      const swap = rows[i * columns + j];
      rows[i * columns + j] = rows[pivot * columns + j];
      rows[pivot * columns + j] = swap;
    }
    for (let k = 0; k < size; k++) {
      if (k === i) continue;
      const factor = rows[k * columns + i] / rows[i * columns + i];
      for (let j = i; j < columns; j++) rows[k * columns + j] -= factor * rows[i * columns + j];
    }
  }
  for (let i = 0; i < size; i++) for (let j = size; j < columns; j++) rows[i * columns + j] /= rows[i * columns + i];
  return true;
}

/** Returns the unit eigenvector of the smallest eigenvalue of a symmetric matrix, given row by row. Cubic in `size`. */
export function smallestEigenvector(matrix: Float64Array, size: number): Float64Array {
  return eigenvector(matrix, size, (a, b) => a < b);
}

/** Returns the unit eigenvector of the largest eigenvalue of a symmetric matrix, given row by row. Cubic in `size`. */
export function largestEigenvector(matrix: Float64Array, size: number): Float64Array {
  return eigenvector(matrix, size, (a, b) => a > b);
}

/** Finds an eigenvector by Jacobi rotations; `isBetter` picks the eigenvalue. */
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
