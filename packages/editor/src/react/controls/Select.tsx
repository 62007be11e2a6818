import { Select as RadixSelect } from 'radix-ui';
import type { ReactNode } from 'react';
import { Icon } from '../icons.tsx';

export interface Option<T extends string> {
  readonly value: T;
  readonly label: string;
  /** Shown in the list instead of the label. */
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

/** One of several. Typing letters jumps to an option. */
export function Select<T extends string>({
  label,
  value,
  options,
  onChange,
  disabled,
  id,
  className = '',
}: SelectProps<T>) {
  return (
    <RadixSelect.Root value={value} onValueChange={(next) => onChange(next as T)} disabled={disabled}>
      <RadixSelect.Trigger
        id={id}
        aria-label={label}
        className={`inline-flex h-8 min-w-0 items-center justify-between gap-2 rounded-control border border-line bg-paper pr-1.5 pl-2.5 text-sm text-ink transition-colors hover:border-edge focus-visible:outline-2 focus-visible:outline-offset-2 focus-visible:outline-accent disabled:opacity-45 data-[state=open]:border-accent pointer-coarse:h-10 ${className}`}
      >
        <span className="truncate">
          <RadixSelect.Value />
        </span>
        <Icon name="chevronDown" className="size-4 text-graphite" />
      </RadixSelect.Trigger>
      <RadixSelect.Portal>
        <RadixSelect.Content
          position="popper"
          sideOffset={4}
          collisionPadding={8}
          className="z-50 max-h-[min(22rem,var(--radix-select-content-available-height))] min-w-[var(--radix-select-trigger-width)] overflow-hidden rounded-control border border-line bg-paper text-ink shadow-float animate-float-in"
        >
          <RadixSelect.Viewport className="overflow-y-auto p-1">
            {options.map((entry) =>
              'options' in entry ? (
                <RadixSelect.Group
                  key={entry.label}
                  className="not-first:mt-1 not-first:border-t not-first:border-line"
                >
                  <RadixSelect.Label className="px-2 pt-2 pb-1 text-xs text-graphite">{entry.label}</RadixSelect.Label>
                  {entry.options.map((option) => (
                    <Item key={option.value} {...option} />
                  ))}
                </RadixSelect.Group>
              ) : (
                <Item key={entry.value} {...entry} />
              ),
            )}
          </RadixSelect.Viewport>
        </RadixSelect.Content>
      </RadixSelect.Portal>
    </RadixSelect.Root>
  );
}

function Item<T extends string>({ value, label, content }: Option<T>) {
  return (
    <RadixSelect.Item
      value={value}
      textValue={label}
      className="flex min-h-8 cursor-default items-center justify-between gap-4 rounded-[4px] py-1 pr-2 pl-2 text-sm outline-none select-none data-highlighted:bg-ink/6 pointer-coarse:min-h-10"
    >
      <RadixSelect.ItemText>{content ?? label}</RadixSelect.ItemText>
      <RadixSelect.ItemIndicator>
        <Icon name="check" className="size-4 text-accent" />
      </RadixSelect.ItemIndicator>
    </RadixSelect.Item>
  );
}
