import type { OrderContact, OrderedThing, PlaceOnMap } from '@markwright/contract';
import { sql } from 'drizzle-orm';
import { index, integer, jsonb, pgPolicy, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { users } from '../accounts/tables.ts';
import { companies } from '../companies/tables.ts';
import { createdAt, time } from '../platform/columns.ts';
import { isInScopeOf, seenAndWritten } from '../platform/tenancy.ts';
import { savedDesigns } from '../savedDesigns/tables.ts';

/** What customers ordered. What was ordered never changes, only what became of it. */
export const orders = pgTable(
  'orders',
  {
    id: text('id').primaryKey(),
    /** What people call it: eight characters, as `7KQM-2D4P`. */
    number: text('number').notNull().unique(),
    companyId: text('company_id')
      .notNull()
      .references(() => companies.id, { onDelete: 'cascade' }),
    /** What the customer's page called it, so that sending it twice makes one. */
    key: text('key').notNull(),
    /** What is made: it never changes, and is kept as long as it is ordered. */
    savedDesignId: text('saved_design_id')
      .notNull()
      .references(() => savedDesigns.id),
    made: jsonb('made').$type<OrderedThing>().notNull(),
    quantity: integer('quantity').notNull(),
    currency: text('currency').notNull(),
    unitPriceCents: integer('unit_price_cents'),
    contact: jsonb('contact').$type<OrderContact>().notNull(),
    /** Where the customer is, when they said so. */
    place: jsonb('place').$type<PlaceOnMap>(),
    /** How it was given out when it was ordered: later settings of the shop change nothing about it. */
    routing: text('routing', { enum: ['own', 'maker', 'nearest'] }).notNull(),
    payer: text('payer', { enum: ['shop', 'maker'] }).notNull(),
    /** The account that is to make it; null: the shop itself. */
    makerUserId: integer('maker_user_id').references(() => users.id, { onDelete: 'set null' }),
    /** What the customer knows the maker by. */
    makerName: text('maker_name'),
    /** Accounts it was given to, the present one too: each is asked once. */
    asked: integer('asked').array().notNull().default([]),
    status: text('status', { enum: ['new', 'accepted', 'made', 'sent', 'declined'] })
      .notNull()
      .default('new'),
    proof: text('proof', { enum: ['open', 'approved', 'change'] })
      .notNull()
      .default('open'),
    /** When the proof was answered last. */
    proofAt: time('proof_at'),
    /** The change that was asked for. */
    proofWords: text('proof_words').notNull().default(''),
    createdAt: createdAt(),
    updatedAt: time('updated_at').notNull().defaultNow(),
  },
  (table) => [
    uniqueIndex('orders_once').on(table.companyId, table.key),
    index('orders_company').on(table.companyId, table.createdAt, table.id),
    index('orders_maker').on(table.makerUserId, table.createdAt, table.id),
    index('orders_saved_design').on(table.savedDesignId),
    pgPolicy('orders_own', seenAndWritten(isInScopeOf.company(table.companyId))),
    pgPolicy('orders_to_make', seenAndWritten(isInScopeOf.maker(table.makerUserId))),
    // One order, by who was found to have to do with it: whoever it goes to next.
    pgPolicy('orders_known', seenAndWritten(isInScopeOf.capability(table.id))),
  ],
);

/**
 * The links that show an order to its customer: one for each mail, as hashes. They are good as long as the order is
 * there.
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

/** What happened to an order, one row for each change. */
export const orderEvents = pgTable(
  'order_events',
  {
    /** In the order of what happened. */
    id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
    orderId: text('order_id')
      .notNull()
      .references(() => orders.id, { onDelete: 'cascade' }),
    /** `created`, a status, `routed`, `returned`, `taken`, `approved`, `change` or `file`. */
    kind: text('kind').notNull(),
    actor: text('actor', { enum: ['customer', 'shop', 'maker', 'server'] }).notNull(),
    /** Said with it: a reason, the change that is asked for. */
    words: text('words').notNull().default(''),
    createdAt: createdAt(),
  },
  (table) => [
    index('order_events_order').on(table.orderId, table.id),
    // Those of orders that are seen.
    pgPolicy(
      'order_events_of_orders',
      seenAndWritten(sql`exists (select from ${orders} where ${orders.id} = ${table.orderId})`),
    ),
  ],
);

/** The outbox of webhooks to shops' servers, tried until delivered or for a day. */
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
    /** Queued: when it is tried next. While a try runs: when its lease ends. */
    tryAt: time('try_at').notNull().defaultNow(),
    /** What its server answered last. */
    answered: integer('answered'),
    lastError: text('last_error'),
    createdAt: createdAt(),
    sentAt: time('sent_at'),
  },
  (table) => [
    index('webhook_deliveries_due').on(table.state, table.tryAt),
    index('webhook_deliveries_company').on(table.companyId, table.createdAt),
    pgPolicy('webhook_deliveries_own', seenAndWritten(isInScopeOf.company(table.companyId))),
  ],
);
