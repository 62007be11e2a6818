/** The jig itself as a job for a laser: a pocket for each blank, its number, and registration marks. */
import type { AreaClip } from '../document/areaClips.ts';
import { laserLayers } from '../document/machine.ts';
import { type Matrix, multiply, scale, translate } from '../geometry/matrix.ts';
import { boundsMeet, type Contour, looseBounds, type PathBounds, transformContours } from '../geometry/pathData.ts';
import { MM_GRID, offsetOutline } from '../geometry/planar.ts';
import type { Job, JobOutline, OutlinePlate } from '../production/job.ts';
import { type Jig, type Slot, slotsOf } from './jig.ts';
import { frameOutline, grow } from './placeJobs.ts';
import { placementMatrix, type Sheet, type SizeMm } from './sheet.ts';

/** The frame of a piece, with the shape of its print area. */
export interface PieceFrame extends SizeMm {
  readonly area?: readonly AreaClip[] | undefined;
}

/**
 * Returns the job that cuts a jig out of a board as large as the bed. A pocket has the shape of the print area, at the
 * size of the blank, and the clearance around it. Broken slots are left out. Cost: one offset.
 */
export function buildJigJob(jig: Jig, frame: PieceFrame): Job {
  const slots = slotsOf(jig, frame).filter(({ isBroken }) => !isBroken);
  const blank = jig.blank ?? frame;
  const shape = blankOutline(frame, blank);
  const pocket = offsetOutline(shape, jig.clearanceMm, 'miter', MM_GRID);
  const box = { minX: 0, minY: 0, maxX: blank.widthMm, maxY: blank.heightMm };
  const pockets = slots.map(({ x, y }) =>
    transformContours(pocket, placementMatrix({ x, y, angleDeg: jig.rotationDeg }, box)),
  );
  const marks = jig.hasMarks ? registrationMarks(jig, slots) : [];
  const numbers = slots.map((slot) => numberOf(slot, jig));
  return {
    ...{ machine: 'laser', widthMm: jig.bedWidthMm, heightMm: jig.bedHeightMm, isMirrored: false, rasters: [] },
    plates: [plateOf('score-c01', [...marks, ...numbers.flat()]), plateOf('cut-c02', pockets.flat())].filter(
      ({ outlines }) => outlines.length > 0,
    ),
    findings: [],
  };
}

/** Returns the outline of a blank: that of the print area, stretched to the size of the blank. */
function blankOutline(frame: PieceFrame, blank: SizeMm): readonly Contour[] {
  const stretch = scale(blank.widthMm / frame.widthMm, blank.heightMm / frame.heightMm);
  return frameOutline(frame, stretch);
}

/** Lists what shows an operator where a sheet's blanks lie: their outlines, and the marks of the jig. */
export function guidesOf(
  jig: Jig,
  frame: PieceFrame,
  { placements }: Pick<Sheet, 'placements'>,
): (readonly Contour[])[] {
  const blank = jig.blank ?? frame;
  const numbers = new Set(placements.map(({ slot }) => slot));
  const shape = blankOutline(frame, blank);
  const box = { minX: 0, minY: 0, maxX: blank.widthMm, maxY: blank.heightMm };
  const slots = slotsOf(jig, frame).filter(({ isBroken }) => !isBroken);
  const blanks = slots
    .filter(({ number }) => numbers.has(number))
    .map(({ x, y }) => transformContours(shape, placementMatrix({ x, y, angleDeg: jig.rotationDeg }, box)));
  return jig.hasMarks ? [...blanks, registrationMarks(jig, slots)] : blanks;
}

function plateOf(id: 'score-c01' | 'cut-c02', contours: readonly Contour[]): OutlinePlate {
  const { color, operation } = laserLayers.find((layer) => layer.id === id)!;
  const outlines = contours.map((contour): JobOutline => ({ elementId: 'jig', contours: [contour] }));
  return { kind: operation as OutlinePlate['kind'], id, color, outlines };
}

const CROSS = { insetMm: 6, armMm: 4 } as const;

/** Returns crosses in the corners of the bed, but none that a pocket would cut. */
function registrationMarks(
  { bedWidthMm, bedHeightMm, clearanceMm }: Jig,
  slots: readonly Pick<Slot, 'x' | 'y' | 'widthMm' | 'heightMm'>[],
): Contour[] {
  const { insetMm, armMm } = CROSS;
  const boxes = slots.map((slot) => grow(boxOf(slot), clearanceMm));
  return [insetMm, bedHeightMm - insetMm].flatMap((y) =>
    [insetMm, bedWidthMm - insetMm].flatMap((x) => {
      const lines = [line(x - armMm, y, x + armMm, y), line(x, y - armMm, x, y + armMm)];
      const bounds = looseBounds(lines);
      return boxes.some((box) => boundsMeet(box, bounds, 0.5)) ? [] : lines;
    }),
  );
}

const boxOf = ({ x, y, widthMm, heightMm }: Pick<Slot, 'x' | 'y' | 'widthMm' | 'heightMm'>): PathBounds => ({
  ...{ minX: x, minY: y, maxX: x + widthMm, maxY: y + heightMm },
});

const line = (...points: number[]): Contour => ({
  commands: new Array<'L'>(points.length / 2 - 1).fill('L'),
  points,
  isClosed: false,
});

/** Digits of single lines, 4 wide and 6 high: a laser follows them in seconds. */
const DIGITS: readonly (readonly (readonly number[])[])[] = [
  [[0, 1, 1, 0, 3, 0, 4, 1, 4, 5, 3, 6, 1, 6, 0, 5, 0, 1]],
  [[0.5, 1.5, 2, 0, 2, 6]],
  [[0, 1, 1, 0, 3, 0, 4, 1, 4, 2, 0, 6, 4, 6]],
  [[0, 0, 4, 0, 2, 2.4, 3, 2.4, 4, 3.4, 4, 5, 3, 6, 1, 6, 0, 5]],
  [[3, 6, 3, 0, 0, 4, 4, 4]],
  [[4, 0, 0, 0, 0, 2.4, 3, 2.4, 4, 3.4, 4, 5, 3, 6, 0, 6]],
  [[3.5, 0, 1.5, 0, 0, 2, 0, 5, 1, 6, 3, 6, 4, 5, 4, 3.6, 3, 2.6, 1, 2.6, 0, 3.6]],
  [[0, 0, 4, 0, 1.5, 6]],
  [[1, 2.8, 0, 2, 0, 1, 1, 0, 3, 0, 4, 1, 4, 2, 3, 2.8, 1, 2.8, 0, 3.8, 0, 5, 1, 6, 3, 6, 4, 5, 4, 3.8, 3, 2.8]],
  [[4, 2.4, 3, 3.4, 1, 3.4, 0, 2.4, 0, 1, 1, 0, 3, 0, 4, 1, 4, 4, 2.5, 6, 0.5, 6]],
];
const DIGIT = { width: 4, height: 6, gap: 2 } as const;
/** Of numbers, mm: below, nobody reads them. */
const NUMBER_MM = { least: 2.5, most: 6, air: 1 } as const;

/** Writes a slot's number above it, or left of it where there is more room; in the pocket where there is none. */
function numberOf(slot: Slot, jig: Jig): Contour[] {
  const { x, y, widthMm, heightMm, place } = slot;
  const { clearanceMm, columns, pitchXMm, pitchYMm, offsetXMm, offsetYMm } = jig;
  const digits = String(slot.number);
  const units = digits.length * (DIGIT.width + DIGIT.gap) - DIGIT.gap;
  const isFirstRow = place <= columns;
  const isFirstColumn = place % columns === 1 || columns === 1;
  const above = isFirstRow ? offsetYMm - clearanceMm : pitchYMm - heightMm - 2 * clearanceMm;
  const beside = isFirstColumn ? offsetXMm - clearanceMm : pitchXMm - widthMm - 2 * clearanceMm;
  /** The height of a number in a room of this width and height. */
  const heightIn = (width: number, height: number) =>
    Math.min(NUMBER_MM.most, height - 2 * NUMBER_MM.air, ((width - 2 * NUMBER_MM.air) * DIGIT.height) / units);
  const [over, left] = [heightIn(widthMm, above), heightIn(beside, heightMm)];
  const room =
    Math.max(over, left) < NUMBER_MM.least
      ? { height: Math.max(0.5, heightIn(widthMm, heightMm)), cx: x + widthMm / 2, cy: y + heightMm / 2 }
      : over >= left
        ? { height: over, cx: x + widthMm / 2, cy: y - clearanceMm - above / 2 }
        : { height: left, cx: x - clearanceMm - beside / 2, cy: y + heightMm / 2 };
  const size = room.height / DIGIT.height;
  const start = multiply(translate(room.cx - (units * size) / 2, room.cy - room.height / 2), scale(size));
  return [...digits].flatMap((digit, i) =>
    digitLines(Number(digit), multiply(start, translate(i * (DIGIT.width + DIGIT.gap), 0))),
  );
}

const digitLines = (digit: number, matrix: Matrix): Contour[] =>
  transformContours(DIGITS[digit]!.map(strokeOf), matrix);

/** Returns a line, closed where it ends at its start. */
function strokeOf(points: readonly number[]): Contour {
  const isClosed = points[0] === points.at(-2) && points[1] === points.at(-1);
  return { ...line(...(isClosed ? points.slice(0, -2) : points)), isClosed };
}
