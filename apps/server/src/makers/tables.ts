import type { Town } from '@markwright/contract';
import type { MachineMode } from '@markwright/scene';
import { sql } from 'drizzle-orm';
import { boolean, doublePrecision, index, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import { users } from '../accounts/tables.ts';
import { createdAt, time } from '../platform/columns.ts';

/** Local makers: an account's own page, seen by others while it is listed and not hidden. */
export const makers = pgTable(
  'makers',
  {
    userId: integer('user_id')
      .primaryKey()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** What its public address ends in. */
    id: text('id').notNull().unique(),
    name: text('name').notNull().default(''),
    about: text('about').notNull().default(''),
    /** The town, copied when it was chosen; its position is all that is known of where the maker is. Null: none yet. */
    place: jsonb('place').$type<Town>(),
    lat: doublePrecision('lat'),
    lon: doublePrecision('lon'),
    machines: text('machines').array().$type<MachineMode[]>().notNull().default([]),
    materials: text('materials').array().notNull().default([]),
    delivery: text('delivery', { enum: ['pickup', 'region', 'country', 'world'] }),
    turnaroundDays: integer('turnaround_days'),
    /** Switched on by the maker. */
    isListed: boolean('is_listed').notNull().default(false),
    /** Kept out of sight by the administrator. */
    hiddenAt: time('hidden_at'),
    hiddenReason: text('hidden_reason'),
    createdAt: createdAt(),
    updatedAt: time('updated_at').notNull().defaultNow(),
  },
  (table) => [
    index('makers_found').on(table.lat).where(sql`${table.isListed} and ${table.hiddenAt} is null`),
    index('makers_created').on(table.createdAt, table.id),
  ],
);

export const makerPhotos = pgTable(
  'maker_photos',
  {
    id: text('id').primaryKey(),
    userId: integer('user_id')
      .notNull()
      .references(() => makers.userId, { onDelete: 'cascade' }),
    /** Its place among the others. */
    position: integer('position').notNull(),
    pictureKey: text('picture_key').notNull(),
    pictureAspect: doublePrecision('picture_aspect').notNull(),
    sizeBytes: integer('size_bytes').notNull(),
    createdAt: createdAt(),
  },
  (table) => [index('maker_photos_user').on(table.userId, table.position)],
);
