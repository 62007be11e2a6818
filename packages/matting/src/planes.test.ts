import fc from 'fast-check';
import { expect, test } from 'vitest';
import { boxMean, fillGaps, planGaps } from './planes.ts';

const side = fc.integer({ min: 1, max: 24 });
const noise = (i: number) => Math.abs(Math.imul(i + 1, 2_654_435_761)) >> 7;

test('gives every pixel the mean of the square around it, within the picture', () => {
  fc.assert(
    fc.property(side, side, fc.integer({ min: 1, max: 9 }), (width, height, radius) => {
      const values = new Float32Array(width * height).map((_, i) => noise(i) & 255);
      const means = boxMean(values, width, height, radius);
      means.forEach((mean, i) => {
        const around = values.filter((_, j) => {
          const dx = Math.abs((j % width) - (i % width));
          const dy = Math.abs(Math.floor(j / width) - Math.floor(i / width));
          return dx <= radius && dy <= radius;
        });
        expect(mean).toBeCloseTo(around.reduce((sum, value) => sum + value, 0) / around.length, 3);
      });
    }),
    { numRuns: 60 },
  );
});

test('keeps what is known, and fills the rest within its range', () => {
  const isKnown = new Uint8Array(15 * 11).map((_, i) => (noise(i) % 5 === 0 ? 1 : 0));
  const plane = new Float32Array(isKnown.length).map((_, i) => (isKnown[i] ? 40 + (i % 100) : 999));
  const whole = fillGaps(planGaps(isKnown, new Uint8Array(isKnown.length).fill(1), 15, 11), plane);
  whole.forEach((value, i) => {
    if (isKnown[i]) expect(value).toBe(plane[i]);
    expect(value).toBeGreaterThanOrEqual(40);
    expect(value).toBeLessThan(140);
  });
});

test('fills a few pixels as it fills all of them, from wanted values alone', () => {
  fc.assert(
    fc.property(side, side, fc.integer({ min: 2, max: 200 }), fc.nat(), (width, height, rareness, seed) => {
      const count = width * height;
      const isKnown = new Uint8Array(count).map((_, i) => (noise(i + seed) % rareness === 0 ? 1 : 0));
      const isNeeded = new Uint8Array(count).map((_, i) => (noise(i * 3 + seed) % 7 === 0 ? 1 : 0));
      const plane = new Float32Array(count).map((_, i) => noise(i * 5 + seed) & 255);
      const whole = fillGaps(planGaps(isKnown, new Uint8Array(count).fill(1), width, height), plane);
      const plan = planGaps(isKnown, isNeeded, width, height);
      const part = fillGaps(
        plan,
        plane.map((value, i) => (plan[0]!.isWanted[i] ? value : NaN)),
      );
      for (let i = 0; i < count; i++) if (isNeeded[i]) expect(part[i]).toBe(whole[i]);
    }),
    { numRuns: 200 },
  );
});
