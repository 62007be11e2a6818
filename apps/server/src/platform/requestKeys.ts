/**
 * Idempotency keys of requests that make something. The key is taken in the transaction that makes the thing, so a
 * request whose answer was lost finds the thing when it is sent again, at any server, and makes no second one.
 */
import { and, eq, lt } from 'drizzle-orm';
import type { Context } from './context.ts';
import type { Transaction } from './database.ts';
import { AppError } from './errors.ts';
import type { RequestKey } from './idempotencyKey.ts';
import type { Actor } from './mount.ts';
import { ownerOf } from './ownership.ts';
import { requestKeys } from './tables.ts';

/** Takes the key for what a transaction makes. `remark` is what the answer said beside the thing. */
export type TakeKey = (tx: Transaction, madeId: string, remark?: string) => Promise<void>;

/** Longer than any client tries again. */
const KEEP_MS = 24 * 60 * 60 * 1000;

/**
 * Runs `make` once for a key: a request that comes again, also while the first one is under way, gets what `find`
 * returns for the thing that was made. `make` must take the key in its transaction. Throws unprocessable for another
 * body with the same key, conflict when the thing is not there any more, and what `make` throws. A failure takes no
 * key.
 */
export async function makeOnce<T>(
  context: Context,
  actor: Actor,
  key: RequestKey | undefined,
  {
    make,
    find,
  }: { make(take: TakeKey): Promise<T>; find(madeId: string, remark: string | null): Promise<T | undefined> },
): Promise<T> {
  if (!key) return make(async () => {});
  const owner = ownerOf(actor);
  const findMade = async (): Promise<{ thing: T } | undefined> => {
    const row = await readMade(context, owner, key);
    if (!row) return undefined;
    const thing = await find(row.madeId, row.remark);
    if (thing === undefined) throw new AppError('conflict', 'What was sent here with this key is not there any more.');
    return { thing };
  };
  const earlier = await findMade();
  if (earlier) return earlier.thing;
  try {
    return await make((tx, madeId, remark) => takeKey(tx, { owner, ...key, madeId, remark, createdAt: context.now() }));
  } catch (error) {
    // Another server was quicker with the same request: its key, its name or the last place is taken.
    const meanwhile = error instanceof AppError ? await findMade() : undefined;
    if (meanwhile) return meanwhile.thing;
    throw error;
  }
}

async function readMade(context: Context, owner: string, { call, key, digest }: RequestKey) {
  const [row] = await context.db
    .select()
    .from(requestKeys)
    .where(and(eq(requestKeys.owner, owner), eq(requestKeys.call, call), eq(requestKeys.key, key)));
  if (row && row.digest !== digest) {
    throw new AppError('unprocessable', 'Something else was sent with this key before. Use a new key for a new thing.');
  }
  return row;
}

/** Waits for a transaction that takes the same key. Throws conflict when that one has made its thing. */
async function takeKey(tx: Transaction, row: typeof requestKeys.$inferInsert): Promise<void> {
  const { rowCount } = await tx.insert(requestKeys).values(row).onConflictDoNothing();
  if (!rowCount) throw new AppError('conflict', 'The same was sent twice at once.');
}

/** Deletes keys after a day. */
export async function sweepRequestKeys({ db, now }: Context): Promise<void> {
  await db.delete(requestKeys).where(lt(requestKeys.createdAt, new Date(now().getTime() - KEEP_MS)));
}
