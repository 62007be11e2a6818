import { describe, expect, test } from 'vitest';
import { BLACK, paint, randomBytes, WHITE } from '../../test/raster.ts';
import { addNoise } from '../../test/scenes.ts';
import { Tracer, vectorize, writeSvg } from '../index.ts';
import { hypot } from './hypot.ts';
import { giveBack, lendMemory, makeFloat64, makeUint8, makeUint16, withOwnMemory } from './memory.ts';

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

describe('memory of a large picture', () => {
  const LARGE = 1e9;
  const size = 3 << 20;

  test('lies where an array was given back, and is zero', () => {
    lendMemory(LARGE, () => {
      const first = makeUint8(size).fill(7);
      giveBack(first);
      const second = makeUint16(size >> 1);
      expect(second.buffer).toBe(first.buffer);
      expect(second.every((value) => value === 0)).toBe(true);
      expect(makeUint8(size).buffer).not.toBe(first.buffer);
    });
  });

  test('is not given back twice, nor by others', () => {
    lendMemory(LARGE, () => {
      const own = makeUint8(size);
      const others = new Uint8Array(size);
      giveBack(own, own, others);
      const next = [makeUint8(size), makeUint8(size)];
      expect(next.map(({ buffer }) => buffer === own.buffer)).toEqual([true, false]);
      expect(next.some(({ buffer }) => buffer === others.buffer)).toBe(false);
    });
  });

  test('stays with what has memory of its own', () => {
    lendMemory(LARGE, () => {
      const outer = makeUint8(size);
      giveBack(outer);
      withOwnMemory(() => {
        const inner = makeUint8(size);
        expect(inner.buffer).not.toBe(outer.buffer);
        giveBack(inner);
        expect(makeUint8(size).buffer).not.toBe(inner.buffer);
      });
      expect(makeUint8(size).buffer).toBe(outer.buffer);
    });
  });

  // Of more than a million pixels, so that arrays of one byte per pixel are given back.
  const mix = (share: number, level: number): number =>
    Math.round(255 + Math.min(1, Math.max(0, share)) * (level - 255));
  const art = paint(1050, 1010, (x, y) => {
    const [ramp, disk] = [300.3 - Math.hypot(x - 500, y - 480), 90.6 - Math.hypot(x - 800, y - 850)];
    if (ramp > 0) return [mix(ramp, x / 5), mix(ramp, 90), mix(ramp, 200), 255];
    return [mix(disk, 0), mix(disk, 0), mix(disk, 80), 255];
  });
  test.each([
    ['clean', art],
    ['noisy', addNoise(art, 5, 3)],
  ])('gives the same trace of a %s picture, and of one that a callback keeps', (_, bitmap) => {
    const alone = writeSvg(vectorize(bitmap));
    expect(writeSvg(lendMemory(LARGE, () => new Tracer(bitmap, false).trace({})))).toBe(alone);
    const inner = new Tracer(bitmap);
    let isDone = false;
    const onProgress = () => {
      if (!isDone) inner.trace({ maxColors: 2 });
      isDone = true;
    };
    expect(writeSvg(lendMemory(LARGE, () => new Tracer(bitmap, false).trace({ onProgress })))).toBe(alone);
    expect(writeSvg(inner.trace({}))).toBe(alone);
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
