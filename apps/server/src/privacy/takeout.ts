/** The takeout: everything that is stored about an account, one section after the other. `takeoutRun.ts` writes it. */
import { and, asc, desc, eq, inArray } from 'drizzle-orm';
import { listApiKeys } from '../accounts/apiKeys.ts';
import { describeDevice } from '../accounts/device.ts';
import { sessions, users } from '../accounts/tables.ts';
import { usage } from '../allowances/tables.ts';
import { subscriptions } from '../billing/tables.ts';
import { findCompany } from '../companies/companies.ts';
import { inkProfileKey, listInkProfiles } from '../companies/inkProfiles.ts';
import { listLasers } from '../companies/lasers.ts';
import { listOwnFontRows, type OwnFontRow, ownFontKey } from '../companies/ownFonts.ts';
import { takeoutCompany } from '../companies/products.ts';
import { listToneCurves } from '../companies/toneCurves.ts';
import { compositions } from '../compositions/tables.ts';
import { designs } from '../designs/tables.ts';
import { takeoutBatches } from '../exports/batches.ts';
import { takeoutMadeFiles } from '../exports/madeFiles.ts';
import { exportRecords } from '../exports/tables.ts';
import { feedback } from '../feedback/tables.ts';
import { libraryEntries } from '../library/tables.ts';
import { mails } from '../mail/tables.ts';
import { takeoutMaker } from '../makers/makers.ts';
import { takeoutOrders } from '../orders/orders.ts';
import type { Context } from '../platform/context.ts';
import { AppError } from '../platform/errors.ts';
import type { UserActor } from '../platform/mount.ts';
import { ownerOf } from '../platform/ownership.ts';
import { readInPieces, readOldestFirst } from '../platform/paging.ts';
import { securityEvents } from '../platform/tables.ts';
import { inCompany } from '../platform/tenancy.ts';
import { savedDesigns } from '../savedDesigns/tables.ts';
import { takeoutShop } from '../shops/shops.ts';
import { findUploadKey } from '../tracing/pictures.ts';

/** A part of the file: a field and its value. */
type Section = readonly [name: string, value: unknown];

/**
 * Reads everything that is stored about an account, in the words of the product, one section at a time. The value of
 * one that may be long is an async iterable of its things, so that memory holds few of them. Addresses of files are
 * valid for a day. Throws unauthorized when the account was deleted.
 */
export async function* readSections(context: Context, actor: UserActor): AsyncGenerator<Section> {
  const { db } = context;
  const userId = actor.id;
  const [account] = await db.select().from(users).where(eq(users.id, userId));
  if (!account) throw new AppError('unauthorized', 'Please sign in again.');
  const { passwordHash: _secret, ...accountFields } = account;
  yield ['exportedAt', context.now()];
  yield ['account', accountFields];

  const sessionRows = await db.select().from(sessions).where(eq(sessions.userId, userId)).orderBy(sessions.createdAt);
  yield ['sessions', sessionRows.map(toOwnSession)];
  yield ['apiKeys', (await listApiKeys(context, actor)).map(({ id: _id, ...key }) => key)];

  const designRows = readOldestFirst(db, designs, eq(designs.userId, userId));
  yield ['designs', map(designRows, (design) => toOwnDesign(context, design))];
  const compositionRows = readOldestFirst(db, compositions, eq(compositions.userId, userId));
  yield ['compositions', map(compositionRows, (composition) => withPicture(context, composition))];

  const entryRows = readOldestFirst(db, libraryEntries, eq(libraryEntries.userId, userId));
  yield ['library', map(entryRows, (entry) => withPicture(context, entry))];

  const usageRows = readOldestFirst(db, usage, eq(usage.owner, ownerOf(actor)));
  yield ['usage', map(usageRows, ({ kind, period, state, createdAt }) => ({ kind, period, state, createdAt }))];
  const [subscription] = await db.select().from(subscriptions).where(eq(subscriptions.userId, userId));
  yield ['subscription', subscription ? takeoutSubscription(subscription) : null];
  const exportRows = readOldestFirst(db, exportRecords, eq(exportRecords.userId, userId));
  yield ['exports', map(exportRows, ({ key: _key, guestId: _guest, ...record }) => withoutOwner(record))];
  yield ['files', takeoutMadeFiles(context, actor)];
  yield ['batches', takeoutBatches(context, actor)];

  yield ['company', await takeoutCompany(context, actor)];
  yield ['lasers', (await listLasers(context, actor)).map(({ name, entries }) => ({ name, entries }))];
  const curves = await listToneCurves(context, actor);
  yield ['toneCurves', curves.flatMap(({ material, curve, isTypical }) => (isTypical ? [] : { material, curve }))];
  const profiles = await listInkProfiles(context, actor);
  yield ['inkProfiles', profiles.map(({ id, ...profile }) => toOwnProfile(context, id, profile))];
  const fonts = await listOwnFontRows(context, actor);
  yield ['fonts', fonts.map((font) => toOwnFont(context, font))];
  yield ['shop', await takeoutShop(context, actor)];
  yield ['orders', takeoutOrders(context, actor)];
  yield ['savedDesigns', takeoutSavedDesigns(context, actor)];
  yield ['localMaker', await takeoutMaker(context, actor)];

  const feedbackRows = readOldestFirst(db, feedback, eq(feedback.userId, userId));
  yield ['feedback', map(feedbackRows, withoutOwner)];
  const mailRows = readOldestFirst(db, mails, isMailOfAccount(account.email)!);
  yield ['mails', map(mailRows, ({ kind, subject, createdAt, sentAt }) => ({ kind, subject, createdAt, sentAt }))];
  yield ['securityEvents', await takeoutSecurityEvents(context, account)];
}

async function* map<T, R>(things: AsyncIterable<T>, change: (thing: T) => R | Promise<R>): AsyncGenerator<R> {
  for await (const thing of things) yield await change(thing);
}

const toOwnSession = ({ userAgent, createdAt, lastUsedAt, expiresAt }: typeof sessions.$inferSelect): object => ({
  device: describeDevice(userAgent),
  ...{ userAgent, createdAt, lastUsedAt, expiresAt },
});

const toOwnProfile = <T extends { readonly name: string }>(context: Context, id: string, profile: T): object => ({
  ...profile,
  file: downloadAddress(context, inkProfileKey(id), `${profile.name}.icc`),
});

const toOwnFont = (context: Context, { id, name, letters, sizeBytes, createdAt }: OwnFontRow): object => ({
  ...{ id, name, letters, sizeBytes, createdAt },
  // The outlines: the file as it was sent is not kept.
  file: downloadAddress(context, ownFontKey(id), `${name}.otf`),
});

/** Somebody who guesses passwords causes many events. The portal has all of them. */
const MAX_SECURITY_EVENTS = 10_000;

/** Lists the newest security events of the account, without the administrators who caused some of them. */
async function takeoutSecurityEvents(
  { db }: Context,
  { id, email }: { readonly id: number; readonly email: string },
): Promise<object[]> {
  const rows = await db
    .select()
    .from(securityEvents)
    .where(and(eq(securityEvents.email, email), eq(securityEvents.userId, id)))
    .orderBy(desc(securityEvents.createdAt), desc(securityEvents.id))
    .limit(MAX_SECURITY_EVENTS);
  return rows.map(({ kind, action, address, detail, createdAt }) => {
    const { by: _administrator, invitedBy: _owner, ...ownDetail } = detail ?? {};
    return { kind, action, address, detail: ownDetail, createdAt };
  });
}

/** Lists the designs that customers saved in the widget of the account's shop. */
async function* takeoutSavedDesigns(context: Context, actor: UserActor): AsyncGenerator<object> {
  const company = await findCompany(context, actor);
  if (!company) return;
  const { db } = context;
  const oldest = [asc(savedDesigns.createdAt), asc(savedDesigns.id)];
  const isOwn = eq(savedDesigns.companyId, company.id);
  const ids = await inCompany(db, company.id, (tx) =>
    tx
      .select({ id: savedDesigns.id })
      .from(savedDesigns)
      .where(isOwn)
      .orderBy(...oldest),
  );
  const readRows = (some: string[]) =>
    inCompany(db, company.id, (tx) =>
      tx
        .select()
        .from(savedDesigns)
        .where(inArray(savedDesigns.id, some))
        .orderBy(...oldest),
    );
  for await (const { id, composition, line, pictureKey, orderedAt, createdAt } of readInPieces(ids, readRows)) {
    yield { id, composition, line, picture: addressOf(context, pictureKey), orderedAt, createdAt };
  }
}

/**
 * The kinds of mail that only ever go to an account. Mails of other kinds may go to the same address for other people,
 * because nobody needs to verify it.
 */
const accountKinds = ['verify', 'welcome', 'reset', 'passwordChanged', 'secondFactor', 'receipt', 'makerMessage'];

/** Returns the condition for mails that went to the account of this address. */
export const isMailOfAccount = (email: string) => and(eq(mails.recipient, email), inArray(mails.kind, accountKinds));

const addressOf = (context: Context, key: string | null) => key && `${context.origin}${context.urls.sign(key)}`;

/** Returns an address at which the browser saves the file, for bytes of a stranger that no page is to show. */
const downloadAddress = (context: Context, key: string, downloadName: string) =>
  `${context.origin}${context.urls.sign(key, { downloadName })}`;

async function toOwnDesign(context: Context, design: typeof designs.$inferSelect) {
  const { id, filename, mediaType, width, height, sizeBytes, createdAt } = design;
  const uploadKey = await findUploadKey(context, design.originalKey);
  const files = {
    // Null for an SVG, which is stored in its cleaned form alone, and for a picture of earlier versions.
    asUploaded: uploadKey === undefined ? null : downloadAddress(context, uploadKey, filename),
    asShown: addressOf(context, design.originalKey),
    backgroundRemoved: addressOf(context, design.backgroundRemovedKey),
    vectorized: addressOf(context, design.vectorizedKey),
  };
  return { id, filename, mediaType, width, height, sizeBytes, createdAt, files };
}

/** Returns a composition or an entry of the library with the address of its picture. */
function withPicture(context: Context, row: typeof compositions.$inferSelect | typeof libraryEntries.$inferSelect) {
  const { userId: _owner, key: _key, pictureKey, ...rest } = row;
  return { ...rest, picture: addressOf(context, pictureKey) };
}

/** Returns a subscription in the words of the file, which has `asked` and `answered` for the numbers of requests. */
function takeoutSubscription(row: typeof subscriptions.$inferSelect): object {
  const { requestNumber, appliedRequestNumber, createdAt, updatedAt, ...rest } = withoutOwner(row);
  return { ...rest, asked: requestNumber, answered: appliedRequestNumber, createdAt, updatedAt };
}

function withoutOwner<T extends { userId: unknown }>({ userId: _owner, ...rest }: T): Omit<T, 'userId'> {
  return rest;
}
