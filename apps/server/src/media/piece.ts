/** The jobs of batches: fits the rows of a list into the texts of a composition, and makes the file of one row. */

import { figuresOf, linesOf, resolveScene, type Scene } from '@markwright/scene';
import { bindRow, createFitter, type FitAssets, type RowFit, toRow, toRowPictures } from '@markwright/scene/rows';
import { pieceBox } from '@markwright/scene/sheets';
import { createFonts } from '../platform/fonts.ts';
import type { LimitStep, MediaJobs, RowsInput } from '../platform/ports/mediaJobs.ts';
import { withoutLimit } from './drawingLimit.ts';
import { makeMachineFile } from './file.ts';
import { loadFigures } from './loadFigures.ts';

const fonts = createFonts();

/** Fits rows one after the other. Cost: some milliseconds a row. */
export async function fitRows(input: MediaJobs['fitRows']['input']): Promise<MediaJobs['fitRows']['output']> {
  const { sizes } = input;
  const { fits, assets } = await fitAll(input, input.rows);
  const artworks = new Map((sizes ?? []).map(({ id, ...size }) => [id, { ...size, shapes: [] }]));
  const { widthMm, heightMm } = await measureFrame(input);
  return {
    frame: { widthMm, heightMm },
    rows: fits.map(({ composition, texts, findings }) => ({
      texts: texts.map(({ elementId, text, percent }) => ({ elementId, text, percent })),
      findings,
      ...(sizes && { box: pieceBox(resolveScene(composition, { ...assets, artworks })) }),
    })),
  };
}

/** Returns the frame of a composition's pieces, whatever is in it. */
export async function measureFrame({
  composition,
  product,
}: Pick<RowsInput, 'composition' | 'product'>): Promise<Pick<Scene, 'widthMm' | 'heightMm' | 'area'>> {
  const assets = { product: product && { ...product, pictureHref: '' }, artworks: new Map() };
  return resolveScene({ ...composition, elements: [] }, { ...assets, fonts: await fonts.bookFor([]) });
}

/** Makes the file of one row. Throws as `makeMachineFile`. */
export async function makePiece(
  { columns, cells, fit, pictures, ...input }: MediaJobs['piece']['input'],
  limitStep: LimitStep = withoutLimit,
): Promise<MediaJobs['piece']['output']> {
  const { fits } = await fitAll({ ...input, columns, fit, pictures }, [cells]);
  const { composition } = fits[0]!;
  const { bytes, ending } = await makeMachineFile({ ...input, composition }, limitStep);
  return { bytes, ending };
}

/** Fits rows. `assets` are those that the fits were measured with. */
export async function fitAll(
  { composition, product, ownFonts, columns, fit, pictures }: Omit<RowsInput, 'rows'>,
  cells: readonly (readonly string[])[],
): Promise<{ readonly fits: readonly RowFit[]; readonly assets: FitAssets }> {
  const rows = cells.map((entry) => toRow(columns, entry));
  const pieces = [composition, ...rows.map((row) => bindRow(composition, row))];
  const book = await fonts.bookFor(
    pieces.flatMap((piece) => linesOf(piece)),
    ownFonts,
  );
  const assets = {
    product: product && { ...product, pictureHref: '' },
    fonts: book.unjoined,
    ...(pictures && { pictures: toRowPictures(pictures) }),
    ...(figuresOf(composition).length > 0 && { figures: await loadFigures() }),
  };
  return { fits: rows.map(createFitter(composition, assets, fit)), assets };
}
