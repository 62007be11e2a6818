/** Outlines made of what elements are made of: their areas together, and lines around them. In mm of the scene. */
import { isNearWhite } from '../document/machine.ts';
import { lengthScale } from '../geometry/matrix.ts';
import { signedArea } from '../geometry/measure.ts';
import { type Contour, readContours, transformContours } from '../geometry/pathData.ts';
import {
  intersectOutlines,
  joinOutlines,
  MM_GRID,
  offsetOutline,
  outlineStroke,
  subtractOutlines,
  toEvenOdd,
} from '../geometry/planar.ts';
import type { SceneGroup } from '../resolve/scene.ts';
import { addBridges, hasIslands } from './bridges.ts';

export type Combination = 'unite' | 'subtract' | 'intersect';

/** Numbers of all points. Beyond it a page would stand still for seconds. */
const MAX_NUMBERS = 400_000;

/** Thrown when elements have more points than are combined; the message is a sentence. */
export class TooDetailed extends Error {
  constructor() {
    super('This is too detailed to be outlined. Trace it with fewer details, or choose fewer elements.');
  }
}

/**
 * Returns the area that a machine marks of an element, filled by even-odd. A line has its width, a closed line that a
 * tool follows its inside, and a picture that has no outlines its frame. What is nearly white is bare to a laser.
 * Throws `TooDetailed`. Cost: one union of its shapes.
 */
export function areaOfElement({ children, matrix, corners }: SceneGroup, isLaser: boolean): Contour[] {
  const outlines: (readonly Contour[])[] = [];
  let numbers = 0;
  for (const child of children) {
    if (child.kind !== 'path') {
      const points = corners.flatMap(({ x, y }) => [x, y]);
      outlines.push([{ commands: ['L', 'L', 'L'], points, isClosed: true }]);
      continue;
    }
    if (child.fill && isLaser && isNearWhite(child.fill)) continue;
    const contours = transformContours(child.contours ?? readContours(child.d), matrix);
    numbers += contours.reduce((sum, { points }) => sum + points.length, 0);
    if (numbers > MAX_NUMBERS) throw new TooDetailed();
    const width = child.strokeWidth * lengthScale(matrix);
    if (child.fill) outlines.push(contours);
    else if (width > 0) {
      outlines.push(outlineStroke(contours, { width, cap: 'round', join: 'round', miterLimit: 4 }, MM_GRID));
    } else outlines.push(contours.filter(({ isClosed }) => isClosed));
  }
  return joinOutlines(outlines, MM_GRID);
}

/** Combines areas, each filled by even-odd: `subtract` takes all others from the first one. */
export function combineAreas(areas: readonly (readonly Contour[])[], how: Combination): readonly Contour[] {
  if (how === 'unite') return joinOutlines(areas, MM_GRID);
  const [first = [], ...others] = areas;
  if (how === 'subtract') return subtractOutlines(first, joinOutlines(others, MM_GRID), MM_GRID);
  return others.reduce<readonly Contour[]>((common, area) => intersectOutlines(common, area, MM_GRID), first);
}

export interface LineAround {
  /** Outward, or inward below 0. */
  readonly distanceMm: number;
  readonly corners: 'round' | 'sharp';
  /** False: holes are closed, as around a sticker. */
  readonly hasHoles: boolean;
}

/** Returns the line around areas at a distance, one contour for each part. None where nothing is left of them. */
export function lineAround(
  areas: readonly (readonly Contour[])[],
  { distanceMm, corners, hasHoles }: LineAround,
): readonly Contour[] {
  const area = joinOutlines(areas, MM_GRID);
  const line =
    distanceMm === 0 ? area : offsetOutline(area, distanceMm, corners === 'round' ? 'round' : 'miter', LINE_GRID);
  return hasHoles ? line : closeHoles(line);
}

/** Returns areas together with bridges of this width; undefined where nothing would fall out of the sheet. */
export function toStencil(areas: readonly (readonly Contour[])[], widthMm: number): Contour[] | undefined {
  const area = joinOutlines(areas, MM_GRID);
  return hasIslands(area) ? addBridges(area, widthMm) : undefined;
}

/** The tolerance of lines around areas, a fifth of a laser's beam. */
const LINE_GRID = { ...MM_GRID, tolerance: 0.02 };

/** Holes go around the other way than what they are in. What lies in a hole is part of what closes it. */
function closeHoles(contours: readonly Contour[]): readonly Contour[] {
  const areas = contours.map(signedArea);
  const largest = areas.reduce((most, area) => (Math.abs(area) > Math.abs(most) ? area : most), 0);
  return toEvenOdd(
    contours.filter((_, i) => Math.sign(areas[i]!) === Math.sign(largest)),
    MM_GRID,
  );
}
