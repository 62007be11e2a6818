/** The administrator's reading calls and switches, through the API. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { signInAdmin } from '../../test/admin.ts';
import { createTestApp, type TestApp } from '../../test/server.ts';
import { API_ID, API_SECRET } from '../../test/vectorizerPeer.ts';
import { users } from '../accounts/tables.ts';
import { usage } from '../allowances/tables.ts';
import { feedback, waitlist } from '../feedback/tables.ts';
import { sweepAuditTrail, writeAudit } from '../platform/audit.ts';
import { newId } from '../platform/ids.ts';
import type { UserActor } from '../platform/mount.ts';
import { auditTrail } from '../platform/tables.ts';
import { settings } from '../tracing/tables.ts';
import { readOverview } from './readers.ts';

const NOW = new Date('2026-11-21T10:00:00Z');
const DAY_MS = 24 * 3_600_000;
/** One server with keys for the paid tier, and one without. */
const servers = {} as Record<'keys' | 'bare', TestApp>;
const admins = {} as Record<'keys' | 'bare', { authorization: string }>;
beforeAll(async () => {
  for (const kind of ['keys', 'bare'] as const) {
    const keys = { VECTORIZER_API_ID: API_ID, VECTORIZER_API_SECRET: API_SECRET };
    const server = await createTestApp({
      environment: { ADMIN_PASSWORD: 'the-workshop-key', ...(kind === 'keys' && keys) },
      vectorizerPaceMs: { free: 2000, paid: 100 },
    });
    servers[kind] = server;
    server.setNow(NOW);
    admins[kind] = await signInAdmin(server);
  }
});
afterAll(async () => {
  for (const server of Object.values(servers)) await server.close();
});
afterEach(async () => {
  for (const { context } of Object.values(servers)) {
    for (const table of [auditTrail, settings, feedback, waitlist, usage]) await context.db.delete(table);
  }
});

type Kind = keyof typeof servers;
const get = async (path: string, kind: Kind = 'keys') => {
  const answer = await servers[kind].app.inject({ url: `/api/admin/${path}`, headers: admins[kind] });
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json();
};
const toggle = async (kind: Kind = 'keys') => {
  const answer = await servers[kind].app.inject({
    method: 'POST',
    url: '/api/admin/toggle-vectorizer',
    headers: admins[kind],
  });
  return [answer.statusCode, answer.json().message];
};

describe('the vectorizer', () => {
  test('is free at first, with its interval', async () => {
    expect(await get('vectorizer-status')).toEqual({
      currentMode: 'free',
      rateLimitMs: 2000,
      credentials: { freeAvailable: true, paidAvailable: true },
      system: { engine: 'Built in', quality: 'Fine curves for files, as chosen on screen' },
    });
  });

  test('can be switched back and forth, each time with an audit entry', async () => {
    expect(await toggle()).toEqual([200, 'The paid tier is on: pictures are traced by api.vectorizer.ai.']);
    expect(await get('vectorizer-status')).toMatchObject({
      currentMode: 'paid',
      rateLimitMs: 100,
      system: { engine: 'api.vectorizer.ai', quality: 'Production for files, preview on screen' },
    });
    servers.keys.setNow(new Date(NOW.getTime() + 1000));
    expect(await toggle()).toEqual([200, 'The free tier is on: pictures are traced by the built-in engine.']);
    servers.keys.setNow(NOW);
    const { entries } = await get('audit');
    expect(entries).toMatchObject([
      { action: 'vectorizer.toggle', subject: 'Free tier', detail: { from: 'paid', to: 'free' } },
      { action: 'vectorizer.toggle', subject: 'Paid tier', detail: { from: 'free', to: 'paid' } },
    ]);
    expect(entries[0]).toMatchObject({ email: 'admin@markwright.local', address: '127.0.0.1' });
  });

  test('has no paid tier without keys, and says which settings are missing', async () => {
    expect(await toggle('bare')).toEqual([
      409,
      'The paid tier has no keys. Set VECTORIZER_API_ID and VECTORIZER_API_SECRET and start again.',
    ]);
    expect(await get('vectorizer-status', 'bare')).toMatchObject({
      currentMode: 'free',
      credentials: { freeAvailable: true, paidAvailable: false },
    });
    expect((await get('audit', 'bare')).entries).toEqual([]);
  });

  test('is free while removed keys are missing', async () => {
    await servers.bare.context.db.insert(settings).values({ name: 'vectorizerMode', value: 'paid' });
    expect(await get('vectorizer-status', 'bare')).toMatchObject({ currentMode: 'free', rateLimitMs: 2000 });
    expect((await toggle('bare'))[0]).toBe(409);
  });

  test('runs eight simultaneous switches one after the other', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => toggle()));
    expect(answers.map(([status]) => status)).toEqual(Array(8).fill(200));
    expect(answers.filter(([, message]) => String(message).startsWith('The paid'))).toHaveLength(4);
    expect(await get('vectorizer-status')).toMatchObject({ currentMode: 'free' });
    expect((await get('audit')).entries).toHaveLength(8);
  });

  test('contains no keys', async () => {
    await toggle();
    const answers = JSON.stringify([await get('vectorizer-status'), await get('audit')]);
    expect(answers).not.toContain(API_ID);
    expect(answers).not.toContain(API_SECRET);
  });
});

const actor: UserActor = { kind: 'user', id: 1, email: 'a@b.cc', isAdmin: true, sessionId: '-', address: '::1' };
const addEntry = (action: string, number: number) =>
  servers.keys.context.db.transaction((tx) =>
    writeAudit(tx, actor, new Date(NOW.getTime() + number), { action, subject: `Number ${number}` }),
  );

describe('lists', () => {
  test('of the audit trail are returned 50 at a time, newest first, by kind', async () => {
    for (let number = 0; number < 120; number++)
      await addEntry(number % 2 ? 'category.rename' : 'product.delete', number);
    await addEntry('categoryish.add', 500);
    const subjects: string[] = [];
    let next: string | null = '';
    const sizes: number[] = [];
    while (next !== null) {
      const page: { entries: { subject: string }[]; next: string | null } = await get(
        `audit?kind=category${next && `&before=${encodeURIComponent(next)}`}`,
      );
      sizes.push(page.entries.length);
      subjects.push(...page.entries.map(({ subject }) => subject));
      next = page.next;
    }
    expect(sizes).toEqual([50, 10]);
    expect(subjects).toEqual(Array.from({ length: 60 }, (_, index) => `Number ${119 - 2 * index}`));
    expect((await get('audit')).kinds).toEqual(['category', 'categoryish', 'product']);
  });

  test('of the audit trail begin 400 days ago', async () => {
    await addEntry('product.delete', 0);
    await addEntry('product.delete', 1);
    const sweptAt = new Date(NOW.getTime() + 400 * DAY_MS + 1);
    await sweepAuditTrail({ ...servers.keys.context, now: () => sweptAt });
    expect((await get('audit')).entries).toMatchObject([{ subject: 'Number 1' }]);
  });

  test('skip and repeat no entry of the same millisecond', async () => {
    for (let number = 0; number < 75; number++) await addEntry('product.delete', 0);
    const first = await get('audit');
    const second = await get(`audit?before=${encodeURIComponent(first.next)}`);
    const ids = [...first.entries, ...second.entries].map(({ id }: { id: string }) => id);
    expect(new Set(ids).size).toBe(75);
    expect(second.next).toBeNull();
  });

  test('of feedback contain all fields', async () => {
    const rows = Array.from({ length: 51 }, (_, number) => ({
      id: newId(),
      name: `Jo ${number}`,
      email: 'No email provided',
      feedback: '<b>Good</b>\nand more',
      createdAt: new Date(NOW.getTime() + number),
    }));
    await servers.keys.context.db.insert(feedback).values(rows);
    const first = await get('feedback');
    expect(first.feedback).toHaveLength(50);
    expect(first.feedback[0]).toEqual({
      id: rows[50]!.id,
      userId: null,
      name: 'Jo 50',
      email: 'No email provided',
      feedback: '<b>Good</b>\nand more',
      createdAt: '2026-11-21T10:00:00.050Z',
    });
    const rest = await get(`feedback?before=${encodeURIComponent(first.next)}`);
    expect(rest).toMatchObject({ feedback: [{ name: 'Jo 0' }], next: null });
  });

  test('of the waitlist show when a code was used, and never the code', async () => {
    const rows = Array.from({ length: 51 }, (_, number) => ({
      email: `w'%${number}@example.com`,
      code: `FOUND-${number}-SECRET`,
      redeemedAt: number === 50 ? NOW : null,
      createdAt: new Date(NOW.getTime() + number),
    }));
    await servers.keys.context.db.insert(waitlist).values(rows);
    const first = await get('waitlist');
    expect(first.total).toBe(51);
    expect(first.entries[0]).toEqual({
      email: "w'%50@example.com",
      createdAt: '2026-11-21T10:00:00.050Z',
      redeemedAt: NOW.toISOString(),
    });
    expect(await get(`waitlist?before=${encodeURIComponent(first.next)}`)).toMatchObject({
      entries: [{ email: "w'%0@example.com", redeemedAt: null }],
      next: null,
    });
    expect(JSON.stringify(first)).not.toContain('SECRET');
  });

  test.each(['audit', 'feedback', 'waitlist', 'mails'])('of %s reject an invalid cursor', async (path) => {
    for (const place of ['x', '1', '1.', '99999999999999999.a', "1.a' or 1=1", '1.a b', '1.AA', '1._w']) {
      const url = `/api/admin/${path}?before=${encodeURIComponent(place)}`;
      const answer = await servers.keys.app.inject({ url, headers: admins.keys });
      expect([answer.statusCode, answer.json().message]).toEqual([
        400,
        'The list cannot go on from there. Please load it again.',
      ]);
    }
  });
});

describe('accounts', () => {
  test('are found by the beginning of their address, with their last use, and without credentials', async () => {
    const server = servers.keys;
    await server.signUp('anna@workshop.example');
    await server.signUp('ann_e@workshop.example');
    await server.signUp('bo@workshop.example');
    const emails = async (prefix: string) =>
      (await get(`users?email=${encodeURIComponent(prefix)}`)).users.map(({ email }: { email: string }) => email);
    expect(await emails('ann')).toEqual(['ann_e@workshop.example', 'anna@workshop.example']);
    expect(await emails(' ANN_')).toEqual(['ann_e@workshop.example']);
    expect(await emails('%')).toEqual([]);
    expect(await emails('workshop')).toEqual([]);
    const answer = await get('users?email=bo@');
    expect(answer).toEqual({
      users: [
        {
          id: expect.any(Number),
          email: 'bo@workshop.example',
          plan: 'free',
          status: 'inactive',
          createdAt: NOW.toISOString(),
          lastSeenAt: NOW.toISOString(),
        },
      ],
      next: null,
    });
  });

  test('are listed 50 at a time, newest first', async () => {
    const rows = Array.from({ length: 60 }, (_, number) => ({
      email: `many${number}@example.com`,
      passwordHash: 'hash-of-a-password',
      username: 'many',
      createdAt: NOW,
    }));
    await servers.keys.context.db.insert(users).values(rows);
    const first = await get('users?email=many');
    const second = await get(`users?email=many&before=${first.next}`);
    expect([first.users.length, second.users.length, second.next]).toEqual([50, 10, null]);
    expect(first.users[0]).toMatchObject({ email: 'many59@example.com', lastSeenAt: null });
    expect(JSON.stringify(first)).not.toContain('hash-of-a-password');
  });
});

test('calls of the overview at a time share one count', async () => {
  const { context } = servers.bare;
  const [first, second, third] = [readOverview(context), readOverview(context), readOverview(context)];
  expect(third).toBe(second);
  expect(await third).toEqual(await first);
});

test('the overview counts current plans, and days and months in UTC', async () => {
  const { context } = servers.bare;
  const person = (number: number, changes: object, ago = 0) => ({
    email: `o${number}@example.com`,
    passwordHash: '-',
    username: 'o',
    createdAt: new Date(NOW.getTime() - ago),
    ...changes,
  });
  await context.db
    .insert(users)
    .values([
      person(1, { subscriptionPlan: 'pro', subscriptionStatus: 'active' }),
      person(2, { subscriptionPlan: 'pro', subscriptionStatus: 'past_due' }, DAY_MS),
      person(3, { subscriptionPlan: 'studio', subscriptionStatus: 'inactive' }, 10 * 3_600_000 + 1),
      person(4, {}, 29 * DAY_MS),
      person(5, {}, 30 * DAY_MS),
    ]);
  const charge = (
    number: number,
    kind: 'vector' | 'mockup' | 'guestMockup',
    state: 'settled' | 'refunded',
    at: string,
  ) => ({
    id: newId(),
    owner: 'user:9',
    kind,
    period: NOW,
    key: String(number),
    state,
    holders: 0,
    leaseUntil: NOW,
    createdAt: new Date(at),
  });
  await context.db
    .insert(usage)
    .values([
      charge(1, 'vector', 'settled', '2026-11-01T00:00:00Z'),
      charge(2, 'vector', 'settled', '2026-10-31T23:59:59Z'),
      charge(3, 'vector', 'refunded', '2026-11-20T00:00:00Z'),
      charge(4, 'mockup', 'settled', '2026-11-20T00:00:00Z'),
      charge(5, 'mockup', 'settled', '2026-11-21T00:00:00Z'),
      charge(6, 'guestMockup', 'settled', '2026-11-21T00:00:00Z'),
    ]);
  const overview = await get('overview', 'bare');
  // The administrator's own account, which has the largest plan, is not counted.
  expect(overview).toMatchObject({
    usersByPlan: { free: 3, starter: 0, pro: 2, studio: 0, agency: 0 },
    activeSubscriptions: 2,
    exportsThisMonth: { vectors: 1, mockups: 2 },
  });
  expect(overview.signUps).toHaveLength(30);
  const days = overview.signUps.filter(({ count }: { count: number }) => count > 0);
  expect(days).toEqual([
    { day: '2026-10-23', count: 1 },
    { day: '2026-11-20', count: 2 },
    { day: '2026-11-21', count: 1 },
  ]);
});
