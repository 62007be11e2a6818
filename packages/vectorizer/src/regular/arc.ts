import { hypot } from '../geometry/hypot.ts';
import type { Isometry } from '../geometry/isometry.ts';
import { IDENTITY, invert, isFlip, mapCurve, mapX, mapY, reverseCurve } from '../geometry/isometry.ts';
import type { Curve, Segment } from '../geometry/segment.ts';
import { lineTo } from '../geometry/segment.ts';
import type { Flip, Orbit } from './orbit.ts';
import type { Joint } from './parts.ts';

/**
 * One part of a chain. `points` has the first node and three points for each segment: its handles, which are its end on
 * a line, and its end. Two more are the handles of the segments that cross an axis half way, beyond the end and before
 * the start.
 */
export interface Arc {
  points: Float64Array;
  /** By segment. */
  isLine: boolean[];
  /** By node. */
  joints: Joint[];
  head: Crossing;
  tail: Crossing;
}

/** How an arc crosses an axis: at a node, or with half a segment. */
export type Crossing = 'node' | 'line' | 'cubic';

/** A point of an arc on one part of a chain: the part, and the index of the point. */
interface Ref {
  part: number;
  point: number;
}

interface SegmentRefs {
  isLine: boolean;
  first: Ref;
  second: Ref;
  end: Ref;
}

/** Returns where the points of the arc are along the first chain: its first node, and its segments. */
function layOut(orbit: Orbit, arc: Arc): SegmentRefs[] {
  const { turns, end, isClosed } = orbit;
  const count = arc.isLine.length;
  const lastNode = 3 * count;
  const [tail, head] = [lastNode + 1, lastNode + 2];
  const refs: SegmentRefs[] = [];
  turns.forEach((_, part) => {
    const isForward = !end || part % 2 === 0;
    for (let i = 0; i < count; i++) {
      const k = isForward ? i : count - 1 - i;
      const isLine = arc.isLine[k];
      const to: Ref = { part, point: isForward ? 3 * k + 3 : 3 * k };
      const [p, q] = isForward ? [3 * k + 1, 3 * k + 2] : [3 * k + 2, 3 * k + 1];
      refs.push({ isLine, first: isLine ? to : { part, point: p }, second: isLine ? to : { part, point: q }, end: to });
    }
    const next = part + 1 < turns.length ? part + 1 : isClosed ? 0 : -1;
    if (next < 0) return;
    const crossing = isForward ? arc.tail : arc.head;
    if (!end || crossing === 'node') {
      // The parts share a node.
      if ((!end || next === 0) && refs.length > 0) refs[refs.length - 1].end = { part: next, point: 0 };
      return;
    }
    const handle = isForward ? tail : head;
    const to: Ref = { part: next, point: isForward ? lastNode : 0 };
    const isLine = crossing === 'line';
    refs.push({
      isLine,
      first: isLine ? to : { part, point: handle },
      second: isLine ? to : { part: next, point: handle },
      end: to,
    });
  });
  for (const ref of refs) if (ref.isLine) ref.first = ref.second = ref.end;
  return refs;
}

/** Returns the first chain of an orbit as images of its arc. */
export function assemble(orbit: Orbit, arc: Arc): Curve {
  const at = ({ part, point }: Ref): [number, number] => {
    const [x, y] = [arc.points[2 * point], arc.points[2 * point + 1]];
    return [mapX(orbit.turns[part], x, y), mapY(orbit.turns[part], x, y)];
  };
  const segments = layOut(orbit, arc).map(({ isLine, first, second, end }): Segment => {
    const [x, y] = at(end);
    if (isLine) return lineTo(x, y);
    const [x1, y1] = at(first);
    const [x2, y2] = at(second);
    return { isLine, x1, y1, x2, y2, x, y };
  });
  const [x, y] = at({ part: 0, point: 0 });
  return { x, y, segments };
}

/** Returns the curve of each member, as images of the arc. */
export function toCurves(orbit: Orbit, arc: Arc): Curve[] {
  const curve = assemble(orbit, arc);
  return orbit.members.map(({ map, isBackward }) => {
    const image = mapCurve(map, curve);
    return isBackward ? reverseCurve(image) : image;
  });
}

/** Returns the arc whose points are the means of those of the curves of all members, which are laid out like it. */
export function toMean(orbit: Orbit, arc: Arc, curves: readonly Curve[]): Arc {
  const refs = layOut(orbit, arc);
  const sums = new Float64Array(arc.points.length);
  const counts = new Float64Array(arc.points.length >> 1);
  orbit.members.forEach(({ map, isBackward }, m) => {
    const { x, y, segments } = mapCurve(invert(map), isBackward ? reverseCurve(curves[m]) : curves[m]);
    const add = ({ part, point }: Ref, px: number, py: number): void => {
      const back = invert(orbit.turns[part]);
      sums[2 * point] += mapX(back, px, py);
      sums[2 * point + 1] += mapY(back, px, py);
      counts[point]++;
    };
    add({ part: 0, point: 0 }, x, y);
    refs.forEach(({ isLine, first, second, end }, k) => {
      const s = segments[k];
      if (!isLine) {
        add(first, s.x1, s.y1);
        add(second, s.x2, s.y2);
      }
      // The first node of a closed chain is the end of its last segment.
      if (!(orbit.isClosed && k === refs.length - 1)) add(end, s.x, s.y);
    });
  });
  const points = sums.map((sum, i) => (counts[i >> 1] > 0 ? sum / counts[i >> 1] : arc.points[i]));
  return settle(orbit, { ...arc, points });
}

/** Moves the ends of an arc onto their axes, and makes its smooth joints exact again. */
export function settle(orbit: Orbit, arc: Arc): Arc {
  const points = arc.points.slice();
  const count = arc.isLine.length;
  const { axis, start, end, turns } = orbit;
  const last = 3 * count;
  const project = (point: number, map: Isometry): void => {
    const [x, y] = [points[2 * point], points[2 * point + 1]];
    points[2 * point] = (x + mapX(map, x, y)) / 2;
    points[2 * point + 1] = (y + mapY(map, x, y)) / 2;
  };
  if (axis) for (let point = 0; point < points.length >> 1; point++) project(point, axis);
  if (start && arc.head === 'node') project(0, start.map);
  if (end && arc.tail === 'node') project(last, end.map);
  if (orbit.isClosed && !end) {
    const step = turns[1] ?? IDENTITY;
    const [x, y] = [points[0], points[1]];
    points[2 * last] = mapX(step, x, y);
    points[2 * last + 1] = mapY(step, x, y);
  }
  straighten(orbit, { ...arc, points });
  return { ...arc, points };
}

/** Turns the handles at the smooth joints of an arc until they are in line, in place. */
function straighten(orbit: Orbit, { points, isLine, joints, head, tail }: Arc): void {
  const count = isLine.length;
  const last = 3 * count;
  /** Returns the way from a node to another point. */
  const way = (node: number, point: number): [number, number] => [
    points[2 * point] - points[2 * node],
    points[2 * point + 1] - points[2 * node + 1],
  ];
  const put = (node: number, point: number, x: number, y: number): void => {
    points[2 * point] = points[2 * node] + x;
    points[2 * point + 1] = points[2 * node + 1] + y;
  };
  /** The point that a segment leaves or reaches a node by: a handle, or the far end of a line. */
  const before = (k: number): number => (isLine[k] ? 3 * k : 3 * k + 2);
  const after = (k: number): number => (isLine[k] ? 3 * k + 3 : 3 * k + 1);
  const align = (node: number, p: number, isFixedP: boolean, q: number, isFixedQ: boolean): void => {
    const [px, py] = way(node, p);
    const [qx, qy] = way(node, q);
    const [pl, ql] = [hypot(px, py), hypot(qx, qy)];
    if (pl === 0 || ql === 0 || (isFixedP && isFixedQ)) return;
    let dx = isFixedP ? px / pl : isFixedQ ? -qx / ql : px / pl - qx / ql;
    let dy = isFixedP ? py / pl : isFixedQ ? -qy / ql : py / pl - qy / ql;
    const size = hypot(dx, dy);
    if (size === 0) return;
    dx /= size;
    dy /= size;
    if (!isFixedP) put(node, p, dx * pl, dy * pl);
    if (!isFixedQ) put(node, q, -dx * ql, -dy * ql);
  };
  for (let k = 1; k < count; k++) {
    if (joints[k] === 'smooth') align(3 * k, before(k - 1), isLine[k - 1], after(k), isLine[k]);
  }
  if (count > 0 && tail === 'cubic' && joints[count] === 'smooth') {
    align(last, before(count - 1), isLine[count - 1], last + 1, false);
  }
  if (count > 0 && head === 'cubic' && joints[0] === 'smooth') align(0, last + 2, false, after(0), isLine[0]);
  // A smooth curve crosses an axis at a right angle.
  const cross = (node: number, handle: number, { map }: Flip): void => {
    if (!isFlip(map)) return;
    const [x, y] = way(node, handle);
    const size = hypot(x, y);
    const [ax, ay] = [(x - map.a * x - map.b * y) / 2, (y - map.c * x - map.d * y) / 2];
    const across = hypot(ax, ay);
    if (across > 0) put(node, handle, (ax * size) / across, (ay * size) / across);
  };
  const { start, end, turns, isClosed } = orbit;
  if (count === 0) return;
  if (start && head === 'node' && joints[0] === 'smooth' && !isLine[0]) cross(0, 1, start);
  if (end && tail === 'node' && joints[count] === 'smooth' && !isLine[count - 1]) cross(last, last - 1, end);
  if (isClosed && !end && joints[0] === 'smooth') {
    // The end of the arc is the image of its start, where the handle before it is straightened.
    const step = turns[1] ?? IDENTITY;
    const back = invert(step);
    const from = before(count - 1);
    const [x, y] = [points[2 * from], points[2 * from + 1]];
    points[2 * from] = mapX(back, x, y);
    points[2 * from + 1] = mapY(back, x, y);
    align(0, from, isLine[count - 1], after(0), isLine[0]);
    const [px, py] = [points[2 * from], points[2 * from + 1]];
    points[2 * from] = mapX(step, px, py);
    points[2 * from + 1] = mapY(step, px, py);
  }
}
