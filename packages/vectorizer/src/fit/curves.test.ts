import { describe, expect, it } from 'vitest';
import { randomBytes } from '../../test/raster.ts';
import type { Curve } from '../geometry/segment.ts';
import { fitPoints } from './curves.ts';

function pointsOf(count: number, at: (k: number) => [number, number], scatter = 0) {
  const random = randomBytes(5);
  const off = (): number => (random() / 255 - 0.5) * 3.4 * scatter;
  const points = Array.from({ length: count }, (_, k) => at(k)).map(([x, y]) => [x + off(), y + off()]);
  return { x: points.map((p) => p[0]), y: points.map((p) => p[1]), weight: points.map(() => 1) };
}

/** Returns points all along a curve. */
function sample(curve: Curve): [number, number][] {
  const out: [number, number][] = [];
  let { x, y } = curve;
  for (const s of curve.segments) {
    for (let k = 1; k <= 32; k++) {
      const t = k / 32;
      const r = 1 - t;
      const at = (p0: number, p1: number, p2: number, p3: number): number =>
        s.isLine ? r * p0 + t * p3 : r * r * r * p0 + 3 * r * r * t * p1 + 3 * r * t * t * p2 + t * t * t * p3;
      out.push([at(x, s.x1, s.x2, s.x), at(y, s.y1, s.y2, s.y)]);
    }
    x = s.x;
    y = s.y;
  }
  return out;
}

describe('fitPoints', () => {
  it('fits one line to the points of a line, from end to end', () => {
    const curve = fitPoints(
      pointsOf(40, (k) => [3 + k * 0.8, 5 + k * 0.6], 0.03),
      false,
      0.1,
      0.03,
    );
    expect(curve.segments).toHaveLength(1);
    expect(curve.segments[0].isLine).toBe(true);
    expect(Math.hypot(curve.x - 3, curve.y - 5)).toBeLessThan(0.1);
    expect(Math.hypot(curve.segments[0].x - 34.2, curve.segments[0].y - 28.4)).toBeLessThan(0.1);
  });

  it('fits an open arc with few cubics and a closed circle with four', () => {
    const circle = (k: number): [number, number] => [50 + 20 * Math.cos(k / 20), 50 + 20 * Math.sin(k / 20)];
    const arc = fitPoints(pointsOf(80, circle, 0.03), false, 0.1, 0.03);
    expect(arc.segments.length).toBeLessThanOrEqual(4);
    const loop = fitPoints(pointsOf(126, circle, 0.03), true, 0.1, 0.03);
    expect(loop.segments).toHaveLength(4);
    for (const [x, y] of [...sample(arc), ...sample(loop)])
      expect(Math.abs(Math.hypot(x - 50, y - 50) - 20)).toBeLessThan(0.06);
  });

  it('keeps the corner of an open polyline in place', () => {
    const bend = pointsOf(41, (k) => (k < 20 ? [10 + k * 0.6, 10 + k * 0.8] : [10 + k * 0.6, 42 - k * 0.8]), 0.02);
    const curve = fitPoints(bend, false, 0.08, 0.02);
    expect(curve.segments.map((s) => s.isLine)).toEqual([true, true]);
    expect(Math.hypot(curve.segments[0].x - 22, curve.segments[0].y - 26)).toBeLessThan(0.1);
  });

  it('stays near the points of a lens whose tips blur has rounded', () => {
    const [radius, half, count] = [160, 1, 320];
    const lens = (k: number): [number, number] => {
      const angle = ((k % count) / count - 0.5) * 2 * half;
      const side = k % (2 * count) < count ? 1 : -1;
      return [side * radius * Math.sin(angle), side * radius * (Math.cos(angle) - Math.cos(half))];
    };
    const blurAt = (k: number): [number, number] => {
      let [sumX, sumY, weights] = [0, 0, 0];
      for (let d = -12; d <= 12; d++) {
        const [x, y] = lens(k + d + 2 * count);
        const weight = Math.exp((-d * d) / 32);
        [sumX, sumY, weights] = [sumX + weight * x, sumY + weight * y, weights + weight];
      }
      return [200 + sumX / weights, 200 + sumY / weights];
    };
    const points = pointsOf(2 * count, blurAt);
    const curve = fitPoints(points, true, 2, 0.05);
    for (const [x, y] of sample(curve))
      expect(Math.min(...points.x.map((px, k) => Math.hypot(px - x, points.y[k] - y)))).toBeLessThan(3);
  });
});
