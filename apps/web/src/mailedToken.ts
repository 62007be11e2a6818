/**
 * Tokens that come in a mail's link. They are taken out of the address bar at once, so that no copied link holds one.
 */

/** Returns the token of the address, after `?` or `#`. */
export function readMailedToken({ search, hash }: Pick<Location, 'search' | 'hash'>): string | undefined {
  return (
    new URLSearchParams(search).get('token')?.trim() ||
    new URLSearchParams(hash.replace(/^#/, '')).get('token')?.trim() ||
    undefined
  );
}

/**
 * Leaves the page's address without what stood behind its path. A link that is opened in the same tab then differs only
 * behind its `#`, for which browsers load nothing: the page is loaded again for its token. Returns a function that
 * stops watching for one.
 */
export function hideMailedToken(): () => void {
  if (location.search || location.hash) history.replaceState(history.state, '', location.pathname);
  const loadAgain = (): void => {
    if (readMailedToken(location)) location.reload();
  };
  addEventListener('hashchange', loadAgain);
  return () => removeEventListener('hashchange', loadAgain);
}

/** Returns the token in pasted text: the text itself, or the token of the link it came in. */
export function readPastedToken(input: string): string {
  const text = input.trim();
  try {
    return readMailedToken(new URL(text)) ?? text;
  } catch {
    return text;
  }
}
