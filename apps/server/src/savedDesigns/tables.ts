import type { PriceLine } from '@markwright/contract';
import type { SavedComposition } from '@markwright/scene';
import { sql } from 'drizzle-orm';
import { index, jsonb, pgPolicy, pgTable, text } from 'drizzle-orm/pg-core';
import type { DrawnProduct } from '../catalogue/tables.ts';
import { companies } from '../companies/tables.ts';
import { createdAt, time } from '../platform/columns.ts';
import { isInScopeOf, readWritePolicy } from '../platform/tenancy.ts';
import type { DrawnDesign } from '../tracing/tracing.ts';

/**
 * Designs that shoppers saved in the widget, complete, with their own files. They never change. Whoever knows the id
 * may open a copy.
 */
/** One of several artworks, with the id of the element that shows it. */
export interface SavedArtwork {
  readonly id: string;
  readonly design: DrawnDesign;
}

export const savedDesigns = pgTable(
  'saved_designs',
  {
    id: text('id').primaryKey(),
    /** The shop it was made in; null: outside of any shop. */
    companyId: text('company_id').references(() => companies.id, { onDelete: 'cascade' }),
    composition: jsonb('composition').$type<SavedComposition>().notNull(),
    /** The product's measures at that time: a later production file has the size that was shown. */
    product: jsonb('product').$type<DrawnProduct>().notNull(),
    /** The artwork with its own files; a list where there are several; null for text alone. */
    artwork: jsonb('artwork').$type<DrawnDesign | SavedArtwork[]>(),
    line: jsonb('line').$type<PriceLine>().notNull(),
    pictureKey: text('picture_key').notNull(),
    /** A copy of a template: what a product starts with in its shop, or started with; null: a customer's design. */
    template: text('template', { enum: ['current', 'former'] }),
    /** The copy of the template that a customer's design started with. It stays for as long as the design. */
    templateId: text('template_id'),
    /** The time of an order: the design is kept as long as the order. */
    orderedAt: time('ordered_at'),
    createdAt: createdAt(),
  },
  (table) => [
    index('saved_designs_company').on(table.companyId),
    index('saved_designs_created').on(table.createdAt),
    index('saved_designs_template').on(table.templateId),
    pgPolicy('saved_designs_own', readWritePolicy(isInScopeOf.company(table.companyId))),
    pgPolicy('saved_designs_by_id', { for: 'select', using: isInScopeOf.capability(table.id) }),
    pgPolicy('saved_designs_of_no_shop', {
      for: 'insert',
      withCheck: sql`${table.companyId} is null and ${isInScopeOf.capability(table.id)}`,
    }),
    pgPolicy('saved_designs_of_orders', {
      for: 'select',
      // By name, because the area of orders imports this one.
      using: sql`exists (select from "orders" where "orders"."saved_design_id" = ${table.id})`,
    }),
  ],
);
