/**
 * Parts of a drawing: each is one outline with its holes, as a letter or the dot of an i is. How far apart the outlines
 * of two parts are.
 */
import { signedArea } from '../geometry/measure.ts';
import { type Contour, flatten, looseBounds, type PathBounds, tightBounds } from '../geometry/pathData.ts';

/** One outline with its holes. All lengths are in the units of its drawing, y down. */
export interface Part {
  /** Closed polylines `[x0, y0, x1, y1, …]` without the first point again: the outer one, then the holes. */
  readonly rings: readonly Float64Array[];
  readonly bounds: PathBounds;
  /** Without the holes. */
  readonly area: number;
  readonly form: Form;
}

/**
 * What a part looks like whatever its size and place: its aspect (width : height), number of holes, the share of its
 * box that it fills, and its moments of first to third order relative to the box.
 */
interface Form {
  readonly aspect: number;
  readonly holes: number;
  readonly moments: Float64Array;
}

/** Contours of a drawing beyond this number are no lettering. The search for holes compares each with each. */
const MOST_CONTOURS = 4000;

/**
 * Parts the area that closed contours fill by the even-odd rule. Curves are flattened to `tolerance`. Returns no parts
 * for more than 4,000 contours. Cost: a comparison of boxes for each pair of contours.
 */
export function splitParts(contours: readonly Contour[], tolerance: number): Part[] {
  if (contours.length > MOST_CONTOURS) return [];
  const rings = contours
    .filter(({ isClosed, commands }) => isClosed && commands.length > 1)
    .map((contour) => ({
      line: openRing(flatten(contour, tolerance)),
      area: Math.abs(signedArea(contour)),
      bounds: tightBounds([contour]),
      loose: looseBounds([contour]),
    }))
    .filter(({ line, area }) => line.length >= 6 && area > 0)
    .sort((a, b) => b.area - a.area);

  // A ring lies within the smallest larger one around it. With an odd number of rings around it, it is a hole.
  const depth = new Int32Array(rings.length);
  const parent = new Int32Array(rings.length).fill(-1);
  for (const [i, ring] of rings.entries()) {
    for (let j = i - 1; j >= 0; j--) {
      if (!holds(rings[j]!.loose, ring.bounds) || !isInside(rings[j]!.line, ring.line[0]!, ring.line[1]!)) continue;
      parent[i] = j;
      depth[i] = depth[j]! + 1;
      break;
    }
  }
  const holesOf = new Map<number, number[]>();
  for (let i = 0; i < rings.length; i++) {
    if (depth[i]! % 2 === 0) holesOf.set(i, []);
    else holesOf.get(parent[i]!)!.push(i);
  }
  return [...holesOf].map(([outer, holes]) => {
    const { bounds, area } = rings[outer]!;
    const all = [outer, ...holes].map((i) => rings[i]!.line);
    const filledArea = holes.reduce((sum, hole) => sum - rings[hole]!.area, area);
    return { rings: all, bounds, area: filledArea, form: describe(all, bounds, holes.length) };
  });
}

/** Returns a polyline without a last point that is its first again. */
function openRing(line: number[]): Float64Array {
  const [lastX, lastY] = line.slice(-2);
  const repeats = line.length > 2 && lastX === line[0] && lastY === line[1];
  return Float64Array.from(repeats ? line.slice(0, -2) : line);
}

const holds = (a: PathBounds, b: PathBounds) =>
  a.minX <= b.minX && a.maxX >= b.maxX && a.minY <= b.minY && a.maxY >= b.maxY;

/** True when a point lies inside a ring (crossings of a ray to the right). */
function isInside(ring: Float64Array, x: number, y: number): boolean {
  let inside = false;
  const n = ring.length;
  for (let i = 0, j = n - 2; i < n; j = i, i += 2) {
    const y1 = ring[i + 1]!;
    const y2 = ring[j + 1]!;
    if (y1 > y !== y2 > y && x < ring[i]! + ((y - y1) * (ring[j]! - ring[i]!)) / (y2 - y1)) inside = !inside;
  }
  return inside;
}

/** Powers of x and y in each moment: all up to the third order. Their sum is the order. */
const POWERS = [
  [0, 0],
  [1, 0],
  [0, 1],
  [2, 0],
  [1, 1],
  [0, 2],
  [3, 0],
  [2, 1],
  [1, 2],
  [0, 3],
] as const;

/** Number of moments of a form. */
export const MOMENTS = POWERS.length;

/**
 * Measures a form. The moments are those of the area in its box, stretched to a square from -1 to 1. An integral over
 * a polygon is a sum over its edges (Green's theorem). Three points of Gauss on each edge make that exact.
 */
function describe(rings: readonly Float64Array[], bounds: PathBounds, holes: number): Form {
  const width = bounds.maxX - bounds.minX;
  const height = bounds.maxY - bounds.minY;
  const moments = new Float64Array(POWERS.length);
  for (const [r, ring] of rings.entries()) {
    const sums = new Float64Array(POWERS.length);
    const n = ring.length;
    let px = ((ring[n - 2]! - bounds.minX) / width) * 2 - 1;
    let py = ((ring[n - 1]! - bounds.minY) / height) * 2 - 1;
    for (let i = 0; i < n; i += 2) {
      const qx = ((ring[i]! - bounds.minX) / width) * 2 - 1;
      const qy = ((ring[i + 1]! - bounds.minY) / height) * 2 - 1;
      for (let g = 0; g < 3; g++) {
        const x = px + (qx - px) * GAUSS_AT[g]!;
        const y = py + (qy - py) * GAUSS_AT[g]!;
        const weight = GAUSS_WEIGHT[g]! * (qy - py);
        const xs = [x, (x * x) / 2, (x * x * x) / 3, (x * x * x * x) / 4];
        const ys = [1, y, y * y, y * y * y];
        for (let m = 0; m < POWERS.length; m++) sums[m]! += weight * xs[POWERS[m]![0]]! * ys[POWERS[m]![1]]!;
      }
      px = qx;
      py = qy;
    }
    // Holes count against their outline, whichever way either runs.
    const sign = (sums[0]! < 0 ? -1 : 1) * (r === 0 ? 1 : -1);
    for (let m = 0; m < POWERS.length; m++) moments[m]! += (sign * sums[m]!) / 4;
  }
  return { aspect: width / height, holes, moments };
}

const GAUSS_AT = [0.5 - Math.sqrt(0.15), 0.5, 0.5 + Math.sqrt(0.15)];
const GAUSS_WEIGHT = [5 / 18, 8 / 18, 5 / 18];

/** How a part is laid on another: scaled about the origin, then moved. */
export interface Placement {
  readonly scale: number;
  readonly x: number;
  readonly y: number;
}

/** Distances between the outlines of two parts, in the units of the first. */
export interface OutlineDistance {
  /** Root of the mean square. */
  readonly rms: number;
  readonly largest: number;
}

/** Returns a part that is scaled and moved. */
export function placePart(part: Part, { scale, x, y }: Placement): Part {
  const { minX, minY, maxX, maxY } = part.bounds;
  return {
    ...part,
    rings: part.rings.map((ring) => {
      const place = new Float64Array(ring.length);
      for (let i = 0; i < ring.length; i += 2) {
        place[i] = ring[i]! * scale + x;
        place[i + 1] = ring[i + 1]! * scale + y;
      }
      return place;
    }),
    bounds: { minX: minX * scale + x, minY: minY * scale + y, maxX: maxX * scale + x, maxY: maxY * scale + y },
    area: part.area * scale * scale,
  };
}

/**
 * Measures how far the outlines of a part and of a placed part are from each other, in both directions, at points of
 * their outlines `step` apart. Cost: points times edges.
 */
export function measureDistance(part: Part, other: Part, placement: Placement, step: number): OutlineDistance {
  const there = placePart(other, placement);
  const to = measureTo(part, [there], step, Infinity);
  const back = measureTo(there, [part], step, Infinity);
  return { rms: Math.hypot(to.rms, back.rms) / Math.SQRT2, largest: Math.max(to.largest, back.largest) };
}

/**
 * Measures how far the outline of a part is from those of others, at points `step` apart. Others further than `reach`
 * are left out. Shows `visit` the x of each point, and the square of its distance.
 */
export function measureTo(
  part: Part,
  others: readonly Part[],
  step: number,
  reach: number,
  visit?: (x: number, square: number) => void,
): OutlineDistance {
  const { minX, minY, maxX, maxY } = part.bounds;
  const near = others
    .filter(
      ({ bounds: b }) =>
        b.minX < maxX + reach && b.maxX > minX - reach && b.minY < maxY + reach && b.maxY > minY - reach,
    )
    .flatMap(({ rings }) => rings);
  if (near.length === 0) return { rms: Infinity, largest: Infinity };
  let squares = 0;
  let count = 0;
  let largest = 0;
  walk(part.rings, step, (x, y) => {
    const square = nearest(near, x, y);
    squares += square;
    count++;
    if (square > largest) largest = square;
    visit?.(x, square);
  });
  return { rms: Math.sqrt(squares / count), largest: Math.sqrt(largest) };
}

/**
 * Moves and scales `parts` from where they are placed toward `line`: one round of the iterative closest point method
 * (Besl and McKay 1992), each point of a part drawn to the nearest point of an outline of the line.
 */
export function fitPlacement(
  line: readonly Part[],
  parts: readonly Part[],
  { scale, x, y }: Placement,
  step: number,
  reach: number,
): Placement {
  let [n, sx, sy, tx, ty, ss, st] = [0, 0, 0, 0, 0, 0, 0];
  for (const part of parts) {
    const there = placePart(part, { scale, x, y });
    const { minX, minY, maxX, maxY } = there.bounds;
    const near = line
      .filter(
        ({ bounds: b }) =>
          b.minX < maxX + reach && b.maxX > minX - reach && b.minY < maxY + reach && b.maxY > minY - reach,
      )
      .flatMap(({ rings }) => rings);
    if (near.length === 0) continue;
    walk(there.rings, step, (px, py) => {
      const square = nearest(near, px, py);
      if (square > reach * reach) return;
      n++;
      sx += px;
      sy += py;
      tx += nearestX;
      ty += nearestY;
      ss += px * px + py * py;
      st += px * nearestX + py * nearestY;
    });
  }
  if (n < 3) return { scale, x, y };
  const by = (st - (sx * tx + sy * ty) / n) / (ss - (sx * sx + sy * sy) / n);
  return { scale: scale * by, x: x * by + (tx - by * sx) / n, y: y * by + (ty - by * sy) / n };
}

/** Returns points of the outlines of parts, `step` apart: x and y by turns. */
export function pointsOf(parts: readonly Part[], step: number): Float64Array {
  const points: number[] = [];
  for (const { rings } of parts) walk(rings, step, (x, y) => points.push(x, y));
  return Float64Array.from(points);
}

/** Returns the length of the outlines of a part, with those of its holes. */
export function measureOutline({ rings }: Part): number {
  let length = 0;
  for (const ring of rings) {
    const n = ring.length;
    for (let i = 0, j = n - 2; i < n; j = i, i += 2) {
      length += Math.hypot(ring[i]! - ring[j]!, ring[i + 1]! - ring[j + 1]!);
    }
  }
  return length;
}

/** Visits points of closed rings, `step` apart. */
function walk(rings: readonly Float64Array[], step: number, visit: (x: number, y: number) => void): void {
  for (const ring of rings) {
    const n = ring.length;
    let rest = 0;
    for (let i = 0, j = n - 2; i < n; j = i, i += 2) {
      const [x0, y0] = [ring[j]!, ring[j + 1]!];
      const [dx, dy] = [ring[i]! - x0, ring[i + 1]! - y0];
      const length = Math.hypot(dx, dy);
      let at = rest;
      for (; at < length; at += step) visit(x0 + (dx * at) / length, y0 + (dy * at) / length);
      rest = at - length;
    }
  }
}

/** The point that `nearest` found. Two numbers, because it is called for millions of points. */
let nearestX = 0;
let nearestY = 0;

/** Returns the square of the distance of a point from the nearest edge; `nearestX` and `nearestY` say where that is. */
function nearest(rings: readonly Float64Array[], x: number, y: number): number {
  let best = Infinity;
  for (const ring of rings) {
    const n = ring.length;
    let x0 = ring[n - 2]!;
    let y0 = ring[n - 1]!;
    for (let i = 0; i < n; i += 2) {
      const x1 = ring[i]!;
      const y1 = ring[i + 1]!;
      const ux = x1 - x0;
      const uy = y1 - y0;
      const square = ux * ux + uy * uy;
      const along = square > 0 ? Math.min(1, Math.max(0, ((x - x0) * ux + (y - y0) * uy) / square)) : 0;
      const ex = x0 + along * ux - x;
      const ey = y0 + along * uy - y;
      const distance = ex * ex + ey * ey;
      if (distance < best) {
        best = distance;
        nearestX = x + ex;
        nearestY = y + ey;
      }
      x0 = x1;
      y0 = y1;
    }
  }
  return best;
}
