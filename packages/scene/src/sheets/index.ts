/** Several pieces in one file: jigs with slots, gang sheets, and the job of a sheet. */
export type { PathBounds } from '../geometry/pathData.ts';
export { boxInside, type Ring, ringBounds } from '../geometry/rings.ts';
export * from './faults.ts';
export { fillRatio, type GangSheet, PACK_BY, type PackBy, packGang, packSteps } from './gang.ts';
export { fillBed, type Jig, planJig, type Slot, slotsOf } from './jig.ts';
export { buildJigJob, guidesOf, type PieceFrame } from './jigJob.ts';
export { lengthOf, MOST_NESTED, type NestPiece, nestGang, placeSilhouette, shapeFill } from './nest.ts';
export { pieceBox } from './pieceBox.ts';
export { boundsOfJob, type PlacedJob, placeJobs } from './placeJobs.ts';
export {
  MAX_SHEET_PIECES,
  mirrorIn,
  type Placement,
  placementMatrix,
  RIGHT_ANGLES,
  type RightAngle,
  type Sheet,
  type SizeMm,
  sizeOfBox,
  turnSize,
} from './sheet.ts';
export { boxSilhouette, pieceSilhouette, reachOut, type Silhouette, type SilhouetteScene } from './silhouette.ts';
