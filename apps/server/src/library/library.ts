/**
 * The library of an account: elements that are kept, to be placed in other compositions, and templates to begin with.
 * An entry refers to designs of its account by their ids, as a composition does: an account's designs stay for as long
 * as the account.
 */
import {
  type CallBody,
  type LibraryKind,
  type library,
  MAX_LIBRARY_ENTRIES,
  MAX_LIBRARY_ENTRY_BYTES,
  type SavedElements,
  type SavedElementsDetail,
} from '@markwright/contract';
import { artworksOf, type Composition, emptyComposition, parseComposition, saveComposition } from '@markwright/scene';
import { countOpenParts } from '@markwright/scene/customer';
import { and, eq, ilike } from 'drizzle-orm';
import { parseSaved } from '../compositions/compositions.ts';
import { createKeptRows, lockAccount, patternOf } from '../compositions/keptRows.ts';
import { getDesigns } from '../designs/ownDesigns.ts';
import type { Context } from '../platform/context.ts';
import { AppError } from '../platform/errors.ts';
import { newId } from '../platform/ids.ts';
import type { UserActor } from '../platform/mount.ts';
import { ownerOf } from '../platform/ownership.ts';
import { enforceRateLimits, type RateLimit } from '../platform/rateLimit.ts';
import { libraryEntries } from './tables.ts';

type EntryRow = typeof libraryEntries.$inferSelect;

/** The entries as rows that an account keeps: listed, renamed, deleted and restored like saved compositions. */
export const keptEntries = createKeptRows<EntryRow, SavedElements>({
  table: libraryEntries,
  folder: 'library/',
  most: MAX_LIBRARY_ENTRIES,
  gone: 'This is not in your library any more.',
  full: `Your library holds ${MAX_LIBRARY_ENTRIES} entries. Delete one to save another.`,
  show: toEntry,
});

// By names of their own, which the log tells of.
export const sweepLibrary = (context: Context): Promise<void> => keptEntries.sweep(context);
export const sweepLibraryFiles = (context: Context): Promise<void> => keptEntries.sweepFiles(context);

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
  const { page, next } = await keptEntries.readPage(context, actor, {
    order: { column: libraryEntries.createdAt, timeOf: (row) => row.createdAt },
    before,
    condition: and(
      kind === undefined ? undefined : eq(libraryEntries.kind, kind),
      search ? ilike(libraryEntries.name, patternOf(search)) : undefined,
    ),
  });
  return { entries: page, next };
}

/** Returns an entry of the account with its elements. Throws notFound. */
export async function getEntry(context: Context, actor: UserActor, id: string): Promise<SavedElementsDetail> {
  const row = await keptEntries.get(context, actor, id);
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
    await keptEntries.checkQuota(tx, actor);
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
  const row = await keptEntries.get(context, actor, id);
  if (row.kind !== 'template') throw keptEntries.notFound();
  return { name: row.name, composition: compositionOf(row) };
}

const compositionOf = ({ composition }: EntryRow): Composition => parseComposition(composition);

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
