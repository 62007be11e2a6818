/**
 * Queues mails: each is written to the outbox in the transaction that it reports on, and a job sends it after the
 * commit.
 */
import { count } from 'drizzle-orm';
import type { Context } from '../platform/context.ts';
import type { Db } from '../platform/database.ts';
import { newId } from '../platform/ids.ts';
import { mails } from './tables.ts';

/** A mail before it is queued. Recipient and reply address are canonical; the sender is a setting. */
export interface MailMessage {
  readonly kind: string;
  readonly to: string;
  readonly replyTo?: string | undefined;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** An idempotency key for a mail that must be sent only once: a second mail with the same key is dropped. */
  readonly key?: string | undefined;
  /**
   * The expiry of a secret link in the text, such as one that resets a password. The text is blanked when the mail is
   * sent, or at this time at the latest.
   */
  readonly secretUntil?: Date | undefined;
}

/** The job that sends the due mails. */
export const SEND_MAILS = 'mail';

/** Replaces the text of a mail that held a secret link. */
export const BLANKED = 'This mail held a link for its receiver alone. It has been taken out.';

/** A connection or a running transaction: with the latter, no mail is written when the rest is rolled back. */
type Writer = Pick<Db, 'insert' | 'execute'>;

/** Queues a mail. It is sent within seconds of the commit, or stays in the outbox when there is no mail server. */
export async function queueMail(context: Context, writer: Writer, { to, ...message }: MailMessage): Promise<void> {
  const now = context.now();
  const mail = { id: newId(), recipient: to, ...message, subject: oneLine(message.subject) };
  await writer
    .insert(mails)
    .values({ ...mail, state: 'queued', tryAt: now, createdAt: now })
    .onConflictDoNothing({ target: mails.key });
  await context.jobs.send(writer, SEND_MAILS);
}

/** Counts the stored mails by state; a state without mails counts 0. */
export async function countMails(context: Context): Promise<Record<string, number>> {
  const rows = await context.db.select({ state: mails.state, count: count() }).from(mails).groupBy(mails.state);
  return Object.fromEntries(
    mails.state.enumValues.map((state) => [state, rows.find((row) => row.state === state)?.count ?? 0]),
  );
}

/** Makes a subject one line, whatever characters a name in it contains. */
const oneLine = (text: string): string => text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').slice(0, 200);
