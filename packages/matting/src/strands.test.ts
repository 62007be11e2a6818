import { describe, expect, test } from 'vitest';
import { collectStrands } from './strands.ts';

const SIDE = 48;
/** Offsets from white of browns, from dark to pale. */
const brown = (light: number): [number, number, number] => [-215 + 160 * light, -235 + 130 * light, -245 + 70 * light];

/** Strands of all lights in turn, all over a square. */
function fur(isLossy = true) {
  const strands = collectStrands(SIDE, SIDE, isLossy);
  for (let y = 1, n = 0; y < SIDE; y += 3) {
    for (let x = 1; x < SIDE; x += 3, n++) strands.add(x, y, ...brown((n % 8) / 7));
  }
  return strands;
}

const mean = new Float64Array(3);
const explain = (offset: readonly number[], strands = fur()) =>
  strands.explain(SIDE / 2, SIDE / 2, Float64Array.from(offset), mean)!;

describe('a pixel among strands of many lights', () => {
  test('is opaque when it has the color of the palest of them', () => {
    expect(explain(brown(1)).share).toBeGreaterThan(0.9);
    expect(explain(brown(0)).share).toBeGreaterThan(0.9);
  });
  test('is half clear when it is a mix of a usual one with the ground, though it is as bright as the palest', () => {
    const half = brown(0.5).map((value) => value / 2);
    expect(explain(half).share).toBeGreaterThan(0.4);
    expect(explain(half).share).toBeLessThan(0.6);
  });
  test('has a small misfit for such mixes, and a large one for another color', () => {
    for (const share of [0.2, 0.5, 1]) expect(explain(brown(0.6).map((value) => value * share)).misfit).toBeLessThan(1);
    expect(explain([-30, -10, 30]).misfit).toBeGreaterThan(11);
  });
  test('has the mean of the strands around it', () => {
    explain(brown(0.2));
    brown(0.5).forEach((value, k) => {
      expect(Math.abs(mean[k]! - value)).toBeLessThan(20);
    });
  });
});

test('a pixel with no strands around is not explained', () => {
  const strands = collectStrands(SIDE, SIDE, false);
  strands.add(2, 2, -100, -90, -80);
  expect(strands.explain(40, 40, Float64Array.of(-50, -45, -40), mean)).toBeUndefined();
  expect(strands.explain(4, 4, Float64Array.of(-50, -45, -40), mean)!.share).toBeCloseTo(0.5, 2);
});
