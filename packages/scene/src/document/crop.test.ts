import { expect, it } from 'vitest';
import type { Artwork } from '../artwork/artwork.ts';
import { reframeArtwork } from '../artwork/reframeArtwork.ts';
import { isSameCrop, toCrop } from './crop.ts';

const shape = { fill: '#000000', stroke: undefined, strokeWidth: 0, opacity: 1 };
const artwork: Artwork = { width: 200, height: 100, shapes: [{ ...shape, d: 'M50 50L150 50L150 80Z' }] };
const right = { x: 0.5, y: 0, width: 0.5, height: 1 };

it('toCrop clamps to the picture and returns undefined for all of it', () => {
  expect(toCrop({ x: -1, y: 0.5, width: 1.5, height: 3 })).toEqual({ x: 0, y: 0.5, width: 0.5, height: 0.5 });
  expect(toCrop({ x: -1, y: -1, width: 5, height: 5 })).toBeUndefined();
  expect(toCrop({ x: 2, y: 0, width: 1, height: 1 })).toBeUndefined();
  expect(toCrop({ x: Number.NaN, y: 0, width: 1, height: 1 })).toBeUndefined();
  expect(isSameCrop(undefined, { x: 0, y: 0, width: 1, height: 1 })).toBe(true);
  expect(isSameCrop(right, { ...right, width: 0.4 })).toBe(false);
});

it('reframing an artwork keeps the distance of its shapes from the picture’s corner', () => {
  const result = reframeArtwork(artwork, undefined, right);
  expect(result).toMatchObject({ width: 100, height: 100, shapes: [{ d: 'M-50 50L50 50L50 80Z' }] });
  expect(reframeArtwork(result, right, undefined)).toMatchObject(artwork);
  expect(reframeArtwork(artwork, right, { ...right })).toBe(artwork);
});

it('reframing also moves the cutouts, computed on demand', () => {
  const laser = reframeArtwork({ ...artwork, cutouts: [{ ...shape, d: 'M60 0L70 0L70 9Z' }] }, undefined, right);
  expect(laser.cutouts).toMatchObject([{ d: 'M-40 0L-30 0L-30 9Z' }]);
});
