import type { LabelMap } from '../color/labels.ts';
import type { Regions } from './regions.ts';
import { relabelRegions } from './regions.ts';
import { measureWidths } from './widths.ts';

const ROUNDS = 3;

/**
 * Merges regions smaller than `minAreaPx` into the neighbor that shares the most boundary, with similar colors
 * preferred. Returns the remaining regions, or the same object when nothing is small. With `noise`, in byte levels,
 * faint specks need more area to stay. Then regions nowhere as wide as `minWidthPx` are merged in the same way. There
 * are three rounds of each, so that a speck inside a speck goes too.
 */
export function despeckle(
  regions: Regions,
  labelMap: LabelMap,
  minAreaPx: number,
  minWidthPx: number,
  noise: number,
): Regions {
  const largeRegions = dropSmall(regions, labelMap, minAreaPx, noise);
  return minWidthPx > 1 ? dropThin(largeRegions, labelMap, minWidthPx) : largeRegions;
}

/** Merges regions that contain no circle of diameter `minWidthPx`, in up to three rounds. */
function dropThin(regions: Regions, labelMap: LabelMap, minWidthPx: number): Regions {
  for (let round = 0; round < ROUNDS; round++) {
    const widths = measureWidths(regions);
    const isThin = Uint8Array.from(widths, (width) => (width < minWidthPx ? 1 : 0));
    const target = findMergeTargets(regions, labelMap, 0, 0, isThin);
    if (!target) return regions;
    regions = relabelRegions(regions, target);
  }
  return regions;
}

function dropSmall(regions: Regions, labelMap: LabelMap, minAreaPx: number, noise: number): Regions {
  for (let round = 0; round < ROUNDS; round++) {
    const target = findMergeTargets(regions, labelMap, minAreaPx, noise);
    if (!target) return regions;
    regions = relabelRegions(regions, target);
  }
  return regions;
}

/**
 * Returns, for each region, the region whose label it takes: itself when it is large enough and not to be dropped.
 * Returns undefined when nothing is merged.
 */
function findMergeTargets(
  regions: Regions,
  labelMap: LabelMap,
  minAreaPx: number,
  noise: number,
  isDropped?: Uint8Array,
): Uint32Array | undefined {
  const { count, labelOf, areaOf } = regions;
  const { palette } = labelMap;
  const slot = new Int32Array(count).fill(-1);
  let small = 0;
  const mostPx = minAreaPx * (noise > 0 ? 8 : 1);
  const perimeter = noise > 0 ? measurePerimeters(regions) : undefined;
  for (let r = 0; r < count; r++) {
    const isThin = perimeter !== undefined && 2 * areaOf[r] < SLIVER * perimeter[r];
    if (areaOf[r] < mostPx || isThin || isDropped?.[r] === 1) slot[r] = small++;
  }
  if (small === 0) return undefined;

  const contacts = listContacts(regions, slot, small);
  const means = perimeter && averageColors(regions, labelMap, slot, small);
  const lengthTo = new Uint32Array(count); // of the current region; reset to zero after it
  const target = new Uint32Array(count);
  let mergeCount = 0;
  for (let r = 0; r < count; r++) {
    target[r] = r;
    if (slot[r] < 0) continue;
    let best = -1;
    let bestApart = 0;
    const others = tally(contacts, slot[r], lengthTo);
    for (const other of others) {
      const length = lengthTo[other];
      const a = labelOf[r] * 4;
      const b = labelOf[other] * 4;
      const apart = Math.hypot(
        palette[a] - palette[b],
        palette[a + 1] - palette[b + 1],
        palette[a + 2] - palette[b + 2],
        palette[a + 3] - palette[b + 3],
      );
      const score = (length / (16 + apart)) * (slot[other] < 0 ? 1 : 0.01 * areaOf[other]);
      if (score > best) {
        best = score;
        bestApart = apart;
        target[r] = other;
      }
    }
    // In noise, a faint speck must be larger to stay, and a thin one larger still.
    const thinness = perimeter === undefined ? 1 : Math.max(1, (SLIVER * perimeter[r]) / (2 * areaOf[r]));
    const isLargeEnough =
      isDropped?.[r] !== 1 && areaOf[r] >= minAreaPx * (1 + (thinness * 16 * noise) / (bestApart + 1));
    let isEdge = false;
    if (means !== undefined && perimeter !== undefined && 2 * areaOf[r] < SLIVER * perimeter[r]) {
      const side =
        areaOf[r] < MOST_FRAGMENT_AREAS * minAreaPx
          ? sideOfFragment(means.subarray(4 * slot[r], 4 * slot[r] + 4), others, lengthTo, labelOf, labelMap, noise)
          : -1;
      if (side >= 0) target[r] = side;
      isEdge = side >= 0 || isSliver(r, others, lengthTo, labelOf, palette);
    } else if (noise > 0) isEdge = isSliver(r, others, lengthTo, labelOf, palette);
    if (isLargeEnough && !isEdge) target[r] = r;
    else mergeCount++;
    for (const other of others) lengthTo[other] = 0;
    // Two specks never swap labels: the larger one, or the first of equals, keeps its label in this round.
    const other = target[r];
    if (slot[other] >= 0 && other !== r && (areaOf[other] < areaOf[r] || (areaOf[other] === areaOf[r] && other > r)))
      target[r] = r;
  }
  if (mergeCount === 0) return undefined;
  // The target of a speck may be a speck with a target of its own. The chain ends because every target is larger or
  // earlier.
  for (let r = 0; r < count; r++) {
    let last = target[r];
    while (target[last] !== last) last = target[last];
    for (let k = r; target[k] !== last; ) {
      const next = target[k];
      target[k] = last;
      k = next;
    }
  }
  return target;
}

/**
 * The region on the other side of every unit of boundary of the small regions. Those of small region k are at `from[k]`
 * to `from[k + 1]`.
 */
interface Contacts {
  from: Uint32Array;
  others: Uint32Array;
}

/**
 * Lists the contacts of the small regions. `slot` numbers them; it is -1 for the rest. The lists are flat because a
 * noisy picture has about as many small regions as pixels.
 */
function listContacts(regions: Regions, slot: Int32Array, small: number): Contacts {
  const from = new Uint32Array(small + 2); // counts are offset by two, so that filling the lists leaves the starts
  scanContacts(regions, slot, from, undefined);
  for (let k = 2; k < from.length; k++) from[k] += from[k - 1];
  const others = new Uint32Array(from[small + 1]);
  scanContacts(regions, slot, from, others);
  return { from, others };
}

/**
 * Scans the runs: each touches the run before it and runs of the row above. Counts the contacts, or writes them to
 * `others`.
 */
function scanContacts(
  { width, ids, starts }: Regions,
  slot: Int32Array,
  from: Uint32Array,
  others: Uint32Array | undefined,
): void {
  const runs = starts.length - 1;
  for (let k = 0, above = 0; k < runs; k++) {
    const begin = starts[k];
    const end = starts[k + 1];
    const own = ids[begin];
    if (begin % width > 0) addContact(slot, from, others, own, ids[begin - 1], 1);
    while (starts[above] + width < end) {
      const other = ids[starts[above]];
      const aboveEnd = starts[above + 1] + width;
      if (other !== own) {
        const length = Math.min(aboveEnd, end) - Math.max(starts[above] + width, begin);
        addContact(slot, from, others, own, other, length);
      }
      if (aboveEnd > end) break;
      above++;
    }
  }
}

function addContact(
  slot: Int32Array,
  from: Uint32Array,
  others: Uint32Array | undefined,
  a: number,
  b: number,
  length: number,
): void {
  if (others === undefined) {
    if (slot[a] >= 0) from[slot[a] + 2] += length;
    if (slot[b] >= 0) from[slot[b] + 2] += length;
    return;
  }
  for (let n = 0; n < length; n++) {
    if (slot[a] >= 0) others[from[slot[a] + 1]++] = b;
    if (slot[b] >= 0) others[from[slot[b] + 1]++] = a;
  }
}

/**
 * Returns the neighbors of a small region in order of occurrence, and adds the length of each contact to `lengthTo`.
 */
function tally({ from, others }: Contacts, k: number, lengthTo: Uint32Array): number[] {
  const neighbors: number[] = [];
  for (let at = from[k]; at < from[k + 1]; at++) if (lengthTo[others[at]]++ === 0) neighbors.push(others[at]);
  return neighbors;
}

/** Regions along an edge with a mean width below this, in px, count as ringing. */
const SLIVER = 2.4;

/** Returns the length of the boundary of each region, in px. */
function measurePerimeters({ width, height, ids, count }: Regions): Uint32Array {
  const perimeter = new Uint32Array(count);
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i++) {
      if (x > 0 && ids[i] !== ids[i - 1]) {
        perimeter[ids[i]]++;
        perimeter[ids[i - 1]]++;
      }
      if (y > 0 && ids[i] !== ids[i - width]) {
        perimeter[ids[i]]++;
        perimeter[ids[i - width]]++;
      }
    }
  }
  return perimeter;
}

/** Returns the mean color of each small region's pixels, 4 numbers each, in the space of mixes. */
function averageColors(
  { ids, areaOf, count }: Regions,
  { mixPixels }: LabelMap,
  slot: Int32Array,
  small: number,
): Float64Array {
  const { data } = mixPixels;
  const sums = new Float64Array(small * 4);
  for (let p = 0; p < ids.length; p++) {
    const k = slot[ids[p]];
    if (k < 0) continue;
    for (let c = 0; c < 4; c++) sums[k * 4 + c] += data[p * 4 + c];
  }
  for (let r = 0; r < count; r++) {
    if (slot[r] >= 0) for (let c = 0; c < 4; c++) sums[slot[r] * 4 + c] /= areaOf[r];
  }
  return sums;
}

/** A thin region of up to this many times the least area may be a fragment of an edge. */
const MOST_FRAGMENT_AREAS = 5;

/** How far ringing takes a color past the two it lies between, as a share of their distance. */
const OVERSHOOT = 0.12;

/**
 * Returns the neighbor with the larger share in a thin small region that is a mix of two neighbors, up to ringing; -1
 * when it is not. The region's own label says little: a mix takes any palette color that happens to be near.
 */
function sideOfFragment(
  mean: Float64Array,
  others: number[],
  lengthTo: Uint32Array,
  labelOf: Uint16Array,
  { mixPalette: palette }: LabelMap,
  noise: number,
): number {
  let total = 0;
  for (const other of others) total += lengthTo[other];
  const limit = 5 + 4 * noise;
  for (const one of others) {
    if (lengthTo[one] < 0.15 * total) continue;
    for (const two of others) {
      if (labelOf[two] <= labelOf[one] || lengthTo[two] < 0.15 * total) continue;
      let dot = 0;
      let span = 0;
      let far = 0;
      for (let c = 0; c < 4; c++) {
        const from = palette[labelOf[one] * 4 + c];
        const way = palette[labelOf[two] * 4 + c] - from;
        const own = mean[c] - from;
        dot += way * own;
        span += way * way;
        far += own * own;
      }
      const share = span > 0 ? Math.max(-OVERSHOOT, Math.min(1 + OVERSHOOT, dot / span)) : 0;
      const reach = limit + OVERSHOOT * Math.sqrt(span);
      if (far - 2 * share * dot + share * share * span < reach * reach) return share > 0.5 ? two : one;
    }
  }
  return -1;
}

/**
 * Returns true when a thin region lies along the edge between two others and is similar to one of them. A drawn outline
 * is similar to neither.
 */
function isSliver(
  region: number,
  others: number[],
  lengthTo: Uint32Array,
  labelOf: Uint16Array,
  palette: Float64Array,
): boolean {
  let total = 0;
  let first = -1;
  let second = -1;
  let firstLength = 0;
  let secondLength = 0;
  for (const other of others) {
    const length = lengthTo[other];
    total += length;
    if (length > firstLength) {
      second = first;
      secondLength = firstLength;
      first = other;
      firstLength = length;
    } else if (length > secondLength) {
      second = other;
      secondLength = length;
    }
  }
  if (second < 0 || secondLength < 0.2 * total) return false;
  const a = labelOf[first] * 4;
  const b = labelOf[second] * 4;
  const own = labelOf[region] * 4;
  const apart = (m: number, n: number): number =>
    Math.hypot(palette[m] - palette[n], palette[m + 1] - palette[n + 1], palette[m + 2] - palette[n + 2]);
  return Math.min(apart(own, a), apart(own, b)) < 0.5 * apart(a, b);
}
