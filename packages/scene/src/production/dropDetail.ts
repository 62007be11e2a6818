/** Drops what is smaller than any machine can make, and says where it was. */

import { measureFilled } from '../geometry/filledArea.ts';
import type { Point } from '../geometry/matrix.ts';
import { type Contour, flatten, looseBounds } from '../geometry/pathData.ts';
import { MM_GRID } from '../geometry/planar.ts';
import { mergeShort } from './mergeShort.ts';

/** What no machine can make: areas smaller than this, and areas nowhere as wide. */
export const LEAST_DETAIL = { areaMm2: 0.01, widthMm: 0.02 } as const;
const LEAST_AREA_MM2 = LEAST_DETAIL.areaMm2;
/** The least length of a line, mm. */
const LEAST_LENGTH_MM = 0.05;
/** A closed line around less than the least area that is longer than this is a slit, and stays. */
const SLIT_MM = 1;
/** Areas below this cannot be seen in any picture: to drop them is no news. */
const INVISIBLE_MM2 = 1e-4;

/** A contour that was dropped: its outline in frame mm, its length, and the area that it filled. */
export interface DroppedContour {
  readonly place: readonly Point[];
  readonly lengthMm: number;
  readonly areaMm2: number;
}

/**
 * Returns the contours without segments shorter than 0.02 mm and without detail: filled contours of less than 0.01 mm²,
 * lines shorter than 0.05 mm. Calls `note` for each contour that was visible. Contours without any stay the same
 * objects. Cost: linear.
 */
export function dropDetail(
  contours: readonly Contour[],
  isFilled: boolean,
  note: (contour: DroppedContour) => void,
): readonly Contour[] {
  let isSame = true;
  const rest = contours.flatMap((contour) => {
    const clean = mergeShort(contour);
    if (clean !== contour) isSame = false;
    // Of what would be made: without its short segments a contour may be smaller than the limit.
    const area = clean.commands.length > 0 ? areaOf(clean) : 0;
    if (clean.commands.length > 0 && (isFilled ? isArea(clean, area) : isLine(clean, area))) return [clean];
    isSame = false;
    const lengthMm = lengthOf(contour);
    const areaMm2 = isFilled && contour.commands.length > 0 ? Math.abs(areaOf(contour)) : 0;
    if (isFilled ? areaMm2 >= INVISIBLE_MM2 : lengthMm > 0) note({ place: outlineOf(contour), lengthMm, areaMm2 });
    return [];
  });
  return isSame ? contours : rest;
}

/**
 * Returns filled contours without detail, and without the slivers that a boolean operation leaves between neighbors.
 * Calls `note` for what is no sliver.
 */
export const dropSlivers = (
  contours: readonly Contour[],
  note: (contour: DroppedContour) => void,
): readonly Contour[] =>
  contours.map(mergeShort).filter((contour) => {
    const area = areaOf(contour);
    const lengthMm = lengthOf(contour);
    if ((2 * Math.abs(area)) / lengthMm <= LEAST_DETAIL.widthMm) return false;
    if (isArea(contour, area)) return true;
    if (Math.abs(area) >= INVISIBLE_MM2) note({ place: outlineOf(contour), lengthMm, areaMm2: Math.abs(area) });
    return false;
  });

function isArea(contour: Contour, area: number): boolean {
  if (Math.abs(area) >= LEAST_AREA_MM2) return true;
  // The two halves of a figure of eight cancel each other out.
  const { minX, minY, maxX, maxY } = looseBounds([contour]);
  if ((maxX - minX) * (maxY - minY) < LEAST_AREA_MM2 || contour.commands.length < 2) return false;
  return measureFilled([contour], MM_GRID) >= LEAST_AREA_MM2;
}

function isLine(contour: Contour, area: number): boolean {
  const length = lengthOf(contour);
  if (length < LEAST_LENGTH_MM) return false;
  return !contour.isClosed || length >= SLIT_MM || isArea(contour, area);
}

/** Returns the signed area of a closed contour, mm²: exact for curves, by Green's theorem. */
function areaOf({ commands, points }: Contour): number {
  let sum = 0;
  let p = 0;
  for (const command of commands) {
    const [x0, y0] = [points[p]!, points[p + 1]!];
    if (command === 'L') {
      sum += cross(x0, y0, points[p + 2]!, points[p + 3]!) / 2;
      p += 2;
      continue;
    }
    const [x1, y1, x2, y2] = [points[p + 2]!, points[p + 3]!, points[p + 4]!, points[p + 5]!];
    const [x3, y3] = [points[p + 6]!, points[p + 7]!];
    // The integral of (x dy - y dx) / 2 over Bernstein polynomials of degree 3.
    sum +=
      (6 * cross(x0, y0, x1, y1) +
        3 * cross(x0, y0, x2, y2) +
        cross(x0, y0, x3, y3) +
        3 * cross(x1, y1, x2, y2) +
        3 * cross(x1, y1, x3, y3) +
        6 * cross(x2, y2, x3, y3)) /
      20;
    p += 6;
  }
  return sum + cross(points[p]!, points[p + 1]!, points[0]!, points[1]!) / 2;
}

const cross = (ax: number, ay: number, bx: number, by: number) => ax * by - ay * bx;

const FLAT_MM = 0.005;

function outlineOf(contour: Contour): Point[] {
  const line = flatten(contour, FLAT_MM);
  return Array.from({ length: line.length / 2 }, (_, i) => ({ x: line[2 * i]!, y: line[2 * i + 1]! }));
}

/** Returns the length of a contour in mm, with its closing line. */
export function lengthOf(contour: Contour): number {
  const line = flatten(contour, FLAT_MM);
  let length = contour.isClosed ? Math.hypot(line.at(-2)! - line[0]!, line.at(-1)! - line[1]!) : 0;
  for (let i = 2; i < line.length; i += 2) length += Math.hypot(line[i]! - line[i - 2]!, line[i + 1]! - line[i - 1]!);
  return length;
}
