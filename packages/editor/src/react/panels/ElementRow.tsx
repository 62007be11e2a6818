/** A row of the list of elements: an element or the machine area, or the heading of a group. */
import { Icon, IconButton } from '@markwright/controls';
import {
  type Command,
  type Composition,
  findElement,
  isCode,
  isFigure,
  toElementName,
  toGroupName,
  toKindName,
} from '@markwright/scene';
import { type ComponentProps, type KeyboardEvent, memo, useEffect, useId, useRef, useState } from 'react';
import type { ElementId } from '../../core/document/editor.ts';
import { hideCommands, lockCommands } from '../../core/document/keymap.ts';
import type { RowId } from '../../core/document/listRows.ts';
import { describeElement, formatSize } from '../../core/document/measure.ts';
import { useEditor, useEditorState } from '../EditorProvider.tsx';
import { kindIcons } from './kindIcons.ts';
import type { useRowSelection } from './useRowSelection.ts';

/** Path data of the icons of a row. */
const GRIP = 'M7.5 5.5v.01M7.5 10v.01M7.5 14.5v.01M12.5 5.5v.01M12.5 10v.01M12.5 14.5v.01';
const LOCK_OPEN = 'M4.5 9h11v7.5h-11zM7 9V5.75a3 3 0 0 1 5.75-1.1M10 12v1.5';
const EYE_OFF = 'M2.5 10S5 5 10 5s7.5 5 7.5 5-2.5 5-7.5 5-7.5-5-7.5-5ZM8 10a2 2 0 1 0 4 0 2 2 0 0 0-4 0M3.5 16.5l13-13';

const rowName = (id: RowId) => `row-${id.replace(/[^\w-]/g, '-')}`;

/** Shows the size of the element, so it renders with every frame of a drag. */
export function Row({
  id,
  isActive,
  isChosen,
  choice,
  onKeyDown,
}: {
  id: ElementId | 'machineArea';
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
  const groupName = useEditorState(({ composition }) => element?.groupId && toGroupName(composition, element.groupId));
  const marks = [groupName && `in ${groupName}`, element?.isLocked && 'locked', element?.isHidden && 'hidden'].filter(
    Boolean,
  );
  const emptySize = element?.isHidden ? 'Hidden' : element && isCode(element) ? 'Not drawn' : '…';
  const size = !element ? areaSize : group ? formatSize(group.sizeMm, unit) : emptySize;
  const description = !element
    ? `Machine area, ${areaSize}`
    : group
      ? describeElement(scene, group, unit)
      : `${toKindName(element)} ${name}${element.isHidden || isFigure(element) ? '' : ', its font is loading'}`;
  return (
    <>
      {/* Below the heading of its group. */}
      {element?.groupId && <span aria-hidden="true" className="-mr-1 ml-3 w-0.5 self-stretch bg-accent/50" />}
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
        }}
        onKeyDown={onKeyDown}
        className="flex min-h-10 min-w-0 flex-1 items-center gap-2 rounded-control px-2 text-left text-xs focus-visible:outline-2 focus-visible:-outline-offset-2 focus-visible:outline-accent"
      >
        <Icon name={element ? kindIcons[element.kind] : 'area'} className="size-4 text-graphite" />
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

/** The heading of a group: selects all of it, folds its members away, and is renamed. */
export function GroupRow({
  id,
  groupId,
  count,
  isActive,
  isChosen,
  isFolded,
  choice,
  onFold,
  onKeyDown,
}: {
  id: RowId;
  groupId: string;
  count: number;
  isActive: boolean;
  isChosen: boolean;
  isFolded: boolean;
  choice: ReturnType<typeof useRowSelection>;
  onFold(): void;
  onKeyDown(event: KeyboardEvent): void;
}) {
  const name = useEditorState(({ composition }) => toGroupName(composition, groupId));
  return (
    <>
      <Grip isHidden={false} />
      <button
        type="button"
        aria-label={`${isFolded ? 'Show' : 'Fold'} the elements of ${name}`}
        aria-expanded={!isFolded}
        tabIndex={isActive ? 0 : -1}
        onClick={onFold}
        className="ml-1 grid size-6 shrink-0 place-items-center rounded-control text-graphite hover:bg-ink/6 focus-visible:outline-2 focus-visible:outline-accent pointer-coarse:size-9"
      >
        <Icon name="chevronRight" className={`size-4 transition-transform ${isFolded ? '' : 'rotate-90'}`} />
      </button>
      <button
        type="button"
        id={rowName(id)}
        data-row={id}
        tabIndex={isActive ? 0 : -1}
        aria-label={`${name === 'Group' ? 'Group' : `Group ${name}`}, ${count} elements`}
        aria-pressed={isChosen}
        aria-keyshortcuts="F2 ArrowLeft ArrowRight Delete Control+A Control+D Control+Shift+G Control+] Control+[ L H"
        onMouseDown={(event) => choice.onMouseDown(id, event)}
        onFocus={() => choice.onFocus(id)}
        onClick={(event) => choice.choose(id, event)}
        onKeyDown={onKeyDown}
        className="flex min-h-10 min-w-0 flex-1 items-center gap-2 rounded-control pr-2 pl-1 text-left text-xs focus-visible:outline-2 focus-visible:-outline-offset-2 focus-visible:outline-accent"
      >
        <span className="min-w-0 flex-1">
          <span title={name} className="block truncate font-medium">
            {name}
          </span>
          <span className="measure block text-graphite">{count} elements</span>
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
export const RowSwitches = memo(function RowSwitches({
  id,
  elementIds,
  isActive,
}: {
  id: RowId;
  /** What the row stands for: an element, or all members of a group. */
  elementIds: readonly ElementId[];
  isActive: boolean;
}) {
  const editor = useEditor();
  const isLocked = useEditorState(({ composition }) => areAll(composition, elementIds, 'isLocked'));
  const isHidden = useEditorState(({ composition }) => areAll(composition, elementIds, 'isHidden'));
  const run = (commands: readonly Command[]) => editor.dispatch({ type: 'several', commands });
  const quiet = 'opacity-0 group-hover:opacity-100 group-focus-within:opacity-100 focus-visible:opacity-100';
  const buttonProps = (state: ElementState, isSet: boolean) => ({
    state,
    isSet,
    tabIndex: isActive ? 0 : -1,
    'aria-describedby': rowName(id),
    className: `pointer-coarse:opacity-100 ${isSet || isActive ? '' : quiet}`,
  });
  return (
    <>
      <StateButton
        {...buttonProps('lock', isLocked)}
        onClick={() => run(lockCommands(editor.getState().composition, elementIds))}
      />
      <StateButton
        {...buttonProps('hide', isHidden)}
        onClick={() => run(hideCommands(editor.getState().composition, elementIds))}
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

export function StateButton({ state, isSet, object = '', ...rest }: StateButtonProps) {
  const { shortcut, set, unset } = stateButtons[state];
  const [icon, verb] = isSet ? unset : set;
  return <IconButton icon={icon} size="sm" label={`${verb}${object}`} shortcut={shortcut} {...rest} />;
}

/** True when all of the elements are locked, or hidden. */
export const areAll = (composition: Composition, ids: readonly ElementId[], mark: 'isLocked' | 'isHidden') =>
  ids.length > 0 && ids.every((id) => findElement(composition, id)?.[mark]);

/** Edits a name. Enter and blur store it, Escape does not; a blank name restores the text or the file name. */
export function NameField({
  label,
  start,
  onEnd,
}: {
  label: string;
  start: string;
  onEnd(name: string | undefined): void;
}) {
  const [name, setName] = useState(start);
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
      aria-label={label}
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
