/** The tables. Times are timestamptz in UTC; ids are random text, except the accounts' numbers. */
import type { OrderContact, OrderedThing, PlaceOnMap, PriceLine, Town } from '@markwright/contract';
import type { FractionRect, MachineMode, SavedComposition } from '@markwright/scene';
import { type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import {
  type AnyPgColumn,
  boolean,
  check,
  doublePrecision,
  index,
  integer,
  jsonb,
  pgPolicy,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uniqueIndex,
} from 'drizzle-orm/pg-core';

const time = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' });
const createdAt = () => time('created_at').notNull().defaultNow();

/** Row-level security: whose rows `tenancy.ts` entered. `*` is every company's, for housekeeping. */
const isReachedBy = {
  company: (companyId: SQLWrapper): SQL => sql`current_setting('markwright.company', true) in (${companyId}, '*')`,
  maker: (userId: SQLWrapper): SQL => sql`current_setting('markwright.maker', true) = ${userId}::text`,
  capability: (secret: SQLWrapper): SQL => sql`current_setting('markwright.capability', true) = ${secret}`,
};
/** Rows that may be seen may be written as well, and stay where they may be seen. */
const seenAndWritten = (rows: SQL) => ({ using: rows, withCheck: rows });

/** What calibrates a product's picture and says how it is marked. */
const blank = () => ({
  /** `WxH` of the print area in inches. */
  dimensions: text('dimensions').notNull().default('1x1'),
  printArea: jsonb('print_area').$type<FractionRect>().notNull(),
  pictureAspect: doublePrecision('picture_aspect').notNull(),
  material: text('material').notNull(),
  markColor: text('mark_color').notNull(),
  machines: text('machines').array().$type<MachineMode[]>().notNull(),
});

export const users = pgTable('users', {
  /** 1 is the administrator, written by `ensureAdmin`; the sequence for sign-ups starts above it. */
  id: integer('id').primaryKey().generatedByDefaultAsIdentity({ startWith: 2 }),
  /** Canonical: trimmed, lower case, ASCII. Compared in this form only. */
  email: text('email').notNull().unique(),
  passwordHash: text('password_hash').notNull(),
  username: text('username').notNull(),
  subscriptionPlan: text('subscription_plan', { enum: ['free', 'starter', 'pro', 'studio', 'agency'] })
    .notNull()
    .default('free'),
  /** `past_due` still grants the plan: the provider tries the card again for some days. */
  subscriptionStatus: text('subscription_status', { enum: ['active', 'past_due', 'inactive'] })
    .notNull()
    .default('inactive'),
  /** The moment a paid plan's billing months are counted from. */
  periodStart: time('period_start'),
  /** When the link we sent to the address was followed. */
  emailVerifiedAt: time('email_verified_at'),
  createdAt: createdAt(),
});

export const sessions = pgTable(
  'sessions',
  {
    /** SHA-256 of the token, hex. The token itself is never stored. */
    id: text('id').primaryKey(),
    userId: integer('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** Where the person signed in: a renewed token keeps it, so that a place is listed once and ended as a whole. */
    place: text('place').notNull().default(sql`gen_random_uuid()::text`),
    /** The browser's own words, cut to 400 characters. */
    userAgent: text('user_agent').notNull().default(''),
    createdAt: createdAt(),
    /** Kept to the hour: nobody needs a write for every call. */
    lastUsedAt: time('last_used_at').notNull().defaultNow(),
    expiresAt: time('expires_at').notNull(),
  },
  (table) => [index('sessions_user').on(table.userId), index('sessions_expires').on(table.expiresAt)],
);

/** Tokens sent by mail: each works once, the newest of a purpose only. */
export const mailedTokens = pgTable(
  'mailed_tokens',
  {
    /** SHA-256 of the token, hex. */
    id: text('id').primaryKey(),
    purpose: text('purpose', { enum: ['reset', 'verify'] }).notNull(),
    userId: integer('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** The address it was sent to; void when the account has another by then. */
    email: text('email').notNull(),
    expiresAt: time('expires_at').notNull(),
    createdAt: createdAt(),
  },
  (table) => [uniqueIndex('mailed_tokens_newest').on(table.userId, table.purpose)],
);

export const guests = pgTable('guests', {
  id: text('id').primaryKey(),
  /** IPv4 /32 or IPv6 /64 the guest was first seen at. */
  address: text('address').notNull(),
  createdAt: createdAt(),
});

/** How often something was tried: password guesses, sign-ups. */
export const throttles = pgTable(
  'throttles',
  {
    key: text('key').primaryKey(),
    count: integer('count').notNull(),
    endsAt: time('ends_at').notNull(),
  },
  (table) => [index('throttles_ends').on(table.endsAt)],
);

/** The usage ledger: one row for each thing charged, once per owner, kind, period and key. */
export const usage = pgTable(
  'usage',
  {
    id: text('id').primaryKey(),
    /** `user:<id>` or `guest:<id>`. Without a foreign key: what was used stays used when its owner goes. */
    owner: text('owner').notNull(),
    /** The guest's address prefix, for the ceiling by address. */
    address: text('address'),
    kind: text('kind', { enum: ['vector', 'mockup', 'guestMockup'] }).notNull(),
    /** First moment of the period the charge belongs to. */
    period: time('period').notNull(),
    /** What was made, so that making it again costs nothing. */
    key: text('key').notNull(),
    state: text('state', { enum: ['reserved', 'settled', 'refunded'] }).notNull(),
    /** How many are making it at this moment; the last one to fail gives it back. */
    holders: integer('holders').notNull(),
    /** After this a reservation nobody settled counts no longer. */
    leaseUntil: time('lease_until').notNull(),
    createdAt: createdAt(),
  },
  (table) => [
    uniqueIndex('usage_once').on(table.owner, table.kind, table.period, table.key),
    index('usage_address').on(table.address, table.kind, table.period),
  ],
);

export const designs = pgTable(
  'designs',
  {
    id: text('id').primaryKey(),
    userId: integer('user_id').references(() => users.id, { onDelete: 'cascade' }),
    guestId: text('guest_id').references(() => guests.id, { onDelete: 'cascade' }),
    /** A label. Never part of a path. */
    filename: text('filename').notNull(),
    mediaType: text('media_type', { enum: ['image/png', 'image/svg+xml'] }).notNull(),
    width: doublePrecision('width').notNull(),
    height: doublePrecision('height').notNull(),
    sizeBytes: integer('size_bytes').notNull(),
    originalKey: text('original_key').notNull(),
    backgroundRemovedKey: text('background_removed_key'),
    vectorizedKey: text('vectorized_key'),
    /** How the trace last shown was made: what mockup and production file are made with too. */
    shown: jsonb('shown').$type<unknown>(),
    createdAt: createdAt(),
  },
  (table) => [
    check('designs_one_owner', sql`num_nonnulls(${table.userId}, ${table.guestId}) = 1`),
    index('designs_user').on(table.userId, table.createdAt),
    index('designs_guest').on(table.guestId, table.createdAt),
  ],
);

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

export const categories = pgTable('categories', {
  id: text('id').primaryKey(),
  name: text('name').notNull().unique(),
  description: text('description').notNull().default(''),
  createdAt: createdAt(),
});

export const products = pgTable(
  'products',
  {
    id: text('id').primaryKey(),
    /** Readable and unique: compositions and picture addresses carry it. */
    productId: text('product_id').notNull().unique(),
    name: text('name').notNull(),
    category: text('category')
      .notNull()
      .references(() => categories.name, { onUpdate: 'cascade', onDelete: 'restrict' }),
    /** Labels from the folders of a bulk upload; empty where there were none. */
    business: text('business').notNull().default(''),
    subCategory: text('sub_category').notNull().default(''),
    ...blank(),
    /** Where an uploaded picture lies; null for the pictures that ship with the product. */
    pictureKey: text('picture_key'),
    createdAt: createdAt(),
  },
  (table) => [
    index('products_category').on(table.category),
    uniqueIndex('products_once').on(
      sql`lower(${table.category})`,
      sql`lower(${table.business})`,
      sql`lower(${table.subCategory})`,
      sql`lower(${table.name})`,
    ),
  ],
);

/** A shop's own settings: one company for an account, made when first asked for. */
export const companies = pgTable('companies', {
  id: text('id').primaryKey(),
  userId: integer('user_id')
    .notNull()
    .unique()
    .references(() => users.id, { onDelete: 'cascade' }),
  name: text('name').notNull().default(''),
  customProductsEnabled: boolean('custom_products_enabled').notNull().default(false),
  /** Ids of the base categories the shop's studio shows; null: all there are, later ones too. */
  enabledCategories: text('enabled_categories').array(),
  createdAt: createdAt(),
});

/** A company's own products. Its rows, like those of its shop, are seen and written inside a reach of `tenancy.ts` only. */
export const companyProducts = pgTable(
  'company_products',
  {
    companyId: text('company_id')
      .notNull()
      .references(() => companies.id, { onDelete: 'cascade' }),
    id: text('id').notNull(),
    name: text('name').notNull(),
    category: text('category').notNull(),
    subCategory: text('sub_category').notNull().default(''),
    ...blank(),
    pictureKey: text('picture_key').notNull(),
    /** Of everything kept of its picture. */
    sizeBytes: integer('size_bytes').notNull(),
    /** When it was put on the company's profile, for customers to see; null: it is not there. */
    submittedAt: time('submitted_at'),
    createdAt: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.id] }),
    uniqueIndex('company_products_once').on(
      table.companyId,
      sql`lower(${table.category})`,
      sql`lower(${table.subCategory})`,
      sql`lower(${table.name})`,
    ),
    pgPolicy('company_products_own', seenAndWritten(isReachedBy.company(table.companyId))),
  ],
);

/** How a company sells: what its embed code may do, who makes what is ordered, what it costs. Made when first asked for. */
export const shops = pgTable(
  'shops',
  {
    companyId: text('company_id')
      .primaryKey()
      .references(() => companies.id, { onDelete: 'cascade' }),
    /** In the embed code, for everybody to read. Whoever knows it may order, nothing more. */
    key: text('key').notNull().unique(),
    /** Pages that may show the widget, e.g. `https://shop.example`; none: every page may. */
    allowedOrigins: text('allowed_origins').array().notNull().default([]),
    checkout: boolean('checkout').notNull().default(false),
    routing: text('routing', { enum: ['own', 'maker', 'nearest'] })
      .notNull()
      .default('own'),
    /** The chosen maker's public id, without a foreign key: when there is no such maker any more, orders stay with the shop. */
    routedMakerId: text('routed_maker_id'),
    /** Whose allowance a production file is charged to. */
    payer: text('payer', { enum: ['shop', 'maker'] })
      .notNull()
      .default('shop'),
    currency: text('currency').notNull().default('USD'),
    /** For a product without a price of its own; null: it is agreed on by mail. */
    defaultPriceCents: integer('default_price_cents'),
    /** Cents by product id. */
    prices: jsonb('prices').$type<Record<string, number>>().notNull().default({}),
    place: jsonb('place').$type<PlaceOnMap>(),
    webhookUrl: text('webhook_url'),
    /** Signs what is sent there, so it has to be kept as it is; told to the shop once. */
    webhookSecret: text('webhook_secret'),
    createdAt: createdAt(),
    updatedAt: time('updated_at').notNull().defaultNow(),
  },
  (table) => [
    pgPolicy('shops_own', seenAndWritten(isReachedBy.company(table.companyId))),
    pgPolicy('shops_by_key', { for: 'select', using: isReachedBy.capability(table.key) }),
  ],
);

/** What customers ordered. What was ordered never changes, only what became of it. */
export const orders = pgTable(
  'orders',
  {
    id: text('id').primaryKey(),
    /** What people call it: eight characters, as `7KQM-2D4P`. */
    number: text('number').notNull().unique(),
    companyId: text('company_id')
      .notNull()
      .references(() => companies.id, { onDelete: 'cascade' }),
    /** What the customer's page called it, so that sending it twice makes one. */
    key: text('key').notNull(),
    /** What is made: it never changes, and is kept as long as it is ordered. */
    savedDesignId: text('saved_design_id')
      .notNull()
      .references((): AnyPgColumn => savedDesigns.id),
    made: jsonb('made').$type<OrderedThing>().notNull(),
    quantity: integer('quantity').notNull(),
    currency: text('currency').notNull(),
    unitPriceCents: integer('unit_price_cents'),
    contact: jsonb('contact').$type<OrderContact>().notNull(),
    /** Where the customer is, when they said so. */
    place: jsonb('place').$type<PlaceOnMap>(),
    /** How it was given out when it was ordered: later settings of the shop change nothing about it. */
    routing: text('routing', { enum: ['own', 'maker', 'nearest'] }).notNull(),
    payer: text('payer', { enum: ['shop', 'maker'] }).notNull(),
    /** The account that is to make it; null: the shop itself. */
    makerUserId: integer('maker_user_id').references(() => users.id, { onDelete: 'set null' }),
    /** What the customer knows the maker by. */
    makerName: text('maker_name'),
    /** Accounts it was given to, the present one too: each is asked once. */
    asked: integer('asked').array().notNull().default([]),
    status: text('status', { enum: ['new', 'accepted', 'made', 'sent', 'declined'] })
      .notNull()
      .default('new'),
    proof: text('proof', { enum: ['open', 'approved', 'change'] })
      .notNull()
      .default('open'),
    /** When the proof was answered last. */
    proofAt: time('proof_at'),
    /** The change that was asked for. */
    proofWords: text('proof_words').notNull().default(''),
    createdAt: createdAt(),
    updatedAt: time('updated_at').notNull().defaultNow(),
  },
  (table) => [
    uniqueIndex('orders_once').on(table.companyId, table.key),
    index('orders_company').on(table.companyId, table.createdAt, table.id),
    index('orders_maker').on(table.makerUserId, table.createdAt, table.id),
    index('orders_saved_design').on(table.savedDesignId),
    pgPolicy('orders_own', seenAndWritten(isReachedBy.company(table.companyId))),
    pgPolicy('orders_to_make', seenAndWritten(isReachedBy.maker(table.makerUserId))),
    // One order, by who was found to have to do with it: whoever it goes to next.
    pgPolicy('orders_known', seenAndWritten(isReachedBy.capability(table.id))),
  ],
);

/** The links that show an order to its customer: one for each mail, as hashes. They are good as long as the order is there. */
export const orderLinks = pgTable(
  'order_links',
  {
    /** SHA-256 of the token, hex. */
    id: text('id').primaryKey(),
    orderId: text('order_id')
      .notNull()
      .references(() => orders.id, { onDelete: 'cascade' }),
    createdAt: createdAt(),
  },
  (table) => [index('order_links_order').on(table.orderId)],
);

/** What happened to an order, one row for each change. */
export const orderEvents = pgTable(
  'order_events',
  {
    /** In the order of what happened. */
    id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
    orderId: text('order_id')
      .notNull()
      .references(() => orders.id, { onDelete: 'cascade' }),
    /** `created`, a status, `routed`, `returned`, `taken`, `approved`, `change` or `file`. */
    kind: text('kind').notNull(),
    actor: text('actor', { enum: ['customer', 'shop', 'maker', 'server'] }).notNull(),
    /** Said with it: a reason, the change that is asked for. */
    words: text('words').notNull().default(''),
    createdAt: createdAt(),
  },
  (table) => [
    index('order_events_order').on(table.orderId, table.id),
    // Those of orders that are seen.
    pgPolicy(
      'order_events_of_orders',
      seenAndWritten(sql`exists (select from ${orders} where ${orders.id} = ${table.orderId})`),
    ),
  ],
);

/** What is told to a shop's own server, tried until it is taken or a day has gone by. */
export const webhookDeliveries = pgTable(
  'webhook_deliveries',
  {
    id: text('id').primaryKey(),
    companyId: text('company_id')
      .notNull()
      .references(() => companies.id, { onDelete: 'cascade' }),
    orderId: text('order_id').references(() => orders.id, { onDelete: 'cascade' }),
    event: text('event').notNull(),
    body: text('body').notNull(),
    state: text('state', { enum: ['queued', 'sent', 'failed'] })
      .notNull()
      .default('queued'),
    attempts: integer('attempts').notNull().default(0),
    /** Queued: when it is tried next. While somebody tries it, the end of their time for it. */
    tryAt: time('try_at').notNull().defaultNow(),
    /** What its server answered last. */
    answered: integer('answered'),
    lastError: text('last_error'),
    createdAt: createdAt(),
    sentAt: time('sent_at'),
  },
  (table) => [
    index('webhook_deliveries_due').on(table.state, table.tryAt),
    index('webhook_deliveries_company').on(table.companyId, table.createdAt),
    pgPolicy('webhook_deliveries_own', seenAndWritten(isReachedBy.company(table.companyId))),
  ],
);

/** What a shopper saved in the widget, whole, with files of its own: never changed. Who knows the id may open a copy. */
export const savedDesigns = pgTable(
  'saved_designs',
  {
    id: text('id').primaryKey(),
    /** The shop it was made in; null: in no shop's page. */
    companyId: text('company_id').references(() => companies.id, { onDelete: 'cascade' }),
    composition: jsonb('composition').$type<SavedComposition>().notNull(),
    /** As it was measured then: what is made of it later has the size that was seen. */
    product: jsonb('product').$type<DrawnProduct>().notNull(),
    /** With files of its own; null for texts alone. */
    artwork: jsonb('artwork').$type<DrawnDesign>(),
    line: jsonb('line').$type<PriceLine>().notNull(),
    pictureKey: text('picture_key').notNull(),
    /** Somebody ordered it: it is kept as long as the order is. */
    orderedAt: time('ordered_at'),
    createdAt: createdAt(),
  },
  (table) => [
    index('saved_designs_company').on(table.companyId),
    index('saved_designs_created').on(table.createdAt),
    pgPolicy('saved_designs_own', seenAndWritten(isReachedBy.company(table.companyId))),
    pgPolicy('saved_designs_by_id', { for: 'select', using: isReachedBy.capability(table.id) }),
    pgPolicy('saved_designs_of_no_shop', {
      for: 'insert',
      withCheck: sql`${table.companyId} is null and ${isReachedBy.capability(table.id)}`,
    }),
    pgPolicy('saved_designs_of_orders', {
      for: 'select',
      using: sql`exists (select from ${orders} where ${orders.savedDesignId} = ${table.id})`,
    }),
  ],
);

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

/** What the administrator switches, by name. */
export const settings = pgTable('settings', {
  name: text('name', { enum: ['vectorizerMode'] }).primaryKey(),
  value: text('value').notNull(),
  updatedAt: time('updated_at').notNull().defaultNow(),
});

/** When a caller may ask the vectorizer next. */
export const vectorizerTurns = pgTable(
  'vectorizer_turns',
  { caller: text('caller').primaryKey(), nextAt: time('next_at').notNull() },
  (table) => [index('vectorizer_turns_next').on(table.nextAt)],
);

/** What an administrator did, in the order it was done. Never changed, never deleted. */
export const auditTrail = pgTable(
  'audit_trail',
  {
    id: text('id').primaryKey(),
    /** Without a foreign key: what was done stays done when the account goes. */
    userId: integer('user_id').notNull(),
    email: text('email').notNull(),
    address: text('address').notNull(),
    /** e.g. `category.rename` */
    action: text('action').notNull(),
    /** What it was done to, in words a person knows: a name, not an id. */
    subject: text('subject').notNull(),
    detail: jsonb('detail').$type<Record<string, unknown>>(),
    createdAt: createdAt(),
  },
  (table) => [index('audit_trail_created').on(table.createdAt, table.id)],
);

/** What the seed has ever put in, so that what an administrator deleted stays deleted. */
export const seeded = pgTable(
  'seeded',
  { kind: text('kind', { enum: ['category', 'product'] }).notNull(), name: text('name').notNull() },
  (table) => [primaryKey({ columns: [table.kind, table.name] })],
);

/** What is drawn of a product, be it a base product or a company's own. */
export type DrawnProduct = Pick<
  typeof products.$inferSelect,
  'productId' | 'name' | 'dimensions' | 'printArea' | 'pictureAspect' | 'pictureKey' | 'material' | 'markColor'
>;

/** What is traced and drawn of a design, wherever its files lie. */
export type DrawnDesign = Pick<
  typeof designs.$inferSelect,
  | 'filename'
  | 'mediaType'
  | 'width'
  | 'height'
  | 'sizeBytes'
  | 'originalKey'
  | 'backgroundRemovedKey'
  | 'vectorizedKey'
  | 'shown'
>;

/** Notes that a file was saved. They change no counter. */
export const exportRecords = pgTable(
  'export_records',
  {
    id: text('id').primaryKey(),
    userId: integer('user_id').references(() => users.id, { onDelete: 'cascade' }),
    guestId: text('guest_id').references(() => guests.id, { onDelete: 'cascade' }),
    kind: text('kind', { enum: ['vector', 'mockup'] }).notNull(),
    /** The same note twice on one day is one row. */
    key: text('key').notNull().unique(),
    designFilename: text('design_filename'),
    productName: text('product_name'),
    vectorMode: text('vector_mode'),
    createdAt: createdAt(),
  },
  (table) => [check('export_records_one_owner', sql`num_nonnulls(${table.userId}, ${table.guestId}) = 1`)],
);

/** What the payment provider said last of an account: its customer there and the subscription, if there is one. */
export const subscriptions = pgTable(
  'subscriptions',
  {
    userId: integer('user_id')
      .primaryKey()
      .references(() => users.id, { onDelete: 'cascade' }),
    provider: text('provider', { enum: ['stripe', 'test'] }).notNull(),
    customerId: text('customer_id').notNull().unique(),
    subscriptionId: text('subscription_id').unique(),
    plan: text('plan', { enum: ['starter', 'pro', 'studio', 'agency'] }),
    status: text('status', { enum: ['active', 'past_due', 'inactive'] })
      .notNull()
      .default('inactive'),
    periodStart: time('period_start'),
    periodEnd: time('period_end'),
    isCancelled: boolean('is_cancelled').notNull().default(false),
    /** How often the provider was asked, and which asking the columns above tell of: an older answer never replaces a newer one. */
    asked: integer('asked').notNull().default(0),
    answered: integer('answered').notNull().default(0),
    createdAt: createdAt(),
    updatedAt: time('updated_at').notNull().defaultNow(),
  },
  (table) => [index('subscriptions_updated').on(table.updatedAt)],
);

/** Notices of the payment provider that were applied, so that each is applied once. */
export const providerEvents = pgTable('provider_events', {
  id: text('id').primaryKey(),
  type: text('type').notNull(),
  createdAt: createdAt(),
});

/** The test provider's own books: what Stripe would keep on its side. */
export const testCheckouts = pgTable(
  'test_checkouts',
  {
    id: text('id').primaryKey(),
    userId: integer('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    plan: text('plan', { enum: ['starter', 'pro', 'studio', 'agency'] }).notNull(),
    discount: jsonb('discount').$type<unknown>(),
    /** It changes a running subscription instead of beginning one. */
    isChange: boolean('is_change').notNull().default(false),
    successUrl: text('success_url').notNull(),
    cancelUrl: text('cancel_url').notNull(),
    state: text('state', { enum: ['open', 'paid', 'cancelled'] })
      .notNull()
      .default('open'),
    createdAt: createdAt(),
  },
  (table) => [index('test_checkouts_user').on(table.userId)],
);

export const testSubscriptions = pgTable('test_subscriptions', {
  id: text('id').primaryKey(),
  userId: integer('user_id')
    .notNull()
    .unique()
    .references(() => users.id, { onDelete: 'cascade' }),
  plan: text('plan', { enum: ['starter', 'pro', 'studio', 'agency'] }).notNull(),
  status: text('status', { enum: ['active', 'past_due', 'inactive'] }).notNull(),
  /** The billing months are counted from here. */
  startedAt: time('started_at').notNull(),
  /** It was cancelled and ends here. */
  endsAt: time('ends_at'),
  /** A smaller plan that follows when the paid month is over. */
  nextPlan: text('next_plan', { enum: ['starter', 'pro', 'studio', 'agency'] }),
  nextPlanAt: time('next_plan_at'),
  discount: jsonb('discount').$type<unknown>(),
});

/** Every mail there was: written with what it tells of, sent by a job. */
export const mails = pgTable(
  'mails',
  {
    id: text('id').primaryKey(),
    kind: text('kind').notNull(),
    /** The same thing is told once: a second mail with this key is not written. */
    key: text('key').unique(),
    recipient: text('recipient').notNull(),
    replyTo: text('reply_to'),
    subject: text('subject').notNull(),
    text: text('text').notNull(),
    html: text('html').notNull(),
    state: text('state', { enum: ['queued', 'sending', 'sent', 'failed', 'unknown', 'kept'] }).notNull(),
    attempts: integer('attempts').notNull().default(0),
    /** Queued: when it is tried next. While somebody tries it, the end of their time for it. */
    tryAt: time('try_at').notNull().defaultNow(),
    lastError: text('last_error'),
    /** The text holds a link that stands for a password, good until then; it is blanked when sent, and then at the latest. */
    secretUntil: time('secret_until'),
    createdAt: createdAt(),
    sentAt: time('sent_at'),
  },
  (table) => [
    index('mails_state').on(table.state, table.tryAt),
    index('mails_created').on(table.createdAt, table.id),
    index('mails_secret').on(table.secretUntil),
  ],
);

export const feedback = pgTable('feedback', {
  id: text('id').primaryKey(),
  userId: integer('user_id').references(() => users.id, { onDelete: 'set null' }),
  name: text('name').notNull(),
  email: text('email').notNull(),
  feedback: text('feedback').notNull(),
  createdAt: createdAt(),
});

export const waitlist = pgTable('waitlist', {
  /** Canonical. */
  email: text('email').primaryKey(),
  /** Good for one checkout. */
  code: text('code').notNull().unique(),
  redeemedBy: integer('redeemed_by').references(() => users.id, { onDelete: 'set null' }),
  redeemedAt: time('redeemed_at'),
  createdAt: createdAt(),
});
