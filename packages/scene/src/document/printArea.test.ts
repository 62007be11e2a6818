import { describe, expect, it } from 'vitest';
import { measureFilled } from '../geometry/filledArea.ts';
import { looseBounds } from '../geometry/pathData.ts';
import { type AreaShape, clipsOf, isAreaPath } from './printArea.ts';

const box = { x: 10, y: 20, width: 60, height: 40 };
const clips = (shape: AreaShape | undefined) => clipsOf({ x: 0, y: 0, width: 1, height: 1, shape }, box);
const edge = (shape: AreaShape) => clips(shape)[0]!.contours;
const areaOf = (shape: AreaShape) => measureFilled(edge(shape));

describe('the shape of a print area', () => {
  it('is no shape where all of the rectangle can be marked', () => {
    expect(clips(undefined)).toEqual([]);
    expect(clips({ kind: 'rectangle' })).toEqual([]);
    expect(clips({ kind: 'rectangle', keepOuts: [] })).toEqual([]);
  });

  it('has the area of its name, within a thousandth', () => {
    expect(areaOf({ kind: 'circle' }) / (Math.PI * 400)).toBeCloseTo(1, 3);
    expect(areaOf({ kind: 'ellipse' }) / (Math.PI * 600)).toBeCloseTo(1, 3);
    expect(areaOf({ kind: 'rounded', radiusMm: 5 }) / (2400 - (4 - Math.PI) * 25)).toBeCloseTo(1, 3);
    // A radius beyond half of a side makes a stadium.
    expect(areaOf({ kind: 'rounded', radiusMm: 900 }) / (20 * 40 + Math.PI * 400)).toBeCloseTo(1, 3);
    expect(areaOf({ kind: 'outline', d: 'M0 0L1 0L0 1Z' })).toBeCloseTo(1200, 6);
    // By even-odd: a hole.
    const ring = 'M0 0L1 0L1 1L0 1ZM0.25 0.25L0.75 0.25L0.75 0.75L0.25 0.75Z';
    expect(areaOf({ kind: 'outline', d: ring })).toBeCloseTo(1800, 6);
  });

  it('lies in its rectangle: a circle in the middle', () => {
    expect(looseBounds(edge({ kind: 'circle' }))).toEqual({ minX: 20, minY: 20, maxX: 60, maxY: 60 });
    expect(looseBounds(edge({ kind: 'ellipse' }))).toEqual({ minX: 10, minY: 20, maxX: 70, maxY: 60 });
  });

  it('has what is kept free at its place, also in a rectangle', () => {
    const logo = { kind: 'rectangle', x: 0.5, y: 0.25, width: 0.1, height: 0.5, reason: 'logo' } as const;
    const parts = clips({ kind: 'rectangle', keepOuts: [logo, { ...logo, kind: 'ellipse' }] });
    expect(parts.map(({ reason, contours }) => [reason, looseBounds([contours[1]!])])).toEqual(
      [1, 2].map(() => ['logo', { minX: 40, minY: 30, maxX: 46, maxY: 50 }]),
    );
    const [plane, ...areas] = [parts[0]!.contours[0]!, parts[0]!.contours[1]!, parts[1]!.contours[1]!].map((contour) =>
      measureFilled([contour]),
    );
    expect(areas).toEqual([expect.closeTo(120, 6), expect.closeTo(30 * Math.PI, 1)]);
    // It cuts a hole into a plane, so that all around it can be marked.
    expect(plane! - measureFilled(parts[0]!.contours)).toBeCloseTo(120, 3);
  });
});

it('takes path data within the rectangle as an outline, and nothing else', () => {
  expect(['M0 0L1 0L1 1Z', 'M0 0C0.5 0 1 0.5 1 1L0 1'].map(isAreaPath)).toEqual([true, true]);
  const bad = ['', 'M0 0', 'M0 0L1 1', 'M0 0L1.1 0L1 1Z', 'M0 0Q1 0 1 1Z', 'M0 0L1 0L1 NaNZ', 'hello'];
  expect(bad.map(isAreaPath)).toEqual(bad.map(() => false));
  const many = `M0 0${'L1 1'.repeat(4001)}Z`;
  expect(isAreaPath(many)).toBe(false);
});
