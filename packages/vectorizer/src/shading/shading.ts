import type { Ramp, Ramps } from '../color/paint.ts';
import { paintAt } from '../color/paint.ts';
import { hypot } from '../geometry/hypot.ts';
import { largestEigenvector, smallestEigenvector } from '../geometry/linear.ts';
import { minimize } from '../geometry/minimize.ts';
import { fitProfile, profileAt } from './profile.ts';

/**
 * Finds the ramps that shade a smooth piece of a picture. It is one file of more than 500 lines because all of its
 * steps work on the same arrays of samples and alternate until the layers fit.
 *
 * A ramp consists of a map from the plane to one number, along a line or out from a center, and a profile: the color at
 * each number. For a given map, the best profile is a linear problem, so only the one to four parameters of the map are
 * searched (variable projection, Golub and Pereyra 1973), by the simplex method of Nelder and Mead (1965), starting
 * from the directions of the slopes. Drawn shading is often several transparent ramps over one another: the residual of
 * a ramp is explained by another ramp over it, and all are fitted again in turn.
 */

/** Sampled opaque pixels of one piece: positions and colors. */
export interface Samples {
  count: number;
  x: Float64Array;
  y: Float64Array;
  /** RGB, 3 numbers per sample. */
  colors: Float64Array;
  /** Color gradient per pixel to the right and downward, 3 numbers per sample each. */
  right: Float64Array;
  down: Float64Array;
}

/** The ramps that explain a piece, and what they leave unexplained. */
export interface Shading {
  ramps: Ramps;
  /** Mean squared distance of a channel from the samples, in byte levels squared. */
  error: number;
}

/** Largest number of ramps over one another. */
const MOST_RAMPS = 4;
/**
 * Another ramp must reduce the error by at least this share and this amount, in levels squared. It draws the outline
 * once more, so it must reduce an error that is too small to be seen by more.
 */
const LEAST_SHARE = 0.15;
const LEAST_GAIN = 0.25;
const UNSEEN = 3;
const UNSEEN_SHARE = 0.3;
const UNSEEN_GAIN = 0.7;
/** Error of rounding to bytes, in levels squared; below it nothing is left to explain. */
const ROUNDING = 0.35;

const MOST_BINS = 16;
/** Approximate number of samples that a search uses. */
const SEARCHED = 300;

type Kind = 'linear' | 'circle' | 'ellipse';

/** One ramp during the fit: its map, its output at each sample, and its profile. */
interface Layer {
  kind: Kind;
  params: Float64Array;
  /** Its output at each sample: RGB for the lowest ramp, opacity for the others. */
  output: Float64Array;
  /** Knots of the profile, in units of the map. */
  knots: Float64Array;
  /** RGB of each knot for the lowest ramp, opacity for the others. */
  values: Float64Array;
  /** Color of a ramp that is not the lowest. */
  ink: Float64Array;
}

/** Fits as few ramps as explain the samples. `noise` is in byte levels. Costs some hundred passes over the samples. */
export function fitShading(samples: Samples, noise: number): Shading {
  return new Shader(samples, noise).fit();
}

/** Returns the mean squared distance of a channel of the samples from ramps, in levels squared. */
export function errorOf(ramps: Ramps, { count, x, y, colors }: Samples): number {
  const color = new Float64Array(4);
  let sum = 0;
  for (let i = 0; i < count; i++) {
    paintAt(ramps, x[i], y[i], color, 0);
    for (let c = 0; c < 3; c++) sum += (colors[i * 3 + c] - color[c]) ** 2;
  }
  return sum / (3 * count);
}

class Shader {
  private readonly n: number;
  private readonly u: Float64Array; // positions relative to the piece's center, in units of half its size
  private readonly v: Float64Array;
  private readonly colors: Float64Array;
  private readonly samples: Samples;
  private readonly middleX: number;
  private readonly middleY: number;
  private readonly scale: number;
  private readonly noiseFloor: number;
  // Of the layer being fitted: its target at each sample, 1 or 3 numbers, and the weight of the sample.
  private readonly target: Float64Array;
  private readonly weight: Float64Array;
  private readonly scratch: Float64Array;
  private readonly sums = new Float64Array(MOST_BINS * 12);
  /** A search uses every n-th sample. */
  private readonly stepOver: number;
  private readonly under: Float64Array;
  private channels = 3;

  constructor(samples: Samples, noise: number) {
    const n = samples.count;
    this.samples = samples;
    this.n = n;
    this.colors = samples.colors;
    this.noiseFloor = ROUNDING + 0.5 * noise * noise;
    let left = Infinity;
    let right = -Infinity;
    let top = Infinity;
    let bottom = -Infinity;
    for (let i = 0; i < n; i++) {
      left = Math.min(left, samples.x[i]);
      right = Math.max(right, samples.x[i]);
      top = Math.min(top, samples.y[i]);
      bottom = Math.max(bottom, samples.y[i]);
    }
    this.middleX = (left + right) / 2;
    this.middleY = (top + bottom) / 2;
    this.scale = Math.max(1, right - left, bottom - top) / 2;
    this.u = samples.x.subarray(0, n).map((x) => (x - this.middleX) / this.scale);
    this.v = samples.y.subarray(0, n).map((y) => (y - this.middleY) / this.scale);
    this.target = new Float64Array(n * 3);
    this.weight = new Float64Array(n);
    this.scratch = new Float64Array(n);
    this.under = new Float64Array(n * 3);
    this.stepOver = Math.max(1, Math.floor(n / SEARCHED));
  }

  fit(): Shading {
    const layers = [this.fitBaseLayer()];
    let error = this.errorOf(layers);
    while (layers.length < MOST_RAMPS && error > this.noiseFloor) {
      const more = this.addLayer(layers);
      if (!more) break;
      const less = this.errorOf(more);
      const isUnseen = error < UNSEEN;
      const share = isUnseen ? UNSEEN_SHARE : LEAST_SHARE;
      if (less > error * (1 - share) || less > error - (isUnseen ? UNSEEN_GAIN : LEAST_GAIN)) break;
      layers.splice(0, layers.length, ...more);
      error = less;
    }
    for (let k = layers.length - 1; k >= 0; k--) {
      this.setTarget(layers, k);
      layers[k] = this.toLayer(layers[k].kind, layers[k].params, layers[k].ink, k > 0, true);
    }
    this.setTarget(layers, 0);
    layers[0] = this.toLayer(layers[0].kind, layers[0].params, layers[0].ink, false, true);
    return { ramps: layers.map((layer, k) => this.toRamp(layer, k === 0)), error };
  }

  /** Fits the single opaque ramp that explains the most: the simplest of those that are about equally good. */
  private fitBaseLayer(): Layer {
    this.channels = 3;
    this.target.set(this.colors.subarray(0, this.n * 3));
    this.weight.fill(1);
    let best: { kind: Kind; params: Float64Array } | undefined;
    let bestError = Infinity;
    for (const { kind, params } of this.guessMaps()) {
      if (bestError < this.noiseFloor) break;
      const error = this.refine(kind, params, kind === 'linear' ? 30 : kind === 'circle' ? 60 : 140);
      if ((error + ROUNDING) * (kind === 'linear' ? 1 : 1.25) > bestError + ROUNDING) continue;
      best = { kind, params };
      bestError = error;
    }
    const { kind, params } = best ?? { kind: 'linear', params: new Float64Array(1) };
    return this.toLayer(kind, params, new Float64Array(3));
  }

  /**
   * Returns maps guessed from the color gradients, which run along a line, toward a center, or perpendicular to
   * ellipses.
   */
  private guessMaps(): { kind: Kind; params: Float64Array }[] {
    const { n, u, v } = this;
    const { right, down } = this.samples;
    const moments = new Float64Array(25);
    const row = new Float64Array(5);
    for (let i = 0; i < n; i++) {
      for (let c = 0; c < 3; c++) {
        const gx = right[i * 3 + c];
        const gy = down[i * 3 + c];
        // The gradient is along Q (p - m): (gx, gy) × (q11 u + q12 v - k, q12 u + q22 v - l) = 0, linear in (q11, q12,
        // q22, k, l).
        row[0] = -gy * u[i];
        row[1] = gx * u[i] - gy * v[i];
        row[2] = gx * v[i];
        row[3] = gy;
        row[4] = -gx;
        for (let a = 0; a < 5; a++) for (let b = 0; b < 5; b++) moments[a * 5 + b] += row[a] * row[b];
      }
    }
    const at = (a: number, b: number): number => moments[a * 5 + b];
    const angle = 0.5 * Math.atan2(-2 * at(3, 4), at(4, 4) - at(3, 3));
    const guesses: { kind: Kind; params: Float64Array }[] = [{ kind: 'linear', params: Float64Array.of(angle) }];
    // For a circle, q11 = q22 = 1 and q12 = 0.
    const kk = at(3, 3);
    const kl = at(3, 4);
    const ll = at(4, 4);
    const rk = -(at(0, 3) + at(2, 3));
    const rl = -(at(0, 4) + at(2, 4));
    const determinant = kk * ll - kl * kl;
    let cx = 0;
    let cy = 0;
    if (determinant > 1e-9 * (kk + ll) ** 2) {
      cx = (rk * ll - rl * kl) / determinant;
      cy = (rl * kk - rk * kl) / determinant;
    }
    const far = hypot(cx, cy);
    if (far > 4) {
      cx *= 4 / far;
      cy *= 4 / far;
    }
    guesses.push({ kind: 'circle', params: Float64Array.of(cx, cy) });
    guesses.push({ kind: 'ellipse', params: Float64Array.of(cx, cy, 0.3, 0.4) });
    const q = smallestEigenvector(moments, 5);
    if (q[0] + q[2] < 0) for (let k = 0; k < 5; k++) q[k] = -q[k];
    const spread = q[0] * q[2] - q[1] * q[1];
    if (spread > 1e-4 * (q[0] * q[0] + q[2] * q[2])) {
      const ex = (q[2] * q[3] - q[1] * q[4]) / spread;
      const ey = (q[0] * q[4] - q[1] * q[3]) / spread;
      const ellipseAngle = 0.5 * Math.atan2(2 * q[1], q[0] - q[2]);
      const mean = (q[0] + q[2]) / 2;
      const half = hypot((q[0] - q[2]) / 2, q[1]);
      const stretch = 0.25 * Math.log((mean + half) / (mean - half));
      if (hypot(ex, ey) < 6 && Math.abs(stretch) < 1.6) {
        guesses.push({ kind: 'ellipse', params: Float64Array.of(ex, ey, stretch, ellipseAngle) });
      }
    }
    return guesses;
  }

  /** Returns the layers with another ramp on top, all fitted again; undefined when the residual shows none. */
  private addLayer(layers: Layer[]): Layer[] | undefined {
    const { n, colors, target, weight } = this;
    const next: Layer[] = layers.map((layer) => ({ ...layer, params: layer.params.slice() }));
    this.composite(next, next.length);
    // The residual is modeled as one color of varying opacity, along the principal axis of the differences.
    const spread = new Float64Array(9);
    let meanR = 0;
    let meanG = 0;
    let meanB = 0;
    for (let i = 0; i < n * 3; i += 3) {
      const r = colors[i] - this.under[i];
      const g = colors[i + 1] - this.under[i + 1];
      const b = colors[i + 2] - this.under[i + 2];
      spread[0] += r * r;
      spread[1] += r * g;
      spread[2] += r * b;
      spread[4] += g * g;
      spread[5] += g * b;
      spread[8] += b * b;
      meanR += this.under[i];
      meanG += this.under[i + 1];
      meanB += this.under[i + 2];
    }
    spread[3] = spread[1];
    spread[6] = spread[2];
    spread[7] = spread[5];
    const axis = largestEigenvector(spread, 3);
    this.channels = 1;
    weight.fill(1);
    for (let i = 0; i < n; i++) {
      target[i] = 0;
      for (let c = 0; c < 3; c++) target[i] += axis[c] * (colors[i * 3 + c] - this.under[i * 3 + c]);
    }
    const { kind, params } = this.search();
    const layer = this.toLayer(kind, params, new Float64Array(3));
    // The side on which the profile is more peaked shows the direction of the new color along the axis. The layer is
    // clear at the other end.
    let low = Infinity;
    let high = -Infinity;
    let mean = 0;
    const { output } = layer;
    for (let i = 0; i < n; i++) {
      low = Math.min(low, output[i]);
      high = Math.max(high, output[i]);
      mean += output[i] / n;
    }
    if (!(high > low)) return undefined;
    const sign = high - mean > mean - low ? 1 : -1;
    const inkMean = [meanR / n, meanG / n, meanB / n];
    // The color lies as far along the axis as the gamut allows: then little opacity is needed, and the layers below
    // matter least.
    let reach = Infinity;
    for (let c = 0; c < 3; c++) {
      const step = axis[c] * sign;
      if (Math.abs(step) < 0.05) continue;
      reach = Math.min(reach, ((step > 0 ? 255 : 0) - inkMean[c]) / step);
    }
    reach = Math.max(reach, (high - low) * 1.05);
    for (let c = 0; c < 3; c++) layer.ink[c] = clampByte(inkMean[c] + axis[c] * sign * reach);
    const base = sign > 0 ? low : high;
    for (let k = 0; k < layer.values.length; k++) {
      layer.values[k] = Math.min(1, Math.max(0, ((layer.values[k] - base) * sign) / reach));
    }
    for (let i = 0; i < n; i++) output[i] = Math.min(1, Math.max(0, ((output[i] - base) * sign) / reach));
    next.push(layer);
    for (let round = 0; round < 3; round++) {
      for (let k = 0; k < next.length; k++) {
        this.setTarget(next, k);
        if (round > 0) this.refine(next[k].kind, next[k].params, 40);
        next[k] = this.toLayer(next[k].kind, next[k].params, next[k].ink, k > 0);
      }
    }
    return next;
  }

  /** Searches a map for the target, coarsely and then finely. */
  private search(): { kind: Kind; params: Float64Array } {
    const candidates: { kind: Kind; params: Float64Array; error: number }[] = [];
    const tryMap = (kind: Kind, ...numbers: number[]): void => {
      const params = Float64Array.from(numbers);
      candidates.push({ kind, params, error: this.misfit(kind, params) });
    };
    for (let k = 0; k < 8; k++) tryMap('linear', (k * Math.PI) / 8);
    for (let a = -1.5; a <= 1.5; a += 0.5) for (let b = -1.5; b <= 1.5; b += 0.5) tryMap('circle', a, b);
    candidates.sort((p, q) => p.error - q.error);
    let best = candidates[0];
    const starts = [...candidates.filter((one) => one.kind === 'linear').slice(0, 1), ...candidates.slice(0, 2)];
    for (const { kind, params } of [...starts]) {
      if (kind === 'circle')
        starts.push({ kind: 'ellipse', params: Float64Array.of(params[0], params[1], 0.2, 0.4), error: 0 });
    }
    for (const start of starts) {
      const params = start.params.slice();
      const error = this.refine(start.kind, params, start.kind === 'ellipse' ? 120 : 50);
      const penalty = start.kind === 'ellipse' && best.kind !== 'ellipse' ? 1.15 : 1;
      if (error * penalty < best.error) best = { kind: start.kind, params, error };
    }
    return best;
  }

  /** Sets the target to the output that layer k should have, given the other layers. */
  private setTarget(layers: Layer[], k: number): void {
    const { n, colors, target, weight, under } = this;
    this.composite(layers, k);
    this.channels = k === 0 ? 3 : 1;
    const { ink } = layers[k];
    for (let i = 0; i < n; i++) {
      let through = 1; // share of this layer that is visible
      let r = 0;
      let g = 0;
      let b = 0;
      for (let m = k + 1; m < layers.length; m++) {
        const alpha = layers[m].output[i];
        const over = layers[m].ink;
        through *= 1 - alpha;
        r = r * (1 - alpha) + alpha * over[0];
        g = g * (1 - alpha) + alpha * over[1];
        b = b * (1 - alpha) + alpha * over[2];
      }
      const visibility = Math.max(through, 0.02);
      const i3 = i * 3;
      const wantR = (colors[i3] - r) / visibility;
      const wantG = (colors[i3 + 1] - g) / visibility;
      const wantB = (colors[i3 + 2] - b) / visibility;
      if (k === 0) {
        target[i3] = wantR;
        target[i3 + 1] = wantG;
        target[i3 + 2] = wantB;
        weight[i] = visibility * visibility;
        continue;
      }
      const dr = ink[0] - under[i3];
      const dg = ink[1] - under[i3 + 1];
      const db = ink[2] - under[i3 + 2];
      const span = dr * dr + dg * dg + db * db + 1e-6;
      target[i] = ((wantR - under[i3]) * dr + (wantG - under[i3 + 1]) * dg + (wantB - under[i3 + 2]) * db) / span;
      weight[i] = visibility * visibility * span;
    }
  }

  /** Writes the composite of the lowest `count` layers to `under`. */
  private composite(layers: Layer[], count: number): void {
    const { n, under } = this;
    for (let m = 0; m < count; m++) {
      const layer = layers[m];
      for (let i = 0; i < n; i++) {
        if (m === 0) {
          for (let c = i * 3; c < i * 3 + 3; c++) under[c] = layer.output[c];
          continue;
        }
        const alpha = layer.output[i];
        for (let c = 0; c < 3; c++) under[i * 3 + c] += alpha * (layer.ink[c] - under[i * 3 + c]);
      }
    }
  }

  private errorOf(layers: Layer[]): number {
    this.composite(layers, layers.length);
    let sum = 0;
    for (let i = 0; i < this.n * 3; i++) sum += (this.colors[i] - this.under[i]) ** 2;
    return sum / (this.n * 3);
  }

  /** Optimizes the parameters of a map in place. Returns the error. */
  private refine(kind: Kind, params: Float64Array, most: number): number {
    const step = kind === 'linear' ? [0.2] : kind === 'circle' ? [0.2, 0.2] : [0.2, 0.2, 0.2, 0.4];
    return minimize((p) => this.misfit(kind, p), params, step, most);
  }

  /** Returns the error of the best profile over a map, a straight line in each of several bins. */
  private misfit(kind: Kind, params: Float64Array): number {
    const { n, target, weight, channels, sums, scratch: t } = this;
    const stepOver = this.stepOver;
    this.projectSamples(kind, params, t, stepOver);
    if (kind === 'ellipse' && Math.abs(params[2]) > 2) return Infinity;
    if (kind !== 'linear' && hypot(params[0], params[1]) > 12) return Infinity;
    let low = Infinity;
    let high = -Infinity;
    for (let i = 0; i < n; i += stepOver) {
      if (t[i] < low) low = t[i];
      if (t[i] > high) high = t[i];
    }
    const bins = Math.max(2, Math.min(MOST_BINS, Math.floor(n / stepOver / 20)));
    const toBin = (bins * 0.999999) / (high - low || 1);
    const stride = 3 + 3 * channels;
    sums.fill(0, 0, bins * stride);
    let total = 0;
    for (let i = 0; i < n; i += stepOver) {
      const at = Math.floor((t[i] - low) * toBin) * stride;
      const w = weight[i];
      const along = (t[i] - low) * toBin;
      total += w;
      sums[at] += w;
      sums[at + 1] += w * along;
      sums[at + 2] += w * along * along;
      for (let c = 0, k = at + 3; c < channels; c++, k += 3) {
        const value = target[i * channels + c];
        sums[k] += w * value;
        sums[k + 1] += w * value * along;
        sums[k + 2] += w * value * value;
      }
    }
    let error = 0;
    for (let at = 0; at < bins * stride; at += stride) {
      const w = sums[at];
      if (w <= 0) continue;
      const spread = sums[at + 2] - (sums[at + 1] * sums[at + 1]) / w;
      for (let c = 0, k = at + 3; c < channels; c++, k += 3) {
        const joint = sums[k + 1] - (sums[at + 1] * sums[k]) / w;
        const slope = spread > 1e-9 * w ? joint / spread : 0;
        error += Math.max(0, sums[k + 2] - (sums[k] * sums[k]) / w - slope * joint);
      }
    }
    // The weight of an opacity already is a squared color difference over three channels.
    return channels === 3 ? error / (3 * total) : (error * stepOver) / (3 * n);
  }

  /** Writes the positions of the samples on a map. */
  private projectSamples(kind: Kind, params: Float64Array, t: Float64Array, stepOver = 1): void {
    const { n, u, v } = this;
    if (kind === 'linear') {
      const dx = Math.cos(params[0]);
      const dy = Math.sin(params[0]);
      for (let i = 0; i < n; i += stepOver) t[i] = u[i] * dx + v[i] * dy;
      return;
    }
    const [cx, cy] = params;
    if (kind === 'circle') {
      for (let i = 0; i < n; i += stepOver) t[i] = Math.sqrt((u[i] - cx) ** 2 + (v[i] - cy) ** 2);
      return;
    }
    const wide = Math.exp(params[2]);
    const dx = Math.cos(params[3]);
    const dy = Math.sin(params[3]);
    for (let i = 0; i < n; i += stepOver) {
      const along = ((u[i] - cx) * dx + (v[i] - cy) * dy) * wide;
      const across = ((v[i] - cy) * dx - (u[i] - cx) * dy) / wide;
      t[i] = Math.sqrt(along * along + across * across);
    }
  }

  /** Returns the layer with the best profile over a map for the target; with `isLast`, with as few knots as suffice. */
  private toLayer(kind: Kind, params: Float64Array, ink: Float64Array, isOpacity = false, isLast = false): Layer {
    const { n, target, weight, channels } = this;
    const t = this.scratch;
    this.projectSamples(kind, params, t);
    // One more knot must explain something. Squared opacities are weighted to equal squared colors over three channels.
    let norm = 0;
    for (let i = 0; i < n; i++) norm += channels === 3 ? 3 * weight[i] : 3;
    const profile = fitProfile(t, target, weight, n, channels, isLast ? 0.06 * this.noiseFloor * norm : 0);
    const { knots, values } = profile;
    if (isOpacity) for (let k = 0; k < values.length; k++) values[k] = Math.min(1, Math.max(0, values[k]));
    else if (channels === 3) for (let k = 0; k < values.length; k++) values[k] = clampByte(values[k]);
    const output = new Float64Array(n * channels);
    for (let i = 0; i < n; i++) {
      for (let c = 0; c < channels; c++) output[i * channels + c] = profileAt(profile, t[i], c, channels);
    }
    return { kind, params, output, knots, values, ink };
  }

  private toRamp(layer: Layer, isGround: boolean): Ramp {
    const { kind, params, knots, values, ink } = layer;
    const { middleX, middleY, scale } = this;
    const first = knots[0];
    const last = knots[knots.length - 1];
    const from = kind === 'linear' ? first : 0;
    const offsets = knots.map((knot) => (knot - from) / (last - from));
    const colors = new Float64Array(knots.length * 4);
    for (let k = 0; k < knots.length; k++) {
      for (let c = 0; c < 3; c++) colors[k * 4 + c] = isGround ? values[k * 3 + c] : ink[c];
      colors[k * 4 + 3] = isGround ? 255 : 255 * values[k];
    }
    const toX = (x: number): number => middleX + scale * x;
    const toY = (y: number): number => middleY + scale * y;
    if (kind === 'linear') {
      const dx = Math.cos(params[0]);
      const dy = Math.sin(params[0]);
      const [x1, y1, x2, y2] = [toX(dx * first), toY(dy * first), toX(dx * last), toY(dy * last)];
      return { kind: 'linear', x1, y1, x2, y2, x3: 0, y3: 0, offsets, colors };
    }
    const [cx, cy] = params;
    const wide = kind === 'ellipse' ? Math.exp(params[2]) : 1;
    const angle = kind === 'ellipse' ? params[3] : 0;
    const dx = (Math.cos(angle) * last) / wide;
    const dy = (Math.sin(angle) * last) / wide;
    const ex = -Math.sin(angle) * last * wide;
    const ey = Math.cos(angle) * last * wide;
    return {
      kind: 'radial',
      x1: toX(cx),
      y1: toY(cy),
      x2: toX(cx + dx),
      y2: toY(cy + dy),
      x3: toX(cx + ex),
      y3: toY(cy + ey),
      offsets,
      colors,
    };
  }
}

function clampByte(value: number): number {
  return Math.min(255, Math.max(0, value));
}
