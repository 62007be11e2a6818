/**
 * The surfaces of blanks: flat, cylinder and cone, and the ways in which flat artwork comes onto them.
 *
 * Flat points are in mm from the origin, which lies on the blank's front: x to the right along the surface, y down
 * along the wall. A point on the surface is an angle about the upright axis, in radians, 0 at the origin and growing to
 * the right, and a distance along the wall (the slant of a cone) in mm, 0 at the origin and growing downward.
 *
 * Method: a cone is a developable surface. Its development and the lengths on it are those of any textbook of
 * descriptive geometry: apex distance = radius / sine of half the apex angle, angle in the sheet = angle about the axis
 * times that sine.
 */
import type { Point } from '../geometry/matrix.ts';

export interface FlatSurface {
  readonly kind: 'flat';
}

export interface CylinderSurface {
  readonly kind: 'cylinder';
  readonly diameterMm: number;
}

export interface ConeSurface {
  readonly kind: 'cone';
  /** Where it is measured above, and below: `heightMm` apart, along the axis. */
  readonly topDiameterMm: number;
  readonly bottomDiameterMm: number;
  readonly heightMm: number;
  /** How far the origin lies below the place of the top diameter, along the axis. Absent: half of the height. */
  readonly middleMm?: number | undefined;
}

export type Surface = FlatSurface | CylinderSurface | ConeSurface;

/** Where a round blank stands in its picture, and how far round it goes. */
export interface RoundPlace {
  /** How the axis lies in the picture. Absent: upright. A cone that lies level has its top at the left. */
  readonly axis?: 'upright' | 'level' | undefined;
  /** How far right of the middle of the print area the axis lies in the picture, below it for a level one, mm. */
  readonly axisMm?: number | undefined;
  /** How much of the circumference can be marked, mm. Absent: all of it. */
  readonly arcMm?: number | undefined;
  /** How far below its focus a laser without a rotary still marks, mm. */
  readonly focusMm?: number | undefined;
}

/** A round surface at its place in the picture of its blank. */
export type RoundSurface = (CylinderSurface | ConeSurface) & RoundPlace;
export type PlacedSurface = FlatSurface | RoundSurface;

/**
 * How flat artwork comes onto a cone. On a cylinder all three are the same.
 * - `meridian`: the blank turns under the tool, and x is its angle at the origin's radius. Rows stay level, columns run
 *   along the wall, and what lies where the wall is narrower gets narrower. This is a laser with a rotary.
 * - `parallel`: rows stay level and as long as they are drawn, so columns lean.
 * - `sheet`: a sheet of paper or film is laid round the wall. Nothing is stretched, and rows sag.
 */
export type Lay = 'meridian' | 'parallel' | 'sheet';

/** A round surface by its wall. A cylinder has a slope of 0. */
export interface RoundWall {
  /** At the origin, mm. */
  readonly radiusMm: number;
  /** The growth of the radius for each mm down the wall: the sine of half the apex angle, below 0 for a tumbler. */
  readonly slope: number;
  /** The way down the axis for each mm down the wall: the cosine of half the apex angle. */
  readonly drop: number;
}

/** A point on a round surface. */
export interface WallPoint {
  readonly angleRad: number;
  readonly alongMm: number;
}

/** Beyond its apex a cone has no wall: what is laid there falls on a needle this much thinner than the origin. */
const NEEDLE = 1e-3;
/** A wall that leans less is a cylinder: below 0.001 mm in a meter, and the apex is too far away for the arithmetic. */
const LEAST_SLOPE = 1e-6;

/** Returns the wall of a round surface; undefined for a flat one. Throws a RangeError for sizes that are no blank's. */
export function wallOf(surface: Surface): RoundWall | undefined {
  if (surface.kind === 'flat') return undefined;
  if (surface.kind === 'cylinder') {
    requireLength(surface.diameterMm);
    return { radiusMm: surface.diameterMm / 2, slope: 0, drop: 1 };
  }
  const { topDiameterMm, bottomDiameterMm, heightMm, middleMm = heightMm / 2 } = surface;
  for (const length of [topDiameterMm, bottomDiameterMm, heightMm]) requireLength(length);
  const flare = (bottomDiameterMm - topDiameterMm) / 2;
  const slantMm = Math.hypot(heightMm, flare);
  const radiusMm = topDiameterMm / 2 + (flare * middleMm) / heightMm;
  requireLength(radiusMm);
  const slope = flare / slantMm;
  return Math.abs(slope) < LEAST_SLOPE
    ? { radiusMm, slope: 0, drop: 1 }
    : { radiusMm, slope, drop: heightMm / slantMm };
}

function requireLength(mm: number): void {
  if (!(mm > 0 && mm < Infinity)) throw new RangeError('Diameters and heights of a surface must be above 0 mm.');
}

/** Returns the radius of a wall in mm, `alongMm` down from the origin. */
export const radiusAt = ({ radiusMm, slope }: RoundWall, alongMm: number): number =>
  Math.max(radiusMm + slope * alongMm, radiusMm * NEEDLE);

/**
 * Lays flat points onto a wall, in place: pairs of x and y in mm become pairs of an angle in radians and a distance
 * along the wall in mm. `count` is in pairs. Cost: linear.
 */
export function layPoints(wall: RoundWall, lay: Lay, pairs: Float64Array, count: number): void {
  const { radiusMm, slope } = wall;
  if (slope === 0 || lay === 'meridian') {
    for (let i = 0; i < 2 * count; i += 2) pairs[i] = pairs[i]! / radiusMm;
  } else if (lay === 'parallel') {
    for (let i = 0; i < 2 * count; i += 2) pairs[i] = pairs[i]! / radiusAt(wall, pairs[i + 1]!);
  } else {
    const sign = Math.sign(slope);
    const toApex = radiusMm / slope;
    for (let i = 0; i < 2 * count; i += 2) {
      const x = pairs[i]!;
      const up = sign * (toApex + pairs[i + 1]!);
      pairs[i] = Math.atan2(x, up) / (sign * slope);
      pairs[i + 1] = sign * Math.hypot(x, up) - toApex;
    }
  }
}

/** Returns where a flat point lies on a wall. */
export function layPoint(wall: RoundWall, lay: Lay, { x, y }: Point): WallPoint {
  const pair = Float64Array.of(x, y);
  layPoints(wall, lay, pair, 1);
  return { angleRad: pair[0]!, alongMm: pair[1]! };
}

/**
 * Returns the flat point that lies at a point of a wall: the inverse of `layPoint`. Angles beyond a whole turn stay
 * beyond it, except in a sheet, which ends where its sector does.
 */
export function unrollPoint(wall: RoundWall, lay: Lay, { angleRad, alongMm }: WallPoint): Point {
  const { radiusMm, slope } = wall;
  if (slope === 0 || lay === 'meridian') return { x: angleRad * radiusMm, y: alongMm };
  if (lay === 'parallel') return { x: angleRad * radiusAt(wall, alongMm), y: alongMm };
  const toApex = radiusMm / slope;
  const fromApex = toApex + alongMm;
  return { x: fromApex * Math.sin(angleRad * slope), y: fromApex * Math.cos(angleRad * slope) - toApex };
}

/** The sheet that covers a cone between its two diameters: a sector of a ring. */
export interface ConeDevelopment {
  /** The length of the wall, mm. */
  readonly slantMm: number;
  readonly outerRadiusMm: number;
  readonly innerRadiusMm: number;
  /** Of the sector, in radians. */
  readonly angleRad: number;
}

/**
 * Returns the sheet that covers a cone: its arcs are as long as the two circumferences. Throws a RangeError for equal
 * diameters, whose sheet is a rectangle.
 */
export function developCone({ topDiameterMm, bottomDiameterMm, heightMm }: ConeSurface): ConeDevelopment {
  const wide = Math.max(topDiameterMm, bottomDiameterMm);
  const narrow = Math.min(topDiameterMm, bottomDiameterMm);
  if (!(wide > narrow)) throw new RangeError('A cone of equal diameters is a cylinder.');
  const slantMm = Math.hypot(heightMm, (wide - narrow) / 2);
  const outerRadiusMm = (slantMm * wide) / (wide - narrow);
  const angleRad = (Math.PI * (wide - narrow)) / slantMm;
  return { slantMm, outerRadiusMm, innerRadiusMm: outerRadiusMm - slantMm, angleRad };
}

/** A sheet whose rows sag less is printed straight, mm: less than the eye sees on a cup. */
export const SAG_MM = 0.3;

/**
 * Returns how far the middle of a level row of `widthMm` in the sheet lies from its ends on the cone, along the wall,
 * at `alongMm` down from the origin: the sagitta of the sheet's arc, in mm. 0 for a cylinder.
 */
export function sagMm(wall: RoundWall, widthMm: number, alongMm = 0): number {
  if (wall.slope === 0) return 0;
  const fromApex = radiusAt(wall, alongMm) / Math.abs(wall.slope);
  return fromApex * (1 - Math.cos(widthMm / (2 * fromApex)));
}

/**
 * Returns where a flat point has to be printed in a sheet, so that it lies on the cone where `meridian` would lay it:
 * rows bend, so that they are level on the cone. Lengths at the origin's height stay the same.
 */
export const bendForSheet = (wall: RoundWall, point: Point): Point =>
  unrollPoint(wall, 'sheet', layPoint(wall, 'meridian', point));

/**
 * Returns the factor by which the width of what lies `alongMm` down from the origin is scaled for a rotary set to the
 * origin's diameter with the wall level, so that it is as wide on the cone as it is drawn.
 */
export const rotaryScale = (wall: RoundWall, alongMm: number): number => wall.radiusMm / radiusAt(wall, alongMm);

/** Returns the circumference in mm, `alongMm` down from the origin. */
export const circumferenceMm = (wall: RoundWall, alongMm = 0): number => 2 * Math.PI * radiusAt(wall, alongMm);

/**
 * Returns the arc in mm, to both sides of the highest line together, that is no more than `depthMm` below it: what
 * stays in focus of a laser that does not turn the blank, when its focus is on that line. `depthMm` is the machine's
 * tolerance below its focus. Infinite for a flat surface; half of the circumference where the depth reaches the middle.
 */
export function arcInFocusMm(surface: Surface, depthMm: number, alongMm = 0): number {
  const wall = wallOf(surface);
  if (!wall) return Infinity;
  const radius = radiusAt(wall, alongMm);
  return 2 * radius * Math.acos(1 - Math.min(Math.max(depthMm, 0), radius) / radius);
}
