/** Stands for the payment provider on a public site where none is set up. Nothing can be bought there. */
import { messages } from '@markwright/contract';
import { AppError } from '../platform/errors.ts';
import type { Payments } from '../platform/ports/payments.ts';

/** Returns the refusal of everything that costs. */
export const paymentsNotSetUp = () => new AppError('conflict', messages.paymentsNotSetUp);

/** Creates the payments of a site that has none: every call that costs throws conflict. */
export function createNoPayments(): Payments {
  const refuse = async (): Promise<never> => {
    throw paymentsNotSetUp();
  };
  return {
    kind: 'none',
    ensureCustomer: refuse,
    startCheckout: refuse,
    openPortal: refuse,
    endSubscriptions: refuse,
    readNotice: refuse,
    findCheckout: async () => undefined,
    findSubscription: async () => undefined,
  };
}
