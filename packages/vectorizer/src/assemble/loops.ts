import type { BoundaryMap } from '../boundary/boundary.ts';
import type { Drawing, Ring } from '../drawing.ts';
import { hypot } from '../geometry/hypot.ts';
import { AHEAD, findLoop, withoutLoops } from '../geometry/loops.ts';
import type { Curve } from '../geometry/segment.ts';
import { partOf } from '../geometry/segment.ts';
import { appendCurve, dropStubs } from './rings.ts';

/** A chain whose end moves by no more than this, in px, is bent; a longer way is added to it. */
const MOST_MOVE = 1;

/**
 * Returns the curves of a map without small loops. Where two chains meet at a junction, or where a cubic is short, fits
 * may pass each other by a hundredth of a pixel, and a cutter would follow the loop. The outline goes on where it meets
 * itself again, and a junction moves there. Other chains that end at it move along by their last handle, or go on to it
 * along what was cut off, so neighbors share each boundary as before. Linear in segments.
 */
export function cutChainLoops(map: BoundaryMap, curves: readonly Curve[]): Curve[] {
  const rest = curves.map((curve, c) => {
    if (curve.shape) return curve;
    return withoutLoops(curve, map.chains[c].start < 0);
  });
  const endsAt: number[][] = Array.from(map.junctions, () => []);
  map.chains.forEach(({ start, end }, c) => {
    if (start < 0) return;
    endsAt[start].push(2 * c);
    endsAt[end].push(2 * c + 1);
  });
  const stride = map.width + 1;
  endsAt.forEach((ends, junction) => {
    const at = map.junctions[junction];
    const x = at % stride;
    const y = (at - x) / stride;
    if (x === 0 || y === 0 || x === map.width || y === map.height) return; // chains along the border stay on it
    for (let k = 0; k < ends.length; k++) {
      for (let m = k + 1; m < ends.length; m++) {
        if (ends[k] >> 1 !== ends[m] >> 1) uncross(rest, ends[k], ends[m], ends);
      }
    }
  });
  return rest;
}

/** Cuts the loop off where two curves that end at a junction pass each other, and moves the other ends there. */
function uncross(curves: Curve[], first: number, second: number, ends: readonly number[]): void {
  const toward = turn(leave(curves, first));
  const away = leave(curves, second);
  const near = toward.segments.slice(-AHEAD);
  const before = toward.segments.length - near.length;
  const start = before > 0 ? toward.segments[before - 1] : toward;
  const far = away.segments.slice(0, AHEAD);
  const loop = findLoop({ x: start.x, y: start.y, segments: [...near, ...far] }, false);
  if (!loop) return;
  const [from, to] = [loop.from, loop.from + loop.ahead - near.length];
  if (from >= near.length || to < 0) return;
  const begin = from > 0 ? near[from - 1] : start;
  const last = partOf(begin, near[from], 0, loop.t);
  const { x, y } = last;
  const onward = partOf(to > 0 ? far[to - 1] : away, far[to], loop.u, 1);
  arrive(curves, first, turn({ ...toward, segments: [...toward.segments.slice(0, before + from), last] }));
  arrive(curves, second, { x, y, segments: [onward, ...away.segments.slice(to + 1)] });
  const way = turn({
    x: away.x,
    y: away.y,
    segments: [...far.slice(0, to), partOf(to > 0 ? far[to - 1] : away, far[to], 0, loop.u)],
  });
  for (const end of ends) {
    if (end === first || end === second) continue;
    const other = leave(curves, end);
    if (hypot(x - other.x, y - other.y) > MOST_MOVE && !isBack(other, x, y)) {
      arrive(curves, end, { x, y, segments: [...way.segments, ...other.segments] });
      continue;
    }
    const [segment, ...others] = other.segments;
    const [dx, dy] = [x - other.x, y - other.y];
    const next = segment.isLine ? segment : { ...segment, x1: segment.x1 + dx, y1: segment.y1 + dy };
    arrive(curves, end, { x, y, segments: [next, ...others] });
  }
}

/** Returns true when a curve runs toward (x, y) from its start. */
function isBack({ x: x0, y: y0, segments: [first] }: Curve, x: number, y: number): boolean {
  const isShort = hypot(first.x1 - x0, first.y1 - y0) < 1e-6;
  const [dx, dy] = isShort || first.isLine ? [first.x - x0, first.y - y0] : [first.x1 - x0, first.y1 - y0];
  return (x - x0) * dx + (y - y0) * dy > 0;
}

/** Returns a curve as it runs away from one of its ends: 2c is the start of curve c, 2c + 1 its end. */
function leave(curves: readonly Curve[], end: number): Curve {
  return end & 1 ? turn(curves[end >> 1]) : curves[end >> 1];
}

/** Puts a curve back that runs away from an end. */
function arrive(curves: Curve[], end: number, curve: Curve): void {
  curves[end >> 1] = end & 1 ? turn(curve) : curve;
}

/** Returns a curve that runs the other way. */
function turn(curve: Curve): Curve {
  const back: Ring = { x: curve.x, y: curve.y, segments: [] };
  appendCurve(back, curve, true, true);
  return back;
}

/** Returns a drawing without small loops, which hidden sides of stacked shapes may have. Linear in segments. */
export function cutRingLoops(drawing: Drawing): Drawing {
  const restOf = new Map<Ring[], Ring[]>(); // gradients over one another share their rings
  const cut = (rings: Ring[]): Ring[] => {
    const rest = restOf.get(rings) ?? rings.map(cutRing).filter(hasArea);
    restOf.set(rings, rest);
    return rest;
  };
  const layers = drawing.layers.map((layer) => ({
    ...layer,
    paths: layer.paths.map((path) => (path.strokeWidth === undefined ? { ...path, rings: cut(path.rings) } : path)),
  }));
  return { ...drawing, layers };
}

function cutRing(ring: Ring): Ring {
  if (ring.isOpen || ring.shape) return ring;
  const rest = withoutLoops(ring, true);
  if (rest !== ring) dropStubs(rest);
  return rest;
}

/** Returns false for a ring that loops have left nothing of but a line and the way back. */
function hasArea({ segments, isOpen }: Ring): boolean {
  return isOpen || segments.length > 2 || segments.some(({ isLine }) => !isLine);
}
