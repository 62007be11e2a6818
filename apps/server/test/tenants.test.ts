/**
 * T7: a company's things are its own, whatever a call says of whose they are. Calls that name another company are
 * made for that company's things; then two companies work side by side against a model of what each should have.
 */
import type { Company, CompanyProduct } from '@markwright/contract';
import { asc, eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { seedCatalogue } from '../src/catalogue/products.ts';
import { categories } from '../src/catalogue/tables.ts';
import { companies, companyProducts } from '../src/companies/tables.ts';
import type { MediaPool } from '../src/platform/ports/mediaPool.ts';
import { inCompany } from '../src/platform/tenancy.ts';
import { createRandom, repetitions, seed } from './campaign.ts';
import { createTestApp, formOf, type TestApp } from './server.ts';

type Headers = Record<string, string>;
type Fields = Record<string, string>;
interface Reply {
  readonly statusCode: number;
  readonly body: string;
}

const MISSING = 'AAAAAAAAAAAAAAAAAAAAAA';
const PICTURE = { bytes: new Uint8Array([1, 2, 3]), filename: 'blank.png', mediaType: 'image/png' };

/** The media pool draws nothing: ownership does not depend on the pictures. */
const media = {
  run: async () => ({
    width: 2,
    height: 1,
    files: [
      { name: 'picture-2.png', bytes: new Uint8Array([1, 2, 3]), mediaType: 'image/png' },
      { name: '104.webp', bytes: new Uint8Array([1]), mediaType: 'image/webp' },
    ],
  }),
  close: async () => {},
} as unknown as MediaPool;

let server: TestApp;
beforeAll(async () => {
  server = await createTestApp({ media });
  await seedCatalogue(server.context);
});
afterAll(() => server.close());

const ask = async (
  method: 'GET' | 'PUT' | 'POST' | 'DELETE',
  url: string,
  headers: Headers,
  payload?: object,
): Promise<Reply> => server.app.inject({ method, url, headers, ...(payload && { payload }) });
async function sendForm(method: 'PUT' | 'POST', url: string, headers: Headers, fields: Fields, isPictured = true) {
  const form = await formOf({ ...fields, ...(isPictured && { productImage: PICTURE }) });
  return server.app.inject({ method, url, payload: form.payload, headers: { ...form.headers, ...headers } });
}

/** Reads all rows and files of a company. */
async function readAll(companyId: string) {
  const files: string[] = [];
  for await (const { key } of server.context.files.list(`companies/${companyId}/`)) files.push(key);
  const rows = await inCompany(server.context.db, '*', (tx) =>
    tx.select().from(companyProducts).where(eq(companyProducts.companyId, companyId)).orderBy(asc(companyProducts.id)),
  );
  return {
    files: files.sort(),
    rows,
    company: await server.context.db.select().from(companies).where(eq(companies.id, companyId)),
  };
}

async function openShop(email: string) {
  const headers: Headers = await server.signUp(email);
  const { id: userId } = JSON.parse((await ask('GET', '/api/auth/me', headers)).body);
  await ask('PUT', '/api/company', headers, { customProductsEnabled: true });
  const [row] = await server.context.db.select().from(companies).where(eq(companies.userId, userId));
  return { headers, userId: Number(userId), companyId: row!.id };
}

describe('T7: calls that claim to be another company’s', () => {
  let ann: Awaited<ReturnType<typeof openShop>>;
  let ben: Awaited<ReturnType<typeof openShop>>;
  let product: CompanyProduct;
  let forgedCount = 0;
  beforeAll(async () => {
    ann = await openShop('canary.ann@example.com');
    ben = await openShop('ben@example.com');
    await ask('PUT', '/api/company', ann.headers, {
      companyName: 'Canary & Daughters',
      enabledBaseCategories: ['Mugs'],
    });
    const fields = { name: 'Canary Board', category: 'Canary Boards', subCategory: 'Canary Small', dimensions: '3x2' };
    product = (await sendForm('POST', '/api/company/products', ann.headers, fields)).json();
  });

  /** The forged input that names the victim, and its place in the call. */
  const forgeries: Record<string, () => { headers?: Headers; query?: string; fields?: Fields }> = {
    'a userId in the body': () => ({ fields: { userId: String(ann.userId) } }),
    'ids in the body': () => ({ fields: { companyId: ann.companyId, id: product.id, tenant: ann.companyId } }),
    'names in the body': () => ({ fields: { business: 'Canary & Daughters', owner: 'canary.ann@example.com' } }),
    'the query': () => ({ query: `?userId=${ann.userId}&companyId=${ann.companyId}&id=${product.id}` }),
    'x-user-id': () => ({ headers: { 'x-user-id': String(ann.userId), 'x-userid': String(ann.userId) } }),
    'x-company-id': () => ({ headers: { 'x-company-id': ann.companyId, 'x-tenant-id': ann.companyId } }),
    'x-forwarded-user': () => ({
      headers: {
        'x-forwarded-user': 'canary.ann@example.com',
        'x-original-url': `/api/company/products/${product.id}`,
      },
    }),
    'a cookie': () => ({
      headers: { cookie: `userId=${ann.userId}; companyId=${ann.companyId}; markwright.company=*` },
    }),
  };
  /** The attacks: calls with the forged input. Those on the forger's own data may succeed. */
  const calls: Record<string, (forgery: ReturnType<(typeof forgeries)[string]>, headers: Headers) => Promise<Reply>> = {
    'reading the settings': ({ query = '' }, headers) => ask('GET', `/api/company${query}`, headers),
    'reading the products': ({ query = '' }, headers) => ask('GET', `/api/company/products${query}`, headers),
    'changing the settings': ({ query = '', fields }, headers) =>
      ask('PUT', `/api/company${query}`, headers, { companyName: 'Ben', enabledBaseCategories: ['Signs'], ...fields }),
    'adding a product': ({ query = '', fields }, headers) =>
      sendForm('POST', `/api/company/products${query}`, headers, {
        name: `Ben ${forgedCount}`,
        category: 'Ben',
        ...fields,
      }),
    'changing one of theirs': ({ query = '', fields }, headers) =>
      sendForm('PUT', `/api/company/products/${product.id}${query}`, headers, {
        name: 'Ben',
        category: 'Ben',
        ...fields,
      }),
    'deleting one of theirs': ({ query = '', fields }, headers) =>
      ask('DELETE', `/api/company/products/${product.id}${query}`, headers, fields),
  };
  const isAboutTheirs = (call: string) => call.endsWith('theirs');
  const cells = Object.keys(calls).flatMap((call) =>
    Object.keys(forgeries).map((forgeryPlace) => [call, forgeryPlace] as const),
  );

  test.each(cells)('%s, with %s', async (call, forgeryPlace) => {
    const before = await readAll(ann.companyId);
    const forgery = forgeries[forgeryPlace]!();
    const answer = await calls[call]!(forgery, { ...ben.headers, ...forgery.headers });
    forgedCount++;
    expect(answer.statusCode, answer.body).toBe(isAboutTheirs(call) ? 404 : 200);
    for (const canary of [/canary/i, product.id, ann.companyId, product.mockupImageUrl]) {
      expect(answer.body).not.toMatch(canary);
    }
    if (call === 'adding a product') expect(JSON.parse(answer.body).userId).toBe(ben.userId);
    expect(await readAll(ann.companyId)).toEqual(before);
  });

  test.each([
    ['PUT', ''],
    ['DELETE', ''],
    ['POST', '/submit-to-profile'],
  ] as const)('%s of the other company’s product is answered as for a missing one', async (method, more) => {
    const before = await readAll(ann.companyId);
    const tryOn = async (id: string) => {
      const url = `/api/company/products/${id}${more}`;
      const { statusCode, body } =
        method === 'PUT'
          ? await sendForm('PUT', url, ben.headers, { name: 'Ben', category: 'Ben' })
          : await ask(method, url, ben.headers, {});
      return { statusCode, message: JSON.parse(body).message };
    };
    const answers = [await tryOn(product.id), await tryOn(MISSING), await tryOn(`..%2f${product.id}`)];
    expect((await tryOn(`${product.id}%00`)).statusCode).toBe(400);
    forgedCount += 3;
    expect(answers[0]).toEqual({ statusCode: 404, message: 'This product was not found. It may have been deleted.' });
    expect(answers).toEqual([answers[0], answers[0], answers[0]]);
    expect(await readAll(ann.companyId)).toEqual(before);
  });

  test('the forged calls were more than forty, and changed only the forger’s data', async () => {
    expect(forgedCount).toBe(8 * 6 + 3 * 3);
    expect((await readAll(ben.companyId)).rows.map(({ category }) => category)).toEqual(Array(8).fill('Ben'));
  });
});

describe('T7: two companies side by side', () => {
  const CALLS = repetitions(250, 2_000);

  /** The expected state of a company, and its credentials. */
  interface Model {
    readonly headers: Headers;
    readonly companyId: string;
    readonly userId: number;
    name: string;
    isOptedIn: boolean;
    enabledCategories: Set<string>;
    readonly products: Map<string, { name: string; category: string; dimensions: string; isOnProfile: boolean }>;
    readonly random: () => number;
  }

  const names = ['Oak Board', 'oak board', 'Slate', 'Tray', 'Coaster', 'Sign'];
  const places = ['Boards', 'boards', 'Gifts'];
  const sizes = ['1x1', '4x2', '2.5x3'];

  test(`${CALLS} calls in any order show and change what is the caller’s, and nothing else`, async () => {
    const allCategories = (await server.context.db.select().from(categories)).map(({ name }) => name).sort();
    const [first, second] = await Promise.all([openShop('left@example.com'), openShop('right@example.com')]);
    const toModel = (shop: typeof first, seed: number): Model => ({
      ...shop,
      name: '',
      isOptedIn: true,
      enabledCategories: new Set(allCategories),
      products: new Map(),
      random: createRandom(seed),
    });
    const sides = [toModel(first, seed), toModel(second, seed + 1)] as const;
    let foreign = 0;

    /** Makes one random call of a company. `others` are ids of the other company at the start of the round. */
    async function step(own: Model, others: readonly string[]): Promise<void> {
      const { headers, random, products } = own;
      const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)]!;
      const isTaken = (name: string, category: string, but?: string) =>
        [...products].some(([id, otherProduct]) => id !== but && key(otherProduct) === key({ name, category }));
      const kind = random();
      // Mostly an own product; every fourth is the other company's, or a missing one.
      const ids = [...products.keys()];
      const isForeign = random() < 0.25 || ids.length === 0;
      const id = isForeign ? (others.length > 0 && random() < 0.8 ? pick(others) : MISSING) : pick(ids);
      const address = `/api/company/products/${id}`;
      if (isForeign && kind >= 0.7) foreign++;

      if (kind < 0.2) {
        const settings = JSON.parse((await ask('GET', '/api/company', headers)).body) as Company;
        expect(settings).toMatchObject({
          companyName: own.name,
          customProductsEnabled: own.isOptedIn,
          productCount: products.size,
          productStorageBytes: products.size * 4,
        });
        expect(settings.enabledBaseCategories.toSorted()).toEqual([...own.enabledCategories].sort());
      } else if (kind < 0.45) {
        const shownProducts = JSON.parse((await ask('GET', '/api/company/products', headers)).body) as CompanyProduct[];
        expect(shownProducts.map(toModelProduct).sort(byId)).toEqual(
          [...products].map(([id, otherProduct]) => ({ id, userId: own.userId, ...otherProduct })).sort(byId),
        );
      } else if (kind < 0.6) {
        const change = pick<object>([
          { companyName: `Shop ${Math.floor(random() * 9)}` },
          { customProductsEnabled: random() < 0.8 },
          { enabledBaseCategories: allCategories.filter(() => random() < 0.5) },
        ]) as { companyName?: string; customProductsEnabled?: boolean; enabledBaseCategories?: string[] };
        expect((await ask('PUT', '/api/company', headers, change)).statusCode).toBe(200);
        own.name = change.companyName ?? own.name;
        own.isOptedIn = change.customProductsEnabled ?? own.isOptedIn;
        if (change.enabledBaseCategories) own.enabledCategories = new Set(change.enabledBaseCategories);
      } else if (kind < 0.7) {
        const fields = { name: pick(names), category: pick(places), dimensions: pick(sizes) };
        const answer = await sendForm('POST', '/api/company/products', headers, { ...fields, userId: '1' });
        expect(answer.statusCode).toBe(!own.isOptedIn ? 403 : isTaken(fields.name, fields.category) ? 409 : 200);
        if (answer.statusCode === 200) products.set(answer.json().id, { ...fields, isOnProfile: false });
      } else if (kind < 0.82) {
        const fields = { name: pick(names), category: pick(places), dimensions: pick(sizes) };
        const answer = await sendForm('PUT', address, headers, fields, random() < 0.2);
        expect(answer.statusCode).toBe(isForeign ? 404 : isTaken(fields.name, fields.category, id) ? 409 : 200);
        if (answer.statusCode === 200) products.set(id, { ...products.get(id)!, ...fields });
      } else if (kind < 0.9) {
        const { statusCode } = await ask('DELETE', address, headers);
        expect(statusCode).toBe(isForeign ? 404 : 200);
        if (statusCode === 200) products.delete(id);
      } else {
        const answer = await ask('POST', `${address}/submit-to-profile`, headers, {});
        expect(answer.statusCode).toBe(isForeign ? 404 : 200);
        if (isForeign) return;
        const { name } = products.get(id)!;
        const isShown = [...products.values()].some(
          (otherProduct) => otherProduct.isOnProfile && otherProduct.name.toLowerCase() === name.toLowerCase(),
        );
        expect(JSON.parse(answer.body)).toEqual({ duplicate: products.get(id)!.isOnProfile || isShown });
        if (!isShown) products.get(id)!.isOnProfile = true;
      }
    }

    for (let round = 0; round < CALLS / 2; round++) {
      const [left, right] = sides.map(({ products }) => [...products.keys()]);
      await Promise.all([step(sides[0], right!), step(sides[1], left!)]);
    }

    expect(foreign).toBeGreaterThan(CALLS / 20);
    for (const { companyId, products, userId } of sides) {
      const { rows, files } = await readAll(companyId);
      expect(rows.map((row) => toModelProduct({ ...row, userId, isOnProfile: row.submittedAt !== null }))).toEqual(
        [...products].map(([id, otherProduct]) => ({ id, userId, ...otherProduct })).sort(byId),
      );
      expect(files).toHaveLength(2 * products.size);
    }
  }, 180_000);

  const key = ({ name, category }: { name: string; category: string }) => `${category}/${name}`.toLowerCase();
  const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1);
  /** The fields of a product that the model has. */
  type ModelProduct = Pick<CompanyProduct, 'id' | 'userId' | 'name' | 'category' | 'dimensions' | 'isOnProfile'>;
  const toModelProduct = ({ id, userId, name, category, dimensions, isOnProfile }: ModelProduct): ModelProduct => ({
    id,
    userId,
    name,
    category,
    dimensions,
    isOnProfile,
  });
});
