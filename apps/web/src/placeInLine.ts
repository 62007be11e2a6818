/** The place of a call that waits for its turn on a busy server: 1 is next, 0 when it waits no more. */

type Listener = (place: number) => void;
const listeners = new Set<Listener>();

export function reportPlace(place: number): void {
  for (const listener of listeners) listener(place);
}

/** Returns a function that unsubscribes. */
export function onPlace(listener: Listener): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
