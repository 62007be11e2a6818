/** Placing an order: its item, its price, and the first maker. */
import { randomInt } from 'node:crypto';
import type { CallReplyInput, OrderContact, OrderPiece, orderCalls, PlaceOnMap } from '@markwright/contract';
import { and, eq } from 'drizzle-orm';
import { users } from '../accounts/tables.ts';
import { checkPieces } from '../exports/pieces.ts';
import { measureRenderJob } from '../exports/renderJob.ts';
import { queueMail } from '../mail/mail.ts';
import { orderPlacedMail, orderToMakeMail, shopOrderMail } from '../mail/orderTemplates.ts';
import { readShownMaker } from '../makers/makers.ts';
import type { Context } from '../platform/context.ts';
import type { Transaction } from '../platform/database.ts';
import { canonicalEmail } from '../platform/emailAddress.ts';
import { AppError } from '../platform/errors.ts';
import { newId } from '../platform/ids.ts';
import type { Actor } from '../platform/mount.ts';
import { networkOf } from '../platform/network.ts';
import { enforceRateLimits } from '../platform/rateLimit.ts';
import { inCompany, withinTenantScope } from '../platform/tenancy.ts';
import { findSavedDesign, keepSavedDesign, toRenderJob } from '../savedDesigns/savedDesigns.ts';
import { findShop, type Shop } from '../shops/shops.ts';
import {
  findNearest,
  type Maker,
  newLink,
  type OrderRecord,
  type OrderRow,
  priceOf,
  queueShopWebhook,
  recordEvent,
  toMailedOrder,
} from './orders.ts';
import { orders } from './tables.ts';

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;

/** The content of a customer's order. `key` is the idempotency key, `shop` the key of the shop. */
export interface OrderRequest {
  readonly key: string;
  readonly shop: string;
  readonly designId: string;
  readonly quantity: number;
  /** Pieces with different words; absent where all are alike. */
  readonly pieces?: readonly OrderPiece[] | undefined;
  readonly contact: OrderContact;
  readonly place?: PlaceOnMap | null | undefined;
}

/**
 * Orders a saved design of a shop, at the price it was saved with. Throws notFound for an unknown shop or design,
 * forbidden while the shop takes no orders, invalid for an invalid address, tooMany, and what `checkPieces` throws. The
 * key is an idempotency key: the same key creates one order.
 */
export async function placeOrder(
  context: Context,
  actor: Actor,
  request: OrderRequest,
  signal: AbortSignal,
): Promise<CallReplyInput<typeof orderCalls.place>> {
  const { key, quantity, pieces, place = null } = request;
  const shop = await findShop(context, request.shop);
  if (!shop) throw new AppError('notFound', 'This shop is not open any more.');
  const email = canonicalEmail(request.contact.email);
  const contact = { ...request.contact, email };
  const record = await findOrderByKey(context, shop, key);
  if (record) return toReceipt(shop, record);
  if (!shop.checkout) throw new AppError('forbidden', 'This shop takes no orders here at the moment.');
  const savedDesign = await findSavedDesign(context, request.designId);
  if (!savedDesign || savedDesign.companyId !== shop.companyId) {
    throw new AppError('notFound', 'This design is not kept any more. Please make it again.');
  }
  await enforceRateLimits(context, [
    { key: `order ${networkOf(actor.address)}`, limit: 10, windowMs: HOUR_MS },
    { key: `order mail ${email}`, limit: 5, windowMs: HOUR_MS },
    { key: `order shop ${shop.companyId}`, limit: 500, windowMs: DAY_MS },
  ]);

  const job = toRenderJob(savedDesign);
  const ownPieces = pieces && (await checkPieces(context, actor, job, { pieces, quantity }, signal));
  const sizes = await measureRenderJob(context, actor, job);
  const item = {
    ...{ productName: savedDesign.product.name, machine: savedDesign.line.machine, ...sizes },
    ...(ownPieces && { pieces: ownPieces }),
  };
  const maker = await findFirstMaker(context, shop, item.machine, place ?? shop.place);
  const now = context.now();
  const row = await context.db.transaction(async (tx) => {
    const [order] = await withinTenantScope(tx, { company: shop.companyId }, () =>
      tx
        .insert(orders)
        .values({
          id: newId(),
          number: newNumber(),
          companyId: shop.companyId,
          key,
          savedDesignId: savedDesign.id,
          made: item,
          quantity,
          currency: savedDesign.line.currency ?? shop.currency,
          unitPriceCents: savedDesign.line.unitPriceCents,
          contact,
          place,
          routing: shop.routing,
          payer: shop.payer,
          makerUserId: maker?.userId ?? null,
          makerName: maker?.name ?? null,
          triedMakerIds: maker ? [maker.userId] : [],
          createdAt: now,
          updatedAt: now,
        })
        .onConflictDoNothing({ target: [orders.companyId, orders.key] })
        .returning(),
    );
    if (!order) return undefined; // the same order was placed concurrently
    if (!(await keepSavedDesign(context, tx, shop, savedDesign.id))) {
      throw new AppError('notFound', 'This design is not kept any more. Please make it again.');
    }
    await recordEvent(context, tx, order.id, 'created', 'customer');
    if (maker) await recordEvent(context, tx, order.id, 'routed', 'server');
    await announceOrder(context, tx, { order, savedDesign, shop: await ownerOf(tx, shop) }, maker);
    return order;
  });
  return toReceipt(shop, row ?? (await findOrderByKey(context, shop, key))!);
}

async function findOrderByKey(context: Context, { companyId }: Shop, key: string): Promise<OrderRow | undefined> {
  const hasKey = and(eq(orders.companyId, companyId), eq(orders.key, key));
  const [row] = await inCompany(context.db, companyId, (tx) => tx.select().from(orders).where(hasKey));
  return row;
}

async function ownerOf(tx: Transaction, { userId, name }: Shop): Promise<OrderRecord['shop']> {
  const [owner] = await tx.select({ email: users.email }).from(users).where(eq(users.id, userId));
  if (!owner) throw new AppError('notFound', 'This shop is not open any more.');
  return { name, userId, email: owner.email };
}

const toReceipt = (shop: Shop, order: OrderRow) => ({
  number: order.number,
  shopName: shop.name,
  email: order.contact.email,
  ...priceOf(order),
});

/** The alphabet of order numbers, without the letters that are easily confused: 0 and O, 1 and I. */
const LETTERS = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';

function newNumber(): string {
  const text = Array.from({ length: 8 }, () => LETTERS[randomInt(LETTERS.length)]).join('');
  return `${text.slice(0, 4)}-${text.slice(4)}`;
}

/** Returns the maker who is asked first; undefined when the shop makes the order itself. */
async function findFirstMaker(
  context: Context,
  shop: Shop,
  machine: OrderRow['made']['machine'],
  place: PlaceOnMap | null,
): Promise<Maker | undefined> {
  if (shop.routing === 'nearest' && place) return findNearest(context, { machine, place, exceptIds: [shop.userId] });
  if (shop.routing !== 'maker' || shop.routedMakerId === null) return undefined;
  const chosenMaker = await readShownMaker(context, shop.routedMakerId).catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'notFound') return undefined;
    throw error;
  });
  if (!chosenMaker || chosenMaker.userId === shop.userId || !chosenMaker.machines.includes(machine)) return undefined;
  const [account] = await context.db.select({ email: users.email }).from(users).where(eq(users.id, chosenMaker.userId));
  return account && { userId: chosenMaker.userId, name: chosenMaker.name, email: account.email };
}

/** Mails the customer, the maker and the shop about a new order, and queues the shop's webhook. */
async function announceOrder(
  context: Context,
  tx: Transaction,
  record: OrderRecord,
  maker: Maker | undefined,
): Promise<void> {
  const mailedOrder = toMailedOrder(record);
  const { order, shop } = record;
  await queueMail(
    context,
    tx,
    orderPlacedMail(context, order.contact.email, mailedOrder, await newLink(context, tx, order.id)),
  );
  if (maker) await queueMail(context, tx, orderToMakeMail(context, maker.email, mailedOrder));
  const hasNoMaker = !maker && order.routing !== 'own';
  await queueMail(context, tx, shopOrderMail(context, shop.email, mailedOrder, { hasNoMaker }));
  await queueShopWebhook(context, tx, record, 'order.created');
}
