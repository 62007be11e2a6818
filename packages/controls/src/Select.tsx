import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react';
import { Icon } from './icons.tsx';
import { addLetter, findByLetters, noLetters } from './typeAhead.ts';
import { useAnchoredPopover } from './useAnchoredPopover.ts';
import { useCombobox } from './useCombobox.ts';

export interface Option<T extends string> {
  readonly value: T;
  readonly label: string;
  /** Shown instead of the label, which is still searched and read out. */
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

/**
 * Lets the person choose one of several: a select-only combobox over the browser's own popover, so nothing is cut off
 * and no style is injected. Arrow keys, Home, End and typed letters move; Enter, Space and Tab choose; Escape leaves
 * the value as it was. One straight story: opening, keys, and the markup of the field and its list.
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
  const { trigger, list, isOpen, show, hide, onToggle } = useAnchoredPopover();
  const flat = options.flatMap((entry) => ('options' in entry ? entry.options : [entry]));
  const chosenIndex = flat.findIndex((option) => option.value === value);
  const current = flat[chosenIndex];
  const { active, setActive, moveActive, optionId, fieldProps, listProps } = useCombobox(label, flat.length, isOpen);
  const letters = useRef(noLetters);

  const activeId = optionId(active);
  useEffect(() => {
    if (isOpen) document.getElementById(activeId)?.scrollIntoView({ block: 'nearest' });
  }, [isOpen, activeId]);

  const open = (index = Math.max(0, chosenIndex)) => {
    show();
    setActive(index);
  };
  const choose = (index: number) => {
    const option = flat[index];
    hide();
    if (option && option.value !== value) onChange(option.value);
  };
  const search = (letter: string) => {
    letters.current = addLetter(letters.current, letter, Date.now());
    const labels = flat.map((option) => option.label);
    return findByLetters(labels, letters.current.text, isOpen ? active : Math.max(0, chosenIndex));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const { key } = event;
    if (!isOpen) {
      const isOpener = ['ArrowDown', 'ArrowUp', 'Enter', ' '].includes(key);
      const match = key.length === 1 && key !== ' ' ? search(key) : undefined;
      if (!isOpener && match === undefined) return;
      event.preventDefault();
      open(match);
      return;
    }
    if (key === 'ArrowDown') moveActive(1);
    else if (key === 'ArrowUp') moveActive(-1);
    else if (key === 'Home') setActive(0);
    else if (key === 'End') setActive(flat.length - 1);
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
      <ListOption
        key={option.value}
        id={optionId(at)}
        label={option.label}
        isChosen={at === chosenIndex}
        isActive={at === active}
        onChoose={() => choose(at)}
        onPoint={() => setActive(at)}
        className="min-h-8 gap-4 text-sm pointer-coarse:min-h-10"
      >
        {option.content ?? option.label}
      </ListOption>
    );
  };

  return (
    <>
      <button
        ref={trigger}
        id={id}
        type="button"
        {...fieldProps}
        aria-haspopup="listbox"
        disabled={disabled}
        // A press closes an open popover by itself; a click right after must not open it again.
        onPointerDown={(event) => {
          event.currentTarget.dataset.wasOpen = String(isOpen);
        }}
        onClick={(event) => {
          if (event.currentTarget.dataset.wasOpen !== 'true') open();
        }}
        onKeyDown={onKeyDown}
        className={`inline-flex h-8 min-w-0 items-center justify-between gap-2 rounded-control border border-edge bg-paper pr-1.5 pl-2.5 text-left text-sm text-ink transition-colors hover:border-ink focus-visible:outline-2 focus-visible:outline-offset-2 focus-visible:outline-accent aria-expanded:border-accent disabled:opacity-45 pointer-coarse:h-10 ${className}`}
      >
        <span className="min-w-0 truncate">{current?.content ?? current?.label}</span>
        <Icon name="chevronDown" className="size-4 text-graphite" />
      </button>
      <div
        ref={list}
        {...listProps}
        popover="auto"
        tabIndex={-1}
        onToggle={onToggle}
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

interface ListOptionProps {
  id: string;
  label: string;
  isChosen: boolean;
  isActive: boolean;
  onChoose(): void;
  onPoint(): void;
  className: string;
  children: ReactNode;
}

/** An option in the list of a combobox. */
export function ListOption({ id, label, isChosen, isActive, onChoose, onPoint, className, children }: ListOptionProps) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: keys go to the combobox, which keeps the focus
    // biome-ignore lint/a11y/useFocusableInteractive: see above
    <div
      id={id}
      role="option"
      aria-selected={isChosen}
      aria-label={label}
      onClick={onChoose}
      // A list that opens under a resting pointer keeps its active option.
      onPointerMove={({ movementX, movementY }) => (movementX !== 0 || movementY !== 0) && onPoint()}
      className={`flex cursor-default items-center justify-between rounded-[4px] px-2 py-1 select-none ${className} ${isActive ? 'bg-ink/6' : ''}`}
    >
      {children}
      {isChosen && <Icon name="check" className="size-4 shrink-0 text-accent" />}
    </div>
  );
}
