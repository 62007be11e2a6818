import { artworksOf, parseComposition, resolveScene, type Scene, saveComposition, textsOf } from '@markwright/scene';
import { expect, test } from 'vitest';
import { artwork, designPlacement, openEditor, textElement } from '../testHost.ts';
import type { Editor, ElementId } from './editor.ts';
import { dispatchAndChoose } from './keymap.ts';
import { elementsToSave, placeSaved } from './savedElements.ts';

/** The coaster's machine area is 101.6 × 50.8 mm. */
function openWith(changes: Parameters<typeof openEditor>[0], ...ids: readonly ElementId[]): Editor {
  const editor = openEditor(changes);
  editor.selectElements(ids);
  return editor;
}

const save = (editor: Editor) => elementsToSave(editor.getState())!;
const sizesOf = (scene: Scene) =>
  scene.groups.map(({ sizeMm }) => [Number(sizeMm.width.toFixed(3)), Number(sizeMm.height.toFixed(3))]);
const middleOf = ({ corners: [a, , c] }: Scene['groups'][number]) => ({ x: (a.x + c.x) / 2, y: (a.y + c.y) / 2 });

/** Places elements on a product whose machine area is `share` of the coaster's in width, and all of it in height. */
function placeOn(share: number, elements: ReturnType<typeof save>): Editor {
  const editor = openEditor({ machineArea: { x: 0.25, y: 0.25, width: share / 2, height: 0.5 } });
  const { scene, composition } = editor.getState();
  dispatchAndChoose(editor, placeSaved(composition, scene, elements).command);
  for (const { id } of artworksOf(editor.getState().composition)) editor.setArtwork(id, artwork);
  return editor;
}

test('places an artwork in the middle of another area at its size, selected, as one step', () => {
  const elements = save(openWith({ design: designPlacement({ x: 20, y: -5, angleDeg: 30 }) }, 'design'));
  expect(sizesOf(elements.scene)).toEqual([[50.8, 25.4]]);
  const editor = placeOn(0.4, elements);
  const { scene, composition, selectedIds } = editor.getState();
  expect(sizesOf(scene)).toEqual([[50.8, 25.4]]);
  expect(middleOf(scene.groups[0]!).x).toBeCloseTo(scene.widthMm / 2);
  expect(middleOf(scene.groups[0]!).y).toBeCloseTo(scene.heightMm / 2);
  expect(composition.elements[0]).toMatchObject({ designId: 'd1', angleDeg: 30 });
  expect(selectedIds).toEqual([scene.groups[0]!.elementId]);
  editor.undo();
  expect(editor.getState().composition.elements).toEqual([]);
  expect(editor.getState().canUndo).toBe(false);
});

test.each([
  [0.05, 5],
  [1, 50],
  [7, 500],
])('keeps the size of an artwork beyond what its slider allows: %s of the area', (share, percent) => {
  const elements = save(openWith({ design: designPlacement({ size: percent }) }, 'design'));
  // As after a way through the store.
  const composition = parseComposition(JSON.parse(JSON.stringify(saveComposition(elements.composition))));
  const area = { widthMm: 101.6 / share, heightMm: 50.8 / share };
  const { command } = placeSaved(openEditor().getState().composition, area, { ...elements, composition });
  const [copy] = command.type === 'addElements' ? command.elements : [];
  expect(copy).toMatchObject({ size: expect.closeTo(percent * share, 6) });
});

test('keeps sizes and distances of several elements, and a group as a group of its own', () => {
  const editor = openWith(
    { design: designPlacement({ x: -20, size: 30 }), texts: [textElement('a', { x: 15, y: 20, isLocked: true })] },
    'design',
    'text:a',
  );
  editor.dispatch({ type: 'group', elementIds: ['design', 'text:a'], groupId: 'g' });
  const before = editor.getState().scene;
  const after = placeOn(0.7, save(editor)).getState();
  expect(sizesOf(after.scene)).toEqual(sizesOf(before));
  const gap = ({ groups: [a, b] }: Scene) => [middleOf(b!).x - middleOf(a!).x, middleOf(b!).y - middleOf(a!).y];
  expect(gap(after.scene)[0]).toBeCloseTo(gap(before)[0]!);
  expect(gap(after.scene)[1]).toBeCloseTo(gap(before)[1]!);
  const [design, text] = after.composition.elements;
  expect(design!.groupId).toBe(text!.groupId);
  expect(design!.groupId).not.toBe('g');
  expect(text!.isLocked).toBe(false);
});

test('makes what lies too far apart for the area smaller, together', () => {
  const editor = openWith(
    { texts: [textElement('a', { x: -40, heightInches: 0.4 }), textElement('b', { x: 40, heightInches: 0.4 })] },
    'text:a',
    'text:b',
  );
  const { composition } = editor.getState();
  const placing = placeSaved(composition, { widthMm: 40.64, heightMm: 50.8 }, save(editor));
  expect(placing.scale).toBeCloseTo(0.5);
  const [a, b] = placing.command.type === 'addElements' ? placing.command.elements : [];
  expect([a!.x, b!.x]).toEqual([expect.closeTo(-50), expect.closeTo(50)]);
  expect(a).toMatchObject({ heightInches: expect.closeTo(0.2) });
});

test('lies aside of itself when it is placed twice, and takes a color of the machine', () => {
  const elements = save(openWith({ machine: 'uv', texts: [textElement('a', { color: '#ff0000' })] }, 'text:a'));
  const editor = placeOn(1, elements);
  const { composition, scene } = editor.getState();
  dispatchAndChoose(editor, placeSaved(composition, scene, elements).command);
  const texts = textsOf(editor.getState().composition);
  expect(texts[1]!.x - texts[0]!.x).toBeCloseTo(3);
  expect(texts.map(({ color }) => color)).toEqual(['#000000', '#000000']);
});

test('draws what is saved alone, all of it within its picture', () => {
  const editor = openWith({ design: designPlacement({ x: 50, y: 50 }), texts: [textElement('a')] }, 'design');
  const { scene, widthMm, heightMm } = save(editor);
  expect([scene.groups.length, scene.backdrop]).toEqual([1, undefined]);
  expect(scene.widthMm).toBeGreaterThan(widthMm);
  const { matrix } = scene.groups[0]!;
  expect(matrix.e).toBeCloseTo((scene.widthMm - widthMm) / 2);
  expect(matrix.f).toBeCloseTo((scene.heightMm - heightMm) / 2);
});

test.each([
  ['a file, without its ending', { design: designPlacement() }, ['design'], 'logo'],
  ['an element that has a name', { design: designPlacement({ name: 'Fox v1.2' }) }, ['design'], 'Fox v1.2'],
  ['a text on one line', { texts: [textElement('a', { text: 'Ava\n& Ben' })] }, ['text:a'], 'Ava & Ben'],
  [
    'several',
    { design: designPlacement(), texts: [textElement('a'), textElement('b')] },
    ['design', 'text:a', 'text:b'],
    'logo, Ava',
  ],
  [
    'a group that has a name',
    { texts: ['a', 'b'].map((id) => textElement(id, { groupId: 'g', groupName: 'Monogram' })) },
    ['text:a'],
    'Monogram',
  ],
] as const)('proposes a name for %s', (_what, changes, ids, name) => {
  expect(save(openWith(changes as never, ...ids)).name).toBe(name);
});

test('saves nothing of nothing, and leaves out what is hidden', () => {
  expect(elementsToSave(openWith({ texts: [textElement('a')] }).getState())).toBeUndefined();
  const hiddenText = textElement('b', { isHidden: true });
  expect(elementsToSave(openWith({ texts: [hiddenText] }, 'text:b').getState())).toBeUndefined();
  const editor = openWith({ texts: [textElement('a'), hiddenText] }, 'text:a', 'text:b');
  expect(save(editor).composition.elements).toHaveLength(1);
  expect(resolveScene(save(editor).composition, editor.getState().assets).groups).toHaveLength(1);
});
