/**
 * Payments through Stripe. `stripeSetup.ts` finds or creates products, prices, coupons and the portal's settings, so an
 * operator sets two keys and nothing in the dashboard but the webhook's address.
 *
 * Stripe's behavior is taken from its API reference (docs.stripe.com/api) and from the guides named beside the code.
 */
import { PAID_PLAN_IDS, type PaidPlanId, type SubscriptionStatus } from '@markwright/contract';
import type Stripe from 'stripe';
import { AppError } from '../platform/errors.ts';
import type { CheckoutRequest, PaymentNotice, Payments, ProviderSubscription } from '../platform/ports/payments.ts';
import { createStripeSetup, idempotencyKey, idOf, planOf, unlessMissing } from './stripeSetup.ts';

export interface StripePaymentsOptions {
  readonly secretKey: string;
  readonly webhookSecret: string;
  readonly now: () => Date;
  /** The address of the API instead of api.stripe.com, and the time limit of an attempt. */
  readonly peer?: { host: string; port: number; protocol: 'http' | 'https'; timeout: number };
}

/**
 * The version that the types of the installed SDK describe. A newer SDK does not compile until somebody has looked at
 * it.
 */
const API_VERSION = '2026-10-28.endive';
/** The time limit of one attempt. With its repetitions, an unreachable provider is given up after some 17 seconds. */
const TIMEOUT_MS = 5_000;
const REPETITIONS = 2;
/** How far a webhook's time may be off, before and after (docs.stripe.com/webhooks: five minutes). */
const TOLERANCE_SECONDS = 300;

/** Loads the SDK, which a server without keys never needs. Connects to nothing yet. */
export async function createStripePayments(options: StripePaymentsOptions): Promise<Payments> {
  const { secretKey, webhookSecret, now, peer } = options;
  const { default: StripeClient } = await import('stripe');
  const stripe = new StripeClient(secretKey, {
    apiVersion: API_VERSION,
    timeout: TIMEOUT_MS,
    maxNetworkRetries: REPETITIONS,
    telemetry: false,
    ...peer,
  });
  const isLive = /^.k_live_/.test(secretKey);
  const onceAMinute = (what: string) => idempotencyKey(what, now());
  const setup = createStripeSetup(stripe, onceAMinute);

  async function ensureCustomer(
    account: { userId: number; email: string },
    existingId: string | undefined,
  ): Promise<string> {
    const customer = existingId && (await unlessMissing(stripe.customers.retrieve(existingId)));
    if (customer && !customer.deleted) return customer.id;
    const { userId, email } = account;
    const fields = { email, metadata: { userId: String(userId) } };
    const { id } = await stripe.customers.create(
      fields,
      onceAMinute(`customer ${userId} ${email} after ${existingId}`),
    );
    return id;
  }

  async function startCheckout(request: CheckoutRequest): Promise<string> {
    const { userId, customerId, plan, discount, successUrl, cancelUrl } = request;
    const [[price], coupon, open] = await Promise.all([
      setup.findPrices([plan]),
      setup.findCoupon(discount),
      stripe.checkout.sessions.list({ customer: customerId, status: 'open', limit: 100 }),
    ]);
    for (const { id } of open.data) await closeSession(stripe, id);
    const metadata = { plan, ...(discount.kind === 'waitlist' ? { discountCode: discount.code } : {}) };
    const { url } = await stripe.checkout.sessions.create({
      mode: 'subscription',
      customer: customerId,
      client_reference_id: String(userId),
      line_items: [{ price: price!.id, quantity: 1 }],
      discounts: [{ coupon }],
      subscription_data: { metadata },
      success_url: successUrl,
      cancel_url: cancelUrl,
    });
    if (!url) throw new Error('Stripe gave a checkout session without an address');
    return url;
  }

  async function findCheckout(sessionId: string): Promise<{ customerId: string; isPaid: boolean } | undefined> {
    if (!/^cs_(test|live)_\w{1,200}$/.test(sessionId)) return undefined;
    const session = await unlessMissing(stripe.checkout.sessions.retrieve(sessionId));
    if (!session?.customer) return undefined;
    // A first month that costs nothing is `no_payment_required`.
    const isPaid = session.status === 'complete' && session.payment_status !== 'unpaid';
    return { customerId: idOf(session.customer), isPaid };
  }

  async function findSubscription(customerId: string): Promise<ProviderSubscription | undefined> {
    const newest = await findNewest(stripe, customerId);
    return newest && toProviderSubscription(customerId, newest);
  }

  async function openPortal(customerId: string, returnUrl: string, plan?: PaidPlanId): Promise<string> {
    const prices = await setup.findPrices(PAID_PLAN_IDS);
    const home = { customer: customerId, return_url: returnUrl, configuration: await setup.findPortalSettings(prices) };
    const current = plan && (await findNewest(stripe, customerId));
    if (current) {
      const price = prices[PAID_PLAN_IDS.indexOf(plan)]!.id;
      const change = { subscription: current.subscription.id, items: [{ id: current.item.id, price, quantity: 1 }] };
      const flow = {
        type: 'subscription_update_confirm',
        subscription_update_confirm: change,
        after_completion: { type: 'redirect', redirect: { return_url: returnUrl } },
      } as const;
      try {
        return (await stripe.billingPortal.sessions.create({ ...home, flow_data: flow })).url;
      } catch (error) {
        // Not every subscription can be changed that way: one that is canceled, or about to change already, is not.
        if (!isRefusal(error)) throw error;
      }
    }
    return (await stripe.billingPortal.sessions.create(home)).url;
  }

  async function endSubscriptions(customerId: string): Promise<void> {
    // Deleting a customer cancels its subscriptions immediately (docs.stripe.com/api/customers/delete).
    await unlessMissing(stripe.customers.del(customerId));
  }

  return {
    kind: 'stripe',
    ensureCustomer: mapErrors(ensureCustomer),
    startCheckout: mapErrors(startCheckout),
    findCheckout: mapErrors(findCheckout),
    findSubscription: mapErrors(findSubscription),
    openPortal: mapErrors(openPortal),
    endSubscriptions: mapErrors(endSubscriptions),
    readNotice: async (body, signature) =>
      toNotice(readEvent(stripe, { body, signature }, { webhookSecret, isLive, at: now().getTime() })),
  };
}

/**
 * Checks the signature and reads the event. Throws invalid for a body that is not Stripe's, is too old or too new, or
 * belongs to the other mode.
 */
function readEvent(
  stripe: Stripe,
  webhook: { readonly body: Buffer; readonly signature: string },
  { webhookSecret, isLive, at }: { readonly webhookSecret: string; readonly isLive: boolean; readonly at: number },
): Stripe.Event {
  const { body, signature } = webhook;
  try {
    const event = stripe.webhooks.constructEvent(body, signature, webhookSecret, TOLERANCE_SECONDS, undefined, at);
    // The SDK rejects old ones only. The signed time is the last `t` of the header.
    const time = signature.split(',').findLast((part) => part.startsWith('t='));
    if (Number(time?.slice(2)) - at / 1000 > TOLERANCE_SECONDS) throw new Error('signed in the future');
    if (event.livemode !== isLive) throw new Error('of the other mode');
    if (typeof event.id !== 'string' || typeof event.type !== 'string') throw new Error('not an event');
    if (typeof event.data?.object !== 'object' || event.data.object === null) throw new Error('not an event');
    return event;
  } catch (cause) {
    throw new AppError('invalid', 'This is not a notice of the payment provider.', { cause });
  }
}

/** Reads the customer of an event, when it is about a plan. */
function toNotice(event: Stripe.Event): PaymentNotice {
  const content = event.data.object as { id?: unknown; object?: unknown; customer?: unknown };
  const customer = content.object === 'customer' ? content.id : content.customer;
  const isAboutPlan = /^(checkout\.session|customer\.subscription|invoice)\.|^customer\.deleted$/.test(event.type);
  return {
    id: event.id,
    type: event.type,
    customerId: isAboutPlan && isCustomer(customer) ? idOf(customer) : undefined,
  };
}

/** Returns the subscriptions to our plans, newest first, as Stripe lists them. */
async function findSubscriptions(stripe: Stripe, customer: string): Promise<PlanSubscription[]> {
  const listing = stripe.subscriptions.list({
    customer,
    status: 'all', // without it Stripe leaves the ended ones out
    limit: 100,
    expand: ['data.latest_invoice'],
  });
  const page = await unlessMissing(listing);
  return (page?.data ?? []).flatMap((subscription) => {
    const item = subscription.items.data.find(({ price }) => planOf(price));
    const plan = item && planOf(item.price);
    return item && plan ? [{ subscription, item, plan, status: toStatus(subscription.status) }] : [];
  });
}

/** Returns the subscription that counts: an active one first, then one that is past due, then the newest. */
async function findNewest(stripe: Stripe, customer: string): Promise<PlanSubscription | undefined> {
  const all = await findSubscriptions(stripe, customer);
  return all.find(({ status }) => status === 'active') ?? all.find(({ status }) => status === 'past_due') ?? all.at(0);
}

/** Ends an open checkout. Throws conflict when it has just been paid. */
async function closeSession(stripe: Stripe, id: string): Promise<void> {
  try {
    await stripe.checkout.sessions.expire(id);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const { status } = await stripe.checkout.sessions.retrieve(id); // it is not open any more
    if (status === 'complete') throw new AppError('conflict', 'You have paid for a plan just now.');
  }
}

/** Wraps a call so that every failure of the provider becomes the same AppError `unavailable`. */
function mapErrors<A extends unknown[], T>(call: (...args: A) => Promise<T>): (...args: A) => Promise<T> {
  return async (...args) => {
    try {
      return await call(...args);
    } catch (cause) {
      if (cause instanceof AppError) throw cause;
      const sentence = 'Payments cannot be reached just now. Please try again in a moment.';
      throw new AppError('unavailable', sentence, { retryAfterSeconds: 10, cause });
    }
  };
}

type PlanSubscription = {
  subscription: Stripe.Subscription;
  item: Stripe.SubscriptionItem;
  plan: PaidPlanId;
  status: SubscriptionStatus;
};

function toProviderSubscription(
  customerId: string,
  { subscription, item, plan, status }: PlanSubscription,
): ProviderSubscription {
  // The billing mode decides how a cancellation is stored: `cancel_at_period_end`, or `cancel_at` alone, which the
  // portal sets for new subscriptions (docs.stripe.com/billing/subscriptions/billing-mode/compare).
  const { cancel_at, cancel_at_period_end, latest_invoice: invoice } = subscription;
  return {
    id: subscription.id,
    customerId,
    plan,
    status,
    anchor: toDate(subscription.billing_cycle_anchor),
    // Periods belong to the item since 2025-03-31 (docs.stripe.com/changelog/basil).
    periodStart: toDate(item.current_period_start),
    periodEnd: toDate(cancel_at ?? item.current_period_end),
    isCancelled: cancel_at_period_end || cancel_at !== null,
    payment:
      invoice && typeof invoice === 'object' && invoice.status === 'paid'
        ? { id: invoice.id, cents: invoice.amount_paid }
        : undefined,
    discountCode: subscription.metadata.discountCode,
  };
}

/**
 * Maps Stripe's status. A status that is neither running nor retried grants nothing
 * (docs.stripe.com/billing/subscriptions/overview).
 */
function toStatus(status: Stripe.Subscription.Status): SubscriptionStatus {
  if (status === 'active' || status === 'trialing') return 'active';
  return status === 'past_due' ? 'past_due' : 'inactive';
}

const toDate = (seconds: number): Date => new Date(seconds * 1000);

const isCustomer = (value: unknown): value is string | { id: string } =>
  typeof value === 'string' || (typeof value === 'object' && value !== null && 'id' in value);

const isRefusal = (error: unknown): boolean =>
  error instanceof Error && 'type' in error && error.type === 'StripeInvalidRequestError';
