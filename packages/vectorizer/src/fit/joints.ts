import type { BoundaryMap } from '../boundary/boundary.ts';
import { OUTSIDE } from '../boundary/boundary.ts';
import type { Cubic, Point } from '../geometry/cubic.ts';
import {
  directionOf,
  distance,
  lengthOf,
  lineCubic,
  mix,
  pointAt,
  reverse,
  split,
  turnBetween,
} from '../geometry/cubic.ts';
import type { Curve, Segment } from '../geometry/segment.ts';
import { findCrossings } from './check.ts';
import { fitJoint, type Side, slideOf } from './jointFit.ts';
import { CORNER, LONG_LINE } from './merge.ts';

/**
 * Makes joints smooth where an outline bends slightly. Most lie at junctions: the two chains of an outline that passes
 * one were fitted apart, and no pixel near a junction tells where a chain runs, so they meet at an angle. Both get one
 * tangent, and the node moves along the third chain, which ends there. Where a whole segment cannot follow, a part of
 * it does, and where the first one is a stub, it goes into the next.
 */

/** Outlines that turn by less than this a little beside a junction, in radians, may pass it smoothly. */
const MOST_TURN = 0.6;
/** A chain that ends at an outline and turns by less than this from it, in radians, may leave along it. */
const MOST_BRANCH = 0.25;
/** A joint within a chain that turns by more than this, in radians, is a corner. */
const MOST_BEND = 0.35;
/** Turns below this, in radians, are smooth. */
const LEAST_TURN = 0.01;
/** Points within this distance of a junction hardly tell where a chain runs, in px. */
const BLIND = 1.6;
/** The same for an end that turns back. */
const HOOK = 3;
/** px from a junction to the points that tell directions beside it. */
const AHEAD = 5;
/** A first segment shorter than this, in px, may go into the next. */
const STUB = 8;
/** Lengths of the parts, in px, that are drawn anew where a whole segment cannot follow. */
const PARTS = [24, 12, 6];
const SAMPLES = 12;
/** Segments of a curve that may matter at its end. */
const TAIL = 3;

/** A side of a joint, and the segments of its chain that it replaces. */
interface Trial extends Side {
  /** Segments that it replaces, and the part of the last one that is left over. */
  replaces: number;
  rest: Cubic | undefined;
  /** Segments more than before. */
  cost: number;
}

/** The first segments of a curve from one of its ends on. */
interface Tail {
  cubics: Cubic[];
  isLine: boolean[];
}

/**
 * Returns the curves of a map with smooth joints within chains and at junctions that outlines pass, each within
 * `tolerance` px of what it was, but for the pixels around a junction. Linear in the segments.
 */
export function smoothJoints({ chains, junctions }: BoundaryMap, curves: readonly Curve[], tolerance: number): Curve[] {
  const isBorder = (c: number): boolean => chains[c].left === OUTSIDE || chains[c].right === OUTSIDE;
  const out = curves.map((curve, c) =>
    curve.shape || isBorder(c) ? curve : smoothBends(curve, chains[c].start < 0, tolerance),
  );
  const endsAt: number[][] = Array.from({ length: junctions.length }, () => []);
  chains.forEach(({ start, end }, c) => {
    if (start < 0) return;
    endsAt[start].push(2 * c);
    endsAt[end].push(2 * c + 1);
  });
  const passes = new Passes(out, tolerance, 2 * chains.length);
  chains.forEach(({ start }, c) => {
    if (start < 0 || isBorder(c) || out[c].segments.length === 0) return;
    passes.straightenHook(2 * c);
    passes.straightenHook(2 * c + 1);
  });
  for (const ends of endsAt) {
    if (ends.length === 3 && !ends.some((end) => isBorder(end >> 1) || out[end >> 1].segments.length === 0)) {
      passes.smooth(ends);
    }
  }
  return out;
}

/** The outlines that pass junctions. End 2c of a chain c is its start, and 2c + 1 its end. */
class Passes {
  private readonly curves: Curve[];
  private readonly tolerance: number;
  /** Ends whose direction is that of another. */
  private readonly isTied: Uint8Array;

  constructor(curves: Curve[], tolerance: number, ends: number) {
    this.curves = curves;
    this.tolerance = tolerance;
    this.isTied = new Uint8Array(ends);
  }

  /** Makes the outline smooth that passes a junction of three ends, if there is one. */
  smooth(ends: readonly number[]): void {
    const { curves, isTied } = this;
    const tails = ends.map((end) => this.tailOf(end));
    const [best] = [
      [0, 1, 2],
      [0, 2, 1],
      [1, 2, 0],
    ]
      .map(([a, b, c]) => ({ a, b, c, turn: turnPast(tails[a], tails[b]) }))
      .filter(({ a, b, turn }) => ends[a] >> 1 !== ends[b] >> 1 && turn.ahead < MOST_TURN)
      .sort((p, q) => p.turn.ahead + p.turn.here - q.turn.ahead - q.turn.here);
    if (!best) return;
    const [first, second, third] = [ends[best.a], ends[best.b], ends[best.c]];
    if (best.turn.here >= LEAST_TURN) {
      const cubics = this.join(first, second, directionOf(tails[best.c].cubics[0]), false);
      if (!cubics) return;
      moveEnd(curves, third, cubics[0][0]);
    }
    isTied[first] = isTied[second] = 1;
    for (const along of [first, second]) {
      const { here, ahead } = turnPast(this.tailOf(along), this.tailOf(third));
      if (here < LEAST_TURN || here > MOST_BRANCH || ahead > MOST_TURN) continue;
      if (this.join(along, third, undefined, true)) isTied[third] = 1;
    }
  }

  /** Draws an end anew whose handle points away from where its curve goes: few pixels there tell how it runs. */
  straightenHook(end: number): void {
    const { curves, tolerance } = this;
    const tail = this.tailOf(end);
    const [[start, handle, , to]] = tail.cubics;
    const chord = { x: to.x - start.x, y: to.y - start.y };
    if ((handle.x - start.x) * chord.x + (handle.y - start.y) * chord.y >= 0) return;
    const { x, y } = aheadOf(tail);
    const back = lineCubic(start, { x: start.x - x * AHEAD, y: start.y - y * AHEAD });
    const [line] = listTrials({ cubics: [back], isLine: [true] }, false);
    const sides = [[{ ...line, isFixed: true }], listTrials(tail, false)];
    const joint = drawJoint(sides, { away: undefined, blind: HOOK, tolerance });
    if (joint) replaceEnd(curves, end, joint.trials[1], joint.cubics[1]);
  }

  private tailOf(end: number): Tail {
    return readTail(this.curves[end >> 1], end);
  }

  /**
   * Draws the curves at two ends anew with one tangent. With `stays`, the first keeps its own. Returns both curves, or
   * undefined when no fit is close enough.
   */
  private join(first: number, second: number, away: Point | undefined, stays: boolean): [Cubic, Cubic] | undefined {
    const { curves, isTied, tolerance } = this;
    const [a, b] = [this.tailOf(first), this.tailOf(second)];
    const list = listTrials(a, isTied[first ^ 1] === 1);
    const whole = list.filter(({ cost }) => cost === 0).map((trial) => ({ ...trial, isFixed: true }));
    const sides = [stays ? whole : list, listTrials(b, isTied[second ^ 1] === 1)];
    const joint = drawJoint(sides, { away, blind: BLIND, tolerance });
    if (!joint) return undefined;
    const before = [curves[first >> 1], curves[second >> 1]];
    replaceEnd(curves, first, joint.trials[0], joint.cubics[0]);
    replaceEnd(curves, second, joint.trials[1], joint.cubics[1]);
    if (before.every((curve, k) => countCrossings(curves[[first, second][k] >> 1]) <= countCrossings(curve))) {
      return joint.cubics;
    }
    [curves[first >> 1], curves[second >> 1]] = before;
    return undefined;
  }
}

/**
 * Returns a curve without the slight bends that its fit has left at nodes, each side within `tolerance` px of what it
 * was. A curve that would cross itself stays. `mayBend` tells by the segment before it which joint of a closed curve is
 * looked at.
 */
export function smoothBends<Own extends Curve>(
  curve: Own,
  isClosed: boolean,
  tolerance: number,
  mayBend: (before: Segment) => boolean = () => true,
): Own {
  const smooth = isClosed ? smoothLoop(curve, tolerance, mayBend) : smoothPath(curve, tolerance);
  if (!smooth) return curve;
  return countCrossings(smooth, isClosed) > countCrossings(curve, isClosed) ? curve : { ...curve, ...smooth };
}

function countCrossings({ x, y, segments }: Curve, isClosed = false): number {
  let count = 0;
  findCrossings(x, y, segments, isClosed, () => count++);
  return count;
}

function smoothPath({ x, y, segments }: Curve, tolerance: number): Curve | undefined {
  let isNew = false;
  let last: Curve = { x, y, segments };
  for (let k = 0; k + 1 < last.segments.length; k++) {
    const node = last.segments[k];
    const halves = [
      { ...last, segments: last.segments.slice(0, k + 1) },
      { x: node.x, y: node.y, segments: last.segments.slice(k + 1) },
    ];
    if (!smoothBend(halves, tolerance)) continue;
    isNew = true;
    last = { ...halves[0], segments: [...halves[0].segments, ...halves[1].segments] };
    k = halves[0].segments.length - 1;
  }
  return isNew ? last : undefined;
}

function smoothLoop(
  { x, y, segments }: Curve,
  tolerance: number,
  mayBend: (before: Segment) => boolean,
): Curve | undefined {
  let isNew = false;
  let last: Curve = { x, y, segments };
  for (let k = segments.length; k > 0 && last.segments.length > 2; k--) {
    // The joint after the first segment comes between two halves.
    const list = last.segments;
    const half = 1 + (list.length >> 1);
    const [node, middle] = [list[0], list[half - 1]];
    const halves: Curve[] = [
      { x: middle.x, y: middle.y, segments: [...list.slice(half), node] },
      { x: node.x, y: node.y, segments: list.slice(1, half) },
    ];
    if (mayBend(node) && smoothBend(halves, tolerance)) isNew = true;
    last = { ...halves[1], segments: [...halves[1].segments, ...halves[0].segments] };
  }
  return isNew ? last : undefined;
}

/**
 * Makes the joint smooth at which the first of two curves ends and the second starts, if it bends slightly. Returns
 * false when it stays.
 */
function smoothBend(halves: Curve[], tolerance: number): boolean {
  const [a, b] = [readTail(halves[0], 1), readTail(halves[1], 2)];
  const { here } = turnPast(a, b);
  if (here < LEAST_TURN || here > MOST_BEND) return false;
  const joint = drawJoint([listTrials(a, false), listTrials(b, false)], { away: undefined, blind: 0, tolerance });
  if (!joint) return false;
  replaceEnd(halves, 1, joint.trials[0], joint.cubics[0]);
  replaceEnd(halves, 2, joint.trials[1], joint.cubics[1]);
  return true;
}

interface DrawnJoint {
  trials: [Trial, Trial];
  cubics: [Cubic, Cubic];
}

/** Draws the joint of two sides with the fewest segments that will do. `away` is the direction of a third curve. */
function drawJoint(
  sides: Trial[][],
  { away, blind, tolerance }: { away: Point | undefined; blind: number; tolerance: number },
): DrawnJoint | undefined {
  const pairs = sides[0].flatMap((a) => sides[1].map((b): [Trial, Trial] => [a, b]));
  pairs.sort(([a, b], [c, d]) => a.cost + b.cost - c.cost - d.cost);
  const [p, q] = sides.map(([{ cubic }]) => directionOf(cubic));
  const slide = slideOf({ x: p.x - q.x, y: p.y - q.y }, away);
  for (const trials of pairs) {
    const cubics = fitJoint(trials, { slide, blind, tolerance });
    if (cubics) return { trials, cubics };
  }
  return undefined;
}

function readTail({ x, y, segments }: Curve, end: number): Tail {
  const first = (end & 1) === 0 ? 0 : Math.max(0, segments.length - TAIL);
  const list = segments.slice(first, first + TAIL);
  let from: Point = first > 0 ? { x: segments[first - 1].x, y: segments[first - 1].y } : { x, y };
  const cubics = list.map((segment): Cubic => {
    const { isLine, x1, y1, x2, y2 } = segment;
    const to = { x: segment.x, y: segment.y };
    const cubic: Cubic = isLine ? lineCubic(from, to) : [from, { x: x1, y: y1 }, { x: x2, y: y2 }, to];
    from = to;
    return cubic;
  });
  const isLine = list.map((segment) => segment.isLine || segment.arc !== undefined);
  if ((end & 1) === 0) return { cubics, isLine };
  return { cubics: cubics.reverse().map(reverse), isLine: isLine.reverse() };
}

/** Returns the angles by which the way turns from one tail to another: at the junction, and by the points ahead. */
function turnPast(a: Tail, b: Tail): { here: number; ahead: number } {
  return {
    here: turnBetween(directionOf(a.cubics[0]), directionOf(b.cubics[0])),
    ahead: turnBetween(aheadOf(a), aheadOf(b)),
  };
}

/** Returns the unit direction from the start of a tail to the point a little ahead. */
function aheadOf({ cubics }: Tail): Point {
  const [start] = cubics[0];
  for (const cubic of cubics) {
    for (let k = 1; k <= SAMPLES; k++) {
      const point = pointAt(cubic, k / SAMPLES);
      if (distance(start, point) >= AHEAD) return directionOf(lineCubic(start, point));
    }
  }
  return directionOf(lineCubic(start, cubics[cubics.length - 1][3]));
}

/** Returns the sides that may replace the start of a tail. A long line, or one that is part of a shape, stays. */
function listTrials({ cubics, isLine }: Tail, isFarTied: boolean): Trial[] {
  const [first, second] = cubics;
  const length = lengthOf(first);
  const stays = (k: number): boolean => isLine[k] && lengthOf(cubics[k]) > LONG_LINE;
  const trial = (list: Cubic[], rest: Cubic | undefined, cost: number): Trial => {
    const last = list[list.length - 1];
    const whole = list.reduce((sum, cubic) => sum + lengthOf(cubic), 0);
    const next = rest ?? cubics[list.length];
    const arrival = directionOf(reverse(last));
    return {
      cubic: list.length === 1 ? last : [first[0], mix(first[0], first[1], whole / length), last[2], last[3]],
      points: list
        .flatMap((cubic) => Array.from({ length: SAMPLES }, (_, k) => pointAt(cubic, (k + 1) / SAMPLES)))
        .slice(0, -1),
      length: whole,
      isEndFixed: next ? turnBetween(arrival, directionOf(next)) < CORNER : isFarTied,
      isFixed: false,
      replaces: list.length,
      rest,
      cost,
    };
  };
  if (stays(0)) return [{ ...trial([first], undefined, 0), isFixed: true }];
  const trials = [trial([first], undefined, 0)];
  if (second && length > 1e-6 && length < STUB && !stays(1)) trials.push(trial([first, second], undefined, -1));
  for (const part of PARTS) {
    if (length < 1.5 * part) continue;
    const [near, rest] = split(first, findParameter(first, part));
    trials.push(trial([near], rest, 1));
  }
  return trials;
}

/** Returns the parameter at which a curve has a length. */
function findParameter(cubic: Cubic, length: number): number {
  const steps = 4 * SAMPLES;
  let sum = 0;
  let last = cubic[0];
  for (let k = 1; k < steps; k++) {
    const point = pointAt(cubic, k / steps);
    sum += distance(last, point);
    if (sum >= length) return k / steps;
    last = point;
  }
  return 1;
}

const toSegment = ([, b, c, d]: Cubic): Segment => ({
  isLine: false,
  x1: b.x,
  y1: b.y,
  x2: c.x,
  y2: c.y,
  x: d.x,
  y: d.y,
});

/** Draws a curve anew at one of its ends. */
function replaceEnd(curves: Curve[], end: number, { isFixed, replaces, rest }: Trial, cubic: Cubic): void {
  if (isFixed) return;
  const curve = curves[end >> 1];
  const list = rest ? [cubic, rest] : [cubic];
  if ((end & 1) === 0) {
    const segments = [...list.map(toSegment), ...curve.segments.slice(replaces)];
    curves[end >> 1] = { ...curve, ...cubic[0], segments };
  } else {
    const fresh = list.reverse().map((own) => toSegment(reverse(own)));
    curves[end >> 1] = { ...curve, segments: [...curve.segments.slice(0, -replaces), ...fresh] };
  }
}

/** Moves an end of a curve, with its handle. */
function moveEnd(curves: Curve[], end: number, { x, y }: Point): void {
  const curve = curves[end >> 1];
  const segments = curve.segments.slice();
  if ((end & 1) === 0) {
    const [first] = segments;
    if (!first.isLine) segments[0] = { ...first, x1: first.x1 + x - curve.x, y1: first.y1 + y - curve.y };
    curves[end >> 1] = { ...curve, x, y, segments };
    return;
  }
  const last = segments[segments.length - 1];
  segments[segments.length - 1] = { ...last, x, y, x2: last.x2 + x - last.x, y2: last.y2 + y - last.y };
  curves[end >> 1] = { ...curve, segments };
}
