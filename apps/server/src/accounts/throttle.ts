/** Counts tries in the database, so that every process and a restart know of them. */
import { lt, sql } from 'drizzle-orm';
import type { Deps } from '../deps.ts';
import { AppError } from '../platform/errors.ts';
import { throttles } from '../platform/schema.ts';

export interface Throttle {
  /** Who tries what, e.g. `login:ann@example.com`. */
  readonly key: string;
  readonly limit: number;
  readonly windowMs: number;
}

/**
 * Counts one try against each throttle and throws tooMany, with the seconds to wait, when one of them is used up.
 * Counting comes before the work that is throttled, so parallel tries cannot slip past together.
 */
export async function countTry(deps: Deps, list: readonly Throttle[]): Promise<void> {
  const now = deps.now();
  let waitMs = 0;
  for (const { key, limit, windowMs } of list) {
    const endsAt = new Date(now.getTime() + windowMs);
    const isOver = lt(throttles.endsAt, now);
    const [row] = await deps.db
      .insert(throttles)
      .values({ key, count: 1, endsAt })
      .onConflictDoUpdate({
        target: throttles.key,
        set: {
          count: sql`case when ${isOver} then 1 else ${throttles.count} + 1 end`,
          endsAt: sql`case when ${isOver} then excluded.ends_at else ${throttles.endsAt} end`,
        },
      })
      .returning();
    if (row && row.count > limit) waitMs = Math.max(waitMs, row.endsAt.getTime() - now.getTime());
  }
  if (waitMs > 0) {
    const minutes = Math.ceil(waitMs / 60_000);
    throw new AppError('tooMany', `Too many tries. Please wait ${minutes === 1 ? 'a minute' : `${minutes} minutes`}.`, {
      retryAfterSeconds: Math.ceil(waitMs / 1000),
    });
  }
}

/** Forgets the tries counted under a key: the right password was given. */
export async function forgetTries(deps: Deps, key: string): Promise<void> {
  await deps.db.delete(throttles).where(sql`${throttles.key} = ${key}`);
}

/** Removes windows that have ended. */
export async function sweepThrottles(deps: Deps): Promise<void> {
  await deps.db.delete(throttles).where(lt(throttles.endsAt, deps.now()));
}
