import type { AdminProduct, BaseCategory, Product } from '@markwright/contract';
import { ProductFields, toLabel } from '@markwright/contract';
import { asc, sql } from 'drizzle-orm';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { signInAdmin } from '../../test/admin.ts';
import { listText, repetitions } from '../../test/campaign.ts';
import { absentDatabaseError, createTestApp, formOf, type TestApp } from '../../test/server.ts';
import type { Db } from '../platform/database.ts';
import { auditTrail } from '../platform/tables.ts';
import { addProduct as add } from './changes.ts';
import { categories, products } from './tables.ts';

type Headers = Record<string, string>;
let server: TestApp;
let admin: Headers;
let red: Buffer;
let blue: Buffer;
beforeAll(async () => {
  server = await createTestApp({ environment: { ADMIN_PASSWORD: 'the-workshop-key' } });
  admin = await signInAdmin(server);
  red = await sharp({ create: { width: 300, height: 200, channels: 3, background: '#c02020' } })
    .png()
    .toBuffer();
  blue = await sharp({ create: { width: 100, height: 200, channels: 3, background: '#2020c0' } })
    .jpeg()
    .toBuffer();
});
afterAll(() => server.close());
beforeEach(async () => {
  const { db } = server.context;
  await db.delete(products);
  await db.delete(categories);
  await db.delete(auditTrail);
  for (const key of await storedPictures()) await server.context.files.delete(key);
});

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';
const send = (method: Method, url: string, payload?: object) =>
  server.app.inject({ method, url, headers: admin, ...(payload && { payload }) });
async function sendForm(method: 'POST' | 'PUT', url: string, fields: Record<string, string>, bytes?: Uint8Array) {
  const file = { bytes: bytes!, filename: 'whatever.exe', mediaType: 'text/plain' };
  const form = await formOf({ ...fields, ...(bytes && { productImage: file }) });
  return server.app.inject({ method, url, payload: form.payload, headers: { ...admin, ...form.headers } });
}
const addCategory = async (name: string) =>
  (await send('POST', '/api/admin/categories', { name })).json<BaseCategory>();
const addProduct = async (fields: Record<string, string>, bytes: Uint8Array = red) =>
  (await sendForm('POST', '/api/admin/products', fields, bytes)).json<AdminProduct>();
const listOffered = async () => (await server.app.inject({ url: '/api/products' })).json<Product[]>();
/** Returns the audit trail. Entries of the same millisecond come in the order of their insertion. */
const listAudited = async () =>
  (await server.context.db.select().from(auditTrail).orderBy(asc(auditTrail.createdAt), sql`${auditTrail}.ctid`)).map(
    ({ action, subject, detail }) => ({ action, subject, detail }),
  );
async function storedPictures(): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of server.context.files.list('products/')) keys.push(key);
  return keys;
}

describe('categories', () => {
  test('are added under their stored name, unique regardless of case', async () => {
    const category = await addCategory('  Kitchen ');
    expect(category).toMatchObject({ name: 'Cutting Boards/ Serving Trays', description: '', productCount: 0 });
    const twin = await send('POST', '/api/admin/categories', { name: 'cutting boards/ serving TRAYS' });
    expect([twin.statusCode, twin.json().message]).toEqual([
      409,
      'There is a category “Cutting Boards/ Serving Trays” already.',
    ]);
    for (const name of ['', '  ', '\u200b', 'n'.repeat(121)]) {
      expect((await send('POST', '/api/admin/categories', { name })).statusCode, name).toBe(400);
    }
    const many = await Promise.all(
      ['Mugs', 'mugs', 'MUGS', 'Mugs '].map((name) => send('POST', '/api/admin/categories', { name })),
    );
    expect(many.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409, 409, 409]);
    expect((await listAudited()).map(({ action }) => action)).toEqual(['category.add', 'category.add']);
  });

  test('are renamed with their products', async () => {
    const { id } = await addCategory('Mugs');
    await addCategory('Trays');
    const mug = await addProduct({ name: 'White mug', category: 'mugs' });
    expect(mug.category).toBe('Mugs');
    const answer = await send('PUT', `/api/admin/categories/${id}`, { name: 'Cups & Mugs' });
    expect(answer.json()).toMatchObject({ id, name: 'Cups & Mugs', productCount: 1 });
    expect((await listOffered()).map(({ category }) => category)).toEqual(['Cups & Mugs']);
    expect((await send('PUT', `/api/admin/categories/${id}`, { name: 'TRAYS' })).statusCode).toBe(409);
    // Only the case differs: that is no other category.
    expect((await send('PUT', `/api/admin/categories/${id}`, { name: 'cups & mugs' })).statusCode).toBe(200);
    expect((await send('PUT', '/api/admin/categories/nothing', { name: 'X' })).statusCode).toBe(404);
    expect((await send('PUT', '/api/admin/categories/%00', { name: 'X' })).statusCode).toBe(400);
    expect((await listAudited()).filter(({ action }) => action === 'category.rename')).toEqual([
      { action: 'category.rename', subject: 'Mugs', detail: { name: 'Cups & Mugs' } },
      { action: 'category.rename', subject: 'Cups & Mugs', detail: { name: 'cups & mugs' } },
    ]);
  });

  test('with products are deleted only on request, and then with the pictures', async () => {
    const { id } = await addCategory('Mugs');
    await addProduct({ name: 'White mug', category: 'Mugs' });
    await addProduct({ name: 'Black mug', category: 'Mugs' });
    const refusal = await send('DELETE', `/api/admin/categories/${id}`);
    expect([refusal.statusCode, refusal.json().message]).toEqual([
      409,
      '“Mugs” still has 2 products. Move or delete them first, or delete them with it.',
    ]);
    const answer = await send('DELETE', `/api/admin/categories/${id}?withProducts=true`);
    expect(answer.json()).toEqual({ deletedProducts: 2 });
    expect([await listOffered(), await storedPictures()]).toEqual([[], []]);
    expect((await send('DELETE', `/api/admin/categories/${id}`)).statusCode).toBe(404);
    expect((await listAudited()).at(-1)).toEqual({
      action: 'category.delete',
      subject: 'Mugs',
      detail: { products: 2 },
    });
  });
});

test('a product keeps its picture when the database stored the row but could not confirm it', async () => {
  const absence = await absentDatabaseError();
  const db: Db = Object.create(server.context.db);
  db.transaction = async (work) => {
    await server.context.db.transaction(work);
    throw absence;
  };
  const fields = ProductFields.parse({ name: 'White mug', category: 'Mugs', dimensions: '3x2' });
  const file = { bytes: red, filename: 'mug.png', mediaType: 'image/png' };
  const actor = { kind: 'user', id: 1, email: '', isAdmin: true, sessionId: '-', address: '203.0.113.1' } as const;
  const controller = new AbortController();
  await expect(add({ ...server.context, db }, actor, fields, file, controller)).rejects.toBe(absence);
  const [{ mockupImageUrl: url } = { mockupImageUrl: '' }] = await listOffered();
  expect((await server.app.inject({ url })).statusCode).toBe(200);
});

describe('products', () => {
  test('are added with a picture, and visible immediately', async () => {
    const before = (await server.app.inject({ url: '/api/products' })).headers.etag;
    const product = await addProduct({ name: ' White  mug ', category: 'Mugs', dimensions: '3x2', machines: '["uv"]' });
    expect(product).toMatchObject({
      name: 'White mug',
      category: 'Mugs',
      subCategory: '',
      business: '',
      machines: ['uv'],
    });
    expect(product.productId).toMatch(/^white-mug-[0-9a-f]{8}$/);
    expect(product.pictureAspect).toBe(1.5);
    expect((product.printArea.width * 1.5) / product.printArea.height).toBeCloseTo(1.5);
    for (const url of [product.mockupImageUrl, ...product.thumbnails.map(({ url }) => url)]) {
      const { statusCode, rawPayload } = await server.app.inject({ url });
      expect(statusCode, url).toBe(200);
      const { format, width } = await sharp(rawPayload).metadata();
      const shownThumbnail = product.thumbnails.find((thumbnail) => thumbnail.url === url);
      if (shownThumbnail)
        expect([shownThumbnail.width, shownThumbnail.mediaType]).toEqual([
          width,
          `image/${format === 'heif' ? 'avif' : format}`,
        ]);
    }
    const after = await server.app.inject({ url: '/api/products', headers: { 'if-none-match': String(before) } });
    expect(after.json<Product[]>().map(({ id }) => id)).toEqual([product.id]);
    expect((await send('GET', '/api/admin/products')).json()).toEqual([product]);
    expect((await send('GET', '/api/admin/categories')).json()).toMatchObject([{ name: 'Mugs', productCount: 1 }]);
  });

  test('without dimensions and area get 1x1 and the largest square of their picture', async () => {
    const { dimensions, printArea } = await addProduct({ name: 'Plain mug', category: 'Mugs' });
    expect(dimensions).toBe('1x1');
    expect(printArea).toEqual({ x: expect.closeTo(1 / 6, 9), y: 0, width: expect.closeTo(2 / 3, 9), height: 1 });
  });

  test('need a name, a category and a valid picture', async () => {
    const image = { category: 'Mugs', name: 'Mug' };
    for (const [fields, bytes, status] of [
      [{ name: 'Mug' }, red, 400],
      [{ category: 'Mugs' }, red, 400],
      [image, undefined, 400],
      [image, Buffer.from('no picture'), 415],
      [image, await sharp(red).webp().toBuffer(), 415],
      [image, red.subarray(0, red.length / 2), 422],
      [{ ...image, dimensions: 'wide' }, red, 400],
      [{ ...image, printArea: '{"x":1}' }, red, 400],
    ] as const) {
      const answer = await sendForm('POST', '/api/admin/products', fields, bytes);
      expect(answer.statusCode, `${JSON.stringify(fields)} ${answer.body}`).toBe(status);
    }
    expect([await listOffered(), await storedPictures(), await listAudited()]).toEqual([[], [], []]);
  });

  test('have one name once in a category, in any case, even simultaneously', async () => {
    const tries = ['Mug', 'mug', 'MUG'].map((name) =>
      sendForm('POST', '/api/admin/products', { name, category: 'Mugs' }, red),
    );
    const answers = await Promise.all(tries);
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409, 409]);
    expect(answers.find(({ statusCode }) => statusCode === 409)!.json().message).toMatch(
      /^There is a product “\w+” in “Mugs” already\.$/,
    );
    // The pictures of the rejected ones are deleted.
    expect(new Set((await storedPictures()).map((key) => key.split('/')[1])).size).toBe(1);
  });

  test('can be edited, with another picture or without', async () => {
    const mug = await addProduct({ name: 'Mug', category: 'Mugs', material: 'ceramic' });
    await addProduct({ name: 'Cup', category: 'Mugs' }, blue);
    const url = `/api/admin/products/${mug.id}`;
    const printArea = { x: 0.1, y: 0.1, width: 0.5, height: 0.5 };
    const answer = await sendForm('PUT', url, {
      name: 'Big mug',
      category: 'Cups',
      printArea: JSON.stringify(printArea),
    });
    expect(answer.json()).toEqual({ ...mug, name: 'Big mug', category: 'Cups', printArea });

    const withNewPicture = (
      await sendForm('PUT', url, { name: 'Big mug', category: 'Cups' }, blue)
    ).json<AdminProduct>();
    expect(withNewPicture).toMatchObject({
      productId: mug.productId,
      material: 'ceramic',
      printArea,
      pictureAspect: 0.5,
    });
    expect(withNewPicture.mockupImageUrl).not.toBe(mug.mockupImageUrl);
    expect((await server.app.inject({ url: mug.mockupImageUrl })).statusCode).toBe(404);
    expect((await server.app.inject({ url: withNewPicture.mockupImageUrl })).statusCode).toBe(200);

    const conflict = await sendForm('PUT', url, { name: 'CUP', category: 'mugs' }, red);
    expect([conflict.statusCode, conflict.json().message]).toEqual([
      409,
      'There is a product “CUP” in “mugs” already.',
    ]);
    expect(new Set((await storedPictures()).map((key) => key.split('/')[1])).size).toBe(2);
    expect((await sendForm('PUT', '/api/admin/products/nothing', { name: 'A', category: 'B' }, red)).statusCode).toBe(
      404,
    );
    expect((await listAudited()).filter(({ action }) => action === 'product.edit')).toEqual([
      { action: 'product.edit', subject: 'Mug', detail: { name: 'Big mug', category: 'Cups', printArea } },
      { action: 'product.edit', subject: 'Big mug', detail: { picture: 'replaced' } },
    ]);
  });

  const tumbler = {
    surface: { kind: 'cone', topDiameterMm: 74.9, bottomDiameterMm: 71.1, heightMm: 208, middleMm: 90, focusMm: 2 },
    shape: {
      kind: 'outline',
      d: 'M0 0L1 0L1 0.8C1 1 0 1 0 0.8Z',
      keepOuts: [{ kind: 'ellipse', x: 0.4, y: 0.1, width: 0.2, height: 0.1, reason: 'logo' }],
    },
    variants: {
      colors: [
        { name: 'Matte black', color: '#1b1b1d', markColor: '#c0c0c0' },
        { name: 'Sage', color: '#9aa893' },
      ],
      sizes: [{ name: '20 oz' }, { name: '30 oz', dimensions: '2.6x6' }],
    },
  };
  const printArea = { x: 0.3, y: 0.2, width: 0.4, height: 0.5 };
  const formFields = {
    name: 'Tumbler',
    category: 'Tumblers',
    dimensions: '2.2x5.5',
    surface: JSON.stringify(tumbler.surface),
    printArea: JSON.stringify({ ...printArea, shape: tumbler.shape }),
    variants: JSON.stringify(tumbler.variants),
    sizeSource: ' the maker’s  data sheet ',
  };

  test('keep surface, shape of the area, variants and source of the size, also when a form sends none', async () => {
    const product = await addProduct(formFields);
    const { surface, shape, variants } = tumbler;
    const sizeSource = 'the maker’s data sheet';
    expect(product).toMatchObject({ surface, variants, sizeSource, printArea: { ...printArea, shape } });
    expect(await listOffered()).toMatchObject([{ surface, variants, sizeSource, printArea: { ...printArea, shape } }]);
    const url = `/api/admin/products/${product.id}`;
    const again = async (changes: Record<string, string>) =>
      (await sendForm('PUT', url, { name: 'Tumbler', category: 'Tumblers', ...changes })).json<AdminProduct>();
    const rectangle = { ...printArea, x: 0.2 };
    expect(await again({ printArea: JSON.stringify(rectangle) })).toEqual({
      ...product,
      printArea: { ...rectangle, shape },
    });
    const plain = {
      surface: '{"kind":"flat"}',
      printArea: JSON.stringify({ ...rectangle, shape: { kind: 'rectangle' } }),
      variants: '{}',
      sizeSource: '',
    };
    const flat = { surface: { kind: 'flat' }, variants: { colors: [], sizes: [] } };
    const after = await again(plain);
    expect(after).toMatchObject({ ...flat, printArea: { ...rectangle, shape: { kind: 'rectangle' } } });
    expect(after).not.toHaveProperty('sizeSource');
    expect((await listAudited()).at(-1)!.detail).toMatchObject({ ...flat, sizeSource: '' });
  });

  test('that were there before are flat, all of their area can be marked, and they have no variants', async () => {
    const { surface, variants, printArea } = await addProduct({ name: 'Mug', category: 'Mugs' });
    expect([surface, variants]).toEqual([{ kind: 'flat' }, { colors: [], sizes: [] }]);
    expect(printArea).not.toHaveProperty('shape');
    // The columns say the same of a row that knows nothing of them.
    const { db } = server.context;
    await db.execute(sql`
      insert into products (id, product_id, name, category, dimensions, print_area, picture_aspect, material,
        mark_color, machines)
      values ('old', 'old', 'Old mug', 'Mugs', '2x2', '{"x":0,"y":0,"width":1,"height":1}', 1, 'ceramic', '#000000',
        '{laser}')`);
    const old = (await listOffered()).find(({ id }) => id === 'old')!;
    expect(old).toMatchObject({ surface: { kind: 'flat' }, variants: { colors: [], sizes: [] } });
    expect(old.printArea).toEqual({ x: 0, y: 0, width: 1, height: 1 });
    expect(old).not.toHaveProperty('sizeSource');
  });

  test.each<[Record<string, unknown>, string]>([
    [{ surface: { kind: 'sphere' } }, 'A surface is flat, a cylinder or a cone.'],
    [{ surface: { kind: 'cylinder' } }, '“diameterMm” is missing.'],
    [{ surface: { kind: 'cylinder', diameterMm: 0 } }, '“surface.diameterMm” is too small: at least 3.'],
    [{ surface: { kind: 'cylinder', diameterMm: 1e9 } }, '“surface.diameterMm” is too large: at most 1000.'],
    [
      { surface: { kind: 'cylinder', diameterMm: 10 } },
      'A print area 55.9 mm wide does not fit round this cylinder: it is 31.4 mm round.',
    ],
    [
      { surface: { kind: 'cone', topDiameterMm: 90, bottomDiameterMm: 70, heightMm: 100, middleMm: 120 } },
      'The middle of the print area must lie between the two diameters of the cone.',
    ],
    [
      { surface: { kind: 'cone', topDiameterMm: 90, bottomDiameterMm: 3, heightMm: 100 } },
      'A print area 139.7 mm high reaches beyond the tip of this cone.',
    ],
    [{ surface: 'round' }, 'This is no JSON.'],
    [{ sizeSource: 's'.repeat(121) }, 'Where a size comes from may be said in up to 120 characters.'],
    [
      { printArea: { ...printArea, shape: { kind: 'star' } } },
      'The shape of a print area is a rectangle, rounded, a circle, an ellipse or an outline.',
    ],
    [{ printArea: { ...printArea, shape: { kind: 'rounded', radiusMm: -1 } } }, /shape.radiusMm” is too small/],
    ...['M0 0L1 0', 'M0 0L2 0L2 2Z', 'M0 0A1 1 0 0 0 1 1Z', '', '<svg/>', 'M0 0L1 0L1 1e999Z'].map(
      (d): [Record<string, unknown>, RegExp] => [
        { printArea: { ...printArea, shape: { kind: 'outline', d } } },
        /^The outline of a print area is path data of the commands M, L, C and Z/,
      ],
    ),
    [
      {
        printArea: {
          ...printArea,
          shape: { kind: 'circle', keepOuts: [{ kind: 'ellipse', x: 0.9, y: 0, width: 0.2, height: 0.1 }] },
        },
      },
      'What is kept free must lie within the print area.',
    ],
    [{ variants: { colors: [{ name: 'Red', color: 'red' }] } }, 'A color is written as #rrggbb.'],
    [{ variants: { colors: [{ name: ' ', color: '#ff0000' }] } }, 'Please name each variant.'],
    [{ variants: { sizes: [{ name: 'S' }, { name: 's' }] } }, 'Each size needs a name of its own.'],
    [
      { variants: { sizes: Array.from({ length: 41 }, (_, i) => ({ name: `S${i}` })) } },
      'A product may have up to 40 sizes.',
    ],
  ] as [Record<string, unknown>, string][])('with %j are refused with a sentence', async (fields, message) => {
    const texts = Object.fromEntries(
      Object.entries(fields).map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]),
    );
    const answer = await sendForm('POST', '/api/admin/products', { ...formFields, ...texts }, red);
    expect(answer.statusCode, answer.body).toBe(400);
    expect(answer.json().message).toMatch(message);
    expect(await listOffered()).toEqual([]);
  });

  test('are deleted one by one and all together, with their pictures; compositions that name one still open', async () => {
    const mug = await addProduct({ name: 'Mug', category: 'Mugs' });
    await addProduct({ name: 'Cup', category: 'Mugs' });
    await addProduct({ name: 'Tray', category: 'Trays' });
    expect((await send('DELETE', `/api/admin/products/${mug.id}`)).json()).toEqual({ deletedCount: 1 });
    expect((await send('DELETE', `/api/admin/products/${mug.id}`)).statusCode).toBe(404);
    expect((await server.app.inject({ url: mug.mockupImageUrl })).statusCode).toBe(404);
    const composition = { version: 0, data: { productId: mug.productId, texts: [{ id: 'a', text: 'Ann' }] } };
    const mockup = await send('POST', '/api/exports/mockup', { composition });
    expect([mockup.statusCode, mockup.json().message]).toEqual([404, 'This product is not in the catalogue.']);
    expect((await send('DELETE', '/api/admin/products/all')).json()).toEqual({ deletedCount: 2 });
    expect([await listOffered(), await storedPictures()]).toEqual([[], []]);
    expect((await send('GET', '/api/admin/categories')).json()).toHaveLength(2);
    expect((await listAudited()).at(-1)).toEqual({
      action: 'product.deleteAll',
      subject: 'All base products',
      detail: { products: 2 },
    });
  });

  test('leave no trace when the row cannot be written', async () => {
    const { db } = server.context;
    await addCategory('Mugs');
    await server.seeAll.execute('alter table audit_trail rename to hidden_trail');
    try {
      for (const answer of [
        await sendForm('POST', '/api/admin/products', { name: 'Mug', category: 'Mugs' }, red),
        await send('POST', '/api/admin/categories', { name: 'Trays' }),
      ]) {
        expect(answer.statusCode).toBe(500);
      }
    } finally {
      await server.seeAll.execute('alter table hidden_trail rename to audit_trail');
    }
    expect([await listOffered(), await storedPictures()]).toEqual([[], []]);
    expect(await db.$count(categories)).toBe(1);
  });
});

describe('T13: naughty strings', () => {
  const naughty = [
    ...(JSON.parse(listText('blns.json') ?? '[]') as string[]).filter((_, i) => i % repetitions(4, 1) === 0),
    '<script>alert(1)</script>',
    '"><img src=x onerror=alert(1)>',
    "'; drop table products; --",
    '{{7*7}} <%= 7 %>',
    '\ud800 half \udc00',
    'a\0b\u202ec',
    '田中さんにあげて下さい',
    '👩‍🔧 Ṱ̺̺̕o͞ ̷i̲̬͇̪͙n̝̗͕v̟̜̘̦͟o̶̙̰̠kè͚̮̺̪̹̱̤',
    '__proto__',
    'constructor',
    '1e1000',
  ];

  test('are returned as they are stored, as a category’s name', { tags: ['detail'] }, async () => {
    let addedCount = 0;
    for (const name of naughty) {
      const answer = await send('POST', '/api/admin/categories', { name, description: name });
      expect([200, 400, 409], `${JSON.stringify(name)} ${answer.body}`).toContain(answer.statusCode);
      if (answer.statusCode !== 200) continue;
      expect(answer.json()).toMatchObject({ name: toLabel(name), description: toLabel(name) });
      addedCount++;
    }
    const storedCategories = (await server.app.inject({ url: '/api/base-categories' })).json<BaseCategory[]>();
    expect(storedCategories).toHaveLength(addedCount);
    expect(addedCount).toBeGreaterThan(naughty.length / 2);
    expect((await server.context.db.select().from(categories)).map(({ name }) => name).sort()).toEqual(
      storedCategories.map(({ name }) => name).sort(),
    );
  });
});
