import { Tabs as RadixTabs } from 'radix-ui';
import { type ReactNode, useEffect, useRef } from 'react';
import { Icon, type IconName } from './icons.tsx';

export interface Tab<T extends string> {
  readonly value: T;
  readonly label: string;
  readonly icon?: IconName;
  readonly disabled?: boolean;
  readonly content: ReactNode;
}

export interface TabsProps<T extends string> {
  label: string;
  value: T;
  onChange(value: T): void;
  tabs: readonly Tab<T>[];
  className?: string;
  /** Stands beside the row of tabs. */
  aside?: ReactNode;
}

export function Tabs<T extends string>({ label, value, onChange, tabs, className = '', aside }: TabsProps<T>) {
  const list = useRef<HTMLDivElement>(null);
  // On a narrow screen the chosen tab may lie past the edge. Only the row moves, never the page.
  useEffect(() => {
    const row = list.current;
    const activeTab = row?.querySelector<HTMLElement>('[data-state=active]');
    if (!row || !activeTab) return;
    const { left, right } = activeTab.getBoundingClientRect();
    const edges = row.getBoundingClientRect();
    if (left < edges.left) row.scrollLeft -= edges.left - left;
    else if (right > edges.right) row.scrollLeft += right - edges.right;
  }, [value]);
  return (
    <RadixTabs.Root value={value} onValueChange={(next) => onChange(next as T)} className={className}>
      <div className="-mx-1 flex items-center shadow-[inset_0_-1px_0_var(--line)]">
        <RadixTabs.List
          ref={list}
          aria-label={label}
          className="flex min-w-0 flex-1 gap-2 overflow-x-auto [scrollbar-width:none]"
        >
          {tabs.map((tab) => (
            <RadixTabs.Trigger
              key={tab.value}
              value={tab.value}
              disabled={tab.disabled}
              className="inline-flex h-9 shrink-0 items-center whitespace-nowrap gap-1.5 border-b-2 px-1 border-transparent text-sm font-medium text-graphite transition-colors hover:text-ink focus-visible:outline-2 focus-visible:-outline-offset-2 focus-visible:outline-accent disabled:pointer-events-none disabled:opacity-45 data-[state=active]:border-accent data-[state=active]:text-ink pointer-coarse:h-11"
            >
              {tab.icon && <Icon name={tab.icon} className="size-4" />}
              {tab.label}
            </RadixTabs.Trigger>
          ))}
        </RadixTabs.List>
        {aside}
      </div>
      {tabs.map((tab) => (
        <RadixTabs.Content key={tab.value} value={tab.value} className="pt-3 outline-none low:pt-2">
          {tab.content}
        </RadixTabs.Content>
      ))}
    </RadixTabs.Root>
  );
}
