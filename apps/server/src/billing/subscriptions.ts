/**
 * Subscriptions of accounts. The provider's state is read again on every occasion and written in one place,
 * `applySubscription`: after a paid checkout, a webhook, the Sync button and in the daily comparison.
 */
import {
  type billing,
  type CallBody,
  FOUNDING_OFFER,
  grantsPlan,
  messages,
  type PlanId,
  plans,
  type Subscription,
  WAITLIST_OFFER,
} from '@markwright/contract';
import { and, asc, eq, isNull, lt, lte, or, sql } from 'drizzle-orm';
import { users } from '../accounts/tables.ts';
import { findSubscription } from '../allowances/allowances.ts';
import { waitlist } from '../feedback/tables.ts';
import { queueMail } from '../mail/mail.ts';
import { receiptMail } from '../mail/templates.ts';
import type { Context } from '../platform/context.ts';
import type { Transaction } from '../platform/database.ts';
import { canonicalEmail } from '../platform/emailAddress.ts';
import { AppError, StartError } from '../platform/errors.ts';
import type { UserActor } from '../platform/mount.ts';
import type { Discount, PaymentNotice, ProviderSubscription } from '../platform/ports/payments.ts';
import { enforceRateLimits } from '../platform/rateLimit.ts';
import { recordSecurityEvent } from '../platform/securityEvents.ts';
import { paymentsNotSetUp } from './noPayments.ts';
import { providerEvents, subscriptions, testCheckouts } from './tables.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

type SubscriptionRow = typeof subscriptions.$inferSelect;

/**
 * Returns the address where a plan is paid, or, for an account that has one, where it is changed. Throws conflict for
 * the plan the account is on and where nothing can be paid, invalid for an invalid discount code, unavailable while the
 * provider is unreachable.
 */
export async function createCheckout(
  context: Context,
  actor: UserActor,
  { planId, discountCode }: CallBody<typeof billing.createCheckoutSession>,
): Promise<{ url: string }> {
  await limitProviderCalls(context, actor);
  const customer = await ensureCustomer(context, actor);
  const current = await syncSubscription(context, customer);
  if (current && grantsPlan(current.status)) {
    const isSettled = current.plan === planId && current.status === 'active' && !current.isCancelled;
    if (isSettled) throw new AppError('conflict', `You are on the ${plans[planId].name} plan already.`);
    const change = current.plan === planId ? undefined : planId;
    return { url: await context.payments.openPortal(customer.customerId, planPageUrl(context), change) };
  }
  const url = await context.payments.startCheckout({
    userId: actor.id,
    customerId: customer.customerId,
    plan: planId,
    discount: discountCode ? await claimCode(context, actor, discountCode) : { kind: 'founding', ...FOUNDING_OFFER },
    successUrl: `${context.origin}/subscription-success?session_id={CHECKOUT_SESSION_ID}`,
    cancelUrl: `${context.origin}/plans`,
  });
  return { url };
}

/** Returns the account's customer at the provider, which is created at its first checkout. */
async function ensureCustomer(context: Context, actor: UserActor): Promise<SubscriptionRow> {
  const { id: userId, email } = actor;
  const { kind: provider } = context.payments;
  if (provider === 'none') throw paymentsNotSetUp();
  const existing = await findRow(context, userId);
  if (!existing && (await findSubscription(context, userId)).plan !== 'free') {
    throw new AppError('conflict', 'Your plan was given to you. There is nothing to pay.');
  }
  if (existing?.provider === 'stripe' && provider === 'test') {
    throw new AppError('unavailable', 'The payment provider of this account is not set up. Please ask for help.');
  }
  const customerId = await context.payments.ensureCustomer(
    { userId, email },
    existing?.provider === provider ? existing.customerId : undefined,
  );
  if (existing?.customerId === customerId) return existing;
  const row = { provider, customerId, updatedAt: context.now() };
  await context.db
    .insert(subscriptions)
    .values({ ...row, userId, createdAt: context.now() })
    .onConflictDoUpdate({ target: subscriptions.userId, set: row });
  return (await findRow(context, userId))!;
}

/**
 * Reserves a waitlist code for the account that first begins to pay with it. The code stays valid until a payment uses
 * it.
 */
async function claimCode(context: Context, actor: UserActor, code: string): Promise<Discount> {
  const [row] = await context.db
    .update(waitlist)
    .set({ redeemedBy: actor.id })
    .where(
      and(
        eq(sql`upper(${waitlist.code})`, code.toUpperCase()),
        isNull(waitlist.redeemedAt),
        or(isNull(waitlist.redeemedBy), eq(waitlist.redeemedBy, actor.id)),
      ),
    )
    .returning({ code: waitlist.code });
  if (!row) throw new AppError('invalid', 'This discount code is not known, or it has been used.');
  return { kind: 'waitlist', ...WAITLIST_OFFER, code: row.code };
}

/**
 * Grants the plan of a paid checkout; verifying again changes nothing. Throws notFound for somebody else's session as
 * for an unknown one, and conflict for an unpaid one.
 */
export async function verifySubscription(context: Context, actor: UserActor, sessionId: string) {
  await limitProviderCalls(context, actor);
  const customer = await findOwnCustomer(context, actor.id);
  const checkout = customer && (await context.payments.findCheckout(sessionId));
  if (!checkout || checkout.customerId !== customer.customerId) throw new AppError('notFound', messages.verifyFailed);
  const current = checkout.isPaid ? await syncSubscription(context, customer) : undefined;
  if (!current || !grantsPlan(current.status)) throw new AppError('conflict', messages.verifyFailed);

  const { plan, period } = await findSubscription(context, actor.id);
  const { name, vectors, mockups } = plans[plan];
  return { planName: name, limits: { vectors, mockups }, nextResetDate: period.end.toISOString() };
}

/** Reads the subscription from the provider. `success` is false when there is none. */
export async function refreshSubscription(
  context: Context,
  actor: UserActor,
): Promise<{ success: boolean; plan: PlanId }> {
  await limitProviderCalls(context, actor);
  const customer = await findOwnCustomer(context, actor.id);
  const current = customer && (await syncSubscription(context, customer));
  const { plan } = await findSubscription(context, actor.id);
  return { success: current !== undefined && grantsPlan(current.status), plan };
}

/** Returns the account's plan as it was last read. */
export async function findMySubscription(context: Context, actor: UserActor): Promise<Subscription> {
  const [user] = await context.db.select().from(users).where(eq(users.id, actor.id));
  const row = await findOwnCustomer(context, actor.id);
  const { plan, period } = await findSubscription(context, actor.id);
  const isBought = plan !== 'free' && row?.subscriptionId != null;
  const end = row?.isCancelled ? row.periodEnd : period.end;
  return {
    plan,
    status: user?.subscriptionStatus ?? 'inactive',
    periodEnd: isBought && end ? end.toISOString() : null,
    isCancelled: isBought && row.isCancelled,
    isManaged: row?.subscriptionId != null,
  };
}

/**
 * Returns the address of the page where card and plan are changed. Throws conflict for an account that never
 * subscribed.
 */
export async function openPortal(context: Context, actor: UserActor): Promise<{ url: string }> {
  await limitProviderCalls(context, actor);
  const row = await findOwnCustomer(context, actor.id);
  if (!row?.subscriptionId) throw new AppError('conflict', 'There is no subscription to manage yet.');
  return { url: await context.payments.openPortal(row.customerId, planPageUrl(context)) };
}

/**
 * Applies a notice of the provider: reads the subscription of the customer that it names. A notice that arrives twice,
 * on any number of servers, is applied once. Throws unavailable while the provider is unreachable; the provider
 * delivers the notice again then.
 */
export async function applyNotice(context: Context, notice: PaymentNotice): Promise<void> {
  if (notice.customerId === undefined) return;
  const [customer] = await context.db
    .select()
    .from(subscriptions)
    .where(eq(subscriptions.customerId, notice.customerId));
  if (customer?.provider !== context.payments.kind) return;
  if ((await context.db.$count(providerEvents, eq(providerEvents.id, notice.id))) > 0) return;
  await syncSubscription(context, customer, notice);
}

/** Reads the subscription from the provider and stores it. */
export async function syncSubscription(
  context: Context,
  { userId, customerId }: Pick<SubscriptionRow, 'userId' | 'customerId'>,
  notice?: PaymentNotice,
): Promise<ProviderSubscription | undefined> {
  const [ticket] = await context.db
    .update(subscriptions)
    .set({ requestNumber: sql`${subscriptions.requestNumber} + 1` })
    .where(eq(subscriptions.userId, userId))
    .returning({ requestNumber: subscriptions.requestNumber });
  const current = await context.payments.findSubscription(customerId);
  await context.db.transaction(async (tx) => {
    if (notice && !(await takeNotice(context, tx, notice))) return;
    await applySubscription(context, tx, userId, current, ticket?.requestNumber ?? 0);
  });
  return current;
}

/** Records that a notice is applied. Returns false when another server was first. */
async function takeNotice(context: Context, tx: Transaction, { id, type }: PaymentNotice): Promise<boolean> {
  const rows = await tx
    .insert(providerEvents)
    .values({ id, type, createdAt: context.now() })
    .onConflictDoNothing()
    .returning({ id: providerEvents.id });
  return rows.length > 0;
}

/**
 * Sets an account's plan to the provider's state, with the receipt of the payment. Only `givePlan` writes one, too.
 * The answer to an earlier request than the last applied one is dropped, so that answers may overtake each other. A
 * plan that was given by hand stays as long as nothing was ever bought.
 */
async function applySubscription(
  context: Context,
  tx: Transaction,
  userId: number,
  current: ProviderSubscription | undefined,
  requestNumber: number,
): Promise<void> {
  const [user] = await tx.select().from(users).where(eq(users.id, userId)).for('update');
  const [row] = await tx.select().from(subscriptions).where(eq(subscriptions.userId, userId)).for('update');
  if (!user || !row || requestNumber <= row.appliedRequestNumber) return;

  const answer = { appliedRequestNumber: requestNumber, updatedAt: context.now() };
  if (!current) {
    const none = { subscriptionId: null, plan: null, status: 'inactive', periodStart: null, periodEnd: null } as const;
    await tx
      .update(subscriptions)
      .set({ ...answer, ...none, isCancelled: false })
      .where(eq(subscriptions.userId, userId));
  } else {
    const { id: subscriptionId, plan, status, periodStart, periodEnd, isCancelled } = current;
    const state = { subscriptionId, plan, status, periodStart, periodEnd, isCancelled };
    await tx
      .update(subscriptions)
      .set({ ...answer, ...state })
      .where(eq(subscriptions.userId, userId));
  }

  if (current && grantsPlan(current.status)) {
    const { plan, status, anchor } = current;
    const planFields = { subscriptionPlan: plan, subscriptionStatus: status, periodStart: anchor };
    await setPlan(context, tx, user, planFields);
    await redeemCode(context, tx, userId, current.discountCode);
    await queueReceipt(context, tx, user.email, current);
  } else if (current || row.subscriptionId !== null) {
    const freeFields = { subscriptionPlan: 'free', subscriptionStatus: 'inactive', periodStart: null } as const;
    await setPlan(context, tx, user, freeFields);
  }
}

/**
 * Sets the plan of an account for its operator, from now on; `free` ends it. Returns the account's former plan. Throws
 * a StartError for an address without an account, and for an account that pays for a plan: the provider's answer would
 * replace this one.
 */
export async function givePlan(
  context: Pick<Context, 'db' | 'log' | 'now'>,
  address: string,
  plan: PlanId,
): Promise<{ email: string; before: PlanId }> {
  return context.db.transaction(async (tx) => {
    const [user] = await tx
      .select()
      .from(users)
      .where(eq(users.email, canonicalEmail(address)))
      .for('update');
    if (!user) throw new StartError(`There is no account with the address ${address}.`);
    const [row] = await tx.select().from(subscriptions).where(eq(subscriptions.userId, user.id));
    if (row?.subscriptionId) throw new StartError(`${user.email} pays for a plan. End it at the provider first.`);
    await setPlan(context, tx, user, {
      subscriptionPlan: plan,
      subscriptionStatus: plan === 'free' ? 'inactive' : 'active',
      periodStart: plan === 'free' ? null : context.now(),
    });
    return { email: user.email, before: user.subscriptionPlan };
  });
}

/** Writes an account's plan, with a security event when plan or status are others than before. */
async function setPlan(
  context: Pick<Context, 'log' | 'now'>,
  tx: Transaction,
  user: typeof users.$inferSelect,
  fields: Pick<typeof user, 'subscriptionPlan' | 'subscriptionStatus' | 'periodStart'>,
): Promise<void> {
  await tx.update(users).set(fields).where(eq(users.id, user.id));
  const detail = { from: user.subscriptionPlan, to: fields.subscriptionPlan, status: fields.subscriptionStatus };
  if (detail.from === detail.to && detail.status === user.subscriptionStatus) return;
  // The payment provider or the operator says so, whoever caused it.
  const event = { kind: 'plan', action: 'changed', userId: user.id, email: user.email, address: '' } as const;
  await recordSecurityEvent(context, tx, { ...event, detail });
}

async function redeemCode(context: Context, tx: Transaction, userId: number, code: string | undefined): Promise<void> {
  if (code === undefined) return;
  await tx
    .update(waitlist)
    .set({ redeemedBy: userId, redeemedAt: context.now() })
    .where(and(eq(waitlist.code, code), isNull(waitlist.redeemedAt)));
}

/** Queues one receipt for each payment, however often the provider reports it. */
async function queueReceipt(
  context: Context,
  tx: Transaction,
  email: string,
  { plan, payment, periodStart, periodEnd }: ProviderSubscription,
): Promise<void> {
  if (!payment) return;
  const receipt = { plan: plans[plan], paidCents: payment.cents, periodStart, periodEnd, key: `receipt ${payment.id}` };
  await queueMail(context, tx, receiptMail(context, email, receipt));
}

const COMPARED_AT_ONCE = 500;
const FAILURES_TO_STOP = 3;

/**
 * Compares our subscriptions with the provider's, for accounts that were not compared for a day or whose paid month has
 * ended since. This makes up for a lost notice. Compares up to 500 accounts, one after another. Throws when the
 * provider is unreachable, and goes on with the others the next time. An account that failed is compared a day later.
 */
export async function compareSubscriptions(context: Context): Promise<void> {
  const now = context.now();
  const due = await context.db
    .select()
    .from(subscriptions)
    .where(
      or(
        lt(subscriptions.updatedAt, new Date(now.getTime() - DAY_MS)),
        and(lte(subscriptions.periodEnd, now), lt(subscriptions.updatedAt, subscriptions.periodEnd)),
      ),
    )
    .orderBy(asc(subscriptions.updatedAt))
    .limit(COMPARED_AT_ONCE);
  let failures = 0;
  for (const row of due) {
    try {
      await compare(context, row);
      failures = 0;
    } catch (error) {
      // A failed account counts as compared: accounts that always fail must not hold up the others.
      await context.db.update(subscriptions).set({ updatedAt: now }).where(eq(subscriptions.userId, row.userId));
      if (++failures === FAILURES_TO_STOP) throw error;
      context.log.warn({ err: error, user: row.userId }, 'a subscription could not be compared');
    }
  }
}

async function compare(context: Context, row: SubscriptionRow): Promise<void> {
  if (row.provider === context.payments.kind) {
    await syncSubscription(context, row);
  } else if (row.provider === 'test') {
    // A plan from the test checkout ends where there is none any more. A plan from a provider that is not set up any
    // more stays, because its state is unknown.
    await context.db.transaction((tx) =>
      applySubscription(context, tx, row.userId, undefined, row.appliedRequestNumber + 1),
    );
  }
}

const REMEMBER_MS = 60 * DAY_MS;

/** Deletes notices that the provider no longer repeats, and old test checkouts. */
export async function sweepPayments(context: Context): Promise<void> {
  const longAgo = new Date(context.now().getTime() - REMEMBER_MS);
  await context.db.delete(providerEvents).where(lt(providerEvents.createdAt, longAgo));
  await context.db.delete(testCheckouts).where(lt(testCheckouts.createdAt, longAgo));
}

async function findRow(context: Context, userId: number): Promise<SubscriptionRow | undefined> {
  const [row] = await context.db.select().from(subscriptions).where(eq(subscriptions.userId, userId));
  return row;
}

/** Returns the account's customer at the provider that is set up now. */
async function findOwnCustomer(context: Context, userId: number): Promise<SubscriptionRow | undefined> {
  const row = await findRow(context, userId);
  return row?.provider === context.payments.kind ? row : undefined;
}

/** Limits the calls that query the provider, whose own limit counts all accounts together. */
const limitProviderCalls = (context: Context, actor: UserActor): Promise<void> =>
  enforceRateLimits(context, [{ key: `payments ${actor.id}`, limit: 60, windowMs: HOUR_MS }]);

const planPageUrl = (context: Context): string => `${context.origin}/profile/plan`;
