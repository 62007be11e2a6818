import { index, pgTable, text } from 'drizzle-orm/pg-core';
import { time } from '../platform/columns.ts';

/** Jobs of the media pool that exceeded their limits. `failedJobs.ts` makes the keys. */
export const failedJobs = pgTable(
  'failed_jobs',
  {
    key: text('key').primaryKey(),
    /** The sentence for the person. */
    message: text('message').notNull(),
    endsAt: time('ends_at').notNull(),
  },
  (table) => [index('failed_jobs_ends').on(table.endsAt)],
);
