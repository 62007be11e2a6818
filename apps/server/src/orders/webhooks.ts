/** Webhooks to a shop's own server about its orders: queued with the change, signed, retried for a day. */
import { createHmac } from 'node:crypto';
import type { Delivery } from '@markwright/contract';
import { and, desc, eq, lt } from 'drizzle-orm';
import { findCompany } from '../companies/companies.ts';
import type { Context } from '../platform/context.ts';
import type { Transaction } from '../platform/database.ts';
import { AppError } from '../platform/errors.ts';
import { newId } from '../platform/ids.ts';
import type { UserActor } from '../platform/mount.ts';
import { createOutbox, type Outcome } from '../platform/outbox.ts';
import { inCompany, withinTenantScope } from '../platform/tenancy.ts';
import { shops } from '../shops/tables.ts';
import { DeliveryError, postToShop } from './shopServer.ts';
import { orders, webhookDeliveries } from './tables.ts';

type Row = typeof webhookDeliveries.$inferSelect;

/** The job that sends the due webhooks. */
export const SEND_WEBHOOKS = 'webhooks';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const KEEP_MS = 90 * 24 * HOUR_MS;
const LISTED = 50;

export type WebhookEvent = 'order.created' | 'order.status' | 'order.proof';

/** Queues a webhook for a shop that has a webhook address. It is sent after the commit. */
export async function queueWebhook(
  context: Context,
  tx: Transaction,
  { companyId, orderId, event, about }: { companyId: string; orderId: string; event: WebhookEvent; about: object },
): Promise<void> {
  const isQueued = await withinTenantScope(tx, { company: companyId }, async () => {
    const [shop] = await tx.select({ url: shops.webhookUrl }).from(shops).where(eq(shops.companyId, companyId));
    if (!shop?.url) return false;
    const now = context.now();
    const id = newId();
    const body = JSON.stringify({ id, event, createdAt: now.toISOString(), order: about });
    await tx.insert(webhookDeliveries).values({ id, companyId, orderId, event, body, tryAt: now, createdAt: now });
    return true;
  });
  if (isQueued) await context.jobs.send(tx, SEND_WEBHOOKS);
}

/** Signs a body: `t=<unix seconds>,v1=<hex>`, the HMAC-SHA256 of `<t>.<body>` with the shop's secret. */
function signWebhook(secret: string, body: string, at: Date): string {
  const t = Math.floor(at.getTime() / 1000);
  return `t=${t},v1=${createHmac('sha256', secret).update(`${t}.${body}`).digest('hex')}`;
}

type WebhookOutcome = Outcome & { readonly lastStatus: number | null };

const outbox = createOutbox<Row, WebhookOutcome>({
  table: webhookDeliveries,
  lanes: { column: webhookDeliveries.companyId, of: ({ companyId }) => companyId },
  leaseMs: MINUTE_MS, // an attempt takes some seconds
  recordMs: MINUTE_MS / 2,
  withAccess: (context, delivery, work) => inCompany(context.db, delivery?.companyId ?? '*', work),
  deliver: (context, delivery) => tryToSend(context, delivery),
  columnsOf: (_delivery, { lastStatus }) => ({ lastStatus }),
});

/** Sends the due webhooks; see `Outbox.sendDue`. Any number of callers may do so at once. */
export async function sendWebhooks(context: Context, signal?: AbortSignal): Promise<void> {
  await outbox.sendDue(context, signal);
}

async function tryToSend(context: Context, { id, companyId, event, body }: Row): Promise<WebhookOutcome> {
  const delay = (reason: string, status: number | null = null): WebhookOutcome => ({
    state: 'delayed',
    reason,
    lastStatus: status,
  });
  const [shop] = await inCompany(context.db, companyId, (tx) =>
    tx.select().from(shops).where(eq(shops.companyId, companyId)),
  );
  if (!shop?.webhookUrl || !shop.webhookSecret) return delay('The shop has no webhook address.');
  const headers = {
    'user-agent': 'Markwright-Webhooks/1',
    'markwright-event': event,
    'markwright-delivery': id,
    'markwright-signature': signWebhook(shop.webhookSecret, body, context.now()),
  };
  try {
    const isLocalAllowed = context.config.allowLocalWebhooks;
    const status = await postToShop(new URL(shop.webhookUrl), { body, headers }, { isLocalAllowed });
    return { state: 'sent', lastStatus: status };
  } catch (error) {
    if (error instanceof DeliveryError) return delay(error.message, error.status);
    context.log.error({ err: error, delivery: id }, 'a webhook could not be sent');
    return delay('The connection failed.');
  }
}

/** Lists the newest deliveries of the actor's own shop. */
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
  const { id, event, state, attempts, lastStatus, lastError, tryAt, createdAt, sentAt } = row;
  return {
    ...{ id, event, orderNumber, state, attempts, answered: lastStatus, lastError },
    nextTryAt: state === 'queued' ? tryAt.toISOString() : null,
    createdAt: createdAt.toISOString(),
    sentAt: sentAt?.toISOString() ?? null,
  };
}

/** Queues a delivery again, with all its attempts. Throws notFound for a delivery of another shop. */
export async function sendAgain(context: Context, actor: UserActor, id: string): Promise<{ ok: true }> {
  const company = await findCompany(context, actor);
  await context.db.transaction(async (tx) => {
    const isOwn = and(eq(webhookDeliveries.id, id), eq(webhookDeliveries.companyId, company?.id ?? ''));
    const rows = await withinTenantScope(tx, { company: company?.id }, () =>
      tx
        .update(webhookDeliveries)
        .set({ state: 'queued', attempts: 0, tryAt: context.now(), sentAt: null })
        .where(isOwn)
        .returning({ id: webhookDeliveries.id }),
    );
    if (rows.length === 0) throw new AppError('notFound', 'This delivery is not kept any more.');
    await context.jobs.send(tx, SEND_WEBHOOKS);
  });
  return { ok: true };
}

/** Deletes deliveries after 90 days. */
export async function sweepDeliveries(context: Context): Promise<void> {
  const isOld = lt(webhookDeliveries.createdAt, new Date(context.now().getTime() - KEEP_MS));
  await inCompany(context.db, '*', (tx) => tx.delete(webhookDeliveries).where(isOld));
}
