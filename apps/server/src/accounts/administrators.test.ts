import { asc, eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { signInAdmin } from '../../test/admin.ts';
import { mailsTo } from '../../test/mailbox.ts';
import { createTestApp, type TestApp } from '../../test/server.ts';
import { auditTrail, rateLimits, securityEvents } from '../platform/tables.ts';
import { sweepInvitations } from './administrators.ts';
import { invitations, users } from './tables.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const OUTDATED = 'This invitation has been used, taken back, or is too old. Please ask for a new one.';

type Headers = { authorization: string };
let server: TestApp;
let owner: Headers;
beforeAll(async () => {
  server = await createTestApp({ environment: { ADMIN_PASSWORD: 'a workshop key' } });
  owner = await signInAdmin(server);
});
afterAll(() => server.close());
beforeEach(async () => {
  await server.context.db.delete(rateLimits);
  await server.context.db.delete(invitations);
});

const call = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, headers: Headers, payload?: object) =>
  server.app.inject({ method, url, headers, ...(payload && { payload }) });
const answerOf = ({ statusCode, json }: { statusCode: number; json: () => { message?: string } }) => [
  statusCode,
  json().message,
];
const invite = (email: string, role = 'support', headers = owner) =>
  call('POST', '/api/admin/invitations', headers, { email, role });
const accept = (headers: Headers, token: string) => call('POST', '/api/auth/accept-invitation', headers, { token });
const list = async () => (await call('GET', '/api/admin/administrators', owner)).json();
const me = async (headers: Headers) => (await call('GET', '/api/auth/me', headers)).json();

async function invitedToken(email: string): Promise<string> {
  const mail = (await mailsTo(server, email)).findLast(({ kind }) => kind === 'invitation');
  const [, token] = /http:\/\/studio\.test\/invitation#token=([\w-]{43})\b/.exec(mail!.text)!;
  return token!;
}

/** Signs up and accepts an invitation. */
async function signUpAs(email: string, role: string): Promise<{ headers: Headers; id: number }> {
  const headers = await server.signUp(email);
  await invite(email, role);
  expect((await accept(headers, await invitedToken(email))).statusCode).toBe(200);
  return { headers, id: (await me(headers)).id };
}

test('an invitation says what it offers, gives the role once, and verifies the address', async () => {
  expect((await invite('Ann@Example.com', 'catalogue')).statusCode).toBe(200);
  const token = await invitedToken('ann@example.com');
  const offer = await server.app.inject({ method: 'POST', url: '/api/auth/invitation', payload: { token } });
  expect(offer.json()).toEqual({ email: 'ann@example.com', role: 'catalogue', invitedBy: 'admin@markwright.local' });

  const headers = await server.signUp('ann@example.com');
  const elsewhere = { authorization: `Bearer ${(await logIn('ann@example.com')).token}` };
  expect(await me(headers)).toMatchObject({ isAdmin: false, adminRole: null, emailVerified: false });
  expect((await accept(headers, token)).json()).toEqual({ role: 'catalogue' });
  expect(await me(headers)).toMatchObject({ isAdmin: true, adminRole: 'catalogue', emailVerified: true });
  expect((await call('GET', '/api/auth/me', elsewhere)).statusCode).toBe(401);
  expect((await call('GET', '/api/admin/products', headers)).statusCode).toBe(200);
  expect((await call('GET', '/api/admin/users', headers)).statusCode).toBe(403);

  expect(answerOf(await accept(headers, token))).toEqual([400, OUTDATED]);
  const { administrators, invitations: open } = await list();
  expect(administrators.map(({ email, role }: { email: string; role: string }) => [email, role])).toEqual([
    ['admin@markwright.local', 'owner'],
    ['ann@example.com', 'catalogue'],
  ]);
  expect(open).toEqual([]);
});

const logIn = async (email: string): Promise<{ token: string }> =>
  (
    await server.app.inject({
      method: 'POST',
      url: '/api/auth/login',
      payload: { email, password: 'walnut-board' },
    })
  ).json();

test('one of ten simultaneous acceptances gets the role', async () => {
  const headers = await server.signUp('once@example.com');
  await invite('once@example.com');
  const token = await invitedToken('once@example.com');
  const answers = await Promise.all(Array.from({ length: 10 }, () => accept(headers, token)));
  expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1);
});

test('an invitation is for its address alone, and void when it is replaced, withdrawn or too old', async () => {
  const bo = await server.signUp('bo@example.com');
  const stranger = await server.signUp('stranger@example.com');
  await invite('bo@example.com');
  const first = await invitedToken('bo@example.com');
  expect(answerOf(await accept(stranger, first))).toEqual([
    403,
    'This invitation is for bo@example.com. Please sign in with that address.',
  ]);
  await invite('bo@example.com', 'catalogue');
  const second = await invitedToken('bo@example.com');
  expect(answerOf(await accept(bo, first))).toEqual([400, OUTDATED]);

  const [{ id }] = (await list()).invitations;
  expect((await call('DELETE', `/api/admin/invitations/${id}`, owner)).statusCode).toBe(200);
  expect((await call('DELETE', `/api/admin/invitations/${id}`, owner)).statusCode).toBe(404);
  expect(answerOf(await accept(bo, second))).toEqual([400, OUTDATED]);

  await invite('bo@example.com');
  const third = await invitedToken('bo@example.com');
  server.setNow(new Date(Date.now() + 7 * DAY_MS + 1_000));
  try {
    expect(answerOf(await accept(bo, third))).toEqual([400, OUTDATED]);
    expect((await list()).invitations).toEqual([]);
    await sweepInvitations(server.context);
    expect(await server.context.db.$count(invitations)).toBe(0);
  } finally {
    server.setNow();
  }
  expect(await me(bo)).toMatchObject({ isAdmin: false });
  expect(answerOf(await accept(bo, 'x'.repeat(43)))).toEqual([400, OUTDATED]);
});

test('a changed role counts at the next call, and a removed administrator is an account like others', async () => {
  const { headers, id } = await signUpAs('cat@example.com', 'catalogue');
  expect(answerOf(await invite('cat@example.com'))).toEqual([
    409,
    'This account is an administrator already. Change its role in the list.',
  ]);
  expect((await call('PUT', `/api/admin/administrators/${id}`, owner, { role: 'support' })).statusCode).toBe(200);
  expect((await call('GET', '/api/admin/users', headers)).statusCode).toBe(200);
  expect((await call('GET', '/api/admin/products', headers)).statusCode).toBe(403);
  expect((await call('DELETE', `/api/admin/administrators/${id}`, owner)).statusCode).toBe(200);
  expect((await call('GET', '/api/admin/users', headers)).statusCode).toBe(403);
  expect(await me(headers)).toMatchObject({ isAdmin: false, adminRole: null });
  expect((await call('DELETE', `/api/admin/administrators/${id}`, owner)).statusCode).toBe(404);
  expect((await call('PUT', `/api/admin/administrators/${id}`, owner, { role: 'owner' })).statusCode).toBe(404);

  const events = await server.context.db
    .select()
    .from(securityEvents)
    .where(eq(securityEvents.email, 'cat@example.com'))
    .orderBy(asc(securityEvents.createdAt));
  const roleActions = events.filter(({ kind }) => kind === 'role').map(({ action }) => action);
  expect(roleActions.sort()).toEqual(['accepted', 'changed', 'invited', 'removed']);
  const trail = await server.context.db.select().from(auditTrail).where(eq(auditTrail.subject, 'cat@example.com'));
  expect(trail.map(({ action }) => action).sort()).toEqual([
    'administrator.accepted',
    'administrator.changed',
    'administrator.invited',
    'administrator.removed',
  ]);
});

test('account 1 stays an owner, for another owner too, and whatever the database says', async () => {
  const { headers } = await signUpAs('second@example.com', 'owner');
  for (const method of ['PUT', 'DELETE'] as const) {
    const answer = await call(method, '/api/admin/administrators/1', headers, { role: 'support' });
    expect(answerOf(answer)).toEqual([403, 'The first account stays an owner.']);
  }
  await server.context.db.update(users).set({ adminRole: 'support' }).where(eq(users.id, 1));
  expect(await me(owner)).toMatchObject({ adminRole: 'owner' });
  expect((await list()).administrators[0]).toMatchObject({ id: 1, role: 'owner' });
});
