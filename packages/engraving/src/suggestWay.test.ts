import { expect, test } from 'vitest';
import { type Picture, suggestWay } from './index.ts';

type Rgba = readonly [number, number, number, number];
const paint = (width: number, height: number, at: (x: number, y: number) => Rgba): Picture => {
  const data = new Uint8Array(4 * width * height);
  for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) data.set(at(x, y), 4 * (y * width + x));
  return { width, height, data };
};
const white: Rgba = [255, 255, 255, 255];
const ink: Rgba = [20, 20, 40, 255];

const photograph = paint(300, 200, (x, y) => {
  const light = 128 + 60 * Math.sin(x / 23 + y / 51) + 50 * Math.sin(y / 17) + 12 * Math.sin(7 * x + 13 * y);
  return [light, 0.8 * light, 0.6 * light, 255];
});

test.each([
  ['a photograph', photograph, 'photo', 'photograph'],
  [
    'a cut-out photograph',
    { ...photograph, data: photograph.data.map((value, i) => (i % 4 === 3 && (i >> 2) % 300 < 90 ? 0 : value)) },
    'photo',
    'photograph',
  ],
  ['a disk', paint(300, 300, (x, y) => (Math.hypot(x - 150, y - 150) < 90 ? ink : white)), 'silhouette', 'shape'],
  [
    'a flag',
    paint(300, 200, (x, y) => (x < 20 || y < 20 || x > 280 || y > 180 ? white : x < 150 ? ink : [240, 200, 40, 255])),
    'tones',
    'flatColor',
  ],
  [
    'rings of thin lines',
    paint(400, 400, (x, y) => {
      const distance = Math.hypot(x - 200, y - 200);
      return distance < 180 && distance % 20 < 2 ? ink : white;
    }),
    'lineArt',
    'lineArt',
  ],
  [
    'letters',
    paint(400, 200, (x, y) => {
      const isLetter = (y > 40 && y < 90) || (y > 110 && y < 160);
      return isLetter && x > 30 && x < 370 && x % 34 < 20 && !(x % 34 > 7 && x % 34 < 13 && y % 70 > 45) ? ink : white;
    }),
    'silhouette',
    'lettering',
  ],
  ['nothing', paint(50, 50, () => white), 'silhouette', 'empty'],
  ['nothing but clear pixels', paint(50, 50, () => [0, 0, 0, 0]), 'silhouette', 'empty'],
  ['one pixel', paint(1, 1, () => ink), 'silhouette', 'empty'],
] as const)('suggests for %s', (_, picture, way, kind) => {
  const suggestion = suggestWay(picture, 'walnut');
  expect(suggestion).toMatchObject({ way, kind });
  expect(suggestion.reason).toMatch(/^[A-Z].*\.$/);
});

test('suggests larger dots for a photograph on cloth', () => {
  expect(suggestWay(photograph, 'cotton').way).toBe('tones');
});

test('sees a picture of another size alike', () => {
  const large = paint(1200, 800, (x, y) => {
    const i = 4 * ((y >> 2) * 300 + (x >> 2));
    return [photograph.data[i], photograph.data[i + 1], photograph.data[i + 2], 255];
  });
  expect(suggestWay(large, 'slate').way).toBe('photo');
});
