const KEY = 'invitation';

/**
 * Keeps an invitation's token for this tab while its person signs in, and returns it. `null` forgets it, `undefined`
 * reads the one that is kept. A browser that refuses storage keeps none: the link in the mail is followed again then.
 */
export function takeToken(token: string | null | undefined): string | undefined {
  try {
    if (token === null) sessionStorage.removeItem(KEY);
    else if (token !== undefined) sessionStorage.setItem(KEY, token);
    return token === undefined ? (sessionStorage.getItem(KEY) ?? undefined) : (token ?? undefined);
  } catch {
    return token ?? undefined;
  }
}
