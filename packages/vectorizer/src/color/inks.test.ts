import { describe, expect, test } from 'vitest';
import { areaOf, BLACK, type Color, draw, ringsOf, WHITE } from '../../test/raster.ts';
import { vectorize } from '../tracer.ts';

const RED: Color = [210, 40, 30, 255];
const PINK: Color = [240, 120, 130, 255];
const BLUE: Color = [30, 70, 200, 255];

const disk = (cx: number, cy: number, r: number) => (x: number, y: number) => (x - cx) ** 2 + (y - cy) ** 2 < r * r;
const box = (x0: number, y0: number, x1: number, y1: number) => (x: number, y: number) =>
  x >= x0 && x < x1 && y >= y0 && y < y1;

const picture = draw(110, 80, WHITE, [
  { color: RED, isInside: disk(30, 40, 20) },
  { color: PINK, isInside: disk(30, 40, 10.4) },
  { color: BLUE, isInside: disk(80, 40, 20) },
  { color: BLACK, isInside: box(76, 20, 84, 60) },
]);
const colorsOf = (options: Parameters<typeof vectorize>[1]): string[] =>
  [...new Set(ringsOf(vectorize(picture, { stacking: 'cutouts', ...options })).map(({ color }) => color))].sort();

describe('a fixed palette', () => {
  test('gives each color the nearest ink', () => {
    const palette = [{ color: '#D2281E' }, { color: '#1e46c8' }, { color: '#ffffff' }, { color: '#000000' }];
    expect(colorsOf({ palette })).toEqual(['#000000', '#1e46c8', '#d2281e']); // pink became red, the page is open
  });

  test('leaves shapes in place when an ink only resembles their color', () => {
    const sum = (options: Parameters<typeof vectorize>[1]): number =>
      ringsOf(vectorize(picture, options))
        .filter(({ color }) => color === '#c01010' || color === '#d2281e')
        .reduce((area, { ring }) => area - areaOf(ring), 0);
    const inks = [{ color: '#c01010' }, { color: '#0000ff' }, { color: '#f8f8f8' }, { color: '#111111' }];
    expect(sum({ palette: inks })).toBeCloseTo(Math.PI * 400, -1);
  });

  test('leaves colors beyond the tolerance clear', () => {
    expect(colorsOf({ palette: [{ color: '#d2281e', tolerance: 4 }] })).toEqual(['#d2281e']);
    const red = ringsOf(vectorize(picture, { palette: [{ color: '#d2281e', tolerance: 4 }] }));
    expect(red).toHaveLength(2); // with a hole where pink was
  });

  test('writes the paint of an ink, and leaves the ink out when its paint is null', () => {
    const palette = [
      { color: '#d2281e', paint: '#00ff00' },
      { color: '#1e46c8', paint: null },
      { color: '#ffffff', paint: null },
      { color: '#000000' },
    ];
    const drawing = vectorize(picture, { palette });
    expect(new Set(ringsOf(drawing).map(({ color }) => color))).toEqual(new Set(['#00ff00', '#000000']));
    expect(drawing.background).toBeUndefined();
  });

  test('rejects invalid inks with a message', () => {
    const refuse = (options: Parameters<typeof vectorize>[1]) => expect(() => vectorize(picture, options));
    refuse({ palette: [] }).toThrow(new RangeError('palette must have 1 to 64 inks.'));
    refuse({ palette: [{ color: 'red' }] }).toThrow('Each color and paint of palette must be a color like #1a2b3c.');
    refuse({ palette: [{ color: '#ff0000', paint: 'none' }] }).toThrow(RangeError);
    refuse({ palette: [{ color: '#ff0000', tolerance: -1 }] }).toThrow(
      'tolerance of palette must be between 0 and 150.',
    );
    refuse({ palette: [{ color: '#ff0000' }], colorMode: 'monochrome' }).toThrow('monochrome');
  });
});

describe('machine limits', () => {
  const plate = draw(120, 90, WHITE, [
    { color: RED, isInside: box(10, 10, 110, 80) },
    { color: BLACK, isInside: box(20, 20, 100, 23) }, // a line of 3 px
    { color: BLACK, isInside: box(20, 40, 100, 52) }, // a bar of 12 px
    { color: BLUE, isInside: disk(60, 66, 6) }, // 113 px²
  ]);
  const colors = (options: Parameters<typeof vectorize>[1]): string[] =>
    ringsOf(vectorize(plate, { stacking: 'cutouts', groupBy: 'shape', ...options }))
      .filter(({ ring }) => areaOf(ring) < 0)
      .map(({ color }) => color)
      .sort();

  test('removes a thin line and keeps wider shapes', () => {
    expect(colors({})).toEqual(['#000000', '#000000', '#1e46c8', '#d2281e']);
    expect(colors({ pixelsPerMm: 10, minLineWidthMm: 0.25 })).toHaveLength(4);
    expect(colors({ pixelsPerMm: 10, minLineWidthMm: 0.4 })).toEqual(['#000000', '#1e46c8', '#d2281e']);
    expect(colors({ pixelsPerMm: 10, minLineWidthMm: 2 })).toEqual(['#d2281e']);
  });

  test('merges a small region', () => {
    expect(colors({ pixelsPerMm: 10, minAreaMm2: 1 })).toHaveLength(4);
    expect(colors({ pixelsPerMm: 10, minAreaMm2: 1.3 })).toEqual(['#000000', '#000000', '#d2281e']);
  });

  test('require a scale', () => {
    const message = 'pixelsPerMm must be given with minAreaMm2 and minLineWidthMm.';
    expect(() => colors({ minAreaMm2: 1 })).toThrow(new RangeError(message));
    expect(() => colors({ minLineWidthMm: 1 })).toThrow(message);
    expect(() => colors({ pixelsPerMm: 0 })).toThrow('pixelsPerMm must be between 0.01 and 10000.');
    expect(() => colors({ pixelsPerMm: 4, minLineWidthMm: 101 })).toThrow('minLineWidthMm must be between 0 and 100.');
  });
});
