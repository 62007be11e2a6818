import { calls, type Design } from '@markwright/contract';
import { eq, like } from 'drizzle-orm';
import type { FastifyInstance } from 'fastify';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { signInAdmin } from '../../test/admin.ts';
import { createInkProfile } from '../../test/inkProfile.ts';
import { createTestApp, formOf, type TestApp } from '../../test/server.ts';
import { products } from '../catalogue/tables.ts';
import { companyInkProfiles, companyProducts } from '../companies/tables.ts';
import { designs } from '../designs/tables.ts';
import { makerPhotos } from '../makers/tables.ts';
import { sweepRequestKeys } from './requestKeys.ts';
import { requestKeys, storedFiles } from './tables.ts';

const SENTENCE = 'Something else was sent with this key before. Use a new key for a new thing.';

let server: TestApp;
let other: FastifyInstance;
let ann: Record<string, string>;
let red: Buffer;
let blue: Buffer;
beforeAll(async () => {
  server = await createTestApp({ environment: { ADMIN_PASSWORD: 'the-workshop-key' } });
  other = (await server.openSecond()).app;
  ann = await server.signUp();
  [red, blue] = (await Promise.all(
    ['#d02020', '#2020d0'].map((background) =>
      sharp({ create: { width: 40, height: 30, channels: 3, background } })
        .png()
        .toBuffer(),
    ),
  )) as [Buffer, Buffer];
});
afterAll(() => server.close());

interface UploadOptions {
  readonly field?: string;
  readonly fields?: Record<string, string>;
  readonly filename?: string;
  readonly as?: Record<string, string>;
  readonly app?: FastifyInstance;
}
/** Uploads a file. Each time the body has another boundary, as a browser's has. */
async function upload(
  bytes: Uint8Array,
  key: string | undefined,
  options: UploadOptions & { readonly url?: string } = {},
) {
  const { field = 'file', fields = {}, filename = 'logo.png', as = ann, app = server.app } = options;
  const form = await formOf({ ...fields, [field]: { bytes, filename, mediaType: '' } });
  const headers = { ...form.headers, ...as, ...(key && { 'idempotency-key': key }) };
  return app.inject({ method: 'POST', url: options.url ?? '/api/designs/upload', payload: form.payload, headers });
}
const countDesigns = () => server.context.db.$count(designs);
const countUploads = () => server.context.db.$count(storedFiles, like(storedFiles.key, 'designs/%'));

test('an upload sent again is the same design, with the same words, and takes no room', async () => {
  const drawing = Buffer.from(
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M0 0h9v9z"/><text>a</text></svg>',
  );
  const first = await upload(drawing, 'key-of-a-drawing', { filename: 'a.svg' });
  expect(first.statusCode, first.body).toBe(200);
  expect(first.json().notice).toContain('text');
  const before = [await countDesigns(), await countUploads()];
  for (const app of [server.app, other]) {
    const again = await upload(drawing, 'key-of-a-drawing', { filename: 'a.svg', app });
    expect(again.json<Design>()).toMatchObject({ id: first.json().id, notice: first.json().notice });
  }
  expect([await countDesigns(), await countUploads()]).toEqual(before);
  expect((await upload(drawing, undefined, { filename: 'a.svg' })).json().id).not.toBe(first.json().id);
});

test('the same upload at two servers at once is one design, and no other files stay', async () => {
  const before = await countDesigns();
  for (let round = 0; round < 3; round++) {
    const answers = await Promise.all(
      [server.app, other, server.app, other].map((app) => upload(red, `key-of-round-${round}`, { app })),
    );
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200]);
    expect(new Set(answers.map((answer) => answer.json<Design>().id)).size).toBe(1);
  }
  expect(await countDesigns()).toBe(before + 3);
  const storedKeys = await server.context.db.select().from(storedFiles).where(like(storedFiles.key, 'designs/%'));
  const ids = (await server.context.db.select({ id: designs.id }).from(designs)).map(({ id }) => id);
  expect(new Set(storedKeys.map(({ key }) => key.split('/')[1]))).toEqual(new Set(ids));
});

test('a key is of one owner and of one body, and a failure takes none', async () => {
  const first = await upload(red, 'key-of-one-body');
  const another = await upload(blue, 'key-of-one-body');
  expect([another.statusCode, another.json().message]).toEqual([422, SENTENCE]);
  expect((await upload(red, 'key-of-one-body', { filename: 'b.png' })).statusCode).toBe(422);

  const ben = await server.signUp();
  const guest = { cookie: `guest=${encodeURIComponent(server.app.signCookie('a-guest-with-a-key'))}` };
  const ids = [first.json().id];
  for (const as of [ben, guest]) ids.push((await upload(blue, 'key-of-one-body', { as })).json().id);
  expect(new Set(ids).size).toBe(3);

  expect((await upload(red.subarray(0, 60), 'key-of-a-failure')).statusCode).toBe(422);
  expect((await upload(red, 'key-of-a-failure')).statusCode).toBe(200);

  for (const key of ['short', 'with spaces in it', 'x'.repeat(65)]) {
    const answer = await upload(red, key);
    expect([answer.statusCode, answer.json().message]).toEqual([400, expect.stringContaining('Idempotency-Key')]);
  }
});

test('what was made and is gone is not made again, and a key is forgotten after a day', async () => {
  const { id } = (await upload(red, 'key-for-a-day')).json<Design>();
  await server.context.db.delete(designs).where(eq(designs.id, id));
  expect((await upload(red, 'key-for-a-day')).statusCode).toBe(409);
  const now = Date.now();
  server.setNow(new Date(now + 23 * 3_600_000));
  await sweepRequestKeys(server.context);
  expect((await upload(red, 'key-for-a-day')).statusCode).toBe(409);
  server.setNow(new Date(now + 25 * 3_600_000));
  await sweepRequestKeys(server.context);
  server.setNow();
  expect(await server.context.db.$count(requestKeys, eq(requestKeys.key, 'key-for-a-day'))).toBe(0);
  expect((await upload(red, 'key-for-a-day')).statusCode).toBe(200);
});

test('every call that takes a key makes one thing of two', async () => {
  const company = {
    method: 'PUT',
    url: '/api/company',
    payload: { customProductsEnabled: true },
    headers: ann,
  } as const;
  expect((await server.app.inject(company)).statusCode).toBe(200);
  const product = { name: 'Board', category: 'Boards', dimensions: '4x3', machines: '["laser"]' };
  const admin = await signInAdmin(server);
  const db = server.seeAll;
  const uploadsByCall: Record<string, { bytes: Uint8Array; options: UploadOptions; count(): Promise<number> }> = {
    'designs.upload': { bytes: red, options: {}, count: countDesigns },
    'company.addProduct': {
      bytes: red,
      options: { field: 'productImage', fields: product },
      count: () => db.$count(companyProducts),
    },
    'catalogue.addProduct': {
      bytes: red,
      options: { field: 'productImage', fields: product, as: admin },
      count: () => db.$count(products),
    },
    'makers.addPhoto': { bytes: red, options: { field: 'photo' }, count: () => db.$count(makerPhotos) },
    'inkProfiles.add': {
      bytes: createInkProfile(),
      options: { field: 'profile', filename: 'a.icc' },
      count: () => db.$count(companyInkProfiles),
    },
  };
  const keyedCalls = Object.entries(calls).flatMap(([group, own]) =>
    Object.entries(own).flatMap(([name, call]) =>
      'isKeyed' in call ? [{ name: `${group}.${name}`, url: call.path }] : [],
    ),
  );
  expect(keyedCalls.map(({ name }) => name).sort()).toEqual(Object.keys(uploadsByCall).sort());
  for (const { name, url } of keyedCalls) {
    const { bytes, options, count } = uploadsByCall[name]!;
    const before = await count();
    const first = await upload(bytes, `twice-${name.replace('.', '-')}`, { ...options, url });
    expect(first.statusCode, `${name} ${first.body}`).toBe(200);
    const again = await upload(bytes, `twice-${name.replace('.', '-')}`, { ...options, url, app: other });
    expect(again.statusCode, `${name} ${again.body}`).toBe(200);
    expect(again.json().id, name).toBe(first.json().id);
    expect(await count(), name).toBe(before + 1);
  }
});
