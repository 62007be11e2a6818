/** The bar at the selection: the acts that are wanted most often. The menu and the inspector have all. */
import { Button, IconButton } from '@markwright/controls';
import { applyCommand, type Command, findElement, reorderCommand } from '@markwright/scene';
import { memo } from 'react';
import { findText } from '../../core/document/editor.ts';
import { fitTextCommand } from '../../core/document/fitText.ts';
import { dispatchAndChoose, duplicateCommands, orderSteps, removeCommand } from '../../core/document/keymap.ts';
import { useEditor, useEditorState } from '../EditorProvider.tsx';

/** Renders nothing when nothing movable is selected. `isFlat`: it stands on something, and does not float. */
export const SelectionBar = memo(function SelectionBar({ isFlat = false }: { isFlat?: boolean }) {
  const editor = useEditor();
  const selectedIds = useEditorState((state) => state.selectedIds);
  const hasMovable = useEditorState(({ composition }) =>
    selectedIds.some((id) => findElement(composition, id)?.isLocked === false),
  );
  const isText = useEditorState(
    ({ composition, selection }) => selectedIds.length === 1 && findText(composition, selection) !== undefined,
  );
  const isFront = useEditorState(
    ({ composition }) => applyCommand(composition, reorderCommand(composition, selectedIds, 'front')) === composition,
  );
  const canDuplicate = duplicateCommands(selectedIds).length > 0;
  if (!hasMovable) return null;
  const movable = () => selectedIds.filter((id) => findElement(editor.getState().composition, id)?.isLocked === false);
  const run = (commands: readonly Command[]) => dispatchAndChoose(editor, { type: 'several', commands });
  const front = orderSteps.find(({ to }) => to === 'front')!;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would bring form semantics and its own layout
    <div
      role="group"
      aria-label="Selected element"
      className={`flex w-max items-center gap-0.5 ${isFlat ? '' : 'rounded-control border border-line bg-paper p-0.5 shadow-float'}`}
    >
      {isText && <FitButton className={isFlat ? 'max-[379px]:hidden' : ''} />}
      <IconButton
        icon="rotate"
        label="Rotate 90°"
        shortcut="R"
        size="sm"
        onClick={() => run(movable().map((elementId) => ({ type: 'rotate90', elementId })))}
      />
      <IconButton
        icon="flip"
        label="Flip"
        size="sm"
        onClick={() => run(movable().map((elementId) => ({ type: 'flip', elementId })))}
      />
      <IconButton
        icon="duplicate"
        label="Duplicate"
        shortcut="Ctrl D"
        size="sm"
        disabled={!canDuplicate}
        onClick={() => run(duplicateCommands(selectedIds))}
      />
      <IconButton
        icon={front.icon}
        label={front.label}
        shortcut={front.shortcut}
        size="sm"
        disabled={isFront}
        onClick={() => run([reorderCommand(editor.getState().composition, selectedIds, 'front')])}
      />
      <IconButton
        icon="trash"
        label="Delete"
        shortcut="Del"
        size="sm"
        onClick={() => run(movable().map(removeCommand))}
      />
    </div>
  );
});

/** Gives the selected text the largest size that fits into the machine area. */
export function FitButton({ className = '' }: { className?: string }) {
  const editor = useEditor();
  const isOnCircle = useEditorState(({ composition, selection }) => !!findText(composition, selection)?.circle);
  return (
    <Button
      variant="ghost"
      size="sm"
      className={className}
      onClick={() => {
        const state = editor.getState();
        const command = state.selection && fitTextCommand(state, state.selection);
        if (command) editor.dispatch(command);
      }}
    >
      {isOnCircle ? 'Fit to arc' : 'Fit to area'}
    </Button>
  );
}
