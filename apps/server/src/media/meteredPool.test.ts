import pino from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
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
let end: () => string;
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
    return end();
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
      throw new AppError('unprocessable', 'This picture could not be processed.');
    };
    await expect(run(guest(), picture(1))).rejects.toThrow();
    await expect(run(guest(), picture(1))).rejects.toThrow();
    expect(runs).toHaveLength(2);
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
