/** Measures how far the ink of an element reaches: the outlines that will be made, and not the frame of its picture. */
import type { Bounds } from '../arrange/arrange.ts';
import type { MachineMode } from '../document/composition.ts';
import { hasWhiteInk } from '../document/machine.ts';
import { applyMatrix, type Point } from '../geometry/matrix.ts';
import { flatten, looseBounds, readContours } from '../geometry/pathData.ts';
import { isMade } from '../resolve/ink.ts';
import { penRadius } from '../resolve/pen.ts';
import type { SceneGroup, ScenePath, SceneRaster } from '../resolve/scene.ts';

/** Ink that reaches less than this past the machine area is in it: that is rounding. */
export const OUTSIDE_MM = 0.01;

/** Curves are flattened to this part of the drawing's side: 0.005 mm of 100 mm. */
const TOLERANCE = 1 / 20_000;
/** Corners of the polygon that stands for the round end of a pen. */
const PEN_CORNERS = 32;

/** Hulls by the drawing, for machines without white ink and for those with it. */
const hulls = [new WeakMap<SceneGroup['children'], readonly Point[]>(), new WeakMap<object, readonly Point[]>()];

/**
 * Returns the convex hull of what is made of an element, in its own space: fills, strokes with their width where they
 * are printed (a laser follows the line itself), and whole pictures. White is made only by a printer that has it. Empty
 * when nothing is made. Cost: n log n at the first call for a drawing, nothing after it.
 */
function inkHull({ children }: Pick<SceneGroup, 'children'>, machine: MachineMode): readonly Point[] {
  const cache = hulls[hasWhiteInk(machine) ? 1 : 0]!;
  let hull = cache.get(children);
  if (!hull) {
    const points = children.flatMap((child) =>
      child.kind === 'image'
        ? boxCorners(child)
        : child.kind === 'raster'
          ? rasterCorners(child)
          : inkOf(child, machine),
    );
    hull = convexHull(points);
    cache.set(children, hull);
  }
  return hull;
}

const inkOf = (path: ScenePath, machine: MachineMode) => (isMade(path, machine) ? inkPoints(path) : []);

/** What is burnt of a raster reaches to its edges nearly always: an artwork's box is trimmed to it. */
const rasterCorners = (raster: SceneRaster) => boxCorners(raster).map((corner) => applyMatrix(raster.matrix, corner));

/** Returns the upright box around an element's ink in scene mm; undefined when nothing of it is made. */
export function inkBounds(group: Pick<SceneGroup, 'children' | 'matrix'>, machine: MachineMode): Bounds | undefined {
  const points = inkHull(group, machine).map((point) => applyMatrix(group.matrix, point));
  return points.length === 0 ? undefined : boundsOf(points);
}

/** Returns the width of an element's ink along its own base line, in its own unit. */
export function inkWidth(group: Pick<SceneGroup, 'children'>, machine: MachineMode): number {
  const hull = inkHull(group, machine);
  if (hull.length === 0) return 0;
  const { left, right } = boundsOf(hull);
  return right - left;
}

const boundsOf = (points: readonly Point[]): Bounds => ({
  left: Math.min(...points.map(({ x }) => x)),
  top: Math.min(...points.map(({ y }) => y)),
  right: Math.max(...points.map(({ x }) => x)),
  bottom: Math.max(...points.map(({ y }) => y)),
});

const boxCorners = ({ width, height }: { readonly width: number; readonly height: number }): Point[] => [
  { x: 0, y: 0 },
  { x: width, y: 0 },
  { x: width, y: height },
  { x: 0, y: height },
];

function inkPoints(path: ScenePath): readonly Point[] {
  const contours = readContours(path.d);
  const { minX, minY, maxX, maxY } = looseBounds(contours);
  const tolerance = Math.max(maxX - minX, maxY - minY) * TOLERANCE || 1;
  const points = contours.flatMap((contour) => {
    const line = flatten(contour, tolerance);
    return Array.from({ length: line.length / 2 }, (_, i) => ({ x: line[2 * i]!, y: line[2 * i + 1]! }));
  });
  const radius = penRadius(path);
  if (radius === 0) return points;
  const pen = Array.from({ length: PEN_CORNERS }, (_, i) => {
    const angle = (2 * Math.PI * i) / PEN_CORNERS;
    return { x: radius * Math.cos(angle), y: radius * Math.sin(angle) };
  });
  return convexHull(points).flatMap(({ x, y }) => pen.map((corner) => ({ x: x + corner.x, y: y + corner.y })));
}

/** Returns the convex hull, clockwise, by Andrew's monotone chain. Cost: n log n. */
function convexHull(points: readonly Point[]): Point[] {
  const byX = [...points].sort((a, b) => a.x - b.x || a.y - b.y);
  const chain = (inOrder: readonly Point[]) => {
    const hull: Point[] = [];
    for (const point of inOrder) {
      while (hull.length > 1 && turn(hull.at(-2)!, hull.at(-1)!, point) <= 0) hull.pop();
      hull.push(point);
    }
    return hull.slice(0, -1);
  };
  if (byX.length < 3) return byX;
  return [...chain(byX), ...chain(byX.reverse())];
}

const turn = (a: Point, b: Point, c: Point) => (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
