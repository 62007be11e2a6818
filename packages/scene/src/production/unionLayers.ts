/** Joins the outlines of one plate that touch or cross, so that no edge between neighbors is burned. */
import { DisjointSets } from '../geometry/disjointSets.ts';
import { joinOutlines, MM_GRID } from '../geometry/planar.ts';
import {
  createSegmentGrid,
  crossesAt,
  isContinuation,
  stretchAlong,
  TooManyNeighbors,
  toSegments,
} from '../geometry/segmentGrid.ts';
import { type DroppedContour, dropSlivers } from './dropDetail.ts';
import type { JobOutline } from './job.ts';

/** Edges this near to each other are one edge, mm. */
const SAME_MM = 0.02;
/** Edges that are shared for less than this only meet, mm. */
const LEAST_SHARED_MM = 0.05;
const SHARED_SHARE = 0.9;
const FLAT_MM = 0.005;

/**
 * Returns the outlines of a filling plate without edges that two of them share and without crossings, of outlines with
 * others or with themselves. Where outlines do not touch, they stay the same objects, exact. Each outline must be
 * filled by even-odd, and none may lie in the fill of another. Cost: near to linear in the segments, and a boolean
 * operation over each group that touches. Outlines too dense to compare stay as they are. Calls `note` for detail that
 * was dropped from what was joined.
 */
export function unionLayers(
  outlines: readonly JobOutline[],
  note: (elementId: string, contour: DroppedContour) => void,
): readonly JobOutline[] {
  const owner = outlines.flatMap(({ contours }, k) => contours.map(() => k));
  const segments = toSegments(
    outlines.flatMap(({ contours }) => contours),
    FLAT_MM,
  );
  const grid = createSegmentGrid(segments);
  const sets = new DisjointSets(outlines.length);
  const isTangled = new Uint8Array(outlines.length);
  const { contour, length, count } = segments;
  try {
    for (let i = 0; i < count; i++) {
      const a = owner[contour[i]!]!;
      grid.near(i, SAME_MM, (j) => {
        if (j >= i) return;
        const b = owner[contour[j]!]!;
        const isKnown = a === b ? isTangled[a] === 1 : sets.find(a) === sets.find(b);
        if (isKnown || isContinuation(segments, i, j)) return;
        const stretch = stretchAlong(segments, i, j, SAME_MM);
        const least = Math.min(LEAST_SHARED_MM, SHARED_SHARE * length[i]!);
        if (!(stretch && stretch.to - stretch.from >= least) && !crossesAt(segments, j, i)) return;
        if (a === b) isTangled[a] = 1;
        else sets.join(a, b);
      });
    }
  } catch (error) {
    if (error instanceof TooManyNeighbors) return outlines;
    throw error;
  }

  const groups = new Map<number, number[]>();
  for (const k of outlines.keys()) {
    const root = sets.find(k);
    const group = groups.get(root);
    if (group) group.push(k);
    else groups.set(root, [k]);
  }
  return [...groups.values()].flatMap((group) => {
    const first = outlines[group[0]!]!;
    if (group.length === 1 && !isTangled[group[0]!]) return [first];
    const whole = joinOutlines(
      group.map((k) => outlines[k]!.contours),
      MM_GRID,
    );
    const contours = dropSlivers(whole, (contour) => note(first.elementId, contour));
    return contours.length > 0 ? [{ ...first, contours }] : [];
  });
}
