import { index, integer, pgTable, text } from 'drizzle-orm/pg-core';
import { createdAt, time } from '../platform/columns.ts';

/** The outbox of mails. */
export const mails = pgTable(
  'mails',
  {
    id: text('id').primaryKey(),
    kind: text('kind').notNull(),
    /** Idempotency key: a second mail with this key is not queued. */
    key: text('key').unique(),
    recipient: text('recipient').notNull(),
    replyTo: text('reply_to'),
    subject: text('subject').notNull(),
    text: text('text').notNull(),
    html: text('html').notNull(),
    state: text('state', { enum: ['queued', 'sending', 'sent', 'failed', 'unknown', 'kept'] }).notNull(),
    attempts: integer('attempts').notNull().default(0),
    /** Queued: the time of the next attempt. During an attempt: the end of its lease. */
    tryAt: time('try_at').notNull().defaultNow(),
    lastError: text('last_error'),
    /**
     * The expiry of a secret link in the text. The text is blanked when the mail is sent, or at this time at the
     * latest.
     */
    secretUntil: time('secret_until'),
    createdAt: createdAt(),
    sentAt: time('sent_at'),
  },
  (table) => [
    index('mails_state').on(table.state, table.tryAt),
    index('mails_created').on(table.createdAt, table.id),
    index('mails_secret').on(table.secretUntil),
  ],
);
