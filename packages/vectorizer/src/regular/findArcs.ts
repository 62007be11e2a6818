import type { Isometry } from '../geometry/isometry.ts';
import { compose, IDENTITY, invert, mapCurve, mapX, mapY, reverseCurve } from '../geometry/isometry.ts';
import { solve } from '../geometry/linear.ts';
import type { Curve } from '../geometry/segment.ts';
import type { Arc, Crossing } from './arc.ts';
import { assemble, settle } from './arc.ts';
import type { Flip, Orbit } from './orbit.ts';
import { Outline, sampleCurve } from './outline.ts';
import type { Part } from './parts.ts';
import { cutAt, jointsOf, nodeOf, placeNear, toNode, turnTo } from './parts.ts';

/** The most parts of a chain that are tried as the arc. */
const MOST_TRIALS = 24;
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
