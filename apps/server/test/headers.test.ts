import { calls } from '@markwright/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from './server.ts';

let server: TestApp;
beforeAll(async () => {
  server = await createTestApp();
});
afterAll(() => server.close());

const pages = [
  '/',
  '/studio',
  '/auth',
  '/no-such-page',
  '/products/mug-11oz-white.svg',
  '/fonts/none.woff2',
  '/files/none.png',
];
const everyPath = [...pages, ...Object.values(calls).flatMap((group) => Object.values(group).map((call) => call.path))];

describe('headers', () => {
  test.each(everyPath)('%s may not be framed, sniffed or scripted from elsewhere', async (url) => {
    const { headers } = await server.app.inject({ url });
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['referrer-policy']).toBe('no-referrer');
    expect(headers['x-frame-options']).toBe('DENY');
    const policy = String(headers['content-security-policy']);
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain("script-src 'self';");
    expect(policy).not.toContain('unsafe');
    expect(headers['access-control-allow-origin']).toBeUndefined();
  });

  test.each(['/widget', '/widget/', '/widget?mode=laser'])('%s alone may stand in a stranger’s frame', async (url) => {
    const { headers } = await server.app.inject({ url });
    expect(headers['x-frame-options']).toBeUndefined();
    expect(headers['content-security-policy']).toContain('frame-ancestors *');
    expect(headers['content-security-policy']).toContain("script-src 'self';");
  });

  test.each(['/widgets', '/widget/x', '/widget.html', '//widget', '/api/widget'])(
    '%s is not the widget',
    async (url) => {
      const { headers } = await server.app.inject({ url });
      expect(headers['x-frame-options']).toBe('DENY');
    },
  );

  test('no origin is ever allowed to read an answer', async () => {
    for (const origin of ['https://evil.example', 'null', 'http://localhost:80', 'https://127.0.0.1']) {
      const { headers } = await server.app.inject({ url: '/api/users/guest-usage', headers: { origin } });
      expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
      expect(headers['cache-control']).toBe('private, no-store');
    }
  });

  test('strict transport is asked for on https alone', async () => {
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
