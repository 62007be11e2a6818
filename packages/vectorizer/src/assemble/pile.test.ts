import { expect, test } from 'vitest';
import { type Color, draw, flatten, ringsOf, WHITE } from '../../test/raster.ts';
import { vectorize } from '../index.ts';

const RED: Color = [210, 40, 30, 255];
const BLUE: Color = [30, 70, 200, 255];
const GREEN: Color = [40, 150, 60, 255];

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

type Point = [number, number];

/** Returns the rings of a drawing as polygons. */
const polygonsOf = (drawing: ReturnType<typeof vectorize>): Point[][] =>
  ringsOf(drawing).map(({ ring }) => flatten(ring, 24));

function contains(polygon: readonly Point[], [x, y]: Point): boolean {
  let isInside = false;
  polygon.forEach(([ax, ay], k) => {
    const [bx, by] = polygon[(k + 1) % polygon.length];
    if (ay > y !== by > y && x < ax + ((y - ay) / (by - ay)) * (bx - ax)) isInside = !isInside;
  });
  return isInside;
}

/** Returns true when one polygon contains the circle of radius `depth` px around a point. */
const isDeep = (polygons: readonly Point[][], [x, y]: Point, depth: number): boolean =>
  polygons.some((polygon) =>
    [0, 1, 2, 3, 4, 5, 6, 7].every((k) =>
      contains(polygon, [x + depth * Math.cos((k * Math.PI) / 4), y + depth * Math.sin((k * Math.PI) / 4)]),
    ),
  );

test('covers the whole border of two shapes, up to the tips where a third meets them', () => {
  // A disk cuts two tips of 26° off the band above the ground.
  const bitmap = draw(120, 90, WHITE, [
    { color: RED, isInside: (x, y) => x > 10 && x < 110 && y > 20 && y <= 50 },
    { color: GREEN, isInside: (x, y) => x > 10 && x < 110 && y > 50 && y < 80 },
    { color: BLUE, isInside: disk(60, 32, 20) },
  ]);
  const polygons = polygonsOf(vectorize(bitmap));
  expect(polygons.length).toBeGreaterThanOrEqual(4);
  const shallow: Point[] = [];
  const look = (point: Point): void => {
    if (!isDeep(polygons, point, 0.2)) shallow.push(point);
  };
  for (let degrees = -35; degrees <= 215; degrees++) {
    const angle = (degrees * Math.PI) / 180;
    look([60 + 20 * Math.cos(angle), 32 + 20 * Math.sin(angle)]);
  }
  for (let x = 12; x <= 108; x += 0.5) if (Math.abs(x - 60) > 8.5) look([x, 50]);
  expect(shallow).toEqual([]);
});
