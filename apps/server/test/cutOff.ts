/** A server that loses its database, for tests of what the others do then. */
import type { Db } from '../src/platform/database.ts';

/** Returns the database as one server sees it. While that one is cut off, its queries fail: it does not know why. */
export function withCut(database: Db): { readonly db: Db; cut(isOff: boolean): void } {
  let isCut = false;
  const db = new Proxy(database, {
    get(target, key: keyof Db) {
      if (isCut && (key === 'execute' || key === 'transaction')) return () => Promise.reject(new Error('cut off'));
      const value = target[key];
      return typeof value === 'function' ? (value as () => unknown).bind(target) : value;
    },
  });
  return {
    db,
    cut(isOff) {
      isCut = isOff;
    },
  };
}
