import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { mailedToken, mailsTo } from '../../test/mailbox.ts';
import { createTestApp, type TestApp } from '../../test/server.ts';
import { rateLimits } from '../platform/tables.ts';
import { sweepMailedTokens } from './mailedTokens.ts';
import { mailReset } from './passwordChange.ts';
import { mailedTokens, users } from './tables.ts';

const PASSWORD = 'walnut-board';
const NEXT = 'maple-coaster';
const MINUTE_MS = 60_000;
const OUTDATED = 'This reset link has been used or is too old. Please ask for a new one.';
const COMMON = 'This password is one of the most used ones. Please choose another.';

let server: TestApp;
beforeAll(async () => {
  server = await createTestApp();
});
afterAll(() => server.close());
beforeEach(async () => {
  await server.context.db.delete(rateLimits);
});

const post = (path: string, payload: object, headers: Record<string, string> = {}) =>
  server.app.inject({ method: 'POST', url: `/api/auth/${path}`, payload, headers });
const logIn = (email: string, password: string) => post('login', { email, password });
const isSignedIn = async (headers: { authorization: string }) =>
  (await server.app.inject({ url: '/api/auth/me', headers })).statusCode === 200;
const readRefusal = (answer: { statusCode: number; json: () => { message?: string } }) => [
  answer.statusCode,
  answer.json().message,
];
const listMailKinds = async (email: string) => (await mailsTo(server, email)).map(({ kind }) => kind);
const bearer = async (email: string, password = PASSWORD) => ({
  authorization: `Bearer ${(await logIn(email, password)).json().token}`,
});

describe('changing the password', () => {
  const change = (headers: { authorization: string }, currentPassword: string, newPassword: string) =>
    post('change-password', { currentPassword, newPassword }, headers);

  test('asks for the current one, ends every other session and mails the owner', async () => {
    const here = await server.signUp('ann@example.com');
    const elsewhere = await bearer('ann@example.com');
    const answer = await change(here, PASSWORD, NEXT);
    expect([answer.statusCode, answer.json()]).toEqual([200, { ok: true }]);
    expect([await isSignedIn(here), await isSignedIn(elsewhere)]).toEqual([true, false]);
    expect((await logIn('ann@example.com', PASSWORD)).statusCode).toBe(401);
    expect((await logIn('ann@example.com', NEXT)).statusCode).toBe(200);
    expect(await listMailKinds('ann@example.com')).toEqual(['verify', 'passwordChanged']);
  });

  test.each([
    ['not the current one', 'another-one', NEXT, 'The current password is not right.'],
    ['a new one too short', PASSWORD, '12345', 'Password must be at least 6 characters'],
    ['a new one too long', PASSWORD, 'x'.repeat(129), 'Password must be at most 128 characters'],
    ['one of the commonest', PASSWORD, 'Password', COMMON],
  ])('refuses %s and changes nothing', async (mistake, current, next, message) => {
    const email = `${mistake.replaceAll(' ', '.')}@example.com`;
    const headers = await server.signUp(email);
    expect(readRefusal(await change(headers, current, next))).toEqual([400, message]);
    expect((await logIn(email, PASSWORD)).statusCode).toBe(200);
    expect(await listMailKinds(email)).toEqual(['verify']);
  });

  test('refuses the account’s own address as a password', async () => {
    const headers = await server.signUp('own.address@example.com');
    expect(readRefusal(await change(headers, PASSWORD, 'Own.Address@example.com'))).toEqual([400, COMMON]);
  });

  test('limits a stolen token to ten guesses of the current password', async () => {
    const headers = await server.signUp('stolen@example.com');
    const answers = await Promise.all(Array.from({ length: 14 }, (_, i) => change(headers, `guess-${i}`, NEXT)));
    expect(answers.filter(({ statusCode }) => statusCode === 400)).toHaveLength(10);
    expect(answers.filter(({ statusCode }) => statusCode === 429)).toHaveLength(4);
    expect((await change(headers, PASSWORD, NEXT)).statusCode).toBe(429);
  });

  test('lets one of five simultaneous changes succeed', async () => {
    const headers = await server.signUp('five@example.com');
    const answers = await Promise.all(Array.from({ length: 5 }, (_, i) => change(headers, PASSWORD, `${NEXT}-${i}`)));
    const winners = answers.flatMap(({ statusCode }, i) => (statusCode === 200 ? [i] : []));
    expect(winners).toHaveLength(1);
    expect((await logIn('five@example.com', `${NEXT}-${winners[0]}`)).statusCode).toBe(200);
    expect(await listMailKinds('five@example.com')).toEqual(['verify', 'passwordChanged']);
  });
});

describe('a forgotten password', () => {
  const forgot = (email: string, remoteAddress = '198.51.100.7') =>
    server.app.inject({ method: 'POST', url: '/api/auth/forgot-password', payload: { email }, remoteAddress });
  const reset = (token: string, password = NEXT) => post('reset-password', { token, password });
  async function requestReset(email: string): Promise<string> {
    await forgot(email);
    await mailReset(server.context, { email }); // as the job does
    return mailedToken(server, 'reset', email);
  }

  test('answers a known and an unknown address alike', async () => {
    await server.signUp('known@example.com');
    const [knownReply, unknownReply] = [await forgot('Known@example.com'), await forgot('unknown@example.com')];
    expect([knownReply.statusCode, knownReply.json()]).toEqual([
      200,
      {
        message: 'If an account with that email exists, a reset link is on its way. It is good for 30 minutes.',
      },
    ]);
    expect([unknownReply.statusCode, unknownReply.body]).toEqual([knownReply.statusCode, knownReply.body]);
    expect(readRefusal(await forgot('no address'))).toEqual([400, 'Invalid email address']);
  });

  test('mails a link only to a known address', async () => {
    const serverWithJobs = await createTestApp({ jobs: true });
    try {
      await serverWithJobs.signUp('known@example.com');
      for (const email of ['unknown@example.com', 'KNOWN@example.com']) {
        await serverWithJobs.app.inject({ method: 'POST', url: '/api/auth/forgot-password', payload: { email } });
      }
      await expect
        .poll(() => mailsTo(serverWithJobs, 'known@example.com'))
        .toMatchObject([{ kind: 'verify' }, { kind: 'reset' }]);
      expect(await mailsTo(serverWithJobs, 'unknown@example.com')).toEqual([]);
    } finally {
      await serverWithJobs.close();
    }
  });

  test('the link sets a new password once, ends every session and mails the owner', async () => {
    const before = await server.signUp('ben@example.com');
    const token = await requestReset('ben@example.com');
    const answer = await reset(token);
    expect([answer.statusCode, answer.json()]).toEqual([200, {}]);
    expect(await isSignedIn(before)).toBe(false);
    expect((await logIn('ben@example.com', PASSWORD)).statusCode).toBe(401);
    expect((await logIn('ben@example.com', NEXT)).statusCode).toBe(200);
    expect(await listMailKinds('ben@example.com')).toEqual(['verify', 'reset', 'passwordChanged']);

    expect(readRefusal(await reset(token, 'once-more'))).toEqual([400, OUTDATED]);
    expect((await logIn('ben@example.com', NEXT)).statusCode).toBe(200);
  });

  test('a reset verifies the address', async () => {
    await server.signUp('shown@example.com');
    const verifyToken = await mailedToken(server, 'verify', 'shown@example.com');
    await reset(await requestReset('shown@example.com'));
    const me = async () =>
      (await server.app.inject({ url: '/api/auth/me', headers: await bearer('shown@example.com', NEXT) })).json();
    expect((await me()).emailVerified).toBe(true);
    expect((await post('verify-email', { token: verifyToken })).statusCode).toBe(200);
    expect(await listMailKinds('shown@example.com')).toEqual(['verify', 'reset', 'passwordChanged', 'welcome']);
  });

  test('a refused password leaves the link valid', async () => {
    await server.signUp('again@example.com');
    const token = await requestReset('again@example.com');
    expect(readRefusal(await reset(token, 'qwerty'))).toEqual([400, COMMON]);
    expect(readRefusal(await reset(token, 'Again@example.com'))).toEqual([400, COMMON]);
    expect(readRefusal(await reset(token, '12345'))).toEqual([400, 'Password must be at least 6 characters']);
    expect((await reset(token)).statusCode).toBe(200);
  });

  test('only the newest link works', async () => {
    await server.signUp('newest@example.com');
    const first = await requestReset('newest@example.com');
    const second = await requestReset('newest@example.com');
    expect(readRefusal(await reset(first))).toEqual([400, OUTDATED]);
    expect((await reset(second)).statusCode).toBe(200);
  });

  test('the link expires after 30 minutes', async () => {
    const start = Date.now();
    await server.signUp('late@example.com');
    try {
      server.setNow(new Date(start));
      const token = await requestReset('late@example.com');
      server.setNow(new Date(start + 30 * MINUTE_MS));
      expect(readRefusal(await reset(token))).toEqual([400, OUTDATED]);
      server.setNow(new Date(start + 30 * MINUTE_MS - 1));
      expect((await reset(token)).statusCode).toBe(200);
    } finally {
      server.setNow();
    }
  });

  test('a changed password voids the link', async () => {
    const headers = await server.signUp('changed.since@example.com');
    const token = await requestReset('changed.since@example.com');
    expect((await post('change-password', { currentPassword: PASSWORD, newPassword: NEXT }, headers)).statusCode).toBe(
      200,
    );
    expect(readRefusal(await reset(token, 'a-third-password'))).toEqual([400, OUTDATED]);
    expect((await logIn('changed.since@example.com', NEXT)).statusCode).toBe(200);
  });

  test('a changed address voids the link, and so does a deleted account', async () => {
    await server.signUp('moved@example.com');
    const movedToken = await requestReset('moved@example.com');
    await server.context.db
      .update(users)
      .set({ email: 'elsewhere@example.com' })
      .where(eq(users.email, 'moved@example.com'));
    expect(readRefusal(await reset(movedToken))).toEqual([400, OUTDATED]);
    expect((await logIn('elsewhere@example.com', PASSWORD)).statusCode).toBe(200);

    await server.signUp('gone@example.com');
    const deletedToken = await requestReset('gone@example.com');
    await server.context.db.delete(users).where(eq(users.email, 'gone@example.com'));
    expect(readRefusal(await reset(deletedToken))).toEqual([400, OUTDATED]);
  });

  test.each([
    ['no token', '', 'Reset token is missing. Please use the link from your email.'],
    ['a made-up token', 'A'.repeat(43), OUTDATED],
  ])('%s', async (_case, token, message) => {
    expect(readRefusal(await reset(token))).toEqual([400, message]);
  });

  test('limits the requests for one address to five an hour from one network and twenty in all', async () => {
    for (const email of ['asked@example.com', 'nobody@example.com']) {
      if (email === 'asked@example.com') await server.signUp(email);
      const from = async (place: string) =>
        (await Promise.all(Array.from({ length: 7 }, () => forgot(email, place)))).map(({ statusCode }) => statusCode);
      const fiveOfSeven = [...Array(5).fill(200), 429, 429];
      for (const place of ['203.0.113.1', '203.0.113.2', '203.0.113.3', '203.0.113.4']) {
        expect((await from(place)).sort()).toEqual(fiveOfSeven);
      }
      expect(await from('203.0.113.5')).toEqual(Array(7).fill(429));
    }
  });

  test('a reset clears the failed sign-ins that kept the owner out', async () => {
    await server.signUp('locked@example.com');
    await Promise.all(Array.from({ length: 12 }, (_, i) => logIn('locked@example.com', `guess-${i}`)));
    expect((await logIn('locked@example.com', PASSWORD)).statusCode).toBe(429);
    await reset(await requestReset('locked@example.com'));
    expect((await logIn('locked@example.com', NEXT)).statusCode).toBe(200);
  });

  test('sweeps expired tokens', async () => {
    await server.context.db.delete(mailedTokens);
    await server.signUp('swept@example.com');
    await requestReset('swept@example.com');
    await sweepMailedTokens(server.context);
    expect(await server.context.db.$count(mailedTokens)).toBe(2);
    server.setNow(new Date(Date.now() + 31 * MINUTE_MS));
    await sweepMailedTokens(server.context);
    server.setNow();
    expect(await server.context.db.select({ purpose: mailedTokens.purpose }).from(mailedTokens)).toEqual([
      { purpose: 'verify' },
    ]);
  });
});
