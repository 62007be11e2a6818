import { asc, eq, sql } from 'drizzle-orm';
import type { MailMessage } from '../src/mail/mail.ts';
import { mails } from '../src/mail/tables.ts';
import type { TestApp } from './server.ts';

/**
 * Returns the mails to an address, oldest first. Mails of the same millisecond come in the order of their insertion.
 */
export async function mailsTo({ context }: TestApp, email: string) {
  return context.db
    .select()
    .from(mails)
    .where(eq(mails.recipient, email))
    .orderBy(asc(mails.createdAt), sql`${mails}.ctid`);
}

/** Returns the token in the newest mail of a kind to an address. */
export async function mailedToken(server: TestApp, kind: 'reset' | 'verify', email: string): Promise<string> {
  const mail = (await mailsTo(server, email)).findLast((one) => one.kind === kind);
  const token = /token=([\w-]{43})\b/.exec(mail?.text ?? '')?.[1];
  if (!token) throw new Error(`no ${kind} token was mailed to ${email}`);
  return token;
}

/** Returns a mail to Ann with some changes. */
export const sampleMail = (changes: Partial<MailMessage> = {}): MailMessage => ({
  kind: 'welcome',
  to: 'ann@example.com',
  subject: 'Welcome',
  text: 'Hello Ann.',
  html: '<p>Hello Ann.</p>',
  ...changes,
});
