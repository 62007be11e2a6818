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

/**
 * Converts contours to Clipper's polygons and back. A region goes back through the keeper that its contours came from.
 */
export interface CurveKeeper {
  toRegion(contours: readonly Contour[]): Region;
  /** Converts a region back. Edges between this keeper's own vertices become curves again, all others lines. */
  toContours(region: Region, isClosed?: boolean): Contour[];
}

/**
 * The vertices given to Clipper, in columns, from number 1 on: number 0 marks those that Clipper makes. A drawing has a
 * quarter of a million of them; as objects they took a third of all memory.
 */
class Vertices {
  count = 1;
  /** The exact places. */
  x = new Float64Array(256);
  y = new Float64Array(256);
  /** The curve that each vertex lies on or ends, and how many steps along it; 0 for none. */
  on = new Int32Array(256);
  step = new Int32Array(256);
  /** The curve that each vertex starts; 0 for none. */
  starts = new Int32Array(256);

  add(x: number, y: number, on: number, step: number): number {
    const number = this.count++;
    if (number === this.x.length) this.grow();
    this.x[number] = x;
    this.y[number] = y;
    this.on[number] = on;
    this.step[number] = step;
    return number;
  }

  private grow(): void {
    const size = 2 * this.x.length;
    const places = (values: Float64Array) => {
      const more = new Float64Array(size);
      more.set(values);
      return more;
    };
    const numbers = (values: Int32Array) => {
      const more = new Int32Array(size);
      more.set(values);
      return more;
    };
    [this.x, this.y] = [places(this.x), places(this.y)];
    [this.on, this.step, this.starts] = [numbers(this.on), numbers(this.step), numbers(this.starts)];
  }
}

/** Edges in a row along one curve, or one line: from and to which of the path's points, and steps of the curve. */
interface Runs {
  readonly curve: number[];
  readonly fromStep: number[];
  readonly toStep: number[];
  readonly fromIndex: number[];
  readonly toIndex: number[];
}

/**
 * Creates a keeper that remembers every vertex it converts. Use one for each boolean operation. Memory: linear in the
 * flattened points.
 */
export function createCurveKeeper({ unit, tolerance }: Grid): CurveKeeper {
  const vertices = new Vertices();
  /** The contour's points and the place of its first one, and its steps, of each curve. There is no number 0. */
  const curvePoints: (readonly number[])[] = [[]];
  const curveStarts = [0];
  const curveSteps = [0];

  function toPath({ commands, points, isClosed }: Contour): Path64 {
    const path: Path64 = [];
    const add = (x: number, y: number, on: number, step: number) => {
      path.push({ x: Math.round(x / unit), y: Math.round(y / unit), z: vertices.add(x, y, on, step) });
    };
    add(points[0]!, points[1]!, 0, 0);
    let p = 0;
    const flat: number[] = [];
    for (const command of commands) {
      if (command === 'L') {
        p += 2;
        add(points[p]!, points[p + 1]!, 0, 0);
        continue;
      }
      flat.length = 0;
      const steps = pushCubic(flat, points, p, tolerance);
      const curve = curvePoints.push(points) - 1;
      curveStarts.push(p);
      curveSteps.push(steps);
      vertices.starts[vertices.count - 1] = curve;
      for (let i = 0; i < steps; i++) add(flat[2 * i]!, flat[2 * i + 1]!, curve, i + 1);
      p += 6;
    }
    const [first, last] = [path[0]!, path.at(-1)!];
    if (isClosed && path.length > 1 && first.x === last.x && first.y === last.y) {
      // One vertex for start and end, or Clipper would drop either.
      vertices.on[first.z!] = vertices.on[last.z!]!;
      vertices.step[first.z!] = vertices.step[last.z!]!;
      path.pop();
    }
    return path;
  }

  /** Returns the number of a point's vertex; 0 for a point that is none, or no longer at its place. */
  const vertexOf = ({ x, y, z }: Point64): number => {
    if (!z || Math.round(vertices.x[z]! / unit) !== x || Math.round(vertices.y[z]! / unit) !== y) return 0;
    return z;
  };

  const edge: Edge = { curve: 0, fromStep: 0, toStep: 0 };
  const runs: Runs = { curve: [], fromStep: [], toStep: [], fromIndex: [], toIndex: [] };
  const columns = [runs.curve, runs.fromStep, runs.toStep, runs.fromIndex, runs.toIndex];

  /**
   * Puts the edges of a path together to runs along one curve or line each. It sees every vertex of every result, so it
   * makes no objects: with some for each edge it took as long as the boolean operations.
   */
  function findRuns(path: Path64, isClosed: boolean): void {
    for (const column of columns) column.length = 0;
    let fromIndex = isClosed ? path.length - 1 : 0;
    let from = vertexOf(path[fromIndex]!);
    for (let i = isClosed ? 0 : 1; i < path.length; i++) {
      const to = vertexOf(path[i]!);
      findCurve(vertices, from, to, edge);
      const last = runs.curve.length - 1;
      if (last >= 0 && continues(last, edge.curve, edge.fromStep, edge.toStep)) {
        runs.toIndex[last] = i;
        runs.toStep[last] = edge.toStep;
      } else {
        runs.curve.push(edge.curve);
        runs.fromStep.push(edge.fromStep);
        runs.toStep.push(edge.toStep);
        runs.fromIndex.push(fromIndex);
        runs.toIndex.push(i);
      }
      from = to;
      fromIndex = i;
    }
    // A closed path may have begun in the middle of a curve.
    const last = runs.curve.length - 1;
    if (isClosed && last > 0 && continues(last, runs.curve[0]!, runs.fromStep[0]!, runs.toStep[0]!)) {
      runs.toIndex[last] = runs.toIndex[0]!;
      runs.toStep[last] = runs.toStep[0]!;
      for (const column of columns) column.shift();
    }
  }

  /** True when a stretch of a curve goes on where run `i` ends, in its direction. */
  const continues = (i: number, curve: number, fromStep: number, toStep: number): boolean =>
    curve !== 0 &&
    curve === runs.curve[i] &&
    runs.toStep[i] === fromStep &&
    fromStep > runs.fromStep[i]! === toStep > fromStep;

  function toContour(path: Path64, isClosed: boolean): Contour {
    findRuns(path, isClosed);
    const contour: Contour = { commands: [], points: [], isClosed };
    const addPlace = (index: number) => {
      const point = path[index]!;
      const vertex = vertexOf(point);
      if (vertex > 0) contour.points.push(vertices.x[vertex]!, vertices.y[vertex]!);
      else contour.points.push(point.x * unit, point.y * unit);
    };
    addPlace(runs.fromIndex[0]!);
    const count = runs.curve.length;
    for (let i = 0; i < count; i++) {
      const curve = runs.curve[i]!;
      if (curve > 0) {
        const start = curveStarts[curve]!;
        const steps = curveSteps[curve]!;
        const points = curvePoints[curve]!.slice(start, start + 8);
        contour.commands.push('C');
        contour.points.push(...cutCurve(points, runs.fromStep[i]! / steps, runs.toStep[i]! / steps));
      } else if (!isClosed || i < count - 1) {
        contour.commands.push('L');
        addPlace(runs.toIndex[i]!);
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

/** An edge between two vertices: the curve that it is a step of, 0 for none. */
interface Edge {
  curve: number;
  fromStep: number;
  toStep: number;
}

/** Sets the curve on which one vertex follows the other, in either direction. */
function findCurve(vertices: Vertices, from: number, to: number, edge: Edge): void {
  edge.curve = 0;
  edge.fromStep = 0;
  edge.toStep = 0;
  if (from === 0 || to === 0) return;
  if (!isStepOf(vertices, vertices.on[from]!, from, to, edge)) {
    isStepOf(vertices, vertices.starts[from]!, from, to, edge);
  }
}

/** No vertex is at this step, nor at one beside it. */
const NOWHERE = -9;

/** True when two vertices are neighbors on a curve, which `edge` then gets. */
function isStepOf(vertices: Vertices, curve: number, from: number, to: number, edge: Edge): boolean {
  if (curve === 0 || (curve !== vertices.on[to] && curve !== vertices.starts[to])) return false;
  // A curve that comes back to where it began has one vertex for both ends.
  for (let i = 0; i < 4; i++) {
    const fromStep = stepOn(vertices, curve, from, i > 1);
    const toStep = stepOn(vertices, curve, to, i % 2 === 1);
    if (Math.abs(fromStep - toStep) !== 1) continue;
    edge.curve = curve;
    edge.fromStep = fromStep;
    edge.toStep = toStep;
    return true;
  }
  return false;
}

function stepOn(vertices: Vertices, curve: number, vertex: number, isStart: boolean): number {
  if (isStart) return vertices.starts[vertex] === curve ? 0 : NOWHERE;
  return vertices.on[vertex] === curve ? vertices.step[vertex]! : NOWHERE;
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
