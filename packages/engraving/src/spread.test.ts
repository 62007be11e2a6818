import { expect, test } from 'vitest';
import { meanTone } from './picture.ts';
import { spreadDots } from './spread.ts';

const [width, height] = [40, 30];
const field = (isBurnt: (x: number, y: number) => boolean) => ({
  width,
  height,
  data: Uint8Array.from({ length: width * height }, (_, i) => (isBurnt(i % width, Math.floor(i / width)) ? 0 : 255)),
});

test('leaves bare ground bare, and solid ground solid away from its edge', () => {
  expect(
    spreadDots(
      field(() => false),
      0.2,
    ).data.every((level) => level === 255),
  ).toBe(true);
  const solid = spreadDots(
    field(() => true),
    0.2,
  );
  for (let y = 1; y < height - 1; y++) {
    for (let x = 1; x < width - 1; x++) expect(solid.data[y * width + x]).toBe(0);
  }
});

test('keeps the mean of a field without gain, and darkens its half tones by the gain', () => {
  // Stripes of four: most pixels stay what they are, so that the gain acts on the edges alone.
  const stripes = field((x) => x % 8 < 4 && x > 0 && x < width - 1);
  expect(meanTone(spreadDots(stripes, 0))).toBeCloseTo(meanTone(stripes), 1);
  // A fine checker is blurred to a half tone nearly everywhere.
  const checker = field((x, y) => (x + y) % 2 === 0);
  const plain = meanTone(spreadDots(checker, 0));
  const darker = meanTone(spreadDots(checker, 0.2));
  expect(plain).toBeCloseTo(0.5, 1);
  expect(darker).toBeGreaterThan(plain + 0.1);
});

test('spreads a dot the same way to all sides', () => {
  const { data } = spreadDots(
    field((x, y) => x === 20 && y === 15),
    0.1,
  );
  const at = (x: number, y: number) => data[y * width + x];
  expect(at(20, 15)).toBeLessThan(100);
  expect(new Set([at(19, 15), at(21, 15), at(20, 14), at(20, 16)]).size).toBe(1);
  expect(new Set([at(19, 14), at(21, 14), at(19, 16), at(21, 16)]).size).toBe(1);
  expect(at(19, 15)).toBeLessThan(at(19, 14)!);
  expect(at(22, 15)).toBe(255);
});
