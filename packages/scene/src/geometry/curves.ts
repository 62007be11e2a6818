/**
 * Curves through booleans and back. Clipper knows polygons only; every vertex it is given carries a number that tells
 * which curve it lies on and how far along, so what comes back is put together from pieces of the same curves. Only
 * where outlines cross do short lines remain.
 */
import type { Path64, Paths64, Point64 } from 'clipper2-ts';
import { type Contour, pushCubic } from './pathData.ts';

/**
 * The integer grid that Clipper works on: one step is `unit` long, and curves are flattened to within `tolerance`.
 * Both, and `crumb`, are in the unit of the outlines.
 */
export interface Grid {
  readonly unit: number;
  readonly tolerance: number;
  /**
   * The width up to which an overlap at an edge is ignored: nobody meant it or sees it. Absent: every overlap counts.
   */
  readonly crumb?: number;
}

export type Region = Paths64;

interface Curve {
  /** x0, y0 … x3, y3. */
  readonly points: readonly number[];
  readonly steps: number;
}

/** A vertex given to Clipper: its exact place, the curve it ends or lies on, and the curve it starts. */
interface PathVertex {
  readonly x: number;
  readonly y: number;
  on: Curve | undefined;
  step: number;
  starts: Curve | undefined;
}

/**
 * Converts contours to Clipper's polygons and back. A region goes back through the keeper that its contours came from.
 */
export interface CurveKeeper {
  toRegion(contours: readonly Contour[]): Region;
  /** Converts a region back. Edges between this keeper's own vertices become curves again, all others lines. */
  toContours(region: Region, isClosed?: boolean): Contour[];
}

/**
 * Creates a keeper that remembers every vertex it converts. Use one for each boolean operation. Memory: linear in the
 * flattened points.
 */
export function createCurveKeeper({ unit, tolerance }: Grid): CurveKeeper {
  // Number 0 marks the vertices that Clipper makes.
  const vertices: (PathVertex | undefined)[] = [undefined];

  function toPath({ commands, points, isClosed }: Contour): Path64 {
    const path: Path64 = [];
    const add = (x: number, y: number, on: Curve | undefined, step: number) => {
      vertices.push({ x, y, on, step, starts: undefined });
      path.push({ x: Math.round(x / unit), y: Math.round(y / unit), z: vertices.length - 1 });
    };
    add(points[0]!, points[1]!, undefined, 0);
    let p = 0;
    for (const command of commands) {
      if (command === 'L') {
        p += 2;
        add(points[p]!, points[p + 1]!, undefined, 0);
        continue;
      }
      const flat: number[] = [];
      const steps = pushCubic(flat, points, p, tolerance);
      const curve: Curve = { points: points.slice(p, p + 8), steps };
      vertices.at(-1)!.starts = curve;
      for (let i = 0; i < steps; i++) add(flat[2 * i]!, flat[2 * i + 1]!, curve, i + 1);
      p += 6;
    }
    const [first, last] = [path[0]!, path.at(-1)!];
    if (isClosed && path.length > 1 && first.x === last.x && first.y === last.y) {
      // One vertex for start and end, or Clipper would drop either.
      const { on, step } = vertices[last.z!]!;
      Object.assign(vertices[first.z!]!, { on, step });
      path.pop();
    }
    return path;
  }

  const vertexOf = ({ x, y, z }: Point64): PathVertex | undefined => {
    const vertex = z ? vertices[z] : undefined;
    const isHere = vertex && Math.round(vertex.x / unit) === x && Math.round(vertex.y / unit) === y;
    return isHere ? vertex : undefined;
  };

  /**
   * Puts the edges of a path together to runs along one curve or line each. It sees every vertex of every result, so it
   * makes no objects but for runs: with some for each edge it took as long as the boolean operations.
   */
  function findRuns(path: Path64, isClosed: boolean): Run[] {
    const runs: Run[] = [];
    const edge: Edge = { curve: undefined, fromStep: 0, toStep: 0 };
    let fromIndex = isClosed ? path.length - 1 : 0;
    let from = vertexOf(path[fromIndex]!);
    let last: Run | undefined;
    for (let i = isClosed ? 0 : 1; i < path.length; i++) {
      const to = vertexOf(path[i]!);
      findCurve(from, to, edge);
      if (last && continues(last, edge)) {
        last.toIndex = i;
        last.toStep = edge.toStep;
      } else {
        last = { ...edge, fromIndex, toIndex: i };
        runs.push(last);
      }
      from = to;
      fromIndex = i;
    }
    // A closed path may have begun in the middle of a curve.
    if (isClosed && runs.length > 1 && continues(last!, runs[0]!)) {
      const { toIndex, toStep } = runs.shift()!;
      Object.assign(last!, { toIndex, toStep });
    }
    return runs;
  }

  function toContour(path: Path64, isClosed: boolean): Contour {
    const runs = findRuns(path, isClosed);
    const place = (index: number) => {
      const point = path[index]!;
      return vertexOf(point) ?? { x: point.x * unit, y: point.y * unit };
    };
    const start = place(runs[0]!.fromIndex);
    const contour: Contour = { commands: [], points: [start.x, start.y], isClosed };
    for (const [i, { curve, fromStep, toStep, toIndex }] of runs.entries()) {
      if (curve) {
        contour.commands.push('C');
        contour.points.push(...cutCurve(curve.points, fromStep / curve.steps, toStep / curve.steps));
      } else if (!isClosed || i < runs.length - 1) {
        const end = place(toIndex);
        contour.commands.push('L');
        contour.points.push(end.x, end.y);
      }
    }
    return contour;
  }

  return {
    toRegion: (contours) => contours.map(toPath),
    toContours(region, isClosed = true) {
      return region.filter((path) => path.length > (isClosed ? 2 : 1)).map((path) => toContour(path, isClosed));
    },
  };
}

/** An edge between two vertices: the curve that it is a step of, if any. */
interface Edge {
  curve: Curve | undefined;
  fromStep: number;
  toStep: number;
}

/** Edges in a row along one curve, or one line, as indices of the path's points. */
interface Run extends Edge {
  readonly fromIndex: number;
  toIndex: number;
}

/** Sets the curve on which one vertex follows the other, in either direction. */
function findCurve(from: PathVertex | undefined, to: PathVertex | undefined, edge: Edge): void {
  edge.curve = undefined;
  edge.fromStep = 0;
  edge.toStep = 0;
  if (from && to && !isStepOf(from.on, from, to, edge)) isStepOf(from.starts, from, to, edge);
}

/** No vertex is at this step, nor at one beside it. */
const NOWHERE = -9;

/** True when two vertices are neighbors on a curve, which `edge` then gets. */
function isStepOf(curve: Curve | undefined, from: PathVertex, to: PathVertex, edge: Edge): boolean {
  if (!curve || (curve !== to.on && curve !== to.starts)) return false;
  // A curve that comes back to where it began has one vertex for both ends.
  for (let i = 0; i < 4; i++) {
    const fromStep = stepOn(curve, from, i > 1);
    const toStep = stepOn(curve, to, i % 2 === 1);
    if (Math.abs(fromStep - toStep) !== 1) continue;
    edge.curve = curve;
    edge.fromStep = fromStep;
    edge.toStep = toStep;
    return true;
  }
  return false;
}

function stepOn(curve: Curve, { on, step, starts }: PathVertex, isStart: boolean): number {
  if (isStart) return starts === curve ? 0 : NOWHERE;
  return on === curve ? step : NOWHERE;
}

/** True when an edge continues along the curve of the one before it. */
function continues(before: Edge, edge: Edge): boolean {
  return (
    edge.curve !== undefined &&
    edge.curve === before.curve &&
    before.toStep === edge.fromStep &&
    before.toStep > before.fromStep === edge.toStep > edge.fromStep
  );
}

/** Returns the piece of a cubic between two parameters, without its first point (de Casteljau, by blossoms). */
export function cutCurve(points: readonly number[], from: number, to: number): number[] {
  if (from === 0 && to === 1) return points.slice(2, 8);
  const blossom = (axis: 0 | 1, a: number, b: number, c: number) => {
    const mix = (p: number, q: number, t: number) => (t === 0 ? p : t === 1 ? q : p + (q - p) * t);
    const [p0, p1, p2, p3] = [points[axis]!, points[2 + axis]!, points[4 + axis]!, points[6 + axis]!];
    const [q0, q1, q2] = [mix(p0, p1, a), mix(p1, p2, a), mix(p2, p3, a)];
    return mix(mix(q0, q1, b), mix(q1, q2, b), c);
  };
  const at = (a: number, b: number, c: number) => [blossom(0, a, b, c), blossom(1, a, b, c)];
  return [...at(from, from, to), ...at(from, to, to), ...at(to, to, to)];
}
