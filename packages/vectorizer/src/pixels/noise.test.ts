import { expect, test } from 'vitest';
import { randomBytes } from '../../test/raster.ts';
import { estimateNoise, type Noise } from './noise.ts';

const WIDTH = 120;
const HEIGHT = 100;

/** Measures upright edges every 24 px: of 20 rows, some ring by many levels beside them, and some by a single one. */
function measure(loudRows: number, faintRows: number): Noise {
  const data = new Uint8ClampedArray(WIDTH * HEIGHT * 4).fill(255);
  for (let y = 0, i = 0; y < HEIGHT; y++) {
    for (let x = 0; x < WIDTH; x++, i += 4) {
      const isBeside = x % 24 < 10;
      const loud = isBeside && y % 20 < loudRows ? 4 * (x % 2 ? 1 : -1) : 0;
      const faint = isBeside && y % 20 >= 20 - faintRows ? (x >> 1) % 2 : 0;
      for (let c = 0; c < 3; c++) data[i + c] = (x % 48 < 24 ? 60 : 200) + loud + faint;
    }
  }
  return estimateNoise({ width: WIDTH, height: HEIGHT, data, opaque: true });
}

test('finds the ringing of compression, also where it is faint beside most edges', () => {
  for (const [loud, faint] of [
    [20, 0],
    [8, 0],
    [4, 6],
  ]) {
    const { isLossy, noise } = measure(loud, faint);
    expect(isLossy).toBe(true);
    expect(noise).toBeGreaterThan(0.3);
  }
});

test('takes flat edges, and those that are off by a single level, for no ringing', () => {
  expect(measure(0, 0)).toEqual({ noise: 0, isLossy: false, spread: 0 });
  expect(measure(0, 10).isLossy).toBe(false);
});

test('finds the ringing of compression where no more than one edge in seven rings', () => {
  const data = new Uint8ClampedArray(WIDTH * HEIGHT * 4).fill(255);
  const random = randomBytes(11);
  for (let y = 0, i = 0; y < HEIGHT; y++) {
    for (let x = 0; x < WIDTH; x++, i += 4) {
      const ring = x % 24 < 10 && y % 20 < 3 ? Math.round(random() / 85 - 1.5) : 0;
      for (let c = 0; c < 3; c++) data[i + c] = (x % 48 < 24 ? 60 : 200) + ring;
    }
  }
  const { isLossy, noise } = estimateNoise({ width: WIDTH, height: HEIGHT, data, opaque: true });
  expect(isLossy).toBe(true);
  expect(noise).toBeGreaterThan(0.5);
});
