/** The price of a plan with each offer. */
import {
  FOUNDING_OFFER,
  foundingPriceCents,
  type Plan,
  plans,
  WAITLIST_OFFER,
  waitlistPriceCents,
} from '@markwright/contract/words';

/** Writes an amount: `$29`, `$14.50`. */
export function money(cents: number): string {
  const digits = cents % 100 === 0 ? 0 : 2;
  return (cents / 100).toLocaleString('en-US', {
    style: 'currency',
    currency: 'USD',
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
}

export type Offer = 'founding' | 'waitlist' | 'none';

export interface Price {
  /** The price of a month, from the first month on. */
  readonly cents: number;
  /** The number of months at this price; undefined for as long as the plan runs. */
  readonly months: number | undefined;
}

export function priceOf(plan: Plan, offer: Offer): Price {
  if (plan.id === 'free' || offer === 'none') return { cents: plan.priceCents, months: undefined };
  if (offer === 'founding') return { cents: foundingPriceCents(plan), months: FOUNDING_OFFER.months };
  return { cents: waitlistPriceCents(plan), months: WAITLIST_OFFER.months };
}

/** Writes the price of a plan: `$19 a month for the first 12 months, then $29`. */
export function priceWords(plan: Plan, offer: Offer): string {
  const { cents, months } = priceOf(plan, offer);
  const price = `${money(cents)} a month`;
  return months === undefined ? price : `${price} for the first ${months} months, then ${money(plan.priceCents)}`;
}

const savedCents = (plan: Plan, offer: Offer): number => {
  const { cents, months = 0 } = priceOf(plan, offer);
  return (plan.priceCents - cents) * months;
};

/** Returns the plans on which a code from the waitlist saves more than the founding offer that it replaces. */
export const plansBetterWithCode = (): readonly Plan[] =>
  Object.values(plans).filter((plan) => savedCents(plan, 'waitlist') > savedCents(plan, 'founding'));
