/** Dithers that hand the error of each pixel on to its neighbors (error diffusion). */
import { BARE, BURNT, type Gray } from '../picture.ts';
import { blueNoise } from './thresholds.ts';

/** A neighbor that is still to come, and its part of the error: across in the direction of the row, and down. */
type Neighbor = readonly [dx: number, dy: number, weight: number];

/** The weights of a kernel are divided by their sum. */
export const KERNELS = {
  /** Floyd and Steinberg, Proceedings of the SID 17, 1976. */
  'floyd-steinberg': [
    [1, 0, 7],
    [-1, 1, 3],
    [0, 1, 5],
    [1, 1, 1],
  ],
  /** Jarvis, Judice and Ninke, "A survey of techniques for the display of continuous tone pictures", 1976. */
  jarvis: [[1, 0, 7], [2, 0, 5], ...rowOf(1, [3, 5, 7, 5, 3]), ...rowOf(2, [1, 3, 5, 3, 1])],
  /** Stucki, "MECCA, a multiple-error correcting computation algorithm", 1981. */
  stucki: [[1, 0, 8], [2, 0, 4], ...rowOf(1, [2, 4, 8, 4, 2]), ...rowOf(2, [1, 2, 4, 2, 1])],
  /**
   * Atkinson's six neighbors. His own weights are eighths, which lose a quarter of the error, and with it the lightest
   * and the darkest tones. Here they are sixths, so that a tone stays what it is; contrast is a matter of `Tone`.
   */
  atkinson: [
    [1, 0, 1],
    [2, 0, 1],
    [-1, 1, 1],
    [0, 1, 1],
    [1, 1, 1],
    [0, 2, 1],
  ],
} satisfies Record<string, readonly Neighbor[]>;

function rowOf(dy: number, weights: readonly number[]): Neighbor[] {
  return weights.map((weight, i) => [i - 2, dy, weight] as const);
}

/** The reach of a kernel to either side and down. */
const REACH = 2;
/** Tones up to this share, and as far from all burnt, take thresholds of blue noise, the lighter the more. */
const LIGHT_SHARE = 0.35;

/**
 * Returns a dither by a kernel, which takes the strips of a picture on bare material one after the other. Rows run to
 * and fro (serpentine), so that no texture leans to one side.
 *
 * The sum of errors is the sum of tones: error that would leave the picture at a side goes to the pixels inside. What
 * is bare stays bare, and what is burnt burnt, and error passes through: no dot lands outside of an edge, and thin
 * lines keep their weight. Usually a light area begins with a strip of no dots, because its error has to grow first.
 * Here the thresholds of light and of dark tones vary as blue noise does: with no error yet, they place the dots that
 * the tone needs, and the error keeps their number right from there on.
 *
 * Cost: one pass, a multiplication for each neighbor; memory for the strips and three rows.
 */
export function createDiffusion(width: number, kernel: readonly Neighbor[]): (strip: Gray) => Gray {
  const total = kernel.reduce((sum, [, , weight]) => sum + weight, 0);
  const weights = Float32Array.from(kernel, ([, , weight]) => weight / total);
  const stride = width + 2 * REACH;
  const errors = new Float32Array(3 * stride);
  const shares = Float32Array.from({ length: 256 }, (_, level) => 1 - level / 255);
  const noiseOf = shares.map((share) => Math.max(0, 1 - Math.min(share, 1 - share) / LIGHT_SHARE));
  const noise = blueNoise();
  const offsets = new Int32Array(kernel.length);
  const count = kernel.length;
  let y = 0;
  return ({ height, data }) => {
    const out = new Uint8Array(width * height);
    for (let row = 0; row < out.length; row += width, y++) {
      const noiseRow = (y % noise.side) * noise.side;
      const rowStart = (dy: number) => ((y + dy) % 3) * stride + REACH;
      const step = y & 1 ? -1 : 1;
      for (let k = 0; k < count; k++) offsets[k] = rowStart(kernel[k][1]) + step * kernel[k][0];
      const here = rowStart(0);
      for (let n = 0, x = step > 0 ? 0 : width - 1; n < width; n++, x += step) {
        const level = data[row + x];
        let error = errors[here + x];
        if (level === BARE || level === BURNT) {
          out[row + x] = level;
        } else {
          error += shares[level];
          const spread = noiseOf[level];
          const threshold = spread > 0 ? 0.5 + spread * noise.thresholds[noiseRow + (x % noise.side)] : 0.5;
          const isBurnt = error >= threshold;
          if (isBurnt) error -= 1;
          out[row + x] = isBurnt ? BURNT : BARE;
        }
        for (let k = 0; k < count; k++) errors[offsets[k] + x] += error * weights[k];
      }
      // An error beyond the end of this row is added to the same end of the next row.
      foldInto(errors, here, rowStart(1), width);
      foldInto(errors, rowStart(1), rowStart(1), width);
      foldInto(errors, rowStart(2), rowStart(2), width);
      errors.fill(0, here - REACH, here + width + REACH);
    }
    return { width, height, data: out };
  };
}

/** Moves the error beside the ends of one row to the nearest pixels of another. */
function foldInto(errors: Float32Array, from: number, to: number, width: number): void {
  for (let d = 1; d <= REACH; d++) {
    const inside = Math.min(width, d) - 1;
    errors[to + inside] += errors[from - d];
    errors[to + width - 1 - inside] += errors[from + width - 1 + d];
    errors[from - d] = 0;
    errors[from + width - 1 + d] = 0;
  }
}
