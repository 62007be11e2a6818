import { describe, expect, test } from 'vitest';
import { areaOf, BLACK, type Color, draw, ringsOf, WHITE } from '../../test/raster.ts';
import { vectorize } from '../tracer.ts';

const RED: Color = [210, 40, 30, 255];
const YELLOW: Color = [250, 210, 50, 255];
const NAVY: Color = [20, 40, 90, 255];

const disk = (cx: number, cy: number, r: number) => (x: number, y: number) => (x - cx) ** 2 + (y - cy) ** 2 < r * r;
const box = (x0: number, y0: number, x1: number, y1: number) => (x: number, y: number) =>
  x >= x0 && x < x1 && y >= y0 && y < y1;

type Shapes = Parameters<typeof draw>[3];
/** Draws disks around one center, the largest first. */
const target = (cx: number, cy: number, ...disks: readonly (readonly [Color, number])[]): Shapes =>
  disks.map(([color, r]) => ({ color, isInside: disk(cx, cy, r) }));

/** Returns the total area painted white. */
function whiteArea(shapes: Shapes, options: Parameters<typeof vectorize>[1] = {}): number {
  let sum = 0;
  for (const { color, ring } of ringsOf(vectorize(draw(120, 100, WHITE, shapes), options))) {
    if (color === '#ffffff') sum -= areaOf(ring);
  }
  return sum;
}

describe('white enclosed by art on white paper', () => {
  test.each<[string, Shapes]>([
    [
      'counters of letters in two inks',
      [...target(35, 50, [RED, 26], [WHITE, 12]), ...target(90, 50, [NAVY, 22], [WHITE, 9])],
    ],
    ['the counter of an outlined letter', target(60, 50, [NAVY, 44], [YELLOW, 40], [NAVY, 20], [WHITE, 16])],
    ['a target in one ink', target(60, 50, [BLACK, 44], [WHITE, 32], [BLACK, 18], [WHITE, 7])],
    [
      'a bay that reaches the page',
      [
        { color: RED, isInside: box(20, 20, 60, 80) },
        { color: NAVY, isInside: box(60, 20, 100, 80) },
        { color: WHITE, isInside: box(50, 50, 70, 90) },
      ],
    ],
  ])('%s stays open', (_, shapes) => {
    for (const stacking of ['stacked', 'cutouts'] as const) expect(whiteArea(shapes, { stacking })).toBe(0);
  });

  test.each<[string, Shapes, number]>([
    [
      'an eye with a pupil',
      [
        { color: YELLOW, isInside: disk(60, 50, 44) },
        { color: WHITE, isInside: disk(55, 45, 18) },
        { color: BLACK, isInside: disk(55, 45, 8) },
      ],
      Math.PI * (324 - 64),
    ],
    [
      'a field between two colors',
      [
        { color: RED, isInside: box(20, 20, 60, 80) },
        { color: NAVY, isInside: box(60, 20, 100, 80) },
        { color: WHITE, isInside: disk(60, 50, 20) },
      ],
      Math.PI * 400,
    ],
    [
      'cells of a drawing on a field',
      [
        { color: YELLOW, isInside: disk(60, 50, 44) },
        { color: BLACK, isInside: box(40, 40, 80, 60) },
        { color: WHITE, isInside: box(42, 42, 59, 58) },
        { color: WHITE, isInside: box(61, 42, 78, 58) },
      ],
      2 * 17 * 16,
    ],
    [
      'a highlight in a broad shape',
      [
        { color: RED, isInside: disk(60, 50, 44) },
        { color: NAVY, isInside: box(0, 80, 120, 90) },
        { color: WHITE, isInside: box(50, 40, 56, 60) },
      ],
      120,
    ],
  ])('%s is painted', (_, shapes, area) => {
    expect(whiteArea(shapes, { stacking: 'cutouts' })).toBeCloseTo(area, -1);
    expect(whiteArea(shapes)).toBeGreaterThan(0.98 * area);
  });
});

test('finds no page in a striped flag that fills its frame', () => {
  const flag = draw(120, 80, NAVY, [
    { color: WHITE, isInside: box(40, 0, 80, 80) },
    { color: RED, isInside: disk(60, 40, 9) },
  ]);
  const drawing = vectorize(flag);
  expect(drawing.background).toBeUndefined();
  const colors = new Set(ringsOf(drawing).map(({ color }) => color));
  expect(colors).toEqual(new Set(['#14285a', '#ffffff', '#d2281e']));
});

test('keeps the page when art that bleeds off the edge cuts it in two', () => {
  const banner = draw(120, 80, WHITE, [{ color: NAVY, isInside: box(0, 30, 120, 50) }]);
  const drawing = vectorize(banner);
  expect(drawing.background).toBe('#ffffff');
  expect(ringsOf(drawing)).toHaveLength(1);
});
