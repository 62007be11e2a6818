import type { Point } from '../geometry/matrix.ts';
import type { Scene, SceneGroup } from '../resolve/scene.ts';

/**
 * The id of the topmost element whose box, grown by the tolerance, holds a point in scene mm. Boxes rather than outlines:
 * the counter of an O or the gap in a line drawing should still be something to take hold of.
 */
export function hitTest(scene: Scene, point: Point, toleranceMm: number): string | undefined {
  return scene.groups.findLast((group) => isInside(group, point, toleranceMm))?.elementId;
}

function isInside({ corners, sizeMm }: SceneGroup, point: Point, toleranceMm: number): boolean {
  const [topLeft, topRight, , bottomLeft] = corners;
  const along = (to: Point, length: number) => {
    if (length === 0) return 0;
    return ((point.x - topLeft.x) * (to.x - topLeft.x) + (point.y - topLeft.y) * (to.y - topLeft.y)) / length;
  };
  const isWithin = (distance: number, length: number) => distance >= -toleranceMm && distance <= length + toleranceMm;
  return (
    isWithin(along(topRight, sizeMm.width), sizeMm.width) && isWithin(along(bottomLeft, sizeMm.height), sizeMm.height)
  );
}
