import type { SavedComposition } from '@markwright/scene';
import { index, integer, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { users } from '../accounts/tables.ts';
import { createdAt, time } from '../platform/columns.ts';

/** Saved compositions of accounts: each is stored and replaced as a whole. */
export const compositions = pgTable(
  'compositions',
  {
    id: text('id').primaryKey(),
    userId: integer('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** The device's idempotency key, so that creating it twice creates one. */
    key: text('key').notNull(),
    /** Blank: the list shows its product's name. */
    name: text('name').notNull().default(''),
    composition: jsonb('composition').$type<SavedComposition>().notNull(),
    /** Copied from the composition for the list. */
    productId: text('product_id'),
    /** The key of its small picture; null before the first one. */
    pictureKey: text('picture_key'),
    /** Increases with every save. A save names the revision that it is based on. */
    revision: integer('revision').notNull().default(1),
    createdAt: createdAt(),
    updatedAt: time('updated_at').notNull().defaultNow(),
    /** The time of deletion. It can be restored for a day. */
    deletedAt: time('deleted_at'),
  },
  (table) => [
    uniqueIndex('compositions_once').on(table.userId, table.key),
    index('compositions_user').on(table.userId, table.updatedAt, table.id),
    index('compositions_deleted').on(table.deletedAt),
  ],
);
