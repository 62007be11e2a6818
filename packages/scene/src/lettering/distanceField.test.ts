import { describe, expect, it } from 'vitest';
import { box, circle } from '../geometry/testShapes.ts';
import { distanceAt, measureField } from './distanceField.ts';
import { splitParts } from './parts.ts';

const REACH = 6;

describe('a field of distances', () => {
  it('is that of a ring: negative between its circles, as far as it reaches', () => {
    const field = measureField(splitParts([...circle(30, 20, 15), ...circle(30, 20, 9)], 0.001), 0.25, REACH);
    let worst = 0;
    for (let x = 5; x < 55; x += 0.7) {
      for (let y = -5; y < 45; y += 0.7) {
        const r = Math.hypot(x - 30, y - 20);
        const distance = Math.min(REACH, Math.max(r - 15, 9 - r));
        worst = Math.max(worst, Math.abs(distanceAt(field, x, y) - distance));
      }
    }
    expect(worst).toBeLessThan(0.13);
  });

  it('is exact beside straight edges, and ends beyond its reach', () => {
    const field = measureField(splitParts(box(10, 10, 20, 20), 0.01), 0.5, REACH);
    expect(distanceAt(field, 20, 13.3)).toBeCloseTo(-3.3, 5);
    expect(distanceAt(field, 33.3, 21.7)).toBeCloseTo(3.3, 5);
    expect(distanceAt(field, 500, 20)).toBe(REACH);
    expect(distanceAt(field, -500, -20)).toBe(REACH);
  });
});
