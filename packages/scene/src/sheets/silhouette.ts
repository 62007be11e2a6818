/** The silhouette of a piece: what is kept free of other pieces when true shapes are packed. */
import { applyMatrix, lengthScale, type Matrix } from '../geometry/matrix.ts';
import { type Contour, flatten, type PathBounds, readContours, transformContours } from '../geometry/pathData.ts';
import {
  clipRing,
  closeBays,
  crossingsOf,
  growRings,
  joinRings,
  joinToOne,
  type Ring,
  ringDistance,
  simplifyRing,
} from '../geometry/rings.ts';
import type { Job } from '../production/job.ts';
import { isMade } from '../resolve/ink.ts';
import { penRadius } from '../resolve/pen.ts';
import type { Scene, SceneGroup, ScenePath } from '../resolve/scene.ts';
import { pieceBox } from './pieceBox.ts';
import { sizeOfBox } from './sheet.ts';

/** In mm from the top left corner of the piece's box. */
export type Silhouette = Ring;

export type SilhouetteScene = Pick<Scene, 'groups' | 'widthMm' | 'heightMm' | 'machine'>;

/** Air for what a file rounds, mm, as around a box. */
const AIR_MM = 0.2;
/** How closely curves are followed, mm. */
const TOLERANCE_MM = 0.03;
/** A bay that is narrower is closed, mm: no blade cuts around the letters of a name. */
const BAY_MM = 4;
/**
 * How far a silhouette may leave the grown ink, so that it has few points, mm; an element half as far before. Ink stays
 * inside: the air is wider.
 */
const SIMPLER_MM = 0.1;

/**
 * Returns the line around all that is made of a piece: ink, its lines in their width, boxes of white. It has no hole
 * and one part, because a sheet is cut apart around the pieces. The box itself where nothing is made. Cost: that of
 * joining the outlines, once for a look of an element, whose places cost little after it.
 */
export function pieceSilhouette(scene: SilhouetteScene): Silhouette {
  const box = pieceBox(scene);
  const rings = scene.groups.flatMap((group) => {
    const { e, f } = group.matrix;
    return looksOf(group, scene.machine).map((ring) => moveRing(ring, e, f));
  });
  const whites = scene.groups.flatMap(({ white, corners }) =>
    white === 'box' ? [corners.flatMap(({ x, y }) => [x, y])] : [],
  );
  const inside = joinRings([...rings, ...whites]).flatMap((ring) => clipRing(ring, box));
  if (inside.length === 0) return boxSilhouette(box);
  const [ring = boxSilhouette(box)] = clipRing(simplifyRing(joinToOne(inside, BAY_MM / 2), SIMPLER_MM), box).map(
    (part) => moveRing(part, -box.minX, -box.minY),
  );
  return ring;
}

/** The silhouette of a piece that takes all of its box. */
export function boxSilhouette(box: PathBounds): Silhouette {
  const { widthMm, heightMm } = sizeOfBox(box);
  return [0, 0, widthMm, 0, widthMm, heightMm, 0, heightMm];
}

function moveRing(ring: Ring, dx: number, dy: number): Ring {
  return ring.map((value, i) => value + (i % 2 === 0 ? dx : dy));
}

/** The same children have the same look wherever they are: the logo of all pieces is joined once. */
const looks = new WeakMap<SceneGroup['children'], Map<string, readonly Ring[]>>();

/** Returns the grown ink of an element, as it is turned and sized, around the place of its own origin. */
function looksOf({ children, matrix }: SceneGroup, machine: Scene['machine']): readonly Ring[] {
  const turn = { ...matrix, e: 0, f: 0 };
  const key = [machine, turn.a, turn.b, turn.c, turn.d].join(' ');
  const own = looks.get(children) ?? new Map<string, readonly Ring[]>();
  looks.set(children, own);
  const look = own.get(key) ?? findLook();
  own.set(key, look);
  return look;

  // Few points, because all pieces are joined with them.
  function findLook(): Ring[] {
    const ink = children.flatMap((child) => growChild(child, turn, machine));
    return closeBays(ink, BAY_MM / 2).map((ring) => simplifyRing(ring, SIMPLER_MM / 2));
  }
}

function growChild(child: SceneGroup['children'][number], turn: Matrix, machine: Scene['machine']): Ring[] {
  if (child.kind === 'path') return isPart(child, machine) ? growPath(child, turn) : [];
  const { width, height, matrix } = child;
  const corners = [
    { x: 0, y: 0 },
    { x: width, y: 0 },
    { x: width, y: height },
    { x: 0, y: height },
  ];
  const ring = corners.flatMap((corner) => {
    const { x, y } = applyMatrix(turn, matrix ? applyMatrix(matrix, corner) : corner);
    return [x, y];
  });
  return growRings([ring], AIR_MM, { join: 'miter' });
}

const isPart = (path: ScenePath, machine: Scene['machine']): boolean =>
  path.operation === 'guide' || isMade(path, machine);

function growPath(path: ScenePath, turn: Matrix): Ring[] {
  const contours = transformContours(path.contours ?? readContours(path.d), turn);
  const reachMm = penRadius(path) * lengthScale(turn) + AIR_MM;
  const join = path.stroke ? 'miter' : 'round';
  const lines = (isClosed: boolean) =>
    contours.filter((contour) => contour.isClosed === isClosed).map((contour) => flatten(contour, TOLERANCE_MM));
  // A line that is filled is closed by its filling.
  const open = lines(false);
  return [
    ...growRings(path.fill ? [...lines(true), ...open] : lines(true), reachMm, { join }),
    ...(path.stroke && open.length > 0 ? growRings(open, reachMm, { join, isOpen: true }) : []),
  ];
}

/**
 * Returns how far the marks of a job reach out of the silhouette of its piece, which lies in a box of the job's frame,
 * mm; 0 or less where none does. Cost: points of the marks by those of the silhouette.
 */
export function reachOut({ plates }: Pick<Job, 'plates'>, { minX, minY }: PathBounds, silhouette: Silhouette): number {
  const ring = moveRing(silhouette, minX, minY);
  let most = -Infinity;
  const measure = (contours: readonly Contour[], penMm: number) => {
    for (const contour of contours) {
      const points = flatten(contour, TOLERANCE_MM);
      for (let i = 0; i < points.length; i += 2) {
        most = Math.max(most, distanceOut(ring, points[i]!, points[i + 1]!, penMm) + penMm);
      }
    }
  };
  for (const plate of plates) {
    if (plate.kind !== 'color') for (const { contours } of plate.outlines) measure(contours, 0);
    else {
      for (const { shapes } of plate.groups) {
        for (const { contours, stroke, strokeWidthMm } of shapes) measure(contours, stroke ? strokeWidthMm / 2 : 0);
      }
    }
  }
  return most;
}

/** Returns how far a point lies outside of a ring, below 0 inside of it: there no more than `depthMm` is measured. */
function distanceOut(ring: Ring, x: number, y: number, depthMm: number): number {
  let isIn = false;
  for (const place of crossingsOf(ring, y)) if (place < x) isIn = !isIn;
  if (isIn && depthMm === 0) return 0;
  const distance = ringDistance(ring, x, y);
  return isIn ? -Math.min(distance, depthMm) : distance;
}
