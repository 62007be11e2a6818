import { expect, test } from 'vitest';
import { designPlacement, openEditor, textElement } from '../testHost.ts';
import type { ElementId } from './editor.ts';
import { stageMenu } from './stageMenu.ts';

const editor = openEditor({
  design: designPlacement(),
  texts: [textElement('a'), textElement('b'), textElement('locked', { isLocked: true })],
});

function labels(...ids: readonly ElementId[]): string[] {
  editor.selectElements(ids);
  return stageMenu(editor.getState()).flatMap((entry) => (entry.kind === 'divider' ? [] : entry.label));
}

test('the empty stage offers to paste, to select all and to look', () => {
  expect(labels()).toEqual(['Paste', 'Select all', 'Fit the product', 'True size, 1:1']);
});

test('a text can be edited and fitted, a locked one unlocked, several arranged', () => {
  expect(labels('text:a')).toEqual(expect.arrayContaining(['Edit text', 'Fit to area', 'Copy', 'Duplicate', 'Delete']));
  const ofLocked = labels('text:locked');
  expect(ofLocked).toContain('Unlock');
  for (const label of ['Edit text', 'Cut', 'Align', 'Flip', 'Delete']) expect(ofLocked).not.toContain(label);
  const ofSeveral = labels('text:a', 'text:b');
  expect(ofSeveral).not.toContain('Edit text');
  expect(ofSeveral).toEqual(expect.arrayContaining(['Order', 'Align', 'Lock', 'Hide']));
});

test('offers to save what is drawn, where the host has a library', () => {
  const hasSave = (...ids: readonly ElementId[]) => {
    editor.selectElements(ids);
    return stageMenu(editor.getState(), { hasLibrary: true }).some(
      (entry) => entry.kind === 'item' && entry.action.kind === 'saveToLibrary',
    );
  };
  expect([hasSave('design'), hasSave('text:locked', 'text:a'), hasSave()]).toEqual([true, true, false]);
  expect(labels('design')).not.toContain('Save to library');
  editor.dispatch({ type: 'setHidden', elementId: 'text:b', isHidden: true });
  expect(hasSave('text:b')).toBe(false);
  editor.undo();
});

test('several elements become a group, and a group is dissolved', () => {
  expect(labels('text:a')).not.toContain('Group');
  expect(labels('text:a', 'text:b')).toContain('Group');
  const group = stageMenu(editor.getState()).find((entry) => entry.kind === 'item' && entry.label === 'Group');
  if (group?.kind !== 'item' || group.action.kind !== 'command') throw new Error('Group is no command');
  editor.dispatch(group.action.command);
  expect(labels('text:a', 'text:b')).toContain('Ungroup');
  expect(labels('text:a', 'text:b')).not.toContain('Group');
  expect(labels('text:a', 'text:b', 'design')).toContain('Group');
  editor.undo();
});

test('never ends or begins with a divider, and has no two in a row', () => {
  for (const ids of [[], ['design'], ['text:a'], ['text:locked'], ['design', 'text:b']] as const) {
    editor.selectElements(ids);
    const kinds = stageMenu(editor.getState()).map(({ kind }) => kind);
    expect(kinds[0]).not.toBe('divider');
    expect(kinds.at(-1)).not.toBe('divider');
    expect(kinds.some((kind, index) => kind === 'divider' && kinds[index + 1] === 'divider')).toBe(false);
  }
});
