import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { Icon } from './icons.tsx';

export interface Option<T extends string> {
  readonly value: T;
  readonly label: string;
  /** Shown instead of the label, which stays what is searched and read out. */
  readonly content?: ReactNode;
}

export interface OptionGroup<T extends string> {
  readonly label: string;
  readonly options: readonly Option<T>[];
}

export interface SelectProps<T extends string> {
  label: string;
  value: T;
  options: readonly (Option<T> | OptionGroup<T>)[];
  onChange(value: T): void;
  disabled?: boolean;
  id?: string;
  className?: string;
}

const TYPE_AHEAD_MS = 600;
const GAP_PX = 4;
const MAX_HEIGHT_PX = 360;

/**
 * Lets the person choose one of several: a select-only combobox over the browser's own popover, so nothing is cut off
 * and no style is injected. Arrow keys, Home, End and typed letters move; Enter, Space and Tab choose; Escape leaves
 * the value as it was.
 */
export function Select<T extends string>({
  label,
  value,
  options,
  onChange,
  disabled,
  id,
  className = '',
}: SelectProps<T>) {
  const ownId = useId();
  const listId = `${ownId}list`;
  const trigger = useRef<HTMLButtonElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const [isOpen, setIsOpen] = useState(false);
  const [active, setActive] = useState(0);
  const typed = useRef({ text: '', at: 0 });

  const flat = options.flatMap((entry) => ('options' in entry ? entry.options : [entry]));
  const chosen = flat.findIndex((option) => option.value === value);
  const optionId = (index: number) => `${ownId}option${index}`;

  const show = (index = Math.max(0, chosen)) => {
    if (!trigger.current || !list.current) return;
    place(trigger.current, list.current);
    list.current.showPopover();
    // Not left to the toggle event, which comes later than the next key.
    setIsOpen(true);
    setActive(index);
  };
  const hide = () => {
    list.current?.hidePopover();
    setIsOpen(false);
  };
  const choose = (index: number) => {
    const option = flat[index];
    hide();
    if (option && option.value !== value) onChange(option.value);
  };

  useEffect(() => {
    if (isOpen) document.getElementById(`${ownId}option${active}`)?.scrollIntoView({ block: 'nearest' });
  }, [isOpen, active, ownId]);
  useEffect(() => {
    if (!isOpen) return;
    // Fixed to where the trigger was: when that moves, it is over. A scroll that ended before may still be told of.
    const topAtStart = trigger.current?.getBoundingClientRect().top ?? 0;
    const onScroll = () => {
      const top = trigger.current?.getBoundingClientRect().top ?? 0;
      if (Math.abs(top - topAtStart) > 1) list.current?.hidePopover();
    };
    const onResize = () => list.current?.hidePopover();
    window.addEventListener('scroll', onScroll, true);
    window.addEventListener('resize', onResize);
    return () => {
      window.removeEventListener('scroll', onScroll, true);
      window.removeEventListener('resize', onResize);
    };
  }, [isOpen]);

  const search = (letter: string) => {
    const now = Date.now();
    const text = (now - typed.current.at < TYPE_AHEAD_MS ? typed.current.text : '') + letter.toLowerCase();
    typed.current = { text, at: now };
    const from = isOpen ? active : Math.max(0, chosen);
    // The same letter again goes on to the next match.
    const start = text.length === 1 ? from + 1 : from;
    for (let i = 0; i < flat.length; i++) {
      const index = (start + i) % flat.length;
      if (flat[index]!.label.toLowerCase().startsWith(text)) return index;
    }
    return undefined;
  };

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const { key } = event;
    if (!isOpen) {
      const isOpener = ['ArrowDown', 'ArrowUp', 'Enter', ' '].includes(key);
      const found = key.length === 1 && key !== ' ' ? search(key) : undefined;
      if (!isOpener && found === undefined) return;
      event.preventDefault();
      show(found);
      return;
    }
    const move = (index: number) => setActive(Math.min(flat.length - 1, Math.max(0, index)));
    if (key === 'ArrowDown') move(active + 1);
    else if (key === 'ArrowUp') move(active - 1);
    else if (key === 'Home') move(0);
    else if (key === 'End') move(flat.length - 1);
    else if (key === 'Enter' || key === ' ') choose(active);
    else if (key === 'Escape') hide();
    else if (key === 'Tab') {
      choose(active);
      return;
    } else if (key.length === 1) setActive(search(key) ?? active);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  let index = 0;
  const renderOption = (option: Option<T>) => {
    const at = index++;
    return (
      // biome-ignore lint/a11y/useKeyWithClickEvents: keys go to the combobox, which keeps the focus
      // biome-ignore lint/a11y/useFocusableInteractive: see above
      <div
        key={option.value}
        id={optionId(at)}
        role="option"
        aria-selected={at === chosen}
        aria-label={option.label}
        onClick={() => choose(at)}
        // A list that opens under a resting pointer is not pointed at.
        onPointerMove={({ movementX, movementY }) => (movementX !== 0 || movementY !== 0) && setActive(at)}
        className={`flex min-h-8 cursor-default items-center justify-between gap-4 rounded-[4px] px-2 py-1 text-sm select-none pointer-coarse:min-h-10 ${at === active ? 'bg-ink/6' : ''}`}
      >
        {option.content ?? option.label}
        {at === chosen && <Icon name="check" className="size-4 text-accent" />}
      </div>
    );
  };
  const current = flat[chosen];

  return (
    <>
      <button
        ref={trigger}
        id={id}
        type="button"
        role="combobox"
        aria-label={label}
        aria-haspopup="listbox"
        aria-expanded={isOpen}
        aria-controls={listId}
        aria-activedescendant={isOpen ? optionId(active) : undefined}
        disabled={disabled}
        // A press closes an open popover by itself; a click right after must not open it again.
        onPointerDown={(event) => {
          event.currentTarget.dataset.wasOpen = String(isOpen);
        }}
        onClick={(event) => {
          if (event.currentTarget.dataset.wasOpen !== 'true') show();
        }}
        onKeyDown={onKeyDown}
        className={`inline-flex h-8 min-w-0 items-center justify-between gap-2 rounded-control border border-edge bg-paper pr-1.5 pl-2.5 text-left text-sm text-ink transition-colors hover:border-ink focus-visible:outline-2 focus-visible:outline-offset-2 focus-visible:outline-accent aria-expanded:border-accent disabled:opacity-45 pointer-coarse:h-10 ${className}`}
      >
        <span className="min-w-0 truncate">{current?.content ?? current?.label}</span>
        <Icon name="chevronDown" className="size-4 text-graphite" />
      </button>
      <div
        ref={list}
        id={listId}
        popover="auto"
        role="listbox"
        tabIndex={-1}
        aria-label={label}
        onToggle={(event) => setIsOpen(event.newState === 'open')}
        className="fixed inset-auto m-0 overflow-y-auto overscroll-contain rounded-control border border-line bg-paper p-1 text-ink shadow-float [scrollbar-width:thin]"
      >
        {options.map((entry) =>
          'options' in entry ? (
            // biome-ignore lint/a11y/useSemanticElements: a group of options, not of form fields
            <div
              key={entry.label}
              role="group"
              aria-label={entry.label}
              className="not-first:mt-1 not-first:border-t not-first:border-line"
            >
              <div aria-hidden="true" className="px-2 pt-2 pb-1 text-xs text-graphite">
                {entry.label}
              </div>
              {entry.options.map(renderOption)}
            </div>
          ) : (
            renderOption(entry)
          ),
        )}
      </div>
    </>
  );
}

/** Below the trigger, or above it where there is more room. */
function place(trigger: HTMLElement, list: HTMLElement): void {
  const box = trigger.getBoundingClientRect();
  const below = window.innerHeight - box.bottom - 2 * GAP_PX;
  const above = box.top - 2 * GAP_PX;
  const isBelow = below >= Math.min(MAX_HEIGHT_PX, 200) || below >= above;
  list.style.left = `${Math.max(GAP_PX, Math.min(box.left, window.innerWidth - box.width - GAP_PX))}px`;
  list.style.minWidth = `${box.width}px`;
  list.style.maxHeight = `${Math.min(MAX_HEIGHT_PX, isBelow ? below : above)}px`;
  list.style.top = isBelow ? `${box.bottom + GAP_PX}px` : '';
  list.style.bottom = isBelow ? '' : `${window.innerHeight - box.top + GAP_PX}px`;
}
