/**
 * Tokens that prove a mailbox: 256 random bits sent there, stored by their hash. Each is good once, until its time is
 * over, as long as it is the newest of its purpose and the account still has the address it was sent to.
 */
import { and, eq, gt, lte } from 'drizzle-orm';
import type { Context } from '../platform/context.ts';
import type { Transaction } from '../platform/database.ts';
import { hashToken, newToken } from '../platform/tokens.ts';
import { mailedTokens, users } from './tables.ts';

type Purpose = (typeof mailedTokens.$inferSelect)['purpose'];

const MINUTE_MS = 60_000;
/** How long a token is good. */
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

/** Makes a token to mail to an account. The one sent before for the same purpose is void from the commit on. */
export async function issueMailedToken(
  context: Context,
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

/** Makes the token void that an account was sent last for a purpose. */
export async function voidMailedToken(tx: Transaction, purpose: Purpose, userId: number): Promise<void> {
  await tx.delete(mailedTokens).where(and(eq(mailedTokens.userId, userId), eq(mailedTokens.purpose, purpose)));
}

/** The account a token is good for at this moment, without using it up. */
export async function findMailedToken(context: Context, purpose: Purpose, token: string): Promise<Mailbox | undefined> {
  const [account] = await selectMailbox(context, context.db, purpose, token);
  return account;
}

/**
 * Uses a token up and returns its account, whose row stays locked until the end of the transaction; undefined for one
 * that is not good, so that of any number at once exactly one gets the account.
 */
export async function takeMailedToken(
  context: Context,
  tx: Transaction,
  purpose: Purpose,
  token: string,
): Promise<Mailbox | undefined> {
  // The account first, as everywhere: two that lock in different orders would wait for one another.
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

/** Removes tokens nobody used in time. */
export async function sweepMailedTokens(context: Context): Promise<void> {
  await context.db.delete(mailedTokens).where(lte(mailedTokens.expiresAt, context.now()));
}
