import { expect, test } from 'vitest';
import { ball, paint } from '../test/pictures.ts';
import {
  createTally,
  DITHER_METHODS,
  dither,
  ditherRows,
  type Gray,
  type GrayRows,
  meanTone,
  NEUTRAL_TONE,
  packRaster,
  rasterStrip,
  resample,
  resampleRows,
  rowBytesOf,
  rowsOf,
  toneForMaterial,
  toneRowsForMaterial,
  unpackRaster,
} from './index.ts';

/** Not a whole number of strips, nor of bytes. */
const picture = ball(83, 150);
const clear = { ...picture, alpha: paint(83, 150, (x, y) => (x * y) % 256).data };

function join(strips: Iterable<Gray>): Uint8Array {
  return Uint8Array.from([...strips].flatMap(({ data }) => [...data]));
}

/** Reads rows in strips of changing height, and in any order where `order` is not 1. */
function readIn(rows: GrayRows, order: 1 | -1): Gray {
  const alphas: Uint8Array[] = [];
  const strips: Uint8Array[] = [];
  const edges = [0];
  for (let k = 1; edges.at(-1)! < rows.height; k = (k * 5) % 23) edges.push(Math.min(rows.height, edges.at(-1)! + k));
  const places = edges.slice(1).map((bottom, i) => [edges[i]!, bottom] as const);
  for (const [top, bottom] of order === 1 ? places : places.toReversed()) {
    const { data, alpha, height } = rows.read(top, bottom);
    expect(height).toBe(bottom - top);
    strips.push(data);
    if (alpha) alphas.push(alpha);
  }
  const whole = (parts: Uint8Array[]) =>
    Uint8Array.from((order === 1 ? parts : parts.reverse()).flatMap((part) => [...part]));
  const { width, height } = rows;
  return { width, height, data: whole(strips), ...(alphas.length > 0 && { alpha: whole(alphas) }) };
}

test.each([
  ['smaller', 41, 60],
  ['larger', 190, 333],
  ['wider and lower', 200, 20],
  ['the same', 83, 150],
])('a picture that is resampled strip by strip, %s, is the one that is resampled at once', (_, width, height) => {
  for (const source of [picture, clear]) {
    const whole = resample(source, width, height);
    for (const order of [1, -1] as const) expect(readIn(resampleRows(source, width, height), order)).toEqual(whole);
  }
});

test.each([
  ['levels', { contrast: 30, gamma: 1.4, brightness: -20 }],
  ['local contrast', { localContrast: 60 }],
  ['sharpening', { sharpen: 70 }],
  ['all', { contrast: 30, gamma: 1.4, brightness: -20, localContrast: 60, sharpen: 70 }],
])('tones strip by strip are those at once: %s', (_, tone) => {
  const curve = Array.from({ length: 20 }, (_value, step) => step ** 1.5);
  for (const source of [picture, clear, ball(1400, 90)]) {
    const request = { tone: { ...NEUTRAL_TONE, ...tone }, invert: true, curve };
    const whole = toneForMaterial(source, request);
    for (const order of [1, -1] as const) {
      const strips = readIn(toneRowsForMaterial(rowsOf(source), request), order);
      expect(Buffer.compare(strips.data, whole.data)).toBe(0);
    }
  }
});

test.each(DITHER_METHODS)('%s strip by strip is the raster at once', (method) => {
  expect(join(ditherRows(rowsOf(picture), method))).toEqual(dither(picture, method).data);
});

test('rows that are read again with another local contrast give what new ones give', () => {
  const rows = rowsOf(picture);
  for (const localContrast of [20, 90, 20]) {
    const request = { tone: { ...NEUTRAL_TONE, localContrast }, invert: false };
    expect(toneRowsForMaterial(rows, request).read(0, 150).data).toEqual(toneForMaterial(picture, request).data);
  }
  const other = rowsOf(ball(150, 83));
  const request = { tone: { ...NEUTRAL_TONE, localContrast: 20 }, invert: false };
  expect(toneRowsForMaterial(other, request).read(0, 83).data).toEqual(toneForMaterial(ball(150, 83), request).data);
});

test('a raster is packed into bits or bytes, and back, whole and in strips', () => {
  const dots = dither(picture, 'jarvis');
  const bits = packRaster(dots, false);
  expect(rowBytesOf(bits)).toBe(11);
  expect(bits.rows).toHaveLength(11 * 150);
  expect(unpackRaster(bits).data).toEqual(dots.data);
  // The five bits beyond a row of 83 pixels.
  for (let y = 0; y < 150; y++) expect(bits.rows[11 * y + 10]! & 31).toBe(0);
  const middle = unpackRaster(rasterStrip(bits, 40, 61));
  expect([middle.width, middle.height]).toEqual([83, 21]);
  expect(middle.data).toEqual(dots.data.slice(40 * 83, 61 * 83));
  expect(unpackRaster(packRaster(picture, true)).data).toEqual(picture.data);
});

test('a tally of strips is the mean of the whole', () => {
  const tally = createTally();
  expect(tally.mean).toBe(0);
  for (let top = 0; top < 150; top += 30) tally.add(rowsOf(picture).read(top, top + 30));
  expect(tally.mean).toBe(meanTone(picture));
});
