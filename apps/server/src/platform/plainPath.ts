/** The path that limits and headers go by, the same for every spelling of an address. */
import type { FastifyRequest } from 'fastify';

/**
 * Returns the pattern of the matched route, such as `/api/designs/:id`. An address without a route gives its path in
 * the plain spelling.
 */
export function plainPath(request: FastifyRequest): string {
  return request.routeOptions.url ?? toPlainPath(request.url);
}

/** True for `/api`, `/api/…` and the same of `/files`, given a plain path. */
export const isBelow = (folder: '/api' | '/files', path: string): boolean =>
  path === folder || path.startsWith(`${folder}/`);

/**
 * Returns the path of a request's address: without origin and query, decoded once, without empty segments and with `.`
 * and `..` resolved. A percent sign that begins no valid character stays as it is.
 */
export function toPlainPath(address: string): string {
  const [path = ''] = address.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '').split(/[?#]/);
  const segments: string[] = [];
  for (const segment of decodeEach(path).replaceAll('\\', '/').split('/')) {
    if (segment === '..') segments.pop();
    else if (segment !== '' && segment !== '.') segments.push(segment);
  }
  return `/${segments.join('/')}`;
}

/** Decodes every run of percent codes that is valid UTF-8. */
function decodeEach(path: string): string {
  return path.replace(/(?:%[0-9a-f]{2})+/gi, (codes) => {
    try {
      return decodeURIComponent(codes);
    } catch {
      return codes;
    }
  });
}
