/** What each plan costs and allows: the one table, used by pages, calls and the ledger. */
import { z } from 'zod';

export const PlanId = z.enum(['free', 'starter', 'pro', 'studio', 'agency']);
export type PlanId = z.output<typeof PlanId>;

export const PaidPlanId = PlanId.exclude(['free']);
export type PaidPlanId = z.output<typeof PaidPlanId>;

/** The founding offer: taken off every month of the first year, never below nothing. */
export const FOUNDING_OFFER = { centsOff: 1000, months: 12 } as const;
/** What a discount code from the waitlist is worth; used in place of the founding offer. */
export const WAITLIST_OFFER = { percentOff: 50, months: 3 } as const;

/** A plan's monthly price in cents with the founding offer. */
export const foundingPriceCents = (plan: Plan): number => Math.max(0, plan.priceCents - FOUNDING_OFFER.centsOff);

/** A plan's monthly price in cents with a code from the waitlist. */
export const waitlistPriceCents = (plan: Plan): number =>
  plan.priceCents - Math.round((plan.priceCents * WAITLIST_OFFER.percentOff) / 100);

export interface Plan {
  readonly id: PlanId;
  readonly name: string;
  /** One line: whom it is for. */
  readonly description: string;
  readonly priceCents: number;
  /** Image mockups a month. */
  readonly mockups: number;
  /** Production exports a month. */
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

/** What a visitor without an account may make in a calendar month: traced or cut-out artworks. Text is always free. */
export const GUEST_MOCKUPS = 4;
/** The same for everybody behind one address together. */
export const ADDRESS_MOCKUPS = 20;
