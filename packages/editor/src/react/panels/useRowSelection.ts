import { type MouseEvent, useRef } from 'react';
import type { ElementId } from '../../core/document/editor.ts';
import { useEditor } from '../EditorProvider.tsx';
import type { RowId } from './useRowDrag.ts';

interface HeldKeys {
  readonly shiftKey: boolean;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
}

/**
 * Selects by clicking or passing a row: it alone; with Shift all from where the selection began; with Ctrl one more, or
 * one less.
 */
export function useRowSelection(elements: readonly ElementId[]) {
  const editor = useEditor();
  const start = useRef<ElementId>(undefined);
  /** The row whose next focus selects nothing. */
  const quietRow = useRef<RowId>(undefined);

  return {
    choose(id: RowId, modifiers: HeldKeys): void {
      const { selectedIds } = editor.getState();
      if (id === 'machineArea') {
        editor.select(id);
      } else if (modifiers.shiftKey) {
        if (selectedIds.length < 2 || !start.current || !selectedIds.includes(start.current)) {
          start.current = selectedIds[0] ?? id;
        }
        const from = elements.indexOf(start.current);
        const to = elements.indexOf(id);
        editor.selectElements(from < to ? elements.slice(from, to + 1) : elements.slice(to, from + 1).reverse());
      } else if (modifiers.ctrlKey || modifiers.metaKey) {
        const others = selectedIds.filter((each) => each !== id);
        editor.selectElements(others.length < selectedIds.length ? others : [...others, id]);
      } else {
        editor.select(id);
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
      const isOneOfSeveral = selectedIds.length > 1 && selectedIds.some((each) => each === id);
      const isQuiet = event.shiftKey || event.ctrlKey || event.metaKey || isOneOfSeveral;
      if (isQuiet && event.currentTarget !== document.activeElement) quietRow.current = id;
    },
    onFocus(id: RowId): void {
      const isQuiet = quietRow.current === id;
      quietRow.current = undefined;
      if (!isQuiet) editor.select(id);
    },
  };
}
