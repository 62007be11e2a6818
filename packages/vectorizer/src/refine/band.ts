import type { BoundaryMap } from '../boundary/boundary.ts';
import type { LabelMap } from '../color/labels.ts';
import { paintAt } from '../color/paint.ts';
import { hypot } from '../geometry/hypot.ts';
import { giveBack, makeFloat64, makeInt32, makeUint8 } from '../geometry/memory.ts';
import { writeLuma } from '../pixels/bitmap.ts';
import type { Regions } from '../regions/regions.ts';
import type { Model } from './model.ts';

/**
 * Half width of the band around the lattice path of a chain, in px. Curves that run outside are followed separately.
 */
const BAND = 2;

/**
 * The pixels along the boundaries, and their colors in the picture. Colors are reduced to as many channels as the
 * palette needs: one when it has two colors or only grays, and one more where part of the picture is clear. Fields over
 * the band hold `channels` numbers per pixel, and the time of a refinement is nearly proportional to their number.
 */
export class Band {
  readonly channels: number;
  /** Pixels of the band in scan order. */
  pixels = new Int32Array(0);
  /** Index of each pixel in the band plus one, 0 outside the band. */
  readonly placeOf: Int32Array;
  /** The picture's color at each pixel of the band. */
  target = new Float64Array(0);
  /** By label: its color, in `channels` numbers. */
  readonly colors: Float64Array;
  private readonly map: BoundaryMap;
  private readonly labels: Regions['labels'];
  private readonly labelMap: LabelMap;
  /** By channel: the direction in the space of the mixes along which it is measured, four numbers of length 1. */
  private readonly axes: Float64Array;
  private left = new Int32Array(0);
  private right = new Int32Array(0);
  private above = new Int32Array(0);
  private below = new Int32Array(0);
  private scratch = new Float64Array(0);

  /** Builds the band along the chains that are not skipped, with their curves in the model. */
  constructor(map: BoundaryMap, model: Model, labels: Regions['labels'], labelMap: LabelMap, isSkipped: Uint8Array) {
    const { mixPalette: palette, count } = labelMap;
    this.map = map;
    this.labels = labels;
    this.labelMap = labelMap;
    this.axes = findAxes(labelMap);
    const channels = this.axes.length / 4;
    this.channels = channels;
    this.colors = new Float64Array(count * channels);
    for (let k = 0; k < count; k++) this.readColor(palette, k * 4, this.colors, k * channels);
    this.placeOf = makeInt32(map.width * map.height);
    this.markBand(model, isSkipped);
  }

  private readColor(from: ArrayLike<number>, at: number, to: Float64Array, place: number): void {
    const { channels, axes } = this;
    for (let k = 0, a = 0; k < channels; k++, a += 4) {
      to[place + k] =
        from[at] * axes[a] + from[at + 1] * axes[a + 1] + from[at + 2] * axes[a + 2] + from[at + 3] * axes[a + 3];
    }
  }

  /** Marks the pixels along lattice paths and curves, and fills the fields of the band. */
  private markBand(model: Model, isSkipped: Uint8Array): void {
    const { map, channels } = this;
    const isMarked = makeUint8(map.width * map.height);
    for (let c = 0; c < map.chains.length; c++) {
      if (isSkipped[c]) continue;
      this.markPath(c, isMarked);
      for (let segment = model.from[c]; segment < model.from[c + 1]; segment++)
        this.markAlong(model, segment, isMarked);
    }
    const count = this.markCount;
    this.pixels = makeInt32(count);
    this.target = makeFloat64(count * channels);
    this.numberBand(isMarked);
    giveBack(isMarked);
    this.readTarget();
  }

  /** Number of marked pixels. */
  private markCount = 0;

  /** Marks the pixels on both sides of a chain's lattice path. */
  private markPath(chain: number, isMarked: Uint8Array): void {
    const { from, to } = this.map.chains[chain];
    let newMarks = 0;
    for (let k = from; k < to; k++) {
      this.findAcross(k);
      for (let q = 0, pixel = this.acrossStart; q < this.acrossCount; q++, pixel += this.acrossStep) {
        if (isMarked[pixel] === 1) continue;
        isMarked[pixel] = 1;
        newMarks++;
      }
    }
    this.markCount += newMarks;
  }

  /** The result of `findAcross`: the first pixel, the step to the next one, and the number of pixels. */
  acrossStart = 0;
  acrossStep = 0;
  acrossCount = 0;

  /** Finds the pixels across step k of the lattice paths, up to `BAND` on each side. */
  findAcross(k: number): void {
    const { width, height, path } = this.map;
    const stride = width + 1;
    const a = Math.min(path[k], path[k + 1]);
    const px = a % stride;
    const py = (a - px) / stride;
    const isVertical = Math.abs(path[k + 1] - path[k]) !== 1;
    const across = isVertical ? px : py;
    const room = isVertical ? width : height;
    const first = Math.max(-BAND, -across);
    this.acrossStep = isVertical ? 1 : width;
    this.acrossStart = py * width + px + first * this.acrossStep;
    this.acrossCount = Math.min(BAND, room - across) - first;
  }

  /**
   * Numbers the marked pixels in scan order. Jumps from one run of marked pixels to the next, as most pixels are not
   * marked.
   */
  private numberBand(isMarked: Uint8Array): void {
    const { placeOf, pixels } = this;
    let count = 0;
    for (let i = isMarked.indexOf(1); i >= 0; i = isMarked.indexOf(1, i)) {
      for (; isMarked[i] === 1; i++) {
        pixels[count++] = i;
        placeOf[i] = count;
      }
    }
  }

  private readTarget(): void {
    const { pixels, target, channels } = this;
    const { data } = this.labelMap.mixPixels;
    for (let place = 0; place < pixels.length; place++)
      this.readColor(data, pixels[place] * 4, target, place * channels);
    if (this.labelMap.ramps.length > 0 && this.labelMap.count > 2) this.levelRamps();
  }

  /** Confidence of the pixels beside ramps, 0..1; empty when there are no ramps. */
  trust = new Float64Array(0);

  /**
   * Flattens the ramps: near a ramp, a pixel is explained as a mix of its own paint and one other, with their colors at
   * that pixel, and its target becomes the same mix of their mean colors. So chains beside ramps are rendered like
   * those between flat colors.
   */
  private levelRamps(): void {
    const { pixels, target, channels, colors, labels } = this;
    const { width, height } = this.map;
    const { ramps, mixPixels, mixPalette, palette } = this.labelMap;
    const isLuma = mixPalette !== palette;
    const { data } = mixPixels;
    const trust = new Float64Array(pixels.length).fill(1);
    this.trust = trust;
    const paints = new Float64Array(8);
    const look = (label: number, x: number, y: number, at: number): void => {
      const own = ramps[label];
      if (own) {
        paintAt(own, x + 0.5, y + 0.5, paints, at);
        if (isLuma) writeLuma(paints[at], paints[at + 1], paints[at + 2], paints[at + 3], paints, at);
      } else for (let c = 0; c < 4; c++) paints[at + c] = mixPalette[label * 4 + c];
    };
    const others = new Int32Array(24);
    for (let place = 0; place < pixels.length; place++) {
      const p = pixels[place];
      const x = p % width;
      const y = (p - x) / width;
      const label = labels[p];
      let hasRamp = ramps[label] !== undefined;
      let otherCount = 0;
      for (let v = Math.max(0, y - 2); v <= Math.min(height - 1, y + 2); v++) {
        for (let u = Math.max(0, x - 2); u <= Math.min(width - 1, x + 2); u++) {
          const other = labels[v * width + u];
          if (other === label) continue;
          let k = 0;
          while (k < otherCount && others[k] !== other) k++;
          if (k < otherCount) continue;
          others[otherCount++] = other;
          if (ramps[other]) hasRamp = true;
        }
      }
      if (!hasRamp) continue;
      look(label, x, y, 0);
      let best = label;
      let bestShare = 0;
      let bestOff = Infinity;
      let bestSpan = 0;
      for (let k = 0; k < otherCount; k++) {
        look(others[k], x, y, 4);
        let dot = 0;
        let span = 1e-9;
        let off = 0;
        for (let c = 0; c < 4; c++) {
          const step = paints[4 + c] - paints[c];
          const rest = data[p * 4 + c] - paints[c];
          dot += rest * step;
          span += step * step;
          off += rest * rest;
        }
        const share = Math.max(0, Math.min(1, dot / span));
        off += share * share * span - 2 * share * dot;
        if (off >= bestOff) continue;
        best = others[k];
        bestShare = share;
        bestOff = off;
        bestSpan = span;
      }
      let wide = 0;
      for (let k = 0; k < channels; k++) {
        const a = colors[label * channels + k];
        const b = colors[best * channels + k];
        wide += (b - a) ** 2;
        target[place * channels + k] = a + bestShare * (b - a);
      }
      if (best !== label) trust[place] = Math.min(1, bestSpan / (wide + 1));
    }
  }

  /** Marks the pixels around a segment of a curve. */
  private markAlong(model: Model, segment: number, isMarked: Uint8Array): void {
    const { width, height } = this.map;
    const { points, x, y } = model;
    const at = segment * 4;
    const a = points[at];
    const d = points[at + 3];
    const b = points[at + 1] < 0 ? a : points[at + 1];
    const c = points[at + 1] < 0 ? d : points[at + 2];
    const length = hypot(x[b] - x[a], y[b] - y[a]) + hypot(x[c] - x[b], y[c] - y[b]) + hypot(x[d] - x[c], y[d] - y[c]);
    const count = Math.ceil(length * 1.3);
    let newMarks = 0;
    let last = -1;
    for (let k = 0; k <= count; k++) {
      const t = count > 0 ? k / count : 0;
      const u = 1 - t;
      const px = Math.floor(u * u * u * x[a] + 3 * u * u * t * x[b] + 3 * u * t * t * x[c] + t * t * t * x[d]);
      const py = Math.floor(u * u * u * y[a] + 3 * u * u * t * y[b] + 3 * u * t * t * y[c] + t * t * t * y[d]);
      if (py * width + px === last) continue;
      last = py * width + px;
      const right = Math.min(width - 1, px + 1);
      for (let qy = Math.max(0, py - 1); qy <= py + 1 && qy < height; qy++) {
        for (let pixel = qy * width + Math.max(0, px - 1); pixel <= qy * width + right; pixel++) {
          if (isMarked[pixel] === 1) continue;
          isMarked[pixel] = 1;
          newMarks++;
        }
      }
    }
    this.markCount += newMarks;
  }

  /**
   * Blurs a field by two passes of a three-tap filter along rows and columns. Pixels beyond the band repeat its edge,
   * which makes the filter its own transpose.
   */
  blur(field: Float64Array, variance: number): void {
    if (variance === 0) return;
    if (this.left.length === 0) this.linkBand();
    const a = variance / 4;
    for (let k = 0; k < 2; k++) {
      this.spreadTo(field, this.scratch, this.left, this.right, a);
      this.spreadTo(this.scratch, field, this.above, this.below, a);
    }
  }

  private spreadTo(from: Float64Array, to: Float64Array, before: Int32Array, after: Int32Array, a: number): void {
    const { channels } = this;
    const middle = 1 - 2 * a;
    for (let place = 0, i = 0; place < before.length; place++) {
      const p = before[place] * channels;
      const q = after[place] * channels;
      for (let k = 0; k < channels; k++, i++) to[i] = middle * from[i] + a * (from[p + k] + from[q + k]);
    }
  }

  /** Finds the neighbors of each pixel within the band; the pixel itself where there is none. */
  private linkBand(): void {
    const { pixels, placeOf } = this;
    const { width } = this.map;
    const size = placeOf.length;
    this.left = makeInt32(pixels.length);
    this.right = makeInt32(pixels.length);
    this.above = makeInt32(pixels.length);
    this.below = makeInt32(pixels.length);
    this.scratch = makeFloat64(this.target.length);
    for (let place = 0; place < pixels.length; place++) {
      const pixel = pixels[place];
      const x = pixel % width;
      this.left[place] = x > 0 && placeOf[pixel - 1] > 0 ? place - 1 : place;
      this.right[place] = x < width - 1 && placeOf[pixel + 1] > 0 ? place + 1 : place;
      this.above[place] = pixel >= width && placeOf[pixel - width] > 0 ? placeOf[pixel - width] - 1 : place;
      this.below[place] = pixel + width < size && placeOf[pixel + width] > 0 ? placeOf[pixel + width] - 1 : place;
    }
  }
}

/** Returns the directions that tell the colors of a palette apart, four numbers each. */
function findAxes({ mixPalette: palette, count, clear }: LabelMap): Float64Array {
  if (count === 2) {
    const way = [0, 1, 2, 3].map((c) => palette[4 + c] - palette[c]);
    const length = Math.hypot(...way) || 1;
    return Float64Array.from(way, (c) => c / length);
  }
  const colors = Array.from({ length: count }, (_, k) => k * 4);
  const isGray = colors.every((i) => palette[i] === palette[i + 1] && palette[i] === palette[i + 2]);
  // Luma and chroma, as `weighLuma` writes them, of colors without chroma.
  const isLuma = colors.every((i) => palette[i + 1] === palette[1] && palette[i + 2] === palette[2]);
  const third = Math.sqrt(1 / 3);
  const axes = isGray ? [third, third, third, 0] : isLuma ? [1, 0, 0, 0] : [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0];
  return Float64Array.from(clear < 0 ? axes : [...axes, 0, 0, 0, 1]);
}
