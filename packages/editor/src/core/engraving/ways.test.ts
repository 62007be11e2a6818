import { type Engraving, emptyComposition, newArtwork } from '@markwright/scene';
import { describe, expect, test } from 'vitest';
import { drawWay, engravingOf, traceOf, WAYS, wayOf } from './ways.ts';

const tone = { brightness: 10, contrast: 0, gamma: 1, localContrast: 0, sharpen: 0 };
const photo: Engraving = { method: 'atkinson', intervalMm: 0.08, tone, invert: true };
const trace = { colorMode: 'black', drawStyle: 'fill_shapes', laserMode: 'detailed' } as const;

describe('the way of an artwork', () => {
  test('is that of its engraving on a laser, and of its trace elsewhere', () => {
    expect(wayOf({ engraving: photo }, 'laser', trace)).toBe('photo');
    expect(wayOf({ engraving: { ...photo, method: 'stipple' } }, 'laser', trace)).toBe('tones');
    expect(wayOf({ engraving: photo }, 'uv', trace)).toBe('silhouette');
    expect(wayOf({}, 'laser', { ...trace, drawStyle: 'centerline' })).toBe('lineArt');
    expect(wayOf({}, 'laser', { ...trace, laserMode: 'outline' })).toBe('lineArt');
    expect(wayOf({}, 'laser', { ...trace, drawStyle: 'hatch' })).toBe('tones');
    expect(wayOf({}, 'laser', { ...trace, colorMode: 'color' })).toBeUndefined();
  });

  test('that a trace takes is the way that it then has', () => {
    for (const way of ['silhouette', 'lineArt'] as const) {
      for (const kind of ['photograph', 'lineArt', 'lettering', undefined] as const) {
        expect(wayOf({}, 'laser', traceOf(way, kind))).toBe(way);
      }
    }
    expect(traceOf('lineArt', 'photograph').drawStyle).toBe('stroke_edges');
    expect(traceOf('lineArt', 'lineArt').drawStyle).toBe('centerline');
  });

  test('that engraves keeps tone and negative, and has as many lines as show the picture', () => {
    const size = { intervalMm: 0.1, longerMm: 60 };
    expect(engravingOf('photo', size, photo)).toEqual({ method: 'jarvis', intervalMm: 0.1, tone, invert: true });
    expect(engravingOf('tones', size, undefined)).toMatchObject({ pitchMm: 0.7, invert: 'auto' });
    expect(engravingOf('tones', { ...size, longerMm: 5 }, undefined).pitchMm).toBe(0.4);
    expect(engravingOf('tones', { ...size, longerMm: 500 }, undefined).pitchMm).toBe(0.8);
    for (const { way } of WAYS) {
      if (way === 'tones' || way === 'photo') {
        expect(wayOf({ engraving: engravingOf(way, size, undefined) }, 'laser', trace)).toBe(way);
      }
    }
  });
});

test('a tile is the artwork alone, with ids of its own', () => {
  const element = { ...newArtwork('d'), id: 'a', engraving: photo };
  const composition = { ...emptyComposition, elements: [element] };
  const raster = {
    kind: 'raster',
    href: 'blob:x',
    width: 10,
    height: 10,
    intervalMm: 1,
    opacity: 1,
    dotGain: 0,
  } as const;
  const matrix = { a: 1, b: 0, c: 0, d: 1, e: 0, f: 0 };
  const engravings = new Map([['a', { ink: undefined, children: [{ ...raster, matrix }] }]]);
  const assets = {
    product: undefined,
    artworks: new Map([['a', { width: 10, height: 10, shapes: [] }]]),
    fonts: { outline: () => undefined },
  };
  const draw = () => JSON.stringify(drawWay({ composition, assets }, element, { engraving: photo, engravings }));
  const [first, second] = [draw(), draw()];
  const idOf = (text: string) => /"id":"(tile\d+-raster-[a-z0-9]+)"/.exec(text)![1]!;
  expect(idOf(first)).not.toBe(idOf(second));
  expect(first).toContain(`url(#${idOf(first)})`);
  // 80 % of an area of 100 mm, with a margin at each side.
  expect(first).toContain('"viewBox":"5.200 5.200 89.600 89.600"');
  expect(drawWay({ composition, assets }, { ...element, id: 'b' }, { engraving: undefined })).toBeUndefined();
});
