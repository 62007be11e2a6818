import { expect, test } from 'vitest';
import { needsCutout } from './engraving.ts';

type Color = readonly [number, number, number, number?];
const picture = (colorAt: (x: number, y: number) => Color) => {
  const [width, height] = [120, 90];
  const data = new Uint8Array(4 * width * height);
  for (let i = 0; i < width * height; i++) {
    const [red, green, blue, alpha = 255] = colorAt(i % width, Math.floor(i / width));
    data.set([red, green, blue, alpha], 4 * i);
  }
  return { width, height, data };
};
const isInside = (x: number, y: number) => Math.hypot(x - 60, y - 45) < 30;
/** Returns the color of a shaded thing, as in a photograph. */
const thing = (x: number, y: number): Color => [(x * 7) % 256, (y * 5) % 256, (x * y) % 256];
const logo: Color = [200, 16, 46];
const scene = (x: number, y: number): Color => [(x * 37 + y * 11) % 256, (x * y * 13) % 256, (y * 29) % 256];

test.each<[string, boolean, (x: number, y: number) => Color]>([
  ['a photograph with a scene behind it', true, (x, y) => (isInside(x, y) ? thing(x, y) : scene(x, y))],
  ['a thing on gray paper', true, (x, y) => (isInside(x, y) ? thing(x, y) : [120, 120, 120])],
  ['a thing on white', false, (x, y) => (isInside(x, y) ? thing(x, y) : [250, 250, 250])],
  ['a logo on white', false, (x, y) => (isInside(x, y) ? logo : [255, 255, 255])],
  ['a logo on blue', false, (x, y) => (isInside(x, y) ? logo : [20, 60, 160])],
  ['a scene with a clear border', false, (x, y) => (isInside(x, y) ? scene(x, y) : [0, 0, 0, 0])],
])('%s: %s', (_name, expected, colorAt) => {
  expect(needsCutout(picture(colorAt))).toBe(expected);
});
