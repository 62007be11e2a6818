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
import { repetitions, seed } from './campaign.ts';
import { createTestApp, formOf, type TestApp } from './server.ts';

type Headers = Record<string, string>;
type Fields = Record<string, string>;
interface Told {
  readonly statusCode: number;
  readonly body: string;
}

const MISSING = 'AAAAAAAAAAAAAAAAAAAAAA';
const PICTURE = { bytes: new Uint8Array([1, 2, 3]), filename: 'blank.png', mediaType: 'image/png' };

/** No picture is drawn: whose it is does not depend on it. */
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
): Promise<Told> => server.app.inject({ method, url, headers, ...(payload && { payload }) });
async function sendForm(method: 'PUT' | 'POST', url: string, headers: Headers, fields: Fields, isPictured = true) {
  const form = await formOf({ ...fields, ...(isPictured && { productImage: PICTURE }) });
  return server.app.inject({ method, url, payload: form.payload, headers: { ...form.headers, ...headers } });
}

/** All there is of a company, its files too. */
async function readAll(companyId: string) {
  const files: string[] = [];
  for await (const key of server.context.files.list(`companies/${companyId}/`)) files.push(key);
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

describe('T7: calls that say they are another company’s', () => {
  let ann: Awaited<ReturnType<typeof openShop>>;
  let ben: Awaited<ReturnType<typeof openShop>>;
  let product: CompanyProduct;
  let forged = 0;
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

  /** What is said of the victim, and where. */
  const carriers: Record<string, () => { headers?: Headers; query?: string; fields?: Fields }> = {
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
  /** What is tried with it: the call, and whether it may come to something of the forger's own. */
  const calls: Record<string, (said: ReturnType<(typeof carriers)[string]>, headers: Headers) => Promise<Told>> = {
    'reading the settings': ({ query = '' }, headers) => ask('GET', `/api/company${query}`, headers),
    'reading the products': ({ query = '' }, headers) => ask('GET', `/api/company/products${query}`, headers),
    'changing the settings': ({ query = '', fields }, headers) =>
      ask('PUT', `/api/company${query}`, headers, { companyName: 'Ben', enabledBaseCategories: ['Signs'], ...fields }),
    'adding a product': ({ query = '', fields }, headers) =>
      sendForm('POST', `/api/company/products${query}`, headers, { name: `Ben ${forged}`, category: 'Ben', ...fields }),
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
  const cells = Object.keys(calls).flatMap((call) => Object.keys(carriers).map((carrier) => [call, carrier] as const));

  test.each(cells)('%s, with %s', async (call, carrier) => {
    const before = await readAll(ann.companyId);
    const said = carriers[carrier]!();
    const answer = await calls[call]!(said, { ...ben.headers, ...said.headers });
    forged++;
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
  ] as const)('%s of a product of theirs is answered as for none at all', async (method, more) => {
    const before = await readAll(ann.companyId);
    const tryOn = async (id: string) => {
      const url = `/api/company/products/${id}${more}`;
      const { statusCode, body } =
        method === 'PUT'
          ? await sendForm('PUT', url, ben.headers, { name: 'Ben', category: 'Ben' })
          : await ask(method, url, ben.headers, {});
      return { statusCode, message: JSON.parse(body).message };
    };
    const told = [await tryOn(product.id), await tryOn(MISSING), await tryOn(`..%2f${product.id}`)];
    expect((await tryOn(`${product.id}%00`)).statusCode).toBe(400);
    forged += 3;
    expect(told[0]).toEqual({ statusCode: 404, message: 'This product was not found. It may have been deleted.' });
    expect(told).toEqual([told[0], told[0], told[0]]);
    expect(await readAll(ann.companyId)).toEqual(before);
  });

  test('came to more than forty, and to nothing', async () => {
    expect(forged).toBe(8 * 6 + 3 * 3);
    expect((await readAll(ben.companyId)).rows.map(({ category }) => category)).toEqual(Array(8).fill('Ben'));
  });
});

describe('T7: two companies side by side', () => {
  const CALLS = repetitions(400, 2_000);

  /** What a company should have, and what it is told. */
  interface Model {
    readonly headers: Headers;
    readonly companyId: string;
    readonly userId: number;
    name: string;
    isOptedIn: boolean;
    enabled: Set<string>;
    readonly products: Map<string, { name: string; category: string; dimensions: string; isOnProfile: boolean }>;
    readonly random: () => number;
  }

  function createRandom(seed: number): () => number {
    let state = seed >>> 0;
    return () => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return state / 2 ** 32;
    };
  }

  const names = ['Oak Board', 'oak board', 'Slate', 'Tray', 'Coaster', 'Sign'];
  const places = ['Boards', 'boards', 'Gifts'];
  const sizes = ['1x1', '4x2', '2.5x3'];

  test(`${CALLS} calls in any order show and change what is the caller’s, and nothing else`, async () => {
    const offered = (await server.context.db.select().from(categories)).map(({ name }) => name).sort();
    const [first, second] = await Promise.all([openShop('left@example.com'), openShop('right@example.com')]);
    const toModel = (shop: typeof first, seed: number): Model => ({
      ...shop,
      name: '',
      isOptedIn: true,
      enabled: new Set(offered),
      products: new Map(),
      random: createRandom(seed),
    });
    const sides = [toModel(first, seed), toModel(second, seed + 1)] as const;
    let foreign = 0;

    /** One call of a company. `others` are ids it should never reach, as they were when the round began. */
    async function step(own: Model, others: readonly string[]): Promise<void> {
      const { headers, random, products } = own;
      const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)]!;
      const isTaken = (name: string, category: string, but?: string) =>
        [...products].some(([id, kept]) => id !== but && key(kept) === key({ name, category }));
      const kind = random();
      // Mostly of one's own; every fourth is the other's, or nobody's.
      const ids = [...products.keys()];
      const isForeign = random() < 0.25 || ids.length === 0;
      const id = isForeign ? (others.length > 0 && random() < 0.8 ? pick(others) : MISSING) : pick(ids);
      const address = `/api/company/products/${id}`;
      if (isForeign && kind >= 0.7) foreign++;

      if (kind < 0.2) {
        const shown = JSON.parse((await ask('GET', '/api/company', headers)).body) as Company;
        expect(shown).toMatchObject({
          companyName: own.name,
          customProductsEnabled: own.isOptedIn,
          productCount: products.size,
          productStorageBytes: products.size * 4,
        });
        expect(shown.enabledBaseCategories.toSorted()).toEqual([...own.enabled].sort());
      } else if (kind < 0.45) {
        const shown = JSON.parse((await ask('GET', '/api/company/products', headers)).body) as CompanyProduct[];
        expect(shown.map(toKept).sort(byId)).toEqual(
          [...products].map(([id, kept]) => ({ id, userId: own.userId, ...kept })).sort(byId),
        );
      } else if (kind < 0.6) {
        const change = pick<object>([
          { companyName: `Shop ${Math.floor(random() * 9)}` },
          { customProductsEnabled: random() < 0.8 },
          { enabledBaseCategories: offered.filter(() => random() < 0.5) },
        ]) as { companyName?: string; customProductsEnabled?: boolean; enabledBaseCategories?: string[] };
        expect((await ask('PUT', '/api/company', headers, change)).statusCode).toBe(200);
        own.name = change.companyName ?? own.name;
        own.isOptedIn = change.customProductsEnabled ?? own.isOptedIn;
        if (change.enabledBaseCategories) own.enabled = new Set(change.enabledBaseCategories);
      } else if (kind < 0.7) {
        const said = { name: pick(names), category: pick(places), dimensions: pick(sizes) };
        const answer = await sendForm('POST', '/api/company/products', headers, { ...said, userId: '1' });
        expect(answer.statusCode).toBe(!own.isOptedIn ? 403 : isTaken(said.name, said.category) ? 409 : 200);
        if (answer.statusCode === 200) products.set(answer.json().id, { ...said, isOnProfile: false });
      } else if (kind < 0.82) {
        const said = { name: pick(names), category: pick(places), dimensions: pick(sizes) };
        const answer = await sendForm('PUT', address, headers, said, random() < 0.2);
        expect(answer.statusCode).toBe(isForeign ? 404 : isTaken(said.name, said.category, id) ? 409 : 200);
        if (answer.statusCode === 200) products.set(id, { ...products.get(id)!, ...said });
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
          (kept) => kept.isOnProfile && kept.name.toLowerCase() === name.toLowerCase(),
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
      expect(rows.map((row) => toKept({ ...row, userId, isOnProfile: row.submittedAt !== null }))).toEqual(
        [...products].map(([id, kept]) => ({ id, userId, ...kept })).sort(byId),
      );
      expect(files).toHaveLength(2 * products.size);
    }
  }, 180_000);

  const key = ({ name, category }: { name: string; category: string }) => `${category}/${name}`.toLowerCase();
  const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1);
  /** What the model knows of a product. */
  type Kept = Pick<CompanyProduct, 'id' | 'userId' | 'name' | 'category' | 'dimensions' | 'isOnProfile'>;
  const toKept = ({ id, userId, name, category, dimensions, isOnProfile }: Kept): Kept => ({
    id,
    userId,
    name,
    category,
    dimensions,
    isOnProfile,
  });
});
