/** Sheets: several pieces in one file. A plan says where each piece lies; it knows nothing of what is on a piece. */
import { type Matrix, multiply, scale, translate } from '../geometry/matrix.ts';
import { type PathBounds, transformBounds } from '../geometry/pathData.ts';

export const RIGHT_ANGLES = [0, 90, 180, 270] as const;
/** A rotation clockwise. Pieces turn by right angles alone. */
export type RightAngle = (typeof RIGHT_ANGLES)[number];

export interface SizeMm {
  readonly widthMm: number;
  readonly heightMm: number;
}

/** The place of a piece on a sheet, in mm from the sheet's top left corner, y down. */
export interface Placement {
  /** The place of the piece in the list of pieces, from 0. */
  readonly piece: number;
  /** The number of its place on the sheet, from 1: that of the jig's slot, or counted on a gang sheet. */
  readonly slot: number;
  /** The top left corner of its box, after the rotation. */
  readonly x: number;
  readonly y: number;
  readonly angleDeg: RightAngle;
}

export interface Sheet extends SizeMm {
  readonly placements: readonly Placement[];
}

/** The most pieces of a sheet: its file is made in one go. */
export const MAX_SHEET_PIECES = 300;

const isQuarter = (angleDeg: RightAngle): boolean => angleDeg % 180 !== 0;

/** Returns the size of a box after a rotation. */
export const turnSize = ({ widthMm, heightMm }: SizeMm, angleDeg: RightAngle): SizeMm =>
  isQuarter(angleDeg) ? { widthMm: heightMm, heightMm: widthMm } : { widthMm, heightMm };

export const sizeOfBox = ({ minX, minY, maxX, maxY }: PathBounds): SizeMm => ({
  widthMm: maxX - minX,
  heightMm: maxY - minY,
});

/** Exact, as no cosine is. */
const TURNS: Readonly<Record<RightAngle, Matrix>> = {
  0: { a: 1, b: 0, c: 0, d: 1, e: 0, f: 0 },
  90: { a: 0, b: 1, c: -1, d: 0, e: 0, f: 0 },
  180: { a: -1, b: 0, c: 0, d: -1, e: 0, f: 0 },
  270: { a: 0, b: -1, c: 1, d: 0, e: 0, f: 0 },
};

/** Returns the matrix from a piece's frame to the sheet. `box` is the part of the frame that has a place. */
export function placementMatrix({ x, y, angleDeg }: Omit<Placement, 'piece' | 'slot'>, box: PathBounds): Matrix {
  const turn = TURNS[angleDeg];
  const { minX, minY } = transformBounds(box, turn);
  return multiply(translate(x - minX, y - minY), turn);
}

/** Turns a box over where it lies. */
export const mirrorIn = ({ minX, maxX }: Pick<PathBounds, 'minX' | 'maxX'>): Matrix =>
  multiply(translate(minX + maxX, 0), scale(-1, 1));
