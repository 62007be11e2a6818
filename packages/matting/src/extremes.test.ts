import fc from 'fast-check';
import { expect, test } from 'vitest';
import { extremes } from './extremes.ts';

test('gives every pixel the greatest or least value of the window around it', () => {
  const side = fc.integer({ min: 1, max: 20 });
  fc.assert(
    fc.property(side, side, fc.integer({ min: 1, max: 8 }), fc.integer(), (width, height, radius, seed) => {
      const values = new Uint8Array(width * height).map((_, i) => Math.abs(Math.imul(seed + i, 2_654_435_761)) >> 9);
      const greatest = extremes(values, width, height, radius, 'greatest');
      const least = extremes(values, width, height, radius, 'least');
      for (let i = 0; i < values.length; i++) {
        const around: number[] = [];
        for (let j = 0; j < values.length; j++) {
          const dx = Math.abs((j % width) - (i % width));
          const dy = Math.abs(Math.floor(j / width) - Math.floor(i / width));
          if (dx <= radius && dy <= radius) around.push(values[j]!);
        }
        expect(greatest[i]).toBe(Math.max(...around));
        expect(least[i]).toBe(Math.min(...around));
      }
    }),
    { numRuns: 60 },
  );
});
