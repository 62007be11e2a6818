/** Each plan's price and allowances: the one table that pages, calls and the allowances of accounts read. */

export const PAID_PLAN_IDS = ['starter', 'pro', 'studio', 'agency'] as const;
export type PaidPlanId = (typeof PAID_PLAN_IDS)[number];

export const PLAN_IDS = ['free', ...PAID_PLAN_IDS] as const;
export type PlanId = (typeof PLAN_IDS)[number];

export const isPaidPlanId = (value: unknown): value is PaidPlanId => PAID_PLAN_IDS.some((id) => id === value);

/**
 * The state of a subscription. `active` and `past_due` grant the plan, because a card that failed is tried again for
 * some days. `inactive` means that there never was one, or that it has ended.
 */
export const SUBSCRIPTION_STATUSES = ['active', 'past_due', 'inactive'] as const;
export type SubscriptionStatus = (typeof SUBSCRIPTION_STATUSES)[number];

/** True when an account with a subscription in this state has the allowances of its plan. */
export const grantsPlan = (status: SubscriptionStatus): boolean => status !== 'inactive';

/** The founding offer: taken off every month of the first year. The price never falls below zero. */
export const FOUNDING_OFFER = { centsOff: 1000, months: 12 } as const;
/** The value of a discount code from the waitlist. It replaces the founding offer. */
export const WAITLIST_OFFER = { percentOff: 50, months: 3 } as const;
/** The years in which a code from the waitlist can be used. The address stays on the list as long. */
export const WAITLIST_CODE_YEARS = 2;

/** Returns a plan's monthly price in cents with the founding offer. */
export const foundingPriceCents = (plan: Plan): number => Math.max(0, plan.priceCents - FOUNDING_OFFER.centsOff);

/** Returns a plan's monthly price in cents with a code from the waitlist. */
export const waitlistPriceCents = (plan: Plan): number =>
  plan.priceCents - Math.round((plan.priceCents * WAITLIST_OFFER.percentOff) / 100);

export interface Plan {
  readonly id: PlanId;
  readonly name: string;
  /** One line that says whom the plan is for. */
  readonly description: string;
  readonly priceCents: number;
  /** Image mockups in a month. */
  readonly mockups: number;
  /** Production exports in a month. */
  readonly vectors: number;
  readonly watermark: boolean;
  readonly popular: boolean;
}

export const plans: Readonly<Record<PlanId, Plan>> = {
  free: {
    id: 'free',
    name: 'Free',
    description: 'See your design on a real blank.',
    priceCents: 0,
    mockups: 4,
    vectors: 0,
    watermark: true,
    popular: false,
  },
  starter: {
    id: 'starter',
    name: 'Starter',
    description: 'For a side business’s first orders.',
    priceCents: 900,
    mockups: 24,
    vectors: 8,
    watermark: false,
    popular: false,
  },
  pro: {
    id: 'pro',
    name: 'Pro',
    description: 'For a workshop that cuts every day.',
    priceCents: 2900,
    mockups: 100,
    vectors: 33,
    watermark: false,
    popular: true,
  },
  studio: {
    id: 'studio',
    name: 'Studio',
    description: 'For a shop with several machines.',
    priceCents: 7900,
    mockups: 375,
    vectors: 125,
    watermark: false,
    popular: false,
  },
  agency: {
    id: 'agency',
    name: 'Agency',
    description: 'For teams that make for many brands.',
    priceCents: 14900,
    mockups: 1000,
    vectors: 300,
    watermark: false,
    popular: false,
  },
};

/** The artworks that a visitor without an account may trace or cut out in a calendar month. Text is always free. */
export const GUEST_MOCKUPS = 4;
/** The same limit for all visitors behind one network address together. */
export const ADDRESS_MOCKUPS = 20;
