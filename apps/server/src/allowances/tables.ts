import { sql } from 'drizzle-orm';
import { index, integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { createdAt, time } from '../platform/columns.ts';

/** The usage ledger: one row per charge. A charge is unique by owner, kind, period and key. */
export const usage = pgTable(
  'usage',
  {
    id: text('id').primaryKey(),
    /** `user:<id>` or `guest:<id>`. Without a foreign key, because charges outlive their owner. */
    owner: text('owner').notNull(),
    /** The guest's address prefix, for the ceiling by address. */
    address: text('address'),
    kind: text('kind', { enum: ['vector', 'mockup', 'guestMockup'] }).notNull(),
    /** The first moment of the charge's period. */
    period: time('period').notNull(),
    /** The idempotency key of the result: making it again is free. */
    key: text('key').notNull(),
    state: text('state', { enum: ['reserved', 'settled', 'refunded'] }).notNull(),
    /** The number of calls making the result now. The last one to fail refunds the charge. */
    holders: integer('holders').notNull(),
    /** After this time an unsettled reservation no longer counts. */
    leaseUntil: time('lease_until').notNull(),
    createdAt: createdAt(),
  },
  (table) => [
    uniqueIndex('usage_once').on(table.owner, table.kind, table.period, table.key),
    index('usage_address').on(table.address, table.kind, table.period),
    // For the administrator's overview, which took half a second over a million charges, and for the sweep.
    index('usage_created').on(table.createdAt, table.state, table.kind),
    index('usage_reserved').on(table.leaseUntil).where(sql`${table.state} = 'reserved'`),
  ],
);
