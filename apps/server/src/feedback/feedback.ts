/** Feedback and the waitlist. Both are stored, then mailed. */
import { randomInt } from 'node:crypto';
import { type Feedback, NO_EMAIL, NO_NAME, WAITLIST_CODE_YEARS } from '@markwright/contract';
import { and, eq, isNull, lt } from 'drizzle-orm';
import { queueMail } from '../mail/mail.ts';
import { feedbackMail, waitlistMail } from '../mail/templates.ts';
import type { Context } from '../platform/context.ts';
import type { Transaction } from '../platform/database.ts';
import { canonicalEmail } from '../platform/emailAddress.ts';
import { AppError } from '../platform/errors.ts';
import { newId } from '../platform/ids.ts';
import type { Actor } from '../platform/mount.ts';
import { networkOf } from '../platform/network.ts';
import { enforceRateLimits } from '../platform/rateLimit.ts';
import { feedback, waitlist } from './tables.ts';

const HOUR_MS = 3_600_000;

/** Stores feedback and mails it to the support mailbox. Throws tooMany after ten from one network in an hour. */
export async function sendFeedback(context: Context, actor: Actor, message: Feedback): Promise<{ ok: true }> {
  await enforceRateLimits(context, [
    { key: `feedback from ${networkOf(actor.address)}`, limit: 10, windowMs: HOUR_MS },
  ]);
  const row = {
    id: newId(),
    name: message.name || NO_NAME,
    email: message.email || NO_EMAIL,
    feedback: message.feedback,
  };
  const userId = actor.kind === 'user' ? actor.id : null;
  await context.db.transaction(async (tx) => {
    await tx.insert(feedback).values({ ...row, userId, createdAt: context.now() });
    await queueMail(context, tx, feedbackMail(context, { ...row, userId, replyTo: replyAddress(row.email) }));
  });
  return { ok: true };
}

/** Returns the address when it is exactly one valid address, else undefined. */
function replyAddress(email: string): string | undefined {
  try {
    return canonicalEmail(email);
  } catch {
    return undefined;
  }
}

/**
 * Puts an address on the waitlist and mails its discount code, once. The reply is the same for an address that is on it
 * already. Throws invalid for an invalid address and tooMany after twenty from one network in an hour.
 */
export async function joinWaitlist(context: Context, actor: Actor, entry: { email: string }): Promise<{ ok: true }> {
  await enforceRateLimits(context, [
    { key: `waitlist from ${networkOf(actor.address)}`, limit: 20, windowMs: HOUR_MS },
  ]);
  const email = canonicalEmail(entry.email);
  await context.db.transaction(async (tx) => {
    const code = await addToWaitlist(context, tx, email);
    if (code) await queueMail(context, tx, waitlistMail(context, email, code));
  });
  return { ok: true };
}

/** Takes addresses off the waitlist two years after they were put on it. Their codes end, used or not. */
export async function sweepWaitlist({ db, now }: Context): Promise<void> {
  await db.delete(waitlist).where(lt(waitlist.createdAt, yearsBefore(now(), WAITLIST_CODE_YEARS)));
}

const KEEP_GUEST_FEEDBACK_YEARS = 2;

/** Deletes the feedback of guests of more than two years ago. An account's goes with the account. */
export async function sweepGuestFeedback({ db, now }: Context): Promise<void> {
  const isOld = lt(feedback.createdAt, yearsBefore(now(), KEEP_GUEST_FEEDBACK_YEARS));
  await db.delete(feedback).where(and(isNull(feedback.userId), isOld));
}

function yearsBefore(time: Date, years: number): Date {
  const earlier = new Date(time);
  earlier.setUTCFullYear(time.getUTCFullYear() - years);
  return earlier;
}

/** Returns the new code, or undefined for an address that has one. */
async function addToWaitlist(context: Context, tx: Transaction, email: string): Promise<string | undefined> {
  for (let tries = 0; tries < 10; tries++) {
    const code = newCode();
    const rows = await tx
      .insert(waitlist)
      .values({ email, code, createdAt: context.now() })
      .onConflictDoNothing()
      .returning({ code: waitlist.code });
    if (rows.length > 0) return code;
    if ((await tx.$count(waitlist, eq(waitlist.email, email))) > 0) return undefined;
  }
  throw new AppError('unavailable', 'No discount code could be made. Please try again.');
}

/**
 * Letters of a code: at most one of 0 O, 1 I L, 2 Z, 5 S, 8 B and U V, so that a code read on paper or heard on the
 * phone has one spelling.
 */
const CODE_LETTERS = '23456789ACDEFGHJKMNPQRTVWXY';

/** Returns a code like `FOUND-7K2M-QX`: one of 387 million. */
function newCode(): string {
  const letters = (count: number): string =>
    Array.from({ length: count }, () => CODE_LETTERS[randomInt(CODE_LETTERS.length)]).join('');
  return `FOUND-${letters(4)}-${letters(2)}`;
}
