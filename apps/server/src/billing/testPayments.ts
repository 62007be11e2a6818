/**
 * The test checkout: stands in for a payment provider while none is set up, so that every way through works on a fresh
 * machine. It keeps its own books, as a provider would, and no money moves.
 */
import { plans } from '@markwright/contract';
import { eq } from 'drizzle-orm';
import type { Db } from '../platform/database.ts';
import { AppError } from '../platform/errors.ts';
import { newId } from '../platform/ids.ts';
import { testCheckouts, testSubscriptions } from '../platform/schema.ts';
import type { Discount, Payments } from './payments.ts';
import { billingMonth } from './periods.ts';

interface TestPaymentsOptions {
  readonly db: Db;
  readonly origin: string;
  readonly now: () => Date;
}

export function createTestPayments({ db, origin, now }: TestPaymentsOptions): Payments {
  return {
    kind: 'test',

    async createCustomer({ userId }) {
      return `test_${userId}`;
    },

    async startCheckout({ userId, plan, discount }) {
      const id = newId();
      const discountCents = centsOff(plans[plan].priceCents, discount);
      const discountMonths = discount?.months ?? 0;
      await db.insert(testCheckouts).values({ id, userId, plan, discountCents, discountMonths, createdAt: now() });
      return `${origin}/test-checkout?session=${id}`;
    },

    async findCheckout(sessionId) {
      const [row] = await db.select().from(testCheckouts).where(eq(testCheckouts.id, sessionId));
      return row && { customerId: `test_${row.userId}`, isPaid: row.state === 'paid' };
    },

    async findSubscription(customerId) {
      const [row] = await db
        .select()
        .from(testSubscriptions)
        .where(eq(testSubscriptions.userId, userIdOf(customerId)));
      if (!row) return undefined;
      const { id, plan, status, startedAt, isCancelled } = row;
      const period = billingMonth(startedAt, now());
      return { id, customerId, plan, status, periodStart: period.start, periodEnd: period.end, isCancelled };
    },

    async openPortal(_customerId, _returnUrl, plan) {
      return `${origin}/test-checkout${plan ? `?plan=${plan}` : ''}`;
    },

    async endSubscriptions(customerId) {
      await db.delete(testSubscriptions).where(eq(testSubscriptions.userId, userIdOf(customerId)));
    },

    async readNotice() {
      throw new AppError('invalid', 'No payment provider is set up.');
    },
  };
}

const userIdOf = (customerId: string): number => Number(customerId.replace('test_', ''));

const centsOff = (priceCents: number, discount: Discount | undefined): number => {
  if (!discount) return 0;
  return discount.kind === 'founding'
    ? Math.min(priceCents, discount.centsOff)
    : Math.round((priceCents * discount.percentOff) / 100);
};
