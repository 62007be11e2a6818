import { describe, expect, test } from 'vitest';
import { coverage, type Point, placePolygon, print } from '../../test/polygons.ts';
import { type Color, draw, WHITE } from '../../test/raster.ts';
import { OUTSIDE, traceBoundary } from '../boundary/boundary.ts';
import { quantize } from '../color/labels.ts';
import { findPalette } from '../color/palette.ts';
import { gatherVotes } from '../color/votes.ts';
import { fitChains } from '../fit/curves.ts';
import type { Curve } from '../geometry/segment.ts';
import { readOptions } from '../options.ts';
import type { Bitmap } from '../pixels/bitmap.ts';
import { readPixels } from '../pixels/bitmap.ts';
import { findRegions } from '../regions/regions.ts';
import { refineCurves } from './refine.ts';

function trace(bitmap: Bitmap) {
  const settings = readOptions({}, bitmap.width, bitmap.height);
  const pixels = readPixels(bitmap, 'color');
  const votes = gatherVotes(pixels, 0, 'color');
  const labelMap = quantize(pixels, votes.kinds, findPalette(pixels, votes, 0, settings.maxColors), 0);
  const regions = findRegions(labelMap.labels, bitmap.width, bitmap.height);
  const map = traceBoundary(regions);
  const fittedCurves = fitChains(map, regions, labelMap, { ...settings, noise: 0, isLossy: false });
  const refinedCurves = refineCurves({ map, curves: fittedCurves, regions }, labelMap, 0);
  const isInner = (_: Curve, c: number): boolean => map.chains[c].left !== OUTSIDE && map.chains[c].right !== OUTSIDE;
  return {
    map,
    fittedCurves,
    refinedCurves,
    before: fittedCurves.filter(isInner),
    after: refinedCurves.filter(isInner),
  };
}

function sample(curve: Curve, steps = 12): Point[] {
  const points: Point[] = [];
  let { x, y } = curve;
  for (const s of curve.segments) {
    for (let k = 0; k < steps; k++) {
      const t = k / steps;
      const u = 1 - t;
      const at = (a: number, b: number, c: number, d: number): number =>
        s.isLine ? a * u + d * t : u * u * u * a + 3 * u * u * t * b + 3 * u * t * t * c + t * t * t * d;
      points.push([at(x, s.x1, s.x2, s.x), at(y, s.y1, s.y2, s.y)]);
    }
    ({ x, y } = s);
  }
  return points;
}

function toPolygon(point: Point, polygon: readonly Point[]): number {
  let nearest = Infinity;
  polygon.forEach(([ax, ay], k) => {
    const [bx, by] = polygon[(k + 1) % polygon.length];
    const t = ((point[0] - ax) * (bx - ax) + (point[1] - ay) * (by - ay)) / ((bx - ax) ** 2 + (by - ay) ** 2);
    const s = Math.max(0, Math.min(1, t));
    nearest = Math.min(nearest, Math.hypot(ax + s * (bx - ax) - point[0], ay + s * (by - ay) - point[1]));
  });
  return nearest;
}

const mean = (values: number[]): number => values.reduce((sum, v) => sum + v, 0) / values.length;

/** Returns the mean distance between an outline and a polygon in both directions, so that cut corners count too. */
function apart(curves: Curve[], polygon: readonly Point[]): number {
  const outline = curves.flatMap((curve) => sample(curve));
  const side = (a: Point, b: Point): Point[] =>
    Array.from({ length: 20 }, (_, k) => [a[0] + ((b[0] - a[0]) * k) / 20, a[1] + ((b[1] - a[1]) * k) / 20] as const);
  const sidePoints = polygon.flatMap((a, k) => side(a, polygon[(k + 1) % polygon.length]));
  return (
    mean(outline.map((point) => toPolygon(point, polygon))) / 2 +
    mean(sidePoints.map((point) => toPolygon(point, outline))) / 2
  );
}

const square: Point[] = [
  [-14, -14],
  [14, -14],
  [14, 14],
  [-14, 14],
];
/** The foot of an I with thin serifs. */
const serif: Point[] = [
  [-4, -22],
  [4, -22],
  [4, 10],
  [13, 12],
  [13, 14.2],
  [-13, 14.2],
  [-13, 12],
  [-4, 10],
];
const wedge: Point[] = [
  [-22, -4],
  [24, 0],
  [-22, 4],
];
const ring: Point[] = Array.from({ length: 360 }, (_, k) => [
  17.3 * Math.cos((k * Math.PI) / 180),
  17.3 * Math.sin((k * Math.PI) / 180),
]);
const shapes: [string, Point[], number][] = [
  ['a tilted square', square, 0.3],
  ['a letter with serifs', serif, 0.07],
  ['a thin wedge', wedge, 0.4],
  ['a disk', ring, 0],
];

describe.each(shapes)('%s', (_, shape, angle) => {
  test('is nearer to the original after refinement', () => {
    const errorsBefore: number[] = [];
    const errorsAfter: number[] = [];
    for (const [x, y] of [
      [30, 30],
      [30.37, 29.81],
      [29.6, 30.25],
    ]) {
      const polygon = placePolygon(shape, angle, x, y);
      const { before, after } = trace(print(60, 60, [polygon]));
      expect(after.length).toBe(1);
      expect(after[0].segments.map((s) => s.isLine)).toEqual(before[0].segments.map((s) => s.isLine));
      errorsBefore.push(apart(before, polygon));
      errorsAfter.push(apart(after, polygon));
    }
    expect(mean(errorsAfter)).toBeLessThan(Math.max(mean(errorsBefore), 0.001));
    expect(mean(errorsAfter)).toBeLessThan(0.5 * mean(errorsBefore) + 0.01);
  });
});

/** Returns the sum of squared differences between a picture and a rendering of the outlines in black on white. */
function difference(bitmap: Bitmap, curves: Curve[]): number {
  const cover = coverage(
    bitmap.width,
    bitmap.height,
    curves.map((curve) => sample(curve)),
  );
  let sum = 0;
  for (let k = 0; k < cover.length; k++) sum += (1 - bitmap.data[4 * k] / 255 - cover[k]) ** 2;
  return sum;
}

test('reduces the difference between the rendering and the picture', () => {
  for (const shift of [0, 0.3, 0.55]) {
    const hole = placePolygon(square, 0.5, 0, 0).map(([x, y]) => [21 + x / 5, 23 + y / 5] as const);
    const bitmap = print(80, 64, [
      placePolygon(square, 0.5, 20 + shift, 22),
      placePolygon(wedge, 1.1, 58, 34 + shift),
      hole,
    ]);
    const { before, after } = trace(bitmap);
    expect(difference(bitmap, after)).toBeLessThan(difference(bitmap, before));
  }
});

describe('three colors', () => {
  const red: Color = [200, 30, 40, 255];
  const blue: Color = [30, 60, 190, 255];
  const bitmap = draw(64, 64, WHITE, [
    { color: red, isInside: (x, y) => Math.hypot(x - 30.3, y - 31.2) < 19.4 },
    { color: blue, isInside: (x, y) => x * 0.9 + y * 0.35 > 39.7 && y > 9.3 },
  ]);
  const { map, fittedCurves, refinedCurves } = trace(bitmap);

  test('chains end exactly at their junctions, which stay inside the picture and on its border', () => {
    const places = new Map<number, string>();
    map.chains.forEach((chain, c) => {
      const last = refinedCurves[c].segments[refinedCurves[c].segments.length - 1];
      for (const [junction, x, y] of [
        [chain.start, refinedCurves[c].x, refinedCurves[c].y],
        [chain.end, last.x, last.y],
      ]) {
        if (junction < 0) continue;
        const place = `${x} ${y}`;
        expect(places.get(junction) ?? place).toBe(place);
        places.set(junction, place);
        const lattice = map.junctions[junction];
        const px = lattice % 65;
        const py = (lattice - px) / 65;
        if (px === 0 || px === 64) expect(x).toBe(px);
        if (py === 0 || py === 64) expect(y).toBe(py);
      }
    });
    expect(places.size).toBeGreaterThan(3);
    expect(refinedCurves).not.toEqual(fittedCurves);
  });

  test('boundaries lie where they were drawn', () => {
    const isCircle = (x: number, y: number) => Math.abs(Math.hypot(x - 30.3, y - 31.2) - 19.4);
    const isSlope = (x: number, y: number) => Math.abs(x * 0.9 + y * 0.35 - 39.7) / Math.hypot(0.9, 0.35);
    const off: number[] = [];
    map.chains.forEach((chain, c) => {
      for (const [x, y] of chain.left > 9 || chain.right > 9 ? [] : sample(refinedCurves[c])) {
        off.push(Math.min(isCircle(x, y), isSlope(x, y), Math.abs(y - 9.3)));
      }
    });
    expect(mean(off)).toBeLessThan(0.02);
  });

  test('the same picture gives the same curves', () => {
    expect(trace(bitmap).refinedCurves).toEqual(refinedCurves);
  });
});

test('smooth joints stay smooth', () => {
  const oval = ring.map(([x, y]) => [30 + 1.3 * x, 30 + 0.6 * y + 0.004 * x * x] as const);
  const { before, after } = trace(print(60, 60, [oval]));
  const bend = ({ segments }: Curve, k: number): number => {
    const a = segments[k];
    const b = segments[(k + 1) % segments.length];
    const [ax, ay, bx, by] = [a.x - a.x2, a.y - a.y2, b.x1 - a.x, b.y1 - a.y];
    return Math.abs(Math.atan2(ax * by - ay * bx, ax * bx + ay * by));
  };
  let smooth = 0;
  before[0].segments.forEach((segment, k) => {
    if (segment.isLine || bend(before[0], k) > 1e-6) return;
    smooth++;
    expect(bend(after[0], k)).toBeLessThan(1e-6);
  });
  expect(smooth).toBeGreaterThan(1);
});
