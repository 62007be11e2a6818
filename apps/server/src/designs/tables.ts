import { sql } from 'drizzle-orm';
import { check, doublePrecision, index, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import { guests, users } from '../accounts/tables.ts';
import { createdAt, time } from '../platform/columns.ts';

export const designs = pgTable(
  'designs',
  {
    id: text('id').primaryKey(),
    userId: integer('user_id').references(() => users.id, { onDelete: 'cascade' }),
    guestId: text('guest_id').references(() => guests.id, { onDelete: 'cascade' }),
    /** A label for people. Never part of a path. */
    filename: text('filename').notNull(),
    mediaType: text('media_type', { enum: ['image/png', 'image/svg+xml'] }).notNull(),
    width: doublePrecision('width').notNull(),
    height: doublePrecision('height').notNull(),
    /** The true width, when the file says it. */
    widthMm: doublePrecision('width_mm'),
    /** The format of a file of outlines for a machine. */
    outlineFile: text('outline_file', { enum: ['DXF', 'LightBurn'] }),
    sizeBytes: integer('size_bytes').notNull(),
    originalKey: text('original_key').notNull(),
    backgroundRemovedKey: text('background_removed_key'),
    vectorizedKey: text('vectorized_key'),
    /** The settings of the shown trace, which mockup and production file use too. */
    shown: jsonb('shown').$type<unknown>(),
    createdAt: createdAt(),
    /** The last time the owner opened it, exact to a day. */
    openedAt: time('opened_at').notNull().defaultNow(),
  },
  (table) => [
    check('designs_one_owner', sql`num_nonnulls(${table.userId}, ${table.guestId}) = 1`),
    index('designs_user').on(table.userId, table.createdAt),
    index('designs_guest').on(table.guestId, table.createdAt),
    index('designs_opened').on(table.openedAt).where(sql`${table.guestId} is not null`),
  ],
);
