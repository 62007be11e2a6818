/** The pictures of the benchmark: vector originals under open licenses, and the inputs that are made of them. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Bitmap } from '../src/index.ts';
import { createGenerator } from '../test/random.ts';
import { setWord } from './glyphs.ts';
import { render, toBitmap } from './metrics.ts';

const require = createRequire(import.meta.url);

/** Longer side of the traced pictures, in px. */
export const SIDE = 512;

export type Kind = 'clip' | 'logo' | 'silhouette' | 'line' | 'lettering' | 'gradient' | 'photo' | 'curves';

export interface Art {
  name: string;
  kind: Kind;
  /** Set and license. */
  source: string;
  svg: string;
  /** Width of the SVG in its own units. */
  unitsWide: number;
  /** Pixels of the picture to trace. */
  width: number;
}

const SETS = {
  'fluent-emoji-flat': 'Fluent Emoji, MIT',
  logos: 'SVG Logos, CC0',
  'game-icons': 'game-icons.net (Delapouite, Lorc and others), CC BY 3.0',
  lucide: 'Lucide, ISC',
} as const;

const ICONS: [keyof typeof SETS, Kind, string[]][] = [
  ['fluent-emoji-flat', 'clip', ['owl', 'castle', 'parrot', 'cupcake']],
  ['logos', 'logo', ['figma', 'google-maps', 'dribbble-icon', 'stackoverflow-icon']],
  ['game-icons', 'silhouette', ['hummingbird', 'rose', 'bee']],
  ['lucide', 'line', ['bike', 'feather', 'rabbit']],
  ['logos', 'gradient', ['messenger', 'microsoft-edge', 'python']],
];

/** Loads all pictures, in a fixed order. */
export function loadArt(): Art[] {
  const art: Art[] = [];
  for (const [set, kind, names] of ICONS) {
    const {
      icons,
      width: usual = 16,
      height: usualHeight = 16,
    } = JSON.parse(readFileSync(require.resolve(`@iconify-json/${set}/icons.json`), 'utf8')) as IconSet;
    for (const name of names) {
      const { body, width = usual, height = usualHeight } = icons[name];
      art.push(toArt(name, kind, SETS[set], body.replaceAll('currentColor', '#000'), width, height));
    }
  }
  art.push(setLine('playfair-display', 'Quay & Finch', '#1d2b53'));
  art.push(setLine('rye', 'Old Mill', '#7a1f1f'));
  return art;
}

interface IconSet {
  icons: Record<string, { body: string; width?: number; height?: number }>;
  width?: number;
  height?: number;
}

/**
 * Wraps the body of an SVG. The view is widened by less than a pixel, so that the picture is a whole number of pixels
 * wide and high.
 */
export function toArt(name: string, kind: Kind, source: string, body: string, width: number, height: number): Art {
  const scale = SIDE / Math.max(width, height);
  const [pixelsWide, pixelsHigh] = [Math.ceil(width * scale), Math.ceil(height * scale)];
  const unitsWide = pixelsWide / scale;
  const view = `0 0 ${unitsWide} ${pixelsHigh / scale}`;
  const size = `width="${pixelsWide}" height="${pixelsHigh}"`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" ${size} viewBox="${view}">${body}</svg>`;
  return { name, kind, source, svg, unitsWide, width: pixelsWide };
}

/** Returns a picture of a line of text as outlines, in one of the open fonts of this repository. */
function setLine(font: string, text: string, color: string): Art {
  const { body, width, height } = setWord(font, text);
  return toArt(font, 'lettering', `${font}, OFL`, `<g fill="${color}">${body}</g>`, width, height);
}

export const VARIANTS = ['clean', 'scan', 'jpeg'] as const;
export type Variant = (typeof VARIANTS)[number];

/**
 * Renders the input of a tracer: `clean` is antialiased on white, `scan` is blurred and noisy, `jpeg` was saved at
 * quality 60 with halved chroma.
 */
export async function makeInput(art: Art, variant: Variant, width = art.width): Promise<Bitmap> {
  const clean = toBitmap(render(art.svg, width));
  if (variant === 'scan') return scan(clean);
  if (variant === 'jpeg') return saveLossy(clean, 60);
  return clean;
}

/** Returns random bytes, which no tracer can draw and none should spend long on. */
export function makeNoise(width: number, height: number): Bitmap {
  const random = randomFrom(20261121);
  const data = new Uint8ClampedArray(width * height * 4);
  for (let i = 0; i < data.length; i++) data[i] = i % 4 === 3 ? 255 : random() * 256;
  return { width, height, data };
}

async function saveLossy({ width, height, data }: Bitmap, quality: number): Promise<Bitmap> {
  const { default: sharp } = await import('sharp');
  const raw = { raw: { width, height, channels: 4 as const } };
  const file = await sharp(data, raw).removeAlpha().jpeg({ quality, chromaSubsampling: '4:2:0' }).toBuffer();
  const bytes = await sharp(file).ensureAlpha().raw().toBuffer();
  return { width, height, data: new Uint8ClampedArray(bytes) };
}

/** Blurs a bitmap by 0.8 px, then adds noise of six levels. */
function scan(bitmap: Bitmap): Bitmap {
  const { width, height } = bitmap;
  const data = blur(bitmap, 0.8);
  const random = randomFrom(20261121);
  for (let i = 0; i < data.length; i++) {
    // The sum of four uniform numbers is nearly normal, with variance 1/3.
    if (i % 4 !== 3) data[i] += (random() + random() + random() + random() - 2) * Math.sqrt(3) * 6;
  }
  return { width, height, data };
}

function blur({ width, height, data }: Bitmap, sigma: number): Uint8ClampedArray {
  const reach = Math.ceil(3 * sigma);
  const kernel = Float64Array.from({ length: 2 * reach + 1 }, (_, k) => Math.exp(-((k - reach) ** 2) / 2 / sigma ** 2));
  const total = kernel.reduce((sum, weight) => sum + weight, 0);
  const pass = (from: ArrayLike<number>, step: number, size: number, at: (i: number) => number): Float64Array =>
    Float64Array.from(from, (_, i) => {
      const here = at(i >> 2);
      let sum = 0;
      for (let k = -reach; k <= reach; k++) {
        const to = Math.min(size - 1, Math.max(0, here + k));
        sum += kernel[k + reach] * from[i + (to - here) * step * 4];
      }
      return sum / total;
    });
  const rows = pass(data, 1, width, (pixel) => pixel % width);
  return Uint8ClampedArray.from(pass(rows, width, height, (pixel) => Math.floor(pixel / width)));
}

/** Returns a seeded generator of numbers 0 ≤ r < 1. */
export function randomFrom(seed: number): () => number {
  const next = createGenerator(seed);
  return () => (next() >>> 8) / 0x1000000;
}

/** Draws a synthetic photograph: dunes under a sky, with soft light, fine grain and a sun. */
export function drawPhoto(width = SIDE, height = Math.round(SIDE * 0.75)): Bitmap {
  const random = randomFrom(7);
  const knots = Float64Array.from({ length: 64 * 64 }, random);
  const noise = (x: number, y: number): number => {
    const [i, j] = [Math.floor(x), Math.floor(y)];
    const ease = (t: number): number => t * t * (3 - 2 * t);
    const [u, v] = [ease(x - i), ease(y - j)];
    const at = (p: number, q: number): number => knots[((q & 63) << 6) | (p & 63)];
    const above = at(i, j) * (1 - u) + at(i + 1, j) * u;
    return above * (1 - v) + (at(i, j + 1) * (1 - u) + at(i + 1, j + 1) * u) * v;
  };
  const fractal = (x: number, y: number): number =>
    0.5 * noise(x, y) + 0.25 * noise(2 * x, 2 * y) + 0.125 * noise(4 * x, 4 * y) + 0.06 * noise(8 * x, 8 * y);
  const data = new Uint8ClampedArray(width * height * 4);
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i += 4) {
      const [u, v] = [x / width, y / height];
      const sun = Math.hypot(u - 0.72, (v - 0.24) * 0.75);
      const glow = Math.exp(-8 * sun) * 120 + (sun < 0.055 ? 90 : 0);
      const cloud = 70 * Math.max(0, fractal(5 * u, 14 * v) - 0.42);
      let color = [96 + 110 * v + glow + cloud, 140 + 70 * v + 0.8 * glow + cloud, 200 + 0.4 * glow + cloud];
      for (let layer = 0; layer < 4; layer++) {
        const crest = 0.45 + 0.13 * layer + 0.16 * (fractal(2.2 * u + 9 * layer, layer + 0.5) - 0.45);
        if (v < crest) continue;
        const slope = fractal(2.2 * u + 9 * layer + 0.02, layer + 0.5) - fractal(2.2 * u + 9 * layer, layer + 0.5);
        const light = 0.72 + 10 * slope + 0.25 * Math.exp(-14 * (v - crest)) - 0.1 * layer;
        const ripple = 12 * Math.sin(90 * (v - crest) + 22 * fractal(6 * u, 6 * v + layer));
        color = [(228 + ripple) * light, (170 + ripple) * light, (112 + ripple) * light];
      }
      const grain = (random() + random() - 1) * 8;
      for (let c = 0; c < 3; c++) data[i + c] = color[c] + grain;
      data[i + 3] = 255;
    }
  }
  return { width, height, data };
}
