/** Background jobs as their operator sees them. */
import { sql } from 'drizzle-orm';
import { JOBS_SCHEMA } from '../platform/appRole.ts';
import type { Db } from '../platform/database.ts';

/** The jobs of one name in one state. Done ones are not listed. */
export interface JobGroup {
  readonly name: string;
  /** `created` waits for its turn, `retry` for its next try, `active` runs, `failed` is not tried again. */
  readonly state: 'created' | 'retry' | 'active' | 'failed';
  readonly count: number;
  readonly oldestAt: Date;
  /** The error message of the job that failed last. */
  readonly reason: string | null;
}

const job = sql.raw(`${JOBS_SCHEMA}.job`);
/** Queues of the library's own begin so. */
const OWN_QUEUES = '\\_\\_%';

/** Returns what waits, runs or has failed in the last hour, by name. */
export async function listJobs(db: Pick<Db, 'execute'>): Promise<JobGroup[]> {
  const { rows } = await db.execute<Record<keyof JobGroup, string>>(sql`
    select name, state::text as state, count(*) as count, min(created_on) as "oldestAt",
      (array_agg(output->>'message' order by completed_on desc nulls last))[1] as reason
    from ${job} where state in ('created', 'retry', 'active', 'failed') and name not like ${OWN_QUEUES}
    group by name, state order by name, state`);
  return rows.map(({ name, state, count, oldestAt, reason }) => ({
    ...{ name, state: state as JobGroup['state'], count: Number(count) },
    ...{ oldestAt: new Date(oldestAt), reason },
  }));
}

/** Puts failed jobs back into their queues for one more try each: all, or those of a name. Returns how many. */
export async function retryJobs(db: Pick<Db, 'execute'>, name?: string): Promise<number> {
  const { rowCount } = await db.execute(sql`
    update ${job} set state = 'retry', retry_limit = retry_limit + 1, start_after = now(), completed_on = null
    where state = 'failed' and (${name ?? null}::text is null or name = ${name ?? null})`);
  return rowCount ?? 0;
}
