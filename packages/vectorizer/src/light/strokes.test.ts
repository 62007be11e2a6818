import { describe, expect, test } from 'vitest';
import { createGenerator } from '../../test/random.ts';
import { findStrokes } from './strokes.ts';

const [ACROSS, DOWN] = [60, 40];

/** Marks the strokes of a paper with grain of a few percent, on which a place takes away so much of each channel. */
function markOn(
  lightAt: (x: number, y: number) => readonly [number, number, number],
): (x: number, y: number) => number {
  const random = createGenerator(3);
  const logs = new Float32Array(ACROSS * DOWN * 3);
  for (let p = 0; p < ACROSS * DOWN; p++) {
    const grain = 0.06 * (random() / 2 ** 32 - 0.5);
    logs.set(
      lightAt(p % ACROSS, Math.floor(p / ACROSS)).map((value) => value + grain),
      p * 3,
    );
  }
  const marks = findStrokes({ side: 2, across: ACROSS, down: DOWN, logs }, new Uint8Array(ACROSS * DOWN).fill(1));
  return (x, y) => marks[y * ACROSS + x];
}

describe('findStrokes', () => {
  test.each([
    ['a pale green stroke', [-0.24, -0.1, -0.15]],
    ['a gray stroke that is deep', [-0.4, -0.4, -0.4]],
  ] as const)('marks %s, also in a shadow', (_name, ink) => {
    const mark = markOn((x, y) => {
      const shadow = x < 30 ? 0 : -0.4;
      return y === 20 ? [shadow + ink[0], shadow + ink[1], shadow + ink[2]] : [shadow, shadow, shadow];
    });
    for (const x of [5, 15, 25, 40, 55]) expect(mark(x, 20)).toBe(1);
  });

  test('leaves the edge of a shadow to the light', () => {
    const mark = markOn((x) => (x < 30 ? [0, 0, 0] : [-0.5, -0.5, -0.48]));
    for (let x = 26; x < 34; x++) for (let y = 2; y < DOWN - 2; y++) expect(mark(x, y)).toBe(0);
  });

  test('leaves a line that is a shade of its paper to the light', () => {
    const mark = markOn((_x, y) => (y === 20 ? [-0.12, -0.12, -0.12] : [0, 0, 0]));
    for (let x = 5; x < 55; x++) expect(mark(x, 20)).toBe(0);
  });
});
