/** The connection to PostgreSQL: its limits, its migrations, and the meaning of its errors. */
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres';
import { migrate } from 'drizzle-orm/node-postgres/migrator';
import pg from 'pg';
import type { Logger } from 'pino';
import { version } from '../../package.json';
import { StartError } from './errors.ts';
import { withLock } from './lock.ts';
import { requireOldestVersion, writeOldestVersion } from './oldestVersion.ts';
import { nameOfStatement, noSpans, type Spans } from './spans.ts';

export type Db = NodePgDatabase;
export type Transaction = Parameters<Parameters<Db['transaction']>[0]>[0];

/** A pool of connections. */
export interface Database {
  readonly db: Db;
  /**
   * Runs SQL text, which may hold several statements. After an error the connection is closed, with any open
   * transaction.
   */
  query(text: string, values?: unknown[]): Promise<pg.QueryResult>;
  /** Runs a query. Throws what the database threw. */
  check(): Promise<void>;
  /** Resolves when the database server has closed every connection, so that it can be stopped without breaking one. */
  close(): Promise<void>;
}

// A request is answered within three seconds, with 503 at worst. No statement of ours takes a tenth of that. How long
// the database works on a statement, `roleTimeouts.ts` says.
const CONNECT_TIMEOUT_MS = 2_500;
const ANSWER_TIMEOUT_MS = 2_800;
/** Longer than a statement may take. A frozen server never closes its end of a connection. */
const CLOSE_LIMIT_MS = 3_000;

/**
 * Opens a pool of connections; it connects with the first query. `onError` is called when an idle connection breaks;
 * the pool replaces it.
 */
export function openDatabase(
  connection: pg.PoolConfig,
  onError: (error: Error) => void,
  maxConnections = 12,
  spans: Spans = noSpans,
): Database {
  const pool = new pg.Pool({
    max: maxConnections,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    idleTimeoutMillis: 30_000,
    // A frozen server answers nothing at all, not even that its time is over.
    query_timeout: ANSWER_TIMEOUT_MS,
    keepAlive: true,
    application_name: 'markwright',
    ...connection,
  });
  pool.on('error', onError);
  // `pool.end` does not wait until the connections are closed.
  const open = new Set<Promise<void>>();
  let closing: Promise<void> | undefined;
  pool.on('connect', (client) => {
    // A connection that breaks inside a transaction fails its next statement. Without a listener, the error would end
    // the process.
    client.on('error', () => {});
    const connectionEnd = new Promise<void>((resolve) => client.once('end', () => resolve()));
    open.add(connectionEnd);
    void connectionEnd.then(() => open.delete(connectionEnd));
  });
  const ask: Ask = (statement, values, target = pool) => {
    const work = () => asDatabaseWork(target.query(statement as pg.QueryConfig, values));
    if (!spans.isOn) return work();
    const text = typeof statement === 'string' ? statement : statement.text;
    return spans.part(nameOfStatement(text), { 'db.system.name': 'postgresql' }, work);
  };
  const query = (statement: string | pg.QueryConfig, values?: unknown[]) => ask(statement, values);
  return {
    db: withTransactions(drizzle({ query } as pg.PoolClient), pool, ask),
    query,
    async check() {
      await query('select 1');
    },
    close: () => {
      closing ??= close();
      return closing;
    },
  };

  async function close(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const limit = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, CLOSE_LIMIT_MS);
    });
    await Promise.race([pool.end().then(() => Promise.all(open)), limit]);
    clearTimeout(timer);
  }
}

/** Sends a statement over a connection, or any of the pool. */
type Ask = (
  statement: string | pg.QueryConfig,
  values?: unknown[],
  target?: Pick<pg.Pool, 'query'> | pg.PoolClient,
) => Promise<pg.QueryResult>;

/**
 * Replaces drizzle's transactions by ones that always release their connection, and end a connection that stops
 * answering. Otherwise statements would wait behind the silent one, and the next user of the connection would be
 * inside this transaction and commit its writes. drizzle 0.45 keeps the connection when `begin` fails and passes it on
 * when `rollback` fails (https://github.com/drizzle-team/drizzle-orm/issues/6114).
 */
function withTransactions(db: Db, pool: pg.Pool, ask: Ask): Db {
  db.transaction = async (work, config) => {
    const client = await asDatabaseWork(pool.connect());
    let loss: unknown;
    let isOver = false;
    const query = async (statement: pg.QueryConfig, values: unknown[]): Promise<pg.QueryResult> => {
      if (loss) throw loss;
      if (isOver) throw new Error('The transaction is over: its connection may be somebody else’s by now.');
      try {
        const result = await ask(statement, values, client);
        if (statement.text === 'commit' && result.command === 'ROLLBACK') {
          throw new Error('Nothing of the transaction was stored: a statement in it had failed.');
        }
        return result;
      } catch (error) {
        if (isDatabaseDown(error)) {
          loss ??= error;
          void client.end();
        }
        throw error;
      }
    };
    try {
      return await drizzle({ query } as pg.PoolClient).transaction(work, config);
    } finally {
      isOver = true;
      client.release(loss !== undefined);
    }
  };
  return db;
}

/**
 * Brings the tables up to date, or to the migration of the time `last`. Several processes may call it at once. Throws a
 * StartError when the database is one that this version does not work on.
 */
export async function migrateDatabase(
  ownerConnection: pg.ClientConfig,
  log: Pick<Logger, 'info'>,
  last = Number.POSITIVE_INFINITY,
): Promise<void> {
  await withLock(ownerConnection, 'migrating', log, async (client) => {
    await requireOldestVersion(client, version);
    // A migration may take longer than a statement of the running server.
    const query = async (statement: pg.QueryConfig, values: unknown[]): Promise<pg.QueryResult> => {
      const result = await client.query(statement, values);
      if (statement.text === 'begin') await client.query('set local statement_timeout = 0');
      return result;
    };
    const { folder, remove } = folderOfMigrations(last);
    await migrate(drizzle({ query } as pg.PoolClient), { migrationsFolder: folder }).finally(remove);
    await writeOldestVersion(client);
  });
}

/** Returns a folder with the migrations up to a time. The library knows folders alone, not how far to go. */
function folderOfMigrations(last: number): { folder: string; remove: () => void } {
  const folder = migrationsFolder();
  if (last >= newestMigration()) return { folder, remove: () => {} };
  const part = mkdtempSync(join(tmpdir(), 'markwright-migrations-'));
  cpSync(folder, part, { recursive: true });
  const journalPath = join(part, 'meta', '_journal.json');
  const journal = JSON.parse(readFileSync(journalPath, 'utf8')) as { entries: { when: number }[] };
  writeFileSync(
    journalPath,
    JSON.stringify({ ...journal, entries: journal.entries.filter(({ when }) => when <= last) }),
  );
  return { folder: part, remove: () => rmSync(part, { recursive: true, force: true }) };
}

/** Returns the time of this version's newest migration, in ms. */
export function newestMigration(): number {
  return Math.max(
    ...readMigrationFiles({ migrationsFolder: migrationsFolder() }).map(({ folderMillis }) => folderMillis),
  );
}

/** Throws a StartError when the database lacks a migration of this version. It may have those of the next one. */
export async function requireMigrations(ownerConnection: pg.ClientConfig): Promise<void> {
  const database = openDatabase(ownerConnection, () => {}, 1);
  const reading = requireOldestVersion(database, version).then(() =>
    database.query('select max(created_at) as "last" from drizzle.__drizzle_migrations'),
  );
  // Neither the schema nor the table is there before the first migration.
  const isNew = (error: unknown): boolean => ['3F000', '42P01'].includes(databaseCode(error) ?? '');
  const last = await reading
    .then(
      ({ rows }) => Number(rows[0]?.last ?? 0),
      (error: unknown) => {
        if (isNew(error)) return 0;
        throw error;
      },
    )
    .finally(database.close);
  const missing = readMigrationFiles({ migrationsFolder: migrationsFolder() }).filter(
    ({ folderMillis }) => folderMillis > last,
  );
  if (missing.length === 0) return;
  throw new StartError(
    `The database lacks ${missing.length === 1 ? 'a migration' : `${missing.length} migrations`} of this version. ` +
      'Run “markwright migrate” first, or set MIGRATE to auto.',
  );
}

/** Returns `apps/server/drizzle`, two folders up from this file and one up from the built `dist/main.js`. */
function migrationsFolder(): string {
  const folder = ['../../drizzle', '../drizzle']
    .map((path) => fileURLToPath(new URL(path, import.meta.url)))
    .find((path) => existsSync(`${path}/meta/_journal.json`));
  if (!folder) throw new Error('The folder apps/server/drizzle with the migrations is missing.');
  return folder;
}

/** Errors that a query or its connection threw. A socket to another service breaks with the same codes. */
const databaseErrors = new WeakSet<Error>();

function asDatabaseWork<T>(work: Promise<T>): Promise<T> {
  return work.catch((error: unknown) => {
    if (error instanceof Error) databaseErrors.add(error);
    throw error;
  });
}

/** Returns true when an insert or update violated a unique index. */
export function isUniqueViolation(error: unknown): boolean {
  return databaseCode(error) === '23505';
}

/** Returns true when a query was given text that no column can hold: a zero character. */
export function isUnstorableText(error: unknown): boolean {
  return databaseCode(error) === '22021';
}

/** Returns true when a row was written for an account, or its company, that was deleted meanwhile. */
export function isAccountGone(error: unknown): boolean {
  return causes(error).some(
    (cause) =>
      cause instanceof pg.DatabaseError &&
      cause.code === '23503' &&
      /_(users|companies)_id_fk$/.test(cause.constraint ?? ''),
  );
}

/** Returns true when the database could not be reached or did not answer in time: the call may be tried again. */
export function isDatabaseDown(error: unknown): boolean {
  const failure = causes(error).find((cause) => databaseErrors.has(cause));
  if (!failure) return false;
  const code = databaseCode(failure);
  if (code !== undefined) {
    return (
      // classes of connection errors, of a server that stops, of full resources, and of its disk
      /^(08|57P0|53|58)/.test(code) ||
      code === '57014' || // statement timeout
      code === '25006' || // a server that may only be read: its successor is being chosen
      ['ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'ENETDOWN', 'ENOTCONN'].includes(code) ||
      isConnecting(failure)
    );
  }
  return causes(failure).some((cause) =>
    /timeout exceeded when trying to connect|Connection terminated|Query read timeout|Client has encountered a connection error/.test(
      cause.message,
    ),
  );
}

/** Returns PostgreSQL's error code, or the system's, of the error that drizzle wrapped. */
function databaseCode(error: unknown): string | undefined {
  for (const cause of causes(error)) {
    // Only errors of a query: a missing file does not mean that the database is down.
    if (!(cause instanceof Error) || !('code' in cause) || typeof cause.code !== 'string') continue;
    if (cause instanceof pg.DatabaseError || isSocketError(cause)) return cause.code;
  }
  return undefined;
}

function isSocketError(error: Error): boolean {
  return 'syscall' in error && ['connect', 'read', 'write', 'getaddrinfo'].includes(String(error.syscall));
}

/**
 * Returns true when no connection was made, for any reason: nothing listens, the backlog is full (EAGAIN), no file
 * handle is free (EMFILE).
 */
function isConnecting(error: unknown): boolean {
  return causes(error).some(
    (cause) =>
      cause instanceof Error && 'syscall' in cause && ['connect', 'getaddrinfo'].includes(String(cause.syscall)),
  );
}

function causes(error: unknown): Error[] {
  const chain: Error[] = [];
  for (let cause = error; cause instanceof Error && chain.length < 8; cause = cause.cause) chain.push(cause);
  return chain;
}
