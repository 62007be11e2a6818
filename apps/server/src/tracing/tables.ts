import { index, pgTable, text } from 'drizzle-orm/pg-core';
import { time } from '../platform/columns.ts';

/** What the administrator switches, by name. */
export const settings = pgTable('settings', {
  name: text('name', { enum: ['vectorizerMode'] }).primaryKey(),
  value: text('value').notNull(),
  updatedAt: time('updated_at').notNull().defaultNow(),
});

/** When a caller may ask the vectorizer next. */
export const tracePacing = pgTable(
  'vectorizer_turns',
  { caller: text('caller').primaryKey(), nextAt: time('next_at').notNull() },
  (table) => [index('vectorizer_turns_next').on(table.nextAt)],
);
