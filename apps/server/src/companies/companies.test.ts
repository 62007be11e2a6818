import type { Company } from '@markwright/contract';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../test/server.ts';
import { takeOut } from '../../test/takeout.ts';
import { seedCatalogue } from '../catalogue/products.ts';
import { categories } from '../catalogue/tables.ts';
import { companies } from './tables.ts';

let server: TestApp;
let headers: { authorization: string };
let all: string[];
beforeAll(async () => {
  server = await createTestApp();
  await seedCatalogue(server.context);
  all = (await server.context.db.select().from(categories)).map(({ name }) => name).sort();
});
afterAll(() => server.close());
beforeEach(async () => {
  headers = await server.signUp();
});

const read = async (as = headers) => (await server.app.inject({ url: '/api/company', headers: as })).json<Company>();
const put = (payload: object, as = headers) =>
  server.app.inject({ method: 'PUT', url: '/api/company', payload, headers: as });

test('the first request creates a company, once, with every category enabled', async () => {
  const answers = await Promise.all([read(), read(), read()]);
  for (const company of answers) {
    expect({ ...company, enabledBaseCategories: company.enabledBaseCategories.toSorted() }).toEqual({
      companyName: '',
      customProductsEnabled: false,
      enabledBaseCategories: all,
      productCount: 0,
      productStorageBytes: 0,
      productLimit: 5_000,
      productStorageLimitBytes: 2 ** 31,
    });
  }
});

test('name, switch and categories can be changed one by one, and together', async () => {
  expect((await put({ companyName: '  Walnut  &\u0000 Wire\n' })).json()).toMatchObject({
    companyName: 'Walnut & Wire',
    customProductsEnabled: false,
  });
  expect((await put({ customProductsEnabled: true })).json()).toMatchObject({
    companyName: 'Walnut & Wire',
    customProductsEnabled: true,
  });
  const answer = await put({
    enabledBaseCategories: ['Mugs', 'Mugs'],
    companyName: 'Walnut',
    customProductsEnabled: false,
  });
  expect(answer.json()).toEqual(await read());
  expect(answer.json()).toMatchObject({
    companyName: 'Walnut',
    customProductsEnabled: false,
    enabledBaseCategories: ['Mugs'],
  });
});

test.each([
  [{}, 'Say what is to change: “enabledBaseCategories”, “customProductsEnabled” or “companyName”.'],
  [{ userId: 7 }, 'Say what is to change: “enabledBaseCategories”, “customProductsEnabled” or “companyName”.'],
  [{ companyName: ' \t ' }, 'Please give your company a name.'],
  [{ companyName: 'x'.repeat(121) }, 'Names may be up to 120 characters long.'],
  [{ customProductsEnabled: 'yes' }, '“customProductsEnabled” must be true or false.'],
  [
    { companyName: 'Kept out', enabledBaseCategories: ['Mugs', 'Ghosts'] },
    'There is no base category “Ghosts” any more. Please reload the page.',
  ],
])('rejects %j and changes nothing', async (payload, message) => {
  const before = await read();
  const answer = await put(payload);
  expect([answer.statusCode, answer.json().message]).toEqual([400, message]);
  expect(await read()).toEqual(before);
});

test('no category may be enabled; enabling all includes later ones', async () => {
  expect((await put({ enabledBaseCategories: [] })).json<Company>().enabledBaseCategories).toEqual([]);
  await put({ enabledBaseCategories: all });
  const some = await server.signUp();
  await put({ enabledBaseCategories: ['Mugs', 'Tumblers'] }, some);

  const { db } = server.context;
  await db.insert(categories).values({ id: 'clocks', name: 'Clocks' });
  await db.update(categories).set({ name: 'Cups' }).where(eq(categories.name, 'Mugs'));
  expect((await read()).enabledBaseCategories).toEqual(expect.arrayContaining(['Clocks', 'Cups']));
  expect((await read(some)).enabledBaseCategories.toSorted()).toEqual(['Cups', 'Tumblers']);
  await db.update(categories).set({ name: 'Mugs' }).where(eq(categories.name, 'Cups'));
  await db.delete(categories).where(eq(categories.id, 'clocks'));
  expect((await read()).enabledBaseCategories).not.toContain('Clocks');
});

test('a change applies to the session’s company, whatever else the call contains', async () => {
  const other = await server.signUp('other@example.com');
  const before = await read(other);
  const [row] = await server.context.db.select().from(companies).orderBy(companies.createdAt).limit(1);
  await put({ companyName: 'Mine', userId: row!.userId, id: row!.id, companyId: row!.id });
  expect((await read()).companyName).toBe('Mine');
  expect(await read(other)).toEqual(before);
});

test('settings are part of the takeout, and are deleted with the account', async () => {
  await put({ companyName: 'Walnut', enabledBaseCategories: ['Mugs'], customProductsEnabled: true });
  const takeout = await takeOut(server, headers);
  expect(takeout.company).toMatchObject({
    name: 'Walnut',
    customProductsEnabled: true,
    enabledBaseCategories: ['Mugs'],
    products: [],
  });
  const { id } = (await server.app.inject({ url: '/api/auth/me', headers })).json();
  await server.app.inject({
    method: 'POST',
    url: '/api/users/delete-account',
    payload: { password: 'walnut-board' },
    headers,
  });
  expect(await server.context.db.select().from(companies).where(eq(companies.userId, id))).toEqual([]);
});
