/**
 * Sessions: opaque bearer tokens, which the database knows only by their hash. A place is where somebody signed in
 * once. Its token may be renewed, and both tokens belong to the same place.
 */
import { type AdminRole, messages, type SessionInfo } from '@markwright/contract';
import { and, desc, eq, gt, lte, max, min, ne, type SQL, sql } from 'drizzle-orm';
import type { Context } from '../platform/context.ts';
import type { Db, Transaction } from '../platform/database.ts';
import { AppError } from '../platform/errors.ts';
import { newId } from '../platform/ids.ts';
import type { SignedInAccount } from '../platform/mount.ts';
import { hashToken, newToken } from '../platform/tokens.ts';
import { describeDevice } from './device.ts';
import { hasSecondFactor, useCode } from './secondFactorCodes.ts';
import { pendingSignIns, secondFactors, sessions, users } from './tables.ts';

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;
const SESSION_TTL_MS = 30 * DAY_MS;
/** A person finds the phone and types a code within that time. */
const PENDING_TTL_MS = 10 * 60 * 1000;
/** A token with less left than this is renewed when the account asks for its usage. */
const RENEW_BELOW_MS = 7 * DAY_MS;
const MAX_USER_AGENT = 400;

/**
 * The administrator's account. Sign-up never assigns this id and refuses the admin mailbox, so the id alone decides.
 */
export const ADMIN_ID = 1;

/** The token of a session, or that of a sign-in which waits for the second factor. */
export type SignInTokens = { readonly token: string } | { readonly pendingToken: string };

/**
 * Begins a session of 30 days for somebody who has proven a password, and returns its token: 256 random bits, returned
 * this once. An account with a second factor gets the token of a pending sign-in instead, good for ten minutes. Throws
 * unauthorized when the password has changed meanwhile: a change ends what the old one opens.
 */
export async function startSession(
  context: Context,
  provenAccount: { id: number; passwordHash: string },
  userAgent: string,
): Promise<SignInTokens> {
  return context.db.transaction(async (tx) => {
    const [account] = await tx
      .select({ id: users.id })
      .from(users)
      .where(and(eq(users.id, provenAccount.id), eq(users.passwordHash, provenAccount.passwordHash)))
      .for('share'); // waits for a concurrent change of the password
    if (!account) throw new AppError('unauthorized', messages.invalidCredentials);
    if (await hasSecondFactor(tx, account.id)) return { pendingToken: await addPendingSignIn(context, tx, account.id) };
    return { token: await addFirstSession(context, tx, account.id, userAgent) };
  });
}

const addFirstSession = (context: Context, tx: Transaction, userId: number, userAgent: string): Promise<string> =>
  addSession(context, tx, { userId, place: newId(), userAgent: userAgent.slice(0, MAX_USER_AGENT) });

async function addPendingSignIn(context: Context, tx: Transaction, userId: number): Promise<string> {
  const token = newToken();
  const now = context.now();
  const expiresAt = new Date(now.getTime() + PENDING_TTL_MS);
  await tx.insert(pendingSignIns).values({ id: hashToken(token), userId, createdAt: now, expiresAt });
  return token;
}

/** Returns the account of a pending sign-in; undefined for an unknown, used or expired token. */
export async function findPendingSignIn(
  context: Context,
  pendingToken: string,
): Promise<{ id: number; email: string } | undefined> {
  const [account] = await context.db
    .select({ id: users.id, email: users.email })
    .from(pendingSignIns)
    .innerJoin(users, eq(users.id, pendingSignIns.userId))
    .where(and(eq(pendingSignIns.id, hashToken(pendingToken)), gt(pendingSignIns.expiresAt, context.now())));
  return account;
}

/**
 * Turns a pending sign-in into a session, when its code is right: one of several simultaneous calls gets the session.
 * Returns undefined for a wrong code, which leaves the sign-in pending, and for one that ended meanwhile.
 */
export async function completePendingSignIn(
  context: Context,
  { pendingToken, userId, code }: { pendingToken: string; userId: number; code: string },
  userAgent: string,
): Promise<{ token: string; proof: 'app' | 'recoveryCode' } | undefined> {
  return context.db.transaction(async (tx) => {
    await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('update');
    const proof = await useCode(context, tx, userId, code);
    if (!proof) return undefined;
    const rows = await tx
      .delete(pendingSignIns)
      .where(eq(pendingSignIns.id, hashToken(pendingToken)))
      .returning({ id: pendingSignIns.id });
    if (rows.length === 0) return undefined;
    return { token: await addFirstSession(context, tx, userId, userAgent), proof };
  });
}

async function addSession(
  context: Context,
  tx: Transaction,
  session: { userId: number; place: string; userAgent: string },
): Promise<string> {
  const token = newToken();
  const now = context.now();
  const expiresAt = new Date(now.getTime() + SESSION_TTL_MS);
  await tx.insert(sessions).values({ id: hashToken(token), ...session, createdAt: now, lastUsedAt: now, expiresAt });
  return token;
}

/** Returns the role of an account from the stored one; undefined for an account without a role. */
export const roleOf = (userId: number, storedRole: AdminRole | null): AdminRole | undefined =>
  userId === ADMIN_ID ? 'owner' : (storedRole ?? undefined);

/** Returns the condition for sessions that have neither expired nor been idle for too long. */
function isValid({ now, config }: Context): SQL | undefined {
  const idleSince = new Date(now().getTime() - config.idleTimeoutMs);
  return and(gt(sessions.expiresAt, now()), gt(sessions.lastUsedAt, idleSince));
}

/** Returns the account of a token; undefined for an unknown, ended or expired one. */
export async function findSession(context: Context, token: string): Promise<SignedInAccount | undefined> {
  const now = context.now();
  const [row] = await context.db
    .select({
      id: users.id,
      email: users.email,
      sessionId: sessions.id,
      lastUsedAt: sessions.lastUsedAt,
      storedRole: users.adminRole,
      confirmedAt: secondFactors.confirmedAt,
    })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .leftJoin(secondFactors, eq(secondFactors.userId, users.id))
    .where(and(eq(sessions.id, hashToken(token)), isValid(context)));
  if (!row) return undefined;

  const { lastUsedAt, confirmedAt, storedRole, ...account } = row;
  const awhileAgo = new Date(now.getTime() - Math.min(HOUR_MS, context.config.idleTimeoutMs / 10));
  if (lastUsedAt <= awhileAgo) {
    await context.db
      .update(sessions)
      .set({ lastUsedAt: now })
      .where(and(eq(sessions.id, row.sessionId), lte(sessions.lastUsedAt, awhileAgo)));
  }
  const adminRole = roleOf(row.id, storedRole);
  const isAdmin = adminRole !== undefined;
  const needsSecondFactor = isAdmin && context.config.requiresAdminSecondFactor && confirmedAt === null;
  return { ...account, isAdmin, adminRole, needsSecondFactor };
}

/**
 * Returns a new token when the session expires soon. The old one stays valid until its own end, for other open tabs.
 */
export async function renewSession(context: Context, actor: SignedInAccount): Promise<string | undefined> {
  const soon = new Date(context.now().getTime() + RENEW_BELOW_MS);
  const isExpiringSoon = and(eq(sessions.id, actor.sessionId), lte(sessions.expiresAt, soon));
  if ((await context.db.$count(sessions, isExpiringSoon)) === 0) return undefined;

  return context.db.transaction(async (tx) => {
    await tx.select({ id: users.id }).from(users).where(eq(users.id, actor.id)).for('share');
    // Reads the session again under the lock: a call that ended it meanwhile must not leave a renewed one behind.
    const [old] = await tx
      .select({ userId: sessions.userId, place: sessions.place, userAgent: sessions.userAgent })
      .from(sessions)
      .where(isExpiringSoon);
    return old && addSession(context, tx, old);
  });
}

/** Lists the places where the account is signed in: this place first, then by last use. */
export async function listSessions(context: Context, actor: SignedInAccount): Promise<SessionInfo[]> {
  const isCurrent = sql<boolean>`bool_or(${sessions.id} = ${actor.sessionId})`;
  const lastUsedAt = max(sessions.lastUsedAt);
  const rows = await context.db
    .select({
      id: sessions.place,
      userAgent: max(sessions.userAgent),
      createdAt: min(sessions.createdAt),
      lastUsedAt,
      isCurrent,
    })
    .from(sessions)
    .where(and(eq(sessions.userId, actor.id), isValid(context)))
    .groupBy(sessions.place)
    .orderBy(desc(isCurrent), desc(lastUsedAt));
  return rows.map((row) => ({
    id: row.id,
    device: describeDevice(row.userAgent ?? ''),
    createdAt: row.createdAt!.toISOString(),
    lastUsedAt: row.lastUsedAt!.toISOString(),
    isCurrent: row.isCurrent,
  }));
}

/** Signs the account out at the caller's place, with every token of that place. */
export async function logOut(context: Context, actor: SignedInAccount): Promise<void> {
  await context.db
    .delete(sessions)
    .where(and(eq(sessions.userId, actor.id), eq(sessions.place, placeOf(context, actor))));
}

/** Signs one place out. Throws notFound with the same message for somebody else's and a missing one. */
export async function endSession(context: Context, actor: SignedInAccount, place: string): Promise<void> {
  const rows = await context.db
    .delete(sessions)
    .where(and(eq(sessions.userId, actor.id), eq(sessions.place, place)))
    .returning({ id: sessions.id });
  if (rows.length === 0) throw new AppError('notFound', 'This place is not signed in any more.');
}

/** Signs every other place out and returns their number. */
export async function endOtherSessions(context: Context, actor: SignedInAccount): Promise<{ ended: number }> {
  const rows = await context.db
    .delete(sessions)
    .where(and(eq(sessions.userId, actor.id), ne(sessions.place, placeOf(context, actor))))
    .returning({ place: sessions.place });
  return { ended: new Set(rows.map(({ place }) => place)).size };
}

const placeOf = (context: Context, actor: SignedInAccount) =>
  sql`(${context.db.select({ place: sessions.place }).from(sessions).where(eq(sessions.id, actor.sessionId))})`;

/**
 * Ends the sessions of an account except `exceptSessionId`, and its pending sign-ins, for example after a change of its
 * password. Returns the number of places that were signed in. The caller has locked the account's row.
 */
export async function endSessions(
  writer: Pick<Db, 'delete'>,
  userId: number,
  exceptSessionId?: string,
): Promise<number> {
  const rows = await writer
    .delete(sessions)
    .where(and(eq(sessions.userId, userId), exceptSessionId ? ne(sessions.id, exceptSessionId) : undefined))
    .returning({ place: sessions.place });
  await writer.delete(pendingSignIns).where(eq(pendingSignIns.userId, userId));
  return new Set(rows.map(({ place }) => place)).size;
}

/** Deletes sessions that have expired or been idle for too long. */
export async function sweepSessions(context: Context): Promise<void> {
  await context.db.delete(sessions).where(sql`not (${isValid(context)})`);
  await context.db.delete(pendingSignIns).where(lte(pendingSignIns.expiresAt, context.now()));
}
