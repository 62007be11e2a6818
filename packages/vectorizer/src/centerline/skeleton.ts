import type { Regions } from '../regions/regions.ts';

/**
 * The skeletons (medial axes) of regions, one pixel wide. They only give the topology, where lines run and meet; the
 * exact center is measured from the ink across them.
 */
export interface Skeleton {
  /** Pixels of all edges, one edge after another, nodes included. */
  path: Int32Array;
  edges: SkeletonEdge[];
  /** Pixel of each node. */
  nodes: Int32Array;
}

interface SkeletonEdge {
  region: number;
  /** Nodes at the ends; -1 for a loop without nodes, whose last pixel is next to its first. */
  start: number;
  end: number;
  /** First and last index in `path`. */
  from: number;
  to: number;
}

/**
 * Thins the chosen regions to lines one pixel wide (Guo & Hall 1989, with two subiterations) and follows those from
 * node to node. Each round visits only pixels whose neighbors were removed, so the cost is linear in the pixels of the
 * chosen regions. The outermost frame of the picture is never part of a skeleton.
 */
export function findSkeleton(regions: Regions, isChosen: Uint8Array): Skeleton {
  const { width, height, ids } = regions;
  const mask = new Uint8Array(width * height);
  for (let y = 1; y < height - 1; y++) {
    for (let i = y * width + 1; i < y * width + width - 1; i++) mask[i] = isChosen[ids[i]];
  }
  const grid = new Grid(mask, ids, width);
  grid.thin();
  return grid.trace();
}

/** By neighborhood: bit 0 when `thin` may remove the pixel in the first subiteration, bit 1 in the second. */
const REMOVABLE = findRemovable();

function findRemovable(): Uint8Array {
  const table = new Uint8Array(256);
  for (let bits = 0; bits < 256; bits++) {
    const p = (k: number): number => (bits >> (k & 7)) & 1;
    let crossings = 0;
    let even = 0;
    let odd = 0;
    for (let k = 0; k < 8; k += 2) {
      crossings += p(k) === 0 && (p(k + 1) | p(k + 2)) === 1 ? 1 : 0;
      even += p(k) | p(k + 1);
      odd += p(k + 1) | p(k + 2);
    }
    const neighbors = Math.min(even, odd);
    if (crossings !== 1 || neighbors < 2 || neighbors > 3) continue;
    const first = ((p(4) | p(5) | (1 - p(7))) & p(6)) === 0;
    const second = ((p(0) | p(1) | (1 - p(3))) & p(2)) === 0;
    table[bits] = (first ? 1 : 0) | (second ? 2 : 0);
  }
  return table;
}

/** Bits of a neighborhood, clockwise from north. */
const NORTH = 1;
const EAST = 4;
const SOUTH = 16;
const WEST = 64;

class Grid {
  private readonly mask: Uint8Array;
  private readonly ids: Uint32Array;
  /** Steps to the eight neighbors, clockwise from north. */
  private readonly steps: Int32Array;

  constructor(mask: Uint8Array, ids: Uint32Array, width: number) {
    this.mask = mask;
    this.ids = ids;
    this.steps = Int32Array.of(-width, 1 - width, 1, width + 1, width, width - 1, -1, -width - 1);
  }

  /** Returns the neighbors of the same region, as bits. */
  private around(i: number): number {
    const { mask, ids, steps } = this;
    const id = ids[i];
    let bits = 0;
    for (let k = 0; k < 8; k++) if (mask[i + steps[k]] !== 0 && ids[i + steps[k]] === id) bits |= 1 << k;
    return bits;
  }

  thin(): void {
    const { mask, steps } = this;
    const table = REMOVABLE;
    const isQueued = new Uint8Array(mask.length);
    let queue: number[] = [];
    for (let i = 0; i < mask.length; i++) {
      if (mask[i] === 0 || this.around(i) === 255) continue;
      queue.push(i);
      isQueued[i] = 1;
    }
    const pixelsToClear: number[] = [];
    while (queue.length > 0) {
      const removedPixels: number[] = [];
      for (let bit = 1; bit <= 2; bit++) {
        pixelsToClear.length = 0;
        for (const i of queue) if (mask[i] !== 0 && table[this.around(i)] & bit) pixelsToClear.push(i);
        for (const i of pixelsToClear) {
          mask[i] = 0;
          removedPixels.push(i);
        }
        if (bit === 2) break;
        for (const i of pixelsToClear) {
          for (let k = 0; k < 8; k++) {
            const j = i + steps[k];
            if (mask[j] === 0 || isQueued[j]) continue;
            isQueued[j] = 1;
            queue.push(j);
          }
        }
      }
      for (const i of queue) isQueued[i] = 0;
      queue = [];
      for (const i of removedPixels) {
        for (let k = 0; k < 8; k++) {
          const j = i + steps[k];
          if (mask[j] === 0 || isQueued[j]) continue;
          isQueued[j] = 1;
          queue.push(j);
        }
      }
    }
  }

  /**
   * Returns the neighbors that a skeleton pixel is linked with, as bits: those at its sides, and those at its corners
   * that are not reached through a side.
   */
  private links(i: number): number {
    const bits = this.around(i);
    let links = bits & (NORTH | EAST | SOUTH | WEST);
    for (let k = 1; k < 8; k += 2) {
      const besides = (1 << (k - 1)) | (1 << ((k + 1) & 7));
      if (bits & (1 << k) && (bits & besides) === 0) links |= 1 << k;
    }
    return links;
  }

  trace(): Skeleton {
    const { mask, ids, steps } = this;
    const nodeAt = new Map<number, number>();
    const nodes: number[] = [];
    const pixels: number[] = [];
    for (let i = 0; i < mask.length; i++) {
      if (mask[i] === 0) continue;
      pixels.push(i);
      if (countBits(this.links(i)) === 2) continue;
      nodeAt.set(i, nodes.length);
      nodes.push(i);
    }
    const isDone = new Uint8Array(mask.length);
    const path: number[] = [];
    const edges: SkeletonEdge[] = [];
    const follow = (first: number, second: number): void => {
      const from = path.length;
      path.push(first);
      let before = first;
      let at = second;
      while (at !== first && !nodeAt.has(at)) {
        path.push(at);
        isDone[at] = 1;
        const links = this.links(at);
        let next = before;
        for (let k = 0; k < 8; k++) if (links & (1 << k) && at + steps[k] !== before) next = at + steps[k];
        before = at;
        at = next;
      }
      const start = nodeAt.get(first) ?? -1;
      if (start >= 0) path.push(at);
      edges.push({ region: ids[first], start, end: nodeAt.get(at) ?? -1, from, to: path.length - 1 });
    };
    for (const i of nodes) {
      const links = this.links(i);
      for (let k = 0; k < 8; k++) {
        const j = i + steps[k];
        if (!(links & (1 << k)) || isDone[j]) continue;
        if (!nodeAt.has(j) || i < j) follow(i, j);
      }
    }
    for (const i of pixels) {
      if (isDone[i] || nodeAt.has(i)) continue;
      isDone[i] = 1;
      const links = this.links(i);
      for (let k = 0; k < 8; k++) {
        if (!(links & (1 << k))) continue;
        follow(i, i + steps[k]);
        break;
      }
    }
    return { path: Int32Array.from(path), edges, nodes: Int32Array.from(nodes) };
  }
}

function countBits(bits: number): number {
  let count = 0;
  for (let rest = bits; rest !== 0; rest &= rest - 1) count++;
  return count;
}
