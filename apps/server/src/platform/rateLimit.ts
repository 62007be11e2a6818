/**
 * Rate limits, kept in the database, so that every server and a restart know of them:
 *
 * - fixed windows: at most `limit` tries in a window of time, refused beyond it (`enforceRateLimits`);
 * - a minimum interval: one call after another, for callers who may wait a little (`reserveSlot`);
 * - budgets: what calls cost, known only afterwards, over a sliding window (`readDebt`, `chargeBudgets`).
 *
 * How many calls of any kind one network may make a minute, `callCounter.ts` counts: it asks the database for busy
 * networks alone.
 */
import { eq, inArray, lt, sql } from 'drizzle-orm';
import type { Context } from './context.ts';
import { AppError } from './errors.ts';
import { rateLimits, tracePacing } from './tables.ts';

type RateLimitContext = Pick<Context, 'db' | 'now'>;

/** At most `limit` tries in a window of time. */
export interface RateLimit {
  /** The caller and the action, e.g. `login:ann@example.com`. */
  readonly key: string;
  readonly limit: number;
  readonly windowMs: number;
}

/**
 * Counts one try against each limit in turn. Throws tooMany, with the seconds to wait, at the first limit that is
 * reached; the limits after it do not count the try, so put the narrow ones first. Call it before the work that is
 * limited: tries that run in parallel then cannot pass a limit together.
 */
export async function enforceRateLimits(context: Context, limits: readonly RateLimit[]): Promise<void> {
  for (const limit of limits) {
    const waitMs = await countTry(context, limit);
    if (waitMs > 0) throw rateLimitReached(waitMs);
  }
}

/** Counts one try, and returns true while the limit is not reached. */
export async function isWithinRateLimit(context: RateLimitContext, limit: RateLimit): Promise<boolean> {
  return (await countTry(context, limit)) === 0;
}

/** Counts one try and returns how long to wait, in ms; 0 while the limit is not reached. */
async function countTry(context: RateLimitContext, { limit, ...window }: RateLimit): Promise<number> {
  const { count, endsAt } = await addTries(context, window, 1);
  return count > limit ? Math.max(1, endsAt.getTime() - context.now().getTime()) : 0;
}

/** Adds tries to a window, which begins with them when there is none. Returns all tries in it, and its end. */
export async function addTries(
  context: RateLimitContext,
  { key, windowMs }: Omit<RateLimit, 'limit'>,
  amount: number,
): Promise<{ readonly count: number; readonly endsAt: Date }> {
  const now = context.now();
  const endsAt = new Date(now.getTime() + windowMs);
  const isOver = lt(rateLimits.endsAt, now);
  const [row] = await context.db
    .insert(rateLimits)
    .values({ key, count: amount, endsAt })
    .onConflictDoUpdate({
      target: rateLimits.key,
      set: {
        count: sql`case when ${isOver} then ${amount} else ${rateLimits.count} + ${amount} end`,
        endsAt: sql`case when ${isOver} then excluded.ends_at else ${rateLimits.endsAt} end`,
      },
    })
    .returning();
  return row!;
}

function rateLimitReached(waitMs: number): AppError {
  const minutes = Math.ceil(waitMs / 60_000);
  return new AppError('tooMany', `Too many tries. Please wait ${minutes === 1 ? 'a minute' : `${minutes} minutes`}.`, {
    retryAfterSeconds: Math.ceil(waitMs / 1000),
  });
}

/** Clears the counted tries: the person who made them has proven to be the owner. */
export async function resetRateLimits(context: Context, limits: readonly RateLimit[]): Promise<void> {
  const keys = limits.map(({ key }) => key);
  await context.db.delete(rateLimits).where(inArray(rateLimits.key, keys));
}

/**
 * Reserves the caller's next slot if it is due, in one statement and by the database's clock, and sets the one after it
 * `intervalMs` later. Returns 0 then, else the milliseconds until the slot is due; nothing is reserved in that case.
 */
export async function reserveSlot(context: Context, caller: string, intervalMs: number): Promise<number> {
  const nextAt = sql`clock_timestamp() + ${intervalMs} * interval '1 millisecond'`;
  const rows = await context.db
    .insert(tracePacing)
    .values({ caller, nextAt })
    .onConflictDoUpdate({
      target: tracePacing.caller,
      set: { nextAt },
      setWhere: sql`${tracePacing.nextAt} <= clock_timestamp()`,
    })
    .returning({ caller: tracePacing.caller });
  if (rows.length > 0) return 0;
  const [row] = await context.db
    .select({ waitMs: sql<number>`extract(epoch from ${tracePacing.nextAt} - clock_timestamp())::float8 * 1000` })
    .from(tracePacing)
    .where(eq(tracePacing.caller, caller));
  return Math.max(1, Math.ceil(row?.waitMs ?? 1));
}

/** An amount of something, e.g. milliseconds of processor time, that may be used in a window of time. */
export interface Budget {
  /** The user and the thing used, e.g. `processor user:7`. */
  readonly key: string;
  readonly amount: number;
  readonly windowMs: number;
}

/**
 * Returns the most that is used of any of the budgets. Throws tooMany with the time to wait when one of them is used
 * up.
 *
 * A budget is a leaky bucket (GCRA): what was used drains evenly, a whole budget in one window. The one stored value is
 * the moment at which all of it has drained, in `endsAt`.
 */
export async function readDebt(context: RateLimitContext, budgets: readonly Budget[]): Promise<number> {
  if (budgets.length === 0) return 0;
  const keys = budgets.map(({ key }) => key);
  const rows = await context.db.select().from(rateLimits).where(inArray(rateLimits.key, keys));
  const now = context.now().getTime();
  let debt = 0;
  for (const { key, amount, windowMs } of budgets) {
    const drainMs = (rows.find((row) => row.key === key)?.endsAt.getTime() ?? now) - now;
    if (drainMs >= windowMs) throw budgetUsedUp(drainMs - windowMs + DRAIN_SOME_MS);
    debt = Math.max(debt, (drainMs / windowMs) * amount);
  }
  return debt;
}

/**
 * Adds a cost, in the unit of the budgets' amounts, to what is used of each budget, even when that is more than there
 * is left.
 */
export async function chargeBudgets(
  context: RateLimitContext,
  budgets: readonly Budget[],
  cost: number,
): Promise<void> {
  const now = context.now();
  // Always in this order, so that two charges never wait for each other.
  for (const { key, amount, windowMs } of [...budgets].sort((a, b) => (a.key < b.key ? -1 : 1))) {
    const drainMs = Math.ceil((cost / amount) * windowMs);
    await context.db
      .insert(rateLimits)
      .values({ key, count: 1, endsAt: new Date(now.getTime() + drainMs) })
      .onConflictDoUpdate({
        target: rateLimits.key,
        set: {
          count: sql`${rateLimits.count} + 1`,
          endsAt: sql`greatest(${rateLimits.endsAt}, ${now.toISOString()}::timestamptz) + ${drainMs} * interval '1 millisecond'`,
        },
      });
  }
}

/** A caller who used up a budget waits until a usable part of it is there again, not for the first millisecond. */
const DRAIN_SOME_MS = 10_000;

function budgetUsedUp(waitMs: number): AppError {
  const minutes = Math.ceil(waitMs / 60_000);
  return new AppError(
    'tooMany',
    'Your pictures took much work in the last minutes. ' +
      `Please try again in ${minutes === 1 ? 'a minute' : `${minutes} minutes`}.`,
    { retryAfterSeconds: Math.ceil(waitMs / 1000) },
  );
}

/** Deletes windows that have ended, and the slots of callers without a call for an hour. */
export async function sweepRateLimits(context: Context): Promise<void> {
  await context.db.delete(rateLimits).where(lt(rateLimits.endsAt, context.now()));
  await context.db.delete(tracePacing).where(sql`${tracePacing.nextAt} < clock_timestamp() - interval '1 hour'`);
}
