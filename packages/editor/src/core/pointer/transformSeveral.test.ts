import { applyCommand, boxAround, findElement, type Point, resolveScene } from '@markwright/scene';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ElementId } from '../document/editor.ts';
import { designPlacement, openEditor, textElement } from '../testHost.ts';
import { type Grip, gestureCommand, startGesture } from './gestures.ts';
import { readPlacement } from './placement.ts';
import { boxCorners, scaleRange, scaleSeveral, turnSeveral } from './transformSeveral.ts';

const ids: readonly ElementId[] = ['design', 'text:a'];
const state = openEditor({
  design: designPlacement({ size: 20, x: -15, y: 5 }),
  texts: [textElement('a', { x: 12, y: -8, angleDeg: 30 }), textElement('c', { x: 30, isLocked: true })],
}).getState();
const { composition, scene, assets } = state;
const arrangement = { composition, scene, elementIds: ids };
/** The print area's corner on the picture, mm. */
const origin = { x: 50.8, y: 25.4 };
const box = boxAround(scene.groups.filter(({ elementId }) => ids.includes(elementId as ElementId)))!;

function expectSamePlaces(after: typeof composition, before: typeof composition): void {
  for (const id of ids) {
    const [now, then] = [readPlacement(after, id)!, readPlacement(before, id)!];
    for (const name of ['x', 'y', 'size'] as const) expect(now[name]).toBeCloseTo(then[name], 6);
    expect(Math.cos(((now.angleDeg - then.angleDeg) * Math.PI) / 180)).toBeCloseTo(1, 9);
  }
}

test('scaling by a factor and by its inverse leads back', () => {
  fc.assert(
    fc.property(fc.double({ min: 0, max: 1, noNaN: true }), fc.nat({ max: 3 }), (share, corner) => {
      const anchor = boxCorners(box)[corner]!;
      const { min, max } = scaleRange(arrangement, anchor);
      const factor = min + (Math.min(max, 4) - min) * share;
      const larger = applyCommand(composition, scaleSeveral(arrangement, anchor, factor));
      const back = scaleSeveral({ ...arrangement, composition: larger }, anchor, 1 / factor);
      expectSamePlaces(applyCommand(larger, back), composition);
    }),
  );
});

test('turning there and back leads back', () => {
  fc.assert(
    fc.property(fc.integer({ min: -720, max: 720 }), (byDeg) => {
      const center = { x: (box.left + box.right) / 2, y: (box.top + box.bottom) / 2 };
      const aside = applyCommand(composition, turnSeveral(arrangement, center, byDeg));
      const back = turnSeveral({ ...arrangement, composition: aside }, center, -byDeg);
      expectSamePlaces(applyCommand(aside, back), composition);
    }),
  );
});

function drag(grip: Grip, from: Point, to: Point, modifiers = { shift: false, alt: false }, snapMm = 0) {
  const start = { x: from.x + origin.x, y: from.y + origin.y };
  const end = { x: to.x + origin.x, y: to.y + origin.y };
  const { command } = gestureCommand(startGesture(grip, start, composition, scene), end, modifiers, snapMm)!;
  const after = applyCommand(composition, command);
  const groups = resolveScene(after, assets).groups.filter(({ elementId }) => ids.includes(elementId as ElementId));
  return { after, box: boxAround(groups)! };
}

const withLocked: readonly ElementId[] = [...ids, 'text:c'];

test('a corner scales all elements about the opposite corner, and leaves locked ones alone', () => {
  const grip: Grip = { kind: 'resizeSeveral', elementIds: withLocked, corner: 2 };
  const to = { x: box.right + (box.right - box.left) * 0.2, y: box.bottom + (box.bottom - box.top) * 0.2 };
  const result = drag(grip, { x: box.right, y: box.bottom }, to);
  expect(result.box.left).toBeCloseTo(box.left, 6);
  expect(result.box.top).toBeCloseTo(box.top, 6);
  expect(result.box.right).toBeCloseTo(to.x, 6);
  expect(readPlacement(result.after, 'design')!.size).toBeCloseTo(24, 6);
  expect(findElement(result.after, 'text:c')).toBe(findElement(composition, 'text:c'));
});

test('with Alt it scales them about the middle', () => {
  const grip: Grip = { kind: 'resizeSeveral', elementIds: ids, corner: 0 };
  const to = { x: box.left + 2, y: box.top + 1 };
  const result = drag(grip, { x: box.left, y: box.top }, to, { shift: false, alt: true });
  expect(result.box.left + result.box.right).toBeCloseTo(box.left + box.right, 6);
  expect(result.box.left).toBeGreaterThan(box.left);
});

test('keeps the arrangement where one element reaches its limit', () => {
  const grip: Grip = { kind: 'resizeSeveral', elementIds: ids, corner: 2 };
  const { after } = drag(grip, { x: box.right, y: box.bottom }, { x: -900, y: -900 });
  const [design, text] = [readPlacement(after, 'design')!, readPlacement(after, 'text:a')!];
  const [oldDesign, oldText] = [readPlacement(composition, 'design')!, readPlacement(composition, 'text:a')!];
  expect(design.size / oldDesign.size).toBeCloseTo(text.size / oldText.size, 9);
  expect(text.size).toBeCloseTo(0.11, 9);
});

test('snaps a pulled corner of several elements to a line', () => {
  const grip: Grip = { kind: 'resizeSeveral', elementIds: ids, corner: 2 };
  // Near the right edge of the machine area.
  const ratio = (scene.widthMm - 0.3 - box.left) / (box.right - box.left);
  const range = scaleRange(arrangement, boxCorners(box)[0]!);
  expect(ratio).toBeLessThan(range.max);
  const to = { x: box.left + (box.right - box.left) * ratio, y: box.top + (box.bottom - box.top) * ratio };
  const result = drag(grip, { x: box.right, y: box.bottom }, to, { shift: false, alt: false }, 0.5);
  expect(result.box.right).toBeCloseTo(scene.widthMm, 6);
});

test('turns all elements about the middle of their box, with Shift in steps of 15°', () => {
  const grip: Grip = { kind: 'rotateSeveral', elementIds: withLocked };
  const center = { x: (box.left + box.right) / 2, y: (box.top + box.bottom) / 2 };
  const from = { x: center.x, y: center.y - 20 };
  const at = (deg: number) => ({
    x: center.x + 20 * Math.sin((deg * Math.PI) / 180),
    y: center.y - 20 * Math.cos((deg * Math.PI) / 180),
  });
  const { after } = drag(grip, from, at(41), { shift: true, alt: false });
  expect(readPlacement(after, 'design')!.angleDeg).toBeCloseTo(45, 9);
  expect(readPlacement(after, 'text:a')!.angleDeg).toBeCloseTo(75, 9);
  expect(findElement(after, 'text:c')).toBe(findElement(composition, 'text:c'));
  const middle = (id: ElementId, of: typeof composition) => {
    const { x, y } = readPlacement(of, id)!;
    return { x: scene.widthMm * (0.5 + x / 100), y: scene.heightMm * (0.5 + y / 100) };
  };
  const distance = (of: typeof composition) => {
    const [a, b] = [middle('design', of), middle('text:a', of)];
    return Math.hypot(a.x - b.x, a.y - b.y);
  };
  expect(distance(after)).toBeCloseTo(distance(composition), 9);
});
