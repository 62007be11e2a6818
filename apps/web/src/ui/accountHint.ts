/**
 * The name and the links that the bar last showed for the account, kept on the device beside the token. The bar shows
 * them from the first paint of the next visit, so that no link moves when the account has been read.
 */
import { readToken } from '../token.ts';

export interface AccountHint {
  readonly username: string;
  readonly isAdmin: boolean;
  readonly hasOrders: boolean;
  /** Orders that wait for this person. */
  readonly waiting: number;
}

const KEY = 'accountHint';

/** Returns what was kept for the account that is signed in; undefined when there is none, or none that can be read. */
export function readAccountHint(): AccountHint | undefined {
  try {
    const text = localStorage.getItem(KEY);
    if (text === null) return undefined;
    if (readToken() === null) {
      localStorage.removeItem(KEY); // whose account it was, is nobody's business any more
      return undefined;
    }
    const { username, isAdmin, hasOrders, waiting } = JSON.parse(text) as Record<string, unknown>;
    if (typeof username !== 'string' || typeof waiting !== 'number') return undefined;
    return { username, isAdmin: isAdmin === true, hasOrders: hasOrders === true, waiting };
  } catch {
    return undefined;
  }
}

/** Keeps what the bar says now. Without storage, its links move once when the account has been read. */
export function keepAccountHint(hint: AccountHint): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(hint));
  } catch {
    // As said.
  }
}

/** Forgets the account, after signing out. */
export function forgetAccountHint(): void {
  try {
    localStorage.removeItem(KEY);
  } catch {
    // Nothing was kept.
  }
}
