/** Booleans of outlines, with Clipper2 on finely flattened curves. Whatever does not need one keeps its exact curves. */
import { Clipper, Clipper64, ClipType, FillRule, type Paths64 } from 'clipper2-ts';
import { type Bounds, type Contour, flatten, looseBounds } from './pathData.ts';

/** Clipper works on integers: one of them is `unit` long. Curves are flattened to within `tolerance`. */
export interface Grid {
  readonly unit: number;
  readonly tolerance: number;
}

/** For outlines in millimetres. */
export const MM_GRID: Grid = { unit: 1e-4, tolerance: 0.005 };

export type Region = Paths64;

export function toRegion(contours: readonly Contour[], grid: Grid): Region {
  const paths: Region = [];
  for (const contour of contours) {
    const points = flatten(contour, grid.tolerance);
    const path = [];
    for (let i = 0; i < points.length; i += 2) {
      path.push({ x: Math.round(points[i]! / grid.unit), y: Math.round(points[i + 1]! / grid.unit) });
    }
    paths.push(path);
  }
  return paths;
}

export function toContours(region: Region, grid: Grid, isClosed = true): Contour[] {
  return region
    .filter((path) => path.length > (isClosed ? 2 : 1))
    .map((path) => {
      const points: number[] = [];
      for (const { x, y } of path) points.push(x * grid.unit, y * grid.unit);
      return { commands: new Array<'L'>(path.length - 1).fill('L'), points, isClosed };
    });
}

export const union = (a: Region, rule: FillRule): Region => Clipper.union(a, rule);

/** Both regions are free of overlaps of their own (even-odd and non-zero agree), as `union` leaves them. */
export const intersect = (a: Region, b: Region): Region => Clipper.intersect(a, b, FillRule.NonZero);
export const subtract = (a: Region, b: Region): Region => Clipper.difference(a, b, FillRule.NonZero);

export { FillRule };

/** Open lines inside a region. */
export function clipLines(lines: Region, region: Region): Region {
  const clipper = new Clipper64();
  clipper.addOpenSubject(lines);
  clipper.addClip(region);
  const closed: Region = [];
  const open: Region = [];
  clipper.execute(ClipType.Intersection, FillRule.NonZero, closed, open);
  return open;
}

/** In squares of the grid's unit, never negative. */
export const areaOf = (region: Region): number => Math.abs(Clipper.areaPaths(region));

/** In grid units. */
function perimeterOf(region: Region): number {
  let sum = 0;
  for (const path of region) {
    let last = path.at(-1)!;
    for (const point of path) {
      sum += Math.hypot(point.x - last.x, point.y - last.y);
      last = point;
    }
  }
  return sum;
}

/**
 * Whether a region is more than the sliver that rounding leaves between neighbours: thicker than two tolerances on
 * average (area over half the perimeter).
 */
export function isSubstantial(region: Region, grid: Grid): boolean {
  const perimeter = perimeterOf(region);
  return perimeter > 0 && (2 * areaOf(region)) / perimeter > (2 * grid.tolerance) / grid.unit;
}

/**
 * The same filled area for machines, which fill by even-odd: contours filled by non-zero that overlap are joined. Outlines
 * that mean the same under both rules come back untouched.
 */
export function toEvenOdd(contours: readonly Contour[], grid: Grid): readonly Contour[] {
  const flat = toRegion(contours, grid);
  const filled = union(flat, FillRule.NonZero);
  const alternating = union(flat, FillRule.EvenOdd);
  const lost = Clipper.difference(filled, alternating, FillRule.NonZero);
  return isSubstantial(lost, grid) ? toContours(filled, grid) : contours;
}

export const boundsTouch = (a: Bounds, b: Bounds): boolean =>
  a.minX <= b.maxX && b.minX <= a.maxX && a.minY <= b.maxY && b.minY <= a.maxY;

/**
 * Joins those of several outlines that really lie over one another; the others keep their curves. Each outline must be
 * even-odd by itself (`toEvenOdd`). Cost: one boolean per pair of touching boxes.
 */
export function joinOverlapping(outlines: readonly (readonly Contour[])[], grid: Grid): (readonly Contour[])[] {
  const bounds = outlines.map(looseBounds);
  const regions: (Region | undefined)[] = [];
  const regionOf = (i: number) => (regions[i] ??= union(toRegion(outlines[i]!, grid), FillRule.EvenOdd));
  const parent = outlines.map((_, i) => i);
  const findRoot = (i: number): number => (parent[i] === i ? i : findRoot(parent[i]!));

  for (const [i, j] of touchingPairs(bounds)) {
    if (findRoot(i) !== findRoot(j) && isSubstantial(intersect(regionOf(i), regionOf(j)), grid)) {
      parent[Math.max(findRoot(i), findRoot(j))] = Math.min(findRoot(i), findRoot(j));
    }
  }

  const members = new Map<number, number[]>();
  for (const i of outlines.keys()) members.set(findRoot(i), [...(members.get(findRoot(i)) ?? []), i]);
  return [...members.values()].map((group) => {
    if (group.length === 1) return outlines[group[0]!]!;
    return toContours(union(group.flatMap(regionOf), FillRule.NonZero), grid);
  });
}

/** Pairs of boxes that touch, by sweeping over x. */
export function touchingPairs(bounds: readonly Bounds[]): [number, number][] {
  const order = [...bounds.keys()].sort((i, j) => bounds[i]!.minX - bounds[j]!.minX);
  const pairs: [number, number][] = [];
  let open: number[] = [];
  for (const i of order) {
    const box = bounds[i]!;
    open = open.filter((j) => bounds[j]!.maxX >= box.minX);
    for (const j of open) if (boundsTouch(bounds[j]!, box)) pairs.push(i < j ? [i, j] : [j, i]);
    open.push(i);
  }
  return pairs;
}
