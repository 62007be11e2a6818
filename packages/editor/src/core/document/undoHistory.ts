/** Undo and redo of a value, by keeping whole values. Compositions are small and share their parts. */

const HISTORY_LIMIT = 500;

export interface UndoHistory<T> {
  /** Earlier values, the latest last. */
  readonly past: readonly T[];
  /** Values that were undone, the next one to redo first. */
  readonly future: readonly T[];
}

export const emptyHistory: UndoHistory<never> = { past: [], future: [] };

/** Adds an undo step that leads back to `before`. Drops what could be redone. */
export function addStep<T>({ past }: UndoHistory<T>, before: T): UndoHistory<T> {
  return { past: [...past.slice(-HISTORY_LIMIT + 1), before], future: [] };
}

/** Returns the value before `present` with the history then; undefined where there is none. */
export function undoStep<T>({ past, future }: UndoHistory<T>, present: T) {
  const value = past.at(-1);
  if (value === undefined) return undefined;
  return { value, history: { past: past.slice(0, -1), future: [present, ...future] } };
}

/** Returns the value that was undone last with the history then; undefined where there is none. */
export function redoStep<T>({ past, future }: UndoHistory<T>, present: T) {
  const [value, ...rest] = future;
  if (value === undefined) return undefined;
  return { value, history: { past: [...past, present], future: rest } };
}
