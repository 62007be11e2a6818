/** Flat pictures, inks and shares of ink for tests of the light. */
import type { Flat } from '../src/light/flatten.ts';
import { type Inks, writeLab } from '../src/light/inks.ts';
import type { Mixes } from '../src/light/mixes.ts';

export type Rgb = readonly [number, number, number];

/** Returns a picture under even light, with nearly no noise, of a color for each pixel. */
export function makeFlat(width: number, height: number, paper: Rgb, colorAt: (x: number, y: number) => Rgb): Flat {
  const data = new Uint8ClampedArray(width * height * 4).fill(255);
  for (let p = 0; p < width * height; p++) data.set(colorAt(p % width, Math.floor(p / width)), p * 4);
  return { width, height, data, paper, grain: 0.6, noise: 0.6 };
}

/** Returns inks of given colors, paper first. */
export function makeInks(...colors: Rgb[]): Inks {
  const labs = new Float64Array(colors.length * 3);
  colors.forEach(([red, green, blue], k) => {
    writeLab(red, green, blue, labs, k * 3);
  });
  return { count: colors.length, colors: Float64Array.from(colors.flat()), labs, paperReach: 0.05, loose: 0 };
}

/** Returns one ink on paper with a share of each pixel, 0..1. */
export const makeMixes = (width: number, height: number, share: Float32Array): Mixes => ({
  width,
  height,
  first: new Uint8Array(share.length).fill(1),
  second: new Uint8Array(share.length),
  share: share.slice(),
  strange: 0,
});

/** Returns the root mean square of the differences of two fields. */
export const errorOf = (a: Float32Array, b: Float32Array): number =>
  Math.sqrt(a.reduce((sum, value, p) => sum + (value - b[p]) ** 2, 0) / a.length);

/** Returns the mix of two colors with a share, 0..1, of the second. */
export const mix = (a: Rgb, b: Rgb, share: number): Rgb => {
  const [red, green, blue] = a.map((byte, c) => byte + share * (b[c] - byte));
  return [red, green, blue];
};

/** Returns a number 0..1 that looks random, the same for the same pixel. */
export function randomAt(p: number): number {
  const wave = Math.sin(p * 12.9898) * 43758.5453;
  return wave - Math.floor(wave);
}
