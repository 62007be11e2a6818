/** One trace after another: how soon a caller may ask the vectorizer again, kept in the database for all servers. */
import { setTimeout as wait } from 'node:timers/promises';
import type { VectorizerMode } from '@markwright/contract';
import { eq, sql } from 'drizzle-orm';
import type { Context } from '../platform/context.ts';
import { AppError } from '../platform/errors.ts';
import type { Actor } from '../platform/mount.ts';
import { ownerOf } from '../platform/ownership.ts';
import { tracePacing } from './tables.ts';

/** Longer than this nobody is kept waiting. */
const MAX_WAIT_MS = 4_000;

/**
 * Takes the caller's next turn, waiting for it when it is near. Nothing is taken before it is due, so a caller who goes
 * away meanwhile leaves the turn to the next request. Throws tooMany with the seconds to wait, and the signal's reason.
 */
export async function paceTrace(
  context: Context,
  actor: Actor,
  mode: VectorizerMode,
  signal: AbortSignal,
): Promise<void> {
  const paceMs = context.vectorizerPaceMs[mode];
  if (paceMs === 0) return;
  const waitsUntil = performance.now() + MAX_WAIT_MS;
  for (;;) {
    signal.throwIfAborted();
    const waitMs = await reserveSlot(context, ownerOf(actor), paceMs);
    if (waitMs === 0) return;
    if (performance.now() + waitMs > waitsUntil) throw tooSoon(waitMs);
    await wait(waitMs, undefined, { signal }).catch(() => signal.throwIfAborted());
  }
}

/** Takes the turn in one statement if it is due, by the database's clock; gives 0 then, else the milliseconds until it is. */
async function reserveSlot(context: Context, caller: string, paceMs: number): Promise<number> {
  const nextAt = sql`clock_timestamp() + ${paceMs} * interval '1 millisecond'`;
  const taken = await context.db
    .insert(tracePacing)
    .values({ caller, nextAt })
    .onConflictDoUpdate({
      target: tracePacing.caller,
      set: { nextAt },
      setWhere: sql`${tracePacing.nextAt} <= clock_timestamp()`,
    })
    .returning({ caller: tracePacing.caller });
  if (taken.length > 0) return 0;
  const [row] = await context.db
    .select({ waitMs: sql<number>`extract(epoch from ${tracePacing.nextAt} - clock_timestamp())::float8 * 1000` })
    .from(tracePacing)
    .where(eq(tracePacing.caller, caller));
  return Math.max(1, Math.ceil(row?.waitMs ?? 1));
}

function tooSoon(waitMs: number): AppError {
  const seconds = Math.ceil(waitMs / 1000);
  return new AppError(
    'tooMany',
    `Several of your pictures are being traced already. Please try again in ${seconds === 1 ? 'a second' : `${seconds} seconds`}.`,
    { retryAfterSeconds: seconds },
  );
}

/** Forgets callers who have not asked for an hour. */
export async function sweepTracePacing(context: Context): Promise<void> {
  await context.db.delete(tracePacing).where(sql`${tracePacing.nextAt} < clock_timestamp() - interval '1 hour'`);
}
