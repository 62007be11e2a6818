import { applyMatrix } from '@markwright/scene';
import { expect, test } from 'vitest';
import { MM_PER_INCH } from '../document/measure.ts';
import { openEditor } from '../testHost.ts';
import { areaCorners, clampPan, createStageView, isTouched, rulerTicks, zoomAbout } from './stageView.ts';

const stage = { width: 800, height: 600 };
const sceneAt = (productAngleDeg: number) => openEditor({ productAngleDeg }).getState().scene;

test.each([0, 37, 90, 200])('at zoom 1 the product turned by %i° fits into the stage, in the middle', (angleDeg) => {
  const view = createStageView(stage, sceneAt(angleDeg), 1, { x: 0, y: 0 });
  const { width, height } = view.picture;
  const corners = [
    { x: 0, y: 0 },
    { x: width, y: 0 },
    { x: width, y: height },
    { x: 0, y: height },
  ].map((corner) => applyMatrix(view.toScreen, corner));
  for (const { x, y } of corners) {
    expect(x).toBeGreaterThanOrEqual(0);
    expect(x).toBeLessThanOrEqual(stage.width);
    expect(y).toBeGreaterThanOrEqual(0);
    expect(y).toBeLessThanOrEqual(stage.height);
  }
  const middle = applyMatrix(view.toScreen, { x: width / 2, y: height / 2 });
  expect(middle.x).toBeCloseTo(400);
  expect(middle.y).toBeCloseTo(300);
});

test('converts from the screen to the picture and back', () => {
  const view = createStageView(stage, sceneAt(30), 1.7, { x: 12, y: -40 });
  const there = applyMatrix(view.toScreen, { x: 33, y: 44 });
  const back = applyMatrix(view.toPicture, there);
  expect(back.x).toBeCloseTo(33);
  expect(back.y).toBeCloseTo(44);
});

test('the machine area lies where the print area is on the picture', () => {
  const scene = sceneAt(0);
  const view = createStageView(stage, scene, 1, { x: 0, y: 0 });
  const [topLeft, , bottomRight] = areaCorners(view, scene);
  // Half the picture, in its middle.
  expect(bottomRight.x - topLeft.x).toBeCloseTo(101.6 * view.pxPerMm);
  expect((topLeft.x + bottomRight.x) / 2).toBeCloseTo(400);
});

test('zooming about a point keeps what is under it', () => {
  const scene = sceneAt(20);
  const start = { zoom: 1.2, pan: { x: 30, y: -20 } };
  const point = { x: 610, y: 140 };
  const before = createStageView(stage, scene, start.zoom, start.pan);
  const under = applyMatrix(before.toPicture, point);
  const next = zoomAbout(stage, start, 2.5, point);
  const after = createStageView(stage, scene, next.zoom, next.pan);
  const now = applyMatrix(after.toScreen, under);
  expect(now.x).toBeCloseTo(point.x);
  expect(now.y).toBeCloseTo(point.y);
});

test('the product cannot be panned out of sight', () => {
  expect(clampPan(stage, { x: 1e6, y: -1e6 }, 1)).toEqual({ x: 400, y: -300 });
});

test.each(['mm', 'in'] as const)('ruler labels in %s are round, evenly spaced and readable at any scale', (unit) => {
  for (const pxPerMm of [0.2, 0.7, 2, 5, 20]) {
    const ticks = rulerTicks(800, 130, pxPerMm, unit);
    const labelTicks = ticks.filter(({ label }) => label !== undefined);
    expect(labelTicks.length).toBeGreaterThan(0);
    for (const { px, label } of labelTicks) {
      const mm = Number(label) * (unit === 'in' ? MM_PER_INCH : 1);
      expect(px).toBeCloseTo(130 + mm * pxPerMm, 4);
    }
    const gaps = labelTicks.slice(1).map(({ px }, index) => px - labelTicks[index]!.px);
    for (const gap of gaps) expect(gap).toBeGreaterThanOrEqual(44 - 1e-6);
  }
});

test('a rectangle touches elements in it, under its edge or around it, but not the empty corner of a rotated one', () => {
  const diamond = [
    { x: 50, y: 0 },
    { x: 100, y: 50 },
    { x: 50, y: 100 },
    { x: 0, y: 50 },
  ];
  expect(isTouched(diamond, { from: { x: -5, y: -5 }, to: { x: 120, y: 120 } })).toBe(true);
  expect(isTouched(diamond, { from: { x: 45, y: 45 }, to: { x: 55, y: 55 } })).toBe(true);
  expect(isTouched(diamond, { from: { x: 120, y: 60 }, to: { x: 90, y: 40 } })).toBe(true);
  expect(isTouched(diamond, { from: { x: 2, y: 2 }, to: { x: 20, y: 20 } })).toBe(false);
  expect(isTouched(diamond, { from: { x: 101, y: 0 }, to: { x: 120, y: 120 } })).toBe(false);
});
