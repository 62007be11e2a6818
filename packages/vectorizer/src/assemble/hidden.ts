import type { BoundaryMap } from '../boundary/boundary.ts';
import type { Ring } from '../drawing.ts';
import { hypot } from '../geometry/hypot.ts';
import type { Curve, Segment } from '../geometry/segment.ts';
import { appendCurve, leftOf, toRing } from './rings.ts';

/**
 * Draws the sides of a shape that others, painted later, hide. There the outline need not follow the boundary between
 * the two: it may run anywhere under the other shape, so one curve takes the place of many, and no seam shows along
 * the boundary. Best is the curve that continues the visible outline on both sides, as of a disk that is partly hidden.
 */

/** Handles of trial curves that continue the visible outline, as shares of the chord. */
const HANDLES = [0.4, 0.12];
/** Bulges of trial curves, as shares of the chord. */
const BULGES = [0.3, 0.12, 0.04];
/** The distance, in px, by which a side goes under when no simpler curve stays hidden. */
const UNDER = 0.6;
/** The same beside ends that stay, from the steepest on. */
const DIVES = [8, 4, 2, 1];
/** No pixel tells whether a point is hidden that lies less than this under, in px. */
const SURE_DEPTH = 0.9;
/** A corner moves by at most this, in px, so that both of its sides go under. */
const LONGEST_TIP = 6;
/** Curves are extended by at most this share. */
const MOST_EXTENSION = 0.4;
/** Handles that turn by less than this, as a sine, follow one line. */
const LEAST_TURN = 0.05;
/** Samples of a trial curve are at most this far apart, in px. */
const SAMPLE_STEP = 0.5;
const MOST_SAMPLES = 400;
/** The area under a trial curve is sampled in rows this far apart, in px, of samples as far apart. */
const ROW_STEP = 2;
const MOST_ROWS = 64;
/** Chords that approximate one cubic. */
const CHORDS = 8;
/** A trial curve must run this far under, in px and as a share of the chord, or a seam would show. */
const LEAST_DEPTH = 0.4;
const LEAST_DEPTH_SHARE = 0.1;
/** Near the ends, where three regions meet, pixels do not tell whether a curve is hidden, in px. */
const NEAR_END = 1.3;

/** Returns true when the point (x, y), in px, lies under a shape painted later. */
type CoverTest = (x: number, y: number) => boolean;

interface Vector {
  x: number;
  y: number;
}

/** An outline, and its segments that end where two chains meet. */
interface StackedRing {
  ring: Ring;
  joints: Set<Segment>;
}

/** A loop of half-edges with its region on the left, and what lies above that region. */
interface StackedLoop {
  map: BoundaryMap;
  curves: Curve[];
  loop: number[];
  isAbove(region: number): boolean;
  isCovered: CoverTest;
  /** Receives the regions that hide some of the outline. */
  hiding: Set<number>;
}

/** Returns the outline along a loop, with the sides that shapes painted later hide drawn as `hideSide` does. */
export function drawStackedRing({ map, loop, curves, isAbove, isCovered, hiding }: StackedLoop): StackedRing {
  const across = (halfEdge: number): number => leftOf(map, halfEdge ^ 1);
  const isHidden = loop.map((halfEdge) => isAbove(across(halfEdge)));
  const count = loop.length;
  if (count === 1 && !isHidden[0]) return { ring: toRing(loop, curves), joints: new Set() };
  const joints = new Set<Segment>();
  const first = Math.max(
    0,
    isHidden.findIndex((own, k) => own !== isHidden[(k + count - 1) % count]),
  );
  const runs: { isHidden: boolean; side: Ring }[] = [];
  for (let k = 0; k < count; k++) {
    const at = (first + k) % count;
    const halfEdge = loop[at];
    const isNew = k === 0 || isHidden[at] !== runs[runs.length - 1].isHidden || !isHidden.includes(false);
    if (isNew) runs.push({ isHidden: isHidden[at], side: { x: 0, y: 0, segments: [] } });
    const { segments } = runs[runs.length - 1].side;
    appendCurve(runs[runs.length - 1].side, curves[halfEdge >> 1], (halfEdge & 1) === 1, isNew);
    if (segments.length > 0) joints.add(segments[segments.length - 1]);
    if (isHidden[at]) hiding.add(across(halfEdge));
  }
  const ring: Ring = { x: runs[0].side.x, y: runs[0].side.y, segments: [] };
  runs.forEach(({ isHidden: isBelow, side }, k) => {
    if (side.segments.length === 0) return;
    const before = runs[(k + runs.length - 1) % runs.length];
    const after = runs[(k + 1) % runs.length];
    const arrival = before.isHidden || before.side.segments.length === 0 ? undefined : tangentAtEnd(before.side);
    const departure = after.isHidden || after.side.segments.length === 0 ? undefined : tangentAtStart(after.side);
    const segments = isBelow ? hideSide(side, isCovered, arrival, departure) : side.segments;
    for (const segment of segments) ring.segments.push(segment);
    joints.add(segments[segments.length - 1]);
  });
  return { ring, joints };
}

/**
 * Returns the segments of a hidden side: from (side.x, side.y) to the end of its last segment, with the shape on the
 * left. `arrival` and `departure` are the unit tangents of the visible outline before and after it, when there are.
 */
function hideSide(side: Ring, isCovered: CoverTest, arrival?: Vector, departure?: Vector): Segment[] {
  const { segments } = side;
  const last = segments[segments.length - 1];
  const chordX = last.x - side.x;
  const chordY = last.y - side.y;
  const chord = hypot(chordX, chordY);
  if (chord < 1e-6) return goUnder(side, isCovered);
  const leaving = tangentAtStart(side);
  const arriving = tangentAtEnd(side);
  const sideLine = flatten(side);
  const tries = (handles: number[]): Segment | undefined => {
    const [x1, y1, x2, y2] = handles;
    // Both ends must turn to the right of the side, where the other shape is.
    const [ax, ay, bx, by] = [x1 - side.x, y1 - side.y, last.x - x2, last.y - y2];
    const startsRight = leaving.x * ay - leaving.y * ax >= -LEAST_TURN * hypot(ax, ay);
    const endsRight = arriving.x * by - arriving.y * bx <= LEAST_TURN * hypot(bx, by);
    if (!startsRight || !endsRight) return undefined;
    const segment: Segment = { isLine: false, x1, y1, x2, y2, x: last.x, y: last.y };
    const depth = Math.min(LEAST_DEPTH, LEAST_DEPTH_SHARE * chord);
    const isDeep = [0.2, 0.5, 0.8].every((v) => distanceTo(sideLine, pointAt(side, segment, v)) >= depth);
    const isHidden = isDeep && staysHidden(side, segment, chord, isCovered);
    return isHidden && hidesArea(sideLine, side, segment, isCovered) ? segment : undefined;
  };
  const px = -chordY;
  const py = chordX;
  const bulges = [...BULGES, 2 / chord, 1 / chord].map((bulge) => [
    side.x + chordX / 3 + px * bulge,
    side.y + chordY / 3 + py * bulge,
    last.x - chordX / 3 + px * bulge,
    last.y - chordY / 3 + py * bulge,
  ]);
  for (const handles of [...continueSide(side, last, bulges, arrival, departure), ...bulges]) {
    const curve = tries(handles);
    if (curve) return [curve];
  }
  return goUnder(side, isCovered);
}

/**
 * Returns the handles of curves that continue the visible outline: on both sides, else on one, with the handles of
 * `bulges` on the other. `from` and `to` are as for `hideSide`.
 */
function continueSide(start: Vector, end: Vector, bulges: number[][], from?: Vector, to?: Vector): number[][] {
  const chord = hypot(end.x - start.x, end.y - start.y);
  const lengths = HANDLES.map((share) => share * chord);
  const leave = from ? lengths.map((far) => [start.x + from.x * far, start.y + from.y * far]) : [];
  const arrive = to ? lengths.map((far) => [end.x - to.x * far, end.y - to.y * far]) : [];
  const natural = from && to && continueBoth(start, end, from, to, chord);
  const list = natural ? [natural] : [];
  for (const first of leave) for (const second of arrive) list.push([...first, ...second]);
  for (const [x1, y1, x2, y2] of bulges) {
    for (const first of leave) list.push([...first, x2, y2]);
    for (const second of arrive) list.push([x1, y1, ...second]);
  }
  return list;
}

/** Returns the handles of the curve that continues two tangents like an arc; undefined when it would turn too far. */
function continueBoth(start: Vector, end: Vector, from: Vector, to: Vector, chord: number): number[] | undefined {
  const ux = (end.x - start.x) / chord;
  const uy = (end.y - start.y) / chord;
  const first = Math.atan2(from.x * uy - from.y * ux, from.x * ux + from.y * uy);
  const second = Math.atan2(ux * to.y - uy * to.x, ux * to.x + uy * to.y);
  if (Math.abs(first) > 2.4 || Math.abs(second) > 2.4) return undefined;
  const handle = chord / (3 * Math.cos((Math.abs(first) + Math.abs(second)) / 4) ** 2);
  return [start.x + from.x * handle, start.y + from.y * handle, end.x - to.x * handle, end.y - to.y * handle];
}

function staysHidden(start: Vector, segment: Segment, chord: number, isCovered: CoverTest): boolean {
  const { x1, y1, x2, y2, x, y } = segment;
  const length = hypot(x1 - start.x, y1 - start.y) + hypot(x2 - x1, y2 - y1) + hypot(x - x2, y - y2);
  const count = Math.min(MOST_SAMPLES, Math.max(4, Math.ceil(length / SAMPLE_STEP)));
  const near = Math.min(NEAR_END, chord / 4);
  for (let k = 1; k < count; k++) {
    const v = k / count;
    const { x: qx, y: qy } = pointAt(start, segment, v);
    const isNear = hypot(qx - start.x, qy - start.y) < near || hypot(qx - x, qy - y) < near;
    if (!isNear && !isCovered(qx, qy)) return false;
  }
  return true;
}

/**
 * Returns true when the shapes above hide the whole area between a side and the curve that replaces it. Otherwise the
 * shape would cover what shows through a hole in them.
 */
function hidesArea(line: readonly Vector[], start: Vector, segment: Segment, isCovered: CoverTest): boolean {
  const lengths = [0];
  for (let k = 1; k < line.length; k++) {
    lengths.push(lengths[k - 1] + hypot(line[k].x - line[k - 1].x, line[k].y - line[k - 1].y));
  }
  const length = lengths[lengths.length - 1];
  const rows = Math.min(MOST_ROWS, Math.max(4, Math.ceil(length / ROW_STEP)));
  for (let row = 1, k = 1; row < rows; row++) {
    const v = row / rows;
    while (lengths[k] < v * length) k++;
    const part = (v * length - lengths[k - 1]) / (lengths[k] - lengths[k - 1]);
    const [a, b] = [line[k - 1], line[k]];
    const from = { x: a.x + part * (b.x - a.x), y: a.y + part * (b.y - a.y) };
    const to = pointAt(start, segment, v);
    const steps = Math.min(MOST_ROWS, Math.ceil(hypot(to.x - from.x, to.y - from.y) / ROW_STEP));
    for (let step = 1; step < steps; step++) {
      const u = step / steps;
      const point = { x: from.x + u * (to.x - from.x), y: from.y + u * (to.y - from.y) };
      if (!isCovered(point.x, point.y) && distanceTo(line, point) > NEAR_END) return false;
    }
  }
  return true;
}

function pointAt(start: Vector, { isLine, x1, y1, x2, y2, x, y }: Segment, v: number): Vector {
  const u = 1 - v;
  if (isLine) return { x: u * start.x + v * x, y: u * start.y + v * y };
  return {
    x: u * u * u * start.x + 3 * u * u * v * x1 + 3 * u * v * v * x2 + v * v * v * x,
    y: u * u * u * start.y + 3 * u * u * v * y1 + 3 * u * v * v * y2 + v * v * v * y,
  };
}

function flatten(side: Ring): Vector[] {
  const points: Vector[] = [{ x: side.x, y: side.y }];
  for (const segment of side.segments) {
    const start = points[points.length - 1];
    const pieces = segment.isLine ? 1 : CHORDS;
    for (let k = 1; k <= pieces; k++) points.push(pointAt(start, segment, k / pieces));
  }
  return points;
}

/** Returns the distance of a point from a polyline, in px. */
function distanceTo(line: readonly Vector[], { x, y }: Vector): number {
  let least = Infinity;
  for (let k = 0; k + 1 < line.length; k++) {
    const { x: ax, y: ay } = line[k];
    const dx = line[k + 1].x - ax;
    const dy = line[k + 1].y - ay;
    const square = dx * dx + dy * dy;
    const along = square > 0 ? Math.max(0, Math.min(1, ((x - ax) * dx + (y - ay) * dy) / square)) : 0;
    least = Math.min(least, hypot(ax + along * dx - x, ay + along * dy - y));
  }
  return least;
}

/**
 * Moves a side to its right, except for its ends. A line becomes a curve where it is the first or the last. Beside an
 * end that stays, a curve dives as steeply as the shapes above hide it: the picture shows through both edges where one
 * is not deep under the other.
 */
function goUnder(side: Ring, isCovered: CoverTest): Segment[] {
  const { segments } = side;
  const last = segments.length - 1;
  const isClosed = hypot(segments[last].x - side.x, segments[last].y - side.y) < 1e-6;
  let from: Vector = side;
  let shift: Vector = { x: 0, y: 0 };
  const out: Segment[] = [];
  for (let k = 0; k <= last; k++) {
    const segment = segments[k];
    const { x, y } = segment;
    const [ax, ay, bx, by] = handlesOf(from, segment);
    const before = rightOf(from.x, from.y, ax, ay);
    const after = rightOf(bx, by, x, y);
    const isStartFixed = k === 0 && !isClosed;
    const isEndFixed = k === last && !isClosed;
    let next: Vector = { x: 0, y: 0 };
    if (k < last) {
      const [nextX, nextY] = handlesOf(segment, segments[k + 1]);
      next = moveCorner(segment, after, rightOf(x, y, nextX, nextY), isCovered);
    }
    const start = { x: from.x + shift.x, y: from.y + shift.y };
    const end = { x: x + next.x, y: y + next.y };
    if (segment.isLine && k > 0 && k < last) {
      out.push({ isLine: true, x1: end.x, y1: end.y, x2: end.x, y2: end.y, ...end });
    } else {
      // Along the side, the ends move on the curve itself, or it would bend out from under.
      const head = share(shift.x * before.y - shift.y * before.x, hypot(ax - from.x, ay - from.y));
      const tail = share(next.x * after.y - next.y * after.x, hypot(x - bx, y - by));
      const [first, second, third, fourth] = cut([from, { x: ax, y: ay }, { x: bx, y: by }, segment], head, 1 + tail);
      const middle = rightOf(second.x, second.y, third.x, third.y);
      const draw = (dive: number): Segment => {
        const leave = isStartFixed ? times(before, dive) : { x: start.x - first.x, y: start.y - first.y };
        const arrive = isEndFixed ? times(after, dive) : { x: end.x - fourth.x, y: end.y - fourth.y };
        const depth = isStartFixed || isEndFixed ? dive : UNDER;
        const onward = reachDepth(leave, before, middle, depth, hypot(second.x - first.x, second.y - first.y));
        const back = reachDepth(arrive, after, middle, depth, hypot(fourth.x - third.x, fourth.y - third.y));
        const [x1, y1, x2, y2] = [second.x + onward.x, second.y + onward.y, third.x + back.x, third.y + back.y];
        return { isLine: false, x1, y1, x2, y2, ...end };
      };
      const chord = hypot(end.x - start.x, end.y - start.y);
      const line = flatten({ x: from.x, y: from.y, segments: [segment] });
      const isHidden: CoverTest = (px, py) => isCovered(px, py) || distanceTo(line, { x: px, y: py }) < SURE_DEPTH;
      const dives = isStartFixed || isEndFixed ? DIVES.filter((dive) => dive < chord) : [];
      const deep = dives.map(draw).find((curve) => staysHidden(start, curve, chord, isHidden));
      out.push(deep ?? draw(UNDER));
    }
    from = segment;
    shift = next;
  }
  return out;
}

/**
 * Returns the move of a handle, changed along its own direction so that it also lies `depth` px to the right of the
 * line between the handles, as an offset control polygon does (Tiller and Hanson 1984). `own` and `middle` are the
 * unit vectors to the right of the handle and of that line, and `length` is the length of the handle in px.
 */
function reachDepth(move: Vector, own: Vector, middle: Vector, depth: number, length: number): Vector {
  const turn = own.y * middle.x - own.x * middle.y;
  if (Math.abs(turn) < LEAST_TURN) return move;
  const along = (depth - move.x * middle.x - move.y * middle.y) / turn;
  const most = Math.min(2 * UNDER, length / 2);
  const far = Math.max(-most, Math.min(most, along));
  return { x: move.x + far * own.y, y: move.y - far * own.x };
}

const times = ({ x, y }: Vector, factor: number): Vector => ({ x: x * factor, y: y * factor });

/** Returns the parameter of a cubic a distance from its end whose handle has this length. */
function share(distance: number, handle: number): number {
  return handle > 1e-6 ? Math.max(-MOST_EXTENSION, Math.min(MOST_EXTENSION, distance / (3 * handle))) : 0;
}

/** Returns the points of the part of a cubic from parameter `from` to `to`, which may lie beyond its ends. */
function cut(points: readonly Vector[], from: number, to: number): Vector[] {
  if (from === 0 && to === 1) return points.slice();
  // By the polar form of the cubic (Ramshaw 1989): point k is the value at k times `to` and 3 - k times `from`.
  return [0, 1, 2, 3].map((k) => {
    let row = points.slice();
    for (let step = 0; step < 3; step++) {
      const v = step < k ? to : from;
      row = row.slice(1).map((q, i) => ({ x: row[i].x + v * (q.x - row[i].x), y: row[i].y + v * (q.y - row[i].y) }));
    }
    return row[0];
  });
}

/**
 * Returns how far the corner at (x, y) moves when both of its sides move under. `before` and `after` are the unit
 * vectors to the right of its sides. A tip moves as far as the shapes above hide it.
 */
function moveCorner({ x, y }: Vector, before: Vector, after: Vector, isCovered: CoverTest): Vector {
  const sumX = before.x + after.x;
  const sumY = before.y + after.y;
  const size = hypot(sumX, sumY);
  if (size < 1e-6) return { x: 0, y: 0 };
  const [ux, uy] = [sumX / size, sumY / size];
  const miter = (2 * UNDER) / size;
  const isHidden = (far: number): boolean =>
    [-UNDER, 0, UNDER].every((off) => isCovered(x + far * ux - off * uy, y + far * uy + off * ux));
  let far = Math.min(miter, 2 * UNDER);
  while (far < Math.min(miter, LONGEST_TIP) && isHidden(far + SAMPLE_STEP)) far += SAMPLE_STEP;
  return { x: ux * Math.min(far, miter), y: uy * Math.min(far, miter) };
}

/** Returns the handles of a segment; those of a line are at its thirds. */
function handlesOf(from: Vector, { isLine, x1, y1, x2, y2, x, y }: Segment): [number, number, number, number] {
  if (!isLine) return [x1, y1, x2, y2];
  const [dx, dy] = [(x - from.x) / 3, (y - from.y) / 3];
  return [from.x + dx, from.y + dy, x - dx, y - dy];
}

/** Returns the unit vector to the right of the way from (x0, y0) to (x, y), clockwise on the screen. */
function rightOf(x0: number, y0: number, x: number, y: number): Vector {
  const length = hypot(x - x0, y - y0) || 1;
  return { x: (y0 - y) / length, y: (x - x0) / length };
}

/** Returns the unit tangent at the start of a ring. */
function tangentAtStart({ x, y, segments }: Ring): Vector {
  const [first] = segments;
  const isFlat = first.isLine || hypot(first.x1 - x, first.y1 - y) < 1e-6;
  return towards(x, y, isFlat ? first.x : first.x1, isFlat ? first.y : first.y1);
}

/** Returns the unit tangent at the end of a ring's last segment. */
function tangentAtEnd({ x, y, segments }: Ring): Vector {
  const last = segments[segments.length - 1];
  const before = segments.length > 1 ? segments[segments.length - 2] : { x, y };
  const isFlat = last.isLine || hypot(last.x - last.x2, last.y - last.y2) < 1e-6;
  return towards(isFlat ? before.x : last.x2, isFlat ? before.y : last.y2, last.x, last.y);
}

function towards(x0: number, y0: number, x: number, y: number): Vector {
  const length = hypot(x - x0, y - y0) || 1;
  return { x: (x - x0) / length, y: (y - y0) / length };
}
