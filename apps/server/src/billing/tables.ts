import { boolean, index, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import { users } from '../accounts/tables.ts';
import { createdAt, time } from '../platform/columns.ts';

/**
 * The last state that the payment provider reported for an account: its customer there and the subscription, if there
 * is one.
 */
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
    /**
     * The number of the last request to the provider, and of the request whose answer the columns above hold: an older
     * answer never replaces a newer one.
     */
    requestNumber: integer('asked').notNull().default(0),
    appliedRequestNumber: integer('answered').notNull().default(0),
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

/** The test provider's own books: the data that Stripe would keep on its side. */
export const testCheckouts = pgTable(
  'test_checkouts',
  {
    id: text('id').primaryKey(),
    userId: integer('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    plan: text('plan', { enum: ['starter', 'pro', 'studio', 'agency'] }).notNull(),
    discount: jsonb('discount').$type<unknown>(),
    /** True when it changes a running subscription instead of beginning one. */
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
  /** The start of the first billing month. */
  startedAt: time('started_at').notNull(),
  /** The end of a canceled subscription. */
  endsAt: time('ends_at'),
  /** The smaller plan that follows when the paid month is over. */
  nextPlan: text('next_plan', { enum: ['starter', 'pro', 'studio', 'agency'] }),
  nextPlanAt: time('next_plan_at'),
  discount: jsonb('discount').$type<unknown>(),
});
