import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Artwork, ArtworkShape } from '../artwork/artwork.ts';
import { flatten, readContours, tightBounds } from '../geometry/pathData.ts';
import { measureInk } from './ink.ts';

const shape = (d: string, changes: Partial<ArtworkShape> = {}): ArtworkShape => ({
  d,
  fill: '#000000',
  stroke: undefined,
  strokeWidth: 0,
  opacity: 1,
  ...changes,
});
const artwork = (...shapes: ArtworkShape[]): Artwork => ({ width: 200, height: 100, shapes });
const square = 'M50 20L100 20L100 70L50 70Z';

describe('measureInk', () => {
  it('returns the box of the shapes in fractions of the frame', () => {
    expect(measureInk(artwork(shape(square)), 'laser')).toEqual({ x: 0.25, y: 0.2, width: 0.25, height: 0.5 });
  });

  it('follows curves, and not their control points', () => {
    // A cubic from 50, 50 to 100, 50 whose control points are 40 above it rises 30.
    const arch = shape('M50 50C50 10 100 10 100 50Z');
    expect(measureInk(artwork(arch), 'uv')!.y).toBeCloseTo(0.2, 12);
  });

  it('counts white for a UV printer, which has white ink, and for no other machine', () => {
    const paper = shape('M0 0L200 0L200 100L0 100Z', { fill: '#FFFFFF' });
    const picture = artwork(paper, shape(square));
    expect(measureInk(picture, 'uv')).toEqual({ x: 0, y: 0, width: 1, height: 1 });
    for (const machine of ['laser', 'sublimation'] as const)
      expect(measureInk(picture, machine)).toMatchObject({ x: 0.25 });
    expect(measureInk(artwork(paper), 'laser')).toBeUndefined();
  });

  it('adds half the width of a printed line, beyond the frame too; a laser follows the line itself', () => {
    const line = artwork(shape('M0 10L100 60', { fill: undefined, stroke: '#0000ff', strokeWidth: 8 }));
    expect(measureInk(line, 'laser')).toEqual({ x: 0, y: 0.1, width: 0.5, height: 0.5 });
    expect(measureInk(line, 'uv')).toEqual({ x: -0.02, y: 0.06, width: 0.54, height: 0.58 });
  });

  it('is undefined for a picture without a trace, and for nothing that is made', () => {
    expect(measureInk({ ...artwork(), imageHref: 'data:,' }, 'uv')).toBeUndefined();
    expect(measureInk(artwork(), 'laser')).toBeUndefined();
    expect(measureInk(artwork(shape(square, { opacity: 0 })), 'laser')).toBeUndefined();
  });
});

it('tightBounds is the box of the flattened curves', () => {
  const number = fc.integer({ min: -100, max: 100 });
  const points = fc.array(number, { minLength: 26, maxLength: 26 });
  fc.assert(
    fc.property(points, (p) => {
      const d = `M${p.slice(0, 2)}C${p.slice(2, 8)} ${p.slice(8, 14)} ${p.slice(14, 20)}L${p.slice(20, 22)}Z`;
      const contours = readContours(d);
      const line = flatten(contours[0]!, 1e-4);
      const xs = line.filter((_, i) => i % 2 === 0);
      const ys = line.filter((_, i) => i % 2 === 1);
      const { minX, minY, maxX, maxY } = tightBounds(contours);
      const actual = [minX, minY, maxX, maxY];
      const expected = [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
      for (const [i, value] of actual.entries()) expect(Math.abs(value - expected[i]!)).toBeLessThan(1e-3);
    }),
    { numRuns: 200 },
  );
});
