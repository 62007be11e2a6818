/**
 * Measures how thin an element's ink is and how narrow the gaps in it are: the lazily loaded half of the preflight,
 * with Clipper. Ink is too thin where a disc of the machine's smallest diameter does not fit into it; a gap is too
 * narrow where the disc does not fit between the ink.
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
import { applyMatrix, invert, type Point, scale } from '../geometry/matrix.ts';
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

/**
 * Measures one element at its size, in its own space; its position and rotation change nothing. All ink counts as one:
 * a thin line of one color on another is no feature, but white on ink is a gap. Widths are exact to 0.01 mm. What is
 * under 0.02 mm is rounding between neighbors and is ignored.
 *
 * Cost: for each separate part a union, and an offset inward and outward for ink and for gaps; seven times that to find
 * the width where something is too thin. 20,000 nodes take up to some seconds, fewer when they are in separate parts:
 * run it on a thread of its own. When a part has more than `MAX_POINTS`, nothing is measured.
 */
export function measureFeatures({ children, unitMm, limits, hasWhiteInk }: FeatureRequest): Features {
  const toMm = scale(unitMm);
  const paths = children.filter((child) => child.kind === 'path');
  const drawing = paths.map((path) => ({ path, contours: transformContours(readContours(path.d), toMm) }));
  const toOwn = invert(toMm);
  const hull = convexHull(drawing.flatMap(({ contours }) => contours.flatMap(flatPoints))).map((point) =>
    applyMatrix(toOwn, point),
  );
  const { lineMm, gapMm, cutGapMm = 0 } = limits;
  const hasCuts = paths.some(({ operation }) => operation === 'cut');
  const pieces = toIslands(drawing, unitMm, hasCuts ? Math.max(gapMm, cutGapMm) : gapMm);
  const isTooMuch = pieces.some((island) => countPoints(island) > MAX_POINTS);
  if (isTooMuch) return { hull, isMeasured: false };

  const islands = pieces.map((island) => {
    const { ink, cuts } = inkOf(island, unitMm, hasWhiteInk);
    return { ink, bare: complementOf(ink, gapMm), cuts: [cuts, complementOf(cuts, cutGapMm)] };
  });
  const isSpeck = ({ isAlone, lengthMm }: ThinPart) => isAlone && lengthMm < MIN_LENGTH * lineMm;
  const thin = islands.map(({ ink }) => ({ area: ink, parts: findThin(ink, lineMm) }));
  const inOwn = (parts: ThinParts | undefined) => parts && scaleParts(parts, 1 / unitMm);
  return {
    hull,
    isMeasured: true,
    lines: inOwn(summarize(thin, lineMm, (part) => !isSpeck(part))),
    specks: inOwn(summarize(thin, lineMm, isSpeck)),
    gaps: inOwn(
      summarize(
        islands.map(({ bare }) => ({ area: bare, parts: findThin(bare, gapMm) })),
        gapMm,
      ),
    ),
    cutGaps: inOwn(
      summarize(
        islands.flatMap(({ cuts }) => cuts.map((area) => ({ area, parts: findThin(area, cutGapMm) }))),
        cutGapMm,
      ),
    ),
  };
}

/** The most points of connected outlines, before their curves are flattened. */
const MAX_POINTS = 30_000;

const countPoints = (island: readonly PlacedPath[]): number =>
  island.reduce((sum, { contours }) => sum + contours.reduce((all, { points }) => all + points.length / 2, 0), 0);

/** Thinner than this is rounding and not meant. */
const CRUMB_MM = 0.02;
/** Slack for the flattening of curves: what is as wide as the limit passes. */
const SLACK_MM = 0.002;
/** Least length, in limits, of a thin part of something wider: the tips of letters and stars are thin everywhere. */
const MIN_LENGTH = 3;
/** Corners down to 60° are whole again when an area is shrunk and grown. */
const MITER_LIMIT = 2;
const MAX_BOXES = 200;

const { unit, tolerance } = MM_GRID;
const toGrid = (mm: number) => mm / unit;

function flatPoints(contour: Contour): Point[] {
  const line = flatten(contour, tolerance);
  return Array.from({ length: line.length / 2 }, (_, i) => ({ x: line[2 * i]!, y: line[2 * i + 1]! }));
}

const toPath = (contour: Contour): Path64 =>
  flatPoints(contour).map(({ x, y }) => ({ x: Math.round(x / unit), y: Math.round(y / unit) }));

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

/** Returns everything around a region, as far out as it matters for gaps. */
function complementOf(region: Paths64, widthMm: number): Paths64 {
  if (region.length === 0) return [];
  const { left, top, right, bottom } = Clipper.getBoundsPaths(region);
  const far = Math.ceil(toGrid(widthMm) * 4);
  const frame = [
    { x: left - far, y: top - far },
    { x: right + far, y: top - far },
    { x: right + far, y: bottom + far },
    { x: left - far, y: bottom + far },
  ];
  return Clipper.difference([frame], region, FillRule.NonZero);
}

/** A part that is too thin. All in mm. */
interface ThinPart {
  readonly box: Box;
  readonly areaMm2: number;
  readonly lengthMm: number;
  /** True when it is not part of something wider. */
  readonly isAlone: boolean;
}

/**
 * Finds the parts of an area that are thinner than a width: it shrinks the area by half the width and grows it again (a
 * morphological opening); what does not come back is thinner. Corners of 60° and more come back. Short thin parts of
 * something wider are ignored.
 */
function findThin(region: Paths64, widthMm: number): ThinPart[] {
  if (region.length === 0 || widthMm <= CRUMB_MM) return [];
  const half = toGrid(widthMm - SLACK_MM) / 2;
  const arc = toGrid(tolerance);
  const core = Clipper.inflatePaths(region, -half, JoinType.Round, EndType.Polygon, MITER_LIMIT, arc);
  const wide = Clipper.inflatePaths(core, half + arc, JoinType.Miter, EndType.Polygon, MITER_LIMIT);
  const thinTree = new PolyTree64();
  const clipper = new Clipper64();
  clipper.addSubject(region);
  clipper.addClip(wide);
  clipper.execute(ClipType.Difference, FillRule.NonZero, thinTree, []);
  const whole = new Set(region.map(outlineKey));

  const parts: ThinPart[] = [];
  const visit = (node: PolyPath64) => {
    const outline = node.poly;
    if (outline && !node.isHole) {
      const holes = children(node).map((hole) => hole.poly!);
      const area = [outline, ...holes].reduce(
        (sum, path, i) => sum + Math.abs(Clipper.area(path)) * (i === 0 ? 1 : -1),
        0,
      );
      const perimeter = [outline, ...holes].reduce((sum, path) => sum + perimeterOf([path]), 0);
      const meanWidth = (2 * area) / perimeter;
      const isAlone = whole.has(outlineKey(outline));
      const lengthMm = (perimeter / 2 - meanWidth) * unit;
      if (meanWidth * unit >= CRUMB_MM / 2 && (isAlone || lengthMm >= MIN_LENGTH * widthMm)) {
        parts.push({ box: boxOf(outline), areaMm2: area * unit * unit, lengthMm, isAlone });
      }
    }
    for (const child of children(node)) visit(child);
  };
  visit(thinTree);
  return parts;
}

const children = (node: PolyPath64): PolyPath64[] => Array.from({ length: node.count }, (_, i) => node.child(i));

/** Returns a key that is equal for an outline before and after a boolean operation that did not change it. */
function outlineKey(path: Path64): string {
  const { left, top, right, bottom } = Clipper.getBounds(path);
  return `${left} ${top} ${right} ${bottom} ${Math.abs(Clipper.area(path))}`;
}

function boxOf(path: Path64): Box {
  const { left, top, right, bottom } = Clipper.getBounds(path);
  return { x: left * unit, y: top * unit, width: (right - left) * unit, height: (bottom - top) * unit };
}

/** Summarizes what is thinner than the limit, and finds by bisection the largest width that would pass everywhere. */
function summarize(
  areas: readonly { readonly area: Paths64; readonly parts: readonly ThinPart[] }[],
  limitMm: number,
  isMeant: (part: ThinPart) => boolean = () => true,
): ThinParts | undefined {
  const parts: ThinPart[] = [];
  const thinAreas: Paths64[] = [];
  for (const { area, parts: all } of areas) {
    const meantParts = all.filter(isMeant);
    if (meantParts.length === 0) continue;
    thinAreas.push(area);
    for (const part of meantParts) parts.push(part);
  }
  if (parts.length === 0) return undefined;
  let narrowestMm = 0;
  let failing = limitMm;
  for (let i = 0; i < HALVINGS; i++) {
    const middle = (narrowestMm + failing) / 2;
    if (thinAreas.some((area) => findThin(area, middle).some(isMeant))) failing = middle;
    else narrowestMm = middle;
  }
  parts.sort((a, b) => b.areaMm2 - a.areaMm2);
  return {
    count: parts.length,
    narrowestMm,
    boxes: parts.slice(0, MAX_BOXES).map(({ box }) => box),
    largestArea: parts[0]!.areaMm2,
  };
}

function scaleParts(parts: ThinParts, by: number): ThinParts {
  const boxes = parts.boxes.map(({ x, y, width, height }) => ({
    x: x * by,
    y: y * by,
    width: width * by,
    height: height * by,
  }));
  return { ...parts, boxes, largestArea: parts.largestArea * by * by };
}

/** Steps of the bisection: to a 64th of the limit. */
const HALVINGS = 6;

/** Returns the convex hull, clockwise, by Andrew's monotone chain. Cost: n log n. */
function convexHull(points: readonly Point[]): Point[] {
  const byX = [...points].sort((a, b) => a.x - b.x || a.y - b.y);
  const chain = (inOrder: readonly Point[]) => {
    const hull: Point[] = [];
    for (const point of inOrder) {
      while (hull.length > 1 && turn(hull.at(-2)!, hull.at(-1)!, point) <= 0) hull.pop();
      hull.push(point);
    }
    return hull.slice(0, -1);
  };
  if (byX.length < 3) return byX;
  return [...chain(byX), ...chain(byX.reverse())];
}

const turn = (a: Point, b: Point, c: Point) => (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
