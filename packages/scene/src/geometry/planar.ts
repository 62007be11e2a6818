/**
 * Boolean operations on outlines, with Clipper2. An outline that needs none keeps its exact curves; the others keep
 * pieces of theirs. One long file, because all of them share a plane of regions and the judgment of what is a sliver.
 */
import { Clipper, Clipper64, ClipperOffset, ClipType, EndType, FillRule, JoinType, type Point64 } from 'clipper2-ts';
import { type CurveKeeper, createCurveKeeper, type Grid, type Region } from './curves.ts';
import { DisjointSets } from './disjointSets.ts';
import { overlayRegions, partRegions, unionEvenOdd, unionRegions, type VisibleRegion } from './overlay.ts';
import { type Contour, flatten, looseBounds, type PathBounds } from './pathData.ts';
import { hasDoubleWinding, overlappingPairs, TooManyOverlaps } from './scanlines.ts';
import { createTouchTest } from './touching.ts';

export type { Grid } from './curves.ts';

/** The grid for outlines in millimeters. A crumb is about as wide as a laser's beam burns. */
export const MM_GRID: Grid = { unit: 1e-4, tolerance: 0.005, crumb: 0.2 };

const union = (a: Region, rule: FillRule): Region => Clipper.union(a, rule);

/**
 * Returns the common part. Both regions must have no overlaps of their own (even-odd and non-zero agree), as `union`
 * leaves them.
 */
const intersect = (a: Region, b: Region): Region => Clipper.intersect(a, b, FillRule.NonZero);
const subtract = (a: Region, b: Region): Region => Clipper.difference(a, b, FillRule.NonZero);

/** Returns the parts of open lines that are inside a region (or outside it, with `Difference`). */
function clipLines(lines: Region, region: Region, type = ClipType.Intersection): Region {
  const clipper = new Clipper64();
  clipper.addOpenSubject(lines);
  clipper.addClip(region);
  const closedParts: Region = [];
  const open: Region = [];
  clipper.execute(type, FillRule.NonZero, closedParts, open);
  return open;
}

/** Returns the area in squared grid units, never negative. */
const areaOf = (region: Region): number => Math.abs(Clipper.areaPaths(region));

/** Returns the area that contours fill by even-odd, in squared units of the contours. Cost: a union. */
export const measureUnion = (contours: readonly Contour[], grid: Grid): number =>
  areaOf(unionEvenOdd(createCurveKeeper(grid).toRegion(contours))) * grid.unit ** 2;

/** Returns the length of all edges of a region, in grid units. */
export function perimeterOf(region: Region): number {
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
 * True when a region is more than a sliver that rounding leaves between neighbors: its mean thickness (area over half
 * the perimeter) is more than two tolerances.
 */
function isSubstantial(region: Region, grid: Grid): boolean {
  const perimeter = perimeterOf(region);
  return perimeter > 0 && (2 * areaOf(region)) / perimeter > (2 * grid.tolerance) / grid.unit;
}

/**
 * Converts contours that are filled by non-zero to the same area under even-odd, which is how machines fill:
 * overlapping contours are joined. Returns outlines that are the same under both rules unchanged.
 */
export function toEvenOdd(contours: readonly Contour[], grid: Grid): readonly Contour[] {
  if (!hasDoubleWinding(contours, grid.tolerance, grid.crumb)) return contours;
  const curves = createCurveKeeper(grid);
  return curves.toContours(union(curves.toRegion(contours), FillRule.NonZero));
}

/**
 * Joins the outlines that really overlap; the others keep their curves. Each outline must be even-odd by itself
 * (`toEvenOdd`). Cost: one boolean operation for each overlapping pair, over the part that both share.
 */
export function joinOverlapping(outlines: readonly (readonly Contour[])[], grid: Grid): (readonly Contour[])[] {
  const plane = createPlane(outlines, grid);
  const sets = new DisjointSets(outlines.length);
  for (const [i, j] of findPairs(outlines, grid) ?? []) {
    if (sets.find(i) === sets.find(j)) continue;
    if (isSubstantial(intersect(plane.near(i, plane.bounds[j]!), plane.near(j, plane.bounds[i]!)), grid))
      sets.join(i, j);
  }

  const members = new Map<number, number[]>();
  for (const i of outlines.keys()) {
    const root = sets.find(i);
    const group = members.get(root);
    if (group) group.push(i);
    else members.set(root, [i]);
  }
  return [...members.values()].map((group) => {
    if (group.length === 1) return outlines[group[0]!]!;
    return plane.curves.toContours(union(group.flatMap(plane.region), FillRule.NonZero));
  });
}

/** Joins outlines that touch, each even-odd by itself, to one. Edges that two of them share go. */
export function joinOutlines(outlines: readonly (readonly Contour[])[], grid: Grid): Contour[] {
  const curves = createCurveKeeper(grid);
  return curves.toContours(unionRegions(outlines.map((contours) => curves.toRegion(contours))));
}

/**
 * Parts the area of outlines, each even-odd by itself, by what lies on it: see `partRegions`. Slivers are left out.
 * Returns undefined without a certain answer.
 */
export function partOutlines(
  outlines: readonly (readonly Contour[])[],
  labelOf: (stack: readonly number[]) => number,
  grid: Grid,
): Map<number, Contour[]> | undefined {
  const curves = createCurveKeeper(grid);
  const parts = partRegions(outlines.map(curves.toRegion), labelOf);
  return (
    parts &&
    new Map(
      [...parts].map(([label, region]) => [
        label,
        curves.toContours(region.filter((path) => isSubstantial([path], grid))),
      ]),
    )
  );
}

/** Returns the common part of two outlines, each even-odd by itself. */
export const intersectOutlines = (a: readonly Contour[], b: readonly Contour[], grid: Grid): Contour[] =>
  compareOutlines(a, b, intersect, grid);

/** Returns what the second outline leaves of the first one, each even-odd by itself. Slivers are left out. */
export const subtractOutlines = (a: readonly Contour[], b: readonly Contour[], grid: Grid): Contour[] =>
  compareOutlines(a, b, (one, other) => subtract(one, other).filter((path) => isSubstantial([path], grid)), grid);

function compareOutlines(a: readonly Contour[], b: readonly Contour[], compare: typeof intersect, grid: Grid) {
  const curves = createCurveKeeper(grid);
  const region = (contours: readonly Contour[]) => union(curves.toRegion(contours), FillRule.EvenOdd);
  return curves.toContours(compare(region(a), region(b)));
}

/**
 * Moves an outline, which is filled by even-odd, outward, or inward by a distance below 0: its holes shrink where it
 * grows. Corners stay sharp as far as `OFFSET_MITER` lets them, or become round. The result has lines alone, and may be
 * in several parts or in none. Cost: that of a union.
 */
export function offsetOutline(
  contours: readonly Contour[],
  distance: number,
  join: 'miter' | 'round',
  grid: Grid,
): Contour[] {
  const offset = new ClipperOffset(OFFSET_MITER, grid.tolerance / grid.unit);
  const curves = createCurveKeeper(grid);
  const type = join === 'round' ? JoinType.Round : JoinType.Miter;
  offset.addPaths(union(curves.toRegion(contours), FillRule.EvenOdd), type, EndType.Polygon);
  const region: Region = [];
  offset.execute(distance / grid.unit, region);
  return curves.toContours(region);
}

/** A corner reaches at most this many times as far as its sides move. */
const OFFSET_MITER = 4;

/** A shape among others, back to front. */
export interface VisibleShape {
  readonly contours: readonly Contour[];
  /** The fill. Shapes of one tone are joined. Undefined for a line, which hides nothing. */
  readonly tone: string | undefined;
  readonly isOpaque: boolean;
  /** True for a shape that is never clipped by what lies over it: half a cutting line is worse than a hidden one. */
  readonly isKeptWhole: boolean;
}

/**
 * Converts a stack of shapes to the same picture in shapes that do not overlap. What a shape of another tone hides is
 * cut away; overlapping shapes of one tone are joined; other shapes stay the same objects. Returns undefined when
 * nothing overlaps, or so much does that it would take too long. Cost: a boolean operation for each shape that others
 * cover, more where covers lie deep, and one for each overlapping pair of one tone.
 */
export function visibleParts<S extends VisibleShape>(shapes: readonly S[], grid: Grid): S[] | undefined {
  const plane = createPlane(
    shapes.map(({ contours }) => contours),
    grid,
  );
  const above = new Map<number, number[]>();
  const cover = (i: number, j: number) => {
    const { tone, isOpaque } = shapes[j]!;
    if (!isOpaque || tone === undefined || tone === shapes[i]!.tone || shapes[i]!.isKeptWhole) return;
    const list = above.get(i);
    if (list) list.push(j);
    else above.set(i, [j]);
  };
  const areas = [...shapes.keys()].filter((i) => shapes[i]!.tone !== undefined);
  const areaOutlines = areas.map((i) => shapes[i]!.contours);
  const pairs = findPairs(areaOutlines, grid);
  if (!pairs) return undefined;
  for (const [a, b] of pairs) cover(areas[a]!, areas[b]!);
  if (areas.length < shapes.length) {
    for (const [i, j] of touchingPairs(plane.bounds)) if (shapes[i]!.tone === undefined) cover(i, j);
  }

  if (pairs.length === 0 && above.size === 0) return undefined;

  const overlay = overlayStacks(shapes, { plane, above, pairs: pairs.map(([a, b]) => [areas[a]!, areas[b]!]) }, grid);
  let isChanged = overlay.joins.length > 0 || overlay.parts.size > 0;
  const cut = shapes.flatMap((shape, i) => {
    if (overlay.parts.has(i)) return overlay.parts.get(i)!;
    const upper = above.get(i);
    if (!upper) return [shape];
    if (shape.tone === undefined) {
      const covers = upper.flatMap((j) => plane.near(j, plane.bounds[i]!));
      if (covers.length === 0) return [shape];
      const lines = toLines(shape.contours, plane.curves);
      const hiddenLines = clipLines(lines, covers);
      if (perimeterOf(hiddenLines) * grid.unit <= 4 * grid.tolerance) return [shape];
      isChanged = true;
      const contours = plane.curves.toContours(clipLines(lines, covers, ClipType.Difference), false);
      return contours.length > 0 ? [{ ...shape, contours }] : [];
    }
    const rest = subtractCovers(plane, i, upper, grid);
    if (!rest) return [shape];
    isChanged = true;
    const contours = plane.curves.toContours(rest);
    return contours.length > 0 ? [{ ...shape, contours }] : [];
  });

  const cutSet = new Set(cut);
  const isLaid = new Set([...overlay.parts.values()].flat());
  const joinedTones = joinTones(
    cut.filter((shape) => !isLaid.has(shape)),
    grid,
  );
  const isLeft = new Set(joinedTones);
  // Unchanged shapes and cut ones keep their place, and joined ones come last: they hide nothing any more.
  const result = [
    ...cut.filter((shape) => isLaid.has(shape) || isLeft.has(shape)),
    ...joinedTones.filter((shape) => !cutSet.has(shape)),
    ...overlay.joins,
  ];
  return isChanged || result.length < cut.length ? result : undefined;
}

interface Stack {
  readonly plane: Plane;
  /** The shapes that cover each one. */
  readonly above: ReadonlyMap<number, readonly number[]>;
  readonly pairs: readonly (readonly [number, number])[];
}

interface StackParts<S> {
  /** The replacement of a shape: its visible part, or nothing. */
  readonly parts: ReadonlyMap<number, readonly S[]>;
  /** Shapes of one tone that overlap, as one. */
  readonly joins: readonly S[];
}

/**
 * Lays solid shapes that overlap over each other, where a boolean operation for each pair would look at many points.
 * One for 100 shapes of 200 curves, of which each covers 40 others, took 5 s.
 */
function overlayStacks<S extends VisibleShape>(
  shapes: readonly S[],
  { plane, above, pairs }: Stack,
  grid: Grid,
): StackParts<S> {
  const isSolid = (i: number) => shapes[i]!.isOpaque && !shapes[i]!.isKeptWhole;
  const solidPairs = pairs.filter(([i, j]) => isSolid(i) && isSolid(j));
  const [stacks, joins] = [new DisjointSets(shapes.length), new DisjointSets(shapes.length)];
  for (const [i, j] of solidPairs) {
    stacks.join(i, j);
    if (shapes[i]!.tone === shapes[j]!.tone) joins.join(i, j);
  }
  const work = new Map<number, number>();
  const sizeOf = (i: number) => shapes[i]!.contours.reduce((sum, { points }) => sum + points.length, 0);
  for (const [i, j] of solidPairs) {
    const root = stacks.find(i);
    work.set(root, (work.get(root) ?? 0) + sizeOf(i) + sizeOf(j));
  }
  const members = new Map<number, number[]>();
  for (const i of shapes.keys()) {
    const root = stacks.find(i);
    if ((work.get(root) ?? 0) < MUCH_WORK) continue;
    const list = members.get(root);
    if (list) list.push(i);
    else members.set(root, [i]);
  }
  const parts = new Map<number, readonly S[]>();
  const whole: S[] = [];
  for (const stack of members.values()) {
    // A shape that another kind covers, too, is cut by both at once.
    if (stack.some((i) => above.get(i)?.some((j) => !isSolid(j)))) continue;
    const groups = stack.map((i) => joins.find(i));
    const isShared = new Set(groups.filter((root, k) => root !== stack[k]));
    for (const visible of overlayRegions(stack.map(plane.raw), { fill: 'evenOdd', groups }) ?? []) {
      const { members } = visible;
      const first = stack[members[0]!]!;
      const rest = visible.region.filter((path) => isSubstantial([path], grid));
      const isUnder = above.has(first) || isShared.has(joins.find(first));
      const doesLose = () => losesPart(visible, rest, () => subtract(plane.region(first), rest), grid);
      if (members.length === 1 && !(isUnder && doesLose())) continue;
      for (const k of members) parts.set(stack[k]!, []);
      if (rest.length === 0) continue;
      const part = { ...shapes[first]!, contours: plane.curves.toContours(rest) };
      if (members.length === 1) parts.set(first, [part]);
      else whole.push(part);
    }
  }
  return { parts, joins: whole };
}

/** True when a region without its part `rest` is substantial. */
const losesPart = (
  { fullArea, fullPerimeter }: VisibleRegion,
  rest: Region,
  findLoss: () => Region,
  grid: Grid,
): boolean =>
  isLossSubstantial({ loss: fullArea - areaOf(rest), perimeter: fullPerimeter + perimeterOf(rest), findLoss }, grid);

/** So many coordinates in pairs of overlapping shapes, and an overlay is quicker than a boolean operation for each. */
const MUCH_WORK = 4000;

/**
 * How many covers may lie over each other in one boolean operation, on the average. Clipper sweeps over all points and
 * looks at every edge beside each, so n covers in one place cost n²: a stack of 100 layers took a minute. A few at a
 * time, from the lowest, leave little that the next ones touch. Covers side by side, whose common edges two operations
 * would round apart, stay together.
 */
const COVER_DEPTH = 2;

/** Returns what the shapes `upper` leave of outline `i`; undefined when they take nothing substantial. */
function subtractCovers(plane: Plane, i: number, upper: readonly number[], grid: Grid): Region | undefined {
  const region = plane.region(i);
  const own = plane.bounds[i]!;
  const shareOf = (j: number) => commonArea(plane.bounds[j]!, own) / commonArea(own, own);
  if (!(upper.reduce((sum, j) => sum + shareOf(j), 0) > COVER_DEPTH)) {
    const covers = upper.flatMap((j) => plane.near(j, own));
    const rest = subtract(region, covers);
    const findLoss = () => intersect(region, union(covers, FillRule.NonZero));
    const perimeter = perimeterOf(region) + perimeterOf(covers);
    const loss = areaOf(region) - areaOf(rest);
    return isLossSubstantial({ loss, perimeter, findLoss }, grid) ? rest : undefined;
  }

  let rest = region;
  let coverPerimeter = 0;
  const rising = [...upper].sort((a, b) => a - b);
  for (let k = 0; k < rising.length && rest.length > 0; ) {
    const box = boundsOfRegion(rest, grid);
    const doesTouch = createTouchTest(rest);
    const covers: Region = [];
    for (let depth = 0; k < rising.length && depth <= COVER_DEPTH; k++) {
      if (commonArea(plane.bounds[rising[k]!]!, box) === 0) continue;
      const cover = plane.near(rising[k]!, box);
      if (!doesTouch(cover)) continue;
      covers.push(...cover);
      depth += shareOf(rising[k]!);
    }
    if (covers.length === 0) continue;
    coverPerimeter += perimeterOf(covers);
    rest = subtract(rest, covers);
  }
  rest = withoutCracks(rest, grid);
  const perimeter = perimeterOf(region) + coverPerimeter;
  const findLoss = () => subtract(region, rest);
  return isLossSubstantial({ loss: areaOf(region) - areaOf(rest), perimeter, findLoss }, grid) ? rest : undefined;
}

/** What is lost of a region: its area, at most so much perimeter, and the part itself, computed where it is needed. */
interface Loss {
  readonly loss: number;
  readonly perimeter: number;
  readonly findLoss: () => Region;
}

/**
 * True when what is lost of a region is substantial. Nearly always areas and bounds of the lost part's perimeter
 * decide: it is at most that of both operands, and at least that of a circle. Only between them is the lost part itself
 * needed, which costs more than the subtraction.
 */
function isLossSubstantial({ loss, perimeter, findLoss }: Loss, grid: Grid): boolean {
  const area = Math.max(0, loss);
  const least = (2 * grid.tolerance) / grid.unit;
  if (2 * area > BOUND_MARGIN * least * perimeter) return true;
  if (BOUND_MARGIN * Math.sqrt(area / Math.PI) < least) return false;
  return isSubstantial(findLoss(), grid);
}

/** So much more than enough a bound must be, because areas are off by the rounding to the grid. */
const BOUND_MARGIN = 1.2;

/** Cracks are what two operations leave along an edge that both cut: they are this wide at most, in grid steps. */
const CRACK = 2;

/** Returns a region without cracks, neither as paths of their own nor as spikes of others. */
const withoutCracks = (region: Region, grid: Grid): Region =>
  region.filter((path) => isSubstantial([path], grid)).map(withoutSpikes);

function withoutSpikes(path: Region[number]): Region[number] {
  const isSpike = (from: Point64, tip: Point64, to: Point64) => {
    const [ax, ay, bx, by] = [from.x - tip.x, from.y - tip.y, to.x - tip.x, to.y - tip.y];
    if (ax * bx + ay * by <= 0) return false;
    return Math.abs(ax * by - ay * bx) <= CRACK * Math.min(Math.hypot(ax, ay), Math.hypot(bx, by));
  };
  const result = path.filter((tip, k) => !isSpike(path.at(k - 1)!, tip, path[(k + 1) % path.length]!));
  return result.length < path.length && result.length > 2 ? withoutSpikes(result) : path;
}

/** Returns undefined when there are too many overlaps: such a drawing is produced as it is. */
function findPairs(outlines: readonly (readonly Contour[])[], grid: Grid): [number, number][] | undefined {
  try {
    return overlappingPairs(outlines, grid.tolerance, grid.crumb);
  } catch (error) {
    if (error instanceof TooManyOverlaps) return undefined;
    throw error;
  }
}

function joinTones<S extends VisibleShape>(shapes: readonly S[], grid: Grid): S[] {
  const byTone = new Map<string, S[]>();
  const rest: S[] = [];
  for (const shape of shapes) {
    if (shape.tone === undefined || !shape.isOpaque) rest.push(shape);
    else if (byTone.has(shape.tone)) byTone.get(shape.tone)!.push(shape);
    else byTone.set(shape.tone, [shape]);
  }
  const result = new Set<S>(rest);
  for (const group of byTone.values()) {
    const owner = new Map(group.map((shape) => [shape.contours, shape]));
    const outlines = joinOverlapping([...owner.keys()], grid);
    for (const contours of outlines) result.add(owner.get(contours) ?? { ...group[0]!, contours });
  }
  // Unchanged shapes keep their place. Joined ones come last: they hide nothing any more.
  const originals = new Set(shapes);
  return [...shapes.filter((shape) => result.has(shape)), ...[...result].filter((shape) => !originals.has(shape))];
}

interface Plane {
  readonly bounds: readonly PathBounds[];
  readonly curves: CurveKeeper;
  /** Returns an outline as it is, filled by even-odd. */
  readonly raw: (i: number) => Region;
  /** Returns an outline as a region, computed at the first call. */
  readonly region: (i: number) => Region;
  /** Returns the part of outline i that can overlap what is in a box. */
  readonly near: (i: number, box: PathBounds) => Region;
}

function createPlane(outlines: readonly (readonly Contour[])[], grid: Grid): Plane {
  const bounds = outlines.map(looseBounds);
  const regions: Region[] = [];
  const curves = createCurveKeeper(grid);
  const rawRegions: Region[] = [];
  const raw = (i: number) => {
    rawRegions[i] ??= curves.toRegion(outlines[i]!);
    return rawRegions[i]!;
  };
  const region = (i: number) => {
    regions[i] ??= union(raw(i), FillRule.EvenOdd);
    return regions[i]!;
  };
  return {
    bounds,
    curves,
    raw,
    region,
    near(i, { minX, minY, maxX, maxY }) {
      const whole = region(i);
      if (whole.reduce((sum, path) => sum + path.length, 0) < MANY_POINTS) return whole;
      // Clipping to a box is linear, and the boolean operation then has two small operands.
      const margin = 2;
      return Clipper.rectClip(
        {
          left: Math.floor(minX / grid.unit) - margin,
          top: Math.floor(minY / grid.unit) - margin,
          right: Math.ceil(maxX / grid.unit) + margin,
          bottom: Math.ceil(maxY / grid.unit) + margin,
        },
        whole,
      );
    },
  };
}

const MANY_POINTS = 100;

/** Returns the area that two boxes have in common. */
const commonArea = (a: PathBounds, b: PathBounds): number =>
  Math.max(0, Math.min(a.maxX, b.maxX) - Math.max(a.minX, b.minX)) *
  Math.max(0, Math.min(a.maxY, b.maxY) - Math.max(a.minY, b.minY));

function boundsOfRegion(region: Region, { unit }: Grid): PathBounds {
  const { left, top, right, bottom } = Clipper.getBoundsPaths(region);
  return { minX: left * unit, minY: top * unit, maxX: right * unit, maxY: bottom * unit };
}

/** Returns the pairs `[lower, higher]` of indices of boxes that touch, by a sweep over x. */
export function touchingPairs(bounds: readonly PathBounds[]): [number, number][] {
  const order = [...bounds.keys()].sort((i, j) => bounds[i]!.minX - bounds[j]!.minX);
  const pairs: [number, number][] = [];
  let open: number[] = [];
  for (const i of order) {
    const box = bounds[i]!;
    open = open.filter((j) => bounds[j]!.maxX >= box.minX);
    for (const j of open) {
      const other = bounds[j]!;
      if (other.minY <= box.maxY && box.minY <= other.maxY) pairs.push(i < j ? [i, j] : [j, i]);
    }
    open.push(i);
  }
  return pairs;
}

/** Returns the box around the curves themselves, within the tolerance. */
const curveBounds = (contours: readonly Contour[], grid: Grid): PathBounds =>
  looseBounds(contours.map((contour) => ({ ...contour, points: flatten(contour, grid.tolerance) })));

/** Clips an outline to a box. Returns the same outline when it is inside, and an empty list when it is outside. */
export function clipToBox(
  contours: readonly Contour[],
  box: PathBounds,
  isFilled: boolean,
  grid: Grid,
): readonly Contour[] {
  // A margin of a fifth of the tolerance: what fills the box exactly is not outside it.
  const grace = grid.tolerance / 5;
  const isInside = (bounds: PathBounds) =>
    bounds.minX >= box.minX - grace &&
    bounds.minY >= box.minY - grace &&
    bounds.maxX <= box.maxX + grace &&
    bounds.maxY <= box.maxY + grace;
  const bounds = looseBounds(contours);
  // Control points may be outside while their curve is not.
  if (isInside(bounds) || isInside(curveBounds(contours, grid))) return contours;
  const { minX, minY, maxX, maxY } = bounds;
  if (maxX <= box.minX || maxY <= box.minY || minX >= box.maxX || minY >= box.maxY) return [];
  const [left, top] = [Math.round(box.minX / grid.unit), Math.round(box.minY / grid.unit)];
  const [right, bottom] = [Math.round(box.maxX / grid.unit), Math.round(box.maxY / grid.unit)];
  const frame: Region = [
    [
      { x: left, y: top },
      { x: right, y: top },
      { x: right, y: bottom },
      { x: left, y: bottom },
    ],
  ];
  const curves = createCurveKeeper(grid);
  if (!isFilled) return curves.toContours(clipLines(toLines(contours, curves), frame), false);
  return curves.toContours(intersect(union(curves.toRegion(contours), FillRule.EvenOdd), frame));
}

/**
 * Clips an outline, filled by even-odd, or its lines to the area that another outline fills by even-odd. Returns the
 * same outline when it is inside, and an empty list when it is outside. Cost: two boolean operations.
 */
export function clipToOutline(
  contours: readonly Contour[],
  outline: readonly Contour[],
  isFilled: boolean,
  grid: Grid,
): readonly Contour[] {
  const { curves, area, subject, outside } = comparePlaces(contours, outline, isFilled, grid);
  if (outside.length === 0) return contours;
  return isFilled ? curves.toContours(intersect(subject, area)) : curves.toContours(clipLines(subject, area), false);
}

/** Returns the parts of an outline, or of its lines, that `clipToOutline` takes away. */
export function partsOutside(
  contours: readonly Contour[],
  outline: readonly Contour[],
  isFilled: boolean,
  grid: Grid,
): Contour[] {
  const { curves, outside } = comparePlaces(contours, outline, isFilled, grid);
  return curves.toContours(outside, isFilled);
}

function comparePlaces(contours: readonly Contour[], outline: readonly Contour[], isFilled: boolean, grid: Grid) {
  const curves = createCurveKeeper(grid);
  const area = union(curves.toRegion(outline), FillRule.EvenOdd);
  const subject = isFilled ? union(curves.toRegion(contours), FillRule.EvenOdd) : toLines(contours, curves);
  // What rounding leaves at the edge of an outline that fills the area exactly is not outside.
  const outside = isFilled
    ? subtract(subject, area).filter((path) => isSubstantial([path], grid))
    : clipLines(subject, area, ClipType.Difference).filter(
        (line) => perimeterOf([line]) > (4 * grid.tolerance) / grid.unit,
      );
  return { curves, area, subject, outside };
}

/** Returns contours as open polylines; a closed one ends where it starts. */
function toLines(contours: readonly Contour[], curves: CurveKeeper): Region {
  return curves.toRegion(contours).map((line, i) => (contours[i]!.isClosed ? [...line, line[0]!] : line));
}

/** The line of a pen. The width is in the unit of the contours; `miterLimit` is a multiple of half the width. */
export interface StrokeStyle {
  readonly width: number;
  readonly cap: 'butt' | 'round' | 'square';
  readonly join: 'miter' | 'round' | 'bevel';
  readonly miterLimit: number;
}

/** Returns the outline of the area that a pen covers along the contours. */
export function outlineStroke(contours: readonly Contour[], style: StrokeStyle, grid: Grid): Contour[] {
  const joins = { miter: JoinType.Miter, round: JoinType.Round, bevel: JoinType.Bevel };
  const caps = { butt: EndType.Butt, round: EndType.Round, square: EndType.Square };
  const offset = new ClipperOffset(style.miterLimit, grid.tolerance / grid.unit);
  const curves = createCurveKeeper(grid);
  for (const [i, path] of curves.toRegion(contours).entries()) {
    const end = contours[i]!.isClosed ? EndType.Joined : (caps[style.cap] ?? EndType.Butt);
    offset.addPath(path, joins[style.join] ?? JoinType.Miter, end);
  }
  const region: Region = [];
  offset.execute(style.width / 2 / grid.unit, region);
  return curves.toContours(region);
}
