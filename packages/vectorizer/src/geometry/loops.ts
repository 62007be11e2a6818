import { hypot } from './hypot.ts';
import type { Curve, Point, Segment } from './segment.ts';
import { partOf, pointOf, slopeOf } from './segment.ts';

/** Small loops in which a curve crosses itself: faults of a fit, which a cutter would follow. */

/** A cubic is taken for lines between these parameters: close at its ends, where most loops are. */
const HALF = [0, 1 / 128, 1 / 64, 1 / 32, 1 / 16, 1 / 8, 1 / 4, 3 / 8];
const PLACES = [...HALF, 1 / 2, ...HALF.map((t) => 1 - t).reverse()];
/** A segment is compared with itself and with so many after it: loops at junctions are no longer. */
export const AHEAD = 8;
/** A loop of at most this area, in px², or no wider than this in the mean, in px, is a fault of the fit. */
const MOST_AREA = 2;
const MOST_WIDTH = 0.5;
/** Newton steps from where two pieces cross to where their cubics do. */
const STEPS = 4;

/** A loop: a curve passes one point at parameter t of segment `from` and at u of the segment `ahead` of it. */
interface Loop {
  from: number;
  ahead: number;
  t: number;
  u: number;
}

/** Returns the curve itself, or one without small loops, whose segments are its own. Linear in segments. */
export function withoutLoops<C extends Curve>(curve: C, isClosed: boolean): C {
  let rest = curve;
  for (let loop = findLoop(rest, isClosed); loop; loop = findLoop(rest, isClosed)) {
    if (isClosed && rest.segments.length - loop.ahead < 2) break;
    rest = isClosed ? cutOut(rest, loop) : cutOutOfOpen(rest, loop);
  }
  return rest;
}

/** Returns the first small loop of a curve. */
export function findLoop({ x, y, segments }: Curve, isClosed: boolean): Loop | undefined {
  const count = segments.length;
  const startOf = (k: number): Point => (k > 0 ? segments[k - 1] : isClosed ? segments[count - 1] : { x, y });
  const lines = segments.map((segment, k) => flatten(startOf(k), segment));
  for (let from = 0; from < count; from++) {
    const most = Math.min(AHEAD, isClosed ? count - 1 : count - 1 - from);
    for (let ahead = 0; ahead <= most; ahead++) {
      const to = (from + ahead) % count;
      const places = crossing(lines[from], lines[to]);
      if (!places) continue;
      const between = Array.from({ length: Math.max(0, ahead - 1) }, (_, k) => lines[(from + 1 + k) % count].points);
      if (!isFault(lines[from].points, lines[to].points, between, places)) continue;
      const [t, u] = refine([startOf(from), segments[from]], [startOf(to), segments[to]], places);
      return { from, ahead, t, u };
    }
  }
  return undefined;
}

/** A segment as a polyline. */
interface Line {
  /** x and y in turn. */
  points: Float64Array;
  left: number;
  top: number;
  right: number;
  bottom: number;
  /** True when it never turns back in x or in y, so it cannot cross itself. */
  isMonotone: boolean;
}

function flatten(from: Point, segment: Segment): Line {
  const count = segment.isLine ? 2 : PLACES.length;
  const points = new Float64Array(2 * count);
  const line = { points, left: from.x, top: from.y, right: from.x, bottom: from.y, isMonotone: true };
  const goes = [false, false, false, false];
  points[0] = from.x;
  points[1] = from.y;
  for (let k = 1; k < count; k++) {
    const [x, y] = segment.isLine ? [segment.x, segment.y] : pointOf(from, segment, PLACES[k]);
    goes[0] ||= x > points[2 * k - 2];
    goes[1] ||= x < points[2 * k - 2];
    goes[2] ||= y > points[2 * k - 1];
    goes[3] ||= y < points[2 * k - 1];
    points[2 * k] = x;
    points[2 * k + 1] = y;
    line.left = Math.min(line.left, x);
    line.top = Math.min(line.top, y);
    line.right = Math.max(line.right, x);
    line.bottom = Math.max(line.bottom, y);
  }
  line.isMonotone = !(goes[0] && goes[1]) || !(goes[2] && goes[3]);
  return line;
}

/**
 * Returns where two polylines cross, or one crosses itself, in pieces from the start of each. Nearly all pairs are told
 * apart by their boxes: without these, the search took a fifteenth of a trace.
 */
function crossing(first: Line, second: Line): [number, number] | undefined {
  const isSame = first === second;
  if (isSame && first.isMonotone) return undefined;
  if (first.left > second.right || first.right < second.left) return undefined;
  if (first.top > second.bottom || first.bottom < second.top) return undefined;
  const p = first.points;
  const q = second.points;
  for (let i = 0; i + 3 < p.length; i += 2) {
    const left = Math.min(p[i], p[i + 2]);
    const right = Math.max(p[i], p[i + 2]);
    if (left > second.right || right < second.left) continue;
    const top = Math.min(p[i + 1], p[i + 3]);
    const bottom = Math.max(p[i + 1], p[i + 3]);
    if (top > second.bottom || bottom < second.top) continue;
    for (let j = isSame ? i + 4 : 0; j + 3 < q.length; j += 2) {
      if (Math.max(q[j], q[j + 2]) < left || Math.min(q[j], q[j + 2]) > right) continue;
      if (Math.max(q[j + 1], q[j + 3]) < top || Math.min(q[j + 1], q[j + 3]) > bottom) continue;
      const dx = p[i + 2] - p[i];
      const dy = p[i + 3] - p[i + 1];
      const ex = q[j + 2] - q[j];
      const ey = q[j + 3] - q[j + 1];
      const cross = dx * ey - dy * ex;
      const t = ((q[j] - p[i]) * ey - (q[j + 1] - p[i + 1]) * ex) / cross;
      const u = ((q[j] - p[i]) * dy - (q[j + 1] - p[i + 1]) * dx) / cross;
      if (t > 0 && t < 1 && u > 0 && u < 1) return [i / 2 + t, j / 2 + u];
    }
  }
  return undefined;
}

/** Returns true for a small loop: from a place on one polyline, along those between, to a place on another. */
function isFault(
  first: Float64Array,
  last: Float64Array,
  between: readonly Float64Array[],
  [t, u]: [number, number],
): boolean {
  const isSame = first === last;
  const loop = [...first.subarray(2 * Math.floor(t) + 2, isSame ? 2 * Math.floor(u) + 2 : undefined)];
  for (const line of between) loop.push(...line);
  if (!isSame) loop.push(...last.subarray(0, 2 * Math.floor(u) + 2));
  const k = 2 * Math.floor(t);
  const share = t - Math.floor(t);
  loop.push(first[k] + share * (first[k + 2] - first[k]), first[k + 1] + share * (first[k + 3] - first[k + 1]));
  let area = 0;
  let around = 0;
  for (let i = 0; i < loop.length; i += 2) {
    const j = (i + 2) % loop.length;
    area += (loop[i] * loop[j + 1] - loop[j] * loop[i + 1]) / 2;
    around += hypot(loop[j] - loop[i], loop[j + 1] - loop[i + 1]);
  }
  return Math.abs(area) <= Math.max(MOST_AREA, (MOST_WIDTH * around) / 2);
}

function toParameter({ isLine }: Segment, place: number): number {
  if (isLine) return place;
  const k = Math.floor(place);
  return PLACES[k] + (place - k) * (PLACES[k + 1] - PLACES[k]);
}

type Side = [Point, Segment];

/** Returns the parameters at which two segments cross, from where their pieces do. */
function refine([p, s]: Side, [q, r]: Side, places: [number, number]): [number, number] {
  let t = toParameter(s, places[0]);
  let u = toParameter(r, places[1]);
  const isIn = (v: number): boolean => v > 0 && v < 1;
  for (let step = 0; step < STEPS; step++) {
    const [ax, ay] = pointOf(p, s, t);
    const [bx, by] = pointOf(q, r, u);
    const [dx, dy] = slopeOf(p, s, t);
    const [ex, ey] = slopeOf(q, r, u);
    const cross = dx * ey - dy * ex;
    const nextT = t + ((bx - ax) * ey - (by - ay) * ex) / cross;
    const nextU = u + ((bx - ax) * dy - (by - ay) * dx) / cross;
    if (!isIn(nextT) || !isIn(nextU)) break;
    [t, u] = [nextT, nextU];
  }
  return [t, u];
}

/** Returns a closed curve without a loop. It begins where the segment does in which the loop began. */
function cutOut<C extends Curve>(curve: C, { from, ahead, t, u }: Loop): C {
  const { segments } = curve;
  const count = segments.length;
  const start = segments[(from + count - 1) % count];
  const order = [...segments.slice(from), ...segments.slice(0, from)];
  return cutOutOfOpen({ ...curve, x: start.x, y: start.y, segments: order }, { from: 0, ahead, t, u });
}

/** Returns an open curve without a loop. Its segments are its own. */
function cutOutOfOpen<C extends Curve>(curve: C, { from, ahead, t, u }: Loop): C {
  const { segments } = curve;
  const to = from + ahead;
  const before = partOf(from > 0 ? segments[from - 1] : curve, segments[from], 0, t);
  const after = partOf(to > 0 ? segments[to - 1] : curve, segments[to], u, 1);
  const [head, tail] = [segments.slice(0, from), segments.slice(to + 1)].map((part) => part.map((s) => ({ ...s })));
  // An arc that lost a part is none: its cubics are cubics like others.
  for (const { arc } of [segments[from], segments[to]]) {
    for (const segment of [...head, ...tail]) if (arc && segment.arc === arc) delete segment.arc;
  }
  return { ...curve, segments: [...head, before, after, ...tail] };
}
