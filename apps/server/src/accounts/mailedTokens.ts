/**
 * Tokens that prove a mailbox: 256 random bits sent there, stored as a hash. Each works once, before it expires, as
 * long as it is the newest for its purpose and the account still has the address that it was sent to.
 */
import { and, eq, gt, lte } from 'drizzle-orm';
import type { Context } from '../platform/context.ts';
import type { Transaction } from '../platform/database.ts';
import { hashToken, newToken } from '../platform/tokens.ts';
import { mailedTokens, users } from './tables.ts';

type Purpose = (typeof mailedTokens.$inferSelect)['purpose'];

const MINUTE_MS = 60_000;
/** Time until a token expires. */
const TTL_MS: Readonly<Record<Purpose, number>> = {
  reset: 30 * MINUTE_MS,
  verify: 3 * 24 * 60 * MINUTE_MS,
};

interface MailedToken {
  readonly token: string;
  readonly expiresAt: Date;
}

export interface Mailbox {
  readonly id: number;
  readonly email: string;
}

/** Creates a token to mail to an account. The commit voids the one sent before for the same purpose. */
export async function issueMailedToken(
  context: Pick<Context, 'now'>,
  tx: Transaction,
  purpose: Purpose,
  account: Mailbox,
): Promise<MailedToken> {
  const token = newToken();
  const now = context.now();
  const next = {
    id: hashToken(token),
    email: account.email,
    expiresAt: new Date(now.getTime() + TTL_MS[purpose]),
    createdAt: now,
  };
  await tx
    .insert(mailedTokens)
    .values({ purpose, userId: account.id, ...next })
    .onConflictDoUpdate({ target: [mailedTokens.userId, mailedTokens.purpose], set: next });
  return { token, expiresAt: next.expiresAt };
}

/** Voids the token that an account was sent last for a purpose. */
export async function voidMailedToken(tx: Transaction, purpose: Purpose, userId: number): Promise<void> {
  await tx.delete(mailedTokens).where(and(eq(mailedTokens.userId, userId), eq(mailedTokens.purpose, purpose)));
}

/** Returns the account of a valid token, without using the token up. */
export async function findMailedToken(context: Context, purpose: Purpose, token: string): Promise<Mailbox | undefined> {
  const [account] = await selectMailbox(context, context.db, purpose, token);
  return account;
}

/**
 * Uses a token up and returns its account, whose row stays locked until the end of the transaction. Returns undefined
 * for an invalid token, so that exactly one of several simultaneous calls gets the account.
 */
export async function takeMailedToken(
  context: Context,
  tx: Transaction,
  purpose: Purpose,
  token: string,
): Promise<Mailbox | undefined> {
  // Locks the account first, as everywhere: transactions that lock in different orders would deadlock.
  const [account] = await selectMailbox(context, tx, purpose, token).for('update', { of: users });
  if (!account) return undefined;
  const rows = await tx
    .delete(mailedTokens)
    .where(eq(mailedTokens.id, hashToken(token)))
    .returning({ id: mailedTokens.id });
  return rows.length > 0 ? account : undefined;
}

const selectMailbox = (context: Context, reader: Pick<Transaction, 'select'>, purpose: Purpose, token: string) =>
  reader
    .select({ id: users.id, email: users.email })
    .from(mailedTokens)
    .innerJoin(users, and(eq(users.id, mailedTokens.userId), eq(users.email, mailedTokens.email)))
    .where(
      and(
        eq(mailedTokens.id, hashToken(token)),
        eq(mailedTokens.purpose, purpose),
        gt(mailedTokens.expiresAt, context.now()),
      ),
    );

/** Deletes expired tokens. */
export async function sweepMailedTokens(context: Context): Promise<void> {
  await context.db.delete(mailedTokens).where(lte(mailedTokens.expiresAt, context.now()));
}
