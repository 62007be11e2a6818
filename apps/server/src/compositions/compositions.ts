/** The saved compositions of accounts: saved, listed, copied, deleted and restored. */
import {
  COMPOSITIONS_PAGE,
  type CompositionSummary,
  compositionChanged,
  MAX_COMPOSITION_BYTES,
  MAX_COMPOSITIONS,
} from '@markwright/contract';
import { type Composition, MAX_NAME_LENGTH, type SavedComposition, saveComposition } from '@markwright/scene';
import { and, desc, eq, ilike, inArray, isNotNull, isNull, lt, or, sql } from 'drizzle-orm';
import { users } from '../accounts/tables.ts';
import { keeperOf } from '../allowances/storageShare.ts';
import { products } from '../catalogue/tables.ts';
import { readComposition } from '../exports/renderJob.ts';
import type { Context } from '../platform/context.ts';
import type { Transaction } from '../platform/database.ts';
import { AppError } from '../platform/errors.ts';
import { newId } from '../platform/ids.ts';
import type { UserActor } from '../platform/mount.ts';
import { sweepOrphansOf } from '../platform/orphans.ts';
import { callerOf } from '../platform/ownership.ts';
import { compositions } from './tables.ts';

type CompositionRow = typeof compositions.$inferSelect;

/** Returns the condition of every query: the account's own, and not deleted. */
const isOwnAndNotDeleted = (actor: UserActor) => and(eq(compositions.userId, actor.id), isNull(compositions.deletedAt));

/** Lists the account's compositions, last changed first, 50 at a time. `next` is the cursor of the following page. */
export async function listCompositions(
  context: Context,
  actor: UserActor,
  { before, search }: { before?: string | undefined; search?: string | undefined },
): Promise<{ compositions: CompositionSummary[]; next: string | null }> {
  const rows = await context.db
    .select()
    .from(compositions)
    .where(
      and(
        isOwnAndNotDeleted(actor),
        before === undefined ? undefined : isOlderThan(before),
        search ? isFound(context, search) : undefined,
      ),
    )
    .orderBy(desc(compositions.updatedAt), desc(compositions.id))
    .limit(COMPOSITIONS_PAGE + 1);
  const page = rows.slice(0, COMPOSITIONS_PAGE);
  const last = page.at(-1);
  return {
    compositions: page.map((row) => toSummary(context, row)),
    next: last && rows.length > COMPOSITIONS_PAGE ? `${last.updatedAt.getTime()}.${last.id}` : null,
  };
}

function isOlderThan(place: string) {
  const [, time, id] = /^(\d{1,15})\.([\w-]{1,50})$/.exec(place) ?? [];
  if (time === undefined) throw new AppError('invalid', 'The list cannot go on from there. Please load it again.');
  return sql`(${compositions.updatedAt}, ${compositions.id}) < (${new Date(Number(time))}, ${id})`;
}

/** Matches a composition's name, or that of its product: a composition without a name shows the product's. */
function isFound(context: Context, search: string) {
  const pattern = `%${search.replace(/[\\%_]/g, '\\$&')}%`;
  const hasName = ilike(products.name, pattern);
  return or(
    ilike(compositions.name, pattern),
    inArray(compositions.productId, context.db.select({ id: products.productId }).from(products).where(hasName)),
    inArray(compositions.productId, context.db.select({ id: products.id }).from(products).where(hasName)),
  );
}

/** Returns a composition of the account. Throws notFound. */
export async function getComposition(
  context: Context,
  actor: UserActor,
  id: string,
): Promise<CompositionSummary & { composition: SavedComposition }> {
  const row = await getRow(context, actor, id);
  return { ...toSummary(context, row), composition: row.composition };
}

/**
 * Saves a composition for the first time. The key is an idempotency key: a first save whose reply was lost is sent
 * again, perhaps with more content, and then updates the row. Throws invalid, tooLarge, storageFull beyond the
 * account's quota, and conflict when the row was saved again since.
 */
export async function createComposition(
  context: Context,
  actor: UserActor,
  { key, name, composition: savedComposition }: { key: string; name: string; composition: SavedComposition },
): Promise<CompositionSummary> {
  const composition = parseSaved(savedComposition);
  const row = await context.db.transaction(async (tx) => {
    await lockAccount(tx, actor);
    const [existing] = await tx
      .select()
      .from(compositions)
      .where(and(eq(compositions.userId, actor.id), eq(compositions.key, key)));
    if (!existing) {
      await checkQuota(tx, actor);
      return insert(context, tx, actor, { key, name, composition });
    }
    if (isSame(existing.composition, composition) && !existing.deletedAt) return existing;
    if (existing.revision > 1 || existing.deletedAt) throw new AppError('conflict', compositionChanged);
    const [row] = await tx
      .update(compositions)
      .set({ ...contentOf(composition), name, updatedAt: context.now() })
      .where(eq(compositions.id, existing.id))
      .returning();
    return row!;
  });
  return toSummary(context, row);
}

async function insert(
  context: Context,
  tx: Transaction,
  actor: UserActor,
  { key, name, composition }: { key: string; name: string; composition: Composition },
): Promise<CompositionRow> {
  const now = context.now();
  const [row] = await tx
    .insert(compositions)
    .values({ id: newId(), userId: actor.id, key, name, ...contentOf(composition), createdAt: now, updatedAt: now })
    .returning();
  return row!;
}

/**
 * Saves a new revision. Saving the current content again is no change and no conflict, because the first reply may have
 * been lost. Throws notFound, invalid, tooLarge, and conflict when another save came since `revision`.
 */
export async function saveRevision(
  context: Context,
  actor: UserActor,
  id: string,
  { revision, composition: savedComposition }: { revision: number; composition: SavedComposition },
): Promise<CompositionSummary> {
  const composition = parseSaved(savedComposition);
  const row = await context.db.transaction(async (tx) => {
    const [existing] = await tx
      .select()
      .from(compositions)
      .where(and(eq(compositions.id, id), isOwnAndNotDeleted(actor)))
      .for('update');
    if (!existing) throw notFound();
    if (isSame(existing.composition, composition)) return existing;
    if (existing.revision !== revision) throw new AppError('conflict', compositionChanged);
    const [next] = await tx
      .update(compositions)
      .set({ ...contentOf(composition), revision: revision + 1, updatedAt: context.now() })
      .where(eq(compositions.id, id))
      .returning();
    return next!;
  });
  return toSummary(context, row);
}

/** Renames a composition. Throws notFound. */
export async function renameComposition(
  context: Context,
  actor: UserActor,
  id: string,
  name: string,
): Promise<CompositionSummary> {
  const [row] = await context.db
    .update(compositions)
    .set({ name })
    .where(and(eq(compositions.id, id), isOwnAndNotDeleted(actor)))
    .returning();
  if (!row) throw notFound();
  return toSummary(context, row);
}

/** Copies a composition with its picture. Throws notFound, and storageFull beyond the account's quota. */
export async function duplicateComposition(
  context: Context,
  actor: UserActor,
  id: string,
  key: string,
): Promise<CompositionSummary> {
  const original = await getRow(context, actor, id);
  const picture = original.pictureKey === null ? undefined : await context.files.get(original.pictureKey);
  const row = await context.db.transaction(async (tx) => {
    await lockAccount(tx, actor);
    const [copy] = await tx
      .select()
      .from(compositions)
      .where(and(isOwnAndNotDeleted(actor), eq(compositions.key, key)));
    if (copy) return copy;
    await checkQuota(tx, actor);
    const composition = readComposition(original.composition);
    return insert(context, tx, actor, { key, name: copyName(original.name), composition });
  });
  if (!picture || row.pictureKey !== null) return toSummary(context, row);
  return toSummary(context, await storePicture(context, actor, row, picture.bytes));
}

/** Returns `Wedding (copy)`, within the length limit. A composition without a name stays without. */
function copyName(name: string): string {
  const ending = ' (copy)';
  return (
    name &&
    name
      .slice(0, MAX_NAME_LENGTH - ending.length)
      .replace(/\p{Cs}$/u, '')
      .trimEnd() + ending
  );
}

/** Stores the small picture of a composition. Throws notFound, and what `thumbnail` throws for invalid bytes. */
export async function setPicture(
  context: Context,
  actor: UserActor,
  id: string,
  bytes: Uint8Array,
  signal: AbortSignal,
): Promise<CompositionSummary> {
  const row = await getRow(context, actor, id);
  const { webp } = await context.media.run('thumbnail', { bytes }, { caller: callerOf(actor), signal });
  return toSummary(context, await storePicture(context, actor, row, webp));
}

/** Stores the file first, updates the row second and deletes the old picture last: a crash leaves an orphaned file. */
async function storePicture(
  context: Context,
  actor: UserActor,
  { id, pictureKey: oldKey }: CompositionRow,
  webp: Uint8Array,
): Promise<CompositionRow> {
  const pictureKey = `compositions/${id}/${newId()}.webp`;
  await context.files.put(pictureKey, webp, 'image/webp', await keeperOf(context, actor));
  const [row] = await context.db
    .update(compositions)
    .set({ pictureKey })
    .where(and(eq(compositions.id, id), isOwnAndNotDeleted(actor)))
    .returning();
  if (!row) {
    await context.files.delete(pictureKey);
    throw notFound();
  }
  if (oldKey !== null) await context.files.delete(oldKey);
  return row;
}

/** Deletes a composition. For a day `restoreComposition` can bring it back. Throws notFound. */
export async function removeComposition(context: Context, actor: UserActor, id: string): Promise<{ ok: true }> {
  const rows = await context.db
    .update(compositions)
    .set({ deletedAt: context.now() })
    .where(and(eq(compositions.id, id), isOwnAndNotDeleted(actor)))
    .returning({ id: compositions.id });
  if (rows.length === 0) throw notFound();
  return { ok: true };
}

/**
 * Restores a deleted composition; one that was not deleted is returned unchanged. Throws notFound once the day is over,
 * and storageFull.
 */
export async function restoreComposition(context: Context, actor: UserActor, id: string): Promise<CompositionSummary> {
  const row = await context.db.transaction(async (tx) => {
    await lockAccount(tx, actor);
    const isOwn = and(eq(compositions.id, id), eq(compositions.userId, actor.id));
    const [existing] = await tx.select().from(compositions).where(isOwn);
    if (!existing) throw notFound();
    if (!existing.deletedAt) return existing;
    await checkQuota(tx, actor);
    const [restoredRow] = await tx.update(compositions).set({ deletedAt: null }).where(isOwn).returning();
    return restoredRow!;
  });
  return toSummary(context, row);
}

const KEEP_DELETED_MS = 24 * 60 * 60 * 1000;
const SWEEP_LENGTH = 500;

/** Deletes compositions for good that were deleted a day ago: the row first, so that a crash leaves orphaned files. */
export async function sweepCompositions(context: Context): Promise<void> {
  const yesterday = new Date(context.now().getTime() - KEEP_DELETED_MS);
  const old = await context.db
    .select({ id: compositions.id })
    .from(compositions)
    .where(lt(compositions.deletedAt, yesterday))
    .limit(SWEEP_LENGTH);
  for (const { id } of old) {
    // A composition that was restored concurrently stays.
    const rows = await context.db
      .delete(compositions)
      .where(and(eq(compositions.id, id), isNotNull(compositions.deletedAt)))
      .returning({ id: compositions.id });
    if (rows.length === 0) continue;
    await context.files.deleteFolder(`compositions/${id}/`);
  }
}

async function getRow(context: Context, actor: UserActor, id: string): Promise<CompositionRow> {
  const [row] = await context.db
    .select()
    .from(compositions)
    .where(and(eq(compositions.id, id), isOwnAndNotDeleted(actor)));
  if (!row) throw notFound();
  return row;
}

const notFound = () => new AppError('notFound', 'This design is not there any more.');

/** Locks the account, because the number of what it keeps changes one transaction at a time. */
export async function lockAccount(tx: Transaction, actor: UserActor): Promise<void> {
  const [account] = await tx.select({ id: users.id }).from(users).where(eq(users.id, actor.id)).for('no key update');
  if (!account) throw new AppError('unauthorized', 'Your account is not there any more.');
}

async function checkQuota(tx: Transaction, actor: UserActor): Promise<void> {
  if ((await tx.$count(compositions, isOwnAndNotDeleted(actor))) < MAX_COMPOSITIONS) return;
  throw new AppError('storageFull', `You keep ${MAX_COMPOSITIONS} designs. Delete one to keep another.`);
}

/** The most that a client's composition may take, as JSON, and the sentence for one that takes more. */
interface Room {
  readonly maxBytes: number;
  readonly refusal: string;
}
const compositionRoom: Room = { maxBytes: MAX_COMPOSITION_BYTES, refusal: 'This design is too large to be saved.' };

/** Parses a client's composition into the stored form. Throws invalid and tooLarge. */
export function parseSaved(savedComposition: SavedComposition, room = compositionRoom): Composition {
  const text = JSON.stringify(savedComposition.data) ?? '';
  if (Buffer.byteLength(text) > room.maxBytes) throw new AppError('tooLarge', room.refusal);
  const composition = readComposition(savedComposition);
  if (hasUnstorable(composition)) throw new AppError('invalid', 'There is a character in it that cannot be stored.');
  return composition;
}

/** Returns true for text with a zero character or a lone surrogate, which PostgreSQL cannot store. */
function hasUnstorable(value: unknown): boolean {
  if (typeof value === 'string') return /[\0\p{Cs}]/u.test(value);
  return typeof value === 'object' && value !== null && Object.values(value).some(hasUnstorable);
}

const contentOf = (composition: Composition) => ({
  composition: saveComposition(composition),
  productId: composition.productId ?? null,
});

/**
 * Compares two compositions. Both come out of the schema with their fields in its order, whatever order the database
 * returns.
 */
const isSame = (storedComposition: SavedComposition, composition: Composition): boolean =>
  JSON.stringify(readComposition(storedComposition)) === JSON.stringify(composition);

function toSummary(context: Context, row: CompositionRow): CompositionSummary {
  return {
    id: row.id,
    name: row.name,
    productId: row.productId,
    pictureUrl: row.pictureKey === null ? null : context.urls.sign(row.pictureKey),
    revision: row.revision,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

/** Deletes files of compositions without a row, because of a crash or a deleted account. */
export async function sweepCompositionFiles(context: Context): Promise<void> {
  await sweepOrphansOf(context, 'compositions/', compositions);
}
