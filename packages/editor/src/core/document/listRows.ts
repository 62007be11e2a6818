/** The rows of the list of elements: groups have a heading, below which their members stand. Pure. */
import { type Composition, elementIdOf } from '@markwright/scene';
import type { EditorState, ElementId } from './editor.ts';

export type GroupRowId = `group:${string}`;
/** A row: an element, the heading of a group, or the machine area. */
export type RowId = ElementId | GroupRowId | 'machineArea';

export interface ListRow {
  readonly id: RowId;
  /** What it stands for, the lowest first: an element, or all members of a group. */
  readonly elementIds: readonly ElementId[];
  /** The group whose heading it stands under. */
  readonly groupId?: string | undefined;
  /** The elements that lie below the place above this row: a drop there leads to this index of the z-order. */
  readonly dropIndex: number;
}

export const groupRowId = (groupId: string): GroupRowId => `group:${groupId}`;

/** Returns the group of a heading; undefined for other rows. */
export const groupOfRow = (id: RowId): string | undefined =>
  id.startsWith('group:') ? id.slice('group:'.length) : undefined;

/** Returns the rows from the top down, without the members of groups that are folded. */
export function listRows(
  { elements, productId }: Pick<Composition, 'elements' | 'productId'>,
  foldedGroupIds: ReadonlySet<string>,
): readonly ListRow[] {
  const rows: ListRow[] = [];
  let index = elements.length;
  for (const element of elements.toReversed()) {
    const { groupId } = element;
    if (groupId !== undefined && rows.at(-1)?.id !== groupRowId(groupId) && rows.at(-1)?.groupId !== groupId) {
      const members = elements.filter((other) => other.groupId === groupId).map(elementIdOf);
      rows.push({ id: groupRowId(groupId), elementIds: members, dropIndex: index });
    }
    const id = elementIdOf(element);
    if (groupId === undefined || !foldedGroupIds.has(groupId)) {
      rows.push({ id, elementIds: [id], groupId, dropIndex: index });
    }
    index--;
  }
  if (productId !== undefined) rows.push({ id: 'machineArea', elementIds: [], dropIndex: 0 });
  return rows;
}

/** Returns the row that shows what is selected: the heading for a whole group, and for a member that is folded away. */
export function selectedRow(
  rows: readonly ListRow[],
  { selection, selectedIds }: Pick<EditorState, 'selection' | 'selectedIds'>,
): RowId | undefined {
  const isGroup = ({ id, elementIds }: ListRow) =>
    groupOfRow(id) !== undefined &&
    elementIds.length === selectedIds.length &&
    elementIds.every((each) => selectedIds.includes(each));
  const row =
    rows.find(isGroup) ??
    rows.find(({ id }) => id === selection) ??
    rows.find(({ elementIds }) => elementIds.some((id) => id === selection));
  return row?.id;
}
