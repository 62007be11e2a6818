import type { BoundaryMap, Chain, Points } from './boundary.ts';
import { createPoints, locate, OUTSIDE } from './boundary.ts';
import type { Quantized } from './labels.ts';
import type { Regions } from './regions.ts';

/** A line (`isLine`) or a cubic Bézier from the end of the segment before to (x, y). */
export interface Segment {
  isLine: boolean;
  x1: number;
  y1: number;
  x2: number;
  y2: number;
  x: number;
  y: number;
}

/** The fitted form of one chain. */
export interface Curve {
  x: number;
  y: number;
  segments: Segment[];
}

export interface CurveSettings {
  tolerancePx: number | undefined;
  toleranceScale: number;
  noise: number;
}

/**
 * What one more node must save. A fit is judged by its description length: a wrong curve costs its squared distances, in units of
 * the scatter, beyond what scatter alone explains. A long segment may therefore be off by less than a short one.
 */
const NODE_COST = 8;
/** Neighbouring points err together, so this many count as one. */
const CORRELATED = 3;

/** What the coarse sampling of common renderers leaves, in px. */
const LEAST_JITTER = 0.028;

/** Length of the handles of a quarter circle of radius 1. */
const CIRCLE_HANDLE = 0.5519;

const LEVEL_WEIGHT = 0.6;

/** A straight run longer than this, in px, is hardly ever part of a curve. */
const LONG_RUN = 20;

/** Cubics shorter than this, in px, have too few points to ask for anything but a plain bend. */
const SHORT_CHORD = 8;

/** Points deeper than this between two corners are on a drawn bevel, in px. */
const BEVEL = 0.33;

/** How much of a single point's distance counts against a curve. */
const SINGLE = 0.4;

/** Points nearer than this to a junction or corner are rounded off by the pixel grid and are left out of fits, in px. */
const BLUNT = 0.95;

/** Fits every chain of the map: junctions first, then corners, straight runs, and as few cubics as the tolerance allows. */
export function fitChains(map: BoundaryMap, regions: Regions, quantized: Quantized, settings: CurveSettings): Curve[] {
  const palette = quantized.measuredPalette;
  const located = locateAll(map, regions.labels, quantized, settings.noise);
  const junctions = placeJunctions(map, located);
  let longest = 0;
  for (let k = 0; k < map.chains.length; k++) longest = Math.max(longest, located.from[k + 1] - located.from[k]);
  const fitter = new Fitter(longest + 64);
  const floor = measureJitter(map, located);
  return map.chains.map((chain, index) => {
    if (chain.left === OUTSIDE || chain.right === OUTSIDE) return followBorder(map, chain, junctions);
    const a = regions.labelOf[chain.left] * 4;
    const b = regions.labelOf[chain.right] * 4;
    const contrast = Math.hypot(
      palette[a] - palette[b],
      palette[a + 1] - palette[b + 1],
      palette[a + 2] - palette[b + 2],
      palette[a + 3] - palette[b + 3],
    );
    const jitter = Math.max(floor, Math.min(0.3, (1.3 * settings.noise) / contrast));
    const tolerance = settings.tolerancePx ?? (0.04 + 2 * jitter) * settings.toleranceScale;
    return fitter.fitChain(located, index, chain, junctions, tolerance, jitter);
  });
}

interface Located {
  x: Float32Array;
  y: Float32Array;
  weight: Float32Array;
  /** First point of each chain; one more than there are chains. */
  from: Uint32Array;
}

function locateAll(map: BoundaryMap, labels: Uint8Array, quantized: Quantized, noise: number): Located {
  const { chains, path } = map;
  let longest = 0;
  for (const chain of chains) longest = Math.max(longest, chain.to - chain.from);
  const points = createPoints(longest + 1);
  const x = new Float32Array(path.length);
  const y = new Float32Array(path.length);
  const weight = new Float32Array(path.length);
  const from = new Uint32Array(chains.length + 1);
  let used = 0;
  chains.forEach((chain, index) => {
    from[index] = used;
    if (chain.left === OUTSIDE || chain.right === OUTSIDE) return;
    locate(map, chain, labels, quantized, noise, points);
    copyPoints(points, x, y, weight, used);
    used += points.count;
  });
  from[chains.length] = used;
  return { x, y, weight, from };
}

function copyPoints(points: Points, x: Float32Array, y: Float32Array, weight: Float32Array, at: number): void {
  for (let k = 0; k < points.count; k++) {
    x[at + k] = points.x[k];
    y[at + k] = points.y[k];
    weight[at + k] = points.weight[k];
  }
}

/**
 * How far located points scatter about a smooth line, in px: the median distance of a point from the curve through its four
 * neighbours, as a standard deviation. Renderers sample edges coarsely, so
 * even clean art has some.
 */
function measureJitter(map: BoundaryMap, located: Located): number {
  const bins = new Uint32Array(256); // of 1/256 px
  let total = 0;
  map.chains.forEach((_, index) => {
    const from = located.from[index] + 2;
    const to = located.from[index + 1] - 2;
    for (let k = from; k < to; k++) {
      const { x, y } = located;
      const dx = x[k + 2] - x[k - 2];
      const dy = y[k + 2] - y[k - 2];
      const length = Math.hypot(dx, dy);
      if (length < 2 || Math.min(Math.abs(dx), Math.abs(dy)) < 0.15 * length) continue; // level edges show nothing
      // Fourth-order difference: blind to constant curvature, of variance 1 + 4/9·2 + 1/36·2 of a point's.
      const ex = x[k] - (4 * (x[k - 1] + x[k + 1]) - (x[k - 2] + x[k + 2])) / 6;
      const ey = y[k] - (4 * (y[k - 1] + y[k + 1]) - (y[k - 2] + y[k + 2])) / 6;
      bins[Math.min(255, Math.floor((Math.abs(ex * dy - ey * dx) / length) * 256))]++;
      total++;
    }
  });
  let below = 0;
  for (let bin = 0; bin < 256; bin++) {
    below += bins[bin];
    if (below * 2 >= total) return Math.min(0.25, Math.max(LEAST_JITTER, (bin + 0.5) / 256 / (0.6745 * 1.395)));
  }
  return LEAST_JITTER;
}

/**
 * Puts each junction where the lines through the ends of its chains meet, in the least-squares sense. The lattice point is kept
 * with a small weight, so that chains in one direction leave it where it is.
 */
function placeJunctions(map: BoundaryMap, located: Located): Float64Array {
  const { width, height, chains, junctions } = map;
  const stride = width + 1;
  const at = new Float64Array(junctions.length * 2);
  const sums = new Float64Array(junctions.length * 5); // xx, xy, yy, right side x and y
  for (let j = 0; j < junctions.length; j++) {
    const x = junctions[j] % stride;
    const y = (junctions[j] - x) / stride;
    at[j * 2] = x;
    at[j * 2 + 1] = y;
    sums[j * 5] = sums[j * 5 + 2] = 0.04;
  }
  const add = (j: number, nx: number, ny: number, px: number, py: number, weight: number): void => {
    const offset = nx * (px - at[j * 2]) + ny * (py - at[j * 2 + 1]);
    sums[j * 5] += weight * nx * nx;
    sums[j * 5 + 1] += weight * nx * ny;
    sums[j * 5 + 2] += weight * ny * ny;
    sums[j * 5 + 3] += weight * nx * offset;
    sums[j * 5 + 4] += weight * ny * offset;
  };
  chains.forEach((chain, index) => {
    if (chain.start < 0) return;
    for (const isStart of [true, false]) {
      const j = isStart ? chain.start : chain.end;
      const jx = at[j * 2];
      const jy = at[j * 2 + 1];
      if (chain.left === OUTSIDE || chain.right === OUTSIDE) {
        const next = map.path[isStart ? chain.from + 1 : chain.to - 1];
        const isVertical = next % stride === jx;
        add(j, isVertical ? 1 : 0, isVertical ? 0 : 1, jx, jy, 1e6);
        continue;
      }
      const first = located.from[index];
      const last = located.from[index + 1] - 1;
      let n = 0;
      let sx = 0;
      let sy = 0;
      let sxx = 0;
      let sxy = 0;
      let syy = 0;
      const step = isStart ? 1 : -1;
      for (let k = isStart ? first : last; k >= first && k <= last; k += step) {
        const dx = located.x[k] - jx;
        const dy = located.y[k] - jy;
        const far = Math.hypot(dx, dy);
        if (far < 1.3) continue;
        if (far > 5.5 && n >= 3) break;
        n++;
        sx += dx;
        sy += dy;
        sxx += dx * dx;
        sxy += dx * dy;
        syy += dy * dy;
        if (n >= 6) break;
      }
      if (n < 2) continue;
      sx /= n;
      sy /= n;
      const angle = 0.5 * Math.atan2(2 * (sxy / n - sx * sy), sxx / n - sx * sx - (syy / n - sy * sy));
      add(j, -Math.sin(angle), Math.cos(angle), jx + sx, jy + sy, 1);
    }
  });
  for (let j = 0; j < junctions.length; j++) {
    const xx = sums[j * 5];
    const xy = sums[j * 5 + 1];
    const yy = sums[j * 5 + 2];
    const determinant = xx * yy - xy * xy;
    let dx = (sums[j * 5 + 3] * yy - sums[j * 5 + 4] * xy) / determinant;
    let dy = (sums[j * 5 + 4] * xx - sums[j * 5 + 3] * xy) / determinant;
    const far = Math.hypot(dx, dy);
    if (far > 1.4) {
      dx *= 1.4 / far;
      dy *= 1.4 / far;
    }
    at[j * 2] = Math.min(width, Math.max(0, at[j * 2] + dx));
    at[j * 2 + 1] = Math.min(height, Math.max(0, at[j * 2 + 1] + dy));
  }
  return at;
}

function lineTo(x: number, y: number): Segment {
  return { isLine: true, x1: x, y1: y, x2: x, y2: y, x, y };
}

/** Along the edge of the picture a chain is straight, with a corner at the picture's corners. */
function followBorder(map: BoundaryMap, chain: Chain, junctions: Float64Array): Curve {
  const { width, height, path } = map;
  const stride = width + 1;
  const corners = [0, width, height * stride, height * stride + width];
  const segments: Segment[] = [];
  const first = path[chain.from];
  const startX = chain.start >= 0 ? junctions[chain.start * 2] : first % stride;
  const startY = chain.start >= 0 ? junctions[chain.start * 2 + 1] : Math.floor(first / stride);
  for (let k = chain.from + 1; k < chain.to; k++) {
    if (corners.includes(path[k])) segments.push(lineTo(path[k] % stride, Math.floor(path[k] / stride)));
  }
  if (chain.end >= 0) segments.push(lineTo(junctions[chain.end * 2], junctions[chain.end * 2 + 1]));
  else segments.push(lineTo(startX, startY));
  return { x: startX, y: startY, segments };
}

/** What a side of a corner looks like: a point and a direction. */
interface Side {
  x: number;
  y: number;
  dx: number;
  dy: number;
}

class Fitter {
  // The chain at work: points in order. A closed chain is stored once around; `at` wraps.
  private readonly x: Float64Array;
  private readonly y: Float64Array;
  private readonly w: Float64Array;
  private readonly s: Float64Array;
  private readonly t: Float64Array;
  private readonly score: Float64Array;
  private n = 0;
  /** What the fits since it was last set to zero leave unexplained, in nodes. */
  private badness = 0;
  private tolerance = 0.1;
  private jitter = 0.02;
  /** Scatter that fits are measured by: the jitter, or more when the caller allows more. */
  private scatter = 0.02;

  constructor(capacity: number) {
    this.x = new Float64Array(capacity);
    this.y = new Float64Array(capacity);
    this.w = new Float64Array(capacity);
    this.s = new Float64Array(capacity);
    this.t = new Float64Array(128);
    this.score = new Float64Array(capacity);
  }

  fitChain(
    located: Located,
    index: number,
    chain: Chain,
    junctions: Float64Array,
    tolerance: number,
    jitter: number,
  ): Curve {
    this.tolerance = tolerance;
    this.jitter = jitter;
    this.scatter = Math.max(jitter, tolerance / 3.5);
    const from = located.from[index];
    const to = located.from[index + 1];
    const closed = chain.start < 0;
    this.n = 0;
    if (closed) {
      for (let k = from; k < to; k++) this.push(located.x[k], located.y[k], located.weight[k]);
      return this.n < 6 ? this.fitDot() : this.fitClosed();
    }
    const startX = junctions[chain.start * 2];
    const startY = junctions[chain.start * 2 + 1];
    const endX = junctions[chain.end * 2];
    const endY = junctions[chain.end * 2 + 1];
    this.push(startX, startY, 1);
    for (let k = from; k < to; k++) {
      const px = located.x[k];
      const py = located.y[k];
      if (Math.hypot(px - startX, py - startY) < 1.3 || Math.hypot(px - endX, py - endY) < 1.3) continue;
      this.push(px, py, located.weight[k]);
    }
    this.push(endX, endY, 1);
    this.discountLevelEdges();
    this.measure();
    return this.fitOpen(this.findCorners(true));
  }

  private push(x: number, y: number, weight: number): void {
    this.x[this.n] = x;
    this.y[this.n] = y;
    this.w[this.n++] = weight;
  }

  /**
   * Renderers sample a pixel on a coarse grid, so an edge that is nearly level or upright moves in steps of a quarter pixel or so. Its points
   * count for less; those of an edge that is exactly level agree with each other anyway.
   */
  private discountLevelEdges(): void {
    const { x, y, w, n } = this;
    for (let k = 0; k < n; k++) {
      const a = Math.max(0, k - 3);
      const b = Math.min(n - 1, k + 3);
      const dx = Math.abs(x[b] - x[a]);
      const dy = Math.abs(y[b] - y[a]);
      if (Math.min(dx, dy) < 0.22 * Math.max(dx, dy)) w[k] *= LEVEL_WEIGHT;
    }
  }

  /** Arc length at each point. */
  private measure(): void {
    this.s[0] = 0;
    for (let k = 1; k < this.n; k++)
      this.s[k] = this.s[k - 1] + Math.hypot(this.x[k] - this.x[k - 1], this.y[k] - this.y[k - 1]);
  }

  /** A loop of so few points that it has no shape: the box around them. */
  private fitDot(): Curve {
    const x = this.x.slice(0, this.n);
    const y = this.y.slice(0, this.n);
    let left = Math.min(...x);
    let right = Math.max(...x);
    let top = Math.min(...y);
    let bottom = Math.max(...y);
    const grow = 0.25;
    if (right - left < 0.5) {
      left -= grow;
      right += grow;
    }
    if (bottom - top < 0.5) {
      top -= grow;
      bottom += grow;
    }
    const box = [lineTo(left, bottom), lineTo(right, bottom), lineTo(right, top), lineTo(left, top)];
    if (this.signedArea(this.n) > 0) [box[0], box[2]] = [box[2], box[0]];
    return { x: left, y: top, segments: box };
  }

  private fitClosed(): Curve {
    this.discountLevelEdges();
    // The seam goes to a corner found well away from it, or to a place half-way round when there is none.
    const n = this.n;
    const seam = this.findSeam(n);
    if (seam < 0) return this.fitSmoothLoop(n);
    this.rotate(seam, n);
    return this.fitOpen(this.findCorners(true), true);
  }

  /** Makes point `first` the first one, and closes the loop with a copy of it. */
  private rotate(first: number, n: number): void {
    const x = this.x.slice(0, n);
    const y = this.y.slice(0, n);
    const w = this.w.slice(0, n);
    for (let k = 0; k <= n; k++) {
      const from = (first + k) % n;
      this.x[k] = x[from];
      this.y[k] = y[from];
      this.w[k] = w[from];
    }
    this.n = n + 1;
    this.measure();
  }

  /** A corner of the closed chain, or -1. Part of the loop is repeated at both ends to stand in for wrapping. */
  private findSeam(n: number): number {
    const pad = Math.min(n, 16);
    const x = this.x.slice(0, n);
    const y = this.y.slice(0, n);
    const w = this.w.slice(0, n);
    this.n = 0;
    for (let k = -pad; k < n + pad; k++) {
      const from = (k + n) % n;
      this.push(x[from], y[from], w[from]);
    }
    this.measure();
    // The corner with the most room around it, so that whatever happens near a corner happens away from the seam.
    const corners = this.findCorners(false);
    let best = -1;
    let bestRoom = -1;
    for (let k = 0; k < corners.length; k++) {
      const c = corners[k];
      if (c < pad || c >= n + pad) continue;
      const before = k > 0 ? this.s[c] - this.s[corners[k - 1]] : 20;
      const after = k + 1 < corners.length ? this.s[corners[k + 1]] - this.s[c] : 20;
      const room = Math.min(before, after, 20);
      if (room <= bestRoom) continue;
      bestRoom = room;
      best = c - pad;
    }
    this.n = n;
    this.x.set(x);
    this.y.set(y);
    this.w.set(w);
    this.measure();
    return best;
  }

  /**
   * Indices where the direction jumps. At three scales, the turn between a line fitted before the point and one fitted after it,
   * less the turn that the curvature of the two sides explains. Coarse scales see blunt angles, fine ones short sides.
   */
  private findCorners(withEnds: boolean): number[] {
    const { n, s, jitter, score } = this;
    const corners: number[] = withEnds ? [0, n - 1] : [];
    const scales = [
      { reach: 8, least: 0.24, apart: 3 },
      { reach: 4, least: 0.42, apart: 2.2 },
      { reach: 2.2, least: 0.8, apart: 1.6 },
    ];
    for (const { reach, least, apart } of scales) {
      const candidates: number[] = [];
      const perPoint =
        (jitter * Math.sqrt(24 / reach)) / reach +
        (reach > 3 ? (jitter * 9.5 * (reach + 1.8)) / (Math.sqrt(reach) * reach * reach) : 0);
      const threshold = Math.max(least, 3.5 * perPoint);
      for (let i = 1; i < n - 1; i++) {
        score[i] = 0;
        if (!this.turnsAt(i, 0.4 * least)) continue;
        if (!this.fitSide(i, -1, reach)) continue;
        const ldx = this.sideDx;
        const ldy = this.sideDy;
        const lk = this.sideBend;
        const lr = this.sideResidual;
        if (!this.fitSide(i, 1, reach)) continue;
        const dot = -(ldx * this.sideDx + ldy * this.sideDy);
        const cross = -(ldx * this.sideDy - ldy * this.sideDx);
        const turn = Math.atan2(cross, dot);
        const bend = reach > 3 ? ((this.sideBend - lk) / 2) * (reach + 2 * BLUNT) : 0;
        const same = Math.sign(turn) === Math.sign(bend) ? Math.min(Math.abs(bend), Math.abs(turn)) : 0;
        const excess = Math.abs(turn) - same;
        const residual = lr + this.sideResidual;
        if (residual > 4 * jitter + 0.04) continue;
        score[i] = excess - 1.5 * residual;
        if (excess > threshold) candidates.push(i);
      }
      candidates.sort((p, q) => score[q] - score[p] || p - q);
      for (const i of candidates) {
        if (corners.every((c) => Math.abs(s[c] - s[i]) > apart)) corners.push(i);
      }
    }
    return corners.sort((p, q) => p - q);
  }

  /** A quick look whether the chain turns by more than `least` radians within five points on either side. */
  private turnsAt(i: number, least: number): boolean {
    const { x, y, n } = this;
    const a = Math.max(0, i - 5);
    const b = Math.min(n - 1, i + 5);
    const ux = x[i] - x[a];
    const uy = y[i] - y[a];
    const vx = x[b] - x[i];
    const vy = y[b] - y[i];
    const dot = ux * vx + uy * vy;
    return dot <= 0 || Math.abs(ux * vy - uy * vx) > least * dot;
  }

  // What fitSide found: unit direction away from the point, curvature (positive turns clockwise on the screen), rms distance.
  private sideX = 0;
  private sideY = 0;
  private sideDx = 0;
  private sideDy = 0;
  private sideBend = 0;
  private sideResidual = 0;

  /** Fits x and y as quadratics of arc length to the points BLUNT to BLUNT + reach away on one side. False when too few. */
  private fitSide(i: number, step: number, reach: number, blunt = BLUNT): boolean {
    const { x, y, s, n } = this;
    let m = 0;
    let su = 0;
    let suu = 0;
    let suuu = 0;
    let suuuu = 0;
    let sx = 0;
    let sy = 0;
    let sux = 0;
    let suy = 0;
    let suux = 0;
    let suuy = 0;
    const ox = x[i];
    const oy = y[i];
    let lastU = 0;
    for (let k = i + step; k >= 0 && k < n; k += step) {
      const u = Math.abs(s[k] - s[i]);
      if (u < blunt) continue;
      if (u > blunt + reach) break;
      const px = x[k] - ox;
      const py = y[k] - oy;
      const uu = u * u;
      m++;
      su += u;
      suu += uu;
      suuu += uu * u;
      suuuu += uu * uu;
      sx += px;
      sy += py;
      sux += u * px;
      suy += u * py;
      suux += uu * px;
      suuy += uu * py;
      lastU = u;
    }
    if (m < 2 || lastU < blunt + 0.55 * reach) return false;
    const spread = suu - (su * su) / m;
    if (spread < 1e-9) return false;
    const bx = (sux - (su * sx) / m) / spread;
    const by = (suy - (su * sy) / m) / spread;
    const length = Math.hypot(bx, by);
    if (length < 1e-9) return false;
    const dx = bx / length;
    const dy = by / length;
    this.sideDx = dx;
    this.sideDy = dy;
    this.sideX = ox + (sx - bx * su) / m;
    this.sideY = oy + (sy - by * su) / m;
    // Distance across the line as a quadratic of u.
    const mean = su / m;
    const cx = -dy;
    const cy = dx;
    const q0 = cx * sx + cy * sy;
    const q1 = cx * sux + cy * suy;
    const q2 = cx * suux + cy * suuy;
    // Normal equations for a + b·v + c·(v² - k) with v = u - mean, solved for c.
    const v2 = suu - m * mean * mean;
    const v3 = suuu - 3 * mean * suu + 3 * mean * mean * su - m * mean ** 3;
    const v4 = suuuu - 4 * mean * suuu + 6 * mean * mean * suu - 4 * mean ** 3 * su + m * mean ** 4;
    const r0 = q0;
    const r1 = q1 - mean * q0;
    const r2 = q2 - 2 * mean * q1 + mean * mean * q0;
    const k11 = v2;
    const k22 = v4 - (v2 * v2) / m;
    const rhs2 = r2 - (v2 * r0) / m;
    const determinant = k11 * k22 - v3 * v3;
    this.sideBend = m >= 4 && determinant > 1e-9 ? (2 * (rhs2 * k11 - r1 * v3)) / determinant : 0;
    // Residual about the quadratic (or the line when there are too few points for more).
    const c = this.sideBend / 2;
    const b = k11 > 1e-12 ? (r1 - c * v3) / k11 : 0;
    const a = (r0 - c * v2) / m;
    let sum = 0;
    for (let k = i + step; k >= 0 && k < n; k += step) {
      const u = Math.abs(s[k] - s[i]);
      if (u < blunt) continue;
      if (u > blunt + reach) break;
      const v = u - mean;
      const e = cx * (x[k] - ox) + cy * (y[k] - oy) - (a + b * v + c * v * v);
      sum += e * e;
    }
    this.sideResidual = Math.sqrt(sum / m);
    return true;
  }

  /** Fits the pieces between corners (indices into the points, first and last included) and joins them. */
  private fitOpen(corners: number[], closed = false): Curve {
    const { x, y } = this;
    const blunt = this.sharpenTips(corners, closed);
    const count = corners.length;
    const lines: (Side | undefined)[] = [];
    for (let k = 0; k + 1 < count; k++)
      lines.push(this.straightPiece(corners[k], corners[k + 1], blunt[k], blunt[k + 1]));

    // Corners where the sides meet. The ends of an open chain are junctions and stay.
    const cornerX = corners.map((c) => x[c]);
    const cornerY = corners.map((c) => y[c]);
    for (let k = 0; k < count; k++) {
      if (!closed && (k === 0 || k === count - 1)) continue;
      if (k === count - 1) {
        cornerX[k] = cornerX[0];
        cornerY[k] = cornerY[0];
        continue;
      }
      const previous = k === 0 ? count - 2 : k - 1;
      const arrival = k === 0 ? corners[count - 1] : corners[k];
      const before = reverse(lines[previous]) ?? this.sideModel(arrival, -1, corners[previous], blunt[k]);
      const after = lines[k] ?? this.sideModel(corners[k], 1, corners[k + 1], blunt[k]);
      const meeting = before && after && meet(before, after);
      if (
        !meeting ||
        Math.min(this.distanceTo(corners[k], meeting), this.distanceTo(arrival, meeting)) > tipReach(meeting.angle)
      )
        continue;
      cornerX[k] = meeting.x;
      cornerY[k] = meeting.y;
    }

    // Where two corners have moved past each other, both go back to the points they came from.
    for (let k = 0; k + 1 < count; k++) {
      const dx = x[corners[k + 1]] - x[corners[k]];
      const dy = this.y[corners[k + 1]] - this.y[corners[k]];
      if (dx * (cornerX[k + 1] - cornerX[k]) + dy * (cornerY[k + 1] - cornerY[k]) >= 0) continue;
      for (const c of [k, k + 1]) {
        if (!closed && (c === 0 || c === count - 1)) continue;
        cornerX[c] = x[corners[c]];
        cornerY[c] = this.y[corners[c]];
      }
    }
    if (closed) {
      cornerX[count - 1] = cornerX[0];
      cornerY[count - 1] = cornerY[0];
    }

    const segments: Segment[] = [];
    for (let k = 0; k + 1 < count; k++) {
      if (lines[k]) segments.push(lineTo(cornerX[k + 1], cornerY[k + 1]));
      else
        this.fitPiece(
          corners[k],
          corners[k + 1],
          cornerX[k],
          cornerY[k],
          cornerX[k + 1],
          cornerY[k + 1],
          blunt[k],
          blunt[k + 1],
          segments,
        );
    }
    return { x: cornerX[0], y: cornerY[0], segments };
  }

  /** The same at the seam of a closed chain, whose corner stays and swallows the one beside it. */
  private sharpenSeam(corners: number[], blunt: number[]): void {
    const { s } = this;
    for (const isAfter of [true, false]) {
      const last = corners.length - 1;
      if (last < 3) return;
      const from = isAfter ? corners[0] : corners[last - 1];
      const to = isAfter ? corners[1] : corners[last];
      const length = s[to] - s[from];
      if (length > 6 || (to - from < 2 && length > 3.2)) continue;
      const before = this.sideModel(isAfter ? corners[last] : from, -1, corners[isAfter ? last - 1 : last - 2], BLUNT);
      const after = this.sideModel(isAfter ? to : corners[0], 1, corners[isAfter ? 2 : 1], BLUNT);
      const meeting = before && after && meet(before, after);
      if (!meeting || meeting.angle < 0.1 || this.bevelDepth(from, to, before, after) > BEVEL) continue;
      if (Math.min(this.distanceTo(from, meeting), this.distanceTo(to, meeting)) > tipReach(meeting.angle)) continue;
      corners.splice(isAfter ? 1 : last - 1, 1);
      blunt.splice(isAfter ? 1 : last - 1, 1);
      blunt[0] = Math.max(blunt[0], BLUNT + length);
    }
  }

  /** How far inside both sides the points strictly between two corners get: half a pixel's rounding at a true tip, more on a drawn bevel. */
  private bevelDepth(from: number, to: number, before: Side, after: Side): number {
    const { x, y } = this;
    let depth = 0;
    for (let k = from + 1; k < to; k++) {
      const a = Math.abs((x[k] - before.x) * before.dy - (y[k] - before.y) * before.dx);
      const b = Math.abs((x[k] - after.x) * after.dy - (y[k] - after.y) * after.dx);
      depth = Math.max(depth, Math.min(a, b));
    }
    return depth;
  }

  /** Distance of a place from the points around index i. */
  private distanceTo(i: number, place: { x: number; y: number }): number {
    let nearest = Infinity;
    for (let k = Math.max(0, i - 4); k <= Math.min(this.n - 1, i + 4); k++) {
      nearest = Math.min(nearest, Math.hypot(this.x[k] - place.x, this.y[k] - place.y));
    }
    return nearest;
  }

  /**
   * A sharp tip is narrower than a pixel before it ends, so its outline on the grid turns twice in a short bevel. Where two corners lie so close
   * that the sides beyond them would meet in one tip, they become one. Returns how much of the chain each corner spoils.
   */
  private sharpenTips(corners: number[], closed: boolean): number[] {
    const { s } = this;
    const blunt = corners.map(() => BLUNT);
    for (let k = 1; k + 2 < corners.length; k++) {
      const from = corners[k];
      const to = corners[k + 1];
      const length = s[to] - s[from];
      if (length > 6) continue;
      const before = this.sideModel(from, -1, corners[k - 1], BLUNT);
      const after = this.sideModel(to, 1, corners[k + 2], BLUNT);
      const meeting = before && after && meet(before, after);
      if (!meeting || meeting.angle < 0.1) continue;
      if (this.bevelDepth(from, to, before, after) > BEVEL || (to - from < 2 && length > 3.2)) continue;
      if (this.distanceTo((from + to) >> 1, meeting) > tipReach(meeting.angle)) continue;
      corners.splice(k, 2, (from + to) >> 1);
      blunt.splice(k, 2, BLUNT + length / 2);
      k--;
    }
    if (closed) this.sharpenSeam(corners, blunt);
    const last = corners.length - 1;
    for (let k = closed ? 0 : 1; k < last; k++) {
      const before = this.sideModel(
        k === 0 ? corners[last] : corners[k],
        -1,
        corners[k === 0 ? last - 1 : k - 1],
        blunt[k],
      );
      const after = this.sideModel(corners[k], 1, corners[k + 1], blunt[k]);
      const meeting = before && after && meet(before, after);
      if (meeting) blunt[k] = Math.max(blunt[k], Math.min(3, 0.5 + 0.45 / Math.tan(meeting.angle / 2)));
    }
    if (closed) blunt[last] = blunt[0];
    return blunt;
  }

  /** The line through the points strictly inside a piece, if they are straight. */
  private straightPiece(from: number, to: number, bluntFirst: number, bluntLast: number): Side | undefined {
    const { s, x, y, tolerance, jitter } = this;
    const length = s[to] - s[from];
    let a = from;
    let b = to;
    while (a < to && s[a] - s[from] < bluntFirst) a++;
    while (b > from && s[to] - s[b] < bluntLast) b--;
    if (b - a < 2) {
      if (length > 4) return undefined;
      if (b <= a) {
        a = from;
        b = to;
      }
      const d = Math.hypot(x[b] - x[a], y[b] - y[a]) || 1;
      return { x: (x[a] + x[b]) / 2, y: (y[a] + y[b]) / 2, dx: (x[b] - x[a]) / d, dy: (y[b] - y[a]) / d };
    }
    const line = this.fitLine(a, b);
    if (line.deviation > tolerance || this.excess(line.rms * line.rms * (b - a + 1), b - a + 1, 1) > 1)
      return undefined;
    const sagittaNoise = (6.7 * jitter) / Math.sqrt(b - a + 1);
    if (Math.abs(line.sagitta) > Math.max(0.03, sagittaNoise) && b - a > 4) return undefined;
    return line;
  }

  /** Least-squares line through points a..b, with the largest distance and the sagitta of the best parabola. */
  private fitLine(a: number, b: number): Side & { deviation: number; sagitta: number; rms: number } {
    const { x, y, w } = this;
    let m = 0;
    let mx = 0;
    let my = 0;
    for (let k = a; k <= b; k++) {
      m += w[k];
      mx += w[k] * x[k];
      my += w[k] * y[k];
    }
    mx /= m;
    my /= m;
    let xx = 0;
    let xy = 0;
    let yy = 0;
    for (let k = a; k <= b; k++) {
      const px = x[k] - mx;
      const py = y[k] - my;
      xx += w[k] * px * px;
      xy += w[k] * px * py;
      yy += w[k] * py * py;
    }
    const angle = 0.5 * Math.atan2(2 * xy, xx - yy);
    let dx = Math.cos(angle);
    let dy = Math.sin(angle);
    if (dx * (x[b] - x[a]) + dy * (y[b] - y[a]) < 0) {
      dx = -dx;
      dy = -dy;
    }
    let deviation = 0;
    let run = 0;
    let sum = 0;
    let v2 = 0;
    let v4 = 0;
    let r2 = 0;
    let count = 0;
    for (let k = a; k <= b; k++) {
      const u = (x[k] - mx) * dx + (y[k] - my) * dy;
      const e = (y[k] - my) * dx - (x[k] - mx) * dy;
      run += (e * w[k] - run) * 0.35;
      const far = Math.max(Math.abs(run), Math.abs(e * w[k]) * SINGLE);
      if (far > deviation) deviation = far;
      sum += e * e * w[k] * w[k];
      v2 += u * u;
      v4 += u ** 4;
      r2 += e * u * u;
      count++;
    }
    const spread = v4 - (v2 * v2) / count;
    const half = Math.hypot(x[b] - x[a], y[b] - y[a]) / 2;
    const sagitta = spread > 1e-9 ? (r2 / spread) * half * half : 0; // the mean of e is zero
    return { x: mx, y: my, dx, dy, deviation, sagitta, rms: Math.sqrt(sum / count) };
  }

  /** Direction of the curve where it arrives at corner i from one side, looking no farther than `until`. */
  private sideModel(i: number, step: number, until: number, blunt: number): Side | undefined {
    const { s } = this;
    const room = Math.abs(s[until] - s[i]) - blunt - BLUNT;
    if (!this.fitSide(i, step, Math.max(1.2, Math.min(6, room)), blunt) && !this.fitSide(i, step, 1.5, blunt))
      return undefined;
    // The fitted line is the tangent half-way along the window; carry it back to the corner along the bend.
    const reach = Math.max(1.2, Math.min(6, room));
    const u = blunt + reach / 2;
    const turn = this.sideBend * u;
    const cos = Math.cos(turn);
    const sin = Math.sin(turn);
    const dx = this.sideDx;
    const dy = this.sideDy;
    const midX = this.sideX + dx * u;
    const midY = this.sideY + dy * u;
    const backX = dx * cos + dy * sin;
    const backY = dy * cos - dx * sin;
    const meanX = dx * Math.cos(turn / 2) + dy * Math.sin(turn / 2);
    const meanY = dy * Math.cos(turn / 2) - dx * Math.sin(turn / 2);
    return { x: midX - meanX * u, y: midY - meanY * u, dx: backX, dy: backY };
  }

  /** A smooth piece between two corners: cubics, with straight runs where they make it no longer. */
  private fitPiece(
    from: number,
    to: number,
    x0: number,
    y0: number,
    x3: number,
    y3: number,
    bluntFirst: number,
    bluntLast: number,
    out: Segment[],
  ): void {
    const { x, y, s } = this;
    let a = from + 1;
    let b = to - 1;
    while (a < to && Math.hypot(x[a] - x0, y[a] - y0) < bluntFirst && s[a] - s[from] < 4) a++;
    while (b > from && Math.hypot(x[b] - x3, y[b] - y3) < bluntLast && s[to] - s[b] < 4) b--;
    if (b - a < 1) {
      if (b === a && Math.hypot(x3 - x0, y3 - y0) > 1e-6) out.push(lineTo(x[a], y[a]));
      out.push(lineTo(x3, y3));
      return;
    }
    const best: Segment[] = [];
    this.badness = 0;
    this.fitSmooth(a, b, x0, y0, NaN, NaN, x3, y3, NaN, NaN, best);
    const smoothCost = costOf(best) + this.badness;
    const runs = best.length > 1 ? this.straightRuns(a, b) : [];
    const long = runs.filter((run) => s[run.to] - s[run.from] > LONG_RUN);
    let chosen = best;
    let chosenCost = smoothCost;
    for (const some of long.length === runs.length ? [runs] : [long, runs]) {
      if (some.length === 0) continue;
      const other: Segment[] = [];
      this.badness = 0;
      this.fitAlongRuns(some, a, b, x0, y0, x3, y3, other);
      if (costOf(other) + this.badness > chosenCost) continue;
      chosen = other;
      chosenCost = costOf(other) + this.badness;
    }
    out.push(...chosen);
  }

  private fitAlongRuns(
    runs: { from: number; to: number }[],
    a: number,
    b: number,
    x0: number,
    y0: number,
    x3: number,
    y3: number,
    out: Segment[],
  ): void {
    const { x, y } = this;
    const lines = runs.map((run) => this.fitLine(run.from, run.to));
    let startX = x0;
    let startY = y0;
    for (let k = 0; k <= runs.length; k++) {
      const first = k === 0 ? a : runs[k - 1].to + 1;
      const last = k === runs.length ? b : runs[k].from - 1;
      const before = k === 0 ? undefined : lines[k - 1];
      const after = k === runs.length ? undefined : lines[k];
      const start = before ? project(before, x[first - 1], y[first - 1]) : { x: startX, y: startY };
      const end = after ? project(after, x[last + 1], y[last + 1]) : { x: x3, y: y3 };
      if (last < first) {
        // Nothing lies between: the line starts or ends in the corner itself.
        if (before && after) out.push(lineTo(end.x, end.y));
        else if (before) out.push(lineTo(x3, y3));
        continue;
      }
      const spareBefore = before ? (runs[k - 1].to - runs[k - 1].from) >> 2 : 0;
      const spareAfter = after ? (runs[k].to - runs[k].from) >> 2 : 0;
      this.fitBetweenLines(first, last, spareBefore, spareAfter, start, end, before, after, out);
      startX = end.x;
      startY = end.y;
    }
  }

  /**
   * Cubics from one straight run to the next, tangent to both. A run usually swallows the first pixels of a gentle curve, so
   * giving some back is tried too. Adds the line up to the first cubic when there is a run before.
   */
  private fitBetweenLines(
    first: number,
    last: number,
    spareBefore: number,
    spareAfter: number,
    start: { x: number; y: number },
    end: { x: number; y: number },
    before: Side | undefined,
    after: Side | undefined,
    out: Segment[],
  ): void {
    const { x, y } = this;
    const spent = this.badness;
    let best: Segment[] = [];
    let bestCost = Infinity;
    let bestBadness = 0;
    for (const give of [0, 2, 4, 7, 11]) {
      const giveBefore = Math.min(give, spareBefore);
      const giveAfter = Math.min(give, spareAfter);
      if (give > 0 && giveBefore < give && giveAfter < give) break;
      const from = first - giveBefore;
      const to = last + giveAfter;
      const p = before ? project(before, x[from - 1], y[from - 1]) : start;
      const q = after ? project(after, x[to + 1], y[to + 1]) : end;
      const segments: Segment[] = [];
      this.badness = 0;
      if (before) segments.push(lineTo(p.x, p.y));
      this.fitSmooth(
        from,
        to,
        p.x,
        p.y,
        before ? before.dx : NaN,
        before ? before.dy : NaN,
        q.x,
        q.y,
        after ? after.dx : NaN,
        after ? after.dy : NaN,
        segments,
      );
      const cost = costOf(segments) + this.badness;
      if (cost >= bestCost - 0.2) continue;
      bestCost = cost;
      bestBadness = this.badness;
      best = segments;
    }
    this.badness = spent + bestBadness;
    out.push(...best);
  }

  /** Longest straight runs within points a..b that no gentle curve would explain better. */
  private straightRuns(a: number, b: number): { from: number; to: number }[] {
    const { s, x, y, tolerance, jitter } = this;
    const runs: { from: number; to: number }[] = [];
    const limit = Math.max(0.3 * tolerance, 1.3 * jitter);
    const least = 7;
    let i = a;
    while (i < b) {
      let step = 8;
      let good = i;
      let bad = b + 1;
      for (let j = i + step; ; j = i + step) {
        const end = Math.min(j, b);
        if (this.fitLine(i, end).rms <= limit) {
          good = end;
          if (end === b) break;
          step *= 2;
        } else {
          bad = end;
          break;
        }
      }
      while (bad - good > 1 && bad <= b) {
        const middle = (good + bad) >> 1;
        if (this.fitLine(i, middle).rms <= limit) good = middle;
        else bad = middle;
      }
      if (good - i < 5 || s[good] - s[i] < least) {
        i += 2;
        continue;
      }
      // Trim the ends that belong to the curves on either side.
      const trim = Math.max(1, Math.floor((good - i) * 0.15));
      const line = this.fitLine(i + trim, good - trim);
      let from = i + trim;
      let to = good - trim;
      const close = 1.6 * jitter + 0.01;
      const off = (k: number): number => Math.abs((y[k] - line.y) * line.dx - (x[k] - line.x) * line.dy);
      while (from > a && (runs.length === 0 || from > runs[runs.length - 1].to + 1) && off(from - 1) < close) from--;
      while (to < b && off(to + 1) < close) to++;
      const checked = this.fitLine(from, to);
      const sagittaNoise = (6 * jitter) / Math.sqrt(to - from + 1);
      if (
        s[to] - s[from] >= least &&
        Math.abs(checked.sagitta) < Math.max(0.02, Math.min(sagittaNoise, 0.5 * tolerance))
      ) {
        runs.push({ from, to });
        i = to + 1;
      } else i += Math.max(2, trim);
    }
    return runs;
  }

  private fitSmoothLoop(n: number): Curve {
    const { x, y } = this;
    const ellipse = this.fitEllipse(n);
    if (ellipse) return ellipse;
    this.rotate(0, n);
    // Half-way round the neighbours on both sides are at hand, for a good direction to start from.
    const middle = n >> 1;
    this.smooth(middle);
    const { sideX, sideY, sideDx, sideDy } = this;
    this.n = n;
    this.rotate(middle, n);
    const smooth: Segment[] = [];
    this.badness = 0;
    this.fitSmooth(1, n - 1, sideX, sideY, sideDx, sideDy, sideX, sideY, sideDx, sideDy, smooth, true);
    const best: Curve = { x: sideX, y: sideY, segments: smooth };
    const smoothCost = costOf(smooth) + this.badness;
    this.badness = 0;
    const runs = this.straightRuns(0, n - 1);
    const { s } = this;
    if (!runs.some((run) => s[run.to] - s[run.from] > LONG_RUN)) return best;

    // With straight runs the loop starts in the middle of one, and that node is taken out again.
    const longest = runs.reduce((p, q) => (q.to - q.from > p.to - p.from ? q : p));
    const seam = (longest.from + longest.to) >> 1;
    this.n = n;
    this.rotate(seam, n);
    const again = this.straightRuns(0, n).filter((run) => s[run.to] - s[run.from] > LONG_RUN / 2);
    const head = again[0];
    const tail = again[again.length - 1];
    if (again.length < 2 || head.from > 0 || tail.to < n) return best;
    const foot = project(this.fitLine(0, head.to), x[0], y[0]);
    const segments: Segment[] = [];
    this.fitAlongRuns(again, 0, n, foot.x, foot.y, foot.x, foot.y, segments);
    if (costOf(segments) - 1 + this.badness > smoothCost) return best;
    const ending = segments.pop() as Segment;
    if (!ending.isLine || segments.length === 0) return best;
    const lastSegment = segments[segments.length - 1];
    return { x: lastSegment.x, y: lastSegment.y, segments };
  }

  /**
   * An upright ellipse or a circle, when the loop is one: least squares of x² + Ay² + Bx + Cy + D = 0 about the middle, held to what
   * any other fit is held to. Four cubics, with nodes at the extremes.
   */
  private fitEllipse(n: number): Curve | undefined {
    const { x, y, w } = this;
    let mx = 0;
    let my = 0;
    for (let k = 0; k < n; k++) {
      mx += x[k] / n;
      my += y[k] / n;
    }
    const rows = new Float64Array(20); // 4 × 4 normal equations and the right side
    const term = new Float64Array(5);
    for (let k = 0; k < n; k++) {
      const u = x[k] - mx;
      const v = y[k] - my;
      term[0] = v * v;
      term[1] = u;
      term[2] = v;
      term[3] = 1;
      term[4] = -u * u;
      for (let i = 0; i < 4; i++) for (let j = 0; j < 5; j++) rows[i * 5 + j] += w[k] * term[i] * term[j];
    }
    if (!solve(rows, 4)) return undefined;
    const a = rows[4];
    const cx = -rows[9] / 2;
    const cy = -rows[14] / (2 * a);
    const square = cx * cx + a * cy * cy - rows[19];
    if (!(a > 0.04 && a < 25 && square > 0)) return undefined;
    let rx = Math.sqrt(square);
    let ry = Math.sqrt(square / a);
    if (Math.abs(rx - ry) < 2 * this.jitter) rx = ry = (rx + ry) / 2;

    let sum = 0;
    let run = 0;
    let worst = 0;
    for (let k = 0; k < n; k++) {
      const u = (x[k] - mx - cx) / rx;
      const v = (y[k] - my - cy) / ry;
      const off = ((Math.hypot(u, v) - 1) / (Math.hypot(u / rx, v / ry) || 1)) * Math.hypot(u, v) * w[k];
      run += (off - run) * 0.35;
      worst = Math.max(worst, Math.abs(run));
      sum += off * off;
    }
    if (worst > 1.2 * this.tolerance || this.excess(sum, n, 1) > 3) return undefined; // it replaces several nodes
    const x0 = mx + cx;
    const y0 = my + cy;
    const hx = rx * CIRCLE_HANDLE;
    const hy = ry * CIRCLE_HANDLE;
    const arc = (x1: number, y1: number, x2: number, y2: number, px: number, py: number): Segment => ({
      isLine: false,
      x1: x0 + x1,
      y1: y0 + y1,
      x2: x0 + x2,
      y2: y0 + y2,
      x: x0 + px,
      y: y0 + py,
    });
    const goesDown = this.signedArea(n) > 0; // clockwise on the screen
    const down = goesDown ? 1 : -1;
    return {
      x: x0 + rx,
      y: y0,
      segments: [
        arc(rx, down * hy, hx, down * ry, 0, down * ry),
        arc(-hx, down * ry, -rx, down * hy, -rx, 0),
        arc(-rx, -down * hy, -hx, -down * ry, 0, -down * ry),
        arc(hx, -down * ry, rx, -down * hy, rx, 0),
      ],
    };
  }

  private signedArea(n: number): number {
    const { x, y } = this;
    let sum = 0;
    for (let k = 0, j = n - 1; k < n; j = k++) sum += x[j] * y[k] - x[k] * y[j];
    return sum;
  }

  /**
   * As few cubics as the tolerance allows through points a..b, from (x0, y0) to (x3, y3). Directions that are NaN are free. Each cubic
   * is made as long as it can be; then the nodes between move to where the worse of their two sides is best, and both sides get one
   * direction there.
   */
  private fitSmooth(
    a: number,
    b: number,
    x0: number,
    y0: number,
    tx0: number,
    ty0: number,
    x3: number,
    y3: number,
    tx3: number,
    ty3: number,
    out: Segment[],
    isLoop = false,
  ): void {
    if (b < a) {
      out.push(lineTo(x3, y3));
      return;
    }
    const nodes: number[] = [];
    const nodeX: number[] = [x0];
    const nodeY: number[] = [y0];
    let i = a;
    let px = x0;
    let py = y0;
    let tx = tx0;
    let ty = ty0;
    for (;;) {
      const mustSplit = isLoop && nodes.length === 0;
      if (!mustSplit && (this.cubic(i, b, px, py, tx, ty, x3, y3, tx3, ty3, 4) <= 1 || b - i < 3)) break;
      let good = Math.min(i + 2, b - 1);
      let bad = mustSplit ? Math.max(good + 1, i + Math.floor((b - i) * 0.6)) : b;
      let step = 6;
      while (i + step < bad) {
        const j = i + step;
        this.smooth(j);
        if (this.cubic(i, j - 1, px, py, tx, ty, this.sideX, this.sideY, NaN, NaN, 3) <= 1) {
          good = j;
          step *= 2;
        } else {
          bad = j;
          break;
        }
      }
      while (bad - good > 1) {
        const middle = (good + bad) >> 1;
        this.smooth(middle);
        if (this.cubic(i, middle - 1, px, py, tx, ty, this.sideX, this.sideY, NaN, NaN, 3) <= 1) good = middle;
        else bad = middle;
      }
      this.smooth(good);
      nodes.push(good);
      px = this.sideX;
      py = this.sideY;
      nodeX.push(px);
      nodeY.push(py);
      tx = NaN;
      ty = NaN;
      i = good + 1;
      if (i > b) break;
    }
    nodeX.push(x3);
    nodeY.push(y3);

    // Each node may move back towards the node before it, where that makes the worse side better.
    for (let k = nodes.length - 1; k >= 0; k--) {
      const before = k === 0 ? a - 1 : nodes[k - 1];
      const after = k === nodes.length - 1 ? b + 1 : nodes[k + 1];
      let best = Infinity;
      let bestNode = nodes[k];
      const span = nodes[k] - before;
      for (const back of [0, 0.12, 0.25, 0.4, 0.55]) {
        const j = nodes[k] - Math.floor(span * back);
        if (j <= before + 1 || j >= after - 1) continue;
        this.smooth(j);
        const sx = this.sideX;
        const sy = this.sideY;
        const left = this.cubic(
          before + 1,
          j - 1,
          nodeX[k],
          nodeY[k],
          k === 0 ? tx0 : NaN,
          k === 0 ? ty0 : NaN,
          sx,
          sy,
          NaN,
          NaN,
          3,
        );
        const right = this.cubic(
          j + 1,
          after - 1,
          sx,
          sy,
          NaN,
          NaN,
          nodeX[k + 2],
          nodeY[k + 2],
          k === nodes.length - 1 ? tx3 : NaN,
          k === nodes.length - 1 ? ty3 : NaN,
          3,
        );
        const worse = Math.max(left, right);
        if (worse < best) {
          best = worse;
          bestNode = j;
        }
      }
      if (bestNode !== nodes[k]) {
        nodes[k] = bestNode;
        this.smooth(bestNode);
        nodeX[k + 1] = this.sideX;
        nodeY[k + 1] = this.sideY;
      }
    }

    // One direction at each node: the mean of what the two sides want, the longer one counting more.
    const count = nodes.length;
    const dirX: number[] = [tx0];
    const dirY: number[] = [ty0];
    for (let k = 0; k < count; k++) {
      const before = k === 0 ? a - 1 : nodes[k - 1];
      const after = k === count - 1 ? b + 1 : nodes[k + 1];
      this.cubic(
        before + 1,
        nodes[k] - 1,
        nodeX[k],
        nodeY[k],
        dirX[k],
        dirY[k],
        nodeX[k + 1],
        nodeY[k + 1],
        NaN,
        NaN,
        4,
      );
      const left = unit(nodeX[k + 1] - this.x2, nodeY[k + 1] - this.y2);
      this.cubic(
        nodes[k] + 1,
        after - 1,
        nodeX[k + 1],
        nodeY[k + 1],
        NaN,
        NaN,
        nodeX[k + 2],
        nodeY[k + 2],
        k === count - 1 ? tx3 : NaN,
        k === count - 1 ? ty3 : NaN,
        4,
      );
      const right = unit(this.x1 - nodeX[k + 1], this.y1 - nodeY[k + 1]);
      // Candidates between the two wishes; the one both sides can live with wins.
      let best = Infinity;
      let bestX = left.x;
      let bestY = left.y;
      for (const share of [0.5, 0.25, 0.75, 0, 1]) {
        const d = unit(left.x * (1 - share) + right.x * share, left.y * (1 - share) + right.y * share);
        const l = this.cubic(
          before + 1,
          nodes[k] - 1,
          nodeX[k],
          nodeY[k],
          dirX[k],
          dirY[k],
          nodeX[k + 1],
          nodeY[k + 1],
          d.x,
          d.y,
          3,
        );
        const r = this.cubic(
          nodes[k] + 1,
          after - 1,
          nodeX[k + 1],
          nodeY[k + 1],
          d.x,
          d.y,
          nodeX[k + 2],
          nodeY[k + 2],
          k === count - 1 ? tx3 : NaN,
          k === count - 1 ? ty3 : NaN,
          3,
        );
        const worse = Math.max(l, r);
        if (worse < best) {
          best = worse;
          bestX = d.x;
          bestY = d.y;
        }
        if (best < 0.5) break;
      }
      dirX.push(bestX);
      dirY.push(bestY);
    }
    dirX.push(tx3);
    dirY.push(ty3);
    for (let k = 0; k <= count; k++) {
      const first = k === 0 ? a : nodes[k - 1] + 1;
      const last = k === count ? b : nodes[k] - 1;
      const bad = this.cubic(
        first,
        last,
        nodeX[k],
        nodeY[k],
        dirX[k],
        dirY[k],
        nodeX[k + 1],
        nodeY[k + 1],
        dirX[k + 1],
        dirY[k + 1],
        6,
      );
      this.tameHandles(nodeX[k], nodeY[k], nodeX[k + 1], nodeY[k + 1]);
      this.badness += Math.max(0, bad);
      out.push({ isLine: false, x1: this.x1, y1: this.y1, x2: this.x2, y2: this.y2, x: nodeX[k + 1], y: nodeY[k + 1] });
    }
  }

  /** Puts the smoothed position and direction of point j into sideX … sideDy: a parabola through as many points around it as one fits. */
  private smooth(j: number): void {
    const { x, y, n, jitter } = this;
    this.sideX = x[j];
    this.sideY = y[j];
    const rough = unit(
      x[Math.min(n - 1, j + 1)] - x[Math.max(0, j - 1)],
      y[Math.min(n - 1, j + 1)] - y[Math.max(0, j - 1)],
    );
    this.sideDx = rough.x;
    this.sideDy = rough.y;
    const most = Math.min(8, j, n - 1 - j);
    for (let reach = most; reach >= 2; reach = reach > 5 ? 5 : reach > 3 ? 3 : reach - 1) {
      const dx0 = x[j + reach] - x[j - reach];
      const dy0 = y[j + reach] - y[j - reach];
      const length = Math.hypot(dx0, dy0);
      if (length < 1e-9) continue;
      const dx = dx0 / length;
      const dy = dy0 / length;
      let m = 0;
      let u1 = 0;
      let u2 = 0;
      let u3 = 0;
      let u4 = 0;
      let e0 = 0;
      let e1 = 0;
      let e2 = 0;
      let ee = 0;
      for (let k = j - reach; k <= j + reach; k++) {
        const u = (x[k] - x[j]) * dx + (y[k] - y[j]) * dy;
        const e = (y[k] - y[j]) * dx - (x[k] - x[j]) * dy;
        const uu = u * u;
        m++;
        u1 += u;
        u2 += uu;
        u3 += uu * u;
        u4 += uu * uu;
        e0 += e;
        e1 += e * u;
        e2 += e * uu;
        ee += e * e;
      }
      const d0 = u2 * u4 - u3 * u3;
      const d1 = u1 * u4 - u2 * u3;
      const d2 = u1 * u3 - u2 * u2;
      const determinant = m * d0 - u1 * d1 + u2 * d2;
      if (Math.abs(determinant) < 1e-9) continue;
      const c0 = (e0 * d0 - e1 * d1 + e2 * d2) / determinant;
      const c1 = (-e0 * d1 + e1 * (m * u4 - u2 * u2) - e2 * (m * u3 - u1 * u2)) / determinant;
      const c2 = (e0 * d2 - e1 * (m * u3 - u1 * u2) + e2 * (m * u2 - u1 * u1)) / determinant;
      const rest = (ee - c0 * e0 - c1 * e1 - c2 * e2) / m;
      if (reach > 2 && rest > 1.7 * jitter * jitter + 1e-4) continue;
      this.sideX = x[j] - dy * c0;
      this.sideY = y[j] + dx * c0;
      const slope = Math.hypot(1, c1);
      this.sideDx = (dx - dy * c1) / slope;
      this.sideDy = (dy + dx * c1) / slope;
      return;
    }
  }

  /**
   * Few points can ask for handles that make a short cubic double back. A handle that points away from the other end, or is longer than a half
   * circle's, is laid along the chord or cut.
   */
  private tameHandles(x0: number, y0: number, x3: number, y3: number): void {
    const chordX = x3 - x0;
    const chordY = y3 - y0;
    const chord = Math.hypot(chordX, chordY);
    if (chord > SHORT_CHORD) return;
    const tame = (hx: number, hy: number): number => {
      const length = Math.hypot(hx, hy);
      if (hx * chordX + hy * chordY < -0.2 * length * chord) return 0;
      return length > 1.3 * chord ? (1.3 * chord) / length : 1;
    };
    const first = tame(this.x1 - x0, this.y1 - y0);
    const second = tame(x3 - this.x2, y3 - this.y2);
    this.x1 = first > 0 ? x0 + (this.x1 - x0) * first : x0 + chordX / 3;
    this.y1 = first > 0 ? y0 + (this.y1 - y0) * first : y0 + chordY / 3;
    this.x2 = second > 0 ? x3 - (x3 - this.x2) * second : x3 - chordX / 3;
    this.y2 = second > 0 ? y3 - (y3 - this.y2) * second : y3 - chordY / 3;
  }

  /** Share of a node's cost that the squared distances of m points, one in `stride`, would pay for. */
  private excess(sum: number, m: number, stride: number): number {
    const variance = this.scatter * this.scatter;
    return ((sum - m * variance) * stride) / (2 * CORRELATED * variance * NODE_COST);
  }

  // Inner control points of the cubic fitted last.
  private x1 = 0;
  private y1 = 0;
  private x2 = 0;
  private y2 = 0;

  /**
   * Least-squares cubic from (x0, y0) to (x3, y3) through points a..b; directions that are NaN are free. Parameters start at arc
   * length and move to the nearest point of the curve before each further round. Returns how bad the fit is; up to 1 a
   * further node would not pay. Distances are smoothed along the curve: points scatter singly, a wrong curve is off over a stretch.
   */
  private cubic(
    a: number,
    b: number,
    x0: number,
    y0: number,
    tx0: number,
    ty0: number,
    x3: number,
    y3: number,
    tx3: number,
    ty3: number,
    rounds: number,
  ): number {
    const { x, y, w, t } = this;
    const stride = Math.max(1, Math.ceil((b - a + 1) / (rounds > 3 ? 48 : 28)));
    let m = 0;
    let length = 0;
    let lastX = x0;
    let lastY = y0;
    for (let k = a; k <= b; k++) {
      length += Math.hypot(x[k] - lastX, y[k] - lastY);
      lastX = x[k];
      lastY = y[k];
      if ((k - a) % stride === 0) t[m++] = length;
    }
    length += Math.hypot(x3 - lastX, y3 - lastY);
    const chord = Math.hypot(x3 - x0, y3 - y0);
    if (length < 1e-9) {
      this.x1 = x0;
      this.y1 = y0;
      this.x2 = x3;
      this.y2 = y3;
      return 0;
    }
    for (let k = 0; k < m; k++) t[k] /= length;

    const startFixed = !Number.isNaN(tx0);
    const endFixed = !Number.isNaN(tx3);
    const ridge = 1e-4 * (m + 1) + 0.004 * Math.max(0, 8 - m);
    const blend = Math.min(1, 0.35 * stride);
    let worst = 0;
    let badness = 0;
    for (let round = 0; round < rounds; round++) {
      // P(t) = base(t) + A·p1 + B·p2 with p1, p2 relative to the ends.
      let aa = ridge;
      let ab = 0;
      let bb = ridge;
      let ax = 0;
      let ay = 0;
      let bx = 0;
      let by = 0;
      for (let k = 0, i = a; k < m; k++, i += stride) {
        const v = t[k];
        const u = 1 - v;
        const A = 3 * u * u * v;
        const B = 3 * u * v * v;
        const start = u * u * u + A;
        const end = v * v * v + B;
        const weight = w[i];
        const rx = x[i] - start * x0 - end * x3;
        const ry = y[i] - start * y0 - end * y3;
        aa += weight * A * A;
        ab += weight * A * B;
        bb += weight * B * B;
        ax += weight * A * rx;
        ay += weight * A * ry;
        bx += weight * B * rx;
        by += weight * B * ry;
      }
      // The ridge pulls weakly to handles a third of the way, which matters only when points are too few.
      const third = length / 3;
      const gx = chord > 1e-9 ? ((x3 - x0) / chord) * third : 0;
      const gy = chord > 1e-9 ? ((y3 - y0) / chord) * third : 0;
      const px = startFixed ? tx0 * third : gx;
      const py = startFixed ? ty0 * third : gy;
      const qx = endFixed ? -tx3 * third : -gx;
      const qy = endFixed ? -ty3 * third : -gy;
      ax += ridge * px;
      ay += ridge * py;
      bx += ridge * qx;
      by += ridge * qy;
      let h1x: number;
      let h1y: number;
      let h2x: number;
      let h2y: number;
      if (startFixed && endFixed) {
        const c = -ab * (tx0 * tx3 + ty0 * ty3);
        const r0 = ax * tx0 + ay * ty0;
        const r1 = -(bx * tx3 + by * ty3);
        const determinant = aa * bb - c * c;
        let h0 = (r0 * bb - r1 * c) / determinant;
        let h1 = (r1 * aa - r0 * c) / determinant;
        const shortest = 0.02 * length;
        if (!(h0 > shortest)) {
          h0 = shortest;
          h1 = (r1 - c * h0) / bb;
        }
        if (!(h1 > shortest)) {
          h1 = shortest;
          h0 = Math.max(shortest, (r0 - c * h1) / aa);
        }
        h0 = Math.min(h0, length);
        h1 = Math.min(h1, length);
        h1x = tx0 * h0;
        h1y = ty0 * h0;
        h2x = -tx3 * h1;
        h2y = -ty3 * h1;
      } else if (startFixed) {
        // Unknowns: the length of the first handle, and the second handle, which is bb⁻¹ (b - ab·h0·t0).
        const schur = aa - (ab * ab) / bb;
        let h0 = (ax * tx0 + ay * ty0 - (ab / bb) * (bx * tx0 + by * ty0)) / schur;
        h0 = Math.min(Math.max(h0, 0.02 * length), length);
        h1x = tx0 * h0;
        h1y = ty0 * h0;
        h2x = (bx - ab * h1x) / bb;
        h2y = (by - ab * h1y) / bb;
      } else if (endFixed) {
        const schur = bb - (ab * ab) / aa;
        let h1 = -(bx * tx3 + by * ty3 - (ab / aa) * (ax * tx3 + ay * ty3)) / schur;
        h1 = Math.min(Math.max(h1, 0.02 * length), length);
        h2x = -tx3 * h1;
        h2y = -ty3 * h1;
        h1x = (ax - ab * h2x) / aa;
        h1y = (ay - ab * h2y) / aa;
      } else {
        const determinant = aa * bb - ab * ab;
        h1x = (ax * bb - bx * ab) / determinant;
        h1y = (ay * bb - by * ab) / determinant;
        h2x = (bx * aa - ax * ab) / determinant;
        h2y = (by * aa - ay * ab) / determinant;
      }
      const cx1 = x0 + h1x;
      const cy1 = y0 + h1y;
      const cx2 = x3 + h2x;
      const cy2 = y3 + h2y;
      this.x1 = cx1;
      this.y1 = cy1;
      this.x2 = cx2;
      this.y2 = cy2;

      // Distances, and one Newton step of every parameter towards the nearest point.
      worst = 0;
      let sum = 0;
      let run = 0; // smoothed signed distance
      for (let k = 0, i = a; k < m; k++, i += stride) {
        const v = t[k];
        const u = 1 - v;
        const ex = u * u * u * x0 + 3 * u * u * v * cx1 + 3 * u * v * v * cx2 + v * v * v * x3 - x[i];
        const ey = u * u * u * y0 + 3 * u * u * v * cy1 + 3 * u * v * v * cy2 + v * v * v * y3 - y[i];
        const d1x = 3 * (u * u * (cx1 - x0) + 2 * u * v * (cx2 - cx1) + v * v * (x3 - cx2));
        const d1y = 3 * (u * u * (cy1 - y0) + 2 * u * v * (cy2 - cy1) + v * v * (y3 - cy2));
        const speed = d1x * d1x + d1y * d1y;
        if (speed < 1e-12) continue;
        const off = ((ex * d1y - ey * d1x) / Math.sqrt(speed)) * w[i];
        run += (off - run) * blend;
        const size = Math.max(Math.abs(run), Math.abs(off) * SINGLE);
        if (size > worst) worst = size;
        sum += off * off;
        const d2x = 6 * (u * (cx2 - 2 * cx1 + x0) + v * (x3 - 2 * cx2 + cx1));
        const d2y = 6 * (u * (cy2 - 2 * cy1 + y0) + v * (y3 - 2 * cy2 + cy1));
        const slope = speed + ex * d2x + ey * d2y;
        let next = v - (ex * d1x + ey * d1y) / (slope > 0.25 * speed ? slope : speed);
        if (next < 0) next = 0;
        else if (next > 1) next = 1;
        t[k] = next;
      }
      badness = Math.max(worst / this.tolerance, this.excess(sum, m, stride));
      // While searching, what is clearly good or hopeless needs no polish.
      if (rounds <= 3 && (badness < 0.4 || (round > 0 && badness > 12) || badness > 60)) break;
    }
    return badness;
  }
}

function project(line: Side, x: number, y: number): { x: number; y: number } {
  const along = (x - line.x) * line.dx + (y - line.y) * line.dy;
  return { x: line.x + along * line.dx, y: line.y + along * line.dy };
}

/** Description length: a cubic needs six numbers, a line two, and each is a node to look at. */
function costOf(segments: Segment[]): number {
  let cost = 0;
  for (const segment of segments) cost += segment.isLine ? 0.8 : 1;
  return cost;
}

function unit(x: number, y: number): { x: number; y: number } {
  const length = Math.hypot(x, y) || 1;
  return { x: x / length, y: y / length };
}

function reverse(side: Side | undefined): Side | undefined {
  return side && { x: side.x, y: side.y, dx: -side.dx, dy: -side.dy };
}

/** Where two sides of a corner meet, both pointing away from it, and the angle between them; undefined when they are as good as parallel. */
function meet(before: Side, after: Side): { x: number; y: number; angle: number } | undefined {
  const cross = before.dx * after.dy - before.dy * after.dx;
  if (Math.abs(cross) < 0.08) return undefined;
  const t = ((after.x - before.x) * after.dy - (after.y - before.y) * after.dx) / cross;
  const angle = Math.abs(Math.atan2(cross, before.dx * after.dx + before.dy * after.dy));
  return { x: before.x + t * before.dx, y: before.y + t * before.dy, angle };
}

/** How far beyond the outline on the grid a corner of this angle may lie: a wedge is lost where it is narrower than half a pixel. */
function tipReach(angle: number): number {
  return Math.min(5, 1 + 0.5 / Math.tan(Math.max(0.1, angle) / 2));
}

/** Solves the equations in place by elimination with pivoting; row i's solution ends up in its last column. False when singular. */
function solve(rows: Float64Array, size: number): boolean {
  const columns = size + 1;
  for (let i = 0; i < size; i++) {
    let pivot = i;
    for (let k = i + 1; k < size; k++)
      if (Math.abs(rows[k * columns + i]) > Math.abs(rows[pivot * columns + i])) pivot = k;
    if (Math.abs(rows[pivot * columns + i]) < 1e-9) return false;
    for (let j = 0; j < columns; j++) {
      const held = rows[i * columns + j];
      rows[i * columns + j] = rows[pivot * columns + j];
      rows[pivot * columns + j] = held;
    }
    for (let k = 0; k < size; k++) {
      if (k === i) continue;
      const factor = rows[k * columns + i] / rows[i * columns + i];
      for (let j = i; j < columns; j++) rows[k * columns + j] -= factor * rows[i * columns + j];
    }
  }
  for (let i = 0; i < size; i++) rows[i * columns + size] /= rows[i * columns + i];
  return true;
}
