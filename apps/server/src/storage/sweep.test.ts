import { readdir, readFile } from 'node:fs/promises';
import { eq, like } from 'drizzle-orm';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../test/server.ts';
import { users } from '../accounts/tables.ts';
import { companies } from '../companies/tables.ts';
import { recomputeTotals, SITE } from '../platform/storage.ts';
import { storageTotals, storedFiles } from '../platform/tables.ts';
import { savedDesigns } from '../savedDesigns/tables.ts';
import { sweepStorage } from './sweep.ts';

let server: TestApp;
let picture: Buffer;
beforeAll(async () => {
  server = await createTestApp({ environment: { STORAGE_PLANS_MB: '1,2,3,4,5', SMTP_URL: 'smtp://127.0.0.1:1' } });
  picture = await sharp({ create: { width: 40, height: 30, channels: 3, background: '#247' } })
    .jpeg()
    .toBuffer();
});
afterAll(() => server.close());
beforeEach(async () => {
  await server.context.db.delete(storedFiles);
  await sweepStorage(server.context);
});

const address = '203.0.113.9';
async function upload(headers: Record<string, string>): Promise<string> {
  const form = new FormData();
  form.set('file', new Blob([new Uint8Array(picture)]), 'a.jpg');
  const url = '/api/designs/upload';
  const answer = await server.app.inject({ method: 'POST', url, payload: form, headers, remoteAddress: address });
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json<{ id: string }>().id;
}
let guests = 0;
const asNewGuest = () => ({
  cookie: `guest=${encodeURIComponent(server.app.signCookie(`guest-of-a-sweep-${++guests}`))}`,
});
const designOf = (key: string) => key.split('/')[1]!;
const totalsOf = async () =>
  (await server.context.db.select().from(storageTotals).orderBy(storageTotals.scope, storageTotals.name)).filter(
    ({ files }) => files > 0,
  );
const rowOf = async (id: string) => {
  const [row] = await server.context.db
    .select()
    .from(storedFiles)
    .where(like(storedFiles.key, `designs/${id}/upload%`));
  return row!;
};
const later = () => ({
  ...server.context,
  media: server.context.media,
  now: () => new Date(Date.now() + 2 * 3_600_000),
});

test('counts files that an earlier version stored, with their owners', async () => {
  const headers = await server.signUp('earlier@example.com');
  const { id: userId } = (await server.app.inject({ url: '/api/auth/me', headers })).json();
  const [ownId, guestId] = [await upload(headers), await upload(asNewGuest())];
  await server.context.db.delete(storedFiles);
  await server.context.db.delete(storageTotals);
  await sweepStorage(server.context);
  expect(await rowOf(ownId)).toMatchObject({ owner: `user:${userId}`, payer: `user:${userId}`, bytes: picture.length });
  expect(await rowOf(guestId)).toMatchObject({ payer: 'network:earlier', kind: 'uploads' });
  const cacheRows = await server.context.db.select().from(storedFiles).where(eq(storedFiles.kind, 'cache'));
  expect(cacheRows.map(({ key }) => key)).toContain(`designs/${ownId}/original.png`);
});

test('takes back the bytes of a file that is not there, and corrects sizes and sums', async () => {
  const id = await upload(asNewGuest());
  await sweepStorage(server.context);
  const before = await totalsOf();
  const fileOfNobody = {
    kind: 'uploads',
    owner: 'guest:x',
    payer: 'network:x',
    bytes: 5_000,
    usedAt: new Date(),
  } as const;
  await server.context.db.insert(storedFiles).values({ key: 'designs/lost/upload.jpg', ...fileOfNobody });
  await server.context.db
    .update(storedFiles)
    .set({ bytes: 1 })
    .where(like(storedFiles.key, `designs/${id}/upload%`));
  await server.context.db.update(storageTotals).set({ bytes: 77 }).where(eq(storageTotals.scope, 'pool'));
  // A file that was just counted may not be written yet.
  await sweepStorage(server.context);
  expect(await server.context.db.$count(storedFiles, eq(storedFiles.key, 'designs/lost/upload.jpg'))).toBe(1);
  await sweepStorage(later());
  expect(await totalsOf()).toEqual(before);
});

test('lets an account pay for what its guest brought along once its address is verified and it has room', async () => {
  const guest = asNewGuest();
  const id = await upload(guest);
  const email = 'brings@example.com';
  const payload = { email, password: 'walnut-board' };
  const answer = await server.app.inject({ method: 'POST', url: '/api/auth/signup', payload, headers: guest });
  expect(answer.statusCode).toBe(200);
  const headers = { authorization: `Bearer ${answer.json().token}` };
  const owner = `user:${(await server.app.inject({ url: '/api/auth/me', headers })).json().id}`;
  expect(await rowOf(id)).toMatchObject({ owner, payer: `network:${address}` });
  await sweepStorage(server.context);
  expect(await rowOf(id)).toMatchObject({ owner, payer: `network:${address}` });

  await server.context.db.update(users).set({ emailVerifiedAt: new Date() }).where(eq(users.email, email));
  const keeper = { ...SITE, payer: owner };
  await server.context.files.put('designs/filling/upload.png', new Uint8Array(2 ** 20), 'image/png', keeper);
  await sweepStorage(server.context);
  expect(await rowOf(id)).toMatchObject({ payer: `network:${address}` });
  await server.context.files.delete('designs/filling/upload.png');
  await sweepStorage(server.context);
  expect(await rowOf(id)).toMatchObject({ owner, payer: owner });
});

test('lets every administrator pay for what they own, as an upload of theirs does', async () => {
  const { db } = server.context;
  const headers = await server.signUp('support@example.com');
  const { id: userId } = (await server.app.inject({ url: '/api/auth/me', headers })).json();
  await db.update(users).set({ adminRole: 'support', emailVerifiedAt: null }).where(eq(users.id, userId));
  const owner = `user:${userId}`;
  const payer = `network:${address}`;
  const uploadRow = await rowOf(await upload(headers));
  expect(uploadRow).toMatchObject({ owner, payer: owner });
  for (const storedRole of [null, 'support'] as const) {
    await db.update(users).set({ adminRole: storedRole }).where(eq(users.id, userId));
    await db.update(storedFiles).set({ payer }).where(eq(storedFiles.key, uploadRow.key));
    await recomputeTotals(db);
    await sweepStorage(server.context);
    expect(await rowOf(designOf(uploadRow.key))).toMatchObject({ owner, payer: storedRole ? owner : payer });
  }
});

test('lets a shop pay for what was ordered from it, however full its share is', async () => {
  const headers = await server.signUp('shop@example.com');
  const { id: userId } = (await server.app.inject({ url: '/api/auth/me', headers })).json();
  await server.context.db.insert(companies).values({ id: 'shop-of-a-test', userId });
  const json = {} as never;
  const design = { companyId: 'shop-of-a-test', composition: json, product: json, line: json, pictureKey: '-' };
  await server.seeAll.insert(savedDesigns).values([
    { id: 'ordered', ...design, orderedAt: new Date() },
    { id: 'left', ...design },
  ]);
  const keeper = { owner: 'guest:of-a-shop', payer: `network:${address}` };
  for (const id of ['ordered', 'left']) {
    await server.context.files.put(`saved/${id}/preview.png`, new Uint8Array(9), 'image/png', keeper);
  }
  await sweepStorage(server.context);
  const rows = await server.context.db.select().from(storedFiles).where(eq(storedFiles.kind, 'savedDesigns'));
  expect(new Map(rows.map(({ key, payer }) => [key, payer]))).toEqual(
    new Map([
      ['saved/ordered/preview.png', `user:${userId}`],
      ['saved/left/preview.png', `network:${address}`],
    ]),
  );
});

test('the migration counts the designs that are there', async () => {
  const headers = await server.signUp('migrated@example.com');
  const { id: userId } = (await server.app.inject({ url: '/api/auth/me', headers })).json();
  const [ownId, guestId] = [await upload(headers), await upload(asNewGuest())];
  const folder = new URL('../../drizzle/', import.meta.url);
  const file = (await readdir(folder)).find((name) => name.endsWith('_storage.sql'))!;
  const statements = (await readFile(new URL(file, folder), 'utf8')).split('--> statement-breakpoint');
  await server.context.db.delete(storedFiles);
  await server.context.db.delete(storageTotals);
  for (const statement of statements.filter((text) => text.includes('INSERT INTO'))) {
    await server.context.db.execute(statement);
  }
  const originalOf = async (id: string) =>
    (
      await server.context.db
        .select()
        .from(storedFiles)
        .where(like(storedFiles.key, `designs/${id}/original%`))
    )[0];
  expect(await originalOf(ownId)).toMatchObject({ payer: `user:${userId}`, bytes: picture.length, kind: 'uploads' });
  expect(await originalOf(guestId)).toMatchObject({ payer: 'network:earlier' });
  const migratedTotals = await totalsOf();
  await recomputeTotals(server.context.db);
  expect(await totalsOf()).toEqual(migratedTotals);
});
