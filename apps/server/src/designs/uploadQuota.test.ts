import { randomBytes } from 'node:crypto';
import { eq } from 'drizzle-orm';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../test/server.ts';
import { users } from '../accounts/tables.ts';
import { storageTotals, storedFiles } from '../platform/tables.ts';
import { designs } from './tables.ts';

const limits = { STORAGE_NETWORK_MB: '1', STORAGE_PLANS_MB: '2,3,4,5,6' };
let server: TestApp;
/** About 400 KB, which no format stores in less. */
let noise: Buffer;
beforeAll(async () => {
  server = await createTestApp({ environment: { ...limits, SMTP_URL: 'smtp://127.0.0.1:1' } });
  const raw = { width: 700, height: 500, channels: 3 } as const;
  noise = await sharp(randomBytes(700 * 500 * 3), { raw })
    .jpeg({ quality: 90 })
    .toBuffer();
});
afterAll(() => server.close());

let guests = 0;
/** A guest who has dropped the cookie of the one before. */
const asNewGuest = () => ({
  cookie: `guest=${encodeURIComponent(server.app.signCookie(`one-of-many-guests-${++guests}`))}`,
});
async function upload(headers: Record<string, string>, remoteAddress: string, { app } = server) {
  const form = new FormData();
  form.set('file', new Blob([new Uint8Array(noise)]), 'noise.jpg');
  const url = '/api/designs/upload';
  const answer = await app.inject({ method: 'POST', url, payload: form, headers, remoteAddress });
  return { status: answer.statusCode, ...answer.json<{ id: string; message: string }>() };
}
const roomFor = (megabytes: number) => Math.floor((megabytes * 2 ** 20) / noise.length);
const storedBytes = async (payer: string) => {
  const rows = await server.context.db.select().from(storageTotals).where(eq(storageTotals.name, payer));
  return rows[0]?.bytes ?? 0;
};

test('a few guests of one network cannot fill the disk, and take nothing from another network', async () => {
  const uploads: Awaited<ReturnType<typeof upload>>[] = [];
  // A network has at most three pictures in work.
  for (let round = 0; round < 4; round++) {
    uploads.push(...(await Promise.all(Array.from({ length: 3 }, () => upload(asNewGuest(), '203.0.113.1')))));
  }
  const refusals = uploads.filter(({ status }) => status !== 200);
  expect(uploads).toHaveLength(12);
  expect(12 - refusals.length).toBe(roomFor(1));
  for (const { status, message } of refusals) {
    expect([status, message]).toEqual([
      413,
      'The free space for your internet connection is full. Create an account to store more.',
    ]);
  }
  expect(await storedBytes('network:203.0.113.1')).toBe(roomFor(1) * noise.length);
  // A refused upload leaves no file and no row.
  const files: string[] = [];
  for await (const { key } of server.context.files.list('designs/')) if (key.includes('/upload.')) files.push(key);
  expect(files).toHaveLength(roomFor(1));
  expect(await server.context.db.$count(designs)).toBe(roomFor(1));

  expect((await upload(asNewGuest(), '203.0.113.2')).status).toBe(200);
});

test('an account has the share of its network until its address is verified, then that of its plan', async () => {
  const email = 'unverified@example.com';
  const headers = await server.signUp(email);
  const address = '203.0.113.3';
  for (let number = 0; number < roomFor(1); number++) expect((await upload(headers, address)).status).toBe(200);
  const refusal = await upload(headers, address);
  expect([refusal.status, refusal.message]).toEqual([
    413,
    'The free space for your internet connection is full. Verify your email address to get space of your own.',
  ]);
  expect((await upload(asNewGuest(), address)).status).toBe(413);

  await server.context.db.update(users).set({ emailVerifiedAt: new Date() }).where(eq(users.email, email));
  for (let number = 0; number < roomFor(2); number++) expect((await upload(headers, address)).status).toBe(200);
  const full = await upload(headers, address);
  expect([full.status, full.message]).toEqual([413, 'Your space for files is full. A larger plan has more.']);
  const plan = { subscriptionPlan: 'starter', subscriptionStatus: 'active' } as const;
  await server.context.db.update(users).set(plan).where(eq(users.email, email));
  expect((await upload(headers, address)).status).toBe(200);

  await server.context.db.update(users).set({ subscriptionPlan: 'agency' }).where(eq(users.email, email));
  let reply = await upload(headers, address);
  for (let number = roomFor(2) + 2; number < roomFor(6); number++) reply = await upload(headers, address);
  expect(reply.status).toBe(200);
  reply = await upload(headers, address);
  expect([reply.status, reply.message]).toEqual([
    413,
    'Your space for files is full. Delete designs that you no longer need.',
  ]);
});

test('an account of a local site without a mail server has the share of its plan at once', async () => {
  const local = await createTestApp({ environment: limits });
  try {
    const headers = await local.signUp('local@example.com');
    for (let number = 0; number < roomFor(2); number++) {
      expect((await upload(headers, '203.0.113.5', local)).status).toBe(200);
    }
    const full = await upload(headers, '203.0.113.5', local);
    expect([full.status, full.message]).toEqual([413, 'Your space for files is full. A larger plan has more.']);
  } finally {
    await local.close();
  }
});

test('an upload whose row could not be written gives its bytes back', async () => {
  const address = '203.0.113.4';
  const { db } = server.context;
  await server.seeAll.execute('alter table designs add constraint no_more check (false) not valid');
  try {
    expect((await upload(asNewGuest(), address)).status).toBe(500);
  } finally {
    await server.seeAll.execute('alter table designs drop constraint no_more');
  }
  expect(await storedBytes(`network:${address}`)).toBe(0);
  expect(await db.$count(storedFiles, eq(storedFiles.payer, `network:${address}`))).toBe(0);
});
