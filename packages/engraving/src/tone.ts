/** Tone settings of an engraving (brightness, contrast, gamma, local contrast, sharpening), applied to a picture. */
import type { Gray } from './picture.ts';
import { boxBlur, type Plane, reduceRows } from './plane.ts';
import { type GrayRows, mapRows, readAll, rowsOf } from './rows.ts';

export interface Tone {
  /** -100..100. */
  readonly brightness: number;
  /** -100..100. */
  readonly contrast: number;
  /** 0.2..5; more than 1 lightens the middle tones and leaves black and white. */
  readonly gamma: number;
  /** 0..100: detail of a picture's light and dark parts is made stronger, without halos at their edges. */
  readonly localContrast: number;
  /** 0..100: edges are made stronger, by one pixel of the engraving. */
  readonly sharpen: number;
}

/** Leaves every byte as it is. */
export const NEUTRAL_TONE: Tone = { brightness: 0, contrast: 0, gamma: 1, localContrast: 0, sharpen: 0 };

/** The limits of each part of a tone, the ends included. */
export const TONE_LIMITS: Readonly<Record<keyof Tone, readonly [min: number, max: number]>> = {
  brightness: [-100, 100],
  contrast: [-100, 100],
  gamma: [0.2, 5],
  localContrast: [0, 100],
  sharpen: [0, 100],
};

/** The neighborhood of local contrast: its radius as a share of the longer side. */
const LOCAL_RADIUS = 1 / 32;
/** Differences of levels, 0..1, well below this are detail, well above it edges. */
const LOCAL_EDGE = 0.1;
/** The neighborhoods are found on a copy of about this long side, and interpolated. */
const LOCAL_SIDE = 512;
/** How many times stronger detail becomes at 100. */
const LOCAL_GAIN = 2;
const SHARPEN_GAIN = 2;

/**
 * Applies a tone, in this order: local contrast, gamma, brightness and contrast, sharpening. The neutral tone returns
 * the same picture. Throws a RangeError for values outside of `TONE_LIMITS`. Cost: one pass for each part.
 */
export function applyTone(gray: Gray, tone: Tone): Gray {
  return readAll(toneRows(rowsOf(gray), tone));
}

/**
 * Applies a tone as `applyTone` does, row by row as they are read. Local contrast reads all rows once before, for the
 * lightness of neighborhoods.
 */
export function toneRows(rows: GrayRows, tone: Tone): GrayRows {
  for (const [name, [min, max]] of Object.entries(TONE_LIMITS)) {
    const value = tone[name as keyof Tone];
    if (!(value >= min && value <= max)) throw new RangeError(`The tone's ${name} must be from ${min} to ${max}.`);
  }
  let result = rows;
  if (tone.localContrast > 0) result = raiseLocalContrast(result, (LOCAL_GAIN * tone.localContrast) / 100);
  if (tone.gamma !== 1 || tone.brightness !== 0 || tone.contrast !== 0) {
    const table = tableOf(tone);
    result = mapRows(result, (strip) => applyLevels(strip, table));
  }
  if (tone.sharpen > 0) result = sharpen(result, (SHARPEN_GAIN * tone.sharpen) / 100);
  return result;
}

/** Returns a picture with each level replaced by that in a table of 256. */
export function applyLevels(gray: Gray, table: Uint8Array): Gray {
  const data = new Uint8Array(gray.data.length);
  for (let i = 0; i < data.length; i++) data[i] = table[gray.data[i]];
  return { ...gray, data };
}

/**
 * Brightness moves the middle tones by up to half of the range and keeps both ends, and contrast steepens an S through
 * the middle: neither crushes tones as a shift or a stretch of all levels would.
 */
function tableOf({ brightness, contrast, gamma }: Tone): Uint8Array {
  // The exponent that takes the middle to 0.5 ± 0.4.
  const lift = Math.log(0.5 + 0.004 * brightness) / Math.log(0.5);
  const steepness = 4 ** (contrast / 100);
  return Uint8Array.from({ length: 256 }, (_, level) => {
    const value = (level / 255) ** (lift / gamma);
    const steep = value < 0.5 ? (2 * value) ** steepness / 2 : 1 - (2 - 2 * value) ** steepness / 2;
    return Math.round(255 * steep);
  });
}

/** How the base of each place follows from its level, on a copy that is `step` times smaller. */
interface Surroundings {
  readonly step: number;
  readonly slopes: Plane;
  readonly offsets: Plane;
}

/** Those of rows that are read again: while a slider moves, they took as long as all else. */
const surroundingsOf = new WeakMap<GrayRows, Surroundings>();

/** Finds the guided filter's coefficients. */
function findSurroundings(rows: GrayRows): Surroundings {
  const step = Math.max(1, Math.floor(Math.max(rows.width, rows.height) / LOCAL_SIDE));
  const small = reduceRows(rows, step);
  const radius = Math.max(1, Math.round(LOCAL_RADIUS * Math.max(small.width, small.height)));
  const mean = boxBlur(small, radius);
  const square = boxBlur({ ...small, data: small.data.map((value) => value * value) }, radius);
  const slope = new Float32Array(mean.data.length);
  const offset = new Float32Array(mean.data.length);
  for (let i = 0; i < slope.length; i++) {
    const variance = Math.max(0, square.data[i] - mean.data[i] ** 2);
    slope[i] = variance / (variance + LOCAL_EDGE ** 2);
    offset[i] = mean.data[i] * (1 - slope[i]);
  }
  const blur = (data: Float32Array) => boxBlur({ ...small, data }, radius);
  return { step, slopes: blur(slope), offsets: blur(offset) };
}

/**
 * Adds detail, which is what an edge-preserving blur takes away: the guided filter of the picture by itself (He, Sun
 * and Tang 2013), with its coefficients found on a reduced copy (He and Sun 2015). Where detail would leave the range,
 * it comes nearer to its end without reaching it: a highlight of a face stays a highlight with a shape.
 */
function raiseLocalContrast(rows: GrayRows, gain: number): GrayRows {
  const { width, height } = rows;
  let surroundings = surroundingsOf.get(rows);
  if (!surroundings) {
    surroundings = findSurroundings(rows);
    surroundingsOf.set(rows, surroundings);
  }
  const { step, slopes, offsets } = surroundings;
  const slopeRow = new Float64Array(width);
  const offsetRow = new Float64Array(width);
  const enlargeSlopes = createRowReader(slopes, step, slopeRow);
  const enlargeOffsets = createRowReader(offsets, step, offsetRow);
  return {
    width,
    height,
    read(top, bottom) {
      const strip = rows.read(top, bottom);
      const { data } = strip;
      const out = new Uint8Array(data.length);
      for (let y = top, i = 0; y < bottom; y++) {
        enlargeSlopes(y);
        enlargeOffsets(y);
        for (let x = 0; x < width; x++, i++) {
          const value = data[i] / 255;
          const base = slopeRow[x] * value + offsetRow[x];
          const wish = gain * (value - base);
          const room = wish > 0 ? 1 - value : value;
          out[i] = Math.round(255 * (room > 0 ? value + (wish * room) / (Math.abs(wish) + room) : value));
        }
      }
      return { ...strip, data: out };
    },
  };
}

/**
 * Returns a function that writes a row of a plane, enlarged by whole pixels (bilinear), into `out`: what `readAt` would
 * return, with the places of the columns found once.
 */
function createRowReader({ width, height, data }: Plane, step: number, out: Float64Array): (y: number) => void {
  const clampTo = (size: number, at: number) => Math.max(0, Math.min(size - 1, (at + 0.5) / step - 0.5));
  const left = Int32Array.from(out, (_, x) => Math.floor(clampTo(width, x)));
  const right = left.map((column) => Math.min(width - 1, column + 1));
  const part = Float64Array.from(out, (_, x) => clampTo(width, x) - left[x]);
  return (row) => {
    const y = clampTo(height, row);
    const top = Math.floor(y);
    const [above, below] = [top * width, Math.min(height - 1, top + 1) * width];
    const t = y - top;
    for (let x = 0; x < out.length; x++) {
      const [a, b] = [data[above + left[x]], data[below + left[x]]];
      const upper = a + (data[above + right[x]] - a) * part[x];
      out[x] = upper + (b + (data[below + right[x]] - b) * part[x] - upper) * t;
    }
  };
}

/** Adds what a small blur takes away (unsharp mask): the kernel 1 2 1 along both axes. */
function sharpen(rows: GrayRows, gain: number): GrayRows {
  const { width, height } = rows;
  return {
    width,
    height,
    read(top, bottom) {
      const first = Math.max(0, top - 1);
      const strip = rows.read(first, Math.min(height, bottom + 1));
      const { data } = sharpenStrip(strip, gain);
      const inside = (bytes: Uint8Array) => bytes.subarray((top - first) * width, (bottom - first) * width);
      const { alpha } = strip;
      return { width, height: bottom - top, data: inside(data), ...(alpha && { alpha: inside(alpha) }) };
    },
  };
}

function sharpenStrip(gray: Gray, gain: number): Gray {
  const { width, height, data } = gray;
  const out = new Uint8Array(data.length);
  for (let y = 0; y < height; y++) {
    const row = y * width;
    const above = Math.max(0, y - 1) * width;
    const below = Math.min(height - 1, y + 1) * width;
    for (let x = 0; x < width; x++) {
      const left = x > 0 ? x - 1 : x;
      const right = x + 1 < width ? x + 1 : x;
      const sides = data[row + left] + data[row + right] + data[above + x] + data[below + x];
      const corners = data[above + left] + data[above + right] + data[below + left] + data[below + right];
      const value = data[row + x];
      const soft = (4 * value + 2 * sides + corners) / 16;
      const sharp = value + gain * (value - soft);
      out[row + x] = sharp < 0 ? 0 : sharp > 255 ? 255 : (sharp + 0.5) | 0;
    }
  }
  return { ...gray, data: out };
}
