import { describe, expect, test } from 'vitest';
import { makeFlat, makeInks, mix, type Rgb } from '../../test/flats.ts';
import type { Flat } from './flatten.ts';
import { joinTones } from './joinTones.ts';

const [WIDTH, HEIGHT] = [160, 60];
const UNKNOWN = 255;
const PAPER: Rgb = [231, 231, 231];
const GRAY: Rgb = [99, 97, 99];
const PURPLE: Rgb = [104, 55, 129];
/** Purple through which paper shows, as a camera saw it. */
const PALE: Rgb = [131, 101, 148];
const inks = makeInks(PAPER, GRAY, PURPLE);

const isInBar = (y: number): boolean => y >= 20 && y < 40;
/** Returns a bar from end to end, whose color depends on how far along it is, on paper. */
const drawBar = (colorAt: (x: number) => Rgb): Flat =>
  makeFlat(WIDTH, HEIGHT, PAPER, (x, y) => (isInBar(y) ? colorAt(x) : PAPER));

/** Labels the bar as purple, and gray between two places. */
const labelBar = (from: number, to: number): Uint8Array =>
  Uint8Array.from({ length: WIDTH * HEIGHT }, (_, p) => {
    if (!isInBar(Math.floor(p / WIDTH))) return 0;
    return p % WIDTH >= from && p % WIDTH < to ? 1 : 2;
  });

/** 1 within 20 px of the middle of the bar, 0 far from it, and a fade of so many pixels between. */
const fadeAt = (x: number, length: number): number =>
  Math.max(0, Math.min(1, (20 + length - Math.abs(x - 80)) / length));

describe('joinTones', () => {
  test('gives a pale part of a bar to the ink that it fades into', () => {
    const core = labelBar(56, 104);
    joinTones(
      core,
      UNKNOWN,
      drawBar((x) => mix(PURPLE, PALE, fadeAt(x, 20))),
      inks,
    );
    expect(core).toEqual(labelBar(0, 0));
  });

  test('keeps a pale ink that meets another at an edge', () => {
    const core = labelBar(58, 102);
    joinTones(
      core,
      UNKNOWN,
      drawBar((x) => mix(PURPLE, PALE, fadeAt(x, 3))),
      inks,
    );
    expect(core).toEqual(labelBar(58, 102));
  });

  test('keeps an ink of another hue, though one fades into the other', () => {
    const core = labelBar(56, 104);
    joinTones(
      core,
      UNKNOWN,
      drawBar((x) => mix(PURPLE, GRAY, fadeAt(x, 20))),
      inks,
    );
    expect(core).toEqual(labelBar(56, 104));
  });
});
