/** Operations on planes, which hold one value per pixel. All are linear in pixels, whatever the radius. */

/** Returns the means over squares of side 2 · radius + 1 pixels, clipped at the borders. */
export function boxMean(values: Float32Array, width: number, height: number, radius: number): Float32Array {
  const rows = new Float32Array(values.length);
  for (let y = 0; y < height; y++) {
    const start = y * width;
    let sum = 0;
    for (let x = 0; x <= Math.min(radius, width - 1); x++) sum += values[start + x];
    for (let x = 0; x < width; x++) {
      rows[start + x] = sum / (Math.min(width - 1, x + radius) - Math.max(0, x - radius) + 1);
      if (x + radius + 1 < width) sum += values[start + x + radius + 1];
      if (x - radius >= 0) sum -= values[start + x - radius];
    }
  }
  const out = new Float32Array(values.length);
  const sums = new Float64Array(width);
  for (let y = 0; y <= Math.min(radius, height - 1); y++) {
    for (let x = 0; x < width; x++) sums[x] += rows[y * width + x];
  }
  for (let y = 0; y < height; y++) {
    const share = 1 / (Math.min(height - 1, y + radius) - Math.max(0, y - radius) + 1);
    const enter = (y + radius + 1) * width;
    const leave = (y - radius) * width;
    const hasEnter = y + radius + 1 < height;
    const hasLeave = y - radius >= 0;
    for (let x = 0; x < width; x++) {
      out[y * width + x] = sums[x] * share;
      if (hasEnter) sums[x] += rows[enter + x];
      if (hasLeave) sums[x] -= rows[leave + x];
    }
  }
  return out;
}

/** Returns the plane at half its width and height, rounded up: means of 2 × 2 pixels. */
export function halve(values: Float32Array, width: number, height: number): Float32Array {
  const halfWidth = (width + 1) >> 1;
  const halfHeight = (height + 1) >> 1;
  const out = new Float32Array(halfWidth * halfHeight);
  for (let y = 0; y < halfHeight; y++) {
    const upper = 2 * y * width;
    const lower = Math.min(height - 1, 2 * y + 1) * width;
    for (let x = 0; x < halfWidth; x++) {
      const left = 2 * x;
      const right = Math.min(width - 1, left + 1);
      out[y * halfWidth + x] =
        0.25 * (values[upper + left] + values[upper + right] + values[lower + left] + values[lower + right]);
    }
  }
  return out;
}

/**
 * Runs the guided filter of He, Sun and Tang (2010) for a guide of three planes, 0..255: in each window, a linear
 * function of the guide's color approximates `values`. Returns the four coefficients of that function for each pixel;
 * the result is f0 · red + f1 · green + f2 · blue + f3. The coefficients change slowly, so they may be applied to the
 * guide at another size.
 */
export function guidedFactors(
  guide: readonly Float32Array[],
  values: Float32Array,
  width: number,
  height: number,
  radius: number,
  epsilon: number,
): Float32Array[] {
  const count = width * height;
  const product = new Float32Array(count);
  const meanOfProduct = (a: Float32Array, b: Float32Array) => {
    for (let i = 0; i < count; i++) product[i] = a[i] * b[i];
    return boxMean(product, width, height, radius);
  };
  const [r, g, b] = guide;
  const means = guide.map((plane) => boxMean(plane, width, height, radius));
  const mean = boxMean(values, width, height, radius);
  const own = guide.map((plane) => meanOfProduct(plane, values));
  const pairs = [
    [r, r],
    [r, g],
    [r, b],
    [g, g],
    [g, b],
    [b, b],
  ].map(([p, q]) => meanOfProduct(p, q));
  const factors = [0, 1, 2, 3].map(() => new Float32Array(count));
  for (let i = 0; i < count; i++) {
    const mr = means[0][i];
    const mg = means[1][i];
    const mb = means[2][i];
    const rr = pairs[0][i] - mr * mr + epsilon;
    const rg = pairs[1][i] - mr * mg;
    const rb = pairs[2][i] - mr * mb;
    const gg = pairs[3][i] - mg * mg + epsilon;
    const gb = pairs[4][i] - mg * mb;
    const bb = pairs[5][i] - mb * mb + epsilon;
    const c0 = own[0][i] - mr * mean[i];
    const c1 = own[1][i] - mg * mean[i];
    const c2 = own[2][i] - mb * mean[i];
    // Invert the symmetric matrix by its cofactors.
    const k00 = gg * bb - gb * gb;
    const k01 = rb * gb - rg * bb;
    const k02 = rg * gb - rb * gg;
    const k11 = rr * bb - rb * rb;
    const k12 = rg * rb - rr * gb;
    const k22 = rr * gg - rg * rg;
    const scale = 1 / (rr * k00 + rg * k01 + rb * k02);
    const f0 = (k00 * c0 + k01 * c1 + k02 * c2) * scale;
    const f1 = (k01 * c0 + k11 * c1 + k12 * c2) * scale;
    const f2 = (k02 * c0 + k12 * c1 + k22 * c2) * scale;
    factors[0][i] = f0;
    factors[1][i] = f1;
    factors[2][i] = f2;
    factors[3][i] = mean[i] - f0 * mr - f1 * mg - f2 * mb;
  }
  return factors.map((plane) => boxMean(plane, width, height, radius));
}

/**
 * Returns the planes with the pixels of coverage 0 filled from their surroundings: down a pyramid of means, and up
 * again where a level has no data (push–pull, Gortler et al. 1996). `coverage` is 0 or 1, and in between at coarser
 * levels.
 */
export function fillGaps(
  planes: readonly Float32Array[],
  coverage: Float32Array,
  width: number,
  height: number,
): Float32Array[] {
  if (width === 1 && height === 1) return planes.map((plane) => plane.slice());
  const halfWidth = (width + 1) >> 1;
  const halfHeight = (height + 1) >> 1;
  const sums = planes.map(() => new Float32Array(halfWidth * halfHeight));
  const shares = new Float32Array(halfWidth * halfHeight);
  let hasGaps = false;
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i++) {
      const share = coverage[i];
      if (share < 1) hasGaps = true;
      if (share === 0) continue;
      const j = (y >> 1) * halfWidth + (x >> 1);
      shares[j] += share;
      for (let k = 0; k < planes.length; k++) sums[k][j] += share * planes[k][i];
    }
  }
  if (!hasGaps) return planes.map((plane) => plane.slice());
  for (let j = 0; j < shares.length; j++) {
    if (shares[j] === 0) continue;
    for (let k = 0; k < planes.length; k++) sums[k][j] /= shares[j];
    if (shares[j] > 1) shares[j] = 1;
  }
  const coarse = fillGaps(sums, shares, halfWidth, halfHeight);
  return planes.map((plane, k) => {
    const out = plane.slice();
    const line = new Float32Array(width);
    const readLine = lineReader(halfWidth, halfHeight, width, height);
    for (let y = 0; y < height; y++) {
      readLine(coarse[k], y, line);
      for (let x = 0, i = y * width; x < width; x++, i++) {
        if (coverage[i] < 1) out[i] = coverage[i] * plane[i] + (1 - coverage[i]) * line[x];
      }
    }
    return out;
  });
}

/** Returns a function that writes one line of a plane of the first size, interpolated to the second size. */
export function lineReader(fromWidth: number, fromHeight: number, toWidth: number, toHeight: number) {
  const left = new Int32Array(toWidth);
  const beyond = new Float32Array(toWidth);
  const place = (at: number, from: number, to: number) =>
    Math.min(from - 1, Math.max(0, ((at + 0.5) * from) / to - 0.5));
  for (let x = 0; x < toWidth; x++) {
    const at = place(x, fromWidth, toWidth);
    left[x] = Math.min(Math.max(0, fromWidth - 2), Math.floor(at));
    beyond[x] = fromWidth > 1 ? at - left[x] : 0;
  }
  const row = new Float32Array(fromWidth + 1);
  return (plane: Float32Array, y: number, line: Float32Array, from = 0, to = toWidth): void => {
    const at = place(y, fromHeight, toHeight);
    const upper = Math.min(fromHeight - 1, Math.floor(at));
    const lower = Math.min(fromHeight - 1, upper + 1);
    const share = at - upper;
    const first = left[from];
    const last = Math.min(fromWidth - 1, left[to - 1] + 1);
    for (let x = first; x <= last; x++) {
      row[x] = plane[upper * fromWidth + x] * (1 - share) + plane[lower * fromWidth + x] * share;
    }
    for (let x = from; x < to; x++) {
      const a = row[left[x]];
      line[x] = a + (row[left[x] + 1] - a) * beyond[x];
    }
  };
}
