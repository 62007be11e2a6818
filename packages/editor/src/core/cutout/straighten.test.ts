import type { Straightening } from '@markwright/scene';
import { describe, expect, test } from 'vitest';
import { angleOf, isTurnOnly, straightenCorners, toWholeSize, turnTo, wholeCorners } from './straighten.ts';

const picture = { width: 800, height: 600 };
const corners: Straightening['corners'] = [
  { x: 0.1, y: 0.12 },
  { x: 0.92, y: 0.05 },
  { x: 0.88, y: 0.9 },
  { x: 0.05, y: 0.95 },
];

describe('the angle of a picture', () => {
  test.each([0.1, 3.2, -12.5, 45, -45])('is the one it was set to: %f°', (angle) => {
    const straighten = turnTo(undefined, angle, picture);
    expect(angleOf(straighten, picture)).toBeCloseTo(angle, 6);
    expect(isTurnOnly(straighten, picture)).toBe(true);
    const { width, height } = toWholeSize(picture, { straighten });
    // Nothing of the picture is cut off.
    expect(width * height).toBeGreaterThan(picture.width * picture.height);
    expect(turnTo(straighten, 0, picture)).toBeUndefined();
  });

  test('turns corners that were set with the plane they show', () => {
    const straighten = straightenCorners(corners, picture)!;
    expect(isTurnOnly(straighten, picture)).toBe(false);
    const before = angleOf(straighten, picture);
    const turn = turnTo(straighten, before + 4, picture)!;
    expect(angleOf(turn, picture)).toBeCloseTo(before + 4, 3);
    expect(turn.aspect).toBe(straighten.aspect);
    const back = turnTo(turn, before, picture)!;
    back.corners.forEach(({ x, y }, i) => {
      expect(x).toBeCloseTo(corners[i]!.x, 3);
      expect(y).toBeCloseTo(corners[i]!.y, 3);
    });
  });
});

test('corners of the picture itself change nothing, and corners that cross are none', () => {
  expect(straightenCorners(wholeCorners, picture)).toBeUndefined();
  const [a, b, c, d] = corners;
  expect(straightenCorners([a, c, b, d], picture)).toBeUndefined();
  expect(straightenCorners([a, b, { x: 0.3, y: 0.2 }, d], picture)).toBeUndefined();
});

test('a rectangle keeps its proportions', () => {
  const part = straightenCorners(
    [
      { x: 0.25, y: 0.25 },
      { x: 0.75, y: 0.25 },
      { x: 0.75, y: 0.5 },
      { x: 0.25, y: 0.5 },
    ],
    picture,
  )!;
  expect(part.aspect).toBeCloseTo(400 / 150, 9);
  expect(toWholeSize(picture, { straighten: part })).toEqual({ width: 400, height: 150 });
});
