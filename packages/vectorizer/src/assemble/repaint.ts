import type { BoundaryMap, Chain } from '../boundary/boundary.ts';
import { OUTSIDE } from '../boundary/boundary.ts';
import { toHex, writeOklab } from '../color/color.ts';
import type { LabelMap } from '../color/labels.ts';
import type { Ramp } from '../color/paint.ts';
import { toGradient } from '../color/paint.ts';
import type { Ring } from '../drawing.ts';
import type { CurveMap } from '../fit/curves.ts';
import { DisjointSet } from '../geometry/disjointSet.ts';
import type { Curve } from '../geometry/segment.ts';
import type { Repaint } from '../options.ts';
import { findRuns } from '../regions/regions.ts';
import { appendCurve, joinLines } from './rings.ts';

/** OKLab distance × 100 within which a similar color is taken for the given one when none is equal. */
const NEAR = 3;

/**
 * Changes paints of a label map. A color is identified by its hex value in the drawing; when none is equal, for
 * instance after a change of `despeckle`, by the nearest one within `NEAR`. Ramps are identified by the mean over the
 * length of the lowest, and become one tone.
 */
export function repaint<P extends LabelMap>(paintMap: P, changes: readonly Repaint[]): P {
  const { palette, count, clear } = paintMap;
  const ramps = paintMap.ramps.slice();
  const paints: (string | null)[] = [];
  for (let label = 0; label < count; label++) {
    const at = label * 4;
    const own = paintMap.paints?.[label];
    const ramp = ramps[label]?.[0];
    if (own !== undefined) paints.push(own);
    else paints.push(ramp ? meanOf(ramp) : toHex(palette[at], palette[at + 1], palette[at + 2]));
  }
  for (const [label, paint] of matchChanges(paints, clear, changes)) {
    paints[label] = paint;
    ramps[label] = undefined;
  }
  return { ...paintMap, paints, ramps };
}

/** Returns, for each label, the first label of the same flat paint. */
function twinsOf({ count, clear, ramps, paints }: LabelMap): Uint16Array {
  const first = new Map<string, number>();
  return Uint16Array.from({ length: count }, (_, label) => {
    const paint = paints?.[label];
    if (paint === null || paint === undefined || label === clear || ramps[label]) return label;
    const twin = first.get(paint) ?? label;
    first.set(paint, twin);
    return twin;
  });
}

/** Returns the labels with all labels of one paint replaced by one. Linear in pixels. */
export function joinLabels(labels: Uint16Array, outputMap: LabelMap): Uint16Array {
  const twins = twinsOf(outputMap);
  return twins.some((twin, label) => twin !== label) ? labels.map((label) => twins[label]) : labels;
}

/**
 * Removes the borders between regions of one paint. The rest of the map keeps its curves: they lie where the colors of
 * the picture met, which the single paint no longer shows. Returns the same object when there is no such border. Linear
 * in chains and pixels.
 */
export function dissolve(curveMap: CurveMap, outputMap: LabelMap): CurveMap {
  const { map, curves, regions } = curveMap;
  const twins = twinsOf(outputMap);
  const isSame = ({ left, right }: Chain): boolean =>
    left !== OUTSIDE && right !== OUTSIDE && twins[regions.labelOf[left]] === twins[regions.labelOf[right]];
  if (!map.chains.some(isSame)) return curveMap;

  const sets = new DisjointSet(regions.count);
  for (const chain of map.chains) if (isSame(chain)) sets.join(chain.left, chain.right);
  const { ids: idOf, count } = sets.toIds();
  const labelOf = new Uint16Array(count);
  const areaOf = new Uint32Array(count);
  const largest = new Uint32Array(count);
  for (let r = 0; r < idOf.length; r++) {
    const id = idOf[r];
    areaOf[id] += regions.areaOf[r];
    if (regions.areaOf[r] <= largest[id]) continue;
    largest[id] = regions.areaOf[r]; // it takes the label of its largest part
    labelOf[id] = regions.labelOf[r];
  }
  const ids = regions.ids.map((id) => idOf[id]);
  const labels = new Uint16Array(ids.length);
  for (let p = 0; p < ids.length; p++) labels[p] = labelOf[ids[p]];
  const { width, height } = regions;
  const newRegions = { width, height, labels, ids, starts: findRuns(ids, width, height), count, labelOf, areaOf };
  const side = (region: number): number => (region === OUTSIDE ? OUTSIDE : idOf[region]);
  const chains = map.chains.map((chain) => ({ ...chain, left: side(chain.left), right: side(chain.right) }));
  return { ...relink({ ...map, chains }, curves), regions: newRegions };
}

/** Removes the chains with one region on both sides, and links the chains that meet at a former junction. */
function relink(map: BoundaryMap, curves: Curve[]): { map: BoundaryMap; curves: Curve[] } {
  const { chains, path, width } = map;
  const isBorder = chains.map(({ left, right }) => left !== right);
  // By junction: the chain ends that leave it east, south, west and north. Ends are numbered 2c for the start of chain
  // c and 2c + 1 for its end.
  const ends = new Int32Array(4 * map.junctions.length).fill(-1);
  const steps = [1, width + 1, -1, -width - 1];
  chains.forEach(({ start, end, from, to }, c) => {
    if (!isBorder[c] || start < 0) return;
    ends[4 * start + steps.indexOf(path[from + 1] - path[from])] = 2 * c;
    ends[4 * end + steps.indexOf(path[to - 1] - path[to])] = 2 * c + 1;
  });
  const mate = new Int32Array(2 * chains.length).fill(-1);
  const link = (a: number, b: number): void => {
    mate[a] = b;
    mate[b] = a;
  };
  /** Returns the region clockwise of an end, seen from its junction. */
  const after = (end: number): number => (end & 1 ? chains[end >> 1].left : chains[end >> 1].right);
  for (let at = 0; at < ends.length; at += 4) {
    const here = [...ends.subarray(at, at + 4)].filter((end) => end >= 0);
    if (here.length === 2) link(here[0], here[1]);
    if (here.length < 4) continue;
    // A region on both sides of a crossing stays connected across it.
    if (after(here[0]) === after(here[2])) {
      link(here[1], here[2]);
      link(here[3], here[0]);
    } else if (after(here[1]) === after(here[3])) {
      link(here[0], here[1]);
      link(here[2], here[3]);
    }
  }

  const points: number[] = [];
  const newChains: Chain[] = [];
  const newCurves: Curve[] = [];
  const isUsed = new Uint8Array(chains.length);
  const follow = (first: number): void => {
    const ring: Ring = { x: 0, y: 0, segments: [] };
    const from = points.length;
    const { left, right } = chains[first >> 1];
    let last = first;
    for (let halfEdge = first; ; ) {
      const isBackward = (halfEdge & 1) === 1;
      const chain = chains[halfEdge >> 1];
      isUsed[halfEdge >> 1] = 1;
      appendCurve(ring, curves[halfEdge >> 1], isBackward, halfEdge === first);
      const own = path.subarray(chain.from, chain.to + 1);
      if (points.length > from) points.pop();
      for (let k = 0; k < own.length; k++) points.push(own[isBackward ? own.length - 1 - k : k]);
      last = halfEdge;
      const next = mate[halfEdge ^ 1];
      if (next < 0 || next === first) break;
      halfEdge = next;
    }
    const isWhole = last === first && mate[first] < 0;
    const isClosed = chains[first >> 1].start < 0 || mate[last ^ 1] === first;
    if (!isWhole) {
      const [head] = ring.segments;
      if (isClosed && head.isLine) {
        ring.segments.push(...ring.segments.splice(0, 1)); // the start may lie in the middle of a line
        ring.x = head.x;
        ring.y = head.y;
      }
      joinLines(ring);
    }
    const endOf = (end: number): number => (isClosed ? -1 : end & 1 ? chains[end >> 1].end : chains[end >> 1].start);
    const [on, off] = first & 1 ? [right, left] : [left, right];
    newChains.push({ left: on, right: off, start: endOf(first), end: endOf(last ^ 1), from, to: points.length - 1 });
    newCurves.push(isWhole ? curves[first >> 1] : ring);
  };
  for (let end = 0; end < mate.length; end++) {
    const c = end >> 1;
    if (isBorder[c] && !isUsed[c] && chains[c].start >= 0 && mate[end] < 0) follow(end);
  }
  for (let c = 0; c < chains.length; c++) if (isBorder[c] && !isUsed[c]) follow(2 * c);
  return { map: { ...map, chains: newChains, path: Int32Array.from(points) }, curves: newCurves };
}

/** Returns the new paint of each label that changes. */
function matchChanges(
  colors: readonly (string | null)[],
  clear: number,
  changes: readonly Repaint[],
): Map<number, string | null> {
  const paintOfLabel = new Map<number, string | null>();
  const own = new Float64Array(3);
  const other = new Float64Array(3);
  const read = (hex: string, out: Float64Array): void => {
    const value = Number.parseInt(hex.slice(1), 16);
    writeOklab(value >> 16, (value >> 8) & 255, value & 255, out, 0);
  };
  for (const { color, paint } of changes) {
    read(color, own);
    let best = -1;
    let nearest = NEAR / 100;
    for (let label = 0; label < colors.length; label++) {
      const hex = colors[label];
      if (hex === null || label === clear) continue;
      if (hex === color) {
        // Two labels may have the same hex value: both change.
        paintOfLabel.set(label, paint);
        nearest = -1;
        continue;
      }
      read(hex, other);
      const distance = Math.hypot(own[0] - other[0], own[1] - other[1], own[2] - other[2]);
      if (distance > nearest || changes.some((change) => change.color === hex)) continue;
      nearest = distance;
      best = label;
    }
    if (nearest >= 0 && best >= 0) paintOfLabel.set(best, paint);
  }
  return paintOfLabel;
}

/** Returns the mean color of a ramp, computed from the stops that the drawing shows. */
function meanOf(ramp: Ramp): string {
  const { stops } = toGradient(ramp);
  const ends = [...stops, { offset: 1, color: stops[stops.length - 1].color }];
  const sum = [0, 0, 0];
  let last = { offset: 0, color: stops[0].color };
  for (const stop of ends) {
    const share = (stop.offset - last.offset) / 2;
    for (let c = 0; c < 3; c++) sum[c] += share * (byteOf(last.color, c) + byteOf(stop.color, c));
    last = stop;
  }
  return toHex(sum[0], sum[1], sum[2]);
}

const byteOf = (hex: string, c: number): number => Number.parseInt(hex.slice(1 + 2 * c, 3 + 2 * c), 16);
