/**
 * The port for payments. Adapters: `stripePayments.ts`; without keys `testPayments.ts`, and on a public site
 * `noPayments.ts`.
 */
import type { PaidPlanId, SubscriptionStatus } from '@markwright/contract';

/** The provider's current state of a subscription, which is authoritative. */
export interface ProviderSubscription {
  readonly id: string;
  readonly customerId: string;
  readonly plan: PaidPlanId;
  readonly status: SubscriptionStatus;
  /** The start of its first billing month. It stays when the plan changes. */
  readonly anchor: Date;
  readonly periodStart: Date;
  readonly periodEnd: Date;
  /** True when it ends at `periodEnd`. */
  readonly isCancelled: boolean;
  /** The newest successful payment, with its own id. */
  readonly payment: { readonly id: string; readonly cents: number } | undefined;
  /** The waitlist code of the checkout. */
  readonly discountCode: string | undefined;
}

/** The discount, and its number of months. */
export type Discount =
  | { readonly kind: 'founding'; readonly centsOff: number; readonly months: number }
  | { readonly kind: 'waitlist'; readonly percentOff: number; readonly months: number; readonly code: string };

/** A checkout to start at the provider. */
export interface CheckoutRequest {
  readonly userId: number;
  readonly customerId: string;
  readonly plan: PaidPlanId;
  readonly discount: Discount;
  /** Contains `{CHECKOUT_SESSION_ID}`, which the provider replaces. */
  readonly successUrl: string;
  readonly cancelUrl: string;
}

/** A notice of the provider with a valid signature. It names the subscription to read again, and is no state itself. */
export interface PaymentNotice {
  readonly id: string;
  readonly type: string;
  /** The customer whose subscription to read; undefined for a notice about anything else. */
  readonly customerId: string | undefined;
}

/**
 * Throws AppError `unavailable` when the provider is unreachable or fails, `invalid` for an invalid signature. Money is
 * in cents of a US dollar.
 */
export interface Payments {
  readonly kind: 'stripe' | 'test' | 'none';
  /**
   * Returns the account's customer: the existing one while the provider has it, else a new one. Simultaneous calls
   * return the same.
   */
  ensureCustomer(account: { userId: number; email: string }, existingId: string | undefined): Promise<string>;
  /**
   * Returns the address where the person pays. The customer's earlier unpaid checkouts end, so that none is paid
   * twice.
   */
  startCheckout(request: CheckoutRequest): Promise<string>;
  /** Returns the customer of a checkout and whether it was paid; undefined for an unknown one. */
  findCheckout(sessionId: string): Promise<{ customerId: string; isPaid: boolean } | undefined>;
  /** Returns the customer's subscription that counts: one that grants a plan before one that is over. */
  findSubscription(customerId: string): Promise<ProviderSubscription | undefined>;
  /**
   * Returns the address where card and plan are changed. `plan` leads directly to the change to that plan, where that
   * is possible.
   */
  openPortal(customerId: string, returnUrl: string, plan?: PaidPlanId): Promise<string>;
  /**
   * Ends the customer's subscriptions immediately and deletes the person, because the account is being deleted. A
   * second call changes nothing.
   */
  endSubscriptions(customerId: string): Promise<void>;
  /** Checks and reads a webhook's raw body. */
  readNotice(body: Buffer, signature: string): Promise<PaymentNotice>;
}
