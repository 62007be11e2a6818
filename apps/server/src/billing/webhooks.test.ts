/**
 * Hostile and faulty input from outside: unsigned, repeated and reordered webhooks, redirects, and an unreachable
 * provider. T16, T17.
 */
import { createHmac } from 'node:crypto';
import { messages } from '@markwright/contract';
import { emptyComposition, saveComposition } from '@markwright/scene';
import { eq, sql } from 'drizzle-orm';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createRandom, repetitions } from '../../test/campaign.ts';
import { createStripeApp, type StripeApp } from '../../test/stripeApp.ts';
import { type StripeEvent, sign, WEBHOOK_SECRET } from '../../test/stripePeer.ts';
import { users } from '../accounts/tables.ts';
import { createApp } from '../app.ts';
import { mails } from '../mail/tables.ts';
import type { Payments } from '../platform/ports/payments.ts';
import { providerEvents, subscriptions } from './tables.ts';

const NOW = new Date('2027-05-04T12:00:00Z');
let stripe: StripeApp;
let second: { app: FastifyInstance };
let person: { authorization: string };

const logLines: string[] = [];
beforeAll(async () => {
  stripe = await createStripeApp({ logTo: { write: (line) => void logLines.push(line) } });
  second = await stripe.server.openSecond();
  await stripe.server.seeAll.execute(sql`
    create table plan_writes (user_id int);
    create function note_plan_write() returns trigger language plpgsql as $$
      begin insert into plan_writes values (new.id); return null; end $$;
    create trigger note_plan_write after update on users for each row execute function note_plan_write()`);
});
afterAll(async () => {
  await stripe.close();
});
beforeEach(async () => {
  stripe.server.setNow(NOW);
  person = await stripe.server.signUp();
});

const post = (url: string, payload: object = {}, headers: Record<string, string> = person) =>
  stripe.server.app.inject({ method: 'POST', url, payload, headers });
const me = async () => (await stripe.server.app.inject({ url: '/api/auth/me', headers: person })).json();
const readSubscription = async () =>
  (await stripe.server.app.inject({ url: '/api/users/subscription', headers: person })).json();
const customerOf = async (userId: number) => {
  const [row] = await stripe.server.context.db.select().from(subscriptions).where(eq(subscriptions.userId, userId));
  return row!.customerId;
};
const planWrites = async (userId: number): Promise<number> => {
  const { rows } = await stripe.server.context.db.execute(
    sql`select count(*)::int as count from plan_writes where user_id = ${userId}`,
  );
  return rows[0]!.count as number;
};
const countPeerCalls = () => stripe.peer.calls.length;

/** Returns the events that the provider would send for what happens while `work` runs. */
async function eventsOf(work: () => Promise<void>): Promise<StripeEvent[]> {
  const from = stripe.peer.events.length;
  await work();
  return stripe.peer.events.slice(from);
}
async function payFor(planId: string): Promise<StripeEvent[]> {
  const { url } = (await post('/api/create-checkout-session', { planId })).json();
  return eventsOf(async () => void stripe.peer.pages.pay(url));
}

describe('a webhook', () => {
  test('rejects 200 of 200 unsigned or altered notices', async () => {
    const events = await payFor('agency');
    const event = events.find(({ type }) => type === 'customer.subscription.created')!;
    const payload = JSON.stringify(event);
    const good = sign(payload, NOW);
    const time = Math.floor(NOW.getTime() / 1000);
    const hmac = (text: string, secret = WEBHOOK_SECRET) => createHmac('sha256', secret).update(text).digest('hex');
    const turn = (text: string, at: number) =>
      `${text.slice(0, at)}${text[at] === '1' ? '2' : '1'}${text.slice(at + 1)}`;

    const attempts: [string, string | undefined][] = [];
    for (let i = 0; i < 20; i++) {
      attempts.push(
        [payload, sign(payload, NOW, `whsec_guess${i}`)],
        [payload, turn(good, good.length - 1 - i)], // one digit of the signature
        [payload, good.slice(0, good.length - 1 - i)],
        [turn(payload, 60 + i * 3), good], // one character of the body
        [payload.replace(event.id, `evt_${i}`), good],
        [`${payload}${' '.repeat(i + 1)}`, good],
        [payload, `t=${time + i + 1},v1=${good.split('v1=')[1]}`], // a later time under the old signature
        [payload, `t=${time},v0=${hmac(`${time}.${payload}`)},v1=${'0'.repeat(64 - i)}`],
        [payload, [`t=${time}`, '', 'v1=', `v1=${hmac(payload)}`, 't=now,v1=abc', good.toUpperCase()][i % 6]],
        [payload, i % 2 ? undefined : `t=${time},v1=${hmac(`${time}.${payload}`, '')}`],
      );
    }
    const { id } = await me();
    const before = { asked: countPeerCalls(), writes: await planWrites(id) };
    expect(attempts).toHaveLength(200);
    for (const [body, signature] of attempts) {
      const headers = {
        'content-type': 'application/json',
        ...(signature === undefined ? {} : { 'stripe-signature': signature }),
      };
      const answer = await post('/api/stripe/webhook', body as unknown as object, headers);
      expect([answer.statusCode, answer.json().message], signature).toEqual([
        400,
        'This is not a notice of the payment provider.',
      ]);
    }
    expect({ asked: countPeerCalls(), writes: await planWrites(id) }).toEqual(before);
    expect(await readSubscription()).toMatchObject({ plan: 'free' });
    expect((await stripe.deliver(event)).statusCode).toBe(200); // the same event, as it was sent
    expect(await readSubscription()).toMatchObject({ plan: 'agency' });
  });

  test('rejects notices that are too old or from the future: 20 and 20', async () => {
    const [event] = await payFor('agency');
    const payload = JSON.stringify(event);
    for (const direction of [-1, 1]) {
      for (let i = 0; i < 20; i++) {
        const at = new Date(NOW.getTime() + direction * (301 + i ** 4) * 1000);
        expect((await stripe.deliver(event!, sign(payload, at))).statusCode).toBe(400);
      }
    }
    expect(await readSubscription()).toMatchObject({ plan: 'free' });
    for (const seconds of [-300, 300]) {
      const at = new Date(NOW.getTime() + seconds * 1000);
      expect((await stripe.deliver(event!, sign(payload, at))).statusCode).toBe(200);
    }
  });

  test('applies a notice once that is delivered a hundred times simultaneously to two servers', async () => {
    const events = await payFor('pro');
    const event = events.find(({ type }) => type === 'checkout.session.completed')!;
    const { id, email } = await me();
    stripe.peer.fault.delayMs = 30; // all of them ask the provider before the first is answered
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, i) => stripe.deliver(event, undefined, i % 2 ? second.app : undefined)),
    );
    stripe.peer.fault.delayMs = 0;
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array(100).fill(200));
    const { db } = stripe.server.context;
    expect(await planWrites(id)).toBe(1);
    expect(await db.$count(providerEvents, eq(providerEvents.id, event.id))).toBe(1);
    expect(await db.$count(mails, sql`${mails.recipient} = ${email} and ${mails.kind} = 'receipt'`)).toBe(1);
    const before = countPeerCalls();
    await stripe.deliver(event);
    expect(countPeerCalls()).toBe(before); // the notice is known, so the provider is not asked
    expect(await readSubscription()).toMatchObject({ plan: 'pro', status: 'active' });
  });

  const everyOrder = permutations([0, 1, 2, 3]);
  const orders = everyOrder.filter((_, i) => i % repetitions(3, 1) === 0);
  test(`reaches the same plan in ${orders.length} of the 24 orders of four notices, at two servers`, async () => {
    expect(everyOrder).toHaveLength(24);
    const outcomes = new Set<string>();
    for (const [round, turns] of orders.entries()) {
      person = await stripe.server.signUp();
      const { id } = await me();
      const [creation] = (await payFor('starter')).filter(({ type }) => type === 'customer.subscription.created');
      const customer = await customerOf(id);
      const { url } = (await post('/api/create-checkout-session', { planId: 'studio' })).json();
      const rest = await eventsOf(async () => {
        stripe.peer.pages.confirm(url);
        stripe.peer.pages.failPayment(customer);
        stripe.peer.pages.cancel(customer);
      });
      const failure = rest.find(({ type }) => type === 'invoice.payment_failed')!;
      const changes = rest.filter(({ type }) => type === 'customer.subscription.updated');
      const four = [creation!, changes[0]!, failure, changes.at(-1)!];
      expect(new Set(four.map((event) => event.id)).size).toBe(4);
      for (const turn of turns) {
        const app = (turn + round) % 2 ? second.app : stripe.server.app;
        expect((await stripe.deliver(four[turn]!, undefined, app)).statusCode).toBe(200);
      }
      outcomes.add(JSON.stringify(await readSubscription()));
    }
    expect([...outcomes]).toEqual([
      JSON.stringify({
        plan: 'studio',
        status: 'past_due',
        periodEnd: '2027-06-04T12:00:00.000Z',
        isCancelled: true,
        isManaged: true,
      }),
    ]);
  });

  test('reaches the provider’s plan after any history of late, repeated, reordered and lost notices', async () => {
    for (let seed = 1; seed <= repetitions(5, 20); seed++) {
      const random = createRandom(seed);
      person = await stripe.server.signUp();
      const { id } = await me();
      const waiting: StripeEvent[] = await payFor('pro');
      const customer = await customerOf(id);
      const deliverRandomEvent = async () => {
        const [event] = waiting.splice(Math.floor(random() * waiting.length), 1);
        if (!event) return;
        if (random() < 0.3) waiting.push(event); // it is delivered again
        await stripe.deliver(event, undefined, random() < 0.5 ? second.app : undefined);
      };
      for (let step = 0; step < 8; step++) {
        waiting.push(...(await eventsOf(async () => happen(customer, random()))));
        while (random() < 0.5) await deliverRandomEvent();
      }
      while (waiting.length > 0) await deliverRandomEvent();
      const truth = await stripe.server.context.payments.findSubscription(customer);
      const { plan, status, isCancelled } = truth!;
      const isOver = status === 'inactive';
      const expected = isOver ? { plan: 'free', status } : { plan, status, isCancelled };
      expect(await readSubscription(), `history ${seed}`).toMatchObject(expected);
    }
  });

  test('receives a notice of an unknown kind or customer and changes nothing', async () => {
    const [event] = await payFor('pro');
    const before = countPeerCalls();
    for (const changes of [
      { type: 'payment_intent.succeeded' },
      { type: 'something.of_tomorrow' },
      { data: { object: { object: 'subscription', customer: 'cus_somebody_else' } } },
      { data: { object: { object: 'subscription', customer: null } } },
    ]) {
      const answer = await stripe.deliver({ ...event!, ...changes });
      expect([answer.statusCode]).toEqual([200]);
    }
    expect(countPeerCalls()).toBe(before);
    expect((await stripe.deliver({ ...event!, livemode: true })).statusCode).toBe(400);
    expect(await readSubscription()).toMatchObject({ plan: 'free' });
  });

  test('verifies the raw body before it parses it, and limits it to 64 kB', async () => {
    const [event] = await payFor('pro');
    const odd = `{ "id" : "${event!.id}",\n "livemode":false, "type":"invoice.paid", "data": ${JSON.stringify(event!.data)} }`;
    const send = (payload: string, type: string) =>
      stripe.server.app.inject({
        method: 'POST',
        url: '/api/stripe/webhook',
        payload,
        headers: { 'content-type': type, 'stripe-signature': sign(payload, NOW) },
      });
    expect((await send('{"broken', 'application/json')).json().message).toBe(
      'This is not a notice of the payment provider.',
    );
    expect((await send(odd, 'application/json; charset=utf-8')).statusCode).toBe(200);
    const large = JSON.stringify({ ...event, padding: 'x'.repeat(64 * 1024) });
    expect((await send(large, 'application/json')).statusCode).toBe(413);
  });

  test('answers 503 while the provider is unreachable, and applies the notice when it is delivered again', async () => {
    const events = await payFor('pro');
    const event = events.find(({ type }) => type === 'customer.subscription.created')!;
    const { db } = stripe.server.context;
    await stripe.peer.goDown();
    try {
      const answer = await stripe.deliver(event);
      expect(answer.statusCode).toBe(503);
    } finally {
      await stripe.peer.comeBack();
    }
    expect(await db.$count(providerEvents, eq(providerEvents.id, event.id))).toBe(0);
    expect(await readSubscription()).toMatchObject({ plan: 'free' });
    expect((await stripe.deliver(event)).statusCode).toBe(200);
    expect(await readSubscription()).toMatchObject({ plan: 'pro' });
  });

  test('the answer to an earlier question never replaces a later one', async () => {
    const [event] = await payFor('pro');
    const { id } = await me();
    const customer = await customerOf(id);
    const { context } = stripe.server;
    let release: (() => void) | undefined;
    const slow: Payments = {
      ...context.payments,
      findSubscription: async (customerId) => {
        const current = await context.payments.findSubscription(customerId);
        await new Promise<void>((resolve) => (release = resolve));
        return current;
      },
    };
    const late = await createApp(
      { ...context, payments: slow },
      { cookieSecrets: [Buffer.alloc(32)], checkDatabase: async () => {}, callsAMinute: 1000 },
    );
    try {
      const overtaken = stripe.deliver(event!, undefined, late);
      await expect.poll(() => release).toBeDefined();
      const [cancellation] = await eventsOf(async () => stripe.peer.pages.end(customer));
      await stripe.deliver(cancellation!);
      expect(await readSubscription()).toMatchObject({ plan: 'free', isManaged: true });
      release?.();
      expect((await overtaken).statusCode).toBe(200);
      expect(await readSubscription()).toMatchObject({ plan: 'free' });
    } finally {
      await late.close();
    }
  });
});

describe('the return address of a checkout', () => {
  const evil = 'https://evil.example';
  const fields = [
    'successUrl',
    'success_url',
    'cancelUrl',
    'cancel_url',
    'returnUrl',
    'return_url',
    'redirect',
    'next',
    'url',
  ];
  const values = [evil, '//evil.example', 'javascript:alert(1)', '/\\evil.example', 'https://studio.test@evil.example'];
  const templates: [string, object, Record<string, string>, string][] = [
    ...fields.flatMap((field) =>
      values
        .slice(0, 4)
        .map((value): [string, object, Record<string, string>, string] => [
          `${field}=${value}`,
          { [field]: value },
          {},
          '',
        ]),
    ),
    ...['host', 'x-forwarded-host', 'x-original-host', 'origin', 'referer', 'forwarded', 'x-forwarded-proto'].map(
      (header): [string, object, Record<string, string>, string] => [header, {}, { [header]: 'evil.example' }, ''],
    ),
    ...values.map((value): [string, object, Record<string, string>, string] => [
      `?next=${value}`,
      {},
      {},
      `?success_url=${encodeURIComponent(value)}`,
    ]),
    ['a code', { discountCode: '' }, {}, ''],
    ['an origin', { origin: evil, context: { origin: evil } }, {}, ''],
  ];

  test('is never taken from a client', async () => {
    expect(templates).toHaveLength(50);
    // Every third one has all fields and all addresses.
    for (const [name, body, headers, query] of templates.filter((_, i) => i % repetitions(3, 1) === 0)) {
      const from = stripe.peer.calls.length;
      const answer = await post(
        `/api/create-checkout-session${query}`,
        { planId: 'pro', ...body },
        { ...person, ...headers },
      );
      expect(answer.statusCode, `${name}: ${answer.body}`).toBe(200);
      expect(answer.json().url, name).toMatch(/^https:\/\/checkout\.stripe\.com\/c\/pay\/cs_test_\w+$/);
      const [call] = stripe.peer.calls
        .slice(from)
        .filter(({ method, path }) => method === 'POST' && path === '/v1/checkout/sessions');
      expect(call!.params, name).toMatchObject({
        success_url: 'http://studio.test/subscription-success?session_id={CHECKOUT_SESSION_ID}',
        cancel_url: 'http://studio.test/plans',
      });
      expect(JSON.stringify(call!.params)).not.toContain('evil');
    }
  });

  test('of the portal is not taken from a client either', async () => {
    const [event] = await payFor('pro');
    await stripe.deliver(event!);
    for (const header of ['host', 'x-forwarded-host', 'referer']) {
      const answer = await post('/api/billing/portal', { returnUrl: evil }, { ...person, [header]: 'evil.example' });
      expect(answer.json().url).toMatch(/^https:\/\/billing\.stripe\.com\//);
      const call = stripe.peer.calls.filter(({ path }) => path === '/v1/billing_portal/sessions').at(-1);
      expect(call!.params.return_url).toBe('http://studio.test/profile/plan');
    }
  });
});

describe('while the provider is unreachable', () => {
  test('sign-in, editing and exports work, and calls that need the provider answer 503', {
    tags: ['detail'],
  }, async () => {
    const [event] = await payFor('pro');
    await stripe.deliver(event!);
    const { email } = await me();
    await stripe.peer.goDown();
    try {
      for (const [url, payload] of [
        ['/api/create-checkout-session', { planId: 'studio' }],
        ['/api/verify-subscription', { sessionId: 'cs_test_1' }],
        ['/api/users/refresh-subscription', {}],
        ['/api/billing/portal', {}],
      ] as const) {
        const answer = await post(url, payload);
        expect([answer.statusCode, answer.json().message], url).toEqual([
          503,
          'Payments cannot be reached just now. Please try again in a moment.',
        ]);
        expect(answer.headers['retry-after']).toBe('10');
      }
      const login = await post('/api/auth/login', { email, password: 'walnut-board' }, {});
      expect(login.statusCode).toBe(200);
      expect(await readSubscription()).toMatchObject({ plan: 'pro', status: 'active' });
      const text = { id: 't', text: 'Anna', fontFamily: 'Lobster' };
      const composition = saveComposition({ ...emptyComposition, elements: [{ kind: 'text', ...text }] } as never);
      const exportAnswer = await post('/api/designs/vectorize', {
        settings: { quality: 'high', mode: 'vectorize', paletteSize: 64, despeckle: 1 },
        composition,
      });
      expect(exportAnswer.statusCode, exportAnswer.body).toBe(200);
      const stats = (await stripe.server.app.inject({ url: '/api/users/stats', headers: person })).json();
      expect(stats).toMatchObject({ vectorsUsed: 1, vectorsLimit: 33 });
    } finally {
      await stripe.peer.comeBack();
    }
    expect(messages.checkoutFailed).toBe('Failed to start checkout process. Please try again.');
    expect((await post('/api/users/refresh-subscription')).json()).toEqual({ success: true, plan: 'pro' });
  });

  test('a checkout that could not begin leaves nothing behind', async () => {
    stripe.peer.fault.failures = 1;
    expect((await post('/api/create-checkout-session', { planId: 'pro' })).statusCode).toBe(503);
    const { id } = await me();
    const { db } = stripe.server.context;
    expect(await db.$count(subscriptions, eq(subscriptions.userId, id))).toBe(0);
    expect((await db.select().from(users).where(eq(users.id, id)))[0]).toMatchObject({ subscriptionPlan: 'free' });
    stripe.server.setNow(new Date(NOW.getTime() + 61_000));
    expect((await post('/api/create-checkout-session', { planId: 'pro' })).statusCode).toBe(200);
  });
});

test('the log, with all its errors, contains no key and no session', () => {
  expect(logLines.length).toBeGreaterThan(500);
  expect(logLines.filter((line) => line.includes('Payments cannot be reached')).length).toBeGreaterThan(0);
  for (const line of logLines) {
    expect(JSON.parse(line)).toMatchObject({ level: expect.any(Number) });
    expect(line).not.toMatch(/sk_test|whsec|cs_test|v1=/);
  }
});

/** Applies a random change to a subscription; skips a change that is impossible now. */
function happen(customer: string, chance: number): void {
  const { pages } = stripe.peer;
  const changes = [pages.cancel, pages.resume, pages.failPayment, pages.payAgain, pages.cancel, pages.payAgain];
  const change = chance > 0.95 ? pages.end : changes[Math.floor(chance * changes.length)]!;
  try {
    change(customer);
  } catch {
    // it has ended already
  }
}

function permutations<T>(items: readonly T[]): T[][] {
  if (items.length < 2) return [[...items]];
  return items.flatMap((item, i) => permutations(items.toSpliced(i, 1)).map((rest) => [item, ...rest]));
}
