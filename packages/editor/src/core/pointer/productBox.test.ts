import { expect, test } from 'vitest';
import { measureProductBox, type Pixels } from './productBox.ts';

type Color = readonly [red: number, green: number, blue: number, alpha: number];
const clear: Color = [0, 0, 0, 0];
const white: Color = [255, 255, 255, 255];
const slate: Color = [60, 62, 66, 255];

function paint(width: number, height: number, colorAt: (x: number, y: number) => Color): Pixels {
  const data = Array.from({ length: width * height }, (_, index) =>
    colorAt(index % width, Math.floor(index / width)),
  ).flat();
  return { data, width, height };
}

const isInBox = (x: number, y: number) => x >= 20 && x < 60 && y >= 10 && y < 90;
const box = { x: 0.2, y: 0.1, width: 0.4, height: 0.8 };

test('finds a product on a clear background, without its shadow', () => {
  const shadow: Color = [10, 5, 0, 80];
  const pixels = paint(100, 100, (x, y) => (isInBox(x, y) ? slate : y >= 90 && y < 95 ? shadow : clear));
  expect(measureProductBox(pixels)).toEqual(box);
});

test('finds a product before an even background, and takes noise for background', () => {
  const pixels = paint(100, 100, (x, y) => (isInBox(x, y) ? slate : x % 7 === 3 ? [250, 248, 251, 255] : white));
  expect(measureProductBox(pixels)).toEqual(box);
});

test('takes the whole of a photograph that fills the picture', () => {
  const whole = { x: 0, y: 0, width: 1, height: 1 };
  expect(measureProductBox(paint(40, 30, (x) => [x * 6, 100, 100, 255]))).toEqual(whole);
  expect(measureProductBox(paint(40, 30, () => white))).toEqual(whole);
  expect(measureProductBox(paint(40, 30, () => clear))).toEqual(whole);
});
