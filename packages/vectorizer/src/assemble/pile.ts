import type { BoundaryMap } from '../boundary/boundary.ts';
import { OUTSIDE } from '../boundary/boundary.ts';
import type { Ring } from '../drawing.ts';
import type { CurveMap } from '../fit/curves.ts';
import type { Curve } from '../geometry/segment.ts';
import { drawStackedRing } from './hidden.ts';
import { orderRegions } from './order.ts';
import { keepInside, leftOf, simplifyRing } from './rings.ts';

/**
 * Piles up the shapes of a stacked drawing: finds which lies above which, extends each under those above it, and draws
 * its outline.
 */

/** The rings of a shape, and the regions whose shapes must be painted after it. */
interface PiledShape {
  region: number;
  rings: Ring[];
  above: Set<number>;
}

interface Outlines {
  /** The outline of a region, then its holes, as half-edges. */
  loopsOf(region: number): number[][];
  /** False for a shape that is drawn as strokes and hides nothing. */
  isSolid(region: number): boolean;
}

/**
 * Draws the painted regions of each component, from the outermost component inward: shapes of a component lie above
 * those of the components around it. Within a component, large shapes lie below small ones, or as the junctions tell:
 * whichever needs fewer segments. `tolerance` is that of merging, in px. About linear in segments and in the length of
 * the hidden sides.
 */
export function pileUp(
  curveMap: CurveMap,
  components: readonly number[][],
  outlines: Outlines,
  tolerance: number,
): PiledShape[] {
  const { map, curves, regions } = curveMap;
  const placeOf = orderRegions(map, curves, regions);
  const rankOf = new Float64Array(regions.count).fill(-1);
  const assign = (list: readonly number[], k: number): void =>
    list.forEach((region, place) => {
      if (outlines.isSolid(region)) rankOf[region] = k * regions.count + place;
    });
  const { areaOf } = regions;
  const bySize = components.map((list) => [...list].sort((p, q) => areaOf[q] - areaOf[p] || p - q));
  bySize.forEach(assign);
  const shapes: PiledShape[] = [];
  bySize.forEach((list, k) => {
    const byJunctions = [...list].sort((p, q) => placeOf[p] - placeOf[q]);
    let best = drawComponent(curveMap, list, outlines, rankOf, tolerance);
    if (byJunctions.some((region, place) => region !== list[place])) {
      assign(byJunctions, k);
      const other = drawComponent(curveMap, byJunctions, outlines, rankOf, tolerance);
      if (countSegments(other) < countSegments(best)) best = other;
      else assign(list, k);
    }
    for (const shape of best) shapes.push(shape);
  });
  return shapes;
}

const countSegments = (shapes: readonly PiledShape[]): number =>
  shapes.reduce((sum, { rings }) => rings.reduce((total, { segments }) => total + segments.length, sum), 0);

/** Draws the shapes of one component in their order, from the bottom up. */
function drawComponent(
  { map, curves, regions }: CurveMap,
  list: readonly number[],
  { loopsOf }: Outlines,
  rankOf: Float64Array,
  tolerance: number,
): PiledShape[] {
  const { width, height, ids } = regions;
  // A shape with an open hole cannot cover others.
  const covers = new Map<number, number[]>();
  for (const region of list) if (loopsOf(region).length === 1) covers.set(region, loopsOf(region)[0]);
  return list.map((region) => {
    covers.delete(region);
    const { loops, coveringRegions: above } = spreadUnder(map, curves, region, loopsOf(region), covers);
    const isAbove = (other: number): boolean => other !== OUTSIDE && rankOf[other] > rankOf[region];
    const isCovered = (x: number, y: number): boolean => {
      if (!(x >= 0 && y >= 0 && x < width && y < height)) return false;
      const id = ids[Math.floor(y) * width + Math.floor(x)];
      if (!isAbove(id)) return false;
      above.add(id);
      return true;
    };
    const rings = loops.map((loop) => {
      const { ring, joints } = drawStackedRing({ map, loop, curves, isAbove, isCovered, hiding: above });
      return ring.shape ? ring : keepInside(simplifyRing(ring, joints, tolerance), map);
    });
    return { region, rings, above };
  });
}

/**
 * Extends a shape under its neighbors where that shortens its outline: the line between them is then drawn once, by the
 * upper one, and no seam can show. `covers` holds the outlines of the regions painted later. Returns its
 * loops and the regions that now cover it.
 */
function spreadUnder(
  map: BoundaryMap,
  curves: Curve[],
  region: number,
  ownLoops: number[][],
  covers: ReadonlyMap<number, number[]>,
): { loops: number[][]; coveringRegions: Set<number> } {
  const coveringRegions = new Set<number>();
  const isIn = (other: number): boolean => other === region || coveringRegions.has(other);
  const frontier = [...ownLoops[0]];
  for (let k = 0; k < frontier.length; k++) {
    const candidate = leftOf(map, frontier[k] ^ 1);
    const outline = covers.get(candidate);
    if (!outline || coveringRegions.has(candidate)) continue;
    let longer = 0;
    for (const halfEdge of outline) {
      const count = curves[halfEdge >> 1].segments.length;
      longer += isIn(leftOf(map, halfEdge ^ 1)) ? -count : count;
    }
    if (longer > 0) continue;
    coveringRegions.add(candidate);
    for (const halfEdge of outline) frontier.push(halfEdge);
  }
  if (coveringRegions.size === 0) return { loops: ownLoops, coveringRegions };

  const edge = frontier.filter((halfEdge) => isIn(leftOf(map, halfEdge)) && !isIn(leftOf(map, halfEdge ^ 1)));
  const leaving = new Map<number, number[]>();
  for (const halfEdge of edge) {
    const from = startOf(map, halfEdge);
    const list = leaving.get(from);
    if (list) list.push(halfEdge);
    else leaving.set(from, [halfEdge]);
  }
  const loops: number[][] = [];
  const usedEnds = new Set<number>();
  for (const first of edge) {
    if (usedEnds.has(first)) continue;
    const loop: number[] = [];
    for (let halfEdge: number | undefined = first; halfEdge !== undefined; ) {
      usedEnds.add(halfEdge);
      loop.push(halfEdge);
      const end = startOf(map, halfEdge ^ 1);
      if (end < 0 || end === startOf(map, first)) break;
      halfEdge = leaving.get(end)?.find((next) => !usedEnds.has(next));
    }
    loops.push(loop);
  }
  return { loops: [...loops, ...ownLoops.slice(1)], coveringRegions };
}

function startOf({ chains }: BoundaryMap, halfEdge: number): number {
  const chain = chains[halfEdge >> 1];
  return halfEdge & 1 ? chain.end : chain.start;
}
