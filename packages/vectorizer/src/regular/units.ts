import type { BoundaryMap } from '../boundary/boundary.ts';
import { OUTSIDE } from '../boundary/boundary.ts';
import { DisjointSet } from '../geometry/disjointSet.ts';
import type { Regions } from '../regions/regions.ts';

/** Chains that may be regular together. */
export interface Unit {
  chains: number[];
  /** True for a piece of the drawing with all that lies in it, or one piece alone; false for pieces side by side. */
  isWhole: boolean;
}

/**
 * Returns what may be regular: each connected piece of the boundary alone, with all that lies within it, and all that
 * lies within it without it; and the whole drawing. Pieces that touch the border of the picture are left out, because
 * it may cut them. Linear in the chains, times the depth of nesting.
 */
export function findUnits(map: BoundaryMap, regions: Regions): Unit[] {
  const { chains, junctions, path, width } = map;
  const stride = width + 1;
  const sets = new DisjointSet(junctions.length + chains.length);
  chains.forEach(({ start, end }, c) => {
    if (start < 0) return;
    sets.join(junctions.length + c, start);
    sets.join(start, end);
  });
  const pieceOf = chains.map((_, c) => sets.find(junctions.length + c));
  const chainsOf = new Map<number, number[]>();
  const topOf = new Map<number, number>(); // the first lattice point of a piece in scan order
  const onBorder = new Set<number>();
  chains.forEach(({ left, right, from, to }, c) => {
    const piece = pieceOf[c];
    const list = chainsOf.get(piece);
    if (list) list.push(c);
    else chainsOf.set(piece, [c]);
    if (left === OUTSIDE || right === OUTSIDE) onBorder.add(piece);
    let top = topOf.get(piece) ?? path[from];
    for (let k = from; k <= to; k++) top = Math.min(top, path[k]);
    topOf.set(piece, top);
  });

  // The pixel above the first point of a piece belongs to the region around it, all others beside it lie within.
  const around = new Map<number, number>();
  const holderOf = new Map<number, number>(); // region → the piece that it lies within
  for (const [piece, list] of chainsOf) {
    const top = topOf.get(piece) as number;
    const x = top % stride;
    const y = (top - x) / stride;
    const outer = y > 0 ? regions.ids[(y - 1) * width + Math.min(x, width - 1)] : OUTSIDE;
    around.set(piece, outer);
    for (const c of list) {
      for (const region of [chains[c].left, chains[c].right]) {
        if (region !== outer && region !== OUTSIDE) holderOf.set(region, piece);
      }
    }
  }
  const within = new Map<number | undefined, number[]>();
  for (const piece of chainsOf.keys()) {
    if (onBorder.has(piece)) continue;
    const holder = holderOf.get(around.get(piece) as number);
    const parent = holder === undefined || onBorder.has(holder) ? undefined : holder;
    const list = within.get(parent);
    if (list) list.push(piece);
    else within.set(parent, [piece]);
  }

  const units: Unit[] = [];
  const collect = (piece: number): number[] => {
    const alone = chainsOf.get(piece) as number[];
    const inner = collectIn(piece);
    units.push({ chains: alone, isWhole: true });
    if (inner.length > 0) units.push({ chains: [...alone, ...inner], isWhole: true });
    return [...alone, ...inner];
  };
  const collectIn = (parent: number | undefined): number[] => {
    const pieces = within.get(parent) ?? [];
    const all = pieces.flatMap(collect);
    if (pieces.length > 1) units.push({ chains: all, isWhole: false });
    return all;
  };
  collectIn(undefined);
  return units;
}
