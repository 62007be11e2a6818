import { COMPANY_QUOTA, type Company, type CompanyProduct, company } from '@markwright/contract';
import { emptyComposition, parseComposition, saveComposition } from '@markwright/scene';
import { eq } from 'drizzle-orm';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createTestApp, formOf, type TestApp } from '../../test/server.ts';
import { takeOut } from '../../test/takeout.ts';
import { users } from '../accounts/tables.ts';
import { seedCatalogue } from '../catalogue/products.ts';
import { inCompany } from '../platform/tenancy.ts';
import { companies, companyProducts } from './tables.ts';

type Headers = { authorization: string };
type Fields = Record<string, string>;

let server: TestApp;
let headers: Headers;
let pictures: { small: Buffer; wide: Buffer; webp: Buffer };
beforeAll(async () => {
  server = await createTestApp();
  await seedCatalogue(server.context);
  const plain = (width: number, height: number) =>
    sharp({ create: { width, height, channels: 3, background: '#a05030' } });
  pictures = {
    small: await plain(12, 12).png().toBuffer(),
    wide: await plain(24, 12).png().toBuffer(),
    webp: await plain(10, 10).webp().toBuffer(),
  };
});
afterAll(() => server.close());
beforeEach(async () => {
  headers = await server.signUp();
  await put({ customProductsEnabled: true });
});

const put = (payload: object, as = headers) =>
  server.app.inject({ method: 'PUT', url: '/api/company', payload, headers: as });
const settings = async (as = headers) =>
  (await server.app.inject({ url: '/api/company', headers: as })).json<Company>();
const list = async (as = headers) =>
  (await server.app.inject({ url: '/api/company/products', headers: as })).json<CompanyProduct[]>();
async function send(method: 'POST' | 'PUT', url: string, fields: Fields, picture?: Uint8Array, as = headers) {
  const file = picture && { productImage: { bytes: picture, filename: 'blank.png', mediaType: 'image/png' } };
  const form = await formOf({ ...fields, ...file });
  return server.app.inject({ method, url, payload: form.payload, headers: { ...form.headers, ...as } });
}
const add = (fields: Fields, picture: Uint8Array | undefined = pictures.small, as = headers) =>
  send('POST', '/api/company/products', fields, picture, as);
const edit = (id: string, fields: Fields, picture?: Uint8Array, as = headers) =>
  send('PUT', `/api/company/products/${id}`, fields, picture, as);
const remove = (id: string, as = headers) =>
  server.app.inject({ method: 'DELETE', url: `/api/company/products/${id}`, headers: as });
const submit = (id: string, as = headers) =>
  server.app.inject({ method: 'POST', url: `/api/company/products/${id}/submit-to-profile`, payload: {}, headers: as });
async function addExample(fields: Fields = {}, picture = pictures.small): Promise<CompanyProduct> {
  const answer = await add({ name: 'Oak Board', category: 'Boards', ...fields }, picture);
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json();
}
const refusal = (answer: { statusCode: number; json(): { message: string } }) => [
  answer.statusCode,
  answer.json().message,
];
async function companyId(): Promise<string> {
  const { id } = (await server.app.inject({ url: '/api/auth/me', headers })).json();
  const [row] = await server.context.db.select().from(companies).where(eq(companies.userId, id));
  return row!.id;
}
async function listFiles(): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of server.context.files.list(`companies/${await companyId()}/`)) keys.push(key);
  return keys.sort();
}

describe('adding', () => {
  test('stores a product with its picture in the sizes of the pages, and counts it', async () => {
    const product = await addExample({ subCategory: 'Small', dimensions: '4x2', userId: '1' });
    expect(company.addProduct.reply.parse(product)).toEqual(product);
    const { id } = (await server.app.inject({ url: '/api/auth/me', headers })).json();
    expect(product).toMatchObject({
      name: 'Oak Board',
      category: 'Boards',
      subCategory: 'Small',
      dimensions: '4x2',
      pictureAspect: 1,
      userId: id,
      isOnProfile: false,
    });
    expect(product.productId).toBe(product.id);
    // Its width is 0.4 of the picture's, and its shape is that of 4 × 2 inches.
    expect(product.printArea.width / product.printArea.height).toBeCloseTo(2, 6);
    expect(await list()).toEqual([product]);

    const answers = await Promise.all(
      [product.mockupImageUrl, ...product.thumbnails.map(({ url }) => url)].map((url) => server.app.inject({ url })),
    );
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(answers.map(() => 200));
    const bytes = answers.reduce((sum, { rawPayload }) => sum + rawPayload.length, 0);
    expect(product.fileSize).toBe(bytes);
    expect(await settings()).toMatchObject({ productCount: 1, productStorageBytes: bytes });
    // Without the signature, the address opens nothing.
    const [path] = product.mockupImageUrl.split('?');
    expect((await server.app.inject({ url: path! })).statusCode).toBe(404);
  });

  test('accepts any image type, and defaults dimensions to 1x1', async () => {
    const { dimensions } = await addExample({}, pictures.webp);
    expect(dimensions).toBe('1x1');
  });

  test('takes dimensions of 1x1 without an area as the whole picture, and keeps an older area as it was', async () => {
    const { id, dimensions, printArea, pictureAspect } = await addExample();
    expect([dimensions, pictureAspect, printArea]).toEqual(['1x1', 1, { x: 0, y: 0, width: 1, height: 1 }]);
    const again = async (picture?: Uint8Array) =>
      (await edit(id, { name: 'Oak Board', category: 'Boards' }, picture)).json<CompanyProduct>().printArea;
    expect(await again(pictures.wide)).toEqual({ x: 0.25, y: 0, width: 0.5, height: 1 });

    // From before: 0.4 of a square picture's width.
    const olderArea = { x: 0.3, y: 0.3, width: 0.4, height: 0.4 };
    const older = { printArea: olderArea, pictureAspect: 1 };
    await inCompany(server.context.db, await companyId(), (tx) =>
      tx.update(companyProducts).set(older).where(eq(companyProducts.id, id)),
    );
    expect(await again()).toEqual(olderArea);
    expect((await again(pictures.wide)).width).toBeCloseTo(0.4, 9);
  });

  test.each<[string, Fields, Uint8Array | undefined, number, string]>([
    ['no picture', { name: 'A', category: 'B' }, undefined, 400, 'Please select an image file'],
    ['no name', { category: 'B' }, new Uint8Array(1), 400, '“name” is missing.'],
    ['a blank name', { name: ' \t', category: 'B' }, new Uint8Array(1), 400, 'Please enter a name.'],
    ['no category', { name: 'A', category: '' }, new Uint8Array(1), 400, 'Please enter a category.'],
    [
      'odd dimensions',
      { name: 'A', category: 'B', dimensions: '1 by 2' },
      new Uint8Array(1),
      400,
      '“dimensions” is not valid.',
    ],
    [
      'something else than a picture',
      { name: 'A', category: 'B' },
      new TextEncoder().encode('%PDF-1.7'),
      415,
      'This file is no picture that can be used here: PNG, JPG, SVG, WebP, GIF, AVIF or TIFF.',
    ],
  ])('rejects %s, and stores nothing', async (_case, fields, picture, status, message) => {
    const answer = await send('POST', '/api/company/products', fields, picture);
    expect(refusal(answer)).toEqual([status, message]);
    expect([await list(), await listFiles()]).toEqual([[], []]);
  });

  test('needs custom products to be switched on; existing products stay', async () => {
    await addExample();
    await put({ customProductsEnabled: false });
    expect(refusal(await add({ name: 'Tray', category: 'Boards' }))).toEqual([
      403,
      'Custom products are switched off. Switch them on in the settings of your company first.',
    ]);
    expect((await list()).map(({ name }) => name)).toEqual(['Oak Board']);
  });

  test('creates one product per category and name, in any spelling and from simultaneous calls', async () => {
    const answers = await Promise.all(
      ['Oak Board', 'oak  board', 'OAK BOARD '].map((name) => add({ name, category: 'Boards', subCategory: 'Small' })),
    );
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409, 409]);
    const [product] = await list();
    expect(await listFiles()).toHaveLength(1 + product!.thumbnails.length);
    expect(refusal(await add({ name: 'Oak board', category: 'boards', subCategory: 'small' }))).toEqual([
      409,
      'There is a product called “Oak board” in boards / small already.',
    ]);
    // A product in another category is another product.
    await addExample({ subCategory: 'Large' });
    await addExample();
    expect(await list()).toHaveLength(3);
  });

  test('rejects products beyond the quota, for number and for bytes', async () => {
    const id = await companyId();
    const like = {
      companyId: id,
      category: 'Boards',
      printArea: { x: 0, y: 0, width: 1, height: 1 },
      pictureAspect: 1,
    };
    const row = { ...like, material: 'other', markColor: '#000000', machines: [], pictureKey: 'companies/x/y/p.png' };
    const rows = (length: number, sizeBytes: number) =>
      Array.from({ length }, (_, i) => ({ ...row, id: `many-${i}`, name: `Many ${i}`, sizeBytes }));
    for (const [values, message] of [
      [
        rows(COMPANY_QUOTA.products, 1),
        'Your company has 5,000 products, which is as many as it can keep. Delete some first.',
      ],
      [rows(2, COMPANY_QUOTA.bytes / 2), 'The 2 GB for your products are used up. Delete some first.'],
    ] as const) {
      for (let at = 0; at < values.length; at += 1000) {
        await inCompany(server.context.db, id, (tx) => tx.insert(companyProducts).values(values.slice(at, at + 1000)));
      }
      expect(refusal(await add({ name: 'One more', category: 'Boards' }))).toEqual([507, message]);
      await inCompany(server.context.db, id, (tx) =>
        tx.delete(companyProducts).where(eq(companyProducts.name, 'Many 0')),
      );
      expect((await add({ name: 'One more', category: 'Boards' })).statusCode).toBe(200);
      await inCompany(server.context.db, id, (tx) => tx.delete(companyProducts));
    }
  });
});

describe('changing', () => {
  test('changes the given fields and keeps the rest', async () => {
    const before = await addExample({ dimensions: '4x2' });
    const answer = await edit(before.id, { name: 'Oak Tray', category: 'Trays', subCategory: 'Round' });
    expect(answer.json()).toEqual({ ...before, name: 'Oak Tray', category: 'Trays', subCategory: 'Round' });
    expect(await list()).toEqual([answer.json()]);
  });

  test('keeps a drawn print area as long as it has the shape of the dimensions', async () => {
    const printArea = { x: 0.1, y: 0.2, width: 0.8, height: 0.4 };
    const { id } = await addExample({ dimensions: '4x2', printArea: JSON.stringify(printArea) });
    const again = async (fields: Fields, picture?: Uint8Array) =>
      (await edit(id, { name: 'Oak Board', category: 'Boards', ...fields }, picture)).json<CompanyProduct>();
    expect((await again({ dimensions: '6x3' })).printArea).toEqual(printArea);
    const square = (await again({ dimensions: '3x3' })).printArea;
    expect(square.width).toBeCloseTo(square.height, 9);
    const onWide = await again({}, pictures.wide);
    expect([onWide.pictureAspect, (onWide.printArea.width * 2) / onWide.printArea.height]).toEqual([
      2,
      expect.closeTo(1, 9),
    ]);
    expect((await again({ printArea: JSON.stringify(printArea) })).printArea).toEqual(printArea);
  });

  test('keeps surface, shape and variants when a form sends none of them, and shows them to nobody else', async () => {
    const printArea = { x: 0.1, y: 0.2, width: 0.8, height: 0.4, shape: { kind: 'rounded', radiusMm: 3 } };
    const surface = { kind: 'cylinder', diameterMm: 73, axisMm: -4 };
    const variants = { colors: [{ name: 'Sage', color: '#9aa893' }], sizes: [] };
    const product = await addExample({
      dimensions: '4x2',
      printArea: JSON.stringify(printArea),
      surface: JSON.stringify(surface),
      variants: JSON.stringify(variants),
    });
    expect(product).toMatchObject({ printArea, surface, variants });
    const again = async (fields: Fields, picture?: Uint8Array) =>
      (await edit(product.id, { name: 'Oak Board', category: 'Boards', ...fields }, picture)).json<CompanyProduct>();
    const { shape, ...rectangle } = printArea;
    expect(await again({ printArea: JSON.stringify({ ...rectangle, x: 0.2 }) })).toEqual({
      ...product,
      printArea: { ...printArea, x: 0.2 },
    });
    // Another picture or other dimensions move the rectangle, and its shape stays.
    expect(await again({ dimensions: '3x3' }, pictures.wide)).toMatchObject({ surface, printArea: { shape } });
    const tooWide = await edit(product.id, { name: 'Oak Board', category: 'Boards', dimensions: '12x3' });
    expect(refusal(tooWide)).toEqual([
      400,
      'A print area 304.8 mm wide does not fit round this cylinder: it is 229.3 mm round.',
    ]);
    const takeout = await takeOut(server, headers);
    expect(takeout.company.products).toMatchObject([{ surface, variants, printArea: { shape } }]);
    expect(await list(await server.signUp())).toEqual([]);
  });

  test('corrects an area with a small deviation to exactly the shape of the dimensions', async () => {
    const drawnArea = { x: 0.1, y: 0.6, width: 0.8, height: 0.398 };
    const { id, printArea } = await addExample({ dimensions: '4x2', printArea: JSON.stringify(drawnArea) });
    expect(printArea).toEqual({ x: 0.1, y: 0.6, width: 0.8, height: 0.4 });
    const fields = {
      name: 'Oak Board',
      category: 'Boards',
      printArea: JSON.stringify({ ...drawnArea, width: 0.4, height: 0.201 }),
    };
    const editedProduct = (await edit(id, fields)).json<CompanyProduct>();
    expect(editedProduct.printArea).toEqual({ x: 0.1, y: 0.6, width: 0.4, height: 0.2 });
  });

  test('replaces the picture and deletes the old one', async () => {
    const before = await addExample();
    const filesBefore = await listFiles();
    const after = (
      await edit(before.id, { name: 'Oak Board', category: 'Boards' }, pictures.wide)
    ).json<CompanyProduct>();
    expect([after.id, after.pictureAspect]).toEqual([before.id, 2]);
    expect(await listFiles()).toHaveLength(filesBefore.length);
    expect((await listFiles()).some((key) => filesBefore.includes(key))).toBe(false);
    expect((await settings()).productStorageBytes).toBe(after.fileSize);
  });

  test('a duplicate name and an invalid picture change nothing', async () => {
    await addExample({ name: 'Tray' });
    const { id } = await addExample();
    const before = [await list(), await listFiles()];
    expect(refusal(await edit(id, { name: 'tray', category: 'Boards' }, pictures.wide))).toEqual([
      409,
      'There is a product called “tray” in Boards already.',
    ]);
    expect((await edit(id, { name: 'Other', category: 'Boards' }, new Uint8Array([1, 2]))).statusCode).toBe(415);
    expect((await edit(id, { name: '', category: 'Boards' })).statusCode).toBe(400);
    expect([await list(), await listFiles()]).toEqual(before);
  });
});

test('deletes a product with its files, once', async () => {
  const { id } = await addExample();
  expect((await remove(id)).json()).toEqual({ ok: true });
  expect([await list(), await listFiles()]).toEqual([[], []]);
  expect(refusal(await remove(id))).toEqual([404, 'This product was not found. It may have been deleted.']);
});

test('puts a product on the profile once, and only one of each name', async () => {
  const board = await addExample();
  const namesake = await addExample({ category: 'Gifts', name: 'OAK board' });
  expect((await submit(board.id)).json()).toEqual({ duplicate: false });
  expect((await submit(board.id)).json()).toEqual({ duplicate: true });
  expect((await submit(namesake.id)).json()).toEqual({ duplicate: true });
  expect((await list()).map(({ name, isOnProfile }) => [name, isOnProfile])).toEqual([
    ['Oak Board', true],
    ['OAK board', false],
  ]);
  expect((await submit('nothing')).statusCode).toBe(404);
});

test('products are part of the takeout, and their files are deleted with the account', async () => {
  await addExample({ subCategory: 'Small' });
  const takeout = await takeOut(server, headers);
  expect(takeout.company.products).toMatchObject([{ name: 'Oak Board', category: 'Boards', subCategory: 'Small' }]);
  const { pathname, search } = new URL(takeout.company.products[0].picture);
  expect((await server.app.inject({ url: pathname + search })).statusCode).toBe(200);

  const id = await companyId();
  const goodbye = { method: 'POST', url: '/api/users/delete-account', payload: { password: 'walnut-board' } } as const;
  expect((await server.app.inject({ ...goodbye, headers })).statusCode).toBe(200);
  const remainingFiles: string[] = [];
  for await (const { key } of server.context.files.list(`companies/${id}/`)) remainingFiles.push(key);
  expect(remainingFiles).toEqual([]);
  expect(
    await inCompany(server.context.db, '*', (tx) =>
      tx.select().from(companyProducts).where(eq(companyProducts.companyId, id)),
    ),
  ).toEqual([]);
});

describe('exports', () => {
  const arrangeOn = (productId: string) =>
    saveComposition(
      parseComposition({
        version: 0,
        data: { ...emptyComposition, productId, texts: [{ id: 'a', text: 'Oak' }] },
      }),
    );
  const produce = (productId: string, as = headers) =>
    server.app.inject({
      method: 'POST',
      url: '/api/designs/vectorize',
      payload: { settings: { mode: 'vectorize', quality: 'high' }, composition: arrangeOn(productId) },
      headers: as,
    });
  async function sizeOf(answer: { json(): { vectorizedSvgUrl: string } }): Promise<string> {
    const file = await server.app.inject({ url: answer.json().vectorizedSvgUrl });
    return /<svg[^>]* width="([^"]+)" height="([^"]+)"/.exec(file.body)!.slice(1).join(' x ');
  }

  test('a custom product is exported at its calibrated size, mocked up with its picture, and only by its company', async () => {
    const { db } = server.context;
    const { id: userId } = (await server.app.inject({ url: '/api/auth/me', headers })).json();
    const agencyPlan = { subscriptionPlan: 'agency', subscriptionStatus: 'active' } as const;
    await db.update(users).set(agencyPlan).where(eq(users.id, userId));
    const { id } = await addExample({ dimensions: '4x2' });

    const answer = await produce(id);
    expect(answer.statusCode, answer.body).toBe(200);
    expect(answer.json().filename).toBe('Oak_Board_production.svg');
    expect(await sizeOf(answer)).toBe('101.6mm x 50.8mm');
    await edit(id, { name: 'Oak Board', category: 'Boards', dimensions: '3x5' });
    expect(await sizeOf(await produce(id))).toBe('76.2mm x 127mm');

    const mockup = await server.app.inject({
      method: 'POST',
      url: '/api/exports/mockup',
      payload: { composition: arrangeOn(id) },
      headers,
    });
    expect(mockup.statusCode, mockup.body).toBe(200);
    const png = (await server.app.inject({ url: mockup.json().url })).rawPayload;
    const { data, info } = await sharp(png).removeAlpha().raw().toBuffer({ resolveWithObject: true });
    expect([...data.subarray(0, 3)].map((value, i) => Math.abs(value - [0xa0, 0x50, 0x30][i]!) < 8)).toEqual([
      true,
      true,
      true,
    ]);
    expect(info.width).toBe(info.height);

    const other = await server.signUp();
    await db.update(users).set(agencyPlan);
    await put({ customProductsEnabled: true }, other);
    const foreign = await produce(id, other);
    const missing = await produce('nothing-of-the-kind', other);
    expect(refusal(foreign)).toEqual([404, 'This product is not in the catalogue.']);
    expect(refusal(foreign)).toEqual(refusal(missing));
  });
});
