import { hypot } from '../geometry/hypot.ts';
import type { Curve, Point, Segment } from '../geometry/segment.ts';
import { partOf, pointOf } from '../geometry/segment.ts';

/** What follows a node of an arc: a corner, a smooth joint, or a junction, where it ends. */
export type Joint = 'corner' | 'smooth' | 'junction';

/** Joints that bend by less than this are smooth (sine of the angle). */
const SMOOTH = 0.03;
/** A corner and a smooth node as near as this to where an axis crosses are where it crosses, in px. */
const NEAR_CORNER = 1.2;
const NEAR_NODE = 2.5;

/** Returns the place along a curve nearest to a point: a segment plus a parameter. */
export function placeNear(curve: Curve, x: number, y: number): number {
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

export function nodeOf(curve: Curve, node: number): Point {
  return node === 0 ? curve : curve.segments[node - 1];
}

/** Returns the place of a node where one is near a place on a curve, and else the place. */
export function toNode(curve: Curve, place: number): number {
  const k = Math.min(Math.floor(place), curve.segments.length - 1);
  const [x, y] = pointOf(nodeOf(curve, k), curve.segments[k], place - k);
  const distance = (node: number): number => hypot(nodeOf(curve, node).x - x, nodeOf(curve, node).y - y);
  const nearest = distance(k) < distance(k + 1) ? k : k + 1;
  const { length } = curve.segments;
  const isBend = nearest === 0 || nearest === length || bendAt(curve, nearest - 1, nearest) === 'corner';
  return distance(nearest) < (isBend ? NEAR_CORNER : NEAR_NODE) ? nearest : place;
}

/** A part of a curve, the joints at its nodes, and the whole segments that its ends cut. */
export interface Part {
  curve: Curve;
  joints: Joint[];
  first?: Segment;
  last?: Segment;
}

/** Returns a closed curve from a place on it, once around. */
export function turnTo(curve: Curve, place: number): Part {
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
export function cutAt(part: Part, place: number): Part {
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
export function jointsOf(curve: Curve): Joint[] {
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
