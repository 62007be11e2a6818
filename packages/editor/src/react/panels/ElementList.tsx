import { Icon, IconButton } from '@markwright/controls';
import {
  applyCommand,
  type Command,
  type Composition,
  findElement,
  isArtwork,
  reorderCommand,
  toElementName,
} from '@markwright/scene';
import { type ComponentProps, type KeyboardEvent, memo, useEffect, useId, useRef, useState } from 'react';
import { type ElementId, elementIds, type Selection } from '../../core/document/editor.ts';
import {
  dispatchAndChoose,
  duplicateCommands,
  elementAction,
  groupCommands,
  hideCommands,
  lockCommands,
  orderSteps,
  removeCommand,
  ungroupCommands,
} from '../../core/document/keymap.ts';
import { describeElement, formatSize } from '../../core/document/measure.ts';
import { useEditor, useEditorState } from '../EditorProvider.tsx';
import { type RowId, useRowDrag } from './useRowDrag.ts';
import { useRowSelection } from './useRowSelection.ts';

/** Path data of the icons of a row. */
const GRIP = 'M7.5 5.5v.01M7.5 10v.01M7.5 14.5v.01M12.5 5.5v.01M12.5 10v.01M12.5 14.5v.01';
const GROUP = 'M3.5 3.5h4v4h-4zM12.5 12.5h4v4h-4zM10 5.5h4.5V10M10 14.5H5.5V10';
const UNGROUP = 'M3.5 3.5h4v4h-4zM12.5 12.5h4v4h-4z';
const LOCK_OPEN = 'M4.5 9h11v7.5h-11zM7 9V5.75a3 3 0 0 1 5.75-1.1M10 12v1.5';
const EYE_OFF = 'M2.5 10S5 5 10 5s7.5 5 7.5 5-2.5 5-7.5 5-7.5-5-7.5-5ZM8 10a2 2 0 1 0 4 0 2 2 0 0 0-4 0M3.5 16.5l13-13';

/**
 * Lists everything on the product, the top of the z-order first and the machine area last. One tab stop: Up and Down
 * select, with Shift all rows they pass. The focused row is selected, so that screen and screen reader agree. Rows are
 * dragged over and under one another. Buttons for the selected elements follow.
 */
export function ElementList({ className = '' }: { className?: string }) {
  const editor = useEditor();
  // Selects elements and their order without their places, so that a drag does not render the list again.
  const elements = useEditorState(({ composition }) => elementIds(composition), isSameOrder);
  const hasProduct = useEditorState((state) => state.composition.productId !== undefined);
  const selection = useEditorState((state) => state.selection);
  const selectedIds = useEditorState((state) => state.selectedIds);
  const list = useRef<HTMLUListElement>(null);
  const [renamedId, setRenamedId] = useState<ElementId>();
  const { gap, isDragged, handlers } = useRowDrag(list);
  const choice = useRowSelection(elements);
  useEffect(() => {
    if (selection !== undefined) showChosen(list.current, selection);
  }, [selection]);

  const ids: RowId[] = elements.toReversed();
  if (hasProduct) ids.push('machineArea');
  if (ids.length === 0) return null;
  const active = ids.find((id) => id === selection) ?? ids[0];

  const focusRow = (id: RowId | undefined) =>
    list.current?.querySelector<HTMLElement>(`[data-row="${CSS.escape(id ?? '')}"]`)?.focus();
  const focusSoon = (id: RowId | undefined) => requestAnimationFrame(() => focusRow(id));
  const onKeyDown = (event: KeyboardEvent, id: RowId) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      const next = ids[ids.indexOf(id) + step];
      if (event.shiftKey && next) {
        choice.choose(next, event);
        choice.keep(next);
      }
      focusRow(next);
      return;
    }
    if (event.key === 'F2' && id !== 'machineArea') {
      event.preventDefault();
      setRenamedId(id);
      return;
    }
    const action = elementAction(event, editor.getState());
    if (!action) return;
    event.preventDefault();
    if (action.kind === 'selectElements') editor.selectElements(action.elementIds);
    if (action.kind === 'editText') editor.editText(action.id);
    if (action.kind !== 'command') return;
    const rowsFromHere = ids.slice(ids.indexOf(id));
    dispatchAndChoose(editor, action.command);
    const { composition, selection: currentSelection } = editor.getState();
    const isThere = (row: RowId) => row === 'machineArea' || findElement(composition, row) !== undefined;
    // The next row takes the focus of the removed one.
    if (!isThere(id)) focusSoon(rowsFromHere.find(isThere));
    else if (currentSelection && currentSelection !== id) {
      choice.keep(currentSelection);
      focusSoon(currentSelection);
    }
  };
  const endRename = (id: ElementId, name: string | undefined) => {
    setRenamedId(undefined);
    if (name !== undefined) editor.dispatch({ type: 'rename', elementId: id, name });
    focusSoon(id);
  };

  return (
    <ul
      ref={list}
      aria-label="Elements on the product"
      className={`flex flex-col will-change-transform ${className}`}
      {...handlers}
    >
      {ids.map((id, index) => (
        <li
          key={id}
          data-place={id === 'machineArea' ? undefined : id}
          className={`group relative flex min-h-10 items-center rounded-control pr-1 ${rowClass(isChosen(id, selection, selectedIds))} ${isDragged(id) ? 'opacity-45' : ''}`}
        >
          {/* Gaps are counted from the bottom up, as elements are. */}
          {gap !== undefined && gap === ids.length - index - (hasProduct ? 1 : 0) && <DropLine />}
          {gap === 0 && id === ids.findLast((each) => each !== 'machineArea') && <DropLine isBelow />}
          {id !== 'machineArea' && id === renamedId ? (
            <NameField elementId={id} onEnd={(name) => endRename(id, name)} />
          ) : (
            <Row
              id={id}
              isActive={id === active}
              isChosen={isChosen(id, selection, selectedIds)}
              choice={choice}
              onKeyDown={(event) => onKeyDown(event, id)}
            />
          )}
          {id !== 'machineArea' && <RowSwitches elementId={id} isActive={id === active} />}
        </li>
      ))}
      {selectedIds.length > 0 && (
        <li>
          <ElementTools selectedIds={selectedIds} onRename={setRenamedId} />
        </li>
      )}
    </ul>
  );
}

const isChosen = (id: RowId, selection: Selection, selectedIds: readonly ElementId[]) =>
  id === 'machineArea' ? selection === id : selectedIds.includes(id);

const rowClass = (isChosen: boolean) => (isChosen ? 'bg-accent-soft' : 'hover:bg-ink/4');

/** Shows where the dragged rows will be dropped. */
function DropLine({ isBelow = false }: { isBelow?: boolean }) {
  return (
    <span
      aria-hidden="true"
      data-drop-line=""
      className={`pointer-events-none absolute inset-x-0 h-0.5 rounded-full bg-accent ${isBelow ? '-bottom-px' : '-top-px'}`}
    />
  );
}

const isSameOrder = (a: readonly string[], b: readonly string[]) => a.join('\n') === b.join('\n');

const rowName = (id: RowId) => `row-${id.replace(/[^\w-]/g, '-')}`;

/** Shows the size of the element, so it renders with every frame of a drag. */
function Row({
  id,
  isActive,
  isChosen,
  choice,
  onKeyDown,
}: {
  id: RowId;
  isActive: boolean;
  isChosen: boolean;
  choice: ReturnType<typeof useRowSelection>;
  onKeyDown(event: KeyboardEvent): void;
}) {
  const editor = useEditor();
  const element = useEditorState(({ composition }) =>
    id === 'machineArea' ? undefined : findElement(composition, id),
  );
  const scene = useEditorState((state) => state.scene);
  const unit = useEditorState((state) => state.unit);
  const group = scene.groups.find(({ elementId }) => elementId === id);
  const name = element ? toElementName(element) : 'Machine area';
  const areaSize = formatSize({ width: scene.widthMm, height: scene.heightMm }, unit);
  const marks = [element?.groupId && 'in a group', element?.isLocked && 'locked', element?.isHidden && 'hidden'].filter(
    Boolean,
  );
  const size = !element ? areaSize : group ? formatSize(group.sizeMm, unit) : element.isHidden ? 'Hidden' : '…';
  const description = !element
    ? `Machine area, ${areaSize}`
    : group
      ? describeElement(scene, group, unit)
      : `${isArtwork(element) ? 'Design' : 'Text'} ${name}${element.isHidden ? '' : ', its font is loading'}`;
  return (
    <>
      {element?.groupId && <span aria-hidden="true" className="-mr-1 ml-1 w-0.5 self-stretch bg-accent/50" />}
      <Grip isHidden={!element} />
      <button
        type="button"
        id={rowName(id)}
        data-row={id}
        tabIndex={isActive ? 0 : -1}
        aria-label={[description, ...marks].join(', ')}
        aria-pressed={isChosen}
        aria-keyshortcuts={
          element ? 'Enter F2 Delete Control+A Control+D Control+G Control+] Control+[ L H' : undefined
        }
        onMouseDown={(event) => choice.onMouseDown(id, event)}
        onFocus={() => choice.onFocus(id)}
        onClick={(event) => choice.choose(id, event)}
        onDoubleClick={() => {
          if (id.startsWith('text:')) editor.editText(id.slice('text:'.length));
          else if (id !== 'machineArea') editor.selectMember(id);
        }}
        onKeyDown={onKeyDown}
        className="flex min-h-10 min-w-0 flex-1 items-center gap-2 rounded-control px-2 text-left text-xs focus-visible:outline-2 focus-visible:-outline-offset-2 focus-visible:outline-accent"
      >
        <Icon name={!element ? 'area' : isArtwork(element) ? 'image' : 'text'} className="size-4 text-graphite" />
        <span className="min-w-0 flex-1">
          <span
            title={element && name}
            className={`block truncate ${element?.isHidden ? 'text-graphite line-through' : ''}`}
          >
            {name}
          </span>
          <span className="measure block text-graphite">{size}</span>
        </span>
      </button>
    </>
  );
}

/**
 * The grip by which a finger drags a row. A mouse drags anywhere. When hidden it keeps its space, so that names
 * line up.
 */
function Grip({ isHidden }: { isHidden: boolean }) {
  return (
    <span
      aria-hidden="true"
      data-grip=""
      className={`${isHidden ? 'invisible' : ''} -mr-2 grid w-4 shrink-0 cursor-grab touch-none place-items-center self-stretch text-graphite opacity-0 group-hover:opacity-100 pointer-coarse:mr-0 pointer-coarse:w-7 pointer-coarse:opacity-100`}
    >
      <Icon name={GRIP} className="size-4" />
    </span>
  );
}

/** The switches that lock and hide: visible where they are set, under the pointer and on the selected row. */
const RowSwitches = memo(function RowSwitches({ elementId, isActive }: { elementId: ElementId; isActive: boolean }) {
  const editor = useEditor();
  const isLocked = useEditorState(({ composition }) => findElement(composition, elementId)?.isLocked ?? false);
  const isHidden = useEditorState(({ composition }) => findElement(composition, elementId)?.isHidden ?? false);
  const quiet = 'opacity-0 group-hover:opacity-100 group-focus-within:opacity-100 focus-visible:opacity-100';
  const buttonProps = (state: ElementState, isSet: boolean) => ({
    state,
    isSet,
    tabIndex: isActive ? 0 : -1,
    'aria-describedby': rowName(elementId),
    className: `pointer-coarse:opacity-100 ${isSet || isActive ? '' : quiet}`,
  });
  return (
    <>
      <StateButton
        {...buttonProps('lock', isLocked)}
        onClick={() => editor.dispatch({ type: 'setLocked', elementId, isLocked: !isLocked })}
      />
      <StateButton
        {...buttonProps('hide', isHidden)}
        onClick={() => editor.dispatch({ type: 'setHidden', elementId, isHidden: !isHidden })}
      />
    </>
  );
});

/** The icon and the verb of the button that locks or hides, and of the one that reverts it. */
const stateButtons = {
  lock: { shortcut: 'L', set: [LOCK_OPEN, 'Lock'], unset: ['lock', 'Unlock'] },
  hide: { shortcut: 'H', set: ['eye', 'Hide'], unset: [EYE_OFF, 'Show'] },
} as const;

type ElementState = keyof typeof stateButtons;

interface StateButtonProps
  extends Pick<ComponentProps<typeof IconButton>, 'tabIndex' | 'aria-describedby' | 'className' | 'onClick'> {
  readonly state: ElementState;
  readonly isSet: boolean;
  /** Follows the verb: ` all`. */
  readonly object?: string;
}

function StateButton({ state, isSet, object = '', ...rest }: StateButtonProps) {
  const { shortcut, set, unset } = stateButtons[state];
  const [icon, verb] = isSet ? unset : set;
  return <IconButton icon={icon} size="sm" label={`${verb}${object}`} shortcut={shortcut} {...rest} />;
}

/** Actions on the selected elements besides placing them. */
function ElementTools({ selectedIds, onRename }: { selectedIds: readonly ElementId[]; onRename(id: ElementId): void }) {
  const editor = useEditor();
  const [only, ...others] = selectedIds;
  const isOne = others.length === 0;
  const name = useEditorState(({ composition }) => {
    const element = findElement(composition, only!);
    return isOne && element ? toElementName(element) : `${selectedIds.length} elements`;
  });
  const isLocked = useEditorState(({ composition }) => all(composition, selectedIds, 'isLocked'));
  const isHidden = useEditorState(({ composition }) => all(composition, selectedIds, 'isHidden'));
  const possible = useEditorState(({ composition }) => possibleSteps(composition, selectedIds));
  const canGroup = useEditorState(({ composition }) => groupCommands(composition, selectedIds).length > 0);
  const canUngroup = useEditorState(({ composition }) => ungroupCommands(composition, selectedIds).length > 0);
  const dispatch = (commands: readonly Command[]) => dispatchAndChoose(editor, { type: 'several', commands });
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would bring its own layout
    <div role="group" data-tools="" aria-label={`With ${name}`} className="flex items-center gap-0.5 pt-1 pl-1">
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
      {isOne ? (
        <IconButton icon="pencil" size="sm" label="Rename" shortcut="F2" onClick={() => onRename(only!)} />
      ) : (
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

const all = (composition: Composition, ids: readonly ElementId[], mark: 'isLocked' | 'isHidden') =>
  ids.every((id) => findElement(composition, id)?.[mark]);

/** Returns the steps that would change anything, as one word, so that it compares by value. */
const possibleSteps = (composition: Composition, ids: readonly ElementId[]) =>
  orderSteps
    .filter(({ to }) => applyCommand(composition, reorderCommand(composition, ids, to)) !== composition)
    .map(({ to }) => to)
    .join(' ');

/** Edits a name. Enter and blur store it, Escape does not; a blank name restores the text or the file name. */
function NameField({ elementId, onEnd }: { elementId: ElementId; onEnd(name: string | undefined): void }) {
  const element = useEditorState(({ composition }) => findElement(composition, elementId));
  const [name, setName] = useState(element ? toElementName(element) : '');
  const input = useRef<HTMLInputElement>(null);
  const isOver = useRef(false);
  const id = useId();
  useEffect(() => input.current?.select(), []);
  const end = (next: string | undefined) => {
    if (isOver.current) return;
    isOver.current = true;
    onEnd(next);
  };
  return (
    <input
      ref={input}
      id={id}
      type="text"
      aria-label="Name of the element"
      autoComplete="off"
      value={name}
      onChange={(event) => setName(event.target.value)}
      onBlur={() => end(name)}
      onKeyDown={(event) => {
        if (event.key === 'Enter') end(name);
        else if (event.key === 'Escape') end(undefined);
        else return;
        event.preventDefault();
        event.stopPropagation();
      }}
      className="m-1 h-8 min-w-0 flex-1 rounded-control border border-accent bg-paper px-2 text-xs text-ink outline-none focus-visible:outline-1 focus-visible:outline-accent"
    />
  );
}

/** Scrolls the list itself, never the page around it. */
function showChosen(list: HTMLUListElement | null, selection: RowId): void {
  const selectedRow = list?.querySelector(`[data-row="${CSS.escape(selection)}"]`)?.parentElement;
  if (!list || !selectedRow || list.scrollHeight <= list.clientHeight) return;
  const frame = list.getBoundingClientRect();
  const row = selectedRow.getBoundingClientRect();
  if (row.top < frame.top) list.scrollTop -= frame.top - row.top;
  else if (row.bottom > frame.bottom) list.scrollTop += row.bottom - frame.bottom;
}
