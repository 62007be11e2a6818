/** Counts tries in the database, so that every process and a restart know of them. */
import { inArray, lt, sql } from 'drizzle-orm';
import type { Context } from './context.ts';
import { AppError } from './errors.ts';
import { rateLimits } from './tables.ts';

export interface RateLimit {
  /** Who tries what, e.g. `login:ann@example.com`. */
  readonly key: string;
  readonly limit: number;
  readonly windowMs: number;
}

/**
 * Counts one try against each throttle in turn and throws tooMany, with the seconds to wait, at the first that is used
 * up: what is refused by a narrow one uses up nothing of the wider ones after it. Counting comes before the work that is
 * throttled, so parallel tries cannot slip past together.
 */
export async function enforceRateLimits(context: Context, list: readonly RateLimit[]): Promise<void> {
  for (const throttle of list) {
    const waitMs = await count(context, throttle);
    if (waitMs > 0) throw rateLimitReached(waitMs);
  }
}

/** Counts one try and gives how long to wait, 0 for not at all. */
async function count(context: Context, { key, limit, windowMs }: RateLimit): Promise<number> {
  const now = context.now();
  const endsAt = new Date(now.getTime() + windowMs);
  const isOver = lt(rateLimits.endsAt, now);
  const [row] = await context.db
    .insert(rateLimits)
    .values({ key, count: 1, endsAt })
    .onConflictDoUpdate({
      target: rateLimits.key,
      set: {
        count: sql`case when ${isOver} then 1 else ${rateLimits.count} + 1 end`,
        endsAt: sql`case when ${isOver} then excluded.ends_at else ${rateLimits.endsAt} end`,
      },
    })
    .returning();
  return row && row.count > limit ? Math.max(1, row.endsAt.getTime() - now.getTime()) : 0;
}

function rateLimitReached(waitMs: number): AppError {
  const minutes = Math.ceil(waitMs / 60_000);
  return new AppError('tooMany', `Too many tries. Please wait ${minutes === 1 ? 'a minute' : `${minutes} minutes`}.`, {
    retryAfterSeconds: Math.ceil(waitMs / 1000),
  });
}

/** Forgets the tries counted so far: whoever made them has proven to be the owner. */
export async function resetRateLimits(context: Context, list: readonly RateLimit[]): Promise<void> {
  const keys = list.map(({ key }) => key);
  await context.db.delete(rateLimits).where(inArray(rateLimits.key, keys));
}

/** Removes windows that have ended. */
export async function sweepRateLimits(context: Context): Promise<void> {
  await context.db.delete(rateLimits).where(lt(rateLimits.endsAt, context.now()));
}
