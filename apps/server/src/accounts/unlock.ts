/** The way in for an owner who is locked out, from the machine that the server runs on. */
import { eq, inArray, or, sql } from 'drizzle-orm';
import { resetUrl } from '../mail/templates.ts';
import type { Context } from '../platform/context.ts';
import { canonicalEmail } from '../platform/emailAddress.ts';
import { StartError } from '../platform/errors.ts';
import { recordSecurityEvent } from '../platform/securityEvents.ts';
import { rateLimits } from '../platform/tables.ts';
import { triesOf } from './accounts.ts';
import { issueMailedToken } from './mailedTokens.ts';
import { codeLimits, removeSecondFactor } from './secondFactorCodes.ts';
import { ADMIN_ID } from './sessions.ts';
import { users } from './tables.ts';

interface UnlockResult {
  readonly email: string;
  /** The number of rate limits that were reached or counted tries. */
  readonly clearedCount: number;
  /** True when a second factor was deleted. */
  readonly hadSecondFactor: boolean;
  /** The link that sets a new password. It makes the browser that opens it a known device of the owner. */
  readonly link: string;
  readonly expiresAt: Date;
}

/**
 * Clears what was counted against an account's owner, and issues a link that sets a new password, once. The password
 * and the sessions stay until the link is used. `removesSecondFactor` deletes the second factor, for an owner who
 * lost the phone and the recovery codes. Without an address the account is the administrator's. Throws a StartError for
 * an address without an account.
 */
export async function unlockAccount(
  context: Pick<Context, 'db' | 'log' | 'now' | 'origin'>,
  address: string | undefined,
  removesSecondFactor = false,
): Promise<UnlockResult> {
  const [account] = await context.db
    .select({ id: users.id, email: users.email })
    .from(users)
    .where(address === undefined ? eq(users.id, ADMIN_ID) : eq(users.email, canonicalEmail(address)));
  if (!account) throw new StartError(`There is no account with the address ${address ?? 'of the administrator'}.`);

  return context.db.transaction(async (tx) => {
    const clearedRows = await tx
      .delete(rateLimits)
      .where(
        or(
          eq(rateLimits.key, triesOf(account.email).trim()),
          sql`starts_with(${rateLimits.key}, ${triesOf(account.email)})`,
          eq(rateLimits.key, `password ${account.id}`),
          inArray(
            rateLimits.key,
            codeLimits(account.id).map(({ key }) => key),
          ),
          sql`starts_with(${rateLimits.key}, ${`forgot ${account.email} `})`,
          eq(rateLimits.key, `forgot ${account.email}`),
        ),
      )
      .returning({ key: rateLimits.key });
    const hadSecondFactor = removesSecondFactor && (await removeSecondFactor(tx, account.id));
    const { token, expiresAt } = await issueMailedToken(context, tx, 'reset', account);
    const { id: userId, email } = account;
    // The caller has no network address: the command runs on the server's machine.
    await recordSecurityEvent(context, tx, { kind: 'password', action: 'unlocked', userId, email, address: '' });
    if (hadSecondFactor) {
      const event = { kind: 'secondFactor', action: 'removedByOperator', userId, email, address: '' } as const;
      await recordSecurityEvent(context, tx, event);
    }
    return {
      email,
      clearedCount: clearedRows.length,
      hadSecondFactor,
      link: resetUrl(context, token),
      expiresAt,
    };
  });
}
