/** Setting a new password, by giving the current one or by a link sent to the account's mailbox. */
import { messages } from '@markwright/contract';
import { eq } from 'drizzle-orm';
import { z } from 'zod';
import { queueMail } from '../mail/mail.ts';
import { passwordChangedMail, resetMail } from '../mail/templates.ts';
import type { Context } from '../platform/context.ts';
import { canonicalEmail } from '../platform/emailAddress.ts';
import { AppError } from '../platform/errors.ts';
import type { UserActor } from '../platform/mount.ts';
import { networkOf } from '../platform/network.ts';
import { enforceRateLimits } from '../platform/rateLimit.ts';
import { recordSecurityEvent } from '../platform/securityEvents.ts';
import { admitOwner, type Visitor } from './accounts.ts';
import { endApiKeys } from './apiKeys.ts';
import { refuseWeakPassword } from './commonPasswords.ts';
import { findMailedToken, issueMailedToken, takeMailedToken, voidMailedToken } from './mailedTokens.ts';
import { changeAsOwner, verifyCurrentPassword } from './ownerProof.ts';
import { hashPassword } from './passwords.ts';
import { endSessions } from './sessions.ts';
import { users } from './tables.ts';
import { markVerified } from './verification.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/**
 * Sets a new password, ends every other session, voids a reset link and mails the owner. Throws invalid for a wrong
 * current password or code and for a weak new password, and tooMany.
 */
export async function changePassword(
  context: Context,
  actor: UserActor,
  change: { currentPassword: string; newPassword: string; code?: string | undefined },
): Promise<{ ok: true }> {
  const currentHash = await verifyCurrentPassword(context, actor, change.currentPassword);
  await refuseWeakPassword(context, change.newPassword, actor.email);
  const passwordHash = await hashPassword(context, change.newPassword);
  await changeAsOwner(context, actor, { passwordHash: currentHash, code: change.code }, async (tx) => {
    await tx.update(users).set({ passwordHash }).where(eq(users.id, actor.id));
    await endSessions(tx, actor.id, actor.sessionId);
    await voidMailedToken(tx, 'reset', actor.id); // a link requested before must not undo the change
    const { id: userId, email, address } = actor;
    await queueMail(context, tx, passwordChangedMail(context, email));
    await recordSecurityEvent(context, tx, { kind: 'password', action: 'changed', userId, email, address });
  });
  return { ok: true };
}

/** The job that mails a reset link. */
export const MAIL_RESET = 'mailReset';

/**
 * Queues a job that mails a reset link when the address belongs to an account. The job does the lookup, so the work
 * before the reply, the reply and its time are the same for a known and an unknown address.
 */
export async function forgotPassword(
  context: Context,
  visitor: Visitor,
  address: string,
): Promise<{ message: string }> {
  const email = canonicalEmail(address);
  const network = networkOf(visitor.address);
  await enforceRateLimits(context, [
    { key: `forgot ${email} ${network}`, limit: 5, windowMs: HOUR_MS },
    { key: `forgot from ${network}`, limit: 50, windowMs: HOUR_MS },
    { key: `forgot ${email}`, limit: 20, windowMs: HOUR_MS },
  ]);
  await context.jobs.send(context.db, MAIL_RESET, { email });
  return { message: messages.resetEmailSent.description };
}

const ResetRequest = z.object({ email: z.string() });

/** Mails a link that sets a new password within 30 minutes, when the address is an account's. */
export async function mailReset(context: Context, data: object): Promise<void> {
  const { email } = ResetRequest.parse(data);
  const [account] = await context.db
    .select({ id: users.id, email: users.email })
    .from(users)
    .where(eq(users.email, email));
  if (!account) return;
  await context.db.transaction(async (tx) => {
    const token = await issueMailedToken(context, tx, 'reset', account);
    await queueMail(context, tx, resetMail(context, account.email, token));
  });
}

/**
 * Sets a new password for the holder of a reset mail's token, ends every session and API key, and mails the owner.
 * Returns no token: the person signs in with the new password. Throws invalid for an invalid token.
 */
export async function resetPassword(
  context: Context,
  visitor: Visitor,
  reset: { token: string; password: string },
): Promise<Record<string, never>> {
  const network = networkOf(visitor.address);
  await enforceRateLimits(context, [{ key: `reset from ${network}`, limit: 100, windowMs: 15 * MINUTE_MS }]);
  const mailbox = await findMailedToken(context, 'reset', reset.token);
  if (!mailbox) throw outdatedLinkError();
  await refuseWeakPassword(context, reset.password, mailbox.email); // the link stays valid for another try
  const passwordHash = await hashPassword(context, reset.password);

  await context.db.transaction(async (tx) => {
    const account = await takeMailedToken(context, tx, 'reset', reset.token);
    if (!account) throw outdatedLinkError();
    await tx.update(users).set({ passwordHash }).where(eq(users.id, account.id));
    await markVerified(context, tx, account);
    await endSessions(tx, account.id);
    await endApiKeys(tx, account.id);
    await queueMail(context, tx, passwordChangedMail(context, account.email));
    const { id: userId, email } = account;
    const { address } = visitor;
    await recordSecurityEvent(context, tx, { kind: 'password', action: 'reset', userId, email, address });
  });
  await admitOwner(context, visitor, mailbox.email);
  return {};
}

const outdatedLinkError = () => new AppError('invalid', messages.outdatedResetLink);
