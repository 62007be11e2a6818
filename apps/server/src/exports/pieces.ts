/** The pieces of an order, each with its own words: checks them as the rows of a list, and draws them. */
import { MAX_PROOF_PIECES, type OrderPiece } from '@markwright/contract';
import { cellsOf, isWrong, mergePieces, toColumnKey, toPieceDesign } from '@markwright/scene/rows';
import type { Context } from '../platform/context.ts';
import { AppError } from '../platform/errors.ts';
import type { Actor, UserActor } from '../platform/mount.ts';
import { fitList, refuseRows } from './batches.ts';
import { drawProof } from './batchProof.ts';
import type { RenderJob } from './renderJob.ts';

/**
 * Checks the pieces of a design, and returns them with each words once, under the columns' own names. Throws invalid
 * for quantities that do not add up, and unprocessable for a design without texts, for a column that it does not have
 * and for words that cannot be made, with the number of the row.
 */
export async function checkPieces(
  context: Context,
  actor: Actor,
  job: RenderJob,
  { pieces, quantity }: { readonly pieces: readonly OrderPiece[]; readonly quantity: number },
  signal: AbortSignal,
): Promise<OrderPiece[]> {
  const sum = pieces.reduce((total, piece) => total + piece.quantity, 0);
  if (sum !== quantity) throw new AppError('invalid', `The pieces are ${sum}, and ${quantity} are ordered.`);
  const design = toPieceDesign(job.composition);
  if (!design) throw new AppError('unprocessable', 'This design has no text that could be different on each piece.');
  const { columns, fit } = design;
  const keys = new Set(columns.map(toColumnKey));
  for (const [place, { words }] of pieces.entries()) {
    const unknown = Object.keys(words).find((column) => !keys.has(toColumnKey(column)));
    if (unknown !== undefined) {
      throw new AppError('unprocessable', `Row ${place + 1}: This design has no text “${unknown.slice(0, 40)}”.`);
    }
  }
  const rows = pieces.map((piece) => cellsOf(piece, columns));
  const list = await fitList(
    context,
    actor,
    { ...job, composition: design.composition },
    { columns, rows, fit },
    signal,
  );
  const wrong = list.rows.flatMap(({ findings }, place) => (findings.some(isWrong) ? [place] : []));
  if (wrong.length > 0) refuseRows(list.rows, wrong);
  return mergePieces(pieces, columns);
}

/** Draws every piece of a design into a PDF, for the customer to look at. Throws as `drawProof`. */
export async function drawPieces(
  context: Context,
  actor: UserActor,
  job: RenderJob,
  pieces: readonly OrderPiece[],
  signal: AbortSignal,
): Promise<{ url: string; filename: string }> {
  const design = toPieceDesign(job.composition);
  if (!design || pieces.length > MAX_PROOF_PIECES) throw new Error('Pieces that were checked can be drawn');
  const { columns, fit } = design;
  const papers = pieces.map((piece, i) => {
    const cells = cellsOf(piece, columns);
    const text = cells.join(' · ');
    return { number: i + 1, cells, text: piece.quantity > 1 ? `${piece.quantity} × ${text}` : text };
  });
  const proof = { columns, fit, pieces: papers, hasWatermark: false };
  const { url, filename } = await drawProof(context, actor, { ...job, composition: design.composition }, proof, signal);
  return { url, filename };
}
