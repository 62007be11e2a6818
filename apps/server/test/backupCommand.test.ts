/**
 * `markwright backup`, `restore`, `move` and `files copy` as an operator runs them: beside a server, on other databases
 * and on a real S3 service, and everything is there again.
 */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDiskFiles } from '../src/platform/files.ts';
import { stressTest } from './campaign.ts';
import { putDatabase } from './dataFolder.ts';
import { readEverything } from './everything.ts';
import {
  endAll,
  markwright,
  newDatabase,
  newFolder,
  readUploads,
  signIn,
  start,
  toSettings,
  upload,
} from './operator.ts';
import { hasS3, S3_WAIT_MS, type S3Server, startS3 } from './s3Server.ts';

afterAll(endAll);

stressTest('backup beside a running server, restore on another database, and the move to a service', async () => {
  const [first, second, backup] = [newFolder(), newFolder(), join(newFolder(), 'today')];
  putDatabase(first);
  const server = await start({ DATA_DIR: first });
  await upload(server, await signIn(server));
  const uploads = await readUploads(server);
  expect(Object.keys(uploads)).toHaveLength(1);
  expect(await markwright(['backup', backup], { DATA_DIR: first })).toMatch(
    /has \d+ rows of \d+ tables, and \d+ files/,
  );
  await server.end('SIGTERM');
  expect(await markwright(['verify', backup], {})).toBe('The backup is whole.\n');

  // From the embedded database and a disk to the same, made anew.
  await markwright(['restore', backup], { DATA_DIR: second });
  expect(readFileSync(join(second, 'secret'), 'utf8')).toBe(readFileSync(join(first, 'secret'), 'utf8'));
  const anewServer = await start({ DATA_DIR: second });
  expect(await readUploads(anewServer)).toEqual(uploads);
  await anewServer.end('SIGTERM');
  expect(await markwright(['doctor', '--deep'], { DATA_DIR: second })).not.toContain('WRONG');

  // From there to a database of one's own.
  const { url } = await newDatabase();
  const settings = { DATA_DIR: second, DATABASE_URL: url };
  expect(await markwright(['move'], settings)).toMatch(/All \d+ tables are in the database of DATABASE_URL/);
  expect(existsSync(join(second, 'postgres'))).toBe(false);
  await expect(markwright(['move'], settings)).rejects.toThrow('There is no database in');
  expect(await markwright(['doctor', '--deep'], settings)).not.toContain('WRONG');
  const last = await start(settings);
  expect(await readUploads(last)).toEqual(uploads);
  await upload(last, await signIn(last));
});

describe.runIf(hasS3)('with a real S3 service', () => {
  let service: S3Server;
  beforeAll(async () => {
    service = await startS3();
  }, S3_WAIT_MS);
  afterAll(() => service?.stop());

  test('files go to S3 and back, and a backup of S3 is restored to a disk and to another bucket', async () => {
    const [folder, other, backup] = [newFolder(), newFolder(), join(newFolder(), 'today')];
    const { url, connection } = await newDatabase();
    const disk = { DATA_DIR: folder, DATABASE_URL: url };
    const onDisk = await start(disk);
    const token = await signIn(onDisk);
    for (let count = 0; count < 20; count++) await upload(onDisk, token);
    const uploads = await readUploads(onDisk);
    const key = readFileSync(join(folder, 'secret'), 'utf8').trim();
    const onService = { ...disk, ...toSettings(service.newStore(), key) };
    // Once beside the server, and again after its end for what came meanwhile.
    await markwright(['files', 'copy', '--from', 'disk', '--to', 's3'], onService);
    await upload(onDisk, token);
    await onDisk.end('SIGTERM');
    expect(await markwright(['files', 'copy', '--from', 'disk', '--to', 's3'], onService)).toMatch(
      / \d of them are new/,
    );
    rmSync(join(folder, 'files'), { recursive: true });
    const server = await start(onService);
    const all = await readUploads(server);
    expect(all).toMatchObject(uploads);
    expect(Object.keys(all)).toHaveLength(21);
    await markwright(['backup', backup], onService);
    await server.end('SIGTERM');
    const everything = await readEverything(connection);

    // Back to the disk.
    await markwright(['files', 'copy', '--from', 's3', '--to', 'disk'], onService);
    expect(await markwright(['doctor', '--deep'], disk)).not.toContain('WRONG');
    // The backup into another bucket and another database, and onto a disk.
    const anew = await newDatabase();
    const elsewhere = { DATA_DIR: other, DATABASE_URL: anew.url, ...toSettings(service.newStore(), key) };
    await markwright(['restore', backup], elsewhere);
    const copy = await readEverything(anew.connection);
    for (const table of ['users', 'designs', 'stored_files', 'sequences', 'security']) {
      expect(copy[table], table).toEqual(everything[table]);
    }
    expect(await markwright(['doctor', '--deep'], elsewhere)).not.toContain('WRONG');
    expect(await readUploads(await start(elsewhere))).toEqual(all);
    const copies = await openDiskFiles(join(backup, 'files'));
    const own = await openDiskFiles(join(folder, 'files'));
    for await (const { key: name } of own.list('')) {
      expect(Buffer.from((await copies.get(name))!.bytes).equals((await own.get(name))!.bytes), name).toBe(true);
    }
  });
});
