/** Every call of the portal as every role: a role may make the calls that declare it, and no other. */
import { ADMIN_ROLE_NAMES, type AdminRole, type Call, calls } from '@markwright/contract';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { users } from '../src/accounts/tables.ts';
import { securityEvents } from '../src/platform/tables.ts';
import { createTestApp, type TestApp } from './server.ts';

const everyCall: Call[] = Object.values(calls).flatMap((group) => Object.values(group) as Call[]);
const adminCalls = everyCall.filter(({ access }) => access === 'admin');
const cells = adminCalls.flatMap((call) =>
  ADMIN_ROLE_NAMES.map((role) => [call.method, call.path, role, call] as const),
);
const DENIED = 'Your role does not include this. An owner can change it.';

let server: TestApp;
const headers = {} as Record<AdminRole, { authorization: string }>;
beforeAll(async () => {
  server = await createTestApp();
  for (const role of ADMIN_ROLE_NAMES) {
    headers[role] = await server.signUp(`${role}@example.com`);
    await server.context.db
      .update(users)
      .set({ adminRole: role })
      .where(eq(users.email, `${role}@example.com`));
  }
});
afterAll(() => server.close());

const send = (call: Call, role: AdminRole) =>
  server.app.inject({
    method: call.method,
    url: call.path.replace(/:\w+/g, 'nothing'),
    headers: headers[role],
    ...(call.method === 'GET' ? {} : { payload: {} }),
  });

test('every call below /api/admin is for administrators, and every such call declares its roles', () => {
  for (const { path, access } of everyCall) expect(access === 'admin', path).toBe(path.startsWith('/api/admin/'));
  for (const { path, roles } of adminCalls) expect(roles, path).toContain('owner');
  expect(cells.length).toBeGreaterThan(60);
});

test('roles are declared for calls of administrators alone', () => {
  expect(everyCall.filter(({ access, roles }) => access !== 'admin' && roles)).toEqual([]);
});

test.each(cells)('%s %s as %s', async (_method, _path, role, call) => {
  const answer = await send(call, role);
  if (call.roles?.includes(role)) {
    // Permitted: a made-up id and a missing body are the caller's mistakes.
    expect([401, 403], answer.body).not.toContain(answer.statusCode);
    expect(answer.statusCode, answer.body).toBeLessThan(500);
  } else {
    expect([answer.statusCode, answer.json().message]).toEqual([403, DENIED]);
  }
});

test('mails, which hold links that open accounts, and roles are the owner’s alone', () => {
  const sharedPaths = adminCalls.filter(({ roles }) => roles && roles.length > 1).map(({ path }) => path);
  for (const path of sharedPaths) expect(path).not.toMatch(/mails|administrators|invitations|audit|vectorizer/);
});

test('a denied call is a security event', async () => {
  await server.context.db.delete(securityEvents);
  await server.app.inject({ url: '/api/admin/users', headers: headers.catalogue });
  expect(await server.context.db.select().from(securityEvents)).toMatchObject([
    { kind: 'refusal', action: 'portal', email: 'catalogue@example.com', detail: { call: '/api/admin/users' } },
  ]);
});
