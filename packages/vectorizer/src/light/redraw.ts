import type { Bitmap } from '../pixels/bitmap.ts';
import type { Mixes } from './unmix.ts';

/** Points along a side of a pixel at which the ink is decided. */
const POINTS = 5;

/**
 * Draws a picture of mixes anew, without blur: at each point the ink with the largest share, between pixels linearly
 * interpolated, and each pixel the mean of its points. An edge lies where the shares of both sides are equal, which
 * blur does not move. `paints` has three bytes for each ink. Linear in pixels.
 */
export function redraw({ width, height, first, second, share }: Mixes, paints: ArrayLike<number>): Bitmap {
  const data = new Uint8ClampedArray(width * height * 4).fill(255);
  const own = new Uint8Array(width * height);
  for (let p = 0; p < own.length; p++) own[p] = share[p] >= 0.5 ? first[p] : second[p];
  const points = { first, second, share, weights: new Float64Array(paints.length / 3), inks: new Uint8Array(8) };
  for (let y = 0, p = 0; y < height; y++) {
    for (let x = 0; x < width; x++, p++) {
      const isInside = x > 0 && y > 0 && x < width - 1 && y < height - 1;
      if (isInside && !isEven(own, p, width)) drawEdge(points, p, width, paints, data);
      else {
        data[p * 4] = paints[own[p] * 3];
        data[p * 4 + 1] = paints[own[p] * 3 + 1];
        data[p * 4 + 2] = paints[own[p] * 3 + 2];
      }
    }
  }
  return { width, height, data };
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

interface Points {
  first: Uint8Array;
  second: Uint8Array;
  share: Float32Array;
  /** Scratch: the weight of each ink, zero between points, and the inks at a point. */
  weights: Float64Array;
  inks: Uint8Array;
}

/** Draws a pixel that an edge may cross: the mean of its points. */
function drawEdge(points: Points, p: number, width: number, paints: ArrayLike<number>, data: Uint8ClampedArray): void {
  let red = 0;
  let green = 0;
  let blue = 0;
  for (let row = 0; row < POINTS; row++) {
    const v = (row + 0.5) / POINTS - 0.5;
    const below = v < 0 ? p - width : p + width;
    const b = v < 0 ? -v : v;
    for (let column = 0; column < POINTS; column++) {
      const u = (column + 0.5) / POINTS - 0.5;
      const beside = u < 0 ? -1 : 1;
      const a = u < 0 ? -u : u;
      weigh(points, p, (1 - a) * (1 - b), 0);
      weigh(points, p + beside, a * (1 - b), 2);
      weigh(points, below, (1 - a) * b, 4);
      weigh(points, below + beside, a * b, 6);
      const best = takeBest(points) * 3;
      red += paints[best];
      green += paints[best + 1];
      blue += paints[best + 2];
    }
  }
  data[p * 4] = red / POINTS ** 2;
  data[p * 4 + 1] = green / POINTS ** 2;
  data[p * 4 + 2] = blue / POINTS ** 2;
}

function weigh({ first, second, share, weights, inks }: Points, q: number, part: number, at: number): void {
  inks[at] = first[q];
  inks[at + 1] = second[q];
  weights[first[q]] += part * share[q];
  weights[second[q]] += part * (1 - share[q]);
}

/** Returns the ink with the largest weight, and clears the weights. */
function takeBest({ weights, inks }: Points): number {
  let best = inks[0];
  for (let n = 1; n < 8; n++) if (weights[inks[n]] > weights[best]) best = inks[n];
  for (let n = 0; n < 8; n++) weights[inks[n]] = 0;
  return best;
}
