import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../test/server.ts';
import type { Actor } from '../platform/mount.ts';
import { vectorizerTurns } from '../platform/schema.ts';
import { sweepTurns, takeTurn } from './turns.ts';

let server: TestApp;
beforeAll(async () => {
  server = await createTestApp({ vectorizerPaceMs: { free: 2000, paid: 100 } });
});
afterAll(() => server.close());

let people = 0;
const somebody = (): Actor => ({ kind: 'guest', guestId: `guest-${++people}`, address: '198.51.100.7' });
const never = () => new AbortController().signal;
const take = (who: Actor, mode: 'free' | 'paid', signal = never(), deps = server.deps) =>
  takeTurn(deps, who, mode, signal);
async function millisecondsOf(work: Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work;
  return performance.now() - began;
}
const nextOf = async (who: Actor & { kind: 'guest' }) => {
  const [row] = await server.deps.db
    .select()
    .from(vectorizerTurns)
    .where(eq(vectorizerTurns.caller, `guest:${who.guestId}`));
  return row?.nextAt.getTime();
};

test('the first is taken at once, the second 2000 ms later', async () => {
  const ann = somebody();
  expect(await millisecondsOf(take(ann, 'free'))).toBeLessThan(1000);
  const waited = await millisecondsOf(take(ann, 'free'));
  expect(waited).toBeGreaterThan(1500);
  expect(waited).toBeLessThan(3000);
});

test('in the paid tier 100 ms later', async () => {
  const ann = somebody();
  await take(ann, 'paid');
  const nine = await millisecondsOf(
    (async () => {
      for (let turn = 0; turn < 9; turn++) await take(ann, 'paid');
    })(),
  );
  expect(nine).toBeGreaterThan(850);
  expect(nine).toBeLessThan(4000);
});

test('one caller waits for nobody else', async () => {
  const together = Promise.all(Array.from({ length: 20 }, () => take(somebody(), 'free')));
  expect(await millisecondsOf(together)).toBeLessThan(1900);
});

test('on two servers at once, turns of a caller are never closer than the pace', async () => {
  const second = await server.openSecond();
  const ann = somebody();
  const taken: number[] = [];
  await Promise.all(
    Array.from({ length: 16 }, async (_, index) => {
      await take(ann, 'paid', never(), index % 2 ? second.deps : server.deps);
      taken.push(performance.now());
    }),
  );
  taken.sort((a, b) => a - b);
  expect(taken).toHaveLength(16);
  // Sixteen turns span at least fifteen paces, whoever took them; a late answer may bring two of them closer on our clock.
  expect(taken.at(-1)! - taken[0]!).toBeGreaterThan(15 * 100 - 60);
});

test('who would wait longer than four seconds is told so, with the seconds', async () => {
  const ann = somebody();
  const answers = await Promise.allSettled(Array.from({ length: 5 }, () => take(ann, 'free')));
  const refused = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason] : []));
  expect(refused.length).toBeGreaterThanOrEqual(2);
  expect(answers.length - refused.length).toBeGreaterThanOrEqual(2);
  for (const reason of refused) {
    expect(reason).toMatchObject({ code: 'tooMany', retryAfterSeconds: expect.any(Number) });
    expect(reason.retryAfterSeconds).toBeGreaterThanOrEqual(1);
    expect(reason.retryAfterSeconds).toBeLessThanOrEqual(2);
    expect(reason.message).toMatch(
      /^Several of your pictures are being traced already\. Please try again in .*second.*\.$/,
    );
  }
});

describe('a caller who goes away', () => {
  test('is let go at once and takes no turn', async () => {
    const ann = somebody() as Actor & { kind: 'guest' };
    await take(ann, 'free');
    const before = await nextOf(ann);
    const leaving = new AbortController();
    const reason = new Error('gone');
    const waiting = take(ann, 'free', leaving.signal).catch((error: unknown) => error);
    leaving.abort(reason);
    expect(await waiting).toBe(reason);
    expect(await nextOf(ann)).toBe(before);
  });

  test('again and again, as when settings are slid, keeps the last one waiting no longer', async () => {
    const ann = somebody();
    await take(ann, 'free');
    const began = performance.now();
    for (let change = 0; change < 12; change++) {
      const leaving = new AbortController();
      const waiting = take(ann, 'free', leaving.signal).catch(() => undefined);
      leaving.abort();
      await waiting;
    }
    await take(ann, 'free');
    expect(performance.now() - began).toBeLessThan(3000);
  });
});

test('callers long gone are forgotten', async () => {
  const ann = somebody() as Actor & { kind: 'guest' };
  await take(ann, 'free');
  await sweepTurns(server.deps);
  expect(await nextOf(ann)).toBeDefined();
  await server.deps.db
    .update(vectorizerTurns)
    .set({ nextAt: new Date(Date.now() - 2 * 3_600_000) })
    .where(eq(vectorizerTurns.caller, `guest:${ann.guestId}`));
  await sweepTurns(server.deps);
  expect(await nextOf(ann)).toBeUndefined();
});
