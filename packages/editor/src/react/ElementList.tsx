import { findElement, isDesign, toElementName } from '@markwright/scene';
import { type KeyboardEvent, memo, useEffect, useId, useRef, useState } from 'react';
import { type ElementId, elementIds, type Selection } from '../core/editor.ts';
import { elementAction, orderSteps, removeCommand } from '../core/keymap.ts';
import { describeElement, formatSize } from '../core/measure.ts';
import { IconButton } from './controls/Button.tsx';
import { useEditor, useEditorState } from './EditorProvider.tsx';
import { Icon } from './icons.tsx';

type RowId = Exclude<Selection, undefined>;

/**
 * Everything on the product as a list, what lies on top first and the machine area last: one Tab stop, Up and Down choose.
 * What has the focus is selected, so sight and sound agree. The chosen element's own buttons follow its row.
 */
export function ElementList({ className = '' }: { className?: string }) {
  const editor = useEditor();
  // Which there are and in what order, not where: dragging one must not draw the list anew.
  const elements = useEditorState(({ composition }) => elementIds(composition), isSameOrder);
  const hasProduct = useEditorState((state) => state.composition.productId !== undefined);
  const selection = useEditorState((state) => state.selection);
  const list = useRef<HTMLUListElement>(null);
  const [renamed, setRenamed] = useState<ElementId>();
  useEffect(() => {
    if (selection !== undefined) showChosen(list.current);
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
    if (step && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      focusRow(ids[ids.indexOf(id) + step]);
      return;
    }
    if (id === 'machineArea') return;
    if (event.key === 'F2') {
      event.preventDefault();
      setRenamed(id);
      return;
    }
    const action = elementAction(event, editor.getState().composition, id);
    if (action?.kind !== 'command') return;
    event.preventDefault();
    editor.dispatch(action.command);
    const { type } = action.command;
    if (type === 'duplicateText') focusSoon(`text:${action.command.newId}`);
    // The next row takes over: the keyboard is never left nowhere.
    else if (type === 'removeText' || type === 'removeDesign') focusSoon(ids[ids.indexOf(id) + 1]);
  };
  const endRename = (id: ElementId, name: string | undefined) => {
    setRenamed(undefined);
    if (name !== undefined) editor.dispatch({ type: 'rename', elementId: id, name });
    focusSoon(id);
  };

  return (
    <ul ref={list} aria-label="Elements on the product" className={`flex flex-col will-change-transform ${className}`}>
      {ids.map((id) => (
        <li
          key={id}
          className={`group flex min-h-10 items-center rounded-control pr-1 ${id === selection ? 'bg-accent-soft' : 'hover:bg-ink/4'}`}
        >
          {id !== 'machineArea' && id === renamed ? (
            <NameField elementId={id} onEnd={(name) => endRename(id, name)} />
          ) : (
            <Row id={id} isActive={id === active} onKeyDown={(event) => onKeyDown(event, id)} />
          )}
          {id !== 'machineArea' && <RowSwitches elementId={id} isActive={id === active} />}
        </li>
      ))}
      {selection !== undefined && selection !== 'machineArea' && (
        <li>
          <ElementTools elementId={selection} onRename={() => setRenamed(selection)} />
        </li>
      )}
    </ul>
  );
}

const isSameOrder = (a: readonly string[], b: readonly string[]) => a.join('\n') === b.join('\n');

const rowName = (id: RowId) => `row-${id.replace(/[^\w-]/g, '-')}`;

/** Drawn anew with every frame of a drag, as it says how big the element is. */
function Row({ id, isActive, onKeyDown }: { id: RowId; isActive: boolean; onKeyDown(event: KeyboardEvent): void }) {
  const editor = useEditor();
  const element = useEditorState(({ composition }) =>
    id === 'machineArea' ? undefined : findElement(composition, id),
  );
  const scene = useEditorState((state) => state.scene);
  const isSelected = useEditorState((state) => state.selection === id);
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
    <button
      type="button"
      id={rowName(id)}
      data-row={id}
      tabIndex={isActive ? 0 : -1}
      aria-label={[described, ...marks].join(', ')}
      aria-pressed={isSelected}
      aria-keyshortcuts={element ? 'F2 Delete Control+D Control+] Control+[ L H' : undefined}
      onFocus={() => editor.select(id)}
      onClick={() => editor.select(id)}
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

/** What can be done with the chosen element besides placing it. */
function ElementTools({ elementId, onRename }: { elementId: ElementId; onRename(): void }) {
  const editor = useEditor();
  const order = useEditorState(({ composition }) => elementIds(composition), isSameOrder);
  const name = useEditorState(({ composition }) => {
    const element = findElement(composition, elementId);
    return element && toElementName(element);
  });
  const isLocked = useEditorState(({ composition }) => findElement(composition, elementId)?.isLocked ?? false);
  const at = order.indexOf(elementId);
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
          disabled={to === 'forward' || to === 'front' ? at === order.length - 1 : at === 0}
          onClick={() => editor.dispatch({ type: 'reorder', elementId, to })}
        />
      ))}
      <span className="mx-1 h-4 w-px bg-line" />
      <IconButton icon="pencil" size="sm" label="Rename" shortcut="F2" onClick={onRename} />
      {elementId !== 'design' && (
        <IconButton
          icon="duplicate"
          size="sm"
          label="Duplicate"
          shortcut="Ctrl D"
          onClick={() => {
            const newId = crypto.randomUUID();
            editor.dispatch({ type: 'duplicateText', id: elementId.slice('text:'.length), newId });
            editor.select(`text:${newId}`);
          }}
        />
      )}
      <IconButton
        icon="trash"
        size="sm"
        label="Delete"
        shortcut="Del"
        disabled={isLocked}
        className="ml-auto text-danger!"
        onClick={() => editor.dispatch(removeCommand(elementId))}
      />
    </div>
  );
}

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
function showChosen(list: HTMLUListElement | null): void {
  const chosen = list?.querySelector('[data-row][aria-pressed="true"]')?.parentElement;
  if (!list || !chosen || list.scrollHeight <= list.clientHeight) return;
  const frame = list.getBoundingClientRect();
  const row = chosen.getBoundingClientRect();
  if (row.top < frame.top) list.scrollTop -= frame.top - row.top;
  else if (row.bottom > frame.bottom) list.scrollTop += row.bottom - frame.bottom;
}
