/** Sends the mails that are due, each once. */
import { setTimeout as wait } from 'node:timers/promises';
import { and, eq, inArray, isNotNull, lt, lte, sql } from 'drizzle-orm';
import type { Context } from '../platform/context.ts';
import { isDatabaseDown } from '../platform/database.ts';
import type { Delivery } from '../platform/ports/mailTransport.ts';
import { BLANKED } from './mail.ts';
import { mails } from './tables.ts';

type Mail = typeof mails.$inferSelect;

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** How long one try may take; longer than a carrier does. */
const TRY_MS = 5 * MINUTE_MS;
/** After 1, 2, 4, … 128 minutes, then every four hours: the last try comes a day after the first. */
const MAX_TRIES = 14;
const delayMs = (tries: number): number => Math.min(2 ** (tries - 1), 240) * MINUTE_MS;
/** Within the time of a try, and of the job. */
const RECORD_MS = MINUTE_MS;
const RECORD_PAUSE_MS = 500;
const KEEP_MS = 90 * DAY_MS;
const blanked = { text: BLANKED, html: '', secretUntil: null };

/** A run ends before its job counts as hung; what is left waits for the next minute's. */
const RUN_MS = 4 * 60_000;

/**
 * Sends, one after another, what is due, until nothing is, four minutes are over or the signal is aborted. Any number of
 * callers may do so at once.
 */
export async function sendMails(context: Context, signal?: AbortSignal): Promise<void> {
  await giveUpBroken(context);
  await blankOutdated(context);
  const until = context.now().getTime() + RUN_MS;
  while (!signal?.aborted && context.now().getTime() < until) {
    const mail = await claim(context);
    if (!mail) return;
    const delivery = await context.mail.deliver(toOutgoing(mail), () => markSending(context, mail));
    if ('reason' in delivery) context.log.warn({ mail: mail.id, kind: mail.kind, ...delivery }, 'a mail was not taken');
    await record(context, mail, delivery);
  }
}

/** Takes the mail that has waited longest for itself, for the time of a try. */
async function claim(context: Context): Promise<Mail | undefined> {
  const now = context.now();
  const due = context.db
    .select({ id: mails.id })
    .from(mails)
    .where(and(eq(mails.state, 'queued'), lte(mails.tryAt, now)))
    .orderBy(mails.tryAt)
    .limit(1)
    .for('update', { skipLocked: true });
  const [mail] = await context.db
    .update(mails)
    .set({ attempts: sql`${mails.attempts} + 1`, tryAt: new Date(now.getTime() + TRY_MS) })
    .where(eq(mails.id, sql`(${due})`))
    .returning();
  return mail;
}

/** From here on the text may have left: whoever finds the mail so, after its time, does not send it again. */
async function markSending(context: Context, mail: Mail): Promise<void> {
  const marked = await context.db
    .update(mails)
    .set({ state: 'sending' })
    .where(and(isOurs(mail), eq(mails.state, 'queued')))
    .returning({ id: mails.id });
  if (marked.length === 0) throw new Error('Its time was over; somebody else has it.');
}

/**
 * What became of a mail is known here alone, and a delayed one that was left as leaving would never be sent: while the
 * database is away, it is tried again for as long as the mail is ours.
 */
async function record(context: Context, mail: Mail, delivery: Delivery): Promise<void> {
  const until = performance.now() + RECORD_MS;
  for (;;) {
    try {
      await context.db
        .update(mails)
        .set(outcome(context, mail, delivery))
        .where(and(isOurs(mail), inArray(mails.state, ['queued', 'sending'])));
      return;
    } catch (error) {
      if (!isDatabaseDown(error) || performance.now() > until) throw error;
      await wait(RECORD_PAUSE_MS);
    }
  }
}

function outcome(context: Context, mail: Mail, delivery: Delivery): Partial<Mail> {
  const now = context.now();
  switch (delivery.state) {
    case 'sent':
      return { state: 'sent', sentAt: now, lastError: null, ...(mail.secretUntil ? blanked : {}) };
    case 'kept':
      return { state: 'kept', lastError: null };
    case 'unknown':
      return { state: 'unknown', lastError: delivery.reason };
    case 'refused':
      return { state: 'failed', lastError: delivery.reason };
    case 'delayed':
      if (mail.attempts >= MAX_TRIES) return { state: 'failed', lastError: delivery.reason };
      return {
        state: 'queued',
        tryAt: new Date(now.getTime() + delayMs(mail.attempts)),
        lastError: delivery.reason,
      };
  }
}

/** The try that was claimed, not a later one of the same mail. */
const isOurs = (mail: Mail) => and(eq(mails.id, mail.id), eq(mails.attempts, mail.attempts));

/** A server ended while the text left. */
async function giveUpBroken(context: Context): Promise<void> {
  await context.db
    .update(mails)
    .set({ state: 'unknown', lastError: 'The server stopped while it was handed over.' })
    .where(and(eq(mails.state, 'sending'), lte(mails.tryAt, context.now())));
}

/** A link that is outdated is kept nowhere, and not sent any more. */
async function blankOutdated(context: Context): Promise<void> {
  const isOutdated = and(isNotNull(mails.secretUntil), lte(mails.secretUntil, context.now()));
  await context.db
    .update(mails)
    .set({ state: 'failed', lastError: 'Its link was outdated before it could be sent.' })
    .where(and(isOutdated, eq(mails.state, 'queued')));
  await context.db.update(mails).set(blanked).where(isOutdated);
}

/** Forgets mails after 90 days. */
export async function sweepMails(context: Context): Promise<void> {
  await context.db.delete(mails).where(lt(mails.createdAt, new Date(context.now().getTime() - KEEP_MS)));
}

function toOutgoing({ id, recipient, replyTo, subject, text, html }: Mail) {
  return { id, to: recipient, replyTo: replyTo ?? undefined, subject, text, html };
}
