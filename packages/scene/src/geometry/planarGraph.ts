/**
 * The planar graph of segments that cross nowhere, and the faces between them. In typed arrays, and without a table of
 * edges: those of a vertex are few, and are found among the others that start there.
 */
import type { Pieces } from './noding.ts';

/**
 * A planar graph. Edge e goes from vertex `ends[2 e]` to `ends[2 e + 1]`; its halves are 2 e, in that direction, and
 * 2 e + 1. So half h goes from `ends[h]` to `ends[h ^ 1]`. The pieces that lie on an edge are a list: `first[e]`,
 * `following[piece]`, and -1 at the end.
 */
export interface Graph {
  readonly x: Int32Array;
  readonly y: Int32Array;
  readonly edges: number;
  readonly ends: Int32Array;
  readonly first: Int32Array;
  readonly following: Int32Array;
  /** 1 for a piece in the direction of its edge, -1 for one against it. */
  readonly direction: Int8Array;
  readonly source: Int32Array;
}

/** Returns the graph of closed paths' pieces; `owner` has the region of each source. */
export function toGraph(pieces: Pieces, owner: Int32Array): Graph {
  const { count, source } = pieces;
  const { pieceEnds, x, y } = numberVertices(pieces);
  const ends = new Int32Array(2 * count);
  const [first, following] = [new Int32Array(count).fill(-1), new Int32Array(count).fill(-1)];
  const direction = new Int8Array(count);
  const { offsets, order } = sortByLowerEnd(pieceEnds, x.length);
  let edges = 0;
  for (let v = 0; v < x.length; v++) {
    const start = edges;
    // From the last one, so that each list begins with its lowest region.
    for (let k = offsets[v + 1]! - 1; k >= offsets[v]!; k--) {
      const i = order[k]!;
      const other = pieceEnds[2 * i] === v ? pieceEnds[2 * i + 1]! : pieceEnds[2 * i]!;
      let e = start;
      while (e < edges && ends[2 * e + 1] !== other) e++;
      if (e === edges) {
        ends[2 * e] = v;
        ends[2 * e + 1] = other;
        edges++;
      }
      direction[i] = pieceEnds[2 * i] === v ? 1 : -1;
      following[i] = first[e]!;
      first[e] = i;
    }
    // Those along which the pieces of each region cancel each other out are gone.
    let last = start;
    for (let e = start; e < edges; e++) {
      if (isNeutral(first[e]!)) continue;
      ends[2 * last] = v;
      ends[2 * last + 1] = ends[2 * e + 1]!;
      first[last++] = first[e]!;
    }
    first.fill(-1, last, edges);
    edges = last;
  }
  return { x, y, edges, ends, first, following, direction, source };

  function isNeutral(list: number): boolean {
    for (let i = list; i >= 0; i = following[i]!) {
      let sum = 0;
      for (let j = list; j >= 0; j = following[j]!) {
        if (owner[source[j]!] === owner[source[i]!]) sum += direction[j]!;
      }
      if (sum !== 0) return false;
    }
    return true;
  }
}

/** Numbers the places at which pieces end: `pieceEnds` has two for each piece. */
function numberVertices({ count, x0, y0, x1, y1 }: Pieces) {
  const pieceEnds = new Int32Array(2 * count);
  // As paths are closed, each vertex is the start of a piece.
  const [xs, ys] = [new Int32Array(count), new Int32Array(count)];
  const size = 2 ** Math.ceil(Math.log2(1.5 * count + 2));
  const numbers = new Int32Array(size).fill(-1);
  let vertices = 0;
  const vertexAt = (x: number, y: number): number => {
    let slot = Math.imul(x, -1640531527) ^ Math.imul(y, -2048144777);
    slot = (slot ^ (slot >>> 15)) & (size - 1);
    for (;;) {
      const number = numbers[slot]!;
      if (number === -1) break;
      if (xs[number] === x && ys[number] === y) return number;
      slot = (slot + 1) & (size - 1);
    }
    numbers[slot] = vertices;
    xs[vertices] = x;
    ys[vertices] = y;
    return vertices++;
  };
  for (let i = 0; i < count; i++) {
    // Pieces mostly follow each other.
    const isNext = i > 0 && x0[i] === x1[i - 1] && y0[i] === y1[i - 1];
    pieceEnds[2 * i] = isNext ? pieceEnds[2 * i - 1]! : vertexAt(x0[i]!, y0[i]!);
    pieceEnds[2 * i + 1] = vertexAt(x1[i]!, y1[i]!);
  }
  return { pieceEnds, x: xs.subarray(0, vertices), y: ys.subarray(0, vertices) };
}

/** Returns pieces by the lower number of their two vertices: those of v are `order[offsets[v]…offsets[v + 1] - 1]`. */
function sortByLowerEnd(pieceEnds: Int32Array, vertices: number) {
  const count = pieceEnds.length / 2;
  const offsets = new Int32Array(vertices + 1);
  for (let i = 0; i < count; i++) offsets[Math.min(pieceEnds[2 * i]!, pieceEnds[2 * i + 1]!) + 1]!++;
  for (let v = 0; v < vertices; v++) offsets[v + 1]! += offsets[v]!;
  const order = new Int32Array(count);
  const places = offsets.slice(0, vertices);
  for (let i = 0; i < count; i++) order[places[Math.min(pieceEnds[2 * i]!, pieceEnds[2 * i + 1]!)]!++] = i;
  return { offsets, order };
}

/** The half that comes after each half around the face to its left, and the number of that face. */
export interface Faces {
  readonly next: Int32Array;
  readonly face: Int32Array;
  /** One half of each face. */
  readonly starts: Int32Array;
}

/** Finds the faces of a graph. Cost: linear where vertices have few edges. */
export function findFaces(graph: Graph): Faces {
  const { x, y, edges, ends } = graph;
  const halves = 2 * edges;
  const offsets = new Int32Array(x.length + 1);
  for (let h = 0; h < halves; h++) offsets[ends[h]! + 1]!++;
  for (let v = 0; v < x.length; v++) offsets[v + 1]! += offsets[v]!;
  const around = new Int32Array(halves);
  const places = offsets.slice(0, x.length);
  for (let h = 0; h < halves; h++) {
    const v = ends[h]!;
    let k = places[v]!++;
    // Two halves are in order either way.
    if (offsets[v + 1]! - offsets[v]! > 2) {
      const w = ends[h ^ 1]!;
      const dx = x[w]! - x[v]!;
      const dy = y[w]! - y[v]!;
      // Sorted by angle, as it goes in: a vertex has few halves.
      for (; k > offsets[v]!; k--) {
        const u = ends[around[k - 1]! ^ 1]!;
        if (!isAngleLess(dx, dy, x[u]! - x[v]!, y[u]! - y[v]!)) break;
        around[k] = around[k - 1]!;
      }
    }
    around[k] = h;
  }
  const next = new Int32Array(halves);
  for (let v = 0; v < x.length; v++) {
    const start = offsets[v]!;
    const end = offsets[v + 1]!;
    for (let k = start; k < end; k++) next[around[k]! ^ 1] = around[k === start ? end - 1 : k - 1]!;
  }
  const face = new Int32Array(halves).fill(-1);
  const starts: number[] = [];
  for (let h = 0; h < halves; h++) {
    if (face[h] !== -1) continue;
    for (let k = h; face[k] === -1; k = next[k]!) face[k] = starts.length;
    starts.push(h);
  }
  return { next, face, starts: Int32Array.from(starts) };
}

function isAngleLess(ax: number, ay: number, bx: number, by: number): boolean {
  const isLowA = ay < 0 || (ay === 0 && ax < 0);
  const isLowB = by < 0 || (by === 0 && bx < 0);
  if (isLowA !== isLowB) return isLowB;
  return ax * by - ay * bx > 0;
}
