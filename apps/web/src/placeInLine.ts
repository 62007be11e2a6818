/** The place of a call that waits for its turn on a busy server: 1 is next, 0 when it waits no more. */

type Listener = (place: number) => void;
const listeners = new Set<Listener>();
let current = 0;

export const readPlace = (): number => current;

export function reportPlace(place: number): void {
  current = place;
  for (const listener of listeners) listener(place);
}

/** Returns a function that unsubscribes. */
export function onPlace(listener: Listener): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
