import type { LabelMap } from '../color/labels.ts';
import type { Regions } from '../regions/regions.ts';
import type { Tail } from './crossings.ts';

/** Measures the ink in front of a free end of a line, to find its end and its cap. */
export class InkAhead {
  private readonly regions: Regions;
  private readonly data: Uint8ClampedArray;
  private readonly palette: Float64Array;

  constructor(regions: Regions, labelMap: LabelMap) {
    this.regions = regions;
    this.data = labelMap.mixPixels.data;
    this.palette = labelMap.mixPalette;
  }

  /**
   * Returns how far the ink continues from a tail's point in its direction: `length` is the area ahead over the width,
   * `middle` the distance along the center line, which is longer under a round cap.
   */
  measure(tail: Tail, width: number, region: number): { length: number; middle: number } {
    const { x, y, dx, dy } = tail;
    const paper = this.paperBeside(tail, width, region);
    const step = Math.max(0.25, width / 40);
    const reach = 1.5 * width + 4;
    const half = 0.5 * width + 1;
    let area = 0;
    let middle = 0;
    let full = 0;
    for (let k = 1; k <= 4; k++) full += this.at(x - k * 0.4 * width * dx, y - k * 0.4 * width * dy, region, paper) / 4;
    for (let t = step / 2; t < reach; t += step) {
      let sum = 0;
      for (let s = -half + step / 2; s < half; s += step) {
        sum += step * this.at(x + t * dx - s * dy, y + t * dy + s * dx, region, paper);
      }
      const here = this.at(x + t * dx, y + t * dy, region, paper);
      area += step * sum;
      middle += step * here;
      if (here < 0.02 && sum < 0.1 * width) break;
    }
    return { length: area / width, middle: middle / Math.max(0.3, full) };
  }

  /** Returns the label of the paper beside the line at its end. */
  private paperBeside({ x, y, dx, dy }: Tail, width: number, region: number): number {
    const { ids, width: w, height } = this.regions;
    for (let s = 0.5 * width; s < 0.5 * width + 6; s += 0.5) {
      for (const sign of [1, -1]) {
        const px = Math.floor(x - sign * s * dy);
        const py = Math.floor(y + sign * s * dx);
        if (px < 0 || py < 0 || px >= w || py >= height) continue;
        if (ids[py * w + px] !== region) return this.regions.labels[py * w + px];
      }
    }
    return this.regions.labelOf[region];
  }

  /** Returns the share of ink at a point, interpolated bilinearly between the four pixels around it. */
  private at(x: number, y: number, region: number, paper: number): number {
    const { width, height } = this.regions;
    const px = Math.floor(x - 0.5);
    const py = Math.floor(y - 0.5);
    const u = x - 0.5 - px;
    const v = y - 0.5 - py;
    let sum = 0;
    for (let k = 0; k < 4; k++) {
      const ax = px + (k & 1);
      const ay = py + (k >> 1);
      if (ax < 0 || ay < 0 || ax >= width || ay >= height) continue;
      sum += (k & 1 ? u : 1 - u) * (k >> 1 ? v : 1 - v) * this.share(ay * width + ax, region, paper);
    }
    return sum;
  }

  private share(i: number, region: number, paper: number): number {
    const { data, palette } = this;
    const ink = this.regions.labelOf[region] * 4;
    let dot = 0;
    let span = 0;
    for (let c = 0; c < 4; c++) {
      const v = palette[ink + c] - palette[paper * 4 + c];
      dot += (data[i * 4 + c] - palette[paper * 4 + c]) * v;
      span += v * v;
    }
    return span < 1 ? 0 : Math.max(0, Math.min(1, dot / span));
  }
}
