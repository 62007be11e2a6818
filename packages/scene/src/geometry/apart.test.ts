import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findApart, isWiderThan } from './apart.ts';
import { flatten, readContours } from './pathData.ts';

const GAP = 0.2;
const place = fc.double({ min: 0, max: 12, noNaN: true });
const dots = fc.array(fc.record({ x: place, y: place, radius: fc.double({ min: 0.2, max: 2, noNaN: true }) }), {
  minLength: 2,
  maxLength: 30,
});
const circle = ({ x, y, radius }: { x: number; y: number; radius: number }) => {
  const at = (i: number) => `${x + radius * Math.cos(i / 2)} ${y + radius * Math.sin(i / 2)}`;
  return readContours(`M${Array.from({ length: 12 }, (_, i) => at(i)).join('L')}Z`)[0]!;
};

test('no contour that keeps apart has a point of another one nearer than the gap, or inside', () => {
  let count = 0;
  fc.assert(
    fc.property(dots, (all) => {
      const contours = all.map(circle);
      const apart = findApart(contours, GAP);
      const lines = contours.map((contour) => flatten(contour, 0.01));
      all.forEach(({ x, y, radius }, i) => {
        if (!apart[i]) return;
        count++;
        for (const [j, line] of lines.entries()) {
          if (j === i) continue;
          // The polygon lies within its circle, and reaches 97 % of its radius everywhere.
          for (let p = 0; p < line.length; p += 2) {
            expect(Math.hypot(line[p]! - x, line[p + 1]! - y)).toBeGreaterThan(0.96 * radius + 0.96 * GAP);
          }
        }
      });
    }),
  );
  expect(count).toBeGreaterThan(20);
});

test('neighbors in a row keep apart by the gap between them, and not by more', () => {
  const row = readContours('M0 0L1 0L1 1L0 1ZM1.3 0L2.3 0L2.3 1L1.3 1ZM2.6 0L3.6 0L3.6 1L2.6 1Z');
  expect([...findApart(row, 0.29)]).toEqual([1, 1, 1]);
  expect([...findApart(row, 0.31)]).toEqual([0, 0, 0]);
});

test('a contour that crosses itself, or has another one in it, keeps apart from none', () => {
  expect([...findApart(readContours('M0 0L2 2L0 2L2 0ZM5 5L9 5L9 9L5 9ZM6 6L7 6L7 7L6 7Z'), 0)]).toEqual([0, 0, 0]);
});

test('a needle is not wide', () => {
  const [needle, square] = readContours('M0 0L10 10L10.01 10ZM0 0L1 0L1 1L0 1Z');
  expect(isWiderThan(needle!, 0.01)).toBe(false);
  expect(isWiderThan(square!, 0.5)).toBe(true);
});
