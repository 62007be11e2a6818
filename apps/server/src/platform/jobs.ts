/**
 * The queue of background jobs, as rows of `background_jobs`: work that nobody waits for. One of the servers does it,
 * and another one when that ends in the middle. Who works on a row, `leases.ts` says.
 */
import { randomBytes } from 'node:crypto';
import { type SQL, sql } from 'drizzle-orm';
import type { Logger } from 'pino';
import { createAttempts } from './attempts.ts';
import { coalesce } from './coalesce.ts';
import type { Db } from './database.ts';
import { newId } from './ids.ts';
import { createLeases, isFree, LEASE_MS, NOW, type RunKey } from './leases.ts';
import type { Listener, Notifications } from './notifications.ts';
import { noSpans, type Spans } from './spans.ts';
import { backgroundJobs as table } from './tables.ts';

/** A kind of background job. A run may be repeated after a crash, so it must be idempotent. */
export interface Job {
  readonly name: string;
  /**
   * The job runs once for all servers at the beginning of each minute or hour, or up to 15 s later; it also runs when a
   * server starts.
   */
  readonly each?: 'minute' | 'hour';
  /** The number of parallel runs on one server. Default 1. */
  readonly parallel?: number;
  /** A run that takes longer counts as failed. Default 300. */
  readonly limitSeconds?: number;
  /** The number of retries of a failed run, after 10 s, then twice as long each time. Default 2. */
  readonly retries?: number;
  /**
   * Runs the job. The signal is aborted when the server stops, when the time is over, or when another server has taken
   * the job over: start nothing new then. Errors are logged.
   */
  run(data: object, signal: AbortSignal): Promise<void>;
}

/** A connection or a running transaction: with the latter, the job begins after the commit or not at all. */
type Writer = Pick<Db, 'execute'>;

/** The queue of background jobs in the database. */
export interface Jobs {
  /** Queues a run. It begins within milliseconds of the commit, within about two seconds if the message is lost. */
  send(writer: Writer, name: string, data?: object): Promise<void>;
  /** Starts to run these jobs on this server. Throws when the database cannot be reached. */
  start(jobs: readonly Job[]): Promise<void>;
  /**
   * Starts no new job, lets running jobs end within `graceMs` and puts the others back into the queue. Call it before
   * the database is closed.
   */
  stop(graceMs: number): Promise<void>;
}

interface JobsSettings {
  readonly db: Db;
  readonly listen: Notifications['listen'];
  readonly log: Logger;
  readonly spans?: Spans;
  readonly leaseMs?: number;
}

interface ClaimRow extends RunKey {
  readonly name: string;
  readonly data: object;
}

interface OwnRun extends RunKey {
  readonly job: Job;
  readonly abortion: AbortController;
  end: Promise<void>;
}

const WORK_CHANNEL = 'background_work';
/** A message may be lost, and a retry is due at some time: so often the rows are looked at. */
const LOOK_MS = 2_000;
const CLOCK_MS = 15_000;
const RETRIES = 2;
const LIMIT_SECONDS = 300;

/** Opens the queue. Sends no query before the first job is sent or started. */
export function openJobs({ db, listen, log, spans = noSpans, leaseMs = LEASE_MS }: JobsSettings): Jobs {
  const { claim, giveBack, isHeld, isOurs, leaseEnd } = createLeases(table, randomBytes(8).toString('hex'), leaseMs);
  const { attempt, settle } = createAttempts(log, 'the queue of background jobs cannot be reached');
  const stopping = new AbortController();
  const runs = new Map<string, OwnRun>();
  let jobs: readonly Job[] = [];
  let listener: Listener | undefined;
  let timers: readonly NodeJS.Timeout[] = [];

  const countRuns = (job: Job): number => [...runs.values()].filter((run) => run.job === job).length;

  /** Claims jobs while this server may run more of them. */
  const fill = coalesce(async () => {
    while (!stopping.signal.aborted) {
      const free = jobs.filter((job) => countRuns(job) < (job.parallel ?? 1));
      const row = free.length > 0 ? await attempt(() => claimNext(free)) : undefined;
      if (!row) return;
      const job = free.find(({ name }) => name === row.name)!;
      if (stopping.signal.aborted) await attempt(() => putBack(row));
      else begin(job, row);
    }
  });

  async function claimNext(free: readonly Job[]): Promise<ClaimRow | undefined> {
    const { rows } = await db.execute(sql`
      update ${table} set ${claim} where id = (
        select id from ${table} where ${mayRun(free)} and ${isFree(table)} and start_at <= ${NOW}
        order by start_at, created_at limit 1 for update skip locked)
      returning id, run, name, data`);
    return rows[0] as unknown as ClaimRow | undefined;
  }

  function begin(job: Job, row: ClaimRow): void {
    const own: OwnRun = { id: row.id, run: row.run, job, abortion: new AbortController(), end: Promise.resolve() };
    runs.set(row.id, own);
    own.end = perform(own, row.data).finally(() => {
      if (runs.get(row.id) === own) runs.delete(row.id);
      void fill();
    });
  }

  /** Runs a job, and writes how it ended. Does not throw. */
  async function perform(own: OwnRun, data: object): Promise<void> {
    const { job, abortion } = own;
    try {
      const signal = AbortSignal.any([stopping.signal, abortion.signal]);
      await spans.root(`job ${job.name}`, {}, () => withinTime(job, abortion, job.run(data, signal)));
      await attempt(() =>
        db.execute(sql`update ${table} set state = 'done', data = '{}', ended_at = ${NOW} where ${isHeld(own)}`),
      );
    } catch (error) {
      log.error({ err: error, job: job.name }, 'a job failed');
      // Another server does what this one breaks off.
      await attempt(() => (stopping.signal.aborted ? putBack(own) : fail(own, error)));
    }
  }

  async function putBack(own: RunKey): Promise<void> {
    await db.execute(
      sql`update ${table} set ${giveBack} where ${isHeld(own)} returning pg_notify(${WORK_CHANNEL}::text, '')`,
    );
  }

  async function fail(own: OwnRun, error: unknown): Promise<void> {
    const reason = error instanceof Error ? error.message : String(error);
    const next =
      own.run <= (own.job.retries ?? RETRIES)
        ? sql`state = 'waiting', start_at = ${NOW} + ${10 * 2 ** (own.run - 1)} * interval '1 second'`
        : sql`state = 'failed', ended_at = ${NOW}`;
    await db.execute(sql`update ${table} set ${next}, reason = ${reason} where ${isHeld(own)}`);
  }

  async function renew(): Promise<void> {
    const before = [...runs.values()];
    if (before.length === 0) return;
    const ids = sql.param(before.map(({ id }) => id));
    const result = await attempt(() =>
      db.execute(sql`update ${table} set holder_lease_until = ${leaseEnd}
        where ${isOurs} and id = any(${ids}::text[]) returning id, run`),
    );
    const rows = result?.rows as unknown as RunKey[] | undefined;
    for (const own of rows ? before : []) {
      if (!rows!.some(({ id, run }) => id === own.id && run === own.run)) own.abortion.abort();
    }
  }

  async function tick(): Promise<void> {
    await attempt(() => queueScheduled(db, jobs, sql`slot >= date_trunc(clock.unit, ${NOW}, 'UTC')`));
    await attempt(() => tidy(db, jobs));
    await attempt(() => takeOver(db, jobs));
  }

  return {
    async send(writer, name, data = {}) {
      await writer.execute(sql`
        insert into ${table} (id, name, data) values (${newId()}, ${name}, ${JSON.stringify(data)}::jsonb)
        returning pg_notify(${WORK_CHANNEL}::text, '')`);
    },

    async start(newJobs) {
      await queueScheduled(db, newJobs, sql`slot is not null and created_at > ${NOW} - interval '1 minute'`);
      jobs = newJobs;
      listener = listen([WORK_CHANNEL], () => void fill());
      timers = [
        setInterval(() => void fill(), LOOK_MS),
        setInterval(() => void renew(), leaseMs / 3),
        setInterval(() => void tick(), CLOCK_MS),
      ];
      for (const timer of timers) timer.unref();
      void tick().then(fill);
    },

    async stop(graceMs) {
      stopping.abort();
      listener?.close();
      let graceTimer: NodeJS.Timeout | undefined;
      const grace = new Promise<void>((resolve) => {
        graceTimer = setTimeout(resolve, graceMs);
      });
      const ends = fill().then(() => Promise.all([...runs.values()].map(({ end }) => end)));
      await Promise.race([ends, grace]);
      clearTimeout(graceTimer);
      // Their leases are renewed until here.
      for (const timer of timers) clearInterval(timer);
      for (const own of runs.values()) void attempt(() => putBack(own));
      await settle();
    },
  };
}

/** Waits for a run, at most for the time of its job. Throws an error that says so afterwards. */
async function withinTime(job: Job, abortion: AbortController, run: Promise<void>): Promise<void> {
  const seconds = job.limitSeconds ?? LIMIT_SECONDS;
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      abortion.abort();
      reject(new Error(`It took longer than ${seconds} seconds.`));
    }, seconds * 1_000);
    timer.unref();
  });
  await Promise.race([run, limit]).finally(() => clearTimeout(timer));
}

/** True for a row of one of these jobs that has a run left. */
function mayRun(jobs: readonly Job[]): SQL {
  const each = jobs.map(
    ({ name, retries = RETRIES }) => sql`${table.name} = ${name} and ${table.run} <= ${retries}::int`,
  );
  return sql`(${sql.join(each, sql` or `)})`;
}

/** Queues the jobs with a schedule, in the slot of this minute, unless a row of theirs says that it is done. */
async function queueScheduled(db: Db, jobs: readonly Job[], isQueued: SQL): Promise<void> {
  const clock = jobs.flatMap(({ name, each }) => (each ? [sql`(${newId()}::text, ${name}::text, ${each}::text)`] : []));
  if (clock.length === 0) return;
  await db.execute(sql`
    insert into ${table} (id, name, data, slot)
    select clock.id, clock.name, '{}', date_trunc('minute', ${NOW}, 'UTC')
    from (values ${sql.join(clock, sql`, `)}) as clock (id, name, unit)
    where not exists (select from ${table} job where job.name = clock.name and ${isQueued})
    on conflict (name, slot) do nothing
    returning pg_notify(${WORK_CHANNEL}::text, '')`);
}

/** Ends jobs that have ended too many servers, and deletes old ones: the done hours later, the failed after a day. */
async function tidy(db: Db, jobs: readonly Job[]): Promise<void> {
  const names = sql.param(jobs.map(({ name }) => name));
  await db.execute(sql`
    update ${table} set state = 'failed', ended_at = ${NOW}, reason = 'Its server ended in the middle.'
    where state = 'running' and ${isFree(table)} and name = any(${names}::text[]) and not ${mayRun(jobs)}`);
  // The hour's slot is looked for during all of the hour.
  await db.execute(sql`
    delete from ${table}
    where ended_at < ${NOW} - case state when 'done' then interval '2 hours' else interval '1 day' end`);
}

/**
 * Takes over what servers of version 0.1.0 have queued in pg-boss, a library that they keep their jobs in: a mail that
 * somebody asked for. What has a schedule is queued anew anyway.
 */
async function takeOver(db: Db, jobs: readonly Job[]): Promise<void> {
  const { rows } = await db.execute<{ isThere: boolean }>(sql`select to_regclass('jobs.job') is not null as "isThere"`);
  const names = jobs.filter(({ each }) => !each).map(({ name }) => name);
  if (!rows[0]?.isThere || names.length === 0) return;
  await db.execute(sql`
    with old as (
      delete from jobs.job where name = any(${sql.param(names)}::text[])
        and (state::text in ('created', 'retry') or state::text = 'active' and started_on + expire_in < ${NOW})
      returning id, name, data)
    insert into ${table} (id, name, data) select id::text, name, coalesce(data, '{}') from old
    on conflict (id) do nothing
    returning pg_notify(${WORK_CHANNEL}::text, '')`);
}
