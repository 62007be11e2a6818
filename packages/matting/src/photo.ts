/**
 * Alpha matting of pictures on any background: a network's mask, drawn to the picture's own edges. What the mask is
 * sure of stays. Between, the guided filter gives a first answer; then the colors of object and background are carried
 * in from the sure sides, and where those two differ by more than they vary, a pixel's share follows from its own color
 * (the compositing equation, as on plain backgrounds). That is done twice, first at half the size: a mask's rim is
 * wider than the edge in it, so the first shares show where the colors can be taken from nearer by.
 *
 * The colors carried in are smooth, so they are worked out on a picture of at most `WORK_SIDE`; only the last step sees
 * all pixels, and of those only the unsure ones.
 */
import { extremes } from './extremes.ts';
import { type Mask, type Picture, resizeMask } from './picture.ts';
import { boxMean, fillGaps, guidedFactors, halve, lineReader } from './planes.ts';

const WORK_SIDE = 1024;
/** Of the longer side. */
const GUIDED_RADIUS = 1 / 120;
const GUIDED_EPSILON = 1e-4 * 255 ** 2;
/**
 * Means over windows leave the filter's answer softer than the edge it follows: it is drawn away from the middle by
 * this.
 */
const GUIDED_CONTRAST = 1.5;
/**
 * Of 255: the mask is sure above the one and below the other, if it is so for two pixels around. Between hairs a
 * network is nearly sure of an object, as one is behind them.
 */
const SURE_OBJECT = 250;
const SURE_GROUND = 25;
const SURE_RADIUS = 2;
/** Of 255: what the first shares are above and below, with all pixels around, gives its color to the second ones. */
const SEEN_OBJECT = 230;
const SEEN_GROUND = 25;
/**
 * Colors are let vary by so much more than the spread that is seen beside them, and by so much anyway (squares of
 * 0..255).
 */
const SPREAD_WEIGHT = 100;
const LEAST_SPREAD = 30;

const OBJECT = 1;
const UNSURE = 2;

/**
 * Returns the object at the picture's size with its own colors and alpha. About 0.8 s and 100 MB at any size, and for
 * each megapixel 0.1 s and 4 MB more, the answer.
 */
export function refineMask(picture: Picture, mask: Mask): Picture {
  const { width, height, data } = picture;
  const work = shrink(picture, WORK_SIDE);
  const count = work.width * work.height;
  const opinion = fillDips(resizeMask(mask, work.width, work.height), work.width, work.height);

  const halfWidth = (work.width + 1) >> 1;
  const halfHeight = (work.height + 1) >> 1;
  const toHalf = (plane: Float32Array) => halve(plane, work.width, work.height);
  const half = { width: halfWidth, height: halfHeight, planes: work.planes.map(toHalf) };
  const factors = guidedFactors(
    half.planes,
    toHalf(Float32Array.from(opinion)),
    halfWidth,
    halfHeight,
    Math.max(1, Math.round(Math.max(halfWidth, halfHeight) * GUIDED_RADIUS)),
    GUIDED_EPSILON,
  );

  const lowest = extremes(opinion, work.width, work.height, SURE_RADIUS, 'least');
  const highest = extremes(opinion, work.width, work.height, SURE_RADIUS, 'greatest');
  const state = new Uint8Array(count);
  const isObject = new Float32Array(count);
  const isGround = new Float32Array(count);
  for (let i = 0; i < count; i++) {
    if (lowest[i] > SURE_OBJECT) isObject[i] = state[i] = OBJECT;
    else if (highest[i] < SURE_GROUND) isGround[i] = 1;
    else state[i] = UNSURE;
  }
  const shares = firstShares(half, factors, toHalf(isObject).map(Math.floor), toHalf(isGround).map(Math.floor));
  const fullShares = stretch(shares, half, work);
  const least = extremes(fullShares, work.width, work.height, 1, 'least');
  const most = extremes(fullShares, work.width, work.height, 1, 'greatest');
  for (let i = 0; i < count; i++) {
    if (least[i] > SEEN_OBJECT) isObject[i] = 1;
    if (most[i] < SEEN_GROUND) isGround[i] = 1;
  }
  const smooth = extendColors(work, isObject, isGround);

  const out = new Uint8Array(data.length);
  const readSmooth = lineReader(work.width, work.height, width, height);
  const readFactors = lineReader(halfWidth, halfHeight, width, height);
  const smoothLines = smooth.map(() => new Float32Array(width));
  const factorLines = factors.map(() => new Float32Array(width));
  const [f0, f1, f2, b0, b1, b2] = smoothLines;
  const column = Int32Array.from({ length: width }, (_, x) => Math.floor(((x + 0.5) * work.width) / width));
  for (let y = 0; y < height; y++) {
    const row = Math.floor(((y + 0.5) * work.height) / height) * work.width;
    let from = width;
    let to = 0;
    for (let x = 0; x < width; x++) {
      const is = state[row + column[x]];
      if (is === OBJECT) {
        const i = 4 * (y * width + x);
        out[i] = data[i];
        out[i + 1] = data[i + 1];
        out[i + 2] = data[i + 2];
        out[i + 3] = 255;
      } else if (is === UNSURE) {
        if (x < from) from = x;
        to = x + 1;
      }
    }
    if (to === 0) continue;
    for (let p = 0; p < smooth.length; p++) readSmooth(smooth[p], y, smoothLines[p], from, to);
    for (let p = 0; p < factors.length; p++) readFactors(factors[p], y, factorLines[p], from, to);
    for (let x = from; x < to; x++) {
      if (state[row + column[x]] !== UNSURE) continue;
      const i = 4 * (y * width + x);
      const r = data[i];
      const g = data[i + 1];
      const b = data[i + 2];
      let share = shareOf(r, g, b, smoothLines, factorLines, x);
      if (share < 0.02) continue;
      if (share > 0.98) share = 1;
      // Where little of the object shows, its color is better taken from beside than worked out.
      const worth = clamp((share - 0.3) / 0.4, 1);
      const rest = (1 - share) / share;
      out[i] = mix(r + (r - b0[x]) * rest, f0[x], worth);
      out[i + 1] = mix(g + (g - b1[x]) * rest, f1[x], worth);
      out[i + 2] = mix(b + (b - b2[x]) * rest, f2[x], worth);
      out[i + 3] = Math.round(255 * share);
    }
  }
  return { width, height, data: out };
}

/**
 * Red, green and blue of the object and then of the ground, carried in from where each is known, and how much the one
 * and the other vary.
 */
function extendColors(
  { width, height, planes }: PlanarPicture,
  isObject: Float32Array,
  isGround: Float32Array,
): Float32Array[] {
  const sides = [isObject, isGround];
  return [
    ...sides.flatMap((mask) => fillGaps(planes, mask, width, height)),
    ...sides.map((mask) => spread(planes, mask, width, height)),
  ];
}

/** Smoothly, to whole numbers. */
function stretch(values: Float32Array, from: PlanarPicture, to: PlanarPicture): Uint8Array {
  const out = new Uint8Array(to.width * to.height);
  const line = new Float32Array(to.width);
  const readLine = lineReader(from.width, from.height, to.width, to.height);
  for (let y = 0; y < to.height; y++) {
    readLine(values, y, line);
    out.set(line, y * to.width);
  }
  return out;
}

/** 0..255, by colors carried in from where the mask is sure. */
function firstShares(
  half: PlanarPicture,
  factors: readonly Float32Array[],
  isObject: Float32Array,
  isGround: Float32Array,
): Float32Array {
  const sideColors = extendColors(half, isObject, isGround);
  const [red, green, blue] = half.planes;
  const shares = new Float32Array(isObject.length);
  for (let i = 0; i < shares.length; i++) {
    if (isObject[i]) shares[i] = 255;
    else if (!isGround[i]) shares[i] = 255 * shareOf(red[i], green[i], blue[i], sideColors, factors, i);
  }
  return shares;
}

/**
 * Returns how much of a pixel is the object, 0..1: by its place between the two colors as far as these can be told
 * apart, by the guided filter as far as not. `at` is the pixel's place in what was carried in and in the filter's
 * factors.
 */
function shareOf(
  r: number,
  g: number,
  b: number,
  sideColors: readonly Float32Array[],
  factors: readonly Float32Array[],
  at: number,
): number {
  const linearShare = (factors[0][at] * r + factors[1][at] * g + factors[2][at] * b + factors[3][at]) / 255;
  const guidedShare = clamp((linearShare - 0.5) * GUIDED_CONTRAST + 0.5, 1);
  const b0 = sideColors[3][at];
  const b1 = sideColors[4][at];
  const b2 = sideColors[5][at];
  const dr = sideColors[0][at] - b0;
  const dg = sideColors[1][at] - b1;
  const db = sideColors[2][at] - b2;
  const whole = dr * dr + dg * dg + db * db;
  const colorShare = clamp((dr * (r - b0) + dg * (g - b1) + db * (b - b2)) / (whole + 1e-3), 1);
  const varies = colorShare * colorShare * sideColors[6][at] + (1 - colorShare) * (1 - colorShare) * sideColors[7][at];
  const confidence = whole / (whole + SPREAD_WEIGHT * (varies + LEAST_SPREAD));
  return confidence * colorShare + (1 - confidence) * guidedShare;
}

/** Of 255: a dip is deeper than this. In pixels: and wider than twice this, as the gaps between hairs are not. */
const LEAST_DIP = 8;
const DIP_RADIUS = 6;

/**
 * Returns the mask without wide dips, found as water would stand in them: each place has the lowest height over which
 * sure ground can be reached (priority flood, Barnes et al. 2014). A network hesitates at what an object is, in the
 * middle of it, as well as at where it ends; holes it is sure of stay. Linear in pixels.
 */
function fillDips(opinion: Uint8Array, width: number, height: number): Uint8Array {
  const count = width * height;
  const NONE = -1;
  const level = new Uint8Array(count);
  const isQueued = new Uint8Array(count);
  // What waits, by height: the first of each, and who comes after whom.
  const first = new Int32Array(256).fill(NONE);
  const after = new Int32Array(count);
  let lowestLevel = 256;
  const add = (i: number, at: number) => {
    isQueued[i] = 1;
    level[i] = at;
    after[i] = first[at];
    first[at] = i;
    if (at < lowestLevel) lowestLevel = at;
  };
  for (let i = 0; i < count; i++) if (opinion[i] < SURE_GROUND) add(i, opinion[i]);
  const rise = (i: number, from: number) => {
    if (!isQueued[i]) add(i, Math.max(opinion[i], from));
  };
  while (lowestLevel < 256) {
    const i = first[lowestLevel];
    if (i === NONE) {
      lowestLevel++;
      continue;
    }
    first[lowestLevel] = after[i];
    const x = i % width;
    const at = level[i];
    if (x > 0) rise(i - 1, at);
    if (x < width - 1) rise(i + 1, at);
    if (i >= width) rise(i - width, at);
    if (i < count - width) rise(i + width, at);
  }
  const isDip = new Uint8Array(count);
  for (let i = 0; i < count; i++) if (isQueued[i] && level[i] > 127 && level[i] > opinion[i] + LEAST_DIP) isDip[i] = 1;
  const cores = extremes(isDip, width, height, DIP_RADIUS, 'least');
  const bodies = extremes(cores, width, height, DIP_RADIUS + 2, 'greatest');
  return opinion.map((value, i) => (bodies[i] && isDip[i] ? 255 : value));
}

const clamp = (value: number, most: number): number => (value < 0 ? 0 : value > most ? most : value);
const mix = (own: number, beside: number, worth: number): number =>
  Math.round(clamp(own, 255) * worth + beside * (1 - worth));

interface PlanarPicture {
  readonly width: number;
  readonly height: number;
  /** Red, green and blue. */
  readonly planes: readonly Float32Array[];
}

/** Red, green and blue as planes, the longer side at most `side`: means of the pixels that fall together. */
function shrink({ width, height, data }: Picture, side: number): PlanarPicture {
  const scale = Math.min(1, side / Math.max(width, height));
  const toWidth = Math.max(1, Math.round(width * scale));
  const toHeight = Math.max(1, Math.round(height * scale));
  const planes = [0, 1, 2].map(() => new Float32Array(toWidth * toHeight));
  const [red, green, blue] = planes;
  const counts = new Float32Array(toWidth * toHeight);
  const column = Int32Array.from({ length: width }, (_, x) => Math.floor(((x + 0.5) * toWidth) / width));
  for (let y = 0, i = 0; y < height; y++) {
    const row = Math.floor(((y + 0.5) * toHeight) / height) * toWidth;
    for (let x = 0; x < width; x++, i += 4) {
      const j = row + column[x];
      counts[j]++;
      red[j] += data[i];
      green[j] += data[i + 1];
      blue[j] += data[i + 2];
    }
  }
  for (let j = 0; j < counts.length; j++) {
    red[j] /= counts[j];
    green[j] /= counts[j];
    blue[j] /= counts[j];
  }
  return { width: toWidth, height: toHeight, planes };
}

const SPREAD_RADIUS = 4;

/** Returns how much the colors of what is known vary around each place, squared, carried into the gaps. */
function spread(planes: readonly Float32Array[], mask: Float32Array, width: number, height: number): Float32Array {
  const count = width * height;
  const shares = boxMean(mask, width, height, SPREAD_RADIUS);
  const out = new Float32Array(count);
  const values = new Float32Array(count);
  const squares = new Float32Array(count);
  for (const plane of planes) {
    for (let i = 0; i < count; i++) {
      values[i] = plane[i] * mask[i];
      squares[i] = plane[i] * values[i];
    }
    const means = boxMean(values, width, height, SPREAD_RADIUS);
    const meanSquares = boxMean(squares, width, height, SPREAD_RADIUS);
    for (let i = 0; i < count; i++) {
      if (shares[i] === 0) continue;
      const mean = means[i] / shares[i];
      out[i] += Math.max(0, meanSquares[i] / shares[i] - mean * mean);
    }
  }
  for (let i = 0; i < count; i++) shares[i] = shares[i] > 0.05 ? 1 : 0;
  return fillGaps([out], shares, width, height)[0];
}
