import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addPoint, frameOf, MAX_ZOOM, panBy, reveal, wholeView, zoomAt } from './cutoutView.ts';

const picture = { width: 800, height: 600 };
const stage = { width: 432, height: 432 };

test('shows all of the picture at first', () => {
  expect(frameOf(wholeView, picture, stage)).toEqual({ left: 16, top: 66, width: 400, height: 300 });
});

test('keeps the point under the pointer while zooming, and returns to the whole picture', () => {
  const at = { x: 260, y: 220 };
  const view = zoomAt(wholeView, 4, at, picture, stage);
  const [before, after] = [frameOf(wholeView, picture, stage), frameOf(view, picture, stage)];
  expect((at.x - after.left) / after.width).toBeCloseTo((at.x - before.left) / before.width, 9);
  expect((at.y - after.top) / after.height).toBeCloseTo((at.y - before.top) / before.height, 9);
  expect(zoomAt(view, 0.01, at, picture, stage)).toEqual(wholeView);
  expect(zoomAt(view, 1000, at, picture, stage).zoom).toBe(MAX_ZOOM);
});

test('leaves no more of the stage empty than it has to, for any pan', () => {
  const number = fc.double({ min: -3000, max: 3000, noNaN: true });
  fc.assert(
    fc.property(number, number, fc.double({ min: 1, max: MAX_ZOOM, noNaN: true }), (dx, dy, zoom) => {
      const view = panBy({ ...wholeView, zoom }, dx, dy, picture, stage);
      const { left, width } = frameOf(view, picture, stage);
      expect(left).toBeLessThanOrEqual(16 + 1e-6);
      expect(left + width).toBeGreaterThanOrEqual(stage.width - 16 - 1e-6);
    }),
  );
});

test('pans to a place outside the view, and stays for a place inside it', () => {
  const near = zoomAt(wholeView, 8, { x: 216, y: 216 }, picture, stage);
  expect(reveal(near, { x: 0.5, y: 0.5 }, picture, stage)).toBe(near);
  const { left, width } = frameOf(reveal(near, { x: 0.9, y: 0.5 }, picture, stage), picture, stage);
  expect(left + 0.9 * width).toBeCloseTo(stage.width - 24, 6);
});

test('drops points of a line that are too near the last one', () => {
  const least = { width: 0.01, height: 0.02 };
  let points = addPoint([], 0.5, 0.5, least);
  points = addPoint(points, 0.505, 0.505, least);
  points = addPoint(points, 0.5, 0.5250001, least);
  expect(points).toEqual([0.5, 0.5, 0.5, 0.525]);
});
