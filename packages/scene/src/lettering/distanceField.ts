/**
 * Signed distances from the outlines of a line of letters, on a grid. A point of a letter that is laid on the line
 * costs one look-up, however many edges the line has.
 */
import { boundsOf } from './lines.ts';
import type { Part } from './parts.ts';

/** Distances at the nodes of a grid of square cells, row by row. */
export interface DistanceField {
  readonly minX: number;
  readonly minY: number;
  readonly cell: number;
  readonly across: number;
  readonly down: number;
  /** Negative inside the parts, between `-reach` and `reach`. */
  readonly distances: Float32Array;
  readonly reach: number;
}

/**
 * Measures the distances from the outlines of parts that do not overlap, up to `reach`. Cost: for each edge, the nodes
 * within reach of its box; for each row of nodes, the edges that cross it.
 */
export function measureField(parts: readonly Part[], cell: number, reach: number): DistanceField {
  const box = boundsOf(parts);
  const [minX, minY] = [box.minX - reach - cell, box.minY - reach - cell];
  const across = Math.ceil((box.maxX + reach - minX) / cell) + 2;
  const down = Math.ceil((box.maxY + reach - minY) / cell) + 2;
  const squares = new Float32Array(across * down).fill(reach * reach);
  const crossings: number[][] = Array.from({ length: down }, () => []);
  for (const ring of parts.flatMap(({ rings }) => rings)) {
    for (let i = 0, j = ring.length - 2; i < ring.length; j = i, i += 2) {
      // In cells, from the first node.
      const [x0, y0] = [(ring[j]! - minX) / cell, (ring[j + 1]! - minY) / cell];
      const [x1, y1] = [(ring[i]! - minX) / cell, (ring[i + 1]! - minY) / cell];
      const [dx, dy] = [x1 - x0, y1 - y0];
      for (let row = Math.ceil(Math.min(y0, y1)); row < Math.max(y0, y1); row++) {
        crossings[row]!.push(x0 + ((row - y0) / dy) * dx);
      }
      const length = dx * dx + dy * dy;
      const band = reach / cell;
      const lastX = Math.floor(Math.max(x0, x1) + band);
      const lastY = Math.floor(Math.max(y0, y1) + band);
      for (let y = Math.ceil(Math.min(y0, y1) - band); y <= lastY; y++) {
        for (let x = Math.ceil(Math.min(x0, x1) - band); x <= lastX; x++) {
          const along = length > 0 ? Math.min(1, Math.max(0, ((x - x0) * dx + (y - y0) * dy) / length)) : 0;
          const [ex, ey] = [x0 + along * dx - x, y0 + along * dy - y];
          const square = (ex * ex + ey * ey) * cell * cell;
          if (square < squares[y * across + x]!) squares[y * across + x] = square;
        }
      }
    }
  }
  const distances = squares.map(Math.sqrt);
  for (const [row, places] of crossings.entries()) {
    places.sort((a, b) => a - b);
    for (let k = 0; k + 1 < places.length; k += 2) {
      const last = Math.floor(places[k + 1]!);
      for (let x = Math.ceil(places[k]!); x <= last; x++) distances[row * across + x]! *= -1;
    }
  }
  return { minX, minY, cell, across, down, distances, reach };
}

/** Returns the distance at a point, between the four nodes around it; `reach` beyond the grid. */
export function distanceAt({ minX, minY, cell, across, down, distances, reach }: DistanceField, x: number, y: number) {
  const [u, v] = [(x - minX) / cell, (y - minY) / cell];
  const [i, j] = [Math.floor(u), Math.floor(v)];
  if (i < 0 || j < 0 || i + 1 >= across || j + 1 >= down) return reach;
  const [a, b] = [u - i, v - j];
  const p = j * across + i;
  const above = distances[p]! * (1 - a) + distances[p + 1]! * a;
  const below = distances[p + across]! * (1 - a) + distances[p + across + 1]! * a;
  return above * (1 - b) + below * b;
}
