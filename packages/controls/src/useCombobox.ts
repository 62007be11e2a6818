import { useId, useState } from 'react';

/**
 * Keeps the active option of a combobox. The field keeps the focus and gets all keys; `aria-activedescendant` names the
 * active option. Returns the attributes that tie the field, its list and the options together.
 */
export function useCombobox(label: string, optionCount: number, isOpen: boolean) {
  const id = useId();
  const [active, setActive] = useState(0);
  const listId = `${id}list`;
  const optionId = (index: number) => `${id}option${index}`;
  return {
    active,
    setActive,
    /** Moves the active option by `step`, and stops at both ends. */
    moveActive: (step: number) => setActive(Math.max(0, Math.min(optionCount - 1, active + step))),
    optionId,
    fieldProps: {
      role: 'combobox',
      'aria-label': label,
      'aria-expanded': isOpen,
      'aria-controls': listId,
      'aria-activedescendant': isOpen && active < optionCount ? optionId(active) : undefined,
    } as const,
    listProps: { id: listId, role: 'listbox', 'aria-label': label } as const,
  };
}
