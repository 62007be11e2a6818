/**
 * Rows that an account keeps under names of its own, each with a small picture: listed, renamed and deleted, for a day
 * restored, and up to a number of them.
 */
import { and, desc, eq, isNotNull, isNull, lt, type SQL } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import { users } from '../accounts/tables.ts';
import { keeperOf } from '../allowances/storageShare.ts';
import type { Context } from '../platform/context.ts';
import type { Db, Transaction } from '../platform/database.ts';
import { AppError } from '../platform/errors.ts';
import { newId } from '../platform/ids.ts';
import type { UserActor } from '../platform/mount.ts';
import { sweepOrphansOf } from '../platform/orphans.ts';
import { callerOf } from '../platform/ownership.ts';
import { cutPageBy, isBeyond, PAGE } from '../platform/paging.ts';

const KEEP_DELETED_MS = 24 * 60 * 60 * 1000;
const SWEEP_LENGTH = 500;

type KeptColumn = 'id' | 'userId' | 'name' | 'pictureKey' | 'deletedAt';

export interface KeptRow {
  readonly id: string;
  readonly pictureKey: string | null;
  readonly deletedAt: Date | null;
}

interface Keeping<Row, View> {
  readonly table: PgTable & Readonly<Record<KeptColumn, PgColumn>>;
  /** Where the pictures lie, with a slash at the end. */
  readonly folder: string;
  /** The most that an account keeps. */
  readonly most: number;
  /** The sentences for a row that is not there and for one too many. */
  readonly gone: string;
  readonly full: string;
  /** Returns what the account sees of a row. */
  show(context: Context, row: Row): View;
}

export interface KeptRows<Row extends KeptRow, View> {
  /** Returns the condition of a query: the account's own, and not deleted. */
  isKept(actor: UserActor): SQL | undefined;
  notFound(): AppError;
  /** Reads the rows of a page that meet a condition, the latest by `order` first. `next` is the cursor of the next. */
  readPage(
    context: Context,
    actor: UserActor,
    query: {
      readonly order: { readonly column: PgColumn; timeOf(row: Row): Date };
      readonly before: string | undefined;
      readonly condition: SQL | undefined;
    },
  ): Promise<{ page: View[]; next: string | null }>;
  /** Returns a row of the account. Throws notFound. */
  get(context: Context, actor: UserActor, id: string): Promise<Row>;
  /** Throws notFound. */
  rename(context: Context, actor: UserActor, id: string, name: string): Promise<View>;
  /** Makes the small picture of a row and stores it. Throws notFound, and what `thumbnail` throws for invalid bytes. */
  setPicture(context: Context, actor: UserActor, id: string, bytes: Uint8Array, signal: AbortSignal): Promise<View>;
  /**
   * Stores the file first, updates the row second and deletes the old picture last: a crash leaves an orphaned file.
   * Throws notFound.
   */
  storePicture(context: Context, actor: UserActor, row: Row, webp: Uint8Array): Promise<View>;
  /** Deletes a row. For a day `restore` can bring it back. Throws notFound. */
  remove(context: Context, actor: UserActor, id: string): Promise<{ ok: true }>;
  /**
   * Restores a deleted row; one that was not deleted is returned unchanged. Throws notFound once the day is over, and
   * storageFull.
   */
  restore(context: Context, actor: UserActor, id: string): Promise<View>;
  /** Throws storageFull when the account keeps as many as it may. Lock the account first. */
  checkQuota(tx: Transaction, actor: UserActor): Promise<void>;
  /** Deletes rows for good that were deleted a day ago: the row first, so that a crash leaves orphaned files. */
  sweep(context: Context): Promise<void>;
  /** Deletes files without a row, because of a crash or a deleted account. */
  sweepFiles(context: Context): Promise<void>;
}

/** Returns the pattern of `ilike` for texts that contain these words. */
export const patternOf = (search: string): string => `%${search.replace(/[\\%_]/g, '\\$&')}%`;

/** Locks the account, because the number of what it keeps changes one transaction at a time. */
export async function lockAccount(tx: Transaction, actor: UserActor): Promise<void> {
  const [account] = await tx.select({ id: users.id }).from(users).where(eq(users.id, actor.id)).for('no key update');
  if (!account) throw new AppError('unauthorized', 'Your account is not there any more.');
}

export function createKeptRows<Row extends KeptRow, View>(keeping: Keeping<Row, View>): KeptRows<Row, View> {
  const { table, folder, most, gone, full, show } = keeping;
  const isKept = (actor: UserActor) => and(eq(table.userId, actor.id), isNull(table.deletedAt));
  const notFound = () => new AppError('notFound', gone);

  const select = async (db: Db | Transaction, condition: SQL | undefined): Promise<Row | undefined> => {
    const rows = await db
      .select()
      .from(table as PgTable)
      .where(condition);
    return rows[0] as Row | undefined;
  };

  const update = async (
    db: Db | Transaction,
    columns: Partial<Record<KeptColumn, unknown>>,
    condition: SQL | undefined,
  ): Promise<Row | undefined> => {
    const rows = await db
      .update(table as PgTable)
      .set(columns)
      .where(condition)
      .returning();
    return rows[0] as Row | undefined;
  };

  const get: KeptRows<Row, View>['get'] = async (context, actor, id) => {
    const row = await select(context.db, and(eq(table.id, id), isKept(actor)));
    if (!row) throw notFound();
    return row;
  };

  const storePicture: KeptRows<Row, View>['storePicture'] = async (
    context,
    actor,
    { id, pictureKey: oldKey },
    webp,
  ) => {
    const pictureKey = `${folder}${id}/${newId()}.webp`;
    await context.files.put(pictureKey, webp, 'image/webp', await keeperOf(context, actor));
    const row = await update(context.db, { pictureKey }, and(eq(table.id, id), isKept(actor)));
    if (!row) {
      await context.files.delete(pictureKey);
      throw notFound();
    }
    if (oldKey !== null) await context.files.delete(oldKey);
    return show(context, row);
  };

  const checkQuota: KeptRows<Row, View>['checkQuota'] = async (tx, actor) => {
    if ((await tx.$count(table, isKept(actor))) >= most) throw new AppError('storageFull', full);
  };

  return {
    isKept,
    notFound,
    async readPage(context, actor, { order: { column, timeOf }, before, condition }) {
      const rows = await context.db
        .select()
        .from(table as PgTable)
        .where(and(isKept(actor), condition, isBeyond(column, table.id, before)))
        .orderBy(desc(column), desc(table.id))
        .limit(PAGE + 1);
      const { page, next } = cutPageBy(rows as unknown as Row[], timeOf, ({ id }) => id);
      return { page: page.map((row) => show(context, row)), next };
    },
    get,
    async rename(context, actor, id, name) {
      const row = await update(context.db, { name }, and(eq(table.id, id), isKept(actor)));
      if (!row) throw notFound();
      return show(context, row);
    },
    async setPicture(context, actor, id, bytes, signal) {
      const row = await get(context, actor, id);
      const { webp } = await context.media.run('thumbnail', { bytes }, { caller: callerOf(actor), signal });
      return storePicture(context, actor, row, webp);
    },
    storePicture,
    async remove(context, actor, id) {
      const row = await update(context.db, { deletedAt: context.now() }, and(eq(table.id, id), isKept(actor)));
      if (!row) throw notFound();
      return { ok: true };
    },
    async restore(context, actor, id) {
      const row = await context.db.transaction(async (tx) => {
        await lockAccount(tx, actor);
        const isOwn = and(eq(table.id, id), eq(table.userId, actor.id));
        const existing = await select(tx, isOwn);
        if (!existing) throw notFound();
        if (!existing.deletedAt) return existing;
        await checkQuota(tx, actor);
        return (await update(tx, { deletedAt: null }, isOwn))!;
      });
      return show(context, row);
    },
    checkQuota,
    async sweep({ db, files, now }) {
      const isOld = lt(table.deletedAt, new Date(now().getTime() - KEEP_DELETED_MS));
      const old = await db
        .select({ id: table.id })
        .from(table as PgTable)
        .where(isOld)
        .limit(SWEEP_LENGTH);
      for (const { id } of old) {
        // A row that was restored concurrently stays.
        const isDeleted = and(eq(table.id, id), isNotNull(table.deletedAt));
        const rows = await db
          .delete(table as PgTable)
          .where(isDeleted)
          .returning({ id: table.id });
        if (rows.length > 0) await files.deleteFolder(`${folder}${id}/`);
      }
    },
    sweepFiles: (context) => sweepOrphansOf(context, folder, table),
  };
}
