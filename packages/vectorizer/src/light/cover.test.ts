import { describe, expect, test } from 'vitest';
import { makeMixes, randomAt } from '../../test/flats.ts';
import { coverOf, evenOutCover } from './cover.ts';
import type { Mixes } from './mixes.ts';

const [WIDTH, HEIGHT] = [160, 120];

/** Draws bars 9 px wide every 20 px, with a cover of their own at each pixel. */
function drawBars(coverAt: (p: number) => number): Mixes {
  const share = Float32Array.from({ length: WIDTH * HEIGHT }, (_, p) => (isInBar(p) ? coverAt(p) : 0));
  return makeMixes(WIDTH, HEIGHT, share);
}

const isInBar = (p: number): boolean => {
  const [x, y] = [p % WIDTH, Math.floor(p / WIDTH)];
  return x >= 10 && x < 150 && y >= 10 && y < 110 && (y - 10) % 20 < 9;
};

describe('evenOutCover', () => {
  test('covers the grain of a pencil in strokes too thin to be deep', () => {
    const mixes = drawBars((p) => 0.35 + 0.65 * randomAt(p));
    expect(evenOutCover(mixes, 2)).toBe('grainy');
    const cover = coverOf(mixes);
    let [wrong, ink] = [0, 0];
    for (let p = 0; p < cover.length; p++) {
      if (isInBar(p)) ink++;
      if (cover[p] > 0.5 !== isInBar(p)) wrong++;
    }
    expect(wrong).toBeLessThan(0.06 * ink);
  });

  test('changes nothing in even ink', () => {
    const mixes = drawBars((p) => 0.9 + 0.1 * randomAt(p));
    const before = mixes.share.slice();
    expect(evenOutCover(mixes, 2)).toBe('even');
    expect(mixes.share).toEqual(before);
  });
});
