import { describe, expect, test } from 'vitest';
import { areaOf, type Color, paint, randomBytes, ringsOf } from '../../test/raster.ts';
import type { Bitmap, Drawing } from '../index.ts';
import { vectorize } from '../index.ts';

type Field = (x: number, y: number) => number[];

const WHITE = [255, 255, 255];
const GREEN = [33, 215, 137];
const PURPLE = [110, 80, 250];
const SKY = [120, 170, 255];

function mix(t: number, from: number[], to: number[]): number[] {
  const share = Math.min(1, Math.max(0, t));
  return from.map((value, c) => value + share * (to[c] - value));
}

/** Draws colors, antialiased by 4 × 4 samples. */
function drawColors(width: number, height: number, colorAt: Field): Bitmap {
  return paint(width, height, (px, py): Color => {
    const sum = [0, 0, 0];
    for (let v = 0.125; v < 1; v += 0.25) {
      for (let u = 0.125; u < 1; u += 0.25) {
        const color = colorAt(px + u, py + v);
        for (let c = 0; c < 3; c++) sum[c] += color[c] / 16;
      }
    }
    return [...sum.map(Math.round), 255] as unknown as Color;
  });
}

function addNoise({ width, height, data }: Bitmap, levels: number): Bitmap {
  const random = randomBytes(5);
  return paint(width, height, (x, y): Color => {
    const noisy = [0, 1, 2].map((c) => {
      const noise = (random() + random() + random() + random() - 510) / 148;
      return Math.min(255, Math.max(0, Math.round(data[(y * width + x) * 4 + c] + levels * noise)));
    });
    return [...noisy, 255] as unknown as Color;
  });
}

const spoils: [string, (bitmap: Bitmap) => Bitmap][] = [
  ['clean', (bitmap) => bitmap],
  ['under noise', (bitmap) => addNoise(bitmap, 5)],
];

/** Returns the gradients, each once, and the colors of the shapes that have none. */
function readPaints({ layers }: Drawing): { gradients: number; flats: string[] } {
  const paths = layers.flatMap((layer) => layer.paths);
  const gradients = new Set(paths.flatMap(({ gradient }) => (gradient ? [JSON.stringify(gradient)] : [])));
  return { gradients: gradients.size, flats: paths.flatMap(({ gradient, color }) => (gradient ? [] : [color])) };
}

/** Returns the luma of a color in hexadecimal digits. */
function lumaOf(color: string): number {
  const value = Number.parseInt(color.slice(1), 16);
  return 0.299 * (value >> 16) + 0.587 * ((value >> 8) & 255) + 0.114 * (value & 255);
}

describe.each(spoils)('%s', (_, spoil) => {
  test('areas within strokes have the gradient around them', () => {
    const rings = [
      [80, 80, 40],
      [150, 160, 18],
      [60, 170, 13],
    ];
    const isStroke = (x: number, y: number): boolean =>
      rings.some(([cx, cy, radius]) => Math.abs(Math.hypot(x - cx, y - cy) - radius) < 3.5);
    const bitmap = drawColors(220, 220, (x, y) =>
      isStroke(x, y) ? WHITE : mix((x - y + 220) / 440, [201, 80, 26], [255, 153, 0]),
    );
    const { gradients, flats } = readPaints(vectorize(spoil(bitmap)));
    expect(gradients).toBe(1);
    expect(flats.every((color) => lumaOf(color) > 245)).toBe(true);
  });

  test('shading that fades into the page leaves the page open', () => {
    const bitmap = drawColors(200, 160, (x, y) =>
      Math.hypot(x - 100, y - 80) < 60 ? mix((x - 60) / 90, WHITE, SKY) : WHITE,
    );
    const drawing = vectorize(spoil(bitmap));
    expect(readPaints(drawing)).toEqual({ gradients: 1, flats: [] });
    for (const { ring } of ringsOf(drawing)) {
      for (const { x, y } of ring.segments) expect(Math.hypot(x - 100, y - 80)).toBeLessThan(66);
    }
  });

  test('a page keeps its own white beside shading of nearly the same color', () => {
    const bitmap = drawColors(220, 256, (x, y) => {
      const far = Math.max(Math.abs(x - 110), 0.5 * Math.abs(x - 110) + 0.866 * Math.abs(y - 128));
      if (far > 110) return WHITE;
      return far > 102 ? [165, 6, 14] : mix((y - 60) / 110, [247, 246, 244], [252, 243, 210]);
    });
    const drawing = vectorize(spoil(bitmap));
    const { gradients, flats } = readPaints(drawing);
    expect(gradients).toBe(1);
    expect(flats).toHaveLength(1);
    expect(lumaOf(flats[0])).toBeLessThan(80);
  });
});

test('a hairline does not cut the flat end of a gradient off', () => {
  const isShape = (x: number, y: number): boolean => x > 20 && x < 180 && y > 20 && y < 140;
  // The hairline runs from a corner to the opposite side, as two shapes of one color meet there.
  const toLine = (x: number, y: number): number => (y - 20) * 0.94 - (x - 20) * 0.34;
  const bitmap = drawColors(200, 160, (x, y) => {
    if (!isShape(x, y)) return x > 180 ? [0, 0, 0] : WHITE;
    return mix((60 - y) / 30, Math.abs(toLine(x, y) - 45) < 0.4 ? mix(0.4, GREEN, WHITE) : GREEN, PURPLE);
  });
  const drawing = vectorize(bitmap, { stacking: 'cutouts' });
  const area = ringsOf(drawing)
    .filter(({ color }) => lumaOf(color) > 30 && lumaOf(color) < 250)
    .reduce((sum, { ring }) => sum + Math.abs(areaOf(ring)), 0);
  expect(Math.abs(area / (160 * 120) - 1)).toBeLessThan(0.002);
});
