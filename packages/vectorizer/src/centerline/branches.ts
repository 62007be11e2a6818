import type { BoundaryMap } from '../boundary/boundary.ts';
import type { LabelMap } from '../color/labels.ts';
import { hypot } from '../geometry/hypot.ts';
import type { Curve } from '../geometry/segment.ts';
import type { Regions } from '../regions/regions.ts';
import type { Branch, Branches } from './branch.ts';
import { Section } from './section.ts';
import { measureSides } from './sides.ts';
import type { Skeleton } from './skeleton.ts';

/** Shapes wider than twice this share of the picture's longer side are not lines. */
const MOST_REACH = 0.06;

/**
 * Measures every edge of the skeleton: one point for each row or column that it crosses, whichever is closer to
 * perpendicular. `noise` is in byte levels. Linear in the area of the lines.
 */
export function measureBranches(
  skeleton: Skeleton,
  regions: Regions,
  labelMap: LabelMap,
  noise: number,
  map: BoundaryMap,
  curves: Curve[],
): Branches {
  const { width, height } = regions;
  const { path, edges } = skeleton;
  const reach = Math.max(12, Math.ceil(Math.max(width, height) * MOST_REACH));
  const section = new Section(regions, labelMap, noise, reach);
  const x = new Float64Array(path.length);
  const y = new Float64Array(path.length);
  const across = new Float64Array(path.length);
  const isGood = new Uint8Array(path.length);
  const isColumn = new Uint8Array(path.length);
  const shift = new Float64Array(path.length); // from the midpoint of the edges to the center of mass
  const variance = new Float64Array(path.length);
  const list: Branch[] = [];
  let pointCount = 0;
  for (const { region, start, end, from, to } of edges) {
    const first = pointCount;
    const count = to - from + 1;
    const isLoop = start < 0;
    let length = 0;
    for (let k = 0; k < count; k++) {
      const i = path[from + k];
      const next = path[from + (isLoop ? (k + 1) % count : Math.min(count - 1, k + 1))];
      if (next !== i) length += Math.abs(next - i) === 1 || Math.abs(next - i) === width ? 1 : Math.SQRT2;
      const back = path[from + (isLoop ? (k - 4 + 4 * count) % count : Math.max(0, k - 4))];
      const ahead = path[from + (isLoop ? (k + 4) % count : Math.min(count - 1, k + 4))];
      const runX = (ahead % width) - (back % width);
      const runY = Math.floor(ahead / width) - Math.floor(back / width);
      const px = i % width;
      const py = (i - px) / width;
      const column = Math.abs(runX) >= Math.abs(runY);
      if (column) section.measure(i, width, height - 1 - py, py);
      else section.measure(i, 1, width - 1 - px, px);
      x[pointCount] = px + 0.5 + (column ? 0 : section.fromEdges);
      y[pointCount] = py + 0.5 + (column ? section.fromEdges : 0);
      across[pointCount] = section.sum;
      // Where the line has a center, the skeleton is near it.
      isGood[pointCount] = section.isClean && Math.abs(section.fromEdges) < 1.2 + 0.2 * section.sum ? 1 : 0;
      isColumn[pointCount] = column ? 1 : 0;
      shift[pointCount] = section.fromMass - section.fromEdges;
      variance[pointCount] = section.variance;
      // Where rows and columns alternate, two points without progress along the branch become one.
      if (pointCount > first) {
        const onward =
          ((x[pointCount] - x[pointCount - 1]) * runX + (y[pointCount] - y[pointCount - 1]) * runY) /
          (hypot(runX, runY) || 1);
        if (onward < 0.5) {
          if (isGood[pointCount - 1]) continue;
          pointCount--;
          for (const values of [x, y, across, shift, variance]) values[pointCount] = values[pointCount + 1];
          isGood[pointCount] = isGood[pointCount + 1];
          isColumn[pointCount] = isColumn[pointCount + 1];
        }
      }
      pointCount++;
    }
    list.push({ region, start, end, from: first, to: pointCount - 1, length, width: NaN, isEven: false });
  }

  const direction = { x: 0, y: 0 };
  const blur: number[] = [];
  for (const branch of list) {
    for (let k = branch.from; k <= branch.to; k++) {
      if (!isGood[k] || !directionAt(branch, k, x, y, direction)) continue;
      const cosine = isColumn[k] ? Math.abs(direction.x) : Math.abs(direction.y);
      if (cosine < 0.5) continue;
      const slope2 = 1 / (cosine * cosine) - 1;
      const box = (across[k] * across[k] + 1 + slope2) / 12;
      blur.push((variance[k] - box) * cosine * cosine);
    }
  }
  const sigma = Math.sqrt(Math.max(0, median(blur)));
  const share = Math.min(1, Math.max(0, (sigma - 0.3) / 0.2));
  for (let k = 0; k < pointCount; k++) {
    if (isColumn[k]) y[k] += share * shift[k];
    else x[k] += share * shift[k];
  }
  for (const branch of list) {
    for (let k = branch.from; k <= branch.to; k++) {
      if (!directionAt(branch, k, x, y, direction)) isGood[k] = 0;
      else across[k] *= isColumn[k] ? Math.abs(direction.x) : Math.abs(direction.y);
    }
    branch.width = medianWidth(branch, across, isGood);
  }
  const branches = { list, x, y, width: across, isGood, jitter: 0 };
  for (const branch of list) dropOdd(branch, branches);
  measureSides(branches, skeleton, regions, map, curves);
  branches.jitter = measureScatter(branches);
  return branches;
}

/** Writes the unit direction of a branch at point k. Returns false when the branch has no length there. */
function directionAt(
  branch: Branch,
  k: number,
  x: Float64Array,
  y: Float64Array,
  out: { x: number; y: number },
): boolean {
  const { from, to, start } = branch;
  const count = to - from + 1;
  const isLoop = start < 0 && count > 6;
  const a = isLoop ? from + ((k - from - 3 + count) % count) : Math.max(from, k - 3);
  const b = isLoop ? from + ((k - from + 3) % count) : Math.min(to, k + 3);
  const dx = x[b] - x[a];
  const dy = y[b] - y[a];
  const length = hypot(dx, dy);
  if (length < 0.5) return false;
  out.x = dx / length;
  out.y = dy / length;
  return true;
}

function medianWidth(branch: Branch, width: Float64Array, isGood: Uint8Array): number {
  const good: number[] = [];
  for (let k = branch.from; k <= branch.to; k++) if (isGood[k]) good.push(width[k]);
  return good.length >= 3 ? median(good) : NaN;
}

/** Returns the median, or NaN of an empty list. Sorts the values in place. */
export function median(values: number[]): number {
  if (values.length === 0) return NaN;
  values.sort((p, q) => p - q);
  return values[values.length >> 1];
}

/** Returns true when a width is close to the usual one, as it is where no other line touches. */
function isLike(width: number, usual: number): boolean {
  return width < 1.12 * usual + 0.15 && width > 0.88 * usual - 0.15;
}

function dropOdd(branch: Branch, branches: Branches): void {
  const { width, isGood } = branches;
  const { from, to } = branch;
  for (let k = from; k <= to; k++) if (!isLike(width[k], branch.width)) isGood[k] = 0;
  // A point beside a bad one is distorted too.
  let wasGood = 1;
  for (let k = from; k <= to; k++) {
    const own = isGood[k];
    if (own && (!wasGood || (k < to && !isGood[k + 1]))) isGood[k] = 2;
    wasGood = own;
  }
  for (let k = from; k <= to; k++) if (isGood[k] === 2) isGood[k] = 0;
}

/**
 * Returns the scatter of the points, as for boundaries: the median distance of a point from the curve through its four
 * neighbors, as a standard deviation.
 */
function measureScatter({ list, x, y, isGood }: Branches): number {
  const off: number[] = [];
  for (const { from, to } of list) {
    for (let k = from + 2; k <= to - 2; k++) {
      if (!(isGood[k - 2] && isGood[k - 1] && isGood[k] && isGood[k + 1] && isGood[k + 2])) continue;
      const dx = x[k + 2] - x[k - 2];
      const dy = y[k + 2] - y[k - 2];
      const length = hypot(dx, dy);
      if (length < 2 || Math.min(Math.abs(dx), Math.abs(dy)) < 0.15 * length) continue;
      const ex = x[k] - (4 * (x[k - 1] + x[k + 1]) - (x[k - 2] + x[k + 2])) / 6;
      const ey = y[k] - (4 * (y[k - 1] + y[k + 1]) - (y[k - 2] + y[k + 2])) / 6;
      off.push(Math.abs(ex * dy - ey * dx) / length);
    }
  }
  return off.length > 0 ? Math.min(0.25, Math.max(0.034, median(off) / (0.6745 * 1.395))) : 0.034;
}
