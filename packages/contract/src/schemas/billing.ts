/** Paying for a plan. Where the money is taken is the server's business: the browser follows addresses. */
import { z } from 'zod';
import { billing as billingPaths } from '../paths/billing.ts';
import { messages } from '../words/messages.ts';
import { PAID_PLAN_IDS, PLAN_IDS, SUBSCRIPTION_STATUSES } from '../words/plans.ts';
import { defineCalls } from './call.ts';

export const Subscription = z.object({
  plan: z.enum(PLAN_IDS),
  status: z.enum(SUBSCRIPTION_STATUSES),
  /** When the plan renews, or ends if it was cancelled. Null without one. */
  periodEnd: z.iso.datetime().nullable(),
  isCancelled: z.boolean(),
  /** Whether there is a page to change card, plan or cancel at. */
  isManaged: z.boolean(),
});
export type Subscription = z.output<typeof Subscription>;

const Url = z.object({ url: z.string(messages.noCheckoutUrl).min(1, messages.noCheckoutUrl) });

/** What the test checkout did at the person's word. */
export const TestOutcome = z.enum(['success', 'decline', 'cancel']);
export type TestOutcome = z.output<typeof TestOutcome>;

export const TestCheckout = z.object({
  id: z.string(),
  plan: z.enum(PAID_PLAN_IDS),
  priceCents: z.number().int(),
  /** Taken off each month for `discountMonths`; 0 without an offer. */
  discountCents: z.number().int(),
  discountMonths: z.number().int(),
  email: z.string(),
  /** It changes the running plan instead of beginning one: a larger one at once, a smaller one after the paid month. */
  isChange: z.boolean(),
  state: z.enum(['open', 'paid', 'cancelled']),
});
export type TestCheckout = z.output<typeof TestCheckout>;

export const billing = defineCalls(billingPaths, {
  createCheckoutSession: {
    summary: 'Starts paying for a plan; an account that has one is led to where it changes it',
    body: z.object({ planId: z.enum(PAID_PLAN_IDS), discountCode: z.string().trim().max(40).optional() }),
    reply: Url,
  },
  verifySubscription: {
    summary: 'Reads the truth of a checkout session of this account and grants its plan; repeating changes nothing',
    body: z.object({ sessionId: z.string().min(1, messages.noSessionId).max(255) }),
    reply: z.object({
      planName: z.string(),
      limits: z.object({ vectors: z.number().int(), mockups: z.number().int() }),
      nextResetDate: z.iso.datetime(),
    }),
  },
  subscription: {
    summary: 'The plan, how it stands and until when',
    reply: Subscription,
  },
  refreshSubscription: {
    summary: 'Asks the payment provider how the subscription stands',
    reply: z.object({ success: z.boolean(), plan: z.enum(PLAN_IDS) }),
  },
  portal: {
    summary: 'The page where card and plan are changed or cancelled',
    reply: Url,
  },
  /** The next three stand in for a provider while none is set up; with one they answer notFound. */
  testCheckout: {
    summary: 'What a test checkout would charge',
    params: z.object({ id: z.string().max(100) }),
    reply: TestCheckout,
  },
  endTestCheckout: {
    summary: 'Pays, declines or cancels a test checkout. No money moves',
    params: z.object({ id: z.string().max(100) }),
    body: z.object({ outcome: TestOutcome }),
    reply: Url,
  },
  changeTestSubscription: {
    summary: 'What a provider’s portal and calendar would do to this account’s test subscription',
    body: z.object({ change: z.enum(['cancel', 'resume', 'failPayment', 'payAgain', 'end']) }),
    reply: Subscription,
  },
});
