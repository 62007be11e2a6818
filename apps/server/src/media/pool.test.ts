import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { getPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { poolWorkerProgram } from '../../test/builtServer.ts';
import { isAlive } from '../../test/machine.ts';
import type { TestJobs } from '../../test/poolWorker.ts';
import { type Lane, PoisonJobError, type Pool } from '../platform/ports/mediaPool.ts';
import { createPool, type PoolSettings } from './pool.ts';
import type { PoolRunOptions } from './workerProcess.ts';

const open: Pool<TestJobs, PoolRunOptions>[] = [];
const folders: string[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((pool) => pool.close()));
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

async function startPool(settings: Partial<PoolSettings> = {}): Promise<Pool<TestJobs, PoolRunOptions>> {
  const pool = createPool<TestJobs>({
    ...poolWorkerProgram,
    size: 1,
    log: pino({ level: 'silent' }),
    ...settings,
  });
  open.push(pool);
  await until(() => pool.stats().ready === (settings.size ?? 1));
  return pool;
}

const until = (holds: () => boolean): Promise<void> =>
  vi.waitFor(() => expect(holds()).toBe(true), { timeout: 60_000, interval: 10 });
const by = (name: string, lane: Lane = 'account') => ({ caller: { name, lane, payers: [] } });
const ann = by('ann');

describe('the pool', () => {
  test('runs a job in another process and returns its bytes', async () => {
    const pool = await startPool();
    const bytes = new Uint8Array(1_000_000).map((_, i) => i);
    const answer = await pool.run('echo', { bytes }, ann);
    expect(Buffer.compare(answer.bytes, bytes)).toBe(0);
    expect(answer.pid).not.toBe(process.pid);
    expect(pool.stats()).toMatchObject({ running: 0, queued: 0, done: 1, failed: 0, killed: 0 });
  });

  test('runs jobs at lower priority than the server', async () => {
    const pool = await startPool();
    const { pid } = await pool.run('wait', { ms: 0 }, ann);
    expect(getPriority(pid)).toBe(Math.min(19, getPriority() + 5));
  });

  test('reports progress', async () => {
    const pool = await startPool();
    const reports: unknown[] = [];
    await pool.run('wait', { ms: 1 }, { ...ann, onProgress: (progress) => reports.push(progress) });
    expect(reports).toEqual([{ stage: 'waiting', fraction: 0.5 }]);
  });

  test('passes on a refusal, and hides a bug behind a sentence', async () => {
    const pool = await startPool();
    await expect(pool.run('refuse', {}, ann)).rejects.toMatchObject({ code: 'unsupported', message: /not a JPG/ });
    await expect(pool.run('crash', { how: 'throw' }, ann)).rejects.toMatchObject({
      code: 'unprocessable',
      message: 'This file could not be processed.',
    });
  });

  test('passes none of the server’s settings to a worker', async () => {
    vi.stubEnv('DATABASE_URL', 'postgres://secret');
    const pool = await startPool();
    vi.unstubAllEnvs();
    const { names } = await pool.run('environment', {}, ann);
    expect(
      names.filter(
        (name) => !['PATH', 'NODE_ENV', 'NODE_CHANNEL_FD', 'NODE_CHANNEL_SERIALIZATION_MODE'].includes(name),
      ),
    ).toEqual([]);
  });

  test('kills a job that uses too much processor time and goes on with the next', async () => {
    const pool = await startPool({ processorLimitMs: 300 });
    const { pid } = await pool.run('wait', { ms: 0 }, ann);
    const error = pool.run('burn', { ms: 60_000 }, ann).catch((reason: unknown) => reason);
    const after = pool.run('wait', { ms: 0 }, ann);
    expect(await error).toBeInstanceOf(PoisonJobError);
    expect(await error).toMatchObject({ message: 'This picture took too long: more than 0.3 seconds of work.' });
    expect(isAlive(pid)).toBe(false);
    expect((await after).pid).not.toBe(pid);
    expect(pool.stats()).toMatchObject({ killed: 1, done: 2 });
  });

  test('kills a job whose step exceeds the limit of the step, and says its sentence', {
    tags: ['detail'],
  }, async () => {
    const pool = await startPool();
    const costs: number[] = [];
    const onProcessorTime = (processorMs: number) => void costs.push(processorMs);
    await pool.run('burn', { ms: 600 }, ann);
    const error = pool.run('burnInStep', { ms: 60_000, limitMs: 500, laterMs: 0 }, { ...ann, onProcessorTime });
    await expect(error).rejects.toThrow(PoisonJobError);
    await expect(error).rejects.toThrow('This step is too slow.');
    expect(costs[0]).toBeLessThan(5_000); // with the start of the next process
    // Work after the end of a step does not count towards the step's limit.
    await pool.run('burnInStep', { ms: 100, limitMs: 500, laterMs: 700 }, ann);
    expect(pool.stats()).toMatchObject({ killed: 1, done: 2 });
  });

  test('lets a job go on for longer than its limit while it uses little processor time', {
    tags: ['detail'],
  }, async () => {
    const pool = await startPool({ processorLimitMs: 300 });
    await pool.run('wait', { ms: 1_200 }, ann);
    expect(pool.stats()).toMatchObject({ killed: 0, done: 1 });
  });

  const sources = process.platform === 'linux' ? (['proc', 'heartbeats'] as const) : (['heartbeats'] as const);
  test.each(sources)('measures the processor time of each job by %s', async (usageFrom) => {
    const pool = await startPool({ usageFrom });
    const cost = async (ms: number) => {
      const costs: number[] = [];
      await pool.run('burn', { ms }, { ...ann, onProcessorTime: (processorMs) => void costs.push(processorMs) });
      return costs[0];
    };
    const first = await cost(800);
    expect(first).toBeGreaterThan(400); // a heartbeat may be a moment old
    expect(first).toBeLessThan(1_600);
    // The usage of earlier jobs counts for none of the later ones.
    expect(await cost(0)).toBeLessThan(500);
  });

  test('kills a job by its heartbeats where the system does not report processor time', {
    tags: ['detail'],
  }, async () => {
    const pool = await startPool({ usageFrom: 'heartbeats', processorLimitMs: 300 });
    await expect(pool.run('burn', { ms: 60_000 }, ann)).rejects.toBeInstanceOf(PoisonJobError);
  });

  test('reports the cost of a killed job, including the start of the replacement process', {
    tags: ['detail'],
  }, async () => {
    const pool = await startPool();
    const controller = new AbortController();
    const costs: number[] = [];
    const options = { ...ann, signal: controller.signal, onProcessorTime: (ms: number) => void costs.push(ms) };
    const job = expect(pool.run('burn', { ms: 60_000 }, options)).rejects.toThrow('gone');
    controller.abort(new Error('gone'));
    await job;
    expect(costs).toHaveLength(1);
    expect(costs[0]).toBeGreaterThan(0);
  });

  test('ends a stalled job, without blaming the picture', { tags: ['detail'] }, async () => {
    const pool = await startPool({ standstillMs: 500 });
    const error = await pool.run('stick', {}, ann).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 'unprocessable', message: 'This file could not be processed.' });
    expect(error).not.toBeInstanceOf(PoisonJobError);
    await pool.run('wait', { ms: 0 }, ann);
  });

  test('keeps a process free for accounts, and runs the guests in turn on the others', async () => {
    const pool = await startPool({ size: 2 });
    const controller = new AbortController();
    const options = { ...by('192.0.2.1', 'guest'), signal: controller.signal };
    const guests = [1, 2].map(() => expect(pool.run('stick', {}, options)).rejects.toThrow('gone'));
    expect(pool.stats()).toMatchObject({ running: 1, queued: 1 });
    await pool.run('wait', { ms: 0 }, ann);
    controller.abort(new Error('gone'));
    await Promise.all(guests);
  });

  test('runs guests on the free process when their own one breaks', async () => {
    const pool = await startPool({ size: 2 });
    const guest = by('192.0.2.1', 'guest');
    const broken = expect(pool.run('crash', { how: 'exit' }, guest)).rejects.toBeInstanceOf(PoisonJobError);
    const next = pool.run('wait', { ms: 0 }, guest);
    await broken;
    await next;
  });

  test('reports the place of a waiting job, and its start', async () => {
    const pool = await startPool();
    const places: Record<string, number[]> = { ben: [], cleo: [] };
    const run = (name: string, ms: number) =>
      pool.run('wait', { ms }, { ...by(name), onPlace: (place) => places[name]?.push(place) });
    await Promise.all([run('ann', 50), run('ben', 0), run('cleo', 0)]);
    expect(places).toEqual({ ben: [1, 0], cleo: [2, 1, 0] });
  });

  test.runIf(process.platform === 'linux')('kills a job that takes too much memory', async () => {
    const pool = await startPool({ memoryLimitBytes: 200 * 2 ** 20 });
    await expect(pool.run('swell', {}, ann)).rejects.toMatchObject({ code: 'unprocessable', message: /memory/ });
    await pool.run('wait', { ms: 0 }, ann);
  });

  test.runIf(process.platform === 'linux')('changes a process that kept much memory for a fresh one', async () => {
    const pool = await startPool({ memoryLimitBytes: 400 * 2 ** 20 });
    const first = await pool.run('keep', { mb: 200 }, ann);
    await until(() => !isAlive(first.pid) && pool.stats().ready === 1);
    const second = await pool.run('keep', { mb: 1 }, ann);
    expect((await pool.run('wait', { ms: 0 }, ann)).pid).toBe(second.pid);
    expect(pool.stats()).toMatchObject({ failed: 0, killed: 0, done: 3 });
  });

  test.runIf(process.platform === 'linux')(
    'a job that waited does not pay for what the one before it kept',
    { tags: ['detail'] },
    async () => {
      const pool = await startPool({ memoryLimitBytes: 400 * 2 ** 20 });
      const jobs = ['ann', 'ben'].map((name) => pool.run('keep', { mb: 250, ms: 600 }, by(name)));
      const [first, second] = await Promise.all(jobs);
      expect(first?.pid).not.toBe(second?.pid);
    },
  );

  test.each(['exit', 'kill', 'overflow'] as const)(
    'a job that breaks its process (%s) is refused once, and the process replaced',
    async (how) => {
      const pool = await startPool({ size: 2 });
      const other = pool.run('wait', { ms: 200 }, by('ben'));
      await expect(pool.run('crash', { how }, ann)).rejects.toMatchObject({ code: 'unprocessable' });
      await other;
      await until(() => pool.stats().ready === 2);
      expect(pool.stats()).toMatchObject({ done: 1, failed: 1 });
    },
  );

  test('runs a job again whose process was killed from outside, and not a third time', async () => {
    const pool = await startPool();
    const { pid } = await pool.run('wait', { ms: 0 }, ann);
    const kills = [pid];
    const onProgress = () => {
      const next = kills.pop();
      if (next) process.kill(next, 'SIGKILL');
    };
    const again = await pool.run('waitElsewhere', { pid }, { ...ann, onProgress });
    expect(again.pid).not.toBe(pid);
    expect(isAlive(pid)).toBe(false);
    expect(pool.stats()).toMatchObject({ done: 2, failed: 0 });
    let runs = 0;
    const count = () => void runs++;
    const twice = pool.run('crash', { how: 'kill' }, { ...ann, onProcessorTime: count });
    await expect(twice).rejects.toMatchObject({ code: 'unprocessable' });
    expect(runs).toBe(2);
  });

  test('ends a job whose caller disconnected, while it runs and while it waits', async () => {
    const pool = await startPool();
    const { pid } = await pool.run('wait', { ms: 0 }, ann);
    const running = new AbortController();
    const waiting = new AbortController();
    const reason = new Error('gone');
    const first = expect(pool.run('stick', {}, { ...ann, signal: running.signal })).rejects.toBe(reason);
    const second = expect(pool.run('stick', {}, { ...ann, signal: waiting.signal })).rejects.toBe(reason);
    expect(pool.stats()).toMatchObject({ running: 1, queued: 1 });
    waiting.abort(reason);
    await second;
    expect(pool.stats()).toMatchObject({ running: 1, queued: 0 });
    running.abort(reason);
    await first;
    expect(isAlive(pid)).toBe(false);
    await expect(pool.run('echo', { bytes: new Uint8Array() }, { ...ann, signal: running.signal })).rejects.toBe(
      reason,
    );
  });

  test('accepts three jobs of one caller, then refuses with a request to wait', async () => {
    const pool = await startPool();
    const three = [1, 2, 3].map(() => pool.run('wait', { ms: 30 }, ann));
    await expect(pool.run('wait', { ms: 0 }, ann)).rejects.toMatchObject({ code: 'tooMany', retryAfterSeconds: 5 });
    await pool.run('wait', { ms: 0 }, by('ben'));
    await Promise.all(three);
    await pool.run('wait', { ms: 0 }, ann);
  });

  test('releases a caller’s share however the job ends', async () => {
    const pool = await startPool({ callerLimit: 1 });
    const controller = new AbortController();
    await expect(pool.run('refuse', {}, ann)).rejects.toMatchObject({ code: 'unsupported' });
    await expect(pool.run('crash', { how: 'exit' }, ann)).rejects.toMatchObject({ code: 'unprocessable' });
    const rejection = expect(pool.run('wait', { ms: 10_000 }, { ...ann, signal: controller.signal })).rejects.toThrow();
    controller.abort();
    await rejection;
    await pool.run('wait', { ms: 0 }, ann);
  });

  test('accepts as many jobs as its queue holds, then refuses with a request to wait', async () => {
    const pool = await startPool({ queueLimit: 4 });
    const jobs = ['a', 'b', 'c', 'd', 'e'].map((name) => pool.run('wait', { ms: 20 }, by(name)));
    expect(pool.stats()).toMatchObject({ running: 1, queued: 4 });
    await expect(pool.run('wait', { ms: 0 }, by('f'))).rejects.toMatchObject({
      code: 'tooMany',
      retryAfterSeconds: 5,
    });
    await Promise.all(jobs);
  });

  test('takes callers in turn, so that one with many jobs does not delay the others', async () => {
    const pool = await startPool();
    const order: string[] = [];
    const run = (name: string, caller: string): Promise<unknown> =>
      pool.run('wait', { ms: 1 }, by(caller)).then(() => order.push(name));
    await Promise.all([run('a1', 'a'), run('a2', 'a'), run('a3', 'a'), run('b1', 'b'), run('c1', 'c'), run('b2', 'b')]);
    expect(order).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2']);
  });

  test('starts its process with the first job, and ends it after a time without jobs', {
    tags: ['detail'],
  }, async () => {
    const pool = createPool<TestJobs>({
      ...poolWorkerProgram,
      size: 1,
      log: pino({ level: 'silent' }),
      idleMs: 100,
    });
    open.push(pool);
    expect(pool.stats()).toMatchObject({ ready: 0, running: 0 });
    const { pid } = await pool.run('wait', { ms: 300 }, ann); // longer than it may be idle
    expect((await pool.run('wait', { ms: 0 }, ann)).pid).toBe(pid);
    await until(() => !isAlive(pid) && pool.stats().ready === 0);
    expect((await pool.run('wait', { ms: 0 }, ann)).pid).not.toBe(pid);
    expect(pool.stats()).toMatchObject({ done: 3, failed: 0, killed: 0 });
  });

  test('on close refuses waiting jobs, lets running ones finish and leaves no process', async () => {
    const pool = await startPool();
    const { pid } = await pool.run('wait', { ms: 0 }, ann);
    const running = pool.run('wait', { ms: 100 }, ann);
    const waiting = expect(pool.run('wait', { ms: 0 }, ann)).rejects.toMatchObject({ code: 'unavailable' });
    await pool.close(5_000);
    await waiting;
    expect((await running).pid).toBe(pid);
    expect(isAlive(pid)).toBe(false);
    await expect(pool.run('wait', { ms: 0 }, ann)).rejects.toMatchObject({ code: 'unavailable' });
  });

  test('on close kills a job that does not end', async () => {
    const pool = await startPool();
    const { pid } = await pool.run('wait', { ms: 0 }, ann);
    const rejection = expect(pool.run('stick', {}, ann)).rejects.toMatchObject({ code: 'unavailable' });
    await pool.close(50);
    await rejection;
    expect(isAlive(pid)).toBe(false);
  });

  test('refuses a job that no process takes in time, and removes it from the queue', async () => {
    const pool = createPool<TestJobs>({
      entry: '/nowhere/worker.js',
      size: 1,
      callerLimit: 1,
      waitLimitMs: 100,
      log: pino({ level: 'silent' }),
    });
    open.push(pool);
    for (let i = 0; i < 2; i++) {
      await expect(pool.run('wait', { ms: 0 }, ann)).rejects.toMatchObject({
        code: 'unavailable',
        retryAfterSeconds: 5,
      });
      expect(pool.stats()).toMatchObject({ running: 0, queued: 0 });
    }
  });

  test('limits a running job by its own limit and not by that of waiting', async () => {
    const pool = await startPool({ waitLimitMs: 50 });
    await pool.run('wait', { ms: 200 }, ann);
  });

  test('restarts a worker that cannot start, with growing delays', { tags: ['detail'] }, async () => {
    const broke: number[] = [];
    const log = pino({ level: 'error' }, { write: () => void broke.push(performance.now()) });
    const pool = createPool<TestJobs>({ entry: '/nowhere/worker.js', size: 1, log, restartPauseMs: 100 });
    open.push(pool);
    await until(() => broke.length >= 4);
    // A pause is never shorter than asked for, however busy the machine is.
    const gaps = broke.slice(1, 4).map((time, i) => time - broke[i]!);
    for (const [i, least] of [100, 200, 400].entries()) expect(gaps[i]).toBeGreaterThan(least - 5);
  });

  /** Makes a worker whose first start is `firstStart`, and whose later ones are ready at once. It counts its starts. */
  function writeWorker(firstStart: string): { entry: string; countStarts: () => number } {
    const folder = mkdtempSync(join(tmpdir(), 'markwright-pool-'));
    folders.push(folder);
    const [entry, startsFile] = [join(folder, 'worker.mjs'), join(folder, 'starts')];
    writeFileSync(startsFile, '');
    writeFileSync(
      entry,
      `import { appendFileSync, readFileSync } from 'node:fs';
      const isFirst = readFileSync(${JSON.stringify(startsFile)}, 'utf8') === '';
      appendFileSync(${JSON.stringify(startsFile)}, '.');
      const used = () => Object.values(process.cpuUsage()).reduce((sum, time) => sum + time) / 1_000;
      const burn = (ms) => { for (const end = used() + ms; used() < end; ); };
      if (isFirst) { ${firstStart} }
      process.send({ kind: 'ready' });
      setInterval(() => {}, 1_000);`,
    );
    return { entry, countStarts: () => readFileSync(startsFile, 'utf8').length };
  }
  const startOf = (entry: string, limits: Partial<PoolSettings>) =>
    startPool({ entry, execArgv: [], restartPauseMs: 10, ...limits });

  test.each([
    ['stands still', 'await new Promise((resolve) => setTimeout(resolve, 600_000));', { standstillMs: 3_000 }],
    ['uses the processor without an end', 'burn(600_000);', { startLimitMs: 1_000 }],
  ])('replaces a worker whose start %s', { tags: ['detail'] }, async (_what, firstStart, limits) => {
    const { entry, countStarts } = writeWorker(firstStart);
    await startOf(entry, limits);
    expect(countStarts()).toBe(2);
  });

  test('lets a start last that a busy machine gives little of its processor', { tags: ['detail'] }, async () => {
    const pieces = `for (let i = 0; i < 6; i++) {
      await new Promise((resolve) => setTimeout(resolve, 400));
      burn(120);
    }`;
    const { entry, countStarts } = writeWorker(pieces);
    await startOf(entry, { startLimitMs: 2_000 });
    expect(countStarts()).toBe(1);
  });

  test('tries again when the system refuses a new process', async () => {
    let refusals = 0;
    const log = pino({ level: 'error' }, { write: () => void refusals++ });
    const tooMuch = [`--title=${'x'.repeat(200_000)}`];
    open.push(
      createPool<TestJobs>({ entry: '/nowhere/worker.js', execArgv: tooMuch, size: 1, log, restartPauseMs: 10 }),
    );
    await until(() => refusals >= 2);
  });

  test('closes while a worker cannot start', async () => {
    const pool = createPool<TestJobs>({ entry: '/nowhere/worker.js', size: 1, log: pino({ level: 'silent' }) });
    open.push(pool);
    const job = expect(pool.run('wait', { ms: 0 }, ann)).rejects.toMatchObject({ code: 'unavailable' });
    expect(pool.stats().ready).toBe(0);
    await pool.close();
    await job;
  });
});
