/**
 * Background jobs against a real database: queued with a transaction, run once, retried, scheduled, stopped in order,
 * taken over from a server that ended.
 */
import pg from 'pg';
import pino from 'pino';
import { afterEach, expect, test, vi } from 'vitest';
import { withCut } from '../../test/cutOff.ts';
import { createDatabase } from '../../test/server.ts';
import { type Db, openDatabase } from './database.ts';
import { type Job, type Jobs, openJobs } from './jobs.ts';
import { openNotifications } from './notifications.ts';

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
  /** Opens the queue of one server. */
  const open = ({ db = openedDatabase.db, leaseMs }: { db?: Db; leaseMs?: number } = {}): Jobs => {
    const notifications = openNotifications(database.connection, log);
    endings.push(() => notifications.close());
    const jobs = openJobs({ db, listen: notifications.listen, log, ...(leaseMs && { leaseMs }) });
    endings.push(() => jobs.stop(1_000));
    return jobs;
  };
  const list = async (columns: string): Promise<Record<string, unknown>[]> =>
    (await openedDatabase.query(`select ${columns} from background_jobs order by created_at, id`)).rows;
  return { connection: database.ownerConnection, db: openedDatabase.db, query: openedDatabase.query, open, list };
}

const soon = { timeout: 150_000, interval: 20 };
const forever = () => new Promise<void>(() => {});

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
    // Every worker has looked since: each holds one of these until all do.
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

test('what a job was given is not kept once it is done', async () => {
  const { db, open, list } = await openOne();
  const jobs = open();
  await jobs.start([{ name: 'note', run: async () => {} }]);
  await jobs.send(db, 'note', { email: 'ann@example.com' });
  await vi.waitFor(async () => expect(await list('state, data')).toEqual([{ state: 'done', data: {} }]), soon);
});

test('a failed run is logged, retried later, and given up after its retries', async () => {
  const lines: string[] = [];
  const { db, query, open, list } = await openOne(lines);
  const jobs = open();
  let runs = 0;
  const run = () => Promise.reject(new Error(`the glue is wet ${++runs}`));
  await jobs.start([{ name: 'note', retries: 1, run }]);
  await jobs.send(db, 'note', { id: 1 });
  await vi.waitFor(async () => {
    const seconds = 'extract(epoch from start_at - clock_timestamp())::float as seconds';
    const [row] = await list(`state, reason, ${seconds}`);
    expect(row).toMatchObject({ state: 'waiting', reason: 'the glue is wet 1' });
    expect(Number(row!.seconds)).toBeGreaterThan(5);
  }, soon);
  expect(lines.join('')).toContain('the glue is wet');
  await query('update background_jobs set start_at = now()');
  await vi.waitFor(
    async () =>
      expect(await list('state, reason, data')).toEqual([
        { state: 'failed', reason: 'the glue is wet 2', data: { id: 1 } },
      ]),
    soon,
  );
});

test('a run that takes too long counts as failed, and hears of it', async () => {
  const { db, open, list } = await openOne();
  const jobs = open();
  let isAborted = false;
  const run = (_data: object, signal: AbortSignal): Promise<void> => {
    signal.addEventListener('abort', () => {
      isAborted = true;
    });
    return forever();
  };
  await jobs.start([{ name: 'note', limitSeconds: 0.01, retries: 0, run }]);
  await jobs.send(db, 'note');
  await vi.waitFor(async () => expect(await list('state')).toEqual([{ state: 'failed' }]), soon);
  expect(isAborted).toBe(true);
});

test('a scheduled job runs at the start and in each of its slots, once for all servers', async () => {
  const { query, open, list } = await openOne();
  let runs = 0;
  const job: Job = { name: 'sweep', each: 'hour', run: async () => void runs++ };
  await Promise.all([open(), open(), open()].map((jobs) => jobs.start([job])));
  await vi.waitFor(() => expect(runs).toBe(1), soon);
  // A start soon after it queues none, nor one in the next minute of the clock.
  await open().start([job]);
  await query(`update background_jobs set slot = date_trunc('hour', now(), 'UTC')`);
  await open().start([job]);
  expect(await list('name')).toEqual([{ name: 'sweep' }]);
  // Simulates the end of a whole minute, then of the hour.
  await query(
    `update background_jobs set slot = slot - interval '2 minutes', created_at = now() - interval '1 minute'`,
  );
  await open().start([job]);
  await vi.waitFor(() => expect(runs).toBe(2), soon);
  await query(`update background_jobs set slot = slot - interval '61 minutes', created_at = now()`);
  const clocks = [open(), open()];
  await Promise.all(clocks.map((jobs) => jobs.start([job])));
  const done = { state: 'done' };
  await vi.waitFor(async () => expect(await list('state')).toEqual([done, done, done]), soon);
  expect(runs).toBe(3);
});

test('stopping waits for running jobs, aborts their signal, and starts no new ones', async () => {
  const { db, open, list } = await openOne();
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
  expect(await list('state')).toEqual([{ state: 'done' }, { state: 'waiting' }]);
});

test('runs that outlast the stop, or break off at it, go back into the queue and do not count', async () => {
  const { db, open, list } = await openOne();
  let starts = 0;
  const jobs = open();
  const breakOff = (_data: object, signal: AbortSignal): Promise<void> => {
    starts++;
    return new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('broken off'))));
  };
  const outlast = (): Promise<void> => {
    starts++;
    return forever();
  };
  await jobs.start([
    { name: 'long', run: outlast },
    { name: 'short', run: breakOff },
  ]);
  await jobs.send(db, 'long');
  await jobs.send(db, 'short');
  await vi.waitFor(() => expect(starts).toBe(2), soon);
  await jobs.stop(100);
  const back = { state: 'waiting', run: 0, holder: null };
  expect(await list('state, run, holder')).toEqual([back, back]);
});

test('a job that was being claimed at the stop does not run, and goes back into the queue', async () => {
  const { db, open, list } = await openOne();
  let runs = 0;
  let release = (): void => {};
  const isReleased = new Promise<void>((resolve) => {
    release = resolve;
  });
  let isClaimed = false;
  const slowDb = new Proxy(db, {
    get(target, key: keyof Db) {
      if (key !== 'execute') return target[key];
      return async (query: Parameters<Db['execute']>[0]) => {
        const result = await target.execute(query);
        if (!isClaimed && result.rows[0]?.name === 'note') {
          isClaimed = true;
          await isReleased;
        }
        return result;
      };
    },
  });
  const jobs = open({ db: slowDb });
  await jobs.start([{ name: 'note', run: async () => void runs++ }]);
  await jobs.send(db, 'note');
  await vi.waitFor(() => expect(isClaimed).toBe(true), soon);
  const end = jobs.stop(1_000);
  release();
  await end;
  expect(runs).toBe(0);
  expect(await list('state, run')).toEqual([{ state: 'waiting', run: 0 }]);
});

test('a job whose server has ended is done by another one, and what the first says later does not count', async () => {
  const { db, open, list } = await openOne();
  const broken = withCut(db);
  const runs: string[] = [];
  let release = (): void => {};
  const isReleased = new Promise<void>((resolve) => {
    release = resolve;
  });
  const first = open({ db: broken.db, leaseMs: 300 });
  let isAborted = false;
  const hang = async (_data: object, signal: AbortSignal): Promise<void> => {
    runs.push('first');
    signal.addEventListener('abort', () => {
      isAborted = true;
    });
    await isReleased;
    throw new Error('too late');
  };
  await first.start([{ name: 'note', run: hang }]);
  await first.send(db, 'note');
  await vi.waitFor(() => expect(runs).toEqual(['first']), soon);
  broken.cut(true);
  const second = open({ leaseMs: 300 });
  await second.start([{ name: 'note', run: async () => void runs.push('second') }]);
  await vi.waitFor(async () => expect(await list('state, run')).toEqual([{ state: 'done', run: 2 }]), soon);
  expect(runs).toEqual(['first', 'second']);
  expect(isAborted).toBe(false); // it hears of nothing
  broken.cut(false);
  release();
  await first.stop(5_000);
  expect(await list('state, run, reason')).toEqual([{ state: 'done', run: 2, reason: null }]);
});

test('a server that was frozen longer than its lease ends the run that another one has taken over', async () => {
  const { db, query, open } = await openOne();
  let isAborted = false;
  const jobs = open({ leaseMs: 60 });
  const run = (_data: object, signal: AbortSignal): Promise<void> => {
    signal.addEventListener('abort', () => {
      isAborted = true;
    });
    return forever();
  };
  await jobs.start([{ name: 'note', run }]);
  await jobs.send(db, 'note');
  await vi.waitFor(async () => {
    const { rowCount } = await query(`update background_jobs set run = 2, holder = 'another' where state = 'running'`);
    expect(rowCount).toBe(1);
  }, soon);
  await vi.waitFor(() => expect(isAborted).toBe(true), soon);
});

test('a job that ends every server is given up', async () => {
  const { query, open, list } = await openOne();
  await query(`insert into background_jobs (id, name, data, state, run, holder, holder_lease_until)
    values ('1', 'note', '{}', 'running', 3, 'gone', now() - interval '1 second')`);
  let runs = 0;
  await open().start([{ name: 'note', run: async () => void runs++ }]);
  const reason = 'Its server ended in the middle.';
  await vi.waitFor(async () => expect(await list('state, reason')).toEqual([{ state: 'failed', reason }]), soon);
  expect(runs).toBe(0);
});

test('jobs that the version before has queued in its own tables are done', async () => {
  const { connection, open, list } = await openOne();
  const owner = new pg.Client(connection);
  await owner.connect();
  endings.push(() => owner.end());
  await owner.query(`
    create schema jobs;
    create type jobs.job_state as enum ('created', 'retry', 'active', 'completed', 'cancelled', 'failed');
    create table jobs.job (id uuid default gen_random_uuid(), name text, data jsonb, state jobs.job_state,
      started_on timestamptz, expire_in interval default '5 minutes');
    grant usage on schema jobs to public;
    grant all on jobs.job to public;
    insert into jobs.job (name, data, state, started_on) values
      ('note', '{"id": 1}', 'created', null),
      ('note', '{"id": 2}', 'active', now() - interval '6 minutes'),
      ('note', '{"id": 3}', 'active', now()),
      ('note', '{"id": 4}', 'completed', now()),
      ('other', '{"id": 5}', 'created', null)`);
  const done: number[] = [];
  await open().start([{ name: 'note', run: async (data) => void done.push((data as { id: number }).id) }]);
  await vi.waitFor(() => expect(done.sort()).toEqual([1, 2]), soon);
  // A job's state is written after its work.
  await vi.waitFor(async () => expect(await list('state')).toEqual([{ state: 'done' }, { state: 'done' }]), soon);
  const { rows } = await owner.query(`select data->'id' as id from jobs.job order by 1`);
  expect(rows.map(({ id }) => id)).toEqual([3, 4, 5]);
});

test('connections that break during a job are logged, end no process, and the queue goes on afterwards', {
  tags: ['detail'],
}, async () => {
  const lines: string[] = [];
  const { connection, db, open } = await openOne(lines);
  const jobs = open({ leaseMs: 1_000 });
  const done: object[] = [];
  const other = new pg.Client({ ...connection, database: 'postgres' });
  await other.connect();
  endings.push(() => other.end());
  const allow = (isAllowed: boolean) =>
    other.query(`alter database ${connection.database} allow_connections ${isAllowed}`);
  await jobs.start([
    {
      name: 'note',
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
  await vi.waitFor(() => expect(lines.join('')).toContain('the queue of background jobs cannot be reached'), soon);
  expect(done).toEqual([{ number: 1 }]);
  await allow(true);
  await vi.waitFor(() => jobs.send(db, 'note', { number: 2 }), soon);
  await vi.waitFor(() => expect(done).toContainEqual({ number: 2 }), soon);
});
