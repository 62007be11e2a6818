/**
 * Measures how thin an element's ink is and how narrow the gaps in it are: the lazily loaded half of the preflight,
 * with Clipper. Two things are too thin: walls that run side by side too near each other (`walls.ts` has the rule), and
 * a separate mark or an enclosed gap into which a disc of the machine's smallest diameter does not fit anywhere. A line
 * that is part of something wider is at least three limits long.
 */
import {
  Clipper,
  Clipper64,
  ClipType,
  EndType,
  FillRule,
  JoinType,
  type Path64,
  type Paths64,
  type PolyPath64,
  PolyTree64,
} from 'clipper2-ts';
import { isNearWhite } from '../document/machine.ts';
import { DisjointSets } from '../geometry/disjointSets.ts';
import { scale } from '../geometry/matrix.ts';
import {
  type Contour,
  flatten,
  looseBounds,
  type PathBounds,
  readContours,
  transformContours,
} from '../geometry/pathData.ts';
import { MM_GRID, outlineStroke, perimeterOf, touchingPairs } from '../geometry/planar.ts';
import type { ScenePath } from '../resolve/scene.ts';
import type { Box, FeatureRequest, Features, ThinParts } from './preflight.ts';
import { CRUMB_MM, createWalls, findSideBySide, SLACK_MM, type Walls } from './walls.ts';

/**
 * Measures one element at its size, in its own space; its position and rotation change nothing. All ink counts as one:
 * a thin line of one color on another is no feature, but white on ink is a gap. Widths are exact to 0.01 mm. What is
 * under 0.02 mm is rounding between neighbors and is ignored.
 *
 * Cost: n log n for n points: for each separate part a union, an offset inward, and rays from its walls. 20,000 nodes
 * take up to some seconds, fewer when they are in separate parts: run it on a thread of its own. When a part has more
 * than `MAX_POINTS`, nothing is measured.
 */
export function measureFeatures({ children, unitMm, limits, hasWhiteInk }: FeatureRequest): Features {
  const toMm = scale(unitMm);
  const paths = children.filter((child) => child.kind === 'path');
  const drawing = paths.map((path) => ({ path, contours: transformContours(readContours(path.d), toMm) }));
  const { lineMm, gapMm, cutGapMm = 0 } = limits;
  const hasCuts = paths.some(({ operation }) => operation === 'cut');
  const pieces = toIslands(drawing, unitMm, hasCuts ? Math.max(gapMm, cutGapMm) : gapMm);
  const mostPoints = pieces.reduce((most, island) => Math.max(most, countPoints(island)), 0);
  if (mostPoints > MAX_POINTS) {
    const areaMm2 = Math.max(...pieces.map(areaToDrop));
    return { isMeasured: false, mostPoints, maxPoints: MAX_POINTS, detailArea: areaMm2 / unitMm ** 2 };
  }

  const islands = pieces.map((island) => {
    const { ink, cuts } = inkOf(island, unitMm, hasWhiteInk);
    return { ink: toFaces(ink, Math.max(lineMm, gapMm)), cuts: toFaces(cuts, cutGapMm) };
  });
  const isSpeck = ({ isAlone, lengthMm }: ThinPart) => isAlone && lengthMm < MIN_LENGTH * lineMm;
  const thin = islands.flatMap(({ ink }) => findThin(ink.marks, ink, lineMm, 1));
  const narrow = islands.flatMap(({ ink }) => findThin(ink.gaps, ink, gapMm, -1));
  const near = islands.flatMap(({ cuts }) => [
    ...findThin(cuts.marks, cuts, cutGapMm, 1),
    ...findThin(cuts.gaps, cuts, cutGapMm, -1),
  ]);
  const inOwn = (parts: readonly ThinPart[]) => summarize(parts, 1 / unitMm);
  return {
    isMeasured: true,
    lines: inOwn(thin.filter((part) => !isSpeck(part))),
    specks: inOwn(thin.filter(isSpeck)),
    gaps: inOwn(narrow),
    cutGaps: inOwn(near),
  };
}

/** The most points of connected outlines, before their curves are flattened. */
const MAX_POINTS = 30_000;

const countPoints = (island: readonly PlacedPath[]): number =>
  island.reduce((sum, { contours }) => sum + contours.reduce((all, { points }) => all + points.length / 2, 0), 0);

/** The share of `MAX_POINTS` that is left after small parts are dropped: what lies around them is traced anew. */
const SAFE_SHARE = 0.8;

/** Returns the area, in mm², of the largest contour to drop, the smallest first, until an island can be measured. */
function areaToDrop(island: readonly PlacedPath[]): number {
  let left = countPoints(island);
  if (left <= MAX_POINTS) return 0;
  const bySize = island
    .flatMap(({ contours }) => contours.map(({ points }) => ({ points: points.length / 2, area: areaOf(points) })))
    .sort((a, b) => a.area - b.area);
  let area = 0;
  for (const contour of bySize) {
    if (left <= MAX_POINTS * SAFE_SHARE) break;
    left -= contour.points;
    area = contour.area;
  }
  return area;
}

/** Returns the area within a contour's points, with its control points: more than that of its curves, if anything. */
function areaOf(points: ArrayLike<number>): number {
  let twice = 0;
  for (let i = 0, j = points.length - 2; i < points.length; j = i, i += 2) {
    twice += points[j]! * points[i + 1]! - points[i]! * points[j + 1]!;
  }
  return Math.abs(twice) / 2;
}

/** Least length of a line, in limits: shorter separate marks are specks, and shorter ends of letters are serifs. */
const MIN_LENGTH = 3;
const MAX_BOXES = 200;

const { unit, tolerance } = MM_GRID;
const toGrid = (mm: number) => mm / unit;

function toPath(contour: Contour): Path64 {
  const line = flatten(contour, tolerance);
  return Array.from({ length: line.length / 2 }, (_, i) => ({
    x: Math.round(line[2 * i]! / unit),
    y: Math.round(line[2 * i + 1]! / unit),
  }));
}

interface PlacedPath {
  readonly path: ScenePath;
  readonly contours: readonly Contour[];
}

/**
 * Splits a drawing into connected parts that are too far from one another to make a gap, to measure each by itself: a
 * sweep costs its points times the edges beside them. Even-odd contours whose boxes do not touch mean the same apart.
 */
function toIslands(drawing: readonly PlacedPath[], unitMm: number, apartMm: number): PlacedPath[][] {
  const pieces = drawing.flatMap(({ path, contours }) =>
    contours.map((contour) => ({
      path,
      contour,
      bounds: grow(looseBounds([contour]), apartMm + path.strokeWidth * unitMm),
    })),
  );
  const sets = new DisjointSets(pieces.length);
  for (const [i, j] of touchingPairs(pieces.map(({ bounds }) => bounds))) sets.join(i, j);
  const islands = new Map<number, { path: ScenePath; contours: Contour[] }[]>();
  for (const [i, { path, contour }] of pieces.entries()) {
    const root = sets.find(i);
    const island = islands.get(root) ?? [];
    islands.set(root, island);
    const last = island.at(-1);
    if (last?.path === path) last.contours.push(contour);
    else island.push({ path, contours: [contour] });
  }
  return [...islands.values()];
}

const grow = ({ minX, minY, maxX, maxY }: PathBounds, by: number): PathBounds => ({
  minX: minX - by / 2,
  minY: minY - by / 2,
  maxX: maxX + by / 2,
  maxY: maxY + by / 2,
});

/**
 * Returns what is marked (painted shapes and strokes joined, minus the white over them), and the area inside closed
 * lines that are cut.
 */
function inkOf(drawing: readonly PlacedPath[], unitMm: number, hasWhiteInk: boolean): { ink: Paths64; cuts: Paths64 } {
  let ink: Paths64 = [];
  const white: Paths64 = [];
  const cuts: Paths64 = [];
  let run: Paths64 = [];
  let isWhiteRun = false;
  const endRun = () => {
    if (run.length === 0) return;
    if (isWhiteRun) {
      white.push(...run);
      if (ink.length > 0) ink = Clipper.difference(ink, Clipper.union(run, FillRule.NonZero), FillRule.NonZero);
    } else ink = Clipper.union([...ink, ...run], FillRule.NonZero);
    run = [];
  };
  for (const { path, contours } of drawing) {
    if (path.operation === 'cut') cuts.push(...contours.filter(({ isClosed }) => isClosed).map(toPath));
    const color = path.fill ?? path.stroke;
    const isMark = path.operation === 'engrave' || path.operation === 'print';
    if (!isMark || !color || path.opacity <= 0) continue;
    const isWhite = isNearWhite(color);
    if (isWhite !== isWhiteRun) {
      endRun();
      isWhiteRun = isWhite;
    }
    // A fill is even-odd by itself and lies on top of the others.
    if (path.fill) for (const part of Clipper.union(contours.map(toPath), FillRule.EvenOdd)) run.push(part);
    if (path.stroke && path.strokeWidth > 0 && path.operation === 'print') {
      const width = path.strokeWidth * unitMm;
      const band = outlineStroke(contours, { width, cap: 'round', join: 'round', miterLimit: 4 }, MM_GRID);
      run.push(...Clipper.union(band.map(toPath), FillRule.NonZero));
    }
  }
  endRun();
  if (ink.length === 0 && hasWhiteInk) ink = Clipper.union(white, FillRule.NonZero);
  return { ink, cuts: Clipper.union(cuts, FillRule.EvenOdd) };
}

/** A connected piece of a plane: its outline, and the holes in it. */
interface Face {
  /** All with the outline's own direction, so that its area is positive. */
  readonly paths: Paths64;
  /** The numbers of these outlines among all. */
  readonly numbers: readonly number[];
}

/** A region as its walls, its separate marks and the enclosed gaps in them. */
interface Faces {
  readonly walls: Walls;
  readonly marks: readonly Face[];
  readonly gaps: readonly Face[];
}

function toFaces(region: Paths64, reachMm: number): Faces {
  const outlines: Paths64 = [];
  const marks: Face[] = [];
  const gaps: Face[] = [];
  const tree = new PolyTree64();
  const clipper = new Clipper64();
  clipper.addSubject(region);
  clipper.execute(ClipType.Union, FillRule.NonZero, tree, []);
  const add = (node: PolyPath64): number => outlines.push(node.poly!) - 1;
  const visit = (node: PolyPath64, number: number | undefined) => {
    const numbers = children(node).map(add);
    if (number !== undefined) {
      const all = [number, ...numbers];
      const paths = all.map((each) => outlines[each]!);
      if (node.isHole) gaps.push({ paths: paths.map((path) => path.toReversed()), numbers: all });
      else marks.push({ paths, numbers: all });
    }
    for (const [i, child] of children(node).entries()) visit(child, numbers[i]!);
  };
  visit(tree, undefined);
  const outlinesMm = outlines.map((path) => path.map(({ x, y }) => ({ x: x * unit, y: y * unit })));
  return { walls: createWalls(outlinesMm, reachMm), marks, gaps };
}

const children = (node: PolyPath64): PolyPath64[] => Array.from({ length: node.count }, (_, i) => node.child(i));

/** A part that is too thin. All in mm. */
interface ThinPart {
  readonly box: Box;
  readonly areaMm2: number;
  readonly lengthMm: number;
  readonly widthMm: number;
  /** True for a whole face, which has no wider part. */
  readonly isAlone: boolean;
}

/** Finds the faces that are thinner than a width everywhere, and the walls of the others that are side by side. */
function findThin(faces: readonly Face[], { walls }: Faces, widthMm: number, inward: 1 | -1): ThinPart[] {
  if (widthMm <= CRUMB_MM) return [];
  const parts: ThinPart[] = [];
  const aloneOutlines = new Set<number>();
  for (const { paths, numbers } of faces) {
    if (hasRoom(paths, widthMm - SLACK_MM)) continue;
    for (const number of numbers) aloneOutlines.add(number);
    const area = Math.abs(Clipper.areaPaths(paths));
    const perimeter = perimeterOf(paths);
    const meanWidth = (2 * area) / perimeter;
    if (meanWidth * unit < CRUMB_MM / 2) continue;
    parts.push({
      box: boxOf(paths[0]!),
      areaMm2: area * unit * unit,
      lengthMm: (perimeter / 2 - meanWidth) * unit,
      widthMm: largestDisc(paths, widthMm),
      isAlone: true,
    });
  }
  const leastLength = inward === 1 ? MIN_LENGTH * widthMm : 0;
  for (const pair of findSideBySide(walls, widthMm, inward, (i) => aloneOutlines.has(i))) {
    const { left, top, right, bottom, lengthMm, widthMm: width } = pair;
    if (lengthMm < leastLength) continue;
    const box = { x: left, y: top, width: right - left, height: bottom - top };
    parts.push({ box, areaMm2: lengthMm * width, lengthMm, widthMm: width, isAlone: false });
  }
  return parts;
}

/** True when a disc of a width fits into a face somewhere. */
function hasRoom(paths: Paths64, widthMm: number): boolean {
  const half = toGrid(widthMm) / 2;
  return Clipper.inflatePaths(paths, -half, JoinType.Round, EndType.Polygon, 2, toGrid(tolerance)).length > 0;
}

/** Steps of the bisection: to a 64th of the limit. */
const HALVINGS = 6;

/** Returns the diameter of the largest disc that fits into a face, by bisection below a width that does not. */
function largestDisc(paths: Paths64, widthMm: number): number {
  let fitting = 0;
  let failing = widthMm;
  for (let i = 0; i < HALVINGS; i++) {
    const middle = (fitting + failing) / 2;
    if (hasRoom(paths, middle)) fitting = middle;
    else failing = middle;
  }
  return fitting;
}

function boxOf(path: Path64): Box {
  const { left, top, right, bottom } = Clipper.getBounds(path);
  return { x: left * unit, y: top * unit, width: (right - left) * unit, height: (bottom - top) * unit };
}

/** Summarizes thin parts, in a unit of which a mm has `scale`. */
function summarize(parts: readonly ThinPart[], scale: number): ThinParts | undefined {
  if (parts.length === 0) return undefined;
  const bySize = parts.toSorted((a, b) => b.areaMm2 - a.areaMm2);
  return {
    count: parts.length,
    narrowestMm: parts.reduce((least, { widthMm }) => Math.min(least, widthMm), Infinity),
    boxes: bySize.slice(0, MAX_BOXES).map(({ box: { x, y, width, height } }) => ({
      x: x * scale,
      y: y * scale,
      width: width * scale,
      height: height * scale,
    })),
    largestArea: bySize[0]!.areaMm2 * scale * scale,
  };
}
