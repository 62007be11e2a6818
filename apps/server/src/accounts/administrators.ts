/**
 * Administrators and their roles. Account 1 is an owner for good. Owners invite others by mail: the link works once,
 * within seven days, and only for the account that has the address it was sent to.
 */
import { type AdministratorEntry, type AdminRole, type InvitationEntry, messages } from '@markwright/contract';
import { and, asc, desc, eq, gt, isNotNull, lte, max, or } from 'drizzle-orm';
import { queueMail } from '../mail/mail.ts';
import { invitationMail } from '../mail/templates.ts';
import { writeAudit } from '../platform/audit.ts';
import type { Context } from '../platform/context.ts';
import type { Transaction } from '../platform/database.ts';
import { canonicalEmail } from '../platform/emailAddress.ts';
import { AppError } from '../platform/errors.ts';
import { newId } from '../platform/ids.ts';
import type { UserActor } from '../platform/mount.ts';
import { networkOf } from '../platform/network.ts';
import { enforceRateLimits } from '../platform/rateLimit.ts';
import { recordSecurityEvent } from '../platform/securityEvents.ts';
import { hashToken, newToken } from '../platform/tokens.ts';
import { endApiKeys } from './apiKeys.ts';
import { ADMIN_ID, endSessions, roleOf } from './sessions.ts';
import { invitations, secondFactors, sessions, users } from './tables.ts';
import { markVerified } from './verification.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const TTL_MS = 7 * 24 * HOUR_MS;

/** Lists the administrators, the first one first, and the invitations that nobody has accepted yet. */
export async function listAdministrators(
  context: Context,
): Promise<{ administrators: AdministratorEntry[]; invitations: InvitationEntry[] }> {
  const rows = await context.db
    .select({
      id: users.id,
      email: users.email,
      role: users.adminRole,
      secondFactorSince: secondFactors.confirmedAt,
      lastSeenAt: max(sessions.lastUsedAt),
    })
    .from(users)
    .leftJoin(secondFactors, eq(secondFactors.userId, users.id))
    .leftJoin(sessions, eq(sessions.userId, users.id))
    .where(or(eq(users.id, ADMIN_ID), isNotNull(users.adminRole)))
    .groupBy(users.id, secondFactors.confirmedAt)
    .orderBy(asc(users.id));
  const open = await context.db
    .select()
    .from(invitations)
    .where(gt(invitations.expiresAt, context.now()))
    .orderBy(desc(invitations.createdAt), desc(invitations.id));
  return {
    administrators: rows.map(({ id, email, role, secondFactorSince, lastSeenAt }) => ({
      id,
      email,
      role: roleOf(id, role) ?? 'owner',
      hasSecondFactor: secondFactorSince !== null,
      lastSeenAt: lastSeenAt?.toISOString() ?? null,
    })),
    invitations: open.map(({ id, email, role, invitedBy, createdAt, expiresAt }) => ({
      id,
      email,
      role,
      invitedBy,
      createdAt: createdAt.toISOString(),
      expiresAt: expiresAt.toISOString(),
    })),
  };
}

/**
 * Invites somebody by mail. A second invitation to an address replaces the first one. Throws conflict for an
 * administrator's address.
 */
export async function inviteAdministrator(
  context: Context,
  actor: UserActor,
  invitation: { email: string; role: AdminRole },
): Promise<{ ok: true }> {
  const { role } = invitation;
  const email = canonicalEmail(invitation.email);
  await enforceRateLimits(context, [{ key: `invitations ${actor.id}`, limit: 30, windowMs: HOUR_MS }]);
  const [account] = await context.db
    .select({ id: users.id, role: users.adminRole })
    .from(users)
    .where(eq(users.email, email));
  if (account && roleOf(account.id, account.role)) {
    throw new AppError('conflict', 'This account is an administrator already. Change its role in the list.');
  }
  const token = newToken();
  const now = context.now();
  const expiresAt = new Date(now.getTime() + TTL_MS);
  const fields = { tokenHash: hashToken(token), role, invitedBy: actor.email, createdAt: now, expiresAt };
  await context.db.transaction(async (tx) => {
    await tx
      .insert(invitations)
      .values({ id: newId(), email, ...fields })
      .onConflictDoUpdate({ target: invitations.email, set: { id: newId(), ...fields } });
    const link = { token, expiresAt };
    await queueMail(context, tx, invitationMail(context, email, { ...link, role, invitedBy: actor.email }));
    await record(context, tx, actor, { action: 'invited', email, userId: account?.id, detail: { role } });
  });
  return { ok: true };
}

/** Takes an invitation back. Throws notFound for one that was accepted, has expired or never existed. */
export async function withdrawInvitation(context: Context, actor: UserActor, id: string): Promise<{ ok: true }> {
  await context.db.transaction(async (tx) => {
    const [row] = await tx.delete(invitations).where(eq(invitations.id, id)).returning();
    if (!row) throw new AppError('notFound', 'This invitation is no longer open.');
    await record(context, tx, actor, { action: 'invitationWithdrawn', email: row.email, userId: undefined });
  });
  return { ok: true };
}

/** Changes the role of an administrator. Throws forbidden for account 1, notFound for an account without a role. */
export async function changeRole(
  context: Context,
  actor: UserActor,
  id: number,
  role: AdminRole,
): Promise<{ ok: true }> {
  await setRole(context, actor, id, role);
  return { ok: true };
}

/** Takes an administrator's role away; the account stays. Throws as `changeRole`. */
export async function removeAdministrator(context: Context, actor: UserActor, id: number): Promise<{ ok: true }> {
  await setRole(context, actor, id, null);
  return { ok: true };
}

async function setRole(context: Context, actor: UserActor, id: number, role: AdminRole | null): Promise<void> {
  if (id === ADMIN_ID) throw new AppError('forbidden', 'The first account stays an owner.');
  await context.db.transaction(async (tx) => {
    const [account] = await tx.select().from(users).where(eq(users.id, id)).for('update');
    if (!account?.adminRole) throw new AppError('notFound', 'There is no such administrator.');
    await tx.update(users).set({ adminRole: role }).where(eq(users.id, id));
    const detail = { from: account.adminRole, to: role ?? 'none' };
    const action = role ? 'changed' : 'removed';
    await record(context, tx, actor, { action, email: account.email, userId: id, detail });
  });
}

/** Returns what an invitation offers, without accepting it. Throws invalid for an invalid token. */
export async function readInvitation(
  context: Context,
  visitor: { address: string },
  token: string,
): Promise<{ email: string; role: AdminRole; invitedBy: string }> {
  await limitTokens(context, visitor);
  const [row] = await context.db.select().from(invitations).where(isOpen(context, token));
  if (!row) throw outdatedInvitation();
  return { email: row.email, role: row.role, invitedBy: row.invitedBy };
}

/**
 * Gives the actor the role of an invitation, once. The token proves the mailbox: it verifies the address, and ends
 * every other session and every API key of the account, which somebody else may have opened before the address was
 * proven. Throws invalid for an invalid token, forbidden for another account's.
 */
export async function acceptInvitation(
  context: Context,
  actor: UserActor,
  token: string,
): Promise<{ role: AdminRole }> {
  await limitTokens(context, actor);
  return context.db.transaction(async (tx) => {
    const [account] = await tx.select().from(users).where(eq(users.id, actor.id)).for('update');
    const [open] = await tx.select().from(invitations).where(isOpen(context, token)).for('update');
    if (!account || !open) throw outdatedInvitation();
    if (open.email !== account.email) {
      throw new AppError('forbidden', `This invitation is for ${open.email}. Please sign in with that address.`);
    }
    await tx.delete(invitations).where(eq(invitations.id, open.id));
    await tx.update(users).set({ adminRole: open.role }).where(eq(users.id, account.id));
    await markVerified(context, tx, account);
    await endSessions(tx, account.id, actor.sessionId);
    await endApiKeys(tx, account.id);
    const detail = { role: open.role, invitedBy: open.invitedBy };
    await record(context, tx, actor, { action: 'accepted', email: account.email, userId: account.id, detail });
    return { role: open.role };
  });
}

const isOpen = ({ now }: Context, token: string) =>
  and(eq(invitations.tokenHash, hashToken(token)), gt(invitations.expiresAt, now()));

const outdatedInvitation = () => new AppError('invalid', messages.outdatedInvitation);

const limitTokens = (context: Context, { address }: { address: string }) =>
  enforceRateLimits(context, [{ key: `invitation from ${networkOf(address)}`, limit: 100, windowMs: 15 * MINUTE_MS }]);

interface RoleChange {
  readonly action: 'invited' | 'invitationWithdrawn' | 'accepted' | 'changed' | 'removed';
  /** The account that the change is about, or the address that was invited. */
  readonly email: string;
  readonly userId: number | undefined;
  readonly detail?: Readonly<Record<string, string>>;
}

/** Records a change of a role in the audit trail and among the security events. */
async function record(context: Context, tx: Transaction, actor: UserActor, change: RoleChange): Promise<void> {
  const { action, email, userId, detail } = change;
  const entry = { action: `administrator.${action}`, subject: email, ...(detail && { detail }) };
  await writeAudit(tx, actor, context.now(), entry);
  const event = { kind: 'role', action, userId, email, address: actor.address } as const;
  await recordSecurityEvent(context, tx, { ...event, detail: { ...detail, by: actor.email } });
}

/** Deletes invitations that have expired. */
export async function sweepInvitations(context: Context): Promise<void> {
  await context.db.delete(invitations).where(lte(invitations.expiresAt, context.now()));
}
