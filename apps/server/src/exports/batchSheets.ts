/** The sheets of a batch: where its pieces lie, and what its papers say of them. */
import { type BatchLayout, type BatchRequest, sheetFilename } from '@markwright/contract';
import { artworksOf, isEngraved } from '@markwright/scene';
import { DOTS_ON_SHEET, findPixelFault, sizeOfBox, slotsOf, turnSize } from '@markwright/scene/sheets';
import type { Context } from '../platform/context.ts';
import { AppError } from '../platform/errors.ts';
import type { UserActor } from '../platform/mount.ts';
import { callerOf } from '../platform/ownership.ts';
import type { BatchPlan, MediaJobs, SheetMap } from '../platform/ports/mediaJobs.ts';
import type { RenderJob } from './renderJob.ts';
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

/** Lays the pieces of a list on sheets. Throws unprocessable for a layout that cannot hold them. */
export async function planBatch(
  context: Context,
  actor: UserActor,
  { layout, options }: Pick<BatchRequest, 'options'> & { readonly layout: BatchLayout },
  { frame, rows }: FittedList,
  places: readonly number[],
  signal: AbortSignal,
): Promise<BatchPlan> {
  const whole = { minX: 0, minY: 0, maxX: frame.widthMm, maxY: frame.heightMm };
  // White that floods takes all of the frame.
  const boxes =
    layout.kind === 'gang'
      ? places.map((place) => (options.white === 'flood' ? whole : (rows[place]!.box ?? whole)))
      : undefined;
  const input = { layout, frame, boxes, pieces: places.length, rowNumbers: places.map((place) => place + 1) };
  const limitFactor = 1 + places.length / 300;
  const { sheets } = await context.media.run('planSheets', input, { caller: callerOf(actor), signal, limitFactor });
  return { sheets, frame, ...(boxes && { boxes }) };
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
    const marks = placements.map(({ piece, slot, x, y, angleDeg }) => {
      const box = plan.boxes?.[piece];
      const size = turnSize(box ? sizeOfBox(box) : plan.frame, angleDeg);
      // A gang sheet is looked at as it is printed, and a jig from above.
      const left = isMirrored && layout?.kind === 'gang' ? widthMm - x - size.widthMm : x;
      const { number, text } = pieces[piece]!;
      return { ...size, x: left, y, slot, rowNumber: number, text };
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
