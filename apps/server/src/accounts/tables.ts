import { sql } from 'drizzle-orm';
import { index, integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { createdAt, time } from '../platform/columns.ts';

export const users = pgTable(
  'users',
  {
    /** 1 is the administrator, written by `ensureAdmin`; the sequence for sign-ups starts above it. */
    id: integer('id').primaryKey().generatedByDefaultAsIdentity({ startWith: 2 }),
    /** Canonical: trimmed, lower case, ASCII. Compared only in this form. */
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
    /** The start of the first billing month of a paid plan. */
    periodStart: time('period_start'),
    /** The role of an administrator. Account 1 is an owner whatever stands here. */
    adminRole: text('admin_role', { enum: ['owner', 'catalogue', 'support'] }),
    /** When the link in the verification mail was opened. */
    emailVerifiedAt: time('email_verified_at'),
    createdAt: createdAt(),
  },
  (table) => [index('users_created').on(table.createdAt)],
);

export const sessions = pgTable(
  'sessions',
  {
    /** SHA-256 of the token, hex. The token itself is never stored. */
    id: text('id').primaryKey(),
    userId: integer('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** Where the person signed in. A renewed token inherits it, so that a place is listed once and ended as a whole. */
    place: text('place').notNull().default(sql`gen_random_uuid()::text`),
    /** The user agent, cut to 400 characters. */
    userAgent: text('user_agent').notNull().default(''),
    createdAt: createdAt(),
    /** Updated at most once an hour (or ten times in the idle time-out), to avoid a write for every call. */
    lastUsedAt: time('last_used_at').notNull().defaultNow(),
    expiresAt: time('expires_at').notNull(),
  },
  (table) => [index('sessions_user').on(table.userId), index('sessions_expires').on(table.expiresAt)],
);

/** Tokens sent by mail: each works once, and only the newest of a purpose. */
export const mailedTokens = pgTable(
  'mailed_tokens',
  {
    /** SHA-256 of the token, hex. */
    id: text('id').primaryKey(),
    purpose: text('purpose', { enum: ['reset', 'verify'] }).notNull(),
    userId: integer('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** The address it was sent to. The token is void once the account has another address. */
    email: text('email').notNull(),
    expiresAt: time('expires_at').notNull(),
    createdAt: createdAt(),
  },
  (table) => [uniqueIndex('mailed_tokens_newest').on(table.userId, table.purpose)],
);

/** Open invitations of administrators, one for an address. */
export const invitations = pgTable('invitations', {
  id: text('id').primaryKey(),
  /** SHA-256 of the token in the mail, hex. */
  tokenHash: text('token_hash').notNull().unique(),
  email: text('email').notNull().unique(),
  role: text('role', { enum: ['owner', 'catalogue', 'support'] }).notNull(),
  /** The address of the owner who invited. */
  invitedBy: text('invited_by').notNull(),
  expiresAt: time('expires_at').notNull(),
  createdAt: createdAt(),
});

/** A secret of an authenticator app. It is in use once it is confirmed by a first code. */
export const secondFactors = pgTable('second_factors', {
  userId: integer('user_id')
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  /** Encrypted with a key of the data folder. */
  secret: text('secret').notNull(),
  confirmedAt: time('confirmed_at'),
  /** The time step of the newest accepted code: codes of it and of earlier ones are refused. */
  lastStep: integer('last_step').notNull(),
  createdAt: createdAt(),
});

/** Codes that stand in for the authenticator app. Each works once. */
export const recoveryCodes = pgTable(
  'recovery_codes',
  {
    /** SHA-256 of the account and the code, hex. */
    id: text('id').primaryKey(),
    userId: integer('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
  },
  (table) => [index('recovery_codes_user').on(table.userId)],
);

/** Sign-ins whose password was right and whose second factor is awaited. They permit nothing but to give the code. */
export const pendingSignIns = pgTable(
  'pending_sign_ins',
  {
    /** SHA-256 of the token, hex. */
    id: text('id').primaryKey(),
    userId: integer('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    expiresAt: time('expires_at').notNull(),
    createdAt: createdAt(),
  },
  (table) => [index('pending_sign_ins_user').on(table.userId)],
);

/** Keys of an account's programs. */
export const apiKeys = pgTable(
  'api_keys',
  {
    id: text('id').primaryKey(),
    userId: integer('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    /** SHA-256 of the key, hex. The key itself is never stored. */
    hash: text('hash').notNull().unique(),
    /** Its last four characters, by which its owner tells keys apart. */
    hint: text('hint').notNull(),
    scopes: text('scopes').array().notNull(),
    /** When it was made, or rotated last. */
    createdAt: createdAt(),
    /** Updated at most once a minute. */
    lastUsedAt: time('last_used_at'),
  },
  (table) => [index('api_keys_user').on(table.userId)],
);

export const guests = pgTable(
  'guests',
  {
    id: text('id').primaryKey(),
    /** The network where the guest was first seen: IPv4 /32 or IPv6 /64. */
    address: text('address').notNull(),
    /** The last time the guest stored something. */
    seenAt: time('seen_at').notNull().defaultNow(),
    createdAt: createdAt(),
  },
  (table) => [index('guests_seen').on(table.seenAt)],
);
