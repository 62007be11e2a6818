import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openEditor } from '../testHost.ts';
import { isOverlapping, isWithin } from './bounds.ts';
import { placePreview, productBounds } from './previewPlace.ts';
import { createStageView } from './stageView.ts';

const sizes = {
  small: { width: 178, height: 214 },
  expanded: { width: 402, height: 438 },
  chip: { width: 118, height: 28 },
};
const room = { width: 1440, height: 800, inset: { left: 340, top: 0, right: 300, bottom: 0 } };
/** Of a picture twice as wide as high. */
const slim = { x: 0.42, y: 0.02, width: 0.16, height: 0.96 };
const viewAt = (zoom: number, pan = { x: 0, y: 0 }, box = slim) =>
  createStageView(room, openEditor({}).getState().scene, zoom, pan, box);
const nothing = { obstacles: [], elements: [] };
const small = { isExpanded: false, isAsked: false };

test('stands beside a slim product, and is a chip beside one that takes the stage', () => {
  expect(placePreview(viewAt(1), sizes, small, nothing)?.form).toBe('small');
  const wide = viewAt(2, { x: 0, y: 0 }, { x: 0.1, y: 0.1, width: 0.8, height: 0.8 });
  expect(placePreview(wide, sizes, small, nothing)?.form).toBe('chip');
});

test('expanded it lies over the product, over the selection only where a person has just asked for it', () => {
  const view = viewAt(1);
  const selection = { left: 360, top: 0, right: 1140, bottom: 800 };
  const expand = (isAsked: boolean, obstacles = [selection]) =>
    placePreview(view, sizes, { isExpanded: true, isAsked }, { obstacles, elements: obstacles });
  expect(expand(false, [])?.form).toBe('expanded');
  expect(expand(true)?.form).toBe('expanded');
  expect(expand(false)).toBeUndefined();
});

test('covers neither product nor selection nor buttons at any zoom; a chip may lie on the bare product', () => {
  const forms = new Set<string | undefined>();
  const boxes = fc
    .tuple(
      fc.integer({ min: 340, max: 1000 }),
      fc.integer({ min: 0, max: 700 }),
      fc.integer({ min: 10, max: 500 }),
      fc.integer({ min: 10, max: 500 }),
    )
    .map(([left, top, width, height]) => ({ left, top, right: left + width, bottom: top + height }));
  fc.assert(
    fc.property(
      fc.double({ min: 0.25, max: 8, noNaN: true }),
      fc.integer({ min: -300, max: 300 }),
      fc.integer({ min: -300, max: 300 }),
      fc.array(boxes, { maxLength: 3 }),
      (zoom, x, y, [selection, ...elements]) => {
        const view = viewAt(zoom, { x, y });
        const button = { left: 972, top: 760, right: 1132, bottom: 792 };
        const obstacles = selection ? [selection, button] : [button];
        const place = placePreview(view, sizes, small, { obstacles, elements });
        forms.add(place?.form);
        if (!place) return;
        expect(isWithin(place.box, view.free)).toBe(true);
        expect(obstacles.some((each) => isOverlapping(each, place.box))).toBe(false);
        const isOnProduct = isOverlapping(productBounds(view), place.box);
        expect(isOnProduct && place.form !== 'chip').toBe(false);
        if (isOnProduct) expect(elements.some((each) => isOverlapping(each, place.box))).toBe(false);
      },
    ),
  );
  expect(forms).toContain('small');
  expect(forms).toContain('chip');
});
