import type { Bitmap } from '../pixels/bitmap.ts';
import type { Mixes } from './mixes.ts';

/** Points along a side of a pixel at which the ink is decided, about. */
const POINTS = 6;
/** Pixels around a pixel that the shares at its points are made of, along a side. */
const TAPS = 5;
const REACH = 2;

/**
 * Draws a picture of mixes anew, without blur, and `scale` times as large: at each point the ink with the largest
 * share, and each pixel the mean of its points. Between pixels the shares are cubic (Catmull and Rom 1974), as lines
 * would break a thin slanted stroke into beads. An edge lies where the shares of both sides are equal, which blur does
 * not move. `paints` has three bytes for each ink. Linear in pixels.
 */
export function redraw({ width, height, first, second, share }: Mixes, paints: ArrayLike<number>, scale = 1): Bitmap {
  const data = new Uint8ClampedArray(width * height * scale * scale * 4).fill(255);
  const own = new Uint8Array(width * height);
  for (let p = 0; p < own.length; p++) own[p] = share[p] >= 0.5 ? first[p] : second[p];
  const edges = new EdgePixel(paints, scale);
  for (let y = 0, p = 0; y < height; y++) {
    for (let x = 0; x < width; x++, p++) {
      const isInside = x >= REACH && y >= REACH && x < width - REACH && y < height - REACH;
      if (isInside && !isEven(own, p, width)) edges.draw({ width, first, second, share }, p);
      else edges.fill(own[p]);
      edges.copy(data, x, y, width);
    }
  }
  return { width: width * scale, height: height * scale, data };
}

/** Returns true when the eight pixels around have the pixel's ink. */
function isEven(own: Uint8Array, p: number, width: number): boolean {
  const ink = own[p];
  return (
    own[p - 1] === ink &&
    own[p + 1] === ink &&
    own[p - width] === ink &&
    own[p + width] === ink &&
    own[p - width - 1] === ink &&
    own[p - width + 1] === ink &&
    own[p + width - 1] === ink &&
    own[p + width + 1] === ink
  );
}

/** Returns the cubic weights of the five pixels around a point at a distance of -1/2..1/2 from the middle one. */
function cubicWeights(at: number): number[] {
  const weight = (distance: number): number => {
    const d = Math.abs(distance);
    if (d < 1) return 1.5 * d ** 3 - 2.5 * d ** 2 + 1;
    return d < 2 ? -0.5 * d ** 3 + 2.5 * d ** 2 - 4 * d + 2 : 0;
  };
  return Array.from({ length: TAPS }, (_, k) => weight(k - REACH - at));
}

/** A pixel that an edge may cross, drawn as `scale` × `scale` pixels: the means of its points. */
class EdgePixel {
  private readonly paints: ArrayLike<number>;
  private readonly scale: number;
  /** Points along a side, and the weights of the pixels around each. */
  private readonly points: number;
  private readonly weights: number[][];
  /** The inks around the pixel, their shares there, and those shares at the points of each row of pixels. */
  private readonly inks: number[] = [];
  private readonly shares: Float64Array[] = [];
  private readonly rows: Float64Array[] = [];
  private readonly out: Float64Array;

  constructor(paints: ArrayLike<number>, scale: number) {
    this.paints = paints;
    this.scale = scale;
    this.points = scale * Math.ceil(POINTS / scale);
    this.weights = Array.from({ length: this.points }, (_, k) => cubicWeights((k + 0.5) / this.points - 0.5));
    this.out = new Float64Array(scale * scale * 3);
    for (let k = 0; k < paints.length / 3; k++) {
      this.shares.push(new Float64Array(TAPS * TAPS));
      this.rows.push(new Float64Array(TAPS * this.points));
    }
  }

  fill(ink: number): void {
    for (let k = 0; k < this.out.length; k++) this.out[k] = this.paints[ink * 3 + (k % 3)];
  }

  draw(mixes: Pick<Mixes, 'width' | 'first' | 'second' | 'share'>, p: number): void {
    const { points, scale, out, paints } = this;
    this.gather(mixes, p);
    if (this.inks.length === 1) {
      this.fill(this.inks[0]);
      return;
    }
    out.fill(0);
    const cell = points / scale;
    for (let v = 0; v < points; v++) {
      const row = Math.floor(v / cell) * scale;
      for (let u = 0; u < points; u++) {
        const ink = this.inkAt(u, v) * 3;
        const at = (row + Math.floor(u / cell)) * 3;
        out[at] += paints[ink];
        out[at + 1] += paints[ink + 1];
        out[at + 2] += paints[ink + 2];
      }
    }
    for (let k = 0; k < out.length; k++) out[k] /= cell * cell;
  }

  /** Reads the shares around a pixel. */
  private gather(
    { width, first, second, share }: Pick<Mixes, 'width' | 'first' | 'second' | 'share'>,
    p: number,
  ): void {
    const { inks, shares, rows, points, weights } = this;
    for (const ink of inks) shares[ink].fill(0);
    inks.length = 0;
    for (let k = 0; k < TAPS * TAPS; k++) {
      const q = p + (Math.floor(k / TAPS) - REACH) * width + (k % TAPS) - REACH;
      if (!inks.includes(first[q])) inks.push(first[q]);
      if (!inks.includes(second[q])) inks.push(second[q]);
      shares[first[q]][k] += share[q];
      shares[second[q]][k] += 1 - share[q];
    }
    for (const ink of inks) {
      for (let r = 0; r < TAPS; r++) {
        for (let u = 0; u < points; u++) {
          let sum = 0;
          for (let k = 0; k < TAPS; k++) sum += weights[u][k] * shares[ink][r * TAPS + k];
          rows[ink][r * points + u] = sum;
        }
      }
    }
  }

  /** Returns the ink with the largest share at a point. */
  private inkAt(u: number, v: number): number {
    const { inks, rows, points, weights } = this;
    let best = inks[0];
    let most = Number.NEGATIVE_INFINITY;
    for (const ink of inks) {
      let sum = 0;
      for (let r = 0; r < TAPS; r++) sum += weights[v][r] * rows[ink][r * points + u];
      if (sum <= most) continue;
      most = sum;
      best = ink;
    }
    return best;
  }

  copy(data: Uint8ClampedArray, x: number, y: number, width: number): void {
    const { scale, out } = this;
    for (let k = 0; k < out.length / 3; k++) {
      const i = ((y * scale + Math.floor(k / scale)) * width * scale + x * scale + (k % scale)) * 4;
      data[i] = out[k * 3];
      data[i + 1] = out[k * 3 + 1];
      data[i + 2] = out[k * 3 + 2];
    }
  }
}
