import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Artwork } from '../artwork/artwork.ts';
import { reframeArtwork } from '../artwork/reframeArtwork.ts';
import { isSameCrop, straightenCrop, toCrop } from './crop.ts';

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

it('a crop keeps its middle and its lengths when the picture is straightened', () => {
  const picture = { width: 400, height: 300 };
  const at = (x: number, y: number) => ({ x, y });
  // A part of the picture that is upright already.
  const inner = { corners: [at(0.25, 0.2), at(0.75, 0.2), at(0.75, 0.8), at(0.25, 0.8)] as const, aspect: 200 / 180 };
  const straight = straightenCrop({ x: 0.5, y: 0.5, width: 0.125, height: 0.15 }, inner, picture)!;
  for (const [key, value] of Object.entries({ x: 0.5, y: 0.5, width: 0.25, height: 0.25 })) {
    expect(straight[key as 'x']).toBeCloseTo(value, 9);
  }
  expect(straightenCrop({ x: 0, y: 0, width: 0.1, height: 0.1 }, inner, picture)).toBeUndefined();

  const share = fc.double({ min: -0.15, max: 0.15, noNaN: true });
  fc.assert(
    fc.property(fc.array(share, { minLength: 8, maxLength: 8 }), (by) => {
      const corners = [at(0.2, 0.2), at(0.8, 0.2), at(0.8, 0.8), at(0.2, 0.8)].map(({ x, y }, i) =>
        at(x + by[2 * i]!, y + by[2 * i + 1]!),
      ) as unknown as (typeof inner)['corners'];
      // The diagonals of a quadrilateral meet where those of its rectangle do.
      const [a, b, c, d] = corners;
      const cross = (p: typeof a, q: typeof a) => p.x * q.y - p.y * q.x;
      const [ac, bd] = [at(c.x - a.x, c.y - a.y), at(d.x - b.x, d.y - b.y)];
      const along = cross(at(b.x - a.x, b.y - a.y), bd) / cross(ac, bd);
      const meeting = at(a.x + along * ac.x, a.y + along * ac.y);
      const tiny = { x: meeting.x - 5e-4, y: meeting.y - 5e-4, width: 1e-3, height: 1e-3 };
      const crop = straightenCrop(tiny, { corners, aspect: 1.3 }, picture)!;
      expect(crop.x + crop.width / 2).toBeCloseTo(0.5, 6);
      expect(crop.y + crop.height / 2).toBeCloseTo(0.5, 6);
    }),
  );
});
