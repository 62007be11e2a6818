import { index, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import { createdAt, time } from './columns.ts';

/** The windows of the rate limits: counters of actions such as password guesses and sign-ups. */
export const rateLimits = pgTable(
  'throttles',
  {
    key: text('key').primaryKey(),
    count: integer('count').notNull(),
    endsAt: time('ends_at').notNull(),
  },
  (table) => [index('throttles_ends').on(table.endsAt)],
);

/** The administrator's actions, in their order. Entries are never changed or deleted. */
export const auditTrail = pgTable(
  'audit_trail',
  {
    id: text('id').primaryKey(),
    /** Without a foreign key: the entry stays when the account is deleted. */
    userId: integer('user_id').notNull(),
    email: text('email').notNull(),
    address: text('address').notNull(),
    /** e.g. `category.rename` */
    action: text('action').notNull(),
    /** The thing that was changed, in words that a person knows: a name, not an id. */
    subject: text('subject').notNull(),
    detail: jsonb('detail').$type<Record<string, unknown>>(),
    createdAt: createdAt(),
  },
  (table) => [index('audit_trail_created').on(table.createdAt, table.id)],
);

/** The time of a caller's next slot for a trace. */
export const tracePacing = pgTable(
  'vectorizer_turns',
  { caller: text('caller').primaryKey(), nextAt: time('next_at').notNull() },
  (table) => [index('vectorizer_turns_next').on(table.nextAt)],
);
