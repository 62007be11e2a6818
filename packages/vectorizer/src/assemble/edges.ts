import type { BoundaryMap } from '../boundary/boundary.ts';
import { OUTSIDE } from '../boundary/boundary.ts';
import type { Layer, Path, Ring } from '../drawing.ts';
import { hypot } from '../geometry/hypot.ts';
import type { Curve } from '../geometry/segment.ts';
import { appendCurve, joinLines, keepInside } from './rings.ts';

export interface EdgeSettings {
  /** `#rrggbb`. */
  ink: string;
  groupBy: 'color' | 'shape' | 'none';
}

/**
 * Draws every border between two regions as a line, exactly once: a cutter that follows shapes one by one would go
 * along each border twice. The chains of the planar map are joined into long lines, at each junction the pair that
 * turns the least, so that the pen is rarely lifted. The edge of the picture and borders between two `open` regions are
 * not drawn. Linear in the chains.
 */
export function drawEdges(map: BoundaryMap, chainCurves: Curve[], settings: EdgeSettings, open?: Uint8Array): Layer[] {
  const { chains } = map;
  const curves = chainCurves.map((curve) => keepInside(curve, map));
  const isDrawn = chains.map(
    ({ left, right }, c) =>
      left !== OUTSIDE && right !== OUTSIDE && curves[c].segments.length > 0 && !(open?.[left] && open[right]),
  );
  const mate = joinAtJunctions(map, curves, isDrawn);

  const rings: Ring[] = [];
  const isUsed = new Uint8Array(chains.length);
  const follow = (first: number): void => {
    const ring: Ring = { x: 0, y: 0, segments: [] };
    for (let halfEdge = first; ; ) {
      isUsed[halfEdge >> 1] = 1;
      appendCurve(ring, curves[halfEdge >> 1], (halfEdge & 1) === 1, halfEdge === first);
      const next = mate[halfEdge ^ 1];
      if (next < 0) {
        if (chains[halfEdge >> 1].start >= 0) ring.isOpen = true;
        break;
      }
      if (next === first) break;
      halfEdge = next;
    }
    joinLines(ring);
    rings.push(ring);
  };
  // A half-edge starts at the chain end of the same number. Lines with loose ends come first, as loops can begin
  // anywhere.
  for (let halfEdge = 0; halfEdge < 2 * chains.length; halfEdge++) {
    const c = halfEdge >> 1;
    if (isDrawn[c] && !isUsed[c] && chains[c].start >= 0 && mate[halfEdge] < 0) follow(halfEdge);
  }
  for (let c = 0; c < chains.length; c++) if (isDrawn[c] && !isUsed[c]) follow(2 * c);
  if (rings.length === 0) return [];

  const toLayer = (list: Ring[], k: number): Layer => {
    const path: Path = { color: settings.ink, rings: list, strokeWidth: 1 };
    return { id: `layer-${k + 1}`, color: settings.ink, paths: [path] };
  };
  return settings.groupBy === 'shape' ? rings.map((ring, k) => toLayer([ring], k)) : [toLayer(rings, 0)];
}

/**
 * Returns, for each end of a chain, the end it is joined to, or -1. Ends are numbered 2c for the start of chain c and
 * 2c + 1 for its end.
 */
function joinAtJunctions({ chains, junctions }: BoundaryMap, curves: Curve[], isDrawn: boolean[]): Int32Array {
  const mate = new Int32Array(2 * chains.length).fill(-1);
  const at = new Int32Array(4 * junctions.length).fill(-1); // at most four chains meet at a lattice point
  const dx = new Float64Array(2 * chains.length);
  const dy = new Float64Array(2 * chains.length);
  const put = (junction: number, end: number): void => {
    let slot = 4 * junction;
    while (at[slot] >= 0) slot++;
    at[slot] = end;
  };
  chains.forEach(({ start, end }, c) => {
    if (!isDrawn[c] || start < 0) return;
    put(start, 2 * c);
    put(end, 2 * c + 1);
    const { x, y, segments } = curves[c];
    const first = segments[0];
    const last = segments[segments.length - 1];
    const from = segments.length > 1 ? segments[segments.length - 2] : curves[c];
    setDirection(2 * c, x, y, first.isLine ? first.x : first.x1, first.isLine ? first.y : first.y1);
    setDirection(2 * c + 1, last.x, last.y, last.isLine ? from.x : last.x2, last.isLine ? from.y : last.y2);
  });
  function setDirection(end: number, x: number, y: number, toX: number, toY: number): void {
    const length = hypot(toX - x, toY - y) || 1;
    dx[end] = (toX - x) / length;
    dy[end] = (toY - y) / length;
  }
  for (let slot = 0; slot < at.length; slot += 4) {
    for (;;) {
      let best = Infinity;
      let one = -1;
      let other = -1;
      for (let p = slot; p < slot + 4; p++) {
        for (let q = p + 1; q < slot + 4; q++) {
          const s = at[p];
          const t = at[q];
          if (s < 0 || t < 0 || mate[s] >= 0 || mate[t] >= 0) continue;
          const cosine = dx[s] * dx[t] + dy[s] * dy[t]; // -1 when the two are collinear
          if (cosine >= best) continue;
          best = cosine;
          one = s;
          other = t;
        }
      }
      if (one < 0) break;
      mate[one] = other;
      mate[other] = one;
    }
  }
  return mate;
}
