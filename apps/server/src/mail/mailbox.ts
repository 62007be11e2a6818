/** The administrator's mailbox: lists and shows mails, and sends one again. */
import type { Mail } from '@markwright/contract';
import { and, eq, inArray, ne } from 'drizzle-orm';
import type { Context } from '../platform/context.ts';
import { AppError } from '../platform/errors.ts';
import { readPage } from '../platform/paging.ts';
import { BLANKED, SEND_MAILS } from './mail.ts';
import { mails } from './tables.ts';

type MailRow = typeof mails.$inferSelect;

/**
 * Lists the newest mails, 50 at a time. `next` is the cursor of the following page. Throws invalid for another
 * `before`.
 */
export async function listMails(context: Context, before?: string): Promise<{ mails: Mail[]; next: string | null }> {
  const { page, next } = await readPage(context.db, mails, 'id', before);
  return { mails: page.map(toMail), next };
}

/**
 * Returns one mail with its text. A secret link is visible only without a mail server, because then people read it in
 * the outbox. Throws notFound.
 */
export async function readMail(context: Context, id: string): Promise<Mail & { text: string; html: string }> {
  const row = await findMail(context, id);
  const isHidden = row.secretUntil !== null && context.mail.kind === 'smtp';
  return { ...toMail(row), ...(isHidden ? { text: BLANKED, html: '' } : { text: row.text, html: row.html }) };
}

/**
 * Queues a mail again that failed, may have arrived, or was kept while there was no mail server. Throws notFound, and
 * conflict with the reason why it is impossible.
 */
export async function resendMail(context: Context, id: string): Promise<Mail> {
  if (context.mail.kind !== 'smtp') {
    throw new AppError('conflict', 'There is no mail server to send it. Set SMTP_URL and start again.');
  }
  const queuedRow = await context.db.transaction(async (tx) => {
    const [row] = await tx
      .update(mails)
      .set({ state: 'queued', attempts: 0, tryAt: context.now(), lastError: null })
      .where(and(eq(mails.id, id), inArray(mails.state, ['failed', 'unknown', 'kept']), ne(mails.text, BLANKED)))
      .returning();
    if (row) await context.jobs.send(tx, SEND_MAILS);
    return row;
  });
  if (!queuedRow) throw conflictFor(await findMail(context, id));
  return toMail(queuedRow);
}

function conflictFor({ state, text }: MailRow): AppError {
  if (state === 'sent') return new AppError('conflict', 'This mail has been sent.');
  if (text === BLANKED) return new AppError('conflict', 'The link in this mail is no longer good. Ask for a new one.');
  return new AppError('conflict', 'This mail is on its way already.');
}

async function findMail(context: Context, id: string): Promise<MailRow> {
  const [row] = await context.db.select().from(mails).where(eq(mails.id, id));
  if (!row) throw new AppError('notFound', 'There is no such mail.');
  return row;
}

function toMail(row: MailRow): Mail {
  const { id, kind, recipient, subject, state, attempts, lastError, createdAt, sentAt } = row;
  return {
    id,
    kind,
    to: recipient,
    subject,
    state,
    attempts,
    lastError,
    createdAt: createdAt.toISOString(),
    sentAt: sentAt?.toISOString() ?? null,
  };
}
