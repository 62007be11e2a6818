/** Operations on planes, which hold one value per pixel. All are linear in pixels, whatever the radius. */

/** Returns the means over squares of side 2 · radius + 1 pixels, clipped at the borders. */
export function boxMean(values: Float32Array, width: number, height: number, radius: number): Float32Array {
  const rows = new Float32Array(values.length);
  for (let at = 0; at < rows.length; at += width) {
    writeRowMeans(values.subarray(at, at + width), radius, rows.subarray(at, at + width));
  }
  const out = new Float32Array(values.length);
  const sums = new Float64Array(width);
  for (let i = 0; i < Math.min(radius + 1, height) * width; i++) sums[i % width] += rows[i];
  for (let y = 0; y < height; y++) {
    const share = 1 / (Math.min(height - 1, y + radius) - Math.max(0, y - radius) + 1);
    const at = y * width;
    for (let x = 0; x < width; x++) out[at + x] = sums[x] * share;
    const enter = (y + radius + 1) * width;
    const leave = (y - radius) * width;
    if (enter < rows.length && leave >= 0) {
      for (let x = 0; x < width; x++) sums[x] += rows[enter + x] - rows[leave + x];
    } else if (enter < rows.length) {
      for (let x = 0; x < width; x++) sums[x] += rows[enter + x];
    } else if (leave >= 0) {
      for (let x = 0; x < width; x++) sums[x] -= rows[leave + x];
    }
  }
  return out;
}

/** Writes the means over 2 · radius + 1 values of a row, clipped at its ends. */
export function writeRowMeans(values: Float32Array, radius: number, out: Float32Array): void {
  const count = values.length;
  let sum = 0;
  for (let x = 0; x < Math.min(count, radius); x++) sum += values[x];
  const whole = 2 * radius + 1;
  for (let x = 0; x < count; x++) {
    if (x > radius && x + radius < count) {
      sum += values[x + radius] - values[x - radius - 1];
      out[x] = sum / whole;
      continue;
    }
    if (x + radius < count) sum += values[x + radius];
    if (x > radius) sum -= values[x - radius - 1];
    out[x] = sum / (Math.min(count, x + radius + 1) - Math.max(0, x - radius));
  }
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

/** A level of a pyramid, with its pixels by columns and rows: what is known of it, and what is asked of it. */
interface Level {
  readonly width: number;
  readonly height: number;
  readonly isKnown: Uint8Array;
  /** 1 for the pixels whose values are read, or filled where they are not known. */
  readonly isNeeded: Uint8Array;
  /** 1 for those, and for the known ones of which coarser levels take means. */
  readonly isWanted: Uint8Array;
}

/** How the gaps of planes are filled: the levels of a pyramid, from the finest on. */
export type GapPlan = readonly Level[];

/**
 * Plans to fill what is not known from its surroundings: down a pyramid of means, and up again where a level has no
 * data (push–pull, Gortler et al. 1996). Only the pixels that are needed are filled, and only what they depend on is
 * computed: `isWanted` of the finest level tells where the planes must have values.
 */
export function planGaps(isKnown: Uint8Array, isNeeded: Uint8Array, width: number, height: number): GapPlan {
  const levels: Level[] = [{ width, height, isKnown, isNeeded, isWanted: isNeeded.slice() }];
  for (let level = levels[0]; hasNeededGaps(level); level = levels[levels.length - 1]) levels.push(coarsen(level));
  for (let l = levels.length - 2; l >= 0; l--) wantParts(levels[l], levels[l + 1]);
  return levels;
}

function hasNeededGaps({ width, height, isKnown, isNeeded }: Level): boolean {
  if (width === 1 && height === 1) return false;
  for (let i = 0; i < isKnown.length; i++) if (isNeeded[i] && !isKnown[i]) return true;
  return false;
}

/** Returns the level of half the size. It needs what the gaps of this one are interpolated from. */
function coarsen(level: Level): Level {
  const width = (level.width + 1) >> 1;
  const height = (level.height + 1) >> 1;
  const isKnown = new Uint8Array(width * height);
  const isNeeded = new Uint8Array(width * height);
  const across = placesOf(width, level.width);
  const down = placesOf(height, level.height);
  for (let y = 0, i = 0; y < level.height; y++) {
    const row = (y >> 1) * width;
    const upper = down.first[y] * width;
    const lower = down.second[y] * width;
    for (let x = 0; x < level.width; x++, i++) {
      if (level.isKnown[i]) isKnown[row + (x >> 1)] = 1;
      else if (level.isNeeded[i]) {
        isNeeded[upper + across.first[x]] = isNeeded[upper + across.second[x]] = 1;
        isNeeded[lower + across.first[x]] = isNeeded[lower + across.second[x]] = 1;
      }
    }
  }
  return { width, height, isKnown, isNeeded, isWanted: isNeeded.slice() };
}

/** Wants the known pixels of which the next level takes means. */
function wantParts({ width, height, isKnown, isWanted }: Level, next: Level): void {
  for (let y = 0, i = 0; y < height; y++) {
    const row = (y >> 1) * next.width;
    for (let x = 0; x < width; x++, i++) if (isKnown[i] && next.isWanted[row + (x >> 1)]) isWanted[i] = 1;
  }
}

/** Returns a plane with the values of the needed pixels, filled where they are not known. */
export function fillGaps(plan: GapPlan, plane: Float32Array): Float32Array {
  const means = [plane];
  for (let l = 1; l < plan.length; l++) means.push(averageOf(means[l - 1], plan[l - 1], plan[l]));
  let out = means[plan.length - 1];
  for (let l = plan.length - 2; l >= 0; l--) out = fillFrom(out, plan[l + 1], means[l], plan[l]);
  return out;
}

/** Returns the means of the known pixels among 2 × 2, where the next level wants them. */
function averageOf(values: Float32Array, { width, height, isKnown }: Level, next: Level): Float32Array {
  const out = new Float32Array(next.isKnown.length);
  for (let y = 0, j = 0; y < next.height; y++) {
    for (let x = 0; x < next.width; x++, j++) {
      if (!next.isWanted[j] || !next.isKnown[j]) continue;
      const right = Math.min(width, 2 * x + 2);
      let sum = 0;
      let count = 0;
      for (let row = 2 * y; row < Math.min(height, 2 * y + 2); row++) {
        for (let i = row * width + 2 * x; i < row * width + right; i++) {
          if (!isKnown[i]) continue;
          sum = Math.fround(sum + values[i]);
          count++;
        }
      }
      out[j] = sum / count;
    }
  }
  return out;
}

/** Returns the needed values of a level: its means, or between them those of the coarser one, interpolated. */
function fillFrom(
  coarse: Float32Array,
  from: Level,
  means: Float32Array,
  { width, height, isKnown, isNeeded }: Level,
): Float32Array {
  const out = new Float32Array(means.length);
  const across = placesOf(from.width, width);
  const down = placesOf(from.height, height);
  for (let y = 0, i = 0; y < height; y++) {
    const upper = down.first[y] * from.width;
    const lower = down.second[y] * from.width;
    const share = down.share[y];
    for (let x = 0; x < width; x++, i++) {
      if (!isNeeded[i]) continue;
      if (isKnown[i]) {
        out[i] = means[i];
        continue;
      }
      const left = across.first[x];
      const right = across.second[x];
      const a = Math.fround(coarse[upper + left] * (1 - share) + coarse[lower + left] * share);
      const b = Math.fround(coarse[upper + right] * (1 - share) + coarse[lower + right] * share);
      out[i] = a + (b - a) * across.share[x];
    }
  }
  return out;
}

/** Returns the two places of a line that each place of another one lies between, and how far beyond the first. */
function placesOf(from: number, to: number) {
  const first = new Int32Array(to);
  const second = new Int32Array(to);
  const share = new Float32Array(to);
  for (let x = 0; x < to; x++) {
    const at = Math.min(from - 1, Math.max(0, ((x + 0.5) * from) / to - 0.5));
    first[x] = Math.min(Math.max(0, from - 2), Math.floor(at));
    second[x] = Math.min(from - 1, first[x] + 1);
    share[x] = at - first[x];
  }
  return { first, second, share };
}

/** Returns a function that writes one line of a plane of the first size, interpolated to the second size. */
export function lineReader(fromWidth: number, fromHeight: number, toWidth: number, toHeight: number) {
  const across = placesOf(fromWidth, toWidth);
  const down = placesOf(fromHeight, toHeight);
  const row = new Float32Array(fromWidth);
  return (plane: Float32Array, y: number, line: Float32Array, from = 0, to = toWidth): void => {
    const upper = down.first[y] * fromWidth;
    const lower = down.second[y] * fromWidth;
    const share = down.share[y];
    const last = across.second[to - 1];
    for (let x = across.first[from]; x <= last; x++) {
      row[x] = plane[upper + x] * (1 - share) + plane[lower + x] * share;
    }
    for (let x = from; x < to; x++) {
      const a = row[across.first[x]];
      line[x] = a + (row[across.second[x]] - a) * across.share[x];
    }
  };
}
