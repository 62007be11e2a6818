/**
 * Finds or creates what an operator would otherwise set up in Stripe's dashboard: prices, coupons and the portal's
 * settings.
 */
import { createHash } from 'node:crypto';
import { PAID_PLAN_IDS, type PaidPlanId, plans } from '@markwright/contract';
import type Stripe from 'stripe';
import type { Discount } from '../platform/ports/payments.ts';

const lookupKey = (plan: PaidPlanId): string => `markwright_${plan}_monthly`;

/**
 * Returns the idempotency key under which an object is created once, even when two servers create it at the same
 * moment. The key changes every minute, because Stripe repeats the answer of a key for a day, its own failures too
 * (docs.stripe.com/api/idempotent_requests).
 */
export function idempotencyKey(what: string, now: Date): Stripe.RequestOptions {
  const minute = now.toISOString().slice(0, 16);
  return { idempotencyKey: `markwright-${createHash('sha256').update(`${what} ${minute}`).digest('hex')}` };
}

/** The objects at Stripe that the product needs. They are created when missing. */
export interface StripeSetup {
  findPrices(planIds: readonly PaidPlanId[]): Promise<Stripe.Price[]>;
  /** Returns the id of the coupon that takes the discount off. */
  findCoupon(discount: Discount): Promise<string>;
  /** Returns the id of the portal's configuration that offers these prices. */
  findPortalSettings(prices: readonly Stripe.Price[]): Promise<string>;
}

/**
 * Creates the setup. `onceAMinute` returns request options with the idempotency key of a creation. Every call throws
 * what Stripe's library throws.
 */
export function createStripeSetup(stripe: Stripe, onceAMinute: (what: string) => Stripe.RequestOptions): StripeSetup {
  /** Returns the prices of the plans' table. A subscriber at another price keeps it: prices never change. */
  async function findPrices(planIds: readonly PaidPlanId[]): Promise<Stripe.Price[]> {
    const { data } = await stripe.prices.list({ lookup_keys: planIds.map(lookupKey), active: true, limit: 100 });
    return Promise.all(
      planIds.map(async (plan) => {
        const existing = data.find((price) => price.lookup_key === lookupKey(plan));
        return existing && costs(existing, plans[plan].priceCents) ? existing : makePrice(plan, existing);
      }),
    );
  }

  async function makePrice(plan: PaidPlanId, old: Stripe.Price | undefined): Promise<Stripe.Price> {
    const { name, priceCents } = plans[plan];
    // The old price loses its lookup key, and its subscribers are still on this plan.
    if (old && old.metadata.plan !== plan) await stripe.prices.update(old.id, { metadata: { plan } });
    return stripe.prices.create(
      {
        currency: 'usd',
        unit_amount: priceCents,
        recurring: { interval: 'month' },
        lookup_key: lookupKey(plan),
        transfer_lookup_key: true,
        metadata: { plan },
        ...(old ? { product: idOf(old.product) } : { product_data: { name: `Markwright ${name}` } }),
      },
      onceAMinute(`price ${plan} ${priceCents} after ${old?.id}`),
    );
  }

  /** Returns the coupon's id. The id spells out the terms, because a coupon's terms never change. */
  async function findCoupon(discount: Discount): Promise<string> {
    const { months } = discount;
    const [id, terms] =
      discount.kind === 'founding'
        ? ([
            `markwright-founding-${discount.centsOff}-${months}`,
            { name: 'Founding offer', amount_off: discount.centsOff, currency: 'usd' },
          ] as const)
        : ([
            `markwright-waitlist-${discount.percentOff}-${months}`,
            { name: 'Waitlist offer', percent_off: discount.percentOff },
          ] as const);
    if (await unlessMissing(stripe.coupons.retrieve(id))) return id;
    try {
      await stripe.coupons.create({ id, ...terms, duration: 'repeating', duration_in_months: months });
    } catch (error) {
      if (codeOf(error) !== 'resource_already_exists') throw error; // another server was first
    }
    return id;
  }

  /**
   * Returns the portal's settings: card, invoices, and a cancellation at the period's end. A larger plan takes effect
   * and is paid immediately, a smaller one at the period's end (docs.stripe.com/api/customer_portal/configurations,
   * `schedule_at_period_end`).
   */
  async function findPortalSettings(prices: readonly Stripe.Price[]): Promise<string> {
    const priceIds = prices.map(({ id }) => id).join(' ');
    const { data } = await stripe.billingPortal.configurations.list({ active: true, limit: 100 });
    const existing = data.find(({ metadata }) => metadata?.markwright !== undefined);
    if (existing?.metadata?.markwright === priceIds) return existing.id;

    const settings = {
      metadata: { markwright: priceIds },
      features: {
        customer_update: { enabled: true, allowed_updates: ['name', 'address', 'tax_id'] },
        invoice_history: { enabled: true },
        payment_method_update: { enabled: true },
        subscription_cancel: { enabled: true, mode: 'at_period_end', proration_behavior: 'none' },
        subscription_update: {
          enabled: true,
          default_allowed_updates: ['price'],
          proration_behavior: 'always_invoice',
          products: prices.map((price) => ({ product: idOf(price.product), prices: [price.id] })),
          schedule_at_period_end: { conditions: [{ type: 'decreasing_item_amount' }] },
        },
      },
    } satisfies Stripe.BillingPortal.ConfigurationCreateParams;
    const { id } = existing
      ? await stripe.billingPortal.configurations.update(existing.id, settings)
      : await stripe.billingPortal.configurations.create(settings, onceAMinute(`portal ${priceIds}`));
    return id;
  }

  return { findPrices, findCoupon, findPortalSettings };
}

const costs = ({ unit_amount, currency, recurring }: Stripe.Price, cents: number): boolean =>
  unit_amount === cents && currency === 'usd' && recurring?.interval === 'month' && recurring.interval_count === 1;

/** Returns the plan that a price is for; undefined for other things sold in the same Stripe account. */
export const planOf = ({ metadata, lookup_key }: Stripe.Price): PaidPlanId | undefined =>
  PAID_PLAN_IDS.find((plan) => metadata.plan === plan || lookup_key === lookupKey(plan));

export const idOf = (thing: string | { id: string }): string => (typeof thing === 'string' ? thing : thing.id);

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined);

/**
 * Resolves with what was requested, or with undefined when Stripe does not know it. Throws every other error of the
 * request.
 */
export async function unlessMissing<T>(request: Promise<T>): Promise<T | undefined> {
  try {
    return await request;
  } catch (error) {
    if (codeOf(error) === 'resource_missing') return undefined;
    throw error;
  }
}
