/** Buying a plan through the server's calls, with the test checkout and with Stripe's SDK against its peer. */
import { FOUNDING_OFFER, messages, type PlanId, plans } from '@markwright/contract';
import { and, eq, inArray, sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { repetitions } from '../../test/campaign.ts';
import { createTestApp, type TestApp } from '../../test/server.ts';
import { createStripeApp, type StripeApp } from '../../test/stripeApp.ts';
import { ensureAdmin } from '../accounts/accounts.ts';
import { users } from '../accounts/tables.ts';
import { withAllowance } from '../allowances/allowances.ts';
import { waitlist } from '../feedback/tables.ts';
import { mails } from '../mail/tables.ts';
import { compareSubscriptions, sweepPayments } from './subscriptions.ts';
import { subscriptions, testCheckouts } from './tables.ts';

type Headers = { authorization: string };
type Change = 'cancel' | 'resume' | 'failPayment' | 'payAgain' | 'end';

/** One of the two ways to pay, seen from the customer. */
interface PaymentSetup {
  readonly server: TestApp;
  /** Pays at the address that createCheckout returned. Returns the address that the person is led to. */
  pay(url: string, person: Headers): Promise<string>;
  change(person: Headers, change: Change): Promise<void>;
  /** Delivers the events since the last call to the server, as the provider's webhooks do. */
  deliverWebhooks(): Promise<void>;
  close(): Promise<void>;
}

async function openTestShop(): Promise<PaymentSetup> {
  const server = await createTestApp({ environment: { ADMIN_PASSWORD: 'the-workshop-key' } });
  const call = async (url: string, payload: object, headers: Headers) => {
    const answer = await server.app.inject({ method: 'POST', url, payload, headers });
    if (answer.statusCode !== 200) throw new Error(`${url}: ${answer.statusCode} ${answer.body}`);
    return answer.json();
  };
  return {
    server,
    async pay(url, person) {
      const id = new URL(url).searchParams.get('session');
      return (await call(`/api/test-checkout/${id}`, { outcome: 'success' }, person)).url;
    },
    async change(person, change) {
      await call('/api/test-subscription', { change }, person);
    },
    deliverWebhooks: async () => {},
    close: () => server.close(),
  };
}

let stripe: StripeApp;
async function openStripeShop(): Promise<PaymentSetup> {
  stripe = await createStripeApp({ environment: { ADMIN_PASSWORD: 'the-workshop-key' } });
  const { server, peer } = stripe;
  let deliveredCount = 0;
  return {
    server,
    pay: async (url) => (url.includes('billing.stripe.com') ? peer.pages.confirm(url) : peer.pages.pay(url)),
    async change(person, change) {
      const { id } = (await server.app.inject({ url: '/api/auth/me', headers: person })).json();
      const [row] = await server.context.db.select().from(subscriptions).where(eq(subscriptions.userId, id));
      peer.pages[change](row!.customerId);
    },
    async deliverWebhooks() {
      for (const event of peer.events.slice(deliveredCount)) expect((await stripe.deliver(event)).statusCode).toBe(200);
      deliveredCount = peer.events.length;
    },
    close: () => stripe.close(),
  };
}

const THIEVES = repetitions(4, 20);
const START = new Date('2027-01-31T09:30:00Z');
const FEBRUARY = '2027-02-28T09:30:00.000Z';

describe.each([
  ['the test checkout', openTestShop],
  ['Stripe', openStripeShop],
])('paying through %s', (name, open) => {
  let shop: PaymentSetup;
  let server: TestApp;
  let person: Headers;
  let email: string;
  let people = 0;
  beforeAll(async () => {
    shop = await open();
    server = shop.server;
  });
  afterAll(() => shop.close());
  beforeEach(async () => {
    server.setNow(START);
    email = `maker${++people}@buyers.example.com`;
    person = await server.signUp(email);
  });

  const post = (url: string, payload: object = {}, headers = person) =>
    server.app.inject({ method: 'POST', url, payload, headers });
  const get = async (url: string, headers = person) => (await server.app.inject({ url, headers })).json();
  const checkout = (planId: PlanId, discountCode?: string, headers = person) =>
    post('/api/create-checkout-session', { planId, ...(discountCode ? { discountCode } : {}) }, headers);
  const verify = (sessionId: string, headers = person) => post('/api/verify-subscription', { sessionId }, headers);
  const sessionOf = (url: string) => new URL(url).searchParams.get('session_id')!;
  const receipts = () =>
    server.context.db.select().from(mails).where(sql`${mails.recipient} = ${email} and ${mails.kind} = 'receipt'`);
  async function subscribe(planId: PlanId, discountCode?: string): Promise<string> {
    const answer = await checkout(planId, discountCode);
    expect(answer.statusCode, answer.body).toBe(200);
    const session = sessionOf(await shop.pay(answer.json().url, person));
    await shop.deliverWebhooks();
    return session;
  }
  const subscription = () => get('/api/users/subscription');
  async function makeExports(count: number, from = 0): Promise<void> {
    const { id } = await get('/api/auth/me');
    const actor = { kind: 'user' as const, id, email, isAdmin: false, sessionId: '-', address: '203.0.113.1' };
    for (let i = from; i < from + count; i++)
      await withAllowance(server.context, actor, 'vector', `k${i}`, async () => i);
  }

  test('an account without a plan is free, counts by the calendar month, and has nothing to manage', async () => {
    expect(await subscription()).toEqual({
      plan: 'free',
      status: 'inactive',
      periodEnd: null,
      isCancelled: false,
      isManaged: false,
    });
    expect(await get('/api/users/stats')).toMatchObject({ vectorsLimit: 0, nextResetDate: '2027-02-01T00:00:00.000Z' });
    const portal = await post('/api/billing/portal');
    expect([portal.statusCode, portal.json().message]).toEqual([409, 'There is no subscription to manage yet.']);
    expect((await post('/api/users/refresh-subscription')).json()).toEqual({ success: false, plan: 'free' });
  });

  test('each plan of the table can be bought, verified and used', async () => {
    for (const plan of [plans.starter, plans.pro, plans.studio, plans.agency]) {
      email = `${plan.id}${++people}@buyers.example.com`;
      person = await server.signUp(email);
      const answer = await checkout(plan.id);
      const successUrl = await shop.pay(answer.json().url, person);
      expect(successUrl).toMatch(/^http:\/\/studio\.test\/subscription-success\?session_id=[\w-]/);
      const verification = await verify(sessionOf(successUrl));
      expect(verification.statusCode, verification.body).toBe(200);
      expect(verification.json()).toEqual({
        planName: plan.name,
        limits: { vectors: plan.vectors, mockups: plan.mockups },
        nextResetDate: FEBRUARY,
      });
      expect(await get('/api/users/stats')).toMatchObject({ vectorsLimit: plan.vectors, mockupsLimit: plan.mockups });
      expect(await get('/api/auth/me')).toMatchObject({ subscriptionPlan: plan.id, subscriptionStatus: 'active' });
      expect(await subscription()).toEqual({
        plan: plan.id,
        status: 'active',
        periodEnd: FEBRUARY,
        isCancelled: false,
        isManaged: true,
      });
    }
  });

  test('verifying again, and twenty times simultaneously, is one activation with one receipt', async () => {
    const answer = await checkout('pro');
    const session = sessionOf(await shop.pay(answer.json().url, person));
    const answers = await Promise.all(Array.from({ length: 20 }, () => verify(session)));
    answers.push(await verify(session));
    expect(new Set(answers.map(({ statusCode, body }) => `${statusCode} ${body}`)).size).toBe(1);
    expect(answers[0]!.statusCode).toBe(200);
    await shop.deliverWebhooks();
    expect(await receipts()).toHaveLength(1);
    expect(await server.context.db.$count(subscriptions, eq(subscriptions.plan, 'pro'))).toBeGreaterThan(0);
  });

  test('does not verify an unpaid checkout', async () => {
    const { url } = (await checkout('pro')).json();
    const session = new URL(url).searchParams.get('session') ?? url.split('/').at(-1);
    const answer = await verify(session);
    expect([answer.statusCode, answer.json().message]).toEqual([409, 'Failed to verify subscription']);
    expect(await subscription()).toMatchObject({ plan: 'free' });
  });

  test('a missing session gets the specified message', async () => {
    const answer = await verify('');
    expect([answer.statusCode, answer.json().message]).toEqual([400, messages.noSessionId]);
  });

  test(`answers for somebody else’s session as for an unknown one, ${THIEVES} of ${THIEVES}`, async () => {
    const session = await subscribe('agency');
    for (let i = 0; i < THIEVES; i++) {
      const thief = await server.signUp(`thief${i}-${people}@example.com`);
      if (i % 2) await checkout('starter', undefined, thief); // some have a customer of their own
      const answer = await verify(session, thief);
      expect([answer.statusCode, answer.json().message]).toEqual([404, messages.verifyFailed]);
      expect(await get('/api/auth/me', thief)).toMatchObject({ subscriptionPlan: 'free' });
    }
    const unknown = await verify('cs_test_nobodys');
    expect([unknown.statusCode, unknown.json().message]).toEqual([404, messages.verifyFailed]);
  });

  test('the session of an ended plan grants nothing again', async () => {
    const session = await subscribe('pro');
    await shop.change(person, 'end');
    await shop.deliverWebhooks();
    expect(await subscription()).toMatchObject({ plan: 'free', status: 'inactive', periodEnd: null, isManaged: true });
    expect((await verify(session)).statusCode).toBe(409);
    expect(await subscription()).toMatchObject({ plan: 'free' });
  });

  test('refuses to sell the current plan again', async () => {
    await subscribe('pro');
    const again = await checkout('pro');
    expect([again.statusCode, again.json().message]).toEqual([409, 'You are on the Pro plan already.']);
  });

  test('an upgrade keeps the usage and its reset date, and raises the limit immediately', async () => {
    await subscribe('starter');
    server.setNow(new Date('2027-02-10T00:00:00Z'));
    await makeExports(8);
    await expect(makeExports(1, 8)).rejects.toMatchObject({ message: limitSentence(8) });
    const { url } = (await checkout('pro')).json();
    expect(await subscription()).toMatchObject({ plan: 'starter' });
    expect(await shop.pay(url, person)).toBe('http://studio.test/profile/plan');
    await shop.deliverWebhooks();
    expect(await get('/api/users/stats')).toMatchObject({ vectorsUsed: 8, vectorsLimit: 33, nextResetDate: FEBRUARY });
    await makeExports(25, 8);
    await expect(makeExports(1, 33)).rejects.toMatchObject({ message: limitSentence(33) });
  });

  test('a downgrade takes effect when the paid month is over', async () => {
    await subscribe('studio');
    await makeExports(20);
    const { url } = (await checkout('starter')).json();
    await shop.pay(url, person);
    await shop.deliverWebhooks();
    expect(await get('/api/users/stats')).toMatchObject({ vectorsUsed: 20, vectorsLimit: 125 });
    server.setNow(new Date(FEBRUARY));
    await compareSubscriptions(server.context);
    expect(await get('/api/users/stats')).toMatchObject({
      vectorsUsed: 0,
      vectorsLimit: 8,
      nextResetDate: '2027-03-31T09:30:00.000Z',
    });
  });

  test('a canceled plan keeps its allowance to the end of the paid month, and is free then', async () => {
    await subscribe('pro');
    await makeExports(5);
    await shop.change(person, 'cancel');
    await shop.deliverWebhooks();
    expect(await subscription()).toMatchObject({
      plan: 'pro',
      status: 'active',
      isCancelled: true,
      periodEnd: FEBRUARY,
    });
    expect(await get('/api/users/stats')).toMatchObject({ vectorsUsed: 5, vectorsLimit: 33 });
    server.setNow(new Date('2027-02-28T09:29:59Z'));
    await compareSubscriptions(server.context);
    expect(await get('/api/users/stats')).toMatchObject({ vectorsLimit: 33 });
    server.setNow(new Date(FEBRUARY));
    await compareSubscriptions(server.context); // no webhook arrived
    expect(await subscription()).toMatchObject({
      plan: 'free',
      status: 'inactive',
      isCancelled: false,
      periodEnd: null,
    });
    expect(await get('/api/users/stats')).toMatchObject({ vectorsLimit: 0, nextResetDate: '2027-03-01T00:00:00.000Z' });
  });

  test('a canceled plan leads to the page where it can be resumed', async () => {
    await subscribe('pro');
    await shop.change(person, 'cancel');
    await shop.deliverWebhooks();
    expect((await checkout('pro')).json().url).toMatch(/test-checkout$|billing\.stripe\.com/);
    await shop.change(person, 'resume');
    await shop.deliverWebhooks();
    expect(await subscription()).toMatchObject({ plan: 'pro', isCancelled: false });
  });

  test('a failed payment keeps the plan while the provider retries', async () => {
    await subscribe('pro');
    await shop.change(person, 'failPayment');
    await shop.deliverWebhooks();
    expect(await subscription()).toMatchObject({ plan: 'pro', status: 'past_due', periodEnd: FEBRUARY });
    expect(await get('/api/users/stats')).toMatchObject({ vectorsLimit: 33, mockupsLimit: 100 });
    await makeExports(33);
    // leads to the page where the card can be changed
    expect((await checkout('pro')).json().url).toMatch(/test-checkout$|billing\.stripe\.com/);
    await shop.change(person, 'payAgain');
    await shop.deliverWebhooks();
    expect(await subscription()).toMatchObject({ plan: 'pro', status: 'active' });
    await shop.change(person, 'failPayment');
    await shop.change(person, 'end');
    await shop.deliverWebhooks();
    expect(await subscription()).toMatchObject({ plan: 'free', status: 'inactive' });
    expect(await get('/api/users/stats')).toMatchObject({ vectorsUsed: 0, vectorsLimit: 0 });
  });

  test('the same or another plan may be bought again after the end', async () => {
    await subscribe('pro');
    await shop.change(person, 'end');
    await shop.deliverWebhooks();
    server.setNow(new Date('2027-02-20T00:00:00Z'));
    await subscribe('studio');
    expect(await subscription()).toMatchObject({
      plan: 'studio',
      status: 'active',
      periodEnd: '2027-03-20T00:00:00.000Z',
    });
  });

  test('every paid month has one receipt with the amount', async () => {
    await subscribe('pro');
    await post('/api/users/refresh-subscription');
    expect(await receipts()).toHaveLength(1);
    for (const month of [2, 3]) {
      server.setNow(new Date(Date.UTC(2027, month, 2)));
      await compareSubscriptions(server.context);
      await compareSubscriptions(server.context);
      expect(await receipts()).toHaveLength(month);
    }
    expect((await receipts()).map(({ subject }) => subject)[0]).toContain('Pro');
  });

  test('Sync reads a change whose webhook was lost', async () => {
    const answer = await checkout('studio');
    await shop.pay(answer.json().url, person); // the person closes the window, and the webhook is lost
    const syncAnswer = await post('/api/users/refresh-subscription');
    expect(syncAnswer.json()).toEqual({ success: true, plan: 'studio' });
    await shop.change(person, 'end');
    expect((await post('/api/users/refresh-subscription')).json()).toEqual({ success: false, plan: 'free' });
  });

  test('the daily comparison reads a change whose webhook was lost, once a day for each account', async () => {
    const answer = await checkout('studio');
    await shop.pay(answer.json().url, person);
    if (name === 'Stripe') expect(await subscription()).toMatchObject({ plan: 'free' });
    server.setNow(new Date(START.getTime() + 25 * 3_600_000));
    const findSubscription = vi.spyOn(server.context.payments, 'findSubscription');
    await compareSubscriptions(server.context);
    expect(await subscription()).toMatchObject({ plan: 'studio' });
    const { id } = await get('/api/auth/me');
    const [row] = await server.context.db.select().from(subscriptions).where(eq(subscriptions.userId, id));
    expect(findSubscription.mock.calls.filter(([customer]) => customer === row!.customerId)).toHaveLength(1);
    findSubscription.mockClear();
    await compareSubscriptions(server.context);
    expect(findSubscription).not.toHaveBeenCalled();
    findSubscription.mockRestore();
    await sweepPayments(server.context);
  });

  test('accounts whose comparison fails do not hold up the others', async () => {
    const { db } = server.context;
    const provider = server.context.payments.kind as 'stripe' | 'test';
    const ids: number[] = [];
    for (const [order, who] of ['bad-1', 'bad-2', 'bad-3', 'good'].entries()) {
      const headers = await server.signUp(`${who}-${name.length}@turns.example.com`);
      const { id } = await get('/api/auth/me', headers);
      const updatedAt = new Date(START.getTime() - (1000 - order) * 3_600_000);
      await db.insert(subscriptions).values({ userId: id, provider, customerId: `${who}-${name}`, updatedAt });
      ids.push(id);
    }
    const customers: string[] = [];
    const spy = vi.spyOn(server.context.payments, 'findSubscription').mockImplementation(async (customer) => {
      customers.push(customer.split('-')[0]!);
      if (customer.startsWith('bad')) throw new Error('gone there');
      return undefined;
    });
    await expect(compareSubscriptions(server.context)).rejects.toThrow('gone there');
    expect(customers).toEqual(['bad', 'bad', 'bad']);
    await compareSubscriptions(server.context);
    spy.mockRestore();
    expect(customers.slice(3)).toContain('good');
    expect(customers.slice(3)).not.toContain('bad');
    await db.delete(subscriptions).where(inArray(subscriptions.userId, ids));
  });

  test('the administrator’s plan is given, stays, and is not for sale', async () => {
    await ensureAdmin(server.context);
    const payload = { email: server.context.config.adminEmail, password: 'the-workshop-key' };
    const signedIn = await server.app.inject({ method: 'POST', url: '/api/auth/login', payload });
    const admin = { authorization: `Bearer ${signedIn.json().token}` };
    const answer = await checkout('pro', undefined, admin);
    expect([answer.statusCode, answer.json().message]).toEqual([
      409,
      'Your plan was given to you. There is nothing to pay.',
    ]);
    expect((await post('/api/users/refresh-subscription', {}, admin)).json()).toEqual({
      success: false,
      plan: 'agency',
    });
    await compareSubscriptions(server.context);
    expect(await get('/api/users/subscription', admin)).toEqual({
      plan: 'agency',
      status: 'active',
      periodEnd: null,
      isCancelled: false,
      isManaged: false,
    });
  });

  test('a public site without a provider sells nothing, and ends plans that the test checkout gave', async () => {
    const server = await createTestApp({ environment: { PUBLIC_URL: 'https://studio.example.com' } });
    try {
      const headers = await server.signUp();
      const call = async (method: 'GET' | 'POST', url: string, payload?: object) => {
        const answer = await server.app.inject({ method, url, headers, payload });
        return [answer.statusCode, answer.json()] as const;
      };
      const refusal = { message: messages.paymentsNotSetUp, requestId: expect.any(String) };
      expect(await call('GET', '/api/site')).toEqual([200, expect.objectContaining({ payments: 'none' })]);
      expect(await call('POST', '/api/create-checkout-session', { planId: 'agency' })).toEqual([409, refusal]);
      expect(await call('GET', '/api/test-checkout/x')).toEqual([404, refusal]);
      expect(await call('POST', '/api/test-checkout/x', { outcome: 'success' })).toEqual([404, refusal]);
      expect(await call('POST', '/api/test-subscription', { change: 'resume' })).toEqual([404, refusal]);
      expect((await call('POST', '/api/verify-subscription', { sessionId: 'x' }))[0]).toBe(404);
      expect((await call('POST', '/api/stripe/webhook', {}))[0]).toBe(409);

      const [, { id }] = await call('GET', '/api/auth/me');
      const { db, now } = server.context;
      const books = {
        provider: 'test',
        customerId: `test_${id}`,
        subscriptionId: `sub_${id}`,
        plan: 'agency',
      } as const;
      const updatedAt = new Date(now().getTime() - 48 * 3_600_000);
      await db.insert(subscriptions).values({ userId: id, ...books, status: 'active', updatedAt });
      await db.update(users).set({ subscriptionPlan: 'agency', subscriptionStatus: 'active' }).where(eq(users.id, id));
      await compareSubscriptions(server.context);
      expect((await call('POST', '/api/users/refresh-subscription'))[1]).toEqual({ success: false, plan: 'free' });
    } finally {
      await server.close();
    }
  });

  describe('a discount code of the waitlist', () => {
    let code: string;
    beforeEach(async () => {
      code = `EARLY-${people}`;
      await server.context.db.insert(waitlist).values({ email: `w${people}@example.com`, code });
    });
    const readCode = async () => (await server.context.db.select().from(waitlist).where(eq(waitlist.code, code)))[0]!;

    test('replaces the founding offer, and is used up by the payment', async () => {
      const { url } = (await checkout('studio', code.toLowerCase())).json();
      expect((await readCode()).redeemedAt).toBeNull();
      await shop.pay(url, person);
      await shop.deliverWebhooks();
      const { id } = await get('/api/auth/me');
      expect(await readCode()).toMatchObject({ redeemedBy: id, redeemedAt: START });
      expect(await receipts()).toHaveLength(1);
      await shop.change(person, 'end');
      await shop.deliverWebhooks();
      const again = await checkout('studio', code);
      expect([again.statusCode, again.json().message]).toEqual([
        400,
        'This discount code is not known, or it has been used.',
      ]);
    });

    test('belongs to one account, even when two claim it simultaneously', async () => {
      const other = await server.signUp(`other${people}@example.com`);
      const answers = await Promise.all([checkout('pro', code), checkout('pro', code, other)]);
      expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 400]);
    });

    test('may be tried again by the account that did not pay, and a payment without it does not use it up', async () => {
      await checkout('pro', code);
      await subscribe('starter');
      expect((await readCode()).redeemedAt).toBeNull();
      await shop.change(person, 'end');
      await shop.deliverWebhooks();
      await subscribe('pro', code);
      expect((await readCode()).redeemedAt).not.toBeNull();
    });

    test('starts no checkout when it is unknown', async () => {
      expect((await checkout('pro', 'NOTHING')).statusCode).toBe(400);
    });
  });

  test('fifty simultaneous calls of one account create one customer', async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => checkout('pro')));
    expect(answers.filter(({ statusCode }) => statusCode >= 500)).toEqual([]);
    const { id } = await get('/api/auth/me');
    expect(await server.context.db.$count(subscriptions, eq(subscriptions.userId, id))).toBe(1);
    if (name === 'Stripe') expect(stripe.peer.all('customer').filter((one) => one.email === email)).toHaveLength(1);
    await Promise.all(Array.from({ length: 20 }, () => checkout('pro')));
    const lastAnswer = await checkout('pro');
    expect([lastAnswer.statusCode, lastAnswer.json().message]).toEqual([
      429,
      expect.stringMatching(/^Too many tries\./),
    ]);
  });

  if (name === 'the test checkout') {
    test('simultaneous checkouts of one account never wait for each other in a circle, and leave one open', async () => {
      const { id: userId } = await get('/api/auth/me');
      const { payments } = server.context;
      const start = () =>
        payments.startCheckout({
          customerId: `test_${userId}`,
          userId,
          plan: 'pro',
          discount: { kind: 'founding', ...FOUNDING_OFFER },
          successUrl: 'http://studio.test/done',
          cancelUrl: 'http://studio.test/plans',
        });
      for (let round = 0; round < 5; round++) await Promise.all(Array.from({ length: 50 }, start));
      const open = and(eq(testCheckouts.userId, userId), eq(testCheckouts.state, 'open'));
      expect(await server.context.db.$count(testCheckouts, open)).toBe(1);
    });
  }

  test('refuses to sell the free plan or an unknown one', async () => {
    for (const planId of ['free', 'gold', '', null]) {
      expect((await post('/api/create-checkout-session', { planId })).statusCode).toBe(400);
    }
  });

  test('the site says how payments are taken and mails are sent', async () => {
    expect(await get('/api/site')).toEqual({
      supportEmail: server.context.config.supportEmail,
      payments: server.context.payments.kind,
      mail: 'outbox',
      minPasswordLength: 6,
    });
  });
});

const limitSentence = (limit: number): string =>
  `You've used all ${limit} vector exports this month. Upgrade to export more.`;

describe('the test checkout', () => {
  let server: TestApp;
  let person: Headers;
  beforeAll(async () => {
    server = await createTestApp();
  });
  afterAll(() => server.close());
  beforeEach(async () => {
    server.setNow(START);
    person = await server.signUp();
  });
  const post = (url: string, payload: object, headers = person) =>
    server.app.inject({ method: 'POST', url, payload, headers });
  const open = async (planId: PlanId, headers = person) => {
    const { url } = (await post('/api/create-checkout-session', { planId }, headers)).json();
    expect(url).toMatch(/^http:\/\/studio\.test\/test-checkout\?session=[\w-]+$/);
    return new URL(url).searchParams.get('session')!;
  };
  const end = (id: string, outcome: string, headers = person) => post(`/api/test-checkout/${id}`, { outcome }, headers);
  const show = (id: string, headers = person) => server.app.inject({ url: `/api/test-checkout/${id}`, headers });

  test('shows what it would charge', async () => {
    const { email } = (await server.app.inject({ url: '/api/auth/me', headers: person })).json();
    const id = await open('starter');
    expect((await show(id)).json()).toEqual({
      id,
      plan: 'starter',
      priceCents: 900,
      discountCents: 900,
      discountMonths: 12,
      email,
      isChange: false,
      state: 'open',
    });
  });

  test('can be tried again after a declined card, and not after a cancellation', async () => {
    const id = await open('pro');
    expect((await end(id, 'decline')).json()).toEqual({
      url: `http://studio.test/test-checkout?session=${id}&declined=1`,
    });
    expect((await show(id)).json()).toMatchObject({ state: 'open' });
    expect((await end(id, 'cancel')).json()).toEqual({ url: 'http://studio.test/plans' });
    expect((await show(id)).json()).toMatchObject({ state: 'cancelled' });
    const answer = await end(id, 'success');
    expect([answer.statusCode, answer.json().message]).toEqual([
      409,
      'This checkout is over. Please choose a plan again.',
    ]);
  });

  test('pays once, however often and simultaneously it is confirmed', async () => {
    const id = await open('pro');
    // More calls than there are connections to the database.
    const answers = await Promise.all(Array.from({ length: 40 }, () => end(id, 'success')));
    expect(new Set(answers.map(({ body }) => body))).toEqual(
      new Set([JSON.stringify({ url: `http://studio.test/subscription-success?session_id=${id}` })]),
    );
    expect((await show(id)).json()).toMatchObject({ state: 'paid' });
  });

  test('is visible only to its account', async () => {
    const id = await open('pro');
    const other = await server.signUp();
    for (const answer of [await show(id, other), await end(id, 'success', other), await show('nothing')]) {
      expect([answer.statusCode, answer.json().message]).toEqual([404, 'This checkout is not known.']);
    }
    expect((await show(id)).json()).toMatchObject({ state: 'open' });
  });

  test('leads a change of plan through a checkout that says so', async () => {
    await end(await open('starter'), 'success');
    const change = await open('studio');
    expect((await show(change)).json()).toMatchObject({ plan: 'studio', isChange: true, discountCents: 1000 });
    await end(change, 'decline');
    const current = async () => (await server.app.inject({ url: '/api/users/subscription', headers: person })).json();
    expect(await current()).toMatchObject({ plan: 'starter' });
    expect((await end(change, 'success')).json()).toEqual({ url: 'http://studio.test/profile/plan' });
    expect(await current()).toMatchObject({ plan: 'studio' });
  });

  test('changes nothing for an account without a plan', async () => {
    const answer = await post('/api/test-subscription', { change: 'cancel' });
    expect([answer.statusCode, answer.json().message]).toEqual([409, 'There is no test subscription that runs.']);
  });

  test('has no webhook', async () => {
    const answer = await post('/api/stripe/webhook', {}, person);
    expect([answer.statusCode, answer.json().message]).toEqual([400, 'No payment provider is set up.']);
  });
});

describe('with real payments', () => {
  let app: StripeApp;
  let person: Headers;
  beforeAll(async () => {
    app = await createStripeApp();
  });
  afterAll(() => app.close());
  beforeEach(async () => {
    app.server.setNow(START);
    person = await app.server.signUp();
  });
  const post = (url: string, payload: object) =>
    app.server.app.inject({ method: 'POST', url, payload, headers: person });

  test('there is no test checkout', async () => {
    const get = await app.server.app.inject({ url: '/api/test-checkout/x', headers: person });
    const endAnswer = await post('/api/test-checkout/x', { outcome: 'success' });
    const changeAnswer = await post('/api/test-subscription', { change: 'end' });
    for (const answer of [get, endAnswer, changeAnswer]) {
      expect([answer.statusCode, answer.json().message]).toEqual([
        404,
        'Payments are real here: there is no test checkout.',
      ]);
    }
  });

  test('plans from the test checkout end at the next comparison, and may be bought', async () => {
    const { id } = (await app.server.app.inject({ url: '/api/auth/me', headers: person })).json();
    const { db } = app.server.context;
    const twoDaysAgo = new Date(START.getTime() - 48 * 3_600_000);
    const row = { provider: 'test', customerId: `test_${id}`, subscriptionId: `sub_${id}`, plan: 'agency' } as const;
    await db.insert(subscriptions).values({ userId: id, ...row, status: 'active', updatedAt: twoDaysAgo });
    await db.update(users).set({ subscriptionPlan: 'agency', subscriptionStatus: 'active', periodStart: twoDaysAgo });
    await compareSubscriptions(app.server.context);
    const current = async () =>
      (await app.server.app.inject({ url: '/api/users/subscription', headers: person })).json();
    expect(await current()).toMatchObject({ plan: 'free', status: 'inactive' });
    const { url } = (await post('/api/create-checkout-session', { planId: 'pro' })).json();
    app.peer.pages.pay(url);
    expect((await post('/api/users/refresh-subscription', {})).json()).toEqual({ success: true, plan: 'pro' });
    expect(await current()).toMatchObject({ plan: 'pro', isManaged: true });
  });

  test('deleting the account ends the subscription at Stripe, and deletes nothing while Stripe is unreachable', async () => {
    const { url } = (await post('/api/create-checkout-session', { planId: 'pro' })).json();
    app.peer.pages.pay(url);
    await post('/api/users/refresh-subscription', {});
    const { id } = (await app.server.app.inject({ url: '/api/auth/me', headers: person })).json();
    const [subscription] = app.peer.all('subscription');
    expect(subscription).toMatchObject({ status: 'active' });
    const remove = () => post('/api/users/delete-account', { password: 'walnut-board' });
    await app.peer.goDown();
    expect((await remove()).statusCode).toBe(503);
    await app.peer.comeBack();
    expect(await app.server.context.db.$count(users, eq(users.id, id))).toBe(1);
    const from = app.peer.events.length;
    expect((await remove()).statusCode).toBe(200);
    expect(subscription).toMatchObject({ status: 'canceled' });
    expect(app.peer.find('customer', subscription!.customer)).toMatchObject({ deleted: true });
    expect(await app.server.context.db.$count(subscriptions, eq(subscriptions.userId, id))).toBe(0);
    for (const event of app.peer.events.slice(from)) expect((await app.deliver(event)).statusCode).toBe(200);
  });

  test('an account with real payments keeps its plan while the keys are missing', async () => {
    const bare = await createTestApp();
    try {
      bare.setNow(START);
      const headers = await bare.signUp();
      const { id } = (await bare.app.inject({ url: '/api/auth/me', headers })).json();
      const twoDaysAgo = new Date(START.getTime() - 48 * 3_600_000);
      const row = { provider: 'stripe', customerId: 'cus_1', subscriptionId: 'sub_1', plan: 'pro' } as const;
      await bare.context.db
        .insert(subscriptions)
        .values({ userId: id, ...row, status: 'active', updatedAt: twoDaysAgo });
      await bare.context.db
        .update(users)
        .set({ subscriptionPlan: 'pro', subscriptionStatus: 'active', periodStart: twoDaysAgo });
      await compareSubscriptions(bare.context);
      const answer = await bare.app.inject({
        method: 'POST',
        url: '/api/create-checkout-session',
        payload: { planId: 'studio' },
        headers,
      });
      expect(answer.statusCode).toBe(503);
      expect((await bare.app.inject({ url: '/api/users/subscription', headers })).json()).toMatchObject({
        plan: 'pro',
      });
    } finally {
      await bare.close();
    }
  });
});
