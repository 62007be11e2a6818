/** Pulls the edges of an area inward, with Clipper2, and spares its thin parts. */
import {
  Clipper,
  ClipperOffset,
  ClipType,
  EndType,
  FillRule,
  JoinType,
  type PolyPath64,
  PolyTree64,
} from 'clipper2-ts';
import { createCurveKeeper, type Grid, type Region } from './curves.ts';
import type { Contour } from './pathData.ts';
import { perimeterOf, touchingPairs } from './planar.ts';

/** An area among others, back to front. */
export interface ChokeArea {
  /** Filled by even-odd. */
  readonly contours: readonly Contour[];
  /** True for one that keeps its full size where no other area lies over it. */
  readonly isExempt: boolean;
}

/** The share of a line's width that may go at each of its sides. */
const MOST_OF_WIDTH = 1 / 4;
/** Each step of thinner parts is pulled in by this share of the step before it. */
const STEP = 0.7;
const STEPS = 8;
/** What is thinner, in the grid's tolerance, is rounding and no part of a drawing. */
const SLIVER = 2;
/** A corner that is sharper than 60° is a thin part of its own. */
const MITER_LIMIT = 2;
/** How far, in distances, what is around a place can change its result. */
const REACH = 10;
/** A sweep over many points at once is slower than over the same points in tiles. */
const TILE_POINTS = 2000;
/** A drawing with more overlaps would take too long: its exempt areas are not cut then. */
const MOST_COVERS = 20_000;

/**
 * Returns the areas together, pulled in by `distance` from every edge, and the whole of what is exempt and visible.
 *
 * A part that is narrower than four times the distance is pulled in by less: by steps, at most a quarter of its width
 * and, down to a tenth of the distance, at least 0.7 of that quarter. What is narrower still stays as wide as it is.
 * Local width is the diameter of the largest circle inside the area that holds a point (a morphological opening). Where
 * a thin line leaves a wide part, both are joined. An infinite distance leaves the exempt areas alone. Cost: n log n in
 * the points, and a boolean operation for each exempt area that something lies over.
 */
export function chokeAreas(areas: readonly ChokeArea[], distance: number, grid: Grid): Contour[] {
  const curves = createCurveKeeper(grid);
  const regions = areas.map(({ contours }) => Clipper.union(curves.toRegion(contours), FillRule.EvenOdd));
  const exempt = Clipper.union(visibleExempt(areas, regions).flat(), FillRule.NonZero);
  if (distance === Infinity) return curves.toContours(exempt);
  const whole = simplify(Clipper.union(regions.flat(), FillRule.NonZero), grid);
  const step = distance / grid.unit;
  const plate = islandsOf(whole).flatMap((island) =>
    inTiles(island, boundsOf(island), REACH * step, (part) => choke(part, step, grid)),
  );
  return curves.toContours(unite(plate, exempt));
}

function visibleExempt(areas: readonly ChokeArea[], regions: readonly Region[]): Region[] {
  const bounds = regions
    .map(boundsOf)
    .map(({ left, top, right, bottom }) => ({ minX: left, minY: top, maxX: right, maxY: bottom }));
  const covers = new Map<number, number[]>();
  let count = 0;
  if (areas.some(({ isExempt }) => isExempt)) {
    for (const [below, above] of touchingPairs(bounds)) {
      if (!areas[below]!.isExempt || areas[above]!.isExempt) continue;
      count++;
      const list = covers.get(below);
      if (list) list.push(above);
      else covers.set(below, [above]);
    }
  }
  return regions.flatMap((region, i) => {
    if (!areas[i]!.isExempt) return [];
    const above = count > MOST_COVERS ? undefined : covers.get(i);
    if (!above) return [region];
    const { left, top, right, bottom } = boundsOf(region);
    const box = { left: left - 1, top: top - 1, right: right + 1, bottom: bottom + 1 };
    return [
      subtract(
        region,
        above.flatMap((j) => Clipper.rectClip(box, regions[j]!)),
      ),
    ];
  });
}

/** A box in grid units. */
interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

function boundsOf(region: Region): Box {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const path of region) {
    for (const { x, y } of path) {
      if (x < left) left = x;
      if (x > right) right = x;
      if (y < top) top = y;
      if (y > bottom) bottom = y;
    }
  }
  return { left, top, right, bottom };
}

/** Splits a region into its connected parts, each with its holes. No edge of one changes another. */
function islandsOf(region: Region): Region[] {
  const tree = new PolyTree64();
  Clipper.booleanOpWithPolyTree(ClipType.Union, region, null, tree, FillRule.NonZero);
  const islands: Region[] = [];
  const addChildren = (parent: PolyPath64) => {
    for (let i = 0; i < parent.count; i++) {
      const outer = parent.child(i);
      const island = [outer.poly!];
      for (let k = 0; k < outer.count; k++) {
        island.push(outer.child(k).poly!);
        addChildren(outer.child(k));
      }
      islands.push(island);
    }
  };
  addChildren(tree);
  return islands;
}

/** Works on a region part by part. `reach`: how far what is around a place can change its result. */
function inTiles(region: Region, tile: Box, reach: number, work: (part: Region) => Region): Region {
  const { left, top, right, bottom } = tile;
  const isSmall = Math.max(right - left, bottom - top) <= 2 * reach;
  if (isSmall || region.reduce((sum, { length }) => sum + length, 0) <= TILE_POINTS) {
    return Clipper.rectClip(tile, work(region));
  }
  const isWide = right - left > bottom - top;
  const middle = Math.round(isWide ? (left + right) / 2 : (top + bottom) / 2);
  const halves = isWide
    ? [
        { ...tile, right: middle },
        { ...tile, left: middle },
      ]
    : [
        { ...tile, bottom: middle },
        { ...tile, top: middle },
      ];
  return halves.flatMap((half) => {
    const { left, top, right, bottom } = half;
    const around = { left: left - reach, top: top - reach, right: right + reach, bottom: bottom + reach };
    return inTiles(Clipper.rectClip(around, region), half, reach, work);
  });
}

/** `distance` is in grid units. */
function choke(region: Region, distance: number, grid: Grid): Region {
  if (distance <= 0 || region.length === 0) return region;
  const sliver = (SLIVER * grid.tolerance) / grid.unit;
  const grow = (area: Region, by: number, join = JoinType.Round): Region => {
    const offset = new ClipperOffset(MITER_LIMIT, grid.tolerance / grid.unit);
    offset.addPaths(area, join, EndType.Polygon);
    const result: Region = [];
    offset.execute(by, result);
    return simplify(result, grid);
  };
  /** Returns the parts of an area that no circle of this diameter fits into. Square corners are none. */
  const thinParts = (area: Region, diameter: number): Region => {
    const wide = grow(grow(area, -diameter / 2), diameter / 2, JoinType.Miter);
    return subtract(area, wide).filter((path) => meanThickness(path) > sliver);
  };

  let plate = grow(region, -distance);
  let thin = thinParts(region, distance / MOST_OF_WIDTH);
  let step = distance;
  for (let i = 1; i <= STEPS && thin.length > 0; i++) {
    step = i < STEPS ? step * STEP : 0;
    const inner = step > 0 ? grow(region, -step) : region;
    const core = intersect(inner, thin);
    // The wide part that a line leaves is pulled in by up to `distance`: the line goes on that far into it.
    plate = unite(plate, intersect(inner, grow(core, 1.1 * distance)));
    if (step > 0) thin = intersect(thin, thinParts(region, step / MOST_OF_WIDTH));
  }
  return plate;
}

/** Leaves out points that no place needs: an offset of many short edges crosses itself far more often. */
const simplify = (region: Region, { tolerance, unit }: Grid): Region =>
  Clipper.simplifyPaths(region, tolerance / unit / 2);

/** Returns the area over half the perimeter: the thickness of a long shape. */
function meanThickness(path: Region[number]): number {
  return (2 * Math.abs(Clipper.area(path))) / perimeterOf([path]);
}

const unite = (a: Region, b: Region): Region =>
  b.length === 0 ? Clipper.union(a, FillRule.NonZero) : Clipper.union(a, b, FillRule.NonZero);
const intersect = (a: Region, b: Region): Region => Clipper.intersect(a, b, FillRule.NonZero);
const subtract = (a: Region, b: Region): Region => Clipper.difference(a, b, FillRule.NonZero);
