import { LIBRARY_KINDS } from '@markwright/contract';
import type { SavedComposition } from '@markwright/scene';
import { doublePrecision, index, integer, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { users } from '../accounts/tables.ts';
import { createdAt, time } from '../platform/columns.ts';

/** Elements that accounts keep, to be placed in other compositions, and templates to begin with. */
export const libraryEntries = pgTable(
  'library_entries',
  {
    id: text('id').primaryKey(),
    userId: integer('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** The device's idempotency key, so that saving it twice makes one. */
    key: text('key').notNull(),
    kind: text('kind', { enum: LIBRARY_KINDS }).notNull().default('elements'),
    name: text('name').notNull(),
    /** The elements alone, with the machine mode that they were made for; of a template, all of it. */
    composition: jsonb('composition').$type<SavedComposition>().notNull(),
    /** The machine area that the percentages of the elements refer to. */
    areaWidthMm: doublePrecision('area_width_mm').notNull(),
    areaHeightMm: doublePrecision('area_height_mm').notNull(),
    /** The box around the elements. */
    widthMm: doublePrecision('width_mm').notNull(),
    heightMm: doublePrecision('height_mm').notNull(),
    /** The key of its small picture; null before there is one. */
    pictureKey: text('picture_key'),
    createdAt: createdAt(),
    /** The time of deletion. It can be restored for a day. */
    deletedAt: time('deleted_at'),
  },
  (table) => [
    uniqueIndex('library_entries_once').on(table.userId, table.key),
    index('library_entries_user').on(table.userId, table.createdAt, table.id),
    index('library_entries_deleted').on(table.deletedAt),
  ],
);
