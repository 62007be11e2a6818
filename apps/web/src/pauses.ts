/** Pauses of calls that are tried again after their server was lost. */

type Listener = (isPausing: boolean) => void;
const listeners = new Set<Listener>();
let count = 0;

const report = (): void => {
  for (const listener of listeners) listener(count > 0);
};

/** Reports that a call waits for its next attempt. Returns a function that reports the end of the wait. */
export function reportPause(): () => void {
  count++;
  report();
  return () => {
    count--;
    report();
  };
}

/** Returns a function that unsubscribes. */
export function onPause(listener: Listener): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
