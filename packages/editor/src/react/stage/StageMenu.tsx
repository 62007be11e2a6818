/** The stage's context menu. Loaded when it is first opened. */
import { Icon } from '@markwright/controls';
import { DropdownMenu } from '@markwright/controls/menu';
import { useRef, useState } from 'react';
import type { Action } from '../../core/document/keymap.ts';
import { type MenuEntry, type MenuItem, stageMenu } from '../../core/document/stageMenu.ts';
import { useEditor, usePorts } from '../EditorProvider.tsx';
import type { Perform } from './useActions.ts';

interface StageMenuProps {
  /** The point it opens at, from the top left of the stage. */
  readonly at: { readonly x: number; readonly y: number };
  readonly perform: Perform;
  /** Called when the menu has closed: focuses the stage again. */
  onClose(): void;
}

export function StageMenu({ at, perform, onClose }: StageMenuProps) {
  const editor = useEditor();
  const hasLibrary = usePorts().library !== undefined;
  const [entries] = useState(() => stageMenu(editor.getState(), { hasLibrary }));
  const [isOpen, setIsOpen] = useState(true);
  /** The menu belongs to the main part of the page, as the stage does. */
  const [container] = useState(() => document.querySelector('main') ?? undefined);
  /** Performed once the menu has given the focus back: what it opens may take the focus. */
  const choice = useRef<Action>(undefined);
  const choose = (action: Action) => {
    choice.current = action;
  };
  return (
    <DropdownMenu.Root open={isOpen} onOpenChange={setIsOpen} modal={false}>
      <DropdownMenu.Trigger asChild>
        <span aria-hidden="true" className="pointer-events-none absolute size-px" style={{ left: at.x, top: at.y }} />
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal container={container}>
        <DropdownMenu.Content
          aria-label="Actions"
          aria-labelledby={undefined}
          // To the right of the pointer it slides up where there is no room below, as far as the bar of the page.
          side="right"
          align="start"
          sideOffset={2}
          collisionPadding={{ top: 56, right: 8, bottom: 8, left: 8 }}
          className={surface}
          onContextMenu={(event) => event.preventDefault()}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            onClose();
            if (choice.current) perform(choice.current);
          }}
        >
          {entries.map((entry, index) => (
            <Entry key={index} entry={entry} container={container} onChoose={choose} />
          ))}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

/** Above the notices. */
const surface =
  'z-60 max-h-(--radix-dropdown-menu-content-available-height) min-w-52 overflow-y-auto rounded-card border border-line bg-paper p-1 text-ink text-sm shadow-float';
const row =
  'flex h-8 cursor-default select-none items-center gap-2 rounded-control px-2 outline-none data-highlighted:bg-accent-soft data-highlighted:text-accent data-[state=open]:bg-ink/6 pointer-coarse:h-11';

function Entry({
  entry,
  container,
  onChoose,
}: {
  entry: MenuEntry;
  container: HTMLElement | undefined;
  onChoose(action: Action): void;
}) {
  if (entry.kind === 'divider') return <DropdownMenu.Separator className="mx-1 my-1 h-px bg-line" />;
  if (entry.kind === 'item') return <Item item={entry} onChoose={onChoose} />;
  return (
    <DropdownMenu.Sub>
      <DropdownMenu.SubTrigger className={row}>
        <span className="size-4" />
        <span className="flex-1">{entry.label}</span>
        <Icon name="chevronRight" className="size-4" />
      </DropdownMenu.SubTrigger>
      <DropdownMenu.Portal container={container}>
        <DropdownMenu.SubContent className={surface} collisionPadding={8} sideOffset={2}>
          {entry.items.map((item) => (
            <Item key={item.label} item={item} onChoose={onChoose} />
          ))}
        </DropdownMenu.SubContent>
      </DropdownMenu.Portal>
    </DropdownMenu.Sub>
  );
}

function Item({
  item: { label, icon, shortcut, action },
  onChoose,
}: {
  item: MenuItem;
  onChoose(action: Action): void;
}) {
  return (
    <DropdownMenu.Item className={row} onSelect={() => onChoose(action)}>
      {icon ? <Icon name={icon} className="size-4" /> : <span className="size-4" />}
      <span className="flex-1">{label}</span>
      {shortcut && <kbd className="pl-4 font-mono text-graphite text-xs">{shortcut}</kbd>}
    </DropdownMenu.Item>
  );
}
