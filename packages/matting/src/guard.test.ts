import { expect, test } from 'vitest';
import { removeBackground } from './background.ts';
import { findLost } from './guard.ts';

const SIDE = 60;
const plane = (valueAt: (x: number, y: number) => number) =>
  Float32Array.from({ length: SIDE * SIDE }, (_, i) => valueAt(i % SIDE, Math.floor(i / SIDE)));
const isWithin = (x: number, y: number, radius: number) => Math.hypot(x - SIDE / 2, y - SIDE / 2) < radius;

/** A mask over the middle, of which the refinement keeps nothing; the picture is gray 60 there, or `inside`. */
function refinement(inside: number, radius = 15) {
  const gray = plane((x, y) => (isWithin(x, y, radius) ? inside : 60));
  const ground = plane(() => 60);
  return {
    width: SIDE,
    height: SIDE,
    planes: [gray, gray, gray],
    mask: plane((x, y) => (isWithin(x, y, radius) ? 200 : 0)),
    shares: plane(() => 0),
    ground: [ground, ground, ground],
    spread: plane(() => 30),
  };
}
const count = (marks: Uint8Array) => marks.reduce((sum, is) => sum + is, 0);

test('an area that the network saw, of other colors than the background, is lost', () => {
  expect(count(findLost(refinement(140)))).toBeGreaterThan(0.95 * Math.PI * 15 ** 2);
});

test('an area of the background’s colors is cleared rightly', () => {
  expect(count(findLost(refinement(64)))).toBe(0);
});

test('a gap between hairs is not judged', () => {
  expect(count(findLost(refinement(140, 3)))).toBe(0);
});

test('areas are judged one by one', () => {
  const isLeft = (x: number) => x < SIDE / 2;
  const { planes: _planes, mask: _mask, ...rest } = refinement(60);
  const gray = plane((x) => (isLeft(x) ? 140 : 62));
  const mask = plane((x) => (Math.abs(x - SIDE / 2) < 5 ? 0 : 200));
  const isLost = findLost({ ...rest, planes: [gray, gray, gray], mask });
  for (let i = 0; i < isLost.length; i++) expect(isLost[i]).toBe(mask[i]! > 0 && isLeft(i % SIDE) ? 1 : 0);
});

test('a drink of a third color, of which the network is nearly sure, stays in its glass', () => {
  const [width, height] = [160, 120];
  const data = new Uint8Array(4 * width * height).fill(255);
  const mask = new Uint8Array(width * height);
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i++) {
      const off = y < 30 ? Infinity : Math.max(Math.abs(x - 80), Math.abs(y - 60));
      // A wall of two colors, a bright glass of 6 px that is open above, and a drink in it, darker than the wall.
      const color = off < 34 ? [96, 60, 20] : off < 40 ? [225, 230, 235] : x < 20 ? [150, 130, 110] : [105, 82, 66];
      data.set(color, 4 * i);
      mask[i] = off < 34 ? 205 : off < 40 ? 255 : 0;
    }
  }
  const cut = removeBackground({ width, height, data }, { mask: { width, height, data: mask } })!;
  let solid = 0;
  for (let y = 34; y < 90; y++) for (let x = 50; x < 110; x++) if (cut.data[4 * (y * width + x) + 3]! > 200) solid++;
  expect(solid).toBeGreaterThan(0.95 * 56 * 60);
});
