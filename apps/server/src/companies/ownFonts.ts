/**
 * An account's own fonts, shared within its company. Of a stranger's file only what a child process made of its
 * outlines is stored. A font never changes: a text that names it by its id is set alike for as long as it is there.
 */
import { type CallReplyInput, OWN_FONT_LIMITS, type ownFontCalls, toLabel } from '@markwright/contract';
import { and, asc, eq, inArray, sql } from 'drizzle-orm';
import { keeperOf } from '../allowances/storageShare.ts';
import type { Context } from '../platform/context.ts';
import type { Transaction } from '../platform/database.ts';
import { AppError } from '../platform/errors.ts';
import { newId } from '../platform/ids.ts';
import type { Actor, UserActor } from '../platform/mount.ts';
import type { UploadedFile } from '../platform/multipart.ts';
import { idInKey, sweepOrphans } from '../platform/orphans.ts';
import { callerOf } from '../platform/ownership.ts';
import type { OwnFontFile } from '../platform/ports/mediaJobs.ts';
import { PoisonJobError } from '../platform/ports/mediaPool.ts';
import { checkRoom } from '../platform/storage.ts';
import { inCompany, withinTenantScope } from '../platform/tenancy.ts';
import { findCompany, getCompany } from './companies.ts';
import { companyFonts } from './tables.ts';

export type OwnFontRow = typeof companyFonts.$inferSelect;
type OwnFontReply = CallReplyInput<typeof ownFontCalls.add>;

/** Returns the key of a font's outlines. */
export const ownFontKey = (id: string) => `fonts/${id}/outlines.otf`;
const noFont = () => new AppError('notFound', 'This font is not among yours any more.');

/** Lists the fonts of the actor's company by their names. */
export async function listOwnFonts(context: Context, actor: UserActor): Promise<OwnFontReply[]> {
  return (await listOwnFontRows(context, actor)).map((row) => toOwnFont(context, row));
}

/** Returns the rows of the actor's company by their names. */
export async function listOwnFontRows(context: Context, actor: UserActor): Promise<OwnFontRow[]> {
  const company = await findCompany(context, actor);
  if (!company) return [];
  return inCompany(context.db, company.id, (tx) =>
    tx
      .select()
      .from(companyFonts)
      .where(eq(companyFonts.companyId, company.id))
      .orderBy(sql`lower(${companyFonts.name})`, asc(companyFonts.createdAt), asc(companyFonts.id)),
  );
}

/**
 * Reads a font in a child process and adds its outlines: the file first, then its row. Throws unprocessable for a file
 * that is no font, tooLarge, quotaReached, and conflict when the account has as many as it may.
 */
export async function addOwnFont(
  context: Context,
  actor: UserActor,
  { bytes, filename }: UploadedFile,
  signal: AbortSignal,
): Promise<OwnFontReply> {
  const keeper = await keeperOf(context, actor);
  await checkRoom(context.db, keeper, bytes.length);
  const font = await context.media.run('ownFont', { bytes }, { caller: callerOf(actor), signal }).catch(toFontError);
  const name = toLabel(font.name || filename.replace(/\.\w+$/, ''))
    .slice(0, OWN_FONT_LIMITS.nameLength)
    .trim();
  const { id: companyId } = await getCompany(context, actor);
  const row = {
    ...{ companyId, id: newId(), name: name || 'Font', letters: font.letters },
    ...{ sizeBytes: font.bytes.length, createdAt: context.now() },
  };
  await context.files.put(ownFontKey(row.id), font.bytes, 'font/otf', keeper);
  try {
    await inCompany(context.db, companyId, async (tx) => {
      // One after the other: simultaneous calls would each count the same fonts.
      await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`fonts ${companyId}`}, 0))`);
      if ((await tx.$count(companyFonts, eq(companyFonts.companyId, companyId))) >= OWN_FONT_LIMITS.fonts) {
        throw new AppError('conflict', `You can have ${OWN_FONT_LIMITS.fonts} fonts. Please delete one first.`);
      }
      await tx.insert(companyFonts).values(row);
    });
  } catch (error) {
    await context.files.delete(ownFontKey(row.id));
    throw error;
  }
  return toOwnFont(context, row);
}

/** A font that breaks its process is not a picture. */
function toFontError(error: unknown): never {
  if (!(error instanceof PoisonJobError)) throw error;
  throw new AppError(
    'unprocessable',
    'This font could not be read: it takes too much time or memory. Please choose another one.',
  );
}

/** Changes the name. Throws notFound, also for another company's. */
export async function renameOwnFont(
  context: Context,
  actor: UserActor,
  id: string,
  name: string,
): Promise<OwnFontReply> {
  const company = await findCompany(context, actor);
  if (!company) throw noFont();
  const [row] = await inCompany(context.db, company.id, (tx) =>
    tx
      .update(companyFonts)
      .set({ name })
      .where(isOf(company.id, [id]))
      .returning(),
  );
  if (!row) throw noFont();
  return toOwnFont(context, row);
}

/** A check whether something that is being made needs a font. */
export interface FontNeeds {
  /** True while something is being made with the font. Runs in the transaction of the deletion. */
  isInUse(tx: Transaction, id: string): Promise<boolean>;
}

/**
 * Deletes a font. Throws notFound, also for another company's, and conflict while a list of names is made with it: the
 * font's row is locked, as `holdOwnFonts` does, so that one of the two comes first.
 */
export async function removeOwnFont(
  context: Context,
  actor: UserActor,
  id: string,
  { isInUse }: FontNeeds,
): Promise<{ ok: true }> {
  const company = await findCompany(context, actor);
  if (!company) throw noFont();
  await context.db.transaction(async (tx) => {
    const rows = await withinTenantScope(tx, { company: company.id }, () =>
      tx
        .delete(companyFonts)
        .where(isOf(company.id, [id]))
        .returning({ id: companyFonts.id }),
    );
    if (rows.length === 0) throw noFont();
    if (await isInUse(tx, id)) {
      throw new AppError('conflict', 'A list of names is being made with this font. Delete it when that is done.');
    }
  });
  await context.files.delete(ownFontKey(id));
  return { ok: true };
}

/**
 * Finds fonts of the actor's company by their ids. Throws unprocessable when one is not there: it was deleted, or is
 * another company's.
 */
export async function findOwnFonts(
  context: Context,
  actor: Actor,
  ids: readonly string[],
): Promise<readonly OwnFontRow[]> {
  if (ids.length === 0) return [];
  const company = actor.kind === 'guest' ? undefined : await findCompany(context, actor);
  const rows = company
    ? await inCompany(context.db, company.id, (tx) => tx.select().from(companyFonts).where(isOf(company.id, ids)))
    : [];
  if (rows.length < new Set(ids).size) throw fontIsGone();
  return rows;
}

/**
 * Locks fonts for the rest of a transaction that begins something that needs them. Throws as `findOwnFonts`.
 */
export async function holdOwnFonts(tx: Transaction, fonts: readonly OwnFontRow[]): Promise<void> {
  const [first] = fonts;
  if (!first) return;
  const ids = fonts.map(({ id }) => id);
  const rows = await withinTenantScope(tx, { company: first.companyId }, () =>
    tx.select({ id: companyFonts.id }).from(companyFonts).where(isOf(first.companyId, ids)).for('share'),
  );
  if (rows.length < ids.length) throw fontIsGone();
}

/** Reads the outlines of fonts. Throws as `findOwnFonts`. */
export async function readOwnFonts(context: Context, fonts: readonly OwnFontRow[]): Promise<readonly OwnFontFile[]> {
  return Promise.all(
    fonts.map(async ({ id }) => {
      const file = await context.files.get(ownFontKey(id));
      if (!file) throw fontIsGone();
      return { id, bytes: file.bytes };
    }),
  );
}

const fontIsGone = () =>
  new AppError(
    'unprocessable',
    'A text is set in a font that was deleted or is not yours. Please choose another font for it.',
  );

const isOf = (companyId: string, ids: readonly string[]) =>
  and(eq(companyFonts.companyId, companyId), inArray(companyFonts.id, [...ids]));

const toOwnFont = (context: Context, { id, name, letters, sizeBytes, createdAt }: OwnFontRow): OwnFontReply => ({
  ...{ id, name, letters, sizeBytes },
  url: context.urls.sign(ownFontKey(id)),
  createdAt: createdAt.toISOString(),
});

/** Deletes the outlines of fonts without a row. */
export async function sweepOwnFonts(context: Context): Promise<void> {
  await sweepOrphans(context, 'fonts/', {
    ownerOf: idInKey,
    findExisting: async (ids) => {
      const { id } = companyFonts;
      const rows = await inCompany(context.db, '*', (tx) =>
        tx
          .select({ id })
          .from(companyFonts)
          .where(inArray(id, [...ids])),
      );
      return new Set(rows.map((row) => row.id));
    },
  });
}
