import { hypot } from '../geometry/hypot.ts';
import type { Curve, Shape } from '../geometry/segment.ts';
import type { Distances, MeasureDistances } from './distances.ts';
import { fromCircle, fromEllipse, fromRect, MOST_PARAMETERS } from './distances.ts';

/** Largest root mean square distance of a shape from its outline, as a share of the tolerance for a single point. */
const MEAN_SHARE = 0.5;

/** Largest distance and mean distance of a doubtful shape, in px; its pixels decide whether the outline is one. */
const DOUBT = 1.2;
const MEAN_DOUBT = 0.3;

/** Outlines with more segments than this are not simple shapes. */
export const MOST_SEGMENTS = 40;

/**
 * Approximate numbers of points along an outline that shapes are fitted to: one for each px of it, within these limits.
 * The outline of a dot says no more than that.
 *
 * The search for shapes must be cheap for small outlines. In grays and in one ink, tones nest like the lines of a map,
 * so nearly all boundaries are closed and may be shapes; in color, three regions meet everywhere and few are closed. A
 * cut-out portrait of 1500 px in grays has 6,000 closed outlines, a halftone ten thousand: at 100 points each, with a
 * pass for each parameter, the search took 60 per cent of the trace's time.
 */
const LEAST_SAMPLES = 24;
const MOST_SAMPLES = 96;

/** Room for the points: a segment has three at least. */
const CAPACITY = MOST_SAMPLES + 4 * MOST_SEGMENTS;

/** A corner with a radius below this, in px, cannot be told from a sharp one. */
const LEAST_RADIUS = 0.4;

/** Recognizes a closed outline as a circle, a rectangle or an ellipse. */
export class ShapeRecognizer {
  /** True when the last recognized shape lies within the tolerance. */
  isSure = false;
  private readonly tolerance: number;
  private nearest: Shape | undefined;
  private least = Infinity;
  private readonly points: Distances = {
    x: new Float64Array(CAPACITY),
    y: new Float64Array(CAPACITY),
    count: 0,
    off: new Float64Array(CAPACITY),
    slopes: new Float64Array(CAPACITY * MOST_PARAMETERS),
  };
  private area = 0;
  private middleX = 0;
  private middleY = 0;
  private worst = 0;
  private mean = 0;

  constructor(tolerance: number) {
    this.tolerance = tolerance;
  }

  /** Returns the simplest shape within the tolerance, or else the nearest doubtful one. */
  recognize(curve: Curve): Shape | undefined {
    this.sample(curve);
    this.isSure = false;
    this.nearest = undefined;
    this.least = Infinity;
    const size = Math.abs(this.area);
    if (size < 4) return undefined;
    this.findMiddle();
    this.tryCircle(size);
    if (!this.isSure) this.tryRect(curve, size);
    if (!this.isSure) this.tryEllipse();
    return this.nearest;
  }

  private consider(shape: Shape): void {
    this.isSure = this.worst <= this.tolerance && this.mean <= MEAN_SHARE * this.tolerance;
    if (!this.isSure && this.mean >= this.least) return;
    this.least = this.mean;
    this.nearest = shape;
  }

  /** Returns the signed area of an outline in px², positive where it runs clockwise on the screen. */
  measure(curve: Curve): number {
    this.sample(curve);
    return this.area;
  }

  /** Samples points at roughly even distances, and every node. */
  private sample(curve: Curve): void {
    const { segments } = curve;
    const lengths: number[] = [];
    let total = 0;
    let fromX = curve.x;
    let fromY = curve.y;
    for (const s of segments) {
      const length = s.isLine
        ? hypot(s.x - fromX, s.y - fromY)
        : hypot(s.x1 - fromX, s.y1 - fromY) + hypot(s.x2 - s.x1, s.y2 - s.y1) + hypot(s.x - s.x2, s.y - s.y2);
      lengths.push(length);
      total += length;
      fromX = s.x;
      fromY = s.y;
    }
    const { points } = this;
    const { x, y } = points;
    const perPx = Math.min(MOST_SAMPLES, Math.max(LEAST_SAMPLES, total)) / (total || 1);
    let count = 0;
    fromX = curve.x;
    fromY = curve.y;
    for (let k = 0; k < segments.length && k < MOST_SEGMENTS; k++) {
      const s = segments[k];
      const pieces = Math.max(3, Math.floor(perPx * lengths[k]));
      for (let i = 0; i < pieces; i++) {
        const t = i / pieces;
        const u = 1 - t;
        const a = s.isLine ? u : u * u * u;
        const b = s.isLine ? 0 : 3 * u * u * t;
        const c = s.isLine ? 0 : 3 * u * t * t;
        const d = s.isLine ? t : t * t * t;
        x[count] = a * fromX + b * s.x1 + c * s.x2 + d * s.x;
        y[count++] = a * fromY + b * s.y1 + c * s.y2 + d * s.y;
      }
      fromX = s.x;
      fromY = s.y;
    }
    points.count = count;
    let area = 0;
    for (let k = 0; k < count; k++) {
      const next = k + 1 < count ? k + 1 : 0;
      area += ((x[k] - x[0]) * (y[next] - y[0]) - (x[next] - x[0]) * (y[k] - y[0])) / 2;
    }
    this.area = area;
  }

  private findMiddle(): void {
    const { x, y, count } = this.points;
    let mx = 0;
    let my = 0;
    for (let k = 0; k < count; k++) {
      const next = k + 1 < count ? k + 1 : 0;
      const cross = (x[k] - x[0]) * (y[next] - y[0]) - (x[next] - x[0]) * (y[k] - y[0]);
      mx += cross * (x[k] + x[next] - 2 * x[0]);
      my += cross * (y[k] + y[next] - 2 * y[0]);
    }
    this.middleX = x[0] + mx / (6 * this.area);
    this.middleY = y[0] + my / (6 * this.area);
  }

  private tryCircle(size: number): void {
    const p = Float64Array.of(this.middleX, this.middleY, Math.sqrt(size / Math.PI));
    if (this.fit(p, 3, fromCircle)) this.consider({ kind: 'circle', x: p[0], y: p[1], radius: p[2] });
  }

  private tryEllipse(): void {
    const { middleX, middleY, tolerance } = this;
    const { x, y, count } = this.points;
    let xx = 0;
    let xy = 0;
    let yy = 0;
    let total = 0;
    for (let k = 0; k < count; k++) {
      // Second moments of the area, triangle by triangle from the centroid.
      const next = k + 1 < count ? k + 1 : 0;
      const ax = x[k] - middleX;
      const ay = y[k] - middleY;
      const bx = x[next] - middleX;
      const by = y[next] - middleY;
      const cross = ax * by - bx * ay;
      total += cross / 2;
      xx += (cross * (ax * ax + ax * bx + bx * bx)) / 12;
      yy += (cross * (ay * ay + ay * by + by * by)) / 12;
      xy += (cross * (2 * ax * ay + 2 * bx * by + ax * by + bx * ay)) / 24;
    }
    xx /= total;
    yy /= total;
    xy /= total;
    const half = (xx + yy) / 2;
    const apart = hypot((xx - yy) / 2, xy);
    if (!(half - apart > 0.05)) return;
    const angle = 0.5 * Math.atan2(2 * xy, xx - yy);
    const p = Float64Array.of(middleX, middleY, 2 * Math.sqrt(half + apart), 2 * Math.sqrt(half - apart), angle);
    if (!this.fit(p, 5, fromEllipse)) return;
    this.setUpright(p, fromEllipse, tolerance / Math.abs(p[2] - p[3]));
    if (p[3] > p[2]) [p[2], p[3], p[4]] = [p[3], p[2], p[4] + Math.PI / 2];
    this.consider({ kind: 'ellipse', x: p[0], y: p[1], rx: p[2], ry: p[3], angle: halfTurn(p[4]) });
  }

  private tryRect(curve: Curve, size: number): void {
    const angle = this.findDirection(curve, size);
    this.bound(angle);
    const cos = Math.cos(angle);
    const sin = Math.sin(angle);
    const { left, right, top, bottom } = this;
    const w = (right - left) / 2;
    const h = (bottom - top) / 2;
    const mx = (left + right) / 2;
    const my = (top + bottom) / 2;
    // The area missing at the corners of the box gives their radius.
    const radius = Math.min(w, h, Math.sqrt(Math.max(0, 4 * w * h - size) / (4 - Math.PI)));
    const p = Float64Array.of(mx * cos - my * sin, mx * sin + my * cos, w, h, angle, radius);
    if (radius < 2 * LEAST_RADIUS) {
      const sharp = p.slice();
      sharp[5] = 0;
      if (this.fit(sharp, 5, fromRect)) this.consider(this.toShape(sharp));
      if (this.isSure) return;
    }
    if (this.fit(p, 6, fromRect) && p[5] >= LEAST_RADIUS) this.consider(this.toShape(p));
  }

  /** Returns the direction of the longest line, or, without a long one, that of the smallest bounding box. */
  private findDirection(curve: Curve, size: number): number {
    let longest = 0.2 * Math.sqrt(size);
    let angle = NaN;
    let from: { x: number; y: number } = curve;
    for (const s of curve.segments) {
      const length = s.isLine ? hypot(s.x - from.x, s.y - from.y) : 0;
      if (length > longest) {
        longest = length;
        angle = Math.atan2(s.y - from.y, s.x - from.x);
      }
      from = s;
    }
    if (!Number.isNaN(angle)) return angle;
    let least = Infinity;
    for (let k = 0; k < 24; k++) {
      this.bound((k * Math.PI) / 48);
      const area = (this.right - this.left) * (this.bottom - this.top);
      if (area >= least * (1 - 1e-9)) continue;
      least = area;
      angle = (k * Math.PI) / 48;
    }
    return angle;
  }

  private left = 0;
  private right = 0;
  private top = 0;
  private bottom = 0;

  /** Computes the bounding box of the outline in axes rotated by an angle. */
  private bound(angle: number): void {
    const { x, y, count } = this.points;
    const cos = Math.cos(angle);
    const sin = Math.sin(angle);
    let left = Infinity;
    let right = -Infinity;
    let top = Infinity;
    let bottom = -Infinity;
    for (let k = 0; k < count; k++) {
      const u = x[k] * cos + y[k] * sin;
      const v = y[k] * cos - x[k] * sin;
      if (u < left) left = u;
      if (u > right) right = u;
      if (v < top) top = v;
      if (v > bottom) bottom = v;
    }
    this.left = left;
    this.right = right;
    this.top = top;
    this.bottom = bottom;
  }

  /** Returns the rectangle as a shape; axis-aligned, square and fully rounded if that fits as well. */
  private toShape(p: Float64Array): Shape {
    const { tolerance } = this;
    this.setUpright(p, fromRect, tolerance / Math.max(p[2], p[3]));
    if (Math.abs(p[2] - p[3]) < 0.4 * tolerance) p[2] = p[3] = (p[2] + p[3]) / 2;
    const most = Math.min(p[2], p[3]);
    if (p[5] > most - 0.4 * tolerance) p[5] = most;
    // Another quarter turn gives the same shape with its sides swapped.
    const turns = Math.round(p[4] / (Math.PI / 2));
    if (turns & 1) [p[2], p[3]] = [p[3], p[2]];
    const angle = p[4] - turns * (Math.PI / 2);
    return { kind: 'rect', x: p[0], y: p[1], width: 2 * p[2], height: 2 * p[3], radius: p[5], angle };
  }

  /**
   * Rotates the shape by up to `most` radians to be axis-aligned, unless that exceeds the allowed distance from the
   * points.
   */
  private setUpright(p: Float64Array, measure: MeasureDistances, most: number): void {
    const before = p[4];
    const { worst, mean } = this;
    p[4] = nearestQuarter(before);
    if (Math.abs(p[4] - before) < most) {
      this.compare(p, measure);
      if (
        this.worst <= Math.max(worst * 1.1, this.tolerance) &&
        this.mean <= Math.max(mean * 1.1, MEAN_SHARE * this.tolerance)
      )
        return;
    }
    p[4] = before;
    this.worst = worst;
    this.mean = mean;
  }

  /** Fits the first `n` parameters by Gauss–Newton. Returns true when the shape is near enough in the end. */
  private fit(p: Float64Array, n: number, measure: MeasureDistances): boolean {
    this.compare(p, measure);
    if (this.mean > Math.max(2 * MEAN_DOUBT, 0.03 * Math.sqrt(Math.abs(this.area)))) return false;
    const { points } = this;
    const { count, off, slopes } = points;
    const columns = n + 1;
    const rows = new Float64Array(n * columns);
    for (let round = 0; round < 6; round++) {
      if (round > 0) measure(p, points);
      rows.fill(0);
      for (let k = 0; k < count; k++) {
        const at = k * MOST_PARAMETERS;
        for (let i = 0; i < n; i++) {
          const slope = slopes[at + i];
          for (let j = i; j < n; j++) rows[i * columns + j] += slope * slopes[at + j];
          rows[i * columns + n] -= slope * off[k];
        }
      }
      for (let i = 1; i < n; i++) for (let j = 0; j < i; j++) rows[i * columns + j] = rows[j * columns + i];
      let most = 0;
      if (!eliminate(rows, n)) return false;
      for (let i = 0; i < n; i++) {
        const change = rows[i * columns + n];
        p[i] += change;
        most = Math.max(most, Math.abs(change));
      }
      if (p[2] <= 0.2 || (n > 3 && p[3] <= 0.2)) return false;
      if (n === 6) p[5] = Math.max(0, Math.min(p[5], p[2], p[3]));
      if (most < 1e-4) break;
    }
    this.compare(p, measure);
    return this.worst <= DOUBT && this.mean <= MEAN_DOUBT;
  }

  private compare(p: Float64Array, measure: MeasureDistances): void {
    const { points } = this;
    const { count, off } = points;
    measure(p, points);
    let sum = 0;
    let worst = 0;
    for (let k = 0; k < count; k++) {
      const far = Math.abs(off[k]);
      sum += far * far;
      if (far > worst) worst = far;
    }
    this.mean = Math.sqrt(sum / count);
    this.worst = worst;
  }
}

function nearestQuarter(angle: number): number {
  return Math.round(angle / (Math.PI / 2)) * (Math.PI / 2);
}

/** Returns the equivalent angle of an axis within a quarter turn of horizontal. */
function halfTurn(angle: number): number {
  return angle - Math.round(angle / Math.PI) * Math.PI;
}

/**
 * Solves n equations with a positive definite matrix in place, with a tiny ridge added. Solution i ends up in the last
 * column of row i. Returns false when the matrix is singular.
 */
function eliminate(rows: Float64Array, n: number): boolean {
  const columns = n + 1;
  for (let i = 0; i < n; i++) rows[i * columns + i] += 1e-9 + 1e-9 * rows[i * columns + i];
  for (let i = 0; i < n; i++) {
    const pivot = rows[i * columns + i];
    if (!(pivot > 1e-12)) return false;
    for (let k = 0; k < n; k++) {
      if (k === i) continue;
      const factor = rows[k * columns + i] / pivot;
      for (let j = i; j < columns; j++) rows[k * columns + j] -= factor * rows[i * columns + j];
    }
  }
  for (let i = 0; i < n; i++) rows[i * columns + n] /= rows[i * columns + i];
  return true;
}
