/**
 * The parts that are specific to Stripe: prices, coupons, the portal's settings, statuses and failures. The rest is in
 * payments.test.ts.
 */
import { FOUNDING_OFFER, plans } from '@markwright/contract';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { SECRET_KEY, type StripePeer, sign, startStripePeer, WEBHOOK_SECRET } from '../../test/stripePeer.ts';
import type { Payments } from '../platform/ports/payments.ts';
import { createStripePayments } from './stripePayments.ts';

const NOW = new Date('2027-03-10T08:00:00Z');
let now: Date;
let peer: StripePeer;
let payments: Payments;
let customer: string;
beforeEach(async () => {
  now = NOW;
  peer = await startStripePeer({ now: () => now });
  payments = await open();
  customer = await payments.ensureCustomer({ userId: 7, email: 'ann@example.com' }, undefined);
});
afterEach(() => peer.close());

const open = (secretKey = SECRET_KEY, address = peer.address) =>
  createStripePayments({ secretKey, webhookSecret: WEBHOOK_SECRET, now: () => now, peer: address });
const start = (plan: 'starter' | 'pro' | 'agency' = 'pro') =>
  payments.startCheckout({
    userId: 7,
    customerId: customer,
    plan,
    discount: { kind: 'founding', ...FOUNDING_OFFER },
    successUrl: 'https://studio.test/subscription-success?session_id={CHECKOUT_SESSION_ID}',
    cancelUrl: 'https://studio.test/plans',
  });
const listCreations = (path: string) => peer.calls.filter((call) => call.method === 'POST' && call.path === path);
const waitAMinute = () => {
  now = new Date(now.getTime() + 61_000);
};

test('a customer carries the id of the account', () => {
  expect(peer.find('customer', customer)).toMatchObject({ email: 'ann@example.com', metadata: { userId: '7' } });
});

test('creates a new customer for one that was deleted in the dashboard', async () => {
  await payments.endSubscriptions(customer);
  const again = await payments.ensureCustomer({ userId: 7, email: 'ann@example.com' }, customer);
  expect(again).not.toBe(customer);
  expect(await payments.ensureCustomer({ userId: 7, email: 'ann@example.com' }, again)).toBe(again);
  expect(await payments.findSubscription('cus_unknown')).toBeUndefined();
});

describe('the checkout session', () => {
  test('is a subscription of this account at the plan’s price with the founding offer', async () => {
    expect(await start()).toMatch(/^https:\/\/checkout\.stripe\.com\//);
    const [call] = listCreations('/v1/checkout/sessions');
    const [price] = peer.all('price');
    expect(call!.params).toEqual({
      mode: 'subscription',
      customer,
      client_reference_id: '7',
      line_items: [{ price: price!.id, quantity: '1' }],
      discounts: [{ coupon: 'markwright-founding-1000-12' }],
      subscription_data: { metadata: { plan: 'pro' } },
      success_url: 'https://studio.test/subscription-success?session_id={CHECKOUT_SESSION_ID}',
      cancel_url: 'https://studio.test/plans',
    });
    expect(call!.idempotencyKey).toBeTruthy();
    expect(peer.find('coupon', 'markwright-founding-1000-12')).toMatchObject({
      amount_off: 1000,
      currency: 'usd',
      duration: 'repeating',
      duration_in_months: 12,
    });
  });

  test('reuses price and coupon the next time', async () => {
    for (let i = 0; i < 3; i++) await start();
    expect(listCreations('/v1/prices')).toHaveLength(1);
    expect(listCreations('/v1/coupons')).toHaveLength(1);
  });

  test('two simultaneous servers use one price and one coupon', async () => {
    const other = await open();
    const starts = [payments, other, payments, other].map((provider, i) =>
      provider.startCheckout({
        userId: i,
        customerId: customer,
        plan: 'pro',
        discount: { kind: 'founding', ...FOUNDING_OFFER },
        successUrl: 'https://studio.test/a',
        cancelUrl: 'https://studio.test/b',
      }),
    );
    await Promise.all(starts);
    expect(peer.all('price')).toHaveLength(1);
    expect(peer.all('coupon')).toHaveLength(1);
  });
});

describe('a price', () => {
  test('is named by its plan and costs what the table says', async () => {
    for (const plan of ['starter', 'pro', 'agency'] as const) await start(plan);
    for (const plan of ['starter', 'pro', 'agency'] as const) {
      const price = peer.all('price').find(({ lookup_key }) => lookup_key === `markwright_${plan}_monthly`);
      expect(price).toMatchObject({ unit_amount: plans[plan].priceCents, currency: 'usd', metadata: { plan } });
      expect(price!.recurring).toMatchObject({ interval: 'month', interval_count: 1 });
    }
  });

  test('passes its lookup key to a new price when the table has changed, and its subscribers keep plan and price', async () => {
    peer.pages.pay(await start());
    const [old] = peer.all('price');
    // as if the table had said $19 then, or somebody had created it by hand
    Object.assign(old!, { unit_amount: 1900, metadata: {} });
    peer.all('subscription')[0]!.items.data[0].price = old;
    waitAMinute();
    await start();
    const [current] = peer.all('price');
    expect(current).toMatchObject({ unit_amount: 2900, lookup_key: 'markwright_pro_monthly', product: old!.product });
    expect(old!.lookup_key).toBeNull();
    expect(await payments.findSubscription(customer)).toMatchObject({ plan: 'pro', status: 'active' });
  });
});

describe('the portal', () => {
  test('is set up once: larger plans take effect and are paid immediately, smaller ones and a cancellation after the paid month', async () => {
    peer.pages.pay(await start());
    for (let i = 0; i < 3; i++) await payments.openPortal(customer, 'https://studio.test/profile');
    expect(peer.all('billing_portal.configuration')).toHaveLength(1);
    expect(peer.all('billing_portal.configuration')[0]!.features).toMatchObject({
      subscription_cancel: { enabled: 'true', mode: 'at_period_end' },
      subscription_update: {
        default_allowed_updates: ['price'],
        proration_behavior: 'always_invoice',
        schedule_at_period_end: { conditions: [{ type: 'decreasing_item_amount' }] },
        products: [{}, {}, {}, {}],
      },
    });
  });

  test('offers a new price after the table has changed', async () => {
    await payments.openPortal(customer, 'https://studio.test/profile');
    peer.all('price').find(({ lookup_key }) => lookup_key === 'markwright_studio_monthly')!.unit_amount = 5000;
    waitAMinute();
    await payments.openPortal(customer, 'https://studio.test/profile');
    const [settings, ...others] = peer.all('billing_portal.configuration');
    expect(others).toEqual([]);
    const current = peer.all('price').find(({ lookup_key }) => lookup_key === 'markwright_studio_monthly')!;
    expect(settings!.features.subscription_update.products[2].prices).toEqual([current.id]);
  });

  test('opens the change of a running plan, or the first page where no change is possible', async () => {
    peer.pages.pay(await start());
    const flowOf = (url: string) => peer.find('billing_portal.session', url.split('/').at(-1)).flow;
    expect(flowOf(await payments.openPortal(customer, 'https://studio.test/profile', 'agency'))).toMatchObject({
      type: 'subscription_update_confirm',
      after_completion: { type: 'redirect', redirect: { return_url: 'https://studio.test/profile' } },
    });
    peer.pages.cancel(customer);
    expect(flowOf(await payments.openPortal(customer, 'https://studio.test/profile', 'agency'))).toBeNull();
  });
});

describe('the subscription that counts', () => {
  test.each([
    ['active', 'active'],
    ['trialing', 'active'],
    ['past_due', 'past_due'],
    ['unpaid', 'inactive'],
    ['canceled', 'inactive'],
    ['incomplete', 'inactive'],
    ['incomplete_expired', 'inactive'],
    ['paused', 'inactive'],
    ['something_of_tomorrow', 'inactive'],
  ])('%s is %s', async (theirs, ours) => {
    peer.pages.pay(await start());
    peer.pages.setStatus(customer, theirs);
    expect(await payments.findSubscription(customer)).toMatchObject({ status: ours });
  });

  test('prefers a running one to one that is past due, and that to one that is over', async () => {
    const ids: string[] = [];
    for (const status of ['active', 'past_due', 'canceled', 'incomplete_expired']) {
      peer.pages.pay(await start());
      const [newest] = peer.all('subscription');
      newest!.status = status;
      ids.push(newest!.id);
    }
    expect(await payments.findSubscription(customer)).toMatchObject({ id: ids[0], status: 'active' });
    peer.find('subscription', ids[0]).status = 'canceled';
    expect(await payments.findSubscription(customer)).toMatchObject({ id: ids[1], status: 'past_due' });
    peer.find('subscription', ids[1]).status = 'canceled';
    expect(await payments.findSubscription(customer)).toMatchObject({ id: ids[3], status: 'inactive' });
  });

  test('ignores what else is sold in the same Stripe account', async () => {
    peer.pages.pay(await start());
    const [subscription] = peer.all('subscription');
    subscription!.items.data[0].price = { ...subscription!.items.data[0].price, lookup_key: 'mugs', metadata: {} };
    expect(await payments.findSubscription(customer)).toBeUndefined();
  });

  test('is canceled in both notations of Stripe', async () => {
    peer.pages.pay(await start());
    const [subscription] = peer.all('subscription');
    subscription!.cancel_at_period_end = true; // classic billing mode
    expect(await payments.findSubscription(customer)).toMatchObject({ isCancelled: true, status: 'active' });
    Object.assign(subscription!, { cancel_at_period_end: false, cancel_at: now.getTime() / 1000 + 3600 });
    expect(await payments.findSubscription(customer)).toMatchObject({
      isCancelled: true,
      periodEnd: new Date(now.getTime() + 3_600_000),
    });
  });
});

describe('a checkout', () => {
  test('is paid when it is complete, also when the first month costs nothing', async () => {
    const idOf = (url: string) => url.split('session_id=')[1]!;
    const session = idOf(peer.pages.pay(await start('starter')));
    expect(peer.find('checkout.session', session).payment_status).toBe('no_payment_required');
    expect(await payments.findCheckout(session)).toEqual({ customerId: customer, isPaid: true });
    peer.find('checkout.session', session).payment_status = 'unpaid'; // a slow bank transfer
    expect(await payments.findCheckout(session)).toEqual({ customerId: customer, isPaid: false });
  });
});

describe('a provider that fails', () => {
  const sentence = 'Payments cannot be reached just now. Please try again in a moment.';
  const calls = (): [string, () => Promise<unknown>][] => [
    ['ensureCustomer', () => payments.ensureCustomer({ userId: 8, email: 'bo@example.com' }, undefined)],
    ['startCheckout', () => start()],
    ['findCheckout', () => payments.findCheckout('cs_test_1')],
    ['findSubscription', () => payments.findSubscription(customer)],
    ['openPortal', () => payments.openPortal(customer, 'https://studio.test/profile', 'agency')],
    ['endSubscriptions', () => payments.endSubscriptions(customer)],
  ];
  const expectUnavailable = async () => {
    for (const [name, call] of calls()) {
      await expect(call(), name).rejects.toMatchObject({ code: 'unavailable', message: sentence });
    }
  };

  test('throws one sentence while Stripe is unreachable, and works when it is back', { tags: ['detail'] }, async () => {
    await peer.goDown();
    await expectUnavailable();
    await peer.comeBack();
    for (const [, call] of calls()) await call();
  });

  test('throws the same sentence for a revoked key', async () => {
    payments = await open('sk_test_revoked');
    await expectUnavailable();
  });

  test('gives up when Stripe never answers', { tags: ['detail'] }, async () => {
    payments = await open(SECRET_KEY, { ...peer.address, timeout: 1_500 });
    peer.fault.hang = true;
    const from = performance.now();
    await expect(payments.findSubscription(customer)).rejects.toMatchObject({ code: 'unavailable' });
    expect(performance.now() - from).toBeLessThan(60_000); // the SDK's own limit is 80 s for each attempt
  });

  test('recovers a minute later from an error of Stripe, which repeats it for one idempotency key', async () => {
    const ensureCustomer = () => payments.ensureCustomer({ userId: 8, email: 'bo@example.com' }, undefined);
    peer.fault.failures = 1;
    await expect(ensureCustomer()).rejects.toMatchObject({ code: 'unavailable' });
    await expect(ensureCustomer()).rejects.toMatchObject({ code: 'unavailable' });
    waitAMinute();
    expect(await ensureCustomer()).toMatch(/^cus_/);
  });
});

describe('a webhook', () => {
  const event = (changes: object = {}) =>
    JSON.stringify({
      id: 'evt_1',
      object: 'event',
      livemode: false,
      type: 'customer.subscription.updated',
      data: { object: { id: 'sub_1', object: 'subscription', customer } },
      ...changes,
    });
  const read = (payload: string, signature = sign(payload, now)) =>
    payments.readNotice(Buffer.from(payload), signature);
  const after = (seconds: number) => new Date(now.getTime() + seconds * 1000);

  test('names the customer whose subscription to read', async () => {
    expect(await read(event())).toEqual({ id: 'evt_1', type: 'customer.subscription.updated', customerId: customer });
    const expandedData = { object: { object: 'invoice', customer: { id: customer, object: 'customer' } } };
    expect(await read(event({ type: 'invoice.paid', data: expandedData }))).toMatchObject({ customerId: customer });
    const customerData = { object: { object: 'customer', id: customer } };
    expect(await read(event({ type: 'customer.deleted', data: customerData }))).toMatchObject({ customerId: customer });
  });

  test.each([
    ['of another kind', { type: 'payment_intent.created' }],
    ['of a customer’s name', { type: 'customer.updated' }],
    ['without a customer', { type: 'invoice.paid', data: { object: { object: 'invoice', customer: null } } }],
  ])('an event %s names no customer', async (_case, changes) => {
    expect((await read(event(changes))).customerId).toBeUndefined();
  });

  test('is valid for five minutes, before and after', async () => {
    for (const seconds of [-300, 0, 300]) await read(event(), sign(event(), after(seconds)));
    for (const seconds of [-301, 301, -86_400, 86_400]) {
      await expect(read(event(), sign(event(), after(seconds)))).rejects.toMatchObject({ code: 'invalid' });
    }
  });

  test('of the other mode is rejected', async () => {
    await expect(read(event({ livemode: true }))).rejects.toMatchObject({ code: 'invalid' });
    payments = await open('sk_live_workshop');
    await expect(read(event())).rejects.toMatchObject({ code: 'invalid' });
    expect(await read(event({ livemode: true }))).toMatchObject({ customerId: customer });
  });

  test.each([
    '',
    'null',
    '[]',
    '{}',
    'text',
    '{"object":"v2.core.event"}',
    '{"livemode":false,"id":"evt_1","type":"x"}',
  ])('rejects a signed body that is no event: %s', async (payload) => {
    await expect(read(payload)).rejects.toMatchObject({ code: 'invalid', status: 400 });
  });
});
