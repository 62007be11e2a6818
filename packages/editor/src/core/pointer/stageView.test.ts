import { applyMatrix, type Scene } from '@markwright/scene';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MM_PER_INCH } from '../document/measure.ts';
import { designPlacement, openEditor, textElement } from '../testHost.ts';
import { boundsOf } from './bounds.ts';
import {
  areaCorners,
  areaPosition,
  clampPan,
  createStageView,
  fittedPosition,
  freeBox,
  isTouched,
  type StageView,
  screenCorners,
  trueSizeZoom,
  zoomAbout,
} from './stageView.ts';

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

const productBox = { x: 0.23, y: 0.02, width: 0.6, height: 0.9 };
const cards = { ...stage, inset: { left: 200, top: 10, right: 150, bottom: 60 } };

/** Returns the box on the screen of a part of the picture, in mm of the picture. */
function onScreen(view: StageView, { left, top, right, bottom }: StageView['product']) {
  const corners = [
    { x: left, y: top },
    { x: right, y: top },
    { x: right, y: bottom },
    { x: left, y: bottom },
  ].map((corner) => applyMatrix(view.toScreen, corner));
  const xs = corners.map(({ x }) => x);
  const ys = corners.map(({ y }) => y);
  return { left: Math.min(...xs), top: Math.min(...ys), right: Math.max(...xs), bottom: Math.max(...ys) };
}

test.each([0, 90, 123])('at zoom 1 the product, turned by %i°, fills what cards leave free', (angleDeg) => {
  const view = createStageView(cards, sceneAt(angleDeg), 1, { x: 0, y: 0 }, productBox);
  const { left, top, right, bottom } = onScreen(view, view.product);
  const free = { left: 200, top: 10, right: 650, bottom: 540 };
  expect(left).toBeGreaterThan(free.left);
  expect(right).toBeLessThan(free.right);
  expect(top).toBeGreaterThan(free.top);
  expect(bottom).toBeLessThan(free.bottom);
  expect((left + right) / 2).toBeCloseTo(425);
  expect((top + bottom) / 2).toBeCloseTo(275);
  expect(Math.max((right - left) / 450, (bottom - top) / 530)).toBeGreaterThanOrEqual(0.8);
});

test('cards that cover all of the stage leave a little', () => {
  const { left, top, right, bottom } = freeBox({
    width: 300,
    height: 100,
    inset: { left: 200, top: 80, right: 200, bottom: 90 },
  });
  expect([right - left, bottom - top]).toEqual([40, 40]);
  expect(left).toBeGreaterThanOrEqual(0);
  expect(right).toBeLessThanOrEqual(300);
  expect(bottom).toBeLessThanOrEqual(100);
});

const angles = fc.integer({ min: 0, max: 359 });
const places = fc.record({ x: fc.integer({ min: 0, max: 800 }), y: fc.integer({ min: 0, max: 600 }) });
const zooms = fc.double({ min: 0.1, max: 32, noNaN: true });

test('every zoom of a sequence keeps the place of the product under its point', () => {
  fc.assert(
    fc.property(angles, fc.array(fc.tuple(zooms, places), { maxLength: 12 }), (angleDeg, steps) => {
      const scene = sceneAt(angleDeg);
      let position = fittedPosition;
      for (const [zoom, point] of steps) {
        const before = createStageView(cards, scene, position.zoom, position.pan, productBox);
        position = zoomAbout(before, position, zoom, point);
        const after = createStageView(cards, scene, position.zoom, position.pan, productBox);
        const now = applyMatrix(after.toScreen, applyMatrix(before.toPicture, point));
        expect(now.x).toBeCloseTo(point.x, 4);
        expect(now.y).toBeCloseTo(point.y, 4);
      }
    }),
  );
});

test('the product covers the middle of what is free, wherever it is panned and however far it is zoomed', () => {
  const far = fc.double({ min: -1e6, max: 1e6, noNaN: true });
  fc.assert(
    fc.property(angles, zooms, far, far, (angleDeg, zoom, x, y) => {
      const scene = sceneAt(angleDeg);
      const fitView = createStageView(cards, scene, 1, { x: 0, y: 0 }, productBox);
      const pan = clampPan(fitView, { x, y }, zoom);
      const view = createStageView(cards, scene, zoom, pan, productBox);
      const middle = applyMatrix(view.toPicture, view.middle);
      const { left, top, right, bottom } = view.product;
      expect(middle.x).toBeGreaterThan(left - 1e-3);
      expect(middle.x).toBeLessThan(right + 1e-3);
      expect(middle.y).toBeGreaterThan(top - 1e-3);
      expect(middle.y).toBeLessThan(bottom + 1e-3);
    }),
  );
});

test('a pan within the limits stays as it is', () => {
  const view = createStageView(cards, sceneAt(30), 2, { x: 0, y: 0 }, productBox);
  const pan = { x: 31.25, y: -17.5 };
  expect(clampPan(view, pan, 2)).toBe(pan);
});

test.each([0, 270, 40])(
  'the position of the machine area, turned by %i°, shows all of it in the middle',
  (angleDeg) => {
    const scene = sceneAt(angleDeg);
    const fitView = createStageView(cards, scene, 1, { x: 0, y: 0 }, productBox);
    const { zoom, pan } = areaPosition(fitView, scene, 3);
    const view = createStageView(cards, scene, zoom, pan, productBox);
    const corners = areaCorners(view, scene);
    const xs = corners.map(({ x }) => x);
    const ys = corners.map(({ y }) => y);
    expect((Math.min(...xs) + Math.max(...xs)) / 2).toBeCloseTo(425);
    expect((Math.min(...ys) + Math.max(...ys)) / 2).toBeCloseTo(275);
    expect(Math.min(...xs)).toBeGreaterThan(200);
    expect(Math.max(...xs)).toBeLessThan(650);
    expect(zoom).toBeGreaterThan(1);
  },
);

const phone = { width: 366, height: 280 };
const sizeOnScreen = (view: StageView, scene: Scene, elementId: string) => {
  const box = boundsOf(screenCorners(view, scene.groups.find((group) => group.elementId === elementId)!));
  return { width: box.right - box.left, height: box.bottom - box.top, ...box };
};

test('on a phone the view is nearer than the area where the mark would be small, and not on a large stage', () => {
  const { scene } = openEditor({ design: designPlacement({ size: 25, aspect: 2 }) }).getState();
  const areaPx = (room: typeof phone) => {
    const fitView = createStageView(room, scene, 1, { x: 0, y: 0 });
    const { zoom, pan } = areaPosition(fitView, scene, 8);
    const view = createStageView(room, scene, zoom, pan);
    const [topLeft, , bottomRight] = areaCorners(view, scene);
    return { area: bottomRight.x - topLeft.x, mark: sizeOnScreen(view, scene, 'design').width };
  };
  expect(areaPx(phone).mark).toBeGreaterThanOrEqual(120);
  expect(areaPx(phone).area).toBeGreaterThan(phone.width);
  expect(areaPx({ width: 1000, height: 700 }).area).toBeLessThan(1000);
});

test('everything on the product stays in sight, and the stage shows no more outside of the area than it must', () => {
  const percent = fc.integer({ min: -40, max: 40 });
  fc.assert(
    fc.property(angles, percent, percent, fc.integer({ min: 5, max: 60 }), (productAngleDeg, x, y, size) => {
      const { scene } = openEditor({
        productAngleDeg,
        design: designPlacement({ size, x, y }),
        texts: [textElement('a', { x: -x, y: -y, heightInches: 0.11 })],
      }).getState();
      const fitView = createStageView(phone, scene, 1, { x: 0, y: 0 });
      const { zoom, pan } = areaPosition(fitView, scene, 8);
      const view = createStageView(phone, scene, zoom, pan);
      const area = boundsOf(areaCorners(view, scene));
      const isWhole = area.right - area.left <= phone.width && area.bottom - area.top <= phone.height;
      for (const id of isWhole ? [] : ['design', 'text:a']) {
        const box = sizeOnScreen(view, scene, id);
        expect(box.left).toBeGreaterThanOrEqual(-1e-6);
        expect(box.top).toBeGreaterThanOrEqual(-1e-6);
        expect(box.right).toBeLessThanOrEqual(phone.width + 1e-6);
        expect(box.bottom).toBeLessThanOrEqual(phone.height + 1e-6);
      }
      // The area reaches past the stage on both sides of an axis, or lies within it.
      const margin = 0.1 * phone.height + 1e-6;
      for (const [from, to, length] of [
        [area.left, area.right, phone.width],
        [area.top, area.bottom, phone.height],
      ] as const) {
        if (to - from > length) expect(from <= margin && to >= length - margin).toBe(true);
      }
    }),
  );
});

test('at true size an inch of the product is 96 px', () => {
  const scene = sceneAt(0);
  const zoom = trueSizeZoom(createStageView(stage, scene, 1.7, { x: 3, y: 4 }));
  const view = createStageView(stage, scene, zoom, { x: 0, y: 0 });
  expect(view.pxPerMm * MM_PER_INCH).toBeCloseTo(96);
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
