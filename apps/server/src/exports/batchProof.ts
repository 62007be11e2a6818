/** The proof of a list: a PDF of its pieces on their product, for the customer to sign before they are made. */
import {
  type BatchRequest,
  type batchCalls,
  type CallReplyInput,
  MAX_PROOF_PIECES,
  plans,
  proofFilename,
} from '@markwright/contract';
import { findSubscription } from '../allowances/allowances.ts';
import { keeperOf } from '../allowances/storageShare.ts';
import type { Context } from '../platform/context.ts';
import { AppError } from '../platform/errors.ts';
import type { UserActor } from '../platform/mount.ts';
import { callerOf } from '../platform/ownership.ts';
import type { RowsInput } from '../platform/ports/mediaJobs.ts';
import { recordUse } from '../platform/storage.ts';
import { checkList } from './batches.ts';
import { hashRender, limitFactorOf, namesOf, toDrawInput, toProductAsset, traceRenderJob } from './renderJob.ts';
import { inputOfRows, jobOfRows, type ListJob, readListJob } from './rowPictures.ts';

/** So many pieces of a proof may take as long again as one drawing. */
const PIECES_FOR_LIMIT = 25;

interface Progress {
  readonly signal: AbortSignal;
  report(stage: 'drawing'): void;
}

/**
 * Draws the proof of a list and returns its address. It charges nothing. The same request of the same account on the
 * same day is one stored file. Throws as `createBatch` does for the list, and unprocessable for too many pieces.
 */
export async function makeProof(
  context: Context,
  actor: UserActor,
  request: BatchRequest,
  { signal, report }: Progress,
): Promise<CallReplyInput<typeof batchCalls.proof>> {
  const job = await readListJob(context, actor, request);
  // Before thousands of rows are fitted for nothing.
  if (!request.leaveOutWrong) refuseMany(request.rows.length - new Set(request.leaveOut).size);
  const { columns, rows, places } = await checkList(context, actor, job, { ...request, layout: undefined }, signal);
  refuseMany(places.length);
  report('drawing');

  const { plan } = await findSubscription(context, actor.id);
  const hasWatermark = plans[plan].watermark;
  const pieces = places.map((place) => ({ number: place + 1, cells: rows[place]!, text: rows[place]!.join(' · ') }));
  return drawProof(context, actor, job, { columns, fit: request.fit, pieces, hasWatermark }, signal);
}

/** Pieces of a proof. `text` stands below each. */
interface ProofPieces extends Pick<RowsInput, 'columns' | 'fit'> {
  readonly pieces: readonly { readonly number: number; readonly cells: readonly string[]; readonly text: string }[];
  readonly hasWatermark: boolean;
}

/** Draws pieces that were checked into a PDF and returns its address. Throws as `drawRenderJob`. */
export async function drawProof(
  context: Context,
  actor: UserActor,
  job: ListJob,
  { columns, fit, pieces, hasWatermark }: ProofPieces,
  signal: AbortSignal,
): Promise<CallReplyInput<typeof batchCalls.proof>> {
  const names = namesOf(job);
  const cells = pieces.map((piece) => piece.cells);
  const now = context.now();
  const facts = {
    ...{ title: names.productName ?? names.designFilename ?? 'Design', machine: job.composition.machine, now },
    material: job.product?.material,
    pieces: pieces.map(({ number, text }) => ({ number, text })),
  };
  // Refuses a composition that no production file can be made of, with the same sentence.
  const target = { kind: 'production' } as const;
  const pieceJob = jobOfRows(job, columns, cells);
  const traces = await traceRenderJob(context, actor, pieceJob, { target, signal });
  const date = now.toISOString().slice(0, 10);
  const pictureList = job.pictures ? [[...job.pictures.pictures.values()]] : [];
  const parts = ['proof', columns, pieces, fit, hasWatermark, date, ...pictureList];
  const key = `${hashRender(actor, pieceJob, parts, traces)}.pdf`;
  if (await context.files.has(key)) await recordUse(context.db, key, now);
  else {
    const input = await toDrawInput(context, actor, pieceJob, { target, signal }, traces);
    const product = job.product && (await toProductAsset(context, job.product, { kind: 'mockup' }));
    const { composition, artworks, ownFonts, pictures } = inputOfRows(job, input, columns, cells);
    const limitFactor = limitFactorOf(job) * (1 + pieces.length / PIECES_FOR_LIMIT);
    const { bytes } = await context.media.run(
      'proof',
      { composition, product, artworks, ownFonts, pictures, columns, fit, cells, hasWatermark, facts },
      { caller: callerOf(actor), signal, limitFactor },
    );
    await context.files.put(key, bytes, 'application/pdf', await keeperOf(context, actor));
  }
  const filename = proofFilename(names, pieces.length);
  return { url: context.urls.sign(key, { downloadName: filename }), filename, pieces: pieces.length };
}

function refuseMany(pieces: number): void {
  if (pieces <= MAX_PROOF_PIECES) return;
  const count = pieces.toLocaleString('en-US');
  throw new AppError(
    'unprocessable',
    `A proof has at most ${MAX_PROOF_PIECES} pieces, and this list has ${count}. Make it in parts: leave rows out.`,
  );
}
