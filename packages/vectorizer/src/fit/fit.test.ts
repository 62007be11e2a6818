import { expect, test } from 'vitest';
import { randomBytes } from '../../test/raster.ts';
import { farthestPoint } from './check.ts';
import { findCorners } from './corners.ts';
import { fitClosed, fitOpen } from './fit.ts';
import { Strand } from './strand.ts';

test('a tangle at the end of an outline leaves the rest of it straight', () => {
  const random = randomBytes(4);
  const strand = new Strand(200);
  strand.reset(0.21, 0.085);
  for (let k = 0; k < 84; k++) strand.push(107.1 + 0.552 * k + (random() / 255 - 0.5) * 0.2, 194.5 + k, 1);
  // Where three colors meet in a JPEG, an edge is found on the wrong side of another.
  for (const [x, y] of [
    [153.5, 279.9],
    [154.5, 281.5],
    [155.5, 278.78],
    [155.53, 279.5],
    [153.75, 280.5],
    [154.39, 281.5],
    [154.97, 282.5],
    [155.61, 284.36],
  ])
    strand.push(x, y, 1);
  strand.measure();
  const { x, y, segments } = fitOpen(strand, findCorners(strand, true));
  expect(segments.length).toBeLessThan(10);
  const lengths = segments.map((s, k) => {
    const from = k > 0 ? segments[k - 1] : { x, y };
    return Math.hypot(s.x - from.x, s.y - from.y);
  });
  expect(Math.max(...lengths)).toBeGreaterThan(80);
});

/** The outline of a small t in a camera's picture. Its bar ends 2.5 px beside its stem. */
const LETTER = [
  [15.6, 8.5],
  [14.5, 9.4],
  [13.5, 9.5],
  [12.6, 9.6],
  [12, 10.5],
  [12, 11.5],
  [12, 12.5],
  [12, 13.5],
  [12, 14.5],
  [11.9, 15.5],
  [11.8, 16.5],
  [11.7, 17.5],
  [11.7, 18.5],
  [11.7, 19.5],
  [11.7, 20.5],
  [12, 21.5],
  [13.5, 22.8],
  [14.5, 23],
  [15.6, 23.4],
  [15.9, 24.5],
  [15.5, 25],
  [14.5, 25.3],
  [13.5, 25.3],
  [12.5, 25.3],
  [11.5, 25],
  [10.5, 24.3],
  [9.7, 23.5],
  [9.1, 22.5],
  [8.9, 21.5],
  [8.9, 20.5],
  [8.7, 19.5],
  [8.7, 18.5],
  [8.7, 17.5],
  [8.7, 16.5],
  [8.7, 15.5],
  [8.7, 14.5],
  [8.8, 13.5],
  [8.8, 12.5],
  [8.8, 11.5],
  [8.8, 10.5],
  [8.4, 9.8],
  [7.5, 9.1],
  [6.4, 8.6],
  [6.4, 7.4],
  [7.5, 6.8],
  [8.3, 6.4],
  [9, 5.5],
  [9, 4.5],
  [9, 3.5],
  [9.6, 2.5],
  [9.5, 2.6],
  [10.5, 2.2],
  [11.4, 2.5],
  [12, 3.5],
  [12, 4.5],
  [12, 5.5],
  [13.5, 6.5],
  [14.5, 6.7],
  [15.5, 7.5],
] as const;

test('the short bar of a letter keeps both ends', () => {
  const strand = new Strand(LETTER.length + 64);
  strand.reset(0.5, 0.06, 0.2);
  for (const [x, y] of LETTER) strand.push(x, y, 1);
  const curve = fitClosed(strand);
  const outline = new Strand(LETTER.length);
  for (const [x, y] of LETTER) outline.push(x, y, 1);
  expect(farthestPoint(outline, 0, LETTER.length - 1, curve, 1.2)).toBe(-1);
});
