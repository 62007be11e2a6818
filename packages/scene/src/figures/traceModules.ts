/** Traces the outlines of dark modules. */
import type { Contour } from '../geometry/pathData.ts';

/** Steps to the right, down, left and up. */
const STEPS = [
  [1, 0],
  [0, 1],
  [-1, 0],
  [0, -1],
] as const;

/**
 * Returns the outlines around dark modules, a module a unit: closed, clockwise around what is dark and the other way
 * around holes, with a point at each corner and at no other place. Modules side by side share an outline, and no two
 * outlines share an edge. Modules that meet at a corner alone have outlines of their own. Cost: linear in the modules.
 */
export function traceModules(dark: Uint8Array, columns: number, rows: number): Contour[] {
  const stride = columns + 1;
  /** The edges that leave a corner of the grid: a bit for each step. */
  const edges = new Uint8Array(stride * (rows + 1));
  const isDark = (column: number, row: number) =>
    column >= 0 && row >= 0 && column < columns && row < rows && dark[row * columns + column] === 1;
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      if (!isDark(column, row)) continue;
      const corner = row * stride + column;
      if (!isDark(column, row - 1)) edges[corner]! |= 1;
      if (!isDark(column + 1, row)) edges[corner + 1]! |= 2;
      if (!isDark(column, row + 1)) edges[corner + stride + 1]! |= 4;
      if (!isDark(column - 1, row)) edges[corner + stride]! |= 8;
    }
  }
  const contours: Contour[] = [];
  for (let start = 0; start < edges.length; start++) {
    // The first corner that is left of an outline is at its top left, where an edge goes to the right.
    while (edges[start]! & 1) contours.push(walk(edges, start, stride));
  }
  return contours;
}

/** Follows the edges from a corner until they are back there, and takes them away. */
function walk(edges: Uint8Array, start: number, stride: number): Contour {
  const points: number[] = [];
  let corner = start;
  let step = 0;
  let before = -1;
  const leaves = (at: number, way: number) => (edges[at]! & (1 << way)) !== 0;
  // Where two modules meet at the first corner, the way back to it goes up, along the module that lies below.
  const isCrossing = leaves(start, 2);
  do {
    if (step !== before) points.push(corner % stride, Math.floor(corner / stride));
    edges[corner]! &= ~(1 << step);
    const [dx, dy] = STEPS[step]!;
    corner += dx + dy * stride;
    before = step;
    const at = corner;
    // To the right first: where two modules meet at a corner, each outline stays at its own.
    step = [(step + 1) % 4, step, (step + 3) % 4].find((way) => leaves(at, way)) ?? step;
  } while (corner !== start || (isCrossing && before !== 3));
  return { commands: Array.from({ length: points.length / 2 - 1 }, () => 'L' as const), points, isClosed: true };
}
