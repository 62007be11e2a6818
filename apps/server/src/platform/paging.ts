/** Lists that go on, newest first: where a page ends and the next one begins. */
import { type SQL, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import { AppError } from './errors.ts';

export const PAGE = 50;

/**
 * What comes after a place that `cutPage` gave, in a list ordered by these columns, both descending; undefined for the
 * beginning. Throws invalid for what is no place.
 */
export function isBeyond(createdAt: PgColumn, id: PgColumn, place: string | undefined): SQL | undefined {
  if (place === undefined) return undefined;
  const [, time, coded = ''] = /^(\d{1,15})\.([\w-]{1,350})$/.exec(place) ?? [];
  const last = Buffer.from(coded, 'base64url').toString();
  if (time === undefined || !/^[!-~]+$/.test(last)) {
    throw new AppError('invalid', 'The list cannot go on from there. Please load it again.');
  }
  return sql`(${createdAt}, ${id}) < (${new Date(Number(time))}, ${last})`;
}

/** The page of `PAGE + 1` rows that were asked for, and where the following ones begin; null when there are none. */
export function cutPage<R extends { readonly createdAt: Date }>(
  rows: readonly R[],
  idOf: (row: R) => string,
): { page: R[]; next: string | null } {
  const page = rows.slice(0, PAGE);
  const last = page.at(-1);
  return { page, next: last && rows.length > PAGE ? placeOf(last.createdAt, idOf(last)) : null };
}

/** An address may hold what a place may not: its last part is coded. */
const placeOf = (createdAt: Date, id: string): string =>
  `${createdAt.getTime()}.${Buffer.from(id).toString('base64url')}`;
