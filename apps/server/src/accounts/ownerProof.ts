/**
 * Re-authentication: asks for the password, and for a code where a second factor is in use, before a change that a
 * stolen session token must not allow.
 */
import { messages } from '@markwright/contract';
import { eq } from 'drizzle-orm';
import type { Context } from '../platform/context.ts';
import type { Transaction } from '../platform/database.ts';
import { AppError } from '../platform/errors.ts';
import type { UserActor } from '../platform/mount.ts';
import { enforceRateLimits, type RateLimit, resetRateLimits } from '../platform/rateLimit.ts';
import { recordRefusal } from '../platform/securityEvents.ts';
import { verifyPassword } from './passwords.ts';
import { codeLimits, hasSecondFactor, useCode } from './secondFactorCodes.ts';
import { users } from './tables.ts';

const MINUTE_MS = 60_000;

/** The password and the code that an owner types before a change. */
export interface OwnerProof {
  readonly password: string;
  /** A code of the app or a recovery code. Needed where a second factor is in use, and ignored elsewhere. */
  readonly code?: string | undefined;
}

/**
 * Verifies the password of a signed-in person again. Returns its hash, for `changeAsOwner`. Throws invalid for a wrong
 * one and tooMany after ten tries in 15 minutes.
 */
export async function verifyCurrentPassword(context: Context, actor: UserActor, password: string): Promise<string> {
  const tries: RateLimit = { key: `password ${actor.id}`, limit: 10, windowMs: 15 * MINUTE_MS };
  await enforceRateLimits(context, [tries]);
  const [account] = await context.db
    .select({ passwordHash: users.passwordHash })
    .from(users)
    .where(eq(users.id, actor.id));
  const isMatch = await verifyPassword(context, password, account?.passwordHash);
  if (!account || !isMatch) {
    const { id: userId, email, address } = actor;
    await recordRefusal(context, { action: 'wrongCurrentPassword', userId, email, address });
    throw new AppError('invalid', messages.wrongCurrentPassword);
  }
  await resetRateLimits(context, [tries]);
  return account.passwordHash;
}

/**
 * Runs a change for somebody who has proven the password, and uses up a code where a second factor is in use: in one
 * transaction, which holds the account's row locked. A change that throws leaves the code unused. Throws invalid for a
 * wrong or missing code and for a password that was changed meanwhile, tooMany after ten codes in 15 minutes.
 */
export async function changeAsOwner<T>(
  context: Context,
  actor: UserActor,
  { passwordHash, code }: { passwordHash: string; code: string | undefined },
  change: (tx: Transaction) => Promise<T>,
): Promise<T> {
  if (code !== undefined) await enforceRateLimits(context, codeLimits(actor.id));
  const outcome = await context.db.transaction(async (tx) => {
    const [account] = await tx
      .select({ passwordHash: users.passwordHash })
      .from(users)
      .where(eq(users.id, actor.id))
      .for('update');
    if (account?.passwordHash !== passwordHash) throw new AppError('invalid', messages.wrongCurrentPassword);
    if (await hasSecondFactor(tx, actor.id)) {
      if (code === undefined) throw new AppError('invalid', messages.codeNeeded);
      if (!(await useCode(context, tx, actor.id, code))) return undefined;
    }
    return { result: await change(tx) };
  });
  if (!outcome) {
    const { id: userId, email, address } = actor;
    await recordRefusal(context, { action: 'wrongCode', userId, email, address });
    throw new AppError('invalid', messages.wrongCode);
  }
  if (code !== undefined) await resetRateLimits(context, codeLimits(actor.id));
  return outcome.result;
}

/**
 * Throws as `changeAsOwner` would, changes nothing and leaves the code unused. For a change that needs something from
 * another service first, which must not be waited for in a transaction.
 */
export async function checkOwnerProof(
  context: Context,
  actor: UserActor,
  proof: { passwordHash: string; code: string | undefined },
): Promise<void> {
  const rollback = new Error('The proof is good. The transaction that checked it is rolled back.');
  try {
    await changeAsOwner(context, actor, proof, () => Promise.reject(rollback));
  } catch (error) {
    if (error !== rollback) throw error;
  }
  // The change itself counts as a try again.
  if (proof.code !== undefined) await resetRateLimits(context, codeLimits(actor.id));
}
