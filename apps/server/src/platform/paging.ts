/** Pagination by keyset (cursor), newest first, and long lists in pieces. */
import { setTimeout } from 'node:timers/promises';
import { LIST_PAGE as PAGE } from '@markwright/contract';
import { asc, desc, inArray, type SQL, sql } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import { type Db, isDatabaseDown } from './database.ts';
import { AppError } from './errors.ts';

export { PAGE };

/**
 * Returns the condition for rows after a cursor that `cutPage` returned, in a list ordered by these columns, both
 * descending; undefined for the first page. Throws invalid for a malformed cursor.
 */
export function isBeyond(time: PgColumn, id: PgColumn, place: string | undefined): SQL | undefined {
  if (place === undefined) return undefined;
  const [, lastTime, encodedId = ''] = /^(\d{1,15})\.([\w-]{1,350})$/.exec(place) ?? [];
  const last = Buffer.from(encodedId, 'base64url').toString();
  if (lastTime === undefined || !/^[!-~]+$/.test(last)) {
    throw new AppError('invalid', 'The list cannot go on from there. Please load it again.');
  }
  return sql`(${time}, ${id}) < (${new Date(Number(lastTime))}, ${last})`;
}

/**
 * Cuts the `PAGE + 1` rows that were selected to a page. `next` is the cursor of the following page, null when there
 * is none.
 */
export function cutPage<R extends { readonly createdAt: Date }>(
  rows: readonly R[],
  idOf: (row: R) => string,
): { page: R[]; next: string | null } {
  return cutPageBy(rows, (row) => row.createdAt, idOf);
}

/** Cuts a page as `cutPage` does, of a list that another time orders. */
export function cutPageBy<R>(
  rows: readonly R[],
  timeOf: (row: R) => Date,
  idOf: (row: R) => string,
): { page: R[]; next: string | null } {
  const page = rows.slice(0, PAGE);
  const last = page.at(-1);
  return { page, next: last && rows.length > PAGE ? placeOf(timeOf(last), idOf(last)) : null };
}

/** Returns a cursor. Its last part is base64url: an e-mail address may contain characters that a cursor may not. */
const placeOf = (time: Date, id: string): string => `${time.getTime()}.${Buffer.from(id).toString('base64url')}`;

type PagedTable<Id extends string> = PgTable & { readonly createdAt: PgColumn } & Readonly<Record<Id, PgColumn>>;

/**
 * Reads a page of a whole table, newest first, after the cursor `before`. `id` names the column that orders equal
 * times.
 */
export async function readPage<Id extends string, T extends PagedTable<Id>>(
  db: Pick<Db, 'select'>,
  table: T,
  id: Id,
  before: string | undefined,
): Promise<{ page: T['$inferSelect'][]; next: string | null }> {
  const rows = await db
    .select()
    .from(table as PgTable)
    .where(isBeyond(table.createdAt, table[id], before))
    .orderBy(desc(table.createdAt), desc(table[id]))
    .limit(PAGE + 1);
  return cutPage(rows as (T['$inferSelect'] & { createdAt: Date })[], (row) => String(row[id]));
}

/** The rows of one query: few, as a row may hold a composition of 256 kB. */
const ROWS_TOGETHER = 20;
const TRIES = 5;
const PAUSE_MS = 1_000;

/**
 * Reads a long list in the order of its ids, in calls of `read` for a few ids each. So memory holds all ids but few
 * rows, no query takes long, and the time is linear without an index of the order. What was deleted meanwhile is left
 * out. A database that does not answer for a moment costs a call another try, not what was read before: for work in
 * the background.
 */
export async function* readInPieces<T>(
  rows: readonly { readonly id: string }[],
  read: (ids: string[]) => Promise<readonly T[]>,
): AsyncGenerator<T> {
  for (let start = 0; start < rows.length; start += ROWS_TOGETHER) {
    const ids = rows.slice(start, start + ROWS_TOGETHER).map(({ id }) => id);
    yield* await persist(() => read(ids));
  }
}

async function persist<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (tries === TRIES || !isDatabaseDown(error)) throw error;
      await setTimeout(PAUSE_MS);
    }
  }
}

/** Reads the rows of a table that meet a condition, oldest first, in pieces. */
export async function* readOldestFirst<T extends PagedTable<'id'>>(
  db: Pick<Db, 'select'>,
  table: T,
  condition: SQL,
): AsyncGenerator<T['$inferSelect']> {
  const oldest = [asc(table.createdAt), asc(table.id)];
  const whole = table as PgTable;
  const ids = await db
    .select({ id: table.id })
    .from(whole)
    .where(condition)
    .orderBy(...oldest);
  yield* readInPieces(ids as { id: string }[], async (some) =>
    db
      .select()
      .from(whole)
      .where(inArray(table.id, some))
      .orderBy(...oldest),
  );
}
