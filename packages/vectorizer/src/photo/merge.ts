import { DisjointSet } from '../geometry/disjointSet.ts';
/**
 * Segments a photograph into regions of one color by greedy merging.
 *
 * Uses the piecewise constant model of Mumford and Shah (1989), with region merging from single pixels as in Koepfler,
 * Lopez and Morel (1994): two neighbors are merged when that adds less than λ × the saved bits to the squared error.
 * The bits are those of the file: a constant per region, for its start and its color, and a constant per pixel of
 * boundary. λ rises until the bits fit the budget.
 *
 * First, single pixels are merged in the order of their differences (Kruskal's algorithm) up to a small λ, which leaves
 * a tenth of them. Then each round over the region adjacency graph merges every pair that is best for both (Borůvka's
 * algorithm). Close to linear in the pixels.
 */

/** Luma and two chroma differences of each pixel, and the weight of its error. */
export interface Planes {
  width: number;
  height: number;
  luma: Float32Array;
  blue: Float32Array;
  red: Float32Array;
  weight: Float32Array;
}

/** The regions of a photograph. */
export interface Segmentation {
  /** Region of each pixel. */
  ids: Uint32Array;
  count: number;
  /** Weighted mean of each region, three numbers: luma, blue and red difference. */
  means: Float64Array;
  /** Sum of the weights of each region. */
  weights: Float64Array;
  /** The final λ: the squared error that a bit is worth. */
  lambda: number;
}

/**
 * Merges the pixels into regions. `bits` is the budget. Regions of fewer than `leastArea` pixels are merged at any
 * cost.
 */
export function mergeRegions(planes: Planes, bits: number, leastArea: number): Segmentation {
  const forest = new Forest(planes);
  joinPixels(planes, forest);
  const graph = new Graph(planes, forest);
  return graph.merge(bits, leastArea);
}

/** The cost of a region and of a pixel of boundary in the file, in bits. */
const REGION_BITS = 60;
const BOUNDARY_BITS = 4;

/** λ of the first merges. */
const FIRST_LAMBDA = 0.01;
/** Differences below this λ are invisible: merging goes on even when the budget is met. */
const LEAST_LAMBDA = 0.04;
/** λ grows by this factor when few pairs are left below it. */
const GROWTH = 1.35;

/** A disjoint set whose roots carry the sums of the colors of their sets. */
class Forest extends DisjointSet {
  readonly weight: Float64Array;
  readonly luma: Float64Array;
  readonly blue: Float64Array;
  readonly red: Float64Array;

  constructor({ luma, blue, red, weight }: Planes) {
    const size = luma.length;
    super(size);
    this.weight = new Float64Array(size);
    this.luma = new Float64Array(size);
    this.blue = new Float64Array(size);
    this.red = new Float64Array(size);
    for (let i = 0; i < size; i++) {
      const w = weight[i];
      this.weight[i] = w;
      this.luma[i] = w * luma[i];
      this.blue[i] = w * blue[i];
      this.red[i] = w * red[i];
    }
  }

  /** Returns the increase of the squared error when two roots are merged (Ward's criterion). */
  rise(a: number, b: number): number {
    const { weight, luma, blue, red } = this;
    const wa = weight[a];
    const wb = weight[b];
    const y = luma[a] / wa - luma[b] / wb;
    const u = blue[a] / wa - blue[b] / wb;
    const v = red[a] / wa - red[b] / wb;
    return ((wa * wb) / (wa + wb)) * (y * y + u * u + v * v);
  }

  /** Puts root `b` under root `a`, which takes over its sums. */
  override link(a: number, b: number): void {
    super.link(a, b);
    this.weight[a] += this.weight[b];
    this.luma[a] += this.luma[b];
    this.blue[a] += this.blue[b];
    this.red[a] += this.red[b];
  }
}

const BUCKETS = 256;

/** Merges neighboring pixels, the most similar first, up to the first λ. */
function joinPixels({ width, height, luma, blue, red, weight }: Planes, forest: Forest): void {
  const size = width * height;
  const limit = FIRST_LAMBDA * (REGION_BITS + 4 * BOUNDARY_BITS);
  const bucketOf = new Uint8Array(size * 2); // of the pairs with the pixel to the right and below
  const starts = new Uint32Array(BUCKETS + 1);
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i++) {
      for (let d = 0; d < 2; d++) {
        const k = 2 * i + d;
        bucketOf[k] = BUCKETS - 1; // too different, or no neighbor
        if (d === 0 ? x + 1 === width : y + 1 === height) continue;
        const j = d === 0 ? i + 1 : i + width;
        const u = luma[i] - luma[j];
        const v = blue[i] - blue[j];
        const w = red[i] - red[j];
        const rise = ((weight[i] * weight[j]) / (weight[i] + weight[j])) * (u * u + v * v + w * w);
        if (rise >= limit) continue;
        bucketOf[k] = Math.sqrt(rise / limit) * (BUCKETS - 1);
        starts[bucketOf[k] + 1]++;
      }
    }
  }
  for (let b = 0; b < BUCKETS; b++) starts[b + 1] += starts[b];
  const pairs = new Uint32Array(starts[BUCKETS - 1]);
  for (let k = 0; k < bucketOf.length; k++) if (bucketOf[k] < BUCKETS - 1) pairs[starts[bucketOf[k]]++] = k;
  for (let k = 0; k < pairs.length; k++) {
    const i = pairs[k] >> 1;
    const a = forest.find(i);
    const b = forest.find(pairs[k] & 1 ? i + width : i + 1);
    if (a !== b && forest.rise(a, b) <= limit) forest.link(Math.min(a, b), Math.max(a, b));
  }
}

/** The region adjacency graph: the remaining regions and the boundaries between them. */
class Graph {
  private readonly forest: Forest;
  private readonly ids: Uint32Array;
  private readonly count: number;
  private readonly area: Uint32Array;
  /** Pairs of neighbors: the smaller root, the larger root, and the length of boundary between them in pixels. */
  private first: Uint32Array;
  private second: Uint32Array;
  private length: Uint32Array;
  private pairs: number;
  // Scratch of `gather`: the pairs sorted by their smaller root, and the start of the pairs of each root.
  private readonly others: Uint32Array;
  private readonly lengths: Uint32Array;
  private readonly starts: Uint32Array;
  private readonly slot: Int32Array;

  constructor(planes: Planes, pixels: Forest) {
    const { width, height } = planes;
    const size = width * height;
    const ids = new Uint32Array(size);
    let count = 0;
    for (let i = 0; i < size; i++) {
      const root = pixels.find(i);
      ids[i] = root === i ? count++ : ids[root]; // roots come first
    }
    // The sums move to the front of the arrays: no region has a number above that of its root.
    for (let i = 0; i < size; i++) {
      if (!pixels.isRoot(i)) continue;
      const r = ids[i];
      pixels.weight[r] = pixels.weight[i];
      pixels.luma[r] = pixels.luma[i];
      pixels.blue[r] = pixels.blue[i];
      pixels.red[r] = pixels.red[i];
    }
    pixels.separate(count);
    this.forest = pixels;
    this.ids = ids;
    this.count = count;
    this.area = new Uint32Array(count);
    let cracks = 0;
    for (let y = 0, i = 0; y < height; y++) {
      for (let x = 0; x < width; x++, i++) {
        this.area[ids[i]]++;
        if (x + 1 < width && ids[i] !== ids[i + 1]) cracks++;
        if (y + 1 < height && ids[i] !== ids[i + width]) cracks++;
      }
    }
    this.first = new Uint32Array(cracks);
    this.second = new Uint32Array(cracks);
    this.length = new Uint32Array(cracks).fill(1);
    this.others = new Uint32Array(cracks);
    this.lengths = new Uint32Array(cracks);
    this.starts = new Uint32Array(count + 2);
    this.slot = new Int32Array(count);
    this.pairs = 0;
    for (let y = 0, i = 0; y < height; y++) {
      for (let x = 0; x < width; x++, i++) {
        if (x + 1 < width && ids[i] !== ids[i + 1]) this.addPair(ids[i], ids[i + 1]);
        if (y + 1 < height && ids[i] !== ids[i + width]) this.addPair(ids[i], ids[i + width]);
      }
    }
    this.gather();
  }

  private addPair(a: number, b: number): void {
    this.first[this.pairs] = Math.min(a, b);
    this.second[this.pairs++] = Math.max(a, b);
  }

  merge(budget: number, leastArea: number): Segmentation {
    const { forest, count, area } = this;
    const best = new Int32Array(count);
    const least = new Float64Array(count);
    let left = count;
    let boundary = 0;
    for (let k = 0; k < this.pairs; k++) boundary += this.length[k];
    let lambda = FIRST_LAMBDA;
    let isDone = false;
    let hasSmall = leastArea > 1;
    while (!isDone || hasSmall) {
      best.fill(-1);
      least.fill(Infinity);
      const { first, second, length, pairs } = this;
      if (pairs === 0) break;
      for (let k = 0; k < pairs; k++) {
        const a = first[k];
        const b = second[k];
        const price = forest.rise(a, b) / (REGION_BITS + BOUNDARY_BITS * length[k]);
        if (price < least[a]) {
          least[a] = price;
          best[a] = k;
        }
        if (price < least[b]) {
          least[b] = price;
          best[b] = k;
        }
      }
      let mergeCount = 0;
      hasSmall = false;
      for (let k = 0; k < pairs; k++) {
        const a = first[k];
        const b = second[k];
        const isSmall = isDone && (area[a] < leastArea || area[b] < leastArea);
        if (isDone && !isSmall) continue;
        // For a speck, it is enough that the pair is best for the speck.
        const isBest = isSmall
          ? (best[a] === k && area[a] < leastArea) || (best[b] === k && area[b] < leastArea)
          : best[a] === k && best[b] === k && least[a] <= lambda;
        if (!isBest || !forest.isRoot(a) || !forest.isRoot(b)) continue;
        forest.link(a, b);
        area[a] += area[b];
        left--;
        boundary -= length[k];
        mergeCount++;
        if (isSmall) hasSmall = true;
        else if (lambda >= LEAST_LAMBDA && left * REGION_BITS + boundary * BOUNDARY_BITS <= budget) {
          isDone = true;
          hasSmall = leastArea > 1;
          break;
        }
      }
      if (mergeCount < 0.04 * left && !isDone) {
        lambda *= GROWTH;
        if (lambda > LEAST_LAMBDA && left * REGION_BITS + boundary * BOUNDARY_BITS <= budget) {
          isDone = true;
          hasSmall = leastArea > 1;
        }
      }
      if (mergeCount > 0) this.gather();
    }
    return this.collect(lambda);
  }

  /** Moves every pair to its roots and merges pairs that have become equal. */
  private gather(): void {
    const { forest, count, first, second, length, others, lengths, starts, slot } = this;
    let pairCount = 0;
    starts.fill(0);
    for (let k = 0; k < this.pairs; k++) {
      const a = forest.find(first[k]);
      const b = forest.find(second[k]);
      if (a === b) continue;
      first[pairCount] = a < b ? a : b;
      second[pairCount] = a < b ? b : a;
      length[pairCount] = length[k];
      starts[first[pairCount] + 2]++;
      pairCount++;
    }
    for (let r = 2; r <= count; r++) starts[r] += starts[r - 1];
    for (let k = 0; k < pairCount; k++) {
      const at = starts[first[k] + 1]++; // which makes it the start of the next root
      others[at] = second[k];
      lengths[at] = length[k];
    }
    slot.fill(-1);
    let distinctPairs = 0;
    for (let a = 0; a < count; a++) {
      const from = distinctPairs;
      for (let k = starts[a]; k < starts[a + 1]; k++) {
        const b = others[k];
        if (slot[b] >= from) length[slot[b]] += lengths[k];
        else {
          slot[b] = distinctPairs;
          first[distinctPairs] = a;
          second[distinctPairs] = b;
          length[distinctPairs++] = lengths[k];
        }
      }
    }
    this.pairs = distinctPairs;
  }

  private collect(lambda: number): Segmentation {
    const { forest, ids, count } = this;
    const number = new Uint32Array(count);
    let left = 0;
    for (let r = 0; r < count; r++) if (forest.isRoot(r)) number[r] = left++;
    const means = new Float64Array(left * 3);
    const weights = new Float64Array(left);
    for (let r = 0; r < count; r++) {
      if (!forest.isRoot(r)) continue;
      const w = forest.weight[r];
      weights[number[r]] = w;
      means[number[r] * 3] = forest.luma[r] / w;
      means[number[r] * 3 + 1] = forest.blue[r] / w;
      means[number[r] * 3 + 2] = forest.red[r] / w;
    }
    for (let r = 0; r < count; r++) number[r] = number[forest.find(r)];
    for (let i = 0; i < ids.length; i++) ids[i] = number[ids[i]];
    return { ids, count: left, means, weights, lambda };
  }
}
