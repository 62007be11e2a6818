import { describe, expect, test } from 'vitest';
import { coverOf } from './cover.ts';
import type { Flat } from './flatten.ts';
import { findInks } from './inks.ts';
import { unmix } from './unmix.ts';

type Rgb = readonly [number, number, number];
const [WIDTH, HEIGHT] = [120, 80];

/** Returns a flat picture of a color for each pixel. */
function makeFlat(paper: Rgb, colorAt: (x: number, y: number) => Rgb): Flat {
  const data = new Uint8ClampedArray(WIDTH * HEIGHT * 4).fill(255);
  for (let p = 0; p < WIDTH * HEIGHT; p++) data.set(colorAt(p % WIDTH, Math.floor(p / WIDTH)), p * 4);
  return { width: WIDTH, height: HEIGHT, data, paper, grain: 0.6, noise: 0.6 };
}

const coverIn = (flat: Flat): Float32Array => coverOf(unmix(flat, findInks(flat)));
const KRAFT: Rgb = [230, 180, 128];

describe('unmix', () => {
  test('finds no gap in the dark rim that compression leaves within an ink', () => {
    // What a camera gave for the edge of a pink bar, from the paper inward.
    const edge: Rgb[] = [KRAFT, [237, 176, 135], [240, 166, 139], [240, 151, 138], [234, 130, 132], [231, 112, 129]];
    const ink: Rgb[] = [...edge, [236, 103, 134], [243, 100, 141], [249, 97, 146]];
    const flat = makeFlat(KRAFT, (_, y) => ink[Math.max(0, Math.min(ink.length - 1, Math.min(y - 20, 60 - y)))]);
    const cover = coverIn(flat);
    for (let y = 25; y <= 55; y++) expect(cover[y * WIDTH + 60]).toBeGreaterThan(0.8);
  });

  test('tells ink from grain of its own lightness by hue', () => {
    const pale: Rgb = [244, 158, 43];
    // Grain darkens every third row, by a third of what the ink differs in luminance.
    const flat = makeFlat(KRAFT, (x, y) => {
      const share = Math.max(0, Math.min(1, (x - 58) / 4));
      const tone = y % 3 ? 1 : 0.97;
      return KRAFT.map((byte, c) => Math.round(tone * (byte + share * (pale[c] - byte)))) as unknown as Rgb;
    });
    const cover = coverIn(flat);
    const edges = Array.from({ length: 60 }, (_, k) => {
      const row = cover.subarray((k + 10) * WIDTH + 40, (k + 10) * WIDTH + 80);
      return row.reduce((sum, value) => sum + value, 0);
    });
    expect(Math.max(...edges) - Math.min(...edges)).toBeLessThan(0.6);
  });
});
