import { type Call, calls, GUEST_HEADER, GUEST_MOCKUPS, PROGRESS_STREAM_TYPE } from '@markwright/contract';
import {
  ArtworkElement,
  artworksOf,
  type Composition,
  emptyComposition,
  parseComposition,
  saveComposition,
} from '@markwright/scene';
import { eq } from 'drizzle-orm';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, formOf, type TestApp } from '../../test/server.ts';
import { takeOut } from '../../test/takeout.ts';
import { guests } from '../accounts/tables.ts';
import { seedCatalogue } from '../catalogue/products.ts';
import { products } from '../catalogue/tables.ts';
import { designs } from '../designs/tables.ts';
import type { UserActor } from '../platform/mount.ts';
import { SITE } from '../platform/storage.ts';
import { rateLimits } from '../platform/tables.ts';
import { findSavedDesign, makeSavedFile, sweepSavedDesigns } from './savedDesigns.ts';
import { savedDesigns } from './tables.ts';

type Headers = Record<string, string>;
const SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 60 40"><path d="M10 5L20 35L30 5Z"/></svg>';

const log: string[] = [];
let server: TestApp;
let owner: Headers;
let shop: string;
let productId: string;
beforeAll(async () => {
  server = await createTestApp({ logTo: { write: (line) => void log.push(line) } });
  server.setNow(new Date()); // no month begins while charges are counted
  await seedCatalogue(server.context);
  owner = await server.signUp('shop@example.com');
  shop = (await get('/api/company/shop', owner)).json().key;
  const [product] = (await get('/api/products')).json();
  productId = product.productId;
});
afterAll(() => server.close());

const get = (url: string, headers: Headers = {}) => server.app.inject({ url, headers });
const send = (method: 'POST' | 'PUT', url: string, payload: object, headers: Headers = {}) =>
  server.app.inject({ method, url, payload, headers });
const post = (url: string, payload: object = {}, headers: Headers = {}) => send('POST', url, payload, headers);

/** Starts a visit of the widget and returns the header that its page sends. */
async function visit(body: object = {}): Promise<Headers> {
  return { [GUEST_HEADER]: (await post('/api/widget/sessions', body)).json().guestToken };
}
async function upload(headers: Headers): Promise<string> {
  const form = await formOf({
    file: { bytes: new TextEncoder().encode(SVG), filename: 'fox.svg', mediaType: 'image/svg+xml' },
  });
  const request = { payload: form.payload, headers: { ...form.headers, ...headers } };
  return (await server.app.inject({ method: 'POST', url: '/api/designs/upload', ...request })).json().id;
}
async function uploadAndTrace(headers: Headers): Promise<string> {
  const designId = await upload(headers);
  expect((await post('/api/designs/vectorize', { designId }, headers)).statusCode).toBe(200);
  return designId;
}
const arrange = (parts: object) =>
  saveComposition(parseComposition({ version: 0, data: { ...emptyComposition, productId, ...parts } }));
const arrangeText = (parts: object = {}) => arrange({ texts: [{ id: 'a', text: 'Oak', isFlipped: true }], ...parts });
const withDesign = (designId: string) => arrangeText({ design: { designId, filename: 'fox.svg', aspect: 1.5 } });
const filesOf = async (folder: string) => {
  const keys: string[] = [];
  for await (const { key } of server.context.files.list(folder)) keys.push(key);
  return keys.sort();
};
const countSaved = () => server.seeAll.$count(savedDesigns);

describe('a visit', () => {
  test('is a separate guest by its header, and sets no cookie', async () => {
    const answer = await post('/api/widget/sessions');
    expect(answer.headers['set-cookie']).toBeUndefined();
    expect(answer.json()).toEqual({ guestToken: expect.stringMatching(/^[\w-]{22}\..+/), shop: null });
    const [one, two] = [await visit(), await visit()];
    const designId = await upload(one);
    const read = await get(`/api/designs/${designId}`, one);
    expect([read.statusCode, read.headers['set-cookie']]).toEqual([200, undefined]);
    expect((await get(`/api/designs/${designId}`, two)).statusCode).toBe(404);
    expect((await get(`/api/designs/${designId}`)).statusCode).toBe(404);
  });

  test('names its shop, and rejects an unknown key', async () => {
    await send('PUT', '/api/company', { companyName: 'Oak & Steel' }, owner);
    expect((await post('/api/widget/sessions', { shop })).json().shop).toEqual({
      name: 'Oak & Steel',
      checkout: false,
      currency: 'USD',
      offersDtf: false,
    });
    const answer = await post('/api/widget/sessions', { shop: 'nobodys-key-at-all-000' });
    expect([answer.statusCode, answer.json().message]).toEqual([404, 'This shop is not open any more.']);
  });

  test('rejects forged headers, and stores nothing', async () => {
    const { [GUEST_HEADER]: token } = await visit();
    const before = await server.seeAll.$count(guests);
    const forgedTokens = [
      'x',
      'AAAAAAAAAAAAAAAAAAAAAA',
      `${token}x`,
      `AAAAAAAAAAAAAAAAAAAAAA.${token!.split('.')[1]}`,
      '',
    ];
    for (const forgedToken of forgedTokens) {
      const headers = { [GUEST_HEADER]: forgedToken };
      const answers = [
        await post('/api/widget/designs', { composition: arrangeText() }, headers),
        await get('/api/designs', headers),
        await post('/api/designs/vectorize', { designId: 'x' }, headers),
      ];
      for (const answer of answers) {
        expect([answer.statusCode, answer.headers['set-cookie']]).toEqual([401, undefined]);
      }
    }
    expect(await server.seeAll.$count(guests)).toBe(before);
  });

  test('may make no call of an account', async () => {
    const headers = await visit();
    const forAccounts = (Object.values(calls) as Record<string, Call>[])
      .flatMap((group) => Object.values(group))
      .filter(({ access }) => access !== 'anyone');
    expect(forAccounts.length).toBeGreaterThan(40);
    for (const { method, path } of forAccounts) {
      const url = path.replace(/:\w+/g, 'nothing');
      expect((await server.app.inject({ method, url, headers })).statusCode, url).toBe(401);
    }
  });

  test('does not open the calls to another site’s page', async () => {
    const headers = { ...(await visit()), origin: 'https://shop.example', 'sec-fetch-site': 'cross-site' };
    expect((await post('/api/widget/designs', { composition: arrangeText() }, headers)).statusCode).toBe(403);
  });

  test('has a guest’s free mockups, and text is free', async () => {
    const headers = await visit();
    for (let count = 0; count < GUEST_MOCKUPS; count++) await uploadAndTrace(headers);
    const designId = await upload(headers);
    expect((await post('/api/designs/vectorize', { designId }, headers)).statusCode).toBe(402);
    expect((await post('/api/widget/designs', { composition: arrangeText() }, headers)).statusCode).toBe(200);
  });
});

describe('the products of the widget', () => {
  test('without a shop are the base products, without prices', async () => {
    const base = (await get('/api/products')).json();
    const offers = (await get('/api/widget/products')).json();
    expect(offers).toEqual(base.map((product: object) => ({ ...product, unitPriceCents: null })));
  });

  test('in a shop are the products on its profile and its enabled categories, with its prices', async () => {
    const keeper = await server.signUp();
    const { key } = (await get('/api/company/shop', keeper)).json();
    await send('PUT', '/api/company', { customProductsEnabled: true, enabledBaseCategories: ['Mugs'] }, keeper);
    const add = async (name: string) => {
      const picture = { bytes: new TextEncoder().encode(SVG), filename: 'a.svg', mediaType: 'image/svg+xml' };
      const form = await formOf({ name, category: 'Boards', productImage: picture });
      const request = { payload: form.payload, headers: { ...form.headers, ...keeper } };
      return (await server.app.inject({ method: 'POST', url: '/api/company/products', ...request })).json().id;
    };
    const [profileId, hiddenId] = [await add('Bread board'), await add('Secret board')];
    await post(`/api/company/products/${profileId}/submit-to-profile`, {}, keeper);
    await send(
      'PUT',
      '/api/company/shop',
      { prices: { [profileId]: 2400 }, defaultPriceCents: 900, currency: 'EUR' },
      keeper,
    );

    const offers = (await get(`/api/widget/products?shop=${key}`)).json();
    expect(offers[0]).toMatchObject({ productId: profileId, name: 'Bread board', unitPriceCents: 2400 });
    expect(offers[0]).not.toHaveProperty('userId');
    const categories = new Set(offers.slice(1).map(({ category }: { category: string }) => category));
    expect(categories).toEqual(new Set(['Mugs']));
    expect(JSON.stringify(offers)).not.toContain(hiddenId);

    const headers = await visit({ shop: key });
    const save = (id: string, inShop = key, parts: object = {}) => {
      const composition = arrangeText({ productId: id, ...parts });
      return post('/api/widget/designs', { shop: inShop, composition, quantity: 3 }, headers);
    };
    const answer = await save(profileId);
    expect(answer.json().line).toEqual({
      productName: 'Bread board',
      machine: 'laser',
      quantity: 3,
      currency: 'EUR',
      unitPriceCents: 2400,
      totalCents: 7200,
    });
    const before = await countSaved();
    for (const answer of [await save(hiddenId), await save(profileId, shop), await save('no-such-product')]) {
      expect(answer.statusCode).toBe(404);
    }
    expect((await save(profileId, key, { machine: 'dtf' })).json().message).toMatch(/^DTF is not offered here/);
    expect(await countSaved()).toBe(before);
    await send('PUT', '/api/company/shop', { offersDtf: true }, keeper);
    expect((await save(profileId, key, { machine: 'dtf' })).json().line).toMatchObject({ machine: 'dtf' });

    // The takeout contains the shop's saved designs, and deleting the account deletes them.
    const folder = `saved/${answer.json().designId}/`;
    expect(await filesOf(folder)).not.toEqual([]);
    const takeout = await takeOut(server, keeper);
    expect(takeout.savedDesigns).toEqual(
      expect.arrayContaining([expect.objectContaining({ id: answer.json().designId, line: answer.json().line })]),
    );
    await post('/api/users/delete-account', { password: 'walnut-board' }, keeper);
    expect(await filesOf(folder)).toEqual([]);
    expect((await get(`/api/widget/designs/${answer.json().designId}`)).statusCode).toBe(404);
  });
});

describe('a saved design', () => {
  let ann: Headers;
  let designId: string;
  let savedDesign: { designId: string; previewUrl: string };
  beforeAll(async () => {
    ann = await visit({ shop });
    designId = await uploadAndTrace(ann);
    savedDesign = (await post('/api/widget/designs', { shop, composition: withDesign(designId) }, ann)).json();
  });

  test('has a picture for the shop’s cart, of at most 800 pixels', async () => {
    const { statusCode, headers, rawPayload } = await get(savedDesign.previewUrl);
    expect(statusCode).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'image/png',
      'cross-origin-resource-policy': 'cross-origin',
      'cache-control': 'public, max-age=86400',
      'x-content-type-options': 'nosniff',
    });
    const { width, height } = await sharp(rawPayload).metadata();
    expect(Math.max(width, height)).toBe(800);
    expect((await get('/api/widget/designs/AAAAAAAAAAAAAAAAAAAAAA/preview.png')).statusCode).toBe(404);
  });

  test('is returned by its id, which no line of the log contains', async () => {
    const reply = (await get(`/api/widget/designs/${savedDesign.designId}`)).json();
    expect(reply).toEqual(savedDesign);
    expect(savedDesign).toMatchObject({
      line: { quantity: 1, currency: null, unitPriceCents: null, totalCents: null },
    });
    expect(log.join('')).toContain('/api/widget/designs/:id');
    expect(log.join('')).not.toContain(savedDesign.designId);
  });

  test('is never made from another guest’s artwork', async () => {
    const before = [await countSaved(), await filesOf('saved/')];
    for (const stranger of [await visit({ shop }), {}, owner, { cookie: 'guest=x' }]) {
      const answer = await post('/api/widget/designs', { shop, composition: withDesign(designId) }, stranger);
      expect([answer.statusCode, answer.json().message]).toEqual([404, expect.stringContaining('was not found')]);
    }
    expect([await countSaved(), await filesOf('saved/')]).toEqual(before);
  });

  test('holds several artworks, each copied with its own files', async () => {
    const eve = await visit({ shop });
    const elements = [];
    for (const id of ['design', 'b']) {
      elements.push(ArtworkElement.parse({ id, designId: await uploadAndTrace(eve), filename: 'fox.svg' }));
    }
    const composition = saveComposition({ ...emptyComposition, productId, elements });
    const reply = await post('/api/widget/designs', { shop, composition }, eve);
    expect(reply.statusCode, reply.body).toBe(200);
    const ben = await visit({ shop });
    const copy = (await post(`/api/widget/designs/${reply.json().designId}/open`, {}, ben)).json();
    const ids = artworksOf(parseComposition(copy.composition)).map((artwork) => artwork.designId);
    expect(new Set(ids).size).toBe(2);
    expect(ids[0]).toBe(copy.design.id);
    for (const id of ids) expect((await get(`/api/designs/${id}`, ben)).statusCode).toBe(200);
  });

  test('opens as a copy of the opening visitor, and stays unchanged', async () => {
    const row = await findSavedDesign(server.context, savedDesign.designId);
    const ben = await visit({ shop });
    const copy = (await post(`/api/widget/designs/${savedDesign.designId}/open`, {}, ben)).json();
    expect(copy.design.id).not.toBe(designId);
    const composition: Composition = parseComposition(copy.composition);
    expect(composition).toMatchObject({
      productId,
      elements: [
        { kind: 'artwork', id: 'design', designId: copy.design.id, filename: 'fox.svg' },
        { kind: 'text', text: 'Oak', isFlipped: true },
      ],
    });
    expect((await get(copy.design.vectorizedSvgUrl)).body).toContain('<path');
    expect((await get(`/api/designs/${copy.design.id}`, ann)).statusCode).toBe(404);
    // Ben edits the copy, and saves it for his own cart.
    expect((await post('/api/designs/vectorize', { designId: copy.design.id }, ben)).statusCode).toBe(200);
    const again = await post('/api/widget/designs', { shop, composition: copy.composition, quantity: 2 }, ben);
    expect(again.json().designId).not.toBe(savedDesign.designId);
    // Ann's design is deleted; the saved one keeps its own files.
    await server.seeAll.delete(designs).where(eq(designs.id, designId));
    for (const key of await filesOf(`designs/${designId}/`)) await server.context.files.delete(key);
    expect(await findSavedDesign(server.context, savedDesign.designId)).toEqual(row);
    const cleo = await visit({ shop });
    expect((await post(`/api/widget/designs/${savedDesign.designId}/open`, {}, cleo)).statusCode).toBe(200);
  });

  test('copies the brush strokes of its cut-out', async () => {
    const picture = `<svg xmlns="http://www.w3.org/2000/svg" width="60" height="40"><path fill="#fff" d="M0 0h60v40H0z"/><path d="M10 5h40v30H10z"/></svg>`;
    const bytes = await sharp(Buffer.from(picture)).png().toBuffer();
    const form = await formOf({ file: { bytes, filename: 'plate.png', mediaType: 'image/png' } });
    const dora = await visit({ shop });
    const request = { payload: form.payload, headers: { ...form.headers, ...dora } };
    const { id } = (await server.app.inject({ method: 'POST', url: '/api/designs/upload', ...request })).json();
    const strokes = [{ mode: 'erase', radius: 0.05, points: [0.5, 0.5] }];
    await post('/api/designs/remove-background', { designId: id, options: { strokes } }, dora);
    await post('/api/designs/vectorize', { designId: id }, dora);
    const strokedDesign = (await post('/api/widget/designs', { shop, composition: withDesign(id) }, dora)).json();
    const eve = await visit({ shop });
    const { design } = (await post(`/api/widget/designs/${strokedDesign.designId}/open`, {}, eve)).json();
    expect((await get(`/api/designs/${design.id}/background`, eve)).json()).toEqual({
      edgeShift: 0,
      feather: 0,
      strokes,
    });
  });

  test('is made at its original size even when its product changes, and its id makes no file', async () => {
    const id = await server.takePlan(owner, 'pro');
    const payer = { kind: 'user', id, email: '', isAdmin: false, sessionId: '', address: '127.0.0.1' } as UserActor;
    const make = async () => {
      const row = await findSavedDesign(server.context, savedDesign.designId);
      const { key } = await makeSavedFile(server.context, payer, row!, new AbortController().signal);
      return new TextDecoder().decode((await server.context.files.get(key))!.bytes);
    };
    const first = await make();
    expect(first).toMatch(/^<svg[^>]+width="[\d.]+mm"/);
    expect(first).toContain('engrave-c00');
    const isIt = eq(products.productId, productId);
    const [product] = await server.seeAll.select().from(products).where(isIt);
    await server.seeAll.update(products).set({ dimensions: '1x1' }).where(isIt);
    expect(await make()).toBe(first);
    await server.seeAll.update(products).set({ dimensions: product!.dimensions }).where(isIt);
    // Twice the same file is charged once.
    expect((await get('/api/users/stats', owner)).json().vectorsUsed).toBe(1);

    const request = { designId: savedDesign.designId, settings: { mode: 'vectorize' } };
    for (const headers of [await visit(), owner]) {
      expect((await post('/api/designs/vectorize', request, headers)).statusCode).toBeGreaterThanOrEqual(401);
    }
  });

  test.each<[string, () => Promise<object> | object, number]>([
    ['no product', () => arrange({ productId: undefined, texts: [{ id: 'a', text: 'Oak' }] }), 404],
    ['nothing on it', () => arrange({}), 400],
    ['only what is hidden', () => arrangeText({ texts: [{ id: 'a', text: 'Oak', isHidden: true }] }), 400],
    ['a picture that was never traced', async () => withDesign(await upload(ann)), 422],
    ['no composition at all', () => ({ version: 9, data: 'x' }), 400],
    ['21 texts', () => ({ version: 0, data: { texts: Array(21).fill({ id: 'a', text: 'b' }) } }), 400],
  ])('rejects %s', async (_case, compose, status) => {
    const before = [await countSaved(), await filesOf('saved/')];
    const answer = await post('/api/widget/designs', { composition: await compose() }, ann);
    expect([answer.statusCode, answer.json().message]).toEqual([status, expect.stringMatching(/^[A-Z].+\.$/)]);
    expect([await countSaved(), await filesOf('saved/')]).toEqual(before);
  });

  test.each([0, 1.5, 1000, '2', null])('rejects the quantity %j', async (quantity) => {
    const answer = await post('/api/widget/designs', { composition: arrangeText(), quantity }, ann);
    expect(answer.statusCode).toBe(400);
  });

  test('is limited for each network', async () => {
    const key = 'widget save 127.0.0.1';
    const [before] = await server.seeAll.select().from(rateLimits).where(eq(rateLimits.key, key));
    await server.seeAll.update(rateLimits).set({ count: 60 }).where(eq(rateLimits.key, key));
    expect((await post('/api/widget/designs', { composition: arrangeText() }, await visit())).statusCode).toBe(429);
    await server.seeAll.update(rateLimits).set({ count: before!.count }).where(eq(rateLimits.key, key));
  });

  test('is deleted after 180 days unless it was ordered, and orphaned files are deleted too', async () => {
    const other = (await post('/api/widget/designs', { composition: arrangeText() }, ann)).json().designId;
    await server.seeAll
      .update(savedDesigns)
      .set({ orderedAt: new Date() })
      .where(eq(savedDesigns.id, savedDesign.designId));
    await server.context.files.put('saved/nobodys/preview.png', new Uint8Array([1]), 'image/png', SITE);
    server.setNow(new Date(Date.now() + 179 * 86_400_000));
    await sweepSavedDesigns(server.context);
    expect(await findSavedDesign(server.context, other)).toBeDefined();
    server.setNow(new Date(Date.now() + 181 * 86_400_000));
    await sweepSavedDesigns(server.context);
    expect(await findSavedDesign(server.context, other)).toBeUndefined();
    expect(await filesOf(`saved/${other}/`)).toEqual([]);
    expect(await filesOf('saved/nobodys/')).toEqual([]);
    expect(await findSavedDesign(server.context, savedDesign.designId)).toBeDefined();
    expect(await filesOf(`saved/${savedDesign.designId}/`)).not.toEqual([]);
  });
});

test('saving streams its progress to a page that accepts that, so that it may wait for its turn', async () => {
  const headers = { ...(await visit({ shop })), accept: PROGRESS_STREAM_TYPE };
  const answer = await post('/api/widget/designs', { composition: arrangeText() }, headers);
  expect(answer.headers['content-type']).toContain(PROGRESS_STREAM_TYPE);
  const last = answer.body.trim().split('\n').at(-1)!;
  expect(JSON.parse(last)).toMatchObject({ reply: { designId: expect.any(String), previewUrl: expect.any(String) } });
});
