import { boolean, customType, index, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { createdAt, time } from '../platform/columns.ts';

/** Jobs of the media pool that exceeded their limits. `failedJobs.ts` makes the keys. */
export const failedJobs = pgTable(
  'failed_jobs',
  {
    key: text('key').primaryKey(),
    /** The sentence for the person. */
    message: text('message').notNull(),
    endsAt: time('ends_at').notNull(),
  },
  (table) => [index('failed_jobs_ends').on(table.endsAt)],
);

const bytes = customType<{ data: Uint8Array; driverData: Buffer }>({ dataType: () => 'bytea' });

/**
 * Jobs that wait for a media process of any server, or run on one of another. `sharedQueue.ts` moves them through their
 * states. Each row belongs to the server that asked, which reads the answer and deletes it.
 */
export const mediaJobs = pgTable(
  'media_jobs',
  {
    id: text('id').primaryKey(),
    /** The version of inputs and outputs: servers of another one leave the job alone. */
    format: integer('format').notNull(),
    name: text('name').notNull(),
    /** The capability that a server must have to run the job: `pictures`, or the id of a background model. */
    needs: text('needs').notNull().default('pictures'),
    lane: text('lane', { enum: ['account', 'guest'] }).notNull(),
    caller: text('caller').notNull(),
    /** The processor time that the caller had used of late, and has used since for jobs of this table. */
    debtMs: integer('debt_ms').notNull(),
    /** When the caller had a turn last; when the first of the jobs came, for one who had none. */
    turnAt: time('turn_at').notNull().defaultNow(),
    processorLimitMs: integer('processor_limit_ms'),
    /** The span of whoever asked, as a W3C `traceparent`; null while there are no traces. */
    traceParent: text('trace_parent'),
    /** Null: in the file store. */
    input: bytes('input'),
    state: text('state', { enum: ['waiting', 'running', 'done'] })
      .notNull()
      .default('waiting'),
    isCanceled: boolean('is_canceled').notNull().default(false),
    /** The server that waits for the answer. When its lease is over, nobody does. */
    asker: text('asker').notNull(),
    askerLeaseUntil: time('asker_lease_until').notNull(),
    /** The server that runs it. When its lease is over, another one may. */
    holder: text('holder'),
    holderLeaseUntil: time('holder_lease_until'),
    /** The number of the run. Answers of earlier runs do not count. */
    run: integer('run').notNull().default(0),
    /** Null while there is none, or when the output is in the file store. */
    output: bytes('output'),
    outcome: jsonb('outcome').$type<JobOutcome>(),
    costMs: integer('cost_ms').notNull().default(0),
    createdAt: createdAt(),
  },
  (table) => [
    index('media_jobs_asker').on(table.asker),
    index('media_jobs_holder').on(table.holder),
    index('media_jobs_lease').on(table.askerLeaseUntil),
  ],
);

/**
 * The background models that servers with the role `media` run for all. Each server writes its rows again while it
 * runs: those whose lease is over say nothing. `modelOffers.ts` reads and writes them.
 */
export const modelOffers = pgTable(
  'model_offers',
  {
    server: text('server').notNull(),
    id: text('id').notNull(),
    name: text('name', { enum: ['isnet', 'u2net', 'custom'] }).notNull(),
    /** The side of the pictures that it takes, in px. */
    side: integer('side').notNull(),
    leaseUntil: time('lease_until').notNull(),
  },
  (table) => [primaryKey({ columns: [table.server, table.id] })],
);

/** How a run ended. `isPoison` is true for a picture that no process can work on. */
export type JobOutcome =
  | { readonly kind: 'done' }
  | { readonly kind: 'failed'; readonly code: string; readonly message: string; readonly isPoison: boolean };
