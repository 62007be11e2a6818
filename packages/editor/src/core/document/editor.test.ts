import { type Artwork, artworksOf, type Command, emptyComposition, newText } from '@markwright/scene';
import { describe, expect, it, test } from 'vitest';
import { designPlacement, openEditor, textElement } from '../testHost.ts';
import { createEditor, elementIds, isSameExceptInk } from './editor.ts';
import { stageAction } from './keymap.ts';
import { defaultViewOptions } from './viewOptions.ts';

const xOf = (editor: ReturnType<typeof openEditor>) => artworksOf(editor.getState().composition)[0]?.x;
const moveTo = (x: number) => ({ type: 'updateDesign', id: 'design', changes: { x } }) as const;

test('undo and redo walk through every change and back', () => {
  const editor = openEditor({ design: designPlacement() });
  for (let x = 1; x <= 40; x++) editor.dispatch(moveTo(x));
  for (let x = 39; x >= 0; x--) {
    editor.undo();
    expect(xOf(editor)).toBe(x);
  }
  expect(editor.getState().canUndo).toBe(false);
  for (let x = 1; x <= 40; x++) editor.redo();
  expect(xOf(editor)).toBe(40);
  expect(editor.getState().canRedo).toBe(false);
});

test('drops the redo steps with a new change', () => {
  const editor = openEditor({ design: designPlacement() });
  editor.dispatch(moveTo(10));
  editor.undo();
  editor.dispatch(moveTo(5));
  editor.redo();
  expect(xOf(editor)).toBe(5);
});

test('a gesture is one undo step, from its start, however often it was updated', () => {
  const editor = openEditor({ design: designPlacement() });
  editor.beginGesture();
  for (let x = 1; x <= 30; x++) editor.updateGesture(moveTo(x));
  expect(editor.getState().isGesturing).toBe(true);
  expect(editor.getState().settledScene).not.toBe(editor.getState().scene);
  editor.commitGesture();
  expect(editor.getState().settledScene).toBe(editor.getState().scene);
  expect(xOf(editor)).toBe(30);
  editor.undo();
  expect(xOf(editor)).toBe(0);
  expect(editor.getState().canUndo).toBe(false);
});

test('leaves no undo step for a press without a move or a canceled gesture', () => {
  const editor = openEditor({ design: designPlacement() });
  editor.beginGesture();
  editor.commitGesture();
  editor.beginGesture();
  editor.updateGesture(moveTo(20));
  editor.cancelGesture();
  expect(xOf(editor)).toBe(0);
  expect(editor.getState()).toMatchObject({ canUndo: false, isGesturing: false });
});

test('stepping a gesture adds up; updating it starts over from its beginning', () => {
  const editor = openEditor({ design: designPlacement() });
  editor.beginGesture();
  const nudge = { type: 'nudge', elementId: 'design', dx: 2, dy: 0 } as const;
  editor.stepGesture(nudge);
  editor.stepGesture(nudge);
  expect(xOf(editor)).toBe(4);
  editor.updateGesture(nudge);
  expect(xOf(editor)).toBe(2);
});

test('another change ends a running gesture first, as a step of its own', () => {
  const editor = openEditor({ design: designPlacement() });
  editor.beginGesture();
  editor.updateGesture(moveTo(20));
  editor.dispatch({ type: 'flip', elementId: 'design' });
  editor.undo();
  expect(artworksOf(editor.getState().composition)[0]).toMatchObject({ x: 20, isFlipped: false });
  editor.undo();
  expect(xOf(editor)).toBe(0);
});

test('several commands can be one step', () => {
  const editor = openEditor({ design: designPlacement(), texts: [textElement('a')] });
  editor.dispatch({
    type: 'several',
    commands: [
      { type: 'remove', elementId: 'design' },
      { type: 'remove', elementId: 'text:a' },
    ],
  });
  editor.undo();
  expect(elementIds(editor.getState().composition)).toEqual(['design', 'text:a']);
});

test('names, locks, hiding, order and copies are each one step back', () => {
  const editor = openEditor({ design: designPlacement(), texts: [textElement('a'), textElement('b')] });
  const commands: Command[] = [
    { type: 'rename', elementId: 'text:a', name: 'Motto' },
    { type: 'reorder', elementId: 'design', to: 'front' },
    { type: 'setHidden', elementId: 'text:b', isHidden: true },
    { type: 'duplicate', copies: [{ elementId: 'text:a', newId: 'c' }] },
    { type: 'updateText', id: 'a', changes: { bend: 40, letterSpacing: 10 } },
    { type: 'setLocked', elementId: 'design', isLocked: true },
  ];
  const states = [editor.getState().composition];
  for (const command of commands) {
    editor.dispatch(command);
    states.push(editor.getState().composition);
  }
  expect(new Set(states).size).toBe(commands.length + 1);
  for (const before of states.slice(0, -1).reverse()) {
    editor.undo();
    expect(editor.getState().composition).toBe(before);
  }
  for (const after of states.slice(1)) {
    editor.redo();
    expect(editor.getState().composition).toBe(after);
  }
});

test('drops removed elements from the selection', () => {
  const editor = openEditor({ texts: [textElement('a')] });
  editor.select('design');
  expect(editor.getState().selection).toBeUndefined();
  editor.select('text:a');
  editor.dispatch({ type: 'remove', elementId: 'text:a' });
  expect(editor.getState().selection).toBeUndefined();
});

test('selects several elements: the last one leads, and removed ones leave the selection', () => {
  const editor = openEditor({ design: designPlacement(), texts: [textElement('a'), textElement('b')] });
  editor.selectElements(['text:b', 'design', 'text:b', 'text:a']);
  expect(editor.getState()).toMatchObject({ selection: 'text:a', selectedIds: ['text:b', 'design', 'text:a'] });
  const { selectedIds } = editor.getState();
  editor.dispatch({ type: 'flip', elementId: 'design' });
  expect(editor.getState().selectedIds).toBe(selectedIds);
  editor.dispatch({ type: 'remove', elementId: 'text:a' });
  expect(editor.getState()).toMatchObject({ selection: 'design', selectedIds: ['text:b', 'design'] });
  editor.select('design');
  expect(editor.getState().selectedIds).toEqual(['design']);
  editor.select('machineArea');
  expect(editor.getState().selectedIds).toEqual([]);
  editor.selectElements([]);
  expect(editor.getState().selection).toBeUndefined();
});

test('selects a text to edit and keeps the request until its field has the caret; refuses a locked one', () => {
  const editor = openEditor({ texts: [textElement('a'), textElement('b', { isLocked: true })] });
  editor.editText('a');
  expect(editor.getState()).toMatchObject({ selection: 'text:a', textToEdit: 'a' });
  editor.editText(undefined);
  expect(editor.getState()).toMatchObject({ selection: 'text:a', textToEdit: undefined });
  editor.editText('b');
  expect(editor.getState()).toMatchObject({ selection: 'text:a', textToEdit: undefined });
});

test('the scene is resolved for changes of composition and assets only', () => {
  const editor = openEditor({ design: designPlacement() });
  const { scene } = editor.getState();
  editor.select('design');
  editor.setZoom(2);
  editor.setUnit('in');
  expect(editor.getState().scene).toBe(scene);
  editor.dispatch(moveTo(1));
  expect(editor.getState().scene).not.toBe(scene);
});

test('buttons zoom from 25 to 300 %, keys from 50 to 300 %', () => {
  const editor = openEditor();
  editor.setZoom(0.1);
  expect(editor.getState().zoom).toBe(0.25);
  editor.setZoom(9);
  expect(editor.getState().zoom).toBe(3);
  editor.setZoom(0.1, { min: 0.5, max: 3 });
  expect(editor.getState().zoom).toBe(0.5);
});

test('centers the product at 1:1', () => {
  const editor = openEditor();
  editor.setView({ zoom: 2, pan: { x: 40, y: -10 } });
  editor.setZoom(3);
  expect(editor.getState().pan).toEqual({ x: 60, y: -15 });
  editor.setZoom(1);
  expect(editor.getState().pan).toEqual({ x: 0, y: 0 });
});

test('wheel, fingers and true size zoom from 10 to 3200 %, and a button leads back into its own range', () => {
  const editor = openEditor();
  editor.setView({ zoom: 90, pan: { x: 5, y: 5 } });
  expect(editor.getState()).toMatchObject({ zoom: 32, viewOrigin: 'person' });
  editor.setZoom(31.75);
  expect(editor.getState().zoom).toBe(3);
  editor.setView({ zoom: 0.01, pan: { x: 0, y: 0 } }, 'stage');
  expect(editor.getState()).toMatchObject({ zoom: 0.1, viewOrigin: 'stage' });
  editor.resetView();
  expect(editor.getState()).toMatchObject({ zoom: 1, pan: { x: 0, y: 0 }, viewOrigin: 'fit' });
});

test('a group is selected by any member, and a member alone by its own act', () => {
  const editor = openEditor({ design: designPlacement(), texts: [textElement('a'), textElement('b')] });
  editor.dispatch({ type: 'group', elementIds: ['text:a', 'text:b'], groupId: 'g' });
  editor.select('text:a');
  expect(editor.getState()).toMatchObject({ selection: 'text:a', selectedIds: ['text:b', 'text:a'] });
  editor.selectElements(['design', 'text:b']);
  expect(editor.getState().selectedIds).toEqual(['text:a', 'design', 'text:b']);
  editor.selectMember('text:a');
  expect(editor.getState().selectedIds).toEqual(['text:a']);
});

test('a loaded composition starts a history of its own', () => {
  const editor = openEditor({ design: designPlacement() });
  editor.dispatch(moveTo(5));
  editor.load({ ...editor.getState().composition, elements: [textElement('z')] });
  expect(editor.getState()).toMatchObject({ canUndo: false, canRedo: false });
});

test('resets the view options with an export and with another design', () => {
  const editor = openEditor({ design: designPlacement() });
  const { scene } = editor.getState();
  editor.setViewOptions({ compareAt: 0.3, showsNodes: true, spotlight: ['#000000'] });
  expect(editor.getState().scene).toBe(scene);
  editor.dispatch({ type: 'nudge', elementId: 'design', dx: 1, dy: 0 });
  expect(editor.getState().viewOptions.compareAt).toBe(0.3);
  editor.setExporting(true);
  expect(editor.getState().viewOptions).toBe(defaultViewOptions);
  editor.setExporting(false);
  editor.setViewOptions({ showsNodes: true });
  editor.dispatch({ type: 'remove', elementId: 'design' });
  expect(editor.getState().viewOptions).toBe(defaultViewOptions);
});

/** An artwork of 200 × 100 whose ink is the middle 100 × 50, or half of that. */
const withInk = (share = 1): Artwork => ({
  width: 200,
  height: 100,
  shapes: [
    {
      d: `M${100 - 50 * share} ${50 - 25 * share}L${100 + 50 * share} ${50 - 25 * share}L${100 + 50 * share} ${50 + 25 * share}Z`,
      fill: '#000000',
      stroke: undefined,
      strokeWidth: 0,
      opacity: 1,
    },
  ],
});
const designOf = (editor: ReturnType<typeof openEditor>) => editor.getState().scene.groups[0]!;

test('the ink of the first trace takes the place of the picture, without a step to undo', () => {
  const editor = openEditor();
  editor.setArtwork('design', { ...withInk(), shapes: [], imageHref: 'data:,' });
  editor.dispatch({ type: 'placeDesign', id: 'design', designId: 'd1', filename: 'logo.png', aspect: 2 });
  const picture = designOf(editor).sizeMm;
  editor.setArtwork('design', withInk());
  expect(designOf(editor).sizeMm).toEqual(picture);
  expect(artworksOf(editor.getState().composition)[0]).toMatchObject({ size: 80, ink: { x: 0.25, width: 0.5 } });
  editor.undo();
  expect(artworksOf(editor.getState().composition)[0]).toBeUndefined();
});

test('another trace, another machine and undo leave the shapes where they are, in a box of their own ink', () => {
  const editor = openEditor({ design: designPlacement({ angleDeg: 30, x: 10 }) });
  editor.setArtwork('design', withInk());
  const { matrix, sizeMm } = designOf(editor);
  const expectInPlace = () => {
    for (const key of ['a', 'b', 'c', 'd', 'e', 'f'] as const)
      expect(designOf(editor).matrix[key]).toBeCloseTo(matrix[key]);
  };
  editor.setArtwork('design', withInk(0.5));
  expectInPlace();
  expect(designOf(editor).sizeMm.width).toBeCloseTo(sizeMm.width / 2);

  editor.dispatch(moveTo(20));
  editor.setArtwork('design', withInk());
  editor.undo();
  expectInPlace();
  expect(designOf(editor).sizeMm.width).toBeCloseTo(sizeMm.width);
});

test('a placement of the frame, saved before, stays in place, and is the same composition except for its ink', () => {
  const frame = { x: 0, y: 0, width: 1, height: 1 };
  const editor = openEditor();
  const before = { ...editor.getState().composition, elements: [designPlacement({ ink: frame, size: 80 })] };
  editor.setArtwork('design', undefined);
  editor.load(before);
  expect(editor.getState().composition).toBe(before);
  editor.setArtwork('design', withInk());
  const { composition } = editor.getState();
  expect(artworksOf(composition)[0]!.size).toBeCloseTo(40);
  expect(isSameExceptInk(composition, before)).toBe(true);
  editor.dispatch(moveTo(5));
  expect(isSameExceptInk(editor.getState().composition, before)).toBe(false);
});

describe('an editor with limits', () => {
  const logo = { ...newText('a'), text: 'Fixed' };
  const open = { ...newText('b'), text: 'Open' };
  const start = { ...emptyComposition, productId: 'board', elements: [logo, open] };
  const openWithLimits = () => {
    const editor = createEditor();
    editor.load(start, {
      keep: (composition) => {
        const elements = [logo, composition.elements.find(({ id }) => id === 'b') ?? open];
        const isSame = composition.elements.length === 2 && composition.elements[0] === logo;
        return isSame ? composition : { ...composition, elements };
      },
      maySelect: (id) => id === 'text:b',
    });
    return editor;
  };

  it('keeps what may not change, and leaves no step to undo', () => {
    const editor = openWithLimits();
    editor.dispatch({ type: 'remove', elementId: 'text:a' });
    editor.beginGesture();
    editor.updateGesture({ type: 'nudge', elementId: 'text:a', dx: 5, dy: 5 });
    expect(editor.getState().composition.elements).toEqual([logo, open]);
    editor.cancelGesture();
    editor.dispatch({ type: 'updateText', id: 'b', changes: { text: 'Finn' } });
    expect(editor.getState().composition.elements).toEqual([logo, { ...open, text: 'Finn' }]);
    editor.undo();
    expect(editor.getState().composition.elements).toEqual([logo, open]);
  });

  it('selects no element that may not be selected, by pointer, keys or groups', () => {
    const editor = openWithLimits();
    editor.select('text:a');
    expect(editor.getState()).toMatchObject({ selection: undefined, selectedIds: [] });
    editor.select('machineArea');
    expect(editor.getState().selection).toBeUndefined();
    editor.selectElements(['text:b', 'text:a']);
    expect(editor.getState()).toMatchObject({ selection: 'text:b', selectedIds: ['text:b'] });
    editor.select(undefined);
    const tab = { key: 'Tab', ctrlKey: false, metaKey: false, altKey: false, shiftKey: false };
    expect(stageAction(tab, editor.getState())).toEqual({ kind: 'select', selection: 'text:b' });
    editor.load(start);
    editor.select('text:a');
    expect(editor.getState().selection).toBe('text:a');
  });

  it('takes another composition in place of the whole one, with one undo', () => {
    const editor = createEditor({ composition: start });
    const composition = { ...emptyComposition, productId: 'mug', elements: [open] };
    editor.dispatch({ type: 'replace', composition });
    expect(editor.getState().composition).toBe(composition);
    editor.undo();
    expect(editor.getState().composition).toBe(start);
  });
});
