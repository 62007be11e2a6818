import { describe, expect, test } from 'vitest';
import { errorOf, makeMixes } from '../../test/flats.ts';
import { blurBy } from './cover.ts';
import { deblur } from './deblur.ts';
import type { Mixes } from './mixes.ts';

const [WIDTH, HEIGHT] = [120, 60];
/** Weights of a Gaussian blur of 1.1 px, from the middle outward. */
const KERNEL = [0, 1, 2, 3, 4].map((k) => Math.exp(-0.5 * (k / 1.1) ** 2) / 2.757);

/** Returns ink on paper whose cover at each pixel is the mean of a shape over it. */
function coverOf(isInk: (x: number, y: number) => boolean): Float32Array {
  return Float32Array.from({ length: WIDTH * HEIGHT }, (_, p) => {
    let sum = 0;
    for (let k = 0; k < 64; k++) {
      if (isInk((p % WIDTH) + ((k % 8) + 0.5) / 8, Math.floor(p / WIDTH) + (Math.floor(k / 8) + 0.5) / 8)) sum++;
    }
    return sum / 64;
  });
}

const mixesOf = (cover: Float32Array): Mixes => makeMixes(WIDTH, HEIGHT, cover);

/** A block beside a comb of strokes of 2 px with gaps of 2 px. */
const comb = coverOf(
  (x, y) => y > 10 && y < 50 && ((x > 10.3 && x < 40.3) || (x > 60.6 && x < 100.6 && (x - 60.6) % 4 < 2)),
);

describe('deblur', () => {
  test('parts strokes that blur runs into each other', () => {
    const haze = blurBy(KERNEL, comb, WIDTH, HEIGHT);
    const mixes = mixesOf(haze);
    deblur(mixes);
    expect(errorOf(mixes.share, comb)).toBeLessThan(0.6 * errorOf(haze, comb));
  });

  test('leaves an edge that stands alone where it is', () => {
    const mixes = mixesOf(blurBy(KERNEL, comb, WIDTH, HEIGHT));
    deblur(mixes);
    const row = mixes.share.subarray(30 * WIDTH, 31 * WIDTH);
    const sum = row.slice(3, 25).reduce((total, value) => total + value, 0);
    expect(Math.abs(sum - (25 - 10.3))).toBeLessThan(0.1);
    expect(row[9]).toBeLessThan(0.5);
    expect(row[10]).toBeGreaterThan(0.5);
  });

  test('keeps an ink whole on which a glare and noise lie', () => {
    const noisy = comb.map((value, p) => value * (p % WIDTH < 45 ? 0.84 + 0.03 * Math.sin(p * 12.9898) : 1));
    const mixes = mixesOf(blurBy([1], noisy, WIDTH, HEIGHT));
    deblur(mixes);
    let least = 1;
    for (let y = 18; y < 42; y++) for (let x = 18; x < 33; x++) least = Math.min(least, mixes.share[y * WIDTH + x]);
    expect(least).toBeGreaterThan(0.75);
  });

  test('leaves a picture alone that no blur is on', () => {
    const mixes = mixesOf(comb);
    deblur(mixes);
    expect(errorOf(mixes.share, comb)).toBe(0);
  });
});
