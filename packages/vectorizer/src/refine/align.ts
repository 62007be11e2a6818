import type { BoundaryMap } from '../boundary/boundary.ts';
import { DisjointSet } from '../geometry/disjointSet.ts';
import type { Curve, Shape } from '../geometry/segment.ts';
import { Model } from './model.ts';

/** Lines shorter than this, in px, have no reliable direction. */
const SHORT_LINE = 3;

/**
 * Gives circles of nearly the same radius one radius, and circles of nearly the same center one center, each within
 * `tolerance` px. Changes the shapes in place.
 */
export function agree(shapes: (Shape | undefined)[], tolerance: number): void {
  const circles = shapes.filter((shape) => shape?.kind === 'circle');
  snapEqual(
    circles.map(({ radius }) => radius),
    circles.map(() => 1),
    tolerance,
  ).forEach((radius, k) => {
    circles[k].radius = radius;
  });
  const order = circles.map((_, k) => k).sort((a, b) => circles[a].x - circles[b].x || a - b);
  const isDone = new Uint8Array(circles.length);
  for (let i = 0; i < order.length; i++) {
    const first = circles[order[i]];
    if (isDone[i]) continue;
    const same = [first];
    for (let k = i + 1; k < order.length && circles[order[k]].x - first.x < tolerance; k++) {
      const next = circles[order[k]];
      if (isDone[k] || Math.abs(next.y - first.y) > tolerance) continue;
      isDone[k] = 1;
      same.push(next);
    }
    // The larger a circle, the more accurate its center.
    let x = 0;
    let y = 0;
    let weight = 0;
    for (const circle of same) {
      x += circle.radius * circle.x;
      y += circle.radius * circle.y;
      weight += circle.radius;
    }
    for (const circle of same) {
      circle.x = x / weight;
      circle.y = y / weight;
    }
  }
}

/** Returns values with those that lie within `range` of one another replaced by their weighted mean. */
function snapEqual(values: readonly number[], weights: readonly number[], range: number): number[] {
  const out = values.slice();
  const order = values.map((_, k) => k).sort((a, b) => values[a] - values[b] || a - b);
  for (let i = 0; i < order.length; ) {
    let end = i;
    let sum = 0;
    let weight = 0;
    while (end < order.length && values[order[end]] - values[order[i]] <= range) {
      sum += weights[order[end]] * values[order[end]];
      weight += weights[order[end++]];
    }
    for (; i < end; i++) out[order[i]] = sum / weight;
  }
  return out;
}

/**
 * Makes nearly horizontal or vertical lines exactly so, and aligns those that are nearly collinear, all within
 * `tolerance` px.
 */
export function levelLines(map: BoundaryMap, curves: Curve[], tolerance: number): Curve[] {
  const model = new Model(map, curves);
  const change = new Float64Array(model.unknowns);
  let moveCount = alignNodes(model, model.x, model.y, change, 1, tolerance);
  moveCount += alignNodes(model, model.y, model.x, change, 0, tolerance);
  if (moveCount === 0) return curves;
  model.move(change, model.save());
  return model.toCurves(curves);
}

/**
 * Gives nodes joined by lines along one axis a common coordinate across it. Writes the moves to `change` and returns
 * their number. `side` 1 moves y, 0 moves x.
 */
function alignNodes(
  model: Model,
  along: Float64Array,
  across: Float64Array,
  change: Float64Array,
  side: number,
  tolerance: number,
): number {
  const { points, nodes, free } = model;
  const group = new Int32Array(nodes).fill(-1);
  const groups = new DisjointSet(points.length >> 2);
  let count = 0;
  const sums: number[] = [];
  const weights: number[] = [];
  for (let at = 0; at < points.length; at += 4) {
    if (points[at] < 0 || points[at + 1] >= 0) continue;
    const a = points[at];
    const b = points[at + 3];
    const length = Math.abs(along[b] - along[a]);
    if (length < SHORT_LINE || Math.abs(across[b] - across[a]) > tolerance) continue;
    const value = ((across[a] + across[b]) / 2) * length;
    let g = group[a] >= 0 ? groups.find(group[a]) : -1;
    const h = group[b] >= 0 ? groups.find(group[b]) : -1;
    if (g < 0) g = h;
    if (g < 0) {
      g = count++;
      sums.push(0);
      weights.push(0);
    } else if (h >= 0 && h !== g) {
      groups.link(g, h);
      sums[g] += sums[h];
      weights[g] += weights[h];
    }
    group[a] = group[b] = g;
    sums[g] += value;
    weights[g] += length;
  }
  if (count === 0) return 0;
  // A node that may not move fixes the position of its group.
  const bit = side === 1 ? 2 : 1;
  for (let n = 0; n < nodes; n++) {
    if (group[n] < 0 || free[n] & bit) continue;
    const g = groups.find(group[n]);
    sums[g] = across[n] * 1e6;
    weights[g] = 1e6;
  }
  const roots = sums.map((_, g) => groups.find(g));
  const targets = snapEqual(
    roots.map((g) => sums[g] / weights[g]),
    roots.map((g, k) => (g === k ? weights[g] : 0)),
    0.6 * tolerance,
  );
  let moveCount = 0;
  for (let n = 0; n < nodes; n++) {
    if (group[n] < 0) continue;
    const by = targets[roots[group[n]]] - across[n];
    if (Math.abs(by) > tolerance) continue;
    change[2 * n + side] = by;
    moveCount++;
  }
  return moveCount;
}
