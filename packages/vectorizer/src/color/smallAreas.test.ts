import { expect, test } from 'vitest';
import { BLACK, type Color, paint, randomBytes, WHITE } from '../../test/raster.ts';
import type { Bitmap } from '../pixels/bitmap.ts';
import { readPixels } from '../pixels/bitmap.ts';
import { quantize } from './labels.ts';
import { addSmallAreas } from './smallAreas.ts';
import { classifyPixels } from './votes.ts';

const NOISE = 1;
const SKIN: Color = [238, 190, 170, 255];
const BROWN: Color = [126, 69, 51, 255];
const RED: Color = [220, 30, 40, 255];

/** Returns the colors that are added to a palette of those given. */
function addedTo(colors: Color[], bitmap: Bitmap, maxColors = 64): number[][] {
  const random = randomBytes(3);
  const data = bitmap.data.map((value, i) => (i % 4 < 3 ? value + ((random() - 127.5) / 127.5) * NOISE : value));
  const pixels = readPixels({ ...bitmap, data }, 'color');
  const palette = { palette: Float64Array.from(colors.flat()), count: colors.length, clear: -1 };
  const labelMap = quantize(pixels, classifyPixels(pixels, NOISE), palette, NOISE);
  const more = addSmallAreas(pixels, labelMap, NOISE, maxColors);
  return Array.from({ length: more.count - colors.length }, (_, k) => {
    return [...more.palette.subarray(4 * (colors.length + k), 4 * (colors.length + k) + 3)];
  });
}

/** A face with an eye: white around a ring of a color around black. */
const face = (ring: Color, cx = 60): Bitmap =>
  paint(120, 100, (x, y) => {
    const far = Math.hypot(x - cx, y - 50);
    return far < 5 ? BLACK : far < 10 ? ring : far < 18 ? WHITE : y < 15 ? BLACK : SKIN;
  });

test('adds the color of an area that is no blend of what lies beside it', () => {
  const [color, ...others] = addedTo([SKIN, WHITE, BLACK], face(BROWN));
  expect(others).toEqual([]);
  for (const c of [0, 1, 2]) expect(Math.abs(color[c] - BROWN[c])).toBeLessThan(3);
});

test('adds no more colors than there is room for', () => {
  expect(addedTo([SKIN, WHITE, BLACK], face(BROWN), 3)).toEqual([]);
});

test('adds no color that is near one of the palette', () => {
  expect(addedTo([SKIN, WHITE, BLACK, [122, 74, 58, 255]], face(BROWN))).toEqual([]);
});

test('adds no color for rims whose chroma lags behind their luma', () => {
  // At the lower side of each bar, three rows have the luma of the bar and half of its chroma.
  const luma = 0.299 * RED[0] + 0.587 * RED[1] + 0.114 * RED[2];
  const rim = RED.map((value, c) => (c < 3 ? luma + 0.5 * (value - luma) : 255)) as unknown as Color;
  const bars = paint(120, 100, (x, y) => {
    if (x < 20 || x > 100 || y % 25 < 8) return WHITE;
    return y % 25 > 19 ? rim : RED;
  });
  expect(addedTo([WHITE, RED], bars)).toEqual([]);
});

test('adds no color for lines and for what lies at the border', () => {
  const lines = paint(120, 100, (x, y) => (y % 20 < 2 ? BROWN : x < 3 ? RED : WHITE));
  expect(addedTo([WHITE, BLACK], lines)).toEqual([]);
});
