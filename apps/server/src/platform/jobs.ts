/**
 * The job queue: background work is stored in the database, and one of the servers does it. pg-boss stores it in a
 * schema of its own.
 */
import { type SQL, sql } from 'drizzle-orm';
import type pg from 'pg';
import PgBoss from 'pg-boss';
import type { Logger } from 'pino';
import { JOBS_SCHEMA } from './appRole.ts';
import type { Database, Db } from './database.ts';
import { withLock } from './lock.ts';
import { noSpans, type Spans } from './spans.ts';

/** A kind of background job. A run may be repeated after a crash, so it must be idempotent. */
export interface Job {
  readonly name: string;
  /**
   * A cron line in UTC, to the minute, at which the job runs once for all servers; it also runs when a server starts.
   */
  readonly schedule?: string;
  /** The number of parallel runs on one server. Default 1. */
  readonly parallel?: number;
  /** A run that takes longer counts as failed. Default 300. */
  readonly limitSeconds?: number;
  /** The number of retries of a failed run, after 10 s, then about twice as long each time. Default 2. */
  readonly retries?: number;
  /** Runs the job. The signal is aborted when the server stops: start nothing new then. Errors are logged. */
  run(data: object, signal: AbortSignal): Promise<void>;
}

/** A connection or a running transaction: with the latter, the job begins after the commit or not at all. */
type Writer = Pick<Db, 'execute'>;

/** The queue of background jobs in the database. */
export interface Jobs {
  /** Queues a run. It begins within about two seconds of the commit. */
  send(writer: Writer, name: string, data?: object): Promise<void>;
  /** Creates the queues of these jobs, so that runs can be queued for another server. */
  prepare(jobs: readonly Job[]): Promise<void>;
  /** Prepares these jobs, and starts to run them. */
  start(jobs: readonly Job[]): Promise<void>;
  /**
   * Starts no new job, lets running jobs end within `graceMs` and puts the others back into the queue. Call it before
   * the database is closed.
   */
  stop(graceMs: number): Promise<void>;
}

/** The library's own queue, by which its clock starts the scheduled jobs. */
const CLOCK_QUEUE = '__pgboss__send-it';
/** A shorter interval would keep an idle machine busy. */
const POLL_SECONDS = 2;
const HOUR_SECONDS = 3_600;

/**
 * Creates or updates the tables and queues of these jobs. Several processes may call it at once: the library would
 * deadlock with itself when it creates queues, so a lock surrounds it.
 */
export async function installJobs(
  ownerConnection: pg.ClientConfig,
  log: Pick<Logger, 'info'>,
  jobs: readonly Job[] = [],
): Promise<void> {
  await withLock(ownerConnection, 'creating job queues', log, async (client) => {
    const executeSql = (text: string, values: unknown[]) => client.query(text, values);
    const boss = new PgBoss({ db: { executeSql }, schema: JOBS_SCHEMA, supervise: false, schedule: false });
    await boss.start();
    await boss.createQueue(CLOCK_QUEUE);
    for (const job of jobs) await prepareQueue(boss, client, job);
  });
}

async function prepareQueue(boss: PgBoss, client: pg.Client, job: Job): Promise<void> {
  const { name, schedule, limitSeconds = 300, retries = 2 } = job;
  const settings = { name, expireInSeconds: limitSeconds, retryLimit: retries, retryDelay: 10, retryBackoff: true };
  await boss.createQueue(name, settings);
  await boss.updateQueue(name, settings);
  if (!schedule) return boss.unschedule(name);
  await boss.schedule(name, schedule);
  // The library limits runs to one per minute of the clock: servers that start around a full minute would queue two.
  const recentRun = `select from ${JOBS_SCHEMA}.job
    where name = $1 and singleton_on is not null and created_on > now() - interval '1 minute'`;
  const { rowCount } = await client.query(recentRun, [name]);
  if (rowCount === 0) await boss.send(name, {}, { singletonSeconds: 60 });
}

/**
 * Opens the queue. Sends no query before the first job is queued or started. The owner's connection creates the queues,
 * once at the start.
 */
export function openJobs(
  ownerConnection: pg.ClientConfig,
  database: Pick<Database, 'query'>,
  log: Logger,
  spans: Spans = noSpans,
): Jobs {
  const stopping = new AbortController();
  const running = new Set<Promise<unknown>>();
  let isReached = true;

  /**
   * Runs a statement of the library. The library does not await what it writes after a run, and a rejection would end
   * the process. So a failure is logged here and returns nothing; the library takes that for a closed connection and
   * asks again.
   */
  async function execute(text: string, values: unknown[]): Promise<pg.QueryResult | undefined> {
    try {
      const result = await database.query(text, values);
      isReached = true;
      return result;
    } catch (error) {
      if (isReached) log.warn({ err: error }, 'a statement of the jobs failed');
      isReached = false;
      return undefined;
    }
  }

  const boss = new PgBoss({
    db: {
      executeSql(text, values) {
        const answer = execute(text, values).finally(() => running.delete(answer));
        running.add(answer);
        return answer as Promise<pg.QueryResult>;
      },
    },
    schema: JOBS_SCHEMA,
    migrate: false,
    archiveCompletedAfterSeconds: HOUR_SECONDS,
    deleteAfterDays: 1,
    cronWorkerIntervalSeconds: POLL_SECONDS,
    cronMonitorIntervalSeconds: 15,
  });
  boss.on('error', (error) => log.warn({ err: error }, 'the jobs’ clock failed'));

  async function perform(job: Job, data: object): Promise<void> {
    try {
      await spans.root(`job ${job.name}`, {}, () => job.run(data, stopping.signal));
    } catch (error) {
      log.error({ err: error, job: job.name }, 'a job failed');
      throw error;
    }
  }

  const prepare = (jobs: readonly Job[]): Promise<void> => installJobs(ownerConnection, log, jobs);

  return {
    prepare,

    async send(writer, name, data = {}) {
      const executeSql = async (text: string, values: unknown[]) => writer.execute(withValues(text, values));
      await boss.send(name, data, { db: { executeSql } });
    },

    async start(jobs) {
      await prepare(jobs);
      await boss.start();
      for (const job of jobs) {
        for (let count = job.parallel ?? 1; count > 0; count--) {
          const worker = await boss.work<object>(job.name, { pollingIntervalSeconds: POLL_SECONDS }, async ([one]) => {
            // Fetched while the queue stops, which the library does not wait for. A failed run is queued again.
            stopping.signal.throwIfAborted();
            boss.notifyWorker(worker); // after a job, poll for the next one immediately
            if (one) await perform(job, one.data);
          });
        }
      }
    },

    async stop(graceMs) {
      stopping.abort();
      await boss.stop({ timeout: graceMs });
      // The result of a statement may trigger another one, a few microtasks later.
      while (running.size > 0) {
        await Promise.all(running);
        await new Promise(setImmediate);
      }
    },
  };
}

/** Turns a statement with numbered parameters into drizzle's form, so that it runs inside drizzle's transaction. */
function withValues(text: string, values: readonly unknown[]): SQL {
  const parts = text.split(/\$(\d+)/);
  return sql.join(
    parts.map((part, index) => (index % 2 === 0 ? sql.raw(part) : sql`${sql.param(values[Number(part) - 1] ?? null)}`)),
  );
}
