/** What a shop's own server is told of its orders: written down with the change, signed, tried for a day. */
import { createHmac } from 'node:crypto';
import type { Delivery } from '@markwright/contract';
import { and, desc, eq, lt, lte, sql } from 'drizzle-orm';
import { findCompany } from '../companies/companies.ts';
import type { Context } from '../platform/context.ts';
import type { Transaction } from '../platform/database.ts';
import { AppError } from '../platform/errors.ts';
import { newId } from '../platform/ids.ts';
import type { UserActor } from '../platform/mount.ts';
import { inCompany, withinTenantScope } from '../platform/tenancy.ts';
import { shops } from '../shops/tables.ts';
import { NotTaken, postToShop } from './shopServer.ts';
import { orders, webhookDeliveries } from './tables.ts';

type Row = typeof webhookDeliveries.$inferSelect;

/** The job that sends what is due. */
export const SEND_WEBHOOKS = 'webhooks';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Longer than one try takes. */
const TRY_MS = MINUTE_MS;
/** After 1, 2, 4, … 128 minutes, then every four hours: the last try comes a day after the first. */
const MAX_TRIES = 14;
const delayMs = (tries: number): number => Math.min(2 ** (tries - 1), 240) * MINUTE_MS;
const RUN_MS = 4 * MINUTE_MS;
const KEEP_MS = 90 * 24 * HOUR_MS;
const LISTED = 50;

export type WebhookEvent = 'order.created' | 'order.status' | 'order.proof';

/** Writes down that a shop is to be told; nothing where it wants to hear nothing. It leaves after the commit. */
export async function queueWebhook(
  context: Context,
  tx: Transaction,
  { companyId, orderId, event, about }: { companyId: string; orderId: string; event: WebhookEvent; about: object },
): Promise<void> {
  const isTold = await withinTenantScope(tx, { company: companyId }, async () => {
    const [shop] = await tx.select({ url: shops.webhookUrl }).from(shops).where(eq(shops.companyId, companyId));
    if (!shop?.url) return false;
    const now = context.now();
    const id = newId();
    const body = JSON.stringify({ id, event, createdAt: now.toISOString(), order: about });
    await tx.insert(webhookDeliveries).values({ id, companyId, orderId, event, body, tryAt: now, createdAt: now });
    return true;
  });
  if (isTold) await context.jobs.send(tx, SEND_WEBHOOKS);
}

/** `t=<unix seconds>,v1=<hex>`: the HMAC-SHA256 of `<t>.<body>` by the shop's secret. */
function signWebhook(secret: string, body: string, at: Date): string {
  const t = Math.floor(at.getTime() / 1000);
  return `t=${t},v1=${createHmac('sha256', secret).update(`${t}.${body}`).digest('hex')}`;
}

/**
 * Sends, one after another, what is due, until nothing is, four minutes are over or the signal is aborted. Any number of
 * callers may do so at once.
 */
export async function sendWebhooks(context: Context, signal?: AbortSignal): Promise<void> {
  const until = context.now().getTime() + RUN_MS;
  while (!signal?.aborted && context.now().getTime() < until) {
    const delivery = await claim(context);
    if (!delivery) return;
    await record(context, delivery, await tryToSend(context, delivery));
  }
}

/** Takes the delivery that has waited longest for itself, for the time of a try. */
async function claim(context: Context): Promise<Row | undefined> {
  const now = context.now();
  return inCompany(context.db, '*', async (tx) => {
    const due = tx
      .select({ id: webhookDeliveries.id })
      .from(webhookDeliveries)
      .where(and(eq(webhookDeliveries.state, 'queued'), lte(webhookDeliveries.tryAt, now)))
      .orderBy(webhookDeliveries.tryAt)
      .limit(1)
      .for('update', { skipLocked: true });
    const [row] = await tx
      .update(webhookDeliveries)
      .set({ attempts: sql`${webhookDeliveries.attempts} + 1`, tryAt: new Date(now.getTime() + TRY_MS) })
      .where(eq(webhookDeliveries.id, sql`(${due})`))
      .returning();
    return row;
  });
}

type Outcome = { readonly answered: number } | { readonly reason: string; readonly answered: number | null };

async function tryToSend(context: Context, { id, companyId, event, body }: Row): Promise<Outcome> {
  const [shop] = await inCompany(context.db, companyId, (tx) =>
    tx.select().from(shops).where(eq(shops.companyId, companyId)),
  );
  if (!shop?.webhookUrl || !shop.webhookSecret) return { reason: 'The shop has no webhook address.', answered: null };
  const headers = {
    'user-agent': 'Markwright-Webhooks/1',
    'markwright-event': event,
    'markwright-delivery': id,
    'markwright-signature': signWebhook(shop.webhookSecret, body, context.now()),
  };
  try {
    const isLocalAllowed = context.config.allowLocalWebhooks;
    return { answered: await postToShop(new URL(shop.webhookUrl), { body, headers }, { isLocalAllowed }) };
  } catch (error) {
    if (error instanceof NotTaken) return { reason: error.message, answered: error.answered ?? null };
    context.log.error({ err: error, delivery: id }, 'a webhook could not be sent');
    return { reason: 'The connection failed.', answered: null };
  }
}

async function record(context: Context, delivery: Row, outcome: Outcome): Promise<void> {
  const now = context.now();
  const { attempts } = delivery;
  const next: Partial<Row> = !('reason' in outcome)
    ? { state: 'sent', answered: outcome.answered, lastError: null, sentAt: now }
    : {
        state: attempts >= MAX_TRIES ? 'failed' : 'queued',
        tryAt: new Date(now.getTime() + delayMs(attempts)),
        answered: outcome.answered,
        lastError: outcome.reason,
      };
  // The try that was claimed, not a later one of the same delivery.
  const isOurs = and(eq(webhookDeliveries.id, delivery.id), eq(webhookDeliveries.attempts, attempts));
  await inCompany(context.db, delivery.companyId, (tx) =>
    tx
      .update(webhookDeliveries)
      .set(next)
      .where(and(isOurs, eq(webhookDeliveries.state, 'queued'))),
  );
}

/** The actor's own shop's newest deliveries. */
export async function listDeliveries(context: Context, actor: UserActor): Promise<{ deliveries: Delivery[] }> {
  const company = await findCompany(context, actor);
  if (!company) return { deliveries: [] };
  const rows = await inCompany(context.db, company.id, (tx) =>
    tx
      .select({ delivery: webhookDeliveries, number: orders.number })
      .from(webhookDeliveries)
      .leftJoin(orders, eq(orders.id, webhookDeliveries.orderId))
      .where(eq(webhookDeliveries.companyId, company.id))
      .orderBy(desc(webhookDeliveries.createdAt), desc(webhookDeliveries.id))
      .limit(LISTED),
  );
  return { deliveries: rows.map(({ delivery, number }) => toDelivery(delivery, number)) };
}

function toDelivery(row: Row, orderNumber: string | null): Delivery {
  const { id, event, state, attempts, answered, lastError, tryAt, createdAt, sentAt } = row;
  return {
    ...{ id, event, orderNumber, state, attempts, answered, lastError },
    nextTryAt: state === 'queued' ? tryAt.toISOString() : null,
    createdAt: createdAt.toISOString(),
    sentAt: sentAt?.toISOString() ?? null,
  };
}

/** Tells it again, from the first try on. Throws notFound for a delivery of another shop. */
export async function sendAgain(context: Context, actor: UserActor, id: string): Promise<{ ok: true }> {
  const company = await findCompany(context, actor);
  await context.db.transaction(async (tx) => {
    const isOwn = and(eq(webhookDeliveries.id, id), eq(webhookDeliveries.companyId, company?.id ?? ''));
    const again = await withinTenantScope(tx, { company: company?.id }, () =>
      tx
        .update(webhookDeliveries)
        .set({ state: 'queued', attempts: 0, tryAt: context.now(), sentAt: null })
        .where(isOwn)
        .returning({ id: webhookDeliveries.id }),
    );
    if (again.length === 0) throw new AppError('notFound', 'This delivery is not kept any more.');
    await context.jobs.send(tx, SEND_WEBHOOKS);
  });
  return { ok: true };
}

/** Forgets deliveries after 90 days. */
export async function sweepDeliveries(context: Context): Promise<void> {
  const isOld = lt(webhookDeliveries.createdAt, new Date(context.now().getTime() - KEEP_MS));
  await inCompany(context.db, '*', (tx) => tx.delete(webhookDeliveries).where(isOld));
}
