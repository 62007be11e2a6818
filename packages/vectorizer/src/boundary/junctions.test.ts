import { expect, test } from 'vitest';
import { BLACK, type Color, draw, WHITE } from '../../test/raster.ts';
import { vectorize } from '../index.ts';

const RED: Color = [200, 30, 30, 255];

test('an outline with a tight bend passes a junction where it meets another', () => {
  // A disk over the side of a bar: its outline crosses x = 40 at two places.
  for (const radius of [10, 14, 18, 25]) {
    const bitmap = draw(100, 100, WHITE, [
      { color: BLACK, isInside: (x) => x > 20 && x < 40 },
      { color: RED, isInside: (x, y) => Math.hypot(x - 46, y - 50) < radius },
    ]);
    const drawing = vectorize(bitmap, { shapes: false, quality: 'draft' });
    const ends = drawing.layers
      .flatMap(({ paths }) => paths)
      .flatMap(({ rings }) => rings)
      .flatMap(({ segments }) => segments);
    for (const side of [-1, 1]) {
      const y = 50 + side * Math.sqrt(radius ** 2 - 36);
      const off = Math.min(...ends.map((end) => Math.hypot(end.x - 40, end.y - y)));
      expect(off).toBeLessThan(0.06);
    }
  }
});
