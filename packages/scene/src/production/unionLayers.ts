/** Joins the outlines of one plate that touch or cross, so that no edge between neighbors is burned. */
import { findApart, isWiderThan } from '../geometry/apart.ts';
import { DisjointSets } from '../geometry/disjointSets.ts';
import type { Contour } from '../geometry/pathData.ts';
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
 * others or with themselves. Where outlines do not touch, they stay the same objects, exact, and so do contours of an
 * outline. Each outline must be filled by even-odd, and none may lie in the fill of another. Cost: near to linear in
 * the segments, and a boolean operation over each group of outlines that touch, and of contours of one outline that do.
 * Outlines too dense to compare stay as they are. Calls `note` for detail that was dropped from what was joined.
 */
export function unionLayers(
  outlines: readonly JobOutline[],
  note: (elementId: string, contour: DroppedContour) => void,
): readonly JobOutline[] {
  const owner = outlines.flatMap(({ contours }, k) => contours.map(() => k));
  const all = outlines.length === 1 ? outlines[0]!.contours : outlines.flatMap(({ contours }) => contours);
  const near = findNear(all);
  const segments = toSegments(
    near.map((k) => all[k]!),
    FLAT_MM,
  );
  const grid = createSegmentGrid(segments);
  const sets = new DisjointSets(outlines.length);
  /** Contours of one outline that touch, and whether each touches another one or itself. */
  const knots = new DisjointSets(owner.length);
  const isTangled = new Uint8Array(owner.length);
  const { contour, length, count } = segments;
  try {
    for (let i = 0; i < count; i++) {
      const p = near[contour[i]!]!;
      const a = owner[p]!;
      grid.near(i, SAME_MM, (j) => {
        if (j >= i) return;
        const q = near[contour[j]!]!;
        const b = owner[q]!;
        const isKnown =
          a === b
            ? isTangled[p] === 1 && isTangled[q] === 1 && knots.find(p) === knots.find(q)
            : sets.find(a) === sets.find(b);
        if (isKnown || isContinuation(segments, i, j)) return;
        const stretch = stretchAlong(segments, i, j, SAME_MM);
        const least = Math.min(LEAST_SHARED_MM, SHARED_SHARE * length[i]!);
        if (!(stretch && stretch.to - stretch.from >= least) && !crossesAt(segments, j, i)) return;
        if (a === b) {
          isTangled[p] = isTangled[q] = 1;
          knots.join(p, q);
        } else sets.join(a, b);
      });
    }
  } catch (error) {
    if (error instanceof TooManyNeighbors) return outlines.map((outline) => ({ ...outline, mayCross: true }));
    throw error;
  }

  /** Index of the first contour of each outline. */
  const starts = outlines.map(() => 0);
  for (let k = 1; k < outlines.length; k++) starts[k] = starts[k - 1]! + outlines[k - 1]!.contours.length;
  return [...groupBy(outlines.keys(), (k) => sets.find(k)).values()].flatMap((group) => {
    const first = outlines[group[0]!]!;
    const join = (parts: readonly (readonly Contour[])[]) =>
      dropSlivers(joinOutlines(parts, MM_GRID), (contour) => note(first.elementId, contour));
    const start = starts[group[0]!]!;
    if (group.length === 1 && !isTangled.subarray(start, start + first.contours.length).includes(1)) return [first];
    const contours =
      group.length > 1
        ? join(group.map((k) => outlines[k]!.contours))
        : // Even-odd areas of parts of an outline make up its own, however it is parted.
          [...groupBy(first.contours.keys(), (c) => knots.find(start + c)).values()].flatMap((knot) => {
            const parts = knot.map((c) => first.contours[c]!);
            return isTangled[start + knot[0]!] ? join([parts]) : parts;
          });
    return contours.length > 0 ? [{ ...first, contours }] : [];
  });
}

/**
 * Returns the numbers of the contours that may touch another one or themselves. For 20,000 dots the search among their
 * segments took a quarter of the time of a file.
 */
function findNear(contours: readonly Contour[]): number[] {
  const apart = findApart(contours, SAME_MM);
  return [...contours.keys()].filter((k) => !(apart[k] && isWiderThan(contours[k]!, 2 * SAME_MM)));
}

/** Returns numbers by their keys, in their order. */
function groupBy(numbers: Iterable<number>, keyOf: (i: number) => number): Map<number, number[]> {
  const groups = new Map<number, number[]>();
  for (const i of numbers) {
    const key = keyOf(i);
    const group = groups.get(key);
    if (group) group.push(i);
    else groups.set(key, [i]);
  }
  return groups;
}
