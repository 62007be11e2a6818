/** Rows that belong to one company: what a query forgets to ask, the database refuses. */
import { type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import type { Db, Transaction } from './database.ts';

/** Whose rows are seen and written. What it says comes from the session, or was found by a secret the caller told. */
export interface TenantScope {
  /** What this company sells, was ordered there and is told of it; `*` is every company's, for housekeeping. */
  readonly company?: string | undefined;
  /** Orders this account was given to make, with what was ordered. */
  readonly maker?: number | undefined;
  /** A shop by its key, to be read; a saved design by its id, to be read; an order by its id. */
  readonly capability?: string | undefined;
}

/**
 * Runs `work` in a transaction that sees and writes the rows of this company and no others, by row-level security. Tables of
 * anything but companies and their shops are out of scope in it. `companyId` comes from the session.
 */
export function inCompany<T>(db: Db, companyId: string, work: (tx: Transaction) => Promise<T>): Promise<T> {
  return inTenantScope(db, { company: companyId }, work);
}

/** As `inCompany`, for a scope of any kind. */
export function inTenantScope<T>(db: Db, scope: TenantScope, work: (tx: Transaction) => Promise<T>): Promise<T> {
  return db.transaction(async (tx) => {
    await enter(tx, scope);
    return work(tx);
  });
}

/**
 * A part of a transaction that works in a scope; what comes before and after it does not. What `work` throws has to end the
 * transaction. Reaches do not lie in one another.
 */
export async function withinTenantScope<T>(tx: Transaction, scope: TenantScope, work: () => Promise<T>): Promise<T> {
  await enter(tx, scope);
  const result = await work();
  await tx.execute(sql`select markwright_leave()`);
  return result;
}

async function enter(tx: Transaction, { company = '', maker, capability = '' }: TenantScope): Promise<void> {
  await tx.execute(
    sql`select markwright_enter(${company}, ${maker === undefined ? '' : String(maker)}, ${capability})`,
  );
}

/** Row-level security: whose rows `tenancy.ts` entered. `*` is every company's, for housekeeping. */
export const isInScopeOf = {
  company: (companyId: SQLWrapper): SQL => sql`current_setting('markwright.company', true) in (${companyId}, '*')`,
  maker: (userId: SQLWrapper): SQL => sql`current_setting('markwright.maker', true) = ${userId}::text`,
  capability: (secret: SQLWrapper): SQL => sql`current_setting('markwright.capability', true) = ${secret}`,
};
/** Rows that may be seen may be written as well, and stay where they may be seen. */
export const seenAndWritten = (rows: SQL) => ({ using: rows, withCheck: rows });
