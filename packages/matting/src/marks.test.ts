import { expect, test } from 'vitest';
import { fitField } from './field.ts';
import { BACKGROUND, labelBackground, measure, SHADOW } from './marks.ts';

const SIDE = 96;

/** Marks a pale gray disk on white, of which the network gives the true coverage. Returns both by pixel. */
function markDisk(softness: number, gray: number) {
  const data = new Uint8Array(4 * SIDE * SIDE).fill(255);
  const mask = new Uint8Array(SIDE * SIDE);
  for (let i = 0; i < mask.length; i++) {
    const depth = 30 - Math.hypot((i % SIDE) + 0.5 - SIDE / 2, Math.floor(i / SIDE) + 0.5 - SIDE / 2);
    const share = Math.min(1, Math.max(0, depth / softness + 0.5));
    mask[i] = Math.round(255 * share);
    data.fill(Math.round(255 - (255 - gray) * share), 4 * i, 4 * i + 3);
  }
  const picture = { width: SIDE, height: SIDE, data };
  const whole = measure(picture, fitField(picture), mask);
  labelBackground(whole, undefined);
  return { mask, marks: whole.marks };
}

test('the soft side of a pale edge is no shadow', () => {
  const { mask, marks } = markDisk(7, 236);
  for (let i = 0; i < marks.length; i++) if (mask[i]! > 60) expect(marks[i]! & (BACKGROUND | SHADOW)).toBe(0);
});

test('a wide soft area that the network calls background stays one', () => {
  const { mask, marks } = markDisk(30, 200);
  const open = [...mask.keys()].filter((i) => mask[i]! > 30 && mask[i]! < 45);
  expect(open.length).toBeGreaterThan(100);
  expect(open.every((i) => (marks[i]! & BACKGROUND) !== 0)).toBe(true);
});
