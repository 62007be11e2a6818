import { expect, test } from 'vitest';
import { type Color, draw, WHITE } from '../../test/raster.ts';
import { vectorize } from '../index.ts';

const RED: Color = [210, 40, 30, 255];
const BLUE: Color = [30, 70, 200, 255];

const disk =
  (cx: number, cy: number, r: number) =>
  (x: number, y: number): boolean =>
    Math.hypot(x - cx, y - cy) < r;

/** Returns the extent in x of the shape of each layer, by its nodes. */
const extents = (drawing: ReturnType<typeof vectorize>): [number, number][] =>
  drawing.layers.map(({ paths }) => {
    const xs = paths.flatMap(({ rings }) =>
      rings.flatMap(({ segments }) => segments.flatMap((s) => [s.x, s.x1, s.x2])),
    );
    return [Math.min(...xs), Math.max(...xs)];
  });

test('extends a shape under the one beside it, so that no seam shows', () => {
  const bitmap = draw(100, 80, WHITE, [
    { color: RED, isInside: (x, y) => x > 10 && x < 50 && y > 10 && y < 70 },
    { color: BLUE, isInside: (x, y) => x >= 50 && x < 85 && y > 20 && y < 60 },
  ]);
  const overlap = ([a, b]: [number, number][]): number => Math.min(a[1], b[1]) - Math.max(a[0], b[0]);
  expect(overlap(extents(vectorize(bitmap)))).toBeGreaterThan(0.3);
  expect(Math.abs(overlap(extents(vectorize(bitmap, { stacking: 'cutouts' }))))).toBeLessThan(0.01);
});

test('paints the disk on top whose outline passes the junctions smoothly, though it is the larger one', () => {
  const bitmap = draw(160, 120, WHITE, [
    { color: RED, isInside: (x, y) => x > 50 && x < 140 && y > 48 && y < 72 },
    { color: BLUE, isInside: disk(60, 60, 42) },
  ]);
  const { layers } = vectorize(bitmap);
  const [under, over] = layers.map(({ color }) => Number.parseInt(color.slice(1), 16));
  expect(under & 255).toBeLessThan(60);
  expect(over & 255).toBeGreaterThan(180);
});
