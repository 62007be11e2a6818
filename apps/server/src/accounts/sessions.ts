/**
 * Who is calling: opaque bearer tokens, known to the database only by their hash. A place is where somebody signed in
 * once; its token may be renewed, and both are the same place.
 */
import { messages, type SessionInfo } from '@markwright/contract';
import { and, desc, eq, gt, lte, max, min, ne, sql } from 'drizzle-orm';
import type { Context } from '../platform/context.ts';
import type { Db, Transaction } from '../platform/database.ts';
import { AppError } from '../platform/errors.ts';
import { newId } from '../platform/ids.ts';
import { hashToken, newToken } from '../platform/tokens.ts';
import { describeDevice } from './device.ts';
import { sessions, users } from './tables.ts';

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;
const SESSION_TTL_MS = 30 * DAY_MS;
/** A token with less left than this is renewed when the account asks for its usage. */
const RENEW_BELOW_MS = 7 * DAY_MS;
const MAX_USER_AGENT = 400;

/**
 * The setup account. Sign-up cannot reach this id, and the admin mailbox cannot be signed up for: so the id alone
 * decides.
 */
export const ADMIN_ID = 1;

/**
 * Begins a session of 30 days for whoever has proven a password, and returns its token: 256 random bits, shown this
 * once. Throws unauthorized when the account has another password by now: a change ends what the old one opens.
 */
export async function startSession(
  context: Context,
  proven: { id: number; passwordHash: string },
  userAgent: string,
): Promise<string> {
  return context.db.transaction(async (tx) => {
    const [account] = await tx
      .select({ id: users.id })
      .from(users)
      .where(and(eq(users.id, proven.id), eq(users.passwordHash, proven.passwordHash)))
      .for('share'); // waits for a change of the password that is under way
    if (!account) throw new AppError('unauthorized', messages.invalidCredentials);
    return addSession(context, tx, {
      userId: account.id,
      place: newId(),
      userAgent: userAgent.slice(0, MAX_USER_AGENT),
    });
  });
}

async function addSession(
  context: Context,
  tx: Transaction,
  of: { userId: number; place: string; userAgent: string },
): Promise<string> {
  const token = newToken();
  const now = context.now();
  const expiresAt = new Date(now.getTime() + SESSION_TTL_MS);
  await tx.insert(sessions).values({ id: hashToken(token), ...of, createdAt: now, lastUsedAt: now, expiresAt });
  return token;
}

export interface SignedIn {
  readonly id: number;
  readonly email: string;
  readonly isAdmin: boolean;
  readonly sessionId: string;
}

/** The account a token belongs to; undefined for an unknown, ended or outdated one. */
export async function findSession(context: Context, token: string): Promise<SignedIn | undefined> {
  const now = context.now();
  const [row] = await context.db
    .select({ id: users.id, email: users.email, sessionId: sessions.id, lastUsedAt: sessions.lastUsedAt })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(and(eq(sessions.id, hashToken(token)), gt(sessions.expiresAt, now)));
  if (!row) return undefined;

  const { lastUsedAt, ...account } = row;
  const anHourAgo = new Date(now.getTime() - HOUR_MS);
  if (lastUsedAt <= anHourAgo) {
    await context.db
      .update(sessions)
      .set({ lastUsedAt: now })
      .where(and(eq(sessions.id, row.sessionId), lte(sessions.lastUsedAt, anHourAgo)));
  }
  return { ...account, isAdmin: row.id === ADMIN_ID };
}

/** A fresh token when the session nears its end; the old one lives on to its own end, for other open tabs. */
export async function renewSession(context: Context, actor: SignedIn): Promise<string | undefined> {
  const soon = new Date(context.now().getTime() + RENEW_BELOW_MS);
  const nearing = and(eq(sessions.id, actor.sessionId), lte(sessions.expiresAt, soon));
  if ((await context.db.$count(sessions, nearing)) === 0) return undefined;

  return context.db.transaction(async (tx) => {
    await tx.select({ id: users.id }).from(users).where(eq(users.id, actor.id)).for('share');
    // Looked for again under the lock: what ended the session meanwhile must not leave a renewed one behind.
    const [old] = await tx
      .select({ userId: sessions.userId, place: sessions.place, userAgent: sessions.userAgent })
      .from(sessions)
      .where(nearing);
    return old && addSession(context, tx, old);
  });
}

/** Where the account is signed in: this place first, then the last used. */
export async function listSessions(context: Context, actor: SignedIn): Promise<SessionInfo[]> {
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
    .where(and(eq(sessions.userId, actor.id), gt(sessions.expiresAt, context.now())))
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

/** Signs the account out where the call comes from, with every token this place was given. */
export async function logOut(context: Context, actor: SignedIn): Promise<void> {
  await context.db
    .delete(sessions)
    .where(and(eq(sessions.userId, actor.id), eq(sessions.place, placeOf(context, actor))));
}

/** Signs one place out. Throws notFound in the same words for a foreign and a missing one. */
export async function endSession(context: Context, actor: SignedIn, place: string): Promise<void> {
  const ended = await context.db
    .delete(sessions)
    .where(and(eq(sessions.userId, actor.id), eq(sessions.place, place)))
    .returning({ id: sessions.id });
  if (ended.length === 0) throw new AppError('notFound', 'This place is not signed in any more.');
}

/** Signs every other place out and returns how many there were. */
export async function endOtherSessions(context: Context, actor: SignedIn): Promise<{ ended: number }> {
  const ended = await context.db
    .delete(sessions)
    .where(and(eq(sessions.userId, actor.id), ne(sessions.place, placeOf(context, actor))))
    .returning({ place: sessions.place });
  return { ended: new Set(ended.map(({ place }) => place)).size };
}

const placeOf = (context: Context, actor: SignedIn) =>
  sql`(${context.db.select({ place: sessions.place }).from(sessions).where(eq(sessions.id, actor.sessionId))})`;

/** Ends the sessions of an account, all but `keep`: its password changed. The account's row is locked by then. */
export async function endSessions(writer: Pick<Db, 'delete'>, userId: number, keep?: string): Promise<void> {
  await writer.delete(sessions).where(and(eq(sessions.userId, userId), keep ? ne(sessions.id, keep) : undefined));
}

/** Removes sessions that have ended by time. */
export async function sweepSessions(context: Context): Promise<void> {
  await context.db.delete(sessions).where(lte(sessions.expiresAt, context.now()));
}
