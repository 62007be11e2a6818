/**
 * The codes of the second factor: those of an authenticator app (TOTP, RFC 6238) and recovery codes.
 *
 * The app's secret is stored encrypted with the server's key. A code of the app works once: the newest time step that
 * was accepted is stored, and only a later one counts. Recovery codes are stored as hashes, and each works once.
 */
import { and, eq, isNotNull, lt } from 'drizzle-orm';
import { Secret, TOTP } from 'otpauth';
import { queueMail } from '../mail/mail.ts';
import { recoveryCodeMail } from '../mail/templates.ts';
import type { Context } from '../platform/context.ts';
import type { Db, Transaction } from '../platform/database.ts';
import type { RateLimit } from '../platform/rateLimit.ts';
import { hashToken } from '../platform/tokens.ts';
import { recoveryCodes, secondFactors, users } from './tables.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** Codes of the time step before and after count too, for clocks that differ. */
const WINDOW_STEPS = 1;

const isConfirmed = isNotNull(secondFactors.confirmedAt);

/** Returns true when the account has a second factor in use. */
export async function hasSecondFactor(reader: Pick<Db, 'select'>, userId: number): Promise<boolean> {
  const [row] = await reader
    .select({ userId: secondFactors.userId })
    .from(secondFactors)
    .where(and(eq(secondFactors.userId, userId), isConfirmed));
  return row !== undefined;
}

/** Deletes the second factor of an account and its recovery codes. Returns false when there was none. */
export async function removeSecondFactor(tx: Transaction, userId: number): Promise<boolean> {
  await tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId));
  const rows = await tx.delete(secondFactors).where(eq(secondFactors.userId, userId)).returning();
  return rows.length > 0;
}

/**
 * Uses up a code of the app or a recovery code, and mails the owner about the latter. Returns which of the two it was;
 * undefined for a wrong or used one. The caller has locked the account's row.
 */
export async function useCode(
  context: Context,
  tx: Transaction,
  userId: number,
  code: string,
): Promise<'app' | 'recoveryCode' | undefined> {
  const plain = code.replace(/[\s-]/g, '').toLowerCase();
  if (!/^\d{6}$/.test(plain)) {
    const rows = await tx
      .delete(recoveryCodes)
      .where(and(eq(recoveryCodes.id, hashRecoveryCode(userId, plain)), eq(recoveryCodes.userId, userId)))
      .returning({ id: recoveryCodes.id });
    if (rows.length === 0) return undefined;
    await mailRecoveryCodeUse(context, tx, userId);
    return 'recoveryCode';
  }
  const [row] = await tx
    .select()
    .from(secondFactors)
    .where(and(eq(secondFactors.userId, userId), isConfirmed));
  const step = row && findStep(context, row, plain);
  if (step === undefined) return undefined;
  const rows = await tx
    .update(secondFactors)
    .set({ lastStep: step })
    .where(and(eq(secondFactors.userId, userId), lt(secondFactors.lastStep, step)))
    .returning({ userId: secondFactors.userId });
  return rows.length > 0 ? 'app' : undefined;
}

async function mailRecoveryCodeUse(context: Context, tx: Transaction, userId: number): Promise<void> {
  const [account] = await tx.select({ email: users.email }).from(users).where(eq(users.id, userId));
  const leftCount = await tx.$count(recoveryCodes, eq(recoveryCodes.userId, userId));
  if (account) await queueMail(context, tx, recoveryCodeMail(context, account.email, leftCount));
}

/**
 * Returns the rate limits of codes: ten tries in 15 minutes and 50 a day. Three of a million codes are right at a time,
 * so guessing takes years.
 */
export const codeLimits = (userId: number): RateLimit[] => [
  { key: `second factor ${userId}`, limit: 10, windowMs: 15 * MINUTE_MS },
  { key: `second factor ${userId} a day`, limit: 50, windowMs: DAY_MS },
];

/** Returns the time step of a right code that is newer than the last one used; undefined for any other. */
export function findStep(
  context: Context,
  { userId, secret, lastStep }: typeof secondFactors.$inferSelect,
  code: string,
): number | undefined {
  const base32 = context.secretBox.open(secret, ownerOf(userId));
  if (base32 === undefined) {
    context.log.error({ userId }, 'the second factor cannot be read with the key of the data folder');
    return undefined;
  }
  const totp = createTotp(context, base32, '');
  const timestamp = context.now().getTime();
  const delta = totp.validate({ token: code.replace(/\s/g, ''), timestamp, window: WINDOW_STEPS });
  if (delta === null) return undefined;
  const step = totp.counter({ timestamp }) + delta;
  return step > lastStep ? step : undefined;
}

/** Returns the generator of an authenticator app's codes. `label` names the account in the app. */
export const createTotp = ({ origin }: Pick<Context, 'origin'>, base32: string, label: string): TOTP =>
  new TOTP({ issuer: `Markwright (${new URL(origin).host})`, label, secret: Secret.fromBase32(base32) });

/** Encrypts an account's secret for the database. */
export const sealSecret = (context: Context, userId: number, base32: string): string =>
  context.secretBox.seal(base32, ownerOf(userId));

/**
 * Encrypts the secrets of all accounts with the first key. Returns how many, and how many none of the keys decrypts.
 */
export async function resealSecrets({
  db,
  secretBox,
}: Pick<Context, 'db' | 'secretBox'>): Promise<{ count: number; lostCount: number }> {
  return db.transaction(async (tx) => {
    const rows = await tx.select().from(secondFactors).for('update');
    let count = 0;
    for (const { userId, secret } of rows) {
      const base32 = secretBox.open(secret, ownerOf(userId));
      if (base32 === undefined) continue;
      const sealedSecret = secretBox.seal(base32, ownerOf(userId));
      await tx.update(secondFactors).set({ secret: sealedSecret }).where(eq(secondFactors.userId, userId));
      count++;
    }
    return { count, lostCount: rows.length - count };
  });
}

const ownerOf = (userId: number): string => `second factor ${userId}`;

/** Returns the stored form of a recovery code. Hyphens do not count. */
export const hashRecoveryCode = (userId: number, code: string): string =>
  hashToken(`${userId} ${code.replaceAll('-', '')}`);
