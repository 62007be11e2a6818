/** Resampling of a picture through a map of the plane. */
import type { Bitmap } from './bitmap.ts';
import { type Homography, mapPoint } from './homography.ts';

/**
 * A result that is smaller than the picture by less than this is resampled as if it were not: a whole picture turned by
 * 15° and no larger than before.
 */
const SMALLER_ENOUGH = 1.25;

/** The side in pixels of the blocks in which the border goes on outside of the picture. */
const BLOCK_SIDE = 12;

/**
 * Draws the picture that the map (from result to picture) shows. Colors are weighted by alpha. Pixels are interpolated
 * by Catmull and Rom's cubic (Keys, "Cubic convolution interpolation", 1981), which gives a picture back unchanged
 * where nothing moves. For a smaller result the picture is averaged by whole pixels first, and the rest of the
 * reduction widens the kernel.
 */
export function resample(
  bitmap: Bitmap,
  map: Homography,
  { width, height }: { width: number; height: number },
  outside: 'edge' | 'clear',
): Bitmap {
  const reduction = pixelsPerStep(map, width, height);
  const whole = Math.max(1, Math.floor(reduction / SMALLER_ENOUGH));
  const source = whole > 1 ? average(bitmap, whole) : bitmap;
  const rest = reduction / whole;
  const stretch = rest > SMALLER_ENOUGH ? rest : 1;
  const data = new Uint8Array(4 * width * height);
  const sums = new Float64Array(4);
  const kernel = createKernel(stretch, outside);
  const extension = outside === 'edge' ? extendSmoothly(source) : undefined;
  const interpolate = stretch === 1 && isOpaque(source.data) ? createInterpolation(source, data) : undefined;
  for (let y = 0, i = 0; y < height; y++) {
    const v = y + 0.5;
    for (let x = 0; x < width; x++, i += 4) {
      const u = x + 0.5;
      const w = whole * (map[6] * u + map[7] * v + map[8]);
      const px = (map[0] * u + map[1] * v + map[2]) / w - 0.5;
      const py = (map[3] * u + map[4] * v + map[5]) / w - 0.5;
      if (interpolate && px >= 1 && py >= 1 && px < source.width - 2 && py < source.height - 2) {
        interpolate(px, py, i);
        continue;
      }
      const isInside = px >= -0.5 && py >= -0.5 && px <= source.width - 0.5 && py <= source.height - 0.5;
      if (isInside || !extension) kernel(source, px, py, sums);
      else extension(px, py, sums);
      const alpha = Math.min(255, sums[3]);
      if (!(alpha > 0)) continue;
      const share = 255 / sums[3];
      data[i] = toByte(sums[0] * share);
      data[i + 1] = toByte(sums[1] * share);
      data[i + 2] = toByte(sums[2] * share);
      data[i + 3] = toByte(alpha);
    }
  }
  return { width, height, data };
}

/** True when no pixel lets its ground through. */
function isOpaque(data: Bitmap['data']): boolean {
  for (let i = 3; i < data.length; i += 4) if (data[i] !== 255) return false;
  return true;
}

/**
 * Returns a function that writes the interpolated color at a place to byte `to` of the result: the same as the kernel
 * for opaque pixels that are not at the border, in a third of its time.
 */
function createInterpolation({ width, data }: Bitmap, out: Uint8Array) {
  return (px: number, py: number, to: number): void => {
    const [x, y] = [Math.floor(px), Math.floor(py)];
    const [s, t] = [px - x, py - y];
    const a0 = ((-0.5 * s + 1) * s - 0.5) * s;
    const a1 = (1.5 * s - 2.5) * s * s + 1;
    const a2 = ((-1.5 * s + 2) * s + 0.5) * s;
    const a3 = (0.5 * s - 0.5) * s * s;
    const b0 = ((-0.5 * t + 1) * t - 0.5) * t;
    const b1 = (1.5 * t - 2.5) * t * t + 1;
    const b2 = ((-1.5 * t + 2) * t + 0.5) * t;
    const b3 = (0.5 * t - 0.5) * t * t;
    const stride = 4 * width;
    const first = (y - 1) * stride + 4 * (x - 1);
    for (let c = 0; c < 3; c++) {
      const i = first + c;
      const j = i + stride;
      const k = j + stride;
      const l = k + stride;
      out[to + c] = toByte(
        b0 * (a0 * data[i] + a1 * data[i + 4] + a2 * data[i + 8] + a3 * data[i + 12]) +
          b1 * (a0 * data[j] + a1 * data[j + 4] + a2 * data[j + 8] + a3 * data[j + 12]) +
          b2 * (a0 * data[k] + a1 * data[k + 4] + a2 * data[k + 8] + a3 * data[k + 12]) +
          b3 * (a0 * data[l] + a1 * data[l + 4] + a2 * data[l + 8] + a3 * data[l + 12]),
      );
    }
    out[to + 3] = 255;
  };
}

const toByte = (value: number) => (value <= 0 ? 0 : value >= 255 ? 255 : Math.round(value));

/** Returns how many pixels of the picture lie in one step of the result, where they are most; 1 at least. */
function pixelsPerStep(map: Homography, width: number, height: number): number {
  const places = [0.5, 1].flatMap((x) => [0.5, 1].map((y) => ({ x: x * width, y: y * height })));
  places.push({ x: 0, y: 0 }, { x: width, y: 0 }, { x: 0, y: height });
  const steps = places.map((place) => {
    const here = mapPoint(map, place);
    const right = mapPoint(map, { x: place.x + 0.01, y: place.y });
    const below = mapPoint(map, { x: place.x, y: place.y + 0.01 });
    const across = Math.hypot(right.x - here.x, right.y - here.y);
    const down = Math.hypot(below.x - here.x, below.y - here.y);
    return 100 * Math.max(across, down);
  });
  return Math.max(1, ...steps);
}

/**
 * Returns a function that reads what lies outside of the picture from blocks along its border: single pixels would
 * become streaks. The blocks are averaged when the first place is asked for.
 */
function extendSmoothly(source: Bitmap) {
  const kernel = createKernel(1, 'edge');
  let blocks: Bitmap | undefined;
  return (px: number, py: number, sums: Float64Array): void => {
    blocks ??= average(source, BLOCK_SIDE);
    kernel(blocks, (px + 0.5) / BLOCK_SIDE - 0.5, (py + 0.5) / BLOCK_SIDE - 0.5, sums);
  };
}

/** Averages blocks of pixels, with colors weighted by alpha. A last block that is not whole is averaged as it is. */
function average({ width, height, data }: Bitmap, side: number): Bitmap {
  const [w, h] = [Math.ceil(width / side), Math.ceil(height / side)];
  const out = new Uint8Array(4 * w * h);
  for (let y = 0; y < h; y++) {
    for (let x = 0; x < w; x++) {
      let [r, g, b, a, n] = [0, 0, 0, 0, 0];
      for (let v = y * side; v < Math.min(height, (y + 1) * side); v++) {
        for (let u = x * side; u < Math.min(width, (x + 1) * side); u++) {
          const i = 4 * (v * width + u);
          const alpha = data[i + 3];
          r += data[i] * alpha;
          g += data[i + 1] * alpha;
          b += data[i + 2] * alpha;
          a += alpha;
          n++;
        }
      }
      if (a === 0) continue;
      out.set([toByte(r / a), toByte(g / a), toByte(b / a), toByte(a / n)], 4 * (y * w + x));
    }
  }
  return { width: w, height: h, data: out };
}

/** Catmull and Rom's cubic at a distance in pixels. */
function cubic(distance: number): number {
  const t = Math.abs(distance);
  if (t < 1) return (1.5 * t - 2.5) * t * t + 1;
  return t < 2 ? ((-0.5 * t + 2.5) * t - 4) * t + 2 : 0;
}

/**
 * Returns a function that sums up the pixels around a place. The sums are of colors times alpha, and of alpha, each
 * 0..255 and a little beyond.
 */
function createKernel(stretch: number, outside: 'edge' | 'clear') {
  const reach = 2 * stretch;
  const taps = Math.ceil(2 * reach) + 1;
  const [across, down] = [new Float64Array(taps), new Float64Array(taps)];
  const weigh = (weights: Float64Array, place: number) => {
    const first = Math.ceil(place - reach);
    let total = 0;
    for (let k = 0; k < taps; k++) {
      weights[k] = cubic((first + k - place) / stretch);
      total += weights[k];
    }
    for (let k = 0; k < taps; k++) weights[k] /= total;
    return first;
  };
  return ({ width, height, data }: Bitmap, px: number, py: number, sums: Float64Array): void => {
    sums.fill(0);
    if (outside === 'clear' && !(px > -reach && py > -reach && px < width - 1 + reach && py < height - 1 + reach))
      return;
    const x0 = weigh(across, outside === 'edge' ? Math.min(width, Math.max(-1, px)) : px);
    const y0 = weigh(down, outside === 'edge' ? Math.min(height, Math.max(-1, py)) : py);
    for (let k = 0; k < taps; k++) {
      if (down[k] === 0) continue;
      const y = y0 + k;
      if (outside === 'clear' && (y < 0 || y >= height)) continue;
      const row = Math.min(height - 1, Math.max(0, y)) * width;
      for (let j = 0; j < taps; j++) {
        const x = x0 + j;
        if (outside === 'clear' && (x < 0 || x >= width)) continue;
        const i = 4 * (row + Math.min(width - 1, Math.max(0, x)));
        const weight = across[j] * down[k];
        const alpha = data[i + 3] * weight;
        const share = alpha / 255;
        sums[0] += data[i] * share;
        sums[1] += data[i + 1] * share;
        sums[2] += data[i + 2] * share;
        sums[3] += alpha;
      }
    }
  };
}
