/**
 * Makes every call of the contract as guest, user and administrator, and checks the access and that no reply is a 5xx.
 */
import { type Call, calls } from '@markwright/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { signInAdmin } from './admin.ts';
import { createTestApp, type TestApp } from './server.ts';

const everyCall: Call[] = Object.values(calls).flatMap((group) => Object.values(group) as Call[]);
const callers = ['guest', 'user', 'admin', 'ended'] as const;
type Caller = (typeof callers)[number];

let server: TestApp;
let headers: Record<Caller, Record<string, string>>;
beforeAll(async () => {
  server = await createTestApp({ environment: { ADMIN_PASSWORD: 'the-workshop-key' } });
  const endedHeaders = await server.signUp();
  await server.app.inject({ method: 'POST', url: '/api/auth/logout', headers: endedHeaders });
  headers = { guest: {}, user: await server.signUp(), admin: await signInAdmin(server), ended: endedHeaders };
});
afterAll(() => server.close());

const send = (call: Call, caller: Caller, payload?: string | object) =>
  server.app.inject({
    method: call.method,
    url: call.path.replace(/:\w+/g, 'nothing'),
    headers: { ...headers[caller], ...(typeof payload === 'string' ? { 'content-type': 'application/json' } : {}) },
    ...(payload === undefined ? {} : { payload }),
  });

/** Returns the status that refuses a caller, or undefined for a permitted call. */
function expectedRefusal(call: Call, caller: Caller): 401 | 403 | undefined {
  if (call.access === 'anyone') return undefined;
  if (caller === 'guest' || caller === 'ended') return 401;
  return call.access === 'admin' && caller !== 'admin' ? 403 : undefined;
}

// Logging out comes last: it would end the session of the calls after it.
const cases = everyCall
  .toSorted((a, b) => Number(a.path.endsWith('/logout')) - Number(b.path.endsWith('/logout')))
  .flatMap((call) => callers.map((caller) => [call.method, call.path, caller, call] as const));

test('the contract has calls', () => {
  expect(everyCall.length).toBeGreaterThan(15);
});

describe('without a body', () => {
  test.each(cases)('%s %s as %s', async (_method, _path, caller, call) => {
    const answer = await send(call, caller);
    const refusal = expectedRefusal(call, caller);
    if (refusal) {
      expect(answer.statusCode).toBe(refusal);
      expect(answer.json<{ message: string }>().message).toMatch(/\.$/);
      return;
    }
    // Permitted callers have their own account; a missing body is the caller's mistake.
    expect([401, 403], answer.body).not.toContain(answer.statusCode);
    expect(answer.statusCode, answer.body).toBeLessThan(500);
    if (call.body && !z.safeParse(call.body, {}).success) expect(answer.statusCode).toBeGreaterThanOrEqual(400);
    expect(answer.headers['cache-control'], call.path).toMatch(/^(private, no-store|public, no-cache)$/);
    if (call.path.includes('/users/') || call.path.includes('/auth/') || call.path.includes('/designs')) {
      expect(answer.headers['cache-control']).toBe('private, no-store');
    }
  });
});

const oddBodies = [
  'null',
  '[]',
  '"text"',
  '12',
  '{',
  '{"__proto__":{"isAdmin":true}}',
  '{"constructor":{"prototype":{"x":1}}}',
  '{"designId":{"$ne":null},"composition":{"version":-1,"data":[]},"email":["a"],"password":{}}',
  `{"designId":"${'x'.repeat(5000)}"}`,
  `{"composition":{"version":0,"data":{"texts":${JSON.stringify(Array(500).fill({ id: 'a', text: 'b' }))}}}}`,
  `${'['.repeat(20_000)}${']'.repeat(20_000)}`,
];

describe('odd bodies cause no 5xx', () => {
  const writes = everyCall.filter(({ method, path }) => method !== 'GET' && !path.endsWith('/logout'));
  test.each(writes.map((call) => [call.method, call.path, call] as const))('%s %s', async (_method, _path, call) => {
    for (const caller of ['guest', 'admin'] as const) {
      for (const body of oddBodies) {
        const answer = await send(call, caller, body);
        expect(answer.statusCode, `${body.slice(0, 80)} → ${answer.body}`).toBeLessThan(500);
      }
    }
  });
});
