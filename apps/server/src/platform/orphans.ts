/**
 * Orphaned files: files without a row, because of a crash between the two or because the owner was deleted, and
 * half-written files.
 */
import { join } from 'node:path';
import { inArray } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import type { Context } from './context.ts';
import { sweepUnfinished, WRITTEN_FOLDERS } from './files.ts';

const ORPHAN_AGE_MS = 24 * 60 * 60 * 1000;
const SWEEP_LENGTH = 500;
const LOOKUP_LENGTH = 200;

interface Owners {
  /** Returns the owner that a file's key names. */
  ownerOf(key: string): string;
  /** Returns those of the owners that exist. */
  findExisting(owners: readonly string[]): Promise<ReadonlySet<string>>;
}

/**
 * Removes files of a folder whose owner does not exist, at most 500 a sweep. A file younger than a day stays: it may
 * belong to a call that is still running.
 */
export async function sweepOrphans(context: Context, folder: string, { ownerOf, findExisting }: Owners): Promise<void> {
  const newest = context.now().getTime() - ORPHAN_AGE_MS;
  let removedCount = 0;
  const removeOrphans = async (keys: readonly string[]): Promise<void> => {
    if (keys.length === 0) return;
    const existing = await findExisting([...new Set(keys.map(ownerOf))]);
    const orphans = keys.filter((key) => !existing.has(ownerOf(key))).slice(0, SWEEP_LENGTH - removedCount);
    await context.files.deleteMany(orphans);
    removedCount += orphans.length;
  };

  let keys: string[] = [];
  for await (const { key, modifiedAt } of context.files.list(folder)) {
    if (modifiedAt.getTime() > newest) continue;
    keys.push(key);
    if (keys.length < LOOKUP_LENGTH) continue;
    await removeOrphans(keys);
    keys = [];
    if (removedCount >= SWEEP_LENGTH) return;
  }
  await removeOrphans(keys);
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
