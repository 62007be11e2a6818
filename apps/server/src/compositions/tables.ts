import type { SavedComposition } from '@markwright/scene';
import { index, integer, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { users } from '../accounts/tables.ts';
import { createdAt, time } from '../platform/columns.ts';

/** What accounts arranged and keep: each a whole composition, replaced as a whole. */
export const compositions = pgTable(
  'compositions',
  {
    id: text('id').primaryKey(),
    userId: integer('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** What the device called it that made it, so that making it twice makes one. */
    key: text('key').notNull(),
    /** Blank: it is called by its product. */
    name: text('name').notNull().default(''),
    composition: jsonb('composition').$type<SavedComposition>().notNull(),
    /** Of the composition, for the list. */
    productId: text('product_id'),
    /** Where its small picture lies; null before the first one came. */
    pictureKey: text('picture_key'),
    /** Goes up by one with every save: a save says which one it goes on from. */
    revision: integer('revision').notNull().default(1),
    createdAt: createdAt(),
    updatedAt: time('updated_at').notNull().defaultNow(),
    /** Deleted, but can be brought back for a day. */
    deletedAt: time('deleted_at'),
  },
  (table) => [
    uniqueIndex('compositions_once').on(table.userId, table.key),
    index('compositions_user').on(table.userId, table.updatedAt, table.id),
    index('compositions_deleted').on(table.deletedAt),
  ],
);
