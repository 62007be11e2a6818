import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Contour, flatten, looseBounds, readContours } from './pathData.ts';
import { clipToBox, joinOverlapping, MM_GRID, toEvenOdd, visibleParts } from './planar.ts';
import { hasDoubleWinding, overlappingPairs } from './scanlines.ts';
import { areaOf, box, circle } from './testShapes.ts';
import { createTouchTest } from './touching.ts';

const coordinate = fc.integer({ min: 0, max: 90 });
/** Deep enough for more than one boolean operation. */
const deep = { minLength: 12, maxLength: 40 };
const lens = (r: number, d: number) => 2 * r * r * Math.acos(d / (2 * r)) - (d / 2) * Math.sqrt(4 * r * r - d * d);

/** True where even-odd fills the polygons. */
function isInside(lines: readonly (readonly number[])[], x: number, y: number): boolean {
  let isIn = false;
  for (const line of lines) {
    for (let i = 0, j = line.length - 2; i < line.length; j = i, i += 2) {
      const [ax, ay, bx, by] = [line[i]!, line[i + 1]!, line[j]!, line[j + 1]!];
      if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) isIn = !isIn;
    }
  }
  return isIn;
}

describe('joining', () => {
  it('returns the area of both in curves, with lines only at crossings', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0.5, max: 19, noNaN: true }),
        fc.double({ min: 0, max: 6, noNaN: true }),
        (d, angle) => {
          const a = circle(50, 50, 10);
          const b = circle(50 + d * Math.cos(angle), 50 + d * Math.sin(angle), 10);
          const [union, ...rest] = joinOverlapping([a, b], MM_GRID);
          expect(rest).toEqual([]);
          expect(union).toHaveLength(1);
          expect(Math.abs(areaOf(union!))).toBeCloseTo(2 * Math.PI * 100 - lens(10, d), 0);
          const { commands } = union![0]!;
          expect(commands.filter((command) => command === 'L').length).toBeLessThanOrEqual(4);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('leaves outlines that only lie near each other unchanged', () => {
    const apart = [circle(0, 0, 10), circle(20.02, 0, 10), circle(0, 40, 3)];
    const outlines = joinOverlapping(apart, MM_GRID);
    outlines.forEach((contours, i) => {
      expect(contours).toBe(apart[i]);
    });
  });

  it('fills what the non-zero rule fills', () => {
    const overlap = [...circle(0, 0, 10), ...circle(5, 0, 10)];
    expect(hasDoubleWinding(overlap, 0.005)).toBe(true);
    const even = toEvenOdd(overlap, MM_GRID);
    expect(Math.abs(areaOf(even))).toBeCloseTo(200 * Math.PI - lens(10, 5), 0);
    expect(hasDoubleWinding(even, 0.005)).toBe(false);
    const ring = [...circle(0, 0, 10), ...readContours('M-5 -5L-5 5L5 5L5 -5Z')];
    expect(toEvenOdd(ring, MM_GRID)).toBe(ring);
  });
});

describe('cutting', () => {
  it('splits the area between the box and what is outside', () => {
    fc.assert(
      fc.property(fc.integer({ min: -9, max: 9 }), (x) => {
        const box = { minX: x, minY: -50, maxX: 50, maxY: 50 };
        const other = { minX: -50, minY: -50, maxX: x, maxY: 50 };
        const whole = circle(0, 0, 10);
        const [right, left] = [clipToBox(whole, box, true, MM_GRID), clipToBox(whole, other, true, MM_GRID)];
        expect(Math.abs(areaOf(left)) + Math.abs(areaOf(right))).toBeCloseTo(Math.PI * 100, 0);
        expect(looseBounds(right).minX).toBeGreaterThanOrEqual(x - 0.001);
        expect(right[0]!.commands).toContain('C');
      }),
    );
  });

  it('returns the same outline when it is inside, and nothing when it is outside', () => {
    const whole = circle(0, 0, 10);
    expect(clipToBox(whole, { minX: -10, minY: -10, maxX: 10, maxY: 10 }, true, MM_GRID)).toBe(whole);
    expect(clipToBox(whole, { minX: 11, minY: -10, maxX: 20, maxY: 10 }, true, MM_GRID)).toEqual([]);
  });
});

describe('visible parts', () => {
  const shape = (contours: Contour[], tone: string | undefined) => ({
    contours,
    tone,
    isOpaque: true,
    isKeptWhole: false,
  });

  it('add up to the visible picture', () => {
    const below = shape(circle(0, 0, 10), 'a');
    const above = shape(circle(8, 0, 10), 'b');
    const [cut, upper] = visibleParts([below, above], MM_GRID)!;
    expect(upper).toBe(above);
    expect(Math.abs(areaOf(cut!.contours))).toBeCloseTo(100 * Math.PI - lens(10, 8), 0);
    expect(overlappingPairs([cut!.contours, upper!.contours], 0.005)).toEqual([]);
  });

  it('leave out a shape that is wholly hidden', () => {
    const lower = shape(circle(0, 0, 5), 'a');
    const above = shape(circle(0, 0, 10), 'b');
    expect(visibleParts([lower, above], MM_GRID)).toEqual([above]);
  });

  it('are found for shapes far smaller than the drawing', () => {
    const speck = shape(circle(500.3, 500.7, 0.05), 'a');
    const over = shape(circle(500.3, 500.7, 0.06), 'b');
    const frame = shape(readContours('M0 0L1000 0L1000 1Z'), 'a');
    const base = shape(readContours('M0 999L1000 999L1000 1000Z'), 'a');
    expect(visibleParts([frame, base, speck, over], MM_GRID)).toEqual([frame, base, over]);
  });

  it('of deep stacks show the upper tone at each place, and no cracks', () => {
    const tones = ['a', 'b', 'c'];
    fc.assert(
      fc.property(fc.array(fc.tuple(coordinate, coordinate, fc.integer({ min: 2, max: 30 })), deep), (places) => {
        const shapes = places.map(([x, y, r], i) => shape(circle(x, y, r), tones[i % 3]));
        const parts = visibleParts(shapes, MM_GRID) ?? shapes;
        const areas = parts.flatMap(({ contours }) => contours.map((contour) => Math.abs(areaOf([contour]))));
        expect(Math.min(...areas)).toBeGreaterThan(1e-4);
        const pictures = parts.map(({ contours, tone }) => ({
          lines: contours.map((each) => flatten(each, 0.005)),
          tone,
        }));
        for (let x = -7.3; x < 100; x += 9.7) {
          for (let y = -6.1; y < 100; y += 9.3) {
            const distances = places.map(([cx, cy, r]) => Math.hypot(x - cx, y - cy) - r);
            // A circle of cubics is off by 0.03 % of its radius.
            if (distances.some((distance) => Math.abs(distance) < 0.02)) continue;
            const top = distances.findLastIndex((distance) => distance < 0);
            const topTones = pictures.filter(({ lines }) => isInside(lines, x, y)).map(({ tone }) => tone);
            expect(topTones).toEqual(top < 0 ? [] : [tones[top % 3]]);
          }
        }
      }),
      { numRuns: 15 },
    );
  });

  it('of rings in a stack are those between one circle and the next', () => {
    const stack = Array.from({ length: 40 }, (_, i) => shape(circle(50, 50, 41 - i), `${i % 3}`));
    const parts = visibleParts(stack, MM_GRID)!;
    expect(parts).toHaveLength(40);
    for (const [i, { contours }] of parts.entries()) {
      const r = 41 - i;
      expect(Math.abs(areaOf(contours)) / (Math.PI * (r * r - (i < 39 ? (r - 1) ** 2 : 0)))).toBeCloseTo(1, 2);
      expect(contours.every(({ commands }) => commands.join('') === 'CCCC')).toBe(true);
    }
  });

  it('ignore crumbs at shared edges, but not a shape inside another one', () => {
    // Left and right share the line x = 50, but for a spike of the right one, a tenth of a millimeter wide.
    const left = shape(box(0, 0, 50, 100), 'a');
    const right = shape(readContours('M50 0L100 0L100 100L50 100L50 40.3L49.9 40.2L50 40.1Z'), 'b');
    expect(visibleParts([left, right], MM_GRID)).toBeUndefined();
    expect(visibleParts([left, right], { ...MM_GRID, crumb: 0 })).toHaveLength(2);
    const deep = shape(readContours('M50 0L100 0L100 100L50 100L50 41L49 40.5L50 40Z'), 'b');
    expect(visibleParts([left, deep], MM_GRID)![0]).not.toBe(left);
    const strip = shape(box(49.8, 0, 50, 100), 'b');
    expect(visibleParts([left, strip], MM_GRID)![0]).not.toBe(left);

    const dot = shape(box(20, 30, 0.2, 0.25), 'b');
    const [ring] = visibleParts([left, dot], MM_GRID)!;
    expect(ring!.contours).toHaveLength(2);
    const hair = shape([...box(20, 30, 0.04, 60), ...box(70, 0, 20, 20)], 'b');
    expect(visibleParts([left, hair], MM_GRID)![0]!.contours).toHaveLength(2);
  });
});

describe('the touch test', () => {
  const region = (x: number, y: number, r: number) => [
    [
      { x: x - r, y },
      { x, y: y - r },
      { x: x + r, y },
      { x, y: y + r },
    ],
  ];
  const place = fc.tuple(...[60, 60].map((max) => fc.integer({ min: 0, max })), fc.integer({ min: 1, max: 40 }));

  it('is true for diamonds that meet, and false for those that do not', () => {
    fc.assert(
      fc.property(place, place, ([ax, ay, ar], [bx, by, br]) => {
        const distance = Math.abs(ax! - bx!) + Math.abs(ay! - by!);
        expect(createTouchTest(region(ax!, ay!, ar!))(region(bx!, by!, br!))).toBe(distance <= ar! + br!);
      }),
      { numRuns: 300 },
    );
  });

  it('knows holes', () => {
    const ring = [...region(0, 0, 50), ...region(0, 0, 30).map((path) => path.reverse())];
    const touches = createTouchTest(ring);
    expect(
      [region(0, 0, 29), region(0, 0, 30), region(40, 0, 5), region(0, 0, 60), region(90, 0, 39)].map(touches),
    ).toEqual([false, true, true, true, false]);
    expect(createTouchTest(region(0, 0, 29))(ring)).toBe(false);
  });
});
