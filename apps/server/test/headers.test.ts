import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { type Call, calls } from '@markwright/contract';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { plainRoutes } from '../src/platform/http.ts';
import { findSiteFolders, pages } from '../src/platform/site.ts';
import { shops } from '../src/shops/tables.ts';
import { createTestApp, type TestApp } from './server.ts';

let server: TestApp;
beforeAll(async () => {
  server = await createTestApp();
});
afterAll(() => server.close());

const places = [
  ...[...pages].filter((page) => page !== 'widget').map((page) => `/${page}`),
  '/no-such-page',
  '/embed.js',
  '/embed.d.ts',
  '/favicon.svg',
  '/products/mug-11oz-white.svg',
  '/fonts/none.woff2',
  '/files/none.png',
  '/assets/none.js',
];
const everyRoute = [
  ...places.map((url) => ['GET', url] as const),
  ...plainRoutes.map((url) => ['GET', url] as const),
  ...Object.values(calls).flatMap((group) =>
    Object.values<Call>(group).map(({ method, path }) => [method, path] as const),
  ),
];

const strangers = [
  'https://evil.example',
  'http://evil.example',
  'null',
  'file://',
  'http://localhost:80',
  'https://127.0.0.1',
  'http://studio.test.evil.example',
  'chrome-extension://abcdefghijklmnop',
];

const frameAncestors = (policy: unknown) => /frame-ancestors ([^;]*)/.exec(String(policy))?.[1];

describe('headers', () => {
  test.each(everyRoute)('%s %s forbids framing, sniffing and foreign scripts', async (method, url) => {
    const { headers } = await server.app.inject({ method, url });
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['referrer-policy']).toBe('no-referrer');
    expect(headers['x-frame-options']).toBe('DENY');
    const policy = String(headers['content-security-policy']);
    expect(frameAncestors(policy)).toBe("'none'");
    expect(policy).toContain("script-src 'self';");
    expect(policy).not.toContain('unsafe');
    expect(headers['access-control-allow-origin']).toBeUndefined();
  });

  test.each(['/widget', '/widget/', '/widget?mode=laser'])('%s may be framed by any site', async (url) => {
    const { headers } = await server.app.inject({ url });
    expect(headers['x-frame-options']).toBeUndefined();
    expect(frameAncestors(headers['content-security-policy'])).toBe('*');
    expect(headers['content-security-policy']).toContain("script-src 'self';");
  });

  test('a shop’s widget may be framed where the shop says, and everywhere before it does', async () => {
    const headers = await server.signUp();
    const url = '/api/company/shop';
    const { key } = (await server.app.inject({ url, headers })).json<{ key: string }>();
    const framedBy = async (query = `shop=${key}`) =>
      frameAncestors((await server.app.inject({ url: `/widget?${query}` })).headers['content-security-policy']);
    expect(await framedBy()).toBe('*');

    const allowedOrigins = ['https://shop.example', 'http://127.0.0.1:8080'];
    await server.app.inject({ method: 'PUT', url, headers, payload: { allowedOrigins } });
    expect(await framedBy()).toBe("'self' https://shop.example http://127.0.0.1:8080");
    expect(await framedBy(`mode=uv&shop=${key}&channel=1`)).toBe("'self' https://shop.example http://127.0.0.1:8080");
    expect(await framedBy(`shop=${key}&shop=${key}`)).toBe("'none'");
    expect(await framedBy(`shop=${key}x`)).toBe("'none'");

    // Stored text never becomes a part of the policy, however it got into the database.
    const storedOrigins = ['https://a.example; script-src *', "'unsafe-inline'", '*', 'https://*', 'https://b.example'];
    await server.seeAll.update(shops).set({ allowedOrigins: storedOrigins }).where(eq(shops.key, key));
    expect(await framedBy()).toBe("'self' https://b.example");
  });

  test.each(['', 'nobodys-shop-has-this', '*', "x'; script-src *", '..%2f..', 'a'.repeat(5000)])(
    'no site may frame the widget of the shop %j',
    async (key) => {
      const { headers } = await server.app.inject({ url: `/widget?shop=${encodeURIComponent(key)}` });
      expect(frameAncestors(headers['content-security-policy'])).toBe("'none'");
    },
  );

  test.each(['/widgets', '/widget/x', '/widget.html', '//widget', '/api/widget'])(
    '%s is not the widget',
    async (url) => {
      const { headers } = await server.app.inject({ url });
      expect(headers['x-frame-options']).toBe('DENY');
    },
  );

  test.each(everyRoute)('%s %s lets no page of another origin read its reply', async (method, url) => {
    for (const origin of strangers) {
      const { headers } = await server.app.inject({ method, url, headers: { origin, cookie: 'guest=1' } });
      expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
    }
  });

  describe('of every answer, malformed requests included', () => {
    const names = [
      'content-security-policy',
      'cross-origin-opener-policy',
      'permissions-policy',
      'referrer-policy',
      'x-content-type-options',
      'x-frame-options',
    ];
    let port: number;
    beforeAll(async () => {
      await server.app.listen({ port: 0, host: '127.0.0.1' });
      ({ port } = server.app.server.address() as AddressInfo);
    });

    /** Sends a request as it is, and reads status and headers of the first answer. */
    async function send(text: string) {
      const socket = connect(port, '127.0.0.1');
      let answer = '';
      socket.on('data', (data) => {
        answer += data;
      });
      socket.on('error', () => {}); // the server cuts a refused request off
      socket.write(text);
      socket.setTimeout(60_000, () => socket.destroy());
      await once(socket, 'close');
      const [head = '', body = ''] = answer.split('\r\n\r\n');
      const [first = '', ...lines] = head.split('\r\n');
      const headers = Object.fromEntries(lines.map((line) => line.toLowerCase().split(/: (.*)/)));
      return { status: Number(first.split(' ')[1]), headers, body };
    }
    const request = (line: string, more = '') =>
      `${line} HTTP/1.1\r\nHost: studio.test\r\nConnection: close\r\n${more}\r\n`;

    const malformedCalls: [status: number, text: string][] = [
      [400, request('GET /%ff')],
      [400, request('GET /api/%ff')],
      [400, request('GET /api/designs/%c0%ae')],
      [400, request('GET /api/products', 'no colon\r\n')],
      [400, request('GET /api/products', 'Content-Length: 1\r\nContent-Length: 2\r\n')],
      [400, request('G\u0001T /api/products')],
      [400, 'GET /api/products HTTP/1.1\r\nConnection: close\r\n\r\n'],
      [400, 'rubbish\r\n\r\n'],
      [404, request('PROPFIND /api/products')],
      [404, request('GET /api/none')],
      [404, request('OPTIONS *')],
      [414, request(`GET /api/designs/${'x'.repeat(500)}`)],
      [414, request(`GET /products/${'x'.repeat(500)}.svg`)],
      [417, request('GET /api/products', 'Expect: a miracle\r\n')],
      [431, request(`GET /${'x'.repeat(20_000)}`)],
      [431, request('GET /api/products', `X: ${'x'.repeat(20_000)}\r\n`)],
    ];
    test.each(malformedCalls.map(([status, text]) => [status, text.slice(0, 60), text] as const))(
      '%i %j',
      async (status, _label, text) => {
        const answer = await send(text);
        expect(answer.status).toBe(status);
        expect(Object.keys(answer.headers)).toEqual(expect.arrayContaining(names));
        expect(answer.headers['x-frame-options']).toBe('deny');
        expect(JSON.parse(answer.body)).toEqual({
          message: expect.stringMatching(/^[A-Z].*\.$/),
          requestId: expect.any(String),
        });
      },
    );

    test.each([
      '/%61pi/users/guest-usage',
      '/api/users/%67uest-usage',
      '/%61%70i/none',
      '//api/none',
      '/api/./none',
      '/%2e/api/none',
      '/%2E%2E/api/none',
      '/api%2Fnone',
      '/%66iles/none.png',
      'http://studio.test/api/users/guest-usage',
    ])('%s may not be loaded by other sites', async (address) => {
      const { headers } = await send(request(`GET ${address}`));
      expect(headers['cross-origin-resource-policy']).toBe('same-origin');
    });
  });

  test('a visitor’s own data is not cacheable', async () => {
    const { headers } = await server.app.inject({ url: '/api/users/guest-usage' });
    expect(headers['cache-control']).toBe('private, no-store');
  });

  test.skipIf(!findSiteFolders().web)('the loader and its types may be loaded by other sites', async () => {
    for (const [url, type] of [
      ['/embed.js', 'javascript'],
      ['/embed.d.ts', 'text/plain'],
    ] as const) {
      const answer = await server.app.inject({ url, headers: { origin: 'https://shop.example' } });
      expect(answer.statusCode).toBe(200);
      expect(answer.headers['content-type']).toContain(type);
      expect(answer.headers['cross-origin-resource-policy']).toBe('cross-origin');
      expect(answer.headers['cache-control']).toBe('public, max-age=300, stale-while-revalidate=86400');
      expect(answer.headers.etag).toBeDefined();
    }
  });

  test('sends Strict-Transport-Security on HTTPS only', async () => {
    expect((await server.app.inject({ url: '/' })).headers['strict-transport-security']).toBeUndefined();
    const secure = await createTestApp({ environment: { PUBLIC_URL: 'https://studio.example.com' } });
    try {
      const { headers } = await secure.app.inject({ url: '/' });
      expect(headers['strict-transport-security']).toContain('max-age=31536000');
    } finally {
      await secure.close();
    }
  });
});
