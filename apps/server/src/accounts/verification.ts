/** Verification of an account's address: a link is mailed on sign-up and again on demand. */
import { messages } from '@markwright/contract';
import { and, eq, isNull } from 'drizzle-orm';
import { queueMail } from '../mail/mail.ts';
import { verifyMail, welcomeMail } from '../mail/templates.ts';
import type { Context } from '../platform/context.ts';
import type { Transaction } from '../platform/database.ts';
import { AppError } from '../platform/errors.ts';
import type { UserActor } from '../platform/mount.ts';
import { networkOf } from '../platform/network.ts';
import { enforceRateLimits } from '../platform/rateLimit.ts';
import { issueMailedToken, type Mailbox, takeMailedToken } from './mailedTokens.ts';
import { users } from './tables.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Queues the mail with the link that verifies an account's address. The link is valid for three days. */
export async function queueVerification(context: Context, tx: Transaction, account: Mailbox): Promise<void> {
  const token = await issueMailedToken(context, tx, 'verify', account);
  await queueMail(context, tx, verifyMail(context, account.email, token));
}

/** Mails the link again. Throws tooMany after five in an hour. */
export async function resendVerification(context: Context, actor: UserActor): Promise<{ message: string }> {
  const isUnverified = and(eq(users.id, actor.id), isNull(users.emailVerifiedAt));
  if ((await context.db.$count(users, isUnverified)) === 0) return { message: 'Your address is verified already.' };
  await enforceRateLimits(context, [{ key: `verification ${actor.id}`, limit: 5, windowMs: HOUR_MS }]);
  await context.db.transaction((tx) => queueVerification(context, tx, actor));
  return { message: `A new link is on its way to ${actor.email}. It is good for three days.` };
}

/** Verifies an address and sends a welcome mail, once. Throws invalid for an invalid token. */
export async function verifyEmail(
  context: Context,
  visitor: { address: string },
  token: string,
): Promise<{ email: string }> {
  await enforceRateLimits(context, [
    { key: `verify from ${networkOf(visitor.address)}`, limit: 100, windowMs: 15 * MINUTE_MS },
  ]);
  return context.db.transaction(async (tx) => {
    const account = await takeMailedToken(context, tx, 'verify', token);
    if (!account) throw new AppError('invalid', messages.outdatedVerifyLink);
    await markVerified(context, tx, account);
    await queueMail(context, tx, { ...welcomeMail(context, account.email), key: `welcome ${account.id}` });
    return { email: account.email };
  });
}

/** Records that the owner of an account has proven to read its mail. */
export async function markVerified(context: Context, tx: Transaction, account: Mailbox): Promise<void> {
  await tx
    .update(users)
    .set({ emailVerifiedAt: context.now() })
    .where(and(eq(users.id, account.id), isNull(users.emailVerifiedAt)));
}
