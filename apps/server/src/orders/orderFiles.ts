/** The files of an order: the production file, the job sheet, and the pictures of the pieces. */
import type { OrderRole } from '@markwright/contract';
import { and, eq } from 'drizzle-orm';
import { findLiveBatches } from '../exports/batches.ts';
import { makeJobSheet } from '../exports/machineFile.ts';
import { type FileReceipt, readSvgReceipt } from '../exports/madeFiles.ts';
import { drawPieces } from '../exports/pieces.ts';
import { filenameOf } from '../exports/renderJob.ts';
import { orderPage } from '../mail/orderTemplates.ts';
import type { Context } from '../platform/context.ts';
import type { Transaction } from '../platform/database.ts';
import { AppError } from '../platform/errors.ts';
import type { Actor, UserActor } from '../platform/mount.ts';
import { withinTenantScope } from '../platform/tenancy.ts';
import { makeSavedFile, toRenderJob } from '../savedDesigns/savedDesigns.ts';
import { getOrder, type OrderRecord, orderScope, recordEvent, stateOf } from './orders.ts';
import { mayDownload } from './steps.ts';
import { orderEvents, orders } from './tables.ts';

/** Draws the pieces of an order with different words. Throws notFound, and unprocessable where all are alike. */
export async function drawOrderPieces(context: Context, actor: UserActor, id: string, signal: AbortSignal) {
  return drawPiecesOf(context, await getOrder(context, actor, id), actor, signal);
}

/** Draws the pieces of an order, at the cost of its shop. Throws unprocessable where all are alike. */
export async function drawPiecesOf(
  context: Context,
  { order, savedDesign, shop }: OrderRecord,
  { address }: Pick<Actor, 'address'>,
  signal: AbortSignal,
): Promise<{ url: string; filename: string }> {
  const { pieces } = order.made;
  if (!pieces) throw new AppError('unprocessable', 'All pieces of this order are alike: its picture shows them.');
  const payer = toShopActor(shop, address);
  return drawPieces(context, payer, toRenderJob(savedDesign), pieces, signal);
}

const toShopActor = ({ userId, email }: OrderRecord['shop'], address: string): UserActor => ({
  ...{ kind: 'user', id: userId, email, isAdmin: false, sessionId: '', address },
});

/**
 * Makes the production file of an order, and its job sheet where that is asked for. Charges the shop's or the maker's
 * allowance, as the shop had chosen when it was ordered. Making it again in the month is free. Throws notFound,
 * forbidden before the customer has approved, limitReached, unprocessable for pieces with different words, and conflict
 * for an order that is in a package.
 */
export async function makeOrderFile(
  context: Context,
  actor: UserActor,
  id: string,
  format: 'svg' | 'sheet',
  signal: AbortSignal,
): Promise<{ url: string; filename: string }> {
  const { order, savedDesign, shop, role } = await getOrder(context, actor, id);
  if (!mayDownload(stateOf(order), role)) {
    throw new AppError(
      'forbidden',
      order.proof === 'approved'
        ? 'The production file is for who makes this order, once it is accepted.'
        : 'The production file is there as soon as the customer has approved the proof.',
    );
  }
  if (order.made.pieces) {
    throw new AppError('unprocessable', 'The pieces of this order have different words. Make its package.');
  }
  if ((await findLiveBatches(context.db, order.batchId === null ? [] : [order.batchId])).length > 0) {
    throw new AppError('conflict', `Order ${order.number} is in a package already. Download that.`);
  }
  const payer = payerOf(actor, { order, shop });
  const { key } = await makeSavedFile(context, payer, savedDesign, signal);
  const filename = `${order.number}_${filenameOf(toRenderJob(savedDesign), 'production')}`;
  const madeFile = await readSvgReceipt(context, key, filename);
  const receipt = madeFile ? { ...madeFile, madeAt: context.now().toISOString() } : order.receipt;
  await context.db.transaction(async (tx) => {
    await withinTenantScope(tx, orderScope(id), () => tx.update(orders).set({ receipt }).where(eq(orders.id, id)));
    await recordFileEvent(context, tx, id, role);
  });
  if (format === 'sheet') {
    const files = receipt ? [toSheetFile(receipt)] : [];
    const papers = { order: { number: order.number, url: orderPage(context, order) }, files };
    const sheet = await makeJobSheet(context, payer, toRenderJob(savedDesign), papers, signal);
    const sheetName = `${order.number}_${sheet.filename}`;
    return { url: context.urls.sign(sheet.key, { downloadName: sheetName }), filename: sheetName };
  }
  return { url: context.urls.sign(key, { downloadName: filename }), filename };
}

/** Returns the account whose allowance pays for the files of an order: as the shop had chosen when it was ordered. */
export const payerOf = (actor: UserActor, { order, shop }: Pick<OrderRecord, 'order' | 'shop'>): UserActor =>
  order.payer === 'shop' ? { ...actor, id: shop.userId, email: shop.email } : actor;

/** Records once that a file of an order was given out. */
export async function recordFileEvent(context: Context, tx: Transaction, id: string, role: OrderRole): Promise<void> {
  const isFile = and(eq(orderEvents.orderId, id), eq(orderEvents.kind, 'file'));
  const [fileEvent] = await withinTenantScope(tx, orderScope(id), () =>
    tx.select({ id: orderEvents.id }).from(orderEvents).where(isFile).limit(1),
  );
  if (!fileEvent) await recordEvent(context, tx, id, 'file', role);
}

const toSheetFile = ({ filename, sha256, sizeBytes }: FileReceipt) => ({ filename, sha256, sizeBytes });
