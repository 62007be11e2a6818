/** Where the pieces of a batch come from: one composition with the rows of a list, or several orders with their own. */
import { textsOf } from '@markwright/scene';
import { cellsOf, toPieceDesign } from '@markwright/scene/rows';
import type { Context } from '../platform/context.ts';
import type { UserActor } from '../platform/mount.ts';
import type { RowsInput } from '../platform/ports/mediaJobs.ts';
import { readComposition } from './renderJob.ts';
import { type ListJob, readListJob } from './rowPictures.ts';
import type { BatchWork, OrderPart } from './tables.ts';

/** Pieces that are made of one design. */
export interface BatchSource extends Pick<RowsInput, 'columns' | 'rows' | 'fit'> {
  readonly job: ListJob;
  /** The place of its first row among those of the batch, from 0. */
  readonly start: number;
  /** True for a design that is made as it is: braces in it are just braces. */
  readonly isAsItIs: boolean;
  readonly number?: string | undefined;
  /** How many are made of each row. */
  readonly quantities?: readonly number[] | undefined;
}

/** Reads what the pieces of a batch are made of. Throws as `readListJob`. */
export async function readSources(
  context: Context,
  actor: UserActor,
  { parts, columns, rows, fit, ...work }: BatchWork,
): Promise<BatchSource[]> {
  if (parts) return toSources(parts);
  const job = await readListJob(context, actor, work);
  return [{ job, columns, rows, fit, start: 0, isAsItIs: false }];
}

/** Returns the sources of orders, one after the other. */
export function toSources(parts: readonly OrderPart[]): BatchSource[] {
  let start = 0;
  return parts.map((part) => {
    const source = { ...toSource(part), start, number: part.number };
    start += source.rows.length;
    return source;
  });
}

function toSource({ composition: content, designs, product, pieces, quantity }: OrderPart) {
  const composition = readComposition(content);
  const job: ListJob = { composition, designs: new Map(designs), product, ownFonts: [] };
  const design = toPieceDesign(composition);
  if (design && pieces) {
    const { columns, fit } = design;
    const rows = pieces.map((piece) => cellsOf(piece, columns));
    const quantities = pieces.map((piece) => piece.quantity);
    return { ...{ columns, fit, rows, quantities }, job: { ...job, composition: design.composition }, isAsItIs: false };
  }
  const words = textsOf(composition).filter(({ isHidden, text }) => !isHidden && text.trim() !== '');
  const columns = words.map((_, i) => (words.length === 1 ? 'Text' : `Text ${i + 1}`));
  return {
    columns,
    fit: {},
    rows: [words.map(({ text }) => text.trim())],
    quantities: [quantity],
    job,
    isAsItIs: true,
  };
}

/** Finds the source of a row by its place in the batch. */
export const sourceAt = (sources: readonly BatchSource[], place: number): BatchSource =>
  sources.findLast(({ start }) => start <= place)!;
