/**
 * Alpha matting of pictures on any background: refines a network's mask to the picture's own edges. Pixels of which the
 * mask is sure stay. In between, the guided filter gives a first estimate. Then the colors of object and background are
 * extrapolated from the sure sides, and where those two differ by more than they vary, a pixel's alpha follows from its
 * own color (the compositing equation, as on plain backgrounds). This is done twice, first at half the size: a mask's
 * rim is wider than the edge in it, so the first alphas show where the colors can be taken from closer by.
 *
 * The extrapolated colors are smooth, so they are computed on a picture with a longer side of at most `WORK_SIDE`. Only
 * the last step works on all pixels, and there only on the unsure ones.
 */
import { extremes } from './extremes.ts';
import { findLost } from './guard.ts';
import { type Mask, type Picture, resizeMask } from './picture.ts';
import { boxMean, fillGaps, guidedFactors, halve, lineReader, planGaps, writeRowMeans } from './planes.ts';

const WORK_SIDE = 1024;
/** Radius of the guided filter, as a share of the longer side. */
const GUIDED_RADIUS = 1 / 120;
const GUIDED_EPSILON = 1e-4 * 255 ** 2;
/**
 * The window means leave the result of the filter softer than the edge it follows, so its contrast is raised by this
 * factor.
 */
const GUIDED_CONTRAST = 1.5;
/**
 * Of 255: the mask is sure of the object above the first and of the background below the second, if that holds within
 * `SURE_RADIUS` pixels. Between hairs, a network is nearly sure of the object behind them.
 */
const SURE_OBJECT = 250;
const SURE_GROUND = 25;
const SURE_RADIUS = 2;
/**
 * Of 255: pixels whose first alpha is above or below these, together with their neighbors, are sources of color in the
 * second pass.
 */
const SEEN_OBJECT = 230;
const SEEN_GROUND = 25;
/**
 * Factor on the variance of the colors beside a pixel, and the least variance (squares of 0..255), in the confidence of
 * the color-based alpha.
 */
const SPREAD_WEIGHT = 100;
const LEAST_SPREAD = 30;

/**
 * A pixel has a third color when its squared distance from all mixes of the two is more than this many times their
 * variance. The excess lowers the confidence by this weight, so that the network's alpha counts there: strings before a
 * frame of another color stay.
 */
const THIRD_COLOR = 20;
const THIRD_WEIGHT = 20;

const OBJECT = 1;
const UNSURE = 2;

/**
 * Returns the object at the picture's size with its own colors and alpha. Takes about 0.8 s and 100 MB at any size,
 * plus 0.1 s and 4 MB (the result) for each megapixel.
 */
export function refineMask(picture: Picture, mask: Mask): Picture {
  const { width, height, data } = picture;
  const work = shrink(picture, WORK_SIDE);
  const count = work.width * work.height;
  const objectMask = fillDips(resizeMask(mask, work.width, work.height), work.width, work.height);

  const halfWidth = (work.width + 1) >> 1;
  const halfHeight = (work.height + 1) >> 1;
  const toHalf = (plane: Float32Array) => halve(plane, work.width, work.height);
  const half = { width: halfWidth, height: halfHeight, planes: work.planes.map(toHalf) };
  const halfMask = toHalf(Float32Array.from(objectMask));
  const factors = guidedFactors(
    half.planes,
    halfMask,
    halfWidth,
    halfHeight,
    Math.max(1, Math.round(Math.max(halfWidth, halfHeight) * GUIDED_RADIUS)),
    GUIDED_EPSILON,
  );

  const lowest = extremes(objectMask, work.width, work.height, SURE_RADIUS, 'least');
  const highest = extremes(objectMask, work.width, work.height, SURE_RADIUS, 'greatest');
  const state = new Uint8Array(count);
  const isObject = new Uint8Array(count);
  const isGround = new Uint8Array(count);
  for (let i = 0; i < count; i++) {
    if (lowest[i] > SURE_OBJECT) isObject[i] = state[i] = OBJECT;
    else if (highest[i] < SURE_GROUND) isGround[i] = 1;
    else state[i] = UNSURE;
  }
  const { shares, isLost } = firstShares(
    half,
    factors,
    halfMask,
    halveAll(isObject, work.width, work.height),
    halveAll(isGround, work.width, work.height),
  );
  for (let y = 0, i = 0; y < work.height; y++) {
    for (let x = 0; x < work.width; x++, i++) {
      if (isLost[(y >> 1) * halfWidth + (x >> 1)]) isObject[i] = state[i] = OBJECT;
    }
  }
  const fullShares = stretch(shares, half, work);
  const least = extremes(fullShares, work.width, work.height, 1, 'least');
  const most = extremes(fullShares, work.width, work.height, 1, 'greatest');
  for (let i = 0; i < count; i++) {
    if (least[i] > SEEN_OBJECT) isObject[i] = 1;
    if (most[i] < SEEN_GROUND) isGround[i] = 1;
  }
  // Interpolation to the picture's size reads the neighbors too.
  const isUnsure = state.map((is) => (is === UNSURE ? 1 : 0));
  const smooth = extendColors(work, isObject, isGround, extremes(isUnsure, work.width, work.height, 1, 'greatest'));

  const out = new Uint8Array(data.length);
  const readSmooth = lineReader(work.width, work.height, width, height);
  const readFactors = lineReader(halfWidth, halfHeight, width, height);
  const smoothLines = smooth.map(() => new Float32Array(width));
  const factorLines = factors.map(() => new Float32Array(width));
  const [f0, f1, f2, b0, b1, b2] = smoothLines;
  const column = Int32Array.from({ length: width }, (_, x) => Math.floor(((x + 0.5) * work.width) / width));
  for (let y = 0; y < height; y++) {
    const row = Math.floor(((y + 0.5) * work.height) / height) * work.width;
    let from = 0;
    for (let x = 0; x < width; x++) {
      const i = 4 * (y * width + x);
      const is = state[row + column[x]];
      if (is === OBJECT) {
        out[i] = data[i];
        out[i + 1] = data[i + 1];
        out[i + 2] = data[i + 2];
        out[i + 3] = 255;
      }
      if (is !== UNSURE) continue;
      if (x >= from) {
        from = x + 1;
        while (from < width && state[row + column[from]] === UNSURE) from++;
        for (let p = 0; p < smooth.length; p++) readSmooth(smooth[p], y, smoothLines[p], x, from);
        for (let p = 0; p < factors.length; p++) readFactors(factors[p], y, factorLines[p], x, from);
      }
      const r = data[i];
      const g = data[i + 1];
      const b = data[i + 2];
      let share = shareOf(r, g, b, smoothLines, factorLines, x);
      if (share < 0.02) continue;
      if (share > 0.98) share = 1;
      // Where little of the object shows, its color is taken from the extrapolation, as computing it would amplify
      // noise.
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
 * Returns red, green and blue of the object and then of the background, extrapolated from where each is known to where
 * they are needed, and the variance of each.
 */
function extendColors(
  work: PlanarPicture,
  isObject: Uint8Array,
  isGround: Uint8Array,
  isNeeded: Uint8Array,
): Float32Array[] {
  const { width, height, planes } = work;
  const sides = [isObject, isGround];
  return [
    ...sides.flatMap((isKnown) => {
      const plan = planGaps(isKnown, isNeeded, width, height);
      return planes.map((plane) => fillGaps(plan, plane));
    }),
    ...sides.map((isKnown) => spread(work, isKnown, isNeeded)),
  ];
}

/** Returns 1 for the pixels of half the size that lie within ones alone. */
function halveAll(is: Uint8Array, width: number, height: number): Uint8Array {
  const halfWidth = (width + 1) >> 1;
  const out = new Uint8Array(halfWidth * ((height + 1) >> 1)).fill(1);
  for (let y = 0, i = 0; y < height; y++) {
    const row = (y >> 1) * halfWidth;
    for (let x = 0; x < width; x++, i++) if (!is[i]) out[row + (x >> 1)] = 0;
  }
  return out;
}

/** Scales a plane up by linear interpolation, to whole numbers. */
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

/**
 * Returns the first alphas, 0..255, from the colors extrapolated from where the mask is sure. What they would lose of
 * the object is solid.
 */
function firstShares(
  half: PlanarPicture,
  factors: readonly Float32Array[],
  mask: Float32Array,
  isObject: Uint8Array,
  isGround: Uint8Array,
): { shares: Float32Array; isLost: Uint8Array } {
  const isOpen = isObject.map((is, i) => (is || isGround[i] ? 0 : 1));
  const sideColors = extendColors(half, isObject, isGround, isOpen);
  const [red, green, blue] = half.planes;
  const shares = new Float32Array(isObject.length);
  for (let i = 0; i < shares.length; i++) {
    if (isObject[i]) shares[i] = 255;
    else if (!isGround[i]) shares[i] = 255 * shareOf(red[i], green[i], blue[i], sideColors, factors, i);
  }
  const isLost = findLost({ ...half, mask, shares, ground: sideColors.slice(3, 6), spread: sideColors[7] });
  for (let i = 0; i < shares.length; i++) if (isLost[i]) shares[i] = 255;
  return { shares, isLost };
}

/**
 * Returns the alpha of a pixel, 0..1: from its position between the two colors as far as these differ clearly and it is
 * a mix of them, else from the guided filter. `at` is the pixel's index in the planes of side colors and of filter
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
  const e0 = r - b0 - colorShare * dr;
  const e1 = g - b1 - colorShare * dg;
  const e2 = b - b2 - colorShare * db;
  const variance = varies + LEAST_SPREAD;
  const off = e0 * e0 + e1 * e1 + e2 * e2;
  const third = guidedShare > colorShare ? Math.max(0, off - THIRD_COLOR * variance) : 0;
  const confidence = whole / (whole + SPREAD_WEIGHT * variance + THIRD_WEIGHT * third);
  return confidence * colorShare + (1 - confidence) * guidedShare;
}

/** A dip is deeper than this, of 255, and wider than twice this radius, in pixels; the gaps between hairs are not. */
const LEAST_DIP = 8;
const DIP_RADIUS = 6;

/**
 * Returns the mask with its wide dips filled (priority flood, Barnes et al. 2014): the level of each pixel is the
 * lowest height over which sure background can be reached. A network is unsure about the inside of an object as well as
 * about its rim; holes of which it is sure stay. Linear in pixels.
 */
function fillDips(objectMask: Uint8Array, width: number, height: number): Uint8Array {
  const count = width * height;
  const NONE = -1;
  const level = new Uint8Array(count);
  const isQueued = new Uint8Array(count);
  // A bucket queue by height: the first pixel of each bucket, and the next pixel after each one.
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
  const isSeed = (i: number) => objectMask[i] < SURE_GROUND;
  for (let i = 0; i < count; i++) {
    if (!isSeed(i)) continue;
    isQueued[i] = 1;
    // A seed among seeds has no neighbor to raise, so it need not be queued.
    const isAmong = i >= width && i < count - width && isSeed(i - 1) && isSeed(i + 1);
    if (!isAmong || !isSeed(i - width) || !isSeed(i + width)) add(i, objectMask[i]);
  }
  const rise = (i: number, from: number) => {
    if (!isQueued[i]) add(i, Math.max(objectMask[i], from));
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
  for (let i = 0; i < count; i++)
    if (isQueued[i] && level[i] > 127 && level[i] > objectMask[i] + LEAST_DIP) isDip[i] = 1;
  const cores = extremes(isDip, width, height, DIP_RADIUS, 'least');
  const bodies = extremes(cores, width, height, DIP_RADIUS + 2, 'greatest');
  return objectMask.map((value, i) => (bodies[i] && isDip[i] ? 255 : value));
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

/** Returns red, green and blue as planes with a longer side of at most `side`, by averaging. */
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
/** Least share of known pixels around a pixel whose variance is known. */
const LEAST_SHARE = 0.05;

/** Returns the variance of the known colors around each needed pixel, extrapolated into the gaps. */
function spread({ width, height, planes }: PlanarPicture, isKnown: Uint8Array, isNeeded: Uint8Array): Float32Array {
  const shares = boxMean(Float32Array.from(isKnown), width, height, SPREAD_RADIUS);
  const isEnough = new Uint8Array(shares.length);
  for (let i = 0; i < shares.length; i++) if (shares[i] > LEAST_SHARE) isEnough[i] = 1;
  const plan = planGaps(isEnough, isNeeded, width, height);
  const { isWanted } = plan[0];
  const out = new Float32Array(width * height);
  const [first, last] = columnsOf(isWanted, width);
  const left = Math.max(0, first - SPREAD_RADIUS);
  const columns = Math.min(width, last + 1 + SPREAD_RADIUS) - left;
  if (columns <= 0) return out;
  const values = new Float32Array(columns);
  const squares = new Float32Array(columns);
  // The means along the rows of a window, each in the place of the one that left it.
  const windowRows = 2 * SPREAD_RADIUS + 1;
  const means = new Float32Array(windowRows * columns);
  const squareMeans = new Float32Array(windowRows * columns);
  for (const plane of planes) {
    means.fill(0);
    squareMeans.fill(0);
    for (let y = -SPREAD_RADIUS; y < height; y++) {
      const enter = y + SPREAD_RADIUS;
      for (let x = 0, j = enter * width + left; x < columns; x++, j++) {
        values[x] = enter < height && isKnown[j] ? plane[j] : 0;
        squares[x] = values[x] * values[x];
      }
      const place = (enter % windowRows) * columns;
      writeRowMeans(values, SPREAD_RADIUS, means.subarray(place, place + columns));
      writeRowMeans(squares, SPREAD_RADIUS, squareMeans.subarray(place, place + columns));
      if (y < 0) continue;
      const rowShare = 1 / (Math.min(height - 1, enter) - Math.max(0, y - SPREAD_RADIUS) + 1);
      for (let x = 0, i = y * width + left; x < columns; x++, i++) {
        if (!isWanted[i] || shares[i] === 0) continue;
        let sum = 0;
        let squareSum = 0;
        for (let k = x; k < means.length; k += columns) {
          sum += means[k];
          squareSum += squareMeans[k];
        }
        const mean = Math.fround(sum * rowShare) / shares[i];
        out[i] += Math.max(0, Math.fround(squareSum * rowShare) / shares[i] - mean * mean);
      }
    }
  }
  return fillGaps(plan, out);
}

/** Returns the first and the last column that hold a one; no column lies between them when there is none. */
function columnsOf(is: Uint8Array, width: number): readonly [number, number] {
  let first = width;
  let last = -1;
  for (let start = 0; start < is.length; start += width) {
    for (let x = 0; x < first; x++) if (is[start + x]) first = x;
    for (let x = width - 1; x > last; x--) if (is[start + x]) last = x;
  }
  return [first, last];
}
