import { pgTable, text } from 'drizzle-orm/pg-core';
import { time } from '../platform/columns.ts';

/** The administrator's switches, by name. */
export const settings = pgTable('settings', {
  name: text('name', { enum: ['vectorizerMode'] }).primaryKey(),
  value: text('value').notNull(),
  updatedAt: time('updated_at').notNull().defaultNow(),
});
