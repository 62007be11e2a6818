import type { BoundaryMap } from './boundary.ts';
import { OUTSIDE } from './boundary.ts';
import { toHex } from './color.ts';
import type { Curve, Segment } from './curves.ts';
import type { Settings } from './options.ts';
import type { Quantized } from './quantize.ts';
import type { Regions } from './regions.ts';

/** A closed outline: from (x, y) along the segments back to (x, y). */
export interface Ring {
  x: number;
  y: number;
  segments: Segment[];
}

/** Filled by the nonzero or even-odd rule alike; drawn as a line of `strokeWidth` px when that is given. */
export interface Path {
  color: string;
  rings: Ring[];
  strokeWidth?: number;
}

/** Layers are painted in order. `color` is the colour of all its paths, or `mixed`. */
export interface Layer {
  id: string;
  color: string;
  paths: Path[];
}

export interface Drawing {
  /** Size of the bitmap; all coordinates are its pixels, y down. */
  width: number;
  height: number;
  /** Colour of the page the art stands on, when it is a single one and was kept. Regions of this colour are left open. */
  background?: string;
  layers: Layer[];
}

interface Shape {
  region: number;
  color: string;
  rings: Ring[];
  /** Shapes that lie on top of this one. */
  above: number[];
  /** Shapes this one waits for. */
  below: number;
}

interface Outline {
  region: number;
  component: number;
  isOuter: boolean;
  ring: Ring;
}

/** Assembles the fitted chains into shapes, decides what lies over what, and groups the shapes into layers. */
export function assemble(
  map: BoundaryMap,
  curves: Curve[],
  regions: Regions,
  quantized: Quantized,
  settings: Settings,
): Drawing {
  const page = findPage(regions, quantized, settings);
  const outlines = traceOutlines(map, curves, regions);
  const shapes = buildShapes(outlines, regions, quantized, settings, page.isOpen);
  const drawing: Drawing = { width: map.width, height: map.height, layers: groupShapes(shapes, settings) };
  if (page.color !== undefined) drawing.background = page.color;
  return drawing;
}

/**
 * The page is the colour along most of the border. Without `dropBackground` the drawing stands on it, and every region of
 * that colour is open. With it, only the regions that reach the border are cut away.
 */
function findPage(
  regions: Regions,
  { palette, count, clear }: Quantized,
  settings: Settings,
): { color: string | undefined; isOpen: (region: number) => boolean } {
  const { width, height, ids, labelOf } = regions;
  const seen = new Uint32Array(count);
  const touches = new Uint8Array(regions.count);
  const visit = (i: number): void => {
    seen[labelOf[ids[i]]]++;
    touches[ids[i]] = 1;
  };
  for (let x = 0; x < width; x++) {
    visit(x);
    visit((height - 1) * width + x);
  }
  for (let y = 0; y < height; y++) {
    visit(y * width);
    visit(y * width + width - 1);
  }
  let label = 0;
  for (let k = 1; k < count; k++) if (seen[k] > seen[label]) label = k;
  if (settings.colorMode === 'monochrome') return { color: undefined, isOpen: (r) => labelOf[r] === 0 };
  const isPage = label !== clear && seen[label] > (width + height) * 1.2 && regions.count > 1;
  if (!isPage) return { color: undefined, isOpen: (r) => labelOf[r] === clear };
  if (settings.dropBackground) {
    return { color: undefined, isOpen: (r) => labelOf[r] === clear || (labelOf[r] === label && touches[r] === 1) };
  }
  const at = label * 4;
  const color = toHex(palette[at], palette[at + 1], palette[at + 2]);
  return { color, isOpen: (r) => labelOf[r] === clear || labelOf[r] === label };
}

/** Links chains into rings, each with its region on the left. */
function traceOutlines(map: BoundaryMap, curves: Curve[], regions: Regions): Outline[] {
  const { chains, junctions, path, width } = map;
  const stride = width + 1;

  // Directed chain 2c runs forward with `left` on its left, 2c + 1 backward with `right` on its left.
  const leaving = new Int32Array(junctions.length * 4).fill(-1);
  const parent = new Int32Array(junctions.length);
  for (let j = 0; j < junctions.length; j++) parent[j] = j;
  const root = (j: number): number => {
    while (parent[j] !== j) {
      parent[j] = parent[parent[j]];
      j = parent[j];
    }
    return j;
  };
  const leave = (j: number, directed: number): void => {
    let slot = j * 4;
    while (leaving[slot] >= 0) slot++;
    leaving[slot] = directed;
  };
  chains.forEach((chain, c) => {
    if (chain.start < 0) return;
    leave(chain.start, 2 * c);
    leave(chain.end, 2 * c + 1);
    const a = root(chain.start);
    const b = root(chain.end);
    if (a < b) parent[b] = a;
    else parent[a] = b;
  });

  const regionOn = (directed: number): number => {
    const chain = chains[directed >> 1];
    return directed & 1 ? chain.right : chain.left;
  };
  const used = new Uint8Array(chains.length * 2);
  const outlines: Outline[] = [];
  for (let first = 0; first < used.length; first++) {
    const region = regionOn(first);
    if (used[first] || region === OUTSIDE) continue;
    const ring: Ring = { x: 0, y: 0, segments: [] };
    let area = 0;
    let directed = first;
    const firstChain = chains[first >> 1];
    const component = firstChain.start < 0 ? junctions.length + (first >> 1) : root(firstChain.start);
    do {
      used[directed] = 1;
      const chain = chains[directed >> 1];
      area += (directed & 1 ? -1 : 1) * latticeArea(path, chain.from, chain.to, stride);
      appendCurve(ring, curves[directed >> 1], (directed & 1) === 1, directed === first);
      if (chain.start < 0) break;
      const j = directed & 1 ? chain.start : chain.end;
      let next = -1;
      for (let slot = j * 4; slot < j * 4 + 4 && leaving[slot] >= 0; slot++) {
        if (regionOn(leaving[slot]) === region) next = leaving[slot];
      }
      if (next < 0) break;
      directed = next;
    } while (directed !== first);
    outlines.push({ region, component, isOuter: area < 0, ring });
  }
  void regions;
  return outlines;
}

/** Twice the signed area under a lattice path; negative around a region on the left. */
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

function appendCurve(ring: Ring, curve: Curve, backward: boolean, isFirst: boolean): void {
  const { segments } = curve;
  if (!backward) {
    if (isFirst) {
      ring.x = curve.x;
      ring.y = curve.y;
    }
    for (const segment of segments) ring.segments.push(segment);
    return;
  }
  if (isFirst && segments.length > 0) {
    ring.x = segments[segments.length - 1].x;
    ring.y = segments[segments.length - 1].y;
  }
  for (let k = segments.length - 1; k >= 0; k--) {
    const { isLine, x1, y1, x2, y2 } = segments[k];
    const x = k > 0 ? segments[k - 1].x : curve.x;
    const y = k > 0 ? segments[k - 1].y : curve.y;
    ring.segments.push(
      isLine ? { isLine, x1: x, y1: y, x2: x, y2: y, x, y } : { isLine, x1: x2, y1: y2, x2: x1, y2: y1, x, y },
    );
  }
}

/**
 * Cut-outs keep all rings. Stacked shapes lose the holes that others fill completely: what lies in such a hole is painted on top.
 * A connected piece of boundary has one region around it, in which it is one hole; so holes and pieces are the same thing.
 */
function buildShapes(
  outlines: Outline[],
  regions: Regions,
  { palette }: Quantized,
  settings: Settings,
  isOpen: (region: number) => boolean,
): Shape[] {
  const inside = new Map<number, number[]>(); // component → regions whose outer ring is in it
  const holesOf = new Map<number, Outline[]>(); // region → its holes
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

  // From the outermost component inwards; read backwards, children come before parents.
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
      const open = isOpen(region) || (holesOf.get(region) ?? []).some((hole) => hasOpen.has(hole.component));
      if (open) hasOpen.add(order[k]);
    }
  }

  const shapes: Shape[] = [];
  const shapeOf = new Map<number, Shape>();
  const colorOf = (region: number): string => {
    if (settings.colorMode === 'monochrome') return settings.ink;
    const at = regions.labelOf[region] * 4;
    return toHex(palette[at], palette[at + 1], palette[at + 2]);
  };
  for (const outline of outlines) {
    if (!outline.isOuter || isOpen(outline.region)) continue;
    const shape: Shape = {
      region: shapes.length,
      color: colorOf(outline.region),
      rings: [outline.ring],
      above: [],
      below: 0,
    };
    shapes.push(shape);
    shapeOf.set(outline.region, shape);
  }
  for (const [region, holes] of holesOf) {
    const shape = shapeOf.get(region);
    if (!shape) continue;
    for (const hole of holes) {
      if (settings.stacking === 'cutouts' || settings.draw === 'stroke' || hasOpen.has(hole.component)) {
        shape.rings.push(hole.ring);
        continue;
      }
      for (const inner of inside.get(hole.component) ?? []) {
        const top = shapeOf.get(inner);
        if (!top) continue;
        shape.above.push(top.region);
        top.below++;
      }
    }
  }
  return shapes;
}

/** Orders shapes so that each comes after what lies under it, staying with a colour as long as it can, and makes layers. */
function groupShapes(shapes: Shape[], settings: Settings): Layer[] {
  const ready = new Map<string, number[]>();
  const offer = (k: number): void => {
    const list = ready.get(shapes[k].color);
    if (list) list.push(k);
    else ready.set(shapes[k].color, [k]);
  };
  shapes.forEach((shape, k) => {
    if (shape.below === 0) offer(k);
  });
  const layers: Layer[] = [];
  const add = (color: string, paths: Path[]): void => {
    layers.push({ id: `layer-${layers.length + 1}`, color, paths });
  };
  while (ready.size > 0) {
    const color = ready.keys().next().value as string;
    const list = ready.get(color) as number[];
    const rings: Ring[] = [];
    const paths: Path[] = [];
    for (let k = 0; k < list.length; k++) {
      const shape = shapes[list[k]];
      if (settings.groupBy === 'color') rings.push(...shape.rings);
      else paths.push({ color, rings: shape.rings });
      for (const above of shape.above) if (--shapes[above].below === 0) offer(above);
    }
    ready.delete(color);
    if (settings.groupBy === 'color') add(color, [{ color, rings }]);
    else if (settings.groupBy === 'shape') for (const path of paths) add(color, [path]);
    else if (layers.length === 0) add('mixed', paths);
    else layers[0].paths.push(...paths);
  }
  return layers;
}
