/** The audit trail of the administrator's actions. */
import { lt } from 'drizzle-orm';
import type { Context } from './context.ts';
import type { Transaction } from './database.ts';
import { newId } from './ids.ts';
import type { UserActor } from './mount.ts';
import { auditTrail } from './tables.ts';

/** An action of an administrator. */
export interface AuditEntry {
  /** e.g. `category.rename` */
  readonly action: string;
  /** The thing that was changed, in words that a person knows. */
  readonly subject: string;
  readonly detail?: Record<string, unknown>;
}

/** Writes an entry in the transaction of the action itself: neither is stored without the other. */
export async function writeAudit(tx: Transaction, actor: UserActor, at: Date, entry: AuditEntry): Promise<void> {
  const { id: userId, email, address } = actor;
  await tx.insert(auditTrail).values({ id: newId(), userId, email, address, ...entry, createdAt: at });
}

/** As long as the charges: a year, and some weeks to look back at it. */
const KEEP_MS = 400 * 24 * 60 * 60 * 1000;

/** Deletes the entries of more than 400 days ago. */
export async function sweepAuditTrail({ db, now }: Pick<Context, 'db' | 'now'>): Promise<void> {
  await db.delete(auditTrail).where(lt(auditTrail.createdAt, new Date(now().getTime() - KEEP_MS)));
}
