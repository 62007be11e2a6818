/** The jobs of batches: fits the rows of a list into the texts of a composition, and makes the file of one row. */

import { figuresOf, linesOf } from '@markwright/scene';
import { bindRow, createFitter, type RowFit, toRow } from '@markwright/scene/rows';
import { createFonts } from '../platform/fonts.ts';
import type { LimitStep, MediaJobs, RowsInput } from '../platform/ports/mediaJobs.ts';
import { withoutLimit } from './drawingLimit.ts';
import { makeMachineFile } from './file.ts';
import { loadFigures } from './loadFigures.ts';

const fonts = createFonts();

/** Fits rows one after the other. Cost: some milliseconds a row. */
export async function fitRows(input: MediaJobs['fitRows']['input']): Promise<MediaJobs['fitRows']['output']> {
  const fits = await fitAll(input, input.rows);
  return {
    rows: fits.map(({ texts, findings }) => ({
      texts: texts.map(({ elementId, text, percent }) => ({ elementId, text, percent })),
      findings,
    })),
  };
}

/** Makes the file of one row. Throws as `makeMachineFile`. */
export async function makePiece(
  { columns, cells, fit, ...input }: MediaJobs['piece']['input'],
  limitStep: LimitStep = withoutLimit,
): Promise<MediaJobs['piece']['output']> {
  const [{ composition }] = (await fitAll({ ...input, columns, fit }, [cells])) as [RowFit];
  const { bytes, ending } = await makeMachineFile({ ...input, composition }, limitStep);
  return { bytes, ending };
}

async function fitAll(
  { composition, product, columns, fit }: Pick<RowsInput, 'composition' | 'product' | 'columns' | 'fit'>,
  cells: readonly (readonly string[])[],
): Promise<RowFit[]> {
  const rows = cells.map((entry) => toRow(columns, entry));
  const pieces = [composition, ...rows.map((row) => bindRow(composition, row))];
  const book = await fonts.bookFor(pieces.flatMap((piece) => linesOf(piece)));
  const assets = {
    product: product && { ...product, pictureHref: '' },
    fonts: book.unjoined,
    ...(figuresOf(composition).length > 0 && { figures: await loadFigures() }),
  };
  return rows.map(createFitter(composition, assets, fit));
}
