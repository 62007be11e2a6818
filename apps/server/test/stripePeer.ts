/**
 * A server that answers the real SDK as Stripe's API does, for the calls we make: form-encoded bodies, idempotency
 * keys, errors with type and code, lists, expansion; and the actions on Stripe's own pages and by its calendar.
 *
 * It follows docs.stripe.com: api/idempotent_requests, api/errors, api/pagination, api/expanding_objects,
 * billing/subscriptions/overview (statuses), billing/subscriptions/billing-mode/compare (canceling in the portal),
 * changelog/basil (periods on items), webhooks/signature.
 *
 * The file is long because it is one peer: its calls, calendar, pages and HTTP server share one set of objects.
 */
import { createHmac, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ownAddress } from './machine.ts';

type Params = { [name: string]: Value };
type Value = string | Value[] | Params;
// biome-ignore lint/suspicious/noExplicitAny: Stripe's objects as they are on the wire, built and changed freely here
type Thing = Record<string, any>;

export interface StripeCall {
  readonly method: string;
  readonly path: string;
  readonly params: Params;
  readonly idempotencyKey: string | undefined;
  readonly status: number;
}

export interface StripeEvent extends Thing {
  readonly id: string;
  readonly type: string;
}

interface PeerOptions {
  readonly now: () => Date;
}

export const SECRET_KEY = 'sk_test_workshop';
export const WEBHOOK_SECRET = 'whsec_workshop';
const API_VERSION = '2026-10-28.endive';

export type StripePeer = Awaited<ReturnType<typeof startStripePeer>>;

/**
 * Starts the peer on a free port of this machine. The function is long because all its parts share the same objects.
 */
export async function startStripePeer({ now }: PeerOptions) {
  const tables = new Map<string, Thing>();
  const answersByKey = new Map<string, { fingerprint: string; answer: Answer | undefined }>();
  const calls: StripeCall[] = [];
  const events: StripeEvent[] = [];
  const fault: { delayMs: number; failures: number; hang: boolean } = { delayMs: 0, failures: 0, hang: false };
  const seconds = (): number => Math.floor(now().getTime() / 1000);
  const newId = (prefix: string): string => `${prefix}_${randomBytes(12).toString('hex')}`;

  const all = (object: string): Thing[] => [...tables.values()].filter((thing) => thing.object === object).reverse();
  const keep = (thing: Thing): Thing => {
    tables.set(thing.id, thing);
    return thing;
  };
  function find(object: string, id: unknown, param = 'id'): Thing {
    const thing = tables.get(String(id));
    if (thing?.object !== object) throw refusal(404, 'resource_missing', `No such ${object}: '${String(id)}'`, param);
    return thing;
  }

  function emitEvent(type: string, object: Thing): void {
    events.push({
      id: newId('evt'),
      object: 'event',
      api_version: API_VERSION,
      created: seconds(),
      livemode: false,
      pending_webhooks: 1,
      request: { id: null, idempotency_key: null },
      type,
      data: { object: structuredClone(object) },
    });
  }

  // — the API —

  function createCustomer(params: Params): Thing {
    allow(params, ['email', 'metadata', 'name']);
    return keep({
      id: newId('cus'),
      object: 'customer',
      created: seconds(),
      email: params.email,
      metadata: params.metadata ?? {},
      livemode: false,
    });
  }

  function deleteCustomer(id: string): Thing {
    const customer = find('customer', id);
    if (customer.deleted) throw refusal(404, 'resource_missing', `No such customer: '${id}'`, 'id');
    for (const subscription of all('subscription')) if (subscription.customer === id) end(subscription);
    keep({ id, object: 'customer', deleted: true });
    emitEvent('customer.deleted', customer);
    return { id, object: 'customer', deleted: true };
  }

  function createPrice(params: Params): Thing {
    allow(params, [
      'currency',
      'unit_amount',
      'recurring',
      'lookup_key',
      'transfer_lookup_key',
      'metadata',
      'product',
      'product_data',
    ]);
    const holder = all('price').find(({ lookup_key }) => lookup_key && lookup_key === params.lookup_key);
    if (holder && params.transfer_lookup_key !== 'true') {
      throw refusal(400, undefined, `A price (\`${holder.id}\`) already uses that lookup key.`, 'lookup_key');
    }
    if (holder) holder.lookup_key = null;
    const product = params.product
      ? find('product', params.product, 'product')
      : keep({ id: newId('prod'), object: 'product', active: true, ...(params.product_data as Params) });
    return keep({
      id: newId('price'),
      object: 'price',
      active: true,
      created: seconds(),
      currency: params.currency,
      lookup_key: params.lookup_key ?? null,
      metadata: params.metadata ?? {},
      product: product.id,
      recurring: { interval: (params.recurring as Params).interval, interval_count: 1, usage_type: 'licensed' },
      type: 'recurring',
      unit_amount: Number(params.unit_amount),
    });
  }

  function createCoupon(params: Params): Thing {
    allow(params, ['id', 'name', 'amount_off', 'percent_off', 'currency', 'duration', 'duration_in_months']);
    if (tables.has(String(params.id))) {
      throw refusal(400, 'resource_already_exists', 'Coupon already exists.', 'id');
    }
    if ((params.duration === 'repeating') !== (params.duration_in_months !== undefined)) {
      throw refusal(400, undefined, 'duration_in_months goes with duration=repeating.', 'duration_in_months');
    }
    return keep({
      ...params,
      object: 'coupon',
      amount_off: params.amount_off ? Number(params.amount_off) : null,
      percent_off: params.percent_off ? Number(params.percent_off) : null,
      duration_in_months: Number(params.duration_in_months),
      valid: true,
    });
  }

  function createSession(params: Params): Thing {
    allow(params, [
      'mode',
      'customer',
      'client_reference_id',
      'line_items',
      'discounts',
      'subscription_data',
      'success_url',
      'cancel_url',
    ]);
    const customer = find('customer', params.customer, 'customer');
    if (customer.deleted) throw refusal(400, 'resource_missing', `No such customer: '${customer.id}'`, 'customer');
    for (const param of ['success_url', 'cancel_url']) {
      if (!/^https?:\/\/\S+$/.test(String(params[param]))) throw refusal(400, 'url_invalid', 'Not a valid URL', param);
    }
    const [line] = params.line_items as Params[];
    find('price', line!.price, 'line_items[0][price]');
    for (const discount of (params.discounts ?? []) as Params[])
      find('coupon', discount.coupon, 'discounts[0][coupon]');
    const id = newId('cs_test');
    return keep({
      id,
      object: 'checkout.session',
      created: seconds(),
      cancel_url: params.cancel_url,
      client_reference_id: params.client_reference_id ?? null,
      customer: customer.id,
      discounts: params.discounts ?? [],
      expires_at: seconds() + 24 * 3600,
      livemode: false,
      mode: params.mode,
      payment_status: 'unpaid',
      status: 'open',
      subscription: null,
      success_url: params.success_url,
      url: `https://checkout.stripe.com/c/pay/${id}`,
      // not part of the API's reply
      hidden: { price: line!.price, metadata: (params.subscription_data as Params | undefined)?.metadata ?? {} },
    });
  }

  function expireSession(id: string): Thing {
    const session = find('checkout.session', id, 'session');
    if (session.status !== 'open') {
      throw refusal(400, undefined, 'Only Checkout Sessions with a status in ["open"] can be expired.');
    }
    Object.assign(session, { status: 'expired', url: null });
    emitEvent('checkout.session.expired', session);
    return session;
  }

  function saveConfiguration(params: Params, existing?: Thing): Thing {
    allow(params, ['metadata', 'features', 'active']);
    const features = (params.features ?? {}) as Record<string, Params>;
    const products = (features.subscription_update?.products ?? []) as Params[];
    for (const { product, prices } of products) {
      find('product', product, 'features[subscription_update][products]');
      for (const price of prices as string[]) find('price', price, 'features[subscription_update][products]');
    }
    const base = existing ?? {
      id: newId('bpc'),
      object: 'billing_portal.configuration',
      active: true,
      created: seconds(),
    };
    return keep({ ...base, metadata: params.metadata ?? {}, features });
  }

  function createPortalSession(params: Params): Thing {
    allow(params, ['customer', 'return_url', 'configuration', 'flow_data']);
    const customer = find('customer', params.customer, 'customer');
    const configuration = find('billing_portal.configuration', params.configuration, 'configuration');
    const flow = params.flow_data as Record<string, Params> | undefined;
    const change = flow?.subscription_update_confirm as { subscription?: string; items?: Params[] } | undefined;
    const id = newId('bps');
    if (change) {
      const subscription = advance(find('subscription', change.subscription, 'flow_data'));
      const [item] = change.items ?? [];
      const offeredPrices = (configuration.features.subscription_update.products as Params[]).flatMap(
        ({ prices }) => prices,
      );
      const isPossible =
        subscription.customer === customer.id &&
        ['active', 'trialing', 'past_due'].includes(subscription.status) &&
        subscription.cancel_at === null &&
        !subscription.hidden.next &&
        subscription.items.data[0].id === item?.id &&
        subscription.items.data[0].price.id !== item?.price &&
        offeredPrices.includes(item?.price as string);
      if (!isPossible) throw refusal(400, undefined, 'This subscription cannot be updated in that way.', 'flow_data');
    }
    return keep({
      id,
      object: 'billing_portal.session',
      configuration: configuration.id,
      created: seconds(),
      customer: customer.id,
      livemode: false,
      return_url: params.return_url,
      flow: flow ?? null,
      url: `https://billing.stripe.com/p/session/${id}`,
    });
  }

  // — the calendar —

  /** Returns the time some months after the anchor, on the anchor's day or on the last day of a shorter month. */
  function monthsAfter(anchor: number, months: number): number {
    const from = new Date(anchor * 1000);
    const to = new Date(from);
    to.setUTCDate(1);
    to.setUTCMonth(from.getUTCMonth() + months);
    const days = new Date(Date.UTC(to.getUTCFullYear(), to.getUTCMonth() + 1, 0)).getUTCDate();
    to.setUTCDate(Math.min(from.getUTCDate(), days));
    return to.getTime() / 1000;
  }

  /** Returns the subscription in its current state, after applying everything that happened since the last read. */
  function advance(subscription: Thing): Thing {
    const [item] = subscription.items.data;
    while (isRunning(subscription) && item.current_period_end <= seconds()) {
      if (subscription.cancel_at !== null && subscription.cancel_at <= item.current_period_end) {
        end(subscription, subscription.cancel_at);
        break;
      }
      if (subscription.hidden.next) {
        item.price = subscription.hidden.next;
        subscription.hidden.next = undefined;
      }
      subscription.hidden.months++;
      item.current_period_start = item.current_period_end;
      item.current_period_end = monthsAfter(subscription.billing_cycle_anchor, subscription.hidden.months + 1);
      bill(subscription, 'subscription_cycle', priceOf(subscription));
      emitEvent('customer.subscription.updated', subscription);
    }
    return subscription;
  }

  const isRunning = ({ status }: Thing): boolean => ['active', 'trialing', 'past_due'].includes(status);

  function priceOf(subscription: Thing): number {
    const cents: number = subscription.items.data[0].price.unit_amount;
    const coupon: Thing | undefined = subscription.hidden.coupon;
    if (!coupon || subscription.hidden.months >= coupon.duration_in_months) return cents;
    return Math.max(0, cents - (coupon.amount_off ?? Math.round((cents * coupon.percent_off) / 100)));
  }

  function bill(subscription: Thing, reason: string, cents: number): void {
    const isPaid = subscription.hidden.card;
    const invoice = keep({
      id: newId('in'),
      object: 'invoice',
      amount_due: cents,
      amount_paid: isPaid ? cents : 0,
      billing_reason: reason,
      created: seconds(),
      customer: subscription.customer,
      status: isPaid ? 'paid' : 'open',
    });
    subscription.latest_invoice = invoice.id;
    if (!isPaid) subscription.status = 'past_due';
    emitEvent(isPaid ? 'invoice.paid' : 'invoice.payment_failed', invoice);
  }

  function end(subscription: Thing, at = seconds()): void {
    if (subscription.status === 'canceled') return;
    Object.assign(subscription, { status: 'canceled', canceled_at: at, ended_at: at });
    emitEvent('customer.subscription.deleted', subscription);
  }

  // — the pages —

  function subscriptionOf(customer: string): Thing {
    const running = all('subscription').find(
      (subscription) => subscription.customer === customer && isRunning(advance(subscription)),
    );
    if (!running) throw new Error(`${customer} has no running subscription`);
    return running;
  }

  const pages = {
    /** Pays an open checkout with a valid card. Returns the address that the person is led to. */
    pay(url: string): string {
      const session = find('checkout.session', url.split('/').at(-1));
      if (session.status !== 'open') throw new Error('this checkout is not open');
      const [discount] = session.discounts;
      const start = seconds();
      const subscription = keep({
        id: newId('sub'),
        object: 'subscription',
        billing_cycle_anchor: start,
        billing_mode: { type: 'flexible' },
        cancel_at: null,
        cancel_at_period_end: false,
        canceled_at: null,
        created: start,
        customer: session.customer,
        ended_at: null,
        items: {
          object: 'list',
          has_more: false,
          data: [
            {
              id: newId('si'),
              object: 'subscription_item',
              current_period_start: start,
              current_period_end: monthsAfter(start, 1),
              price: find('price', session.hidden.price),
              quantity: 1,
            },
          ],
        },
        latest_invoice: null,
        livemode: false,
        metadata: session.hidden.metadata,
        status: 'active',
        hidden: { months: 0, coupon: discount && find('coupon', discount.coupon), card: true },
      });
      const cents = priceOf(subscription);
      emitEvent('customer.subscription.created', subscription);
      bill(subscription, 'subscription_create', cents);
      const payment_status = cents === 0 ? 'no_payment_required' : 'paid';
      Object.assign(session, { status: 'complete', payment_status, subscription: subscription.id, url: null });
      emitEvent('checkout.session.completed', session);
      return session.success_url.replace('{CHECKOUT_SESSION_ID}', session.id);
    },

    /** Declines the card: the person stays on the page. */
    decline(url: string): void {
      if (find('checkout.session', url.split('/').at(-1)).status !== 'open') throw new Error('not open');
    },

    /** Returns to the page that the person came from. */
    leave(url: string): string {
      return find('checkout.session', url.split('/').at(-1)).cancel_url;
    },

    /** Confirms the change of a portal address, according to the portal's settings. */
    confirm(url: string): string {
      const session = find('billing_portal.session', url.split('/').at(-1));
      const change = session.flow?.subscription_update_confirm;
      if (!change) throw new Error('this portal address leads to no change');
      const subscription = advance(find('subscription', change.subscription));
      const [item] = subscription.items.data;
      const price = find('price', change.items[0].price);
      const { schedule_at_period_end: rule } = find('billing_portal.configuration', session.configuration).features
        .subscription_update;
      const isLater = rule?.conditions?.some(({ type }: Thing) => type === 'decreasing_item_amount');
      if (price.unit_amount < item.price.unit_amount && isLater) {
        subscription.hidden.next = price;
      } else {
        const before = item.price.unit_amount;
        item.price = price;
        bill(subscription, 'subscription_update', Math.max(0, price.unit_amount - before));
      }
      emitEvent('customer.subscription.updated', subscription);
      return session.flow.after_completion.redirect.return_url;
    },

    /** Cancels as the portal does for a subscription in flexible billing mode: sets only `cancel_at`. */
    cancel(customer: string): void {
      const subscription = subscriptionOf(customer);
      Object.assign(subscription, { cancel_at: subscription.items.data[0].current_period_end, canceled_at: seconds() });
      emitEvent('customer.subscription.updated', subscription);
    },

    resume(customer: string): void {
      const subscription = subscriptionOf(customer);
      Object.assign(subscription, { cancel_at: null, cancel_at_period_end: false, canceled_at: null });
      emitEvent('customer.subscription.updated', subscription);
    },

    /** Makes the card invalid, so that the invoice of this month fails. */
    failPayment(customer: string): void {
      const subscription = subscriptionOf(customer);
      subscription.hidden.card = false;
      bill(subscription, 'subscription_cycle', priceOf(subscription));
      emitEvent('customer.subscription.updated', subscription);
    },

    /** Pays the open invoice with a new card. */
    payAgain(customer: string): void {
      const subscription = subscriptionOf(customer);
      const invoice = find('invoice', subscription.latest_invoice);
      subscription.hidden.card = true;
      subscription.status = 'active';
      Object.assign(invoice, { status: 'paid', amount_paid: invoice.amount_due });
      emitEvent('invoice.paid', invoice);
      emitEvent('customer.subscription.updated', subscription);
    },

    /** Ends the subscription now, as an operator does in the dashboard. */
    end(customer: string): void {
      end(subscriptionOf(customer));
    },

    /** Sets a status that arises in other ways. */
    setStatus(customer: string, status: string): void {
      subscriptionOf(customer).status = status;
    },
  };

  // — the HTTP server —

  function answer(method: string, path: string, params: Params): Thing {
    const [, , area, first, second] = path.split('/').map(decodeURIComponent);
    const route = `${method} ${area}`;
    if (area === 'checkout' && first === 'sessions') return answerSessions(method, path.split('/').slice(4), params);
    if (area === 'billing_portal') {
      if (first === 'sessions' && method === 'POST') return createPortalSession(params);
      if (first === 'configurations' && method === 'GET')
        return listOf(all('billing_portal.configuration'), params, ['active']);
      if (first === 'configurations' && method === 'POST') {
        return saveConfiguration(params, second ? find('billing_portal.configuration', second) : undefined);
      }
    }
    switch (first ? `${route}/:id` : route) {
      case 'POST customers':
        return createCustomer(params);
      case 'GET customers/:id':
        return find('customer', first);
      case 'DELETE customers/:id':
        return deleteCustomer(first!);
      case 'POST prices':
        return createPrice(params);
      case 'POST prices/:id':
        allow(params, ['metadata']);
        return Object.assign(find('price', first), { metadata: params.metadata });
      case 'GET prices': {
        const keys = (params.lookup_keys ?? []) as string[];
        const prices = all('price').filter(({ lookup_key }) => keys.includes(lookup_key));
        return listOf(prices, params, ['lookup_keys', 'active']);
      }
      case 'POST coupons':
        return createCoupon(params);
      case 'GET coupons/:id':
        return find('coupon', first);
      case 'GET subscriptions':
        return listSubscriptions(params);
      default:
        throw refusal(404, undefined, `Unrecognized request URL (${method}: ${path}).`);
    }
  }

  function answerSessions(method: string, [id, action]: string[], params: Params): Thing {
    if (method === 'POST' && !id) return createSession(params);
    if (method === 'POST' && action === 'expire') return expireSession(id!);
    if (method === 'GET' && id) return find('checkout.session', id, 'session');
    const { customer, status } = params;
    const sessions = all('checkout.session').filter(
      (session) => session.customer === customer && (status === undefined || session.status === status),
    );
    return listOf(sessions, params, ['customer', 'status']);
  }

  function listSubscriptions(params: Params): Thing {
    const customer = find('customer', params.customer, 'customer');
    const subscriptions = all('subscription')
      .filter((subscription) => subscription.customer === customer.id)
      .map(advance)
      .filter(({ status }) => params.status === 'all' || status !== 'canceled')
      .map((subscription) => {
        const isExpanded = (params.expand as string[] | undefined)?.includes('data.latest_invoice');
        return isExpanded ? { ...subscription, latest_invoice: tables.get(subscription.latest_invoice) } : subscription;
      });
    return listOf(subscriptions, params, ['customer', 'status']);
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET', headers } = request;
    const url = new URL(request.url ?? '/', 'http://peer');
    const body = await readBody(request);
    if (fault.hang) return; // never answers
    if (fault.delayMs > 0) await new Promise((resolve) => setTimeout(resolve, fault.delayMs));
    const params = parseForm(method === 'GET' ? url.search.slice(1) : body);
    const key = method === 'POST' ? headers['idempotency-key']?.toString() : undefined;
    const fingerprint = `${method} ${url.pathname} ${body}`;
    const earlier = key === undefined ? undefined : answersByKey.get(key);

    let result: Answer;
    if (headers.authorization !== `Bearer ${SECRET_KEY}`) {
      result = toAnswer(refusal(401, undefined, 'Invalid API Key provided: sk_test_****'));
    } else if (headers['stripe-version'] !== API_VERSION) {
      result = toAnswer(refusal(400, undefined, `Invalid Stripe API version: ${headers['stripe-version']}`));
    } else if (method === 'POST' && headers['content-type'] !== 'application/x-www-form-urlencoded') {
      result = toAnswer(refusal(400, undefined, 'Bodies are form-encoded.'));
    } else if (earlier && earlier.fingerprint !== fingerprint) {
      const message =
        'Keys for idempotent requests can only be used with the same parameters they were first used with.';
      result = { status: 400, body: { error: { type: 'idempotency_error', message } } };
    } else if (earlier && !earlier.answer) {
      const message = 'There is currently another in-progress request using this Idempotent Key.';
      result = { status: 409, body: { error: { type: 'idempotency_error', code: 'idempotency_key_in_use', message } } };
    } else if (earlier?.answer) {
      result = earlier.answer;
    } else {
      if (key !== undefined) answersByKey.set(key, { fingerprint, answer: undefined });
      await new Promise((resolve) => setImmediate(resolve)); // takes a moment, in which the key is in use
      result = run(method, url.pathname, params);
      // A reply that was carried out is repeated, even a failure; a refusal before that is not stored.
      const isStored = result.status < 400 || result.status >= 500;
      if (key !== undefined && isStored) answersByKey.set(key, { fingerprint, answer: result });
      else if (key !== undefined) answersByKey.delete(key);
    }
    calls.push({ method, path: url.pathname, params, idempotencyKey: key, status: result.status });
    response.writeHead(result.status, {
      'content-type': 'application/json',
      'request-id': newId('req'),
      'stripe-version': API_VERSION,
      ...(result.status >= 500 ? { 'stripe-should-retry': 'false' } : {}),
      ...(key === undefined ? {} : { 'idempotency-key': key }),
    });
    response.end(JSON.stringify(result.body, (name, value) => (name === 'hidden' ? undefined : value)));
  }

  function run(method: string, path: string, params: Params): Answer {
    if (fault.failures > 0) {
      fault.failures--;
      return { status: 500, body: { error: { type: 'api_error', message: 'An unknown error occurred' } } };
    }
    try {
      return { status: 200, body: structuredClone(answer(method, path, params)) };
    } catch (error) {
      if (error instanceof ErrorReply) return toAnswer(error);
      throw error;
    }
  }

  let server = await listen(0);
  const { port } = server.address() as AddressInfo;

  async function listen(at: number): Promise<Server> {
    const httpServer = createServer((request, response) => void handle(request, response));
    await new Promise<void>((resolve) => httpServer.listen(at, ownAddress, resolve));
    return httpServer;
  }

  async function stop(): Promise<void> {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }

  return {
    /** The address for the SDK instead of api.stripe.com. */
    address: { host: ownAddress, port, protocol: 'http' as const, timeout: 20_000 },
    /** Every answered call, oldest first. */
    calls,
    /** Every event, oldest first. */
    events,
    /** Delays every reply, fails a number of next calls with 500, or never replies. */
    fault,
    pages,
    find,
    all,
    sign,
    /** Stops listening. */
    async goDown() {
      if (server.listening) await stop();
    },
    async comeBack() {
      if (!server.listening) server = await listen(port);
    },
    async close() {
      if (server.listening) await stop();
    },
  };
}

/** Returns the signature header of a webhook: HMAC-SHA256 over time and raw body. */
export function sign(payload: string, at: Date, secret = WEBHOOK_SECRET): string {
  const time = Math.floor(at.getTime() / 1000);
  const signature = createHmac('sha256', secret).update(`${time}.${payload}`).digest('hex');
  return `t=${time},v1=${signature}`;
}

interface Answer {
  readonly status: number;
  readonly body: Thing;
}

class ErrorReply extends Error {
  readonly status: number;
  readonly error: Thing;
  constructor(status: number, error: Thing) {
    super(error.message);
    this.status = status;
    this.error = error;
  }
}

const refusal = (status: number, code: string | undefined, message: string, param?: string): ErrorReply =>
  new ErrorReply(status, { type: 'invalid_request_error', code, message, param });

const toAnswer = ({ status, error }: ErrorReply): Answer => ({ status, body: { error } });

/** Throws for an unknown parameter, as Stripe does. */
function allow(params: Params, names: readonly string[]): void {
  const unknownName = Object.keys(params).find((name) => name !== 'expand' && !names.includes(name));
  if (unknownName) throw refusal(400, 'parameter_unknown', `Received unknown parameter: ${unknownName}`, unknownName);
}

/** Returns a list, the newest first, as Stripe does. */
function listOf(things: readonly Thing[], params: Params, names: readonly string[]): Thing {
  allow(params, ['limit', ...names]);
  const limit = Number(params.limit ?? 10);
  const url = '/v1/list';
  return { object: 'list', url, data: things.slice(0, limit), has_more: things.length > limit };
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

/** Parses a form: `a[b][0]=c` becomes `{ a: { b: ['c'] } }`. */
function parseForm(text: string): Params {
  const root: Params = {};
  for (const [name, value] of new URLSearchParams(text)) {
    const path = [...name.matchAll(/[^[\]]+/g)].map(([part]) => part);
    let at: Params | Value[] = root;
    path.forEach((part, depth) => {
      const isLast = depth === path.length - 1;
      const next = isLast ? value : /^\d+$/.test(path[depth + 1]!) ? [] : {};
      const into = at as Record<string, Value>;
      into[part] = isLast ? next : (into[part] ?? next);
      at = into[part] as Params | Value[];
    });
  }
  return root;
}
