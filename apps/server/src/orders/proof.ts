/** The customer's view of an order, and their answer. The token in a mail's link is all the authorization they need. */
import type { Proof } from '@markwright/contract';
import { and, desc, eq } from 'drizzle-orm';
import { users } from '../accounts/tables.ts';
import { queueMail } from '../mail/mail.ts';
import { proofAnsweredMail } from '../mail/orderTemplates.ts';
import type { Context } from '../platform/context.ts';
import { AppError } from '../platform/errors.ts';
import type { Actor } from '../platform/mount.ts';
import { enforceRateLimits } from '../platform/rateLimit.ts';
import { inTenantScope, withinTenantScope } from '../platform/tenancy.ts';
import { hashToken } from '../platform/tokens.ts';
import { pictureSizeOf } from '../savedDesigns/savedDesigns.ts';
import { drawPiecesOf } from './orderFiles.ts';
import {
  findOrder,
  lockOrder,
  type OrderRecord,
  orderScope,
  priceOf,
  queueShopWebhook,
  recordEvent,
  stateOf,
  toMailedOrder,
} from './orders.ts';
import { mayAnswerProof } from './steps.ts';
import { orderEvents, orderLinks, orders } from './tables.ts';

const HOUR_MS = 60 * 60 * 1000;

const notFound = () =>
  new AppError('notFound', 'There is no order behind this link. Please open the link of the mail once more.');

/** Returns the proof. Throws notFound for an invalid token. */
export async function readProof(context: Context, token: string): Promise<Proof> {
  return toProof(context, await getLinkedOrder(context, token));
}

/** Returns the order that a link was mailed for. Its token opens that order and no other. */
async function getLinkedOrder(context: Context, token: string): Promise<OrderRecord> {
  const [link] = await context.db
    .select()
    .from(orderLinks)
    .where(eq(orderLinks.id, hashToken(token)));
  const record = link && (await findOrder(context, orderScope(link.orderId), eq(orders.id, link.orderId)));
  if (!record) throw notFound();
  return record;
}

async function toProof(context: Context, { order, savedDesign, shop }: OrderRecord): Promise<Proof> {
  const [decline] =
    order.status !== 'declined'
      ? []
      : await inTenantScope(context.db, orderScope(order.id), (tx) =>
          tx
            .select({ words: orderEvents.words })
            .from(orderEvents)
            .where(and(eq(orderEvents.orderId, order.id), eq(orderEvents.kind, 'declined')))
            .orderBy(desc(orderEvents.id))
            .limit(1),
        );
  return {
    number: order.number,
    shopName: shop.name,
    makerName: order.makerName,
    made: order.made,
    ...priceOf(order),
    status: order.status,
    proof: order.proof,
    proofAt: order.proofAt?.toISOString() ?? null,
    proofWords: order.proofWords,
    declinedBecause: decline?.words ?? '',
    mayAnswer: mayAnswerProof(stateOf(order)),
    pictureUrl: context.urls.sign(savedDesign.pictureKey),
    pictureSize: pictureSizeOf(savedDesign),
    createdAt: order.createdAt.toISOString(),
  };
}

/**
 * Approves the proof, which is final, or asks for a change, which may be repeated. A second approval changes nothing.
 * Throws notFound, invalid for a change without text, conflict once it is approved, made or declined, and tooMany.
 */
export async function answerProof(
  context: Context,
  { token, answer, words }: { token: string; answer: 'approve' | 'change'; words: string },
): Promise<Proof> {
  const before = await getLinkedOrder(context, token);
  if (answer === 'change' && words === '') throw new AppError('invalid', 'Please say what should be different.');
  if (answer === 'approve' && before.order.proof === 'approved') return toProof(context, before);
  await enforceRateLimits(context, [{ key: `proof ${before.order.id}`, limit: 10, windowMs: HOUR_MS }]);
  await context.db.transaction(async (tx) => {
    const { id } = before.order;
    const record = await lockOrder(tx, orderScope(id), eq(orders.id, id));
    if (!record) throw notFound();
    if (answer === 'approve' && record.order.proof === 'approved') return;
    if (!mayAnswerProof(stateOf(record.order))) throw tooLate(record.order);
    const proof = answer === 'approve' ? 'approved' : 'change';
    const now = context.now();
    const [order] = await withinTenantScope(tx, orderScope(id), () =>
      tx
        .update(orders)
        .set({ proof, proofAt: now, proofWords: answer === 'change' ? words : '', updatedAt: now })
        .where(eq(orders.id, id))
        .returning(),
    );
    const after = { ...record, order: order! };
    await recordEvent(context, tx, order!.id, proof, 'customer', answer === 'change' ? words : '');
    for (const to of await findReaders(tx, after)) {
      await queueMail(context, tx, proofAnsweredMail(context, to, toMailedOrder(after), { proof, words }));
    }
    await queueShopWebhook(context, tx, after, 'order.proof');
  });
  return readProof(context, token);
}

/** Draws the pieces of the order that a link was mailed for. Throws notFound, unprocessable and tooMany. */
export async function drawProofPieces(context: Context, actor: Actor, token: string, signal: AbortSignal) {
  const record = await getLinkedOrder(context, token);
  await enforceRateLimits(context, [{ key: `proof pieces ${record.order.id}`, limit: 20, windowMs: HOUR_MS }]);
  return drawPiecesOf(context, record, actor, signal);
}

const tooLate = ({ proof, status }: OrderRecord['order']): AppError =>
  new AppError(
    'conflict',
    proof === 'approved'
      ? 'You have approved this proof already. Write to the shop if something has to change.'
      : `This order is ${status} by now: its proof waits for no answer.`,
  );

/**
 * Returns the addresses to notify: the maker's, and for a change the shop's too, which negotiates with its customer.
 */
async function findReaders(tx: Parameters<typeof lockOrder>[0], { order, shop }: OrderRecord): Promise<Set<string>> {
  if (order.makerUserId === null) return new Set([shop.email]);
  const [maker] = await tx.select({ email: users.email }).from(users).where(eq(users.id, order.makerUserId));
  return new Set([...(maker ? [maker.email] : []), ...(order.proof === 'change' ? [shop.email] : [])]);
}
