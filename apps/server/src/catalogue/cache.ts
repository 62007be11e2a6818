/**
 * Caches what is read from the base catalogue. Triggers renew the catalogue's revision in the transaction of each
 * change, whichever server or program makes the change. Each use of the cache reads the revision, so it never returns
 * what a change before it made wrong. Only values of the present revision are kept.
 */
import { coalesce } from '../platform/coalesce.ts';
import type { Context } from '../platform/context.ts';
import { loadOnce } from '../platform/loadOnce.ts';
import { catalogueRevision } from './tables.ts';

/** Reads one value from the base catalogue. It is declared once, because the function itself is the key. */
type Load<T> = (context: Context) => Promise<T>;

interface Cache {
  readonly readRevision: () => Promise<string | undefined>;
  revision: string | undefined;
  values: Map<Load<unknown>, () => Promise<unknown>>;
}

const caches = new WeakMap<Context, Cache>();

/**
 * Returns what `load` returns at the present revision of the base catalogue, and calls it once for each revision.
 * Callers share the value, so they must not change it. A failure is not kept.
 */
export async function loadAtRevision<T>(context: Context, load: Load<T>): Promise<T> {
  const cache = cacheOf(context);
  const revision = await cache.readRevision();
  // Without a revision nothing tells of changes.
  if (revision === undefined) return load(context);
  if (cache.revision !== revision) {
    cache.revision = revision;
    cache.values = new Map();
  }
  const once = (cache.values.get(load) as (() => Promise<T>) | undefined) ?? loadOnce(() => load(context));
  cache.values.set(load, once);
  // A value that is loaded after the revision was read is at least as new as the revision.
  return once();
}

function cacheOf(context: Context): Cache {
  const existing = caches.get(context);
  if (existing) return existing;
  const cache: Cache = { readRevision: coalesce(() => readRevision(context)), revision: undefined, values: new Map() };
  caches.set(context, cache);
  return cache;
}

async function readRevision(context: Context): Promise<string | undefined> {
  const [row] = await context.db.select().from(catalogueRevision);
  return row?.revision;
}
