import { describe, expect, test } from 'vitest';
import { type Point, placePolygon, print } from '../../test/polygons.ts';
import { flatten, randomBytes, ringsOf } from '../../test/raster.ts';
import type { Ring, Shape } from '../index.ts';
import { vectorize, writeSvg } from '../index.ts';

const random = randomBytes(17);
const between = (low: number, high: number): number => low + (random() / 255 + random() / 65025) * (high - low);

function traceOne(polygon: readonly Point[]): Ring {
  const rings = ringsOf(vectorize(print(72, 72, [polygon])));
  expect(rings.length).toBe(1);
  return rings[0].ring;
}

function ellipse(rx: number, ry: number): Point[] {
  return Array.from({ length: 720 }, (_, k) => {
    const t = (k * Math.PI) / 360;
    return [rx * Math.cos(t), ry * Math.sin(t)] as const;
  });
}

function roundedRect(width: number, height: number, radius: number): Point[] {
  const points: Point[] = [];
  for (let k = 0; k < 360; k++) {
    const t = ((k + 0.5) * Math.PI) / 180;
    const u = Math.cos(t);
    const v = Math.sin(t);
    points.push([Math.sign(u) * (width / 2 - radius) + radius * u, Math.sign(v) * (height / 2 - radius) + radius * v]);
  }
  return radius > 0 ? points : points.filter((_, k) => k % 90 === 0);
}

function expectShape<K extends Shape['kind']>(ring: Ring, kind: K): Extract<Shape, { kind: K }> {
  expect(ring.shape?.kind).toBe(kind);
  return ring.shape as Extract<Shape, { kind: K }>;
}

/** Expects two angles to be equal modulo `every` radians. */
function expectAngle(actual: number, expected: number, every: number, within: number): void {
  const off = (actual - expected) / every;
  expect(Math.abs(off - Math.round(off)) * every).toBeLessThan(within);
}

const places = Array.from({ length: 8 }, () => ({ x: between(33, 38), y: between(33, 38), angle: between(-1.5, 1.5) }));

describe.each(places)('drawn about ($x, $y)', ({ x, y, angle }) => {
  test('recognizes a circle', () => {
    const radius = between(4, 30);
    const shape = expectShape(traceOne(placePolygon(ellipse(radius, radius), 0, x, y)), 'circle');
    expect(Math.hypot(shape.x - x, shape.y - y)).toBeLessThan(0.02);
    expect(Math.abs(shape.radius - radius)).toBeLessThan(0.02);
  });

  test('recognizes an ellipse', () => {
    const rx = between(14, 30);
    const ry = rx * between(0.4, 0.8);
    const shape = expectShape(traceOne(placePolygon(ellipse(rx, ry), angle, x, y)), 'ellipse');
    expect(Math.hypot(shape.x - x, shape.y - y)).toBeLessThan(0.02);
    expect(Math.abs(shape.rx - rx)).toBeLessThan(0.02);
    expect(Math.abs(shape.ry - ry)).toBeLessThan(0.02);
    expectAngle(shape.angle, angle, Math.PI, 0.004);
  });

  test.each([0, 1])('recognizes a rectangle, round corners: %i', (isRound) => {
    const width = between(30, 44);
    const height = width * between(0.5, 0.9);
    const radius = isRound ? height * between(0.28, 0.45) : 0;
    for (const turn of [0, angle]) {
      const ring = traceOne(placePolygon(roundedRect(width, height, radius), turn, x, y));
      const shape = expectShape(ring, 'rect');
      expect(Math.hypot(shape.x - x, shape.y - y)).toBeLessThan(0.02);
      const [w, h] = [shape.width, shape.height].sort((p, q) => q - p);
      expect(Math.abs(w - width)).toBeLessThan(0.02);
      expect(Math.abs(h - height)).toBeLessThan(0.02);
      expect(Math.abs(shape.radius - radius)).toBeLessThan(0.04);
      expectAngle(shape.angle, turn, Math.PI / 2, 0.002);
      if (turn === 0) expect(shape.angle).toBe(0);
      // The segments match the description.
      for (const [px, py] of flatten(ring)) {
        const u = Math.abs((px - shape.x) * Math.cos(shape.angle) + (py - shape.y) * Math.sin(shape.angle));
        const v = Math.abs((py - shape.y) * Math.cos(shape.angle) - (px - shape.x) * Math.sin(shape.angle));
        const a = Math.max(0, u - shape.width / 2 + shape.radius);
        const b = Math.max(0, v - shape.height / 2 + shape.radius);
        const inside = Math.min(0, Math.max(u - shape.width / 2, v - shape.height / 2) + shape.radius);
        expect(Math.abs(Math.hypot(a, b) + inside - shape.radius)).toBeLessThan(0.01);
      }
    }
  });
});

describe('keeps irregular outlines:', () => {
  test('an egg', () => {
    const egg = ellipse(24, 18).map(([x, y]) => [36 + x, 36 + y * (1 + 0.006 * x)] as const);
    expect(traceOne(egg).shape).toBeUndefined();
  });

  test('a square with wobbly sides', () => {
    const wobble = roundedRect(40, 40, 8).map(([x, y], k) => {
      const off = 1 + 0.012 * Math.sin(k / 9);
      return [36 + x * off, 36 + y * off] as const;
    });
    expect(traceOne(wobble).shape).toBeUndefined();
  });

  test('a trapezium', () => {
    const points: Point[] = [
      [14, 16],
      [58, 16],
      [57, 55],
      [15, 55],
    ];
    expect(traceOne(points).shape).toBeUndefined();
  });

  test('any outline when `shapes` is false', () => {
    const bitmap = print(72, 72, [placePolygon(ellipse(20, 20), 0, 36, 36)]);
    const rings = ringsOf(vectorize(bitmap, { shapes: false }));
    expect(rings[0].ring.shape).toBeUndefined();
  });
});

describe('the SVG file', () => {
  test('writes a single shape as an element of its own', () => {
    const write = (polygon: Point[], angle: number): string =>
      writeSvg(vectorize(print(72, 72, [placePolygon(polygon, angle, 36, 35)])));
    expect(write(ellipse(20, 20), 0)).toMatch(
      /<circle [^>]*cx="3[56][\d.]*" cy="3[45][\d.]*" r="(20|19\.9\d|20\.0\d)"\/>/,
    );
    expect(write(ellipse(20, 12), 0.4)).toMatch(/<ellipse [^>]*transform="rotate\(2[23]/);
    expect(write(roundedRect(40, 24, 6), 0)).toMatch(/<rect [^>]* rx="(6|5\.9\d|6\.0\d)"\/>/);
    expect(write(roundedRect(40, 24, 0), 0.4)).toMatch(/<rect [^>]*transform="rotate\(2[23]/);
  });

  test('writes a ring as two outlines of arcs around one center', () => {
    const polygons = [placePolygon(ellipse(25, 25), 0, 36.3, 35.6), placePolygon(ellipse(15, 15), 0, 36.3, 35.6)];
    const drawing = vectorize(print(72, 72, polygons));
    const [outer, inner] = ringsOf(drawing).map(({ ring }) => expectShape(ring, 'circle'));
    expect([inner.x, inner.y]).toEqual([outer.x, outer.y]);
    const svg = writeSvg(drawing);
    expect(svg.match(/a25[\d.]* |a24\.9\d* /g)?.length).toBe(3);
    // One runs in the other direction, so that it is a hole.
    expect(svg).toMatch(/ 0 0 1/);
    expect(svg).toMatch(/ 0 0 0/);
  });
});

test('makes nearly horizontal and vertical lines exactly so, and aligns them', () => {
  const notch: Point[] = [
    [10.2, 12.3],
    [60.4, 12.3],
    [60.4, 50.6],
    [45.1, 50.6],
    [45.1, 40.2],
    [28.7, 40.2],
    [28.7, 50.6],
    [10.2, 50.6],
  ];
  const { segments } = traceOne(notch);
  expect(segments.length).toBe(8);
  segments.forEach((segment, k) => {
    const before = segments[(k + 7) % 8];
    expect(segment.x === before.x || segment.y === before.y).toBe(true);
  });
  expect(new Set(segments.map(({ y }) => y)).size).toBe(3);
});
