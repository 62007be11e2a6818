/** What each plan costs and allows: the one table, used by pages, calls and the ledger. */
import { z } from 'zod';

export const PlanId = z.enum(['free', 'starter', 'pro', 'studio', 'agency']);
export type PlanId = z.output<typeof PlanId>;

export interface Plan {
  readonly id: PlanId;
  readonly name: string;
  readonly priceCents: number;
  /** Image mockups a month. */
  readonly mockups: number;
  /** Production exports a month. */
  readonly vectors: number;
  readonly watermark: boolean;
  readonly popular: boolean;
}

export const plans: Readonly<Record<PlanId, Plan>> = {
  free: { id: 'free', name: 'Free', priceCents: 0, mockups: 4, vectors: 0, watermark: true, popular: false },
  starter: {
    id: 'starter',
    name: 'Starter',
    priceCents: 900,
    mockups: 24,
    vectors: 8,
    watermark: false,
    popular: false,
  },
  pro: { id: 'pro', name: 'Pro', priceCents: 2900, mockups: 100, vectors: 33, watermark: false, popular: true },
  studio: {
    id: 'studio',
    name: 'Studio',
    priceCents: 7900,
    mockups: 375,
    vectors: 125,
    watermark: false,
    popular: false,
  },
  agency: {
    id: 'agency',
    name: 'Agency',
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
