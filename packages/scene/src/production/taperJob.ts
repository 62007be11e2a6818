/** Makes a job up for the taper of a blank: what is drawn flat comes out as it is drawn on a cone. */
import { transformGradient } from '../artwork/gradient.ts';
import { applyMatrix, invert, type Matrix, type Point } from '../geometry/matrix.ts';
import { type Contour, flatten, tightBounds } from '../geometry/pathData.ts';
import type { BlankView } from '../surface/blankView.ts';
import { bendForSheet, type RoundWall, rotaryScale } from '../surface/surface.ts';
import type { ColorShape, Job, JobOutline, Plate } from './job.ts';

/**
 * How the marks come onto a cone. `rotary`: it turns under a laser, set to the diameter in the middle of the print
 * area, with the wall level; widths are scaled by the diameter that each row has. `sheet`: paper or film is laid round
 * it; rows are bent, so that they are level on the cone.
 */
export const TAPERS = ['rotary', 'sheet'] as const;
export type Taper = (typeof TAPERS)[number];

/** A line leaves its true course by no more than this, mm. */
const TOLERANCE_MM = 0.01;
/** A line is halved no more often than this. */
const MOST_HALVINGS = 12;
/** The steps of the differences that a gradient follows, mm. */
const STEP_MM = 0.05;

/**
 * Returns the job for a blank in its view from the front. Its frame is the box around the frame that was. Curves become
 * lines. A cylinder's job comes back unchanged. Throws a RangeError for a job with photographs: they are not resampled.
 * Cost: linear in the points, with more of them where lines bend.
 */
export function taperJob(job: Job, view: BlankView, taper: Taper): Job {
  const { wall } = view.projection.camera!;
  if (wall.slope === 0) return job;
  if (job.rasters.length > 0) throw new RangeError('A photograph in dots cannot be made up for a taper.');
  const move = moveOf(job, view, wall, taper);
  const { widthMm, heightMm } = job;
  const frame: Contour = {
    commands: ['L', 'L', 'L'],
    points: [0, 0, widthMm, 0, widthMm, heightMm, 0, heightMm],
    isClosed: true,
  };
  const { minX, minY, maxX, maxY } = tightBounds([bendContour(frame, move)]);
  const toFrame = (point: Point) => {
    const { x, y } = move(point);
    return { x: x - minX, y: y - minY };
  };
  const bend = (contours: readonly Contour[]) => contours.map((contour) => bendContour(contour, toFrame));
  return {
    ...job,
    widthMm: maxX - minX,
    heightMm: maxY - minY,
    ...(job.area && { area: job.area.map((clip) => ({ ...clip, contours: bend(clip.contours) })) }),
    plates: job.plates.map((plate) => bendPlate(plate, bend, toFrame)),
  };
}

/** Returns the diameter that a rotary is set to for a job of `rotary`, mm. */
export const rotaryDiameterMm = ({ projection }: BlankView): number => 2 * projection.camera!.wall.radiusMm;

type Move = (point: Point) => Point;

/** A job that is turned over is bent as what it will be: it lies on the blank the right way round. */
function moveOf({ widthMm, isMirrored }: Job, { toFlat }: BlankView, wall: RoundWall, taper: Taper): Move {
  const fromFlat = invert(toFlat);
  const turn = ({ x, y }: Point): Point => (isMirrored ? { x: widthMm - x, y } : { x, y });
  const lay = (flat: Point): Point =>
    taper === 'sheet' ? bendForSheet(wall, flat) : { x: flat.x * rotaryScale(wall, flat.y), y: flat.y };
  return (point) => turn(applyMatrix(fromFlat, lay(applyMatrix(toFlat, turn(point)))));
}

function bendPlate(plate: Plate, bend: (contours: readonly Contour[]) => Contour[], move: Move): Plate {
  if (plate.kind !== 'color') {
    const outlines = plate.outlines.map((outline): JobOutline => ({ ...outline, contours: bend(outline.contours) }));
    return { ...plate, outlines };
  }
  const groups = plate.groups.map((group) => ({
    ...group,
    ...(group.whiteArea && { whiteArea: bend(group.whiteArea) }),
    shapes: group.shapes.map((shape): ColorShape => {
      const { gradient } = shape;
      const newShape = { ...shape, contours: bend(shape.contours) };
      return gradient ? { ...newShape, gradient: transformGradient(gradient, tangentOf(shape, move)) } : newShape;
    }),
  }));
  return { ...plate, groups };
}

/** Returns the matrix that is right in the middle of a shape: a gradient is straight. */
function tangentOf({ contours }: ColorShape, move: Move): Matrix {
  const { minX, minY, maxX, maxY } = tightBounds(contours);
  const [x, y] = [(minX + maxX) / 2, (minY + maxY) / 2];
  const [at, right, below] = [move({ x, y }), move({ x: x + STEP_MM, y }), move({ x, y: y + STEP_MM })];
  const [a, b] = [(right.x - at.x) / STEP_MM, (right.y - at.y) / STEP_MM];
  const [c, d] = [(below.x - at.x) / STEP_MM, (below.y - at.y) / STEP_MM];
  return { a, b, c, d, e: at.x - a * x - c * y, f: at.y - b * x - d * y };
}

/** Moves a contour point by point, with as many between as its bend needs. */
function bendContour(contour: Contour, move: Move): Contour {
  const flat = flatten(contour, TOLERANCE_MM / 2);
  const closes = contour.isClosed && (flat[0] !== flat.at(-2) || flat[1] !== flat.at(-1));
  if (closes) flat.push(flat[0]!, flat[1]!);
  let last = { x: flat[0]!, y: flat[1]! };
  let lastSeat = move(last);
  const points = [lastSeat.x, lastSeat.y];
  for (let p = 2; p < flat.length; p += 2) {
    const next = { x: flat[p]!, y: flat[p + 1]! };
    const seat = move(next);
    halve(points, move, [last, next], [lastSeat, seat], MOST_HALVINGS);
    points.push(seat.x, seat.y);
    [last, lastSeat] = [next, seat];
  }
  // The closing line has its points between already, and no need of its end.
  if (contour.isClosed) points.length -= 2;
  return { commands: Array.from({ length: points.length / 2 - 1 }, () => 'L'), points, isClosed: contour.isClosed };
}

/** Appends what lies between two points, without them. */
function halve(
  points: number[],
  move: Move,
  [a, b]: readonly [Point, Point],
  [seatA, seatB]: readonly [Point, Point],
  depth: number,
): void {
  const middle = { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };
  const seat = move(middle);
  const error = Math.hypot(seat.x - (seatA.x + seatB.x) / 2, seat.y - (seatA.y + seatB.y) / 2);
  if (depth === 0 || error <= TOLERANCE_MM / 2) return;
  halve(points, move, [a, middle], [seatA, seat], depth - 1);
  points.push(seat.x, seat.y);
  halve(points, move, [middle, b], [seat, seatB], depth - 1);
}
