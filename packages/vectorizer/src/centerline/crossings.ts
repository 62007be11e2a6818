import { DisjointSet } from '../geometry/disjointSet.ts';
import { hypot } from '../geometry/hypot.ts';
import type { Branch, Branches } from './branch.ts';
import type { Skeleton } from './skeleton.ts';

/**
 * Joins branches through crossings. The skeleton is distorted where lines meet: two strokes that cross become four
 * branches that meet in one or two nodes, off the lines. So the part of each branch near a meeting is left out, and
 * branches that continue one another are joined across it. A meeting is a group of skeleton nodes that belong to one
 * crossing.
 */

/**
 * The start of a part of a branch: the point in px, the unit direction into the branch and the curvature in radians per
 * px (positive turns clockwise on the screen).
 */
export interface Tail {
  x: number;
  y: number;
  dx: number;
  dy: number;
  bend: number;
}

/** Ends of branches are numbered 2b for the start of branch b and 2b + 1 for its end. */
export interface Crossings {
  /** First and last point of each branch that remain; a branch without any is not drawn. */
  first: Int32Array;
  last: Int32Array;
  /** By end: the end it is joined to, or -1. */
  mate: Int32Array;
  /** 1 for a free end, where the line itself ends. */
  isFree: Uint8Array;
  /**
   * By end: the point where an end that is neither free nor joined meets the others, or where joined ends meet in a
   * corner; else NaN.
   */
  meetX: Float64Array;
  meetY: Float64Array;
  /** By end: its position and direction into the line, when it continues its mate smoothly. */
  tails: (Tail | undefined)[];
}

/** Ends that continue one another turn by less than this, in radians. */
const MOST_TURN = 0.6;
/** Between ends closer than this, in px, the direction of the gap is unreliable. */
const NEAR = 6;

/**
 * Joins branches that continue one another across crossings, and removes spurs. `width` is the width of the picture in
 * px. Close to linear in the branches.
 */
export function joinBranches(skeleton: Skeleton, branches: Branches, width: number): Crossings {
  const { list } = branches;
  const count = list.length;
  const crossings: Crossings = {
    first: Int32Array.from(list, (branch) => branch.from),
    last: Int32Array.from(list, (branch) => branch.to),
    mate: new Int32Array(count * 2).fill(-1),
    isFree: new Uint8Array(count * 2),
    meetX: new Float64Array(count * 2).fill(NaN),
    meetY: new Float64Array(count * 2).fill(NaN),
    tails: new Array(count * 2),
  };
  const meetings = new Meetings(skeleton, branches, crossings, width);
  meetings.prune();
  meetings.gather();
  meetings.join();
  return crossings;
}

class Meetings {
  private readonly skeleton: Skeleton;
  private readonly branches: Branches;
  private readonly out: Crossings;
  private readonly stride: number;
  /** Groups the nodes of the skeleton into meetings. */
  private readonly meetings: DisjointSet;
  /** By branch: 0 drawn, 1 a spur, 2 within a meeting. */
  private readonly state: Uint8Array;

  constructor(skeleton: Skeleton, branches: Branches, out: Crossings, stride: number) {
    this.skeleton = skeleton;
    this.branches = branches;
    this.out = out;
    this.stride = stride;
    this.meetings = new DisjointSet(skeleton.nodes.length);
    this.state = new Uint8Array(branches.list.length);
  }

  /** Returns the ends of drawn branches at each meeting, by its root. */
  private endsByMeeting(): Map<number, number[]> {
    const ends = new Map<number, number[]>();
    this.branches.list.forEach((branch, b) => {
      if (this.state[b] !== 0 || branch.start < 0) return;
      for (const end of [2 * b, 2 * b + 1]) {
        const root = this.meetings.find(end & 1 ? branch.end : branch.start);
        const at = ends.get(root);
        if (at) at.push(end);
        else ends.set(root, [end]);
      }
    });
    return ends;
  }

  /**
   * Removes spurs: branches with a loose end no longer than a line is wide, which thinning makes of bumps and corners.
   */
  prune(): void {
    const { list } = this.branches;
    for (let round = 0; round < 2; round++) {
      for (const [, ends] of this.endsByMeeting()) {
        if (ends.length < 3) continue;
        let widest = 0;
        for (const end of ends) if (list[end >> 1].width > widest) widest = list[end >> 1].width;
        // Remove the shortest first and leave at least two ends: the longest are the line itself.
        const loose = ends
          .filter((end) => this.isLoose(end))
          .sort((p, q) => list[p >> 1].length - list[q >> 1].length || p - q);
        let left = ends.length;
        for (const end of loose) {
          if (left <= 2 || list[end >> 1].length > 0.65 * widest + 1.6) break;
          this.state[end >> 1] = 1;
          left--;
        }
      }
    }
  }

  /** Returns true when the other end of this end's branch meets no other branch. */
  private isLoose(end: number): boolean {
    const branch = this.branches.list[end >> 1];
    const far = this.meetings.find(end & 1 ? branch.start : branch.end);
    if (far === this.meetings.find(end & 1 ? branch.end : branch.start)) return false;
    return this.degree(far) === 1;
  }

  private degrees: Int32Array | undefined;

  private degree(node: number): number {
    this.degrees ??= (() => {
      const degrees = new Int32Array(this.skeleton.nodes.length);
      for (const { start, end } of this.branches.list) {
        if (start < 0) continue;
        degrees[start]++;
        degrees[end]++;
      }
      return degrees;
    })();
    return this.degrees[node];
  }

  /** Merges nodes of one crossing into one meeting, and leaves out the points of every branch near its meetings. */
  gather(): void {
    const { list } = this.branches;
    const { first, last } = this.out;
    for (let round = 0; round < 4; round++) {
      let hasChanged = false;
      const meetings = this.endsByMeeting();
      for (let b = 0; b < list.length; b++) {
        const branch = list[b];
        if (this.state[b] !== 0 || branch.start < 0) continue;
        const a = meetings.get(this.meetings.find(branch.start)) ?? [];
        const z = meetings.get(this.meetings.find(branch.end)) ?? [];
        const isWide = this.isMerged(b, a) || this.isMerged(b, z);
        const isShort = a.length > 1 && z.length > 1 && branch.length < 0.9 * this.usual(b, a, z) + 1;
        if (!isWide && !isShort) {
          this.trim(b, a.length > 1, z.length > 1);
          if (first[b] <= last[b] || (a.length < 2 && z.length < 2)) continue;
        }
        this.state[b] = 2;
        this.meetings.link(this.meetings.find(branch.start), this.meetings.find(branch.end));
        hasChanged = true;
      }
      if (!hasChanged) break;
    }
    for (let b = 0; b < list.length; b++) {
      if (this.state[b] === 0) continue;
      first[b] = 0;
      last[b] = -1;
    }
  }

  /** Returns the width of the lines at a branch's ends, for a branch too short to have a width of its own. */
  private usual(b: number, a: number[], z: number[]): number {
    const { list } = this.branches;
    let least = Infinity;
    for (const end of [...a, ...z]) if (end >> 1 !== b && list[end >> 1].width < least) least = list[end >> 1].width;
    return least < Infinity ? least : list[b].width || 1;
  }

  /**
   * Returns true when a branch consists of two lines that merge at a small angle: it is wider than either and continues
   * their direction.
   */
  private isMerged(b: number, ends: number[]): boolean {
    const { list } = this.branches;
    if (ends.length < 3) return false;
    const own = this.meanWidth(list[b]);
    const others = ends.filter((end) => end >> 1 !== b && list[end >> 1].width > 0);
    if (others.length < 2) return false;
    const near = ends.find((end) => end >> 1 === b) as number;
    const stem = this.tail(near, 0, list[b].length);
    if (!stem) return false;
    let branchCount = 0;
    let sum = 0;
    let widest = 0;
    for (const end of others) {
      const tail = this.tail(end, 1, 12);
      if (!tail || stem.dx * tail.dx + stem.dy * tail.dy > -0.5) continue;
      branchCount++;
      sum += list[end >> 1].width;
      widest = Math.max(widest, list[end >> 1].width);
    }
    return branchCount >= 2 && own > 1.22 * widest && own < 1.15 * sum && list[b].length < 8 * widest;
  }

  private meanWidth({ from, to }: Branch): number {
    const { width } = this.branches;
    let sum = 0;
    for (let k = from; k <= to; k++) sum += Math.min(width[k], 1e3);
    return sum / Math.max(1, to - from + 1);
  }

  /** Moves the first and last point of a branch away from its meetings, to where they no longer affect its width. */
  private trim(b: number, meetsBefore: boolean, meetsAfter: boolean): void {
    const { list, x, y, isGood } = this.branches;
    const { nodes } = this.skeleton;
    const { first, last } = this.out;
    const branch = list[b];
    const reach = branch.isEven ? 1.5 : 0.5 * (branch.width || 1) + 0.7;
    const isNear = (k: number, node: number): boolean => {
      const px = (nodes[node] % this.stride) + 0.5;
      const py = Math.floor(nodes[node] / this.stride) + 0.5;
      return hypot(x[k] - px, y[k] - py) < reach;
    };
    let a = branch.from;
    let z = branch.to;
    if (meetsBefore) while (a <= z && (!isGood[a] || isNear(a, branch.start))) a++;
    if (meetsAfter) while (z >= a && (!isGood[z] || isNear(z, branch.end))) z--;
    if (branch.isEven && z - a > 8) {
      // The outermost points may average the outlines of several branches.
      if (meetsBefore) a += 2;
      if (meetsAfter) z -= 2;
    }
    if (a > z && branch.length > 1.5 * (branch.width || 1) + 2) {
      // The branch is too short to be free of its meetings and too long to lie within one: use its middle.
      a = z = (branch.from + branch.to) >> 1;
      if (a < branch.to) z++;
      isGood[a] = isGood[z] = 1;
    }
    first[b] = a;
    last[b] = z;
  }

  /** Returns the start of a branch at an end, into the line. With `skip`, bad points are left out. */
  private tail(end: number, skip: number, reach: number): Tail | undefined {
    const { list, x, y, isGood } = this.branches;
    const branch = list[end >> 1];
    const { first, last } = this.out;
    const a = skip ? first[end >> 1] : branch.from;
    const z = skip ? last[end >> 1] : branch.to;
    return end & 1
      ? fitTail(x, y, skip ? isGood : undefined, z, a, reach)
      : fitTail(x, y, skip ? isGood : undefined, a, z, reach);
  }

  join(): void {
    const { list } = this.branches;
    const { mate, isFree } = this.out;
    for (const [, ends] of this.endsByMeeting()) {
      if (ends.length === 1) {
        isFree[ends[0]] = 1;
        continue;
      }
      if (ends.length === 2) {
        mate[ends[0]] = ends[1];
        mate[ends[1]] = ends[0];
        continue;
      }
      const tails = ends.map((end) => {
        const width = list[end >> 1].width;
        return this.tail(end, 1, list[end >> 1].isEven ? 10 + width / 2 : Math.max(8, 4 * width));
      });
      const pairs: { p: number; q: number; cost: number }[] = [];
      for (let p = 0; p < ends.length; p++) {
        for (let q = p + 1; q < ends.length; q++) {
          const cost = this.turnBetween(ends[p], tails[p], ends[q], tails[q]);
          if (cost < MOST_TURN) pairs.push({ p, q, cost });
        }
      }
      pairs.sort((s, t) => s.cost - t.cost || s.p - t.p || s.q - t.q);
      for (const { p, q } of pairs) {
        if (mate[ends[p]] >= 0 || mate[ends[q]] >= 0) continue;
        mate[ends[p]] = ends[q];
        mate[ends[q]] = ends[p];
        this.out.tails[ends[p]] = tails[p];
        this.out.tails[ends[q]] = tails[q];
      }
      this.joinRest(ends, tails);
    }
  }

  /** Returns the cost of joining two ends: the turn between them that their curvature does not explain, in radians. */
  private turnBetween(p: number, s: Tail | undefined, q: number, t: Tail | undefined): number {
    if (!s || !t) return Infinity;
    const { list } = this.branches;
    const gapX = t.x - s.x;
    const gapY = t.y - s.y;
    const gap = hypot(gapX, gapY);
    if (gap < NEAR && list[p >> 1].isEven && list[q >> 1].isEven) {
      // One side continued through the meeting: only the directions count.
      const beside = Math.abs(gapX * s.dy - gapY * s.dx);
      return Math.acos(Math.max(-1, Math.min(1, -(s.dx * t.dx + s.dy * t.dy)))) + 0.2 * beside;
    }
    const out = Math.atan2(-s.dx * gapY + s.dy * gapX, -s.dx * gapX - s.dy * gapY);
    const back = Math.atan2(gapX * t.dy - gapY * t.dx, gapX * t.dx + gapY * t.dy);
    if (Math.abs(out) > 1.4 || Math.abs(back) > 1.4) return Infinity;
    // The curvature of s changes sign when it is followed backward. An arc leaves its chord at either end by half of
    // its turn.
    const half = Math.asin(Math.max(-0.95, Math.min(0.95, ((t.bend - s.bend) / 2) * (gap / 2))));
    const off = Math.abs(out - back) + 0.5 * Math.abs(out + back - 2 * half);
    const ratio = list[p >> 1].width / list[q >> 1].width;
    return off + 0.3 * Math.max(0, Math.abs(Math.log(ratio)) - 0.15);
  }

  /**
   * Joins the ends that no other end continues: two of them meet in a corner, a single one runs up to the line it
   * meets.
   */
  private joinRest(ends: number[], tails: (Tail | undefined)[]): void {
    const { list } = this.branches;
    const { mate, meetX, meetY } = this.out;
    const through: [Tail, Tail][] = [];
    const rest: number[] = [];
    ends.forEach((end, k) => {
      if (mate[end] < 0) rest.push(k);
      else if (mate[end] > end) {
        const other = tails[ends.indexOf(mate[end])];
        const own = tails[k];
        if (own && other) through.push([own, other]);
      }
    });
    while (rest.length >= 2) {
      let best: { p: number; q: number; x: number; y: number; dot: number } | undefined;
      for (let p = 0; p < rest.length; p++) {
        for (let q = p + 1; q < rest.length; q++) {
          const s = tails[rest[p]];
          const t = tails[rest[q]];
          if (!s || !t) continue;
          const at = intersect(s, t);
          const reach = 2.5 * Math.max(list[ends[rest[p]] >> 1].width, list[ends[rest[q]] >> 1].width) + 3;
          if (!at || hypot(at.x - s.x, at.y - s.y) > reach * 2 || hypot(at.x - t.x, at.y - t.y) > reach * 2) continue;
          if (at.along > 1 || at.beside > 1) continue;
          const dot = s.dx * t.dx + s.dy * t.dy;
          if (!best || dot < best.dot) best = { p, q, x: at.x, y: at.y, dot };
        }
      }
      if (!best) break;
      const [p, q] = [ends[rest[best.p]], ends[rest[best.q]]];
      mate[p] = q;
      mate[q] = p;
      meetX[p] = meetX[q] = best.x;
      meetY[p] = meetY[q] = best.y;
      through.push([tails[rest[best.p]] as Tail, tails[rest[best.q]] as Tail]);
      rest.splice(best.q, 1);
      rest.splice(best.p, 1);
    }
    for (const k of rest) {
      const tail = tails[k];
      if (!tail) continue;
      // Lines that meet at a small angle run side by side over a long distance.
      const width = list[ends[k] >> 1].width || 1;
      let nearest = 8 * width + 4;
      for (const [s, t] of through) {
        const length = hypot(t.x - s.x, t.y - s.y) || 1;
        // Between ends close to one another, their directions are more reliable than their positions.
        const isLong = length > NEAR;
        const dx = isLong ? (t.x - s.x) / length : (t.dx - s.dx) / 2;
        const dy = isLong ? (t.y - s.y) / length : (t.dy - s.dy) / 2;
        const at = intersect(tail, { x: s.x, y: s.y, dx, dy, bend: 0 });
        const slack = 5 * width + 1;
        if (!at || at.along > 1 || at.beside < -slack || at.beside > length + slack) continue;
        const far = hypot(at.x - tail.x, at.y - tail.y);
        if (far >= nearest) continue;
        nearest = far;
        meetX[ends[k]] = at.x;
        meetY[ends[k]] = at.y;
      }
    }
  }
}

/** Returns the intersection of the lines through two tails, and its distance along each. */
function intersect(s: Tail, t: Tail): { x: number; y: number; along: number; beside: number } | undefined {
  const cross = s.dx * t.dy - s.dy * t.dx;
  if (Math.abs(cross) < 0.1) return undefined;
  const along = ((t.x - s.x) * t.dy - (t.y - s.y) * t.dx) / cross;
  const beside = ((t.x - s.x) * s.dy - (t.y - s.y) * s.dx) / cross;
  return { x: s.x + along * s.dx, y: s.y + along * s.dy, along, beside };
}

/**
 * Fits a parabola by least squares through the good points from index `from` toward `to`, over up to `reach` px, and
 * returns its position and direction at the first of them. Fits a line when there are few points; returns undefined
 * when there are fewer than two.
 */
export function fitTail(
  x: ArrayLike<number>,
  y: ArrayLike<number>,
  isGood: ArrayLike<number> | undefined,
  from: number,
  to: number,
  reach: number,
): Tail | undefined {
  const step = to >= from ? 1 : -1;
  const count = Math.abs(to - from) + 1;
  const ox = x[from];
  const oy = y[from];
  const m = [0, 0, 0, 0, 0];
  const sx = [0, 0, 0];
  const sy = [0, 0, 0];
  let s = 0;
  let lastX = ox;
  let lastY = oy;
  for (let n = 0, k = from; n < count; n++, k += step) {
    if (isGood && !isGood[k]) continue;
    s += hypot(x[k] - lastX, y[k] - lastY);
    if (s > reach && m[0] >= 3) break;
    lastX = x[k];
    lastY = y[k];
    let power = 1;
    for (let j = 0; j < 5; j++) {
      m[j] += power;
      if (j < 3) {
        sx[j] += power * (lastX - ox);
        sy[j] += power * (lastY - oy);
      }
      power *= s;
    }
  }
  if (m[0] < 2) return undefined;
  const line = (q: number[]): [number, number, number] => {
    const slope = (m[0] * q[1] - m[1] * q[0]) / (m[0] * m[2] - m[1] * m[1]);
    return [(q[0] - slope * m[1]) / m[0], slope, 0];
  };
  const parabola = (q: number[]): [number, number, number] => {
    const d0 = m[2] * m[4] - m[3] * m[3];
    const d1 = m[1] * m[4] - m[2] * m[3];
    const d2 = m[1] * m[3] - m[2] * m[2];
    const d = m[0] * d0 - m[1] * d1 + m[2] * d2;
    return [
      (q[0] * d0 - q[1] * d1 + q[2] * d2) / d,
      (-q[0] * d1 + q[1] * (m[0] * m[4] - m[2] * m[2]) - q[2] * (m[0] * m[3] - m[1] * m[2])) / d,
      (q[0] * d2 - q[1] * (m[0] * m[3] - m[1] * m[2]) + q[2] * (m[0] * m[2] - m[1] * m[1])) / d,
    ];
  };
  const isLong = m[0] >= 5 && s > 4;
  const [x0, x1, x2] = isLong ? parabola(sx) : line(sx);
  const [y0, y1, y2] = isLong ? parabola(sy) : line(sy);
  const speed = hypot(x1, y1);
  if (!(speed > 0.1)) return undefined;
  const dx = x1 / speed;
  const dy = y1 / speed;
  return { x: ox + x0, y: oy + y0, dx, dy, bend: (2 * (dx * y2 - dy * x2)) / speed };
}
