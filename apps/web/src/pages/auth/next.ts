/**
 * Returns the page to go to after signing in: a page of this site, or the landing page. Never returns an address of
 * another site, nor one that leads back to signing in.
 */
export function readNext(next: unknown): string {
  if (typeof next !== 'string' || !next.startsWith('/')) return '/';
  const base = 'https://here.invalid';
  try {
    const { origin, pathname, search } = new URL(next, base);
    // Dot segments can leave two slashes at the front, which a browser takes for another host.
    const isPage = origin === base && !pathname.startsWith('//') && !/^\/auth(\/|$)/.test(pathname);
    return isPage ? `${pathname}${search}` : '/';
  } catch {
    return '/';
  }
}
