import { asc } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { signInAdmin } from '../../test/admin.ts';
import { mailedToken } from '../../test/mailbox.ts';
import { createTestApp, type TestApp } from '../../test/server.ts';
import { mailReset } from '../accounts/passwordChange.ts';
import { unlockAccount } from '../accounts/unlock.ts';
import { recordRefusal, recordSecurityEvent, sweepSecurityEvents } from './securityEvents.ts';
import { rateLimits, securityEvents } from './tables.ts';

const PASSWORD = 'walnut-board';
const NEXT = 'maple-coaster';
const DAY_MS = 24 * 60 * 60 * 1000;

const lines: string[] = [];
let server: TestApp;
let admin: { authorization: string };
beforeAll(async () => {
  server = await createTestApp({
    environment: { ADMIN_PASSWORD: 'a workshop key' },
    logTo: { write: (line) => void lines.push(line) },
  });
  admin = await signInAdmin(server);
});
afterAll(() => server.close());
beforeEach(async () => {
  await server.context.db.delete(rateLimits);
  await server.context.db.delete(securityEvents);
  lines.length = 0;
});

const post = (url: string, payload: object, headers: Record<string, string> = {}) =>
  server.app.inject({ method: 'POST', url, payload, headers, remoteAddress: '203.0.113.9' });
const list = async (query = '') =>
  (await server.app.inject({ url: `/api/admin/security-events${query}`, headers: admin })).json();
const readRows = () =>
  server.context.db.select().from(securityEvents).orderBy(asc(securityEvents.createdAt), asc(securityEvents.id));
/** Returns kind and action of every event, in any order of equal times. */
const readNames = async () => (await readRows()).map(({ kind, action }) => `${kind}.${action}`);

describe('a security event', () => {
  test('is recorded for what happens to an account, with account and address, and without a secret', async () => {
    const signUp = await post('/api/auth/signup', { email: 'ann@example.com', password: PASSWORD });
    const headers = { authorization: `Bearer ${signUp.json().token}` };
    await post('/api/auth/login', { email: 'Ann@example.com', password: PASSWORD });
    await post('/api/auth/login', { email: 'ann@example.com', password: 'a wrong one' });
    await post('/api/auth/login', { email: 'nobody@example.com', password: 'a wrong one' });
    await post('/api/auth/change-password', { currentPassword: 'a wrong one', newPassword: NEXT }, headers);
    await post('/api/auth/change-password', { currentPassword: PASSWORD, newPassword: NEXT }, headers);
    await mailReset(server.context, { email: 'ann@example.com' });
    const token = await mailedToken(server, 'reset', 'ann@example.com');
    await post('/api/auth/reset-password', { token, password: PASSWORD });
    const { link } = await unlockAccount(server.context, 'ann@example.com');
    const login = await post('/api/auth/login', { email: 'ann@example.com', password: PASSWORD });
    const next = { authorization: `Bearer ${login.json().token}` };
    const key = await post('/api/company/shop/key', {}, next);
    const secret = await post('/api/company/shop/webhook-secret', {}, next);
    expect([key.statusCode, secret.statusCode]).toEqual([200, 200]);
    await post('/api/users/delete-account', { password: PASSWORD }, next);

    const rows = await readRows();
    expect(rows.map(({ kind, action }) => `${kind}.${action}`).sort()).toEqual(
      [
        'account.signUp',
        'signIn.password',
        'refusal.wrongPassword',
        'refusal.wrongPassword',
        'refusal.wrongCurrentPassword',
        'password.changed',
        'password.reset',
        'password.unlocked',
        'signIn.password',
        'key.embedKeyRenewed',
        'key.webhookSecretRenewed',
        'account.deleted',
      ].sort(),
    );
    const own = rows.filter(({ email }) => email === 'ann@example.com');
    expect(new Set(own.map(({ userId }) => userId)).size).toBe(1);
    expect(rows.find(({ email }) => email === 'nobody@example.com')).toMatchObject({ userId: null });
    for (const { address, action } of rows) expect(address, action).toBe(action === 'unlocked' ? '' : '203.0.113.9');

    const logLines = lines.map((line) => JSON.parse(line)).filter(({ securityEvent }) => securityEvent);
    expect(logLines.map(({ securityEvent }) => securityEvent).sort()).toEqual((await readNames()).sort());
    const text = JSON.stringify(rows) + lines.join('');
    const secrets = [PASSWORD, NEXT, 'a wrong one', token, link.split('=')[1]!, signUp.json().token, key.json().key];
    for (const one of [...secrets, secret.json().secret]) expect(text).not.toContain(one);
  });

  test('is recorded for a change of the plan, once', async () => {
    const headers = await server.signUp('payer@example.com');
    const { url } = (await post('/api/create-checkout-session', { planId: 'pro' }, headers)).json();
    const sessionId = new URL(url).searchParams.get('session');
    const payment = await post(`/api/test-checkout/${sessionId}`, { outcome: 'success' }, headers);
    expect(payment.statusCode, payment.body).toBe(200);
    for (let i = 0; i < 3; i++) await post('/api/verify-subscription', { sessionId }, headers);
    expect((await readRows()).filter(({ kind }) => kind === 'plan')).toMatchObject([
      { action: 'changed', email: 'payer@example.com', address: '', detail: { from: 'free', to: 'pro' } },
    ]);
  });

  test('is not stored when the change is rolled back', async () => {
    const event = { kind: 'role', action: 'changed', userId: 7, email: 'a@example.com', address: '::1' } as const;
    const change = server.context.db.transaction(async (tx) => {
      await recordSecurityEvent(server.context, tx, event);
      throw new Error('The change fails.');
    });
    await expect(change).rejects.toThrow('The change fails.');
    expect(await readNames()).toEqual([]);
  });

  test('of a refusal is stored 600 times an hour, and logged each time', async () => {
    await server.context.db
      .insert(rateLimits)
      .values({ key: 'refusals wrongPassword', count: 598, endsAt: new Date(Date.now() + DAY_MS) });
    const refusal = { action: 'wrongPassword', userId: undefined, email: 'a@example.com', address: '::1' };
    for (let i = 0; i < 5; i++) await recordRefusal(server.context, refusal);
    expect(await readNames()).toEqual(Array(2).fill('refusal.wrongPassword'));
    expect(lines.filter((line) => JSON.parse(line).securityEvent === 'refusal.wrongPassword')).toHaveLength(5);
  });

  test('goes after 90 days', async () => {
    const event = { kind: 'signIn', action: 'password', userId: 7, email: 'a@example.com', address: '::1' } as const;
    const now = Date.now();
    for (const days of [91, 89]) {
      const context = { ...server.context, now: () => new Date(now - days * DAY_MS) };
      await recordSecurityEvent(context, server.context.db, { ...event, detail: { days } });
    }
    await sweepSecurityEvents(server.context);
    expect((await readRows()).map(({ detail }) => detail)).toEqual([{ days: 89 }]);
  });
});

describe('the list of the portal', () => {
  test('goes on page by page, and is filtered by kind and account', async () => {
    const event = { action: 'password', userId: 7, address: '203.0.113.1' };
    const start = Date.now();
    for (let i = 0; i < 120; i++) {
      const context = { ...server.context, now: () => new Date(start + i) };
      const kind = i % 2 ? 'signIn' : 'refusal';
      await recordSecurityEvent(context, server.context.db, { ...event, kind, email: `u${i % 3}@example.com` });
    }
    const first = await list();
    const second = await list(`?before=${first.next}`);
    const third = await list(`?before=${second.next}`);
    const pages = [first, second, third];
    expect(pages.map(({ events }) => events.length)).toEqual([50, 50, 20]);
    expect(third.next).toBeNull();
    expect(new Set(pages.flatMap(({ events }) => events.map(({ id }: { id: string }) => id))).size).toBe(120);
    expect(first.events[0]).toMatchObject({ kind: 'signIn', email: 'u2@example.com', address: '203.0.113.1' });

    const matches = await list('?kind=refusal&account=U1@');
    expect(matches.events).toHaveLength(20);
    for (const { kind, email } of matches.events) expect([kind, email]).toEqual(['refusal', 'u1@example.com']);
    expect((await list('?kind=other')).message).toContain('“kind” must be one of');
  });
});
