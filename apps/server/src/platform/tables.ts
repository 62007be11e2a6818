import { sql } from 'drizzle-orm';
import { bigint, check, index, integer, jsonb, pgTable, primaryKey, text, unique } from 'drizzle-orm/pg-core';
import { createdAt, time } from './columns.ts';

/** The windows of the rate limits: counters of actions such as password guesses and sign-ups. */
export const rateLimits = pgTable(
  'throttles',
  {
    key: text('key').primaryKey(),
    count: integer('count').notNull(),
    endsAt: time('ends_at').notNull(),
  },
  (table) => [index('throttles_ends').on(table.endsAt)],
);

/** The administrator's actions, in their order. Entries are never changed, and deleted after 400 days. */
export const auditTrail = pgTable(
  'audit_trail',
  {
    id: text('id').primaryKey(),
    /** Without a foreign key: the entry stays when the account is deleted. */
    userId: integer('user_id').notNull(),
    email: text('email').notNull(),
    address: text('address').notNull(),
    /** e.g. `category.rename` */
    action: text('action').notNull(),
    /** The thing that was changed, in words that a person knows: a name, not an id. */
    subject: text('subject').notNull(),
    detail: jsonb('detail').$type<Record<string, unknown>>(),
    createdAt: createdAt(),
  },
  (table) => [index('audit_trail_created').on(table.createdAt, table.id)],
);

/** Sign-ins, refusals and changes of accounts. Deleted after 90 days. */
export const securityEvents = pgTable(
  'security_events',
  {
    id: text('id').primaryKey(),
    kind: text('kind', {
      enum: ['signIn', 'refusal', 'password', 'plan', 'role', 'secondFactor', 'key', 'account'],
    }).notNull(),
    action: text('action').notNull(),
    /** Without a foreign key: the event stays when the account is deleted. Null for an address without an account. */
    userId: integer('user_id'),
    email: text('email').notNull(),
    /** The network address of the caller; empty where nobody called. */
    address: text('address').notNull(),
    detail: jsonb('detail').$type<Readonly<Record<string, string | number | boolean>>>(),
    createdAt: createdAt(),
  },
  (table) => [
    index('security_events_created').on(table.createdAt, table.id),
    index('security_events_email').on(table.email, table.createdAt),
  ],
);

/** The one row that says what belongs together: see `installation.ts`. */
export const installation = pgTable(
  'installation',
  {
    one: integer('one').primaryKey().default(1),
    id: text('id').notNull(),
    keyFingerprint: text('key_fingerprint').notNull(),
  },
  (table) => [check('installation_one', sql`${table.one} = 1`)],
);

/** Where the sweeps of many things go on: after this key, from the beginning when it is empty. */
export const sweepCursors = pgTable('sweep_cursors', {
  name: text('name').primaryKey(),
  after: text('after').notNull(),
});

/** Idempotency keys of requests, each with the thing that was made for it. A key is kept for a day. */
export const requestKeys = pgTable(
  'request_keys',
  {
    /** `user:<id>` or `guest:<id>`. */
    owner: text('owner').notNull(),
    /** The path of the call. */
    call: text('call').notNull(),
    key: text('key').notNull(),
    /** The SHA-256 of the body. */
    digest: text('digest').notNull(),
    /** The id of what was made. */
    madeId: text('made_id').notNull(),
    /** A sentence of the answer beside the thing; null without one. */
    remark: text('remark'),
    createdAt: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.owner, table.call, table.key] }),
    index('request_keys_created').on(table.createdAt),
  ],
);

/** The time of a caller's next slot for a trace. */
export const tracePacing = pgTable(
  'vectorizer_turns',
  { caller: text('caller').primaryKey(), nextAt: time('next_at').notNull() },
  (table) => [index('vectorizer_turns_next').on(table.nextAt)],
);

/** The kinds of stored files. `cache` holds files that can be made again. */
export const STORED_KINDS = [
  'uploads',
  'traces',
  'cutouts',
  'exports',
  'thumbnails',
  'savedDesigns',
  'companyProducts',
  'makerPhotos',
  'fonts',
  'catalogue',
  'cache',
  'other',
] as const;

/** Every stored file with its size and with who pays for it. Written in the transaction that decides about its room. */
export const storedFiles = pgTable(
  'stored_files',
  {
    key: text('key').primaryKey(),
    kind: text('kind', { enum: STORED_KINDS }).notNull(),
    /** `user:7`, `guest:…` or `site`. */
    owner: text('owner').notNull(),
    /** The share that the file fills: `user:7`, `network:203.0.113.5` or `site`. */
    payer: text('payer').notNull(),
    bytes: bigint('bytes', { mode: 'number' }).notNull(),
    /** The last time it was written or used, exact to a day. */
    usedAt: time('used_at').notNull(),
  },
  (table) => [
    index('stored_files_owner').on(table.owner),
    index('stored_files_payer').on(table.payer, table.key),
    index('stored_files_kind').on(table.kind, table.usedAt),
  ],
);

/** Sums of `stored_files`: by payer, by kind, and by pool (`all`, and `guests` for all networks together). */
export const storageTotals = pgTable(
  'storage_totals',
  {
    scope: text('scope', { enum: ['payer', 'kind', 'pool'] }).notNull(),
    name: text('name').notNull(),
    bytes: bigint('bytes', { mode: 'number' }).notNull(),
    files: integer('files').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.scope, table.name] }),
    index('storage_totals_largest').on(table.scope, table.bytes.desc(), table.name),
  ],
);

/** Background jobs that wait, run, or have ended of late. `jobs.ts` moves them through their states. */
export const backgroundJobs = pgTable(
  'background_jobs',
  {
    id: text('id').primaryKey(),
    name: text('name').notNull(),
    /** Empty when the job has ended well. */
    data: jsonb('data').$type<object>().notNull(),
    state: text('state', { enum: ['waiting', 'running', 'done', 'failed'] })
      .notNull()
      .default('waiting'),
    /** It does not begin before this time. */
    startAt: time('start_at').notNull().defaultNow(),
    /** The minute in which its schedule queued it; null for one that was sent. */
    slot: time('slot'),
    /** The server that runs it. When its lease is over, another one may. */
    holder: text('holder'),
    holderLeaseUntil: time('holder_lease_until'),
    /** The number of the run. */
    run: integer('run').notNull().default(0),
    /** The error message of the last run that failed. */
    reason: text('reason'),
    createdAt: createdAt(),
    endedAt: time('ended_at'),
  },
  (table) => [
    unique('background_jobs_slot').on(table.name, table.slot),
    index('background_jobs_open').on(table.startAt).where(sql`state in ('waiting', 'running')`),
    index('background_jobs_ended').on(table.endedAt),
  ],
);
