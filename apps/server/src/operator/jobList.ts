/** Background jobs as their operator sees them. */
import { sql } from 'drizzle-orm';
import type { Db } from '../platform/database.ts';
import { backgroundJobs as job } from '../platform/tables.ts';

/** The jobs of one name in one state. Done ones are not listed. */
export interface JobGroup {
  readonly name: string;
  /** `waiting` for its turn, `retry` for its next try; `failed` is not tried again. */
  readonly state: 'waiting' | 'retry' | 'running' | 'failed';
  readonly count: number;
  readonly oldestAt: Date;
  /** The error message of the job that failed last. */
  readonly reason: string | null;
}

/** Returns what waits, runs or has failed in the last day, by name. */
export async function listJobs(db: Pick<Db, 'execute'>): Promise<JobGroup[]> {
  const { rows } = await db.execute<Record<Exclude<keyof JobGroup, 'state'> | 'shownState', string>>(sql`
    select name, case when state = 'waiting' and reason is not null then 'retry' else state end as "shownState",
      count(*) as count, min(created_at) as "oldestAt",
      (array_agg(reason order by ended_at desc nulls last))[1] as reason
    from ${job} where state <> 'done' group by name, "shownState" order by name, "shownState"`);
  return rows.map(({ name, shownState, count, oldestAt, reason }) => ({
    ...{ name, state: shownState as JobGroup['state'], count: Number(count) },
    ...{ oldestAt: new Date(oldestAt), reason },
  }));
}

/** Puts failed jobs back into their queues for one more try each: all, or those of a name. Returns how many. */
export async function retryJobs(db: Pick<Db, 'execute'>, name?: string): Promise<number> {
  const { rowCount } = await db.execute(sql`
    update ${job} set state = 'waiting', run = run - 1, start_at = now(), ended_at = null
    where state = 'failed' and (${name ?? null}::text is null or name = ${name ?? null})`);
  return rowCount ?? 0;
}
