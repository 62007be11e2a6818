/** A value that views subscribe to. */
export interface Store<T> {
  getState(): T;
  /** Calls back after each change. Returns a function that unsubscribes. */
  subscribe(listener: () => void): () => void;
}

/** Creates a store whose owner replaces the value with `setState`. */
export function createStore<T>(initial: T): Store<T> & { setState(next: T): void } {
  const listeners = new Set<() => void>();
  let state = initial;
  return {
    getState: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    setState(next) {
      state = next;
      for (const listener of listeners) listener();
    },
  };
}
