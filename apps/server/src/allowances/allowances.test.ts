import { plans } from '@markwright/contract';
import { and, eq, like, sql } from 'drizzle-orm';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { repetitions } from '../../test/campaign.ts';
import { createTestApp, type TestApp } from '../../test/server.ts';
import { users } from '../accounts/tables.ts';
import type { Context } from '../platform/context.ts';
import { openDatabase } from '../platform/database.ts';
import { AppError } from '../platform/errors.ts';
import { filesAway } from '../platform/files.ts';
import type { GuestActor, UserActor } from '../platform/mount.ts';
import { ownerOf } from '../platform/ownership.ts';
import { findGuestUsage, findUsage, sweepUsage, withAllowance } from './allowances.ts';
import { usage } from './tables.ts';

let server: TestApp;
let second: Context;
beforeAll(async () => {
  server = await createTestApp();
  second = (await server.openSecond()).context;
});
afterAll(() => server.close());
beforeEach(() => server.setNow(NOW));

const NOW = new Date('2026-11-21T12:00:00Z');
const MINUTE_MS = 60_000;
let people = 0;

async function createUser(plan: keyof typeof plans, periodStart: Date | null = null): Promise<UserActor> {
  const email = `u${++people}@example.com`;
  const [row] = await server.context.db
    .insert(users)
    .values({
      email,
      passwordHash: '-',
      username: email,
      subscriptionPlan: plan,
      subscriptionStatus: plan === 'free' ? 'inactive' : 'active',
      periodStart,
    })
    .returning();
  return { kind: 'user', id: row!.id, email, isAdmin: false, sessionId: '-', address: '203.0.113.1' };
}

const createGuest = (address: string): GuestActor => ({ kind: 'guest', guestId: `guest-${++people}`, address });

/** Counts the calls that succeeded. Expects the others to be refused because the limit is reached. */
async function countGranted(calls: Promise<unknown>[]): Promise<number> {
  const outcomes = await Promise.allSettled(calls);
  for (const outcome of outcomes) {
    if (outcome.status === 'fulfilled') continue;
    expect(outcome.reason).toBeInstanceOf(AppError);
    expect(outcome.reason).toMatchObject({ code: 'limitReached', status: 402 });
  }
  return outcomes.filter(({ status }) => status === 'fulfilled').length;
}

/** One of the two servers. */
const onEither = (i: number): Context => (i % 2 ? second : server.context);

/** Takes back one charge of a race, so that the next round finds one left again. */
async function giveBackOne(actor: GuestActor | UserActor): Promise<void> {
  const isCharged = and(eq(usage.owner, ownerOf(actor)), like(usage.key, 'race %'), eq(usage.state, 'settled'));
  await server.context.db.update(usage).set({ state: 'refunded' }).where(isCharged);
}

const times = <T>(count: number, make: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i));
const done = async () => 'done';

/** Work that goes on until the test ends it. */
function createWork() {
  let [notice, finish, fail] = [() => {}, () => {}, (_: Error) => {}];
  const beginning = new Promise<void>((resolve) => {
    notice = resolve;
  });
  const outcome = new Promise<void>((resolve, reject) => {
    [finish, fail] = [resolve, reject];
  });
  const run = (): Promise<void> => {
    notice();
    return outcome;
  };
  return { run, begun: beginning, finish, fail };
}

describe('races', () => {
  test('let exactly one of a hundred simultaneous exports on two servers use the last one left', async () => {
    const actor = await createUser('starter');
    for (let i = 0; i < plans.starter.vectors - 1; i++)
      await withAllowance(server.context, actor, 'vector', `k${i}`, done);
    for (let round = 0; round < repetitions(2, 20); round++) {
      let workCount = 0;
      const work = async () => ++workCount;
      const calls = times(100, (i) => withAllowance(onEither(i), actor, 'vector', `race ${round} ${i}`, work));
      expect(await countGranted(calls)).toBe(1);
      expect(workCount).toBe(1);
      expect(await findUsage(server.context, actor)).toMatchObject({ vectorsUsed: 8, vectorsLimit: 8, mockupsUsed: 0 });
      await giveBackOne(actor);
    }
  });

  test('let exactly one of two hundred simultaneous tries of a guest use the last mockup left', async () => {
    const guest = createGuest('198.51.100.1');
    for (let i = 0; i < 3; i++) await withAllowance(server.context, guest, 'guestMockup', `k${i}`, done);
    for (let round = 0; round < repetitions(2, 20); round++) {
      const calls = times(200, (i) => withAllowance(onEither(i), guest, 'guestMockup', `race ${round} ${i}`, done));
      expect(await countGranted(calls)).toBe(1);
      expect(await findGuestUsage(server.context, guest)).toEqual({ mockupsGenerated: 4, mockupsLimit: 4 });
      await giveBackOne(guest);
    }
  });

  test('let twenty of a hundred simultaneous guests without a cookie at one address make a mockup', async () => {
    const addresses = ['2001:db8:7:7::1', '2001:db8:7:7:ffff::2', '2001:db8:7:7:1:2:3:4'];
    const calls = times(100, (i) => {
      const guest = createGuest(addresses[i % 3]!);
      return withAllowance(server.context, guest, 'guestMockup', 'their design', done);
    });
    expect(await countGranted(calls)).toBe(20);
    await withAllowance(server.context, createGuest('2001:db8:7:8::1'), 'guestMockup', 'a neighbor', done);
  });

  test('charge the same work once in a hundred simultaneous calls', async () => {
    const actor = await createUser('starter');
    const calls = times(100, () => withAllowance(server.context, actor, 'vector', 'one composition', done));
    expect(await countGranted(calls)).toBe(100);
    expect(await findUsage(server.context, actor)).toMatchObject({ vectorsUsed: 1 });
  });
});

describe('the charge', () => {
  test('is for a result and not for a try: making it again is free, even with nothing left', async () => {
    const actor = await createUser('starter');
    for (let i = 0; i < plans.starter.vectors; i++) await withAllowance(server.context, actor, 'vector', `k${i}`, done);
    expect(await withAllowance(server.context, actor, 'vector', 'k3', done)).toBe('done');
    await expect(withAllowance(server.context, actor, 'vector', 'another', done)).rejects.toMatchObject({
      message: "You've used all 8 vector exports this month. Upgrade to export more.",
    });
    expect(await withAllowance(server.context, actor, 'mockup', 'another', done)).toBe('done');
  });

  test('is refunded when the work fails, fifty times of fifty', async () => {
    const actor = await createUser('starter');
    const fail = () => Promise.reject(new AppError('unprocessable', 'It could not be traced.'));
    for (let i = 0; i < 50; i++) {
      await expect(withAllowance(server.context, actor, 'vector', `k${i}`, fail)).rejects.toMatchObject({
        code: 'unprocessable',
      });
    }
    expect(await findUsage(server.context, actor)).toMatchObject({ vectorsUsed: 0 });
    expect(await withAllowance(server.context, actor, 'vector', 'k7', done)).toBe('done');
    expect(await findUsage(server.context, actor)).toMatchObject({ vectorsUsed: 1 });
  });

  test('that cannot be refunded does not hide why the work failed, and expires with its lease', async () => {
    const actor = await createUser('starter');
    const away = openDatabase({ host: '/nowhere', user: 'x', database: 'x' }, () => {}, 1);
    const context: { -readonly [part in keyof Context]: Context[part] } = { ...server.context };
    const fail = async () => {
      context.db = away.db;
      throw new AppError('unprocessable', 'It could not be traced.');
    };
    await expect(withAllowance(context, actor, 'vector', 'k', fail)).rejects.toMatchObject({ code: 'unprocessable' });
    await away.close();
    server.setNow(new Date(NOW.getTime() + 3 * MINUTE_MS));
    expect(await findUsage(server.context, actor)).toMatchObject({ vectorsUsed: 0 });
  });

  test('whose refund hangs does not delay the error of the work', async () => {
    const actor = await createUser('starter');
    const context: { -readonly [part in keyof Context]: Context[part] } = { ...server.context };
    const away = openDatabase({ host: '/nowhere', user: 'x', database: 'x' }, () => {}, 1);
    const silent = { update: () => ({ set: () => ({ where: () => new Promise(() => {}) }) }) };
    const fail = async () => {
      context.db = silent as unknown as Context['db'];
      await away.check();
    };
    await expect(withAllowance(context, actor, 'vector', 'k', fail)).rejects.toThrow('nowhere');
    await away.close();
  });

  test('is back at once when the file could not be stored', async () => {
    const actor = await createUser('starter');
    const refusal = Object.assign(new Error('connect'), { code: 'ECONNREFUSED', syscall: 'connect' });
    const fail = () => Promise.reject(filesAway(refusal));
    await expect(withAllowance(server.context, actor, 'vector', 'k', fail)).rejects.toMatchObject({
      code: 'unavailable',
    });
    expect(await findUsage(server.context, actor)).toMatchObject({ vectorsUsed: 0 });
  });

  test('stays when one of two calls for the same result fails', async () => {
    const actor = await createUser('starter');
    const work = createWork();
    const outcome = expect(withAllowance(server.context, actor, 'vector', 'k', work.run)).rejects.toThrow('broken');
    await work.begun;
    expect(await findUsage(server.context, actor)).toMatchObject({ vectorsUsed: 1 });
    await withAllowance(server.context, actor, 'vector', 'k', done);
    work.fail(new Error('broken'));
    await outcome;
    expect(await findUsage(server.context, actor)).toMatchObject({ vectorsUsed: 1 });
  });

  test('is reserved while the work runs', async () => {
    const actor = await createUser('free');
    const works = times(4, createWork);
    const running = works.map(({ run }, i) => withAllowance(server.context, actor, 'mockup', `k${i}`, run));
    await Promise.all(works.map(({ begun }) => begun));
    expect(await findUsage(server.context, actor)).toMatchObject({ mockupsUsed: 4 });
    await expect(withAllowance(server.context, actor, 'mockup', 'fifth', done)).rejects.toMatchObject({
      message: expect.stringContaining('all 4 image mockups'),
    });
    for (const { finish } of works) finish();
    await Promise.all(running);
  });

  test('of a process that died no longer counts after its lease', async () => {
    const actor = await createUser('free');
    server.setNow(NOW);
    const works = times(4, createWork);
    for (const [i, { run }] of works.entries()) void withAllowance(server.context, actor, 'mockup', `k${i}`, run);
    await Promise.all(works.map(({ begun }) => begun));
    expect(await findUsage(server.context, actor)).toMatchObject({ mockupsUsed: 4 });
    await sweepUsage(server.context);
    expect(await findUsage(server.context, actor)).toMatchObject({ mockupsUsed: 4 });
    server.setNow(new Date(NOW.getTime() + 3 * MINUTE_MS));
    expect(await findUsage(server.context, actor)).toMatchObject({ mockupsUsed: 0 });
    expect(await withAllowance(server.context, actor, 'mockup', 'after', done)).toBe('done');
    await sweepUsage(server.context);
    const rows = await server.context.db
      .select()
      .from(usage)
      .where(eq(usage.owner, `user:${actor.id}`));
    expect(rows.map(({ state }) => state).sort()).toEqual(['refunded', 'refunded', 'refunded', 'refunded', 'settled']);
  });

  test('are forgotten after 400 days, however many there are', async () => {
    const { db } = server.context;
    const fill = (days: number, count: number) =>
      db.execute(sql`insert into usage (id, owner, kind, period, key, state, holders, lease_until, created_at)
        select ${`old-${days}-`} || n, 'user:0', 'vector', now(), ${`${days}-`} || n, 'settled', 0, now(),
          ${new Date(NOW.getTime() - days * 24 * 60 * MINUTE_MS)}::timestamptz
        from generate_series(1, ${count}::int) n`);
    await fill(401, 5_003);
    await fill(399, 2);
    await sweepUsage(server.context);
    expect(await db.$count(usage, like(usage.id, 'old-%'))).toBe(2);
  });

  test('of work that outlives its lease does not exceed the limit', async () => {
    const actor = await createUser('starter');
    for (let i = 0; i < plans.starter.vectors - 1; i++)
      await withAllowance(server.context, actor, 'vector', `k${i}`, done);
    server.setNow(NOW);
    const work = createWork();
    const slow = withAllowance(server.context, actor, 'vector', 'slow', work.run);
    const outcome = expect(slow).rejects.toMatchObject({ code: 'limitReached' });
    await work.begun;
    expect(await findUsage(server.context, actor)).toMatchObject({ vectorsUsed: 8 });
    server.setNow(new Date(NOW.getTime() + 3 * MINUTE_MS));
    await withAllowance(server.context, actor, 'vector', 'took its place', done);
    work.finish();
    await outcome;
    expect(await findUsage(server.context, actor)).toMatchObject({ vectorsUsed: 8 });
  });
});

describe('the period', () => {
  test('of a free account is the calendar month', async () => {
    const actor = await createUser('free');
    server.setNow(new Date('2026-11-30T23:59:59Z'));
    for (let i = 0; i < 4; i++) await withAllowance(server.context, actor, 'mockup', `k${i}`, done);
    expect(await findUsage(server.context, actor)).toMatchObject({
      mockupsUsed: 4,
      nextResetDate: '2026-12-01T00:00:00.000Z',
    });
    server.setNow(new Date('2026-12-01T00:00:00Z'));
    expect(await findUsage(server.context, actor)).toMatchObject({ mockupsUsed: 0 });
    await withAllowance(server.context, actor, 'mockup', 'k0', done);
    expect(await findUsage(server.context, actor)).toMatchObject({ mockupsUsed: 1 });
  });

  test('of a paid plan is its own month', async () => {
    const actor = await createUser('pro', new Date('2026-10-31T09:00:00Z'));
    server.setNow(new Date('2026-11-30T08:59:00Z'));
    await withAllowance(server.context, actor, 'vector', 'k', done);
    expect(await findUsage(server.context, actor)).toMatchObject({
      vectorsUsed: 1,
      vectorsLimit: 33,
      mockupsLimit: 100,
      nextResetDate: '2026-11-30T09:00:00.000Z',
    });
    server.setNow(new Date('2026-11-30T09:00:00Z'));
    expect(await findUsage(server.context, actor)).toMatchObject({
      vectorsUsed: 0,
      nextResetDate: '2026-12-31T09:00:00.000Z',
    });
  });

  test('has its own limit before and after midnight, also on two servers whose clocks are minutes apart', async () => {
    const actor = await createUser('free');
    const at = (iso: string): Context => ({ ...server.context, media: server.context.media, now: () => new Date(iso) });
    const [before, after] = [at('2026-11-30T23:57:30Z'), at('2026-12-01T00:02:30Z')];
    const calls = times(100, (i) => withAllowance(i % 2 ? before : after, actor, 'mockup', `k${i}`, done));
    expect(await countGranted(calls)).toBe(8);
    expect(await findUsage(before, actor)).toMatchObject({ mockupsUsed: 4 });
    expect(await findUsage(after, actor)).toMatchObject({ mockupsUsed: 4 });
  });

  test('is not granted twice when the clock jumps forward and back', async () => {
    const actor = await createUser('starter', new Date('2026-10-31T09:00:00Z'));
    const use = async (iso: string) => {
      server.setNow(new Date(iso));
      return countGranted(times(20, (i) => withAllowance(server.context, actor, 'vector', `${iso} ${i}`, done)));
    };
    expect(await use('2026-11-30T09:30:00Z')).toBe(8);
    expect(await use('2026-11-30T07:30:00Z')).toBe(8); // two hours back: the month before had not been used
    expect(await use('2026-11-30T07:30:01Z')).toBe(0);
    expect(await use('2026-11-30T09:30:01Z')).toBe(0);
    expect(await use('2027-01-09T09:30:00Z')).toBe(8); // forty days on
    expect(await use('2027-01-09T07:30:00Z')).toBe(0);
    expect(await use('2026-12-30T09:00:00Z')).toBe(0); // the same month as at first
  });

  test('of a plan whose payment failed continues with its full allowance', async () => {
    const actor = await createUser('pro', new Date('2026-10-31T09:00:00Z'));
    await server.context.db.update(users).set({ subscriptionStatus: 'past_due' }).where(eq(users.id, actor.id));
    server.setNow(new Date('2026-11-30T09:00:00Z'));
    expect(await findUsage(server.context, actor)).toMatchObject({
      vectorsLimit: 33,
      mockupsLimit: 100,
      nextResetDate: '2026-12-31T09:00:00.000Z',
    });
    expect(await countGranted(times(40, (i) => withAllowance(server.context, actor, 'vector', `k${i}`, done)))).toBe(
      33,
    );
  });

  test('of an expired plan is that of the free plan', async () => {
    const actor = await createUser('agency', NOW);
    await server.context.db.update(users).set({ subscriptionStatus: 'inactive' }).where(eq(users.id, actor.id));
    server.setNow(NOW);
    expect(await findUsage(server.context, actor)).toMatchObject({ vectorsLimit: 0, mockupsLimit: 4 });
    await expect(withAllowance(server.context, actor, 'vector', 'k', done)).rejects.toMatchObject({
      message: 'Your plan has no vector exports. Starter, the smallest plan with some, has 8 a month.',
    });
  });
});

describe('visitors without an account', () => {
  let picture: Buffer;
  beforeAll(async () => {
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 12 8"><circle cx="6" cy="4" r="3"/></svg>';
    picture = await sharp(Buffer.from(svg)).flatten({ background: '#fff' }).png().toBuffer();
  });
  const upload = async (remoteAddress: string) => {
    const form = new FormData();
    form.set('file', new Blob([new Uint8Array(picture)], { type: 'image/png' }), 'dot.png');
    const answer = await server.app.inject({
      method: 'POST',
      url: '/api/designs/upload',
      payload: form,
      remoteAddress,
    });
    const cookie = answer.cookies.find(({ name }) => name === 'guest')!.value;
    return { id: answer.json<{ id: string }>().id, cookie: `guest=${encodeURIComponent(cookie)}` };
  };
  const trace = (designId: string, cookie: string, remoteAddress: string) => {
    const payload = { designId, settings: {} };
    const headers = cookie ? { cookie } : {};
    return server.app.inject({ method: 'POST', url: '/api/designs/vectorize', payload, headers, remoteAddress });
  };

  test('who drop their cookie each time get twenty of a hundred tries at one address', {
    tags: ['detail'],
  }, async () => {
    const address = '203.0.113.200';
    const statuses: number[] = [];
    for (let i = 0; i < 100; i++) {
      const { id, cookie } = await upload(address);
      statuses.push((await trace(id, cookie, address)).statusCode);
    }
    expect(statuses.filter((status) => status === 200)).toHaveLength(20);
    expect(statuses.filter((status) => status === 402)).toHaveLength(80);
  });

  test('get nothing with any of five hundred forged or altered cookies', { tags: ['detail'] }, async () => {
    const address = '203.0.113.201';
    const { id, cookie } = await upload(address);
    const forgery = (i: number): string => {
      const at = 6 + (i % (cookie.length - 6));
      const otherCookie = `${cookie.slice(0, at)}${cookie[at] === 'x' ? 'y' : 'x'}${cookie.slice(at + 1)}`;
      const guest = decodeURIComponent(cookie).slice(6).split('.')[0];
      return [otherCookie, `guest=${guest}`, `guest=${guest}.${'A'.repeat(i % 60)}`, `guest=${i}`, ''][i % 5]!;
    };
    for (let i = 0; i < 500; i++) {
      expect((await trace(id, forgery(i), address)).statusCode, forgery(i)).toBe(404);
    }
    const usedCount = await server.context.db.$count(usage, eq(usage.address, address));
    expect(usedCount).toBe(0);
    expect((await trace(id, cookie, address)).statusCode).toBe(200);
  });

  test('use text without a limit: recording a text mockup is not charged', async () => {
    const { cookie } = await upload('203.0.113.202');
    for (let i = 0; i < 6; i++) {
      const payload = { productName: 'Mug', designFilename: null };
      const headers = { cookie };
      await server.app.inject({ method: 'POST', url: '/api/exports/record-mockup', payload, headers });
    }
    const answer = await server.app.inject({ url: '/api/users/guest-usage', headers: { cookie } });
    expect(answer.json()).toEqual({ mockupsGenerated: 0, mockupsLimit: 4 });
  });
});
