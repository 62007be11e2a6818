/** The white underbase: the plate of white ink that a job needs under its colors. */
import { hasWhiteInk, isNearWhite } from '../document/machine.ts';
import { type ChokeArea, chokeAreas } from '../geometry/choke.ts';
import { type Contour, type PathData, writeContours } from '../geometry/pathData.ts';
import { clipToBox, type Grid, joinOutlines, outlineStroke } from '../geometry/planar.ts';
import type { Scene } from '../resolve/scene.ts';
import { buildJob } from './buildJob.ts';
import type { ColorPlate, ColorShape, Job, OutlinePlate } from './job.ts';
import { clipToArea } from './placeShapes.ts';

/**
 * `underColor`: under all that is printed, or as the maker chose for an element, and the white marks themselves.
 * `flood`: all of the frame that can be marked. `underWhite`: the white marks alone. `none`: no white but
 * what the maker gave to the white ink.
 */
export const WHITE_MODES = ['underColor', 'flood', 'underWhite', 'none'] as const;
export type WhiteMode = (typeof WHITE_MODES)[number];

/** How far the white ends inside the color, so that none looks out where the machine prints a little off. In mm. */
export const CHOKE_MM = { min: 0.1, max: 0.3, step: 0.05, initial: 0.2 } as const;

export interface UnderbaseOptions {
  readonly mode: WhiteMode;
  /** See `CHOKE_MM`. */
  readonly chokeMm: number;
}

/** The facts of a scene that its white plate depends on: all of it can be sent to a worker. */
export type WhiteScene = Pick<Scene, 'machine' | 'widthMm' | 'heightMm' | 'area' | 'groups'>;

/**
 * Returns the white plate of a scene as path data in frame mm, filled by even-odd: that of its files, and not mirrored,
 * as the stage is not. Empty without white. Cost: that of the job and of `addUnderbase`.
 */
export function drawWhitePlate(scene: WhiteScene, options: UnderbaseOptions): PathData {
  const job = addUnderbase(buildJob({ ...scene, backdrop: undefined }, { isMirrored: false }), options);
  const plates = job.plates.filter((plate): plate is OutlinePlate => plate.kind === 'white');
  return writeContours(plates.flatMap(({ outlines }) => outlines.flatMap(({ contours }) => contours)));
}

/** The color that shows the plate on a screen. No machine reads it. */
const WHITE_PLATE = { kind: 'white', id: 'white', color: '#ffffff' } as const;
/** A hundredth of a millimeter is half a pixel of a printer with 1,200 dpi. */
const PLATE_GRID: Grid = { unit: 0.0005, tolerance: 0.01 };
/** Lines are drawn as SVG draws them by default. */
const LINE = { cap: 'butt', join: 'miter', miterLimit: 4 } as const;

/**
 * Returns the job with its plate of white ink, which takes in the white marks that the maker gave to the white ink.
 * Everything that is printed counts as ink in full: lines, gradients and what is half clear too. Marks that are white
 * only keep their full size. A job of a laser or of sublimation, which has no white ink, and one without a mark come
 * back unchanged. Cost: boolean operations on the overlaps, and some offsets of the whole.
 */
export function addUnderbase(job: Job, { mode, chokeMm }: UnderbaseOptions): Job {
  if (!hasWhiteInk(job.machine) || mode === 'none') return job;
  const own = job.plates.filter((plate): plate is OutlinePlate => plate.kind === 'white');
  const ownMarks = own.flatMap(({ outlines }) => outlines.map(({ contours }) => contours));
  const color = job.plates.find((plate): plate is ColorPlate => plate.kind === 'color');
  const contours =
    mode === 'flood'
      ? clipToArea([frameOf(job)], job.area ?? [], PLATE_GRID)
      : choosePlate(job, color, ownMarks, { mode, chokeMm });
  if (contours.length === 0) return job;
  const elementId = own[0]?.outlines[0]?.elementId ?? color?.groups[0]?.elementId ?? '';
  const plate: OutlinePlate = { ...WHITE_PLATE, outlines: [{ elementId, contours }] };
  // White is printed first.
  return { ...job, plates: [plate, ...job.plates.filter(({ kind }) => kind !== 'white')] };
}

function choosePlate(
  job: Job,
  color: ColorPlate | undefined,
  ownMarks: readonly (readonly Contour[])[],
  { mode, chokeMm }: UnderbaseOptions,
): readonly Contour[] {
  const areas = [...(color ? inkAreas(color, job) : []), ...ownMarks.map((contours) => ({ contours, isExempt: true }))];
  if (mode === 'underColor') {
    const plate = chokeAreas(areas, chokeMm, PLATE_GRID);
    const boxes = color?.groups.flatMap(({ whiteArea = [] }) => whiteArea.map((contour) => [contour])) ?? [];
    return boxes.length > 0 ? joinOutlines([plate, ...boxes], PLATE_GRID) : plate;
  }
  // Nothing but the exempt areas is left when all else is pulled in without end; their covers still hide them.
  return chokeAreas(areas, Infinity, PLATE_GRID);
}

/** Returns the areas of ink inside the frame, back to front. White ones are exempt: no color hides their edge. */
function inkAreas({ groups }: ColorPlate, { widthMm, heightMm, area = [] }: Job): ChokeArea[] {
  const frame = { minX: 0, minY: 0, maxX: widthMm, maxY: heightMm };
  return groups
    .filter(({ opacity, whiteArea }) => opacity > 0 && !whiteArea)
    .flatMap(({ shapes }) => shapes.filter(({ opacity }) => opacity > 0).flatMap(toAreas))
    .map(({ contours, isExempt }) => {
      const inside = clipToBox(contours, frame, true, PLATE_GRID);
      return { contours: clipToArea(inside, area, PLATE_GRID), isExempt };
    })
    .filter(({ contours }) => contours.length > 0);
}

function toAreas({ contours, fill, gradient, stroke, strokeWidthMm }: ColorShape): ChokeArea[] {
  const areas: ChokeArea[] = [];
  if (fill) {
    const colors = gradient?.stops.map(({ color }) => color) ?? [fill];
    areas.push({ contours: contours.map(close), isExempt: colors.every(isNearWhite) });
  }
  if (stroke && strokeWidthMm > 0) {
    const outline = outlineStroke(contours, { ...LINE, width: strokeWidthMm }, PLATE_GRID);
    areas.push({ contours: outline, isExempt: isNearWhite(stroke) });
  }
  return areas;
}

const close = (contour: Contour): Contour => (contour.isClosed ? contour : { ...contour, isClosed: true });

const frameOf = ({ widthMm, heightMm }: Job): Contour => ({
  commands: ['L', 'L', 'L'],
  points: [0, 0, widthMm, 0, widthMm, heightMm, 0, heightMm],
  isClosed: true,
});
