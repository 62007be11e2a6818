import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatNumber } from '../svg/svg.ts';
import { rotateDeg } from './matrix.ts';
import { type Contour, flatten, readContours, transformPath, writeContours } from './pathData.ts';

const coordinate = fc.integer({ min: -100_000, max: 100_000 }).map((value) => value / 1000);
const contour: fc.Arbitrary<Contour> = fc
  .tuple(
    coordinate,
    coordinate,
    fc.array(fc.tuple(fc.boolean(), fc.array(coordinate, { minLength: 6, maxLength: 6 }))),
    fc.boolean(),
  )
  .map(([x, y, segments, isClosed]) => ({
    commands: segments.map(([isCurve]) => (isCurve ? 'C' : 'L')),
    points: [x, y, ...segments.flatMap(([isCurve, points]) => (isCurve ? points : points.slice(0, 2)))],
    isClosed,
  }));

describe('path data', () => {
  it('reads what it writes', () => {
    fc.assert(
      fc.property(fc.array(contour), (contours) => {
        expect(readContours(writeContours(contours))).toEqual(contours);
      }),
    );
  });

  it('writes each number as it is written alone', () => {
    const value = fc.oneof(
      fc.double({ min: -1e14, max: 1e14, noNaN: true }),
      fc.double({ min: -9, max: 9, noNaN: true }),
    );
    fc.assert(
      fc.property(value, value, fc.integer({ min: 0, max: 11 }), (x, y, decimals) => {
        const text = writeContours([{ commands: [], points: [x, y], isClosed: false }], decimals);
        expect(text).toBe(`M${formatNumber(x, decimals)} ${formatNumber(y, decimals)}`);
      }),
    );
    expect(() => writeContours([{ commands: [], points: [0, Number.NaN], isClosed: false }])).toThrow(RangeError);
  });

  it('reads separators, exponents, repeated commands and a new start after Z', () => {
    expect(readContours('M0,0 1e1-.5ZL5 5')).toEqual([
      { commands: ['L'], points: [0, 0, 10, -0.5], isClosed: true },
      { commands: ['L'], points: [0, 0, 5, 5], isClosed: false },
    ]);
  });

  it.each(['M0', 'M0 0Q1 1 2 2', 'M0 0L1 x', '5 5', 'M0 0Z5 5', 'm0 0'])('refuses %s', (d) => {
    expect(() => readContours(d)).toThrow();
  });

  it('moves by a matrix', () => {
    expect(transformPath('M1 0L2 0C3 0 4 0 5 0Z', rotateDeg(90))).toBe('M0 1L0 2C0 3 0 4 0 5Z');
  });
});

describe('flatten', () => {
  const curve: Contour = { commands: ['C'], points: [0, 0, 30, 90, 70, -90, 100, 10], isClosed: false };
  const at = (t: number) => {
    const s = 1 - t;
    const weights = [s ** 3, 3 * s * s * t, 3 * s * t * t, t ** 3];
    const sum = (offset: number) => weights.reduce((total, w, i) => total + w * curve.points[2 * i + offset]!, 0);
    return { x: sum(0), y: sum(1) };
  };

  it.each([1, 0.1, 0.005])('stays within %d of the curve', (tolerance) => {
    const line = flatten(curve, tolerance);
    for (let t = 0; t <= 1; t += 1 / 997) {
      const p = at(t);
      let nearest = Infinity;
      for (let i = 2; i < line.length; i += 2) {
        const [ax, ay, bx, by] = line.slice(i - 2, i + 2) as [number, number, number, number];
        const share = ((p.x - ax) * (bx - ax) + (p.y - ay) * (by - ay)) / ((bx - ax) ** 2 + (by - ay) ** 2);
        const u = Math.min(1, Math.max(0, share));
        nearest = Math.min(nearest, Math.hypot(ax + u * (bx - ax) - p.x, ay + u * (by - ay) - p.y));
      }
      expect(nearest).toBeLessThanOrEqual(tolerance * 1.0001);
    }
  });

  it('returns the same points for a curve drawn backward', () => {
    const back: Contour = { commands: ['C'], points: [100, 10, 70, -90, 30, 90, 0, 0], isClosed: false };
    const pairs = (line: number[]) => line.flatMap((x, i) => (i % 2 ? [] : [`${x} ${line[i + 1]}`]));
    expect(pairs(flatten(back, 0.01)).reverse()).toEqual(pairs(flatten(curve, 0.01)));
  });
});
