import { describe, expect, test } from 'vitest';
import {
  cropHandles,
  findContent,
  fitAspect,
  moveBox,
  resizeBox,
  scaleBox,
  toBox,
  toFractions,
  wholeBox,
} from './cropBox.ts';

const limits = { width: 600, height: 400, least: 8 };
const box = { x: 100, y: 50, width: 200, height: 100 };

test('goes to fractions and back without losing a pixel', () => {
  for (let x = 0; x < 500; x += 13) {
    const part = { x, y: x % 300, width: 600 - x - (x % 7), height: 9 + (x % 90) };
    expect(toBox(toFractions(part, limits), limits)).toEqual(part);
  }
  expect(toFractions(wholeBox(limits), limits)).toBeUndefined();
  expect(toBox(undefined, limits)).toEqual({ x: 0, y: 0, width: 600, height: 400 });
});

test('moves, and stops at the edges of the picture', () => {
  expect(moveBox(box, 10.4, -3.6, limits)).toEqual({ ...box, x: 110, y: 46 });
  expect(moveBox(box, 1e6, -1e6, limits)).toEqual({ ...box, x: 400, y: 0 });
});

describe('a handle', () => {
  test.each([
    ['se', [20, 30], { x: 100, y: 50, width: 220, height: 130 }],
    ['nw', [20, 30], { x: 120, y: 80, width: 180, height: 70 }],
    ['e', [20, 999], { x: 100, y: 50, width: 220, height: 100 }],
    ['n', [999, -20], { x: 100, y: 30, width: 200, height: 120 }],
    ['w', [-500, 0], { x: 0, y: 50, width: 300, height: 100 }],
    ['se', [-999, -999], { x: 100, y: 50, width: 8, height: 8 }],
  ] as const)('%s by %o', (handle, by, expected) => {
    expect(resizeBox(box, handle, by, limits)).toEqual(expected);
  });

  test('keeps a chosen aspect, the side across from it, and the picture', () => {
    expect(resizeBox(box, 'se', [50, 0], limits, 2)).toEqual({ x: 100, y: 50, width: 250, height: 125 });
    expect(resizeBox(box, 'nw', [-40, 0], limits, 2)).toEqual({ x: 60, y: 30, width: 240, height: 120 });
    expect(resizeBox(box, 'e', [100, 0], limits, 2)).toEqual({ x: 100, y: 25, width: 300, height: 150 });
    for (const handle of cropHandles) {
      for (const by of [-700, -90, 0, 35, 900]) {
        const { x, y, width, height } = resizeBox(box, handle, [by, -by / 2], limits, 2);
        expect(Math.abs(width - 2 * height), `${handle} ${by}`).toBeLessThanOrEqual(1);
        expect(x >= 0 && y >= 0 && x + width <= 600 && y + height <= 400 && height >= 8).toBe(true);
      }
    }
  });
});

test('fits an aspect into the frame, about its middle', () => {
  expect(fitAspect(box, 1, limits)).toEqual({ x: 150, y: 50, width: 100, height: 100 });
  expect(fitAspect(box, 4, limits)).toEqual({ x: 100, y: 75, width: 200, height: 50 });
  expect(fitAspect({ x: 590, y: 0, width: 10, height: 8 }, 0.01, limits)).toMatchObject({ height: 400 });
});

describe('the content', () => {
  function picture(paint: (x: number, y: number) => readonly [number, number, number, number]) {
    const data = new Uint8ClampedArray(40 * 30 * 4);
    for (let y = 0, i = 0; y < 30; y++) for (let x = 0; x < 40; x++, i += 4) data.set(paint(x, y), i);
    return findContent(data, 40, 30);
  }
  const isInside = (x: number, y: number) => x >= 7 && x < 30 && y >= 4 && y < 21;

  test('differs from the color of the corners by more than noise', () => {
    const content = picture((x, y) => (isInside(x, y) ? [20, 90, 30, 255] : [240 + ((x * y) % 12), 244, 240, 255]));
    expect(content).toEqual({ x: 7, y: 4, width: 23, height: 17 });
  });

  test('is what is opaque in a transparent picture, white too', () => {
    const content = picture((x, y) => (isInside(x, y) ? [255, 255, 255, 255] : [0, 0, 0, (x + y) % 9]));
    expect(content).toEqual({ x: 7, y: 4, width: 23, height: 17 });
  });

  test('may touch one corner', () => {
    expect(picture((x, y) => (x < 12 && y < 9 ? [0, 0, 0, 255] : [250, 250, 250, 255]))).toEqual({
      x: 0,
      y: 0,
      width: 12,
      height: 9,
    });
  });

  test('is absent in an empty picture', () => {
    expect(picture(() => [250, 250, 250, 255])).toBeUndefined();
    expect(picture(() => [0, 0, 0, 0])).toBeUndefined();
  });

  test('found in a smaller copy lies inside the scaled box', () => {
    expect(scaleBox({ x: 7, y: 4, width: 23, height: 17 }, { width: 40, height: 30 }, limits)).toEqual({
      x: 105,
      y: 53,
      width: 345,
      height: 227,
    });
  });
});
