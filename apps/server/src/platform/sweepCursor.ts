/**
 * Sweeps through many things: in chunks, for a limited time, and the next run goes on where this one stopped. So a
 * sweep of a large store ends, and comes round in some hours.
 */
import { eq } from 'drizzle-orm';
import type { Context } from './context.ts';
import { sweepCursors } from './tables.ts';

const CHUNK = 200;
/** All sweeps of an hour together have less than the time of their job. */
const BUDGET_MS = 3 * 60_000;

/**
 * Passes the things of a listing to `work` in chunks, until the listing ends or the time is over. The listing is in the
 * order of keys, and begins after the key that it is given. `name` tells the sweeps apart. One server at a time runs a
 * sweep.
 */
export async function sweepInTurns<T extends { readonly key: string }>(
  { db }: Pick<Context, 'db'>,
  name: string,
  list: (after: string) => AsyncIterable<T>,
  work: (chunk: readonly T[]) => Promise<void>,
  budgetMs = BUDGET_MS,
): Promise<void> {
  const end = performance.now() + budgetMs;
  const [cursor] = await db.select().from(sweepCursors).where(eq(sweepCursors.name, name));
  let place = cursor?.after ?? '';
  const moveTo = async (after: string): Promise<void> => {
    if (after === place) return;
    place = after;
    await db
      .insert(sweepCursors)
      .values({ name, after })
      .onConflictDoUpdate({ target: sweepCursors.name, set: { after } });
  };
  let chunk: T[] = [];
  for await (const thing of list(place)) {
    chunk.push(thing);
    if (chunk.length < CHUNK) continue;
    await work(chunk);
    await moveTo(thing.key);
    chunk = [];
    if (performance.now() >= end) return;
  }
  if (chunk.length > 0) await work(chunk);
  await moveTo('');
}
