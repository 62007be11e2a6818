import { integer, pgTable, text } from 'drizzle-orm/pg-core';
import { users } from '../accounts/tables.ts';
import { createdAt, time } from '../platform/columns.ts';

export const feedback = pgTable('feedback', {
  id: text('id').primaryKey(),
  userId: integer('user_id').references(() => users.id, { onDelete: 'set null' }),
  name: text('name').notNull(),
  email: text('email').notNull(),
  feedback: text('feedback').notNull(),
  createdAt: createdAt(),
});

export const waitlist = pgTable('waitlist', {
  /** The canonical address. */
  email: text('email').primaryKey(),
  /** Valid for one checkout. */
  code: text('code').notNull().unique(),
  redeemedBy: integer('redeemed_by').references(() => users.id, { onDelete: 'set null' }),
  redeemedAt: time('redeemed_at'),
  createdAt: createdAt(),
});
