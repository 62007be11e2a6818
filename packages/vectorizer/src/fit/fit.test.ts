import { expect, test } from 'vitest';
import { randomBytes } from '../../test/raster.ts';
import { findCorners } from './corners.ts';
import { fitOpen } from './fit.ts';
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
