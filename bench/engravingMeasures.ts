/** Measures of a raster or a halftone against the tones that it stands for. Planes are shares of ink, 0..1. */

export interface Plane {
  readonly width: number;
  readonly height: number;
  readonly data: Float32Array;
}

/** Returns the ink of a gray picture, of which 255 is bare. */
export function inkOf({ width, height, data }: { width: number; height: number; data: Uint8Array }): Plane {
  return { width, height, data: Float32Array.from(data, (value) => 1 - value / 255) };
}

/**
 * Returns the ink of closed outlines, x and y in turn, exactly: the area of each pixel that lies inside. `scale` is the
 * pixels of a unit. A renderer of pages leaves some percent out where outlines share an edge. Holes run the other way
 * round. The area is summed up from the signed area beside each edge (Levien, "Inside the fastest font renderer in the
 * world", 2016).
 */
export function fillExactly(
  contours: readonly Float32Array[],
  scale: number,
  { width, height }: Pick<Plane, 'width' | 'height'>,
): Plane {
  const stride = width + 2;
  const sums = new Float64Array(stride * height);
  for (const contour of contours) {
    for (let i = 0; i < contour.length; i += 2) {
      const j = (i + 2) % contour.length;
      addEdge(
        sums,
        stride,
        height,
        [contour[i]!, contour[i + 1]!, contour[j]!, contour[j + 1]!].map((v) => v * scale),
      );
    }
  }
  const data = new Float32Array(width * height);
  for (let y = 0; y < height; y++) {
    let sum = 0;
    for (let x = 0; x < width; x++) {
      sum += sums[y * stride + x]!;
      data[y * width + x] = Math.min(1, Math.abs(sum));
    }
  }
  return { width, height, data };
}

/** Adds the area to the right of an edge to the sums of each row: what changes from one pixel to the next. */
function addEdge(sums: Float64Array, stride: number, height: number, edge: readonly number[]): void {
  const [ax, ay, bx, by] = edge as [number, number, number, number];
  if (ay === by) return;
  const sign = ay < by ? 1 : -1;
  const [topX, topY, bottomX, bottomY] = ay < by ? [ax, ay, bx, by] : [bx, by, ax, ay];
  const slope = (bottomX - topX) / (bottomY - topY);
  for (let y = Math.max(0, Math.floor(topY)); y < Math.min(height, Math.ceil(bottomY)); y++) {
    const [from, to] = [Math.max(y, topY), Math.min(y + 1, bottomY)];
    const high = sign * (to - from);
    const at = (place: number) => Math.min(stride - 2, Math.max(0, topX + slope * (place - topY)));
    const [left, right] = at(from) < at(to) ? [at(from), at(to)] : [at(to), at(from)];
    const [first, last] = [Math.floor(left), Math.floor(right)];
    let area = 0;
    for (let x = first; x <= last; x++) {
      // The part of the edge's height that crosses this column, and its mean place in it.
      const [a, b] = [Math.max(x, left), Math.min(x + 1, right)];
      const part = right > left ? (b - a) / (right - left) : 1;
      const inside = part * (x + 1 - (a + b) / 2);
      // The part of the edge left of this column covers the whole width of the column.
      const before = right > left ? (a - left) / (right - left) : 0;
      const value = high * (before + inside);
      sums[y * stride + x]! += value - area;
      area = value;
    }
    sums[y * stride + last + 1]! += high - area;
  }
}

/** Blurs by a Gaussian, in pixels. Beyond the border lies what is at the border. */
export function blurGaussian({ width, height, data }: Plane, sigma: number): Plane {
  const reach = Math.ceil(3 * sigma);
  const weights = Float32Array.from({ length: 2 * reach + 1 }, (_, i) =>
    Math.exp(-((i - reach) ** 2) / (2 * sigma ** 2)),
  );
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const across = new Float32Array(data.length);
  const out = new Float32Array(data.length);
  const line = new Float32Array(width + 2 * reach);
  for (let y = 0; y < height; y++) {
    const row = y * width;
    line.set(data.subarray(row, row + width), reach);
    line.fill(data[row]!, 0, reach);
    line.fill(data[row + width - 1]!, width + reach);
    for (let x = 0; x < width; x++) {
      let sum = 0;
      for (let k = 0; k <= 2 * reach; k++) sum += weights[k]! * line[x + k]!;
      across[row + x] = sum / total;
    }
  }
  for (let y = 0; y < height; y++) {
    for (let k = -reach; k <= reach; k++) {
      const source = Math.min(height - 1, Math.max(0, y + k)) * width;
      const weight = weights[k + reach]! / total;
      for (let x = 0; x < width; x++) out[y * width + x]! += weight * across[source + x]!;
    }
  }
  return { width, height, data: out };
}

/** The window of SSIM, as a standard deviation in pixels, and its constants for values of 0..1. */
const WINDOW_SIGMA = 1.5;
const [C1, C2] = [0.01 ** 2, 0.03 ** 2];

/** Returns a judge of pictures against one: the mean structural similarity (Wang, Bovik, Sheikh, Simoncelli 2004). */
export function similarityTo(truth: Plane): (other: Plane) => number {
  const soft = (plane: Plane) => blurGaussian(plane, WINDOW_SIGMA).data;
  const product = (a: Plane, b: Plane): Plane => ({ ...a, data: a.data.map((value, i) => value * b.data[i]!) });
  const mean = soft(truth);
  const square = soft(product(truth, truth));
  return (other) => {
    const [otherMean, otherSquare, cross] = [soft(other), soft(product(other, other)), soft(product(truth, other))];
    let sum = 0;
    for (let i = 0; i < mean.length; i++) {
      const [a, b] = [mean[i]!, otherMean[i]!];
      const [varianceA, varianceB] = [square[i]! - a * a, otherSquare[i]! - b * b];
      const covariance = cross[i]! - a * b;
      sum += ((2 * a * b + C1) * (2 * covariance + C2)) / ((a * a + b * b + C1) * (varianceA + varianceB + C2));
    }
    return sum / mean.length;
  };
}

export const meanOf = ({ data }: Plane): number => data.reduce((sum, value) => sum + value, 0) / data.length;

/** Returns the largest difference of the mean ink of two pictures in any square of this side, in pixels. */
export function worstWindow(one: Plane, other: Plane, side: number): number {
  const { width, height } = one;
  const stride = width + 1;
  const sums = new Float64Array(stride * (height + 1));
  for (let y = 0; y < height; y++) {
    for (let x = 0, row = 0; x < width; x++) {
      row += one.data[y * width + x]! - other.data[y * width + x]!;
      sums[(y + 1) * stride + x + 1] = sums[y * stride + x + 1]! + row;
    }
  }
  let worst = 0;
  for (let y = 0; y + side <= height; y++) {
    for (let x = 0; x + side <= width; x++) {
      const [top, bottom] = [y * stride + x, (y + side) * stride + x];
      const sum = sums[bottom + side]! - sums[top + side]! - sums[bottom]! + sums[top]!;
      worst = Math.max(worst, Math.abs(sum) / side ** 2);
    }
  }
  return worst;
}
