/**
 * The behavior that every payment provider must have, tested on the test checkout and, through Stripe's SDK, on a peer
 * that answers as Stripe does.
 */
import { FOUNDING_OFFER, type PaidPlanId, WAITLIST_OFFER } from '@markwright/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../test/server.ts';
import { SECRET_KEY, type StripePeer, startStripePeer, WEBHOOK_SECRET } from '../../test/stripePeer.ts';
import { users } from '../accounts/tables.ts';
import type { Discount, Payments } from '../platform/ports/payments.ts';
import { createStripePayments } from './stripePayments.ts';
import { createTestPayments } from './testPayments.ts';

/** The actions of a person, and of the calendar, on the provider's side. */
interface Pages {
  pay(url: string): Promise<string>;
  decline(url: string): Promise<void>;
  leave(url: string): Promise<string>;
  confirm(portalUrl: string): Promise<string>;
  change(customer: string, change: 'cancel' | 'resume' | 'failPayment' | 'payAgain' | 'end'): Promise<void>;
}

interface Provider {
  readonly payments: Payments;
  readonly pages: Pages;
}

const START = new Date('2027-01-31T09:30:00Z');
let now = START;
let server: TestApp;
let peer: StripePeer;
beforeAll(async () => {
  server = await createTestApp();
  peer = await startStripePeer({ now: () => now });
});
afterAll(async () => {
  await peer.close();
  await server.close();
});

const openTest = async (): Promise<Provider> => {
  const payments = createTestPayments({ db: server.context.db, origin: 'http://studio.test', now: () => now });
  const read = (url: string) => [owner.id, new URL(url).searchParams.get('session')!] as const;
  return {
    payments,
    pages: {
      pay: (url) => payments.endTestCheckout(...read(url), 'success'),
      decline: async (url) => void (await payments.endTestCheckout(...read(url), 'decline')),
      leave: (url) => payments.endTestCheckout(...read(url), 'cancel'),
      confirm: (url) => payments.endTestCheckout(...read(url), 'success'),
      change: (_customer, change) => payments.changeTestSubscription(owner.id, change),
    },
  };
};

const openStripe = async (): Promise<Provider> => {
  const options = { secretKey: SECRET_KEY, webhookSecret: WEBHOOK_SECRET, now: () => now };
  return {
    payments: await createStripePayments({ ...options, peer: peer.address }),
    pages: {
      pay: async (url) => peer.pages.pay(url),
      decline: async (url) => peer.pages.decline(url),
      leave: async (url) => peer.pages.leave(url),
      confirm: async (url) => peer.pages.confirm(url),
      change: async (customer, change) => peer.pages[change](customer),
    },
  };
};

let owner: { id: number; email: string };
let people = 0;
async function createOwner(): Promise<{ id: number; email: string }> {
  const email = `payer${++people}@example.com`;
  const [row] = await server.context.db
    .insert(users)
    .values({ email, passwordHash: '-', username: email })
    .returning({ id: users.id, email: users.email });
  return row!;
}

const founding: Discount = { kind: 'founding', ...FOUNDING_OFFER };
const waitlist: Discount = { kind: 'waitlist', ...WAITLIST_OFFER, code: 'EARLY-BIRD' };
const SUCCESS = 'http://studio.test/subscription-success?session_id={CHECKOUT_SESSION_ID}';
const CANCEL = 'http://studio.test/plans';
const PROFILE = 'http://studio.test/profile';

describe.each([
  ['the test checkout', openTest],
  ['Stripe', openStripe],
])('payments: %s', (_name, open) => {
  let payments: Payments;
  let pages: Pages;
  let customer: string;
  beforeEach(async () => {
    now = START;
    owner = await createOwner();
    ({ payments, pages } = await open());
    customer = await payments.ensureCustomer({ userId: owner.id, email: owner.email }, undefined);
  });

  const start = (plan: PaidPlanId, discount: Discount = founding, userId = owner.id, customerId = customer) =>
    payments.startCheckout({ userId, customerId, plan, discount, successUrl: SUCCESS, cancelUrl: CANCEL });
  const sessionOf = (successUrl: string) => new URL(successUrl).searchParams.get('session_id')!;

  test('an account has one customer, however often and simultaneously it is requested', async () => {
    const account = { userId: owner.id, email: owner.email };
    const customers = await Promise.all(Array.from({ length: 5 }, () => payments.ensureCustomer(account, undefined)));
    expect(new Set([...customers, await payments.ensureCustomer(account, customer)])).toEqual(new Set([customer]));
  });

  test('paying starts the plan at that moment and leads back with the session in the address', async () => {
    expect(await payments.findSubscription(customer)).toBeUndefined();
    const url = await start('pro');
    expect(await payments.findSubscription(customer)).toBeUndefined();
    const successUrl = await pages.pay(url);
    const session = sessionOf(successUrl);
    expect(successUrl).toBe(SUCCESS.replace('{CHECKOUT_SESSION_ID}', session));
    expect(await payments.findCheckout(session)).toEqual({ customerId: customer, isPaid: true });
    expect(await payments.findSubscription(customer)).toEqual({
      id: expect.any(String),
      customerId: customer,
      plan: 'pro',
      status: 'active',
      anchor: START,
      periodStart: START,
      periodEnd: new Date('2027-02-28T09:30:00Z'),
      isCancelled: false,
      payment: { id: expect.any(String), cents: 1900 },
      discountCode: undefined,
    });
  });

  test('a declined card and an abandoned checkout pay nothing', async () => {
    const url = await start('pro');
    await pages.decline(url);
    expect(await payments.findSubscription(customer)).toBeUndefined();
    expect(await pages.leave(url)).toBe(CANCEL);
    expect(await payments.findSubscription(customer)).toBeUndefined();
  });

  test('finds an unpaid session as unpaid, and nothing for an unknown id', async () => {
    const url = await start('pro');
    const session = new URL(url).searchParams.get('session') ?? url.split('/').at(-1)!;
    expect(await payments.findCheckout(session)).toEqual({ customerId: customer, isPaid: false });
    for (const word of [
      '',
      'nothing',
      '../customers',
      'cs_test_unknown',
      'cs_test_../x',
      'x'.repeat(255),
      "' or 1=1",
    ]) {
      expect(await payments.findCheckout(word), word).toBeUndefined();
    }
  });

  test('a new checkout ends the one before it, so that nobody pays twice', async () => {
    const first = await start('starter');
    const second = await start('pro');
    await expect((async () => pages.pay(first))()).rejects.toThrow();
    await pages.pay(second);
    expect(await payments.findSubscription(customer)).toMatchObject({ plan: 'pro' });
  });

  test('the founding offer takes $10 off for a year, and never more than the price', async () => {
    await pages.pay(await start('starter'));
    const findPayment = async () => (await payments.findSubscription(customer))!.payment!;
    const first = await findPayment();
    expect(first.cents).toBe(0);
    now = new Date('2027-12-31T09:30:00Z');
    expect((await findPayment()).cents).toBe(0); // the twelfth month
    now = new Date('2028-01-31T09:30:00Z');
    expect((await findPayment()).cents).toBe(900);
    expect((await findPayment()).id).not.toBe(first.id);
  });

  test('the waitlist offer takes half off for three months, and the subscription carries its code', async () => {
    await pages.pay(await start('studio', waitlist));
    const cents = async () => (await payments.findSubscription(customer))!.payment!.cents;
    expect(await payments.findSubscription(customer)).toMatchObject({ discountCode: 'EARLY-BIRD' });
    expect(await cents()).toBe(3950);
    now = new Date('2027-04-29T00:00:00Z');
    expect(await cents()).toBe(3950);
    now = new Date('2027-04-30T09:30:00Z');
    expect(await cents()).toBe(7900);
  });

  test('counts months from the start, through short months and a leap year', async () => {
    await pages.pay(await start('pro'));
    const period = async () => {
      const { periodStart, periodEnd, anchor } = (await payments.findSubscription(customer))!;
      expect(anchor).toEqual(START);
      return [periodStart.toISOString().slice(0, 16), periodEnd.toISOString().slice(0, 16)];
    };
    for (const [at, from, to] of [
      ['2027-02-28T09:29:59Z', '2027-01-31T09:30', '2027-02-28T09:30'],
      ['2027-02-28T09:30:00Z', '2027-02-28T09:30', '2027-03-31T09:30'],
      ['2027-04-30T10:00:00Z', '2027-04-30T09:30', '2027-05-31T09:30'],
      ['2028-02-29T09:30:00Z', '2028-02-29T09:30', '2028-03-31T09:30'],
    ] as const) {
      now = new Date(at);
      expect(await period()).toEqual([from, to]);
    }
  });

  test('a larger plan takes effect immediately and keeps the billing month', async () => {
    await pages.pay(await start('starter'));
    now = new Date('2027-02-10T00:00:00Z');
    const url = await payments.openPortal(customer, PROFILE, 'studio');
    expect(await payments.findSubscription(customer)).toMatchObject({ plan: 'starter' });
    expect(await pages.confirm(url)).toBe(PROFILE);
    expect(await payments.findSubscription(customer)).toMatchObject({
      plan: 'studio',
      anchor: START,
      periodStart: START,
      periodEnd: new Date('2027-02-28T09:30:00Z'),
    });
  });

  test('a smaller plan takes effect when the paid month is over', async () => {
    await pages.pay(await start('studio'));
    await pages.confirm(await payments.openPortal(customer, PROFILE, 'starter'));
    now = new Date('2027-02-28T09:29:59Z');
    expect(await payments.findSubscription(customer)).toMatchObject({ plan: 'studio', isCancelled: false });
    now = new Date('2027-02-28T09:30:00Z');
    expect(await payments.findSubscription(customer)).toMatchObject({
      plan: 'starter',
      status: 'active',
      anchor: START,
    });
  });

  test('a canceled plan runs to the end of the paid month, and may be resumed until then', async () => {
    await pages.pay(await start('pro'));
    await pages.change(customer, 'cancel');
    const end = new Date('2027-02-28T09:30:00Z');
    expect(await payments.findSubscription(customer)).toMatchObject({
      status: 'active',
      isCancelled: true,
      periodEnd: end,
    });
    await pages.change(customer, 'resume');
    expect(await payments.findSubscription(customer)).toMatchObject({ status: 'active', isCancelled: false });
    await pages.change(customer, 'cancel');
    now = new Date(end.getTime() - 1000);
    expect(await payments.findSubscription(customer)).toMatchObject({ status: 'active' });
    now = end;
    expect(await payments.findSubscription(customer)).toMatchObject({ status: 'inactive', plan: 'pro' });
  });

  test('a failed payment makes the plan past due, and a later payment active again', async () => {
    await pages.pay(await start('pro'));
    const before = (await payments.findSubscription(customer))!;
    await pages.change(customer, 'failPayment');
    expect(await payments.findSubscription(customer)).toMatchObject({ status: 'past_due', payment: undefined });
    await pages.change(customer, 'payAgain');
    expect(await payments.findSubscription(customer)).toMatchObject({ status: 'active', anchor: before.anchor });
  });

  test('a new subscription may begin after the end, from its own day', async () => {
    await pages.pay(await start('pro'));
    const first = (await payments.findSubscription(customer))!;
    await pages.change(customer, 'end');
    expect(await payments.findSubscription(customer)).toMatchObject({ id: first.id, status: 'inactive' });
    now = new Date('2027-03-05T00:00:00Z');
    await pages.pay(await start('agency'));
    const second = (await payments.findSubscription(customer))!;
    expect(second).toMatchObject({ plan: 'agency', status: 'active', anchor: now, periodStart: now });
    expect(second.id).not.toBe(first.id);
  });

  test('the portal opens with and without a running plan', async () => {
    expect(await payments.openPortal(customer, PROFILE)).toMatch(/^https?:\/\//);
    await pages.pay(await start('pro'));
    expect(await payments.openPortal(customer, PROFILE)).toMatch(/^https?:\/\//);
  });

  test('ending the subscriptions of a deleted account twice has the same effect as once', async () => {
    await pages.pay(await start('pro'));
    await payments.endSubscriptions(customer);
    await payments.endSubscriptions(customer);
    expect((await payments.findSubscription(customer))?.status ?? 'inactive').toBe('inactive');
  });

  test('a plan belongs to one customer only', async () => {
    const other = await createOwner();
    const otherCustomer = await payments.ensureCustomer({ userId: other.id, email: other.email }, undefined);
    await pages.pay(await start('pro'));
    expect(await payments.findSubscription(otherCustomer)).toBeUndefined();
  });

  test('rejects an unsigned webhook', async () => {
    await expect(payments.readNotice(Buffer.from('{}'), '')).rejects.toMatchObject({ code: 'invalid', status: 400 });
  });
});
