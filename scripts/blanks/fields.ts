/** Random fields over the picture, and the lines where they have one value: grain of wood, clefts of slate, folds. */
import { seededRandom } from '@markwright/scene';
import type { Box, Point } from './drawing.ts';

export type Field = (x: number, y: number) => number;

/** Returns smooth noise from -1 to 1 whose features are about one unit large. */
export function makeNoise(seed: number): Field {
  const random = seededRandom(seed);
  const side = 64;
  const lattice = Float32Array.from({ length: side * side }, () => random() * 2 - 1);
  const get = (i: number, j: number) => lattice[(i & (side - 1)) * side + (j & (side - 1))]!;
  const ease = (t: number) => t * t * (3 - 2 * t);
  return (x, y) => {
    const [i, j] = [Math.floor(x), Math.floor(y)];
    const [u, v] = [ease(x - i), ease(y - j)];
    const upper = get(i, j) + (get(i + 1, j) - get(i, j)) * u;
    const lower = get(i, j + 1) + (get(i + 1, j + 1) - get(i, j + 1)) * u;
    return upper + (lower - upper) * v;
  };
}

/**
 * Returns the lines on which the field has the level, by marching squares over a grid. Cost: linear in the cells.
 */
export function contourLines(field: Field, box: Box, [stepX, stepY]: Point, level: number): Point[][] {
  const [columns, rows] = [Math.ceil(box.width / stepX), Math.ceil(box.height / stepY)];
  const x = (i: number) => box.x + i * stepX;
  const y = (j: number) => box.y + j * stepY;
  const values = Array.from({ length: columns + 1 }, (_, i) =>
    Float64Array.from({ length: rows + 1 }, (__, j) => field(x(i), y(j)) - level),
  );
  const share = (a: number, b: number) => a / (a - b);
  // The points where the line crosses the edges of the grid, by edge, and which of them a cell joins.
  const places = new Map<string, Point>();
  const joints = new Map<string, string[]>();
  const cross = (a: readonly [number, number], b: readonly [number, number]): string | undefined => {
    const [from, to] = [values[a[0]]![a[1]]!, values[b[0]]![b[1]]!];
    if (from > 0 === to > 0) return undefined;
    const key = `${a} ${b}`;
    const t = share(from, to);
    places.set(key, [x(a[0]) + (x(b[0]) - x(a[0])) * t, y(a[1]) + (y(b[1]) - y(a[1])) * t]);
    return key;
  };
  const join = (a: string, b: string) => {
    joints.set(a, [...(joints.get(a) ?? []), b]);
    joints.set(b, [...(joints.get(b) ?? []), a]);
  };
  for (let i = 0; i < columns; i++) {
    for (let j = 0; j < rows; j++) {
      const crossings = [
        cross([i, j], [i + 1, j]),
        cross([i + 1, j], [i + 1, j + 1]),
        cross([i, j + 1], [i + 1, j + 1]),
        cross([i, j], [i, j + 1]),
      ].filter((key) => key !== undefined);
      for (let k = 0; k + 1 < crossings.length; k += 2) join(crossings[k]!, crossings[k + 1]!);
    }
  }
  return followJoints(places, joints);
}

/** Follows joints from every open end, and then round what is left. */
function followJoints(places: ReadonlyMap<string, Point>, joints: ReadonlyMap<string, string[]>): Point[][] {
  const lines: Point[][] = [];
  const done = new Set<string>();
  const follow = (start: string) => {
    const line: Point[] = [];
    for (let key: string | undefined = start; key !== undefined; ) {
      done.add(key);
      line.push(places.get(key)!);
      key = joints.get(key)!.find((next) => !done.has(next));
    }
    if (line.length > 2) lines.push(line);
  };
  for (const [key, ends] of joints) if (ends.length === 1 && !done.has(key)) follow(key);
  for (const key of joints.keys()) if (!done.has(key)) follow(key);
  return lines;
}

/** Leaves points out that lie close to the one before, and keeps both ends. */
export function thin(line: readonly Point[], leastPx: number): Point[] {
  const result: Point[] = [line[0]!];
  for (const point of line) {
    const last = result.at(-1)!;
    if (Math.hypot(point[0] - last[0], point[1] - last[1]) >= leastPx) result.push(point);
  }
  const end = line.at(-1)!;
  if (result.at(-1) !== end) result.push(end);
  return result;
}
