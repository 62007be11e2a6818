import type { BoundaryMap } from '../boundary/boundary.ts';
import { OUTSIDE } from '../boundary/boundary.ts';
import { hypot } from '../geometry/hypot.ts';
import type { Curve } from '../geometry/segment.ts';
import type { Regions } from '../regions/regions.ts';

/** Two ends at a junction continue each other when they turn by less than this, as the sine of the angle. */
const STRAIGHT = 0.16;

/**
 * Returns the place of each region in the order of painting, from the bottom up: large regions before small ones,
 * except where junctions tell otherwise. At a junction of three regions, the outline that passes smoothly is that of
 * the upper region, and the boundary that ends there goes on beneath it. Where junctions contradict one another, most
 * count, and in a cycle the larger region stays below. Linear in junctions, regions times their logarithm.
 */
export function orderRegions(map: BoundaryMap, curves: readonly Curve[], { areaOf, count }: Regions): Int32Array {
  const votes = new Map<number, number>(); // lower region × count + upper region → junctions that say so
  for (const [upper, ...others] of readJunctions(map, curves)) {
    for (const lower of others) {
      const key = lower * count + upper;
      votes.set(key, (votes.get(key) ?? 0) + 1);
    }
  }
  const below = new Map<number, number[]>();
  for (const [key, votesFor] of votes) {
    const upper = key % count;
    const lower = (key - upper) / count;
    if (votesFor <= (votes.get(upper * count + lower) ?? 0)) continue;
    const list = below.get(upper);
    if (list) list.push(lower);
    else below.set(upper, [lower]);
  }
  const bySize = Array.from({ length: count }, (_, region) => region).sort((p, q) => areaOf[q] - areaOf[p] || p - q);
  for (const list of below.values()) list.sort((p, q) => areaOf[q] - areaOf[p] || p - q);
  const placeOf = new Int32Array(count).fill(-1);
  const isOpen = new Uint8Array(count);
  let place = 0;
  for (const first of bySize) {
    // Before a region, those that lie below it.
    const stack = [first];
    while (stack.length > 0) {
      const region = stack[stack.length - 1];
      if (placeOf[region] >= 0 || isOpen[region] === 1) {
        stack.pop();
        if (placeOf[region] < 0) placeOf[region] = place++;
        continue;
      }
      isOpen[region] = 1;
      const list = below.get(region) ?? [];
      for (let k = list.length - 1; k >= 0; k--) if (isOpen[list[k]] === 0) stack.push(list[k]);
    }
  }
  return placeOf;
}

/** Returns, for each junction of three regions that one outline passes smoothly, its region and then the others. */
function readJunctions({ chains, junctions }: BoundaryMap, curves: readonly Curve[]): number[][] {
  const incident = new Int32Array(junctions.length * 4).fill(-1);
  const add = (junction: number, end: number): void => {
    let slot = junction * 4;
    while (incident[slot] >= 0) slot++;
    incident[slot] = end;
  };
  chains.forEach(({ start, end }, c) => {
    if (start < 0) return;
    add(start, 2 * c);
    add(end, 2 * c + 1);
  });
  const triples: number[][] = [];
  for (let slot = 0; slot < incident.length; slot += 4) {
    if (incident[slot + 2] < 0 || incident[slot + 3] >= 0) continue;
    const ends = incident.subarray(slot, slot + 3);
    let best = STRAIGHT;
    let off = -1;
    for (let k = 0; k < 3; k++) {
      const [ax, ay] = directionOf(curves[ends[(k + 1) % 3] >> 1], ends[(k + 1) % 3]);
      const [bx, by] = directionOf(curves[ends[(k + 2) % 3] >> 1], ends[(k + 2) % 3]);
      const bend = ax * bx + ay * by < 0 ? Math.abs(ax * by - ay * bx) : 2;
      if (bend >= best) continue;
      best = bend;
      off = k;
    }
    if (off < 0) continue;
    const { left, right } = chains[ends[off] >> 1];
    const { left: p, right: q } = chains[ends[(off + 1) % 3] >> 1];
    const upper = p === left || p === right ? q : p;
    if (upper !== OUTSIDE && left !== OUTSIDE && right !== OUTSIDE) triples.push([upper, left, right]);
  }
  return triples;
}

/** Returns the unit direction in which a curve leaves a junction by an end: 2c for its start, 2c + 1 for its end. */
function directionOf({ x, y, segments }: Curve, end: number): [number, number] {
  if (segments.length === 0) return [0, 0];
  const isStart = (end & 1) === 0;
  const segment = isStart ? segments[0] : segments[segments.length - 1];
  const before = segments.length > 1 ? segments[segments.length - 2] : { x, y };
  const [fromX, fromY] = isStart ? [x, y] : [segment.x, segment.y];
  let dx = (isStart ? segment.x1 : segment.x2) - fromX;
  let dy = (isStart ? segment.y1 : segment.y2) - fromY;
  if (segment.isLine || hypot(dx, dy) < 1e-6) {
    dx = (isStart ? segment.x : before.x) - fromX;
    dy = (isStart ? segment.y : before.y) - fromY;
  }
  const length = hypot(dx, dy) || 1;
  return [dx / length, dy / length];
}
