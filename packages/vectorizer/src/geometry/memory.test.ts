import { describe, expect, test } from 'vitest';
import { BLACK, paint, randomBytes, WHITE } from '../../test/raster.ts';
import { vectorize, writeSvg } from '../index.ts';
import { hypot } from './hypot.ts';
import { lendMemory, makeFloat64, makeUint8 } from './memory.ts';

const disk = (size: number, radius: number) =>
  paint(size, size, (x, y) => (Math.hypot(x - size / 2, y - size / 2) < radius ? BLACK : WHITE));

describe('memory that traces leave to one another', () => {
  test('is zero whatever was written before', () => {
    lendMemory(1000, () => makeUint8(5000).fill(7));
    const [bytes, numbers] = lendMemory(1000, () => [makeUint8(3).slice(), makeFloat64(600).slice()]);
    expect([...bytes]).toEqual([0, 0, 0]);
    expect(numbers.every((value) => value === 0)).toBe(true);
  });

  test('arrays within one trace do not overlap, and more than there is room for are made anew', () => {
    lendMemory(10, () => {
      const arrays = Array.from({ length: 40 }, (_, k) => makeFloat64(10_001).fill(k));
      arrays.forEach((array, k) => {
        expect(array.every((value) => value === k)).toBe(true);
      });
    });
  });

  test('a trace is the same after larger ones, and with another one inside it', () => {
    const [small, large] = [disk(40, 13), disk(90, 31)];
    const alone = writeSvg(vectorize(small));
    const inside = new Set<string>();
    const after = writeSvg(vectorize(large));
    expect(writeSvg(vectorize(small))).toBe(alone);
    const around = vectorize(large, { onProgress: () => inside.add(writeSvg(vectorize(small))) });
    expect([...inside]).toEqual([alone]);
    expect(writeSvg(around)).toBe(after);
  });

  test('a trace leaves the bytes of its bitmap alone', () => {
    const next = randomBytes(3);
    const bitmap = paint(50, 40, () => [next(), next(), next(), 255]);
    const before = bitmap.data.slice();
    vectorize(bitmap);
    expect(bitmap.data).toEqual(before);
  });
});

test('a length is that of the geometry, at any scale', () => {
  expect(hypot(3, -4)).toBe(5);
  expect(hypot(0, -2)).toBe(2);
  expect(hypot(0, 0)).toBe(0);
  expect(hypot(3e300, 4e300)).toBeCloseTo(5e300, -290);
  expect(hypot(-Infinity, 1)).toBe(Infinity);
  expect(hypot(NaN, 1)).toBeNaN();
});
