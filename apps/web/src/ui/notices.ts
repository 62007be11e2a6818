/**
 * Notices (toasts). One shows at a time, and the next one waits until it can have been read: of two events that follow
 * at once, the second does not hide the first. `Toasts` shows them.
 */

export interface Notice {
  readonly title: string;
  /** Says more than the title: what follows, or what to do. */
  readonly description: string;
  readonly variant?: 'default' | 'destructive' | undefined;
  /** True for a notice that stays open until it is closed. Others take its place at once, and it comes back after. */
  readonly staysOpen?: boolean | undefined;
  /** True for one that says what goes on: it is over when the next one comes, which takes its place at once. */
  readonly isProgress?: boolean | undefined;
}

export interface ShownNotice extends Notice {
  readonly id: number;
  readonly isOpen: boolean;
  /** True for a failure that came while the device was offline. It goes when the connection is back. */
  readonly isOffline: boolean;
}

const DURATION_MS = 5000;
const FAILURE_DURATION_MS = 8000;

/** Reading speed of a person who also looks for the notice, and the limits of the time that is reserved for it. */
const READ_MS_PER_CHARACTER = 45;
const MIN_READ_MS = 1000;
const MAX_READ_MS = 4000;
const MIN_FAILURE_READ_MS = 3000;
/** After the pointer or the focus has left a notice, the next one waits this long. */
const LEAVE_MS = 1000;

/** The most notices that wait. Of more, the oldest goes that is no failure. */
const MAX_WAITING = 3;

let current: ShownNotice | undefined;
let waiting: readonly ShownNotice[] = [];
let isRead = false;
let isHeld = false;
let readTimer: ReturnType<typeof setTimeout> | undefined;
let count = 0;
const listeners = new Set<() => void>();

/** Returns how long a notice stays open by itself. */
export function durationOf({ variant, staysOpen }: Notice): number {
  if (staysOpen) return Number.POSITIVE_INFINITY;
  return variant === 'destructive' ? FAILURE_DURATION_MS : DURATION_MS;
}

/** Returns how long a notice is safe from the next one. */
export function readingTimeOf({ title, description, variant, staysOpen, isProgress }: Notice): number {
  if (staysOpen || isProgress) return 0;
  const time = READ_MS_PER_CHARACTER * (title.length + description.length);
  return Math.min(MAX_READ_MS, Math.max(variant === 'destructive' ? MIN_FAILURE_READ_MS : MIN_READ_MS, time));
}

function set(next: ShownNotice): void {
  current = next;
  for (const listener of listeners) listener();
}

function show(next: ShownNotice): void {
  isHeld = false;
  set(next);
  startReading(readingTimeOf(next));
}

function startReading(ms: number): void {
  clearTimeout(readTimer);
  isRead = ms === 0;
  if (isRead) return;
  readTimer = setTimeout(() => {
    isRead = true;
    showNext();
  }, ms);
}

function showNext(): void {
  const [next, ...rest] = waiting;
  if (!next) return;
  waiting = rest;
  show(next);
}

function enqueue(notice: ShownNotice): void {
  const queue = [...waiting.filter((other) => !isSameText(other, notice)), notice];
  if (queue.length > MAX_WAITING) {
    const surplus = queue.findIndex(({ variant, staysOpen }) => variant !== 'destructive' && !staysOpen);
    queue.splice(Math.max(0, surplus), 1);
  }
  waiting = queue;
}

const isSameText = (a: Notice, b: Notice): boolean => a.title === b.title && a.description === b.description;

/** Shows a notice as soon as the one on screen can have been read. The same text again takes its place. */
export function toast(notice: Notice): number {
  const isOffline = notice.variant === 'destructive' && globalThis.navigator?.onLine === false;
  const next = { ...notice, id: ++count, isOpen: true, isOffline };
  waiting = waiting.filter(({ isProgress }) => !isProgress);
  if (!current?.isOpen || isSameText(current, next)) show(next);
  else if (!isRead || isHeld) enqueue(next);
  else {
    if (current.staysOpen) waiting = [current, ...waiting];
    show(next);
  }
  return next.id;
}

/** Keeps the notice on screen while the pointer or the focus is on it. */
export function holdToast(isHeldNow: boolean): void {
  if (isHeldNow === isHeld || !current?.isOpen) return;
  isHeld = isHeldNow;
  if (isHeld) clearTimeout(readTimer);
  else if (!current.staysOpen) startReading(isRead ? LEAVE_MS : readingTimeOf(current));
}

let placeNotice = 0;

/** Shows the place in the queue of a call that waits on a busy server. 0 closes the notice. */
export function showPlace(place: number): void {
  if (place === 0) {
    closeToast(placeNotice);
    return;
  }
  const description = `You are number ${place} in line.`;
  const notice = { title: 'The studio is busy', description, staysOpen: true };
  if (current?.id === placeNotice && current.isOpen) set({ ...current, ...notice });
  else if (waiting.some(({ id }) => id === placeNotice)) {
    waiting = waiting.map((other) => (other.id === placeNotice ? { ...other, ...notice } : other));
  } else placeNotice = toast(notice);
}

let pauseNotice = 0;

/** Says, while calls are tried again, that the page waits for the server. */
export function showPause(isPausing: boolean): void {
  if (!isPausing) closeToast(pauseNotice);
  else if (!isShownOrWaiting(pauseNotice)) {
    pauseNotice = toast({ title: 'One moment', description: 'The connection broke. Trying again.', staysOpen: true });
  }
}

const isShownOrWaiting = (id: number): boolean =>
  (current?.id === id && current.isOpen) || waiting.some((other) => other.id === id);

/** Closes a notice, or drops one that waits. The next one shows at once. */
export function closeToast(id: number): void {
  waiting = waiting.filter((other) => other.id !== id);
  if (current?.id !== id || !current.isOpen) return;
  clearTimeout(readTimer);
  isHeld = false;
  set({ ...current, isOpen: false });
  showNext();
}

globalThis.addEventListener?.('online', closeOfflineToasts);

/** Closes the failures of the time without a connection. */
export function closeOfflineToasts(): void {
  waiting = waiting.filter(({ isOffline }) => !isOffline);
  if (current?.isOffline) closeToast(current.id);
}

export const readToast = (): ShownNotice | undefined => current;

export function onToast(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
