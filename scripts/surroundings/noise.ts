/** Smooth random values over a plane, the same in every run. */
import { seededRandom } from '@markwright/scene';

const TABLE = 256;
const values = new Float32Array(TABLE);
const order = new Uint8Array(2 * TABLE);
{
  const random = seededRandom(85);
  for (let i = 0; i < TABLE; i++) {
    values[i] = random();
    order[i] = i;
  }
  for (let i = TABLE - 1; i > 0; i--) {
    const k = Math.floor(random() * (i + 1));
    [order[i], order[k]] = [order[k]!, order[i]!];
  }
  order.copyWithin(TABLE, 0, TABLE);
}

const at = (x: number, y: number): number => values[order[order[x & 255]! + (y & 255)]!]!;

/** A value 0..1 of a random number, as `n` is given: the same for the same `n`. */
export const pick = (n: number, salt = 0): number => at(Math.floor(n), Math.floor(n / TABLE) + 57 * salt + 11);

/** Value noise (Perlin 1985, with values in place of gradients): 0..1, a cell is 1 x 1. */
export function noise(x: number, y: number): number {
  const [cx, cy] = [Math.floor(x), Math.floor(y)];
  const [dx, dy] = [x - cx, y - cy];
  const [u, v] = [dx * dx * dx * (dx * (dx * 6 - 15) + 10), dy * dy * dy * (dy * (dy * 6 - 15) + 10)];
  const top = at(cx, cy) + u * (at(cx + 1, cy) - at(cx, cy));
  const bottom = at(cx, cy + 1) + u * (at(cx + 1, cy + 1) - at(cx, cy + 1));
  return top + v * (bottom - top);
}

/** Octaves of noise, each of half the size and half the weight: 0..1. */
export function fractal(x: number, y: number, octaves: number): number {
  let [sum, weight, total] = [0, 1, 0];
  for (let i = 0; i < octaves; i++) {
    sum += weight * noise(x + 31.7 * i, y - 17.3 * i);
    total += weight;
    weight *= 0.5;
    x *= 2.03;
    y *= 2.03;
  }
  return sum / total;
}

export const smoothstep = (from: number, to: number, x: number): number => {
  const t = Math.min(1, Math.max(0, (x - from) / (to - from)));
  return t * t * (3 - 2 * t);
};
