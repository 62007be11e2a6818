/** Sends the due mails, each once, through the outbox. */
import { and, eq, isNotNull, lt, lte } from 'drizzle-orm';
import type { Context } from '../platform/context.ts';
import { createOutbox } from '../platform/outbox.ts';
import type { Delivery } from '../platform/ports/mailTransport.ts';
import { BLANKED } from './mail.ts';
import { mails } from './tables.ts';

type Mail = typeof mails.$inferSelect;

const MINUTE_MS = 60_000;
const KEEP_MS = 90 * 24 * 60 * MINUTE_MS;
const blankedColumns = { text: BLANKED, html: '', secretUntil: null };

const outbox = createOutbox<Mail, Delivery>({
  table: mails,
  leaseMs: 5 * MINUTE_MS, // a transport takes two minutes at most
  recordMs: MINUTE_MS,
  withAccess: (context, _mail, work) => work(context.db),
  async deliver(context, mail, markSending) {
    const delivery = await context.mail.deliver(toOutgoing(mail), markSending);
    if ('reason' in delivery) context.log.warn({ mail: mail.id, kind: mail.kind, ...delivery }, 'a mail was not taken');
    return delivery;
  },
  columnsOf: (mail, { state }) => (state === 'sent' && mail.secretUntil ? blankedColumns : {}),
});

/** Sends the due mails; see `Outbox.sendDue`. Any number of callers may do so at once. */
export async function sendMails(context: Context, signal?: AbortSignal): Promise<void> {
  await outbox.giveUpBroken(context, 'The server stopped while it was handed over.');
  await blankOutdated(context);
  await outbox.sendDue(context, signal);
}

/** Blanks expired links, and fails their queued mails. */
async function blankOutdated(context: Context): Promise<void> {
  const isOutdated = and(isNotNull(mails.secretUntil), lte(mails.secretUntil, context.now()));
  await context.db
    .update(mails)
    .set({ state: 'failed', lastError: 'Its link was outdated before it could be sent.' })
    .where(and(isOutdated, eq(mails.state, 'queued')));
  await context.db.update(mails).set(blankedColumns).where(isOutdated);
}

/** Deletes mails after 90 days. */
export async function sweepMails(context: Context): Promise<void> {
  await context.db.delete(mails).where(lt(mails.createdAt, new Date(context.now().getTime() - KEEP_MS)));
}

function toOutgoing({ id, recipient, replyTo, subject, text, html }: Mail) {
  return { id, to: recipient, replyTo: replyTo ?? undefined, subject, text, html };
}
