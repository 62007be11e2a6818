/** The reads that every page makes come from a cache, which must never show what is no longer true. */
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import type { OfferedProduct, Product } from '@markwright/contract';
import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { signInAdmin } from '../../test/admin.ts';
import { createTestApp, formOf, type TestApp } from '../../test/server.ts';
import type { Context } from '../platform/context.ts';
import { newId } from '../platform/ids.ts';
import { loadAtRevision } from './cache.ts';
import { seedCatalogue } from './products.ts';
import { catalogueRevision, categories, products } from './tables.ts';

type Headers = Record<string, string>;
type App = TestApp['app'];

let server: TestApp;
/** Two servers on one database. */
let apps: Record<'first' | 'second', App>;
/** The credentials of everybody who reads the catalogue. */
let viewers: Record<'guest' | 'account' | 'administrator' | 'company' | 'stranger', Headers>;
let shopKey: string;
const ownIds: Record<'shown' | 'hidden', string> = { shown: '', hidden: '' };

const PICTURE = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 90 60"><path d="M0 0H80V60Z"/></svg>';
const LISTS = ['/api/products', '/api/base-categories', '/api/widget/products'];

beforeAll(async () => {
  server = await createTestApp({ environment: { ADMIN_PASSWORD: 'the-workshop-key' } });
  await seedCatalogue(server.context);
  apps = { first: server.app, second: (await server.openSecond()).app };
  const company = await server.signUp();
  const administrator = await signInAdmin(server);
  const stranger = { authorization: 'Bearer nobody' };
  viewers = { guest: {}, account: await server.signUp(), administrator, company, stranger };
  shopKey = (await call('GET', '/api/company/shop')).key;
  await enable(['Mugs']);
  for (const name of ['shown', 'hidden'] as const) {
    const productImage = { bytes: new TextEncoder().encode(PICTURE), filename: 'a.svg', mediaType: 'image/svg+xml' };
    const { payload, headers } = await formOf({ name: `${name} board`, category: 'Boards', productImage });
    ownIds[name] = (await call('POST', '/api/company/products', payload, headers)).id;
  }
  await call('POST', `/api/company/products/${ownIds.shown}/submit-to-profile`, {});
});
afterAll(() => server.close());

/** Makes a call of the company. */
async function call(method: 'GET' | 'POST' | 'PUT', url: string, payload?: object, headers: Headers = {}) {
  const request = { method, url, headers: { ...viewers.company, ...headers }, ...(payload && { payload }) };
  const answer = await server.app.inject(request);
  expect(answer.statusCode, url).toBe(200);
  return answer.json();
}
const enable = (names: string[]) =>
  call('PUT', '/api/company', { customProductsEnabled: true, enabledBaseCategories: names });

const read = (app: App, url: string, headers: Headers = {}) => app.inject({ url, headers });
const readNames = async (app: App, url = '/api/products') =>
  (await read(app, url)).json<Product[]>().map(({ name }) => name);

/** Reads from a server that has cached nothing yet. */
async function readUncached(url: string): Promise<string> {
  const { app } = await server.openSecond();
  const { statusCode, body } = await read(app, url);
  expect(statusCode).toBe(200);
  return body;
}

async function rename(name: string): Promise<void> {
  const [first] = await server.context.db.select().from(products).orderBy(products.productId).limit(1);
  await server.context.db.update(products).set({ name }).where(eq(products.id, first!.id));
}

describe('a list that everybody reads', () => {
  test.each(LISTS)('%s is the same for everybody on every server, before and after a change', async (url) => {
    for (const name of ['Cup before', 'Cup after']) {
      await rename(name);
      const fromDatabase = await readUncached(url);
      if (url !== '/api/base-categories') expect(fromDatabase).toContain(name);
      for (const [place, app] of Object.entries(apps)) {
        for (const [who, headers] of Object.entries(viewers)) {
          for (let again = 0; again < 2; again++) {
            const { statusCode, body } = await read(app, url, headers);
            expect([statusCode, body === fromDatabase], `${who} on the ${place} server`).toEqual([200, true]);
          }
        }
      }
      for (const id of Object.values(ownIds)) expect(fromDatabase).not.toContain(id);
    }
  });

  test('reads nothing but the revision while nothing changes', async () => {
    for (const url of LISTS) await read(apps.first, url);
    const select = vi.spyOn(server.context.db, 'select');
    for (const url of LISTS) await read(apps.first, url);
    expect(select).toHaveBeenCalledTimes(LISTS.length);
    select.mockRestore();
  });

  test.each<[string, (db: Context['db']) => Promise<unknown>]>([
    ['an inserted category', (db) => db.insert(categories).values({ id: 'new', name: 'New', createdAt: new Date() })],
    [
      'a changed description',
      (db) => db.update(categories).set({ description: 'Newer' }).where(eq(categories.id, 'new')),
    ],
    ['a deleted category', (db) => db.delete(categories).where(eq(categories.id, 'new'))],
    [
      'a category renamed with its products',
      (db) => db.update(categories).set({ name: 'Cups' }).where(eq(categories.name, 'Mugs')),
    ],
    [
      'an inserted product',
      async (db) => {
        const [like] = await db.select().from(products).limit(1);
        await db.insert(products).values({ ...like!, id: 'new', productId: 'new', name: 'New' });
      },
    ],
    ['a changed product', (db) => db.update(products).set({ name: 'Newer' }).where(eq(products.id, 'new'))],
    ['a deleted product', (db) => db.delete(products).where(eq(products.id, 'new'))],
  ])('shows %s with the next read of each server', async (_what, change) => {
    const readAll = async (app: App) => (await Promise.all(LISTS.map((url) => read(app, url)))).map(({ body }) => body);
    const before = await readAll(apps.second);
    expect(await readAll(apps.first)).toEqual(before);
    await change(server.context.db);
    const after = await readAll(apps.second);
    expect(after).not.toEqual(before);
    expect(await readAll(apps.first)).toEqual(after);
    expect(await Promise.all(LISTS.map(readUncached))).toEqual(after);
  });

  test('shows an emptied table', async () => {
    const app = await createTestApp();
    await seedCatalogue(app.context);
    expect(await readNames(app.app)).not.toEqual([]);
    await app.seeAll.execute(sql`truncate products`);
    expect(await readNames(app.app)).toEqual([]);
    await app.close();
  });

  test('shows each change at once while many read', { tags: ['detail'] }, async () => {
    let isOver = false;
    const readers = [apps.first, apps.second, apps.first, apps.second].map(async (app) => {
      while (!isOver) await readNames(app);
    });
    for (let i = 0; i < 40; i++) {
      await rename(`Cup ${i}`);
      for (const app of Object.values(apps)) expect(await readNames(app)).toContain(`Cup ${i}`);
    }
    isOver = true;
    await Promise.all(readers);
  });

  test('shows nothing of a change that is not committed', async () => {
    const { db } = server.context;
    await rename('Committed');
    const before = await readNames(apps.second);
    await expect(
      db.transaction(async (tx) => {
        await tx.update(products).set({ name: sql`${products.name} || ' changed'` });
        expect(await readNames(apps.second)).toEqual(before);
        throw new Error('undone');
      }),
    ).rejects.toThrow('undone');
    for (const app of Object.values(apps)) expect(await readNames(app)).toEqual(before);
  });

  test('is read again for each call where the row with the revision is missing', async () => {
    const app = await createTestApp();
    await seedCatalogue(app.context);
    await app.context.db.delete(catalogueRevision);
    const load = vi.fn(async () => 1);
    for (let i = 0; i < 3; i++) await loadAtRevision(app.context, load);
    expect(load).toHaveBeenCalledTimes(3);
    await app.context.db.update(products).set({ material: 'other' });
    for (let i = 0; i < 3; i++) await loadAtRevision(app.context, load);
    expect(load).toHaveBeenCalledTimes(4);
    await app.close();
  });

  test('is loaded once for many who read together, and again after a failure', async () => {
    const load = vi.fn(async () => newId()).mockRejectedValueOnce(new Error('down'));
    await rename('Loaded once');
    await expect(loadAtRevision(server.context, load)).rejects.toThrow('down');
    const ids = await Promise.all([1, 2, 3].map(() => loadAtRevision(server.context, load)));
    expect(new Set(ids).size).toBe(1);
    await rename('Loaded again');
    expect(ids).not.toContain(await loadAtRevision(server.context, load));
    expect(load).toHaveBeenCalledTimes(3);
  });
});

describe('revalidation', () => {
  const readWith = (tag: string, headers: Headers = {}, app = apps.first) =>
    read(app, '/api/products', { ...headers, 'if-none-match': tag });

  test('answers 304 without a body to everybody who has the bytes, on every server', async () => {
    const { headers } = await read(apps.first, '/api/products');
    const tag = String(headers.etag);
    for (const app of Object.values(apps)) {
      for (const viewer of Object.values(viewers)) {
        const answer = await readWith(tag, viewer, app);
        expect([answer.statusCode, answer.body]).toEqual([304, '']);
        expect(answer.headers).toMatchObject({
          etag: tag,
          'cache-control': 'public, no-cache',
          vary: 'accept-encoding',
        });
      }
    }
    for (const match of [`W/${tag}`, `"other", ${tag}`, `${tag},"other"`, '*']) {
      expect((await readWith(match)).statusCode, match).toBe(304);
    }
  });

  test.each(['"other"', 'W/"other"', '""', '', 'bare', '"*"'])('answers 200 to the tag %j', async (tag) => {
    expect((await readWith(tag)).statusCode).toBe(200);
  });

  test('answers 200 after a change, and 304 again when it was taken back', async () => {
    await rename('Cup one');
    const tag = String((await read(apps.first, '/api/products')).headers.etag);
    await rename('Cup two');
    expect((await readWith(tag, {}, apps.second)).statusCode).toBe(200);
    expect((await readWith(tag)).statusCode).toBe(200);
    await rename('Cup one');
    expect((await readWith(tag, {}, apps.second)).statusCode).toBe(304);
  });

  test('answers 200 to a caller whose copy has another encoding', async () => {
    const tag = String((await read(apps.first, '/api/products', { 'accept-encoding': 'br' })).headers.etag);
    expect((await readWith(tag, { 'accept-encoding': 'br' })).statusCode).toBe(304);
    expect((await readWith(tag, { 'accept-encoding': 'gzip' })).statusCode).toBe(200);
    expect((await readWith(tag)).statusCode).toBe(200);
  });

  test('never lets a copy of one list stand for another', async () => {
    const tags = await Promise.all(LISTS.map(async (url) => String((await read(apps.first, url)).headers.etag)));
    expect(new Set(tags).size).toBe(LISTS.length);
  });
});

describe('the encoding', () => {
  test.each([
    ['br', 'br'],
    ['gzip', 'gzip'],
    ['gzip, deflate, br', 'br'],
    ['gzip, deflate, br, zstd', 'br'],
    ['GZIP;q=0.5, BR;q=0.1', 'br'],
    ['br;q=0, gzip', 'gzip'],
    ['br; q=0.000 , gzip;q=0.001', 'gzip'],
    ['br;q=0, gzip;q=0', undefined],
    ['deflate', undefined],
    ['identity', undefined],
    ['', undefined],
    ['brotli, gzipped', undefined],
  ])('for a caller who accepts %j is %s', async (acceptHeader, encoding) => {
    const plain = await read(apps.first, '/api/products');
    const answer = await read(apps.first, '/api/products', { 'accept-encoding': acceptHeader });
    expect([answer.statusCode, answer.headers['content-encoding']]).toEqual([200, encoding]);
    expect(answer.headers).toMatchObject({
      vary: 'accept-encoding',
      'content-type': 'application/json; charset=utf-8',
      'content-length': String(answer.rawPayload.length),
    });
    const decode = { br: brotliDecompressSync, gzip: gunzipSync, none: (bytes: Buffer) => bytes };
    const bytes = decode[(encoding ?? 'none') as keyof typeof decode](answer.rawPayload);
    expect(Buffer.compare(bytes, plain.rawPayload)).toBe(0);
    if (encoding) expect(answer.rawPayload.length).toBeLessThan(plain.rawPayload.length / 3);
    expect(answer.headers.etag === plain.headers.etag).toBe(encoding === undefined);
  });

  test.each(['', 'br', 'gzip'])('%s answers HEAD like GET, without a body', async (encoding) => {
    const headers = { 'accept-encoding': encoding };
    const stable = (all: object) =>
      Object.fromEntries(Object.entries(all).filter(([name]) => !/^(date|x-ratelimit-.*)$/.test(name)));
    const get = await read(apps.first, '/api/products', headers);
    const head = await apps.first.inject({ method: 'HEAD', url: '/api/products', headers });
    expect([head.statusCode, head.body]).toEqual([200, '']);
    expect(stable(head.headers)).toEqual(stable(get.headers));
    const match = { ...headers, 'if-none-match': String(get.headers.etag) };
    const notModified = await apps.first.inject({ method: 'HEAD', url: '/api/products', headers: match });
    expect([notModified.statusCode, notModified.body]).toEqual([304, '']);
  });
});

describe('the products of a shop', () => {
  const offers = async (app: App, headers: Headers = {}) =>
    (await read(app, `/api/widget/products?shop=${shopKey}`, headers)).json<OfferedProduct[]>();

  test('never contain a hidden product or category, whoever reads and whatever was read before', async () => {
    const [mugs] = await server.context.db.select().from(categories).where(eq(categories.name, 'Cups'));
    for (const enabledNames of [[mugs!.name], ['Coasters'], [mugs!.name]]) {
      await enable(enabledNames);
      for (const app of Object.values(apps)) {
        for (const headers of Object.values(viewers)) {
          await read(app, '/api/widget/products', headers);
          const [own, ...base] = await offers(app, headers);
          expect(own?.productId).toBe(ownIds.shown);
          expect([...new Set(base.map(({ category }) => category))]).toEqual(enabledNames);
        }
      }
    }
  });

  test('have the shop’s prices, and the base list has none', async () => {
    await call('PUT', '/api/company/shop', { defaultPriceCents: 900 });
    for (const app of Object.values(apps)) {
      expect(new Set((await offers(app)).map(({ unitPriceCents }) => unitPriceCents))).toEqual(new Set([900]));
      const base = (await read(app, '/api/widget/products')).json<OfferedProduct[]>();
      expect(new Set(base.map(({ unitPriceCents }) => unitPriceCents))).toEqual(new Set([null]));
      expect((await read(app, '/api/widget/products')).headers['cache-control']).toBe('private, no-store');
    }
  });
});
