/** Orders that are made together: which wait, and one batch of all their pieces. */
import { createHash } from 'node:crypto';
import { type Batch, batchFilename, exportsForBatch, type OrderGroup } from '@markwright/contract';
import { saveComposition } from '@markwright/scene';
import { and, asc, eq, inArray, isNull, or } from 'drizzle-orm';
import { type Charges, planCharges } from '../allowances/allowances.ts';
import { findLiveBatches, insertOrderBatch, toBatch } from '../exports/batches.ts';
import { toSources } from '../exports/batchSources.ts';
import { namesOf } from '../exports/renderJob.ts';
import type { OrderPart } from '../exports/tables.ts';
import type { Context } from '../platform/context.ts';
import type { Transaction } from '../platform/database.ts';
import { AppError } from '../platform/errors.ts';
import type { UserActor } from '../platform/mount.ts';
import { inTenantScope, withinTenantScope } from '../platform/tenancy.ts';
import { toRenderJob } from '../savedDesigns/savedDesigns.ts';
import { payerOf, recordFileEvent } from './orderFiles.ts';
import { asParty, isParty, type PartyRecord, selectOrders, stateOf, tenantScopeOf, withOwners } from './orders.ts';
import { mayDownload } from './steps.ts';
import { orders } from './tables.ts';

/** So many orders are looked at for groups, the oldest first. */
const MOST_WAITING = 300;

/** Lists the orders that the actor is to make, with others for the same blank. Two make a group. */
export async function listGroups(context: Context, actor: UserActor): Promise<{ groups: OrderGroup[] }> {
  const scope = await tenantScopeOf(context, actor);
  const isToMake = and(
    or(eq(orders.makerUserId, actor.id), and(isNull(orders.makerUserId), eq(orders.companyId, scope.company ?? ''))),
    eq(orders.status, 'accepted'),
    eq(orders.proof, 'approved'),
    isNull(orders.receipt),
  );
  const rows = await inTenantScope(context.db, scope, (tx) =>
    selectOrders(tx).where(isToMake).orderBy(asc(orders.createdAt), asc(orders.id)).limit(MOST_WAITING),
  );
  const records = (await withOwners(context.db, rows)).map((row) => asParty(actor, row));
  const liveIds = await findLiveIds(context.db, records);
  const groups = new Map<string, PartyRecord[]>();
  for (const record of records) {
    if (liveIds.has(record.order.batchId ?? '')) continue;
    const blank = blankOf(record);
    groups.set(blank, [...(groups.get(blank) ?? []), record]);
  }
  return {
    groups: [...groups.values()].flatMap((group) => {
      if (group.length < 2) return [];
      const { made } = group[0]!.order;
      const { productName, machine } = made;
      return [{ productName, machine, orders: group.map((record) => toGroupOrder(context, record)) }];
    }),
  };
}

const toGroupOrder = (context: Context, { order, savedDesign }: PartyRecord): OrderGroup['orders'][number] => ({
  ...{ id: order.id, number: order.number, quantity: order.quantity, customerName: order.contact.name },
  files: order.made.pieces?.length ?? 1,
  pictureUrl: context.urls.sign(savedDesign.pictureKey),
});

/** Equal for orders of one product in one color and size, made by one machine. */
const blankOf = ({ order, savedDesign }: PartyRecord): string => {
  const { composition, product } = toRenderJob(savedDesign);
  return JSON.stringify([order.made.machine, product?.productId, product?.name, composition.variant]);
};

async function findLiveIds(reader: Pick<Transaction, 'select'>, records: readonly PartyRecord[]): Promise<Set<string>> {
  const ids = [...new Set(records.flatMap(({ order }) => order.batchId ?? []))];
  return new Set((await findLiveBatches(reader, ids)).map(({ id }) => id));
}

/**
 * Makes one batch of all pieces of orders: charges it to those who pay for the orders, queues it, and notes it with
 * each order, in one transaction. The same orders of the same account are one batch, until it is deleted or has failed.
 * Throws notFound for an order that the actor has no part in, forbidden for one that it may not make, conflict for one
 * that was made otherwise, unprocessable for different blanks, and limitReached; nothing is charged then.
 */
export async function makeTogether(context: Context, actor: UserActor, orderIds: readonly string[]): Promise<Batch> {
  const ids = [...new Set(orderIds)].sort();
  const scope = await tenantScopeOf(context, actor);
  const key = createHash('sha256')
    .update(JSON.stringify(['orders', ids]))
    .digest('hex');
  const plan = await inTenantScope(context.db, scope, (tx) => selectMine(tx, actor, ids));
  const plannedRecords = await toParties(context.db, actor, plan, ids);
  refuseDifferent(plannedRecords);
  // The content and the payer of an order never change: what was read before the lock is still true of the orders.
  const charges = await planByPayer(context, actor, plannedRecords, key);
  const list = toList(plannedRecords.map(toPart));
  const batch = await context.db.transaction(async (tx) => {
    const rows = await withinTenantScope(tx, scope, () => selectMine(tx, actor, ids).for('update', { of: orders }));
    const records = await toParties(tx, actor, rows, ids);
    const liveBatches = await findLiveBatches(tx, [...new Set(records.flatMap(({ order }) => order.batchId ?? []))]);
    const same = liveBatches.find((row) => row.userId === actor.id && row.key === key);
    if (same) return same;
    const liveIds = new Set(liveBatches.map(({ id }) => id));
    for (const record of records) refuseMade(record, liveIds);
    const row = await insertOrderBatch(context, tx, actor, { key, ...list }, charges);
    for (const { order, role } of records) {
      await withinTenantScope(tx, scope, () =>
        tx.update(orders).set({ batchId: row.id }).where(eq(orders.id, order.id)),
      );
      await recordFileEvent(context, tx, order.id, role);
    }
    return row;
  });
  return toBatch(context, batch);
}

/** Selects orders of the actor, sorted so that two calls that lock them never wait for each other. */
const selectMine = (tx: Transaction, actor: UserActor, ids: readonly string[]) =>
  selectOrders(tx)
    .where(and(inArray(orders.id, [...ids]), isParty(actor)))
    .orderBy(asc(orders.id));

/** Throws notFound where one of the orders is missing. The oldest comes first. */
async function toParties(
  reader: Pick<Transaction, 'select'>,
  actor: UserActor,
  rows: Awaited<ReturnType<typeof selectOrders>>,
  ids: readonly string[],
): Promise<PartyRecord[]> {
  const records = (await withOwners(reader, rows)).map((row) => asParty(actor, row));
  if (records.length < ids.length) {
    throw new AppError('notFound', 'One of these orders was not found. It may have gone to another maker.');
  }
  return records.sort((a, b) => a.order.createdAt.getTime() - b.order.createdAt.getTime());
}

function refuseDifferent(records: readonly PartyRecord[]): void {
  if (new Set(records.map(blankOf)).size === 1) return;
  throw new AppError('unprocessable', 'These orders are not for the same product, color, size and machine.');
}

function refuseMade({ order, role }: PartyRecord, liveBatchIds: ReadonlySet<string>): void {
  const { number, batchId, receipt } = order;
  if (!mayDownload(stateOf(order), role)) {
    throw new AppError('forbidden', `Order ${number} is not yours to make, or its customer has not approved it.`);
  }
  if (batchId !== null && liveBatchIds.has(batchId)) {
    throw new AppError('conflict', `Order ${number} is in another package already. Leave it out.`);
  }
  if (receipt) throw new AppError('conflict', `The file of order ${number} was made already. Leave it out.`);
}

function toPart({ order, savedDesign }: PartyRecord): OrderPart {
  const { composition, designs, product } = toRenderJob(savedDesign);
  const { pieces } = order.made;
  return {
    ...{ number: order.number, quantity: order.quantity, product: product!, designs: [...designs] },
    composition: saveComposition(composition),
    ...(pieces && { pieces }),
  };
}

/** Returns the parts as a list: a row for each different piece, with the words in the columns of all designs. */
function toList(parts: readonly OrderPart[]) {
  const sources = toSources(parts);
  const columns = [...new Set(sources.flatMap((source) => source.columns))];
  const rows = sources.flatMap((source) =>
    source.rows.map((cells, i) => [
      ...[source.number!, String(source.quantities![i])],
      ...columns.map((column) => cells[source.columns.indexOf(column)] ?? ''),
    ]),
  );
  const total = parts.reduce((sum, { quantity }) => sum + quantity, 0);
  const filename = batchFilename(namesOf(sources[0]!.job), total);
  return { parts, columns: ['Order', 'Quantity', ...columns], rows, filename };
}

/** Plans what the accounts pay, in the order of their locks: an export for each 25 started files of an account. */
async function planByPayer(
  context: Context,
  actor: UserActor,
  records: readonly PartyRecord[],
  key: string,
): Promise<Charges[]> {
  const files = new Map<number, { readonly payer: UserActor; readonly count: number }>();
  for (const record of records) {
    const payer = payerOf(actor, record);
    const count = (files.get(payer.id)?.count ?? 0) + (record.order.made.pieces?.length ?? 1);
    files.set(payer.id, { payer, count });
  }
  const inOrder = [...files.values()].sort((a, b) => a.payer.id - b.payer.id);
  return Promise.all(
    inOrder.map(({ payer, count }) => {
      const keys = Array.from({ length: exportsForBatch(count, undefined) }, (_, i) => `batch ${key} ${i}`);
      return planCharges(context, payer, 'vector', keys);
    }),
  );
}
