/** Measures of polylines and polygons, for tests and benchmarks. */
type Point = readonly [number, number];

/** Returns how often a polyline crosses itself. Sweeps along x, so it is close to linear where the pieces are short. */
export function countSelfCrossings(points: readonly Point[]): number {
  const side = (a: Point, b: Point, c: Point): number => (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
  const left = (i: number): number => Math.min(points[i][0], points[i + 1][0]);
  const order = Array.from({ length: Math.max(0, points.length - 1) }, (_, i) => i).sort((i, j) => left(i) - left(j));
  let count = 0;
  for (let m = 0; m < order.length; m++) {
    const [p, q] = [points[order[m]], points[order[m] + 1]];
    const right = Math.max(p[0], q[0]);
    for (let n = m + 1; n < order.length && left(order[n]) <= right; n++) {
      const [r, s] = [points[order[n]], points[order[n] + 1]];
      const across = side(p, q, r) * side(p, q, s);
      const along = side(r, s, p) * side(r, s, q);
      if (across < -1e-9 && along < -1e-9) count++;
    }
  }
  return count;
}

/** Returns the area of a closed polygon: positive where it goes clockwise on a screen, whose y points down. */
export function signedArea(points: readonly Point[]): number {
  let sum = 0;
  for (let k = 0; k < points.length; k++) {
    const [ax, ay] = points[k];
    const [bx, by] = points[(k + 1) % points.length];
    sum += ax * by - bx * ay;
  }
  return sum / 2;
}
