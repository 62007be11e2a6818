import { applyCommand } from '@markwright/scene';
import { expect, test } from 'vitest';
import { designPlacement, openEditor, textElement } from '../testHost.ts';
import { groupOfRow, listRows, selectedRow } from './listRows.ts';

const start = openEditor({
  design: designPlacement(),
  texts: ['a', 'b', 'c'].map((id) => textElement(id)),
}).getState().composition;
const withGroup = applyCommand(start, { type: 'group', elementIds: ['text:a', 'text:b'], groupId: 'g' });
const none = new Set<string>();

test('a group has a heading over its members, and one row while it is folded', () => {
  const rows = listRows(withGroup, none);
  expect(rows.map(({ id, dropIndex }) => [id, dropIndex])).toEqual([
    ['text:c', 4],
    ['group:g', 3],
    ['text:b', 3],
    ['text:a', 2],
    ['design', 1],
    ['machineArea', 0],
  ]);
  expect(rows.filter(({ groupId }) => groupId === 'g').map(({ id }) => id)).toEqual(['text:b', 'text:a']);
  const shortRows = listRows(withGroup, new Set(['g']));
  expect(shortRows.map(({ id, dropIndex }) => [id, dropIndex])).toEqual([
    ['text:c', 4],
    ['group:g', 3],
    ['design', 1],
    ['machineArea', 0],
  ]);
  expect(shortRows[1]!.elementIds).toEqual(['text:a', 'text:b']);
  expect(shortRows.map(({ id }) => groupOfRow(id))).toEqual([undefined, 'g', undefined, undefined]);
});

test('the heading shows a selected group, and a selected member that is folded away', () => {
  const rows = listRows(withGroup, none);
  const shortRows = listRows(withGroup, new Set(['g']));
  const member = { selection: 'text:a', selectedIds: ['text:a'] } as const;
  expect(selectedRow(rows, { selection: 'text:b', selectedIds: ['text:a', 'text:b'] })).toBe('group:g');
  expect(selectedRow(rows, member)).toBe('text:a');
  expect(selectedRow(shortRows, member)).toBe('group:g');
  expect(selectedRow(rows, { selection: 'machineArea', selectedIds: [] })).toBe('machineArea');
  expect(selectedRow(rows, { selection: undefined, selectedIds: [] })).toBeUndefined();
  const several = { selection: 'text:b', selectedIds: ['text:c', 'text:a', 'text:b'] } as const;
  expect(selectedRow(rows, several)).toBe('text:b');
});
