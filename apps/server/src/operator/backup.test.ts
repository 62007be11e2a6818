/** Backup, restore and move: everything is there again, row by row and byte by byte. */
import { randomBytes } from 'node:crypto';
import { appendFile, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import pino from 'pino';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { fillTables, readEverything } from '../../test/everything.ts';
import { migrateDatabase } from '../platform/database.ts';
import { type FileStore, openDiskFiles } from '../platform/files.ts';
import { findBackupFaults, readManifest, restoreBackup, writeBackup } from './backup.ts';
import { copyFiles } from './copyFiles.ts';

const log = pino({ level: 'silent' });
const superuser = inject('postgres');
const endings: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const end of endings.reverse()) await end();
});

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'markwright-backup-'));
  endings.push(() => rm(folder, { recursive: true }));
  return folder;
}

async function asSuperuser(...statements: string[]): Promise<void> {
  const client = new pg.Client({ ...superuser, database: 'postgres' });
  await client.connect();
  for (const statement of statements) await client.query(statement);
  await client.end();
}

/** Creates an empty database as an operator does: its owner is a plain role, which row-level security binds. */
async function newDatabase() {
  const name = `backup_${randomBytes(8).toString('hex')}`;
  await asSuperuser(`create role ${name} login`, `create database ${name} owner ${name}`);
  endings.push(() => asSuperuser(`drop database ${name} with (force)`, `drop role ${name}`));
  return {
    ownerConnection: { ...superuser, database: name, user: name },
    superConnection: { ...superuser, database: name },
  };
}

const CONTENTS: Readonly<Record<string, Buffer>> = {
  'designs/a/original.png': randomBytes(3000),
  'designs/a/preview.webp': randomBytes(10),
  'exports/deep/er/file.svg': Buffer.from('<svg/>'),
  'catalogue/empty.json': Buffer.alloc(0),
};

async function readFiles(files: FileStore): Promise<Record<string, string>> {
  const contents: Record<string, string> = {};
  for await (const { key } of files.list('')) {
    contents[key] = Buffer.from((await files.get(key))!.bytes).toString('base64');
  }
  return contents;
}

const MEDIA_TYPES = { png: 'image/png', webp: 'image/webp', svg: 'image/svg+xml', json: 'application/json' } as const;

let source: Awaited<ReturnType<typeof newDatabase>>;
let files: FileStore;
let backup: string;
let everything: Awaited<ReturnType<typeof readEverything>>;

const write = (folder: string) =>
  writeBackup(folder, {
    ...{ ownerConnection: source.ownerConnection, files, keyPath: undefined, version: '1.2.3' },
    now: new Date('2026-11-28T12:00:00Z'),
  });

beforeAll(async () => {
  source = await newDatabase();
  await migrateDatabase(source.ownerConnection, log);
  await fillTables(source.superConnection);
  files = await openDiskFiles(await newFolder());
  for (const [key, bytes] of Object.entries(CONTENTS)) {
    await files.put(key, bytes, MEDIA_TYPES[key.split('.').at(-1) as keyof typeof MEDIA_TYPES]);
  }
  everything = await readEverything(source.superConnection);
  await files.writeInstallation('v1');
  backup = join(await newFolder(), 'today');
  await write(backup);
});

test('a restored backup has every row, every rule of the tables and every file', async () => {
  const target = await newDatabase();
  const restoredFiles = await openDiskFiles(await newFolder());
  await restoreBackup(backup, { ownerConnection: target.ownerConnection, files: restoredFiles, log });
  const copy = await readEverything(target.superConnection);
  // More than one row of each table, those that row-level security hides too.
  const names = Object.keys(everything);
  expect(names.length).toBeGreaterThan(45);
  for (const name of names) {
    if (!['installation', 'catalogue_revision'].includes(name)) expect(everything[name]!.length).toBeGreaterThan(1);
    expect(copy[name], name).toEqual(everything[name]);
  }
  expect(await readFiles(restoredFiles)).toEqual(await readFiles(files));
  expect(Object.keys(await readFiles(files))).toHaveLength(4);
  expect(await restoredFiles.readInstallation()).toBe('v1');

  // Nothing is put over an installation.
  const again = { ownerConnection: target.ownerConnection, files: await openDiskFiles(await newFolder()), log };
  await expect(restoreBackup(backup, again)).rejects.toThrow('The database holds an installation already.');
  const { ownerConnection } = await newDatabase();
  const foreign = await openDiskFiles(await newFolder());
  await foreign.put('a/x.png', Buffer.from('x'), 'image/png');
  await expect(restoreBackup(backup, { ownerConnection, files: foreign, log })).rejects.toThrow(/There are files in/);
});

test('a backup says what it is of, and is checked without a database', async () => {
  expect(await readManifest(backup)).toMatchObject({
    ...{ version: '1.2.3', madeAt: '2026-11-28T12:00:00.000Z', installation: 'v1' },
    files: { count: 4, sizeBytes: 3016 },
  });
  expect(await findBackupFaults(backup)).toEqual([]);
  await expect(write(backup)).rejects.toThrow(`${backup} is not empty.`);
});

test('a damaged backup is found, and fills nothing', async () => {
  const folder = join(await newFolder(), 'damaged');
  await write(folder);
  await appendFile(join(folder, 'files', 'designs', 'a', 'preview.webp'), 'x');
  await rm(join(folder, 'database', 'users.copy.gz'));
  expect((await findBackupFaults(folder)).sort()).toEqual([
    'database/users.copy.gz is missing.',
    'files/designs/a/preview.webp was changed.',
  ]);
  const target = await newDatabase();
  const restoredFiles = await openDiskFiles(await newFolder());
  const restore = () => restoreBackup(folder, { ownerConnection: target.ownerConnection, files: restoredFiles, log });
  await expect(restore()).rejects.toThrow('The file designs/a/preview.webp of the backup was changed.');
  await rename(join(backup, 'files/designs/a/preview.webp'), join(folder, 'files/designs/a/preview.webp'));
  await expect(restore()).rejects.toThrow(/ENOENT.*users/);
  expect((await readEverything(target.superConnection)).companies).toEqual([]);
  // A table of another backup is noticed by its rows.
  await writeFileFrom(join(backup, 'database', 'guests.copy.gz'), join(folder, 'database', 'users.copy.gz'));
  await expect(restore()).rejects.toThrow();
  // With the right table, the same places are filled.
  await rm(join(folder, 'database', 'users.copy.gz'));
  await writeFileFrom(join(backup, 'database', 'users.copy.gz'), join(folder, 'database', 'users.copy.gz'));
  await restore();
  expect(await readEverything(target.superConnection)).toEqual(everything);

  await rm(join(folder, 'backup.json'));
  await expect(restore()).rejects.toThrow('holds no whole backup');
});

const writeFileFrom = async (from: string, to: string) => appendFile(to, await readFile(from));

test('files are copied once, and again when they changed', async () => {
  const target = await openDiskFiles(await newFolder());
  expect(await copyFiles(files, target)).toMatchObject({ count: 4, copiedCount: 4 });
  expect(await copyFiles(files, target)).toMatchObject({ count: 4, copiedCount: 0 });
  await target.delete('catalogue/empty.json');
  await files.put('exports/deep/er/file.svg', Buffer.from('<SVG/>'), 'image/svg+xml');
  expect(await copyFiles(files, target)).toMatchObject({ count: 4, copiedCount: 2 });
  expect(await readFiles(target)).toEqual(await readFiles(files));
});
