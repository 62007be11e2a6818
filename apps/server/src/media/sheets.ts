/** The jobs of sheets: lays pieces on them, makes the file of one, and the files that cut a jig. */
import { buildJob, identity, type Job, multiply, type Scene } from '@markwright/scene';
import { makeOutlineFile } from '@markwright/scene/production';
import {
  boundsOfJob,
  buildJigJob,
  DOTS_ON_SHEET,
  findLayoutFault,
  guidesOf,
  mirrorIn,
  nestGang,
  type PathBounds,
  type PlacedJob,
  packGang,
  pieceSilhouette,
  placeJobs,
  placementMatrix,
  planJig,
  reachOut,
  type Silhouette,
  sizeOfBox,
} from '@markwright/scene/sheets';
import { AppError, nameRow } from '../platform/errors.ts';
import type { LimitStep, MediaJobs } from '../platform/ports/mediaJobs.ts';
import { openInput } from './draw.ts';
import { withoutLimit } from './drawingLimit.ts';
import { NOTHING_TO_MAKE } from './file.ts';
import { chooseFile } from './files/fileOptions.ts';
import { toLightBurnOptions } from './files/laserPowers.ts';
import { makeFormat, type SingleFormat, withWhite } from './files/makeFile.ts';
import { fitAll, measureFrame } from './piece.ts';

/** Finds silhouettes. Cost: some milliseconds a row, and once that of an artwork. */
export async function findSilhouettes(
  { columns, rows, fit, pictures, rowNumbers, ...input }: MediaJobs['silhouettes']['input'],
  limitStep: LimitStep = withoutLimit,
): Promise<MediaJobs['silhouettes']['output']> {
  const resolve = await openInput({ ...input, target: { kind: 'production' } }, limitStep);
  const { fits } = await fitAll({ ...input, columns, fit, pictures }, rows);
  const silhouettes: Silhouette[] = [];
  for (const [i, rowNumber] of rowNumbers.entries()) {
    try {
      silhouettes.push(pieceSilhouette(await resolve(fits[i]!.composition)));
    } catch (error) {
      throw nameRow(error, rowNumber);
    }
  }
  return { silhouettes };
}

/** Lays pieces on sheets. Cost: see `packGang` and `nestGang`. */
export async function planSheets({
  layout,
  frame,
  pieces,
  boxes = [],
  silhouettes,
  rowNumbers,
}: MediaJobs['planSheets']['input']): Promise<MediaJobs['planSheets']['output']> {
  const sizes = boxes.map(sizeOfBox);
  const fault = findLayoutFault(layout, { frame, sizes, rowNumbers });
  if (fault) throw new AppError('unprocessable', fault);
  if (layout.kind === 'jig') return { sheets: planJig(layout, frame, pieces) };
  if (!silhouettes) return { sheets: packGang(layout, sizes) };
  return {
    sheets: nestGang(
      layout,
      sizes.map((size, i) => ({ ...size, silhouette: silhouettes[i]! })),
    ),
  };
}

/** Makes the file of one sheet. Memory: that of its pieces. Cost: that of each piece, and of the file. */
export async function makeSheet(
  { columns, fit, pictures, layout, sheet, pieces, ...input }: MediaJobs['sheet']['input'],
  limitStep: LimitStep = withoutLimit,
): Promise<MediaJobs['sheet']['output']> {
  const { composition, format, preset, options } = input;
  const { machine } = composition;
  const isMirrored = options.isMirrored ?? machine === 'sublimation';
  // A bleed would continue the sheet, and not its pieces.
  const choices = chooseFile(machine, preset, { ...options, bleedMm: 0 }, input.profile);
  const resolve = await openInput({ ...input, target: { kind: 'production' } }, limitStep);
  const { fits } = await fitAll(
    { ...input, columns, fit, pictures },
    pieces.map(({ cells }) => cells),
  );
  // The whole sheet is mirrored, because it lies face down on the blanks in their slots.
  const turn = isMirrored ? mirrorIn({ minX: 0, maxX: sheet.widthMm }) : identity;
  let frame: Scene | undefined;
  const pieceJobs: PlacedJob[] = [];
  for (const [i, { rowNumber, box: ownBox, silhouette }] of pieces.entries()) {
    try {
      const scene = await resolve(fits[i]!.composition);
      frame = scene;
      const box = ownBox ?? { minX: 0, minY: 0, maxX: scene.widthMm, maxY: scene.heightMm };
      const job = buildJob(scene, { isMirrored: false, kerfMm: options.kerfMm ?? 0 });
      refuseUnplaceable(job, { box, silhouette }, layout.kind === 'gang' ? layout.gapMm / 2 : 0.01);
      const matrix = multiply(turn, placementMatrix(sheet.placements[i]!, box));
      // White that floods belongs to the frame of a piece, and none to the sheet between them.
      pieceJobs.push({ job: withWhite(job, choices), matrix });
    } catch (error) {
      throw nameRow(error, rowNumber);
    }
  }
  const guides =
    layout.kind === 'jig' && frame && machine === 'laser' && !isMirrored ? guidesOf(layout, frame, sheet) : [];
  const { widthMm, heightMm } = sheet;
  const job = placeJobs({ machine, widthMm, heightMm, isMirrored, guides }, pieceJobs);
  const lightBurn = toLightBurnOptions(job, input);
  const file = await makeFormat(job, format as SingleFormat, preset, { ...choices, white: 'none' }, lightBurn);
  return { bytes: file.bytes, ending: file.ending };
}

/** Throws unprocessable for a piece that has nothing to place, or reaches so far out of its place. */
function refuseUnplaceable(
  job: Job,
  { box, silhouette }: { readonly box: PathBounds; readonly silhouette: Silhouette | undefined },
  reachMm: number,
): void {
  if (job.rasters.length > 0) throw new AppError('unprocessable', DOTS_ON_SHEET);
  const bounds = boundsOfJob(job);
  if (!bounds) throw new AppError('unprocessable', NOTHING_TO_MAKE);
  const out = silhouette
    ? reachOut(job, box, silhouette)
    : Math.max(box.minX - bounds.minX, box.minY - bounds.minY, bounds.maxX - box.maxX, bounds.maxY - box.maxY);
  if (out > reachMm) {
    throw new AppError('unprocessable', `Its lines reach ${out.toFixed(1)} mm out of its place. Make the gap larger.`);
  }
}

/** Makes the files that cut a jig. Both are read back. */
export async function makeJig({ layout, ...input }: MediaJobs['jig']['input']): Promise<MediaJobs['jig']['output']> {
  if (layout.kind !== 'jig') throw new RangeError('A gang sheet has no jig.');
  const job = buildJigJob(layout, await measureFrame(input));
  return { svg: makeOutlineFile(job, 'svg').bytes, dxf: makeOutlineFile(job, 'dxf').bytes };
}
