/**
 * Lays many regions over each other in one go: finds all places where their edges meet, then what lies on top between
 * them. Clipper looks at every edge beside each point that it sweeps over, and a stack of shapes takes an operation for
 * each pair; so 20,000 nodes that cover each other took it 3 to 20 s.
 */
import { Clipper, FillRule, type Path64 } from 'clipper2-ts';
import type { Region } from './curves.ts';
import { DisjointSets } from './disjointSets.ts';
import { splitAtCrossings } from './noding.ts';
import { type Faces, findFaces, type Graph, toGraph } from './planarGraph.ts';

export interface OverlayRules {
  /** By which a region's paths fill it. */
  readonly fill: 'evenOdd' | 'nonZero' | 'positive';
  /** The group of each region. Regions of one group that border on each other, where they show, are joined. */
  readonly groups: ArrayLike<number>;
}

/** The least and the largest coordinates: whole numbers, and products of differences are exact. */
const MOST = 2 ** 25;

/** The visible part of one region, or of several that are joined. It is empty where others hide it. */
export interface VisibleRegion {
  /** Numbers of regions, rising. */
  readonly members: readonly number[];
  readonly region: Region;
  /** Of all that the members fill, with what others hide: the sums of their areas and of the lengths of their edges. */
  readonly fullArea: number;
  readonly fullPerimeter: number;
}

/**
 * Returns what shows of regions, which lie back to front: outer paths wind positively, holes negatively, and none
 * cross. Vertices of the regions keep their z; those that crossings make have 0. Returns undefined where rounding
 * leaves no certain answer. Cost: near to linear in the edges and their crossings.
 */
export function overlayRegions(regions: readonly Region[], rules: OverlayRules): VisibleRegion[] | undefined {
  const extents = { area: new Float64Array(regions.length), perimeter: new Float64Array(regions.length) };
  const sum = (values: Float64Array, members: readonly number[]) => members.reduce((all, i) => all + values[i]!, 0);
  return findVisible(regions, rules, extents)?.map(({ members, region }) => ({
    ...{ members, region },
    ...{ fullArea: sum(extents.area, members), fullPerimeter: sum(extents.perimeter, members) },
  }));
}

/** Returns what shows of regions, as `overlayRegions`. Measures the regions only where `extents` are given. */
function findVisible(
  regions: readonly Region[],
  { fill, groups }: OverlayRules,
  extents?: Extents,
): Pick<VisibleRegion, 'members' | 'region'>[] | undefined {
  const faces = findPlane(regions, fill, (stack) => stack.top(), extents);
  if (!faces) return undefined;
  const { graph, sources, face, labels: tops } = faces;
  const sets = new DisjointSets(regions.length);
  for (let e = 0; e < graph.edges; e++) {
    const a = tops[face[2 * e]!]!;
    const b = tops[face[2 * e + 1]!]!;
    if (a !== b && a >= 0 && b >= 0 && groups[a] === groups[b]) sets.join(a, b);
  }
  const labels = tops.map((top) => (top < 0 ? top : sets.find(top)));
  const results = regions.map(() => ({ members: [] as number[], region: [] as Region }));
  for (const i of regions.keys()) results[sets.find(i)]!.members.push(i);
  for (const { label, path } of tracePaths(graph, { ...faces, labels }, sources)) {
    if (path.length > 2) results[label]!.region.push(path);
  }
  return results.filter(({ members }) => members.length > 0);
}

/**
 * Parts the area of regions by what lies on it. `labelOf` is given the numbers of all regions that fill a place by
 * even-odd, rising, and returns the label of its part, from 0 on. Returns the parts by their labels; undefined where
 * rounding leaves no certain answer. Cost: near to linear in the edges, their crossings, and the regions of each face.
 */
export function partRegions(
  regions: readonly Region[],
  labelOf: (stack: readonly number[]) => number,
): Map<number, Region> | undefined {
  const faces = findPlane(regions, 'evenOdd', (stack) => (stack.top() < 0 ? -1 : labelOf(stack.list())));
  if (!faces) return undefined;
  const parts = new Map<number, Region>();
  for (const { label, path } of tracePaths(faces.graph, faces, faces.sources)) {
    if (path.length < 3) continue;
    const part = parts.get(label);
    if (part) part.push(path);
    else parts.set(label, [path]);
  }
  return parts;
}

/** Finds the faces between the edges of regions, with the label that `labelOf` gives each; -1 leaves it bare. */
function findPlane(
  regions: readonly Region[],
  fill: OverlayRules['fill'],
  labelOf: (stack: Windings) => number,
  extents?: Extents,
): (Faces & { readonly graph: Graph; readonly sources: Sources; readonly labels: Int32Array }) | undefined {
  const sources = collectSources(regions);
  const pieces = sources && splitAtCrossings(sources.segments);
  if (!pieces) return undefined;
  const graph = toGraph(pieces, sources.owner);
  const faces = findFaces(graph);
  const labels = labelFaces(graph, faces, { fill, owner: sources.owner, count: regions.length, labelOf, extents });
  return labels && { ...faces, graph, sources, labels };
}

/** From so many points on, an overlay is quicker than Clipper. */
const MANY_POINTS = 2000;

/** True for regions that are better laid over each other in one go. */
const isWorthOverlay = (regions: readonly Region[]): boolean =>
  regions.reduce((sum, region) => sum + region.reduce((points, path) => points + path.length, 0), 0) >= MANY_POINTS;

/** Returns the area of several regions, each filled by even-odd, without overlaps. */
export function unionRegions(regions: readonly Region[]): Region {
  const groups = new Uint8Array(regions.length);
  const result = isWorthOverlay(regions) ? findVisible(regions, { fill: 'evenOdd', groups }) : undefined;
  if (result) return result.flatMap(({ region }) => region);
  return Clipper.union(
    regions.flatMap((region) => Clipper.union(region, FillRule.EvenOdd)),
    FillRule.NonZero,
  );
}

/** Returns the area that paths fill by even-odd. */
export function unionEvenOdd(paths: Region): Region {
  const result = isWorthOverlay([paths]) ? findVisible([paths], { fill: 'evenOdd', groups: [0] }) : undefined;
  return result ? result.flatMap(({ region }) => region) : Clipper.union(paths, FillRule.EvenOdd);
}

/** Returns the area around which paths wind more often one way than the other: positively. */
export function unionPositive(paths: Region): Region {
  const result = isWorthOverlay([paths]) ? findVisible([paths], { fill: 'positive', groups: [0] }) : undefined;
  return result ? result.flatMap(({ region }) => region) : Clipper.union(paths, FillRule.Positive);
}

/** The edges of all regions: x0, y0, x1, y1 each, the z of both ends, and the region. */
interface Sources {
  readonly segments: Int32Array;
  readonly z0: Int32Array;
  readonly z1: Int32Array;
  readonly owner: Int32Array;
}

function collectSources(regions: readonly Region[]): Sources | undefined {
  const count = regions.reduce((sum, region) => sum + region.reduce((points, path) => points + path.length, 0), 0);
  const segments = new Int32Array(4 * count);
  const [z0, z1, owner] = [new Int32Array(count), new Int32Array(count), new Int32Array(count)];
  let k = 0;
  for (const [i, region] of regions.entries()) {
    for (const path of region) {
      let from = path.at(-1)!;
      for (const to of path) {
        if (!(Math.abs(to.x) < MOST && Math.abs(to.y) < MOST)) return undefined;
        if (from.x !== to.x || from.y !== to.y) {
          segments[4 * k] = from.x;
          segments[4 * k + 1] = from.y;
          segments[4 * k + 2] = to.x;
          segments[4 * k + 3] = to.y;
          z0[k] = from.z ?? 0;
          z1[k] = to.z ?? 0;
          owner[k] = i;
          k++;
        }
        from = to;
      }
    }
  }
  return { segments: segments.subarray(0, 4 * k), z0, z1, owner: owner.subarray(0, k) };
}

function directionOf({ x, y, ends }: Graph, half: number): [number, number] {
  const [a, b] = [ends[half]!, ends[half ^ 1]!];
  return [x[b]! - x[a]!, y[b]! - y[a]!];
}

interface Owners extends Pick<OverlayRules, 'fill'> {
  /** The region of each source. */
  readonly owner: Int32Array;
  readonly count: number;
  readonly labelOf: (stack: Windings) => number;
  /** Filled in where it is wanted. */
  readonly extents: Extents | undefined;
}

/** The area that each region fills, and the length of its edge. */
interface Extents {
  readonly area: Float64Array;
  readonly perimeter: Float64Array;
}

/** Returns the label of each face; undefined where two ways to a face do not agree. */
function labelFaces(graph: Graph, faces: Faces, owners: Owners): Int32Array | undefined {
  const { owner, labelOf, extents } = owners;
  const { first, following, direction, source } = graph;
  const { next, face, starts } = faces;
  const stack = createWindings(owners);
  /** Takes the step over an edge: to its right for -1, to its left for 1. */
  const step = (e: number, sign: number) => {
    for (let i = first[e]!; i >= 0; i = following[i]!) stack.add(owner[source[i]!]!, sign * direction[i]!);
  };
  const UNSEEN = -2;
  const labels = new Int32Array(starts.length).fill(UNSEEN);
  const sums = new Int32Array(starts.length);
  /** The faces on the way to the place, from the outermost on: where the walk around each began, and where it is. */
  const entry = new Int32Array(starts.length + 1);
  const at = new Int32Array(starts.length + 1);
  /** 1 for a face that was entered over an edge, 0 for one around a part. */
  const isAcross = new Uint8Array(starts.length + 1);
  const enter = (half: number, depth: number) => {
    labels[face[half]!] = labelOf(stack);
    sums[face[half]!] = stack.sum();
    entry[depth] = half;
    at[depth] = half;
  };
  const parts = findParts(graph);
  /** The first part that lies in each face and was not walked yet, and the next one in the same face. */
  const inside = new Int32Array(starts.length).fill(-1);
  const beside = new Int32Array(parts.length).fill(-1);
  for (const [i, { around }] of parts.entries()) {
    if (around < 0) continue;
    beside[i] = inside[face[around]!]!;
    inside[face[around]!] = i;
  }
  for (const { half, around } of parts) {
    if (around >= 0) continue;
    let depth = 0;
    enter(half, 0);
    while (depth >= 0) {
      const h = at[depth]!;
      const part = inside[face[h]!]!;
      if (part >= 0) {
        inside[face[h]!] = beside[part]!;
        isAcross[++depth] = 0;
        enter(parts[part]!.half, depth);
        continue;
      }
      const twin = h ^ 1;
      if (labels[face[twin]!] === UNSEEN) {
        step(h >> 1, h % 2 === 0 ? -1 : 1);
        isAcross[++depth] = 1;
        enter(twin, depth);
        continue;
      }
      if (extents) measureEdge(graph, h, { owner, stack, extents });
      at[depth] = next[h]!;
      if (at[depth] !== entry[depth]) continue;
      const back = entry[depth]!;
      if (isAcross[depth] === 1) step(back >> 1, back % 2 === 0 ? -1 : 1);
      depth--;
    }
  }
  for (let e = 0; e < graph.edges; e++) {
    let sum = 0;
    for (let i = first[e]!; i >= 0; i = following[i]!) sum += direction[i]! * stack.weight(owner[source[i]!]!);
    if (((sums[face[2 * e]!]! - sums[face[2 * e + 1]!]! - sum) | 0) !== 0) return undefined;
  }
  return labels;
}

interface Measuring {
  readonly owner: Int32Array;
  readonly stack: Windings;
  readonly extents: Extents;
}

/** Adds the edge of a half to the regions that fill the face to its left, where `stack` is, and not the one across. */
function measureEdge(graph: Graph, half: number, { owner, stack, extents }: Measuring): void {
  const { x, y, ends, following, direction, source } = graph;
  const list = graph.first[half >> 1]!;
  const sign = half % 2 === 0 ? -1 : 1;
  for (let i = list; i >= 0; i = following[i]!) {
    const region = owner[source[i]!]!;
    if (!stack.isFilled(region, 0)) continue;
    // The pieces of one region on this edge count together, with the first of them.
    let first = list;
    while (owner[source[first]!] !== region) first = following[first]!;
    if (first !== i) continue;
    let change = 0;
    for (let j = i; j >= 0; j = following[j]!) if (owner[source[j]!] === region) change += sign * direction[j]!;
    if (stack.isFilled(region, change)) continue;
    const a = ends[half]!;
    const b = ends[half ^ 1]!;
    extents.area[region]! += (x[a]! * y[b]! - x[b]! * y[a]!) / 2;
    extents.perimeter[region]! += Math.hypot(x[b]! - x[a]!, y[b]! - y[a]!);
  }
}

/** Keeps how often each region's paths wind around a place, and which region lies on top. */
function createWindings({ count, fill }: Pick<Owners, 'count' | 'fill'>) {
  const size = 2 ** Math.ceil(Math.log2(Math.max(1, count)));
  /** The highest region that fills the place, plus one, of each part of a binary tree. */
  const highest = new Int32Array(2 * size);
  const windings = new Int32Array(count);
  /** A hash of a stack: the sum of its windings, each times the weight of its region. */
  let sum = 0;
  const weight = (owner: number) => Math.imul(owner + 1, 0x9e3779b1) | 1;
  const numbers: number[] = [];
  const collect = (k: number): void => {
    if (highest[k] === 0) return;
    if (k >= size) {
      numbers.push(k - size);
      return;
    }
    collect(2 * k);
    collect(2 * k + 1);
  };
  const fills = (winding: number) =>
    fill === 'evenOdd' ? winding % 2 !== 0 : fill === 'nonZero' ? winding !== 0 : winding > 0;
  return {
    weight,
    sum: () => sum,
    top: () => highest[1]! - 1,
    /** True for a region that fills the place, or one across edges that change its winding. */
    isFilled: (owner: number, change: number) => fills(windings[owner]! + change),
    /** Returns the numbers of all regions that fill the place, rising. The list is good until the next call. */
    list: (): readonly number[] => {
      numbers.length = 0;
      collect(1);
      return numbers;
    },
    add(owner: number, change: number) {
      sum = (sum + Math.imul(change, weight(owner))) | 0;
      windings[owner]! += change;
      const value = fills(windings[owner]!) ? owner + 1 : 0;
      let k = size + owner;
      if (highest[k] === value) return;
      highest[k] = value;
      for (k >>= 1; k >= 1; k >>= 1) {
        const most = Math.max(highest[2 * k]!, highest[2 * k + 1]!);
        if (highest[k] === most) return;
        highest[k] = most;
      }
    },
  };
}

type Windings = ReturnType<typeof createWindings>;

/** A connected part of a graph. */
interface Part {
  /** A half with the face around the part to its left. */
  readonly half: number;
  /** A half of another part with the face to its left in which this one lies; -1 where it lies in none. */
  readonly around: number;
}

const MOST_ROWS = 4096;

function findParts(graph: Graph): Part[] {
  const { x, y, edges, ends } = graph;
  const sets = new DisjointSets(x.length);
  for (let e = 0; e < edges; e++) sets.join(ends[2 * e]!, ends[2 * e + 1]!);
  const roots = new Int32Array(x.length);
  for (let v = 0; v < x.length; v++) roots[v] = sets.find(v);
  // The leftmost vertex of each part, and of its halves the one with the largest angle: all go to the right.
  const starts = new Int32Array(x.length).fill(-1);
  const list: number[] = [];
  for (let h = 0; h < 2 * edges; h++) {
    const v = ends[h]!;
    const root = roots[v]!;
    const start = starts[root]!;
    if (start < 0) list.push(root);
    else {
      const best = ends[start]!;
      if (best !== v && (x[best]! < x[v]! || (x[best] === x[v] && y[best]! < y[v]!))) continue;
      if (best === v) {
        const [ax, ay] = directionOf(graph, start);
        const [bx, by] = directionOf(graph, h);
        if (ax * by - ay * bx <= 0) continue;
      }
    }
    starts[root] = h;
  }
  if (list.length < 2) return list.map((root) => ({ half: starts[root]!, around: -1 }));
  const { offsets, entries, rowOf } = sortIntoRows(graph);
  return list.map((root) => {
    const half = starts[root]!;
    const v = ends[half]!;
    const row = rowOf(y[v]!);
    let nearest = -1;
    for (let k = offsets[row]!; k < offsets[row + 1]!; k++) {
      const e = entries[k]!;
      // The half that goes up there: y rises along it, and to its right is what lies beyond it.
      const up = y[ends[2 * e + 1]!]! > y[v]! ? 2 * e : 2 * e + 1;
      if (y[ends[up]!]! > y[v]! || y[ends[up ^ 1]!]! <= y[v]! || roots[ends[up]!] === root) continue;
      if (sideOf(graph, up, v) < 0 && (nearest < 0 || isRightOf(graph, up, nearest))) nearest = up;
    }
    return { half, around: nearest < 0 ? -1 : nearest ^ 1 };
  });
}

/** Edges by the rows that they pass through: those of row r are `entries[offsets[r]…offsets[r + 1] - 1]`. */
function sortIntoRows({ y, edges, ends }: Graph) {
  let [top, bottom] = [Infinity, -Infinity];
  for (const value of y) {
    top = Math.min(top, value);
    bottom = Math.max(bottom, value);
  }
  const rows = Math.max(1, Math.min(MOST_ROWS, Math.floor(edges / 4)));
  const height = (bottom - top + 1) / rows;
  const rowOf = (value: number) => Math.floor((value - top) / height);
  const offsets = new Int32Array(rows + 1);
  let entries = new Int32Array(0);
  let places = offsets;
  for (const isPlacing of [false, true]) {
    for (let e = 0; e < edges; e++) {
      const a = rowOf(y[ends[2 * e]!]!);
      const b = rowOf(y[ends[2 * e + 1]!]!);
      const last = a < b ? b : a;
      for (let row = a < b ? a : b; row <= last; row++) {
        if (isPlacing) entries[places[row]!++] = e;
        else offsets[row + 1]!++;
      }
    }
    if (isPlacing) break;
    for (let row = 0; row < rows; row++) offsets[row + 1]! += offsets[row]!;
    entries = new Int32Array(offsets[rows]!);
    places = offsets.slice();
  }
  return { offsets, entries, rowOf };
}

/** Returns the side of a half on which a vertex lies: below 0 to the right of one that goes up. Exact. */
function sideOf({ x, y, ends }: Graph, half: number, v: number): number {
  const a = ends[half]!;
  const b = ends[half ^ 1]!;
  return (x[b]! - x[a]!) * (y[v]! - y[a]!) - (y[b]! - y[a]!) * (x[v]! - x[a]!);
}

/** True for a half to the right of another one. Both go up, past one height, and do not cross. */
function isRightOf(graph: Graph, half: number, other: number): boolean {
  const { y, ends } = graph;
  const [a, b] = [ends[half]!, ends[half ^ 1]!];
  const [c, d] = [ends[other]!, ends[other ^ 1]!];
  const side = y[a]! >= y[c]! ? sideOf(graph, other, a) : -sideOf(graph, half, c);
  // From one vertex on they part.
  if (side !== 0) return side < 0;
  return (y[b]! <= y[d]! ? sideOf(graph, other, b) : -sideOf(graph, half, d)) < 0;
}

/** Returns the borders of all labels. Pieces of one source in a row give one edge, as before they were split. */
function* tracePaths(
  graph: Graph,
  { next, face, labels }: Faces & { readonly labels: Int32Array },
  { segments, z0, z1 }: Sources,
): Generator<{ label: number; path: Path64 }> {
  const { x, y, edges, ends, first, direction, source } = graph;
  const isDone = new Uint8Array(2 * edges);
  const labelOf = (half: number) => labels[face[half]!]!;
  const sourceOf = (half: number) => source[first[half >> 1]!]!;
  /** The z of a source's end at a vertex; 0 elsewhere on it. */
  const zAt = (s: number, v: number) => {
    if (segments[4 * s] === x[v] && segments[4 * s + 1] === y[v]) return z0[s]!;
    return segments[4 * s + 2] === x[v] && segments[4 * s + 3] === y[v] ? z1[s]! : 0;
  };
  const isForward = (half: number) => direction[first[half >> 1]!]! > 0 === (half % 2 === 0);
  for (let start = 0; start < 2 * edges; start++) {
    const label = labelOf(start);
    if (isDone[start] || label < 0 || labelOf(start ^ 1) === label) continue;
    const halves: number[] = [];
    for (let h = start; isDone[h] === 0; ) {
      isDone[h] = 1;
      halves.push(h);
      h = next[h]!;
      while (labelOf(h ^ 1) === label) h = next[h ^ 1]!;
    }
    const path: Path64 = [];
    let before = halves.at(-1)!;
    for (const h of halves) {
      const [s, t] = [sourceOf(before), sourceOf(h)];
      if (s !== t || isForward(before) !== isForward(h)) {
        const v = ends[h]!;
        path.push({ x: x[v]!, y: y[v]!, z: zAt(s, v) || zAt(t, v) });
      }
      before = h;
    }
    yield { label, path };
  }
}
