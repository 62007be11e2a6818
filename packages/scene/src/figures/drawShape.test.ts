import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { ShapeElement } from '../document/composition.ts';
import { emptyComposition, newShape } from '../document/initial.ts';
import { SHAPE_FORMS } from '../document/limits.ts';
import { regularAspect } from '../document/regularAspect.ts';
import { measureFilled } from '../geometry/filledArea.ts';
import { lengthOf } from '../geometry/measure.ts';
import { flatten, tightBounds } from '../geometry/pathData.ts';
import { joinOutlines, MM_GRID } from '../geometry/planar.ts';
import { buildJob } from '../production/buildJob.ts';
import type { OutlinePlate } from '../production/job.ts';
import { resolveScene } from '../resolve/resolve.ts';
import { drawShape } from './drawShape.ts';
import { createFigures } from './figures.ts';

const forms = SHAPE_FORMS.filter((form) => form !== 'line' && form !== 'arc');
/** A square with a hole. */
const OUTLINE = 'M0 0L30 0L30 30L0 30ZM10 10L20 10L20 20L10 20Z';
const sideMm = fc.double({ min: 8, max: 90, noNaN: true }).map((mm) => Number(mm.toFixed(2)));
const shapes: fc.Arbitrary<ShapeElement> = fc
  .record({
    form: fc.constantFrom(...forms),
    widthMm: sideMm,
    heightMm: sideMm,
    isFilled: fc.boolean(),
    strokeMm: fc.double({ min: 0.2, max: 2, noNaN: true }),
    cornerMm: fc.double({ min: 0, max: 60, noNaN: true }),
    sides: fc.integer({ min: 3, max: 12 }),
    points: fc.integer({ min: 3, max: 24 }),
    innerPercent: fc.integer({ min: 10, max: 95 }),
  })
  .map(({ isFilled, strokeMm, ...rest }) => ({
    ...newShape('s'),
    ...rest,
    ...(!isFilled && { strokeMm }),
    ...(rest.form === 'outline' && { outline: OUTLINE }),
  }));

it('is as wide and as high as it says, filled or as an outline', () => {
  fc.assert(
    fc.property(shapes, (shape) => {
      const { fill, lines } = drawShape(shape);
      for (const contours of [fill, lines]) {
        const { minX, minY, maxX, maxY } = tightBounds(contours);
        expect(minX).toBeCloseTo(0, 3);
        expect(minY).toBeCloseTo(0, 3);
        expect(maxX).toBeCloseTo(shape.widthMm, 3);
        expect(maxY).toBeCloseTo(shape.heightMm, 3);
      }
      expect(fill.every(({ isClosed }) => isClosed)).toBe(true);
    }),
    { numRuns: 300 },
  );
});

it('an outline is a band of its width along the edge', () => {
  const shape = { ...newShape('s'), widthMm: 40, heightMm: 25, strokeMm: 1.5 };
  const bandOf = (changes: Partial<ShapeElement>) => measureFilled(drawShape({ ...shape, ...changes }).fill);
  expect(bandOf({ form: 'rectangle' })).toBeCloseTo(40 * 25 - 37 * 22, 2);
  expect(bandOf({ form: 'ellipse', heightMm: 40 })).toBeCloseTo(Math.PI * (20 ** 2 - 18.5 ** 2), 0);
  // Of an outline with a hole, both edges have a band, within what was filled.
  const withHole = bandOf({ form: 'outline', outline: OUTLINE, widthMm: 30, heightMm: 30 });
  expect(withHole).toBeCloseTo(30 ** 2 - 27 ** 2 + 13 ** 2 - 10 ** 2, 2);
  const edge = drawShape({ ...shape, form: 'shield', strokeMm: 0.2 });
  expect(measureFilled(edge.fill) / (lengthOf(edge.lines[0]!) * 0.2)).toBeCloseTo(1, 1);
  // A line as wide as the shape leaves nothing free.
  expect(bandOf({ form: 'rectangle', strokeMm: 20 })).toBeCloseTo(40 * 25, 2);
});

it('a line is as long as it says and as wide as its line, and a tool follows its middle', () => {
  const { fill, lines } = drawShape({ ...newShape('s'), form: 'line', widthMm: 40, strokeMm: 0.8 });
  const { minX, minY, maxX, maxY } = tightBounds(fill);
  expect([maxX - minX, maxY - minY]).toEqual([40, 0.8].map((mm) => expect.closeTo(mm, 3)));
  expect(lines).toEqual([{ commands: ['L'], points: [0, 0, 40, 0], isClosed: false }]);
});

it('an arc follows its ellipse, and sweeps as far as it says', () => {
  const shape = { ...newShape('s'), form: 'arc', widthMm: 42, heightMm: 42, strokeMm: 2 } as const;
  for (const sweepDeg of [30, 90, 180, 270, 350]) {
    const { lines } = drawShape({ ...shape, sweepDeg });
    expect(lengthOf(lines[0]!)).toBeCloseTo((20 * sweepDeg * Math.PI) / 180, 1);
    const points = flatten(lines[0]!, 0.001);
    for (let i = 0; i < points.length; i += 2) expect(Math.hypot(points[i]!, points[i + 1]!)).toBeCloseTo(20, 1);
  }
});

it('a polygon of its own proportions has equal sides', () => {
  for (let sides = 3; sides <= 12; sides++) {
    const shape = { ...newShape('s'), form: 'polygon', sides, widthMm: 30 } as const;
    const { points } = drawShape({ ...shape, heightMm: 30 / regularAspect(shape) }).lines[0]!;
    const lengths = Array.from({ length: sides }, (_, i) => {
      const [x, y] = [points[2 * i]!, points[2 * i + 1]!];
      const next = (2 * i + 2) % points.length;
      return Math.hypot(points[next]! - x, points[next + 1]! - y);
    });
    for (const length of lengths) expect(length).toBeCloseTo(lengths[0]!, 6);
  }
});

it('is engraved as its band, and cut along its edge, in the file of a laser', () => {
  const plates = (operation: 'engrave' | 'cut') => {
    const element = { ...newShape('s'), form: 'star', widthMm: 40, heightMm: 30, strokeMm: 1, operation } as const;
    const composition = { ...emptyComposition, elements: [element] };
    const fonts = { outline: () => undefined };
    const scene = resolveScene(composition, {
      product: undefined,
      artworks: new Map(),
      fonts,
      figures: createFigures(),
    });
    return buildJob(scene).plates as OutlinePlate[];
  };
  const [engraving, ...others] = plates('engrave');
  expect(others).toEqual([]);
  expect(engraving!.id).toBe('engrave-c00');
  expect(engraving!.outlines.flatMap(({ contours }) => contours)).toHaveLength(2);
  const [cut] = plates('cut');
  expect(cut!.id).toBe('cut-c02');
  const contours = cut!.outlines.flatMap(({ contours }) => contours);
  expect(contours).toHaveLength(1);
  const { minX, maxX } = tightBounds(contours);
  expect(maxX - minX).toBeCloseTo(40, 3);
});

it('ornaments of a frame keep their size and do not touch: a longer frame has more of them', () => {
  const piecesOf = (form: ShapeElement['form'], widthMm: number) => {
    const { fill } = drawShape({ ...newShape('s'), form, widthMm, heightMm: 30, strokeMm: 1, cornerMm: 4 });
    // What overlapped or touched would be joined.
    expect(
      joinOutlines(
        fill.map((contour) => [contour]),
        MM_GRID,
      ),
    ).toHaveLength(fill.length);
    return fill.map((contour) => measureFilled([contour]));
  };
  for (const form of ['stitchFrame', 'dotFrame', 'ropeFrame', 'stitchRing', 'dotRing', 'ropeRing'] as const) {
    const [short, long] = [piecesOf(form, 30), piecesOf(form, 60)];
    expect(long.length).toBeGreaterThan(1.25 * short.length);
    const mean = (areas: readonly number[]) => areas.reduce((sum, area) => sum + area, 0) / areas.length;
    expect(mean(long) / mean(short)).toBeCloseTo(1, 1);
    // On an ellipse, and round corners, they are bent a little.
    expect(Math.min(...long) / Math.max(...long)).toBeGreaterThan(0.75);
  }
});

it('a frame of two lines is a wide one and a thin one with a gap between', () => {
  const shape = { ...newShape('s'), form: 'doubleFrame', widthMm: 40, heightMm: 30, strokeMm: 1 } as const;
  const rectangle = (inset: number) => (40 - 2 * inset) * (30 - 2 * inset);
  const area = rectangle(0) - rectangle(1) + rectangle(2) - rectangle(2.4);
  expect(measureFilled(drawShape(shape).fill)).toBeCloseTo(area, 1);
});
