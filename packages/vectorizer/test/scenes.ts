/** Draws seeded random pictures with known areas, for the property tests. */
import type { Bitmap } from '../src/index.ts';
import { type Color, paint, randomBytes } from './raster.ts';

type Inside = (x: number, y: number) => boolean;

/** Returns a seeded generator of numbers 0 ≤ r < 1. */
export function randomFrom(seed: number): () => number {
  const byte = randomBytes(Math.imul(seed + 1, 0x9e3779b1));
  return () => ((byte() << 16) | (byte() << 8) | byte()) / 0x1000000;
}

const disk =
  (cx: number, cy: number, r: number): Inside =>
  (x, y) =>
    (x - cx) ** 2 + (y - cy) ** 2 < r * r;

/** Returns the inside test of a polygon, by the even-odd rule. */
function polygon(points: readonly (readonly [number, number])[]): Inside {
  return (x, y) => {
    let isIn = false;
    for (let i = 0, j = points.length - 1; i < points.length; j = i++) {
      const [ax, ay] = points[i];
      const [bx, by] = points[j];
      if (ay > y !== by > y && x < ax + ((y - ay) / (by - ay)) * (bx - ax)) isIn = !isIn;
    }
    return isIn;
  };
}

/** Returns the inside test of a thick line with round ends. */
const stroke =
  (ax: number, ay: number, bx: number, by: number, width: number): Inside =>
  (x, y) => {
    const dx = bx - ax;
    const dy = by - ay;
    const t = Math.max(0, Math.min(1, ((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy || 1)));
    return Math.hypot(x - ax - t * dx, y - ay - t * dy) < width / 2;
  };

/** Colors far enough apart that a mix of two never looks like a third. */
const COLORS: Color[] = [
  [210, 40, 30, 255],
  [30, 70, 200, 255],
  [20, 150, 70, 255],
  [0, 0, 0, 255],
  [250, 200, 40, 255],
  [150, 60, 170, 255],
];

interface Figure {
  isInside: Inside;
  /** A square around the figure: its middle, and half of its side. */
  middle: readonly [number, number];
  reach: number;
}

interface Shape extends Figure {
  color: Color;
}

interface Scene {
  width: number;
  height: number;
  paper: Color;
  shapes: Shape[];
}

/** Returns a random shape of one of five kinds, at least about 6 px across. */
function randomShape(random: () => number, width: number, height: number): Figure {
  const cx = random() * width;
  const cy = random() * height;
  const size = 7 + random() * 0.3 * Math.min(width, height);
  const angle = random() * Math.PI;
  const figure = (reach: number, isInside: Inside): Figure => ({ isInside, middle: [cx, cy], reach });
  switch (Math.floor(random() * 5)) {
    case 0:
      return figure(size, disk(cx, cy, size));
    case 1: {
      const count = 3 + Math.floor(random() * 5);
      const corners = Array.from({ length: count }, (_, k): [number, number] => {
        const at = angle + ((k + 0.3 * random()) * 2 * Math.PI) / count;
        return [cx + size * Math.cos(at), cy + size * Math.sin(at)];
      });
      return figure(size, polygon(corners));
    }
    case 2: {
      // Stripes within a disk.
      const period = 10 + random() * 8;
      const isIn = disk(cx, cy, size * 1.4);
      return figure(size * 1.4, (x, y) => {
        const along = (x - cx) * Math.cos(angle) + (y - cy) * Math.sin(angle);
        return isIn(x, y) && along - period * Math.floor(along / period) < period / 2;
      });
    }
    case 3: {
      // A letter-like shape: a stem, an arm and a bowl.
      const wide = 4 + random() * 3;
      const stem = stroke(cx, cy - size, cx, cy + size, wide);
      const arm = stroke(cx, cy, cx + size * Math.cos(angle), cy + size * Math.sin(angle), wide);
      const bowl = disk(cx + size / 2, cy + size / 2, size / 2 + 2);
      const hole = disk(cx + size / 2, cy + size / 2, size / 4 + 1);
      return figure(size + wide, (x, y) => stem(x, y) || arm(x, y) || (bowl(x, y) && !hole(x, y)));
    }
    default: {
      const aspect = 0.5 + random();
      const cos = Math.cos(angle);
      const sin = Math.sin(angle);
      return figure(size * Math.hypot(1, aspect), (x, y) => {
        const u = (x - cx) * cos + (y - cy) * sin;
        const v = (y - cy) * cos - (x - cx) * sin;
        return Math.abs(u) < size && Math.abs(v) < size * aspect;
      });
    }
  }
}

/**
 * Returns a scene of several shapes over one another. `split` divides the ground between two colors, so that no color
 * is an open page.
 */
export function randomScene(seed: number, { split = true, count = 6 } = {}): Scene {
  const random = randomFrom(seed);
  const width = 72 + Math.floor(random() * 40);
  const height = 64 + Math.floor(random() * 40);
  const shapes: Shape[] = [];
  if (split) {
    const at = (0.4 + 0.2 * random()) * (width + height);
    const reach = width + height;
    shapes.push({ color: [120, 128, 136, 255], isInside: (x, y) => x + y > at, middle: [0, 0], reach });
  }
  for (let k = 0; k < count; k++) {
    const color = COLORS[Math.floor(random() * COLORS.length)];
    shapes.push({ color, ...randomShape(random, width, height) });
  }
  return { width, height, paper: split ? [240, 226, 200, 255] : [255, 255, 255, 255], shapes };
}

export const toHex = ([r, g, b]: Color): string => `#${((1 << 24) | (r << 16) | (g << 8) | b).toString(16).slice(1)}`;

export interface SceneBitmap {
  bitmap: Bitmap;
  /** True area of each color in px². */
  areas: Map<string, number>;
}

/** Renders the scene with 16 × 16 samples per pixel, and returns the area of each color by those samples. */
export function drawScene({ width, height, paper, shapes }: Scene): SceneBitmap {
  const samples = 16;
  const colors = [paper, ...shapes.map(({ color }) => color)];
  const counts = new Uint32Array(colors.length);
  const here = new Uint32Array(colors.length);
  const bitmap = paint(width, height, (px, py) => {
    here.fill(0);
    const isNear = ({ middle: [x, y], reach }: Shape): boolean =>
      Math.abs(px + 0.5 - x) <= reach + 1 && Math.abs(py + 0.5 - y) <= reach + 1;
    const near = shapes.flatMap((shape, k) => (isNear(shape) ? [{ isInside: shape.isInside, color: k + 1 }] : []));
    for (let v = 0; v < samples; v++) {
      for (let u = 0; u < samples; u++) {
        let k = near.length;
        while (k > 0 && !near[k - 1].isInside(px + (u + 0.5) / samples, py + (v + 0.5) / samples)) k--;
        here[k > 0 ? near[k - 1].color : 0]++;
      }
    }
    const mean = [0, 0, 0];
    here.forEach((count, k) => {
      counts[k] += count;
      for (let c = 0; c < 3; c++) mean[c] += (colors[k][c] * count) / samples / samples;
    });
    return [Math.round(mean[0]), Math.round(mean[1]), Math.round(mean[2]), 255];
  });
  const areas = new Map<string, number>();
  colors.forEach((color, k) => {
    if (counts[k] > 0) areas.set(toHex(color), (areas.get(toHex(color)) ?? 0) + counts[k] / samples / samples);
  });
  return { bitmap, areas };
}

/** Adds noise of a standard deviation of about `sigma` byte levels. */
export function addNoise({ width, height, data }: Bitmap, sigma: number, seed: number): Bitmap {
  const random = randomFrom(seed);
  const out = new Uint8ClampedArray(data);
  for (let i = 0; i < out.length; i++) {
    // The sum of four uniform numbers is nearly normal, with variance 1/3.
    if (i % 4 !== 3) out[i] += (random() + random() + random() + random() - 2) * Math.sqrt(3) * sigma;
  }
  return { width, height, data: out };
}

/** Adds the block artifacts of a lossy file: quantizes the differences from the mean in each block of 8 × 8 pixels. */
export function addBlocks({ width, height, data }: Bitmap, step: number): Bitmap {
  const out = new Uint8ClampedArray(data);
  for (let by = 0; by < height; by += 8) {
    for (let bx = 0; bx < width; bx += 8) {
      for (let c = 0; c < 3; c++) {
        let sum = 0;
        let count = 0;
        for (let y = by; y < Math.min(height, by + 8); y++) {
          for (let x = bx; x < Math.min(width, bx + 8); x++, count++) sum += data[(y * width + x) * 4 + c];
        }
        const mean = Math.round(sum / count);
        for (let y = by; y < Math.min(height, by + 8); y++) {
          for (let x = bx; x < Math.min(width, bx + 8); x++) {
            const i = (y * width + x) * 4 + c;
            out[i] = mean + step * Math.round((data[i] - mean) / step);
          }
        }
      }
    }
  }
  return { width, height, data: out };
}

/** Returns random bytes, with or without alpha. */
export function randomBitmap(random: () => number, width: number, height: number): Bitmap {
  const isOpaque = random() < 0.5;
  const levels = 2 + Math.floor(random() * 254);
  const byte = (): number => Math.floor((Math.floor(random() * levels) * 255) / (levels - 1));
  return paint(width, height, () => [byte(), byte(), byte(), isOpaque ? 255 : byte()]);
}
