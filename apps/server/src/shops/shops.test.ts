import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../test/server.ts';
import { findShop } from './shops.ts';
import { shops } from './tables.ts';

type Headers = Record<string, string>;
let server: TestApp;
let owner: Headers;
beforeAll(async () => {
  server = await createTestApp();
  owner = await server.signUp();
});
afterAll(() => server.close());

const settings = async (headers = owner) => (await server.app.inject({ url: '/api/company/shop', headers })).json();
const change = (payload: object, headers = owner) =>
  server.app.inject({ method: 'PUT', url: '/api/company/shop', payload, headers });
const post = async (url: string, headers = owner) =>
  (await server.app.inject({ method: 'POST', url, payload: {}, headers })).json();

describe('a shop’s settings', () => {
  test('are created by the first request, without orders and open to every page', async () => {
    const first = await settings();
    expect(first).toMatchObject({
      allowedOrigins: [],
      checkout: false,
      routing: 'own',
      payer: 'shop',
      currency: 'USD',
    });
    expect(first.key).toMatch(/^[\w-]{22}$/);
    expect(await settings()).toEqual(first);
  });

  test('change only the given fields, and only of their own shop', async () => {
    const other = await server.signUp();
    const theirs = await settings(other);
    const before = await settings();
    const place = { name: 'Aarhus', region: '', country: 'Denmark', lat: 56.16, lon: 10.2 };
    const input = { checkout: true, prices: { mug: 1250 }, defaultPriceCents: 900, place, companyId: theirs.key };
    expect((await change(input)).json()).toEqual({
      ...before,
      checkout: true,
      prices: { mug: 1250 },
      defaultPriceCents: 900,
      place,
    });
    expect((await change({ place: null, defaultPriceCents: null })).json()).toMatchObject({
      place: null,
      checkout: true,
    });
    expect(await settings(other)).toEqual(theirs);
  });

  test.each([
    [{ defaultPriceCents: -1 }, /below nothing/],
    [{ defaultPriceCents: 12.5 }, /whole cents/],
    [{ prices: { mug: 1e9 } }, /up to 100000/],
    [{ currency: 'JPY' }, /one of/],
    [{ routing: 'elsewhere' }, /one of/],
    [{ allowedOrigins: Array(21).fill('https://a.example') }, /At most 20/],
    [{ place: { name: 'Nowhere', country: '', lat: 91, lon: 0 } }, /too large/],
    [{ webhookUrl: 'http://shop.example/hook' }, /must begin with https/],
    [{ webhookUrl: 'http://127.0.0.1:8080/' }, /must begin with https/],
    [{ webhookUrl: 'https://ann:secret@shop.example/' }, /no name or password/],
    [{ webhookUrl: 'shop.example' }, /must begin with https/],
    [{ webhookUrl: 'https://10.0.0.1/hook' }, /must be a public one/],
    [{ webhookUrl: 'https://127.0.0.1/' }, /must be a public one/],
    [{ webhookUrl: 'https://2130706433/' }, /must be a public one/],
    [{ webhookUrl: 'https://169.254.169.254/latest/meta-data' }, /must be a public one/],
    [{ webhookUrl: 'https://[::1]:8443/' }, /must be a public one/],
    [{ webhookUrl: 'https://[::ffff:192.168.1.1]/' }, /must be a public one/],
    [{ webhookUrl: 'https://localhost/' }, /must be a public one/],
  ])('rejects %j with a message', async (payload, sentence) => {
    const before = await settings();
    const answer = await change(payload);
    expect([answer.statusCode, answer.json().message]).toEqual([400, expect.stringMatching(sentence)]);
    expect(await settings()).toEqual(before);
  });

  test('store origins as browsers write them, each once', async () => {
    const inputs = [
      'https://Shop.Example/',
      ' https://shop.example:443',
      'http://localhost:8080',
      'https://bücher.example',
    ];
    expect((await change({ allowedOrigins: inputs })).json().allowedOrigins).toEqual([
      'https://shop.example',
      'http://localhost:8080',
      'https://xn--bcher-kva.example',
    ]);
  });

  test.each([
    'http://shop.example',
    'https://*.shop.example',
    'https://*',
    '*',
    'null',
    'https://shop.example/path',
    'https://shop.example/?',
    'https://shop.example#',
    'https://ann@shop.example',
    "https://shop.example;script-src'*'",
    'https://shop.example, https://evil.example',
    'javascript:alert(1)',
    'ftp://shop.example',
    'https://',
    '',
  ])('reject the origin %j', async (origin) => {
    const answer = await change({ allowedOrigins: [origin] });
    expect([answer.statusCode, answer.json().message]).toEqual([
      400,
      expect.stringContaining('Write it like https://'),
    ]);
  });

  test('renew the key of the embed code, and the old one becomes invalid', async () => {
    const { key } = await settings();
    expect(await findShop(server.context, key)).toMatchObject({ key, name: '' });
    const renewal = await post('/api/company/shop/key');
    expect(renewal.key).not.toBe(key);
    expect(await findShop(server.context, key)).toBeUndefined();
    expect(await findShop(server.context, renewal.key)).toBeDefined();
  });

  test('return the webhook secret once, when it is created', async () => {
    expect((await settings()).hasWebhookSecret).toBe(false);
    const { secret } = await post('/api/company/shop/webhook-secret');
    expect(secret).toMatch(/^mwsec_[\w-]{43}$/);
    const settingsAfter = await settings();
    expect(settingsAfter.hasWebhookSecret).toBe(true);
    expect(JSON.stringify(settingsAfter)).not.toContain(secret);
    const [row] = await server.seeAll.select().from(shops).where(eq(shops.key, settingsAfter.key));
    expect(row!.webhookSecret).toBe(secret);
    expect((await post('/api/company/shop/webhook-secret')).secret).not.toBe(secret);
  });
});
