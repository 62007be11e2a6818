/** A shop's own ICC profiles, by which PDF and TIFF files get their four inks. */
import { INK_PROFILE_LIMITS, type InkProfile, toLabel } from '@markwright/contract';
import { and, asc, eq, inArray, sql } from 'drizzle-orm';
import { keeperOf } from '../allowances/storageShare.ts';
import type { Context } from '../platform/context.ts';
import type { Transaction } from '../platform/database.ts';
import { AppError } from '../platform/errors.ts';
import type { RequestKey } from '../platform/idempotencyKey.ts';
import { newId } from '../platform/ids.ts';
import type { UserActor } from '../platform/mount.ts';
import type { UploadedFile } from '../platform/multipart.ts';
import { idInKey, sweepOrphans } from '../platform/orphans.ts';
import { callerOf } from '../platform/ownership.ts';
import type { InkProfileFile } from '../platform/ports/mediaJobs.ts';
import { makeOnce, type TakeKey } from '../platform/requestKeys.ts';
import { inCompany, withinTenantScope } from '../platform/tenancy.ts';
import { findCompany, getCompany } from './companies.ts';
import { companyInkProfiles } from './tables.ts';

/** Returns the key of a profile's file. */
export const inkProfileKey = (id: string) => `profiles/${id}/profile.icc`;
const noProfile = () =>
  new AppError('notFound', 'This color profile is not among those of your shop. Please choose again.');

/** Lists the profiles of the actor's company, the first one added first. */
export async function listInkProfiles(context: Context, actor: UserActor): Promise<InkProfile[]> {
  const company = await findCompany(context, actor);
  if (!company) return [];
  const rows = await inCompany(context.db, company.id, (tx) =>
    tx
      .select()
      .from(companyInkProfiles)
      .where(eq(companyInkProfiles.companyId, company.id))
      .orderBy(asc(companyInkProfiles.createdAt), asc(companyInkProfiles.id)),
  );
  return rows.map(toInkProfile);
}

/**
 * Checks a profile in a child process and adds it: the file first, then its row. Throws unprocessable for a file that
 * is no CMYK output profile, and conflict when the company has as many as it may. The same file sent again with its key
 * is the same profile.
 */
export async function addInkProfile(
  context: Context,
  actor: UserActor,
  file: UploadedFile,
  { key, signal }: { readonly key?: RequestKey | undefined; readonly signal: AbortSignal },
): Promise<InkProfile> {
  return makeOnce(context, actor, key, {
    make: (take) => makeInkProfile(context, actor, file, { take, signal }),
    async find(id) {
      const { id: companyId } = await getCompany(context, actor);
      const [row] = await inCompany(context.db, companyId, (tx) =>
        tx.select().from(companyInkProfiles).where(isOf(companyId, id)),
      );
      return row && toInkProfile(row);
    },
  });
}

async function makeInkProfile(
  context: Context,
  actor: UserActor,
  { bytes, filename }: UploadedFile,
  { take, signal }: { readonly take: TakeKey; readonly signal: AbortSignal },
): Promise<InkProfile> {
  const { description } = await context.media.run('inkProfile', { bytes }, { caller: callerOf(actor), signal });
  const name = toLabel(description || filename).slice(0, INK_PROFILE_LIMITS.nameLength) || 'ICC profile';
  const { id: companyId } = await getCompany(context, actor);
  const row = { companyId, id: newId(), name, sizeBytes: bytes.length, createdAt: context.now() };
  await context.files.put(inkProfileKey(row.id), bytes, 'application/vnd.iccprofile', await keeperOf(context, actor));
  try {
    await context.db.transaction(async (tx) => {
      await take(tx, row.id);
      await withinTenantScope(tx, { company: companyId }, () => insertInkProfile(tx, row));
    });
  } catch (error) {
    await context.files.delete(inkProfileKey(row.id));
    throw error;
  }
  return toInkProfile(row);
}

async function insertInkProfile(tx: Transaction, row: typeof companyInkProfiles.$inferInsert): Promise<void> {
  const { companyId } = row;
  // One after the other: simultaneous calls would each count the same profiles.
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`ink profiles ${companyId}`}, 0))`);
  const profileCount = await tx.$count(companyInkProfiles, eq(companyInkProfiles.companyId, companyId));
  if (profileCount >= INK_PROFILE_LIMITS.profiles) {
    throw new AppError('conflict', `A shop can have ${INK_PROFILE_LIMITS.profiles} profiles. Please delete one first.`);
  }
  await tx.insert(companyInkProfiles).values(row);
}

/** Deletes a profile. Throws notFound, also for another company's. */
export async function removeInkProfile(context: Context, actor: UserActor, id: string): Promise<{ ok: true }> {
  const company = await findCompany(context, actor);
  if (!company) throw noProfile();
  const rows = await inCompany(context.db, company.id, (tx) =>
    tx.delete(companyInkProfiles).where(isOf(company.id, id)).returning({ id: companyInkProfiles.id }),
  );
  if (rows.length === 0) throw noProfile();
  await context.files.delete(inkProfileKey(id));
  return { ok: true };
}

/** Reads a profile of the actor's company. Throws notFound, also for another company's. */
export async function readInkProfile(context: Context, actor: UserActor, id: string): Promise<InkProfileFile> {
  const company = await findCompany(context, actor);
  if (!company) throw noProfile();
  const [row] = await inCompany(context.db, company.id, (tx) =>
    tx.select().from(companyInkProfiles).where(isOf(company.id, id)),
  );
  const file = row && (await context.files.get(inkProfileKey(row.id)));
  if (!file) throw noProfile();
  return { name: row.name, bytes: file.bytes };
}

const isOf = (companyId: string, id: string) =>
  and(eq(companyInkProfiles.companyId, companyId), eq(companyInkProfiles.id, id));

const toInkProfile = ({ id, name, sizeBytes, createdAt }: typeof companyInkProfiles.$inferSelect): InkProfile => ({
  ...{ id, name, sizeBytes },
  createdAt: createdAt.toISOString(),
});

/** Deletes the files of profiles without a row. */
export async function sweepInkProfiles(context: Context): Promise<void> {
  await sweepOrphans(context, 'profiles/', {
    ownerOf: idInKey,
    findExisting: async (ids) => {
      const { id } = companyInkProfiles;
      const rows = await inCompany(context.db, '*', (tx) =>
        tx
          .select({ id })
          .from(companyInkProfiles)
          .where(inArray(id, [...ids])),
      );
      return new Set(rows.map((row) => row.id));
    },
  });
}
