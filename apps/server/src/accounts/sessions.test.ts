import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../test/server.ts';
import { sweepSessions } from './sessions.ts';
import { sessions } from './tables.ts';

const PASSWORD = 'walnut-board';
const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;
const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:133.0) Gecko/20100101 Firefox/133.0';
const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1';

let server: TestApp;
beforeAll(async () => {
  server = await createTestApp();
});
afterAll(() => server.close());

type Headers = { authorization: string };
async function signIn(kind: 'signup' | 'login', email: string, userAgent: string): Promise<Headers> {
  const answer = await server.app.inject({
    method: 'POST',
    url: `/api/auth/${kind}`,
    payload: { email, password: PASSWORD },
    headers: { 'user-agent': userAgent },
  });
  expect(answer.statusCode, answer.body).toBe(200);
  return { authorization: `Bearer ${answer.json().token}` };
}
const call = (method: 'GET' | 'DELETE' | 'POST', path: string, headers: Headers) =>
  server.app.inject({ method, url: `/api${path}`, headers });
const list = async (headers: Headers) => (await call('GET', '/auth/sessions', headers)).json();
const isSignedIn = async (headers: Headers) => (await call('GET', '/auth/me', headers)).statusCode === 200;

test('lists the places an account is signed in at, this one first', async () => {
  const desk = await signIn('signup', 'ann@example.com', FIREFOX);
  const phone = await signIn('login', 'ann@example.com', IPHONE);
  await signIn('signup', 'somebody.else@example.com', FIREFOX);

  const places = await list(phone);
  expect(places).toMatchObject([
    { device: 'Safari on iPhone', isCurrent: true },
    { device: 'Firefox on Windows', isCurrent: false },
  ]);
  expect(Object.keys(places[0]).sort()).toEqual(['createdAt', 'device', 'id', 'isCurrent', 'lastUsedAt']);
  expect(await list(desk)).toMatchObject([{ device: 'Firefox on Windows', isCurrent: true }, { isCurrent: false }]);
});

test('cuts an overlong user agent', async () => {
  const odd = await signIn('signup', 'odd@example.com', `Firefox/133.0 ${'x'.repeat(5_000)}`);
  expect(await list(odd)).toMatchObject([{ device: 'Firefox' }]);
  const rows = await server.context.db.select().from(sessions);
  expect(Math.max(...rows.map(({ userAgent }) => userAgent.length))).toBe(400);
});

describe('ending a session', () => {
  test('signs out one place and leaves the others', async () => {
    const desk = await signIn('signup', 'one@example.com', FIREFOX);
    const phone = await signIn('login', 'one@example.com', IPHONE);
    const [, other] = await list(desk);
    const answer = await call('DELETE', `/auth/sessions/${other.id}`, desk);
    expect([answer.statusCode, answer.json()]).toEqual([200, { ok: true }]);
    expect([await isSignedIn(desk), await isSignedIn(phone)]).toEqual([true, false]);
  });

  test('signs out all other places and leaves this one', async () => {
    const places = [await signIn('signup', 'others@example.com', FIREFOX)];
    for (let i = 0; i < 3; i++) places.push(await signIn('login', 'others@example.com', IPHONE));
    const answer = await call('DELETE', '/auth/sessions', places[1]!);
    expect([answer.statusCode, answer.json()]).toEqual([200, { ended: 3 }]);
    expect(await Promise.all(places.map(isSignedIn))).toEqual([false, true, false, false]);
    expect((await call('DELETE', '/auth/sessions', places[1]!)).json()).toEqual({ ended: 0 });
  });

  test('answers for somebody else’s place as for a missing one', async () => {
    const mine = await signIn('signup', 'mine@example.com', FIREFOX);
    const theirs = await signIn('signup', 'theirs@example.com', IPHONE);
    const [place] = await list(theirs);
    const [foreign, missing] = [
      await call('DELETE', `/auth/sessions/${place.id}`, mine),
      await call('DELETE', '/auth/sessions/AAAAAAAAAAAAAAAAAAAAAA', mine),
    ];
    const foreignBody = { ...foreign.json(), requestId: undefined };
    expect([foreign.statusCode, foreignBody]).toEqual([404, { message: 'This place is not signed in any more.' }]);
    expect([missing.statusCode, { ...missing.json(), requestId: undefined }]).toEqual([404, foreignBody]);
    expect(await isSignedIn(theirs)).toBe(true);
  });
});

describe('over time', () => {
  const start = Date.now();
  const at = (ms: number) => server.setNow(new Date(start + ms));

  test('updates the last use of a place once an hour', async () => {
    at(0);
    try {
      const headers = await signIn('signup', 'used@example.com', FIREFOX);
      const lastUsed = async () => Date.parse((await list(headers))[0].lastUsedAt) - start;
      at(HOUR_MS - 1_000);
      expect(await lastUsed()).toBe(0);
      at(HOUR_MS);
      expect(await lastUsed()).toBe(HOUR_MS);
      at(2.5 * HOUR_MS);
      expect(await lastUsed()).toBe(2.5 * HOUR_MS);
    } finally {
      server.setNow();
    }
  });

  test('a renewed token belongs to the same place, and logging out ends both', async () => {
    at(0);
    try {
      const old = await signIn('signup', 'renewed@example.com', FIREFOX);
      at(24 * DAY_MS);
      const { jwtToken } = (await call('GET', '/users/stats', old)).json();
      const fresh = { authorization: `Bearer ${jwtToken}` };
      const places = await list(fresh);
      expect(places).toMatchObject([{ device: 'Firefox on Windows', isCurrent: true }]);
      expect(Date.parse(places[0].createdAt)).toBe(start);
      expect(await isSignedIn(old)).toBe(true);
      expect((await call('DELETE', '/auth/sessions', fresh)).json()).toEqual({ ended: 0 });
      await call('POST', '/auth/logout', fresh);
      expect([await isSignedIn(old), await isSignedIn(fresh)]).toEqual([false, false]);
    } finally {
      server.setNow();
    }
  });

  test('does not list an expired session', async () => {
    at(0);
    try {
      await signIn('signup', 'ended@example.com', FIREFOX);
      at(29 * DAY_MS);
      const later = await signIn('login', 'ended@example.com', IPHONE);
      expect(await list(later)).toHaveLength(2);
      at(31 * DAY_MS);
      expect(await list(later)).toMatchObject([{ device: 'Safari on iPhone' }]);
    } finally {
      server.setNow();
    }
  });
});

describe('an idle time-out of two hours', () => {
  let strict: TestApp;
  beforeAll(async () => {
    strict = await createTestApp({ environment: { IDLE_TIMEOUT_HOURS: '2' } });
  });
  afterAll(() => strict.close());

  test('ends a session that nobody uses for so long, and no other', async () => {
    const start = Date.now();
    const at = (hours: number) => strict.setNow(new Date(start + hours * HOUR_MS));
    const place = (headers: Headers) => strict.app.inject({ url: '/api/auth/sessions', headers });
    at(0);
    const busy = await strict.signUp('busy@example.com');
    const idle = await strict.signUp('idle@example.com');
    for (const hours of [0.5, 1, 1.5, 1.95]) {
      at(hours);
      expect((await place(busy)).statusCode).toBe(200);
    }
    at(2.05);
    expect([(await place(busy)).statusCode, (await place(idle)).statusCode]).toEqual([200, 401]);
    await sweepSessions(strict.context);
    expect(await strict.context.db.$count(sessions)).toBe(1);
    at(5);
    expect((await place(busy)).statusCode).toBe(401);
  });
});
