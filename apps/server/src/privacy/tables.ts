import { bigint, index, integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { users } from '../accounts/tables.ts';
import { createdAt, time } from '../platform/columns.ts';

/** The takeout of an account: one at a time. Its parts lie below `takeouts/<id>/`. */
export const takeouts = pgTable(
  'takeouts',
  {
    id: text('id').primaryKey(),
    userId: integer('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** The network address of who asked for it. */
    address: text('address').notNull(),
    state: text('state', { enum: ['waiting', 'making', 'done', 'failed'] }).notNull(),
    /** The number of parts, in the order of the file. */
    parts: integer('parts').notNull().default(0),
    sizeBytes: bigint('size_bytes', { mode: 'number' }).notNull().default(0),
    /** The id of the run that holds the lease, until `dueAt`. Empty without a lease. */
    holder: text('holder').notNull().default(''),
    dueAt: time('due_at').notNull(),
    createdAt: createdAt(),
  },
  (table) => [
    uniqueIndex('takeouts_user').on(table.userId),
    index('takeouts_due').on(table.dueAt),
    index('takeouts_created').on(table.createdAt),
  ],
);
