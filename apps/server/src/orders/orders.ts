/**
 * The orders of a shop: read, listed, and taken from step to step. A little more than 500 lines, because each step
 * checks and changes one row for two parties.
 */
import type {
  OrderDetail,
  OrderRole,
  OrderStatus,
  OrderStep,
  OrderSummary,
  PlaceOnMap,
  ShopSettings,
} from '@markwright/contract';
import { and, asc, desc, eq, inArray, isNull, ne, or, type SQL } from 'drizzle-orm';
import { unionAll } from 'drizzle-orm/pg-core';
import { users } from '../accounts/tables.ts';
import { findCompany } from '../companies/companies.ts';
import { companies } from '../companies/tables.ts';
import { findLiveBatches, toBatch } from '../exports/batches.ts';
import { readPackageReceipt } from '../exports/madeFiles.ts';
import { queueMail } from '../mail/mail.ts';
import {
  type MailedOrder,
  orderReturnedMail,
  orderStatusMail,
  orderTakenBackMail,
  orderToMakeMail,
} from '../mail/orderTemplates.ts';
import { nearestMaker } from '../makers/makers.ts';
import { makers } from '../makers/tables.ts';
import type { Context } from '../platform/context.ts';
import type { Db, Transaction } from '../platform/database.ts';
import { AppError } from '../platform/errors.ts';
import type { UserActor } from '../platform/mount.ts';
import { cutPage, isBeyond, PAGE, readInPieces } from '../platform/paging.ts';
import { inCompany, inTenantScope, type TenantScope, withinTenantScope } from '../platform/tenancy.ts';
import { hashToken, newToken } from '../platform/tokens.ts';
import type { SavedDesignRow } from '../savedDesigns/savedDesigns.ts';
import { savedDesigns } from '../savedDesigns/tables.ts';
import { shops } from '../shops/tables.ts';
import { isWaitingFor, mayDownload, type OrderState, statusAfter, stepsFor } from './steps.ts';
import { orderEvents, orderLinks, orders } from './tables.ts';
import { queueWebhook, type WebhookEvent } from './webhooks.ts';

export type OrderRow = typeof orders.$inferSelect;
type Currency = ShopSettings['currency'];

/** An order with its saved design and its shop. */
export interface OrderRecord {
  readonly order: OrderRow;
  readonly savedDesign: SavedDesignRow;
  readonly shop: { readonly name: string; readonly userId: number; readonly email: string };
}
export type PartyRecord = OrderRecord & { readonly role: OrderRole };

/** The maker of an order. */
export interface Maker {
  readonly userId: number;
  readonly name: string;
  readonly email: string;
}

/** Returns the price of an order in cents; null where none was agreed on. */
export const priceOf = ({ quantity, currency, unitPriceCents }: OrderRow) => ({
  quantity,
  currency: currency as Currency,
  unitPriceCents,
  totalCents: unitPriceCents === null ? null : unitPriceCents * quantity,
});

/** Finds the nearest maker with a machine, without the accounts `exceptIds`. */
export async function findNearest(
  context: Context,
  {
    machine,
    place,
    exceptIds,
  }: { machine: OrderRow['made']['machine']; place: PlaceOnMap; exceptIds: readonly number[] },
): Promise<Maker | undefined> {
  return nearestMaker(context, { lat: place.lat, lon: place.lon, machine, exceptIds });
}

/** Returns the fields of an order that mails contain. */
export function toMailedOrder({ order, shop }: OrderRecord): MailedOrder {
  const { id, number, makerName, made, proof, contact, place } = order;
  return {
    id,
    number,
    shopName: shop.name,
    makerName,
    item: made,
    proof,
    contact,
    place: placeWords(place),
    ...priceOf(order),
  };
}

const placeWords = (place: PlaceOnMap | null): string =>
  place ? [place.name, place.region, place.country].filter(Boolean).join(', ') : '';

/** Creates a link for one mail to the customer. Only the token's hash is stored. */
export async function newLink(context: Context, tx: Transaction, orderId: string): Promise<string> {
  const token = newToken();
  await tx.insert(orderLinks).values({ id: hashToken(token), orderId, createdAt: context.now() });
  return `${context.origin}/proof#token=${token}`;
}

/** Records an event of an order. */
export async function recordEvent(
  context: Context,
  tx: Transaction,
  orderId: string,
  kind: OrderStatus | 'created' | 'routed' | 'returned' | 'taken' | 'approved' | 'change' | 'file',
  actor: (typeof orderEvents.$inferSelect)['actor'],
  words = '',
): Promise<void> {
  await withinTenantScope(tx, orderScope(orderId), () =>
    tx.insert(orderEvents).values({ orderId, kind, actor, words, createdAt: context.now() }),
  );
}

/** Queues a webhook with the order's current state. */
export async function queueShopWebhook(
  context: Context,
  tx: Transaction,
  { order, savedDesign }: OrderRecord,
  event: WebhookEvent,
): Promise<void> {
  const { id, number, companyId, status, proof, makerName, made, contact, place } = order;
  const about = {
    ...{ id, number, status, proof, designId: savedDesign.id, productId: savedDesign.product.productId },
    ...{ productName: made.productName, machine: made.machine, ...priceOf(order) },
    ...(made.pieces && { pieces: made.pieces }),
    ...{ maker: makerName, customer: contact, place, createdAt: order.createdAt.toISOString() },
  };
  await queueWebhook(context, tx, { companyId, orderId: id, event, about });
}

/** Returns the condition for the orders of an actor, as the shop's owner or as the maker. */
export const isParty = ({ id }: UserActor): SQL => or(eq(companies.userId, id), eq(orders.makerUserId, id))!;

/** Returns the tenant scope of the actor: the orders of its own shop and those that it is to make. */
export async function tenantScopeOf(context: Context, actor: UserActor): Promise<TenantScope> {
  return { company: (await findCompany(context, actor))?.id, maker: actor.id };
}

/**
 * Returns the scope of one order, for a caller whose link or role was checked. It includes the order whoever makes it
 * next.
 */
export const orderScope = (id: string): TenantScope => ({ capability: id });

export const selectOrders = (tx: Transaction) =>
  tx
    .select({ order: orders, savedDesign: savedDesigns, shop: { name: companies.name, userId: companies.userId } })
    .from(orders)
    .innerJoin(savedDesigns, eq(savedDesigns.id, orders.savedDesignId))
    .innerJoin(companies, eq(companies.id, orders.companyId));

/** Adds the addresses of the shops' owners, which no tenant scope shows. */
export async function withOwners(
  reader: Pick<Db, 'select'>,
  rows: Awaited<ReturnType<typeof selectOrders>>,
): Promise<OrderRecord[]> {
  if (rows.length === 0) return [];
  const ids = [...new Set(rows.map(({ shop }) => shop.userId))];
  const owners = await reader.select({ id: users.id, email: users.email }).from(users).where(inArray(users.id, ids));
  const emails = new Map(owners.map(({ id, email }) => [id, email]));
  // An owner that was deleted meanwhile has taken shop and orders along.
  return rows.flatMap((row) => {
    const email = emails.get(row.shop.userId);
    return email === undefined ? [] : [{ ...row, shop: { ...row.shop, email } }];
  });
}

/** Returns one order, locked until the end of the transaction. */
export async function lockOrder(tx: Transaction, scope: TenantScope, condition: SQL): Promise<OrderRecord | undefined> {
  const rows = await withinTenantScope(tx, scope, () =>
    selectOrders(tx).where(condition).for('update', { of: orders }),
  );
  const [record] = await withOwners(tx, rows);
  return record;
}

/** Returns one order, without a lock. */
export async function findOrder(
  context: Context,
  scope: TenantScope,
  condition: SQL,
): Promise<OrderRecord | undefined> {
  const rows = await inTenantScope(context.db, scope, (tx) => selectOrders(tx).where(condition));
  const [record] = await withOwners(context.db, rows);
  return record;
}

export const asParty = (actor: UserActor, record: OrderRecord): PartyRecord => ({
  ...record,
  role: record.shop.userId === actor.id ? 'shop' : 'maker',
});

/** Returns an order of the actor. Throws notFound with the same message for somebody else's order and a missing one. */
export async function getOrder(context: Context, actor: UserActor, id: string): Promise<PartyRecord> {
  const record = await findOrder(context, await tenantScopeOf(context, actor), and(eq(orders.id, id), isParty(actor))!);
  if (!record) throw notFound();
  return asParty(actor, record);
}

const notFound = () => new AppError('notFound', 'This order was not found. It may have gone to another maker.');

export const stateOf = ({ status, proof, makerUserId }: OrderRow): OrderState => ({
  status,
  proof,
  hasMaker: makerUserId !== null,
});

/** Lists the account's orders, newest first. */
export async function listOrders(
  context: Context,
  actor: UserActor,
  {
    before,
    status,
    role,
  }: { before?: string | undefined; status?: OrderStatus | undefined; role?: OrderRole | undefined },
): Promise<{ orders: OrderSummary[]; next: string | null }> {
  const scope = await tenantScopeOf(context, actor);
  const isOwnShop = eq(orders.companyId, scope.company ?? '');
  const isMaker = eq(orders.makerUserId, actor.id);
  const rows = await inTenantScope(context.db, scope, async (tx) => {
    const newest = [desc(orders.createdAt), desc(orders.id)];
    const idsOf = (isMine: SQL) =>
      tx
        .select({ id: orders.id, createdAt: orders.createdAt })
        .from(orders)
        .where(and(isMine, status && eq(orders.status, status), isBeyond(orders.createdAt, orders.id, before)))
        .orderBy(...newest)
        .limit(PAGE + 1);
    // Each part reads its own index from the newest on. One condition for both would read all orders of the shop.
    const ids =
      role === 'shop'
        ? await idsOf(isOwnShop)
        : role === 'maker'
          ? await idsOf(isMaker)
          : await unionAll(idsOf(isOwnShop), idsOf(and(isMaker, ne(orders.companyId, scope.company ?? ''))!));
    if (ids.length === 0) return [];
    const isListed = inArray(
      orders.id,
      ids.map(({ id }) => id),
    );
    return selectOrders(tx)
      .where(isListed)
      .orderBy(...newest)
      .limit(PAGE + 1);
  });
  const records = (await withOwners(context.db, rows)).map((row) => ({ ...row, createdAt: row.order.createdAt }));
  const { page, next } = cutPage(records, ({ order }) => order.id);
  return { orders: page.map((record) => toSummary(context, asParty(actor, record))), next };
}

/** Returns true for an account that takes part in orders, and the number of orders that wait for it. */
export async function countOrders(
  context: Context,
  actor: UserActor,
): Promise<{ hasOrders: boolean; waiting: number }> {
  const { db } = context;
  const scope = await tenantScopeOf(context, actor);
  const isOwnShop = eq(orders.companyId, scope.company ?? '');
  const isMaker = eq(orders.makerUserId, actor.id);
  const isTurn = or(
    eq(orders.status, 'new'),
    eq(orders.status, 'made'),
    and(eq(orders.status, 'accepted'), eq(orders.proof, 'approved')),
  );
  const { waiting, hasSome } = await inTenantScope(db, scope, async (tx) => {
    const waiting = await tx.$count(orders, and(or(isMaker, and(isNull(orders.makerUserId), isOwnShop)), isTurn));
    if (waiting > 0) return { waiting, hasSome: true };
    const some = await tx.select({ id: orders.id }).from(orders).where(or(isMaker, isOwnShop)).limit(1);
    const isOpen = and(eq(shops.companyId, scope.company ?? ''), eq(shops.checkout, true));
    const open = await tx.select({ id: shops.companyId }).from(shops).where(isOpen);
    return { waiting, hasSome: some.length + open.length > 0 };
  });
  if (hasSome) return { hasOrders: true, waiting };
  const listedMakers = await db
    .select({ id: makers.id })
    .from(makers)
    .where(and(eq(makers.userId, actor.id), eq(makers.isListed, true)));
  return { hasOrders: listedMakers.length > 0, waiting };
}

/** Returns an order to its shop's owner or its maker. Throws notFound for anybody else. */
export async function readOrder(context: Context, actor: UserActor, id: string): Promise<OrderDetail> {
  return toDetail(context, await getOrder(context, actor, id));
}

/** True unless the reader is a maker who has not accepted: those do not see the customer. */
const maySeeCustomer = ({ order, role }: PartyRecord): boolean => role === 'shop' || order.status !== 'new';

function toSummary(context: Context, record: PartyRecord): OrderSummary {
  const { order, savedDesign, shop, role } = record;
  return {
    id: order.id,
    number: order.number,
    role,
    shopName: shop.name,
    makerName: order.makerName,
    customerName: maySeeCustomer(record) ? order.contact.name : '',
    productName: order.made.productName,
    machine: order.made.machine,
    ...priceOf(order),
    status: order.status,
    proof: order.proof,
    isWaiting: isWaitingFor(stateOf(order), role),
    pictureUrl: context.urls.sign(savedDesign.pictureKey),
    createdAt: order.createdAt.toISOString(),
  };
}

async function toDetail(context: Context, record: PartyRecord): Promise<OrderDetail> {
  const { order, role } = record;
  const events = await inTenantScope(context.db, orderScope(order.id), (tx) =>
    tx.select().from(orderEvents).where(eq(orderEvents.orderId, order.id)).orderBy(asc(orderEvents.id)),
  );
  return {
    ...toSummary(context, record),
    made: order.made,
    contact: maySeeCustomer(record) ? order.contact : null,
    note: order.contact.note,
    place: placeWords(order.place),
    proofWords: order.proofWords,
    proofAt: order.proofAt?.toISOString() ?? null,
    payer: order.payer,
    steps: stepsFor(stateOf(order), role),
    mayDownload: mayDownload(stateOf(order), role),
    ...(await readPackage(context, record)),
    events: events.map(({ kind, actor, words, createdAt }) => ({
      ...{ kind, actor, words },
      createdAt: createdAt.toISOString(),
    })),
  };
}

/** Returns the receipt of an order's last file, and the package it is in for the account that made it. */
async function readPackage(
  context: Context,
  { order: { batchId, receipt, makerUserId }, shop, role }: PartyRecord,
): Promise<Pick<OrderDetail, 'receipt' | 'batch'>> {
  if (batchId === null) return { receipt, batch: null };
  const [batch] = await findLiveBatches(context.db, [batchId]);
  const packageReceipt = await readPackageReceipt(context, batchId);
  const isOwn = batch !== undefined && batch.userId === (role === 'shop' ? shop.userId : makerUserId);
  return { receipt: packageReceipt ?? receipt, batch: isOwn ? toBatch(context, batch) : null };
}

/**
 * Takes a step with an order. Exactly one of several simultaneous steps succeeds; the others throw conflict. Returns
 * the order after the step, or null when the actor no longer takes part in it. Throws notFound and conflict.
 */
export async function takeStep(
  context: Context,
  actor: UserActor,
  id: string,
  { step, words }: { step: OrderStep; words: string },
): Promise<OrderDetail | null> {
  const before = await getOrder(context, actor, id);
  const nextMaker = step === 'decline' ? await findNextMaker(context, before) : undefined;
  const scope = await tenantScopeOf(context, actor);
  const isTheirs = and(eq(orders.id, id), isParty(actor))!;
  await context.db.transaction(async (tx) => {
    const lockedOrder = await lockOrder(tx, scope, isTheirs);
    if (!lockedOrder) throw notFound();
    const record = asParty(actor, lockedOrder);
    const state = stateOf(record.order);
    const isSame = record.order.triedMakerIds.length === before.order.triedMakerIds.length;
    if (!isSame || !stepsFor(state, record.role).includes(step)) throw conflictFor(record.order);
    await apply(context, tx, record, { step, words, status: statusAfter(state, step), nextMaker });
  });
  const after = await findOrder(context, scope, isTheirs);
  return after ? toDetail(context, asParty(actor, after)) : null;
}

const conflictFor = ({ status, proof }: OrderRow): AppError =>
  new AppError(
    'conflict',
    status === 'accepted' && proof !== 'approved'
      ? 'The customer has not approved the proof yet.'
      : `This order has moved on: it is ${status} by now. Please look at it again.`,
  );

/**
 * Returns the next maker after one has declined; each is asked once. Undefined when the order goes back to the shop.
 */
async function findNextMaker(context: Context, { order, shop }: OrderRecord): Promise<Maker | undefined> {
  if (order.makerUserId === null || order.routing !== 'nearest') return undefined;
  const [settings] = await inCompany(context.db, order.companyId, (tx) =>
    tx.select({ place: shops.place }).from(shops).where(eq(shops.companyId, order.companyId)),
  );
  const place = order.place ?? settings?.place;
  const exceptIds = [...order.triedMakerIds, shop.userId];
  return place ? findNearest(context, { machine: order.made.machine, place, exceptIds }) : undefined;
}

interface StepChange {
  readonly step: OrderStep;
  readonly words: string;
  readonly status: OrderStatus;
  readonly nextMaker: Maker | undefined;
}

async function apply(context: Context, tx: Transaction, record: PartyRecord, change: StepChange): Promise<void> {
  const { step, words, status, nextMaker } = change;
  const { role, shop } = record;
  const isPassedOn = step === 'take' || (step === 'decline' && record.order.makerUserId !== null);
  const [order] = await withinTenantScope(tx, orderScope(record.order.id), () =>
    tx
      .update(orders)
      .set({
        status,
        updatedAt: context.now(),
        ...(isPassedOn && { makerUserId: nextMaker?.userId ?? null, makerName: nextMaker?.name ?? null }),
        ...(nextMaker && { triedMakerIds: [...record.order.triedMakerIds, nextMaker.userId] }),
      })
      .where(eq(orders.id, record.order.id))
      .returning(),
  );
  const after = { ...record, order: order! };
  const mailedOrder = toMailedOrder(after);
  await recordEvent(context, tx, order!.id, eventOf(step), role, words);
  if (nextMaker) {
    await recordEvent(context, tx, order!.id, 'routed', 'server');
    await queueMail(context, tx, orderToMakeMail(context, nextMaker.email, mailedOrder));
  } else if (isPassedOn && step === 'decline') {
    await recordEvent(context, tx, order!.id, 'returned', 'server');
    await queueMail(
      context,
      tx,
      orderReturnedMail(context, shop.email, mailedOrder, record.order.makerName ?? '', words),
    );
  } else if (step === 'take' && record.order.makerUserId !== null) {
    const [maker] = await tx.select({ email: users.email }).from(users).where(eq(users.id, record.order.makerUserId));
    if (maker) await queueMail(context, tx, orderTakenBackMail(context, maker.email, mailedOrder, words));
  }
  if (!isPassedOn) {
    const link = await newLink(context, tx, order!.id);
    await queueMail(context, tx, orderStatusMail(context, order!.contact.email, mailedOrder, { status, words, link }));
  }
  await queueShopWebhook(context, tx, after, 'order.status');
}

function eventOf(step: OrderStep): Parameters<typeof recordEvent>[3] {
  return ({ accept: 'accepted', decline: 'declined', make: 'made', send: 'sent', take: 'taken' } as const)[step];
}

/**
 * Returns the open orders of a maker whose account is being deleted to their shops, and mails the shops. Runs in the
 * transaction of the deletion.
 */
export async function giveBackOrders(context: Context, tx: Transaction, userId: number): Promise<void> {
  const isOpen = inArray(orders.status, ['new', 'accepted', 'made']);
  const open = await withinTenantScope(tx, { maker: userId }, () =>
    selectOrders(tx)
      .where(and(eq(orders.makerUserId, userId), isOpen))
      .for('update', { of: orders }),
  );
  for (const record of await withOwners(tx, open)) {
    const status = record.order.status === 'made' ? 'made' : 'new';
    const [order] = await withinTenantScope(tx, orderScope(record.order.id), () =>
      tx
        .update(orders)
        .set({ status, makerUserId: null, makerName: null, updatedAt: context.now() })
        .where(eq(orders.id, record.order.id))
        .returning(),
    );
    await recordEvent(context, tx, order!.id, 'returned', 'server');
    const mailedOrder = toMailedOrder({ ...record, order: order! });
    await queueMail(
      context,
      tx,
      orderReturnedMail(context, record.shop.email, mailedOrder, record.order.makerName ?? '', ''),
    );
    await queueShopWebhook(context, tx, { ...record, order: order! }, 'order.status');
  }
}

/** Returns every order of the account, for the takeout. */
export async function* takeoutOrders(context: Context, actor: UserActor): AsyncGenerator<object> {
  const { db } = context;
  const scope = await tenantScopeOf(context, actor);
  const oldest = [asc(orders.createdAt), asc(orders.id)];
  const ids = await inTenantScope(db, scope, (tx) =>
    tx
      .select({ id: orders.id })
      .from(orders)
      .innerJoin(companies, eq(companies.id, orders.companyId))
      .where(isParty(actor))
      .orderBy(...oldest),
  );
  const readRows = (some: string[]) =>
    inTenantScope(db, scope, (tx) =>
      selectOrders(tx)
        .where(and(inArray(orders.id, some), isParty(actor)))
        .orderBy(...oldest),
    );
  for await (const row of readInPieces(ids, async (some) => withOwners(db, await readRows(some)))) {
    const record = asParty(actor, row);
    const { id: _id, pictureUrl, isWaiting: _turn, ...summary } = toSummary(context, record);
    const contact = maySeeCustomer(record) ? record.order.contact : null;
    yield { ...summary, made: record.order.made, contact, picture: `${context.origin}${pictureUrl}` };
  }
}
