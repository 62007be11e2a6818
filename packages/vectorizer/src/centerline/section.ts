import type { LabelMap } from '../color/labels.ts';
import type { Regions } from '../regions/regions.ts';

/** How far past the last pixel of a line its ink is searched, in px. */
const TAIL = 4;
/** A pixel with at least this share of ink counts as full. */
const FULL = 0.95;

/**
 * Measures the ink across a line, along a row or a column.
 *
 * Each pixel has a share α of ink, so the sum of the shares is the length of ink in the row, whatever the blur. The
 * center is found in two ways. The two edges of a sharp line follow exactly from the shares on either side of the
 * fullest pixel. In a blurred line no pixel is full, but then the center of mass of the shares is unbiased (a box one
 * pixel wide aliases only what the blur leaves at a frequency of one period per pixel).
 */
export class Section {
  /** Length of the ink, in px along the row or column. */
  sum = 0;
  /** Midpoint of the two edges, and center of mass, in px from the center of the measured pixel. */
  fromEdges = 0;
  fromMass = 0;
  /** Variance of the ink about its center of mass, in px². */
  variance = 0;
  /** False when another line is so close that no paper lies between, or when the picture ends. */
  isClean = true;

  private readonly ids: Uint32Array;
  private readonly labels: Uint16Array;
  private readonly data: Uint8ClampedArray;
  private readonly palette: Float64Array;
  private readonly noise: number;
  private readonly reach: number;

  /** `noise` is in byte levels. Lines up to about twice `reach` px wide are measured. */
  constructor(regions: Regions, labelMap: LabelMap, noise: number, reach: number) {
    this.ids = regions.ids;
    this.labels = regions.labels;
    this.data = labelMap.mixPixels.data;
    this.palette = labelMap.mixPalette;
    this.noise = noise;
    this.reach = reach;
  }

  private paper = 0;
  private span = 1;
  private pure = 0;

  /**
   * Measures the line through pixel `i`. `step` is the distance to the next pixel; `room` and `roomBack` are the
   * numbers of pixels after and before it.
   */
  measure(i: number, step: number, room: number, roomBack: number): void {
    const { ids, reach } = this;
    const region = ids[i];
    let after = 0;
    while (after < room && after < reach && ids[i + (after + 1) * step] === region) after++;
    let before = 0;
    while (before < roomBack && before < reach && ids[i - (before + 1) * step] === region) before++;

    this.isClean = true;
    this.mass = this.moment = this.moment2 = 0;
    // Find the fullest pixel; among equals, the one nearest to the middle.
    this.lookPast(i, after < room ? i + (after + 1) * step : -1);
    let fullest = 0;
    let full = -1;
    let nearest = Infinity;
    const middle = (after - before) / 2;
    for (let k = -before; k <= after; k++) {
      const share = Math.min(FULL, this.share(i + k * step));
      const off = Math.abs(k - middle);
      if (share < full || (share === full && off >= nearest)) continue;
      full = share;
      fullest = k;
      nearest = off;
    }
    full = this.share(i + fullest * step);
    const plus = this.side(i, fullest, step, after, room);
    this.lookPast(i, before < roomBack ? i - (before + 1) * step : -1);
    full = Math.max(full, this.share(i + fullest * step));
    const minus = this.side(i, -fullest, -step, before, roomBack);
    this.add(full, fullest);

    this.sum = plus + minus + full;
    this.fromMass = this.moment / this.mass;
    this.variance = Math.max(0, this.moment2 / this.mass - this.fromMass * this.fromMass);
    this.fromEdges = fullest + (plus - minus) / 2;
    // The part missing from the fullest pixel lies on the side with less ink beyond it.
    if (full < FULL && plus + minus > 1e-6) {
      this.fromEdges += ((1 - full) / 2) * ((plus - minus) / (plus + minus));
    }
  }

  /** Returns the share of ink in pixel `i` when the rest has the color of pixel `beyond`. */
  shareAt(i: number, beyond: number): number {
    this.lookPast(i, beyond);
    return this.share(i);
  }

  private ink = 0;
  private mass = 0;
  private moment = 0;
  private moment2 = 0;

  private add(share: number, k: number): void {
    this.mass += share;
    this.moment += share * k;
    this.moment2 += share * k * k;
  }

  /** Sets the color of pixel `beyond` as the paper on this side; -1 when there is none. */
  lookPast(i: number, beyond: number): void {
    const { palette } = this;
    this.ink = this.labels[i] * 4;
    this.paper = beyond < 0 ? -1 : this.labels[beyond] * 4;
    if (beyond < 0) return;
    let span = 0;
    for (let c = 0; c < 4; c++) span += (palette[this.ink + c] - palette[this.paper + c]) ** 2;
    this.span = span;
    this.pure = Math.min(0.25, 0.02 + (1.5 * this.noise) / Math.sqrt(span + 1));
  }

  /**
   * Returns the share of ink, 0..1, in the color of pixel i, between the paper of this side and the line's own color.
   */
  share(i: number): number {
    const { data, palette, ink, paper } = this;
    if (paper < 0 || this.span < 1) return 1;
    let dot = 0;
    for (let c = 0; c < 4; c++) dot += (data[i * 4 + c] - palette[paper + c]) * (palette[ink + c] - palette[paper + c]);
    return Math.max(0, Math.min(1, dot / this.span));
  }

  /** Returns the sum of the shares past pixel `from` on one side, where `last` is the last pixel of the line. */
  private side(i: number, from: number, step: number, last: number, room: number): number {
    const { ids, labels, reach } = this;
    const sign = step === 1 || step > 1 ? 1 : -1;
    let sum = 0;
    let lastShare = 1;
    for (let k = from + 1; k <= last; k++) {
      lastShare = this.share(i + k * step);
      sum += lastShare;
      this.add(lastShare, sign * k);
    }
    if (last >= reach || last >= room) {
      this.isClean = false;
      return sum;
    }
    const region = ids[i];
    const paper = labels[i + (last + 1) * step];
    for (let k = last + 1; k <= room && k <= last + TAIL; k++) {
      const j = i + k * step;
      const share = this.share(j);
      if (ids[j] === region || (labels[j] !== paper && k > last + 1) || share > lastShare + this.pure) {
        this.isClean = false;
        return sum;
      }
      sum += share;
      this.add(share, sign * k);
      if (share < this.pure) return sum;
      lastShare = share;
    }
    return sum;
  }
}
