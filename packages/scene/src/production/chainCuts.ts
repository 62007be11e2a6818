/** Closes gaps and joins lines end to end, so that a tool has the fewest lines to follow. */
import type { Point } from '../geometry/matrix.ts';
import type { Contour } from '../geometry/pathData.ts';
import { append, type CutLine, close, turnAround } from './cutLines.ts';
import { lengthOf } from './dropDetail.ts';

/** The widest gap that every file closes, mm. */
export const GAP_MM = 0.1;
/** Gaps that differ by less than this are alike, mm: of these, the straightest way on is taken. */
const ALIKE_MM = 0.02;
/**
 * A line is closed by itself across a gap of at most this share of it: the ends of a short one are always near each
 * other. A gap that a person has closed is at most this share of the longer of its lines: dashes stay dashes.
 */
const GAP_SHARE = 0.1;
/** Lines that end side by side are not joined across a gap that a person has closed: `turn` of some 25°. */
const SIDE_BY_SIDE = 1.9;
/** The most ends at one place that are compared with each other. */
const MAX_NEIGHBORS = 24;

/** An end of an open line: `2 * line` is its start, `2 * line + 1` its end. The direction points out of the line. */
interface End {
  readonly x: number;
  readonly y: number;
  readonly outX: number;
  readonly outY: number;
}

interface Joint {
  readonly a: number;
  readonly b: number;
  readonly gap: number;
  /** 0 for straight on, up to 2 for turning back. */
  readonly turn: number;
}

/**
 * Joins open lines whose ends are at most 0.1 mm apart, the nearest ends first and of those the straightest way on, and
 * closes what comes back to its start. Closed lines stay the same objects; a chain takes the place of its first line.
 * Cost: n log n in the lines.
 */
export function chainCuts(lines: readonly CutLine[]): readonly CutLine[] {
  const isJoint = ({ a, b, gap }: Joint, open: readonly CutLine[]) =>
    a >> 1 !== b >> 1 || isLongerThan(open[a >> 1]!, gap / GAP_SHARE);
  return joinLines(lines, GAP_MM, isJoint);
}

/** A gap that was closed because a person asked for it. */
export interface ClosedGap {
  readonly elementId: string;
  readonly lengthMm: number;
  /** Its two ends. */
  readonly place: readonly Point[];
}

/**
 * Closes the gaps that a person asked to have closed: up to `gapMm` of both lines, between lines of one element, and
 * small beside them. What has no `gapMm` stays the same object. Cost: n log n in the open lines.
 */
export function closeGaps(lines: readonly CutLine[], note: (gap: ClosedGap) => void): readonly CutLine[] {
  const reachMm = lines.reduce((most, { gapMm = 0, contour }) => (contour.isClosed ? most : Math.max(most, gapMm)), 0);
  if (reachMm <= GAP_MM) return lines;
  const lengths = new Map<CutLine, number>();
  const measure = (line: CutLine) => {
    const length = lengths.get(line) ?? lengthOf(line.contour);
    lengths.set(line, length);
    return length;
  };
  const isJoint = ({ a, b, gap, turn }: Joint, open: readonly CutLine[]) => {
    const [first, second] = [open[a >> 1]!, open[b >> 1]!];
    if (first.elementId !== second.elementId || turn > SIDE_BY_SIDE) return false;
    if (gap > Math.min(first.gapMm ?? 0, second.gapMm ?? 0)) return false;
    return gap <= GAP_SHARE * Math.max(measure(first), measure(second));
  };
  return joinLines(lines, reachMm, isJoint, note);
}

/** Joins open lines at the joints that are allowed. */
function joinLines(
  lines: readonly CutLine[],
  reachMm: number,
  isJoint: (joint: Joint, open: readonly CutLine[]) => boolean,
  note?: (gap: ClosedGap) => void,
): readonly CutLine[] {
  const open = lines.filter(({ contour }) => !contour.isClosed);
  if (open.length === 0) return lines;
  const ends = open.flatMap(({ contour: { points } }): End[] => [
    endOf(points, 0, directionFrom(points, 0, 2)),
    endOf(points, points.length - 2, directionFrom(points, points.length - 2, -2)),
  ]);
  const joints = findJoints(ends, reachMm).filter((joint) => isJoint(joint, open));
  const partner = matchEnds(joints, ends.length);
  for (const [a, b] of note ? partner.entries() : []) {
    if (b <= a) continue;
    const [from, to] = [ends[a]!, ends[b]!];
    const place = [from, to].map(({ x, y }) => ({ x, y }));
    note!({ elementId: open[a >> 1]!.elementId, lengthMm: Math.hypot(to.x - from.x, to.y - from.y), place });
  }
  const chains = assemble(open, partner);
  let k = -1;
  return lines.flatMap((line) => {
    if (line.contour.isClosed) return [line];
    k++;
    return chains.get(k) ?? [];
  });
}

const endOf = (points: readonly number[], p: number, [outX, outY]: [number, number]): End => ({
  x: points[p]!,
  y: points[p + 1]!,
  outX,
  outY,
});

/** Returns the direction out of a line at its end, of length 1: away from the next point that is elsewhere. */
function directionFrom(points: readonly number[], p: number, step: 2 | -2): [number, number] {
  for (let q = p + step; q >= 0 && q < points.length; q += step) {
    const [dx, dy] = [points[p]! - points[q]!, points[p + 1]! - points[q + 1]!];
    const length = Math.hypot(dx, dy);
    if (length > 0) return [dx / length, dy / length];
  }
  return [0, 0];
}

function findJoints(ends: readonly End[], reachMm: number): Joint[] {
  const cells = new Map<string, number[]>();
  const cellOf = (value: number) => Math.floor(value / reachMm);
  const joints: Joint[] = [];
  for (const [a, end] of ends.entries()) {
    const [column, row] = [cellOf(end.x), cellOf(end.y)];
    for (let dx = -1; dx <= 1; dx++) {
      for (let dy = -1; dy <= 1; dy++) {
        for (const b of (cells.get(`${column + dx} ${row + dy}`) ?? []).slice(-MAX_NEIGHBORS)) {
          const other = ends[b]!;
          const gap = Math.hypot(end.x - other.x, end.y - other.y);
          if (gap > reachMm) continue;
          joints.push({ a, b, gap, turn: 1 + end.outX * other.outX + end.outY * other.outY });
        }
      }
    }
    const key = `${column} ${row}`;
    const cell = cells.get(key);
    if (cell) cell.push(a);
    else cells.set(key, [a]);
  }
  return joints;
}

/** True for a line whose points and handles are a way of more than `lengthMm`, or as much. */
function isLongerThan({ contour: { points } }: CutLine, lengthMm: number): boolean {
  let length = 0;
  for (let p = 2; p < points.length && length < lengthMm; p += 2) {
    length += Math.hypot(points[p]! - points[p - 2]!, points[p + 1]! - points[p - 1]!);
  }
  return length >= lengthMm;
}

/** Returns the partner of each end, or -1. */
function matchEnds(joints: readonly Joint[], count: number): Int32Array {
  const rank = ({ gap }: Joint) => Math.floor(gap / ALIKE_MM);
  const nearestFirst = [...joints].sort((p, q) => rank(p) - rank(q) || p.turn - q.turn || p.gap - q.gap);
  const partner = new Int32Array(count).fill(-1);
  for (const { a, b } of nearestFirst) {
    if (partner[a] !== -1 || partner[b] !== -1) continue;
    partner[a] = b;
    partner[b] = a;
  }
  return partner;
}

/**
 * Follows the joints from one line to the next: first the chains with free ends, then the loops. Returns them by the
 * index of their first line.
 */
function assemble(lines: readonly CutLine[], partner: Int32Array): Map<number, CutLine> {
  const isUsed = new Uint8Array(lines.length);
  const chains = new Map<number, CutLine>();
  const follow = (from: number) => {
    const chain: number[] = [];
    let at = from;
    while (at !== -1 && !isUsed[at >> 1]) {
      isUsed[at >> 1] = 1;
      chain.push(at);
      at = partner[at ^ 1]!;
    }
    const first = chain.reduce((least, end) => Math.min(least, end >> 1), lines.length);
    chains.set(first, { ...lines[first]!, contour: join(lines, chain, at === from) });
  };
  for (let end = 0; end < partner.length; end++) if (partner[end] === -1 && !isUsed[end >> 1]) follow(end);
  for (let line = 0; line < lines.length; line++) if (!isUsed[line]) follow(2 * line);
  return chains;
}

/** Joins lines, each entered at one of its ends. */
function join(lines: readonly CutLine[], entries: readonly number[], isLoop: boolean): Contour {
  const [first, ...rest] = entries.map((end) => {
    const { contour } = lines[end >> 1]!;
    return end % 2 === 0 ? contour : turnAround(contour);
  });
  // Halves first, so that a long chain is not copied for each of its lines.
  const joinAll = (from: number, to: number): Contour => {
    if (to - from === 1) return from === 0 ? first! : rest[from - 1]!;
    const middle = (from + to) >> 1;
    return append(...withoutHooks(joinAll(from, middle), joinAll(middle, to)));
  };
  const contour = joinAll(0, entries.length);
  return isLoop ? close(withoutEndHooks(contour)) : contour;
}

/**
 * Returns two lines of which the second follows the first, without what runs on past the place where they meet: a tool
 * would follow such a hook there and back. Each keeps two commands at least.
 */
function withoutHooks(first: Contour, second: Contour): [Contour, Contour] {
  const start = withoutEndHook(first, second.points);
  const reverse = turnAround(second);
  const end = withoutEndHook(reverse, start.points.slice(-2));
  return [start, end === reverse ? second : turnAround(end)];
}

/** Returns an open line whose ends are near each other without its hooks. */
function withoutEndHooks(contour: Contour): Contour {
  const reverse = turnAround(withoutEndHook(contour, contour.points));
  return turnAround(withoutEndHook(reverse, reverse.points));
}

/** Returns an open line up to that point of its last 0.1 mm that is nearest to a point; the same line for its end. */
function withoutEndHook(contour: Contour, [x = 0, y = 0]: readonly number[]): Contour {
  const { commands, points, isClosed } = contour;
  const distanceTo = (p: number) => Math.hypot(points[p]! - x, points[p + 1]! - y);
  let [end, count] = [points.length - 2, commands.length];
  let least = distanceTo(end);
  let length = 0;
  for (let [p, k] = [end, count]; k > 2; k--) {
    const from = p - (commands[k - 1] === 'C' ? 6 : 2);
    for (; p > from; p -= 2) length += Math.hypot(points[p]! - points[p - 2]!, points[p + 1]! - points[p - 1]!);
    if (length > GAP_MM) break;
    if (distanceTo(p) <= least) [least, end, count] = [distanceTo(p), p, k - 1];
  }
  if (count === commands.length) return contour;
  return { commands: commands.slice(0, count), points: points.slice(0, end + 2), isClosed };
}
