import { writeOklab } from '../color/color.ts';
import type { SeenColor } from '../color/votes.ts';
import { hypot } from '../geometry/hypot.ts';
import { toLinear } from './cells.ts';
import { type Flat, toByte } from './flatten.ts';

/** Lightness counts for less than hue: light that was not taken out changes it. */
const LIGHTNESS = 0.7;
/** Width of a bin of colors. */
const BIN = 0.025;
/** A color within this distance belongs to an ink, */
const REACH = 0.065;
/** and inks closer than this are one. */
const SAME_INK = 0.085;
/** Number of inks, at most. */
const MOST_INKS = 14;
/** Bytes by which paper differs from itself. */
const SAME_BYTES = 8;
/** Pixels that are looked at, about. */
const SAMPLES = 500_000;

/** Colors as OKLab with a weaker lightness, three numbers each. */
export type Lab = Float64Array;

/** The inks of a picture: index 0 is the paper. */
export interface Inks {
  count: number;
  /** Bytes of sRGB, 3 for each. */
  colors: Float64Array;
  labs: Lab;
  /** Distance from paper below which a pixel is paper. */
  paperReach: number;
  /** Share of the pixels within broad areas that no ink explains. */
  loose: number;
}

/** Writes the weighed OKLab of a color. */
export function writeLab(red: number, green: number, blue: number, out: Lab, at: number): void {
  writeOklab(red, green, blue, out, at);
  out[at] *= LIGHTNESS;
}

const distanceOf = (a: Lab, i: number, b: Lab, j: number): number =>
  Math.sqrt((a[i] - b[j]) ** 2 + (a[i + 1] - b[j + 1]) ** 2 + (a[i + 2] - b[j + 2]) ** 2);

interface Sample extends SeenColor {
  /** Distance from paper. */
  far: number;
  /** 1 when the pixel is even two pixels around. */
  broad: number;
  /** The block of pixels it lies in, four pixels wide. */
  block: number;
}

/** Blocks of pixels as wide as blur reaches, numbered row by row. */
const BLOCK = 4;
const blocksAcross = (width: number): number => Math.ceil(width / BLOCK) + 2;

interface Choice {
  color: [number, number, number];
  count: number;
  /** Its pixels that are even two pixels around. */
  broad: number;
  /** The blocks with its pixels; none where they are not known. */
  blocks: Set<number>;
}

/**
 * Finds the inks of a flat picture. Even pixels away from paper vote first: their densest colors are inks, unless they
 * are a mix of two others nowhere broader than a blurred edge. Then the middles of strokes too thin to be even vote,
 * where no mix of paper and a known ink explains them.
 */
export function findInks(flat: Flat): Inks {
  const paperLab = new Float64Array(3);
  writeLab(flat.paper[0], flat.paper[1], flat.paper[2], paperLab, 0);
  const paperReach = Math.min(0.14, Math.max(0.05, (4 * flat.noise) / 255));
  const { even, ridges, step } = gatherSamples(flat, paperLab, paperReach);
  const least = Math.max(10, (0.0003 * flat.width * flat.height) / (step * step)) / 1;
  const choices: Choice[] = [{ color: [...flat.paper], count: Infinity, broad: Infinity, blocks: new Set() }];
  for (const choice of cluster(even, least)) choices.push(choice);
  const solid = dropMixes(choices, flat.width);
  addThinInks(solid, ridges, paperReach);
  const all = dropMixes(solid, flat.width); // a thin ink may explain what seemed to be one
  addMutedInks(all, ridges, paperReach);
  const inks = toInks(all.slice(0, MOST_INKS + 1), paperReach);
  return { ...inks, loose: measureLoose(even, inks) };
}

function toInks(choices: Choice[], paperReach: number): Inks {
  const colors = new Float64Array(choices.length * 3);
  const labs = new Float64Array(choices.length * 3);
  choices.forEach(({ color }, k) => {
    colors.set(color, k * 3);
    writeLab(color[0], color[1], color[2], labs, k * 3);
  });
  return { count: choices.length, colors, labs, paperReach, loose: 0 };
}

/** Shading of a thing moves its color by more than this from that of its ink. */
const LOOSE = 0.06;

/** Returns the share of the pixels within broad areas that are neither an ink nor a mix of it with paper. */
function measureLoose(even: Sample[], { labs, colors, count }: Inks): number {
  const broad = even.filter((sample) => sample.broad);
  let loose = 0;
  for (const { L, a, b, red, green, blue } of broad) {
    let isNear = false;
    for (let k = 0; k < count && !isNear; k++) {
      isNear = Math.hypot(L - labs[k * 3], a - labs[k * 3 + 1], b - labs[k * 3 + 2]) < LOOSE;
    }
    const paper = colors.subarray(0, 3);
    for (let k = 1; k < count && !isNear; k++) {
      isNear = mixOf([red, green, blue], colors.subarray(k * 3, k * 3 + 3), paper).off < LOOSE;
    }
    if (!isNear) loose++;
  }
  return loose / Math.max(1, broad.length);
}

/** Lists the pixels away from paper: those of even areas, and the darkest of strokes. */
function gatherSamples(
  flat: Flat,
  paperLab: Lab,
  paperReach: number,
): { even: Sample[]; ridges: Sample[]; step: number } {
  const { width, height, data, noise } = flat;
  const step = Math.max(1, Math.round(Math.sqrt((width * height) / SAMPLES)));
  const lab = new Float64Array(3);
  const even: Sample[] = [];
  const ridges: Sample[] = [];
  const evenRange = 10 + 3 * noise;
  for (let y = 2; y < height - 2; y += step) {
    for (let x = 2; x < width - 2; x += step) {
      const i = (y * width + x) * 4;
      if (isOnPaper(data, i, flat.paper)) continue;
      const far = farFrom(data, i, lab, paperLab);
      if (far < 1.4 * paperReach && !(noise < STILL && isPale(lab, paperLab))) continue;
      const [red, green, blue] = [data[i], data[i + 1], data[i + 2]];
      const block = (Math.floor(y / BLOCK) + 1) * blocksAcross(width) + Math.floor(x / BLOCK) + 1;
      const sample: Sample = { red, green, blue, L: lab[0], a: lab[1], b: lab[2], far, broad: 0, block };
      if (rangeAround(data, i, 4, width * 4) < evenRange) {
        if (rangeAround(data, i, 8, width * 8) < 1.3 * evenRange) sample.broad = 1;
        even.push(sample);
      } else if (far > 2 * paperReach && isRidge(data, i, width * 4, paperLab, far)) ridges.push(sample);
    }
  }
  return { even, ridges, step };
}

/** Light that was not taken out leaves paper its hue: where noise is less than this, a hue of its own shows ink, */
const STILL = 1;
const PALE_HUE = 0.025;
/** when it is darker by this much: compression spreads hues beside edges, and keeps the lightness of paper. */
const PALE_DEPTH = 0.02;

/** Returns true for a color darker than paper and of another hue, though it is nearly as light. */
function isPale(lab: Lab, paperLab: Lab): boolean {
  const dim = lab[0] / paperLab[0];
  return lab[0] < paperLab[0] - PALE_DEPTH && hypot(lab[1] - dim * paperLab[1], lab[2] - dim * paperLab[2]) > PALE_HUE;
}

/** Returns true for the bytes of paper, which most pixels have: they need no OKLab. */
function isOnPaper(data: Uint8ClampedArray, i: number, paper: Flat['paper']): boolean {
  return (
    Math.abs(data[i] - paper[0]) < SAME_BYTES &&
    Math.abs(data[i + 1] - paper[1]) < SAME_BYTES &&
    Math.abs(data[i + 2] - paper[2]) < SAME_BYTES
  );
}

function farFrom(data: Uint8ClampedArray, i: number, lab: Lab, paperLab: Lab): number {
  writeLab(data[i], data[i + 1], data[i + 2], lab, 0);
  return distanceOf(lab, 0, paperLab, 0);
}

/** Returns the largest difference of a channel to one of the eight pixels at a distance. */
function rangeAround(data: Uint8ClampedArray, i: number, step: number, row: number): number {
  let most = 0;
  for (const d of [-row - step, -row, -row + step, -step, step, row - step, row, row + step]) {
    for (let c = 0; c < 3; c++) most = Math.max(most, Math.abs(data[i + c] - data[i + d + c]));
  }
  return most;
}

const probe = new Float64Array(3);

/** Returns true when a pixel is farther from paper than those on both sides, in some direction. */
function isRidge(data: Uint8ClampedArray, i: number, row: number, paperLab: Lab, far: number): boolean {
  for (const d of [4, row, row + 4, row - 4]) {
    if (farFrom(data, i - d, probe, paperLab) > far || farFrom(data, i + d, probe, paperLab) > far) continue;
    if (farFrom(data, i - 2 * d, probe, paperLab) > 0.85 * far) continue;
    if (farFrom(data, i + 2 * d, probe, paperLab) < 0.85 * far) return true;
  }
  return false;
}

/** Finds the densest colors, one after another: each takes the samples around its mean (mean shift). */
function cluster(samples: Sample[], least: number): Choice[] {
  const choices: Choice[] = [];
  let rest = samples;
  while (choices.length < MOST_INKS && rest.length >= least) {
    let center = densest(rest);
    for (let round = 0; round < 4; round++) center = meanAround(rest, center, REACH);
    const { near, far } = split(rest, center, 1.25 * REACH);
    if (near.length < least) break;
    const broad = near.filter((sample) => sample.broad).length;
    const blocks = new Set(near.map(({ block }) => block));
    choices.push({ color: middleOf(near), count: near.length, broad, blocks });
    rest = far;
  }
  return joinClose(choices, samples);
}

function densest(samples: Sample[]): Sample {
  const counts = new Map<number, number>();
  const keyOf = ({ L, a, b }: Sample): number =>
    Math.round(L / BIN) * 10_000 + (Math.round(a / BIN) + 50) * 100 + Math.round(b / BIN) + 50;
  for (const sample of samples) counts.set(keyOf(sample), (counts.get(keyOf(sample)) ?? 0) + 1);
  let best = 0;
  let most = -1;
  for (const [key, own] of counts) {
    let sum = own;
    for (const d of [1, -1, 100, -100, 10_000, -10_000]) sum += counts.get(key + d) ?? 0;
    if (sum < most || (sum === most && key > best)) continue;
    most = sum;
    best = key;
  }
  return samples.find((sample) => keyOf(sample) === best) as Sample;
}

const apart = (p: Sample, q: Sample): number => Math.sqrt((p.L - q.L) ** 2 + (p.a - q.a) ** 2 + (p.b - q.b) ** 2);

function split(samples: Sample[], center: Sample, reach: number): { near: Sample[]; far: Sample[] } {
  const near: Sample[] = [];
  const far: Sample[] = [];
  for (const sample of samples) (apart(sample, center) < reach ? near : far).push(sample);
  return { near, far };
}

function meanAround(samples: Sample[], center: Sample, reach: number): Sample {
  const mean: Sample = { red: 0, green: 0, blue: 0, L: 0, a: 0, b: 0, far: 0, broad: 0, block: 0 };
  let count = 0;
  for (const sample of samples) {
    if (apart(sample, center) >= reach) continue;
    count++;
    mean.red += sample.red;
    mean.green += sample.green;
    mean.blue += sample.blue;
    mean.L += sample.L;
    mean.a += sample.a;
    mean.b += sample.b;
    mean.far += sample.far;
  }
  if (count === 0) return center;
  for (const key of Object.keys(mean) as (keyof Sample)[]) mean[key] /= count;
  return mean;
}

function middleOf(samples: Sample[]): [number, number, number] {
  const middle = (values: number[]): number => values.sort((p, q) => p - q)[values.length >> 1];
  return [
    middle(samples.map(({ red }) => red)),
    middle(samples.map(({ green }) => green)),
    middle(samples.map(({ blue }) => blue)),
  ];
}

/** Joins choices that are one ink in two lights. */
function joinClose(choices: Choice[], samples: Sample[]): Choice[] {
  const out: Choice[] = [];
  for (const choice of choices.sort((p, q) => q.count - p.count)) {
    const same = out.find(
      (other) => colorDistance(other.color, choice.color) < SAME_INK || isLit(other, choice, samples),
    );
    if (same) {
      same.count += choice.count;
      same.broad += choice.broad;
      for (const block of choice.blocks) same.blocks.add(block);
    } else out.push(choice);
  }
  return out;
}

/** Light that a glare adds to an ink at most, where paper is 1; light that shading takes, as a factor. */
const GLARE = 0.2;
const SHADE = 1.9;
/** Share by which both may differ between channels. */
const NEUTRAL = 0.55;
/** A glare or a shadow fades: this share of the rarer color's pixels lies around the middle of both. */
const BRIDGE_SHARE = 0.06;
const BRIDGE = 0.03;

/**
 * Returns true when one color is the other in another light: with white light on it, or with more or less light of the
 * same color, and with all tones between the two. Two inks meet at an edge, whose pixels are not even.
 */
function isLit(p: Choice, q: Choice, samples: Sample[]): boolean {
  const light = (byte: number): number => toLinear(Math.round(byte));
  const steps = [0, 1, 2].map((c) => light(p.color[c]) - light(q.color[c]));
  const factors = [0, 1, 2].map((c) => Math.log((light(p.color[c]) + 0.01) / (light(q.color[c]) + 0.01)));
  if (!isNeutral(steps, GLARE) && !isNeutral(factors, Math.log(SHADE))) return false;
  writeLab(p.color[0], p.color[1], p.color[2], pair, 0);
  writeLab(q.color[0], q.color[1], q.color[2], pair, 3);
  const [L, a, b] = [0, 1, 2].map((c) => (pair[c] + pair[c + 3]) / 2);
  let bridge = 0;
  for (const sample of samples) if (Math.hypot(sample.L - L, sample.a - a, sample.b - b) < BRIDGE) bridge++;
  return bridge > BRIDGE_SHARE * Math.min(p.count, q.count);
}

/** Returns true when all values have one sign, none is larger than a limit, and they are alike. */
function isNeutral(values: readonly number[], limit: number): boolean {
  const sizes = values.map(Math.abs);
  const [most, least] = [Math.max(...sizes), Math.min(...sizes)];
  const isOneWay = values.every((value) => value > 0) || values.every((value) => value < 0);
  return isOneWay && most < limit && most - least < NEUTRAL * most;
}

const pair = new Float64Array(6);

export function colorDistance(p: ArrayLike<number>, q: ArrayLike<number>): number {
  writeLab(p[0], p[1], p[2], pair, 0);
  writeLab(q[0], q[1], q[2], pair, 3);
  return distanceOf(pair, 0, pair, 3);
}

/** A choice between two others is an ink when it has this share of the smaller one's pixels. */
const MIX_SHARE = 0.12;

/** and when at least this share of its pixels is even two pixels around. */
const BROAD_SHARE = 0.5;

/**
 * A mix is off its colors by less than this; an area, what is more frequent than its parts, or what lies apart from
 * them, by less than this.
 */
const MIX_OFF = 0.07;
const AREA_OFF = 0.035;

/** A mix has this share of its blocks beside those of both its colors. */
const BESIDE_SHARE = 0.5;

/** Returns true when a choice lies along another. Paper is everywhere. */
function isBeside({ blocks }: Choice, other: Choice, width: number): boolean {
  if (blocks.size === 0 || other.blocks.size === 0) return true;
  const across = blocksAcross(width);
  let beside = 0;
  for (const block of blocks) {
    let isNear = false;
    for (let k = 0; k < 9 && !isNear; k++) {
      isNear = other.blocks.has(block + (Math.floor(k / 3) - 1) * across + (k % 3) - 1);
    }
    if (isNear) beside++;
  }
  return beside > BESIDE_SHARE * blocks.size;
}

/** Drops the choices that are a mix of two others and much rarer than both: soft edges are even along themselves. */
function dropMixes(choices: Choice[], width: number): Choice[] {
  return choices.filter((choice, k) => {
    if (k === 0) return true;
    const isArea = choice.broad > 8 && choice.broad > BROAD_SHARE * choice.count;
    for (let m = 0; m < choices.length; m++) {
      for (let n = m + 1; n < choices.length; n++) {
        if (m === k || n === k) continue;
        const [p, q] = [choices[m], choices[n]];
        if (isArea && choice.broad > MIX_SHARE * Math.min(p.broad, q.broad)) continue;
        const { share, off } = mixOf(choice.color, p.color, q.color);
        if (share <= 0.08 || share >= 0.92 || off >= MIX_OFF) continue;
        if (off < AREA_OFF) return false;
        const isFrequent = isArea || choice.count > Math.min(p.count, q.count);
        if (!isFrequent && isBeside(choice, p, width) && isBeside(choice, q, width)) return false;
      }
    }
    return true;
  });
}

/** A mix of two lights that comes nearest to a color: the share of the first, its color, how far off it is. */
interface Mixture {
  share: number;
  lab: readonly [number, number, number];
  off: number;
}

export function mixOf(color: ArrayLike<number>, p: ArrayLike<number>, q: ArrayLike<number>): Mixture {
  let dot = 0;
  let span = 1e-9;
  const light = (byte: number): number => toLinear(Math.max(0, Math.min(255, Math.round(byte))));
  for (let c = 0; c < 3; c++) {
    const d = light(p[c]) - light(q[c]);
    dot += (light(color[c]) - light(q[c])) * d;
    span += d * d;
  }
  const share = Math.max(0, Math.min(1, dot / span));
  const mix = [0, 1, 2].map((c) => toByte(share * light(p[c]) + (1 - share) * light(q[c])));
  const off = colorDistance(color, mix); // leaves both colors in `pair`
  return { share, lab: [pair[3], pair[4], pair[5]], off };
}

/** Adds the inks that occur in thin strokes only. */
function addThinInks(choices: Choice[], ridges: Sample[], paperReach: number): void {
  const paper = choices[0].color;
  const enough = Math.max(14, 0.04 * ridges.length);
  let rest = ridges;
  while (choices.length <= MOST_INKS) {
    rest = rest.filter((ridge) => {
      const color = [ridge.red, ridge.green, ridge.blue];
      return choices.every(({ color: ink }, k) => {
        if (k === 0) return ridge.far > 2.5 * paperReach;
        return mixOf(color, ink, paper).off > 0.085 && colorDistance(color, ink) > 0.11;
      });
    });
    if (rest.length < enough) return;
    const farthest = [...rest].sort((p, q) => q.far - p.far);
    const top = farthest.slice(0, Math.max(6, farthest.length >> 2));
    const center = meanAround(top, densest(top), 0.1);
    const { near } = split(top, center, 0.12);
    choices.push({ color: middleOf(near), count: near.length, broad: 0, blocks: new Set() });
    const before = rest.length;
    rest = rest.filter((ridge) => apart(ridge, center) > 0.12);
    if (rest.length === before) return;
  }
}

/** A stroke's hue is off that of a known ink by at least this, */
const LEAST_OFF = 0.03;
/** in at least this share of the middles of strokes, and this many, */
const MUTED_SHARE = 0.12;
const LEAST_MUTED = 40;
/** and those agree on where to: the length of their mean offset is this share of their mean length. */
const AGREEMENT = 0.75;

/**
 * Adds inks of muted hues that occur in thin strokes beside a darker ink, such as brown beside black: each pixel is
 * nearly a mix of that ink and paper, but many are more colorful than that in one hue. Compression takes color out of
 * thin strokes and puts none in.
 */
function addMutedInks(choices: Choice[], ridges: Sample[], paperReach: number): void {
  const paper = choices[0].color;
  writeLab(paper[0], paper[1], paper[2], pair, 0);
  const [paperA, paperB] = [pair[1], pair[2]];
  const strokes = ridges.filter(({ far }) => far > 2.5 * paperReach);
  while (choices.length > 1 && choices.length <= MOST_INKS) {
    const off: { ridge: Sample; a: number; b: number }[] = [];
    for (const ridge of strokes) {
      const color = [ridge.red, ridge.green, ridge.blue];
      let nearest: Mixture | undefined;
      for (const { color: ink } of choices.slice(1)) {
        const mix = mixOf(color, ink, paper);
        if (!nearest || mix.off < nearest.off) nearest = mix;
      }
      if (!nearest) continue;
      const [a, b] = [ridge.a - nearest.lab[1], ridge.b - nearest.lab[2]];
      const chroma = hypot(ridge.a - paperA, ridge.b - paperB);
      const isColorful = chroma > hypot(nearest.lab[1] - paperA, nearest.lab[2] - paperB) + LEAST_OFF / 2;
      if (isColorful && hypot(a, b) > LEAST_OFF) off.push({ ridge, a, b });
    }
    if (off.length < Math.max(LEAST_MUTED, MUTED_SHARE * strokes.length)) return;
    const sum = (values: number[]): number => values.reduce((total, value) => total + value, 0);
    const mean = hypot(sum(off.map(({ a }) => a)), sum(off.map(({ b }) => b)));
    if (mean < AGREEMENT * sum(off.map(({ a, b }) => hypot(a, b)))) return;
    const farthest = off.map(({ ridge }) => ridge).sort((p, q) => q.far - p.far);
    const count = Math.max(6, farthest.length >> 2);
    choices.push({ color: middleOf(farthest.slice(0, count)), count: off.length, broad: 0, blocks: new Set() });
  }
}
