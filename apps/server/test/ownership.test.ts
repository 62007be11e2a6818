/**
 * T6: only the owner has access to what it owns. Every stranger makes every call that names an owned object, with every
 * method, once for the object and once for a missing one: the two replies must not differ.
 */
import { emptyComposition, parseComposition, saveComposition } from '@markwright/scene';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ensureAdmin } from '../src/accounts/accounts.ts';
import { sessions, users } from '../src/accounts/tables.ts';
import { usage } from '../src/allowances/tables.ts';
import { testCheckouts } from '../src/billing/tables.ts';
import { companies, companyProducts } from '../src/companies/tables.ts';
import { compositions } from '../src/compositions/tables.ts';
import { designs } from '../src/designs/tables.ts';
import { exportRecords } from '../src/exports/tables.ts';
import { libraryEntries } from '../src/library/tables.ts';
import { mails } from '../src/mail/tables.ts';
import { makerPhotos, makers } from '../src/makers/tables.ts';
import { orderEvents, orders, webhookDeliveries } from '../src/orders/tables.ts';
import { newId } from '../src/platform/ids.ts';
import type { MediaPool } from '../src/platform/ports/mediaPool.ts';
import { savedDesigns } from '../src/savedDesigns/tables.ts';
import { shops } from '../src/shops/tables.ts';
import { isStress } from './campaign.ts';
import { createTestApp, formOf, type TestApp } from './server.ts';

type Headers = Record<string, string>;
type Method = (typeof methods)[number];
interface CallToSend {
  readonly method: Method;
  readonly url: string;
  readonly payload?: object;
}
/** A call that names an object by its id, with its method and the owner's input. */
interface OwnedCall {
  readonly name: string;
  readonly of: 'ann' | 'gus' | 'admin';
  readonly id: () => string;
  /** An id like `id` of an object that does not exist. */
  readonly missing: string;
  readonly method: Method;
  /** True when a guest may not make it, not even for an own design. */
  readonly isForAccounts?: boolean;
  /** The status of the owner's reply; 200 when absent. */
  readonly ownerStatus?: number;
  send(id: string, method: Method): CallToSend;
}

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'] as const;
/** `shop` has a company with its own products; `user` has none. */
const strangers = ['guest', 'user', 'shop', 'admin', 'ended', 'deleted'] as const;
const PASSWORD = 'walnut-board';
const SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 60 40"><path d="M10 5L20 35L30 5Z"/></svg>';
const ANN = { email: 'canary.ann@example.com', file: 'canary-ann.svg', work: 'Canary of Ann', product: 'Canary Board' };
const CUSTOMER = {
  ...{ name: 'Canary Customer', email: 'canary.customer@example.com' },
  ...{ phone: '', address: 'Canary Road 1', note: '' },
};
const GUS = { file: 'canary-gus.svg' };

let server: TestApp;
let callers: Record<(typeof strangers)[number] | 'ann' | 'gus', Headers>;
const things = {
  annsDesign: '',
  gussDesign: '',
  work: '',
  entry: '',
  product: '',
  laser: '',
  font: '',
  photo: '',
  place: '',
  open: '',
  paid: '',
  mail: '',
  order: '',
  delivery: '',
  ann: 0,
};

beforeAll(async () => {
  // Draws no picture: strangers are refused before that, and owners need no real one.
  const media = {
    run: async (job: string, input: { target?: { kind: string } }) =>
      job === 'draw' && input.target?.kind === 'mockup'
        ? { png: new Uint8Array([1]) }
        : job === 'thumbnail'
          ? { webp: new Uint8Array([1]) }
          : job === 'productPicture'
            ? {
                width: 2,
                height: 1,
                files: [{ name: 'picture-2.png', mediaType: 'image/png', bytes: new Uint8Array([1]) }],
              }
            : job === 'decode'
              ? { mediaType: 'image/svg+xml', svg: SVG, droppedTags: [], width: 60, height: 40 }
              : job === 'file'
                ? {
                    bytes: new Uint8Array([1]),
                    ending: '.pdf',
                    report: { widthMm: 1, heightMm: 1, isMirrored: false, colors: null, layers: [], findings: [] },
                  }
                : job === 'engrave'
                  ? { png: new Uint8Array([1]), meanTone: 0.5 }
                  : job === 'ownFont'
                    ? { name: 'Canary font', bytes: new Uint8Array([1]), letters: 1 }
                    : { svg: SVG, width: 60, height: 40 },
    close: async () => {},
  } as unknown as MediaPool;
  server = await createTestApp({ media, environment: { ADMIN_PASSWORD: 'the-workshop-key' } });
  server.setNow(new Date('2026-11-21T12:00:00Z'));
  await ensureAdmin(server.context);

  const deletedUser = await server.signUp();
  await post('/api/users/delete-account', { password: PASSWORD }, deletedUser);
  const endedUser = await server.signUp();
  await post('/api/auth/logout', {}, endedUser);
  const admin = await logIn(server.context.config.adminEmail, 'the-workshop-key');
  const ann = await server.signUp(ANN.email);
  const shop = await server.signUp();
  callers = {
    guest: asGuest(),
    user: await server.signUp(),
    shop,
    admin,
    ended: endedUser,
    deleted: deletedUser,
    ann,
    gus: asGuest(),
  };

  things.ann = (await get('/api/auth/me', ann)).id;
  things.annsDesign = await upload(ANN.file, ann);
  things.gussDesign = await upload(GUS.file, callers.gus);
  for (const [id, owner] of [
    [things.annsDesign, ann],
    [things.gussDesign, callers.gus],
  ] as const) {
    expect((await post('/api/designs/vectorize', { designId: id }, owner)).statusCode).toBe(200);
  }
  const composition = { key: 'a-key-of-anns-device', name: ANN.work, composition: arrangeDesign(things.annsDesign) };
  things.work = (await post('/api/compositions', composition, ann)).json().id;
  const sizes = { area: { widthMm: 100, heightMm: 50 }, widthMm: 10, heightMm: 5 };
  things.entry = (await post('/api/library', { ...composition, ...sizes }, ann)).json().id;
  for (const headers of [shop, ann]) {
    await server.app.inject({ method: 'PUT', url: '/api/company', payload: { customProductsEnabled: true }, headers });
  }
  const addCall = {
    method: 'POST',
    url: '/api/company/products',
    headers: ann,
    payload: boardForm(ANN.product),
  } as const;
  things.product = (await server.app.inject(addCall)).json().id;
  things.laser = (await post('/api/company/lasers', { name: 'Canary laser', entries: [] }, ann)).json().id;
  const form = await formOf({
    font: { bytes: new Uint8Array([1]), filename: 'canary.ttf', mediaType: 'font/ttf' },
    hasRight: 'true',
  });
  const addFont = { method: 'POST', url: '/api/company/fonts', payload: form.payload } as const;
  things.font = (await server.app.inject({ ...addFont, headers: { ...form.headers, ...ann } })).json().id;
  const photo = { method: 'POST', url: '/api/maker/photos', headers: ann, payload: photoForm() } as const;
  things.photo = (await server.app.inject(photo)).json().photos[0].id;
  await logIn(ANN.email, PASSWORD);
  things.place = (await get('/api/auth/sessions', ann)).find((place: { isCurrent: boolean }) => !place.isCurrent).id;
  things.paid = await checkout('studio');
  expect((await post(`/api/test-checkout/${things.paid}`, { outcome: 'success' }, ann)).statusCode).toBe(200);
  things.open = await checkout('agency');
  const [mail] = await server.context.db.select().from(mails).where(eq(mails.recipient, ANN.email));
  things.mail = mail!.id;
  await orderFromAnn();
});
afterAll(() => server.close());

/** Creates an order of a customer of Ann's shop with an approved proof, and an undelivered webhook. */
async function orderFromAnn(): Promise<void> {
  const { seeAll: db } = server;
  await get('/api/company/shop', callers.ann);
  const [company] = await db.select().from(companies).where(eq(companies.userId, things.ann));
  const companyId = company!.id;
  [things.order, things.delivery] = [newId(), newId()];
  const product = {
    ...{ productId: things.product, name: ANN.product, dimensions: '3x2', pictureAspect: 1, pictureKey: null },
    ...{ printArea: { x: 0.2, y: 0.2, width: 0.5, height: 0.5 }, material: 'wood', markColor: '#3b2413' },
  };
  await db.insert(savedDesigns).values({
    ...{ id: 'canary-saved-design-00', companyId, product, pictureKey: 'saved/canary-saved-design-00/preview.png' },
    composition: arrangeText(things.product),
    line: {
      ...{ productName: ANN.product, machine: 'laser', quantity: 1 },
      ...{ currency: null, unitPriceCents: null, totalCents: null },
    },
  });
  const area = { widthMm: 76.2, heightMm: 50.8 };
  await db.insert(orders).values({
    ...{ id: things.order, number: 'CANA-RYNR', companyId, key: newId(), savedDesignId: 'canary-saved-design-00' },
    ...{ made: { productName: ANN.product, machine: 'laser', area, design: null, texts: [] }, quantity: 1 },
    ...{ currency: 'USD', contact: CUSTOMER, routing: 'own', payer: 'shop', proof: 'approved' },
  });
  await db.insert(webhookDeliveries).values({
    ...{ id: things.delivery, companyId, orderId: things.order, event: 'order.created', body: CUSTOMER.email },
  });
}

const asGuest = (): Headers => ({ cookie: `guest=${encodeURIComponent(server.app.signCookie(newId()))}` });
const post = (url: string, payload: object, headers: Headers) =>
  server.app.inject({ method: 'POST', url, payload, headers });
const get = async (url: string, headers: Headers) => (await server.app.inject({ url, headers })).json();
async function logIn(email: string, password: string): Promise<Headers> {
  const { token } = (await post('/api/auth/login', { email, password }, {})).json();
  return { authorization: `Bearer ${token}` };
}
async function upload(filename: string, headers: Headers): Promise<string> {
  const form = new FormData();
  form.set('file', new Blob([SVG], { type: 'image/svg+xml' }), filename);
  return (await server.app.inject({ method: 'POST', url: '/api/designs/upload', payload: form, headers })).json().id;
}
function boardForm(name: string): FormData {
  const form = new FormData();
  for (const [field, value] of Object.entries({ name, category: 'Boards' })) form.set(field, value);
  form.set('productImage', new Blob([SVG], { type: 'image/svg+xml' }), 'board.svg');
  return form;
}
function photoForm(): FormData {
  const form = new FormData();
  form.set('photo', new Blob(['photo'], { type: 'image/png' }), 'bench.png');
  return form;
}
async function checkout(planId: string): Promise<string> {
  const { url } = (await post('/api/create-checkout-session', { planId }, callers.ann)).json();
  return new URL(url).searchParams.get('session')!;
}
const arrangeDesign = (designId: string) =>
  saveComposition(
    parseComposition({ version: 0, data: { ...emptyComposition, design: { designId, filename: 'mine.svg' } } }),
  );

const MISSING = 'AAAAAAAAAAAAAAAAAAAAAA';
const production = { mode: 'vectorize', quality: 'high' };

const guestsCalls = [
  'its trace',
  'its preview',
  'its engraving',
  'its picture without a background',
  'its original picture',
];

/** The calls about a design, by name. */
const aboutDesign: Record<string, (designId: string) => { url: string; payload: object }> = {
  'its trace': (designId) => ({ url: '/api/designs/vectorize', payload: { designId } }),
  'its preview': (designId) => ({ url: '/api/designs/generate-preview', payload: { designId } }),
  'its engraving': (designId) => ({
    url: '/api/designs/engrave',
    payload: { designId, widthMm: 10, intervalMm: 0.1, method: 'gray' },
  }),
  'its picture without a background': (designId) => ({
    url: '/api/designs/remove-background',
    payload: { designId },
  }),
  'its original picture': (designId) => ({ url: '/api/designs/restore-background', payload: { designId } }),
  'its production file': (designId) => ({
    url: '/api/designs/vectorize',
    payload: { designId, settings: production },
  }),
  'a production file with it in the composition': (designId) => ({
    url: '/api/designs/vectorize',
    payload: { settings: production, composition: arrangeDesign(designId) },
  }),
  'a production file of it twice': (designId) => ({
    url: '/api/designs/vectorize',
    payload: { designId, settings: production, composition: arrangeDesign(designId) },
  }),
  'a mockup of it': (designId) => ({ url: '/api/exports/mockup', payload: { composition: arrangeDesign(designId) } }),
  'a custom SVG of it': (designId) => ({
    url: '/api/exports/custom-svg',
    payload: { composition: arrangeDesign(designId) },
  }),
  'a machine’s file of it': (designId) => ({
    url: '/api/exports/file',
    payload: { composition: arrangeDesign(designId), format: 'pdf' },
  }),
};
const owners = [
  ['ann', () => things.annsDesign],
  ['gus', () => things.gussDesign],
] as const;

const designCalls = owners.flatMap(([of, id]): OwnedCall[] =>
  Object.entries(aboutDesign).map(([name, say]) => ({
    name: `${name}, ${of}’s`,
    of,
    id,
    missing: MISSING,
    method: 'POST',
    isForAccounts: !guestsCalls.includes(name),
    // They are SVGs, which have no background.
    ...(name === 'its picture without a background' && { ownerStatus: 422 }),
    send: (designId, method) => ({ method, ...say(designId) }),
  })),
);

/** A signed address is a capability to read. These attacks use a signature for another file. */
const borrowSignature = (own: string): string => server.context.urls.sign(own).split('?')[1]!;
const neighbor = 'designs/mine/original.svg';
const addressesOfFile: Record<string, (designId: string) => string> = {
  unsigned: (id) => `/files/designs/${id}/original.svg`,
  'with another one’s signature': (id) => `/files/designs/${id}/original.svg?${borrowSignature(neighbor)}`,
  'through its neighbor’s address': (id) => `/files/designs/mine/..%2f${id}/original.svg?${borrowSignature(neighbor)}`,
};
const fileCalls = owners.flatMap(([of, id]): OwnedCall[] =>
  Object.entries(addressesOfFile).map(([how, addressOf]) => ({
    name: `the file ${how}, ${of}’s`,
    of,
    id,
    missing: MISSING,
    method: 'GET',
    send: (designId, method) => ({ method, url: addressOf(designId) }),
  })),
);

const readDesignCalls = owners.flatMap(([of, id]) =>
  ['', '/background'].map(
    (path): OwnedCall => ({
      name: `the design${path && ' and how its background went'}, ${of}’s`,
      of,
      id,
      missing: MISSING,
      method: 'GET',
      send: (designId, method) => ({ method, url: `/api/designs/${designId}${path}` }),
    }),
  ),
);

/** The calls about a composition by its id; restoring comes last, after deleting. */
const aboutComposition = {
  'opening a saved composition': ['GET', ''],
  'saving over it': ['PUT', ''],
  'its name': ['POST', '/rename'],
  'a copy of it': ['POST', '/duplicate'],
  'its picture': ['POST', '/picture'],
  'deleting it': ['DELETE', ''],
  'bringing it back': ['POST', '/restore'],
} as const;
const compositionCalls = Object.entries(aboutComposition).map(
  ([name, [callMethod, path]]): OwnedCall => ({
    name,
    of: 'ann',
    id: () => things.work,
    missing: MISSING,
    method: callMethod,
    send: (id, method) => ({
      method,
      url: `/api/compositions/${id}${path}`,
      ...(method === 'GET' || method === 'HEAD' ? {} : workBody(path)),
    }),
  }),
);
/** The calls about saved elements by their id; restoring comes last, after deleting. */
const entryCalls = (
  [
    ['opening them', 'GET', ''],
    ['their name', 'POST', '/rename'],
    ['their picture', 'POST', '/picture'],
    ['deleting them', 'DELETE', ''],
    ['bringing them back', 'POST', '/restore'],
  ] as const
).map(
  ([name, callMethod, path]): OwnedCall => ({
    name: `saved elements: ${name}`,
    of: 'ann',
    id: () => things.entry,
    missing: MISSING,
    method: callMethod,
    send: (id, method) => ({
      method,
      url: `/api/library/${id}${path}`,
      ...(method === 'GET' || method === 'HEAD' ? {} : workBody(path)),
    }),
  }),
);
function workBody(path: string): { payload: object } {
  if (path !== '/picture') {
    const composition = arrangeDesign(things.gussDesign);
    return { payload: { revision: 1, composition, name: 'Taken over', key: 'a-key-of-somebody' } };
  }
  const payload = new FormData();
  payload.set('picture', new Blob(['picture'], { type: 'image/webp' }), 'picture.webp');
  return { payload };
}

/** Returns a composition with text only on a product. */
const arrangeText = (productId: string) =>
  saveComposition(
    parseComposition({ version: 0, data: { ...emptyComposition, productId, texts: [{ id: 'a', text: 'Oak' }] } }),
  );
const aboutProduct: readonly (readonly [
  name: string,
  method: Method,
  say: (id: string) => Omit<CallToSend, 'method'>,
])[] = [
  ['a mockup of it', 'POST', (id) => ({ url: '/api/exports/mockup', payload: { composition: arrangeText(id) } })],
  [
    'its production file',
    'POST',
    (id) => ({ url: '/api/designs/vectorize', payload: { settings: production, composition: arrangeText(id) } }),
  ],
  [
    'putting it on the profile',
    'POST',
    (id) => ({ url: `/api/company/products/${id}/submit-to-profile`, payload: {} }),
  ],
  ['taking it off the profile', 'DELETE', (id) => ({ url: `/api/company/products/${id}/submit-to-profile` })],
  ['changing it', 'PUT', (id) => ({ url: `/api/company/products/${id}`, payload: boardForm('Taken over') })],
  ['deleting it', 'DELETE', (id) => ({ url: `/api/company/products/${id}` })],
];
const productCalls = aboutProduct.map(
  ([callName, callMethod, say]): OwnedCall => ({
    name: `a company’s product: ${callName}`,
    of: 'ann',
    id: () => things.product,
    missing: MISSING,
    method: callMethod,
    send: (id, method) => {
      const { url, payload } = say(id);
      return { method, url, ...(payload && method !== 'GET' && method !== 'HEAD' && { payload }) };
    },
  }),
);

const laserCalls = (['PUT', 'DELETE'] as const).map(
  (callMethod): OwnedCall => ({
    name: `a laser: ${callMethod === 'PUT' ? 'changing' : 'deleting'} it`,
    of: 'ann',
    id: () => things.laser,
    missing: MISSING,
    method: callMethod,
    send: (id, method) => {
      const payload = { name: 'Taken over', entries: [] };
      return { method, url: `/api/company/lasers/${id}`, ...(method !== 'GET' && method !== 'HEAD' && { payload }) };
    },
  }),
);
const fontCalls = (['PUT', 'DELETE'] as const).map(
  (callMethod): OwnedCall => ({
    name: `a font: ${callMethod === 'PUT' ? 'renaming' : 'deleting'} it`,
    of: 'ann',
    id: () => things.font,
    missing: MISSING,
    method: callMethod,
    send: (id, method) => {
      const payload = { name: 'Taken over' };
      return { method, url: `/api/company/fonts/${id}`, ...(method !== 'GET' && method !== 'HEAD' && { payload }) };
    },
  }),
);
const photoCall: OwnedCall = {
  name: 'a photo of a local maker’s page',
  of: 'ann',
  id: () => things.photo,
  missing: MISSING,
  method: 'DELETE',
  send: (id, method) => ({ method, url: `/api/maker/photos/${id}` }),
};
const placeCall: OwnedCall = {
  name: 'a place signed in at',
  of: 'ann',
  id: () => things.place,
  missing: '00000000-0000-4000-8000-000000000000',
  method: 'DELETE',
  send: (id, method) => ({ method, url: `/api/auth/sessions/${id}` }),
};
const checkoutCalls: OwnedCall[] = [
  {
    name: 'a test checkout',
    of: 'ann',
    id: () => things.open,
    missing: MISSING,
    method: 'GET',
    send: (id, method) => ({
      method,
      url: `/api/test-checkout/${id}`,
      ...(method === 'GET' || method === 'HEAD' ? {} : { payload: { outcome: 'cancel' } }),
    }),
  },
  {
    name: 'a checkout that was paid',
    of: 'ann',
    id: () => things.paid,
    missing: MISSING,
    method: 'POST',
    send: (sessionId, method) => ({ method, url: '/api/verify-subscription', payload: { sessionId } }),
  },
];
const mailCalls: OwnedCall[] = [
  {
    name: 'a mail',
    of: 'admin',
    id: () => things.mail,
    missing: MISSING,
    method: 'GET',
    send: (id, method) => ({ method, url: `/api/admin/mails/${id}` }),
  },
  {
    name: 'sending a mail again',
    of: 'admin',
    id: () => things.mail,
    missing: MISSING,
    method: 'POST',
    send: (id, method) => ({ method, url: `/api/admin/mails/${id}/send` }),
  },
];

/** The calls about an order by its id, in the order in which its owner may make them. */
const aboutOrder = {
  'an order of a customer': ['GET', '', undefined],
  'accepting it': ['POST', '/step', { step: 'accept' }],
  'its production file': ['POST', '/file', {}],
} as const;
const orderCalls = Object.entries(aboutOrder).map(
  ([name, [callMethod, path, payload]]): OwnedCall => ({
    name,
    of: 'ann',
    id: () => things.order,
    missing: MISSING,
    method: callMethod,
    send: (id, method) => ({
      method,
      url: `/api/orders/${id}${path}`,
      ...(payload && method !== 'GET' && method !== 'HEAD' && { payload }),
    }),
  }),
);
const deliveryCall: OwnedCall = {
  name: 'telling a shop’s server again',
  of: 'ann',
  id: () => things.delivery,
  missing: MISSING,
  method: 'POST',
  send: (id, method) => ({
    method,
    url: `/api/company/shop/deliveries/${id}/send`,
    ...(method === 'GET' || method === 'HEAD' ? {} : { payload: {} }),
  }),
};

/** Calls about oneself, with input that names another account. Their GET changes nothing. */
const aboutOneself = [
  '/api/auth/me',
  '/api/auth/sessions',
  '/api/users/stats',
  '/api/users/guest-usage',
  '/api/users/subscription',
  '/api/users/export',
  '/api/designs',
  '/api/compositions',
  '/api/library',
  '/api/company',
  '/api/company/products',
  '/api/company/base-products',
  '/api/company/lasers',
  '/api/company/fonts',
  '/api/company/tone-curves',
  '/api/files',
  '/api/maker',
  '/api/company/shop',
  '/api/company/shop/deliveries',
  '/api/orders',
  '/api/orders/count',
];
const selfCalls = aboutOneself.map(
  (url): OwnedCall => ({
    name: `${url} of another account`,
    of: 'ann',
    id: () => String(things.ann),
    missing: '999999',
    method: 'GET',
    send: (id, method) => ({
      method,
      url: `${url}?userId=${id}&id=${id}&owner=user:${id}`,
      ...(method === 'GET' || method === 'HEAD' ? {} : { payload: { userId: id, id, owner: `user:${id}` } }),
    }),
  }),
);

const everyOwnedCall = [
  ...designCalls,
  ...readDesignCalls,
  ...fileCalls,
  ...compositionCalls,
  ...entryCalls,
  ...productCalls,
  ...laserCalls,
  ...fontCalls,
  photoCall,
  placeCall,
  ...checkoutCalls,
  ...mailCalls,
  ...orderCalls,
  deliveryCall,
  ...selfCalls,
];

/** Everything that a leak could show. No reply repeats the caller's input either. */
const canaries = () => [
  ...Object.values(ANN),
  ...Object.values(GUS),
  things.annsDesign,
  things.gussDesign,
  things.work,
  things.entry,
  things.product,
  things.photo,
  things.place,
  things.open,
  things.paid,
  things.mail,
  things.order,
  things.delivery,
  CUSTOMER.name,
  CUSTOMER.email,
  CUSTOMER.address,
  SVG,
];

/** Reads all rows of the owners, to compare them before and after. */
async function readOwned(): Promise<unknown[]> {
  const { seeAll: db } = server;
  const ofAnn = eq(designs.userId, things.ann);
  return Promise.all([
    db.select().from(users).where(eq(users.id, things.ann)),
    db.select().from(designs).where(ofAnn),
    db.select().from(designs).where(eq(designs.id, things.gussDesign)),
    db.select().from(compositions).orderBy(compositions.id),
    db.select().from(libraryEntries).orderBy(libraryEntries.id),
    db.select().from(companies).where(eq(companies.userId, things.ann)),
    db.select().from(companyProducts),
    db.select().from(sessions).where(eq(sessions.userId, things.ann)).orderBy(sessions.id),
    db.select().from(testCheckouts).orderBy(testCheckouts.id),
    db.select().from(mails).where(eq(mails.id, things.mail)),
    db.select().from(usage).orderBy(usage.id),
    db.select().from(exportRecords),
    db.select().from(makers),
    db.select().from(orders),
    db.select().from(orderEvents),
    db.select().from(webhookDeliveries),
    db
      .select()
      .from(shops)
      .innerJoin(companies, eq(companies.id, shops.companyId))
      .where(eq(companies.userId, things.ann)),
    db.select().from(makerPhotos),
  ]);
}

async function answerTo(call: CallToSend, headers: Headers) {
  const { statusCode, headers: replyHeaders, body } = await server.app.inject({ ...call, headers });
  const words = body.replace(/"requestId":"[\w-]{36}"/, '"requestId":""');
  return { statusCode, body: words, told: Object.keys(replyHeaders).sort() };
}

describe('T6: strangers', () => {
  let cells = 0;
  let before: unknown[];
  beforeAll(async () => {
    before = await readOwned();
  });
  const numberedCalls = everyOwnedCall.map((call, index) => ({ ...call, index }));
  test.each(numberedCalls)('$name', async ({ index, of, id, missing, method: ownMethod, send }) => {
    for (const [at, stranger] of strangers.entries()) {
      if (of === 'admin' && stranger === 'admin') continue; // the administrator may read the outbox
      // Each stranger calls as the owner does. By the other methods, each of them calls every sixth thing.
      const isTurn = isStress || (index + at) % strangers.length === 0;
      for (const method of isTurn ? methods : [ownMethod]) {
        const what = `${method} as ${stranger}`;
        const foreign = await answerTo(send(id(), method), callers[stranger]);
        expect(foreign, what).toEqual(await answerTo(send(missing, method), callers[stranger]));
        for (const canary of canaries()) expect(foreign.body, what).not.toContain(canary);
        const isAboutOneself = missing === '999999';
        if (!isAboutOneself) expect([400, 401, 403, 404, 409, 415], what).toContain(foreign.statusCode);
        if (!isAboutOneself && method === ownMethod) expect([401, 403, 404], what).toContain(foreign.statusCode);
        cells++;
      }
    }
    expect(await readOwned()).toEqual(before);
  });

  test('were refused in every cell of the table', () => {
    expect(everyOwnedCall).toHaveLength(85);
    // 85 calls by 6 strangers with 5 methods, less the administrator at the 2 calls about mails. Else each call by 6
    // strangers with its own method, and by one of them with the other 4.
    expect(cells).toBe(isStress ? 85 * 6 * 5 - 2 * 5 : 85 * (6 + 4) - 2);
  });
});

describe('T6: owners', () => {
  const ownedCalls = everyOwnedCall.filter((call) => call.of !== 'admin' && !fileCalls.includes(call));
  test.each(ownedCalls)('$name', async ({ of, id, method, send, isForAccounts, ownerStatus = 200 }) => {
    const answer = await answerTo(send(id(), method), callers[of as 'ann' | 'gus']);
    expect(answer.statusCode, answer.body).toBe(of === 'gus' && isForAccounts ? 401 : ownerStatus);
  });

  test('read their files by signed addresses', async () => {
    for (const designId of [things.annsDesign, things.gussDesign]) {
      const { statusCode, body } = await server.app.inject({
        url: server.context.urls.sign(`designs/${designId}/original.svg`),
      });
      expect([statusCode, body]).toEqual([200, SVG]);
    }
  });
});
