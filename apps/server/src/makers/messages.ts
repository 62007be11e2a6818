/** Messages to makers: forwarded by mail, with a reply address. The maker's own address is never shown. */
import type { MakerMessage } from '@markwright/contract';
import { eq } from 'drizzle-orm';
import { users } from '../accounts/tables.ts';
import { queueMail } from '../mail/mail.ts';
import { makerMessageMail } from '../mail/templates.ts';
import type { Context } from '../platform/context.ts';
import { canonicalEmail } from '../platform/emailAddress.ts';
import { AppError } from '../platform/errors.ts';
import { newId } from '../platform/ids.ts';
import type { Actor } from '../platform/mount.ts';
import { networkOf } from '../platform/network.ts';
import { enforceRateLimits, type RateLimit } from '../platform/rateLimit.ts';
import { readShownMaker } from './makers.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** A person needs longer to read a page and write a message; a faster sender is a bot. */
const LEAST_MS = 3_000;
const STAMP_MS = DAY_MS;

/** Returns a page's stamp before it is signed: its maker and the time. */
export const stampFor = (context: Context, makerId: string): string => `${makerId} ${context.now().getTime()}`;

/**
 * Mails a message to a shown maker. `stamp` is the text of `stampFor` after its signature was checked, undefined for an
 * invalid signature. Throws notFound, invalid for an address that cannot receive a reply and for a page opened just now
 * or long ago, and tooMany: 5 an hour and 15 a day from one network and for one account, 3 a day from one address for
 * messages to one maker, and 40 a day to one maker. A bot that fills in the hidden field gets a success.
 */
export async function writeToMaker(
  context: Context,
  actor: Actor,
  makerId: string,
  { name, email, message, designLink, website, stamp }: Omit<MakerMessage, 'stamp'> & { stamp: string | undefined },
): Promise<{ ok: true }> {
  const maker = await readShownMaker(context, makerId);
  const replyTo = canonicalEmail(email);
  checkStamp(context, maker.id, stamp);
  if (website !== '') return { ok: true };

  await enforceRateLimits(context, limitsOf(actor, maker.id, replyTo));
  const [owner] = await context.db.select({ email: users.email }).from(users).where(eq(users.id, maker.userId));
  if (!owner) throw new AppError('notFound', 'This maker is not listed here, or not any more.');
  const content = { id: newId(), name, replyTo, message, designLink, maker: maker.name };
  await context.db.transaction((tx) => queueMail(context, tx, makerMessageMail(context, owner.email, content)));
  return { ok: true };
}

function limitsOf(actor: Actor, makerId: string, replyTo: string): RateLimit[] {
  const callers = [`network ${networkOf(actor.address)}`, ...(actor.kind === 'user' ? [`account ${actor.id}`] : [])];
  return [
    { key: `maker message ${replyTo} to ${makerId}`, limit: 3, windowMs: DAY_MS },
    ...callers.flatMap((caller) => [
      { key: `maker messages an hour, ${caller}`, limit: 5, windowMs: HOUR_MS },
      { key: `maker messages a day, ${caller}`, limit: 15, windowMs: DAY_MS },
    ]),
    { key: `maker messages to ${makerId}`, limit: 40, windowMs: DAY_MS },
  ];
}

function checkStamp(context: Context, makerId: string, stamp: string | undefined): void {
  const [stampedId, stampedMs] = stamp?.split(' ') ?? [];
  const ageMs = context.now().getTime() - Number(stampedMs);
  if (stampedId !== makerId || !(ageMs >= 0 && ageMs < STAMP_MS)) {
    throw new AppError(
      'invalid',
      'This page has been open for too long. Please reload it and send your message again.',
    );
  }
  if (ageMs < LEAST_MS) throw new AppError('invalid', 'That was very quick. Please wait a moment and send it again.');
}
