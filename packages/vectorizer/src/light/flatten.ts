import type { Bitmap } from '../pixels/bitmap.ts';
import { denoise } from '../pixels/noise.ts';
import { type Cells, FLOOR, quantileOf, toLinear } from './cells.ts';
import type { Field } from './field.ts';

/** Light of the brightest channel of paper in a flat picture: what is brighter than paper has room above it. */
export const PAPER_LIGHT = 0.8;
/** Paper whose weakest channel has this share of the strongest is white under a colored light. */
const WHITE_SHARE = 0.45;

/**
 * Weight of the pixels on both sides in a slight blur. It takes most of the noise out of the pixels along edges, which
 * no filter that spares edges does; where the shares of both sides are equal, it moves nothing.
 */
const SIDE = 0.2;

/** A picture under even light. */
export interface Flat {
  width: number;
  height: number;
  /** RGBA in sRGB; paper has the color `paper` everywhere. */
  data: Uint8ClampedArray;
  /** The color of paper, bytes. */
  paper: readonly [number, number, number];
  /** Standard deviation of paper before denoising, and after, in levels. */
  grain: number;
  noise: number;
}

/** Returns a byte of sRGB for light 0..1. */
export function toByte(light: number): number {
  if (light <= 0) return 0;
  return 255 * (light <= 0.0031308 ? 12.92 * light : 1.055 * light ** (1 / 2.4) - 0.055);
}

/** Light to bytes in steps fine enough for dark inks. */
const BYTES = Uint8ClampedArray.from({ length: 4096 }, (_, k) => Math.round(toByte(k / 4095)));

/** Returns the color of the paper as light: white, unless the paper itself is colored. */
function choosePaper({ light }: Field): [number, number, number] {
  const middle = [0, 1, 2].map((c) =>
    Math.exp(
      quantileOf(
        light.filter((_, k) => k % 3 === c),
        0.5,
      ),
    ),
  );
  const most = Math.max(...middle);
  const isWhite = Math.min(...middle) > WHITE_SHARE * most;
  return middle.map((value) => PAPER_LIGHT * (isWhite ? 1 : value / most)) as [number, number, number];
}

/** Divides a picture by the light on it, and takes out the grain of the paper. Linear in pixels. */
export function flatten({ width, height, data }: Bitmap, field: Field): Flat {
  const { cells, light } = field;
  const paper = choosePaper(field);
  const gains = new Float32Array(light.length);
  for (let k = 0; k < light.length; k++) gains[k] = (paper[k % 3] + FLOOR) / Math.exp(light[k]);
  const out = new Uint8ClampedArray(data.length).fill(255);
  const rows = [0, 1, 2].map(() => new Float32Array(width * 3)); // rows y - 2, y - 1 and y, by y modulo 3
  const even = new Float32Array(width * 3);
  for (let y = 0; y <= height; y++) {
    const own = rows[y % 3];
    if (y < height) {
      divideRow({ width, height, data }, y, gains, cells, even);
      smoothRow(even, own);
    } else own.set(rows[(y + 2) % 3]);
    if (y === 0) {
      rows[2].set(own);
      continue;
    }
    const [above, middle] = [rows[(y + 1) % 3], rows[(y + 2) % 3]];
    for (let k = 0, i = (y - 1) * width * 4; k < own.length; k += 3, i += 4) {
      for (let c = 0; c < 3; c++) {
        const value = middle[k + c] * (1 - 2 * SIDE) + (above[k + c] + own[k + c]) * SIDE;
        out[i + c] = BYTES[value <= 0 ? 0 : value >= 1 ? 4095 : Math.round(value * 4095)];
      }
    }
  }
  const bytes = paper.map(toByte) as [number, number, number];
  const flat: Flat = { width, height, data: out, paper: bytes, grain: 0, noise: 0 };
  flat.grain = spreadOfPaper(flat, field);
  if (flat.grain > 0.5) flat.data = denoise({ width, height, data: out, opaque: true }, Math.min(10, flat.grain)).data;
  flat.noise = spreadOfPaper(flat, field);
  return flat;
}

/** Writes the light of a row, divided by that of the paper. */
function divideRow({ width, data }: Bitmap, y: number, gains: Float32Array, cells: Cells, out: Float32Array): void {
  const { side, across, down } = cells;
  const v = Math.min(down - 1, Math.max(0, (y + 0.5) / side - 0.5));
  const top = Math.min(Math.max(0, down - 2), Math.floor(v));
  const below = down > 1 ? across * 3 : 0;
  const right = across > 1 ? 3 : 0;
  const b = v - top;
  for (let x = 0, i = y * width * 4; x < width; x++, i += 4) {
    const u = Math.min(across - 1, Math.max(0, (x + 0.5) / side - 0.5));
    const left = Math.min(Math.max(0, across - 2), Math.floor(u));
    const a = u - left;
    for (let c = 0; c < 3; c++) {
      const q = (top * across + left) * 3 + c;
      const above = gains[q] * (1 - a) + gains[q + right] * a;
      const under = gains[q + below] * (1 - a) + gains[q + below + right] * a;
      out[x * 3 + c] = (toLinear(data[i + c]) + FLOOR) * (above * (1 - b) + under * b) - FLOOR;
    }
  }
}

function smoothRow(row: Float32Array, out: Float32Array): void {
  const last = row.length - 3;
  for (let k = 0; k < row.length; k++) {
    const before = row[k < 3 ? k : k - 3];
    const after = row[k >= last ? k : k + 3];
    out[k] = row[k] * (1 - 2 * SIDE) + (before + after) * SIDE;
  }
}

/** Returns the standard deviation of green on paper, in levels, from the median deviation. */
function spreadOfPaper({ width, height, data, paper }: Flat, { isPaper, cells }: Field): number {
  const counts = new Uint32Array(256);
  let total = 0;
  const step = Math.max(1, Math.floor((width * height) / 200_000));
  for (let p = 0; p < width * height; p += step) {
    const x = p % width;
    const cell = Math.floor((p - x) / width / cells.side) * cells.across + Math.floor(x / cells.side);
    if (!isPaper[cell]) continue;
    total++;
    counts[Math.min(255, Math.abs(Math.round(data[p * 4 + 1] - paper[1])))]++;
  }
  let below = 0;
  for (let v = 0; v < 256; v++) {
    if (below + counts[v] >= total / 2)
      return counts[v] === 0 ? v : (v - 0.5 + (total / 2 - below) / counts[v]) / 0.6745;
    below += counts[v];
  }
  return 0;
}
