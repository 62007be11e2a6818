import { describe, expect, test } from 'vitest';
import { areaOf, type Color, draw, ringsOf } from '../../test/raster.ts';
import { addNoise } from '../../test/scenes.ts';
import { vectorize } from '../index.ts';

const SIZE = 160;
const gray = (level: number): Color => [level, level, level, 255];

/** Draws a disk of an ink before paper, with noise of so many levels, and returns the areas of its trace in black. */
function traceDisk(ink: number, paper: number, radius: number, noise: number): number[] {
  const isInside = (x: number, y: number): boolean => Math.hypot(x - 80, y - 80) < radius;
  const art = draw(SIZE, SIZE, gray(paper), [{ color: gray(ink), isInside }]);
  const drawing = vectorize(noise > 0 ? addNoise(art, noise, 11) : art, { colorMode: 'monochrome' });
  return ringsOf(drawing).map(({ ring }) => Math.abs(areaOf(ring)));
}

describe('art of low contrast in black finds its threshold by itself', () => {
  test.each([
    ['pale gray before white', 236, 252, 40, 0],
    ['pale gray before white, with noise', 228, 252, 40, 2],
    ['gray before gray', 140, 152, 40, 0],
    ['gray before gray, with noise', 128, 152, 40, 2],
    ['near black before black', 20, 34, 40, 0],
    ['a hundredth of the picture', 215, 240, 9, 1],
  ])('%s', (_name, ink, paper, radius, noise) => {
    const areas = traceDisk(ink, paper, radius, noise);
    expect(areas).toHaveLength(1);
    expect(areas[0]! / (Math.PI * radius ** 2)).toBeCloseTo(1, 1);
  });
});
