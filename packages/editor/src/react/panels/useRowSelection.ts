import { type MouseEvent, useRef } from 'react';
import { type ElementId, elementIds } from '../../core/document/editor.ts';
import { groupOfRow, type ListRow, type RowId } from '../../core/document/listRows.ts';
import { useEditor } from '../EditorProvider.tsx';

interface HeldKeys {
  readonly shiftKey: boolean;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
}

/**
 * Selects by clicking or passing a row: it alone, also in a group, or the group of a heading; with Shift all from where
 * the selection began; with Ctrl one more, or one less.
 */
export function useRowSelection(rows: readonly ListRow[]) {
  const editor = useEditor();
  const start = useRef<ElementId>(undefined);
  /** The row whose next focus selects nothing. */
  const quietRow = useRef<RowId>(undefined);
  const elementsOf = (id: RowId): readonly ElementId[] => rows.find((row) => row.id === id)?.elementIds ?? [];

  const chooseAlone = (id: RowId) => {
    if (id === 'machineArea') editor.select(id);
    else if (groupOfRow(id) !== undefined) editor.selectElements(elementsOf(id));
    else editor.selectMember(id as ElementId);
  };
  return {
    choose(id: RowId, modifiers: HeldKeys): void {
      const { selectedIds, composition } = editor.getState();
      const rowIds = elementsOf(id);
      if (rowIds.length === 0) {
        chooseAlone(id);
      } else if (modifiers.shiftKey) {
        if (selectedIds.length < 2 || !start.current || !selectedIds.includes(start.current)) {
          start.current = selectedIds[0] ?? rowIds[0]!;
        }
        const order = elementIds(composition);
        const from = order.indexOf(start.current);
        const to = order.indexOf(rowIds[0]!);
        editor.selectElements(from < to ? order.slice(from, to + 1) : order.slice(to, from + 1).reverse());
      } else if (modifiers.ctrlKey || modifiers.metaKey) {
        const others = selectedIds.filter((each) => !rowIds.includes(each));
        editor.selectElements(others.length < selectedIds.length ? others : [...others, ...rowIds]);
      } else {
        chooseAlone(id);
      }
    },
    /** Lets the next focus of this row pass without selecting anything. */
    keep(id: RowId): void {
      quietRow.current = id;
    },
    /**
     * Runs before a press moves the focus: keys extend the selection, and one of several may be dragged with the
     * others.
     */
    onMouseDown(id: RowId, event: MouseEvent): void {
      const { selectedIds } = editor.getState();
      const rowIds = elementsOf(id);
      const isOneOfSeveral =
        rowIds.length > 0 && selectedIds.length > rowIds.length && rowIds.every((each) => selectedIds.includes(each));
      const isQuiet = event.shiftKey || event.ctrlKey || event.metaKey || isOneOfSeveral;
      if (isQuiet && event.currentTarget !== document.activeElement) quietRow.current = id;
    },
    onFocus(id: RowId): void {
      const isQuiet = quietRow.current === id;
      quietRow.current = undefined;
      if (!isQuiet) chooseAlone(id);
    },
  };
}
