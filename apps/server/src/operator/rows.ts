/**
 * The rows of a database, from one to another. PostgreSQL's own COPY carries them, in its text form, which every
 * version of PostgreSQL reads: no dump program has to be there, and none has to have the version of the server.
 *
 * The tables themselves come from the migrations.
 */
import { hash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import { StartError } from '../platform/errors.ts';

export interface TableShape {
  readonly name: string;
  /** Those that hold values of their own; generated ones are left out. */
  readonly columns: readonly string[];
}

/** What a database holds besides its rows. */
export interface DatabaseShape {
  readonly tables: readonly TableShape[];
  /** The last number of each sequence; null where none was taken. */
  readonly sequences: Readonly<Record<string, number | null>>;
  /** The time in the name of its last migration, in ms. */
  readonly lastMigration: number;
}

/** What tells the rows of a table from others, in whatever order they come. */
export interface RowsMark {
  readonly rows: number;
  /** The sum of the rows' hashes: 16 hexadecimal digits. */
  readonly digest: string;
}

// The forms of values that do not depend on the settings of a server or of its role.
const SETTINGS = `
  set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0; set local lock_timeout = 0;
  set local client_encoding = 'UTF8'; set local timezone = 'UTC'; set local datestyle = 'ISO, MDY';
  set local intervalstyle = 'postgres'; set local bytea_output = 'hex'; set local extra_float_digits = 1;
  set local search_path = public`;

/**
 * Runs `work` on one moment of the database, while others go on writing. The connection is the owner's, whom row-level
 * security may bind: in the scope of all companies, each row is there.
 */
export async function inSnapshot<T>(client: pg.Client, work: () => Promise<T>): Promise<T> {
  await client.query('begin isolation level repeatable read read only');
  try {
    await client.query(`${SETTINGS}; select set_config('markwright.company', '*', true)`);
    return await work();
  } finally {
    await client.query('rollback');
  }
}

export async function readShape(client: pg.Client): Promise<DatabaseShape> {
  const tables = await client.query<{ name: string; columns: string[] }>(`
    select relname as name, array(
      select attname::text from pg_attribute
      where attrelid = pg_class.oid and attnum > 0 and not attisdropped and attgenerated = '' order by attnum
    ) as columns
    from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' order by relname`);
  const sequences = await client.query<{ name: string; last: string | null }>(
    `select sequencename as name, last_value as last from pg_sequences where schemaname = 'public' order by 1`,
  );
  const migration = await client.query<{ last: string }>(
    'select max(created_at) as last from drizzle.__drizzle_migrations',
  );
  return {
    tables: tables.rows,
    sequences: Object.fromEntries(sequences.rows.map(({ name, last }) => [name, last === null ? null : Number(last)])),
    lastMigration: Number(migration.rows[0]?.last),
  };
}

/** Returns the rows of a table, a line each. */
export function readRows(client: pg.Client, { name, columns }: TableShape): Readable {
  return client.query(copyTo(`copy ${columnsOf(client, name, columns)} to stdout`));
}

/** Returns how many rows there are and their digest. */
async function markRows(rows: AsyncIterable<Buffer>): Promise<RowsMark> {
  const marker = createMarker();
  for await (const chunk of rows) marker.add(chunk);
  return marker.end();
}

/** Adds up rows that pass by in chunks. */
export function createMarker(): { add(chunk: Buffer): void; end(): RowsMark } {
  let rows = 0;
  let sum = 0n;
  let pieces: Buffer[] = [];
  return {
    add(chunk) {
      let start = 0;
      for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, start)) {
        pieces.push(chunk.subarray(start, end));
        const row = pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces);
        sum = BigInt.asUintN(64, sum + hash('sha256', row, 'buffer').readBigUInt64BE());
        rows++;
        pieces = [];
        start = end + 1;
      }
      if (start < chunk.length) pieces.push(Buffer.from(chunk.subarray(start)));
    },
    end: () => ({ rows, digest: sum.toString(16).padStart(16, '0') }),
  };
}

/**
 * Fills the tables of a database that has the migrations of `shape` and nothing else, in one transaction: all of it or
 * nothing. Every table is read again and compared with the rows that came, or that are expected. Throws a StartError
 * where they differ, and where the tables are others than those of `shape`.
 *
 * Foreign keys are made again at the end, because tables that point at each other have no order. Triggers rest, so
 * that they change nothing that comes. Row-level security lets no COPY in, so it does not bind the owner meanwhile.
 */
export async function writeRows(
  client: pg.Client,
  shape: DatabaseShape,
  open: (table: TableShape) => Readable,
  { expected, report }: WriteOptions = {},
): Promise<void> {
  await client.query('begin');
  try {
    await client.query(SETTINGS);
    requireSameTables(await readShape(client), shape);
    const names = shape.tables.map(({ name }) => client.escapeIdentifier(name));
    const forcedNames = await listForced(client);
    const keys = await listForeignKeys(client);
    await client.query(
      [
        ...keys.map(({ table, name }) => `alter table ${table} drop constraint ${name}`),
        ...forcedNames.map((table) => `alter table ${table} no force row level security`),
        ...names.map((table) => `alter table ${table} disable trigger user`),
        `truncate ${names.join(', ')}`,
      ].join(';'),
    );
    for (const table of shape.tables) {
      report?.(table.name);
      const marker = createMarker();
      const target = client.query(copyFrom(`copy ${columnsOf(client, table.name, table.columns)} from stdin`));
      await pipeline(open(table), passingBy(marker.add), target);
      const mark = expected?.[table.name] ?? marker.end();
      const own = await markRows(readRows(client, table));
      if (mark.rows !== own.rows || mark.digest !== own.digest) {
        throw new StartError(`The table ${table.name} does not hold the rows that it should. Nothing was stored.`);
      }
    }
    await client.query(
      [
        ...keys.map(({ table, name, definition }) => `alter table ${table} add constraint ${name} ${definition}`),
        ...forcedNames.map((table) => `alter table ${table} force row level security`),
        ...names.map((table) => `alter table ${table} enable trigger user`),
      ].join(';'),
    );
    for (const [name, last] of Object.entries(shape.sequences)) {
      if (last !== null) await client.query('select setval($1::regclass, $2)', [client.escapeIdentifier(name), last]);
    }
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => {});
    throw error;
  }
}

interface WriteOptions {
  /** What the rows of each table add up to. */
  readonly expected?: Readonly<Record<string, RowsMark>>;
  readonly report?: (table: string) => void;
}

/** Returns a step of a pipeline that shows each chunk to `look`. */
export const passingBy = (look: (chunk: Buffer) => void) =>
  async function* (chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of chunks) {
      look(chunk);
      yield chunk;
    }
  };

function columnsOf(client: pg.Client, name: string, columns: readonly string[]): string {
  const list = columns.map((column) => client.escapeIdentifier(column)).join(', ');
  return `public.${client.escapeIdentifier(name)} (${list})`;
}

function requireSameTables(own: DatabaseShape, shape: DatabaseShape): void {
  const listOf = ({ tables }: DatabaseShape) =>
    tables.map(({ name, columns }) => `${name}(${[...columns].sort().join()})`);
  const names = new Set(listOf(own));
  const unknown = listOf(shape).find((table) => !names.has(table));
  if (!unknown && own.tables.length === shape.tables.length) return;
  const example = unknown ?? 'more tables';
  throw new StartError(`The database has other tables than those that are to be filled: ${example}.`);
}

async function listForced(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select oid::regclass::text as name from pg_class
     where relnamespace = 'public'::regnamespace and relkind = 'r' and relforcerowsecurity`,
  );
  return rows.map(({ name }) => name);
}

async function listForeignKeys(client: pg.Client) {
  const { rows } = await client.query<{ table: string; name: string; definition: string }>(
    `select conrelid::regclass::text as table, quote_ident(conname) as name, pg_get_constraintdef(oid) as definition
     from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace and conparentid = 0`,
  );
  return rows;
}
