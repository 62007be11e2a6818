import type { Town } from '@markwright/contract';
import type { MachineMode } from '@markwright/scene';
import { sql } from 'drizzle-orm';
import { boolean, doublePrecision, index, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import { users } from '../accounts/tables.ts';
import { createdAt, time } from '../platform/columns.ts';

/** Local makers: an account's own page, visible to others while it is listed and not hidden. */
export const makers = pgTable(
  'makers',
  {
    userId: integer('user_id')
      .primaryKey()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** The last part of its public address. */
    id: text('id').notNull().unique(),
    name: text('name').notNull().default(''),
    about: text('about').notNull().default(''),
    /**
     * The town, copied when it was chosen. Its position is all that is known about the maker's location. Null: not
     * chosen yet.
     */
    place: jsonb('place').$type<Town>(),
    lat: doublePrecision('lat'),
    lon: doublePrecision('lon'),
    machines: text('machines').array().$type<MachineMode[]>().notNull().default([]),
    materials: text('materials').array().notNull().default([]),
    delivery: text('delivery', { enum: ['pickup', 'region', 'country', 'world'] }),
    turnaroundDays: integer('turnaround_days'),
    /** Set by the maker. */
    isListed: boolean('is_listed').notNull().default(false),
    /** Set by the administrator, who hides the page. */
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
    /** The photo's position in the order of the page. */
    position: integer('position').notNull(),
    pictureKey: text('picture_key').notNull(),
    pictureAspect: doublePrecision('picture_aspect').notNull(),
    sizeBytes: integer('size_bytes').notNull(),
    createdAt: createdAt(),
  },
  (table) => [index('maker_photos_user').on(table.userId, table.position)],
);
