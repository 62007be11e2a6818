/** Dithers that compare each pixel with a threshold of its place. */
import { BARE, BURNT, type Gray } from '../picture.ts';

/** A square of thresholds that is repeated over the picture. */
interface Tile {
  readonly side: number;
  /** Each evenly spaced value between -0.5 and 0.5 once. */
  readonly thresholds: Float32Array;
}

const BAYER_SIDE = 16;
const NOISE_SIDE = 128;
/** The standard deviation, in pixels, of the neighborhood in which dots keep apart. */
const NOISE_SIGMA = 1.5;
const NOISE_REACH = 6;
/** The first dots, as a share of the tile. */
const NOISE_START = 0.1;

let bayer: Tile | undefined;
let noise: Tile | undefined;

/**
 * Returns thresholds of blue noise. The first call computes them in about 0.1 s, always the same ones. Committed, they
 * would be 22 kB that every page loads.
 */
export function blueNoise(): Tile {
  noise ??= makeBlueNoise();
  return noise;
}

/** Returns a dither by Bayer's matrix (1973) of 16 × 16, which has a threshold for each level. Cost: one pass. */
export function createOrdered(): (strip: Gray) => Gray {
  bayer ??= makeBayer();
  return createComparison(bayer);
}

/** Returns a dither by blue noise: dots as far apart as they can be, and without a pattern. Cost: one pass. */
export function createBlueNoise(): (strip: Gray) => Gray {
  return createComparison(blueNoise());
}

/** Returns a dither that takes the strips of a picture one after the other. */
function createComparison({ side, thresholds }: Tile): (strip: Gray) => Gray {
  const limits = thresholds.map((threshold) => 255 * (0.5 - threshold));
  let y = 0;
  return ({ width, height, data }) => {
    const out = new Uint8Array(width * height);
    for (let i = 0; i < out.length; y++) {
      const row = (y % side) * side;
      for (let x = 0; x < width; x++, i++) out[i] = data[i] < limits[row + (x % side)] ? BURNT : BARE;
    }
    return { width, height, data: out };
  };
}

/** Returns a tile for ranks that name each place once, from 0. */
function tileOf(side: number, ranks: Uint16Array): Tile {
  return { side, thresholds: Float32Array.from(ranks, (rank) => (rank + 0.5) / ranks.length - 0.5) };
}

function makeBayer(): Tile {
  const ranks = new Uint16Array(BAYER_SIDE ** 2);
  for (let y = 0; y < BAYER_SIDE; y++) {
    for (let x = 0; x < BAYER_SIDE; x++) {
      let rank = 0;
      for (let bit = 1, place = BAYER_SIDE ** 2 / 4; bit < BAYER_SIDE; bit *= 2, place /= 4) {
        const [across, down] = [x & bit ? 1 : 0, y & bit ? 1 : 0];
        rank += place * (2 * (across ^ down) + down);
      }
      ranks[y * BAYER_SIDE + x] = rank;
    }
  }
  return tileOf(BAYER_SIDE, ranks);
}

/**
 * Ranks the pixels of a tile by the void-and-cluster method (Ulichney 1993): a start of scattered dots is made even by
 * moving dots from the tightest cluster to the largest void; then dots are taken away from the tightest cluster for the
 * lower ranks, and added in the largest void for the higher ones.
 */
function makeBlueNoise(): Tile {
  const dots = createDots();
  const count = NOISE_SIDE ** 2;
  const start = Math.round(NOISE_START * count);
  for (let seed = 7, total = 0; total < start; ) {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    const at = Math.floor((seed / 2 ** 32) * count);
    if (dots.has(at)) continue;
    dots.flip(at);
    total++;
  }
  // Each move makes the pattern more even; it ends when the void is where the dot came from.
  for (let move = 0; move < count; move++) {
    const cluster = dots.tightest();
    dots.flip(cluster);
    const hole = dots.emptiest();
    dots.flip(hole);
    if (hole === cluster) break;
  }
  const ranks = new Uint16Array(count);
  const first: number[] = [];
  for (let i = 0; i < count; i++) if (dots.has(i)) first.push(i);
  for (let rank = start - 1; rank >= 0; rank--) {
    const cluster = dots.tightest();
    ranks[cluster] = rank;
    dots.flip(cluster);
  }
  for (const at of first) dots.flip(at);
  for (let rank = start; rank < count; rank++) {
    const hole = dots.emptiest();
    ranks[hole] = rank;
    dots.flip(hole);
  }
  return tileOf(NOISE_SIDE, ranks);
}

/**
 * Dots on a tile whose opposite sides meet. The extremes of each row are remembered until a dot near it changes: a
 * search looks at rows and not at pixels.
 */
function createDots() {
  const side = NOISE_SIDE;
  const isDot = new Uint8Array(side * side);
  const density = new Float64Array(side * side);
  const highest = new Int32Array(side).fill(-1);
  const lowest = Int32Array.from({ length: side }, (_, y) => y * side);
  const kernel = Float64Array.from({ length: NOISE_REACH + 1 }, (_, d) => Math.exp(-(d * d) / (2 * NOISE_SIGMA ** 2)));
  const rankRow = (y: number) => {
    let [high, low] = [-1, -1];
    for (let i = y * side; i < (y + 1) * side; i++) {
      if (isDot[i]) {
        if (high < 0 || density[i] > density[high]) high = i;
      } else if (low < 0 || density[i] < density[low]) low = i;
    }
    highest[y] = high;
    lowest[y] = low;
  };
  return {
    has: (at: number) => isDot[at] === 1,
    flip(at: number) {
      const sign = isDot[at] ? -1 : 1;
      isDot[at] = isDot[at] ? 0 : 1;
      const [x, y] = [at % side, Math.floor(at / side)];
      for (let dy = -NOISE_REACH; dy <= NOISE_REACH; dy++) {
        const row = (y + dy + side) % side;
        for (let dx = -NOISE_REACH; dx <= NOISE_REACH; dx++) {
          density[row * side + ((x + dx + side) % side)] += sign * kernel[Math.abs(dx)] * kernel[Math.abs(dy)];
        }
        rankRow(row);
      }
    },
    /** The dot with the most dots near it. */
    tightest: () => highest.reduce((best, i) => (i >= 0 && (best < 0 || density[i] > density[best]) ? i : best), -1),
    /** The place without a dot that has the fewest near it. */
    emptiest: () => lowest.reduce((best, i) => (i >= 0 && (best < 0 || density[i] < density[best]) ? i : best), -1),
  };
}
