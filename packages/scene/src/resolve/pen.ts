/** What a tool follows, and how far a line reaches beyond its path. */
import type { Operation } from '../document/composition.ts';
import type { ScenePath } from './scene.ts';

/** True for an operation whose tool follows lines. */
export const isFollowed = (operation: Operation): boolean =>
  operation === 'score' || operation === 'cut' || operation === 'guide';

/** Returns the distance by which a line reaches beyond its path: a laser follows the path itself. In own units. */
export const penRadius = ({ stroke, fill, operation, strokeWidth }: ScenePath): number =>
  stroke && (operation === 'print' || (!fill && !isFollowed(operation))) ? Math.max(0, strokeWidth) / 2 : 0;
