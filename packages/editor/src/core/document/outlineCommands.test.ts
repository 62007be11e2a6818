import { type ElementId, newShape, parseComposition, type ShapeElement, saveComposition } from '@markwright/scene';
import { areaOfElement, type Combination } from '@markwright/scene/combine';
import { createFigures } from '@markwright/scene/figures';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { openEditor } from '../testHost.ts';
import { combine, makeStencil, outlineAround } from './outlineCommands.ts';

const rectangle = (id: string, changes: Partial<ShapeElement> = {}): ShapeElement => ({
  ...newShape(id),
  widthMm: 20,
  heightMm: 10,
  ...changes,
});
const ids: ElementId[] = ['shape:a', 'shape:b'];

/** Opens the coaster of 101.6 × 50.8 mm with shapes on it. */
function open(...elements: ShapeElement[]) {
  const editor = openEditor();
  editor.setAssets({ figures: createFigures() });
  editor.dispatch({ type: 'addElements', elements });
  return editor;
}
type Editor = ReturnType<typeof open>;

/** The area that an element marks, mm², and its box. */
function measure(editor: Editor, id: string) {
  const group = editor.getState().scene.groups.find(({ elementId }) => elementId === id)!;
  const area = areaOfElement(group, false).reduce((sum, { points }) => {
    const last = points.length - 2;
    let twice = points[last]! * points[1]! - points[0]! * points[last + 1]!;
    for (let i = 0; i < last; i += 2) twice += points[i]! * points[i + 3]! - points[i + 2]! * points[i + 1]!;
    return sum + twice / 2;
  }, 0);
  return { area: Math.abs(area), ...group.sizeMm, corners: group.corners };
}

function take(editor: Editor, result: ReturnType<typeof combine>): ElementId {
  if ('fault' in result) throw new Error(result.fault);
  editor.dispatch(result.command);
  return result.elementId;
}

it('areas that overlap add up: of both, what one leaves, and what they share', () => {
  fc.assert(
    fc.property(fc.integer({ min: -15, max: 15 }), fc.integer({ min: -7, max: 7 }), (dx, dy) => {
      // Percent of the machine area, for whole millimeters.
      const b = rectangle('b', { x: (100 * dx) / 101.6, y: (100 * dy) / 50.8 });
      const common = Math.max(0, 20 - Math.abs(dx)) * Math.max(0, 10 - Math.abs(dy));
      const areaOf = (how: Combination) => {
        const editor = open(rectangle('a'), b);
        return measure(editor, take(editor, combine(editor.getState(), ids, how))).area;
      };
      expect(areaOf('unite')).toBeCloseTo(400 - common, 1);
      if (common < 200) expect(areaOf('subtract')).toBeCloseTo(200 - common, 1);
      if (dx ** 2 < 19 ** 2) expect(areaOf('intersect')).toBeCloseTo(common, 1);
    }),
    { numRuns: 20 },
  );
});

it('the outline takes the place of what it is made of, and one undo brings it back', () => {
  const editor = open(rectangle('a', { color: '#c0c0c0', operation: 'score' }), rectangle('b', { x: 10 }));
  const before = editor.getState().composition;
  take(editor, combine(editor.getState(), ids, 'unite'));
  const { composition } = editor.getState();
  expect(composition.elements).toHaveLength(1);
  expect(composition.elements[0]).toMatchObject({
    form: 'outline',
    color: '#c0c0c0',
    operation: 'score',
    name: 'United',
  });
  expect(parseComposition(saveComposition(composition))).toEqual(composition);
  editor.undo();
  expect(editor.getState().composition).toBe(before);
});

it('a cut line is at its distance, with corners as chosen, and has no holes unless asked for', () => {
  const editor = open(rectangle('a', { strokeMm: 2, x: 7, angleDeg: 90 }));
  const line = { distanceMm: 3, corners: 'sharp', hasHoles: false } as const;
  const lineOf = (changes: object) =>
    measure(editor, take(editor, outlineAround(editor.getState(), ['shape:a'], { ...line, ...changes })));
  const sharp = lineOf({});
  expect([sharp.width, sharp.height].map((mm) => mm.toFixed(2))).toEqual(['16.00', '26.00']);
  expect(sharp.area).toBeCloseTo(16 * 26, 1);
  const middle = sharp.corners.reduce((sum, { x }) => sum + x / 4, 0);
  expect(middle).toBeCloseTo(101.6 * 0.57, 2);
  expect(lineOf({ corners: 'round' }).area).toBeCloseTo(16 * 26 - (4 - Math.PI) * 9, 0);
  expect(lineOf({ hasHoles: true, distanceMm: 1 }).area).toBeCloseTo(12 * 22 - 4 * 14, 1);
  expect(editor.getState().composition.elements.at(-1)).toMatchObject({ operation: 'cut', name: 'Cut line' });
});

it('says why there is no outline', () => {
  const editor = open(rectangle('a'), rectangle('b', { x: 40 }));
  const state = editor.getState();
  const inset = { distanceMm: -5, corners: 'round', hasHoles: false } as const;
  expect(combine(state, ids, 'intersect')).toEqual({ fault: 'Nothing is left of it.' });
  expect(outlineAround(state, ['shape:a'], inset)).toEqual({ fault: 'Nothing is left of it.' });
  expect(outlineAround(state, ['text:t'], inset)).toEqual({ fault: 'Nothing is left of it.' });
});

it('a ring becomes a stencil in its place, and what has no hole is left as it is', () => {
  const editor = open(rectangle('a', { widthMm: 30, heightMm: 30 }), rectangle('b', { widthMm: 20, heightMm: 20 }));
  const ring = take(editor, combine(editor.getState(), ids, 'subtract'));
  const before = measure(editor, ring).area;
  const stencil = take(editor, makeStencil(editor.getState(), [ring], 2));
  // Two bridges through 5 mm.
  expect(before - measure(editor, stencil).area).toBeCloseTo(2 * 5 * 2, 1);
  expect(editor.getState().scene.groups).toHaveLength(1);
  editor.undo();
  expect(measure(editor, ring).area).toBe(before);
  editor.redo();
  expect(makeStencil(editor.getState(), [stencil], 2)).toEqual({ fault: 'Nothing of it would fall out.' });
});
