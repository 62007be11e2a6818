import { sql } from 'drizzle-orm';
import { check, index, integer, pgTable, real, text } from 'drizzle-orm/pg-core';
import { guests, users } from '../accounts/tables.ts';
import { createdAt } from '../platform/columns.ts';

/** Records of saved files. They change no counter. */
export const exportRecords = pgTable(
  'export_records',
  {
    id: text('id').primaryKey(),
    userId: integer('user_id').references(() => users.id, { onDelete: 'cascade' }),
    guestId: text('guest_id').references(() => guests.id, { onDelete: 'cascade' }),
    kind: text('kind', { enum: ['vector', 'mockup'] }).notNull(),
    /** The same record twice on one day is one row. */
    key: text('key').notNull().unique(),
    designFilename: text('design_filename'),
    productName: text('product_name'),
    vectorMode: text('vector_mode'),
    createdAt: createdAt(),
  },
  (table) => [
    check('export_records_one_owner', sql`num_nonnulls(${table.userId}, ${table.guestId}) = 1`),
    index('export_records_guest').on(table.guestId).where(sql`${table.guestId} is not null`),
  ],
);

/** The production files that an account made: what is known of each also after the file is deleted. */
export const madeFiles = pgTable(
  'made_files',
  {
    /** The name of the stored file below `exports/`, without its ending. It is of one account. */
    id: text('id').primaryKey(),
    userId: integer('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    key: text('key').notNull(),
    /** Equal for all files of a composition. Empty for one made before sheets named the files of their job. */
    jobKey: text('job_key').notNull().default(''),
    format: text('format').notNull(),
    filename: text('filename').notNull(),
    widthMm: real('width_mm').notNull(),
    heightMm: real('height_mm').notNull(),
    sizeBytes: integer('size_bytes').notNull(),
    sha256: text('sha256').notNull(),
    /** Empty without one. */
    designFilename: text('design_filename').notNull().default(''),
    productName: text('product_name').notNull().default(''),
    /** When it was made last. */
    createdAt: createdAt(),
  },
  (table) => [
    index('made_files_user').on(table.userId, table.createdAt, table.id),
    index('made_files_job').on(table.userId, table.jobKey),
  ],
);
