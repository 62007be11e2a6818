import type { LabelMap } from '../color/labels.ts';
import { paintAt } from '../color/paint.ts';
import { withRoom } from '../geometry/growable.ts';
import { giveBack, makeUint8 } from '../geometry/memory.ts';
import { writeLuma } from '../pixels/bitmap.ts';
import type { Regions } from '../regions/regions.ts';
import type { Pieces } from './pieces.ts';
import type { Shading } from './shading.ts';
import type { SmoothnessTest } from './smoothness.ts';
import { isRough } from './smoothness.ts';

/** The ramps found so far, and the labels of their pixels. */
export interface RampMap {
  /** Label of each pixel: a palette color, or a ramp from `firstRamp` on. */
  labels: Uint16Array;
  firstRamp: number;
  /** Indexed by ramp. */
  shadings: Shading[];
  /** The mean color of each ramp, straight-alpha RGBA. */
  means: number[];
}

/**
 * Kinds of flat areas. Ramps do not grow into an area that was split from shading. They may grow into a leftover, but
 * `settleEdges` does not assign its pixels again.
 */
export const SPLIT = 1;
export const LEFTOVER = 2;

/** The regions, and which of them and of their pixels are shaded or flat. */
export interface Bands {
  regions: Regions;
  /** 1 for each region that is shaded. */
  isShaded: Uint8Array;
  /** Kind of flat area of each pixel; 0 for none. */
  flats: Uint8Array;
}

/**
 * Grows the ramps into the surrounding pixels that match their colors up to noise (seeded region growing, Adams and
 * Bischof 1994): pixels of bands, and pixels that their own color explains less well. `noiseFactor` scales the variance
 * that counts as noise.
 */
export function growRamps(
  { regions, isShaded, flats }: Bands,
  paintMap: LabelMap,
  { labels, firstRamp, shadings }: RampMap,
  noiseFactor: number,
): void {
  const { width, height, ids, count, areaOf } = regions;
  const { ramps, mixPixels, mixPalette } = paintMap;
  const { data } = mixPixels;
  const isLuma = mixPalette !== paintMap.palette;
  const size = width * height;
  const rampPixels = new Uint32Array(count);
  for (let p = 0; p < size; p++) if (labels[p] >= firstRamp) rampPixels[ids[p]]++;
  const color = new Float64Array(4);
  let queue = new Int32Array(1024);
  let queueLength = 0;
  for (let p = 0; p < size; p++) {
    if (labels[p] < firstRamp) continue;
    const x = p % width;
    const isRim =
      (x > 0 && labels[p - 1] < firstRamp) ||
      (x < width - 1 && labels[p + 1] < firstRamp) ||
      (p >= width && labels[p - width] < firstRamp) ||
      (p < size - width && labels[p + width] < firstRamp);
    if (!isRim) continue;
    queue = withRoom(queue, queueLength + 1);
    queue[queueLength++] = p;
  }
  for (let head = 0; head < queueLength; head++) {
    const p = queue[head];
    const label = labels[p];
    const x = p % width;
    const most = 9 * noiseFactor * (6 + 3 * shadings[label - firstRamp].error);
    for (let side = 0; side < 4; side++) {
      if (side === 0 ? x === 0 : side === 1 ? x === width - 1 : side === 2 ? p < width : p >= size - width) continue;
      const q = p + (side === 0 ? -1 : side === 1 ? 1 : side === 2 ? -width : width);
      if (labels[q] >= firstRamp || flats[q] === SPLIT) continue;
      const own = ramps[label];
      if (!own) continue;
      const qx = q % width;
      paintAt(own, qx + 0.5, (q - qx) / width + 0.5, color, 0);
      if (isLuma) writeLuma(color[0], color[1], color[2], color[3], color, 0);
      let apart = 0;
      for (let c = 0; c < 4; c++) apart += (data[q * 4 + c] - color[c]) ** 2;
      if (apart > most) continue;
      if (2 * rampPixels[ids[q]] <= areaOf[ids[q]] && !isShaded[ids[q]]) {
        const k = labels[q] * 4;
        let flat = 0;
        for (let c = 0; c < 4; c++) flat += (data[q * 4 + c] - mixPalette[k + c]) ** 2;
        if (flat < 2 * apart) continue;
      }
      labels[q] = label;
      queue = withRoom(queue, queueLength + 1);
      queue[queueLength++] = q;
    }
  }
}

/**
 * Regions beside ramps with fewer pixels than this count as mixes, even where overlapping shapes mixed more than two
 * colors.
 */
const LEAST_DETAIL = 16;
/** Rounds in which the edge pixels around ramps are assigned, one ring of pixels in each. */
const ROUNDS = 6;

/**
 * Assigns the pixels between smooth pieces, as `labels.ts` does between flat colors: ring by ring, each pixel takes the
 * larger part of the pair of nearby paints that explains it best. Pixels of a region that is not a band keep their
 * color when no pair explains them.
 */
export function settleEdges(
  smoothness: SmoothnessTest,
  { pieceAt }: Pieces,
  { regions, flats }: Bands,
  paintMap: LabelMap,
  { labels, firstRamp }: RampMap,
  noise: number,
): void {
  const { width, height, ids, count, areaOf } = regions;
  const size = width * height;
  const rampPixels = new Uint32Array(count); // by region: its pixels that belong to ramps
  for (let p = 0; p < size; p++) if (labels[p] >= firstRamp) rampPixels[ids[p]]++;
  const isOpen = (p: number): boolean => {
    if (labels[p] >= firstRamp || pieceAt[p] > 0) return false;
    const r = ids[p];
    if (2 * rampPixels[r] > areaOf[r]) return flats[p] === 0;
    if (pieceAt[p] !== -1 && !(pieceAt[p] === 0 && isRough(smoothness.pixels, p, smoothness.reach, smoothness.most)))
      return false;
    const x = p % width;
    const y = (p - x) / width;
    for (let v = Math.max(0, y - 2); v <= Math.min(height - 1, y + 2); v++) {
      for (let u = Math.max(0, x - 2); u <= Math.min(width - 1, x + 2); u++) {
        if (labels[v * width + u] >= firstRamp) return true;
      }
    }
    return false;
  };
  let open = new Int32Array(1024);
  let waiting = 0;
  for (let p = 0; p < size; p++) {
    if (!isOpen(p)) continue;
    open = withRoom(open, waiting + 1);
    open[waiting++] = p;
  }
  const isWaiting = makeUint8(size);
  for (let k = 0; k < waiting; k++) isWaiting[open[k]] = 1;

  const mixer = new Mixer(paintMap);
  const near = (10 + 4 * noise) ** 2 * 3;
  const decisions = new Int32Array(waiting);
  for (let round = 0; round < ROUNDS && waiting > 0; round++) {
    for (let k = 0; k < waiting; k++) {
      const p = open[k];
      const x = p % width;
      const y = (p - x) / width;
      mixer.start();
      for (let v = Math.max(0, y - 2); v <= Math.min(height - 1, y + 2); v++) {
        for (let u = Math.max(0, x - 2); u <= Math.min(width - 1, x + 2); u++) {
          if (!isWaiting[v * width + u]) mixer.add(labels[v * width + u]);
        }
      }
      const mayChange = 2 * rampPixels[ids[p]] > areaOf[ids[p]] || areaOf[ids[p]] < LEAST_DETAIL;
      decisions[k] = mixer.explain(p, x + 0.5, y + 0.5);
      if (decisions[k] >= 0 && !mayChange && mixer.off > near) decisions[k] = labels[p];
    }
    let rest = 0;
    for (let k = 0; k < waiting; k++) {
      if (decisions[k] < 0) {
        open[rest++] = open[k];
        continue;
      }
      labels[open[k]] = decisions[k];
      isWaiting[open[k]] = 0;
    }
    if (rest === waiting) break;
    waiting = rest;
  }
  giveBack(isWaiting);
}

/** Explains a pixel as a mix of two paints from a list. */
class Mixer {
  /** Squared distance of the pixel from the best explanation. */
  off = 0;
  private readonly paintMap: LabelMap;
  private readonly isLuma: boolean;
  private readonly labels = new Int32Array(24);
  private readonly colors = new Float64Array(96);
  private paintCount = 0;

  constructor(paintMap: LabelMap) {
    this.paintMap = paintMap;
    this.isLuma = paintMap.mixPalette !== paintMap.palette;
  }

  start(): void {
    this.paintCount = 0;
  }

  add(label: number): void {
    for (let k = 0; k < this.paintCount; k++) if (this.labels[k] === label) return;
    if (this.paintCount < 24) this.labels[this.paintCount++] = label;
  }

  /** Returns the label of the larger part, or -1 when the list is empty. */
  explain(p: number, x: number, y: number): number {
    const { labels, colors, paintCount } = this;
    const { ramps, mixPixels, mixPalette } = this.paintMap;
    const { data } = mixPixels;
    const i = p * 4;
    let best = -1;
    this.off = Infinity;
    for (let m = 0; m < paintCount; m++) {
      const own = ramps[labels[m]];
      const at = m * 4;
      if (own) {
        paintAt(own, x, y, colors, at);
        if (this.isLuma) writeLuma(colors[at], colors[at + 1], colors[at + 2], colors[at + 3], colors, at);
      } else for (let c = 0; c < 4; c++) colors[at + c] = mixPalette[labels[m] * 4 + c];
      let off = 0;
      for (let c = 0; c < 4; c++) off += (data[i + c] - colors[at + c]) ** 2;
      if (off >= this.off) continue;
      this.off = off;
      best = labels[m];
    }
    for (let m = 0; m < paintCount; m++) {
      for (let n = m + 1; n < paintCount; n++) {
        let dot = 0;
        let span = 1e-9;
        for (let c = 0; c < 4; c++) {
          const step = colors[m * 4 + c] - colors[n * 4 + c];
          dot += (data[i + c] - colors[n * 4 + c]) * step;
          span += step * step;
        }
        const share = Math.max(0, Math.min(1, dot / span));
        let off = 12;
        for (let c = 0; c < 4; c++) {
          off += (data[i + c] - share * colors[m * 4 + c] - (1 - share) * colors[n * 4 + c]) ** 2;
        }
        if (off >= this.off) continue;
        this.off = off;
        best = share > 0.5 ? labels[m] : labels[n];
      }
    }
    return best;
  }
}
