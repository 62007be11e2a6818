/** Where to go after signing in: a page of this site, or the landing page. Another site's address is never followed. */
export function readNext(next: unknown): string {
  if (typeof next !== 'string' || !next.startsWith('/') || next.startsWith('/auth')) return '/';
  const base = 'https://here.invalid';
  try {
    const url = new URL(next, base);
    return url.origin === base ? `${url.pathname}${url.search}` : '/';
  } catch {
    return '/';
  }
}
