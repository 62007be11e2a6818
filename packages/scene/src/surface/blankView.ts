/** A round blank in its product's picture: the matrices between the scene, its flat development and its picture. */
import { applyMatrix, invert, type Matrix, multiply, type Point, rotateDeg, translate } from '../geometry/matrix.ts';
import { createProjection, type Projection, projectPoint, unprojectPoint } from './projection.ts';
import { circumferenceMm, type RoundSurface, radiusAt, wallOf } from './surface.ts';

export interface BlankView {
  /** Scene mm to flat mm from the origin on the blank's front. */
  readonly toFlat: Matrix;
  /** Picture mm from that origin to scene mm. */
  readonly toScene: Matrix;
  readonly projection: Projection;
  /** The columns of the machine area in flat mm, at most once round the blank: nothing beside them is marked. */
  readonly columnsMm: readonly [left: number, right: number];
  readonly circumferenceMm: number;
  /** How far along the wall goes, from the origin. */
  readonly alongMm: number;
  /** Two corners of a box that the machine area shows in, however the blank is turned, in picture mm. */
  readonly turnBounds: readonly [Point, Point];
}

/** A round blank as `Backdrop` has it. */
interface PlacedBlank {
  readonly form: RoundSurface;
  readonly middleMm: Point;
}

/** Farther along than this nothing is marked, mm. */
const LONGEST_MM = 2000;

/**
 * Opens the view of a blank from the front. The middle of the print area shows where the product's picture has it. A
 * level axis is the upright one after a quarter turn to the left. Throws a RangeError for sizes that are no blank's.
 */
export function openBlankView(
  { form, middleMm }: PlacedBlank,
  { widthMm, heightMm }: { readonly widthMm: number; readonly heightMm: number },
  turnDeg = 0,
): BlankView {
  const wall = wallOf(form)!;
  const { axis = 'upright', axisMm = 0 } = form;
  const isLevel = axis === 'level';
  // An axis beside the middle of the area: the middle is seen from the side.
  const aside = wall.radiusMm * Math.asin(Math.min(1, Math.max(-1, axisMm / wall.radiusMm)));
  const quarter = isLevel ? rotateDeg(-90) : rotateDeg(0);
  const back = isLevel ? rotateDeg(90) : rotateDeg(0);
  const front = isLevel ? { x: middleMm.x, y: middleMm.y + axisMm } : { x: middleMm.x + axisMm, y: middleMm.y };
  const toFlat = multiply(translate(isLevel ? aside : -aside, 0), back, translate(-middleMm.x, -middleMm.y));
  const [from, to] = [applyMatrix(toFlat, { x: 0, y: 0 }), applyMatrix(toFlat, { x: widthMm, y: heightMm })];
  const round = circumferenceMm(wall);
  const half = Math.min(Math.abs(to.x - from.x), round) / 2;
  const middle = (from.x + to.x) / 2;
  const widest = Math.max(radiusAt(wall, from.y), radiusAt(wall, to.y));
  const reach = wall.slope === 0 ? LONGEST_MM : (0.98 * wall.radiusMm) / Math.abs(wall.slope);
  return {
    toFlat,
    toScene: multiply(translate(front.x, front.y), quarter),
    projection: createProjection(form, { turnDeg }),
    columnsMm: [middle - half, middle + half],
    circumferenceMm: round,
    alongMm: Math.min(LONGEST_MM, reach),
    turnBounds: [
      { x: -widest, y: from.y * wall.drop },
      { x: widest, y: to.y * wall.drop },
    ],
  };
}

/** This much, in radians, is left to the outline of a blank: beyond it the arithmetic would fall on its back. */
const EDGE_RAD = 1e-9;

/** Returns where a place of the scene shows, in scene mm. What faces away is at the outline of the blank. */
export function projectPlace({ toFlat, toScene, projection }: BlankView, point: Point): Point {
  const { wall, turnRad, visibleRad } = projection.camera!;
  const { x, y } = applyMatrix(toFlat, point);
  const reach = visibleRad - EDGE_RAD;
  const angle = Math.min(reach, Math.max(-reach, x / wall.radiusMm + turnRad));
  return applyMatrix(toScene, projectPoint(projection, { x: (angle - turnRad) * wall.radiusMm, y }));
}

/**
 * Returns the place of the scene that shows at a point in scene mm: the inverse of `projectPlace` for what faces the
 * front. Beside the blank the wall goes on, as if it were flat from its outline on, so that a drag can reach round it.
 */
export function unprojectPlace({ toFlat, toScene, projection }: BlankView, point: Point): Point {
  const { wall, turnRad, visibleRad } = projection.camera!;
  const fromFlat = invert(toFlat);
  const { x, y } = applyMatrix(invert(toScene), point);
  const hit = unprojectPoint(projection, { x, y });
  if (hit) return applyMatrix(fromFlat, hit);
  const alongMm = y / wall.drop;
  const beside = Math.abs(x) - radiusAt(wall, alongMm);
  const edge = Math.sign(x) * (visibleRad * wall.radiusMm + beside) - turnRad * wall.radiusMm;
  return applyMatrix(fromFlat, { x: edge, y: alongMm });
}
