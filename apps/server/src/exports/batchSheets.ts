/** The sheets of a batch: where its pieces lie, and what its papers say of them. */
import { type BatchLayout, type BatchRequest, sheetFilename } from '@markwright/contract';
import { artworksOf, isEngraved } from '@markwright/scene';
import {
  DOTS_ON_SHEET,
  findPixelFault,
  MOST_NESTED,
  placeSilhouette,
  ringBounds,
  type Silhouette,
  sizeOfBox,
  slotsOf,
  turnSize,
} from '@markwright/scene/sheets';
import type { Context } from '../platform/context.ts';
import { AppError } from '../platform/errors.ts';
import type { UserActor } from '../platform/mount.ts';
import { callerOf } from '../platform/ownership.ts';
import type { BatchPlan, MediaJobs, SheetMap } from '../platform/ports/mediaJobs.ts';
import { limitFactorOf, type RenderJob, toDrawInput, traceRenderJob } from './renderJob.ts';
import { inputOfRows, jobOfRows, type ListJob } from './rowPictures.ts';
import type { BatchWork } from './tables.ts';

type FittedList = MediaJobs['fitRows']['output'];

/**
 * Throws unprocessable, or invalid, for a layout that suits the design or the format never, whatever its rows. Says so
 * before anything is fitted or charged.
 */
export function refuseLayout({ composition }: RenderJob, { layout, format, options }: BatchRequest): void {
  if (!layout) return;
  const { machine } = composition;
  if (machine === 'laser' && artworksOf(composition).some((artwork) => isEngraved(artwork, machine))) {
    throw new AppError('unprocessable', DOTS_ON_SHEET);
  }
  if ((options.bleedMm ?? 0) > 0) {
    throw new AppError('invalid', 'A sheet has no bleed. Leave it out, or make one file per piece.');
  }
  if (options.taper) {
    throw new AppError('invalid', 'A sheet makes up for no taper. Leave it out, or make one file per piece.');
  }
  const fault = format === 'png' || format === 'tiff' ? findPixelFault(layout) : undefined;
  if (fault) throw new AppError('unprocessable', fault);
}

/** A list that was checked: its rows with their fits, and the places of those that are made. */
interface PieceList extends FittedList, Pick<BatchRequest, 'columns' | 'fit'> {
  readonly cells: BatchRequest['rows'];
  readonly places: readonly number[];
}

/** Lays the pieces of a list on sheets. Throws unprocessable for a layout that cannot hold them. */
export async function planBatch(
  context: Context,
  actor: UserActor,
  job: ListJob,
  { layout, options }: Pick<BatchRequest, 'options'> & { readonly layout: BatchLayout },
  list: PieceList,
  signal: AbortSignal,
): Promise<BatchPlan> {
  const { frame, rows, places } = list;
  const whole = { minX: 0, minY: 0, maxX: frame.widthMm, maxY: frame.heightMm };
  // White that floods takes all of the frame.
  const isFlood = options.white === 'flood';
  const boxes =
    layout.kind === 'gang' ? places.map((place) => (isFlood ? whole : (rows[place]!.box ?? whole))) : undefined;
  const isByShapes = layout.kind === 'gang' && layout.packBy === 'shapes' && !isFlood && places.length <= MOST_NESTED;
  const silhouettes = isByShapes ? await findSilhouettes(context, actor, job, list, signal) : undefined;
  const pieces = { pieces: places.length, rowNumbers: places.map((place) => place + 1) };
  const input = { layout, frame, boxes, silhouettes, ...pieces };
  const limitFactor = 1 + places.length / (silhouettes ? PIECES_FOR_LIMIT : 300);
  const { sheets } = await context.media.run('planSheets', input, { caller: callerOf(actor), signal, limitFactor });
  return { sheets, frame, ...(boxes && { boxes }), ...(silhouettes && { silhouettes }) };
}

/** So many pieces that are packed by their shapes may take as long again as one. */
const PIECES_FOR_LIMIT = 100;
/** So many silhouettes are found in one job of the media pool. */
const SILHOUETTES_TOGETHER = 50;

/** Finds the silhouettes of pieces, some at a time, so that other callers get their turns between. */
async function findSilhouettes(
  context: Context,
  actor: UserActor,
  job: ListJob,
  { columns, cells, fit, places }: PieceList,
  signal: AbortSignal,
): Promise<Silhouette[]> {
  const drawing = { target: { kind: 'production' }, signal } as const;
  const allCells = places.map((place) => cells[place]!);
  const pieceJob = jobOfRows(job, columns, allCells);
  const traces = await traceRenderJob(context, actor, pieceJob, drawing);
  const allInput = await toDrawInput(context, actor, pieceJob, drawing, traces);
  const run = { caller: callerOf(actor), signal, limitFactor: limitFactorOf(job) };
  const silhouettes: Silhouette[] = [];
  for (let at = 0; at < places.length; at += SILHOUETTES_TOGETHER) {
    const part = places.slice(at, at + SILHOUETTES_TOGETHER);
    const rows = part.map((place) => cells[place]!);
    const rowNumbers = part.map((place) => place + 1);
    const { composition, product, artworks, ownFonts, pictures } = inputOfRows(job, allInput, columns, rows);
    const input = { composition, product, artworks, ownFonts, pictures, columns, fit, rows, rowNumbers };
    silhouettes.push(...(await context.media.run('silhouettes', input, run)).silhouettes);
  }
  return silhouettes;
}

/** Where a piece lies: the numbers of its sheet and of its slot, from 1. */
export interface PiecePlace {
  readonly sheet: number;
  readonly slot: number;
}

/** Lists where each piece of a plan lies, by its place among the pieces. */
export function placesOf({ sheets }: BatchPlan): PiecePlace[] {
  const places: PiecePlace[] = [];
  for (const [i, { placements }] of sheets.entries()) {
    for (const { piece, slot } of placements) places[piece] = { sheet: i + 1, slot };
  }
  return places;
}

/** Draws the maps of the sheets, for the job sheet. `pieces` have their rows' numbers and texts. */
export function mapSheets(
  { layout, options, plan }: Pick<BatchWork, 'layout' | 'options'> & { readonly plan: BatchPlan },
  ending: string,
  pieces: readonly { readonly number: number; readonly text: string }[],
  isSublimation: boolean,
): SheetMap[] {
  const isMirrored = options.isMirrored ?? isSublimation;
  return plan.sheets.map(({ widthMm, heightMm, placements }, i) => {
    const marks = placements.map((placement) => {
      const { piece, slot, x, y, angleDeg } = placement;
      const box = plan.boxes?.[piece];
      const ownSize = box ? sizeOfBox(box) : plan.frame;
      const { number, text } = pieces[piece]!;
      const silhouette = plan.silhouettes?.[piece];
      // A gang sheet is looked at as it is printed, and a jig from above.
      const isTurnedOver = isMirrored && layout?.kind === 'gang';
      if (silhouette) {
        const ring = placeSilhouette(silhouette, ownSize, placement);
        const outline = isTurnedOver ? ring.map((value, at) => (at % 2 === 0 ? widthMm - value : value)) : ring;
        const bounds = ringBounds(outline);
        return { ...sizeOfBox(bounds), x: bounds.minX, y: bounds.minY, slot, rowNumber: number, text, outline };
      }
      const size = turnSize(ownSize, angleDeg);
      return { ...size, x: isTurnedOver ? widthMm - x - size.widthMm : x, y, slot, rowNumber: number, text };
    });
    const slots = new Set(placements.map(({ slot }) => slot));
    const empty = layout?.kind === 'jig' ? slotsOf(layout, plan.frame).filter(({ number }) => !slots.has(number)) : [];
    return {
      ...{ widthMm, heightMm, filename: sheetFilename(i + 1, plan.sheets.length, ending) },
      note:
        isMirrored && layout?.kind === 'jig' ? 'The file is mirrored already. The map shows the jig from above.' : '',
      places: [
        ...marks,
        ...empty.map(({ number, isBroken, x, y, ...size }) => ({
          ...{ ...size, x, y, slot: number },
          text: isBroken ? 'Broken' : 'Empty',
        })),
      ],
    };
  });
}
