/** Signing up, signing in, and the administrator's account. */
import { randomBytes } from 'node:crypto';
import { type Credentials, messages, type User } from '@markwright/contract';
import { and, eq, ne } from 'drizzle-orm';
import type { Context } from '../platform/context.ts';
import { canonicalEmail, localPart } from '../platform/emailAddress.ts';
import { AppError, type ErrorCode, StartError } from '../platform/errors.ts';
import type { UserActor } from '../platform/mount.ts';
import { networkOf } from '../platform/network.ts';
import { enforceRateLimits, type RateLimit, resetRateLimits } from '../platform/rateLimit.ts';
import { recordRefusal, recordSecurityEvent } from '../platform/securityEvents.ts';
import { refuseWeakPassword } from './commonPasswords.ts';
import type { KnownDevices } from './knownDevices.ts';
import { voidMailedToken } from './mailedTokens.ts';
import { hashPassword, isOutdatedHash, verifyPassword } from './passwords.ts';
import { codeLimits } from './secondFactorCodes.ts';
import {
  ADMIN_ID,
  completePendingSignIn,
  endSessions,
  findPendingSignIn,
  type SignInTokens,
  startSession,
} from './sessions.ts';
import { users } from './tables.ts';
import { queueVerification } from './verification.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** The visitor's address, guest id and browser. A browser keeps its guest cookie while signed in. */
export interface Visitor {
  readonly address: string;
  readonly guestId: string | undefined;
  readonly userAgent: string;
  readonly devices: KnownDevices;
}

/**
 * Assigns what a guest made to the account that the guest signs in to. Passed in by app.ts, because accounts know no
 * area above them.
 */
export type AdoptGuest = (context: Context, guestId: string, userId: number) => Promise<void>;

/**
 * Creates an account, mails the link that verifies its address and returns its first token. What the visitor made as a
 * guest becomes theirs. Throws conflict for an address that is taken and for the administrator's, invalid for a
 * common password.
 */
export async function signUp(
  context: Context,
  visitor: Visitor,
  credentials: Credentials,
  adopt: AdoptGuest,
): Promise<{ token: string }> {
  const email = canonicalEmail(credentials.email);
  // The reply says that an address is taken, as the specification asks. The rate limit prevents asking in bulk.
  await enforceRateLimits(context, [{ key: `signup ${networkOf(visitor.address)}`, limit: 100, windowMs: HOUR_MS }]);
  if (email === adminEmail(context)) throw new AppError('conflict', messages.signupFailed);
  await refuseWeakPassword(context, credentials.password, email);

  const passwordHash = await hashPassword(context, credentials.password);
  const account = await context.db.transaction(async (tx) => {
    const [row] = await tx
      .insert(users)
      .values({ email, passwordHash, username: localPart(email), createdAt: context.now() })
      .onConflictDoNothing({ target: users.email })
      .returning({ id: users.id, email: users.email, passwordHash: users.passwordHash });
    if (!row) throw new AppError('conflict', 'An account with this email already exists.');
    await queueVerification(context, tx, row);
    const { id: userId } = row;
    await recordSecurityEvent(context, tx, { ...eventOf(visitor, email, userId), kind: 'account', action: 'signUp' });
    return row;
  });
  const tokens = await openSession(context, visitor, account, adopt);
  if (!('token' in tokens)) throw new Error('A new account has no second factor.');
  return tokens;
}

/**
 * Checks a password and returns a token, or a pending token where a second factor follows. Answers an unknown address
 * and a wrong password with the same words and cost.
 */
export async function logIn(
  context: Context,
  visitor: Visitor,
  credentials: Credentials,
  adopt: AdoptGuest,
): Promise<SignInTokens> {
  const email = canonicalEmail(credentials.email);
  const limits = loginRateLimits(visitor, email);
  const account = await recordRefusalsOf(context, visitor, email, async () => {
    await enforceRateLimits(context, limits);
    return verifyCredentials(context, email, credentials.password);
  });
  await resetRateLimits(context, limits.slice(0, 1));
  const tokens = await openSession(context, visitor, { ...account, email }, adopt);
  if ('token' in tokens) {
    const event = eventOf(visitor, email, account.id);
    await recordSecurityEvent(context, context.db, { ...event, kind: 'signIn', action: 'password' });
  }
  return tokens;
}

/**
 * Completes a sign-in that waits for the second factor, and returns its token. Throws unauthorized for a wrong code and
 * for a sign-in that took too long, tooMany after ten wrong codes in 15 minutes.
 */
export async function completeSignIn(
  context: Context,
  visitor: Visitor,
  { pendingToken, code }: { pendingToken: string; code: string },
  adopt: AdoptGuest,
): Promise<{ token: string }> {
  const network = networkOf(visitor.address);
  await enforceRateLimits(context, [{ key: `code from ${network}`, limit: 200, windowMs: 15 * MINUTE_MS }]);
  const account = await findPendingSignIn(context, pendingToken);
  if (!account) throw new AppError('unauthorized', messages.outdatedSignIn);
  const event = eventOf(visitor, account.email, account.id);
  await enforceRateLimits(context, codeLimits(account.id));
  const attempt = { pendingToken, userId: account.id, code };
  const signIn = await completePendingSignIn(context, attempt, visitor.userAgent);
  if (!signIn) {
    await recordRefusal(context, { ...event, action: 'wrongCode' });
    throw new AppError('unauthorized', messages.wrongCode);
  }
  await resetRateLimits(context, codeLimits(account.id));
  const action = signIn.proof === 'app' ? 'secondFactor' : 'recoveryCode';
  await recordSecurityEvent(context, context.db, { ...event, kind: 'signIn', action });
  if (visitor.guestId) await adopt(context, visitor.guestId, account.id);
  return { token: signIn.token };
}

const eventOf = ({ address }: Visitor, email: string, userId: number | undefined) => ({ userId, email, address });

/** Runs `check`, records a wrong password or too many tries as a refusal, and throws its error again. */
async function recordRefusalsOf<T>(
  context: Context,
  visitor: Visitor,
  email: string,
  check: () => Promise<T>,
): Promise<T> {
  try {
    return await check();
  } catch (error) {
    const action = error instanceof AppError ? refusalActions[error.code] : undefined;
    if (action) {
      const [account] = await context.db.select({ id: users.id }).from(users).where(eq(users.email, email));
      await recordRefusal(context, { ...eventOf(visitor, email, account?.id), action });
    }
    throw error;
  }
}

const refusalActions: { readonly [Code in ErrorCode]?: string } = {
  unauthorized: 'wrongPassword',
  tooMany: 'tooManyTries',
};

/**
 * Returns the limits of signing in, the narrowest first. They slow a guesser down without locking the owner out.
 *
 * - A browser where the owner has signed in before counts its own tries only: others cannot use them up.
 * - For any other browser there are three: from one network to one account, from one network, and to one account from
 *   everywhere. The widest comes last, because it counts only what passed the others.
 */
function loginRateLimits(visitor: Visitor, email: string): RateLimit[] {
  const deviceId = visitor.devices.find(email);
  if (deviceId !== undefined) {
    return [{ key: `${triesOf(email)}device ${deviceId}`, limit: 10, windowMs: 15 * MINUTE_MS }];
  }
  const network = networkOf(visitor.address);
  const fromOnePlace: RateLimit = { key: `login from ${network}`, limit: 200, windowMs: 15 * MINUTE_MS };
  return [triesHere(email, network), fromOnePlace, triesEverywhere(email)];
}

/** Returns the beginning of every rate-limit key that counts tries at one account. */
export const triesOf = (email: string): string => `login ${email} `;

const triesHere = (email: string, network: string): RateLimit => ({
  key: `${triesOf(email)}${network}`,
  limit: 10,
  windowMs: 15 * MINUTE_MS,
});
const triesEverywhere = (email: string): RateLimit => ({ key: `login ${email}`, limit: 100, windowMs: HOUR_MS });

/**
 * Lets an owner in who has proven the mailbox: resets the rate limits of signing in, and from now on counts the tries
 * of this browser alone. Otherwise guesses that go on would lock the owner out again at once.
 */
export async function admitOwner(context: Context, visitor: Visitor, email: string): Promise<void> {
  visitor.devices.remember(email);
  await resetRateLimits(context, [triesHere(email, networkOf(visitor.address)), triesEverywhere(email)]);
}

interface ProvenAccount {
  readonly id: number;
  readonly passwordHash: string;
}

/**
 * Returns the account that a password opens. Hashes the password again when the stored hash has outdated parameters.
 * Throws unauthorized.
 */
async function verifyCredentials(context: Context, email: string, password: string): Promise<ProvenAccount> {
  const [account] = await context.db
    .select({ id: users.id, passwordHash: users.passwordHash })
    .from(users)
    .where(eq(users.email, email));
  const isMatch = await verifyPassword(context, password, account?.passwordHash);
  if (!account || !isMatch) throw new AppError('unauthorized', messages.invalidCredentials);
  if (!isOutdatedHash(context, account.passwordHash)) return account;

  const passwordHash = await hashPassword(context, password);
  const rows = await context.db
    .update(users)
    .set({ passwordHash })
    .where(and(eq(users.id, account.id), eq(users.passwordHash, account.passwordHash)))
    .returning({ id: users.id });
  // Another call replaced the hash first, with the same password or another one: check again.
  return rows.length > 0 ? { id: account.id, passwordHash } : verifyCredentials(context, email, password);
}

async function openSession(
  context: Context,
  visitor: Visitor,
  account: ProvenAccount & { readonly email: string },
  adopt: AdoptGuest,
): Promise<SignInTokens> {
  visitor.devices.remember(account.email);
  const tokens = await startSession(context, account, visitor.userAgent);
  if ('token' in tokens && visitor.guestId) await adopt(context, visitor.guestId, account.id);
  return tokens;
}

/** Returns the account as its owner sees it. Throws unauthorized when it was deleted concurrently. */
export async function findMe(context: Context, actor: UserActor): Promise<User> {
  const [row] = await context.db.select().from(users).where(eq(users.id, actor.id));
  if (!row) throw new AppError('unauthorized', 'Please sign in again.');
  return {
    id: row.id,
    email: row.email,
    username: row.username,
    createdAt: row.createdAt.toISOString(),
    emailVerified: row.emailVerifiedAt !== null,
    subscriptionPlan: row.subscriptionPlan,
    subscriptionStatus: row.subscriptionStatus,
    isAdmin: actor.isAdmin,
    adminRole: actor.adminRole ?? null,
    needsSecondFactor: actor.needsSecondFactor ?? false,
  };
}

/**
 * Makes sure that account 1 exists and is the administrator's, with the address of the settings. A new account gets the
 * password of the settings, an existing one only with `ADMIN_PASSWORD_RESET`. Returns the password it invented, to be
 * shown once, or undefined. Throws when the mailbox belongs to another account.
 */
export async function ensureAdmin(context: Context): Promise<string | undefined> {
  const email = adminEmail(context);
  const configuredPassword = context.config.adminPassword;
  const [otherAccount] = await context.db
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.email, email), ne(users.id, ADMIN_ID)));
  if (otherAccount)
    throw new StartError(
      `ADMIN_EMAIL is the address of account ${otherAccount.id}. Choose one that nobody signed up with.`,
    );

  const [admin] = await context.db.select().from(users).where(eq(users.id, ADMIN_ID));
  if (admin) {
    if (admin.email !== email || !admin.emailVerifiedAt) {
      await context.db.update(users).set({ email, emailVerifiedAt: context.now() }).where(eq(users.id, ADMIN_ID));
    }
    // The settings are the way back in for an operator who lost the password, where they say so. Otherwise the password
    // that the administrator has set since stays.
    const isReset = context.config.resetsAdminPassword && configuredPassword !== undefined;
    if (isReset && !(await verifyPassword(context, configuredPassword, admin.passwordHash))) {
      const passwordHash = await hashPassword(context, configuredPassword);
      await context.db.transaction(async (tx) => {
        await tx.update(users).set({ passwordHash }).where(eq(users.id, ADMIN_ID));
        await endSessions(tx, ADMIN_ID);
        await voidMailedToken(tx, 'reset', ADMIN_ID);
        const event = { kind: 'password', action: 'setByOperator', userId: ADMIN_ID, email, address: '' } as const;
        await recordSecurityEvent(context, tx, event);
      });
    }
    return undefined;
  }

  const password = configuredPassword ?? randomBytes(12).toString('base64url');
  const now = context.now();
  const rows = await context.db
    .insert(users)
    .values({
      id: ADMIN_ID,
      email,
      passwordHash: await hashPassword(context, password),
      username: localPart(email),
      subscriptionPlan: 'agency',
      subscriptionStatus: 'active',
      periodStart: now,
      emailVerifiedAt: now, // the operator vouches for it
      createdAt: now,
    })
    .onConflictDoNothing()
    .returning({ id: users.id });
  // Another process may have inserted the row first; its password is the valid one.
  return rows.length > 0 && configuredPassword === undefined ? password : undefined;
}

const adminEmail = (context: Context): string => canonicalEmail(context.config.adminEmail);
