import { type BaseCategory, BRUSHED_PICTURE, catalogue, type Product } from '@markwright/contract';
import { readSvg } from '@markwright/scene';
import { eq, inArray } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../test/server.ts';
import { findProduct, sweepCompanyPictures } from '../companies/products.ts';
import { SITE } from '../platform/storage.ts';
import { storePictureFiles, sweepPictures } from './pictures.ts';
import { readProductPicture, seedCatalogue } from './products.ts';
import { seedCategories, seedProducts } from './seed/products.ts';
import { categories, products, seededItems } from './tables.ts';

let server: TestApp;
beforeAll(async () => {
  server = await createTestApp();
  // Two processes that start at the same moment.
  await Promise.all([seedCatalogue(server.context), seedCatalogue(server.context)]);
});
afterAll(() => server.close());

const list = async () => (await server.app.inject({ url: '/api/products' })).json<Product[]>();

test('offers every shipped product, each with a picture', async () => {
  const offers = await list();
  expect(offers.map(({ productId }) => productId).sort()).toEqual(seedProducts.map((seed) => seed.productId).sort());
  for (const product of offers) {
    expect(catalogue.products.reply.element.parse(product)).toEqual(product);
    const picture = await server.app.inject({ url: product.mockupImageUrl });
    expect([picture.statusCode, picture.headers['content-type']], product.productId).toEqual([
      200,
      'image/svg+xml; charset=utf-8',
    ]);
  }
  const baseCategories = (await server.app.inject({ url: '/api/base-categories' })).json<BaseCategory[]>();
  expect(baseCategories.map(({ name }) => name).sort()).toEqual(seedCategories.map(({ name }) => name).sort());
  expect(baseCategories.find(({ name }) => name === 'Tumblers')?.description).not.toBe('');
});

test('lists products in the order of the shipped catalogue, and a shop’s own categories last', async () => {
  const { db } = server.context;
  const [like] = await db.select().from(products).limit(1);
  const own = { ...like!, id: 'aardvark', productId: 'aardvark', name: 'Aardvark', category: 'Animals' };
  await db
    .insert(categories)
    .values({ id: 'animals', name: 'Animals', description: '', createdAt: server.context.now() });
  await db.insert(products).values(own);
  const offeredIds = (await list()).map(({ productId }) => productId);
  const shippedIds = new Set(seedProducts.map(({ productId }) => productId));
  expect(offeredIds.filter((id) => shippedIds.has(id))).toEqual(
    [...shippedIds].filter((id) => offeredIds.includes(id)),
  );
  expect(offeredIds.at(-1)).toBe('aardvark');
  await db.delete(products).where(eq(products.id, own.id));
  await db.delete(categories).where(eq(categories.id, 'animals'));
});

test('sorts names as people do', async () => {
  const { db } = server.context;
  const [like] = await db.select().from(products).limit(1);
  const names = ['Blank 10', 'apple', 'Blank 9', 'Zebra'];
  await db
    .insert(categories)
    .values(names.map((name) => ({ id: name, name, description: '', createdAt: server.context.now() })));
  await db
    .insert(products)
    .values(names.map((name) => ({ ...like!, id: name, productId: name, name, category: 'Zebra' })));
  const sortedNames = ['apple', 'Blank 9', 'Blank 10', 'Zebra'];
  expect((await list()).slice(-4).map(({ name }) => name)).toEqual(sortedNames);
  const baseCategories = (await server.app.inject({ url: '/api/base-categories' })).json<BaseCategory[]>();
  expect(baseCategories.map(({ name }) => name).filter((name) => names.includes(name))).toEqual(sortedNames);
  await db.delete(products).where(inArray(products.id, names));
  await db.delete(categories).where(inArray(categories.id, names));
});

test('a restart restores nothing that an administrator changed or deleted', async () => {
  const { db } = server.context;
  const [first, second] = seedProducts;
  await db.delete(products).where(eq(products.productId, first!.productId));
  await db.update(products).set({ name: 'Renamed' }).where(eq(products.productId, second!.productId));
  await db.update(categories).set({ name: 'Cups' }).where(eq(categories.name, 'Mugs'));
  await seedCatalogue(server.context);
  const offers = await list();
  expect(offers.some(({ productId }) => productId === first!.productId)).toBe(false);
  expect(offers.find(({ productId }) => productId === second!.productId)?.name).toBe('Renamed');
  expect(new Set(offers.map(({ category }) => category))).toContain('Cups');
  expect(offers).toHaveLength(seedProducts.length - 1);
  expect(await db.$count(categories)).toBe(seedCategories.length);
});

test('a product from before surfaces gets its own once, unless somebody changed its picture or size', async () => {
  const { db } = server.context;
  const [first, second, third] = seedProducts.filter(({ surface }) => surface).slice(2);
  const surfaceOf = async (seed: typeof first) => {
    const [row] = await db.select().from(products).where(eq(products.productId, seed!.productId));
    return row?.surface;
  };
  const setRow = (seed: typeof first, values: Partial<typeof products.$inferInsert>) =>
    db.update(products).set(values).where(eq(products.productId, seed!.productId));
  const flat = { kind: 'flat' } as const;
  expect(await surfaceOf(first)).toEqual(first!.surface);
  await db.delete(seededItems).where(eq(seededItems.kind, 'surface'));
  await setRow(first, { surface: flat });
  await setRow(second, { surface: flat, dimensions: '1x1' });
  await setRow(third, { surface: { kind: 'cylinder', diameterMm: 70 } });
  await seedCatalogue(server.context);
  expect(await surfaceOf(first)).toEqual(first!.surface);
  expect(await surfaceOf(second)).toEqual(flat);
  expect(await surfaceOf(third)).toEqual({ kind: 'cylinder', diameterMm: 70 });
  // Somebody says that it is flat: a restart does not object.
  await setRow(first, { surface: flat });
  await seedCatalogue(server.context);
  expect(await surfaceOf(first)).toEqual(flat);
});

test('a product from before sources of sizes gets its own once, unless somebody changed its picture or size', async () => {
  const { db } = server.context;
  const [first, second, third] = seedProducts.slice(20);
  const sourceOf = async ({ productId }: typeof first & {}) =>
    (await list()).find((product) => product.productId === productId)?.sizeSource;
  const setRow = ({ productId }: typeof first & {}, values: Partial<typeof products.$inferInsert>) =>
    db.update(products).set(values).where(eq(products.productId, productId));
  expect(await sourceOf(first!)).toBe(first!.sizeSource);
  await db.delete(seededItems).where(eq(seededItems.kind, 'size source'));
  await setRow(first!, { sizeSource: '' });
  await setRow(second!, { sizeSource: '', dimensions: '1x1' });
  await setRow(third!, { sizeSource: 'measured by us' });
  await seedCatalogue(server.context);
  expect(await sourceOf(first!)).toBe(first!.sizeSource);
  expect(await sourceOf(second!)).toBeUndefined();
  expect(await sourceOf(third!)).toBe('measured by us');
  // Somebody empties it: a restart does not object.
  await setRow(first!, { sizeSource: '' });
  await seedCatalogue(server.context);
  expect(await sourceOf(first!)).toBeUndefined();
});

test('copies of a product from before colors become colors of it once, unless somebody changed them', async () => {
  const fresh = await createTestApp();
  try {
    const { context, app } = fresh;
    await seedCatalogue(context);
    const shirt = seedProducts.find(({ productId }) => productId === 'tshirt-cotton-white')!;
    const [row] = await context.db.select().from(products).where(eq(products.productId, shirt.productId));
    const none = { colors: [], sizes: [] };
    const makeOld = async () => {
      await context.db
        .delete(products)
        .where(inArray(products.productId, ['tshirt-cotton-black', 'tshirt-cotton-heather']));
      await context.db
        .update(products)
        .set({ variants: none, name: shirt.formerName! })
        .where(eq(products.productId, shirt.productId));
      const copies = [
        ['tshirt-cotton-black', 'Cotton T-Shirt, Black'],
        ['tshirt-cotton-heather', 'Our Gray Shirt'],
      ] as const;
      await context.db
        .insert(products)
        .values(copies.map(([productId, name]) => ({ ...row!, id: productId, productId, name, variants: none })));
      await context.db.delete(seededItems).where(eq(seededItems.kind, 'variants'));
    };
    const shirts = async () =>
      (await app.inject({ url: '/api/products' }))
        .json<Product[]>()
        .filter(({ productId }) => productId.startsWith('tshirt-cotton'))
        .map(({ productId, name, variants }) => [productId, name, variants.colors.length, variants.sizes.length]);

    await makeOld();
    await seedCatalogue(context);
    // The copy that somebody renamed stays a product of its own.
    expect(await shirts()).toEqual([
      ['tshirt-cotton-white', 'Cotton T-Shirt', 6, 5],
      ['tshirt-cotton-heather', 'Our Gray Shirt', 0, 0],
    ]);
    expect(await findProduct(context, { kind: 'guest' } as never, 'tshirt-cotton-black')).toMatchObject({
      productId: 'tshirt-cotton-white',
    });
    expect((await findProduct(context, { kind: 'guest' } as never, 'tshirt-cotton-heather'))?.name).toBe(
      'Our Gray Shirt',
    );
    // Somebody takes the colors away: a restart does not object.
    await context.db.update(products).set({ variants: none }).where(eq(products.productId, shirt.productId));
    await seedCatalogue(context);
    expect((await shirts())[0]).toEqual(['tshirt-cotton-white', 'Cotton T-Shirt', 0, 0]);

    // A product whose size somebody changed stays as it is, with its copies.
    await makeOld();
    await context.db.update(products).set({ dimensions: '5x6' }).where(eq(products.productId, shirt.productId));
    await seedCatalogue(context);
    expect((await shirts()).map(([productId, name]) => [productId, name])).toEqual([
      ['tshirt-cotton-white', 'Cotton T-Shirt, White'],
      ['tshirt-cotton-black', 'Cotton T-Shirt, Black'],
      ['tshirt-cotton-heather', 'Our Gray Shirt'],
    ]);

    // The name is taken: the product keeps its own, and has its colors.
    await makeOld();
    await context.db
      .update(products)
      .set({ dimensions: shirt.dimensions })
      .where(eq(products.productId, shirt.productId));
    await context.db
      .insert(products)
      .values({ ...row!, id: 'other', productId: 'other', name: shirt.name, variants: none });
    await seedCatalogue(context);
    expect((await shirts())[0]).toEqual(['tshirt-cotton-white', 'Cotton T-Shirt, White', 6, 5]);
  } finally {
    await fresh.close();
  }
});

test('the list may be cached, and is revalidated with an ETag', async () => {
  const first = await server.app.inject({ url: '/api/products' });
  expect(first.headers['cache-control']).toBe('public, no-cache');
  const headers = { 'if-none-match': String(first.headers.etag) };
  const second = await server.app.inject({ url: '/api/products', headers });
  expect([second.statusCode, second.body]).toEqual([304, '']);
  await server.context.db
    .update(products)
    .set({ name: 'Changed' })
    .where(eq(products.productId, seedProducts[2]!.productId));
  expect((await server.app.inject({ url: '/api/products', headers })).statusCode).toBe(200);
});

test('a product of an administrator has its picture among the stored files', async () => {
  const { db, files, context } = { ...server.context, context: server.context };
  const [like] = await db.select().from(products).limit(1);
  await files.put('products/own/picture-1200.png', new Uint8Array([1, 2, 3]), 'image/png', SITE);
  await db.insert(products).values({
    ...like!,
    id: 'own',
    name: 'Own Blank',
    productId: 'own-blank',
    pictureKey: 'products/own/picture-1200.png',
    pictureAspect: 2,
  });
  const offer = (await list()).find(({ productId }) => productId === 'own-blank')!;
  expect(offer.mockupImageUrl).toBe('/products/own/picture-1200.png');
  expect(offer.thumbnails.map(({ width, mediaType, url }) => `${width} ${mediaType} ${url}`)).toEqual([
    '104 image/avif /products/own/104.avif',
    '104 image/webp /products/own/104.webp',
    '104 image/png /products/own/104.png',
    '960 image/avif /products/own/960.avif',
    '960 image/webp /products/own/960.webp',
  ]);
  const picture = await server.app.inject({ url: offer.mockupImageUrl });
  expect([picture.statusCode, picture.headers['content-type'], picture.rawPayload.length]).toEqual([
    200,
    'image/png',
    3,
  ]);
  expect(picture.headers).toMatchObject({
    'cache-control': 'public, max-age=31536000, immutable',
    'content-security-policy': expect.stringContaining('sandbox'),
  });
  expect((await server.app.inject({ url: '/products/own/960.webp' })).statusCode).toBe(404);
  expect((await server.app.inject({ url: '/products/..%2fdesigns/x.png' })).statusCode).toBe(404);
  const own = await findProduct(context, { kind: 'guest', guestId: 'anyone', address: '127.0.0.1' }, 'own-blank');
  expect(await readProductPicture(context, own!)).toEqual({ bytes: new Uint8Array([1, 2, 3]), mediaType: 'image/png' });
});

test('the picture of brushed steel is small, and every cache may keep it', async () => {
  const url = '/api/overlay/brushed-nickel.png';
  expect(BRUSHED_PICTURE).toBe(url);
  const answer = await server.app.inject({ url });
  expect(answer.statusCode).toBe(200);
  expect(answer.headers).toMatchObject({ 'content-type': 'image/png', 'cache-control': 'public, max-age=86400' });
  expect(answer.rawPayload.length).toBeLessThan(40_000);
  const { etag } = answer.headers;
  const again = await server.app.inject({ url, headers: { 'if-none-match': String(etag) } });
  expect([again.statusCode, again.rawPayload.length]).toEqual([304, 0]);
});

test.each(['/api/placeholder/48/48', '/api/placeholder/1/2000'])(
  'draws the picture %s, which caches may keep',
  async (url) => {
    const answer = await server.app.inject({ url });
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'image/svg+xml']);
    expect(answer.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    const [, , , width, height] = url.split('/').map(Number);
    expect(readSvg(answer.body)).toMatchObject({ width, height, droppedTags: [] });
  },
);

test.each(['0/48', '48/2001', '-1/4', '1e3/4', '4.5/4', 'a/b', '48/48/1', '99999999999/1'])(
  'rejects a placeholder of %s',
  async (sides) => {
    const { statusCode } = await server.app.inject({ url: `/api/placeholder/${sides}` });
    expect([400, 404]).toContain(statusCode);
  },
);

test('sweeps pictures without a product when they are a day old', async () => {
  const { context } = server;
  const orphan = await storePictureFiles(context, 'products', picture);
  const usedPicture = await storePictureFiles(context, 'products', picture);
  const ofNobody = await storePictureFiles(context, 'companies/nobody', picture);
  const [like] = await context.db.select().from(products).limit(1);
  const { sizeBytes: _, ...columns } = usedPicture;
  await context.db.insert(products).values({ ...like!, id: 'kept', name: 'Kept', productId: 'kept', ...columns });
  await sweepPictures(context);
  await sweepCompanyPictures(context);
  for (const { pictureKey } of [orphan, usedPicture, ofNobody]) expect(await context.files.has(pictureKey)).toBe(true);
  server.setNow(new Date(Date.now() + 25 * 3_600_000));
  await sweepPictures(context);
  await sweepCompanyPictures(context);
  expect(
    await Promise.all([orphan, usedPicture, ofNobody].map(({ pictureKey }) => context.files.has(pictureKey))),
  ).toEqual([false, true, false]);
  expect(await context.files.has(usedPicture.pictureKey.replace('picture-3.png', '104.webp'))).toBe(true);
});

const bytes = new Uint8Array([1, 2, 3]);
const picture = {
  width: 3,
  height: 1,
  files: [
    { name: 'picture-3.png', mediaType: 'image/png', bytes },
    { name: '104.webp', mediaType: 'image/webp', bytes },
  ],
};
