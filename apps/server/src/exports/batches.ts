/** Batches: takes the list of names, charges it once, and says how far it is. `batchRun.ts` makes the pieces. */
import { createHash } from 'node:crypto';
import { BATCH_DAYS, type Batch, type BatchRequest, batchFilename, exportsForBatch } from '@markwright/contract';
import { ownFamily } from '@markwright/fonts';
import {
  columnsOf,
  findDoubles,
  isWrong,
  type RowFinding,
  sayRowFinding,
  templatesOf,
  toColumnKey,
  toRow,
} from '@markwright/scene/rows';
import { and, desc, eq, inArray, lt, ne, sql } from 'drizzle-orm';
import { type Charges, chargeAll, giveBackAll, planCharges } from '../allowances/allowances.ts';
import { holdOwnFonts, readOwnFonts } from '../companies/ownFonts.ts';
import type { Context } from '../platform/context.ts';
import type { Transaction } from '../platform/database.ts';
import { AppError } from '../platform/errors.ts';
import { newId } from '../platform/ids.ts';
import type { Actor, UserActor } from '../platform/mount.ts';
import { sweepOrphansOf } from '../platform/orphans.ts';
import { callerOf } from '../platform/ownership.ts';
import { readOldestFirst } from '../platform/paging.ts';
import type { MediaJobs, RowsInput } from '../platform/ports/mediaJobs.ts';
import { planBatch, refuseLayout } from './batchSheets.ts';
import { artworkSizes, namesOf, refuseUnknownFonts, toProductAsset } from './renderJob.ts';
import { jobOfRows, type ListJob, listPictures, readListJob } from './rowPictures.ts';
import { type BatchWork, batches, madeFiles, type OrderPart } from './tables.ts';

/** The background job that makes the pieces. */
export const MAKE_BATCHES = 'make-batches';

const DAY_MS = 24 * 60 * 60 * 1000;
const LIST_LENGTH = 20;
/** So many rows are fitted in one job of the media pool. */
const ROWS_TOGETHER = 250;
/** So many rows are named when a list is refused. */
const MOST_NAMED = 5;

export type BatchRow = typeof batches.$inferSelect;
type FittedRow = MediaJobs['fitRows']['output']['rows'][number];

/**
 * Takes a list: checks every row, charges it, and queues it, the latter two in one transaction. The same request of the
 * same account is one batch, until it is deleted or has failed. Throws invalid for a list without the columns that the
 * texts ask for, unprocessable for rows that cannot be made, and limitReached; nothing is charged then.
 */
export async function createBatch(
  context: Context,
  actor: UserActor,
  request: BatchRequest,
  signal: AbortSignal,
): Promise<Batch> {
  const key = createHash('sha256').update(JSON.stringify(request)).digest('hex');
  const isSame = and(eq(batches.userId, actor.id), eq(batches.key, key));
  const [earlier] = await context.db.select().from(batches).where(isSame);
  if (earlier && earlier.state !== 'failed') return toBatch(context, earlier);

  const job = await readListJob(context, actor, request);
  refuseLayout(job, request);
  const { columns, rows, list, leftOut, places } = await checkList(context, actor, job, request, signal);
  const pieces = places.length;
  const { layout, options, fit } = request;
  const pieceList = { ...list, columns, cells: rows, fit, places };
  const plan = layout && (await planBatch(context, actor, job, { layout, options }, pieceList, signal));
  const now = context.now();
  const work: BatchWork = { ...request, columns, rows, leftOut, ...(plan && { plan }) };
  const charges = await planCharges(context, actor, 'vector', chargeKeys({ key, pieces, work }));
  const filename = batchFilename(namesOf(job), pieces);
  const batch = await context.db.transaction(async (tx) => {
    await holdOwnFonts(tx, job.ownFonts);
    await chargeAll(tx, charges, now);
    return insertBatch(context, tx, actor, { key, pieces, work, filename, period: charges.period });
  });
  return toBatch(context, batch);
}

/** Queues a batch in place of a failed one of the same key. Returns the one that is there already, if there is one. */
async function insertBatch(
  context: Context,
  tx: Transaction,
  actor: UserActor,
  values: Pick<BatchRow, 'key' | 'pieces' | 'work' | 'filename' | 'period'>,
): Promise<BatchRow> {
  const isSame = and(eq(batches.userId, actor.id), eq(batches.key, values.key));
  await tx.delete(batches).where(and(isSame, eq(batches.state, 'failed')));
  const now = context.now();
  const state = { state: 'waiting', dueAt: now, createdAt: now } as const;
  const [newRow] = await tx
    .insert(batches)
    .values({ ...values, ...state, id: newId(), userId: actor.id, address: actor.address })
    .onConflictDoNothing()
    .returning();
  if (newRow) await context.jobs.send(tx, MAKE_BATCHES);
  return newRow ?? (await tx.select().from(batches).where(isSame))[0]!;
}

/** Several orders as one list. `rows` are those of all parts, one after the other. */
export interface OrderList {
  readonly key: string;
  readonly parts: readonly OrderPart[];
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly filename: string;
}

/** Charges a batch of orders and queues it, in the caller's transaction. Throws limitReached. */
export async function insertOrderBatch(
  context: Context,
  tx: Transaction,
  actor: UserActor,
  { key, parts, columns, rows, filename }: OrderList,
  charges: readonly Charges[],
): Promise<BatchRow> {
  for (const charge of charges) await chargeAll(tx, charge, context.now());
  const work: BatchWork = {
    ...{ composition: parts[0]!.composition, format: 'svg', preset: undefined, options: {}, leaveOutWrong: false },
    ...{ columns: [...columns], rows: rows.map((cells) => [...cells]), fit: BATCH_FIT, leftOut: [], parts },
    charges: charges.map(({ owner, period, keys }) => ({ owner, keys, period: period.toISOString() })),
  };
  return insertBatch(context, tx, actor, { key, pieces: rows.length, work, filename, period: charges[0]!.period });
}

/** Unused by orders, whose designs say how their words are fitted. */
const BATCH_FIT: BatchRequest['fit'] = { minimumPercent: 60, overflow: 'ask', widthsMm: {} };

/**
 * Fits the rows of a list and decides which are made. `places` are theirs, `leftOut` those of the others. Throws
 * invalid for a list without the columns that the texts ask for, and unprocessable for rows that cannot be made, or if
 * none is left.
 */
export async function checkList(
  context: Context,
  actor: UserActor,
  job: ListJob,
  request: BatchRequest,
  signal: AbortSignal,
) {
  refuseUnknownFonts(job);
  const { columns, rows } = keepUsedColumns(job, request);
  const { fit, layout } = request;
  const list = await fitList(context, actor, job, { columns, rows, fit, layout }, signal);
  const openNumbers = new Set(request.leaveOut);
  const wrong = list.rows.flatMap(({ findings }, i) => (!openNumbers.has(i + 1) && findings.some(isWrong) ? [i] : []));
  if (wrong.length > 0 && !request.leaveOutWrong) refuseRows(list.rows, wrong);
  const wrongPlaces = new Set(wrong);
  const isLeftOut = (place: number) => openNumbers.has(place + 1) || wrongPlaces.has(place);
  const all = [...rows.keys()];
  const places = all.filter((place) => !isLeftOut(place));
  if (places.length === 0) throw new AppError('unprocessable', 'No row of this list can be made.');
  return { columns, rows, list, leftOut: all.filter(isLeftOut), places };
}

/** Keeps the columns that the elements ask for: no other cell is stored. */
function keepUsedColumns(job: ListJob, { columns, rows }: Pick<BatchRequest, 'columns' | 'rows'>) {
  const templates = templatesOf(job.composition);
  const names = new Map(templates.flatMap(columnsOf).map((name) => [toColumnKey(name), name]));
  if (names.size === 0) {
    throw new AppError('invalid', 'No text of this design holds a column, such as {name}, and no picture takes one.');
  }
  const keys = columns.map(toColumnKey);
  const missing = [...names].filter(([key]) => !keys.includes(key)).map(([, name]) => `“${name}”`);
  if (missing.length > 0)
    throw new AppError('invalid', `The list has no column ${missing.slice(0, MOST_NAMED).join(', ')}.`);
  const places = [...names.keys()].map((key) => keys.indexOf(key));
  return {
    columns: places.map((place) => columns[place]!),
    rows: rows.map((cells) => places.map((place) => cells[place] ?? '')),
  };
}

/** Fits all rows of a list, some at a time, so that other callers get their turns between. */
export async function fitList(
  context: Context,
  actor: Actor,
  job: ListJob,
  { columns, rows, fit, layout }: Pick<RowsInput, 'columns' | 'rows' | 'fit'> & Pick<BatchWork, 'layout'>,
  signal: AbortSignal,
): Promise<MediaJobs['fitRows']['output']> {
  const { composition } = job;
  const product = job.product && (await toProductAsset(context, job.product, { kind: 'production' }));
  const ownFonts = await readOwnFonts(context, job.ownFonts);
  const sizes = layout?.kind === 'gang' ? artworkSizes(jobOfRows(job, columns, rows)) : undefined;
  const pictures = listPictures(job);
  const fits: FittedRow[] = [];
  let frame = { widthMm: 0, heightMm: 0 };
  for (let at = 0; at < rows.length; at += ROWS_TOGETHER) {
    const part = {
      ...{ composition, product, ownFonts, columns, fit, sizes, pictures },
      rows: rows.slice(at, at + ROWS_TOGETHER),
    };
    const output = await context.media.run('fitRows', part, { caller: callerOf(actor), signal });
    fits.push(...output.rows);
    frame = output.frame;
  }
  const doubles = findDoubles(
    templatesOf(composition),
    rows.map((cells) => toRow(columns, cells)),
  );
  const rowsWithDoubles = fits.map((row, i): FittedRow => {
    const rowNumber = doubles[i];
    if (rowNumber === undefined) return row;
    return { ...row, findings: [...row.findings, { kind: 'double', rowNumber }] };
  });
  return { frame, rows: rowsWithDoubles };
}

/** `Does not fit: needs 92 mm, has 80 mm.` A row that could be made was left out because it is not approved. */
export const sayLeftOut = (findings: readonly RowFinding[]): string =>
  findings.filter(isWrong).map(sayRowFinding).join(' ') || 'Not approved.';

/** `Row 4: Does not fit: needs 92 mm, has 80 mm.` */
export const sayRow = (place: number, findings: readonly RowFinding[]): string =>
  `Row ${place + 1}: ${sayLeftOut(findings)}`;

/** Throws unprocessable with the first of these rows and what is wrong with each. */
export function refuseRows(fits: readonly FittedRow[], places: readonly number[]): never {
  const sentences = places.slice(0, MOST_NAMED).map((place) => sayRow(place, fits[place]!.findings));
  const others = places.length > MOST_NAMED ? ` And ${places.length - MOST_NAMED} more.` : '';
  throw new AppError('unprocessable', `${sentences.join(' ')}${others} Change these rows, or leave them out.`);
}

/** The keys of a batch's charges in the ledger. */
const chargeKeys = (batch: Pick<BatchRow, 'key' | 'pieces' | 'work'>): string[] =>
  Array.from({ length: exportsOf(batch) }, (_, i) => `batch ${batch.key} ${i}`);

const exportsOf = ({ pieces, work }: Pick<BatchRow, 'pieces' | 'work'>): number =>
  work.charges?.reduce((sum, { keys }) => sum + keys.length, 0) ?? exportsForBatch(pieces, work.plan?.sheets.length);

/** Refunds the charges of a batch. Call it in the transaction that ends the batch. */
export async function giveBackBatch(tx: Transaction, batch: BatchRow): Promise<void> {
  const { charges } = batch.work;
  const own = { owner: `user:${batch.userId}`, period: batch.period, keys: chargeKeys(batch) };
  const all = charges?.map(({ period, ...charge }) => ({ ...charge, period: new Date(period) })) ?? [own];
  for (const charge of all) await giveBackAll(tx, { ...charge, kind: 'vector' });
}

/** The folder of a batch's pieces. */
export const batchFolder = (id: string): string => `batches/${id}/`;
/** The key that the address of its package is signed for. No file lies there: the package is made while it is sent. */
export const packageKey = (id: string): string => `batches/${id}.zip`;

export async function listBatches(context: Context, actor: UserActor): Promise<{ batches: Batch[] }> {
  const rows = await context.db
    .select()
    .from(batches)
    .where(eq(batches.userId, actor.id))
    .orderBy(desc(batches.createdAt), desc(batches.id))
    .limit(LIST_LENGTH);
  return { batches: rows.map((row) => toBatch(context, row)) };
}

/** Finds batches that are not failed, by their ids, whoever's they are. */
export async function findLiveBatches(tx: Pick<Transaction, 'select'>, ids: readonly string[]): Promise<BatchRow[]> {
  if (ids.length === 0) return [];
  return tx
    .select()
    .from(batches)
    .where(and(inArray(batches.id, [...ids]), ne(batches.state, 'failed')));
}

/** Throws notFound, also for somebody else's. */
export async function findBatch(context: Context, actor: UserActor, id: string): Promise<Batch> {
  const [row] = await context.db
    .select()
    .from(batches)
    .where(and(eq(batches.userId, actor.id), eq(batches.id, id)));
  if (!row) throw notThere();
  return toBatch(context, row);
}

/** True while a batch is made of texts in a font of an account. Call it in the transaction that deletes the font. */
export async function isFontInUse(tx: Transaction, fontId: string): Promise<boolean> {
  const isOpen = inArray(batches.state, ['waiting', 'making']);
  const family = JSON.stringify(ownFamily(fontId));
  const rows = await tx
    .select({ id: batches.id })
    .from(batches)
    .where(and(isOpen, sql`strpos(${batches.work}::text, ${family}) > 0`))
    .limit(1);
  return rows.length > 0;
}

/** Deletes a batch with its files and its line among the files that were made. Throws notFound. */
export async function removeBatch(context: Context, actor: UserActor, id: string): Promise<{ ok: true }> {
  if (!(await dropBatch(context, actor, id))) throw notThere();
  return { ok: true };
}

/**
 * Deletes a batch that may be there. One that is not done gives its charges back, in the same transaction; who makes it
 * finds it gone and stops. Returns whether it was there.
 */
export async function dropBatch(context: Context, actor: UserActor, id: string): Promise<boolean> {
  const isThere = await context.db.transaction(async (tx) => {
    const [row] = await tx
      .delete(batches)
      .where(and(eq(batches.userId, actor.id), eq(batches.id, id)))
      .returning();
    if (!row) return false;
    if (row.state === 'waiting' || row.state === 'making') await giveBackBatch(tx, row);
    await tx.delete(madeFiles).where(eq(madeFiles.id, id));
    return true;
  });
  if (isThere) await context.files.deleteFolder(batchFolder(id));
  return isThere;
}

const notThere = () => new AppError('notFound', 'This batch is not there any more.');

/** Returns a batch as its account sees it. */
export function toBatch(context: Context, row: BatchRow): Batch {
  return {
    ...{
      id: row.id,
      state: row.state,
      pieces: row.pieces,
      sheets: row.work.plan?.sheets.length ?? null,
      done: row.done,
      filename: row.filename,
    },
    leftOut: row.work.leftOut.map((place) => place + 1),
    exports: exportsOf(row),
    problem: row.state === 'failed' ? row.problem : null,
    url: row.state === 'done' ? context.urls.sign(packageKey(row.id), { downloadName: row.filename }) : null,
    createdAt: row.createdAt.toISOString(),
    deletedAt: new Date(row.createdAt.getTime() + BATCH_DAYS * DAY_MS).toISOString(),
  };
}

/** Returns the folders of an account's batches, for its deletion. */
export async function listBatchFolders(tx: Transaction, userId: number): Promise<string[]> {
  const rows = await tx.select({ id: batches.id }).from(batches).where(eq(batches.userId, userId));
  return rows.map(({ id }) => batchFolder(id));
}

/** Returns the account's batches with their lists for the takeout. */
export async function* takeoutBatches(context: Context, actor: UserActor): AsyncGenerator<object> {
  for await (const row of readOldestFirst(context.db, batches, eq(batches.userId, actor.id))) {
    const { id: _id, url, ...fields } = toBatch(context, row);
    const { columns, rows, composition, format, layout, pictures } = row.work;
    yield { ...fields, format, layout, composition, columns, rows, pictures, file: url && `${context.origin}${url}` };
  }
}

/** Deletes batches after their days, and files of batches without a row. */
export async function sweepBatches(context: Context): Promise<void> {
  const longAgo = new Date(context.now().getTime() - BATCH_DAYS * DAY_MS);
  const old = await context.db.delete(batches).where(lt(batches.createdAt, longAgo)).returning({ id: batches.id });
  for (const { id } of old) await context.files.deleteFolder(batchFolder(id));
  await sweepOrphansOf(context, 'batches/', batches);
}
