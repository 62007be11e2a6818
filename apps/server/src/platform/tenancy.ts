/** Rows that belong to one company: what a query forgets to ask, the database refuses. */
import { sql } from 'drizzle-orm';
import type { Db, Transaction } from './database.ts';

/**
 * Runs `work` in a transaction that sees and writes the products of this company and no others, by row-level security;
 * `*` is every company's, for housekeeping. Other tables are out of reach in it. `companyId` comes from the session.
 */
export function inCompany<T>(db: Db, companyId: string, work: (tx: Transaction) => Promise<T>): Promise<T> {
  return db.transaction(async (tx) => {
    await tx.execute(sql`select markwright_enter_company(${companyId})`);
    return work(tx);
  });
}
