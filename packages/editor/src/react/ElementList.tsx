import { type KeyboardEvent, useEffect, useRef } from 'react';
import { elementIds, findText, type Selection } from '../core/editor.ts';
import { removeCommand } from '../core/keymap.ts';
import { describeElement, formatSize } from '../core/measure.ts';
import { useEditor, useEditorState } from './EditorProvider.tsx';
import { Icon } from './icons.tsx';

/**
 * Everything on the stage as a list: one Tab stop, Up and Down choose, Delete removes. What has the focus is selected, so
 * sight and sound agree. `onOpen` is called on Enter, to go on with the chosen element.
 */
export function ElementList({ onOpen, className = '' }: { onOpen?: () => void; className?: string }) {
  const editor = useEditor();
  const composition = useEditorState((state) => state.composition);
  const scene = useEditorState((state) => state.scene);
  const selection = useEditorState((state) => state.selection);
  const unit = useEditorState((state) => state.unit);
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    if (selection !== undefined) showChosen(list.current);
  }, [selection]);

  const ids: Exclude<Selection, undefined>[] = [...elementIds(composition)];
  if (composition.productId !== undefined) ids.push('machineArea');
  if (ids.length === 0) return null;
  const active = ids.find((id) => id === selection) ?? ids[0];

  const name = (id: (typeof ids)[number]) => {
    if (id === 'machineArea') return 'Machine area';
    return id === 'design' ? composition.design?.filename || 'Design' : findText(composition, id)?.text;
  };
  const sizeOf = (id: (typeof ids)[number]) => {
    if (id === 'machineArea') return formatSize({ width: scene.widthMm, height: scene.heightMm }, unit);
    const group = scene.groups.find(({ elementId }) => elementId === id);
    return group ? formatSize(group.sizeMm, unit) : '…';
  };
  const label = (id: (typeof ids)[number]) => {
    if (id === 'machineArea') {
      return `Machine area, ${sizeOf(id)}`;
    }
    const group = scene.groups.find(({ elementId }) => elementId === id);
    if (group) return describeElement(scene, group, unit);
    return id === 'design' ? `Design ${composition.design?.filename ?? ''}` : 'Text, its font is loading';
  };
  const onKeyDown = (event: KeyboardEvent, id: (typeof ids)[number]) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) {
      event.preventDefault();
      const next = ids[ids.indexOf(id) + step];
      if (!next) return;
      editor.select(next);
      list.current?.querySelectorAll('button')[ids.indexOf(next)]?.focus();
    } else if ((event.key === 'Delete' || event.key === 'Backspace') && id !== 'machineArea') {
      event.preventDefault();
      editor.dispatch(removeCommand(id));
    }
  };

  return (
    <ul ref={list} aria-label="Elements on the product" className={`flex flex-col will-change-transform ${className}`}>
      {ids.map((id) => (
        <li key={id}>
          <button
            type="button"
            tabIndex={id === active ? 0 : -1}
            aria-label={label(id)}
            aria-pressed={id === selection}
            onFocus={() => editor.select(id)}
            onClick={() => {
              editor.select(id);
              onOpen?.();
            }}
            onKeyDown={(event) => onKeyDown(event, id)}
            className="flex min-h-8 w-full items-center gap-2 rounded-control px-2 text-left text-xs hover:bg-ink/4 focus-visible:outline-2 focus-visible:-outline-offset-2 focus-visible:outline-accent aria-pressed:bg-accent-soft"
          >
            <Icon
              name={id === 'design' ? 'image' : id === 'machineArea' ? 'area' : 'text'}
              className="size-4 text-graphite"
            />
            <span className="min-w-0 flex-1 truncate">{name(id)}</span>
            <span className="measure text-graphite">{sizeOf(id)}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}

/** Only the list itself scrolls, never what is around it. */
function showChosen(list: HTMLUListElement | null): void {
  const chosen = list?.querySelector('[aria-pressed="true"]')?.parentElement;
  if (!list || !chosen || list.scrollHeight <= list.clientHeight) return;
  const frame = list.getBoundingClientRect();
  const row = chosen.getBoundingClientRect();
  if (row.top < frame.top) list.scrollTop -= frame.top - row.top;
  else if (row.bottom > frame.bottom) list.scrollTop += row.bottom - frame.bottom;
}
