import { applyCommand, artworksOf, textsOf, toZOrder } from '@markwright/scene';
import { describe, expect, test } from 'vitest';
import { designPlacement, openEditor, textElement } from '../testHost.ts';
import type { EditorState, Selection } from './editor.ts';
import { alignments, globalAction, type Key, type KeyContext, stageAction } from './keymap.ts';
import { readMachineAreaMm } from './machineArea.ts';

const key = (name: string, modifiers: Partial<Key> = {}): Key => ({
  key: name,
  ctrlKey: false,
  metaKey: false,
  shiftKey: false,
  altKey: false,
  ...modifiers,
});
const editor = openEditor({
  design: designPlacement({ angleDeg: 0 }),
  texts: [textElement('a'), textElement('b')],
});
const { composition, assets } = editor.getState();

/** Selects elements of a composition; the last id is the `selection`. */
function choose(from: EditorState['composition'], ...ids: Selection[]): KeyContext {
  const other = openEditor(from);
  const elementIds = ids.filter((id) => id !== undefined && id !== 'machineArea');
  if (elementIds.length > 0) other.selectElements(elementIds);
  else other.select(ids.at(-1));
  return other.getState();
}

/** Returns the composition after a key. */
function press(name: string, ids: Selection | Selection[], modifiers: Partial<Key> = {}) {
  const action = stageAction(key(name, modifiers), choose(composition, ...[ids].flat()));
  return action?.kind === 'command' ? applyCommand(composition, action.command) : composition;
}

describe('on the stage', () => {
  test.each([
    ['ArrowLeft', false, { x: -1, y: 0 }],
    ['ArrowRight', true, { x: 5, y: 0 }],
    ['ArrowUp', true, { x: 0, y: -5 }],
    ['ArrowDown', false, { x: 0, y: 1 }],
  ])('%s with shift %s moves by %o', (name, shiftKey, expected) => {
    expect(artworksOf(press(name, 'design', { shiftKey }))[0]).toMatchObject(expected);
    expect(textsOf(press(name, 'text:a', { shiftKey }))[0]).toMatchObject(expected);
  });

  test('brackets rotate by one degree, also past zero, and R by ninety', () => {
    expect(artworksOf(press(']', 'design'))[0]!.angleDeg).toBe(1);
    expect(artworksOf(press('[', 'design'))[0]!.angleDeg).toBe(359);
    expect(textsOf(press('r', 'text:a'))[0]!.angleDeg).toBe(90);
  });

  test('Delete and Backspace remove the selected elements, never the machine area', () => {
    expect(artworksOf(press('Delete', 'design'))[0]).toBeUndefined();
    expect(textsOf(press('Backspace', 'text:a')).map(({ id }) => id)).toEqual(['b']);
    expect(stageAction(key('Delete'), choose(composition, 'machineArea'))).toBeUndefined();
    expect(stageAction(key('Delete'), choose(composition, undefined))).toBeUndefined();
  });

  test('Ctrl with brackets changes the z-order, with Shift to the end; L locks, H hides, Ctrl D duplicates', () => {
    const order = (name: string, shiftKey = false) => toZOrder(press(name, 'text:a', { ctrlKey: true, shiftKey }));
    expect(order(']')).toEqual(['design', 'text:b', 'text:a']);
    expect(order('[')).toEqual(['text:a', 'design', 'text:b']);
    expect(toZOrder(press('}', 'design', { ctrlKey: true, shiftKey: true }))).toEqual(['text:a', 'text:b', 'design']);
    expect(artworksOf(press('l', 'design'))[0]!.isLocked).toBe(true);
    expect(textsOf(press('h', 'text:a'))[0]!.isHidden).toBe(true);
    expect(textsOf(press('d', 'text:a', { ctrlKey: true })).map(({ text }) => text)).toEqual(['Ava', 'Ava', 'Ava']);
    expect(artworksOf(press('d', 'design', { ctrlKey: true })).map(({ designId }) => designId)).toEqual(['d1', 'd1']);
  });

  test('keys unlock and reorder a locked element, and do not move, rotate or remove it', () => {
    const lockedState = press('l', 'text:a');
    for (const name of ['ArrowLeft', 'Delete', 'Backspace', ']', 'r']) {
      expect(stageAction(key(name), choose(lockedState, 'text:a')), name).toBeUndefined();
    }
    expect(stageAction(key('l'), choose(lockedState, 'text:a'))).toMatchObject({ command: { isLocked: false } });
    expect(stageAction(key(']', { ctrlKey: true }), choose(lockedState, 'text:a'))).toMatchObject({ kind: 'command' });
  });

  test('Tab skips hidden elements', () => {
    expect(stageAction(key('Tab'), choose(press('h', 'text:a'), 'design'))).toEqual({
      kind: 'select',
      selection: 'text:b',
    });
  });

  test('arrow keys move the machine area in percent of the product, and only with a product', () => {
    const product = assets.product!;
    const action = stageAction(key('ArrowRight', { shiftKey: true }), choose(composition, 'machineArea'));
    if (action?.kind !== 'command') throw new Error('Not a command');
    expect(readMachineAreaMm(applyCommand(composition, action.command), product).x).toBeCloseTo(5.08, 6);
    expect(action.isRepeatable).toBe(true);
    const bare = { ...choose(composition, 'machineArea'), assets: { ...assets, product: undefined } };
    expect(stageAction(key('ArrowRight'), bare)).toBeUndefined();
  });

  test('Tab selects one element after another and then leaves the stage', () => {
    const walk = (selection: Selection, shiftKey = false) =>
      stageAction(key('Tab', { shiftKey }), choose(composition, selection));
    expect(walk(undefined)).toEqual({ kind: 'select', selection: 'design' });
    expect(walk('design')).toEqual({ kind: 'select', selection: 'text:a' });
    expect(walk('text:b')).toBeUndefined();
    expect(walk('text:b', true)).toEqual({ kind: 'select', selection: 'text:a' });
    expect(walk('design', true)).toBeUndefined();
  });

  test('moves, rotates, locks, hides, reorders, duplicates and removes several elements in one undo step', () => {
    const both: Selection[] = ['design', 'text:b'];
    const moveAction = press('ArrowRight', both);
    expect([artworksOf(moveAction)[0]!.x, textsOf(moveAction)[0]!.x, textsOf(moveAction)[1]!.x]).toEqual([1, 0, 1]);
    expect(textsOf(press(']', both))[1]!.angleDeg).toBe(1);
    expect(artworksOf(press('r', both))[0]!.angleDeg).toBe(90);
    expect(toZOrder(press('Delete', both))).toEqual(['text:a']);
    expect(toZOrder(press(']', ['design', 'text:a'], { ctrlKey: true }))).toEqual(['text:b', 'design', 'text:a']);
    expect(textsOf(press('d', ['design', 'text:a', 'text:b'], { ctrlKey: true }))).toHaveLength(4);

    const lockedState = press('l', 'text:a');
    const bothSelected = choose(lockedState, 'text:a', 'text:b');
    const run = (name: string) => {
      const action = stageAction(key(name), bothSelected);
      return action?.kind === 'command' ? applyCommand(lockedState, action.command) : lockedState;
    };
    expect(textsOf(run('ArrowRight')).map(({ x }) => x)).toEqual([0, 1]);
    expect(toZOrder(run('Delete'))).toEqual(['design', 'text:a']);
    expect(textsOf(run('l')).map(({ isLocked }) => isLocked)).toEqual([true, true]);
    expect(textsOf(run('h')).map(({ isHidden }) => isHidden)).toEqual([true, true]);
  });

  test('Ctrl A selects all visible elements', () => {
    const all = stageAction(key('a', { ctrlKey: true }), choose(press('h', 'text:a'), undefined));
    expect(all).toEqual({ kind: 'selectElements', elementIds: ['design', 'text:b'] });
    expect(stageAction(key('a', { metaKey: true }), openEditor().getState())).toBeUndefined();
  });

  test('Enter edits a text that is not locked', () => {
    expect(stageAction(key('Enter'), choose(composition, 'text:b'))).toEqual({ kind: 'editText', id: 'b' });
    expect(stageAction(key('Enter'), choose(composition, 'design'))).toBeUndefined();
    expect(stageAction(key('Enter'), choose(press('l', 'text:b'), 'text:b'))).toBeUndefined();
  });

  test('aligns one element to the machine area with Alt and a letter, whatever character Alt produces', () => {
    for (const { letter } of alignments) expect(press(letter.toLowerCase(), 'text:a', { altKey: true })).toBeDefined();
    const left = press('a', 'text:a', { altKey: true });
    expect(textsOf(left)[0]!.x).toBeLessThan(-40);
    expect(press('å', 'text:a', { altKey: true, code: 'KeyA' })).toEqual(left);
    expect(textsOf(press('s', 'text:a', { altKey: true }))[0]!.y).toBeGreaterThan(40);
    expect(stageAction(key('q', { altKey: true }), choose(composition, 'text:a'))).toBeUndefined();
  });

  test('aligns several elements to each other, and with Shift distributes them', () => {
    const apartTexts = textsOf(composition).map((text, i) => ({ ...text, x: i * 30 - 5, y: i * 9 }));
    const apart = { ...composition, elements: [...artworksOf(composition), ...apartTexts] };
    const run = (name: string, shiftKey: boolean) => {
      const action = stageAction(key(name, { altKey: true, shiftKey }), choose(apart, 'design', 'text:a', 'text:b'));
      return action?.kind === 'command' ? applyCommand(apart, action.command) : apart;
    };
    const horizontal = run('h', false);
    expect(textsOf(horizontal)[0]!.x).toBeCloseTo(artworksOf(horizontal)[0]!.x, 9);
    expect(textsOf(horizontal)[1]!.x).toBeCloseTo(artworksOf(horizontal)[0]!.x, 9);
    expect(run('h', true)).not.toBe(apart);
    expect(textsOf(run('h', true)).map(({ y }) => y)).toEqual([0, 9]);
  });

  test('Ctrl G groups the selected elements, and Ctrl Shift G dissolves their group', () => {
    const both: Selection[] = ['design', 'text:b'];
    const withGroup = press('g', both, { ctrlKey: true });
    expect(toZOrder(withGroup)).toEqual(['text:a', 'design', 'text:b']);
    const [, first, second] = withGroup.elements;
    expect(first!.groupId).toBeDefined();
    expect(second!.groupId).toBe(first!.groupId);
    expect(stageAction(key('g', { ctrlKey: true }), choose(withGroup, ...both))).toBeUndefined();
    const action = stageAction(key('G', { ctrlKey: true, shiftKey: true }), choose(withGroup, ...both));
    const after = applyCommand(
      withGroup,
      action?.kind === 'command' ? action.command : { type: 'several', commands: [] },
    );
    expect(after.elements.every(({ groupId }) => groupId === undefined)).toBe(true);
    expect(stageAction(key('g', { ctrlKey: true }), choose(composition, 'design'))).toBeUndefined();
  });

  test('leaves other keys with Ctrl to the page', () => {
    expect(stageAction(key('ArrowLeft', { ctrlKey: true }), choose(composition, 'design'))).toBeUndefined();
  });
});

describe('everywhere', () => {
  test.each([
    ['z', {}, 'undo'],
    ['Z', { shiftKey: true }, 'redo'],
    ['y', {}, 'redo'],
  ])('ctrl %s %o', (name, modifiers, kind) => {
    expect(globalAction(key(name, { ctrlKey: true, ...modifiers }), 1)?.kind).toBe(kind);
    expect(globalAction(key(name, { metaKey: true, ...modifiers }), 1)?.kind).toBe(kind);
    expect(globalAction(key(name, modifiers), 1)).toBeUndefined();
  });

  test('plus, minus and zero zoom in, out and back', () => {
    const zoom = (name: string) => {
      const action = globalAction(key(name, { ctrlKey: true }), 1.2);
      return action?.kind === 'zoom' ? action.zoom : undefined;
    };
    expect(zoom('+')).toBeCloseTo(1.3);
    expect(zoom('=')).toBeCloseTo(1.3);
    expect(zoom('-')).toBeCloseTo(1.1);
    expect(zoom('0')).toBe(1);
  });

  test.each([
    [20, '+', 20],
    [20, '-', 3],
    [0.1, '-', 0.1],
    [0.1, '+', 0.5],
  ])('from a zoom of %s, beyond the range of the keys, %s leads to %s', (zoom, name, next) => {
    expect(globalAction(key(name, { ctrlKey: true }), zoom)).toEqual({ kind: 'zoom', zoom: next });
  });
});
