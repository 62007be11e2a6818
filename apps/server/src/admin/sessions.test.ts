import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { signInAdmin } from '../../test/admin.ts';
import { createTestApp, type TestApp } from '../../test/server.ts';
import { sessions, users } from '../accounts/tables.ts';
import { auditTrail, securityEvents } from '../platform/tables.ts';

type Headers = { authorization: string };
let server: TestApp;
let owner: Headers;
let support: Headers;
beforeAll(async () => {
  server = await createTestApp({ environment: { ADMIN_PASSWORD: 'a workshop key' } });
  owner = await signInAdmin(server);
  support = await server.signUp('support@example.com');
  await server.context.db.update(users).set({ adminRole: 'support' }).where(eq(users.email, 'support@example.com'));
});
afterAll(() => server.close());
beforeEach(async () => {
  for (const table of [auditTrail, securityEvents]) await server.context.db.delete(table);
});

const endSessionsOf = (id: number, headers: Headers) =>
  server.app.inject({ method: 'DELETE', url: `/api/admin/users/${id}/sessions`, headers });
const me = (headers: Headers) => server.app.inject({ url: '/api/auth/me', headers });
const idOf = async (headers: Headers): Promise<number> => (await me(headers)).json().id;
async function logIn(email: string): Promise<Headers> {
  const payload = { email, password: 'walnut-board' };
  const answer = await server.app.inject({ method: 'POST', url: '/api/auth/login', payload });
  return { authorization: `Bearer ${answer.json().token}` };
}

test('ends every session of one account, and records who did it', async () => {
  const first = await server.signUp('ann@example.com');
  const second = await logIn('ann@example.com');
  const other = await server.signUp('bob@example.com');
  const id = await idOf(first);
  await server.context.db.delete(securityEvents);
  const answer = await endSessionsOf(id, support);
  expect([answer.statusCode, answer.json()]).toEqual([200, { ended: 2 }]);
  expect([(await me(first)).statusCode, (await me(second)).statusCode, (await me(other)).statusCode]).toEqual([
    401, 401, 200,
  ]);
  expect((await me(await logIn('ann@example.com'))).statusCode).toBe(200);

  const detail = { by: 'support@example.com', ended: 2 };
  const events = await server.context.db.select().from(securityEvents).where(eq(securityEvents.kind, 'account'));
  expect(events).toMatchObject([{ action: 'sessionsEnded', userId: id, email: 'ann@example.com', detail }]);
  expect(await server.context.db.select().from(auditTrail)).toMatchObject([
    { action: 'account.endSessions', subject: 'ann@example.com', email: 'support@example.com', detail: { ended: 2 } },
  ]);
});

test('an administrator’s sessions are for an owner to end, and the session of the call stays', async () => {
  const supportId = await idOf(support);
  const again = await logIn('support@example.com');
  for (const id of [1, supportId]) {
    const answer = await endSessionsOf(id, support);
    expect([answer.statusCode, answer.json().message]).toEqual([
      403,
      'Your role does not include this. An owner can change it.',
    ]);
  }
  expect((await me(again)).statusCode).toBe(200);
  expect((await endSessionsOf(supportId, owner)).json()).toEqual({ ended: 2 });
  expect(await server.context.db.$count(sessions, eq(sessions.userId, supportId))).toBe(0);

  const elsewhere = await signInAdmin(server);
  expect((await endSessionsOf(1, owner)).json()).toEqual({ ended: 1 });
  expect([(await me(owner)).statusCode, (await me(elsewhere)).statusCode]).toEqual([200, 401]);
});

test('an unknown account is not found', async () => {
  expect((await endSessionsOf(2_000_000, owner)).statusCode).toBe(404);
});
