import type { BlankSurface, Variants } from '@markwright/contract';
import type { MachineMode, PrintArea } from '@markwright/scene';
import { type SQL, sql } from 'drizzle-orm';
import {
  doublePrecision,
  index,
  integer,
  jsonb,
  type PgColumn,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import { createdAt } from '../platform/columns.ts';

/** Returns the columns that calibrate a product's picture and describe how it is marked. */
export const blankColumns = () => ({
  /** `WxH` of the print area in inches. */
  dimensions: text('dimensions').notNull().default('1x1'),
  printArea: jsonb('print_area').$type<PrintArea>().notNull(),
  pictureAspect: doublePrecision('picture_aspect').notNull(),
  material: text('material').notNull(),
  markColor: text('mark_color').notNull(),
  machines: text('machines').array().$type<MachineMode[]>().notNull(),
  surface: jsonb('surface').$type<BlankSurface>().notNull().default({ kind: 'flat' }),
  variants: jsonb('variants').$type<Variants>().notNull().default({ colors: [], sizes: [] }),
  /** Where the size comes from, for people; empty where nobody said. */
  sizeSource: text('size_source').notNull().default(''),
});

export interface SearchColumns {
  readonly name: PgColumn;
  readonly category: PgColumn;
  readonly subCategory: PgColumn;
  readonly material: PgColumn;
}

/** Returns the words that a product is searched by. An index has them, so the expression must stay as it is. */
export const searchWordsOf = ({ name, category, subCategory, material }: SearchColumns): SQL =>
  sql`to_tsvector('simple', regexp_replace(${name} || ' ' || ${category} || ' ' || ${subCategory} || ' ' || ${material}, '[^[:alnum:]]+', ' ', 'g'))`;

export const categories = pgTable('categories', {
  id: text('id').primaryKey(),
  name: text('name').notNull().unique(),
  description: text('description').notNull().default(''),
  createdAt: createdAt(),
});

export const products = pgTable(
  'products',
  {
    id: text('id').primaryKey(),
    /** Readable and unique; compositions and picture addresses contain it. */
    productId: text('product_id').notNull().unique(),
    name: text('name').notNull(),
    category: text('category')
      .notNull()
      .references(() => categories.name, { onUpdate: 'cascade', onDelete: 'restrict' }),
    /** Labels from the folders of a bulk upload; empty without folders. */
    business: text('business').notNull().default(''),
    subCategory: text('sub_category').notNull().default(''),
    ...blankColumns(),
    /** The key of an uploaded picture; null for the pictures that ship with the product. */
    pictureKey: text('picture_key'),
    createdAt: createdAt(),
  },
  (table) => [
    index('products_order').on(table.category, table.name, table.id),
    index('products_search').using('gin', searchWordsOf(table)),
    uniqueIndex('products_once').on(
      sql`lower(${table.category})`,
      sql`lower(${table.business})`,
      sql`lower(${table.subCategory})`,
      sql`lower(${table.name})`,
    ),
  ],
);

/**
 * The revision of the base catalogue, in one row with the id 1. Triggers of `products` and `categories` renew it with
 * every change. It is random, so that a restored backup does not have the revision of other content.
 */
export const catalogueRevision = pgTable('catalogue_revision', {
  id: integer('id').primaryKey(),
  revision: uuid('revision').notNull(),
});

const seededKinds = ['category', 'product', 'surface', 'size source', 'variants'] as const;
export type SeededKind = (typeof seededKinds)[number];

/**
 * Categories and products that the seed inserted once: they do not return after an administrator deleted them. The same
 * for surfaces, for the sources of sizes, and for the variants of products that were there before these came.
 */
export const seededItems = pgTable(
  'seeded',
  { kind: text('kind', { enum: seededKinds }).notNull(), name: text('name').notNull() },
  (table) => [primaryKey({ columns: [table.kind, table.name] })],
);

/** The columns that drawing a product needs, of a base product or a company's own. */
export type DrawnProduct = Pick<
  typeof products.$inferSelect,
  'productId' | 'name' | 'dimensions' | 'printArea' | 'pictureAspect' | 'pictureKey' | 'material' | 'markColor'
> &
  // Designs that were saved before have none: they are flat.
  Partial<Pick<typeof products.$inferSelect, 'surface' | 'variants'>>;
