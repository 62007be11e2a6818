import { describe, expect, test } from 'vitest';
import { makeFlat, makeInks, mix, type Rgb } from '../../test/flats.ts';
import { findCores, UNKNOWN } from './cores.ts';

const [WIDTH, HEIGHT] = [160, 120];
const PAPER: Rgb = [231, 231, 231];
const BLUE: Rgb = [40, 70, 170];
const LAMP: Rgb = [225, 228, 235];
const inks = makeInks(PAPER, BLUE);

const isInBlock = (x: number, y: number): boolean => x >= 20 && x < 140 && y >= 20 && y < 100;
/** Labels a block of blue on paper, in which a glare of some strength lies at each pixel. */
const labelBlock = (glareAt: (x: number, y: number) => number): Uint8Array =>
  findCores(
    makeFlat(WIDTH, HEIGHT, PAPER, (x, y) => (isInBlock(x, y) ? mix(BLUE, LAMP, glareAt(x, y)) : PAPER)),
    inks,
  ).core;
describe('findCores', () => {
  test('gives the middle of a glare to the ink that it lies on', () => {
    const core = labelBlock((x, y) => 0.6 * Math.exp(-((Math.hypot(x - 80, y - 60) / 24) ** 2)));
    expect(core[60 * WIDTH + 80]).toBe(1);
    expect(core[60 * WIDTH + 30]).toBe(1);
    expect(core[10 * WIDTH + 10]).toBe(0);
  });

  test('leaves many pale places in an ink unknown: they are its grain', () => {
    const core = labelBlock((x, y) => 0.6 * Math.exp(-((Math.hypot((x % 20) - 10, (y % 20) - 10) / 9) ** 2)));
    expect(core[70 * WIDTH + 70]).toBe(UNKNOWN);
  });
});
