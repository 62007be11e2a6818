import type { Pixels } from './bitmap.ts';
import { weighLuma, writeLuma } from './bitmap.ts';
import { writeOklab } from './color.ts';
import type { Settings } from './options.ts';

/**
 * Finds the colours of a picture and gives every pixel one of them.
 *
 * Only pixels that show a colour unmixed may found one: those of flat places, and the cores of strokes too thin to have
 * a flat place. A pixel on the way from one side of an edge to the other is a mix of the two; it founds nothing and takes the
 * label of the side that covers more of it.
 */
export interface Quantized {
  /** Premultiplied RGBA, 4 numbers a colour; colours are opaque or wholly clear. */
  palette: Float64Array;
  count: number;
  /** Palette index of each pixel. */
  labels: Uint8Array;
  /** Index of the clear colour, or -1. */
  clear: number;
  /** Pixels and palette in the space in which mixes are measured. */
  measured: Pixels;
  measuredPalette: Float64Array;
}

const FLAT = 1;
const CORE = 2;
const MIXED = 0;

/** Colours closer than this in OKLab are one colour; drawn tints differ by more, noise and rounding by less. */
const SAME_COLOR = 0.022;
/** Bands cut from a smooth ramp are this far apart: enough to be few, little enough to look like the ramp. */
const BAND_STEP = 0.055;

export function quantize(pixels: Pixels, noise: number, settings: Settings): Quantized {
  const kinds = classifyPixels(pixels, noise);
  const found =
    settings.colorMode === 'monochrome' ? findTwoTones(pixels) : findPalette(pixels, kinds, noise, settings.maxColors);
  const measured = noise > 0 ? weighLuma(pixels) : pixels;
  const measuredPalette = noise > 0 ? weighPalette(found.palette, found.count) : found.palette;
  const labels = labelPixels(pixels, kinds, found.palette, found.count, measured, measuredPalette, noise);
  return { ...found, labels, measured, measuredPalette };
}

function weighPalette(palette: Float64Array, count: number): Float64Array {
  const out = new Float64Array(count * 4);
  for (let i = 0; i < count * 4; i += 4) writeLuma(palette[i], palette[i + 1], palette[i + 2], palette[i + 3], out, i);
  return out;
}

/**
 * Tells flat pixels from stroke cores and mixes. A pixel is a mix when some pair of opposite neighbours has it between
 * them: on the straight line from one colour to the other, and at neither end.
 */
function classifyPixels(pixels: Pixels, noise: number): Uint8Array {
  const { width, height, data } = pixels;
  const words = new Uint32Array(data.buffer, data.byteOffset, width * height); // whole pixels, to compare for equality
  const kinds = new Uint8Array(width * height);
  const flatStep = 6 + 3 * noise;
  const leastContrast = (14 + 6 * noise) ** 2;
  const row = width * 4;
  const pairs = [4, row, row + 4, row - 4];
  for (let y = 0, p = 0; y < height; y++) {
    for (let x = 0; x < width; x++, p++) {
      const i = p * 4;
      if (x === 0 || y === 0 || x === width - 1 || y === height - 1) {
        kinds[p] = classifyBorderPixel(pixels, x, y, flatStep);
        continue;
      }
      const word = words[p];
      const isEven =
        word === words[p - 1] &&
        word === words[p + 1] &&
        word === words[p - width] &&
        word === words[p + width] &&
        word === words[p - width - 1] &&
        word === words[p - width + 1] &&
        word === words[p + width - 1] &&
        word === words[p + width + 1];
      if (isEven && noise === 0) {
        kinds[p] = FLAT;
        continue;
      }
      if (noise > 0 && isOnWideEdge(pixels, x, y, leastContrast)) continue;
      let kind = FLAT;
      for (let k = 0; k < 4 && kind === FLAT; k++) {
        if (!isNear(data, i, i + pairs[k], flatStep) || !isNear(data, i, i - pairs[k], flatStep)) kind = CORE;
      }
      for (let k = 0; k < 4 && kind === CORE; k++) {
        if (isBetween(data, i, i - pairs[k], i + pairs[k], leastContrast)) kind = MIXED;
      }
      kinds[p] = kind;
    }
  }
  return kinds;
}

/** Whether the colour at i lies on the line between those at a and b, and near neither. */
function isBetween(data: Uint8ClampedArray, i: number, a: number, b: number, leastContrast: number): boolean {
  const v0 = data[b] - data[a];
  const v1 = data[b + 1] - data[a + 1];
  const v2 = data[b + 2] - data[a + 2];
  const v3 = data[b + 3] - data[a + 3];
  const span = v0 * v0 + v1 * v1 + v2 * v2 + v3 * v3;
  if (span < leastContrast) return false;
  const w0 = data[i] - data[a];
  const w1 = data[i + 1] - data[a + 1];
  const w2 = data[i + 2] - data[a + 2];
  const w3 = data[i + 3] - data[a + 3];
  const t = (w0 * v0 + w1 * v1 + w2 * v2 + w3 * v3) / span;
  if (t < 0.06 || t > 0.94) return false;
  return w0 * w0 + w1 * w1 + w2 * w2 + w3 * w3 - t * t * span < 0.04 * span + 16;
}

/** Blurred edges and halved chroma mix over several pixels: the sides are looked for three pixels away too. */
function isOnWideEdge(pixels: Pixels, x: number, y: number, leastContrast: number): boolean {
  const { width, height, data } = pixels;
  if (x < 3 || y < 3 || x >= width - 3 || y >= height - 3) return false;
  const i = (y * width + x) * 4;
  const row = width * 12;
  for (const d of [12, row, row + 12, row - 12]) {
    if (isBetween(data, i, i - d, i + d, 2 * leastContrast)) return true;
  }
  return false;
}

/** On the border only the neighbours that exist can speak. */
function classifyBorderPixel(pixels: Pixels, x: number, y: number, flatStep: number): number {
  const { width, height, data } = pixels;
  const i = (y * width + x) * 4;
  for (let dy = -1; dy <= 1; dy++) {
    for (let dx = -1; dx <= 1; dx++) {
      if (x + dx < 0 || y + dy < 0 || x + dx >= width || y + dy >= height) continue;
      if (!isNear(data, i, i + (dy * width + dx) * 4, flatStep)) return CORE;
    }
  }
  return FLAT;
}

function isNear(data: Uint8ClampedArray, i: number, j: number, step: number): boolean {
  return (
    Math.abs(data[i] - data[j]) <= step &&
    Math.abs(data[i + 1] - data[j + 1]) <= step &&
    Math.abs(data[i + 2] - data[j + 2]) <= step &&
    Math.abs(data[i + 3] - data[j + 3]) <= step
  );
}

interface Palette {
  palette: Float64Array;
  count: number;
  clear: number;
}

interface Bin {
  key: number;
  count: number;
  red: number;
  green: number;
  blue: number;
  L: number;
  a: number;
  b: number;
}

/** Votes of flat pixels and stroke cores in 5-bit bins, then the peaks of the votes, then their means. */
function findPalette(pixels: Pixels, kinds: Uint8Array, noise: number, maxColors: number): Palette {
  const { width, height, data } = pixels;
  const size = width * height;
  const flat = new Histogram();
  const ramp = new Histogram();
  const core = new Histogram();
  let clearVotes = 0;
  const words = new Uint32Array(data.buffer, data.byteOffset, size);
  const still = 1 + 2 * noise;
  for (let y = 0, p = 0; y < height; y++) {
    for (let x = 0; x < width; x++, p++) {
      const kind = kinds[p];
      if (kind === MIXED) continue;
      const i = p * 4;
      if (data[i + 3] < 8) {
        clearVotes++;
        continue;
      }
      if (data[i + 3] < 250) continue;
      if (kind === FLAT) {
        let run = 1; // equal neighbours in a row vote together
        while (x + 1 < width && words[p + 1] === words[p] && kinds[p + 1] === FLAT) {
          x++;
          p++;
          run++;
        }
        if (run > 1) {
          flat.add(data, i, run);
          continue;
        }
        const right = x + 1 < width ? i + 4 : i;
        const below = y + 1 < height ? i + width * 4 : i;
        (isNear(data, i, right, still) && isNear(data, i, below, still) ? flat : ramp).add(data, i, 1);
      } else if (isStrokeCore(pixels, x, y, still + 5)) core.add(data, i, 1);
    }
  }

  const same = SAME_COLOR + 0.018 * noise;
  const isTonal = ramp.total > 0.3 * flat.total;
  const chosen: Bin[] = [];
  const least = Math.max(6, size * (noise > 0 ? 0.00015 : 0.00001));
  for (const bin of flat.sorted()) {
    if (bin.count < least) break;
    // In a noisy picture a small flat place between two colours is where ringing happens to level out.
    if (noise > 0 && flat.support(bin) < 0.004 * size && isMixOf(chosen, bin)) continue;
    found(chosen, bin, same);
  }
  // The purest strokes first: the farther from what is known, the less likely a mix.
  const strokes = core.sorted().filter((bin) => bin.count >= Math.max(4, least * 0.5));
  for (let round = 0; round < 16; round++) {
    let best: Bin | undefined;
    let bestScore = 0;
    for (const bin of strokes) {
      const apart = Math.min(distanceToNearest(chosen, bin), 2);
      if (apart < Math.max(0.08, 2 * same) || isMixOf(chosen, bin)) continue;
      const score = apart * Math.min(1, bin.count / 24);
      if (score > bestScore) {
        bestScore = score;
        best = bin;
      }
    }
    if (!best) break;
    chosen.push(best);
  }
  for (const bin of ramp.sorted()) {
    if (bin.count < Math.max(12, size * 0.0001)) break;
    // In drawn art a rare tone between two others is a dense pattern of both; in a photograph it is a tone.
    if (!isTonal && bin.count < 0.001 * size && isMixOf(chosen, bin)) continue;
    found(chosen, bin, isTonal ? BAND_STEP : Math.max(BAND_STEP, same));
  }
  if (chosen.length + (clearVotes ? 1 : 0) < 2) addMostFrequent(pixels, chosen, clearVotes > 0);

  const everything = [...flat.sorted(), ...ramp.sorted()];
  const room = maxColors - (clearVotes > 0 ? 1 : 0);
  const refined = refine(chosen, everything);
  for (const bin of refined) unclip(bin, noise);
  const settled = mergeClosest(dropTwins(refined), Math.max(1, room));
  settled.sort((p, q) => q.count - p.count || p.key - q.key);

  const count = settled.length + (clearVotes > 0 ? 1 : 0);
  const palette = new Float64Array(count * 4);
  for (let k = 0; k < settled.length; k++) palette.set([settled[k].red, settled[k].green, settled[k].blue, 255], k * 4);
  return { palette, count, clear: clearVotes > 0 ? count - 1 : -1 };
}

class Histogram {
  total = 0;
  private readonly counts = new Uint32Array(32768);
  private readonly sums = new Float64Array(32768 * 3);

  add(data: Uint8ClampedArray, i: number, times: number): void {
    const key = ((data[i] >> 3) << 10) | ((data[i + 1] >> 3) << 5) | (data[i + 2] >> 3);
    this.total += times;
    this.counts[key] += times;
    this.sums[key * 3] += times * data[i];
    this.sums[key * 3 + 1] += times * data[i + 1];
    this.sums[key * 3 + 2] += times * data[i + 2];
  }

  /** Votes of a bin and those that touch it: noise spreads one colour over several. */
  support(bin: Bin): number {
    const red = bin.key >> 10;
    const green = (bin.key >> 5) & 31;
    const blue = bin.key & 31;
    let sum = 0;
    for (let r = Math.max(0, red - 1); r <= Math.min(31, red + 1); r++) {
      for (let g = Math.max(0, green - 1); g <= Math.min(31, green + 1); g++) {
        for (let b = Math.max(0, blue - 1); b <= Math.min(31, blue + 1); b++)
          sum += this.counts[(r << 10) | (g << 5) | b];
      }
    }
    return sum;
  }

  /** Bins with votes, the fullest first; equal ones by key, so that the order is always the same. */
  sorted(): Bin[] {
    const bins: Bin[] = [];
    for (let key = 0; key < 32768; key++) {
      const count = this.counts[key];
      if (count === 0) continue;
      bins.push(
        toBin(key, count, this.sums[key * 3] / count, this.sums[key * 3 + 1] / count, this.sums[key * 3 + 2] / count),
      );
    }
    return bins.sort((p, q) => q.count - p.count || p.key - q.key);
  }
}

function toBin(key: number, count: number, red: number, green: number, blue: number): Bin {
  const lab = new Float64Array(3);
  writeOklab(red, green, blue, lab, 0);
  return { key, count, red, green, blue, L: lab[0], a: lab[1], b: lab[2] };
}

function distance(p: Bin, q: Bin): number {
  return Math.hypot(p.L - q.L, p.a - q.a, p.b - q.b);
}

function distanceToNearest(chosen: Bin[], bin: Bin): number {
  let nearest = Infinity;
  for (const other of chosen) nearest = Math.min(nearest, distance(other, bin));
  return nearest;
}

/** Takes the bin as a new colour unless it is near one already chosen. At most 256 colours are ever founded. */
function found(chosen: Bin[], bin: Bin, apart: number): void {
  if (chosen.length < 256 && distanceToNearest(chosen, bin) >= apart) chosen.push({ ...bin });
}

/** A stroke core goes on in one direction, and ends on both sides across it. */
function isStrokeCore(pixels: Pixels, x: number, y: number, step: number): boolean {
  const { width, height, data } = pixels;
  if (x < 1 || y < 1 || x >= width - 1 || y >= height - 1) return false;
  const i = (y * width + x) * 4;
  const row = width * 4;
  for (const d of [4, row, row + 4, row - 4]) {
    if (isNear(data, i, i - d, step) && isNear(data, i, i + d, step)) return true;
  }
  return false;
}

/** Whether two chosen colours mixed in sRGB give the bin's colour. */
function isMixOf(chosen: Bin[], bin: Bin): boolean {
  for (let m = 0; m < chosen.length; m++) {
    for (let n = m + 1; n < chosen.length; n++) {
      const p = chosen[m];
      const q = chosen[n];
      const r = q.red - p.red;
      const g = q.green - p.green;
      const b = q.blue - p.blue;
      const span = r * r + g * g + b * b;
      const t = ((bin.red - p.red) * r + (bin.green - p.green) * g + (bin.blue - p.blue) * b) / span;
      if (t < 0 || t > 1) continue;
      const off =
        (bin.red - p.red - t * r) ** 2 + (bin.green - p.green - t * g) ** 2 + (bin.blue - p.blue - t * b) ** 2;
      if (off < 14 * 14) return true;
    }
  }
  return false;
}

/** Nothing is flat: the most frequent colours of all pixels stand in. */
function addMostFrequent(pixels: Pixels, chosen: Bin[], hasClear: boolean): void {
  const all = new Histogram();
  for (let i = 0; i < pixels.data.length; i += 4) {
    if (pixels.data[i + 3] >= 128) all.add(unpremultiplied(pixels.data, i), 0, 1);
  }
  const bins = all.sorted();
  for (const bin of bins.slice(0, 512)) found(chosen, bin, 0.12);
  if (chosen.length === 0 && bins.length > 0) chosen.push(bins[0]);
  chosen.splice(hasClear ? 15 : 16);
}

function unpremultiplied(data: Uint8ClampedArray, i: number): Uint8ClampedArray {
  const scale = 255 / data[i + 3];
  return Uint8ClampedArray.of(data[i] * scale, data[i + 1] * scale, data[i + 2] * scale, 255);
}

/** Noise is cut off at black and white, which pulls a mean away from them: a channel within reach of an end goes to it. */
function unclip(bin: Bin, noise: number): void {
  if (noise === 0) return;
  const reach = 2.5 + 3 * noise;
  const settle = (value: number): number => (value < reach ? 0 : value > 255 - reach ? 255 : value);
  bin.red = settle(bin.red);
  bin.green = settle(bin.green);
  bin.blue = settle(bin.blue);
}

/** Colours that have become equal are one. */
function dropTwins(colors: Bin[]): Bin[] {
  const kept: Bin[] = [];
  for (const bin of colors) {
    const twin = kept.find((other) => other.red === bin.red && other.green === bin.green && other.blue === bin.blue);
    if (twin) twin.count += bin.count;
    else kept.push(bin);
  }
  return kept;
}

/** Two rounds of k-means over bins: every colour becomes the mean of the votes nearest to it. */
function refine(chosen: Bin[], votes: Bin[]): Bin[] {
  let colors = chosen;
  for (let round = 0; round < 2; round++) {
    const sums = colors.map(() => ({ count: 0, red: 0, green: 0, blue: 0 }));
    for (const bin of votes) {
      let best = 0;
      let bestDistance = Infinity;
      for (let k = 0; k < colors.length; k++) {
        const d = distance(colors[k], bin);
        if (d < bestDistance) {
          bestDistance = d;
          best = k;
        }
      }
      if (bestDistance > 0.06) continue; // too far to be the same paint
      const sum = sums[best];
      sum.count += bin.count;
      sum.red += bin.count * bin.red;
      sum.green += bin.count * bin.green;
      sum.blue += bin.count * bin.blue;
    }
    colors = colors.map((color, k) => {
      const { count, red, green, blue } = sums[k];
      return count > 0 ? toBin(color.key, count, red / count, green / count, blue / count) : color;
    });
  }
  return colors;
}

/** Merges the two colours whose union moves the fewest pixels the least (Ward), until `most` are left. */
function mergeClosest(colors: Bin[], most: number): Bin[] {
  const left = [...colors];
  while (left.length > most) {
    let bestM = 0;
    let bestN = 1;
    let best = Infinity;
    for (let m = 0; m < left.length; m++) {
      for (let n = m + 1; n < left.length; n++) {
        const p = left[m];
        const q = left[n];
        const d = distance(p, q);
        const cost = (d * d * p.count * q.count) / (p.count + q.count);
        if (cost < best) {
          best = cost;
          bestM = m;
          bestN = n;
        }
      }
    }
    const p = left[bestM];
    const q = left[bestN];
    const count = p.count + q.count;
    const mean = (a: number, b: number): number => (a * p.count + b * q.count) / count;
    left[bestM] = toBin(p.key, count, mean(p.red, q.red), mean(p.green, q.green), mean(p.blue, q.blue));
    left.splice(bestN, 1);
  }
  return left;
}

/** Ink and paper: Otsu's threshold on grey splits the histogram; each tone is the fullest level of its side. */
function findTwoTones(pixels: Pixels): Palette {
  const { data } = pixels;
  const histogram = new Float64Array(256);
  for (let i = 0; i < data.length; i += 4) histogram[data[i]]++;
  const threshold = otsu(histogram, data.length / 4);
  const ink = fullestLevel(histogram, 0, threshold);
  const paper = fullestLevel(histogram, threshold, 256);
  const palette = Float64Array.of(paper, paper, paper, 255, ink, ink, ink, 255);
  return { palette, count: 2, clear: -1 };
}

function otsu(histogram: Float64Array, total: number): number {
  let sum = 0;
  for (let i = 0; i < 256; i++) sum += i * histogram[i];
  let below = 0;
  let belowSum = 0;
  let best = -1;
  let first = 128;
  let last = 128;
  for (let i = 0; i < 255; i++) {
    below += histogram[i];
    belowSum += i * histogram[i];
    if (below === 0 || below === total) continue;
    const gap = belowSum / below - (sum - belowSum) / (total - below);
    const score = below * (total - below) * gap * gap;
    if (score > best * (1 + 1e-12)) {
      best = score;
      first = i;
    }
    if (score >= best * (1 - 1e-12)) last = i;
  }
  return Math.floor((first + last) / 2) + 1;
}

function fullestLevel(histogram: Float64Array, from: number, to: number): number {
  let best = from === 0 ? 0 : 255;
  let most = 0;
  for (let i = from; i < to; i++) {
    let sum = 0;
    for (let k = Math.max(from, i - 2); k <= Math.min(to - 1, i + 2); k++) sum += histogram[k];
    if (sum > most) {
      most = sum;
      best = i;
    }
  }
  return best;
}

const UNKNOWN = 255;

/**
 * Pure pixels take the nearest colour. The others wait until a pixel within two steps is known, ring by ring, and take the
 * larger share of the pair of near colours that explains them best.
 */
function labelPixels(
  pixels: Pixels,
  kinds: Uint8Array,
  palette: Float64Array,
  count: number,
  measured: Pixels,
  measuredPalette: Float64Array,
  noise: number,
): Uint8Array {
  const { width, height, data } = pixels;
  const size = width * height;
  const labels = new Uint8Array(size);
  if (count === 1) return labels;

  const matcher = createMatcher(palette, count);
  const state = new Uint8Array(size); // 1 once labelled
  const words = new Uint32Array(data.buffer, data.byteOffset, size);
  const near = (10 + 4 * noise) ** 2 * 3;
  let waiting = 0;
  for (let p = 0; p < size; p++) {
    if (kinds[p] === MIXED) {
      waiting++;
      continue;
    }
    if (p > 0 && words[p] === words[p - 1] && kinds[p] === FLAT && kinds[p - 1] === FLAT) {
      labels[p] = labels[p - 1];
      state[p] = 1;
      continue;
    }
    const label = matcher(data, p * 4);
    if (kinds[p] === FLAT || squaredDistance(data, p * 4, palette, label * 4) < near) {
      labels[p] = label;
      state[p] = 1;
    } else waiting++;
  }
  if (waiting === 0) return labels;
  if (waiting === size) {
    for (let p = 0; p < size; p++) labels[p] = matcher(data, p * 4);
    return labels;
  }

  let ring = new Uint32Array(waiting);
  let ringLength = 0;
  for (let p = 0; p < size; p++) if (state[p] === 0) ring[ringLength++] = p;
  const candidates = new Uint8Array(24);
  const seen = new Int32Array(count).fill(-1);
  const decided = new Uint8Array(waiting);
  const mix: Mix = { more: 0, less: 0, share: 1 };
  const faint = 0.7 - Math.min(0.15, 0.01 * noise);
  for (let round = 0; round < 4 && ringLength > 0; round++) {
    let solved = 0;
    for (let k = 0; k < ringLength; k++) {
      const p = ring[k];
      const x = p % width;
      const y = (p - x) / width;
      let found = 0;
      for (let dy = -2; dy <= 2; dy++) {
        if (y + dy < 0 || y + dy >= height) continue;
        for (let dx = -2; dx <= 2; dx++) {
          if (x + dx < 0 || x + dx >= width) continue;
          const q = p + dy * width + dx;
          if (state[q] !== 1 || seen[labels[q]] === p) continue;
          seen[labels[q]] = p;
          if (found < 24) candidates[found++] = labels[q];
        }
      }
      decided[k] = UNKNOWN;
      if (found > 0) {
        explain(measured.data, p * 4, measuredPalette, count, candidates, found, near, mix);
        decided[k] = mix.share < faint && isRidge(measured, measuredPalette, x, y, mix) ? mix.less : mix.more;
      }
      if (found > 0) state[p] = 2;
    }
    // Labels become visible only when the ring is complete, so the order of the scan does not matter.
    let rest = 0;
    for (let k = 0; k < ringLength; k++) {
      const p = ring[k];
      if (state[p] === 2) {
        labels[p] = decided[k];
        state[p] = 1;
        solved++;
      } else ring[rest++] = p;
    }
    seen.fill(-1);
    ringLength = rest;
    if (solved === 0) break;
  }
  for (let k = 0; k < ringLength; k++) labels[ring[k]] = matcher(data, ring[k] * 4);
  ring = new Uint32Array(0);
  return labels;
}

/** A pixel as a mix: the label with the larger share, the other one, and the larger share, 0.5..1. */
interface Mix {
  more: number;
  less: number;
  share: number;
}

/** Finds the best explanation of a pixel: one near colour, two near ones mixed, or one near and one of the palette. */
function explain(
  data: Uint8ClampedArray,
  i: number,
  palette: Float64Array,
  count: number,
  candidates: Uint8Array,
  found: number,
  near: number,
  out: Mix,
): void {
  let best = Infinity;
  const settle = (a: number, b: number, t: number): void => {
    out.more = t > 0.5 ? a : b;
    out.less = t > 0.5 ? b : a;
    out.share = t > 0.5 ? t : 1 - t;
  };
  for (let m = 0; m < found; m++) {
    const d = squaredDistance(data, i, palette, candidates[m] * 4);
    if (d >= best) continue;
    best = d;
    settle(candidates[m], candidates[m], 1);
  }
  for (let m = 0; m < found; m++) {
    for (let n = m + 1; n < found; n++) {
      const t = shareOf(data, i, palette, candidates[m] * 4, candidates[n] * 4);
      const off = offLine(data, i, palette, candidates[m] * 4, candidates[n] * 4, t) + 12;
      if (off >= best) continue;
      best = off;
      settle(candidates[m], candidates[n], t);
    }
  }
  if (best <= near) return;
  for (let m = 0; m < found; m++) {
    for (let n = 0; n < count; n++) {
      if (n === candidates[m]) continue;
      const t = shareOf(data, i, palette, candidates[m] * 4, n * 4);
      const off = offLine(data, i, palette, candidates[m] * 4, n * 4, t) + near * 0.5;
      if (off >= best) continue;
      best = off;
      settle(candidates[m], n, t);
    }
  }
}

/**
 * Whether the lesser colour of a mix is at its strongest here, between two sides where it is weaker: a line thinner than half a
 * pixel, which keeps its pixels so that it stays in one piece.
 */
function isRidge(pixels: Pixels, palette: Float64Array, x: number, y: number, mix: Mix): boolean {
  const { width, height, data } = pixels;
  if (x < 2 || y < 2 || x >= width - 2 || y >= height - 2) return false;
  const i = (y * width + x) * 4;
  const row = width * 4;
  const here = 1 - mix.share;
  const less = mix.less * 4;
  const more = mix.more * 4;
  const weaker = here - 0.15;
  for (const d of [4, row, row + 4, row - 4]) {
    const before = shareOf(data, i - d, palette, less, more);
    const after = shareOf(data, i + d, palette, less, more);
    if (before > here || after > here) continue;
    const dropsBefore = before < weaker || shareOf(data, i - 2 * d, palette, less, more) < weaker;
    const dropsAfter = after < weaker || shareOf(data, i + 2 * d, palette, less, more) < weaker;
    if (dropsBefore && dropsAfter && (before < weaker || after < weaker)) return true;
  }
  return false;
}

/** How much of the colour at `i` is palette colour `a` when the rest is `b`, 0..1. */
function shareOf(data: Uint8ClampedArray, i: number, palette: Float64Array, a: number, b: number): number {
  let dot = 0;
  let span = 0;
  for (let c = 0; c < 4; c++) {
    const v = palette[a + c] - palette[b + c];
    dot += (data[i + c] - palette[b + c]) * v;
    span += v * v;
  }
  const t = dot / span;
  return Math.max(0, Math.min(1, t));
}

function offLine(data: Uint8ClampedArray, i: number, palette: Float64Array, a: number, b: number, t: number): number {
  let sum = 0;
  for (let c = 0; c < 4; c++) {
    const d = data[i + c] - (t * palette[a + c] + (1 - t) * palette[b + c]);
    sum += d * d;
  }
  return sum;
}

function squaredDistance(data: Uint8ClampedArray, i: number, palette: Float64Array, a: number): number {
  let sum = 0;
  for (let c = 0; c < 4; c++) {
    const d = data[i + c] - palette[a + c];
    sum += d * d;
  }
  return sum;
}

/** Nearest palette colour of a pixel, remembered per 6-bit colour so that a picture of any size asks few questions. */
function createMatcher(palette: Float64Array, count: number): (data: Uint8ClampedArray, i: number) => number {
  const known = new Int16Array(1 << 19).fill(-1);
  const lab = new Float64Array(count * 3);
  for (let k = 0; k < count; k++) writeOklab(palette[k * 4], palette[k * 4 + 1], palette[k * 4 + 2], lab, k * 3);
  const own = new Float64Array(3);
  return (data, i) => {
    const solid = data[i + 3] >= 128;
    const key = ((data[i] >> 2) << 12) | ((data[i + 1] >> 2) << 6) | (data[i + 2] >> 2) | (solid ? 1 << 18 : 0);
    if (known[key] >= 0) return known[key];
    writeOklab(data[i], data[i + 1], data[i + 2], own, 0);
    let best = 0;
    let bestDistance = Infinity;
    for (let k = 0; k < count; k++) {
      const apart = palette[k * 4 + 3] >= 128 === solid ? 0 : 4;
      const d = (own[0] - lab[k * 3]) ** 2 + (own[1] - lab[k * 3 + 1]) ** 2 + (own[2] - lab[k * 3 + 2]) ** 2 + apart;
      if (d < bestDistance) {
        bestDistance = d;
        best = k;
      }
    }
    known[key] = best;
    return best;
  };
}
