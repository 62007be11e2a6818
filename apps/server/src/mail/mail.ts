/** Queues mails: each is written to the outbox in the transaction it tells of, and a job sends it after the commit. */
import { count } from 'drizzle-orm';
import type { Context } from '../platform/context.ts';
import type { Db } from '../platform/database.ts';
import { newId } from '../platform/ids.ts';
import { mails } from './tables.ts';

/** A mail in words. Recipient and reply address are canonical; the sender is a setting. */
export interface MailMessage {
  readonly kind: string;
  readonly to: string;
  readonly replyTo?: string | undefined;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** An idempotency key, for what must be mailed once only: a second mail with the same key is dropped. */
  readonly key?: string | undefined;
  /** Until when the text holds a link that stands for a password. It is blanked when sent, and then at the latest. */
  readonly secretUntil?: Date | undefined;
}

/** The job that sends what is due. */
export const SEND_MAILS = 'mail';

/** Replaces the text of a mail that held a secret link. */
export const BLANKED = 'This mail held a link for its receiver alone. It has been taken out.';

/** A connection or a running transaction: with the latter, no mail is written when the rest is rolled back. */
type Writer = Pick<Db, 'insert' | 'execute'>;

/** Queues a mail. It leaves within seconds of the commit, or stays in the outbox when there is no mail server. */
export async function queueMail(context: Context, writer: Writer, { to, ...letter }: MailMessage): Promise<void> {
  const now = context.now();
  const mail = { id: newId(), recipient: to, ...letter, subject: oneLine(letter.subject) };
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

/** A subject is one line, whatever a name in it holds. */
const oneLine = (text: string): string => text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').slice(0, 200);
