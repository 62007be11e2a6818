import { Icon, IconButton } from '@markwright/controls';
import {
  applyCommand,
  type Command,
  type Composition,
  findElement,
  isDesign,
  placeInOrder,
  reorderCommand,
  toElementName,
} from '@markwright/scene';
import {
  type KeyboardEvent,
  type MouseEvent,
  memo,
  type PointerEvent,
  type RefObject,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react';
import { type ElementId, elementIds, type Selection } from '../../core/document/editor.ts';
import {
  dispatchAndChoose,
  duplicateCommands,
  elementAction,
  hideCommands,
  lockCommands,
  orderSteps,
  removeCommand,
} from '../../core/document/keymap.ts';
import { describeElement, formatSize } from '../../core/document/measure.ts';
import { useEditor, useEditorState } from '../EditorProvider.tsx';

type RowId = Exclude<Selection, undefined>;

/**
 * Lists everything on the product, the top of the z-order first and the machine area last. One tab stop: Up and Down
 * select, with Shift all rows they pass. The focused row is selected, so sight and sound agree. Rows are dragged over
 * and under one another. Buttons for the selected elements follow.
 */
export function ElementList({ className = '' }: { className?: string }) {
  const editor = useEditor();
  // Which there are and in what order, not where: dragging one must not draw the list anew.
  const elements = useEditorState(({ composition }) => elementIds(composition), isSameOrder);
  const hasProduct = useEditorState((state) => state.composition.productId !== undefined);
  const selection = useEditorState((state) => state.selection);
  const selected = useEditorState((state) => state.selected);
  const list = useRef<HTMLUListElement>(null);
  const [renamed, setRenamed] = useState<ElementId>();
  const { gap, isDragged, handlers } = useRowDrag(list);
  const choice = useRowChoice(elements);
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
      setRenamed(id);
      return;
    }
    const action = elementAction(event, editor.getState());
    if (!action) return;
    event.preventDefault();
    if (action.kind === 'selectElements') editor.selectElements(action.elementIds);
    if (action.kind === 'editText') editor.editText(action.id);
    if (action.kind !== 'command') return;
    const left = ids.slice(ids.indexOf(id));
    dispatchAndChoose(editor, action.command);
    const { composition, selection: chosen } = editor.getState();
    const isThere = (row: RowId) => row === 'machineArea' || findElement(composition, row) !== undefined;
    // The next row takes over from what was taken away: the keyboard is never left nowhere.
    if (!isThere(id)) focusSoon(left.find(isThere));
    else if (chosen && chosen !== id) {
      choice.keep(chosen);
      focusSoon(chosen);
    }
  };
  const endRename = (id: ElementId, name: string | undefined) => {
    setRenamed(undefined);
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
          className={`group relative flex min-h-10 items-center rounded-control pr-1 ${rowLook(isChosen(id, selection, selected))} ${isDragged(id) ? 'opacity-45' : ''}`}
        >
          {/* Gaps are counted from the bottom up, as elements are. */}
          {gap !== undefined && gap === ids.length - index - (hasProduct ? 1 : 0) && <DropLine />}
          {gap === 0 && id === ids.findLast((each) => each !== 'machineArea') && <DropLine isBelow />}
          {id !== 'machineArea' && id === renamed ? (
            <NameField elementId={id} onEnd={(name) => endRename(id, name)} />
          ) : (
            <Row
              id={id}
              isActive={id === active}
              isChosen={isChosen(id, selection, selected)}
              choice={choice}
              onKeyDown={(event) => onKeyDown(event, id)}
            />
          )}
          {id !== 'machineArea' && <RowSwitches elementId={id} isActive={id === active} />}
        </li>
      ))}
      {selected.length > 0 && (
        <li>
          <ElementTools selected={selected} onRename={setRenamed} />
        </li>
      )}
    </ul>
  );
}

const isChosen = (id: RowId, selection: Selection, selected: readonly ElementId[]) =>
  id === 'machineArea' ? selection === id : selected.includes(id);

const rowLook = (isChosen: boolean) => (isChosen ? 'bg-accent-soft' : 'hover:bg-ink/4');

/** Where the dragged rows will lie. */
function DropLine({ isBelow = false }: { isBelow?: boolean }) {
  return (
    <span
      aria-hidden="true"
      data-drop-line=""
      className={`pointer-events-none absolute inset-x-0 h-0.5 rounded-full bg-accent ${isBelow ? '-bottom-px' : '-top-px'}`}
    />
  );
}

interface Held {
  readonly shiftKey: boolean;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
}

/**
 * Selects by clicking or passing a row: it alone; with Shift all from where the selection began; with Ctrl one more, or
 * one less.
 */
function useRowChoice(elements: readonly ElementId[]) {
  const editor = useEditor();
  const start = useRef<ElementId>(undefined);
  const kept = useRef<RowId>(undefined);

  return {
    choose(id: RowId, held: Held): void {
      const { selected } = editor.getState();
      if (id === 'machineArea') {
        editor.select(id);
      } else if (held.shiftKey) {
        if (selected.length < 2 || !start.current || !selected.includes(start.current)) {
          start.current = selected[0] ?? id;
        }
        const from = elements.indexOf(start.current);
        const to = elements.indexOf(id);
        editor.selectElements(from < to ? elements.slice(from, to + 1) : elements.slice(to, from + 1).reverse());
      } else if (held.ctrlKey || held.metaKey) {
        const others = selected.filter((each) => each !== id);
        editor.selectElements(others.length < selected.length ? others : [...others, id]);
      } else {
        editor.select(id);
      }
    },
    /** The focus that comes to this row next chooses nothing. */
    keep(id: RowId): void {
      kept.current = id;
    },
    /**
     * Runs before a press moves the focus: keys extend the selection, and one of several may be dragged with the
     * others.
     */
    onMouseDown(id: RowId, event: MouseEvent): void {
      const { selected } = editor.getState();
      const isOneOfSeveral = selected.length > 1 && selected.some((each) => each === id);
      const isKept = event.shiftKey || event.ctrlKey || event.metaKey || isOneOfSeveral;
      if (isKept && event.currentTarget !== document.activeElement) kept.current = id;
    },
    onFocus(id: RowId): void {
      const isKept = kept.current === id;
      kept.current = undefined;
      if (!isKept) editor.select(id);
    },
  };
}

interface RowDrag {
  readonly ids: readonly ElementId[];
  readonly gap: number;
}

const DRAG_THRESHOLD_PX = 4;
/** Nearer than this to an end of a list that scrolls, it does. */
const SCROLL_EDGE_PX = 24;
const SCROLL_STEP_PX = 8;

/**
 * Drags rows with the pointer: with a mouse anywhere, with a finger by the grip, as elsewhere a finger scrolls. `gap`
 * is how many elements lie below the place where they would go. Escape cancels.
 */
function useRowDrag(list: RefObject<HTMLUListElement | null>) {
  const editor = useEditor();
  const press = useRef<{ pointerId: number; id: ElementId; y: number; drag?: RowDrag }>(undefined);
  /** What is shown of the press's drag. It may be an event behind: a quick hand lets go before the move is drawn. */
  const [drag, setDrag] = useState<RowDrag>();
  const end = () => {
    press.current = undefined;
    setDrag(undefined);
  };

  const isRunning = drag !== undefined;
  useEffect(() => {
    if (!isRunning) return;
    const onKey = (event: globalThis.KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      event.stopPropagation();
      press.current = undefined;
      setDrag(undefined);
    };
    window.addEventListener('keydown', onKey, { capture: true });
    return () => window.removeEventListener('keydown', onKey, { capture: true });
  }, [isRunning]);

  const gapAt = (y: number): number => {
    const rows = [...list.current!.querySelectorAll('[data-place]')];
    const above = rows.filter((row) => {
      const box = row.getBoundingClientRect();
      return (box.top + box.bottom) / 2 < y;
    });
    return rows.length - above.length;
  };

  const handlers = {
    onPointerDown(event: PointerEvent<HTMLUListElement>) {
      const target = event.target as Element;
      const id = target.closest('[data-place]')?.getAttribute('data-place') as ElementId | null | undefined;
      const isHeld =
        event.pointerType === 'mouse' ? target.closest('[data-row], [data-grip]') : target.closest('[data-grip]');
      if (id && isHeld && event.button === 0) press.current = { pointerId: event.pointerId, id, y: event.clientY };
    },
    onPointerMove(event: PointerEvent<HTMLUListElement>) {
      const { current } = press;
      if (!current || current.pointerId !== event.pointerId) return;
      const before = current.drag;
      if (!before && Math.abs(event.clientY - current.y) < DRAG_THRESHOLD_PX) return;
      const { selected } = editor.getState();
      const ids = before?.ids ?? (selected.includes(current.id) ? selected : [current.id]);
      if (!before) list.current!.setPointerCapture(event.pointerId);
      scrollAtEnds(list.current!, event.clientY);
      const gap = gapAt(event.clientY);
      if (gap === before?.gap) return;
      current.drag = { ids, gap };
      setDrag(current.drag);
    },
    onPointerUp(event: PointerEvent<HTMLUListElement>) {
      const { current } = press;
      if (current?.pointerId !== event.pointerId) return;
      const { drag: done } = current;
      if (done) editor.dispatch(placeInOrder(editor.getState().composition, done.ids, done.gap));
      end();
    },
    onPointerCancel: end,
  };
  return { gap: drag?.gap, isDragged: (id: RowId) => drag?.ids.some((each) => each === id) ?? false, handlers };
}

function scrollAtEnds(list: HTMLUListElement, y: number): void {
  const { top, bottom } = list.getBoundingClientRect();
  if (y < top + SCROLL_EDGE_PX) list.scrollTop -= SCROLL_STEP_PX;
  else if (y > bottom - SCROLL_EDGE_PX) list.scrollTop += SCROLL_STEP_PX;
}

const isSameOrder = (a: readonly string[], b: readonly string[]) => a.join('\n') === b.join('\n');

const rowName = (id: RowId) => `row-${id.replace(/[^\w-]/g, '-')}`;

/** Drawn anew with every frame of a drag, as it says how big the element is. */
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
  choice: ReturnType<typeof useRowChoice>;
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
  const marks = [element?.isLocked && 'locked', element?.isHidden && 'hidden'].filter(Boolean);
  const size = !element ? areaSize : group ? formatSize(group.sizeMm, unit) : element.isHidden ? 'Hidden' : '…';
  const described = !element
    ? `Machine area, ${areaSize}`
    : group
      ? describeElement(scene, group, unit)
      : `${isDesign(element) ? 'Design' : 'Text'} ${name}${element.isHidden ? '' : ', its font is loading'}`;
  return (
    <>
      <Grip isHidden={!element} />
      <button
        type="button"
        id={rowName(id)}
        data-row={id}
        tabIndex={isActive ? 0 : -1}
        aria-label={[described, ...marks].join(', ')}
        aria-pressed={isChosen}
        aria-keyshortcuts={element ? 'Enter F2 Delete Control+A Control+D Control+] Control+[ L H' : undefined}
        onMouseDown={(event) => choice.onMouseDown(id, event)}
        onFocus={() => choice.onFocus(id)}
        onClick={(event) => choice.choose(id, event)}
        onDoubleClick={() => {
          if (id.startsWith('text:')) editor.editText(id.slice('text:'.length));
        }}
        onKeyDown={onKeyDown}
        className="flex min-h-10 min-w-0 flex-1 items-center gap-2 rounded-control px-2 text-left text-xs focus-visible:outline-2 focus-visible:-outline-offset-2 focus-visible:outline-accent"
      >
        <Icon name={!element ? 'area' : isDesign(element) ? 'image' : 'text'} className="size-4 text-graphite" />
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
 * The grip for a finger; for a mouse the sign that rows can be dragged. When hidden it keeps its space, so that names
 * line up.
 */
function Grip({ isHidden }: { isHidden: boolean }) {
  return (
    <span
      aria-hidden="true"
      data-grip=""
      className={`${isHidden ? 'invisible' : ''} -mr-2 grid w-4 shrink-0 cursor-grab touch-none place-items-center self-stretch text-graphite opacity-0 group-hover:opacity-100 pointer-coarse:mr-0 pointer-coarse:w-7 pointer-coarse:opacity-100`}
    >
      <Icon name="grip" className="size-4" />
    </span>
  );
}

/** Lock and eye: in sight where they are set, under the pointer and on the chosen row. */
const RowSwitches = memo(function RowSwitches({ elementId, isActive }: { elementId: ElementId; isActive: boolean }) {
  const editor = useEditor();
  const isLocked = useEditorState(({ composition }) => findElement(composition, elementId)?.isLocked ?? false);
  const isHidden = useEditorState(({ composition }) => findElement(composition, elementId)?.isHidden ?? false);
  const quiet = 'opacity-0 group-hover:opacity-100 group-focus-within:opacity-100 focus-visible:opacity-100';
  const look = (isSet: boolean) => `pointer-coarse:opacity-100 ${isSet || isActive ? '' : quiet}`;
  const shared = { size: 'sm', tabIndex: isActive ? 0 : -1, 'aria-describedby': rowName(elementId) } as const;
  return (
    <>
      <IconButton
        {...shared}
        icon={isLocked ? 'lock' : 'lockOpen'}
        label={isLocked ? 'Unlock' : 'Lock'}
        shortcut="L"
        className={look(isLocked)}
        onClick={() => editor.dispatch({ type: 'setLocked', elementId, isLocked: !isLocked })}
      />
      <IconButton
        {...shared}
        icon={isHidden ? 'eyeOff' : 'eye'}
        label={isHidden ? 'Show' : 'Hide'}
        shortcut="H"
        className={look(isHidden)}
        onClick={() => editor.dispatch({ type: 'setHidden', elementId, isHidden: !isHidden })}
      />
    </>
  );
});

/** What can be done with the chosen elements besides placing them. */
function ElementTools({ selected, onRename }: { selected: readonly ElementId[]; onRename(id: ElementId): void }) {
  const editor = useEditor();
  const [only, ...others] = selected;
  const isOne = others.length === 0;
  const name = useEditorState(({ composition }) => {
    const element = findElement(composition, only!);
    return isOne && element ? toElementName(element) : `${selected.length} elements`;
  });
  const isLocked = useEditorState(({ composition }) => all(composition, selected, 'isLocked'));
  const isHidden = useEditorState(({ composition }) => all(composition, selected, 'isHidden'));
  const possible = useEditorState(({ composition }) => possibleSteps(composition, selected));
  const hasText = selected.some((id) => id !== 'design');
  const dispatch = (commands: readonly Command[]) => dispatchAndChoose(editor, { type: 'several', commands });
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would bring its own layout
    <div role="group" aria-label={`With ${name}`} className="flex items-center gap-0.5 pt-1 pl-1">
      {orderSteps.map(({ to, icon, label, shortcut }) => (
        <IconButton
          key={to}
          icon={icon}
          size="sm"
          label={label}
          shortcut={shortcut}
          disabled={!possible.split(' ').includes(to)}
          onClick={() => editor.dispatch(reorderCommand(editor.getState().composition, selected, to))}
        />
      ))}
      <span className="mx-1 h-4 w-px bg-line" />
      {isOne ? (
        <IconButton icon="pencil" size="sm" label="Rename" shortcut="F2" onClick={() => onRename(only!)} />
      ) : (
        <>
          <IconButton
            icon={isLocked ? 'lock' : 'lockOpen'}
            size="sm"
            label={isLocked ? 'Unlock all' : 'Lock all'}
            shortcut="L"
            onClick={() => dispatch(lockCommands(editor.getState().composition, selected))}
          />
          <IconButton
            icon={isHidden ? 'eyeOff' : 'eye'}
            size="sm"
            label={isHidden ? 'Show all' : 'Hide all'}
            shortcut="H"
            onClick={() => dispatch(hideCommands(editor.getState().composition, selected))}
          />
        </>
      )}
      {hasText && (
        <IconButton
          icon="duplicate"
          size="sm"
          label="Duplicate"
          shortcut="Ctrl D"
          onClick={() => dispatch(duplicateCommands(selected))}
        />
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
          dispatch(selected.filter((id) => !findElement(composition, id)?.isLocked).map(removeCommand));
        }}
      />
    </div>
  );
}

const all = (composition: Composition, ids: readonly ElementId[], mark: 'isLocked' | 'isHidden') =>
  ids.every((id) => findElement(composition, id)?.[mark]);

/** The steps that would change anything, as one word to compare. */
const possibleSteps = (composition: Composition, ids: readonly ElementId[]) =>
  orderSteps
    .filter(({ to }) => applyCommand(composition, reorderCommand(composition, ids, to)) !== composition)
    .map(({ to }) => to)
    .join(' ');

/** Enter or leaving it keeps the name, Escape does not; blank gives back the words or the file's name. */
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

/** Only the list itself scrolls, never what is around it. */
function showChosen(list: HTMLUListElement | null, selection: RowId): void {
  const chosen = list?.querySelector(`[data-row="${CSS.escape(selection)}"]`)?.parentElement;
  if (!list || !chosen || list.scrollHeight <= list.clientHeight) return;
  const frame = list.getBoundingClientRect();
  const row = chosen.getBoundingClientRect();
  if (row.top < frame.top) list.scrollTop -= frame.top - row.top;
  else if (row.bottom > frame.bottom) list.scrollTop += row.bottom - frame.bottom;
}
