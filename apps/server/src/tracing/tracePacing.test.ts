import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { createTestApp, type TestApp } from '../../test/server.ts';
import type { Actor } from '../platform/mount.ts';
import { sweepRateLimits } from '../platform/rateLimit.ts';
import { tracePacing } from '../platform/tables.ts';
import { paceTrace } from './tracePacing.ts';

/**
 * The waits that were begun, in milliseconds. They and the database's clock tell the pace, however busy the machine
 * is.
 */
const waits = vi.hoisted((): number[] => []);
// Other files share these modules: they are imported again with the mock here, and without it after this file.
vi.hoisted(() => vi.resetModules());
afterAll(() => {
  vi.doUnmock('node:timers/promises');
  vi.resetModules();
});
vi.mock('node:timers/promises', async (importOriginal) => {
  const real = await importOriginal<typeof import('node:timers/promises')>();
  const setTimeout: typeof real.setTimeout = (ms, ...more) => {
    waits.push(ms ?? 0);
    return real.setTimeout(ms, ...more);
  };
  return { ...real, setTimeout };
});

let server: TestApp;
beforeAll(async () => {
  server = await createTestApp({ vectorizerPaceMs: { free: 2000, paid: 100 } });
});
afterAll(() => server.close());
beforeEach(() => {
  waits.length = 0;
});

type Guest = Actor & { kind: 'guest' };
let people = 0;
const somebody = (): Guest => ({ kind: 'guest', guestId: `guest-${++people}`, address: '198.51.100.7' });
const never = () => new AbortController().signal;
const take = (who: Actor, mode: 'free' | 'paid', signal = never(), context = server.context) =>
  paceTrace(context, who, mode, signal);
const isOf = ({ guestId }: Guest) => eq(tracePacing.caller, `guest:${guestId}`);
/** When the caller's next turn is due, by the database's clock. */
const nextOf = async (who: Guest): Promise<number | undefined> => {
  const [row] = await server.context.db.select().from(tracePacing).where(isOf(who));
  return row?.nextAt.getTime();
};
/** Takes a turn, sets the next one `ms` later, and returns its time. */
async function takeWithNextIn(who: Guest, ms: number): Promise<number> {
  await take(who, 'free');
  const nextAt = sql`clock_timestamp() + ${ms} * interval '1 millisecond'`;
  await server.context.db.update(tracePacing).set({ nextAt }).where(isOf(who));
  return (await nextOf(who))!;
}

test('starts the first trace at once, the second 2000 ms later', async () => {
  const ann = somebody();
  await take(ann, 'free');
  expect(waits).toEqual([]);
  const second = (await nextOf(ann))!;
  await take(ann, 'free');
  expect(Math.max(...waits)).toBeLessThanOrEqual(2000);
  expect((await nextOf(ann))! - second).toBeGreaterThanOrEqual(2000);
});

test('starts the second trace 100 ms later in the paid tier', async () => {
  const ann = somebody();
  await take(ann, 'paid');
  const second = (await nextOf(ann))!;
  for (let turn = 0; turn < 9; turn++) await take(ann, 'paid');
  expect(Math.max(...waits)).toBeLessThanOrEqual(100);
  expect((await nextOf(ann))! - second).toBeGreaterThanOrEqual(9 * 100);
});

test('paces each caller separately', async () => {
  await Promise.all(Array.from({ length: 20 }, () => take(somebody(), 'free')));
  expect(waits).toEqual([]);
});

test('keeps the pace of a caller across two servers', async () => {
  const second = await server.openSecond();
  const ann = somebody();
  await take(ann, 'paid');
  const first = (await nextOf(ann))!;
  const answers = await Promise.allSettled(
    Array.from({ length: 16 }, (_, index) => take(ann, 'paid', never(), index % 2 ? second.context : server.context)),
  );
  // On a busy machine some would wait for more than four seconds, and are told so.
  const slotCount = answers.filter(({ status }) => status === 'fulfilled').length;
  for (const answer of answers) if (answer.status === 'rejected') expect(answer.reason.code).toBe('tooMany');
  expect(slotCount).toBeGreaterThan(1);
  expect((await nextOf(ann))! - first).toBeGreaterThanOrEqual(slotCount * 100);
});

describe('a caller who would wait longer than four seconds', { tags: ['detail'] }, () => {
  const refusal = { code: 'tooMany', retryAfterSeconds: expect.any(Number) };
  const words = /^Several of your pictures are being traced already\. Please try again in .*second.*\.$/;

  test('is refused at once, with the seconds to wait', async () => {
    const ann = somebody();
    await takeWithNextIn(ann, 20_000);
    const reason = await take(ann, 'free').catch((error: unknown) => error);
    expect(reason).toMatchObject({ ...refusal, message: expect.stringMatching(words) });
    const { retryAfterSeconds } = reason as { retryAfterSeconds: number };
    expect(retryAfterSeconds).toBeGreaterThan(5);
    expect(retryAfterSeconds).toBeLessThanOrEqual(20);
    expect(waits).toEqual([]);
  });

  test('is refused for their own waiting traces, too', async () => {
    const ann = somebody();
    const answers = await Promise.allSettled(Array.from({ length: 5 }, () => take(ann, 'free')));
    const refusals = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason] : []));
    expect(refusals.length).toBeGreaterThanOrEqual(2);
    expect(refusals.length).toBeLessThan(5);
    for (const reason of refusals) {
      expect(reason).toMatchObject({ ...refusal, message: expect.stringMatching(words) });
      expect([1, 2]).toContain(reason.retryAfterSeconds);
    }
  });
});

describe('a caller who disconnects', () => {
  test('stops waiting at once and uses no turn', async () => {
    const ann = somebody();
    const due = await takeWithNextIn(ann, 3_500);
    const leaving = new AbortController();
    const reason = new Error('gone');
    const waiting = take(ann, 'free', leaving.signal).catch((error: unknown) => error);
    await expect.poll(() => waits).toHaveLength(1);
    leaving.abort(reason);
    expect(await waiting).toBe(reason);
    expect(await nextOf(ann)).toBe(due);
  });

  test('again and again, as while dragging a slider, does not delay the last trace', async () => {
    const ann = somebody();
    const due = await takeWithNextIn(ann, 3_500);
    for (let change = 0; change < 12; change++) {
      const leaving = new AbortController();
      const waiting = take(ann, 'free', leaving.signal).catch(() => undefined);
      leaving.abort();
      await waiting;
    }
    expect(await nextOf(ann)).toBe(due);
    await take(ann, 'free');
    expect(Math.max(...waits)).toBeLessThanOrEqual(3_500);
    expect((await nextOf(ann))! - due).toBeGreaterThanOrEqual(2000);
  });
});

test('deletes the records of callers after a time', async () => {
  const ann = somebody();
  await take(ann, 'free');
  await sweepRateLimits(server.context);
  expect(await nextOf(ann)).toBeDefined();
  await server.context.db
    .update(tracePacing)
    .set({ nextAt: new Date(Date.now() - 2 * 3_600_000) })
    .where(isOf(ann));
  await sweepRateLimits(server.context);
  expect(await nextOf(ann)).toBeUndefined();
});
