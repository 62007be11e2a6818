import { expect, test } from 'vitest';
import { ball, flat, paint, worstWindow } from '../../test/pictures.ts';
import { DITHER_METHODS, dither, engrave, meanTone, NEUTRAL_TONE } from '../index.ts';

const methods = DITHER_METHODS.filter((method) => method !== 'gray');
const diffusions = methods.filter((method) => method !== 'ordered' && method !== 'blue-noise');
/** 5 mm at an interval of 0.1 mm. */
const WINDOW = 50;

test.each(methods)('%s burns or leaves bare, and keeps the mean tone', (method) => {
  const picture = ball(220, 160);
  const raster = dither(picture, method);
  expect(raster.data.every((value) => value === 0 || value === 255)).toBe(true);
  expect(Math.abs(meanTone(raster) - meanTone(picture))).toBeLessThan(0.01);
  expect(worstWindow(raster, picture, WINDOW)).toBeLessThan(0.02);
});

test.each(methods)('%s keeps flat tones, the lightest and the darkest included', (method) => {
  for (const level of [1, 6, 60, 128, 236, 250, 254]) {
    const raster = dither(flat(130, 130, level), method);
    expect(Math.abs(meanTone(raster) - (1 - level / 255))).toBeLessThan(0.004);
  }
});

test.each(diffusions)('%s begins a light area at its first row, in the picture and at its top', (method) => {
  for (const level of [249, 240, 215]) {
    const share = 1 - level / 255;
    const picture = paint(400, 60, (x, y) => (y >= 30 && (x < 100 || x > 300) ? 255 : level));
    const { data } = dither(picture, method);
    const toneOf = (top: number, from: number, to: number) => {
      let count = 0;
      for (let y = top; y < top + 6; y++) for (let x = from; x < to; x++) count += data[y * 400 + x] === 0 ? 1 : 0;
      return count / (6 * (to - from));
    };
    // 2400 pixels: about three standard deviations of as many dots at random, which these are not.
    const slack = 0.4 * share + 0.005;
    expect(Math.abs(toneOf(0, 0, 400) - share)).toBeLessThan(slack);
    const below = paint(400, 40, (_, y) => (y < 20 ? 255 : level));
    const raster = dither(below, method);
    let count = 0;
    for (let i = 20 * 400; i < 26 * 400; i++) count += raster.data[i] === 0 ? 1 : 0;
    expect(Math.abs(count / 2400 - share)).toBeLessThan(slack);
  }
});

test.each(diffusions)('%s keeps the weight of thin gray lines, and burns nothing beside them', (method) => {
  const lines = paint(180, 120, (x) => (x % 6 === 0 ? 100 : 255));
  const raster = dither(lines, method);
  expect(Math.abs(meanTone(raster) - meanTone(lines))).toBeLessThan(0.005);
  expect(raster.data.every((value, i) => value === 255 || lines.data[i] !== 255)).toBe(true);
});

test.each(DITHER_METHODS)('%s leaves bare bare and burns black, down to one pixel', (method) => {
  for (const side of [1, 2, 3, 40]) {
    for (const level of [0, 255]) {
      expect(dither(flat(side, side, level), method).data.every((value) => value === level)).toBe(true);
    }
  }
  expect(dither(flat(1, 7, 100), method).data).toHaveLength(7);
});

test('gray is the picture itself, and clear pixels are refused', () => {
  const picture = ball(30, 20);
  expect(dither(picture, 'gray').data).toBe(picture.data);
  expect(() => dither({ ...picture, alpha: new Uint8Array(600) }, 'gray')).toThrow('Clear');
});

test('blue noise has no dots side by side in light tones', () => {
  const { data, width } = dither(flat(256, 256, 235), 'blue-noise');
  let pairs = 0;
  for (let i = 0; i < data.length - width - 1; i++) {
    if (data[i] === 0 && (data[i + 1] === 0 || data[i + width] === 0)) pairs++;
  }
  expect(pairs).toBe(0);
});

test('engraves a picture at its true size and says its mean tone', () => {
  const data = new Uint8Array(4 * 30 * 20);
  for (let i = 0; i < 600; i++) data.set([i % 256, 128, 90, i % 30 < 3 ? 0 : 255], 4 * i);
  const picture = { width: 30, height: 20, data };
  const request = { widthMm: 15, intervalMm: 0.1, tone: NEUTRAL_TONE, invert: true } as const;
  const engraving = engrave(picture, { ...request, method: 'jarvis' });
  expect([engraving.widthPx, engraving.heightPx, engraving.dpi]).toEqual([150, 100, 254]);
  expect(engraving.meanTone).toBeCloseTo(meanTone(engraving), 9);
  expect(Math.abs(engraving.meanTone - engraving.targetTone)).toBeLessThan(0.01);
  // The clear columns stay bare in the negative.
  for (let y = 0; y < 100; y++) {
    for (let x = 0; x < 12; x++) expect(engraving.data[y * 150 + x]).toBe(255);
  }
});

test('engraves clear, white and tiny pictures', () => {
  for (const [side, pixel, invert, tone] of [
    [1, [0, 0, 0, 0], true, 0],
    [1, [255, 255, 255, 255], false, 0],
    [1, [255, 255, 255, 255], true, 1],
    [9, [9, 9, 9, 0], false, 0],
  ] as const) {
    const data = Uint8Array.from({ length: 4 * side * side }, (_, i) => pixel[i % 4]);
    const request = { widthMm: 3, intervalMm: 0.1, tone: NEUTRAL_TONE, invert, method: 'floyd-steinberg' } as const;
    expect(engrave({ width: side, height: side, data }, request).meanTone).toBe(tone);
  }
});
