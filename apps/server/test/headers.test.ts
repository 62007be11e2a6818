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
    await server.context.db.update(shops).set({ allowedOrigins: storedOrigins }).where(eq(shops.key, key));
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
