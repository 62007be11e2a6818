/** Tests that the work of refinement stays in proportion to the picture, in every color mode. It counts, not times. */
import { afterEach, describe, expect, test, vi } from 'vitest';
import { listModePictures } from '../../bench/modePictures.ts';
import { draw, WHITE } from '../../test/raster.ts';
import type { BoundaryMap } from '../boundary/boundary.ts';
import { traceBoundary } from '../boundary/boundary.ts';
import { quantize } from '../color/labels.ts';
import { findPalette } from '../color/palette.ts';
import { gatherVotes } from '../color/votes.ts';
import { fitChains } from '../fit/curves.ts';
import type { Bitmap, VectorizeOptions } from '../index.ts';
import { vectorize } from '../index.ts';
import { readPixels } from '../pixels/bitmap.ts';
import { findRegions } from '../regions/regions.ts';
import { Canvas } from './canvas.ts';
import { countSteps, refineCurves } from './refine.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

function drawPicture(name: string, side: number): Bitmap {
  const picture = listModePictures(1, side).find((one) => one.name === name);
  if (!picture) throw new Error(`There is no picture ${name}.`);
  return picture.draw();
}

/** Returns how many numbers the renderings of a trace compute: pixels along the boundaries times channels. */
function countRenderedNumbers(bitmap: Bitmap, options: VectorizeOptions): number {
  let total = 0;
  const original = Canvas.prototype.draw;
  vi.spyOn(Canvas.prototype, 'draw').mockImplementation(function (this: Canvas) {
    total += this.residual.length;
    original.call(this);
  });
  vectorize(bitmap, { ...options, gradients: false });
  vi.restoreAllMocks();
  return total;
}

test('a cut-out portrait in grays is rendered in two numbers a pixel, in color in four', () => {
  const portrait = drawPicture('portrait, cut out', 200);
  const inColor = countRenderedNumbers(portrait, { colorMode: 'color' });
  expect(inColor).toBeGreaterThan(0);
  expect(countRenderedNumbers(portrait, { colorMode: 'grayscale' })).toBeLessThan(0.7 * inColor);
});

test.each(['color', 'grayscale', 'monochrome'] as const)('dense dots are not rendered at all in %s', (colorMode) => {
  expect(countRenderedNumbers(drawPicture('dither, dots of 3 px', 150), { colorMode })).toBe(0);
});

const mapOf = (length: number, side: number): BoundaryMap => ({
  width: side,
  height: side,
  chains: [],
  path: new Int32Array(length),
  junctions: new Int32Array(0),
});

test('long boundaries are refined in fewer steps, and dense ones in none', () => {
  expect(countSteps(mapOf(0, 1500))).toBe(0);
  expect(countSteps(mapOf(50_000, 1500))).toBe(2);
  expect(countSteps(mapOf(200_000, 1500))).toBe(1);
  expect(countSteps(mapOf(400_000, 1500))).toBe(0);
  expect(countSteps(mapOf(50_000, 500))).toBe(1);
  expect(countSteps(mapOf(2_500, 100))).toBe(2);
  expect(countSteps(mapOf(3_100, 100))).toBe(0);
});

describe('chains that a step makes worse', () => {
  const bitmap = draw(120, 120, WHITE, [
    { color: [0, 0, 0, 255], isInside: (x, y) => Math.hypot((x % 15) - 7.3, (y % 15) - 7.6) < 4 },
  ]);
  const pixels = readPixels(bitmap, 'color');
  const votes = gatherVotes(pixels, 0, 'color');
  const labelMap = quantize(pixels, votes.kinds, findPalette(pixels, votes, 0, 64), 0);
  const regions = findRegions(labelMap.labels, 120, 120);
  const map = traceBoundary(regions);
  const settings = { tolerancePx: undefined, toleranceScale: 1, noise: 0, isLossy: false };
  const curves = fitChains(map, regions, labelMap, settings);

  test('go back alone, within a few renderings', () => {
    // One more chain seems worse after every rendering, as in a picture of ten thousand chains one always is.
    let worst = 0;
    const measure = Canvas.prototype.measure;
    vi.spyOn(Canvas.prototype, 'measure').mockImplementation(function (this: Canvas, costs) {
      measure.call(this, costs);
      if (worst > 0) costs[worst] = Infinity;
      worst++;
    });
    const renderings = vi.spyOn(Canvas.prototype, 'draw');
    const refinedCurves = refineCurves({ map, curves, regions }, labelMap, 0);
    const movedCurves = refinedCurves.filter((curve, c) => JSON.stringify(curve) !== JSON.stringify(curves[c]));
    expect(movedCurves.length).toBeGreaterThan(0.8 * curves.length);
    expect(renderings.mock.calls.length).toBeLessThanOrEqual(10);
  });
});
