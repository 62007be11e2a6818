/** Setting up the second factor, changing it and taking it out of use. */
import { randomBytes } from 'node:crypto';
import { messages } from '@markwright/contract';
import { count, eq, isNull } from 'drizzle-orm';
import { Secret } from 'otpauth';
import { encodeQR } from 'qr';
import { queueMail } from '../mail/mail.ts';
import { secondFactorMail } from '../mail/templates.ts';
import type { Context } from '../platform/context.ts';
import type { Transaction } from '../platform/database.ts';
import { AppError } from '../platform/errors.ts';
import type { UserActor } from '../platform/mount.ts';
import { enforceRateLimits, resetRateLimits } from '../platform/rateLimit.ts';
import { recordSecurityEvent } from '../platform/securityEvents.ts';
import { changeAsOwner, verifyCurrentPassword } from './ownerProof.ts';
import {
  codeLimits,
  createTotp,
  findStep,
  hashRecoveryCode,
  hasSecondFactor,
  removeSecondFactor,
  sealSecret,
} from './secondFactorCodes.ts';
import { recoveryCodes, secondFactors, users } from './tables.ts';

const RECOVERY_CODES = 10;
const SECRET_BYTES = 20;

/** Returns whether the account's second factor is in use, and how many recovery codes are left. */
export async function readSecondFactor(
  context: Context,
  actor: UserActor,
): Promise<{ isOn: boolean; recoveryCodesLeft: number }> {
  const [codes] = await context.db
    .select({ left: count() })
    .from(recoveryCodes)
    .where(eq(recoveryCodes.userId, actor.id));
  return { isOn: await hasSecondFactor(context.db, actor.id), recoveryCodesLeft: codes?.left ?? 0 };
}

interface Setup {
  /** For typing it in, base32. */
  readonly secret: string;
  /** The `otpauth:` address for an app on the same device. */
  readonly uri: string;
  /** The QR code of `uri`: the outline of its dark modules as SVG path data, and its modules a side. */
  readonly qr: { readonly path: string; readonly size: number };
}

/**
 * Creates a secret for an authenticator app. It takes effect when `confirmSecondFactor` accepts a first code;
 * until then another setup replaces it. Throws invalid for a wrong password, conflict when a second factor is in use.
 */
export async function setUpSecondFactor(context: Context, actor: UserActor, password: string): Promise<Setup> {
  await verifyCurrentPassword(context, actor, password);
  const secret = new Secret({ buffer: new Uint8Array(randomBytes(SECRET_BYTES)).buffer });
  const fields = {
    secret: sealSecret(context, actor.id, secret.base32),
    lastStep: 0,
    confirmedAt: null,
    createdAt: context.now(),
  };
  const rows = await context.db
    .insert(secondFactors)
    .values({ userId: actor.id, ...fields })
    .onConflictDoUpdate({
      target: secondFactors.userId,
      set: fields,
      setWhere: isNull(secondFactors.confirmedAt),
    })
    .returning({ userId: secondFactors.userId });
  if (rows.length === 0) throw new AppError('conflict', 'A second factor is in use. Turn it off first.');
  const uri = createTotp(context, secret.base32, actor.email).toString();
  return { secret: secret.base32, uri, qr: drawQr(uri) };
}

/**
 * Puts the second factor in use with a first code of the app, and returns the recovery codes, this once. Throws invalid
 * for a wrong code, conflict when there is no setup to confirm, and tooMany.
 */
export async function confirmSecondFactor(
  context: Context,
  actor: UserActor,
  code: string,
): Promise<{ recoveryCodes: string[] }> {
  await enforceRateLimits(context, codeLimits(actor.id));
  const codes = await context.db.transaction(async (tx) => {
    await lockAccount(tx, actor.id);
    const [row] = await tx.select().from(secondFactors).where(eq(secondFactors.userId, actor.id));
    if (!row || row.confirmedAt) throw new AppError('conflict', 'There is no setup to confirm. Please start again.');
    const step = findStep(context, row, code);
    if (step === undefined) return undefined;
    await tx
      .update(secondFactors)
      .set({ confirmedAt: context.now(), lastStep: step })
      .where(eq(secondFactors.userId, actor.id));
    await recordChange(context, tx, actor, 'on');
    return replaceRecoveryCodes(tx, actor.id);
  });
  if (!codes) throw new AppError('invalid', messages.wrongCode);
  await resetRateLimits(context, codeLimits(actor.id));
  return { recoveryCodes: codes };
}

interface Proof {
  readonly password: string;
  readonly code: string;
}

/**
 * Replaces the recovery codes and returns the new ones, this once. Throws invalid for a wrong password or code,
 * conflict when no second factor is in use.
 */
export async function renewRecoveryCodes(
  context: Context,
  actor: UserActor,
  proof: Proof,
): Promise<{ recoveryCodes: string[] }> {
  const codes = await withProof(context, actor, proof, async (tx) => {
    await recordChange(context, tx, actor, 'recoveryCodesRenewed');
    return replaceRecoveryCodes(tx, actor.id);
  });
  return { recoveryCodes: codes };
}

/** Takes the second factor out of use. Throws as `renewRecoveryCodes`. */
export async function disableSecondFactor(context: Context, actor: UserActor, proof: Proof): Promise<{ ok: true }> {
  await withProof(context, actor, proof, async (tx) => {
    await removeSecondFactor(tx, actor.id);
    await recordChange(context, tx, actor, 'off');
  });
  return { ok: true };
}

/** Runs a change of the second factor for somebody who gave the password and a code. The code is used up. */
async function withProof<T>(
  context: Context,
  actor: UserActor,
  { password, code }: Proof,
  change: (tx: Transaction) => Promise<T>,
): Promise<T> {
  const passwordHash = await verifyCurrentPassword(context, actor, password);
  return changeAsOwner(context, actor, { passwordHash, code }, async (tx) => {
    if (!(await hasSecondFactor(tx, actor.id))) throw new AppError('conflict', 'No second factor is in use.');
    return change(tx);
  });
}

async function replaceRecoveryCodes(tx: Transaction, userId: number): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, newRecoveryCode);
  await tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId));
  await tx.insert(recoveryCodes).values(codes.map((code) => ({ id: hashRecoveryCode(userId, code), userId })));
  return codes;
}

/**
 * Returns 120 random bits as 24 characters without those that look alike: `abcd-efgh-2345-jkmn-pqrs-tuvw`. From 112
 * bits on, a plain hash protects a stored code as well as a slow one (ASVS 6.5.2).
 */
function newRecoveryCode(): string {
  const characters = Array.from(randomBytes(24), (byte) => RECOVERY_ALPHABET[byte % 32]).join('');
  return characters.replace(/(.{4})(?=.)/g, '$1-');
}
const RECOVERY_ALPHABET = 'abcdefghijkmnpqrstuvwxyz23456789';

async function lockAccount(tx: Transaction, userId: number): Promise<void> {
  await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('update');
}

async function recordChange(
  context: Context,
  tx: Transaction,
  { id: userId, email, address }: UserActor,
  action: 'on' | 'off' | 'recoveryCodesRenewed',
): Promise<void> {
  await queueMail(context, tx, secondFactorMail(context, email, action));
  await recordSecurityEvent(context, tx, { kind: 'secondFactor', action, userId, email, address });
}

/** Draws a QR code as the outline of its dark modules, with the quiet zone that readers need. */
function drawQr(text: string): Setup['qr'] {
  const modules = encodeQR(text, 'raw', { ecc: 'medium', border: 4 });
  const path = modules.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ''))).join('');
  return { path, size: modules.length };
}
