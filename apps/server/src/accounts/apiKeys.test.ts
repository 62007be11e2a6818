import {
  API_KEY_CALLS_A_MINUTE,
  API_SCOPES,
  type ApiScope,
  apiScopes,
  type Call,
  calls,
  MAX_API_KEYS,
} from '@markwright/contract';
import { and, eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { signInAdmin } from '../../test/admin.ts';
import { createTestApp, type TestApp } from '../../test/server.ts';
import { takeOut } from '../../test/takeout.ts';
import { rateLimits, securityEvents } from '../platform/tables.ts';
import { issueMailedToken } from './mailedTokens.ts';
import { apiKeys } from './tables.ts';

type Headers = Record<string, string>;
const PASSWORD = 'walnut-board';
const KEYS = '/api/auth/api-keys';

let server: TestApp;
let ann: Headers;
beforeAll(async () => {
  server = await createTestApp({ environment: { ADMIN_PASSWORD: 'the-workshop-key' } });
  server.setNow(new Date());
  ann = await server.signUp('ann@example.com');
});
afterAll(() => server.close());

const ask = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, headers: Headers, payload?: object) =>
  server.app.inject({ method, url, headers, ...(payload && { payload }) });
const create = (headers: Headers, scopes: readonly string[] = ['designs:read'], changes: object = {}) =>
  ask('POST', KEYS, headers, { name: 'Night run', scopes, password: PASSWORD, ...changes });
const asKey = (key: string): Headers => ({ authorization: `Bearer ${key}` });
const list = async (headers: Headers) => (await ask('GET', KEYS, headers)).json();

describe('the calls of a key', () => {
  const everyCall: Call[] = Object.values(calls).flatMap((group) => Object.values(group) as Call[]);

  test('each declares its scope, and none of an account or an administrator does', () => {
    const keyCalls = everyCall.filter(({ scope }) => scope !== undefined);
    for (const { path, access } of keyCalls) {
      expect(access, path).not.toBe('admin');
      expect(path).not.toMatch(/^\/api\/(auth|users|admin|company$|company\/shop|orders|maker)/);
    }
    expect(new Set(keyCalls.map(({ scope }) => scope))).toEqual(new Set(apiScopes));
  });

  test('are those of its scopes, and every other one is refused, also with an administrator’s key', async () => {
    const admin = await signInAdmin(server);
    const keys: [ApiScope, string][] = [];
    for (const scope of apiScopes) {
      const { key } = (await create(admin, [scope], { password: 'the-workshop-key' })).json();
      keys.push([scope, key]);
    }
    for (const [scope, key] of keys) {
      for (const call of everyCall) {
        await server.context.db.delete(rateLimits);
        const url = call.path.replace(/:\w+/g, 'nothing');
        const answer = await server.app.inject({ method: call.method, url, headers: asKey(key) });
        const name = `${call.method} ${call.path} with ${scope}: ${answer.body}`;
        if (call.scope === scope) expect([401, 403, 500], name).not.toContain(answer.statusCode);
        else {
          expect(answer.statusCode, name).toBe(403);
          expect(answer.json().message).toMatch(/^(This call needs an API key with the scope|No API key opens)/);
        }
      }
    }
    const refusals = await server.context.db
      .select()
      .from(securityEvents)
      .where(and(eq(securityEvents.kind, 'refusal'), eq(securityEvents.action, 'apiKey')));
    expect(refusals.map(({ detail }) => detail?.call)).toContain('/api/admin/overview');
    expect(JSON.stringify(refusals)).not.toContain('mwkey_');
  });

  test('work on the things of its own account alone', async () => {
    const gus = await server.signUp();
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 6 4"><path d="M1 1L2 3L3 1Z"/></svg>';
    const keyOf = async (headers: Headers) => asKey((await create(headers, apiScopes)).json().key);
    const [annsKey, gussKey] = [await keyOf(ann), await keyOf(gus)];
    const form = new FormData();
    form.set('file', new Blob([svg]), 'fox.svg');
    const upload = { method: 'POST', url: '/api/designs/upload', payload: form, headers: annsKey } as const;
    const design = (await server.app.inject(upload)).json();
    const idsOf = async (headers: Headers) =>
      (await ask('GET', '/api/designs', headers)).json().map(({ id }: { id: string }) => id);
    expect([await idsOf(ann), await idsOf(annsKey), await idsOf(gussKey)]).toEqual([[design.id], [design.id], []]);
    expect((await ask('GET', `/api/designs/${design.id}`, gussKey)).statusCode).toBe(404);
    expect((await ask('GET', `/api/designs/${design.id}`, annsKey)).statusCode).toBe(200);
  });

  test('are a limited number a minute', async () => {
    const key = asKey((await create(ann)).json().key);
    const answers = await Promise.all(
      Array.from({ length: API_KEY_CALLS_A_MINUTE + 5 }, () => ask('GET', '/api/designs', key)),
    );
    const refusals = answers.filter(({ statusCode }) => statusCode === 429);
    expect(refusals).toHaveLength(5);
    expect(refusals[0]!.headers['retry-after']).toBe('60');
    expect((await ask('GET', '/api/designs', ann)).statusCode).toBe(200);
  });
});

describe('a key', () => {
  test('is shown once, and stored as a hash', async () => {
    const answer = await create(ann, ['files:make', 'designs:read', 'files:make'], { name: ' Shop sync ' });
    const { key, ...rest } = answer.json();
    expect(key).toMatch(/^mwkey_[\w-]{43}$/);
    expect(rest).toMatchObject({
      ...{ name: 'Shop sync', scopes: ['designs:read', 'files:make'], hint: key.slice(-4), lastUsedAt: null },
    });
    const [row] = await server.context.db.select().from(apiKeys).where(eq(apiKeys.id, rest.id));
    expect(JSON.stringify(row)).not.toContain(key.slice(6, -4));
    for (const body of [
      (await ask('GET', KEYS, ann)).body,
      JSON.stringify(await takeOut(server, ann)),
      JSON.stringify(await server.context.db.select().from(securityEvents)),
    ]) {
      expect(body).not.toContain(key);
      expect(body).not.toContain(row!.hash);
    }
    expect((await ask('GET', '/api/designs', asKey(key))).statusCode).toBe(200);
    expect(await list(ann)).toContainEqual({ ...rest, lastUsedAt: expect.any(String) });
  });

  test('needs the password, and a name and a scope', async () => {
    const headers = await server.signUp();
    const refusals: [object, RegExp][] = [
      [{ password: 'not-this-one' }, /current password is not right/],
      [{ name: ' ' }, /what the key is for/],
      [{ scopes: [] }, /Choose what the key may do/],
      [{ scopes: ['admin'] }, /must be one of/],
    ];
    for (const [changes, sentence] of refusals) {
      const answer = await create(headers, ['designs:read'], changes);
      expect([answer.statusCode, answer.json().message]).toEqual([400, expect.stringMatching(sentence)]);
    }
    expect(await list(headers)).toEqual([]);
  });

  test('that is rotated or revoked works no more, also where a guest may call', async () => {
    const headers = await server.signUp();
    const { id, key: first } = (await create(headers)).json();
    const wrong = await ask('POST', `${KEYS}/${id}/rotate`, headers, { password: 'not-this-one' });
    expect(wrong.statusCode).toBe(400);
    const second = (await ask('POST', `${KEYS}/${id}/rotate`, headers, { password: PASSWORD })).json();
    const status = async (key: string, url = '/api/designs') => (await ask('GET', url, asKey(key))).statusCode;
    expect(second.id).toBe(id);
    expect([await status(first), await status(second.key)]).toEqual([401, 200]);
    expect((await ask('DELETE', `${KEYS}/${id}`, headers)).json()).toEqual({ ok: true });
    for (const url of ['/api/designs', '/api/products', '/api/compositions', '/api/admin/overview']) {
      expect(await status(second.key, url), url).toBe(401);
    }
    expect(await status(`${second.key}x`)).toBe(401);
    const events = await server.context.db.select().from(securityEvents).where(eq(securityEvents.kind, 'key'));
    const actions = events.filter(({ detail }) => detail?.key === id).map(({ action }) => action);
    expect(actions.sort()).toEqual(['apiKeyCreated', 'apiKeyRevoked', 'apiKeyRotated']);
  });

  test('is nobody else’s', async () => {
    const gus = await server.signUp();
    const { id } = (await create(ann)).json();
    for (const [method, path] of [
      ['DELETE', ''],
      ['POST', '/rotate'],
    ] as const) {
      const payload = { password: PASSWORD };
      const theirs = await ask(method, `${KEYS}/${id}${path}`, gus, payload);
      const missing = await ask(method, `${KEYS}/nothing${path}`, gus, payload);
      expect([theirs.statusCode, theirs.json().message]).toEqual([404, missing.json().message]);
    }
    expect((await list(ann)).map((key: { id: string }) => key.id)).toContain(id);
  });

  test('is one of at most 20, and goes with the account', async () => {
    const headers = await server.signUp();
    const answers = await Promise.all(Array.from({ length: 4 }, () => create(headers)));
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200]);
    const { userId } = (
      await server.context.db.select().from(apiKeys).where(eq(apiKeys.id, answers[0]!.json().id))
    )[0]!;
    const rows = Array.from({ length: MAX_API_KEYS - 4 }, (_, i) => ({
      ...{ id: `of ${userId} ${i}`, userId, name: 'x', hash: `${userId} ${i}`, hint: 'abcd', scopes: ['designs:read'] },
    }));
    await server.context.db.insert(apiKeys).values(rows);
    expect((await create(headers)).statusCode).toBe(409);
    await ask('POST', '/api/users/delete-account', headers, { password: PASSWORD });
    expect(await server.context.db.$count(apiKeys, eq(apiKeys.userId, userId))).toBe(0);
    expect((await ask('GET', '/api/designs', asKey(answers[0]!.json().key))).statusCode).toBe(401);
  });

  test('of an account whose password was reset by mail works no more, and stays after a change of it', async () => {
    const headers = await server.signUp('reset@example.com');
    const { key } = (await create(headers)).json();
    const change = { currentPassword: PASSWORD, newPassword: 'another-walnut-board' };
    expect((await ask('POST', '/api/auth/change-password', headers, change)).statusCode).toBe(200);
    expect((await ask('GET', '/api/designs', asKey(key))).statusCode).toBe(200);
    const { id } = (await ask('GET', '/api/auth/me', headers)).json();
    const { token } = await server.context.db.transaction((tx) =>
      issueMailedToken(server.context, tx, 'reset', { id, email: 'reset@example.com' }),
    );
    const reset = await ask('POST', '/api/auth/reset-password', {}, { token, password: 'a-third-walnut-board' });
    expect(reset.statusCode, reset.body).toBe(200);
    expect((await ask('GET', '/api/designs', asKey(key))).statusCode).toBe(401);
  });
});

test('OpenAPI names the scopes of each call, and its examples are ones that the calls take', async () => {
  const document = (await server.app.inject('/api/openapi.json')).json();
  const { apiKey } = document.components.securitySchemes;
  for (const [scope, words] of Object.entries(API_SCOPES)) {
    expect(apiKey.description).toContain(scope);
    expect(apiKey.description.toLowerCase()).toContain(words.toLowerCase());
  }
  expect(document.paths['/api/exports/file'].post.security).toEqual([{ bearer: [] }, { apiKey: ['files:make'] }]);
  expect(document.paths['/api/auth/me'].get.security).toEqual([{ bearer: [] }]);
  const exampleCalls = Object.values(calls)
    .flatMap((group) => Object.values(group) as Call[])
    .filter(({ examples }) => examples);
  expect(exampleCalls.length).toBeGreaterThan(1);
  for (const { path, method, body, examples, reply, replyExample } of exampleCalls) {
    for (const [name, { value }] of Object.entries(examples!())) {
      expect(z.safeParse(body!, value).success, `${path} ${name}`).toBe(true);
    }
    if (replyExample !== undefined) expect(z.safeParse(reply, replyExample).success, path).toBe(true);
    const { content } = document.paths[path][method.toLowerCase()].requestBody;
    expect(Object.keys(content['application/json'].examples)).toEqual(Object.keys(examples!()));
  }
});
