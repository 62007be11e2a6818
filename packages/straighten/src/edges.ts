/** Edge points of a picture to a fraction of a pixel. */
import type { Gray } from './bitmap.ts';

/** The points of all edges, in no order. */
export interface EdgePoints {
  readonly count: number;
  readonly x: Float32Array;
  readonly y: Float32Array;
  /** The unit normal, from dark to light. */
  readonly normalX: Float32Array;
  readonly normalY: Float32Array;
  /** The gradient: levels per pixel across the edge. */
  readonly steepness: Float32Array;
  /** The pixel of each point, and the point of each pixel; -1 where there is none. */
  readonly pixel: Int32Array;
  readonly pointAt: Int32Array;
}

/** Slopes below this are no edge, even in a picture without noise. */
const LEAST_STEEPNESS = 1.6;
/** The least slope of an edge, in standard deviations of the slopes of the noise. */
const NOISE_FACTOR = 4;
/** The median slope of noise, in its standard deviations along one axis (Rayleigh distribution). */
const RAYLEIGH_MEDIAN = 1.177;

/**
 * Finds the maxima of the gradient across each edge, on the picture blurred a little, and sets each to the top of the
 * parabola through its neighbors (Devernay, "A non-maxima suppression method for edge detection with sub-pixel
 * accuracy", 1995).
 */
export function findEdgePoints(gray: Gray): EdgePoints {
  const { width, height } = gray;
  const soft = blur(gray);
  const slope = new Float32Array(width * height);
  const [dx, dy] = [new Float32Array(width * height), new Float32Array(width * height)];
  for (let y = 1; y < height - 1; y++) {
    for (let x = 1, i = y * width + 1; x < width - 1; x++, i++) {
      dx[i] = (soft[i + 1] - soft[i - 1]) / 2;
      dy[i] = (soft[i + width] - soft[i - width]) / 2;
      slope[i] = Math.sqrt(dx[i] * dx[i] + dy[i] * dy[i]);
    }
  }
  const threshold = Math.max(LEAST_STEEPNESS, NOISE_FACTOR * (noiseSlope(slope) / RAYLEIGH_MEDIAN));
  const pointAt = new Int32Array(width * height).fill(-1);
  const [px, py, pixels]: number[][] = [[], [], []];
  for (let y = 2; y < height - 2; y++) {
    for (let x = 2, i = y * width + 2; x < width - 2; x++, i++) {
      const here = slope[i];
      if (here < threshold) continue;
      const isAcross = Math.abs(dx[i]) > Math.abs(dy[i]);
      const step = isAcross ? 1 : width;
      const [before, after] = [slope[i - step], slope[i + step]];
      if (here < before || here <= after) continue;
      const shift = (before - after) / (2 * (before - 2 * here + after));
      pointAt[i] = px.length;
      pixels.push(i);
      px.push(x + 0.5 + (isAcross ? shift : 0));
      py.push(y + 0.5 + (isAcross ? 0 : shift));
    }
  }
  const pixel = Int32Array.from(pixels);
  const normal = (d: Float32Array) => Float32Array.from(pixel, (i) => d[i] / slope[i]);
  return {
    count: pixel.length,
    x: Float32Array.from(px),
    y: Float32Array.from(py),
    normalX: normal(dx),
    normalY: normal(dy),
    steepness: Float32Array.from(pixel, (i) => slope[i]),
    pixel,
    pointAt,
  };
}

/** Returns the median slope: where less than half of a picture are edges, that of its noise. */
function noiseSlope(slope: Float32Array): number {
  const counts = new Uint32Array(1024);
  for (let i = 0; i < slope.length; i++) counts[Math.min(1023, Math.floor(slope[i] * 16))]++;
  let sum = 0;
  for (let bin = 0; bin < counts.length; bin++) {
    sum += counts[bin];
    if (sum >= slope.length / 2) return bin / 16;
  }
  return 0;
}

/** Blurs with the binomial kernel of five values, a Gaussian with a standard deviation of one pixel. */
function blur({ width, height, data }: Gray): Float32Array {
  const across = new Float32Array(width * height);
  const out = new Float32Array(width * height);
  const clamp = (value: number, last: number) => (value < 0 ? 0 : value > last ? last : value);
  const line = new Float32Array(width + 4);
  for (let y = 0; y < height; y++) {
    const row = y * width;
    line.set(data.subarray(row, row + width), 2);
    line.fill(data[row], 0, 2);
    line.fill(data[row + width - 1], width + 2);
    for (let x = 0; x < width; x++) {
      across[row + x] = (line[x] + line[x + 4] + 4 * (line[x + 1] + line[x + 3]) + 6 * line[x + 2]) / 16;
    }
  }
  for (let y = 0; y < height; y++) {
    const row = (offset: number) => clamp(y + offset, height - 1) * width;
    const [a, b, c, d, e] = [row(-2), row(-1), row(0), row(1), row(2)];
    for (let x = 0; x < width; x++) {
      out[c + x] = (across[a + x] + across[e + x] + 4 * (across[b + x] + across[d + x]) + 6 * across[c + x]) / 16;
    }
  }
  return out;
}
