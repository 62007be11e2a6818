import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  barLengthMm,
  fitScale,
  fittedView,
  isFitted,
  isTrueSize,
  limitView,
  moveBy,
  type ProofStage,
  type ProofView,
  zoomAt,
} from './proofView.ts';

const stage: ProofStage = {
  pictureMm: { width: 200, height: 300 },
  frame: { width: 390, height: 450 },
  trueScale: 3.8,
};

/** Returns the fraction of the picture's width and height at a point of the frame. */
const pictureAt = ({ scale, center }: ProofView, x: number, y: number) => ({
  x: center.x + x / (scale * stage.pictureMm.width),
  y: center.y + y / (scale * stage.pictureMm.height),
});

test('shows the whole picture at first, and the true size in the range of its zoom', () => {
  const view = fittedView(stage);
  expect(view.scale).toBe(1.5);
  expect(isFitted(stage, view)).toBe(true);
  expect(isTrueSize(stage, zoomAt(stage, view, stage.trueScale / view.scale, { x: 0, y: 0 }))).toBe(true);
});

test('offers the true size of a thing smaller than the frame', () => {
  const tag: ProofStage = { ...stage, pictureMm: { width: 40, height: 40 } };
  expect(limitView(tag, { ...fittedView(tag), scale: 0 }).scale).toBe(3.8);
  expect(isTrueSize(tag, limitView(tag, { ...fittedView(tag), scale: 3.8 }))).toBe(true);
});

test('keeps the point under the fingers while it zooms, wherever the picture may still move', () => {
  fc.assert(
    fc.property(
      fc.double({ min: 1.05, max: 3, noNaN: true }),
      fc.integer({ min: -100, max: 100 }),
      fc.integer({ min: -100, max: 100 }),
      (factor, x, y) => {
        const before = limitView(stage, { scale: 6, center: { x: 0.5, y: 0.5 } });
        const after = zoomAt(stage, before, factor, { x, y });
        const [from, to] = [pictureAt(before, x, y), pictureAt(after, x, y)];
        expect(to.x).toBeCloseTo(from.x, 9);
        expect(to.y).toBeCloseTo(from.y, 9);
      },
    ),
  );
});

test('never shows anything beside an enlarged picture, however it is moved and zoomed', () => {
  const step = fc.oneof(
    fc.record({ x: fc.integer({ min: -900, max: 900 }), y: fc.integer({ min: -900, max: 900 }) }),
    fc.double({ min: 0.2, max: 5, noNaN: true }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
      let view = fittedView(stage);
      for (const one of steps) {
        view = typeof one === 'number' ? zoomAt(stage, view, one, { x: 60, y: -90 }) : moveBy(stage, view, one);
      }
      expect(view.scale).toBeGreaterThanOrEqual(fitScale(stage) - 1e-9);
      const { pictureMm, frame } = stage;
      for (const [center, picture, room] of [
        [view.center.x, pictureMm.width, frame.width],
        [view.center.y, pictureMm.height, frame.height],
      ] as const) {
        const half = room / (picture * view.scale) / 2;
        if (half >= 0.5) expect(center).toBe(0.5);
        else expect(Math.min(center, 1 - center)).toBeGreaterThanOrEqual(half - 1e-9);
      }
    }),
  );
});

test.each([
  [3.78, 120, 20],
  [1.5, 120, 50],
  [20, 120, 5],
  [0.4, 100, 200],
])('draws a bar of a round length: at %d px for a millimeter and %d px of room, %d mm', (scale, most, length) => {
  expect(barLengthMm(scale, most)).toBe(length);
});
