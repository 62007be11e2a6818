import { emptyComposition, newText, saveComposition } from '@markwright/scene';
import { readCells } from '@markwright/scene/rows';
import { eq } from 'drizzle-orm';
import { unzipSync } from 'fflate';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../test/server.ts';
import { takeOut } from '../../test/takeout.ts';
import { users } from '../accounts/tables.ts';
import { seedCatalogue } from '../catalogue/products.ts';
import { makeBatches } from '../exports/batchRun.ts';
import { batches } from '../exports/tables.ts';
import { mails } from '../mail/tables.ts';
import { rateLimits } from '../platform/tables.ts';
import { orders, webhookDeliveries } from './tables.ts';

type Headers = Record<string, string>;
interface Account {
  readonly headers: Headers;
  readonly id: number;
  readonly email: string;
}

let server: TestApp;
let shop: Account;
let key: string;
let productIds: string[];
let people = 0;
let keys = 0;
/** The time of the last order, ms: they are made in the order in which they were placed. */
let lastMs = Date.now();

beforeAll(async () => {
  server = await createTestApp({ environment: { ALLOW_LOCAL_WEBHOOKS: 'true' } });
  server.setNow(new Date(lastMs)); // no month begins while charges are counted
  await seedCatalogue(server.context);
  const products: { productId: string; machines: string[] }[] = (await call('GET', '/api/products', {})).json();
  productIds = products.flatMap(({ productId, machines }) =>
    (machines?.includes('laser') ?? true) ? [productId] : [],
  );
});
afterAll(() => server.close());
beforeEach(async () => {
  await server.seeAll.delete(rateLimits);
  await server.seeAll.delete(mails);
  shop = await join('shop');
  key = (await call('GET', '/api/company/shop', shop.headers)).json().key;
  await call('PUT', '/api/company/shop', shop.headers, { checkout: true, defaultPriceCents: 1250 });
});

const call = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, headers: Headers, payload?: object) =>
  server.app.inject({ method, url, headers, ...(payload && { payload }) });

async function join(name: string): Promise<Account> {
  const email = `${name}${++people}@example.com`;
  const headers = await server.signUp(email);
  const id = await server.takePlan(headers, 'studio');
  return { headers, id, email };
}

const compositionOf = (texts: readonly string[], productId = productIds[0]!) =>
  saveComposition({
    ...emptyComposition,
    productId,
    elements: texts.map((text, i) => ({ ...newText(`t${i}`), text, heightInches: 0.3, y: i * 20 - 10 })),
  });

async function save(texts: readonly string[], productId?: string, more: object = {}): Promise<string> {
  const composition = compositionOf(texts, productId);
  const answer = await call('POST', '/api/widget/designs', {}, { shop: key, composition, ...more });
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json().designId;
}

const contact = { name: 'Idå Berg', email: 'ida@example.com', phone: '', address: '', note: '' };
const piece = (words: string | Record<string, string>, quantity = 1) => ({
  words: typeof words === 'string' ? { Text: words } : words,
  quantity,
});
const send = (designId: string, more: object) =>
  call('POST', '/api/widget/orders', {}, { key: `key-of-an-order-${++keys}`, shop: key, designId, contact, ...more });

async function place(designId: string, more: object): Promise<string> {
  const answer = await send(designId, more);
  expect(answer.statusCode, answer.body).toBe(200);
  const [row] = await server.seeAll.select().from(orders).where(eq(orders.number, answer.json().number));
  return row!.id;
}

/** Places an order that its shop may make at once, or the maker. */
async function placeApproved(designId: string, more: object, maker?: Account): Promise<string> {
  lastMs += 1000;
  server.setNow(new Date(lastMs));
  const id = await place(designId, more);
  const change = { status: 'accepted', proof: 'approved', ...(maker && { makerUserId: maker.id }) } as const;
  await server.seeAll.update(orders).set(change).where(eq(orders.id, id));
  return id;
}

const read = async (id: string, who = shop) => (await call('GET', `/api/orders/${id}`, who.headers)).json();
const together = (ids: readonly string[], who = shop) =>
  call('POST', '/api/orders/batches', who.headers, { orders: ids });
const charges = async (who = shop) => (await call('GET', '/api/users/stats', who.headers)).json().vectorsUsed;

async function unzip(url: string): Promise<Record<string, Uint8Array>> {
  const answer = await server.app.inject({ url });
  expect(answer.statusCode, answer.body).toBe(200);
  return unzipSync(new Uint8Array(answer.rawPayload));
}

describe('an order with different words', () => {
  test('keeps each words once, and says them to everybody who makes it', async () => {
    await call('PUT', '/api/company/shop', shop.headers, { webhookUrl: 'http://127.0.0.1:9/hook' });
    const pieces = [piece('Ada'), piece('Grace'), piece('Ada', 2)];
    const designId = await save(['Ada'], undefined, { quantity: 4, pieces });
    const unique = [piece('Ada', 3), piece('Grace')];
    expect((await call('GET', `/api/widget/designs/${designId}`, {})).json().line.pieces).toEqual(unique);

    const id = await place(designId, { quantity: 4, pieces });
    expect((await read(id)).made.pieces).toEqual(unique);
    expect(await read(id)).toMatchObject({ quantity: 4, totalCents: 5000, batch: null });
    const [toShop] = await server.seeAll.select().from(mails).where(eq(mails.kind, 'shopOrder'));
    expect(toShop!.text).toContain('3 × Ada, 1 × Grace');
    const [toCustomer] = await server.seeAll.select().from(mails).where(eq(mails.kind, 'orderPlaced'));
    expect(toCustomer!.text).toContain('different words on each');
    expect(toCustomer!.text).not.toContain('Grace'); // a stranger’s text must not go to an address they chose
    const [webhook] = await server.seeAll.select().from(webhookDeliveries).where(eq(webhookDeliveries.orderId, id));
    expect(JSON.parse(webhook!.body).order.pieces).toEqual(unique);
    const takeout = await takeOut(server, shop.headers);
    expect(JSON.stringify(takeout)).toContain('"Grace"');

    const token = /\/proof#token=([\w-]{43})/.exec(toCustomer!.text)![1]!;
    expect((await call('POST', '/api/proof', {}, { token })).json().made.pieces).toEqual(unique);
    const sheet = await call('POST', '/api/proof/pieces', {}, { token });
    expect(sheet.statusCode, sheet.body).toBe(200);
    const pdf = await server.app.inject({ url: sheet.json().url });
    expect(pdf.rawPayload.subarray(0, 5).toString()).toBe('%PDF-');
    expect((await call('POST', `/api/orders/${id}/pieces`, shop.headers, {})).statusCode).toBe(200);
    const stranger = await join('stranger');
    expect((await call('POST', `/api/orders/${id}/pieces`, stranger.headers, {})).statusCode).toBe(404);
  });

  test('has the columns of its placeholders, or a column for each text', { tags: ['detail'] }, async () => {
    const two = await save(['Ada', 'Lovelace']);
    const words = { 'Text 1': 'Grace', text_2: 'Hopper' };
    const id = await place(two, { quantity: 1, pieces: [piece(words)] });
    expect((await read(id)).made.pieces).toEqual([piece({ 'Text 1': 'Grace', 'Text 2': 'Hopper' })]);
    const template = await save(['{Name}', 'Est. 1899']);
    const other = await place(template, { quantity: 1, pieces: [piece({ name: 'Mary' })] });
    expect((await read(other)).made.pieces).toEqual([piece({ Name: 'Mary' })]);
  });

  test.each([
    ['an unknown column', [piece('Ada'), piece({ Shirt: 'L' })], 'Row 2: This design has no text “Shirt”.'],
    ['an empty cell', [piece('Ada'), piece(' ')], 'Row 2: The cell “Text” is empty.'],
    ['a column that is left out', [piece({}), piece('Ada')], 'Row 1: The cell “Text” is empty.'],
    ['words that are too long', [piece('Ada'), piece('x'.repeat(150))], /^Row 2: (Does not fit|The text has)/],
    ['a letter of no font', [piece('Ada'), piece('\u{1f600}')], 'Row 2: Not in our fonts: \u2068\u{1f600}\u2069.'],
  ])('is refused with %s, and named', async (_case, pieces, sentence) => {
    const designId = await save(['Ada']);
    for (const answer of [
      await send(designId, { quantity: 2, pieces }),
      await call(
        'POST',
        '/api/widget/designs',
        {},
        {
          ...{ shop: key, composition: compositionOf(['Ada']), quantity: 2, pieces },
        },
      ),
    ]) {
      expect(answer.statusCode).toBe(422);
      const { message } = answer.json();
      if (typeof sentence === 'string') expect(message).toContain(sentence);
      else expect(message).toMatch(sentence);
    }
    expect((await call('GET', '/api/orders', shop.headers)).json().orders).toEqual([]);
  });

  test('is refused when its pieces are not as many as it says, or too many', async () => {
    const designId = await save(['Ada']);
    const wrongSum = await send(designId, { quantity: 3, pieces: [piece('Ada')] });
    expect([wrongSum.statusCode, wrongSum.json().message]).toEqual([400, 'The pieces are 1, and 3 are ordered.']);
    const names = Array.from({ length: 101 }, (_, i) => piece(`Ada ${i}`));
    expect((await send(designId, { quantity: 101, pieces: names })).statusCode).toBe(400);
    expect((await send(designId, { quantity: 1, pieces: [] })).statusCode).toBe(400);
  });
});

describe('orders made together', () => {
  test('are one package with a file for each piece, charged once', async () => {
    const names = await placeApproved(await save(['Ada']), {
      quantity: 4,
      pieces: [piece('Ada'), piece('Bartholomew', 2), piece('=Zoë')],
    });
    const alike = await placeApproved(await save(['{Best} Dad']), { quantity: 5 });
    const elsewhere = await placeApproved(await save(['Oak'], productIds[1]), { quantity: 1 });
    const [first, second] = [await read(names), await read(alike)];
    const { groups } = (await call('GET', '/api/orders/groups', shop.headers)).json();
    expect(groups).toMatchObject([
      {
        productName: first.productName,
        orders: [
          { id: names, quantity: 4, files: 3 },
          { id: alike, quantity: 5, files: 1 },
        ],
      },
    ]);
    expect(groups).toHaveLength(1);
    expect((await together([names, elsewhere])).statusCode).toBe(422);

    const before = await charges();
    const answer = await together([names, alike]);
    expect(answer.statusCode, answer.body).toBe(200);
    const batch = answer.json();
    expect(batch).toMatchObject({ state: 'waiting', pieces: 4, exports: 1 });
    expect(batch.filename).toMatch(/_9_pieces\.zip$/);
    expect((await together([alike, names])).json().id).toBe(batch.id);
    expect((await together([names])).statusCode).toBe(409);
    expect(await charges()).toBe(before + 1);
    expect((await call('GET', '/api/orders/groups', shop.headers)).json().groups).toEqual([]);
    expect((await call('POST', `/api/orders/${alike}/file`, shop.headers, {})).statusCode).toBe(409);

    await makeBatches(server.context);
    const done = (await call('GET', `/api/batches/${batch.id}`, shop.headers)).json();
    expect(done).toMatchObject({ state: 'done', done: 4, problem: null });
    const files = await unzip(done.url);
    const [a, b] = [first.number, second.number].map((number: string) => number.replace('-', '-'));
    const drawings = [
      `001_${a}_1x_Ada.svg`,
      `002_${a}_2x_Bartholomew.svg`,
      `003_${a}_1x_Zoë.svg`,
      `004_${b}_5x_Best_Dad.svg`,
    ];
    expect(Object.keys(files)).toEqual([...drawings, 'rows.csv', 'job-sheet.pdf']);
    const texts = drawings.map((name) => new TextDecoder().decode(files[name]));
    for (const text of texts) expect(text).toMatch(/<svg[^>]* width="[\d.]+mm"[\s\S]*<path/);
    expect(new Set(texts).size).toBe(4);
    const { rows } = readCells(files['rows.csv']!);
    expect(rows[0]).toEqual(['Row', 'File', 'Order', 'Quantity', 'Text', 'Note']);
    expect(rows.slice(1).map((row) => row.slice(2, 5))).toEqual([
      [first.number, '1', 'Ada'],
      [first.number, '2', 'Bartholomew'],
      [first.number, '1', "'=Zoë"],
      [second.number, '5', '{Best} Dad'], // as it was designed: braces are just braces
    ]);
    for (const id of [names, alike]) {
      const order = await read(id);
      expect(order).toMatchObject({ batch: { id: batch.id, state: 'done' }, receipt: { filename: batch.filename } });
      expect(order.events.filter(({ kind }: { kind: string }) => kind === 'file')).toHaveLength(1);
    }
    expect((await read(names)).receipt.sha256).toMatch(/^[0-9a-f]{64}$/); // as it was downloaded
  });

  test('is how different words are made of one order, at an export for 25 files', { tags: ['detail'] }, async () => {
    const pieces = Array.from({ length: 26 }, (_, i) => piece(`No ${i}`));
    const id = await placeApproved(await save(['Ada']), { quantity: 26, pieces });
    expect((await call('POST', `/api/orders/${id}/file`, shop.headers, {})).statusCode).toBe(422);
    const before = await charges();
    const batch = (await together([id])).json();
    expect(batch).toMatchObject({ pieces: 26, exports: 2 });
    expect(await charges()).toBe(before + 2);
    // Canceled, it gives back what it was charged, and may be made anew.
    expect((await call('DELETE', `/api/batches/${batch.id}`, shop.headers)).statusCode).toBe(200);
    expect(await charges()).toBe(before);
    expect((await read(id)).batch).toBeNull();
    expect((await together([id])).json().id).not.toBe(batch.id);
    expect(await charges()).toBe(before + 2);
  });

  test('is charged to those who pay, and refused whole where one has nothing left', async () => {
    const maker = await join('maker');
    const ofShop = await placeApproved(await save(['Ada']), { quantity: 1 }, maker);
    const ofMaker = await placeApproved(await save(['Grace']), { quantity: 1 }, maker);
    await server.seeAll.update(orders).set({ payer: 'maker' }).where(eq(orders.id, ofMaker));
    await server.seeAll.update(orders).set({ payer: 'shop' }).where(eq(orders.id, ofShop));
    const free = { subscriptionPlan: 'free', subscriptionStatus: 'active' } as const;
    await server.seeAll.update(users).set(free).where(eq(users.id, shop.id));
    expect((await together([ofShop, ofMaker], maker)).statusCode).toBe(402);
    expect([await charges(maker), (await read(ofMaker, maker)).batch]).toEqual([0, null]);

    await server.seeAll.update(users).set({ subscriptionPlan: 'studio' }).where(eq(users.id, shop.id));
    const batch = (await together([ofShop, ofMaker], maker)).json();
    expect([batch.exports, await charges(maker), await charges(shop)]).toEqual([2, 1, 1]);
    // The shop sees no package of its maker's.
    expect((await read(ofShop)).batch).toBeNull();
    expect((await read(ofShop, maker)).batch.id).toBe(batch.id);
    await call('DELETE', `/api/batches/${batch.id}`, maker.headers);
    expect([await charges(maker), await charges(shop)]).toEqual([0, 0]);
  });

  test('never holds an order of somebody else, or one that is not to be made', async () => {
    const designId = await save(['Ada']);
    const maker = await join('maker');
    const mine = await placeApproved(designId, { quantity: 1 });
    const theirs = await placeApproved(designId, { quantity: 1 }, maker);
    const stranger = await join('stranger');
    expect((await together([mine], stranger)).statusCode).toBe(404);
    expect((await together([mine, theirs], maker)).statusCode).toBe(404);
    expect((await together([mine, theirs])).statusCode).toBe(403); // its maker makes it, and not its shop
    const open = await place(designId, { quantity: 1 });
    expect((await together([mine, open])).statusCode).toBe(403);
    await call('POST', `/api/orders/${open}/step`, shop.headers, { step: 'decline' });
    const refusal = await together([mine, open]);
    expect([refusal.statusCode, refusal.json().message]).toEqual([
      403,
      `Order ${(await read(open)).number} is not yours to make, or its customer has not approved it.`,
    ]);
    const withFile = await placeApproved(designId, { quantity: 1 });
    expect((await call('POST', `/api/orders/${withFile}/file`, shop.headers, {})).statusCode).toBe(200);
    expect((await together([mine, withFile])).statusCode).toBe(409);
    expect(await server.seeAll.$count(batches, eq(batches.userId, shop.id))).toBe(0);
    expect((await together([])).statusCode).toBe(400);
  });

  test('is one batch and one charge when it is asked for at once', { tags: ['detail'] }, async () => {
    const designId = await save(['Ada']);
    const ids = [
      await placeApproved(designId, { quantity: 1 }),
      await placeApproved(designId, { quantity: 1 }),
      await placeApproved(designId, { quantity: 1 }),
    ];
    const before = await charges();
    const answers = await Promise.all([
      ...Array.from({ length: 5 }, () => together(ids)),
      ...ids.map((id) => together([id])),
    ]);
    const successes = answers.filter(({ statusCode }) => statusCode === 200).map((answer) => answer.json());
    expect(answers.every(({ statusCode }) => statusCode === 200 || statusCode === 409)).toBe(true);
    const live = await server.seeAll.select().from(batches).where(eq(batches.userId, shop.id));
    expect(new Set(successes.map(({ id }) => id)).size).toBe(live.length);
    // Each order is in exactly one package.
    const rows = live.flatMap(({ work }) => work.rows.map(([number]) => number));
    expect(new Set(rows).size).toBe(rows.length);
    expect(await charges()).toBe(before + live.length);
  });
});
