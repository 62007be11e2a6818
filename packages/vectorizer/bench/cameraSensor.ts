/** What a camera does to the light that falls into it: blur, motion, exposure, noise and JPEG. */
import sharp from 'sharp';
import type { Bitmap } from '../src/index.ts';

/** Returns a byte of sRGB for light 0..1. */
export const toByte = (v: number): number => 255 * (v <= 0.0031308 ? 12.92 * v : 1.055 * v ** (1 / 2.4) - 0.055);

/** Blurs three interleaved channels by a Gaussian. */
export function blur(plane: Float32Array, width: number, height: number, sigma: number): Float32Array {
  const reach = Math.ceil(3 * sigma);
  const kernel = Float64Array.from({ length: 2 * reach + 1 }, (_, k) =>
    Math.exp(-((k - reach) ** 2) / (2 * sigma ** 2)),
  );
  const total = kernel.reduce((sum, weight) => sum + weight, 0);
  let from = plane;
  for (const isRow of [true, false]) {
    const out = new Float32Array(plane.length);
    for (let y = 0; y < height; y++) {
      for (let x = 0; x < width; x++) {
        for (let k = -reach; k <= reach; k++) {
          const u = isRow ? Math.min(width - 1, Math.max(0, x + k)) : x;
          const v = isRow ? y : Math.min(height - 1, Math.max(0, y + k));
          const weight = kernel[k + reach] / total;
          for (let c = 0; c < 3; c++) out[(y * width + x) * 3 + c] += weight * from[(v * width + u) * 3 + c];
        }
      }
    }
    from = out;
  }
  return from;
}

/** Smears along a direction by so many px: the camera moved. */
export function smear(plane: Float32Array, width: number, height: number, length: number, angle: number): Float32Array {
  const out = new Float32Array(plane.length);
  const taps = 7;
  for (let t = 0; t < taps; t++) {
    const along = length * ((t + 0.5) / taps - 0.5);
    const [dx, dy] = [along * Math.cos(angle), along * Math.sin(angle)];
    for (let y = 0; y < height; y++) {
      for (let x = 0; x < width; x++) {
        const u = Math.min(width - 1.001, Math.max(0, x + dx));
        const v = Math.min(height - 1.001, Math.max(0, y + dy));
        const [i, j] = [Math.floor(u), Math.floor(v)];
        const [a, b] = [u - i, v - j];
        const p = (j * width + i) * 3;
        for (let c = 0; c < 3; c++) {
          const above = plane[p + c] * (1 - a) + plane[p + 3 + c] * a;
          const below = plane[p + width * 3 + c] * (1 - a) + plane[p + width * 3 + 3 + c] * a;
          out[(y * width + x) * 3 + c] += (above * (1 - b) + below * b) / taps;
        }
      }
    }
  }
  return out;
}

/** Scales the light so that a hundredth of it is above a level. */
export function expose(plane: Float32Array, level: number): void {
  const brightest = new Float32Array(plane.length / 3);
  for (let p = 0; p < brightest.length; p++) brightest[p] = Math.max(plane[p * 3], plane[p * 3 + 1], plane[p * 3 + 2]);
  brightest.sort();
  const factor = level / brightest[Math.floor(brightest.length * 0.99)];
  for (let k = 0; k < plane.length; k++) plane[k] *= factor;
}

/** Adds the noise of a sensor (shot and read), and returns bytes. */
export function toBitmap(
  plane: Float32Array,
  width: number,
  height: number,
  random: () => number,
  noise: number,
): Bitmap {
  const data = new Uint8ClampedArray(width * height * 4).fill(255);
  for (let p = 0; p < width * height; p++) {
    for (let c = 0; c < 3; c++) {
      const light = plane[p * 3 + c];
      const normal = (random() + random() + random() + random() - 2) * Math.sqrt(3);
      const spread = noise * Math.sqrt(0.15 + Math.max(0, light));
      data[p * 4 + c] = toByte(noise === 0 ? light : light + normal * spread);
    }
  }
  return { width, height, data };
}

export async function saveTwice({ width, height, data }: Bitmap, first: number, second: number): Promise<Bitmap> {
  const raw = { raw: { width, height, channels: 4 as const } };
  let file = await sharp(data, raw).removeAlpha().jpeg({ quality: first }).toBuffer();
  file = await sharp(file).jpeg({ quality: second }).toBuffer();
  const bytes = await sharp(file).ensureAlpha().raw().toBuffer();
  return { width, height, data: new Uint8ClampedArray(bytes) };
}
