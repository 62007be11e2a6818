import { describe, expect, test } from 'vitest';
import { paint } from '../../test/raster.ts';
import { readPixels } from '../pixels/bitmap.ts';
import { EDGE_STEP, isRough } from './smoothness.ts';

const [WIDE, HIGH] = [40, 30];
const REACH = 5;

describe('a pixel is rough', () => {
  // An edge along each side of the picture, so near to it that a test of full reach has no room.
  test.each([1, 2, 4])('beside an edge %s px from the border, and not far from it', (margin) => {
    const isPage = (x: number, y: number) => x < margin || y < margin || x >= WIDE - margin || y >= HIGH - margin;
    const pixels = readPixels(
      paint(WIDE, HIGH, (x, y) => (isPage(x, y) ? [255, 255, 255, 255] : [90, 90, 90, 255])),
      'color',
    );
    const rough = (x: number, y: number) => isRough(pixels, y * WIDE + x, REACH, EDGE_STEP);
    const [x, y] = [WIDE / 2, HIGH / 2];
    const inner = [rough(margin, y), rough(WIDE - 1 - margin, y), rough(x, margin), rough(x, HIGH - 1 - margin)];
    expect(inner).toEqual([true, true, true, true]);
    expect(rough(x, y)).toBe(false);
  });

  test('never on a straight ramp', () => {
    const pixels = readPixels(
      paint(WIDE, HIGH, (x, y) => [3 * x, 2 * y, 90, 255]),
      'color',
    );
    for (let p = 0; p < WIDE * HIGH; p++) expect(isRough(pixels, p, REACH, EDGE_STEP)).toBe(false);
  });
});
