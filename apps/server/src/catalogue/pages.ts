/**
 * Pages of a list of products that is too long for one answer, of base products and of a company's own: ordered by
 * category and name, with a search by beginnings of words.
 */
import { PRODUCTS_PAGE, type ProductsQuery } from '@markwright/contract';
import { and, asc, eq, inArray, or, type SQL, sql } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import type { Db, Transaction } from '../platform/database.ts';
import { AppError } from '../platform/errors.ts';
import { type SearchColumns, searchWordsOf } from './tables.ts';

interface PagedTable extends PgTable, SearchColumns {
  readonly id: PgColumn;
  readonly productId?: PgColumn;
}

/** Returns true when the query asks for a page, even of a short list. */
export const isPaged = ({ search, after, ids }: ProductsQuery): boolean =>
  Boolean(search) || after !== undefined || ids !== undefined;

/**
 * Reads a page of the rows that meet a condition. A page with fewer than `PRODUCTS_PAGE` rows is the last. Throws
 * invalid when `after` is none of these rows.
 */
export async function readProductsPage<T extends PagedTable>(
  db: Db | Transaction,
  table: T,
  { search, after, ids }: ProductsQuery,
  condition?: SQL,
): Promise<T['$inferSelect'][]> {
  const place = sql`${table.category}, ${table.name}, ${table.id}`;
  let isBeyond: SQL | undefined;
  if (after !== undefined) {
    const last = and(condition, eq(table.id, after));
    if ((await db.$count(table, last)) === 0) {
      throw new AppError('invalid', 'The list cannot go on from there. Please load it again.');
    }
    isBeyond = sql`(${place}) > (select ${place} from ${table} where ${last})`;
  }
  const idList = ids?.split(',') ?? [];
  const isNamed = ids === undefined ? undefined : or(...idColumnsOf(table).map((column) => inArray(column, idList)));
  const words = search === undefined ? [] : toWords(search);
  const isMeant = and(condition, isBeyond, isNamed);
  const readPage = (reader: Db | Transaction, where: SQL | undefined): Promise<T['$inferSelect'][]> =>
    reader
      .select()
      .from(table as PgTable)
      .where(where)
      .orderBy(asc(table.category), asc(table.name), asc(table.id))
      .limit(PRODUCTS_PAGE);
  if (words.length === 0) return readPage(db, isMeant);
  return db.transaction(async (tx) => {
    // To the planner, reading all rows seems cheap where many have a word. It makes the words of each anew: seconds.
    // Helpers of its own would cost a search 1.6 times the processor time, and ten searches at once would keep some
    // twenty processes busy: calls that have nothing to do with them would wait for their turn.
    await tx.execute(
      sql`select set_config('enable_seqscan', 'off', true), set_config('max_parallel_workers_per_gather', '0', true)`,
    );
    return readPage(tx, isAmongHits(table, words, isMeant));
  });
}

const idColumnsOf = ({ id, productId }: PagedTable): PgColumn[] => (productId ? [id, productId] : [id]);

/** Letters and digits of any script, as `searchWordsOf` has them. */
const toWords = (search: string): string[] => search.match(/[\p{L}\p{N}]+/gu) ?? [];

/**
 * Finds the page by the index of words, and only then reads its rows. In one step, PostgreSQL would go through all rows
 * in their order and make the words of each anew until a page is full: it cannot estimate how many have a beginning.
 * The offset keeps it from that.
 */
function isAmongHits(table: PagedTable, words: readonly string[], condition: SQL | undefined): SQL {
  const beginnings = words.map((word) => `'${word}':*`).join(' & ');
  const isHit = and(condition, sql`${searchWordsOf(table)} @@ to_tsquery('simple', ${beginnings})`);
  const hits = sql`select ${table.category}, ${table.name}, ${table.id} from ${table} where ${isHit} offset 0`;
  return sql`${table.id} in (select id from (${hits}) hits order by category, name, id limit ${PRODUCTS_PAGE})`;
}
