/** The port behind which money is taken. Adapters: `stripePayments.ts`, and `testPayments.ts` while no key is set. */
import type { PaidPlanId, SubscriptionStatus } from '@markwright/contract';

/** What the provider says of a subscription at this moment: the truth that everything else follows. */
export interface ProviderSubscription {
  readonly id: string;
  readonly customerId: string;
  readonly plan: PaidPlanId;
  readonly status: SubscriptionStatus;
  /** The moment its billing months are counted from. It stays when the plan changes. */
  readonly anchor: Date;
  readonly periodStart: Date;
  readonly periodEnd: Date;
  /** It ends at `periodEnd`. */
  readonly isCancelled: boolean;
  /** The newest payment that went through, under an id of its own. */
  readonly payment: { readonly id: string; readonly cents: number } | undefined;
  /** The code from the waitlist it was begun with. */
  readonly discountCode: string | undefined;
}

/** What is taken off, and for how many months. */
export type Discount =
  | { readonly kind: 'founding'; readonly centsOff: number; readonly months: number }
  | { readonly kind: 'waitlist'; readonly percentOff: number; readonly months: number; readonly code: string };

export interface CheckoutRequest {
  readonly userId: number;
  readonly customerId: string;
  readonly plan: PaidPlanId;
  readonly discount: Discount;
  /** Contains `{CHECKOUT_SESSION_ID}`, which the provider replaces. */
  readonly successUrl: string;
  readonly cancelUrl: string;
}

/** A notice of the provider, its signature checked. It says what to look at again, never what is so. */
export interface PaymentNotice {
  readonly id: string;
  readonly type: string;
  /** Whose subscription to look at; undefined when it tells of nothing we keep. */
  readonly customerId: string | undefined;
}

/**
 * Throws AppError `unavailable` when the provider cannot be reached or fails, `invalid` for a signature that does not
 * fit. Money is in cents of a US dollar.
 */
export interface Payments {
  readonly kind: 'stripe' | 'test';
  /**
   * Returns the account's customer: the kept one while the provider has it, else a new one. Two at once give the same.
   */
  ensureCustomer(account: { userId: number; email: string }, existingId: string | undefined): Promise<string>;
  /**
   * Returns the address where the person pays. The customer's earlier unpaid checkouts end, so that none is paid
   * twice.
   */
  startCheckout(request: CheckoutRequest): Promise<string>;
  /** Whose a checkout is and whether it was paid; undefined for one that is unknown. */
  findCheckout(sessionId: string): Promise<{ customerId: string; isPaid: boolean } | undefined>;
  /** The customer's subscription that counts: a granting one before one that is over. */
  findSubscription(customerId: string): Promise<ProviderSubscription | undefined>;
  /**
   * Returns the address where card and plan are changed; `plan` leads straight to changing to it, where that is
   * possible.
   */
  openPortal(customerId: string, returnUrl: string, plan?: PaidPlanId): Promise<string>;
  /** Ends the customer's subscriptions at once and forgets the person: the account is being deleted. Twice is once. */
  endSubscriptions(customerId: string): Promise<void>;
  /** Checks and reads a webhook's raw body. */
  readNotice(body: Buffer, signature: string): Promise<PaymentNotice>;
}
