import { createHash, createHmac } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { MachineMode } from '@markwright/scene';
import { emptyComposition, parseComposition, saveComposition } from '@markwright/scene';
import { and, desc, eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { repetitions } from '../../test/campaign.ts';
import { createTestApp, type TestApp } from '../../test/server.ts';
import { takeOut } from '../../test/takeout.ts';
import { users } from '../accounts/tables.ts';
import { usage } from '../allowances/tables.ts';
import { seedCatalogue } from '../catalogue/products.ts';
import { mails } from '../mail/tables.ts';
import { makers } from '../makers/tables.ts';
import { newId } from '../platform/ids.ts';
import type { SheetPapers } from '../platform/ports/mediaJobs.ts';
import type { MediaPool } from '../platform/ports/mediaPool.ts';
import { rateLimits } from '../platform/tables.ts';
import { savedDesigns } from '../savedDesigns/tables.ts';
import { shops } from '../shops/tables.ts';
import { orderEvents, orderLinks, orders, webhookDeliveries } from './tables.ts';
import { sendWebhooks } from './webhooks.ts';

type Headers = Record<string, string>;
interface Account {
  readonly headers: Headers;
  readonly id: number;
  readonly email: string;
}

const LYON = { id: '1', name: 'Lyon', region: 'Rhône', country: 'France', countryCode: 'FR', lat: 45.76, lon: 4.84 };
const PARIS = { id: '2', name: 'Paris', region: '', country: 'France', countryCode: 'FR', lat: 48.85, lon: 2.35 };
const OSLO = { id: '3', name: 'Oslo', region: '', country: 'Norway', countryCode: 'NO', lat: 59.91, lon: 10.75 };

/** The media pool draws nothing: orders do not depend on the pictures. */
const media = {
  run: async (job: string, input: { target?: { kind: string }; papers?: SheetPapers }) =>
    job === 'measure'
      ? {
          area: { widthMm: 76.2, heightMm: 50.8 },
          elements: [{ elementId: 'text:a', widthMm: 30, heightMm: 5.6 }],
        }
      : job === 'draw'
        ? input.target?.kind === 'mockup'
          ? { png: new Uint8Array([1]) }
          : { svg: '<svg xmlns="http://www.w3.org/2000/svg"/>' }
        : job === 'file'
          ? {
              bytes: Buffer.from(JSON.stringify(input.papers)),
              ending: '_job-sheet.pdf',
              report: { widthMm: 76.2, heightMm: 50.8 },
            }
          : {},
  close: async () => {},
} as unknown as MediaPool;

let server: TestApp;
let shop: Account;
let key: string;
let productId: string;
let designId: string;
let people = 0;

beforeAll(async () => {
  server = await createTestApp({ media, environment: { ALLOW_LOCAL_WEBHOOKS: 'true' } });
  await seedCatalogue(server.context);
  productId = (await call('GET', '/api/products', {})).json()[0].productId;
});
afterAll(() => server.close());
beforeEach(async () => {
  await server.seeAll.delete(makers);
  await server.seeAll.delete(rateLimits);
  await server.seeAll.delete(mails);
  shop = await join('shop');
  key = (await call('GET', '/api/company/shop', shop.headers)).json().key;
  await call('PUT', '/api/company', shop.headers, { companyName: 'Oak & Steel' });
  await set({ checkout: true, defaultPriceCents: 1250 });
  designId = await save();
});

const call = (method: 'GET' | 'POST' | 'PUT', url: string, headers: Headers, payload?: object) =>
  server.app.inject({ method, url, headers, ...(payload && { payload }) });
const set = (change: object) => call('PUT', '/api/company/shop', shop.headers, change);

async function join(name: string): Promise<Account> {
  const email = `${name}${++people}@example.com`;
  const headers = await server.signUp(email);
  const id = await server.takePlan(headers, 'starter');
  return { headers, id, email };
}

/** Creates a listed maker at a place. */
async function createMaker(
  place: typeof LYON,
  machines: MachineMode[] = ['laser'],
): Promise<Account & { makerId: string }> {
  const account = await join('maker');
  const makerId = newId();
  const { lat, lon } = place;
  await server.seeAll.insert(makers).values({
    userId: account.id,
    id: makerId,
    name: `Maker of ${place.name}`,
    place,
    lat,
    lon,
    machines,
    isListed: true,
  });
  return { ...account, makerId };
}

async function save(shopKey = key): Promise<string> {
  const composition = saveComposition(
    parseComposition({ version: 0, data: { ...emptyComposition, productId, texts: [{ id: 'a', text: 'Oak' }] } }),
  );
  const answer = await call('POST', '/api/widget/designs', {}, { shop: shopKey, composition });
  if (answer.statusCode !== 200) throw new Error(answer.body);
  return answer.json().designId;
}

/** The name has a letter that no random id has, because tests search for it where it must not appear. */
const contact = { name: 'Idå Berg', email: 'Ida@Example.com', phone: '', address: 'Oak Road 1', note: 'By May' };
const send = (more: object = {}) =>
  call('POST', '/api/widget/orders', {}, { key: newId(), shop: key, designId, quantity: 3, contact, ...more });

/** Places an order and returns its id. */
async function place(more: object = {}): Promise<string> {
  const answer = await send(more);
  expect(answer.statusCode, answer.body).toBe(200);
  const [row] = await server.seeAll.select().from(orders).where(eq(orders.number, answer.json().number));
  return row!.id;
}
const read = async (id: string, who = shop) => (await call('GET', `/api/orders/${id}`, who.headers)).json();
const step = (id: string, stepName: string, who = shop, words = '') =>
  call('POST', `/api/orders/${id}/step`, who.headers, { step: stepName, words });
const file = (id: string, who = shop, format?: string) =>
  call('POST', `/api/orders/${id}/file`, who.headers, { format });
const mailsTo = async (email: string, kind: string) =>
  server.seeAll
    .select()
    .from(mails)
    .where(and(eq(mails.recipient, email), eq(mails.kind, kind)))
    .orderBy(desc(mails.createdAt), sql`${mails}.ctid desc`);

/** Returns the token of the link in the newest mail to the customer. */
async function mailedToken(kind = 'orderPlaced'): Promise<string> {
  const [mail] = await mailsTo('ida@example.com', kind);
  return /\/proof#token=([\w-]{43})/.exec(mail!.text)![1]!;
}
const look = (token: string) => call('POST', '/api/proof', {}, { token });
const answerWith = (token: string, answer: string, words = '') =>
  call('POST', '/api/proof/answer', {}, { token, answer, words });
const approve = async () => answerWith(await mailedToken(), 'approve');

describe('placing an order', () => {
  test('takes the price of the server, mails customer and shop, and shows what will be made', async () => {
    const answer = await send({ unitPriceCents: 1, totalCents: 3, currency: 'SEK' });
    expect([answer.statusCode, answer.headers['set-cookie']]).toEqual([200, undefined]);
    expect(answer.json()).toEqual({
      number: expect.stringMatching(/^[2-9A-HJ-NP-Z]{4}-[2-9A-HJ-NP-Z]{4}$/),
      shopName: 'Oak & Steel',
      email: 'ida@example.com',
      quantity: 3,
      currency: 'USD',
      unitPriceCents: 1250,
      totalCents: 3750,
    });
    const [toCustomer] = await mailsTo('ida@example.com', 'orderPlaced');
    expect(toCustomer).toMatchObject({ subject: expect.stringContaining(answer.json().number) });
    expect(toCustomer!.text).toContain('$37.50');
    expect(toCustomer!.text).not.toContain('Idå'); // a stranger’s text must not go to an address they chose
    expect(toCustomer!.secretUntil).not.toBeNull();
    expect(await mailsTo(shop.email, 'shopOrder')).toMatchObject([{ replyTo: 'ida@example.com' }]);

    const { orders: orderList } = (await call('GET', '/api/orders', shop.headers)).json();
    expect(orderList).toMatchObject([
      { status: 'new', proof: 'open', role: 'shop', customerName: 'Idå Berg', isWaiting: true },
    ]);
    expect(await read(orderList[0].id)).toMatchObject({
      contact: { name: 'Idå Berg', email: 'ida@example.com' },
      made: { area: { widthMm: 76.2, heightMm: 50.8 }, design: null, texts: [{ text: 'Oak', widthMm: 30 }] },
      steps: ['accept', 'decline'],
      mayDownload: false,
      events: [{ kind: 'created', actor: 'customer' }],
    });
    const [savedDesign] = await server.seeAll.select().from(savedDesigns).where(eq(savedDesigns.id, designId));
    expect(savedDesign!.orderedAt).not.toBeNull();
  });

  test('leaves the price open when the shop set none', async () => {
    await set({ defaultPriceCents: null });
    designId = await save();
    expect((await send()).json()).toMatchObject({ unitPriceCents: null, totalCents: null, currency: 'USD' });
  });

  test('double clicks create one order each', async () => {
    for (let round = 0; round < repetitions(2, 20); round++) {
      await server.seeAll.delete(rateLimits);
      const sameKey = { key: newId() };
      const before = await server.seeAll.$count(orders);
      const answers = await Promise.all([send(sameKey), send(sameKey), send(sameKey)]);
      expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200]);
      expect(new Set(answers.map((answer) => answer.json().number)).size).toBe(1);
      expect(await server.seeAll.$count(orders)).toBe(before + 1);
    }
  });

  test.each<[string, object, number, RegExp]>([
    ['a shop nobody knows', { shop: 'nobodys-key' }, 404, /not open any more/],
    ['a design that is not there', { designId: 'AAAAAAAAAAAAAAAAAAAAAA' }, 404, /make it again/],
    ['none', { quantity: 0 }, 400, /one at least/],
    ['too many', { quantity: 1000 }, 400, /999 at most/],
    ['half a piece', { quantity: 1.5 }, 400, /whole number/],
    ['an address that is none', { contact: { ...contact, email: 'ida' } }, 400, /Invalid email/],
    ['no name', { contact: { ...contact, name: ' \u200b ' } }, 400, /what you are called/],
    ['a place off the map', { place: { name: 'X', lat: 91, lon: 0 } }, 400, /too large/],
    ['no key', { key: '' }, 400, /./],
  ])('rejects %s with a message and stores nothing', async (_case, more, status, sentence) => {
    const before = await server.seeAll.$count(mails);
    const answer = await send(more);
    expect([answer.statusCode, answer.json().message]).toEqual([status, expect.stringMatching(sentence)]);
    expect([await server.seeAll.$count(mails), (await call('GET', '/api/orders', shop.headers)).json().orders]).toEqual(
      [before, []],
    );
  });

  test('is refused while the shop takes no orders, and for the design of another shop', async () => {
    const other = await join('other');
    const { key: theirs } = (await call('GET', '/api/company/shop', other.headers)).json();
    expect((await send({ designId: await save(theirs) })).statusCode).toBe(404);
    await set({ checkout: false });
    const answer = await send();
    expect([answer.statusCode, answer.json().message]).toEqual([403, 'This shop takes no orders here at the moment.']);
  });

  test('is limited for an address that gets many mails', async () => {
    for (let count = 0; count < 5; count++) expect((await send()).statusCode).toBe(200);
    expect((await send()).statusCode).toBe(429);
  });

  test('stays the same when the shop changes its prices, its product and its settings', async () => {
    const id = await place();
    const before = await read(id);
    await set({ defaultPriceCents: 9900, currency: 'EUR', routing: 'nearest', payer: 'maker', place: LYON });
    expect(await read(id)).toEqual(before);
  });
});

describe('the maker of an order', () => {
  test('is the chosen one, who sees the customer after accepting', async () => {
    const maker = await createMaker(LYON);
    await set({ routing: 'maker', routedMakerId: maker.makerId });
    const id = await place({ place: PARIS });
    const [request] = await mailsTo(maker.email, 'orderToMake');
    expect(request!.text).toContain('Paris, France');
    expect(request!.text).not.toMatch(/Idå|Oak Road/);
    const offer = await read(id, maker);
    expect(offer).toMatchObject({ role: 'maker', contact: null, customerName: '', steps: ['accept', 'decline'] });
    expect(JSON.stringify(offer)).not.toMatch(/Idå|ida@|Oak Road/);
    expect(await read(id)).toMatchObject({
      role: 'shop',
      steps: ['take'],
      isWaiting: false,
      makerName: 'Maker of Lyon',
    });

    const acceptedOrder = (await step(id, 'accept', maker)).json();
    expect(acceptedOrder).toMatchObject({ status: 'accepted', contact: { name: 'Idå Berg' }, steps: ['decline'] });
    expect((await mailsTo('ida@example.com', 'orderStatus'))[0]!.text).toContain('Maker of Lyon');
  });

  test.each<[string, object, MachineMode[]]>([
    ['is not listed any more', { isListed: false }, ['laser']],
    ['was hidden', { hiddenAt: new Date() }, ['laser']],
    ['has another machine', {}, ['uv']],
  ])('is the shop when the chosen one %s', async (_case, change, machines) => {
    const maker = await createMaker(LYON, machines);
    if (Object.keys(change).length > 0)
      await server.seeAll.update(makers).set(change).where(eq(makers.userId, maker.id));
    await set({ routing: 'maker', routedMakerId: maker.makerId });
    const id = await place();
    expect(await read(id)).toMatchObject({ makerName: null, steps: ['accept', 'decline'] });
    expect((await mailsTo(shop.email, 'shopOrder'))[0]!.text).toContain('We found no maker for it');
    expect((await call('GET', `/api/orders/${id}`, maker.headers)).statusCode).toBe(404);
  });

  test('is the nearest that can make it, then the next, each once, then the shop', async () => {
    const [near, far] = [await createMaker(PARIS), await createMaker(OSLO)];
    await createMaker(LYON, ['uv']);
    await set({ routing: 'nearest', place: OSLO });
    const id = await place({ place: LYON });
    expect((await read(id)).makerName).toBe('Maker of Paris');

    expect((await step(id, 'decline', near, 'On holiday')).body).toBe('null');
    expect((await call('GET', `/api/orders/${id}`, near.headers)).statusCode).toBe(404);
    expect(await read(id)).toMatchObject({ status: 'new', makerName: 'Maker of Oslo' });
    expect(await mailsTo(far.email, 'orderToMake')).toHaveLength(1);

    await step(id, 'decline', far);
    const back = await read(id);
    expect(back).toMatchObject({ status: 'new', makerName: null, steps: ['accept', 'decline'], isWaiting: true });
    expect(back.events.map(({ kind }: { kind: string }) => kind)).toEqual([
      'created',
      'routed',
      'declined',
      'routed',
      'declined',
      'returned',
    ]);
    expect(await mailsTo(shop.email, 'orderReturned')).toHaveLength(1);
    expect(await mailsTo('ida@example.com', 'orderStatus')).toHaveLength(0);

    await step(id, 'decline', shop, 'No laser left');
    expect((await mailsTo('ida@example.com', 'orderStatus'))[0]!.text).toContain('No laser left');
    expect((await look(await mailedToken())).json()).toMatchObject({
      status: 'declined',
      declinedBecause: 'No laser left',
      mayAnswer: false,
    });
  });

  test('is never the shop in its role as a maker, and is the shop when no place is known', async () => {
    const { lat, lon } = LYON;
    await server.seeAll.insert(makers).values({
      userId: shop.id,
      id: newId(),
      name: 'Self',
      place: LYON,
      lat,
      lon,
      machines: ['laser'],
      isListed: true,
    });
    await set({ routing: 'nearest', place: LYON });
    expect((await read(await place())).makerName).toBeNull();
    await createMaker(PARIS);
    await set({ place: null });
    expect((await read(await place())).makerName).toBeNull();
    expect((await read(await place({ place: OSLO }))).makerName).toBe('Maker of Paris');
  });

  test('is the shop again when it takes an order back, or when the maker’s account is deleted', async () => {
    const maker = await createMaker(LYON);
    await set({ routing: 'nearest', place: LYON });
    const [first, second] = [await place(), await place()];
    await step(first, 'accept', maker);
    const answer = await step(first, 'take', shop, 'We have one in stock, see https://evil.example');
    expect(answer.json()).toMatchObject({ makerName: null, steps: ['accept', 'decline'] });
    expect((await step(first, 'make', maker)).statusCode).toBe(404);
    const [notice] = await mailsTo(maker.email, 'orderTakenBack');
    expect(notice!.text).toContain('Oak & Steel makes this order itself. Please do not make it.');
    expect(notice!.text).toContain('We have one in stock');
    expect(notice!.text).not.toMatch(/Idå|evil\.example/);

    await step(second, 'accept', maker);
    const deleteAnswer = await call('POST', '/api/users/delete-account', maker.headers, { password: 'walnut-board' });
    expect(deleteAnswer.statusCode).toBe(200);
    expect(await read(second)).toMatchObject({ status: 'new', makerName: null, isWaiting: true });
    expect(await mailsTo(shop.email, 'orderReturned')).toHaveLength(1);
  });
});

describe('the proof', () => {
  test('opens only with the link in the mail, which is stored as a hash', async () => {
    await place();
    const token = await mailedToken();
    const [link] = await server.seeAll.select().from(orderLinks).orderBy(desc(orderLinks.createdAt)).limit(1);
    expect(JSON.stringify(link)).not.toContain(token);
    const proof = (await look(token)).json();
    expect(proof).toMatchObject({ shopName: 'Oak & Steel', quantity: 3, totalCents: 3750, mayAnswer: true });
    const [{ dimensions, printArea, pictureAspect }] = (await call('GET', '/api/products', {})).json();
    const widthMm = (Number(dimensions.split('x')[0]) * 25.4) / printArea.width;
    expect(proof.pictureSize.widthMm).toBeCloseTo(widthMm, 6);
    expect(proof.pictureSize.heightMm).toBeCloseTo(widthMm / pictureAspect, 6);
    expect(JSON.stringify(proof)).not.toMatch(/Idå|ida@|Oak Road/); // a forwarded mail must not show an address
    for (const wrong of ['', 'x', `${token}x`, token.slice(1), link!.id]) {
      expect((await look(wrong)).statusCode).toBe(404);
      expect((await answerWith(wrong, 'approve')).statusCode).toBe(404);
    }
  });

  test('can be sent back for a change several times, and is approved in the end with a time', async () => {
    const id = await place();
    const token = await mailedToken();
    expect((await answerWith(token, 'change', '  ')).json().message).toBe('Please say what should be different.');
    expect((await answerWith(token, 'change', 'Larger, see https://evil.example')).json()).toMatchObject({
      proof: 'change',
      proofWords: 'Larger, see https://evil.example',
      mayAnswer: true,
    });
    const [toShop] = await mailsTo(shop.email, 'proofAnswered');
    expect(toShop!.text).not.toContain('https://evil.example');
    expect(await read(id)).toMatchObject({ proof: 'change', proofWords: 'Larger, see https://evil.example' });
    const approvedProof = (await answerWith(token, 'approve')).json();
    expect(approvedProof).toMatchObject({ proof: 'approved', mayAnswer: false, proofAt: expect.stringMatching(/Z$/) });
    expect((await answerWith(token, 'approve')).json()).toEqual(approvedProof);
    expect((await answerWith(token, 'change', 'No, wait')).statusCode).toBe(409);
    expect((await read(id)).events.map(({ kind }: { kind: string }) => kind)).toEqual([
      'created',
      'change',
      'approved',
    ]);
  });

  test('is required between accepting and making', async () => {
    const id = await place();
    await step(id, 'accept');
    for (const early of [await step(id, 'make'), await file(id)]) {
      expect([409, 403]).toContain(early.statusCode);
      expect(early.json().message).toMatch(/customer has (not )?approved the proof/);
    }
    await approve();
    expect((await step(id, 'make')).json()).toMatchObject({ status: 'made', steps: ['send'] });
    expect((await step(id, 'send', shop, 'Parcel 42')).json()).toMatchObject({ status: 'sent', steps: [] });
    expect(
      (await mailsTo('ida@example.com', 'orderStatus')).map(({ subject }) => subject.replace(/[\w-]{9}/, '')),
    ).toContain('Order  is on its way');
    // The link in every mail opens the same order.
    expect((await look(await mailedToken('orderStatus'))).json()).toMatchObject({ status: 'sent', mayAnswer: false });
  });
});

describe('simultaneous steps', () => {
  test('exactly one of accepting twice, taking back and declining wins, in every round', async () => {
    const maker = await createMaker(LYON);
    await set({ routing: 'maker', routedMakerId: maker.makerId });
    const winningKinds = new Set<string>();
    for (let round = 0; round < repetitions(2, 20); round++) {
      await server.seeAll.delete(rateLimits);
      const id = await place();
      const before = await server.seeAll.$count(orderEvents, eq(orderEvents.orderId, id));
      const attempts = [
        ['accept', maker],
        ['take', shop],
        ['decline', maker],
        ['accept', maker],
      ] as const;
      const answers = await Promise.all(
        attempts.toSorted(() => (round % 2 ? -1 : 1)).map(([what, who]) => step(id, what, who)),
      );
      const firsts = answers.filter(({ statusCode }) => statusCode === 200);
      // An accepted order may be declined or taken back until it is approved: such steps came one after another.
      const kinds = (await read(id)).events.slice(before).map(({ kind }: { kind: string }) => kind);
      expect(firsts.length).toBe(kinds.filter((kind: string) => kind !== 'returned').length);
      expect(kinds.filter((kind: string) => kind === 'accepted').length).toBeLessThan(2);
      expect(kinds.filter((kind: string) => ['declined', 'taken'].includes(kind)).length).toBeLessThan(2);
      for (const { statusCode } of answers) expect([200, 404, 409]).toContain(statusCode);
      winningKinds.add(kinds[0]);
    }
    expect(winningKinds.size).toBeGreaterThan(0);
  });

  test('of two approvals and a decline one kind wins, in every round', async () => {
    for (let round = 0; round < repetitions(2, 20); round++) {
      await server.seeAll.delete(rateLimits);
      const id = await place();
      const token = await mailedToken();
      const answers = await Promise.all([
        answerWith(token, 'approve'),
        step(id, 'decline'),
        answerWith(token, 'approve'),
      ]);
      const { status, proof, events } = await read(id);
      const kinds = events.map(({ kind }: { kind: string }) => kind);
      expect(kinds.filter((kind: string) => kind === 'approved').length).toBe(proof === 'approved' ? 1 : 0);
      expect(answers[1]!.statusCode === 200).toBe(status === 'declined');
      for (const { statusCode } of answers) expect([200, 409]).toContain(statusCode);
    }
  });
});

describe('the production file', () => {
  const countUsage = (owner: Account) => server.seeAll.$count(usage, eq(usage.owner, `user:${owner.id}`));

  test.each(['shop', 'maker'] as const)('counts for the %s as the shop chose, and once', async (payer) => {
    const maker = await createMaker(LYON);
    await set({ routing: 'nearest', place: LYON, payer });
    const id = await place();
    await step(id, 'accept', maker);
    await approve();
    await set({ payer: payer === 'shop' ? 'maker' : 'shop' });
    expect((await file(id)).statusCode).toBe(403); // the shop does not make it
    for (let count = 0; count < 2; count++) {
      const answer = await file(id, maker);
      expect(answer.statusCode, answer.body).toBe(200);
      expect(answer.json().filename).toMatch(/^[\w-]{9}_.*_production\.svg$/);
      const fileAnswer = await server.app.inject({ url: answer.json().url });
      expect([fileAnswer.statusCode, fileAnswer.headers['content-type']]).toEqual([
        200,
        'image/svg+xml; charset=utf-8',
      ]);
      const { receipt } = await read(id);
      const sha256 = createHash('sha256').update(fileAnswer.rawPayload).digest('hex');
      expect(receipt).toMatchObject({ filename: answer.json().filename, sha256, widthMm: expect.any(Number) });
    }
    // The sheet shares the charge, and is the same each time: it names the file by its hash.
    const [sheet, again] = [await file(id, maker, 'sheet'), await file(id, maker, 'sheet')];
    expect([sheet.statusCode, again.statusCode], sheet.body).toEqual([200, 200]);
    expect(sheet.json().filename).toMatch(/^[\w-]{9}_.*_job-sheet\.pdf$/);
    const [sheetAnswer, againAnswer] = [
      await server.app.inject({ url: sheet.json().url }),
      await server.app.inject({ url: again.json().url }),
    ];
    expect(sheetAnswer.headers['content-type']).toBe('application/pdf');
    expect(againAnswer.rawPayload).toEqual(sheetAnswer.rawPayload);
    const { receipt, number } = await read(id);
    expect(sheetAnswer.json()).toEqual({
      order: { number, url: expect.stringMatching(new RegExp(`^https?://.*/orders\\?order=${id}$`)) },
      files: [{ filename: receipt.filename, sha256: receipt.sha256, sizeBytes: receipt.sizeBytes }],
    });
    expect((await file(id, shop, 'sheet')).statusCode).toBe(403);
    expect((await file(id, maker, 'pdf')).statusCode).toBe(400);
    expect([await countUsage(shop), await countUsage(maker)]).toEqual(payer === 'shop' ? [1, 0] : [0, 1]);
    expect((await read(id)).events.filter(({ kind }: { kind: string }) => kind === 'file')).toHaveLength(1);
  });

  test('answers with the plan’s message when nothing is left', async () => {
    await server.seeAll
      .update(users)
      .set({ subscriptionPlan: 'free', subscriptionStatus: 'inactive' })
      .where(eq(users.id, shop.id));
    const id = await place();
    await step(id, 'accept');
    await approve();
    const answer = await file(id);
    expect(answer.statusCode).toBe(402);
    expect(answer.json().message).toMatch(/^You've used all|vector/);
  });
});

describe('lists', () => {
  test('contain the account’s own orders, by status and role, and count those that wait for it', async () => {
    const maker = await createMaker(LYON);
    const stranger = await join('stranger');
    await set({ routing: 'maker', routedMakerId: maker.makerId });
    const id = await place();
    const count = async (who: Account) => (await call('GET', '/api/orders/count', who.headers)).json();
    const list = async (who: Account, query = '') =>
      (await call('GET', `/api/orders${query}`, who.headers)).json().orders.map((order: { id: string }) => order.id);
    expect([await count(shop), await count(maker), await count(stranger)]).toEqual([
      { hasOrders: true, waiting: 0 },
      { hasOrders: true, waiting: 1 },
      { hasOrders: false, waiting: 0 },
    ]);
    expect([await list(shop), await list(maker), await list(stranger)]).toEqual([[id], [id], []]);
    expect([await list(shop, '?role=maker'), await list(maker, '?role=maker&status=new')]).toEqual([[], [id]]);
    expect(await list(maker, '?status=sent')).toEqual([]);
  });

  test('return pages of fifty', async () => {
    const [row] = await server.seeAll
      .select()
      .from(orders)
      .where(eq(orders.id, await place()));
    for (let count = 0; count < 50; count++) {
      const createdAt = new Date(row!.createdAt.getTime() - 1000 * Math.floor(count / 2));
      await server.seeAll.insert(orders).values({ ...row!, id: newId(), key: newId(), number: newId(), createdAt });
    }
    const first = (await call('GET', '/api/orders', shop.headers)).json();
    const second = (await call('GET', `/api/orders?before=${first.next}`, shop.headers)).json();
    expect([first.orders.length, second.orders.length, second.next]).toEqual([50, 1, null]);
  });

  test('are part of the takeout, and are deleted with the shop', async () => {
    const maker = await createMaker(LYON);
    await set({ routing: 'maker', routedMakerId: maker.makerId, webhookUrl: 'https://shop.example/hook' });
    const id = await place();
    const takeout = await takeOut(server, shop.headers);
    expect(takeout.orders).toMatchObject([{ role: 'shop', contact: { name: 'Idå Berg' } }]);
    expect(takeout.shop).toMatchObject({ key, hasWebhookSecret: true });
    expect(JSON.stringify(takeout)).not.toContain('mwsec_');
    const theirs = await takeOut(server, maker.headers);
    expect(theirs.orders).toMatchObject([{ role: 'maker', contact: null }]);
    expect(JSON.stringify(theirs)).not.toContain('Idå');

    const deleteAnswer = await call('POST', '/api/users/delete-account', shop.headers, { password: 'walnut-board' });
    expect(deleteAnswer.statusCode, deleteAnswer.body).toBe(200);
    const { seeAll: db } = server;
    expect([
      await db.$count(orders, eq(orders.id, id)),
      await db.$count(orderEvents, eq(orderEvents.orderId, id)),
      await db.$count(webhookDeliveries, eq(webhookDeliveries.orderId, id)),
      await db.$count(savedDesigns, eq(savedDesigns.id, designId)),
      await db.$count(shops, eq(shops.key, key)),
    ]).toEqual([0, 0, 0, 0, 0]);
  });
});

describe('webhooks', () => {
  let peer: Server;
  let deliveredCalls: { body: string; headers: Record<string, unknown> }[];
  let answers: number[];
  let secret: string;
  beforeEach(async () => {
    deliveredCalls = [];
    answers = [];
    peer = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk) => {
        body += chunk;
      });
      request.on('end', () => {
        deliveredCalls.push({ body, headers: request.headers });
        response.statusCode = answers.shift() ?? 200;
        response.end();
      });
    });
    await new Promise<void>((resolve) => peer.listen(0, '127.0.0.1', resolve));
    await server.seeAll.delete(webhookDeliveries);
    await set({ webhookUrl: `http://127.0.0.1:${(peer.address() as AddressInfo).port}/hook` });
    secret = (await call('POST', '/api/company/shop/webhook-secret', shop.headers, {})).json().secret;
    return async () => {
      server.setNow();
      peer.closeAllConnections();
      await new Promise((resolve) => peer.close(resolve));
    };
  });
  const deliveries = async () =>
    (await call('GET', '/api/company/shop/deliveries', shop.headers)).json().deliveries as Record<string, unknown>[];

  test('report a new order, its proof and its statuses, each signed', async () => {
    const id = await place();
    await approve();
    await step(id, 'accept');
    await sendWebhooks(server.context);
    expect(deliveredCalls.map(({ headers }) => headers['markwright-event']).sort()).toEqual([
      'order.created',
      'order.proof',
      'order.status',
    ]);
    for (const { body, headers } of deliveredCalls) {
      const [, t, v1] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers['markwright-signature']))!;
      expect(v1).toBe(createHmac('sha256', secret).update(`${t}.${body}`).digest('hex'));
      const payload = JSON.parse(body);
      expect(payload).toMatchObject({ id: headers['markwright-delivery'], event: headers['markwright-event'] });
      expect(payload.order).toMatchObject({
        id,
        designId,
        quantity: 3,
        totalCents: 3750,
        customer: { name: 'Idå Berg' },
      });
    }
    expect(await deliveries()).toMatchObject(Array(3).fill({ state: 'sent', attempts: 1, answered: 200 }));
  });

  test('are retried with growing delays, and given up after a day', { tags: ['detail'] }, async () => {
    answers = [500, 301];
    const start = new Date();
    server.setNow(start);
    await place();
    const after = async (minutes: number) => {
      server.setNow(new Date(start.getTime() + minutes * 60_000));
      await sendWebhooks(server.context);
      return (await deliveries())[0]!;
    };
    expect(await after(0)).toMatchObject({
      state: 'queued',
      attempts: 1,
      answered: 500,
      lastError: 'It answered 500.',
    });
    expect(await after(0.9)).toMatchObject({ attempts: 1 });
    expect(await after(1)).toMatchObject({ attempts: 2, answered: 301, lastError: 'It answered with a redirect.' });
    expect(await after(2.9)).toMatchObject({ attempts: 2 });
    expect(await after(3)).toMatchObject({ state: 'sent', attempts: 3, answered: 200, lastError: null });
    expect(deliveredCalls).toHaveLength(3);

    answers = Array(20).fill(503);
    const [{ id }] = (await deliveries()) as [{ id: string }];
    expect((await call('POST', `/api/company/shop/deliveries/${id}/send`, shop.headers, {})).statusCode).toBe(200);
    let now = 3;
    let last = await after(now);
    while (last.state === 'queued') {
      now = (Date.parse(String(last.nextTryAt)) - start.getTime()) / 60_000;
      last = await after(now);
    }
    expect(last).toMatchObject({ state: 'failed', attempts: 14, answered: 503 });
    expect(now / 60).toBeGreaterThan(22);
    expect(now / 60).toBeLessThan(26);
  });

  test('are sent once by several simultaneous senders', async () => {
    await place();
    await Promise.all([sendWebhooks(server.context), sendWebhooks(server.context), sendWebhooks(server.context)]);
    expect(deliveredCalls).toHaveLength(1);
  });

  test('of one shop never wait for another’s, and a slow shop is called one at a time', async () => {
    const slow = await server.signUp();
    const arrivals: string[] = [];
    let openCalls = 0;
    let mostOpenCalls = 0;
    let letGo = () => {};
    const fastArrived = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    const slowPeer = createServer(async (request, response) => {
      arrivals.push('slow');
      mostOpenCalls = Math.max(mostOpenCalls, ++openCalls);
      request.resume();
      await fastArrived;
      openCalls--;
      response.end();
    });
    await new Promise<void>((resolve) => slowPeer.listen(0, '127.0.0.1', resolve));
    peer.prependListener('request', () => {
      arrivals.push('fast');
      letGo();
    });
    try {
      const webhookUrl = `http://127.0.0.1:${(slowPeer.address() as AddressInfo).port}/hook`;
      const { key: slowKey } = (await call('PUT', '/api/company/shop', slow, { webhookUrl })).json();
      const now = server.context.now();
      const companyOf = async (shopKey: string) =>
        (await server.seeAll.select().from(shops).where(eq(shops.key, shopKey)))[0]!.companyId;
      const slowId = await companyOf(slowKey);
      const queue = async (companyId: string, secondsAgo: number) => {
        const tryAt = new Date(now.getTime() - secondsAgo * 1000);
        const delivery = { id: newId(), companyId, event: 'order.created', body: '{}', tryAt, createdAt: tryAt };
        await server.seeAll.insert(webhookDeliveries).values(delivery);
      };
      for (let i = 0; i < 4; i++) await queue(slowId, 60 - i);
      await queue(await companyOf(key), 1);

      await Promise.all([sendWebhooks(server.context), sendWebhooks(server.context)]);
      // The slow peer answers nothing until the fast one was called. Either may be called first.
      expect(arrivals.slice(0, 2).toSorted()).toEqual(['fast', 'slow']);
      expect(arrivals.slice(2)).toEqual(['slow', 'slow', 'slow']);
      expect(mostOpenCalls).toBe(1);
      const rows = await server.seeAll.select().from(webhookDeliveries);
      expect(rows.map(({ state, attempts }) => [state, attempts])).toEqual(Array(5).fill(['sent', 1]));
    } finally {
      slowPeer.closeAllConnections();
      await new Promise((resolve) => slowPeer.close(resolve));
    }
  });

  test('are shown only to their own shop', async () => {
    await place();
    const [{ id }] = (await deliveries()) as [{ id: string }];
    const other = await join('other');
    expect((await call('GET', '/api/company/shop/deliveries', other.headers)).json()).toEqual({ deliveries: [] });
    expect((await call('POST', `/api/company/shop/deliveries/${id}/send`, other.headers, {})).statusCode).toBe(404);
  });
});
