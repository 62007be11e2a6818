/**
 * Counts every stored file in one place. A row of `stored_files` says how large a file is and whose share it fills;
 * `storage_totals` holds the sums. Both change in one transaction, which also decides whether there is room: so
 * simultaneous writes never take the same last bytes. The file is written after that transaction and gives its bytes
 * back when the write fails. A crash between the two leaves a row too much, which the sweep finds.
 */
import { and, asc, eq, inArray, lt, ne, sql } from 'drizzle-orm';
import type { Db, Transaction } from './database.ts';
import { AppError } from './errors.ts';
import type { FileStore } from './files.ts';
import { type STORED_KINDS, storageTotals, storedFiles } from './tables.ts';

export type StoredKind = (typeof STORED_KINDS)[number];

/** The owner of a file, and the payer whose quota it fills. */
export interface Keeper {
  readonly owner: string;
  readonly payer: string;
  /** The room of the payer; undefined without a limit. */
  readonly limitBytes?: number | undefined;
  /** The sentence for a payer without room. */
  readonly refusal?: string | undefined;
}

/** Keeps the operator's own files. */
export const SITE: Keeper = { owner: 'site', payer: 'site' };
/** Keeps files that can be made again at any time. The oldest give way to new ones. */
export const CACHE: Keeper = { owner: 'site', payer: 'cache' };

/** A file store that counts what it holds. Deleting a file gives its bytes back. */
export interface CountedFiles extends Omit<FileStore, 'put'> {
  /** As in `FileStore`. Throws quotaReached when the keeper, the guests or the whole store have no room. */
  put(key: string, bytes: Uint8Array, mediaType: string, keeper: Keeper): Promise<void>;
  /** Deletes all files below a folder, e.g. `designs/<id>/`. */
  deleteFolder(folder: string): Promise<void>;
}

/** Limits of the whole store, in bytes. */
export interface StorageLimits {
  /** For all guests and unverified accounts together. */
  readonly guestsBytes: number;
  readonly cacheBytes: number;
  /** For all files; undefined when only the disk is a limit. */
  readonly totalBytes: number | undefined;
}

/** Sentences that a caller reads. The contract has them; the platform knows no words of the product. */
export interface StorageRefusals {
  readonly guests: string;
  readonly total: string;
}

const EVICTED_TOGETHER = 20;
const DELETED_TOGETHER = 500;

/** Returns a store that counts the files of another one. */
export function countFiles(
  store: FileStore,
  db: Db,
  { now, limits, refusals }: { now: () => Date; limits: StorageLimits; refusals: StorageRefusals },
): CountedFiles {
  async function remove(key: string): Promise<void> {
    await store.delete(key);
    await db.transaction((tx) => uncount(tx, [key]));
  }

  async function removeMany(keys: readonly string[]): Promise<void> {
    if (keys.length === 0) return;
    await store.deleteMany(keys);
    await db.transaction((tx) => uncount(tx, keys));
  }

  /** Deletes the files of the cache that were used longest ago, until it has room for one that was just counted. */
  async function makeRoomInCache(newKey: string): Promise<void> {
    for (;;) {
      const [total] = await db
        .select({ bytes: storageTotals.bytes })
        .from(storageTotals)
        .where(and(eq(storageTotals.scope, 'kind'), eq(storageTotals.name, 'cache')));
      let excess = (total?.bytes ?? 0) - limits.cacheBytes;
      if (excess <= 0) return;
      const oldest = await db
        .select({ key: storedFiles.key, bytes: storedFiles.bytes })
        .from(storedFiles)
        .where(and(eq(storedFiles.kind, 'cache'), ne(storedFiles.key, newKey)))
        .orderBy(asc(storedFiles.usedAt), asc(storedFiles.key))
        .limit(EVICTED_TOGETHER);
      if (oldest.length === 0) return;
      for (const { key, bytes } of oldest) {
        if (excess <= 0) break;
        await remove(key);
        excess -= bytes;
      }
    }
  }

  return {
    ...store,
    async put(key, bytes, mediaType, keeper) {
      const file = { key, kind: keeper.payer === 'cache' ? 'cache' : kindOf(key), bytes: bytes.length } as const;
      const { before, totals } = await db.transaction(async (tx) => {
        const counting = await count(tx, { ...file, owner: keeper.owner, payer: keeper.payer, usedAt: now() });
        refuseWithoutRoom(counting, file.kind, keeper, limits, refusals);
        return counting;
      });
      try {
        if ((totals.get('kind cache') ?? 0) > limits.cacheBytes) await makeRoomInCache(key);
        await store.put(key, bytes, mediaType);
      } catch (error) {
        // The sweep corrects the sums when this transaction fails too.
        await db
          .transaction(async (tx) => void (await (before ? count(tx, before) : uncount(tx, [key]))))
          .catch(() => {});
        throw error;
      }
    },
    delete: remove,
    deleteMany: removeMany,
    async deleteFolder(folder) {
      let keys: string[] = [];
      for await (const { key } of store.list(folder)) {
        keys.push(key);
        if (keys.length < DELETED_TOGETHER) continue;
        await removeMany(keys);
        keys = [];
      }
      await removeMany(keys);
    },
  };
}

export type StoredFileRow = typeof storedFiles.$inferSelect;
/** Sums by `scope name`. */
type Totals = ReadonlyMap<string, number>;

/** Writes the row of a file and adds it to the sums. Returns the row that it replaces and the sums after it. */
export async function count(
  tx: Transaction,
  row: StoredFileRow,
): Promise<{ before: StoredFileRow | undefined; totals: Totals; growth: Totals }> {
  await lockKey(tx, row.key);
  const [before] = await tx.select().from(storedFiles).where(eq(storedFiles.key, row.key)).for('update');
  await tx.insert(storedFiles).values(row).onConflictDoUpdate({ target: storedFiles.key, set: row });
  return { before, ...(await addToTotals(tx, before ? [before] : [], [row])) };
}

/** Locks a file that may have no row to lock yet: two first writes of one file are counted once. */
export async function lockKey(tx: Transaction, key: string): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`stored ${key}`}, 0))`);
}

/** Deletes the rows of files and takes them from the sums. */
export async function uncount(tx: Transaction, keys: readonly string[]): Promise<void> {
  const removedRows = await tx
    .delete(storedFiles)
    .where(inArray(storedFiles.key, [...keys]))
    .returning();
  await addToTotals(tx, removedRows, []);
}

/** Changes the sums by rows that went and rows that came. */
export async function addToTotals(
  tx: Transaction,
  removedRows: readonly StoredFileRow[],
  addedRows: readonly StoredFileRow[],
): Promise<{ totals: Totals; growth: Totals }> {
  const changes = new Map<string, { bytes: number; files: number }>();
  for (const [sign, rows] of [[-1, removedRows] as const, [1, addedRows] as const]) {
    for (const row of rows) {
      for (const name of sumsOf(row)) {
        const change = changes.get(name) ?? { bytes: 0, files: 0 };
        changes.set(name, { bytes: change.bytes + sign * row.bytes, files: change.files + sign });
      }
    }
  }
  const nonZeroChanges = [...changes].filter(([, { bytes, files }]) => bytes !== 0 || files !== 0);
  if (nonZeroChanges.length === 0) return { totals: new Map(), growth: new Map() };
  // Always in the same order, so that no two transactions wait for each other.
  const values = nonZeroChanges
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, change]) => ({ scope: scopeOf(name), name: name.slice(name.indexOf(' ') + 1), ...change }));
  const rows = await tx
    .insert(storageTotals)
    .values(values)
    .onConflictDoUpdate({
      target: [storageTotals.scope, storageTotals.name],
      set: {
        bytes: sql`${storageTotals.bytes} + excluded.bytes`,
        files: sql`${storageTotals.files} + excluded.files`,
      },
    })
    .returning();
  return {
    totals: new Map(rows.map(({ scope, name, bytes }) => [`${scope} ${name}`, bytes])),
    growth: new Map(nonZeroChanges.map(([name, { bytes }]) => [name, bytes])),
  };
}

const scopeOf = (name: string) => name.slice(0, name.indexOf(' ')) as 'payer' | 'kind' | 'pool';

const sumsOf = ({ kind, payer }: Pick<StoredFileRow, 'kind' | 'payer'>): string[] => [
  `kind ${kind}`,
  `payer ${payer}`,
  'pool all',
  ...(isGuestPayer(payer) ? ['pool guests'] : []),
];

/** True for the network of guests, which pays for their files. */
export const isGuestPayer = (payer: string): boolean => payer.startsWith('network:');

/** Files made from an upload may exceed the limit by this factor, so that a full account still gets its exports. */
const HEADROOM = 1.1;
const UPLOADED: readonly StoredKind[] = ['uploads', 'companyProducts', 'makerPhotos', 'fonts'];

function refuseWithoutRoom(
  { totals, growth }: { totals: Totals; growth: Totals },
  kind: StoredKind,
  { payer, limitBytes, refusal }: Keeper,
  limits: StorageLimits,
  refusals: StorageRefusals,
): void {
  const share = UPLOADED.includes(kind) ? 1 : HEADROOM;
  const isOver = (name: string, limit: number | undefined): boolean =>
    limit !== undefined && (growth.get(name) ?? 0) > 0 && (totals.get(name) ?? 0) > limit * share;
  if (isOver(`payer ${payer}`, limitBytes)) throw quotaReached(refusal ?? refusals.total);
  if (isOver('pool guests', limits.guestsBytes)) throw quotaReached(refusals.guests);
  // The cache makes its own room.
  if (kind !== 'cache' && isOver('pool all', limits.totalBytes)) throw quotaReached(refusals.total);
}

const quotaReached = (sentence: string) => new AppError('quotaReached', sentence);

/**
 * Throws quotaReached when an upload of this many bytes has no room, before any work is done for it. The write decides.
 */
export async function checkRoom(db: Db, { payer, limitBytes, refusal }: Keeper, bytes: number): Promise<void> {
  if (limitBytes === undefined || refusal === undefined) return;
  const [total] = await db
    .select({ bytes: storageTotals.bytes })
    .from(storageTotals)
    .where(and(eq(storageTotals.scope, 'payer'), eq(storageTotals.name, payer)));
  if ((total?.bytes ?? 0) + bytes > limitBytes) throw quotaReached(refusal);
}

/** Sums the rows again, while no other transaction changes the sums. */
export async function recomputeTotals(db: Db): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.execute(sql`lock table ${storageTotals} in share row exclusive mode`);
    await tx.delete(storageTotals);
    await tx.execute(sql`
      insert into ${storageTotals} (scope, name, bytes, files)
      select scope, name, sum(bytes), count(*) from ${storedFiles}, lateral (values
        ('payer', payer), ('kind', kind), ('pool', 'all'), ('pool', case when payer like 'network:%' then 'guests' end)
      ) as sums (scope, name)
      where name is not null group by scope, name`);
  });
}

/** Assigns the files of a guest to an account. Their network goes on paying for them until the sweep finds room. */
export async function changeOwner(db: Db, owner: string, newOwner: string): Promise<void> {
  await db.update(storedFiles).set({ owner: newOwner }).where(eq(storedFiles.owner, owner));
}

/** Records that a file was used, at most once a day. */
export async function recordUse(db: Db, key: string, now: Date): Promise<void> {
  const yesterday = new Date(now.getTime() - DAY_MS);
  await db
    .update(storedFiles)
    .set({ usedAt: now })
    .where(and(eq(storedFiles.key, key), lt(storedFiles.usedAt, yesterday)));
}

const DAY_MS = 24 * 60 * 60 * 1000;

const kindsByFolder: Readonly<Record<string, StoredKind>> = {
  exports: 'exports',
  batches: 'exports',
  compositions: 'thumbnails',
  library: 'thumbnails',
  saved: 'savedDesigns',
  companies: 'companyProducts',
  makers: 'makerPhotos',
  fonts: 'fonts',
  products: 'catalogue',
  blanks: 'catalogue',
};

/** Returns the kind of a file by its key. */
export function kindOf(key: string): StoredKind {
  const folder = key.slice(0, key.indexOf('/'));
  if (folder !== 'designs') return kindsByFolder[folder] ?? 'other';
  const name = key.slice(key.lastIndexOf('/') + 1);
  if (/^(upload|original)\./.test(name)) return 'uploads';
  return name.startsWith('trace-') ? 'traces' : 'cutouts';
}
