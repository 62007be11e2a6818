/** Finds the account that owns a folder of files, by the database row that the folder belongs to. */
import { eq, inArray, sql } from 'drizzle-orm';
import { storageLimitOf } from '../allowances/storageShare.ts';
import { companies, companyFonts, companyInkProfiles } from '../companies/tables.ts';
import { compositions } from '../compositions/tables.ts';
import { designs } from '../designs/tables.ts';
import { batches } from '../exports/tables.ts';
import { libraryEntries } from '../library/tables.ts';
import { makers } from '../makers/tables.ts';
import type { Context } from '../platform/context.ts';
import { inCompany } from '../platform/tenancy.ts';
import { savedDesigns } from '../savedDesigns/tables.ts';

/** The owner of a folder's files. `mustPay`: the files count for the owner even beyond its quota. */
interface FolderOwner {
  readonly owner: string;
  readonly mustPay: boolean;
}

const ofUser = (id: number): FolderOwner => ({ owner: `user:${id}`, mustPay: false });

/** Finds the owners of `<folder>/<id>/…` by the id. A folder whose owner nobody knows has none. */
export async function findOwners(
  { db }: Context,
  folder: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, FolderOwner>> {
  const idList = [...ids];
  switch (folder) {
    case 'designs': {
      const { id, userId, guestId } = designs;
      const rows = await db.select({ id, userId, guestId }).from(designs).where(inArray(id, idList));
      return new Map(
        rows.map((row) => [
          row.id,
          row.userId === null ? { owner: `guest:${row.guestId}`, mustPay: false } : ofUser(row.userId),
        ]),
      );
    }
    case 'compositions': {
      const { id, userId } = compositions;
      const rows = await db.select({ id, userId }).from(compositions).where(inArray(id, idList));
      return new Map(rows.map((row) => [row.id, ofUser(row.userId)]));
    }
    case 'library': {
      const { id, userId } = libraryEntries;
      const rows = await db.select({ id, userId }).from(libraryEntries).where(inArray(id, idList));
      return new Map(rows.map((row) => [row.id, ofUser(row.userId)]));
    }
    case 'batches': {
      const { id, userId } = batches;
      const rows = await db.select({ id, userId }).from(batches).where(inArray(id, idList));
      return new Map(rows.map((row) => [row.id, ofUser(row.userId)]));
    }
    case 'companies': {
      const { id, userId } = companies;
      const rows = await db.select({ id, userId }).from(companies).where(inArray(id, idList));
      return new Map(rows.map((row) => [row.id, ofUser(row.userId)]));
    }
    case 'profiles': {
      const rows = await inCompany(db, '*', (tx) =>
        tx
          .select({ id: companyInkProfiles.id, userId: companies.userId })
          .from(companyInkProfiles)
          .innerJoin(companies, eq(companies.id, companyInkProfiles.companyId))
          .where(inArray(companyInkProfiles.id, idList)),
      );
      return new Map(rows.map((row) => [row.id, ofUser(row.userId)]));
    }
    case 'fonts': {
      const rows = await inCompany(db, '*', (tx) =>
        tx
          .select({ id: companyFonts.id, userId: companies.userId })
          .from(companyFonts)
          .innerJoin(companies, eq(companies.id, companyFonts.companyId))
          .where(inArray(companyFonts.id, idList)),
      );
      return new Map(rows.map((row) => [row.id, ofUser(row.userId)]));
    }
    case 'makers': {
      const { id, userId } = makers;
      const rows = await db.select({ id, userId }).from(makers).where(inArray(id, idList));
      return new Map(rows.flatMap((row) => (row.userId === null ? [] : [[row.id, ofUser(row.userId)] as const])));
    }
    case 'saved': {
      // A shop keeps what was ordered from it. The others are kept for as long as anybody may order them.
      const rows = await inCompany(db, '*', (tx) =>
        tx
          .select({ id: savedDesigns.id, userId: companies.userId })
          .from(savedDesigns)
          .innerJoin(companies, eq(companies.id, savedDesigns.companyId))
          .where(
            sql`${inArray(savedDesigns.id, idList)} and (${savedDesigns.orderedAt} is not null or ${savedDesigns.template} is not null)`,
          ),
      );
      return new Map(rows.map((row) => [row.id, { owner: `user:${row.userId}`, mustPay: true }]));
    }
    default:
      return new Map();
  }
}

/** Returns the room of an account by `user:<id>`: 0 while its address must be verified, infinite for administrators. */
export async function roomOf(context: Context, owner: string): Promise<number> {
  const id = /^user:(\d+)$/.exec(owner)?.[1];
  const limitBytes = id === undefined ? undefined : await storageLimitOf(context, Number(id));
  return limitBytes ?? 0;
}
