/**
 * Hair and other fuzz on a known background. No pixel shows the color of a hair for sure, but many pixels nearby show
 * that of some hair. So the colors of the strands around are taken as a normal distribution, and a pixel's alpha is the
 * one that explains its color best, given how much strands and noise vary (after Bayesian matting, Chuang et al. 2001,
 * with a known background). A pale hair among dark ones is opaque, for its color is no mix of theirs with the ground.
 */

/** Side of the square blocks in which colors are summed up, in pixels, and how many of them around one are read. */
const BLOCK = 6;
const AROUND = 2;
/** A block's sums: the number of pixels, red, green and blue, and their six products. */
const SUMS = 10;
/** Variance of the noise in a channel of a lossy picture and of a clean one, in squares of 0..255. */
const LOSSY_NOISE = 100;
const NOISE = 9;
/** The variance of strands counts as far as they are opaque, so alpha is refined in some rounds. */
const ROUNDS = 2;

/** The colors of the strands around a pixel, as offsets from the background: a normal distribution in blocks. */
export interface StrandColors {
  /** Adds the offset of a strand's color from the background, 0..255 in each channel. */
  add(x: number, y: number, red: number, green: number, blue: number): void;
  /**
   * Explains the offset of a pixel from the background by the strands around it, and writes their mean offset into
   * `mean`. Returns undefined when there are none.
   */
  explain(x: number, y: number, offset: Float64Array, mean: Float64Array): Explanation | undefined;
}

/** How strands explain the color of a pixel. */
interface Explanation {
  /** Alpha, 0..1. */
  readonly share: number;
  /** The squared distance from the color that this share of strands has, in variances of strands and noise. */
  readonly misfit: number;
}

/** Collects the colors of strands for a part of a picture. Needs two bytes for each pixel; a share costs 25 blocks. */
export function collectStrands(width: number, height: number, isLossy: boolean): StrandColors {
  const across = Math.ceil(width / BLOCK);
  const down = Math.ceil(height / BLOCK);
  const sums = new Float64Array(SUMS * across * down);
  const own = new Float64Array(SUMS);
  const blockOf = (at: number) => Math.floor(at / BLOCK);
  return {
    add(x, y, red, green, blue) {
      const at = SUMS * (blockOf(y) * across + blockOf(x));
      sums[at]++;
      sums[at + 1] += red;
      sums[at + 2] += green;
      sums[at + 3] += blue;
      sums[at + 4] += red * red;
      sums[at + 5] += red * green;
      sums[at + 6] += red * blue;
      sums[at + 7] += green * green;
      sums[at + 8] += green * blue;
      sums[at + 9] += blue * blue;
    },
    explain(x, y, offset, mean) {
      own.fill(0);
      const [column, row] = [blockOf(x), blockOf(y)];
      for (let by = Math.max(0, row - AROUND); by <= Math.min(down - 1, row + AROUND); by++) {
        for (let bx = Math.max(0, column - AROUND); bx <= Math.min(across - 1, column + AROUND); bx++) {
          const at = SUMS * (by * across + bx);
          for (let k = 0; k < SUMS; k++) own[k] += sums[at + k];
        }
      }
      if (own[0] === 0) return undefined;
      for (let k = 0; k < 3; k++) mean[k] = own[k + 1] / own[0];
      return likeliest(offset, mean, own, isLossy ? LOSSY_NOISE : NOISE);
    },
  };
}

/** Returns the likeliest explanation of an offset by strands of this mean and these sums of products. */
function likeliest(offset: Float64Array, mean: Float64Array, sums: Float64Array, noise: number): Explanation {
  const [r, g, b] = offset;
  const [f0, f1, f2] = mean;
  const count = sums[0];
  let share = clamp((r * f0 + g * f1 + b * f2) / (f0 * f0 + f1 * f1 + f2 * f2 + 1));
  let misfit = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const weight = share * share;
    const rr = weight * (sums[4] / count - f0 * f0) + noise;
    const rg = weight * (sums[5] / count - f0 * f1);
    const rb = weight * (sums[6] / count - f0 * f2);
    const gg = weight * (sums[7] / count - f1 * f1) + noise;
    const gb = weight * (sums[8] / count - f1 * f2);
    const bb = weight * (sums[9] / count - f2 * f2) + noise;
    // The inverse of this matrix, but for a factor that cancels out, by its cofactors.
    const k00 = gg * bb - gb * gb;
    const k01 = rb * gb - rg * bb;
    const k02 = rg * gb - rb * gg;
    const k11 = rr * bb - rb * rb;
    const k12 = rg * rb - rr * gb;
    const k22 = rr * gg - rg * rg;
    const h0 = k00 * f0 + k01 * f1 + k02 * f2;
    const h1 = k01 * f0 + k11 * f1 + k12 * f2;
    const h2 = k02 * f0 + k12 * f1 + k22 * f2;
    share = clamp((r * h0 + g * h1 + b * h2) / (f0 * h0 + f1 * h1 + f2 * h2 + 1e-9));
    const e0 = r - share * f0;
    const e1 = g - share * f1;
    const e2 = b - share * f2;
    const form = e0 * (k00 * e0 + 2 * (k01 * e1 + k02 * e2)) + e1 * (k11 * e1 + 2 * k12 * e2) + k22 * e2 * e2;
    misfit = form / (rr * k00 + rg * k01 + rb * k02);
  }
  return { share, misfit };
}

const clamp = (share: number): number => (share < 0 ? 0 : share > 1 ? 1 : share);
