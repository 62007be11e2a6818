import type { BoundaryMap } from '../boundary/boundary.ts';
import { hypot } from '../geometry/hypot.ts';
import type { Isometry } from '../geometry/isometry.ts';
import { compose, IDENTITY, mapX, mapY } from '../geometry/isometry.ts';
import type { Curve } from '../geometry/segment.ts';
import type { Regions } from '../regions/regions.ts';
import { findGroup, findPlace, LEAST_TOTAL, toElements } from './group.ts';
import type { Orbit } from './orbit.ts';
import { toOrbit } from './orbit.ts';
import { Outline, sampleCurve } from './outline.ts';
import type { Unit } from './units.ts';
import { findUnits } from './units.ts';

/** Chains that maps lay on one another: an outline with its axes, or outlines that repeat. */
export interface Find {
  orbits: Orbit[];
  /**
   * The maps, beginning with the identity. Those of equal pieces lay the first on each in turn, by as many maps as keep
   * it: so `order` of them follow one another, the first of which is the place of the piece.
   */
  maps: Isometry[];
  order: number;
}

/** Repeats have the same length within this share, and this many px, before they are compared. */
const LIKE_SHARE = 0.02;
const LIKE_PX = 2;
/** The longest list of units that is searched for repeats: beyond it, the picture is a texture. */
const MOST_UNITS = 3000;

/** Returns all finds, from the longest to the shortest. Each chain belongs to one at most. */
export function findRegularity(map: BoundaryMap, curves: readonly Curve[], regions: Regions, most: number): Find[] {
  const samples = new Map<number, ReturnType<typeof sampleCurve>>();
  const samplesOf = (chain: number): ReturnType<typeof sampleCurve> => {
    const points = samples.get(chain) ?? sampleCurve(curves[chain]);
    samples.set(chain, points);
    return points;
  };
  const units = findUnits(map, regions);
  if (units.length > MOST_UNITS) return [];
  const drafts = [
    ...units.map((unit) => ({ units: [unit], total: totalOf(unit, samplesOf) })),
    ...groupAlike(units, samplesOf),
  ].filter(({ total }) => total >= LEAST_TOTAL);
  drafts.sort((a, b) => b.total - a.total || a.units.length - b.units.length);
  const isTaken = new Set<number>();
  const finds: Find[] = [];
  for (const draft of drafts) {
    const free = draft.units.filter(({ chains }) => !chains.some((chain) => isTaken.has(chain)));
    const isSingle = draft.units.length === 1;
    if (free.length < (isSingle ? 1 : 2)) continue;
    // An exact shape has its symmetry already.
    if (isSingle && free[0].chains.length === 1 && curves[free[0].chains[0]].shape) continue;
    const outlines = free.map(({ chains }) => new Outline(chains, samplesOf));
    const candidates = isSingle ? findSymmetry(outlines[0], most) : findRepeats(outlines, most);
    for (const { maps, order, members } of candidates) {
      const outline =
        members.length === 1
          ? outlines[members[0]]
          : new Outline(
              members.flatMap((k) => free[k].chains),
              samplesOf,
            );
      const orbits = toOrbits(free[members[0]].chains, maps, map, curves, outline);
      if (!orbits) continue;
      finds.push({ orbits, maps, order });
      for (const k of members) for (const chain of free[k].chains) isTaken.add(chain);
    }
  }
  return finds;
}

type SamplesOf = (chain: number) => ReturnType<typeof sampleCurve>;

function totalOf({ chains }: Unit, samplesOf: SamplesOf): number {
  let total = 0;
  for (const chain of chains) for (const length of samplesOf(chain).length) total += length;
  return total;
}

/** Returns lists of units that are about equally long and have equally many chains. */
function groupAlike(units: readonly Unit[], samplesOf: SamplesOf): { units: Unit[]; total: number }[] {
  const list = units
    .filter(({ isWhole }) => isWhole)
    .map((unit) => ({ unit, total: totalOf(unit, samplesOf) }))
    .filter(({ total }) => total >= LEAST_TOTAL)
    .sort((a, b) => a.unit.chains.length - b.unit.chains.length || a.total - b.total);
  const groups: { units: Unit[]; total: number }[] = [];
  for (let i = 0; i < list.length; ) {
    let end = i + 1;
    let total = list[i].total;
    while (
      end < list.length &&
      list[end].unit.chains.length === list[i].unit.chains.length &&
      list[end].total - list[end - 1].total <= LIKE_PX + LIKE_SHARE * list[end].total
    ) {
      total += list[end++].total;
    }
    if (end - i > 1) groups.push({ units: list.slice(i, end).map(({ unit }) => unit), total });
    i = end;
  }
  return groups;
}

/** Maps that lay the first of some outlines on itself and on the others, and which outlines these are. */
interface Maps {
  maps: Isometry[];
  order: number;
  members: number[];
}

function findSymmetry(outline: Outline, most: number): Maps[] {
  const group = findGroup(outline, most);
  if (!group) return [];
  const maps = toElements(group);
  return [{ maps, order: maps.length, members: [0] }];
}

/** Returns the classes of outlines that are equal, with the maps that they have in common. */
function findRepeats(outlines: readonly Outline[], most: number): Maps[] {
  const classes: { places: Isometry[]; members: number[] }[] = [];
  outlines.forEach((outline, k) => {
    for (const { places, members } of classes) {
      const first = outlines[members[0]];
      if (Math.abs(first.total - outline.total) > LIKE_PX + LIKE_SHARE * first.total) continue;
      const place = findPlace(first, outline, most);
      if (!place) continue;
      places.push(place);
      members.push(k);
      return;
    }
    classes.push({ places: [IDENTITY], members: [k] });
  });
  return classes.flatMap(({ places, members }) => {
    if (members.length < 2) return [];
    const group = findGroup(outlines[members[0]], most);
    const elements = group ? toElements(group) : [IDENTITY];
    const maps = places.flatMap((place) => elements.map((element) => compose(place, element)));
    return [{ maps, order: elements.length, members }];
  });
}

/** Points at which a chain is compared with its image. */
const PROBES = 9;
/** Chains and their images have the same length within this share, and this many px. */
const LENGTH_SHARE = 0.05;
const LENGTH_PX = 3;
/** The ends of a chain and those of its image lie as near as this, in px. */
const END_PX = 1.5;

/** Returns the orbits of the chains of a unit; undefined when chains do not lie on chains. */
function toOrbits(
  chains: readonly number[],
  maps: readonly Isometry[],
  { chains: all }: BoundaryMap,
  curves: readonly Curve[],
  outline: Outline,
): Orbit[] | undefined {
  /** The points of each chain in the outline, and its length in px. */
  const spans = new Map<number, { from: number; count: number; length: number }>();
  for (let k = 0; k < outline.count; k++) {
    const span = spans.get(outline.chain[k]) ?? { from: k, count: 0, length: 0 };
    span.count++;
    span.length += outline.length[k];
    spans.set(outline.chain[k], span);
  }

  const findImage = (chain: number, map: Isometry) => {
    const own = spans.get(chain);
    if (!own) return undefined;
    const votes = new Map<number, number>();
    let ahead = 0;
    for (let probe = 0; probe < PROBES; probe++) {
      const k = own.from + Math.floor(((probe + 0.5) / PROBES) * own.count);
      const near = outline.nearest(mapX(map, outline.x[k], outline.y[k]), mapY(map, outline.x[k], outline.y[k]));
      if (near < 0) continue;
      const image = outline.chain[near];
      votes.set(image, (votes.get(image) ?? 0) + 1);
      const [ux, uy] = [outline.ux[k], outline.uy[k]];
      ahead += Math.sign((map.a * ux + map.b * uy) * outline.ux[near] + (map.c * ux + map.d * uy) * outline.uy[near]);
    }
    for (const [image, count] of votes) {
      if (count < 0.6 * PROBES) continue;
      const length = spans.get(image)?.length ?? 0;
      if (Math.abs(own.length - length) > LENGTH_PX + LENGTH_SHARE * own.length) return undefined;
      if (all[chain].start < 0 !== all[image].start < 0) return undefined;
      if (all[chain].start < 0) return { chain: image, isBackward: ahead < 0 };
      const isBackward = endsMeet(curves[chain], curves[image], map);
      return isBackward === undefined ? undefined : { chain: image, isBackward };
    }
    return undefined;
  };

  const isDone = new Set<number>();
  const orbits: Orbit[] = [];
  for (const chain of chains) {
    if (isDone.has(chain)) continue;
    const orbit = toOrbit(chain, maps, curves[chain], all[chain].start < 0, findImage);
    if (!orbit) return undefined;
    for (const member of orbit.members) {
      if (isDone.has(member.chain)) return undefined;
      isDone.add(member.chain);
    }
    orbits.push(orbit);
  }
  return isDone.size === spans.size ? orbits : undefined;
}

/** Returns whether a map lays an open curve backward on another; undefined when their ends do not meet. */
function endsMeet(curve: Curve, image: Curve, map: Isometry): boolean | undefined {
  const end = curve.segments[curve.segments.length - 1] ?? curve;
  const imageEnd = image.segments[image.segments.length - 1] ?? image;
  const meet = (p: { x: number; y: number }, q: { x: number; y: number }): number =>
    hypot(mapX(map, p.x, p.y) - q.x, mapY(map, p.x, p.y) - q.y);
  const ahead = Math.max(meet(curve, image), meet(end, imageEnd));
  const back = Math.max(meet(curve, imageEnd), meet(end, image));
  if (Math.min(ahead, back) > END_PX) return undefined;
  return back < ahead;
}
