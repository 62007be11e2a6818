import { expect, test } from 'vitest';
import { BLACK, draw, paint, photograph, randomBytes, WHITE } from '../../test/raster.ts';
import type { Bitmap } from '../pixels/bitmap.ts';
import { readPixels } from '../pixels/bitmap.ts';
import { isPhotograph } from './photograph.ts';

const look = (bitmap: Bitmap): boolean => isPhotograph(readPixels(bitmap, 'color'));

function addNoise(bitmap: Bitmap, most: number): Bitmap {
  const random = randomBytes(5);
  const data = bitmap.data.map((value, i) => (i % 4 === 3 ? 255 : value + ((random() - 128) * most) / 128));
  return { ...bitmap, data: new Uint8ClampedArray(data) };
}

test('accepts a picture with texture everywhere, at any size', () => {
  expect(look(photograph(200, 150, 1))).toBe(true);
  expect(look(photograph(640, 480, 2))).toBe(true);
});

test('rejects flat art, however noisy', () => {
  const art = draw(240, 200, WHITE, [
    { color: [200, 40, 30, 255], isInside: (x, y) => Math.hypot(x - 80, y - 90) < 60 },
    { color: [30, 60, 180, 255], isInside: (x, y) => Math.abs(x - 170) < 40 && Math.abs(y - 100) < 70 },
    { color: BLACK, isInside: (x, y) => Math.abs(x - y) < 4 },
  ]);
  expect(look(art)).toBe(false);
  expect(look(addNoise(art, 30))).toBe(false);
});

test('rejects smooth ramps, hatching, pictures with clear pixels and pictures that are too small', () => {
  const ramp = paint(256, 200, (x, y) => [x, y, 255 - Math.round((x + y) / 2), 255]);
  expect(look(ramp)).toBe(false);
  expect(look(addNoise(ramp, 12))).toBe(false);
  const hatching = draw(200, 200, WHITE, [{ color: BLACK, isInside: (x, y) => (x + y) % 6 < 3 }]);
  expect(look(hatching)).toBe(false);
  const clear = photograph(200, 150, 1);
  clear.data[3] = 254;
  expect(look(clear)).toBe(false);
  expect(look(photograph(40, 40, 1))).toBe(false);
});

test('accepts pure noise, and rejects halftone screens and art under heavy noise', () => {
  const gray = paint(256, 240, () => [128, 128, 128, 255]);
  expect(look(addNoise(gray, 128))).toBe(true);
  expect(look(addNoise(gray, 12))).toBe(false);
  for (const pitch of [2, 3, 4, 5]) {
    const dot = (k: number): number => Math.cos((k * 2 * Math.PI) / pitch);
    const screen = paint(256, 240, (x, y) => {
      const tone = Math.round(128 + 60 * (dot(x) + dot(y)));
      return [tone, tone, tone, 255];
    });
    expect(look(screen)).toBe(false);
  }
  const halves = paint(256, 240, (x) => (x < 128 ? BLACK : WHITE));
  expect(look(addNoise(halves, 120))).toBe(false);
});
