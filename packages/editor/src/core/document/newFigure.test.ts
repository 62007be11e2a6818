import { applyCommand, figuresOf, isCode, parseComposition, saveComposition } from '@markwright/scene';
import { createFigures } from '@markwright/scene/figures';
import { expect, it } from 'vitest';
import { designPlacement, openEditor } from '../testHost.ts';
import { pasteCommand, readElements, writeElements } from './clipboard.ts';
import { dispatchAndChoose, duplicateCommands } from './keymap.ts';
import { addFigure, codePresets, framePresets, iconFigure, shapePresets } from './newFigure.ts';

const icon = iconFigure('Tall', 'M0 0L50 0L50 100L0 100Z');
const presets = [...codePresets, ...shapePresets, ...framePresets, { name: icon.name, figure: icon }];

/** The coaster with its 101.6 × 50.8 mm print area, and what draws codes and shapes. */
function open(changes: Parameters<typeof openEditor>[0] = {}) {
  const editor = openEditor(changes);
  editor.setAssets({ figures: createFigures() });
  return editor;
}

it.each(presets)('$name is drawn, within the machine area, and its composition is one', ({ figure }) => {
  const editor = open();
  editor.dispatch(addFigure(editor.getState().scene, figure).command);
  const { scene, composition } = editor.getState();
  expect(scene.groups).toHaveLength(1);
  expect(scene.codeFaults).toBeUndefined();
  const [group] = scene.groups;
  for (const { x, y } of group!.corners) {
    expect(x).toBeGreaterThan(0);
    expect(y).toBeGreaterThan(0);
    expect(x).toBeLessThan(scene.widthMm);
    expect(y).toBeLessThan(scene.heightMm);
  }
  expect(parseComposition(saveComposition(composition))).toEqual(composition);
});

it('a new one lies beside what is there, with the free space of a code', () => {
  const editor = open({ design: designPlacement({ y: -25 }) });
  const qr = { ...codePresets[0]!.figure, widthMm: 10, heightMm: 10 };
  editor.dispatch(addFigure(editor.getState().scene, qr).command);
  const [design, code] = editor.getState().scene.groups;
  const bottom = Math.max(...design!.corners.map(({ y }) => y));
  expect(Math.min(...code!.code!.quietZone.map(({ y }) => y))).toBeGreaterThan(bottom);
});

it('a code is inverted where marks are light', () => {
  const qr = codePresets[0]!.figure;
  for (const [markColor, isInverted] of [
    ['#3b2a1c', false],
    ['#e4e6e8', true],
  ] as const) {
    const editor = open();
    const { product } = editor.getState().assets;
    editor.setAssets({ product: { ...product!, finish: { ...product!.finish, markColor } } });
    editor.dispatch(addFigure(editor.getState().scene, qr).command);
    expect(editor.getState().composition.elements).toMatchObject([{ kind: 'code', isInverted }]);
  }
});

it('is smaller on a small machine area', () => {
  const editor = open({ machineArea: { x: 0.4, y: 0.4, width: 0.1, height: 0.2 } });
  const { scene } = editor.getState();
  for (const { figure } of presets) {
    const { command } = addFigure(scene, figure);
    const [element] = figuresOf(applyCommand(editor.getState().composition, command));
    expect(element!.widthMm).toBeLessThanOrEqual(scene.widthMm);
    if (isCode(element!)) expect(element.data).not.toBe('');
  }
});

it('is copied by keys and by the clipboard, undone and selected together', () => {
  const editor = open();
  const [code, star] = [codePresets[2]!, shapePresets.find(({ name }) => name === 'Star')!];
  for (const { figure } of [code, star]) editor.dispatch(addFigure(editor.getState().scene, figure).command);
  const ids = editor.getState().scene.groups.map(({ elementId }) => elementId);
  editor.selectElements(ids);
  expect(editor.getState().selectedIds).toEqual(ids);
  const text = writeElements(editor.getState().composition, ids)!;
  dispatchAndChoose(editor, duplicateCommands(ids)[0]!);
  expect(editor.getState().selectedIds).toHaveLength(2);
  expect(editor.getState().selectedIds).not.toContain(ids[0]);
  const copies = readElements(text)!;
  editor.dispatch(pasteCommand(editor.getState().composition, copies));
  expect(editor.getState().scene.groups).toHaveLength(6);
  // Each copy lies beside what is the same.
  const places = editor.getState().composition.elements.map(({ kind, x, y }) => `${kind} ${x} ${y}`);
  expect(new Set(places).size).toBe(6);
  editor.undo();
  editor.undo();
  expect(editor.getState().scene.groups.map(({ elementId }) => elementId)).toEqual(ids);
});
