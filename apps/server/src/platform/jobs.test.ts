/**
 * Background jobs against a real database: queued with a transaction, run once, retried, scheduled, stopped in order.
 */
import { sql } from 'drizzle-orm';
import pg from 'pg';
import pino from 'pino';
import { afterEach, expect, test, vi } from 'vitest';
import { createDatabase } from '../../test/server.ts';
import { openDatabase } from './database.ts';
import { type Job, type Jobs, openJobs } from './jobs.ts';

const endings: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
});

async function openOne(lines: string[] = []) {
  const database = await createDatabase();
  endings.push(database.drop);
  const openedDatabase = openDatabase(database.connection, () => {});
  endings.push(openedDatabase.close);
  const log = pino({ level: 'warn' }, { write: (line: string) => lines.push(line) });
  const open = (): Jobs => {
    const jobs = openJobs(database.ownerConnection, openedDatabase, log);
    endings.push(() => jobs.stop(1_000));
    return jobs;
  };
  return { connection: database.ownerConnection, db: openedDatabase.db, query: openedDatabase.query, open };
}

const soon = { timeout: 150_000, interval: 20 };

test('one of two servers runs a job once, after the commit, with its data', async () => {
  const { db, open } = await openOne();
  const done: unknown[] = [];
  const workers = 4;
  let holding = 0;
  let noticeAll = (): void => {};
  const all = new Promise<void>((resolve) => {
    noticeAll = resolve;
  });
  const job: Job = {
    name: 'note',
    parallel: workers / 2,
    run: async (data) => {
      if ('id' in data) return void done.push(data);
      if (++holding === workers) noticeAll();
      await all;
    },
  };
  const [first, second] = [open(), open()];
  await Promise.all([first.start([job]), second.start([job])]);

  await db.transaction(async (tx) => {
    for (let id = 0; id < 20; id++) await first.send(tx, 'note', { id, text: "it's $1, \\ and 'quoted'" });
    // Every worker has polled since: each holds one of these until all do.
    for (let i = 0; i < workers; i++) await first.send(db, 'note');
    await all;
    expect(done).toEqual([]);
  });
  await vi.waitFor(() => expect(done).toHaveLength(20), soon);
  expect(new Set(done.map((data) => (data as { id: number }).id)).size).toBe(20);
  expect(done).toContainEqual({ id: 7, text: "it's $1, \\ and 'quoted'" });
});

test('a job that is rolled back does not run', async () => {
  const { db, open } = await openOne();
  const done: object[] = [];
  const jobs = open();
  await jobs.start([{ name: 'note', run: async (data) => void done.push(data) }]);
  const rolledBack = db.transaction(async (tx) => {
    await jobs.send(tx, 'note', { from: 'rolled back' });
    throw new Error('no');
  });
  await expect(rolledBack).rejects.toThrow('no');
  await jobs.send(db, 'note', { from: 'kept' });
  await vi.waitFor(() => expect(done).toEqual([{ from: 'kept' }]), soon);
});

test('a failed run is logged and retried later', async () => {
  const lines: string[] = [];
  const { db, open } = await openOne(lines);
  const jobs = open();
  await jobs.start([{ name: 'note', run: () => Promise.reject(new Error('the glue is wet')) }]);
  await jobs.send(db, 'note');
  await vi.waitFor(async () => {
    const { rows } = await db.execute(sql`
      select state, retry_limit, extract(epoch from start_after - started_on)::int as seconds from jobs.job where name = 'note'`);
    expect(rows).toEqual([{ state: 'retry', retry_limit: 2, seconds: expect.any(Number) }]);
    expect(Number(rows[0]?.seconds)).toBeGreaterThan(5);
  }, soon);
  expect(lines.join('')).toContain('the glue is wet');
});

test('a scheduled job runs at the start, once for all servers', { tags: ['detail'] }, async () => {
  const { db, open } = await openOne();
  let runs = 0;
  const job: Job = { name: 'sweep', schedule: '0 0 1 1 *', run: async () => void runs++ };
  await Promise.all([open(), open(), open()].map((jobs) => jobs.start([job])));
  await vi.waitFor(() => expect(runs).toBe(1), soon);
  const { rows } = await db.execute(sql`select name, cron from jobs.schedule`);
  expect(rows).toEqual([{ name: 'sweep', cron: '0 0 1 1 *' }]);
  const listRuns = () => db.execute(sql`select state::text from jobs.job where name = 'sweep'`);
  expect((await listRuns()).rows).toHaveLength(1);
  // Simulates a full minute in between, with a job that was queued just now.
  await db.execute(
    sql`update jobs.job set singleton_on = singleton_on - interval '1 minute', created_on = now() where name = 'sweep'`,
  );
  await open().start([job]);
  expect((await listRuns()).rows).toHaveLength(1);
  await db.execute(sql`update jobs.job set created_on = created_on - interval '1 minute' where name = 'sweep'`);
  await open().start([job]);
  expect((await listRuns()).rows).toHaveLength(2);
});

test('stopping waits for running jobs, aborts their signal, and starts no new ones', { tags: ['detail'] }, async () => {
  const { db, open } = await openOne();
  const done: string[] = [];
  let starts = 0;
  const jobs = open();
  const job: Job = {
    name: 'note',
    run: async (_data, signal) => {
      starts++;
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      done.push('finished');
    },
  };
  await jobs.start([job]);
  await jobs.send(db, 'note');
  await vi.waitFor(() => expect(starts).toBe(1), soon);
  await jobs.send(db, 'note');
  await jobs.stop(5_000);
  expect([starts, done]).toEqual([1, ['finished']]);
  const { rows } = await db.execute(sql`select state::text from jobs.job where name = 'note' order by created_on`);
  expect(rows).toEqual([{ state: 'completed' }, { state: 'created' }]);
});

test('a run that outlasts the stop goes back into the queue', { tags: ['detail'] }, async () => {
  const { db, open } = await openOne();
  let starts = 0;
  const jobs = open();
  const run = (): Promise<void> => {
    starts++;
    return new Promise(() => {});
  };
  await jobs.start([{ name: 'note', run }]);
  await jobs.send(db, 'note');
  await vi.waitFor(() => expect(starts).toBe(1), soon);
  await jobs.stop(1_000);
  const { rows } = await db.execute(sql`select state::text from jobs.job where name = 'note'`);
  expect(rows).toEqual([{ state: 'retry' }]);
});

test('a job that was being fetched at the stop does not run, and goes back into the queue', async () => {
  const { connection, db, query } = await openOne();
  let runs = 0;
  let release = (): void => {};
  const isReleased = new Promise<void>((resolve) => {
    release = resolve;
  });
  let isFetched = false;
  const holdFetch = async (text: string, values?: unknown[]): Promise<pg.QueryResult> => {
    const result = await query(text, values);
    if (text.includes('SKIP LOCKED') && result.rows[0]?.name === 'note') {
      isFetched = true;
      await isReleased;
    }
    return result;
  };
  const jobs = openJobs(connection, { query: holdFetch }, pino({ level: 'silent' }));
  await jobs.start([{ name: 'note', run: async () => void runs++ }]);
  await jobs.send(db, 'note');
  await vi.waitFor(() => expect(isFetched).toBe(true), soon);
  const end = jobs.stop(1_000);
  release();
  await end;
  expect(runs).toBe(0);
  const { rows } = await db.execute(sql`select state::text from jobs.job where name = 'note'`);
  expect(rows).toEqual([{ state: 'retry' }]);
});

test('connections that break during a job are logged, end no process, and the queue goes on afterwards', {
  tags: ['detail'],
}, async () => {
  const lines: string[] = [];
  const { connection, db, open } = await openOne(lines);
  const jobs = open();
  const done: object[] = [];
  const other = new pg.Client({ ...connection, database: 'postgres' });
  await other.connect();
  endings.push(() => other.end());
  const allow = (isAllowed: boolean) =>
    other.query(`alter database ${connection.database} allow_connections ${isAllowed}`);
  await jobs.start([
    {
      name: 'note',
      limitSeconds: 1,
      run: async (data) => {
        done.push(data);
        // Every connection ends while the job runs, and no new one is possible: the statements after it fail.
        if (done.length === 1) {
          await allow(false);
          await other.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [
            connection.database,
          ]);
        }
      },
    },
  ]);
  await jobs.send(db, 'note', { number: 1 });
  await vi.waitFor(() => expect(lines.join('')).toContain('a statement of the jobs failed'), soon);
  expect(done).toEqual([{ number: 1 }]);
  await allow(true);
  await vi.waitFor(() => jobs.send(db, 'note', { number: 2 }), soon);
  await vi.waitFor(() => expect(done).toContainEqual({ number: 2 }), soon);
});
