/** Ending the sessions of an account that its owner cannot end, for example on a lost machine. */
import { messages } from '@markwright/contract';
import { eq } from 'drizzle-orm';
import { endApiKeys } from '../accounts/apiKeys.ts';
import { endSessions, roleOf } from '../accounts/sessions.ts';
import { users } from '../accounts/tables.ts';
import { writeAudit } from '../platform/audit.ts';
import type { Context } from '../platform/context.ts';
import { AppError } from '../platform/errors.ts';
import type { UserActor } from '../platform/mount.ts';
import { recordSecurityEvent } from '../platform/securityEvents.ts';

/**
 * Ends every session of an account, except the one that makes the call, and its API keys. Returns the number of
 * places. Throws notFound for an unknown account, forbidden where only an owner may do it: for the account of an
 * administrator.
 */
export async function endSessionsOf(context: Context, actor: UserActor, id: number): Promise<{ ended: number }> {
  return context.db.transaction(async (tx) => {
    const [account] = await tx
      .select({ email: users.email, role: users.adminRole })
      .from(users)
      .where(eq(users.id, id))
      .for('update');
    if (!account) throw new AppError('notFound', 'There is no such account.');
    const isAdministrator = roleOf(id, account.role) !== undefined;
    if (isAdministrator && actor.adminRole !== 'owner') throw new AppError('forbidden', messages.roleDenied);
    const placeCount = await endSessions(tx, id, actor.sessionId);
    await endApiKeys(tx, id);
    const { email } = account;
    const entry = { action: 'account.endSessions', subject: email, detail: { ended: placeCount } };
    await writeAudit(tx, actor, context.now(), entry);
    const event = { kind: 'account', action: 'sessionsEnded', userId: id, email, address: actor.address } as const;
    await recordSecurityEvent(context, tx, { ...event, detail: { by: actor.email, ended: placeCount } });
    return { ended: placeCount };
  });
}
