/**
 * The list of production files that an account made. A file is kept for a while after it was made or asked for last;
 * its line, with size and hash, stays longer.
 */
import { createHash } from 'node:crypto';
import { BATCH_DAYS, type FileFormat, type FileNames, MADE_FILE_DAYS, type MadeFile } from '@markwright/contract';
import type { SizeMm } from '@markwright/scene/sheets';
import { and, asc, desc, eq, inArray, isNotNull, isNull, like, lt, notExists, notInArray, or, sql } from 'drizzle-orm';
import type { Context } from '../platform/context.ts';
import type { Transaction } from '../platform/database.ts';
import { AppError } from '../platform/errors.ts';
import type { UserActor } from '../platform/mount.ts';
import { cutPage, isBeyond, PAGE, readInPieces } from '../platform/paging.ts';
import { storedFiles } from '../platform/tables.ts';
import { type BatchRow, dropBatch, packageKey } from './batches.ts';
import { batches, madeFiles } from './tables.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** As long as the usage of a month is kept. */
const LINE_DAYS = 400;
/** Other exports, such as mockups: long after their addresses have expired. */
const OTHER_DAYS = 3;

/** A production file's name, size on the product, bytes and hash: what stands in “My files” and on an order. */
export interface FileReceipt {
  readonly filename: string;
  readonly widthMm: number;
  readonly heightMm: number;
  readonly sizeBytes: number;
  readonly sha256: string;
}

/** Puts a file on the account's list. One that was made again moves to the top. */
export async function recordMadeFile(
  context: Context,
  actor: UserActor,
  file: FileReceipt & {
    readonly key: string;
    /** Equal for all files of a composition (`compositionKey`). */
    readonly jobKey: string;
    readonly format: FileFormat;
    readonly names: FileNames;
  },
): Promise<void> {
  const { names, ...fields } = file;
  const row = {
    ...{ ...fields, id: idOf(file.key), userId: actor.id, createdAt: context.now() },
    ...{ designFilename: names.designFilename ?? '', productName: names.productName ?? '' },
  };
  await context.db.insert(madeFiles).values(row).onConflictDoUpdate({ target: madeFiles.id, set: row });
}

/** Puts the package of a batch on the account's list, with the size of a piece. */
export async function recordPackage(
  tx: Transaction,
  { id, userId, filename, pieces }: BatchRow,
  { size, names, now }: { readonly size: SizeMm; readonly names: FileNames; readonly now: Date },
): Promise<void> {
  const row = {
    ...{ id, userId, filename, pieces, key: packageKey(id), format: 'package' as const, ...size },
    ...{ sizeBytes: 0, sha256: '', createdAt: now },
    ...{ designFilename: names.designFilename ?? '', productName: names.productName ?? '' },
  };
  await tx.insert(madeFiles).values(row).onConflictDoNothing();
}

/** The most that the column of sizes holds. */
const MOST_BYTES = 2 ** 31 - 1;

/** Keeps the hash of a package as it was sent last: another version of zlib may make other bytes of the same files. */
export async function keepPackageHash(
  { db }: Context,
  id: string,
  { sizeBytes, sha256 }: Pick<FileReceipt, 'sizeBytes' | 'sha256'>,
): Promise<void> {
  if (sizeBytes > MOST_BYTES) return;
  await db.update(madeFiles).set({ sizeBytes, sha256 }).where(eq(madeFiles.id, id));
}

/** The most files that a job sheet names: the newest. */
const MOST_ON_SHEET = 12;

/** Returns the files that an account made of a job, without its sheets, newest first. */
export async function readJobFiles(
  context: Context,
  actor: UserActor,
  jobKey: string,
): Promise<Pick<FileReceipt, 'filename' | 'sha256' | 'sizeBytes'>[]> {
  const { filename, sha256, sizeBytes } = madeFiles;
  return context.db
    .select({ filename, sha256, sizeBytes })
    .from(madeFiles)
    .where(
      and(
        eq(madeFiles.userId, actor.id),
        eq(madeFiles.jobKey, jobKey),
        notInArray(madeFiles.format, ['sheet', 'paperTest']),
      ),
    )
    .orderBy(desc(madeFiles.createdAt), desc(madeFiles.id))
    .limit(MOST_ON_SHEET);
}

/** `exports/<id>.dxf` */
const idOf = (key: string) => key.replace(/^exports\//, '').replace(/\..*$/, '');

/** Reads size and hash of a stored production SVG; undefined when it was deleted meanwhile. */
export async function readSvgReceipt(
  context: Context,
  key: string,
  filename: string,
): Promise<FileReceipt | undefined> {
  const file = await context.files.get(key);
  if (!file) return undefined;
  const head = Buffer.from(file.bytes.subarray(0, 2_000)).toString();
  const widthMm = Number(/ width="([\d.]+)mm"/.exec(head)?.[1] ?? 0);
  const heightMm = Number(/ height="([\d.]+)mm"/.exec(head)?.[1] ?? 0);
  const sha256 = createHash('sha256').update(file.bytes).digest('hex');
  return { filename, widthMm, heightMm, sizeBytes: file.bytes.length, sha256 };
}

/** Reads what is known of the package of a batch, also after it was deleted; undefined before it is made. */
export async function readPackageReceipt({ db }: Context, batchId: string) {
  const [file] = await db.select().from(madeFiles).where(eq(madeFiles.id, batchId));
  if (!file) return undefined;
  const { filename, widthMm, heightMm, sizeBytes, sha256, createdAt } = file;
  const bytes = { sizeBytes: sizeBytes || null, sha256: sha256 || null };
  return { filename, widthMm, heightMm, ...bytes, madeAt: createdAt.toISOString() };
}

/** Lists the files of an account, newest first. */
export async function listMadeFiles(
  context: Context,
  actor: UserActor,
  before: string | undefined,
): Promise<{ files: MadeFile[]; next: string | null }> {
  const rows = await selectMadeFiles(context)
    .where(and(eq(madeFiles.userId, actor.id), isBeyond(madeFiles.createdAt, madeFiles.id, before)))
    .orderBy(desc(madeFiles.createdAt), desc(madeFiles.id))
    .limit(PAGE + 1);
  const { page, next } = cutPage(
    rows.map((row) => ({ ...row, createdAt: row.file.createdAt })),
    ({ file }) => file.id,
  );
  return { files: page.map((row) => toMadeFile(context, row)), next };
}

const selectMadeFiles = ({ db }: Context) =>
  db
    .select({ file: madeFiles, usedAt: storedFiles.usedAt, batchTime: batches.createdAt })
    .from(madeFiles)
    .leftJoin(storedFiles, eq(storedFiles.key, madeFiles.key))
    .leftJoin(batches, and(isNotNull(madeFiles.pieces), eq(batches.id, madeFiles.id)));

interface FileRow {
  readonly file: typeof madeFiles.$inferSelect;
  /** Of a single file that is kept. */
  readonly usedAt: Date | null;
  /** When the batch was taken, of one that is kept. */
  readonly batchTime: Date | null;
}

function toMadeFile(context: Context, { file, usedAt, batchTime }: FileRow): MadeFile {
  const { userId: _owner, key, format, createdAt, sizeBytes, sha256, ...fields } = file;
  const [keptSince, days] = file.pieces === null ? [usedAt, MADE_FILE_DAYS] : [batchTime, BATCH_DAYS];
  return {
    ...fields,
    sizeBytes: sizeBytes || null,
    sha256: sha256 || null,
    format: format as FileFormat,
    createdAt: createdAt.toISOString(),
    url: keptSince && context.urls.sign(key, { downloadName: file.filename }),
    deletedAt: keptSince && new Date(keptSince.getTime() + days * DAY_MS).toISOString(),
  };
}

/** Deletes a file and its line; the package of a batch with the batch. Throws notFound, also for somebody else's. */
export async function removeMadeFile(context: Context, actor: UserActor, id: string): Promise<{ ok: true }> {
  const isOwn = and(eq(madeFiles.userId, actor.id), eq(madeFiles.id, id));
  const [row] = await context.db
    .delete(madeFiles)
    .where(isOwn)
    .returning({ key: madeFiles.key, pieces: madeFiles.pieces });
  if (!row) throw new AppError('notFound', 'This file is not in your list any more.');
  if (row.pieces === null) await context.files.deleteMany(keysOf(row.key));
  else await dropBatch(context, actor, id);
  return { ok: true };
}

/** The stored file, and the facts that may lie beside it. */
const keysOf = (key: string): string[] => [key, `exports/${idOf(key)}.json`];

/** Returns the keys of all files of an account, for its deletion. Those of batches are listed by them. */
export async function listMadeKeys(tx: Transaction, userId: number): Promise<string[]> {
  const isOwn = and(eq(madeFiles.userId, userId), isNull(madeFiles.pieces));
  const rows = await tx.select({ key: madeFiles.key }).from(madeFiles).where(isOwn);
  return rows.flatMap(({ key }) => keysOf(key));
}

/** Returns the whole list for the takeout, with addresses of the files that are still kept. */
export async function* takeoutMadeFiles(context: Context, actor: UserActor): AsyncGenerator<object> {
  const oldest = [asc(madeFiles.createdAt), asc(madeFiles.id)];
  const isOwn = eq(madeFiles.userId, actor.id);
  const ids = await context.db
    .select({ id: madeFiles.id })
    .from(madeFiles)
    .where(isOwn)
    .orderBy(...oldest);
  const readRows = (some: string[]) =>
    selectMadeFiles(context)
      .where(inArray(madeFiles.id, some))
      .orderBy(...oldest);
  for await (const row of readInPieces(ids, async (some) => readRows(some))) {
    const { id: _id, url, ...fields } = toMadeFile(context, row);
    yield { ...fields, file: url && `${context.origin}${url}` };
  }
}

const SWEEP_LENGTH = 500;

/**
 * Deletes exported files that nobody asked for in the last days: those of the list after a month, the others much
 * sooner. Then the lines that are old.
 */
export async function sweepExports(context: Context): Promise<void> {
  const { db } = context;
  const daysAgo = (days: number) => new Date(context.now().getTime() - days * DAY_MS);
  const isListed = eq(madeFiles.id, sql`substring(${storedFiles.key} from '^exports/([^.]*)')`);
  const isUnlisted = notExists(db.select({ one: sql`1` }).from(madeFiles).where(isListed));
  const isOver = and(
    eq(storedFiles.kind, 'exports'),
    like(storedFiles.key, 'exports/%'), // batches have a sweep of their own
    lt(storedFiles.usedAt, daysAgo(OTHER_DAYS)),
    or(lt(storedFiles.usedAt, daysAgo(MADE_FILE_DAYS)), isUnlisted),
  );
  for (;;) {
    const old = await db.select({ key: storedFiles.key }).from(storedFiles).where(isOver).limit(SWEEP_LENGTH);
    await context.files.deleteMany(old.map(({ key }) => key));
    if (old.length < SWEEP_LENGTH) break;
  }
  const oldLines = db
    .select({ id: madeFiles.id })
    .from(madeFiles)
    .where(lt(madeFiles.createdAt, daysAgo(LINE_DAYS)))
    .limit(SWEEP_LENGTH);
  await db.delete(madeFiles).where(inArray(madeFiles.id, oldLines));
}
