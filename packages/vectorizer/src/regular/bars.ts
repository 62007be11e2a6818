import type { Model } from '../refine/model.ts';
import type { Regions } from '../regions/regions.ts';
import { findClasses } from './classes.ts';

/** Lines this near to one another, as a share of what the ends of a line may move, lie on one line. */
const IN_LINE = 0.6;
/** The least distance between the sides of a bar, in px. */
const THIN = 1;
/** The most lines beside one that are tried as the other side of its bar. */
const MOST_SIDES = 40;
/** Directions that differ by no more than rounding are equal, in radians. */
const EQUAL = 1e-8;
/** The weight of a length that lines share, as a share of theirs: it follows them. */
const FOLLOWING = 0.1;

/** A straight segment from node a to node b. */
export interface Line {
  a: number;
  b: number;
  chain: number;
  /** px. */
  length: number;
  /** Radians. */
  angle: number;
  /** Regions on the left and right of the way from a to b. */
  left: number;
  right: number;
}

/** A line with the direction that it is to have, a unit vector of the upper half plane. */
export interface Track {
  line: Line;
  /** Radians, 0..π. */
  angle: number;
  ux: number;
  uy: number;
  /** Where it lies across its direction, and from where to where along it, in px. */
  across: number;
  from: number;
  to: number;
  /** Regions on its sides, in the order of `across`. */
  before: number;
  beyond: number;
}

/** Two lines that face each other, how far apart they are, and for how long, in px. */
interface Bar {
  low: Track;
  high: Track;
  width: number;
  overlap: number;
}

type Term = readonly [number, number];

/** Lengths that lines agree in: each is a sum of unknowns. */
interface Agreement {
  /** px. */
  value: number;
  weight: number;
  members: { terms: Term[]; chain: number }[];
}

/** Returns the terms of where a node lies across a direction, times a factor. */
export function acrossTerms(node: number, ux: number, uy: number, factor: number): Term[] {
  return [
    [2 * node, -factor * uy],
    [2 * node + 1, factor * ux],
  ];
}

export function toTrack({ x, y }: Model, line: Line, angle: number): Track {
  const { a, b, left, right } = line;
  const half = angle - Math.PI * Math.floor(angle / Math.PI + EQUAL);
  const [ux, uy] = [exact(Math.cos(half)), exact(Math.sin(half))];
  const [p, q] = [ux * x[a] + uy * y[a], ux * x[b] + uy * y[b]];
  const across = (ux * (y[a] + y[b]) - uy * (x[a] + x[b])) / 2;
  // Across a way to the right lies what is below it: the right side.
  const [before, beyond] = q > p ? [left, right] : [right, left];
  return { line, angle: half, ux, uy, across, from: Math.min(p, q), to: Math.max(p, q), before, beyond };
}

/** Returns 0 and ±1 for what differs from them by rounding, so that level lines become so. */
function exact(value: number): number {
  const nearest = Math.round(value);
  return Math.abs(value - nearest) < 1e-12 ? nearest : value;
}

/** Returns lists of parallel lines, each in order across their direction. */
export function groupParallel(tracks: readonly Track[]): Track[][] {
  const order = [...tracks].sort((p, q) => p.angle - q.angle);
  const groups: Track[][] = [];
  for (const track of order) {
    const last = groups[groups.length - 1];
    if (last && track.angle - last[0].angle < EQUAL) last.push(track);
    else groups.push([track]);
  }
  return groups.map((group) => group.sort((p, q) => p.across - q.across || p.from - q.from));
}

/** Returns where lines lie across their direction, for those that lie on one line. */
export function findInLine(groups: readonly Track[][], reach: number): Agreement[] {
  return groups.flatMap((group) => {
    const values = group.map(({ across }) => across);
    const weights = group.map(({ line }) => line.length);
    const reaches = values.map(() => IN_LINE * reach);
    return share(values, weights, reaches, (k) => {
      const { line, ux, uy } = group[k];
      return { terms: placeTerms(line, ux, uy, 1), chain: line.chain };
    });
  });
}

/**
 * Returns the widths of bars, for those that are equally wide: two lines that face each other across one region, and do
 * so for longer than they are apart. Bars of different colors are different, so a gap need not be as wide as a bar.
 */
export function findBars(groups: readonly Track[][], { labelOf }: Regions, reach: number): Agreement[] {
  const bars = new Map<string, Bar>();
  groups.forEach((group, g) => {
    /** Finds the nearest line that faces line i across one region, going up or down. */
    const face = (i: number, step: number): void => {
      const own = group[i];
      for (let j = i + step, tries = 0; group[j] && tries < MOST_SIDES; j += step, tries++) {
        const other = group[j];
        const width = Math.abs(other.across - own.across);
        if (width > own.to - own.from) return;
        const faces = step > 0 ? own.beyond === other.before : own.before === other.beyond;
        const overlap = Math.min(own.to, other.to) - Math.max(own.from, other.from);
        if (!faces || width < THIN || overlap < width) continue;
        const [low, high] = step > 0 ? [i, j] : [j, i];
        bars.set(`${g} ${low} ${high}`, { low: group[low], high: group[high], width, overlap });
        return;
      }
    };
    for (let i = 0; i < group.length; i++) {
      face(i, 1);
      face(i, -1);
    }
  });
  const byColor = new Map<number, Bar[]>();
  for (const bar of bars.values()) {
    const label = labelOf[bar.low.beyond];
    const list = byColor.get(label);
    if (list) list.push(bar);
    else byColor.set(label, [bar]);
  }
  return [...byColor.values()].flatMap((list) => {
    const values = list.map(({ width }) => width);
    const reaches = values.map(() => reach);
    const weights = list.map(({ overlap }) => overlap);
    return share(values, weights, reaches, (k) => {
      const { low, high } = list[k];
      const { ux, uy } = low;
      const terms = [...placeTerms(high.line, ux, uy, 1), ...placeTerms(low.line, ux, uy, -1)];
      return { terms, chain: low.line.chain };
    });
  });
}

/** Returns the terms of where a line lies across its direction, times a factor. */
function placeTerms({ a, b }: Line, ux: number, uy: number, factor: number): Term[] {
  return [...acrossTerms(a, ux, uy, factor / 2), ...acrossTerms(b, ux, uy, factor / 2)];
}

/** Returns the means of values that are equal within their reach, and what has them. */
function share(
  values: readonly number[],
  weights: readonly number[],
  reaches: readonly number[],
  memberOf: (k: number) => Agreement['members'][number],
): Agreement[] {
  return findClasses(values, reaches, weights)
    .filter(({ length }) => length > 1)
    .map((ids) => {
      let [sum, total] = [0, 0];
      for (const k of ids) {
        sum += weights[k] * values[k];
        total += weights[k];
      }
      return { value: sum / total, weight: FOLLOWING * total, members: ids.map(memberOf) };
    });
}
