/** T8: only the administrator may make the administrator's calls, whatever a caller claims. */
import { type Call, calls } from '@markwright/contract';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { invitations, sessions, users } from '../src/accounts/tables.ts';
import { categories, products } from '../src/catalogue/tables.ts';
import { mails } from '../src/mail/tables.ts';
import { makers } from '../src/makers/tables.ts';
import { auditTrail } from '../src/platform/tables.ts';
import { signInAdmin } from './admin.ts';
import { createTestApp, type TestApp } from './server.ts';

type Headers = Record<string, string>;
const methods = ['GET', 'POST', 'PUT', 'DELETE'] as const;
const everyCall: Call[] = Object.values(calls).flatMap((group) => Object.values(group) as Call[]);
const adminCalls = everyCall.filter(({ access }) => access === 'admin');
const adminPaths = [...new Set(adminCalls.map(({ path }) => path))];

/** Claims of a user to be somebody else. */
const claims = { userId: 1, id: 1, isAdmin: true, role: 'admin', email: 'admin@markwright.local', access: 'admin' };
const forgedHeaders: Headers = {
  'x-user-id': '1',
  'x-role': 'admin',
  'x-admin': 'true',
  'x-forwarded-user': 'admin@markwright.local',
  'x-forwarded-for': '127.0.0.1',
  'x-original-url': '/api/site',
  'x-http-method-override': 'GET',
};

let server: TestApp;
let roles: Record<string, Headers>;
let admin: Headers;
let mailId: string;
let administratorId: string;
beforeAll(async () => {
  server = await createTestApp({ environment: { ADMIN_PASSWORD: 'the-workshop-key' } });
  const user = await server.signUp('reader@example.com');
  const paidUser = await server.signUp('agency@example.com');
  await server.context.db
    .update(users)
    .set({ subscriptionPlan: 'agency', subscriptionStatus: 'active' })
    .where(eq(users.email, 'agency@example.com'));
  admin = await signInAdmin(server);
  const endedAdmin = await signInAdmin(server);
  await server.app.inject({ method: 'POST', url: '/api/auth/logout', headers: endedAdmin });
  roles = {
    'a guest': {},
    'a user': user,
    'a user who pays': paidUser,
    'the administrator’s ended token': endedAdmin,
    'a user who claims to be the administrator': { ...user, ...forgedHeaders, cookie: 'userId=1; isAdmin=true' },
  };
  const [mail] = await server.context.db.select().from(mails).where(eq(mails.recipient, 'agency@example.com'));
  mailId = mail!.id;
  const { db } = server.context;
  await server.signUp('support@example.com');
  const [administrator] = await db
    .update(users)
    .set({ adminRole: 'support' })
    .where(eq(users.email, 'support@example.com'))
    .returning({ id: users.id });
  administratorId = String(administrator!.id);
  const expiresAt = new Date(Date.now() + 24 * 60 * 60 * 1000);
  const invitation = { role: 'support', tokenHash: 'x', invitedBy: 'a@example.com', expiresAt } as const;
  await db.insert(invitations).values({ id: 'open', email: 'invited@example.com', ...invitation });
  await db.insert(categories).values([
    { id: 'mugs', name: 'Mugs' },
    { id: 'signs', name: 'Signs' },
  ]);
  const printArea = { x: 0, y: 0, width: 1, height: 1 };
  const blank = { printArea, pictureAspect: 1, material: 'other', markColor: '#000000', machines: ['laser' as const] };
  const [reader] = await db.select().from(users).where(eq(users.email, 'reader@example.com'));
  await db.insert(makers).values({ userId: reader!.id, id: 'bench', name: 'The Bench' });
  await db.insert(products).values({ id: 'mug', productId: 'mug', name: 'Mug', category: 'Mugs', ...blank });
});
afterAll(() => server.close());

const claimQuery = Object.entries(claims)
  .map(([name, value]) => `${name}=${value}`)
  .join('&');
/** Returns the id of an existing object. */
const idOf = (path: string): string =>
  Object.entries({
    categories: 'signs',
    products: 'mug',
    makers: 'bench',
    invitations: 'open',
    administrators: administratorId,
    users: administratorId,
  }).find(([kind]) => path.includes(`/${kind}/`))?.[1] ?? mailId;
const addressOf = (path: string) => `${path.replace(/:\w+/g, idOf(path))}?${claimQuery}`;
/** Returns true when a call matches a path: `/products/all` is a `/products/:id` too. */
const isAt = (call: Call, path: string): boolean =>
  new RegExp(`^${call.path.replace(/:\w+/g, '[^/]+')}$`).test(path.replace(/:\w+/g, 'x'));
/** Reads all rows that an intruder could change. */
const readAll = () => {
  const { db } = server.context;
  return Promise.all([
    db.select().from(mails).where(eq(mails.id, mailId)),
    db.select().from(categories).orderBy(categories.id),
    db.select().from(products),
    db.select().from(makers),
    db.select().from(auditTrail),
    db.select().from(invitations),
    db.select({ id: sessions.id }).from(sessions).orderBy(sessions.id),
    db.select({ id: users.id, role: users.adminRole }).from(users).orderBy(users.id),
  ]);
};
const bodyFor = (method: string) => (method === 'GET' ? {} : { payload: claims });

describe('T8: only the administrator', () => {
  let cells = 0;
  test.each(adminPaths)('at %s', async (path) => {
    const before = await readAll();
    for (const [role, headers] of Object.entries(roles)) {
      for (const method of methods) {
        const isCall = adminCalls.some((call) => isAt(call, path) && call.method === method);
        const answer = await server.app.inject({ method, url: addressOf(path), headers, ...bodyFor(method) });
        const isUser = role.startsWith('a user');
        expect(answer.statusCode, `${method} as ${role}`).toBe(isCall ? (isUser ? 403 : 401) : 404);
        if (isCall && isUser) {
          expect(answer.json().message).toBe('Access Denied: This portal is restricted to admin users only.');
        }
        expect(answer.body).not.toContain('agency@example.com');
        cells++;
      }
    }
    expect(await readAll()).toEqual(before);
  });

  test('tried every path with five roles and four methods', () => {
    expect(adminPaths.length).toBeGreaterThanOrEqual(3);
    expect(cells).toBe(adminPaths.length * 5 * 4);
  });

  test.each(adminCalls.map((call) => [call.method, call.path] as const))(
    '%s %s is the administrator’s',
    async (method, path) => {
      const answer = await server.app.inject({
        method,
        url: path.replace(/:\w+/g, idOf(path)),
        headers: admin,
        ...bodyFor(method),
      });
      expect([401, 403, 404], answer.body).not.toContain(answer.statusCode);
      expect(answer.statusCode).toBeLessThan(500);
    },
  );

  test('no other spelling of the address avoids the check', async () => {
    const spellings = [
      '/api/admin/mails/',
      '/api//admin/mails',
      '//api/admin/mails',
      '/API/admin/mails',
      '/api/Admin/mails',
      '/api/%61dmin/mails',
      '/api/admin%2fmails',
      '/api/admin/./mails',
      '/api/site/../admin/mails',
      '/api/site/..%2fadmin/mails',
      '/api/admin/mails;a=1',
      '/api/admin/mails%00',
      '/api/admin/mails%20',
      '/api/admin/mails.json',
    ];
    for (const url of spellings) {
      for (const [role, headers] of Object.entries(roles)) {
        const answer = await server.app.inject({ url, headers });
        expect([400, 401, 403, 404], `${url} as ${role}`).toContain(answer.statusCode);
        expect(answer.body).not.toContain('agency@example.com');
      }
    }
  });
});
