import { type Composition, findElement, loneGroupOf, membersOf, toElementName, toGroupName } from '@markwright/scene';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import type { EditorState, ElementId } from '../../core/document/editor.ts';
import { dispatchAndChoose, elementAction } from '../../core/document/keymap.ts';
import {
  groupOfRow,
  groupRowId,
  type ListRow,
  listRows,
  type RowId,
  selectedRow,
} from '../../core/document/listRows.ts';
import { useEditor, useEditorState } from '../EditorProvider.tsx';
import { GroupRow, NameField, Row, RowSwitches } from './ElementRow.tsx';
import { ElementTools } from './ElementTools.tsx';
import { useRowDrag } from './useRowDrag.ts';
import { useRowSelection } from './useRowSelection.ts';

/**
 * Lists everything on the product, the top of the z-order first and the machine area last. The members of a group stand
 * under its heading. One tab stop: Up and Down select, with Shift all rows they pass; Left folds a group, Right shows
 * it. The focused row is selected, so that screen and screen reader agree. Rows are dragged over and under one another.
 * Buttons for the selected elements follow.
 */
export function ElementList({ className = '' }: { className?: string }) {
  const editor = useEditor();
  const [foldedIds, setFoldedIds] = useState<ReadonlySet<string>>(new Set());
  // Selects elements, groups and their order without their places, so that a drag does not render the list again.
  const rows = useEditorState(({ composition }) => listRows(composition, foldedIds), isSameRows);
  const selection = useEditorState((state) => state.selection);
  const selectedIds = useEditorState((state) => state.selectedIds);
  const list = useRef<HTMLUListElement>(null);
  const [renamedId, setRenamedId] = useState<RowId>();
  const { drop, isDragged, handlers } = useRowDrag(list, rows);
  const choice = useRowSelection(rows);
  const chosenRow = selectedRow(rows, { selection, selectedIds });
  useEffect(() => {
    if (chosenRow !== undefined) showChosen(list.current, chosenRow);
  }, [chosenRow]);
  if (rows.length === 0) return null;
  const active = chosenRow ?? rows[0]!.id;

  const focusRow = (id: RowId | undefined) =>
    list.current?.querySelector<HTMLElement>(`[data-row="${CSS.escape(id ?? '')}"]`)?.focus();
  const focusSoon = (id: RowId | undefined) => requestAnimationFrame(() => focusRow(id));
  const fold = (groupId: string, isFolded: boolean) =>
    setFoldedIds((before) => new Set(isFolded ? [...before, groupId] : [...before].filter((id) => id !== groupId)));
  const onKeyDown = (event: KeyboardEvent, row: ListRow) => {
    const index = rows.indexOf(row);
    const hasModifier = event.ctrlKey || event.metaKey || event.altKey;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && !hasModifier) {
      event.preventDefault();
      const next = rows[index + step]?.id;
      if (event.shiftKey && next) {
        choice.choose(next, event);
        choice.keep(next);
      }
      focusRow(next);
      return;
    }
    const groupId = groupOfRow(row.id) ?? row.groupId;
    if ((event.key === 'ArrowLeft' || event.key === 'ArrowRight') && !hasModifier && groupId !== undefined) {
      event.preventDefault();
      // From a member, Left leads to the heading first.
      if (row.groupId !== undefined && event.key === 'ArrowLeft') focusRow(groupRowId(groupId));
      else fold(groupId, event.key === 'ArrowLeft');
      return;
    }
    if (event.key === 'F2' && row.id !== 'machineArea') {
      event.preventDefault();
      setRenamedId(row.id);
      return;
    }
    const action = elementAction(event, editor.getState());
    if (!action) return;
    event.preventDefault();
    if (action.kind === 'selectElements') editor.selectElements(action.elementIds);
    if (action.kind === 'editText') editor.editText(action.id);
    if (action.kind !== 'command') return;
    dispatchAndChoose(editor, action.command);
    const state = editor.getState();
    // The next row takes the focus of the removed one.
    if (!isThere(state, row.id)) focusSoon(rows.slice(index).find(({ id }) => isThere(state, id))?.id);
    else {
      const now = selectedRow(listRows(state.composition, foldedIds), state);
      if (!now || now === row.id || state.selection === row.id) return;
      choice.keep(now);
      focusSoon(now);
    }
  };
  const endRename = (id: RowId, name: string | undefined) => {
    setRenamedId(undefined);
    const groupId = groupOfRow(id);
    if (name !== undefined) {
      editor.dispatch(
        groupId === undefined ? { type: 'rename', elementId: id, name } : { type: 'renameGroup', groupId, name },
      );
    }
    focusSoon(id);
  };
  const lineIndex = drop && lineOf(rows, drop.index, loneGroupOf(editor.getState().composition, drop.ids));

  return (
    <ul
      ref={list}
      aria-label="Elements on the product"
      className={`flex flex-col will-change-transform ${className}`}
      {...handlers}
    >
      {rows.map((row, index) => {
        const { id, elementIds } = row;
        const groupId = groupOfRow(id);
        const isRowChosen = isChosen(row, selection, selectedIds);
        const props = { isActive: id === active, isChosen: isRowChosen, choice };
        return (
          <li
            key={id}
            data-place={id === 'machineArea' ? undefined : id}
            className={`group relative flex min-h-10 items-center rounded-control pr-1 ${rowClass(isRowChosen)} ${isDragged(row) ? 'opacity-45' : ''}`}
          >
            {lineIndex === index && <DropLine />}
            {id === renamedId && id !== 'machineArea' ? (
              <NameField
                label={groupId === undefined ? 'Name of the element' : 'Name of the group'}
                start={nameOf(editor.getState().composition, id)}
                onEnd={(name) => endRename(id, name)}
              />
            ) : groupId !== undefined ? (
              <GroupRow
                {...props}
                id={id}
                groupId={groupId}
                count={elementIds.length}
                isFolded={foldedIds.has(groupId)}
                onFold={() => fold(groupId, !foldedIds.has(groupId))}
                onKeyDown={(event) => onKeyDown(event, row)}
              />
            ) : (
              <Row {...props} id={id as ElementId | 'machineArea'} onKeyDown={(event) => onKeyDown(event, row)} />
            )}
            {id !== 'machineArea' && <RowSwitches id={id} elementIds={elementIds} isActive={id === active} />}
          </li>
        );
      })}
      {lineIndex === rows.length && (
        <li aria-hidden="true" className="relative">
          <DropLine />
        </li>
      )}
      {selectedIds.length > 0 && (
        // In sight below the rows that scroll.
        <li className="sticky bottom-0 bg-paper low:static">
          <ElementTools selectedIds={selectedIds} row={chosenRow} onRename={setRenamedId} />
        </li>
      )}
    </ul>
  );
}

const isThere = ({ composition }: EditorState, id: RowId): boolean => {
  const groupId = groupOfRow(id);
  if (groupId !== undefined) return membersOf(composition, groupId).length > 0;
  return id === 'machineArea' || findElement(composition, id) !== undefined;
};

const nameOf = (composition: Composition, id: RowId): string => {
  const groupId = groupOfRow(id);
  if (groupId !== undefined) return toGroupName(composition, groupId);
  const element = findElement(composition, id);
  return element ? toElementName(element) : '';
};

/** Returns the row above which a drop line stands; the number of rows for below the last one. */
function lineOf(rows: readonly ListRow[], dropIndex: number, loneGroupId: string | undefined): number {
  const rowIndex = rows.findIndex(
    (row) => row.dropIndex === dropIndex && (loneGroupId === undefined || groupOfRow(row.id) === undefined),
  );
  return rowIndex < 0 ? rows.length : rowIndex;
}

const isChosen = (
  { id, elementIds }: ListRow,
  selection: EditorState['selection'],
  selectedIds: readonly ElementId[],
) => (id === 'machineArea' ? selection === id : elementIds.every((each) => selectedIds.includes(each)));

const rowClass = (isChosen: boolean) => (isChosen ? 'bg-accent-soft' : 'hover:bg-ink/4');

/** Shows where the dragged rows will be dropped. */
function DropLine() {
  return (
    <span
      aria-hidden="true"
      data-drop-line=""
      className="pointer-events-none absolute inset-x-0 -top-px h-0.5 rounded-full bg-accent"
    />
  );
}

const isSameRows = (a: readonly ListRow[], b: readonly ListRow[]) =>
  a.length === b.length &&
  a.every(({ id, groupId, elementIds }, i) => {
    const other = b[i]!;
    return id === other.id && groupId === other.groupId && elementIds.join() === other.elementIds.join();
  });

/** Scrolls the list itself, never the page around it. */
function showChosen(list: HTMLUListElement | null, selection: RowId): void {
  const selectedRow = list?.querySelector(`[data-row="${CSS.escape(selection)}"]`)?.parentElement;
  if (!list || !selectedRow || list.scrollHeight <= list.clientHeight) return;
  const frame = list.getBoundingClientRect();
  const bottom = frame.bottom - (list.querySelector<HTMLElement>('[data-tools]')?.offsetHeight ?? 0);
  const row = selectedRow.getBoundingClientRect();
  if (row.top < frame.top) list.scrollTop -= frame.top - row.top;
  else if (row.bottom > bottom) list.scrollTop += row.bottom - bottom;
}
