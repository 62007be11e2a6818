import type { BatchRequest } from '@markwright/contract';
import type { SavedComposition } from '@markwright/scene';
import type { Piece } from '@markwright/scene/rows';
import { sql } from 'drizzle-orm';
import { check, index, integer, jsonb, pgTable, real, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { guests, users } from '../accounts/tables.ts';
import type { DrawnProduct } from '../catalogue/tables.ts';
import { createdAt, time } from '../platform/columns.ts';
import type { BatchPlan } from '../platform/ports/mediaJobs.ts';
import type { DrawnDesign } from '../tracing/tracing.ts';

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
    /** The name of the stored file below `exports/`, without its ending, or the id of a batch. It is of one account. */
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
    /** 0, as the hash is empty, for the package of a batch that was not downloaded yet: it is made while it is sent. */
    sizeBytes: integer('size_bytes').notNull(),
    sha256: text('sha256').notNull(),
    /** Of the package of a batch, whose size in mm is that of a piece. Null for a single file. */
    pieces: integer('pieces'),
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

/** An order in a batch: a copy of its render job, which reads no account's designs again. */
export interface OrderPart {
  /** The number that people use. It stands in the list and in the names of files. */
  readonly number: string;
  readonly composition: SavedComposition;
  /** By the ids of the artworks. */
  readonly designs: readonly (readonly [string, DrawnDesign])[];
  readonly product: DrawnProduct;
  /** The pieces with different words, every one once; absent where the design is made as it is. */
  readonly pieces?: readonly Piece[] | undefined;
  readonly quantity: number;
}

/** The stored request of a batch, with the rows that were left out when it was accepted. */
export type BatchWork = BatchRequest & {
  /** Places of the rows that are left out, from 0. */
  readonly leftOut: readonly number[];
  /** Where the pieces lie, of a batch with a layout. */
  readonly plan?: BatchPlan | undefined;
  /** Of a batch of orders, whose rows are those of all parts together. Its composition is that of the first. */
  readonly parts?: readonly OrderPart[] | undefined;
  /** The charges of a batch of orders by the account that pays: that of the shop or of the maker. */
  readonly charges?: readonly BatchCharges[] | undefined;
};

/** The charges of a batch to one account: their keys in the ledger, and the period, an ISO time. */
export interface BatchCharges {
  readonly owner: string;
  readonly period: string;
  readonly keys: readonly string[];
}

/** Many names: a file for each row of a list, or for each sheet of them. The pieces lie below `batches/<id>/`. */
export const batches = pgTable(
  'batches',
  {
    id: text('id').primaryKey(),
    userId: integer('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** The hash of the request: the same one again is the same batch. */
    key: text('key').notNull(),
    /** The network address, because an account whose own is not verified shares the room of its network. */
    address: text('address').notNull(),
    work: jsonb('work').$type<BatchWork>().notNull(),
    state: text('state', { enum: ['waiting', 'making', 'done', 'failed'] }).notNull(),
    pieces: integer('pieces').notNull(),
    /** The files that are made: pieces in the order of the rows, or sheets. */
    done: integer('done').notNull().default(0),
    /** Follows the name of each piece: `.dxf`. Empty before the first one. */
    ending: text('ending').notNull().default(''),
    filename: text('filename').notNull(),
    /** The period of the ledger in which it was charged. */
    period: time('period').notNull(),
    /** Why it failed. */
    problem: text('problem').notNull().default(''),
    /** The id of the run that holds the lease on this batch, until `dueAt`. Empty without a lease. */
    holder: text('holder').notNull().default(''),
    /** The time from which on it may be taken. The earliest is next, so that batches take turns. */
    dueAt: time('due_at').notNull(),
    createdAt: createdAt(),
  },
  (table) => [
    uniqueIndex('batches_once').on(table.userId, table.key),
    index('batches_user').on(table.userId, table.createdAt),
    index('batches_due').on(table.dueAt).where(sql`${table.state} in ('waiting', 'making')`),
    index('batches_created').on(table.createdAt),
  ],
);
