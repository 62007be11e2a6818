import { hypot } from '../geometry/hypot.ts';
import { giveBack, makeUint8 } from '../geometry/memory.ts';
import type { Pixels } from '../pixels/bitmap.ts';
import type { LabelMap } from './labels.ts';
import { distance, type Palette } from './palette.ts';
import type { Bin } from './votes.ts';
import { toBin } from './votes.ts';

/** Pixels to each side within which the two colors lie that blur mixes. */
const REACH = 3;
/** Where more colors than this meet, two of them can give nearly any color. */
const CROWD = 8;
/** Pixels this near to the border are left out: at the end of a drawing, its last one may be a part of a pixel. */
const BORDER = 3;
/** Pixels of an area, at least, and of those among them that lie within it on all sides. */
const LEAST_AREA = 12;
const LEAST_INNER = 4;
/** Pixels of all areas of one color, at least: in number, and as a share of the picture. */
const LEAST_OF_COLOR = 32;
const LEAST_SHARE = 0.0001;
/** Areas nearer to each other than this in OKLab have one color. A new color is at least `APART` from all others. */
const SAME = 0.05;
const APART = 0.07;

/**
 * States of a pixel: not looked at; of its label's color; explained by nothing; one of two by two pixels that nothing
 * explains; counted as part of an area.
 */
const UNKNOWN = 0;
const OWN = 1;
const OFF = 2;
const WIDE = 3;
const DONE = 4;

/**
 * Returns the palette of a noisy picture with the colors of small areas that it lacks, at most `maxColors` in all, or
 * the palette as it is.
 *
 * Blur and compression between any two colors of a picture can look like a third, so a color of few pixels counts as
 * such a blur when the palette is found: the brown of an iris as one of skin and black. Once pixels have labels, it
 * shows that there is no skin beside the iris. An area is new when its pixels have neither the color of their labels
 * nor a blend of two colors that lie, pure, within three pixels.
 *
 * `noise` is what is left in the pixels, in byte levels. Linear in pixels.
 */
export function addSmallAreas(pixels: Pixels, labelMap: LabelMap, noise: number, maxColors: number): Palette {
  const { palette, count, clear } = labelMap;
  if (count >= maxColors) return labelMap;
  const least = Math.max(LEAST_OF_COLOR, LEAST_SHARE * pixels.width * pixels.height);
  const colors: Bin[] = [];
  for (const area of findAreas(pixels, labelMap, noise)) {
    const same = colors.find((color) => distance(color, area) < SAME);
    if (same) same.count += area.count;
    else colors.push(area);
  }
  const present = Array.from({ length: count }, (_, k) =>
    toBin(k, 0, palette[4 * k], palette[4 * k + 1], palette[4 * k + 2]),
  );
  const newColors: Bin[] = [];
  for (const color of colors.sort((p, q) => q.count - p.count || p.key - q.key)) {
    if (color.count < least || count + newColors.length >= maxColors) break;
    if ([...present, ...newColors].every((other) => distance(other, color) >= APART)) newColors.push(color);
  }
  if (newColors.length === 0) return labelMap;
  const solid = clear < 0 ? count : clear;
  const more = new Float64Array(4 * (count + newColors.length));
  more.set(palette.subarray(0, 4 * solid));
  for (const [k, { red, green, blue }] of newColors.entries()) more.set([red, green, blue, 255], 4 * (solid + k));
  more.set(palette.subarray(4 * solid), 4 * (solid + newColors.length));
  return { palette: more, count: count + newColors.length, clear: clear < 0 ? clear : clear + newColors.length };
}

/** Lists the areas whose color neither labels nor blends explain. A bin's key is the area's first pixel. */
function findAreas(pixels: Pixels, labelMap: LabelMap, noise: number): Bin[] {
  const { width, height, data } = pixels;
  const state = makeUint8(width * height);
  if (!markPixels(pixels, labelMap, noise, state)) {
    giveBack(state);
    return [];
  }
  const areas: Bin[] = [];
  const stack: number[] = [];
  const step = 16 + 6 * noise;
  for (let start = state.indexOf(WIDE); start >= 0; start = state.indexOf(WIDE, start + 1)) {
    stack.push(start);
    state[start] = DONE;
    const area: number[] = [];
    for (let p = stack.pop(); p !== undefined; p = stack.pop()) {
      area.push(p);
      for (const q of [p - 1, p + 1, p - width, p + width]) {
        if (state[q] !== WIDE || levelsApart(data, p, q) > step) continue;
        state[q] = DONE;
        stack.push(q);
      }
    }
    if (area.length < LEAST_AREA) continue;
    // Pixels at the rim are blends, so the color is that of the others.
    const inner = area.filter((p) => isInner(state, p, width));
    if (inner.length < LEAST_INNER) continue;
    const [red, green, blue] = [0, 1, 2].map((c) => medianOf(data, inner, c));
    areas.push(toBin(start, area.length, red, green, blue));
  }
  giveBack(state);
  return areas;
}

/** Writes the states of the pixels. Returns false when no pixel is `WIDE`. */
function markPixels({ width, height, data }: Pixels, labelMap: LabelMap, noise: number, state: Uint8Array): boolean {
  const { labels, palette } = labelMap;
  const near = 1.5 * (10 + 4 * noise) ** 2;
  for (let p = 0; p < labels.length; p++) {
    let sum = 0;
    for (let c = 0; c < 4; c++) sum += (data[4 * p + c] - palette[4 * labels[p] + c]) ** 2;
    if (sum <= near) state[p] = OWN;
  }
  const blends = new Blends(labelMap, noise);
  for (let y = BORDER; y < height - BORDER; y++) {
    for (let p = y * width + BORDER; p < (y + 1) * width - BORDER; p++) {
      if (state[p] === UNKNOWN && !blends.explains(data, width, p, state)) state[p] = OFF;
    }
  }
  // A square of two by two pixels is wider than the rim of something.
  let isAnyWide = false;
  for (let p = state.indexOf(OFF); p >= 0 && p < state.length - width - 1; p++) {
    const right = p + 1;
    const below = p + width;
    if (state[p] < OFF || state[right] < OFF || state[below] < OFF || state[below + 1] < OFF) continue;
    state[p] = state[right] = state[below] = state[below + 1] = WIDE;
    isAnyWide = true;
  }
  return isAnyWide;
}

/** A test of pixels: may two colors nearby, blended, give the pixel's color? */
class Blends {
  private readonly labels: Uint16Array;
  private readonly noise: number;
  /** Luma, red difference and blue difference of each label. */
  private readonly tones: Float64Array;
  /** By label: the pixel for which it was listed last. */
  private readonly listedFor: Int32Array;
  private readonly list = new Int32Array(CROWD);

  constructor({ labels, palette, count }: LabelMap, noise: number) {
    this.labels = labels;
    this.noise = noise;
    this.tones = new Float64Array(3 * count);
    this.listedFor = new Int32Array(count).fill(-1);
    for (let k = 0; k < count; k++) {
      const luma = lumaAt(palette, 4 * k);
      this.tones.set([luma, palette[4 * k] - luma, palette[4 * k + 2] - luma], 3 * k);
    }
  }

  /** Returns true when a pixel may be a blend of two colors that other pixels within reach have, or too many do. */
  explains(data: Uint8ClampedArray, width: number, p: number, state: Uint8Array): boolean {
    const { labels, listedFor, list } = this;
    let count = 0;
    for (let row = -REACH; row <= REACH; row++) {
      const middle = p + row * width;
      for (let q = middle - REACH; q <= middle + REACH; q++) {
        const label = labels[q];
        if (state[q] !== OWN || listedFor[label] === p) continue;
        if (count === CROWD) return true;
        listedFor[label] = p;
        list[count++] = label;
      }
    }
    for (let m = 0; m < count; m++) {
      for (let n = m; n < count; n++) if (this.isBlend(data, 4 * p, list[m], list[n])) return true;
    }
    return false;
  }

  /**
   * Returns true when the color at i lies between two labels. Chroma at half resolution lags behind luma, so both may
   * be mixed in different proportions, and luma rings past both ends.
   */
  private isBlend(data: Uint8ClampedArray, i: number, one: number, two: number): boolean {
    const { tones, noise } = this;
    const [a, b] = [3 * one, 3 * two];
    const luma = lumaAt(data, i);
    const off = 8 + 3 * noise;
    const ring = off + 0.12 * Math.abs(tones[a] - tones[b]);
    if (luma < Math.min(tones[a], tones[b]) - ring || luma > Math.max(tones[a], tones[b]) + ring) return false;
    const red = tones[b + 1] - tones[a + 1];
    const blue = tones[b + 2] - tones[a + 2];
    const span = red * red + blue * blue + 1;
    const ownRed = data[i] - luma - tones[a + 1];
    const ownBlue = data[i + 2] - luma - tones[a + 2];
    const t = Math.max(0, Math.min(1, (ownRed * red + ownBlue * blue) / span));
    return hypot(ownRed - t * red, ownBlue - t * blue) < off + 0.1 * Math.sqrt(span);
  }
}

function lumaAt(colors: Uint8ClampedArray | Float64Array, i: number): number {
  return 0.299 * colors[i] + 0.587 * colors[i + 1] + 0.114 * colors[i + 2];
}

function levelsApart(data: Uint8ClampedArray, p: number, q: number): number {
  let sum = 0;
  for (let c = 0; c < 3; c++) sum += Math.abs(data[4 * p + c] - data[4 * q + c]);
  return sum;
}

/** Returns true when nothing explains any of the eight neighbors either. */
function isInner(state: Uint8Array, p: number, width: number): boolean {
  for (let row = p - width; row <= p + width; row += width) {
    for (let q = row - 1; q <= row + 1; q++) if (state[q] < OFF) return false;
  }
  return true;
}

function medianOf(data: Uint8ClampedArray, pixels: readonly number[], c: number): number {
  const values = Uint8Array.from(pixels, (p) => data[4 * p + c]).sort();
  return values[values.length >> 1];
}
