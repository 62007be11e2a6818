import { hypot } from '../geometry/hypot.ts';
import type { Isometry } from '../geometry/isometry.ts';
import { compose, IDENTITY, isFlip, mapX, mapY } from '../geometry/isometry.ts';
import type { Curve } from '../geometry/segment.ts';
import { pointOf } from '../geometry/segment.ts';
import { placeNear } from './parts.ts';

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
export interface Flip {
  map: Isometry;
  x: number;
  y: number;
}

interface Member {
  chain: number;
  /** Lays the first chain on this one. */
  map: Isometry;
  /** The number of that map in its find. */
  index: number;
  /** The image runs against the chain. */
  isBackward: boolean;
}

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
  for (const [index, map] of maps.entries()) {
    const image = findImage(first, map);
    if (!image) return undefined;
    if (image.chain === first) own.push({ map, isBackward: image.isBackward });
    const count = counts.get(image.chain) ?? 0;
    if (count === 0) members.push({ chain: image.chain, map, index, isBackward: image.isBackward });
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
