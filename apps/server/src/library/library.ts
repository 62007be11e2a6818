/**
 * The library of an account: elements that are kept, to be placed in other compositions, and templates to begin with.
 * An entry refers to designs of its account by their ids, as a composition does: an account's designs stay for as long
 * as the account.
 */
import {
  type CallBody,
  LIBRARY_PAGE,
  type LibraryKind,
  type library,
  MAX_LIBRARY_ENTRIES,
  MAX_LIBRARY_ENTRY_BYTES,
  type SavedElements,
  type SavedElementsDetail,
} from '@markwright/contract';
import { artworksOf, type Composition, emptyComposition, parseComposition, saveComposition } from '@markwright/scene';
import { countOpenParts } from '@markwright/scene/customer';
import { and, desc, eq, ilike, isNotNull, isNull, lt, sql } from 'drizzle-orm';
import { keeperOf } from '../allowances/storageShare.ts';
import { lockAccount, parseSaved } from '../compositions/compositions.ts';
import { getDesigns } from '../designs/ownDesigns.ts';
import type { Context } from '../platform/context.ts';
import type { Transaction } from '../platform/database.ts';
import { AppError } from '../platform/errors.ts';
import { newId } from '../platform/ids.ts';
import type { UserActor } from '../platform/mount.ts';
import { sweepOrphansOf } from '../platform/orphans.ts';
import { callerOf, ownerOf } from '../platform/ownership.ts';
import { enforceRateLimits, type RateLimit } from '../platform/rateLimit.ts';
import { libraryEntries } from './tables.ts';

type EntryRow = typeof libraryEntries.$inferSelect;

/** Returns the condition of every query: the account's own, and not deleted. */
const isOwnAndNotDeleted = (actor: UserActor) =>
  and(eq(libraryEntries.userId, actor.id), isNull(libraryEntries.deletedAt));

/** Deleted entries take room for a day, beyond the quota. */
const savingLimit = (actor: UserActor): RateLimit => ({
  key: `library ${ownerOf(actor)}`,
  limit: 600,
  windowMs: 60 * 60 * 1000,
});

/** Lists the entries of the account, the newest first, 50 at a time. `next` is the cursor of the following page. */
export async function listEntries(
  context: Context,
  actor: UserActor,
  {
    before,
    search,
    kind,
  }: { before?: string | undefined; search?: string | undefined; kind?: LibraryKind | undefined },
): Promise<{ entries: SavedElements[]; next: string | null }> {
  const rows = await context.db
    .select()
    .from(libraryEntries)
    .where(
      and(
        isOwnAndNotDeleted(actor),
        kind === undefined ? undefined : eq(libraryEntries.kind, kind),
        before === undefined ? undefined : isOlderThan(before),
        search ? ilike(libraryEntries.name, `%${search.replace(/[\\%_]/g, '\\$&')}%`) : undefined,
      ),
    )
    .orderBy(desc(libraryEntries.createdAt), desc(libraryEntries.id))
    .limit(LIBRARY_PAGE + 1);
  const page = rows.slice(0, LIBRARY_PAGE);
  const last = page.at(-1);
  return {
    entries: page.map((row) => toEntry(context, row)),
    next: last && rows.length > LIBRARY_PAGE ? `${last.createdAt.getTime()}.${last.id}` : null,
  };
}

function isOlderThan(place: string) {
  const [, time, id] = /^(\d{1,15})\.([\w-]{1,50})$/.exec(place) ?? [];
  if (time === undefined) throw new AppError('invalid', 'The list cannot go on from there. Please load it again.');
  return sql`(${libraryEntries.createdAt}, ${libraryEntries.id}) < (${new Date(Number(time))}, ${id})`;
}

/** Returns an entry of the account with its elements. Throws notFound. */
export async function getEntry(context: Context, actor: UserActor, id: string): Promise<SavedElementsDetail> {
  const row = await getRow(context, actor, id);
  return {
    ...toEntry(context, row),
    area: { widthMm: row.areaWidthMm, heightMm: row.areaHeightMm },
    composition: row.composition,
  };
}

/**
 * Keeps elements or a template. The key is an idempotency key: the same call sent again returns the entry that it
 * made. Of elements, they and the machine mode are kept; of a template, the whole composition. Throws invalid without
 * elements, notFound for a design that is not the account's, tooLarge, storageFull beyond the account's quota, tooMany,
 * and conflict for the key of an entry that was deleted.
 */
export async function createEntry(
  context: Context,
  actor: UserActor,
  { key, kind, name, composition: savedComposition, area, widthMm, heightMm }: CallBody<typeof library.create>,
): Promise<SavedElements> {
  const composition = parseSaved(savedComposition, {
    maxBytes: MAX_LIBRARY_ENTRY_BYTES,
    refusal: 'This is too large for the library. Save it in parts.',
  });
  const { machine, elements } = composition;
  if (elements.length === 0) throw new AppError('invalid', 'There is nothing to save. Select an element first.');
  const designIds = new Set(artworksOf({ elements }).map(({ designId }) => designId));
  await getDesigns(context, actor, [...designIds]);
  await enforceRateLimits(context, [savingLimit(actor)]);

  const row = await context.db.transaction(async (tx) => {
    await lockAccount(tx, actor);
    const isIt = and(eq(libraryEntries.userId, actor.id), eq(libraryEntries.key, key));
    const [existing] = await tx.select().from(libraryEntries).where(isIt);
    if (existing?.deletedAt) throw new AppError('conflict', 'This was deleted from the library. Please save it again.');
    if (existing) return existing;
    await checkQuota(tx, actor);
    const [insertedRow] = await tx
      .insert(libraryEntries)
      .values({
        id: newId(),
        userId: actor.id,
        key,
        kind,
        name,
        composition: saveComposition(kind === 'template' ? composition : { ...emptyComposition, machine, elements }),
        areaWidthMm: area.widthMm,
        areaHeightMm: area.heightMm,
        widthMm,
        heightMm,
        createdAt: context.now(),
      })
      .returning();
    return insertedRow!;
  });
  return toEntry(context, row);
}

/** Returns a template of the account: its name and its composition. Throws notFound, also for an entry of elements. */
export async function getTemplate(
  context: Context,
  actor: UserActor,
  id: string,
): Promise<{ name: string; composition: Composition }> {
  const row = await getRow(context, actor, id);
  if (row.kind !== 'template') throw notFound();
  return { name: row.name, composition: compositionOf(row) };
}

const compositionOf = ({ composition }: EntryRow): Composition => parseComposition(composition);

/** Renames an entry. Throws notFound. */
export async function renameEntry(
  context: Context,
  actor: UserActor,
  id: string,
  name: string,
): Promise<SavedElements> {
  const [row] = await context.db
    .update(libraryEntries)
    .set({ name })
    .where(and(eq(libraryEntries.id, id), isOwnAndNotDeleted(actor)))
    .returning();
  if (!row) throw notFound();
  return toEntry(context, row);
}

/**
 * Stores the small picture of an entry: the file first, then the row, and the old picture is deleted last, so that a
 * crash leaves an orphaned file. Throws notFound, and what `thumbnail` throws for invalid bytes.
 */
export async function setPicture(
  context: Context,
  actor: UserActor,
  id: string,
  bytes: Uint8Array,
  signal: AbortSignal,
): Promise<SavedElements> {
  const { pictureKey: oldKey } = await getRow(context, actor, id);
  const { webp } = await context.media.run('thumbnail', { bytes }, { caller: callerOf(actor), signal });
  const pictureKey = `library/${id}/${newId()}.webp`;
  await context.files.put(pictureKey, webp, 'image/webp', await keeperOf(context, actor));
  const [row] = await context.db
    .update(libraryEntries)
    .set({ pictureKey })
    .where(and(eq(libraryEntries.id, id), isOwnAndNotDeleted(actor)))
    .returning();
  if (!row) {
    await context.files.delete(pictureKey);
    throw notFound();
  }
  if (oldKey !== null) await context.files.delete(oldKey);
  return toEntry(context, row);
}

/** Deletes an entry. For a day `restoreEntry` can bring it back. Throws notFound. */
export async function removeEntry(context: Context, actor: UserActor, id: string): Promise<{ ok: true }> {
  const rows = await context.db
    .update(libraryEntries)
    .set({ deletedAt: context.now() })
    .where(and(eq(libraryEntries.id, id), isOwnAndNotDeleted(actor)))
    .returning({ id: libraryEntries.id });
  if (rows.length === 0) throw notFound();
  return { ok: true };
}

/**
 * Restores a deleted entry; one that was not deleted is returned unchanged. Throws notFound once the day is over, and
 * storageFull.
 */
export async function restoreEntry(context: Context, actor: UserActor, id: string): Promise<SavedElements> {
  const row = await context.db.transaction(async (tx) => {
    await lockAccount(tx, actor);
    const isOwn = and(eq(libraryEntries.id, id), eq(libraryEntries.userId, actor.id));
    const [existing] = await tx.select().from(libraryEntries).where(isOwn);
    if (!existing) throw notFound();
    if (!existing.deletedAt) return existing;
    await checkQuota(tx, actor);
    const [restoredRow] = await tx.update(libraryEntries).set({ deletedAt: null }).where(isOwn).returning();
    return restoredRow!;
  });
  return toEntry(context, row);
}

const KEEP_DELETED_MS = 24 * 60 * 60 * 1000;
const SWEEP_LENGTH = 500;

/** Deletes entries for good that were deleted a day ago: the row first, so that a crash leaves orphaned files. */
export async function sweepLibrary(context: Context): Promise<void> {
  const yesterday = new Date(context.now().getTime() - KEEP_DELETED_MS);
  const isOld = and(isNotNull(libraryEntries.deletedAt), lt(libraryEntries.deletedAt, yesterday));
  const old = await context.db.select({ id: libraryEntries.id }).from(libraryEntries).where(isOld).limit(SWEEP_LENGTH);
  for (const { id } of old) {
    // An entry that was restored concurrently stays.
    const rows = await context.db
      .delete(libraryEntries)
      .where(and(eq(libraryEntries.id, id), isOld))
      .returning({ id: libraryEntries.id });
    if (rows.length > 0) await context.files.deleteFolder(`library/${id}/`);
  }
}

/** Deletes pictures of entries without a row, because of a crash or a deleted account. */
export async function sweepLibraryFiles(context: Context): Promise<void> {
  await sweepOrphansOf(context, 'library/', libraryEntries);
}

async function getRow(context: Context, actor: UserActor, id: string): Promise<EntryRow> {
  const [row] = await context.db
    .select()
    .from(libraryEntries)
    .where(and(eq(libraryEntries.id, id), isOwnAndNotDeleted(actor)));
  if (!row) throw notFound();
  return row;
}

const notFound = () => new AppError('notFound', 'This is not in your library any more.');

async function checkQuota(tx: Transaction, actor: UserActor): Promise<void> {
  if ((await tx.$count(libraryEntries, isOwnAndNotDeleted(actor))) < MAX_LIBRARY_ENTRIES) return;
  throw new AppError('storageFull', `Your library holds ${MAX_LIBRARY_ENTRIES} entries. Delete one to save another.`);
}

function toEntry(context: Context, row: EntryRow): SavedElements {
  return {
    id: row.id,
    kind: row.kind,
    name: row.name,
    openParts: row.kind === 'template' ? countOpenParts(compositionOf(row)) : 0,
    widthMm: row.widthMm,
    heightMm: row.heightMm,
    pictureUrl: row.pictureKey === null ? null : context.urls.sign(row.pictureKey),
    createdAt: row.createdAt.toISOString(),
  };
}
