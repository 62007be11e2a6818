import type { BoundaryMap } from '../boundary/boundary.ts';
import { OUTSIDE } from '../boundary/boundary.ts';
import type { Centerlines, Stroke } from '../centerline/centerline.ts';
import { toHex } from '../color/color.ts';
import type { LabelMap } from '../color/labels.ts';
import { toGradient } from '../color/paint.ts';
import type { Drawing, Gradient, Layer, Path, Ring } from '../drawing.ts';
import type { CurveMap } from '../fit/curves.ts';
import { mergeTolerance } from '../fit/merge.ts';
import { DisjointSet } from '../geometry/disjointSet.ts';
import type { Settings } from '../options.ts';
import type { Page } from '../regions/page.ts';
import { pileUp } from './pile.ts';
import { keepInside, leftOf, toRing } from './rings.ts';

/** The middle of a line that the border cuts may lie this far outside the picture, in px. */
const STROKE_SLACK = 1;

interface PaintedShape {
  color: string;
  /** The gradients that fill the shape in place of its color, from the bottom up. */
  gradients: Gradient[];
  /** Equal for equal paints. */
  key: string;
  /** The outline, then the holes, as half-edges. */
  loops: number[][];
  rings: Ring[];
  /** Strokes that are drawn in place of the shape. */
  strokes?: Path[];
  /** Shapes that lie on top of this one. */
  above: PaintedShape[];
  /** Number of shapes below this one that are not yet placed. */
  below: number;
}

interface RegionLoop {
  region: number;
  component: number;
  isOuter: boolean;
  /** Half-edges in order: 2c runs chain c forward, with its left region on the left; 2c + 1 runs it backward. */
  loop: number[];
}

/**
 * Assembles the fitted chains into shapes, determines their stacking order, and groups them into layers. Regions with
 * strokes are drawn as strokes.
 */
export function assemble(
  curveMap: CurveMap,
  labelMap: LabelMap,
  settings: Settings,
  page: Page,
  lines?: Centerlines,
): Drawing {
  const { map } = curveMap;
  const clampedMap = { ...curveMap, curves: curveMap.curves.map((curve) => keepInside(curve, map)) };
  const outlines = traceOutlines(map);
  const shapes = buildShapes(clampedMap, outlines, labelMap, settings, page.open, lines);
  const drawing: Drawing = {
    width: map.width,
    height: map.height,
    lineArt: false,
    layers: groupShapes(shapes, settings),
  };
  if (page.color !== undefined) drawing.background = page.color;
  return drawing;
}

/** Links half-edges into loops, each with its region on the left. */
function traceOutlines(map: BoundaryMap): RegionLoop[] {
  const { chains, junctions, path, width } = map;
  const stride = width + 1;

  const leaving = new Int32Array(junctions.length * 4).fill(-1);
  const junctionSets = new DisjointSet(junctions.length);
  const leave = (j: number, halfEdge: number): void => {
    let slot = j * 4;
    while (leaving[slot] >= 0) slot++;
    leaving[slot] = halfEdge;
  };
  chains.forEach((chain, c) => {
    if (chain.start < 0) return;
    leave(chain.start, 2 * c);
    leave(chain.end, 2 * c + 1);
    junctionSets.join(chain.start, chain.end);
  });

  const regionOn = (halfEdge: number): number => leftOf(map, halfEdge);
  const isUsed = new Uint8Array(chains.length * 2);
  const outlines: RegionLoop[] = [];
  for (let first = 0; first < isUsed.length; first++) {
    const region = regionOn(first);
    if (isUsed[first] || region === OUTSIDE) continue;
    const loop: number[] = [];
    let area = 0;
    let halfEdge = first;
    const firstChain = chains[first >> 1];
    const component = firstChain.start < 0 ? junctions.length + (first >> 1) : junctionSets.find(firstChain.start);
    do {
      isUsed[halfEdge] = 1;
      const chain = chains[halfEdge >> 1];
      area += (halfEdge & 1 ? -1 : 1) * latticeArea(path, chain.from, chain.to, stride);
      loop.push(halfEdge);
      if (chain.start < 0) break;
      const j = halfEdge & 1 ? chain.start : chain.end;
      let next = -1;
      for (let slot = j * 4; slot < j * 4 + 4 && leaving[slot] >= 0; slot++) {
        if (regionOn(leaving[slot]) === region) next = leaving[slot];
      }
      if (next < 0) break;
      halfEdge = next;
    } while (halfEdge !== first);
    outlines.push({ region, component, isOuter: area < 0, loop });
  }
  return outlines;
}

/** Returns twice the signed area of a lattice path; negative around a region on the left. */
function latticeArea(path: Int32Array, from: number, to: number, stride: number): number {
  let sum = 0;
  for (let k = from; k < to; k++) {
    const x = path[k] % stride;
    const y = (path[k] - x) / stride;
    const u = path[k + 1] % stride;
    const v = (path[k + 1] - u) / stride;
    sum += x * v - u * y;
  }
  return sum;
}

/**
 * Builds the shapes. Cut-outs keep all rings. Stacked shapes lose the holes that other shapes fill completely: the
 * shapes in such a hole are painted on top. A connected component of the boundary has one region around it, in which it
 * is one hole, so holes correspond to components.
 */
function buildShapes(
  { map, curves, regions }: CurveMap,
  outlines: RegionLoop[],
  { palette, ramps, paints }: LabelMap,
  settings: Settings,
  isOpen: Uint8Array,
  lines: Centerlines | undefined,
): PaintedShape[] {
  const inside = new Map<number, number[]>(); // component → regions whose outer loop is part of it
  const holesOf = new Map<number, RegionLoop[]>(); // region → its holes
  const isHole = new Set<number>();
  for (const outline of outlines) {
    if (outline.isOuter) {
      const list = inside.get(outline.component);
      if (list) list.push(outline.region);
      else inside.set(outline.component, [outline.region]);
    } else {
      isHole.add(outline.component);
      const list = holesOf.get(outline.region);
      if (list) list.push(outline);
      else holesOf.set(outline.region, [outline]);
    }
  }

  // From the outermost component inward; in reverse order, children come before parents.
  const order: number[] = [];
  for (const component of inside.keys()) if (!isHole.has(component)) order.push(component);
  for (let k = 0; k < order.length; k++) {
    for (const region of inside.get(order[k]) ?? []) {
      for (const hole of holesOf.get(region) ?? []) order.push(hole.component);
    }
  }
  const hasOpen = new Set<number>();
  for (let k = order.length - 1; k >= 0; k--) {
    for (const region of inside.get(order[k]) ?? []) {
      const open = isOpen[region] === 1 || (holesOf.get(region) ?? []).some((hole) => hasOpen.has(hole.component));
      if (open) hasOpen.add(order[k]);
    }
  }

  const shapes: PaintedShape[] = [];
  const shapeOf = new Map<number, PaintedShape>();
  const colorOf = (region: number): string => {
    if (settings.colorMode === 'monochrome') return settings.ink;
    const label = regions.labelOf[region];
    const at = label * 4;
    return paints?.[label] ?? toHex(palette[at], palette[at + 1], palette[at + 2]);
  };
  for (const { isOuter, region, loop } of outlines) {
    if (!isOuter || isOpen[region] === 1) continue;
    const color = colorOf(region);
    const gradients = (ramps[regions.labelOf[region]] ?? []).map(toGradient);
    const key = gradients.length > 0 ? JSON.stringify(gradients) : color;
    const shape: PaintedShape = { color, gradients, key, loops: [loop], rings: [], above: [], below: 0 };
    const strokes = lines?.strokes.get(region);
    if (lines && strokes) shape.strokes = toStrokePaths(strokes, lines.cap, color, map);
    shapeOf.set(region, shape);
    shapes.push(shape);
  }
  const isLayered = settings.stacking === 'stacked' && settings.draw !== 'stroke';
  const put = (top: PaintedShape | undefined, over: PaintedShape): void => {
    if (!top) return;
    over.above.push(top);
    top.below++;
  };
  for (const [region, holes] of holesOf) {
    const shape = shapeOf.get(region);
    if (!shape) continue;
    for (const hole of holes) {
      if (!isLayered || hasOpen.has(hole.component)) shape.loops.push(hole.loop);
      else for (const inner of inside.get(hole.component) ?? []) put(shapeOf.get(inner), shape);
    }
  }

  if (!isLayered) {
    for (const shape of shapes) shape.rings = shape.loops.map((loop) => toRing(loop, curves));
    return shapes;
  }
  const components = order.map((component) => (inside.get(component) ?? []).filter((region) => shapeOf.has(region)));
  const loopsOf = (region: number): number[][] => (shapeOf.get(region) as PaintedShape).loops;
  const isSolid = (region: number): boolean => (shapeOf.get(region) as PaintedShape).strokes === undefined;
  for (const part of pileUp({ map, curves, regions }, components, { loopsOf, isSolid }, mergeTolerance(settings))) {
    const shape = shapeOf.get(part.region) as PaintedShape;
    shape.rings = part.rings;
    for (const other of part.above) put(shapeOf.get(other), shape);
  }
  return shapes;
}

/**
 * Groups shapes into layers. Sorts them topologically, so that each comes after the shapes under it, and continues with
 * one paint as long as possible.
 */
function groupShapes(shapes: PaintedShape[], settings: Settings): Layer[] {
  const ready = new Map<string, PaintedShape[]>();
  const offer = (shape: PaintedShape): void => {
    const list = ready.get(shape.key);
    if (list) list.push(shape);
    else ready.set(shape.key, [shape]);
  };
  for (const shape of shapes) if (shape.below === 0) offer(shape);
  const layers: Layer[] = [];
  const add = (color: string, paths: Path[]): void => {
    layers.push({ id: `layer-${layers.length + 1}`, color, paths });
  };
  while (ready.size > 0) {
    const key = ready.keys().next().value as string;
    const list = ready.get(key) as PaintedShape[];
    const rings: Ring[] = [];
    const pathLists: Path[][] = [];
    for (let k = 0; k < list.length; k++) {
      const shape = list[k];
      if (shape.strokes) pathLists.push(shape.strokes);
      else if (settings.groupBy === 'color') for (const ring of shape.rings) rings.push(ring);
      else pathLists.push(toPaths(shape, shape.rings));
      for (const above of shape.above) if (--above.below === 0) offer(above);
    }
    ready.delete(key);
    const { color } = list[0];
    if (settings.groupBy === 'color') {
      const paths = rings.length > 0 ? toPaths(list[0], rings) : [];
      add(color, [...paths, ...mergeStrokes(pathLists.flat())]);
    } else if (settings.groupBy === 'shape') for (const paths of pathLists) add(color, paths);
    else if (layers.length === 0) add('mixed', pathLists.flat());
    else for (const path of pathLists.flat()) layers[0].paths.push(path);
  }
  return layers;
}

/** Returns one path for a color, or one for each of several gradients over one another. */
function toPaths({ color, gradients }: PaintedShape, rings: Ring[]): Path[] {
  return gradients.length > 0 ? gradients.map((gradient) => ({ color, gradient, rings })) : [{ color, rings }];
}

/** Returns one path for each line width. */
function toStrokePaths(strokes: Stroke[], cap: 'butt' | 'round', color: string, map: BoundaryMap): Path[] {
  return mergeStrokes(
    strokes.map(({ curve: whole, isClosed, width }) => {
      const curve = keepInside(whole, map, STROKE_SLACK);
      const ring: Ring = isClosed ? { ...curve } : { ...curve, isOpen: true };
      const join = cap === 'round' ? 'round' : 'miter';
      return { color, rings: [ring], strokeWidth: Math.round(width * 100) / 100, cap, join };
    }),
  );
}

/** Merges paths of the same line width. */
function mergeStrokes(paths: Path[]): Path[] {
  const byWidth = new Map<number, Path>();
  for (const path of paths) {
    const same = byWidth.get(path.strokeWidth as number);
    if (same) same.rings.push(...path.rings);
    else byWidth.set(path.strokeWidth as number, { ...path, rings: [...path.rings] });
  }
  return [...byWidth.values()];
}
