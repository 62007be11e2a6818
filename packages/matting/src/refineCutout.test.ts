import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Picture } from './picture.ts';
import { type BrushStroke, refineCutout } from './refineCutout.ts';

const RED = [200, 16, 46] as const;
const GROUND = [90, 140, 180] as const;
const plain = { edgeShift: 0, feather: 0, strokes: [] };

/**
 * Returns a red disk over a plain background, and its cut-out with a soft edge of one pixel. The radius is in longer
 * sides.
 */
function disk(side: number, radius: number): { original: Picture; cutout: Picture } {
  const original = { width: side, height: side, data: new Uint8Array(4 * side * side) };
  const cutout = { width: side, height: side, data: new Uint8Array(4 * side * side) };
  for (let i = 0; i < side * side; i++) {
    const away = Math.hypot((i % side) + 0.5 - side / 2, Math.floor(i / side) + 0.5 - side / 2);
    const share = Math.min(1, Math.max(0, radius * side - away + 0.5));
    for (let k = 0; k < 3; k++) {
      original.data[4 * i + k] = Math.round(RED[k]! * share + GROUND[k]! * (1 - share));
      cutout.data[4 * i + k] = share > 0 ? RED[k]! : 0;
    }
    original.data[4 * i + 3] = 255;
    cutout.data[4 * i + 3] = Math.round(255 * share);
  }
  return { original, cutout };
}
const at = ({ width, data }: Picture, x: number, y: number) => [
  ...data.subarray(4 * (y * width + x), 4 * (y * width + x) + 4),
];
const alphas = ({ data }: Picture) => data.filter((_value, i) => i % 4 === 3);
const area = (picture: Picture) => alphas(picture).reduce((sum, alpha) => sum + alpha / 255, 0);
/** Returns the radius of a disk of the same area, in longer sides. */
const radiusOf = (picture: Picture) => Math.sqrt(area(picture) / Math.PI) / picture.width;

const small = () => {
  const side = 24;
  const data = fc.uint8Array({ minLength: 4 * side * side, maxLength: 4 * side * side });
  return fc.record({ original: data, cutout: data }).map(({ original, cutout }) => ({
    original: { width: side, height: side, data: original.map((value, i) => (i % 4 === 3 ? 255 : value)) },
    cutout: { width: side, height: side, data: cutout },
  }));
};
const anyStroke = (): fc.Arbitrary<BrushStroke> =>
  fc.record({
    mode: fc.constantFrom('keep', 'erase'),
    radius: fc.double({ min: 0.02, max: 0.3, noNaN: true }),
    points: fc
      .array(fc.tuple(fc.double({ min: -0.2, max: 1.2, noNaN: true }), fc.double({ min: 0, max: 1, noNaN: true })), {
        minLength: 1,
        maxLength: 5,
      })
      .map((points) => points.flat()),
  });

test('returns the cut-out unchanged without refinements, and never changes its arguments', () => {
  fc.assert(
    fc.property(
      small(),
      anyStroke(),
      fc.integer({ min: -100, max: 100 }),
      ({ original, cutout }, stroke, edgeShift) => {
        expect(refineCutout(original, cutout, plain)).toEqual(cutout);
        const before = [original.data.slice(), cutout.data.slice()];
        const result = refineCutout(original, cutout, { edgeShift, feather: 90, strokes: [stroke] });
        expect([original.data, cutout.data]).toEqual(before);
        expect([result.width, result.height, result.data.length]).toEqual([24, 24, 4 * 24 * 24]);
      },
    ),
    { numRuns: 10 },
  );
});

describe('the edge', () => {
  test.each([120, 300])('moves by the same share of a picture of %i pixels, including fractions of a pixel', (side) => {
    const { original, cutout } = disk(side, 0.3);
    for (const edgeShift of [-20, -5, -1, 1, 2, 5, 20]) {
      const radius = radiusOf(refineCutout(original, cutout, { ...plain, edgeShift }));
      // A fifth of a pixel.
      expect(Math.abs(radius - 0.3 - edgeShift / 1000)).toBeLessThan(0.2 / side);
    }
  });

  test('never shrinks the object when it moves further out', () => {
    const shift = fc.double({ min: -120, max: 120, noNaN: true });
    fc.assert(
      fc.property(small(), shift, shift, ({ original, cutout }, one, other) => {
        const [inner, outer] = [Math.min(one, other), Math.max(one, other)].map((edgeShift) =>
          alphas(refineCutout(original, cutout, { ...plain, edgeShift })),
        );
        // Values between two pixels are interpolated and rounded.
        expect(inner!.every((alpha, i) => alpha <= outer![i]! + 1)).toBe(true);
      }),
      { numRuns: 40 },
    );
  });

  test('reveals the original picture when it moves out', () => {
    const { original, cutout } = disk(100, 0.3);
    const result = refineCutout(original, cutout, { ...plain, edgeShift: 60 });
    expect(at(result, 84, 50)).toEqual([...GROUND, 255]);
    expect(at(result, 50, 50)).toEqual([...RED, 255]);
    expect(at(result, 95, 50)[3]).toBe(0);
  });

  test('does not exist at the border of the picture', () => {
    const data = new Uint8Array(4 * 30 * 20).fill(255);
    const solid = { width: 30, height: 20, data };
    expect(refineCutout(solid, solid, { edgeShift: -90, feather: 90, strokes: [] })).toEqual(solid);
  });

  test.each([120, 300])('fades over the same share of a picture of %i pixels, in the object’s color', (side) => {
    const { original, cutout } = disk(side, 0.3);
    const result = refineCutout(original, cutout, { ...plain, feather: 40 });
    expect(Math.abs(radiusOf(result) - 0.3)).toBeLessThan(0.003);
    const middle = side / 2;
    const alphaAt = (radius: number) => at(result, Math.round(middle + radius * side), middle)[3]!;
    expect([alphaAt(0.24), alphaAt(0.36)]).toEqual([255, 0]);
    expect(alphaAt(0.28)).toBeLessThan(255);
    expect(alphaAt(0.32)).toBeGreaterThan(0);
    const others = alphas(result).filter((alpha, i) => alpha > 2 && Math.abs(result.data[4 * i]! - RED[0]) > 2);
    expect(others.length).toBe(0);
  });
});

describe('the brush', () => {
  const { original, cutout } = disk(100, 0.3);
  const dab = (mode: 'keep' | 'erase', x: number, y: number): BrushStroke => ({ mode, radius: 0.08, points: [x, y] });
  const paint = (...strokes: BrushStroke[]) => refineCutout(original, cutout, { ...plain, strokes });

  test('keeps and erases with a soft rim, and changes nothing beyond it', () => {
    const result = paint(dab('keep', 0.1, 0.1), dab('erase', 0.5, 0.5));
    expect(at(result, 10, 10)).toEqual([...GROUND, 255]);
    expect(at(result, 50, 50)[3]).toBe(0);
    expect(at(result, 57, 50)[3]).toBeGreaterThan(0);
    expect(at(result, 57, 50)[3]).toBeLessThan(255);
    expect(at(result, 60, 50)).toEqual(at(cutout, 60, 50));
  });

  test('paints along its whole line, and later strokes override earlier ones', () => {
    const line: BrushStroke = { mode: 'erase', radius: 0.05, points: [0.2, 0.5, 0.5, 0.5, 0.8, 0.5] };
    expect([20, 35, 50, 65, 79].map((x) => at(paint(line), x, 50)[3])).toEqual([0, 0, 0, 0, 0]);
    expect(at(paint(line, dab('keep', 0.5, 0.5)), 50, 50)).toEqual([...RED, 255]);
    expect(at(paint(dab('keep', 0.5, 0.5), line), 50, 50)[3]).toBe(0);
  });

  test('gives the same result when a stroke crosses itself', () => {
    const there = [0.3, 0.3, 0.6, 0.6];
    const once = paint({ mode: 'erase', radius: 0.05, points: there });
    const twice = paint({ mode: 'erase', radius: 0.05, points: [...there, 0.3, 0.3] });
    expect(twice).toEqual(once);
  });

  test('restores the original when a keep stroke covers everything', () => {
    fc.assert(
      fc.property(small(), fc.array(anyStroke(), { maxLength: 3 }), ({ original, cutout }, strokes) => {
        const all: BrushStroke = { mode: 'keep', radius: 2, points: [0.5, 0.5] };
        const result = refineCutout(original, cutout, { edgeShift: -30, feather: 20, strokes: [...strokes, all] });
        expect(result).toEqual(original);
      }),
      { numRuns: 15 },
    );
  });
});

test('dilates at least by the disc, inside and outside of shapes', () => {
  // Compares with the definition for whole radii, where no value within a row is interpolated.
  const side = 24;
  fc.assert(
    fc.property(small(), fc.integer({ min: 1, max: 4 }), ({ original, cutout }, radius) => {
      const newAlpha = alphas(refineCutout(original, cutout, { ...plain, edgeShift: (1000 * radius) / side }));
      const alpha = alphas(cutout);
      for (let i = 0; i < side * side; i++) {
        const [x, y] = [i % side, Math.floor(i / side)];
        let most = 0;
        for (let dy = -radius; dy <= radius; dy++) {
          for (let dx = -radius; dx <= radius; dx++) {
            const isIn = dx * dx + dy * dy <= radius * radius && x + dx >= 0 && x + dx < side && y + dy >= 0;
            if (isIn && y + dy < side) most = Math.max(most, alpha[(y + dy) * side + x + dx]!);
          }
        }
        if (newAlpha[i]! < most) return false;
      }
      return true;
    }),
    { numRuns: 20 },
  );
});
