import { describe, expect, test } from 'vitest';
import { errorOf, makeMixes, randomAt } from '../../test/flats.ts';
import { smoothEdges } from './smoothEdges.ts';

const [WIDTH, HEIGHT] = [120, 90];

/** Returns ink on paper whose cover falls from 1 to 0 over 2 px around where a signed distance is 0. */
const coverOf = (distance: (x: number, y: number) => number): Float32Array =>
  Float32Array.from({ length: WIDTH * HEIGHT }, (_, p) =>
    Math.max(0, Math.min(1, 0.5 + distance(p % WIDTH, Math.floor(p / WIDTH)) / 2)),
  );

/** Adds noise to what is neither ink nor paper. */
const addNoise = (cover: Float32Array): Float32Array =>
  cover.map((value, p) => (value === 0 || value === 1 ? value : value + 0.3 * (randomAt(p) - 0.5)));

function smooth(cover: Float32Array): Float32Array {
  const mixes = makeMixes(WIDTH, HEIGHT, cover);
  smoothEdges(mixes);
  return mixes.share;
}

const largestChange = (a: Float32Array, b: Float32Array): number =>
  a.reduce((most, value, p) => Math.max(most, Math.abs(value - b[p])), 0);

const slope = coverOf((x, y) => 0.8 * (x - 55) + 0.6 * (y - 40));
const disk = coverOf((x, y) => 22.3 - Math.hypot(x - 58.2, y - 44.7));
const stroke = coverOf((x, y) => 1.4 - Math.abs(0.6 * (x - 55) - 0.8 * (y - 40)));
const square = coverOf((x, y) => 24 - Math.max(Math.abs(x - 60), Math.abs(y - 45)));

describe('smoothEdges', () => {
  test.each([
    ['a straight edge', slope],
    ['a circle', disk],
    ['a thin stroke', stroke],
  ])('takes a quarter of the noise from %s at least', (_, clean) => {
    const noisy = addNoise(clean);
    expect(errorOf(smooth(noisy), clean)).toBeLessThan(0.75 * errorOf(noisy, clean));
  });

  test.each([
    ['a straight edge', slope],
    ['a circle', disk],
    ['a thin stroke', stroke],
  ])('leaves %s without noise where it is', (_, clean) => {
    expect(largestChange(smooth(clean), clean)).toBeLessThan(0.02);
  });

  test('keeps the corners of a square', () => {
    const corner = (a: Float32Array): number => a[21 * WIDTH + 36] + a[22 * WIDTH + 37];
    expect(corner(smooth(addNoise(square)))).toBeGreaterThan(0.75 * corner(addNoise(square)));
  });

  test('leaves an empty picture alone', () => {
    expect(largestChange(smooth(new Float32Array(WIDTH * HEIGHT)), new Float32Array(WIDTH * HEIGHT))).toBe(0);
  });
});
