import { expect, test } from 'vitest';
import { type Color, draw, paint, randomBytes, WHITE } from '../../test/raster.ts';
import { readOptions } from '../options.ts';
import type { Bitmap } from '../pixels/bitmap.ts';
import { readPixels } from '../pixels/bitmap.ts';
import { findPaints, findPalette } from './palette.ts';
import { gatherVotes } from './votes.ts';

/** Degrades a picture like lossy compression: chroma at half the resolution, noise in luma. */
function degrade({ width, height, data }: Bitmap, noise: number): Bitmap {
  const random = randomBytes(5);
  const out = new Uint8ClampedArray(data);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const i = (y * width + x) * 4;
      const lumaAt = (j: number): number => 0.299 * data[j] + 0.587 * data[j + 1] + 0.114 * data[j + 2];
      const luma = lumaAt(i) + ((random() - 127.5) / 127.5) * noise;
      const chroma = [0, 0, 0];
      for (const [v, u] of [
        [0, 0],
        [0, 1],
        [1, 0],
        [1, 1],
      ]) {
        const j = (((y & ~1) + v) * width + (x & ~1) + u) * 4;
        for (let c = 0; c < 3; c++) chroma[c] += (data[j + c] - lumaAt(j)) / 4;
      }
      const cast = ((random() - 127.5) / 127.5) * noise;
      out.set([luma + chroma[0] + cast, luma + chroma[1], luma + chroma[2] - cast], i);
    }
  }
  return { width, height, data: out };
}

function colorsOf(bitmap: Bitmap, noise: number): number[][] {
  const pixels = readPixels(bitmap, 'color');
  const votes = gatherVotes(pixels, noise, 'color');
  const { palette, count } = findPalette(pixels, votes, noise, readOptions({}, bitmap.width, bitmap.height).maxColors);
  return Array.from({ length: count }, (_, k) => [...palette.subarray(k * 4, k * 4 + 3)]);
}

const isNear = (color: number[], [red, green, blue]: Color): boolean =>
  Math.hypot(color[0] - red, color[1] - green, color[2] - blue) < 16;

const disk = (cx: number, cy: number, r: number) => (x: number, y: number) => (x - cx) ** 2 + (y - cy) ** 2 < r * r;

test('keeps the colors of small areas under compression and adds no mixed colors', () => {
  const red: Color = [250, 30, 30, 255];
  const dark: Color = [45, 48, 45, 255];
  const brown: Color = [160, 40, 20, 255];
  const clean = draw(200, 160, WHITE, [
    { color: red, isInside: disk(100, 80, 60) },
    { color: dark, isInside: disk(80, 70, 6.5) },
    { color: dark, isInside: disk(119, 71, 6.5) },
    { color: brown, isInside: (x, y) => Math.abs(x - 100) < 9 && Math.abs(y - 110) < 5.5 },
  ]);
  const colors = colorsOf(degrade(clean, 4), 1.6);
  expect(colors).toHaveLength(4);
  for (const color of [WHITE, red, dark, brown]) expect(colors.some((other) => isNear(other, color))).toBe(true);
});

test('finds no third color between two adjacent colors under compression', () => {
  for (const [a, b] of [
    [
      [217, 0, 40, 255],
      [238, 238, 238, 255],
    ],
    [
      [0, 83, 182, 255],
      [255, 218, 70, 255],
    ],
  ] as [Color, Color][]) {
    const clean = draw(160, 120, a, [{ color: b, isInside: (x, y) => Math.abs(x * 0.6 + y * 0.8 - 90) % 24 < 9.3 }]);
    expect(colorsOf(degrade(clean, 4), 1.6)).toHaveLength(2);
  }
});

/** Adds noise to all channels, and clips it. `sigma` is its deviation in byte levels. */
function addNoise({ width, height, data }: Bitmap, sigma: number): Bitmap {
  const random = randomBytes(7);
  // The sum of four uniform numbers is nearly normal, with variance 1/3.
  const noise = (): number => ((random() + random() + random() + random() - 510) / 255) * Math.sqrt(3) * sigma;
  return { width, height, data: data.map((value, i) => (i % 4 < 3 ? value + noise() : value)) };
}

test('tells pale shades apart that differ by little more than the noise, and keeps colors near white', () => {
  const shades: Color[] = [WHITE, [230, 230, 230, 255], [211, 211, 211, 255], [238, 190, 170, 255], [249, 47, 96, 255]];
  const clean = paint(250, 100, (x, y) => (y < 8 || y > 91 ? WHITE : shades[Math.floor(x / 50)]));
  // Denoising leaves a third of the noise of a scan, while half of it is assumed.
  const scan = addNoise(clean, 2);
  const colors = colorsOf(scan, 3);
  expect(colors).toHaveLength(shades.length);
  for (const [red, green, blue] of shades) {
    expect(colors.some((c) => Math.hypot(c[0] - red, c[1] - green, c[2] - blue) < 2)).toBe(true);
  }
});

test('finds few tones in a smooth ramp under noise', () => {
  const ramp = paint(256, 100, (x) => [80 + x * 0.5, 40 + x * 0.3, 170 + x * 0.3, 255]);
  expect(colorsOf(addNoise(ramp, 2), 3).length).toBeLessThan(7);
});

test('finds the known paints of a picture, and no mix of them', () => {
  const [white, red, green]: Color[] = [
    [255, 255, 255, 255],
    [200, 30, 40, 255],
    [30, 120, 60, 255],
  ];
  // A plateau of a mix lies between both, as where three inks meet.
  const plateau: Color = [115, 75, 50, 255];
  const picture = paint(80, 60, (x, y) => {
    if (y < 10 || y >= 50 || x < 10 || x >= 70) return white;
    return x < 30 ? red : x < 36 ? plateau : green;
  });
  const paints = [white, red, green, [1, 2, 3, 255] as Color].flatMap((color) => color.slice(0, 3));
  const pixels = readPixels(picture, 'color');
  const { palette, count } = findPaints(pixels, paints, 16) ?? { palette: [], count: 0 };
  expect([...palette]).toEqual([white, green, red].flat());
  expect(count).toBe(3);
  expect(findPaints(pixels, paints, 2)).toBeUndefined();
});
