/** Closed lines around areas without holes, as a sheet of pieces needs them: grown, joined to one, measured. */
import { Clipper, ClipperOffset, EndType, FillRule, JoinType, type Paths64 } from 'clipper2-ts';
import type { PathBounds } from './pathData.ts';

/** A closed line `[x0, y0, x1, y1, …]` in mm that does not cross itself. */
export type Ring = readonly number[];

/** One step of the grid that Clipper works on, mm. */
const UNIT_MM = 1e-3;
/** An arc is nowhere further from its true place, mm. */
const ARC_MM = 0.01;
/** As production files: a corner reaches at most this many times as far as its sides. */
const MITER_LIMIT = 4;

interface Growth {
  readonly join?: 'round' | 'miter';
  /** True for lines that are open. */
  readonly isOpen?: boolean;
}

/**
 * Grows what lines are around, or an open line itself, and fills all holes. Returns rings that do not touch. An arc may
 * fall short by `ARC_MM`. Cost: n log n in the points.
 */
export function growRings(
  rings: readonly Ring[],
  byMm: number,
  { join = 'round', isOpen = false }: Growth = {},
): Ring[] {
  return fromPaths(offset(isOpen ? toPaths(rings) : toSolids(rings), byMm, join, isOpen));
}

/** Returns the outer edges of areas that overlap. */
export const joinRings = (rings: readonly Ring[]): Ring[] => fromPaths(toSolids(rings));

/** Returns the part of an area inside a box. It may be in several rings. */
export const clipRing = (ring: Ring, { minX, minY, maxX, maxY }: PathBounds): Ring[] =>
  fromPaths(
    Clipper.intersect(toPaths([ring]), toPaths([[minX, minY, maxX, minY, maxX, maxY, minX, maxY]]), FillRule.NonZero),
  );

/**
 * Returns one ring around all rings, which follows them as closely as one can: bays and distances are closed that are
 * narrower than twice a radius, the least of `radiusMm` and its doubles that leaves one part. Throws a RangeError
 * without a ring.
 */
export function joinToOne(rings: readonly Ring[], radiusMm: number): Ring {
  if (rings.length === 0) throw new RangeError('There is no ring.');
  for (let radius = radiusMm; ; radius *= 2) {
    const [ring, ...others] = closeBays(rings, radius);
    if (ring && others.length === 0) return ring;
  }
}

/** Returns the edges of areas with the bays and distances closed that are narrower than twice a radius. */
export function closeBays(rings: readonly Ring[], radiusMm: number): Ring[] {
  const paths = toSolids(rings);
  const edges = offset(offset(paths, radiusMm), -radiusMm);
  // Arcs fall short where a part touches its neighbor: what was there stays.
  return fromPaths(outerEdges(Clipper.union([...edges, ...paths], FillRule.NonZero)));
}

/** Returns a ring with fewer points, nowhere further from it than `byMm`. It may lie inside by as much. */
export function simplifyRing(ring: Ring, byMm: number): Ring {
  const paths = Clipper.simplifyPaths(toPaths([ring]), byMm / UNIT_MM);
  const [simple, ...others] = fromPaths(outerEdges(Clipper.union(paths, FillRule.NonZero)));
  // A neck may close: the ring stays as it is then.
  return simple && others.length === 0 ? simple : ring;
}

/** Returns the area of a ring, never negative. */
export function ringArea(ring: Ring): number {
  let sum = 0;
  for (let i = 0, j = ring.length - 2; i < ring.length; j = i, i += 2)
    sum += ring[j]! * ring[i + 1]! - ring[i]! * ring[j + 1]!;
  return Math.abs(sum) / 2;
}

export function ringBounds(ring: Ring): PathBounds {
  let [minX, minY, maxX, maxY] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let i = 0; i < ring.length; i += 2) {
    [minX, maxX] = [Math.min(minX, ring[i]!), Math.max(maxX, ring[i]!)];
    [minY, maxY] = [Math.min(minY, ring[i + 1]!), Math.max(maxY, ring[i + 1]!)];
  }
  return { minX, minY, maxX, maxY };
}

/** Returns where the line of `y` enters and leaves a ring, ascending: an even number of places. */
export function crossingsOf(ring: Ring, y: number): number[] {
  const places: number[] = [];
  for (let i = 0, j = ring.length - 2; i < ring.length; j = i, i += 2) {
    const [x0, y0, x1, y1] = [ring[j]!, ring[j + 1]!, ring[i]!, ring[i + 1]!];
    if (y0 <= y !== y1 <= y) places.push(x0 + ((y - y0) / (y1 - y0)) * (x1 - x0));
  }
  return places.sort((a, b) => a - b);
}

/** Returns the distance of a point from the line of a ring. */
export function ringDistance(ring: Ring, x: number, y: number): number {
  let least = Infinity;
  for (let i = 0, j = ring.length - 2; i < ring.length; j = i, i += 2) {
    const [dx, dy] = [ring[i]! - ring[j]!, ring[i + 1]! - ring[j + 1]!];
    const square = dx * dx + dy * dy;
    const along = square === 0 ? 0 : ((x - ring[j]!) * dx + (y - ring[j + 1]!) * dy) / square;
    const t = Math.min(1, Math.max(0, along));
    least = Math.min(least, Math.hypot(x - ring[j]! - t * dx, y - ring[j + 1]! - t * dy));
  }
  return least;
}

/** The lines that are looked at for the largest box. */
const BOX_LINES = 32;

/** Returns a large box inside a ring, for a label: its corners may touch the ring between the lines it is found by. */
export function boxInside(ring: Ring): PathBounds {
  const { minY, maxY } = ringBounds(ring);
  const step = (maxY - minY) / BOX_LINES;
  const runs = Array.from({ length: BOX_LINES }, (_, i) => {
    const places = crossingsOf(ring, minY + (i + 0.5) * step);
    return places.flatMap((from, k) => (k % 2 === 0 ? [[from, places[k + 1]!] as const] : []));
  });
  let best = { minX: 0, minY: 0, maxX: 0, maxY: 0 };
  let most = -1;
  for (const [i, starts] of runs.entries()) {
    for (let [from, to] of starts) {
      for (let j = i; j < BOX_LINES; j++) {
        // The run of the next line that shares most with the box so far.
        const parts = runs[j]!.map(([a, b]) => [Math.max(a, from), Math.min(b, to)] as const);
        const widest = parts.reduce((a, b) => (b[1] - b[0] > a[1] - a[0] ? b : a), [0, -1] as const);
        if (widest[1] <= widest[0]) break;
        [from, to] = widest;
        const area = (to - from) * (j - i + 1);
        if (area <= most) continue;
        most = area;
        best = { minX: from, minY: minY + i * step, maxX: to, maxY: minY + (j + 1) * step };
      }
    }
  }
  return best;
}

function offset(paths: Paths64, byMm: number, join: 'round' | 'miter' = 'round', isOpen = false): Paths64 {
  const grower = new ClipperOffset(MITER_LIMIT, ARC_MM / UNIT_MM);
  grower.addPaths(paths, join === 'miter' ? JoinType.Miter : JoinType.Round, isOpen ? EndType.Round : EndType.Polygon);
  const edges: Paths64 = [];
  grower.execute(byMm / UNIT_MM, edges);
  return outerEdges(edges);
}

/** Every line as the edge of an area, whichever way it runs: holes are filled. */
const toSolids = (rings: readonly Ring[]): Paths64 =>
  outerEdges(
    Clipper.union(
      toPaths(rings).map((path) => (Clipper.isPositive(path) ? path : path.reverse())),
      FillRule.NonZero,
    ),
  );

const outerEdges = (paths: Paths64): Paths64 => paths.filter((path) => Clipper.isPositive(path));

function toPaths(rings: readonly Ring[]): Paths64 {
  return rings.map((ring) => {
    const path = [];
    for (let i = 0; i < ring.length; i += 2) {
      path.push({ x: Math.round(ring[i]! / UNIT_MM), y: Math.round(ring[i + 1]! / UNIT_MM), z: 0 });
    }
    return path;
  });
}

/** Numbers as short as the grid: a plan is kept as text. */
const fromPaths = (paths: Paths64): Ring[] =>
  paths.map((path) => path.flatMap(({ x, y }) => [Number((x * UNIT_MM).toFixed(3)), Number((y * UNIT_MM).toFixed(3))]));
