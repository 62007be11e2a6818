import type { LaserEntry } from '@markwright/contract';
import { sql } from 'drizzle-orm';
import { boolean, index, integer, jsonb, pgPolicy, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { users } from '../accounts/tables.ts';
import { blankColumns } from '../catalogue/tables.ts';
import { createdAt, time } from '../platform/columns.ts';
import { isInScopeOf, readWritePolicy } from '../platform/tenancy.ts';

/** A shop's settings: one company for an account, created at the first request. */
export const companies = pgTable('companies', {
  id: text('id').primaryKey(),
  userId: integer('user_id')
    .notNull()
    .unique()
    .references(() => users.id, { onDelete: 'cascade' }),
  name: text('name').notNull().default(''),
  customProductsEnabled: boolean('custom_products_enabled').notNull().default(false),
  /** Ids of the base categories in the shop's studio; null: all of them, later ones too. */
  enabledCategories: text('enabled_categories').array(),
  createdAt: createdAt(),
});

/** A company's own products. Like those of its shop, its rows are visible only inside a tenant scope (`tenancy.ts`). */
export const companyProducts = pgTable(
  'company_products',
  {
    companyId: text('company_id')
      .notNull()
      .references(() => companies.id, { onDelete: 'cascade' }),
    id: text('id').notNull(),
    name: text('name').notNull(),
    category: text('category').notNull(),
    subCategory: text('sub_category').notNull().default(''),
    ...blankColumns(),
    pictureKey: text('picture_key').notNull(),
    /** The size of all files of its picture. */
    sizeBytes: integer('size_bytes').notNull(),
    /** The time when it was put on the company's profile, where customers see it; null: it is not there. */
    submittedAt: time('submitted_at'),
    createdAt: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.id] }),
    uniqueIndex('company_products_once').on(
      table.companyId,
      sql`lower(${table.category})`,
      sql`lower(${table.subCategory})`,
      sql`lower(${table.name})`,
    ),
    pgPolicy('company_products_own', readWritePolicy(isInScopeOf.company(table.companyId))),
  ],
);

/** A company's lasers, each with its speeds and powers by material and operation. */
export const companyLasers = pgTable(
  'company_lasers',
  {
    companyId: text('company_id')
      .notNull()
      .references(() => companies.id, { onDelete: 'cascade' }),
    id: text('id').notNull(),
    name: text('name').notNull(),
    entries: jsonb('entries').$type<LaserEntry[]>().notNull().default([]),
    createdAt: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.id] }),
    pgPolicy('company_lasers_own', readWritePolicy(isInScopeOf.company(table.companyId))),
  ],
);

/** The tone curves that a company measured, one for each material. A material without a row has its typical curve. */
export const companyToneCurves = pgTable(
  'company_tone_curves',
  {
    companyId: text('company_id')
      .notNull()
      .references(() => companies.id, { onDelete: 'cascade' }),
    material: text('material').notNull(),
    /** A number for each patch of the test card. */
    curve: jsonb('curve').$type<readonly number[]>().notNull(),
    changedAt: time('changed_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.material] }),
    pgPolicy('company_tone_curves_own', readWritePolicy(isInScopeOf.company(table.companyId))),
  ],
);

/**
 * A company's own fonts: outlines that were read of a file, which are files again. Who added one has confirmed the
 * right to use it; without that no row is made.
 */
export const companyFonts = pgTable(
  'company_fonts',
  {
    companyId: text('company_id')
      .notNull()
      .references(() => companies.id, { onDelete: 'cascade' }),
    id: text('id').primaryKey(),
    name: text('name').notNull(),
    /** The number of characters that it has. */
    letters: integer('letters').notNull(),
    sizeBytes: integer('size_bytes').notNull(),
    createdAt: createdAt(),
  },
  (table) => [
    index('company_fonts_company').on(table.companyId),
    pgPolicy('company_fonts_own', readWritePolicy(isInScopeOf.company(table.companyId))),
  ],
);

/** A company's own ICC profiles. The bytes are files. */
export const companyInkProfiles = pgTable(
  'company_ink_profiles',
  {
    companyId: text('company_id')
      .notNull()
      .references(() => companies.id, { onDelete: 'cascade' }),
    id: text('id').primaryKey(),
    name: text('name').notNull(),
    sizeBytes: integer('size_bytes').notNull(),
    createdAt: createdAt(),
  },
  (table) => [
    index('company_ink_profiles_company').on(table.companyId),
    pgPolicy('company_ink_profiles_own', readWritePolicy(isInScopeOf.company(table.companyId))),
  ],
);
