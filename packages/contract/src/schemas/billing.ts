/** Calls that pay for a plan. The server knows the payment provider; the browser follows the addresses it is given. */
import { z } from 'zod';
import { billing as billingPaths } from '../paths/billing.ts';
import { messages } from '../words/messages.ts';
import { PAID_PLAN_IDS, PLAN_IDS, SUBSCRIPTION_STATUSES } from '../words/plans.ts';
import { defineCalls } from './call.ts';

export const Subscription = z.object({
  plan: z.enum(PLAN_IDS),
  status: z.enum(SUBSCRIPTION_STATUSES),
  periodEnd: z.iso
    .datetime()
    .nullable()
    .describe('The time the plan renews, or ends when it is canceled. Null without a subscription.'),
  isCancelled: z.boolean(),
  isManaged: z.boolean().describe('True when a page exists where the account can change card or plan, or cancel.'),
});
export type Subscription = z.output<typeof Subscription>;

const Url = z.object({ url: z.string(messages.noCheckoutUrl).min(1, messages.noCheckoutUrl) });

/** The person's choice on the page of the test checkout. */
export const TestOutcome = z.enum(['success', 'decline', 'cancel']);
export type TestOutcome = z.output<typeof TestOutcome>;

export const TestCheckout = z.object({
  id: z.string(),
  plan: z.enum(PAID_PLAN_IDS),
  priceCents: z.number().int(),
  discountCents: z
    .number()
    .int()
    .describe('The discount of each month, for `discountMonths` months. 0 without an offer.'),
  discountMonths: z.number().int(),
  email: z.string(),
  isChange: z
    .boolean()
    .describe(
      'True when the checkout changes a running plan. A larger plan begins at once, a smaller one ' +
        'after the month that is paid for.',
    ),
  state: z.enum(['open', 'paid', 'cancelled']),
});
export type TestCheckout = z.output<typeof TestCheckout>;

export const billing = defineCalls(billingPaths, {
  createCheckoutSession: {
    summary: 'Start a checkout',
    description:
      'Returns the address where the account pays for a plan. An account with a plan is led to where it changes it.',
    body: z.object({ planId: z.enum(PAID_PLAN_IDS), discountCode: z.string().trim().max(40).optional() }),
    reply: Url,
    errors: { 409: 'The account has this plan already, it was given its plan, or payments are not set up.' },
  },
  verifySubscription: {
    summary: 'Grant the plan of a checkout',
    description:
      'Reads a checkout of this account from the payment provider and grants its plan. A repeated ' +
      'call changes nothing.',
    body: z.object({ sessionId: z.string().min(1, messages.noSessionId).max(255) }),
    reply: z.object({
      planName: z.string(),
      limits: z.object({ vectors: z.number().int(), mockups: z.number().int() }),
      nextResetDate: z.iso.datetime(),
    }),
    errors: { 404: 'The checkout does not belong to this account.', 409: 'The checkout is not paid.' },
  },
  subscription: {
    summary: 'Read the subscription',
    description: 'Returns the plan, its state and the end of its period.',
    reply: Subscription,
  },
  refreshSubscription: {
    summary: 'Refresh the subscription',
    description: 'Asks the payment provider for the state of the subscription.',
    reply: z.object({ success: z.boolean(), plan: z.enum(PLAN_IDS) }),
    errors: { 404: 'The payment provider has no active subscription of this account.' },
  },
  portal: {
    summary: 'Open the billing portal',
    description: 'Returns the address where the account changes card or plan, or cancels.',
    reply: Url,
    errors: { 409: 'The account has no subscription.' },
  },
  testCheckout: {
    summary: 'Read a test checkout',
    description: 'Returns what a test checkout would charge. Exists only while no payment provider is set up.',
    params: z.object({ id: z.string().max(100) }),
    reply: TestCheckout,
    errors: { 404: 'The checkout does not exist, or payments are real.' },
  },
  endTestCheckout: {
    summary: 'End a test checkout',
    description:
      'Pays, declines or cancels a test checkout. No money moves. Exists only while no payment provider is set up.',
    params: z.object({ id: z.string().max(100) }),
    body: z.object({ outcome: TestOutcome }),
    reply: Url,
    errors: {
      404: 'The checkout does not exist, or payments are real.',
      409: 'The checkout has ended, or the subscription has changed.',
    },
  },
  changeTestSubscription: {
    summary: 'Change a test subscription',
    description:
      'Does what a provider’s portal or calendar would do to this account’s test subscription. Exists ' +
      'only while no payment provider is set up.',
    body: z.object({ change: z.enum(['cancel', 'resume', 'failPayment', 'payAgain', 'end']) }),
    reply: Subscription,
    errors: { 404: 'Payments are real.', 409: 'The account has no running test subscription.' },
  },
});
