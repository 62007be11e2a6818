/** Local makers: the page that an account keeps about itself, and the search for pages near a place. */
import type { Maker, MakerCard, MakerFields, MakerPhoto, MakerProduct, OwnMaker } from '@markwright/contract';
import { MAKER_LIMITS } from '@markwright/contract';
import type { MachineMode } from '@markwright/scene';
import {
  and,
  arrayContains,
  asc,
  between,
  desc,
  eq,
  inArray,
  isNotNull,
  isNull,
  notInArray,
  type SQL,
  sql,
} from 'drizzle-orm';
import { users } from '../accounts/tables.ts';
import { keeperOf } from '../allowances/storageShare.ts';
import {
  dropPicture,
  orDropPicture,
  storePictureFiles,
  sweepPictureFolder,
  thumbnailsOf,
} from '../catalogue/pictures.ts';
import { companies, companyProducts } from '../companies/tables.ts';
import type { Context } from '../platform/context.ts';
import type { Transaction } from '../platform/database.ts';
import { AppError } from '../platform/errors.ts';
import type { RequestKey } from '../platform/idempotencyKey.ts';
import { newId } from '../platform/ids.ts';
import type { UserActor } from '../platform/mount.ts';
import type { UploadedFile } from '../platform/multipart.ts';
import { callerOf } from '../platform/ownership.ts';
import { enforceRateLimits } from '../platform/rateLimit.ts';
import { makeOnce, type TakeKey } from '../platform/requestKeys.ts';
import { inCompany } from '../platform/tenancy.ts';
import { distanceKm, EARTH_DIAMETER_KM, findPlace } from './places.ts';
import { makerPhotos, makers } from './tables.ts';

export type MakerRow = typeof makers.$inferSelect;
type PhotoRow = typeof makerPhotos.$inferSelect;

const PAGE = 24;
const HOUR_MS = 3_600_000;
const KM_A_DEGREE = (EARTH_DIAMETER_KM * Math.PI) / 360;

/** The condition for pages that others may see. */
const isShown = and(eq(makers.isListed, true), isNull(makers.hiddenAt), isNotNull(makers.lat), isNotNull(makers.lon));

interface Position {
  readonly lat: number;
  readonly lon: number;
}

/** Rounds a position to about a kilometer, for privacy. */
export const blur = ({ lat, lon }: Position): Position => ({
  lat: Math.round(lat * 100) / 100,
  lon: Math.round(lon * 100) / 100,
});

/** Returns the kilometers from a position to a maker's place: `distanceKm` as an SQL expression. */
function distanceTo({ lat, lon }: Position): SQL<number> {
  return sql<number>`${EARTH_DIAMETER_KM}::float8 * asin(sqrt(least(1,
    power(sin(radians(${makers.lat} - ${lat}::float8) / 2), 2)
    + cos(radians(${lat}::float8)) * cos(radians(${makers.lat})) * power(sin(radians(${makers.lon} - ${lon}::float8) / 2), 2))))`;
}

/** A search for makers around a position, in degrees. */
export interface MakerSearch {
  readonly lat?: number | undefined;
  readonly lon?: number | undefined;
  /** The radius of the search. Absent: no limit. */
  readonly km?: number | undefined;
  readonly machine?: MachineMode | undefined;
  /** The number of makers to skip. */
  readonly from: number;
}

/**
 * Finds makers near a position, the nearest first; without a position, the newest first. Returns 24 at a time, and the
 * total.
 */
export async function findMakers(
  context: Context,
  { lat, lon, km, machine, from }: MakerSearch,
): Promise<{ makers: MakerCard[]; total: number; next: number | null }> {
  const position = lat === undefined || lon === undefined ? undefined : blur({ lat, lon });
  const distance = position && distanceTo(position);
  const filter = and(
    isShown,
    machine && arrayContains(makers.machines, [machine]),
    // The band of latitudes narrows the rows down by the index; the distance decides.
    position && km ? between(makers.lat, position.lat - km / KM_A_DEGREE, position.lat + km / KM_A_DEGREE) : undefined,
    distance && km ? sql`${distance} <= ${km}` : undefined,
  );
  const rows = await context.db
    .select({ maker: makers, distance: distance ?? sql<null>`null` })
    .from(makers)
    .where(filter)
    .orderBy(...(distance ? [asc(distance), asc(makers.id)] : [desc(makers.createdAt), desc(makers.id)]))
    .limit(PAGE)
    .offset(from);
  const total = await context.db.$count(makers, filter);
  const photos = await readPhotos(
    context,
    rows.map(({ maker }) => maker.userId),
  );
  return {
    makers: rows.map(({ maker, distance }) => toCard(context, maker, photos.get(maker.userId) ?? [], distance)),
    total,
    next: from + rows.length < total && rows.length > 0 ? from + rows.length : null,
  };
}

/** Returns a maker whose page others see. Throws the same notFound for one that is hidden, not listed, or missing. */
export async function readShownMaker(context: Context, id: string): Promise<MakerRow> {
  const [row] = await context.db
    .select()
    .from(makers)
    .where(and(isShown, eq(makers.id, id)));
  if (!row) throw notFound();
  return row;
}

/** Returns true when others can see the maker's page. The answer for a hidden page is the same as for a missing one. */
export async function isMakerShown(context: Context, id: string): Promise<boolean> {
  const [row] = await context.db
    .select({ id: makers.id })
    .from(makers)
    .where(and(isShown, eq(makers.id, id)));
  return row !== undefined;
}

/** Returns a maker's public page, with the products on the maker's profile. Throws notFound. */
export async function showMaker(
  context: Context,
  id: string,
  { lat, lon }: Partial<Position> = {},
): Promise<Omit<Maker, 'stamp'>> {
  const row = await readShownMaker(context, id);
  const photos = (await readPhotos(context, [row.userId])).get(row.userId) ?? [];
  const from = lat === undefined || lon === undefined ? undefined : blur({ lat, lon });
  return {
    ...toCard(context, row, photos, from && row.place ? distanceKm(from, row.place) : null),
    about: row.about,
    photos: photos.map((photo) => toPhoto(context, photo)),
    products: await readProfileProducts(context, row.userId),
  };
}

/**
 * Returns the nearest shown maker with this machine, without the accounts `exceptIds`, or undefined when there is none
 * within `km`. Used to route an order: `email` is for mails to the maker and must not appear in a reply.
 */
export async function nearestMaker(
  context: Context,
  {
    lat,
    lon,
    machine,
    km,
    exceptIds = [],
  }: Position & { machine: MachineMode; km?: number | undefined; exceptIds?: readonly number[] | undefined },
): Promise<{ id: string; userId: number; name: string; email: string; place: string; distanceKm: number } | undefined> {
  const distance = distanceTo({ lat, lon });
  const [row] = await context.db
    .select({ maker: makers, email: users.email, distance })
    .from(makers)
    .innerJoin(users, eq(users.id, makers.userId))
    .where(
      and(
        isShown,
        arrayContains(makers.machines, [machine]),
        notInArray(makers.userId, [...exceptIds]),
        km ? sql`${distance} <= ${km}` : undefined,
      ),
    )
    .orderBy(asc(distance), asc(makers.id))
    .limit(1);
  if (!row) return undefined;
  const { id, userId, name, place } = row.maker;
  return { id, userId, name, email: row.email, place: placeWords(place), distanceKm: row.distance };
}

/** Formats a place: `Lyon, Auvergne-Rhône-Alpes, France`. */
export function placeWords(place: MakerRow['place']): string {
  return place ? [place.name, place.region, place.country].filter(Boolean).join(', ') : '';
}

/** Returns the account's own page. Before it was saved it is empty and has the company's name. */
export async function readOwnMaker(context: Context, actor: UserActor): Promise<OwnMaker> {
  const [row] = await context.db.select().from(makers).where(eq(makers.userId, actor.id));
  if (!row) {
    const [company] = await context.db
      .select({ name: companies.name })
      .from(companies)
      .where(eq(companies.userId, actor.id));
    return { ...EMPTY, name: company?.name.slice(0, MAKER_LIMITS.name) ?? '' };
  }
  const photos = (await readPhotos(context, [actor.id])).get(actor.id) ?? [];
  return {
    id: row.id,
    name: row.name,
    about: row.about,
    place: row.place,
    machines: row.machines,
    materials: row.materials,
    delivery: row.delivery,
    turnaroundDays: row.turnaroundDays,
    photos: photos.map((photo) => toPhoto(context, photo)),
    isListed: row.isListed,
    hiddenReason: row.hiddenAt ? (row.hiddenReason ?? '') : null,
  };
}

const EMPTY: OwnMaker = {
  id: null,
  name: '',
  about: '',
  place: null,
  machines: [],
  materials: [],
  delivery: null,
  turnaroundDays: null,
  photos: [],
  isListed: false,
  hiddenReason: null,
};

/**
 * Saves the own page, all of it or nothing. Throws invalid for an unknown place and for a listed page without a name, a
 * place or a machine, forbidden for an account whose address was never verified, and conflict for photo ids that differ
 * from the page's.
 */
export async function saveMaker(
  context: Context,
  actor: UserActor,
  { placeId, photoIds, ...fields }: MakerFields,
): Promise<OwnMaker> {
  const place = placeId === null ? null : await findPlace(placeId);
  if (place === undefined) throw new AppError('invalid', 'This place is not known. Please choose one from the list.');
  if (fields.isListed) {
    if (fields.name === '') throw new AppError('invalid', 'Please give your page a name before it is listed.');
    if (!place) throw new AppError('invalid', 'Please choose your place before the page is listed.');
    if (fields.machines.length === 0) throw new AppError('invalid', 'Please say which machines you have.');
    await checkMailbox(context, actor);
  }
  await context.db.transaction(async (tx) => {
    await lockOwnRow(context, tx, actor);
    await tx
      .update(makers)
      .set({ ...fields, place, lat: place?.lat ?? null, lon: place?.lon ?? null, updatedAt: context.now() })
      .where(eq(makers.userId, actor.id));
    if (photoIds) await orderPhotos(tx, actor.id, photoIds);
  });
  return readOwnMaker(context, actor);
}

/**
 * Throws forbidden for an unverified address on a server that sends mails: customers' messages go to the account's
 * address, so nobody may list somebody else's.
 */
async function checkMailbox(context: Context, actor: UserActor): Promise<void> {
  if (!context.config.smtpUrl) return;
  const isUnverified = and(eq(users.id, actor.id), isNull(users.emailVerifiedAt));
  if ((await context.db.$count(users, isUnverified)) === 0) return;
  throw new AppError('forbidden', 'Please confirm your email address first: customers’ messages go there.');
}

async function orderPhotos(tx: Transaction, userId: number, photoIds: readonly string[]): Promise<void> {
  const photos = await tx.select({ id: makerPhotos.id }).from(makerPhotos).where(eq(makerPhotos.userId, userId));
  const ids = new Set(photoIds);
  if (ids.size !== photos.length || !photos.every(({ id }) => ids.has(id))) {
    throw new AppError('conflict', 'Your photos have changed in the meantime. Please reload the page.');
  }
  for (const [position, id] of [...ids].entries()) {
    await tx
      .update(makerPhotos)
      .set({ position })
      .where(and(eq(makerPhotos.userId, userId), eq(makerPhotos.id, id)));
  }
}

/** Removes the own page from the search immediately. The saved fields stay. */
export async function unlistMaker(context: Context, actor: UserActor): Promise<OwnMaker> {
  await context.db.update(makers).set({ isListed: false, updatedAt: context.now() }).where(eq(makers.userId, actor.id));
  return readOwnMaker(context, actor);
}

/**
 * Adds a photo. It is decoded and encoded again, so that no metadata of the camera remains. Stores the files first and
 * the row second. The same file sent again with its key is the same photo. Throws conflict beyond six, tooMany after 60
 * in an hour, and what `productPicture` throws.
 */
export async function addPhoto(
  context: Context,
  actor: UserActor,
  file: Pick<UploadedFile, 'bytes'>,
  { key, signal }: { readonly key?: RequestKey | undefined; readonly signal: AbortSignal },
): Promise<OwnMaker> {
  return makeOnce(context, actor, key, {
    make: (take) => makePhoto(context, actor, file, { take, signal }),
    find: () => readOwnMaker(context, actor),
  });
}

async function makePhoto(
  context: Context,
  actor: UserActor,
  file: Pick<UploadedFile, 'bytes'>,
  { take, signal }: { readonly take: TakeKey; readonly signal: AbortSignal },
): Promise<OwnMaker> {
  if ((await context.db.$count(makerPhotos, eq(makerPhotos.userId, actor.id))) >= MAKER_LIMITS.photos)
    throw tooManyPhotos();
  await enforceRateLimits(context, [{ key: `maker photos of ${actor.id}`, limit: 60, windowMs: HOUR_MS }]);
  const picture = await context.media.run(
    'productPicture',
    { bytes: file.bytes, accept: 'any' },
    { caller: callerOf(actor), signal },
  );
  if (picture.files[0]?.mediaType === 'image/svg+xml') {
    throw new AppError('unsupported', 'This is a drawing. Please choose a photo: JPG, PNG, WebP or AVIF.');
  }
  const { id: makerId } = await context.db.transaction((tx) => lockOwnRow(context, tx, actor));
  const storedPicture = await storePictureFiles(context, `makers/${makerId}`, picture, await keeperOf(context, actor));
  await orDropPicture(context, storedPicture, () =>
    context.db.transaction(async (tx) => {
      await lockOwnRow(context, tx, actor);
      const id = newId();
      await take(tx, id);
      const own = eq(makerPhotos.userId, actor.id);
      const count = await tx.$count(makerPhotos, own);
      if (count >= MAKER_LIMITS.photos) throw tooManyPhotos();
      const last = await tx.select({ position: makerPhotos.position }).from(makerPhotos).where(own);
      const position = Math.max(-1, ...last.map((photo) => photo.position)) + 1;
      await tx
        .insert(makerPhotos)
        .values({ id, userId: actor.id, position, ...storedPicture, createdAt: context.now() });
    }),
  );
  return readOwnMaker(context, actor);
}

const tooManyPhotos = () =>
  new AppError('conflict', `A page shows ${MAKER_LIMITS.photos} photos. Please remove one of them first.`);

/** Removes a photo, then its files. Throws notFound with the same message for somebody else's and a missing one. */
export async function deletePhoto(context: Context, actor: UserActor, id: string): Promise<OwnMaker> {
  const [deletedRow] = await context.db
    .delete(makerPhotos)
    .where(and(eq(makerPhotos.userId, actor.id), eq(makerPhotos.id, id)))
    .returning();
  if (!deletedRow) throw new AppError('notFound', 'This photo was not found. It may have been removed.');
  await dropPicture(context, deletedRow.pictureKey);
  return readOwnMaker(context, actor);
}

/** Returns the actor's own row, locked until the transaction ends. Creates it when there is none. */
async function lockOwnRow(context: Context, tx: Transaction, actor: UserActor): Promise<MakerRow> {
  const now = context.now();
  await tx
    .insert(makers)
    .values({ userId: actor.id, id: newId(), createdAt: now, updatedAt: now })
    .onConflictDoNothing();
  const [row] = await tx.select().from(makers).where(eq(makers.userId, actor.id)).for('update');
  if (!row) throw new AppError('unauthorized', 'Please sign in again.'); // deleted concurrently
  return row;
}

/** Returns the page and its photos for the takeout; null while there is none. */
export async function takeoutMaker(context: Context, actor: UserActor): Promise<object | null> {
  const { id, photos, ...page } = await readOwnMaker(context, actor);
  if (id === null) return null;
  return {
    ...page,
    address: `${context.origin}/makers/${id}`,
    photos: photos.map(({ url }) => `${context.origin}${url}`),
  };
}

/** Returns the photos by account, in their order. */
async function readPhotos(context: Context, userIds: readonly number[]): Promise<Map<number, PhotoRow[]>> {
  const byOwner = new Map<number, PhotoRow[]>();
  if (userIds.length === 0) return byOwner;
  const rows = await context.db
    .select()
    .from(makerPhotos)
    .where(inArray(makerPhotos.userId, [...userIds]))
    .orderBy(asc(makerPhotos.position), asc(makerPhotos.id));
  for (const row of rows) byOwner.set(row.userId, [...(byOwner.get(row.userId) ?? []), row]);
  return byOwner;
}

function toPhoto(context: Context, photo: PhotoRow): MakerPhoto {
  return {
    id: photo.id,
    url: context.urls.sign(photo.pictureKey),
    thumbnails: thumbnailsOf(photo, context.urls.sign),
    aspect: photo.pictureAspect,
  };
}

function toCard(context: Context, row: MakerRow, photos: readonly PhotoRow[], distance: number | null): MakerCard {
  const { id, name, place, machines, materials, delivery, turnaroundDays } = row;
  if (!place) throw new Error(`The maker ${id} is shown without a place`);
  const [first] = photos;
  const photo = first ? toPhoto(context, first) : null;
  return { id, name, place, machines, materials, delivery, turnaroundDays, photo, distanceKm: distance };
}

/**
 * Returns the products on the company's profile, by category and name. The addresses of the pictures are valid for a
 * day.
 */
async function readProfileProducts(context: Context, userId: number): Promise<MakerProduct[]> {
  const [company] = await context.db.select({ id: companies.id }).from(companies).where(eq(companies.userId, userId));
  if (!company) return [];
  const rows = await inCompany(context.db, company.id, (tx) =>
    tx
      .select()
      .from(companyProducts)
      .where(and(eq(companyProducts.companyId, company.id), isNotNull(companyProducts.submittedAt)))
      .orderBy(asc(companyProducts.category), asc(companyProducts.name))
      .limit(MAX_PRODUCTS),
  );
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    category: row.category,
    mockupImageUrl: context.urls.sign(row.pictureKey),
    thumbnails: thumbnailsOf(row, context.urls.sign),
    dimensions: row.dimensions,
    pictureAspect: row.pictureAspect,
    material: row.material,
    machines: row.machines,
  }));
}

/** The most products on a page. */
const MAX_PRODUCTS = 60;

export const notFound = () => new AppError('notFound', 'This maker is not listed here, or not any more.');

/** Deletes photo files without a row. */
export async function sweepMakerPhotos(context: Context): Promise<void> {
  const key = makerPhotos.pictureKey;
  await sweepPictureFolder(context, 'makers/', key, (isOwned) =>
    context.db.select({ key }).from(makerPhotos).where(isOwned),
  );
}
