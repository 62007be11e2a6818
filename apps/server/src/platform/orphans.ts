/**
 * Orphaned files: files without a row, because of a crash between the two or because the owner was deleted, and
 * half-written files.
 */
import { join } from 'node:path';
import { inArray } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import type { Context } from './context.ts';
import { sweepUnfinished, WRITTEN_FOLDERS } from './files.ts';
import { sweepInTurns } from './sweepCursor.ts';

const ORPHAN_AGE_MS = 24 * 60 * 60 * 1000;

interface Owners {
  /** Returns the owner that a file's key names. */
  ownerOf(key: string): string;
  /** Returns those of the owners that exist. */
  findExisting(owners: readonly string[]): Promise<ReadonlySet<string>>;
}

/**
 * Removes files of a folder whose owner does not exist, for some minutes; the next sweep goes on from there. A file
 * younger than a day stays: it may belong to a call that is still running.
 */
export async function sweepOrphans(context: Context, folder: string, { ownerOf, findExisting }: Owners): Promise<void> {
  const newest = context.now().getTime() - ORPHAN_AGE_MS;
  await sweepInTurns(
    context,
    `orphans of ${folder}`,
    (after) => context.files.list(folder, after),
    async (files) => {
      const keys = files.filter(({ modifiedAt }) => modifiedAt.getTime() <= newest).map(({ key }) => key);
      if (keys.length === 0) return;
      const existing = await findExisting([...new Set(keys.map(ownerOf))]);
      await context.files.deleteMany(keys.filter((key) => !existing.has(ownerOf(key))));
    },
  );
}

/** Removes files in `<folder>/<id>/…` whose id no row of the table has. Otherwise as `sweepOrphans`. */
export async function sweepOrphansOf(
  context: Context,
  folder: string,
  table: PgTable & { readonly id: PgColumn },
): Promise<void> {
  await sweepOrphans(context, folder, {
    ownerOf: idInKey,
    findExisting: async (ids) => {
      const rows = await context.db
        .select({ id: table.id })
        .from(table as PgTable)
        .where(inArray(table.id, [...ids]));
      return new Set(rows.map(({ id }) => String(id)));
    },
  });
}

/** Returns the id in a key of the form `<folder>/<id>/…`. */
export const idInKey = (key: string): string => key.split('/')[1] ?? '';

/** Longer than any call works on a file. */
const UNFINISHED_AGE_MS = 60 * 60 * 1000;

/** Deletes half-written files of a killed server while others go on. */
export async function sweepUnfinishedFiles({ config, now }: Context): Promise<void> {
  const before = now().getTime() - UNFINISHED_AGE_MS;
  for (const folder of WRITTEN_FOLDERS) await sweepUnfinished(join(config.dataDir, folder), before);
}
