/** Buttons for the selected elements, besides placing them. */
import { IconButton } from '@markwright/controls';
import {
  applyCommand,
  type Command,
  type Composition,
  findElement,
  reorderCommand,
  toElementName,
  toGroupName,
} from '@markwright/scene';
import type { ElementId } from '../../core/document/editor.ts';
import {
  dispatchAndChoose,
  duplicateCommands,
  groupCommands,
  hideCommands,
  lockCommands,
  orderSteps,
  removeCommand,
  ungroupCommands,
} from '../../core/document/keymap.ts';
import { LIBRARY_ICON } from '../../core/document/libraryIcon.ts';
import { groupOfRow, type RowId } from '../../core/document/listRows.ts';
import { useEditor, useEditorState } from '../EditorProvider.tsx';
import { useSaveToLibrary } from '../useSaveToLibrary.ts';
import { areAll, StateButton } from './ElementRow.tsx';

/** Path data of the icons. */
const GROUP = 'M3.5 3.5h4v4h-4zM12.5 12.5h4v4h-4zM10 5.5h4.5V10M10 14.5H5.5V10';
const UNGROUP = 'M3.5 3.5h4v4h-4zM12.5 12.5h4v4h-4z';

/** Actions on the selected elements besides placing them. */
export function ElementTools({
  selectedIds,
  row,
  onRename,
}: {
  selectedIds: readonly ElementId[];
  /** The row of what is selected. */
  row: RowId | undefined;
  onRename(id: RowId): void;
}) {
  const editor = useEditor();
  const [only, ...others] = selectedIds;
  const isOne = others.length === 0;
  const groupId = row && groupOfRow(row);
  const name = useEditorState(({ composition }) => {
    if (groupId !== undefined && !isOne) return toGroupName(composition, groupId);
    const element = findElement(composition, only!);
    return isOne && element ? toElementName(element) : `${selectedIds.length} elements`;
  });
  const isLocked = useEditorState(({ composition }) => areAll(composition, selectedIds, 'isLocked'));
  const isHidden = useEditorState(({ composition }) => areAll(composition, selectedIds, 'isHidden'));
  const possible = useEditorState(({ composition }) => possibleSteps(composition, selectedIds));
  const canGroup = useEditorState(({ composition }) => groupCommands(composition, selectedIds).length > 0);
  const canUngroup = useEditorState(({ composition }) => ungroupCommands(composition, selectedIds).length > 0);
  const saveToLibrary = useSaveToLibrary();
  const dispatch = (commands: readonly Command[]) => dispatchAndChoose(editor, { type: 'several', commands });
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would bring its own layout
    <div role="group" data-tools="" aria-label={`With ${name}`} className="flex items-center pt-1 pl-1">
      {orderSteps.map(({ to, icon, label, shortcut }) => (
        <IconButton
          key={to}
          icon={icon}
          size="sm"
          label={label}
          shortcut={shortcut}
          disabled={!possible.split(' ').includes(to)}
          onClick={() => editor.dispatch(reorderCommand(editor.getState().composition, selectedIds, to))}
        />
      ))}
      <span className="mx-1 h-4 w-px bg-line" />
      {(isOne || groupId !== undefined) && row && (
        <IconButton
          icon="pencil"
          size="sm"
          label="Rename"
          shortcut="F2"
          onClick={() => onRename(isOne ? only! : row)}
        />
      )}
      {!isOne && groupId === undefined && (
        <>
          <StateButton
            state="lock"
            isSet={isLocked}
            object=" all"
            onClick={() => dispatch(lockCommands(editor.getState().composition, selectedIds))}
          />
          <StateButton
            state="hide"
            isSet={isHidden}
            object=" all"
            onClick={() => dispatch(hideCommands(editor.getState().composition, selectedIds))}
          />
        </>
      )}
      {canGroup && (
        <IconButton
          icon={GROUP}
          size="sm"
          label="Group"
          shortcut="Ctrl G"
          onClick={() => dispatch(groupCommands(editor.getState().composition, selectedIds))}
        />
      )}
      {canUngroup && (
        <IconButton
          icon={UNGROUP}
          size="sm"
          label="Ungroup"
          shortcut="Ctrl Shift G"
          onClick={() => dispatch(ungroupCommands(editor.getState().composition, selectedIds))}
        />
      )}
      <IconButton
        icon="duplicate"
        size="sm"
        label="Duplicate"
        shortcut="Ctrl D"
        onClick={() => dispatch(duplicateCommands(selectedIds))}
      />
      {saveToLibrary && (
        <IconButton icon={LIBRARY_ICON} size="sm" label="Save to library" disabled={isHidden} onClick={saveToLibrary} />
      )}
      <IconButton
        icon="trash"
        size="sm"
        label="Delete"
        shortcut="Del"
        disabled={isLocked}
        className="ml-auto text-danger!"
        onClick={() => {
          const { composition } = editor.getState();
          dispatch(selectedIds.filter((id) => !findElement(composition, id)?.isLocked).map(removeCommand));
        }}
      />
    </div>
  );
}

/** Returns the steps that would change anything, as one word, so that it compares by value. */
const possibleSteps = (composition: Composition, ids: readonly ElementId[]) =>
  orderSteps
    .filter(({ to }) => applyCommand(composition, reorderCommand(composition, ids, to)) !== composition)
    .map(({ to }) => to)
    .join(' ');
