/**
 * Pictures on any background: a network's mask, drawn to the picture's own edges. What the mask is sure of stays. Between, the guided
 * filter gives a first answer; then the colors of object and background are carried in from the sure sides, and where those two differ
 * by more than they vary, a pixel's share follows from its own color (the compositing equation, as on plain backgrounds).
 *
 * The colors carried in are smooth, so they are worked out on a picture of at most `WORK_SIDE`; only the last step sees all pixels, and
 * of those only the unsure ones.
 */
import { extremes } from './extremes.ts';
import { boxMean, fillGaps, guidedFactors, halve, lineReader } from './fields.ts';
import { type Mask, type Picture, resizeMask } from './picture.ts';

const WORK_SIDE = 1024;
/** Of the longer side. */
const GUIDED_RADIUS = 1 / 120;
const GUIDED_EPSILON = 1e-4 * 255 ** 2;
/** Of 255: the mask is sure above the one and below the other, if it is so for two pixels around. */
const SURE_OBJECT = 230;
const SURE_GROUND = 25;
const SURE_RADIUS = 2;
/** Colors are let vary by so much more than the spread that is seen beside them, and by so much anyway (squares of 0..255). */
const SPREAD_WEIGHT = 100;
const LEAST_SPREAD = 30;

const OBJECT = 1;
const UNSURE = 2;

/**
 * The object at the picture's size with its own colors and alpha. About 0.7 s and 100 MB at any size, and for each megapixel 0.1 s and 4 MB
 * more, the answer.
 */
export function refineMask(picture: Picture, mask: Mask): Picture {
  const { width, height, data } = picture;
  const work = shrink(picture, WORK_SIDE);
  const count = work.width * work.height;
  const opinion = fillDips(resizeMask(mask, work.width, work.height), work.width, work.height);

  const halfWidth = (work.width + 1) >> 1;
  const halfHeight = (work.height + 1) >> 1;
  const factors = guidedFactors(
    work.planes.map((plane) => halve(plane, work.width, work.height)),
    halve(Float32Array.from(opinion), work.width, work.height),
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
  const object = fillGaps(work.planes, isObject, work.width, work.height);
  const ground = fillGaps(work.planes, isGround, work.width, work.height);
  const objectSpread = spread(work.planes, isObject, work.width, work.height);
  const groundSpread = spread(work.planes, isGround, work.width, work.height);

  const out = new Uint8Array(data.length);
  const smooth = [...object, ...ground, objectSpread, groundSpread];
  const readSmooth = lineReader(work.width, work.height, width, height);
  const readFactors = lineReader(halfWidth, halfHeight, width, height);
  const [f0, f1, f2, b0, b1, b2, objectVaries, groundVaries, g0, g1, g2, g3] = Array.from(
    { length: 12 },
    () => new Float32Array(width),
  );
  const smoothLines = [f0, f1, f2, b0, b1, b2, objectVaries, groundVaries];
  const factorLines = [g0, g1, g2, g3];
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
      const guided = clamp((g0[x] * r + g1[x] * g + g2[x] * b + g3[x]) / 255, 1);
      const dr = f0[x] - b0[x];
      const dg = f1[x] - b1[x];
      const db = f2[x] - b2[x];
      const whole = dr * dr + dg * dg + db * db;
      const part = dr * (r - b0[x]) + dg * (g - b1[x]) + db * (b - b2[x]);
      const seen = clamp(part / (whole + 1e-3), 1);
      const varies = seen * seen * objectVaries[x] + (1 - seen) * (1 - seen) * groundVaries[x];
      const trust = whole / (whole + SPREAD_WEIGHT * (varies + LEAST_SPREAD));
      let share = trust * seen + (1 - trust) * guided;
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

/** Of 255: a dip is deeper than this. In pixels: and wider than twice this, as the gaps between hairs are not. */
const LEAST_DIP = 8;
const DIP_RADIUS = 6;

/**
 * The mask without wide dips, found as water would stand in them: each place has the lowest height over which sure ground can be reached
 * (priority flood, Barnes et al. 2014). A network hesitates at what an object is, in the middle of it, as well as at where it ends; holes it is
 * sure of stay. Linear in pixels.
 */
function fillDips(opinion: Uint8Array, width: number, height: number): Uint8Array {
  const count = width * height;
  const NONE = -1;
  const level = new Uint8Array(count);
  const isSeen = new Uint8Array(count);
  // What waits, by height: the first of each, and who comes after whom.
  const first = new Int32Array(256).fill(NONE);
  const after = new Int32Array(count);
  let lowestLevel = 256;
  const add = (i: number, at: number) => {
    isSeen[i] = 1;
    level[i] = at;
    after[i] = first[at];
    first[at] = i;
    if (at < lowestLevel) lowestLevel = at;
  };
  for (let i = 0; i < count; i++) if (opinion[i] < SURE_GROUND) add(i, opinion[i]);
  const rise = (i: number, from: number) => {
    if (!isSeen[i]) add(i, Math.max(opinion[i], from));
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
  for (let i = 0; i < count; i++) if (isSeen[i] && level[i] > 127 && level[i] > opinion[i] + LEAST_DIP) isDip[i] = 1;
  const cores = extremes(isDip, width, height, DIP_RADIUS, 'least');
  const bodies = extremes(cores, width, height, DIP_RADIUS + 2, 'greatest');
  return opinion.map((value, i) => (bodies[i] && isDip[i] ? 255 : value));
}

const clamp = (value: number, most: number): number => (value < 0 ? 0 : value > most ? most : value);
const mix = (worked: number, beside: number, worth: number): number =>
  Math.round(clamp(worked, 255) * worth + beside * (1 - worth));

/** Red, green and blue as planes, the longer side at most `side`: means of the pixels that fall together. */
function shrink({ width, height, data }: Picture, side: number) {
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

/** How much the colors of what is known vary around each place, squared, carried into the gaps. */
function spread(planes: readonly Float32Array[], known: Float32Array, width: number, height: number): Float32Array {
  const count = width * height;
  const shares = boxMean(known, width, height, SPREAD_RADIUS);
  const out = new Float32Array(count);
  const values = new Float32Array(count);
  const squares = new Float32Array(count);
  for (const plane of planes) {
    for (let i = 0; i < count; i++) {
      values[i] = plane[i] * known[i];
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
