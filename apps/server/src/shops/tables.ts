import type { PlaceOnMap } from '@markwright/contract';
import { boolean, integer, jsonb, pgPolicy, pgTable, text } from 'drizzle-orm/pg-core';
import { companies } from '../companies/tables.ts';
import { createdAt, time } from '../platform/columns.ts';
import { isInScopeOf, readWritePolicy } from '../platform/tenancy.ts';

/** A template that a product starts with: a copy in a saved design, and the names at the time of copying. */
export interface ProductStart {
  readonly designId: string;
  readonly name: string;
  readonly productName: string;
}

/**
 * How a company sells: the permissions of its embed code, the routing of its orders, its prices. Created at the first
 * request.
 */
export const shops = pgTable(
  'shops',
  {
    companyId: text('company_id')
      .primaryKey()
      .references(() => companies.id, { onDelete: 'cascade' }),
    /** The key in the embed code, which is public. It permits to order, nothing more. */
    key: text('key').notNull().unique(),
    /** Pages that may show the widget, e.g. `https://shop.example`; none: every page may. */
    allowedOrigins: text('allowed_origins').array().notNull().default([]),
    checkout: boolean('checkout').notNull().default(false),
    /** True when the widget offers DTF beside the specified machines. */
    offersDtf: boolean('offers_dtf').notNull().default(false),
    routing: text('routing', { enum: ['own', 'maker', 'nearest'] })
      .notNull()
      .default('own'),
    /**
     * The chosen maker's public id, without a foreign key: when that maker no longer exists, orders stay with the shop.
     */
    routedMakerId: text('routed_maker_id'),
    /** The role whose allowance a production file is charged to. */
    payer: text('payer', { enum: ['shop', 'maker'] })
      .notNull()
      .default('shop'),
    currency: text('currency').notNull().default('USD'),
    /** The price of a product without its own price; null: it is agreed on by mail. */
    defaultPriceCents: integer('default_price_cents'),
    /** Cents by product id. */
    prices: jsonb('prices').$type<Record<string, number>>().notNull().default({}),
    /** The templates that products start with in the widget, by product id. */
    starts: jsonb('starts').$type<Record<string, ProductStart>>().notNull().default({}),
    place: jsonb('place').$type<PlaceOnMap>(),
    webhookUrl: text('webhook_url'),
    /** Signs webhooks, so it is stored in plain text. The shop sees it once. */
    webhookSecret: text('webhook_secret'),
    createdAt: createdAt(),
    updatedAt: time('updated_at').notNull().defaultNow(),
  },
  (table) => [
    pgPolicy('shops_own', readWritePolicy(isInScopeOf.company(table.companyId))),
    pgPolicy('shops_by_key', { for: 'select', using: isInScopeOf.capability(table.key) }),
  ],
);
