import { describe, expect, test } from 'vitest';
import type { Color } from '../../test/raster.ts';
import { BLACK, CLEAR, draw, flatten, randomBytes, ringsOf, WHITE } from '../../test/raster.ts';
import type { Segment } from '../geometry/segment.ts';
import { vectorize } from '../index.ts';

const RED: Color = [200, 30, 30, 255];
const disk = (x: number, y: number, radius: number) => (px: number, py: number) => Math.hypot(px - x, py - y) < radius;

/** Returns the largest angle, in degrees, by which a closed outline bends at a node. */
function mostBend(segments: readonly Segment[]): number {
  const angles = segments.map((s, k) => {
    const from = segments[(k + segments.length - 1) % segments.length];
    const next = segments[(k + 1) % segments.length];
    const arrival = s.isLine ? Math.atan2(s.y - from.y, s.x - from.x) : Math.atan2(s.y - s.y2, s.x - s.x2);
    const leave = next.isLine ? Math.atan2(next.y - s.y, next.x - s.x) : Math.atan2(next.y1 - s.y, next.x1 - s.x);
    return Math.abs(Math.atan2(Math.sin(leave - arrival), Math.cos(leave - arrival)));
  });
  return (Math.max(...angles) * 180) / Math.PI;
}

describe('art that touches the border of its picture', () => {
  test.each([
    ['white', WHITE],
    ['clear', CLEAR],
  ])('a disk that touches all four sides is a circle, on %s', (_, paper) => {
    const rings = ringsOf(vectorize(draw(90, 90, paper, [{ color: RED, isInside: disk(45, 45, 45) }])));
    expect(rings).toHaveLength(1);
    const { shape } = rings[0].ring;
    if (shape?.kind !== 'circle') throw new Error('It is no circle.');
    expect(Math.hypot(shape.x - 45, shape.y - 45)).toBeLessThan(0.05);
    expect(shape.radius).toBeGreaterThan(44.9);
    expect(shape.radius).toBeLessThanOrEqual(45);
  });

  test('a disk in one ink is a circle, whatever else is light', () => {
    const bitmap = draw(90, 90, WHITE, [
      { color: BLACK, isInside: disk(45, 45, 45) },
      { color: [225, 215, 190, 255], isInside: disk(45, 45, 32) },
    ]);
    const rings = ringsOf(vectorize(bitmap, { colorMode: 'monochrome' }));
    expect(rings.map(({ ring }) => ring.shape?.kind)).toEqual(['circle', 'circle']);
  });

  test('a blob that touches one side has no corner there, and does not pass it', () => {
    const isInside = (x: number, y: number): boolean => {
      const angle = Math.atan2(y - 60, x - 42);
      return Math.hypot(x - 42, y - 60) < 50 + 4 * (Math.cos(3 * angle) - 1);
    };
    const [{ ring }] = ringsOf(vectorize(draw(120, 120, WHITE, [{ color: RED, isInside }])));
    expect(mostBend(ring.segments)).toBeLessThan(2);
    const left = Math.min(...flatten(ring, 16).map(([x]) => x));
    const right = Math.max(...flatten(ring, 16).map(([x]) => x));
    expect(left).toBeGreaterThan(0);
    expect(left).toBeLessThan(0.05);
    expect(right).toBeGreaterThan(91.9);
    expect(right).toBeLessThan(92.1);
  });

  test('art that runs off ends on the border', () => {
    const isInside = (x: number, y: number): boolean => Math.abs(y - 40 - 0.2 * x) < 9;
    const [{ ring }] = ringsOf(vectorize(draw(100, 100, WHITE, [{ color: BLACK, isInside }])));
    const xs = [ring.x, ...ring.segments.map(({ x }) => x)];
    expect(xs.filter((x) => x === 0).length).toBeGreaterThanOrEqual(2);
    expect(xs.filter((x) => x === 100).length).toBeGreaterThanOrEqual(2);
    expect(ring.segments.every(({ isLine }) => isLine)).toBe(true);
  });

  test('blur and noise do not move a side off the border', () => {
    const random = randomBytes(5);
    const size = 160;
    for (let round = 0; round < 4; round++) {
      const isInside = (x: number, y: number): boolean => Math.hypot(Math.max(0, x - 90), y - 80) < 65;
      const sharp = draw(size, size, WHITE, [{ color: RED, isInside }]);
      const bitmap = { ...sharp, data: sharp.data.slice() };
      const clamp = (v: number): number => Math.max(0, Math.min(size - 1, v));
      for (let y = 0; y < size; y++) {
        for (let x = 0; x < size; x++) {
          for (let c = 0; c < 3; c++) {
            let sum = 0;
            for (let v = -1; v <= 1; v++) {
              for (let u = -1; u <= 1; u++) sum += sharp.data[4 * (clamp(y + v) * size + clamp(x + u)) + c];
            }
            bitmap.data[4 * (y * size + x) + c] = sum / 9 + (random() - random()) / 12;
          }
        }
      }
      const [{ ring }] = ringsOf(vectorize(bitmap)).sort((p, q) => q.ring.segments.length - p.ring.segments.length);
      const ends = [ring, ...ring.segments].filter(({ x, y }) => x < 1 && Math.abs(y - 80) < 70);
      expect(ends.length).toBeGreaterThanOrEqual(2);
      for (const { x } of ends) expect(x).toBe(0);
    }
  });

  test('a ramp keeps its place', () => {
    const size = 240;
    const bitmap = draw(size, size, WHITE, [{ color: BLACK, isInside: disk(120, 120, 120) }]);
    for (let p = 0; p < size * size; p++) {
      const ink = 1 - bitmap.data[4 * p] / 255;
      const share = (p % size) / size;
      const color = [220 - 180 * share, 60 + 100 * share, 40 + 180 * share];
      for (let c = 0; c < 3; c++) bitmap.data[4 * p + c] = 255 * (1 - ink) + ink * color[c];
    }
    const paths = vectorize(bitmap).layers.flatMap((layer) => layer.paths);
    const gradient = paths.find((path) => path.gradient)?.gradient;
    if (gradient?.kind !== 'linear') throw new Error('It has no linear gradient.');
    const { x1, x2, stops } = gradient;
    const redAt = (x: number): number => {
      const offset = (x - x1) / (x2 - x1);
      const k = Math.max(
        1,
        stops.findIndex((stop) => stop.offset >= offset),
      );
      const [a, b] = [stops[k - 1], stops[k]];
      const [from, to] = [a, b].map(({ color }) => Number.parseInt(color.slice(1, 3), 16));
      return from + ((offset - a.offset) / (b.offset - a.offset)) * (to - from);
    };
    for (const x of [60, 120, 180]) expect(Math.abs(redAt(x) - (220 - (180 * (x - 0.5)) / size))).toBeLessThan(1.5);
  });

  test('a picture whose border is no flat page is traced as it is', () => {
    const isInside = disk(40, 40, 40);
    const bitmap = draw(80, 80, WHITE, [{ color: RED, isInside }]);
    for (let p = 0; p < 80 * 80; p++) {
      const shade = (30 * Math.hypot((p % 80) - 40, Math.floor(p / 80) - 40)) / 57;
      for (let c = 0; c < 3; c++) bitmap.data[4 * p + c] = Math.max(0, bitmap.data[4 * p + c] - shade);
    }
    for (const { ring } of ringsOf(vectorize(bitmap))) {
      for (const [x, y] of flatten(ring, 8)) {
        expect(Math.min(x, y, 80 - x, 80 - y)).toBeGreaterThan(-0.01);
      }
    }
  });
});
