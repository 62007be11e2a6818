/** The part of a piece's frame that has a place on a gang sheet. */
import type { PathBounds } from '../geometry/pathData.ts';
import type { Scene } from '../resolve/scene.ts';
import { grow } from './placeJobs.ts';

/** Air for what a file rounds, mm. */
const AIR_MM = 0.2;

/**
 * Returns the box around the elements of a scene, inside its frame: the whole frame where nothing is inside. It needs
 * no outlines, only the sizes of artworks.
 */
export function pieceBox({ groups, widthMm, heightMm }: Pick<Scene, 'groups' | 'widthMm' | 'heightMm'>): PathBounds {
  const frame = { minX: 0, minY: 0, maxX: widthMm, maxY: heightMm };
  const points = groups.flatMap(({ corners }) => corners);
  if (points.length === 0) return frame;
  const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)];
  const box = grow(
    { minX: Math.min(...xs), minY: Math.min(...ys), maxX: Math.max(...xs), maxY: Math.max(...ys) },
    AIR_MM,
  );
  const inside = {
    minX: Math.max(0, box.minX),
    minY: Math.max(0, box.minY),
    maxX: Math.min(widthMm, box.maxX),
    maxY: Math.min(heightMm, box.maxY),
  };
  return inside.maxX > inside.minX && inside.maxY > inside.minY ? inside : frame;
}
