import { hypot } from '../geometry/hypot.ts';
import type { Curve } from '../geometry/segment.ts';

/** Distance between points along a curve, in px. */
const SPACING = 0.5;
/** Nothing farther away than this is found, in px. */
const REACH = 2.5;

/** Points along the curve of one chain, with the direction of the curve and the length of it that each stands for. */
interface Samples {
  x: Float64Array;
  y: Float64Array;
  /** Unit vector along the curve. */
  ux: Float64Array;
  uy: Float64Array;
  /** px. */
  length: Float64Array;
}

/** Returns points along a curve, about half a pixel apart. */
export function sampleCurve(curve: Curve): Samples {
  const counts: number[] = [];
  let total = 0;
  let fromX = curve.x;
  let fromY = curve.y;
  for (const s of curve.segments) {
    const length = s.isLine
      ? hypot(s.x - fromX, s.y - fromY)
      : hypot(s.x1 - fromX, s.y1 - fromY) + hypot(s.x2 - s.x1, s.y2 - s.y1) + hypot(s.x - s.x2, s.y - s.y2);
    const count = Math.min(4000, Math.max(1, Math.ceil(length / SPACING)));
    counts.push(count);
    total += count;
    fromX = s.x;
    fromY = s.y;
  }
  const of = (): Float64Array => new Float64Array(total);
  const out: Samples = { x: of(), y: of(), ux: of(), uy: of(), length: of() };
  let at = 0;
  fromX = curve.x;
  fromY = curve.y;
  curve.segments.forEach((s, k) => {
    const count = counts[k];
    for (let i = 0; i < count; i++, at++) {
      const t = (i + 0.5) / count;
      const u = 1 - t;
      let dx = s.x - fromX;
      let dy = s.y - fromY;
      if (s.isLine) {
        out.x[at] = fromX + t * dx;
        out.y[at] = fromY + t * dy;
      } else {
        const [a, b, c, d] = [u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t];
        out.x[at] = a * fromX + b * s.x1 + c * s.x2 + d * s.x;
        out.y[at] = a * fromY + b * s.y1 + c * s.y2 + d * s.y;
        dx = 3 * (u * u * (s.x1 - fromX) + 2 * u * t * (s.x2 - s.x1) + t * t * (s.x - s.x2));
        dy = 3 * (u * u * (s.y1 - fromY) + 2 * u * t * (s.y2 - s.y1) + t * t * (s.y - s.y2));
      }
      const speed = hypot(dx, dy);
      out.ux[at] = speed > 0 ? dx / speed : 1;
      out.uy[at] = speed > 0 ? dy / speed : 0;
      out.length[at] = speed / count;
    }
    fromX = s.x;
    fromY = s.y;
  });
  return out;
}

/** The curves of some chains as points, of which the nearest to a place is found in constant time. */
export class Outline implements Samples {
  readonly count: number;
  readonly x: Float64Array;
  readonly y: Float64Array;
  readonly ux: Float64Array;
  readonly uy: Float64Array;
  readonly length: Float64Array;
  /** The chain of each point. */
  readonly chain: Int32Array;
  /** px. */
  readonly total: number;
  private readonly left: number;
  private readonly top: number;
  private readonly columns: number;
  private readonly rows: number;
  /** Points by cell of a grid, and where each cell begins. */
  private readonly order: Int32Array;
  private readonly starts: Int32Array;

  constructor(chains: readonly number[], samplesOf: (chain: number) => Samples) {
    const parts = chains.map(samplesOf);
    const join = (list: readonly Float64Array[]): Float64Array => {
      const out = new Float64Array(list.reduce((sum, { length }) => sum + length, 0));
      let at = 0;
      for (const part of list) {
        out.set(part, at);
        at += part.length;
      }
      return out;
    };
    this.x = join(parts.map(({ x }) => x));
    this.y = join(parts.map(({ y }) => y));
    this.ux = join(parts.map(({ ux }) => ux));
    this.uy = join(parts.map(({ uy }) => uy));
    this.length = join(parts.map(({ length }) => length));
    this.count = this.x.length;
    this.chain = new Int32Array(this.count);
    let from = 0;
    parts.forEach(({ x }, k) => {
      this.chain.fill(chains[k], from, from + x.length);
      from += x.length;
    });
    let [left, top, right, bottom, total] = [Infinity, Infinity, -Infinity, -Infinity, 0];
    for (let k = 0; k < this.count; k++) {
      left = Math.min(left, this.x[k]);
      right = Math.max(right, this.x[k]);
      top = Math.min(top, this.y[k]);
      bottom = Math.max(bottom, this.y[k]);
      total += this.length[k];
    }
    this.total = total;
    this.left = left - REACH;
    this.top = top - REACH;
    this.columns = this.count > 0 ? Math.floor((right - this.left) / REACH) + 2 : 0;
    this.rows = this.count > 0 ? Math.floor((bottom - this.top) / REACH) + 2 : 0;
    this.starts = new Int32Array(this.columns * this.rows + 1);
    this.order = new Int32Array(this.count);
    for (let k = 0; k < this.count; k++) this.starts[this.cellOf(k) + 1]++;
    for (let k = 1; k < this.starts.length; k++) this.starts[k] += this.starts[k - 1];
    const next = this.starts.slice();
    for (let k = 0; k < this.count; k++) this.order[next[this.cellOf(k)]++] = k;
  }

  private cellOf(k: number): number {
    const { left, top, columns } = this;
    return Math.floor((this.y[k] - top) / REACH) * columns + Math.floor((this.x[k] - left) / REACH);
  }

  /** Returns the point nearest to a place, of one chain when that is given; -1 when none is within `REACH`. */
  nearest(px: number, py: number, chain = -1): number {
    const { x, y, left, top, columns, rows, order, starts } = this;
    const column = Math.floor((px - left) / REACH);
    const row = Math.floor((py - top) / REACH);
    let best = -1;
    let least = REACH * REACH;
    for (let j = Math.max(0, row - 1); j <= Math.min(rows - 1, row + 1); j++) {
      for (let i = Math.max(0, column - 1); i <= Math.min(columns - 1, column + 1); i++) {
        const cell = j * columns + i;
        for (let at = starts[cell]; at < starts[cell + 1]; at++) {
          const k = order[at];
          if (chain >= 0 && this.chain[k] !== chain) continue;
          const square = (x[k] - px) * (x[k] - px) + (y[k] - py) * (y[k] - py);
          if (square >= least) continue;
          least = square;
          best = k;
        }
      }
    }
    return best;
  }

  /** Returns the distance of a place from the curve at point k, which is the nearest to it, in px. */
  distance(k: number, px: number, py: number): number {
    const dx = px - this.x[k];
    const dy = py - this.y[k];
    const along = Math.abs(dx * this.ux[k] + dy * this.uy[k]);
    const across = dx * this.uy[k] - dy * this.ux[k];
    return hypot(across, Math.max(0, along - this.length[k] / 2));
  }
}
