import { index, integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { createdAt, time } from '../platform/columns.ts';

/** The usage ledger: one row for each thing charged, once per owner, kind, period and key. */
export const usage = pgTable(
  'usage',
  {
    id: text('id').primaryKey(),
    /** `user:<id>` or `guest:<id>`. Without a foreign key: what was used stays used when its owner goes. */
    owner: text('owner').notNull(),
    /** The guest's address prefix, for the ceiling by address. */
    address: text('address'),
    kind: text('kind', { enum: ['vector', 'mockup', 'guestMockup'] }).notNull(),
    /** First moment of the period the charge belongs to. */
    period: time('period').notNull(),
    /** What was made, so that making it again costs nothing. */
    key: text('key').notNull(),
    state: text('state', { enum: ['reserved', 'settled', 'refunded'] }).notNull(),
    /** How many are making it at this moment; the last one to fail gives it back. */
    holders: integer('holders').notNull(),
    /** After this a reservation nobody settled counts no longer. */
    leaseUntil: time('lease_until').notNull(),
    createdAt: createdAt(),
  },
  (table) => [
    uniqueIndex('usage_once').on(table.owner, table.kind, table.period, table.key),
    index('usage_address').on(table.address, table.kind, table.period),
  ],
);
