import { describe, expect, it } from 'vitest';
import { signedArea } from '../geometry/measure.ts';
import { tightBounds, writeContours } from '../geometry/pathData.ts';
import { readDxf } from './readDxf.ts';

type Tag = string | number;
const section = (name: string, ...tags: Tag[]) => [0, 'SECTION', 2, name, ...tags, 0, 'ENDSEC'];
const read = (...tags: Tag[]) => readDxf(new TextEncoder().encode([...tags, 0, 'EOF', ''].join('\r\n')));
const draw = (...tags: Tag[]) => read(...section('ENTITIES', ...tags));
const d = (...tags: Tag[]) =>
  draw(...tags).layers.flatMap(({ outlines }) => outlines.map((list) => writeContours(list, 4)));
const box = (...tags: Tag[]) =>
  Object.values(tightBounds(draw(...tags).layers.flatMap(({ outlines }) => outlines.flat()))).map(
    (value) => Math.round(value * 1e4) / 1e4 + 0,
  );

const line = (layer: string, color?: number) => [
  0,
  'LINE',
  8,
  layer,
  ...(color ? [62, color] : []),
  10,
  1,
  20,
  2,
  11,
  3,
  21,
  4,
];

describe('readDxf', () => {
  it('reads lines and polylines, with y turned down', () => {
    expect(d(...line('A'))).toEqual(['M1 -2L3 -4']);
    const corners = [10, 0, 20, 0, 10, 4, 20, 0, 10, 4, 20, 3];
    expect(d(0, 'LWPOLYLINE', 8, 'A', 70, 1, ...corners)).toEqual(['M0 0L4 0L4 -3Z']);
    const vertices = [0, 'VERTEX', 10, 0, 20, 0, 0, 'VERTEX', 10, 4, 20, 0, 0, 'VERTEX', 10, 4, 20, 3, 0, 'SEQEND'];
    expect(d(0, 'POLYLINE', 8, 'A', 66, 1, 70, 0, ...vertices)).toEqual(['M0 0L4 0L4 -3']);
  });

  it('reads arcs: by bulge, as circles, arcs and ellipses', () => {
    // Two half circles of radius 5 counterclockwise: a circle.
    const half = draw(0, 'LWPOLYLINE', 8, 'A', 70, 1, 10, 0, 20, 0, 42, 1, 10, 10, 20, 0, 42, 1).layers[0]!
      .outlines[0]!;
    expect(Math.abs(signedArea(half[0]!))).toBeCloseTo(25 * Math.PI, 3);
    expect(box(0, 'CIRCLE', 8, 'A', 10, 5, 20, 6, 40, 2)).toEqual([3, -8, 7, -4]);
    expect(box(0, 'ARC', 8, 'A', 10, 0, 20, 0, 40, 2, 50, 270, 51, 90)).toEqual([0, -2, 2, 2]);
    expect(box(0, 'ELLIPSE', 8, 'A', 10, 0, 20, 0, 11, 0, 21, 4, 40, 0.5, 41, 0, 42, Math.PI * 2)).toEqual([
      -2, -4, 2, 4,
    ]);
    // A bulge of a quarter circle to the right of its chord.
    expect(box(0, 'LWPOLYLINE', 8, 'A', 10, 0, 20, 0, 42, Math.SQRT2 - 1, 10, 2, 20, 0)).toEqual([0, 0, 2, 0.4142]);
  });

  it('reads splines as exact curves', () => {
    const bezier = [71, 3, 40, 0, 40, 0, 40, 0, 40, 0, 40, 1, 40, 1, 40, 1, 40, 1];
    expect(d(0, 'SPLINE', 8, 'A', ...bezier, 10, 0, 20, 0, 10, 1, 20, 2, 10, 3, 20, 2, 10, 4, 20, 0)).toEqual([
      'M0 0C1 -2 3 -2 4 0',
    ]);
    const knots = [0, 0, 0, 0, 1, 2, 2, 2, 2].flatMap((knot) => [40, knot]);
    const [twoSpans] = d(
      0,
      'SPLINE',
      8,
      'A',
      71,
      3,
      ...knots,
      10,
      0,
      20,
      0,
      10,
      1,
      20,
      2,
      10,
      2,
      20,
      2,
      10,
      3,
      20,
      2,
      10,
      4,
      20,
      0,
    );
    expect(twoSpans).toBe('M0 0C1 -2 1.5 -2 2 -2C2.5 -2 3 -2 4 0');
    // A quarter circle with weights.
    const conic = [71, 2, 40, 0, 40, 0, 40, 0, 40, 1, 40, 1, 40, 1, 41, 1, 41, Math.SQRT1_2, 41, 1];
    const arc = draw(0, 'SPLINE', 8, 'A', ...conic, 10, 1, 20, 0, 10, 1, 20, 1, 10, 0, 20, 1).layers[0]!
      .outlines[0]![0]!;
    for (let i = 0; i < arc.points.length; i += 2)
      expect(Math.hypot(arc.points[i]!, arc.points[i + 1]!)).toBeCloseTo(1, 9);
  });

  it('follows blocks, with their layers, copies and turns', () => {
    const block = [0, 'BLOCK', 2, 'B', 10, 1, 20, 2, ...line('0'), 0, 'ENDBLK'];
    const insert = [0, 'INSERT', 8, 'CUT', 2, 'B', 10, 10, 20, 10, 41, 2, 42, 2, 50, 90, 70, 2, 44, 5];
    const { layers } = read(...section('BLOCKS', ...block), ...section('ENTITIES', ...insert));
    expect(layers.map(({ name, operation }) => [name, operation])).toEqual([['CUT', 'cut']]);
    expect(layers[0]!.outlines.map((list) => writeContours(list, 4))).toEqual(['M10 -10L6 -14', 'M10 -15L6 -19']);
  });

  it.each([
    [1, 25.4],
    [4, 1],
    [5, 10],
    [0, 1],
  ])('converts the unit %d to mm', (unit, factor) => {
    const header = [9, '$INSUNITS', 70, unit, 9, '$LIMMIN', 10, 0, 20, 0, 9, '$LIMMAX', 10, 2, 20, 1];
    const file = read(...section('HEADER', ...header), ...section('ENTITIES', ...line('A')));
    expect(writeContours(file.layers[0]!.outlines[0]!, 4)).toBe(
      writeContours([{ commands: ['L'], points: [factor, -2 * factor, 3 * factor, -4 * factor], isClosed: false }], 4),
    );
    expect(file.frame!.maxX).toBeCloseTo(2 * factor, 9);
    expect(file.frame!.minY).toBeCloseTo(-factor, 9);
  });

  it('reads colors from entities and layers, and operations from the names of layers', () => {
    const table = [0, 'TABLE', 2, 'LAYER', 0, 'LAYER', 2, 'B', 62, -5, 0, 'ENDTAB'];
    const entities = [
      ...line('ENGRAVE-C00'),
      ...line('B'),
      ...line('Cut red', 1),
      ...line('cutting'),
      0,
      'TEXT',
      8,
      'A',
    ];
    const { layers, droppedKinds } = read(...section('TABLES', ...table), ...section('ENTITIES', ...entities));
    expect(layers.map(({ color, operation }) => [color, operation])).toEqual([
      [undefined, 'engrave'],
      ['#0000ff', undefined],
      ['#ff0000', 'cut'],
      [undefined, undefined],
    ]);
    expect(droppedKinds).toEqual(['TEXT']);
  });

  it('reads shapes that are seen from below', () => {
    expect(d(0, 'LWPOLYLINE', 8, 'A', 230, -1, 10, 1, 20, 2, 10, 3, 20, 4)).toEqual(['M-1 -2L-3 -4']);
  });
});
