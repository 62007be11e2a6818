import { solve } from '../geometry/linear.ts';
import { BLUE, GREEN, RED, toLinear } from './cells.ts';
import { findCores, REACH, UNKNOWN } from './cores.ts';
import { coverOf, evenOutCover } from './cover.ts';
import { deblur } from './deblur.ts';
import type { Flat } from './flatten.ts';
import type { Inks } from './inks.ts';
import { type Mixes, MOST_SMALL } from './mixes.ts';
import { smoothEdges } from './smoothEdges.ts';
import { settleThin } from './thinStrokes.ts';

/** Cost of an ink that is not near. */
const ABSENT = 0.004;
/** Cost of paper between two inks where none is near: what blur mixes of them may have the color of paper. */
const HIDDEN_PAPER = 0.0015;
/** Squared distance from the best mix above which a pixel is strange. */
const STRANGE = 0.03;

/** Weights of red, green and blue in the squared distance of a pixel from a mix. */
const WEIGHTS = [0.5, 1, 0.3] as const;
/** A deeper tone keeps this share of its distance from its ink: an ink of the very color is nearer. */
const OWN_TONE = 0.25;
/** Squared distances below this are noise, not a tone. */
const LEAST_DEPTH = 0.01;
/** Weight of a pixel's hue beside its luminance, in the share of its inks. */
const HUE = 0.05;

/** The light of a pixel. */
const ownLight = new Float64Array(3);

/**
 * Explains each pixel as a mix of two inks, paper being one of them. Blur mixes light, so shares are measured in light.
 * Even pixels have one ink; the others choose between the inks of even pixels nearby, and, where a stroke is too thin
 * to be even, between paper and any ink. Linear in pixels.
 */
export function unmix(flat: Flat, inks: Inks): Mixes {
  const { width, height, data } = flat;
  const size = width * height;
  const { core, near } = findCores(flat, inks);
  const mixes: Mixes = {
    width,
    height,
    first: new Uint8Array(size),
    second: new Uint8Array(size),
    share: new Float32Array(size).fill(1),
    strange: 0,
  };
  const light = Float64Array.from(inks.colors, (byte) => toLinear(Math.round(byte)));
  const weights = weighLight(light, inks.count, measureGrain(flat, near));
  const colors = { count: inks.count, light, roots: light.map(Math.sqrt), weights };
  const best = { first: 0, second: 0, share: 1, cost: 0 };
  const isFar = new Uint8Array(size);
  const beside: number[] = [];
  let strange = 0;
  for (let p = 0; p < size; p++) {
    if (core[p] !== UNKNOWN && (near[p] & (near[p] - 1)) === 0) {
      mixes.first[p] = mixes.second[p] = core[p];
      continue;
    }
    const around = inksAround(near, p, width);
    explain(data, p * 4, around, colors, best);
    if (best.cost > STRANGE) strange++;
    mixes.first[p] = best.first;
    mixes.second[p] = best.second;
    mixes.share[p] = best.share;
    const ink = best.first === 0 ? best.second : best.first;
    if (ink === 0) continue;
    if ((around & (1 << ink)) === 0) isFar[p] = 1;
    else if (best.first === 0) beside.push(p);
  }
  mixes.strange = strange / size;
  const thinInks = settleThin({ mixes, isFar, near, data, roots: colors.roots });
  for (let p = 0; p < size; p++) {
    if (!isFar[p]) continue;
    for (let c = 0; c < 3; c++) ownLight[c] = toLinear(data[p * 4 + c]);
    mixes.first[p] = 0;
    mixes.second[p] = thinInks[p];
    mixes.share[p] = shareOfPaper(ownLight, colors, thinInks[p], (near[p] & 1) > 0);
  }
  const cover = evenOutCover(mixes, inks.count);
  if (cover === 'even') {
    for (const p of beside) mixes.share[p] = shareInTone(flat, core, p, colors, mixes.second[p]) ?? mixes.share[p];
  }
  if (cover !== 'grainy') deblur(mixes);
  // In larger pictures, curves average as much by themselves.
  if (width * height <= MOST_SMALL) smoothEdges(mixes);
  widenThin(mixes, cover === 'even');
  dropBorderShades(mixes, core);
  return mixes;
}

/**
 * Returns the inks near a pixel, one bit each. Where paper is not near, and none a little farther, inks that are as far
 * are near, too: blur between two inks is wider than it looks, as each of its pixels is nearer to one of them.
 */
function inksAround(near: Uint32Array, p: number, width: number): number {
  if (near[p] & 1) return near[p];
  const x = p % width;
  const left = x >= REACH ? near[p - REACH] : 0;
  const right = x + REACH < width ? near[p + REACH] : 0;
  const wide = near[p] | left | right | (near[p - REACH * width] ?? 0) | (near[p + REACH * width] ?? 0);
  return wide & 1 ? near[p] : wide;
}

/**
 * Gives the pixels of ink that reach the border of the picture, and are nowhere an even ink, back to the paper: the
 * light near a border is known from one side alone, so the edge of a shadow there may pass for a stroke.
 */
function dropBorderShades({ width, height, first, second, share }: Mixes, core: Uint8Array): void {
  const isInk = (p: number): boolean => (share[p] >= 0.5 ? first[p] : second[p]) > 0;
  const isSeen = new Uint8Array(share.length);
  const stack: number[] = [];
  const visit = (p: number): void => {
    if (isSeen[p] || !isInk(p)) return;
    isSeen[p] = 1;
    stack.push(p);
  };
  const drop = (from: number): void => {
    if (isSeen[from] || !isInk(from)) return;
    const part: number[] = [];
    let isEven = false;
    for (visit(from); stack.length > 0; ) {
      const p = stack.pop() as number;
      part.push(p);
      if (core[p] !== UNKNOWN && core[p] > 0) isEven = true;
      const x = p % width;
      if (x > 0) visit(p - 1);
      if (x < width - 1) visit(p + 1);
      if (p >= width) visit(p - width);
      if (p + width < share.length) visit(p + width);
    }
    if (isEven) return;
    for (const p of part) {
      first[p] = second[p] = 0;
      share[p] = 1;
    }
  };
  for (let x = 0; x < width; x++) {
    drop(x);
    drop((height - 1) * width + x);
  }
  for (let y = 0; y < height; y++) {
    drop(y * width);
    drop(y * width + width - 1);
  }
}

/** The inks' light, and its square roots, in which the eye and a camera's noise are even. */
interface Colors {
  count: number;
  light: Float64Array;
  roots: Float64Array;
  /** Of the lights beside paper, for each ink. */
  weights: Float64Array;
}

interface Mix {
  first: number;
  second: number;
  share: number;
  cost: number;
}

/** Standard deviation of the share of an ink that blur and compression leave in luminance, whatever the contrast. */
const BLURRED = 0.03;
/** Pixels between those of paper whose lights are compared: texture differs as much from here on. */
const APART = 4;
/** Pixels of paper that are compared, about. */
const PAIRS = 20_000;

/** Returns the covariance of the grain of paper, in light: nine numbers. `near` tells what lies around each pixel. */
function measureGrain({ width, height, data }: Flat, near: Uint32Array): Float64Array {
  const sums = new Float64Array(9);
  const step = new Float64Array(3);
  const stride = Math.max(1, Math.floor((width * height) / PAIRS));
  let count = 0;
  for (let p = 0; p + APART < near.length; p += stride) {
    if (near[p] !== 1 || near[p + APART] !== 1) continue;
    for (let c = 0; c < 3; c++) step[c] = toLinear(data[p * 4 + c]) - toLinear(data[(p + APART) * 4 + c]);
    for (let k = 0; k < 9; k++) sums[k] += step[Math.floor(k / 3)] * step[k % 3];
    count++;
  }
  return sums.map((sum) => sum / Math.max(1, 2 * count));
}

/**
 * Returns, for each ink, three weights of the light of a pixel beside paper, in which its share of that ink is linear:
 * those of the best estimate under the errors that are known (generalized least squares). Lossy files keep the hue of
 * four pixels as one, and so spread it over edges, which luminance still shows. The grain of paper changes its
 * luminance, and leaves its hue.
 */
function weighLight(light: Float64Array, count: number, grain: Float64Array): Float64Array {
  const weights = new Float64Array(count * 3);
  const luminance = [RED, GREEN, BLUE];
  for (let ink = 1; ink < count; ink++) {
    const step = [0, 1, 2].map((c) => light[ink * 3 + c] - light[c]);
    const power = step[0] ** 2 + step[1] ** 2 + step[2] ** 2;
    const tone = luminance[0] ** 2 + luminance[1] ** 2 + luminance[2] ** 2;
    const rows = new Float64Array(12);
    for (let row = 0; row < 3; row++) {
      for (let column = 0; column < 3; column++) {
        // The inverse of HUE + luminance luminance^T, by Sherman and Morrison.
        const blur = ((row === column ? 1 : 0) - (luminance[row] * luminance[column]) / (HUE + tone)) / HUE;
        rows[row * 4 + column] = blur + grain[row * 3 + column] / (BLURRED * BLURRED * power + 1e-9);
      }
      rows[row * 4 + 3] = step[row];
    }
    solve(rows, 3, 1);
    const solution = [rows[3], rows[7], rows[11]];
    const span = step[0] * solution[0] + step[1] * solution[1] + step[2] * solution[2] + 1e-9;
    for (let c = 0; c < 3; c++) weights[ink * 3 + c] = solution[c] / span;
  }
  return weights;
}

/** Returns the share, 0..1, of the light at `a` in that of a pixel, which is a mix of it with the light at `b`. */
function shareOf(own: Float64Array, light: Float64Array, a: number, b: number): number {
  const [dr, dg, db] = [light[a] - light[b], light[a + 1] - light[b + 1], light[a + 2] - light[b + 2]];
  const [er, eg, eb] = [own[0] - light[b], own[1] - light[b + 1], own[2] - light[b + 2]];
  return Math.max(0, Math.min(1, (er * dr + eg * dg + eb * db) / (dr * dr + dg * dg + db * db + 1e-9)));
}

/**
 * Returns the share, 0..1, of paper in the light of a pixel that is a mix of it with an ink. Where no paper is near, a
 * glare lightens the ink as paper would, and hue tells as much as luminance.
 */
function shareOfPaper(own: Float64Array, { light, weights }: Colors, ink: number, isNear: boolean): number {
  const i = ink * 3;
  const part =
    weights[i] * (own[0] - light[0]) + weights[i + 1] * (own[1] - light[1]) + weights[i + 2] * (own[2] - light[2]);
  const share = Math.max(0, Math.min(1, 1 - part));
  return isNear ? share : shareOf(own, light, 0, i);
}

/** An ink has at least and at most these shares of its usual depth: a glare makes it paler, and streaks deeper. */
const LEAST_TONE = 0.4;
const MOST_TONE = 1.6;
/** Even pixels of an ink near a pixel that tell its tone there, at least. */
const LEAST_EVEN = 3;

/**
 * Returns the share, 0..1, of paper in a pixel beside even pixels of an ink, whose tone there stands for the ink: in a
 * glare, an ink is paler up to its edge, and yet no paper shows. Undefined where too few are near.
 */
function shareInTone(
  { width, height, data }: Flat,
  core: Uint8Array,
  p: number,
  { light, weights }: Colors,
  ink: number,
): number | undefined {
  const depthOf = (q: number): number => {
    let depth = 0;
    for (let c = 0; c < 3; c++) depth += weights[ink * 3 + c] * (toLinear(data[q * 4 + c]) - light[c]);
    return depth;
  };
  const x = p % width;
  const y = (p - x) / width;
  let [sum, count] = [0, 0];
  for (let v = Math.max(0, y - REACH); v <= Math.min(height - 1, y + REACH); v++) {
    for (let q = v * width + Math.max(0, x - REACH); q <= v * width + Math.min(width - 1, x + REACH); q++) {
      if (core[q] !== ink) continue;
      sum += depthOf(q);
      count++;
    }
  }
  if (count < LEAST_EVEN) return undefined;
  const tone = Math.max(LEAST_TONE, Math.min(MOST_TONE, sum / count));
  return Math.max(0, Math.min(1, 1 - depthOf(p) / tone));
}

function explain(data: Uint8ClampedArray, i: number, near: number, colors: Colors, out: Mix): void {
  const { count, light, roots } = colors;
  for (let c = 0; c < 3; c++) ownLight[c] = toLinear(data[i + c]);
  const [rootRed, rootGreen, rootBlue] = [Math.sqrt(ownLight[0]), Math.sqrt(ownLight[1]), Math.sqrt(ownLight[2])];
  const isPaperNear = (near & 1) > 0;
  const isBetweenInks = !isPaperNear && (near & (near - 1)) > 0;
  out.cost = Infinity;
  for (let m = 0; m < count; m++) {
    const a = m * 3;
    let absentFirst = near & (1 << m) ? 0 : ABSENT;
    if (m === 0) absentFirst = isBetweenInks ? HIDDEN_PAPER : 0; // else paper may lie anywhere
    for (let n = m + 1; n < count; n++) {
      if (m > 0 && (absentFirst > 0 || !(near & (1 << n)))) continue; // two inks mix only where both are
      const b = n * 3;
      const t = m === 0 ? shareOfPaper(ownLight, colors, n, isPaperNear) : shareOf(ownLight, light, a, b);
      const offRed = Math.sqrt(light[b] + t * (light[a] - light[b])) - rootRed;
      const offGreen = Math.sqrt(light[b + 1] + t * (light[a + 1] - light[b + 1])) - rootGreen;
      const offBlue = Math.sqrt(light[b + 2] + t * (light[a + 2] - light[b + 2])) - rootBlue;
      let cost =
        WEIGHTS[0] * offRed * offRed +
        WEIGHTS[1] * offGreen * offGreen +
        WEIGHTS[2] * offBlue * offBlue +
        absentFirst +
        (near & (1 << n) ? 0 : ABSENT);
      if (m === 0 && t === 0 && cost > LEAST_DEPTH) {
        cost = Math.min(cost, OWN_TONE * cost + (1 - OWN_TONE) * costBehind(ownLight, light, b));
      }
      if (cost >= out.cost) continue;
      out.cost = cost;
      out.first = m;
      out.second = n;
      out.share = t;
    }
  }
  if (out.cost === Infinity) {
    out.first = out.second = 0;
    out.share = 1;
    out.cost = (rootRed - roots[0]) ** 2 + (rootGreen - roots[1]) ** 2;
  }
}

/**
 * Returns the cost of a pixel as a deeper tone of an ink, as where a marker passes twice: seen from paper, it lies
 * behind the ink. Infinity for one that does not.
 */
function costBehind(own: Float64Array, light: Float64Array, ink: number): number {
  let [dot, span] = [0, 0];
  for (let c = 0; c < 3; c++) {
    const step = light[ink + c] - light[c];
    dot += (own[c] - light[c]) * step;
    span += step * step;
  }
  if (dot <= span) return Infinity;
  let cost = 0;
  for (let c = 0; c < 3; c++) {
    const behind = Math.max(0, light[c] + (dot / span) * (light[ink + c] - light[c]));
    cost += WEIGHTS[c] * (Math.sqrt(behind) - Math.sqrt(own[c])) ** 2;
  }
  return cost;
}

/** Ink and gaps that reach a smaller share than this between blurred sides are noise. */
const FAINT = 0.19;
/** A faint line falls off by this share of its peak within two pixels; what does not is a shade. */
const THIN = 0.6;
/** The level lies at most at this share of the peak, or noise would break thin strokes. */
const MOST_OF_PEAK = 0.65;
/** Level by the largest share that a blurred line reaches, in tenths. */
const LEVELS = [0.098, 0.098, 0.194, 0.281, 0.353, 0.411, 0.454, 0.481, 0.4948, 0.4995, 0.5];

/**
 * Returns the level at which a blurred line is as wide as it was drawn, from the largest share it reaches. A line of
 * width w under a Gaussian blur s reaches 2 Φ(w / 2s) - 1, and at its edges Φ(w / s) - 1/2: s cancels.
 */
function levelOf(peak: number): number {
  if (peak >= 0.95) return 0.5;
  const k = Math.floor(peak * 10);
  const level = LEVELS[k] + (LEVELS[k + 1] - LEVELS[k]) * (peak * 10 - k);
  return Math.min(level, MOST_OF_PEAK * peak);
}

/** Pixels around a pixel in which the peak of its line is sought. */
const WINDOW = 2;

/**
 * Shifts the shares of ink on paper, so that a thin stroke has its own width where they are a half, and so has a thin
 * gap `withGaps`.
 */
function widenThin(mixes: Mixes, withGaps: boolean): void {
  const { width, height, first, second, share } = mixes;
  const ink = coverOf(mixes);
  for (let p = 0; p < ink.length; p++) {
    const isMixed = (first[p] === 0) !== (second[p] === 0);
    if (!isMixed || ink[p] < 0.02 || ink[p] > 0.98) continue;
    const x = p % width;
    const y = (p - x) / width;
    let peak = 0;
    let floor = 1;
    for (let v = Math.max(0, y - WINDOW); v <= Math.min(height - 1, y + WINDOW); v++) {
      for (let q = v * width + Math.max(0, x - WINDOW); q <= v * width + Math.min(width - 1, x + WINDOW); q++) {
        if (ink[q] > peak) peak = ink[q];
        if (ink[q] < floor) floor = ink[q];
      }
    }
    if (peak < FAINT || floor > 1 - FAINT) continue;
    if (peak < 0.5 && peak - floor < THIN * peak) continue;
    if (floor > 0.5 && (!withGaps || peak - floor < THIN * (1 - floor))) continue;
    const level = 0.5 + (levelOf(peak) - 0.5) + (0.5 - levelOf(1 - floor));
    const own = ink[p];
    const newShare = own < level ? (0.5 * own) / level : 0.5 + (0.5 * (own - level)) / (1 - level);
    share[p] = first[p] === 0 ? 1 - newShare : newShare;
  }
}
