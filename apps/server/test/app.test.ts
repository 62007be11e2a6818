/** The server's routes besides its calls: pages, limits, and the operator's routes. */
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { IncomingMessage, ServerResponse, request as sendRequest } from 'node:http';
import { type AddressInfo, Socket } from 'node:net';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { calls } from '@markwright/contract';
import { allFontFiles } from '@markwright/fonts';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { seedProducts } from '../src/catalogue/seed/products.ts';
import { createMetricsServer } from '../src/platform/metrics.ts';
import { findSiteFolders, pages } from '../src/platform/site.ts';
import { createTestApp, type TestApp } from './server.ts';

let server: TestApp;
beforeAll(async () => {
  server = await createTestApp();
});
afterAll(() => server.close());
const get = (url: string) => server.app.inject({ url });

describe('pages', () => {
  // Without a build there are no pages to serve; the browser tests always have one.
  const isBuilt = findSiteFolders().web !== undefined;

  test
    .runIf(isBuilt)
    .each(['/', '/studio', '/auth/', '/plans?x=1', '/subscribe?plan=pro', '/admin-panel', '/password-reset?token=a'])(
    '%s is a page',
    async (url) => {
      const { statusCode, headers } = await get(url);
      expect([statusCode, headers['content-type'], headers['cache-control']]).toEqual([
        200,
        'text/html; charset=utf-8',
        'no-cache',
      ]);
    },
  );

  test('serves exactly the pages of the app', () => {
    const routes = readFileSync(new URL('../../web/src/routes.tsx', import.meta.url), 'utf8');
    const pageNames = [...routes.matchAll(/page\('\/([\w-]*)/g)].map(([, name]) => name!);
    const tabNames = [...routes.matchAll(/profileTab\('\/([\w-]*)'/g)].map(([, name]) =>
      `profile/${name}`.replace(/\/$/, ''),
    );
    // The widget is a separate page, beside the app.
    expect([...pages].sort()).toEqual([...new Set([...pageNames, ...tabNames, 'widget'])].sort());
  });

  test.runIf(isBuilt)('an unknown address shows the not-found page', async () => {
    const { statusCode, headers } = await get('/no-such-page');
    expect([statusCode, headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
  });

  test.each([
    '/api/none',
    '/assets/none.js',
    '/none.js',
    '/fonts/none.woff2',
    '/products/none.svg',
    '/.env',
    '/fonts/..%2f..%2fpackage.json',
    '/products/..%2f..%2fproducts.ts',
  ])('%s is answered with 404, and no page', async (url) => {
    const { statusCode, headers, json } = await get(url);
    expect([statusCode, headers['content-type']]).toEqual([404, 'application/json; charset=utf-8']);
    expect(json()).toEqual({ message: 'There is nothing at this address.', requestId: expect.any(String) });
  });

  test('the sign-up link of the landing page leads to the sign-up page', async () => {
    const { statusCode, headers } = await get('/api/login');
    expect([statusCode, headers.location]).toEqual([302, '/auth']);
  });

  test.runIf(isBuilt)('the worker that traces may compile WebAssembly, and nothing else may', async () => {
    const scripts = readdirSync(`${findSiteFolders().web}/assets`).filter((name) => name.endsWith('.js'));
    const tracers = scripts.filter((name) => name.startsWith('tracer.worker-'));
    expect(tracers).toHaveLength(1);
    const other = scripts.find((name) => name.startsWith('light.worker-'));
    for (const [url, isAllowed] of [
      [`/assets/${tracers[0]}`, true],
      [`/assets/${other}`, false],
      ['/studio', false],
    ] as const) {
      const policy = String((await get(url)).headers['content-security-policy']);
      expect(policy.includes("script-src 'self' 'wasm-unsafe-eval';"), url).toBe(isAllowed);
      expect(policy.includes("script-src 'self';"), url).toBe(!isAllowed);
    }
  });

  test.runIf(isBuilt)('files and the landing page come compressed, at one address', async () => {
    const [asset] = /\/assets\/[\w.-]+\.js/.exec((await get('/studio')).body)!;
    for (const url of ['/', '/embed.js', asset]) {
      const plain = await get(url);
      expect([plain.statusCode, plain.headers['content-encoding'], plain.headers.vary], url).toEqual([
        200,
        undefined,
        'accept-encoding',
      ]);
      for (const [encoding, read] of [
        ['br', brotliDecompressSync],
        ['gzip', gunzipSync],
      ] as const) {
        const answer = await server.app.inject({ url, headers: { 'accept-encoding': encoding } });
        expect(answer.headers['content-encoding'], url).toBe(encoding);
        expect(read(answer.rawPayload).equals(plain.rawPayload), url).toBe(true);
      }
    }
    const notThere = [
      '/embed.js.br',
      '/embed.js.gz',
      `${asset}.br`,
      `${asset}.gz`,
      '/assets/',
      '/assets/..%2findex.html',
    ];
    for (const url of [...notThere, '/assets/none.js', '/assets']) {
      for (const headers of [{}, { 'accept-encoding': 'br' }]) {
        expect((await server.app.inject({ url, headers })).statusCode, url).toBe(404);
      }
    }
    expect((await get(asset)).headers['cache-control']).toBe('public, max-age=31536000, immutable');
    const { statusCode, body } = await server.app.inject({ method: 'HEAD', url: asset });
    expect([statusCode, body]).toEqual([200, '']);
  });

  test('only GET and HEAD return a page', async () => {
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'] as const) {
      const { statusCode } = await server.app.inject({ method, url: '/studio' });
      expect(statusCode).toBe(404);
    }
  });
});

describe('fonts and pictures', () => {
  test('every font can be fetched, and cached forever', async () => {
    expect(allFontFiles.length).toBeGreaterThan(30);
    for (const { name } of allFontFiles) {
      const { statusCode, headers, rawPayload } = await get(`/fonts/${name}`);
      expect(statusCode, name).toBe(200);
      const [type, signature] = name.endsWith('.otf') ? ['font/otf', 'OTTO'] : ['font/woff2', 'wOF2'];
      expect(headers).toMatchObject({
        'content-type': type,
        'cache-control': 'public, max-age=31536000, immutable',
      });
      expect(rawPayload.subarray(0, 4).toString()).toBe(signature);
    }
  });

  test('every base product has a picture', async () => {
    for (const { productId } of seedProducts) {
      const { statusCode, headers, body } = await get(`/products/${productId}.svg`);
      expect(statusCode, productId).toBe(200);
      expect(headers['content-type']).toBe('image/svg+xml; charset=utf-8');
      expect(body).toContain('</svg>');
    }
    expect(existsSync(findSiteFolders().productPictures)).toBe(true);
  });
});

describe('limits', () => {
  test('one address is limited to some calls a minute, and the reply says how long to wait', async () => {
    const limitedServer = await createTestApp({ callsAMinute: 3 });
    try {
      const statuses: number[] = [];
      for (let i = 0; i < 4; i++)
        statuses.push((await limitedServer.app.inject({ url: '/api/users/guest-usage' })).statusCode);
      expect(statuses).toEqual([200, 200, 200, 429]);
      const answer = await limitedServer.app.inject({ url: '/api/users/guest-usage' });
      expect(answer.json()).toEqual({
        message: 'Too many calls at once. Please wait a moment.',
        requestId: expect.any(String),
      });
      expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
      // A forwarded address is ignored without a trusted proxy.
      const forwardedCall = { url: '/api/users/guest-usage', headers: { 'x-forwarded-for': '203.0.113.9' } };
      expect((await limitedServer.app.inject(forwardedCall)).statusCode).toBe(429);
      expect((await limitedServer.app.inject({ ...forwardedCall, remoteAddress: '203.0.113.8' })).statusCode).toBe(200);
      expect((await limitedServer.app.inject({ url: '/api/health' })).statusCode).toBe(200);
    } finally {
      await limitedServer.close();
    }
  });

  test('one network is limited, whichever way it spells the address', async () => {
    const limitedServer = await createTestApp({ callsAMinute: 2 });
    const spellings = [
      '/%61pi/users/guest-usage',
      '/api/users/%67uest-usage',
      'http://studio.test/api/users/guest-usage',
      '/%61%70%69/none',
      '/api%2Fnone',
      '//api/none',
      '/api/./none',
      '/%2e/api/none',
      '/x/%2E%2e/api/none',
    ];
    try {
      const address = await limitedServer.app.listen({ port: 0, host: '127.0.0.1' });
      const statusOf = async (path: string) => {
        const call = sendRequest(address, { path }).end();
        const [answer] = (await once(call, 'response')) as [IncomingMessage];
        answer.resume();
        return answer.statusCode;
      };
      expect(await statusOf('/%61pi/users/guest-usage')).toBe(200);
      expect(await statusOf('/%61pi/none')).toBe(404);
      for (const path of spellings) expect([path, await statusOf(path)]).toEqual([path, 429]);
      expect(await statusOf('/api/health')).toBe(200);

      // An IPv6 subscriber has more addresses than can be counted.
      const from = async (remoteAddress: string) =>
        (await limitedServer.app.inject({ url: '/api/users/guest-usage', remoteAddress })).statusCode;
      const statuses = [await from('2001:db8::1'), await from('2001:db8::2'), await from('2001:db8::3')];
      expect(statuses).toEqual([200, 200, 429]);
    } finally {
      await limitedServer.close();
    }
  });

  test('behind a proxy on this machine, the last forwarded address identifies the caller', async () => {
    const proxiedServer = await createTestApp({
      callsAMinute: 1,
      environment: { PUBLIC_URL: 'https://studio.example.com' },
    });
    try {
      const call = (forwardedFor: string, remoteAddress = '127.0.0.1') =>
        proxiedServer.app.inject({
          url: '/api/users/guest-usage',
          headers: { 'x-forwarded-for': forwardedFor },
          remoteAddress,
        });
      expect((await call('203.0.113.1')).statusCode).toBe(200);
      expect((await call('203.0.113.2')).statusCode).toBe(200);
      // the first part is the caller's own claim
      expect((await call('198.51.100.7, 203.0.113.1')).statusCode).toBe(429);
      expect((await call('203.0.113.3', '198.51.100.9')).statusCode).toBe(200);
      expect((await call('203.0.113.4', '198.51.100.9')).statusCode).toBe(429); // no trusted proxy
    } finally {
      await proxiedServer.close();
    }
  });
});

test('behind several proxies, the last address that none of them has identifies the caller', async () => {
  const proxiedServer = await createTestApp({
    callsAMinute: 1,
    environment: { TRUSTED_PROXIES: '10.0.0.5, 192.168.0.0/16,2001:db8::/32' },
  });
  try {
    const call = async (forwardedFor: string, remoteAddress: string) => {
      const headers = { 'x-forwarded-for': forwardedFor };
      return (await proxiedServer.app.inject({ url: '/api/users/guest-usage', headers, remoteAddress })).statusCode;
    };
    expect(await call('203.0.113.1', '10.0.0.5')).toBe(200);
    expect(await call('203.0.113.2', '192.168.7.7')).toBe(200);
    expect(await call('203.0.113.3', '2001:db8::7')).toBe(200);
    expect(await call('203.0.113.4', '::ffff:10.0.0.5')).toBe(200);
    // through two trusted hops, and with a claim of the caller's own in front
    expect(await call('198.51.100.1, 203.0.113.1, 192.168.0.9', '10.0.0.5')).toBe(429);
    expect(await call('203.0.113.2, 10.0.0.5', '192.168.7.7')).toBe(429);
    // a hop that is not trusted is the caller, whatever it forwards; so is a proxy on this machine
    expect(await call('203.0.113.5', '10.0.0.6')).toBe(200);
    expect(await call('203.0.113.6', '10.0.0.6')).toBe(429);
    expect(await call('203.0.113.7, 10.0.0.7', '10.0.0.5')).toBe(200);
    expect(await call('203.0.113.8, 10.0.0.7', '10.0.0.5')).toBe(429);
    expect(await call('203.0.113.7', '127.0.0.1')).toBe(200);
    expect(await call('203.0.113.8', '127.0.0.1')).toBe(429);
  } finally {
    await proxiedServer.close();
  }
});

test('a forwarded address with a port identifies the caller, and a proxy, without it', async () => {
  const proxiedServer = await createTestApp({
    callsAMinute: 1,
    environment: { TRUSTED_PROXIES: '10.0.0.5,192.168.0.0/16' },
  });
  try {
    const call = async (forwardedFor: string) => {
      const headers = { 'x-forwarded-for': forwardedFor };
      const remoteAddress = '10.0.0.5';
      return (await proxiedServer.app.inject({ url: '/api/users/guest-usage', headers, remoteAddress })).statusCode;
    };
    for (const host of ['203.0.113.1', '203.0.113.2', '[2001:db8::1]', '[2001:db8:1::1]']) {
      expect([await call(`${host}:4711`), await call(`${host}:4712`)]).toEqual([200, 429]);
    }
    expect(await call('203.0.113.2')).toBe(429);
    expect(await call('203.0.113.3:4711, 192.168.0.9:443')).toBe(200);
    expect(await call('203.0.113.3')).toBe(429);
  } finally {
    await proxiedServer.close();
  }
});

test('drops a call whose connection is closed already', async () => {
  const request = new IncomingMessage(new Socket());
  Object.assign(request, { method: 'GET', url: '/api/products', headers: { host: 'studio.test' } });
  const answer = new ServerResponse(request);
  server.app.server.emit('request', request, answer);
  await vi.waitFor(() => expect(answer.writableEnded).toBe(true), { timeout: 60_000 });
  expect(answer.statusCode).toBe(400);
});

describe('the operator’s routes', () => {
  test('report liveness', async () => {
    expect((await get('/api/health')).json()).toEqual({ status: 'ok' });
  });

  test('show metrics on their own port alone', async () => {
    await get('/api/products');
    for (const remoteAddress of ['127.0.0.1', '::1', '203.0.113.1']) {
      expect((await server.app.inject({ url: '/metrics', remoteAddress })).statusCode).toBe(404);
    }
    const metrics = createMetricsServer(server.app.metrics).listen(0, '127.0.0.1');
    await once(metrics, 'listening');
    const url = `http://127.0.0.1:${(metrics.address() as AddressInfo).port}`;
    try {
      const answer = await fetch(`${url}/metrics`);
      const text = await answer.text();
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, expect.stringContaining('text/plain')]);
      expect(text).toMatch(/http_request_seconds_count\{method="GET",route="\/api\/products",status="200"\} \d+/);
      expect(text).toContain('media_jobs{state="running"} 0');
      expect(text).toMatch(/^process_cpu_seconds_total \d/m); // of the process too
      for (const path of ['/', '/api/products', '/metrics/', '/metrics?x']) {
        expect((await fetch(url + path)).status).toBe(404);
      }
      expect((await fetch(`${url}/metrics`, { method: 'POST' })).status).toBe(404);
    } finally {
      metrics.closeAllConnections();
      metrics.close();
    }
  });

  test('document every call in one OpenAPI document', async () => {
    const document = (await get('/api/openapi.json')).json();
    expect(document.openapi).toBe('3.1.1');
    const operations = Object.values(
      document.paths as Record<string, Record<string, { operationId: string; security: object[] }>>,
    )
      .flatMap((path) => Object.values(path))
      .filter(({ operationId }) => !operationId.startsWith('server.'));
    const every = Object.values(calls).flatMap((group) => Object.values(group));
    expect(operations).toHaveLength(every.length);
    expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(every.length);

    const { login, me } = calls.auth;
    expect(document.paths[login.path].post.requestBody.content['application/json'].schema).toMatchObject({
      type: 'object',
      required: ['email', 'password'],
    });
    expect(document.paths[me.path].get.security).toEqual([{ bearer: [] }]);
    const upload = document.paths[calls.designs.upload.path].post.requestBody.content['multipart/form-data'].schema;
    expect(upload).toMatchObject({ properties: { file: { type: 'string', format: 'binary' } }, required: ['file'] });
  });
});
