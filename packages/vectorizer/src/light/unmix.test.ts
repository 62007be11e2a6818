import { describe, expect, test } from 'vitest';
import { makeFlat, makeInks, mix, type Rgb, randomAt } from '../../test/flats.ts';
import { toLinear } from './cells.ts';
import { coverOf } from './cover.ts';
import { type Flat, toByte } from './flatten.ts';
import { findInks } from './inks.ts';
import { unmix } from './unmix.ts';

const [WIDTH, HEIGHT] = [120, 80];

/** Returns the byte of a mix of the light of two bytes, with a share of the second. */
const blend = (a: number, b: number, share: number): number =>
  toByte(toLinear(a) + share * (toLinear(b) - toLinear(a)));
const coverIn = (flat: Flat): Float32Array => coverOf(unmix(flat, findInks(flat)));
const KRAFT: Rgb = [230, 180, 128];

describe('unmix', () => {
  test('finds no gap in the dark rim that compression leaves within an ink', () => {
    // The colors of a camera's picture across the edge of a pink bar, from paper to ink.
    const edge: Rgb[] = [KRAFT, [237, 176, 135], [240, 166, 139], [240, 151, 138], [234, 130, 132], [231, 112, 129]];
    const ink: Rgb[] = [...edge, [236, 103, 134], [243, 100, 141], [249, 97, 146]];
    const flat = makeFlat(
      WIDTH,
      HEIGHT,
      KRAFT,
      (_, y) => ink[Math.max(0, Math.min(ink.length - 1, Math.min(y - 20, 60 - y)))],
    );
    const cover = coverIn(flat);
    for (let y = 25; y <= 55; y++) expect(cover[y * WIDTH + 60]).toBeGreaterThan(0.8);
  });

  test('tells a stroke from the grain of paper that has its lightness by hue', () => {
    const pale: Rgb = [244, 158, 43];
    // Grain darkens every third row; the stroke is 5 px wide, with blurred sides.
    const flat = makeFlat(WIDTH, HEIGHT, KRAFT, (x, y) => {
      const share = Math.max(0, Math.min(1, (3.5 - Math.abs(x - 60)) / 2));
      return mix([0, 0, 0], mix(KRAFT, pale, share), y % 3 ? 1 : 0.95);
    });
    const cover = coverOf(unmix(flat, makeInks(KRAFT, pale)));
    const widths = Array.from({ length: 60 }, (_, k) => {
      const row = cover.subarray((k + 10) * WIDTH + 40, (k + 10) * WIDTH + 80);
      return row.reduce((sum, value) => sum + value, 0);
    });
    expect(Math.max(...widths) - Math.min(...widths)).toBeLessThan(0.6);
  });

  test('takes the deep streaks of a black marker for black, though another ink is darker than its usual tone', () => {
    const [paper, gray, purple]: Rgb[] = [
      [231, 231, 231],
      [99, 97, 99],
      [104, 55, 129],
    ];
    const flat = makeFlat(WIDTH, HEIGHT, paper, (x, y) => {
      if (y < 10 || y >= 70 || (y >= 50 && y < 60)) return paper;
      if (y >= 60) return purple;
      return x % 12 < 4 ? mix([0, 0, 0], gray, 0.2 + 0.6 * randomAt(y * WIDTH + x)) : gray;
    });
    const { first, second, share, strange } = unmix(flat, makeInks(paper, gray, purple));
    for (let p = 14 * WIDTH; p < 46 * WIDTH; p++) expect(share[p] < 0.5 ? second[p] : first[p]).toBe(1);
    expect(strange).toBeLessThan(0.01);
  });

  test('finds no gap in the pale parts of thin strokes where the ink is uneven in broad shapes', () => {
    const [paper, black]: Rgb[] = [
      [231, 231, 231],
      [50, 45, 42],
    ];
    const isBar = (y: number): boolean => y >= 48 && y < 76 && y % 10 < 8;
    const isInk = (x: number, y: number): boolean => x >= 10 && x < 110 && ((y >= 6 && y < 40) || isBar(y));
    const flat = makeFlat(WIDTH, HEIGHT, paper, (x, y) => {
      if (!isInk(x, y)) return paper;
      const isWithin = isInk(x, y - 2) && isInk(x, y + 2);
      return isWithin ? mix(black, paper, 0.38 * Math.max(0, Math.sin(x / 4))) : black;
    });
    const cover = coverOf(unmix(flat, makeInks(paper, black)));
    for (let p = 52 * WIDTH; p < 68 * WIDTH; p++) {
      const [x, y] = [p % WIDTH, Math.floor(p / WIDTH)];
      if (isInk(x - 1, y - 1) && isInk(x + 1, y + 1)) expect(cover[p]).toBeGreaterThan(0.5);
    }
  });

  test.each([0.4, 0.5, 0.6])('keeps a disk whole up to its edge, on which a glare of %f lies', (strength) => {
    const [paper, blue, lamp]: Rgb[] = [
      [231, 190, 142],
      [40, 70, 170],
      [235, 235, 240],
    ];
    const [middle, radius] = [{ x: 59.6, y: 39.3 }, 30];
    const flat = makeFlat(WIDTH, HEIGHT, paper, (x, y) => {
      const far = Math.hypot(x - middle.x, y - middle.y);
      const glare = strength * Math.exp(-((Math.hypot(x - middle.x - 20, y - middle.y) / 16) ** 2));
      return mix(mix(blue, lamp, glare), paper, Math.max(0, Math.min(1, (far - radius) / 4 + 0.5)));
    });
    const cover = coverOf(unmix(flat, makeInks(paper, blue)));
    for (let p = 0; p < cover.length; p++) {
      const far = Math.hypot((p % WIDTH) - middle.x, Math.floor(p / WIDTH) - middle.y);
      if (far < radius - 1.5) expect(cover[p]).toBeGreaterThan(0.9);
      if (far > radius + 1.5) expect(cover[p]).toBeLessThan(0.5);
    }
  });

  test('finds no paper between two inks whose mixes have its color', () => {
    const [wood, green, orange]: Rgb[] = [
      [196, 168, 100],
      [80, 150, 95],
      [255, 178, 80],
    ];
    // Grain moves the mixes toward paper.
    const flat = makeFlat(WIDTH, HEIGHT, wood, (x, y) => {
      if (y < 10 || y >= 70 || x < 20 || x >= 100) return wood;
      const share = Math.max(0, Math.min(1, 0.5 + (60.3 - x) / 3));
      const [red, greenish, blue] = green.map((byte, c) => blend(byte, orange[c], share));
      return mix([red, greenish, blue], wood, share * (1 - share));
    });
    const { first, second, share } = unmix(flat, makeInks(wood, green, orange));
    for (let y = 20; y < 60; y++) {
      for (let p = y * WIDTH + 25; p < y * WIDTH + 95; p++)
        expect(share[p] < 0.5 ? second[p] : first[p]).toBeGreaterThan(0);
    }
  });

  test('finds one ink in a thin stroke whose hue a file has kept for blocks of pixels and spread', () => {
    const [paper, red, pink]: Rgb[] = [
      [231, 231, 231],
      [172, 42, 36],
      [200, 80, 122],
    ];
    const luminanceOf = ([r, g, b]: Rgb): number => 0.2126 * r + 0.7152 * g + 0.0722 * b;
    const flat = makeFlat(WIDTH, HEIGHT, paper, (x, y) => {
      if (y < 30) return y >= 5 && x >= 10 && x < 110 ? red : paper;
      if (x < 10 || x >= 110) return paper;
      const cover = Math.max(0, 0.75 - 0.3 * Math.abs(y - 50));
      const own = mix(paper, pink, cover);
      // A part of the hue is lost, and blocks are off by turns.
      const hue = mix(own, [luminanceOf(own), luminanceOf(own), luminanceOf(own)], 0.3);
      const off = cover > 0 ? (Math.floor(x / 8) % 2 ? 14 : -14) : 0;
      return [hue[0] + off / 2, hue[1], hue[2] - off];
    });
    const { first, second, share } = unmix(flat, makeInks(paper, red, pink));
    for (let p = 50 * WIDTH + 10; p < 50 * WIDTH + 110; p++) expect(share[p] < 0.5 ? second[p] : first[p]).toBe(2);
  });
});
