/** Notices (toasts): one at a time. `Toasts` shows them. */

export interface Notice {
  readonly title: string;
  readonly description?: string | undefined;
  readonly variant?: 'default' | 'destructive' | undefined;
}

export interface ShownNotice extends Notice {
  readonly id: number;
  readonly isOpen: boolean;
}

let current: ShownNotice | undefined;
let count = 0;
const listeners = new Set<() => void>();

function show(next: ShownNotice): void {
  current = next;
  for (const listener of listeners) listener();
}

/** Shows a notice in place of the one on screen. */
export function toast(notice: Notice): void {
  show({ ...notice, id: ++count, isOpen: true });
}

export function closeToast(id: number): void {
  if (current?.id === id) show({ ...current, isOpen: false });
}

export const readToast = (): ShownNotice | undefined => current;

export function onToast(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
