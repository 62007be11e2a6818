import { hypot } from '../geometry/hypot.ts';
import { compose, type Isometry, invert, isFlip, mapCurve, mapShape } from '../geometry/isometry.ts';
import type { Curve } from '../geometry/segment.ts';
import { signedArea, toCurve } from '../refine/shapeCurve.ts';
import { findClasses, offBy } from './classes.ts';
import { RIGHT } from './directions.ts';
import type { Find } from './finds.ts';

/** A straight segment of a curve, by its length in px and its direction in radians. */
export interface Straight {
  length: number;
  angle: number;
}

/** How far a find may turn, and whether its axis may become level. */
export interface TurnSettings {
  /** px. */
  reach: number;
  mayLevel: boolean;
}

/**
 * Turns finds until their axes are parallel, square or half way between to one another and to the straight segments of
 * other curves, where that moves no point of them by more than `reach` px: an axis is as uncertain as what it was found
 * from. Returns the finds with the maps that are so turned, and the curves.
 */
export function turnFinds(
  curves: readonly Curve[],
  finds: readonly Find[],
  straights: readonly Straight[],
  { reach, mayLevel }: TurnSettings,
): { curves: Curve[]; finds: Find[] } {
  const axes = finds.flatMap((find, k) => {
    const map = find.maps.find(isFlip);
    if (!map) return [];
    const chains = find.orbits.flatMap(({ members }) => members.map(({ chain }) => chain));
    const nodes = chains.flatMap((chain) => curves[chain].segments);
    const x = nodes.reduce((sum, node) => sum + node.x, 0) / nodes.length;
    const y = nodes.reduce((sum, node) => sum + node.y, 0) / nodes.length;
    const radius = nodes.reduce((most, node) => Math.max(most, hypot(node.x - x, node.y - y)), 1);
    return [{ k, chains, x, y, length: 2 * radius, angle: Math.atan2(map.c, map.a) / 2 }];
  });
  const all: Straight[] = [...axes, ...straights];
  const angles = all.map(({ angle }) => angle);
  const turns = all.map(({ length }) => (2 * reach) / length);
  const weights = all.map(({ length }) => length ** 3);
  const out = { curves: curves.slice(), finds: finds.slice() };
  for (const members of findClasses(angles, turns, weights, RIGHT / 2)) {
    let [sum, total] = [0, 0];
    for (const k of members) {
      sum += weights[k] * offBy(angles[k], angles[members[0]], RIGHT / 2);
      total += weights[k];
    }
    let direction = angles[members[0]] + sum / total;
    const level = direction - offBy(direction, 0, RIGHT / 2);
    if (mayLevel && Math.abs(level - direction) <= turns[members[0]]) direction = level;
    for (const i of members) {
      // The axes come first.
      if (i >= axes.length) continue;
      const { k, chains, x, y, angle } = axes[i];
      const turn = offBy(direction, angle, RIGHT / 2);
      if (turn === 0) continue;
      const map = turnAbout(x, y, turn);
      const back = invert(map);
      out.finds[k] = { ...finds[k], maps: finds[k].maps.map((own) => compose(map, compose(own, back))) };
      for (const chain of chains) out.curves[chain] = turnCurve(curves[chain], map);
    }
  }
  return out;
}

/** Returns a rotation by a small angle. Unlike `rotation`, it does not round the sines of angles next to nothing. */
function turnAbout(x: number, y: number, angle: number): Isometry {
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  return { a: cos, b: -sin, c: sin, d: cos, dx: x - cos * x + sin * y, dy: y - sin * x - cos * y };
}

/** Returns a curve that is turned, with its shape. */
function turnCurve(curve: Curve, map: Isometry): Curve {
  const { shape } = curve;
  return shape ? toCurve(mapShape(map, shape), signedArea(curve) < 0) : mapCurve(map, curve);
}
