import { expect, it } from 'vitest';
import { lengthOf, signedArea } from './measure.ts';
import { readContours, transformContours } from './pathData.ts';

const one = (d: string) => readContours(d)[0]!;

it('measures areas exactly, wherever they are, positive where they run clockwise', () => {
  expect(signedArea(one('M0 0L4 0L4 3L0 3Z'))).toBe(12);
  expect(signedArea(one('M0 0L0 3L4 3L4 0Z'))).toBe(-12);
  // y = x (1 - x) between 0 and 1, as a cubic: 1/6 below the x axis of the screen.
  const parabola = one(`M0 0C${1 / 3} ${1 / 3} ${2 / 3} ${1 / 3} 1 0Z`);
  expect(signedArea(parabola)).toBeCloseTo(-1 / 6, 12);
  const [far] = transformContours([parabola], { a: 1, b: 0, c: 0, d: 1, e: 5000, f: 7000 });
  expect(signedArea(far!)).toBeCloseTo(-1 / 6, 9);
});

it('measures lengths with the line that closes a contour', () => {
  expect(lengthOf(one('M0 0L3 0L3 4'))).toBe(7);
  expect(lengthOf(one('M0 0L3 0L3 4Z'))).toBe(12);
  const k = 0.552_284_75;
  expect(lengthOf(one(`M1 0C1 ${k} ${k} 1 0 1`), 1e-6)).toBeCloseTo(Math.PI / 2, 3);
});
