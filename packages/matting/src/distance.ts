/** Distances of colors in OKLab. */
import { writeOklab } from './oklab.ts';

/** Distances are stored in this many steps per OKLab hundredth. */
export const STEPS = 128;

/**
 * Returns a function that measures the distance of a pixel from a color, in `STEPS` of an OKLab hundredth. It caches
 * the last result.
 */
export function distanceMeter() {
  const own = new Float64Array(3);
  const groundLab = new Float64Array(3);
  const last = new Float64Array(3).fill(-1);
  let lastPixel = -1;
  let answer = 0;
  return (color: Float64Array, data: Uint8Array, at: number): number => {
    const pixel = (data[at] << 16) | (data[at + 1] << 8) | data[at + 2];
    if (color[0] === last[0] && color[1] === last[1] && color[2] === last[2]) {
      if (pixel === lastPixel) return answer;
    } else {
      writeOklab(color[0], color[1], color[2], groundLab);
      last[0] = color[0];
      last[1] = color[1];
      last[2] = color[2];
    }
    lastPixel = pixel;
    writeOklab(data[at], data[at + 1], data[at + 2], own);
    const d0 = own[0] - groundLab[0];
    const d1 = own[1] - groundLab[1];
    const d2 = own[2] - groundLab[2];
    answer = Math.min(65_535, STEPS * Math.sqrt(d0 * d0 + d1 * d1 + d2 * d2));
    return answer;
  };
}

/** Steps per unit of a byte: half an OKLab hundredth. */
export const COARSE = 64;

/** Returns distances as bytes, in steps of half an OKLab hundredth; 255 for larger ones. */
export function toBytes(distance: Uint16Array): Uint8Array {
  const bytes = new Uint8Array(distance.length);
  for (let i = 0; i < bytes.length; i++) {
    const value = (distance[i] / COARSE) | 0;
    bytes[i] = value < 255 ? value : 255;
  }
  return bytes;
}
