/** A picture at exactly the pixels of its engraving. */
import { levelOfLight, lightOfLevel } from './light.ts';
import type { Gray } from './picture.ts';
import { type GrayRows, readAll, rowsOf } from './rows.ts';

/** The pitch of an engraving's lines and pixels, in millimeters. */
export const INTERVAL_MM = { min: 0.05, max: 0.25 } as const;
/** The most pixels of an engraving. */
export const MAX_ENGRAVING_PIXELS = 400_000_000;

/** The pixels of an engraving. */
export interface EngravingSize {
  readonly widthPx: number;
  readonly heightPx: number;
  /** 25.4 / interval, to a millionth. */
  readonly dpi: number;
  /** The true size, a whole number of intervals: within half an interval of what was asked for. */
  readonly widthMm: number;
  readonly heightMm: number;
}

/**
 * Returns the pixels of an engraving. Throws a RangeError with a sentence for people where the interval lies outside of
 * its limits, a side is no length, or the pixels are more than `MAX_ENGRAVING_PIXELS`.
 */
export function engravingSize(widthMm: number, heightMm: number, intervalMm: number): EngravingSize {
  if (!(intervalMm >= INTERVAL_MM.min && intervalMm <= INTERVAL_MM.max)) {
    throw new RangeError(`The interval must be from ${INTERVAL_MM.min} to ${INTERVAL_MM.max} mm.`);
  }
  if (!(widthMm > 0 && heightMm > 0 && Number.isFinite(widthMm) && Number.isFinite(heightMm))) {
    throw new RangeError('An engraving needs a width and a height.');
  }
  const [widthPx, heightPx] = [widthMm, heightMm].map((side) => Math.max(1, Math.round(side / intervalMm)));
  if (widthPx * heightPx > MAX_ENGRAVING_PIXELS) {
    throw new RangeError(
      `At an interval of ${intervalMm} mm this engraving has ` +
        `${Math.ceil((widthPx * heightPx) / 1e6)} million pixels, and ${MAX_ENGRAVING_PIXELS / 1e6} million are the most. ` +
        'Choose a larger interval or a smaller size.',
    );
  }
  // Rounded, so that 0.1 mm is 254 and not a hair less.
  const dpi = Math.round(25.4e6 / intervalMm) / 1e6;
  return { widthPx, heightPx, dpi, widthMm: widthPx * intervalMm, heightMm: heightPx * intervalMm };
}

/** For each value of a line of the result: which values of the source it takes, and how much of each. */
interface Taps {
  readonly first: Int32Array;
  readonly weights: Float32Array;
  /** Weights of one value. */
  readonly span: number;
}

/**
 * Resamples a picture in sRGB to a size in pixels. A smaller picture is averaged over the area of each pixel, in linear
 * light: black and white stripes that become too fine to be seen must become the gray that the eye saw in them, and not
 * the darker one that the mean of their levels is. A larger picture is interpolated by Catmull and Rom's cubic (Keys
 * 1981), in levels: they are even to the eye, so that the overshoot beside an edge is as strong in the dark as in the
 * light. A picture of the same size is returned as it is. Colors of clear pixels do not bleed. Cost: one pass over the
 * source and one over the result; memory for a few rows beside the result.
 */
export function resample(gray: Gray, widthPx: number, heightPx: number): Gray {
  return readAll(resampleRows(gray, widthPx, heightPx));
}

/** Resamples as `resample` does, row by row as they are read. */
export function resampleRows(gray: Gray, widthPx: number, heightPx: number): GrayRows {
  const { width, height } = gray;
  if (width < 1 || height < 1 || widthPx < 1 || heightPx < 1) throw new RangeError('A picture has pixels.');
  if (width === widthPx && height === heightPx) return rowsOf(gray);
  const columns = tapsOf(width, widthPx);
  const rows = tapsOf(height, heightPx);
  const isLight = widthPx < width || heightPx < height;
  const scaleOf = isLight ? lightOfLevel : Float32Array.from({ length: 256 }, (_, level) => level / 255);
  const levelAt = isLight
    ? levelOfLight
    : (value: number) => (value <= 0 ? 0 : value >= 1 ? 255 : (255 * value + 0.5) | 0);
  const lines = createLines(gray, columns, rows.span, scaleOf);
  const sum = new Float32Array(widthPx);
  const share = new Float32Array(widthPx);
  const read = (top: number, bottom: number): Gray => {
    const out = new Uint8Array(widthPx * (bottom - top));
    const outAlpha = gray.alpha && new Uint8Array(out.length);
    for (let y = top, at = 0; y < bottom; y++) {
      sum.fill(0);
      share.fill(0);
      for (let k = 0; k < rows.span; k++) {
        const weight = rows.weights[y * rows.span + k];
        if (weight === 0) continue;
        const line = lines(rows.first[y] + k);
        for (let x = 0; x < widthPx; x++) sum[x] += weight * line.value[x];
        if (line.alpha) for (let x = 0; x < widthPx; x++) share[x] += weight * line.alpha[x];
      }
      for (let x = 0; x < widthPx; x++, at++) {
        if (!outAlpha) {
          out[at] = levelAt(sum[x]);
        } else {
          const alpha = share[x] < 0 ? 0 : share[x] > 1 ? 1 : share[x];
          outAlpha[at] = Math.round(255 * alpha);
          out[at] = alpha > 0 ? levelAt(sum[x] / share[x]) : 255;
        }
      }
    }
    return { width: widthPx, height: bottom - top, data: out, ...(outAlpha && { alpha: outAlpha }) };
  };
  return { width: widthPx, height: heightPx, read };
}

interface Line {
  readonly value: Float32Array;
  /** Missing where the picture is opaque. */
  readonly alpha: Float32Array | undefined;
}

/** Returns a reader of source rows, resampled across. It remembers the last `count` rows and one more. */
function createLines(gray: Gray, columns: Taps, count: number, scaleOf: Float32Array) {
  const { width, height, data, alpha } = gray;
  const widthPx = columns.first.length;
  const slots = count + 1;
  const ring: Line[] = Array.from({ length: slots }, () => ({
    value: new Float32Array(widthPx),
    alpha: alpha && new Float32Array(widthPx),
  }));
  const rowIn = new Int32Array(slots).fill(-1);
  const source = new Float32Array(width);
  const sourceAlpha = new Float32Array(alpha ? width : 0);
  return (row: number): Line => {
    const y = Math.min(height - 1, Math.max(0, row));
    const slot = y % slots;
    const line = ring[slot];
    if (rowIn[slot] === y) return line;
    rowIn[slot] = y;
    const start = y * width;
    for (let x = 0; x < width; x++) source[x] = scaleOf[data[start + x]];
    if (alpha && line.alpha) {
      for (let x = 0; x < width; x++) {
        sourceAlpha[x] = alpha[start + x] / 255;
        source[x] *= sourceAlpha[x];
      }
      weigh(sourceAlpha, columns, line.alpha);
    }
    weigh(source, columns, line.value);
    return line;
  };
}

/** Resamples a line. Values beyond its ends are those at its ends. */
function weigh(source: Float32Array, { first, weights, span }: Taps, out: Float32Array): void {
  const last = source.length - 1;
  for (let x = 0, w = 0; x < out.length; x++) {
    const from = first[x];
    let sum = 0;
    if (from >= 0 && from + span - 1 <= last) {
      for (let k = 0; k < span; k++, w++) sum += weights[w] * source[from + k];
    } else {
      for (let k = 0; k < span; k++, w++) sum += weights[w] * source[Math.min(last, Math.max(0, from + k))];
    }
    out[x] = sum;
  }
}

/** Returns the taps of a line of `to` values from one of `from`. */
function tapsOf(from: number, to: number): Taps {
  const scale = from / to;
  const first = new Int32Array(to);
  if (from === to) {
    for (let i = 0; i < to; i++) first[i] = i;
    return { first, weights: new Float32Array(to).fill(1), span: 1 };
  }
  if (scale > 1) {
    const span = Math.ceil(scale) + 1;
    const weights = new Float32Array(to * span);
    for (let i = 0; i < to; i++) {
      const [start, end] = [i * scale, (i + 1) * scale];
      first[i] = Math.floor(start);
      for (let k = 0; k < span; k++) {
        const at = first[i] + k;
        // The last value of a line ends with it: what rounding leaves beyond its end counts for nothing.
        const overlap = at < from ? Math.min(end, at + 1) - Math.max(start, at) : 0;
        weights[i * span + k] = Math.max(0, overlap) / scale;
      }
    }
    return { first, weights, span };
  }
  const weights = new Float32Array(to * 4);
  for (let i = 0; i < to; i++) {
    const center = (i + 0.5) * scale - 0.5;
    first[i] = Math.floor(center) - 1;
    const t = center - Math.floor(center);
    weights.set(
      [
        ((2 - t) * t - 1) * t * 0.5,
        ((3 * t - 5) * t * t + 2) * 0.5,
        ((4 - 3 * t) * t + 1) * t * 0.5,
        (t - 1) * t * t * 0.5,
      ],
      i * 4,
    );
  }
  return { first, weights, span: 4 };
}
