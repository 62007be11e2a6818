/** Looks at everything that a server needs, and says what is wrong in sentences. */
import { readdir } from 'node:fs/promises';
import type pg from 'pg';
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import { requireMigrations } from '../platform/database.ts';
import { AppError, StartError } from '../platform/errors.ts';
import type { FileStore } from '../platform/files.ts';
import { connectPatiently } from '../platform/lock.ts';
import { openFileStore } from '../platform/openFiles.ts';
import { fingerprintOf } from '../platform/secret.ts';
import { type DatabaseAccess, reachDatabase } from './databases.ts';
import type { Progress } from './progress.ts';

export interface Finding {
  readonly isGood: boolean;
  readonly text: string;
}

/** The oldest PostgreSQL that the tests run on. */
const LEAST_POSTGRES = 15;
/** Connections that a start needs beside its pool. */
const START_CONNECTIONS = 3;

/**
 * Checks database, files and key of the settings, one after another. `isDeep` also looks for each file that the
 * database knows. Changes nothing but for a file of a few bytes that tests the store.
 */
export async function examine(
  config: Config,
  log: Logger,
  { isDeep, progress }: { readonly isDeep: boolean; readonly progress?: Progress | undefined },
): Promise<Finding[]> {
  const findings: Finding[] = [];
  const note = (isGood: boolean, text: string): void => void findings.push({ isGood, text });
  const access = await attempt(note, () => reachDatabase(config, log));
  const files = await attempt(note, () => openFileStore(config, log));
  try {
    const installation = access && (await examineDatabase(config, access, note));
    if (files) await attempt(note, () => examineFiles(files, installation?.id, note));
    if (installation) examineKey(config, installation.keyFingerprint, note);
    if (isDeep && access && files) await compareLedger(access.ownerConnection, files, note, progress);
    await readdir(config.dataDir).catch(() => note(false, `The data folder ${config.dataDir} cannot be read.`));
  } finally {
    files?.close();
    await access?.stop();
  }
  return findings;
}

type Note = (isGood: boolean, text: string) => void;
interface Installation {
  readonly id: string;
  readonly keyFingerprint: string;
}

/** Notes an error for people; others are bugs. */
async function attempt<T>(note: Note, work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const isKnown = error instanceof StartError || error instanceof AppError;
    note(false, isKnown ? error.message : `The database does not answer: ${error.message || error.name}.`);
    return undefined;
  }
}

async function examineDatabase(
  { databasePool, databaseUrl }: Config,
  { ownerConnection }: DatabaseAccess,
  note: Note,
): Promise<Installation | undefined> {
  const client = await attempt(note, () => connectPatiently(ownerConnection));
  if (!client) return undefined;
  try {
    const { rows } = await client.query<{ version: string; connections: number }>(
      `select current_setting('server_version_num')::int / 10000 as version,
         current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int as connections`,
    );
    const { version, connections } = rows[0]!;
    note(Number(version) >= LEAST_POSTGRES, `The database answers. It is PostgreSQL ${version}.`);
    const serverCount = Math.floor(connections / (databasePool + START_CONNECTIONS));
    if (databaseUrl) {
      note(serverCount > 0, `Its ${connections} connections are enough for ${serverCount} servers of ${databasePool}.`);
    }
    await requireMigrations(ownerConnection);
    note(true, 'Its tables are those of this version.');
    const own = await client.query<Installation>(
      'select id, key_fingerprint as "keyFingerprint" from public.installation',
    );
    if (!own.rows[0]) note(false, 'No server has started on it yet.');
    return own.rows[0];
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    note(false, error.message);
    return undefined;
  } finally {
    await client.end();
  }
}

async function examineFiles(files: FileStore, installation: string | undefined, note: Note): Promise<void> {
  await files.check();
  note(true, `Files can be written in ${files.place}.`);
  const owner = await files.readInstallation();
  if (installation === undefined) return;
  note(
    owner === installation,
    owner === installation
      ? 'Files and database belong together.'
      : `The files in ${files.place} belong to another installation than the database.`,
  );
}

function examineKey({ secretKeys }: Config, fingerprint: string, note: Note): void {
  if (!secretKeys) return;
  const isCurrent = fingerprintOf(secretKeys[0]!) === fingerprint;
  const isSuccessor = secretKeys.slice(1).some((key) => fingerprintOf(key) === fingerprint);
  if (isCurrent) note(true, 'SECRET_KEY is the key of this installation.');
  else if (isSuccessor) note(true, 'SECRET_KEY replaces the key of this installation at the next start.');
  else note(false, 'SECRET_KEY is not the key of this installation.');
}

async function compareLedger(
  ownerConnection: pg.ClientConfig,
  files: FileStore,
  note: Note,
  progress: Progress | undefined,
): Promise<void> {
  const sizes = new Map<string, number>();
  for await (const { key, sizeBytes } of files.list('')) {
    sizes.set(key, sizeBytes);
    progress?.say(`${sizes.size} files`);
  }
  const client = await connectPatiently(ownerConnection);
  const { rows } = await client
    .query<{ key: string; bytes: string }>(`select key, bytes from stored_files where kind <> 'cache'`)
    .finally(() => client.end());
  const missing = rows.filter(({ key, bytes }) => sizes.get(key) !== Number(bytes));
  const examples = missing.slice(0, 5).map(({ key }) => key);
  note(
    missing.length === 0,
    missing.length === 0
      ? `All ${rows.length} files that the database knows are there, in their size.`
      : `${missing.length} of ${rows.length} files are missing or have another size: ${examples.join(', ')}`,
  );
}
