/** Pagination by keyset (cursor), newest first. */
import { desc, type SQL, sql } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import type { Db } from './database.ts';
import { AppError } from './errors.ts';

/** Rows on a page. */
export const PAGE = 50;

/**
 * Returns the condition for rows after a cursor that `cutPage` returned, in a list ordered by these columns, both
 * descending; undefined for the first page. Throws invalid for a malformed cursor.
 */
export function isBeyond(createdAt: PgColumn, id: PgColumn, place: string | undefined): SQL | undefined {
  if (place === undefined) return undefined;
  const [, time, encodedId = ''] = /^(\d{1,15})\.([\w-]{1,350})$/.exec(place) ?? [];
  const last = Buffer.from(encodedId, 'base64url').toString();
  if (time === undefined || !/^[!-~]+$/.test(last)) {
    throw new AppError('invalid', 'The list cannot go on from there. Please load it again.');
  }
  return sql`(${createdAt}, ${id}) < (${new Date(Number(time))}, ${last})`;
}

/**
 * Cuts the `PAGE + 1` rows that were selected to a page. `next` is the cursor of the following page, null when there
 * is none.
 */
export function cutPage<R extends { readonly createdAt: Date }>(
  rows: readonly R[],
  idOf: (row: R) => string,
): { page: R[]; next: string | null } {
  const page = rows.slice(0, PAGE);
  const last = page.at(-1);
  return { page, next: last && rows.length > PAGE ? placeOf(last.createdAt, idOf(last)) : null };
}

/** Returns a cursor. Its last part is base64url: an e-mail address may contain characters that a cursor may not. */
const placeOf = (createdAt: Date, id: string): string =>
  `${createdAt.getTime()}.${Buffer.from(id).toString('base64url')}`;

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
