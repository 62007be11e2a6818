import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { mailedToken, mailsTo } from '../../test/mailbox.ts';
import { createTestApp, type TestApp } from '../../test/server.ts';
import { mails } from '../mail/tables.ts';
import { mailReset } from './passwordChange.ts';
import { mailedTokens, users } from './tables.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const OUTDATED = { statusCode: 400, message: 'This link has been used or is too old. Your profile sends a new one.' };

let server: TestApp;
beforeAll(async () => {
  server = await createTestApp();
});
afterAll(() => server.close());

async function verify(token: string) {
  const answer = await server.app.inject({ method: 'POST', url: '/api/auth/verify-email', payload: { token } });
  return { statusCode: answer.statusCode, ...answer.json<{ message?: string; email?: string }>() };
}
const resend = (headers: { authorization: string }) =>
  server.app.inject({ method: 'POST', url: '/api/auth/resend-verification', headers });
const isVerified = async (headers: { authorization: string }) =>
  (await server.app.inject({ url: '/api/auth/me', headers })).json().emailVerified;
const listMailKinds = async (email: string) => (await mailsTo(server, email)).map(({ kind }) => kind);

test('signing up mails a link that works once, and verifying sends one welcome mail', async () => {
  const ann = await server.signUp('ann@example.com');
  expect(await listMailKinds('ann@example.com')).toEqual(['verify']);
  expect(await isVerified(ann)).toBe(false);

  const token = await mailedToken(server, 'verify', 'ann@example.com');
  expect(await verify(token)).toEqual({ statusCode: 200, email: 'ann@example.com' });
  expect(await isVerified(ann)).toBe(true);
  expect(await verify(token)).toMatchObject(OUTDATED);
  expect(await listMailKinds('ann@example.com')).toEqual(['verify', 'welcome']);
});

test('stores a token only as a hash', async () => {
  await server.signUp('hashed@example.com');
  const token = await mailedToken(server, 'verify', 'hashed@example.com');
  const rows = await server.context.db.select().from(mailedTokens);
  expect(rows.length).toBeGreaterThan(0);
  expect(rows.every(({ id }) => /^[0-9a-f]{64}$/.test(id))).toBe(true);
  expect(JSON.stringify(rows)).not.toContain(token);
});

test('a mail records when its link expires: three days to verify, half an hour to reset', async () => {
  // Token and mail read the clock one after the other, so the clock is stopped.
  const now = new Date();
  server.setNow(now);
  await server.signUp('until@example.com');
  await mailReset(server.context, { email: 'until@example.com' });
  const rows = await server.context.db.select().from(mails).where(eq(mails.recipient, 'until@example.com'));
  const minutes = rows.map(({ kind, secretUntil }) => [kind, (+secretUntil! - +now) / 60_000]);
  server.setNow();
  expect(Object.fromEntries(minutes)).toEqual({ verify: 3 * 24 * 60, reset: 30 });
});

test('lets one of twenty simultaneous verifications succeed', async () => {
  await server.signUp('twenty@example.com');
  const token = await mailedToken(server, 'verify', 'twenty@example.com');
  const answers = await Promise.all(Array.from({ length: 20 }, () => verify(token)));
  expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1);
  expect(answers.filter(({ statusCode }) => statusCode === 400)).toHaveLength(19);
  expect(await listMailKinds('twenty@example.com')).toEqual(['verify', 'welcome']);
});

test('a new link voids the one before', async () => {
  const ben = await server.signUp('ben@example.com');
  const first = await mailedToken(server, 'verify', 'ben@example.com');
  const answer = await resend(ben);
  expect([answer.statusCode, answer.json()]).toEqual([
    200,
    { message: 'A new link is on its way to ben@example.com. It is good for three days.' },
  ]);
  const second = await mailedToken(server, 'verify', 'ben@example.com');
  expect(second).not.toBe(first);
  expect(await verify(first)).toMatchObject(OUTDATED);
  expect((await verify(second)).statusCode).toBe(200);
  const again = await resend(ben);
  expect(again.json()).toEqual({ message: 'Your address is verified already.' });
  expect(await listMailKinds('ben@example.com')).toEqual(['verify', 'verify', 'welcome']);
});

test('limits the links to five an hour', async () => {
  const many = await server.signUp('many@example.com');
  const answers = await Promise.all(Array.from({ length: 8 }, () => resend(many)));
  expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([...Array(5).fill(200), ...Array(3).fill(429)]);
  expect(await listMailKinds('many@example.com')).toHaveLength(6);
});

test('the link expires after three days', async () => {
  await server.signUp('slow@example.com');
  const token = await mailedToken(server, 'verify', 'slow@example.com');
  try {
    server.setNow(new Date(Date.now() + 3 * DAY_MS + 1_000));
    expect(await verify(token)).toMatchObject(OUTDATED);
  } finally {
    server.setNow();
  }
  expect((await verify(token)).statusCode).toBe(200);
});

test('a changed address voids the link', async () => {
  await server.signUp('moved@example.com');
  const token = await mailedToken(server, 'verify', 'moved@example.com');
  await server.context.db.update(users).set({ email: 'new@example.com' }).where(eq(users.email, 'moved@example.com'));
  expect(await verify(token)).toMatchObject(OUTDATED);
});

test('a link for another purpose verifies nothing', async () => {
  await server.signUp('purpose@example.com');
  const token = await mailedToken(server, 'verify', 'purpose@example.com');
  const payload = { token, password: 'a-new-one' };
  const answer = await server.app.inject({ method: 'POST', url: '/api/auth/reset-password', payload });
  expect(answer.statusCode).toBe(400);
  expect((await verify(token)).statusCode).toBe(200);
});

test('a failed sign-up leaves no mail', async () => {
  await server.signUp('once@example.com');
  await expect(server.signUp('once@example.com')).rejects.toThrow('409');
  expect(await server.context.db.$count(mails, eq(mails.recipient, 'once@example.com'))).toBe(1);
});
