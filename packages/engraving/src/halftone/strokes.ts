/** Lines of varying width along a centerline, as closed contours. */
import type { Contour } from './contours.ts';
import type { Cover } from './cover.ts';

/** The smallest things that a machine can make, in millimeters. */
export interface Limits {
  /** Nothing is thinner. */
  readonly beamMm: number;
  /** Contours keep at least this far from each other; 0 lets them touch. */
  readonly gapMm: number;
}

/** Samples at an even step along a line. Each stands for half a step before it and after it. */
export interface Centerline {
  readonly x: Float64Array;
  readonly y: Float64Array;
  /** The unit normal of each sample. The line runs a quarter turn before it: direction (normalY, -normalX). */
  readonly normalX: Float64Array;
  readonly normalY: Float64Array;
  /** How far each sample's part of the area reaches, against its normal and along it. */
  readonly before: Float64Array;
  readonly after: Float64Array;
  readonly stepMm: number;
  /** The last sample is followed by the first. */
  readonly isRing: boolean;
  /** Something else begins half a step beyond its ends. Otherwise they may reach on to the frame. */
  readonly isPiece: boolean;
}

/** The ink across each sample of a line, along its normal from `low` to `high`. There is none where both are equal. */
export interface Ink {
  readonly low: Float64Array;
  readonly high: Float64Array;
}

/** The limits of the outlines of ink: the frame that they stay in, and the width of the beam. */
interface Bounds {
  readonly frame: Cover;
  readonly beamMm: number;
}

/** A contour may leave its curve by this much. */
const TOLERANCE_MM = 0.004;
/** The most samples that one straight piece replaces. */
const MOST_SAMPLES = 48;
/** Samples across a line, whose mean is the tone there. */
const CROSS_SAMPLES = 4;

/**
 * Decides the ink along a line. `shareOf` turns the share of ink that the picture wants into that which this line has
 * to give. Where a line would be thinner than the beam, it is as wide as the beam and broken into dashes, so that its
 * ink is right in the mean; `phase`, 0..1, is where in a dash the line starts.
 */
export function inkAlong(
  line: Centerline,
  cover: Cover,
  limits: Limits,
  phase: number,
  shareOf: (share: number) => number = (share) => share,
): Ink {
  const count = line.x.length;
  const { beamMm, gapMm } = limits;
  const low = new Float64Array(count);
  const high = new Float64Array(count);
  const wish = new Float64Array(count);
  const range = { from: 0, to: 0 };
  for (let i = 0; i < count; i++) {
    crossFrame(line, i, cover, range);
    const from = Math.max(range.from, -line.before[i]);
    const to = Math.min(range.to, line.after[i]);
    low[i] = Math.max(from, gapMm / 2 - line.before[i]);
    high[i] = Math.min(to, line.after[i] - gapMm / 2);
    wish[i] = to > from ? shareOf(meanAcross(line, i, cover, from, to)) * (to - from) : 0;
  }
  const isOn = dashesOf(wish, low, high, { stepMm: line.stepMm, beamMm, gapMm, phase, isRing: line.isRing });
  for (let i = 0; i < count; i++) {
    if (!isOn[i]) {
      low[i] = high[i] = 0;
      continue;
    }
    const width = Math.min(high[i] - low[i], Math.max(wish[i], beamMm));
    const reach = line.before[i] + line.after[i];
    const start = Math.min(high[i] - width, Math.max(low[i], (-width * line.before[i]) / reach));
    low[i] = start;
    high[i] = start + width;
  }
  return { low, high };
}

/** Finds the part of a sample's normal that lies in the frame. */
function crossFrame(line: Centerline, i: number, { widthMm, heightMm }: Cover, range: { from: number; to: number }) {
  range.from = Number.NEGATIVE_INFINITY;
  range.to = Number.POSITIVE_INFINITY;
  clip(range, line.x[i], line.normalX[i], widthMm);
  clip(range, line.y[i], line.normalY[i], heightMm);
}

/** Narrows a range of t to 0 <= place + t * slope <= size. */
function clip(range: { from: number; to: number }, place: number, slope: number, size: number): void {
  if (Math.abs(slope) < 1e-9) {
    if (place < 0 || place > size) range.to = Number.NEGATIVE_INFINITY;
    return;
  }
  const [a, b] = [-place / slope, (size - place) / slope];
  range.from = Math.max(range.from, Math.min(a, b));
  range.to = Math.min(range.to, Math.max(a, b));
}

function meanAcross(line: Centerline, i: number, cover: Cover, from: number, to: number): number {
  let sum = 0;
  for (let k = 0; k < CROSS_SAMPLES; k++) {
    const t = from + ((k + 0.5) / CROSS_SAMPLES) * (to - from);
    sum += cover.read(line.x[i] + t * line.normalX[i], line.y[i] + t * line.normalY[i]);
  }
  return sum / CROSS_SAMPLES;
}

interface DashRule extends Limits {
  readonly stepMm: number;
  readonly phase: number;
  readonly isRing: boolean;
}

/** Shares below this are bare: rounding of the picture's levels. */
const LEAST_SHARE_MM = 1e-4;

/** Returns where a line has ink: where it is wide enough, and in dashes where it is not. */
function dashesOf(wish: Float64Array, low: Float64Array, high: Float64Array, rule: DashRule): Uint8Array {
  const { stepMm, beamMm, gapMm, phase } = rule;
  const count = wish.length;
  const isOn = new Uint8Array(count);
  const least = Math.max(1, Math.ceil(beamMm / stepMm - 1e-6));
  const leastGap = Math.max(1, Math.ceil(gapMm / stepMm - 1e-6));
  const dash = beamMm * Math.max(2 * beamMm, least * stepMm);
  const roomAt = (i: number) => Math.max(0, high[i] - low[i]);
  const hasRoom = (i: number) => roomAt(i) >= beamMm - 1e-9;
  // The ink that is still to come, in square millimeters.
  let debt = (phase - 0.5) * dash;
  let run = 0;
  let pause = leastGap;
  for (let i = 0; i < count; i++) {
    debt += Math.min(wish[i], roomAt(i)) * stepMm;
    const isOpen = run > 0;
    const wants = wish[i] >= beamMm || (wish[i] > LEAST_SHARE_MM && (isOpen ? debt > -dash / 2 : debt >= dash / 2));
    const isInk = hasRoom(i) && (isOpen ? wants || run < least : wants && pause >= leastGap);
    if (isInk) {
      isOn[i] = 1;
      run++;
      debt -= Math.min(roomAt(i), Math.max(wish[i], beamMm)) * stepMm;
      pause = 0;
    } else {
      if (run > 0 && run < least) isOn.fill(0, i - run, i);
      run = 0;
      pause++;
    }
    // Ink that is missing on a long stretch is not added far away from it. A pause overshoots by what a step wants.
    debt = Math.max(-2 * dash, Math.min(2 * dash, debt));
  }
  if (run > 0 && run < least) isOn.fill(0, count - run, count);
  if (rule.isRing) closeRing(isOn, least, leastGap);
  return isOn;
}

/** Takes away a run that is too short, or that leaves too narrow a pause, where the end of a ring meets its start. */
function closeRing(isOn: Uint8Array, least: number, leastGap: number): void {
  const first = isOn.indexOf(1);
  if (first < 0 || !isOn.includes(0)) return;
  const last = isOn.lastIndexOf(1);
  const pause = first + isOn.length - 1 - last;
  const headEnd = isOn.indexOf(0, first);
  if (pause > 0) {
    if (pause < leastGap) isOn.fill(0, first, headEnd < 0 ? last + 1 : headEnd);
    return;
  }
  const tailStart = isOn.lastIndexOf(0) + 1;
  if (headEnd + isOn.length - tailStart >= least) return;
  isOn.fill(0, 0, headEnd);
  isOn.fill(0, tailStart);
}

/**
 * Returns the outlines of a line's ink, in the order of the line. Points that a straight piece replaces are left out at
 * both sides together: between two cross sections that are wide enough every other one is, too.
 */
export function outlineInk(line: Centerline, ink: Ink, bounds: Bounds): Contour[] {
  const count = line.x.length;
  const isOn = (i: number) => ink.high[i % count] > ink.low[i % count];
  let start = 0;
  if (line.isRing) {
    while (start < count && isOn(start)) start++;
    if (start === count && count > 0) return outlineRing(line, ink);
  }
  const contours: Contour[] = [];
  for (let i = start; i < start + count; ) {
    if (!isOn(i)) {
      i++;
      continue;
    }
    let end = i;
    while (end + 1 < start + count && isOn(end + 1)) end++;
    const contour = outlineRun(line, ink, i, end, bounds);
    if (contour) contours.push(contour);
    i = end + 1;
  }
  return contours;
}

/** Returns a point on one side of a sample, moved along the line. */
function pointAt(line: Centerline, i: number, offset: number, ahead: number): [number, number] {
  const k = i % line.x.length;
  return [
    line.x[k] + offset * line.normalX[k] + ahead * line.normalY[k],
    line.y[k] + offset * line.normalY[k] - ahead * line.normalX[k],
  ];
}

function outlineRun(line: Centerline, ink: Ink, from: number, to: number, bounds: Bounds): Contour | undefined {
  const count = line.x.length;
  const stations = stationsOf(line, ink, from, to);
  const upper: number[] = [];
  const lower: number[] = [];
  const add = (i: number, { low, high, ahead }: Section) => {
    upper.push(...pointAt(line, i, high, ahead));
    lower.push(...pointAt(line, i, low, ahead));
  };
  const [start, end] = [endOf(line, ink, from % count, -1, bounds), endOf(line, ink, to % count, 1, bounds)];
  if ((to - from) * line.stepMm + end.ahead - start.ahead < bounds.beamMm - 1e-6) return undefined;
  add(from, start);
  if (stations.length > 1) {
    for (const i of stations) add(i, { low: ink.low[i % count], high: ink.high[i % count], ahead: 0 });
  }
  add(to, end);
  const contour = new Float32Array(upper.length + lower.length);
  contour.set(upper);
  for (let k = 0; k < lower.length; k += 2) {
    contour[contour.length - 2 - k] = lower[k];
    contour[contour.length - 1 - k] = lower[k + 1];
  }
  return contour;
}

/** A cross section of ink: its ends along the normal, and how far it is moved along the line. */
interface Section {
  readonly low: number;
  readonly high: number;
  readonly ahead: number;
}

/**
 * Returns where a run ends: half a step beyond its last sample, or, where the frame cuts the line, as far as a beam's
 * width is left. `sign` is 1 at the end ahead, -1 at the one back.
 */
function endOf(line: Centerline, ink: Ink, k: number, sign: 1 | -1, { frame, beamMm }: Bounds): Section {
  const [low, high] = [ink.low[k], ink.high[k]];
  const sectionAt = (way: number): Section | undefined => {
    const ahead = sign * way;
    const range = { from: low, to: high };
    clip(range, line.x[k] + ahead * line.normalY[k], line.normalX[k], frame.widthMm);
    clip(range, line.y[k] - ahead * line.normalX[k], line.normalY[k], frame.heightMm);
    return range.to - range.from >= beamMm - 1e-9 ? { low: range.from, high: range.to, ahead } : undefined;
  };
  const half = sectionAt(line.stepMm / 2);
  if (half && (line.isPiece || half.high - half.low > high - low - 1e-9)) return half;
  const limit = line.isPiece ? line.stepMm / 2 : line.stepMm;
  const far = sectionAt(limit);
  if (far) return far;
  let [best, least, most]: [Section, number, number] = [{ low, high, ahead: 0 }, 0, limit];
  for (let n = 0; n < 12; n++) {
    const section = sectionAt((least + most) / 2);
    if (section) [best, least] = [section, (least + most) / 2];
    else most = (least + most) / 2;
  }
  return best;
}

/** Returns the contours of a ring: the outer side, and the inner side the other way round. */
function outlineRing(line: Centerline, ink: Ink): Contour[] {
  const count = line.x.length;
  const stations = stationsOf(line, ink, 0, count);
  stations.pop();
  const high = stations.flatMap((i) => pointAt(line, i, ink.high[i], 0));
  const low = stations.toReversed().flatMap((i) => pointAt(line, i, ink.low[i], 0));
  return [Float32Array.from(high), Float32Array.from(low)];
}

/** Chooses the samples of a run that are drawn: the fewest that keep both sides within the tolerance. */
function stationsOf(line: Centerline, ink: Ink, from: number, to: number): number[] {
  const count = line.x.length;
  const [highX, highY, lowX, lowY] = [0, 0, 0, 0].map(() => new Float64Array(to - from + 1));
  for (let i = from; i <= to; i++) {
    const k = i % count;
    [highX[i - from], highY[i - from]] = pointAt(line, k, ink.high[k], 0);
    [lowX[i - from], lowY[i - from]] = pointAt(line, k, ink.low[k], 0);
  }
  const isStraight = (a: number, b: number) => {
    for (let m = a + 1; m < b; m++) {
      const t = (m - a) / (b - a);
      if (isOff(highX, a, b, m, t) || isOff(highY, a, b, m, t)) return false;
      if (isOff(lowX, a, b, m, t) || isOff(lowY, a, b, m, t)) return false;
    }
    return true;
  };
  const stations = [from];
  const last = to - from;
  for (let a = 0; a < last; ) {
    let b = Math.min(last, a + 1);
    while (b < last && b - a < MOST_SAMPLES && isStraight(a, b + 1)) b++;
    stations.push(from + b);
    a = b;
  }
  return stations;
}

const isOff = (values: Float64Array, a: number, b: number, m: number, t: number) =>
  Math.abs(values[a] + (values[b] - values[a]) * t - values[m]) > TOLERANCE_MM;
