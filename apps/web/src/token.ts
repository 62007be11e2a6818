/** The bearer token in local storage. Everything that shows a token's owner listens here. */

const KEY = 'authToken';
const listeners = new Set<() => void>();
/**
 * Stands in for a storage the browser refuses (private windows, blocked cookies): the sign-in then lasts for the page.
 */
let memoryToken: string | null = null;

export function readToken(): string | null {
  try {
    return localStorage.getItem(KEY) ?? memoryToken;
  } catch {
    return memoryToken;
  }
}

/** Stores a token, or removes it with `null`, and tells the listeners of this tab. */
export function writeToken(token: string | null): void {
  memoryToken = token;
  try {
    if (token === null) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, token);
  } catch {
    // Kept in memory above.
  }
  for (const listener of listeners) listener();
}

/** Calls the listener on every change of the token, in this tab or another. Returns a function that unsubscribes. */
export function onTokenChange(listener: () => void): () => void {
  // A cleared storage arrives with a null key.
  const onStorage = (event: StorageEvent) => {
    if (event.key !== KEY && event.key !== null) return;
    memoryToken = null;
    listener();
  };
  listeners.add(listener);
  globalThis.addEventListener('storage', onStorage);
  return () => {
    listeners.delete(listener);
    globalThis.removeEventListener('storage', onStorage);
  };
}
