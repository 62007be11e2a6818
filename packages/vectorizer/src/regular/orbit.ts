import { hypot } from '../geometry/hypot.ts';
import type { Isometry } from '../geometry/isometry.ts';
import { compose, IDENTITY, invert, isFlip, mapCurve, mapX, mapY, reverseCurve } from '../geometry/isometry.ts';
import { solve } from '../geometry/linear.ts';
import type { Curve, Segment } from '../geometry/segment.ts';
import { lineTo } from '../geometry/segment.ts';
import { Outline, sampleCurve } from './outline.ts';

/**
 * Chains that the maps of one find lay on one another, as one arc and its images.
 *
 * Maps that keep the first chain cut it into equal parts: a mirroring where its axis crosses the chain, a rotation at
 * any node. The arc is one part, in the coordinates of the first chain, and all chains consist of its images. So they
 * are exactly regular, whatever the points of the arc are.
 */
export interface Orbit {
  members: Member[];
  isClosed: boolean;
  /** The maps that lay the arc on the parts of the first chain, in order along it. */
  turns: Isometry[];
  /** What keeps the chain and turns it round, where the arc starts and where it ends. */
  start: Flip | undefined;
  end: Flip | undefined;
  /** The mirroring whose axis the chains lie on. */
  axis: Isometry | undefined;
}

/** A map that lays an arc on its continuation against its direction, and the point where the two meet. */
interface Flip {
  map: Isometry;
  x: number;
  y: number;
}

interface Member {
  chain: number;
  /** Lays the first chain on this one. */
  map: Isometry;
  /** The image runs against the chain. */
  isBackward: boolean;
}

/** What follows a node of an arc: a corner, a smooth joint, or a junction, where it ends. */
type Joint = 'corner' | 'smooth' | 'junction';

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
type Crossing = 'node' | 'line' | 'cubic';

/** Joints that bend by less than this are smooth (sine of the angle). */
const SMOOTH = 0.03;
/** A node as near as this to where an axis crosses is where it crosses, in px. */
const NEAR_NODE = 1.2;
/** The most parts of a chain that are tried as the arc. */
const MOST_TRIALS = 24;

/** Returns the chain that a map lays a chain on, and whether against its direction. Undefined when there is none. */
type FindImage = (chain: number, map: Isometry) => { chain: number; isBackward: boolean } | undefined;

/**
 * Returns the orbit of a chain under the maps of a find, which begin with the identity. Undefined when the maps do not
 * fit together along the chain.
 */
export function toOrbit(
  first: number,
  maps: readonly Isometry[],
  curve: Curve,
  isClosed: boolean,
  findImage: FindImage,
): Orbit | undefined {
  const members: Member[] = [];
  const counts = new Map<number, number>();
  const own: { map: Isometry; isBackward: boolean }[] = [];
  for (const map of maps) {
    const image = findImage(first, map);
    if (!image) return undefined;
    if (image.chain === first) own.push({ map, isBackward: image.isBackward });
    const count = counts.get(image.chain) ?? 0;
    if (count === 0) members.push({ chain: image.chain, map, isBackward: image.isBackward });
    counts.set(image.chain, count + 1);
  }
  for (const count of counts.values()) if (count !== own.length) return undefined;
  const flips = own.filter(({ isBackward }) => isBackward);
  const turns = own.filter(({ isBackward, map }) => !isBackward && !isFlip(map));
  const axes = own.filter(({ isBackward, map }) => !isBackward && isFlip(map));
  if (axes.length > (isClosed ? 0 : 1)) return undefined;
  const orbit: Orbit = { members, isClosed, turns: [IDENTITY], start: undefined, end: undefined, axis: axes[0]?.map };
  const parts = own.length / (axes.length + 1);
  if (!isClosed) {
    if (turns.length > 1 || parts > 2) return undefined;
    if (parts === 1) return orbit;
    const { map } = flips.find((flip) => isFlip(flip.map)) ?? flips[0];
    orbit.end = isFlip(map) ? findCrossings(curve, map)[0] : { map, ...centerOf(map) };
    orbit.turns.push(map);
    return orbit.end && orbit;
  }
  if (flips.length === 0) {
    const step = findStep(curve, turns);
    for (let k = 1; k < parts; k++) orbit.turns.push(compose(orbit.turns[k - 1], step));
    return orbit;
  }
  if (flips.length !== turns.length || flips.some(({ map }) => !isFlip(map))) return undefined;
  const crossings = flips.flatMap(({ map }) => findCrossings(curve, map));
  if (crossings.length !== 2 * flips.length) return undefined;
  crossings.sort((p, q) => p.place - q.place);
  [orbit.start, orbit.end] = crossings;
  for (let k = 1; k < parts; k++) {
    orbit.turns.push(compose(orbit.turns[k - 1], crossings[k % 2].map));
  }
  return orbit;
}

/** Returns the point that a half turn keeps. */
function centerOf({ dx, dy }: Isometry): { x: number; y: number } {
  return { x: dx / 2, y: dy / 2 };
}

/** Returns the rotation that moves a closed curve along itself by the least. */
function findStep(curve: Curve, turns: readonly { map: Isometry }[]): Isometry {
  let step = IDENTITY;
  let least = Infinity;
  for (const { map } of turns) {
    if (map === IDENTITY) continue;
    const place = placeNear(curve, mapX(map, curve.x, curve.y), mapY(map, curve.x, curve.y));
    const length = lengthTo(curve, place);
    if (length >= least) continue;
    least = length;
    step = map;
  }
  return step;
}

/** Returns about the length of a curve up to a place on it, in px. */
function lengthTo(curve: Curve, place: number): number {
  let length = 0;
  let from: { x: number; y: number } = curve;
  curve.segments.forEach((s, k) => {
    length += Math.max(0, Math.min(1, place - k)) * hypot(s.x - from.x, s.y - from.y);
    from = s;
  });
  return length;
}

/** Returns where a curve crosses the axis of a mirroring, in order along it. */
function findCrossings(curve: Curve, map: Isometry): (Flip & { place: number })[] {
  const side = sideOf(map);
  const crossings: (Flip & { place: number })[] = [];
  const pieces = 16;
  let from: { x: number; y: number } = curve;
  let last = side(from.x, from.y);
  curve.segments.forEach((s, k) => {
    for (let i = 1; i <= pieces; i++) {
      const [px, py] = pointOf(from, s, i / pieces);
      const next = side(px, py);
      if (last < 0 !== next < 0) {
        const t = (i - 1 + last / (last - next)) / pieces;
        const [x, y] = pointOf(from, s, t);
        crossings.push({ map, x, y, place: k + t });
      }
      last = next;
    }
    from = s;
  });
  return crossings;
}

/** Returns the signed distance from the axis of a mirroring, as a function. */
function sideOf(map: Isometry): (x: number, y: number) => number {
  // Half the way of a point to its image is across the axis.
  const direction = 0.5 * Math.atan2(map.c, map.a);
  const [nx, ny] = [-Math.sin(direction), Math.cos(direction)];
  return (x, y) => ((x - mapX(map, x, y)) * nx + (y - mapY(map, x, y)) * ny) / 2;
}

interface Point {
  readonly x: number;
  readonly y: number;
}

function pointOf(from: Point, s: Segment, t: number): [number, number] {
  const u = 1 - t;
  if (s.isLine) return [u * from.x + t * s.x, u * from.y + t * s.y];
  const [a, b, c, d] = [u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t];
  return [a * from.x + b * s.x1 + c * s.x2 + d * s.x, a * from.y + b * s.y1 + c * s.y2 + d * s.y];
}

/** Returns the place along a curve nearest to a point: a segment plus a parameter. */
function placeNear(curve: Curve, x: number, y: number): number {
  let least = Infinity;
  let place = 0;
  let from: Point = curve;
  curve.segments.forEach((s, k) => {
    const pieces = s.isLine ? 1 : 24;
    let [ax, ay] = [from.x, from.y];
    for (let i = 1; i <= pieces; i++) {
      const [bx, by] = pointOf(from, s, i / pieces);
      const square = (bx - ax) ** 2 + (by - ay) ** 2;
      const t = square > 0 ? Math.min(1, Math.max(0, ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / square)) : 0;
      const off = hypot(x - ax - t * (bx - ax), y - ay - t * (by - ay));
      if (off < least) {
        least = off;
        place = k + (i - 1 + t) / pieces;
      }
      [ax, ay] = [bx, by];
    }
    from = s;
  });
  return place;
}

function nodeOf(curve: Curve, node: number): Point {
  return node === 0 ? curve : curve.segments[node - 1];
}

/** Returns the place of a node where one is near a place on a curve, and else the place. */
function toNode(curve: Curve, place: number): number {
  const k = Math.min(Math.floor(place), curve.segments.length - 1);
  const [x, y] = pointOf(nodeOf(curve, k), curve.segments[k], place - k);
  const distance = (node: number): number => hypot(nodeOf(curve, node).x - x, nodeOf(curve, node).y - y);
  const nearest = distance(k) < distance(k + 1) ? k : k + 1;
  return distance(nearest) < NEAR_NODE ? nearest : place;
}

/** Returns the derivative of a cubic. */
function slopeOf(from: Point, s: Segment, t: number): [number, number] {
  const u = 1 - t;
  const at = (a: number, b: number, c: number, d: number): number =>
    3 * (u * u * (b - a) + 2 * u * t * (c - b) + t * t * (d - c));
  return [at(from.x, s.x1, s.x2, s.x), at(from.y, s.y1, s.y2, s.y)];
}

/** Returns the part of a segment between two parameters. */
function partOf(from: Point, s: Segment, t0: number, t1: number): Segment {
  const [x, y] = t1 >= 1 ? [s.x, s.y] : pointOf(from, s, t1);
  if (s.isLine) return lineTo(x, y);
  // The handles of a part are those of the cubic through its ends with the derivatives there, shortened with it.
  const share = (t1 - t0) / 3;
  const start = t0 > 0 ? pointOf(from, s, t0) : [from.x, from.y];
  const [ax, ay] = slopeOf(from, s, t0);
  const [bx, by] = slopeOf(from, s, t1);
  const [x1, y1] = [start[0] + share * ax, start[1] + share * ay];
  const [x2, y2] = [x - share * bx, y - share * by];
  return { isLine: false, x1, y1, x2, y2, x, y };
}

/** A part of a curve, the joints at its nodes, and the whole segments that its ends cut. */
interface Part {
  curve: Curve;
  joints: Joint[];
  first?: Segment;
  last?: Segment;
}

/** Returns a closed curve from a place on it, once around. */
function turnTo(curve: Curve, place: number): Part {
  const { segments } = curve;
  const k = Math.floor(place) % segments.length;
  const t = place - Math.floor(place);
  const order = [...segments.slice(k), ...segments.slice(0, k)];
  const from = nodeOf(curve, k);
  if (t === 0) {
    const part = { x: from.x, y: from.y, segments: order };
    const joints = jointsOf(part);
    joints[0] = joints[order.length] = bendAt(part, order.length - 1, 0);
    return { curve: part, joints };
  }
  const first = order[0];
  const [x, y] = pointOf(from, first, t);
  const part = { x, y, segments: [partOf(from, first, t, 1), ...order.slice(1), partOf(from, first, 0, t)] };
  const joints = jointsOf(part);
  joints[0] = joints[joints.length - 1] = 'smooth';
  return { curve: part, joints, first };
}

/** Returns a part up to a place on its curve. */
function cutAt(part: Part, place: number): Part {
  const { curve, joints, first } = part;
  const k = Math.floor(place);
  const t = place - k;
  const segments = curve.segments.slice(0, k);
  if (t === 0) return { ...part, curve: { ...curve, segments }, joints: joints.slice(0, k + 1) };
  const last = curve.segments[k];
  segments.push(partOf(nodeOf(curve, k), last, 0, t));
  const cutJoints: Joint[] = [...joints.slice(0, k + 1), 'smooth'];
  return { curve: { ...curve, segments }, joints: cutJoints, first, last };
}

/** Returns the joints at the nodes of a curve; those at its ends are junctions. */
function jointsOf(curve: Curve): Joint[] {
  const last = curve.segments.length;
  return Array.from({ length: last + 1 }, (_, k) => (k === 0 || k === last ? 'junction' : bendAt(curve, k - 1, k)));
}

/** Returns the joint from one segment of a curve to another. */
function bendAt(curve: Curve, before: number, after: number): Joint {
  const s = curve.segments[before];
  const next = curve.segments[after];
  const from = nodeOf(curve, before);
  const start = nodeOf(curve, after);
  const [ix, iy] = s.isLine ? [s.x - from.x, s.y - from.y] : [s.x - s.x2, s.y - s.y2];
  const [ox, oy] = next.isLine ? [next.x - start.x, next.y - start.y] : [next.x1 - start.x, next.y1 - start.y];
  const scale = hypot(ix, iy) * hypot(ox, oy);
  return scale > 0 && ix * ox + iy * oy > 0 && Math.abs(ix * oy - iy * ox) < SMOOTH * scale ? 'smooth' : 'corner';
}

/** Returns the arcs that one part of a chain gives: with each place to begin, and each way to cross an axis. */
function toArcs({ isClosed, start, end, turns }: Orbit, whole: Curve): Arc[] {
  if (!end) {
    if (!isClosed) return [toArc({ curve: whole, joints: jointsOf(whole) }, false, false)];
    if (turns.length === 1) return [toArc(turnTo(whole, 0), false, false)];
    // A rotation may cut the curve at any node, and then where the image of that node lies.
    const arcs: Arc[] = [];
    for (let node = 0; node < Math.min(whole.segments.length, MOST_TRIALS); node++) {
      const part = turnTo(whole, node);
      const { x, y } = part.curve;
      const place = toNode(part.curve, placeNear(part.curve, mapX(turns[1], x, y), mapY(turns[1], x, y)));
      if (place === 0 || place >= part.curve.segments.length) continue;
      const cut = cutAt(part, place);
      cut.joints[cut.joints.length - 1] = cut.joints[0];
      arcs.push(toArc(cut, false, false));
    }
    return arcs;
  }
  const open: Part = { curve: whole, joints: jointsOf(whole) };
  const part = start ? turnTo(whole, toNode(whole, placeNear(whole, start.x, start.y))) : open;
  const place = toNode(part.curve, placeNear(part.curve, end.x, end.y));
  if (place === 0 || place >= part.curve.segments.length) return [];
  const cut = cutAt(part, place);
  const { first, last, curve } = cut;
  const isOne = curve.segments.length === 1 && first && last;
  const arcs: Arc[] = [];
  for (const hasHead of [true, false]) {
    for (const hasTail of [true, false]) {
      if ((hasHead && !first) || (hasTail && !last) || (isOne && (hasHead || hasTail))) continue;
      // A line that an axis cuts crosses it as one line.
      if ((!hasHead && first?.isLine) || (!hasTail && last?.isLine)) continue;
      if (curve.segments.length <= Number(hasHead) + Number(hasTail) - 1) continue;
      arcs.push(toArc(cut, hasHead, hasTail));
    }
  }
  return arcs;
}

/** Returns the arc of a part. With a head or a tail, a whole segment crosses the axis there, not the part of one. */
function toArc({ curve, joints, first, last }: Part, hasHead: boolean, hasTail: boolean): Arc {
  const from = hasHead ? 1 : 0;
  const to = curve.segments.length - (hasTail ? 1 : 0);
  const segments = curve.segments.slice(from, to);
  const start = nodeOf(curve, from);
  const points = new Float64Array(6 * segments.length + 6);
  points[0] = start.x;
  points[1] = start.y;
  segments.forEach((s, k) => {
    points.set([s.x1, s.y1, s.x2, s.y2, s.x, s.y], 6 * k + 2);
  });
  const arc: Arc = {
    points,
    isLine: segments.map(({ isLine }) => isLine),
    joints: joints.slice(from, to + 1),
    head: 'node',
    tail: 'node',
  };
  const tail = 6 * segments.length + 2;
  if (hasTail && last) {
    arc.tail = last.isLine ? 'line' : 'cubic';
    points[tail] = last.x1;
    points[tail + 1] = last.y1;
  }
  if (hasHead && first) {
    arc.head = first.isLine ? 'line' : 'cubic';
    points[tail + 2] = first.x2;
    points[tail + 3] = first.y2;
  }
  return arc;
}

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
function assemble(orbit: Orbit, arc: Arc): Curve {
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
function settle(orbit: Orbit, arc: Arc): Arc {
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

/** The farthest that an arc may lie from its chain before refinement, in px: from beyond, it comes no nearer. */
const MOST_DRAFT = 0.8;
/** An arc is near enough within this share of the tolerance, or this many times the distance of the nearest. */
const NEAR_SHARE = 0.25;
const MOST_EXCESS = 1.2;
/** The most arcs of an orbit that the picture decides between. */
export const MOST_ARCS = 3;
/** The most drafts of an orbit that are fitted, the most segments of one, and the rounds of a fit. */
const MOST_FITS = 8;
const MOST_SEGMENTS = 24;
const FIT_ROUNDS = 5;
/** Points along a segment that an arc is fitted at. */
const FIT_POINTS = 16;

/**
 * Returns the arcs that may say all chains of an orbit, the likeliest first: that with the fewest segments of those
 * whose images lie well within `most` px of the first chain, or else about the nearest; then those that cross the axes
 * in other ways. None when every part needs more segments than the chains have now.
 */
export function findArcs(orbit: Orbit, curves: readonly Curve[], most: number): Arc[] {
  const first = orbit.members[0].chain;
  const original = new Outline([first], () => sampleCurve(curves[first]));
  let before = 0;
  for (const { chain } of orbit.members) before += curves[chain].segments.length;
  const drafts: { arc: Arc; count: number; off: number }[] = [];
  let trials = 0;
  for (const member of orbit.members) {
    for (let part = 0; part < orbit.turns.length && trials < MOST_TRIALS; part++, trials++) {
      const map = compose(member.map, orbit.turns[part]);
      const image = mapCurve(invert(map), curves[member.chain]);
      const isBackward = member.isBackward !== (orbit.end !== undefined && part % 2 === 1);
      for (const draft of toArcs(orbit, isBackward ? reverseCurve(image) : image)) {
        const arc = settle(orbit, draft);
        const curve = assemble(orbit, arc);
        const count = curve.segments.length;
        if (count === 0 || count * orbit.members.length > before) continue;
        drafts.push({ arc, count, off: distanceFrom(curve, original) });
      }
    }
  }
  drafts.sort((a, b) => a.off - b.off || a.count - b.count);
  for (const draft of drafts.slice(0, MOST_FITS)) {
    const arc = fitArc(orbit, draft.arc, original);
    const off = distanceFrom(assemble(orbit, arc), original);
    if (off < draft.off) Object.assign(draft, { arc, off });
  }
  const least = drafts.reduce((smallest, { off }) => Math.min(smallest, off), Infinity);
  if (least > MOST_DRAFT) return [];
  // Fewer segments may lie a little farther off.
  const near = drafts.filter(({ off }) => off <= Math.max(NEAR_SHARE * most, MOST_EXCESS * least));
  near.sort((a, b) => a.count - b.count || a.off - b.off);
  const best = [near[0]];
  for (const draft of drafts.sort((a, b) => a.off - b.off)) {
    if (draft.off > MOST_DRAFT || best.length === MOST_ARCS) break;
    const isNew = best.every(({ count, arc: { head, tail } }) => {
      return count !== draft.count || head !== draft.arc.head || tail !== draft.arc.tail;
    });
    if (isNew) best.push(draft);
  }
  return best.map(({ arc }) => arc);
}

/** Moves the points of an arc until it lies on an outline: least squares of the distances across it. */
function fitArc(orbit: Orbit, arc: Arc, outline: Outline): Arc {
  const count = arc.isLine.length;
  if (count > MOST_SEGMENTS) return arc;
  const size = arc.points.length;
  const columns = size + 1;
  let best = arc;
  for (let round = 0; round < FIT_ROUNDS; round++) {
    const { points } = best;
    const rows = new Float64Array(size * columns);
    const slopes = new Float64Array(size);
    for (const { terms, weights } of placesAlong(orbit, best)) {
      let [x, y] = [0, 0];
      terms.forEach(({ point, map }, k) => {
        x += weights[k] * mapX(map, points[2 * point], points[2 * point + 1]);
        y += weights[k] * mapY(map, points[2 * point], points[2 * point + 1]);
      });
      const near = outline.nearest(x, y);
      if (near < 0) continue;
      const [nx, ny] = [-outline.uy[near], outline.ux[near]];
      const off = (x - outline.x[near]) * nx + (y - outline.y[near]) * ny;
      slopes.fill(0);
      terms.forEach(({ point, map }, k) => {
        slopes[2 * point] += weights[k] * (map.a * nx + map.c * ny);
        slopes[2 * point + 1] += weights[k] * (map.b * nx + map.d * ny);
      });
      for (let i = 0; i < size; i++) {
        if (slopes[i] === 0) continue;
        for (let j = 0; j < size; j++) rows[i * columns + j] += slopes[i] * slopes[j];
        rows[i * columns + size] -= slopes[i] * off;
      }
    }
    // What the distances do not determine, such as moves along the curve, stays.
    for (let i = 0; i < size; i++) rows[i * columns + i] += 0.02;
    if (!solve(rows, size, 1)) return best;
    best = settle(orbit, { ...best, points: points.map((value, i) => value + rows[i * columns + size]) });
  }
  return best;
}

/** A place along an arc: the weighted sum of images of its points. */
interface PlaceAlong {
  terms: { point: number; map: Isometry }[];
  weights: number[];
}

/** Returns places along all segments of an arc, and along the halves of those that cross an axis. */
function placesAlong({ start, end }: Orbit, { isLine, head, tail }: Arc): PlaceAlong[] {
  const places: PlaceAlong[] = [];
  const last = 3 * isLine.length;
  const add = (isStraight: boolean, terms: PlaceAlong['terms'], share: number): void => {
    for (let i = 0; i < FIT_POINTS; i++) {
      const t = (share * (i + 0.5)) / FIT_POINTS;
      const u = 1 - t;
      if (isStraight) places.push({ terms: [terms[0], terms[3]], weights: [u, t] });
      else places.push({ terms, weights: [u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t] });
    }
  };
  const own = (point: number) => ({ point, map: IDENTITY });
  isLine.forEach((isStraight, k) => {
    add(isStraight, [own(3 * k), own(3 * k + 1), own(3 * k + 2), own(3 * k + 3)], 1);
  });
  const cross = (crossing: Crossing, node: number, handle: number, flip: Flip | undefined): void => {
    if (crossing === 'node' || !flip) return;
    const { map } = flip;
    add(crossing === 'line', [own(node), own(handle), { point: handle, map }, { point: node, map }], 0.5);
  };
  cross(tail, last, last + 1, end);
  cross(head, 0, last + 2, start);
  return places;
}

/** Returns the largest distance of a curve from an outline, in px; infinite beyond the reach of the outline. */
export function distanceFrom(curve: Curve, outline: Outline): number {
  const { x, y } = sampleCurve(curve);
  let most = 0;
  for (let k = 0; k < x.length; k++) {
    const near = outline.nearest(x[k], y[k]);
    if (near < 0) return Infinity;
    most = Math.max(most, outline.distance(near, x[k], y[k]));
  }
  return most;
}
