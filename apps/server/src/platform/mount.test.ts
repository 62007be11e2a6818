import { once } from 'node:events';
import { connect } from 'node:net';
import { type Call, calls } from '@markwright/contract';
import type { FastifyInstance } from 'fastify';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { absentDatabaseError, createTestApp, formOf, type TestApp } from '../../test/server.ts';
import { AppError } from './errors.ts';
import { filesAway } from './files.ts';
import { createHttp } from './http.ts';
import { type Actor, mount } from './mount.ts';

const call = <const C extends Omit<Call, 'returns' | 'description'>>(spec: C) =>
  ({ returns: [], description: '', ...spec }) as const;

const greet = {
  anyone: call({
    method: 'POST',
    path: '/api/greet/:place',
    access: 'anyone',
    summary: '',
    params: z.object({ place: z.string().max(10) }),
    query: z.object({ loud: z.enum(['yes', 'no']).optional() }),
    body: z.object({
      name: z.string().min(2, 'Your name is too short.'),
      size: z.object({ mm: z.number().int().max(500) }).optional(),
    }),
    reply: z.object({ greeting: z.string() }),
  }),
  user: call({
    method: 'POST',
    path: '/api/user',
    access: 'user',
    summary: '',
    body: z.object({}),
    reply: z.object({ id: z.number() }),
  }),
  admin: call({
    method: 'PUT',
    path: '/api/admin',
    access: 'admin',
    roles: ['owner'],
    summary: '',
    reply: z.object({ ok: z.boolean() }),
  }),
  upload: call({
    method: 'POST',
    path: '/api/upload',
    access: 'anyone',
    summary: '',
    body: z.object({ title: z.string().optional() }),
    file: { field: 'file', maxBytes: 1000 },
    reply: z.object({ size: z.number(), filename: z.string(), title: z.string().optional() }),
  }),
  list: call({
    method: 'GET',
    path: '/api/list',
    access: 'anyone',
    summary: '',
    reply: z.object({ guestId: z.string() }),
  }),
};

let server: TestApp;
let app: FastifyInstance;
let handler: (actor: Actor, signal: AbortSignal) => Promise<{ greeting: string }>;
beforeAll(async () => {
  server = await createTestApp();
});
afterAll(() => server.close());
beforeEach(async () => {
  app = await createHttp(
    server.context,
    {
      findKey: async () => undefined,
      async findUser(token) {
        if (token === 'ann') return { id: 7, email: 'ann@example.com', isAdmin: false, sessionId: 's' };
        if (token === 'root')
          return { id: 1, email: 'root@example.com', isAdmin: true, adminRole: 'owner', sessionId: 's' };
        return undefined;
      },
      findAllowedOrigins: async () => undefined,
      countMails: async () => ({}),
    },
    { cookieSecrets: [Buffer.alloc(32, 7)], callsAMinute: 100_000 },
  );
  handler = async (actor) => ({ greeting: actor.kind });
  mount(app, server.context, greet.anyone, ({ actor, signal }) => handler(actor, signal));
  mount(app, server.context, greet.user, async ({ actor }) => ({ id: actor.id }));
  mount(app, server.context, greet.admin, async () => ({ ok: true }));
  mount(app, server.context, greet.list, async ({ actor }) => ({
    guestId: actor.kind === 'guest' ? actor.guestId : 'user',
  }));
  mount(app, server.context, greet.upload, async ({ file, body }) => ({
    size: file.bytes.length,
    filename: file.filename,
    title: body.title,
  }));
});
afterEach(() => app.close());

const asAnn = { authorization: 'Bearer ann' };
const asRoot = { authorization: 'Bearer root' };

describe('access', () => {
  test.each([
    ['nobody', {}],
    ['an ended token', { authorization: 'Bearer gone' }],
    ['another scheme', { authorization: 'Basic YW5uOng=' }],
    ['a token with control characters', { authorization: 'Bearer ann\tx' }],
    ['an endless token', { authorization: `Bearer ${'a'.repeat(5000)}` }],
    ['a cookie that holds a token', { cookie: 'token=ann; guest=ann' }],
  ])('%s gets 401', async (_case, headers) => {
    for (const [method, url] of [
      ['POST', '/api/user'],
      ['PUT', '/api/admin'],
    ] as const) {
      const answer = await app.inject({ method, url, headers, payload: method === 'POST' ? {} : undefined });
      expect(answer.statusCode).toBe(401);
      expect(answer.headers['www-authenticate']).toBe('Bearer');
      expect(answer.json()).toEqual({ message: expect.stringMatching(/sign in/), requestId: expect.any(String) });
    }
  });

  test('a user may make user calls and no administrator calls', async () => {
    expect((await app.inject({ method: 'POST', url: '/api/user', headers: asAnn, payload: {} })).json()).toEqual({
      id: 7,
    });
    const answer = await app.inject({ method: 'PUT', url: '/api/admin', headers: asAnn });
    expect(answer.statusCode).toBe(403);
    expect(answer.json().message).toBe('Access Denied: This portal is restricted to admin users only.');
    expect((await app.inject({ method: 'PUT', url: '/api/admin', headers: asRoot })).json()).toEqual({ ok: true });
  });

  test('a caller without access learns nothing about the body', async () => {
    const answer = await app.inject({
      method: 'POST',
      url: '/api/user',
      headers: { 'content-type': 'application/json' },
      payload: '{"broken',
    });
    expect(answer.statusCode).toBe(401);
  });

  test('every call of the contract is mounted, and private ones refuse a guest', async () => {
    for (const { method, path, access } of Object.values(calls).flatMap((group) => Object.values(group))) {
      expect(server.app.hasRoute({ method, url: path }), `${method} ${path}`).toBe(true);
      const { statusCode } = await server.app.inject({ method, url: path.replace(/:\w+/g, 'x') });
      if (access === 'anyone') expect(statusCode).not.toBe(401);
      else expect(statusCode).toBe(401);
      expect(statusCode).toBeLessThan(500);
    }
  });

  test('a route below /api without declared access stops the start', async () => {
    const other = await createHttp(
      server.context,
      {
        findUser: async () => undefined,
        findKey: async () => undefined,
        findAllowedOrigins: async () => undefined,
        countMails: async () => ({}),
      },
      { cookieSecrets: [Buffer.alloc(32)] },
    );
    for (const url of ['/api/secret', '/api', '/api/', '/api/health/x']) {
      expect(() => other.get(url, async () => 'open')).toThrow(/no declared access/);
    }
    expect(() =>
      other.register(async (scope) => void scope.post('/secret', async () => 'open'), { prefix: '/api' }),
    ).not.toThrow();
    await expect(other.ready()).rejects.toThrow(/no declared access/);
  });
});

describe('guests', () => {
  const post = (headers: Record<string, string> = {}) =>
    app.inject({ method: 'POST', url: '/api/greet/here', headers, payload: { name: 'Ann' } });
  const cookieOf = (answer: { cookies: { name: string; value: string }[] }) => {
    const cookie = answer.cookies.find(({ name }) => name === 'guest');
    return cookie && `guest=${encodeURIComponent(cookie.value)}`;
  };

  test('get a cookie with their first write and keep their id', async () => {
    const guestIds: string[] = [];
    handler = async (actor) => {
      if (actor.kind === 'guest') guestIds.push(actor.guestId);
      return { greeting: '' };
    };
    expect((await app.inject({ url: '/api/list' })).cookies).toEqual([]);
    const first = await post();
    expect(first.cookies).toMatchObject([{ name: 'guest', httpOnly: true, sameSite: 'Lax', path: '/' }]);
    expect(first.cookies[0]).not.toHaveProperty('secure');
    const second = await post({ cookie: cookieOf(first)! });
    expect(second.cookies).toEqual([]);
    expect(new Set(guestIds).size).toBe(1);
    expect((await app.inject({ url: '/api/list', headers: { cookie: cookieOf(first)! } })).json().guestId).toBe(
      guestIds[0],
    );
  });

  test.each([
    ['made up', () => 'guest=eba735f7-4efa-4770-b41f-ed1cb68c878e'],
    ['with a made-up signature', () => 'guest=eba735f7-4efa-4770-b41f-ed1cb68c878e.AAAA'],
    ['altered', (cookie: string) => cookie.replace(/=./, (start) => (start === '=a' ? '=b' : '=a'))],
    ['cut off', (cookie: string) => cookie.slice(0, -3)],
    ['empty', () => 'guest='],
    ['huge', () => `guest=${'x'.repeat(4000)}`],
  ])('a cookie that is %s is ignored', async (_case, forge) => {
    const cookie = cookieOf(await post())!;
    const ownGuestId = (await app.inject({ url: '/api/list', headers: { cookie } })).json().guestId;
    const forgedCookie = forge(cookie);
    expect((await app.inject({ url: '/api/list', headers: { cookie: forgedCookie } })).json().guestId).not.toBe(
      ownGuestId,
    );
    expect((await post({ cookie: forgedCookie })).cookies).toHaveLength(1);
  });

  test.each([
    ['a form on another site', { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }],
    ['another site without an origin', { 'sec-fetch-site': 'cross-site' }],
    ['an old browser on another site', { origin: 'https://evil.example' }],
    ['a sandboxed page', { origin: 'null' }],
    ['a subdomain', { 'sec-fetch-site': 'same-site', origin: 'http://evil.localhost:80' }],
    ['another port', { origin: 'http://localhost:8080' }],
    ['something that is no origin', { origin: 'localhost' }],
  ])('%s may not write as the guest', async (_case, headers) => {
    const cookie = cookieOf(await post())!;
    let changes = 0;
    handler = async () => {
      changes++;
      return { greeting: '' };
    };
    for (const type of [
      'application/json',
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
    ]) {
      const answer = await app.inject({
        method: 'POST',
        url: '/api/greet/here',
        headers: { ...headers, cookie, 'content-type': type, host: 'localhost:80' },
        payload: '{"name":"Ann"}',
      });
      expect(answer.statusCode).toBe(403);
    }
    expect(changes).toBe(0);
  });

  test.each([
    { 'sec-fetch-site': 'same-origin', origin: 'http://localhost:80' },
    { 'sec-fetch-site': 'none' },
    { origin: 'http://localhost:80' },
    {},
  ])('the studio’s own page may write: %j', async (headers) => {
    const cookie = cookieOf(await post())!;
    expect((await post({ ...headers, cookie, host: 'localhost:80' } as Record<string, string>)).statusCode).toBe(200);
  });

  test('a form or plain text is rejected, even from the studio’s own page', async () => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/jsonp', 'text/html']) {
      const answer = await app.inject({
        method: 'POST',
        url: '/api/greet/here',
        headers: { 'content-type': type },
        payload: '{"name":"Ann"}',
      });
      expect(answer.statusCode).toBe(415);
    }
  });

  test('on HTTPS the cookie is bound to the host', async () => {
    const secure = await createTestApp({ environment: { PUBLIC_URL: 'https://studio.example.com' } });
    try {
      const answer = await secure.app.inject({
        method: 'POST',
        url: '/api/auth/signup',
        payload: { email: 'a@example.com', password: 'walnut' },
      });
      expect(answer.cookies).toMatchObject([{ name: '__Host-guest', secure: true, path: '/', httpOnly: true }]);
    } finally {
      await secure.close();
    }
  });
});

describe('input and output', () => {
  const post = (payload: unknown, url = '/api/greet/here') =>
    app.inject({
      method: 'POST',
      url,
      headers: { 'content-type': 'application/json' },
      payload: typeof payload === 'string' ? payload : JSON.stringify(payload),
    });

  test.each([
    [{ name: 'A' }, 'Your name is too short.'],
    [{}, '“name” is missing.'],
    [{ name: 5 }, '“name” must be text.'],
    [{ name: 'Ann', size: { mm: 501 } }, '“size.mm” is too large: at most 500.'],
    [{ name: 'Ann', size: { mm: 1.5 } }, '“size.mm” must be a whole number.'],
    [{ name: 'Ann', size: [] }, '“size” must be an object.'],
    [[], 'The body must be an object.'],
    [null, '“name” is missing.'],
    ['', '“name” is missing.'],
    ['"text"', 'The body must be an object.'],
    ['{"name":', 'The request could not be read.'],
    ['{"name":"Ann","__proto__":{"isAdmin":true}}', 'The request could not be read.'],
    ['{"constructor":{"prototype":{"isAdmin":true}},"name":"Ann"}', 'The request could not be read.'],
  ])('%j is answered with the reason', async (body, message) => {
    const answer = await post(body);
    expect(answer.statusCode).toBe(400);
    expect(answer.json().message).toBe(message);
  });

  test('path and query are validated too', async () => {
    expect((await post({ name: 'Ann' }, '/api/greet/here?loud=maybe')).json().message).toBe(
      '“loud” must be one of: yes, no.',
    );
    expect((await post({ name: 'Ann' }, '/api/greet/here?loud=yes&loud=no')).statusCode).toBe(400);
    expect((await post({ name: 'Ann' }, '/api/greet/far-far-away')).json().message).toBe(
      '“place” is too large: at most 10 characters.',
    );
    expect((await post({ name: 'Ann' }, '/api/greet/%zz')).statusCode).toBe(400);
    expect((await post({ name: 'Ann' }, '/api/greet/here?unknown=1')).statusCode).toBe(200);
  });

  test('a body beyond the limit is not read', async () => {
    expect((await post({ name: 'x'.repeat(3 * 2 ** 20) })).statusCode).toBe(413);
  });

  test('a reply that breaks its contract is a 500 without details', async () => {
    handler = async () => ({ greeting: 5 }) as unknown as { greeting: string };
    const answer = await post({ name: 'Ann' });
    expect(answer.statusCode).toBe(500);
    expect(answer.json()).toEqual({
      message: 'Something went wrong on our side. Please try again.',
      requestId: expect.any(String),
    });
  });

  test('a reply contains only the fields of the contract', async () => {
    handler = async () => ({ greeting: 'hello', passwordHash: 'secret' });
    expect((await post({ name: 'Ann' })).body).toBe('{"greeting":"hello"}');
  });

  test('an AppError keeps its message and status', async () => {
    handler = async () => {
      throw new AppError('tooMany', 'Please wait.', { retryAfterSeconds: 7 });
    };
    const answer = await post({ name: 'Ann' });
    expect([answer.statusCode, answer.json().message, answer.headers['retry-after']]).toEqual([
      429,
      'Please wait.',
      '7',
    ]);
  });

  test.each([
    ['EMFILE', 503, '3'],
    ['EIO', 503, '3'],
    ['EROFS', 507, undefined],
  ])('a failing disk (%s) is a temporary error', async (code, status, retryAfter) => {
    handler = () => Promise.reject(Object.assign(new Error(code), { code, syscall: 'open' }));
    const answer = await app.inject({ method: 'POST', url: greet.anyone.path, payload: { name: 'Ann' } });
    expect([answer.statusCode, answer.headers['retry-after']]).toEqual([status, retryAfter]);
  });

  test('an unreachable database is a temporary error', async () => {
    handler = async () => {
      throw new Error('query', { cause: await absentDatabaseError() });
    };
    const answer = await post({ name: 'Ann' });
    expect([answer.statusCode, answer.headers['retry-after']]).toEqual([503, '3']);
    expect(answer.json().message).toContain('database');
  });

  test('an unreachable file store is a temporary error of its own', async () => {
    const refusal = Object.assign(new Error('connect'), { code: 'ECONNREFUSED', syscall: 'connect' });
    handler = () => Promise.reject(filesAway(refusal));
    const answer = await post({ name: 'Ann' });
    expect([answer.statusCode, answer.headers['retry-after']]).toEqual([503, '3']);
    expect(answer.json().message).toContain('files');
  });
});

describe('files', () => {
  const send = async (fields: Parameters<typeof formOf>[0]) =>
    app.inject({ method: 'POST', url: '/api/upload', ...(await formOf(fields)) });
  const file = (size: number, filename = 'a.png') => ({
    bytes: new Uint8Array(size),
    filename,
    mediaType: 'image/png',
  });

  test('come with their fields, in any order', async () => {
    expect((await send({ title: 'Board', file: file(10) })).json()).toEqual({
      size: 10,
      filename: 'a.png',
      title: 'Board',
    });
    expect((await send({ file: file(1000), title: 'Board' })).json()).toEqual({
      size: 1000,
      filename: 'a.png',
      title: 'Board',
    });
  });

  test.each([
    ['../../etc/passwd.png', 'passwd.png'],
    ['C:\\windows\\a.png', 'a.png'],
    ['a\u202egnp.exe', 'agnp.exe'],
    [' \u200e', 'design'],
    ['ä😀.png', 'ä😀.png'],
    ['n'.repeat(400), 'n'.repeat(255)],
  ])('are labeled without folders or hidden characters: %j', async (filename, label) => {
    expect((await send({ file: file(1, filename) })).json().filename).toBe(label);
  });

  test.each([
    ['a file that is too large', { file: file(1001) }, 413],
    ['no file', { title: 'x' }, 400],
    ['a file in another field', { other: file(10) }, 400],
    ['two files', { file: file(10), other: file(10) }, 413],
    ['a field that is too long', { title: 'x'.repeat(70_000), file: file(10) }, 413],
    [
      'too many fields',
      { ...Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`f${i}`, 'x'])), file: file(10) },
      413,
    ],
  ])('rejects %s', async (_case, fields, status) => {
    const answer = await send(fields);
    expect(answer.statusCode).toBe(status);
    expect(answer.json().message).toMatch(/\.$/);
  });

  test.each([
    ['not multipart', { 'content-type': 'application/json' }, '{}'],
    ['without a boundary', { 'content-type': 'multipart/form-data' }, 'x'],
    [
      'cut off',
      { 'content-type': 'multipart/form-data; boundary=x' },
      '--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nabc',
    ],
    ['empty', { 'content-type': 'multipart/form-data; boundary=x' }, ''],
    [
      'with a field named __proto__',
      { 'content-type': 'multipart/form-data; boundary=x' },
      '--x\r\nContent-Disposition: form-data; name="__proto__"\r\n\r\nabc\r\n--x--\r\n',
    ],
  ])('rejects a body that is %s', async (_case, headers, payload) => {
    const { statusCode } = await app.inject({
      method: 'POST',
      url: '/api/upload',
      headers: headers as Record<string, string>,
      payload,
    });
    expect(statusCode).toBeGreaterThanOrEqual(400);
    expect(statusCode).toBeLessThan(500);
  });
});

describe('connections', () => {
  const soon = { timeout: 60_000 };
  const request = (port: number) => {
    const socket = connect(port, '127.0.0.1');
    const body = '{"name":"Ann"}';
    socket.write(
      `POST /api/greet/here HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
    return socket;
  };
  const listen = async (): Promise<number> => {
    await app.listen({ port: 0, host: '127.0.0.1' });
    return (app.server.address() as { port: number }).port;
  };

  test('a client that disconnects aborts the work', async () => {
    const reasons: unknown[] = [];
    let hasBegun = false;
    handler = (_actor, signal) =>
      new Promise((_resolve, reject) => {
        hasBegun = true;
        signal.addEventListener('abort', () => {
          reasons.push(signal.reason);
          reject(signal.reason);
        });
      });
    const socket = request(await listen());
    await vi.waitFor(() => expect(hasBegun).toBe(true), soon);
    socket.destroy();
    await vi.waitFor(() => expect(reasons).toHaveLength(1), soon);
  });

  test('a disconnect after the reply aborts nothing', async () => {
    let signal: AbortSignal | undefined;
    handler = async (_actor, callSignal) => {
      signal = callSignal;
      return { greeting: 'hello' };
    };
    const socket = request(await listen());
    await once(socket, 'data');
    socket.destroy();
    await vi.waitFor(async () => expect(await connections(app)).toBe(0), soon);
    expect(signal?.aborted).toBe(false);
  });

  test('a request with an unfinished head is cut off some seconds after the time limit', {
    tags: ['detail'],
  }, async () => {
    const socket = connect(await listen(), '127.0.0.1');
    socket.write('GET /api/list HTTP/1.1\r\nHost: x\r\n');
    const giveUp = setTimeout(() => socket.destroy(new Error('It is still open.')), 50_000);
    const answer = Buffer.concat(await socket.toArray()).toString();
    clearTimeout(giveUp);
    expect(answer).toMatch(/^HTTP\/1\.1 408 /);
  });

  test('stopping waits for the running reply, and not for idle sockets', async () => {
    let finish: (() => void) | undefined;
    handler = () =>
      new Promise((resolve) => {
        finish = () => resolve({ greeting: 'last' });
      });
    const port = await listen();
    const idle = connect(port, '127.0.0.1');
    idle.write('GET /api/list HTTP/1.1\r\nHost: x\r\n\r\n');
    await once(idle, 'data');
    const busy = request(port);
    await vi.waitFor(() => expect(finish).toBeDefined(), soon);

    const idleEnd = once(idle, 'close');
    const closing = app.close();
    await idleEnd;
    finish?.();
    const answer = Buffer.concat(await busy.toArray()).toString();
    expect(answer).toContain('{"greeting":"last"}');
    expect(answer).toMatch(/connection: close/i);
    await closing;
  });
});

function connections(instance: FastifyInstance): Promise<number> {
  return new Promise((resolve, reject) =>
    instance.server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
  );
}
