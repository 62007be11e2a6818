/**
 * Makes the pieces of batches in the background. Batches take turns of some pieces each, and every piece waits in the
 * line of the media pool as any other job of its account.
 *
 * A server takes a lease on a batch for a minute, and renews it. After a crash the lease ends, and any server takes the
 * batch again. The row of the batch counts the finished pieces. Each piece has one key in the store, so a piece that is
 * made again replaces itself.
 */
import { pieceFilename, sheetFilename } from '@markwright/contract';
import { textsOf } from '@markwright/scene';
import { bindRow, placeholders, sayRowFinding, toRow, writeCsv } from '@markwright/scene/rows';
import type { SizeMm } from '@markwright/scene/sheets';
import { and, eq, inArray, lte, sql } from 'drizzle-orm';
import { roleOf } from '../accounts/sessions.ts';
import { users } from '../accounts/tables.ts';
import { keeperOf } from '../allowances/storageShare.ts';
import type { Context } from '../platform/context.ts';
import { isDatabaseDown } from '../platform/database.ts';
import { AppError, nameRow } from '../platform/errors.ts';
import { mediaTypeOf } from '../platform/files.ts';
import { newId } from '../platform/ids.ts';
import type { UserActor } from '../platform/mount.ts';
import { callerOf } from '../platform/ownership.ts';
import { type BatchRow, batchFolder, fitList, giveBackBatch, sayLeftOut, sayRow } from './batches.ts';
import { mapSheets, type PiecePlace, placesOf } from './batchSheets.ts';
import { type BatchSource, readSources, sourceAt, toSources } from './batchSources.ts';
import { preparePieces } from './machineFile.ts';
import { recordPackage } from './madeFiles.ts';
import { limitFactorOf, namesOf, readComposition, toProductAsset } from './renderJob.ts';
import { inputOfRows, jobOfRows } from './rowPictures.ts';
import { batches } from './tables.ts';

/** The pieces of a turn. */
const TURN = 25;
/** A sheet may have hundreds of pieces. */
const SHEETS_OF_TURN = 1;
/** So many pieces of a sheet may take as long again as one. */
const PIECES_FOR_LIMIT = 10;
const LEASE_MS = 60_000;
const RENEW_MS = 20_000;
/** After this long a run ends, and the next one goes on. */
const RUN_MS = 4 * 60_000;
/** A batch whose account has no turn waits this long at least. */
const PAUSE_MS = 5_000;
const BROKEN = 'The pieces could not be made because of a fault of ours. Please try again.';

/** Makes due batches, one turn after the other, until none is due. Any number of callers may do so at once. */
export async function makeBatches(context: Context, signal: AbortSignal = new AbortController().signal): Promise<void> {
  const end = performance.now() + RUN_MS;
  while (!signal.aborted && performance.now() < end) {
    const batch = await claim(context);
    if (!batch) return;
    await takeTurn(context, batch, signal);
  }
}

/** Takes the batch that waits longest. Returns undefined when none is due. */
async function claim(context: Context): Promise<BatchRow | undefined> {
  const now = context.now();
  const isDue = and(inArray(batches.state, ['waiting', 'making']), lte(batches.dueAt, now));
  const next = context.db
    .select({ id: batches.id })
    .from(batches)
    .where(isDue)
    .orderBy(batches.dueAt)
    .limit(1)
    .for('update', { skipLocked: true });
  const [batch] = await context.db
    .update(batches)
    .set({ state: 'making', holder: newId(), dueAt: new Date(now.getTime() + LEASE_MS) })
    .where(sql`${batches.id} = (${next})`)
    .returning();
  return batch;
}

const isHeld = ({ id, holder }: BatchRow) => and(eq(batches.id, id), eq(batches.holder, holder));

/** Thrown when a batch was deleted, or is made by somebody else by now. */
class BatchGone extends Error {}

/** Changes a batch that is held, and holds it on. Throws BatchGone. */
async function update(
  context: Context,
  batch: BatchRow,
  changes: Partial<Pick<BatchRow, 'done' | 'ending' | 'state' | 'holder' | 'dueAt'>>,
): Promise<void> {
  const dueAt = new Date(context.now().getTime() + LEASE_MS);
  const rows = await context.db
    .update(batches)
    .set({ dueAt, ...changes })
    .where(isHeld(batch))
    .returning({ id: batches.id });
  if (rows.length === 0) throw new BatchGone();
}

const release = (context: Context, batch: BatchRow, pauseMs = 0): Promise<void> =>
  update(context, batch, { state: 'waiting', holder: '', dueAt: new Date(context.now().getTime() + pauseMs) });

async function takeTurn(context: Context, batch: BatchRow, stop: AbortSignal): Promise<void> {
  const loss = new AbortController();
  const renew = setInterval(() => {
    update(context, batch, {}).catch((error: unknown) => error instanceof BatchGone && loss.abort(error));
  }, RENEW_MS);
  try {
    await makeTurn(context, batch, AbortSignal.any([stop, loss.signal]));
  } catch (error) {
    await endTurn(context, batch, error, stop);
  } finally {
    clearInterval(renew);
  }
}

/** Decides what follows from an error. Throws it while the database is away: the lease ends by itself. */
async function endTurn(context: Context, batch: BatchRow, error: unknown, stop: AbortSignal): Promise<void> {
  if (error instanceof BatchGone) return dropFiles(context, batch);
  if (isDatabaseDown(error)) throw error;
  const isPause = error instanceof AppError && (error.code === 'tooMany' || error.code === 'unavailable');
  if (stop.aborted || isPause) {
    const pauseMs = stop.aborted ? 0 : Math.max(PAUSE_MS, ((error as AppError).retryAfterSeconds ?? 0) * 1000);
    return release(context, batch, pauseMs).catch((failure: unknown) => {
      if (!(failure instanceof BatchGone)) throw failure;
      return dropFiles(context, batch);
    });
  }
  if (!(error instanceof AppError)) context.log.error({ err: error, batch: batch.id }, 'a batch failed');
  await fail(context, batch, error instanceof AppError ? error.message : BROKEN);
}

/** Ends a batch and gives its charges back, in one transaction. */
async function fail(context: Context, batch: BatchRow, problem: string): Promise<void> {
  await context.db.transaction(async (tx) => {
    const rows = await tx
      .update(batches)
      .set({ state: 'failed', problem, holder: '', done: 0 })
      .where(isHeld(batch))
      .returning();
    for (const row of rows) await giveBackBatch(tx, row);
  });
  await context.files.deleteFolder(batchFolder(batch.id));
}

/** Deletes what was made of a batch that is gone; of one that somebody else makes, nothing. */
async function dropFiles(context: Context, { id }: BatchRow): Promise<void> {
  const [row] = await context.db.select({ id: batches.id }).from(batches).where(eq(batches.id, id));
  if (!row) await context.files.deleteFolder(batchFolder(id));
}

/** Makes the next pieces of a batch, and after the last one its papers. */
async function makeTurn(context: Context, batch: BatchRow, signal: AbortSignal): Promise<void> {
  const actor = await findActor(context, batch);
  const { work } = batch;
  const sources = await readSources(context, actor, work);
  const places = piecesOf(batch);
  const run = { caller: callerOf(actor), signal };
  const keeper = await keeperOf(context, actor);
  const { plan, layout } = work;
  const files = plan?.sheets.length ?? batch.pieces;
  if (batch.done < files) {
    const end = Math.min(batch.done + (plan ? SHEETS_OF_TURN : TURN), files);
    /** The rows that lie in a file. */
    const placesIn = (at: number): number[] =>
      plan?.sheets[at]?.placements.map(({ piece }) => places[piece]!) ?? [places[at]!];
    const placesOfTurn = Array.from({ length: end - batch.done }, (_, i) => placesIn(batch.done + i)).flat();
    const prepare = createPreparation(context, actor, batch, placesOfTurn, signal);
    const make = async (at: number) => {
      const sheet = plan?.sheets[at];
      if (!plan || !layout || !sheet) {
        const place = places[at]!;
        const source = sourceAt(sources, place);
        const input = await prepare(source, [place]);
        const runPiece = { ...run, limitFactor: limitFactorOf(source.job) };
        const piece = source.isAsItIs
          ? context.media.run('file', input, runPiece)
          : context.media.run('piece', { ...input, cells: source.rows[place - source.start]! }, runPiece);
        return piece.catch((error: unknown) => {
          throw nameRow(error, place + 1);
        });
      }
      const [source] = sources;
      const { rows } = source!;
      const input = await prepare(source!, placesIn(at));
      const pieces = sheet.placements.map(({ piece }) => {
        const place = places[piece]!;
        return {
          ...{ cells: rows[place]!, rowNumber: place + 1 },
          ...{ box: plan.boxes?.[piece], silhouette: plan.silhouettes?.[piece] },
        };
      });
      const limitFactor = limitFactorOf(source!.job) * (1 + pieces.length / PIECES_FOR_LIMIT);
      return context.media.run('sheet', { ...input, layout, sheet, pieces }, { ...run, limitFactor });
    };
    for (let at = batch.done; at < end; at++) {
      const { bytes, ending } = await make(at);
      const key = plan ? sheetKey(batch, at, ending) : pieceKey(batch, places[at]!, ending);
      await context.files.put(key, bytes, mediaTypeOf(key), keeper);
      await update(context, batch, { done: at + 1, ending });
    }
    if (end < files) return release(context, batch);
  }
  const [current] = await context.db.select().from(batches).where(isHeld(batch));
  if (!current) throw new BatchGone();
  const size = await makePapers(context, current, { actor, sources, signal });
  await finish(context, current, { size, names: namesOf(sources[0]!.job), now: context.now() });
}

/**
 * Returns a function that reads what the pieces in some places of a source need. It holds what those of the turn need
 * of the last source: pieces come in order.
 */
function createPreparation(
  context: Context,
  actor: UserActor,
  { work, createdAt }: BatchRow,
  placesOfTurn: readonly number[],
  signal: AbortSignal,
) {
  let last: { readonly source: BatchSource; readonly input: ReturnType<typeof preparePieces> } | undefined;
  return async (source: BatchSource, places: readonly number[]) => {
    const { job, columns, fit } = source;
    const cellsAt = (list: readonly number[]) => list.map((place) => source.rows[place - source.start]!);
    if (last?.source !== source) {
      const ownPlaces = placesOfTurn.filter((place) => source.rows[place - source.start] !== undefined);
      last = {
        source,
        input: preparePieces(context, actor, jobOfRows(job, columns, cellsAt(ownPlaces)), work, signal),
      };
    }
    return { ...inputOfRows(job, await last.input, columns, cellsAt(places)), now: createdAt, columns, fit };
  };
}

/** Ends a batch that is made, and lists its package among the files of its account, in one transaction. */
async function finish(context: Context, batch: BatchRow, line: Parameters<typeof recordPackage>[2]): Promise<void> {
  await context.db.transaction(async (tx) => {
    const rows = await tx.update(batches).set({ state: 'done', holder: '' }).where(isHeld(batch)).returning();
    if (rows.length === 0) throw new BatchGone();
    await recordPackage(tx, batch, line);
  });
}

/** Makes `rows.csv` and the job sheet. Returns the size of a piece. */
async function makePapers(
  context: Context,
  batch: BatchRow,
  {
    actor,
    sources,
    signal,
  }: { readonly actor: UserActor; readonly sources: readonly BatchSource[]; readonly signal: AbortSignal },
): Promise<SizeMm> {
  const { work } = batch;
  const { job } = sources[0]!;
  const { fits, frame } = await fitSources(context, actor, sources, signal);
  const entries = packageEntries(batch).flatMap(({ places, filename }) =>
    places.map((place): [number, string] => [place, filename]),
  );
  const names = new Map(entries.sort(([a], [b]) => a - b));
  const { plan, layout } = work;
  const lies = plan && new Map(placesOf(plan).map((at, i) => [piecesOf(batch)[i]!, at]));
  const notes = fits.map(({ texts, findings }, place) => {
    if (!names.has(place)) return onPaper(sayLeftOut(findings));
    const least = Math.min(100, ...texts.map(({ percent }) => percent));
    return [
      ...(least < 100 ? [`${Number(least.toFixed(1))} % of its size.`] : []),
      ...findings.map(sayRowFinding),
    ].join(' ');
  });
  const csv = writeCsv(
    ['Row', 'File', ...(lies ? ['Sheet', 'Slot'] : []), ...work.columns, 'Note'],
    work.rows.map((cells, place) => {
      const at = lies?.get(place);
      const where = lies ? [String(at?.sheet ?? ''), String(at?.slot ?? '')] : [];
      return [String(place + 1), names.get(place) ?? '', ...where, ...cells, notes[place]!];
    }),
  );
  const pieces = [...names].map(([place, filename]) => {
    const { number, quantities, start } = sourceAt(sources, place);
    const note = [number && `Order ${number}.`, notes[place]!].filter(Boolean).join(' ');
    return {
      ...{ number: place + 1, filename, where: sayWhere(lies?.get(place)), note },
      text: fits[place]!.texts.map(({ text }) => text).join(' · '),
      quantity: quantities?.[place - start] ?? 1,
    };
  });
  const sheet = {
    title: namesOf(job).productName ?? namesOf(job).designFilename ?? 'Design',
    ...{ machine: job.composition.machine, material: job.product?.material, now: batch.createdAt, pieces },
    leftOut: work.leftOut.map((place) => onPaper(sayRow(place, fits[place]!.findings))),
    ...(plan && {
      sheets: mapSheets({ ...work, plan }, batch.ending, pieces, job.composition.machine === 'sublimation'),
    }),
  };
  const run = { caller: callerOf(actor), signal, limitFactor: 1 + pieces.length / 500 };
  const { bytes } = await context.media.run('batchSheet', sheet, run);
  const keeper = await keeperOf(context, actor);
  await context.files.put(paperKey(batch, ROWS), new TextEncoder().encode(csv), 'text/csv', keeper);
  await context.files.put(paperKey(batch, SHEET), bytes, 'application/pdf', keeper);
  if (layout?.kind !== 'jig') return frame;
  const product = job.product && (await toProductAsset(context, job.product, { kind: 'production' }));
  const jig = await context.media.run('jig', { composition: job.composition, product, layout }, run);
  await context.files.put(paperKey(batch, JIG.svg), jig.svg, mediaTypeOf(JIG.svg), keeper);
  await context.files.put(paperKey(batch, JIG.dxf), jig.dxf, mediaTypeOf(JIG.dxf), keeper);
  return frame;
}

/** Fits the rows of all sources. The texts of a design that is made as it is are its own. */
async function fitSources(context: Context, actor: UserActor, sources: readonly BatchSource[], signal: AbortSignal) {
  const fits: Awaited<ReturnType<typeof fitList>>['rows'][number][] = [];
  let frame: SizeMm = { widthMm: 0, heightMm: 0 };
  for (const { job, columns, rows, fit, isAsItIs } of sources) {
    const bare = { ...job, composition: { ...job.composition, elements: [] } };
    const list = isAsItIs
      ? await fitList(context, actor, bare, { columns: [], rows: rows.map(() => []), fit }, signal)
      : await fitList(context, actor, job, { columns, rows, fit }, signal);
    const words = textsOf(job.composition).map(({ id, text }) => ({ elementId: id, text: text.trim(), percent: 100 }));
    fits.push(...list.rows.map((row) => (isAsItIs ? { ...row, texts: words } : row)));
    frame = list.frame;
  }
  return { fits, frame };
}

const sayWhere = (at: PiecePlace | undefined): string => (at ? `Sheet ${at.sheet}, ${at.slot}` : '');

/** Marks that turn nothing around on paper would stand there as letters. */
const onPaper = (sentence: string) => sentence.replace(/[\u2068\u2069]/gu, '');

const ROWS = 'rows.csv';
const SHEET = 'job-sheet.pdf';
const JIG = { svg: 'jig.svg', dxf: 'jig.dxf' } as const;
const paperKey = ({ id }: BatchRow, name: string) => `${batchFolder(id)}${name}`;

/** The ending of a piece may begin with a word: the stored file has its last part. */
const pieceKey = ({ id }: BatchRow, place: number, ending: string) =>
  `${batchFolder(id)}${String(place + 1).padStart(5, '0')}${/\.[a-z0-9]+$/.exec(ending)![0]}`;

const sheetKey = (batch: BatchRow, at: number, ending: string) => pieceKey(batch, at, ending);

/** The places of the rows that are made, from 0, in their order. */
function piecesOf({ work }: BatchRow): number[] {
  const leftOut = new Set(work.leftOut);
  return work.rows.flatMap((_, place) => (leftOut.has(place) ? [] : [place]));
}

/** Lists the files of a batch with their names and keys, and the rows that lie in each. */
function packageEntries(batch: BatchRow) {
  const { work, ending } = batch;
  const { plan } = work;
  const places = piecesOf(batch);
  if (plan) {
    return plan.sheets.map(({ placements }, i) => ({
      places: placements.map(({ piece }) => places[piece]!),
      filename: sheetFilename(i + 1, plan.sheets.length, ending),
      key: sheetKey(batch, i, ending),
    }));
  }
  if (work.parts) {
    const sources = toSources(work.parts);
    return places.map((place) => {
      const { number, quantities, rows, start } = sourceAt(sources, place);
      const label = [number, `${quantities![place - start]}x`, rows[place - start]![0]].filter(Boolean).join(' ');
      const filename = pieceFilename(place + 1, work.rows.length, label, ending);
      return { places: [place], filename, key: pieceKey(batch, place, ending) };
    });
  }
  const composition = readComposition(work.composition);
  const [first] = placeholders(composition);
  return places.map((place) => {
    const piece = bindRow(composition, toRow(work.columns, work.rows[place]!));
    const text = textsOf(piece).find(({ id }) => `text:${id}` === first?.elementId)?.text ?? '';
    const filename = pieceFilename(place + 1, work.rows.length, text, ending);
    return { places: [place], filename, key: pieceKey(batch, place, ending) };
  });
}

/** Lists the files of a batch's package by their names. */
export const listPackage = (batch: BatchRow): { readonly filename: string; readonly key: string }[] => [
  ...packageEntries(batch).map(({ filename, key }) => ({ filename, key })),
  ...[ROWS, SHEET, ...(batch.work.layout?.kind === 'jig' ? Object.values(JIG) : [])].map((filename) => ({
    filename,
    key: paperKey(batch, filename),
  })),
];

/** Finds the account that a batch is made for. */
async function findActor(context: Context, { userId, address }: BatchRow): Promise<UserActor> {
  const [user] = await context.db
    .select({ email: users.email, role: users.adminRole })
    .from(users)
    .where(eq(users.id, userId));
  if (!user) throw new BatchGone();
  const isAdmin = roleOf(userId, user.role) !== undefined;
  return { kind: 'user', id: userId, email: user.email, isAdmin, sessionId: '', address };
}
