/** A card of a list by keys: F2 renames it, Delete deletes it, and its picture has the focus again afterwards. */
import { type KeyboardEvent, useRef, useState } from 'react';

interface CardKeys {
  readonly name: string;
  readonly canChange: boolean;
  onRename(name: string): void;
  onDelete(): void;
}

/** `item` goes to the card's `li`. What opens the card is marked with `data-open`. */
export function useCardKeys({ name, canChange, onRename, onDelete }: CardKeys) {
  const [isRenaming, setIsRenaming] = useState(false);
  const ref = useRef<HTMLLIElement>(null);
  const onKeyDown = (event: KeyboardEvent) => {
    if (!canChange || isRenaming || !(event.target instanceof HTMLElement) || !event.target.matches('[data-open]'))
      return;
    if (event.key === 'F2') setIsRenaming(true);
    else if (event.key === 'Delete') onDelete();
    else return;
    event.preventDefault();
  };
  return {
    item: { ref, onKeyDown },
    isRenaming,
    startRename: () => setIsRenaming(true),
    endRename(newName: string | undefined) {
      setIsRenaming(false);
      if (newName !== undefined && newName !== name) onRename(newName);
      requestAnimationFrame(() => ref.current?.querySelector<HTMLElement>('[data-open]')?.focus());
    },
  };
}
