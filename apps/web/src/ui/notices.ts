/** Notices (toasts): one at a time. `Toasts` shows them. */

export interface Notice {
  readonly title: string;
  readonly description?: string | undefined;
  readonly variant?: 'default' | 'destructive' | undefined;
  /** True for a notice that stays open until it is closed. */
  readonly staysOpen?: boolean | undefined;
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

/** Shows a notice in place of the one on screen. Returns its id. */
export function toast(notice: Notice): number {
  show({ ...notice, id: ++count, isOpen: true });
  return count;
}

let placeNotice = 0;

/** Shows the place in the queue of a call that waits on a busy server. 0 closes the notice. */
export function showPlace(place: number): void {
  if (place === 0) closeToast(placeNotice);
  else {
    const description = `You are number ${place} in line.`;
    placeNotice = toast({ title: 'The studio is busy', description, staysOpen: true });
  }
}

export function closeToast(id: number): void {
  if (current?.id === id) show({ ...current, isOpen: false });
}

export const readToast = (): ShownNotice | undefined => current;

export function onToast(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
