import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../test/server.ts';
import { createSignedUrls } from './signedUrls.ts';
import { SITE } from './storage.ts';

const HOUR_MS = 3_600_000;
const start = Date.UTC(2026, 0, 15, 10, 20);

function partsOf(url: string): { key: string; e: string; s: string; d: string | undefined } {
  const { pathname, searchParams } = new URL(url, 'http://host');
  return {
    key: pathname.slice('/files/'.length),
    e: searchParams.get('e')!,
    s: searchParams.get('s')!,
    d: searchParams.get('d') ?? undefined,
  };
}

describe('signed addresses', () => {
  let now = start;
  const urls = createSignedUrls([Buffer.alloc(32, 1)], () => new Date(now));

  test('are valid for at least their time and expire within an hour after it', () => {
    now = start;
    const parts = partsOf(urls.sign('a/b.png', { ttlMs: 2 * HOUR_MS }));
    expect(urls.isValid(parts)).toBe(true);
    now = start + 2 * HOUR_MS;
    expect(urls.isValid(parts)).toBe(true);
    now = start + 3 * HOUR_MS;
    expect(urls.isValid(parts)).toBe(false);
  });

  test('are the same text within an hour, so that browser caches work', () => {
    now = start;
    const first = urls.sign('a/b.png');
    now = start + 30 * 60_000;
    expect(urls.sign('a/b.png')).toBe(first);
    now = start + HOUR_MS;
    expect(urls.sign('a/b.png')).not.toBe(first);
  });

  test('are invalid when any part is changed', () => {
    now = start;
    const parts = partsOf(urls.sign('a/b.png', { downloadName: 'Walnut_board.png' }));
    expect(urls.isValid(parts)).toBe(true);
    const later = String(Number(parts.e) + 3600);
    for (const change of [
      { key: 'a/c.png' },
      { e: later },
      { e: ` ${parts.e}` },
      { e: `${parts.e}0` },
      { e: 'Infinity' },
      { e: '' },
      { d: undefined },
      { d: 'evil.html' },
      { s: '' },
      { s: parts.s.slice(0, -4) },
      { s: `${parts.s}AAAA` },
      { s: parts.s.replace(/^./, (first) => (first === 'A' ? 'B' : 'A')) },
    ]) {
      expect(urls.isValid({ ...parts, ...change }), JSON.stringify(change)).toBe(false);
    }
    expect(createSignedUrls([Buffer.alloc(32, 2)], () => new Date(now)).isValid(parts)).toBe(false);
  });

  test('stay valid under the key that replaced theirs', () => {
    const parts = partsOf(urls.sign('a/b.png'));
    const [old, next] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
    const rotatedUrls = createSignedUrls([next, old], () => new Date(now));
    expect(rotatedUrls.isValid(parts)).toBe(true);
    expect(urls.isValid(partsOf(rotatedUrls.sign('a/b.png')))).toBe(false);
    expect(createSignedUrls([next], () => new Date(now)).isValid(partsOf(rotatedUrls.sign('a/b.png')))).toBe(true);
  });

  test('keep name and key apart', () => {
    const parts = partsOf(urls.sign('a/b.png', { downloadName: 'c' }));
    expect(urls.isValid({ ...parts, key: 'a/b.png,c', d: undefined })).toBe(false);
  });
});

describe('stored files', () => {
  let server: TestApp;
  beforeAll(async () => {
    server = await createTestApp();
    await server.context.files.put(
      'd/x.svg',
      Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
      'image/svg+xml',
      SITE,
    );
  });
  afterAll(() => server.close());

  test('are served in a sandbox, only to the holder of the address', async () => {
    const { statusCode, headers, body } = await server.app.inject({ url: server.context.urls.sign('d/x.svg') });
    expect(statusCode).toBe(200);
    expect(body).toContain('<svg');
    expect(headers).toMatchObject({
      'content-type': 'image/svg+xml; charset=utf-8',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox",
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
    });
    expect(headers['cache-control']).toMatch(/^private/);
    expect(headers['content-disposition']).toBeUndefined();
  });

  test.each([
    [
      'Walnut_board_production.svg',
      'attachment; filename="Walnut_board_production.svg"; filename*=UTF-8\'\'Walnut_board_production.svg',
    ],
    [
      'Schild "Größe" 100%.svg',
      'attachment; filename="Schild _Gr__e_ 100_.svg"; filename*=UTF-8\'\'Schild%20%22Gr%C3%B6%C3%9Fe%22%20100%25.svg',
    ],
    [
      'a\r\nSet-Cookie: b.svg',
      'attachment; filename="a__Set-Cookie: b.svg"; filename*=UTF-8\'\'a%0D%0ASet-Cookie%3A%20b.svg',
    ],
    ["it's*.svg\ud800", "attachment; filename=\"it's*.svg_\"; filename*=UTF-8''it%27s%2A.svg%EF%BF%BD"],
  ])('are saved as %j on request', async (downloadName, disposition) => {
    const { statusCode, headers } = await server.app.inject({
      url: server.context.urls.sign('d/x.svg', { downloadName }),
    });
    expect(statusCode).toBe(200);
    expect(headers['content-disposition']).toBe(disposition);
  });

  test.each([
    '/files/d/x.svg',
    '/files/d/x.svg?e=99999999999&s=AAAA',
    '/files/d/x.svg?e=1&e=2&s=3',
    '/files/..%2f..%2fsecret?e=99999999999&s=AAAA',
    '/files/',
    '/files/d%00.svg?e=99999999999&s=AAAA',
  ])('%s is answered with 404', async (url) => {
    const { statusCode, headers } = await server.app.inject({ url });
    expect(statusCode).toBe(404);
    expect(headers['content-type']).toContain('application/json');
  });

  test('a signed address of a deleted file says so', async () => {
    const { statusCode, json } = await server.app.inject({ url: server.context.urls.sign('d/gone.png') });
    expect(statusCode).toBe(404);
    expect(json().message).toBe('This file is not there any more.');
  });

  test('an address expires', async () => {
    server.setNow(new Date(start));
    const url = server.context.urls.sign('d/x.svg', { ttlMs: 1 });
    expect((await server.app.inject({ url })).statusCode).toBe(200);
    server.setNow(new Date(start + 2 * HOUR_MS));
    expect((await server.app.inject({ url })).statusCode).toBe(404);
  });
});
