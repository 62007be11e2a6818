/** Several servers in one process, each with pretended processes, on one database. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serialize } from 'node:v8';
import fc from 'fast-check';
import pino from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { createRandom, repetitions, seed } from '../../test/campaign.ts';
import { withCut } from '../../test/cutOff.ts';
import { createDatabase } from '../../test/server.ts';
import { type Database, openDatabase } from '../platform/database.ts';
import { AppError } from '../platform/errors.ts';
import { type FileStore, openDiskFiles } from '../platform/files.ts';
import { loadOnce } from '../platform/loadOnce.ts';
import { openNotifications } from '../platform/notifications.ts';
import { type Lane, PoisonJobError, type Pool } from '../platform/ports/mediaPool.ts';
import { createJobQueue } from './jobQueue.ts';
import type { ProcessPool } from './pool.ts';
import { openSharedPool } from './sharedPool.ts';
import { openSharedQueue } from './sharedQueue.ts';
import type { PoolRunOptions } from './workerProcess.ts';

interface Work {
  work: { input: { name: string; model?: string; bytes?: Uint8Array }; output: { name: string; bytes?: Uint8Array } };
}
type SharedPool = Pool<Work, PoolRunOptions>;

let ownDatabase: Awaited<ReturnType<typeof createDatabase>>;
let database: Database;
let folder: string;
let files: FileStore;
beforeAll(async () => {
  ownDatabase = await createDatabase();
  database = openDatabase(
    { ...ownDatabase.connection, query_timeout: 60_000, connectionTimeoutMillis: 60_000 },
    () => {},
  );
  folder = await mkdtemp(join(tmpdir(), 'markwright-shared-'));
  files = await openDiskFiles(folder);
});
const closings: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closings.splice(0)) await close();
  await database.query('delete from media_jobs');
});
afterAll(async () => {
  await database.close();
  await ownDatabase.drop();
  await rm(folder, { recursive: true, force: true });
});

const soon = { timeout: 60_000, interval: 5 };
const by = (name: string, lane: Lane = 'account') => ({ caller: { name, lane, payers: [] } });
const countRows = async (): Promise<number> =>
  Number((await database.query('select count(*) as n from media_jobs')).rows[0].n);
const listParts = async (): Promise<string[]> => {
  const keys: string[] = [];
  for await (const { key } of files.list('jobs/')) keys.push(key);
  return keys;
};

/** A run that the test ends as it likes. */
interface PretendedRun {
  readonly name: string;
  readonly options: PoolRunOptions;
  finish(costMs?: number, bytes?: Uint8Array): void;
  fail(error: unknown, costMs?: number): void;
}

interface ServerSettings {
  readonly hearsNothing?: boolean;
  readonly queueLimit?: number;
  /** The models of a server whose processes run models. Absent: they are for pictures. */
  readonly models?: readonly string[];
}

/** Pretends to be a server. Without `size` it has no processes. */
function openServer(size: number | undefined, { models, ...settings }: ServerSettings = {}) {
  const runs: PretendedRun[] = [];
  const { db, cut } = withCut(database.db);
  const log = pino({ level: 'silent' });
  const notifications = openNotifications(ownDatabase.connection, log);
  function openProcesses({ onFree }: { onFree: () => void }): ProcessPool<Work> {
    let isClosing = false;
    const free = (reserve = 0): boolean => !isClosing && runs.length + reserve < size!;
    return {
      freeLanes: (reserve) => (free(reserve) ? ['account', 'guest'] : []),
      run: (_job, { name }, options) =>
        new Promise((resolve, reject) => {
          if (!free()) return reject(new Error('No process is free.'));
          const end = (costMs: number): void => {
            runs.splice(runs.indexOf(run), 1);
            options.onProcessorTime?.(costMs);
            setImmediate(onFree);
          };
          const run: PretendedRun = {
            name,
            options,
            finish(costMs = 0, bytes) {
              end(costMs);
              resolve({ name, ...(bytes && { bytes }) } as never);
            },
            fail(error, costMs = 0) {
              end(costMs);
              reject(error);
            },
          };
          options.signal?.addEventListener('abort', () => runs.includes(run) && run.fail(options.signal!.reason, 7));
          runs.push(run);
        }),
      stats: () => ({ size: size!, ready: size!, running: runs.length, queued: 0, done: 0, failed: 0, killed: 0 }),
      async close() {
        isClosing = true;
        for (const run of [...runs]) run.fail(new AppError('unavailable', 'The server is stopping.'));
      },
    };
  }
  const pool: SharedPool = openSharedPool<Work>({
    db,
    files,
    log,
    ...(models && { needs: { kind: 'models', of: ({ model }) => model!, list: async () => models } }),
    openProcesses: size === undefined ? undefined : openProcesses,
    listen: settings.hearsNothing ? () => ({ close: () => {} }) : notifications.listen,
    limits: { lookMs: 20, callerLimit: 100, ...(settings.queueLimit && { queueLimit: settings.queueLimit }) },
  });
  const close = loadOnce(async () => {
    await pool.close();
    await notifications.close();
  });
  closings.push(close);
  return {
    pool,
    runs,
    close,
    cut,
    async next(name: string): Promise<PretendedRun> {
      await vi.waitFor(() => expect(runs.map((run) => run.name)).toContain(name), soon);
      return runs.find((run) => run.name === name)!;
    },
    ask(name: string, options: Partial<PoolRunOptions> = {}, bytes?: Uint8Array) {
      const model = models && name.split(' ')[0]!;
      const input = { name, ...(model !== undefined && { model }), ...(bytes && { bytes }) };
      const answer = pool.run('work', input, { ...by('ann'), ...options });
      answer.catch(() => {});
      return answer;
    },
  };
}

describe('servers that share a queue', () => {
  test('a free process of one’s own takes a job without the database', async () => {
    const [here, there] = [openServer(1), openServer(1)];
    here.cut(true);
    const answer = here.ask('a');
    (await here.next('a')).finish();
    expect(await answer).toEqual({ name: 'a' });
    expect(there.runs).toEqual([]);
  });

  test.each([
    ['by messages', false],
    ['by looking, when no message arrives', true],
  ])('whoever is free does it, and place, progress and bytes come back %s', async (_how, hearsNothing) => {
    const web = openServer(undefined, { hearsNothing });
    const places: number[] = [];
    const progress: unknown[] = [];
    const bytes = new Uint8Array(100_000).map((_, i) => i);
    const answer = web.ask('a', { onPlace: (place) => places.push(place), onProgress: (p) => progress.push(p) }, bytes);
    await vi.waitFor(() => expect(places).toEqual([1]), soon);
    expect(await listParts()).toHaveLength(1); // too large for a row
    const worker = openServer(1, { hearsNothing });
    const run = await worker.next('a');
    await vi.waitFor(() => expect(places).toEqual([1, 0]), soon);
    // Again and again: the first may come before the asker hears, and no row says how far a job is.
    const reportAndSee = (): void => {
      run.options.onProgress?.({ stage: 'waiting', fraction: 0.5 } as never);
      expect(progress[0]).toEqual({ stage: 'waiting', fraction: 0.5 });
    };
    if (!hearsNothing) await vi.waitFor(reportAndSee, soon);
    run.finish(3, bytes);
    expect((await answer).bytes).toEqual(bytes);
    await vi.waitFor(async () => expect([await countRows(), await listParts()]).toEqual([0, []]), soon);
  });

  test('errors come back as what they are, with the cost', async () => {
    const [web, worker] = [openServer(undefined), openServer(1)];
    const costs: number[] = [];
    const fail = async (error: unknown): Promise<unknown> => {
      const answer = web.ask('a', { onProcessorTime: (ms) => costs.push(ms) });
      (await worker.next('a')).fail(error, 40);
      return answer.catch((reason: unknown) => reason);
    };
    expect(await fail(new AppError('unsupported', 'No picture.'))).toMatchObject({
      code: 'unsupported',
      message: 'No picture.',
    });
    expect(await fail(new PoisonJobError('Too long.'))).toBeInstanceOf(PoisonJobError);
    expect(await fail(new TypeError('secret detail'))).toMatchObject({
      code: 'unprocessable',
      message: 'This file could not be processed.',
    });
    expect(costs).toEqual([40, 40, 40]);
  });

  test('a job that is taken back does not begin, and one that runs ends and is paid for', async () => {
    const [web, worker] = [openServer(undefined), openServer(1)];
    const leave = new AbortController();
    const costs: number[] = [];
    const first = web.ask('first', { signal: leave.signal, onProcessorTime: (ms) => costs.push(ms) });
    await worker.next('first');
    const departure = new AbortController();
    const second = web.ask('second', { signal: departure.signal });
    await vi.waitFor(async () => expect(await countRows()).toBe(2), soon);
    departure.abort(new Error('gone'));
    await expect(second).rejects.toThrow('gone');
    leave.abort(new Error('left'));
    await expect(first).rejects.toThrow('left');
    expect(costs).toEqual([7]);
    expect(worker.runs).toEqual([]);
    await vi.waitFor(async () => expect(await countRows()).toBe(0), soon);
  });

  test('a job whose server dies is done by another one, and charged once', async () => {
    const [web, dead] = [openServer(undefined), openServer(1)];
    const costs: number[] = [];
    const answer = web.ask('a', { onProcessorTime: (ms) => costs.push(ms) });
    const frozenRun = await dead.next('a');
    dead.cut(true);
    await database.query(`update media_jobs set holder_lease_until = now() - interval '1 second'`);
    const worker = openServer(1);
    const run = await worker.next('a');
    // The first one was only frozen, and comes back.
    dead.cut(false);
    frozenRun.finish(1_000, new Uint8Array(3));
    await vi.waitFor(() => expect(dead.runs).toEqual([]), soon);
    run.finish(20);
    expect(await answer).toEqual({ name: 'a' });
    expect(costs).toEqual([20]);
  });

  test('a job that ends every server is given up', async () => {
    const web = openServer(undefined);
    const answer = web.ask('a');
    for (let i = 0; i < 3; i++) {
      const dead = openServer(1);
      await dead.next('a');
      dead.cut(true);
      await database.query(`update media_jobs set holder_lease_until = now() - interval '1 second'`);
    }
    openServer(1);
    await expect(answer).rejects.toMatchObject({ code: 'unprocessable' });
  });

  test('a server that stops puts its jobs back, and ends its own waiting', async () => {
    const [web, first] = [openServer(undefined), openServer(1)];
    const answer = web.ask('a');
    await first.next('a');
    await first.close();
    const second = openServer(1);
    (await second.next('a')).finish();
    expect(await answer).toEqual({ name: 'a' });
    const waiting = web.ask('b', {}, new Uint8Array(100_000));
    await second.next('b');
    await web.close();
    await expect(waiting).rejects.toMatchObject({ code: 'unavailable' });
    await vi.waitFor(async () => expect([await countRows(), await listParts()]).toEqual([0, []]), soon);
  });

  test('nobody works on a job whose asker has died', async () => {
    const [web, worker] = [openServer(undefined), openServer(1)];
    void web.ask('running');
    const run = await worker.next('running');
    void web.ask('waiting');
    await vi.waitFor(async () => expect(await countRows()).toBe(2), soon);
    web.cut(true);
    await database.query(`update media_jobs set asker_lease_until = now() - interval '1 second'`);
    const queue = openSharedQueue({ db: database.db, server: 'other', kind: 'pictures', queueLimit: 10 });
    expect(await queue.claim(['account', 'guest'], ['pictures'])).toBeUndefined();
    run.finish();
    await vi.waitFor(() => expect(worker.runs).toEqual([]), soon);
    await database.query(`update media_jobs set asker_lease_until = now() - interval '2 minutes'`);
    expect(await queue.removeAbandoned()).toHaveLength(2);
  });

  test('a lane that is full refuses, and the other one does not', async () => {
    const web = openServer(undefined, { queueLimit: 2 });
    void web.ask('a');
    void web.ask('b');
    await vi.waitFor(async () => expect(await countRows()).toBe(2), soon);
    await expect(web.ask('c')).rejects.toMatchObject({ code: 'tooMany' });
    void web.ask('d', by('gus', 'guest'));
    await vi.waitFor(async () => expect(await countRows()).toBe(3), soon);
  });
});

describe('jobs of models', () => {
  test('are run where the model is, and nowhere else', async () => {
    const pictures = openServer(1);
    const web = openServer(undefined, { models: [] });
    // Two jobs at once, as nobody knows which of them comes first.
    const [one, other] = [openServer(1, { models: ['isnet-1'] }), openServer(2, { models: ['isnet-2', 'u2net-1'] })];
    const answers = [web.ask('u2net-1 a'), other.ask('isnet-1 b'), one.ask('isnet-2 c')];
    let names: string[] | undefined;
    void Promise.all(answers).then((all) => {
      names = all.map(({ name }) => name);
    });
    // A job runs again where the database was too slow for its result, so whatever runs is ended until all have come.
    const work = new Map<unknown, Set<string>>([
      [one, new Set()],
      [other, new Set()],
    ]);
    await vi.waitFor(() => {
      for (const server of [one, other]) {
        for (const run of [...server.runs]) {
          work.get(server)!.add(run.name);
          run.finish();
        }
      }
      expect(names).toEqual(['u2net-1 a', 'isnet-1 b', 'isnet-2 c']);
    }, soon);
    expect([...work.get(one)!]).toEqual(['isnet-1 b']);
    expect([...work.get(other)!].sort()).toEqual(['isnet-2 c', 'u2net-1 a']);
    expect(pictures.runs).toEqual([]);
  });

  test('wait for a model that no server has, while pictures and other models go on', async () => {
    const web = openServer(undefined, { models: [] });
    const places: number[] = [];
    const waiting = web.ask('u2net-9 a', { onPlace: (place) => places.push(place) });
    await vi.waitFor(() => expect(places).toEqual([1]), soon);
    const [picture, worker] = [openServer(undefined), openServer(1)];
    const answer = picture.ask('a');
    (await worker.next('a')).finish();
    await answer;
    const models = openServer(1, { models: ['isnet-1'] });
    const second = web.ask('isnet-1 b');
    (await models.next('isnet-1 b')).finish();
    await second;
    const late = openServer(1, { models: ['u2net-9'] });
    (await late.next('u2net-9 a')).finish();
    await waiting;
    expect([worker.runs, models.runs]).toEqual([[], []]);
  });

  test('are left alone by a server from before, whose jobs are pictures', async () => {
    const [web, worker] = [openServer(undefined, { models: [] }), openServer(1)];
    void web.ask('isnet-1 a');
    await vi.waitFor(async () => expect(await countRows()).toBe(1), soon);
    // It claims whatever has the format 1, and knows no column `needs`.
    expect((await database.query('select format from media_jobs where format = 1')).rows).toEqual([]);
    await database.query(
      `insert into media_jobs (id, format, name, lane, caller, debt_ms, input, asker, asker_lease_until)
        values ('old', 1, 'work', 'account', 'ann', 0, $1, 'old', now() + interval '1 minute')`,
      [serialize({ name: 'old' })],
    );
    await worker.next('old');
    expect(worker.runs).toHaveLength(1);
  });
});

test('turns are those of the queue of one server', async () => {
  const step = fc.oneof(
    fc.record({
      kind: fc.constant('add' as const),
      caller: fc.constantFrom('ann', 'bob', 'cleo'),
      debtMs: fc.constantFrom(0, 900, 4_000),
    }),
    fc.record({ kind: fc.constant('claim' as const) }),
    fc.record({ kind: fc.constant('finish' as const), costMs: fc.constantFrom(0, 500, 3_000) }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 24 }), async (steps) => {
      await database.query('delete from media_jobs');
      const queue = openSharedQueue({ db: database.db, server: 'one', kind: 'pictures', queueLimit: 100 });
      const model = createJobQueue<string>({ size: 1_000, queueLimit: 100, callerLimit: 100 });
      const running: { id: string; run: number; caller: string }[] = [];
      const debts = new Map<string, number>();
      const callerOf = (name: string) => ({ name, lane: 'account' as const, debtMs: debts.get(name) ?? 0 });
      for (const [number, one] of steps.entries()) {
        if (one.kind === 'add') {
          const debtMs = debts.get(one.caller) ?? one.debtMs;
          debts.set(one.caller, debtMs);
          const id = `${one.caller} ${number}`;
          const job = {
            id,
            name: 'work',
            needs: 'pictures',
            caller: callerOf(one.caller),
            debtMs,
            processorLimitMs: undefined,
          };
          expect(await queue.add({ ...job, input: new Uint8Array() })).toBe(true);
          model.add({ ...callerOf(one.caller), debtMs }, id);
        } else if (one.kind === 'claim') {
          const run = await queue.claim(['account'], ['pictures']);
          expect(run?.id).toBe(model.take());
          if (run) running.push({ id: run.id, run: run.run, caller: run.caller.name });
        } else {
          const run = running.shift();
          if (!run) continue;
          debts.set(run.caller, (debts.get(run.caller) ?? 0) + one.costMs);
          const end = { outcome: { kind: 'done' as const }, output: undefined, costMs: one.costMs };
          expect(await queue.finish(run, end)).toBe(true);
          await queue.remove(run.id);
          model.release(callerOf(run.caller), one.costMs);
        }
      }
    }),
    { numRuns: repetitions(12, 300), seed },
  );
});

test('in a race of servers each job is answered once, and no process has two', {
  tags: ['detail'],
  timeout: 300_000,
}, async () => {
  const random = createRandom(seed);
  const servers = [openServer(2), openServer(1), openServer(undefined), openServer(1)];
  const count = repetitions(60, 3_000);
  const counts = { done: 0, left: 0 };
  let isOver = false;
  const ending = (async () => {
    while (!isOver) {
      for (const { runs } of servers) if (runs.length > 0 && random() < 0.7) runs[0]!.finish(1);
      await new Promise(setImmediate);
    }
  })();
  const asking = Array.from({ length: count }, async (_, i) => {
    const leave = new AbortController();
    const { ask } = servers[Math.floor(random() * servers.length)]!;
    const name = `job ${i}`;
    const answer = ask(name, { ...by(`caller ${i % 40}`), signal: leave.signal });
    if (random() < 0.2) setImmediate(() => leave.abort(new Error('left')));
    const result = await answer.catch((error: unknown) => error);
    if (result instanceof Error) {
      expect(result.message).toBe('left');
      counts.left++;
    } else {
      expect(result).toEqual({ name });
      counts.done++;
    }
  });
  await Promise.all(asking);
  isOver = true;
  await ending;
  expect(counts.done + counts.left).toBe(count);
  expect(counts.done).toBeGreaterThan(count / 2);
  await vi.waitFor(async () => expect(await countRows()).toBe(0), soon);
});
