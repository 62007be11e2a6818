import fc from 'fast-check';
import { expect, test } from 'vitest';
import { flat, paint } from '../test/pictures.ts';
import { engravingSize, MAX_ENGRAVING_PIXELS, meanTone, resample, toGray } from './index.ts';

test('has exactly the pitch of the interval, and a size within half of it', () => {
  fc.assert(
    fc.property(
      fc.double({ min: 0.05, max: 0.25, noNaN: true }),
      fc.double({ min: 1, max: 400, noNaN: true }),
      (mm, width) => {
        const size = engravingSize(width, width / 3, mm);
        expect(size.widthMm / size.widthPx).toBeCloseTo(mm, 9);
        expect(25.4 / size.dpi).toBeCloseTo(mm, 8);
        expect(Math.abs(size.widthMm - width)).toBeLessThanOrEqual(mm / 2 + 1e-9);
      },
    ),
    { numRuns: 50 },
  );
});

test.each([
  [100, 100, 0.04, 'interval'],
  [100, 100, 0.26, 'interval'],
  [100, 100, Number.NaN, 'interval'],
  [0, 100, 0.1, 'width'],
  [Number.POSITIVE_INFINITY, 1, 0.1, 'width'],
  [1001, 1000, 0.05, '400 million'],
])('refuses %d × %d mm at %d mm by a sentence about the %s', (width, height, interval, word) => {
  expect(() => engravingSize(width, height, interval)).toThrow(RangeError);
  expect(() => engravingSize(width, height, interval)).toThrow(word);
});

test('allows just as many pixels as it says', () => {
  const { widthPx, heightPx } = engravingSize(1000, 1000, 0.05);
  expect(widthPx * heightPx).toBe(MAX_ENGRAVING_PIXELS);
});

test('averages stripes to the gray that the eye sees in them', () => {
  const stripes = paint(64, 64, (x) => (x % 2 ? 255 : 0));
  const { data } = resample(stripes, 16, 16);
  // Half the light of white is level 188 of sRGB.
  for (const level of data) expect(level).toBe(188);
});

test('keeps flat areas flat, at any size', () => {
  fc.assert(
    fc.property(
      fc.nat(255),
      fc.integer({ min: 1, max: 40 }),
      fc.integer({ min: 1, max: 40 }),
      (level, width, height) => {
        for (const value of resample(flat(17, 9, level), width, height).data) expect(value).toBe(level);
      },
    ),
    { numRuns: 60 },
  );
});

test('returns a picture of the right size untouched', () => {
  const picture = paint(5, 4, (x, y) => 10 * x + y);
  expect(resample(picture, 5, 4)).toBe(picture);
});

test('keeps edges where they are when it enlarges', () => {
  const { data } = resample(
    paint(10, 1, (x) => (x < 5 ? 0 : 255)),
    100,
    1,
  );
  expect(data[45]).toBeLessThan(40);
  expect(data[54]).toBeGreaterThan(215);
  expect(meanTone({ data })).toBeCloseTo(0.5, 2);
});

test('takes no color from clear pixels', () => {
  const data = new Uint8Array(4 * 64);
  for (let i = 0; i < 64; i++) data.set(i % 2 ? [255, 255, 255, 0] : [60, 60, 60, 255], 4 * i);
  const small = resample(toGray({ width: 8, height: 8, data }), 4, 4);
  expect([...small.data]).toEqual(new Array(16).fill(60));
  expect([...small.alpha!]).toEqual(new Array(16).fill(128));
});

test('sees colors by their luminance', () => {
  const levels = [
    [255, 255, 255],
    [0, 255, 0],
    [255, 0, 0],
    [0, 0, 255],
    [0, 0, 0],
  ].map((rgb) => toGray({ width: 1, height: 1, data: Uint8Array.from([...rgb, 255]) }).data[0]);
  expect(levels).toEqual([255, 220, 127, 76, 0]);
});
