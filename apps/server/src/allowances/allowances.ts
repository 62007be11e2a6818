/**
 * The usage ledger: an allowance is reserved before the work, settled when the file is made, and refunded when it is
 * not.
 *
 * A row stands for one result of one owner in one period. Its key is an idempotency key: the same result again is free.
 */
import {
  ADDRESS_MOCKUPS,
  GUEST_MOCKUPS,
  grantsPlan,
  mockupLimitReached,
  type PlanId,
  plans,
  vectorLimitReached,
} from '@markwright/contract';
import { and, eq, gt, inArray, lt, ne, or, type SQL, sql } from 'drizzle-orm';
import { users } from '../accounts/tables.ts';
import type { Context } from '../platform/context.ts';
import { isDatabaseDown, type Transaction } from '../platform/database.ts';
import { AppError } from '../platform/errors.ts';
import { newId } from '../platform/ids.ts';
import type { Actor, UserActor } from '../platform/mount.ts';
import { networkOf } from '../platform/network.ts';
import { ownerOf } from '../platform/ownership.ts';
import { billingMonth, calendarMonth, type Period } from './periods.ts';
import { usage } from './tables.ts';

export type UsageKind = 'vector' | 'mockup' | 'guestMockup';

/** Longer than any work may take. An older reservation was left by a process that died. */
const LEASE_MS = 2 * 60 * 1000;
const REMEMBER_MS = 400 * 24 * 60 * 60 * 1000;
/** Charges that a sweep deletes by one statement, which has a limit of time. */
const SWEEP_LENGTH = 5_000;

/**
 * Runs work against an allowance. `key` is the idempotency key of the result: the same key is charged once a period.
 * Throws limitReached before the work when nothing is left. When the work throws, the charge is refunded. Parallel
 * calls never exceed the limit together.
 */
export async function withAllowance<T>(
  context: Context,
  actor: Actor,
  kind: UsageKind,
  key: string,
  work: () => Promise<T>,
): Promise<T> {
  const charge = await findCharge(context, actor, kind, key);
  await place(context, charge, 'reserved');
  let result: T;
  try {
    result = await work();
  } catch (error) {
    // A reservation without a refund expires with its lease. The refund is not awaited while the database is down, so
    // that the caller learns of that in time.
    const refund = giveBack(context, charge).catch((failure: unknown) =>
      context.log.warn({ err: failure }, 'an allowance is given back when its lease ends'),
    );
    if (!isDatabaseDown(error)) await refund;
    throw error;
  }
  await place(context, charge, 'settled');
  return result;
}

interface Charge {
  readonly owner: string;
  readonly kind: UsageKind;
  readonly period: Date;
  readonly key: string;
  readonly limit: number;
  /** Guests only: the network whose guests share a ceiling. */
  readonly address: string | undefined;
}

async function findCharge(context: Context, actor: Actor, kind: UsageKind, key: string): Promise<Charge> {
  if (actor.kind === 'guest') {
    const period = calendarMonth(context.now()).start;
    return { owner: ownerOf(actor), kind, period, key, limit: GUEST_MOCKUPS, address: networkOf(actor.address) };
  }
  const { plan, period } = await findSubscription(context, actor.id);
  const limit = kind === 'vector' ? plans[plan].vectors : plans[plan].mockups;
  return { owner: ownerOf(actor), kind, period: period.start, key, limit, address: undefined };
}

/** Returns the current plan of an account and the month it is counted in. An expired plan counts as free. */
export async function findSubscription(context: Context, userId: number): Promise<{ plan: PlanId; period: Period }> {
  const [row] = await context.db
    .select({ plan: users.subscriptionPlan, status: users.subscriptionStatus, periodStart: users.periodStart })
    .from(users)
    .where(eq(users.id, userId));
  const now = context.now();
  if (!row || !grantsPlan(row.status) || row.plan === 'free') return { plan: 'free', period: calendarMonth(now) };
  return { plan: row.plan, period: row.periodStart ? billingMonth(row.periodStart, now) : calendarMonth(now) };
}

/**
 * Writes a charge as reserved or settled, or throws limitReached. Settling checks the limit again only when the
 * reservation's lease has expired, because another charge may have taken its place.
 */
async function place(context: Context, charge: Charge, state: 'reserved' | 'settled'): Promise<void> {
  await context.db.transaction(async (tx) => {
    const now = context.now();
    // Locks the guest's network, then the owner. The order is always the same, so that there is no deadlock.
    if (charge.address) await tx.execute(lock(`network:${charge.address}`));
    await tx.execute(lock(charge.owner));

    const [row] = await tx.select().from(usage).where(sameAs(charge));
    const holds = row && (row.state === 'settled' || (row.state === 'reserved' && row.leaseUntil > now));
    if (!holds) {
      const isSameCount = and(eq(usage.kind, charge.kind), eq(usage.period, charge.period), isCounted(now));
      const count = await tx.$count(usage, and(eq(usage.owner, charge.owner), isSameCount));
      if (count >= charge.limit) throw limitReached(charge);
      if (charge.address) {
        const usedTogether = await tx.$count(usage, and(eq(usage.address, charge.address), isSameCount));
        if (usedTogether >= ADDRESS_MOCKUPS) throw networkLimitReached();
      }
    }

    const leaseUntil = new Date(now.getTime() + LEASE_MS);
    const isSettled = state === 'settled' || (holds && row.state === 'settled');
    const holders = (holds ? row.holders : 0) + (state === 'reserved' ? 1 : -1);
    const next = { state: isSettled ? ('settled' as const) : state, holders: Math.max(0, holders), leaseUntil };
    const { owner, kind, period, key, address } = charge;
    await tx
      .insert(usage)
      .values({ id: newId(), owner, kind, period, key, address, createdAt: now, ...next })
      .onConflictDoUpdate({ target: [usage.owner, usage.kind, usage.period, usage.key], set: next });
  });
}

/** Refunds a reservation, unless another call is making the same result or has made it. */
async function giveBack(context: Context, charge: Charge): Promise<void> {
  await context.db
    .update(usage)
    .set({
      holders: sql`greatest(0, ${usage.holders} - 1)`,
      state: sql`case when ${usage.holders} <= 1 then 'refunded' else ${usage.state} end`,
    })
    .where(and(sameAs(charge), eq(usage.state, 'reserved')));
}

/** Charges for several results of an account that are one work, such as the pieces of a batch. */
export interface Charges {
  readonly owner: string;
  readonly kind: UsageKind;
  readonly period: Date;
  readonly limit: number;
  readonly keys: readonly string[];
}

/** Returns several charges of an account without making them. The keys are those of `withAllowance`. */
export async function planCharges(
  context: Context,
  actor: UserActor,
  kind: 'vector' | 'mockup',
  keys: readonly string[],
): Promise<Charges> {
  const { owner, period, limit } = await findCharge(context, actor, kind, '');
  return { owner, kind, period, limit, keys };
}

/**
 * Settles several charges in the caller's transaction, all or none; those that were made before are free. Throws
 * limitReached. The work they are for lies in the same database, so it is this transaction that ends it too, and a
 * crash between the two cannot be.
 */
export async function chargeAll(tx: Transaction, charges: Charges, now: Date): Promise<void> {
  const { owner, kind, period, limit, keys } = charges;
  await tx.execute(lock(owner));
  const isOfPeriod = and(eq(usage.owner, owner), eq(usage.kind, kind), eq(usage.period, period));
  const rows = await tx
    .select({ key: usage.key })
    .from(usage)
    .where(and(isOfPeriod, inArray(usage.key, [...keys]), eq(usage.state, 'settled')));
  const paidKeys = new Set(rows.map(({ key }) => key));
  const newKeys = keys.filter((key) => !paidKeys.has(key));
  if (newKeys.length === 0) return;
  const left = Math.max(0, limit - (await tx.$count(usage, and(isOfPeriod, isCounted(now)))));
  if (newKeys.length > left) {
    const words = `This takes ${newKeys.length} production exports, and ${left} of ${limit} are left this month.`;
    throw new AppError('limitReached', words);
  }
  const next = { state: 'settled', holders: 0, leaseUntil: now, createdAt: now } as const;
  await tx
    .insert(usage)
    .values(newKeys.map((key) => ({ id: newId(), owner, kind, period, key, ...next })))
    .onConflictDoUpdate({ target: [usage.owner, usage.kind, usage.period, usage.key], set: next });
}

/** Refunds settled charges in the caller's transaction. */
export async function giveBackAll(tx: Transaction, charges: Omit<Charges, 'limit'>): Promise<void> {
  const { owner, kind, period, keys } = charges;
  await tx
    .update(usage)
    .set({ state: 'refunded' })
    .where(and(eq(usage.owner, owner), eq(usage.kind, kind), eq(usage.period, period), inArray(usage.key, [...keys])));
}

const lock = (name: string): SQL => sql`select pg_advisory_xact_lock(hashtextextended(${`usage ${name}`}, 0))`;

const sameAs = ({ owner, kind, period, key }: Charge) =>
  and(eq(usage.owner, owner), eq(usage.kind, kind), eq(usage.period, period), eq(usage.key, key));

const isCounted = (now: Date) =>
  or(eq(usage.state, 'settled'), and(eq(usage.state, 'reserved'), gt(usage.leaseUntil, now)));

function limitReached({ kind, limit }: Charge): AppError {
  if (kind === 'vector') return new AppError('limitReached', vectorLimitReached(limit).description);
  if (kind === 'mockup') {
    return new AppError('limitReached', mockupLimitReached(limit));
  }
  return new AppError('limitReached', `You've used your ${limit} free mockups this month. Create an account to go on.`);
}

const networkLimitReached = () =>
  new AppError(
    'limitReached',
    'The free mockups of your network are used up for this month. Create an account to go on.',
  );

/** Counts the charges of one kind and owner in a period. */
async function countUsed(context: Context, owner: string, kind: UsageKind, period: Period): Promise<number> {
  return context.db.$count(
    usage,
    and(eq(usage.owner, owner), eq(usage.kind, kind), eq(usage.period, period.start), isCounted(context.now())),
  );
}

/** Returns the usage of an account in the current period, and the limits of its plan. */
export async function findUsage(context: Context, actor: Actor & { kind: 'user' }) {
  const { plan, period } = await findSubscription(context, actor.id);
  return {
    vectorsUsed: await countUsed(context, ownerOf(actor), 'vector', period),
    vectorsLimit: plans[plan].vectors,
    mockupsUsed: await countUsed(context, ownerOf(actor), 'mockup', period),
    mockupsLimit: plans[plan].mockups,
    nextResetDate: period.end.toISOString(),
  };
}

/** Returns the usage of a guest this month; 0 for an account. */
export async function findGuestUsage(context: Context, actor: Actor) {
  const count =
    actor.kind === 'guest' ? await countUsed(context, ownerOf(actor), 'guestMockup', calendarMonth(context.now())) : 0;
  return { mockupsGenerated: count, mockupsLimit: GUEST_MOCKUPS };
}

/** Refunds reservations whose lease has expired, and deletes old periods. */
export async function sweepUsage(context: Context): Promise<void> {
  const now = context.now();
  await context.db
    .update(usage)
    .set({ state: 'refunded', holders: 0 })
    .where(and(eq(usage.state, 'reserved'), lt(usage.leaseUntil, now)));
  const longAgo = new Date(now.getTime() - REMEMBER_MS);
  const isOld = and(lt(usage.createdAt, longAgo), ne(usage.state, 'reserved'));
  const some = context.db.select({ id: usage.id }).from(usage).where(isOld).limit(SWEEP_LENGTH);
  for (let sweptCount = SWEEP_LENGTH; sweptCount === SWEEP_LENGTH; ) {
    const { rowCount } = await context.db.delete(usage).where(inArray(usage.id, some));
    sweptCount = rowCount ?? 0;
  }
}
