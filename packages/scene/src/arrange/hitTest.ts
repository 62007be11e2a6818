import type { Point } from '../geometry/matrix.ts';
import { type ElementBox, placedBox, type Scene, type SceneGroup } from '../resolve/scene.ts';

/**
 * Returns the id of the topmost element whose box, or box of lines, grown by the tolerance, holds a point; all in
 * scene mm. It tests boxes and not outlines, so that a person can also drag an O by its counter or a line drawing by a
 * gap. Cost: linear in the elements.
 */
export function hitTest(scene: Scene, point: Point, toleranceMm: number): string | undefined {
  return scene.groups.findLast((group) => {
    const isNear = isInside(group, point, toleranceMm);
    if (group.bandMm && group.lineBox) return isNear && isInBand(group.bandMm, group.lineBox, point, toleranceMm);
    return isNear || isInside(placedBox(group), point, toleranceMm);
  })?.elementId;
}

/** Returns true for a point in the ring that the words of a circle stand in. Its middle is free for other elements. */
function isInBand(
  { inner, outer }: NonNullable<SceneGroup['bandMm']>,
  { corners: [a, , c] }: ElementBox,
  point: Point,
  toleranceMm: number,
): boolean {
  const distance = Math.hypot(point.x - (a.x + c.x) / 2, point.y - (a.y + c.y) / 2);
  return distance >= inner - toleranceMm && distance <= outer + toleranceMm;
}

function isInside({ corners, sizeMm }: ElementBox, point: Point, toleranceMm: number): boolean {
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
