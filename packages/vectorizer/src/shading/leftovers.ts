import type { LabelMap } from '../color/labels.ts';
import { paintAt } from '../color/paint.ts';
import { withRoom } from '../geometry/growable.ts';
import { giveBack, makeUint8 } from '../geometry/memory.ts';
import type { Pixels } from '../pixels/bitmap.ts';
import { writeLuma } from '../pixels/bitmap.ts';
import type { Regions } from '../regions/regions.ts';
import type { Bands, RampMap } from './growth.ts';
import { LEFTOVER } from './growth.ts';
import type { Shading } from './shading.ts';

/** Distance from other paints within which pixels may be mixes, in px, and the same in noise. */
const RIM = 2;
const NOISY_RIM = 3;
/** Smaller parts, in px without their rims, are left to the edges. */
const LEAST_PIXELS = 12;
/** Least pixels of a band under a ramp that make the ramp one of its own. */
const LEAST_SHARED = 24;
/** A ramp may explain a part worse than the part's mean color does, by this much in levels squared. */
const MOST_BIAS = 4;
/** A part that is cut off from all ramps and varies by less than this, in levels squared, has a color of its own. */
const EVEN = 0.35;
/** A part is compared with at most so many ramps of its band. */
const MOST_RAMPS = 8;
/** Approximate number of pixels that a comparison reads. */
const SAMPLES = 300;

/** In the marks: a pixel of a band without a ramp, and one with only such pixels around. */
const LEFT = 1;
const CORE = 2;

/**
 * Finds the parts of bands that no ramp paints, as they are cut off from the rest by strokes or hairlines: too small or
 * too even to show a ramp of their own. A part that a ramp of the same band explains is painted with it, in `labels`.
 * Marks the others as flat, away from their rims. Linear in the pixels.
 */
export function joinLeftovers(
  { data }: Pixels,
  bands: Bands,
  { labels, firstRamp, shadings }: RampMap,
  noise: number,
): void {
  const { regions, flats } = bands;
  const rampsOf = listRamps(regions.labels, labels, firstRamp, shadings.length);
  const kinds = findKinds(bands, labels, firstRamp);
  const marks = markParts(bands, labels, firstRamp, rampsOf, noise > 0 ? NOISY_RIM : RIM);
  for (let start = 0; start < labels.length; start++) {
    if (marks[start] !== CORE) continue;
    const part = takePart(regions, marks, start);
    if (part.length < LEAST_PIXELS) continue;
    const ramps = rampsOf.get(regions.labels[start]) ?? [];
    const ramp = findRamp(data, regions.width, part, kinds[regions.ids[start]], ramps, shadings);
    for (let k = 0; k < part.length; k++) {
      if (ramp >= 0) labels[part[k]] = firstRamp + ramp;
      else flats[part[k]] = LEFTOVER;
    }
  }
  giveBack(marks);
}

/** Returns the pixels of one band that are connected with the first, and takes their marks away. */
function takePart({ width, labels: bands }: Regions, marks: Uint8Array, start: number): Int32Array {
  let queue = new Int32Array(64);
  let end = 0;
  const add = (q: number): void => {
    if (marks[q] !== CORE || bands[q] !== bands[start]) return;
    marks[q] = 0;
    queue = withRoom(queue, end + 1);
    queue[end++] = q;
  };
  add(start);
  for (let head = 0; head < end; head++) {
    const p = queue[head];
    const x = p % width;
    if (x > 0) add(p - 1);
    if (x < width - 1) add(p + 1);
    add(p - width);
    add(p + width);
  }
  return queue.subarray(0, end);
}

/** Returns the ramp that explains a part best, or -1 when the mean color of the part does. */
function findRamp(
  data: Uint8ClampedArray,
  width: number,
  part: Int32Array,
  kind: number,
  ramps: readonly BandRamp[],
  shadings: readonly Shading[],
): number {
  const step = Math.max(1, Math.floor(part.length / SAMPLES));
  const spread = measureSpread(data, part, step);
  const color = new Float64Array(4);
  let best = -1;
  let least = spread + MOST_BIAS;
  for (const { ramp, area } of ramps) {
    if (kind === CUT_OFF && (spread < EVEN || 2 * part.length > area)) continue;
    if (kind === MIXED && part.length > area) continue;
    let sum = 0;
    let count = 0;
    for (let k = 0; k < part.length; k += step) {
      const p = part[k];
      const x = p % width;
      paintAt(shadings[ramp].ramps, x + 0.5, (p - x) / width + 0.5, color, 0);
      for (let c = 0; c < 3; c++) sum += (data[p * 4 + c] - color[c]) ** 2;
      count++;
    }
    if (sum / (3 * count) >= least) continue;
    least = sum / (3 * count);
    best = ramp;
  }
  return best;
}

/** Share of a band that ramps must leave, at most, for its color to be measured again. */
const MOST_LEFT = 0.8;
/** Colors that are off by less, in levels, stay. */
const LEAST_CHANGE = 2;

/**
 * Sets the color of each band of which ramps took a part to the median of what is left of it, where that is clearly
 * another. Linear in the pixels.
 */
export function measureFlats(
  { width, height, data }: Pixels,
  { labels: bands }: Regions,
  { labels, firstRamp }: RampMap,
  { palette, mixPalette }: LabelMap,
): void {
  const before = new Uint32Array(firstRamp);
  const left = new Uint32Array(firstRamp);
  for (let p = 0; p < labels.length; p++) {
    before[bands[p]]++;
    if (labels[p] < firstRamp) left[labels[p]]++;
  }
  const counts = new Uint32Array(firstRamp * 768);
  const totals = new Uint32Array(firstRamp);
  const row = RIM * width;
  for (let y = RIM; y < height - RIM; y++) {
    for (let p = y * width + RIM, end = (y + 1) * width - RIM; p < end; p++) {
      const label = labels[p];
      if (label >= firstRamp || left[label] > MOST_LEFT * before[label]) continue;
      if (labels[p - RIM] !== label || labels[p + RIM] !== label) continue;
      if (labels[p - row] !== label || labels[p + row] !== label) continue;
      for (let c = 0; c < 3; c++) counts[label * 768 + c * 256 + data[p * 4 + c]]++;
      totals[label]++;
    }
  }
  for (let label = 0; label < firstRamp; label++) {
    if (totals[label] < LEAST_PIXELS) continue;
    const i = label * 4;
    const color = [0, 1, 2].map((c) => middleOf(counts.subarray(label * 768 + c * 256, label * 768 + (c + 1) * 256)));
    if (color.every((value, c) => Math.abs(value - palette[i + c]) < LEAST_CHANGE)) continue;
    for (let c = 0; c < 3; c++) palette[i + c] = color[c];
    if (mixPalette !== palette) writeLuma(palette[i], palette[i + 1], palette[i + 2], palette[i + 3], mixPalette, i);
  }
}

/** Returns the median of counted bytes. */
function middleOf(counts: Uint32Array): number {
  const half = counts.reduce((sum, count) => sum + count, 0) / 2;
  let below = 0;
  let value = 0;
  while (below + counts[value] < half) below += counts[value++];
  return value;
}

/** A region without ramps, one that ramps share with a flat area, and one that is shaded or mostly of ramps. */
const CUT_OFF = 0;
const MIXED = 1;
const SHADED = 2;

/** Returns the kind of each region. */
function findKinds(
  { regions: { ids, count, areaOf }, isShaded }: Bands,
  labels: Uint16Array,
  firstRamp: number,
): Uint8Array {
  const rampPixels = new Uint32Array(count);
  for (let p = 0; p < labels.length; p++) if (labels[p] >= firstRamp) rampPixels[ids[p]]++;
  return isShaded.map((isOne, r) => {
    if (isOne === 1 || 2 * rampPixels[r] > areaOf[r]) return SHADED;
    return rampPixels[r] >= LEAST_SHARED ? MIXED : CUT_OFF;
  });
}

/** Marks the pixels of bands without a ramp, and those among them that have only such pixels `rim` px around. */
function markParts(
  { regions: { width, height, labels: bands }, flats }: Bands,
  labels: Uint16Array,
  firstRamp: number,
  rampsOf: Map<number, BandRamp[]>,
  rim: number,
): Uint8Array {
  const size = width * height;
  const isBand = new Uint8Array(firstRamp);
  for (const band of rampsOf.keys()) isBand[band] = 1;
  const marks = makeUint8(size);
  for (let p = 0; p < size; p++) {
    if (labels[p] < firstRamp && flats[p] === 0 && isBand[bands[p]] === 1) marks[p] = LEFT;
  }
  const row = rim * width;
  for (let y = rim; y < height - rim; y++) {
    for (let p = y * width + rim, end = (y + 1) * width - rim; p < end; p++) {
      if (marks[p] === 0 || !marks[p - rim] || !marks[p + rim] || !marks[p - row] || !marks[p + row]) continue;
      marks[p] = CORE;
    }
  }
  return marks;
}

/** A ramp that paints a part of a band, and the pixels of the ramp. */
interface BandRamp {
  ramp: number;
  area: number;
}

/** Returns the ramps of each band that has some, from the one with most of it on. */
function listRamps(bands: Uint16Array, labels: Uint16Array, firstRamp: number, ramps: number): Map<number, BandRamp[]> {
  const counts = new Uint32Array(firstRamp * ramps); // a map of the bands would take a second per 50 megapixels
  const areas = new Uint32Array(ramps);
  for (let p = 0; p < labels.length; p++) {
    const ramp = labels[p] - firstRamp;
    if (ramp < 0) continue;
    counts[bands[p] * ramps + ramp]++;
    areas[ramp]++;
  }
  const lists = new Map<number, BandRamp[]>();
  for (let band = 0; band < firstRamp; band++) {
    const list = Array.from(areas, (area, ramp) => ({ ramp, area, count: counts[band * ramps + ramp] }))
      .filter(({ count }) => count >= LEAST_SHARED)
      .sort((p, q) => q.count - p.count)
      .slice(0, MOST_RAMPS);
    if (list.length > 0) lists.set(band, list);
  }
  return lists;
}

/** Returns the mean squared distance of a channel of every `step`-th listed pixel from their mean. */
function measureSpread(data: Uint8ClampedArray, list: Int32Array, step: number): number {
  let spread = 0;
  for (let c = 0; c < 3; c++) {
    let sum = 0;
    let squares = 0;
    let count = 0;
    for (let k = 0; k < list.length; k += step) {
      const value = data[list[k] * 4 + c];
      sum += value;
      squares += value * value;
      count++;
    }
    spread += squares / count - (sum / count) ** 2;
  }
  return spread / 3;
}
