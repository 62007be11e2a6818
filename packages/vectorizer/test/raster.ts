/** Draws small bitmaps for tests, antialiased by 16 × 16 samples per pixel, and measures drawings. */
import type { Bitmap, Drawing, Ring } from '../src/index.ts';
import { countSelfCrossings, signedArea } from './polylines.ts';
import { createGenerator } from './random.ts';

export type Color = readonly [number, number, number, number];
export const BLACK: Color = [0, 0, 0, 255];
export const WHITE: Color = [255, 255, 255, 255];
export const CLEAR: Color = [0, 0, 0, 0];

/** Fills a bitmap pixel by pixel. */
export function paint(width: number, height: number, colorAt: (x: number, y: number) => Color): Bitmap {
  const data = new Uint8ClampedArray(width * height * 4);
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const color = colorAt(x, y);
      for (let k = 0; k < 4; k++) data[i++] = color[k];
    }
  }
  return { width, height, data };
}

const SAMPLES = 16;
/** Every fifth sample is asked first: where these agree, the pixel has one color. */
const PROBE = 5;

/**
 * Draws shapes over one another, each where `isInside` holds, antialiased by counting samples. What is thinner than a
 * third of a pixel may be missed.
 */
export function draw(
  width: number,
  height: number,
  paper: Color,
  shapes: { color: Color; isInside: (x: number, y: number) => boolean }[],
): Bitmap {
  const colorOf = (x: number, y: number): Color => {
    for (let k = shapes.length - 1; k >= 0; k--) if (shapes[k].isInside(x, y)) return shapes[k].color;
    return paper;
  };
  const at = (p: number, k: number): number => p + (k + 0.5) / SAMPLES;
  return paint(width, height, (px, py) => {
    const first = colorOf(at(px, 0), at(py, 0));
    for (let v = 0; v < SAMPLES; v += PROBE) {
      for (let u = 0; u < SAMPLES; u += PROBE) {
        if (colorOf(at(px, u), at(py, v)) !== first) return meanOf(px, py);
      }
    }
    return first;
  });

  function meanOf(px: number, py: number): Color {
    const sums = [0, 0, 0];
    let alpha = 0;
    for (let v = 0; v < SAMPLES; v++) {
      for (let u = 0; u < SAMPLES; u++) {
        const color = colorOf(at(px, u), at(py, v));
        for (let k = 0; k < 3; k++) sums[k] += color[k] * color[3];
        alpha += color[3];
      }
    }
    const [red, green, blue] = sums.map((sum) => Math.round(sum / (alpha || 1)));
    return [red, green, blue, Math.round(alpha / SAMPLES ** 2)];
  }
}

/** Returns a seeded generator of numbers 0..255. */
export function randomBytes(seed: number): () => number {
  const next = createGenerator(seed);
  return () => next() >>> 24;
}

/** Returns the bitmap rotated by a quarter turn clockwise. */
export function turn({ width, height, data }: Bitmap): Bitmap {
  return paint(height, width, (x, y) => {
    const i = ((height - 1 - x) * width + y) * 4;
    return [data[i], data[i + 1], data[i + 2], data[i + 3]];
  });
}

export function ringsOf(drawing: Drawing): { color: string; ring: Ring; isStroke: boolean }[] {
  return drawing.layers.flatMap((layer) =>
    layer.paths.flatMap((path) =>
      path.rings.map((ring) => ({ color: path.color, ring, isStroke: path.strokeWidth !== undefined })),
    ),
  );
}

/** Returns points along a ring, `steps` per cubic and one per line. */
export function flatten(ring: Ring, steps = 16): [number, number][] {
  const points: [number, number][] = [[ring.x, ring.y]];
  let { x, y } = ring;
  for (const s of ring.segments) {
    for (let k = 1; k <= steps && !s.isLine; k++) {
      const t = k / steps;
      const u = 1 - t;
      points.push([
        u * u * u * x + 3 * u * u * t * s.x1 + 3 * u * t * t * s.x2 + t * t * t * s.x,
        u * u * u * y + 3 * u * u * t * s.y1 + 3 * u * t * t * s.y2 + t * t * t * s.y,
      ]);
    }
    if (s.isLine) points.push([s.x, s.y]);
    ({ x, y } = s);
  }
  return points;
}

/** Returns the signed area of a ring in px²; the sign gives its direction. */
export const areaOf = (ring: Ring): number => signedArea(flatten(ring));

/** Returns how often a ring crosses itself. */
export function countCrossings(ring: Ring): number {
  return countSelfCrossings(flatten(ring, 8));
}

/**
 * Returns a synthetic photograph: noise of five octaves, each half as strong and half as large as the previous one,
 * over two slow tints.
 */
export function photograph(width: number, height: number, seed: number, coarsest = 32): Bitmap {
  const random = randomBytes(seed);
  const lattices = Array.from({ length: 5 }, () => Float64Array.from({ length: 64 * 64 }, () => random() - 128));
  const noiseAt = (lattice: Float64Array, x: number, y: number): number => {
    const [u, v] = [Math.floor(x), Math.floor(y)];
    const [s, t] = [x - u, y - v];
    const at = (p: number, q: number): number => lattice[(q & 63) * 64 + (p & 63)];
    return (at(u, v) * (1 - s) + at(u + 1, v) * s) * (1 - t) + (at(u, v + 1) * (1 - s) + at(u + 1, v + 1) * s) * t;
  };
  return paint(width, height, (x, y) => {
    let tone = 128;
    lattices.forEach((lattice, k) => {
      const size = coarsest / 2 ** k;
      tone += (1 / 2 ** k) * noiseAt(lattice, x / size, y / size);
    });
    const toByte = (value: number): number => Math.max(0, Math.min(255, Math.round(value)));
    return [toByte(tone + (30 * x) / width), toByte(tone), toByte(tone - (40 * y) / height), 255];
  });
}

/**
 * Returns the color at the center of each pixel, as `0xrrggbb`, or -1 where nothing is painted. Supports lines only and
 * does not paint the page.
 */
export function paintMiddles(drawing: Drawing): Int32Array {
  const { width, height } = drawing;
  const out = new Int32Array(width * height).fill(-1);
  const winding = new Int32Array(width * height);
  for (const path of drawing.layers.flatMap((layer) => layer.paths)) {
    winding.fill(0);
    for (const ring of path.rings) {
      let { x, y } = ring;
      for (const s of ring.segments) {
        const turns = s.y > y ? 1 : -1;
        for (let row = Math.ceil(Math.min(y, s.y) - 0.5); row + 0.5 < Math.max(y, s.y); row++) {
          const crossing = x + ((row + 0.5 - y) / (s.y - y)) * (s.x - x);
          for (let column = Math.max(0, Math.ceil(crossing - 0.5)); column < width; column++) {
            winding[row * width + column] += turns;
          }
        }
        x = s.x;
        y = s.y;
      }
    }
    const color = Number.parseInt(path.color.slice(1), 16);
    for (let i = 0; i < out.length; i++) if (winding[i] !== 0) out[i] = color;
  }
  return out;
}
