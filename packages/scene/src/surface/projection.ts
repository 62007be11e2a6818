/**
 * The picture of a surface: where a point of flat artwork shows on the picture of a blank, and back.
 *
 * The blank stands upright, and the camera looks at the origin from the front, level with it. Picture points are in mm
 * from the origin, x to the right and y down, and a mm at the origin is a mm of the picture. Depth grows toward the
 * camera and is 0 at the axis.
 *
 * Method: a pinhole camera, or a parallel one at no distance. The inverse is the intersection of the camera's ray with
 * the cone, the nearer root of a quadratic.
 */
import type { Point } from '../geometry/matrix.ts';
import { type Lay, layPoint, type RoundWall, radiusAt, type Surface, unrollPoint, wallOf } from './surface.ts';

/** How a surface is looked at. */
export interface SurfaceView {
  /** Degrees by which the blank is turned about its axis: what faced the camera moves to the right. 0 when absent. */
  readonly turnDeg?: number | undefined;
  /** From the axis, mm; beyond the blank. Absent for a parallel view, as pictures of products nearly are. */
  readonly cameraMm?: number | undefined;
  /** `meridian` when absent. */
  readonly lay?: Lay | undefined;
}

/** A unit vector: x to the right, y down, z toward the camera. */
export interface Vector {
  readonly x: number;
  readonly y: number;
  readonly z: number;
}

/** A camera before a round wall, as numbers for loops. */
export interface WallCamera {
  readonly wall: RoundWall;
  readonly lay: Lay;
  readonly turnRad: number;
  /** From the axis, mm; infinite for a parallel view. */
  readonly distanceMm: number;
  /** What faces the camera lies within this angle to both sides of the front, whatever its height. */
  readonly visibleRad: number;
}

/** A surface and how it is looked at. */
export interface Projection {
  /** Undefined for a flat surface, whose picture is the artwork itself. */
  readonly camera: WallCamera | undefined;
}

/**
 * Puts a camera before a surface. Throws a RangeError for a surface without size, and for a camera inside it.
 *
 * The outlines of a cone or cylinder are two straight lines of its wall: the normal at angle a is (sin a, -slope/drop,
 * cos a), and its product with the way to the camera is `distance * cos a - radius` at every height.
 */
export function createProjection(surface: Surface, view: SurfaceView = {}): Projection {
  const wall = wallOf(surface);
  if (!wall) return { camera: undefined };
  const { turnDeg = 0, cameraMm: distanceMm = Infinity, lay = 'meridian' } = view;
  if (!(distanceMm > wall.radiusMm)) throw new RangeError('The camera must be outside of the blank.');
  const visibleRad = Math.acos(wall.radiusMm / distanceMm);
  return { camera: { wall, lay, turnRad: (turnDeg * Math.PI) / 180, distanceMm, visibleRad } };
}

/** Projects pairs of an angle (turned already) and a distance along the wall to the picture, in place. Linear. */
export function projectWallPoints({ wall, distanceMm }: WallCamera, pairs: Float64Array, count: number): void {
  const { drop, radiusMm } = wall;
  const focalMm = distanceMm - radiusMm;
  for (let i = 0; i < 2 * count; i += 2) {
    const angle = pairs[i]!;
    const along = pairs[i + 1]!;
    const radius = radiusAt(wall, along);
    const size = distanceMm === Infinity ? 1 : focalMm / (distanceMm - radius * Math.cos(angle));
    pairs[i] = radius * Math.sin(angle) * size;
    pairs[i + 1] = along * drop * size;
  }
}

/** Returns where a point of flat artwork is in the picture, also where the blank itself hides it. */
export function projectPoint({ camera }: Projection, point: Point): Point {
  if (!camera) return point;
  const { angleRad, alongMm } = layPoint(camera.wall, camera.lay, point);
  const pair = Float64Array.of(angleRad + camera.turnRad, alongMm);
  projectWallPoints(camera, pair, 1);
  return { x: pair[0]!, y: pair[1]! };
}

/** True when a point of flat artwork faces the camera. Its outline itself does not. */
export function isFacing({ camera }: Projection, point: Point): boolean {
  if (!camera) return true;
  const { angleRad } = layPoint(camera.wall, camera.lay, point);
  return Math.cos(angleRad + camera.turnRad) > Math.cos(camera.visibleRad);
}

/** Returns the normal of the surface, away from the blank, at a point of flat artwork. */
export function normalAt({ camera }: Projection, point: Point): Vector {
  if (!camera) return { x: 0, y: 0, z: 1 };
  const { slope, drop } = camera.wall;
  const angle = layPoint(camera.wall, camera.lay, point).angleRad + camera.turnRad;
  return { x: drop * Math.sin(angle), y: -slope, z: drop * Math.cos(angle) };
}

/**
 * Returns the point of flat artwork that shows at a point of the picture: the inverse of `projectPoint` for what faces
 * the camera. Of artwork that goes round, it is within half a turn of the origin. Undefined beside the blank.
 */
export function unprojectPoint({ camera }: Projection, point: Point): Point | undefined {
  if (!camera) return point;
  const hit = castRay(camera, point);
  if (!hit) return undefined;
  const { wall, lay, turnRad } = camera;
  const angleRad = hit.angleRad - turnRad;
  const turns = Math.round(angleRad / (2 * Math.PI));
  return unrollPoint(wall, lay, { angleRad: angleRad - turns * 2 * Math.PI, alongMm: hit.alongMm });
}

/** Returns where the camera's ray through a point of the picture meets the wall, with the turn in its angle. */
function castRay({ wall, distanceMm }: WallCamera, { x, y }: Point) {
  const { radiusMm, slope, drop } = wall;
  if (distanceMm === Infinity) {
    const alongMm = y / drop;
    const radius = radiusMm + slope * alongMm;
    return Math.abs(x) <= radius ? { angleRad: Math.asin(x / radius), alongMm } : undefined;
  }
  // The ray is (t x / f, t y / f, distance - t), and the wall is where X² + Z² = (radius + flare Y)².
  const focalMm = distanceMm - radiusMm;
  const flare = slope / drop;
  const [dx, dy] = [x / focalMm, y / focalMm];
  const a = dx * dx + 1 - flare * flare * dy * dy;
  const b = -2 * (distanceMm + radiusMm * flare * dy);
  const c = distanceMm * distanceMm - radiusMm * radiusMm;
  const root = b * b - 4 * a * c;
  if (root < 0) return undefined;
  // Of the two roots this is the nearer one, in the form that loses no digits.
  const t = (2 * c) / (-b + Math.sqrt(root));
  const alongMm = (t * dy) / drop;
  if (radiusMm + slope * alongMm <= 0) return undefined;
  return { angleRad: Math.atan2(t * dx, distanceMm - t), alongMm };
}
