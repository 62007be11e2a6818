import fc from 'fast-check';
import { expect, test } from 'vitest';
import { growBy, moveBy, type PrintArea, pictureInches, pullCorner, resize, writeDimensions } from './printArea.ts';

const side = fc.double({ min: 0.1, max: 40, noNaN: true });
const fraction = fc.double({ min: 0, max: 1, noNaN: true });
const aspect = fc.double({ min: 0.3, max: 3, noNaN: true });

/** Makes print areas anywhere on a picture, in the shape of their size. */
const start = fc
  .record({ w: side, h: side, x: fraction, y: fraction, size: fc.double({ min: 0.02, max: 1, noNaN: true }), aspect })
  .map((sample) => {
    const dimensions = writeDimensions(sample.w, sample.h);
    const whole: PrintArea = { dimensions, printArea: { x: 0, y: 0, width: sample.size, height: 1 } };
    const area = resize(whole, dimensions, sample.aspect);
    return { area: moveBy(area, sample.x, sample.y), aspect: sample.aspect };
  });

const steps = fc.array(
  fc.oneof(
    fc.tuple(fraction, fraction).map(
      ([x, y]) =>
        (area: PrintArea) =>
          moveBy(area, x - 0.5, y - 0.5),
    ),
    fc.tuple(fc.constantFrom(0, 1, 2, 3), fraction, fraction).map(
      ([corner, x, y]) =>
        (area: PrintArea, of: number) =>
          pullCorner(area, corner as 0, { x: 2 * x - 0.5, y: 2 * y - 0.5 }, of),
    ),
    fc.tuple(side, side).map(
      ([w, h]) =>
        (area: PrintArea, of: number) =>
          resize(area, writeDimensions(w, h), of),
    ),
    fraction.map((by) => (area: PrintArea, of: number) => growBy(area, by - 0.5, of)),
  ),
  { maxLength: 12 },
);

test('keeps the rectangle on the picture and in the shape of its size through any changes', () => {
  fc.assert(
    fc.property(start, steps, ({ area, aspect: of }, todo) => {
      const end = todo.reduce((now, step) => step(now, of), area);
      const { x, y, width, height } = end.printArea;
      for (const value of [x, y, 1 - x - width, 1 - y - height]) expect(value).toBeGreaterThan(-1e-9);
      expect(Math.min(width, height)).toBeGreaterThan(0);
      const [w, h] = end.dimensions.split('x').map(Number) as [number, number];
      // A fraction is as many inches across as down, so nothing is stretched.
      const picture = pictureInches(end, of);
      expect((height * picture.height) / h).toBeCloseTo(1, 6);
      expect((width * picture.width) / w).toBeCloseTo(1, 6);
    }),
  );
});

test('keeps the corner opposite to the pulled one', () => {
  const area = { dimensions: '2x1', printArea: { x: 0.2, y: 0.2, width: 0.4, height: 0.2 } };
  const { printArea } = pullCorner(area, 0, { x: 0.1, y: 0.3 }, 1);
  expect(printArea.x).toBeCloseTo(0.1);
  expect(printArea.x + printArea.width).toBeCloseTo(0.6);
  expect(printArea.y + printArea.height).toBeCloseTo(0.4);
});

test('keeps the center for another size where there is room', () => {
  const area = { dimensions: '1x1', printArea: { x: 0.3, y: 0.3, width: 0.4, height: 0.4 } };
  const { dimensions, printArea } = resize(area, '2x1', 1);
  expect(dimensions).toBe('2x1');
  expect(printArea.x).toBeCloseTo(0.3);
  expect(printArea.y).toBeCloseTo(0.4);
  expect(printArea.height).toBeCloseTo(0.2);
});
