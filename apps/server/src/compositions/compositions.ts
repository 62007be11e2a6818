/** The saved compositions of accounts: saved, listed, copied, deleted and restored. */
import {
  type CompositionSummary,
  compositionChanged,
  MAX_COMPOSITION_BYTES,
  MAX_COMPOSITIONS,
} from '@markwright/contract';
import { type Composition, MAX_NAME_LENGTH, type SavedComposition, saveComposition } from '@markwright/scene';
import { and, eq, ilike, inArray, or } from 'drizzle-orm';
import { products } from '../catalogue/tables.ts';
import { readComposition } from '../exports/renderJob.ts';
import type { Context } from '../platform/context.ts';
import type { Transaction } from '../platform/database.ts';
import { AppError } from '../platform/errors.ts';
import { newId } from '../platform/ids.ts';
import type { UserActor } from '../platform/mount.ts';
import { createKeptRows, lockAccount, patternOf } from './keptRows.ts';
import { compositions } from './tables.ts';

type CompositionRow = typeof compositions.$inferSelect;

/** The compositions as rows that an account keeps: listed, renamed, deleted and restored like library entries. */
export const keptCompositions = createKeptRows<CompositionRow, CompositionSummary>({
  table: compositions,
  folder: 'compositions/',
  most: MAX_COMPOSITIONS,
  gone: 'This design is not there any more.',
  full: `You keep ${MAX_COMPOSITIONS} designs. Delete one to keep another.`,
  show: toSummary,
});

// By names of their own, which the log tells of.
export const sweepCompositions = (context: Context): Promise<void> => keptCompositions.sweep(context);
export const sweepCompositionFiles = (context: Context): Promise<void> => keptCompositions.sweepFiles(context);

/** Lists the account's compositions, last changed first, 50 at a time. `next` is the cursor of the following page. */
export async function listCompositions(
  context: Context,
  actor: UserActor,
  { before, search }: { before?: string | undefined; search?: string | undefined },
): Promise<{ compositions: CompositionSummary[]; next: string | null }> {
  const { page, next } = await keptCompositions.readPage(context, actor, {
    order: { column: compositions.updatedAt, timeOf: (row) => row.updatedAt },
    before,
    condition: search ? isFound(context, search) : undefined,
  });
  return { compositions: page, next };
}

/** Matches a composition's name, or that of its product: a composition without a name shows the product's. */
function isFound(context: Context, search: string) {
  const pattern = patternOf(search);
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
  const row = await keptCompositions.get(context, actor, id);
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
      await keptCompositions.checkQuota(tx, actor);
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
      .where(and(eq(compositions.id, id), keptCompositions.isKept(actor)))
      .for('update');
    if (!existing) throw keptCompositions.notFound();
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

/** Copies a composition with its picture. Throws notFound, and storageFull beyond the account's quota. */
export async function duplicateComposition(
  context: Context,
  actor: UserActor,
  id: string,
  key: string,
): Promise<CompositionSummary> {
  const original = await keptCompositions.get(context, actor, id);
  const picture = original.pictureKey === null ? undefined : await context.files.get(original.pictureKey);
  const row = await context.db.transaction(async (tx) => {
    await lockAccount(tx, actor);
    const [copy] = await tx
      .select()
      .from(compositions)
      .where(and(keptCompositions.isKept(actor), eq(compositions.key, key)));
    if (copy) return copy;
    await keptCompositions.checkQuota(tx, actor);
    const composition = readComposition(original.composition);
    return insert(context, tx, actor, { key, name: copyName(original.name), composition });
  });
  if (!picture || row.pictureKey !== null) return toSummary(context, row);
  return keptCompositions.storePicture(context, actor, row, picture.bytes);
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
