import pino from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { createDatabase } from '../../test/server.ts';
import { type Database, openDatabase } from '../platform/database.ts';
import { AppError } from '../platform/errors.ts';
import { callerOf } from '../platform/ownership.ts';
import { withPlaceReports } from '../platform/placeReports.ts';
import { type Caller, PoisonJobError, type Pool } from '../platform/ports/mediaPool.ts';
import { sweepRateLimits } from '../platform/rateLimit.ts';
import { sweepFailedJobs } from './failedJobs.ts';
import { createMeter } from './meteredPool.ts';
import { failedJobs } from './tables.ts';
import type { PoolRunOptions } from './workerProcess.ts';

interface Jobs {
  trace: { input: { picture: { png: Uint8Array }; options?: object }; output: string };
}

let database: Database;
let drop: () => Promise<void>;
beforeAll(async () => {
  const newDatabase = await createDatabase();
  database = openDatabase(newDatabase.connection, () => {});
  drop = newDatabase.drop;
});
afterAll(async () => {
  await database.close();
  await drop();
});

const START = Date.parse('2026-11-22T12:00:00Z');
let nowMs = START;
/** The cost and the outcome of the next job. Each test sets them. */
let costMs: number;
let end: (options: PoolRunOptions) => string | Promise<string>;
let runs: PoolRunOptions[];
let guests = 0;
let network: string;
beforeEach(() => {
  nowMs = START;
  costMs = 0;
  end = () => 'svg';
  runs = [];
  network = `198.51.100.${++guests}`;
});

const inner: Pool<Jobs, PoolRunOptions> = {
  async run(_job, _input, options) {
    runs.push(options);
    options.onProcessorTime?.(costMs);
    return end(options);
  },
  stats: () => ({ size: 1, ready: 1, running: 0, queued: 0, done: 0, failed: 0, killed: 0 }),
  close: async () => {},
};
/** Another server on the same database. */
const openServer = () =>
  createMeter({
    db: database.db,
    now: () => new Date(nowMs),
    log: pino({ level: 'silent' }),
    budgetSeconds: { guest: 60, network: 120, account: 300 },
  })(inner, { guest: 8_000, account: 15_000 });

const guest = (name = 'a') => callerOf({ kind: 'guest', guestId: `${network} ${name}`, address: network });
const user = (id: number, isAdmin = false) =>
  callerOf({ kind: 'user', id, email: '', isAdmin, sessionId: '', address: network });
const picture = (byte: number) => ({ picture: { png: new Uint8Array([byte, guests]) } });
let bytes = 0;
const run = (caller: Caller, input: Jobs['trace']['input'] = picture(++bytes % 256), pool = openServer()) =>
  pool.run('trace', input, { caller });
const minutes = (count: number) => {
  nowMs += count * 60_000;
};
const tooMany = { code: 'tooMany', message: /^Your pictures took much work in the last minutes. Please try again in / };
const poison = () => {
  throw new PoisonJobError('This picture took too long.');
};

describe('a budget of processor time', () => {
  test('refuses a guest who has used it up, on every server, until some of it has drained', async () => {
    costMs = 20_000;
    for (let i = 0; i < 3; i++) await run(guest());
    await expect(run(guest())).rejects.toMatchObject({ ...tooMany, retryAfterSeconds: 10 });
    await expect(run(guest())).rejects.toMatchObject(tooMany);
    expect(runs).toHaveLength(3);
    nowMs += 10_000; // as Retry-After said
    await run(guest());
    // 20 s over the budget drain in 200 s.
    await expect(run(guest())).rejects.toMatchObject({ ...tooMany, retryAfterSeconds: expect.closeTo(200, -1) });
  });

  test('drains evenly, and fully within ten minutes', async () => {
    costMs = 60_000;
    await run(guest());
    minutes(5);
    costMs = 30_000;
    await run(guest());
    await expect(run(guest())).rejects.toMatchObject(tooMany);
    minutes(10);
    for (let i = 0; i < 2; i++) await run(guest());
  });

  test('of a network is shared by its guests, who each have their own as well', async () => {
    costMs = 60_000;
    await run(guest('a'));
    await expect(run(guest('a'))).rejects.toMatchObject(tooMany);
    await run(guest('b'));
    await expect(run(guest('c'))).rejects.toMatchObject(tooMany);
  });

  test('of an account does not depend on its address', async () => {
    costMs = 300_000;
    await run(user(1_000 + guests));
    await expect(run(user(1_000 + guests))).rejects.toMatchObject(tooMany);
    await run(user(2_000 + guests));
    costMs = 1_000;
    await run(guest());
  });

  test('does not apply to the administrator', async () => {
    costMs = 1_000_000;
    for (let i = 0; i < 3; i++) await run(user(1, true));
  });

  test('is charged for a job that failed or was canceled', async () => {
    costMs = 60_000;
    end = () => {
      throw new AppError('unavailable', 'The caller went away.');
    };
    await expect(run(guest())).rejects.toMatchObject({ code: 'unavailable' });
    await expect(run(guest())).rejects.toMatchObject(tooMany);
  });

  test('is charged four times for a job that exceeded its limit', async () => {
    costMs = 15_000;
    end = poison;
    await expect(run(guest())).rejects.toBeInstanceOf(PoisonJobError);
    await expect(run(guest())).rejects.toMatchObject(tooMany);
  });

  test('counts concurrent charges in full', async () => {
    costMs = 5_000;
    await Promise.all(Array.from({ length: 12 }, () => run(guest())));
    await expect(run(guest())).rejects.toMatchObject(tooMany);
  });

  test('is passed to the queue, with the limits of the lane', async () => {
    costMs = 4_000;
    await run(guest());
    await run(guest());
    await run(user(3_000 + guests));
    expect(runs.map(({ debtMs }) => Math.round(debtMs!))).toEqual([0, 4_000, 0]);
    expect(runs.map(({ processorLimitMs }) => processorLimitMs)).toEqual([8_000, 8_000, 15_000]);
  });

  test('is deleted by the sweep after it has drained, not before', async () => {
    costMs = 60_000;
    await run(guest());
    const context = { db: database.db, now: () => new Date(nowMs) } as never;
    minutes(9);
    await sweepRateLimits(context);
    costMs = 54_000;
    await run(guest());
    await expect(run(guest())).rejects.toMatchObject(tooMany);
  });
});

describe('a job that exceeded its limit', () => {
  test('is refused at once with the same sentence, for the same bytes from any caller', async () => {
    end = poison;
    const other = callerOf({ kind: 'guest', guestId: 'other', address: '203.0.113.77' });
    await expect(run(guest(), picture(1))).rejects.toBeInstanceOf(PoisonJobError);
    for (const caller of [guest(), other]) {
      await expect(run(caller, picture(1))).rejects.toMatchObject({ message: 'This picture took too long.' });
    }
    expect(runs).toHaveLength(1);
  });

  test('runs with other bytes, with other options, or for an account, which may use more', async () => {
    end = poison;
    costMs = 1;
    const options = { despeckle: 2 };
    await expect(run(guest(), { ...picture(1), options })).rejects.toThrow();
    const others = [
      run(guest(), { ...picture(2), options }),
      run(guest(), { ...picture(1), options: { despeckle: 3 } }),
      run(user(4_000 + guests), { ...picture(1), options }),
    ];
    await Promise.allSettled(others);
    expect(runs).toHaveLength(4);
  });

  test('runs again after a day', async () => {
    end = poison;
    await expect(run(guest(), picture(1))).rejects.toThrow();
    minutes(24 * 60 + 1);
    end = () => 'svg';
    expect(await run(guest(), picture(1))).toBe('svg');
    await sweepFailedJobs({ db: database.db, now: () => new Date(nowMs) });
    expect(await database.db.$count(failedJobs)).toBe(0);
  });

  test('is not one that was refused, canceled or broken by the machine', async () => {
    end = () => {
      throw new AppError('unprocessable', 'This file could not be processed.');
    };
    await expect(run(guest(), picture(1))).rejects.toThrow();
    await expect(run(guest(), picture(1))).rejects.toThrow();
    expect(runs).toHaveLength(2);
  });
});

describe('simultaneous callers of the same job', () => {
  const busyGuest = (name: string) =>
    callerOf({ kind: 'guest', guestId: `busy ${name}`, address: `203.0.113.${guests}` });

  /** Lets one caller after the other wait for the same job. `finish` ends the work, and `leave` takes a caller out. */
  async function startTogether(callers: readonly Caller[]) {
    const pool = openServer();
    const input = picture(++bytes % 256);
    let finish = (_outcome: () => string) => {};
    const work = new Promise<string>((resolve, reject) => {
      finish = (outcome) => {
        try {
          resolve(outcome());
        } catch (error) {
          reject(error);
        }
      };
    });
    work.catch(() => {});
    end = ({ signal, onPlace }) => {
      onPlace?.(2);
      const cancellation = new Promise<never>((_, reject) => {
        signal?.addEventListener('abort', () => reject(signal.reason));
      });
      return Promise.race([work, cancellation]);
    };
    const controllers: AbortController[] = [];
    const results: Promise<PromiseSettledResult<string>>[] = [];
    for (const caller of callers) {
      const controller = new AbortController();
      let place = 0;
      const onPlace = (newPlace: number) => {
        place = newPlace;
      };
      const result = pool.run('trace', input, { caller, signal: controller.signal, onPlace });
      results.push(Promise.allSettled([result]).then(([one]) => one));
      controllers.push(controller);
      await vi.waitFor(() => expect(place).toBe(2), { timeout: 60_000, interval: 5 });
    }
    const leave = (index: number) => controllers[index]!.abort(new Error(`Caller ${index} left.`));
    return { finish, leave, results, again: (caller: Caller) => pool.run('trace', input, { caller }) };
  }

  test('share one run, its result and its place in the queue, and the first one pays', async () => {
    costMs = 60_000;
    const { finish, results, again } = await startTogether([guest('a'), busyGuest('b'), busyGuest('c')]);
    expect(runs).toHaveLength(1);
    finish(() => 'shared');
    expect(await Promise.all(results)).toEqual(Array(3).fill({ status: 'fulfilled', value: 'shared' }));
    await expect(run(guest('a'))).rejects.toMatchObject(tooMany);
    costMs = 0;
    await run(busyGuest('b'));
    await again(busyGuest('c')); // a run that has ended is not shared
    expect(runs).toHaveLength(3);
  });

  test('are all refused by one run of a hostile picture', async () => {
    const { finish, results, again } = await startTogether(['a', 'b', 'c', 'd', 'e'].map(guest));
    finish(poison);
    for (const result of await Promise.all(results)) {
      expect(result).toMatchObject({ status: 'rejected', reason: { message: 'This picture took too long.' } });
    }
    await expect(again(guest())).rejects.toBeInstanceOf(PoisonJobError);
    expect(runs).toHaveLength(1);
  });

  test('go on when one of them leaves, the first one too, and the last one ends the run', async () => {
    const { leave, results } = await startTogether([guest('a'), guest('b'), guest('c')]);
    for (const index of [0, 2]) {
      leave(index);
      expect(await results[index]).toMatchObject({ reason: { message: `Caller ${index} left.` } });
      expect(runs[0]?.signal?.aborted).toBe(false);
    }
    leave(1);
    expect(await results[1]).toMatchObject({ reason: { message: 'Caller 1 left.' } });
    expect(runs[0]?.signal?.aborted).toBe(true);
  });

  test('of two lanes, and with less use than the first caller, have runs of their own', async () => {
    costMs = 5_000;
    await run(guest('a'));
    costMs = 0;
    runs = [];
    // The same network has used as much for guest b, but busyGuest's has used nothing.
    const { finish, results } = await startTogether([guest('a'), busyGuest('b'), user(5_000 + guests), guest('a')]);
    expect(runs.map(({ caller }) => caller.lane)).toEqual(['guest', 'guest', 'account']);
    finish(() => 'svg');
    expect(await Promise.all(results)).toEqual(Array(4).fill({ status: 'fulfilled', value: 'svg' }));
  });

  test('try for themselves when the first one has too many jobs', async () => {
    const { finish, results } = await startTogether([guest('a'), guest('b')]);
    end = () => 'for b';
    finish(() => {
      throw new AppError('tooMany', 'You already have 3 pictures in work.');
    });
    expect(await Promise.all(results)).toMatchObject([
      { status: 'rejected', reason: { code: 'tooMany' } },
      { status: 'fulfilled', value: 'for b' },
    ]);
  });
});

test('a job reports its place to the stream of the call that it belongs to', async () => {
  const places: number[] = [];
  await withPlaceReports(
    (place) => places.push(place),
    () => run(guest()),
  );
  runs[0]?.onPlace?.(4);
  expect(places).toEqual([4]);
});
