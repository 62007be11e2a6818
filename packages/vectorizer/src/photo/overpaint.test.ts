import { expect, test } from 'vitest';
import { paint, paintMiddles, photograph, ringsOf } from '../../test/raster.ts';
import { vectorize } from '../index.ts';
import { writeSvg } from '../svg.ts';

/** Returns the share of the variance of luma that a drawing explains at the middles of pixels. */
function explainedShare(bitmap: { data: ArrayLike<number> }, colors: Int32Array): number {
  const luma = (r: number, g: number, b: number): number => 0.299 * r + 0.587 * g + 0.114 * b;
  let [sum, squares, errors] = [0, 0, 0];
  colors.forEach((color, i) => {
    const here = luma(bitmap.data[4 * i], bitmap.data[4 * i + 1], bitmap.data[4 * i + 2]);
    sum += here;
    squares += here * here;
    errors += (here - luma(color >> 16, (color >> 8) & 255, color & 255)) ** 2;
  });
  return 1 - errors / (squares - (sum * sum) / colors.length);
}

test('covers a photograph completely, close to its tones, in few bytes', () => {
  const bitmap = photograph(200, 150, 3);
  const drawing = vectorize(bitmap);
  const colors = paintMiddles(drawing);
  expect(colors.includes(-1)).toBe(false);
  expect(explainedShare(bitmap, colors)).toBeGreaterThan(0.85);
  expect(writeSvg(drawing).length).toBeLessThan(60_000);
  for (const { ring } of ringsOf(drawing)) {
    const last = ring.segments[ring.segments.length - 1];
    expect([last.x, last.y]).toEqual([ring.x, ring.y]);
    for (const { x, y } of ring.segments) expect(x >= 0 && y >= 0 && x <= 200 && y <= 150).toBe(true);
  }
});

test('shows nothing of covered shapes', () => {
  // Two halves far apart in tone: away from the border, almost no pixel may have the other half's tone.
  const bitmap = photograph(200, 150, 4);
  for (let i = 0; i < bitmap.data.length; i += 4) {
    const isRight = (i / 4) % 200 >= 100;
    for (let c = i; c < i + 3; c++) bitmap.data[c] = bitmap.data[c] * 0.45 + (isRight ? 140 : 0);
  }
  const colors = paintMiddles(vectorize(bitmap));
  let wrong = 0;
  colors.forEach((color, i) => {
    const x = i % 200;
    if (Math.abs(x - 99.5) > 2 && ((color >> 8) & 255) > 127 !== x >= 100) wrong++;
  });
  expect(wrong).toBeLessThan(4); // a corner of a hidden outline, at most
});

test('follows the options for tones, groups and stacking', () => {
  const bitmap = photograph(160, 120, 5);
  const colorsOf = (drawing: ReturnType<typeof vectorize>): Set<string> =>
    new Set(ringsOf(drawing).map((r) => r.color));
  expect(colorsOf(vectorize(bitmap)).size).toBeGreaterThan(20);
  const few = vectorize(bitmap, { maxColors: 5 });
  expect(colorsOf(few).size).toBeLessThanOrEqual(5);
  const rings = ringsOf(few).length;
  const shapes = vectorize(bitmap, { maxColors: 5, groupBy: 'shape' });
  expect(shapes.layers.length).toBeGreaterThan(few.layers.length);
  expect(ringsOf(shapes)).toHaveLength(rings);
  expect(vectorize(bitmap, { maxColors: 5, groupBy: 'none' }).layers).toHaveLength(1);
  const cutouts = vectorize(bitmap, { maxColors: 5, stacking: 'cutouts' });
  expect(colorsOf(cutouts).size).toBeLessThanOrEqual(5);
  expect(explainedShare(bitmap, paintMiddles(cutouts))).toBeGreaterThan(0.5);
});

test('removes the page around a photograph', () => {
  const inner = photograph(200, 150, 6);
  const bitmap = paint(200, 150, (x, y) => {
    const i = (y * 200 + x) * 4;
    const isPage = x < 8 || y < 8 || x >= 192 || y >= 142;
    return isPage ? [250, 250, 250, 255] : [inner.data[i] * 0.7, inner.data[i + 1] * 0.7, inner.data[i + 2] * 0.7, 255];
  });
  const colors = paintMiddles(vectorize(bitmap, { dropBackground: true }));
  colors.forEach((color, i) => {
    const [x, y] = [i % 200, Math.floor(i / 200)];
    if (x < 6 || y < 6 || x >= 194 || y >= 144) expect(color).toBe(-1);
    if (x > 10 && y > 10 && x < 190 && y < 140) expect(color).not.toBe(-1);
  });
});

test('draws a large photograph from a reduced copy at its full size', () => {
  const bitmap = photograph(1001, 701, 7, 128);
  for (const stacking of ['stacked', 'cutouts'] as const) {
    const drawing = vectorize(bitmap, { stacking, maxColors: 6 });
    expect([drawing.width, drawing.height]).toEqual([1001, 701]);
    const points = ringsOf(drawing).flatMap(({ ring }) => ring.segments);
    expect(Math.max(...points.map((p) => p.x))).toBe(1001);
    expect(Math.max(...points.map((p) => p.y))).toBe(701);
  }
});
