import { applyCommand, toOrder } from '@markwright/scene';
import { describe, expect, test } from 'vitest';
import type { Selection } from './editor.ts';
import { globalAction, type Key, stageAction } from './keymap.ts';
import { readMachineAreaMm } from './machineArea.ts';
import { designPlacement, openEditor, textElement } from './testHost.ts';

const key = (name: string, held: Partial<Key> = {}): Key => ({
  key: name,
  ctrlKey: false,
  metaKey: false,
  shiftKey: false,
  altKey: false,
  ...held,
});
const { composition, assets } = openEditor({
  design: designPlacement({ angleDeg: 0 }),
  texts: [textElement('a'), textElement('b')],
}).getState();

/** The composition after a key. */
function press(name: string, selection: Selection, held: Partial<Key> = {}) {
  const action = stageAction(key(name, held), composition, selection);
  return action?.kind === 'command' ? applyCommand(composition, action.command) : composition;
}

describe('on the stage', () => {
  test.each([
    ['ArrowLeft', false, { x: -1, y: 0 }],
    ['ArrowRight', true, { x: 5, y: 0 }],
    ['ArrowUp', true, { x: 0, y: -5 }],
    ['ArrowDown', false, { x: 0, y: 1 }],
  ])('%s with shift %s moves by %o', (name, shiftKey, expected) => {
    expect(press(name, 'design', { shiftKey }).design).toMatchObject(expected);
    expect(press(name, 'text:a', { shiftKey }).texts[0]).toMatchObject(expected);
  });

  test('brackets turn by one degree, through zero as well; R by ninety', () => {
    expect(press(']', 'design').design!.angleDeg).toBe(1);
    expect(press('[', 'design').design!.angleDeg).toBe(359);
    expect(press('r', 'text:a').texts[0]!.angleDeg).toBe(90);
  });

  test('Delete and Backspace remove what is selected, never the machine area', () => {
    expect(press('Delete', 'design').design).toBeUndefined();
    expect(press('Backspace', 'text:a').texts.map(({ id }) => id)).toEqual(['b']);
    expect(stageAction(key('Delete'), composition, 'machineArea')).toBeUndefined();
    expect(stageAction(key('Delete'), composition, undefined)).toBeUndefined();
  });

  test('Ctrl and brackets reorder, with shift past all; L locks, H hides, Ctrl D copies', () => {
    const order = (name: string, shiftKey = false) => toOrder(press(name, 'text:a', { ctrlKey: true, shiftKey }));
    expect(order(']')).toEqual(['design', 'text:b', 'text:a']);
    expect(order('[')).toEqual(['text:a', 'design', 'text:b']);
    expect(toOrder(press('}', 'design', { ctrlKey: true, shiftKey: true }))).toEqual(['text:a', 'text:b', 'design']);
    expect(press('l', 'design').design!.isLocked).toBe(true);
    expect(press('h', 'text:a').texts[0]!.isHidden).toBe(true);
    expect(press('d', 'text:a', { ctrlKey: true }).texts.map(({ text }) => text)).toEqual(['Ava', 'Ava', 'Ava']);
    expect(stageAction(key('d', { ctrlKey: true }), composition, 'design')).toBeUndefined();
  });

  test('a locked element can be unlocked and reordered by key, not moved, turned or removed', () => {
    const locked = press('l', 'text:a');
    for (const name of ['ArrowLeft', 'Delete', 'Backspace', ']', 'r']) {
      expect(stageAction(key(name), locked, 'text:a'), name).toBeUndefined();
    }
    expect(stageAction(key('l'), locked, 'text:a')).toMatchObject({ command: { isLocked: false } });
    expect(stageAction(key(']', { ctrlKey: true }), locked, 'text:a')).toMatchObject({ kind: 'command' });
  });

  test('Tab passes over what is hidden', () => {
    expect(stageAction(key('Tab'), press('h', 'text:a'), 'design')).toEqual({ kind: 'select', selection: 'text:b' });
  });

  test('arrows move the machine area by its own per cent', () => {
    const product = assets.product!;
    const action = stageAction(key('ArrowRight', { shiftKey: true }), composition, 'machineArea', product);
    if (action?.kind !== 'command') throw new Error('Not a command');
    expect(readMachineAreaMm(applyCommand(composition, action.command), product).x).toBeCloseTo(5.08, 6);
    expect(action.isRepeatable).toBe(true);
    expect(stageAction(key('ArrowRight'), composition, 'machineArea')).toBeUndefined();
  });

  test('Tab goes through the elements and then on to the page', () => {
    const walk = (selection: Selection, shiftKey = false) =>
      stageAction(key('Tab', { shiftKey }), composition, selection);
    expect(walk(undefined)).toEqual({ kind: 'select', selection: 'design' });
    expect(walk('design')).toEqual({ kind: 'select', selection: 'text:a' });
    expect(walk('text:b')).toBeUndefined();
    expect(walk('text:b', true)).toEqual({ kind: 'select', selection: 'text:a' });
    expect(walk('design', true)).toBeUndefined();
  });

  test('keys with ctrl are left to the page', () => {
    expect(stageAction(key('ArrowLeft', { ctrlKey: true }), composition, 'design')).toBeUndefined();
  });
});

describe('everywhere', () => {
  test.each([
    ['z', {}, 'undo'],
    ['Z', { shiftKey: true }, 'redo'],
    ['y', {}, 'redo'],
  ])('ctrl %s %o', (name, held, kind) => {
    expect(globalAction(key(name, { ctrlKey: true, ...held }), 1)?.kind).toBe(kind);
    expect(globalAction(key(name, { metaKey: true, ...held }), 1)?.kind).toBe(kind);
    expect(globalAction(key(name, held), 1)).toBeUndefined();
  });

  test('zoom in, out and back', () => {
    const zoom = (name: string) => {
      const action = globalAction(key(name, { ctrlKey: true }), 1.2);
      return action?.kind === 'zoom' ? action.zoom : undefined;
    };
    expect(zoom('+')).toBeCloseTo(1.3);
    expect(zoom('=')).toBeCloseTo(1.3);
    expect(zoom('-')).toBeCloseTo(1.1);
    expect(zoom('0')).toBe(1);
  });
});
