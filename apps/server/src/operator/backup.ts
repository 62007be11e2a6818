/**
 * A backup of everything, made while servers go on working: a folder of plain files.
 *
 *     backup.json      what the backup is of; written last, so that a backup without it was broken off
 *     SHA256SUMS       a line for each other file, as `sha256sum -c SHA256SUMS` reads it
 *     database/…       the rows of each table, as COPY writes them, compressed
 *     files/…          the stored files by their keys
 *     secret           the signing key, where it is a file of the data folder
 *
 * Its database is one moment. Files are copied before that moment and again after it: so a file that the moment knows
 * is there though somebody deletes it meanwhile. A file that was stored and deleted while the backup ran is missing.
 */
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, existsSync, readFileSync } from 'node:fs';
import { mkdir, open, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pipeline as pipe } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import type pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import type { Logger } from 'pino';
import { z } from 'zod';
import { migrateDatabase, newestMigration } from '../platform/database.ts';
import { StartError } from '../platform/errors.ts';
import { type FileStore, openDiskFiles } from '../platform/files.ts';
import { connectPatiently } from '../platform/lock.ts';
import { copyFiles } from './copyFiles.ts';
import type { Progress } from './progress.ts';
import {
  createMarker,
  type DatabaseShape,
  inSnapshot,
  passingBy,
  type RowsMark,
  readRows,
  readShape,
  type TableShape,
  writeRows,
} from './rows.ts';

const MANIFEST = 'backup.json';
const SUMS = 'SHA256SUMS';
const KEY = 'secret';
const FORMAT = 1;

const count = z.number().int().nonnegative();
const Manifest = z.object({
  format: z.literal(FORMAT, { error: 'It has a format that this version does not know.' }),
  /** The version of the program that made it. */
  version: z.string(),
  madeAt: z.iso.datetime(),
  installation: z.string(),
  lastMigration: count,
  sequences: z.record(z.string(), count.nullable()),
  tables: z.array(z.object({ name: z.string(), columns: z.array(z.string()), rows: count, digest: z.string() })),
  files: z.object({ count, sizeBytes: count }),
});
export type Manifest = z.infer<typeof Manifest>;

export interface BackupParts {
  /** Connects as the owner of the tables. */
  readonly ownerConnection: pg.ClientConfig;
  readonly files: FileStore;
  readonly progress?: Progress | undefined;
}

/** Makes a backup in a new or empty folder. Throws a StartError for another one. */
export async function writeBackup(
  folder: string,
  { ownerConnection, files, progress, keyPath, version, now }: BackupParts & WriteOptions,
): Promise<Manifest & { readonly missingCount: number }> {
  await makeEmpty(folder);
  const sums = new Map<string, string>();
  const copies = await openDiskFiles(join(folder, 'files'));
  const takeFiles = () =>
    copyFiles(files, copies, { progress, onContent: (key, sha256) => void sums.set(`files/${key}`, sha256) });
  await takeFiles();

  await mkdir(join(folder, 'database'), { mode: 0o700 });
  const client = await connectPatiently(ownerConnection);
  const moment = await inSnapshot(client, async () => {
    const shape = await readShape(client);
    const tables: (TableShape & RowsMark)[] = [];
    for (const table of shape.tables) {
      progress?.say(`table ${table.name}`);
      const { sha256, ...mark } = await writeTable(client, folder, table);
      sums.set(pathOfTable(table), sha256);
      tables.push({ ...table, ...mark });
    }
    const { rows } = await client.query<{ id: string }>('select id from installation');
    return { ...shape, tables, installation: rows[0]?.id, keys: await readLedger(client) };
  }).finally(() => client.end());
  if (!moment.installation) throw new StartError('The database holds nothing yet: no server has started on it.');

  const { count, sizeBytes } = await takeFiles();
  await copies.writeInstallation(moment.installation);
  if (keyPath && existsSync(keyPath)) await writeDurably(join(folder, KEY), readFileSync(keyPath));
  await writeDurably(
    join(folder, SUMS),
    [...sums].map(([path, sha256]) => `${sha256}  ${path}\n`),
  );
  const { installation, lastMigration, sequences, tables } = moment;
  const madeAt = now.toISOString();
  const manifest: Manifest = {
    ...{ format: FORMAT, version, madeAt, installation, lastMigration, sequences },
    tables: tables.map(({ name, columns, rows, digest }) => ({ name, columns: [...columns], rows, digest })),
    files: { count, sizeBytes },
  };
  await writeDurably(join(folder, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`);
  return { ...manifest, missingCount: moment.keys.filter((key) => !sums.has(`files/${key}`)).length };
}

interface WriteOptions {
  /** The signing key, where it is a file. */
  readonly keyPath: string | undefined;
  readonly version: string;
  readonly now: Date;
}

/** Reads the description of a backup. Throws a StartError for another folder, and for one that was broken off. */
export async function readManifest(folder: string): Promise<Manifest> {
  const text = await readFile(join(folder, MANIFEST), 'utf8').catch(() => undefined);
  if (text === undefined) {
    throw new StartError(`${folder} holds no whole backup: there is no ${MANIFEST}, which is written last.`);
  }
  try {
    return Manifest.parse(JSON.parse(text));
  } catch (cause) {
    const reason = cause instanceof z.ZodError ? cause.issues[0]?.message : 'It is damaged.';
    throw new StartError(`${join(folder, MANIFEST)} cannot be read. ${reason}`, { cause });
  }
}

/** Returns a sentence for each fault of a backup, none for a whole one. Reads every byte of it. */
export async function findBackupFaults(folder: string, progress?: Progress): Promise<string[]> {
  const manifest = await readManifest(folder);
  const sums = await readSums(folder);
  const faults: string[] = [];
  let checkedCount = 0;
  for (const [path, sha256] of sums) {
    const own = await hashFile(join(folder, path)).catch(() => undefined);
    if (own === undefined) faults.push(`${path} is missing.`);
    else if (own !== sha256) faults.push(`${path} was changed.`);
    progress?.say(`${++checkedCount} of ${sums.size} files`);
  }
  for (const table of manifest.tables) if (!sums.has(pathOfTable(table))) faults.push(`${table.name} is not listed.`);
  const fileCount = [...sums.keys()].filter((path) => path.startsWith('files/')).length;
  if (fileCount < manifest.files.count) {
    faults.push(`${SUMS} lists ${fileCount} files and not ${manifest.files.count}.`);
  }
  return faults;
}

/**
 * Restores a backup into an empty database and an empty place for files, and brings the tables up to date. Every row
 * and every file is compared on the way. Files come first, and rows all at once: one that was broken off can be run
 * again. Throws a StartError where something is in the way, and for a backup that is damaged or newer than this
 * program.
 */
export async function restoreBackup(
  folder: string,
  { ownerConnection, files, progress, log }: BackupParts & { readonly log: Logger },
): Promise<Manifest> {
  const manifest = await readManifest(folder);
  if (manifest.lastMigration > newestMigration()) {
    throw new StartError(`The backup was made by version ${manifest.version}, which is newer than this one.`);
  }
  await requireEmptyFiles(files, manifest.installation);
  await prepareTables(ownerConnection, manifest, log);

  const sums = await readSums(folder);
  await files.writeInstallation(manifest.installation);
  const { count } = await copyFiles(await openDiskFiles(join(folder, 'files')), files, {
    progress,
    onContent(key, sha256) {
      if (sums.get(`files/${key}`) === sha256) return;
      throw new StartError(`The file ${key} of the backup was changed. Look with: markwright verify ${folder}`);
    },
  });
  if (count < manifest.files.count) {
    throw new StartError(
      `The backup lacks ${manifest.files.count - count} files. Look with: markwright verify ${folder}`,
    );
  }

  const client = await connectPatiently(ownerConnection);
  try {
    const openTable = (table: TableShape) =>
      pipe(createReadStream(join(folder, pathOfTable(table))), createGunzip(), () => {});
    await writeRows(client, manifest, openTable, {
      report: (name) => progress?.say(`table ${name}`),
      expected: Object.fromEntries(manifest.tables.map((table) => [table.name, table])),
    });
  } finally {
    await client.end();
  }
  await migrateDatabase(ownerConnection, log);
  return manifest;
}

/** Returns the signing key in a backup. */
export const keyOfBackup = (folder: string): string | undefined => {
  const path = join(folder, KEY);
  return existsSync(path) ? path : undefined;
};

/** Brings the tables of an empty database to those of `shape`. Throws a StartError for one that is in use. */
export async function prepareTables(
  ownerConnection: pg.ClientConfig,
  { lastMigration }: Pick<DatabaseShape, 'lastMigration'>,
  log: Logger,
): Promise<void> {
  const client = await connectPatiently(ownerConnection);
  try {
    const { rows } = await client.query<{ isThere: boolean }>(
      `select to_regclass('public.installation') is not null as "isThere"`,
    );
    const isUsed = rows[0]?.isThere && (await client.query('select from installation')).rowCount !== 0;
    if (isUsed) {
      throw new StartError('The database holds an installation already. A backup is restored into an empty one.');
    }
    if (rows[0]?.isThere && (await readShape(client)).lastMigration > lastMigration) {
      throw new StartError('The database was prepared by a newer version. Drop it, and make an empty one.');
    }
  } finally {
    await client.end();
  }
  await migrateDatabase(ownerConnection, log, lastMigration);
}

async function requireEmptyFiles(files: FileStore, installation: string): Promise<void> {
  const owner = await files.readInstallation();
  if (owner === installation) return; // a restore that was broken off
  const { done } = await files.list('')[Symbol.asyncIterator]().next();
  if (owner !== undefined || !done) {
    throw new StartError(`There are files in ${files.place} already. A backup is restored into an empty place.`);
  }
}

const pathOfTable = ({ name }: Pick<TableShape, 'name'>): string => `database/${name}.copy.gz`;

async function writeTable(
  client: pg.Client,
  folder: string,
  table: TableShape,
): Promise<RowsMark & { readonly sha256: string }> {
  const marker = createMarker();
  const hash = createHash('sha256');
  const file = createWriteStream(join(folder, pathOfTable(table)), { flags: 'wx', mode: 0o600, flush: true });
  await pipeline(
    readRows(client, table),
    passingBy(marker.add),
    createGzip({ level: 6 }),
    passingBy((chunk) => void hash.update(chunk)),
    file,
  );
  return { ...marker.end(), sha256: hash.digest('hex') };
}

/** Returns the keys of the files that the database knows, but for those that are made again when needed. */
async function readLedger(client: pg.Client): Promise<string[]> {
  const keys: string[] = [];
  const lines = client.query(copyTo(`copy (select key from stored_files where kind <> 'cache') to stdout`));
  for await (const line of createInterface(lines)) keys.push(line);
  return keys;
}

async function readSums(folder: string): Promise<Map<string, string>> {
  const sums = new Map<string, string>();
  for await (const line of createInterface(createReadStream(join(folder, SUMS)))) {
    const [, sha256, path] = /^([0-9a-f]{64}) {2}((?:database|files)\/[\w./-]+)$/.exec(line) ?? [];
    if (!sha256 || !path || path.includes('..'))
      throw new StartError(`${join(folder, SUMS)} is damaged: ${line.slice(0, 100)}`);
    sums.set(path, sha256);
  }
  return sums;
}

async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk);
  return hash.digest('hex');
}

async function makeEmpty(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if ((await readdir(folder)).length > 0) {
    throw new StartError(`${folder} is not empty. A backup needs a folder of its own.`);
  }
}

async function writeDurably(path: string, content: string | Buffer | readonly string[]): Promise<void> {
  await writeFile(path, content as string, { flag: 'wx', mode: 0o600 });
  const handle = await open(path);
  await handle.sync().finally(() => handle.close());
}
