import { applyCommand, artworksOf, boxAround, newShape, type Point, resolveScene, textsOf } from '@markwright/scene';
import { createFigures } from '@markwright/scene/figures';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { designPlacement, openEditor, product, type TestComposition, textElement } from '../testHost.ts';
import { type BoxCorner, type Grip, gestureCommand, startGesture } from './gestures.ts';

const none = { shift: false, alt: false };
const { printArea, pictureAspect } = product;
/** The print area's corner on the picture, mm; the area is 101.6 × 50.8 mm, its middle the picture's. */
const origin = { x: 50.8, y: 25.4 };
const center = { x: 101.6, y: 50.8 };

/** Performs a whole gesture and gives what became of the composition and its scene. */
function drag(changes: TestComposition, grip: Grip, from: Point, to: Point, modifiers = none, snapMm = 0) {
  const { composition, scene, assets } = openEditor(changes).getState();
  const step = gestureCommand(startGesture(grip, from, composition, scene), to, modifiers, snapMm)!;
  const after = applyCommand(composition, step.command);
  return { ...step, before: { composition, scene }, after, scene: resolveScene(after, assets) };
}

const move: Grip = { kind: 'move', elementIds: ['design'] };

test('moves an element by as many millimeters as the pointer', () => {
  const { before, scene } = drag({ design: designPlacement() }, move, center, { x: center.x + 12, y: center.y - 7 });
  scene.groups[0]!.corners.forEach((corner, index) => {
    const old = before.scene.groups[0]!.corners[index]!;
    expect(corner.x - old.x).toBeCloseTo(12, 9);
    expect(corner.y - old.y).toBeCloseTo(-7, 9);
  });
});

test('keeps the offset of a move within ±50 %', () => {
  const { after } = drag({ design: designPlacement() }, move, center, { x: 9999, y: -9999 });
  expect(artworksOf(after)[0]).toMatchObject({ x: 50, y: -50 });
});

test('snaps to center lines within the snap distance and shows guides; Alt turns it off', () => {
  const near = { x: center.x + 0.9, y: center.y + 7 };
  const snapResult = drag({ design: designPlacement() }, move, center, near, none, 1);
  expect(artworksOf(snapResult.after)[0]!.x).toBe(0);
  expect(snapResult.guides.lines).toEqual([{ axis: 'x', at: 50.8, from: 0, to: 50.8 }]);
  const free = drag({ design: designPlacement() }, move, center, near, { shift: false, alt: true }, 1);
  expect(artworksOf(free.after)[0]!.x).toBeCloseTo((0.9 / 101.6) * 100, 9);
  expect(free.guides).toEqual({ lines: [], gaps: [] });
});

test('moves several elements together, without the locked ones', () => {
  const texts = [textElement('a', { x: -20 }), textElement('b', { x: 40 }), textElement('c', { isLocked: true })];
  const grip: Grip = { kind: 'move', elementIds: ['text:a', 'text:b', 'text:c'] };
  const { after } = drag({ texts }, grip, center, { x: center.x + 101.6 * 0.05, y: center.y });
  expect(textsOf(after).map(({ x }) => x)).toEqual([expect.closeTo(-15, 9), expect.closeTo(45, 9), 0]);
  const far = drag({ texts }, grip, center, { x: center.x + 60, y: center.y });
  expect(textsOf(far.after).map(({ x }) => x)).toEqual([expect.closeTo(-10, 9), expect.closeTo(50, 9), 0]);
  const lockedGrip: Grip = { kind: 'move', elementIds: ['text:c'] };
  const { composition, scene } = openEditor({ texts }).getState();
  expect(gestureCommand(startGesture(lockedGrip, center, composition, scene), center, none, 1)).toBeUndefined();
});

test('snaps a move to another element’s edge, with a guide from one to the other', () => {
  // 10 mm high and 30 mm wide is too exact for letters: what counts is where the edges end up.
  const texts = [textElement('a', { x: -20, y: -30, text: 'Annabelle' }), textElement('b', { x: 10, y: 20 })];
  const before = boxAround([openEditor({ texts }).getState().scene.groups[0]!])!;
  const textBox = boxAround([openEditor({ texts }).getState().scene.groups[1]!])!;
  const by = before.left - textBox.left + 0.4;
  const grip: Grip = { kind: 'move', elementIds: ['text:b'] };
  const result = drag({ texts }, grip, center, { x: center.x + by, y: center.y }, none, 0.5);
  const after = boxAround([result.scene.groups[1]!])!;
  expect(after.left).toBeCloseTo(before.left, 9);
  expect(result.guides.lines).toEqual([
    { axis: 'x', at: expect.closeTo(before.left, 6), from: before.top, to: after.bottom },
  ]);
});

test('snaps a pulled corner to a line, in proportion; not with Alt or past the size limits', () => {
  const changes = { design: designPlacement({ x: -10, y: -10, size: 40 }) };
  const { scene } = openEditor(changes).getState();
  const handlePoint = toPicture(scene.groups[0]!.corners[2]);
  const grip: Grip = { kind: 'resize', elementId: 'design', corner: 2 };
  // The right edge is at 60.96 mm, the middle of the area at 50.8 mm: a pull of about -10.16 mm.
  const to = { x: handlePoint.x - 10.4, y: handlePoint.y - 5.2 };
  const snapResult = drag(changes, grip, handlePoint, to, none, 1);
  expect(snapResult.scene.groups[0]!.corners[2].x).toBeCloseTo(50.8, 9);
  expect(snapResult.scene.groups[0]!.corners[0].x).toBeCloseTo(scene.groups[0]!.corners[0].x, 9);
  expect(snapResult.guides.lines).toContainEqual({ axis: 'x', at: 50.8, from: 0, to: 50.8 });
  const free = drag(changes, grip, handlePoint, to, { shift: false, alt: true }, 1);
  expect(free.guides).toEqual({ lines: [], gaps: [] });
  const small = { design: designPlacement({ size: 5, x: -45, y: -45 }) };
  const corner = toPicture(openEditor(small).getState().scene.groups[0]!.corners[2]);
  const minimum = drag(small, grip, corner, { x: corner.x - 40, y: corner.y - 40 }, none, 50);
  expect(artworksOf(minimum.after)[0]!.size).toBeGreaterThanOrEqual(5);
});

test('does not snap past the limit of the offset', () => {
  const texts = [textElement('a', { x: 50, text: 'Annabelle', heightInches: 1 }), textElement('b', { x: 40, y: 30 })];
  const grip: Grip = { kind: 'move', elementIds: ['text:b'] };
  const { after } = drag({ texts }, grip, center, { x: center.x + 300, y: center.y }, none, 20);
  expect(textsOf(after)[1]!.x).toBeLessThanOrEqual(50);
});

test('locks a move with Shift to its longer axis', () => {
  const to = { x: center.x + 3, y: center.y + 10 };
  const { after } = drag({ design: designPlacement({ x: 10 }) }, move, center, to, { shift: true, alt: false });
  expect(artworksOf(after)[0]!.x).toBe(10);
  expect(artworksOf(after)[0]!.y).toBeGreaterThan(0);
});

const corners = [0, 1, 2, 3] as const;

test('keeps the opposite corner in place in a resize, for any rotation, corner and distance', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...corners),
      fc.integer({ min: 0, max: 359 }),
      fc.boolean(),
      fc.double({ min: -0.3, max: 0.6, noNaN: true }),
      (corner, angleDeg, isText, pull) => {
        const changes: TestComposition = isText
          ? { texts: [textElement('a', { angleDeg, heightInches: 0.3, textAlign: 'left' })] }
          : { design: designPlacement({ angleDeg, size: 40 }) };
        const elementId = isText ? 'text:a' : 'design';
        const { scene } = openEditor(changes).getState();
        const box = scene.groups[0]!.corners;
        const handlePoint = toPicture(box[corner]);
        const opposite = toPicture(box[((corner + 2) % 4) as BoxCorner]);
        const to = {
          x: handlePoint.x + (handlePoint.x - opposite.x) * pull,
          y: handlePoint.y + (handlePoint.y - opposite.y) * pull,
        };
        const result = drag(changes, { kind: 'resize', elementId, corner }, handlePoint, to);
        const oppositePoint = toPicture(result.scene.groups[0]!.corners[((corner + 2) % 4) as BoxCorner]);
        expect(oppositePoint.x).toBeCloseTo(opposite.x, 6);
        expect(oppositePoint.y).toBeCloseTo(opposite.y, 6);
        const factor = result.scene.groups[0]!.sizeMm.width / scene.groups[0]!.sizeMm.width;
        const { width, height } = result.scene.groups[0]!.sizeMm;
        expect(width / height).toBeCloseTo(scene.groups[0]!.sizeMm.width / scene.groups[0]!.sizeMm.height, 6);
        expect(factor).toBeCloseTo(1 + pull, 1);
      },
    ),
    { numRuns: 60 },
  );
});

test('scales a shape in proportion about its opposite corner', () => {
  const shape = { ...newShape('s'), form: 'banner', widthMm: 20, heightMm: 10, strokeMm: 1, angleDeg: 30 } as const;
  const { composition, scene, assets } = openEditor({ elements: [shape] }).getState();
  const figures = createFigures();
  const before = resolveScene(composition, { ...assets, figures });
  const [group] = before.groups;
  const at = (corner: number) => ({ x: group!.corners[corner]!.x + origin.x, y: group!.corners[corner]!.y + origin.y });
  const [from, anchor] = [at(2), at(0)];
  const to = { x: anchor.x + (from.x - anchor.x) * 1.5, y: anchor.y + (from.y - anchor.y) * 1.5 };
  const grip: Grip = { kind: 'resize', elementId: 'shape:s', corner: 2 };
  const step = gestureCommand(startGesture(grip, from, composition, before), to, none, 0)!;
  const after = applyCommand(composition, step.command);
  expect(after.elements[0]).toMatchObject({ widthMm: 30, heightMm: 15, strokeMm: 1 });
  const [result] = resolveScene(after, { ...assets, figures }).groups;
  expect(result!.corners[0].x).toBeCloseTo(group!.corners[0].x, 6);
  expect(result!.corners[0].y).toBeCloseTo(group!.corners[0].y, 6);
  expect(scene.groups).toEqual([]);
});

test('keeps the center in place in a resize with Alt', () => {
  const grip: Grip = { kind: 'resize', elementId: 'design', corner: 2 };
  const { scene } = openEditor({ design: designPlacement({ x: 10, y: 5 }) }).getState();
  const handlePoint = toPicture(scene.groups[0]!.corners[2]);
  const to = { x: handlePoint.x + 5, y: handlePoint.y + 2.5 };
  const { after } = drag({ design: designPlacement({ x: 10, y: 5 }) }, grip, handlePoint, to, {
    shift: false,
    alt: true,
  });
  expect(artworksOf(after)[0]).toMatchObject({ x: 10, y: 5 });
  expect(artworksOf(after)[0]!.size).toBeGreaterThan(50);
});

test('stops a resize at the size limits without moving the element beyond them', () => {
  const grip: Grip = { kind: 'resize', elementId: 'design', corner: 2 };
  const { scene } = openEditor({ design: designPlacement() }).getState();
  const [opposite, , handlePoint] = scene.groups[0]!.corners.map(toPicture);
  const { after, scene: small } = drag({ design: designPlacement() }, grip, handlePoint!, { x: -500, y: -500 });
  expect(artworksOf(after)[0]!.size).toBe(5);
  expect(toPicture(small.groups[0]!.corners[0]).x).toBeCloseTo(opposite!.x, 6);
});

test('rotates with the pointer around the center, with Shift in steps of 15°', () => {
  const grip: Grip = { kind: 'rotate', elementId: 'design' };
  const top = { x: center.x, y: center.y - 20 };
  const at = (angleDeg: number) => ({
    x: center.x + 20 * Math.sin((angleDeg * Math.PI) / 180),
    y: center.y - 20 * Math.cos((angleDeg * Math.PI) / 180),
  });
  const angle = (to: Point, shift = false) =>
    artworksOf(drag({ design: designPlacement({ angleDeg: 350 }) }, grip, top, to, { shift, alt: false }).after)[0]!
      .angleDeg;
  expect(angle(at(25))).toBeCloseTo(15, 6);
  expect(angle(at(-20))).toBeCloseTo(330, 6);
  expect(angle(at(22), true)).toBe(15);
  expect(angle(at(95), true)).toBe(90);
});

test('keeps a resized machine area inside the picture and at least a tenth of its size', () => {
  for (const corner of corners) {
    const grip: Grip = { kind: 'area', corner, printArea, pictureAspect };
    for (const to of [
      { x: -999, y: -999 },
      { x: 999, y: 999 },
      { x: center.x, y: center.y },
    ]) {
      const { after } = drag({}, grip, origin, to);
      const area = after.machineArea!;
      expect(area.width).toBeGreaterThanOrEqual(0.1 - 1e-9);
      expect(area.height).toBeGreaterThanOrEqual(0.1 - 1e-9);
      expect(area.x).toBeGreaterThanOrEqual(0);
      expect(area.x + area.width).toBeLessThanOrEqual(1 + 1e-9);
      expect(area.y + area.height).toBeLessThanOrEqual(1 + 1e-9);
    }
  }
});

test('moves and scales no element when the machine area is resized', () => {
  const grip: Grip = { kind: 'area', corner: 2, printArea, pictureAspect };
  const changes = { design: designPlacement({ x: -10, y: 8 }), texts: [textElement('a', { x: 5, y: -4 })] };
  const result = drag(changes, grip, { x: 152.4, y: 76.2 }, { x: 170, y: 90 });
  result.scene.groups.forEach((group, index) => {
    const old = result.before.scene.groups[index]!;
    expect(group.sizeMm.width).toBeCloseTo(old.sizeMm.width, 6);
    expect(group.corners[0].x).toBeCloseTo(old.corners[0].x, 6);
    expect(group.corners[0].y).toBeCloseTo(old.corners[0].y, 6);
  });
  expect(result.scene.widthMm).toBeCloseTo(101.6 + 17.6, 6);
});

test('returns no command for an element that was removed', () => {
  const { composition, scene } = openEditor({}).getState();
  expect(gestureCommand(startGesture(move, center, composition, scene), center, none, 1)).toBeUndefined();
});

function toPicture(point: Point): Point {
  return { x: point.x + origin.x, y: point.y + origin.y };
}
