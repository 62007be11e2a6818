import { describe, expect, test } from 'vitest';
import { kindOfBackground, removeBackground } from './background.ts';

const SIDE = 160;
const CLEAR = 0.25;
const noise = (x: number, y: number) =>
  ((Math.imul((x * 73_856_093) ^ (y * 19_349_663), 2_654_435_761) >>> 0) / 2 ** 32 - 0.5) * 6;
const off = (x: number, y: number) => Math.hypot(x - SIDE / 2, y - SIDE / 2);

/** A dark ring with a lens of the given alpha, on a noisy gradient, and a network's mask of the ring alone. */
function loupe(alpha: number, lens: readonly [number, number, number] = [235, 245, 250]) {
  const data = new Uint8Array(4 * SIDE * SIDE).fill(255);
  const mask = new Uint8Array(SIDE * SIDE);
  for (let y = 0, i = 0; y < SIDE; y++) {
    for (let x = 0; x < SIDE; x++, i++) {
      const r = off(x, y);
      const ground = [200 - 0.4 * x, 180 - 0.3 * y, 150].map((value) => value + noise(x, y));
      const color =
        r < 40 ? ground.map((value, k) => (1 - alpha) * value + alpha * lens[k]!) : r < 50 ? [40, 44, 50] : ground;
      data.set(color, 4 * i);
      if (r >= 40 && r < 50) mask[i] = 255;
    }
  }
  return { picture: { width: SIDE, height: SIDE, data }, mask: { width: SIDE, height: SIDE, data: mask } };
}
/** Returns the mean alpha, 0..1, of a cut-out between two distances from the middle. */
function alphaOf(cut: { data: Uint8Array }, from: number, to: number): number {
  let sum = 0;
  let count = 0;
  for (let i = 0; i < SIDE * SIDE; i++) {
    const r = off(i % SIDE, Math.floor(i / SIDE));
    if (r < from || r >= to) continue;
    sum += cut.data[4 * i + 3]! / 255;
    count++;
  }
  return sum / count;
}

describe('a loupe on a lit wall', () => {
  test('is shown to the network', () => {
    expect(kindOfBackground(loupe(CLEAR).picture)).toBe('plain');
  });

  test('keeps its lens clear, in the lens’s own color, and its ring solid', () => {
    const { picture, mask } = loupe(CLEAR);
    const cut = removeBackground(picture, { mask })!;
    expect(alphaOf(cut, 0, 34)).toBeGreaterThan(CLEAR - 0.1);
    expect(alphaOf(cut, 0, 34)).toBeLessThan(CLEAR + 0.1);
    expect(alphaOf(cut, 43, 47)).toBe(1);
    // Over the old background it looks as before.
    const at = 4 * ((SIDE / 2) * SIDE + SIDE / 2);
    const share = cut.data[at + 3]! / 255;
    const ground = 200 - 0.4 * (SIDE / 2) + noise(SIDE / 2, SIDE / 2);
    expect(Math.abs(share * cut.data[at]! + (1 - share) * ground - picture.data[at]!)).toBeLessThan(6);
  });

  test('keeps its lens clear to the ring, also where the network is not quite sure that it is ground', () => {
    const { picture, mask } = loupe(CLEAR);
    const hesitant = { ...mask, data: mask.data.map((value) => value || 40) };
    expect(alphaOf(removeBackground(picture, { mask: hesitant })!, 0, 37)).toBeLessThan(CLEAR + 0.1);
    expect(alphaOf(removeBackground(picture, { mask })!, 35, 37)).toBeLessThan(CLEAR + 0.15);
  });

  test('keeps a dense disk that the network missed solid', () => {
    const { picture, mask } = loupe(1, [30, 60, 40]);
    expect(alphaOf(removeBackground(picture, { mask })!, 0, 34)).toBeGreaterThan(0.98);
  });
});
