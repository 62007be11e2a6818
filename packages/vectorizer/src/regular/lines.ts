import type { BoundaryMap } from '../boundary/boundary.ts';
import { OUTSIDE } from '../boundary/boundary.ts';
import type { CurveMap } from '../fit/curves.ts';
import { hypot } from '../geometry/hypot.ts';
import type { Isometry } from '../geometry/isometry.ts';
import { isFlip, mapX, mapY } from '../geometry/isometry.ts';
import type { Curve } from '../geometry/segment.ts';
import { Model } from '../refine/model.ts';
import { followNodes } from '../refine/shapeCurve.ts';
import { type Straight, type TurnSettings, turnFinds } from './axes.ts';
import { acrossTerms, findBars, findInLine, groupParallel, type Line, toTrack } from './bars.ts';
import { findClasses, offBy } from './classes.ts';
import { Constraints } from './constraints.ts';
import { Directions, RIGHT } from './directions.ts';
import type { Find } from './finds.ts';

/** Lines shorter than this, in px, have no reliable direction. */
const SHORT = 3;
/** The most that a line may turn, in radians: a short one turns far before its ends move far. */
const MOST_TURN = 0.012;
/** Images of nodes lie on nodes within this, in px. */
const ON_NODE = 1e-5;
/** Smaller moves are rounding, and larger errors of a constraint a contradiction, in px. */
const LEAST_MOVE = 1e-9;
const MOST_ERROR = 1e-6;
/** The weight of what follows lines, as a share of theirs. */
const FOLLOWING = 0.01;
/** A node may move farther than its lines may turn, as it ends two of them and their bars. */
const MOST_REACH = 1.5;

/**
 * Makes lines parallel and square, bars equally wide, and broken lines straight, where that turns no line by more than
 * `reach` px at its ends. Finds stay as regular as they are: their lines depend on one another as images do.
 *
 * Lines whose directions are equal up to right angles form classes, and the lines of all classes that depend on one
 * another get one direction: the mean by the cube of their lengths, as that is how the variance of the direction of a
 * fitted line falls. Of the pairs of lines that face each other across one region, those with the same distance form
 * classes too. Once the directions are known, all this, and the images, are linear constraints on the nodes, which move
 * by as little as the constraints allow.
 *
 * Chains that are held stay. Returns the curves, and the chains that cannot follow or would move too far; undefined
 * when there is nothing to align. About n log n in the lines, times the steps that `Constraints` needs.
 */
export function alignLines(
  { map, curves, regions }: CurveMap,
  finds: readonly Find[],
  isHeld: Uint8Array,
  settings: TurnSettings,
): { curves: Curve[]; misfits: Set<number> } | undefined {
  const { reach, mayLevel } = settings;
  const free = finds.filter((find) => !chainsOf(find).some((chain) => isHeld[chain]));
  const pose = turnFinds(curves, free, findStraights(map, curves, free), settings);
  const model = new Model(map, pose.curves);
  const isFixed = new Uint8Array(model.nodes);
  isHeld.forEach((flag, c) => {
    if (flag) for (const node of nodesOf(model, c)) isFixed[node] = 1;
  });
  const lines = findLines(map, model, (c, a, b) => isHeld[c] === 1 || (isFixed[a] === 1 && isFixed[b] === 1));
  const directions = new Directions(lines.map(({ angle }) => angle));
  const misfits = new Set<number>();
  const weights = new Float64Array(model.nodes);
  for (const { a, b, length } of lines) {
    weights[a] += length;
    weights[b] += length;
  }
  const values = Float64Array.from({ length: 2 * model.nodes }, (_, i) => (i & 1 ? model.y : model.x)[i >> 1]);
  const slack = values.map((_, i) => {
    const isFree = !isFixed[i >> 1] && model.free[i >> 1] & (i & 1 ? 2 : 1);
    return isFree ? 1 / (1 + weights[i >> 1]) : 0;
  });
  const constraints = new Constraints(values, slack);
  /** The chain that each constraint is for. */
  const chains: number[] = [];
  const shifts = pose.finds.map((find) => {
    const shift = tieImages(model, lines, find, directions, { constraints, weights });
    if (!shift) for (const chain of chainsOf(find)) misfits.add(chain);
    while (chains.length < constraints.count) chains.push(find.orbits[0].members[0].chain);
    return shift;
  });
  if (misfits.size > 0) return { curves, misfits };

  const tracks = relate(lines, directions, reach, mayLevel).map(({ line, angle }) => toTrack(model, line, angle));
  if (tracks.length === 0) return undefined;
  for (const { line, ux, uy } of tracks) {
    constraints.add(0, [...acrossTerms(line.a, ux, uy, -1), ...acrossTerms(line.b, ux, uy, 1)]);
    chains.push(line.chain);
  }
  const groups = groupParallel(tracks);
  for (const { value, weight, members } of [...findInLine(groups, reach), ...findBars(groups, regions, reach)]) {
    const length = constraints.addUnknown(value, 1 / weight);
    for (const { terms, chain } of members) {
      constraints.add(0, [...terms, [length, -1]]);
      chains.push(chain);
    }
  }

  const { moves, errors } = constraints.solve();
  errors.forEach((error, row) => {
    if (Math.abs(error) > MOST_ERROR) misfits.add(chains[row]);
  });
  // Nodes without lines follow the pieces that they belong to.
  pose.finds.forEach(({ orbits, maps, order }, k) => {
    for (const { members } of orbits) {
      for (const { chain, index } of members) {
        const piece = Math.floor(index / order);
        const [x, y] = shifts[k]?.(moves, piece, maps[piece * order]) ?? [0, 0];
        for (const node of nodesOf(model, chain)) if (weights[node] === 0) moves.set([x, y], 2 * node);
      }
    }
  });
  const change = new Float64Array(model.unknowns);
  const isMoved = new Uint8Array(model.nodes);
  for (let n = 0; n < model.nodes; n++) {
    if (hypot(moves[2 * n], moves[2 * n + 1]) < LEAST_MOVE) continue;
    isMoved[n] = 1;
    change[2 * n] = moves[2 * n];
    change[2 * n + 1] = moves[2 * n + 1];
  }
  model.move(change, model.save());
  const out = model.toCurves(pose.curves).map((curve, c) => {
    const nodes = nodesOf(model, c);
    if (!nodes.some((n) => isMoved[n])) return pose.curves[c];
    if (nodes.some((n) => hypot(change[2 * n], change[2 * n + 1]) > MOST_REACH * reach)) misfits.add(c);
    return followNodes(curve, pose.curves[c]);
  });
  return { curves: out, misfits };
}

/** Returns the chains of a find. */
export function chainsOf({ orbits }: Find): number[] {
  return orbits.flatMap(({ members }) => members.map(({ chain }) => chain));
}

function nodesOf({ points, from }: Model, chain: number): number[] {
  const nodes: number[] = [];
  for (let at = 4 * from[chain]; at < 4 * from[chain + 1]; at += 4) nodes.push(points[at], points[at + 3]);
  return nodes;
}

/** Returns the straight segments of chains that belong to no find, but for those on the border of the picture. */
function findStraights({ chains }: BoundaryMap, curves: readonly Curve[], finds: readonly Find[]): Straight[] {
  const inFinds = new Set(finds.flatMap(chainsOf));
  return curves.flatMap((curve, c) => {
    const { left, right } = chains[c];
    if (left === OUTSIDE || right === OUTSIDE || inFinds.has(c)) return [];
    return curve.segments.flatMap(({ isLine, x, y }, k) => {
      const from = k === 0 ? curve : curve.segments[k - 1];
      const length = hypot(x - from.x, y - from.y);
      return isLine && length >= SHORT ? [{ length, angle: Math.atan2(y - from.y, x - from.x) }] : [];
    });
  });
}

/** Returns all lines but those on the border of the picture and those that are left out. */
function findLines(
  { chains }: BoundaryMap,
  { points, from, x, y }: Model,
  isOut: (chain: number, a: number, b: number) => boolean,
): Line[] {
  const lines: Line[] = [];
  chains.forEach(({ left, right }, chain) => {
    if (left === OUTSIDE || right === OUTSIDE) return;
    for (let at = 4 * from[chain]; at < 4 * from[chain + 1]; at += 4) {
      if (points[at + 1] >= 0) continue;
      const [a, b] = [points[at], points[at + 3]];
      const [dx, dy] = [x[b] - x[a], y[b] - y[a]];
      const length = hypot(dx, dy);
      if (length < SHORT || isOut(chain, a, b)) continue;
      lines.push({ a, b, chain, length, angle: Math.atan2(dy, dx), left, right });
    }
  });
  return lines;
}

/** The constraints to add ties to, and the sum of the lengths of the lines at each node in px: 0 without a line. */
interface Ties {
  constraints: Constraints;
  weights: Float64Array;
}

/** Returns the move of a piece of a find, in px, by the moves of all unknowns and the place of the piece. */
type Shift = (moves: Float64Array, piece: number, place: Isometry) => [number, number];

/**
 * Ties the nodes and lines of a find to their images. Its center may move, and its pieces too. Returns how they do;
 * undefined where a node has no image.
 */
function tieImages(
  model: Model,
  lines: readonly Line[],
  find: Find,
  directions: Directions,
  { constraints, weights }: Ties,
): Shift | undefined {
  const own = new Set(chainsOf(find));
  const nodes = [...new Set([...own].flatMap((chain) => nodesOf(model, chain)))];
  nodes.sort((p, q) => model.x[p] - model.x[q]);
  const nodeAt = (x: number, y: number): number => {
    let [low, high] = [0, nodes.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (model.x[nodes[middle]] < x - ON_NODE) low = middle + 1;
      else high = middle;
    }
    for (; low < nodes.length && model.x[nodes[low]] <= x + ON_NODE; low++) {
      if (Math.abs(model.y[nodes[low]] - y) <= ON_NODE) return nodes[low];
    }
    return -1;
  };
  const keyOf = (a: number, b: number): number => Math.min(a, b) * model.nodes + Math.max(a, b);
  const lineOf = new Map<number, number>();
  lines.forEach(({ a, b, chain }, k) => {
    if (own.has(chain)) lineOf.set(keyOf(a, b), k);
  });
  const imageOf = (map: Isometry, node: number): number =>
    nodeAt(mapX(map, model.x[node], model.y[node]), mapY(map, model.x[node], model.y[node]));
  let total = 1;
  for (const node of nodes) total += weights[node];
  // The move of the first piece, then those that are added to it for the others.
  const pieces = Array.from({ length: find.maps.length / find.order }, () => {
    const x = constraints.addUnknown(0, 1 / (FOLLOWING * total));
    return [x, constraints.addUnknown(0, 1 / (FOLLOWING * total))] as const;
  });
  const [cx, cy] = pieces[0];
  for (const { members } of find.orbits) {
    const firsts = [...new Set(nodesOf(model, members[0].chain))].filter((node) => weights[node] > 0);
    const firstLines = [...lineOf].filter(([, k]) => lines[k].chain === members[0].chain);
    for (const [index, map] of find.maps.entries()) {
      if (index === 0) continue;
      const piece = Math.floor(index / find.order);
      const place = find.maps[piece * find.order];
      for (const node of firsts) {
        const image = imageOf(map, node);
        if (image < 0) return undefined;
        const tie = (side: number, a: number, b: number, center: readonly [number, number], goal: number): void => {
          const terms: [number, number][] = [
            [2 * image + side, 1],
            [2 * node, -a],
            [2 * node + 1, -b],
            [cx, a - center[0]],
            [cy, b - center[1]],
          ];
          if (piece > 0) terms.push([pieces[piece][side], -1]);
          constraints.add(goal, terms);
        };
        tie(0, map.a, map.b, [place.a, place.b], map.dx);
        tie(1, map.c, map.d, [place.c, place.d], map.dy);
      }
      const turn = Math.atan2(map.c, map.a);
      for (const [, k] of firstLines) {
        const image = lineOf.get(keyOf(imageOf(map, lines[k].a), imageOf(map, lines[k].b)));
        if (image !== undefined) directions.relate(image, k, isFlip(map) ? -1 : 1, turn);
      }
    }
  }
  return (moves, piece, { a, b, c, d }) => {
    const [x, y] = [moves[cx], moves[cy]];
    if (piece === 0) return [x, y];
    return [a * x + b * y + moves[pieces[piece][0]], c * x + d * y + moves[pieces[piece][1]]];
  };
}

/** Returns the lines that get a direction, with it, in radians. */
function relate(
  lines: readonly Line[],
  directions: Directions,
  reach: number,
  mayLevel: boolean,
): { line: Line; angle: number }[] {
  const angles = lines.map(({ angle }) => angle);
  const turns = lines.map(({ length }) => Math.min(MOST_TURN, (2 * reach) / length));
  const weights = lines.map(({ length }) => length ** 3);
  const isShared = new Uint8Array(lines.length);
  for (const [first, ...others] of findClasses(angles, turns, weights, RIGHT)) {
    for (const k of others) if (directions.relate(k, first, 1, 0)) isShared[k] = isShared[first] = 1;
  }
  const sets = new Map<number, number[]>();
  lines.forEach((_, k) => {
    const { root } = directions.find(k);
    const list = sets.get(root);
    if (list) list.push(k);
    else sets.set(root, [k]);
  });
  const out: { line: Line; angle: number }[] = [];
  for (const [root, members] of sets) {
    let direction = directions.knownOf(root);
    let isKnown = !Number.isNaN(direction);
    if (!isKnown) {
      let sum = 0;
      let total = 0;
      for (const k of members) {
        const { sign, shift } = directions.find(k);
        sum += weights[k] * offBy(sign * (angles[k] - shift), angles[root], RIGHT);
        total += weights[k];
      }
      direction = angles[root] + sum / total;
      if (mayLevel) {
        const longest = members.reduce((most, k) => (weights[k] > weights[most] ? k : most));
        const { sign, shift } = directions.find(longest);
        const level = Math.round((sign * direction + shift) / (RIGHT / 2)) * (RIGHT / 2);
        isKnown = Math.abs(level - sign * direction - shift) <= turns[longest];
        if (isKnown) direction = sign * (level - shift);
      }
    }
    for (const k of members) {
      if (!isKnown && !isShared[k]) continue;
      const { sign, shift } = directions.find(k);
      const turn = offBy(sign * direction + shift, angles[k], RIGHT);
      if (Math.abs(turn) <= turns[k]) out.push({ line: lines[k], angle: angles[k] + turn });
    }
  }
  return out;
}
