/** Pictures for tests, and measures of results. */
import type { Contour, Gray } from '../src/index.ts';

export function paint(width: number, height: number, levelAt: (x: number, y: number) => number): Gray {
  const data = Uint8Array.from({ length: width * height }, (_, i) => levelAt(i % width, Math.floor(i / width)));
  return { width, height, data };
}

export const flat = (width: number, height: number, level: number): Gray => paint(width, height, () => level);

/** A ball before a slope of all tones. */
export const ball = (width: number, height: number): Gray =>
  paint(width, height, (x, y) => {
    const distance = Math.hypot(x / width - 0.4, (y - height / 2) / width) / 0.25;
    return distance < 1 ? 20 + 215 * distance ** 2 : (255 * x) / (width - 1);
  });

/** Returns the largest difference of mean shares of ink between two pictures in any square window, 0..1. */
export function worstWindow(one: Gray, other: Gray, side: number): number {
  const sums = [one, other].map(({ width, height, data }) => {
    const table = new Float64Array((width + 1) * (height + 1));
    for (let y = 0; y < height; y++) {
      for (let x = 0, row = 0; x < width; x++) {
        row += data[y * width + x];
        table[(y + 1) * (width + 1) + x + 1] = table[y * (width + 1) + x + 1] + row;
      }
    }
    return table;
  });
  let worst = 0;
  const stride = one.width + 1;
  for (let y = 0; y + side <= one.height; y++) {
    for (let x = 0; x + side <= one.width; x++) {
      const [a, b] = sums.map(
        (table) =>
          table[(y + side) * stride + x + side] -
          table[y * stride + x + side] -
          table[(y + side) * stride + x] +
          table[y * stride + x],
      );
      worst = Math.max(worst, Math.abs(a - b) / (255 * side * side));
    }
  }
  return worst;
}

interface Edge {
  readonly contour: number;
  readonly place: number;
  readonly count: number;
  readonly ax: number;
  readonly ay: number;
  readonly bx: number;
  readonly by: number;
}

/** Lists all edges by the cells of a grid that they come near to. */
function gridOf(contours: readonly Contour[], cell: number) {
  const cells = new Map<string, Edge[]>();
  const edges: Edge[] = [];
  contours.forEach((points, contour) => {
    const count = points.length / 2;
    for (let place = 0; place < count; place++) {
      const next = (place + 1) % count;
      const [ax, ay, bx, by] = [points[2 * place], points[2 * place + 1], points[2 * next], points[2 * next + 1]];
      const edge = { contour, place, count, ax, ay, bx, by };
      edges.push(edge);
      for (let x = Math.floor(Math.min(ax, bx) / cell) - 1; x <= Math.floor(Math.max(ax, bx) / cell) + 1; x++) {
        for (let y = Math.floor(Math.min(ay, by) / cell) - 1; y <= Math.floor(Math.max(ay, by) / cell) + 1; y++) {
          const list = cells.get(`${x},${y}`);
          if (list) list.push(edge);
          else cells.set(`${x},${y}`, [edge]);
        }
      }
    }
  });
  return { edges, near: (x: number, y: number) => cells.get(`${Math.floor(x / cell)},${Math.floor(y / cell)}`) ?? [] };
}

const crossOf = (ax: number, ay: number, bx: number, by: number) => ax * by - ay * bx;

/** Counts pairs of edges that cross in their middles. Edges that share a point or lie on each other do not cross. */
export function countCrossings(contours: readonly Contour[]): number {
  const { edges, near } = gridOf(contours, 0.5);
  let count = 0;
  const side = (a: Edge, x: number, y: number) => crossOf(a.bx - a.ax, a.by - a.ay, x - a.ax, y - a.ay);
  for (const a of edges) {
    for (const b of near(a.ax, a.ay)) {
      if (a === b) continue;
      const [p, q, r, s] = [side(a, b.ax, b.ay), side(a, b.bx, b.by), side(b, a.ax, a.ay), side(b, a.bx, a.by)];
      // Rounding to floats moves points by less than this.
      if (Math.min(Math.abs(p), Math.abs(q), Math.abs(r), Math.abs(s)) < 1e-5) continue;
      if (p > 0 !== q > 0 && r > 0 !== s > 0) count++;
    }
  }
  return count;
}

/** Returns the least distance between points of one contour and edges of another. */
export function leastGap(contours: readonly Contour[]): number {
  const { edges, near } = gridOf(contours, 0.5);
  let least = Number.POSITIVE_INFINITY;
  for (const { ax, ay, contour } of edges) {
    for (const b of near(ax, ay)) {
      if (b.contour === contour) continue;
      const [dx, dy] = [b.bx - b.ax, b.by - b.ay];
      const t = Math.max(0, Math.min(1, ((ax - b.ax) * dx + (ay - b.ay) * dy) / (dx * dx + dy * dy || 1)));
      least = Math.min(least, Math.hypot(ax - b.ax - t * dx, ay - b.ay - t * dy));
    }
  }
  return least;
}

/** Returns the least way from the middle of an edge, straight inward, to the next edge. Clockwise is outward. */
export function leastWidth(contours: readonly Contour[]): number {
  const { edges, near } = gridOf(contours, 0.5);
  let least = Number.POSITIVE_INFINITY;
  for (const a of edges) {
    const length = Math.hypot(a.bx - a.ax, a.by - a.ay);
    if (length < 1e-4) continue;
    const [x, y] = [(a.ax + a.bx) / 2, (a.ay + a.by) / 2];
    const [nx, ny] = [-(a.by - a.ay) / length, (a.bx - a.ax) / length];
    for (const b of near(x, y)) {
      if (b === a) continue;
      const facing = crossOf(nx, ny, b.bx - b.ax, b.by - b.ay);
      if (Math.abs(facing) < 1e-9) continue;
      const t = crossOf(b.ax - x, b.ay - y, b.bx - b.ax, b.by - b.ay) / facing;
      const s = crossOf(b.ax - x, b.ay - y, nx, ny) / facing;
      if (t > 1e-6 && s >= 0 && s <= 1) least = Math.min(least, t);
    }
  }
  return least;
}

/** Returns the least diameter of a disk in the middle of a contour. For convex contours. */
export function leastDisk(contours: readonly Contour[]): number {
  const disks = contours.map((points) => {
    const count = points.length / 2;
    let [x, y] = [0, 0];
    for (let i = 0; i < points.length; i += 2) {
      x += points[i] / count;
      y += points[i + 1] / count;
    }
    let least = Number.POSITIVE_INFINITY;
    for (let i = 0; i < count; i++) {
      const j = (i + 1) % count;
      const [dx, dy] = [points[2 * j] - points[2 * i], points[2 * j + 1] - points[2 * i + 1]];
      const length = Math.hypot(dx, dy);
      if (length > 1e-4)
        least = Math.min(least, Math.abs(crossOf(dx, dy, x - points[2 * i], y - points[2 * i + 1])) / length);
    }
    return 2 * least;
  });
  return Math.min(...disks);
}
