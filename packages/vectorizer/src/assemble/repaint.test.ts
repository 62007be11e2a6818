import { describe, expect, test } from 'vitest';
import { areaOf, BLACK, type Color, draw, paint, photograph, ringsOf, WHITE } from '../../test/raster.ts';
import { type Drawing, Tracer, type VectorizeOptions, vectorize } from '../index.ts';

const RED: Color = [210, 40, 30, 255];
const BLUE: Color = [30, 70, 200, 255];
const GREEN: Color = [30, 150, 60, 255];

const box = (x0: number, y0: number, x1: number, y1: number) => (x: number, y: number) =>
  x >= x0 && x < x1 && y >= y0 && y < y1;

/** Two adjacent halves of a flag, and a separate square. */
const flag = draw(120, 80, WHITE, [
  { color: RED, isInside: box(10, 10, 40, 60) },
  { color: BLUE, isInside: box(40, 10, 70, 60) },
  { color: GREEN, isInside: box(90, 20, 110, 40) },
]);

const shapesOf = (drawing: Drawing): string[] =>
  ringsOf(drawing)
    .map(({ color, ring }) => `${color} ${Math.round(Math.abs(areaOf(ring)))}`)
    .sort();
const trace = (options: VectorizeOptions): string[] =>
  shapesOf(vectorize(flag, { stacking: 'cutouts', groupBy: 'shape', ...options }));

describe('repaint', () => {
  test('leaves a recolored shape in place', () => {
    expect(trace({})).toEqual(['#1e46c8 1500', '#1e963c 400', '#d2281e 1500']);
    expect(trace({ repaint: [{ color: '#d2281e', paint: '#FF9900' }] })).toEqual([
      '#1e46c8 1500',
      '#1e963c 400',
      '#ff9900 1500',
    ]);
  });

  test.each(['cutouts', 'stacked'] as const)(
    'merges colors of one paint into one region where they touch, %s',
    (stacking) => {
      const one = trace({ stacking, repaint: [{ color: '#d2281e', paint: '#1e46c8' }] });
      expect(one).toEqual(['#1e46c8 3000', '#1e963c 400']);
      // Neither keeps its own color.
      const both = ['#d2281e', '#1e46c8'].map((color) => ({ color, paint: '#123456' }));
      expect(trace({ stacking, repaint: both })).toEqual(['#123456 3000', '#1e963c 400']);
    },
  );

  test('leaves no border between merged colors', () => {
    const length = (repaint?: VectorizeOptions['repaint']): number =>
      ringsOf(vectorize(flag, { draw: 'edges', repaint })).length;
    expect(length()).toBeGreaterThan(length([{ color: '#d2281e', paint: '#1e46c8' }]));
    expect(length([{ color: '#d2281e', paint: '#1e46c8' }])).toBe(2);
  });

  test('cuts out a removed color, also from stacked shapes', () => {
    const dot = draw(80, 80, WHITE, [
      { color: RED, isInside: box(10, 10, 70, 70) },
      { color: BLUE, isInside: box(30, 30, 50, 50) },
    ]);
    const drawing = vectorize(dot, { stacking: 'stacked', repaint: [{ color: '#1e46c8', paint: null }] });
    expect(shapesOf(drawing)).toEqual(['#d2281e 3600', '#d2281e 400']);
    const rings = ringsOf(drawing).map(({ ring }) => Math.sign(areaOf(ring)));
    expect(rings[0]).toBe(-rings[1]!); // a hole, not a shape on top
    const edges = vectorize(dot, { draw: 'edges', repaint: [{ color: '#d2281e', paint: null }] });
    expect(ringsOf(edges)).toHaveLength(1); // nothing is drawn where red was
  });

  test('joins a shape with the page when it gets the color of the page', () => {
    expect(trace({ repaint: [{ color: '#1e963c', paint: '#ffffff' }] })).toEqual(['#1e46c8 1500', '#d2281e 1500']);
  });

  test('turns a repainted gradient into one tone and keeps the others', () => {
    const ramp = (x: number): Color => [Math.round(40 + x), 60, Math.round(220 - x), 255];
    const two = paint(200, 120, (x, y) => {
      if (y < 10 || y >= 110 || (y >= 55 && y < 65) || x < 10 || x >= 190) return WHITE;
      return y < 60 ? ramp(x) : [Math.round(250 - x), 200, 40, 255];
    });
    const paths = (repaint?: VectorizeOptions['repaint']) =>
      vectorize(two, { repaint }).layers.flatMap((layer) => layer.paths);
    const before = paths();
    expect(before.filter(({ gradient }) => gradient)).toHaveLength(2);
    const stops = before[0]!.gradient!.stops;
    const mean = (c: number) =>
      Math.round(
        (Number.parseInt(stops[0]!.color.slice(c, c + 2), 16) +
          Number.parseInt(stops.at(-1)!.color.slice(c, c + 2), 16)) /
          2,
      );
    const color = `#${[1, 3, 5].map((c) => mean(c).toString(16).padStart(2, '0')).join('')}`;
    const after = paths([{ color, paint: '#00ff00' }]);
    expect(after.filter(({ gradient }) => gradient)).toHaveLength(1);
    expect(after.map((path) => path.color)).toContain('#00ff00');
  });

  test('changes only the given tones of a photograph', () => {
    const photo = photograph(200, 150, 1);
    const colors = (options: VectorizeOptions) => vectorize(photo, options).layers.map(({ color }) => color);
    for (const stacking of ['stacked', 'cutouts'] as const) {
      const before = new Set(colors({ stacking }));
      expect(before.size).toBeGreaterThan(40);
      const [first, second] = [...before];
      const after = new Set(
        colors({
          stacking,
          repaint: [
            { color: first!, paint: '#ff00ff' },
            { color: second!, paint: null },
          ],
        }),
      );
      expect(after).toContain('#ff00ff');
      expect(after.size).toBe(before.size - 1);
    }
  });

  test('gives the same result with a tracer that caches its stages', () => {
    const tracer = new Tracer(flag);
    const repaint = [{ color: '#d2281e', paint: '#1e46c8' }];
    tracer.trace({});
    expect(tracer.trace({ repaint })).toEqual(vectorize(flag, { repaint }));
    expect(tracer.trace({ repaint: [] })).toEqual(vectorize(flag));
  });

  test('rejects invalid values with a message', () => {
    const refuse = (options: VectorizeOptions) => expect(() => vectorize(flag, options));
    refuse({ repaint: [{ color: 'red', paint: null }] }).toThrow(
      new RangeError('Each color and paint of repaint must be a color like #1a2b3c.'),
    );
    refuse({ repaint: Array(257).fill({ color: '#000000', paint: null }) }).toThrow('at most 256 colors');
    refuse({ repaint: [{ color: '#000000', paint: null }], colorMode: 'monochrome' }).toThrow('monochrome');
  });
});

test('leaves no border between inks of one paint', () => {
  const palette = [
    { color: '#d2281e', paint: '#1e46c8' },
    { color: '#1e46c8' },
    { color: '#1e963c' },
    { color: '#ffffff' },
  ];
  expect(trace({ palette })).toEqual(['#1e46c8 3000', '#1e963c 400']);
});

test('keeps black when only another color changes', () => {
  const drawing = vectorize(
    draw(60, 60, WHITE, [
      { color: BLACK, isInside: box(10, 10, 30, 50) },
      { color: RED, isInside: box(30, 10, 50, 50) },
    ]),
    { repaint: [{ color: '#d2281e', paint: '#000000' }], stacking: 'cutouts' },
  );
  expect(shapesOf(drawing)).toEqual(['#000000 1600']);
});
