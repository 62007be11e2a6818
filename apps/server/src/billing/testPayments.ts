/**
 * The test checkout: replaces a payment provider while none is set up, so that every journey works on a fresh machine.
 * It keeps its own books, as a provider would, and no money moves.
 */
import { type PaidPlanId, plans, type TestCheckout, type TestOutcome } from '@markwright/contract';
import { and, eq, lte, or, sql } from 'drizzle-orm';
import { billingMonth } from '../allowances/periods.ts';
import type { Db } from '../platform/database.ts';
import { AppError } from '../platform/errors.ts';
import { newId } from '../platform/ids.ts';
import type { Discount, Payments, ProviderSubscription } from '../platform/ports/payments.ts';
import { testCheckouts, testSubscriptions } from './tables.ts';

/** An event in the life of a subscription, caused by time or by the person in the provider's portal. */
export type TestChange = 'cancel' | 'resume' | 'failPayment' | 'payAgain' | 'end';

/** The port, with the actions that a real provider offers on its own pages. */
export interface TestPayments extends Payments {
  readonly kind: 'test';
  /** Returns undefined for one that is not the account's. */
  findTestCheckout(userId: number, id: string): Promise<Omit<TestCheckout, 'email'> | undefined>;
  /**
   * Pays, declines or cancels, and returns the address to go on at. Throws notFound, and conflict for a closed
   * checkout.
   */
  endTestCheckout(userId: number, id: string, outcome: TestOutcome): Promise<string>;
  /** Throws conflict when the account has no running subscription. */
  changeTestSubscription(userId: number, change: TestChange): Promise<void>;
}

interface TestPaymentsOptions {
  readonly db: Db;
  readonly origin: string;
  readonly now: () => Date;
}

type SubscriptionRow = typeof testSubscriptions.$inferSelect;
type CheckoutRow = typeof testCheckouts.$inferSelect;

export function createTestPayments({ db, origin, now }: TestPaymentsOptions): TestPayments {
  const pageOf = (id: string): string => `${origin}/test-checkout?session=${id}`;

  async function findRow(userId: number): Promise<SubscriptionRow | undefined> {
    const [row] = await db.select().from(testSubscriptions).where(eq(testSubscriptions.userId, userId));
    return row;
  }

  /** Opens a checkout and closes the account's open one. */
  async function open(checkout: Omit<typeof testCheckouts.$inferInsert, 'id' | 'createdAt'>): Promise<string> {
    const id = newId();
    const { userId } = checkout;
    await db.transaction(async (tx) => {
      // One call of an account after another: two that close several open checkouts in different orders would deadlock.
      await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`test checkouts of ${userId}`}, 0))`);
      await tx
        .update(testCheckouts)
        .set({ state: 'cancelled' })
        .where(and(eq(testCheckouts.userId, userId), eq(testCheckouts.state, 'open')));
      await tx.insert(testCheckouts).values({ ...checkout, id, createdAt: now() });
    });
    return pageOf(id);
  }

  return {
    kind: 'test',

    async ensureCustomer({ userId }) {
      return `test_${userId}`;
    },

    async startCheckout({ userId, plan, discount, successUrl, cancelUrl }) {
      return open({ userId, plan, discount, successUrl, cancelUrl });
    },

    async findCheckout(sessionId) {
      const row = await findCheckoutRow(db, sessionId);
      return row && { customerId: `test_${row.userId}`, isPaid: row.state === 'paid' };
    },

    async findSubscription(customerId) {
      const row = await findRow(userIdOf(customerId));
      return row && toProviderSubscription(row, customerId, now());
    },

    async openPortal(customerId, returnUrl, plan) {
      const row = await findRow(userIdOf(customerId));
      if (!plan || !row || statusOf(row, now()) === 'inactive') return `${origin}/test-checkout`;
      const { userId, discount } = row;
      return open({ userId, plan, discount, isChange: true, successUrl: returnUrl, cancelUrl: returnUrl });
    },

    async endSubscriptions(customerId) {
      await db.delete(testSubscriptions).where(eq(testSubscriptions.userId, userIdOf(customerId)));
    },

    async readNotice() {
      throw new AppError('invalid', 'No payment provider is set up.');
    },

    async findTestCheckout(userId, id) {
      const row = await findCheckoutRow(db, id);
      if (row?.userId !== userId) return undefined;
      const discount = row.discount as Discount | null;
      const { priceCents } = plans[row.plan];
      return {
        id,
        plan: row.plan,
        priceCents,
        discountCents: centsOff(priceCents, discount),
        discountMonths: discount?.months ?? 0,
        isChange: row.isChange,
        state: row.state,
      };
    },

    async endTestCheckout(userId, id, outcome) {
      const row = await findCheckoutRow(db, id);
      if (row?.userId !== userId) throw new AppError('notFound', 'This checkout is not known.');
      const successUrl = row.successUrl.replace('{CHECKOUT_SESSION_ID}', id);
      if (row.state === 'paid' && outcome === 'success') return successUrl;
      if (row.state !== 'open') throw new AppError('conflict', 'This checkout is over. Please choose a plan again.');
      if (outcome === 'decline') return `${pageOf(id)}&declined=1`;
      if (outcome === 'cancel') {
        await db
          .update(testCheckouts)
          .set({ state: 'cancelled' })
          .where(and(eq(testCheckouts.id, id), eq(testCheckouts.state, 'open')));
        return row.cancelUrl;
      }
      await pay(db, row, now());
      return successUrl;
    },

    async changeTestSubscription(userId, change) {
      const row = await findRow(userId);
      if (!row || statusOf(row, now()) === 'inactive') {
        throw new AppError('conflict', 'There is no test subscription that runs.');
      }
      const changes: Record<TestChange, Partial<SubscriptionRow>> = {
        cancel: { endsAt: billingMonth(row.startedAt, now()).end },
        resume: { endsAt: null },
        failPayment: { status: 'past_due' },
        payAgain: { status: 'active' },
        end: { status: 'inactive', endsAt: now() },
      };
      await db.update(testSubscriptions).set(changes[change]).where(eq(testSubscriptions.userId, userId));
    },
  };
}

async function findCheckoutRow(reader: Pick<Db, 'select'>, id: string): Promise<CheckoutRow | undefined> {
  const [row] = await reader.select().from(testCheckouts).where(eq(testCheckouts.id, id));
  return row;
}

/** Marks an open checkout as paid and applies the purchase, both or neither. */
async function pay(db: Db, checkout: CheckoutRow, now: Date): Promise<void> {
  await db.transaction(async (tx) => {
    const [updatedRow] = await tx
      .update(testCheckouts)
      .set({ state: 'paid' })
      .where(and(eq(testCheckouts.id, checkout.id), eq(testCheckouts.state, 'open')))
      .returning({ id: testCheckouts.id });
    if (!updatedRow) {
      if ((await findCheckoutRow(tx, checkout.id))?.state === 'paid') return; // confirmed twice
      throw new AppError('conflict', 'This checkout is over. Please choose a plan again.');
    }
    const done = checkout.isChange ? await changePlan(tx, now, checkout) : await begin(tx, now, checkout);
    if (!done) throw new AppError('conflict', 'The subscription has changed meanwhile. Please choose a plan again.');
  });
}

/** Begins a subscription now. Returns false when another one runs. */
async function begin(tx: Writer, now: Date, { id, userId, plan, discount }: CheckoutRow): Promise<boolean> {
  const subscription = {
    id: `sub_${id}`,
    plan,
    status: 'active' as const,
    startedAt: now,
    endsAt: null,
    nextPlan: null,
    nextPlanAt: null,
    discount,
  };
  const [row] = await tx
    .insert(testSubscriptions)
    .values({ ...subscription, userId })
    .onConflictDoUpdate({
      target: testSubscriptions.userId,
      set: subscription,
      setWhere: or(eq(testSubscriptions.status, 'inactive'), lte(testSubscriptions.endsAt, now)),
    })
    .returning({ id: testSubscriptions.id });
  return row !== undefined;
}

/** Changes to a larger plan immediately, to a smaller one when the paid month is over. The billing months stay. */
async function changePlan(tx: Writer, now: Date, { userId, plan }: CheckoutRow): Promise<boolean> {
  const [row] = await tx.select().from(testSubscriptions).where(eq(testSubscriptions.userId, userId)).for('update');
  if (!row || statusOf(row, now) === 'inactive') return false;
  const current = planOf(row, now);
  const isSmaller = plans[plan].priceCents < plans[current].priceCents;
  const next = isSmaller
    ? { plan: current, nextPlan: plan, nextPlanAt: billingMonth(row.startedAt, now).end }
    : { plan, nextPlan: null, nextPlanAt: null };
  await tx.update(testSubscriptions).set(next).where(eq(testSubscriptions.userId, userId));
  return true;
}

type Writer = Pick<Db, 'select' | 'insert' | 'update'>;

const userIdOf = (customerId: string): number => Number(customerId.replace('test_', ''));

const statusOf = ({ status, endsAt }: SubscriptionRow, now: Date) =>
  endsAt && endsAt <= now ? ('inactive' as const) : status;

const planOf = ({ plan, nextPlan, nextPlanAt }: SubscriptionRow, now: Date): PaidPlanId =>
  nextPlan && nextPlanAt && nextPlanAt <= now ? nextPlan : plan;

function toProviderSubscription(row: SubscriptionRow, customerId: string, now: Date): ProviderSubscription {
  const { id, startedAt: anchor, endsAt } = row;
  const status = statusOf(row, now);
  const plan = planOf(row, now);
  const discount = row.discount as Discount | null;
  const { start, end } = billingMonth(anchor, now);
  const monthsBefore =
    (start.getUTCFullYear() - anchor.getUTCFullYear()) * 12 + start.getUTCMonth() - anchor.getUTCMonth();
  const { priceCents } = plans[plan];
  const cents = priceCents - (discount && monthsBefore < discount.months ? centsOff(priceCents, discount) : 0);
  return {
    id,
    customerId,
    plan,
    status,
    anchor,
    periodStart: start,
    periodEnd: endsAt ?? end,
    isCancelled: endsAt !== null,
    payment: status === 'active' ? { id: `${id} ${start.toISOString()}`, cents } : undefined,
    discountCode: discount?.kind === 'waitlist' ? discount.code : undefined,
  };
}

const centsOff = (priceCents: number, discount: Discount | null): number => {
  if (!discount) return 0;
  return discount.kind === 'founding'
    ? Math.min(priceCents, discount.centsOff)
    : Math.round((priceCents * discount.percentOff) / 100);
};
