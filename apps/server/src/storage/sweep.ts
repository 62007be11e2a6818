/** The hourly sweep of the ledger of stored files: it reconciles the ledger with the store and with the database. */
import { and, asc, eq, gt, inArray, like } from 'drizzle-orm';
import { JOB_FOLDER } from '../media/jobBytes.ts';
import type { Context } from '../platform/context.ts';
import type { ListedFile } from '../platform/files.ts';
import {
  addToTotals,
  CACHE,
  count,
  isGuestPayer,
  kindOf,
  lockKey,
  recomputeTotals,
  type StoredFileRow,
  uncount,
} from '../platform/storage.ts';
import { sweepInTurns } from '../platform/sweepCursor.ts';
import { storageTotals, storedFiles } from '../platform/tables.ts';
import { isCached } from '../tracing/pictures.ts';
import { findOwners, roomOf } from './owners.ts';

const CHUNK = 200;
/** Longer than a file may be counted before it is written. */
const SETTLED_MS = 60 * 60 * 1000;
/** The payer for files of guests whose network is unknown, from before the ledger. */
const EARLIER_GUESTS = 'network:earlier';

/**
 * Adds rows for files without one, deletes rows without a file, charges the files of accounts to them, and sums again.
 */
export async function sweepStorage(context: Context): Promise<void> {
  await sweepInTurns(
    context,
    'stored files',
    (after) => context.files.list('', after),
    // Files on their way between two servers are not counted.
    (files) =>
      compareWithStore(
        context,
        files.filter(({ key }) => !key.startsWith(JOB_FOLDER)),
      ),
  );
  await sweepInTurns(
    context,
    'rows of stored files',
    (after) => readEachRow(context, after),
    (rows) => uncountMissing(context, rows),
  );
  await settlePayers(context);
  await recomputeTotals(context.db);
}

/** Adds rows for files that have none, and corrects sizes. */
async function compareWithStore(context: Context, files: readonly ListedFile[]): Promise<void> {
  if (files.length === 0) return;
  const keys = files.map(({ key }) => key);
  const rows = await context.db.select().from(storedFiles).where(inArray(storedFiles.key, keys));
  const rowsByKey = new Map(rows.map((row) => [row.key, row]));
  const settledBefore = context.now().getTime() - SETTLED_MS;
  const newFiles: { key: string; bytes: number; usedAt: Date }[] = [];
  for (const { key, sizeBytes, modifiedAt } of files) {
    const row = rowsByKey.get(key);
    const isSettled = modifiedAt.getTime() < settledBefore;
    if (row && (row.bytes === sizeBytes || !isSettled)) continue;
    // The listing is older than the rows: the file may have been deleted meanwhile.
    if (!(await context.files.has(key))) continue;
    if (row) await context.db.transaction((tx) => count(tx, { ...row, bytes: sizeBytes }));
    else newFiles.push({ key, bytes: sizeBytes, usedAt: modifiedAt });
  }
  if (newFiles.length === 0) return;
  const owners = await findOwnersOfFiles(
    context,
    newFiles.map(({ key }) => key),
  );
  const newRows = await Promise.all(
    newFiles.map(async (file) => ({ ...file, ...(await toCountedFile(context, file.key, owners.get(file.key))) })),
  );
  await context.db.transaction(async (tx) => {
    const addedRows = await tx.insert(storedFiles).values(newRows).onConflictDoNothing().returning();
    await addToTotals(tx, [], addedRows);
  });
}

async function toCountedFile(
  context: Context,
  key: string,
  owner: FileOwner | undefined,
): Promise<Pick<StoredFileRow, 'kind' | 'owner' | 'payer'>> {
  if (await isCached(context, key)) return { kind: 'cache', owner: CACHE.owner, payer: CACHE.payer };
  const kind = kindOf(key);
  if (!owner) return { kind, owner: 'site', payer: 'site' };
  return { kind, owner: owner.owner, payer: owner.owner.startsWith('user:') ? owner.owner : EARLIER_GUESTS };
}

type FileOwner = { readonly owner: string; readonly mustPay: boolean };

/** Finds the owners of files by their folders. */
async function findOwnersOfFiles(context: Context, keys: readonly string[]): Promise<ReadonlyMap<string, FileOwner>> {
  const idsByFolder = new Map<string, Set<string>>();
  for (const key of keys) {
    const [folder = '', id = ''] = key.split('/');
    idsByFolder.set(folder, (idsByFolder.get(folder) ?? new Set()).add(id));
  }
  const owners = new Map<string, FileOwner>();
  for (const [folder, ids] of idsByFolder) {
    for (const [id, owner] of await findOwners(context, folder, [...ids])) owners.set(`${folder}/${id}`, owner);
  }
  return new Map(
    keys.flatMap((key) => {
      const owner = owners.get(key.split('/', 2).join('/'));
      return owner ? [[key, owner] as const] : [];
    }),
  );
}

/** Reads the rows after a key, one by one. */
async function* readEachRow(context: Context, after: string): AsyncIterable<StoredFileRow> {
  for await (const rows of readRows(context, undefined, after)) yield* rows;
}

/** Reads the rows that a condition chooses, in chunks by their key. */
async function* readRows(context: Context, payers?: string, after = ''): AsyncIterable<StoredFileRow[]> {
  for (let lastKey = after; ; ) {
    const rows = await context.db
      .select()
      .from(storedFiles)
      .where(and(gt(storedFiles.key, lastKey), payers === undefined ? undefined : like(storedFiles.payer, payers)))
      .orderBy(asc(storedFiles.key))
      .limit(CHUNK);
    if (rows.length > 0) yield rows;
    if (rows.length < CHUNK) return;
    lastKey = rows.at(-1)!.key;
  }
}

/** Takes back the bytes of rows without a file: the server was killed before the file was written. */
async function uncountMissing(context: Context, rows: readonly StoredFileRow[]): Promise<void> {
  const settledBefore = context.now().getTime() - SETTLED_MS;
  for (const { key, usedAt } of rows) {
    if (usedAt.getTime() > settledBefore || (await context.files.has(key))) continue;
    await context.db.transaction((tx) => uncount(tx, [key]));
  }
}

/**
 * Lets accounts pay for files that a network still pays for: those that a guest brought along, those of an account that
 * was verified since, and those that were ordered from a shop. What has no room stays with the network.
 */
async function settlePayers(context: Context): Promise<void> {
  const rooms = new Map<string, number>();
  for await (const rows of readRows(context, 'network:%')) {
    const owners = await findOwnersOfFiles(
      context,
      rows.map(({ key }) => key),
    );
    for (const row of rows) {
      const keeper = owners.get(row.key) ?? { owner: row.owner, mustPay: false };
      if (!keeper.owner.startsWith('user:')) continue;
      if (!rooms.has(keeper.owner)) rooms.set(keeper.owner, await freeRoomOf(context, keeper.owner));
      const room = rooms.get(keeper.owner)!;
      const hasRoom = keeper.mustPay || room >= row.bytes;
      if (!hasRoom && keeper.owner === row.owner) continue;
      if (hasRoom) rooms.set(keeper.owner, room - row.bytes);
      await changeKeeper(context, row.key, keeper.owner, hasRoom);
    }
  }
}

async function freeRoomOf(context: Context, owner: string): Promise<number> {
  const [total] = await context.db
    .select({ bytes: storageTotals.bytes })
    .from(storageTotals)
    .where(and(eq(storageTotals.scope, 'payer'), eq(storageTotals.name, owner)));
  return (await roomOf(context, owner)) - (total?.bytes ?? 0);
}

async function changeKeeper(context: Context, key: string, owner: string, pays: boolean): Promise<void> {
  await context.db.transaction(async (tx) => {
    await lockKey(tx, key);
    const [before] = await tx.select().from(storedFiles).where(eq(storedFiles.key, key)).for('update');
    if (!before || !isGuestPayer(before.payer)) return;
    await count(tx, { ...before, owner, payer: pays ? owner : before.payer });
  });
}
