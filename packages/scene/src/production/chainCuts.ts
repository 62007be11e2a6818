/** Closes small gaps and joins lines end to end, so that a tool has the fewest lines to follow. */
import type { Contour } from '../geometry/pathData.ts';
import { append, type CutLine, close, turnAround } from './cutLines.ts';

/** The widest gap that is closed, mm. */
export const GAP_MM = 0.1;
/** A line shorter than this is not closed by itself: its ends are always near each other. */
const LEAST_LOOP_MM = 1;
/** Gaps that differ by less than this are alike, mm: of these, the straightest way on is taken. */
const ALIKE_MM = 0.02;
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
  const open = lines.filter(({ contour }) => !contour.isClosed);
  if (open.length === 0) return lines;
  const ends = open.flatMap(({ contour: { points } }): End[] => [
    endOf(points, 0, directionFrom(points, 0, 2)),
    endOf(points, points.length - 2, directionFrom(points, points.length - 2, -2)),
  ]);
  const partner = matchEnds(findJoints(ends, open), ends.length);
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

function findJoints(ends: readonly End[], lines: readonly CutLine[]): Joint[] {
  const cells = new Map<string, number[]>();
  const cellOf = (value: number) => Math.floor(value / GAP_MM);
  const joints: Joint[] = [];
  for (const [a, end] of ends.entries()) {
    const [column, row] = [cellOf(end.x), cellOf(end.y)];
    for (let dx = -1; dx <= 1; dx++) {
      for (let dy = -1; dy <= 1; dy++) {
        for (const b of (cells.get(`${column + dx} ${row + dy}`) ?? []).slice(-MAX_NEIGHBORS)) {
          const other = ends[b]!;
          const gap = Math.hypot(end.x - other.x, end.y - other.y);
          if (gap > GAP_MM || (a >> 1 === b >> 1 && isShort(lines[a >> 1]!))) continue;
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

/** True for a line that never leaves the neighborhood of its start. */
function isShort({ contour: { points } }: CutLine): boolean {
  let length = 0;
  for (let p = 2; p < points.length; p += 2) {
    length += Math.hypot(points[p]! - points[p - 2]!, points[p + 1]! - points[p - 1]!);
    if (length >= LEAST_LOOP_MM) return false;
  }
  return true;
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
    chains.set(first, { ...join(lines, chain, at === from), elementId: lines[first]!.elementId });
  };
  for (let end = 0; end < partner.length; end++) if (partner[end] === -1 && !isUsed[end >> 1]) follow(end);
  for (let line = 0; line < lines.length; line++) if (!isUsed[line]) follow(2 * line);
  return chains;
}

/** Joins lines, each entered at one of its ends. */
function join(lines: readonly CutLine[], entries: readonly number[], isLoop: boolean): CutLine {
  const [first, ...rest] = entries.map((end) => {
    const { contour } = lines[end >> 1]!;
    return end % 2 === 0 ? contour : turnAround(contour);
  });
  // Halves first, so that a long chain is not copied for each of its lines.
  const joinAll = (from: number, to: number): Contour => {
    if (to - from === 1) return from === 0 ? first! : rest[from - 1]!;
    const middle = (from + to) >> 1;
    return append(joinAll(from, middle), joinAll(middle, to));
  };
  const contour = joinAll(0, entries.length);
  return { elementId: lines[entries[0]! >> 1]!.elementId, contour: isLoop ? close(contour) : contour };
}
