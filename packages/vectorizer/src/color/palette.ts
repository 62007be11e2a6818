import { hypot } from '../geometry/hypot.ts';
import type { Pixels } from '../pixels/bitmap.ts';
import type { Bin, Votes } from './votes.ts';
import { Histogram, toBin } from './votes.ts';

/** The colors of a picture. */
export interface Palette {
  /** Premultiplied RGBA, 4 numbers per color; colors are opaque or fully clear. */
  palette: Float64Array;
  count: number;
  /** Index of the clear color, or -1. */
  clear: number;
}

/** Colors closer than this in OKLab are one color: drawn tints differ by more, noise and rounding by less. */
const SAME_COLOR = 0.022;
/** OKLab distance of the bands of a smooth ramp: large enough for few bands, small enough to look like the ramp. */
const BAND_STEP = 0.055;
/** A color of its own has this many times the votes that lie midway to the next one. */
const VALLEY = 16;
/** Byte levels to each side within which votes lie on the way from one color to another. */
const SPREAD = 16;
/**
 * Byte levels of luma, or of all channels together, by which two such colors differ at least. Bins are 8 levels wide,
 * and compression spreads colors more than luma.
 */
const LUMA_APART = 8;
const TONE_APART = 24;
/** Pixels of a paint, at least: fewer are a speck. */
const LEAST_OF_PAINT = 6;

/** Finds the palette from the votes: the peaks of the histograms first, then the means around them. */
export function findPalette(pixels: Pixels, votes: Votes, noise: number, maxColors: number): Palette {
  const { flat, ramp, firm, clear: clearVotes } = votes;
  const size = pixels.width * pixels.height;
  const same = SAME_COLOR + 0.018 * noise;
  const isTonal = ramp.total > 0.3 * flat.total;
  const choices: Bin[] = [];
  const least = Math.max(6, size * (noise > 0 ? 0.00015 : 0.00001));
  const enough = Math.max(12, size * 0.00005);
  const plenty = Math.max(64, size * 0.0004);
  const bins = flat.listFullestFirst();
  for (const bin of bins) {
    if (bin.count < least) break;
    // In a noisy picture, a small flat area between two colors is where ringing happens to level out.
    if (noise > 0 && firm.support(bin) < enough && isBlur(choices, bin, noise)) continue;
    const isPeak = noise > 0 && bin.count >= plenty && isBeyondValley(bins, choices, bin, same);
    addIfApart(choices, bin, isPeak ? SAME_COLOR : same);
  }
  addRareColors(choices, votes, noise, enough, Math.max(4, least * 0.5), Math.max(0.08, 2 * same));
  for (const bin of ramp.listFullestFirst()) {
    if (bin.count < Math.max(12, size * 0.0001)) break;
    // In drawn art, a rare tone between two others is a dense pattern of both; in a photograph it is a tone.
    if (!isTonal && bin.count < 0.001 * size && isMixOf(choices, bin)) continue;
    addIfApart(choices, bin, isTonal ? BAND_STEP : Math.max(BAND_STEP, same));
  }
  if (choices.length + (clearVotes ? 1 : 0) < 2) addMostFrequent(pixels, choices, clearVotes > 0);

  const everything = [...flat.listFullestFirst(), ...ramp.listFullestFirst()];
  const room = maxColors - (clearVotes > 0 ? 1 : 0);
  const means = refine(choices, everything);
  for (const bin of means) unclip(bin, noise);
  const finalColors = mergeClosest(dropTwins(means), Math.max(1, room));
  finalColors.sort((p, q) => q.count - p.count || p.key - q.key);

  const count = finalColors.length + (clearVotes > 0 ? 1 : 0);
  const palette = new Float64Array(count * 4);
  for (let k = 0; k < finalColors.length; k++)
    palette.set([finalColors[k].red, finalColors[k].green, finalColors[k].blue, 255], k * 4);
  return { palette, count, clear: clearVotes > 0 ? count - 1 : -1 };
}

/**
 * Returns the palette of an opaque picture that was drawn in known paints, three bytes each: those that are in it, the
 * most frequent first. Undefined where they are more than `maxColors`. Linear in pixels.
 */
export function findPaints({ data }: Pixels, paints: ArrayLike<number>, maxColors: number): Palette | undefined {
  const counts = Array.from({ length: paints.length / 3 }, (_, k) => ({ k, count: 0 }));
  for (let i = 0; i < data.length; i += 4) {
    for (const paint of counts) {
      const at = paint.k * 3;
      if (data[i] !== paints[at] || data[i + 1] !== paints[at + 1] || data[i + 2] !== paints[at + 2]) continue;
      paint.count++;
      break;
    }
  }
  const present = counts.filter(({ count }) => count >= LEAST_OF_PAINT).sort((p, q) => q.count - p.count || p.k - q.k);
  if (present.length < 2 || present.length > maxColors) return undefined;
  const palette = Float64Array.from({ length: present.length * 4 }, (_, i) =>
    i % 4 < 3 ? paints[present[i >> 2].k * 3 + (i % 4)] : 255,
  );
  return { palette, count: present.length, clear: -1 };
}

/** Returns the distance of two colors in OKLab. */
export function distance(p: Bin, q: Bin): number {
  return Math.hypot(p.L - q.L, p.a - q.a, p.b - q.b);
}

function distanceToNearest(choices: Bin[], bin: Bin): number {
  let nearest = Infinity;
  for (const other of choices) nearest = Math.min(nearest, distance(other, bin));
  return nearest;
}

/** Adds the bin as a new color unless a chosen color is near. There are at most 256 choices. */
function addIfApart(choices: Bin[], bin: Bin, apart: number): void {
  if (choices.length < 256 && distanceToNearest(choices, bin) >= apart) choices.push({ ...bin });
}

/**
 * Returns true when few votes lie midway between the bin and each chosen color within `same` of it: then it is a color
 * of its own. Noise around one color has the fewer votes the farther out, and a ramp has about as many at each tone.
 */
function isBeyondValley(bins: Bin[], choices: Bin[], bin: Bin, same: number): boolean {
  return choices.every((other) => {
    if (distance(other, bin) > same) return true;
    const red = bin.red - other.red;
    const green = bin.green - other.green;
    const blue = bin.blue - other.blue;
    const span = red * red + green * green + blue * blue;
    if (Math.abs(lumaOf(bin) - lumaOf(other)) < LUMA_APART && span < TONE_APART ** 2) return false;
    let midway = 0;
    let near = 0;
    for (const { count, red: r, green: g, blue: b } of bins) {
      const t = ((r - other.red) * red + (g - other.green) * green + (b - other.blue) * blue) / span;
      if (t < 0.3 || t > 1.3) continue;
      const off = hypot(hypot(r - other.red - t * red, g - other.green - t * green), b - other.blue - t * blue);
      if (off > SPREAD) continue;
      if (t < 0.7) midway += count;
      else near += count;
    }
    return midway * VALLEY <= near;
  });
}

/**
 * Adds the colors of strokes and of areas too small to be flat, the purest first: the farther a color is from the
 * chosen ones, the less likely it is a mix of them.
 */
function addRareColors(
  choices: Bin[],
  { core, firm }: Votes,
  noise: number,
  enough: number,
  least: number,
  apart: number,
): void {
  let since = 0; // choices from this index on have not been compared with the remaining bins
  const isMix = (bin: Bin): boolean => (noise > 0 ? isBlur(choices, bin, noise, since) : isMixOf(choices, bin, since));
  let rare: (Bin & { isFirm?: boolean })[] = core.listFullestFirst().filter((bin) => bin.count >= least);
  if (noise > 0) {
    for (const bin of firm.listFullestFirst()) {
      const count = firm.support(bin);
      if (count >= least) rare.push({ ...bin, count, isFirm: count >= 2 * enough });
    }
  }
  for (let round = 0; round < 16; round++) {
    let best: Bin | undefined;
    let bestScore = 0;
    rare = rare.filter((bin) => distanceToNearest(choices, bin) >= apart && (bin.isFirm || !isMix(bin)));
    since = choices.length;
    for (const bin of rare) {
      const score = Math.min(distanceToNearest(choices, bin), 2) * Math.min(1, bin.count / 24);
      if (score > bestScore) {
        bestScore = score;
        best = bin;
      }
    }
    if (!best) break;
    choices.push(best);
  }
}

/**
 * Returns true when blur and compression between two chosen colors give the bin's color. Chroma at half resolution lags
 * behind luma, so luma and chroma may be mixed in different proportions, and luma rings past both ends. Skips pairs of
 * colors before index `since`.
 */
function isBlur(choices: Bin[], bin: Bin, noise: number, since = 0): boolean {
  const luma = lumaOf(bin);
  const off = 8 + 2 * noise;
  for (let m = 0; m < choices.length; m++) {
    const p = choices[m];
    const pLuma = lumaOf(p);
    const pRed = p.red - pLuma;
    const pBlue = p.blue - pLuma;
    for (let n = Math.max(m + 1, since); n < choices.length; n++) {
      const q = choices[n];
      const qLuma = lumaOf(q);
      const ring = 6 + 0.1 * Math.abs(pLuma - qLuma);
      if (luma < Math.min(pLuma, qLuma) - ring || luma > Math.max(pLuma, qLuma) + ring) continue;
      const red = q.red - qLuma - pRed;
      const blue = q.blue - qLuma - pBlue;
      const span = red * red + blue * blue + 1;
      const ownRed = bin.red - luma - pRed;
      const ownBlue = bin.blue - luma - pBlue;
      const t = Math.max(0, Math.min(1, (ownRed * red + ownBlue * blue) / span));
      if (hypot(ownRed - t * red, ownBlue - t * blue) < off + 0.1 * Math.sqrt(span)) return true;
    }
  }
  return false;
}

const lumaOf = ({ red, green, blue }: Bin): number => 0.299 * red + 0.587 * green + 0.114 * blue;

/**
 * Returns true when a mix of two chosen colors in sRGB gives the bin's color. Skips pairs of colors before index
 * `since`.
 */
function isMixOf(choices: Bin[], bin: Bin, since = 0): boolean {
  for (let m = 0; m < choices.length; m++) {
    for (let n = Math.max(m + 1, since); n < choices.length; n++) {
      const p = choices[m];
      const q = choices[n];
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

/** Adds the most frequent colors of all pixels, for a picture without flat areas. */
function addMostFrequent(pixels: Pixels, choices: Bin[], hasClear: boolean): void {
  const all = new Histogram();
  for (let i = 0; i < pixels.data.length; i += 4) {
    if (pixels.data[i + 3] >= 128) all.add(unpremultiply(pixels.data, i), 0, 1);
  }
  const bins = all.listFullestFirst();
  for (const bin of bins.slice(0, 512)) addIfApart(choices, bin, 0.12);
  if (choices.length === 0 && bins.length > 0) choices.push(bins[0]);
  choices.splice(hasClear ? 15 : 16);
}

function unpremultiply(data: Uint8ClampedArray, i: number): Uint8ClampedArray {
  const scale = 255 / data[i + 3];
  return Uint8ClampedArray.of(data[i] * scale, data[i + 1] * scale, data[i + 2] * scale, 255);
}

/**
 * Corrects a mean for clipping: noise is clipped at 0 and 255, which pulls the mean of a color there away from the end
 * by 0.4 of the noise's deviation (its mean above zero), 0.8 of what is left after denoising. A channel so near is set
 * to the end.
 */
function unclip(bin: Bin, noise: number): void {
  if (noise === 0) return;
  const reach = 2.5 + 0.8 * noise;
  const settle = (value: number): number => (value < reach ? 0 : value > 255 - reach ? 255 : value);
  bin.red = settle(bin.red);
  bin.green = settle(bin.green);
  bin.blue = settle(bin.blue);
}

/** Merges colors that have become equal. */
function dropTwins(colors: Bin[]): Bin[] {
  const distinct: Bin[] = [];
  for (const bin of colors) {
    const twin = distinct.find(
      (other) => other.red === bin.red && other.green === bin.green && other.blue === bin.blue,
    );
    if (twin) twin.count += bin.count;
    else distinct.push(bin);
  }
  return distinct;
}

/** Runs two rounds of k-means over the bins: every color becomes the mean of the votes nearest to it. */
function refine(choices: Bin[], votes: Bin[]): Bin[] {
  let colors = choices;
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
      if (bestDistance > 0.06) continue; // too far away to be the same paint
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

/** Merges the pair of colors with the least increase of the squared error (Ward's method) until `most` are left. */
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
