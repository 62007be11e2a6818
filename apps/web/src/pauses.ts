/** Pauses of calls that are tried again after their server was lost. */

type Listener = (isPausing: boolean) => void;
const listeners = new Set<Listener>();
let count = 0;

const report = (): void => {
  for (const listener of listeners) listener(count > 0);
};

/** Says that a call waits for another attempt. Returns a function that says that it waits no more. */
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
