/** Tenant scopes by row-level security: the database rejects what a query forgets to filter. */
import { type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import type { Db, Transaction } from './database.ts';

/**
 * The rows that may be read and written. Its values come from the session, or from a secret that the caller sent and
 * that was checked.
 */
export interface TenantScope {
  /** The rows of this company; `*` means every company's, for scheduled jobs. */
  readonly company?: string | undefined;
  /** The orders that this account makes, with their designs. */
  readonly maker?: number | undefined;
  /** A shop's key or a saved design's id, to read it; or an order's id, to read and write it. */
  readonly capability?: string | undefined;
}

/**
 * Runs `work` in a transaction that can read and write the rows of this company and no others. In it, only tables of
 * companies and shops are accessible. `companyId` must come from the session.
 */
export function inCompany<T>(db: Db, companyId: string, work: (tx: Transaction) => Promise<T>): Promise<T> {
  return inTenantScope(db, { company: companyId }, work);
}

/** Runs `work` in a transaction within any tenant scope; see `inCompany`. */
export function inTenantScope<T>(db: Db, scope: TenantScope, work: (tx: Transaction) => Promise<T>): Promise<T> {
  return db.transaction(async (tx) => {
    await enter(tx, scope);
    return work(tx);
  });
}

/**
 * Runs a part of a transaction within a tenant scope. An error of `work` must end the transaction. Tenant scopes
 * cannot be nested.
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

/** Conditions of the row-level policies, by the entered tenant scope. `*` is every company, for scheduled jobs. */
export const isInScopeOf = {
  company: (companyId: SQLWrapper): SQL => sql`current_setting('markwright.company', true) in (${companyId}, '*')`,
  maker: (userId: SQLWrapper): SQL => sql`current_setting('markwright.maker', true) = ${userId}::text`,
  capability: (secret: SQLWrapper): SQL => sql`current_setting('markwright.capability', true) = ${secret}`,
};
/** Returns a policy that allows reading and writing the same rows. */
export const readWritePolicy = (rows: SQL) => ({ using: rows, withCheck: rows });
