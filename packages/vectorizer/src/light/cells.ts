import type { Bitmap } from '../pixels/bitmap.ts';

/** Shares of red, green and blue in luminance (ITU-R BT.709). */
export const [RED, GREEN, BLUE] = [0.2126, 0.7152, 0.0722];

/** Cells along the longer side of a picture, at most. */
const CELLS = 200;
/** Light below this share of the brightest is not told apart: the floor of a sensor. */
export const FLOOR = 0.006;

const LINEAR = Float32Array.from({ length: 256 }, (_, v) =>
  v / 255 <= 0.04045 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4,
);

/** Returns the light that a byte of sRGB stands for, 0..1. */
export const toLinear = (byte: number): number => LINEAR[byte];

/** A picture in square cells: the logarithm of the light of each, red, green and blue in turns. */
export interface Cells {
  /** Pixels along a side of a cell. */
  side: number;
  across: number;
  down: number;
  logs: Float32Array;
}

/**
 * Returns the means of cells, in light, as logarithms: there, light and the material's own color add up, so a shadow is
 * the same step on every paper and ink. Linear in pixels.
 */
export function readCells({ width, height, data }: Bitmap): Cells {
  const side = Math.max(1, Math.round(Math.max(width, height) / CELLS));
  const across = Math.ceil(width / side);
  const down = Math.ceil(height / side);
  const logs = new Float32Array(across * down * 3);
  const counts = new Uint16Array(across * down);
  for (let y = 0, i = 0; y < height; y++) {
    const row = Math.floor(y / side) * across;
    for (let x = 0; x < width; x++, i += 4) {
      const cell = row + Math.floor(x / side);
      counts[cell]++;
      logs[cell * 3] += LINEAR[data[i]];
      logs[cell * 3 + 1] += LINEAR[data[i + 1]];
      logs[cell * 3 + 2] += LINEAR[data[i + 2]];
    }
  }
  for (let k = 0; k < logs.length; k++) logs[k] = Math.log(logs[k] / counts[Math.floor(k / 3)] + FLOOR);
  return { side, across, down, logs };
}

/** Returns the largest difference of a channel between two cells. */
export function stepBetween(logs: Float32Array, p: number, q: number): number {
  return Math.max(
    Math.abs(logs[p * 3] - logs[q * 3]),
    Math.abs(logs[p * 3 + 1] - logs[q * 3 + 1]),
    Math.abs(logs[p * 3 + 2] - logs[q * 3 + 2]),
  );
}

/** Returns the value that a share of the values lie below; 0 when there are none. */
export function quantileOf(values: Float32Array, share: number): number {
  if (values.length === 0) return 0;
  const ascending = values.slice().sort();
  return ascending[Math.min(ascending.length - 1, Math.floor(ascending.length * share))];
}
