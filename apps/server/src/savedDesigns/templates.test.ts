/** Products that start with a template: what a customer may change of it, and what the server refuses. */
import { GUEST_HEADER } from '@markwright/contract';
import {
  type Composition,
  type CompositionElement,
  emptyComposition,
  isArtwork,
  isText,
  newArtwork,
  newText,
  parseComposition,
  saveComposition,
} from '@markwright/scene';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, formOf, type TestApp } from '../../test/server.ts';
import { takeOut } from '../../test/takeout.ts';
import { seedCatalogue } from '../catalogue/products.ts';
import { newId } from '../platform/ids.ts';
import { rateLimits } from '../platform/tables.ts';
import { findSavedDesign, sweepSavedDesigns } from './savedDesigns.ts';
import { savedDesigns } from './tables.ts';

type Headers = Record<string, string>;
const SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 60 40"><path d="M10 5L20 35L30 5Z"/></svg>';

let server: TestApp;
let owner: Headers;
let shop: string;
let productId: string;
let otherProductId: string;
let logoId: string;
beforeAll(async () => {
  server = await createTestApp();
  await seedCatalogue(server.context);
  owner = await server.signUp('shop@example.com');
  shop = (await call('GET', '/api/company/shop', undefined, owner)).key;
  const products = await server.app.inject({ url: '/api/products' });
  [productId, otherProductId] = products.json().map((product: { productId: string }) => product.productId);
  logoId = await uploadAndTrace(owner);
});
afterAll(() => server.close());

async function call(method: 'GET' | 'POST' | 'DELETE', url: string, payload?: object, headers: Headers = {}) {
  // Everything here comes from one network.
  await server.seeAll.delete(rateLimits);
  const answer = await server.app.inject({ method, url, headers, ...(payload && { payload }) });
  return { status: answer.statusCode, ...answer.json() };
}

async function uploadAndTrace(headers: Headers): Promise<string> {
  const bytes = new TextEncoder().encode(SVG);
  const form = await formOf({ file: { bytes, filename: 'fox.svg', mediaType: 'image/svg+xml' } });
  const request = { payload: form.payload, headers: { ...form.headers, ...headers } };
  const { id } = (await server.app.inject({ method: 'POST', url: '/api/designs/upload', ...request })).json();
  expect(await call('POST', '/api/designs/vectorize', { designId: id }, headers)).toMatchObject({ status: 200 });
  return id;
}

const visit = async (): Promise<Headers> => ({
  [GUEST_HEADER]: (await call('POST', '/api/widget/sessions', { shop })).guestToken,
});

const compose = (parts: Partial<Composition> = {}): Composition => ({
  ...emptyComposition,
  productId,
  elements: [
    { ...newArtwork(logoId), filename: 'fox.svg', aspect: 1.5, name: 'Logo' },
    { ...newText('a'), text: 'Best dad {Name}', customer: { words: true } },
  ],
  ...parts,
});

async function keepTemplate(
  composition: Composition,
  { name = 'Name board', headers = owner, kind = 'template' } = {},
) {
  const area = { widthMm: 100, heightMm: 60 };
  const body = { key: newId(), kind, name, composition: saveComposition(composition), area, widthMm: 40, heightMm: 20 };
  return call('POST', '/api/library', body, headers);
}

const addStart = (entryId: string, headers = owner) => call('POST', '/api/company/shop/starts', { entryId }, headers);
const removeStart = (id: string, headers = owner) =>
  call('DELETE', `/api/company/shop/starts/${id}`, undefined, headers);

/** Starts the product with a template and returns the id of its copy. */
async function start(composition = compose()): Promise<string> {
  const { id } = await keepTemplate(composition);
  const settings = await addStart(id);
  expect(settings).toMatchObject({ status: 200 });
  return settings.starts[productId].designId;
}

async function openAs(guest: Headers, templateId: string): Promise<Composition> {
  const reply = await call('POST', `/api/widget/designs/${templateId}/open`, {}, guest);
  expect(reply.template).toMatchObject({ id: templateId });
  expect(reply.template.composition).toEqual(reply.composition);
  return parseComposition(reply.composition);
}

const withWords = (composition: Composition, text: string): Composition => ({
  ...composition,
  elements: composition.elements.map((element) => (isText(element) ? { ...element, text } : element)),
});
const save = (guest: Headers, composition: Composition, more: object = {}) =>
  call('POST', '/api/widget/designs', { shop, composition: saveComposition(composition), ...more }, guest);
const countSaved = () => server.seeAll.$count(savedDesigns);

describe('a template of the library', () => {
  test('keeps the whole composition, and counts what is open in it', async () => {
    const entry = await keepTemplate(compose({ machine: 'uv', productAngleDeg: 30 }));
    expect(entry).toMatchObject({ status: 200, kind: 'template', openParts: 1 });
    const detail = await call('GET', `/api/library/${entry.id}`, undefined, owner);
    expect(detail.composition.data).toMatchObject({ productId, machine: 'uv', productAngleDeg: 30 });
    const elements = await keepTemplate(compose(), { kind: 'elements', name: 'Logo' });
    expect(elements).toMatchObject({ kind: 'elements', openParts: 0 });
    for (const [kind, name] of [
      ['template', 'Name board'],
      ['elements', 'Logo'],
    ]) {
      const list = await call('GET', `/api/library?kind=${kind}`, undefined, owner);
      expect(list.entries.map((entry: { name: string }) => entry.name)).toEqual([name]);
    }
    expect((await call('GET', '/api/library', undefined, owner)).entries).toHaveLength(2);
    expect(await call('GET', '/api/library?kind=else', undefined, owner)).toMatchObject({ status: 400 });
    expect((await takeOut(server, owner)).library).toEqual(
      expect.arrayContaining([expect.objectContaining({ kind: 'template' })]),
    );
  });
});

describe('a product that starts with a template', () => {
  test('has its copy in the widget, whatever becomes of the template', async () => {
    const { id } = await keepTemplate(compose());
    const settings = await addStart(id);
    const [{ designId, ...names }] = Object.values(settings.starts) as [{ designId: string }];
    expect(names).toEqual({
      name: 'Name board',
      productName: expect.any(String),
      previewUrl: `/api/widget/designs/${designId}/preview.png`,
    });
    await call('DELETE', `/api/library/${id}`, undefined, owner);
    const offers = await server.app.inject({ url: `/api/widget/products?shop=${shop}` });
    const withTemplate = offers.json().filter((offer: object) => 'templateId' in offer);
    expect(withTemplate).toEqual([expect.objectContaining({ productId, templateId: designId })]);
    const base = await server.app.inject({ url: '/api/widget/products' });
    expect(base.body).not.toContain('templateId');

    const guest = await visit();
    const composition = await openAs(guest, designId);
    expect(composition.elements.map(({ isLocked }) => isLocked)).toEqual([true, false]);
    const [logo] = composition.elements.filter(isArtwork);
    expect(await call('GET', `/api/designs/${logo!.designId}`, undefined, guest)).toMatchObject({ status: 200 });
    expect(JSON.stringify(composition)).not.toContain(logoId);
  });

  test('takes what is open in it, and opens again by the same template', { tags: ['detail'] }, async () => {
    const templateId = await start();
    const guest = await visit();
    const composition = withWords(await openAs(guest, templateId), 'Best dad Finn');
    const ownDesign = await save(guest, composition, { templateId, quantity: 2 });
    expect(ownDesign).toMatchObject({ status: 200, line: { quantity: 2 } });
    const other = await visit();
    const reply = await call('POST', `/api/widget/designs/${ownDesign.designId}/open`, {}, other);
    const [mine, template] = [reply.composition, reply.template.composition].map(parseComposition) as [
      Composition,
      Composition,
    ];
    expect(reply.template.id).toBe(templateId);
    expect(template).toEqual(withWords(mine, 'Best dad {Name}'));
    expect(await save(other, withWords(mine, 'Best dad Ava'), { templateId })).toMatchObject({ status: 200 });
  });

  describe('refuses a design', () => {
    let templateId: string;
    let guest: Headers;
    let wholeComposition: Composition;
    beforeAll(async () => {
      templateId = await start();
      guest = await visit();
      wholeComposition = withWords(await openAs(guest, templateId), 'Best dad Finn');
    });
    test.each<[string, (composition: Composition) => Composition, string | RegExp]>([
      ['a logo that was moved', withChange('design', { x: 9 }), '“Logo” stays in its place.'],
      ['words in another color', withChange('a', { color: '#c0c0c0' }), /^The color of “Best dad \{Name\}” stays/],
      ['a look', withChange('design', { opacity: 10 }), 'The look of “Logo” stays as it is.'],
      [
        'no logo',
        (composition) => ({ ...composition, elements: composition.elements.slice(1) }),
        '“Logo” belongs to this design and cannot be removed.',
      ],
      [
        'a text of its own',
        (composition) => ({ ...composition, elements: [...composition.elements, { ...newText('b'), text: 'Me too' }] }),
        'Nothing can be added to this design: “Me too” is not part of it.',
      ],
      ['another machine', (composition) => ({ ...composition, machine: 'uv' }), /another machine/],
      ['parts that it opened itself', withChange('design', { customer: { place: true }, x: 9 }), /^“Logo” stays/],
      [
        'nothing wholeComposition in',
        (composition) => withWords(composition, 'Best dad {Name}'),
        'Please fill in “Name”.',
      ],
    ])('with %s, and stores nothing', async (_case, change, sentence) => {
      const before = await countSaved();
      const answer = await save(guest, change(wholeComposition), { templateId });
      expect(answer).toMatchObject({ status: 400, message: expect.stringMatching(sentence) });
      expect(await countSaved()).toBe(before);
    });
  });

  test('makes a fixed picture of the template’s own files, whatever the caller names', async () => {
    const templateId = await start();
    const guest = await visit();
    const ownId = await uploadAndTrace(guest);
    const composition = withWords(await openAs(guest, templateId), 'Best dad Finn');
    const withOwn = withChange('design', { designId: ownId })(composition);
    const { designId } = await save(guest, withOwn, { templateId });
    const [row, template] = await Promise.all([designId, templateId].map((id) => findSavedDesign(server.context, id)));
    const bytesOf = async (artwork: unknown) =>
      (await server.context.files.get((artwork as { originalKey: string }).originalKey))!.bytes;
    expect(await bytesOf(row!.artwork)).toEqual(await bytesOf(template!.artwork));
    expect(row!.artwork).toMatchObject({ shown: (template!.artwork as { shown: object }).shown });
  });

  test('takes a picture of the customer’s where the picture is open', { tags: ['detail'] }, async () => {
    const [logo, text] = compose().elements as [CompositionElement, CompositionElement];
    const templateId = await start(compose({ elements: [{ ...logo, customer: { picture: true } }, text] }));
    const guest = await visit();
    const composition = withWords(await openAs(guest, templateId), 'Best dad Finn');
    const own = { designId: await uploadAndTrace(guest), filename: 'own.svg', aspect: 2 };
    const withOwn = withChange('design', own)(composition);
    expect(await save(guest, withOwn, { templateId })).toMatchObject({ status: 200 });
    expect(await save(guest, withChange('design', { ...own, size: 90 })(composition), { templateId })).toMatchObject({
      status: 400,
    });
  });

  test('takes no design that names no template, one of another shop or product, or a customer’s design', async () => {
    const templateId = await start();
    const guest = await visit();
    const composition = withWords(await openAs(guest, templateId), 'Best dad Finn');
    const ownDesign = await save(guest, composition, { templateId });
    const refusal = { status: 400, message: expect.stringMatching(/starts with a design of the shop\. Please choose/) };
    for (const more of [{}, { templateId: 'nothing' }, { templateId: ownDesign.designId }]) {
      expect(await save(guest, composition, more)).toMatchObject(refusal);
    }
    const plain = compose({ productId: otherProductId, elements: [{ ...newText('b'), text: 'Oak' }] });
    expect(await save(guest, plain)).toMatchObject({ status: 200 });
    expect(await save(guest, plain, { templateId })).toMatchObject(refusal);
    // Outside of any shop, the product is as it was.
    const outside = { composition: saveComposition({ ...plain, productId }) };
    expect(await call('POST', '/api/widget/designs', outside, guest)).toMatchObject({ status: 200 });

    const rival = await server.signUp();
    const rivalShop = (await call('GET', '/api/company/shop', undefined, rival)).key;
    expect(await save(guest, composition, { templateId, shop: rivalShop })).toMatchObject(refusal);
  });

  test('starts with another one or empty, while designs go by the template they started with', {
    tags: ['detail'],
  }, async () => {
    const first = await start();
    const guest = await visit();
    const composition = withWords(await openAs(guest, first), 'Best dad Finn');
    const second = await start(compose({ elements: [{ ...newText('a'), text: 'Only words' }] }));
    expect(second).not.toBe(first);
    expect(await save(guest, composition, { templateId: first })).toMatchObject({ status: 200 });
    expect(await save(guest, composition, { templateId: second })).toMatchObject({ status: 400 });
    expect((await removeStart(productId)).starts).toEqual({});
    expect((await removeStart(productId)).status).toBe(200);
    expect(await save(guest, composition, { templateId: first })).toMatchObject({ status: 200 });
    expect(await save(guest, composition)).toMatchObject({ status: 200 });
  });

  test('cannot be one of another account, of elements, without a product, or with words that stay open', async () => {
    const rival = await server.signUp();
    const { id } = await keepTemplate(compose());
    const goneReply = { status: 404, message: 'This is not in your library any more.' };
    expect(await addStart(id, rival)).toMatchObject(goneReply);
    expect(await addStart('nothing')).toMatchObject(goneReply);
    expect((await addStart(id, await visit())).status).toBe(401);
    const entry = await keepTemplate(compose(), { kind: 'elements' });
    expect(await addStart(entry.id)).toMatchObject(goneReply);
    await call('DELETE', `/api/library/${id}`, undefined, owner);
    expect(await addStart(id)).toMatchObject(goneReply);
    const { productId: _product, ...withoutProduct } = compose();
    const tryStart = async (composition: Composition) => addStart((await keepTemplate(composition)).id);
    expect(await tryStart(withoutProduct)).toMatchObject({ status: 422, message: expect.stringMatching(/no product/) });
    const withoutField = compose({ elements: [{ ...newText('a'), text: 'For {Name}' }] });
    expect(await tryStart(withoutField)).toMatchObject({
      status: 422,
      message: expect.stringMatching(/^“\{Name\}” stands/),
    });
    expect(await tryStart(compose({ productId: 'nobodys' }))).toMatchObject({ status: 404 });

    const templateId = await start();
    expect((await removeStart(productId, rival)).starts).toEqual({});
    expect((await call('GET', '/api/company/shop', undefined, owner)).starts[productId].designId).toBe(templateId);
  });

  test('keeps its copy while it starts with it, and as long as a design that did', async () => {
    const before = await start();
    const current = await start();
    const guest = await visit();
    const composition = withWords(await openAs(guest, before), 'Best dad Finn');
    const { designId } = await save(guest, composition, { templateId: before });
    await server.seeAll.update(savedDesigns).set({ orderedAt: new Date() }).where(eq(savedDesigns.id, designId));
    const idle = await start();
    await start(); // `idle` is none any more
    const latest = (await call('GET', '/api/company/shop', undefined, owner)).starts[productId].designId;
    server.setNow(new Date(Date.now() + 181 * 86_400_000));
    await sweepSavedDesigns(server.context);
    server.setNow();
    const isThere = async (id: string) => (await findSavedDesign(server.context, id)) !== undefined;
    expect(await Promise.all([before, latest, designId, current, idle].map(isThere))).toEqual([
      ...[true, true, true],
      ...[false, false],
    ]);
  });
});

function withChange(id: string, changes: object) {
  return (composition: Composition): Composition => ({
    ...composition,
    elements: composition.elements.map((element) =>
      element.id === id ? ({ ...element, ...changes } as CompositionElement) : element,
    ),
  });
}
