import { type OfferedProduct, PRODUCTS_PAGE, type Product, WHOLE_LIST } from '@markwright/contract';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { signInAdmin } from '../../test/admin.ts';
import { createTestApp, type TestApp } from '../../test/server.ts';
import { companies, companyProducts } from '../companies/tables.ts';
import { inCompany } from '../platform/tenancy.ts';
import { seedCatalogue } from './products.ts';
import { products } from './tables.ts';

type Headers = Record<string, string>;

const EXTRA = WHOLE_LIST;
const things = ['Slate Coaster', 'Walnut/Maple Board', 'Mug (11 oz)', 'O’Brien’s Flask'];

let server: TestApp;
let admin: Headers;
let owner: Headers;
let companyId: string;
let key: string;
beforeAll(async () => {
  server = await createTestApp({ environment: { ADMIN_PASSWORD: 'the-workshop-key' } });
  await seedCatalogue(server.context);
  admin = await signInAdmin(server);
  owner = await server.signUp('owner@example.com');
  const shop = (await server.app.inject({ url: '/api/company/shop', headers: owner })).json();
  key = shop.key;
  [{ id: companyId }] = (await server.context.db.select({ id: companies.id }).from(companies)) as [{ id: string }];
});
afterAll(() => server.close());

const list = async <T = Product>(url: string, headers: Headers = {}): Promise<T[]> => {
  const answer = await server.app.inject({ url, headers });
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json();
};

/** Reads a list page by page. */
async function readAll<T extends Product = Product>(path: string, headers: Headers = {}): Promise<T[]> {
  const all: T[] = [];
  for (;;) {
    const after = all.length === 0 ? '' : `${path.includes('?') ? '&' : '?'}after=${all.at(-1)!.id}`;
    const page = await list<T>(`${path}${after}`, headers);
    expect(page.length).toBeLessThanOrEqual(PRODUCTS_PAGE);
    all.push(...page);
    if (page.length < PRODUCTS_PAGE) return all;
  }
}

async function grow(): Promise<void> {
  const [like] = await server.context.db.select().from(products).limit(1);
  const rows = Array.from({ length: EXTRA }, (_, n) => ({
    ...like!,
    ...{ id: `p${n}`, productId: `many-${n}`, name: `${things[n % 4]} ${n % 700}`, subCategory: `S${n}` },
    category: n % 3 === 0 ? 'Mugs' : 'Coasters',
    material: n === 1 ? 'slate' : 'wood',
  }));
  for (let at = 0; at < rows.length; at += 500) {
    await server.context.db
      .insert(products)
      .values(rows.slice(at, at + 500))
      .onConflictDoNothing();
  }
}

test('a list of a small catalogue is whole, and can be searched in pages all the same', async () => {
  const whole = await list('/api/products');
  expect(whole).toHaveLength(await server.context.db.$count(products));
  const ids = whole.slice(3, 6).map(({ productId }) => productId);
  const byId = await list(`/api/products?ids=${ids.join(',')},nobody`);
  expect(byId.map(({ productId }) => productId).sort()).toEqual([...ids].sort());
  expect(await readAll(`/api/products?search=${encodeURIComponent('tumb')}`)).not.toEqual([]);
  expect((await server.app.inject({ url: '/api/products?after=nobody' })).statusCode).toBe(400);
  for (const search of ["'", '\\', '!&|():*', '’', '%', '"', '<->', 'a'.repeat(100)]) {
    await list(`/api/products?search=${encodeURIComponent(search)}`);
  }
});

describe('a large catalogue', () => {
  beforeAll(grow);

  test('comes in pages that are all of it, each once', async () => {
    const all = await readAll('/api/products');
    const rows = await server.context.db.select({ id: products.id }).from(products);
    expect(all.length).toBeGreaterThan(WHOLE_LIST);
    expect(all.map(({ id }) => id).sort()).toEqual(rows.map(({ id }) => id).sort());
    expect((await readAll('/api/admin/products', admin)).map(({ id }) => id)).toEqual(all.map(({ id }) => id));
    expect(all.slice(0, PRODUCTS_PAGE)).toEqual(await list('/api/products'));
    const counts = await list<{ name: string; productCount: number }>('/api/base-categories');
    expect(counts.reduce((sum, { productCount }) => sum + productCount, 0)).toBe(all.length);
  });

  test('is searched by the beginnings of words, in any order', async () => {
    const searchIds = async (text: string) =>
      (await readAll(`/api/products?search=${encodeURIComponent(text)}`)).map(({ id }) => id).sort();
    const all = await readAll('/api/products');
    const expected = (...words: string[]) =>
      all
        .filter(({ name, category, subCategory, material }) => {
          const parts = `${name} ${category} ${subCategory} ${material}`.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
          return words.every((word) => parts.some((part) => part.startsWith(word)));
        })
        .map(({ id }) => id)
        .sort();
    for (const words of [['maple', 'mug'], ['board', 'walnut', '5'], ['slate'], ['11', 'co'], ['brien'], ['xyzzy']]) {
      const hits = await searchIds(words.join(' ').toUpperCase());
      expect([words, hits]).toEqual([words, expected(...words)]);
    }
  });

  test('shows a company the categories that it has on, and its shop its own products first', async () => {
    const { db } = server.context;
    const [like] = await db.select().from(products).where(eq(products.id, 'p1'));
    const { productId: _id, business: _business, ...blank } = like!;
    await inCompany(db, companyId, (tx) =>
      tx.insert(companyProducts).values(
        Array.from({ length: PRODUCTS_PAGE + 20 }, (_, n) => ({
          ...blank,
          ...{ companyId, id: `own-${n}`, name: `Own ${n % 9}`, subCategory: `S${n}`, pictureKey: 'p', sizeBytes: 1 },
          submittedAt: server.context.now(),
        })),
      ),
    );
    const categoriesOn = { enabledBaseCategories: ['Mugs'] };
    await server.app.inject({ method: 'PUT', url: '/api/company', headers: owner, payload: categoriesOn });
    const base = await readAll('/api/company/base-products', owner);
    expect(new Set(base.map(({ category }) => category))).toEqual(new Set(['Mugs']));
    expect(base).toHaveLength(await db.$count(products, eq(products.category, 'Mugs')));
    expect(await list('/api/company/products', owner)).toHaveLength(PRODUCTS_PAGE + 20);

    const offers = await readAll<OfferedProduct>(`/api/widget/products?shop=${key}`);
    expect(offers.slice(PRODUCTS_PAGE + 20).map(({ id }) => id)).toEqual(base.map(({ id }) => id));
    expect(new Set(offers.slice(0, PRODUCTS_PAGE + 20).map(({ id }) => id.slice(0, 4)))).toEqual(new Set(['own-']));
    expect(await list(`/api/widget/products?shop=${key}&ids=own-3,many-3,many-1`)).toMatchObject([
      { productId: 'own-3' },
      { productId: 'many-3' },
    ]);
  });
});
