import type { BoundaryMap } from '../boundary/boundary.ts';
import { OUTSIDE } from '../boundary/boundary.ts';
import type { LabelMap } from '../color/labels.ts';
import { withRoom } from '../geometry/growable.ts';
import { hypot } from '../geometry/hypot.ts';
import { makeFloat64, makeInt32 } from '../geometry/memory.ts';
import type { Regions } from '../regions/regions.ts';
import { Band } from './band.ts';
import type { Model } from './model.ts';

/** Error of the coverage from renderers that sample coarsely, as a share of a pixel. */
export const COVERAGE_NOISE = 0.035;

/** Largest distance between a curve and the polyline that replaces it, in px. */
const FLATNESS = 0.004;

/** Step of the variance, in px², in the search for the blur. */
const BLUR_STEP = 0.15;
const MOST_BLUR = 1.35;
/** The error of ignoring the least of these blurs, as a mean of squared shares over the band. */
const BLUR_TRACE = 0.002;

/** Curves are followed up to this many pixels beyond the picture. */
const MARGIN = 16;

/** Renders the curves into the band of pixels along the boundaries, and compares the rendering with the picture. */
export class Canvas {
  /** By chain: 1 when the last rendering of it left the band. */
  readonly isOut: Uint8Array;
  readonly channels: number;
  readonly band: Band;
  /** The picture minus the rendering, in `channels` numbers per pixel, and the weight of each pixel. */
  readonly residual: Float64Array;
  readonly weight: Float64Array;
  /** Color on the left of each chain minus the color on its right. */
  readonly contrast: Float64Array;
  /**
   * The derivatives of the covered areas of pixels in the control points of segments: for each segment and each pixel
   * it runs through, four pairs of numbers.
   */
  entries = 0;
  entryPlace = new Int32Array(2048);
  entrySegment = new Int32Array(2048);
  entryGradient = new Float64Array(2048 * 8);
  chainOf = new Int32Array(0);
  /** Chains that are rendered but not optimized: those on the border, and those that are not chosen. */
  private readonly isFixed: Uint8Array;
  /** Excluded chains without any pixel in the band. */
  private readonly isFar: Uint8Array;
  /** Number of band pixels that the current chain has run through. */
  private hitCount = 0;

  private readonly area: Float64Array;
  private readonly cover: Float64Array;
  /** Band indices of the pixels that each chain is compared at. */
  private pixelsFrom = new Int32Array(0);
  private chainPixels = new Int32Array(0);
  private readonly map: BoundaryMap;
  private model: Model;
  private readonly labels: Regions['labels'];
  private readonly weightFloor: number;

  constructor(
    map: BoundaryMap,
    model: Model,
    regions: Regions,
    labelMap: LabelMap,
    noise: number,
    isChosen: Uint8Array | undefined,
  ) {
    const { chains } = map;
    this.map = map;
    this.model = model;
    this.labels = regions.labels;
    this.weightFloor = 1 + (noise / COVERAGE_NOISE) ** 2;
    this.isOut = new Uint8Array(chains.length);
    this.isFixed = new Uint8Array(chains.length);
    this.isFar = new Uint8Array(chains.length);
    chains.forEach(({ left, right }, c) => {
      this.isFixed[c] = left === OUTSIDE || right === OUTSIDE || (isChosen && !isChosen[c]) ? 1 : 0;
    });
    this.band = new Band(map, model, regions.labels, labelMap, this.isFixed);
    const { channels, colors, pixels } = this.band;
    this.channels = channels;
    this.residual = makeFloat64(pixels.length * channels);
    this.area = makeFloat64(pixels.length * channels);
    this.cover = makeFloat64(pixels.length * channels);
    this.weight = makeFloat64(pixels.length);
    this.contrast = new Float64Array(chains.length * channels);
    for (let c = 0; c < chains.length; c++) {
      const { left, right } = chains[c];
      for (let k = 0; k < channels; k++) {
        const a = left === OUTSIDE ? 0 : colors[regions.labelOf[left] * channels + k];
        const b = right === OUTSIDE ? 0 : colors[regions.labelOf[right] * channels + k];
        this.contrast[c * channels + k] = a - b;
      }
    }
    this.numberSegments();
  }

  /** Renders for the first time, sets the weights of the pixels, and estimates the blur of the picture. */
  prepare(): void {
    this.draw();
    this.setWeights();
    if (!this.findBlur()) return;
    this.compareWithPicture();
    this.setWeights();
  }

  /** Renders other curves for the same chains. */
  setModel(model: Model): void {
    this.model = model;
    this.numberSegments();
    this.draw();
  }

  private numberSegments(): void {
    const { from, chainCount } = this.model;
    this.chainOf = new Int32Array(from[chainCount]);
    for (let c = 0; c < chainCount; c++) this.chainOf.fill(c, from[c], from[c + 1]);
  }

  /** Renders the current curves. Coverage is exact for the polylines, as in scan conversion by signed areas. */
  draw(): void {
    const { map, model, area, cover } = this;
    const { chains } = map;
    area.fill(0);
    cover.fill(0);
    this.isOut.fill(0);
    this.entries = 0;
    for (let c = 0; c < chains.length; c++) {
      if (this.isFar[c]) continue;
      this.hitCount = 0;
      for (let segment = model.from[c]; segment < model.from[c + 1]; segment++) this.drawSegment(c, segment);
      // Excluded chains do not move, so those outside the band now will stay outside.
      if (this.hitCount === 0 && this.isFixed[c] === 1) this.isFar[c] = 1;
    }
    this.fill();
    this.compareWithPicture();
  }

  /** Accumulates along the rows, from the color that each run of the band begins with: areas become colors. */
  private fill(): void {
    const { channels, area, cover, labels } = this;
    const { pixels, colors } = this.band;
    const { width } = this.map;
    const ink = new Float64Array(channels);
    let last = -2;
    for (let place = 0; place < pixels.length; place++) {
      const pixel = pixels[place];
      if (pixel !== last + 1 || pixel % width === 0) {
        // The run begins with the color of the pixel before it, or outside the picture.
        const label = pixel % width === 0 ? -1 : labels[pixel - 1];
        for (let k = 0; k < channels; k++) ink[k] = label < 0 ? 0 : colors[label * channels + k];
      }
      last = pixel;
      for (let k = 0, i = place * channels; k < channels; k++, i++) {
        area[i] += ink[k];
        ink[k] += cover[i];
      }
    }
  }

  /** Subtracts the last rendering, blurred as the picture is, from the picture. */
  private compareWithPicture(): void {
    const { residual, area } = this;
    const { target } = this.band;
    residual.set(area);
    this.band.blur(residual, this.blurVariance);
    for (let i = 0; i < residual.length; i++) residual[i] = target[i] - residual[i];
  }

  /** Variance of the picture's blur in addition to that of the pixels, in px². */
  blurVariance = 0;
  /**
   * Estimates the blur of the picture; scanners and lossy files soften edges. It is the blur under which the rendering
   * of the whole picture comes nearest to it. Returns true when there is any.
   */
  private findBlur(): boolean {
    const { area } = this;
    this.blurVariance = 0;
    let best = this.compare(area);
    if (best <= BLUR_TRACE * this.countWeights()) return false;
    const trial = makeFloat64(area.length);
    for (let variance = BLUR_STEP; variance <= MOST_BLUR; variance += BLUR_STEP) {
      trial.set(area);
      this.band.blur(trial, variance);
      const sum = this.compare(trial);
      if (sum > best * (this.blurVariance > 0 ? 1 : 0.9)) break;
      best = sum;
      this.blurVariance = variance;
    }
    return this.blurVariance > 0;
  }

  /** Returns the number of band pixels with a weight. */
  private countWeights(): number {
    const { weight } = this;
    let count = 0;
    for (let place = 0; place < weight.length; place++) if (weight[place] > 0) count++;
    return count;
  }

  /** Returns the weighted squared distance of a field of colors from the picture. */
  private compare(trial: Float64Array): number {
    const { weight, channels } = this;
    const { target } = this.band;
    let sum = 0;
    for (let place = 0, i = 0; place < weight.length; place++) {
      for (let k = 0; k < channels; k++, i++) sum += weight[place] * (target[i] - trial[i]) * (target[i] - trial[i]);
    }
    return sum;
  }

  /** Returns the pairs of segments that share a pixel and so may cross. */
  findNeighbors(): number[] {
    const { entries, entryPlace, entrySegment } = this;
    const first = new Int32Array(this.band.pixels.length).fill(-1);
    const next = new Int32Array(entries);
    const segments = this.chainOf.length;
    const pairKeys = new Set<number>();
    const pairs: number[] = [];
    for (let e = 0; e < entries; e++) {
      const place = entryPlace[e];
      const b = entrySegment[e];
      for (let o = first[place]; o >= 0; o = next[o]) {
        const a = entrySegment[o];
        const key = a * segments + b;
        if (a === b || pairKeys.has(key)) continue;
        pairKeys.add(key);
        pairs.push(a, b);
      }
      next[e] = first[place];
      first[place] = e;
    }
    return pairs;
  }

  private drawSegment(chain: number, segment: number): void {
    const { points, x, y } = this.model;
    const at = segment * 4;
    const a = points[at];
    const d = points[at + 3];
    this.last = -1;
    this.chain = chain;
    this.segment = segment;
    if (points[at + 1] < 0) {
      this.drawPiece(x[a], y[a], x[d], y[d], 0, 1);
      return;
    }
    const b = points[at + 1];
    const c = points[at + 2];
    const bend =
      6 *
      Math.max(
        hypot(x[a] - 2 * x[b] + x[c], y[a] - 2 * y[b] + y[c]),
        hypot(x[b] - 2 * x[c] + x[d], y[b] - 2 * y[c] + y[d]),
      );
    const count = Math.min(400, Math.max(1, Math.ceil(Math.sqrt(bend / (8 * FLATNESS)))));
    let px = x[a];
    let py = y[a];
    for (let k = 1; k <= count; k++) {
      const t = k / count;
      const u = 1 - t;
      const p = u * u * u;
      const q = 3 * u * u * t;
      const r = 3 * u * t * t;
      const s = t * t * t;
      const nx = k === count ? x[d] : p * x[a] + q * x[b] + r * x[c] + s * x[d];
      const ny = k === count ? y[d] : p * y[a] + q * y[b] + r * y[c] + s * y[d];
      this.drawPiece(px, py, nx, ny, (k - 1) / count, t);
      px = nx;
      py = ny;
    }
  }

  // The segment being rendered, and its chain.
  private segment = 0;
  private chain = 0;

  /** Band index of the last entry. */
  private last = -1;

  /** Adds one straight piece, pixel by pixel. */
  private drawPiece(ax: number, ay: number, bx: number, by: number, from: number, to: number): void {
    const { channels, contrast, area, cover, segment, chain } = this;
    const { placeOf } = this.band;
    const isFixed = this.isFixed[chain] === 1;
    const { width, height } = this.map;
    // A step of the optimization can move a point anywhere, and the loop below takes time proportional to the length.
    if (
      !(
        Math.min(ax, bx) > -MARGIN &&
        Math.max(ax, bx) < width + MARGIN &&
        Math.min(ay, by) > -MARGIN &&
        Math.max(ay, by) < height + MARGIN
      )
    ) {
      this.isOut[chain] = 1;
      return;
    }
    const dx = bx - ax;
    const dy = by - ay;
    let i = Math.floor(ax);
    let j = Math.floor(ay);
    if (dx < 0 && i === ax) i--;
    if (dy < 0 && j === ay) j--;
    const stepI = dx < 0 ? -1 : 1;
    const stepJ = dy < 0 ? -1 : 1;
    const perX = dx === 0 ? Infinity : 1 / Math.abs(dx);
    const perY = dy === 0 ? Infinity : 1 / Math.abs(dy);
    let nextX = dx === 0 ? Infinity : dx > 0 ? (i + 1 - ax) * perX : (ax - i) * perX;
    let nextY = dy === 0 ? Infinity : dy > 0 ? (j + 1 - ay) * perY : (ay - j) * perY;
    let s0 = 0;
    while (s0 < 1) {
      const s1 = Math.min(nextX, nextY, 1);
      if (s1 > s0) {
        const place = i >= 0 && j >= 0 && i < width && j < height ? placeOf[j * width + i] - 1 : -1;
        if (place < 0) this.isOut[chain] = 1;
        else {
          this.hitCount++;
          const partX = dx * (s1 - s0);
          const partY = dy * (s1 - s0);
          const middle = (s0 + s1) / 2;
          const right = partY * (i + 1 - ax - dx * middle);
          for (let k = 0, p = place * channels, q = chain * channels; k < channels; k++, p++, q++) {
            cover[p] += partY * contrast[q];
            area[p] += right * contrast[q];
          }
          if (!isFixed) this.addGradient(segment, place, partX, partY, from + (to - from) * middle);
        }
        s0 = s1;
      }
      if (s1 >= 1) return;
      if (nextX < nextY) {
        i += stepI;
        nextX += perX;
      } else {
        j += stepJ;
        nextY += perY;
      }
    }
  }

  private addGradient(segment: number, place: number, dx: number, dy: number, t: number): void {
    if (place !== this.last) {
      this.entryPlace = withRoom(this.entryPlace, this.entries + 1);
      this.entrySegment = withRoom(this.entrySegment, this.entries + 1);
      this.entryGradient = withRoom(this.entryGradient, 8 * this.entries + 8);
      this.entryPlace[this.entries] = place;
      this.entrySegment[this.entries] = segment;
      for (let k = this.entries * 8; k < this.entries * 8 + 8; k++) this.entryGradient[k] = 0;
      this.entries++;
      this.last = place;
    }
    const gradient = this.entryGradient;
    const at = (this.entries - 1) * 8;
    const u = 1 - t;
    const isLine = this.model.points[segment * 4 + 1] < 0;
    const p = isLine ? u : u * u * u;
    const s = isLine ? t : t * t * t;
    gradient[at] -= p * dy;
    gradient[at + 1] += p * dx;
    gradient[at + 6] -= s * dy;
    gradient[at + 7] += s * dx;
    if (isLine) return;
    const q = 3 * u * u * t;
    const r = 3 * u * t * t;
    gradient[at + 2] -= q * dy;
    gradient[at + 3] += q * dx;
    gradient[at + 4] -= r * dy;
    gradient[at + 5] += r * dx;
  }

  /**
   * Sets the weight of every pixel after the first rendering. It is one over the squared contrast plus the noise, so
   * that faint edges count as much as strong ones until noise dominates. It is less where the curves explain little,
   * and zero without any chain.
   */
  private setWeights(): void {
    const { band, channels, contrast, weight, chainOf, entryPlace, entrySegment } = this;
    const { chains, path } = this.map;
    weight.fill(0);
    const from = new Int32Array(chains.length + 1);
    let places = makeInt32(path.length * 4 + this.entries);
    let placeCount = 0;
    let entry = 0;
    for (let c = 0; c < chains.length; c++) {
      from[c] = placeCount;
      const chain = chains[c];
      const isFixed = this.isFixed[c] === 1;
      let square = 0;
      for (let k = 0; k < channels; k++) square += contrast[c * channels + k] ** 2;
      const first = placeCount;
      for (; entry < this.entries && chainOf[entrySegment[entry]] === c; entry++) {
        if (!isFixed) places[placeCount++] = entryPlace[entry];
      }
      for (let k = chain.from; k < chain.to && !isFixed; k++) {
        band.findAcross(k);
        for (let q = 0, pixel = band.acrossStart; q < band.acrossCount; q++, pixel += band.acrossStep) {
          places[placeCount++] = band.placeOf[pixel] - 1;
        }
      }
      for (let k = first; k < placeCount; k++) if (weight[places[k]] < square) weight[places[k]] = square;
    }
    from[chains.length] = placeCount;
    places = places.subarray(0, placeCount);
    this.pixelsFrom = from;
    this.chainPixels = places;
    this.finishWeights();
  }

  /** Turns the largest contrast at each pixel into its weight. */
  private finishWeights(): void {
    const { weight, residual, channels } = this;
    const { trust } = this.band;
    for (let place = 0; place < weight.length; place++) {
      if (weight[place] === 0) continue;
      let off = 0;
      for (let i = place * channels; i < (place + 1) * channels; i++) off += residual[i] * residual[i];
      const w = 1 / (weight[place] + this.weightFloor);
      weight[place] = w / (1 + off * w * 4);
      if (trust.length > 0) weight[place] *= trust[place];
    }
  }

  /** Writes the weighted squared residual over the pixels of each chain. */
  measure(costs: Float64Array): void {
    for (let c = 0; c < costs.length; c++) costs[c] = this.sumSquares(this.pixelsFrom[c], this.pixelsFrom[c + 1]);
  }

  private sumSquares(from: number, to: number): number {
    const { chainPixels, weight, residual, channels } = this;
    let sum = 0;
    for (let k = from; k < to; k++) {
      const place = chainPixels[k];
      let square = 0;
      for (let i = place * channels; i < (place + 1) * channels; i++) square += residual[i] * residual[i];
      sum += square * weight[place];
    }
    return sum;
  }
}
