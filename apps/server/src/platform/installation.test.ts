import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../test/server.ts';
import { backgroundJobs } from '../schedule.ts';
import type { Context } from './context.ts';
import { type FileStore, openDiskFiles } from './files.ts';
import { checkInstallation, forgetKey, pairInstallation } from './installation.ts';
import type { SigningKeys } from './secret.ts';
import { SITE } from './storage.ts';
import { installation } from './tables.ts';

const keyOf = (number: number) => Buffer.alloc(32, number);
const keys = (current: number, options: Partial<SigningKeys> = {}): SigningKeys => ({
  current: keyOf(current),
  older: [],
  place: 'SECRET_KEY',
  isReplaceable: false,
  ...options,
});

let server: TestApp;
let db: Context['db'];
beforeAll(async () => {
  server = await createTestApp();
  db = server.context.db;
});
afterAll(() => server.close());

const folders: string[] = [];
async function newStore(): Promise<FileStore> {
  const folder = await mkdtemp(join(tmpdir(), 'markwright-installation-'));
  folders.push(folder);
  return openDiskFiles(folder);
}
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true }))));

/** A database that no server has started on. */
beforeEach(async () => void (await db.delete(installation)));
afterEach(async () => {
  for await (const { key } of server.context.files.list('')) await server.context.files.delete(key);
});

test('the first start joins database, files and key, and later starts find them joined', async () => {
  const files = await newStore();
  await pairInstallation(db, files, keys(1));
  const [row] = await db.select().from(installation);
  expect(await files.readInstallation()).toBe(row!.id);
  expect(row!.keyFingerprint).toMatch(/^[0-9a-f]{32}$/);
  expect(keyOf(1).toString('hex')).not.toContain(row!.keyFingerprint);
  await pairInstallation(db, files, keys(1));
  await checkInstallation(db, files);
  expect(await db.select().from(installation)).toEqual([row]);
});

test('a start after one that ended before the files had their id joins them', async () => {
  await pairInstallation(db, await newStore(), keys(1));
  const files = await newStore();
  await pairInstallation(db, files, keys(1));
  await checkInstallation(db, files);
});

test('a database that knows files joins them when it comes from before the id, and then no other place', async () => {
  await server.context.files.put('a/x.png', new Uint8Array([1]), 'image/png', SITE);
  const files = await newStore();
  await pairInstallation(db, files, keys(1));
  await checkInstallation(db, files);
  const [row] = await db.select().from(installation);
  const empty = await newStore();
  await expect(pairInstallation(db, empty, keys(1))).rejects.toMatchObject({
    name: 'StartError',
    message: expect.stringMatching(new RegExp(`not in ${empty.place}.*this line: ${row!.id}$`)),
  });
  expect(await empty.readInstallation()).toBeUndefined();
});

test('a new database is refused on the files of another installation', async () => {
  const files = await newStore();
  await pairInstallation(db, files, keys(1));
  await db.delete(installation);
  await expect(pairInstallation(db, files, keys(1))).rejects.toMatchObject({
    name: 'StartError',
    message: expect.stringMatching(/belong to another installation than the database/),
  });
});

test('files that belong to another installation are not swept', async () => {
  const { context } = server;
  await context.files.put('designs/nobodys/x.png', new Uint8Array([1]), 'image/png', SITE);
  server.setNow(new Date(Date.now() + 2 * 24 * 60 * 60 * 1000));
  const errors: unknown[] = [];
  const log = Object.assign(Object.create(context.log), { error: (fields: unknown) => errors.push(fields) });
  const sweep = async (files: object) => {
    const sweepContext = { ...context, log, media: undefined, files: { ...context.files, ...files } };
    await backgroundJobs(sweepContext as unknown as Context)[0]!.run({}, new AbortController().signal);
  };
  await db.insert(installation).values({ id: 'ours', keyFingerprint: '-' });
  await sweep({ readInstallation: async () => 'another' });
  expect(errors).toMatchObject([{ err: { message: expect.stringMatching(/another installation/) } }]);
  expect(await context.files.has('designs/nobodys/x.png')).toBe(true);
  await sweep({ readInstallation: async () => 'ours' });
  expect(await context.files.has('designs/nobodys/x.png')).toBe(false);
  server.setNow();
});

test('another key is refused, unless it follows the one before or no other server has it', async () => {
  const files = await newStore();
  await pairInstallation(db, files, keys(1));
  await expect(pairInstallation(db, files, keys(2))).rejects.toMatchObject({
    name: 'StartError',
    message: expect.stringMatching(/signing key in SECRET_KEY is not the one of this installation/),
  });
  await pairInstallation(db, files, keys(2, { older: [keyOf(1)] }));
  await pairInstallation(db, files, keys(2));
  await expect(pairInstallation(db, files, keys(1))).rejects.toThrow('signing key');
  await pairInstallation(db, files, keys(3, { isReplaceable: true }));
  await pairInstallation(db, files, keys(3));
  await forgetKey(db);
  await pairInstallation(db, files, keys(4));
  await expect(pairInstallation(db, files, keys(3))).rejects.toThrow('signing key');
});
