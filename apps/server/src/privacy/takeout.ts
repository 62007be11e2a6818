/** What belongs to an account: taking it away, and taking it all down. */
import { and, eq, inArray, notInArray } from 'drizzle-orm';
import { describeDevice } from '../accounts/device.ts';
import { askPassword } from '../accounts/passwordChange.ts';
import { ADMIN_ID } from '../accounts/sessions.ts';
import { ownerOf } from '../allowances/allowances.ts';
import { findCompany } from '../companies/companies.ts';
import { exportCompany } from '../companies/products.ts';
import { exportMaker } from '../makers/makers.ts';
import { exportOrders, giveBackOrders } from '../orders/orders.ts';
import type { Context } from '../platform/context.ts';
import { AppError } from '../platform/errors.ts';
import type { UserActor } from '../platform/mount.ts';
import {
  companies,
  compositions,
  designs,
  exportRecords,
  feedback,
  mails,
  makers,
  savedDesigns,
  sessions,
  subscriptions,
  usage,
  users,
} from '../platform/schema.ts';
import { inCompany, within } from '../platform/tenancy.ts';
import { exportShop } from '../shops/shops.ts';

/** Everything kept about an account, in the words of the product. Addresses of files are good for a day. */
export async function exportData(context: Context, actor: UserActor): Promise<Record<string, unknown>> {
  const { db } = context;
  const of = actor.id;
  const [account] = await db.select().from(users).where(eq(users.id, of));
  if (!account) throw new AppError('unauthorized', 'Please sign in again.');
  const { passwordHash: _secret, ...known } = account;

  const signedIn = await db.select().from(sessions).where(eq(sessions.userId, of)).orderBy(sessions.createdAt);
  const uploaded = await db.select().from(designs).where(eq(designs.userId, of)).orderBy(designs.createdAt);
  const arranged = await db
    .select()
    .from(compositions)
    .where(eq(compositions.userId, of))
    .orderBy(compositions.createdAt);
  const used = await db
    .select()
    .from(usage)
    .where(eq(usage.owner, ownerOf(actor)))
    .orderBy(usage.createdAt);
  const saved = await db
    .select()
    .from(exportRecords)
    .where(eq(exportRecords.userId, of))
    .orderBy(exportRecords.createdAt);
  const said = await db.select().from(feedback).where(eq(feedback.userId, of)).orderBy(feedback.createdAt);
  const told = await db.select().from(mails).where(isToldTo(account.email)).orderBy(mails.createdAt);
  const [subscription] = await db.select().from(subscriptions).where(eq(subscriptions.userId, of));

  return {
    exportedAt: context.now(),
    account: known,
    sessions: signedIn.map(({ id, userAgent, createdAt, lastUsedAt, expiresAt }) => ({
      device: describeDevice(userAgent),
      userAgent,
      createdAt,
      lastUsedAt,
      expiresAt,
      isCurrent: id === actor.sessionId,
    })),
    designs: uploaded.map((design) => toOwnDesign(context, design)),
    compositions: arranged.map((composition) => toOwnComposition(context, composition)),
    usage: used.map(({ kind, period, state, createdAt }) => ({ kind, period, state, createdAt })),
    subscription: subscription ? withoutOwner(subscription) : null,
    exports: saved.map(({ key: _key, guestId: _guest, ...record }) => withoutOwner(record)),
    company: await exportCompany(context, actor),
    shop: await exportShop(context, actor),
    orders: await exportOrders(context, actor),
    savedDesigns: await exportSavedDesigns(context, actor),
    localMaker: await exportMaker(context, actor),
    feedback: said.map(withoutOwner),
    mails: told.map(({ kind, subject, createdAt, sentAt }) => ({ kind, subject, createdAt, sentAt })),
  };
}

/** What customers saved in the widget of the account's shop. */
async function exportSavedDesigns(context: Context, actor: UserActor): Promise<object[]> {
  const company = await findCompany(context, actor);
  if (!company) return [];
  const isOwn = eq(savedDesigns.companyId, company.id);
  const rows = await inCompany(context.db, company.id, (tx) =>
    tx.select().from(savedDesigns).where(isOwn).orderBy(savedDesigns.createdAt),
  );
  return rows.map(({ id, composition, line, pictureKey, orderedAt, createdAt }) => {
    return { id, composition, line, picture: addressOf(context, pictureKey), orderedAt, createdAt };
  });
}

/** What is only ever mailed to an account. Others may be told to the same address: nobody needs to have shown it is theirs. */
const accountKinds = ['verify', 'welcome', 'reset', 'passwordChanged', 'receipt', 'makerMessage'];

const isToldTo = (email: string) => and(eq(mails.recipient, email), inArray(mails.kind, accountKinds));

const addressOf = (context: Context, key: string | null) => key && `${context.origin}${context.urls.sign(key)}`;

function toOwnDesign(context: Context, design: typeof designs.$inferSelect) {
  const { id, filename, mediaType, width, height, sizeBytes, createdAt } = design;
  const files = {
    original: addressOf(context, design.originalKey),
    backgroundRemoved: addressOf(context, design.backgroundRemovedKey),
    vectorized: addressOf(context, design.vectorizedKey),
  };
  return { id, filename, mediaType, width, height, sizeBytes, createdAt, files };
}

function toOwnComposition(context: Context, kept: typeof compositions.$inferSelect) {
  const { userId: _owner, key: _key, pictureKey, ...rest } = kept;
  return { ...rest, picture: addressOf(context, pictureKey) };
}

function withoutOwner<T extends { userId: unknown }>({ userId: _owner, ...rest }: T): Omit<T, 'userId'> {
  return rest;
}

/**
 * Ends the account's subscription at the provider, then removes the account with everything of it, then its files.
 * Throws invalid for a wrong password, forbidden for the administrator, and unavailable, with nothing removed, when the
 * subscription cannot be ended.
 */
export async function deleteAccount(context: Context, actor: UserActor, password: string): Promise<{ ok: true }> {
  if (actor.id === ADMIN_ID) throw new AppError('forbidden', 'The administrator’s account cannot be deleted.');
  await askPassword(context, actor, password);
  await endSubscription(context, actor.id);
  const folders = await context.db.transaction(async (tx) => {
    // Under this lock no design, composition, company, maker's page, session or token is added any more.
    await tx.select({ id: users.id }).from(users).where(eq(users.id, actor.id)).for('update');
    const uploaded = await tx.select({ id: designs.id }).from(designs).where(eq(designs.userId, actor.id));
    const arranged = await tx
      .select({ id: compositions.id })
      .from(compositions)
      .where(eq(compositions.userId, actor.id));
    const [company] = await tx.select({ id: companies.id }).from(companies).where(eq(companies.userId, actor.id));
    const ofCompany = eq(savedDesigns.companyId, company?.id ?? '');
    const shopped = await within(tx, { company: company?.id }, () =>
      tx.select({ id: savedDesigns.id }).from(savedDesigns).where(ofCompany),
    );
    const [maker] = await tx.select({ id: makers.id }).from(makers).where(eq(makers.userId, actor.id));
    await giveBackOrders(context, tx, actor.id);
    await tx.delete(feedback).where(eq(feedback.userId, actor.id));
    await tx.delete(usage).where(eq(usage.owner, ownerOf(actor)));
    // What waits to leave still leaves: that a password was changed is told, whatever its thief does next.
    await tx.delete(mails).where(and(isToldTo(actor.email), notInArray(mails.state, ['queued', 'sending'])));
    await tx.delete(users).where(eq(users.id, actor.id)); // the rest hangs on it and goes with it
    return [
      ...uploaded.map(({ id }) => `designs/${id}/`),
      ...arranged.map(({ id }) => `compositions/${id}/`),
      ...(company ? [`companies/${company.id}/`] : []),
      ...shopped.map(({ id }) => `saved/${id}/`),
      ...(maker ? [`makers/${maker.id}/`] : []),
    ];
  });
  await removeFiles(context, folders);
  return { ok: true };
}

async function endSubscription(context: Context, userId: number): Promise<void> {
  const [known] = await context.db.select().from(subscriptions).where(eq(subscriptions.userId, userId));
  if (!known) return;
  if (known.provider === context.payments.kind) {
    await context.payments.endSubscriptions(known.customerId);
  } else if (known.provider !== 'test' && known.status !== 'inactive') {
    // Its keys were taken out of the settings: the card would be charged on.
    throw new AppError('unavailable', 'Your subscription cannot be ended just now. Please write to our support.');
  }
}

/** What cannot be removed now is found by the sweep for files that belong to nothing any more. */
async function removeFiles(context: Context, folders: readonly string[]): Promise<void> {
  try {
    for (const folder of folders) {
      for await (const key of context.files.list(folder)) await context.files.delete(key);
    }
  } catch (error) {
    context.log.warn({ err: error }, 'files of a deleted account are left for the sweep');
  }
}
