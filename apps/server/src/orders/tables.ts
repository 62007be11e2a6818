import type { OrderContact, OrderedThing, PlaceOnMap } from '@markwright/contract';
import { sql } from 'drizzle-orm';
import { index, integer, jsonb, pgPolicy, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { users } from '../accounts/tables.ts';
import { companies } from '../companies/tables.ts';
import type { FileReceipt } from '../exports/madeFiles.ts';
import { createdAt, time } from '../platform/columns.ts';
import { isInScopeOf, readWritePolicy } from '../platform/tenancy.ts';
import { savedDesigns } from '../savedDesigns/tables.ts';

/** Orders of customers. Their content never changes, only their state. */
export const orders = pgTable(
  'orders',
  {
    id: text('id').primaryKey(),
    /** The number that people use: eight characters, as `7KQM-2D4P`. */
    number: text('number').notNull().unique(),
    companyId: text('company_id')
      .notNull()
      .references(() => companies.id, { onDelete: 'cascade' }),
    /** The idempotency key of the customer's page: sending it twice creates one order. */
    key: text('key').notNull(),
    /** The ordered design. It never changes, and is kept as long as the order. */
    savedDesignId: text('saved_design_id')
      .notNull()
      .references(() => savedDesigns.id),
    made: jsonb('made').$type<OrderedThing>().notNull(),
    quantity: integer('quantity').notNull(),
    currency: text('currency').notNull(),
    unitPriceCents: integer('unit_price_cents'),
    contact: jsonb('contact').$type<OrderContact>().notNull(),
    /** The customer's location, if they entered one. */
    place: jsonb('place').$type<PlaceOnMap>(),
    /** The routing at the time of the order: later settings of the shop do not change it. */
    routing: text('routing', { enum: ['own', 'maker', 'nearest'] }).notNull(),
    payer: text('payer', { enum: ['shop', 'maker'] }).notNull(),
    /** The account that is to make it; null: the shop itself. */
    makerUserId: integer('maker_user_id').references(() => users.id, { onDelete: 'set null' }),
    /** The maker's name as the customer sees it. */
    makerName: text('maker_name'),
    /** The accounts of the makers that it was routed to, with the current one: each gets it once. */
    triedMakerIds: integer('asked').array().notNull().default([]),
    status: text('status', { enum: ['new', 'accepted', 'made', 'sent', 'declined'] })
      .notNull()
      .default('new'),
    proof: text('proof', { enum: ['open', 'approved', 'change'] })
      .notNull()
      .default('open'),
    /** The time of the last answer to the proof. */
    proofAt: time('proof_at'),
    /** The requested change. */
    proofWords: text('proof_words').notNull().default(''),
    /** The batch whose package holds its pieces, also one that was deleted since. */
    batchId: text('batch_id'),
    /** The production file that was given out last. */
    receipt: jsonb('receipt').$type<FileReceipt & { readonly madeAt: string }>(),
    createdAt: createdAt(),
    updatedAt: time('updated_at').notNull().defaultNow(),
  },
  (table) => [
    uniqueIndex('orders_once').on(table.companyId, table.key),
    index('orders_company').on(table.companyId, table.createdAt, table.id),
    index('orders_maker').on(table.makerUserId, table.createdAt, table.id),
    index('orders_saved_design').on(table.savedDesignId),
    pgPolicy('orders_own', readWritePolicy(isInScopeOf.company(table.companyId))),
    pgPolicy('orders_to_make', readWritePolicy(isInScopeOf.maker(table.makerUserId))),
    // Grants one order to a caller that was found to take part in it, whoever makes it next.
    pgPolicy('orders_known', readWritePolicy(isInScopeOf.capability(table.id))),
  ],
);

/**
 * The links that show an order to its customer: one for each mail, as hashes. They are valid as long as the order
 * exists.
 */
export const orderLinks = pgTable(
  'order_links',
  {
    /** SHA-256 of the token, hex. */
    id: text('id').primaryKey(),
    orderId: text('order_id')
      .notNull()
      .references(() => orders.id, { onDelete: 'cascade' }),
    createdAt: createdAt(),
  },
  (table) => [index('order_links_order').on(table.orderId)],
);

/** Events of an order, one row for each. */
export const orderEvents = pgTable(
  'order_events',
  {
    /** Ascending in the order of events. */
    id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
    orderId: text('order_id')
      .notNull()
      .references(() => orders.id, { onDelete: 'cascade' }),
    /** `created`, a status, `routed`, `returned`, `taken`, `approved`, `change` or `file`. */
    kind: text('kind').notNull(),
    actor: text('actor', { enum: ['customer', 'shop', 'maker', 'server'] }).notNull(),
    /** The text that came with it: a reason, or the requested change. */
    words: text('words').notNull().default(''),
    createdAt: createdAt(),
  },
  (table) => [
    index('order_events_order').on(table.orderId, table.id),
    // The events of visible orders.
    pgPolicy(
      'order_events_of_orders',
      readWritePolicy(sql`exists (select from ${orders} where ${orders.id} = ${table.orderId})`),
    ),
  ],
);

/** The outbox of webhooks to shops' servers, retried for a day. */
export const webhookDeliveries = pgTable(
  'webhook_deliveries',
  {
    id: text('id').primaryKey(),
    companyId: text('company_id')
      .notNull()
      .references(() => companies.id, { onDelete: 'cascade' }),
    orderId: text('order_id').references(() => orders.id, { onDelete: 'cascade' }),
    event: text('event').notNull(),
    body: text('body').notNull(),
    state: text('state', { enum: ['queued', 'sent', 'failed'] })
      .notNull()
      .default('queued'),
    attempts: integer('attempts').notNull().default(0),
    /** Queued: the time of the next attempt. During an attempt: the end of its lease. */
    tryAt: time('try_at').notNull().defaultNow(),
    /** The status of the server's last answer. */
    lastStatus: integer('answered'),
    lastError: text('last_error'),
    createdAt: createdAt(),
    sentAt: time('sent_at'),
  },
  (table) => [
    index('webhook_deliveries_due').on(table.state, table.tryAt),
    index('webhook_deliveries_company').on(table.companyId, table.createdAt),
    pgPolicy('webhook_deliveries_own', readWritePolicy(isInScopeOf.company(table.companyId))),
  ],
);
