/** Who is calling: opaque bearer tokens, known to the database only by their hash. */
import { createHash, randomBytes } from 'node:crypto';
import { and, eq, gt, lte } from 'drizzle-orm';
import type { Deps } from '../deps.ts';
import { sessions, users } from '../platform/schema.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const SESSION_TTL_MS = 30 * DAY_MS;
/** A token with less left than this is renewed when the account asks for its usage. */
const RENEW_BELOW_MS = 7 * DAY_MS;

/** The setup account. Sign-up cannot reach this id, and the admin mailbox cannot be signed up for: so the id alone decides. */
export const ADMIN_ID = 1;

/** Begins a session of 30 days and gives its token: 256 random bits, shown this once. */
export async function startSession(deps: Deps, userId: number): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  const now = deps.now();
  await deps.db.insert(sessions).values({
    id: hashToken(token),
    userId,
    createdAt: now,
    expiresAt: new Date(now.getTime() + SESSION_TTL_MS),
  });
  return token;
}

export interface SignedIn {
  readonly id: number;
  readonly email: string;
  readonly isAdmin: boolean;
  readonly sessionId: string;
}

/** The account a token belongs to; undefined for an unknown, ended or outdated one. */
export async function findSession(deps: Deps, token: string): Promise<SignedIn | undefined> {
  const [row] = await deps.db
    .select({ id: users.id, email: users.email, sessionId: sessions.id })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(and(eq(sessions.id, hashToken(token)), gt(sessions.expiresAt, deps.now())));
  return row && { ...row, isAdmin: row.id === ADMIN_ID };
}

/** A fresh token when the session nears its end; the old one lives on to its own end, for other open tabs. */
export async function renewSession(deps: Deps, actor: SignedIn): Promise<string | undefined> {
  const soon = new Date(deps.now().getTime() + RENEW_BELOW_MS);
  const [nearing] = await deps.db
    .select({ id: sessions.id })
    .from(sessions)
    .where(and(eq(sessions.id, actor.sessionId), lte(sessions.expiresAt, soon)));
  return nearing && startSession(deps, actor.id);
}

export async function endSession(deps: Deps, sessionId: string): Promise<void> {
  await deps.db.delete(sessions).where(eq(sessions.id, sessionId));
}

/** Ends every session of an account: its password changed. */
export async function endAllSessions(deps: Deps, userId: number): Promise<void> {
  await deps.db.delete(sessions).where(eq(sessions.userId, userId));
}

/** Removes sessions that have ended by time. */
export async function sweepSessions(deps: Deps): Promise<void> {
  await deps.db.delete(sessions).where(lte(sessions.expiresAt, deps.now()));
}

function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
